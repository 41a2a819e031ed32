package lab

import (
	"context"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Watch calls seen with the status of an experiment, and again whenever it has changed, at most ten times a second, until it has
// ended for good or ctx is done. An experiment of another process, and one that was interrupted and may go on, is looked at once a
// second.
func (l *Laboratory) Watch(ctx context.Context, name string, seen func(Status)) error {
	for {
		if _, ok := l.liveHere(name); ok {
			if _, err := l.Runs.Watch(ctx, name, func(r run.Status) { seen(l.live(ctx, r)) }); ctx.Err() != nil {
				return err
			} // any other error: it has left this process, and the store knows what became of it
		}
		s, err := l.Status(ctx, name)
		if err != nil {
			return err
		}
		seen(s)
		if s.Final() {
			return nil
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pollEvery):
		}
	}
}

// Final says that no month will follow: one that was interrupted may go on.
func (s Status) Final() bool { return s.State.Ended() && s.State != run.StateInterrupted }

// Steerable says whether this process can pause, resume, stop and change an experiment in that state.
func (l *Laboratory) Steerable(s Status) bool {
	return s.State == run.StateInterrupted || !s.State.Ended() && l.Alive(s.Name)
}

// MaySteer says whether a caller may steer an experiment.
func (l *Laboratory) MaySteer(ctx context.Context, name string, by access.Caller) (bool, error) {
	owner, err := l.Store.Owner(ctx, name)
	return err == nil && by.Can("steer", owner), err
}

// Bands are monthly means over replications with their 95 % intervals, by indicator and month. NaN is a number that is not there.
type Bands struct{ Mean, Low, High [][]float64 }

// Bands reads headline indicators of arms over a range of months, both ends included, and says over how many replications they are.
func (l *Laboratory) Bands(
	ctx context.Context, name string, arms []string, indicators []sim.Indicator, from, to int,
) ([]Bands, int, error) {
	l.look(ctx, name)
	read := make([][][][]float64, len(arms)) // by arm, replication, indicator and month
	replications := 0
	for a, arm := range arms {
		s, err := l.Store.Series(ctx, name, arm, indicators, from, to, 1)
		if err != nil {
			return nil, 0, err
		}
		if read[a] = s.Values; a == 0 || len(s.Values) < replications { // others have come to count meanwhile
			replications = len(s.Values)
		}
	}
	if replications == 0 {
		return nil, 0, noMonths(store.Experiment{Name: name, State: "under way"})
	}
	interval, values := stats.MeanIntervals(tables.DefaultConfidence), make([]float64, replications)
	list := make([]Bands, len(arms))
	for a := range arms {
		b := &list[a]
		for i := range indicators {
			months := len(read[a][0][i])
			mean, low, high := make([]float64, months), make([]float64, months), make([]float64, months)
			for m := range months {
				for r := range replications {
					values[r] = read[a][r][i][m]
				}
				of := interval(stats.Defined(values))
				mean[m], low[m], high[m] = of.Mean, of.Low, of.High
			}
			b.Mean, b.Low, b.High = append(b.Mean, mean), append(b.Low, low), append(b.High, high)
		}
	}
	return list, replications, nil
}
