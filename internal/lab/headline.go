package lab

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// HeadlineState says whether a list shows what an experiment found.
type HeadlineState string

// A list shows results that somebody has seen before. It neither counts as a look at results nor asks the ledger anything: who opens a
// list of fifty experiments has not decided to look at fifty results, and plans for these arms would no longer be plans.
const (
	HeadlineShown      HeadlineState = "shown"
	HeadlineUnread     HeadlineState = "unread"     // it has ended, and nobody has seen its results
	HeadlineUnfinished HeadlineState = "unfinished" // its planned months are not all there
	HeadlineNone       HeadlineState = "none"       // it compares nothing, or cannot be read
)

// Headline is what an experiment shows of the first outcome of its plan.
type Headline struct {
	Experiment string
	State      HeadlineState // the rest is filled in where it is shown
	Metric     sim.Indicator
	Row        inference.ComparisonRow // of the last arm that is held against the control
	Arms       int                     // that are
	Confidence float64
	Months     []int
	Path       []float64 // the difference of the means in these months; NaN = a gap
}

// headlinePoints is how many months of the path are read at most: lists draw it a few centimetres wide.
const headlinePoints = 60

// headings keep the headlines of experiments that have ended, which no longer change. The zero value is ready for use.
type headings struct {
	mu   sync.Mutex
	list map[string]Headline
}

// mostHeadings is how many are kept: beyond, all are made anew.
const mostHeadings = 10_000

func (h *headings) find(key string) (Headline, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	found, ok := h.list[key]
	return found, ok
}

func (h *headings) keep(key string, of Headline) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.list == nil || len(h.list) >= mostHeadings {
		h.list = map[string]Headline{}
	}
	h.list[key] = of
}

// Headlines are those of some experiments for a principal, in their order. What is not there any more is left out.
func (l *Laboratory) Headlines(ctx context.Context, names []string, by string) (list []Headline, err error) {
	seen, err := l.Store.Looked(ctx, names)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		x, err := l.Store.Experiment(ctx, name)
		if fault.KindOf(err) == fault.NotFound {
			continue
		}
		if err != nil {
			return nil, err
		}
		of := Headline{Experiment: name, State: headlineState(x, seen[name])}
		if of.State == HeadlineShown {
			if of, err = l.headline(ctx, x, by); ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if err != nil { // the others are shown all the same
				slog.Warn("the headline of an experiment could not be made", "experiment", name, "error", err)
				of = Headline{Experiment: name, State: HeadlineNone}
			}
		}
		list = append(list, of)
	}
	return list, nil
}

func headlineState(x store.Experiment, seen bool) HeadlineState {
	_, planned := RegistrationOf(x)
	switch {
	case !planned || len(x.Arms) < 2:
		return HeadlineNone
	case x.State != string(run.StateCompleted):
		return HeadlineUnfinished
	case !seen:
		return HeadlineUnread
	}
	return HeadlineShown
}

// headline compares the arms by the plan, and keeps what comes out.
func (l *Laboratory) headline(ctx context.Context, x store.Experiment, by string) (Headline, error) {
	key := fmt.Sprintln(x.Name, x.CreatedAt, x.Month, x.Replications)
	if found, ok := l.headings.find(key); ok {
		return found, nil
	}
	c := inference.Choice{RowsOnly: true}
	r, _ := RegistrationOf(x)
	if r.FromQuestion() {
		c.Confidence = r.Confidence
	}
	c, err := l.judged(ctx, c, by, x)
	if err != nil {
		return Headline{}, err
	}
	c.Ledger = nil // nothing is asked: what was not planned is told without a verdict
	_, s, err := l.outline(ctx, x.Name)
	if err != nil {
		return Headline{}, err
	}
	base, err := l.gdpOf(ctx, x, 0, c.Needed())
	if err != nil {
		return Headline{}, err
	}
	for k := range s.Arms {
		if s.Arms[k].Panel, err = l.panel(ctx, x, k, c.Needed(), base); err != nil {
			return Headline{}, err
		}
	}
	compared, err := inference.Compare(ctx, []*tables.Study{s}, c)
	if err != nil {
		return Headline{}, err
	}
	out := Headline{Experiment: x.Name, State: HeadlineShown, Confidence: compared.Confidence}
	for k := len(s.Arms) - 1; k > 0; k-- {
		row := slices.IndexFunc(compared.Rows, func(row inference.ComparisonRow) bool {
			return row.Arm == s.Arms[k].Name && row.Metric == compared.Primary
		})
		if row < 0 {
			continue
		}
		if out.Arms++; out.Arms == 1 {
			out.Row = compared.Rows[row]
			out.Metric, _ = sim.IndicatorByName(out.Row.Metric)
			out.Months, out.Path = differences(s.Arms[0].Panel, s.Arms[k].Panel, out.Metric, x.Month)
		}
	}
	if out.Arms == 0 {
		out.State = HeadlineNone
	}
	l.headings.keep(key, out)
	return out, nil
}

// differences are those of the means of an indicator in some of the months.
func differences(control, treatment tables.Panel, i sim.Indicator, last int) (months []int, path []float64) {
	every := (last + headlinePoints - 1) / headlinePoints
	for month := every; month <= last; month += every {
		months = append(months, month)
		path = append(path, meanIn(treatment, i, month)-meanIn(control, i, month))
	}
	return months, path
}

// meanIn is the mean of an indicator over the replications that have it in a month.
func meanIn(p tables.Panel, i sim.Indicator, month int) float64 {
	var values []float64
	for _, replication := range p {
		if path := replication[i]; month <= len(path) {
			values = append(values, path[month-1])
		}
	}
	return stats.DefinedMean(values)
}
