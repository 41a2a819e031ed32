package host

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/fault"
)

// What is kept of tools and cannot be read is asked for again: it stops nothing.
func TestUnreadableToolsAreForgotten(t *testing.T) {
	s, err := OpenCache(filepath.Join(t.TempDir(), "host.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.keep("a", "f", kept{Listing: Listing{Tools: []Tool{{Name: "read"}}}, expires: time.Now()}, nil); err != nil {
		t.Fatal(err)
	}
	if k, ok, err := s.tools("a", "f"); err != nil || !ok || len(k.Tools) != 1 {
		t.Fatalf("%+v, %t, %v", k, ok, err)
	}
	if _, err := s.db.Exec(`UPDATE server SET tools = CAST('no JSON' AS BLOB)`); err != nil {
		t.Fatal(err)
	}
	if k, ok, err := s.tools("a", "f"); err != nil || ok {
		t.Errorf("%+v, %t, %v", k, ok, err)
	}
}

// asWritten makes a file with statements of SQL, as another program would.
func asWritten(t *testing.T, statements string) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "host.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statements); err != nil {
		t.Fatal(err)
	}
	return path
}

func versionIn(t *testing.T, path string) (version int) {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRow("PRAGMA user_version").Scan(&version); err != nil {
		t.Fatal(err)
	}
	return version
}

// A file without a version is of a program that wrote none. What it remembers stays, and the
// tables are made that its program did not know yet.
func TestUnversionedCache(t *testing.T) {
	path := asWritten(t, `
CREATE TABLE server (id TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, asked_at INTEGER NOT NULL, expires_at INTEGER NOT NULL,
	protocol TEXT NOT NULL, hash TEXT NOT NULL, tools BLOB NOT NULL) STRICT;
CREATE TABLE change (server TEXT NOT NULL, tool TEXT NOT NULL, kind TEXT NOT NULL, details TEXT NOT NULL, since INTEGER NOT NULL,
	at INTEGER NOT NULL) STRICT;
CREATE TABLE call (id INTEGER PRIMARY KEY, server TEXT NOT NULL, tool TEXT NOT NULL, at INTEGER NOT NULL, duration INTEGER NOT NULL,
	layer TEXT NOT NULL, arguments TEXT NOT NULL) STRICT;
CREATE INDEX call_by_tool ON call (server, tool, id);
CREATE TABLE precedent (request TEXT PRIMARY KEY, server TEXT NOT NULL, tool TEXT NOT NULL, at INTEGER NOT NULL) STRICT;
INSERT INTO precedent VALUES ('read a', 'files', 'read', 4);
INSERT INTO server VALUES ('files', 'f', 1, 2, '2025-06-18', 'h', CAST('[{"name":"read"}]' AS BLOB));
INSERT INTO call VALUES (1, 'files', 'read', 3, 1000, '', '{"path":"a"}');`)
	for range 2 { // and when it has its version
		s, err := OpenCache(path)
		if err != nil {
			t.Fatal(err)
		}
		if k, ok, err := s.tools("files", "f"); err != nil || !ok || len(k.Tools) != 1 {
			t.Errorf("the tools: %+v, %t, %v", k, ok, err)
		}
		if arguments, ok := s.Example("files", "read"); !ok || string(arguments) != `{"path":"a"}` {
			t.Errorf("the example: %s, %t", arguments, ok)
		}
		if _, err := s.db.Exec("SELECT * FROM precedent"); err == nil {
			t.Error("the requests of earlier programs are kept")
		}
		if err := s.keepSilence("slow", "f", "no answer"); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if version := versionIn(t, path); version != cacheVersion {
			t.Errorf("version %d, want %d", version, cacheVersion)
		}
	}
}

// A file of a newer program is refused with the reason, and not touched.
func TestNewerCache(t *testing.T) {
	path := asWritten(t, "PRAGMA journal_mode = WAL; CREATE TABLE other (id INTEGER); PRAGMA user_version = 2")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s, err := OpenCache(path)
	if err == nil {
		s.Close()
	}
	if fault.KindOf(err) != fault.InvalidState || !strings.Contains(err.Error(), "newer econ-mcp (schema 2; this one knows 1)") {
		t.Errorf("%v", err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the file was changed: %v", err)
	}
}

// Several processes may make the file at the same moment.
func TestCacheIsMadeOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "host.db")
	const processes = 8
	failures := make(chan error, processes)
	for range processes {
		go func() {
			s, err := OpenCache(path)
			if err == nil {
				err = s.Close()
			}
			failures <- err
		}()
	}
	for range processes {
		if err := <-failures; err != nil {
			t.Error(err)
		}
	}
	if version := versionIn(t, path); version != cacheVersion {
		t.Errorf("version %d, want %d", version, cacheVersion)
	}
}
