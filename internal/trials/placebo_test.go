package trials

import (
	"encoding/json"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// tinyPlacebo is one that a test can afford.
func tinyPlacebo(t *testing.T) Placebo {
	t.Helper()
	s := scenario.New("tiny", sim.Defaults())
	for _, p := range []*sim.Params{&s.Params, &s.BurnIn} {
		p.NumHouseholds, p.BurnInMonths, p.NumIterations, p.RandomState = 600, 3, 4, 5
	}
	return Placebo{Pairs: Pairs{Scenario: s, N: 8, Threads: 1}, Experiments: 2, Replications: 3, Sequences: 20}
}

func TestPlaceboIsTheSameOnAnyNumberOfThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	p := tinyPlacebo(t)
	var last string
	p.Progress = func(what string, done, of int) {
		if of != 2 && of != p.N || done < 1 || done > of {
			t.Errorf("%d of %d %s", done, of, what)
		}
		last = what
	}
	var texts []string
	for p.Threads = 1; p.Threads <= 2; p.Threads++ {
		report, err := p.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(report)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data)+report.Markdown())
		checkPlaceboReport(t, report)
	}
	if texts[0] != texts[1] {
		t.Error("another report on two threads")
	}
	if last != "tables judged" {
		t.Errorf("the last experiment was %q", last)
	}
}

func checkPlaceboReport(t *testing.T, r *PlaceboReport) {
	t.Helper()
	if want := []string{
		"paired t", "Wilcoxon signed-rank", "sign-flip permutation", "Welch t", "Brunner-Munzel permutation", "permutation of Welch t",
	}; !slices.Equal(r.Tests, want) {
		t.Fatalf("tests %q", r.Tests)
	}
	for _, m := range measures {
		for k, test := range r.Tests {
			rate, ok := r.Rate(m.id, test)
			forAll := m.id != "path_covered" && m.id != "false_equivalence"
			if ok != (forAll || k%3 == 0) {
				t.Errorf("%s of %s is there: %v", m.id, test, ok)
			}
			if ok && !(rate.Rate >= 0 && rate.Rate <= 1 && rate.StandardError >= 0) {
				t.Errorf("%s of %s is %v ± %v", m.id, test, rate.Rate, rate.StandardError)
			}
		}
	}
	// Three pairs cannot be rare enough for a test that rearranges them.
	for _, test := range []string{"Wilcoxon signed-rank", "sign-flip permutation"} {
		if rate, _ := r.Rate("power_known", test); rate.Rate != 0 {
			t.Errorf("%s calls %v of three pairs", test, rate.Rate)
		}
	}
	// R 4.2.2: power.t.test(n = 3, delta = 1, sd = 1, type = "paired", strict = TRUE), and
	// type = "two.sample"
	for test, want := range map[string]float64{"paired t": .1793, "Welch t": .1588} {
		if rate, _ := r.Rate("power_known", test); math.Abs(float64(rate.Predicted)-want) > 1e-3 {
			t.Errorf("the predicted power of %s is %v, want %v", test, rate.Predicted, want)
		}
	}
	// Two windows of four numbers of pairs of each outcome under each policy, but for what most pairs do not differ in.
	if n := len(r.Coverage); n > 8*len(policies)*len(inference.Outcomes) || n < 4*len(policies)*len(inference.Outcomes) ||
		len(r.Stopping) != 3 || len(r.Tables) != 5 {
		t.Errorf("%d cells, %d rules, %d tables", n, len(r.Stopping), len(r.Tables))
	}
	for _, c := range r.Coverage {
		if !(c.Rate >= 0 && c.Rate <= 1) || !slices.Contains(coverageSizes, c.N) {
			t.Errorf("cell %+v", c)
		}
	}
	if rows := len(r.ByOutcome); rows != len(inference.Outcomes) || strings.Count(r.Markdown(), "\n| `hhi` |") != 3 {
		t.Errorf("%d outcomes", rows)
	}
}

// Arms share their past and nothing else; the pairs of an experiment share nothing; and what is kept is what was simulated.
func TestPairsAreKept(t *testing.T) {
	p := tinyPlacebo(t)
	p.Known = t.TempDir()
	panels, err := p.simulate(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(panels) != firstPolicy+len(policies) || len(panels[0]) != p.N {
		t.Fatalf("%d arms of %d pairs", len(panels), len(panels[0]))
	}
	for r, seed := range p.Pairs.seeds() {
		same := tables.Panel{p.original(t, seed), panels[armControl][r], panels[armAgain][r]}
		for a := range same {
			for b := range a {
				if slices.Equal(same[a][sim.RealConsumption], same[b][sim.RealConsumption]) {
					t.Errorf("pair %d: economies %d and %d are one", r, a, b)
				}
			}
		}
		for k := range policies {
			if reflect.DeepEqual(panels[firstPolicy+k][r], panels[armControl][r]) {
				t.Errorf("pair %d: %s changes nothing", r, policies[k].parameter)
			}
		}
	}
	again, err := p.simulate(t.Context())
	if err != nil || !reflect.DeepEqual(again, panels) {
		t.Errorf("what was kept is something else: %v", err)
	}
	if files, err := filepath.Glob(filepath.Join(p.Known, "*.pairs")); err != nil || len(files) != 1 {
		t.Errorf("%d files, %v", len(files), err)
	}
	of := population{panels, p.Pairs.seeds()}
	l := of.draw(3, 4, 1)
	seeds := append(slices.Clone(l[first].seeds), l[apart].seeds...)
	if slices.Sort(seeds); len(slices.Compact(seeds)) != 8 {
		t.Errorf("burnt-in states are shared: seeds %v", seeds)
	}
	for r, seed := range l[first].seeds {
		place := slices.Index(of.seeds, seed)
		if l[untreated].panel[r] != panels[armControl][place] || l[treated].panel[r] != panels[firstPolicy+1][place] ||
			l[first].panel[r] == l[second].panel[r] {
			t.Errorf("pair %d is not one", r)
		}
	}
}

// original goes on from a burnt-in state with the draws of the burn-in.
func (p Placebo) original(t *testing.T, seed uint64) *[sim.NumOutcomes][]float64 {
	t.Helper()
	e, _, err := run.BurnIn(t.Context(), p.Scenario, seed, 1, run.Cache{}, (*sim.Economy).Step)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	series := new([sim.NumOutcomes][]float64)
	err = run.Months(t.Context(), e, p.Scenario, p.Scenario.Params.NumIterations, func(e *sim.Economy) error {
		err := e.Step()
		series[sim.RealConsumption] = append(series[sim.RealConsumption], e.Latest().Value(sim.RealConsumption))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return series
}

func TestPlaceboRefusesSizes(t *testing.T) {
	for flag, change := range map[string]func(*Placebo){
		"--experiments":  func(p *Placebo) { p.Experiments = 1 },
		"--replications": func(p *Placebo) { p.Replications = 1 },
		"--months":       func(p *Placebo) { p.Scenario.Params.NumIterations = 1 },
		"--threads":      func(p *Placebo) { p.Threads = -1 },
		"--pairs":        func(p *Placebo) { p.N = 5 },
		"--sequences":    func(p *Placebo) { p.Sequences = 0 },
		"tariff_rate":    func(p *Placebo) { p.Scenario.Params.TariffRate = .1 },
	} {
		p := tinyPlacebo(t)
		change(&p)
		if _, err := p.Run(t.Context()); err == nil || !strings.Contains(err.Error(), flag) {
			t.Errorf("%s: %v", flag, err)
		}
	}
}

func TestPlaceboRatePasses(t *testing.T) {
	for _, c := range []struct {
		rate, low, high float64
		want            bool
	}{
		{.03, .03, .07, true}, {.0299, .03, .07, false}, {.0701, .03, .07, false}, {0, 0, .072, true}, {.9, math.NaN(), math.NaN(), true},
	} {
		r := PlaceboRate{Rate: c.rate, Low: stats.Number(c.low), High: stats.Number(c.high)}
		if r.Pass() != c.want {
			t.Errorf("%v within %v to %v: %v", c.rate, c.low, c.high, r.Pass())
		}
	}
}
