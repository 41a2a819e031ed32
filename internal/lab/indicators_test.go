package lab_test

import (
	"context"
	"reflect"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
)

// What an experiment shows of a month does not depend on where it is: in this process's
// memory, in the store, or taken up again from there.
func TestIndicatorsHereAndStored(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	ask := func() []lab.Snapshot {
		t.Helper()
		var list []lab.Snapshot
		for _, q := range []struct{ month, replication int }{{0, 0}, {6, 2}, {4, 1}} {
			s, err := w.Indicators(context.Background(), "x", "", q.month, q.replication, []string{"real_gdp", "cpi"})
			if err != nil {
				t.Fatal(err)
			}
			list = append(list, s)
		}
		return list
	}
	w.start(lab.Order{Name: "x", Scenario: mustScenario(t, "vat_rate", 0.2), Control: lab.BurnInControl, Months: 60, PauseAt: 6})
	w.wait("x", run.StatePaused)
	live := ask()
	if live[0].Month != 6 || live[0].Arm != "treatment" || live[0].Replications != 2 || live[1].Values[0].Value == live[0].Values[0].Value {
		t.Errorf("live: %+v", live)
	}
	for _, wrong := range []struct {
		arm         string
		replication int
	}{{"tretment", 0}, {"", 3}} {
		if s, err := w.Indicators(context.Background(), "x", wrong.arm, 0, wrong.replication, nil); err == nil {
			t.Errorf("arm %q, replication %d: %+v", wrong.arm, wrong.replication, s)
		}
	}
	w.close()

	w.open()
	if stored := ask(); !reflect.DeepEqual(stored, live) {
		t.Errorf("stored %+v\nlive   %+v", stored, live)
	}
	if _, err := w.Resume(t.Context(), "x", 7, access.Operator()); err != nil {
		t.Fatal(err)
	}
	if s := w.wait("x", run.StatePaused); s.Month != 7 || s.Latest.Month != 7 {
		t.Errorf("%+v", s)
	}
}
