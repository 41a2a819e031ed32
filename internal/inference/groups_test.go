package inference_test

import (
	"math"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/tables"
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
	arms := [2][]*tables.GroupMeans{}
	for arm, wage := range []float64{2000, 1900} {
		for pair := range 3 {
			var m tables.GroupMeans
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
	effect := inference.GroupEffects(arms[0], arms[1], "exposure", "wage", 2, .95)
	if effect.Control != 2011 || effect.Difference.Mean != -100 || effect.Difference.Low != -100 || effect.Difference.N != 3 {
		t.Errorf("effect %+v, want 2011 and -100 in all three pairs", effect)
	}
}

// A month in which an industry sold nothing has no price. It is left out of the level, and
// a pair with such a month out of the difference.
func TestGroupMeansWithoutSales(t *testing.T) {
	means := func(prices ...float64) *tables.GroupMeans {
		var m tables.GroupMeans
		for _, price := range prices {
			r := &sim.Record{}
			r.Firms.Price[3] = price
			m.Add(r, sim.Defaults())
		}
		return &m
	}
	nan := math.NaN()
	control := []*tables.GroupMeans{means(100, 102), means(100, 104), means(90, nan)}
	treatment := []*tables.GroupMeans{means(103, 105), means(nan, 107), means(93, 97)}
	e := inference.GroupEffects(control, treatment, "industry", "price", 3, .95)
	if want := (101 + 102 + 90) / 3.; math.Abs(e.Control-want) > 1e-12 || e.Difference.Mean != 3 || e.Difference.N != 1 {
		t.Errorf("effect %+v, want %g and a difference of 3 in one pair", e, want)
	}
	e = inference.GroupEffects(control[2:], treatment[2:], "industry", "price", 3, .95)
	if e.Control != 90 || !math.IsNaN(e.Difference.Mean) || e.Difference.N != 0 {
		t.Errorf("effect %+v, want 90 and no difference", e)
	}
	never := []*tables.GroupMeans{means(nan, nan)}
	if e := inference.GroupEffects(never, nil, "industry", "price", 3, .95); !math.IsNaN(e.Control) {
		t.Errorf("effect %+v of what was never sold", e)
	}
}
