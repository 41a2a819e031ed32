package store

import (
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"syscall"

	codes "modernc.org/sqlite/lib"

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
	var size int64
	if err := tx.QueryRow("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size").Scan(&size); err != nil {
		return err
	}
	name := olderName(fmt.Sprint(schema))
	slog.Info("the database is copied before it is brought up to date, for the program that began experiments in it",
		"copy", name, "bytes", size)
	return copyError(filepath.Join(s.dir, fileName), name, size, s.copyTo(name))
}

// copyTo copies the database to a file in its folder.
func (s *Store) copyTo(name string) error {
	f, err := atomicfile.Create(filepath.Join(s.dir, name), fileMode)
	if err != nil {
		return err
	}
	defer f.Discard()
	if _, err := s.readers.Exec("VACUUM INTO ?", f.Name()); err != nil {
		return err
	}
	return f.Replace()
}

// copyError says of a disk that has no room for a copy of a database of so many bytes what it is
// for; other errors stay.
func copyError(path, name string, size int64, err error) error {
	if code, _ := sqliteCode(err); code != codes.SQLITE_FULL && !errors.Is(err, syscall.ENOSPC) {
		return err
	}
	return &OpenError{
		Path: path, err: err,
		Reason: fmt.Sprintf("the disk has no room for %s, its copy for the program that began experiments in it", name),
		Hint: fmt.Sprintf("free %d bytes beside what the upgrade takes, or end those experiments with that program, ", size) +
			"or move the folder to a larger disk and name it with --data",
	}
}

// Older are the copies of the database with older schemas that were kept when it was brought
// up to date, by the names of their files in the folder: programs that cannot read the present
// one go on in them with what this program cannot.
func (s *Store) Older() []string {
	copies, _ := fs.Glob(os.DirFS(s.dir), olderName("*")) // the pattern is right
	return copies
}
