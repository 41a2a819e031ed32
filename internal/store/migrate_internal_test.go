package store

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"
)

// TestOlderSchemaIsBroughtUpToDate: a folder that an older program filled is read, and has
// what came since.
func TestOlderSchemaIsBroughtUpToDate(t *testing.T) {
	dir := t.TempDir()
	db, err := sql.Open("sqlite", dataSource(filepath.Join(dir, fileName), writing, openPatience))
	if err != nil {
		t.Fatal(err)
	}
	const old = `INSERT INTO experiment (name, created_at, principal, question, plan, seed, months, replications, households, firms, model_version, code_version, go_version, arch, state)
		VALUES ('old', '2026-01-02T03:04:05.000Z', '', '', 'null', '1', 12, 1, 100, 10, '0.1', '0.1', 'go1', 'x', 'completed')`
	for _, script := range []string{migrations[0], "PRAGMA user_version = 1", old} {
		if _, err := db.Exec(script); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if x, err := s.Experiment(context.Background(), "old"); err != nil || x.Months != 12 {
		t.Errorf("the old experiment: %+v, %v", x, err)
	}
	all, err := s.Ask(context.Background(), []string{"old"}, []Asked{{Hypothesis: "h", P: .5}}, "")
	if err != nil || len(all) != 1 {
		t.Errorf("asked of the old experiment: %v, %v", all, err)
	}
	var version int
	if err := s.writer.QueryRow("PRAGMA user_version").Scan(&version); err != nil || version != len(migrations) {
		t.Errorf("schema %d, %v, want %d", version, err, len(migrations))
	}
}
