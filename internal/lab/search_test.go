package lab_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

const matched = `
question: A cheque that costs as much as a VAT cut?
background: {set: {num_households: 500}, events: [{shock: demand, size: -10%, persistence: 0.97}]}
arms:
  vat_cut: {events: [{set: {vat_rate: 3%}, for: 6}]}
  cheque:  {events: [{pay: all, amount: 40, for: 6}]}
equal_cost: {match: cheque, to: vat_cut, by: "events[0].amount", measure: MEASURE, window: [1, 6]}
outcomes: [{metric: real_consumption, window: [1, 6]}]
design: {months: 8, replications: 4, seed: 7, burn_in: 6}
`

// direct simulates arms of a stored experiment on seeds, and says what two of them cost more than the
// first: the sum of what their balances are worse by.
func (w *workshop) direct(name string, seeds []uint64, months int, arms ...string) (costs [][]float64) {
	w.tb.Helper()
	s := run.Simulation{Seeds: seeds, Months: months}
	sums := make([][]float64, len(arms))
	for i, arm := range arms {
		scenario, err := w.Scenario(context.Background(), name, arm)
		if err != nil {
			w.tb.Fatal(err)
		}
		s.Arms, sums[i] = append(s.Arms, lab.Arm{Name: arm, Scenario: scenario}), make([]float64, len(seeds))
	}
	s.Observe = func(arm, replication int, e *sim.Economy) error {
		r := e.Latest()
		sums[arm][replication] += r.Value(sim.GovernmentSpending) - r.Value(sim.TaxRevenue) - r.Government.CentralBankProfit
		return nil
	}
	if _, err := s.Run(w.tb.Context()); err != nil {
		w.tb.Fatal(err)
	}
	for _, sum := range sums[1:] {
		costs = append(costs, stats.Differences(sums[0], sum))
	}
	return costs
}

// The amount that is found makes the costs equal on the pilot: simulated again from what is on record, they
// are within 1 % there. The experiment tells their difference on its own seeds, which the pilot never saw.
func TestEqualCost(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	text := strings.Replace(matched, "MEASURE", "net", 1)
	q := w.inquired(text, "equal")
	found, err := w.Searched(context.Background(), "equal")
	if err != nil || found.EqualCost == nil {
		t.Fatalf("%v: %+v", err, found)
	}
	c := found.EqualCost
	cheque, err := w.Scenario(context.Background(), "equal", "cheque")
	if err != nil || cheque.Interventions[1].Injection.Amount != c.Amount || c.Amount == 40 {
		t.Errorf("%v: %v on record, found %g", err, cheque.Interventions, c.Amount)
	}
	own := run.Seeds(7, 4)
	seeds := run.PilotSeeds(7, c.Pilot.Replications, own)
	costs := w.direct("equal", seeds, 6, "control", "cheque", "vat_cut")
	match, to := stats.Mean(costs[0]), stats.Mean(costs[1])
	if math.Abs(match-to) > .01*math.Abs(to) || math.Abs(match/c.Pilot.Cost-1) > 1e-9 || math.Abs(to/c.Pilot.CostTo-1) > 1e-9 {
		t.Errorf("directly %g and %g, told %+v", match, to, c.Pilot)
	}
	if wide := stats.StdDev(costs[1]) / math.Sqrt(float64(len(seeds))); wide > .05*to || math.Abs(wide/c.Pilot.StandardTo-1) > 1e-9 {
		t.Errorf("standard error %g of %g", wide, to)
	}
	costs = w.direct("equal", own, 6, "control", "cheque", "vat_cut")
	iv := stats.PairedInterval(costs[1], costs[0], .95)
	if math.Abs(iv.Mean/float64(c.Difference)-1) > 1e-9 || math.Abs(iv.Low/float64(c.CILow)-1) > 1e-9 || c.N != 4 {
		t.Errorf("on its own seeds %+v, told %+v", iv, c)
	}
	// The plan is that of before the search; the runs can be simulated again.
	x, err := w.Store.Experiment(context.Background(), "equal")
	if err != nil || lab.PlanHash(x.Plan) != q.PlanHash || x.Arms[2].Hash != cheque.Hash() {
		t.Errorf("%v: plan %s, want %s; arm %s, want %s", err, lab.PlanHash(x.Plan), q.PlanHash, x.Arms[2].Hash, cheque.Hash())
	}
	same := 0
	err = w.Rerun(context.Background(), "equal", 2, func(r lab.Rerun) {
		if r.Same() {
			same++
		}
	})
	if err != nil || same != 12 {
		t.Errorf("%v, %d of 12 runs give the same again", err, same)
	}
	// Another laboratory finds the same.
	other := newWorkshop(t, run.Settings{Threads: 1})
	other.inquired(text, "equal")
	if again, err := other.Searched(context.Background(), "equal"); err != nil || again.EqualCost.Amount != c.Amount ||
		again.EqualCost.Difference != c.Difference {
		t.Errorf("%v: %+v, was %+v", err, again.EqualCost, c)
	}
}

// Gross, the payments of the cheque are what the VAT of the control's purchases would have brought in.
func TestGrossCost(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	w.inquired(strings.Replace(matched, "MEASURE", "gross", 1), "gross")
	found, err := w.Searched(context.Background(), "gross")
	if err != nil || found.EqualCost == nil {
		t.Fatalf("%v: %+v", err, found)
	}
	c := found.EqualCost
	vat := func(seeds []uint64) float64 {
		control, err := w.Scenario(context.Background(), "gross", "control")
		if err != nil {
			t.Fatal(err)
		}
		sums := make([]float64, len(seeds))
		s := run.Simulation{
			Arms: []lab.Arm{{Name: "control", Scenario: control}}, Seeds: seeds, Months: 6,
			Observe: func(_, r int, e *sim.Economy) error {
				sums[r] += e.Latest().Value(sim.TaxVAT) * (.08 - .03) / .08
				return nil
			},
		}
		if _, err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return stats.Mean(sums)
	}
	pays := 500 * 6 * c.Amount
	if forgone := vat(run.PilotSeeds(7, c.Pilot.Replications, run.Seeds(7, 4))); math.Abs(pays-forgone) > .01*forgone {
		t.Errorf("%g is paid and %g forgone on the pilot", pays, forgone)
	}
	if forgone := vat(run.Seeds(7, 4)); math.Abs(float64(c.CostTo)/forgone-1) > 1e-9 ||
		math.Abs(float64(c.Difference)-(pays-forgone)) > 1e-6*pays {
		t.Errorf("%g is paid and %g forgone, told %+v", pays, forgone, c)
	}
}

// Gross, a programme costs what its line of the budget has more than in the control.
func TestGrossProgrammes(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	text := strings.NewReplacer("MEASURE", "gross", "set: {vat_rate: 3%}, for: 6", "policy: universal_basic_income, level: 1%",
		"pay: all", "pay: unemployed").Replace(matched)
	w.inquired(text, "gross")
	found, err := w.Searched(context.Background(), "gross")
	if err != nil || found.EqualCost == nil {
		t.Fatalf("%v: %+v", err, found)
	}
	var costs [2]float64
	for i, arm := range []string{"cheque", "vat_cut"} {
		for r := range 4 {
			records, err := w.Store.Records(context.Background(), "gross", arm, r+1, 1, 6, 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, month := range records {
				g := month.Government
				costs[i] += []float64{g.Transfers, g.Programmes.BasicIncome}[i] / 4
			}
		}
	}
	c := found.EqualCost
	if costs[1] <= 0 || math.Abs(float64(c.Cost)/costs[0]-1) > 1e-9 || math.Abs(float64(c.CostTo)/costs[1]-1) > 1e-9 ||
		math.Abs(c.Pilot.Cost/c.Pilot.CostTo-1) > .01 {
		t.Errorf("directly %v, told %+v", costs, c)
	}
}

func TestSearchRefused(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	change := func(from, to string) string {
		return strings.Replace(strings.Replace(matched, "MEASURE", "gross", 1), from, to, 1)
	}
	for text, part := range map[string]string{
		change("vat_rate: 3%", "minimum_wage: 50%"):                                                 "it changes minimum_wage",
		change("amount: 40, for: 6}", "amount: 40, for: 6}, {policy: progressive_tax, level: 50%}"): "income_tax_brackets",
		change("vat_rate: 3%}, for: 6", "vat_rate: 3%}, for: 6, ramp: 3"):                           "in steps",
		change("shock: demand, size: -10%, persistence: 0.97", "set: {vat_rate: 9%}, for: 3"):       "more than once",
		change("num_households: 500", "num_households: 500, vat_rates_by_industry: '01: 0.05'"):     "vat_rates_by_industry",
		change("num_households: 500", "num_households: 500, vat_rate: 0"):                           "is 0 in the control",
		change("vat_cut: {events: [{set: {vat_rate: 3%}, for: 6}]}", "vat_cut: {preset: ubi}"):      "changes",
	} {
		q := mustInquiry(t, text)
		if _, err := w.Inquire(q, "", ""); fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), part) ||
			!strings.Contains(fmt.Sprintf("%+v", err), "net") {
			t.Errorf("%v, want %q in\n%s", err, part, text)
		}
	}
	// What the pilot finds out fails the experiment, which says why.
	for name, c := range map[string][3]string{
		"noisy":   {"vat_rate: 3%", "separation_rate: 1.54%", "standard error"},
		"nothing": {"vat_rate: 3%}, for: 6", "vat_rate: 3%}, from: 7", "costs nothing"},
		"signs":   {"vat_rate: 3%", "vat_rate: 13%", "and vat_cut brings in "},
		"bounds":  {"events: [{pay: all, amount: 40, for: 6}]", "set: {vat_rate: 7%}", ""},
	} {
		text := strings.Replace(strings.Replace(matched, "MEASURE", "net", 1), c[0], c[1], 1)
		if name == "bounds" { // no VAT that is lower brings so much more
			text = strings.NewReplacer("events[0].amount", "set.vat_rate", "vat_rate: 3%}, for: 6",
				"inherent_market_consumption_rate: 35%}, for: 6").Replace(text)
			c[2] = "costs as much as"
		}
		q, err := w.Inquire(mustInquiry(t, text), name, "")
		if err == nil {
			_, err = w.Start(context.Background(), q.Order)
		}
		if err != nil {
			t.Fatal(err)
		}
		if s := w.wait(name, run.StateFailed); !strings.Contains(s.Message, c[2]) {
			t.Errorf("%s: %q does not say %q", name, s.Message, c[2])
		}
	}
}

// What a search simulates counts under the limit of its experiment.
func TestSearchWithinLimits(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	w.Limits.HouseholdMonths = 500*5*4*10 + 500*4*4*6 - 1 // the experiment, and all but one of the first values
	q, err := w.Inquire(mustInquiry(t, dosage), "limited", "")
	if err == nil {
		_, err = w.Start(context.Background(), q.Order)
	}
	if err != nil {
		t.Fatal(err)
	}
	if s := w.wait("limited", run.StateFailed); !strings.Contains(s.Message, "with those of the search, above the limit household_months of 147999") {
		t.Errorf("%q", s.Message)
	}
}

const dosage = `
question: How high can VAT be before consumption falls by 5 %?
background: {set: {num_households: 500}}
find: {parameter: vat_rate, within: [8%, 40%], outcome: real_consumption, window: [2, 4], crosses: -5%}
design: {months: 5, replications: 4, seed: 3, burn_in: 6}
`

// A threshold lies between the values that the bisection came to, of which the record holds an arm each;
// directly simulated at the threshold, the effect is nearly the level.
func TestThreshold(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	w.inquired(dosage, "found")
	found, err := w.Searched(context.Background(), "found")
	if err != nil || found.Threshold == nil {
		t.Fatalf("%v: %+v", err, found)
	}
	f := found.Threshold
	if !f.Found || f.N != 4 || f.Shape != "falling" || len(f.Points) != 9 || !f.Relative || f.More != 0 {
		t.Errorf("%s", encoded(t, f))
	}
	var arms []string
	nearest := math.Inf(1)
	for i, p := range f.Points {
		s, err := w.Scenario(context.Background(), "found", p.Arm)
		if err != nil || s.Params.VATRate != p.Value || i > 0 && p.Value <= f.Points[i-1].Value {
			t.Errorf("%v: %s has %g, told %+v", err, p.Arm, s.Params.VATRate, p)
		}
		arms, nearest = append(arms, p.Arm), min(nearest, math.Abs(p.Value-float64(f.Value)))
	}
	slices.Sort(arms)
	if nearest > .32/64 || arms[0] != "point_0.08" || arms[8] != "step_4" {
		t.Errorf("the nearest value is %g from the threshold; arms %v", nearest, arms)
	}
	effect := func(value float64) float64 {
		control, err := w.Scenario(context.Background(), "found", "control")
		if err != nil {
			t.Fatal(err)
		}
		point := control
		point.Params.VATRate = value
		s := run.Simulation{Arms: []lab.Arm{{Name: "control", Scenario: control}, {Name: "point", Scenario: point}}, Seeds: run.Seeds(3, 4),
			Months: 4}
		sums := [2][4]float64{}
		s.Observe = func(arm, r int, e *sim.Economy) error {
			if e.Month() >= 2 {
				sums[arm][r] += e.Latest().Value(sim.RealConsumption)
			}
			return nil
		}
		if _, err := s.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return stats.Mean(sums[1][:])/stats.Mean(sums[0][:]) - 1
	}
	if got := effect(float64(f.Value)); math.Abs(got+.05) > .004 {
		t.Errorf("at %g the effect is %g, want -.05", f.Value, got)
	}
	if got := effect(f.Points[0].Value); math.Abs(got-float64(f.Points[0].Effect)) > 1e-12 {
		t.Errorf("at %g the effect is %g, told %g", f.Points[0].Value, got, f.Points[0].Effect)
	}
	w.inquired(strings.Replace(dosage, "-5%", "20%", 1), "none")
	if found, err = w.Searched(context.Background(), "none"); err != nil || found.Threshold.Found || len(found.Threshold.Points) != 9 {
		t.Errorf("%v: %s", err, encoded(t, found.Threshold))
	}
}

// The values that a bisection comes to are chosen by looks at the data: they stand in no family of tests
// and have no p-value, whatever is asked; the five that are known beforehand do.
func TestBisectionIsNotTested(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	w.inquired(strings.Replace(dosage, "replications: 4", "replications: 6", 1), "found")
	compare := func(c inference.Choice) inference.Comparison {
		t.Helper()
		out, err := w.Compare(context.Background(), []string{"found"}, c, "", "")
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	c := compare(inference.Choice{})
	var arms []string
	for _, r := range c.Rows {
		arms = append(arms, r.Arm)
	}
	if want := []string{"point_0.08", "point_0.16", "point_0.24", "point_0.32", "point_0.4"}; !slices.Equal(arms, want) || c.Family != 4 {
		t.Errorf("rows of %v, want %v; a family of %d, want the four that differ from the control", arms, want, c.Family)
	}
	more := compare(inference.Choice{Metrics: []sim.Indicator{sim.RealConsumption, sim.CPI}, Windows: []inference.Window{{From: 2, To: 4}}})
	steps := 0
	for _, r := range more.Rows {
		if !strings.HasPrefix(r.Arm, "step_") {
			continue
		}
		steps++
		if !r.Exploratory || !math.IsNaN(float64(r.P)) || !math.IsNaN(float64(r.PAdjusted)) || !math.IsNaN(float64(r.PEquivalence)) ||
			math.IsNaN(float64(r.CILow)) || r.Verdict != inference.NotJudged {
			t.Errorf("%+v", r)
		}
	}
	if steps != 8 || !strings.Contains(more.Text, "an estimate, not tested") {
		t.Errorf("%d rows of the bisection in\n%s", steps, more.Text)
	}
	stored, err := w.Analyse(context.Background(), "found", lab.AnalysisSettings{}, "")
	if err != nil {
		t.Fatal(err)
	}
	a := stored.Analysis
	for _, r := range slices.Concat(a.Distribution.Rows, a.Budget) {
		if strings.HasPrefix(r.Arm, "step_") {
			t.Fatalf("%+v is tested", r)
		}
	}
	if a.Arm != "point_0.4" || len(a.Budget) == 0 {
		t.Errorf("the main arm is %s, with %d rows of the budget", a.Arm, len(a.Budget))
	}
}

// What is estimated beforehand counts what the search simulates.
func TestSearchTakesTime(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	seconds := func(text string) float64 {
		t.Helper()
		q, err := w.Inquire(mustInquiry(t, text), "", "")
		if err != nil {
			t.Fatal(err)
		}
		return q.EstimatedSeconds
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got/want-1) > 1e-9 {
			t.Errorf("%s: %g times, want %g", what, got, want)
		}
	}
	// ten arms of 5 months and 6 of burn-in, then ten runs a replication of the first 4 months, of 4 replications
	find := dosage[strings.Index(dosage, "find"):strings.Index(dosage, "design")]
	alone := seconds(strings.Replace(dosage, strings.TrimSpace(find),
		"arms: {a: {doses: {parameter: vat_rate, values: [9%, 10%, 11%, 12%, 13%, 14%, 15%, 16%, 17%]}}}", 1))
	near("find", seconds(dosage)/alone, (10.*5+6+10*4)/(10*5+6))
	// three arms of 8 months and 6 of burn-in, of 4 replications; of the pilot 8, six runs of 6 months and 6 of burn-in
	equal := strings.Replace(matched, "MEASURE", "net", 1)
	from := strings.Index(equal, "equal_cost")
	without := equal[:from] + equal[from+strings.Index(equal[from:], "\n"):]
	near("equal cost", seconds(equal)/seconds(without), (4*(3.*8+6)+8*(6*6+6))/(4*(3*8+6)))
}

// A search can be stopped, and nothing else; one that was interrupted is taken up again, and finds the same.
func TestSearchInterrupted(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	w.inquired(dosage, "whole")
	whole, err := w.Searched(context.Background(), "whole")
	if err != nil {
		t.Fatal(err)
	}
	begin := func(name string) {
		t.Helper()
		text := strings.Replace(dosage, "burn_in: 6", "burn_in: 240", 1)
		if name == "interrupted" {
			text = dosage
		}
		q, err := w.Inquire(mustInquiry(t, text), name, "")
		if err == nil {
			_, err = w.Start(context.Background(), q.Order)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	begin("stopped")
	if _, err := w.Pause(context.Background(), "stopped", access.Operator()); fault.KindOf(err) != fault.InvalidState ||
		!strings.Contains(err.Error(), "looks for a number") {
		t.Errorf("paused while it searches: %v", err)
	}
	if s, err := w.Stop(context.Background(), "stopped", access.Operator()); err != nil || s.State != run.StateStopped || s.Month != 0 {
		t.Errorf("%v: %+v", err, s)
	}
	begin("interrupted")
	w.close()
	w.open()
	s, err := w.Status(context.Background(), "interrupted")
	if err != nil || s.State != run.StateInterrupted || s.Month != 0 || s.Preparing != strings.Contains(s.Message, "looks again") {
		t.Fatalf("%v: %+v", err, s)
	}
	if _, err := w.Resume(context.Background(), "interrupted", 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	w.wait("interrupted", run.StateCompleted)
	again, err := w.Searched(context.Background(), "interrupted")
	if err != nil || encoded(t, again) != encoded(t, whole) {
		t.Errorf("%v: %s, was %s", err, encoded(t, again), encoded(t, whole))
	}
}
