package chat

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
)

// Destination is where a report goes: to a tool of a server, under a path.
type Destination struct{ Server, Tool, Path string }

// ParseDestination reads "server:tool:path".
func ParseDestination(text string) (*Destination, error) {
	parts := strings.SplitN(text, ":", 3)
	if len(parts) != 3 || slices.Contains(parts, "") {
		return nil, fault.New(fault.WrongType, "--save-with", "--save-with = %s is not of the form SERVER:TOOL:PATH", text).
			WithHint("for example files:write_file:report.md")
	}
	return &Destination{parts[0], parts[1], parts[2]}, nil
}

// target is a tool that saves, and what its arguments are called.
type target struct {
	tool          host.Tool
	path, content string
}

// The names that tools have for the two, the usual ones first.
var (
	pathNames    = []string{"path", "file_path", "filepath", "filename", "file_name", "file", "name", "key", "uri", "destination", "title"}
	contentNames = []string{"content", "contents", "text", "data", "body", "markdown", "value", "file_text"}
)

// find finds the tool, and which of its arguments are the path and the content.
func (d *Destination) find(r *Router) (target, error) {
	tool, err := r.Find(d.Tool, d.Server)
	if err != nil {
		return target{}, err
	}
	return newTarget(tool)
}

func newTarget(tool host.Tool) (target, error) {
	var schema struct {
		Required   []string `json:"required"`
		Properties map[string]struct {
			Type json.RawMessage `json:"type"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(tool.Input, &schema); err != nil {
		return target{}, fmt.Errorf("the schema of %s cannot be read: %s", tool.FullName(), fault.JSON(err))
	}
	texts := []string{}
	for name, property := range schema.Properties {
		if strings.Contains(string(property.Type), `"string"`) {
			texts = append(texts, name)
		}
	}
	slices.Sort(texts)
	t := target{tool: tool, path: oneOf(pathNames, texts), content: oneOf(contentNames, texts)}
	// If two texts are required and one of them is the content, the other is the path. But not the
	// other way round: beside a path there may be a second path.
	required := slices.DeleteFunc(slices.Clone(texts), func(name string) bool { return !slices.Contains(schema.Required, name) })
	if i := slices.Index(required, t.content); i >= 0 && len(required) == 2 && t.path == "" {
		t.path = required[1-i]
	}
	others := slices.ContainsFunc(schema.Required, func(name string) bool { return name != t.path && name != t.content })
	if t.path == "" || t.content == "" || others {
		e := fault.New(fault.WrongType, "--save-with", "%s does not take a path and a content: its texts are %s, required are %s",
			tool.FullName(), strings.Join(texts, ", "), strings.Join(schema.Required, ", "))
		e.Hint = "name a tool that writes a file, such as write_file of a filesystem server"
		return target{}, e
	}
	return t, nil
}

// oneOf is the first of the usual names that a tool has; "" = none.
func oneOf(usual, names []string) string {
	for _, name := range usual {
		if slices.Contains(names, name) {
			return name
		}
	}
	return ""
}

// save hands a text to the tool. The user has named the tool and the path, and is not asked
// again.
func (s *Session) save(ctx context.Context, t target, text string) error {
	arguments, _ := json.Marshal(map[string]string{t.path: s.SaveWith.Path, t.content: text}) // texts always encode
	if _, err := s.call(ctx, Request{ID: "save", Tool: t.tool.FullName(), Arguments: arguments}, "", true); err != nil {
		return fmt.Errorf("the answer is there, but the report could not be saved: %w", err)
	}
	s.outcome.Saved = s.SaveWith.Path
	s.emit(Event{Kind: KindSaved, Text: s.SaveWith.Path})
	return nil
}
