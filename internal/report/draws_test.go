package report

import (
	"math"
	"strings"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
)

// The row of parameters is the middle 90 % of the effect over draws; what was perturbed otherwise is not among them.
func TestSpreadOfDraws(t *testing.T) {
	list := []Robustness{{Parameter: "consumption_habit", Factor: .8, Difference: 99, Percent: 99}}
	if SpreadOf(list) != nil {
		t.Error("a spread without draws")
	}
	for i := range 21 { // effects of -2 to 0 %
		list = append(list, Robustness{
			Posterior: "draws.csv (abc)", Draw: i + 1, Set: "consumption_habit=0.5, hiring_rate=0.2", Outcome: "real_gdp", Kept: i < 15,
			Difference: stats.Number(-20 + i), Percent: stats.Number(-2 + .1*float64(i)),
		})
	}
	list = append(list, Robustness{Draw: 22, Difference: stats.Number(math.NaN())})
	s := SpreadOf(list)
	if s.Draws != 21 || s.Kept != 15 || len(s.Parameters) != 2 {
		t.Fatalf("%+v", s)
	}
	row := inference.ComparisonRow{Metric: "real_gdp", Percent: -1}
	if got := s.Interval(&row, English); got != "−1.0 % (−1.9 % to −0.10 %)" {
		t.Errorf("interval %q", got)
	}
	if s.Mean != -10 || s.P5 != -19 || s.P95 != -1 {
		t.Errorf("%v, %v to %v; -20 to 0 has -10, -19 to -1", s.Mean, s.P5, s.P95)
	}
	if got := s.What(English); strings.Contains(got, "estimated in") {
		t.Errorf("of the same scenario: %q", got)
	}
	elsewhere := *s
	elsewhere.Estimated = "us_like"
	for language, want := range map[string]string{English: "draws.csv (abc), estimated in us_like: ", Chinese: "（在 us_like 中估计）"} {
		if got := elsewhere.Sentence(language); !strings.Contains(got, want) {
			t.Errorf("%s: %q", language, got)
		}
	}
	for language, want := range map[string]string{English: "15 of 21", Chinese: "21次中的15次"} {
		if got := s.Sentence(language); !strings.Contains(got, want) || !strings.Contains(got, "consumption_habit, hiring_rate") {
			t.Errorf("%s: %q", language, got)
		}
	}
}

// Beside draws only size and countries are tried: no text tells of single parameters then, and draws do not count as cases.
func TestTextOfStructureAlone(t *testing.T) {
	list := []Robustness{
		{Draw: 1, Posterior: "draws.csv", Set: "hiring_rate=0.2", Outcome: "real_gdp", Kept: true},
		{Draw: 2, Posterior: "draws.csv", Set: "hiring_rate=0.3", Outcome: "real_gdp"},
		{Preset: "us_like", Structure: true, Outcome: "real_gdp", Kept: true},
		{Preset: "de_like", Structure: true, Outcome: "real_gdp"},
	}
	for language, words := range map[string][3]string{
		English: {"1 of 2 cases", "behavioural parameter changed", "calibrated rather"},
		Chinese: {"2种情形中的1种", "一个行为参数", "校准值"},
	} {
		w := reportWriter{a: &inference.Analysis{Confidence: .95}, b: Background{Robustness: list}, language: language}
		if kept, tried := w.kept(); kept != 1 || tried != 2 {
			t.Errorf("%d of %d cases, want 1 of 2", kept, tried)
		}
		told := func() string { return strings.Join(w.robustness().Paragraphs, "\n") }
		if got := told(); !strings.Contains(got, words[0]) || strings.Contains(got, words[1]) || strings.Contains(got, words[2]) {
			t.Errorf("%s: %s", language, got)
		}
		w.b.Robustness = append([]Robustness{{Parameter: "hiring_rate", Factor: 2, Outcome: "real_gdp"}}, list...)
		if got := told(); !strings.Contains(got, words[1]) || !strings.Contains(got, words[2]) {
			t.Errorf("%s, with a parameter: %s", language, got)
		}
	}
}
