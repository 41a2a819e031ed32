package lab

import (
	"context"
	"errors"
	"fmt"
	"io"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Place is a month of an arm of an experiment.
type Place struct {
	Experiment   string
	Arm          string
	Month        int
	Replications int
}

// Households is the table of households of a month (0 = the latest) of an arm, with a
// row per group of by, see [analysis.HouseholdTable]. "" is all households, whose row is
// that of the record, so that it says the same as the indicators and monthly statistics.
func (l *Laboratory) Households(ctx context.Context, name, arm string, month int, by string) (Place, []analysis.HouseholdGroup[analysis.Estimate], error) {
	place, tables, err := tables(ctx, l, name, arm, month, source[analysis.HouseholdGroup[analysis.Number]]{
		ofRecord: func(r *sim.Record, _ sim.Params) ([]analysis.HouseholdGroup[analysis.Number], error) {
			return analysis.HouseholdsOfRecord(r, by)
		},
		ofEconomy: func(e *sim.Economy) ([]analysis.HouseholdGroup[analysis.Number], error) {
			return analysis.HouseholdTable(e, by)
		},
		kept:  func(s tableSet) []analysis.HouseholdGroup[analysis.Number] { return s.Households[by] },
		whole: by == "",
	})
	if err != nil {
		return place, nil, err
	}
	return place, analysis.CombineHouseholds(tables, DefaultConfidence), nil
}

// Firms is the table of firms of a month (0 = the latest) of an arm, with a row per
// group of by, "" for all firms; see [analysis.FirmTable].
func (l *Laboratory) Firms(ctx context.Context, name, arm string, month int, by string) (Place, []analysis.FirmGroup[analysis.Estimate], error) {
	place, tables, err := tables(ctx, l, name, arm, month, source[analysis.FirmGroup[analysis.Number]]{
		ofRecord: func(r *sim.Record, p sim.Params) ([]analysis.FirmGroup[analysis.Number], error) {
			return analysis.FirmsOfRecord(r, p, by)
		},
		ofEconomy: func(e *sim.Economy) ([]analysis.FirmGroup[analysis.Number], error) { return analysis.FirmTable(e, by) },
		kept:      func(s tableSet) []analysis.FirmGroup[analysis.Number] { return s.Firms[by] },
	})
	if err != nil {
		return place, nil, err
	}
	return place, analysis.CombineFirms(tables, DefaultConfidence), nil
}

// source says how a table comes about: from an economy, from what was kept at the end of
// an experiment, or, with less in it, from the record of a month.
type source[T any] struct {
	ofRecord  func(*sim.Record, sim.Params) ([]T, error)
	ofEconomy func(*sim.Economy) ([]T, error)
	kept      func(tableSet) []T
	whole     bool // the record has all of it
}

// tables makes one table per replication from the first of these that there is: the
// economy in memory, what was kept, the record, the economy simulated again.
func tables[T any](ctx context.Context, l *Laboratory, name, arm string, month int, from source[T]) (Place, [][]T, error) {
	x, i, err := l.found(name, arm)
	if err != nil {
		return Place{}, nil, err
	}
	x.Month = l.lastMonth(x)
	if month, err = monthOf(x, month); err != nil {
		return Place{}, nil, err
	}
	place := Place{Experiment: name, Arm: x.Arms[i].Name, Month: month, Replications: x.Replications}
	list := make([][]T, x.Replications)
	each := func(replication int, e *sim.Economy) (err error) {
		list[replication], err = from.ofEconomy(e)
		return err
	}
	if !from.whole {
		if done, err := l.inMemory(ctx, name, i, month, each); done || err != nil {
			return place, list, err
		}
	}
	s, err := scenarioOf(x, i)
	if err != nil {
		return place, nil, err
	}
	records, err := l.recordsOf(x, i, month)
	if err != nil {
		return place, nil, err
	}
	for r := range records {
		set, ok, err := l.tablesOf(x, i, r, month)
		if err != nil {
			return place, nil, err
		}
		if ok && !from.whole {
			list[r] = from.kept(set)
			continue
		}
		if list[r], err = from.ofRecord(&records[r], s.Params); err != nil {
			if fault.KindOf(err) != fault.InvalidState {
				return place, nil, err
			}
			return place, list, l.replayed(ctx, x, i, s, month, each)
		}
	}
	return place, list, nil
}

// inMemory looks at the economies of an arm if they are in memory at the end of a month,
// and says whether they were.
func (l *Laboratory) inMemory(ctx context.Context, name string, arm, month int, look func(replication int, e *sim.Economy) error) (bool, error) {
	if live, ok := l.liveHere(name); !ok || live.Month != month {
		return false, nil
	}
	another := errors.New("another month")
	_, err := l.Runs.With(ctx, name, func(a, replication int, e *sim.Economy) error {
		switch {
		case a != arm:
			return nil
		case e.Month() != month: // it went on meanwhile
			return another
		}
		return look(replication, e)
	})
	if errors.Is(err, another) || fault.KindOf(err) == fault.InvalidState {
		return false, nil
	}
	return true, err
}

// mostReplayed bounds what a question may simulate again, in household-months: some
// ten seconds.
const mostReplayed = 30e6

// replayed looks at the economies of an arm at the end of a month, simulated again from
// the last checkpoint before it, else from the start.
func (l *Laboratory) replayed(ctx context.Context, x store.Experiment, arm int, s scenario.Scenario, month int, look func(replication int, e *sim.Economy) error) error {
	at, open, err := l.Store.Checkpoint(x.Name)
	if err != nil || at >= month {
		at = 0
	}
	if work := float64(x.Households) * float64((month-at)*x.Replications); work > mostReplayed {
		e := fault.New(fault.LimitExceeded, "month", "month %d of %d replications would have to be simulated again, which takes too long", month, x.Replications)
		e.Hint = fmt.Sprintf("ask for the latest month, %d, or leave out by", x.Month)
		return e
	}
	if x.ModelVersion != sim.ModelVersion {
		e := fault.New(fault.InvalidState, "month", "%s was simulated by model version %s, this is %s, which cannot simulate month %d again", x.Name, x.ModelVersion, sim.ModelVersion, month)
		e.Hint = "leave out by"
		return e
	}
	for r := range x.Replications {
		var from io.ReadCloser
		if at > 0 {
			if from, err = open(x.Arms[arm].Name, r); err != nil {
				from = nil
			}
		}
		if err := l.replayedRun(ctx, s, ReplicationSeed(x.Seed, r), month, from, func(e *sim.Economy) error { return look(r, e) }); err != nil {
			return err
		}
	}
	return nil
}

func (l *Laboratory) replayedRun(ctx context.Context, s scenario.Scenario, seed uint64, month int, from io.ReadCloser, look func(*sim.Economy) error) error {
	var reader io.Reader
	if from != nil {
		defer from.Close()
		reader = from
	}
	e, err := l.Runs.Replay(ctx, s, seed, month, reader)
	if err != nil {
		return err
	}
	defer e.Close()
	return look(e)
}
