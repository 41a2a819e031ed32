package lab

import (
	"context"
	"fmt"
	"runtime"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Rerun says whether a run gives the same bits when it is simulated again.
type Rerun struct {
	Arm         string
	Replication int // from 1
	Seed        uint64
	Month       int    // whose state is compared
	Want, Got   string // SHA-256 of the state
	DiffersIn   int    // first month whose numbers are not what is stored; 0 = all are
	Field       string // the number in that month, such as real_gdp
}

// Same says whether the bits are the same: of the last state and of every month.
func (r Rerun) Same() bool { return r.Want == r.Got && r.DiffersIn == 0 }

// Rerun simulates an experiment again, run by run, from what is stored of it alone:
// scenario, seed and month. It compares the state at the end and the numbers of every
// month. seen is called after each run. Experiments of another model version, and those
// that have not ended, are [fault.InvalidState].
func (l *Laboratory) Rerun(ctx context.Context, name string, threads int, seen func(Rerun)) error {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return err
	}
	if x.ModelVersion != sim.ModelVersion {
		e := fault.New(
			fault.InvalidState, "name", "different model version: %s was simulated by model version %s, this is %s, which gives other numbers",
			name, x.ModelVersion, sim.ModelVersion,
		)
		e.Hint = "simulate its scenario, the resource scenario.yaml, with the version that it was made with, " + x.CodeVersion
		return e
	}
	for _, r := range x.Runs {
		if r.StateHash == "" {
			e := fault.New(fault.InvalidState, "name", "%s is %s: the state of %s has not been kept", name, x.State, r.ID)
			if e.Hint = "wait for its end, or resume it"; run.State(x.State).Ended() && run.State(x.State) != run.StateInterrupted {
				e.Hint = "simulate its scenario anew (resource scenario.yaml; econ-mcp export)"
			}
			return e
		}
		s, err := l.Scenario(ctx, name, r.Arm)
		if err != nil {
			return err
		}
		months, hash, err := l.again(ctx, s, r.Seed, r.Month, threads)
		if err != nil {
			return fmt.Errorf("%s: %w", r.ID, err)
		}
		again := Rerun{Arm: r.Arm, Replication: r.Replication, Seed: r.Seed, Month: r.Month, Want: r.StateHash, Got: hash}
		if again.DiffersIn, again.Field, err = l.Store.Compare(ctx, name, r.Arm, r.Replication, months); err != nil {
			return err
		}
		seen(again)
	}
	return nil
}

// again simulates the months of a run and returns them with the hash of the last state.
func (l *Laboratory) again(
	ctx context.Context, s scenario.Scenario, seed uint64, last, threads int,
) (months []sim.Record, hash string, err error) {
	e, _, err := run.BurnIn(ctx, s, seed, threads, l.Cache, (*sim.Economy).Step)
	if err != nil {
		return nil, "", err
	}
	defer e.Close()
	err = run.Months(ctx, e, s, last, func(e *sim.Economy) error {
		err := e.Step()
		months = append(months, *e.Latest())
		return err
	})
	return months, e.StateHash(), err
}

// Environment says in what this program differs from the one that simulated an
// experiment; "" = in nothing.
func (l *Laboratory) Environment(ctx context.Context, name string) (string, error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return "", err
	}
	was := fmt.Sprintf("code %s, %s, %s", x.CodeVersion, x.GoVersion, x.Arch)
	is := fmt.Sprintf("code %s, %s, %s/%s", l.Version, runtime.Version(), runtime.GOOS, runtime.GOARCH)
	if was == is {
		return "", nil
	}
	return "simulated with " + was + "; this is " + is, nil
}
