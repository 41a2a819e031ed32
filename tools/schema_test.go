package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"econ-mcp/internal/fault"
)

type colour string

func (colour) Enum() []string { return []string{"red", "green"} }

type nothing string

func (nothing) Enum() []string { return nil }

type badPattern string

func (badPattern) Pattern() string { return "[" }

// figure is a number that is null where there is none.
type figure float64

func (f figure) MarshalJSON() ([]byte, error) {
	if math.IsNaN(float64(f)) {
		return []byte("null"), nil
	}
	return json.Marshal(float64(f))
}

type page struct {
	Limit  int    `json:"limit" min:"1" max:"200" default:"20" doc:"Most rows"`
	Cursor string `json:"cursor,omitempty" max:"100"`
}

type inner struct {
	Size   float64  `json:"size" min:"0"`
	Colour colour   `json:"colour" default:"red"`
	Tags   []string `json:"tags,omitempty" max:"3"`
}

type arguments struct {
	Name   Name             `json:"name"`
	Kind   string           `json:"kind,omitempty" enum:"a,b"`
	Months *int             `json:"months,omitempty" min:"1" max:"6000"`
	Seed   *uint64          `json:"seed,omitempty"`
	Small  int32            `json:"small" default:"0"`
	Deep   bool             `json:"deep" default:"false"`
	Share  float64          `json:"share" default:"0.5" min:"0" max:"1"`
	Parts  []inner          `json:"parts,omitempty"`
	Values map[string]Value `json:"values,omitempty" max:"3"`
	Free   json.RawMessage  `json:"free,omitempty"`
	page
}

type results struct {
	N      int                `json:"n"`
	Mean   *float64           `json:"mean"`
	Figure figure             `json:"figure"`
	Colour *colour            `json:"colour"`
	Rows   []inner            `json:"rows"`
	ByName map[string][]int   `json:"by_name"`
	Values map[string]Value   `json:"values"`
	Free   json.RawMessage    `json:"free"`
	Note   string             `json:"note,omitempty"`
	Table  map[string]*figure `json:"table"`
	page
}

func schemaOf[T any](tb testing.TB, d direction) *Schema {
	tb.Helper()
	s, err := derive(reflect.TypeFor[T](), d)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// validator compiles a schema with a library that is not ours.
func validator(tb testing.TB, s *Schema) *jsonschema.Schema {
	tb.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		tb.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		tb.Fatalf("%v in %s", err, text)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("schema.json", document); err != nil {
		tb.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		tb.Fatalf("%v in %s", err, text)
	}
	return compiled
}

func TestSchemaOfTypes(t *testing.T) {
	for _, c := range []struct {
		of   reflect.Type
		d    direction
		want string
	}{
		{reflect.TypeFor[string](), input, `{"type":"string"}`},
		{reflect.TypeFor[bool](), input, `{"type":"boolean"}`},
		{reflect.TypeFor[int](), input, `{"type":"integer"}`},
		{reflect.TypeFor[uint64](), input, `{"type":"integer","minimum":0}`},
		{reflect.TypeFor[float64](), output, `{"type":"number"}`},
		{reflect.TypeFor[*float64](), input, `{"type":"number"}`},
		{reflect.TypeFor[*float64](), output, `{"type":["number","null"]}`},
		{reflect.TypeFor[figure](), input, `{"type":"number"}`},
		{reflect.TypeFor[figure](), output, `{"type":["number","null"]}`},
		{reflect.TypeFor[colour](), input, `{"type":"string","enum":["red","green"]}`},
		{reflect.TypeFor[*colour](), output, `{"type":["string","null"],"enum":["red","green",null]}`},
		{reflect.TypeFor[Name](), input, `{"type":"string","pattern":"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$"}`},
		{reflect.TypeFor[Value](), input, `{"type":["number","boolean","string"]}`},
		{reflect.TypeFor[json.RawMessage](), input, `{"type":"object"}`},
		{reflect.TypeFor[[]colour](), input, `{"type":"array","items":{"type":"string","enum":["red","green"]}}`},
		{reflect.TypeFor[map[string]Value](), input, `{"type":"object","additionalProperties":{"type":["number","boolean","string"]}}`},
		{reflect.TypeFor[struct{}](), input, `{"type":"object","properties":{},"additionalProperties":false}`},
		{reflect.TypeFor[page](), input, `{"type":"object","properties":{` +
			`"limit":{"type":"integer","description":"Most rows","minimum":1,"maximum":200,"default":20},` +
			`"cursor":{"type":"string","maxLength":100}},"additionalProperties":false}`},
		{reflect.TypeFor[inner](), output, `{"type":"object","properties":{` +
			`"size":{"type":"number","minimum":0},"colour":{"type":"string","enum":["red","green"],"default":"red"},` +
			`"tags":{"type":"array","maxItems":3,"items":{"type":"string"}}},"required":["size","colour"]}`},
		{reflect.TypeFor[**figure](), output, `{"type":["number","null"]}`},
		{reflect.TypeFor[struct{ page }](), input, `{"type":"object","properties":{` +
			`"limit":{"type":"integer","description":"Most rows","minimum":1,"maximum":200,"default":20},` +
			`"cursor":{"type":"string","maxLength":100}},"additionalProperties":false}`},
	} {
		s, err := derive(c.of, c.d)
		if err != nil {
			t.Errorf("%v: %v", c.of, err)
			continue
		}
		got, err := json.Marshal(s)
		if err != nil || string(got) != c.want {
			t.Errorf("%v (output %v):\ngot  %s %v\nwant %s", c.of, c.d, got, err, c.want)
		}
		validator(t, s)
	}
}

type loop struct {
	Next []loop `json:"next"`
}

type recursive struct {
	Children map[string]recursive `json:"children"`
}

// A tool must not get an empty or an untrue schema: what cannot be described is an error
// when the server starts.
func TestTypesWithoutSchema(t *testing.T) {
	for _, c := range []struct {
		of   reflect.Type
		d    direction
		want string
	}{
		{reflect.TypeFor[any](), input, "has no schema"},
		{reflect.TypeFor[struct{ X any }](), input, "has no schema"},
		{reflect.TypeFor[func()](), input, "has no schema"},
		{reflect.TypeFor[chan int](), input, "has no schema"},
		{reflect.TypeFor[complex128](), input, "has no schema"},
		{reflect.TypeFor[[3]int](), input, "has no schema"},
		{reflect.TypeFor[loop](), output, "contains itself"},
		{reflect.TypeFor[recursive](), output, "contains itself"},
		{reflect.TypeFor[map[int]string](), output, "names of members"},
		{reflect.TypeFor[time.Time](), output, "marshals itself"},
		{reflect.TypeFor[struct{ At *time.Time }](), output, "marshals itself"},
		{reflect.TypeFor[struct{ Inner struct{ hidden int } }](), output, "no members"},
		{reflect.TypeFor[struct{ *page }](), output, "no members"},
		{reflect.TypeFor[struct{ *PageOf }](), output, "embedded by value"},
		{reflect.TypeFor[struct {
			A int `json:"a" min:"x"`
		}](), input, "min:"},
		{reflect.TypeFor[struct {
			A int `json:"a" min:"2" max:"1"`
		}](), input, "min 2 is above max 1"},
		{reflect.TypeFor[struct {
			A bool `json:"a" min:"0"`
		}](), input, "no bounds"},
		{reflect.TypeFor[struct {
			A []string `json:"a" enum:"x,y"`
		}](), input, "only strings have choices"},
		{reflect.TypeFor[struct {
			A string `json:"a" enum:""`
		}](), input, "one or more"},
		{reflect.TypeFor[struct{ A nothing }](), input, "no choices"},
		{reflect.TypeFor[struct{ A badPattern }](), input, "missing closing ]"},
		{reflect.TypeFor[struct {
			A int `json:"a" default:"many"`
		}](), input, "default:"},
		{reflect.TypeFor[struct {
			A int `json:"a" default:"300" max:"200"`
		}](), input, "out_of_range"},
		{reflect.TypeFor[struct {
			A colour `json:"a" default:"blue"`
		}](), input, "out_of_range"},
		{reflect.TypeFor[struct {
			A []int `json:"a" default:"[1]"`
		}](), input, "share"},
		{reflect.TypeFor[struct {
			A int `json:"a,omitempty"`
		}](), input, "pointer or has a default"},
		{reflect.TypeFor[struct {
			page
			Limit int `json:"limit"`
		}](), output, "called limit too"},
	} {
		s, err := derive(c.of, c.d)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, %v; want an error with %q", c.of, s, err, c.want)
		}
	}
}

// PageOf is exported, for a struct that embeds a pointer to it.
type PageOf struct{ A int }

func TestNewPanicsWithoutSchema(t *testing.T) {
	for what, make := range map[string]func(){
		"input":  func() { New(Spec{Name: "x"}, handler[struct{ X any }, inner]) },
		"output": func() { New(Spec{Name: "x"}, handler[inner, struct{ X any }]) },
		"list":   func() { New(Spec{Name: "x"}, handler[inner, []int]) },
		"map":    func() { New(Spec{Name: "x"}, handler[map[string]int, inner]) },
	} {
		t.Run(what, func(t *testing.T) {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.HasPrefix(text, "x: ") {
					t.Errorf("recovered %q", text)
				}
			}()
			make()
		})
	}
}

type upTo12 int

func (upTo12) Bounds() (low, high float64) { return 1, 12 }

// Bounds are those of a type, and whole numbers in them are written as such.
func TestBounds(t *testing.T) {
	tool := New(Spec{Name: "test"}, func(_ context.Context, _ *Call, in struct {
		Month *upTo12 `json:"month,omitempty"`
		Seed  *int64  `json:"seed,omitempty" min:"0" max:"9007199254740991"`
	}) (struct{ Month int }, error) {
		return struct{ Month int }{int(*in.Month)}, nil
	})
	got, err := tool.Invoke(t.Context(), &Call{}, json.RawMessage(`{"month":12}`))
	if err != nil || string(got.JSON) != `{"Month":12}` {
		t.Errorf("%s, %v", got.JSON, err)
	}
	for arguments, allowed := range map[string]string{`{"month":13}`: "1 to 12", `{"month":0}`: "1 to 12",
		`{"seed":-1}`: "0 to 9007199254740991"} {
		_, err := tool.Invoke(t.Context(), &Call{}, json.RawMessage(arguments))
		if e, ok := errors.AsType[*fault.Error](err); !ok || !slices.Equal(e.Allowed, []string{allowed}) {
			t.Errorf("%s: %v; want %s", arguments, err, allowed)
		}
	}
}
