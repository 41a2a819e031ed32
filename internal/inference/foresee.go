package inference

import (
	"cmp"
	_ "embed"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"sync"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Scatter is how effects on an indicator differ from pair to pair of economies: the standard deviation of the
// differences, of six policies the least and the most, in [ScatterUnit].
type Scatter struct {
	Indicator   sim.Indicator
	Households  int  // of the economies
	Late        bool // over the last third of sixty months, else over the first
	Least, Most float64
}

// ScatterUnit is what effects on an indicator are counted in where the scatter of one experiment stands for that of
// another: the control's mean where the usual smallest effect of interest is a share of it, so that the size of the
// economy and the level of prices do not matter; else the indicator's own unit.
func ScatterUnit(i sim.Indicator, control float64) float64 {
	if IsRelative(i) {
		return math.Abs(control)
	}
	return 1
}

// IsRelative says that the usual smallest effect of interest is a share of the control's mean.
func IsRelative(i sim.Indicator) bool { return SmallestEffect(i, 1) != SmallestEffect(i, 2) }

// ScatterCSV are rows as the file has them that [Foresee] rests on.
func ScatterCSV(rows []Scatter) string {
	var b strings.Builder
	b.WriteString("households,indicator,late,least,most\n")
	for _, r := range rows {
		fmt.Fprintf(&b, "%d,%s,%t,%.3g,%.3g\n", r.Households, r.Indicator, r.Late, r.Least, r.Most)
	}
	return b.String()
}

//go:embed scatter.csv
var scatterCSV string

// scatters are the rows of the file, which a test reads.
var scatters = sync.OnceValues(func() ([]Scatter, error) { return readScatter(scatterCSV) })

func readScatter(text string) (rows []Scatter, err error) {
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		return nil, err
	}
	for _, x := range lines[1:] {
		var row Scatter
		if row.Indicator, err = sim.LookupIndicator(x[1]); err != nil {
			return nil, err
		}
		if row.Households, err = strconv.Atoi(x[0]); err != nil {
			return nil, err
		}
		if row.Late, err = strconv.ParseBool(x[2]); err != nil {
			return nil, err
		}
		for k, to := range []*float64{&row.Least, &row.Most} {
			if *to, err = strconv.ParseFloat(x[3+k], 64); err != nil {
				return nil, err
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Foreseen is what an experiment will be able to find in an outcome over a window, told before its first month by how
// effects scattered over pairs of economies under six policies.
type Foreseen struct {
	Metric     string       `json:"metric"`
	From       int          `json:"from_month"`
	To         int          `json:"to_month"`
	Relative   bool         `json:"relative"`        // the numbers below are shares of the control's mean, else in the outcome's unit
	Least      stats.Number `json:"detectable"`      // true difference that four of five find, by the policy with the least scatter
	Most       stats.Number `json:"detectable_most"` // and by that with the most
	Smallest   stats.Number `json:"smallest_effect"` // of interest; absent where it is planned in another unit
	Needed     stats.Number `json:"replications_90"` // with which nine of ten find it, by the most scatter; absent where no number does
	Households int          `json:"measured_at"`     // size of the economies that scattered: the nearest that was measured
}

// Foresee tells of each outcome and window of a plan what n pairs of economies of so many households can find, at the
// part of the level that each of its hypotheses has; arms are those beside the control. Outcomes of which no scatter
// was measured are left out.
func (p *Planned) Foresee(arms, households, n int) ([]Foreseen, error) {
	rows, err := scatters()
	if err != nil {
		return nil, err
	}
	tests, pairs := 0, arms+len(p.Pairs)
	if p.Arms != nil {
		pairs = len(p.Arms) + len(p.Pairs)
	}
	for _, i := range p.Outcomes {
		tests += pairs * len(p.windowsOf(i))
	}
	level := (1 - cmp.Or(p.Confidence, tables.DefaultConfidence)) * p.share() * ofOutcomes / float64(max(tests, 1))
	var list []Foreseen
	for _, i := range p.Outcomes {
		for _, w := range p.windowsOf(i) {
			if row := nearest(rows, i, w.late(), households); row != nil {
				list = append(list, p.foresee(row, w, n, 1-level))
			}
		}
	}
	return list, nil
}

// windowsOf are the windows that an outcome is judged in.
func (p *Planned) windowsOf(i sim.Indicator) []Window {
	if of, own := p.Of[i]; own {
		return of
	}
	return p.Windows
}

// late says that the middle of a window is nearer to the last third of sixty months than to the first.
func (w Window) late() bool { return w.From+w.To > 60 }

// nearest is the row of an indicator whose economies are nearest in size; nil = none was measured.
func nearest(rows []Scatter, i sim.Indicator, late bool, households int) (best *Scatter) {
	apart := func(r *Scatter) float64 { return math.Abs(math.Log(float64(r.Households) / float64(households))) }
	for k := range rows {
		if r := &rows[k]; r.Indicator == i && r.Late == late && (best == nil || apart(r) < apart(best)) {
			best = r
		}
	}
	return best
}

// foresee tells it of one outcome.
func (p *Planned) foresee(row *Scatter, w Window, n int, confidence float64) Foreseen {
	i := row.Indicator
	out := Foreseen{
		Metric: i.String(), From: w.From, To: w.To, Households: row.Households, Relative: IsRelative(i),
		Least:    stats.Number(stats.PairedDetectable(n, row.Least, confidence, powerWanted)),
		Most:     stats.Number(stats.PairedDetectable(n, row.Most, confidence, powerWanted)),
		Smallest: stats.Number(SmallestEffect(i, 1)), Needed: stats.Absent,
	}
	if s, planned := p.Smallest[i]; planned {
		if out.Smallest = stats.Number(s.Effect); s.Relative != out.Relative {
			out.Smallest = stats.Absent
		}
	}
	if need, ok := stats.PairedReplications(float64(out.Smallest), row.Most, powerToSettle, confidence); ok {
		out.Needed = stats.Number(need)
	}
	return out
}
