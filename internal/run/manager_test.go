package run_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

const months = 10

// Whatever the threads, the company and the pauses: the bits are those of each run
// alone.
func TestManagerHasTheBitsOfSingleRuns(t *testing.T) {
	arms := arms(t)
	for name, s := range map[string]run.Settings{
		"one thread":    {Threads: 1, Workers: 1},
		"three threads": {Threads: 3, Workers: 2, Cache: run.Cache{Dir: t.TempDir()}},
	} {
		t.Run(name, func(t *testing.T) {
			m := mustManager(t, s)
			var list [2]*journal
			for i, name := range []string{"a", "b"} {
				j := newJournal()
				p := plan(t, name, months, j)
				p.Arms, p.Seeds = arms, seeds
				if i == 1 {
					p.PauseAt = 3
				}
				mustStart(t, m, p)
				list[i] = j
			}
			if s := mustWait(t, m, "b", run.StatePaused); s.Month != 3 {
				t.Errorf("paused in month %d, not 3", s.Month)
			}
			for month := 4; month < 7; month++ { // one month at a time
				if _, err := m.Resume(t.Context(), "b", month); err != nil {
					t.Fatal(err)
				}
				if s := mustWait(t, m, "b", run.StatePaused); s.Month != month {
					t.Errorf("paused in month %d, not %d", s.Month, month)
				}
			}
			if _, err := m.Resume(t.Context(), "b", 0); err != nil {
				t.Fatal(err)
			}
			for i, name := range []string{"a", "b"} {
				s := mustWait(t, m, name, run.StateCompleted)
				if s.Month != months || s.Progress != 1 || s.ETASeconds != 0 || s.ReplicationsDone != 2 {
					t.Errorf("%s at its end: %+v", name, s)
				}
				sameAsAlone(t, list[i], arms, seeds, months)
				if began := list[i].began[runID{1, 1}]; !slices.Equal(began, []int{4, 6, 7}) {
					t.Errorf("interventions began in months %v", began)
				}
				if s.Latest[2][1] != list[i].months[runID{2, 1}][months-1] {
					t.Error("the status has another last record")
				}
				want := []string{"queued", "burn_in", "running", "completed"}
				if got := list[i].history(); got[len(got)-1] != "completed" || i == 0 &&
					!slices.Equal(slices.DeleteFunc(got, func(s string) bool { return s == "queued" }), want[1:]) {
					t.Errorf("states %v", got)
				}
				<-list[i].over
			}
		})
	}
}

// What is injected has the bits of what was planned from the start, whatever the
// experiment does when it is injected; what is cancelled leaves no trace.
func TestInjectedIsPlanned(t *testing.T) {
	m := mustManager(t, run.Settings{Workers: 1})
	block := newJournal()
	mustStart(t, m, plan(t, "block", endless, block)) // so that the other is queued
	j := newJournal()
	p := plan(t, "x", months, j)
	p.Arms, p.Seeds, p.PauseAt = arms(t)[:2], seeds, 3
	first := p.Arms[1].Scenario.Interventions
	p.Arms[1].Scenario.Interventions = nil
	mustStart(t, m, p)

	inject := func(v sim.Intervention, want int) {
		t.Helper()
		at, s, err := m.Inject(t.Context(), "x", "treatment", v, "")
		if err != nil || at != want || !reflect.DeepEqual(s.Plans[1][at], v) || len(s.Began[1][1]) != want+1 {
			t.Fatalf("injected at %d: %v, plan %v", at, err, s.Plans)
		}
	}
	inject(first[0], 0)
	inject(wage(t, 9, ""), 1)
	if s, err := m.Cancel(t.Context(), "x", "treatment", 1, ""); err != nil || len(s.Plans[1]) != 2 || !s.Plans[1][1].Cancelled {
		t.Fatalf("cancelled while queued: %v, %v", err, s.Plans)
	}
	if _, err := m.Stop(t.Context(), "block"); err != nil {
		t.Fatal(err)
	}
	mustWait(t, m, "x", run.StatePaused)
	inject(wage(t, 8, ""), 2)
	inject(first[1], 3)
	inject(first[2], 4)
	if s, err := m.Cancel(t.Context(), "x", "treatment", 2, ""); err != nil || !slices.Equal(s.Began[1][0], []int{4, 0, 0, 0, 7}) {
		t.Fatalf("cancelled while paused: %v, began %v", err, s.Began)
	}
	if _, err := m.Resume(t.Context(), "x", 6); err != nil {
		t.Fatal(err)
	}
	mustWait(t, m, "x", run.StatePaused)

	for name, tt := range map[string]struct {
		arm   string
		v     sim.Intervention
		index int
		kind  fault.Kind
	}{
		"a month that is over":  {"treatment", wage(t, 6, ""), -1, fault.InvalidState},
		"a month after the end": {"treatment", wage(t, 11, ""), -1, fault.OutOfRange},
		"nothing to act on": {
			"treatment", sim.Intervention{Type: sim.TypeShock, TargetMonth: 8, Shock: sim.Shock{Shock: "population", Size: .01}}, -1, fault.Conflict,
		},
		"an unknown policy": {
			"treatment", sim.Intervention{Type: sim.TypePolicy, TargetMonth: 8, Policy: sim.PolicyChange{Policy: "magic", Level: .1}}, -1,
			fault.NotFound,
		},
		"an unknown arm":           {"treatmnt", wage(t, 8, ""), -1, fault.NotFound},
		"cancel what began":        {"treatment", sim.Intervention{}, 0, fault.InvalidState},
		"cancel what was met":      {"treatment", sim.Intervention{}, 3, fault.InvalidState},
		"cancel twice":             {"treatment", sim.Intervention{}, 1, fault.InvalidState},
		"cancel what is not there": {"treatment", sim.Intervention{}, 5, fault.NotFound},
	} {
		before, _ := m.Status("x")
		var err error
		if tt.index < 0 {
			_, _, err = m.Inject(t.Context(), "x", tt.arm, tt.v, "")
		} else {
			_, err = m.Cancel(t.Context(), "x", tt.arm, tt.index, "")
		}
		if e, ok := errors.AsType[*fault.Error](err); !ok || e.Kind != tt.kind || e.Hint == "" {
			t.Errorf("%s: %v; want %s with a hint", name, err, tt.kind)
		}
		if after, _ := m.Status("x"); !reflect.DeepEqual(after.Plans, before.Plans) {
			t.Errorf("%s: the plan has changed", name)
		}
	}
	j.mu.Lock()
	j.full = true
	j.mu.Unlock()
	if _, _, err := m.Inject(t.Context(), "x", "control", wage(t, 8, ""), ""); !errors.Is(err, errFull) {
		t.Errorf("a plan that cannot be kept: %v", err)
	}
	j.mu.Lock()
	j.full = false
	j.mu.Unlock()

	if _, err := m.Resume(t.Context(), "x", 0); err != nil {
		t.Fatal(err)
	}
	mustWait(t, m, "x", run.StateCompleted)
	sameAsAlone(t, j, arms(t)[:2], seeds, months)

	kept, err := scenario.Decode("kept", j.plans[len(j.plans)-1])
	if err != nil {
		t.Fatal(err)
	}
	uncancelled := slices.DeleteFunc(slices.Clone(kept.Interventions), func(v sim.Intervention) bool { return v.Cancelled })
	if kept.Hash() != j.hash || !reflect.DeepEqual(uncancelled, first) {
		t.Errorf("the plan that was kept holds %v", kept.Interventions)
	}
	hash, _ := alone(t, kept, seeds[1], months) // all that is needed to do it again
	if hash != j.hashes[runID{1, 1}] {
		t.Error("the plan that was kept gives other bits")
	}
}

// An experiment that another process left goes on from its checkpoint, or without a
// usable one from the start, to the same bits.
func TestResumption(t *testing.T) {
	arms, cache := arms(t), run.Cache{Dir: t.TempDir()}
	j := newJournal()
	p := plan(t, "x", months, j)
	p.Arms, p.Seeds, p.PauseAt = arms, seeds, 6
	first := mustManager(t, run.Settings{CheckpointEvery: 1, Cache: cache})
	mustStart(t, first, p)
	mustWait(t, first, "x", run.StatePaused)
	if err := first.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-j.over
	s, ok := first.Status("x")
	if !ok || s.State != run.StateInterrupted || j.history()[len(j.states)-1] != "interrupted" {
		t.Fatalf("after Close: %s, recorded %v", s.State, j.states)
	}
	if j.month != 6 || len(j.files) != 6 {
		t.Fatalf("checkpoint of month %d with %d files", j.month, len(j.files))
	}
	if err := first.Start(p); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("started after Close: %v", err)
	}
	whole := j.checkpoint(arms)
	cut := make(map[runID][]byte)
	for id, data := range j.files {
		cut[id] = data[:len(data)/2]
	}
	broken := &journal{month: 6, files: cut}
	for name, from := range map[string]*run.Checkpoint{
		"whole": whole, "cut": broken.checkpoint(arms), "none": nil, "injected after it": whole,
	} {
		t.Run(name, func(t *testing.T) {
			again := newJournal()
			for id, records := range j.months { // what the first process recorded, and one month less
				again.months[id] = slices.Clone(records)
			}
			m := mustManager(t, run.Settings{CheckpointEvery: 1, Threads: 3, Cache: cache})
			p := p
			p.Arms = slices.Clone(arms)
			if name == "injected after it" {
				s := &p.Arms[1].Scenario
				s.Interventions = slices.Insert(slices.Clone(s.Interventions), 0, wage(t, 9, ""))
			}
			p.From, p.PauseAt, p.Recorder = from, 0, again
			mustStart(t, m, p)
			mustWait(t, m, "x", run.StateCompleted)
			sameAsAlone(t, again, p.Arms, seeds, months)
			if again.month != months-1 {
				t.Errorf("the last checkpoint is of month %d; want the one before the last", again.month)
			}
		})
	}
}

func TestStop(t *testing.T) {
	m := mustManager(t, run.Settings{Workers: 1})
	long := mustScenario(t, "burn_in_months", 600, "num_households", 10_000)
	burning, waiting, running := newJournal(), newJournal(), newJournal()
	p := plan(t, "burning", endless, burning)
	p.Arms[0].Scenario = long
	mustStart(t, m, p)
	mustStart(t, m, plan(t, "waiting", endless, waiting))
	s := mustReach(t, m, "burning", func(s run.Status) bool { return s.State == run.StateBurnIn && s.BurnIn > 0 })
	if s.Month != 0 || s.BurnInMonths != 600 || s.Progress <= 0 {
		t.Errorf("in burn-in: %+v", s)
	}
	if s, _ := m.Status("waiting"); s.State != run.StateQueued || !strings.Contains(s.Message, "at most 1") {
		t.Errorf("beyond the number of workers: %s, %q", s.State, s.Message)
	}
	if s, err := m.Pause(t.Context(), "burning"); err != nil || s.State != run.StatePaused || s.BurnIn == 600 {
		t.Errorf("paused in burn-in: %v, %s after %d months", err, s.State, s.BurnIn)
	}
	for _, name := range []string{"waiting", "burning"} {
		if s, err := m.Stop(t.Context(), name); err != nil || s.State != run.StateStopped || s.Month != 0 {
			t.Errorf("%s: %v, %s in month %d", name, err, s.State, s.Month)
		}
	}
	<-burning.over
	<-waiting.over
	mustStart(t, m, plan(t, "running", endless, running))
	mustReach(t, m, "running", func(s run.Status) bool { return s.Month > 2 })
	s, err := m.Stop(t.Context(), "running")
	if err != nil || s.State != run.StateStopped || s.Month != len(running.months[runID{}]) {
		t.Errorf("%v: %s in month %d, recorded %d", err, s.State, s.Month, len(running.months[runID{}]))
	}
	if running.hashes[runID{}] == "" {
		t.Error("no hash of the state at the end")
	}
	for name, call := range map[string]func() error{
		"pause":  func() error { _, err := m.Pause(t.Context(), "running"); return err },
		"resume": func() error { _, err := m.Resume(t.Context(), "running", 0); return err },
		"stop":   func() error { _, err := m.Stop(t.Context(), "running"); return err },
	} {
		if err := call(); fault.KindOf(err) != fault.InvalidState {
			t.Errorf("%s of what has ended: %v", name, err)
		}
	}
	if _, err := m.Stop(t.Context(), "runing"); fault.KindOf(err) != fault.NotFound || !strings.Contains(err.Error(), `"running"`) {
		t.Errorf("unknown name: %v", err)
	}
}

// Close ends every experiment between two months, and what was recorded is what its
// status and its checkpoint say.
func TestClose(t *testing.T) {
	m := run.NewManager(run.Settings{Workers: 2, CheckpointEvery: 1})
	names := []string{"a", "b", "queued"}
	list := make(map[string]*journal)
	for _, name := range names {
		list[name] = newJournal()
		mustStart(t, m, plan(t, name, endless, list[name]))
	}
	for _, name := range names[:2] {
		mustReach(t, m, name, func(s run.Status) bool { return s.Month > 2 })
	}
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		s, _ := m.Status(name)
		j := list[name]
		if recorded := len(j.months[runID{}]); s.State != run.StateInterrupted || s.Month != recorded || j.month != recorded ||
			j.states[len(j.states)-1] != "interrupted" {
			t.Errorf(
				"%s is %s in month %d; recorded %d months, states %v, a checkpoint of month %d", name, s.State, s.Month, recorded, j.states, j.month,
			)
		}
		<-j.over
	}
}

// A large economy that is alone has several threads, and gives them up to others.
func TestThreadsAreShared(t *testing.T) {
	m := mustManager(t, run.Settings{Workers: 2, Threads: 3})
	large := []run.Arm{{Name: "only", Scenario: mustScenario(t, "num_households", 9000)}}
	list := []*journal{newJournal(), newJournal()}
	for i, name := range []string{"a", "b"} {
		p := plan(t, name, 5, list[i])
		p.Arms, p.PauseAt = large, 2*i // b begins with a, and goes on when a has ended
		mustStart(t, m, p)
	}
	mustWait(t, m, "a", run.StateCompleted)
	mustWait(t, m, "b", run.StatePaused)
	if _, err := m.Resume(t.Context(), "b", 0); err != nil {
		t.Fatal(err)
	}
	mustWait(t, m, "b", run.StateCompleted)
	for _, j := range list {
		sameAsAlone(t, j, large, seeds[:1], 5)
	}
}

func TestQueue(t *testing.T) {
	m := mustManager(t, run.Settings{Workers: 1})
	var names []string
	for _, name := range []string{"a", "b", "c"} {
		mustStart(t, m, plan(t, name, endless, newJournal()))
		names = append(names, name)
	}
	if err := m.Start(plan(t, "b", 3, newJournal())); fault.KindOf(err) != fault.Conflict {
		t.Errorf("a name that lives: %v", err)
	}
	states := func(want ...run.State) {
		t.Helper()
		var got []run.State
		for i, name := range names {
			s := mustReach(t, m, name, func(s run.Status) bool { return s.State == want[i] })
			got = append(got, s.State)
		}
		if n := m.Running(); n != 1 {
			t.Errorf("%v: %d run", got, n)
		}
	}
	states(run.StateRunning, run.StateQueued, run.StateQueued)
	if _, err := m.Pause(t.Context(), "b"); err != nil { // out of the queue
		t.Fatal(err)
	}
	if _, err := m.Pause(t.Context(), "a"); err != nil { // gives up its place
		t.Fatal(err)
	}
	states(run.StatePaused, run.StatePaused, run.StateRunning)
	for _, name := range []string{"a", "b"} {
		if s, err := m.Resume(t.Context(), name, 0); err != nil || s.State != run.StateQueued {
			t.Fatalf("resumed %s: %v, %s", name, err, s.State)
		}
	}
	if _, err := m.Stop(t.Context(), "c"); err != nil {
		t.Fatal(err)
	}
	names = names[:2]
	states(run.StateRunning, run.StateQueued)
	if list := m.Live(); len(list) != 2 || list[0].Name != "a" {
		t.Errorf("%d live", len(list))
	}
}

func TestMemory(t *testing.T) {
	two := plan(t, "two", endless, newJournal())
	two.Seeds = seeds
	need := run.NewManager(run.Settings{Threads: 2}).Estimate(two)
	m := mustManager(t, run.Settings{Workers: 3, Threads: 2, MemoryBytes: need})
	mustStart(t, m, two)
	mustStart(t, m, plan(t, "one", endless, newJournal()))
	mustReach(t, m, "two", func(s run.Status) bool { return s.Month > 0 })
	if _, err := m.Pause(t.Context(), "two"); err != nil { // keeps its memory
		t.Fatal(err)
	}
	if s, _ := m.Status("one"); s.State != run.StateQueued || !strings.Contains(s.Message, "memory") {
		t.Errorf("what does not fit yet is %s, %q", s.State, s.Message)
	}
	if _, err := m.Resume(t.Context(), "two", 0); err != nil { // behind one in the queue, but it has its memory
		t.Fatal(err)
	}
	mustReach(t, m, "two", func(s run.Status) bool { return s.State == run.StateRunning })
	if _, err := m.Stop(t.Context(), "two"); err != nil {
		t.Fatal(err)
	}
	mustReach(t, m, "one", func(s run.Status) bool { return s.State == run.StateRunning })

	two.Name, two.Seeds = "three", []uint64{1, 2, 3}
	err := m.Start(two)
	if e, ok := errors.AsType[*fault.Error](err); !ok || e.Kind != fault.LimitExceeded || e.Field != "replications" ||
		!strings.Contains(e.Hint, "to 2") {
		t.Errorf("three replications: %v", err)
	}
	two.Arms[0].Scenario = mustScenario(t, "num_households", 100_000)
	if e, ok := errors.AsType[*fault.Error](m.Start(two)); !ok || e.Kind != fault.LimitExceeded || e.Field != "num_households" {
		t.Errorf("100,000 households: %v", e)
	}
}

func TestWrongPlans(t *testing.T) {
	m := mustManager(t, run.Settings{})
	for name, tt := range map[string]struct {
		change func(p *run.Task)
		kind   fault.Kind
	}{
		"no seed":          {func(p *run.Task) { p.Seeds = nil }, fault.OutOfRange},
		"too large a seed": {func(p *run.Task) { p.Seeds = []uint64{1 << 53} }, fault.OutOfRange},
		"no month":         {func(p *run.Task) { p.Months = 0 }, fault.OutOfRange},
		"pause after end":  {func(p *run.Task) { p.PauseAt = 11 }, fault.OutOfRange},
		"no arm":           {func(p *run.Task) { p.Arms = nil }, fault.InvalidState},
		"two of one name":  {func(p *run.Task) { p.Arms = append(p.Arms, p.Arms...) }, fault.Conflict},
	} {
		p := plan(t, "x", months, newJournal())
		tt.change(&p)
		if err := m.Start(p); fault.KindOf(err) != tt.kind {
			t.Errorf("%s: %v; want %s", name, err, tt.kind)
		}
	}
	if _, ok := m.Status("x"); ok {
		t.Error("a plan that was refused has a status")
	}
}

// panicking breaks down when it is given months.
type panicking struct{ *journal }

func (p panicking) Record(e run.Event) error {
	if _, ok := e.(run.MonthsSimulated); ok {
		panic("broken")
	}
	return p.journal.Record(e)
}

// An experiment that fails says why, and others go on.
func TestFailure(t *testing.T) {
	m := mustManager(t, run.Settings{Workers: 4})
	full, broken, well, rich := newJournal(), newJournal(), newJournal(), newJournal()
	mad := plan(t, "rich", endless, rich)
	mad.Arms[0].Scenario = mustScenario(t, "num_households", 100, "num_industries", 1)
	mad.Arms[0].Scenario.Interventions = []sim.Intervention{
		{Type: sim.TypeInjection, TargetMonth: 1, DurationMonths: 2000, Injection: sim.Injection{Group: "all", Amount: 1e6}},
	}
	mustStart(t, m, mad)
	full.full = true
	mustStart(t, m, plan(t, "full", endless, full))
	p := plan(t, "broken", endless, broken)
	p.Recorder = panicking{broken}
	mustStart(t, m, p)
	mustStart(t, m, plan(t, "well", months, well))
	if s := mustWait(t, m, "full", run.StateInterrupted); !strings.Contains(s.Message, "disk full") || s.Month != 0 {
		t.Errorf("month %d, message %q", s.Month, s.Message)
	}
	if full.message == "" || full.history()[len(full.states)-1] != "interrupted" {
		t.Errorf("recorded %v, %q", full.states, full.message)
	}
	if s := mustWait(t, m, "broken", run.StateFailed); !strings.Contains(s.Message, "broken") {
		t.Errorf("message %q", s.Message)
	}
	mustWait(t, m, "well", run.StateCompleted)
	s := mustWait(t, m, "rich", run.StateFailed)
	if !strings.Contains(s.Message, "money has outgrown") || s.Month != len(rich.months[runID{}]) || s.Latest[0][0] != rich.months[runID{}][s.Month-1] {
		t.Errorf("month %d, recorded %d, message %q", s.Month, len(rich.months[runID{}]), s.Message)
	}
	for _, j := range []*journal{full, broken, well, rich} {
		<-j.over
	}
}

// With sees economies between months; a panic of its function is an error.
func TestWith(t *testing.T) {
	m := mustManager(t, run.Settings{})
	j := newJournal()
	p := plan(t, "x", months, j)
	p.Arms, p.Seeds, p.PauseAt = arms(t), seeds, 3
	mustStart(t, m, p)
	mustWait(t, m, "x", run.StatePaused)
	var seen []runID
	month, err := m.With(t.Context(), "x", func(arm, replication int, e *sim.Economy) error {
		seen = append(seen, runID{arm, replication})
		if *e.Latest() != j.months[runID{arm, replication}][2] {
			t.Errorf("%d %d has another record than was kept", arm, replication)
		}
		return nil
	})
	if err != nil || month != 3 || len(seen) != 6 || seen[3] != (runID{1, 1}) {
		t.Errorf("month %d, %v, %v", month, seen, err)
	}
	if _, err := m.With(t.Context(), "x", func(int, int, *sim.Economy) error { panic("oh") }); err == nil {
		t.Error("a panic is no error")
	}
	if _, err := m.Resume(t.Context(), "x", 3); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("a month to pause at that is over: %v", err)
	}
	if _, err := m.Resume(t.Context(), "x", 0); err != nil {
		t.Fatal(err)
	}
	mustWait(t, m, "x", run.StateCompleted)
	if _, err := m.With(t.Context(), "x", nil); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("after the end: %v", err)
	}
}
