package run_test

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// journal keeps in memory what an experiment tells of itself.
type journal struct {
	mu      sync.Mutex
	months  map[runID][]sim.Record
	hashes  map[runID]string
	began   map[runID][]int
	states  []string
	message string
	plans   [][]byte
	hash    string // of the plan kept last

	complete int   // replications that had ended when others were added
	extended []int // how many were added each time
	month    int   // of the checkpoint
	files    map[runID][]byte

	over chan struct{} // closed when the experiment has left
	full bool          // takes no months

	watch, leave func(arm, replication int, e *sim.Economy) error // of Observe; may be nil
	kept         func(month int) error                            // after a checkpoint; may be nil
	more         func() ([]uint64, string, error)                 // may be nil
}

// Record implements [run.Recorder].
func (j *journal) Record(e run.Event) error {
	switch e := e.(type) {
	case run.StateChanged:
		return j.state(string(e.State), e.Month, e.Message)
	case run.MonthsSimulated:
		if e.Began != nil {
			j.begins(e.Arm, e.Replication, e.Began)
		}
		return j.add(e.Arm, e.Replication, e.Records)
	case run.RunEnded:
		j.begins(e.Arm, e.Replication, e.Began)
		j.mu.Lock()
		defer j.mu.Unlock()
		j.hashes[runID{e.Arm, e.Replication}] = e.StateHash
	case run.ScenarioChanged:
		return j.change(e.Scenario)
	case run.CheckpointDue:
		if err := j.keep(e.Month, e.Write); err != nil || j.kept == nil {
			return err
		}
		return j.kept(e.Month)
	case run.Extended:
		return j.extend(e.Seeds)
	case run.Left:
		close(j.over)
	}
	return nil
}

// Observe implements [run.Recorder].
func (j *journal) Observe(arm, replication int, e *sim.Economy, ended bool) error {
	f := j.watch
	if ended {
		f = j.leave
	}
	if f == nil {
		return nil
	}
	return f(arm, replication, e)
}

// More implements [run.Recorder].
func (j *journal) More() ([]uint64, string, error) {
	if j.more == nil {
		return nil, "", nil
	}
	return j.more()
}

type runID struct{ arm, replication int }

var errFull error = fault.New(fault.Internal, "", "disk full").WithDetail("/srv/data has 0 bytes")

func newJournal() *journal {
	return &journal{
		months: make(map[runID][]sim.Record), hashes: make(map[runID]string), began: make(map[runID][]int),
		over: make(chan struct{}),
	}
}

func (j *journal) add(arm, replication int, records []sim.Record) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.full {
		return errFull
	}
	id := runID{arm, replication}
	for _, r := range records {
		have := j.months[id]
		switch {
		case r.Month <= len(have):
			if have[r.Month-1] != r {
				return fmt.Errorf("month %d of %v came again with other bits", r.Month, id)
			}
		case r.Month != len(have)+1:
			return fmt.Errorf("month %d of %v after %d", r.Month, id, len(have))
		default:
			j.months[id] = append(have, r)
		}
	}
	return nil
}

func (j *journal) begins(arm, replication int, began []int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.began[runID{arm, replication}] = began
}

func (j *journal) state(state string, month int, message string) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	for id, list := range j.months {
		if len(list) < month && (j.complete == 0 || id.replication < j.complete) {
			return fmt.Errorf("%s in month %d, but %v has %d months", state, month, id, len(list))
		}
	}
	j.states, j.message = append(j.states, state), message
	return nil
}

func (j *journal) change(s scenario.Scenario) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.full {
		return errFull
	}
	j.plans, j.hash = append(j.plans, s.Encode()), s.Hash()
	return nil
}

func (j *journal) extend(seeds []uint64) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.extended = append(j.extended, len(seeds))
	for id := range j.months {
		if j.hashes[id] == "" {
			return fmt.Errorf("replications are added before the end of %v is recorded", id)
		}
		j.complete = max(j.complete, id.replication+1)
	}
	return nil
}

func (j *journal) keep(month int, write func(arm, replication int, w io.Writer) error) error {
	files := make(map[runID][]byte)
	j.mu.Lock()
	ids := slices.Collect(func(yield func(runID) bool) {
		for id := range j.months {
			if id.replication >= j.complete && !yield(id) {
				return
			}
		}
	})
	j.mu.Unlock()
	for _, id := range ids {
		var b bytes.Buffer
		if err := write(id.arm, id.replication, &b); err != nil {
			return err
		}
		files[id] = b.Bytes()
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.month, j.files = month, files
	return nil
}

func (j *journal) checkpoint(arms []run.Arm) *run.Checkpoint {
	j.mu.Lock()
	defer j.mu.Unlock()
	files := j.files
	return &run.Checkpoint{Month: j.month, Open: func(arm string, replication int) (io.ReadCloser, error) {
		a := slices.IndexFunc(arms, func(x run.Arm) bool { return x.Name == arm })
		return io.NopCloser(bytes.NewReader(files[runID{a, replication}])), nil
	}}
}

func (j *journal) history() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return slices.Clone(j.states)
}

// mustManager closes the manager with the test.
func mustManager(tb testing.TB, s run.Settings) *run.Manager {
	tb.Helper()
	m := run.NewManager(s)
	tb.Cleanup(func() {
		if err := m.Close(tb.Context()); err != nil && tb.Context().Err() == nil {
			tb.Error(err)
		}
	})
	return m
}

// arms are a control, one that differs in a live parameter, with interventions of
// which one waits for a condition, and one that has to be burnt in apart.
func arms(tb testing.TB) []run.Arm {
	treatment := mustScenario(tb, "vat_rate", .13)
	treatment.Interventions = []sim.Intervention{
		wage(tb, 4, ""),
		wage(tb, 5, "month >= 5 and unemployment_rate > 0"),
		{Type: sim.TypeInjection, TargetMonth: 7, Injection: sim.Injection{Group: "all", Amount: 500}},
	}
	return []run.Arm{
		{Name: "control", Scenario: mustScenario(tb)},
		{Name: "treatment", Scenario: treatment},
		{Name: "apart", Scenario: mustScenario(tb, "num_households", 1200)},
	}
}

func wage(tb testing.TB, month int, when string) sim.Intervention {
	tb.Helper()
	v := sim.Intervention{
		Type: sim.TypePolicy, TargetMonth: month, When: when, RampMonths: 2,
		Policy: sim.PolicyChange{Policy: "minimum_wage", Level: .4 + .01*float64(month)},
	}
	if err := v.Check(); err != nil {
		tb.Fatal(err)
	}
	return v
}

var seeds = []uint64{1, 7}

// plan is an experiment of one small economy, recorded in j.
func plan(tb testing.TB, name string, months int, j *journal) run.Task {
	households := 1000
	if months == endless {
		households = 6000
	}
	return run.Task{
		Name: name, Arms: []run.Arm{{Name: "only", Scenario: mustScenario(tb, "num_households", households)}}, Seeds: seeds[:1], Months: months,
		Recorder: j,
	}
}

// endless is the number of months of an experiment that a test ends itself. It has
// slower months, so that it does not end before.
const endless = 100_000

func mustStart(tb testing.TB, m *run.Manager, p run.Task) {
	tb.Helper()
	if err := m.Start(p); err != nil {
		tb.Fatal(err)
	}
}

// mustWait waits for an experiment and checks the state in which it is then.
func mustWait(tb testing.TB, m *run.Manager, name string, want run.State) run.Status {
	tb.Helper()
	s, err := m.Wait(tb.Context(), name, nil)
	if err != nil || s.State != want {
		tb.Fatalf("%s is %s in month %d (%q), %v; want %s", name, s.State, s.Month, s.Message, err, want)
	}
	return s
}

// mustReach waits until the status of an experiment meets a condition.
func mustReach(tb testing.TB, m *run.Manager, name string, met func(run.Status) bool) run.Status {
	tb.Helper()
	found := make(chan run.Status, 1)
	cancel := m.Subscribe(func(changed string, s run.Status) {
		if changed == name && met(s) {
			select {
			case found <- s:
			default:
			}
		}
	})
	defer cancel()
	if s, ok := m.Status(name); ok && met(s) {
		return s
	}
	select {
	case s := <-found:
		return s
	case <-time.After(time.Minute):
		s, _ := m.Status(name)
		tb.Fatalf("%s does not get there: %s in month %d, %q", name, s.State, s.Month, s.Message)
		return s
	}
}

// alone simulates one run without a manager: what every other way must equal.
func alone(tb testing.TB, s scenario.Scenario, seed uint64, months int) (hash string, records []sim.Record) {
	tb.Helper()
	e, _ := mustBurnIn(tb, s, seed, run.Cache{})
	err := run.Months(tb.Context(), e, s, months, func(e *sim.Economy) error {
		err := e.Step()
		records = append(records, *e.Latest())
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return e.StateHash(), records
}

// sameAsAlone compares everything that was recorded with runs without a manager.
func sameAsAlone(tb testing.TB, j *journal, arms []run.Arm, seeds []uint64, months int) {
	tb.Helper()
	for _, g := range run.Groups(arms) {
		for _, a := range g.Arms {
			for r, seed := range seeds {
				hash, records := alone(tb, g.Simulated(arms[a].Scenario), seed, months)
				id := runID{a, r}
				if j.hashes[id] != hash {
					tb.Errorf("%s, replication %d: another state at the end", arms[a].Name, r)
				}
				if !slices.Equal(j.months[id], records) {
					tb.Errorf("%s, replication %d: other records (%d of %d months)", arms[a].Name, r, len(j.months[id]), len(records))
				}
			}
		}
	}
}
