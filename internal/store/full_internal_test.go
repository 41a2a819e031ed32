package store

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// TestFullDiskAtOpen: SQLite says that the disk is full in the middle of the
// first migration; what was there stays.
func TestFullDiskAtOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), fileName)
	db, err := sql.Open("sqlite", dataSource(path, writing, openPatience)+"&_pragma=max_page_count(3)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s := &Store{writer: db}
	if err := db.Ping(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	err = s.begin()
	if err == nil {
		t.Fatal("three pages were enough")
	}
	e := openError(path, err)
	if e.Reason != "the disk is full" || !strings.Contains(e.Hint, "free some space") {
		t.Errorf("error %v", e)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file was %d bytes and is %d (%v)", len(before), len(after), err)
	}
}

// TestFullDiskWhileRunning: a journal says so at once, keeps what it could not
// write, and writes it when there is space again.
func TestFullDiskWhileRunning(t *testing.T) {
	s, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	j, err := s.Create(context.Background(), Experiment{Name: "x", Arms: []Arm{{Name: "control"}}}, []uint64{1}, false)
	if err != nil {
		t.Fatal(err)
	}
	var pages int
	if err := s.writer.QueryRow("PRAGMA page_count").Scan(&pages); err != nil {
		t.Fatal(err)
	}
	bound := func(pages int) {
		if _, err := s.writer.Exec(fmt.Sprintf("PRAGMA max_page_count = %d", pages)); err != nil {
			t.Fatal(err)
		}
	}
	bound(pages + 1)
	month := 0
	next := func() []sim.Record {
		month++
		r := randomRecord(uint64(month))
		r.Month = month
		return []sim.Record{r}
	}
	for err == nil && month < 100 {
		if err = j.Months(0, 0, next()); err == nil {
			err = j.flush()
		}
	}
	if fault.KindOf(err) != fault.Internal || !strings.Contains(err.Error(), "full") {
		t.Fatalf("after %d months on a full disk: %v", month, err)
	}
	if told := fault.Public(err).Error(); !strings.Contains(told, "full") || strings.Contains(told, s.dir) {
		t.Errorf("beyond this machine it is %q", told)
	}
	if err := j.Months(0, 0, next()); err == nil || !strings.Contains(err.Error(), "full") {
		t.Errorf("the next month on a full disk: %v", err)
	}
	bound(pages + 1000)
	if err := j.Months(0, 0, next()); err != nil {
		t.Errorf("with space again: %v", err)
	}
	if list, err := s.Records(context.Background(), "x", "control", 1, 0, 0, 0); err != nil || len(list) != month {
		t.Errorf("%d months of %d are there, %v", len(list), month, err)
	}
}
