package lab_test

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

const grouped = `
question: Who gains from a cheque, and what does it cost?
background: {set: {num_households: 500}}
arms:
  cheque: {events: [{pay: all, amount: 200, from: 1, for: 4}]}
  wage: {events: [{set: {minimum_wage: 60%}}]}
outcomes:
  - {metric: real_income_initial_fifth_1, window: [1, 4], expect: higher, smallest_effect: 2%}
  - {metric: real_consumption_tenth_10, window: [1, 4]}
  - {metric: cost_injections_to_control_gdp, window: [1, 4], smallest_effect: 0.2pp}
  - {metric: inflation_monthly, window: [1, 4]}
design: {months: 6, replications: 4, seed: 11, burn_in: 12}
`

// Groups, costs and shares of the control's GDP are compared as headline indicators are: each number
// is worked out here of the records of the runs.
func TestOutcomesByGroupAndProgramme(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	w.inquired(grouped, "groups")
	ctx := context.Background()
	records := func(arm string, r int) []sim.Record {
		list, err := w.Store.Records(ctx, "groups", arm, r, 1, 4, 1)
		if err != nil || len(list) != 4 {
			t.Fatalf("%d records, %v", len(list), err)
		}
		return list
	}
	// by hand, of the parts of a record
	by := map[string]func(r, control *sim.Record) float64{
		"real_income_initial_fifth_1": func(r, _ *sim.Record) float64 {
			a, b := r.Households.Standing.ByIncome[0], r.Households.Standing.ByIncome[1]
			n, m := float64(a.Households), float64(b.Households)
			return 100 * (n*a.Income + m*b.Income) / (n + m) / r.Values[sim.CPI]
		},
		"real_consumption_tenth_10": func(r, _ *sim.Record) float64 {
			return 100 * r.Households.Tenths.Consumption[9] / r.Values[sim.CPI]
		},
		"cost_injections_to_control_gdp": func(r, control *sim.Record) float64 {
			p := r.Government.Programmes
			return (r.Government.Transfers - p.BasicIncome - p.MinimumIncome - p.Redistribution - p.Retraining) / control.Values[sim.NominalGDP]
		},
		"inflation_monthly": func(r, _ *sim.Record) float64 { return r.Inflation },
	}
	c := w.compared("", inference.Choice{}, "groups")
	if len(c.Rows) != 2*len(by) {
		t.Fatalf("%d rows, want %d", len(c.Rows), 2*len(by))
	}
	for _, row := range c.Rows {
		var differences []float64
		for r := 1; r <= 4; r++ {
			control, treatment := records("control", r), records(row.Arm, r)
			sum := 0.0
			for m := range treatment {
				sum += by[row.Metric](&treatment[m], &control[m]) - by[row.Metric](&control[m], &control[m])
			}
			differences = append(differences, sum/4)
		}
		want := stats.PairedInterval(make([]float64, 4), differences, .95)
		tolerance := 1e-9 * math.Max(1, math.Abs(want.Mean))
		if math.Abs(float64(row.Difference)-want.Mean) > tolerance || math.Abs(float64(row.CILow)-want.Low) > 10*tolerance || row.Exploratory {
			t.Errorf("%s of %s: %v from %v (exploratory %t), want %v from %v", row.Metric, row.Arm, row.Difference, row.CILow, row.Exploratory,
				want.Mean, want.Low)
		}
		if row.Metric == "cost_injections_to_control_gdp" && (row.Arm == "cheque") != (row.Difference > 0) {
			t.Errorf("injections cost %v of the control's GDP in %s", row.Difference, row.Arm)
		}
	}

	series, err := w.Series(ctx, "groups", "cheque", "cost_injections_to_control_gdp", "mean", 1, 6, 1)
	if err != nil || !(series.Data[3] > 0) || series.Data[4] != 0 || series.Unit != "share of the control's GDP" {
		t.Errorf("the path is %+v, %v", series, err)
	}
	snapshot, err := w.Indicators(ctx, "groups", "cheque", 4, 0, []string{"cost_injections_to_control_gdp", "jobs"})
	if err != nil || math.Abs(snapshot.Values[0].Value-float64(series.Data[3])) > 1e-12 || !(snapshot.Values[1].Value > 0) {
		t.Errorf("the snapshot is %+v, %v; the path %v", snapshot, err, series.Data[3])
	}
	table, err := w.CSV(ctx, "groups")
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(strings.NewReader(table)).ReadAll()
	if err != nil || len(rows[0]) != 3+int(sim.NumIndicators)+len(by) || rows[1][len(rows[1])-1] == "" {
		t.Errorf("%d columns in the export, %v; want the headline indicators and %d outcomes", len(rows[0]), err, len(by))
	}
	if _, err := w.Report(ctx, "groups", "markdown", "zh", ""); err != nil {
		t.Error(err)
	}
}

// Two experiments are measured on the GDP of the first, by seed.
func TestCostsOfTwoExperiments(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	for name, cheque := range map[string]float64{"none": 0, "paid": 200} {
		s := small(t, name).Scenario
		if cheque > 0 {
			s.Interventions = []sim.Intervention{{
				Type: sim.TypeInjection, TargetMonth: 1, DurationMonths: 6, Injection: sim.Injection{Group: "all", Amount: cheque},
			}}
		}
		if _, err := w.Start(context.Background(), lab.Order{Name: name, Scenario: s, Months: 6, Replications: 3}); err != nil {
			t.Fatal(err)
		}
		w.wait(name, run.StateCompleted)
	}
	metric, _ := sim.IndicatorByName("cost_injections_to_control_gdp")
	c := w.compared("", inference.Choice{Metrics: []sim.Indicator{metric}, Windows: []inference.Window{{From: 1, To: 1}}}, "none", "paid")
	var want []float64
	for r := 1; r <= 3; r++ {
		a, _ := w.Store.Records(context.Background(), "none", lab.OnlyArm, r, 1, 1, 1)
		b, _ := w.Store.Records(context.Background(), "paid", lab.OnlyArm, r, 1, 1, 1)
		want = append(want, b[0].Value(sim.CostOf("injections"))/a[0].Values[sim.NominalGDP])
	}
	if got := float64(c.Rows[0].Difference); !(got > 0) || math.Abs(got-stats.Mean(want)) > 1e-12 {
		t.Errorf("the cheque costs %v of the control's GDP, want %v", got, stats.Mean(want))
	}
}

// What an experiment cannot have is refused before it runs, and read as nothing afterwards.
func TestOutcomesThatAreNotThere(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	for text, kind := range map[string]fault.Kind{
		"outcomes: [{metric: cost_pensions_to_control_gdp}]":                                            fault.Conflict,
		"outcomes: [{metric: real_income_tenth_11}]":                                                    fault.NotFound,
		"outcomes: [{metric: real_income_tenth_1, smallest_effect: 0.5pp}]":                             fault.WrongType,
		"outcomes: [{metric: cost_pensions_to_gdp, smallest_effect: 5%}]":                               fault.WrongType,
		"outcomes: [{metric: real_income_age_65_plus}]\ndesign: {months: 6, replications: 2}":           fault.InvalidState,
		"outcomes: [{metric: jobs}]\nbackground: {events: [{set: {vat_rate: 3%}, when: jobs < 200}]}\n": fault.WrongType,
	} {
		q, err := inquiry.Decode([]byte(text + "\n"))
		if err == nil {
			_, err = w.Inquire(q, "", "")
		}
		if fault.KindOf(err) != kind {
			t.Errorf("%s: %v, want %s", text, err, kind)
		}
	}
	// What one of the arms has, or an event or a rule may bring, is an outcome of all.
	const text = "background: {set: {enable_trade: false}}\narms: {%s}\noutcomes: [{metric: %s}]\ndesign: {months: 24, replications: 2}\n"
	for _, tt := range []struct {
		metric, arms string
		refused      string // with what its hint says; "" = it is an outcome
	}{
		{"population", "a: {set: {vat_rate: 9%}}", "needs enable_demography"},
		{"population", "a: {set: {enable_demography: true}}", ""},
		{"participation_rate", "a: {set: {vat_rate: 9%}}, b: {set: {enable_demography: true}}", ""},
		{"exports", "a: {set: {vat_rate: 9%}}", "needs enable_trade"},
		{"net_foreign_position", "a: {set: {enable_trade: true}}", ""},
		{"tax_tariff", "a: {set: {enable_trade: true}}", "tariff_rate above 0"},
		{"tax_tariff", "a: {set: {enable_trade: true}, events: [{set: {tariff_rate: 10%}, from: 3}]}", ""},
		{"ai_adoption_share", "a: {events: [{policy: robot_tax, level: 50%}]}", "ai_adoption_rate above 0"},
		{"ai_adoption_share", "a: {set: {vat_rate: 9%}}, b: {events: [{set: {ai_adoption_rate: 1%}, from: 13}]}", ""},
		{"tax_robot", "a: {set: {ai_adoption_rate: 1%}}, b: {events: [{policy: robot_tax, level: 50%}]}", "ai_adoption_rate and a robot_tax_rate"},
		{"tax_robot_to_gdp", "a: {set: {ai_adoption_rate: 1%}, events: [{policy: robot_tax, level: 50%, from: 2}]}", ""},
		{"cost_job_retention", "a: {set: {vat_rate: 9%}}", "job_retention_share above 0"},
		{"cost_job_retention", "a: {rules: [{when: unemployment_rate > 8%, until: unemployment_rate < 6%, " +
			"do: {policy: job_retention, level: 50%}}]}", ""},
		{"cost_injections", "a: {set: {vat_rate: 9%}}", "a payment to a group"},
		{"cost_injections_to_control_gdp", "a: {events: [{pay: all, amount: 9, when: unemployment_rate > 8%}]}", ""},
		{"innovation_events", "a: {set: {vat_rate: 9%}}", ""},
		{"bank_failures", "a: {set: {vat_rate: 9%}}", ""}, // a bank may fail in any economy
	} {
		q, err := inquiry.Decode(fmt.Appendf(nil, text, tt.arms, tt.metric))
		if err == nil {
			_, err = w.Inquire(q, "", "")
		}
		if refused := fault.KindOf(err) == fault.InvalidState && strings.Contains(err.Error(), tt.refused); err != nil && !refused ||
			(err != nil) != (tt.refused != "") {
			t.Errorf("%s with %s: %v, want %q", tt.metric, tt.arms, err, tt.refused)
		}
	}
	if _, err := w.Start(context.Background(), lab.Order{Name: "one", Scenario: small(t, "one").Scenario, Months: 6, Replications: 1}); err != nil {
		t.Fatal(err)
	}
	w.wait("one", run.StateCompleted)
	for _, metric := range []string{"cost_pensions_to_control_gdp", "real_income_age_65_plus"} {
		if s, err := w.Series(context.Background(), "one", "", metric, "mean", 1, 0, 1); err == nil {
			t.Errorf("%s is %v in an experiment that does not have it", metric, s.Data)
		}
	}
}
