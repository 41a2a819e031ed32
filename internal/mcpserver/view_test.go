package mcpserver_test

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"

	"econ-mcp/internal/mcpserver"
)

// viewed has the results of one tool shown by a page.
func viewed(c *mcpserver.Config) {
	c.Views = []mcpserver.View{{
		URI: "ui://test/notes", Name: "notes", Title: "Notes", TitleZH: "笔记", Description: "Shows notes.", HTML: "<!doctype html><title>Notes</title>",
	}}
	c.Tools[0].View = "ui://test/notes"
}

const apps = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`

// era is how a client speaks: it says in each revision at another place what it can do.
type era struct {
	name string
	ask  func(s *site, method, name, params, capabilities string) string
}

func body(s *site, message string) string {
	data, err := io.ReadAll(s.do("POST", "/mcp", message).Body)
	if err != nil {
		s.tb.Fatal(err)
	}
	return string(data)
}

var eras = []era{
	{"session", func(s *site, method, _, params, capabilities string) string {
		begin := strings.Replace(initialize, `"capabilities":{}`, `"capabilities":`+capabilities, 1)
		if method == "initialize" {
			return body(s, begin)
		}
		id := s.do("POST", "/mcp", begin).Header.Get("Mcp-Session-Id")
		return body(s.with("Mcp-Session-Id", id), fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s}}`, method, params))
	}},
	{"modern", func(s *site, method, name, params, capabilities string) string {
		if method == "initialize" {
			method = "server/discover"
		}
		if params != "" {
			params += ","
		}
		meta := strings.Replace(modernMeta, `Capabilities":{}`, `Capabilities":`+capabilities, 1)
		return body(s.modern(method, name), fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s%s}}`, method, params, meta))
	}},
}

// Hosts that show pages learn which tool has one, and read it; in sessions and without.
func TestViews(t *testing.T) {
	s := (&fixture{}).listenWith(t, mcpserver.HTTPConfig{}, viewed)
	for _, e := range eras {
		var list struct {
			Result struct {
				Tools []struct {
					Name string
					Meta map[string]json.RawMessage `json:"_meta"`
				}
			}
		}
		if err := json.Unmarshal([]byte(e.ask(s, "tools/list", "", "", apps)), &list); err != nil {
			t.Fatal(err)
		}
		for _, tool := range list.Result.Tools {
			ui, flat := string(tool.Meta["ui"]), string(tool.Meta["ui/resourceUri"])
			if want := tool.Name == "echo"; (ui == `{"resourceUri":"ui://test/notes"}`) != want || (flat == `"ui://test/notes"`) != want ||
				len(tool.Meta["econ-mcp/category"]) == 0 {
				t.Errorf("%s, %s: _meta = %s", e.name, tool.Name, tool.Meta)
			}
		}
		const meta = `"mimeType":"text/html;profile=mcp-app","_meta":{"ui":{"csp":{"connectDomains":[],"resourceDomains":[]},"prefersBorder":true}}`
		for _, c := range []struct{ method, name, params, want string }{
			{"initialize", "", "", `"extensions":{"io.modelcontextprotocol/ui":{}}`},
			{"resources/list", "", "", `{"resources":[{"uri":"ui://test/notes","name":"notes","title":"Notes","description":"Shows notes.",` + meta + `}`},
			{"resources/read", "ui://test/notes", `"uri":"ui://test/notes"`, `{"contents":[{"uri":"ui://test/notes","mimeType":"text/html;profile=mcp-app",` +
				`"text":"\u003c!doctype html\u003e\u003ctitle\u003eNotes\u003c/title\u003e","_meta":{"ui":`},
			{"resources/read", "ui://test/other", `"uri":"ui://test/other"`, `"code":"not_found"`},
			{"resources/list", "", `"cursor":"rest"`, `{"resources":[]`},
		} {
			if got := e.ask(s, c.method, c.name, c.params, apps); !strings.Contains(got, c.want) {
				t.Errorf("%s, %s %s: got %s, want %s", e.name, c.method, c.params, got, c.want)
			}
		}
	}
}

// A client that does not say that it shows pages gets what a server without pages says, to the byte.
func TestNoViews(t *testing.T) {
	without := (&fixture{}).listen(t, mcpserver.HTTPConfig{})
	s := (&fixture{}).listenWith(t, mcpserver.HTTPConfig{}, viewed)
	for _, e := range eras {
		for _, capabilities := range []string{
			`{}`, `{"sampling":{}}`, `{"extensions":{}}`, `{"extensions":{"io.modelcontextprotocol/ui":{}}}`,
			`{"extensions":{"io.modelcontextprotocol/ui":null}}`, `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html"]}}}`,
			`{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":"text/html;profile=mcp-app"}}}`,
		} {
			for _, method := range []string{"initialize", "tools/list", "resources/list"} {
				got, want := e.ask(s, method, "", "", capabilities), e.ask(without, method, "", "", capabilities)
				if got != want || !strings.Contains(want, `"jsonrpc"`) {
					t.Errorf("%s, %s with %s:\n%s\nwant\n%s", e.name, method, capabilities, got, want)
				}
			}
		}
	}
}

// A tool whose page is not there is a mistake of the program.
func TestMissingView(t *testing.T) {
	_, err := (&fixture{}).serve(func(c *mcpserver.Config) { c.Tools[0].View = "ui://test/none" })
	if err == nil || !strings.Contains(err.Error(), "echo names the page ui://test/none") {
		t.Errorf("%v", err)
	}
}
