package host

import (
	"path/filepath"
	"testing"
	"time"
)

// What is kept of tools and cannot be read is asked for again: it stops nothing.
func TestUnreadableToolsAreForgotten(t *testing.T) {
	s, err := OpenShelf(filepath.Join(t.TempDir(), "host.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := s.keep("a", "f", kept{tools: []Tool{{Name: "read"}}, expires: time.Now()}, nil); err != nil {
		t.Fatal(err)
	}
	if k, ok, err := s.tools("a", "f"); err != nil || !ok || len(k.tools) != 1 {
		t.Fatalf("%+v, %t, %v", k, ok, err)
	}
	if _, err := s.db.Exec(`UPDATE server SET tools = CAST('no JSON' AS BLOB)`); err != nil {
		t.Fatal(err)
	}
	if k, ok, err := s.tools("a", "f"); err != nil || ok {
		t.Errorf("%+v, %t, %v", k, ok, err)
	}
}
