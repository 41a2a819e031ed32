package tools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"econ-mcp/internal/fault"
)

// decode reads arguments by the schema of their type into target. An error is a
// [*fault.Error] that names the argument.
func decode(raw json.RawMessage, s *Schema, target reflect.Value) error {
	if trimmed := bytes.TrimSpace(raw); len(trimmed) == 0 || string(trimmed) == "null" {
		raw = json.RawMessage("{}")
	}
	v, err := parse(raw)
	if err != nil {
		return err
	}
	if members, ok := v.(map[string]any); ok {
		if err := s.named(members); err != nil {
			return err
		}
	}
	if err := s.fill(target, v, ""); err != nil {
		return err
	}
	return s.keepOrder(target, raw)
}

// keepOrder gives the objects that stay JSON their members as they were written: the order may mean
// something.
func (s *Schema) keepOrder(dst reflect.Value, raw json.RawMessage) error {
	if dst.Kind() == reflect.Pointer {
		dst = dst.Elem()
	}
	switch {
	case dst.Type() == reflect.TypeFor[json.RawMessage]():
		var b bytes.Buffer
		err := json.Compact(&b, raw)
		dst.SetBytes(b.Bytes())
		return err
	case s.Items != nil:
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			return err
		}
		for i, item := range items {
			if err := s.Items.keepOrder(dst.Index(i), item); err != nil {
				return err
			}
		}
	case s.Properties != nil:
		var members map[string]json.RawMessage
		if err := json.Unmarshal(raw, &members); err != nil {
			return err
		}
		for _, p := range s.Properties {
			if raw, given := members[p.Name]; given {
				if err := p.Schema.keepOrder(dst.FieldByIndex(p.index), raw); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// named takes name for the argument that it is short for, where an argument of that kind is the only
// one. Schemas do not mention it: it is what many callers write first.
func (s *Schema) named(members map[string]any) error {
	value, given := members["name"]
	if !given || s.has("name") || s.rest != nil {
		return nil
	}
	meant := ""
	for _, full := range []string{"experiment_name", "config_name", "parameter_name"} {
		switch {
		case !s.has(full):
		case meant != "":
			return nil // it is not clear
		default:
			meant = full
		}
	}
	if meant == "" {
		return nil
	}
	if _, both := members[meant]; both {
		return fault.New(fault.Conflict, "name", "name is short for %s, which is given too", meant).WithHint("give one of them")
	}
	delete(members, "name")
	members[meant] = value
	return nil
}

// parse reads one JSON value, whose numbers stay as they are written.
func parse(raw []byte) (v any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(&v); err != nil {
		return nil, fault.New(fault.WrongType, "arguments", "the arguments are not JSON: %.200v", err).WithHint("send one JSON object")
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fault.New(fault.WrongType, "arguments", "more follows the arguments").WithHint("send one JSON object")
	}
	return v, nil
}

// fill checks a value against the schema and stores it.
func (s *Schema) fill(dst reflect.Value, v any, path string) error {
	if dst.Kind() == reflect.Pointer {
		dst.Set(reflect.New(dst.Type().Elem()))
		return s.fill(dst.Elem(), v, path)
	}
	if dst.Type() == reflect.TypeFor[Value]() {
		switch x := v.(type) {
		case string, bool:
			dst.Set(reflect.ValueOf(Value{x}))
			return nil
		case json.Number:
			n, err := x.Float64()
			if err != nil {
				return s.tooLarge(path, x)
			}
			dst.Set(reflect.ValueOf(Value{n}))
			return nil
		}
	}
	switch x := v.(type) {
	case string:
		if s.Word != "" && x == s.Word {
			dst.SetInt(s.word)
			return nil
		}
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
		if s.Members != nil && s.Properties == nil {
			return s.fillMap(dst, x, path)
		}
		return s.fillStruct(dst, x, path)
	default:
		e := s.mistyped(path, "null")
		e.Hint += ", or left out where it is optional"
		return e
	}
	return nil
}

// mistyped is the error for a value of another type.
func (s *Schema) mistyped(path, value string) *fault.Error {
	if path == "" {
		path = "arguments"
	}
	want := s.Types[0]
	switch {
	case s.Word != "":
		want += " or " + strconv.Quote(s.Word)
	case len(s.Types) == 3: // of a [Value]
		want = "number, boolean or string"
	}
	return fault.Type(path, value, want)
}

func (s *Schema) checkString(path, x string) error {
	if s.Enum != nil {
		if slices.Contains(s.Enum, x) {
			return nil
		}
		e := fault.Unknown(fault.OutOfRange, path, x, s.Enum)
		e.Field, e.Message = path, path+" = "+strconv.Quote(abbreviated(x))
		if len(e.Allowed) != 1 { // else the nearest is enough of a hint
			e.Hint = "one of " + strings.Join(s.Enum, ", ")
		}
		e.Allowed = s.Enum
		return e
	}
	if s.pattern != nil && !s.pattern.MatchString(x) {
		e := fault.Type(path, strconv.Quote(abbreviated(x)), "name")
		e.Hint = "must match " + s.Pattern
		e.Allowed = []string{s.Pattern}
		return e
	}
	if s.Min != nil || s.Max != nil {
		if n := float64(utf8.RuneCountInString(x)); !s.within(n) {
			return fault.Range(path, fmt.Sprintf("a text of %.0f characters", n), s.bounds()+" characters")
		}
	}
	return nil
}

// fillNumber stores a number. Integers are exact: neither 2^53+1 nor the largest seed
// loses a digit.
func (s *Schema) fillNumber(dst reflect.Value, n json.Number, path string) error {
	if s.Types[0] != "integer" && s.Types[0] != "number" {
		return s.mistyped(path, n.String())
	}
	x, err := n.Float64()
	if err != nil { // beyond the floats
		return s.tooLarge(path, n)
	}
	if s.Types[0] == "integer" && x != math.Trunc(x) {
		return s.mistyped(path, n.String())
	}
	if !s.within(x) {
		return fault.Range(path, n.String(), s.bounds())
	}
	switch {
	case dst.CanFloat():
		dst.SetFloat(x)
	case dst.CanInt():
		i, err := strconv.ParseInt(n.String(), 10, 64)
		if err != nil { // written as 5.0 or 5e3, or too large
			if math.Abs(x) >= 1<<63 {
				return s.tooLarge(path, n)
			}
			i = int64(x)
		}
		if dst.OverflowInt(i) {
			return s.tooLarge(path, n)
		}
		dst.SetInt(i)
	default:
		u, err := strconv.ParseUint(n.String(), 10, 64)
		if err != nil {
			if x >= 1<<64 {
				return s.tooLarge(path, n)
			}
			u = uint64(x)
		}
		dst.SetUint(u)
	}
	return nil
}

// tooLarge is the error for a number that the machine cannot hold.
func (s *Schema) tooLarge(path string, n json.Number) error {
	if s.Min != nil || s.Max != nil {
		return fault.Range(path, n.String(), s.bounds())
	}
	return fault.New(fault.OutOfRange, path, "%s = %s is too large", path, abbreviated(n.String())).WithHint("give a number of ordinary size")
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
	if n := float64(len(members)); !s.within(n) {
		return fault.Range(path, fmt.Sprintf("an object of %g members", n), s.bounds())
	}
	dst.Set(reflect.MakeMapWithSize(dst.Type(), len(members)))
	for _, name := range slices.Sorted(maps.Keys(members)) { // so that the first mistake is always the same
		value := reflect.New(dst.Type().Elem()).Elem()
		if err := s.Members.fill(value, members[name], join(path, name)); err != nil {
			return err
		}
		dst.SetMapIndex(reflect.ValueOf(name).Convert(dst.Type().Key()), value)
	}
	return nil
}

// fillStruct fills the members in the order of the schema. Of several mistakes an unknown
// name comes first: it is often the misspelt one of a member that is missing.
func (s *Schema) fillStruct(dst reflect.Value, members map[string]any, path string) error {
	free := map[string]any{}
	for name, v := range members {
		if s.has(name) {
			continue
		}
		if s.rest == nil {
			return s.unknownMember(members, path)
		}
		free[name] = v
	}
	if s.rest != nil {
		if err := s.fillMap(dst.FieldByIndex(s.rest), free, path); err != nil {
			return err
		}
	}
	for i := range s.Properties {
		p := &s.Properties[i]
		v, given := members[p.Name]
		if !given {
			v = p.Schema.Default
		}
		switch {
		case given || v != nil:
			if err := p.Schema.fill(dst.FieldByIndex(p.index), v, join(path, p.Name)); err != nil {
				return err
			}
		case p.Required:
			return fault.Missing(join(path, p.Name), "give "+strings.Join(p.Schema.Types, " or ")+" "+p.Name)
		}
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
	e := fault.Unknown(fault.UnknownParameter, "argument", first, names)
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

func join(path, name string) string {
	name = abbreviated(name)
	if path == "" {
		return name
	}
	return path + "." + name
}

// abbreviated keeps a caller's megabyte out of the messages.
func abbreviated(text string) string { return fault.Shorten(text, 80) }
