package store

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// Series are the paths of indicators in all replications of an arm.
type Series struct {
	Months []int
	Values [][][]float64 // replication, indicator, month; NaN = not defined or not there yet
}

const everything = math.MaxInt32

// armID finds an arm of an experiment by its name, and how many of its replications count.
func armID(tx querier, experiment, arm string) (id int64, replications int, err error) {
	x, err := experimentID(tx, experiment)
	if err != nil {
		return 0, 0, err
	}
	var names []string
	err = each(tx, "SELECT arm.id, arm.name, replications FROM arm JOIN experiment ON experiment.id = experiment WHERE experiment = ? "+
		"ORDER BY number", []any{x},
		func(scan func(...any) error) error {
			var number int64
			var name string
			var runs int
			err := scan(&number, &name, &runs)
			if name == arm {
				id, replications = number, runs
			}
			names = append(names, name)
			return err
		})
	if err == nil && id == 0 {
		err = fault.In("arm", fault.Unknown(fault.NotFound, "arm", arm, names))
	}
	return id, replications, err
}

// runsOf lists the numbers of an arm's first runs by replication.
func runsOf(tx querier, arm int64, replications int) ([]int64, error) {
	return column[int64](tx, "SELECT id FROM run WHERE arm = ? AND replication <= ? ORDER BY replication", arm, replications)
}

// Records returns the months of one run, from the month from (0 = 1) to the
// month to (0 = the last), each every-th (0 = 1). The replication counts from 1,
// as in the run's ID. Fields of records that were written by a program that did
// not have them are NaN, counts 0.
func (s *Store) Records(ctx context.Context, name, arm string, replication, from, to, every int) ([]sim.Record, error) {
	var records []sim.Record
	err := s.EachRecord(ctx, name, arm, replication, from, to, every, func(r *sim.Record) error {
		records = append(records, *r)
		return nil
	})
	return records, err
}

// EachRecord calls f with what [Store.Records] returns, one after the other; f must not
// keep the record.
func (s *Store) EachRecord(ctx context.Context, name, arm string, replication, from, to, every int, f func(r *sim.Record) error) error {
	from, to, every = max(from, 1), cmp.Or(to, everything), max(every, 1)
	newest := s.unwritten(name)
	return s.read(ctx, func(tx querier) error {
		id, replications, err := armID(tx, name, arm)
		if err != nil {
			return err
		}
		runs, err := runsOf(tx, id, replications)
		if err != nil {
			return err
		}
		if replication < 1 || replication > len(runs) {
			return fault.Range("replication", strconv.Itoa(replication), fmt.Sprintf("1 to %d", len(runs)))
		}
		return s.eachRecord(ctx, tx, &newest, runs[replication-1], from, to, every, f)
	})
}

// eachRecord calls f with the months of a run: first those on disk, then those that are not
// written yet.
func (s *Store) eachRecord(
	ctx context.Context, tx querier, newest *unwritten, run int64, from, to, every int, f func(r *sim.Record) error,
) error {
	last := 0
	err := each(tx, `SELECT layout, record FROM monthly WHERE run = ? AND month BETWEEN ? AND ? AND (month - ?) % ? = 0 ORDER BY month`,
		[]any{run, from, to, from, every}, func(scan func(...any) error) error {
			r, err := s.scanRecord(tx, scan)
			if err != nil {
				return err
			}
			last = r.Month
			return cmp.Or(f(&r), ctx.Err())
		})
	newest.each(run, last, from, to, every, func(r *sim.Record) {
		if err == nil {
			err = f(r)
		}
	})
	return err
}

// Month returns the records of one month of an arm, one per replication. It is empty
// where the month is not there yet, and shorter where only some runs have it.
func (s *Store) Month(ctx context.Context, name, arm string, month int) ([]sim.Record, error) {
	var records []sim.Record
	newest := s.unwritten(name)
	err := s.read(ctx, func(tx querier) error {
		id, replications, err := armID(tx, name, arm)
		if err != nil {
			return err
		}
		runs, err := runsOf(tx, id, replications)
		if err != nil {
			return err
		}
		for _, run := range runs {
			err := s.eachRecord(ctx, tx, &newest, run, month, month, 1, func(r *sim.Record) error {
				records = append(records, *r)
				return nil
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return records, err
}

// scanRecord reads a layout and a record.
func (s *Store) scanRecord(tx querier, scan func(...any) error) (sim.Record, error) {
	l, blob, err := s.scanBlob(tx, scan)
	if err != nil {
		return sim.Record{}, err
	}
	return l.decode(blob)
}

// scanBlob reads a layout and the blob of a record, which is valid until the next row.
func (s *Store) scanBlob(tx querier, scan func(...any) error) (l layout, blob sql.RawBytes, err error) {
	var number int64
	if err := scan(&number, &blob); err != nil {
		return l, nil, err
	}
	l, err = s.layoutOf(tx, number)
	return l, blob, err
}

// layoutOf reads a layout once.
func (s *Store) layoutOf(tx querier, number int64) (layout, error) {
	if known, ok := s.layouts.Load(number); ok {
		return known.(layout), nil
	}
	var names string
	if err := tx.QueryRow("SELECT fields FROM layout WHERE id = ?", number).Scan(&names); err != nil {
		return layout{}, err
	}
	l := newLayout(names)
	s.layouts.Store(number, l)
	return l, nil
}

// Series returns indicators of all replications of an arm, from the month from
// (0 = 1) to the month to (0 = the last that any replication has), each every-th
// (0 = 1). Breakdowns have no columns: they are worked out of the records.
func (s *Store) Series(ctx context.Context, name, arm string, indicators []sim.Indicator, from, to, every int) (Series, error) {
	from, to, every = max(from, 1), cmp.Or(to, everything), max(every, 1)
	columns := make([]string, 0, len(indicators)+2)
	columns = append(columns, "run.replication", "monthly.month")
	breakdowns := false
	for _, i := range indicators {
		if i.IsBreakdown() {
			breakdowns = true
		} else {
			columns = append(columns, "monthly."+i.String())
		}
	}
	stored := columns
	if breakdowns {
		stored = append(stored, "monthly.layout", "monthly.record")
	}
	var series Series
	newest := s.unwritten(name)
	err := s.read(ctx, func(tx querier) error {
		id, replications, err := armID(tx, name, arm)
		if err != nil {
			return err
		}
		var last int
		if err := tx.QueryRow("SELECT coalesce(max(month), 0) FROM run WHERE arm = ? AND replication <= ?", id,
			replications).Scan(&last); err != nil {
			return err
		}
		runs, err := runsOf(tx, id, replications)
		if err != nil {
			return err
		}
		for _, run := range runs {
			newest.each(run, last, from, to, 1, func(r *sim.Record) { last = r.Month })
		}
		series = newSeries(replications, len(indicators), from, min(to, last), every)
		for k, run := range runs {
			newest.each(run, 0, from, to, every, func(r *sim.Record) {
				for i, indicator := range indicators {
					series.Values[k][i][(r.Month-from)/every] = r.Value(indicator)
				}
			})
		}

		var replication, month int
		var written int64
		var blob sql.RawBytes
		values := make([]sql.NullFloat64, len(columns)-2)
		row := []any{&replication, &month}
		for i := range values {
			row = append(row, &values[i])
		}
		if breakdowns {
			row = append(row, &written, &blob)
		}
		return each(tx, "SELECT "+strings.Join(stored, ", ")+` FROM run JOIN monthly ON monthly.run = run.id
			WHERE run.arm = ? AND run.replication <= ? AND monthly.month BETWEEN ? AND ? AND (monthly.month - ?) % ? = 0`,
			[]any{id, replications, from, to, from, every}, func(scan func(...any) error) error {
				if err := scan(row...); err != nil {
					return err
				}
				var r sim.Record
				if breakdowns {
					l, err := s.layoutOf(tx, written)
					if err == nil {
						r, err = l.decode(blob)
					}
					if err != nil {
						return err
					}
				}
				column := 0
				for i, indicator := range indicators {
					at := &series.Values[replication-1][i][(month-from)/every]
					if indicator.IsBreakdown() {
						*at = r.Value(indicator)
						continue
					}
					if v := values[column]; v.Valid {
						*at = v.Float64
					}
					column++
				}
				return ctx.Err()
			})
	})
	return series, err
}

// newSeries makes paths of nothing but NaN.
func newSeries(replications, indicators, from, to, every int) Series {
	s := Series{Months: []int{}, Values: make([][][]float64, replications)}
	for month := from; month <= to; month += every {
		s.Months = append(s.Months, month)
	}
	for r := range s.Values {
		s.Values[r] = make([][]float64, indicators)
		for i := range s.Values[r] {
			s.Values[r][i] = slices.Repeat([]float64{math.NaN()}, len(s.Months))
		}
	}
	return s
}
