package analysis_test

import (
	"math"
	"testing"

	"econ-mcp/internal/analysis"
	"econ-mcp/sim"
)

func TestGroupMeans(t *testing.T) {
	p := sim.Defaults()
	month := func(inflation, wage float64) *sim.Record {
		r := &sim.Record{}
		r.Households.Inflation[9] = inflation
		r.Households.Exposure[2].Wage = wage
		r.Firms.Revenue[0], r.Firms.Revenue[11], r.Firms.Revenue[sim.MaxIndustries] = 30, 70, 900
		return r
	}
	arms := [2][]*analysis.GroupMeans{}
	for arm, wage := range []float64{2000, 1900} {
		for pair := range 3 {
			var m analysis.GroupMeans
			m.Add(month(.02, wage+float64(10*pair)), p)
			m.Add(month(.04, wage+float64(10*pair)+2), p)
			arms[arm] = append(arms[arm], &m)
		}
	}
	for _, c := range []struct {
		grouping, metric string
		group            int
		want             float64
	}{
		{"decile", "inflation", 9, .03}, {"decile", "inflation", 0, 0},
		{"exposure", "wage", 2, 2001}, {"industry", "sales", 0, .3}, {"industry", "sales", 11, .7},
	} {
		if got := arms[0][0].Mean(c.grouping, c.metric, c.group); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%s of %s %d is %g, want %g", c.metric, c.grouping, c.group, got, c.want)
		}
	}
	effect := analysis.GroupEffects(arms[0], arms[1], "exposure", "wage", 2, .95)
	if effect.Control != 2011 || effect.Difference.Mean != -100 || effect.Difference.Low != -100 || effect.Difference.N != 3 {
		t.Errorf("effect %+v, want 2011 and -100 in all three pairs", effect)
	}
}

func TestGroupings(t *testing.T) {
	for _, g := range analysis.Groupings() {
		if found, ok := analysis.GroupingByName(g.Name); !ok || found.Name != g.Name || len(g.Metrics) == 0 {
			t.Errorf("grouping %q", g.Name)
		}
		for _, n := range []int{1, 12} {
			p := sim.Defaults()
			p.NumIndustries = n
			if len(g.Groups(p)) == 0 || g.Name == "industry" && len(g.Groups(p)) != n {
				t.Errorf("%s has the groups %q", g.Name, g.Groups(p))
			}
		}
	}
}
