package estimation

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/bayes"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/quarterly"
	"econ-mcp/internal/sweep"
)

const posteriorTargets = `
households: 500
replications: 2
parameters: {government_employment_share: [0.05, 0.3], confidence_volatility: [0.0005, 0.005], benefit_months: [6, 24]}
only: [share G, share C, growth Y sd, growth C sd, sd Y]
posterior: {points: 14, more_points: 4, waves: 2, discrepancy: 0.2, predictive: 20, draws: 200}
`

// quick chains do for tests.
var quick = bayes.Settings{Draws: 300, Every: 3}

func mustPosterior(tb testing.TB, e *Estimation) *Posterior {
	tb.Helper()
	r, err := e.Posterior(tb.Context())
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// Data of an economy lead back to its parameters, as far as the moments see them; what is known is not simulated again, whatever the
// threads, and gives the same text and the same draws.
func TestPosterior(t *testing.T) {
	long(t)
	reality := mustReality(t, 60, map[string]float64{"government_employment_share": .2})
	e := estimationOf(t, posteriorTargets, reality)
	e.Threads, e.chains = 2, quick
	r := mustPosterior(t, e)
	if r.Empty || len(r.Draws) != 200 || r.Simulated == 0 {
		t.Fatalf("empty %v, %d draws, %d simulated: %v", r.Empty, len(r.Draws), r.Simulated, r.Findings)
	}
	public, idle := &r.Parameters[0], &r.Parameters[2]
	if !(public.Low90-.02 <= .2 && .2 <= public.High90+.02) || public.Contraction < .7 || public.Says() == "nothing" {
		t.Errorf("public employment of .2: %+v", public)
	}
	if idle.Contraction > .5 || idle.Contraction > public.Contraction {
		t.Errorf("what the moments hardly see: %+v", idle)
	}
	if !(public.Low90 < public.Low50 && public.Low50 < public.Mean && public.Mean < public.High50 && public.High50 < public.High90) {
		t.Errorf("intervals %+v", public)
	}
	for _, draw := range r.Draws {
		if draw[2] != math.Round(draw[2]) || draw[0] < .05 || draw[0] > .3 {
			t.Fatalf("draw %v", draw)
		}
	}
	counted, others := 0, 0
	for _, p := range r.Predictive {
		if p.Counts {
			counted++
		} else {
			others++
		}
	}
	if counted != 5 || others < 50 {
		t.Errorf("predictive checks of %d moments that count and %d others", counted, others)
	}
	var csv, again bytes.Buffer
	if err := r.WriteCSV(&csv); err != nil {
		t.Fatal(err)
	}
	draws, err := ReadDraws("--posterior", csv.Bytes())
	if err != nil || !reflect.DeepEqual(draws.Values, r.Draws) || draws.Scenario != "test" {
		t.Errorf("read again: %v, of %q", err, draws.Scenario)
	}

	other := estimationOf(t, posteriorTargets, reality)
	other.Known, other.Threads, other.chains = e.Known, 1, quick
	second := mustPosterior(t, other)
	if second.Simulated != 0 || second.Markdown("") != r.Markdown("") {
		t.Errorf("%d simulated again; another text: %v", second.Simulated, second.Markdown("") != r.Markdown(""))
	}
	if err := second.WriteCSV(&again); err != nil || again.String() != csv.String() {
		t.Errorf("other draws: %v", err)
	}
}

// Shards simulate a wave together: each says what is missing, none does the work of another, and the end is that of one machine.
func TestPosteriorInShards(t *testing.T) {
	long(t)
	reality := mustReality(t, 60, nil)
	const text = `
households: 600
replications: 2
parameters: {government_employment_share: [0.05, 0.3]}
only: [share G, share C]
posterior: {points: 8, waves: 1, predictive: 20}
`
	known := t.TempDir()
	simulated := 0
	for round := range 4 {
		finished := 0
		for i := 1; i <= 2; i++ {
			e := estimationOf(t, text, reality)
			e.Known, e.Part, e.chains = known, sweep.Shard{I: i, N: 2}, quick
			r, err := e.Posterior(t.Context())
			var u *Unfinished
			switch {
			case errors.As(err, &u):
				simulated += u.Simulated
			case err != nil:
				t.Fatal(err)
			default:
				finished++
				simulated += r.Simulated
			}
		}
		if finished == 2 {
			break
		}
		if round == 3 {
			t.Fatal("shards do not come to an end")
		}
	}
	if simulated != 8+20 {
		t.Errorf("%d sets were simulated by two shards, of 28", simulated)
	}
	e := estimationOf(t, text, reality)
	e.Known, e.chains = known, quick
	if r := mustPosterior(t, e); r.Simulated != 0 {
		t.Errorf("%d simulated again", r.Simulated)
	}
}

// Data that no parameters of the prior can give leave nothing, and the moment is named with the next move.
func TestImpossibleData(t *testing.T) {
	long(t)
	reality := mustReality(t, 60, map[string]float64{"government_employment_share": .4})
	e := estimationOf(t, `
households: 600
replications: 2
parameters: {government_employment_share: [0.05, 0.15]}
only: [share G, sd Y]
posterior: {points: 10, waves: 2, discrepancy: 0.1, discrepancies: {sd Y: 4}, rank: 1, predictive: 0, observation: bootstrap}
`, reality)
	r := mustPosterior(t, e)
	if !r.Empty || len(r.Impossible) != 1 || !strings.HasSuffix(r.Impossible[0], "share G") || r.Draws != nil || len(r.Waves) != 1 {
		t.Errorf("empty %v, impossible %v, %d draws", r.Empty, r.Impossible, len(r.Draws))
	}
	if text := r.Markdown(""); !strings.Contains(text, "cannot produce") || !strings.Contains(text, "discrepancies") {
		t.Error(text)
	}
	if _, err := r.MarshalJSON(); err != nil {
		t.Error(err)
	}
	// By the second largest the other moment leaves something: there is a posterior, and the moment is named all the same.
	e.Targets.Posterior.Rank, e.Targets.Posterior.Waves, e.chains = 2, 1, quick
	r = mustPosterior(t, e)
	if r.Empty || len(r.Impossible) != 1 || len(r.Draws) == 0 ||
		!strings.Contains(r.Markdown(""), "did not rule out sets of parameters by themselves") {
		t.Errorf("rank 2: empty %v, impossible %v, %d draws: %v", r.Empty, r.Impossible, len(r.Draws), r.Findings)
	}
	e.Targets.Posterior.Discrepancies = map[string]float64{"share Q": 1}
	if _, err := e.Posterior(t.Context()); fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), "share") {
		t.Errorf("an unknown moment: %v", err)
	}
}

func TestPosteriorSettingsThatAreWrong(t *testing.T) {
	for text, want := range map[string]string{
		"{points: 3}": "7 to 2000", "{waves: 0}": "1 to 20", "{rank: 4}": "1 to 3", "{cutoff: 0}": "above 0", "{wave: 2}": `did you mean "waves"`,
		"{observation: bootstrapp}": `did you mean "bootstrap"`, "{discrepancy: -1}": "0 or more", "{discrepancies: {sd Y: -1}}": "0 or more",
		"{draws: 1}": "100 to", "{predictive: -1}": "0, or 20 to 1000", "{predictive: 19}": "0, or 20 to 1000",
	} {
		_, err := ReadTargets([]byte("parameters: {consumption_habit: [0, .9]}\nposterior: " + text))
		if err == nil || !strings.Contains(err.Error()+fault.Public(err).Text(), want) {
			t.Errorf("%s gave %v, not %q", text, err, want)
		}
	}
	targets := mustTargets(t, "parameters: {consumption_habit: [0, .9], hiring_rate: [0.1, 0.5], income_smoothing: [0.01, 0.2]}")
	if p := targets.Posterior; p.Points != 30 || p.More != 15 || p.Rank != 2 || p.Discrepancy != .5 || p.Observation != Replications {
		t.Errorf("usual settings %+v", p)
	}
}

// Files of draws that this program cannot use are refused, with line and next move.
func TestDrawsThatAreWrong(t *testing.T) {
	head := drawsMark + " model " + version + "; scenario baseline; scenario hash abc; seed 1\n"
	for text, want := range map[string]string{
		"":                         "does not begin",
		"consumption_habit\n0.5\n": "does not begin",
		drawsMark + " model 0.1; scenario baseline\nconsumption_habit\n0.5\n": `of model "0.1"`,
		drawsMark + " scenario baseline\nconsumption_habit\n0.5\n":            "of which model",
		drawsMark + " model " + version + "\nconsumption_habit\n0.5\n":        "and scenario",
		head:                                      "no row of names",
		head + "consumption_habbit\n0.5\n":        `did you mean "consumption_habit"`,
		head + "enable_trade\ntrue\n":             "a number",
		head + "consumption_habit\n":              "no draws",
		head + "consumption_habit\n0.5\n1.5\n":    "line 4",
		head + "consumption_habit\nhalf\n":        "line 3",
		head + "benefit_months\n1.5\n":            "allowed 0 to 120",
		head + "consumption_habit\n0.5,0.6\n":     "line 3",
		head + "hiring_rate,hiring_rate\n.2,.2\n": "twice",
	} {
		if _, err := ReadDraws("--posterior", []byte(text)); err == nil || !strings.Contains(fmt.Sprint(err, fault.Public(err).Text()), want) {
			t.Errorf("%q gave %v, not %q", text, err, want)
		}
	}
	d, err := ReadDraws("--posterior", []byte(head+"consumption_habit,benefit_months\n.5,12\n.6,13\n.7,14\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Some(2); !slices.Equal(got, []string{"consumption_habit=0.5, benefit_months=12", "consumption_habit=0.6, benefit_months=13"}) {
		t.Errorf("some: %q", got)
	}
}

// Where the data lie among economies, and when they are said to lie where hardly any does.
func TestPredicted(t *testing.T) {
	var values []float64
	for i := range 50 {
		values = append(values, float64(i))
	}
	inf := math.Inf(1)
	for _, test := range []struct {
		p      Predicted
		side   bayes.Side
		below  float64
		failed bool
	}{
		{Predicted{Target: 24.5}, bayes.Both, .5, false},
		{Predicted{Target: 1.5}, bayes.Both, .04, false},
		{Predicted{Target: -1}, bayes.Both, 0, true},
		{Predicted{Target: 50}, bayes.Both, 1, true},
		{Predicted{Target: 10, Band: true, TargetLow: 8, TargetH: 12}, bayes.Both, .21, false},
		{Predicted{Target: 10, Band: true, TargetLow: 9.1, TargetH: 10.9}, bayes.Both, .21, true},
		{Predicted{Target: 45, Band: true, TargetLow: 45, TargetH: inf}, bayes.Below, .91, false},
		{Predicted{Target: 49, Band: true, TargetLow: 49, TargetH: inf}, bayes.Below, .99, true},
	} {
		test.p.describe(values, test.side)
		if math.Abs(test.p.Below-test.below) > 1e-9 || test.p.Failed != test.failed {
			t.Errorf("target %g: %g below, failed %v", test.p.Target, test.p.Below, test.p.Failed)
		}
	}
}

// Nineteen economies cannot say that data are unlikely, twenty can.
func TestFewPredicted(t *testing.T) {
	for n, failed := range map[int]bool{19: false, 20: true} {
		p := Predicted{Target: -1}
		p.describe(make([]float64, n), bayes.Both)
		if p.Failed != failed || p.Judged() != failed {
			t.Errorf("%d economies: failed %v, judged %v", n, p.Failed, p.Judged())
		}
	}
	if got := first([]float64{math.NaN(), 2, 3}); !slices.Equal(got, []float64{2}) {
		t.Errorf("of a draw %v count", got)
	}
}

// Emulators of the same economies are taken by the name of their moment; where one is missing none is taken.
func TestPlacesOfEmulators(t *testing.T) {
	a, b, c := Moment{Table: "s", Statistic: "a"}, Moment{Table: "s", Statistic: "b"}, Moment{Table: "s", Statistic: "c"}
	em := &emulated{moments: []Moment{a, b, c}, points: 9}
	if got := em.places([]Moment{c, a}, 9); !slices.Equal(got, []int{2, 0}) {
		t.Errorf("places %v", got)
	}
	none := (*emulated)(nil).places([]Moment{a}, 9)
	if d := (Moment{Table: "s", Statistic: "d"}); em.places([]Moment{a, d}, 9) != nil || em.places([]Moment{a}, 8) != nil || none != nil {
		t.Error("emulators of other moments or economies are taken")
	}
}

// Moments of which the rule bears with one are named; a moment that few sets show is told, and so is what the intervals were widened for.
func TestFindings(t *testing.T) {
	r := &Posterior{Impossible: []string{"a"}, Settings: PosteriorSettings{Cutoff: 3, Rank: 2}, emulated: &emulated{}}
	r.Waves = []Wave{{Points: 12, Failed: 2, Emulators: []EmulatorFit{
		{Moment: "a", Sets: 10, Explained: 1}, {Moment: "b", Sets: 7, Explained: 1},
	}}}
	e := &Estimation{Targets: &Targets{}}
	r.say(e)
	text := strings.Join(r.Findings, "\n")
	for _, want := range []string{"cannot produce a within", "did not rule out sets of parameters by themselves (rank 2)", "b (3 of 10)"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %s", want, text)
		}
	}
	if strings.Contains(text, "no posterior") {
		t.Error(text)
	}
	r.Empty, r.Findings, r.Conflicting = true, nil, []string{"c"}
	if r.say(e); !strings.Contains(r.Findings[0], "With them, c are too far off") ||
		!strings.Contains(r.Findings[0], "There is no posterior.") {
		t.Error(r.Findings[0])
	}
}

// Each whole number has the same share of a range, and stands in the middle of it.
func TestWholeNumbers(t *testing.T) {
	targets := mustTargets(t, "parameters: {benefit_months: [2, 5], consumption_habit: [0, .9]}")
	p, counts := targets.Parameters[0], map[float64]int{}
	for i := range 4000 {
		counts[p.Value((float64(i)+.5)/4000)]++
	}
	if len(counts) != 4 || counts[2] != 1000 || counts[3] != 1000 || counts[5] != 1000 || p.Value(0) != 2 || p.Value(1) != 5 {
		t.Errorf("values %v", counts)
	}
	if got := targets.whole().snapped([]float64{.3, .3}); math.Abs(got[0]-.375) > 1e-12 || got[1] != .3 {
		t.Errorf("places %v", got)
	}
}

// Data of as many quarters but of another growth of adults are measured apart: the model's amounts grow with as many people.
func TestKeyOfAdults(t *testing.T) {
	keys := map[string]bool{}
	for _, growth := range []float64{0, .01, .02} {
		reality := mustReality(t, 40, nil)
		adults := make([]float64, reality.Data.Quarters())
		for q := range adults {
			adults[q] = 100 * math.Exp(growth*float64(q)/4)
		}
		reality.Data.Values[quarterly.Adults] = adults
		e := estimationOf(t, posteriorTargets, reality)
		keys[e.key(e.Scenario, 2)] = true
	}
	if len(keys) != 3 {
		t.Errorf("%d keys of three data", len(keys))
	}
}

// A posterior of which all is known is summed up: uniform draws say nothing, narrow ones much, and those at an end are said to be there.
func TestSummary(t *testing.T) {
	r := &Posterior{names: []Parameter{{"consumption_habit", 0, .9}, {"hiring_rate", .1, .5}, {"income_smoothing", .001, 1}}}
	r.Parameters = []Marginal{{Parameter: r.names[0]}, {Parameter: r.names[1]}, {Parameter: r.names[2]}}
	var draws [][]float64
	for i := range 2000 {
		u := (float64(i) + .5) / 2000
		draws = append(draws, []float64{u, .5 + .1*(u-.5), .05 * float64(i*7%2000) / 2000})
	}
	r.summarise(draws)
	flat, narrow, end := &r.Parameters[0], &r.Parameters[1], &r.Parameters[2]
	if flat.Says() != "nothing" || math.Abs(flat.Contraction) > .01 || math.Abs(flat.Low90-.045) > .002 {
		t.Errorf("flat: %+v", flat)
	}
	if narrow.Says() != "much" || math.Abs(narrow.Contraction-.99) > 1e-3 || math.Abs(narrow.High50-(.3+.4*.025)) > 1e-3 {
		t.Errorf("narrow: %+v", narrow)
	}
	if end.AtLow < .99 || math.Abs(end.High90-.001*math.Pow(1000, .0475)) > 1e-4 {
		t.Errorf("at the low end, in logs: %+v", end)
	}
	if len(r.Correlations) != 1 || r.Correlations[0].R < .99 {
		t.Errorf("correlations %v", r.Correlations)
	}
}
