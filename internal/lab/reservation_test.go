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

// What began in a run is stored with it, and its room is reserved: for interventions of the order and
// for those that are injected.
func TestInterventionsAreReserved(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	const months, replications, planned = 120, 3, 40
	need := func(interventions int) int64 { return replications * w.Store.RunBytes(months, interventions) }
	db := w.database()
	left := func(name string) (bytes int64) { // beyond what is stored, but for what has been noted already of what began
		t.Helper()
		err := db.QueryRow(`SELECT reserved - bytes + sum(octet_length(began) - 2) FROM experiment JOIN arm ON arm.experiment = experiment.id
			JOIN run ON run.arm = arm.id WHERE experiment.name = ?`, name).Scan(&bytes)
		if err != nil {
			t.Fatal(err)
		}
		return bytes
	}
	order := lab.Order{Name: "none", Scenario: mustScenario(t), Months: months, Replications: replications, PauseAt: 5}
	w.start(order)
	w.wait("none", run.StatePaused)
	order.Name = "many"
	for i := range planned {
		order.Scenario.Interventions = append(order.Scenario.Interventions, vat(50+i, ""))
	}
	w.start(order)
	w.wait("many", run.StatePaused)
	none, many := left("none"), left("many")
	if more := many - none; more < (need(planned)-need(0))*9/10 { // its months take a little more or less
		t.Errorf("%d bytes more are left with %d interventions than without, %d are needed", more, planned, need(planned)-need(0))
	}
	for _, name := range []string{"none", "many"} {
		w.inject(name, vat(100, ""))
	}
	if more := left("none") - none; more != need(1)-need(0) || more == 0 {
		t.Errorf("an injected intervention has %d bytes reserved", more)
	}
	if more := left("many") - many; more != need(planned+1)-need(planned) || more == 0 {
		t.Errorf("the %dst intervention has %d bytes reserved", planned+1, more)
	}
}

// What an older program began, which reserved nothing, reserves for the months that are left once it
// is resumed: those that it has on record count already.
func TestReservationOfWhatAnOlderProgramBegan(t *testing.T) {
	const months, left, replications = 120, 20, 3
	w := newWorkshop(t, run.Settings{})
	bytes := func() int64 {
		t.Helper()
		account, err := w.Store.Account(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		return account.Bytes()
	}
	w.start(lab.Order{
		Name: "x", Scenario: mustScenario(t, "num_households", 500), Months: months, Replications: replications, PauseAt: months - left,
	})
	w.wait("x", run.StatePaused)
	w.close()
	w.open()
	if _, err := w.database().Exec("UPDATE experiment SET reserved = 0"); err != nil {
		t.Fatal(err)
	}
	before := bytes()
	if _, err := w.Resume(t.Context(), "x", months-left+1, access.Operator()); err != nil {
		t.Fatal(err)
	}
	w.wait("x", run.StatePaused)
	x, err := w.Store.Experiment(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	reserved := bytes() - before
	if most := replications * w.Store.RunBytes(left+5, 0, 40_000); reserved <= 0 || reserved > most {
		t.Errorf("%d bytes are reserved for %d months of %d runs, which take %d at most", reserved, left, replications, most)
	}
	w.Store.Limits.Bytes = x.Reserved
	if _, err := w.Resume(t.Context(), "x", 0, access.Operator()); err != nil {
		t.Fatal(err)
	}
	w.wait("x", run.StateCompleted)
	if used := bytes(); used > before+reserved {
		t.Errorf("%d bytes are used, and %d were reserved", used, before+reserved)
	}
}
