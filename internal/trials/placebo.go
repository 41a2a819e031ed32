package trials

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"

	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/tables"
)

// The sizes of docs/VALIDATION.md. With 400 experiments a test that
// errs in 5 % of experiments is seen to err in 7.2 % or less, with a probability of 98 %.
const (
	PlaceboPairs        = 2000
	PlaceboExperiments  = 400
	PlaceboReplications = 10 // a side: as few as a comparison should have
	PlaceboSequences    = 10_000
)

// PlaceboSize is a parameter of the economies of placebo experiments.
type PlaceboSize struct {
	Flag, Parameter, Meaning string
	Value                    int
}

// PlaceboSizes are those of docs/VALIDATION.md: small economies, so that many can be had.
func PlaceboSizes() []PlaceboSize {
	return []PlaceboSize{
		{"households", "num_households", "size of the economies", 3000},
		{"months", "num_iterations", "months after burn-in", 60},
		{"burn-in", "burn_in_months", "months of burn-in", 180},
	}
}

// Placebo tries the tests, intervals and rules that answers rest on, on experiments whose truth is known: they are drawn
// from [Pairs], so many economies that their mean is the truth. Most
// are A/A experiments: two equal arms that go on from the same burnt-in states, each with
// draws of its own, so that whatever a test finds is wrong. For tests of independent samples
// the burnt-in states are others too. In the experiments with a known effect one arm is
// shifted by it, and in those with a real one it has one of the policies of [Pairs].
type Placebo struct {
	Pairs
	Experiments  int // of each kind, at least 2
	Replications int // of each side, at least 2
	Sequences    int // of pairs that are drawn for the coverage of each effect, and for each rule that adds replications
}

// checked returns p with its defaults filled in.
func (p Placebo) checked() (Placebo, error) {
	for _, size := range []struct {
		flag       string
		n, at, top int
	}{
		{"--experiments", p.Experiments, 2, 10_000}, {"--replications", p.Replications, 2, 1_000},
		{"--sequences", p.Sequences, 1, 1_000_000}, {"--pairs", p.N, 2 * p.Replications, 100_000},
		{"--months", p.Scenario.Params.NumIterations, 2, 6_000},
	} {
		if size.n < size.at || size.n > size.top {
			return p, fault.Range(size.flag, fmt.Sprint(size.n), fmt.Sprintf("%d to %d", size.at, size.top))
		}
	}
	if p.Threads < 0 {
		return p, fault.Range("--threads", fmt.Sprint(p.Threads), "0 or more")
	}
	if _, err := p.arms(); err != nil {
		return p, err
	}
	p.Threads = cmp.Or(p.Threads, runtime.GOMAXPROCS(0))
	return p, nil
}

// economies are those of one experiment, by what they are.
type economies [numEconomies]side

// The first four are of the same burnt-in states, the others of as many others.
const (
	first  = iota // the control or its twin, whichever the coin says, pair by pair: so that nothing differs in the mean
	second        // the other
	untreated
	treated // with the draws of the untreated
	apart
	apartTreated
	numEconomies
)

// side is one side of an experiment: the outcomes by month, and the seeds of the burnt-in states.
type side struct {
	panel tables.Panel
	seeds []uint64
}

// population are all pairs, from which experiments are drawn.
type population struct {
	panels []tables.Panel // by arm
	seeds  []uint64
}

// draw are the economies of an experiment, counted from 0: no pair is drawn twice for one.
func (of population) draw(experiment, n int, policy int) *economies {
	random := rand.New(rand.NewPCG(uint64(experiment), 1))
	out, places := new(economies), random.Perm(len(of.seeds))[:2*n]
	add := func(to, arm, place int) {
		out[to].panel, out[to].seeds = append(out[to].panel, of.panels[arm][place]), append(out[to].seeds, of.seeds[place])
	}
	for k, place := range places {
		if k >= n {
			add(apart, armControl, place)
			add(apartTreated, firstPolicy+policy, place)
			continue
		}
		coin := random.IntN(2)
		add(first, armControl+coin, place)
		add(second, armAgain-coin, place)
		add(untreated, armControl, place)
		add(treated, firstPolicy+policy, place)
	}
	return out
}

// each calls f for every experiment, on all threads, and tells how many are done.
func (p Placebo) each(ctx context.Context, what string, f func(ctx context.Context, experiment int) error) error {
	var progress sync.Mutex
	done := 0
	tasks, ctx := errgroup.WithContext(ctx)
	tasks.SetLimit(p.Threads)
	for k := range p.Experiments {
		tasks.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f(ctx, k); err != nil {
				return err
			}
			progress.Lock()
			defer progress.Unlock()
			done++
			if p.Progress != nil {
				p.Progress(what, done, p.Experiments)
			}
			return nil
		})
	}
	return tasks.Wait()
}
