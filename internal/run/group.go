package run

import (
	"cmp"
	"fmt"
	"strconv"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Arm is one scenario of an experiment under the name that reports use.
type Arm struct {
	Name     string
	Scenario scenario.Scenario

	// For [Manager.Run] alone.
	Months int // at most those of the task; 0 = those
	Draws  int // 0 = those of the burn-in go on; else the months draw anew, from the [ReplicationSeed] of this number
}

// CheckArms refuses arms of an experiment of a number of months before anything
// is simulated: none, two of one name, and scenarios that cannot be simulated.
func CheckArms(arms []Arm, months int) error {
	if len(arms) == 0 {
		return fault.New(fault.InvalidState, "arms", "an experiment needs at least one arm")
	}
	named := make(map[string]bool)
	for _, arm := range arms {
		if named[arm.Name] {
			return fault.New(fault.Conflict, "arms", "two arms are named %q", arm.Name).WithHint("give each arm a name of its own")
		}
		named[arm.Name] = true
		if arm.Months < 0 || arm.Months > months {
			return fault.Range("months", strconv.Itoa(arm.Months), fmt.Sprintf("1 to %d, those of the experiment", months))
		}
		s := arm.Scenario
		if err := s.Params.Validate(); err != nil {
			return fmt.Errorf("arm %q: %w", arm.Name, err)
		}
		if err := sim.CheckInterventions(s.Interventions); err != nil {
			return fmt.Errorf("arm %q: %w", arm.Name, err)
		}
		for i, v := range s.Interventions {
			if err := checkFits(v, s.Params, cmp.Or(arm.Months, months)); err != nil {
				return fmt.Errorf("arm %q, intervention %d: %w", arm.Name, i+1, err)
			}
		}
		if err := s.BurnIn.Validate(); err != nil {
			return fmt.Errorf("arm %q, burn-in: %w", arm.Name, err)
		}
		if fixed := sim.DiffNotLive(s.BurnIn, s.Params); len(fixed) > 0 {
			return fault.New(
				fault.Conflict, fixed[0], "arm %q: %s cannot change at the end of burn-in; give burn-in the same value", arm.Name, fixed[0],
			)
		}
	}
	return nil
}

// checkFits refuses an intervention, correct in itself, that would do nothing in an
// experiment of a number of months with parameters p.
func checkFits(v sim.Intervention, p sim.Params, months int) error {
	if err := v.CheckFits(p); err != nil {
		return err
	}
	if v.TargetMonth > months {
		return fault.Range("target_month", strconv.Itoa(v.TargetMonth), fmt.Sprintf("1 to %d, the last month of the experiment", months))
	}
	return nil
}

// Group is a set of arms that start from the same burnt-in state.
type Group struct {
	BurnIn scenario.Scenario
	Arms   []int
	Apart  []string // parameters, not live, in which they differ from the control
}

// Groups puts the arms that can share a burnt-in state together: that of the
// first, the control, for those that differ from it in live parameters only,
// whatever burn-in their own scenario asks for.
func Groups(arms []Arm) []Group {
	control := arms[0].Scenario
	list := []Group{{BurnIn: control}}
	apart := make(map[string]int) // burn-in key -> group
	for i, arm := range arms {
		differ := sim.DiffNotLive(control.BurnIn, arm.Scenario.Params)
		if len(differ) == 0 {
			list[0].Arms = append(list[0].Arms, i)
			continue
		}
		key := arm.Scenario.BurnInKey(0)
		if _, ok := apart[key]; !ok {
			apart[key] = len(list)
			list = append(list, Group{BurnIn: arm.Scenario, Apart: differ})
		}
		g := &list[apart[key]]
		g.Arms = append(g.Arms, i)
	}
	return list
}

// Simulated is the scenario that an arm of the group is simulated with: its own
// after the burn-in of the group.
func (g Group) Simulated(s scenario.Scenario) scenario.Scenario {
	s.BurnIn = g.BurnIn.BurnIn
	s.Params.BurnInMonths = s.BurnIn.BurnInMonths
	return s
}
