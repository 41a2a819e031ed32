package lab

import (
	"context"
	"errors"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/run"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Run simulates every arm on every seed and compares the arms. The arms of a
// replication start from the same burnt-in state, unless they differ in a
// parameter that is not live. The result does not depend on the number of
// threads, up to the measured times. Wrong experiments, and those that would
// not fit in memory, are refused before anything is simulated; any other error
// says in which arm, replication and month it happened. Where money outgrew the program, the result
// has what [Result.Implausible] needs of the months before, and nothing else; with other errors it is nil.
func (x Experiment) Run(ctx context.Context) (*Result, error) {
	x, err := x.checked()
	if err != nil {
		return nil, err
	}
	started, s := time.Now(), x.simulation()
	arms := make([]ArmResult, len(x.Arms))
	for i, arm := range x.Arms {
		arms[i].Name = arm.Name
		for _, seed := range s.Seeds {
			arms[i].Replications = append(arms[i].Replications, Replication{Seed: seed})
		}
	}
	s.Observe = func(arm, replication int, e *sim.Economy) error {
		arms[arm].Replications[replication].record(e, x)
		return nil
	}
	done, err := s.Run(ctx)
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Kind == fault.LimitExceeded {
		return &Result{Arms: arms}, err
	}
	if err != nil {
		return nil, err
	}
	for _, g := range run.Groups(x.Arms) {
		for _, arm := range g.Arms {
			ran := g.Simulated(x.Arms[arm].Scenario)
			arms[arm].ScenarioHash, arms[arm].BurntInApart = ran.Hash(), g.Apart
			if ran.Hash() != x.Arms[arm].Scenario.Hash() {
				arms[arm].BurntInAs = x.Arms[0].Name
			}
		}
	}
	result := &Result{
		Arms: arms, From: x.From, To: x.To, Confidence: x.Confidence,
		CachedBurnIn: done.CachedBurnIn, Elapsed: time.Since(started),
	}
	result.AgentMonthsPerSecond = float64(done.AgentMonths) / result.Elapsed.Seconds()
	for month := range x.Months {
		result.Months = append(result.Months, month+1)
	}
	for i := range arms {
		arms[i].summarise(x.Months, x.Confidence)
	}
	for i := 1; i < len(arms); i++ {
		result.Effects = append(result.Effects,
			inference.Effects(arms[i].Name, arms[0].Panel(), arms[i].Panel(), x.From, x.To, x.Confidence)...)
	}
	if len(arms) > 1 {
		if err := result.judge(ctx, x); err != nil {
			return nil, err
		}
	}
	return result, nil
}

// judge gives the effects their verdicts. Nothing was registered: all of them together are one family.
func (r *Result) judge(ctx context.Context, x Experiment) (err error) {
	s := &tables.Study{Seed: x.Seed, Months: x.Months}
	for _, replication := range r.Arms[0].Replications {
		s.Seeds = append(s.Seeds, replication.Seed)
	}
	for i := range r.Arms {
		s.Arms = append(s.Arms, tables.StudyArm{Name: r.Arms[i].Name, Panel: r.Arms[i].Panel()})
	}
	r.Method, r.Notes, err = inference.JudgeEffects(ctx, r.Effects, s, inference.Window{From: x.From, To: x.To}, x.Confidence)
	return err
}

// record keeps the month that e has just finished.
func (r *Replication) record(e *sim.Economy, x Experiment) {
	latest := e.Latest()
	r.plausibility.Observe(latest)
	if month := e.Month(); x.From <= month && month <= x.To {
		r.Groups.Add(latest, e.Params())
	}
	for i := range sim.NumOutcomes {
		if r.Series[i] == nil {
			r.Series[i] = make([]float64, 0, x.Months)
		}
		r.Series[i] = append(r.Series[i], latest.Value(i))
	}
	if e.Month() == x.Months {
		r.Sizes, r.StateHash, r.Began = tables.NewFirmSizes(e), e.StateHash(), run.Began(e)
	}
}

// summarise computes the means over the replications and their intervals.
func (a *ArmResult) summarise(months int, confidence float64) {
	a.Curves = a.Panel().Curves(months, confidence)
}

// Panel is the series of the replications.
func (a *ArmResult) Panel() tables.Panel {
	panel := make(tables.Panel, len(a.Replications))
	for r := range a.Replications {
		panel[r] = &a.Replications[r].Series
	}
	return panel
}
