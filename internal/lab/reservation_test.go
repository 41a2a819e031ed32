package lab_test

import (
	"context"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
)

// An experiment ends with what was reserved for it at its start, though the account is full
// meanwhile, it is interrupted, and months of it are simulated again. What it did not need is free
// then.
func TestReservationSuffices(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	bytes := func() int64 {
		t.Helper()
		account, err := w.Store.Account(context.Background(), "")
		if err != nil {
			t.Fatal(err)
		}
		return account.Bytes()
	}
	w.start(lab.Order{Name: "x", Scenario: mustScenario(t, "num_households", 500), Months: 120, Replications: 3, PauseAt: 50})
	w.wait("x", run.StatePaused)
	w.inject("x", vat(100, ""))
	reserved := bytes()
	w.close()

	w.open()
	w.Store.Limits.Bytes = reserved
	if _, err := w.Start(context.Background(), lab.Order{Scenario: mustScenario(t), Months: 1, Replications: 1}); fault.KindOf(err) !=
		fault.LimitExceeded {
		t.Errorf("another one beside what is reserved: %v", err)
	}
	if _, err := w.Resume(context.Background(), "x", 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	w.wait("x", run.StateCompleted)
	if used := bytes(); used > reserved || used < reserved/2 {
		t.Errorf("%d bytes were reserved, and %d are used", reserved, used)
	}
}
