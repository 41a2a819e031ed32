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

	"github.com/santhosh-tekuri/jsonschema/v6"

	"econ-mcp/internal/fault"
)

func handler[In, Out any](context.Context, *Call, In) (out Out, err error) { return out, nil }

func mustDecode(tb testing.TB, text string) arguments {
	tb.Helper()
	var got arguments
	tool := New(Spec{Name: "test"}, func(_ context.Context, _ *Call, in arguments) (inner, error) {
		got = in
		return inner{}, nil
	})
	if _, err := tool.Invoke(tb.Context(), &Call{}, json.RawMessage(text)); err != nil {
		tb.Fatalf("%s: %v", text, err)
	}
	return got
}

func pointer[T any](v T) *T { return &v }

func TestArguments(t *testing.T) {
	usual := arguments{Name: "a", Share: .5, page: page{Limit: 20}}
	with := func(change func(*arguments)) arguments {
		a := usual
		change(&a)
		return a
	}
	valid := validator(t, schemaOf[arguments](t, input))
	for _, c := range []struct {
		text string
		want arguments
	}{
		{`{"name":"a"}`, usual},
		{` {"name":"a"} ` + "\n", usual},
		{`{"name":"a","share":0}`, with(func(a *arguments) { a.Share = 0 })},
		{`{"name":"a","limit":5,"cursor":"b"}`, with(func(a *arguments) { a.Limit, a.Cursor = 5, "b" })},
		{`{"name":"a","months":24}`, with(func(a *arguments) { a.Months = pointer(24) })},
		{`{"name":"a","months":24.0}`, with(func(a *arguments) { a.Months = pointer(24) })},
		{`{"name":"a","months":2e3}`, with(func(a *arguments) { a.Months = pointer(2000) })},
		{`{"name":"a","seed":0}`, with(func(a *arguments) { a.Seed = new(uint64) })},
		{`{"name":"a","seed":9007199254740993}`, with(func(a *arguments) { a.Seed = pointer(uint64(1<<53 + 1)) })},
		{`{"name":"a","seed":18446744073709551615}`, with(func(a *arguments) { a.Seed = pointer(uint64(math.MaxUint64)) })},
		{`{"name":"a","kind":"b","deep":true}`, with(func(a *arguments) { a.Kind, a.Deep = "b", true })},
		{`{"name":"a","parts":[{"size":1},{"size":2,"colour":"green","tags":["x"]}]}`, with(func(a *arguments) {
			a.Parts = []inner{{1, "red", nil}, {2, "green", []string{"x"}}}
		})},
		{`{"name":"a","values":{"x":1,"y":true,"z":"t"}}`, with(func(a *arguments) {
			a.Values = map[string]Value{"x": {1.0}, "y": {true}, "z": {"t"}}
		})},
		{`{"name":"a","free":{"z": 1.50, "b":[1,{"y":"<","c":null}]}}`, with(func(a *arguments) {
			a.Free = json.RawMessage(`{"z":1.50,"b":[1,{"y":"<","c":null}]}`) // in its order
		})},
		{`{"name":"a","free":{"b":[1,{"c":null}]}}`, with(func(a *arguments) { a.Free = json.RawMessage(`{"b":[1,{"c":null}]}`) })},
	} {
		if got := mustDecode(t, c.text); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\ngot  %+v\nwant %+v", c.text, got, c.want)
		}
		if err := accepts(valid, c.text); err != nil {
			t.Errorf("the schema refuses %s: %v", c.text, err)
		}
	}
}

func accepts(s *jsonschema.Schema, text string) error {
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// A name is that of the argument that it is short for, where there is one alone.
func TestNameIsUnderstood(t *testing.T) {
	var got string
	one := New(Spec{Name: "test"}, func(_ context.Context, _ *Call, in struct {
		Experiment Name `json:"experiment_name"`
	}) (struct{ A, B, C int }, error) {
		got = string(in.Experiment)
		return struct{ A, B, C int }{}, nil
	})
	if _, err := one.Invoke(t.Context(), &Call{}, json.RawMessage(`{"name":"x"}`)); err != nil || got != "x" {
		t.Errorf("%q, %v", got, err)
	}
	two := New(Spec{Name: "test"}, handler[struct {
		Experiment Name `json:"experiment_name,omitempty"`
		Config     Name `json:"config_name,omitempty"`
	}, struct{ A, B, C int }])
	none := New(Spec{Name: "test"}, handler[struct {
		Limit int `json:"limit" default:"1"`
	}, struct{ A, B, C int }])
	for _, c := range []struct {
		tool      Tool
		arguments string
		kind      fault.Kind
		field     string
	}{
		{one, `{"name":"x","experiment_name":"x"}`, fault.Conflict, "name"},
		{one, `{"name":"../x"}`, fault.WrongType, "experiment_name"},
		{two, `{"name":"x"}`, fault.UnknownParameter, "name"},
		{none, `{"name":"x"}`, fault.UnknownParameter, "name"},
	} {
		_, err := c.tool.Invoke(t.Context(), &Call{}, json.RawMessage(c.arguments))
		if e, ok := errors.AsType[*fault.Error](err); !ok || e.Kind != c.kind || e.Field != c.field {
			t.Errorf("%s: %v, want %s of %s", c.arguments, err, c.kind, c.field)
		}
	}
}

// Every mistake has its code, names its field and says the next move, and what we refuse
// a validator of the published schema refuses too.
func TestWrongArguments(t *testing.T) {
	const mega = 1 << 20
	long := strings.Repeat("x", mega)
	valid := validator(t, schemaOf[arguments](t, input))
	called := false
	tool := New(Spec{Name: "test"}, func(context.Context, *Call, arguments) (inner, error) {
		called = true
		return inner{}, nil
	})
	for _, c := range []struct {
		text  string
		kind  fault.Kind
		field string
		hint  string
	}{
		{``, fault.Required, "name", "give string name"},
		{`null`, fault.Required, "name", "give string name"},
		{`{}`, fault.Required, "name", "give string name"},
		{`[]`, fault.WrongType, "arguments", "must be of type object"},
		{`"name"`, fault.WrongType, "arguments", "must be of type object"},
		{`7`, fault.WrongType, "arguments", "must be of type object"},
		{`{"name":"a"} x`, fault.WrongType, "arguments", "send one JSON object"},
		{`{"name":"a"}{}`, fault.WrongType, "arguments", "send one JSON object"},
		{`{"name":`, fault.WrongType, "arguments", "send one JSON object"},
		{`{"name":NaN}`, fault.WrongType, "arguments", "send one JSON object"},
		{`{'name':"a"}`, fault.WrongType, "arguments", "send one JSON object"},
		{strings.Repeat("[", 100_000), fault.WrongType, "arguments", "send one JSON object"},
		{strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000), fault.WrongType, "arguments", "send one JSON object"},
		{`{"name":"a","free":` + strings.Repeat(`{"a":`, 100_000) + `1` + strings.Repeat("}", 100_001), fault.WrongType, "arguments",
			"send one JSON object"},
		{strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000), fault.WrongType, "arguments", "must be of type object"},

		{`{"nam":"a"}`, fault.UnknownParameter, "nam", `did you mean "name"?`},
		{`{"Name":"a"}`, fault.UnknownParameter, "Name", `did you mean "name"?`},
		{`{"name":"a","zzz":1,"aaa":1}`, fault.UnknownParameter, "aaa",
			"known: name, kind, months, seed, small, deep, share, parts, values, free, limit, cursor"},
		{`{"name":"a","` + long + `":1}`, fault.UnknownParameter, long[:80] + "…", ""},
		{`{"name":"a","parts":[{"siz":1}]}`, fault.UnknownParameter, "parts[0].siz", `did you mean "size"?`},

		{`{"name":7}`, fault.WrongType, "name", "must be of type string"},
		{`{"name":null}`, fault.WrongType, "name", "must be of type string"},
		{`{"name":["a"]}`, fault.WrongType, "name", "must be of type string"},
		{`{"name":{"a":1}}`, fault.WrongType, "name", "must be of type string"},
		{`{"name":""}`, fault.WrongType, "name", "must match"},
		{`{"name":"../x"}`, fault.WrongType, "name", "must match"},
		{`{"name":".hidden"}`, fault.WrongType, "name", "must match"},
		{`{"name":"a/b"}`, fault.WrongType, "name", "must match"},
		{`{"name":"a\u0000"}`, fault.WrongType, "name", "must match"},
		{`{"name":"a\n"}`, fault.WrongType, "name", "must match"},
		{`{"name":"` + long + `"}`, fault.WrongType, "name", "must match"},

		{`{"name":"a","kind":"c"}`, fault.OutOfRange, "kind", "one of a, b"},
		{`{"name":"a","kind":"` + long + `"}`, fault.OutOfRange, "kind", "one of a, b"},
		{`{"name":"a","parts":[{"size":1,"colour":"gren"}]}`, fault.OutOfRange, "parts[0].colour", `did you mean "green"?`},
		{`{"name":"a","cursor":"` + long + `"}`, fault.OutOfRange, "cursor", "at most 100 characters"},

		{`{"name":"a","months":"12"}`, fault.WrongType, "months", "must be of type integer"},
		{`{"name":"a","months":true}`, fault.WrongType, "months", "must be of type integer"},
		{`{"name":"a","months":null}`, fault.WrongType, "months", "must be of type integer"},
		{`{"name":"a","months":1.5}`, fault.WrongType, "months", "must be of type integer"},
		{`{"name":"a","months":0}`, fault.OutOfRange, "months", "1 to 6000"},
		{`{"name":"a","months":-1}`, fault.OutOfRange, "months", "1 to 6000"},
		{`{"name":"a","months":6001}`, fault.OutOfRange, "months", "1 to 6000"},
		{`{"name":"a","months":9223372036854775808}`, fault.OutOfRange, "months", "1 to 6000"},
		{`{"name":"a","months":1e400}`, fault.OutOfRange, "months", "1 to 6000"},
		{`{"name":"a","small":2147483648}`, fault.OutOfRange, "small", "ordinary size"},
		{`{"name":"a","small":1e19}`, fault.OutOfRange, "small", "ordinary size"},
		{`{"name":"a","small":-1e400}`, fault.OutOfRange, "small", "ordinary size"},
		{`{"name":"a","seed":-1}`, fault.OutOfRange, "seed", "at least 0"},
		{`{"name":"a","seed":18446744073709551616}`, fault.OutOfRange, "seed", "at least 0"},
		{`{"name":"a","seed":1.5}`, fault.WrongType, "seed", "must be of type integer"},
		{`{"name":"a","share":"NaN"}`, fault.WrongType, "share", "must be of type number"},
		{`{"name":"a","share":"Infinity"}`, fault.WrongType, "share", "must be of type number"},
		{`{"name":"a","share":1.0000001}`, fault.OutOfRange, "share", "0 to 1"},
		{`{"name":"a","share":-1e-300}`, fault.OutOfRange, "share", "0 to 1"},
		{`{"name":"a","share":` + strings.Repeat("9", mega) + `}`, fault.OutOfRange, "share", "0 to 1"},
		{`{"name":"a","deep":"true"}`, fault.WrongType, "deep", "must be of type boolean"},
		{`{"name":"a","deep":1}`, fault.WrongType, "deep", "must be of type boolean"},

		{`{"name":"a","parts":{}}`, fault.WrongType, "parts", "must be of type array"},
		{`{"name":"a","parts":[1]}`, fault.WrongType, "parts[0]", "must be of type object"},
		{`{"name":"a","parts":[null]}`, fault.WrongType, "parts[0]", "must be of type object"},
		{`{"name":"a","parts":[{}]}`, fault.Required, "parts[0].size", "give number size"},
		{`{"name":"a","parts":[{"size":-1}]}`, fault.OutOfRange, "parts[0].size", "at least 0"},
		{`{"name":"a","parts":[{"size":1,"tags":["a","b","c","d"]}]}`, fault.OutOfRange, "parts[0].tags", "at most 3"},
		{`{"name":"a","values":[1]}`, fault.WrongType, "values", "must be of type object"},
		{`{"name":"a","values":{"z":null,"x":[1]}}`, fault.WrongType, "values.x", "must be of type number, boolean or string"},
		{`{"name":"a","values":{"a":1,"b":1,"c":1,"d":1}}`, fault.OutOfRange, "values", "at most 3"},
		{`{"name":"a","values":{"x":{}}}`, fault.WrongType, "values.x", "must be of type number, boolean or string"},
		{`{"name":"a","values":{"x":1e400}}`, fault.OutOfRange, "values.x", "ordinary size"},
		{`{"name":"a","free":[1]}`, fault.WrongType, "free", "must be of type object"},
		{`{"name":"a","free":"x"}`, fault.WrongType, "free", "must be of type object"},
	} {
		_, err := tool.Invoke(t.Context(), &Call{}, json.RawMessage(c.text))
		e, ok := errors.AsType[*fault.Error](err)
		if !ok {
			t.Errorf("%.80s: %v", c.text, err)
			continue
		}
		if e.Kind != c.kind || e.Field != c.field || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%.80s: %s of %.80q, hint %.100q; want %s of %.80q, hint %q", c.text, e.Kind, e.Field, e.Hint, c.kind, c.field, c.hint)
		}
		if envelope, err := json.Marshal(e); err != nil || len(envelope) > 2000 {
			t.Errorf("%.80s: an envelope of %d bytes, %v", c.text, len(envelope), err)
		}
		huge := strings.Contains(c.text, "e400") || len(c.text) > mega // numbers that only the machine cannot hold
		if inRange := strings.Contains(c.text, "small") || strings.Contains(c.text, "18446744073709551616"); !huge && !inRange && c.text != "" &&
			accepts(valid, c.text) == nil {
			t.Errorf("the schema accepts %.80s, which we refuse", c.text)
		}
	}
	if called {
		t.Error("the handler was called with wrong arguments")
	}
}

func TestAnEnumNamesAllChoices(t *testing.T) {
	tool := New(Spec{Name: "test"}, handler[arguments, inner])
	_, err := tool.Invoke(t.Context(), &Call{}, json.RawMessage(`{"name":"a","parts":[{"size":1,"colour":"gren"}]}`))
	e, _ := errors.AsType[*fault.Error](err)
	if e == nil || !slices.Equal(e.Allowed, []string{"red", "green"}) {
		t.Errorf("%+v", e)
	}
}

// A default is a fresh value in every call.
func TestDefaultsAreNotShared(t *testing.T) {
	first := mustDecode(t, `{"name":"a"}`)
	first.Limit = 7
	if again := mustDecode(t, `{"name":"a"}`); again.Limit != 20 {
		t.Errorf("limit %d", again.Limit)
	}
}

// A result fits its own schema whatever a handler leaves nil.
func TestResultsHoldNoNull(t *testing.T) {
	full := results{
		Mean: pointer(1.5), Figure: figure(math.NaN()), Colour: pointer(colour("red")),
		Rows: []inner{{Size: 1, Colour: "red"}}, ByName: map[string][]int{"a": nil},
		Values: map[string]Value{"x": {1.0}, "y": {"t"}, "z": {false}}, Free: json.RawMessage(`{"a":1}`),
		Table: map[string]*figure{"a": nil, "b": pointer(figure(math.NaN()))}, page: page{1, "c"},
	}
	for _, c := range []struct {
		answer results
		want   string
	}{
		{results{Rows: []inner{}}, `{"n":0,"mean":null,"figure":0,"colour":null,"rows":[],"by_name":{},"values":{},"free":{},"table":{},` +
			`"limit":0}`},
		{full, `{"n":0,"mean":1.5,"figure":null,"colour":"red","rows":[{"size":1,"colour":"red"}],"by_name":{"a":[]},` +
			`"values":{"x":1,"y":"t","z":false},"free":{"a":1},"table":{"a":null,"b":null},"limit":1,"cursor":"c"}`},
	} {
		tool := New(Spec{Name: "test"}, func(context.Context, *Call, struct{}) (results, error) { return c.answer, nil })
		got, err := tool.Invoke(t.Context(), &Call{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if text := strings.ReplaceAll(string(got.JSON), `,"limit":0,`, `,"limit":1,`); text != c.want {
			t.Errorf("got  %s\nwant %s", got.JSON, c.want)
		}
		if text := strings.Replace(string(got.JSON), `"limit":0`, `"limit":1`, 1); accepts(validator(t, tool.Output), text) != nil {
			t.Errorf("%s does not fit its schema: %v", got.JSON, accepts(validator(t, tool.Output), text))
		}
	}
}

func TestErrorsOfTheDomainPassThrough(t *testing.T) {
	want := fault.New(fault.Conflict, "name", "taken")
	tool := New(Spec{Name: "test"}, func(context.Context, *Call, struct{}) (inner, error) { return inner{}, want })
	if _, err := tool.Invoke(t.Context(), &Call{}, nil); err != want {
		t.Errorf("%v", err)
	}
	broken := New(Spec{Name: "test"}, func(context.Context, *Call, struct{}) (inner, error) { return inner{Size: math.Inf(1)}, nil })
	if _, err := broken.Invoke(t.Context(), &Call{}, nil); fault.KindOf(err) != fault.Internal {
		t.Errorf("an infinite number in a result: %v", err)
	}
}

// An answer of more than 64 KiB is refused, one of exactly that size is not.
func TestLongAnswers(t *testing.T) {
	type text struct {
		Text string `json:"text"`
	}
	for n, fits := range map[int]bool{MaxAnswer: true, MaxAnswer + 1: false, 1 << 20: false} {
		tool := New(Spec{Name: "test"}, func(context.Context, *Call, struct{}) (text, error) {
			return text{strings.Repeat("x", n-len(`{"text":""}`))}, nil
		})
		got, err := tool.Invoke(t.Context(), &Call{}, nil)
		if fits && (err != nil || len(got.JSON) != n) || !fits && fault.KindOf(err) != fault.LimitExceeded {
			t.Errorf("%d bytes: %d, %v", n, len(got.JSON), err)
		}
	}
}

type linkedAnswer struct {
	N int `json:"n"`
}

func (linkedAnswer) ResourceLinks() []Link { return []Link{{URI: "econ://model", Name: "model"}} }

func TestLinks(t *testing.T) {
	got, err := New(Spec{Name: "test"}, handler[struct{}, linkedAnswer]).Invoke(t.Context(), &Call{}, nil)
	if err != nil || len(got.Links) != 1 || got.Links[0].URI != "econ://model" || !bytes.Equal(got.JSON, []byte(`{"n":0}`)) {
		t.Errorf("%+v %s %v", got.Links, got.JSON, err)
	}
}

func TestValueJSON(t *testing.T) {
	for text, ok := range map[string]bool{`1.5`: true, `true`: true, `"a"`: true, `null`: false, `[1]`: false, `{}`: false, `x`: false} {
		var v Value
		if err := json.Unmarshal([]byte(text), &v); (err == nil) != ok {
			t.Errorf("%s: %v", text, err)
		} else if again, _ := json.Marshal(v); ok && string(again) != text {
			t.Errorf("%s became %s", text, again)
		}
	}
}

// BenchmarkDecode is what one call with one short argument costs.
func BenchmarkDecode(b *testing.B) {
	type args struct {
		Name string `json:"parameter_name" min:"1" max:"100"`
	}
	s := schemaOf[args](b, input)
	raw := json.RawMessage(`{"parameter_name":"unemployment_benefit_rate"}`)
	b.ReportAllocs()
	for b.Loop() {
		var in args
		if err := decode(raw, s, reflect.ValueOf(&in).Elem()); err != nil {
			b.Fatal(err)
		}
	}
}

// A text is not written for HTML: "<" takes one byte, in values and in raw parts, too.
func TestAnswersAreNotHTML(t *testing.T) {
	type answer struct {
		Text  string          `json:"text"`
		Value Value           `json:"value"`
		Raw   json.RawMessage `json:"raw"`
	}
	const text = `"<a>&</a>"`
	tool := New(Spec{Name: "test"}, func(context.Context, *Call, struct{}) (answer, error) {
		return answer{"<a>&</a>", Value{"<a>&</a>"}, []byte(`{"x":` + text + `}`)}, nil
	})
	got, err := tool.Invoke(t.Context(), &Call{}, nil)
	if want := `{"text":` + text + `,"value":` + text + `,"raw":{"x":` + text + `}}`; string(got.JSON) != want || err != nil {
		t.Errorf("%s, %v; want %s", got.JSON, err, want)
	}
	if n := JSONLength("<&>"); n != 5 {
		t.Errorf("<&> takes %d bytes", n)
	}
}

// An answer that is too long says what of this tool makes it shorter.
func TestTooLong(t *testing.T) {
	type list struct{ Page }
	type named struct {
		Arm     string   `json:"arm,omitempty"`
		Metrics []string `json:"metrics,omitempty"`
	}
	type answer struct {
		Text string `json:"text"`
	}
	long := answer{strings.Repeat("x", 2*MaxAnswer)}
	for _, c := range []struct {
		tool        Tool
		field, hint string
	}{
		{New(Spec{}, func(context.Context, *Call, list) (answer, error) { return long, nil }), "limit", "set limit to 8"},
		{New(Spec{}, func(context.Context, *Call, named) (answer, error) { return long, nil }), "", "ask for less with arm, metrics"},
		{New(Spec{}, func(context.Context, *Call, struct{}) (answer, error) { return long, nil }), "", "there is no shorter one"},
	} {
		_, err := c.tool.Invoke(t.Context(), &Call{}, json.RawMessage(`{}`))
		e, ok := errors.AsType[*fault.Error](err)
		if !ok || e.Kind != fault.LimitExceeded || e.Field != c.field || !strings.Contains(e.Hint, c.hint) {
			t.Errorf("%v; want %s, %s", err, c.field, c.hint)
		}
	}
}
