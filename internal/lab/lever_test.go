package lab_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/lab"
	"econ-mcp/sim"
)

// leverBase is an economy in which a setting can be tried in no time.
func leverBase(households, burnIn int) sim.Params {
	p := sim.Defaults()
	p.NumHouseholds, p.BurnInMonths, p.MaxConcurrentTasks = households, burnIn, 0
	return p
}

func mustLevers(tb testing.TB, x lab.LeverRun) []lab.LeverEffect {
	tb.Helper()
	effects, err := x.Run(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return effects
}

func TestEveryParameterHasALever(t *testing.T) {
	var missing []string
	for _, row := range sim.Catalogue() {
		has := slices.ContainsFunc(lab.Levers(), func(l lab.Lever) bool { return l.Parameter == row.Name })
		if row.Technical && has {
			t.Errorf("%s is technical and has a setting", row.Name)
		}
		if !row.Technical && !has {
			missing = append(missing, row.Name)
		}
	}
	if len(missing) > 0 {
		t.Errorf("%d parameters have no setting in lever_table_*.go: %s", len(missing), strings.Join(missing, ", "))
	}
}

// deadParameters are those that change nothing in any of their settings: tried
// in a small economy and a short time first, and what seems dead there again in a
// larger one.
func deadParameters(tb testing.TB, levers []lab.Lever) []string {
	tb.Helper()
	for _, size := range []struct{ households, burnIn, months, replications int }{
		{1000, 12, 6, 1}, {1000, 24, 36, 2}, {4000, 36, 120, 2},
	} {
		x := lab.LeverRun{Base: leverBase(size.households, size.burnIn), Replications: size.replications}
		for _, l := range levers {
			l.Months = lab.Window{From: 1, To: min(l.Months.To, size.months)}
			x.Levers = append(x.Levers, l)
		}
		alive := make(map[string]bool)
		for _, e := range mustLevers(tb, x) {
			alive[e.Parameter] = alive[e.Parameter] || !e.Dead
		}
		levers = slices.DeleteFunc(slices.Clone(levers), func(l lab.Lever) bool { return alive[l.Parameter] })
		if len(levers) == 0 {
			break
		}
	}
	var dead []string
	for _, l := range levers {
		dead = append(dead, l.Parameter)
	}
	return slices.Compact(dead)
}

func TestNoParameterIsDead(t *testing.T) {
	if dead := deadParameters(t, lab.Levers()); len(dead) > 0 {
		t.Errorf("%d parameters change nothing in their documented settings: %s", len(dead), strings.Join(dead, ", "))
	}
}

// A parameter that changes nothing is seen: a technical one, one set to what it
// is, and one that does not act where it is tried.
func TestDeadParametersAreSeen(t *testing.T) {
	window := lab.Window{From: 1, To: 6}
	levers := []lab.Lever{
		{Parameter: "enable_monitoring", To: false, Months: window},
		{Parameter: "vat_rate", To: sim.Defaults().VATRate, Months: window},
		{Parameter: "fixed_policy_rate", To: .2, Months: window}, // under the Taylor rule
		{Parameter: "income_tax_rate", To: .3, Months: window},
	}
	got := fmt.Sprint(deadParameters(t, levers))
	if want := "[enable_monitoring vat_rate fixed_policy_rate]"; got != want {
		t.Errorf("dead: %s, want %s", got, want)
	}
}

var _ = json.Marshal
