package main

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/tools"
)

// Where there is no time to end a month, it is given up by name, and the experiment can
// go on later.
func TestMonthThatIsGivenUp(t *testing.T) {
	var log bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&log, nil)))
	defer slog.SetDefault(before)
	dir := t.TempDir()
	w, err := openWorkshop(dir, workshopOptions{})
	if err != nil {
		t.Fatal(err)
	}
	use := func(name, arguments string) {
		t.Helper()
		tool, err := toolNamed(w.tools, name)
		if err == nil {
			_, err = tool.Invoke(t.Context(), &tools.Call{Workspace: "default", Progress: func(float64, float64, string) {}}, json.RawMessage(arguments))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	use("batch_set_parameters", `{"parameters":{"num_households":20000,"burn_in_months":0}}`)
	use("start_simulation", `{"experiment_name":"long","months":1200}`)
	enough, stop := context.WithCancel(t.Context())
	if _, err := w.runs.Wait(enough, "long", func(s run.Status) {
		if s.Month > 0 {
			stop()
		}
	}); err != nil && enough.Err() == nil {
		t.Fatal(err)
	}
	if err := w.halt(enough); err != nil {
		t.Error(err)
	}
	if err := w.store.Close(); err != nil {
		t.Error(err)
	}
	if _, err := w.runs.Wait(t.Context(), "long", nil); err != nil { // its last month ends here, but not in the process of a user
		t.Error(err)
	}
	if text := log.String(); !strings.Contains(text, "those before it are kept") || !strings.Contains(text, "experiment=long") {
		t.Errorf("the log says %s", text)
	}
	if w, err = openWorkshop(dir, workshopOptions{}); err != nil {
		t.Fatal(err)
	}
	defer w.close()
	if x, err := w.store.Experiment("long"); err != nil || x.State != string(run.StateInterrupted) || x.Month == 0 {
		t.Errorf("it is %s in month %d, %v", x.State, x.Month, err)
	}
}

func TestLimitsOfTransports(t *testing.T) {
	for args, want := range map[string]lab.Limits{
		"":                 {},
		"--max-running 3":  {Running: 3},
		"--transport http": {HouseholdMonths: 2e9, Running: 16, StoredBytes: 50 << 30},
		"--transport http --max-running 0 --max-stored-bytes 7": {HouseholdMonths: 2e9, StoredBytes: 7},
	} {
		var o serveOptions
		flags := pflag.NewFlagSet("serve", pflag.ContinueOnError)
		o.define(flags)
		if err := flags.Parse(strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		if got := o.limits(flags); got != want {
			t.Errorf("%s: %+v, want %+v", args, got, want)
		}
	}
}
