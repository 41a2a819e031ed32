package trials_test

import (
	"encoding/json"
	"errors"
	"reflect"
	"testing"

	"econ-mcp/internal/run"
	"econ-mcp/internal/trials"
	"econ-mcp/sim"
)

func TestInnovations(t *testing.T) {
	s := mustScenario(t, "random_state", 3)
	s.Params.NumIterations, s.Params.MaxConcurrentTasks = 48, 1
	var events [3][]sim.Event
	done := 0
	progress := func(p run.Progress) {
		if done++; p.Done != done || p.Of != 2*(s.BurnIn.BurnInMonths+48) || p.Replication != 1+(done-1)/(p.Of/2) {
			t.Errorf("progress %d of %d in replication %d, step %d", p.Done, p.Of, p.Replication, done)
		}
	}
	alone, err := trials.Innovations(t.Context(), s, 2, false, func(replication int, list []sim.Event) error {
		events[replication] = append(events[replication], list...)
		return nil
	}, run.Cache{}, progress)
	if err != nil {
		t.Fatal(err)
	}
	if len(events[0]) > 0 || len(events[1]) == 0 || len(events[2]) == 0 || reflect.DeepEqual(events[1], events[2]) {
		t.Errorf("%d and %d events of two replications", len(events[1]), len(events[2]))
	}
	s.Params.MaxConcurrentTasks = 3
	side, err := trials.Innovations(t.Context(), s, 2, false, nil, run.Cache{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := json.Marshal(alone)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(side)
	if err != nil || string(a) != string(b) {
		t.Errorf("another study side by side: %s, %s (%v)", a, b, err)
	}
	var decoded struct {
		Measure      string
		IntervalUnit string `json:"interval_unit"`
		Seed         int
		Responses    []struct {
			Kind         string
			Pairs        int
			Replications int
		}
	}
	if err := json.Unmarshal(a, &decoded); err != nil {
		t.Fatal(err)
	}
	if decoded.Measure != "revenue" || decoded.IntervalUnit != "replication" || decoded.Seed != 3 || len(decoded.Responses) < 10 {
		t.Errorf("study %+v", decoded)
	}
	full := errors.New("the disk is full")
	if _, err := trials.Innovations(
		t.Context(), s, 2, false, func(int, []sim.Event) error { return full }, run.Cache{}, nil,
	); !errors.Is(err, full) {
		t.Errorf("error %v, want %v", err, full)
	}
	if r := decoded.Responses[0]; r.Kind != "all" || r.Pairs == 0 || r.Replications != 2 {
		t.Errorf("first response %+v", r)
	}
}
