package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/atomicfile"
)

var kills = flag.Int("kills", 4, "how often TestKilledAtAnyMoment kills a server")

// worker is a client that has its server work until the server is killed, and remembers what it
// was told. Nobody else touches what it does.
type worker struct {
	*agent
	name string
	told
	tried  int    // the last number that was begun to be saved
	long   string // the experiment that goes on from server to server
	paused bool   // it is
	turns  int    // until that changes
}

// turns is how much other work is done while the long experiment goes on, or is paused.
const turns = 8

// told is what a server has said is saved.
type told struct {
	value         int // of the parameter that is the worker's own, in 1/10000
	preset        int // the same in the preset that is saved again and again
	files         []string
	started, done []string
	analyses      []string // experiment, version
	captured      []string
	month         int // that the long experiment had when it was paused
}

// ownParameter is what a worker sets in the workspace that all share.
var ownParameter = map[string]string{"a": "vat_rate", "b": "corporate_tax_rate"}

var errKilled = errors.New("the server is gone")

// attempt calls a tool. The error is errKilled where there is no answer.
func (w *worker) attempt(out any, tool, arguments string, values ...any) error {
	w.last++
	arguments = fmt.Sprintf(arguments, values...)
	fmt.Fprintf(w.stdin, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", w.last, tool, arguments)
	for {
		line, err := w.stdout.ReadBytes('\n')
		if err != nil {
			return errKilled
		}
		var message struct {
			ID     int
			Result callResult
		}
		if err := json.Unmarshal(line, &message); err != nil {
			return fmt.Errorf("%s: %w", line, err)
		}
		switch {
		case message.ID != w.last: // a notification
		case message.Result.IsError:
			return fmt.Errorf("%s %s: %s", tool, arguments, message.Result.Content[0].Text)
		case out == nil:
			return nil
		default:
			return json.Unmarshal(message.Result.StructuredContent, out)
		}
	}
}

// work goes on until stop or a kill. Each piece ends with what was answered noted.
func (w *worker) work(stop <-chan struct{}) error {
	for {
		for _, piece := range []func() error{w.set, w.save, w.simulate, w.pause} {
			select {
			case <-stop:
				return nil
			default:
			}
			if err := piece(); err != nil {
				return err
			}
		}
	}
}

func (w *worker) set() error {
	w.tried++
	err := w.attempt(nil, "set_parameter", `{"parameter_name":%q,"value":%g}`, ownParameter[w.name], float64(w.tried)/10000)
	if err == nil {
		w.value = w.tried
	}
	return err
}

func (w *worker) save() error {
	w.tried++
	same, value := "preset_"+w.name, float64(w.tried)/10000
	if err := w.attempt(nil, "save_preset", `{"name":%q,"parameters":{"vat_rate":%g},"overwrite":true}`, same, value); err != nil {
		return err
	}
	w.preset = w.tried
	added := fmt.Sprintf("%s_%d", w.name, w.tried)
	if err := w.attempt(nil, "save_preset", `{"name":%q,"parameters":{"vat_rate":%g}}`, added, value); err != nil {
		return err
	}
	w.files = append(w.files, "presets/"+same+".yaml", "presets/"+added+".yaml")
	if err := w.attempt(nil, "save_current_config_to_yaml", `{"config_name":%q}`, "c"+added); err != nil {
		return err
	}
	w.files = append(w.files, "configs/c"+added+".yaml")
	return nil
}

// simulate carries out an experiment whose burn-in nobody has, and analyzes it.
func (w *worker) simulate() error {
	w.tried++
	name := fmt.Sprintf("%s_%d", w.name, w.tried)
	var s simulationStatus
	err := w.attempt(&s, "start_simulation", `{"experiment_name":%q,"months":3,"seed":%d,"wait_seconds":20}`, name, w.tried)
	if err != nil {
		return err
	}
	w.started = append(w.started, name)
	if s.State != "completed" {
		return fmt.Errorf("%s is %s", name, s.State)
	}
	w.done = append(w.done, name)
	var analysis struct{ Version int }
	if err := w.attempt(&analysis, "analyze_experiment", `{"experiment_name":%q}`, name); err != nil {
		return err
	}
	w.analyses = append(w.analyses, fmt.Sprintf("%s %d", name, analysis.Version))
	err = w.attempt(nil, "capture_experiment", `{"experiment_name":%q,"tags":["kill"]}`, name)
	if err == nil {
		w.captured = append(w.captured, name)
	}
	return err
}

// pause has the long experiment pause, and after other work go on. It keeps its state when it has
// paused for a second, after a second of work at least.
func (w *worker) pause() error {
	if w.turns--; w.turns > 0 {
		return nil
	}
	w.turns = turns
	if w.paused {
		w.paused = false
		return w.attempt(nil, "resume_simulation", `{"experiment_name":%q}`, w.long)
	}
	var s simulationStatus
	if err := w.attempt(&s, "get_simulation_status", `{"experiment_name":%q}`, w.long); err != nil || s.State != "running" {
		return err
	}
	if s.Total-s.Month < 500 { // it would end before it is paused
		return nil
	}
	if err := w.attempt(nil, "pause_simulation", `{"experiment_name":%q}`, w.long); err != nil {
		return err
	}
	if err := w.attempt(&s, "get_simulation_status", `{"experiment_name":%q}`, w.long); err != nil {
		return err
	}
	w.month, w.paused = max(w.month, s.Month), true
	return nil
}

// begin starts a long experiment.
func (w *worker) begin() {
	w.tb.Helper()
	w.tried++
	w.long, w.month = fmt.Sprintf("long_%s_%d", w.name, w.tried), 0
	w.mustCall("set_parameter", `{"parameter_name":"num_households","value":20000}`, nil)
	w.mustCall("start_simulation", fmt.Sprintf(`{"experiment_name":%q,"months":6000}`, w.long), nil)
	w.mustCall("set_parameter", `{"parameter_name":"num_households","value":600}`, nil)
}

// restart has a new server go on with what the one before it left.
func (w *worker) restart(tb testing.TB, dir string) {
	tb.Helper()
	w.agent, w.paused, w.turns = mustServe(tb, dir), false, 1+rand.IntN(turns)
	var value struct{ Value float64 }
	w.mustCall("get_parameter", fmt.Sprintf(`{"parameter_name":%q}`, ownParameter[w.name]), &value)
	if got := int(value.Value*10000 + .5); w.value > 0 && (got < w.value || got > w.tried) {
		tb.Errorf("the workspace has %d of %s; %d was set, %d tried", got, w.name, w.value, w.tried)
	}
	if s := w.status(w.long, 0); s.State == "completed" {
		w.begin()
		return
	}
	w.mustCall("resume_simulation", fmt.Sprintf(`{"experiment_name":%q}`, w.long), nil)
}

// mustBeThere compares what a worker was told with what another program finds.
func (w *worker) mustBeThere(tb testing.TB, dir string) {
	tb.Helper()
	count := func(query string, arguments ...any) int {
		tb.Helper()
		db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "econ-mcp.db")+"?mode=ro")
		must(tb, err)
		defer db.Close()
		var n int
		must(tb, db.QueryRow(query, arguments...).Scan(&n))
		return n
	}
	for _, name := range w.started {
		if count("SELECT count(*) FROM experiment WHERE name = ?", name) != 1 {
			tb.Errorf("%s was started and is not there", name)
		}
	}
	for _, name := range w.done {
		if got := storedMonths(tb, dir, name); got != 3 || storedState(tb, dir, name) != "completed" {
			tb.Errorf("%s was completed and is %s with %d months", name, storedState(tb, dir, name), got)
		}
	}
	for _, analysis := range w.analyses {
		name, version, _ := strings.Cut(analysis, " ")
		if count("SELECT count(*) FROM analysis JOIN experiment ON experiment.id = experiment WHERE name = ? AND version = ?", name, version) != 1 {
			tb.Errorf("the analysis %s is not there", analysis)
		}
	}
	for _, name := range w.captured {
		if count("SELECT count(*) FROM capture JOIN tag USING (experiment) JOIN experiment ON experiment.id = experiment WHERE name = ?", name) != 1 {
			tb.Errorf("%s was captured and is not", name)
		}
	}
	if got := storedMonths(tb, dir, w.long); got < w.month || storedState(tb, dir, w.long) == "failed" {
		tb.Errorf("%s is %s with %d months; it had %d when it was paused", w.long, storedState(tb, dir, w.long), got, w.month)
	}
	text, err := fs.ReadFile(os.DirFS(dir), "presets/preset_"+w.name+".yaml")
	if w.preset > 0 {
		must(tb, err)
		if got := rateOf(tb, text); got < w.preset || got > w.tried {
			tb.Errorf("the preset of %s holds %d; %d was saved, %d tried", w.name, got, w.preset, w.tried)
		}
	}
	for _, file := range w.files {
		if _, err := fs.Stat(os.DirFS(dir), file); err != nil {
			tb.Errorf("%s was saved: %v", file, err)
		}
	}
	w.told = told{value: w.value, preset: w.preset, month: w.month} // the rest was looked at
}

// rateOf is the VAT rate in a preset, in 1/10000.
func rateOf(tb testing.TB, text []byte) int {
	tb.Helper()
	found := regexp.MustCompile(`vat_rate: ([0-9.]+)`).FindSubmatch(text)
	if found == nil {
		tb.Fatalf("no rate in %s", text)
	}
	rate, err := strconv.ParseFloat(string(found[1]), 64)
	must(tb, err)
	return int(rate*10000 + .5)
}

// Servers that share a folder are killed at any moment, in the middle of all that they do. What they
// said is saved is there, what they had begun is carried on, and no file stays that nobody needs.
func TestKilledAtAnyMoment(t *testing.T) {
	dir := t.TempDir()
	workers := []*worker{{name: "a"}, {name: "b"}}
	for _, w := range workers {
		w.agent = mustServe(t, dir)
		w.mustCall("batch_set_parameters", `{"parameters":{"num_households":600,"burn_in_months":2}}`, nil)
		w.begin()
	}
	halves, sets := 0, 0 // files that were left half written, checkpoints that were there
	for i := range *kills {
		victim := workers[rand.IntN(len(workers))]
		stop, failures := make(chan struct{}), make([]error, len(workers))
		var work sync.WaitGroup
		for k, w := range workers {
			work.Go(func() { failures[k] = w.work(stop) })
		}
		after := rand.N(600 * time.Millisecond)
		if i%10 == 9 { // there is time for a checkpoint
			after += 4 * time.Second
		}
		time.AfterFunc(after, func() {
			victim.command.Process.Kill()
			close(stop)
		})
		if i%4 == 0 { // while they work
			mustBeSound(t, dir)
		}
		work.Wait()
		for k, w := range workers {
			if err := failures[k]; err != nil && !(w == victim && errors.Is(err, errKilled)) {
				t.Errorf("%s: %v; stderr: %s", w.name, err, w.stderr.String())
			}
		}
		victim.wait()
		for _, folder := range []string{"", "presets", "configs", "burn-in"} {
			left, err := atomicfile.Abandoned(filepath.Join(dir, folder))
			must(t, err)
			halves += len(left)
		}
		found, err := fs.Glob(os.DirFS(dir), "checkpoints/*/*")
		must(t, err)
		sets += len(found)
		victim.mustBeThere(t, dir)
		if t.Failed() {
			t.Fatalf("after %d kills", i+1)
		}
		victim.restart(t, dir)
	}
	for _, w := range workers {
		w.kill()
		w.mustBeThere(t, dir)
	}

	looked := mustBeSound(t, dir)
	if out, err := exec.Command("econ-mcp", "gc", "--data", dir).CombinedOutput(); err != nil {
		t.Errorf("gc: %v %s", err, out)
	}
	if out, err := exec.Command("econ-mcp", "doctor", "--data", dir).CombinedOutput(); err != nil {
		t.Errorf("doctor: %v %s", err, out)
	}
	mustBeNeeded(t, dir)
	t.Logf("%d kills, %d files left half written, %d times a checkpoint: %d experiments, %d months, %d saved scenarios",
		*kills+len(workers), halves, sets, looked.Experiments, looked.Months, looked.Scenarios)
}

// mustBeSound has doctor find nothing but what gc removes.
func mustBeSound(tb testing.TB, dir string) (looked doctorDocument) {
	tb.Helper()
	out, _ := exec.Command("econ-mcp", "doctor", "--data", dir, "--json").Output() // the findings are the result
	must(tb, json.Unmarshal(out, &looked))
	for _, f := range looked.Findings {
		if f.Kind != "left_over" {
			tb.Errorf("%+v", f)
		}
	}
	return looked
}

// mustBeNeeded compares the listing of a data folder with what its database names.
func mustBeNeeded(tb testing.TB, dir string) {
	tb.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "econ-mcp.db")+"?mode=ro&immutable=1")
	must(tb, err)
	defer db.Close()
	needed := map[string]bool{
		"econ-mcp.db": true, "locks/presets.lock": true, "locks/configs.lock": true,
		"workspaces/default.lock": true, "workspaces/default-2.lock": true, // of the two servers; a lock stays for the next who takes it
	}
	for _, query := range []string{
		"SELECT 'locks/' || id || '.lock' FROM experiment",
		"SELECT 'checkpoints/' || experiment || '/' || folder || '/' || arm.number || '-' || replication || '.snap' FROM checkpoint " +
			"JOIN arm USING (experiment) JOIN run ON run.arm = arm.id",
	} {
		rows, err := db.Query(query)
		must(tb, err)
		for rows.Next() {
			var name string
			must(tb, rows.Scan(&name))
			needed[name] = true
		}
		must(tb, rows.Err())
	}
	saved := regexp.MustCompile(`^(presets/[a-z0-9_]+\.yaml|configs/[a-z0-9_]+\.yaml|burn-in/[0-9a-f]+\.snap)$`)
	must(tb, fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		must(tb, err)
		switch {
		case !entry.IsDir():
			if !needed[name] && !saved.MatchString(name) {
				tb.Errorf("%s is left over", name)
			}
		case strings.HasPrefix(name, "checkpoints/"):
			inside := func(file string) bool { return strings.HasPrefix(file, name+"/") }
			if !slices.ContainsFunc(slices.Collect(maps.Keys(needed)), inside) {
				tb.Errorf("the folder %s is left over", name)
			}
		}
		return nil
	}))
}
