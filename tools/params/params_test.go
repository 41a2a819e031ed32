package params_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/param"
	"econ-mcp/presets"
	"econ-mcp/sim"
	"econ-mcp/tools"
	"econ-mcp/tools/params"
	"econ-mcp/tools/toolstest"
)

// harness is a server's tools as a caller in one workspace sees them.
type harness struct {
	tb     testing.TB
	dir    string
	lib    *param.Library
	spaces *param.Spaces
	tools  map[string]tools.Tool
	fits   map[string]*jsonschema.Schema
}

func newHarness(tb testing.TB) *harness {
	tb.Helper()
	d := &harness{tb: tb, dir: tb.TempDir(), tools: map[string]tools.Tool{}, fits: map[string]*jsonschema.Schema{}}
	var err error
	if d.lib, err = param.OpenLibrary(d.dir, nil); err != nil {
		tb.Fatal(err)
	}
	d.spaces = param.NewSpaces(d.lib, nil)
	for _, t := range params.Tools(d.spaces, d.lib) {
		d.tools[t.Name] = t
		text, err := json.Marshal(t.Output)
		if err != nil {
			tb.Fatal(err)
		}
		document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			tb.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(t.Name, document); err != nil {
			tb.Fatal(err)
		}
		if d.fits[t.Name], err = c.Compile(t.Name); err != nil {
			tb.Fatalf("%s: %v", t.Name, err)
		}
	}
	return d
}

func (d *harness) try(tool, arguments string) ([]byte, error) {
	got, err := d.tools[tool].Invoke(d.tb.Context(), &tools.Call{Caller: access.Operator(), Workspace: "default"}, json.RawMessage(arguments))
	return got.JSON, err
}

// call wants an answer, checks it against the schema that the tool publishes, and reads it.
func (d *harness) call(tool, arguments string) map[string]any {
	d.tb.Helper()
	text, err := d.try(tool, arguments)
	if err != nil {
		d.tb.Fatalf("%s %.200s: %v", tool, arguments, err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		d.tb.Fatalf("%s: %v in %s", tool, err, text)
	}
	if err := d.fits[tool].Validate(v); err != nil {
		d.tb.Errorf("%s %.200s answers beside its schema: %v\n%.2000s", tool, arguments, err, text)
	}
	if len(text) > tools.MaxAnswer {
		d.tb.Errorf("%s: %d bytes", tool, len(text))
	}
	var out map[string]any
	if err := json.Unmarshal(text, &out); err != nil {
		d.tb.Fatal(err)
	}
	return out
}

func (d *harness) want(tool, arguments string, members map[string]any) map[string]any {
	d.tb.Helper()
	got := d.call(tool, arguments)
	for path, want := range members {
		if v := toolstest.At(got, path); !reflect.DeepEqual(v, want) {
			d.tb.Errorf("%s %.200s: %s = %v, want %v", tool, arguments, path, v, want)
		}
	}
	return got
}

func (d *harness) workspace() *param.Workspace {
	d.tb.Helper()
	w, err := d.spaces.Open(d.tb.Context(), "default")
	if err != nil {
		d.tb.Fatal(err)
	}
	return w
}

func TestNamesAndHints(t *testing.T) {
	d := newHarness(t)
	list := params.Tools(d.spaces, d.lib)
	var names []string
	for _, tool := range list {
		names = append(names, tool.Name)
		if tool.Category != tools.Parameters || tool.Title == "" || tool.TitleZH == "" || tool.Description == "" {
			t.Errorf("%s: %+v", tool.Name, tool.Spec)
		}
	}
	want := []string{"get_all_parameters", "get_parameter", "set_parameter", "batch_set_parameters", "validate_parameters",
		"reset_parameters", "save_preset", "load_preset", "list_presets", "get_parameter_ranges"}
	if !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}

func TestGetAllParameters(t *testing.T) {
	d := newHarness(t)
	all := len(sim.Catalogue())
	d.want("get_all_parameters", `{}`, map[string]any{
		"count": float64(all), "text": nil,
		"categories.tax_policy.2.name": "vat_rate", "categories.tax_policy.2.value": .08, "categories.tax_policy.2.max_value": .6,
		"categories.tax_policy.2.live": true, "categories.tax_policy.2.category": "tax_policy", "categories.monetary.0.choices.1": "fixed",
		"categories.monetary.0.min_value": nil, "categories.monitoring.1.value": true,
	})
	d.call("set_parameter", `{"parameter_name":"vat_rate","value":0.1}`)
	d.want("get_all_parameters", `{"category":"tax_policy","format":"json"}`, map[string]any{
		"count": float64(11), "categories.tax_policy.2.value": .1, "categories.tax_policy.2.default_value": .08, "categories.fiscal": nil,
		"categories.tax_policy.0.description": "Tax rate on wages above the allowance, on interest and on dividends.",
	})
	for format, want := range map[string]string{
		"markdown": "| vat_rate | 0.1 | 0.08 | 0 to 0.6 | share of the net price | Value-added tax rate on household purchases. |\n",
		"table":    "\ntax_policy\n  income_tax_rate ",
	} {
		got := d.want("get_all_parameters", `{"format":"`+format+`"}`, map[string]any{"count": float64(all), "categories": map[string]any{}})
		text, _ := got["text"].(string)
		if !strings.Contains(text, want) || strings.Count(text, "\n") < all {
			t.Errorf("%s: %.300s", format, text)
		}
	}
}

// However long the values are, the list of all parameters stays an answer.
func TestAllParametersFitWhateverTheirValues(t *testing.T) {
	d := newHarness(t)
	w := d.workspace()
	for _, row := range sim.Catalogue() {
		var value any
		switch row.Type {
		case sim.TypeNumber:
			value = row.Min + (row.Max-row.Min)/3 + math.Pi/1e5*(row.Max-row.Min)
		case sim.TypeSchedule:
			var pairs []string
			for i := range 100 {
				key := fmt.Sprint(float64(i) + 1/math.Pi)
				if row.Keys == sim.KeysIndustry {
					if i == 12 {
						break
					}
					key = fmt.Sprintf("%02d", i+1)
				}
				pairs = append(pairs, fmt.Sprint(key, ": ", row.Max/math.E))
			}
			value = strings.Join(pairs, ", ")
		default:
			continue
		}
		if _, err := w.Set(t.Context(), row.Name, value, false); err != nil {
			t.Fatal(err)
		}
	}
	for _, format := range []string{"json", "markdown", "table"} {
		text, err := d.try("get_all_parameters", `{"format":"`+format+`"}`)
		if err != nil {
			t.Errorf("%s: %v", format, err)
		}
		t.Logf("%s: %d bytes", format, len(text))
	}
	names := []string{}
	for _, row := range sim.Catalogue() {
		names = append(names, row.Name)
	}
	values := map[string]any{}
	s := w.Scenario()
	for _, name := range names {
		values[name], _ = s.Params.Get(name)
	}
	arguments, err := json.Marshal(map[string]any{"parameters": values})
	if err != nil {
		t.Fatal(err)
	}
	got := d.want("batch_set_parameters", string(arguments),
		map[string]any{"updated_count": float64(len(names)), "failed_count": 0.0, "success": true})
	if n := len(got["details"].(map[string]any)); n != len(names) {
		t.Errorf("%d details", n)
	}
	d.call("validate_parameters", string(arguments))
	d.call("save_preset", `{"name":"full"}`)
	d.call("load_preset", `{"name":"full","apply":true}`)
	d.call("load_preset", `{"name":"baseline","apply":true}`)
	d.call("load_preset", `{"name":"full","apply":true}`)
	if n := len(d.call("reset_parameters", `{}`)["reset"].([]any)); n < 150 {
		t.Errorf("%d were reset", n)
	}
}

// get_parameter explains each parameter in full.
func TestGetParameter(t *testing.T) {
	d := newHarness(t)
	for _, row := range sim.Catalogue() {
		got := d.want("get_parameter", `{"parameter_name":"`+row.Name+`"}`, map[string]any{
			"name": row.Name, "description": row.Meaning, "impact": row.Effect, "source": row.Source, "live": row.Live, "type": string(row.Type),
			"category": row.Category,
		})
		if formula, _ := got["formula"].(string); !row.Technical && !strings.Contains(formula, row.Name) || formula == "" {
			t.Errorf("%s: formula %q", row.Name, formula)
		}
	}
}

func TestSetParameter(t *testing.T) {
	d := newHarness(t)
	none := []any{}
	d.want("set_parameter", `{"parameter_name":"vat_rate","value":0.1}`, map[string]any{
		"success": true, "valid": true, "old_value": .08, "new_value": .1, "warnings": none, "errors": none})
	got := d.want("set_parameter", `{"parameter_name":"vat_rate","value":0.5}`, map[string]any{"success": true, "valid": true, "errors": none})
	if text, _ := toolstest.At(got, "warnings.0").(string); !strings.Contains(text, "Hungary") {
		t.Errorf("warnings %v", got["warnings"])
	}
	d.want("set_parameter", `{"parameter_name":"vat_rate","value":0.4,"validate":false}`, map[string]any{"warnings": none})
	d.want("set_parameter", `{"parameter_name":"enable_trade","value":false}`, map[string]any{"old_value": true, "new_value": false})
	got = d.call("set_parameter", `{"parameter_name":"tariff_rate","value":0.1}`)
	if text, _ := toolstest.At(got, "warnings.0").(string); !strings.Contains(text, "does nothing without enable_trade") {
		t.Errorf("warnings %v", got["warnings"])
	}
	d.want("set_parameter", `{"parameter_name":"policy_rate_rule","value":"fixed"}`,
		map[string]any{"old_value": "taylor", "new_value": "fixed"})
	d.want("set_parameter", `{"parameter_name":"vat_rates_by_industry","value":"07: 0.2, 1: 0.05"}`,
		map[string]any{"old_value": "none", "new_value": "01: 0.05, 07: 0.2"})
	d.want("get_parameter", `{"parameter_name":"tariff_rate"}`, map[string]any{"value": .1, "default_value": 0.0})
}

func TestBatchSetParameters(t *testing.T) {
	d := newHarness(t)
	d.want("batch_set_parameters", `{"parameters":{"vat_rate":0.1,"enable_trade":false,"policy_rate_rule":"fixed"},"scenario_name":"mine"}`,
		map[string]any{
			"success": true, "updated_count": 3.0, "failed_count": 0.0, "scenario_name": "mine",
			"details.vat_rate.old_value": .08, "details.vat_rate.new_value": .1, "details.enable_trade.new_value": false})
	d.want("load_preset", `{"name":"mine"}`, map[string]any{"parameters.vat_rate": .1, "applied": false, "changed": map[string]any{}})
	d.want("batch_set_parameters", `{"parameters":{}}`, map[string]any{"updated_count": 0.0, "scenario_name": ""})
}

func TestValidateParameters(t *testing.T) {
	d := newHarness(t)
	d.want("validate_parameters", `{"parameters":{"vat_rate":0.1}}`,
		map[string]any{"valid": true, "details.vat_rate.valid": true, "cross_checks": []any{}})
	got := d.want("validate_parameters", `{"parameters":{"vat_rate":7,"vat":1,"benefit_months":"x","income_tax_rate":0.2}}`, map[string]any{
		"valid": false, "details.vat_rate.valid": false, "details.vat.valid": false, "details.income_tax_rate.valid": true,
		"details.vat_rate.errors.0": "out_of_range: vat_rate = 7; allowed 0 to 0.6"})
	if text, _ := toolstest.At(got, "details.vat.errors.0").(string); !strings.Contains(text, "vat_rate") {
		t.Errorf("no near name in %q", text)
	}
	d.want("validate_parameters", `{"parameters":{"redistribution_poverty_weight":0.8}}`, map[string]any{
		"valid": true, "cross_checks.0.severity": "warning", "cross_checks.0.parameters.0": "redistribution_poverty_weight"})
	d.want("validate_parameters", `{"parameters":{"num_households":100}}`, map[string]any{
		"valid": false, "details.num_households.valid": true, "cross_checks.0.severity": "error"})
	d.want("get_parameter", `{"parameter_name":"vat_rate"}`, map[string]any{"value": .08})
}

func TestResetParameters(t *testing.T) {
	d := newHarness(t)
	d.call("batch_set_parameters", `{"parameters":{"vat_rate":0.1,"income_tax_rate":0.3}}`)
	d.want("reset_parameters", `{"parameters":["vat_rate"]}`, map[string]any{"reset_count": 1.0, "reset": []any{"vat_rate"}})
	d.want("reset_parameters", `{}`, map[string]any{"reset_count": 1.0, "reset": []any{"income_tax_rate"}})
	got := d.want("reset_parameters", `{}`, map[string]any{"reset_count": 0.0, "reset": []any{}})
	if got["message"] == "" {
		t.Error("no message")
	}
	if p := d.workspace().Scenario().Params; p != sim.Defaults() {
		t.Errorf("differs in %q", sim.Diff(p, sim.Defaults()))
	}
}

func TestPresets(t *testing.T) {
	d := newHarness(t)
	d.want("list_presets", `{}`, map[string]any{"count": float64(len(presets.Names())), "total": float64(len(presets.Names())),
		"presets.0.built_in": true, "presets.0.created_at": nil, "next_cursor": nil})
	d.call("set_parameter", `{"parameter_name":"vat_rate","value":0.1}`)
	saved := d.want("save_preset", `{"name":"zz1","description":"mine"}`, map[string]any{"name": "zz1"})
	if n, _ := saved["parameter_count"].(float64); n < 190 {
		t.Errorf("%v parameters", n)
	}
	if path, _ := saved["path"].(string); path != filepath.Join(d.dir, "presets", "zz1.yaml") {
		t.Errorf("path %q", path)
	}
	d.want("save_preset", `{"name":"zz2","parameters":{"vat_rate":0.2,"tax_allowance":0.2}}`, map[string]any{"parameter_count": 2.0})
	page := d.want("list_presets", `{"limit":5}`, map[string]any{"count": 5.0})
	cursor, _ := page["next_cursor"].(string)
	if cursor == "" {
		t.Fatal("no next page")
	}
	d.want("list_presets", `{"limit":200,"cursor":"`+cursor+`"}`,
		map[string]any{"count": float64(len(presets.Names()) + 2 - 5), "total": float64(len(presets.Names()) + 2)})
	d.want("list_presets", `{"cursor":"zz1"}`, map[string]any{"count": 1.0, "presets.0.name": "zz2", "presets.0.parameter_count": 2.0,
		"presets.0.built_in": false})

	d.want("load_preset", `{"name":"zz2"}`, map[string]any{"applied": false,
		"parameters": map[string]any{"vat_rate": .2, "tax_allowance": .2}, "changed": map[string]any{}})
	d.want("get_parameter", `{"parameter_name":"vat_rate"}`, map[string]any{"value": .1})
	d.want("load_preset", `{"name":"zz2","apply":true}`, map[string]any{"applied": true, "description": "",
		"changed": map[string]any{"vat_rate": map[string]any{"old_value": .1, "new_value": .2}}})
	d.want("load_preset", `{"name":"zz1","apply":true}`, map[string]any{"description": "mine", "changed.vat_rate.new_value": .1})
	d.want("load_preset", `{"name":"austerity","apply":true}`, map[string]any{
		"created_at": nil, "interventions.0": "from month 1, in 12 steps: policy austerity 0.15"})
	d.want("save_preset", `{"name":"zz1","overwrite":true}`, map[string]any{"name": "zz1"})

	if err := os.WriteFile(filepath.Join(d.dir, "presets", "zz3.yaml"), []byte("parameters: {vat: 1}"), 0o644); err != nil {
		t.Fatal(err)
	}
	got := d.want("list_presets", `{"cursor":"zz2"}`, map[string]any{"count": 1.0, "presets.0.parameter_count": 0.0})
	if text, _ := toolstest.At(got, "presets.0.error").(string); !strings.Contains(text, "line 1, column 14") {
		t.Errorf("error %q", text)
	}
}

// What a preset plans may be long: applied, it must still have an answer.
func TestLongPresets(t *testing.T) {
	d := newHarness(t)
	var b strings.Builder
	fmt.Fprintf(&b, "description: %s\ninterventions:\n", strings.Repeat("word ", 20_000))
	for i := range 1000 {
		fmt.Fprintf(&b, "  - {target_month: %d, description: %s, parameters: {vat_rate: 0.1}}\n", i+1, strings.Repeat("x", 700))
	}
	if err := os.WriteFile(filepath.Join(d.dir, "presets", "long.yaml"), []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if n := len(d.call("load_preset", `{"name":"long","apply":true}`)["interventions"].([]any)); n != 50 {
		t.Errorf("%d interventions shown", n)
	}
	if n := len(d.workspace().Planned()); n != 1000 {
		t.Errorf("%d planned", n)
	}
	d.call("list_presets", `{}`)
}

func TestGetParameterRanges(t *testing.T) {
	d := newHarness(t)
	got := d.want("get_parameter_ranges", `{}`, map[string]any{
		"vat_rate": map[string]any{"type": "number", "min": 0.0, "max": .6, "choices": []any{}, "default": .08,
			"unit": "share of the net price"},
		"policy_rate_rule": map[string]any{"type": "choice", "min": nil, "max": nil, "choices": []any{"taylor", "fixed"}, "default": "taylor",
			"unit": ""},
	})
	if len(got) != len(sim.Catalogue()) {
		t.Errorf("%d ranges", len(got))
	}
	if got := d.call("get_parameter_ranges", `{"category":"tax_policy"}`); len(got) != 11 {
		t.Errorf("%d ranges of taxes", len(got))
	}
}

// Wrong calls have their codes, name the field, say the next move, and change nothing.
func TestWrongCalls(t *testing.T) {
	d := newHarness(t)
	d.call("batch_set_parameters", `{"parameters":{"vat_rate":0.1},"scenario_name":"mine"}`)
	if err := os.WriteFile(filepath.Join(d.dir, "presets", "broken.yaml"), []byte("parameters:\n  vat_rate: 7\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	before, files := d.workspace().Scenario(), listFiles(t, d.dir)
	mega := strings.Repeat("x", 1<<20)
	deep := strings.Repeat("[", 100_000)
	for _, c := range []struct {
		tool, arguments string
		want            fault.Kind
		field           string
	}{
		{"get_all_parameters", `{"category":"taxes"}`, fault.OutOfRange, "category"},
		{"get_all_parameters", `{"category":7}`, fault.WrongType, "category"},
		{"get_all_parameters", `{"category":null}`, fault.WrongType, "category"},
		{"get_all_parameters", `{"format":"xml"}`, fault.OutOfRange, "format"},
		{"get_all_parameters", `{"categories":"all"}`, fault.UnknownParameter, "categories"},
		{"get_all_parameters", deep, fault.WrongType, "arguments"},
		{"get_parameter", `{}`, fault.Required, "parameter_name"},
		{"get_parameter", `{"name":"vat_rate","parameter_name":"vat_rate"}`, fault.Conflict, "name"},
		{"get_parameter", `{"parameter_name":"vat"}`, fault.UnknownParameter, "vat"},
		{"get_parameter", `{"parameter_name":""}`, fault.UnknownParameter, ""},
		{"get_parameter", `{"parameter_name":"` + mega + `"}`, fault.UnknownParameter, mega[:80] + "…"},
		{"get_parameter", `{"parameter_name":["vat_rate"]}`, fault.WrongType, "parameter_name"},
		{"set_parameter", `{"parameter_name":"vat_rate"}`, fault.Required, "value"},
		{"set_parameter", `{"parameter_name":"vat","value":1}`, fault.UnknownParameter, "vat"},
		{"set_parameter", `{"parameter_name":"vat_rate","value":0.7}`, fault.OutOfRange, "vat_rate"},
		{"set_parameter", `{"parameter_name":"vat_rate","value":0.7,"validate":false}`, fault.OutOfRange, "vat_rate"},
		{"set_parameter", `{"parameter_name":"vat_rate","value":"NaN"}`, fault.OutOfRange, "vat_rate"},
		{"set_parameter", `{"parameter_name":"vat_rate","value":"Infinity"}`, fault.OutOfRange, "vat_rate"},
		{"set_parameter", `{"parameter_name":"vat_rate","value":1e400}`, fault.OutOfRange, "value"},
		{"set_parameter", `{"parameter_name":"vat_rate","value":NaN}`, fault.WrongType, "arguments"},
		{"set_parameter", `{"parameter_name":"vat_rate","value":null}`, fault.WrongType, "value"},
		{"set_parameter", `{"parameter_name":"vat_rate","value":[0.1]}`, fault.WrongType, "value"},
		{"set_parameter", `{"parameter_name":"vat_rate","value":{"a":0.1}}`, fault.WrongType, "value"},
		{"set_parameter", `{"parameter_name":"vat_rate","value":true}`, fault.WrongType, "vat_rate"},
		{"set_parameter", `{"parameter_name":"vat_rate","value":"` + mega + `"}`, fault.WrongType, "vat_rate"},
		{"set_parameter", `{"parameter_name":"benefit_months","value":2.5}`, fault.WrongType, "benefit_months"},
		{"set_parameter", `{"parameter_name":"policy_rate_rule","value":"free"}`, fault.OutOfRange, "policy_rate_rule"},
		{"set_parameter", `{"parameter_name":"num_households","value":100}`, fault.Conflict, "num_households"},
		{"batch_set_parameters", `{"parameters":{"income_tax_rate":0.3,"vat_rate":7}}`, fault.OutOfRange, "vat_rate"},
		{"batch_set_parameters", `{"parameters":{"income_tax_rate":0.3,"vat":0.1}}`, fault.UnknownParameter, "vat"},
		{"batch_set_parameters", `{"parameters":{"income_tax_rate":0.3,"vat_rate":null}}`, fault.WrongType, "parameters.vat_rate"},
		{"batch_set_parameters", `{"parameters":[0.1]}`, fault.WrongType, "parameters"},
		{"batch_set_parameters", `{"parameters":{"vat_rate":0.2},"scenario_name":"mine"}`, fault.Conflict, "scenario_name"},
		{"batch_set_parameters", `{"parameters":{"vat_rate":0.2},"scenario_name":"ubi"}`, fault.Conflict, "scenario_name"},
		{"batch_set_parameters", `{"parameters":{"vat_rate":0.2},"scenario_name":"../x"}`, fault.WrongType, "scenario_name"},
		{"batch_set_parameters", `{"parameters":{"vat_rate":0.2},"scenario_name":""}`, fault.WrongType, "scenario_name"},
		{"validate_parameters", `{"parameters":` + many(400_000) + `}`, fault.OutOfRange, "parameters"},
		{"batch_set_parameters", `{"parameters":` + many(301) + `}`, fault.OutOfRange, "parameters"},
		{"validate_parameters", `{}`, fault.Required, "parameters"},
		{"reset_parameters", `{"parameters":["vat"]}`, fault.UnknownParameter, "vat"},
		{"reset_parameters", `{"parameters":["vat_rate","` + mega + `"]}`, fault.UnknownParameter, mega[:80] + "…"},
		{"reset_parameters", `{"parameters":[]}`, fault.OutOfRange, "parameters"},
		{"reset_parameters", `{"parameters":"vat_rate"}`, fault.WrongType, "parameters"},
		{"save_preset", `{"name":"mine"}`, fault.Conflict, "name"},
		{"save_preset", `{"name":"baseline","overwrite":true}`, fault.Conflict, "name"},
		{"save_preset", `{"name":"new","parameters":{}}`, fault.OutOfRange, "parameters"},
		{"save_preset", `{"name":"../../x"}`, fault.WrongType, "name"},
		{"save_preset", `{"name":"` + mega + `"}`, fault.WrongType, "name"},
		{"save_preset", `{"name":"new","description":"` + mega + `"}`, fault.OutOfRange, "description"},
		{"save_preset", `{"name":"new","parameters":{"vat_rate":7}}`, fault.OutOfRange, "vat_rate"},
		{"save_preset", `{"name":"new","parameters":{"num_households":100}}`, fault.Conflict, "num_households"},
		{"load_preset", `{"name":"absent","apply":true}`, fault.NotFound, "name"},
		{"load_preset", `{"name":"broken","apply":true}`, fault.OutOfRange, "vat_rate"},
		{"load_preset", `{"name":"..","apply":true}`, fault.WrongType, "name"},
		{"load_preset", `{"name":"ubi","apply":"yes"}`, fault.WrongType, "apply"},
		{"list_presets", `{"limit":0}`, fault.OutOfRange, "limit"},
		{"list_presets", `{"limit":201}`, fault.OutOfRange, "limit"},
		{"list_presets", `{"limit":1e3}`, fault.OutOfRange, "limit"},
		{"list_presets", `{"cursor":"` + mega + `"}`, fault.OutOfRange, "cursor"},
		{"get_parameter_ranges", `{"category":"x"}`, fault.OutOfRange, "category"},
	} {
		text, err := d.try(c.tool, c.arguments)
		e, ok := errors.AsType[*fault.Error](err)
		if !ok {
			t.Errorf("%s %.100s: %.200s, %v", c.tool, c.arguments, text, err)
			continue
		}
		if e.Kind != c.want || e.Field != c.field || e.Hint == "" || len(e.Error()) > 1500 {
			t.Errorf("%s %.100s: %s of %.90q, %.300v; want %s of %.90q", c.tool, c.arguments, e.Kind, e.Field, e, c.want, c.field)
		}
	}
	if !reflect.DeepEqual(d.workspace().Scenario(), before) || !slices.Equal(listFiles(t, d.dir), files) {
		t.Error("something changed")
	}
	_, err := d.try("get_all_parameters", `{"category":"taxes"}`)
	if e, _ := errors.AsType[*fault.Error](err); e == nil || !slices.Contains(e.Allowed, "tax_policy") ||
		!slices.Contains(e.Allowed, "monetary") {
		t.Errorf("not the list of categories: %v", err)
	}
}

// many parameters, none of them known.
func many(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `,"p%d":1`, i)
	}
	return "{" + b.String()[1:] + "}"
}

func listFiles(tb testing.TB, dir string) (names []string) {
	tb.Helper()
	err := filepath.WalkDir(dir, func(path string, _ os.DirEntry, err error) error {
		names = append(names, path)
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return names
}

// Two callers in two workspaces never see each other's edits.
func TestWorkspacesAreApart(t *testing.T) {
	d := newHarness(t)
	call := func(workspace, tool, arguments string) string {
		t.Helper()
		got, err := d.tools[tool].Invoke(t.Context(), &tools.Call{Caller: access.Operator(), Workspace: workspace}, json.RawMessage(arguments))
		if err != nil {
			t.Fatal(err)
		}
		return string(got.JSON)
	}
	call("a", "set_parameter", `{"parameter_name":"vat_rate","value":0.1}`)
	if got := call("b", "get_parameter", `{"parameter_name":"vat_rate"}`); !strings.Contains(got, `"value":0.08`) {
		t.Error(got)
	}
}

func BenchmarkGetParameter(b *testing.B) {
	d := newHarness(b)
	tool, c, arguments := d.tools["get_parameter"], &tools.Call{Caller: access.Operator(), Workspace: "default"},
		json.RawMessage(`{"parameter_name":"unemployment_benefit_rate"}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tool.Invoke(b.Context(), c, arguments); err != nil {
			b.Fatal(err)
		}
	}
}
