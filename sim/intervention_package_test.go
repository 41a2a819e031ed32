package sim_test

import (
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

func TestApplied(t *testing.T) {
	base := sim.Defaults()
	for _, c := range []struct {
		name string
		v    sim.Intervention
		want map[string]any
	}{
		{"a ramp has ended", sim.Intervention{Type: sim.TypeParameterChange, TargetMonth: 5, RampMonths: 12,
			Parameters: []sim.ParameterChange{{Name: "vat_rate", Value: .15}}}, map[string]any{"vat_rate": .15}},
		{"a policy", sim.Intervention{Type: sim.TypePolicy, TargetMonth: 1, Policy: sim.PolicyChange{Policy: "austerity", Level: .5}},
			map[string]any{"inherent_market_consumption_rate": .05, "unemployment_benefit_rate": .25}},
		{"a shock strikes", sim.Intervention{Type: sim.TypeShock, TargetMonth: 3, Shock: sim.Shock{Shock: "demand", Size: -.1,
			Persistence: .5}}, map[string]any{"consumption_demand_factor": .9}},
		{"money", sim.Intervention{Type: sim.TypeInjection, TargetMonth: 1, Injection: sim.Injection{Group: "all", Amount: 1}}, nil},
	} {
		p := c.v.Applied(base)
		for name, want := range c.want {
			if got, _ := p.Get(name); got != want {
				t.Errorf("%s: %s = %v, want %v", c.name, name, got, want)
			}
		}
		if c.want == nil && len(sim.Diff(base, p)) > 0 {
			t.Errorf("%s changes %v", c.name, sim.Diff(base, p))
		}
	}
}

func TestPackageByID(t *testing.T) {
	if pack, err := sim.PackageByID(sim.TypeShock, "credit"); err != nil || pack.ID != "credit" {
		t.Errorf("%v, %v", pack.ID, err)
	}
	if _, err := sim.PackageByID(sim.TypePolicy, "job_guarante"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("unknown policy: %v", err)
	}
	if _, err := sim.PackageByID(sim.TypeInjection, "all"); fault.KindOf(err) != fault.WrongType {
		t.Errorf("injections: %v", err)
	}
}
