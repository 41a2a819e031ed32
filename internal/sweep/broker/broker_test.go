package broker_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/sweep/broker"
)

// A broker that other machines reach wants a token and a certificate, and says so before it starts.
func TestRefused(t *testing.T) {
	token := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(token, []byte("0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		config broker.Config
		kind   fault.Kind
		says   string
	}{
		"this machine":            {broker.Config{Addr: "127.0.0.1:4222"}, "", ""},
		"this machine, by name":   {broker.Config{Addr: "localhost:4222"}, "", ""},
		"no address":              {broker.Config{Addr: "4222"}, fault.OutOfRange, "HOST:PORT"},
		"no host, which is all":   {broker.Config{Addr: ":4222"}, fault.OutOfRange, "HOST:PORT"},
		"no port":                 {broker.Config{Addr: "127.0.0.1:http"}, fault.OutOfRange, "HOST:PORT"},
		"no token":                {broker.Config{Addr: "0.0.0.0:4222", CertFile: "c", KeyFile: "k"}, fault.Forbidden, "--cluster-token-file"},
		"no certificate":          {broker.Config{Addr: "10.0.0.1:4222", TokenFile: token}, fault.Forbidden, "unencrypted"},
		"a key is missing":        {broker.Config{Addr: "127.0.0.1:4222", CertFile: "c"}, fault.Conflict, "go together"},
		"no such token":           {broker.Config{Addr: "127.0.0.1:4222", TokenFile: token + "2"}, fault.NotFound, "token file"},
		"token and certificate":   {broker.Config{Addr: "0.0.0.0:4222", TokenFile: token, CertFile: "c", KeyFile: "k"}, "", ""},
		"another machine's names": {broker.Config{Addr: "lab.example.org:4222"}, fault.Forbidden, "--cluster-token-file"},
	} {
		err := c.config.Check()
		if fault.KindOf(err) != c.kind || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// One folder has one broker, and so has an address.
func TestOneBroker(t *testing.T) {
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	folder := t.TempDir()
	b, err := broker.Start(broker.Config{Addr: "127.0.0.1:0", Folder: folder, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if _, err := broker.Start(broker.Config{Addr: "127.0.0.1:0", Folder: folder, Log: log}); fault.KindOf(err) != fault.InvalidState ||
		!strings.Contains(err.Error(), "another broker has its tasks in") {
		t.Errorf("a second broker of a folder: %v", err)
	}
	taken := strings.TrimPrefix(b.URL(), "nats://")
	if _, err := broker.Start(broker.Config{Addr: taken, Folder: t.TempDir(), Log: log}); fault.KindOf(err) != fault.InvalidState ||
		!strings.Contains(err.Error(), "in use") {
		t.Errorf("a second broker of an address: %v", err)
	}
	none := broker.Config{Addr: "127.0.0.1:0", Folder: t.TempDir(), Log: log, CertFile: folder + "/none", KeyFile: folder + "/none"}
	if _, err := broker.Start(none); fault.KindOf(err) != fault.WrongType {
		t.Errorf("no certificate: %v", err)
	}
}
