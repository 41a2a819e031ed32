package selection

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"econ-mcp/internal/host"
)

// argument is what a tool's schema says of one of its arguments.
type argument struct {
	name        string
	types       []string // of JSON: string, number, integer, boolean, array, object, null
	items       string   // type of an array's items
	fields      []string // of an object, or of an array's objects
	required    bool
	fallback    json.RawMessage // default; nil = none
	choices     []string
	description string

	followed []string // names of references, while it is read
}

// property is the part of a JSON schema that is read here. The rest, such as patterns, is for the
// validator.
type property struct {
	Type        typeNames                  `json:"type"`
	Description string                     `json:"description"`
	Default     json.RawMessage            `json:"default"`
	Enum        []json.RawMessage          `json:"enum"`
	Const       json.RawMessage            `json:"const"`
	Items       json.RawMessage            `json:"items"`
	AllOf       []json.RawMessage          `json:"allOf"`
	AnyOf       []json.RawMessage          `json:"anyOf"`
	OneOf       []json.RawMessage          `json:"oneOf"`
	Ref         string                     `json:"$ref"`
	Properties  orderedProperties          `json:"properties"`
	Required    []string                   `json:"required"`
	Defs        map[string]json.RawMessage `json:"$defs"`
	Definitions map[string]json.RawMessage `json:"definitions"`
}

// typeNames is one type or several.
type typeNames []string

// UnmarshalJSON takes both forms that a schema may use.
func (t *typeNames) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*t = typeNames{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}

// orderedProperties keeps the order in which a server lists them: it puts first what
// matters most.
type orderedProperties []namedProperty

type namedProperty struct {
	name   string
	schema json.RawMessage
}

// UnmarshalJSON reads an object without losing its order.
func (o *orderedProperties) UnmarshalJSON(data []byte) error {
	decoder := json.NewDecoder(strings.NewReader(string(data)))
	if open, err := decoder.Token(); err != nil || open != json.Delim('{') {
		return fmt.Errorf("properties are not an object: %w", err)
	}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return err
		}
		var schema json.RawMessage
		if err := decoder.Decode(&schema); err != nil {
			return err
		}
		*o = append(*o, namedProperty{name.(string), schema})
	}
	return nil
}

// arguments are those of a tool: required ones first, each kind in the server's order. A
// part of a schema that cannot be read leaves an argument without that part.
func arguments(t host.Tool) (list []argument) {
	var root property
	json.Unmarshal(t.Input, &root) // as far as it can be read: the validator has the last word
	for _, p := range root.Properties {
		a := argument{name: p.name, required: slices.Contains(root.Required, p.name)}
		a.read(p.schema, root, 4)
		list = append(list, a)
	}
	slices.SortStableFunc(list, func(a, b argument) int { return count(b.required) - count(a.required) })
	return list
}

// read takes what a schema says: first itself, then what it refers to, then its parts. A
// reference is followed once: some lead to themselves.
func (a *argument) read(raw json.RawMessage, root property, depth int) {
	var p property
	if depth == 0 || json.Unmarshal(raw, &p) != nil {
		return
	}
	a.take(p)
	if len(p.Items) > 0 {
		item := argument{followed: a.followed}
		item.read(p.Items, root, depth-1)
		a.fields, a.choices = append(a.fields, item.fields...), append(a.choices, item.choices...)
		if len(item.types) > 0 {
			a.items = item.types[0]
		}
	}
	if name := p.Ref[strings.LastIndex(p.Ref, "/")+1:]; name != "" && !slices.Contains(a.followed, name) {
		a.followed = append(a.followed, name)
		if target, ok := root.Defs[name]; ok {
			a.read(target, root, depth-1)
		} else if target, ok := root.Definitions[name]; ok {
			a.read(target, root, depth-1)
		}
	}
	for _, part := range slices.Concat(p.AllOf, p.AnyOf, p.OneOf) {
		a.read(part, root, depth-1)
	}
}

func (a *argument) take(p property) {
	for _, name := range p.Type {
		if !slices.Contains(a.types, name) {
			a.types = append(a.types, name)
		}
	}
	for _, f := range p.Properties {
		a.fields = append(a.fields, f.name)
	}
	a.choices = append(a.choices, literals(p.Enum)...)
	if p.Const != nil {
		a.choices = append(a.choices, literals([]json.RawMessage{p.Const})...)
	}
	if a.fallback == nil {
		a.fallback = p.Default
	}
	if a.description == "" {
		a.description = strings.Join(strings.Fields(p.Description), " ")
	}
}

// literals are values as a person writes them: texts without their quotes.
func literals(values []json.RawMessage) (list []string) {
	for _, v := range values {
		var text string
		if json.Unmarshal(v, &text) != nil || text == "" {
			text = string(v)
		}
		list = append(list, text)
	}
	return list
}

// is says whether the argument may be of one of these types.
func (a argument) is(types ...string) bool {
	return slices.ContainsFunc(a.types, func(t string) bool { return slices.Contains(types, t) })
}
