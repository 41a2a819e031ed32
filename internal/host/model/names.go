package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
)

// longestName is the longest name of a function that all providers take.
const longestName = 64

// notAllowed are the characters that function names may not have at the providers.
var notAllowed = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

// names carries the names of tools across: those of MCP may hold dots, as in
// "server.tool", and other characters that providers refuse.
type names struct {
	functions []Function        // under the names that are sent
	sent      map[string]string // by our name
	ours      map[string]string // by the name that is sent
}

func newNames(tools []Function) (*names, error) {
	n := &names{functions: slices.Clone(tools), sent: map[string]string{}, ours: map[string]string{}}
	// Names that may be sent as they are come first, so that no other takes them.
	for _, plain := range []bool{true, false} {
		for i, f := range tools {
			allowed := f.Name != "" && len(f.Name) <= longestName && !notAllowed.MatchString(f.Name)
			if allowed != plain {
				continue
			}
			if _, twice := n.sent[f.Name]; twice {
				return nil, fmt.Errorf("two tools are called %q", f.Name)
			}
			name := acceptable(f.Name)
			for try := 2; n.ours[name] != ""; try++ {
				suffix := fmt.Sprintf("_%d", try)
				name = acceptable(f.Name)
				name = name[:min(len(name), longestName-len(suffix))] + suffix
			}
			n.sent[f.Name], n.ours[name] = name, f.Name
			n.functions[i].Name = name
			parameters, err := parameters(f.Parameters)
			if err != nil {
				return nil, fmt.Errorf("the parameters of tool %q: %w", f.Name, err)
			}
			n.functions[i].Parameters = parameters
		}
	}
	return n, nil
}

func acceptable(name string) string {
	name = notAllowed.ReplaceAllString(name, "_")
	if name == "" {
		name = "_"
	}
	return name[:min(len(name), longestName)]
}

// outward puts the names that are sent into the calls of earlier messages.
func (n *names) outward(messages []Message) []Message {
	messages = slices.Clone(messages)
	for i := range messages {
		calls := slices.Clone(messages[i].Calls)
		for j := range calls {
			name, known := n.sent[calls[j].Name]
			if !known { // a tool that is not offered any more
				name = acceptable(calls[j].Name)
			}
			calls[j].Name = name
		}
		messages[i].Calls = calls
	}
	return messages
}

// inward is our name of a tool. One that the model made up stays what it is.
func (n *names) inward(name string) string {
	if ours := n.ours[name]; ours != "" {
		return ours
	}
	return name
}

// parameters is a schema as providers want it: an object that says so and has properties.
func parameters(schema json.RawMessage) (json.RawMessage, error) {
	if len(schema) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(schema, &members); err != nil || members == nil {
		return nil, errors.New("their schema is not a JSON object")
	}
	if members["type"] != nil && members["properties"] != nil {
		return schema, nil // word for word, in the order of the server
	}
	for name, value := range map[string]string{"type": `"object"`, "properties": `{}`} {
		if members[name] == nil {
			members[name] = json.RawMessage(value)
		}
	}
	return json.Marshal(members)
}
