package param_test

import (
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
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

// folder keeps workspaces as files: what the store does with rows.
type folder struct {
	dir  string
	full *bool // where set and true, nothing can be written
}

// folders are locked as a whole.
var folders sync.Mutex

func (f folder) EditWorkspace(ctx context.Context, name string, change func([]byte, int64) ([]byte, error)) (int64, error) {
	if ctx.Err() != nil {
		return 0, ctx.Err()
	}
	folders.Lock()
	defer folders.Unlock()
	data, revision, err := f.read(name)
	if err != nil {
		return 0, err
	}
	if data, err = change(data, revision); err != nil {
		return 0, err
	}
	if f.full != nil && *f.full {
		return 0, errors.New("no space left on device")
	}
	if err := os.WriteFile(filepath.Join(f.dir, name), data, 0o600); err != nil {
		return 0, err
	}
	return revisionOf(data), nil
}

func (f folder) Workspace(ctx context.Context, name string, known int64) ([]byte, int64, error) {
	data, revision, err := f.read(name)
	if revision == known {
		data = nil
	}
	return data, revision, errors.Join(err, ctx.Err())
}

func (f folder) read(name string) ([]byte, int64, error) {
	data, err := os.ReadFile(filepath.Join(f.dir, name))
	if errors.Is(err, os.ErrNotExist) {
		return nil, 0, nil
	}
	return data, revisionOf(data), err
}

// revisionOf tells contents apart.
func revisionOf(data []byte) int64 { return int64(crc32.ChecksumIEEE(data)) }

func mustSpace(tb testing.TB, s *param.Spaces, name string) *param.Workspace {
	tb.Helper()
	w, err := s.Open(tb.Context(), name)
	if err != nil {
		tb.Fatal(err)
	}
	return w
}

func newSpace(tb testing.TB) *param.Workspace {
	tb.Helper()
	return mustSpace(tb, param.NewSpaces(mustOpen(tb, tb.TempDir()), nil), "default")
}

func mustSet(tb testing.TB, w *param.Workspace, name string, value any) param.Setting {
	tb.Helper()
	s, err := w.Set(tb.Context(), name, value, true)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

func mustPlan(tb testing.TB, w *param.Workspace, month int) string {
	tb.Helper()
	id, err := w.Plan(tb.Context(), vatIn(month))
	if err != nil {
		tb.Fatal(err)
	}
	return id
}

func vatIn(month int) sim.Intervention {
	return sim.Intervention{
		Type: sim.TypeParameterChange, TargetMonth: month, When: "unemployment_rate > 0.1", Description: "VAT",
		Parameters: []sim.ParameterChange{
			{Name: "vat_rate", Value: .15},
			{Name: "benefit_months", Value: 6},
			{Name: "policy_rate_rule", Value: "fixed"},
		},
	}
}

func TestSet(t *testing.T) {
	w := newSpace(t)
	if got := w.Scenario(); got.Hash() != scenario.New("", sim.Defaults()).Hash() {
		t.Error("a fresh workspace is not the baseline")
	}
	for _, c := range []struct {
		name     string
		value    any
		old, new any
		warnings int
	}{
		{"vat_rate", .1, .08, .1, 0},
		{"vat_rate", "0.11", .1, .11, 0},
		{"vat_rate", .3, .11, .3, 1},
		{"benefit_months", 9.0, 12, 9, 0},
		{"enable_trade", false, true, false, 0},
		{"tariff_rate", .1, 0.0, .1, 1},
		{"tariff_rate", .7, .1, .7, 2},
		{"policy_rate_rule", "fixed", "taylor", "fixed", 0},
		{"income_tax_brackets", "2:0.4,1: 0.3", "none", "1: 0.3, 2: 0.4", 0},
		{"num_households", 20_000.0, 10_000, 20_000, 0},
		{"monitor_interval", 6.0, 12, 6, 1},
	} {
		got := mustSet(t, w, c.name, c.value)
		if old, _ := sim.Lookup(c.name); c.name == "benefit_months" {
			c.old = old.Default
		}
		if got.Name != c.name || got.Old != c.old || got.New != c.new || len(got.Warnings) != c.warnings {
			t.Errorf("%s = %v: %+v", c.name, c.value, got)
		}
	}
	s := w.Scenario()
	if s.Params.VATRate != .3 || s.BurnIn.VATRate != .08 || s.Params.NumHouseholds != 20_000 || s.BurnIn.NumHouseholds != 20_000 {
		t.Errorf("values %v %v, burn-in %v %v", s.Params.VATRate, s.Params.NumHouseholds, s.BurnIn.VATRate, s.BurnIn.NumHouseholds)
	}
	if got, err := w.Set(t.Context(), "vat_rate", .5, false); err != nil || got.Warnings != nil {
		t.Errorf("without warnings: %+v, %v", got, err)
	}
}

// A wrong value has its code, and changes nothing.
func TestSetRefuses(t *testing.T) {
	w := newSpace(t)
	mustPlan(t, w, 13)
	mustSet(t, w, "vat_rate", .1)
	before := w.Scenario()
	for _, c := range []struct {
		name  string
		value any
		want  fault.Kind
	}{
		{"vat", .1, fault.UnknownParameter},
		{"", .1, fault.UnknownParameter},
		{strings.Repeat("x", 1<<20), .1, fault.UnknownParameter},
		{"vat_rate", .61, fault.OutOfRange},
		{"vat_rate", -.1, fault.OutOfRange},
		{"vat_rate", "NaN", fault.OutOfRange},
		{"vat_rate", "Infinity", fault.OutOfRange},
		{"vat_rate", "-inf", fault.OutOfRange},
		{"vat_rate", "1e400", fault.OutOfRange},
		{"vat_rate", math.NaN(), fault.OutOfRange},
		{"vat_rate", "much", fault.WrongType},
		{"vat_rate", strings.Repeat("9", 1<<20) + "x", fault.WrongType},
		{"vat_rate", true, fault.WrongType},
		{"benefit_months", 1.5, fault.WrongType},
		{"benefit_months", 1e300, fault.OutOfRange},
		{"enable_trade", 1.0, fault.WrongType},
		{"policy_rate_rule", "free", fault.OutOfRange},
		{"policy_rate_rule", 1.0, fault.WrongType},
		{"income_tax_brackets", "1: 2", fault.OutOfRange},
		{"income_tax_brackets", strings.Repeat("1: 0.1, ", 1<<17), fault.WrongType},
		{"num_households", 100.0, fault.Conflict}, // too few firms for twelve industries
	} {
		_, err := w.Set(t.Context(), c.name, c.value, false)
		wantKind(t, fmt.Sprintf("%.40s = %.40v", c.name, c.value), err, c.want)
		_, err = w.SetAll(t.Context(), map[string]any{c.name: c.value, "income_tax_rate": .3}, "", access.Operator())
		wantKind(t, fmt.Sprintf("with another, %.40s = %.40v", c.name, c.value), err, c.want)
	}
	if !reflect.DeepEqual(w.Scenario(), before) {
		t.Error("something changed")
	}
}

func TestSetAll(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	w := mustSpace(t, param.NewSpaces(l, nil), "default")
	// together they fit, one by one they would not
	got, err := w.SetAll(t.Context(), map[string]any{"num_households": 100.0, "num_industries": 1.0, "vat_rate": .3}, "small", access.Operator())
	if err != nil || len(got) != 3 || got[0].Name != "num_households" || len(got[2].Warnings) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if s, _, err := l.Preset("small"); err != nil || s.Hash() != w.Scenario().Hash() {
		t.Errorf("the preset is not the workspace: %v", err)
	}
	before := w.Scenario()
	for _, preset := range []string{"small", "ubi", "../x"} {
		if _, err := w.SetAll(t.Context(), map[string]any{"vat_rate": .2}, preset, access.Operator()); err == nil {
			t.Errorf("saved as %q", preset)
		}
	}
	_, err = w.SetAll(t.Context(), map[string]any{"vat_rate": 2.0, "income_tax_rat": .1, "benefit_months": "x", "tax_allowance": .3}, "new", access.Operator())
	if err == nil || !strings.Contains(err.Error(), "benefit_months") ||
		!strings.Contains(err.Error(), "also refused: income_tax_rat, vat_rate") {
		t.Errorf("%v", err)
	}
	if !reflect.DeepEqual(w.Scenario(), before) || !slices.Equal(files(t, filepath.Join(dir, "presets")), []string{"small.yaml"}) {
		t.Error("something changed")
	}
}

func TestValidate(t *testing.T) {
	w := newSpace(t)
	before := w.Scenario()
	v := w.Validate(map[string]any{
		"vat_rate": .3, "vat": 1.0, "income_tax_rate": 2.0, "tax_allowance": .3,
		"redistribution_poverty_weight": .9, "num_households": 100.0,
	})
	if v.Valid || fault.KindOf(v.Values["vat"].Err) != fault.UnknownParameter ||
		fault.KindOf(v.Values["income_tax_rate"].Err) != fault.OutOfRange ||
		len(v.Values["vat_rate"].Warnings) != 1 ||
		v.Values["vat_rate"].Err != nil ||
		v.Values["tax_allowance"].Warnings != nil {
		t.Errorf("%+v", v)
	}
	if len(v.Cross) != 2 || !v.Cross[0].Forbidden || v.Cross[1].Forbidden || len(v.Cross[1].Parameters) != 3 {
		t.Errorf("%+v", v.Cross)
	}
	if v := w.Validate(map[string]any{"redistribution_poverty_weight": .9}); !v.Valid || len(v.Cross) != 1 {
		t.Errorf("%+v", v)
	}
	if v := w.Validate(nil); !v.Valid || v.Cross != nil {
		t.Errorf("%+v", v)
	}
	if !reflect.DeepEqual(w.Scenario(), before) {
		t.Error("something changed")
	}
}

func TestReset(t *testing.T) {
	w := newSpace(t)
	if _, err := w.LoadPreset(t.Context(), "us_like", true); err != nil {
		t.Fatal(err)
	}
	mustSet(t, w, "vat_rate", .1)
	mustPlan(t, w, 13)
	if got, err := w.Reset(t.Context(), []string{"vat_rate", "benefit_months", "num_households"}); err != nil ||
		!slices.Contains(got, "vat_rate") ||
		slices.Contains(got, "num_households") {
		t.Errorf("%q, %v", got, err)
	}
	if s := w.Scenario(); s.Params.VATRate != .08 || s.BurnIn.VATRate == .08 {
		t.Errorf("vat_rate %v, in the burn-in %v", s.Params.VATRate, s.BurnIn.VATRate)
	}
	before := w.Scenario()
	_, err := w.Reset(t.Context(), []string{"skill_dispersion", "vat"})
	wantKind(t, "reset vat", err, fault.UnknownParameter)
	if !reflect.DeepEqual(w.Scenario(), before) {
		t.Error("something changed")
	}
	got, err := w.Reset(t.Context(), nil)
	if s := w.Scenario(); err != nil || len(got) < 5 || s.Params != sim.Defaults() || s.BurnIn != sim.Defaults() || s.Bands != nil ||
		len(s.Interventions) != 1 {
		t.Errorf("%d, %v", len(got), err)
	}
	if got, err := w.Reset(t.Context(), nil); err != nil || got != nil {
		t.Errorf("%q, %v", got, err)
	}
}

func TestPlans(t *testing.T) {
	w := newSpace(t)
	first, second := mustPlan(t, w, 13), mustPlan(t, w, 25)
	if first != "planned/1" || second != "planned/2" || len(w.Scenario().Interventions) != 2 {
		t.Errorf("%s %s", first, second)
	}
	_, err := w.Plan(t.Context(), vatIn(0))
	wantKind(t, "month 0", err, fault.OutOfRange)
	wantKind(t, "cancel", w.Cancel(t.Context(), "planned/3"), fault.NotFound)
	if err := w.Cancel(t.Context(), first); err != nil {
		t.Error(err)
	}
	third := mustPlan(t, w, 1)
	if got := w.Planned(); third != "planned/3" || len(got) != 2 || got[0].ID != second || got[1].ID != third {
		t.Errorf("%+v", got)
	}
	started := w.Scenario()
	later := mustPlan(t, w, 60)
	if _, err := w.Started(t.Context(), "first", started); err != nil {
		t.Error(err)
	}
	if got := w.Planned(); len(got) != 1 || got[0].ID != later || w.Looking() != "first" {
		t.Errorf("after the start %+v is planned, and it looks at %q", got, w.Looking())
	}
	wantKind(t, "cancel again", w.Cancel(t.Context(), third), fault.NotFound)
}

// What a caller got does not change with the workspace.
func TestScenarioIsASnapshot(t *testing.T) {
	w := newSpace(t)
	for i := range 10 {
		mustPlan(t, w, i+1)
	}
	s, plans := w.Scenario(), w.Planned()
	hash := s.Hash()
	if err := w.Cancel(t.Context(), "planned/1"); err != nil {
		t.Fatal(err)
	}
	mustPlan(t, w, 50)
	mustSet(t, w, "vat_rate", .2)
	if s.Hash() != hash || plans[0].ID != "planned/1" || len(plans) != 10 {
		t.Error("an old scenario changed")
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	w := mustSpace(t, param.NewSpaces(l, nil), "default")
	config := func(name, text string) { mustWrite(t, filepath.Join(dir, "configs", name+".yaml"), text) }
	config(
		"a",
		"description: words\nparameters: {vat_rate: 0.3, tariff_rate: 0.1}\nburn_in: {own: true}\ninterventions:\n  - {target_month: "+
			"5, parameters: {vat_rate: 0.2}}\n",
	)
	config("b", "parameters: {vat_rate: 0.08}\ninterventions:\n  - {target_month: 7, parameters: {vat_rate: 0.1}}\n")

	mustSet(t, w, "income_tax_rate", .3)
	mustPlan(t, w, 13)
	got, err := w.LoadConfig(t.Context(), "a", false)
	if err != nil || !got.Applied || len(got.Changes) != 3 || len(got.Interventions) != 1 || got.Interventions[0].ID != "planned/2" ||
		len(got.Warnings) != 1 {
		t.Errorf("%+v, %v", got, err)
	}
	if want, _, _ := l.Config("a"); w.Scenario().Hash() != want.Hash() || w.Scenario().Description != "words" {
		t.Error("replacing, the workspace is not what the file says")
	}

	mustSet(t, w, "income_tax_rate", .25)
	got, err = w.LoadConfig(t.Context(), "b", true)
	s := w.Scenario()
	if err != nil || len(got.Changes) != 1 || got.Changes[0] != (param.Change{Name: "vat_rate", Old: .3, New: .08}) {
		t.Errorf("%+v, %v", got, err)
	}
	if s.Params.IncomeTaxRate != .25 || s.Params.VATRate != .08 || s.BurnIn.VATRate != .3 || len(s.Interventions) != 2 ||
		s.Interventions[1].TargetMonth != 7 {
		t.Errorf("overlaid: %+v", s.Interventions)
	}
	if ids := w.Planned(); ids[0].ID != "planned/2" || ids[1].ID != "planned/3" {
		t.Errorf("%+v", ids)
	}

	before := w.Scenario()
	config("wrong", "parameters: {vat_rate: 0.1, income_tax_rate: 3}")
	for _, overlay := range []bool{true, false} {
		if _, err := w.LoadConfig(t.Context(), "wrong", overlay); err == nil || !strings.Contains(err.Error(), "line 1, column 46") {
			t.Error(err)
		}
		_, err := w.LoadConfig(t.Context(), "absent", overlay)
		wantKind(t, "absent", err, fault.NotFound)
	}
	if !reflect.DeepEqual(w.Scenario(), before) {
		t.Error("something changed")
	}

	preset, err := w.LoadPreset(t.Context(), "crisis", false)
	if err != nil || preset.Applied || preset.Changes != nil || !reflect.DeepEqual(w.Scenario(), before) {
		t.Errorf("looking at a preset: %+v, %v", preset, err)
	}
	if preset, err = w.LoadPreset(t.Context(), "crisis", true); err != nil || !preset.Applied || len(preset.Changes) < 4 {
		t.Errorf("%+v, %v", preset, err)
	}
}

// Everything that a workspace can become survives a file.
func TestSavedConfigsAreTheSameEconomy(t *testing.T) {
	l := mustOpen(t, t.TempDir())
	spaces := param.NewSpaces(l, nil)
	for _, name := range presets.Names() {
		w := mustSpace(t, spaces, name)
		if _, err := w.LoadPreset(t.Context(), name, true); err != nil {
			t.Fatal(err)
		}
		for _, change := range []func(){
			func() {},
			func() {
				mustSet(t, w, "vat_rate", .123456789012345)
				mustSet(t, w, "num_households", 5000.0)
				mustPlan(t, w, 13)
			},
		} {
			change()
			saved, err := w.SaveConfig(context.Background(), "saved", "a description: with a colon", param.Saving{By: access.Operator(), Overwrite: true})
			if err != nil {
				t.Fatal(err)
			}
			want := w.Scenario()
			if _, err := w.LoadConfig(t.Context(), "saved", false); err != nil {
				t.Fatal(err)
			}
			if got := w.Scenario(); got.Hash() != want.Hash() || got.Hash() != saved.Hash ||
				!reflect.DeepEqual(got.Interventions, want.Interventions) ||
				!reflect.DeepEqual(got.Bands, want.Bands) ||
				got.Description != "a description: with a colon" {
				t.Errorf("%s: another economy came back", name)
			}
			if _, err := w.SavePreset(context.Background(), "saved", "", nil, param.Saving{By: access.Operator(), Overwrite: true}); err != nil {
				t.Fatal(err)
			}
			if s, err := l.Scenario("saved"); err != nil || s.Hash() != want.Hash() {
				t.Errorf("%s: as a preset: %v", name, err)
			}
		}
	}
}

func TestSavePresetWithValues(t *testing.T) {
	l := mustOpen(t, t.TempDir())
	w := mustSpace(t, param.NewSpaces(l, nil), "default")
	mustSet(t, w, "income_tax_rate", .3)
	mustPlan(t, w, 13)
	saved, err := w.SavePreset(context.Background(), "mine", "two", map[string]any{"vat_rate": .08, "num_households": 5000.0}, param.Saving{By: access.Operator()})
	if err != nil || len(saved.Parameters) != 2 || saved.Description != "two" {
		t.Fatalf("%+v, %v", saved, err)
	}
	s, _, err := l.Preset("mine")
	if want := []string{"num_households"}; err != nil || !slices.Equal(sim.Diff(s.Params, sim.Defaults()), want) ||
		s.Interventions != nil ||
		s.Hash() != saved.Hash {
		t.Errorf("%q, %v", sim.Diff(s.Params, sim.Defaults()), err)
	}
	_, err = w.SavePreset(context.Background(), "other", "", map[string]any{"vat_rate": 8.0}, param.Saving{By: access.Operator()})
	wantKind(t, "a wrong value", err, fault.OutOfRange)
	if _, _, err := l.Preset("other"); fault.KindOf(err) != fault.NotFound {
		t.Error("a wrong preset was saved")
	}
}
