package lab

import (
	"encoding/json"

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

// observers watch the runs of an experiment and keep, at its end, what its months do not
// tell.
type observers struct {
	journal    *store.Journal
	collectors [][]analysis.InnovationCollector // by arm and replication
}

func newObservers(journal *store.Journal, arms, replications int) *observers {
	o := &observers{journal: journal, collectors: make([][]analysis.InnovationCollector, arms)}
	for i := range o.collectors {
		o.collectors[i] = make([]analysis.InnovationCollector, replications)
	}
	return o
}

func (o *observers) watch(arm, replication int, e *sim.Economy) error {
	return o.collectors[arm][replication].Observe(e)
}

func (o *observers) leave(arm, replication int, e *sim.Economy) error {
	if err := o.keep(arm, replication, e.Month(), sizesDetail, analysis.NewFirmSizes(e)); err != nil {
		return err
	}
	tables, err := newTableSet(e)
	if err != nil {
		return err
	}
	if err := o.keep(arm, replication, e.Month(), tablesDetail, tables); err != nil {
		return err
	}
	summary := o.collectors[arm][replication].Summary()
	if summary.Months < e.Month() { // it went on from a checkpoint: a part would pass for the whole
		return nil
	}
	return o.keep(arm, replication, e.Month(), innovationDetail, summary)
}

func (o *observers) keep(arm, replication, month int, kind string, of any) error {
	data, err := json.Marshal(of)
	if err != nil {
		return err
	}
	return o.journal.Detail(arm, replication, kind, month, data)
}

// innovationOf is what was kept of the innovations of a run; its replication counts from
// 0.
func (l *Laboratory) innovationOf(x store.Experiment, arm, replication int) (s analysis.InnovationSummary, ok bool, err error) {
	_, data, err := l.Store.Detail(x.Name, x.Arms[arm].Name, replication+1, innovationDetail)
	if err != nil || data == nil {
		return s, false, err
	}
	return s, true, json.Unmarshal(data, &s)
}

// tablesOf are the tables that were kept of a month of a run.
func (l *Laboratory) tablesOf(x store.Experiment, arm, replication, month int) (s tableSet, ok bool, err error) {
	at, data, err := l.Store.Detail(x.Name, x.Arms[arm].Name, replication+1, tablesDetail)
	if err != nil || data == nil || at != month {
		return s, false, err
	}
	return s, true, json.Unmarshal(data, &s)
}

// sizesOf are the sizes of the firms at the end of a run; its replication counts from 0.
func (l *Laboratory) sizesOf(x store.Experiment, arm, replication int) (s analysis.FirmSizes, ok bool, err error) {
	_, data, err := l.Store.Detail(x.Name, x.Arms[arm].Name, replication+1, sizesDetail)
	if err != nil || data == nil {
		return nil, false, err
	}
	return s, true, json.Unmarshal(data, &s)
}
