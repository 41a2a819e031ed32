package lab

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
)

// mostCSV bounds the table of all runs, in numbers.
const mostCSV = 20e6

// CSV is the table of the headline indicators of an experiment, and of its outcomes beyond these:
// a row per arm, replication and month. Absent numbers are empty.
func (l *Laboratory) CSV(ctx context.Context, name string) (string, error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return "", err
	}
	l.look(ctx, name)
	indicators := headlines()
	if r, ok := RegistrationOf(x); ok {
		if plan, err := r.planned(); err == nil {
			indicators = append(indicators, inference.Choice{Plan: plan}.Breakdowns()...)
		}
	}
	if n := float64(len(x.Arms)*x.Replications*x.Month) * float64(len(indicators)); n > mostCSV {
		return "", fault.New(fault.LimitExceeded, "uri", "the table has %.0f numbers, more than %.0f", n, mostCSV).
			WithHint("read single series with get_experiment_timeseries, or the database itself (docs/STORE.md)")
	}
	var base controlGDP // none in an experiment without a control
	if len(x.Arms) > 1 {
		if base, err = l.gdpOf(ctx, x, 0, indicators); err != nil {
			return "", err
		}
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	row := []string{"arm", "replication", "month"}
	for _, i := range indicators {
		row = append(row, i.String())
	}
	w.Write(row)
	for i := range x.Arms {
		series, err := l.series(ctx, excerpt{x, i, 1, max(1, x.Month), 1}, indicators, base)
		if err != nil {
			return "", err
		}
		for r := range series.Values {
			for m, month := range series.Months {
				row = append(row[:0], x.Arms[i].Name, strconv.Itoa(r+1), strconv.Itoa(month))
				for k := range indicators {
					row = append(row, cellText(series.Values[r][k][m]))
				}
				w.Write(row)
			}
		}
	}
	w.Flush()
	return b.String(), w.Error()
}

func cellText(x float64) string {
	if math.IsNaN(x) {
		return ""
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// SummaryJSON is [Laboratory.Summary] as JSON.
func (l *Laboratory) SummaryJSON(ctx context.Context, name string) (string, error) {
	s, err := l.Summary(ctx, name)
	if err != nil {
		return "", err
	}
	data, err := json.MarshalIndent(s, "", "  ")
	return string(data), err
}

// Report writes a report in a format (markdown, html or json) and a language (en, zh or "": that of
// the question, else English), for a principal.
func (l *Laboratory) Report(ctx context.Context, name, format, language, by string) (string, error) {
	r, err := l.report(ctx, name, language, by)
	if err != nil {
		return "", err
	}
	return r.Encode(ctx, format)
}

// Figures are those that a report names, with what stands under each, in a language ("" = that of the question), for a principal.
func (l *Laboratory) Figures(ctx context.Context, name, language, by string) ([]report.Caption, error) {
	r, err := l.report(ctx, name, language, by)
	if err != nil {
		return nil, err
	}
	list := []report.Caption{}
	for _, f := range r.Figures() {
		list = append(list, report.Caption{Name: f.Name, Caption: f.Caption(r.Language)})
	}
	return list, nil
}

// Figure is one of them as SVG.
func (l *Laboratory) Figure(ctx context.Context, name, figure, language, by string) (string, error) {
	r, err := l.report(ctx, name, language, by)
	if err != nil {
		return "", err
	}
	data, err := r.SVG(figure)
	return string(data), err
}
