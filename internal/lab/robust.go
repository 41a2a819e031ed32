package lab

import (
	"context"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
)

// Perturbation changes one behavioural parameter of both arms, from their burn-in on.
type Perturbation struct {
	Parameter string  `json:"parameter"`
	Factor    float64 `json:"factor"` // of the value in the base
}

// Perturbations are those under which a verdict is tried. Each is of a parameter that was
// calibrated rather than observed, by about as much as the literature leaves open.
var Perturbations = []Perturbation{
	{"consumption_habit", .8}, // to 0.59; macroeconomic estimates are about 0.6 on average: Havranek, Rusnak and Sokolova (2017)
	// prices hold six months rather than four, towards the eight to eleven of Nakamura and Steinsson (2008)
	// without sales
	{"price_adjustment_probability", .6},
	{"wage_adjustment_rate", 2}, // calibrated: twice as fast an answer to labour shortage
	{"propensity_to_consume_wealth", 1.25},
	{"supplier_search_rate", 2}, // nearer to the 0.25 of Lengnick (2013)
}

// applied is an inquiry of which every arm is perturbed. One whose control is a scenario of its own
// cannot be: [fault.InvalidState].
func (p *Perturbation) applied(to Inquired) (inquiry.Inquiry, error) {
	q := to.Inquiry
	if q.Control != inquiry.ControlBackground || len(to.Scenarios) == 0 {
		return q, fault.New(fault.InvalidState, "--robust", "the control is no part of the inquiry, so it cannot be perturbed").
			WithHint("ask with the background as control")
	}
	value, err := to.Scenarios[0].Scenario.Params.Get(p.Parameter)
	if err != nil {
		return q, err
	}
	x, _ := value.(float64) // all of Perturbations are
	q.Background.Set = p.with(q.Background.Set, x)
	q.Arms = slices.Clone(q.Arms)
	for k, a := range q.Arms {
		if a.Base == "" && a.Text == "" {
			continue
		}
		for _, s := range to.Scenarios {
			if s.Name == a.Name {
				value, _ := s.Scenario.Params.Get(p.Parameter)
				x, _ := value.(float64)
				q.Arms[k].Set = p.with(a.Set, x)
			}
		}
	}
	return q, nil
}

// with are settings with the perturbed parameter, whose value without the perturbation is x.
func (p *Perturbation) with(set []inquiry.Setting, x float64) []inquiry.Setting {
	others := slices.DeleteFunc(slices.Clone(set), func(s inquiry.Setting) bool { return s.Name == p.Parameter })
	return append(others, inquiry.Setting{Name: p.Parameter, Value: x * p.Factor})
}

// robustTag marks the experiments that try the verdict of a plan.
func robustTag(planHash string) string { return "robust:" + planHash[:16] }

// tries are the completed experiments that tried the verdict of an experiment's plan, the
// newest of each perturbation, in the order of [Perturbations]. An experiment that was not made
// from a question, or tries another itself, has none.
func (l *Laboratory) tries(ctx context.Context, x store.Experiment) (list []store.Experiment, err error) {
	hash := PlanHash(x.Plan)
	if r, ok := RegistrationOf(x); !ok || !r.FromQuestion() || r.Tries != "" || hash == "" {
		return nil, nil
	}
	newest := map[Perturbation]store.Experiment{}
	filter := store.Filter{Tag: robustTag(hash), State: string(run.StateCompleted)}
	for more := true; more; more = filter.Cursor != "" {
		var some []store.Experiment
		if some, _, filter.Cursor, err = l.Store.List(ctx, filter); err != nil {
			return nil, err
		}
		for _, x := range some {
			r, ok := RegistrationOf(x)
			if !ok || r.Tries != hash || r.Perturbation == nil { // anyone may set a tag
				continue
			}
			if _, known := newest[*r.Perturbation]; !known {
				newest[*r.Perturbation] = x
			}
		}
	}
	for _, p := range Perturbations {
		if x, ok := newest[p]; ok {
			list = append(list, x)
		}
	}
	return list, nil
}

// robustness is what became of the verdict of the first experiment, by its analysis, in the
// others, which tried it. It notes what has then been asked of each of these.
func (l *Laboratory) robustness(
	ctx context.Context, without *inference.Analysis, rests []rest, by string,
) (list []report.Robustness, err error) {
	verdict := func(r Registration, a *inference.Analysis) inference.Verdict {
		return report.Answer(a, r.claim(report.English), report.English).Verdict
	}
	first, _ := RegistrationOf(rests[0].experiment)
	for k := range rests[1:] {
		try := &rests[k+1]
		_, under, err := l.analysed(ctx, try, by)
		if err != nil {
			return nil, err
		}
		r, _ := RegistrationOf(try.experiment)
		outcome, _ := r.Expected()
		told := report.Robustness{
			Parameter: r.Perturbation.Parameter, Factor: r.Perturbation.Factor, ExperimentName: try.experiment.Name, Outcome: outcome,
			Verdict: verdict(r, &under),
		}
		told.Kept = told.Verdict == verdict(first, without)
		for _, row := range under.Treatment {
			if row.Metric == outcome {
				told.Difference, told.CILow, told.CIHigh = row.Difference, row.CILow, row.CIHigh
			}
		}
		list = append(list, told)
	}
	return list, nil
}
