package toolstest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
	"econ-mcp/tools"
	"econ-mcp/tools/toolstest"
)

// What is stored beside experiments has numbers of its own that a principal may have, by whatever
// tool it is made. What is there may be changed.
func TestQuotas(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{Stored: store.Limits{Workspaces: 2, Presets: 1, Configs: 1, Analyses: 1}})
	d.Run("x", "")
	full := func(limit, tool, field, arguments string) {
		t.Helper()
		before := d.State()
		e := d.Refused(tool, arguments, fault.LimitExceeded, field)
		if !strings.Contains(e.Message, "the limit "+limit) {
			t.Errorf("%s: %v", tool, e)
		}
		if after := d.State(); fmt.Sprint(after) != fmt.Sprint(before) {
			t.Errorf("%s was refused, and changed\n%v to\n%v", tool, before, after)
		}
	}
	d.Call("save_preset", `{"name":"one"}`)
	full("presets", "save_preset", "", `{"name":"two"}`)
	full("presets", "batch_set_parameters", "scenario_name", `{"parameters":{"vat_rate":0.2},"scenario_name":"two"}`)
	d.Call("save_preset", `{"name":"one","overwrite":true}`)

	if err := os.Remove(filepath.Join(d.Dir, "presets", "one.yaml")); err != nil { // by the operator
		t.Fatal(err)
	}
	d.Call("save_preset", `{"name":"two"}`)

	full("configs", "generate_config_from_question", "", `{"question":"What does a VAT of 20 % do to consumption?"}`) // two of them
	d.Call("save_current_config_to_yaml", `{"config_name":"one"}`)
	full("configs", "save_current_config_to_yaml", "", `{"config_name":"two"}`)

	d.Call("analyze_experiment", `{"experiment_name":"x"}`)
	full("analyses", "analyze_experiment", "", `{"experiment_name":"x"}`)

	d.CallAs(tools.Call{Workspace: "two"}, "set_parameter", `{"parameter_name":"vat_rate","value":0.2}`)
	_, err := d.TryAs(t.Context(), tools.Call{Workspace: "three"}, "set_parameter", `{"parameter_name":"vat_rate","value":0.2}`)
	if fault.KindOf(err) != fault.LimitExceeded {
		t.Errorf("a third workspace: %v", err)
	}
	d.CallAs(tools.Call{Workspace: "two"}, "set_parameter", `{"parameter_name":"vat_rate","value":0.21}`)
}
