package run

import (
	"context"
	"fmt"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// do has the owner of an experiment carry out f between two months and returns its
// error. A context that is done ends the wait, not what was asked for.
func (x *experiment) do(ctx context.Context, f func() error) error {
	answer := make(chan error, 1)
	select {
	case x.commands <- func() { answer <- guarded(f) }:
	case <-x.done:
		return hasEnded(x.Status())
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-answer:
		return err
	case <-x.done: // it was carried out, or the experiment ended first
		select {
		case err := <-answer:
			return err
		default:
			return hasEnded(x.Status())
		}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// command has f carried out by the owner of the experiment of that name, and returns
// the status after.
func (m *Manager) command(ctx context.Context, name string, f func(x *experiment) error) (Status, error) {
	x, s, err := m.steerable(name)
	if err != nil {
		return s, err
	}
	return x.command(ctx, f)
}

// steerable returns an experiment that has not ended, or the last status of one that has, and an
// error.
func (m *Manager) steerable(name string) (*experiment, Status, error) {
	x, s, err := m.find(name)
	if err == nil && x == nil {
		err = hasEnded(s)
	}
	return x, s, err
}

func (x *experiment) command(ctx context.Context, f func(x *experiment) error) (Status, error) {
	var after Status
	err := x.do(ctx, func() error {
		err := f(x)
		after = x.Status()
		return err
	})
	if err != nil { // it may not have been carried out yet
		return x.Status(), err
	}
	return after, nil
}

func hasEnded(s Status) error {
	e := fault.New(
		fault.InvalidState, "experiment_name", "experiment %q has ended: it is %s in month %d of %d", s.Name, s.State, s.Month, s.Months,
	)
	e.Hint = "start another one; what was simulated is kept"
	if s.State == StateInterrupted {
		e.Hint = "resume it first"
	}
	return e
}

// Pause has an experiment pause after the month that it is in, and returns when it
// does. It keeps its economies and gives up its place to others. One that is paused
// stays so.
func (m *Manager) Pause(ctx context.Context, name string) (Status, error) {
	return m.command(ctx, name, func(x *experiment) error {
		if err := x.unprepared(); err != nil {
			return err
		}
		return x.pause()
	})
}

// Resume has an experiment go on when there is a place, and pause again after month
// pauseAt; 0 means not to pause. One that is not paused only has that month set. After
// its last month it is completed, whether it was to pause there or not.
func (m *Manager) Resume(ctx context.Context, name string, pauseAt int) (Status, error) {
	return m.command(ctx, name, func(x *experiment) error {
		if pauseAt != 0 {
			if err := checkPause(pauseAt, x.past(), x.task.Months); err != nil {
				return err
			}
		}
		x.pauseAt = pauseAt
		if x.state != StatePaused {
			x.publish()
			return nil
		}
		return x.enqueue()
	})
}

// enqueue waits for a place again.
func (x *experiment) enqueue() error {
	if err := x.enter(StateQueued); err != nil {
		return err
	}
	x.m.mu.Lock()
	x.m.enqueue(x)
	x.m.mu.Unlock()
	x.publish()
	return nil
}

// Stop ends an experiment after the month that it is in, and returns when it has
// ended. Its months are kept. No checkpoint is taken: it will not go on, and who wants
// to look at its last month is served better by an older one, see [Manager.Replay].
func (m *Manager) Stop(ctx context.Context, name string) (Status, error) {
	x, s, err := m.steerable(name)
	if err != nil {
		return s, err
	}
	s, err = x.command(ctx, func(x *experiment) error {
		if x.end == nil {
			x.end = errStopped
		}
		return nil
	})
	if err != nil {
		return s, err
	}
	select {
	case <-x.done:
		return x.Status(), nil
	case <-ctx.Done():
		return x.Status(), ctx.Err()
	}
}

// Inject plans one more intervention in an arm of an experiment, all replications
// alike, and returns its place in the arm's plan. It is refused if its month is over or
// beyond the end, if it could do nothing, if some replications have ended without it, and
// if it cannot be kept.
func (m *Manager) Inject(
	ctx context.Context, name, arm string, v sim.Intervention, by string,
) (index int, s Status, err error) {
	var place int
	s, err = m.command(ctx, name, func(x *experiment) error {
		a, err := x.armNamed(arm)
		if err != nil {
			return err
		}
		if err := v.Check(); err != nil {
			return err
		}
		if err := x.unchangeable("target_month"); err != nil {
			return err
		}
		if v.TargetMonth <= x.recorded {
			e := fault.New(fault.InvalidState, "target_month", "month %d is over: the experiment is in month %d", v.TargetMonth, x.recorded)
			e.Hint = fmt.Sprintf("choose a target_month from %d to %d", x.recorded+1, x.task.Months)
			if x.recorded == x.task.Months {
				e.Hint = "the experiment is at its end; start another one"
			}
			return e
		}
		if err := checkFits(v, x.arms[a].Params, x.task.Months); err != nil {
			return err
		}
		v.Parameters = slices.Clone(v.Parameters)
		place = len(x.arms[a].Interventions)
		return x.replan(a, append(slices.Clip(x.arms[a].Interventions), v), v, by)
	})
	if err != nil {
		return 0, s, err
	}
	return place, s, nil
}

// Cancel takes an intervention back, by its place in the arm's plan, which it keeps. Only
// one that has not begun in any replication can be cancelled.
func (m *Manager) Cancel(ctx context.Context, name, arm string, index int, by string) (Status, error) {
	return m.command(ctx, name, func(x *experiment) error {
		a, err := x.armNamed(arm)
		if err != nil {
			return err
		}
		if err := x.unchangeable("intervention_id"); err != nil {
			return err
		}
		list := x.arms[a].Interventions
		if index < 0 || index >= len(list) {
			return fault.New(fault.NotFound, "intervention_id", "arm %q has no intervention %d", arm, index).
				WithHint(fmt.Sprintf("%d are planned in it", len(list)))
		}
		if list[index].Cancelled {
			return fault.New(fault.InvalidState, "intervention_id", "the intervention has been cancelled already").
				WithHint("list_pending_interventions has those that can be cancelled")
		}
		for i := range x.runs {
			r := &x.runs[i]
			if r.arm != a {
				continue
			}
			if month := x.beganIn(r)[index]; month > 0 && month <= x.recorded {
				e := fault.New(
					fault.InvalidState, "intervention_id", "the intervention began in month %d, and the experiment is in month %d", month, x.recorded,
				)
				e.Hint = "plan another one that takes it back"
				return e
			}
		}
		list = slices.Clone(list)
		list[index].Cancelled = true
		return x.replan(a, list, list[index], by)
	})
}

func (x *experiment) armNamed(name string) (int, error) {
	s := x.Status()
	if a := slices.Index(s.Arms, name); a >= 0 {
		return a, nil
	}
	return 0, fault.In("arm", fault.Unknown(fault.NotFound, "arm", name, s.Arms))
}

// replan has another list of interventions kept, of which somebody changed one, and puts it into force.
func (x *experiment) replan(arm int, list []sim.Intervention, changed sim.Intervention, by string) error {
	if err := sim.CheckInterventions(list); err != nil {
		return err
	}
	s := x.arms[arm]
	s.Interventions = list
	if err := x.task.Recorder.Record(ScenarioChanged{arm, s, changed, by, x.recorded}); err != nil {
		return fmt.Errorf("the interventions cannot be kept, and are not changed: %w", err)
	}
	x.arms[arm] = s
	for i := range x.runs {
		if r := &x.runs[i]; r.arm == arm && r.economy != nil {
			if err := r.economy.Plan(list); err != nil {
				return err
			}
		}
	}
	x.publish()
	return nil
}

// With calls f for each economy of an experiment, arm by arm, between two months, and
// returns the month that they are in. It needs a month that this process has
// simulated, and that is not behind those on record: what was restored from a checkpoint
// has no flows yet. While further replications are simulated there is none to look at: they
// do not count yet, and the others have ended. f must not keep the economy.
func (m *Manager) With(ctx context.Context, name string, f func(arm, replication int, e *sim.Economy) error) (month int, err error) {
	s, err := m.command(ctx, name, func(x *experiment) error {
		if x.complete > 0 {
			return fault.New(fault.InvalidState, "experiment_name", "the replications of %q that are on record have ended", name).
				WithHint("what they came to is kept")
		}
		if !x.simulated {
			e := fault.New(fault.InvalidState, "experiment_name", "no month of experiment %q has been simulated yet", name)
			e.Hint = "ask again when its month is above 0"
			if x.recorded > 0 {
				e.Message = fmt.Sprintf("experiment %q was taken up again and has not caught up with month %d", name, x.recorded)
				e.Hint = "ask again in a moment, or for a month on record"
			}
			return e
		}
		for _, r := range x.runs {
			if err := f(r.arm, r.replication, r.economy); err != nil {
				return err
			}
		}
		return nil
	})
	return s.Month, err
}
