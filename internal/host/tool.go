package host

import (
	"cmp"
	"encoding/json"
	"strings"
)

// Tool is a tool of a server as the server lists it.
type Tool struct {
	Server      string          `json:"server"` // id in the configuration
	Name        string          `json:"name"`
	Title       string          `json:"title,omitempty"`
	Description string          `json:"description"`
	Category    string          `json:"category,omitempty"` // from the tool's _meta where the server gives one
	Input       json.RawMessage `json:"inputSchema"`
	Output      json.RawMessage `json:"outputSchema,omitempty"`
	Hints       Hints           `json:"hints"`
	Problem     string          `json:"problem,omitempty"` // why Input is not, or not whole, what the server lists; "" = it is
}

// FullName names a tool among those of all servers: "server.tool".
func (t Tool) FullName() string { return t.Server + "." + t.Name }

// Arguments are the schemas of a tool's arguments by their names.
func (t Tool) Arguments() map[string]json.RawMessage {
	var schema struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(t.Input, &schema) != nil {
		return nil
	}
	return schema.Properties
}

// Hints say what a call does, as far as the server tells; nil = it does not.
type Hints struct {
	ReadOnly    *bool `json:"readOnly,omitempty"`
	Destructive *bool `json:"destructive,omitempty"`
	Idempotent  *bool `json:"idempotent,omitempty"`
	OpenWorld   *bool `json:"openWorld,omitempty"`
}

// Repeatable says whether a call may be made a second time when it is not known whether
// the first one was carried out: only where the server says that it changes nothing, or
// nothing more when it is repeated.
func (h Hints) Repeatable() bool { return is(h.ReadOnly) || is(h.Idempotent) }

// MayDestroy says whether a user has to be asked first. The protocol's default for a tool
// that is not read-only and does not say is yes.
func (h Hints) MayDestroy() bool {
	return !is(h.ReadOnly) && (h.Destructive == nil || *h.Destructive)
}

func is(hint *bool) bool { return hint != nil && *hint }

// Names are what some tools are called by, in their order: the name alone, or "server.tool"
// where several of them have it, or where it is how another is called.
func Names(tools []Tool) []string {
	count := make(map[string]int)
	for _, t := range tools {
		count[t.Name]++
		count[t.FullName()]++
	}
	names := make([]string, len(tools))
	for i, t := range tools {
		if names[i] = t.Name; count[t.Name] > 1 {
			names[i] = t.FullName()
		}
	}
	return names
}

// Content is a block of a result.
type Content struct {
	Type string `json:"type"` // text, image, audio, resource, resource_link
	Text string `json:"text,omitempty"`
	MIME string `json:"mimeType,omitempty"`
	Data string `json:"data,omitempty"` // base64, of images, audio and binary resources
	URI  string `json:"uri,omitempty"`
	Name string `json:"name,omitempty"` // of a resource link
}

// Result is what a tool answered.
type Result struct {
	Content    []Content       `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
}

// Text joins the texts of a result; without any, it is the structured content.
func (r Result) Text() string {
	var texts []string
	for _, c := range r.Content {
		if c.Type == "text" {
			texts = append(texts, c.Text)
		}
	}
	return cmp.Or(strings.Join(texts, "\n"), string(r.Structured))
}
