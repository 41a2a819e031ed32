package main

import (
	"bufio"
	"os/exec"
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

// TestWindow has a real browser do what a person does with the pages.
func TestWindow(t *testing.T) {
	chromium, program, data := e2e.Browser(t), build(t), t.TempDir()
	e2e.Client(t, "window.mjs", chromium, mustOpen(t, program, data))
}

// TestPerson has somebody ask, be asked back, choose, watch, pause, inject, resume, read, download and switch, and somebody else use the keyboard alone.
func TestPerson(t *testing.T) {
	chromium, program := e2e.Browser(t), build(t)
	e2e.Client(t, "person.mjs", chromium, mustOpen(t, program, t.TempDir()))
}

// TestCharts has it use the charts of the pages by pointer and keyboard.
func TestCharts(t *testing.T) {
	chromium, program, data := e2e.Browser(t), build(t), t.TempDir()
	e2e.Client(t, "charts.mjs", chromium, mustOpen(t, program, data))
}
