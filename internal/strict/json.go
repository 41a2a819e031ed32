package strict

import (
	"bytes"
	"encoding/json"
	"strings"

	"gopkg.in/yaml.v3"
)

// fromJSON reads a valid JSON text, of which not all is YAML: characters that are escaped as a pair,
// and tabs.
func fromJSON(data []byte) (*yaml.Node, error) {
	r := jsonReader{json.NewDecoder(bytes.NewReader(data)), data}
	r.UseNumber()
	return r.value()
}

type jsonReader struct {
	*json.Decoder
	data []byte
}

// value reads the next value.
func (r *jsonReader) value() (*yaml.Node, error) {
	token, err := r.Token()
	if err != nil {
		return nil, err
	}
	n := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str"}
	n.Line, n.Column = r.place()
	switch t := token.(type) {
	case json.Delim:
		n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		if t == '{' {
			n.Kind, n.Tag = yaml.MappingNode, "!!map"
		}
		for r.More() {
			child, err := r.value() // of an object, names and values in turn
			if err != nil {
				return nil, err
			}
			n.Content = append(n.Content, child)
		}
		_, err = r.Token() // what closes it
	case string:
		n.Value = t
	case json.Number:
		n.Tag, n.Value = "!!int", t.String()
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
	case bool:
		n.Tag, n.Value = "!!bool", map[bool]string{true: "true", false: "false"}[t]
	default:
		n.Tag, n.Value = "!!null", "null"
	}
	return n, err
}

// place is the line and the column at which the last token ends.
func (r *jsonReader) place() (line, column int) {
	before := r.data[:r.InputOffset()]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n') - 1
}
