// Package strict reads YAML, and with it JSON, word by word: a key that is not known, is given
// twice or has a value of another type is an error with line and column.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
)

// maxBytes is the largest document that is read.
const maxBytes = 1 << 20

// Parse reads exactly one YAML document that is not empty; least is the least that one holds.
func Parse(data []byte, least string) (*yaml.Node, error) {
	if len(data) > maxBytes {
		return nil, fault.New(fault.LimitExceeded, "", "the file has %d bytes, at most %d are read", len(data), maxBytes)
	}
	if text := bytes.TrimSpace(data); bytes.HasPrefix(text, []byte("{")) && json.Valid(text) {
		return fromJSON(data)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, emptyFile(least)
	case err != nil:
		return nil, syntaxError(data, err)
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, At(fault.New(fault.WrongType, "", "a second document starts"), &second)
	case !errors.Is(err, io.EOF):
		return nil, syntaxError(data, err)
	}
	root := document.Content[0]
	if IsNull(root) {
		return nil, emptyFile(least)
	}
	return root, nil
}

func emptyFile(least string) *fault.Error {
	return fault.New(fault.WrongType, "", "the file is empty (line 1, column 1)").WithHint("write at least " + least)
}

// Entry is an entry of a mapping.
type Entry struct{ Key, Value *yaml.Node }

// Mapping lists the entries of a mapping. Keys are plain words, each once.
func Mapping(node *yaml.Node, what string) ([]Entry, error) {
	if node.Kind != yaml.MappingNode {
		return nil, At(fault.New(fault.WrongType, what, "%s is %s", what, KindOf(node)).WithHint("must be a mapping such as {name: value}"), node)
	}
	var entries []Entry
	first := map[string]int{}
	for pair := range slices.Chunk(node.Content, 2) {
		key, value := pair[0], pair[1]
		if key.Kind != yaml.ScalarNode {
			return nil, At(fault.New(fault.WrongType, what, "a key of %s is %s", what, KindOf(key)), key)
		}
		if line, ok := first[key.Value]; ok {
			return nil, At(fault.New(fault.Conflict, abbreviated(key.Value), "key %q is given twice", abbreviated(key.Value)).
				WithHint("the first is in line "+strconv.Itoa(line)), key)
		}
		first[key.Value] = key.Line
		entries = append(entries, Entry{key, value})
	}
	return entries, nil
}

// Fields are the keys of a mapping and where their values go: a *string, *float64, *int, *bool,
// *time.Time, unread, a **yaml.Node, or a func(*yaml.Node) error that reads it.
type Fields map[string]any

// Read reads a mapping, in which the required keys must stand.
func (f Fields) Read(node *yaml.Node, what string, required ...string) error {
	entries, err := Mapping(node, what)
	if err != nil {
		return err
	}
	for _, e := range entries {
		into, known := f[e.Key.Value]
		if !known {
			return At(fault.Unknown(fault.UnknownParameter, "key", e.Key.Value, slices.Sorted(maps.Keys(f))), e.Key)
		}
		if err := e.decode(into); err != nil {
			return err
		}
	}
	for _, name := range required {
		if !slices.Contains(Keys(node), name) {
			return At(fault.Missing(name, "needed are "+strings.Join(required, ", ")), node)
		}
	}
	return nil
}

// decode reads the value into one of the types of [Fields].
func (e Entry) decode(into any) (err error) {
	switch to := into.(type) {
	case *string:
		*to, err = sentence(e)
	case *time.Time:
		*to, err = moment(e)
	case *float64:
		err = e.plain(to, "number", "!!int", "!!float")
	case *int:
		err = e.plain(to, "integer", "!!int")
	case *bool:
		err = e.plain(to, "boolean", "!!bool")
	case **yaml.Node:
		*to = e.Value
	case func(*yaml.Node) error:
		err = to(e.Value)
	}
	return err
}

// plain reads a scalar that YAML types as one of the tags say.
func (e Entry) plain(into any, what string, tags ...string) error {
	if e.Value.Kind != yaml.ScalarNode || !slices.Contains(tags, e.Value.ShortTag()) || e.Value.Decode(into) != nil {
		return At(fault.Type(e.Key.Value, KindOf(e.Value), what), e.Value)
	}
	return nil
}

// sentence reads a free text; a missing one is empty.
func sentence(e Entry) (string, error) {
	if IsNull(e.Value) {
		return "", nil
	}
	if e.Value.Kind != yaml.ScalarNode || e.Value.ShortTag() != "!!str" {
		return "", At(fault.Type(e.Key.Value, KindOf(e.Value), "text (put it in quotes)"), e.Value)
	}
	return e.Value.Value, nil
}

// Keys lists the names in a mapping.
func Keys(node *yaml.Node) (names []string) {
	if !IsNull(node) {
		for pair := range slices.Chunk(node.Content, 2) {
			names = append(names, pair[0].Value)
		}
	}
	return names
}

// moment reads a time as RFC 3339 writes it.
func moment(e Entry) (time.Time, error) {
	when, err := time.Parse(time.RFC3339, e.Value.Value)
	if err != nil || e.Value.Kind != yaml.ScalarNode {
		return time.Time{}, At(fault.Type(e.Key.Value, KindOf(e.Value), "time, such as 2026-05-01T10:00:00Z"), e.Value)
	}
	return when.UTC(), nil
}

// IsNull says that nothing is given.
func IsNull(node *yaml.Node) bool {
	return node == nil || node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null"
}

// KindOf describes a node in an error: a scalar by its text.
func KindOf(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch node.ShortTag() {
	case "!!str":
		return strconv.Quote(abbreviated(node.Value))
	case "!!null":
		return "nothing"
	}
	return abbreviated(node.Value)
}

// abbreviated keeps a text of a megabyte out of the messages.
func abbreviated(text string) string { return fault.Shorten(text, 80) }

// At adds the position of a node to an error's message.
func At(err error, node *yaml.Node) error {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	placed := *e
	placed.Message += " (line " + strconv.Itoa(node.Line) + ", column " + strconv.Itoa(node.Column) + ")"
	return &placed
}

// indexed is a value such as events[0].amount: YAML takes it as it is, but not within braces, where [ begins
// a list.
var indexed = regexp.MustCompile(`:[ \t]+([A-Za-z_][\w.]*\[\d+\][\w.]*)`)

// unquoted is where such a value begins and ends which quotes would make the text YAML; nil = there is none.
func unquoted(data []byte) []int {
	for _, at := range indexed.FindAllSubmatchIndex(data, -1) {
		text := slices.Concat(data[:at[2]], []byte(`"`), data[at[2]:at[3]], []byte(`"`), data[at[3]:])
		if yaml.Unmarshal(text, new(yaml.Node)) == nil {
			return at[2:4]
		}
	}
	return nil
}

var yamlLine = regexp.MustCompile(`^line (\d+): `)

// syntaxError turns the parser's message into ours. The parser leaves out the
// first line's number, and blames a tab on whatever comes next.
func syntaxError(data []byte, err error) error {
	for i, line := range strings.Split(string(data), "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if tab := strings.IndexByte(indent, '\t'); tab >= 0 && len(indent) < len(line) {
			return fault.New(fault.WrongType, "", "the indentation holds a tab (line %d, column %d)", i+1, tab+1).WithHint("indent with spaces")
		}
	}
	if at := unquoted(data); at != nil {
		value := string(data[at[0]:at[1]])
		line, column := 1+bytes.Count(data[:at[0]], []byte("\n")), at[0]-bytes.LastIndexByte(data[:at[0]], '\n')
		return fault.New(fault.WrongType, "", "within braces, %s is not one value (line %d, column %d)", value, line, column).
			WithHint(`put it in quotes: "` + value + `"`)
	}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := "1"
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		line, message = m[1], strings.TrimPrefix(message, m[0])
	}
	return fault.New(fault.WrongType, "", "not valid YAML near line %s: %s", line, message).
		WithHint("check indentation, colons and quotes there")
}
