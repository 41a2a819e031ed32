package toolstest_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"econ-mcp/sim"
	"econ-mcp/tools"
	"econ-mcp/tools/toolstest"
)

// largest is a value of a schema at its maximum: the longest text and list, the greatest
// number. Texts are made of one character.
func largest(s *tools.Schema, character string) any {
	most := 0
	if s.Max != nil {
		most = int(*s.Max)
	}
	switch {
	case s.Enum != nil:
		return s.Enum[len(s.Enum)-1]
	case strings.HasPrefix(s.Pattern, "^[A-Z"): // a name
		return "n" + strings.Repeat("-", 99)
	case s.Pattern != "": // a tag
		return strings.Repeat(character, 100)
	}
	switch s.Types[0] {
	case "string":
		return strings.Repeat(character, most)
	case "integer", "number":
		if s.Max == nil {
			return 1
		}
		return *s.Max
	case "boolean":
		return true
	case "array":
		list := make([]any, most)
		for i := range list {
			list[i] = largest(s.Items, character)
		}
		return list
	}
	members := map[string]any{}
	for _, p := range s.Properties {
		if p.Schema.Max != nil || p.Schema.Types[0] == "boolean" {
			members[p.Name] = largest(p.Schema, character)
		}
	}
	return members
}

// values are values of all parameters, or of the live ones, beside the sizes.
func values(live bool) map[string]any {
	list := map[string]any{}
	for _, row := range sim.Catalogue() {
		if (row.Live || !live) && row.Category != "system_scale" && row.Name != "confidence_shock" {
			list[row.Name] = row.Default
		}
	}
	return list
}

// Every tool that writes does so at the maxima of its arguments, or says no: an error,
// also of an answer that would be too long, is one after which nothing is different.
func TestMaximaOfWritingTools(t *testing.T) {
	name := "n" + strings.Repeat("-", 99)
	var parameters []string
	for _, row := range sim.Catalogue() {
		parameters = append(parameters, row.Name)
	}
	long := strings.Repeat("(unemployment_rate > 0.1) or ", 16) + "inflation > 1"
	question := func(character string) string {
		begin := "Raise VAT from 8% to 15%, cut the income tax by 10%, double unemployment benefits and introduce a basic income of 300. "
		return begin + strings.Repeat(character, 4000-len(begin))
	}
	for _, character := range []string{"<", "\x01", "😀"} {
		t.Run(fmt.Sprintf("%q", character), func(t *testing.T) {
			d := toolstest.New(t, toolstest.Settings{})
			d.PlanAhead(3)
			d.Run("done", `"control":"baseline","replications":2`)
			d.Call("capture_experiment", `{"experiment_name":"done"}`)
			d.Call("start_simulation", `{"experiment_name":"late","pause_at_month":2}`)
			d.Wait("late", "paused")
			// special are the arguments that mean something; nil leaves one out. A second
			// call is of what the first one made.
			special := map[string][]map[string]any{
				"set_parameter": {{"parameter_name": "tariff_schedule_of_no_one"},
					{"parameter_name": "income_tax_brackets", "value": strings.Repeat("9:0.5,", 2000)}, {"parameter_name": "vat_rate", "value": .6}},
				"batch_set_parameters": {{"parameters": values(false)}, {"parameters": values(false), "scenario_name": "again"}},
				"reset_parameters":     {{"parameters": parameters}, {"parameters": nil}},
				"save_preset":          {{"parameters": nil}, {"parameters": values(false)}},
				"load_preset":          {{"name": name}, {"name": "again"}},
				"load_yaml_config":     {{"config_name": name, "mode": "replace"}, {"config_name": name, "mode": "overlay"}},
				"pause_simulation":     {{"experiment_name": "late"}},
				"resume_simulation":    {{"experiment_name": "late", "pause_at_month": 3}, {"experiment_name": "late", "pause_at_month": 6000}},
				"inject_intervention": {
					{"intervention_type": "parameter_change", "parameters": values(true), "target_month": 9, "duration_months": 4, "ramp_months": 3,
						"when": long, "arm": nil, "experiment_name": "late"},
					{"intervention_type": "policy", "parameters": map[string]any{"policy": "austerity", "level": .02}, "target_month": 9, "when": long,
						"arm": nil, "experiment_name": nil},
					{"intervention_type": "parameter_change", "parameters": values(true), "target_month": 12, "when": long, "experiment_name": nil,
						"arm": nil},
				},
				"cancel_intervention": {{"intervention_id": "late/main/1"}, {"intervention_id": "late/treatment/1"}, {}},
				"start_simulation": {{"replications": 2, "months": 12, "control": "baseline", "pause_at_month": nil, "plan": nil,
					"wait_seconds": 60}, {"experiment_name": "m", "months": 12, "replications": 1, "pause_at_month": 1, "control": nil}},
				"stop_simulation":               {{"experiment_name": "late"}, {}},
				"capture_experiment":            {{"experiment_name": "done"}, {}},
				"update_experiment_status":      {{"experiment_name": "done"}, {}},
				"analyze_experiment":            {{"experiment_name": "done", "window": []int{2, 12}}, {"experiment_name": "done"}},
				"generate_config_from_question": {{"question": question(character), "base_config_name": "baseline"}, {"base_config_name": name}},
			}
			space, err := d.Spaces.Open(t.Context(), toolstest.Workspace)
			if err != nil {
				t.Fatal(err)
			}
			for i := range 60 { // what the next start, and what is saved, has planned
				_, err := space.Plan(t.Context(), sim.Intervention{
					Type: sim.TypeInjection, TargetMonth: 1 + i%12, When: long, Description: strings.Repeat(character, 1000),
					Injection: sim.Injection{Group: "all", Amount: 1},
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			done := 0
			for _, tool := range slices.Concat(d.Tools(), d.Tools()) { // the second time there are more names
				if tool.Hints.ReadOnly {
					continue
				}
				calls := special[tool.Name]
				if calls == nil {
					calls = []map[string]any{{}}
				}
				for _, call := range calls {
					arguments := largest(tool.Input, character).(map[string]any)
					for _, p := range tool.Input.Properties {
						if _, there := arguments[p.Name]; !there && (p.Schema.Pattern != "" || p.Schema.Enum != nil) {
							arguments[p.Name] = largest(p.Schema, character)
						}
					}
					for key, v := range call {
						if arguments[key] = v; v == nil {
							delete(arguments, key)
						}
					}
					text, err := json.Marshal(arguments)
					if err != nil {
						t.Fatal(err)
					}
					before := d.State()
					answer, err := d.Try(tool.Name, string(text))
					if err == nil {
						done++
						d.Rest()
						if len(answer.JSON) > tools.MaxAnswer {
							t.Errorf("%s %.200s: %d bytes", tool.Name, text, len(answer.JSON))
						}
						continue
					}
					t.Logf("%s %.100s: %.200v", tool.Name, text, err)
					if after := d.State(); !maps.Equal(before, after) {
						for key := range after {
							if before[key] != after[key] {
								t.Errorf("%s %.200s: %.300v, and %s changed", tool.Name, text, err, key)
							}
						}
					}
				}
			}
			if done < 16 {
				t.Errorf("only %d calls were carried out", done)
			}
		})
	}
}
