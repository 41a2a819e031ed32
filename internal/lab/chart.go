package lab

import (
	"context"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/sim"
)

// EffectChart is [report.EffectChart] of a comparison of experiments, under the question of the first.
func (l *Laboratory) EffectChart(ctx context.Context, c inference.Comparison, names []string) ([]byte, error) {
	title := strings.Join(names, ", ")
	x, err := l.Store.Experiment(ctx, names[0])
	if err != nil {
		return nil, err
	}
	if x.Question != "" {
		title = x.Question
	}
	return report.EffectChart(c, title)
}

// SeriesChart is [report.SeriesChart] of a series, under the experiment's question and in its language. One
// without any value is [fault.InvalidState].
func (l *Laboratory) SeriesChart(ctx context.Context, s Series) ([]byte, error) {
	x, err := l.Store.Experiment(ctx, s.Experiment)
	if err != nil {
		return nil, err
	}
	title := s.Experiment
	if x.Question != "" {
		title = x.Question
	}
	i, ok := sim.IndicatorByName(s.Metric)
	if !ok {
		return nil, fault.Unknown(fault.NotFound, "indicator", s.Metric, nil)
	}
	data, err := report.SeriesChart(s.Aggregated, i, s.Arm, title, report.LanguageOf(x.Question))
	if err == nil && data == nil {
		return nil, fault.New(fault.InvalidState, "chart", "%s has no value in these months", s.Metric).
			WithHint("ask for other months, or leave chart out")
	}
	return data, err
}
