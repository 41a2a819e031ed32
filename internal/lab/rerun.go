package lab

import (
	"context"
	"fmt"
	"runtime"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// Rerun says whether a run gives the same bits when it is simulated again.
type Rerun struct {
	Arm         string
	Replication int // from 1
	Seed        uint64
	Month       int    // whose state is compared
	Want, Got   string // SHA-256 of the state
}

// Same says whether the bits are the same.
func (r Rerun) Same() bool { return r.Want == r.Got }

// Rerun simulates an experiment again, run by run, from what is stored of it alone:
// scenario, seed and month. seen is called after each run. Experiments of another model
// version, and those that have not ended, are [fault.InvalidState].
func (l *Laboratory) Rerun(ctx context.Context, name string, threads int, seen func(Rerun)) error {
	x, err := l.Store.Experiment(name)
	if err != nil {
		return err
	}
	if x.ModelVersion != sim.ModelVersion {
		e := fault.New(fault.InvalidState, "name", "%s was simulated by model version %s, this is %s, which gives other numbers", name, x.ModelVersion, sim.ModelVersion)
		e.Hint = "use the version that it was made with, " + x.CodeVersion
		return e
	}
	for _, r := range x.Runs {
		if r.StateHash == "" {
			e := fault.New(fault.InvalidState, "name", "%s is %s: the state of %s has not been kept", name, x.State, r.ID)
			e.Hint = "wait for its end, or resume it"
			return e
		}
		s, err := l.Scenario(name, r.Arm)
		if err != nil {
			return err
		}
		e, err := run.Replay(ctx, s, r.Seed, r.Month, threads, l.Cache, nil)
		if err != nil {
			return fmt.Errorf("%s: %w", r.ID, err)
		}
		seen(Rerun{Arm: r.Arm, Replication: r.Replication, Seed: r.Seed, Month: r.Month, Want: r.StateHash, Got: e.StateHash()})
		e.Close()
	}
	return nil
}

// Environment says in what this program differs from the one that simulated an
// experiment; "" = in nothing.
func (l *Laboratory) Environment(name string) (string, error) {
	x, err := l.Store.Experiment(name)
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
