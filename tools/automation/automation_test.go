package automation_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"econ-mcp/internal/access"
	"econ-mcp/internal/design"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/param"
	"econ-mcp/sim"
	"econ-mcp/tools"
	"econ-mcp/tools/automation"
)

// library is an empty library in a folder of its own.
func library(tb testing.TB) *param.Library {
	tb.Helper()
	l, err := param.OpenLibrary(tb.TempDir(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

// call invokes a tool and checks the answer against the tool's output schema, by a
// validator that is not ours.
func call[T any](tb testing.TB, tool tools.Tool, arguments any) (T, error) {
	tb.Helper()
	var answer T
	raw, err := json.Marshal(arguments)
	if err != nil {
		tb.Fatal(err)
	}
	result, err := tool.Invoke(tb.Context(), &tools.Call{Caller: access.Operator(), Progress: func(float64, float64, string) {}}, raw)
	if err != nil {
		return answer, err
	}
	validate(tb, tool.Output, result.JSON)
	if err := json.Unmarshal(result.JSON, &answer); err != nil {
		tb.Fatal(err)
	}
	return answer, nil
}

func validate(tb testing.TB, schema *tools.Schema, instance []byte) {
	tb.Helper()
	data, err := json.Marshal(schema)
	if err != nil {
		tb.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		tb.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("tool.json", document); err != nil {
		tb.Fatal(err)
	}
	compiled, err := compiler.Compile("tool.json")
	if err != nil {
		tb.Fatal(err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(instance))
	if err != nil {
		tb.Fatal(err)
	}
	if err := compiled.Validate(value); err != nil {
		tb.Errorf("%s: %v", instance, err)
	}
}

func byName(tb testing.TB, list []tools.Tool, name string) tools.Tool {
	tb.Helper()
	i := slices.IndexFunc(list, func(t tools.Tool) bool { return t.Name == name })
	if i < 0 {
		tb.Fatalf("no tool %s", name)
	}
	return list[i]
}

type questionOf struct {
	Question string `json:"question"`
}

type analysed struct {
	Type        string  `json:"question_type"`
	Confidence  float64 `json:"confidence"`
	Levers      []struct{ Parameter, Direction string }
	Recommended map[string]any `json:"recommended_parameters"`
	Description string
}

func TestCatalogue(t *testing.T) {
	list := automation.Tools(library(t))
	var names []string
	input, all := 0, 0
	for _, tool := range list {
		names = append(names, tool.Name)
		in, _ := json.Marshal(tool.Input)
		out, _ := json.Marshal(tool.Output)
		input += len(tool.Name) + len(tool.Description) + len(in)
		all += len(tool.Name) + len(tool.Description) + len(in) + len(out)
	}
	if want := []string{"analyze_question", "generate_config_from_question", "get_experiment_workflow"}; !slices.Equal(names, want) {
		t.Errorf("tools %v, want %v", names, want)
	}
	if input > 3*600 || all > 3*2800 {
		t.Errorf("%d bytes of descriptions and inputs, %d with outputs", input, all)
	}
}

// TestTheExchange is the beginning of the exchange that must work word for word.
func TestTheExchange(t *testing.T) {
	list := automation.Tools(library(t))
	q := questionOf{"How will AI agents reshape the labor market?"}
	a, err := call[analysed](t, byName(t, list, "analyze_question"), q)
	if err != nil || a.Type != "labor_productivity" || len(a.Levers) != 1 || a.Levers[0].Parameter != "ai_adoption_rate" {
		t.Fatalf("%+v, %v", a, err)
	}
	params := sim.Defaults()
	for name, v := range a.Recommended {
		if err := params.Set(name, v); err != nil {
			t.Errorf("batch_set_parameters would refuse %s: %v", name, err)
		}
	}
	if params.AIAdoptionRate <= 0 || a.Recommended["ai_productivity_gain"] == nil {
		t.Errorf("recommended %v", a.Recommended)
	}
	g, err := call[struct {
		Success bool
		Name    string `json:"config_name"`
		Control string `json:"control_config_name"`
		Path    string
	}](t, byName(t, list, "generate_config_from_question"), q)
	if err != nil || !g.Success || g.Name == g.Control {
		t.Fatalf("%+v, %v", g, err)
	}
	if _, err := os.Stat(g.Path); err != nil {
		t.Error(err)
	}
}

// TestEveryQuestionIsAnswered: the answers to all labelled questions fit their schemas.
func TestEveryQuestionIsAnswered(t *testing.T) {
	questions, err := design.Questions()
	if err != nil {
		t.Fatal(err)
	}
	list := automation.Tools(library(t))
	for _, q := range questions {
		a, err := call[analysed](t, byName(t, list, "analyze_question"), questionOf{q.Question})
		if err != nil || len(a.Recommended) == 0 || a.Description == "" {
			t.Errorf("%s: %+v, %v", q.Question, a, err)
		}
		_, err = call[struct{}](t, byName(t, list, "generate_config_from_question"), questionOf{q.Question})
		if len(a.Levers) > 0 && err != nil || len(a.Levers) == 0 && fault.KindOf(err) != fault.InvalidState {
			t.Errorf("%s: %v", q.Question, err)
		}
	}
}

// TestWorkflow: the steps name only what exists, in an order in which each has what it
// needs, and no argument is left to guess.
func TestWorkflow(t *testing.T) {
	lib := library(t)
	list := automation.Tools(lib)
	type step struct {
		Tool        string
		Params      map[string]any `json:"tool_params"`
		Needs       []string
		Produces    []string
		RepeatUntil string `json:"repeat_until"`
	}
	plans := map[string]string{ // the outcome of the hypothesis first, over the months in which the lever is moved
		"Raise VAT from 8% to 15% for two years.": `{"direction":"lower","outcomes":["real_consumption","real_gdp","tax_revenue","cpi","unemployment_rate","income_gini","deficit_to_gdp"],"window":[1,24]}`,
		"对失业者每月发放300元会怎样？":                        `{"direction":"higher","outcomes":["real_consumption","poverty_rate","income_gini","inflation","deficit_to_gdp","unemployment_rate","wealth_gini"],"window":[1,60]}`,
	}
	for question := range plans {
		w, err := call[struct{ Steps []step }](t, byName(t, list, "get_experiment_workflow"), questionOf{question})
		if err != nil {
			t.Fatal(err)
		}
		var order []string
		have := map[string]bool{}
		for _, s := range w.Steps {
			order = append(order, s.Tool)
			for _, need := range s.Needs {
				if !have[need] {
					t.Errorf("%s needs %q, which nothing has produced", s.Tool, need)
				}
			}
			for _, product := range s.Produces {
				have[product] = true
			}
			text, _ := json.Marshal(s.Params)
			if bytes.ContainsAny(text, "<>$") || bytes.Contains(text, []byte(`"{`)) {
				t.Errorf("%s has a placeholder: %s", s.Tool, text)
			}
			if s.Tool == "generate_config_from_question" {
				if _, err := call[struct{}](t, byName(t, list, s.Tool), s.Params); err != nil {
					t.Error(err)
				}
			}
			for _, argument := range []string{"config_name", "control"} {
				if name, ok := s.Params[argument].(string); ok {
					if _, err := lib.Scenario(name); err != nil {
						t.Errorf("%s names %s, which is not there: %v", s.Tool, name, err)
					}
				}
			}
			if s.Tool == "start_simulation" {
				plan, _ := json.Marshal(s.Params["plan"])
				if string(plan) != plans[question] {
					t.Errorf("%s is judged by %s, want %s", question, plan, plans[question])
				}
			}
		}
		if want := "analyze_question generate_config_from_question load_yaml_config start_simulation get_simulation_status capture_experiment " +
			"analyze_experiment compare_experiments generate_experiment_report"; strings.Join(order, " ") != want {
			t.Errorf("steps %v", order)
		}
	}
	w, err := call[struct {
		Steps    []step
		Guidance string
	}](t, byName(t, list, "get_experiment_workflow"), questionOf{"Explain chess."})
	if err != nil || len(w.Steps) > 0 || !strings.Contains(w.Guidance, "vat_rate") {
		t.Errorf("a question about something else: %+v, %v", w, err)
	}
}

func TestBadCalls(t *testing.T) {
	list := automation.Tools(library(t))
	for _, c := range []struct {
		tool      string
		arguments string
		want      fault.Kind
		field     string
	}{
		{"analyze_question", `{}`, fault.Required, "question"},
		{"analyze_question", `{"question":""}`, fault.WrongType, "question"},
		{"analyze_question", `{"question":7}`, fault.WrongType, "question"},
		{"analyze_question", `{"question":"` + strings.Repeat("x", 4001) + `"}`, fault.OutOfRange, "question"},
		{"analyze_question", `{"question":"VAT","extra":1}`, fault.UnknownParameter, "extra"},
		{"generate_config_from_question", `{"question":"raise VAT","base_config_name":"../x"}`, fault.WrongType, "base_config_name"},
		{"generate_config_from_question", `{"question":"raise VAT","base_config_name":"nothing"}`, fault.NotFound, "base_config_name"},
		{"generate_config_from_question", `{"question":"who are you"}`, fault.InvalidState, "question"},
		{"get_experiment_workflow", `{"question":"!!!"}`, fault.WrongType, "question"},
	} {
		_, err := byName(t, list, c.tool).Invoke(t.Context(), &tools.Call{Caller: access.Operator()}, json.RawMessage(c.arguments))
		e, ok := errors.AsType[*fault.Error](err)
		if !ok || e.Kind != c.want || e.Field != c.field || e.Hint == "" {
			t.Errorf("%s %.60s: %v", c.tool, c.arguments, err)
		}
	}
}

// What is no question about an economy is refused by all tools alike, or, where it can be
// read, answered by what may be asked; no configuration is made of it.
func TestNoQuestion(t *testing.T) {
	lib := library(t)
	list := automation.Tools(lib)
	for question, want := range map[string]struct {
		kind fault.Kind
		says string
	}{
		"":                                       {fault.WrongType, "no words"},
		"?!":                                     {fault.WrongType, "no words"},
		strings.Repeat("税", 34_000):              {fault.OutOfRange, "characters"},
		"Que se passe-t-il si la TVA augmente ?": {fault.WrongType, "French"},
		"Was passiert, wenn die Mehrwertsteuer auf 15 % steigt?": {fault.WrongType, "German"},
		"¿Qué pasa si sube el IVA?":                              {fault.WrongType, "Spanish"},
		"消費税を上げるとどうなりますか？":                                       {fault.WrongType, "Japanese"},
	} {
		for _, tool := range list {
			raw, _ := json.Marshal(questionOf{question})
			_, err := tool.Invoke(t.Context(), &tools.Call{Caller: access.Operator()}, raw)
			e, ok := errors.AsType[*fault.Error](err)
			if !ok || e.Kind != want.kind || e.Field != "question" || e.Hint == "" || !strings.Contains(e.Message, want.says) ||
				len(e.Error()) > 400 {
				t.Errorf("%s of %.40q: %v", tool.Name, question, err)
			}
		}
	}
	for _, question := range []string{"What is the weather tomorrow?", "明天天气怎么样？", "Tell me a joke.", "How do I bake bread?"} {
		a, err := call[analysed](t, byName(t, list, "analyze_question"), questionOf{question})
		if err != nil || a.Type != "other" || len(a.Levers) > 0 || !strings.Contains(a.Description, "vat_rate") {
			t.Errorf("%s: %+v, %v", question, a, err)
		}
		_, err = call[struct{}](t, byName(t, list, "generate_config_from_question"), questionOf{question})
		if e, ok := errors.AsType[*fault.Error](err); !ok || e.Kind != fault.InvalidState || !strings.Contains(e.Hint, "VAT") {
			t.Errorf("%s: %v", question, err)
		}
		w, err := call[struct {
			Steps    []struct{}
			Guidance string
		}](t, byName(t, list, "get_experiment_workflow"), questionOf{question})
		if err != nil || len(w.Steps) > 0 || !strings.Contains(w.Guidance, "vat_rate") {
			t.Errorf("%s: %+v, %v", question, w, err)
		}
	}
	if page, err := lib.ConfigPage(t.Context(), "", 10); err != nil || page.Total > 0 {
		t.Errorf("configs %+v, %v", page, err)
	}
}

// TestLongQuestions: a question of the largest length gets an answer, whatever characters
// it has, and the steps of the workflow hold it whole.
func TestLongQuestions(t *testing.T) {
	list := automation.Tools(library(t))
	const begin, end = "Raise VAT from 8% to 15% for two years ", " and then raise the VAT again to 20%"
	for _, c := range []string{
		"<", "&", `"`, `\`, "\u2028", "\x01", "😀", "𠀀", "税", "é ", "a ", "tax ", "VAT ", "提高增值税", "raise VAT to 9% ", "wealth tax ",
	} {
		n := (design.MaxQuestion - len(begin) - len(end)) / len([]rune(c))
		question := begin + strings.Repeat(c, n) + end
		for _, tool := range list {
			raw, _ := json.Marshal(questionOf{question})
			got, err := tool.Invoke(t.Context(), &tools.Call{Caller: access.Operator()}, raw)
			if err != nil {
				t.Errorf("%s of %d × %q: %v", tool.Name, n, c, err)
			}
			if tool.Name != "get_experiment_workflow" || c == "\x01" || c == "\u2028" {
				continue
			}
			var w struct {
				Steps []struct {
					Params struct{ Question string } `json:"tool_params"`
				}
			}
			if err := json.Unmarshal(got.JSON, &w); err != nil || len(w.Steps) < 2 || w.Steps[1].Params.Question != question {
				t.Errorf("%d × %q: %v, steps without the question: %.300s", n, c, err, got.JSON)
			}
		}
	}
}
