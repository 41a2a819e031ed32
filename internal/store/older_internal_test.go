package store

import (
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
)

// A disk that is too full for the copy is said to be, with the copy and the next move.
func TestNoRoomForTheOlderCopy(t *testing.T) {
	db, err := sql.Open("sqlite", "file::memory:?_pragma=max_page_count(2)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	_, full := db.Exec("CREATE TABLE a (x); CREATE TABLE b (x); CREATE TABLE c (x)")
	for _, err := range []error{full, fmt.Errorf("write: %w", syscall.ENOSPC)} {
		e := openError("/data/econ-mcp.db", copyError("/data/econ-mcp.db", "econ-mcp.schema-2.db", 12345, err))
		if !strings.Contains(e.Reason, "no room for econ-mcp.schema-2.db") ||
			!strings.Contains(e.Hint, "free 12345 bytes") || !errors.Is(e, err) {
			t.Errorf("%v is %v", err, e)
		}
	}
	other := errors.New("other")
	if copyError("", "", 0, other) != other || copyError("", "", 0, nil) != nil {
		t.Error("another error changes")
	}
}
