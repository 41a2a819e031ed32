package inquiry

import (
	"errors"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/strict"
)

// InText says where in the text of an inquiry an error is, which was found after the text was read: the
// line of its field, such as arms.vat_cut, as far as that is written there.
func InText(text []byte, err error) error {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok || strings.Contains(e.Message, "(line ") {
		return err
	}
	root, failed := strict.Parse(text, "")
	if failed != nil {
		return err
	}
	at, field := root, strings.TrimPrefix(e.Field, "plan.")
	for field != "" {
		key, value := longest(at, field)
		if key == nil {
			break
		}
		at, field = value, strings.TrimPrefix(strings.TrimPrefix(field, key.Value), ".")
	}
	if at == root {
		return err
	}
	return strict.At(err, at)
}

// longest is the entry of a mapping whose key a field begins with, the longest such: names of arms have dots.
func longest(mapping *yaml.Node, field string) (key, value *yaml.Node) {
	if mapping.Kind != yaml.MappingNode {
		return nil, nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		k := mapping.Content[i]
		if (field == k.Value || strings.HasPrefix(field, k.Value+".")) && (key == nil || len(k.Value) > len(key.Value)) {
			key, value = k, mapping.Content[i+1]
		}
	}
	return key, value
}
