package tools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"
)

// encoder appends the JSON of a value to b. It writes what [Encode] writes, but
// that lists and maps that are nil become empty ones: a schema that says array or object
// does not allow null. Results are long tables of numbers, of which it makes several
// times as many a second.
type encoder func(b []byte, v reflect.Value) ([]byte, error)

// scratch is memory to encode in, which is lent.
var scratch = sync.Pool{New: func() any { return new([]byte) }}

// encoded is the JSON of a value, in as many bytes as it has.
func (e encoder) encoded(v reflect.Value) (json.RawMessage, error) {
	room := scratch.Get().(*[]byte)
	defer scratch.Put(room)
	b, err := e((*room)[:0], v)
	if err != nil {
		return nil, err
	}
	*room = b
	return bytes.Clone(b), nil
}

// encoderOf makes the encoder of a type that has a schema.
func encoderOf(t reflect.Type) encoder {
	switch {
	case t == reflect.TypeFor[Value]():
		return encodeValue
	case t == reflect.TypeFor[json.RawMessage]():
		return func(b []byte, v reflect.Value) ([]byte, error) {
			if v.IsNil() {
				return append(b, "{}"...), nil
			}
			return encodeAny(b, v)
		}
	case t.Kind() == reflect.Float64:
		return floatEncoder(marshalsItself(t))
	case t.Kind() == reflect.Pointer:
		element := encoderOf(t.Elem())
		return func(b []byte, v reflect.Value) ([]byte, error) {
			if v.IsNil() {
				return append(b, "null"...), nil
			}
			return element(b, v.Elem())
		}
	case marshalsItself(t):
		return encodeAny
	}
	switch t.Kind() {
	case reflect.String:
		return func(b []byte, v reflect.Value) ([]byte, error) { return encodeString(b, v.String()) }
	case reflect.Bool:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendBool(b, v.Bool()), nil }
	case reflect.Int, reflect.Int32, reflect.Int64:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendInt(b, v.Int(), 10), nil }
	case reflect.Uint64:
		return func(b []byte, v reflect.Value) ([]byte, error) { return strconv.AppendUint(b, v.Uint(), 10), nil }
	case reflect.Slice:
		return sliceEncoder(t)
	case reflect.Map:
		return mapEncoder(t)
	case reflect.Struct:
		return structEncoder(t)
	}
	return encodeAny
}

// encodeAny leaves a value to its own ways.
func encodeAny(b []byte, v reflect.Value) ([]byte, error) {
	data, err := Encode(v.Interface())
	return append(b, data...), err
}

func encodeValue(b []byte, v reflect.Value) ([]byte, error) {
	switch x := v.Field(0).Elem(); x.Kind() {
	case reflect.Float64:
		return encodeFloat(b, x.Float())
	case reflect.String:
		return encodeString(b, x.String())
	}
	return encodeAny(b, v)
}

// floatEncoder writes numbers. A type that marshals itself does so where JSON has no
// number for it.
func floatEncoder(marshalsItself bool) encoder {
	return func(b []byte, v reflect.Value) ([]byte, error) {
		x := v.Float()
		if marshalsItself && (math.IsNaN(x) || math.IsInf(x, 0)) {
			return encodeAny(b, v)
		}
		return encodeFloat(b, x)
	}
}

func encodeFloat(b []byte, x float64) ([]byte, error) {
	if abs := math.Abs(x); abs != 0 && !(abs >= 1e-6 && abs < 1e21) { // rare: with an exponent, or none at all
		data, err := json.Marshal(x)
		return append(b, data...), err
	}
	return strconv.AppendFloat(b, x, 'f', -1, 64), nil
}

func encodeString(b []byte, s string) ([]byte, error) {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= utf8.RuneSelf || c == '"' || c == '\\' {
			data, err := Encode(s)
			return append(b, data...), err
		}
	}
	return append(append(append(b, '"'), s...), '"'), nil
}

func sliceEncoder(t reflect.Type) encoder {
	element := encoderOf(t.Elem())
	return func(b []byte, v reflect.Value) (_ []byte, err error) {
		b = append(b, '[')
		for i := range v.Len() {
			if i > 0 {
				b = append(b, ',')
			}
			if b, err = element(b, v.Index(i)); err != nil {
				return nil, err
			}
		}
		return append(b, ']'), nil
	}
}

// mapEncoder writes the members in the order of their names: they are encoded as the map
// has them, and then put in order.
func mapEncoder(t reflect.Type) encoder {
	element := encoderOf(t.Elem())
	type member struct {
		name     string
		from, to int // of its JSON in the buffer
	}
	return func(b []byte, v reflect.Value) (_ []byte, err error) {
		list := make([]member, 0, v.Len())
		room := scratch.Get().(*[]byte)
		defer scratch.Put(room)
		buffer := (*room)[:0]
		value := reflect.New(t.Elem()).Elem()
		for members := v.MapRange(); members.Next(); {
			value.SetIterValue(members)
			m := member{name: members.Key().String(), from: len(buffer)}
			if buffer, err = encodeString(buffer, m.name); err != nil {
				return nil, err
			}
			if buffer, err = element(append(buffer, ':'), value); err != nil {
				return nil, err
			}
			m.to = len(buffer)
			list = append(list, m)
		}
		*room = buffer
		slices.SortFunc(list, func(a, b member) int { return cmp.Compare(a.name, b.name) })
		b = append(b, '{')
		for i, m := range list {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, buffer[m.from:m.to]...)
		}
		return append(b, '}'), nil
	}
}

func structEncoder(t reflect.Type) encoder {
	type member struct {
		prefix  string // its name and a colon
		index   []int
		encode  encoder
		omitted bool // where it is empty
	}
	var list []member
	for _, field := range fieldsOf(t) {
		name, omitted := jsonName(field)
		list = append(list, member{fmt.Sprintf("%q:", name), field.Index, encoderOf(field.Type), omitted})
	}
	return func(b []byte, v reflect.Value) (_ []byte, err error) {
		b = append(b, '{')
		first := true
		for i := range list {
			m := &list[i]
			field := v.FieldByIndex(m.index)
			if m.omitted && isEmpty(field) {
				continue
			}
			if !first {
				b = append(b, ',')
			}
			first = false
			if b, err = m.encode(append(b, m.prefix...), field); err != nil {
				return nil, err
			}
		}
		return append(b, '}'), nil
	}
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
