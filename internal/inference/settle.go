package inference

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Settling says whether the control, or the only arm, had left its warm-up behind when the
// window began, and whether its rates stay around a level in the window. Each test is of
// one replication's months, and the replications are counted: a verdict rests on
// how many of them agree.
type Settling struct {
	WarmUp       string          `json:"warm_up"`      // enough, too short, unclear, not judged
	Stationarity string          `json:"stationarity"` // stationary, wanders, unclear, not judged
	Checks       []SettlingCheck `json:"checks"`
}

// SettlingCheck is the tests of one rate. Warm-up: [stats.MSER5] on the months from the fork
// to the end of the window. Stationarity, in the window: [stats.KPSS] around a level with
// long lags, [stats.ADF] with short ones, and in windows of 240 months
// [stats.GrazziniStationarity] and [stats.GrazziniErgodicity] of means of 20 parts.
type SettlingCheck struct {
	Metric       string       `json:"metric"`
	WarmUpMonths stats.Number `json:"warm_up_months" doc:"MSER-5, median"`
	Settled      stats.Number `json:"settled"` // replications whose warm-up ends before the window
	KPSS         stats.Number `json:"kpss_rejects" doc:"replications, at 5 %"`
	ADF          stats.Number `json:"adf_rejects"`  // the same, that it does not return to a level
	Runs         stats.Number `json:"runs_rejects"` // the same, that the means of the parts come in random order
	Ergodicity   stats.Number `json:"ergodicity_p"` // of the first replication's parts against the others' last

	warmUp, stationarity string
}

// Settings of the tests of settling.
const (
	settlingLevel      = .05 // of each test of one replication
	warmUpMonthsMin    = 50  // below which [stats.MSER5] says nothing
	stationarityMonths = 60  // of a window; in shorter ones the tests cannot tell a cycle from a drift
	runsWindows        = 20  // parts of a window whose means are compared
	runsMonthsMin      = 240 // of a window: parts of a year
	runsOthersMin      = 10  // other replications for the test of ergodicity
)

// Verdicts from the least to the most telling; that of the whole is the most telling of
// its checks.
var (
	warmUpVerdicts       = []string{"not judged", "enough", "unclear", "too short"}
	stationarityVerdicts = []string{"not judged", "stationary", "unclear", "wanders"}
)

// settle tests the rates that have no trend in an economy that has settled.
func settle(ctx context.Context, s *tables.Study, c Choice) Settling {
	out := Settling{WarmUp: "not judged", Stationarity: "not judged", Checks: []SettlingCheck{}}
	arm, window := &s.Arms[0], c.main()
	if len(arm.Panel) < 2 || window.To < warmUpMonthsMin {
		return out
	}
	var rejected []float64 // probability of as many rejections by chance
	for _, i := range driftIndicators {
		check := SettlingCheck{
			Metric: i.String(), WarmUpMonths: stats.Absent, Settled: stats.Absent, KPSS: stats.Absent, ADF: stats.Absent, Runs: stats.Absent,
			Ergodicity: stats.Absent,
			warmUp:     "not judged", stationarity: "not judged",
		}
		var series, windows [][]float64
		for _, months := range arm.Panel {
			if x := months[i]; len(x) >= window.To && !slices.ContainsFunc(x[:window.To], math.IsNaN) {
				series, windows = append(series, x[:window.To]), append(windows, x[window.From-1:window.To])
			}
		}
		check.warmsUp(ctx, series, c)
		rejected = append(rejected, check.isStationary(ctx, windows))
		out.Checks = append(out.Checks, check)
	}
	for k, p := range stats.Holm(rejected) {
		check := &out.Checks[k]
		switch {
		case math.IsNaN(p), check.stationarity == "wanders":
		case p < 1-c.Confidence:
			check.stationarity = "unclear"
		default:
			check.stationarity = "stationary"
		}
		out.WarmUp = moreTelling(warmUpVerdicts, out.WarmUp, check.warmUp)
		out.Stationarity = moreTelling(stationarityVerdicts, out.Stationarity, check.stationarity)
	}
	return out
}

func moreTelling(order []string, a, b string) string {
	return order[max(slices.Index(order, a), slices.Index(order, b))]
}

// warmsUp judges the warm-up of one rate: enough where it ends before the window in more
// than half of the replications, too short where it does in so few that a half would
// hardly ever give as few, and else unclear.
func (check *SettlingCheck) warmsUp(ctx context.Context, series [][]float64, c Choice) {
	if len(series) < 2 {
		return
	}
	var months []float64
	settled := 0
	for _, x := range series {
		if ctx.Err() != nil {
			return
		}
		warmUp, ok := stats.MSER5(x)
		months = append(months, float64(warmUp))
		if ok && warmUp < c.main().From {
			settled++
		}
	}
	slices.Sort(months)
	check.WarmUpMonths, check.Settled = stats.Number(stats.Quantile(months, .5)), stats.Number(settled)
	switch half := (distuv.Binomial{N: float64(len(series)), P: .5}); {
	case 2*settled > len(series):
		check.warmUp = "enough"
	case half.CDF(float64(settled)) < 1-c.Confidence:
		check.warmUp = "too short"
	default:
		check.warmUp = "unclear"
	}
}

// isStationary counts the replications in which tests find that a rate wanders over the
// window, and returns how probable as many would be if none did; NaN where it cannot be
// judged. It wanders where in more than half of them KPSS finds that it does and ADF does not
// find that it returns.
func (check *SettlingCheck) isStationary(ctx context.Context, windows [][]float64) (chance float64) {
	if len(windows) < 2 || len(windows[0]) < stationarityMonths {
		return math.NaN()
	}
	n := len(windows[0])
	kpss, adf, wanders, runs := 0, 0, 0, 0
	for _, x := range windows {
		if ctx.Err() != nil {
			return math.NaN()
		}
		statistic, critical := stats.ADF(x, stats.ShortLags(n))
		returns := statistic < critical
		if returns {
			adf++
		}
		if stats.KPSS(x, stats.LongLags(n)).P < settlingLevel {
			kpss++
			if !returns {
				wanders++
			}
		}
		if n >= runsMonthsMin && stats.GrazziniStationarity(x, runsWindows, stats.Mean).P < settlingLevel {
			runs++
		}
	}
	check.KPSS, check.ADF = stats.Number(kpss), stats.Number(adf)
	most, tests := kpss, 1.
	if n >= runsMonthsMin {
		check.Runs, most, tests = stats.Number(runs), max(kpss, runs), 2
		check.Ergodicity = stats.Number(ergodicity(windows))
	}
	if 2*wanders > len(windows) {
		check.stationarity = "wanders"
	}
	return min(1, tests*(1-distuv.Binomial{N: float64(len(windows)), P: settlingLevel}.CDF(float64(most)-1)))
}

// ergodicity holds the parts of the first replication's window against the last parts of
// the other replications' windows; NaN where there are few of those.
func ergodicity(windows [][]float64) float64 {
	if len(windows) <= runsOthersMin {
		return math.NaN()
	}
	part := len(windows[0]) / runsWindows
	var others [][]float64
	for _, x := range windows[1:] {
		others = append(others, x[len(x)-part:])
	}
	return stats.GrazziniErgodicity(windows[0], runsWindows, others, stats.Mean).P
}

// notes warn of what has not settled.
func (s *Settling) notes() (notes []Note) {
	if rates := s.rates(func(c *SettlingCheck) bool { return c.warmUp == "too short" }); rates != nil {
		notes = append(notes, Note{StillWarmingUp, []any{rates}})
	}
	if rates := s.rates(func(c *SettlingCheck) bool { return c.stationarity == "wanders" }); rates != nil {
		notes = append(notes, Note{Wanders, []any{rates}})
	}
	return notes
}

// rates are those whose checks are such; nil = none.
func (s *Settling) rates(such func(c *SettlingCheck) bool) (list []sim.Indicator) {
	for k := range s.Checks {
		if such(&s.Checks[k]) {
			i, _ := sim.IndicatorByName(s.Checks[k].Metric)
			list = append(list, i)
		}
	}
	return list
}
