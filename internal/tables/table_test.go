package tables_test

import (
	"encoding/json"
	"math"
	"runtime"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

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
// about 3 %, quantiles differ by that and the gap between two households.
func TestHouseholdTableAgreesWithTheRecord(t *testing.T) {
	e := grownEconomy(t, func(p *sim.Params) { p.EnableDemography = true })
	table, err := tables.HouseholdTable(e, "")
	if err != nil {
		t.Fatal(err)
	}
	stored, err := tables.HouseholdsOfRecord(e.Latest(), "")
	if err != nil {
		t.Fatal(err)
	}
	got, want := table[0], stored[0]
	for _, c := range []struct {
		name      string
		got, want tables.Spread[stats.Number]
	}{{"income", got.Income, want.Income}, {"consumption", got.Consumption, want.Consumption}, {"wealth", got.Wealth, want.Wealth}} {
		checkNear(t, c.name+" mean", float64(c.got.Mean), float64(c.want.Mean), 1e-6)
		checkNear(t, c.name+" gini", float64(c.got.Gini), float64(c.want.Gini), 5e-4)
		for _, q := range [][2]stats.Number{{c.got.P10, c.want.P10}, {c.got.Median, c.want.Median}, {c.got.P90, c.want.P90}} {
			if q[1] < .01 { // of those who own nothing or owe
				checkNear(t, c.name+" quantile", float64(q[0]), 0, .01)
				continue
			}
			checkNear(t, c.name+" quantile", float64(q[0]/q[1]), 1, .04)
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

	tenths, err := tables.HouseholdTable(e, "income_decile")
	if err != nil {
		t.Fatal(err)
	}
	held, err := tables.HouseholdsOfRecord(e.Latest(), "income_decile")
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
	all, _ := tables.HouseholdTable(e, "")
	for _, by := range tables.HouseholdGroupings {
		table, err := tables.HouseholdTable(e, by)
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
	_, err := tables.HouseholdTable(e, "decile")
	if fault.KindOf(err) != fault.OutOfRange || !strings.Contains(err.Error(), "income_decile") {
		t.Errorf("unknown grouping: %v", err)
	}
	if _, err = tables.HouseholdsOfRecord(e.Latest(), "skill"); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("a record cannot tell skill: %v", err)
	}
}

func TestFirmTable(t *testing.T) {
	e := grownEconomy(t, func(p *sim.Params) { p.EnableOpenEntry = true })
	r := e.Latest()
	for _, by := range tables.FirmGroupings {
		table, err := tables.FirmTable(e, by)
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

		stored, err := tables.FirmsOfRecord(r, e.Params(), by)
		if err != nil {
			t.Fatal(err)
		}
		for g := range stored {
			if stored[g].Group != table[g].Group ||
				!slices.Equal(asText(t, stored[g].Sizes), asText(t, table[g].Sizes)) && by != "industry" {
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

// An industry that sold nothing has no concentration and no weight in that of all.
func TestFirmsOfRecordWithoutSales(t *testing.T) {
	r := &sim.Record{}
	r.Firms.Revenue[0], r.Firms.CR4[0], r.Firms.CR4[1], r.Firms.Price[1] = 100, .5, math.NaN(), math.NaN()
	all, err := tables.FirmsOfRecord(r, sim.Defaults(), "")
	if err != nil || all[0].FourLargest != .5 {
		t.Errorf("share of the four largest %v, %v; want .5", all[0].FourLargest, err)
	}
	table, err := tables.FirmsOfRecord(r, sim.Defaults(), "industry")
	if err != nil {
		t.Fatal(err)
	}
	if text := asText(t, []stats.Number{table[1].FourLargest, table[1].Price}); text[0] != "null" || text[1] != "null" {
		t.Errorf("industry without sales: %v", text)
	}
}

func asText(t *testing.T, x []stats.Number) (list []string) {
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
	one := func(households, income stats.Number) []tables.HouseholdGroup[stats.Number] {
		return []tables.HouseholdGroup[stats.Number]{{
			Group: "all", Households: households, Inflation: stats.Number(math.NaN()),
			Income:      tables.Spread[stats.Number]{Mean: income, Lorenz: stats.Numbers(make([]float64, 11))},
			Consumption: tables.Spread[stats.Number]{Lorenz: stats.Numbers(make([]float64, 11))},
			Wealth:      tables.Spread[stats.Number]{Lorenz: stats.Numbers(make([]float64, 11))},
		}}
	}
	got := tables.CombineHouseholds([][]tables.HouseholdGroup[stats.Number]{one(100, 1), one(100, 2), one(100, 3)}, .95)[0]
	// R 4.4: t.test(1:3)$conf.int: -0.4841377 4.4841377
	checkNear(t, "mean", float64(got.Income.Mean.Mean), 2, 1e-12)
	checkNear(t, "low", float64(got.Income.Mean.CILow), -.4841377, 1e-7)
	checkNear(t, "high", float64(got.Income.Mean.CIHigh), 4.4841377, 1e-7)
	checkNear(t, "households", float64(got.Households.Mean), 100, 0)
	if !math.IsNaN(float64(got.Inflation.Mean)) {
		t.Errorf("inflation %v", got.Inflation)
	}
}

// Tables are made without copies of the households: an ending run has hardly more memory than it takes.
func TestTablesTakeLittleMemory(t *testing.T) {
	const households = 20_000
	e := grownEconomy(t, func(p *sim.Params) { p.NumHouseholds = households })
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if _, err := tables.HouseholdTables(e, tables.HouseholdGroupings...); err != nil {
		t.Fatal(err)
	}
	for _, by := range tables.FirmGroupings {
		if _, err := tables.FirmTable(e, by); err != nil {
			t.Fatal(err)
		}
	}
	runtime.ReadMemStats(&after)
	if got, most := after.TotalAlloc-before.TotalAlloc, uint64(tables.HouseholdTableBytes*households+64<<10); got > most {
		t.Errorf("all tables of %d households took %d bytes, want %d at most", households, got, most)
	}
}
