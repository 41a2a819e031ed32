package inquiry

import (
	"slices"
	"testing"

	"econ-mcp/sim"
)

func TestLabelsNameWhatExists(t *testing.T) {
	for name := range parameterLabels {
		if _, err := sim.Lookup(name); err != nil {
			t.Error(err)
		}
	}
	for _, of := range []struct {
		labels map[string]words
		list   []sim.Package
	}{{policyLabels, sim.Policies()}, {shockLabels, sim.Shocks()}} {
		for name := range of.labels {
			if !slices.ContainsFunc(of.list, func(p sim.Package) bool { return p.ID == name }) {
				t.Errorf("%s does not exist", name)
			}
		}
	}
}
