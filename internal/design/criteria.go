package design

import (
	"slices"

	"econ-mcp/sim"
)

// Expected is which way an outcome is expected to move, in the words of plans.
type Expected string

// The ways.
const (
	Higher Expected = "higher"
	Lower  Expected = "lower"
	Either Expected = "either"
)

// Enum lists them.
func (Expected) Enum() []string { return []string{string(Higher), string(Lower), string(Either)} }

// Sign is 1 of what is to rise, -1 of what is to fall, 0 of what may do either.
func (e Expected) Sign() int {
	switch e {
	case Higher:
		return 1
	case Lower:
		return -1
	}
	return 0
}

// ExpectedOf is the word for a sign: 1, -1 or 0.
func ExpectedOf(sign int) Expected {
	return map[int]Expected{1: Higher, -1: Lower, 0: Either}[sign]
}

// Criteria say before an experiment by what it will be judged; start_simulation takes them
// as its plan.
type Criteria struct {
	Outcomes  []string `json:"outcomes"`  // the first is that of the hypothesis
	Window    []int    `json:"window"`    // the first and the last month of the means
	Direction Expected `json:"direction"` // of the first outcome
}

// Criteria are those of a plan whose experiment has so many months after burn-in: the
// hypothesis decides, by the months in which the levers are in force.
func (p Reading) Criteria(months int) Criteria {
	primary, sign := p.Expectation()
	c := Criteria{Outcomes: []string{primary.String()}, Direction: ExpectedOf(sign)}
	for _, i := range p.Outcomes {
		if name := i.String(); !slices.Contains(c.Outcomes, name) {
			c.Outcomes = append(c.Outcomes, name)
		}
	}
	from, to := p.window(months)
	c.Window = []int{from, to}
	return c
}

// leastMonths is how many months at least must be left for levers that come later, or the
// second half of the simulation is looked at.
const leastMonths = 6

// shockMonths is how long a shock is watched where the question does not say.
const shockMonths = 24

// window is the range of months that a plan is judged by: the second half of the
// simulation, from when the levers are in force at the earliest; of levers that end, the
// months in which they are in force; of shocks, the two years after they strike.
func (p Reading) window(months int) (from, to int) {
	interventions, lasting := slices.Clone(p.base.Interventions), false
	for _, l := range p.Levers {
		interventions = append(interventions, l.interventions()...)
		lasting = lasting || l.Kind == KindParameter && l.StartMonth <= 1 && l.DurationMonths == 0 && l.RampMonths <= 1 && l.When == ""
	}
	lasting = lasting || len(interventions) == 0
	from, to = months/2+1, months
	begin, end := months, 0
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

// Length is how many months an experiment of the plan has where nobody says otherwise.
func (p Reading) Length() int { return max(p.Months, Months) }
