package report_test

import (
	"math"
	"strings"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
)

func TestFoundText(t *testing.T) {
	none := stats.Number(math.NaN())
	equal := inference.EqualCost{
		Match: "cheque", To: "vat_cut", By: "events[0].amount", Unit: "currency units a head and month", Measure: "net", From: 1, Until: 24,
		Amount: 71.25, Pilot: inference.Pilot{Replications: 16, Evaluations: 4, Cost: 101e3, StandardError: 2020, CostTo: 100e3,
			StandardTo: 3000},
		Cost: 98e3, CostTo: 100e3, Difference: -2000, CILow: -5000, CIHigh: 1000, N: 20, Confidence: .95,
	}
	early := equal
	early.Measure, early.Cost, early.CostTo, early.Difference, early.CILow, early.CIHigh = "gross", none, none, none, none, none
	points := []inference.DosePoint{
		{Arm: "point_0.4", Value: .4, Effect: .001, CILow: -.001, CIHigh: .003}, {Arm: "point_0.9", Value: .9, Effect: -.02, CILow: -.03,
			CIHigh: -.01},
	}
	threshold := inference.Threshold{
		Parameter: "minimum_wage", Unit: "share of the mean wage", Outcome: "employment_rate", Against: "control", From: 1, Until: 36,
		Crosses: -.005,
		Found:   true, Value: .6123, CILow: .5, CIHigh: none, More: 1, Shape: "falling", Points: points, N: 20, Confidence: .95,
	}
	nowhere := threshold
	nowhere.Found, nowhere.Shape, nowhere.Crosses, nowhere.Relative = false, "flat", .03, true
	for _, c := range []struct {
		found  inference.Found
		en, zh []string
	}{
		{
			inference.Found{EqualCost: &equal}, []string{
				"events[0].amount of cheque is 71.25: with it, cheque costs the government as much as vat_cut in months 1 to 24 (net, by the balance",
				"a pilot of 16 replications, on seeds that the experiment does not use, after 4 trials: there cheque costs 101.0 k (standard error 2.0 %) " +
					"and vat_cut 100.0 k (3.0 %).",
				"In the experiment itself cheque costs 98.00 k and vat_cut 100.0 k",
				"a difference of −2,000 (95 % interval −5,000 to 1,000, 20 pairs), which is −2.0 %",
			}, []string{"cheque 的 events[0].amount 取 71.25 时，其第1至24个月的财政成本与 vat_cut 相等（净成本", "16次重复", "试4次",
				"相差 −2,000（95 % 区间 −5,000 至 1,000，20对）"},
		},
		{inference.Found{EqualCost: &early}, []string{"(gross, by payments"}, []string{"（总成本"}},
		{
			inference.Found{Threshold: &threshold}, []string{
				"crosses −0.50 pp at 61.23 % (95 % interval 50 % to above 90 %, where the range ends, 20 pairs;", "once more above",
				"the effect falls throughout",
			}, []string{"在 61.23 % 处越过 −0.50 pp（95 % 区间 50 % 至 范围上限 90 % 以上，20对", "其上还有1次", "单调下降"},
		},
		{
			inference.Found{Threshold: &nowhere}, []string{
				"crosses +3.00 % nowhere from 40 % to 90 %: it is +0.10 % at 40 % (−0.10 % to +0.30 %) and −2.00 % at 90 %",
				"no move of the effect is significant",
			}, []string{"在 40 % 至 90 % 之间从未越过 +3.00 %：取 40 % 时为 +0.10 %（−0.10 % 至 +0.30 %）", "没有显著变化"},
		},
	} {
		for language, parts := range map[string][]string{report.English: c.en, report.Chinese: c.zh} {
			text := report.FoundText(c.found, language)
			for _, part := range parts {
				if !strings.Contains(text, part) {
					t.Errorf("%q lacks %q", text, part)
				}
			}
			if strings.Contains(text, "%!") || strings.Contains(text, "NaN") {
				t.Errorf("%q", text)
			}
		}
	}
	if text := report.FoundText(inference.Found{EqualCost: &early}, report.English); strings.Contains(text, "In the experiment itself") {
		t.Errorf("%q tells costs that are not there yet", text)
	}
}
