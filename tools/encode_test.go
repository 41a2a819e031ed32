package tools

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"
)

type everything struct {
	page
	Text     string            `json:"text"`
	Odd      map[string]string `json:"odd"`
	Maybe    *float64          `json:"maybe"`
	Left     *inner            `json:"left,omitempty"`
	Flag     bool              `json:"flag"`
	Off      bool              `json:"off,omitempty"`
	Count    int64             `json:"count"`
	Seed     uint64            `json:"seed"`
	Numbers  []float64         `json:"numbers"`
	Figures  []figure          `json:"figures"`
	Table    map[string]inner  `json:"table"`
	Deep     map[string][]map[string]*figure
	Values   []Value         `json:"values"`
	Raw      json.RawMessage `json:"raw"`
	Hidden   int             `json:"-"`
	internal int
}

// Results are written as encoding/json writes them where it does not write for HTML.
func TestEncoding(t *testing.T) {
	v := everything{
		page: page{3, "c"}, Text: "<a href=\"x\">\n\u2028 &\\ 税\xff", Odd: map[string]string{"b\n": "", "a": "é", "": "\x01"},
		Maybe: pointer(1.0 / 3), Count: math.MinInt64, Seed: math.MaxUint64,
		Numbers: []float64{0, math.Copysign(0, -1), 1e-6, -9.99e-7, 1e20, 1e21, 123456789.125, 5e-324, math.MaxFloat64, -1},
		Figures: []figure{1.5, figure(math.NaN())},
		Table:   map[string]inner{"z": {Size: 2, Colour: "red"}, "a": {}},
		Deep:    map[string][]map[string]*figure{"x": {{"y": nil, "w": pointer(figure(2))}}},
		Values:  []Value{{1e30}, {"<"}, {true}, {nil}, {7}}, Raw: json.RawMessage(` {"a" : [1, 2] } `), Hidden: 1, internal: 1,
	}
	schema := schemaOf[everything](t, output)
	encode := func() (string, error) {
		w := newWriter()
		err := w.of(schema, reflect.ValueOf(v))
		return w.String(), err
	}
	want, err := Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := encode(); err != nil || got != string(want) {
		t.Errorf("%v\ngot  %s\nwant %s", err, got, want)
	}
	v.Numbers[3] = math.NaN()
	if got, err := encode(); err == nil {
		t.Errorf("a number that is none is written as %s", got)
	}
	v = everything{}
	if got, err := encode(); err != nil || !strings.Contains(got, `"numbers":[],"figures":[],"table":{},"Deep":{},"values":[],"raw":{}}`) {
		t.Errorf("%v: lists and maps that are nil are written as %s", err, got)
	}
}
