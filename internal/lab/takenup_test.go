package lab_test

import (
	"context"
	"database/sql"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// vat raises the tax from a month on, under a condition where there is one.
func vat(month int, when string) sim.Intervention {
	return sim.Intervention{
		Type: sim.TypeParameterChange, TargetMonth: month, When: when, Parameters: []sim.ParameterChange{{Name: "vat_rate", Value: .2}},
	}
}

// database opens the file of the store, to change it as no program should.
func (w *workshop) database() *sql.DB {
	w.tb.Helper()
	db, err := sql.Open("sqlite", filepath.Join(w.dir, "econ-mcp.db"))
	if err != nil {
		w.tb.Fatal(err)
	}
	w.tb.Cleanup(func() { db.Close() })
	return db
}

// What another process left, with a condition that was met, is told truly before it is
// taken up, while it catches up and after; its past cannot be changed, and what its
// innovations did is known of all months, if the checkpoint fits to what was kept of it.
func TestTakenUp(t *testing.T) {
	const last, left = 60, 40
	for _, fits := range []bool{true, false} {
		l := newWorkshop(t, run.Settings{CheckpointEvery: time.Millisecond})
		s := mustScenario(t)
		s.Interventions = []sim.Intervention{vat(3, "cpi > 0"), vat(50, "")}
		l.start(lab.Order{Name: "x", Scenario: s, Replications: 2, Months: last, PauseAt: left})
		l.wait("x", run.StatePaused)
		live, err := l.Planned(context.Background(), "x")
		if err != nil {
			t.Fatal(err)
		}
		l.close()

		l.open()
		stored, err := l.Planned(context.Background(), "x")
		if err != nil || !reflect.DeepEqual(stored, live) || stored[0].State != lab.Executed || stored[0].Began != 4 ||
			stored[1].State != lab.Pending {
			t.Errorf("interrupted: %+v, %v\nlive: %+v", stored, err, live)
		}
		if study, err := l.Study(context.Background(), "x", inference.Choice{}); err != nil ||
			!slices.Equal(study.Arms[0].Began[1], []int{4, 0}) || study.LastMonth() != left {
			t.Errorf("a study of what was left: %+v, %v", study.Arms[0].Began, err)
		}
		if !fits {
			if _, err := l.database().Exec("DELETE FROM detail"); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := l.Resume(t.Context(), "x", left, access.Operator()); fault.KindOf(err) != fault.InvalidState {
			t.Errorf("to pause in a month on record: %v", err)
		}
		resumed, err := l.Resume(t.Context(), "x", left+5, access.Operator())
		if err != nil || resumed.Month < left || resumed.Latest.Month < left || len(resumed.Latest.Values) == 0 {
			t.Errorf("taken up in month %d, latest of %d, %v", resumed.Month, resumed.Latest.Month, err)
		}
		if _, err := l.Inject(t.Context(), "x", "", vat(left, ""), access.Operator()); fault.KindOf(err) != fault.InvalidState {
			t.Errorf("injected into a month on record: %v", err)
		}
		if _, err := l.Cancel(t.Context(), "x/main/1", access.Operator()); fault.KindOf(err) != fault.InvalidState {
			t.Errorf("cancelled what began: %v", err)
		}
		l.wait("x", run.StatePaused)
		if _, err := l.Resume(t.Context(), "x", 0, access.Operator()); err != nil {
			t.Fatal(err)
		}
		l.wait("x", run.StateCompleted)

		study, err := l.Study(context.Background(), "x", inference.Choice{})
		if err != nil {
			t.Fatal(err)
		}
		analysed, err := l.Analyse(context.Background(), "x", lab.AnalysisSettings{Innovation: true}, "")
		if err != nil {
			t.Fatal(err)
		}
		observed, note := study.Arms[0].Innovation[1].Months, analysed.Analysis.Innovation.Note
		warned := slices.Contains(analysed.Analysis.Diagnostics.Warnings, note)
		if fits && (observed != last || note != "") || !fits && (observed >= last || !strings.Contains(note, "of 60 months") || !warned) {
			t.Errorf("kept: %v; innovations observed in %d months, note %q, warned %v", fits, observed, note, warned)
		}
		if err := l.Rerun(t.Context(), "x", 1, func(r lab.Rerun) {
			if !r.Same() {
				t.Errorf("another state at the end: %+v", r)
			}
		}); err != nil {
			t.Error(err)
		}
		l.close()
	}
}

// A database that fails for a while interrupts what is recorded in it. The status is that of
// the disk then, and the experiment goes on when the disk does.
func TestDiskFailsForAWhile(t *testing.T) {
	l := newWorkshop(t, run.Settings{})
	l.start(lab.Order{Name: "x", Scenario: mustScenario(t), Replications: 1, Months: 3000, PauseAt: 5})
	l.wait("x", run.StatePaused)
	db := l.database()
	if _, err := db.Exec("ALTER TABLE monthly RENAME COLUMN cpi TO elsewhere"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Resume(t.Context(), "x", 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	s := l.wait("x", run.StateInterrupted)
	if s.Month != 5 || !strings.Contains(s.Message, "cannot be recorded") {
		t.Errorf("interrupted in month %d, %q; the disk has 5", s.Month, s.Message)
	}
	if snapshot, err := l.Indicators(context.Background(), "x", "", 0, 0, []string{"real_gdp"}); err != nil || snapshot.Month != 5 {
		t.Errorf("the latest month is %d, %v", snapshot.Month, err)
	}
	if _, err := db.Exec("ALTER TABLE monthly RENAME COLUMN elsewhere TO cpi"); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Resume(t.Context(), "x", 8, access.Operator()); err != nil {
		t.Fatal(err)
	}
	if s := l.wait("x", run.StatePaused); s.Month != 8 {
		t.Errorf("paused in month %d", s.Month)
	}
}

// A limit holds however many ask at the same time, and for what is taken up again.
func TestLimitsHold(t *testing.T) {
	l := newWorkshop(t, run.Settings{})
	l.start(lab.Order{Name: "left", Scenario: mustScenario(t), Replications: 1, Months: 3000, PauseAt: 1})
	l.wait("left", run.StatePaused)
	l.close()
	l.open()
	l.Limits.Running = 1
	var asking sync.WaitGroup
	for range 6 {
		asking.Go(func() {
			if _, err := l.Start(
				context.Background(), lab.Order{Scenario: mustScenario(t), Replications: 1, Months: 3000, PauseAt: 1},
			); err != nil && fault.KindOf(err) != fault.LimitExceeded {
				t.Error(err)
			}
		})
	}
	asking.Wait()
	if live := l.Runs.Live(); len(live) != 1 {
		t.Errorf("%d experiments live where one may", len(live))
	}
	if _, err := l.Resume(t.Context(), "left", 0, access.Operator()); fault.KindOf(err) != fault.LimitExceeded {
		t.Errorf("taken up beyond the limit: %v", err)
	}
	if s, err := l.Status(context.Background(), "left"); err != nil || s.State != run.StateInterrupted {
		t.Errorf("then it is %s, %v", s.State, err)
	}
}

// A start that is refused leaves no record, and the name free.
func TestRefusedStartLeavesNothing(t *testing.T) {
	l := newWorkshop(t, run.Settings{})
	for name, change := range map[string]func(){
		"too large":     func() { l.Runs = run.NewManager(run.Settings{MemoryBytes: 1 << 10}) },
		"shutting down": func() { l.Runs.Close(context.Background()) },
	} {
		change()
		if _, err := l.Start(
			context.Background(), lab.Order{Name: "x", Scenario: mustScenario(t), Replications: 1, Months: 2},
		); fault.KindOf(err) == "" {
			t.Errorf("%s: started", name)
		}
		if _, total, _, err := l.List(context.Background(), store.Filter{}); err != nil || total != 0 {
			t.Errorf("%s: %d records, %v", name, total, err)
		}
		l.close()
		l.open()
	}
	l.start(lab.Order{Name: "x", Scenario: mustScenario(t), Replications: 1, Months: 2})
	l.wait("x", run.StateCompleted)
	for verb, call := range map[string]func(context.Context, string, access.Caller) (lab.Status, error){"stopped": l.Stop, "paused": l.Pause} {
		if _, err := call(t.Context(), "x", access.Operator()); fault.KindOf(err) != fault.InvalidState || !strings.Contains(err.Error(), "cannot be "+verb+";") {
			t.Errorf("what has ended: %v; want that it cannot be %s", err, verb)
		}
	}
}

// What another process simulates can be followed: what it has left to do is not known.
func TestAnotherProcess(t *testing.T) {
	owner := newWorkshop(t, run.Settings{})
	l := &workshop{tb: t, dir: owner.dir, Settings: owner.Settings}
	l.open()
	t.Cleanup(l.close)
	owner.start(lab.Order{Name: "x", Scenario: mustScenario(t), Replications: 1, Months: 3000})
	seen := make(chan lab.Status, 1)
	paused := make(chan lab.Status)
	go func() {
		s, err := l.Wait(t.Context(), "x", func(s lab.Status) {
			select {
			case seen <- s:
			default:
			}
		})
		if err != nil {
			t.Error(err)
		}
		paused <- s
	}()
	if s := <-seen; !s.Running() || !math.IsNaN(s.ETASeconds) {
		t.Errorf("%s, %g seconds left", s.State, s.ETASeconds)
	}
	want, err := owner.Pause(t.Context(), "x", access.Operator())
	if err != nil {
		t.Fatal(err)
	}
	if s := <-paused; s.State != run.StatePaused || s.Month != want.Month {
		t.Errorf("%s in month %d; it is paused in month %d", s.State, s.Month, want.Month)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if s, err := l.Wait(ctx, "x", nil); err != nil || s.State != run.StatePaused {
		t.Errorf("%s, %v", s.State, err)
	}
}

// Tables of the month that an experiment is in are those of its economies; of an earlier
// month they are complete where they can be simulated again, and say so where they cannot.
func TestTables(t *testing.T) {
	l := newWorkshop(t, run.Settings{})
	l.start(lab.Order{Name: "x", Scenario: mustScenario(t), Replications: 2, Months: 6000})
	before, err := l.Status(context.Background(), "x")
	for err == nil && before.Month < 3 {
		before, err = l.Status(context.Background(), "x")
	}
	for range 3 {
		place, groups, err := l.Households(t.Context(), "x", "", 0, "employment")
		if err != nil || place.Month < before.Month || place.Partial || math.IsNaN(float64(groups[0].Income.Median.Mean)) {
			t.Errorf("while it runs, after month %d: %+v, %v", before.Month, place, err)
		}
		before.Month = place.Month
	}
	if summary, err := l.Summary(context.Background(), "x"); err != nil || summary.Months < before.Month {
		t.Errorf("a summary of month %d after %d, %v", summary.Months, before.Month, err)
	}
	if _, err := l.Stop(t.Context(), "x", access.Operator()); err != nil {
		t.Fatal(err)
	}

	big := mustScenario(t, "num_households", 4000, "burn_in_months", 1)
	l.start(lab.Order{Name: "y", Scenario: big, Replications: 1, Months: 8})
	l.wait("y", run.StateCompleted)
	for _, by := range []string{"income_decile", "wealth_decile", "skill"} {
		for _, month := range []int{4, 8} {
			place, groups, err := l.Households(t.Context(), "y", "", month, by)
			if err != nil || place.Month != month || place.Partial || math.IsNaN(float64(groups[1].Income.Median.Mean)) {
				t.Errorf("%s in month %d: %+v, %v", by, month, place, err)
			}
		}
	}
	for _, by := range []string{"", "industry", "size"} {
		if place, _, err := l.Firms(t.Context(), "y", "", 4, by); err != nil || place.Partial {
			t.Errorf("firms by %q: %+v, %v", by, place, err)
		}
	}

	if _, err := l.database().Exec("UPDATE experiment SET model_version = 'another'"); err != nil { // which cannot be simulated again
		t.Fatal(err)
	}
	place, groups, err := l.Households(t.Context(), "y", "", 4, "income_decile")
	if err != nil || !place.Partial || math.IsNaN(float64(groups[1].Income.Mean.Mean)) || !math.IsNaN(float64(groups[1].Income.Median.Mean)) {
		t.Errorf("from the record: %+v, %+v, %v", place, groups[1].Income, err)
	}
	if _, _, err := l.Households(t.Context(), "y", "", 4, "skill"); fault.KindOf(err) != fault.InvalidState ||
		!strings.Contains(err.Error(), "model version") {
		t.Errorf("what the record does not hold: %v", err)
	}
	if place, _, err := l.Households(t.Context(), "y", "", 4, ""); err != nil || place.Partial {
		t.Errorf("all households: %+v, %v", place, err)
	}
}

// What was interrupted can be stopped without being resumed, by any model version: it keeps its months
// and gives back what it reserved.
func TestStopOfWhatWasInterrupted(t *testing.T) {
	for _, version := range []string{sim.ModelVersion, "another"} {
		l := newWorkshop(t, run.Settings{})
		bytes := func() int64 {
			t.Helper()
			account, err := l.Store.Account(t.Context(), "")
			if err != nil {
				t.Fatal(err)
			}
			return account.Bytes()
		}
		l.start(lab.Order{Name: "x", Scenario: mustScenario(t), Replications: 2, Months: 1200, PauseAt: 10})
		l.wait("x", run.StatePaused)
		l.close()
		l.open()
		if _, err := l.database().Exec("UPDATE experiment SET model_version = ?", version); err != nil {
			t.Fatal(err)
		}
		reserved := bytes()
		l.Store.Limits.Bytes = 1 // what gives back is not refused
		if _, err := l.Stop(t.Context(), "x", access.Caller{Principal: "eve", Role: access.Full}); fault.KindOf(err) != fault.Forbidden {
			t.Errorf("stopped by another: %v", err)
		}
		_, err := l.Pause(t.Context(), "x", access.Operator())
		if fault.KindOf(err) != fault.InvalidState || !strings.Contains(err.Error(), "stop_simulation") {
			t.Errorf("paused: %v", err)
		}
		if version != sim.ModelVersion {
			_, err := l.Resume(t.Context(), "x", 0, access.Operator())
			if fault.KindOf(err) != fault.InvalidState || !strings.Contains(err.Error(), "stop_simulation") {
				t.Errorf("resumed: %v", err)
			}
		}
		s, err := l.Stop(t.Context(), "x", access.Operator())
		if err != nil || s.State != run.StateStopped || s.Month != 10 || s.ETASeconds != 0 || len(s.Latest.Values) == 0 {
			t.Fatalf("%s: %+v, %v", version, s, err)
		}
		if now := bytes(); now <= 0 || now > reserved/20 {
			t.Errorf("%d bytes count, of %d that were reserved", now, reserved)
		}
		series, err := l.Series(t.Context(), "x", "", "cpi", "all", 1, 0, 1)
		if err != nil || len(series.Months) != 10 {
			t.Errorf("%d months are left, %v", len(series.Months), err)
		}
		for what, call := range map[string]func() error{
			"stopped":  func() error { _, err := l.Stop(t.Context(), "x", access.Operator()); return err },
			"resumed":  func() error { _, err := l.Resume(t.Context(), "x", 0, access.Operator()); return err },
			"repeated": func() error { return l.Rerun(t.Context(), "x", 1, func(lab.Rerun) {}) },
		} {
			if err := call(); fault.KindOf(err) != fault.InvalidState || strings.Contains(err.Error(), "or resume it") {
				t.Errorf("%s once it is stopped: %v", what, err)
			}
		}
		l.close()
		l.open()
		if s, err := l.Status(t.Context(), "x"); err != nil || s.State != run.StateStopped || s.Month != 10 {
			t.Errorf("later it is %s in month %d, %v", s.State, s.Month, err)
		}
		if _, err := l.Store.Delete(t.Context(), "x"); err != nil {
			t.Error(err)
		}
		l.close()
	}
}

// Replications that were being added are dropped then, and those that are complete stay.
func TestStopOfWhatWasInterruptedWhileReplicationsWereAdded(t *testing.T) {
	l := newWorkshop(t, run.Settings{})
	l.start(autoOrder(t, .001, 200))
	l.added("x")
	l.close()
	l.open()
	left, err := l.Status(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	s, err := l.Stop(t.Context(), "x", access.Operator())
	if err != nil || s.State != run.StateStopped || s.Replications != left.ReplicationsDone || s.ReplicationsDone != left.ReplicationsDone ||
		s.Month != autoMonths || !strings.Contains(s.Message, "those under way were dropped") {
		t.Errorf("%+v, %v; it was left as %+v", s, err, left)
	}
	l.hashes("x")
}

// What becomes of a question is noted although it was interrupted, and other programs wait for its end.
func TestInterruptedQuestionIsConcluded(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	q, err := w.Inquire(mustInquiry(t, `
question: Who pays for a VAT rise?
background: {set: {num_households: 500}}
arms: {vat: {events: [{set: {vat_rate: 12%}, from: 3}]}}
outcomes: [{metric: real_consumption}]
design: {months: 12, replications: 2, burn_in: 12}
`), "x", "")
	if err != nil {
		t.Fatal(err)
	}
	q.Order.PauseAt = 4
	if _, err := w.Launch(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	w.wait("x", run.StatePaused)
	w.close()
	w.open()
	if _, err := w.Resume(t.Context(), "x", 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	w.wait("x", run.StateCompleted)
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for {
		x, err := w.Store.Experiment(ctx, "x")
		if err != nil {
			t.Fatal(err)
		}
		if x.Captured.Status == "completed" {
			return
		}
	}
}
