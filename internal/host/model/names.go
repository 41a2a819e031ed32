package model

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
)

// longestName is the longest name of a function that all providers take.
const longestName = 64

// notAllowed are the characters that function names may not have at the providers.
var notAllowed = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

// names maps names of tools to names that providers accept: those of MCP may hold dots, as in
// "server.tool", and other characters that providers refuse.
type names struct {
	functions []Function        // under the names that are sent
	sent      map[string]string // by our name
	ours      map[string]string // by the name that is sent
}

func newNames(tools []Function) *names {
	n := &names{functions: slices.Clone(tools), sent: map[string]string{}, ours: map[string]string{}}
	// Names that may be sent as they are come first, so that no other takes them.
	for _, plain := range []bool{true, false} {
		for i, f := range tools {
			if plain != (f.Name == acceptable(f.Name)) {
				continue
			}
			name := acceptable(f.Name)
			for try := 2; n.ours[name] != ""; try++ {
				suffix := fmt.Sprintf("_%d", try)
				name = acceptable(f.Name)
				name = name[:min(len(name), longestName-len(suffix))] + suffix
			}
			n.sent[f.Name], n.ours[name] = name, f.Name
			n.functions[i].Name, n.functions[i].Parameters = name, parameters(f.Parameters)
		}
	}
	return n
}

func acceptable(name string) string {
	name = cmp.Or(notAllowed.ReplaceAllString(name, "_"), "_")
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

// notAtTheTop are the parts of a schema that OpenAI and Anthropic refuse at its top, with the
// whole request. They are still checked before a call is made.
var notAtTheTop = []string{"allOf", "anyOf", "oneOf", "not", "enum"}

// parameters is a schema as providers want it: an object that says so and has properties,
// also those of the parts that must go. What cannot be read has none.
func parameters(schema json.RawMessage) json.RawMessage {
	members := map[string]json.RawMessage{}
	_ = json.Unmarshal(schema, &members)
	refused := slices.ContainsFunc(notAtTheTop, func(name string) bool { return members[name] != nil })
	if string(members["type"]) == `"object"` && members["properties"] != nil && !refused {
		return schema // word for word, in the order of the server
	}
	properties := map[string]json.RawMessage{}
	_ = json.Unmarshal(members["properties"], &properties)
	for _, name := range notAtTheTop {
		var parts []struct {
			Properties map[string]json.RawMessage `json:"properties"`
		}
		_ = json.Unmarshal(members[name], &parts)
		for _, part := range parts {
			for property, value := range part.Properties {
				if properties[property] == nil {
					properties[property] = value
				}
			}
		}
		delete(members, name)
	}
	all, _ := json.Marshal(properties) // what was read as JSON is written as JSON
	whole := map[string]json.RawMessage{}
	maps.Copy(whole, members) // which is nil for null
	whole["type"], whole["properties"] = json.RawMessage(`"object"`), all
	written, _ := json.Marshal(whole)
	return written
}
