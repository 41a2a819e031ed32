// Package e2e runs programs that we did not write against this server, for tests: the
// TypeScript clients in this folder, the official conformance suite and the Inspector; and
// it knows the commands of servers that we did not write, for the agent host.
// They are installed by `npm ci --prefix e2e --ignore-scripts`.
package e2e

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// patience is how long a program may take.
const patience = 5 * time.Minute

// folder is where the programs are installed. The test is skipped where they are not.
func folder(tb testing.TB) string {
	tb.Helper()
	root, err := filepath.Abs(".")
	if err != nil {
		tb.Fatal(err)
	}
	for ; !exists(filepath.Join(root, "go.mod")); root = filepath.Dir(root) {
		if root == filepath.Dir(root) {
			tb.Fatal("the test does not run inside of the module")
		}
	}
	dir := filepath.Join(root, "e2e")
	if !exists(filepath.Join(dir, "node_modules")) {
		tb.Skip("the clients are not installed: npm ci --prefix e2e --ignore-scripts")
	}
	return dir
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// node is the Node 22 of the lock file, for what needs one that new; on machines for
// which the lock file has none, it is what the path has.
func node(tb testing.TB) string {
	tb.Helper()
	if found, _ := filepath.Glob(filepath.Join(folder(tb), "node_modules", "node-*", "bin", "node")); len(found) > 0 {
		return found[0]
	}
	found, err := exec.LookPath("node")
	if err != nil {
		tb.Skip("no node: the clients in e2e/ cannot run")
	}
	return found
}

// Client has a script of this folder drive a server. It must print ok.
func Client(tb testing.TB, script string, args ...string) {
	tb.Helper()
	if out, err := run(tb, append([]string{script}, args...)...); err != nil || out != "ok\n" {
		tb.Errorf("%v\n%s", err, out)
	}
}

// Browser is the path of a Chromium: that of the variable CHROMIUM, or one that is installed. The test is skipped where there is none.
func Browser(tb testing.TB) string {
	tb.Helper()
	for _, name := range []string{os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"} {
		if name == "" {
			continue
		}
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	tb.Skip("no Chromium: install it, or name it in CHROMIUM")
	return ""
}

// run runs a program with node, and returns what it printed. What it complained of is
// part of the error.
func run(tb testing.TB, args ...string) (string, error) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(tb.Context(), patience)
	defer cancel()
	command := exec.CommandContext(ctx, node(tb), args...)
	command.Dir = folder(tb)
	out, err := command.Output()
	if failed, ok := errors.AsType[*exec.ExitError](err); ok {
		err = fmt.Errorf("%w\n%s", err, failed.Stderr)
	}
	return string(out), err
}

// Server is the command of an MCP server that we did not write:
//
//	filesystem   @modelcontextprotocol/server-filesystem; its arguments are folders
//	everything   @modelcontextprotocol/server-everything; stdio, sse or streamableHttp
func Server(tb testing.TB, name string, args ...string) (command []string) {
	tb.Helper()
	program := filepath.Join(folder(tb), "node_modules", "@modelcontextprotocol", "server-"+name, "dist", "index.js")
	if !exists(program) {
		tb.Skip("server-" + name + " is not installed: npm ci --prefix e2e --ignore-scripts")
	}
	return append([]string{node(tb), program}, args...)
}

// Inspect has the command line of MCP Inspector list the tools of a server that it starts
// with a command, and judge their schemas strictly: what it calls an error is one here.
// It returns the list.
func Inspect(tb testing.TB, command ...string) (tools string) {
	tb.Helper()
	program := filepath.Join("node_modules", "@modelcontextprotocol", "inspector", "clients", "launcher", "build", "index.js")
	out, err := run(tb, append([]string{program, "--cli", "--strict", "--method", "tools/list"}, command...)...)
	if err != nil {
		tb.Errorf("%v\n%s", err, out)
	}
	return out
}

// suite is a release of the conformance suite, and in which revisions it speaks.
type suite struct {
	name, pkg string
	args      []string
}

// suites together run each scenario for servers that there is: the older release knows
// the revisions with sessions; the newer one speaks them too, where a scenario fits
// several, unless it is told to speak 2026-07-28.
var suites = []suite{
	{"0.1.16", "conformance-old", nil},
	{"0.2.0", "conformance-new", nil},
	{"0.2.0 in 2026-07-28", "conformance-new", []string{"--spec-version", "2026-07-28"}},
}

// Conformance runs the official suite against a server at a URL. A scenario that fails,
// or warns, is an error, unless the file of expected failures names it; one that it names
// and that passes is an error too. The file is in the format of the suite: the names of
// scenarios, or scenario:check, below the key server.
func Conformance(t *testing.T, url, expected string) {
	known, err := filepath.Abs(expected)
	if err != nil {
		t.Fatal(err)
	}
	var ran []string // scenarios
	complete := 0    // suites
	for _, s := range suites {
		t.Run(s.name, func(t *testing.T) {
			program := filepath.Join("node_modules", s.pkg, "dist", "index.js")
			args := append([]string{program, "server", "--url", url, "--suite", "all", "--expected-failures", known}, s.args...)
			out, err := run(t, args...)
			_, summary, found := strings.Cut(out, "=== SUMMARY ===")
			if !found || err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			_, summary, _ = strings.Cut(summary, "\n")
			results, verdict, _ := strings.Cut(summary, "\n\n")
			passed := 0
			for line := range strings.Lines(results) {
				mark, rest, _ := strings.Cut(line, " ")
				name, _, ok := strings.Cut(rest, ":")
				if !ok {
					t.Fatalf("the suite's summary reads unlike before: %q", line)
				}
				ran = append(ran, name)
				if mark == "✓" {
					passed++
				}
			}
			complete++
			t.Logf("%d of %d scenarios pass\n%s", passed, strings.Count(results, "\n")+1, strings.TrimSpace(verdict))
		})
	}
	if complete < len(suites) {
		return // a scenario may be one of those that did not run
	}
	for _, name := range scenarios(t, known) {
		if !slices.Contains(ran, name) {
			t.Errorf("%s expects %s to fail, which did not run", expected, name)
		}
	}
}

// scenarios are those that a file of expected failures names.
func scenarios(tb testing.TB, file string) []string {
	tb.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		tb.Fatal(err)
	}
	var names []string
	for line := range strings.Lines(string(data)) {
		if entry, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok {
			entry, _, _ = strings.Cut(entry, " ")
			name, _, _ := strings.Cut(entry, ":")
			names = append(names, name)
		}
	}
	return names
}
