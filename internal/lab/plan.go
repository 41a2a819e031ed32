package lab

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/question"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Plan says before a run by what it will be judged. What is left open is that of the
// standard plan: the main outcomes ([inference.Outcomes]) over the second half of the
// months, t tests, no direction, and the smallest effects that analysis documents.
type Plan struct {
	Outcomes       []string       `json:"outcomes,omitempty" max:"60" doc:"Indicators, the primary one first; default: the main ones"`
	Window         []int          `json:"window,omitempty" max:"2" doc:"First and last month; default: the second half"`
	SmallestEffect *float64       `json:"smallest_effect,omitempty" min:"0" doc:"Of interest, in the unit of the first outcome: less is equivalent to zero"`
	Family         inference.Test `json:"family,omitempty" doc:"Of tests; default t"`
	Direction      Expected       `json:"direction,omitempty" doc:"Expected of the first outcome"`

	// Of replications that are [Auto] only, which have both.
	HalfWidth       *float64 `json:"half_width,omitempty" min:"0.001" max:"0.5" doc:"For auto: of the first outcome's 95 % interval, relative to effect or mean, at which adding stops; default 0.1"`
	MaxReplications *int     `json:"max_replications,omitempty" min:"2" max:"10000" doc:"For replications auto; default 100"`
}

// completed is the plan of an experiment of so many months with all that was left open. A
// plan that cannot be kept is refused: an outcome that is no indicator, with the nearest
// names, is [fault.NotFound], everything else [fault.OutOfRange] or [fault.InvalidState].
func (p *Plan) completed(months int) (Plan, error) {
	var out Plan
	if p != nil {
		out = *p
	}
	primary := len(out.Outcomes) > 0 // was named
	outcomes := inference.Outcomes
	if primary {
		var err error
		if outcomes, err = indicatorsOf("plan.outcomes", out.Outcomes); err != nil {
			return out, err
		}
	}
	out.Outcomes = nil // not those of the caller
	for _, i := range outcomes {
		if name := i.String(); !slices.Contains(out.Outcomes, name) {
			out.Outcomes = append(out.Outcomes, name)
		}
	}
	_, err := inference.Choice{}.Over(out.Window)
	if err != nil || len(out.Window) > 0 && out.Window[1] > months {
		return out, fault.Range("plan.window", fmt.Sprint(out.Window), fmt.Sprintf("two months, first and last, within 1 to %d", months))
	}
	if len(out.Window) == 0 {
		out.Window = []int{months/2 + 1, months}
	}
	if x := out.SmallestEffect; x != nil && !(*x > 0) {
		return out, fault.Range("plan.smallest_effect", fmt.Sprint(*x), "above 0, in the unit of the first outcome").
			WithHint("leave it out for the usual one")
	}
	out.Family = cmp.Or(out.Family, inference.TestT)
	if choices := out.Family.Enum(); !slices.Contains(choices, string(out.Family)) {
		return out, fault.Range("plan.family", fmt.Sprintf("%q", out.Family), choices...)
	}
	out.Direction = cmp.Or(out.Direction, Either)
	if choices := out.Direction.Enum(); !slices.Contains(choices, string(out.Direction)) {
		return out, fault.Range("plan.direction", fmt.Sprintf("%q", out.Direction), choices...)
	}
	for _, about := range []struct {
		field string
		said  bool
	}{{"plan.smallest_effect", out.SmallestEffect != nil}, {"plan.direction", out.Direction != Either}} {
		if about.said && !primary {
			return out, fault.New(fault.InvalidState, about.field, "it is about the first outcome, and the plan names no outcomes").
				WithHint(`name it, such as "outcomes":["real_gdp"]`)
		}
	}
	return out, nil
}

// measurable refuses outcomes that an experiment with these arms cannot have.
func (p Plan) measurable(arms []Arm) error {
	outcomes, err := indicatorsOf("plan.outcomes", p.Outcomes)
	if err != nil {
		return err
	}
	if err := measurable(outcomes, len(arms)); err != nil {
		return fault.In("plan.outcomes", err)
	}
	for _, i := range outcomes {
		for _, arm := range arms {
			if i.NeedsDemography() && !arm.Scenario.Params.EnableDemography {
				return fault.New(fault.InvalidState, "plan.outcomes", "%s is of a group that arm %s does not have: it has no demography", i, arm.Name).
					WithHint("set enable_demography=true in all arms")
			}
		}
		needs, has := "", len(arms) == 0
		for _, arm := range arms {
			if !has {
				needs, has = i.In(arm.Scenario.Params, arm.Scenario.Interventions)
			}
		}
		if !has {
			return fault.New(fault.InvalidState, "plan.outcomes", "%s would always be the same: no arm has what moves it", i).
				WithHint("an arm needs " + needs)
		}
	}
	return nil
}

// Expected is the outcome that a completed plan is about, the primary one, and where it
// is expected: 1 = the treatment raises it, -1 = it lowers it, 0 = either.
func (p Plan) Expected() (outcome string, sign int) {
	if len(p.Outcomes) == 0 {
		return "", 0
	}
	return p.Outcomes[0], p.Direction.Sign()
}

// planned is a completed plan as comparisons know it.
func (p Plan) planned() (*inference.Planned, error) {
	outcomes, err := inference.ParseMetrics(p.Outcomes)
	if err != nil {
		return nil, err
	}
	c, err := inference.Choice{}.Over(p.Window)
	if err != nil {
		return nil, err
	}
	out := &inference.Planned{Outcomes: outcomes, Windows: c.Windows, Test: p.Family, Expected: map[sim.Indicator]int{}}
	if p.SmallestEffect != nil && len(outcomes) > 0 {
		out.Smallest = map[sim.Indicator]inference.Smallest{outcomes[0]: {Effect: *p.SmallestEffect}}
	}
	if sign := p.Direction.Sign(); sign != 0 && len(outcomes) > 0 {
		out.Expected[outcomes[0]] = sign
	}
	return out, nil
}

// RegisteredLever is a lever of a question as it was registered before questions became inquiries.
type RegisteredLever struct {
	Parameter string `json:"parameter"`
	Kind      string `json:"kind"`
	Direction string `json:"direction"`
	From      any    `json:"from"`
	Value     any    `json:"value"`
	Unit      string `json:"unit,omitempty"`
	FromText  string `json:"from_text,omitempty"`
	Assumed   bool   `json:"assumed"` // the size is a documented usual one, not the question's
	Why       string `json:"why,omitempty"`
	Note      string `json:"note,omitempty"`
	Industry  string `json:"industry,omitempty"`
	Start     int    `json:"target_month"`
	Duration  int    `json:"duration_months,omitempty"`
	Ramp      int    `json:"ramp_months,omitempty"`
	When      string `json:"when,omitempty"`
}

// RegisteredSetting is a parameter that both arms have.
type RegisteredSetting struct {
	Parameter string `json:"parameter"`
	Value     any    `json:"value"`
}

// Registration says before an experiment what is done and what it is judged by. It is
// stored with every experiment before its first month, as canonical JSON, under its hash.
// The members from Language on are those of a question that was read.
type Registration struct {
	Plan
	Question     string          `json:"question,omitempty"`
	Arms         []RegisteredArm `json:"arms"`
	Households   int             `json:"households"`
	Months       int             `json:"months"`
	BurnIn       int             `json:"burn_in_months"`
	Replications int             `json:"replications"` // at first, where the plan adds to them
	Seed         uint64          `json:"seed"`
	Confidence   float64         `json:"confidence"`
	ModelVersion string          `json:"model_version"`

	Language     string              `json:"language,omitempty"`
	Type         question.Type       `json:"question_type,omitempty"`
	Hypothesis   string              `json:"hypothesis,omitempty"`
	Levers       []RegisteredLever   `json:"levers,omitempty"`
	BothArms     []RegisteredSetting `json:"both_arms,omitempty"` // set in control and treatment
	Assumed      []string            `json:"assumed,omitempty"`   // what was not said and is taken
	Unmapped     []string            `json:"unmapped,omitempty"`  // what was said and is left out
	Change       string              `json:"change,omitempty"`    // the levers in words
	ChangeZH     string              `json:"change_zh,omitempty"`
	Base         string              `json:"base,omitempty"`         // preset or config; left out for the baseline
	Perturbation *Perturbation       `json:"perturbation,omitempty"` // of both arms
	Tries        string              `json:"tries,omitempty"`        // hash of the plan whose verdict the perturbation tries

	// Of an inquiry: its canonical form and hash, and how each outcome and pair of arms is judged.
	Inquiry     string           `json:"inquiry,omitempty"`
	InquiryHash string           `json:"inquiry_hash,omitempty"`
	Criteria    []Criterion      `json:"criteria,omitempty"`
	Compare     []inference.Pair `json:"compare,omitempty"`
}

// RegisteredArm is an arm by the hash of its scenario.
type RegisteredArm struct {
	Name string `json:"name"`
	Hash string `json:"scenario_hash"`
}

// registered is the registration of an order, of which x is the experiment.
func registered(x Experiment, o Order) (Registration, error) {
	plan, err := o.Plan.completed(x.Months)
	if err == nil {
		err = plan.measurable(x.Arms)
	}
	if err != nil {
		return Registration{}, err
	}
	treatment := x.Arms[len(x.Arms)-1].Scenario
	r := Registration{
		Plan: plan, Question: o.Question, Households: treatment.Params.NumHouseholds, Months: x.Months, BurnIn: treatment.BurnIn.BurnInMonths,
		Replications: x.Replications, Seed: x.Seed, Confidence: x.Confidence, ModelVersion: sim.ModelVersion,
	}
	for _, arm := range x.Arms {
		r.Arms = append(r.Arms, RegisteredArm{arm.Name, arm.Scenario.Hash()})
	}
	return r, nil
}

// RegistrationOf reads what was registered of an experiment; ok is false of one that has
// no plan, which no laboratory has started.
func RegistrationOf(x store.Experiment) (r Registration, ok bool) {
	if err := json.Unmarshal(x.Plan, &r); err != nil || len(r.Outcomes) == 0 || len(r.Window) != 2 {
		return Registration{}, false
	}
	if !slices.Contains(inference.Tests, r.Family) {
		r.readOld(x.Plan)
	}
	return r, true
}

// readOld reads what plans said before there were families of tests: t tests were the only
// ones, and the outcome of the hypothesis stood beside the others.
func (r *Registration) readOld(plan json.RawMessage) {
	var old struct {
		Expected struct {
			Outcome string `json:"outcome"`
			Sign    int    `json:"sign"`
		} `json:"expected"`
	}
	r.Family = inference.TestT
	if json.Unmarshal(plan, &old) != nil || old.Expected.Outcome == "" {
		return
	}
	first := old.Expected.Outcome
	r.Outcomes = append([]string{first}, slices.DeleteFunc(r.Outcomes, func(name string) bool { return name == first })...)
	r.Direction = expectedOf(old.Expected.Sign)
}

// FromQuestion says whether the experiment answers one claim, that of its hypothesis: one treatment against a
// control, from a question or an inquiry.
func (r Registration) FromQuestion() bool { return r.Change != "" }

// canonical is JSON with sorted members and without blanks, so that the same content has
// the same bytes.
func canonical(value any) (json.RawMessage, error) {
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var plain any
	if err := d.Decode(&plain); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(plain); err != nil {
		return nil, err
	}
	return bytes.TrimSpace(b.Bytes()), nil
}

// PlanHash is the hash (SHA-256, in hexadecimal digits) of what was stored as the plan of
// an experiment before it began; "" without a plan.
func PlanHash(plan json.RawMessage) string { return store.PlanHash(plan) }
