package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"slices"

	"github.com/klauspost/compress/zstd"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Kinds of what is kept of a run beside its months. One that gets further numbers gets another
// name: in what was kept before they would read as 0.
const (
	tablesDetail     = "tables"     // of households and firms in the last month, by group
	innovationDetail = "innovation" // what innovations did to market shares
	sizesDetail      = "sizes"      // how many firms had how many employees in the last month
)

// detailBytes bounds the details of a run, in bytes of each: tables and innovations have a fixed
// number of entries (46 and 5 kB of JSON were seen, which take 16 and 1.5 kB: a random digit is worth .42
// bytes, and names come again and again); of sizes of firms there are no more than add up to
// all households, and each takes up to 12 bytes.
func detailBytes(households int) []int {
	return []int{28 << 10, 4 << 10, 100 + 12*int(math.Sqrt(2*float64(households)))}
}

// tableSet holds the tables of a month that a record does not have.
type tableSet struct {
	Households map[string][]tables.HouseholdGroup[stats.Number] `json:"households"`
	Firms      map[string][]tables.FirmGroup[stats.Number]      `json:"firms"`
}

func newTableSet(e *sim.Economy) (s tableSet, err error) {
	s.Firms = map[string][]tables.FirmGroup[stats.Number]{}
	// all together: see [Laboratory.Households]
	if s.Households, err = tables.HouseholdTables(e, tables.HouseholdGroupings[1:]...); err != nil {
		return s, err
	}
	for _, by := range tables.FirmGroupings {
		if s.Firms[by], err = tables.FirmTable(e, by); err != nil {
			return s, err
		}
	}
	return s, nil
}

// recorder has the journal of an experiment keep what the engine tells of it, and, at its
// checkpoints and its end, what its months do not tell. It implements [run.Recorder].
type recorder struct {
	*store.Journal
	l    *Laboratory
	auto bool
	runs [][]observed // arm, replication

	months  int
	planned []int // interventions of each arm

	from int // the first replication that is simulated: those before are complete

	begunBy string // another program; "" = this one began the experiment
}

// observed is what was seen of one run.
type observed struct {
	collector tables.InnovationCollector
	first     int // month that was observed here; 0 = none yet

	before tables.InnovationSummary // what earlier processes observed
	until  int                      // up to this month; 0 = nothing
}

// Footprint is the memory that the record of an experiment takes while it is simulated, see [run.Footprint].
func Footprint(p sim.Params, months int) run.Footprint {
	return run.Footprint{
		Run: tables.InnovationBytes(p.NumHouseholds/p.HouseholdsPerFirm, months), End: tables.HouseholdTableBytes * int64(p.NumHouseholds),
	}
}

// newRecorder makes the recorder of what a task simulates; auto says that its replications are [Auto].
func (l *Laboratory) newRecorder(journal *store.Journal, t run.Task, auto bool) *recorder {
	o := &recorder{Journal: journal, l: l, auto: auto, months: t.Months, runs: make([][]observed, len(t.Arms)), planned: planned(t.Arms)}
	for i := range o.runs {
		o.runs[i] = make([]observed, len(t.Seeds))
	}
	return o
}

// Record implements [run.Recorder].
func (o *recorder) Record(e run.Event) error {
	switch e := e.(type) {
	case run.StateChanged:
		return o.State(string(e.State), e.Month, e.Message)
	case run.MonthsSimulated:
		if err := o.Months(e.Arm, e.Replication, e.Records); err != nil || e.Began == nil {
			return o.ofAnotherProgram(err)
		}
		return o.Began(e.Arm, e.Replication, e.Began)
	case run.RunEnded:
		return o.Ended(e.Arm, e.Replication, e.StateHash, e.Began)
	case run.ScenarioChanged:
		return o.replan(e)
	case run.CheckpointDue:
		if err := o.Checkpoint(e.Month, e.Write); err != nil {
			return err
		}
		return o.keepInnovations(e.Month)
	case run.Extended:
		return o.extend(e.Seeds)
	case run.Left:
		return o.Close()
	}
	return nil
}

// replan keeps the scenario of an arm whose interventions are others now, and that this is an amendment of the plan.
func (o *recorder) replan(e run.ScenarioChanged) error {
	planned := len(e.Scenario.Interventions)
	perRun := o.l.Store.RunBytes(o.months, planned) - o.l.Store.RunBytes(o.months, o.planned[e.Arm])
	amendment := store.Amendment{By: e.By, Month: e.Month, What: e.Changed.String(), Data: simulated(sim.ModelVersion, e.Scenario)}
	err := o.Amend(e.Arm, e.Scenario.Encode(), e.Scenario.Hash(), int64(len(o.runs[e.Arm]))*perRun, amendment)
	if err != nil {
		return err
	}
	o.planned[e.Arm] = planned
	return nil
}

// ofAnotherProgram is an error of recording months. Where they contradict another program,
// that one may still go on with the experiment, which has not failed for good.
func (o *recorder) ofAnotherProgram(err error) error {
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Kind == fault.Conflict && o.begunBy != "" {
		return fault.New(fault.InvalidState, "", "%s", e.Message).WithHint(o.begunBy + " goes on with it")
	}
	return err
}

// Observe implements [run.Recorder].
func (o *recorder) Observe(arm, replication int, e *sim.Economy, ended bool) error {
	if ended {
		return o.keepEnd(arm, replication, e)
	}
	r := &o.runs[arm][replication]
	if r.first == 0 {
		r.first = e.Month()
	}
	return r.collector.Observe(e)
}

// More implements [run.Recorder].
func (o *recorder) More() (seeds []uint64, why string, err error) {
	if !o.auto {
		return nil, "", nil
	}
	return o.l.more(context.Background(), o.Journal)
}

// extend adds replications: what was observed of runs that have ended is kept.
func (o *recorder) extend(seeds []uint64) error {
	if err := o.Extend(seeds); err != nil {
		return err
	}
	o.from = len(o.runs[0])
	for i := range o.runs {
		o.runs[i] = append(make([]observed, o.from), make([]observed, len(seeds))...)
	}
	return nil
}

// goOn takes over what was kept of an experiment that is taken up again.
func (o *recorder) goOn(x store.Experiment) error {
	for i := range o.runs {
		for r := o.from; r < len(o.runs[i]); r++ {
			run := &o.runs[i][r]
			var err error
			run.before, run.until, err = detail[tables.InnovationSummary](context.Background(), o.l, x, i, r, innovationDetail)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// innovation is what was observed of a run by this process and by earlier ones. Months
// that were simulated again count once: where they overlap, what was observed here
// stands alone.
func (r *observed) innovation() tables.InnovationSummary {
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

// keepInnovations keeps what was observed up to a checkpoint: from there the experiment may go
// on in another process.
func (o *recorder) keepInnovations(month int) error {
	for i := range o.runs {
		for r := o.from; r < len(o.runs[i]); r++ {
			if err := o.keep(i, r, month, innovationDetail, o.runs[i][r].innovation()); err != nil {
				return err
			}
		}
	}
	return nil
}

// keepEnd keeps what the last month of a run does not tell.
func (o *recorder) keepEnd(arm, replication int, e *sim.Economy) error {
	if err := o.keep(arm, replication, e.Month(), innovationDetail, o.runs[arm][replication].innovation()); err != nil {
		return err
	}
	if err := o.keep(arm, replication, e.Month(), sizesDetail, tables.NewFirmSizes(e)); err != nil {
		return err
	}
	set, err := newTableSet(e)
	if err != nil {
		return err
	}
	return o.keep(arm, replication, e.Month(), tablesDetail, set)
}

func (o *recorder) keep(arm, replication, month int, kind string, of any) error {
	data, err := packed(of)
	if err != nil {
		return err
	}
	return o.Detail(arm, replication, kind, month, data)
}

// packed is what is stored of a detail: JSON compressed by zstd to a third. The window is small, as
// what is kept is.
func packed(of any) ([]byte, error) {
	text, err := json.Marshal(of)
	if err != nil {
		return nil, err
	}
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<16), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z.EncodeAll(text, nil), nil
}

// unpacked is the JSON of a detail. Up to 0.5.0 it was stored as it is.
func unpacked(data []byte) ([]byte, error) {
	if bytes.HasPrefix(data, []byte("{")) || bytes.HasPrefix(data, []byte("[")) {
		return data, nil
	}
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostUnpacked))
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z.DecodeAll(data, nil)
}

// mostUnpacked bounds the JSON of a detail of a damaged store, in bytes.
const mostUnpacked = 16 << 20

// detail reads what was kept of a kind of a run up to a month; its replication counts from
// 0. Month 0 means that nothing was, or only in a form that this program does not know.
func detail[T any](
	ctx context.Context, l *Laboratory, x store.Experiment, arm, replication int, kind string,
) (of T, month int, err error) {
	month, data, err := l.Store.Detail(ctx, x.Name, x.Arms[arm].Name, replication+1, kind)
	if err != nil || data == nil {
		return of, 0, err
	}
	var read T
	text, err := unpacked(data)
	if err == nil {
		err = json.Unmarshal(text, &read)
	}
	if err != nil {
		slog.Warn("what was kept of a run cannot be read", "experiment", x.Name, "kind", kind, "by", x.CodeVersion, "error", err)
		return of, 0, nil
	}
	return read, month, nil
}

// details are those that were kept of a kind, of the runs of an arm.
func details[T any](ctx context.Context, l *Laboratory, x store.Experiment, arm int, kind string) (list []T, err error) {
	for r := range x.Replications {
		one, until, err := detail[T](ctx, l, x, arm, r, kind)
		if err != nil {
			return nil, err
		}
		if until > 0 {
			list = append(list, one)
		}
	}
	return list, nil
}

// keptTables are the tables that were kept of a month of all runs of an arm, as of finds them
// in a set; nil where they were not, or by a program that did not have them.
func keptTables[T any](
	ctx context.Context, l *Laboratory, x store.Experiment, arm, month int, of func(tableSet) []T,
) ([][]T, error) {
	list := make([][]T, x.Replications)
	for r := range list {
		set, at, err := detail[tableSet](ctx, l, x, arm, r, tablesDetail)
		if err != nil || at != month {
			return nil, err
		}
		if list[r] = of(set); list[r] == nil {
			return nil, nil
		}
	}
	return list, nil
}
