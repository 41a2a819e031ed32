package tables_test

import (
	"math"
	"reflect"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// fill gives every number in a value another value, and lists them.
func fill(v reflect.Value, next *float64) (numbers []float64) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			numbers = append(numbers, fill(v.Field(i), next)...)
		}
	case reflect.Array:
		for i := range v.Len() {
			numbers = append(numbers, fill(v.Index(i), next)...)
		}
	case reflect.Int:
		*next++
		v.SetInt(int64(*next))
		return []float64{*next}
	case reflect.Float64:
		*next++
		v.SetFloat(*next)
		return []float64{*next}
	default:
		panic("a record holds " + v.Kind().String())
	}
	return numbers
}

// Each number of a record is in a column of some type, under a name of its own in it.
func TestMonthlyStatisticsHoldTheRecord(t *testing.T) {
	var r sim.Record
	next := 1000.
	numbers := fill(reflect.ValueOf(&r).Elem(), &next)
	found := map[float64]bool{float64(r.Month): true}  // the caller has the months
	for _, g := range r.Households.Standing.ByWealth { // which no month has
		found[g.Consumption], found[g.Wealth] = true, true
	}
	for _, statType := range tables.StatTypes {
		columns, err := tables.MonthlyStatistics(statType, []sim.Record{r})
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, c := range columns {
			found[float64(c.Values[0])] = true
			if c.Name == "" || c.Unit == "" || names[c.Name] {
				t.Errorf("%s: column %q with unit %q is nameless or there twice", statType, c.Name, c.Unit)
			}
			names[c.Name] = true
		}
	}
	if len(numbers) < 250 {
		t.Fatalf("only %d numbers in a record", len(numbers))
	}
	for k, x := range numbers {
		if !found[x] {
			t.Errorf("number %d of a record is in no column", k)
		}
	}
}

func TestMonthlyStatisticsOfARun(t *testing.T) {
	e := grownEconomy(t, func(p *sim.Params) { p.NumIndustries = 3 })
	r := *e.Latest()
	twice := r
	twice.Values[sim.UnemploymentRate] += .02
	columns, err := tables.MonthlyStatistics("labor", []sim.Record{r, r}, []sim.Record{r, twice})
	if err != nil {
		t.Fatal(err)
	}
	if c := columns[0]; c.Name != "unemployment_rate" || len(c.Values) != 2 {
		t.Errorf("first column %+v", c)
	}
	checkNear(t, "mean over replications", float64(columns[0].Values[1]), r.Value(sim.UnemploymentRate)+.01, 1e-12)
	for _, c := range columns {
		if c.Name == "unemployment_age_15_29" {
			t.Error("age groups without demography")
		}
	}
	firms, _ := tables.MonthlyStatistics("firm", []sim.Record{r})
	names := map[string]float64{}
	for _, c := range firms {
		names[c.Name] = float64(c.Values[0])
	}
	if _, ok := names["revenue_industry_4"]; ok || names["revenue_industry_3"] <= 0 || names["revenue_capital_goods"] <= 0 {
		t.Errorf("columns of three industries: %v", names)
	}
	if _, err := tables.MonthlyStatistics("labour", []sim.Record{r}); fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("unknown type: %v", err)
	}

	m := &tables.RecordMeans{}
	m.Add(&r, e.Params())
	m.Add(&twice, e.Params())
	checkNear(t, "mean of a column", m.Mean("labor", "unemployment_rate"), r.Value(sim.UnemploymentRate)+.01, 1e-12)
	checkNear(t, "mean of a group", m.Groups.Mean("decile", "income", 0), r.Households.Income.Deciles[0], 1e-9)
	if !math.IsNaN(m.Mean("labor", "nothing")) {
		t.Error("mean of no column")
	}
}

func TestAggregate(t *testing.T) {
	months := []int{3, 6}
	runs := [][]float64{{1, 5}, {2, math.NaN()}, {3, 7}}
	mean, err := tables.Aggregate("mean", months, runs, .95)
	if err != nil {
		t.Fatal(err)
	}
	checkNear(t, "mean", float64(mean.Data[0]), 2, 1e-12)
	checkNear(t, "upper", float64(mean.Upper[0]), 4.4841377, 1e-7) // R 4.4: t.test(1:3)$conf.int
	checkNear(t, "mean of those that are there", float64(mean.Data[1]), 6, 1e-12)
	quantiles, _ := tables.Aggregate("quantiles", months, runs, .95)
	// R 4.4: quantile(1:3, c(.05, .25, .5, .75, .95)): 1.1 1.5 2.0 2.5 2.9
	for k, got := range []stats.Number{
		quantiles.Lower[0], quantiles.LowerQuartile[0], quantiles.Data[0], quantiles.UpperQuartile[0], quantiles.Upper[0],
	} {
		checkNear(t, "quantile", float64(got), []float64{1.1, 1.5, 2, 2.5, 2.9}[k], 1e-12)
	}
	all, _ := tables.Aggregate("all", months, runs, .95)
	if len(all.Replications) != 3 || all.Replications[2][1] != 7 {
		t.Errorf("all: %+v", all)
	}
	if _, err := tables.Aggregate("median", months, runs, .95); fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("unknown aggregate: %v", err)
	}
}
