package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
)

// Spread is an effect over draws of a posterior: what not knowing parameters makes of it. Chance is in it too, as each draw has as
// many replications as the experiment.
type Spread struct {
	Posterior  string
	Parameters []string
	Draws      int // whose effect is there
	Kept       int // of them with the verdict of the experiment

	outcome                 string
	mean, low, high         stats.Number // 5th and 95th percentile
	meanPercent, lowPercent stats.Number
	highPercent             stats.Number
}

// SpreadOf is that of the draws of a list; nil where there are none.
func SpreadOf(list []Robustness) *Spread {
	var s Spread
	var difference, percent []float64
	for i := range list {
		r := &list[i]
		if r.Draw == 0 || math.IsNaN(float64(r.Difference)) {
			continue
		}
		if s.Draws == 0 {
			s.Posterior, s.outcome = r.Posterior, r.Outcome
			for _, part := range strings.Split(r.Set, ", ") {
				name, _, _ := strings.Cut(part, "=")
				s.Parameters = append(s.Parameters, name)
			}
		}
		s.Draws++
		if r.Kept {
			s.Kept++
		}
		difference, percent = append(difference, float64(r.Difference)), append(percent, float64(r.Percent))
	}
	if s.Draws == 0 {
		return nil
	}
	s.mean, s.low, s.high = ninety(difference)
	s.meanPercent, s.lowPercent, s.highPercent = ninety(percent)
	return &s
}

// ninety is the mean of numbers, and their 5th and 95th percentile.
func ninety(x []float64) (mean, low, high stats.Number) {
	if slices.ContainsFunc(x, math.IsNaN) {
		return stats.Absent, stats.Absent, stats.Absent
	}
	sorted := slices.Sorted(slices.Values(x))
	return stats.Number(stats.Mean(x)), stats.Number(stats.Quantile(sorted, .05)), stats.Number(stats.Quantile(sorted, .95))
}

// What was varied, in a language.
func (s *Spread) What(language string) string {
	return fmt.Sprintf(word(language, "%d draws of the posterior %s: %s", "后验 %[2]s 的%[1]d次抽样：%[3]s"), s.Draws, s.Posterior,
		strings.Join(s.Parameters, ", "))
}

// Interval is the mean effect with that from the 5th to the 95th percentile of the draws, in the unit in which a row tells its own.
func (s *Spread) Interval(row *inference.ComparisonRow, language string) string {
	return sizedText(row, s.mean, s.meanPercent) + " (" + sizedText(row, s.low, s.lowPercent) + word(language, " to ", " 至 ") +
		sizedText(row, s.high, s.highPercent) + ")"
}

// Sentence tells it, in a language.
func (s *Spread) Sentence(language string) string {
	row := inference.ComparisonRow{Metric: s.outcome, Difference: s.mean, Percent: s.meanPercent}
	return fmt.Sprintf(word(language,
		"With %s: the effect is %s, the mean and the middle 90 %% of the draws, chance included; the verdict on the hypothesis stays in %d of %d.",
		"%s：效应为 %s，即各次抽样的均值与中间90 %%（含随机性）；对假设的结论在%[4]d次中的%[3]d次保持不变。"),
		s.What(language), s.Interval(&row, language), s.Kept, s.Draws)
}

// draws is the paragraph of them.
func (w *reportWriter) draws() []string {
	if s := SpreadOf(w.b.Robustness); s != nil {
		return []string{s.Sentence(w.language)}
	}
	return nil
}
