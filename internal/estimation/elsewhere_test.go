package estimation

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/quarterly"
	"econ-mcp/internal/run"
	"econ-mcp/internal/sweep"
)

// worked is an engine whose shards are processes of this machine, and which is interrupted before each wave for the first time.
func worked(t *testing.T, hashes map[string]int) Engine {
	return func(ctx context.Context, what string, p *sweep.Plan, folder string) error {
		hashes[what+" "+p.Hash]++
		read, err := sweep.ReadEconomies(folder)
		if err != nil || read.Hash != p.Hash {
			t.Errorf("the economies of %s in their folder: %v", what, err)
		}
		of := 1 + hashes[what+" "+p.Hash]%2 // half of the economies first
		w := sweep.Work{
			Plan: read, Shard: sweep.Shard{I: 1, N: of}, Folder: filepath.Join(folder, sweep.RunsFolder), Threads: 2, Measure: Measure,
		}
		if _, err := w.Run(ctx); err != nil {
			return err
		}
		if of > 1 {
			return errInterrupted
		}
		return nil
	}
}

var errInterrupted = errors.New("interrupted")

// A posterior whose waves others simulate is that of one machine to the bit; after an interruption it asks for the same economies again,
// and in the end nothing is left of what was given out.
func TestPosteriorElsewhere(t *testing.T) {
	long(t)
	const text = `
households: 500
replications: 2
parameters: {government_employment_share: [0.05, 0.3]}
only: [share G, share C]
posterior: {points: 8, waves: 1, predictive: 20, draws: 100}
`
	reality := mustReality(t, 60, nil)
	here := estimationOf(t, text, reality)
	here.chains = quick
	want := mustPosterior(t, here)
	known, hashes := t.TempDir(), map[string]int{}
	var r *Posterior
	interrupted := 0
	for r == nil {
		e := estimationOf(t, text, reality)
		e.Known, e.chains, e.Engine = known, quick, worked(t, hashes)
		var err error
		if r, err = e.Posterior(t.Context()); errors.Is(err, errInterrupted) {
			interrupted++
		} else if err != nil {
			t.Fatal(err)
		}
		if interrupted > 2 {
			t.Fatal("the same call does not go on")
		}
	}
	if r.Markdown("") != want.Markdown("") || !reflect.DeepEqual(r.Draws, want.Draws) {
		t.Error("another posterior than that of one machine")
	}
	if len(hashes) != 2 || interrupted != 2 || r.Simulated != 20 {
		t.Errorf("%d plans, %d interruptions, %d sets simulated in the last call", len(hashes), interrupted, r.Simulated)
	}
	for _, n := range hashes {
		if n != 2 {
			t.Errorf("plans were asked for %v", hashes)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(known, "wave-*")); left != nil {
		t.Errorf("left: %q", left)
	}
	// All is known: the engine has nothing to do.
	e := estimationOf(t, text, reality)
	e.Known, e.chains = known, quick
	e.Engine = func(context.Context, string, *sweep.Plan, string) error { return errInterrupted }
	if again := mustPosterior(t, e); again.Simulated != 0 {
		t.Errorf("%d simulated again", again.Simulated)
	}
}

// What is asked of workers survives its text, data and tables of facts included.
func TestAsked(t *testing.T) {
	reality := mustReality(t, 40, nil)
	adults := make([]float64, 40)
	for q := range adults {
		adults[q] = 100 * math.Exp(.003*float64(q))
	}
	reality.Data.Values[quarterly.Adults] = adults
	e := estimationOf(t, "parameters: {hiring_rate: [0.1, 0.5]}\ntables: [micro, responses]\nleave_out: [responses 6]", reality)
	text, err := json.Marshal(e.asked())
	if err != nil {
		t.Fatal(err)
	}
	var read asked
	if err := json.Unmarshal(text, &read); err != nil || !reflect.DeepEqual(read, e.asked()) {
		t.Errorf("%v: %s", err, text)
	}
	if of := read.Samples[0]; len(read.Tables) != 2 || !slices.Equal(read.Tables[1].Without, []int{6}) || !of.Adults || !(of.Growth > .01) {
		t.Errorf("asked %+v", read)
	}
}

// What comes back broken, or does not come back, is no measurement.
func TestBrokenMeasurements(t *testing.T) {
	long(t)
	e := estimationOf(t, `
households: 500
replications: 2
parameters: {government_employment_share: [0.05, 0.3]}
posterior: {points: 7, waves: 1, predictive: 0}
`, mustReality(t, 60, nil))
	e.Engine = func(context.Context, string, *sweep.Plan, string) error { return nil }
	_, err := e.Posterior(t.Context())
	if u, ok := errors.AsType[*Unfinished](err); !ok || u.Missing != 7 {
		t.Errorf("nothing came back: %v", err)
	}
	e.Engine = func(_ context.Context, _ string, p *sweep.Plan, folder string) error {
		into, err := sweep.NewRecorder(filepath.Join(folder, sweep.RunsFolder), "broken")
		if err != nil {
			return err
		}
		_, err = into.Add(&sweep.Record{Key: p.Runs[0].Key(), Model: version, State: "no digest", Measured: []byte{1, 2}})
		return errors.Join(err, into.Close())
	}
	if _, err = e.Posterior(t.Context()); fault.KindOf(err) != fault.InvalidState {
		t.Errorf("broken bytes: %v", err)
	}
	// What was given out lacks an economy that was known then: to wait for it would never end.
	e.Known = t.TempDir()
	e.Engine = func(ctx context.Context, _ string, p *sweep.Plan, folder string) error {
		w := sweep.Work{
			Plan: p, Shard: sweep.Shard{I: 1, N: 2}, Folder: filepath.Join(folder, sweep.RunsFolder), Threads: 2, Measure: Measure,
		}
		_, err := w.Run(ctx)
		return err
	}
	again := func() error {
		_, err := e.Posterior(t.Context())
		return err
	}
	unfinished := func(err error) bool { _, ok := errors.AsType[*Unfinished](err); return ok }
	if err := again(); !unfinished(err) {
		t.Fatal(err)
	}
	waves, _ := filepath.Glob(filepath.Join(e.Known, "wave-*"))
	if len(waves) != 1 || os.RemoveAll(waves[0]) != nil {
		t.Fatal(waves)
	}
	e.Engine = func(context.Context, string, *sweep.Plan, string) error { return nil }
	if err := again(); !unfinished(err) {
		t.Fatal(err)
	}
	all, _ := filepath.Glob(filepath.Join(e.Known, "*"))
	for _, file := range all {
		if file != waves[0] && os.RemoveAll(file) != nil {
			t.Fatal(file)
		}
	}
	if err := again(); fault.KindOf(err) != fault.InvalidState || !strings.Contains(err.Error(), waves[0]) {
		t.Errorf("an economy that was not given out: %v", err)
	}
	what := e.asked()
	what.Measurement--
	text, err := json.Marshal(what)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Measure(t.Context(), text, e.Scenario, 2, 1, run.Cache{}); fault.KindOf(err) != fault.Conflict {
		t.Errorf("another measurement: %v", err)
	}
}

// Draws are the same from either file, and a Parquet file that is cut off or of somebody else is refused.
func TestDrawsInParquet(t *testing.T) {
	r := &Posterior{
		Scenario: "baseline", Hash: "abc", Seed: 3, names: []Parameter{{"hiring_rate", .1, .5}, {"benefit_months", 6, 24}},
		Draws: [][]float64{{.2, 12}, {.31, 7}, {.1234, 24}},
	}
	var csv, columns bytes.Buffer
	if err := errors.Join(r.WriteCSV(&csv), r.WriteParquet(&columns)); err != nil {
		t.Fatal(err)
	}
	want, err := ReadDraws("--posterior", csv.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadDraws("--posterior", columns.Bytes())
	if err != nil || got.Scenario != want.Scenario || !slices.Equal(got.Names, want.Names) || !reflect.DeepEqual(got.Values, want.Values) {
		t.Fatalf("%v: %v, not %v", err, got, want)
	}
	if _, err := ReadDraws("--posterior", columns.Bytes()[:columns.Len()-9]); fault.KindOf(err) != fault.WrongType {
		t.Errorf("a file that is cut off: %v", err)
	}
	r.Draws[1][1] = 7.5
	columns.Reset()
	if err := r.WriteParquet(&columns); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadDraws("--posterior", columns.Bytes()); fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("half a month: %v", err)
	}
	other, err := os.ReadFile(filepath.Join("..", "..", "docs", "DECISIONS.md"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := ReadDraws("--posterior", append([]byte("PAR1"), other...)); fault.KindOf(err) != fault.WrongType {
		t.Errorf("no Parquet: %v", err)
	}
}
