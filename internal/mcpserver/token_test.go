package mcpserver_test

import (
	"bytes"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/mcpserver"
)

func TestReadTokens(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"# comment\n\nalice full 0123456789abcdef\nbob read-only fedcba9876543210\n", ""},
		{"- principal: alice\n  role: full\n  token: 0123456789abcdef\n", ""},
		{"", "no token"},
		{"alice full", "token 1 must be three words: principal, role, token"},
		{"alice root 0123456789abcdef", "in token 1 of the file, the role must be read-only, full or admin"},
		{"alice full short", "shorter than 16"},
		{"al/ice full 0123456789abcdef", "the principal is no name"},
		{"alice full 0123456789abcdef\nbob full 0123456789abcdef", "in token 2 of the file, the token is that of token 1"},
		{"- {principal: alice, role: full, tokn: 0123456789abcdef}", "see line 1"},
		// A secret in the wrong place.
		{"alice 0123456789abcdef full", "the role must be read-only, full or admin"},
		{"0123456789abcdef full alice", "shorter than 16"},
		{"0123456789abcdef/ full alice", "the principal is no name"},
		{"- {principal: alice, 0123456789abcdef: full, role: full}", "see line 1"},
		{"- {principal: alice, role: full, token: [0123456789abcdef]}", "see line 1"},
		{"-\t0123456789abcdef: {", "not a list of tokens"},
		// What clients cannot send.
		{"- {principal: alice, role: full, token: ' 0123456789abcdef'}", "holds a blank"},
		{"- {principal: alice, role: full, token: '0123456789abcdef '}", "holds a blank"},
		{"- {principal: alice, role: full, token: \"0123456789abcdef\\a\"}", "holds a blank"},
		{"alice full 0123456789abcdef\u00e9", "holds a blank"},
	} {
		path := filepath.Join(t.TempDir(), "tokens")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := mcpserver.ReadTokens(path, slog.New(slog.DiscardHandler))
		switch {
		case c.want == "" && (err != nil || len(list) == 0 || list[0].Principal != "alice" || list[0].Role == access.ReadOnly):
			t.Errorf("%q: %v, %v", c.text, list, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%q: %v, want %s", c.text, err, c.want)
		case err != nil && strings.Contains(err.Error(), "0123456789abcdef"):
			t.Errorf("the message holds a token: %v", err)
		}
	}
}

func TestTokensOthersCanReadAreWarnedOf(t *testing.T) {
	for mode, warned := range map[os.FileMode]bool{0o600: false, 0o640: true, 0o604: true} {
		path := filepath.Join(t.TempDir(), "tokens")
		if err := os.WriteFile(path, []byte("alice full 0123456789abcdef"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		var log bytes.Buffer
		if _, err := mcpserver.ReadTokens(path, slog.New(slog.NewTextHandler(&log, nil))); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(log.String(), "chmod 600") != warned {
			t.Errorf("%o: %s", mode, log.String())
		}
	}
}
