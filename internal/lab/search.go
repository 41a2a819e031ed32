package lab

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// searchDetail is the kind of detail, of the first run, under which is kept what was found before the
// experiment began: see [found]. It is there once the scenarios of the arms are what was found.
const searchDetail = "search"

// searchBytes bounds it, with what the numbers that were found add to the scenarios.
const searchBytes = 8 << 10

// found is what was found before an experiment began. Its numbers stand in the scenarios, too.
type found struct {
	Amount float64          `json:"amount,omitempty"` // of an equal cost
	Pilot  *inference.Pilot `json:"pilot,omitempty"`
	Steps  []float64        `json:"steps,omitempty"` // of a bisection; none = nothing was crossed
}

// search looks for the number that an inquiry asks for, before its experiment begins.
type search struct {
	l         *Laboratory
	inquiry   inquiry.Inquiry
	arms      []Arm
	seeds     []uint64 // of the experiment
	base      uint64
	most      []uint64 // that the experiment may come to have
	size      int64    // of the experiment, in household-months
	preparing *run.Preparing
	spent     int64 // household-months of search so far
	runs      int   // simulated so far
}

// inquiryOf is the inquiry that an experiment was made of, if it was.
func (r Registration) inquiryOf() (q inquiry.Inquiry, ok bool) {
	if r.Inquiry == "" {
		return q, false
	}
	q, err := inquiry.Decode([]byte(r.Inquiry))
	return q, err == nil
}

// prepared has a task look first for the number that its inquiry asks for, if it does. What is found is on
// disk before the first month.
func (l *Laboratory) prepared(t *run.Task, r Registration, base uint64, journal *store.Journal) {
	q, ok := r.inquiryOf()
	if !ok || !q.Searches() {
		return
	}
	s := search{l: l, inquiry: q, arms: t.Arms, seeds: t.Seeds, base: base, most: t.Seeds}
	if r.auto() {
		s.most = run.Seeds(base, *r.MaxReplications)
	}
	s.size = int64(r.Households) * int64(t.Months) * int64(len(t.Seeds)) * int64(len(t.Arms))
	t.Prepare = func(ctx context.Context, p *run.Preparing) ([]Arm, error) {
		s := s
		s.preparing = p
		f, arms, err := s.find(ctx)
		if err != nil {
			return nil, err
		}
		return arms, s.keep(journal, f, arms)
	}
}

// find looks for the number. arms are those of the experiment with what was found.
func (s *search) find(ctx context.Context) (f found, arms []Arm, err error) {
	if s.inquiry.EqualCost != nil {
		return s.equalCost(ctx)
	}
	return s.threshold(ctx)
}

// keep writes what was found: the scenarios first, so that who finds the detail finds these, too.
func (s *search) keep(journal *store.Journal, f found, arms []Arm) error {
	for i, arm := range arms {
		if hash := arm.Scenario.Hash(); hash != s.arms[i].Scenario.Hash() {
			if err := journal.Plan(i, arm.Scenario.Encode(), hash, 0); err != nil {
				return err
			}
		}
	}
	data, err := packed(f)
	if err == nil {
		err = journal.Detail(0, 0, searchDetail, 0, data)
	}
	if err == nil {
		err = journal.State(string(run.StateBurnIn), 0, "")
	}
	return err
}

// foundOf is what was found before a stored experiment began; ok is false as long as nothing was.
func (l *Laboratory) foundOf(ctx context.Context, x store.Experiment) (f found, ok bool, err error) {
	_, data, err := l.Store.Detail(ctx, x.Name, x.Arms[0].Name, 1, searchDetail)
	if err != nil || data == nil {
		return f, false, err
	}
	text, err := unpacked(data)
	if err == nil {
		err = json.Unmarshal(text, &f)
	}
	return f, err == nil, err
}

// searches says whether a stored experiment has still to look for a number.
func (l *Laboratory) searches(ctx context.Context, x store.Experiment) (bool, error) {
	r, _ := RegistrationOf(x)
	if q, ok := r.inquiryOf(); !ok || !q.Searches() {
		return false, nil
	}
	_, there, err := l.foundOf(ctx, x)
	return !there, err
}

// usualTrials are the numbers that an equal cost is usually found with.
const usualTrials = 4

// estimateWith is how long an experiment takes with the search that its inquiry asks for, on an idle
// machine, in seconds. A pilot that needs more than its first replications takes longer.
func (x Experiment) estimateWith(q inquiry.Inquiry) float64 {
	seconds := x.estimate()
	switch {
	case q.Find != nil: // on the seeds of the experiment, which burns in with what the search left
		seconds += x.seconds((len(q.Find.Points())+1)*x.Replications, q.Find.Window.To)
	case q.EqualCost != nil:
		seconds += x.seconds((2+usualTrials)*inquiry.PilotFirst, q.EqualCost.Window.To)
		for _, g := range x.groups { // none of these is of the seeds of the experiment
			of := func(name string) bool {
				return slices.ContainsFunc(g.Arms, func(i int) bool { return x.Arms[i].Name == name })
			}
			if of(ControlArm) || of(q.EqualCost.Match) || of(q.EqualCost.To) {
				seconds += x.seconds(inquiry.PilotFirst, g.BurnIn.BurnIn.BurnInMonths)
			}
		}
	}
	return seconds
}

// simulate has arms go through the first months on seeds. read is given each month of each run: arms and
// replications count from 0, and one run is read by one goroutine at a time.
func (s *search) simulate(
	ctx context.Context, what string, arms []Arm, seeds []uint64, months int, read func(arm, replication int, r *sim.Record),
) error {
	s.spent += int64(arms[0].Scenario.Params.NumHouseholds) * int64(months) * int64(len(seeds)) * int64(len(arms))
	if most := s.l.Limits.HouseholdMonths; most > 0 && s.size+s.spent > most {
		return fault.New(fault.LimitExceeded, "replications",
			"households x months x replications x arms come to %d with those of the search, above the limit household_months of %d",
			s.size+s.spent, most).WithHint("lower num_households, months or replications")
	}
	arms = slices.Clone(arms)
	for i := range arms {
		arms[i].Scenario.Interventions = within(arms[i].Scenario.Interventions, months)
	}
	s.preparing.Say(what)
	tenths := 0
	_, err := s.preparing.Simulate(ctx, run.Simulation{
		Arms: arms, Seeds: seeds, Months: months,
		Observe: func(arm, replication int, e *sim.Economy) error {
			read(arm, replication, e.Latest())
			return nil
		},
		Progress: func(p run.Progress) {
			if now := 10 * p.Done / p.Of; now > tenths {
				tenths = now
				s.preparing.Say(fmt.Sprintf("%s: %d %%", what, 10*now))
			}
		},
	})
	s.runs += len(arms) * len(seeds)
	return err
}

// within has what begins after so many months never begin; it keeps its place.
func within(list []sim.Intervention, months int) []sim.Intervention {
	list = slices.Clone(list)
	for i := range list {
		if list[i].TargetMonth > months {
			list[i].TargetMonth, list[i].Cancelled = 1, true
		}
	}
	return list
}

// arm is the number of an arm by its name.
func (s *search) arm(name string) int {
	return slices.IndexFunc(s.arms, func(a Arm) bool { return a.Name == name })
}
