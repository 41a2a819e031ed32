package lab

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// The register knows data by what is simulated: the model version and the scenario of an arm, with the seeds as a set
// inside. Names, workspaces and deletion do not matter (docs/EXPERIMENTS.md).

// simulated says what an arm simulates, whatever its months and its seed.
func simulated(model string, s scenario.Scenario) string {
	for _, p := range []*sim.Params{&s.Params, &s.BurnIn} {
		p.NumIterations, p.RandomState = 0, 0
	}
	sum := sha256.Sum256([]byte(model + " " + s.Hash()))
	return hex.EncodeToString(sum[:12])
}

// data is what each arm of an experiment simulates; empty where this program cannot read the experiment.
type data []string

// dataOf is what the arms of a stored experiment simulate.
func dataOf(x store.Experiment) (list data) {
	for i := range x.Arms {
		s, err := scenarioOf(x, i)
		if err != nil {
			return nil
		}
		list = append(list, simulated(x.ModelVersion, s))
	}
	return list
}

// withSeeds names the data of an arm: what it simulates, with the seeds.
func (d data) withSeeds(x store.Experiment, arm int) string {
	if len(d) == 0 {
		return ""
	}
	return fmt.Sprintf("%s, %d seeds from %d", d[arm], x.Replications, x.Seed)
}

// relookAfter is how long this process does not ask again whether a look at an experiment has been noted.
const relookAfter = time.Minute

// look notes that somebody sees numbers of an experiment, for plans that come later. They are told, too, where that
// cannot be noted.
func (l *Laboratory) look(ctx context.Context, name string) {
	now := l.now()
	if last, known := l.noted.Load(name); known && now.Sub(last.(time.Time)) < relookAfter {
		return
	}
	x, err := l.Store.Experiment(ctx, name)
	if fault.KindOf(err) == fault.NotFound || err == nil && x.Month == 0 {
		return
	}
	if err == nil {
		err = l.Store.Look(ctx, name, dataOf(x))
	}
	if err != nil {
		slog.Warn("a look at results could not be noted", "experiment", name, "error", err)
	}
	l.noted.Store(name, now)
}

// adopt enters what programs before the register left behind, once.
func (l *Laboratory) adopt(ctx context.Context) error {
	l.adopting.Lock()
	defer l.adopting.Unlock()
	if l.adopted {
		return nil
	}
	names, err := l.Store.Unregistered(ctx)
	for _, name := range names {
		x, err := l.Store.Experiment(ctx, name)
		if err == nil {
			err = l.Store.Register(ctx, name, dataOf(x))
		}
		if err != nil {
			return err
		}
	}
	l.adopted = err == nil
	return err
}

// relatives are the experiments that have an arm of one, that one included.
func (l *Laboratory) relatives(ctx context.Context, x store.Experiment) ([]store.Relative, error) {
	if err := l.adopt(ctx); err != nil {
		slog.Warn("experiments of earlier programs could not be entered into the register", "error", err)
	}
	return l.Store.Relatives(ctx, x.Name, dataOf(x))
}

// firstRead is when somebody saw results of an experiment, or of one with the same plan, for the first time; zero =
// nobody has.
func (l *Laboratory) firstRead(ctx context.Context, x store.Experiment) (first time.Time, err error) {
	list, err := l.relatives(ctx, x)
	for _, r := range list {
		if r.Look != nil && r.PlanHash == PlanHash(x.Plan) && (first.IsZero() || r.Look.At.Before(first)) {
			first = r.Look.At
		}
	}
	return first, err
}

// history fills in what the register knows of the plan of an experiment: whether anybody had seen its data when it was
// made, how many plans for the same arms its owner had registered before, and what was done beyond it. A plan that is
// registered again is the plan that it was.
func (l *Laboratory) history(ctx context.Context, p *inference.Planned, x store.Experiment) error {
	list, err := l.relatives(ctx, x)
	if err != nil {
		return err
	}
	own := dataOf(x)
	r, _ := RegistrationOf(x)
	made := madeAt(list, PlanHash(x.Plan))
	p.Looked = lookedBefore(list, own, run.Seeds(x.Seed, max(x.Replications, r.Replications)), made)
	earlier := map[string]bool{}
	for _, r := range list {
		shared := 0
		for _, d := range own {
			if slices.Contains(r.Data, d) {
				shared++
			}
		}
		// What was deleted before anybody saw it asked nothing.
		if r.Number < made && r.Principal == x.Principal && shared > 1 && !(r.Deleted && r.Look == nil) {
			earlier[r.PlanHash] = true
		}
	}
	p.Earlier = len(earlier)
	amendments, err := l.Store.Amendments(ctx, x.Name)
	for _, a := range amendments {
		p.Amended = append(p.Amended, inference.Amendment{At: a.At, By: a.By, Month: a.Month, Arm: a.Arm, What: a.What})
	}
	return err
}

// madeAt is the number of the experiment with which a plan was registered first.
func madeAt(list []store.Relative, hash string) int64 {
	for _, r := range list {
		if r.PlanHash == hash {
			return r.Number
		}
	}
	return 0
}

// lookedBefore is the look after which two of a plan's arms had been seen, in whatever experiments, on a seed of the
// plan, before it was made; nil = there was none.
func lookedBefore(list []store.Relative, own data, seeds []uint64, made int64) *inference.Look {
	planned := map[uint64]bool{}
	for _, seed := range seeds {
		planned[seed] = true
	}
	var seen []inference.Look // the first look at each of the arms
	for k, d := range own {
		if slices.Contains(own[:k], d) {
			continue
		}
		var first *inference.Look
		for _, r := range list {
			if r.Look == nil || r.Look.Newest >= made || !slices.Contains(r.Data, d) || first != nil && !r.Look.At.Before(first.At) {
				continue
			}
			if slices.ContainsFunc(run.Seeds(r.Seed, r.Replications), func(seed uint64) bool { return planned[seed] }) {
				first = &inference.Look{At: r.Look.At, Experiment: r.Name}
			}
		}
		if first != nil {
			seen = append(seen, *first)
		}
	}
	if len(seen) < 2 {
		return nil
	}
	slices.SortStableFunc(seen, func(a, b inference.Look) int { return a.At.Compare(b.At) })
	return &seen[1]
}
