package toolstest_test

import (
	"slices"
	"testing"

	"econ-mcp/sim"
	"econ-mcp/tools/toolstest"
)

// No tool takes more months than the catalogue of parameters allows.
func TestMonthsAreThoseOfTheCatalogue(t *testing.T) {
	d := toolstest.New(t, toolstest.Settings{})
	row, err := sim.Lookup("num_iterations")
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, tool := range d.Tools() {
		for _, p := range tool.Input.Properties {
			if !slices.Contains([]string{"months", "target_month", "duration_months", "ramp_months", "pause_at_month", "every"}, p.Name) {
				continue
			}
			found++
			if s := p.Schema; s.Min == nil || s.Max == nil || *s.Min != row.Min || *s.Max != row.Max {
				t.Errorf("%s: %s is not within %v to %v", tool.Name, p.Name, row.Min, row.Max)
			}
		}
	}
	if found < 8 {
		t.Errorf("found only %d", found)
	}
}
