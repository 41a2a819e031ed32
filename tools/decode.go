package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strconv"
	"unicode/utf8"

	"econ-mcp/internal/fault"
)

// decode reads arguments by the schema of their type into target, which holds the
// defaults. An error is a [*fault.Error] that names the argument.
func decode(raw json.RawMessage, s *Schema, target reflect.Value) error {
	if len(bytes.TrimSpace(raw)) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	var v any
	if err := decoder.Decode(&v); err != nil {
		return fault.New(fault.WrongType, "arguments", "the arguments are not JSON: %v", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return fault.New(fault.WrongType, "arguments", "more follows the arguments")
	}
	return s.fill(target, v, "")
}

// fill checks a value against the schema and stores it.
func (s *Schema) fill(dst reflect.Value, v any, path string) error {
	if dst.Kind() == reflect.Pointer {
		dst.Set(reflect.New(dst.Type().Elem()))
		return s.fill(dst.Elem(), v, path)
	}
	if dst.Type() == reflect.TypeFor[Value]() {
		return fillValue(dst, v, path)
	}
	switch x := v.(type) {
	case string:
		if s.Types[0] != "string" {
			return s.mistyped(path, strconv.Quote(x))
		}
		if err := s.checkString(path, x); err != nil {
			return err
		}
		dst.SetString(x)
	case bool:
		if s.Types[0] != "boolean" {
			return s.mistyped(path, strconv.FormatBool(x))
		}
		dst.SetBool(x)
	case json.Number:
		return s.fillNumber(dst, x, path)
	case []any:
		return s.fillList(dst, x, path)
	case map[string]any:
		if s.Types[0] != "object" {
			return s.mistyped(path, "an object")
		}
		if dst.Type() == reflect.TypeFor[json.RawMessage]() {
			data, err := json.Marshal(x)
			dst.SetBytes(data)
			return err
		}
		if s.Members != nil {
			return s.fillMap(dst, x, path)
		}
		return s.fillStruct(dst, x, path)
	default:
		return s.mistyped(path, "null")
	}
	return nil
}

// mistyped is the error for a value of another type.
func (s *Schema) mistyped(path, value string) error {
	if path == "" {
		path = "arguments"
	}
	return fault.Type(path, value, s.Types[0])
}

func (s *Schema) checkString(path, x string) error {
	if s.Enum != nil {
		for _, choice := range s.Enum {
			if x == choice {
				return nil
			}
		}
		e := fault.Unknown(fault.OutOfRange, x, s.Enum)
		e.Message = path + " = " + e.Message
		e.Field = path
		if len(e.Allowed) == 0 {
			e.Allowed = s.Enum
		}
		return e
	}
	if s.pattern != nil && !s.pattern.MatchString(x) {
		e := fault.Type(path, strconv.Quote(x), "name")
		e.Hint = "must match " + s.Pattern
		e.Allowed = []string{s.Pattern}
		return e
	}
	if n := float64(utf8.RuneCountInString(x)); (s.Min != nil || s.Max != nil) && !s.within(n) {
		return fault.Range(path, fmt.Sprintf("a text of %g characters", n), s.bounds()+" characters")
	}
	return nil
}

func (s *Schema) fillNumber(dst reflect.Value, n json.Number, path string) error {
	if s.Types[0] != "integer" && s.Types[0] != "number" {
		return s.mistyped(path, n.String())
	}
	x, err := n.Float64()
	if err != nil { // beyond the floats
		return fault.New(fault.OutOfRange, path, "%s = %.80s is too large", path, n)
	}
	integer := int64(x)
	whole := float64(integer) == x
	if i, err := n.Int64(); err == nil { // exact beyond 2^53
		integer, whole = i, true
	}
	if s.Types[0] == "integer" && !whole {
		return s.mistyped(path, n.String())
	}
	if !s.within(x) {
		return fault.Range(path, n.String(), s.bounds())
	}
	switch {
	case dst.CanFloat():
		dst.SetFloat(x)
	case dst.CanInt():
		dst.SetInt(integer)
	case integer < 0:
		return fault.Range(path, n.String(), "at least 0")
	default:
		dst.SetUint(uint64(integer))
	}
	return nil
}

func (s *Schema) fillList(dst reflect.Value, list []any, path string) error {
	if s.Types[0] != "array" {
		return s.mistyped(path, "a list")
	}
	if n := float64(len(list)); !s.within(n) {
		return fault.Range(path, fmt.Sprintf("a list of %g", n), s.bounds())
	}
	dst.Set(reflect.MakeSlice(dst.Type(), len(list), len(list)))
	for i, v := range list {
		if err := s.Items.fill(dst.Index(i), v, fmt.Sprintf("%s[%d]", path, i)); err != nil {
			return err
		}
	}
	return nil
}

func (s *Schema) fillMap(dst reflect.Value, members map[string]any, path string) error {
	dst.Set(reflect.MakeMapWithSize(dst.Type(), len(members)))
	for name, v := range members {
		value := reflect.New(dst.Type().Elem()).Elem()
		if err := s.Members.fill(value, v, join(path, name)); err != nil {
			return err
		}
		dst.SetMapIndex(reflect.ValueOf(name).Convert(dst.Type().Key()), value)
	}
	return nil
}

func (s *Schema) fillStruct(dst reflect.Value, members map[string]any, path string) error {
	known := 0
	for i, field := range fieldsOf(dst.Type()) {
		p := &s.Properties[i]
		v, given := members[p.Name]
		switch {
		case given:
			known++
			if err := p.Schema.fill(dst.FieldByIndex(field.Index), v, join(path, p.Name)); err != nil {
				return err
			}
		case p.Required:
			e := fault.New(fault.WrongType, join(path, p.Name), "%s is missing", join(path, p.Name))
			e.Hint = "give " + p.Schema.Types[0] + " " + p.Name
			return e
		case p.Schema.Default != nil && path != "": // those at the top are there already
			if err := p.Schema.fillDefault(dst.FieldByIndex(field.Index)); err != nil {
				return err
			}
		}
	}
	if known < len(members) {
		return s.unknownMember(members, path)
	}
	return nil
}

// unknownMember names the first member, in the order of the alphabet, that the object
// does not have.
func (s *Schema) unknownMember(members map[string]any, path string) error {
	var names []string
	first := ""
	for _, p := range s.Properties {
		names = append(names, p.Name)
	}
	for name := range members {
		if !s.has(name) && (first == "" || name < first) {
			first = name
		}
	}
	e := fault.Unknown(fault.UnknownParameter, first, names)
	if path != "" {
		e.Field = join(path, e.Field)
	}
	if len(names) == 0 {
		e.Hint = "it takes no arguments"
	}
	return e
}

func (s *Schema) has(name string) bool {
	for _, p := range s.Properties {
		if p.Name == name {
			return true
		}
	}
	return false
}

// fillDefault stores the schema's default.
func (s *Schema) fillDefault(dst reflect.Value) error {
	data, err := json.Marshal(s.Default)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, dst.Addr().Interface())
}

func fillValue(dst reflect.Value, v any, path string) error {
	switch x := v.(type) {
	case string, bool:
		dst.Set(reflect.ValueOf(Value{x}))
	case json.Number:
		n, err := x.Float64()
		if err != nil {
			return fault.New(fault.OutOfRange, path, "%s = %.80s is too large", path, x)
		}
		dst.Set(reflect.ValueOf(Value{n}))
	default:
		return fault.Type(path, describe(v), "number, boolean or string")
	}
	return nil
}

func describe(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case []any:
		return "a list"
	}
	return "an object"
}

func join(path, name string) string {
	const most = 80
	if r := []rune(name); len(r) > most {
		name = string(r[:most]) + "…"
	}
	if path == "" {
		return name
	}
	return path + "." + name
}

// withoutNil replaces lists and maps that are nil by empty ones: a schema that says
// array or object does not allow null.
func withoutNil(v reflect.Value) {
	switch v.Kind() {
	case reflect.Slice:
		if v.IsNil() && v.Type() != reflect.TypeFor[json.RawMessage]() {
			v.Set(reflect.MakeSlice(v.Type(), 0, 0))
		}
		if mayHoldNil(v.Type().Elem()) {
			for i := range v.Len() {
				withoutNil(v.Index(i))
			}
		}
	case reflect.Map:
		if v.IsNil() {
			v.Set(reflect.MakeMap(v.Type()))
		}
		if mayHoldNil(v.Type().Elem()) {
			for _, key := range v.MapKeys() {
				element := reflect.New(v.Type().Elem()).Elem()
				element.Set(v.MapIndex(key))
				withoutNil(element)
				v.SetMapIndex(key, element)
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			withoutNil(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Field(i); field.CanSet() {
				withoutNil(field)
			}
		}
	}
}

// mayHoldNil spares long lists of numbers a walk.
func mayHoldNil(t reflect.Type) bool {
	return t.Kind() == reflect.Slice || t.Kind() == reflect.Map || t.Kind() == reflect.Pointer || t.Kind() == reflect.Struct
}
