package estimation

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/quarterly"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/trials"
	"econ-mcp/sim"
)

// burnIn is long enough for the start to be forgotten.
const burnIn = 120

// calm is an economy of which confidence alone makes the cycle, so that small ones tell something.
func calm() sim.Params {
	p := sim.Defaults()
	p.EnableHouseholdTypes, p.IncomeSmoothing, p.FirmProductivityDispersion, p.FirmDemandDispersion = false, .7, 0, 0
	p.TechnologyVolatility, p.WorldDemandVolatility, p.ImportPriceVolatility = 0, 0, 0
	p.PurchasesVolatility, p.PolicyRateVolatility, p.LoanSpreadVolatility, p.OvertimeLimit = 0, 0, 0, 0
	p.ConfidenceVolatility, p.ConfidenceConsumptionEffect, p.ConfidencePersistence = .0025, 4.3, .957
	p.ConfidenceInvestmentEffect, p.CapitalAdjustmentMonths = 3.4, 51
	return p
}

// mustReality is the data of an economy that has values of its own for some parameters: 1,000 households on a seed
// that no search has.
func mustReality(tb testing.TB, quarters int, values map[string]float64) *trials.Reality {
	tb.Helper()
	p := calm()
	for name, value := range values {
		if err := p.Set(name, value); err != nil {
			tb.Fatal(err)
		}
	}
	p.NumHouseholds, p.BurnInMonths, p.RandomState = 1000, burnIn, 77
	s := scenario.Scenario{Name: "reality", Params: p, BurnIn: p}
	var c trials.QuartersCollector
	_, err := run.Simulation{
		Arms: []run.Arm{{Name: "reality", Scenario: s}}, Seeds: []uint64{77}, Months: 3 * quarters,
		Observe: func(_, _ int, e *sim.Economy) error { return c.Observe(e) },
	}.Run(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	d := c.Data()
	d.First, _ = quarterly.ParseQuarter("2000Q1")
	return &trials.Reality{Name: "reality.csv", Data: d, Samples: []quarterly.Span{{First: d.First, Last: d.First +
		quarterly.Quarter(quarters-1)}}}
}

func mustTargets(tb testing.TB, text string) *Targets {
	tb.Helper()
	t, err := ReadTargets([]byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return t
}

// estimationOf is a search of small economies.
func estimationOf(tb testing.TB, text string, reality *trials.Reality) *Estimation {
	tb.Helper()
	p := calm()
	p.BurnInMonths = burnIn
	return &Estimation{
		Targets: mustTargets(tb, text), Scenario: scenario.New("test", p), Reality: reality, Known: tb.TempDir(),
	}
}

func mustRun(tb testing.TB, e *Estimation) *Result {
	tb.Helper()
	r, err := e.Run(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// long leaves a test out where tests are to be short, as the race detector wants it: the loops that it watches also run
// in others.
func long(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
}

// What an economy with other parameters shows leads back to them.
func TestParametersAreFound(t *testing.T) {
	long(t)
	truth := map[string]float64{"confidence_volatility": .007, "government_employment_share": .2}
	e := estimationOf(t, `
households: 1000
replications: 4
parameters: {confidence_volatility: [0.001, 0.01], government_employment_share: [0.05, 0.3]}
only: [sd Y, growth Y sd, growth C sd, growth I sd, share C, share I, share G]
leave_out: [facts]
prior: 0.001
step: 0.2
rounds: 3
design_replications: 4
evaluations: 0
`, mustReality(t, 120, truth))
	r := mustRun(t, e)
	if !(r.End.Score < .7*r.Start.Score) || r.End.Met <= r.Start.Met {
		t.Errorf("score %g to %g, met %d to %d", r.Start.Score, r.End.Score, r.Start.Met, r.End.Met)
	}
	for _, p := range r.Parameters {
		want := truth[p.Name]
		// The data are one economy, whose chance the estimate has.
		if before, after := math.Abs(p.Start-want), math.Abs(p.Value-want); after > before/2 {
			t.Errorf("%s: %g to %g, and the truth is %g", p.Name, p.Start, p.Value, want)
		}
		if p.Name == "government_employment_share" && !p.Seen || !(p.SE > 0 && p.SE < (p.High-p.Low)/2) {
			t.Errorf("%s: signal %g, standard error %g", p.Name, p.Signal, p.SE)
		}
		if got, err := numberOf(r.Scenario.BurnIn, p.Name); err != nil || got != p.Value {
			t.Errorf("%s in the burn-in: %g, %v; %g is estimated", p.Name, got, err, p.Value)
		}
	}
	if text := r.Markdown("command"); !strings.Contains(text, "confidence_volatility") || !strings.Contains(text, "J = ") {
		t.Error(text)
	}
}

const small = `
households: 600
replications: 2
parameters: {separation_rate: [0.005, 0.04], consumption_habit: [0.3, 0.9]}
rounds: 1
evaluations: 6
`

// A search that was interrupted goes on where it was, and ends where one that was not does.
func TestInterruptedSearch(t *testing.T) {
	long(t)
	reality := mustReality(t, 60, nil)
	whole := mustRun(t, estimationOf(t, small, reality))
	if whole.Simulated != whole.Tried {
		t.Errorf("%d of %d simulated in an empty folder", whole.Simulated, whole.Tried)
	}
	e := estimationOf(t, small, reality)
	ctx, cancel := context.WithCancel(t.Context())
	const done = 5
	e.Progress = func(s Step) {
		if s.Tried == done {
			cancel()
		}
	}
	if _, err := e.Run(ctx); !errors.Is(err, context.Canceled) && !errors.As(err, new(*fault.Error)) {
		t.Fatalf("a cancelled search gave %v", err)
	}
	again := estimationOf(t, small, reality)
	again.Known, again.Threads = e.Known, 1
	r := mustRun(t, again)
	if r.Simulated != r.Tried-done {
		t.Errorf("%d of %d simulated after %d were known", r.Simulated, r.Tried, done)
	}
	if got, want := r.Markdown(""), whole.Markdown(""); got != want {
		t.Errorf("after an interruption:\n%s\nwithout:\n%s", got, want)
	}
}

// Facts of firms and households and responses to policy count beside the data, and are measured once.
func TestTablesOfFacts(t *testing.T) {
	long(t)
	e := estimationOf(t, `
households: 600
replications: 2
tables: [responses, micro]
parameters: {price_adjustment_probability: [0.01, 0.3]}
only: [facts, micro 7, responses 8, responses 11, "mean absolute size of a price change"]
leave_out: [facts]
weights: {micro 7: 2}
step: 0.2
rounds: 0
evaluations: 0
`, mustReality(t, 60, nil))
	r := mustRun(t, e)
	value := map[string]float64{}
	for i := range r.Moments {
		value[r.Moments[i].Name()] = r.Moments[i].Mean()
	}
	const prices = "micro 7 share of prices that change a month"
	if len(value) != 4 || !(value[prices] > .01 && value[prices] < .3) {
		t.Errorf("moments %v", value)
	}
	if x := value["responses 8 VAT +5 points: pass-through to consumer prices, months 1 to 3"]; !(x > .5 && x < 1.2) {
		t.Errorf("pass-through of VAT %g", x)
	}
	if p := r.Parameters[0]; !p.Seen {
		t.Errorf("prices change by %s, signal %g", p.Name, p.Signal)
	}
	if want := []Count{{"responses", r.End.Tables[0].Met, 2}, {"micro", r.End.Tables[1].Met, 2}}; !slices.Equal(r.End.Tables, want) {
		t.Errorf("tables %v", r.End.Tables)
	}
	again := estimationOf(t, small, e.Reality)
	again.Targets, again.Known = e.Targets, e.Known
	if r := mustRun(t, again); r.Simulated != 0 {
		t.Errorf("%d of %d simulated again", r.Simulated, r.Tried)
	}
}

// A band that is open to one side pulls towards its bound alone.
func TestOpenBands(t *testing.T) {
	for _, test := range []struct{ low, high, value, distance float64 }{
		{25, math.Inf(1), 40, 0},
		{25, math.Inf(1), 12.5, -toPercentile},
		{math.Inf(-1), -2, -3, 0},
		{math.Inf(-1), -2, -1, toPercentile},
		{1, 3, 2, 0},
		{1, 3, 3, toPercentile},
	} {
		facts := []trials.Fact{{Number: 1, Parts: []trials.Part{{BandLow: test.low, BandHigh: test.high, Values: []float64{test.value}}}}}
		if got := factMoments("responses", facts)[0].Distance(); math.Abs(got-test.distance) > 1e-9 {
			t.Errorf("%g in %g to %g: %g, not %g", test.value, test.low, test.high, got, test.distance)
		}
	}
}

// Beginning elsewhere leads elsewhere first: the search does not depend on the scenario's own values.
func TestRandomStart(t *testing.T) {
	e := estimationOf(t, small, mustReality(t, 60, nil))
	e.Targets.Evaluations, e.From = 0, 3
	r := mustRun(t, e)
	own, err := e.Targets.start(e.Scenario)
	if err != nil {
		t.Fatal(err)
	}
	if slices.Equal(e.first, own) || math.IsInf(r.Start.Score, 0) {
		t.Errorf("began at %v, score %g", e.first, r.Start.Score)
	}
}

func TestTargetsThatAreWrong(t *testing.T) {
	for text, want := range map[string]string{
		"": "empty",
		"parameters: {consumption_habbit: [0,1]}":                             "consumption_habit",
		"parameters: {consumption_habit: [0.5]}":                              "range such as",
		"parameters: {consumption_habit: [0.9, 0.3]}":                         "(line 1, column 33); allowed a range within 0 to 0.98",
		"parameters: {consumption_habit: [0, 3]}":                             "a range within 0 to 0.98",
		"parameters: {enable_trade: [0, 1]}":                                  "a number",
		"parameters: {}":                                                      "at least one",
		"parametres: {}":                                                      "parameters",
		"parameters: {consumption_habit: [0, .9]}\nreplications: 1":           "2 to 1000",
		"parameters: {consumption_habit: [0, .9]}\nstep: 0.9":                 "at most 0.5",
		"parameters: {consumption_habit: [0, .9]}\ndesign_replications: 1":    "2 to 1000",
		"parameters: {consumption_habit: [0, .9]}\nrobust: 0":                 "above 0",
		"parameters: {consumption_habit: [0, .9]}\nweights: {sd Y: 0}":        "leave_out",
		"parameters: {consumption_habit: [0, .9]}\nleave_out: facts":          "list of names",
		"parameters: {consumption_habit: [0, .9], consumption_habit: [0, 1]}": "given twice",
		"parameters: {consumption_habit: [0, .9]}\ntables: [response]":        `did you mean "responses"`,
		"parameters: {consumption_habit: [0, .9]}\ntables: [micro, micro]":    "given twice",
		"parameters: {consumption_habit: [0, .9]}\ntables: micro":             "list of names",
	} {
		_, err := ReadTargets([]byte(text))
		if err == nil || !strings.Contains(fault.Public(err).Text()+err.Error(), want) {
			t.Errorf("%q gave %v, not %q", text, err, want)
		}
	}
}

// What the program warns of as an extrapolation lies outside the ranges of the file from which the defaults are
// estimated, and the defaults lie inside.
func TestEstimatedRanges(t *testing.T) {
	text, err := os.ReadFile("../../docs/calibration/targets.yaml")
	if err != nil {
		t.Fatal(err)
	}
	within := map[string][2]float64{}
	for _, p := range mustTargets(t, string(text)).Parameters {
		within[p.Name] = [2]float64{p.Low, p.High}
	}
	for _, row := range sim.Catalogue() {
		low, high, ok := sim.EstimatedWithin(row.Name)
		if want, estimated := within[row.Name]; ok != estimated || [2]float64{low, high} != want {
			t.Errorf("%s: %g to %g, %v in the file", row.Name, low, high, want)
		}
		if r := sim.Extrapolation(sim.Defaults(), row.Name); r != (sim.Reason{}) {
			t.Errorf("default: %s", r.EN)
		}
	}
}

// What only the economy can tell is refused before the search.
func TestTargetsThatTheEconomyRefuses(t *testing.T) {
	reality := mustReality(t, 60, nil)
	const head = "households: 600\nreplications: 2\nrounds: 0\nevaluations: 0\n"
	for text, want := range map[string]string{
		"parameters: {consumption_habit: [0, .9]}\nleave_out: [sd Z / sd Y]": "did you mean",
		"parameters: {consumption_habit: [0, .9]}\nweights: {factz: 2}":      "facts",
		"parameters: {retirement_age_shift: [-5, 5]}":                        "enable_demography",
		"parameters: {consumption_habit: [0, .9]}\nonly: [sd Y]":             "fewer than the 1 moments",
	} {
		e := estimationOf(t, head+text, reality)
		if _, err := e.Run(t.Context()); err == nil || !strings.Contains(fmt.Sprint(err, fault.Public(err).Text()), want) {
			t.Errorf("%q gave %v, not %q", text, err, want)
		}
	}
	closed := estimationOf(t, head+"parameters: {consumption_habit: [0, .9]}", reality)
	closed.Scenario.Params.EnableTrade, closed.Scenario.BurnIn.EnableTrade = false, false
	if _, err := closed.Run(t.Context()); fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "sd X / sd Y") {
		t.Errorf("an economy without trade, and data of exports: %v", err)
	}
}

// measured is what measurement 5 finds of a small economy of model 0.9.0: another model gives other numbers.
const measured = "99a68a613d6272b0"

// A folder of what was measured is good as long as the same economy gives the same moments.
func TestMeasurement(t *testing.T) {
	reality := mustReality(t, 60, nil)
	e := estimationOf(t, small, reality)
	s := e.Scenario
	s.Params.NumHouseholds, s.BurnIn.NumHouseholds = 600, 600
	m, _, err := e.measure(t.Context(), s, 2)
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for name := range m.Quarters[0].Values {
			if !yield(name) {
				return
			}
		}
	}) {
		fmt.Fprintf(h, "%s %.6g\n", name, m.Quarters[0].Values[name])
	}
	fmt.Fprintf(h, "%.6g", m.Facts)
	if got := hex.EncodeToString(h.Sum(nil))[:16]; got != measured {
		t.Errorf("measured %s: if the model is the same (%s), raise measurement; then take this value", got, sim.ModelVersion)
	}
	known, simulated, err := e.measure(t.Context(), s, 2)
	if err != nil || simulated || !reflect.DeepEqual(fmt.Sprint(known), fmt.Sprint(m)) {
		t.Errorf("measured again: simulated %v, %v", simulated, err)
	}
	if files, err := filepath.Glob(filepath.Join(e.Known, "*.measured")); err != nil || len(files) != 1 {
		t.Errorf("files %v, %v", files, err)
	}
}
