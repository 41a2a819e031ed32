package lab_test

import (
	"context"
	"reflect"
	"testing"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
)

// mustLaboratory opens a folder as a process would. close ends it as one that is told to.
func mustLaboratory(tb testing.TB, dir string, settings ...run.Settings) (l *lab.Laboratory, close func()) {
	tb.Helper()
	if len(settings) == 0 {
		settings = []run.Settings{{}}
	}
	s, err := store.Open(dir)
	if err != nil {
		tb.Fatal(err)
	}
	if _, err := s.Recover(); err != nil {
		tb.Fatal(err)
	}
	l = &lab.Laboratory{Runs: run.NewManager(settings[0]), Store: s, Cache: settings[0].Cache}
	return l, func() {
		tb.Helper()
		if err := l.Runs.Close(context.Background()); err != nil {
			tb.Error(err)
		}
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
	}
}

// What an experiment shows of a month does not depend on where it is: in this process's
// memory, in the store, or taken up again from there.
func TestIndicatorsHereAndStored(t *testing.T) {
	dir := t.TempDir()
	ask := func(l *lab.Laboratory) []lab.Snapshot {
		t.Helper()
		var list []lab.Snapshot
		for _, q := range []struct{ month, replication int }{{0, 0}, {6, 2}, {4, 1}} {
			s, err := l.Indicators("x", "", q.month, q.replication, []string{"real_gdp", "cpi"})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, s)
		}
		return list
	}
	l, stop := mustLaboratory(t, dir)
	if _, err := l.Start(lab.Order{Name: "x", Scenario: mustScenario(t, "vat_rate", 0.2), Control: lab.BurnInControl, Replications: 2, Months: 60, PauseAt: 6}); err != nil {
		t.Fatal(err)
	}
	if s, err := l.Wait(t.Context(), "x", nil); err != nil || s.State != run.StatePaused {
		t.Fatalf("%+v, %v", s, err)
	}
	live := ask(l)
	if live[0].Month != 6 || live[0].Arm != "treatment" || live[0].Replications != 2 || live[1].Values[0].Value == live[0].Values[0].Value {
		t.Errorf("live: %+v", live)
	}
	for _, wrong := range []struct {
		arm         string
		replication int
	}{{"tretment", 0}, {"", 3}} {
		if s, err := l.Indicators("x", wrong.arm, 0, wrong.replication, nil); err == nil {
			t.Errorf("arm %q, replication %d: %+v", wrong.arm, wrong.replication, s)
		}
	}
	stop()

	l, stop = mustLaboratory(t, dir)
	defer stop()
	if stored := ask(l); !reflect.DeepEqual(stored, live) {
		t.Errorf("stored %+v\nlive   %+v", stored, live)
	}
	resumed, err := l.Resume(t.Context(), "x", 7)
	if err != nil {
		t.Fatal(err)
	}
	if latest := resumed.Latest; resumed.Month >= 6 && (latest.Month < 6 || len(latest.Values) == 0) {
		t.Errorf("after Resume at month %d: %+v", resumed.Month, latest)
	}
	if s, err := l.Wait(t.Context(), "x", nil); err != nil || s.State != run.StatePaused || s.Month != 7 || s.Latest.Month != 7 {
		t.Errorf("%+v, %v", s, err)
	}
}
