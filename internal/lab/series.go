package lab

import (
	"context"
	"math"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// controlGDP is the nominal GDP of a control, by the seed of the replication and by month: what
// amounts of other arms are measured on. It is nil where nothing is.
type controlGDP map[uint64][]float64

// gdpOf reads it of an arm, over all months, where one of the indicators is measured on it.
func (l *Laboratory) gdpOf(ctx context.Context, x store.Experiment, control int, indicators []sim.Indicator) (controlGDP, error) {
	if !onControl(indicators) {
		return nil, nil
	}
	gdp, err := l.Store.Series(ctx, x.Name, x.Arms[control].Name, []sim.Indicator{sim.NominalGDP}, 1, x.Month, 1)
	if err != nil {
		return nil, err
	}
	base := controlGDP{}
	for r := range gdp.Values {
		base[run.ReplicationSeed(x.Seed, r)] = gdp.Values[r][0]
	}
	return base, nil
}

// series reads indicators of an arm. Those on the control's GDP are NaN without a control and in
// replications whose seed it does not have.
func (l *Laboratory) series(ctx context.Context, x excerpt, indicators []sim.Indicator, base controlGDP) (store.Series, error) {
	stored := make([]sim.Indicator, len(indicators))
	for k, i := range indicators {
		stored[k] = i
		if numerator, ok := i.OnControlGDP(); ok {
			stored[k] = numerator
		}
	}
	s, err := l.Store.Series(ctx, x.Name, x.Arms[x.arm].Name, stored, x.from, x.to, x.every)
	if err != nil {
		return s, err
	}
	for k, i := range indicators {
		if _, ok := i.OnControlGDP(); !ok {
			continue
		}
		for r := range s.Values {
			gdp, known := base[run.ReplicationSeed(x.Seed, r)]
			for m, month := range s.Months {
				if !known || month > len(gdp) {
					s.Values[r][k][m] = math.NaN()
				} else {
					s.Values[r][k][m] /= gdp[month-1]
				}
			}
		}
	}
	return s, nil
}

// recorded refuses a breakdown that no replication has in any of the months.
func recorded(x store.Experiment, indicators []sim.Indicator, s store.Series) error {
	for k, i := range indicators {
		if !i.IsBreakdown() || len(s.Months) == 0 {
			continue
		}
		there := false
		for r := range s.Values {
			there = there || len(stats.Defined(s.Values[r][k])) > 0
		}
		if !there {
			return fault.New(fault.NotFound, "metric",
				"%s does not have %s: nobody was in the group, or the program that simulated it (%s) did not record it", x.Name, i,
				x.CodeVersion).WithHint("simulate it with this program: econ-mcp rerun, or start_simulation with its scenario")
		}
	}
	return nil
}

// onControl says whether one of the indicators is measured on the control's GDP.
func onControl(indicators []sim.Indicator) bool {
	for _, i := range indicators {
		if _, ok := i.OnControlGDP(); ok {
			return true
		}
	}
	return false
}

// measurable refuses what is measured on the control's GDP in an experiment without a control.
func measurable(indicators []sim.Indicator, arms int) error {
	for _, i := range indicators {
		if numerator, ok := i.OnControlGDP(); ok && arms < 2 {
			return fault.New(fault.InvalidState, "metric", "%s needs a control, and the experiment has one arm", i).
				WithHint("take " + numerator.String() + " or " + numerator.String() + "_to_gdp")
		}
	}
	return nil
}

// valueOf is an indicator of a replication in the month of the records.
func valueOf(i sim.Indicator, records, control []sim.Record, r int) float64 {
	if numerator, ok := i.OnControlGDP(); ok {
		if r >= len(control) {
			return math.NaN()
		}
		return records[r].Value(numerator) / control[r].Value(sim.NominalGDP)
	}
	return records[r].Value(i)
}
