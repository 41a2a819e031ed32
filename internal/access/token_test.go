package access_test

import (
	"os"
	"path/filepath"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
)

func TestReadToken(t *testing.T) {
	for text, kind := range map[string]fault.Kind{
		"0123456789abcdef\n": "", "  0123456789abcdef": "", "short\n": fault.OutOfRange, "": fault.OutOfRange,
		"0123456789abcdef\nfedcba9876543210\n": fault.OutOfRange, "0123456789 abcdef": fault.OutOfRange,
	} {
		path := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		token, err := access.ReadToken("--token-file", path)
		if fault.KindOf(err) != kind || kind == "" && token != "0123456789abcdef" {
			t.Errorf("%q: %q, %v", text, token, err)
		}
	}
	if _, err := access.ReadToken("--token-file", filepath.Join(t.TempDir(), "none")); fault.KindOf(err) != fault.NotFound {
		t.Errorf("no file: %v", err)
	}
}

func TestIsLoopback(t *testing.T) {
	for host, want := range map[string]bool{
		"127.0.0.1": true, "127.1.2.3": true, "::1": true, "localhost": true, "Localhost": true, "0.0.0.0": false, "::": false, "10.0.0.1": false,
		"lab.example.org": false, "localhost.example.org": false, "": false,
	} {
		if access.IsLoopback(host) != want {
			t.Errorf("%q: %v", host, !want)
		}
	}
}
