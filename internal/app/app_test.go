package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/app"
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
	a, err := app.Open(dir, app.Options{})
	if err != nil {
		t.Fatal(err)
	}
	use := func(name, arguments string) {
		t.Helper()
		all := a.Tools()
		k := slices.IndexFunc(all, func(tool tools.Tool) bool { return tool.Name == name })
		c := tools.Call{Caller: access.Operator(), Workspace: "default", Progress: func(float64, float64, string) {}}
		if _, err := all[k].Invoke(t.Context(), &c, json.RawMessage(arguments)); err != nil {
			t.Fatal(err)
		}
	}
	use("batch_set_parameters", `{"parameters":{"num_households":20000,"burn_in_months":0}}`)
	use("start_simulation", `{"experiment_name":"long","months":1200}`)
	enough, stop := context.WithCancel(t.Context())
	if _, err := a.Runs.Wait(enough, "long", func(s run.Status) {
		if s.Month > 0 {
			stop()
		}
	}); err != nil && enough.Err() == nil {
		t.Fatal(err)
	}
	if err := a.Halt(enough); err != nil {
		t.Error(err)
	}
	if err := a.Store.Close(); err != nil {
		t.Error(err)
	}
	if _, err := a.Runs.Wait(t.Context(), "long", nil); err != nil { // its last month ends here, but not in the process of a user
		t.Error(err)
	}
	if text := log.String(); !strings.Contains(text, "those before it are kept") || !strings.Contains(text, "experiment=long") {
		t.Errorf("the log says %s", text)
	}
	if a, err = app.Open(dir, app.Options{}); err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if x, err := a.Store.Experiment(context.Background(), "long"); err != nil || x.State != string(run.StateInterrupted) || x.Month == 0 {
		t.Errorf("it is %s in month %d, %v", x.State, x.Month, err)
	}
}
