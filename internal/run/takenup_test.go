package run_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// left is an experiment that another process left in month 6, as its plan is then, with
// the checkpoint of that month.
func left(t *testing.T, cache run.Cache) (p run.Task, from *run.Checkpoint) {
	t.Helper()
	j := newJournal()
	p = plan(t, "x", months, j)
	p.Arms, p.Seeds, p.PauseAt = arms(t)[:2], seeds, 6
	m := mustManager(t, run.Settings{CheckpointEvery: 1, Cache: cache})
	mustStart(t, m, p)
	mustWait(t, m, "x", run.StatePaused)
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	<-j.over
	again := newJournal()
	p.Recorded.Month = 6
	for a := range p.Arms {
		p.Recorded.Began = append(p.Recorded.Began, nil)
		for r := range seeds {
			id := runID{a, r}
			again.months[id] = slices.Clone(j.months[id])
			p.Recorded.Began[a] = append(p.Recorded.Began[a], j.began[id])
		}
	}
	if got := p.Recorded.Began[1][1]; !slices.Equal(got, []int{4, 6, 0}) {
		t.Fatalf("on record are the beginnings %v, want those up to month 6", got)
	}
	p.PauseAt, p.Recorder = 0, again
	return p, j.checkpoint(p.Arms)
}

// While an experiment catches up with what is on record, its status stays where it was,
// and its past cannot be changed; what is changed beyond has the bits of what was planned
// from the start.
func TestThePastStays(t *testing.T) {
	cache := run.Cache{Dir: t.TempDir()}
	p, _ := left(t, cache)
	var once sync.Once
	reached, gate, caught := make(chan struct{}), make(chan struct{}), make(chan struct{})
	p.Recorder.(*journal).watch = func(_, _ int, e *sim.Economy) error {
		switch e.Month() {
		case 3:
			once.Do(func() { close(reached); <-gate })
		case 4, 5: // if the call was not there yet after month 3
			select {
			case <-caught:
			case <-time.After(time.Second):
			}
		}
		return nil
	}
	m := mustManager(t, run.Settings{Workers: 1, Cache: cache})
	block := newJournal()
	mustStart(t, m, plan(t, "block", endless, block))
	p.PauseAt = 6
	if err := m.Start(p); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("to pause in a month on record: %v", err)
	}
	p.PauseAt = 0
	mustStart(t, m, p)

	refused := func(when string) {
		t.Helper()
		if _, _, err := m.Inject(t.Context(), "x", "treatment", wage(t, 6, ""), ""); fault.KindOf(err) != fault.InvalidState ||
			!strings.Contains(err.Error(), "from 7 to 10") {
			t.Errorf("%s: injected into a month on record: %v", when, err)
		}
		for index, month := range map[int]string{0: "month 4", 1: "month 6"} {
			if _, err := m.Cancel(t.Context(), "x", "treatment", index, ""); fault.KindOf(err) != fault.InvalidState ||
				!strings.Contains(err.Error(), month) {
				t.Errorf("%s: cancelled what began in %s: %v", when, month, err)
			}
		}
		if _, err := m.Resume(t.Context(), "x", 5); fault.KindOf(err) != fault.InvalidState {
			t.Errorf("%s: to pause in a month on record: %v", when, err)
		}
		if _, err := m.With(t.Context(), "x", nil); fault.KindOf(err) != fault.InvalidState {
			t.Errorf("%s: economies of another month are shown: %v", when, err)
		}
		s, _ := m.Status("x")
		if s.Month != 6 || s.Progress < .6 || s.Latest != nil || !slices.Equal(s.Began[1][0], []int{4, 6, 7}) {
			t.Errorf("%s: in month %d, %.2f done, %d records, began %v", when, s.Month, s.Progress, len(s.Latest), s.Began[1])
		}
	}
	refused("queued")
	if _, err := m.Stop(t.Context(), "block"); err != nil {
		t.Fatal(err)
	}
	<-reached
	go func() {
		defer close(caught)
		if s, err := m.Pause(t.Context(), "x"); err != nil || s.State != run.StatePaused || s.Month != 6 {
			t.Errorf("paused while it catches up: %v, %s in month %d", err, s.State, s.Month)
		}
	}()
	if s, _ := m.Status("x"); s.State != run.StateRunning && s.State != run.StateBurnIn {
		t.Errorf("it is %s", s.State)
	}
	close(gate)
	<-caught
	refused("catching up")
	late := wage(t, 8, "")
	if at, _, err := m.Inject(t.Context(), "x", "treatment", late, ""); err != nil || at != 3 {
		t.Fatalf("injected at %d, %v", at, err)
	}
	if _, err := m.Cancel(t.Context(), "x", "treatment", 2, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Resume(t.Context(), "x", 9); err != nil {
		t.Fatal(err)
	}
	if s := mustWait(t, m, "x", run.StatePaused); s.Month != 9 || s.Latest[1][1].Month != 9 || s.Message != "" ||
		!slices.Equal(s.Began[1][1], []int{4, 6, 0, 8}) {
		t.Errorf("month %d, latest of %d, %q, began %v", s.Month, s.Latest[1][1].Month, s.Message, s.Began)
	}
	if _, err := m.Resume(t.Context(), "x", months); err != nil {
		t.Fatal(err)
	}
	mustWait(t, m, "x", run.StateCompleted) // it pauses no more after the last month
	list := slices.Clone(p.Arms[1].Scenario.Interventions)
	list[2].Cancelled = true
	p.Arms[1].Scenario.Interventions = append(list, late)
	sameAsAlone(t, p.Recorder.(*journal), p.Arms, seeds, months)
}

// What the status says while months are simulated again does not go backwards.
func TestStatusCatchesUp(t *testing.T) {
	cache := run.Cache{Dir: t.TempDir()}
	p, _ := left(t, cache)
	m := mustManager(t, run.Settings{Cache: cache})
	slow := make(chan struct{})
	p.Recorder.(*journal).watch = func(_, _ int, e *sim.Economy) error {
		if e.Month() == 4 {
			<-slow
		}
		return nil
	}
	var least atomic.Int64
	least.Store(6)
	cancel := m.Subscribe(func(_ string, s run.Status) {
		if month := int64(s.Month); month < least.Load() {
			least.Store(month)
		}
	})
	defer cancel()
	mustStart(t, m, p)
	mustReach(t, m, "x", func(s run.Status) bool { return s.State == run.StateRunning && strings.Contains(s.Message, "of 6") })
	close(slow)
	mustWait(t, m, "x", run.StateCompleted)
	if least.Load() < 6 {
		t.Errorf("the status went back to month %d", least.Load())
	}
}

// An experiment that is stopped before it has simulated a month again is stopped, in the
// month on record, from a checkpoint or without.
func TestStopRightAfterResumption(t *testing.T) {
	cache := run.Cache{Dir: t.TempDir()}
	for _, whole := range []bool{true, false} {
		p, from := left(t, cache)
		if whole {
			p.From = from
		}
		hold := make(chan struct{})
		j := p.Recorder.(*journal)
		p.Recorder = &holding{journal: j, hold: hold}
		j.leave = func(int, int, *sim.Economy) error {
			return errors.New("nothing to see")
		}
		m := mustManager(t, run.Settings{Cache: cache})
		mustStart(t, m, p)
		stopped := make(chan run.Status)
		go func() {
			s, err := m.Stop(t.Context(), "x")
			if err != nil {
				t.Error(err)
			}
			stopped <- s
		}()
		close(hold)
		s := <-stopped
		if s.State != run.StateStopped || s.Month < 6 || s.Message != "" {
			t.Errorf("from a checkpoint %v: %s in month %d, %q", whole, s.State, s.Month, s.Message)
		}
		if recorded := len(j.months[runID{}]); recorded != s.Month || j.history()[len(j.states)-1] != "stopped" {
			t.Errorf("recorded %d months, %v", recorded, j.states)
		}
		<-j.over
	}
}

// holding enters the state running when it is let.
type holding struct {
	*journal
	hold chan struct{}
}

func (h *holding) Record(e run.Event) error {
	if s, ok := e.(run.StateChanged); ok && s.State == run.StateRunning {
		<-h.hold
	}
	return h.journal.Record(e)
}

// failing takes no months once it fails.
type failing struct {
	*journal
	fail atomic.Pointer[error]
}

func (j *failing) Record(e run.Event) error {
	if _, ok := e.(run.MonthsSimulated); ok {
		if err := j.fail.Load(); err != nil {
			return *err
		}
	}
	return j.journal.Record(e)
}

// Whoever asks for something when the disk fails is answered, and the experiment can be
// taken up again; what contradicts its record has failed for good.
func TestRecorderFails(t *testing.T) {
	for state, problem := range map[run.State]error{
		run.StateInterrupted: errFull,
		run.StateFailed:      fault.New(fault.Conflict, "", "other bits"),
	} {
		j := &failing{journal: newJournal()}
		m := mustManager(t, run.Settings{Threads: 1})
		p := plan(t, "x", endless, j.journal)
		p.Recorder = j
		mustStart(t, m, p)
		mustReach(t, m, "x", func(s run.Status) bool { return s.Month > 3 })
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		const callers = 20
		answers := make(chan error, callers)
		for range callers { // all the time
			go func() {
				for {
					if _, err := m.With(ctx, "x", func(int, int, *sim.Economy) error { return nil }); err != nil {
						answers <- err
						return
					}
				}
			}()
		}
		j.fail.Store(&problem)
		for range callers {
			if err := <-answers; errors.Is(err, context.DeadlineExceeded) {
				t.Fatal("a call was not answered")
			}
		}
		s := mustWait(t, m, "x", state)
		told := fault.Public(problem).Error()
		if !strings.HasSuffix(s.Message, told) || j.message != s.Message || j.history()[len(j.states)-1] != string(state) {
			t.Errorf("%s, %q; recorded %v, %q", s.State, s.Message, j.states, j.message)
		}
	}
}

// What cannot be kept beside the months does not spoil them; checkpoints are told of.
func TestDetailsAreOptional(t *testing.T) {
	m := mustManager(t, run.Settings{CheckpointEvery: 1})
	j := newJournal()
	p := plan(t, "x", months, j)
	j.leave = func(_, _ int, e *sim.Economy) error { panic("no tables") }
	var kept []int
	j.kept = func(month int) error {
		if j.month != month {
			t.Errorf("told of month %d, the checkpoint is of month %d", month, j.month)
		}
		kept = append(kept, month)
		return errFull
	}
	mustStart(t, m, p)
	mustWait(t, m, "x", run.StateCompleted)
	if n := len(kept); n == 0 || kept[n-1] != months-1 {
		t.Errorf("checkpoints of months %v", kept)
	}
	if j.hashes[runID{}] == "" {
		t.Error("no hash of the state at the end")
	}
}

// The warning of a checkpoint that cannot be used says what is wrong with it.
func TestWarningOfAWrongCheckpoint(t *testing.T) {
	var log bytes.Buffer
	defer slog.SetDefault(slog.Default())
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	cache := run.Cache{Dir: t.TempDir()}
	for name, tt := range map[string]struct {
		change func(p *run.Task, from *run.Checkpoint)
		want   string
	}{
		"another month": {func(_ *run.Task, from *run.Checkpoint) { from.Month = 5 }, "it is of month 6, not 5"},
		"another seed":  {func(p *run.Task, _ *run.Checkpoint) { p.Seeds = []uint64{3, 7} }, "its seed is 1, not 3"},
	} {
		p, from := left(t, cache)
		tt.change(&p, from)
		p.From, p.Recorded, p.Recorder = from, run.Recorded{}, newJournal()
		m := mustManager(t, run.Settings{Cache: cache})
		log.Reset()
		mustStart(t, m, p)
		mustWait(t, m, "x", run.StateCompleted)
		if text := log.String(); !strings.Contains(text, tt.want) || strings.Contains(text, "%!") {
			t.Errorf("%s: the log says %q, want %q", name, text, tt.want)
		}
	}
}
