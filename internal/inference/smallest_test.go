package inference_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/sim"
)

// smallest is a plan's smallest effect of interest on one indicator; 0 = none.
func smallest(i sim.Indicator, effect float64) map[sim.Indicator]inference.Smallest {
	if effect == 0 {
		return nil
	}
	return map[sim.Indicator]inference.Smallest{i: {Effect: effect}}
}

func named(t *testing.T, name string) sim.Indicator {
	t.Helper()
	i, err := sim.LookupIndicator(name)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func TestSmallestEffect(t *testing.T) {
	for i, want := range map[sim.Indicator]float64{
		sim.UnemploymentRate: .005, sim.DebtToGDP: .005, sim.IncomeGini: .005, sim.WealthGini: .005, sim.RealGDP: 2, sim.HHI: 2,
		sim.Bankruptcies: 2, sim.MonthlyInflation: .0005, sim.Jobs: 1, sim.JobSeekers: 10,
		named(t, "cost_job_retention"): 2, named(t, "cost_job_retention_to_gdp"): .001, named(t, "deficit_to_control_gdp"): .001,
		named(t, "real_income_tenth_1"): 2,
	} {
		checkNear(t, i.String(), inference.SmallestEffect(i, -200), want, 1e-12)
	}
	if x := inference.SmallestEffect(sim.Bankruptcies, 0); !math.IsNaN(x) {
		t.Errorf("one percent of nothing: %g", x)
	}
	if x := inference.SmallestEffect(sim.Deficit, 3); !math.IsNaN(x) {
		t.Errorf("one percent of a deficit near zero: %g", x)
	}
	plan := inference.Choice{Plan: &inference.Planned{Outcomes: four, Smallest: smallest(four[0], .7)}}
	rows := mustCompare(t, plan, made("x", seeds(1, 10), before, after)).Rows
	checkNear(t, "planned, of the primary outcome", float64(rows[0].SmallestEffect), .7, 0)
	checkNear(t, "of another", float64(rows[2].SmallestEffect), .01*4.661, 1e-12)
}

// Whatever tests a difference, equivalence is tested by t, and the method says so where that
// is another test.
func TestMethodTellsTheTestOfEquivalence(t *testing.T) {
	s := made("x", seeds(1, 10), before, after)
	same := math.NaN()
	for _, test := range inference.Tests {
		c := mustCompare(t, inference.Choice{Metrics: four, Test: test}, s)
		told := strings.Contains(
			report.MethodText(c.Method, report.English),
			"Equivalence to zero is tested by two one-sided t tests all the same.",
		) &&
			strings.Contains(report.MethodText(c.Method, report.Chinese), "对零的等效性仍用双单侧t检验判断。")
		if told != (test != inference.TestT) {
			t.Errorf("%s: %s", test, report.MethodText(c.Method, report.English))
		}
		if p := float64(c.Rows[0].PEquivalence); math.IsNaN(same) {
			same = p
		} else if p != same {
			t.Errorf("%s: p of equivalence %v, with t %v", test, p, same)
		}
	}
}

// The answer to a question is the verdict on the row of its outcome.
func TestAnswerVerdicts(t *testing.T) {
	control := slices.Repeat([]float64{100}, 10)
	for _, c := range []struct {
		name           string
		b              []float64
		sign           int
		verdict        inference.Verdict
		en, zh, answer string
	}{
		{
			"supported", around(102, 1), 1, inference.Supported, "That real output rises is supported (+2.0 %; +1.3 % to +2.7 %).",
			"“实际GDP上升”得到支持（+2.0 %；+1.3 % 至 +2.7 %）。", "is higher by 2.0 % (+1.3 % to +2.7 %), enough to matter. This",
		},
		{
			"refuted", around(102, 1), -1, inference.Contradicted, "That real output falls is refuted (+2.0 %; +1.3 % to +2.7 %).",
			"“实际GDP下降”被否定（+2.0 %；", "is higher by 2.0 % (+1.3 % to +2.7 %), enough to matter. This",
		},
		{
			"small", around(100.3, .1), 1, inference.Supported, "That real output rises is supported (+0.30 %; +0.23 % to +0.37 %; too small " +
				"to matter, less than 1 %).", "过小，不值得关注，不足 1 %", "is higher by 0.30 % (+0.23 % to +0.37 %): too small to matter (less than 1 %).",
		},
		{
			"nothing", around(100.1, 1), 1, inference.EquivalentToZero, "That real output rises is refuted (+0.10 %; −0.62 % to +0.82 %; too " +
				"small to matter, less than 1 %).", "被否定（+0.10 %；", "shows no difference that matters (−0.62 % to +0.82 %), less than 1 % either way.",
		},
		{
			"noise", around(101, 3), 1, inference.Inconclusive, "That real output rises is not decided (+1.0 %; −1.1 % to +3.1 %).", "未定（+1.0 %；",
			"is not known (−1.1 % to +3.1 %): both would matter; about 97 replications with another seed would tell.",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, err := report.Analyse(context.Background(),
				made("x", seeds(1, 10), columns{sim.RealGDP: control}, columns{sim.RealGDP: c.b}),
				inference.Choice{Metrics: []sim.Indicator{sim.RealGDP}},
				nil,
			)
			if err != nil {
				t.Fatal(err)
			}
			claim := report.Claim{Change: "more of it", Outcome: "real_gdp", Sign: c.sign}
			en, zh := report.Answer(&a, claim, report.English), report.Answer(&a, claim, report.Chinese)
			if en.Verdict != c.verdict || zh.Verdict != c.verdict || en.VerdictText != c.en || !strings.Contains(zh.VerdictText, c.zh) ||
				!strings.Contains(en.Sentence, "real output "+c.answer) {
				t.Errorf("%s: %s\n%s\n%s", en.Verdict, en.VerdictText, zh.VerdictText, en.Sentence)
			}
		})
	}
	// An interval without zero is no finding among four, and the answer says why.
	a, err := report.Analyse(context.Background(), made("x", seeds(1, 10), before, after), inference.Choice{Metrics: four}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got := report.Answer(&a, report.Claim{Change: "more of it", Outcome: "real_wage_mean", Sign: 1}, report.English)
	if got.Verdict != inference.Inconclusive ||
		!strings.Contains(got.Sentence, "not clear enough for the number of hypotheses that were tested") {
		t.Errorf("%s: %s", got.Verdict, got.Sentence)
	}
}
