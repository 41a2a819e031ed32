package chat

import (
	"encoding/json"
	"testing"

	"econ-mcp/internal/host"
)

// The schemas are those of the tools that are named, as their servers list them.
func TestTargetIsFoundInTheSchema(t *testing.T) {
	for _, c := range []struct{ name, schema, path, content string }{
		{
			"server-filesystem write_file", `{"properties":{"path":{"type":"string"},"content":{"type":"string"}},"required":["path","content"]}`,
			"path", "content",
		},
		{
			"github create_or_update_file without a repository",
			`{"properties":{"path":{"type":"string"},"content":{"type":"string"},"sha":{"type":"string"}},"required":["path","content"]}`, "path",
			"content",
		},
		{"rename", `{"properties":{"path":{"type":"string"},"new_path":{"type":"string"}},"required":["path","new_path"]}`, "", ""},
		{
			"server-filesystem move_file",
			`{"properties":{"source":{"type":"string"},"destination":{"type":"string"}},"required":["source","destination"]}`, "", "",
		},
		{
			"the name of the path is unusual",
			`{"properties":{"page":{"type":"string"},"text":{"type":"string"},"overwrite":{"type":"boolean"}},"required":["page","text"]}`, "page",
			"text",
		},
		{"texts that may be absent", `{"properties":{"filename":{"type":["string","null"]},"body":{"type":"string"}}}`, "filename", "body"},
		{"no content", `{"properties":{"path":{"type":"string"}},"required":["path"]}`, "", ""},
		{
			"something else is required",
			`{"properties":{"owner":{"type":"string"},"path":{"type":"string"},"content":{"type":"string"}},"required":["owner","path","content"]}`,
			"", "",
		},
		{"edits of a file", `{"properties":{"path":{"type":"string"},"edits":{"type":"array"}},"required":["path","edits"]}`, "", ""},
	} {
		got, err := newTarget(host.Tool{Server: "s", Name: "t", Input: json.RawMessage(c.schema)})
		if got.path != c.path || got.content != c.content || (err != nil) != (c.path == "") {
			t.Errorf("%s: path %q, content %q, %v", c.name, got.path, got.content, err)
		}
	}
}

func TestDestinationsAreRead(t *testing.T) {
	d, err := ParseDestination(`files:write_file:C:\reports\a.md`)
	if err != nil || *d != (Destination{"files", "write_file", `C:\reports\a.md`}) {
		t.Errorf("%+v, %v", d, err)
	}
	for _, text := range []string{"", "files", "files:write_file", "files:write_file:", ":write_file:x", "files::x"} {
		if _, err := ParseDestination(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}

func TestConditions(t *testing.T) {
	running := host.Result{Structured: json.RawMessage(`{"running": true, "state":"busy", "n": 3}`)}
	for text, want := range map[string]bool{
		"": true, "running = true": true, "running=false": false, "state = busy": true, `state == "busy"`: true, "n = 3": true, "n = 4": false,
		"absent = 1": false,
	} {
		c, err := parseCondition(text)
		if err != nil || c.holds(running) != want {
			t.Errorf("%q holds: %t, %v", text, c.holds(running), err)
		}
	}
	for _, text := range []string{"running", "= true", "running ="} {
		if _, err := parseCondition(text); err == nil {
			t.Errorf("%q is read", text)
		}
	}
}
