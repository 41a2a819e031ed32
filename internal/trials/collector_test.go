package trials_test

import (
	"testing"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/internal/trials"
	"econ-mcp/sim"
)

func TestFactsCollector(t *testing.T) {
	const months = 40
	p := sim.Defaults()
	p.NumHouseholds, p.EnableOpenEntry = 1000, false // with open entry there are numbers without a firm
	e, err := sim.New(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.BeginExperiment()

	// A second set of books that keeps everything.
	var collector trials.FactsCollector
	var sales [3][]float64
	var sizes, shares []float64
	var growth [2]stats.Deviations
	var before []int
	for m := range months {
		if err := e.Step(); err != nil {
			t.Fatal(err)
		}
		if err := collector.Observe(e); err != nil {
			t.Fatal(err)
		}
		year := m / 12
		var employees []float64
		var ages, staff []int
		var capital []bool
		var investment float64
		e.EachFirm(func(i int, v sim.FirmView) {
			if year < len(sales) {
				if m%12 == 0 {
					sales[year] = append(sales[year], 0)
				}
				sales[year][i] += v.Revenue
			}
			employees = append(employees, float64(v.Employees))
			if v.Capital {
				investment += v.Revenue
			}
			ages, staff, capital = append(ages, v.Age), append(staff, v.Employees), append(capital, v.Capital)
		})
		shares = append(shares, investment/e.Latest().Value(sim.NominalGDP))
		if m%12 == 11 {
			sizes = append(sizes, tables.SizeTail(employees))
		}
		if m%12 == 11 && year > 0 {
			var firms []trials.FirmYear
			for i, age := range ages {
				firms = append(
					firms,
					trials.FirmYear{
						Capital:        capital[i],
						Age:            age,
						Before:         sales[year-1][i],
						After:          sales[year][i],
						LeastEmployees: min(staff[i], before[i]),
					},
				)
			}
			growth[0].Add(trials.GrowthRates(firms, false)...)
			growth[1].Add(trials.GrowthRates(firms, true)...)
		}
		if m%12 == 11 {
			before = staff
		}
	}
	equal := func(what string, got, want []float64, tolerance float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
		}
		for i := range got {
			checkNear(t, what, got[i], want[i], tolerance)
		}
	}
	equal("size tails", collector.History.SizeTail, sizes, 0)
	if growth[1].Len() == 0 || collector.History.Growth != growth {
		t.Errorf("growth %v, want %v", collector.History.Growth, growth)
	}
	equal("investment shares", collector.History.InvestmentShare, shares, 1e-12) // the order of the sum differs
	for i, s := range collector.History.Series {
		if len(s) != months {
			t.Errorf("%s has %d months, want %d", sim.Indicator(i), len(s), months)
		}
	}
	wages := collector.History.WageRate
	if len(wages) != months || wages[months-1] != e.WageRate() || wages[0] == wages[months-1] {
		t.Errorf("wage rates %v, the last month's is %g", wages, e.WageRate())
	}
	last := collector.History.Series[sim.CPI][months-1]
	if last != e.Latest().Value(sim.CPI) || len(collector.History.TaxScale) != months {
		t.Errorf("last CPI %g, %d tax scales", last, len(collector.History.TaxScale))
	}
	for _, share := range shares {
		if !(0 < share && share < .5) {
			t.Errorf("investment is %g of GDP", share)
		}
	}
}
