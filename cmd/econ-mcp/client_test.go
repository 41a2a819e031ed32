package main

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"econ-mcp/e2e"
)

// TestTypeScriptClients has clients that we did not write carry out experiments: the
// TypeScript SDKs of both protocol eras, over stdio and over HTTP.
func TestTypeScriptClients(t *testing.T) {
	program := build(t)
	url := serveHTTP(t, program)
	for _, args := range [][]string{
		{"v1", "stdio", program, "serve", "--data", t.TempDir()},
		{"v2", "stdio", program, "serve", "--data", t.TempDir()},
		{"v1", "http", url},
		{"v2", "http", url + "/w/v2"},
	} {
		t.Run(args[0]+" "+args[1], func(t *testing.T) { e2e.Client(t, "laboratory.mjs", args...) })
	}
}

// TestClientsWithModels: clients whose own language models write inquiries.
func TestClientsWithModels(t *testing.T) {
	program := build(t)
	for _, args := range [][]string{
		{"v1", "stdio", program, "serve", "--data", t.TempDir()},
		{"v2", "stdio", program, "serve", "--data", t.TempDir()},
		{"v1", "http", serveHTTP(t, program)},
		{"v1", "sse", strings.TrimSuffix(serveHTTP(t, program, "--legacy-sse"), "/mcp") + "/sse"},
		{"v2", "http", serveHTTP(t, program)},
	} {
		t.Run(args[0]+" "+args[1], func(t *testing.T) {
			t.Parallel()
			e2e.Client(t, "sampling.mjs", args...)
		})
	}
}

// build is the program as users run it.
func build(tb testing.TB) string {
	tb.Helper()
	program := filepath.Join(tb.TempDir(), "econ-mcp")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, out)
	}
	return program
}

// serveHTTP starts the program as a server on a free port and returns its endpoint.
func serveHTTP(tb testing.TB, program string, args ...string) (url string) {
	tb.Helper()
	command := exec.Command(
		program, append([]string{"serve", "--transport", "http", "--addr", "127.0.0.1:0", "--data", tb.TempDir()}, args...)...,
	)
	stderr, err := command.StderrPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := command.Start(); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		command.Process.Signal(os.Interrupt)
		if err := command.Wait(); err != nil {
			tb.Errorf("the server ended with %v", err)
		}
	})
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if found := regexp.MustCompile(`url=(http\S+)`).FindStringSubmatch(lines.Text()); found != nil {
			go io.Copy(io.Discard, stderr)
			return found[1]
		}
	}
	tb.Fatal("the server did not say where it listens")
	return ""
}
