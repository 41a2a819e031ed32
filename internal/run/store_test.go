package run_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
)

// onStore records in a store.
type onStore struct {
	discard
	*store.Journal
}

func (o onStore) Record(e run.Event) error {
	switch e := e.(type) {
	case run.StateChanged:
		return o.State(string(e.State), e.Month, e.Message)
	case run.MonthsSimulated:
		if err := o.Months(e.Arm, e.Replication, e.Records); err != nil || e.Began == nil {
			return err
		}
		return o.Began(e.Arm, e.Replication, e.Began)
	case run.RunEnded:
		return o.Ended(e.Arm, e.Replication, e.StateHash, e.Began)
	case run.ScenarioChanged:
		return o.Plan(e.Arm, e.Scenario.Encode(), e.Scenario.Hash(), 0)
	case run.CheckpointDue:
		return o.Checkpoint(e.Month, e.Write)
	case run.Left:
		return o.Close()
	}
	return nil
}

// A manager on a real store: what another process left is taken up with what was injected
// meanwhile, to the bits of an experiment that nothing happened to.
func TestOnAStore(t *testing.T) {
	st, err := store.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	const months = 100
	arms := arms(t)
	stored := make([]store.Arm, len(arms))
	for _, g := range run.Groups(arms) {
		for _, a := range g.Arms {
			arms[a].Scenario = g.Simulated(arms[a].Scenario)
			stored[a] = store.Arm{Name: arms[a].Name, Scenario: arms[a].Scenario.Encode(), Hash: arms[a].Scenario.Hash()}
		}
	}
	j, err := st.Create(context.Background(), store.Experiment{Name: "x", Months: months, Arms: stored}, seeds, false)
	if err != nil {
		t.Fatal(err)
	}
	p := run.Task{Name: "x", Arms: arms, Seeds: seeds, Months: months, Recorder: onStore{Journal: j}, PauseAt: 20}
	m := mustManager(t, run.Settings{CheckpointEvery: 20 * time.Millisecond})
	mustStart(t, m, p)
	mustWait(t, m, "x", run.StatePaused)
	late := wage(t, 50, "")
	late.TargetMonth = 80
	if _, _, err := m.Inject(t.Context(), "x", "treatment", late, ""); err != nil {
		t.Fatal(err)
	}
	if _, err := m.Resume(t.Context(), "x", 60); err != nil {
		t.Fatal(err)
	}
	mustWait(t, m, "x", run.StatePaused)
	if err := m.Close(t.Context()); err != nil {
		t.Fatal(err)
	}

	x, err := st.Experiment(context.Background(), "x")
	if err != nil || x.State != "interrupted" || x.Month != 60 || !slices.Equal(x.Runs[2].Began, []int{4, 6, 7, 0}) {
		t.Fatalf("%s in month %d, began %v, %v", x.State, x.Month, x.Runs[2].Began, err)
	}
	month, open, err := st.Checkpoint(context.Background(), "x")
	if err != nil || month == 0 || month > 60 {
		t.Fatalf("a checkpoint of month %d, %v", month, err)
	}
	if j, err = st.Take(context.Background(), "x"); err != nil {
		t.Fatal(err)
	}
	for a := range arms {
		if arms[a].Scenario, err = scenario.Decode(x.Arms[a].Name, x.Arms[a].Scenario); err != nil {
			t.Fatal(err)
		}
	}
	m = mustManager(t, run.Settings{})
	p.Recorder, p.PauseAt, p.Arms = onStore{Journal: j}, 0, arms
	p.From, p.Recorded = &run.Checkpoint{Month: month, Open: open}, run.Recorded{Month: x.Month}
	mustStart(t, m, p)
	mustWait(t, m, "x", run.StateCompleted)

	if x, err = st.Experiment(context.Background(), "x"); err != nil || x.State != "completed" || x.Month != months ||
		!slices.Equal(x.Runs[3].Began, []int{4, 6, 7, 80}) {
		t.Errorf("%s in month %d, began %v, %v", x.State, x.Month, x.Runs[3].Began, err)
	}
	for k, r := range x.Runs {
		hash, want := alone(t, arms[k/len(seeds)].Scenario, r.Seed, months)
		got, err := st.Records(context.Background(), "x", r.Arm, r.Replication, 1, 0, 1)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %d months, or other bits, %v", r.ID, len(got), err)
		}
		if hash != r.StateHash {
			t.Errorf("%s: another state at the end", r.ID)
		}
	}
}
