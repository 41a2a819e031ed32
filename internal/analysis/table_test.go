package analysis_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// ilocos are the incomes of the example of ineq::Gini and acid::gini in R.
var ilocos = []float64{541, 1463, 2445, 3438, 4437, 5401, 6392, 8304, 11904, 22261}

func TestQuantile(t *testing.T) {
	// Python 3: statistics.quantiles(x, n=10, method='inclusive'), which is R's and
	// NumPy's default: 1370.8, …, 4919.0, …, 12939.7
	for q, want := range map[float64]float64{0: 541, .1: 1370.8, .5: 4919, .9: 12939.7, 1: 22261} {
		checkNear(t, "quantile", analysis.Quantile(ilocos, q), want, 1e-9)
	}
	if !math.IsNaN(analysis.Quantile(nil, .5)) {
		t.Error("quantile of nothing")
	}
}

func TestGini(t *testing.T) {
	checkNear(t, "gini", analysis.Gini(ilocos), .4620911, 5e-8) // R: acid::gini(x)$Gini
	checkNear(t, "equal", analysis.Gini([]float64{2, 2, 2}), 0, 1e-15)
	checkNear(t, "one has all", analysis.Gini([]float64{0, 0, 0, 1}), .75, 1e-15)
	// By hand: the 9 absolute differences of -1, 1, 3 sum to 16; over 2·9·mean 1.
	checkNear(t, "with a negative", analysis.Gini([]float64{-1, 1, 3}), 16./18, 1e-15)
	for _, none := range [][]float64{nil, {0, 0}, {-2, 1}} {
		if g := analysis.Gini(none); !math.IsNaN(g) {
			t.Errorf("gini of %v = %g", none, g)
		}
	}
}

func TestLorenz(t *testing.T) {
	// By hand: cumulative sums over 66586, one value a tenth (R: ineq::Lc(x)$L).
	held := 0.0
	curve := analysis.Lorenz(ilocos)
	for k, x := range ilocos {
		checkNear(t, "lorenz", curve[k], held/66586, 1e-12)
		held += x
	}
	checkNear(t, "lorenz", curve[10], 1, 1e-12)
	// Two households: the poorest 70 % are the first and two fifths of the second.
	checkNear(t, "within a household", analysis.Lorenz([]float64{1, 3})[7], (1+.4*3)/4, 1e-12)
}

func grownEconomy(tb testing.TB, change func(p *sim.Params)) *sim.Economy {
	tb.Helper()
	p := sim.Defaults()
	p.NumHouseholds = 2000
	change(&p)
	e, err := sim.New(p, 2)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(e.Close)
	for range 14 {
		if err := e.Step(); err != nil {
			tb.Fatal(err)
		}
	}
	return e
}

// The table says what the month's record says: the histograms of the record have bins of
// about 3 %, quantiles differ by less.
func TestHouseholdTableAgreesWithTheRecord(t *testing.T) {
	e := grownEconomy(t, func(p *sim.Params) { p.EnableDemography = true })
	table, err := analysis.HouseholdTable(e, "")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := analysis.HouseholdsOfRecord(e.Latest(), "")
	if err != nil {
		t.Fatal(err)
	}
	got, want := table[0], stored[0]
	for _, c := range []struct {
		name      string
		got, want analysis.Spread[analysis.Number]
	}{{"income", got.Income, want.Income}, {"consumption", got.Consumption, want.Consumption}, {"wealth", got.Wealth, want.Wealth}} {
		checkNear(t, c.name+" mean", float64(c.got.Mean), float64(c.want.Mean), 1e-6)
		checkNear(t, c.name+" gini", float64(c.got.Gini), float64(c.want.Gini), 5e-4)
		for _, q := range [][2]analysis.Number{{c.got.P10, c.want.P10}, {c.got.Median, c.want.Median}, {c.got.P90, c.want.P90}} {
			checkNear(t, c.name+" quantile", float64(q[0]/q[1]), 1, .03)
		}
		for k := range c.got.Lorenz {
			checkNear(t, c.name+" lorenz", float64(c.got.Lorenz[k]), float64(c.want.Lorenz[k]), 1e-3)
		}
	}
	checkNear(t, "households", float64(got.Households), float64(want.Households), 0)
	checkNear(t, "wage", float64(got.Wage), float64(want.Wage), 1e-6)
	checkNear(t, "poverty", float64(got.Poverty), float64(want.Poverty), .01)
	checkNear(t, "saving", float64(got.Saving), float64(want.Saving), 1e-9)
	checkNear(t, "unemployment", float64(got.Jobless), float64(want.Jobless), 1e-12)

	tenths, err := analysis.HouseholdTable(e, "income_decile")
	if err != nil {
		t.Fatal(err)
	}
	held, err := analysis.HouseholdsOfRecord(e.Latest(), "income_decile")
	if err != nil {
		t.Fatal(err)
	}
	for g := range tenths {
		checkNear(t, tenths[g].Group, float64(tenths[g].Income.Mean/held[g].Income.Mean), 1, .02)
		if tenths[g].Inflation != held[g].Inflation || math.IsNaN(float64(held[g].Inflation)) {
			t.Errorf("inflation of tenth %d: %g, stored %g", g, tenths[g].Inflation, held[g].Inflation)
		}
	}
}

// Every household is in one group, whatever they are grouped by.
func TestHouseholdGroups(t *testing.T) {
	e := grownEconomy(t, func(p *sim.Params) { p.EnableDemography = true })
	all, _ := analysis.HouseholdTable(e, "")
	for _, by := range analysis.HouseholdGroupings {
		table, err := analysis.HouseholdTable(e, by)
		if err != nil {
			t.Fatal(err)
		}
		n, income := 0.0, 0.0
		for _, g := range table {
			n += float64(g.Households)
			income += float64(g.Households * g.Income.Mean)
		}
		checkNear(t, by+" households", n, float64(all[0].Households), 0)
		checkNear(t, by+" income", income/n, float64(all[0].Income.Mean), 1e-6)
		switch by {
		case "employment":
			if !(table[0].Income.Median > table[1].Income.Median) || table[0].Wage <= 0 || !math.IsNaN(float64(table[1].Wage)) {
				t.Errorf("employed %+v, unemployed %+v", table[0], table[1])
			}
		case "skill":
			if !(table[2].Wage > table[0].Wage) {
				t.Errorf("the skilled earn %g, others %g", table[2].Wage, table[0].Wage)
			}
		}
	}
	_, err := analysis.HouseholdTable(e, "decile")
	if fault.KindOf(err) != fault.OutOfRange || !strings.Contains(err.Error(), "income_decile") {
		t.Errorf("unknown grouping: %v", err)
	}
	if _, err = analysis.HouseholdsOfRecord(e.Latest(), "skill"); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("a record cannot tell skill: %v", err)
	}
}

func TestFirmTable(t *testing.T) {
	e := grownEconomy(t, func(p *sim.Params) { p.EnableOpenEntry = true })
	r := e.Latest()
	for _, by := range analysis.FirmGroupings {
		table, err := analysis.FirmTable(e, by)
		if err != nil {
			t.Fatal(err)
		}
		firms, share, employees, innovations := 0.0, 0.0, 0.0, 0.0
		for _, g := range table {
			firms, share, employees = firms+float64(g.Firms), share+float64(g.MarketShare), employees+float64(g.Employees)
			innovations += float64(g.Innovations)
		}
		checkNear(t, by+" firms", firms, r.Value(sim.FirmCount), 0)
		checkNear(t, by+" market shares", share, 1, 1e-9)
		checkNear(t, by+" employees", employees, math.Round(r.Firms.MeanSize*firms), 1e-6)
		checkNear(t, by+" innovations", innovations, r.Value(sim.InnovationEvents), 0)

		stored, err := analysis.FirmsOfRecord(r, e.Params(), by)
		if err != nil {
			t.Fatal(err)
		}
		for g := range stored {
			if stored[g].Group != table[g].Group || !slices.Equal(asText(t, stored[g].Sizes), asText(t, table[g].Sizes)) && by != "industry" {
				t.Errorf("%s: stored %s %v, table %s %v", by, stored[g].Group, stored[g].Sizes, table[g].Group, table[g].Sizes)
			}
			if by != "size" {
				checkNear(t, "mark-up of "+stored[g].Group, float64(table[g].MarkUp), float64(stored[g].MarkUp), 0)
				checkNear(t, "hhi of "+stored[g].Group, float64(table[g].HHI), float64(stored[g].HHI), 0)
			}
		}
		if by == "industry" && len(table) != sim.MaxIndustries+1 {
			t.Errorf("%d industries", len(table))
		}
		if last := table[len(table)-1]; by == "size" && (last.Group != "250+" || table[1].Group != "1-4" || table[0].Group != "0") {
			t.Errorf("size classes %s … %s", table[0].Group, last.Group)
		}
		if data, err := json.Marshal(table); err != nil || strings.Contains(string(data), "NaN") {
			t.Errorf("JSON: %v", err)
		}
	}
}

func asText(t *testing.T, x []analysis.Number) (list []string) {
	t.Helper()
	for _, v := range x {
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, string(data))
	}
	return list
}

func TestCombine(t *testing.T) {
	one := func(households, income analysis.Number) []analysis.HouseholdGroup[analysis.Number] {
		return []analysis.HouseholdGroup[analysis.Number]{{
			Group: "all", Households: households, Inflation: analysis.Number(math.NaN()),
			Income:      analysis.Spread[analysis.Number]{Mean: income, Lorenz: analysis.Numbers(make([]float64, 11))},
			Consumption: analysis.Spread[analysis.Number]{Lorenz: analysis.Numbers(make([]float64, 11))},
			Wealth:      analysis.Spread[analysis.Number]{Lorenz: analysis.Numbers(make([]float64, 11))},
		}}
	}
	got := analysis.CombineHouseholds([][]analysis.HouseholdGroup[analysis.Number]{one(100, 1), one(100, 2), one(100, 3)}, .95)[0]
	// R 4.4: t.test(1:3)$conf.int: -0.4841377 4.4841377
	checkNear(t, "mean", float64(got.Income.Mean.Mean), 2, 1e-12)
	checkNear(t, "low", float64(got.Income.Mean.CILow), -.4841377, 1e-7)
	checkNear(t, "high", float64(got.Income.Mean.CIHigh), 4.4841377, 1e-7)
	checkNear(t, "households", float64(got.Households.Mean), 100, 0)
	if !math.IsNaN(float64(got.Inflation.Mean)) {
		t.Errorf("inflation %v", got.Inflation)
	}
}
