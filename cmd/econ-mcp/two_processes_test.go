package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
)

// Two clients that start the program on one folder do not edit each other's parameters: the second
// has a workspace of its own, and is told so. When the first is gone, its workspace is there again.
func TestTwoProcessesHaveTheirOwnWorkspaces(t *testing.T) {
	dir := t.TempDir()
	workspace := func(a *agent) (name string, vat float64) {
		t.Helper()
		var list struct {
			Workspace  string
			Categories map[string][]struct {
				Name  string
				Value any
			}
		}
		a.mustCall("get_all_parameters", `{}`, &list)
		for _, rows := range list.Categories {
			for _, row := range rows {
				if row.Name == "vat_rate" {
					vat, _ = row.Value.(float64)
				}
			}
		}
		return list.Workspace, vat
	}
	first, second := mustServe(t, dir), mustServe(t, dir)
	first.tool("set_parameter", `{"name":"vat_rate","value":0.3}`)
	if name, vat := workspace(first); name != "default" || vat != .3 {
		t.Errorf("the first has %s, with a VAT of %g", name, vat)
	}
	if name, vat := workspace(second); name != "default-2" || vat == .3 {
		t.Errorf("the second has %s, with a VAT of %g", name, vat)
	}
	second.stdin.Close()
	second.wait()
	first.stdin.Close()
	first.wait()
	if !strings.Contains(second.stderr.String(), "default-2") {
		t.Errorf("the log of the second says %q", second.stderr.String())
	}
	third := mustServe(t, dir)
	if name, vat := workspace(third); name != "default" || vat != .3 {
		t.Errorf("after both have ended there is %s, with a VAT of %g", name, vat)
	}
	shared := mustStart(t, "econ-mcp", "serve", "--data", dir, "--workspace", "default")
	if name, vat := workspace(shared); name != "default" || vat != .3 {
		t.Errorf("who names a workspace shares it: %s, with a VAT of %g", name, vat)
	}
}

// Over HTTP, too: callers without a session edit the workspace of their server, which no other server on the
// folder has, whatever it speaks.
func TestServersOverHTTPHaveTheirOwnWorkspaces(t *testing.T) {
	dir := t.TempDir()
	workspace := func(url string) string {
		t.Helper()
		body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_all_parameters","arguments":{},` +
			`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
		request, err := http.NewRequest("POST", url, bytes.NewReader([]byte(body)))
		must(t, err)
		for name, value := range map[string]string{
			"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "Mcp-Protocol-Version": "2026-07-28",
			"Mcp-Method": "tools/call", "Mcp-Name": "get_all_parameters",
		} {
			request.Header.Set(name, value)
		}
		response, err := http.DefaultClient.Do(request)
		must(t, err)
		defer response.Body.Close()
		data, err := io.ReadAll(response.Body)
		must(t, err)
		data = data[max(0, bytes.IndexByte(data, '{')):] // a stream of events has names before
		var out struct {
			Result struct {
				StructuredContent struct{ Workspace string }
			}
		}
		if err := json.NewDecoder(bytes.NewReader(data)).Decode(&out); err != nil {
			t.Fatalf("%v: %.300s", err, data)
		}
		return out.Result.StructuredContent.Workspace
	}
	first := serveHTTP(t, "econ-mcp", "--data", dir)
	second := serveHTTP(t, "econ-mcp", "--data", dir)
	var beside struct{ Workspace string }
	mustServe(t, dir).mustCall("get_all_parameters", `{}`, &beside)
	shared := serveHTTP(t, "econ-mcp", "--data", dir, "--workspace", "default")
	for want, got := range map[string]string{"default": workspace(first), "default-2": workspace(second), "default-3": beside.Workspace} {
		if got != want {
			t.Errorf("a server has %s, want %s", got, want)
		}
	}
	if got := workspace(shared); got != "default" {
		t.Errorf("who names a workspace shares it, and not %s", got)
	}
}
