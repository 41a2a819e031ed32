package trials

import (
	"context"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// LeverRun is a set of levers to be measured on the same seeds.
type LeverRun struct {
	Levers       []Lever
	Base         sim.Params
	Replications int
}

// Run measures them as a study does.
func (x LeverRun) Run(ctx context.Context) ([]LeverEffect, error) {
	plan := &leverPlan{LeverStudy: LeverStudy{Base: x.Base}, known: make(map[string]leverSide)}
	if err := plan.add(x.Levers, x.Replications); err != nil {
		return nil, err
	}
	return plan.run(ctx)
}

func TestSignVerdict(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		sign      Sign
		low, high float64
		want      string
	}{
		{Rises, .1, .3, VerdictExpected},
		{Falls, -.3, -.1, VerdictExpected},
		{Rises, -.3, -.1, VerdictOtherwise},
		{Falls, .1, .3, VerdictOtherwise},
		{Rises, -.1, .3, VerdictInconclusive},
		{Falls, -.3, .1, VerdictInconclusive},
		{Rises, 0, 0, VerdictInconclusive},
		{Falls, nan, nan, VerdictNotComputed},
	} {
		if got := signVerdict(tt.sign, inference.Effect{CILow: tt.low, CIHigh: tt.high}); got != tt.want {
			t.Errorf("%s, %g to %g: %s, want %s", tt.sign, tt.low, tt.high, got, tt.want)
		}
	}
}

func TestBandVerdict(t *testing.T) {
	for _, tt := range []struct {
		low, high float64
		want      string
	}{
		{.5, 1.5, VerdictExpected},
		{.4, 2, VerdictExpected},
		{.3, 1.5, VerdictInconclusive},
		{.5, 2.1, VerdictInconclusive},
		{.1, .3, VerdictOtherwise},
		{2.1, 3, VerdictOtherwise},
		{math.NaN(), math.NaN(), VerdictNotComputed},
	} {
		if got := bandVerdict(Band{Low: .4, High: 2}, inference.Effect{CILow: tt.low, CIHigh: tt.high}); got != tt.want {
			t.Errorf("%g to %g: %s, want %s", tt.low, tt.high, got, tt.want)
		}
	}
}

// Two pairs of two months, of which the second counts: purchases rise by 10 and
// 20, GDP by 8 and 24. The ratio of the means is 32/30; what is left of GDP are -8/3 and 8/3, over 15, with a
// standard deviation of √2 · 8/45; t(.975, 1) = 12.7062 (Student's table), so that the interval
// is 32/30 ± 12.7062 · 8/45.
func TestMultiplier(t *testing.T) {
	series := func(gdp, purchases float64) leverSeries {
		var s leverSeries
		s[RealPurchases] = []float64{5, purchases}
		s[0] = []float64{1, 1}
		s[1] = []float64{7, gdp} // RealGDP
		return s
	}
	lever := Lever{Parameter: "inherent_market_consumption_rate", Months: Window{2, 2}}
	got := lever.multiplier([]leverSeries{series(100, 10), series(200, 20)}, []leverSeries{series(108, 20), series(224, 40)})
	const half = 12.7062 * 8. / 45
	if math.Abs(got.Difference-32./30) > 1e-12 || math.Abs(got.CILow-(32./30-half)) > 1e-4 || math.Abs(got.CIHigh-(32./30+half)) > 1e-4 ||
		got.N != 2 {
		t.Errorf("multiplier %g (%g to %g), %d pairs", got.Difference, got.CILow, got.CIHigh, got.N)
	}
}

func TestEffectText(t *testing.T) {
	nan := math.NaN()
	for _, tt := range []struct {
		e    inference.Effect
		want string
	}{
		{
			inference.Effect{Unit: "share of households", Control: .06, Difference: .0123, CILow: -.001, CIHigh: .0256}, "+1.23 pp (−0.100 to 2.56)",
		},
		{inference.Effect{Unit: "index, base month = 100", Control: 200, Difference: -9, Relative: stats.Interval{Mean: -4.5, Low: -5, High: -4}}, "−4.50 % (−5.00 to −4.00)"},
		{inference.Effect{Unit: "0 to 1", Control: .4, Difference: -.02, CILow: nan, CIHigh: nan}, "−0.0200"},
		{inference.Effect{Unit: "firms a month", Control: 0, Difference: 1.5, CILow: 1, CIHigh: 2}, "+1.50 (1.00 to 2.00)"},
		{inference.Effect{Unit: "currency units", Control: -50, Difference: 100, Relative: stats.Interval{Mean: 200, Low: 100, High: 300}}, "+200 % (100 to 300)"},
		{inference.Effect{Unit: "0 to 1", Control: .4, Difference: -1e-9, CILow: nan, CIHigh: nan}, "0"},
		{inference.Effect{Unit: "0 to 1", Control: .4, Difference: nan, CILow: nan, CIHigh: nan}, "–"},
	} {
		if got := EffectText(tt.e); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.e, got, tt.want)
		}
	}
}

// Every work that an expectation names stands in the references, with its year.
func TestSourcesAreInTheReferences(t *testing.T) {
	references := strings.Join(strings.Fields(leverReferences), " ")
	work := regexp.MustCompile(`(\p{Lu}[\p{L}-]+)[^;:]*?\((\d{4})`)
	found := 0
	for _, l := range slices.Concat(Signs(), Levers()) {
		for _, expected := range l.Expect {
			for _, w := range work.FindAllStringSubmatch(expected.Source, -1) {
				found++
				if !regexp.MustCompile(w[1] + `[^.]*\(` + w[2] + `\)`).MatchString(references) {
					t.Errorf("%s: no reference for %s (%s)", l.Parameter, w[1], w[2])
				}
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d sources found: the test shows nothing", found)
	}
}
