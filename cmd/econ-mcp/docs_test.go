package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/app"
	"econ-mcp/tools"
)

// docs/TOOLS.md is what the command prints.
func TestToolsDocument(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("..", "..", "docs", "TOOLS.md"))
	must(t, err)
	var got, stderr bytes.Buffer
	if code := execute(t.Context(), []string{"tools", "--markdown"}, &got, &stderr); code != exitOK {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	if bytes.Equal(got.Bytes(), want) {
		return
	}
	gotLines, wantLines := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	for i, line := range wantLines {
		if i >= len(gotLines) || gotLines[i] != line {
			t.Errorf("line %d is %q in the document", i+1, line)
			break
		}
	}
	t.Error("docs/TOOLS.md is not that of this program: go run ./cmd/econ-mcp tools --markdown > docs/TOOLS.md")
}

// examples are the commands in the code blocks of a document: what follows econ-mcp.
func examples(tb testing.TB, name string) (lines []string) {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	must(tb, err)
	code := false
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "```") {
			code = !code
			continue
		}
		found := regexp.MustCompile(`^(?:go run \./cmd/econ-mcp|econ-mcp|claude mcp add econ-mcp -- econ-mcp) (.+)`).FindStringSubmatch(line)
		if code && found != nil {
			command, _, _ := strings.Cut(found[1], "   ") // its explanation
			lines = append(lines, command)
		}
	}
	return lines
}

// What the READMEs and guides show exists: commands, flags, tools and their arguments. The
// configurations of clients are JSON that starts a command that exists.
func TestGuidesNameWhatExists(t *testing.T) {
	catalogue := app.Catalogue()
	root := newRoot()
	for name, least := range map[string]struct{ examples, configurations int }{
		"README.md": {8, 2}, "README.zh.md": {8, 2}, "docs/GUIDE.md": {30, 1}, "docs/GUIDE.zh.md": {25, 1},
	} {
		lines, configs := examples(t, name), configurations(t, name)
		if len(lines) < least.examples || len(configs) < least.configurations {
			t.Errorf("%s has only %d examples and %d configurations", name, len(lines), len(configs))
		}
		for _, line := range lines {
			args := strings.Fields(line)
			command, rest, err := root.Find(args)
			if err != nil || command == root {
				t.Errorf("%s: no command: %s", name, line)
				continue
			}
			for _, arg := range rest {
				if arg == "--" { // what follows is another program's
					break
				}
				if flag, ok := strings.CutPrefix(arg, "--"); ok && command.Flags().Lookup(flag) == nil {
					t.Errorf("%s: no flag %s: %s", name, arg, line)
				}
			}
			if command.Name() != "call" {
				continue
			}
			tool, err := toolNamed(catalogue, rest[0])
			if err != nil {
				t.Errorf("%s: %s: %v", name, line, err)
				continue
			}
			for _, pair := range rest[1:] {
				argument, _, _ := strings.Cut(pair, "=")
				if !slices.ContainsFunc(tool.Input.Properties, func(p tools.Property) bool { return p.Name == argument }) {
					t.Errorf("%s: no argument %s: %s", name, argument, line)
				}
			}
		}
		for _, line := range configs {
			var config struct {
				MCPServers, Servers map[string]struct {
					Type, Command, URL string
					Args               []string
				}
			}
			if err := json.Unmarshal([]byte(line), &config); err != nil {
				t.Errorf("%s: %v: %s", name, err, line)
			}
			server, ok := config.MCPServers["econ-mcp"]
			if !ok {
				server, ok = config.Servers["econ-mcp"]
			}
			if !ok || server.URL == "" && (server.Command != "econ-mcp" || server.Args[0] != "serve") {
				t.Errorf("%s: %s starts no server", name, line)
			}
		}
	}
}

// configurations are the lines of JSON in a document.
func configurations(tb testing.TB, name string) (lines []string) {
	tb.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", name))
	must(tb, err)
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, `{"`) {
			lines = append(lines, line)
		}
	}
	return lines
}
