package lab

import (
	"cmp"
	"context"

	"econ-mcp/internal/design"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Inquiry is a question that an experiment is to answer.
type Inquiry struct {
	Question     string
	Base         string       // preset or config that it is about; "" = the baseline
	Language     string       // [report.English] or [report.Chinese]; "" = that of the question
	Households   int          // 0 = as in the base
	Months       int          // 0 = as far as the question looks ahead, at least [design.Months]
	Replications Replications // of each arm; 0 = [design.Replications]
	Seed         *uint64
	Principal    string
	Perturbation *Perturbation // of both arms; nil = none
	Tries        string        // hash of the plan whose verdict is tried by the perturbation; "" = none

	// Of replications that are [Auto]: as in [Plan].
	HalfWidth       *float64
	MaxReplications *int
}

// Proposal is how a question is to be answered: all is decided and nothing is simulated.
type Proposal struct {
	Plan             design.Reading // in the language of the answer
	Registration     Registration
	Hash             string  // SHA-256 of the registration as it is stored, in hexadecimal digits
	EstimatedSeconds float64 // on an idle machine without burnt-in states
	order            Order
}

// Inquiry is the proposal as an inquiry, which can be edited and asked.
func (p Proposal) Inquiry() inquiry.Inquiry {
	r := p.Registration
	d := inquiry.Design{
		Months: r.Months, Replications: r.Replications, Seed: r.Seed, BurnIn: r.BurnIn, Family: string(r.Family), Confidence: r.Confidence,
	}
	if r.auto() {
		d.Replications, d.HalfWidth, d.MaxReplications = inquiry.Auto, *r.HalfWidth, *r.MaxReplications
	}
	var more []inquiry.Setting
	if usual := sim.Defaults(); r.Households != usual.NumHouseholds {
		more = append(more, inquiry.Setting{Name: "num_households", Value: r.Households})
	}
	return p.Plan.Inquiry(d, more)
}

// ChangeIn says the levers in a language.
func (r Registration) ChangeIn(language string) string {
	if language == report.Chinese {
		return r.ChangeZH
	}
	return r.Change
}

// HypothesisIn is the hypothesis in a language.
func (r Registration) HypothesisIn(language string) string {
	name, sign := r.Expected()
	outcome, _ := sim.IndicatorByName(name)
	return report.Hypothesis(r.ChangeIn(language), outcome, sign, language)
}

// RegisteredLever is a lever as it is registered.
type RegisteredLever struct {
	Parameter string           `json:"parameter"`
	Kind      design.Kind      `json:"kind"`
	Direction design.Direction `json:"direction"`
	From      any              `json:"from"`
	Value     any              `json:"value"`
	Unit      string           `json:"unit,omitempty"`
	FromText  string           `json:"from_text,omitempty"`
	Assumed   bool             `json:"assumed"` // the size is a documented usual one, not the question's
	Why       string           `json:"why,omitempty"`
	Note      string           `json:"note,omitempty"`
	Industry  string           `json:"industry,omitempty"`
	Start     int              `json:"target_month"`
	Duration  int              `json:"duration_months,omitempty"`
	Ramp      int              `json:"ramp_months,omitempty"`
	When      string           `json:"when,omitempty"`
}

// RegisteredSetting is a parameter that both arms have.
type RegisteredSetting struct {
	Parameter string `json:"parameter"`
	Value     any    `json:"value"`
}

// NoExperiment says why no experiment follows from a question, and what may be asked
// instead. It is a [fault.InvalidState] or what was wrong with the question.
type NoExperiment struct {
	Plan  design.Reading // without levers; the zero value where the question could not be read
	Cause *fault.Error
}

// Error implements the error interface.
func (e *NoExperiment) Error() string { return e.Cause.Error() }

// Unwrap gives the cause.
func (e *NoExperiment) Unwrap() error { return e.Cause }

// Propose reads a question and decides how it is answered. A question from which no
// experiment follows is a [NoExperiment].
func (l *Laboratory) Propose(q Inquiry) (Proposal, error) {
	if err := design.Check(q.Question); err != nil {
		return Proposal{}, noExperiment(design.Reading{}, err)
	}
	base, err := l.Scenarios.Scenario(cmp.Or(q.Base, design.Baseline))
	if err != nil {
		return Proposal{}, err
	}
	base.Name = cmp.Or(base.Name, q.Base, design.Baseline)
	for _, p := range []*sim.Params{&base.Params, &base.BurnIn} {
		if err := p.Set("num_households", cmp.Or(q.Households, p.NumHouseholds)); err != nil {
			return Proposal{}, err
		}
	}
	if err := q.Perturbation.apply(&base.Params, &base.BurnIn); err != nil {
		return Proposal{}, err
	}
	plan, err := design.Read(q.Question, base)
	if err != nil {
		return Proposal{}, noExperiment(plan, err)
	}
	if q.Language != "" {
		plan = plan.In(q.Language == report.Chinese)
	}
	control, treatment, err := plan.Arms()
	if err != nil {
		if len(plan.Levers) == 0 {
			err = noExperiment(plan, err)
		}
		return Proposal{}, err
	}
	arms, err := Twins(treatment, control)
	if err != nil {
		return Proposal{}, err
	}
	p := Proposal{Plan: plan, order: Order{
		Name: plan.Name, Rename: true, Arms: arms, Replications: cmp.Or(q.Replications, design.Replications),
		Plan: &Plan{HalfWidth: q.HalfWidth, MaxReplications: q.MaxReplications},
		Seed: q.Seed, Months: cmp.Or(q.Months, plan.Length()), Question: plan.Question, Principal: q.Principal,
	}}
	p.Registration.Perturbation, p.Registration.Tries = q.Perturbation, q.Tries
	if q.Base != design.Baseline {
		p.Registration.Base = q.Base
	}
	if q.Perturbation != nil {
		p.order.Name += "-" + q.Perturbation.Parameter
	}
	return p, l.register(&p)
}

func noExperiment(plan design.Reading, err error) error {
	cause, ok := err.(*fault.Error)
	if !ok {
		return err
	}
	return &NoExperiment{plan, cause}
}

// register writes down what is going to be done and how it is judged.
func (l *Laboratory) register(p *Proposal) error {
	plan, o := p.Plan, p.order // whose months are filled in
	criteria := plan.Criteria(o.Months)
	judged := *o.Plan
	judged.Outcomes, judged.Window, judged.Direction = criteria.Outcomes, criteria.Window, criteria.Direction
	o.Plan = &judged
	x, r, err := l.ordered(&o)
	if err != nil {
		return err
	}
	r.Language, r.Type, r.Unmapped = report.English, plan.Type, plan.Missing()
	r.Base, r.Perturbation, r.Tries = p.Registration.Base, p.Registration.Perturbation, p.Registration.Tries
	if plan.Chinese {
		r.Language = report.Chinese
	}
	r.Change, r.ChangeZH = plan.In(false).Change(), plan.In(true).Change()
	r.Hypothesis = r.HypothesisIn(r.Language)
	for _, v := range plan.Levers {
		lever := RegisteredLever{
			v.Parameter, v.Kind, v.Direction, v.From, v.Value, v.Unit, v.FromText, v.Assumed, v.Why, v.Note, v.Industry,
			v.StartMonth, v.DurationMonths, v.RampMonths, v.When,
		}
		if !v.Assumed {
			lever.Why = ""
		}
		r.Levers = append(r.Levers, lever)
	}
	for _, c := range plan.Context {
		r.BothArms = append(r.BothArms, RegisteredSetting{c.Name, c.Value})
	}
	p.order.registration, p.Registration, p.EstimatedSeconds = &r, r, x.estimate()
	record, err := canonical(r)
	p.Hash = PlanHash(record)
	return err
}

// Ask starts the experiment of a proposal and captures it, with its question and its
// hypothesis. It has the plan's name, or that with a suffix where it was asked before.
func (l *Laboratory) Ask(ctx context.Context, p Proposal) (Started, error) {
	started, err := l.Start(ctx, p.order)
	if err != nil {
		return started, err
	}
	question, hypothesis := p.Plan.Question, p.Registration.Hypothesis
	tags := []string{string(p.Plan.Type), "ask"}
	if tries := p.Registration.Tries; tries != "" {
		tags = append(tags, robustTag(tries))
	}
	// Once it has started it is captured too, or it would run as an experiment of no question.
	_, err = l.capture(
		context.WithoutCancel(ctx), started.Name, Note{Status: "running", Question: &question, Hypothesis: &hypothesis, Tags: tags},
	)
	return started, err
}

// Concluded notes what became of the experiment of a question, also for a caller that was
// cancelled meanwhile.
func (l *Laboratory) Concluded(ctx context.Context, name string, state run.State) error {
	status := "completed"
	if state != run.StateCompleted {
		status = "failed"
	}
	_, err := l.Store.Update(context.WithoutCancel(ctx), name, store.Change{Status: status})
	return err
}
