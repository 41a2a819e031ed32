package lab

import (
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Names of the arms of a controlled experiment, and of the arm of one without a
// control.
const (
	ControlArm   = inquiry.ControlArm
	TreatmentArm = "treatment"
	OnlyArm      = "main"
)

// BurnInControl names, in the place of a scenario, the control that goes on as the
// treatment's burn-in was, with nothing planned.
const BurnInControl = inquiry.ControlBurnIn

// Continued is that control.
func Continued(treatment scenario.Scenario) scenario.Scenario {
	return scenario.Scenario{Name: BurnInControl, Params: treatment.BurnIn, BurnIn: treatment.BurnIn}
}

// Twins returns a control and a treatment as arms. Sizes, months, seed and technical
// parameters are shared, or the difference between them would be one of size or chance:
// the control takes them from the treatment. Where both have as many households, what else
// makes up their size, such as the households a firm, is what they are to differ in, and
// stays. That both are the same economy is [fault.Conflict].
func Twins(treatment, control scenario.Scenario) ([]Arm, error) {
	return twins(treatment, control, false)
}

// twins is Twins where both may be the same economy, if they come to differ by what is done on the way.
func twins(treatment, control scenario.Scenario, played bool) ([]Arm, error) {
	if err := shareSizes(treatment, &control); err != nil {
		return nil, err
	}
	for _, s := range []scenario.Scenario{treatment, control} {
		if err := s.Validate(); err != nil {
			return nil, err
		}
	}
	same := treatment
	same.BurnIn = control.BurnIn // both start from the control's burnt-in state
	if same.Hash() == control.Hash() && !played {
		return nil, fault.New(fault.Conflict, "control", "treatment and control %q are the same economy", control.Name).
			WithHint("set a parameter or plan an intervention first, or name another control; or give pause_at_month, to intervene then")
	}
	return []Arm{{Name: ControlArm, Scenario: control}, {Name: TreatmentArm, Scenario: treatment}}, nil
}

// spans are the sizes that are times and random draws: no two arms differ in them.
var spans = []string{"num_iterations", "burn_in_months", "random_state"}

func shareSizes(treatment scenario.Scenario, control *scenario.Scenario) error {
	sameSize := treatment.Params.NumHouseholds == control.Params.NumHouseholds
	for _, row := range sim.Catalogue() {
		switch {
		case row.Technical:
		case row.Category != "system_scale":
			continue
		case sameSize && !slices.Contains(spans, row.Name):
			continue
		}
		for _, p := range []*sim.Params{&control.Params, &control.BurnIn} {
			if err := p.Set(row.Name, row.Value(&treatment.Params)); err != nil {
				return err
			}
		}
	}
	return nil
}
