package mcpserver_test

import (
	"strings"
	"testing"

	"econ-mcp/internal/mcpserver"
)

func TestWorkspaces(t *testing.T) {
	tokens := tokensOf(t, "alice full 0123456789abcdef\nalice read-only 0123456789ABCDEF\nbob read-only fedcba9876543210\n"+
		"default full dddddddddddddddd\n")
	f, guarded := &fixture{}, &fixture{}
	open := f.listen(t, mcpserver.HTTPConfig{})
	alice := guarded.listen(t, mcpserver.HTTPConfig{Tokens: tokens}).with("Authorization", "Bearer 0123456789abcdef")
	echo, modernEcho := callOf("echo", "{}", ""), callOf("echo", "{}", modernMeta)
	session := alice.open("/mcp")
	for _, c := range []struct {
		name      string
		client    *site
		path      string
		body      string
		workspace string
	}{
		{"nobody", open.modern("tools/call", "echo"), "/mcp", modernEcho, "default"},
		{"named", open.modern("tools/call", "echo"), "/mcp/w/lab-1", modernEcho, "lab-1"},
		{"named in a session", open.open("/mcp/w/lab-1"), "/mcp/w/lab-1", echo, "lab-1"},
		{"principal", alice.modern("tools/call", "echo"), "/mcp", modernEcho, "alice/default"},
		{"principal, named", alice.modern("tools/call", "echo"), "/mcp/w/lab-1", modernEcho, "alice/lab-1"},
		{"principal in a session", session, "/mcp", echo, "session:" + session.header.Get("Mcp-Session-Id")},
		{"principal, named in a session that began elsewhere", session, "/mcp/w/lab-1", echo, "alice/lab-1"},
		{"principal, not named in a session that began with a name", alice.open("/mcp/w/lab-1"), "/mcp", echo, "alice/lab-1"},
	} {
		got, principal := workspace(t, c.client.post(c.path, c.body)[0])
		if got != c.workspace {
			t.Errorf("%s: workspace %q, want %q", c.name, got, c.workspace)
		}
		if want := strings.HasPrefix(c.name, "principal"); (principal == "alice") != want {
			t.Errorf("%s: principal %q", c.name, principal)
		}
	}
	if got := open.modern("tools/call", "echo").status("POST", "/mcp/w/..%2fx", modernEcho); got != 400 {
		t.Errorf("a path trick: status %d", got)
	}
	bob := alice.with("Authorization", "Bearer fedcba9876543210")
	if got := bob.with("Mcp-Session-Id", session.header.Get("Mcp-Session-Id")).status("POST", "/mcp", echo); got != 404 {
		t.Errorf("the session of another principal: status %d", got)
	}
	for name, reply := range map[string][]incoming{
		"a principal that may only read": bob.modern("tools/call", "write_note").post("/mcp",
			callOf("write_note", `{"name":"n","text":"x"}`, modernMeta)),
		"a token that may only read, in a session of another token": session.with("Authorization", "Bearer 0123456789ABCDEF").post("/mcp",
			callOf("write_note", `{"name":"n","text":"x"}`, "")),
	} {
		if r := reply[0].result(t); !r.IsError || !strings.Contains(r.Content[0].Text, `"code":"forbidden"`) || len(guarded.notes) > 0 {
			t.Errorf("%s wrote: %+v", name, r)
		}
	}
	if got, _ := workspace(t, bob.modern("tools/call", "echo").post("/mcp", modernEcho)[0]); got != "bob/default" {
		t.Errorf("workspace %q", got)
	}
	// Who is called as the workspace of stdin is has not that.
	named := alice.with("Authorization", "Bearer dddddddddddddddd")
	if got, _ := workspace(t, named.modern("tools/call", "echo").post("/mcp", modernEcho)[0]); got != "default/default" {
		t.Errorf("workspace %q", got)
	}
}

func TestGuard(t *testing.T) {
	list := tokensOf(t, "- {principal: alice, role: full, token: 0123456789abcdef}\n")
	local := (&fixture{}).listen(t, mcpserver.HTTPConfig{LegacySSE: true, AllowedHosts: []string{"lab.example"},
		AllowedOrigins: []string{"https://ui.example"}})
	wide := (&fixture{}).listen(t, mcpserver.HTTPConfig{Addr: "0.0.0.0:0", Tokens: list})
	for _, c := range []struct {
		site          *site
		header, value string
		forbidden     bool
	}{
		{local, "Host", "evil.example", true},
		{local, "Host", "evil.example:8000", true},
		{local, "Host", "localhost.evil.example", true},
		{local, "Host", "192.168.1.7:8000", true},
		{local, "Host", "localhost:9000", false},
		{local, "Host", "[::1]:8000", false},
		{local, "Host", "LAB.example", false},
		{local, "Origin", "https://evil.example", true},
		{local, "Origin", "null", true},
		{local, "Origin", "https://ui.example.evil.example", true},
		{local, "Origin", "http://localhost:6274", false},
		{local, "Origin", "https://ui.example", false},
		{wide, "Host", "evil.example", true},
		{wide, "Host", "192.168.1.7:8000", false},
		{wide, "Origin", "http://localhost:6274", true},
	} {
		client := c.site.with(c.header, c.value).with("Authorization", "Bearer 0123456789abcdef")
		for _, method := range []string{"GET", "POST", "DELETE", "OPTIONS", "PUT", "HEAD"} {
			for _, path := range []string{"/mcp", "/mcp/w/x", "/metrics", "/sse", "/messages", "/", "//mcp", "/mcp/w/../x"} {
				if path == "/sse" && method == "GET" && !c.forbidden {
					continue // a stream
				}
				got := client.status(method, path, initialize)
				if (got == 403) != c.forbidden {
					t.Errorf("%s: %s, %s %s: status %d", c.header, c.value, method, path, got)
				}
			}
		}
	}
	for _, value := range []string{"", "Bearer", "Bearer wrong", "Basic 0123456789abcdef", "Bearer 0123456789abcdef0"} {
		response := wide.with("Authorization", value).do("POST", "/mcp", initialize)
		if response.StatusCode != 401 || response.Header.Get("WWW-Authenticate") == "" {
			t.Errorf("%q: status %d", value, response.StatusCode)
		}
		if got := wide.with("Authorization", value).status("GET", "/metrics", ""); got != 401 {
			t.Errorf("/metrics with %q: status %d", value, got)
		}
	}
	for _, path := range []string{"/healthz", "/readyz"} {
		if got := wide.with("Host", "10.0.0.1").status("GET", path, ""); got != 200 {
			t.Errorf("%s: status %d", path, got)
		}
	}
	preflight := local.with("Origin", "https://ui.example").with("Access-Control-Request-Method", "POST").do("OPTIONS", "/mcp", "")
	if preflight.StatusCode != 204 || preflight.Header.Get("Access-Control-Allow-Origin") != "https://ui.example" {
		t.Errorf("preflight: %d %v", preflight.StatusCode, preflight.Header)
	}
}
