package tools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
)

// encode appends the JSON of a value of the type that the schema was derived from. It is what
// [Encode] writes, but that lists and maps that are nil become empty ones: a schema that says
// array or object does not allow null.
func (s *Schema) encode(b []byte, v reflect.Value) ([]byte, error) {
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return append(b, "null"...), nil
		}
		return s.encode(b, v.Elem())
	}
	switch {
	case s.Properties != nil:
		return s.encodeStruct(b, v)
	case s.Members != nil:
		return s.encodeMap(b, v)
	case s.Items != nil:
		return s.encodeList(b, v)
	case s.Types[0] == "object" && v.IsNil(): // a json.RawMessage
		return append(b, "{}"...), nil
	}
	data, err := Encode(v.Interface())
	return append(b, data...), err
}

func (s *Schema) encodeStruct(b []byte, v reflect.Value) (_ []byte, err error) {
	b = append(b, '{')
	for _, p := range s.Properties {
		field := v.FieldByIndex(p.index)
		if !p.Required && isEmpty(field) {
			continue
		}
		if b, err = p.Schema.encode(openMember(b, p.Name), field); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// encodeMap writes the members in the order of their names.
func (s *Schema) encodeMap(b []byte, v reflect.Value) (_ []byte, err error) {
	names := v.MapKeys()
	slices.SortFunc(names, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	b = append(b, '{')
	for _, name := range names {
		if b, err = s.Members.encode(openMember(b, name.String()), v.MapIndex(name)); err != nil {
			return nil, err
		}
	}
	return append(b, '}'), nil
}

// openMember begins a member of an object: its value comes next.
func openMember(b []byte, name string) []byte {
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	return append(append(b, encoded(name)...), ':')
}

func (s *Schema) encodeList(b []byte, v reflect.Value) (_ []byte, err error) {
	b = append(b, '[')
	for i := range v.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = s.Items.encode(b, v.Index(i)); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}

// isEmpty is what omitempty means.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// Encode is the JSON of an answer, or of a part of it. Unlike that of [json.Marshal] it is
// not meant to stand in HTML, and "<" takes one byte instead of six.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
