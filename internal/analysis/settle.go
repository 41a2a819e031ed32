package analysis

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/distuv"

	"econ-mcp/internal/stats"
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
	Metric       string `json:"metric"`
	WarmUpMonths Number `json:"warm_up_months" doc:"MSER-5, median"`
	Settled      Number `json:"settled" doc:"replications, before the window"`
	KPSS         Number `json:"kpss_rejects" doc:"replications, at 5 %"`
	ADF          Number `json:"adf_rejects"`  // the same, that it does not return to a level
	Runs         Number `json:"runs_rejects"` // the same, that the means of the parts come in random order
	Ergodicity   Number `json:"ergodicity_p"` // of the first replication's parts against the others' last

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
func settle(s *Study, c Choice) Settling {
	out := Settling{WarmUp: "not judged", Stationarity: "not judged", Checks: []SettlingCheck{}}
	arm := s.main()
	if s.control() != nil {
		arm = s.control()
	}
	if len(arm.Panel) < 2 || c.To < warmUpMonthsMin {
		return out
	}
	var rejected []float64 // probability of as many rejections by chance
	for _, i := range driftIndicators {
		check := SettlingCheck{
			Metric: i.String(), WarmUpMonths: absent, Settled: absent, KPSS: absent, ADF: absent, Runs: absent, Ergodicity: absent,
			warmUp: "not judged", stationarity: "not judged",
		}
		var series, windows [][]float64
		for _, months := range arm.Panel {
			if x := months[i]; len(x) >= c.To && !slices.ContainsFunc(x[:c.To], math.IsNaN) {
				series, windows = append(series, x[:c.To]), append(windows, x[c.From-1:c.To])
			}
		}
		check.warmsUp(series, c)
		rejected = append(rejected, check.isStationary(windows))
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
func (check *SettlingCheck) warmsUp(series [][]float64, c Choice) {
	if len(series) < 2 {
		return
	}
	var months []float64
	settled := 0
	for _, x := range series {
		warmUp, ok := stats.MSER5(x)
		months = append(months, float64(warmUp))
		if ok && warmUp < c.From {
			settled++
		}
	}
	slices.Sort(months)
	check.WarmUpMonths, check.Settled = Number(Quantile(months, .5)), Number(settled)
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
func (check *SettlingCheck) isStationary(windows [][]float64) (chance float64) {
	if len(windows) < 2 || len(windows[0]) < stationarityMonths {
		return math.NaN()
	}
	n := len(windows[0])
	kpss, adf, wanders, runs := 0, 0, 0, 0
	for _, x := range windows {
		k, a := stats.KPSS(x, false, stats.LongLags(n)), stats.ADF(x, stats.ShortLags(n))
		if a.Statistic < a.Critical {
			adf++
		}
		if k.P < settlingLevel {
			kpss++
			if !(a.Statistic < a.Critical) {
				wanders++
			}
		}
		if n >= runsMonthsMin && stats.GrazziniStationarity(x, runsWindows, mean).P < settlingLevel {
			runs++
		}
	}
	check.KPSS, check.ADF = Number(kpss), Number(adf)
	most, tests := kpss, 1.
	if n >= runsMonthsMin {
		check.Runs, most, tests = Number(runs), max(kpss, runs), 2
		check.Ergodicity = Number(ergodicity(windows))
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
	return stats.GrazziniErgodicity(windows[0], runsWindows, others, mean).P
}

// sentences tell both verdicts.
func (s *Settling) sentences(language string) []string {
	return []string{
		map[string]string{
			"enough":     word(language, "Warm-up: in most replications the control had settled when the window began (MSER-5).", "预热：多数重复中，窗口开始时对照组已稳定（MSER-5）。"),
			"unclear":    word(language, "Warm-up: by MSER-5 the control had settled before the window in about half of the replications only, for some rates; slow cycles look like that too.", "预热：对部分比率，仅约半数重复在窗口前已稳定（MSER-5）；缓慢的周期也会如此。"),
			"too short":  word(language, "Warm-up: too short for some rates (MSER-5), see the notes.", "预热：对部分比率过短（MSER-5），见注意事项。"),
			"not judged": word(language, "Warm-up: not judged; that needs two replications and 50 months.", "预热：未判断；需要至少两次重复和50个月。"),
		}[s.WarmUp],
		map[string]string{
			"stationary": word(language, "Stationarity: no more replications than chance allows find that a rate of the control wanders in the window (KPSS, and runs tests in windows of 240 months).", "平稳性：窗口内发现对照组比率漂移的重复数未超出偶然范围（KPSS；240个月以上的窗口另用游程检验）。"),
			"unclear":    word(language, "Stationarity: more replications than chance allows find that some rates of the control wander in the window, but not most; slow cycles look like that.", "平稳性：发现部分比率漂移的重复数超出偶然范围，但未过半；缓慢的周期会如此。"),
			"wanders":    word(language, "Stationarity: some rates of the control do not stay around a level in the window, see the notes.", "平稳性：窗口内对照组的部分比率未围绕某一水平波动，见注意事项。"),
			"not judged": word(language, "Stationarity: not judged; that needs two replications and a window of 60 months.", "平稳性：未判断；需要至少两次重复和60个月的窗口。"),
		}[s.Stationarity],
	}
}

// notes warn of what has not settled.
func (s *Settling) notes() (notes []note) {
	if names := s.named(func(c *SettlingCheck) bool { return c.warmUp == "too short" }); names != nil {
		notes = append(notes, note{
			fmt.Sprintf("the control was still warming up when the window began (MSER-5), in %s: levels depend on where the economies started, differences between arms that share their start less so; use a longer burn-in or a later window", listed(names[0], ", ", English)),
			fmt.Sprintf("窗口开始时对照组仍在预热（MSER-5）：%s。水平值取决于经济的起点，同一起点的各组之差受影响较小；请延长预热期或取更晚的窗口", listed(names[1], ", ", Chinese)),
		})
	}
	if names := s.named(func(c *SettlingCheck) bool { return c.stationarity == "wanders" }); names != nil {
		notes = append(notes, note{
			fmt.Sprintf("the control does not stay around a level in the window (KPSS, ADF), in %s: slow cycles look like that too; a longer window tells", listed(names[0], ", ", English)),
			fmt.Sprintf("窗口内对照组未围绕某一水平波动（KPSS、ADF）：%s。缓慢的周期也会如此；更长的窗口才能判断", listed(names[1], ", ", Chinese)),
		})
	}
	return notes
}

// named lists rates in English and in Chinese; nil = none.
func (s *Settling) named(which func(c *SettlingCheck) bool) (names [][]string) {
	for k := range s.Checks {
		if which(&s.Checks[k]) {
			if names == nil {
				names = make([][]string, 2)
			}
			i, _ := sim.IndicatorByName(s.Checks[k].Metric)
			names[0], names[1] = append(names[0], subjectOf(i, English)), append(names[1], subjectOf(i, Chinese))
		}
	}
	return names
}
