package lab

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// Perturbation changes one thing of both arms, from their burn-in on: a parameter, or the economy that they are.
type Perturbation struct {
	Parameter string  `json:"parameter,omitempty"`
	Factor    float64 `json:"factor,omitempty"` // of the value in the base
	Preset    string  `json:"preset,omitempty"` // in the place of the baseline

	Posterior string `json:"posterior,omitempty"` // name of the draws of which it is one
	Draw      int    `json:"draw,omitempty"`      // its number, from 1
	Draws     int    `json:"draws,omitempty"`     // how many are tried of it; the same number is another set among others
	Set       string `json:"set,omitempty"`       // values of its parameters, as "name=value, name=value"
	Estimated string `json:"estimated,omitempty"` // scenario of the posterior, where the question is about another
}

// Structural says that it changes the size of the economy, or is another one.
func (p *Perturbation) Structural() bool { return p.Preset != "" || p.Parameter == sizeParameter }

const sizeParameter = "num_households"

// what it changes, as part of a name.
func (p *Perturbation) what() string {
	if p.Draw > 0 {
		return fmt.Sprintf("draw-%d", p.Draw)
	}
	return cmp.Or(p.Preset, p.Parameter)
}

// Text says what it changes.
func (p *Perturbation) Text() string {
	if p.Draw > 0 {
		return fmt.Sprintf("%s, draw %d: %s", p.Posterior, p.Draw, p.Set)
	}
	return report.PerturbationText(p.Parameter, p.Factor, p.Preset)
}

// Fits says whether an inquiry can be perturbed so: one whose background is no baseline has no other country.
func (p *Perturbation) Fits(q inquiry.Inquiry) bool {
	return p.Preset == "" || q.Background.Text == "" && (q.Background.Base == "" || q.Background.Base == "baseline")
}

// Perturbations are those under which a verdict is tried. The first are of parameters that were
// calibrated rather than observed, by about as much as the literature leaves open; the others of the structure: another size, and
// economies calibrated to countries.
var Perturbations = []Perturbation{
	{Parameter: "consumption_habit", Factor: .8}, // to 0.59; macroeconomic estimates are about 0.6 on average: Havranek, Rusnak and Sokolova (2017)
	// prices hold six months rather than four, towards the eight to eleven of Nakamura and Steinsson (2008)
	// without sales
	{Parameter: "price_adjustment_probability", Factor: .6},
	{Parameter: "wage_adjustment_rate", Factor: 2}, // calibrated: twice as fast an answer to labour shortage
	{Parameter: "propensity_to_consume_wealth", Factor: 1.25},
	{Parameter: "supplier_search_rate", Factor: 2}, // nearer to the 0.25 of Lengnick (2013)
	{Parameter: sizeParameter, Factor: 3},
	{Preset: "us_like"},
	{Preset: "de_like"},
	{Preset: "cn_like"},
}

// applied is an inquiry of which every arm is perturbed. One whose control is a scenario of its own
// cannot be: [fault.InvalidState].
func (p *Perturbation) applied(to Inquired) (inquiry.Inquiry, error) {
	q := to.Inquiry
	if q.Control != inquiry.ControlBackground || len(to.Scenarios) == 0 {
		return q, fault.New(fault.InvalidState, p.flag(), "the control is no part of the inquiry, so it cannot be perturbed").
			WithHint("ask with the background as control")
	}
	if p.Preset != "" {
		if q.Background.Base = p.Preset; !p.Fits(to.Inquiry) {
			return q, fault.New(fault.InvalidState, "--robust", "the background is no baseline, which another economy could take the place of")
		}
		return p.elsewhere(q, to.Scenarios[0].Scenario.Params)
	}
	if p.Draw > 0 {
		if err := DrawsFit(to, p.parameters()); err != nil {
			return q, err
		}
		return p.drawn(q)
	}
	value, err := to.Scenarios[0].Scenario.Params.Get(p.Parameter)
	if err != nil {
		return q, err
	}
	q.Background.Set = p.with(q.Background.Set, value)
	q.Arms = slices.Clone(q.Arms)
	for k, a := range q.Arms {
		if a.Base == "" && a.Text == "" {
			continue
		}
		for _, s := range to.Scenarios {
			if s.Name == a.Name {
				value, _ := s.Scenario.Params.Get(p.Parameter)
				q.Arms[k].Set = p.with(a.Set, value)
			}
		}
	}
	return q, nil
}

// elsewhere is an inquiry whose arms change parameters by as much as in the base, from what the preset has: VAT from 8 to 10 % is
// two points in a country that has 10.4 %, too.
func (p *Perturbation) elsewhere(q inquiry.Inquiry, base sim.Params) (inquiry.Inquiry, error) {
	other, err := presets.Load(p.Preset)
	if err != nil {
		return q, err
	}
	moved := func(name string, value any) any {
		to, isNumber := value.(float64)
		from, _ := base.Get(name)
		there, _ := other.Params.Get(name)
		row, err := sim.Lookup(name)
		if was, ok := from.(float64); isNumber && ok && err == nil {
			if is, ok := there.(float64); ok {
				return min(max(to+is-was, row.Min), row.Max)
			}
		}
		return value
	}
	q.Arms = slices.Clone(q.Arms)
	for k := range q.Arms {
		a := &q.Arms[k]
		if a.Base != "" || a.Text != "" {
			continue
		}
		a.Set, a.Events, a.Rules = slices.Clone(a.Set), slices.Clone(a.Events), slices.Clone(a.Rules)
		for i := range a.Set {
			a.Set[i].Value = moved(a.Set[i].Name, a.Set[i].Value)
		}
		for _, list := range [][]sim.Intervention{a.Events, a.Rules} {
			for i := range list {
				list[i].Parameters = slices.Clone(list[i].Parameters)
				for j := range list[i].Parameters {
					c := &list[i].Parameters[j]
					c.Value = moved(c.Name, c.Value)
				}
			}
		}
		if a.Doses != nil {
			d := *a.Doses
			d.Values = slices.Clone(d.Values)
			for i := range d.Values {
				d.Values[i] = moved(d.Parameter, d.Values[i])
			}
			a.Doses = &d
		}
	}
	return q, nil
}

// with are settings with the perturbed parameter, whose value without the perturbation is given.
func (p *Perturbation) with(set []inquiry.Setting, value any) []inquiry.Setting {
	others := slices.DeleteFunc(slices.Clone(set), func(s inquiry.Setting) bool { return s.Name == p.Parameter })
	switch x := value.(type) {
	case int:
		value = int(math.Round(float64(x) * p.Factor))
	case float64:
		value = x * p.Factor
	}
	return append(others, inquiry.Setting{Name: p.Parameter, Value: value})
}

// robustTag marks the experiments that try the verdict of a plan.
func robustTag(planHash string) string { return "robust:" + planHash[:16] }

// drawn is an inquiry whose arms have the parameters of a draw of a posterior, none of which it sets itself: see [DrawsFit].
func (p *Perturbation) drawn(q inquiry.Inquiry) (inquiry.Inquiry, error) {
	set := slices.Clone(q.Background.Set)
	arms := slices.Clone(q.Arms)
	for _, part := range strings.Split(p.Set, ", ") {
		name, text, _ := strings.Cut(part, "=")
		var params sim.Params
		if err := params.Set(name, text); err != nil {
			return q, err
		}
		value, err := params.Get(name)
		if err != nil {
			return q, err
		}
		setting := inquiry.Setting{Name: name, Value: value}
		set = append(set, setting)
		for k := range arms {
			if a := &arms[k]; a.Base != "" || a.Text != "" {
				a.Set = append(slices.Clone(a.Set), setting)
			}
		}
	}
	q.Background.Set, q.Arms = set, arms
	return q, nil
}

// tries are the completed experiments that tried the verdict of an experiment's plan, the
// newest of each perturbation, in the order of [Perturbations]. An experiment that was not made
// from a question, or tries another itself, has none.
func (l *Laboratory) tries(ctx context.Context, x store.Experiment) (list []store.Experiment, err error) {
	hash := PlanHash(x.Plan)
	if r, ok := RegistrationOf(x); !ok || !r.FromQuestion() || r.Tries != "" || hash == "" {
		return nil, nil
	}
	newest, draws := map[Perturbation]store.Experiment{}, []Perturbation{}
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
				if p := *r.Perturbation; p.Draw > 0 && (len(draws) == 0 || p.Posterior == draws[0].Posterior && p.Draws == draws[0].Draws) {
					draws = append(draws, p) // of the sample that was tried last: draws of two would count sets twice
				}
			}
		}
	}
	slices.SortFunc(draws, func(a, b Perturbation) int { return a.Draw - b.Draw })
	for _, p := range slices.Concat(draws, Perturbations) {
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
		p := r.Perturbation
		told := report.Robustness{
			Parameter: p.Parameter, Factor: p.Factor, Preset: p.Preset, Posterior: p.Posterior, Draw: p.Draw, Set: p.Set, Estimated: p.Estimated,
			Structure: p.Structural(), ExperimentName: try.experiment.Name, Outcome: outcome, Verdict: verdict(r, &under),
		}
		told.Kept = told.Verdict == verdict(first, without)
		for _, row := range under.Treatment {
			if row.Metric == outcome {
				told.Difference, told.CILow, told.CIHigh = row.Difference, row.CILow, row.CIHigh
				told.Percent, told.PercentLow, told.PercentHigh = row.Percent, row.PercentLow, row.PercentHigh
				break // of the first window, as the table of uncertainty has it
			}
		}
		list = append(list, told)
	}
	return list, nil
}
