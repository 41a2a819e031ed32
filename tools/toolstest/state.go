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
	version, err := queryTexts(d.watched, "PRAGMA data_version")
	if err != nil {
		d.tb.Fatal(err)
	}
	if d.tables != nil && d.version == version[0] {
		return d.tables
	}
	d.version, d.tables = version[0], map[string]string{}
	names, err := queryTexts(d.watched, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name")
	if err != nil {
		d.tb.Fatal(err)
	}
	for _, name := range names {
		rows, err := queryRows(d.watched, "SELECT * FROM "+name)
		if err != nil {
			d.tb.Fatal(err)
		}
		d.tables["table "+name] = strings.Join(rows, "\n")
	}
	return d.tables
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

func queryTexts(db *sql.DB, query string) ([]string, error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []string
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		list = append(list, text)
	}
	return list, rows.Err()
}

// queryRows reads all rows as text.
func queryRows(db *sql.DB, query string) ([]string, error) {
	rows, err := db.Query(query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var list []string
	for rows.Next() {
		values := make([]any, len(columns))
		at := make([]any, len(columns))
		for i := range values {
			at[i] = &values[i]
		}
		if err := rows.Scan(at...); err != nil {
			return nil, err
		}
		for i, v := range values {
			if blob, ok := v.([]byte); ok { // long: its sum is enough to compare
				values[i] = crc32.ChecksumIEEE(blob)
			}
		}
		list = append(list, fmt.Sprint(values...))
	}
	return list, rows.Err()
}
