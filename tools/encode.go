package tools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"reflect"
	"slices"
)

// writer is JSON that is being written.
type writer struct {
	bytes.Buffer
	encoder *json.Encoder // into the buffer
}

func newWriter() *writer {
	w := new(writer)
	w.encoder = json.NewEncoder(w)
	w.encoder.SetEscapeHTML(false)
	return w
}

// value writes what [Encode] gives.
func (w *writer) value(v any) error {
	if err := w.encoder.Encode(v); err != nil {
		return err
	}
	w.Truncate(w.Len() - len("\n"))
	return nil
}

// name begins a member of an object: its value comes next.
func (w *writer) name(name string, first bool) {
	if !first {
		w.WriteByte(',')
	}
	_ = w.value(name) // a string always encodes
	w.WriteByte(':')
}

// of writes a value of the type that a schema was derived from, as [Encode] does but for
// lists and maps that are nil, which become empty ones: a schema that says array or object
// does not allow null.
func (w *writer) of(s *Schema, v reflect.Value) error {
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		return w.of(s, v.Elem())
	}
	switch {
	case v.Kind() == reflect.Pointer:
		return w.value(nil)
	case s.Properties != nil:
		return w.object(s, v)
	case s.Members != nil:
		return w.members(s, v)
	case s.Items != nil:
		return w.list(s, v)
	case s.Types[0] == "object" && v.IsNil(): // a json.RawMessage
		return w.value(struct{}{})
	}
	return w.value(v.Interface())
}

func (w *writer) object(s *Schema, v reflect.Value) error {
	w.WriteByte('{')
	first := true
	for _, p := range s.Properties {
		field := v.FieldByIndex(p.index)
		if !p.Required && isEmpty(field) {
			continue
		}
		w.name(p.Name, first)
		first = false
		if err := w.of(p.Schema, field); err != nil {
			return err
		}
	}
	return w.WriteByte('}')
}

// members writes a map in the order of its names.
func (w *writer) members(s *Schema, v reflect.Value) error {
	names := v.MapKeys()
	slices.SortFunc(names, func(a, b reflect.Value) int { return cmp.Compare(a.String(), b.String()) })
	w.WriteByte('{')
	for i, name := range names {
		w.name(name.String(), i == 0)
		if err := w.of(s.Members, v.MapIndex(name)); err != nil {
			return err
		}
	}
	return w.WriteByte('}')
}

func (w *writer) list(s *Schema, v reflect.Value) error {
	w.WriteByte('[')
	for i := range v.Len() {
		if i > 0 {
			w.WriteByte(',')
		}
		if err := w.of(s.Items, v.Index(i)); err != nil {
			return err
		}
	}
	return w.WriteByte(']')
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
	w := newWriter()
	err := w.value(v)
	return w.Bytes(), err
}
