package toolstest

import (
	"database/sql"
	"fmt"
	"hash/crc32"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"

	_ "modernc.org/sqlite" // the driver
)

// State is everything that a call may change: the rows of the database, the files of the
// library, and the workspace. Two calls compare equal where nothing was changed.
func (d *Harness) State() map[string]string {
	d.tb.Helper()
	state := maps.Clone(d.rows())
	for _, folder := range []string{"presets", "configs"} {
		err := filepath.WalkDir(filepath.Join(d.Dir, folder), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() {
				return nil
			}
			data, err := os.ReadFile(path)
			state["file "+path] = string(data)
			return err
		})
		if err != nil {
			d.tb.Fatal(err)
		}
	}
	space, err := d.Spaces.Open(d.tb.Context(), Workspace)
	if err != nil {
		d.tb.Fatal(err)
	}
	state["workspace"] = fmt.Sprintf("%v\n%v\n%s", space.Scenario(), space.Planned(), space.Looking())
	for _, s := range d.Runs.Live() {
		state["run "+s.Name] = fmt.Sprint(s.State, s.Month, s.PauseAt, s.Plans)
	}
	return state
}

// rows are those of all tables, read again only where some connection has written since.
func (d *Harness) rows() map[string]string {
	d.tb.Helper()
	if d.watched == nil {
		d.watched = d.Database()
		d.watched.SetMaxOpenConns(1)
	}
	version := d.query("PRAGMA data_version")
	if version == d.version {
		return d.tables
	}
	d.version, d.tables = version, map[string]string{}
	for name := range strings.Lines(d.query("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")) {
		d.tables["table "+name] = d.query("SELECT * FROM " + name)
	}
	return d.tables
}

// query reads rows as lines of text.
func (d *Harness) query(query string) string {
	d.tb.Helper()
	rows, err := d.watched.Query(query)
	if err != nil {
		d.tb.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		d.tb.Fatal(err)
	}
	values := make([]any, len(columns))
	at := make([]any, len(columns))
	for i := range values {
		at[i] = &values[i]
	}
	var text strings.Builder
	for rows.Next() {
		if err := rows.Scan(at...); err != nil {
			d.tb.Fatal(err)
		}
		for i, v := range values {
			if blob, ok := v.([]byte); ok { // long: its sum is enough to compare
				values[i] = crc32.ChecksumIEEE(blob)
			}
		}
		fmt.Fprintln(&text, values...)
	}
	if err := rows.Err(); err != nil {
		d.tb.Fatal(err)
	}
	return text.String()
}

// Database opens the file of the store, to read it as any program may.
func (d *Harness) Database() *sql.DB {
	d.tb.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(d.Dir, "econ-mcp.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		d.tb.Fatal(err)
	}
	d.tb.Cleanup(func() { db.Close() })
	return db
}
