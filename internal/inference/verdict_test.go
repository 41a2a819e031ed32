package inference_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Data sets that come with R: with(PlantGrowth, tapply(weight, group, cat)) and cat(sleep$extra).
var (
	plants1 = []float64{4.17, 5.58, 5.18, 6.11, 4.5, 4.61, 5.17, 4.53, 5.33, 5.14}
	plants2 = []float64{4.81, 4.17, 4.41, 3.59, 5.87, 3.83, 6.03, 4.89, 4.32, 4.69}
	plants3 = []float64{6.31, 5.12, 5.54, 5.5, 5.37, 5.29, 4.92, 6.15, 5.8, 5.26}
	drug1   = []float64{0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0}
	drug2   = []float64{1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4}
)

// The four comparisons of most tests, from the first list to the second. All indicators are levels.
var (
	four   = []sim.Indicator{sim.RealGDP, sim.CPI, sim.RealWageMean, sim.LabourProductivity}
	before = columns{sim.RealGDP: plants1, sim.CPI: drug1, sim.RealWageMean: plants2, sim.LabourProductivity: plants3}
	after  = columns{sim.RealGDP: plants2, sim.CPI: drug2, sim.RealWageMean: plants3, sim.LabourProductivity: plants1}
)

// The p-values of two of them, by the computation of TestPairedInterval in internal/stats.
const pDrugs, pWage = 0.019927695039869405, 0.03517863659720371

// columns are indicators with a value for each replication.
type columns map[sim.Indicator][]float64

// seeds are those of n replications, the first of which is given.
func seeds(from, n int) (list []uint64) {
	for k := range n {
		list = append(list, uint64(from+k))
	}
	return list
}

// made is a study of arms whose indicators stay as they are for four months.
func made(name string, seeds []uint64, arms ...columns) *tables.Study {
	s := &tables.Study{Name: name, Seed: 7, Seeds: seeds, Months: 4}
	for k, values := range arms {
		arm := tables.StudyArm{Name: []string{"control", "treatment", "other"}[k]}
		for r := range seeds {
			series := new([sim.NumOutcomes][]float64)
			for i := range series {
				series[i] = []float64{1, 1, 1, 1}
			}
			for i, column := range values {
				x := column[r]
				series[i] = []float64{x, x, x, x}
			}
			arm.Panel = append(arm.Panel, series)
		}
		s.Arms = append(s.Arms, arm)
	}
	return s
}

func mustCompare(t *testing.T, c inference.Choice, studies ...*tables.Study) inference.Comparison {
	t.Helper()
	out, err := report.Compare(context.Background(), studies, c, "")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// Of the level, the outcomes of a first plan have seven tenths, and the k-th question beyond plans .15 k^-1.6 / zeta(1.6)
// (zeta(1.6) = 2.28576566; Abramowitz and Stegun, table 23.3, has zeta of whole numbers, this is the sum of 2 million terms
// and the integral of the rest).
const ofPlan = .7

func ofQuestion(k float64) float64 { return .15 * math.Pow(k, -1.6) / 2.285765666 }

func TestComparePairs(t *testing.T) {
	s := made("x", seeds(1, 10), before, after)
	plan := &inference.Planned{Outcomes: four, Smallest: smallest(four[0], .5)}
	got := mustCompare(t, inference.Choice{Plan: plan}, s)
	if got.Adjustment != inference.AdjustRomanoWolf || got.Family != 4 || got.Asked != 0 {
		t.Errorf("method %+v", got.Method)
	}
	for k, want := range []struct{ p, low, high, adjusted, gz, reduction float64 }{
		// R 4.2.2: t.test(b, a, paired = TRUE); (1 - 3/35) * mean(b - a) / sd(b - a);
		// (var(a) + var(b)) / var(b - a). Adjusted: Romano-Wolf over all 2^10 flips of signs, by
		// numpy as in internal/stats/romanowolf_test.go. The second and the third are skewed: p and interval
		// by the computation of TestPairedInterval there, and p is never below that.
		{0.346267287144, -1.21546090888, 0.473460908879, 0.3515625, -0.287341971611, 0.696018638636},
		{pDrugs, 0.488116023878, 2.67188397612, pDrugs, 1.17445262865, 4.76542303173},
		{pWage, 0.0980292671429, 1.63197073286, 0.05078125, 0.822944311544, 0.894160746404},
		{0.110143942006, -1.12461685646, 0.136616856458, 0.197265625, -0.512349222773, 0.689558538413},
	} {
		row := got.Rows[k]
		checkNear(t, row.Metric+" p", float64(row.P), want.p, 1e-11)
		checkNear(t, row.Metric+" low", float64(row.CILow), want.low, 1e-10)
		checkNear(t, row.Metric+" high", float64(row.CIHigh), want.high, 1e-10)
		checkNear(t, row.Metric+" adjusted", float64(row.PAdjusted), want.adjusted/ofPlan, 1e-12)
		checkNear(t, row.Metric+" g_z", float64(row.EffectSize), want.gz, 1e-10)
		checkNear(t, row.Metric+" variance reduction", float64(row.VarianceReduction), want.reduction, 1e-10)
		if !row.Paired || row.N != 10 || row.Test != "paired t" || row.Exploratory {
			t.Errorf("row %+v", row)
		}
	}
	// Prices rise, and nothing else is clear of chance: wages are not, although their own p is 0.02.
	for k, want := range []inference.Verdict{inference.Inconclusive, inference.Supported, inference.Inconclusive, inference.Inconclusive} {
		if got.Rows[k].Verdict != want {
			t.Errorf("%s: %s, want %s", got.Rows[k].Metric, got.Rows[k].Verdict, want)
		}
	}
	// R 4.2.2: max of two pt() with the bounds 0.5 off zero, of one hypothesis, at the share of the plan
	one := mustCompare(
		t,
		inference.Choice{Plan: &inference.Planned{Outcomes: four[:1], Smallest: smallest(four[0], .5)}},
		made("x", seeds(1, 10), columns{sim.RealGDP: plants1}, columns{sim.RealGDP: plants3}),
	)
	checkNear(t, "equivalence", float64(one.Rows[0].PEquivalence), 0.491648932539/ofPlan, 1e-10)

	// R 4.2.2: wilcox.test(b, a, paired = TRUE); all flips of signs as above
	for test, want := range map[inference.Test][]float64{
		inference.TestRank:        {0.375, 0.00909069801593, 0.01953125, 0.130859375},
		inference.TestPermutation: {0.3515625, 0.00390625, math.NaN(), math.NaN()},
	} {
		got := mustCompare(t, inference.Choice{Metrics: four, Test: test}, s)
		for k, p := range want {
			if !math.IsNaN(p) {
				checkNear(t, string(test), float64(got.Rows[k].P), p, 1e-11)
			}
			if got.Rows[k].PAdjusted < got.Rows[k].P || !got.Rows[k].Paired {
				t.Errorf("%s: %+v", test, got.Rows[k])
			}
		}
		// R 4.2.2, of the mean of drug2, as in internal/stats/bootstrap_test.go
		zero := mustCompare(
			t,
			inference.Choice{Metrics: four[:1], Test: test},
			made("x", seeds(1, 10), columns{sim.RealGDP: make([]float64, 10)}, columns{sim.RealGDP: drug2}),
		)
		checkNear(t, "BCa low", float64(zero.Rows[0].CILow), 1.04, .06)
		checkNear(t, "BCa high", float64(zero.Rows[0].CIHigh), 3.87, .1)
	}
}

func TestCompareIndependent(t *testing.T) {
	a, b := made("a", seeds(1, 10), before), made("b", seeds(101, 10), after)
	for test, want := range map[inference.Test]struct {
		p, effect float64
		name      string
	}{
		// R 4.2.2: t.test(drug2, drug1)$p.value; (1 - 3/71) * the difference over the pooled sd
		inference.TestT: {0.0793941401874, 0.797018500447, "Welch t"},
		// R 4.2.2: as in TestBrunnerMunzel of internal/stats; mean(outer(drug2, drug1, ">") + outer(drug2, drug1, "==") / 2)
		inference.TestRank: {0.0551321743272, 0.745, "Brunner-Munzel permutation"},
	} {
		got := mustCompare(t, inference.Choice{Metrics: four, Test: test}, a, b)
		row := got.Rows[1]
		checkNear(t, row.Test, float64(row.P), want.p, 1e-11)
		checkNear(t, row.Test+" effect size", float64(row.EffectSize), want.effect, 1e-10)
		if row.Paired || row.N != 20 || row.Test != want.name || !math.IsNaN(float64(row.VarianceReduction)) {
			t.Errorf("row %+v", row)
		}
	}
	// R 4.2.2: all ways to deal out the labels, as in internal/stats/permutation_test.go
	got := mustCompare(t, inference.Choice{Metrics: []sim.Indicator{sim.CPI}, Test: inference.TestPermutation},
		made("a", seeds(1, 10), columns{sim.CPI: plants1}), made("b", seeds(101, 10), columns{sim.CPI: plants3}))
	checkNear(t, "permutation", float64(got.Rows[0].P), 0.0483340189222542, 1e-12)
	// R 4.2.2, of plants1 and plants3[:6], as in internal/stats/bootstrap_test.go
	got = mustCompare(t, inference.Choice{Metrics: []sim.Indicator{sim.CPI}, Test: inference.TestRank},
		made("a", seeds(1, 10), columns{sim.CPI: plants1}), made("b", seeds(101, 6), columns{sim.CPI: plants3[:6]}))
	checkNear(t, "BCa low", float64(got.Rows[0].CILow), -.0003333333, .02)
	checkNear(t, "BCa high", float64(got.Rows[0].CIHigh), 1.0823333333, .02)

	// Romano-Wolf exchanges labels where there are two sides, by numpy as in internal/stats.
	six := mustCompare(t, inference.Choice{Metrics: four}, made("a", seeds(1, 6), before), made("b", seeds(101, 7), after))
	if six.Adjustment != inference.AdjustRomanoWolf {
		t.Errorf("adjusted by %s: %v", six.Adjustment, six.Warnings)
	}
	checkNear(t, "adjusted", float64(six.Rows[2].PAdjusted), 0.09906759906759907, 1e-12)
	// So it does with ranks.
	ranks := mustCompare(t, inference.Choice{Metrics: four, Test: inference.TestRank}, a, b)
	if ranks.Adjustment != inference.AdjustRomanoWolf {
		t.Errorf("ranks are adjusted by %s: %v", ranks.Adjustment, ranks.Warnings)
	}
	for _, row := range ranks.Rows {
		if !(row.PAdjusted >= row.P) || float64(row.PAdjusted) > 4*float64(row.P)+.02 { // Holm's bound, and the error of the draws
			t.Errorf("%s: p %v, adjusted %v", row.Metric, row.P, row.PAdjusted)
		}
	}
	// Several sides are left to Holm.
	three := mustCompare(t, inference.Choice{Metrics: four}, a, b, made("c", seeds(201, 10), before))
	if three.Adjustment != inference.AdjustHolm || !strings.Contains(strings.Join(three.Warnings, "\n"), "adjusted by Holm") {
		t.Errorf("three sides: %s, %v", three.Adjustment, three.Warnings)
	}
}

// Replications that share their random draws are pairs, or do not count.
func TestPairsAreNeverIndependent(t *testing.T) {
	a := made("a", seeds(1, 10), columns{sim.CPI: plants1})
	for _, c := range []struct {
		name   string
		seeds  []uint64
		paired bool
		n      int
	}{
		{"all", seeds(1, 10), true, 10},
		{"the last six", seeds(5, 10), true, 6},
		{"five of fewer", seeds(6, 7), true, 5},
		{"the last three", seeds(8, 10), false, 10 + 7},
		{"none", seeds(11, 10), false, 20},
	} {
		b := made("b", c.seeds, columns{sim.CPI: plants3})
		row := mustCompare(t, inference.Choice{Metrics: []sim.Indicator{sim.CPI}}, a, b).Rows[0]
		if row.Paired != c.paired || row.N != c.n {
			t.Errorf("%s: paired %v, n %d", c.name, row.Paired, row.N)
		}
	}
	// The pairs are those of the same seed: 5 to 10 of a with the first six of b.
	row := mustCompare(t, inference.Choice{Metrics: []sim.Indicator{sim.CPI}}, a, made("b", seeds(5, 10), columns{sim.CPI: plants3})).Rows[0]
	sum := 0.
	for r := range 6 {
		sum += plants3[r] - plants1[r+4]
	}
	checkNear(t, "difference", float64(row.Difference), sum/6, 1e-12)
}

// ledger counts questions as the store does.
type ledger []inference.Asked

func (l *ledger) ask(asked []inference.Asked) ([]inference.Asked, int, error) {
	next := 1
	for _, a := range *l {
		next = max(next, a.Question+1)
	}
	for _, a := range asked {
		a.Question = next
		if !slices.ContainsFunc(*l, func(b inference.Asked) bool { return a.Hypothesis == b.Hypothesis }) {
			*l = append(*l, a)
		}
	}
	return *l, 0, nil
}

func TestPlanAndLedger(t *testing.T) {
	s := made("x", seeds(1, 10), before, after)
	plan := &inference.Planned{Outcomes: []sim.Indicator{sim.RealGDP, sim.CPI, sim.LabourProductivity}}
	var l ledger
	whole := mustCompare(t, inference.Choice{Plan: plan, Ledger: l.ask}, s)
	if len(whole.Rows) != 3 || len(l) != 0 || whole.Family != 3 || whole.Rows[1].Exploratory {
		t.Fatalf("the plan itself: %+v, %v", whole.Rows, l)
	}
	// To look at one outcome does not make its p smaller.
	if one := mustCompare(t, inference.Choice{Metrics: []sim.Indicator{sim.CPI}, Plan: plan, Ledger: l.ask}, s); !same(
		one.Rows[0],
		whole.Rows[1],
	) ||
		len(one.Rows) != 1 ||
		one.Family != 3 {
		t.Errorf("one outcome of the plan: %+v, in the whole %+v", one.Rows, whole.Rows[1])
	}
	// Another level is the same hypothesis.
	if at := mustCompare(t, inference.Choice{Confidence: .995, Plan: plan, Ledger: l.ask}, s); len(l) != 0 ||
		at.Rows[1].PAdjusted != whole.Rows[1].PAdjusted ||
		at.Rows[1].Found() {
		t.Errorf("at 99.5 %%: %+v, %v", at.Rows[1], l)
	}
	// What is not planned has the level that is left to the question, and the plan keeps its own.
	more := mustCompare(t, inference.Choice{Metrics: four, Plan: plan, Ledger: l.ask}, s)
	wage := more.Rows[2]
	checkNear(t, "first question", float64(wage.PAdjusted), pWage/ofQuestion(1), 1e-8)
	if !wage.Exploratory || len(l) != 1 || wage.Found() || !same(more.Rows[1], whole.Rows[1]) {
		t.Errorf("one question more: %+v, %v", wage, l)
	}
	if text := more.Text; !strings.Contains(text, "Mean real wage (exploratory)") || strings.Contains(text, "Real GDP (exploratory)") ||
		!strings.Contains(text, "Romano-Wolf over the 3 hypotheses of the plan, which have 70 % of the level, and that of exploratory rows by Holm") {
		t.Errorf("text:\n%s", text)
	}
	// The same with another window is another question; so is another test. Within a question there is Holm's method.
	window := mustCompare(
		t,
		inference.Choice{
			Windows: []inference.Window{{From: 2, To: 4}},
			Metrics: []sim.Indicator{sim.CPI, sim.RealWageMean}, Plan: plan, Ledger: l.ask,
		},
		s,
	)
	checkNear(t, "Holm over two", float64(window.Rows[0].PAdjusted), min(1, 2*pDrugs/ofQuestion(2)), 1e-8)
	checkNear(t, "Holm over two, the larger p", float64(window.Rows[1].PAdjusted), min(1, pWage/ofQuestion(2)), 1e-8)
	if !window.Rows[0].Exploratory || window.Asked != 3 || window.Questions != 2 || !strings.Contains(window.Text, "no row is as planned") {
		t.Errorf("another window: %+v", window.Rows[0])
	}
	ranks := mustCompare(t, inference.Choice{Test: inference.TestRank, Plan: plan, Ledger: l.ask}, s)
	if !ranks.Rows[0].Exploratory || len(l) != 6 || ranks.Adjustment != inference.AdjustHolm {
		t.Errorf("another test: %+v, %v", ranks.Rows[0], l)
	}
	// A milder level, or an adjustment that lets some false findings pass, is not the plan's.
	for by, milder := range map[inference.Adjustment]inference.Choice{
		inference.AdjustHolm:              {Confidence: .8},
		inference.AdjustBenjaminiHochberg: {Adjustment: inference.AdjustBenjaminiHochberg},
	} {
		var asked ledger
		milder.Plan, milder.Ledger = plan, asked.ask
		if c := mustCompare(t, milder, s); !c.Rows[0].Exploratory || len(asked) != 3 || c.Adjustment != by || c.Family != 0 {
			t.Errorf("milder than the plan, %s: %+v, %v", by, c.Rows[0], asked)
		}
	}
	if c := mustCompare(t, inference.Choice{Confidence: .99, Adjustment: inference.AdjustHolm, Plan: plan}, s); c.Rows[0].Exploratory {
		t.Errorf("a stricter level: %+v", c.Rows[0])
	}
	// What was answered stays, whatever is asked later.
	again := mustCompare(t, inference.Choice{Metrics: []sim.Indicator{sim.RealWageMean}, Plan: plan, Ledger: l.ask}, s)
	if !same(again.Rows[0], wage) || again.Asked != 6 || again.Questions != 3 {
		t.Errorf("the wage after three questions: %+v, before %+v", again.Rows[0], wage)
	}
	// A later plan for the same arms shares what is left to all later ones; one that was made after a look, or that was
	// not kept, confirms nothing.
	later := *plan
	later.Earlier = 1
	second := mustCompare(t, inference.Choice{Plan: &later, Ledger: l.ask}, s)
	checkNear(t, "second plan, by Holm", float64(second.Rows[1].PAdjusted), min(1, 3*pDrugs/(7./8*ofQuestion(1)/3)), 1e-8)
	for name, spoilt := range map[string]inference.Planned{
		"made after its data were looked at (experiment y, 2026-01-02 03:04 UTC)": {
			Looked: &inference.Look{At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), Experiment: "y"}},
		"amended in treatment after month 3, by ada on 2026-01-02 03:04 UTC (from month 4: vat_rate 0.2)": {
			Amended: []inference.Amendment{{At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), By: "ada", Month: 3, Arm: "treatment",
				What: "from month 4: vat_rate 0.2"}}},
	} {
		var asked ledger
		spoilt.Outcomes = plan.Outcomes
		c := mustCompare(t, inference.Choice{Plan: &spoilt, Ledger: asked.ask}, s)
		if !c.Rows[0].Exploratory || len(asked) != 3 || c.Family != 0 || !strings.Contains(strings.Join(c.Warnings, "\n"), name) {
			t.Errorf("%s: %+v, %v, %q", name, c.Rows[0], asked, c.Warnings)
		}
	}
	// Whichever side comes first, it is the same question.
	var both ledger
	a, b := made("a", seeds(1, 10), before), made("b", seeds(1, 10), after)
	mustCompare(t, inference.Choice{Ledger: both.ask}, a, b)
	n := len(both)
	mustCompare(t, inference.Choice{Ledger: both.ask, Confidence: .9}, b, a)
	if n == 0 || len(both) != n {
		t.Errorf("%d questions, %d after the same ones the other way round", n, len(both))
	}
	broken := errors.New("disk full")
	if _, err := report.Compare(
		context.Background(), []*tables.Study{s},
		inference.Choice{Ledger: func([]inference.Asked) ([]inference.Asked, int, error) { return nil, 0, broken }}, "",
	); !errors.Is(
		err,
		broken,
	) {
		t.Errorf("a ledger that fails: %v", err)
	}
	// A window that the runs have not reached is not the plan's.
	ahead := mustCompare(t, inference.Choice{Plan: &inference.Planned{Outcomes: four, Windows: []inference.Window{{From: 3, To: 12}}}}, s)
	if ahead.From != 3 || ahead.To != 4 || !ahead.Rows[0].Exploratory ||
		!strings.Contains(strings.Join(ahead.Warnings, "\n"), "months 3 to 12, is not simulated yet") {
		t.Errorf("a plan for later: %+v", ahead)
	}
}

// same compares rows, absent numbers included.
func same(a, b inference.ComparisonRow) bool {
	return fmt.Sprintf("%+v", a) == fmt.Sprintf("%+v", b)
}

// around are ten values with the mean and standard deviation of a perfect sample.
func around(mean, sd float64) []float64 {
	shape := []float64{-1.5, -1, -.75, -.25, 0, 0, .25, .75, 1, 1.5}
	out := make([]float64, len(shape))
	for k, x := range shape {
		out[k] = mean + x*sd/.927960727138 // its own sd
	}
	return out
}

func TestVerdicts(t *testing.T) {
	const hundred = 100.
	control := slices.Repeat([]float64{hundred}, 10)
	gone := slices.Repeat([]float64{math.NaN()}, 10)
	expected := map[sim.Indicator]int{sim.RealGDP: 1}
	for _, c := range []struct {
		name     string
		b        []float64
		smallest float64
		expected map[sim.Indicator]int
		verdict  inference.Verdict
		text     string
	}{
		{"higher", around(102, 1), 0, nil, inference.Supported, "higher, enough to matter"},
		{"higher as expected", around(102, 1), 0, expected, inference.Supported, "higher, enough to matter, as expected"},
		{"perhaps too little", around(101.2, 1), 0, nil, inference.Supported, "higher, perhaps too little to matter"},
		{"lower", around(98, 1), 0, nil, inference.Supported, "lower, enough to matter"},
		{"lower than expected", around(98, 1), 0, expected, inference.Contradicted, "lower, enough to matter, against what was expected"},
		{"nothing", around(100.1, 1), 0, expected, inference.EquivalentToZero, "no difference that matters (less than 1 %)"},
		{"nothing within a margin", around(100.1, 1), 2, nil, inference.EquivalentToZero, "no difference that matters (less than 2 %)"},
		{"small", around(100.3, .1), 0, nil, inference.Supported, "higher, too small to matter (less than 1 %)"},
		{"the same", control, 0, nil, inference.Inconclusive, "no difference in any replication"},
		// R 4.2.2: power.t.test(delta = 1, sd = 3, sig.level = .05 * .875 * .05 / 2.285765665, power = .9, type = "paired",
		// strict = TRUE)$n = 194.6; with sd = 8 it is 1350.5, more than a simulation takes
		{"noise", around(101, 3), 0, nil, inference.Inconclusive, "not known; about 200 replications with another seed would tell"},
		// The same with sd = 8, n = 737.7: 728 more
		{"much noise", around(101, 8), 0, nil, inference.Inconclusive, "not known"},
		{"hopeless", around(101, 20), 0, nil, inference.Inconclusive, "not known"},
		{"not measured", gone, 0, nil, inference.NotJudged, "not measured"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := made("x", seeds(1, 10), columns{sim.RealGDP: control}, columns{sim.RealGDP: c.b})
			got := mustCompare(
				t,
				inference.Choice{
					Plan: &inference.Planned{Outcomes: []sim.Indicator{sim.RealGDP}, Smallest: smallest(sim.RealGDP, c.smallest), Expected: c.expected},
				},
				s,
			)
			row := got.Rows[0]
			if row.Verdict != c.verdict || !strings.Contains(got.Text, "| "+c.text+" |") {
				t.Errorf("%s: %+v\n%s", row.Verdict, row, got.Text)
			}
			if told := !math.IsNaN(float64(row.ReplicationsNeeded)); told && row.Verdict != inference.Inconclusive {
				t.Errorf("replications for a verdict: %+v", row)
			}
		})
	}
	one := mustCompare(t, inference.Choice{Metrics: four}, made("x", seeds(1, 1), before, after))
	for _, row := range one.Rows {
		if row.Verdict != inference.NotJudged || row.Found() || !math.IsNaN(float64(row.PAdjusted)) {
			t.Errorf("one replication: %+v", row)
		}
	}
	if !strings.Contains(one.Text, "one replication, not judged") {
		t.Errorf("text:\n%s", one.Text)
	}
}

// Where the replications have the power already, the number that is told is the one at which
// the interval cannot hold both zero and the smallest effect.
func TestReplicationsNeededNearTheMargin(t *testing.T) {
	n := 12
	control, treatment := make([]float64, n), make([]float64, n)
	for r := range n {
		control[r], treatment[r] = 100, 100.483+1.243*math.Sin(2.4*float64(r))
	}
	s := made("x", seeds(1, n), columns{sim.RealGDP: control}, columns{sim.RealGDP: treatment})
	row := mustCompare(t, inference.Choice{Metrics: []sim.Indicator{sim.RealGDP}}, s).Rows[0]
	// R 4.2.2: sd <- sd(1.243 * sin(2.4 * 0:11)); power.t.test(12, .01 * 100, sd, type = "paired")$power: 0.926;
	// n <- 2:99; min(n[qt(.975, n - 1) * sd / sqrt(n) <= .5]) = 16
	if row.Verdict != inference.Inconclusive || row.ReplicationsNeeded != 16 {
		t.Errorf("row %+v", row)
	}
}

func TestFewReplications(t *testing.T) {
	short := func(n int) inference.Comparison {
		return mustCompare(t, inference.Choice{Metrics: four}, made("x", seeds(1, n), before, after))
	}
	if c := short(5); c.Adjustment != inference.AdjustHolm ||
		!strings.Contains(strings.Join(c.Warnings, "\n"), "5 replications are too few to be rearranged") {
		t.Errorf("5 pairs: %s, %v", c.Adjustment, c.Warnings)
	}
	if c := short(6); c.Adjustment != inference.AdjustRomanoWolf {
		t.Errorf("6 pairs: %s, %v", c.Adjustment, c.Warnings)
	}
	// A rank test of four pairs finds nothing, however clear it is, and says what it takes: at
	// least six.
	far := columns{sim.RealGDP: {100, 100, 100, 100}}
	c := mustCompare(
		t,
		inference.Choice{Metrics: four[:1], Test: inference.TestRank},
		made("x", seeds(1, 4), far, columns{sim.RealGDP: {150, 151, 152, 150.5}}),
	)
	if row := c.Rows[0]; row.Verdict != inference.Inconclusive || row.ReplicationsNeeded < 2 {
		t.Errorf("ranks of four pairs: %+v", row)
	}
	chosen := mustCompare(
		t,
		inference.Choice{Metrics: four, Adjustment: inference.AdjustBenjaminiHochberg},
		made("x", seeds(1, 10), before, after),
	)
	// p.adjust(c(0.346267287144, pDrugs, pWage, 0.110143942006), "BH")[3]: 4/2 pWage.
	checkNear(t, "Benjamini-Hochberg", float64(chosen.Rows[2].PAdjusted), 2*pWage, 1e-10)
	for field, choice := range map[string]inference.Choice{"test": {Test: "z"}, "adjustment": {Adjustment: "bonferroni"}} {
		_, err := report.Compare(context.Background(), []*tables.Study{made("x", seeds(1, 10), before, after)}, choice, "")
		if e, ok := errors.AsType[*fault.Error](err); !ok || e.Kind != fault.OutOfRange || e.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

// The same data give the same bits, on one thread as on many, and whatever else is compared.
func TestCompareIsDeterministic(t *testing.T) {
	n := 24 // too many for all flips: they are drawn
	a, b := columns{}, columns{}
	for k, i := range four {
		for r := range n {
			x := float64(100 + 7*k)
			a[i] = append(a[i], x+math.Sin(float64(3*r+k)))
			b[i] = append(b[i], x+.4+math.Sin(float64(3*r+k))/2+math.Cos(float64(5*r+2*k)))
		}
	}
	for _, test := range inference.Tests {
		run := func(metrics []sim.Indicator) inference.Comparison {
			return mustCompare(t, inference.Choice{Metrics: metrics, Test: test}, made("x", seeds(1, n), a, b))
		}
		first := run(four)
		threads := runtime.GOMAXPROCS(1)
		again := run(four)
		runtime.GOMAXPROCS(threads)
		if fmt.Sprintf("%+v", first) != fmt.Sprintf("%+v", again) {
			t.Errorf("%s: one thread has another answer:\n%+v\n%+v", test, first, again)
		}
		if other := mustCompare(t, inference.Choice{Metrics: four, Test: test}, made("renamed", seeds(1, n), a, b)); other.Text != first.Text {
			t.Errorf("%s: under another name, another answer", test)
		}
		alone := run(four[2:3])
		if alone.Rows[0].P != first.Rows[2].P || alone.Rows[0].CILow != first.Rows[2].CILow ||
			!reflect.DeepEqual(alone.DynamicEffects[0], first.DynamicEffects[2]) {
			t.Errorf("%s: alone, a metric has another answer: %+v\n%+v", test, alone.Rows[0], first.Rows[2])
		}
	}
}

func TestSeveralArms(t *testing.T) {
	s := made("x", seeds(1, 10), before, after, after)
	c := mustCompare(t, inference.Choice{Plan: &inference.Planned{Outcomes: four}}, s)
	two := mustCompare(t, inference.Choice{Plan: &inference.Planned{Outcomes: four}}, made("x", seeds(1, 10), before, after))
	if len(c.Rows) != 8 || c.Family != 8 || c.Adjustment != inference.AdjustRomanoWolf || c.Rows[4].Arm != "other" ||
		len(c.DynamicEffects) != 8 ||
		c.DynamicEffects[5].Arm != "other" {
		t.Fatalf("%d rows, %+v", len(c.Rows), c.Method)
	}
	// An arm that is another one in other clothes costs nothing: Romano-Wolf sees that they move together.
	for k := range four {
		if c.Rows[k].PAdjusted != two.Rows[k].PAdjusted || c.Rows[k+4].PAdjusted != two.Rows[k].PAdjusted {
			t.Errorf(
				"%s: adjusted %g and %g, in two arms %g",
				c.Rows[k].Metric,
				c.Rows[k].PAdjusted,
				c.Rows[k+4].PAdjusted,
				two.Rows[k].PAdjusted,
			)
		}
	}
}

// A replication without a number is left out of its row, with its partner, and of no other.
func TestGaps(t *testing.T) {
	gap := columns{sim.CPI: slices.Clone(drug2), sim.RealGDP: plants2, sim.RealWageMean: plants3, sim.LabourProductivity: plants1}
	gap[sim.CPI][4] = math.NaN()
	c := mustCompare(t, inference.Choice{Metrics: four}, made("x", seeds(1, 10), before, gap))
	if c.Rows[0].N != 10 || c.Rows[1].N != 9 || c.Adjustment != inference.AdjustHolm {
		t.Errorf("%d and %d pairs, adjusted by %s", c.Rows[0].N, c.Rows[1].N, c.Adjustment)
	}
	// As pDrugs, without the fifth.
	checkNear(t, "Holm", float64(c.Rows[1].PAdjusted), 4*0.02682589950952058, 1e-9)
	d := c.DynamicEffects[1]
	if math.IsNaN(float64(d.Difference[0])) || !math.IsNaN(float64(d.CILow[0])) {
		t.Errorf("months with a gap have the difference of the others, and no band: %+v", d)
	}
}
