package param_test

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/param"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

func TestNamedWorkspacesSurviveARestart(t *testing.T) {
	l, keep := mustOpen(t, t.TempDir()), folder{dir: t.TempDir()}
	start := func() *param.Spaces { return param.NewSpaces(l, keep) }
	for _, name := range presets.Names() {
		w := mustSpace(t, start(), name)
		if _, err := w.LoadPreset(t.Context(), name, true); err != nil {
			t.Fatal(err)
		}
		mustSet(t, w, "vat_rate", .1+.2)
		mustSet(t, w, "income_tax_brackets", "1: 0.3")
		mustSet(t, w, "random_state", float64(1<<53-1))
		mustSet(t, w, "monitor_interval", 7.0)
		mustPlan(t, w, 13)
		cancelled := mustPlan(t, w, 14)
		if err := w.Cancel(t.Context(), cancelled); err != nil {
			t.Fatal(err)
		}
		if _, err := w.Started(t.Context(), "exp_1", scenario.Scenario{}); err != nil {
			t.Fatal(err)
		}
		again := mustSpace(t, start(), name)
		if !reflect.DeepEqual(again.Scenario(), w.Scenario()) || again.Looking() != "exp_1" ||
			!reflect.DeepEqual(again.Planned(), w.Planned()) {
			t.Errorf("%s came back different", name)
		}
		var last, next int
		fmt.Sscanf(cancelled, "planned/%d", &last)
		if id := mustPlan(t, again, 1); id != fmt.Sprintf("planned/%d", last+1) {
			t.Errorf("after %s identifiers go on with %s", cancelled, id)
		}
		fmt.Sscanf(mustPlan(t, w, 1), "planned/%d", &next) // in another process, still open
		if next != last+2 || len(mustSpace(t, start(), name).Planned()) != len(w.Planned()) {
			t.Errorf("identifiers of two processes: %d after %d", next, last+1)
		}
	}
	if got := files(t, keep.dir); len(got) != len(presets.Names()) {
		t.Errorf("kept %q", got)
	}
}

// Two clients never see each other's edits, and a session leaves nothing behind.
// A new workspace has a name that does for a file; one that is kept is used as ever.
func TestNamesOfNewWorkspaces(t *testing.T) {
	keeper := folder{dir: t.TempDir()}
	spaces := param.NewSpaces(mustOpen(t, t.TempDir()), keeper)
	mustSet(t, mustSpace(t, spaces, "kept"), "vat_rate", .1)
	kept, _, err := keeper.read("kept")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(keeper.dir, "ada"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"aux", "ada/aux", "lab."} {
		_, err := spaces.Open(t.Context(), name)
		wantKind(t, name, err, fault.WrongType)
		if _, err := keeper.EditWorkspace(t.Context(), name, func([]byte, int64) ([]byte, error) { return kept, nil }); err != nil {
			t.Fatal(err)
		}
		if vat := mustSpace(t, spaces, name).Scenario().Params.VATRate; vat != .1 {
			t.Errorf("%s has a VAT rate of %v", name, vat)
		}
	}
}

func TestWorkspacesAreApart(t *testing.T) {
	keep := folder{dir: t.TempDir()}
	spaces := param.NewSpaces(mustOpen(t, t.TempDir()), keep)
	a, b := mustSpace(t, spaces, "session:1"), mustSpace(t, spaces, "session:2")
	mustSet(t, a, "vat_rate", .2)
	if b.Scenario().Params.VATRate != .08 || mustSpace(t, spaces, "session:1") != a {
		t.Error("two sessions share values, or one has two workspaces")
	}
	spaces.Close("session:1")
	if mustSpace(t, spaces, "session:1").Scenario().Params.VATRate != .08 || files(t, keep.dir) != nil {
		t.Error("a session outlived its end")
	}
	mustSet(t, mustSpace(t, spaces, "named"), "vat_rate", .2)
	spaces.Close("named")
	if mustSpace(t, spaces, "named").Scenario().Params.VATRate != .2 {
		t.Error("a named workspace is lost")
	}
	for _, name := range []string{"", strings.Repeat("x", 201)} {
		_, err := spaces.Open(t.Context(), name)
		wantKind(t, "name", err, fault.WrongType)
	}
}

// What cannot be kept is not done.
func TestAFullDiskChangesNothing(t *testing.T) {
	full := false
	dir := t.TempDir()
	w := mustSpace(t, param.NewSpaces(mustOpen(t, dir), folder{t.TempDir(), &full}), "default")
	mustSet(t, w, "vat_rate", .1)
	before := w.Scenario()
	full = true
	if _, err := w.Set(t.Context(), "vat_rate", .2, true); err == nil {
		t.Error("set")
	}
	if _, err := w.SetAll(t.Context(), map[string]any{"vat_rate": .2}, "preset", access.Operator()); err == nil {
		t.Error("set all")
	}
	if _, err := w.Plan(t.Context(), vatIn(3)); err == nil {
		t.Error("plan")
	}
	if _, err := w.LoadPreset(t.Context(), "crisis", true); err == nil {
		t.Error("load")
	}
	if !reflect.DeepEqual(w.Scenario(), before) || files(t, filepath.Join(dir, "presets")) != nil {
		t.Error("something changed")
	}
}

// A workspace that an older or newer program kept is read as far as the catalogue goes.
func TestKeptByAnotherVersion(t *testing.T) {
	keep := folder{dir: t.TempDir()}
	l := mustOpen(t, t.TempDir())
	for _, c := range []struct {
		data string
		kind fault.Kind
	}{
		{
			`{"Parameters":{"vat_rate":0.2,"gone":1,"income_tax_rate":7,"num_households":100},"Planned":[{"ID":"planned/1","Intervention":{"Type":"gone"}}],"Next":1}`,
			"",
		},
		{`{"Parameters":`, fault.InvalidState},
	} {
		mustWrite(t, filepath.Join(keep.dir, "default"), c.data)
		w, err := param.NewSpaces(l, keep).Open(t.Context(), "default")
		if fault.KindOf(err) != c.kind {
			t.Fatal(err)
		}
		if err != nil {
			continue
		}
		if s := w.Scenario(); !slices.Equal(sim.Diff(s.Params, sim.Defaults()), []string{"vat_rate"}) || s.Interventions != nil {
			t.Errorf("differs in %q", sim.Diff(s.Params, sim.Defaults()))
		}
	}
}

func TestManyCallersAtOnce(t *testing.T) {
	w := mustSpace(t, param.NewSpaces(mustOpen(t, t.TempDir()), folder{dir: t.TempDir()}), "default")
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 5 {
				if _, err := w.Set(t.Context(), "vat_rate", .1+float64(i)/100, true); err != nil {
					t.Error(err)
				}
				if _, err := w.Plan(t.Context(), vatIn(i+1)); err != nil {
					t.Error(err)
				}
				w.Scenario().Hash()
			}
		})
	}
	wg.Wait()
	if n := len(w.Planned()); n != 40 {
		t.Errorf("%d plans of 40", n)
	}
}
