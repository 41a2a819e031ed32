package lab_test

import (
	"context"
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "modernc.org/sqlite" // to change what is stored, as no program should

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/param"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// workshop is a laboratory in a folder that can be closed and opened again.
type workshop struct {
	tb  testing.TB
	dir string
	run.Settings
	*lab.Laboratory
}

func newWorkshop(tb testing.TB, s run.Settings) *workshop {
	tb.Helper()
	w := &workshop{tb: tb, dir: tb.TempDir(), Settings: s}
	w.Threads, w.MemoryBytes, w.Settings.Cache = 2, 1<<30, run.Cache{Dir: filepath.Join(w.dir, "burn-in")}
	w.open()
	tb.Cleanup(w.close)
	return w
}

func (w *workshop) open() {
	w.tb.Helper()
	st, err := store.Open(w.dir)
	if err != nil {
		w.tb.Fatal(err)
	}
	if _, err := st.Recover(context.Background()); err != nil {
		w.tb.Fatal(err)
	}
	library, err := param.OpenLibrary(w.dir, nil)
	if err != nil {
		w.tb.Fatal(err)
	}
	w.Laboratory = &lab.Laboratory{Runs: run.NewManager(w.Settings), Store: st, Scenarios: library, Cache: w.Settings.Cache, Version: "test"}
}

// close ends the month under way and saves, as a server does that is stopped.
func (w *workshop) close() {
	w.tb.Helper()
	if w.Laboratory == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	if err := w.Runs.Close(ctx); err != nil {
		w.tb.Error(err)
	}
	if err := w.Store.Close(); err != nil {
		w.tb.Error(err)
	}
	w.Laboratory = nil
}

func (w *workshop) start(o lab.Order) string {
	w.tb.Helper()
	if o.Replications == 0 {
		o.Replications = 2
	}
	started, err := w.Start(context.Background(), o)
	if err != nil {
		w.tb.Fatal(err)
	}
	return started.Name
}

func (w *workshop) wait(name string, state run.State) lab.Status {
	w.tb.Helper()
	s, err := w.Wait(w.tb.Context(), name, nil)
	if err != nil || s.State != state {
		w.tb.Fatalf("%s is %s in month %d (%s), %v; want %s", name, s.State, s.Month, s.Message, err, state)
	}
	return s
}

// reach waits until an experiment that runs is beyond a month.
func (w *workshop) reach(name string, month int) {
	w.tb.Helper()
	ctx, cancel := context.WithCancel(w.tb.Context())
	defer cancel()
	s, err := w.Wait(ctx, name, func(s lab.Status) {
		if s.Month > month {
			cancel()
		}
	})
	if err != nil || !s.Running() {
		w.tb.Fatalf("%s is %s in month %d, %v", name, s.State, s.Month, err)
	}
}

func (w *workshop) inject(name string, v sim.Intervention) {
	w.tb.Helper()
	if _, err := w.Inject(w.tb.Context(), name, "", v, access.Operator()); err != nil {
		w.tb.Fatal(err)
	}
}

func (w *workshop) hashes(name string) (list []string) {
	w.tb.Helper()
	x, err := w.Store.Experiment(context.Background(), name)
	if err != nil {
		w.tb.Fatal(err)
	}
	for _, r := range x.Runs {
		if r.StateHash == "" {
			w.tb.Errorf("%s has no hash", r.ID)
		}
		list = append(list, fmt.Sprintf("%s/%d %s", r.Arm, r.Replication, r.StateHash))
	}
	return list
}

func minimumWage(month int) sim.Intervention {
	return sim.Intervention{Type: sim.TypePolicy, TargetMonth: month, Policy: sim.PolicyChange{Policy: "minimum_wage", Level: .6}}
}

// An experiment whose server was stopped in mid-run is interrupted, keeps its months, and
// resumed it ends in the same bits as one that nothing happened to; from a checkpoint and
// without one, with what was injected before, and more than once.
func TestInterruptedAndResumed(t *testing.T) {
	const months, late = 700, 650
	for name, s := range map[string]run.Settings{"from a checkpoint": {CheckpointEvery: time.Millisecond}, "from the start": {}} {
		t.Run(name, func(t *testing.T) {
			w := newWorkshop(t, s)
			order := lab.Order{Scenario: mustScenario(t, "num_households", 500, "vat_rate", .15), Control: "baseline", Months: months}
			planned := order
			planned.Scenario.Interventions = []sim.Intervention{minimumWage(late)}
			order.Name, planned.Name = "disturbed", "undisturbed"
			w.start(planned)
			w.wait("undisturbed", run.StateCompleted)
			want := w.hashes("undisturbed")

			order.PauseAt = 5
			w.start(order)
			w.wait("disturbed", run.StatePaused)
			w.inject("disturbed", minimumWage(late))
			if _, err := w.Resume(t.Context(), "disturbed", 0, access.Operator()); err != nil {
				t.Fatal(err)
			}
			month := 5
			for n := range 2 { // first while it runs, then while it is paused
				if n == 0 {
					w.reach("disturbed", month)
				} else {
					w.wait("disturbed", run.StatePaused)
				}
				w.close()
				w.open()
				x, err := w.Store.Experiment(context.Background(), "disturbed")
				if err != nil || x.State != string(run.StateInterrupted) || x.Month <= month || x.Month >= late {
					t.Fatalf("%s in month %d, %v", x.State, x.Month, err)
				}
				month = x.Month
				status, err := w.Status(context.Background(), "disturbed")
				if err != nil || status.Running() || status.Month != month || status.Pending != 1 || len(status.Latest.Values) == 0 {
					t.Errorf("status %+v, %v", status, err)
				}
				list, err := w.Planned(context.Background(), "disturbed")
				if err != nil || len(list) != 1 || list[0].State != lab.Pending {
					t.Errorf("planned %+v, %v", list, err)
				}
				if at, _, err := w.Store.Checkpoint(context.Background(), "disturbed"); err != nil || (at > 0) != (s.CheckpointEvery > 0) {
					t.Errorf("a checkpoint of month %d, %v", at, err)
				}
				_, err = w.Resume(t.Context(), "disturbed", month-1, access.Operator())
				if fault.KindOf(err) != fault.InvalidState {
					t.Errorf("resumed up to a month that is over: %v", err)
				}
				if _, err := w.Pause(t.Context(), "disturbed", access.Operator()); fault.KindOf(err) != fault.InvalidState ||
					!strings.Contains(err.Error(), "resume_simulation") {
					t.Errorf("paused while interrupted: %v", err)
				}
				if n == 0 {
					resumed, err := w.Resume(t.Context(), "disturbed", month+10, access.Operator())
					if err != nil || !resumed.Running() {
						t.Fatalf("%+v, %v", resumed, err)
					}
				}
			}
			if _, err := w.Resume(t.Context(), "disturbed", late+1, access.Operator()); err != nil {
				t.Fatal(err)
			}
			if s := w.wait("disturbed", run.StatePaused); s.Month != late+1 {
				t.Errorf("paused in month %d", s.Month)
			}
			list, err := w.Planned(context.Background(), "disturbed")
			if err != nil || list[0].State != lab.Executed || list[0].Began != late {
				t.Errorf("planned %+v, %v", list, err)
			}
			if _, err := w.Resume(t.Context(), "disturbed", 0, access.Operator()); err != nil {
				t.Fatal(err)
			}
			w.wait("disturbed", run.StateCompleted)
			if got := w.hashes("disturbed"); fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%v\nwant %v", got, want)
			}
			a, _ := w.CSV(context.Background(), "undisturbed")
			if b, err := w.CSV(context.Background(), "disturbed"); err != nil || a != b {
				t.Errorf("other months (%v)", err)
			}
			// What innovations did was kept with each checkpoint.
			s, err := w.Study(context.Background(), "disturbed", inference.Choice{})
			if err != nil || len(s.Arms[0].Innovation) != 2 || s.Arms[0].Innovation[1].Months != months {
				t.Errorf("innovations were observed: %+v, %v", s.Arms[0].Innovation, err)
			}
		})
	}
}

// Rerun says that the bits are the same, that they are not where what is stored was
// tampered with, and refuses what another model version has simulated.
func TestRerun(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	scenario := mustScenario(t, "num_households", 500, "vat_rate", .15)
	scenario.Interventions = []sim.Intervention{minimumWage(4)}
	w.start(lab.Order{Name: "x", Scenario: scenario, Control: "baseline", Months: 8, PauseAt: 3})
	w.wait("x", run.StatePaused)
	rerun := func() (same, different int, err error) {
		err = w.Rerun(t.Context(), "x", 0, func(r lab.Rerun) {
			if r.Same() {
				same++
			} else {
				different++
			}
		})
		return same, different, err
	}
	if _, _, err := rerun(); fault.KindOf(err) != fault.InvalidState || !strings.Contains(err.Error(), "resume") {
		t.Errorf("while paused: %v", err)
	}
	w.inject("x", minimumWage(6))
	if _, err := w.Resume(t.Context(), "x", 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	w.wait("x", run.StateCompleted)
	if same, different, err := rerun(); same != 4 || different != 0 || err != nil {
		t.Errorf("%d runs the same, %d different, %v", same, different, err)
	}
	if text, err := w.Environment(context.Background(), "x"); text != "" || err != nil {
		t.Errorf("environment %q, %v", text, err)
	}
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.dir, "econ-mcp.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	change := func(query string) {
		t.Helper()
		result, err := db.Exec(query)
		if err != nil {
			t.Fatal(err)
		}
		if n, _ := result.RowsAffected(); n != 1 {
			t.Fatalf("%s: %d rows", query, n)
		}
	}
	change(`UPDATE arm SET scenario = replace(scenario, 'vat_rate: 0.15', 'vat_rate: 0.16') WHERE name = 'treatment'`)
	if same, different, err := rerun(); same != 2 || different != 2 || err != nil {
		t.Errorf("with another scenario: %d runs the same, %d different, %v", same, different, err)
	}
	change(`UPDATE experiment SET model_version = '0.0.0', code_version = 'older'`)
	if same, different, err := rerun(); fault.KindOf(err) != fault.InvalidState || same+different > 0 ||
		!strings.Contains(err.Error(), "older") {
		t.Errorf("of another model version: %v", err)
	}
	if text, err := w.Environment(context.Background(), "x"); !strings.Contains(text, "older") || err != nil {
		t.Errorf("environment %q, %v", text, err)
	}
}

// What another model version has begun cannot be resumed, and stays as it is.
func TestResumeAnotherVersion(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	w.start(lab.Order{Name: "x", Scenario: mustScenario(t, "num_households", 500), Months: 8, PauseAt: 3})
	w.wait("x", run.StatePaused)
	w.close()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(w.dir, "econ-mcp.db")+"?_pragma=busy_timeout(5000)")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec("UPDATE experiment SET model_version = '0.0.0'"); err != nil {
		t.Fatal(err)
	}
	w.open()
	_, err = w.Resume(t.Context(), "x", 0, access.Operator())
	if fault.KindOf(err) != fault.InvalidState || !strings.Contains(err.Error(), "start a new experiment") {
		t.Error(err)
	}
	if x, err := w.Store.Experiment(context.Background(), "x"); err != nil || x.State != string(run.StateInterrupted) || x.Month != 3 {
		t.Errorf("%s in month %d, %v", x.State, x.Month, err)
	}
}

// Two servers on one folder: what one simulates the other reads and does not touch.
func TestTwoServers(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	w.start(lab.Order{Name: "x", Scenario: mustScenario(t, "num_households", 500), Months: 8, PauseAt: 3})
	w.wait("x", run.StatePaused)
	other := &workshop{tb: t, dir: w.dir, Settings: w.Settings}
	other.open()
	t.Cleanup(other.close)
	s, err := other.Status(context.Background(), "x")
	if err != nil || s.State != run.StatePaused || s.Month != 3 || s.ETASeconds == 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if got, err := other.Indicators(context.Background(), "x", "", 0, 0, []string{"cpi"}); err != nil || got.Month != 3 {
		t.Errorf("%+v, %v", got, err)
	}
	for name, call := range map[string]func() error{
		"resume": func() error { _, err := other.Resume(t.Context(), "x", 0, access.Operator()); return err },
		"pause":  func() error { _, err := other.Pause(t.Context(), "x", access.Operator()); return err },
		"stop":   func() error { _, err := other.Stop(t.Context(), "x", access.Operator()); return err },
		"inject": func() error {
			_, err := other.Inject(t.Context(), "x", "", minimumWage(5), access.Operator())
			return err
		},
	} {
		if err := call(); fault.KindOf(err) != fault.InvalidState || !strings.Contains(err.Error(), "another process") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := w.Resume(t.Context(), "x", 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	w.wait("x", run.StateCompleted)
	if s, err := other.Status(context.Background(), "x"); err != nil || s.State != run.StateCompleted || s.Progress != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}
