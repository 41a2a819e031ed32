package yamlcfg_test

import (
	"bytes"
	"encoding/json"
	"errors"
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
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
	"econ-mcp/sim"
	"econ-mcp/tools"
	"econ-mcp/tools/yamlcfg"
)

// harness is a server's tools as a caller in one workspace sees them.
type harness struct {
	tb     testing.TB
	dir    string // of the configs
	lib    *param.Library
	spaces *param.Spaces
	tools  map[string]tools.Tool
}

func newHarness(tb testing.TB) *harness {
	tb.Helper()
	dir := tb.TempDir()
	lib, err := param.OpenLibrary(dir, nil)
	if err != nil {
		tb.Fatal(err)
	}
	d := &harness{tb: tb, dir: filepath.Join(dir, "configs"), lib: lib, spaces: param.NewSpaces(lib, nil), tools: map[string]tools.Tool{}}
	for _, t := range yamlcfg.Tools(d.spaces, d.lib) {
		d.tools[t.Name] = t
	}
	return d
}

func (d *harness) try(tool, arguments string) ([]byte, error) {
	got, err := d.tools[tool].Invoke(d.tb.Context(), &tools.Call{Caller: access.Operator(), Workspace: "default"}, json.RawMessage(arguments))
	return got.JSON, err
}

// call wants an answer that fits the schema that the tool publishes, and reads it.
func (d *harness) call(tool, arguments string, into any) {
	d.tb.Helper()
	text, err := d.try(tool, arguments)
	if err != nil {
		d.tb.Fatalf("%s %.200s: %v", tool, arguments, err)
	}
	schema, err := json.Marshal(d.tools[tool].Output)
	if err != nil {
		d.tb.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		d.tb.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(tool, document); err != nil {
		d.tb.Fatal(err)
	}
	answer, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		d.tb.Fatal(err)
	}
	if err := c.MustCompile(tool).Validate(answer); err != nil {
		d.tb.Errorf("%s answers beside its schema: %v\n%.2000s", tool, err, text)
	}
	if err := json.Unmarshal(text, into); err != nil {
		d.tb.Fatal(err)
	}
}

func (d *harness) workspace() *param.Workspace {
	d.tb.Helper()
	w, err := d.spaces.Open(d.tb.Context(), "default")
	if err != nil {
		d.tb.Fatal(err)
	}
	return w
}

func (d *harness) write(name, text string) {
	d.tb.Helper()
	if err := os.WriteFile(filepath.Join(d.dir, name+".yaml"), []byte(text), 0o644); err != nil {
		d.tb.Fatal(err)
	}
}

type change struct {
	Old any `json:"old_value"`
	New any `json:"new_value"`
}

type loadAnswer struct {
	Success       bool              `json:"success"`
	Name          string            `json:"config_name"`
	Loaded        int               `json:"loaded_parameters"`
	Applied       int               `json:"applied_parameters"`
	Details       map[string]change `json:"details"`
	Interventions []struct {
		ID          string `json:"intervention_id"`
		Type        string `json:"type"`
		TargetMonth int    `json:"target_month"`
		Text        string `json:"text"`
	} `json:"interventions"`
	Warnings []string `json:"warnings"`
}

type saveAnswer struct {
	Success             bool
	Message, Path, Hash string
}

// What is saved comes back as the same economy, for every preset, changed and with plans.
func TestSaveAndLoadGiveTheSameHash(t *testing.T) {
	d := newHarness(t)
	w := d.workspace()
	for _, name := range presets.Names() {
		if _, err := w.LoadPreset(t.Context(), name, true); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Set(t.Context(), "wage_memory_months", 1./3+24, false); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Plan(t.Context(), sim.Intervention{Type: sim.TypeInjection, TargetMonth: 24,
			Injection: sim.Injection{Group: "all", Amount: 100}}); err != nil {
			t.Fatal(err)
		}
		want := w.Scenario()
		var saved saveAnswer
		d.call("save_current_config_to_yaml", `{"config_name":"saved","description":"of `+name+`","overwrite":true}`, &saved)
		if !saved.Success || saved.Hash != want.Hash() || saved.Path != filepath.Join(d.dir, "saved.yaml") ||
			!strings.Contains(saved.Message, "1 planned") && len(want.Interventions) == 1 {
			t.Errorf("%s: %+v", name, saved)
		}
		if _, err := w.Reset(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		var loaded loadAnswer
		d.call("load_yaml_config", `{"config_name":"saved"}`, &loaded)
		if got := w.Scenario(); got.Hash() != want.Hash() || !reflect.DeepEqual(got.Interventions, want.Interventions) ||
			got.BurnIn != want.BurnIn {
			t.Errorf("%s: another economy came back", name)
		}
		if !loaded.Success || loaded.Loaded < 190 || loaded.Applied != loaded.Loaded || len(loaded.Interventions) != len(want.Interventions) {
			t.Errorf("%s: %+v", name, loaded)
		}
	}
	text, err := os.ReadFile(filepath.Join(d.dir, "saved.yaml"))
	if err != nil || !bytes.Contains(text, []byte("  # tax_policy\n")) || !bytes.Contains(text, []byte("# share of the net price\n")) ||
		!bytes.Contains(text, []byte("created_at: ")) {
		t.Errorf("not grouped, without units or without time: %.600s", text)
	}
	if s, err := scenario.Decode("saved", text); err != nil || s.Description != "of us_like" {
		t.Errorf("%q, %v", s.Description, err)
	}
}

func TestReplaceAndOverlay(t *testing.T) {
	d := newHarness(t)
	w := d.workspace()
	d.write("vat", "parameters: {vat_rate: 0.3}\ninterventions:\n  - {type: policy, target_month: 7, parameters: {policy: stimulus, level: "+
		"0.02}}\n")
	start := func() {
		t.Helper()
		if _, err := w.LoadPreset(t.Context(), "baseline", true); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Set(t.Context(), "income_tax_rate", .3, false); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Plan(t.Context(), sim.Intervention{Type: sim.TypePolicy, TargetMonth: 1,
			Policy: sim.PolicyChange{Policy: "austerity", Level: .1}}); err != nil {
			t.Fatal(err)
		}
	}
	start()
	var got loadAnswer
	d.call("load_yaml_config", `{"config_name":"vat"}`, &got)
	if want := map[string]change{"vat_rate": {.08, .3}, "income_tax_rate": {.3, .22}}; !reflect.DeepEqual(got.Details, want) ||
		got.Loaded != 1 || got.Applied != 1 {
		t.Errorf("replace: %+v", got)
	}
	if len(got.Interventions) != 1 || got.Interventions[0].ID != "planned/2" ||
		got.Interventions[0].Text != "from month 7: policy stimulus 0.02" || got.Interventions[0].TargetMonth != 7 {
		t.Errorf("replace: %+v", got.Interventions)
	}
	if len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0], "Hungary") {
		t.Errorf("warnings: %q", got.Warnings)
	}
	start()
	got = loadAnswer{}
	d.call("load_yaml_config", `{"config_name":"vat","mode":"overlay"}`, &got)
	if want := map[string]change{"vat_rate": {.08, .3}}; !reflect.DeepEqual(got.Details, want) || len(got.Interventions) != 2 ||
		w.Scenario().Params.IncomeTaxRate != .3 {
		t.Errorf("overlay: %+v", got)
	}
}

func TestListConfigs(t *testing.T) {
	d := newHarness(t)
	type answer struct {
		Count, Total int
		Configs      []struct {
			Name, Description string
			Size              int
			Modified          string `json:"modified_at"`
			Valid             bool
			Error             string
		}
		Next string `json:"next_cursor"`
	}
	var got answer
	d.call("list_yaml_configs", `{}`, &got)
	if got.Count != 0 || got.Configs == nil {
		t.Errorf("empty: %+v", got)
	}
	d.write("a", "description: first\nparameters: {}\n")
	d.write("b", "parameters:\n  vat: 1\n")
	d.write("c", strings.Repeat("x", 1<<20)+"\n")
	d.write("d", "parameters: "+strings.Repeat("x", 1<<19)+"\n")
	d.call("list_yaml_configs", `{"limit":3}`, &got)
	if got.Count != 3 || got.Total != 4 || got.Next != "c" || !got.Configs[0].Valid || got.Configs[0].Description != "first" ||
		got.Configs[0].Size == 0 || got.Configs[0].Modified == "" {
		t.Errorf("%+v", got)
	}
	if got.Configs[1].Valid || !strings.Contains(got.Configs[1].Error, "line 2, column 3") {
		t.Errorf("%+v", got.Configs[1])
	}
	got = answer{}
	d.call("list_yaml_configs", `{"cursor":"c"}`, &got)
	if got.Count != 1 || got.Configs[0].Name != "d" || got.Configs[0].Valid || len(got.Configs[0].Error) > 400 || got.Next != "" {
		t.Errorf("%+v", got)
	}
}

// Wrong calls and broken files have their codes, and nothing is applied or written.
func TestWrongCalls(t *testing.T) {
	d := newHarness(t)
	w := d.workspace()
	if _, err := w.Set(t.Context(), "vat_rate", .1, false); err != nil {
		t.Fatal(err)
	}
	var saved saveAnswer
	d.call("save_current_config_to_yaml", `{"config_name":"mine"}`, &saved)
	for name, text := range map[string]string{
		"unknown": "parameters:\n  income_tax_rate: 0.3\n  vat: 0.1\n", "range": "parameters:\n  income_tax_rate: 0.3\n  vat_rate: 0.7\n",
		"quoted": "parameters: {vat_rate: '0.1'}\n", "twice": "parameters: {vat_rate: 0.1, vat_rate: 0.1}\n", "syntax": "parameters: {\n",
		"month": "interventions:\n  - {target_month: 0, parameters: {vat_rate: 0.1}}\n", "cross": "parameters: {num_households: 100}\n",
		"top": "vat_rate: 0.1\n", "long": "parameters: {" + strings.Repeat("x", 900) + ": 1}\n", "nan": "parameters: {vat_rate: .nan}\n",
	} {
		d.write(name, text)
	}
	before := w.Scenario()
	entries, err := os.ReadDir(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	mega := strings.Repeat("x", 1<<20)
	for _, c := range []struct {
		tool, arguments string
		want            fault.Kind
		says            string
	}{
		{"load_yaml_config", `{"config_name":"unknown"}`, fault.UnknownParameter, "line 3, column 3"},
		{"load_yaml_config", `{"config_name":"unknown","mode":"overlay"}`, fault.UnknownParameter, "line 3, column 3"},
		{"load_yaml_config", `{"config_name":"range"}`, fault.OutOfRange, "line 3, column 13"},
		{"load_yaml_config", `{"config_name":"quoted"}`, fault.WrongType, "line 1, column 24"},
		{"load_yaml_config", `{"config_name":"twice"}`, fault.Conflict, "line 1, column 29"},
		{"load_yaml_config", `{"config_name":"syntax"}`, fault.WrongType, "line 1"},
		{"load_yaml_config", `{"config_name":"month"}`, fault.OutOfRange, "line 2, column 20"},
		{"load_yaml_config", `{"config_name":"cross"}`, fault.Conflict, "line 1, column 13"},
		{"load_yaml_config", `{"config_name":"top"}`, fault.UnknownParameter, "under parameters"},
		{"load_yaml_config", `{"config_name":"long"}`, fault.UnknownParameter, "line 1, column 14"},
		{"load_yaml_config", `{"config_name":"nan"}`, fault.OutOfRange, "line 1, column 24"},
		{"load_yaml_config", `{"config_name":"min"}`, fault.NotFound, `did you mean "mine"?`},
		{"load_yaml_config", `{"config_name":"ubi"}`, fault.NotFound, "load_preset"},
		{"load_yaml_config", `{"config_name":"../presets/x"}`, fault.WrongType, "must match"},
		{"load_yaml_config", `{"config_name":"` + mega + `"}`, fault.WrongType, "must match"},
		{"load_yaml_config", `{"config_name":"mine","mode":"merge"}`, fault.OutOfRange, "replace, overlay"},
		{"load_yaml_config", `{"config_name":7}`, fault.WrongType, "string"},
		{"load_yaml_config", `{"name":"mine","config_name":"mine"}`, fault.Conflict, "short for config_name"},
		{"load_yaml_config", `{}`, fault.Required, "config_name is missing"},
		{"load_yaml_config", strings.Repeat("[", 100_000), fault.WrongType, "JSON"},
		{"save_current_config_to_yaml", `{"config_name":"mine"}`, fault.Conflict, "overwrite=true"},
		{"save_current_config_to_yaml", `{"config_name":"crisis","overwrite":true}`, fault.Conflict, "built-in"},
		{"save_current_config_to_yaml", `{"config_name":"a/b"}`, fault.WrongType, "must match"},
		{"save_current_config_to_yaml", `{"config_name":""}`, fault.WrongType, "must match"},
		{"save_current_config_to_yaml", `{"config_name":"new","description":"` + mega + `"}`, fault.OutOfRange, "2000"},
		{"save_current_config_to_yaml", `{"config_name":"new","overwrite":"true"}`, fault.WrongType, "boolean"},
		{"list_yaml_configs", `{"limit":"all"}`, fault.WrongType, "integer"},
		{"list_yaml_configs", `{"limit":-1}`, fault.OutOfRange, "1 to 200"},
	} {
		text, err := d.try(c.tool, c.arguments)
		e, ok := errors.AsType[*fault.Error](err)
		if ok && strings.Contains(c.arguments, `:"`+e.Field+`"`) {
			t.Errorf("%s %.80s is about %.80q", c.tool, c.arguments, e.Field)
		}
		if !ok || e.Kind != c.want || !strings.Contains(e.Error(), c.says) || len(e.Error()) > 1000 {
			t.Errorf("%s %.80s: %.300v %.100s; want %s, %q", c.tool, c.arguments, err, text, c.want, c.says)
		}
	}
	after, err := os.ReadDir(d.dir)
	if err != nil || !reflect.DeepEqual(w.Scenario(), before) ||
		!slices.EqualFunc(entries, after, func(a, b os.DirEntry) bool { return a.Name() == b.Name() }) {
		t.Errorf("something changed: %v", err)
	}
	s, _, err := d.lib.Config("mine")
	if err != nil || s.Hash() != saved.Hash {
		t.Errorf("the saved config changed: %v", err)
	}
}

func TestCatalogue(t *testing.T) {
	d := newHarness(t)
	var names []string
	for _, tool := range yamlcfg.Tools(d.spaces, d.lib) {
		names = append(names, tool.Name)
		if tool.Category != tools.YAMLConfigs || tool.Title == "" || tool.TitleZH == "" || tool.Description == "" {
			t.Errorf("%+v", tool.Spec)
		}
	}
	if want := []string{"list_yaml_configs", "load_yaml_config", "save_current_config_to_yaml"}; !slices.Equal(names, want) {
		t.Errorf("%q", names)
	}
}
