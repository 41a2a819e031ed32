package lab

import (
	"context"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// List gives stored experiments, newest first; see [store.Store.List].
func (l *Laboratory) List(ctx context.Context, f store.Filter) (list []store.Experiment, total int, next string, err error) {
	return l.Store.List(ctx, f)
}

// Series is a series of one indicator of an arm over its replications.
type Series struct {
	Experiment string
	Arm        string
	Metric     string
	Unit       string
	tables.Aggregated
}

// Series reads a metric of an arm, aggregated over replications as one of
// [tables.Aggregates].
func (l *Laboratory) Series(ctx context.Context, name, arm, metric, aggregate string, from, to, every int) (Series, error) {
	indicators, err := indicatorsOf("metric", []string{metric})
	if err != nil {
		return Series{}, err
	}
	x, err := l.excerpt(ctx, name, arm, from, to, every)
	if err != nil {
		return Series{}, err
	}
	columns := 3
	if aggregate == "all" {
		columns += x.Replications
	}
	if err := x.fit(columns); err != nil {
		return Series{}, err
	}
	p, err := l.paths(ctx, x, indicators)
	if err != nil {
		return Series{}, err
	}
	var replications [][]float64
	for r := range p.Single {
		replications = append(replications, p.Single[r][0])
	}
	out := Series{Experiment: name, Arm: p.Arm, Metric: metric, Unit: indicators[0].Info().Unit}
	out.Aggregated, err = tables.Aggregate(aggregate, p.Months, replications, tables.DefaultConfidence)
	return out, err
}

// Statistics are the monthly columns of a type of an arm: means over replications.
type Statistics struct {
	Arm     string
	Months  []int
	Columns []tables.Column
}

// Statistics reads one of [tables.StatTypes], of it the columns that are named, none meaning all.
func (l *Laboratory) Statistics(
	ctx context.Context, name, arm, statType string, columns []string, from, to, every int,
) (Statistics, error) {
	x, err := l.excerpt(ctx, name, arm, from, to, every)
	if err != nil {
		return Statistics{}, err
	}
	last, err := l.recordsOf(ctx, x.Experiment, x.arm, x.to)
	if err != nil {
		return Statistics{}, err
	}
	there, err := tables.MonthlyStatistics(statType, last) // as many as the month has
	if err != nil {
		return Statistics{}, err
	}
	if there, err = chosen(there, columns); err != nil {
		return Statistics{}, err
	}
	if err := x.fit(len(there)); err != nil {
		return Statistics{}, err
	}
	runs, err := l.records(ctx, x)
	if err != nil {
		return Statistics{}, err
	}
	out := Statistics{Arm: x.Arms[x.arm].Name}
	for _, r := range runs[0] {
		out.Months = append(out.Months, r.Month)
	}
	if out.Columns, err = tables.MonthlyStatistics(statType, runs...); err != nil {
		return out, err
	}
	if out.Columns, err = chosen(out.Columns, columns); err != nil {
		return out, err
	}
	return out, x.fewEnough(len(out.Columns)) // other months may have more
}

// chosen are the columns that are named, in the order of the table; all where none is.
func chosen(columns []tables.Column, names []string) ([]tables.Column, error) {
	if len(names) == 0 {
		return columns, nil
	}
	var there []string
	for _, c := range columns {
		there = append(there, c.Name)
	}
	for _, name := range names {
		if !slices.Contains(there, name) {
			return nil, fault.In("series", fault.Unknown(fault.NotFound, "series", name, there))
		}
	}
	return slices.DeleteFunc(columns, func(c tables.Column) bool { return !slices.Contains(names, c.Name) }), nil
}

// records are the months that all replications have, by replication.
func (l *Laboratory) records(ctx context.Context, x excerpt) ([][]sim.Record, error) {
	var runs [][]sim.Record
	for r := range x.Replications {
		records, err := l.Store.Records(ctx, x.Name, x.Arms[x.arm].Name, r+1, x.from, x.to, x.every)
		if err != nil {
			return nil, err
		}
		runs = append(runs, records)
	}
	least := len(runs[0])
	for _, records := range runs {
		least = min(least, len(records))
	}
	for r := range runs {
		runs[r] = runs[r][:least]
	}
	return runs, nil
}
