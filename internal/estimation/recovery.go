package estimation

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/bayes"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/quarterly"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/trials"
	"econ-mcp/sim"
)

// Recovery is an experiment with the posterior itself: true parameters are drawn from the prior, an economy with them gives quarters
// as a country would, and the posterior of these data is to hold the truth. All trials share the economies of the first wave, which
// are simulated once.
type Recovery struct {
	Targets  func() (*Targets, error) // a fresh one for each trial; it may have more than one wave
	Scenario scenario.Scenario
	Quarters int // of the data
	Trials   int
	First    int    // number of the first trial: others have other truths and data
	Known    string // folder of what was measured; "" = one that is removed at the end
	Threads  int    // 0 = all cores; changes no result
	Progress func(done, of int)

	like *emulated // of the first trial, whose economies are those of all
}

// Recovered is what became of the trials.
type Recovered struct {
	Parameters []RecoveredParameter
	Trials     int
	First      int
	Empty      int // trials in which nothing was left of the prior: they cover nothing
	Unmixed    int // trials whose chains had not converged
	Quarters   int
	Targets    *Targets
	Moments    []EmulatorFit // of the first trial
	Off        [][]float64   // by moment and trial: see [trial]
	Scenario   string
	BurnIn     int
}

// RecoveredParameter is how well a parameter came back.
type RecoveredParameter struct {
	Parameter
	Covered50, Covered90 int       // trials whose 50 and 90 % intervals hold the truth
	Width                float64   // mean of the 90 % intervals, as a share of the prior's
	Contraction          float64   // mean
	Bias                 float64   // mean of posterior mean less truth, as a share of the range
	Correlation          float64   // of posterior means with truths
	Ranks                []float64 // of the truth among the draws, 0 to 1: uniform where the posterior holds (Talts et al. 2018)
}

// trial is one that has ended.
type trial struct {
	truth []float64 // places
	of    *Posterior
	off   []float64 // by moment: the data less the emulator at the truth, over the standard deviation that the likelihood gives that
}

// Run makes the trials.
func (r *Recovery) Run(ctx context.Context) (*Recovered, error) {
	if r.Trials < 1 {
		return nil, fault.Range("trials", fmt.Sprint(r.Trials), "1 or more")
	}
	if shared := *r; r.Known == "" {
		folder, err := os.MkdirTemp("", "recovery-")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(folder)
		shared.Known, r = folder, &shared
	}
	list := make([]trial, r.Trials)
	threads := r.Threads
	if threads == 0 {
		threads = runtime.GOMAXPROCS(0)
	}
	// The first trial simulates what all share, with all threads.
	var err error
	if list[0], err = r.trial(ctx, 0, threads); err != nil {
		return nil, err
	}
	r.like = list[0].of.first
	tasks, inner := errgroup.WithContext(ctx)
	tasks.SetLimit(threads)
	done := make(chan int, r.Trials)
	go func() {
		for t := 1; t < r.Trials; t++ {
			tasks.Go(func() (err error) {
				list[t], err = r.trial(inner, t, 1)
				done <- t
				return err
			})
		}
		tasks.Wait() // its error is looked at below
		close(done)
	}()
	n := 1
	for range done {
		if n++; r.Progress != nil {
			r.Progress(n, r.Trials)
		}
	}
	if err := tasks.Wait(); err != nil {
		return nil, err
	}
	return r.sum(list)
}

// Seeds of the economies that are the data are far from those of the estimation.
const firstReality = 1 << 42

// trial draws a truth, makes data, and finds the posterior.
func (r *Recovery) trial(ctx context.Context, t, threads int) (trial, error) {
	targets, err := r.Targets()
	if err != nil {
		return trial{}, err
	}
	e := &Estimation{
		Targets: targets, Scenario: r.Scenario, Known: r.Known, Threads: threads, like: r.like,
		chains: bayes.Settings{Draws: 600, Every: 8},
	}
	number := r.First + t
	random := rand.New(rand.NewPCG(targets.Seed, uint64(number)))
	out := trial{truth: make([]float64, len(targets.Parameters))}
	var d *quarterly.Data
	for try := 0; d == nil; try++ { // a truth whose economy does not last is drawn again, as one that no country could be
		for k := range out.truth {
			out.truth[k] = random.Float64()
		}
		if d, err = r.data(ctx, e, out.truth, run.ReplicationSeed(targets.Seed, firstReality+number)); err != nil {
			return trial{}, err
		}
		if try > 50 {
			return trial{}, fault.New(fault.LimitExceeded, "parameters", "no economy of the prior can be simulated to the end")
		}
	}
	e.Reality = &trials.Reality{
		Name: "model", Data: d, Samples: []quarterly.Span{{First: d.First, Last: d.First + quarterly.Quarter(r.Quarters-1)}},
		Wanted: func(statistic string) bool { return slices.Contains(targets.Only, statistic) },
	}
	if out.of, err = e.Posterior(ctx); err != nil {
		return out, err
	}
	p := out.of.emulated.problem
	for j, i := range p.Implausibility(out.truth) {
		if mean, _ := p.Emulators[j].At(out.truth); mean > p.Targets[j].Value {
			i = -i
		}
		out.off = append(out.off, i)
	}
	return out, nil
}

// data are the quarters of an economy; nil where it cannot be simulated to the end.
func (r *Recovery) data(ctx context.Context, e *Estimation, x []float64, seed uint64) (*quarterly.Data, error) {
	s := r.Scenario
	s.Params.NumHouseholds, s.BurnIn.NumHouseholds = e.Targets.Households, e.Targets.Households
	s, err := e.Targets.apply(s, x)
	if err != nil {
		return nil, err
	}
	var c trials.QuartersCollector
	_, err = run.Simulation{
		Arms: []run.Arm{{Name: "truth", Scenario: s}}, Seeds: []uint64{seed}, Months: 3 * r.Quarters, Threads: e.Threads,
		Observe: func(_, _ int, economy *sim.Economy) error { return c.Observe(economy) },
	}.Run(ctx)
	if fault.KindOf(err) == fault.LimitExceeded {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	d := c.Data()
	d.First = 4 * 1965
	return d, nil
}

func (r *Recovery) sum(list []trial) (*Recovered, error) {
	targets, err := r.Targets()
	if err != nil {
		return nil, err
	}
	out := &Recovered{
		Trials: len(list), First: r.First, Quarters: r.Quarters, Targets: targets, Scenario: r.Scenario.Name,
		BurnIn: r.Scenario.BurnIn.BurnInMonths,
	}
	for _, t := range list {
		if out.Moments == nil {
			out.Moments = t.of.Waves[len(t.of.Waves)-1].Emulators
		}
		if out.Off == nil {
			out.Off = make([][]float64, len(t.off))
		}
		for j, x := range t.off {
			out.Off[j] = append(out.Off[j], x)
		}
		switch {
		case t.of.Empty:
			out.Empty++
		case !t.of.Chains.Converged():
			out.Unmixed++
		}
	}
	for k, p := range targets.Parameters {
		c := RecoveredParameter{Parameter: p}
		var means, truths []float64
		n := 0.
		for _, t := range list {
			if t.of.Empty {
				continue
			}
			n++
			m, truth := &t.of.Parameters[k], p.Value(t.truth[k])
			if m.Low90 <= truth && truth <= m.High90 {
				c.Covered90++
			}
			if m.Low50 <= truth && truth <= m.High50 {
				c.Covered50++
			}
			c.Width += (p.Place(m.High90) - p.Place(m.Low90)) / .9
			c.Contraction += m.Contraction
			below := 0.
			for _, x := range t.of.places {
				if x[k] < t.truth[k] {
					below += 1 / float64(len(t.of.places))
				}
			}
			c.Ranks = append(c.Ranks, below)
			means, truths = append(means, p.Place(m.Mean)), append(truths, t.truth[k])
			c.Bias += p.Place(m.Mean) - t.truth[k]
		}
		c.Width, c.Contraction, c.Bias = c.Width/n, c.Contraction/n, c.Bias/n
		c.Correlation = stats.Correlation(means, truths)
		out.Parameters = append(out.Parameters, c)
	}
	return out, nil
}

// Bounds of what is asked of the trials, in percent: 90 % intervals cover in 82 to 96 of a hundred, and have at most half the prior's
// width.
const (
	leastCovered, mostCovered = 82, 96
	widest                    = .5
)

// Holds says whether the trials are as they should be.
func (p *RecoveredParameter) Holds(trials int) bool {
	covered := 100 * float64(p.Covered90) / float64(trials)
	return leastCovered <= covered && covered <= mostCovered && p.Width <= widest
}

// Markdown tells it.
func (r *Recovered) Markdown(command string) string {
	var b strings.Builder
	t := r.Targets
	fmt.Fprintf(&b, "# Recovery of parameters\n\nGenerated by `%s`; do not edit. Model %s.\n\n"+
		"%d trials (from number %d). In each, true parameters are drawn from the prior; one economy of the scenario `%s` with them, "+
		"%d households and a seed of its own, gives %d quarters after a burn-in of %d months; the posterior of these data, with %d sets of "+
		"parameters of %d replications that all trials share, is held against the truth. Uncertainty of the data: %s; discrepancy %g standard "+
		"deviations of a moment.\n\n",
		command, version, r.Trials, r.First, r.Scenario, t.Households, r.Quarters, r.BurnIn, t.Posterior.Points, t.Replications,
		t.Posterior.Observation, t.Posterior.Discrepancy)
	b.WriteString("| parameter | prior | 90 % intervals cover | 50 % intervals cover | width of 90 % intervals, of the prior's | " +
		"contraction | correlation of means with truths | mean error, of the range | holds |\n|---|---|---|---|---|---|---|---|---|\n")
	for i := range r.Parameters {
		p := &r.Parameters[i]
		prior := trials.IntervalText(p.Low, p.High)
		if p.InLogs() {
			prior += ", in logs"
		}
		word := "yes"
		if !p.Holds(r.Trials) {
			word = "**no**"
		}
		fmt.Fprintf(&b, "| %s | %s | %d of %d | %d of %d | %.2f | %.2f | %.2f | %+.3f | %s |\n", p.Name, prior, p.Covered90, r.Trials,
			p.Covered50, r.Trials,
			p.Width, p.Contraction, p.Correlation, p.Bias, word)
	}
	fmt.Fprintf(&b, "\nA parameter holds when its 90 %% intervals cover the truth in %d to %d %% of the trials and are on average at most "+
		"half as wide as that of the prior. In %d trials nothing was left of the prior (they count as not covered), in %d chains had not "+
		"converged.\n\n",
		leastCovered, mostCovered, r.Empty, r.Unmixed)
	b.WriteString("| moment | explained by the emulator | residuals | within 95 % | data less emulator at the truth: mean | " +
		"standard deviation |\n" +
		"|---|---|---|---|---|---|\n")
	for j, f := range r.Moments {
		fmt.Fprintf(&b, "| %s | %.2f | %.2f | %.0f %% | %+.2f | %.2f |\n", f.Moment, f.Explained, f.RMS, 100*f.Coverage, stats.Mean(r.Off[j]),
			stats.StdDev(r.Off[j]))
	}
	b.WriteString("\nThe last two columns are in standard deviations of the likelihood: 0 and 1 where it holds.\n")
	b.WriteString("\nRanks of the truths among draws of the posteriors, by tenths (uniform where posteriors hold):\n\n| parameter |")
	for d := range 10 {
		fmt.Fprintf(&b, " %d |", d+1)
	}
	b.WriteString("\n|---" + strings.Repeat("|---", 10) + "|\n")
	for _, p := range r.Parameters {
		var counts [10]int
		for _, rank := range p.Ranks {
			counts[min(9, int(math.Floor(10*rank)))]++
		}
		fmt.Fprintf(&b, "| %s |", p.Name)
		for _, c := range counts {
			fmt.Fprintf(&b, " %d |", c)
		}
		b.WriteString("\n")
	}
	return b.String()
}
