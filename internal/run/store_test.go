package run_test

import (
	"context"
	"testing"
	"time"

	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

func TestStoreTogether(t *testing.T) {
	dir := t.TempDir()
	st, err := store.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	arms := arms(t)
	var sa []store.Arm
	for _, g := range run.Groups(arms) {
		for _, a := range g.Arms {
			arms[a].Scenario = g.Simulated(arms[a].Scenario)
			sa = append(sa, store.Arm{Name: arms[a].Name, Scenario: arms[a].Scenario.Encode(), Hash: arms[a].Scenario.Hash()})
		}
	}
	const months = 400
	j, err := st.Create(store.Experiment{Name: "x", Plan: []byte("{}"), Months: months, Arms: sa}, seeds)
	if err != nil {
		t.Fatal(err)
	}
	m := run.NewManager(run.Settings{CheckpointEvery: 50 * time.Millisecond})
	p := run.Plan{Name: "x", Arms: arms, Seeds: seeds, Months: months, Recorder: j, Keeper: j, PauseAt: 20, Ended: func() {
		if err := j.Close(); err != nil {
			t.Error(err)
		}
	}}
	mustStart(t, m, p)
	mustWait(t, m, "x", run.StatePaused)
	late := wage(t, 50, "")
	late.TargetMonth = 300
	if _, _, err := m.Inject(t.Context(), "x", "treatment", late); err != nil {
		t.Fatal(err)
	}
	m.Resume(t.Context(), "x", 0)
	mustReach(t, m, "x", func(s run.Status) bool { return s.Month > 60 })
	began := time.Now()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	if err := m.Close(ctx); err != nil {
		t.Fatal(err)
	}
	t.Log("close", time.Since(began))
	x, err := st.Experiment("x")
	t.Log(x.State, x.Month, err)
	month, open, err := st.Checkpoint("x")
	t.Log("checkpoint", month, err)
	s, _ := m.Status("x")
	t.Log(s.State, s.Month, s.Message)
	j, err = st.Take("x")
	if err != nil {
		t.Fatal(err)
	}
	for a := range arms {
		arms[a].Scenario, err = scenario.Decode(x.Arms[a].Name, x.Arms[a].Scenario)
		if err != nil {
			t.Fatal(err)
		}
	}
	m = mustManager(t, run.Settings{})
	p.Recorder, p.Keeper, p.PauseAt, p.Arms = j, j, 0, arms
	p.From = &run.Checkpoint{Month: month, Open: open}
	mustStart(t, m, p)
	mustWait(t, m, "x", run.StateCompleted)
	x, _ = st.Experiment("x")
	t.Log(x.State, x.Month, x.Runs[2])
	for i, r := range x.Runs {
		hash, records := alone(t, arms[i/2].Scenario, r.Seed, months)
		got, err := st.Records("x", r.Arm, r.Replication, 1, 0, 1)
		if err != nil || len(got) != months {
			t.Fatal(len(got), err)
		}
		for k := range got {
			if got[k] != records[k] {
				t.Fatal(r.ID, k)
			}
		}
		if hash != r.StateHash {
			t.Error(r.ID)
		}
	}
	_ = sim.ModelVersion
	st.Close()
}
