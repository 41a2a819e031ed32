package run

import (
	"context"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
)

// Preparing is what a [Task.Prepare] works with. It simulates within the memory and the place of the
// experiment, so that it waits for nothing.
type Preparing struct {
	x    *experiment
	says chan string
	ctx  context.Context
}

// Say makes a sentence the message of the experiment's status.
func (p *Preparing) Say(message string) {
	select {
	case p.says <- message:
	case <-p.ctx.Done():
	}
}

// Simulate carries out a simulation, with as many economies at a time as the experiment has memory
// for. Its threads and its cache are those of the manager.
func (p *Preparing) Simulate(ctx context.Context, s Simulation) (Simulated, error) {
	s, err := s.Checked()
	if err != nil {
		return Simulated{}, err
	}
	o := s.onlooker()
	task := s.task(o)
	task.Name = p.x.task.Name
	y := p.x.m.newExperiment(task)
	if err := y.fitStraight(p.x.bytes); err != nil {
		return Simulated{}, err
	}
	y.straight.ctx = ctx
	return o.simulated, y.runsStraight()
}

// prepare has the task say what its arms are, and serves commands meanwhile. A command that ends the
// experiment ends it.
func (x *experiment) prepare() error {
	if x.task.Prepare == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	says, over := make(chan string), make(chan error, 1)
	var arms []Arm
	go func() {
		over <- guarded(func() (err error) {
			arms, err = x.task.Prepare(ctx, &Preparing{x, says, ctx})
			return err
		})
	}()
	x.takePart(false)
	defer x.takePart(true)
	for {
		select {
		case x.message = <-says:
			x.publish()
		case command := <-x.commands:
			command()
			if x.end != nil {
				cancel()
			}
		case err := <-over:
			x.message = ""
			if x.end != nil {
				return x.end
			}
			if err != nil {
				return err
			}
			return x.settleArms(arms)
		}
	}
}

// settleArms gives the experiment the arms that were found, of the names and sizes of those before.
func (x *experiment) settleArms(arms []Arm) error {
	if err := CheckArms(arms, x.task.Months); err != nil {
		return err
	}
	x.task.Arms, x.groups, x.task.Prepare = arms, Groups(arms), nil
	x.arms = make([]scenario.Scenario, len(arms))
	for _, g := range x.groups {
		for _, a := range g.Arms {
			x.arms[a] = g.Simulated(arms[a].Scenario)
		}
	}
	x.publish()
	return nil
}

// takePart says whether the economies of an experiment count among those that share the threads: not
// while others are simulated for it.
func (x *experiment) takePart(yes bool) {
	x.m.mu.Lock()
	defer x.m.mu.Unlock()
	n := len(x.runs)
	if !yes {
		n = 0
	}
	x.m.pool.join(n - x.economies)
	x.economies = n
}

// unprepared refuses a command while it is not known yet what is to be simulated.
func (x *experiment) unprepared() error {
	if x.task.Prepare == nil {
		return nil
	}
	e := fault.New(
		fault.InvalidState, "experiment_name", "experiment %q looks for a number that it begins with, and simulates nothing of its own yet",
		x.task.Name,
	)
	return e.WithHint("call again when its month is above 0, or stop it")
}
