package host_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/host"
)

func mustWrite(tb testing.TB, text string) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "mcp.json")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		tb.Fatal(err)
	}
	return path
}

func TestReadConfig(t *testing.T) {
	t.Setenv("HOST_TEST_TOKEN", "s3cret")
	t.Setenv("HOST_TEST_UNSET", "")
	os.Unsetenv("HOST_TEST_UNSET")
	path := mustWrite(t, `{
  "mcpServers": {
    "files": {"command": "npx", "args": ["-y", "server-filesystem", "${HOST_TEST_DIR:-/tmp}"], "env": {"TOKEN": "${env:HOST_TEST_TOKEN}"}, "timeout": 2.5, "retries": 0},
    "remote": {"type": "http", "url": "https://example.com/mcp?a=1&b=2", "headers": {"Authorization": "Bearer ${HOST_TEST_TOKEN}"}},
    "old": {"type": "sse", "url": "http://localhost:9/sse"},
    "off": {"command": "${HOST_TEST_UNSET}", "isActive": false},
    "off2": {"command": "x", "disabled": true}
  },
  "agents": {"analyst": {"toolCalling": true, "allowedTools": ["files.read_file"]}, "mute": {"toolCalling": false}}
}`)
	c, err := host.ReadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []host.Server{
		{ID: "files", Transport: host.Stdio, Command: "npx", Args: []string{"-y", "server-filesystem", "/tmp"}, Env: map[string]string{"TOKEN": "s3cret"}, Active: true, Timeout: 2500 * time.Millisecond},
		{ID: "remote", Transport: host.HTTP, URL: "https://example.com/mcp?a=1&b=2", Headers: map[string]string{"Authorization": "Bearer s3cret"}, Active: true, Timeout: host.DefaultTimeout, Retries: host.DefaultRetries},
		{ID: "old", Transport: host.SSE, URL: "http://localhost:9/sse", Active: true, Timeout: host.DefaultTimeout, Retries: host.DefaultRetries},
		{ID: "off", Transport: host.Stdio, Command: "${HOST_TEST_UNSET}", Timeout: host.DefaultTimeout, Retries: host.DefaultRetries},
		{ID: "off2", Transport: host.Stdio, Command: "x", Timeout: host.DefaultTimeout, Retries: host.DefaultRetries},
	}
	if !reflect.DeepEqual(c.Servers, want) {
		t.Errorf("servers\n%+v, want\n%+v", c.Servers, want)
	}
	read, write := host.Tool{Server: "files", Name: "read_file"}, host.Tool{Server: "files", Name: "write_file"}
	if a := c.Agents[0]; !a.Allows(read) || a.Allows(write) {
		t.Errorf("%+v allows the wrong tools", a)
	}
	if c.Agents[1].Allows(read) {
		t.Error("an agent without tool calling may call")
	}
}

// What other clients keep in the file stops nothing and is saved with it; so does the mark with
// which some editors begin a file.
func TestWhatOthersKeepIsLeftAlone(t *testing.T) {
	path := mustWrite(t, "\ufeff"+`{
  "globalShortcut": "Ctrl+Space", "preferences": {"menuBarEnabled": false}, "inputs": [{"id": "token"}], "$schema": "https://example.com/s.json",
  "mcpServers": {"a": {"command": "x"}}
}`)
	c, err := host.ReadConfig(path)
	if err != nil || len(c.Servers) != 1 {
		t.Fatalf("%+v, %v", c.Servers, err)
	}
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	saved, err := os.ReadFile(path)
	for _, want := range []string{`"globalShortcut": "Ctrl+Space"`, `"menuBarEnabled": false`, `"id": "token"`, `"$schema"`} {
		if err != nil || !strings.Contains(string(saved), want) {
			t.Errorf("there is no %s in %s, %v", want, saved, err)
		}
	}
}

func TestConfigErrorsSayWhere(t *testing.T) {
	os.Unsetenv("HOST_TEST_UNSET")
	for _, c := range []struct{ name, text, want string }{
		{"unknown key", "{\"mcpServers\": {\n \"a\": {\"command\": \"x\",\n  \"comand\": \"y\"}}}", `:3:10: unknown key "comand"; did you mean "command"?`},
		{"unknown key at the top", `{"mcpServer": {}}`, `:1:12: unknown key "mcpServer"; did you mean "mcpServers"`},
		{"no command", "{\"mcpServers\": {\n\n \"a\": {\"args\": [\"x\"]}}}", `:3:4: server "a" has neither command nor url`},
		{"stdio without command", "{\"mcpServers\": {\n \"a\": {\"type\": \"stdio\"}}}", `:2:4: server "a" has no command`},
		{"bad url", "{\"mcpServers\": {\"a\": {\n\"url\": \"localhost:80\"}}}", `:2:21: the url of server "a" is not one of http or https`},
		{"both", `{"mcpServers": {"a": {"command": "x", "url": "http://h/"}}}`, `has url, which does not go with type stdio`},
		{"twice", "{\"mcpServers\": {\"a\": {\"command\": \"x\"},\n\"a\": {\"command\": \"y\"}}}", `:2:3: "a" stands twice`},
		{"twice in both", `{"mcpServers": {"a": {"command": "x"}}, "servers": {"a": {"command": "y"}}}`, `server "a" stands twice`},
		{"type", `{"mcpServers": {"a": {"type": "pigeon", "url": "http://h/"}}}`, `type is "pigeon"; allowed stdio, http, sse`},
		{"timeout", `{"mcpServers": {"a": {"command": "x", "timeout": 0}}}`, `timeout is in seconds, above 0`},
		{"timeout text", `{"mcpServers": {"a": {"command": "x", "timeout": "5"}}}`, `timeout must be a number of seconds`},
		{"retries", `{"mcpServers": {"a": {"command": "x", "retries": 1.5}}}`, `retries is a whole number from 0 to 20`},
		{"protocol", `{"mcpServers": {"a": {"command": "x", "protocolVersion": "2025-11-26"}}}`, `:1:69: protocolVersion is "2025-11-26"; known are 2026-07-28, 2025-11-25, `},
		{"args", `{"mcpServers": {"a": {"command": "x", "args": "y"}}}`, `args must be a list of texts`},
		{"null among args", `{"mcpServers": {"a": {"command": "x", "args": [null]}}}`, `args must be a list of texts`},
		{"null in env", `{"mcpServers": {"a": {"command": "x", "env": {"A": null}}}}`, `A of env must be a text`},
		{"unset variable", "{\"mcpServers\": {\"a\": {\"command\":\n \"${HOST_TEST_UNSET}\"}}}", `:2:21: the variable HOST_TEST_UNSET is not set in the environment; ${HOST_TEST_UNSET:-} would do without`},
		{"strange variable", `{"mcpServers": {"a": {"command": "${input:key}"}}}`, `${input:key} is not known`},
		{"name", `{"mcpServers": {"a.b": {"command": "x"}}}`, `"a.b" cannot name a server`},
		{"a name with a meaning", `{"mcpServers": {"native": {"command": "x"}}}`, `"native" cannot name a server: it stands for the tools of the host itself`},
		{"cut", `{"mcpServers": {"a": {`, `the document ends too early`},
		{"broken", "{\"mcpServers\": {\n\"a\": {,}}}", `:2:`},
		{"trailing", `{} {}`, `there is more after the end`},
		{"array", `[]`, `:1:1: an object is needed here`},
	} {
		_, err := host.ReadConfig(mustWrite(t, c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := host.ReadConfig(filepath.Join(t.TempDir(), "none.json")); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("a missing file: %v", err)
	}
}

func TestSaveKeepsWhatWasWritten(t *testing.T) {
	t.Setenv("HOST_TEST_TOKEN", "s3cret")
	path := mustWrite(t, `{"agents":{"b":{}},"mcpServers":{"z":{"url":"http://h/?a=1&b=${HOST_TEST_TOKEN}"},"a":{"command":"x","retries":1}}}`)
	c, err := host.ReadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	c.Agents[0].AllowedTools = []string{"a.read"}
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{
  "agents": {
    "b": {
      "toolCalling": true,
      "allowedTools": [
        "a.read"
      ]
    }
  },
  "mcpServers": {
    "z": {
      "url": "http://h/?a=1&b=${HOST_TEST_TOKEN}"
    },
    "a": {
      "command": "x",
      "retries": 1
    }
  }
}
`
	if string(data) != want {
		t.Errorf("saved\n%s", data)
	}
	again, err := host.ReadConfig(path)
	if err != nil || !reflect.DeepEqual(again.Servers, c.Servers) || again.Agents[0].AllowedTools[0] != "a.read" {
		t.Errorf("read again: %+v, %v", again, err)
	}
}

// Dotfiles are often links into another folder, and their owner has decided who may read
// them.
func TestSaveKeepsLinkAndPermissions(t *testing.T) {
	path := mustWrite(t, `{"mcpServers":{"a":{"command":"x"}},"agents":{"b":{}}}`)
	link := filepath.Join(t.TempDir(), "mcp.json")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	c, err := host.ReadConfig(link)
	if err != nil {
		t.Fatal(err)
	}
	c.Agents[0].AllowedTools = []string{"a.read"}
	if err := c.Save(link); err != nil {
		t.Fatal(err)
	}
	if target, err := os.Readlink(link); err != nil || target != path {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if again, err := host.ReadConfig(path); err != nil || len(again.Agents[0].AllowedTools) != 1 {
		t.Errorf("%+v, %v", again, err)
	}
}
