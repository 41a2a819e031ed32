package lab

import (
	"context"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/report"
	"econ-mcp/sim"
)

// Criterion is how an outcome of an inquiry is judged.
type Criterion struct {
	Metric         string   `json:"metric"`
	Windows        [][]int  `json:"windows"`
	Expect         Expected `json:"expect"`
	SmallestEffect float64  `json:"smallest_effect,omitempty"` // 0 = the usual one
	Relative       bool     `json:"relative,omitempty"`        // it is a share of the control's mean
}

// Inquired is an inquiry that can be started.
type Inquired struct {
	Inquiry          inquiry.Inquiry
	Scenarios        []inquiry.Scenario
	Hash             string   // of the inquiry, see [inquiry.Inquiry.Hash]
	PlanHash         string   // of what is stored as the plan: SHA-256
	EstimatedSeconds float64  // on an idle machine without burnt-in states
	Warnings         []string // what of it can do nothing
	Order            Order    // that [Laboratory.Start] takes
}

// Inquire makes an experiment of an inquiry: all is decided, and nothing is simulated. The experiment
// is called name, "" = as it is called without one.
func (l *Laboratory) Inquire(q inquiry.Inquiry, name, principal string) (Inquired, error) {
	out := Inquired{Inquiry: q}
	var err error
	if out.Scenarios, err = q.Scenarios(l.Scenarios); err != nil {
		return out, err
	}
	if err := costed(q, out.Scenarios); err != nil {
		return out, err
	}
	out.Hash = q.Hash(out.Scenarios)
	primary := q.Primary()
	plan := &Plan{Family: inference.Test(q.Design.Family), Direction: expectedOf(primary.Expect)}
	for _, o := range q.Outcomes {
		plan.Outcomes = append(plan.Outcomes, o.Metric.String())
	}
	plan.Window = []int{primary.Windows[0].From, primary.Windows[0].To}
	out.Order = Order{
		Name: name, Replications: Replications(q.Design.Replications), Plan: plan, Months: q.Design.Months, Question: q.Question,
		Principal: principal,
	}
	if q.Design.Replications == inquiry.Auto {
		out.Order.Replications = Auto
		plan.HalfWidth, plan.MaxReplications = &q.Design.HalfWidth, &q.Design.MaxReplications
	}
	for _, s := range out.Scenarios {
		out.Order.Arms = append(out.Order.Arms, Arm{Name: s.Name, Scenario: s.Scenario})
	}
	order := out.Order // whose months are filled in
	x, r, err := l.ordered(&order)
	if err != nil {
		return out, err
	}
	r.Inquiry, r.InquiryHash, r.Confidence = string(q.Encode()), out.Hash, q.Design.Confidence
	for _, o := range q.Outcomes {
		c := Criterion{Metric: o.Metric.String(), Expect: expectedOf(o.Expect), SmallestEffect: o.Effect, Relative: o.Relative}
		for _, w := range o.Windows {
			c.Windows = append(c.Windows, []int{w.From, w.To})
		}
		r.Criteria = append(r.Criteria, c)
	}
	for _, p := range q.Compare {
		r.Compare = append(r.Compare, inference.Pair(p))
	}
	out.Warnings = cautions(x.Arms, report.LanguageOf(q.Question))
	out.EstimatedSeconds = x.estimateWith(q)
	r.Language = report.LanguageOf(q.Question)
	if len(out.Scenarios) == 2 && out.Scenarios[0].Name == ControlArm { // of several arms there is not one hypothesis
		control := atStart(out.Scenarios[0].Scenario.Params, out.Scenarios[0].Scenario.Interventions)
		r.Change, r.ChangeZH = q.Change(control, report.English), q.Change(control, report.Chinese)
	}
	return out.registered(r)
}

// Registration is what is stored of it before its first month. It is for what [Laboratory.Inquire] made: the zero
// value, of a question that is not ready, has none.
func (q Inquired) Registration() Registration { return *q.Order.registration }

// registered is the inquiry with what is stored of it, in the language of r.
func (q Inquired) registered(r Registration) (Inquired, error) {
	if r.Change != "" {
		r.Hypothesis = r.HypothesisIn(r.Language)
	}
	q.Order.registration = &r
	record, err := canonical(r)
	q.PlanHash = PlanHash(record)
	return q, err
}

// InquiryOf is the inquiry that an experiment answers. One that was made of a workspace has none, which
// is [fault.NotFound].
func (l *Laboratory) InquiryOf(ctx context.Context, name string) (inquiry.Inquiry, error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return inquiry.Inquiry{}, err
	}
	r, _ := RegistrationOf(x)
	if r.Inquiry == "" {
		return inquiry.Inquiry{}, fault.New(fault.NotFound, "experiment_name", "%s was not made of an inquiry", name).
			WithHint("its scenarios are resources: " + name + "/scenario/{arm}")
	}
	return inquiry.Decode([]byte(r.Inquiry))
}

// planned is how the registration has comparisons judge.
func (r Registration) planned() (*inference.Planned, error) {
	p, err := r.Plan.planned()
	if err != nil || len(r.Criteria) == 0 {
		return p, err
	}
	p.Windows, p.Of, p.Smallest = nil, map[sim.Indicator][]inference.Window{}, map[sim.Indicator]inference.Smallest{}
	for _, c := range r.Criteria {
		i, err := sim.LookupIndicator(c.Metric)
		if err != nil {
			return nil, err
		}
		for _, w := range c.Windows {
			choice, err := inference.Choice{}.Over(w)
			if err != nil {
				return nil, err
			}
			p.Of[i] = append(p.Of[i], choice.Windows...)
		}
		for _, w := range p.Of[i] {
			if !slices.Contains(p.Windows, w) {
				p.Windows = append(p.Windows, w)
			}
		}
		if c.SmallestEffect > 0 {
			p.Smallest[i] = inference.Smallest{Effect: c.SmallestEffect, Relative: c.Relative}
		}
		if sign := c.Expect.Sign(); sign != 0 {
			p.Expected[i] = sign
		}
	}
	if q, ok := r.inquiryOf(); ok && q.Find != nil {
		p.Estimated = inquiry.StepArms()
	}
	p.Arms = []string{}
	for _, pair := range r.Compare {
		if pair.With == ControlArm {
			p.Arms = append(p.Arms, pair.Arm)
		} else {
			p.Pairs = append(p.Pairs, pair)
		}
	}
	return p, nil
}
