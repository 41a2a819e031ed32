package lab

import (
	"econ-mcp/internal/analysis"
	"econ-mcp/sim"
)

// Perturbation changes one behavioural parameter of both arms, from their burn-in on.
type Perturbation struct {
	Parameter string  `json:"parameter"`
	Factor    float64 `json:"factor"` // of the value in the base
}

// Perturbations are those under which a verdict is tried. Each is of a parameter that was
// calibrated rather than observed, by about as much as the literature leaves open.
var Perturbations = []Perturbation{
	{"consumption_habit", .8},            // to 0.59; macroeconomic estimates are about 0.6 on average: Havranek, Rusnak and Sokolova (2017)
	{"price_adjustment_probability", .6}, // prices hold six months rather than four, towards the eight to eleven of Nakamura and Steinsson (2008) without sales
	{"wage_adjustment_rate", 2},          // calibrated: twice as fast an answer to labour shortage
	{"propensity_to_consume_wealth", 1.25},
	{"supplier_search_rate", 2}, // nearer to the 0.25 of Lengnick (2013)
}

// apply perturbs the parameters of a scenario and of its burn-in.
func (p *Perturbation) apply(params ...*sim.Params) error {
	if p == nil {
		return nil
	}
	for _, at := range params {
		value, err := at.Get(p.Parameter)
		if err != nil {
			return err
		}
		x, _ := value.(float64) // all of Perturbations are
		if err := at.Set(p.Parameter, x*p.Factor); err != nil {
			return err
		}
	}
	return nil
}

// Robustness is the verdict under a perturbation beside the one without.
type Robustness struct {
	Perturbation
	ExperimentName string           `json:"experiment_name"`
	Verdict        analysis.Verdict `json:"verdict"`
	Outcome        string           `json:"outcome"` // of the hypothesis
	Difference     analysis.Number  `json:"difference"`
	CILow          analysis.Number  `json:"ci_low"`
	CIHigh         analysis.Number  `json:"ci_high"`
	Kept           bool             `json:"kept"` // the verdict
}

// Robust holds the answer under a perturbation against the one without.
func Robust(without, under Answer) Robustness {
	outcome, _ := under.Registration.Expected()
	r := Robustness{
		ExperimentName: under.Experiment.Name, Verdict: under.Answered.Verdict, Outcome: outcome,
		Kept: under.Answered.Verdict == without.Answered.Verdict,
	}
	if p := under.Registration.Perturbation; p != nil {
		r.Perturbation = *p
	}
	for _, row := range under.Analysis.Treatment {
		if row.Metric == r.Outcome {
			r.Difference, r.CILow, r.CIHigh = row.Difference, row.CILow, row.CIHigh
		}
	}
	return r
}
