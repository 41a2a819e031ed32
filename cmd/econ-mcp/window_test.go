package main

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"econ-mcp/e2e"
)

// mustOpen has the program serve its pages and returns the address with the code. It ends with the test.
func mustOpen(t *testing.T, program, data string) (address string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, "open", "--no-browser", "--data", data)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	must(t, err)
	return strings.TrimSpace(line)
}

// TestWindow has a real browser look at every page: in both themes and languages, wide and narrow, with axe-core.
func TestWindow(t *testing.T) {
	chromium, program, data := e2e.Browser(t), build(t), t.TempDir()
	runIn := func(args ...string) []byte {
		out, err := exec.Command(program, args...).Output()
		if err != nil {
			t.Fatalf("%s: %v", args[0], err)
		}
		return out
	}
	runIn("ask", "What happens if VAT rises to 12%?", "--households", "500", "--months", "24", "--replications", "3", "--data", data)
	sweeps := filepath.Join(data, "sweeps", "habits")
	runIn("sweep", filepath.Join("testdata", "sweep-window.yaml"), "--out", sweeps, "--runs", filepath.Join(sweeps, "runs"))
	var listed struct {
		Experiments []struct {
			Name string `json:"experiment_name"`
		} `json:"experiments"`
	}
	must(t, json.Unmarshal(runIn("list", "--json", "--data", data), &listed))
	e2e.Client(t, "window.mjs", chromium, mustOpen(t, program, data), listed.Experiments[0].Name)
}

// TestCharts has it use the charts of the pages by pointer and keyboard.
func TestCharts(t *testing.T) {
	chromium, program, data := e2e.Browser(t), build(t), t.TempDir()
	e2e.Client(t, "charts.mjs", chromium, mustOpen(t, program, data))
}

// TestPerson has somebody ask, be asked back, choose, watch, pause, inject, resume, read, download and switch, and somebody else use the keyboard alone.
func TestPerson(t *testing.T) {
	chromium, program := e2e.Browser(t), build(t)
	e2e.Client(t, "person.mjs", chromium, mustOpen(t, program, t.TempDir()))
}

// TestVisitors has people sign in by tokens, one of whom may only read, and the server die and come back.
func TestVisitors(t *testing.T) {
	chromium, program := e2e.Browser(t), build(t)
	e2e.Client(t, "visitors.mjs", chromium, program, t.TempDir())
}
