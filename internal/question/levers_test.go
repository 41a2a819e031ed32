package question

import (
	"econ-mcp/internal/inquiry"
	"slices"
	"testing"

	"econ-mcp/presets"
	"econ-mcp/sim"
)

// What the table of levers names is there, and its usual change is one that can be made.
func TestLevers(t *testing.T) {
	seen := map[string]bool{}
	for _, l := range levers {
		if seen[l.id] {
			t.Errorf("%s is there twice", l.id)
		}
		seen[l.id] = true
		switch l.kind {
		case parameterLever:
			row, err := sim.Lookup(l.name())
			if err != nil {
				t.Error(err)
				continue
			}
			if p := sim.Defaults(); l.unit == switchUnit || l.unit == choiceUnit {
				if err := p.Set(row.Name, l.value); err != nil {
					t.Error(l.id, err)
				}
				if err := p.Set(row.Name, l.end); err != nil || l.value == l.end {
					t.Error(l.id, l.value, l.end, err)
				}
				continue
			}
		case policyLever:
			if _, err := sim.PackageByID(sim.TypePolicy, l.name()); err != nil {
				t.Error(err)
			}
		case shockLever:
			if _, err := sim.PackageByID(sim.TypeShock, l.name()); err != nil {
				t.Error(err)
			}
		}
		if least, most := l.limits(); !(0 < l.step && l.step <= most-min(least, 0)) {
			t.Errorf("%s: a usual change of %g, from %g to %g", l.id, l.step, least, most)
		}
		for _, c := range slices.Concat(l.needs, l.along) {
			if p := sim.Defaults(); p.Set(c.Name, c.Value) != nil {
				t.Errorf("%s: %s cannot be %v", l.id, c.Name, c.Value)
			}
		}
		if l.known(inquiry.English) == "" || l.known(inquiry.Chinese) == "" {
			t.Errorf("%s has no name", l.id)
		}
	}
	for _, name := range presets.Names() {
		if places[name][0] == "" {
			t.Errorf("preset %s is no place", name)
		}
	}
	for group := range payees {
		if !slices.Contains(sim.InjectionGroups, group) {
			t.Errorf("nobody can pay %s", group)
		}
	}
}

func TestSenseString(t *testing.T) {
	s := sense{
		arms: []arm{
			{happens: []happening{{levers: []string{"vat_rate"}, change: raise, by: &quantity{unit: points, x: .02}, begin: 13}}},
			{},
		},
		place: "de_like", outcomes: []wish{{indicator: sim.CPI, expect: -1}}, horizon: 120,
		marks: []mark{{span: Span{3, 8}, kind: strayMark}},
	}
	const want = "{vat_rate raise by 2pp, from 13} {do nothing} | in de_like | outcomes cpi lower | horizon 120 | stops stray 3-8"
	if got := s.String(); got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
