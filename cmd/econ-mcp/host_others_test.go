package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"text/template"
	"time"

	"econ-mcp/e2e"
	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
	"econ-mcp/internal/host/selection"
)

var update = flag.Bool("update", false, "write the documents anew that tests compare")

// freePort is one that was free a moment ago.
func freePort(tb testing.TB) string {
	tb.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(tb, err)
	defer l.Close()
	return fmt.Sprint(l.Addr().(*net.TCPAddr).Port)
}

// everything starts server-everything with a transport over HTTP and returns its address.
func everything(tb testing.TB, transport, path string) string {
	tb.Helper()
	port := freePort(tb)
	command := e2e.Server(tb, "everything", transport)
	process := exec.Command(command[0], command[1:]...)
	process.Env = append(os.Environ(), "PORT="+port)
	must(tb, process.Start())
	tb.Cleanup(func() { process.Process.Kill(); process.Wait() })
	for end := time.Now().Add(30 * time.Second); ; {
		c, err := net.Dial("tcp", "localhost:"+port)
		if err == nil {
			c.Close()
			return "http://localhost:" + port + path
		}
		if time.Now().After(end) {
			tb.Fatalf("server-everything does not listen: %v", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// stdio is a server that is a command.
func stdio(id string, command ...string) host.Server {
	return host.Server{ID: id, Transport: host.Stdio, Command: command[0], Args: command[1:], Active: true, Timeout: time.Minute, Retries: 2}
}

// mustRouter is a router for servers.
func mustRouter(tb testing.TB, servers ...host.Server) (*chat.Router, *host.Hub) {
	tb.Helper()
	cache, err := host.OpenCache(filepath.Join(tb.TempDir(), "host.db"))
	must(tb, err)
	hub := host.NewHub(servers, host.Settings{})
	tb.Cleanup(func() { hub.Close(); cache.Close() })
	return chat.NewRouter(hub, cache, nil, nil), hub
}

// A revision of the protocol of either era.
const (
	withoutSessions = "2026-07-28"
	withSessions    = "2025-11-25"
)

// The host lists and calls the tools of servers that we did not write over all transports,
// and those of our own in both eras of the protocol.
func TestHostUsesServersOfOthers(t *testing.T) {
	program := build(t)
	ours := serveHTTP(t, program, "--legacy-sse")
	url := func(id string, transport host.Transport, address string) host.Server {
		return host.Server{ID: id, Transport: transport, URL: address, Active: true, Timeout: time.Minute, Retries: 2}
	}
	older := func(s host.Server) host.Server {
		s.Protocol = withSessions
		return s
	}
	router, hub := mustRouter(t,
		stdio("files", e2e.Server(t, "filesystem", t.TempDir())...),
		stdio("everything-stdio", e2e.Server(t, "everything", "stdio")...),
		url("everything-http", host.HTTP, everything(t, "streamableHttp", "/mcp")),
		url("everything-sse", host.SSE, everything(t, "sse", "/sse")),
		stdio("econ-stdio", program, "serve", "--data", t.TempDir()),
		older(stdio("econ-stdio-older", program, "serve", "--data", t.TempDir())),
		url("econ-http", host.HTTP, ours),
		older(url("econ-http-older", host.HTTP, ours)),
		url("econ-sse", host.SSE, strings.TrimSuffix(ours, "/mcp")+"/sse"),
	)
	found, err := router.Discover(t.Context(), "", true)
	must(t, err)
	if len(found.Failures) > 0 {
		t.Fatalf("failures: %v", found.Failures)
	}
	count := map[string]int{}
	for _, tool := range found.Tools {
		count[tool.Server]++
	}
	for _, s := range hub.Servers() {
		if !s.Connected || count[s.Server] < 10 {
			t.Errorf("%+v lists %d tools", s, count[s.Server])
		}
		t.Logf("%s: %s, protocol %s, %s, %d tools", s.Server, s.Transport, s.Protocol, s.Name, count[s.Server])
	}
	// Ours speaks the revision without sessions where it may, and the one with where it is asked to.
	protocols := map[string]string{}
	for _, s := range hub.Servers() {
		if strings.HasPrefix(s.Server, "econ-") {
			protocols[s.Server] = s.Protocol
		}
	}
	if want := map[string]string{
		"econ-stdio": withoutSessions, "econ-stdio-older": withSessions,
		"econ-http": withoutSessions, "econ-http-older": withSessions, "econ-sse": withSessions,
	}; !maps.Equal(protocols, want) {
		t.Errorf("protocols %v, want %v", protocols, want)
	}
	call := func(name, arguments string, progress func(done, total float64, message string)) (host.Result, error) {
		tool, err := router.Find(name, "")
		must(t, err)
		return router.Call(t.Context(), tool, chat.Request{Arguments: json.RawMessage(arguments)}, progress)
	}
	for _, server := range []string{"everything-stdio", "everything-http", "everything-sse"} {
		if r, err := call(server+".echo", `{"message":"grüß"}`, nil); err != nil || !strings.Contains(r.Text(), "grüß") {
			t.Errorf("%s: echo %q, %v", server, r.Text(), err)
		}
		if _, err := call(server+".echo", `{"massage":"x"}`, nil); host.LayerOf(err) != host.LayerValidation {
			t.Errorf("%s: wrong arguments: %v", server, err)
		}
		steps := 0
		r, err := call(server+".trigger-long-running-operation", `{"duration":0.4,"steps":4}`, func(float64, float64, string) { steps++ })
		if err != nil || steps == 0 {
			t.Errorf("%s: %q, %v, %d times progress", server, r.Text(), err, steps)
		}
		if r, err := call(server+".get-tiny-image", `{}`, nil); err != nil ||
			!slices.ContainsFunc(r.Content, func(c host.Content) bool { return c.Type == "image" && c.MIME == "image/png" && c.Data != "" }) {
			t.Errorf("%s: no image: %v", server, err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		tool, err := router.Find("trigger-long-running-operation", server)
		must(t, err)
		time.AfterFunc(200*time.Millisecond, cancel)
		if _, err := router.Call(
			ctx, tool, chat.Request{Arguments: json.RawMessage(`{"duration":60,"steps":2}`)}, nil,
		); host.LayerOf(err) != host.LayerCancelled {
			t.Errorf("%s: cancelled: %v", server, err)
		}
	}
	for _, tool := range found.Tools {
		if strings.HasPrefix(tool.Server, "econ-") && tool.Category == "" {
			t.Errorf("%s has no category", tool.FullName())
		}
	}
	for server := range protocols {
		if r, err := call(server+".get_parameter", `{"parameter_name":"vat_rate"}`, nil); err != nil || !strings.Contains(r.Text(), "0.08") {
			t.Errorf("%s: %q, %v", server, r.Text(), err)
		}
		if _, err := call(server+".set_parameter", `{"parameter_name":"vat_rate","value":7}`, nil); host.LayerOf(err) != host.LayerTool ||
			!strings.Contains(err.Error(), "out_of_range") {
			t.Errorf("%s: a wrong value: %v", server, err)
		}
		contents, err := hub.Read(t.Context(), server, "econ://parameters")
		if err != nil || len(contents) == 0 || !strings.Contains(contents[0].Text, "vat_rate") {
			t.Errorf("%s: the resource: %v", server, err)
		}
	}
	if _, err := call("files.read_text_file", `{"path":"/etc/passwd"}`, nil); host.LayerOf(err) != host.LayerTool ||
		!strings.Contains(err.Error(), "denied") {
		t.Errorf("a file outside: %v", err)
	}
}

// writeConfig writes a configuration and returns its path.
func writeConfig(tb testing.TB, servers map[string]any, agents map[string]any) string {
	tb.Helper()
	document := map[string]any{"mcpServers": servers}
	if agents != nil {
		document["agents"] = agents
	}
	data, err := json.Marshal(document)
	must(tb, err)
	path := filepath.Join(tb.TempDir(), "mcp.json")
	must(tb, os.WriteFile(path, data, 0o600))
	return path
}

// Numbers that another run has otherwise.
var (
	seconds = regexp.MustCompile(`← \d+\.\d s`)
	polls   = regexp.MustCompile(`    → lab.get_simulation_status .*\n    ← … s  \{"running":true.*\n`)
	moment  = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ","(code_version|experiment_name)":".*`)
)

// docs/HOST.md shows a question that is answered without a model, over HTTP, and whose
// report is saved by a server that we did not write. What it shows is what happens here.
func TestHostDocument(t *testing.T) {
	program, folder := build(t), t.TempDir()
	address, files := serveHTTP(t, program), e2e.Server(t, "filesystem", folder)
	config := writeConfig(t, map[string]any{
		"lab":   map[string]any{"type": "http", "url": address, "timeout": 60},
		"files": map[string]any{"command": files[0], "args": files[1:]},
		"econ":  map[string]any{"command": "none", "isActive": false},
	}, map[string]any{"analyst": map[string]any{}})
	transcript, report := filepath.Join(t.TempDir(), "t.jsonl"), filepath.Join(folder, "report.md")
	data := t.TempDir()
	const question = "How will AI agents reshape the labor market?"
	run := func(args ...string) (string, string, error) {
		var stdout, stderr bytes.Buffer
		command := exec.Command(program, append([]string{"chat", "--config", config, "--data", data}, args...)...)
		command.Stdout, command.Stderr = &stdout, &stderr
		err := command.Run()
		return stdout.String(), stderr.String(), err
	}
	// What cannot be saved is told before anything is simulated.
	if _, stderr, err := run(question, "--yes", "--save-with", "files:move_file:x.md"); err == nil ||
		!strings.Contains(stderr, "files.move_file does not take a path and a content") {
		t.Errorf("%v: %s", err, stderr)
	}
	stdout, stderr, err := run(question, "--yes", "--transcript", transcript, "--save-with", "files:write_file:"+report)
	if err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	text, err := os.ReadFile(report)
	if err != nil || !strings.HasPrefix(string(text), "# "+question) {
		t.Fatalf("the report begins with %.80q, %v", text, err)
	}
	saved, err := os.ReadFile(config)
	if err != nil || !strings.Contains(string(saved), `"files.write_file"`) ||
		!strings.Contains(string(saved), `"lab.get_experiment_workflow"`) {
		t.Errorf("what the agent may use is not saved: %s, %v", saved, err)
	}

	must(t, os.Remove(report))
	replayed, stderr, err := run("--replay", transcript, "--yes", "--json")
	if err != nil {
		t.Fatalf("replay: %v: %s", err, stderr)
	}
	var answer chatDocument
	must(t, json.Unmarshal([]byte(replayed), &answer))
	if !strings.Contains(answer.Answer, "Compared with control") || answer.Steps != 6 ||
		answer.Made[0].FullName() != "lab.get_experiment_workflow" || len(answer.Differ) > 0 {
		t.Errorf("replay: %+v", answer.Outcome)
	}
	if again, err := os.ReadFile(report); err != nil || !bytes.Equal(again, text) {
		t.Errorf("the replay saves another report: %v", err)
	}

	hide := func(text string) string {
		text = seconds.ReplaceAllString(strings.ReplaceAll(text, folder, "FOLDER"), "← … s")
		return moment.ReplaceAllString(polls.ReplaceAllString(text, ""), `…`)
	}
	template, err := template.ParseFiles(filepath.Join("testdata", "HOST.md.tmpl"))
	must(t, err)
	var document bytes.Buffer
	must(t, template.Execute(&document, map[string]string{
		"Config": `{"mcpServers": {
  "lab": {"type": "http", "url": "http://127.0.0.1:8000/mcp"},
  "files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "FOLDER"]},
  "econ": {"command": "none", "isActive": false}
}}`,
		"Command":    fmt.Sprintf("econ-mcp chat --config mcp.json --yes --save-with files:write_file:FOLDER/report.md \\\n    %q", question),
		"Transcript": strings.TrimSpace(hide(stdout)),
		"Report":     strings.TrimSpace(strings.Join(strings.SplitN(string(text), "\n", 6)[:5], "\n")),
		"Eval":       strings.TrimSpace(mustOutput(t, "host", "eval")),
		"Help":       helpOf(t, "host"),
		"ChatHelp":   helpOf(t, "chat"),
	}))
	path := filepath.Join("..", "..", "docs", "HOST.md")
	if *update {
		must(t, os.WriteFile(path, document.Bytes(), 0o644))
		return
	}
	want, err := os.ReadFile(path)
	must(t, err)
	got := strings.Split(document.String(), "\n")
	for i, line := range strings.Split(string(want), "\n") {
		if i >= len(got) || got[i] != line {
			t.Fatalf("docs/HOST.md is not that of this program: line %d is %q; go test ./cmd/econ-mcp -run TestHostDocument -update", i+1, line)
		}
	}
}

// mustOutput is what a command prints.
func mustOutput(tb testing.TB, args ...string) string {
	tb.Helper()
	var out, stderr bytes.Buffer
	if code := execute(tb.Context(), args, &out, &stderr); code != exitOK {
		tb.Fatalf("exit code %d: %s", code, stderr.String())
	}
	return out.String()
}

// helpOf is what a command says of its subcommands and flags.
func helpOf(tb testing.TB, name string) string {
	tb.Helper()
	help := mustOutput(tb, name, "--help")
	_, flags, _ := strings.Cut(help, "Flags:\n")
	if name == "host" {
		_, flags, _ = strings.Cut(help, "Available Commands:\n")
		flags, _, _ = strings.Cut(flags, "\n\n")
	}
	return strings.TrimRight(flags, "\n ")
}

// The selection of tools is judged with the tools of this program as they are: -update
// writes them anew.
func TestLabelledToolsAreOurs(t *testing.T) {
	lists, err := selection.LabelledTools()
	must(t, err)
	ours := lists[0] // by name
	router, _ := mustRouter(t, stdio("econ", build(t), "serve", "--data", t.TempDir()))
	found, err := router.Discover(t.Context(), "", true)
	must(t, err)
	for i := range found.Tools {
		found.Tools[i].Output = nil // no part of the selection
	}
	listed := mustLines(t, found.Tools)
	if *update {
		head := fmt.Sprintf("{\"source\": %q, \"version\": %q, \"tools\": [\n", ours.Source, ours.Version)
		path := filepath.Join("..", "..", "internal", "host", "selection", "testdata", "tools", "econ.json")
		must(t, os.WriteFile(path, []byte(head+strings.Join(listed, ",\n")+"\n]}\n"), 0o644))
		return
	}
	if !slices.Equal(mustLines(t, ours.Tools), listed) {
		t.Error("the tools that selection is judged with are not those of this program: go test ./cmd/econ-mcp -run TestLabelledTools -update")
	}
}

// mustLines are tools as JSON, a line each.
func mustLines(tb testing.TB, list []host.Tool) (lines []string) {
	tb.Helper()
	for _, tool := range list {
		line, err := json.Marshal(tool)
		must(tb, err)
		lines = append(lines, string(line))
	}
	return lines
}
