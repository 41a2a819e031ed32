package lab

import (
	"context"
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Snapshot holds indicators of one month of an arm over its replications.
type Snapshot struct {
	Month        int
	Arm          string
	Replications int
	Values       []IndicatorValue
}

// IndicatorValue is one indicator of one month. Absent numbers are NaN. Replications that
// do not have it in the month are left out of mean, deviation and interval.
type IndicatorValue struct {
	Indicator sim.Indicator
	Value     float64        // of the replication that was asked for, else the mean
	SD        float64        // standard deviation over replications
	Mean      stats.Interval // with Student's 95 % interval over replications
}

// snapshotOf summarises the records of one month, one per replication; control are those of the
// control arm. replication counts from 1, 0 = none in particular.
func snapshotOf(arm string, records, control []sim.Record, indicators []sim.Indicator, replication int) Snapshot {
	s := Snapshot{Arm: arm, Replications: len(records)}
	if len(records) == 0 {
		return s
	}
	interval := stats.MeanIntervals(tables.DefaultConfidence)
	s.Month, s.Values = records[0].Month, make([]IndicatorValue, 0, len(indicators))
	for _, i := range indicators {
		values := make([]float64, 0, len(records))
		for r := range records {
			values = append(values, valueOf(i, records, control, r))
		}
		single := math.NaN()
		if replication > 0 {
			single = values[replication-1]
		}
		values = slices.DeleteFunc(values, math.IsNaN)
		v := IndicatorValue{Indicator: i, Value: single, Mean: interval(values), SD: math.NaN()}
		if len(values) > 1 {
			v.SD = stats.StdDev(values)
		}
		if replication == 0 {
			v.Value = v.Mean.Mean
		}
		s.Values = append(s.Values, v)
	}
	return s
}

// recordsOf reads the records of a month of an arm, one per replication.
func (l *Laboratory) recordsOf(ctx context.Context, x store.Experiment, arm, month int) ([]sim.Record, error) {
	if live, ok := l.known(x.Name); ok && live.Month == month && len(live.Latest) > arm && len(live.Latest[arm]) == x.Replications {
		return live.Latest[arm], nil
	}
	records, err := l.Store.Month(ctx, x.Name, x.Arms[arm].Name, month)
	records = records[:min(len(records), x.Replications)] // some may have come to count meanwhile
	if err == nil && len(records) != x.Replications {
		err = fmt.Errorf("month %d of %s/%s is stored of %d runs, not %d", month, x.Name, x.Arms[arm].Name, len(records), x.Replications)
	}
	return records, err
}

// Indicators returns indicators, none meaning all, of a month of an arm; month 0 is the
// latest, replication 0 the mean.
func (l *Laboratory) Indicators(ctx context.Context, name, arm string, month, replication int, names []string) (Snapshot, error) {
	indicators, err := indicatorsOf("indicators", names)
	if err != nil {
		return Snapshot{}, err
	}
	// What this process simulated last is at hand: agents ask for it all the time.
	if live, ok := l.known(name); ok && len(live.Latest) > 0 && (month == 0 || month == live.Month) {
		i, err := armIn(live.Arms, arm)
		if err != nil {
			return Snapshot{}, err
		}
		if err := hasReplication(replication, len(live.Latest[i])); err != nil {
			return Snapshot{}, err
		}
		if err := measurable(indicators, len(live.Arms)); err != nil {
			return Snapshot{}, fault.In("indicators", err)
		}
		l.look(ctx, name)
		return snapshotOf(live.Arms[i], live.Latest[i], live.Latest[0], indicators, replication), nil
	}
	x, i, err := l.found(ctx, name, arm)
	if err != nil {
		return Snapshot{}, err
	}
	if err := hasReplication(replication, x.Replications); err != nil {
		return Snapshot{}, err
	}
	if month, err = monthOf(x, month); err != nil {
		return Snapshot{}, err
	}
	if err := measurable(indicators, len(x.Arms)); err != nil {
		return Snapshot{}, fault.In("indicators", err)
	}
	l.look(ctx, name)
	records, err := l.recordsOf(ctx, x, i, month)
	if err != nil {
		return Snapshot{}, err
	}
	control, err := l.recordsOf(ctx, x, 0, month)
	if err != nil {
		return Snapshot{}, err
	}
	return snapshotOf(x.Arms[i].Name, records, control, indicators, replication), nil
}

// CheckIndicators refuses names in the argument indicators that are none, or none of an experiment.
func (l *Laboratory) CheckIndicators(ctx context.Context, name string, names []string) error {
	indicators, err := indicatorsOf("indicators", names)
	if err != nil {
		return err
	}
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return err
	}
	return measurable(indicators, len(x.Arms))
}

// Latest returns indicators of the latest month of every arm; none means the headline ones.
func (l *Laboratory) Latest(ctx context.Context, name string, names []string) (arms []Snapshot, err error) {
	indicators, err := indicatorsOf("indicators", names)
	if err != nil {
		return nil, err
	}
	l.look(ctx, name)
	if live, ok := l.known(name); ok && len(live.Latest) > 0 {
		for i, records := range live.Latest {
			arms = append(arms, snapshotOf(live.Arms[i], records, live.Latest[0], indicators, 0))
		}
		return arms, nil
	}
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return nil, err
	}
	if x.Month == 0 {
		return nil, noMonths(x)
	}
	var control []sim.Record
	for i := range x.Arms {
		records, err := l.recordsOf(ctx, x, i, x.Month)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			control = records
		}
		arms = append(arms, snapshotOf(x.Arms[i].Name, records, control, indicators, 0))
	}
	return arms, nil
}

// hasReplication refuses a replication that an experiment does not have; 0 = none in
// particular.
func hasReplication(replication, of int) error {
	if replication > of {
		return fault.Range("replication", fmt.Sprint(replication), fmt.Sprintf("1 to %d", of))
	}
	return nil
}

// Paths are monthly series of one arm, of the mean over the replications that have a
// number in the month.
type Paths struct {
	Arm        string
	Months     []int
	Indicators []sim.Indicator
	Values     [][]float64   // mean, by indicator and month; NaN = absent
	Single     [][][]float64 // by replication, indicator and month
}

// maxNumbers is the largest number of values in an answer; safeNumbers with all their
// digits are surely not longer than an answer may be.
const (
	maxNumbers  = 5000
	safeNumbers = 2500
)

// Paths returns indicators of an arm over months, every how many months; 0 = so many that they fit
// into an answer.
func (l *Laboratory) Paths(ctx context.Context, name, arm string, names []string, from, to, every int) (Paths, error) {
	indicators, err := indicatorsOf("indicators", names)
	if err != nil {
		return Paths{}, err
	}
	x, err := l.excerpt(ctx, name, arm, from, to, every)
	if err != nil {
		return Paths{}, err
	}
	if err := x.fit(len(indicators)); err != nil {
		return Paths{}, err
	}
	return l.paths(ctx, x, indicators)
}

func (l *Laboratory) paths(ctx context.Context, x excerpt, indicators []sim.Indicator) (Paths, error) {
	arm := x.Arms[x.arm].Name
	err := measurable(indicators, len(x.Arms))
	if err != nil {
		return Paths{}, err
	}
	base, err := l.gdpOf(ctx, x.Experiment, 0, indicators)
	if err != nil {
		return Paths{}, err
	}
	series, err := l.series(ctx, x, indicators, base)
	if err == nil {
		err = recorded(x.Experiment, indicators, series)
	}
	if err != nil {
		return Paths{}, err
	}
	series.Values = series.Values[:min(len(series.Values), x.Replications)] // some may have come to count meanwhile
	p := Paths{Arm: arm, Months: series.Months, Indicators: indicators, Single: series.Values}
	for i := range indicators {
		mean := make([]float64, len(series.Months))
		for m := range mean {
			var values []float64
			for r := range series.Values {
				values = append(values, series.Values[r][i][m])
			}
			mean[m] = stats.DefinedMean(values)
		}
		p.Values = append(p.Values, mean)
	}
	return p, nil
}

// fit chooses every how many months are read of so many series, where that is left open, and refuses
// more numbers than an answer may have.
func (x *excerpt) fit(series int) error {
	if x.every == 0 {
		x.every = x.fitting(series, 1)
	}
	return x.fewEnough(series)
}

// fitting is every how many months surely fit, at least every so many.
func (x excerpt) fitting(series, every int) int {
	for series*((x.to-x.from)/every+1) > safeNumbers && every <= x.to-x.from {
		every++
	}
	return every
}

// fewEnough refuses more numbers than an answer may have, with the step that fits.
func (x excerpt) fewEnough(series int) error {
	months := (x.to-x.from)/x.every + 1
	if series*months <= maxNumbers {
		return nil
	}
	fits := x.fitting(series, x.every)
	e := fault.New(
		fault.LimitExceeded, "every", "%d series of %d months are %d numbers, more than %d", series, months, series*months, maxNumbers,
	)
	e.Hint = fmt.Sprintf("set every to %d, ask for fewer series or months, or read all of it as a resource: timeseries.csv", fits)
	e.Allowed = []string{fmt.Sprint(fits)}
	return e
}
