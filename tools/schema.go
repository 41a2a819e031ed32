package tools

import (
	"encoding"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Schema is the JSON Schema (2020-12) of an argument or a result, as far as tools
// need one. It is derived from a Go type by [New].
//
// Fields of structs are described by tags:
//
//	json:"name,omitempty"  the name; an input is required without omitempty and default
//	doc:"…"                the description
//	enum:"a,b"             the choices of a string
//	min:"0" max:"200"      bounds of a number, of the length of a string or list, of the
//	                       number of members of a map
//	default:"20"           what an input has where it is not given
//
// A map with the name "*" holds the members of an argument that have no field.
//
// Named types may say more: a string type with a method Enum() []string has these
// choices (taken from a catalogue when the schema is derived), one with Pattern() string
// matches that expression; an integer type with Bounds() (low, high float64) lies within
// them, and one with Word() (word string, value int64) may be given as that word, which
// stands for a value outside its bounds. Pointers, and float types that marshal themselves, may be
// null in a result. A tag that its type cannot obey is an error, not an empty promise.
type Schema struct {
	Types       []string
	Description string
	Properties  []Property // of an object with known members
	Closed      bool       // no other members
	Members     *Schema    // of an object with free names
	Items       *Schema    // of a list
	Enum        []string
	Min, Max    *float64
	Pattern     string
	Word        string // that may stand in the place of an integer
	Default     any    // as decoded from JSON, with numbers as they are written

	word    int64 // what Word stands for
	pattern *regexp.Regexp
	rest    []int        // index of the field that holds the members without a name of their own
	of      reflect.Type // the struct, or the number that may be null, that a result's schema is of, which is written once, under $defs
}

// Property is a member of an object.
type Property struct {
	Name     string
	Required bool
	Schema   *Schema

	index []int // of the field, through embedded structs
}

// MarshalJSON writes the schema with its keywords in a fixed order. Objects of a result
// that it holds more than once stand under $defs.
func (s *Schema) MarshalJSON() ([]byte, error) {
	seen := map[reflect.Type]int{}
	s.count(seen)
	w := schemaWriter{repeated: map[reflect.Type]bool{}, written: map[string]reflect.Type{}, defs: map[string]*keywords{}}
	for of, n := range seen {
		w.repeated[of] = n > 1
	}
	w.repeated[s.of] = false
	root := w.whole(s)
	root.Defs = w.defs
	return json.Marshal(root)
}

// count says how often each struct occurs; what is within a repeated one counts once.
func (s *Schema) count(seen map[reflect.Type]int) {
	if s.of != nil {
		if seen[s.of]++; seen[s.of] > 1 {
			return
		}
	}
	for _, p := range s.Properties {
		p.Schema.count(seen)
	}
	for _, inner := range []*Schema{s.Items, s.Members} {
		if inner != nil {
			inner.count(seen)
		}
	}
}

// keywords are a schema as JSON has it.
type keywords struct {
	AnyOf         []*keywords          `json:"anyOf,omitempty"`
	Ref           string               `json:"$ref,omitempty"`
	Type          any                  `json:"type,omitempty"` // one name or a list
	Description   string               `json:"description,omitempty"`
	Enum          []any                `json:"enum,omitempty"`
	Minimum       *float64             `json:"minimum,omitempty"`
	Maximum       *float64             `json:"maximum,omitempty"`
	MinLength     *float64             `json:"minLength,omitempty"`
	MaxLength     *float64             `json:"maxLength,omitempty"`
	MinItems      *float64             `json:"minItems,omitempty"`
	MaxItems      *float64             `json:"maxItems,omitempty"`
	MinProperties *float64             `json:"minProperties,omitempty"`
	MaxProperties *float64             `json:"maxProperties,omitempty"`
	Pattern       string               `json:"pattern,omitempty"`
	Default       any                  `json:"default,omitempty"`
	Items         *keywords            `json:"items,omitempty"`
	Properties    properties           `json:"properties,omitzero"`
	Required      []string             `json:"required,omitempty"`
	Additional    any                  `json:"additionalProperties,omitempty"` // a schema or false
	Defs          map[string]*keywords `json:"$defs,omitempty"`
}

// properties are the members of an object in the order of its struct.
type properties []struct {
	name   string
	schema *keywords
}

// MarshalJSON keeps the order.
func (p properties) MarshalJSON() ([]byte, error) {
	w := newWriter()
	w.WriteByte('{')
	for i, member := range p {
		w.name(member.name, i == 0)
		if err := w.value(member.schema); err != nil {
			return nil, err
		}
	}
	w.WriteByte('}')
	return w.Bytes(), nil
}

type schemaWriter struct {
	repeated map[reflect.Type]bool
	written  map[string]reflect.Type
	defs     map[string]*keywords
}

// write is a schema in its place: whole, or a reference.
func (w *schemaWriter) write(s *Schema) *keywords {
	if !w.repeated[s.of] || s.Min != nil || s.Max != nil {
		return w.whole(s)
	}
	name := shapeOf(s.of)
	switch {
	case len(s.Types) == 2 && s.Properties != nil:
		name += "N" // the same struct may stand elsewhere where it is never null
	case len(s.Types) == 2:
		name = "N" // of a number that may be null: there are many of them
	}
	if other, ok := w.written[name]; !ok {
		w.written[name] = s.of
		plain := *s
		plain.Description = ""
		w.defs[name] = w.whole(&plain)
	} else if other != s.of {
		panic(fmt.Sprintf("%v and %v would have one name in a schema", s.of, other)) // a mistake in the program
	}
	return &keywords{Ref: "#/$defs/" + name, Description: s.Description}
}

func (w *schemaWriter) whole(s *Schema) *keywords {
	k := &keywords{Description: s.Description, Default: s.Default}
	if s.Word != "" { // a list of types is refused by some clients
		number := *s
		number.Word, number.Description, number.Default = "", "", nil
		k.AnyOf = []*keywords{w.whole(&number), {Type: "string", Enum: []any{s.Word}}}
		return k
	}
	k.Pattern = s.Pattern
	if k.Type = s.Types; len(s.Types) == 1 {
		k.Type = s.Types[0]
	}
	for _, choice := range s.Enum {
		k.Enum = append(k.Enum, choice)
	}
	if k.Enum != nil && slices.Contains(s.Types, "null") {
		k.Enum = append(k.Enum, nil)
	}
	switch s.Types[0] {
	case "string":
		k.MinLength, k.MaxLength = s.Min, s.Max
	case "array":
		k.MinItems, k.MaxItems = s.Min, s.Max
	case "object":
		k.MinProperties, k.MaxProperties = s.Min, s.Max
	default:
		k.Minimum, k.Maximum = s.Min, s.Max
	}
	if s.Items != nil {
		k.Items = w.write(s.Items)
	}
	if s.Properties != nil {
		k.Properties = make(properties, len(s.Properties))
	}
	for i, p := range s.Properties {
		k.Properties[i].name, k.Properties[i].schema = p.Name, w.write(p.Schema)
		if p.Required {
			k.Required = append(k.Required, p.Name)
		}
	}
	if s.Members != nil {
		k.Additional = w.write(s.Members)
	} else if s.Closed {
		k.Additional = false
	}
	if n := len(k.Required); s.of != nil && n == len(s.Properties) && n >= saidByNumber {
		count := float64(n)
		k.Required, k.MinProperties = nil, &count
	}
	return k
}

// saidByNumber is how many members an object of a result has at least of which the schema says by
// their number that all are there, without repeating their names as required.
const saidByNumber = 3

// direction says whether a schema is for what comes in or what goes out.
type direction bool

const (
	input  direction = false
	output direction = true
)

// derive returns the schema of a Go type. A type that it cannot describe, a bad tag or
// a recursive type is an error: a tool must not have an empty schema.
func derive(t reflect.Type, d direction) (*Schema, error) { return deriveIn(t, d, nil) }

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// marshalsItself says whether the JSON of a type is not what its kind says.
func marshalsItself(t reflect.Type) bool {
	p := reflect.PointerTo(t)
	return p.Implements(marshaler) || p.Implements(textMarshaler)
}

func deriveIn(t reflect.Type, d direction, above []reflect.Type) (*Schema, error) {
	if slices.Contains(above, t) {
		return nil, fmt.Errorf("%v contains itself", t)
	}
	above = append(slices.Clip(above), t)
	if t == reflect.TypeFor[Value]() {
		return &Schema{Types: []string{"number", "boolean", "string"}}, nil
	}
	if t == reflect.TypeFor[json.RawMessage]() {
		return &Schema{Types: []string{"object"}}, nil
	}
	if t.Kind() != reflect.Pointer && t.Kind() != reflect.Float64 && marshalsItself(t) {
		return nil, fmt.Errorf("%v marshals itself, so that its schema is not known", t)
	}
	switch t.Kind() {
	case reflect.Pointer:
		s, err := deriveIn(t.Elem(), d, above)
		if err == nil && d == output && !slices.Contains(s.Types, "null") {
			s.Types = append(s.Types, "null")
		}
		return s, err
	case reflect.String:
		return deriveString(t)
	case reflect.Bool:
		return &Schema{Types: []string{"boolean"}}, nil
	case reflect.Int, reflect.Int32, reflect.Int64:
		s := &Schema{Types: []string{"integer"}}
		if v, ok := reflect.Zero(t).Interface().(interface{ Bounds() (low, high float64) }); ok {
			low, high := v.Bounds()
			s.Min, s.Max = &low, &high
		}
		if v, ok := reflect.Zero(t).Interface().(interface{ Word() (string, int64) }); ok && d == input {
			s.Word, s.word = v.Word()
		}
		return s, nil
	case reflect.Uint64:
		return &Schema{Types: []string{"integer"}, Min: new(float64)}, nil
	case reflect.Float64:
		s := &Schema{Types: []string{"number"}}
		if marshalsItself(t) && d == output {
			s.Types, s.of = append(s.Types, "null"), t
		}
		return s, nil
	case reflect.Slice:
		items, err := deriveIn(t.Elem(), d, above)
		return &Schema{Types: []string{"array"}, Items: items}, err
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return nil, fmt.Errorf("%v: names of members are strings", t)
		}
		members, err := deriveIn(t.Elem(), d, above)
		return &Schema{Types: []string{"object"}, Members: members}, err
	case reflect.Struct:
		return deriveStruct(t, d, above)
	}
	return nil, fmt.Errorf("%v has no schema", t)
}

func deriveString(t reflect.Type) (*Schema, error) {
	s := &Schema{Types: []string{"string"}}
	switch v := reflect.Zero(t).Interface().(type) {
	case interface{ Enum() []string }:
		if s.Enum = v.Enum(); len(s.Enum) == 0 {
			return nil, fmt.Errorf("%v has no choices", t)
		}
	case interface{ Pattern() string }:
		var err error
		s.Pattern = v.Pattern()
		s.pattern, err = regexp.Compile(s.Pattern)
		return s, err
	}
	return s, nil
}

func deriveStruct(t reflect.Type, d direction, above []reflect.Type) (*Schema, error) {
	s := &Schema{Types: []string{"object"}, Properties: []Property{}, Closed: d == input}
	for _, field := range fieldsOf(t) {
		if field.Anonymous {
			return nil, fmt.Errorf("%v.%s: structs are embedded by value and without a tag", t, field.Name)
		}
		member, err := deriveIn(field.Type, d, above)
		if err != nil {
			return nil, fmt.Errorf("%v.%s: %w", t, field.Name, err)
		}
		name, omitted := jsonName(field)
		if name == "*" {
			if member.Members == nil || d == output {
				return nil, fmt.Errorf("%v.%s: only a map of an argument takes the other members", t, field.Name)
			}
			s.Members, s.Closed, s.rest = member.Members, false, field.Index
			continue
		}
		if s.has(name) {
			return nil, fmt.Errorf("%v.%s: another member is called %s too", t, field.Name, name)
		}
		if err := member.tag(field.Tag); err != nil {
			return nil, fmt.Errorf("%v.%s: %w", t, field.Name, err)
		}
		if err := member.fitDefault(field.Type); err != nil {
			return nil, fmt.Errorf("%v.%s: default: %w", t, field.Name, err)
		}
		required := !omitted && (member.Default == nil || d == output)
		if omitted && d == input && field.Type.Kind() != reflect.Pointer && member.Default == nil && takesZero(field.Type) {
			return nil, fmt.Errorf("%v.%s: an optional number or boolean is a pointer or has a default", t, field.Name)
		}
		s.Properties = append(s.Properties, Property{name, required, member, field.Index})
	}
	if len(s.Properties) == 0 && (d == output || len(above) > 1) {
		return nil, fmt.Errorf("%v has no members", t)
	}
	if d == output {
		s.of = t
	}
	return s, nil
}

// shapeOf names a struct type, without the packages that it and its parameters are of.
func shapeOf(t reflect.Type) string {
	return notInNames.ReplaceAllString(packagePath.ReplaceAllString(t.Name(), ""), "_")
}

var (
	packagePath = regexp.MustCompile(`[A-Za-z0-9_./-]*[./]`)
	notInNames  = regexp.MustCompile(`[^A-Za-z0-9]+`)
)

// fitDefault refuses a default that the schema itself would refuse.
func (s *Schema) fitDefault(t reflect.Type) error {
	if s.Default == nil {
		return nil
	}
	return s.fill(reflect.New(t).Elem(), s.Default, "default")
}

// takesZero says whether zero is a value of the type that a caller may mean.
func takesZero(t reflect.Type) bool {
	return slices.Contains([]reflect.Kind{reflect.Bool, reflect.Int, reflect.Int32, reflect.Int64, reflect.Uint64, reflect.Float64}, t.Kind())
}

// fieldsOf lists the members of a struct, those of embedded structs in their place.
func fieldsOf(t reflect.Type) []reflect.StructField {
	var list []reflect.StructField
	for i := range t.NumField() {
		field := t.Field(i)
		switch {
		case field.Anonymous && field.Type.Kind() == reflect.Struct && field.Tag.Get("json") == "":
			for _, inner := range fieldsOf(field.Type) {
				inner.Index = append(slices.Clone(field.Index), inner.Index...)
				list = append(list, inner)
			}
		case field.IsExported() && field.Tag.Get("json") != "-":
			list = append(list, field)
		}
	}
	return list
}

func jsonName(field reflect.StructField) (name string, omitted bool) {
	name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
	if name == "" {
		name = field.Name
	}
	return name, strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")
}

// tag adds what the tags of a field say.
func (s *Schema) tag(tag reflect.StructTag) error {
	s.Description = tag.Get("doc")
	kind := s.Types[0]
	if choices, ok := tag.Lookup("enum"); ok {
		if kind != "string" || choices == "" {
			return fmt.Errorf("enum: only strings have choices, one or more; for a list give its items a type with Enum()")
		}
		s.Enum = strings.Split(choices, ",")
	}
	for _, bound := range []struct {
		key string
		at  **float64
	}{{"min", &s.Min}, {"max", &s.Max}} {
		if text, ok := tag.Lookup(bound.key); ok {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				return fmt.Errorf("%s: %w", bound.key, err)
			}
			if len(s.Types) > 2 || kind == "boolean" || kind == "object" && s.Members == nil {
				return fmt.Errorf("%s: a value of type %s has no bounds", bound.key, kind)
			}
			*bound.at = &x
		}
	}
	if s.Min != nil && s.Max != nil && *s.Min > *s.Max {
		return fmt.Errorf("min %g is above max %g", *s.Min, *s.Max)
	}
	text, ok := tag.Lookup("default")
	switch {
	case !ok:
		return nil
	case kind == "array" || kind == "object":
		return fmt.Errorf("default: calls would share one %s", kind)
	case kind == "string":
		s.Default = text
		return nil
	}
	var err error
	if s.Default, err = parse([]byte(text)); err != nil {
		return fmt.Errorf("default: %w", err)
	}
	return nil
}

// bounds is the range as errors name it.
func (s *Schema) bounds() string {
	switch {
	case s.Min != nil && s.Max != nil:
		return formatNumber(*s.Min) + " to " + formatNumber(*s.Max)
	case s.Min != nil:
		return "at least " + formatNumber(*s.Min)
	}
	return "at most " + formatNumber(*s.Max)
}

func (s *Schema) within(x float64) bool {
	return !math.IsNaN(x) && (s.Min == nil || x >= *s.Min) && (s.Max == nil || x <= *s.Max)
}

// formatNumber writes whole numbers as such: the largest seed has all its digits.
func formatNumber(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) <= 1<<53 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
