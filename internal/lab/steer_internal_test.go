package lab

import (
	"context"
	"testing"

	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// Until an experiment that was taken up from a checkpoint has simulated a month here, its
// status shows what the store has of the last one.
func TestStatusBeforeTheFirstMonthHere(t *testing.T) {
	s, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	l := &Laboratory{Runs: run.NewManager(run.Settings{}), Store: s}
	p := sim.Defaults()
	p.NumHouseholds, p.BurnInMonths, p.NumIterations = 1000, 0, 3
	if _, err := l.Start(context.Background(), Order{Name: "x", Scenario: scenario.New("x", p), Replications: 1}); err != nil {
		t.Fatal(err)
	}
	want, err := l.Wait(t.Context(), "x", nil)
	if err != nil || want.State != run.StateCompleted {
		t.Fatalf("%+v, %v", want, err)
	}
	got := l.live(
		context.Background(), run.Status{Name: "x", State: run.StateQueued, Month: 3, Months: 6, Replications: 1, Arms: []string{OnlyArm}},
	)
	if got.Latest.Month != 3 || len(got.Latest.Values) != len(want.Latest.Values) ||
		got.Latest.Values[0].Value != want.Latest.Values[0].Value {
		t.Errorf(
			"month %d with %d values, want month 3 with the %d of %s", got.Latest.Month, len(got.Latest.Values), len(want.Latest.Values), want.Name,
		)
	}
}
