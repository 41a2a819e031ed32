package toolstest_test

import (
	"fmt"
	"sync"
	"testing"

	"econ-mcp/internal/param"
	"econ-mcp/internal/store"
	"econ-mcp/tools"
	"econ-mcp/tools/params"
	"econ-mcp/tools/toolstest"
)

// beside are the parameter tools of another process on the folder of the harness.
func beside(t *testing.T, d *toolstest.Harness) func(tool, arguments string) {
	t.Helper()
	s, err := store.Open(d.Dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	list := params.Tools(param.NewSpaces(d.Library, s), d.Library)
	return func(name, arguments string) {
		for _, tool := range list {
			if tool.Name != name {
				continue
			}
			if _, err := tool.Invoke(t.Context(), &tools.Call{Workspace: toolstest.Workspace}, []byte(arguments)); err != nil {
				t.Errorf("%s %s: %v", name, arguments, err)
			}
		}
	}
}

// What another process has set, such as econ-mcp call beside a server, is there at the
// next call, and no edit undoes another's.
func TestTwoProcessesEditOneWorkspace(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	other := beside(t, d)
	other("set_parameter", `{"parameter_name":"vat_rate","value":0.11}`)
	d.Call("get_parameter", `{"parameter_name":"vat_rate"}`).Want(map[string]any{"value": .11})
	d.Call("set_parameter", `{"parameter_name":"income_tax_rate","value":0.31}`)
	other("set_parameter", `{"parameter_name":"minimum_wage","value":0.41}`)
	d.Call("inject_intervention", `{"intervention_type":"parameter_change","target_month":3,"parameters":{"vat_rate":0.2}}`)
	for name, value := range map[string]float64{"vat_rate": .11, "income_tax_rate": .31, "minimum_wage": .41, "num_households": 500} {
		d.Call("get_parameter", fmt.Sprintf(`{"parameter_name":%q}`, name)).Want(map[string]any{"value": value})
	}

	var wg sync.WaitGroup
	mine, theirs := []string{"vat_rate", "corporate_tax_rate", "depreciation_rate"},
		[]string{"income_tax_rate", "separation_rate", "loan_spread"}
	wg.Go(func() {
		for i := range 10 {
			other("set_parameter", fmt.Sprintf(`{"parameter_name":%q,"value":0.0%d}`, theirs[i%3], i+10))
		}
	})
	wg.Go(func() {
		for i := range 10 {
			if _, err := d.Try("set_parameter", fmt.Sprintf(`{"parameter_name":%q,"value":0.0%d}`, mine[i%3], i+10)); err != nil {
				t.Error(err)
			}
		}
	})
	wg.Wait()
	for i := 7; i < 10; i++ {
		for _, name := range []string{mine[i%3], theirs[i%3]} {
			d.Call("get_parameter", fmt.Sprintf(`{"parameter_name":%q}`, name)).Want(map[string]any{"value": float64(i+10) / 1000})
		}
	}
}

// BenchmarkGetParameter asks a store for each call whether another process has edited.
func BenchmarkGetParameter(b *testing.B) {
	d := toolstest.New(b, toolstest.Settings{})
	tool, c, arguments := d.Tool("get_parameter"), &tools.Call{Workspace: toolstest.Workspace}, []byte(`{"parameter_name":"vat_rate"}`)
	for b.Loop() {
		if _, err := tool.Invoke(b.Context(), c, arguments); err != nil {
			b.Fatal(err)
		}
	}
}
