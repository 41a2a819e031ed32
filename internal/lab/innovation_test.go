package lab_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
)

func TestInnovations(t *testing.T) {
	s := mustScenario(t, "random_state", 3)
	s.Params.NumIterations, s.Params.MaxConcurrentTasks = 48, 1
	alone, err := lab.Innovations(t.Context(), s, 2, false, true, run.Cache{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Params.MaxConcurrentTasks = 3
	side, err := lab.Innovations(t.Context(), s, 2, false, true, run.Cache{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(alone.Events, side.Events) {
		t.Error("other events on other threads")
	}
	if len(alone.Events) != 2 || len(alone.Events[0]) == 0 || reflect.DeepEqual(alone.Events[0], alone.Events[1]) {
		t.Errorf("events of %d replications", len(alone.Events))
	}
	a, err := json.Marshal(alone)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(side)
	if err != nil || string(a) != string(b) {
		t.Errorf("another study on other threads: %s, %s (%v)", a, b, err)
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
	if r := decoded.Responses[0]; r.Kind != "all" || r.Pairs == 0 || r.Replications != 2 {
		t.Errorf("first response %+v", r)
	}
}
