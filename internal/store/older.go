package store

import (
	"database/sql"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/sim"
)

// olderName is the name of a copy of the database that has an older schema.
func olderName(schema string) string { return "econ-mcp.schema-" + schema + ".db" }

// keepOlder copies a database that is about to be brought up to date, where there is
// something in it that only the program which began it can go on with: that one cannot read
// the newer schema. Nobody else writes during the transaction.
func (s *Store) keepOlder(tx *sql.Tx) error {
	var schema int
	if err := tx.QueryRow("PRAGMA user_version").Scan(&schema); err != nil || schema == 0 || schema >= len(migrations) {
		return err
	}
	var needed bool
	err := tx.QueryRow("SELECT EXISTS (SELECT 1 FROM experiment WHERE model_version <> ? AND state NOT IN "+ended+")",
		sim.ModelVersion).Scan(&needed)
	if err != nil || !needed {
		return err
	}
	f, err := atomicfile.Create(filepath.Join(s.dir, olderName(fmt.Sprint(schema))), fileMode)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := s.readers.Exec("VACUUM INTO ?", f.Name()); err != nil {
		return err
	}
	return f.Replace()
}

// Older are the copies of the database with older schemas that were kept when it was brought
// up to date, by the names of their files in the folder: programs that cannot read the present
// one go on in them with what this program cannot.
func (s *Store) Older() []string {
	copies, _ := fs.Glob(os.DirFS(s.dir), olderName("*")) // the pattern is right
	return copies
}
