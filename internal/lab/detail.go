package lab

import (
	"encoding/json"
	"slices"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Kinds of what is kept of a run beside its months.
const (
	tablesDetail     = "tables"     // of households and firms in the last month, by group
	innovationDetail = "innovation" // what innovations did to market shares
	sizesDetail      = "sizes"      // how many firms had how many employees in the last month
)

// tableSet holds the tables of a month that a record does not have.
type tableSet struct {
	Households map[string][]analysis.HouseholdGroup[analysis.Number] `json:"households"`
	Firms      map[string][]analysis.FirmGroup[analysis.Number]      `json:"firms"`
}

func newTableSet(e *sim.Economy) (s tableSet, err error) {
	s = tableSet{map[string][]analysis.HouseholdGroup[analysis.Number]{}, map[string][]analysis.FirmGroup[analysis.Number]{}}
	for _, by := range analysis.HouseholdGroupings[1:] { // all together: see [Laboratory.Households]
		if s.Households[by], err = analysis.HouseholdTable(e, by); err != nil {
			return s, err
		}
	}
	for _, by := range analysis.FirmGroupings {
		if s.Firms[by], err = analysis.FirmTable(e, by); err != nil {
			return s, err
		}
	}
	return s, nil
}

// observers watch the runs of an experiment and keep, at its checkpoints and their end, what
// their months do not tell. They are its [run.Keeper].
type observers struct {
	*store.Journal
	runs [][]observed // arm, replication
	from int          // the first replication that is simulated: those before are complete
}

// observed is what was seen of one run.
type observed struct {
	collector analysis.InnovationCollector
	first     int // month that was observed here; 0 = none yet

	before analysis.InnovationSummary // what earlier processes observed
	until  int                        // up to this month; 0 = nothing
}

func newObservers(journal *store.Journal, arms, replications int) *observers {
	o := &observers{Journal: journal, runs: make([][]observed, arms)}
	for i := range o.runs {
		o.runs[i] = make([]observed, replications)
	}
	return o
}

// Extend implements [run.Keeper]: what was observed of runs that have ended is kept.
func (o *observers) Extend(seeds []uint64) error {
	if err := o.Journal.Extend(seeds); err != nil {
		return err
	}
	o.from = len(o.runs[0])
	for i := range o.runs {
		o.runs[i] = append(make([]observed, o.from), make([]observed, len(seeds))...)
	}
	return nil
}

// goOn takes over what was kept of an experiment that is taken up again.
func (o *observers) goOn(l *Laboratory, x store.Experiment) error {
	for i := range o.runs {
		for r := o.from; r < len(o.runs[i]); r++ {
			summary, until, err := l.innovationOf(x, i, r)
			if err != nil {
				return err
			}
			o.runs[i][r].before, o.runs[i][r].until = summary, until
		}
	}
	return nil
}

// innovation is what was observed of a run by this process and by earlier ones. Months
// that were simulated again count once: where they overlap, what was observed here
// stands alone.
func (r *observed) innovation() analysis.InnovationSummary {
	if r.first == 0 {
		return r.before
	}
	here := r.collector.Summary()
	if r.until == 0 || r.until >= r.first {
		return here
	}
	s := r.before
	s.Pairs = slices.Clone(s.Pairs)
	s.Merge(here)
	return s
}

func (o *observers) watch(arm, replication int, e *sim.Economy) error {
	r := &o.runs[arm][replication]
	if r.first == 0 {
		r.first = e.Month()
	}
	return r.collector.Observe(e)
}

// kept is called when a checkpoint was kept: from there the experiment may go on in
// another process.
func (o *observers) kept(month int) error {
	for i := range o.runs {
		for r := o.from; r < len(o.runs[i]); r++ {
			if err := o.keep(i, r, month, innovationDetail, o.runs[i][r].innovation()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (o *observers) leave(arm, replication int, e *sim.Economy) error {
	if err := o.keep(arm, replication, e.Month(), innovationDetail, o.runs[arm][replication].innovation()); err != nil {
		return err
	}
	if err := o.keep(arm, replication, e.Month(), sizesDetail, analysis.NewFirmSizes(e)); err != nil {
		return err
	}
	tables, err := newTableSet(e)
	if err != nil {
		return err
	}
	return o.keep(arm, replication, e.Month(), tablesDetail, tables)
}

func (o *observers) keep(arm, replication, month int, kind string, of any) error {
	data, err := json.Marshal(of)
	if err != nil {
		return err
	}
	return o.Detail(arm, replication, kind, month, data)
}

// innovationOf is what was kept of the innovations of a run up to a month, 0 where
// nothing was; its replication counts from 0.
func (l *Laboratory) innovationOf(x store.Experiment, arm, replication int) (s analysis.InnovationSummary, until int, err error) {
	until, data, err := l.Store.Detail(x.Name, x.Arms[arm].Name, replication+1, innovationDetail)
	if err != nil || data == nil {
		return s, 0, err
	}
	return s, until, json.Unmarshal(data, &s)
}

// keptTables are the tables that were kept of a month of all runs of an arm; nil where
// they were not.
func (l *Laboratory) keptTables(x store.Experiment, arm, month int) ([]tableSet, error) {
	sets := make([]tableSet, x.Replications)
	for r := range sets {
		at, data, err := l.Store.Detail(x.Name, x.Arms[arm].Name, r+1, tablesDetail)
		if err != nil || data == nil || at != month {
			return nil, err
		}
		if err := json.Unmarshal(data, &sets[r]); err != nil {
			return nil, err
		}
	}
	return sets, nil
}

// sizesOf are the sizes of the firms at the end of a run; its replication counts from 0.
func (l *Laboratory) sizesOf(x store.Experiment, arm, replication int) (s analysis.FirmSizes, ok bool, err error) {
	_, data, err := l.Store.Detail(x.Name, x.Arms[arm].Name, replication+1, sizesDetail)
	if err != nil || data == nil {
		return nil, false, err
	}
	return s, true, json.Unmarshal(data, &s)
}
