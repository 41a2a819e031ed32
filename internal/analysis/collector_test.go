package analysis_test

import (
	"testing"

	"econ-mcp/internal/analysis"
	"econ-mcp/sim"
)

func TestFactsCollector(t *testing.T) {
	const months = 40
	p := sim.Defaults()
	p.NumHouseholds = 1000
	e, err := sim.New(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.BeginExperiment()

	// A second set of books that keeps everything.
	var collector analysis.FactsCollector
	var sales [3][]float64
	var sizes, kurtoses, shares []float64
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
			ages, staff = append(ages, v.Age), append(staff, v.Employees)
		})
		shares = append(shares, investment/e.Latest().Value(sim.NominalGDP))
		if m%12 == 11 {
			sizes = append(sizes, analysis.SizeTail(employees))
		}
		if m%12 == 11 && year > 0 {
			var firms []analysis.FirmYear
			for i, age := range ages {
				firms = append(firms, analysis.FirmYear{Age: age, Before: sales[year-1][i], After: sales[year][i], LeastEmployees: min(staff[i], before[i])})
			}
			kurtoses = append(kurtoses, analysis.GrowthKurtosis(firms))
		}
		if m%12 == 11 {
			before = staff
		}
	}
	equal := func(what string, got, want []float64) {
		t.Helper()
		if len(got) != len(want) {
			t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
		}
		for i := range got {
			checkNear(t, what, got[i], want[i], 0)
		}
	}
	equal("size tails", collector.History.SizeTail, sizes)
	equal("kurtoses", collector.History.GrowthKurtosis, kurtoses)
	equal("investment shares", collector.History.InvestmentShare, shares)
	for i, s := range collector.History.Series {
		if len(s) != months {
			t.Errorf("%s has %d months, want %d", sim.Indicator(i), len(s), months)
		}
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
