package sweep_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/sweep"
	"econ-mcp/sim"
)

// toMeasure are three economies, which differ in a parameter and in their seeds.
func toMeasure(t *testing.T, what string) *sweep.Plan {
	t.Helper()
	var list []sweep.MeasuredEconomy
	for k, share := range []float64{.1, .15, .2} {
		p := sim.Defaults()
		p.NumHouseholds, p.BurnInMonths = 600, 6
		if err := p.Set("government_employment_share", share); err != nil {
			t.Fatal(err)
		}
		list = append(list, sweep.MeasuredEconomy{Scenario: scenario.New("set", p), Seed: uint64(k + 7), Replications: 2, Months: 6})
	}
	return sweep.NewMeasurement(json.RawMessage(what), list)
}

// months says of each economy what it was asked, and the state to which its replications come.
func months(
	ctx context.Context, what json.RawMessage, s scenario.Scenario, replications, threads int, _ run.Cache,
) (found []byte, digest string, err error) {
	states := make([]string, replications)
	_, err = run.Simulation{
		Arms: []run.Arm{{Name: "set", Scenario: s}}, Seeds: run.Seeds(uint64(s.Params.RandomState), replications), Months: 6, Threads: threads,
		Observe: func(_, replication int, e *sim.Economy) error { states[replication] = e.StateHash(); return nil },
	}.Run(ctx)
	digest = fmt.Sprint(string(what), states)
	return []byte(digest), digest, err
}

func mustMeasure(t *testing.T, p *sweep.Plan, folder string, shard sweep.Shard) {
	t.Helper()
	w := sweep.Work{Plan: p, Shard: shard, Folder: folder, Threads: 2, Measure: months}
	if _, err := w.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// found is what was measured, by key.
func measuredIn(t *testing.T, folder string) map[string]string {
	t.Helper()
	known, err := sweep.Load(folder)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for key, r := range known {
		out[key] = string(r.Measured)
	}
	return out
}

// What is measured in shards by those who read the economies from their folder, and by workers who are sent tasks, is what the plan's own
// process measures; what else is measured of the same economies has other keys.
func TestEconomiesAreMeasured(t *testing.T) {
	p, whole := toMeasure(t, `{"of":"states"}`), t.TempDir()
	mustMeasure(t, p, whole, sweep.Shard{I: 1, N: 1})
	want := measuredIn(t, whole)
	if len(want) != 3 || !strings.HasPrefix(want[p.Runs[0].Key()], `{"of":"states"}`) {
		t.Fatalf("measured %q", want)
	}
	folder := t.TempDir()
	if _, err := sweep.ReadEconomies(folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("of an empty folder: %v", err)
	}
	if err := p.WriteEconomies(folder); err != nil {
		t.Fatal(err)
	}
	runs := filepath.Join(folder, sweep.RunsFolder)
	for i := range 2 {
		read, err := sweep.ReadEconomies(folder)
		if err != nil || read.Hash != p.Hash {
			t.Fatalf("read again: %v", err)
		}
		mustMeasure(t, read, runs, sweep.Shard{I: i + 1, N: 2})
	}
	if got := measuredIn(t, runs); !reflect.DeepEqual(got, want) {
		t.Errorf("in shards %q, not %q", got, want)
	}
	into, err := sweep.NewRecorder(t.TempDir(), "recorder")
	if err != nil {
		t.Fatal(err)
	}
	defer into.Close()
	for _, part := range p.Parts(1) {
		for _, task := range into.Tasks(p, part) {
			text, err := json.Marshal(task)
			if err != nil {
				t.Fatal(err)
			}
			var sent sweep.Task
			if err := json.Unmarshal(text, &sent); err != nil {
				t.Fatal(err)
			}
			err = sent.Simulate(t.Context(), 1, run.Cache{}, months, func(r *sweep.Record) error {
				if string(r.Measured) != want[r.Key] {
					t.Errorf("a task measured %q", r.Measured)
				}
				fresh, err := into.Add(r)
				if !fresh {
					t.Errorf("%s is there already", r.Key)
				}
				other := *r
				other.State = "another"
				if _, differs := into.Add(&other); !errors.Is(differs, sweep.ErrDiffers) {
					t.Errorf("another result of a run: %v", differs)
				}
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
			sent.Measure = json.RawMessage(`{"of":"something else"}`)
			if err := sent.Simulate(t.Context(), 1, run.Cache{}, months, nil); fault.KindOf(err) != fault.Conflict {
				t.Errorf("a task whose key is of another measurement: %v", err)
			}
		}
	}
	for k, r := range toMeasure(t, `{"of":"something else"}`).Runs {
		if _, same := want[r.Key()]; same || r.Key() == p.Runs[k].Key() {
			t.Errorf("run %d is known by the same key, whatever is measured", k)
		}
	}
}

// Economies of another model, those that a program cannot measure, and broken files are refused.
func TestEconomiesThatCannotBeMeasured(t *testing.T) {
	p, folder := toMeasure(t, `1`), t.TempDir()
	w := sweep.Work{Plan: p, Shard: sweep.Shard{I: 1, N: 1}, Folder: t.TempDir()}
	if _, err := w.Run(t.Context()); fault.KindOf(err) != fault.InvalidState || !strings.Contains(err.Error(), "of those to measure: ") {
		t.Errorf("without a measurer: %v", err)
	}
	if err := p.WriteEconomies(folder); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, sweep.EconomiesFile)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for broken, want := range map[string]fault.Kind{
		strings.ReplaceAll(string(text), `"model_version":"`+sim.ModelVersion, `"model_version":"0.1`):          fault.Conflict,
		strings.Replace(string(text), "government_employment_share: 0.1", "government_employment_share: .3", 1): fault.Conflict,
		strings.Replace(string(text), `"measure":1`, `"measure":2`, 1):                                          fault.Conflict,
		string(text[:len(text)/2]): fault.InvalidState,
		"[]":                       fault.InvalidState,
	} {
		if broken == string(text) {
			t.Fatal("nothing is broken")
		}
		if err := os.WriteFile(file, []byte(broken), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := sweep.ReadEconomies(folder); fault.KindOf(err) != want {
			t.Errorf("%.80q: %v", broken, err)
		}
	}
}
