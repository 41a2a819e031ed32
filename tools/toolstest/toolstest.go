// Package toolstest is a laboratory in a temporary folder with all tools, for
// the tests of tools: real store, real manager, small economies.
package toolstest

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"econ-mcp/internal/access"
	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// Workspace is where calls are made unless another is named.
const Workspace = "default"

// Settings of a harness; the zero value has those of a server, with two workers.
type Settings struct {
	Workers     int
	MemoryBytes int64 // of all economies; 0 = 2 GiB, whatever the machine has
	Limits      lab.Limits
	Stored      store.Limits
	Now         func() time.Time
}

// Harness is a server's tools as a caller sees them. Its methods end the test where
// something goes wrong that the test does not ask for.
type Harness struct {
	Settings
	*app.App // nil between Close and Open
	Dir      string

	tb    testing.TB
	named map[string]tools.Tool
	fits  map[string]*jsonschema.Schema

	watched *sql.DB // for State
	version string  // of what was read last
	tables  map[string]string
}

// New opens a harness in a new folder, with a small economy of short burn-in in the default
// workspace: 500 households, 6 months of burn-in, 12 months.
func New(tb testing.TB, s Settings) *Harness {
	tb.Helper()
	d := &Harness{Settings: s, Dir: tb.TempDir(), tb: tb, fits: map[string]*jsonschema.Schema{}}
	d.Open()
	tb.Cleanup(func() { d.Close() })
	d.Small(Workspace)
	return d
}

// Small puts the small economy into a workspace.
func (d *Harness) Small(workspace string) {
	d.tb.Helper()
	d.CallAs(tools.Call{Workspace: workspace}, "batch_set_parameters",
		`{"parameters":{"num_households":500,"burn_in_months":6,"num_iterations":12}}`)
}

// Open opens the folder, as a server does when it starts.
func (d *Harness) Open() {
	d.tb.Helper()
	a, err := app.Open(d.Dir, app.Options{
		Runs:   run.Settings{Workers: d.Workers, Threads: 2, MemoryBytes: cmp.Or(d.MemoryBytes, 2<<30)},
		Limits: d.Limits, Stored: d.Stored, Version: "test", Now: d.Now,
	})
	if err != nil {
		d.tb.Fatal(err)
	}
	d.App = a
	d.named = map[string]tools.Tool{}
	list := d.Tools()
	for _, set := range d.Toolsets() {
		list = append(list, set.Tools...)
	}
	for _, t := range list {
		d.named[t.Name] = t
	}
}

// Close saves what runs and closes the folder, as a server does when it stops. A second
// call does nothing.
func (d *Harness) Close() {
	d.tb.Helper()
	if d.App == nil {
		return
	}
	if err := d.App.Close(); err != nil {
		d.tb.Error(err)
	}
	d.App = nil
}

// Tool is the tool of a name.
func (d *Harness) Tool(name string) tools.Tool {
	d.tb.Helper()
	t, ok := d.named[name]
	if !ok {
		d.tb.Fatalf("there is no tool %s", name)
	}
	return t
}

// Try calls a tool and returns its answer or its error.
func (d *Harness) Try(tool, arguments string) (tools.Result, error) {
	d.tb.Helper()
	return d.TryAs(d.tb.Context(), tools.Call{}, tool, arguments)
}

// TryAs is Try for a caller; one without a name is the operator.
func (d *Harness) TryAs(ctx context.Context, c tools.Call, tool, arguments string) (tools.Result, error) {
	d.tb.Helper()
	if c.Workspace == "" {
		c.Workspace = Workspace
	}
	if c.Principal == "" {
		c.Caller = access.Operator()
	}
	if c.Progress == nil {
		c.Progress = func(float64, float64, string) {}
	}
	return d.Tool(tool).Invoke(ctx, &c, json.RawMessage(arguments))
}

// Call wants an answer, checks it against the schema that the tool publishes, and reads it.
func (d *Harness) Call(tool, arguments string) Answer {
	d.tb.Helper()
	return d.CallAs(tools.Call{}, tool, arguments)
}

// CallAs is Call for a caller.
func (d *Harness) CallAs(c tools.Call, tool, arguments string) Answer {
	d.tb.Helper()
	got, err := d.TryAs(d.tb.Context(), c, tool, arguments)
	if err != nil {
		d.tb.Fatalf("%s %.300s: %v", tool, arguments, err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(got.JSON))
	if err != nil {
		d.tb.Fatalf("%s: %v in %.2000s", tool, err, got.JSON)
	}
	if err := d.schema(tool).Validate(v); err != nil {
		d.tb.Errorf("%s %.300s answers beside its schema: %v\n%.2000s", tool, arguments, err, got.JSON)
	}
	if len(got.JSON) > tools.MaxAnswer {
		d.tb.Errorf("%s %.300s: %d bytes", tool, arguments, len(got.JSON))
	}
	var out map[string]any
	if err := json.Unmarshal(got.JSON, &out); err != nil {
		d.tb.Fatal(err)
	}
	return Answer{d.tb, fmt.Sprintf("%s %.300s", tool, arguments), out, got}
}

func (d *Harness) schema(tool string) *jsonschema.Schema {
	d.tb.Helper()
	if s := d.fits[tool]; s != nil {
		return s
	}
	text, err := json.Marshal(d.Tool(tool).Output)
	if err != nil {
		d.tb.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		d.tb.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(tool, document); err != nil {
		d.tb.Fatal(err)
	}
	if d.fits[tool], err = c.Compile(tool); err != nil {
		d.tb.Fatalf("%s: %v", tool, err)
	}
	return d.fits[tool]
}

// Refused wants a refusal of a kind that names a field and says what to do, and returns
// it.
func (d *Harness) Refused(tool, arguments string, kind fault.Kind, field string) *fault.Error {
	d.tb.Helper()
	got, err := d.Try(tool, arguments)
	e, ok := errors.AsType[*fault.Error](err)
	if !ok {
		d.tb.Errorf("%s %.200s: %.300s, %v; want %s", tool, arguments, got.JSON, err, kind)
		return fault.New(fault.Internal, "", "")
	}
	if e.Kind != kind || e.Field != field || e.Hint == "" || len(e.Error()) > 1500 {
		d.tb.Errorf("%s %.200s: %s of %.90q, %.600v; want %s of %.90q", tool, arguments, e.Kind, e.Field, e, kind, field)
	}
	return e
}

// Wait follows an experiment with get_simulation_status until it does not run, and wants
// it in a state.
func (d *Harness) Wait(experiment, state string) Answer {
	d.tb.Helper()
	for {
		a := d.Call("get_simulation_status", fmt.Sprintf(`{"experiment_name":%q,"wait_seconds":60}`, experiment))
		if a.At("running") == true {
			continue
		}
		if a.At("run_status") != state {
			d.tb.Fatalf("%s is %v, want %s: %v", experiment, a.At("run_status"), state, a.Members)
		}
		return a
	}
}

// Rest waits until nothing runs: what is left has ended or is paused.
func (d *Harness) Rest() {
	d.tb.Helper()
	for _, live := range d.Runs.Live() {
		if live.State.Active() {
			if _, err := d.Runs.Wait(d.tb.Context(), live.Name, func(run.Status) {}); err != nil {
				d.tb.Fatal(err)
			}
		}
	}
}

// Run starts an experiment and waits until it has been completed. arguments are those of
// start_simulation beside the name, without braces.
func (d *Harness) Run(experiment, arguments string) Answer {
	d.tb.Helper()
	if arguments != "" {
		arguments = "," + arguments
	}
	a := d.Call("start_simulation", fmt.Sprintf(`{"experiment_name":%q%s}`, experiment, arguments))
	d.Wait(experiment, "completed")
	return a
}

// Answer is what a tool answered.
type Answer struct {
	tb      testing.TB
	call    string
	Members map[string]any
	tools.Result
}

// At reads a member by its path, such as "rows.0.metric"; nil where there is none.
func (a Answer) At(path string) any { return At(a.Members, path) }

// At reads a member of decoded JSON by its path; nil where there is none.
func At(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		switch x := v.(type) {
		case map[string]any:
			v = x[name]
		case []any:
			i := 0
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// Number reads a number; one that is not there ends the test.
func (a Answer) Number(path string) float64 {
	a.tb.Helper()
	return memberOf[float64](a, path)
}

// Text reads a text.
func (a Answer) Text(path string) string {
	a.tb.Helper()
	return memberOf[string](a, path)
}

// List reads a list.
func (a Answer) List(path string) []any {
	a.tb.Helper()
	return memberOf[[]any](a, path)
}

func memberOf[T any](a Answer, path string) T {
	a.tb.Helper()
	x, ok := a.At(path).(T)
	if !ok {
		a.tb.Fatalf("%s: %s = %v is no %T", a.call, path, a.At(path), x)
	}
	return x
}

// Want compares members by their paths.
func (a Answer) Want(members map[string]any) Answer {
	a.tb.Helper()
	for path, want := range members {
		if v := a.At(path); !reflect.DeepEqual(v, want) {
			a.tb.Errorf("%s: %s = %v, want %v", a.call, path, v, want)
		}
	}
	return a
}

// PlanAhead plans a change of the VAT for the next start, whatever runs, and returns its
// id.
func (d *Harness) PlanAhead(month int) string {
	d.tb.Helper()
	space, err := d.Spaces.Open(d.tb.Context(), Workspace)
	if err != nil {
		d.tb.Fatal(err)
	}
	change, err := sim.NewParameterChange("vat_rate", .2)
	if err != nil {
		d.tb.Fatal(err)
	}
	id, err := space.Plan(d.tb.Context(), sim.Intervention{
		Type: sim.TypeParameterChange, TargetMonth: month, Parameters: []sim.ParameterChange{change},
	})
	if err != nil {
		d.tb.Fatal(err)
	}
	return id
}

// Write puts a file into the folder of the harness.
func (d *Harness) Write(path, text string) {
	d.tb.Helper()
	path = filepath.Join(d.Dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		d.tb.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		d.tb.Fatal(err)
	}
}
