package lab

import (
	"context"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Place is a month of an arm of an experiment.
type Place struct {
	Experiment   string
	Arm          string
	Month        int
	Replications int
	Partial      bool // only what the record of the month holds: other numbers are NaN
}

// Households is the table of households of a month (0 = the latest) of an arm, with a
// row per group of by, see [tables.HouseholdTable]. "" is all households, whose row is
// that of the record, so that it says the same as the indicators and monthly statistics.
func (l *Laboratory) Households(
	ctx context.Context, name, arm string, month int, by string,
) (Place, []tables.HouseholdGroup[tables.Estimate], error) {
	place, list, err := tablesOf(ctx, l, name, arm, month, source[tables.HouseholdGroup[stats.Number]]{
		ofRecord: func(r *sim.Record, _ sim.Params) ([]tables.HouseholdGroup[stats.Number], error) {
			return tables.HouseholdsOfRecord(r, by)
		},
		ofEconomy: func(e *sim.Economy) ([]tables.HouseholdGroup[stats.Number], error) {
			return tables.HouseholdTable(e, by)
		},
		kept:  func(s tableSet) []tables.HouseholdGroup[stats.Number] { return s.Households[by] },
		whole: by == "",
	})
	if err != nil {
		return place, nil, err
	}
	return place, tables.CombineHouseholds(list, tables.DefaultConfidence), nil
}

// Firms is the table of firms of a month (0 = the latest) of an arm, with a row per
// group of by, "" for all firms; see [tables.FirmTable].
func (l *Laboratory) Firms(
	ctx context.Context, name, arm string, month int, by string,
) (Place, []tables.FirmGroup[tables.Estimate], error) {
	place, list, err := tablesOf(ctx, l, name, arm, month, source[tables.FirmGroup[stats.Number]]{
		ofRecord: func(r *sim.Record, p sim.Params) ([]tables.FirmGroup[stats.Number], error) {
			return tables.FirmsOfRecord(r, p, by)
		},
		ofEconomy: func(e *sim.Economy) ([]tables.FirmGroup[stats.Number], error) { return tables.FirmTable(e, by) },
		kept:      func(s tableSet) []tables.FirmGroup[stats.Number] { return s.Firms[by] },
	})
	if err != nil {
		return place, nil, err
	}
	return place, tables.CombineFirms(list, tables.DefaultConfidence), nil
}

// source says how a table comes about: from an economy, from what was kept at the end of
// an experiment, or, with less in it, from the record of a month.
type source[T any] struct {
	ofRecord  func(*sim.Record, sim.Params) ([]T, error)
	ofEconomy func(*sim.Economy) ([]T, error)
	kept      func(tableSet) []T
	whole     bool // the record has all of it
}

// tablesOf makes one table per replication from the first of these that there is: the
// economy in memory, what was kept, the economy simulated again, if that takes no
// longer than mostReplayed, and what the record holds.
func tablesOf[T any](ctx context.Context, l *Laboratory, name, arm string, month int, from source[T]) (Place, [][]T, error) {
	x, i, err := l.found(ctx, name, arm)
	if err != nil {
		return Place{}, nil, err
	}
	place := Place{Experiment: name, Arm: x.Arms[i].Name, Replications: x.Replications}
	list := make([][]T, x.Replications)
	each := func(replication int, e *sim.Economy) (err error) {
		list[replication], err = from.ofEconomy(e)
		return err
	}
	if !from.whole {
		if place.Month, err = l.inMemory(ctx, name, i, month, each); place.Month > 0 || err != nil {
			return place, list, err
		}
	}
	if month, err = monthOf(x, month); err != nil {
		return place, nil, err
	}
	place.Month = month
	l.look(ctx, name)
	s, err := scenarioOf(x, i)
	if err != nil {
		return place, nil, err
	}
	tooLong := error(nil)
	if !from.whole {
		if kept, err := keptTables(ctx, l, x, i, month, from.kept); err != nil || kept != nil {
			return place, kept, err
		}
		at, open, err := l.replayable(ctx, x, i, s, month)
		if err == nil {
			return place, list, l.replayed(ctx, x, i, s, month, at, open, each)
		}
		tooLong, place.Partial = err, true
	}
	records, err := l.recordsOf(ctx, x, i, month)
	if err != nil {
		return place, nil, err
	}
	for r := range records {
		// it has nothing of this
		if list[r], err = from.ofRecord(&records[r], s.Params); fault.KindOf(err) == fault.InvalidState && tooLong != nil {
			return place, nil, tooLong
		}
		if err != nil {
			return place, nil, err
		}
	}
	return place, list, nil
}

// inMemory looks at the economies of an arm if they are in memory at the end of a month, 0
// for whichever they are in, and returns that month, 0 if they are not.
func (l *Laboratory) inMemory(
	ctx context.Context, name string, arm, month int, look func(replication int, e *sim.Economy) error,
) (at int, err error) {
	if live, ok := l.liveHere(name); !ok || month > 0 && live.Month != month {
		return 0, nil
	}
	another := errors.New("another month")
	_, err = l.Runs.With(ctx, name, func(a, replication int, e *sim.Economy) error {
		switch {
		case a != arm:
			return nil
		case month > 0 && e.Month() != month: // it went on meanwhile
			return another
		}
		at = e.Month()
		return look(replication, e)
	})
	switch kind := fault.KindOf(err); {
	case errors.Is(err, another), kind == fault.InvalidState, kind == fault.NotFound: // it ended meanwhile
		return 0, nil
	}
	return at, err
}

// mostReplayed bounds what a question may simulate again, in household-months of burn-in
// and after: some ten seconds of one thread.
const mostReplayed = 15e6

// opener opens the checkpoint of a run.
type opener func(arm string, replication int) (io.ReadCloser, error)

// replayable says from which month the runs of an arm can be simulated again up to a
// month, 0 for their start, or why that is not done.
func (l *Laboratory) replayable(
	ctx context.Context, x store.Experiment, arm int, s scenario.Scenario, month int,
) (at int, open opener, err error) {
	if err := ofThisModel(x, month, "leave out by"); err != nil {
		return 0, nil, err
	}
	at, open, err = l.Store.Checkpoint(ctx, x.Name)
	if err != nil || at >= month {
		at = 0
	}
	months := 0
	for r := range x.Replications {
		if at > 0 {
			if file, err := open(x.Arms[arm].Name, r); err == nil { // else it ended before others were added
				file.Close()
				months += month - at
				continue
			}
		}
		months += month
		if !l.Cache.Has(s, run.ReplicationSeed(x.Seed, r)) {
			months += s.BurnIn.BurnInMonths
		}
	}
	if float64(x.Households)*float64(months) > mostReplayed {
		e := fault.New(
			fault.LimitExceeded, "month", "%d months of %d households would have to be simulated again for month %d of %s, which takes too long",
			months, x.Households, month, x.Arms[arm].Name,
		)
		e.Hint = fmt.Sprintf("ask for the latest month, %d, or leave out by", x.Month)
		return 0, nil, e
	}
	return at, open, nil
}

// ofThisModel refuses an experiment that this program cannot simulate again, with the next move.
func ofThisModel(x store.Experiment, month int, hint string) error {
	if x.ModelVersion == sim.ModelVersion {
		return nil
	}
	return fault.New(
		fault.InvalidState, "month", "%s was simulated by model version %s, this is %s, which cannot simulate month %d again", x.Name,
		x.ModelVersion, sim.ModelVersion, month,
	).WithHint(hint)
}

// replayed looks at the economies of an arm at the end of a month, simulated again from
// the checkpoint of the month at, 0 for the start.
func (l *Laboratory) replayed(
	ctx context.Context, x store.Experiment, arm int, s scenario.Scenario, month, at int, open opener,
	look func(replication int, e *sim.Economy) error,
) error {
	tasks, ctx := errgroup.WithContext(ctx)
	tasks.SetLimit(l.Runs.Threads)
	replay := func(r int) error {
		var from io.Reader
		if at > 0 {
			if file, err := open(x.Arms[arm].Name, r); err == nil {
				defer file.Close()
				from = file
			}
		}
		return l.Runs.Replay(ctx, s, run.ReplicationSeed(x.Seed, r), month, from, func(e *sim.Economy) error { return look(r, e) })
	}
	for r := range x.Replications {
		tasks.Go(func() error { return replay(r) })
	}
	return tasks.Wait()
}
