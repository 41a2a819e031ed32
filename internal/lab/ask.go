package lab

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/design"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// What a question gets where nothing else is said.
const (
	AskHouseholds   = 3000
	AskReplications = 20
	AskMonths       = 60
)

// leastMonths is how many months at least must be left for levers that come later, or the
// second half of the simulation is looked at.
const leastMonths = 6

// shockMonths is how long a shock is watched where the question does not say.
const shockMonths = 24

// Inquiry is a question that an experiment is to answer.
type Inquiry struct {
	Question     string
	Base         string       // preset or config that it is about; "" = the baseline
	Language     string       // [analysis.English] or [analysis.Chinese]; "" = that of the question
	Households   int          // 0 = AskHouseholds
	Months       int          // 0 = as far as the question looks ahead, at least AskMonths
	Replications Replications // of each arm; 0 = AskReplications
	Seed         *uint64
	Principal    string
	Perturbation *Perturbation // of both arms; nil = none

	// Of replications that are [Auto]: as in [Plan].
	HalfWidth       *float64
	MaxReplications *int
}

// Proposal is how a question is to be answered: all is decided and nothing is simulated.
type Proposal struct {
	Plan             design.Plan // in the language of the answer
	Registration     Registration
	Hash             string  // SHA-256 of the registration as it is stored, in hexadecimal digits
	EstimatedSeconds float64 // on an idle machine without burnt-in states
	order            Order
}

// Registration says before an experiment what is done and what it is judged by. It is
// stored with the experiment; it holds what [Plan] does and the design.
type Registration struct {
	Plan
	Question     string              `json:"question"`
	Language     string              `json:"language"`
	Type         design.Type         `json:"question_type"`
	Hypothesis   string              `json:"hypothesis"`
	Expected     Expected            `json:"expected"`
	Levers       []RegisteredLever   `json:"levers"`
	BothArms     []RegisteredSetting `json:"both_arms,omitempty"` // set in control and treatment
	Unmapped     []string            `json:"unmapped,omitempty"`
	Arms         []RegisteredArm     `json:"arms"`
	Change       string              `json:"change"` // the levers in words
	ChangeZH     string              `json:"change_zh"`
	Households   int                 `json:"households"`
	Months       int                 `json:"months"`
	BurnIn       int                 `json:"burn_in_months"`
	Replications int                 `json:"replications"` // at first, where the plan adds to them
	Seed         uint64              `json:"seed"`
	Confidence   float64             `json:"confidence"`
	ModelVersion string              `json:"model_version"`
	Perturbation *Perturbation       `json:"perturbation,omitempty"` // of both arms, to try a verdict
}

// ChangeIn says the levers in a language.
func (r Registration) ChangeIn(language string) string {
	if language == analysis.Chinese {
		return r.ChangeZH
	}
	return r.Change
}

// HypothesisIn is the hypothesis in a language.
func (r Registration) HypothesisIn(language string) string {
	outcome, _ := sim.IndicatorByName(r.Expected.Outcome)
	return analysis.Hypothesis(r.ChangeIn(language), outcome, r.Expected.Sign, language)
}

// Expected is the outcome that the hypothesis is about.
type Expected struct {
	Outcome string `json:"outcome"`
	Sign    int    `json:"sign"` // 1 = the treatment raises it, -1 = it lowers it, 0 = either
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

// RegisteredArm is an arm by the hash of its scenario.
type RegisteredArm struct {
	Name string `json:"name"`
	Hash string `json:"scenario_hash"`
}

// NoExperiment says why no experiment follows from a question, and what may be asked
// instead. It is a [fault.InvalidState] or what was wrong with the question.
type NoExperiment struct {
	Plan    design.Plan // without levers; the zero value where the question could not be read
	Foreign string      // the language of the question, where that is why
	Cause   *fault.Error
}

// Error implements the error interface.
func (e *NoExperiment) Error() string { return e.Cause.Error() }

// Unwrap gives the cause.
func (e *NoExperiment) Unwrap() error { return e.Cause }

// Propose reads a question and decides how it is answered. A question from which no
// experiment follows is a [NoExperiment].
func (l *Laboratory) Propose(q Inquiry) (Proposal, error) {
	if !design.Fits(q.Question) { // before it is looked at letter by letter
		_, err := design.Read(q.Question, scenario.Scenario{})
		return Proposal{}, noExperiment(design.Plan{}, "", err)
	}
	if language := design.Foreign(q.Question); language != "" {
		e := fault.New(fault.WrongType, "question", "the question seems to be in %s; questions are read in English and Chinese", language)
		e.Hint = `ask in English or Chinese, such as "What happens if VAT rises from 8% to 15%?"`
		return Proposal{}, noExperiment(design.Plan{}, language, e)
	}
	base, err := l.Scenarios.Scenario(cmp.Or(q.Base, design.Baseline))
	if err != nil {
		return Proposal{}, err
	}
	base.Name = cmp.Or(base.Name, q.Base, design.Baseline)
	for _, p := range []*sim.Params{&base.Params, &base.BurnIn} {
		if err := p.Set("num_households", cmp.Or(q.Households, AskHouseholds)); err != nil {
			return Proposal{}, err
		}
	}
	if err := q.Perturbation.apply(&base.Params, &base.BurnIn); err != nil {
		return Proposal{}, err
	}
	plan, err := design.Read(q.Question, base)
	if err != nil {
		return Proposal{}, noExperiment(plan, "", err)
	}
	if q.Language != "" {
		plan = plan.In(q.Language == analysis.Chinese)
	}
	control, treatment, err := plan.Arms()
	if err != nil {
		if len(plan.Levers) == 0 {
			err = noExperiment(plan, "", err)
		}
		return Proposal{}, err
	}
	p := Proposal{Plan: plan, order: Order{
		Name: plan.Name, Rename: true, Scenario: treatment, Against: &control, Replications: cmp.Or(q.Replications, AskReplications),
		Plan: &Plan{HalfWidth: q.HalfWidth, MaxReplications: q.MaxReplications},
		Seed: q.Seed, Months: cmp.Or(q.Months, max(plan.Months, AskMonths)), Question: plan.Question, Principal: q.Principal,
	}}
	if p.Registration.Perturbation = q.Perturbation; q.Perturbation != nil {
		p.order.Name += "-" + q.Perturbation.Parameter
	}
	return p, l.register(&p)
}

func noExperiment(plan design.Plan, language string, err error) error {
	cause, ok := err.(*fault.Error)
	if !ok {
		return err
	}
	return &NoExperiment{plan, language, cause}
}

// register writes down what is going to be done and how it is judged.
func (l *Laboratory) register(p *Proposal) error {
	o := p.order // which ordering it fills in
	x, err := l.ordered(&o)
	if err != nil {
		return err
	}
	plan := p.Plan
	treatment := x.Arms[len(x.Arms)-1].Scenario
	from, to := windowFor(plan, treatment.Interventions, x.Months)
	r := Registration{
		Plan:     Plan{Window: []int{from, to}, Family: "all outcomes of the plan (Holm)", HalfWidth: o.Plan.HalfWidth, MaxReplications: o.Plan.MaxReplications},
		Question: plan.Question, Language: analysis.English, Type: plan.Type, Perturbation: p.Registration.Perturbation,
		Unmapped: plan.Missing(), Change: plan.In(false).Change(), ChangeZH: plan.In(true).Change(), Households: treatment.Params.NumHouseholds, Months: x.Months,
		BurnIn: treatment.BurnIn.BurnInMonths, Replications: x.Replications, Seed: x.Seed, Confidence: x.Confidence, ModelVersion: sim.ModelVersion,
	}
	if plan.Chinese {
		r.Language = analysis.Chinese
	}
	outcome, sign := plan.Expectation()
	r.Expected = Expected{outcome.String(), sign}
	r.Hypothesis = r.HypothesisIn(r.Language)
	for _, i := range append(slices.Clip(plan.Outcomes), outcome) {
		if name := i.String(); !slices.Contains(r.Outcomes, name) {
			r.Outcomes = append(r.Outcomes, name)
		}
	}
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
	for _, arm := range x.Arms {
		r.Arms = append(r.Arms, RegisteredArm{arm.Name, arm.Scenario.Hash()})
	}
	p.Registration, p.EstimatedSeconds = r, x.estimate()
	p.order.Plan = &p.Registration.Plan
	p.order.Record, err = canonical(r)
	p.Hash = hashOf(p.order.Record)
	return err
}

// windowFor is the range of months that a plan is judged by: the second half of the
// simulation, from when the levers are in force at the earliest; of levers that end, the
// months in which they are in force; of shocks, the two years after they strike.
func windowFor(plan design.Plan, interventions []sim.Intervention, months int) (from, to int) {
	from, to = months/2+1, months
	begin, end, lasting := months, 0, len(interventions) == 0
	for _, v := range plan.Levers {
		lasting = lasting || v.Kind == design.KindParameter && v.StartMonth <= 1 && v.DurationMonths == 0 && v.RampMonths <= 1 && v.When == ""
	}
	for _, v := range interventions {
		if v.When != "" {
			lasting = true
			continue
		}
		inForce := v.TargetMonth + max(0, v.RampMonths-1)
		begin = min(begin, inForce)
		switch {
		case v.DurationMonths > 0:
			end = max(end, v.TargetMonth+v.DurationMonths-1)
		case v.Type == sim.TypeShock:
			end = max(end, v.TargetMonth+shockMonths-1)
		default:
			lasting = true
			if inForce <= months-leastMonths {
				from = max(from, inForce)
			}
		}
	}
	if lasting || begin > months {
		return from, to
	}
	return begin, min(max(begin, end), months)
}

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

func hashOf(plan json.RawMessage) string {
	sum := sha256.Sum256(plan)
	return hex.EncodeToString(sum[:])
}

// PlanHash is the hash of what was stored as the plan of an experiment before it began;
// "" without a plan.
func PlanHash(plan json.RawMessage) string {
	if text := string(plan); text == "" || text == "null" {
		return ""
	}
	return hashOf(plan)
}

// Ask starts the experiment of a proposal and captures it, with its question and its
// hypothesis. It has the plan's name, or that with a suffix where it was asked before.
func (l *Laboratory) Ask(p Proposal) (Started, error) {
	started, err := l.Start(p.order)
	if err != nil {
		return started, err
	}
	question, hypothesis := p.Plan.Question, p.Registration.Hypothesis
	_, err = l.Capture(started.Name, Note{Status: "running", Question: &question, Hypothesis: &hypothesis, Tags: []string{string(p.Plan.Type), "ask"}})
	return started, err
}

// Concluded notes what became of the experiment of a question.
func (l *Laboratory) Concluded(name string, state run.State) error {
	status := "completed"
	if state != run.StateCompleted {
		status = "failed"
	}
	_, err := l.SetStatus(name, status)
	return err
}
