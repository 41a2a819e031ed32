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
    "files": {"command": "npx", "args": ["-y", "server-filesystem", "${HOST_TEST_DIR:-/tmp}"], "env": {"TOKEN": "${env:HOST_TEST_TOKEN}"},
    	"timeout": 2.5, "retries": 0},
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
		{
			ID: "files", Transport: host.Stdio, Command: "npx", Args: []string{"-y", "server-filesystem", "/tmp"},
			Env: map[string]string{"TOKEN": "s3cret"}, Active: true, Timeout: 2500 * time.Millisecond,
		},
		{
			ID: "remote", Transport: host.HTTP, URL: "https://example.com/mcp?a=1&b=2",
			Headers: map[string]string{"Authorization": "Bearer s3cret"}, Active: true, Timeout: host.DefaultTimeout, Retries: host.DefaultRetries,
		},
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
  "globalShortcut": "Ctrl+Space", "preferences": {"menuBarEnabled": false}, "inputs": [{"id": "token"}],
  	"$schema": "https://example.com/s.json",
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

// What is wrong with a server is its problem, and says where it stands; the others can be used.
func TestProblemsOfServersSayWhere(t *testing.T) {
	os.Unsetenv("HOST_TEST_UNSET")
	os.Unsetenv("INPUT_KEY")
	for _, c := range []struct{ name, server, want string }{
		{"no command", "{\"args\": [\"x\"]}", `:3:2: server "a" has neither command nor url`},
		{"stdio without command", `{"type": "stdio"}`, `:3:2: server "a" has no command`},
		{"bad url", "{\n\"url\": \"localhost:80\"}", `:4:8: the url of server "a" is not one of http or https`},
		{"bad serverUrl", `{"serverUrl": "unix:///tmp/x"}`, `:3:21: the url of server "a" is not one of http or https`},
		{"both", `{"command": "x", "url": "http://h/"}`, `server "a" has both command and url, and no type to decide`},
		{"type", `{"type": "pigeon", "url": "http://h/"}`, `type is "pigeon"; allowed stdio, http, sse`},
		{"timeout", `{"command": "x", "timeout": 0}`, `timeout is in seconds, above 0`},
		{"timeout text", `{"command": "x", "timeout": "5"}`, `timeout must be a number of seconds`},
		{"retries", `{"command": "x", "retries": 1.5}`, `retries must be a whole number from 0 to 20`},
		{
			"protocol", `{"command": "x", "protocolVersion": "2025-11-26"}`,
			`:3:43: protocolVersion is "2025-11-26"; known are 2026-07-28, 2025-11-25, `,
		},
		{"a number as command", `{"command": 7}`, `:3:19: command must be a text`},
		{"a boolean as cwd", `{"command": "x", "cwd": true}`, `:3:31: cwd must be a text`},
		{"a boolean as url", `{"url": false}`, `:3:15: url must be a text`},
		{"a number as envFile", `{"command": "x", "envFile": 1}`, `:3:35: envFile must be a text`},
		{"args", `{"command": "x", "args": "y"}`, `args must be a list of texts`},
		{"null among args", `{"command": "x", "args": [null]}`, `each of args must be a text`},
		{"null in env", `{"command": "x", "env": {"A": null}}`, `A of env must be a text`},
		{"env", `{"command": "x", "env": []}`, `:3:31: an object is needed here`},
		{
			"unset variable", "{\"command\":\n \"${HOST_TEST_UNSET}\"}",
			`:4:2: the variable HOST_TEST_UNSET is not set in the environment; ${HOST_TEST_UNSET:-} would do without`,
		},
		{"input", `{"command": "${input:key}"}`, `:3:19: the input "key" (without a description) has no value; set the variable INPUT_KEY`},
		{"strange reference", `{"command": "${config:key}"}`, `${config:key} is not known; known are ${NAME}, `},
		{"no envFile", `{"command": "x", "envFile": "none.env"}`, `none.env cannot be read: no such file or directory`},
		{"not an object", `7`, `:3:7: an object is needed here`},
	} {
		config, err := host.ReadConfig(mustWrite(t, "{\"mcpServers\": {\n\"well\": {\"command\": \"x\"},\n \"a\": "+c.server+"}}"))
		if err != nil || len(config.Servers) != 2 || config.Servers[0].Problem != nil || len(config.Warnings) != 0 {
			t.Errorf("%s: %+v, %v", c.name, config, err)
			continue
		}
		if p := config.Servers[1].Problem; p == nil || !strings.Contains(p.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, p, c.want)
		}
	}
	config, err := host.ReadConfig(mustWrite(t, `{"mcpServers": {
"native": {"command": "x"}, "a:b": {"command": "x"}, "io.github/a": {"command": "x"}, "io": {"command": "y"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		`"native" cannot name a server: it stands for the tools of the host itself`, `"a:b" cannot name a server`, "",
		`server "io" cannot stand beside server "io.github/a": their tools would have the same names`,
	} {
		if p := config.Servers[i].Problem; (p == nil) != (want == "") || p != nil && !strings.Contains(p.Error(), want) {
			t.Errorf("server %d: %v, want %q", i, p, want)
		}
	}
}

// Only what cannot be read at all, and what agents may use, stops everything.
func TestConfigErrorsSayWhere(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"cut", `{"mcpServers": {"a": {`, `mcp.json:2:1: `},
		{"broken", "{\"mcpServers\": {\n\"a\": {,}}}", `:2:7: invalid character ','`},
		{"trailing", `{} {}`, `:1:4: invalid character '{' after top-level value`},
		{"array", `[]`, `:1:1: an object is needed here`},
		{"no servers", `{"mcpServers": 7}`, `:1:16: an object is needed here`},
		{
			"an agent's key", `{"agents": {"a": {"allowedTool": []}}}`,
			`:1:19: unknown key "allowedTool"; an agent has toolCalling and allowedTools`,
		},
		{"an agent's tools", `{"agents": {"a": {"allowedTools": "x", "toolCalling": true}}}`, `allowedTools must be a list of texts`},
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

// What is not known, or does not count, is told and stops nothing.
func TestWarningsSayWhere(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			"unknown key", "{\"mcpServers\": {\n \"a\": {\"command\": \"x\",\n  \"comand\": \"y\"}}}",
			`:3:3: unknown key "comand" is ignored; did you mean "command"?`,
		},
		{
			"unknown key at the top", `{"mcpServer": {}, "servers": {"a": {"command": "x"}}}`,
			`:1:2: unknown key "mcpServer" is ignored; did you mean "mcpServers"`,
		},
		{
			"twice", "{\"mcpServers\": {\"a\": {\"command\": \"y\"},\n\"a\": {\"command\": \"x\"}}}", `:2:1: "a" appears twice; the last one counts`,
		},
		{
			"idle", `{"mcpServers": {"a": {"type": "stdio", "command": "x", "url": "http://h/"}}}`, `url is not used with type stdio; it is ignored`,
		},
		{"inputs", `{"inputs": {}, "servers": {"a": {"command": "x"}}}`, `:1:12: inputs must be a list; it is ignored`},
		{"null as inputs", `{"inputs": null, "servers": {"a": {"command": "x"}}}`, `:1:12: inputs must be a list; it is ignored`},
		{
			"a text among inputs", `{"inputs": ["oops", {"id": "k", "default": "x"}], "servers": {"a": {"command": "${input:k}"}}}`,
			`:1:13: an object is needed here`,
		},
		{
			"null among inputs", `{"inputs": [{"id": "k", "default": "x"}, null], "servers": {"a": {"command": "${input:k}"}}}`,
			`:1:42: an object is needed here`,
		},
		{"sandbox", `{"servers": {"a": {"command": "x", "sandboxEnabled": true}}}`, `unknown key "sandboxEnabled"`},
	} {
		config, err := host.ReadConfig(mustWrite(t, c.text))
		if err != nil || len(config.Warnings) != 1 || !strings.Contains(config.Warnings[0].Error(), c.want) {
			t.Errorf("%s: %v, %v, want %q", c.name, config.Warnings, err, c.want)
			continue
		}
		if s := config.Servers; len(s) != 1 || s[0].Problem != nil || s[0].Command != "x" {
			t.Errorf("%s: %+v", c.name, s)
		}
	}
}

// An input whose members are not texts, or are written otherwise, takes nothing from the others.
func TestInputsAreReadOneByOne(t *testing.T) {
	os.Unsetenv("INPUT_K")
	for _, other := range []string{`{"id": 7}`, `{"id": "n", "description": 7}`, `{"id": "n", "default": {}}`, `{"ID": "k", "default": "y"}`} {
		c, err := host.ReadConfig(mustWrite(t, `{"inputs": [{"id": "k", "default": "x"}, `+other+`], "servers": {"a": {"command": "${input:k}"}}}`))
		if err != nil || len(c.Warnings) > 0 || c.Servers[0].Problem != nil || c.Servers[0].Command != "x" {
			t.Errorf("%s: %+v, %v, %v", other, c.Servers, c.Warnings, err)
		}
	}
}

// What VS Code, Cursor and Windsurf write.
func TestConfigurationsOfOthers(t *testing.T) {
	t.Setenv("INPUT_PERPLEXITY_KEY", "s3cret")
	t.Setenv("HOST_TEST_TOKEN", "t0ken")
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	project := t.TempDir()
	for _, folder := range []string{".vscode", ".cursor"} {
		path := filepath.Join(project, folder, "mcp.json")
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(project, ".env"), []byte("A=1\nexport B = 'two words' # and why\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		text := `{
  // VS Code asks for these.
  "inputs": [{"type": "promptString", "id": "perplexity-key", "password": true,}, {"id": "region", "default": "eu", "options": ["eu"]}],
  "servers": {
    "io.github.x/perplexity": {
      "command": "npx", "args": ["-y", "${workspaceFolderBasename}", 8080, "${userHome}${/}x"], /* as written */
      "env": {"KEY": "${input:perplexity-key}", "REGION": "${input:region}", "A": "own", "N": 3}, "envFile": "${workspaceFolder}/.env",
      "dev": {"watch": "src/**"}, "gallery": true, "version": "1.2.3",
    },
    "wind": {"serverUrl": "https://example.com/mcp", "headers": {"Authorization": "Bearer ${env:HOST_TEST_TOKEN}"}, "disabled": false},
    "off": {"url": "${env:HOST_TEST_UNSET}", "enabled": false,},
  }, // the last one
} // and the end`
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		c, err := host.ReadConfig(path)
		if err != nil || len(c.Warnings) > 0 {
			t.Fatalf("%v, %v", c.Warnings, err)
		}
		want := []host.Server{
			{
				ID: "io.github.x/perplexity", Transport: host.Stdio, Command: "npx", Active: true, Timeout: host.DefaultTimeout,
				Retries: host.DefaultRetries,
				Args:    []string{"-y", filepath.Base(project), "8080", filepath.Join(home, "x")},
				Env:     map[string]string{"KEY": "s3cret", "REGION": "eu", "A": "own", "B": "two words", "N": "3"},
			},
			{
				ID: "wind", Transport: host.HTTP, URL: "https://example.com/mcp", Headers: map[string]string{"Authorization": "Bearer t0ken"},
				Active: true, Timeout: host.DefaultTimeout, Retries: host.DefaultRetries,
			},
			{ID: "off", Transport: host.HTTP, URL: "${env:HOST_TEST_UNSET}", Timeout: host.DefaultTimeout, Retries: host.DefaultRetries},
		}
		if !reflect.DeepEqual(c.Servers, want) {
			t.Errorf("servers\n%+v, want\n%+v", c.Servers, want)
		}
		// It can be saved as it was, comments and all.
		if err := c.Save(path); err != nil {
			t.Fatal(err)
		}
		if saved, err := os.ReadFile(path); err != nil || string(saved) != text+"\n" {
			t.Errorf("saved %s, %v", saved, err)
		}
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
	const want = `{"agents":{"b":{
      "toolCalling": true,
      "allowedTools": [
        "a.read"
      ]
    }},"mcpServers":{"z":{"url":"http://h/?a=1&b=${HOST_TEST_TOKEN}"},"a":{"command":"x","retries":1}}}
`
	if string(data) != want {
		t.Errorf("saved\n%s", data)
	}
	again, err := host.ReadConfig(path)
	if err != nil || !reflect.DeepEqual(again.Servers, c.Servers) || again.Agents[0].AllowedTools[0] != "a.read" {
		t.Errorf("read again: %+v, %v", again, err)
	}
}

// Names of tools have no variables: what looks like one is neither replaced nor asked for, and saved.
func TestAllowedToolsAreNotExpanded(t *testing.T) {
	t.Setenv("HOST_TEST_TOKEN", "s3cret")
	os.Unsetenv("HOST_TEST_UNSET")
	path := mustWrite(t, `{"agents":{"x":{"allowedTools":["${HOST_TEST_TOKEN}.t","${HOST_TEST_UNSET}.t"]},"y":{"allowedTools":[]}}}`)
	c, err := host.ReadConfig(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Save(path); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if text := string(data); err != nil || strings.Contains(text, "s3cret") || !strings.Contains(text, `"${HOST_TEST_TOKEN}.t"`) ||
		!strings.Contains(text, `"${HOST_TEST_UNSET}.t"`) {
		t.Errorf("saved %s, %v", text, err)
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
