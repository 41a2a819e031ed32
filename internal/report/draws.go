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
	Posterior  string   `json:"posterior"`
	Estimated  string   `json:"estimated,omitempty"` // scenario of the posterior, where the experiment is of another
	Parameters []string `json:"parameters"`
	Draws      int      `json:"draws"` // whose effect is there
	Kept       int      `json:"kept"`  // of them with the verdict of the experiment
	Outcome    string   `json:"outcome"`

	// Of the differences of the draws in the unit of the outcome, then in percent of the control: mean, 5th and 95th percentile.
	Mean        stats.Number `json:"mean"`
	P5          stats.Number `json:"p5"`
	P95         stats.Number `json:"p95"`
	MeanPercent stats.Number `json:"mean_percent"`
	P5Percent   stats.Number `json:"p5_percent"`
	P95Percent  stats.Number `json:"p95_percent"`
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
			s.Posterior, s.Estimated, s.Outcome = r.Posterior, r.Estimated, r.Outcome
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
	s.Mean, s.P5, s.P95 = ninety(difference)
	s.MeanPercent, s.P5Percent, s.P95Percent = ninety(percent)
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
	elsewhere := ""
	if s.Estimated != "" {
		elsewhere = fmt.Sprintf(word(language, ", estimated in %s", "（在 %s 中估计）"), s.Estimated)
	}
	return fmt.Sprintf(word(language, "%d draws of the posterior %s%s: %s", "后验 %[2]s%[3]s 的%[1]d次抽样：%[4]s"), s.Draws, s.Posterior, elsewhere,
		strings.Join(s.Parameters, ", "))
}

// Interval is the mean effect with that from the 5th to the 95th percentile of the draws, in the unit in which a row tells its own.
func (s *Spread) Interval(row *inference.ComparisonRow, language string) string {
	return sizedText(row, s.Mean, s.MeanPercent) + " (" + sizedText(row, s.P5, s.P5Percent) + word(language, " to ", " 至 ") +
		sizedText(row, s.P95, s.P95Percent) + ")"
}

// Sentence tells it, in a language.
func (s *Spread) Sentence(language string) string {
	row := inference.ComparisonRow{Metric: s.Outcome, Difference: s.Mean, Percent: s.MeanPercent}
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
