package param_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/param"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

func mustOpen(tb testing.TB, dir string) *param.Library {
	tb.Helper()
	l, err := param.OpenLibrary(dir, nil)
	if err != nil {
		tb.Fatal(err)
	}
	return l
}

func mustWrite(tb testing.TB, path, text string) {
	tb.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		tb.Fatal(err)
	}
}

func withVAT(rate float64) scenario.Scenario {
	p := sim.Defaults()
	p.VATRate = rate
	return scenario.New("", p)
}

func wantKind(tb testing.TB, what string, err error, want fault.Kind) {
	tb.Helper()
	e, ok := errors.AsType[*fault.Error](err)
	if !ok || e.Kind != want || e.Hint == "" {
		tb.Errorf("%.100s: %.300v, want %s with a hint", what, err, want)
	}
}

// files lists a folder, so that a test sees that nothing is left behind.
func files(tb testing.TB, dir string) (names []string) {
	tb.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		tb.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestSaveAndLoad(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	s := withVAT(.12)
	s.Description = "VAT: twelve percent"
	s.Interventions = []sim.Intervention{{Type: sim.TypePolicy, TargetMonth: 13, Policy: sim.PolicyChange{Policy: "stimulus", Level: .02}}}
	saved, err := l.SaveConfig(context.Background(), "vat-12", s, param.Saving{By: access.Operator()})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := l.SavePreset(context.Background(), "vat_only", withVAT(.12), []string{"vat_rate"}, param.Saving{By: access.Operator()}); err != nil {
		t.Fatal(err)
	}
	if age := time.Since(saved.CreatedAt); age < 0 || age > time.Minute {
		t.Errorf("created %v ago", age)
	}
	got, e, err := l.Config("vat-12")
	if err != nil || got.Hash() != s.Hash() || got.Description != s.Description || e.Description != s.Description || got.Name != "vat-12" {
		t.Errorf("%+v, %v", e, err)
	}
	if n := len(e.Parameters); n < 190 {
		t.Errorf("a config names %d parameters", n)
	}
	if _, e, err := l.Preset("vat_only"); err != nil || !slices.Equal(e.Parameters, []string{"vat_rate"}) {
		t.Errorf("%+v, %v", e, err)
	}

	// The time of creation survives the copying of the folder.
	copied := t.TempDir()
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	later := time.Now().Add(time.Hour)
	if err := os.Chtimes(filepath.Join(copied, "configs", "vat-12.yaml"), later, later); err != nil {
		t.Fatal(err)
	}
	if _, e, err := mustOpen(t, copied).Config("vat-12"); err != nil || !e.CreatedAt.Equal(saved.CreatedAt) {
		t.Errorf("created at %v, before at %v, %v", e.CreatedAt, saved.CreatedAt, err)
	}
}

func TestSavingKeepsWhatIsThere(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	for what, save := range map[string]func(name string, rate float64, overwrite bool) error{
		"presets": func(name string, rate float64, overwrite bool) error {
			_, err := l.SavePreset(context.Background(), name, withVAT(rate), nil, param.Saving{By: access.Operator(), Overwrite: overwrite})
			return err
		},
		"configs": func(name string, rate float64, overwrite bool) error {
			_, err := l.SaveConfig(context.Background(), name, withVAT(rate), param.Saving{By: access.Operator(), Overwrite: overwrite})
			return err
		},
	} {
		if err := save("mine", .1, false); err != nil {
			t.Fatal(err)
		}
		before, _ := os.ReadFile(filepath.Join(dir, what, "mine.yaml"))
		wantKind(t, what, save("mine", .2, false), fault.Conflict)
		if now, _ := os.ReadFile(filepath.Join(dir, what, "mine.yaml")); string(now) != string(before) {
			t.Errorf("%s: the file changed", what)
		}
		if err := save("mine", .2, true); err != nil {
			t.Error(err)
		}
		for _, name := range []string{"baseline", "High_Tax", "ubi"} {
			wantKind(t, what+" "+name, save(name, .2, true), fault.Conflict)
		}
		for _, name := range []string{"", ".", "..", "../x", "a/b", `a\b`, "/etc/passwd", ".hidden", "a b", "a\x00", "a\n", "ä",
			strings.Repeat("x", 101), strings.Repeat("x", 10_000)} {
			wantKind(t, what+" "+name, save(name, .2, true), fault.WrongType)
		}
		if got := files(t, filepath.Join(dir, what)); !slices.Equal(got, []string{"mine.yaml"}) {
			t.Errorf("%s: the folder holds %q", what, got)
		}
	}
	if got := files(t, dir); !slices.Equal(got, []string{"configs", "locks", "presets"}) {
		t.Errorf("the folder holds %q", got)
	}
}

// Of many who save a new name at once, in several processes, one wins.
func TestSavingANewNameAtOnce(t *testing.T) {
	dir := t.TempDir()
	var wg sync.WaitGroup
	results := make([]error, 16)
	for i := range results {
		l := mustOpen(t, dir) // as another process would
		wg.Go(func() {
			_, results[i] = l.SaveConfig(context.Background(), "mine", withVAT(.1+float64(i)/100), param.Saving{By: access.Operator()})
		})
	}
	wg.Wait()
	saved := 0
	for _, err := range results {
		if err == nil {
			saved++
		} else {
			wantKind(t, "a loser", err, fault.Conflict)
		}
	}
	if saved != 1 {
		t.Errorf("%d of %d saved", saved, len(results))
	}
}

// Where a file system does not tell case, one of two names that differ in nothing else would
// overwrite the other: whoever comes second is refused, also of several processes at once.
func TestNamesThatDifferInCase(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	if _, err := l.SaveConfig(context.Background(), "mine", withVAT(.1), param.Saving{By: access.Operator()}); err != nil {
		t.Fatal(err)
	}
	for _, overwrite := range []bool{false, true} {
		_, err := l.SaveConfig(context.Background(), "Mine", withVAT(.2), param.Saving{By: access.Operator(), Overwrite: overwrite})
		wantKind(t, "in another case", err, fault.Conflict)
		if e, ok := errors.AsType[*fault.Error](err); !ok || !slices.Equal(e.Allowed, []string{"mine"}) {
			t.Errorf("%v does not name what is there", err)
		}
	}
	_, err := l.SaveConfigs(context.Background(), access.Operator(), []scenario.Scenario{scenario.New("other", sim.Defaults()), scenario.New("MINE", sim.Defaults())},
		func(scenario.Scenario) error { return nil })
	wantKind(t, "several", err, fault.Conflict)
	if got := files(t, filepath.Join(dir, "configs")); !slices.Equal(got, []string{"mine.yaml"}) {
		t.Errorf("the folder holds %q", got)
	}
	if _, err := l.SavePreset(context.Background(), "Mine", withVAT(.2), nil, param.Saving{By: access.Operator()}); err != nil { // which is in a folder of its own
		t.Error(err)
	}

	// What is there already stays usable.
	mustWrite(t, filepath.Join(dir, "presets", "mine.yaml"), "parameters: {vat_rate: .3}\n")
	if len(files(t, filepath.Join(dir, "presets"))) == 2 { // or case does not count here
		for name, rate := range map[string]float64{"mine": .4, "Mine": .5} {
			if _, err := l.SavePreset(context.Background(), name, withVAT(rate), nil, param.Saving{By: access.Operator(), Overwrite: true}); err != nil {
				t.Error(err)
			}
			if s, _, err := l.Preset(name); err != nil || s.Params.VATRate != rate {
				t.Errorf("%s has %v, %v", name, s.Params.VATRate, err)
			}
		}
	}

	var saving sync.WaitGroup
	results := make([]error, 16)
	for i := range results {
		l := mustOpen(t, dir) // as another process would
		name := []string{"new", "New", "nEw", "NEW"}[i%4]
		saving.Go(func() {
			_, results[i] = l.SaveConfig(context.Background(), name, withVAT(.1), param.Saving{By: access.Operator()})
		})
	}
	saving.Wait()
	results = slices.DeleteFunc(results, func(err error) bool { return fault.KindOf(err) == fault.Conflict })
	if len(results) != 1 || results[0] != nil {
		t.Errorf("one should have saved, and the others a conflict: %v", results)
	}
}

// A new file has a name that does on all systems; one that is there is read and written as ever.
func TestNamesThatAreNoFiles(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	for _, name := range []string{"CON", "aux.v2", "a."} {
		_, err := l.SaveConfig(context.Background(), name, withVAT(.1), param.Saving{By: access.Operator()})
		wantKind(t, name, err, fault.WrongType)
		_, err = l.SavePreset(context.Background(), name, withVAT(.1), nil, param.Saving{By: access.Operator(), Overwrite: true})
		wantKind(t, name, err, fault.WrongType)
		_, err = l.SaveConfigs(context.Background(), access.Operator(), []scenario.Scenario{scenario.New(name, sim.Defaults())}, nil)
		wantKind(t, name, err, fault.WrongType)
	}
	for _, folder := range []string{"configs", "presets"} {
		if got := files(t, filepath.Join(dir, folder)); len(got) > 0 {
			t.Errorf("%s holds %q", folder, got)
		}
	}
	mustWrite(t, filepath.Join(dir, "configs", "aux.yaml"), "parameters: {vat_rate: .3}\n")
	if s, _, err := l.Config("aux"); err != nil || s.Params.VATRate != .3 {
		t.Errorf("%v, %v", s.Params.VATRate, err)
	}
	if _, err := l.SaveConfig(context.Background(), "aux", withVAT(.1), param.Saving{By: access.Operator(), Overwrite: true}); err != nil {
		t.Error(err)
	}
}

func TestWrongNamesAreNotLoaded(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	mustWrite(t, filepath.Join(dir, "secret.yaml"), "parameters: {}")
	if _, err := l.SavePreset(context.Background(), "mine", withVAT(.1), nil, param.Saving{By: access.Operator()}); err != nil {
		t.Fatal(err)
	}
	if _, err := l.SaveConfig(context.Background(), "other", withVAT(.1), param.Saving{By: access.Operator()}); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fault.Kind{
		"../secret": fault.WrongType, "../presets/mine": fault.WrongType, "": fault.WrongType, ".": fault.WrongType,
		strings.Repeat("a", 1<<20): fault.WrongType, "absent": fault.NotFound, "mine.yaml": fault.NotFound,
	} {
		_, _, err := l.Preset(name)
		wantKind(t, "preset", err, want)
		_, _, err = l.Config(name)
		wantKind(t, "config", err, want)
		_, err = l.Scenario(name)
		wantKind(t, "scenario", err, want)
		if n := len(err.Error()); n > 600 {
			t.Errorf("a message of %d bytes", n)
		}
	}
	if _, _, err := l.Preset("mina"); !strings.Contains(err.Error(), `did you mean "mine"?`) {
		t.Error(err)
	}
	if _, _, err := l.Config("mine"); !strings.Contains(err.Error(), "load_preset") {
		t.Error(err)
	}
	if _, _, err := l.Preset("other"); !strings.Contains(err.Error(), "load_yaml_config") {
		t.Error(err)
	}
}

// Users edit the files: what they break is listed as broken, and says where.
func TestBrokenFiles(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	folder := filepath.Join(dir, "configs")
	for name, c := range map[string]struct{ text, want string }{
		"misspelt": {"parameters:\n  vat_rat: 0.1\n", `unknown_parameter: unknown parameter "vat_rat" (line 2, column 3)`},
		"beyond":   {"parameters:\n  vat_rate: 1.4\n", "out_of_range: vat_rate = 1.4 (line 2, column 13)"},
		"binary":   {"\x00\x01\x02", "not valid YAML near line 1"},
		"empty":    {"", "the file is empty (line 1, column 1)"},
		"huge":     {strings.Repeat("# comment\n", 300_000), "limit_exceeded"},
	} {
		mustWrite(t, filepath.Join(folder, name+".yaml"), c.text)
		if _, _, err := l.Config(name); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
	mustWrite(t, filepath.Join(folder, "good.yaml"), "description: by hand\nparameters: {vat_rate: 0.1}\n")
	mustWrite(t, filepath.Join(folder, "bad name.yaml"), "parameters: {}")
	mustWrite(t, filepath.Join(folder, "notes.txt"), "no scenario")
	mustWrite(t, filepath.Join(folder, ".hidden.yaml"), "no scenario")
	if err := os.Mkdir(filepath.Join(folder, "folder.yaml"), 0o755); err != nil {
		t.Fatal(err)
	}
	page, err := l.ConfigPage(context.Background(), "", 0)
	list := page.Entries
	if err != nil {
		t.Fatal(err)
	}
	var names, valid []string
	for _, e := range list {
		names = append(names, e.Name)
		if e.Problem == nil {
			valid = append(valid, e.Name)
		}
		if e.Problem != nil && fault.KindOf(e.Problem) == fault.Internal && e.Name != "folder" {
			t.Errorf("%s: %v", e.Name, e.Problem)
		}
	}
	if want := []string{"bad name", "beyond", "binary", "empty", "folder", "good", "huge", "misspelt"}; !slices.Equal(names, want) {
		t.Errorf("listed %q, want %q", names, want)
	}
	if !slices.Equal(valid, []string{"good"}) {
		t.Errorf("valid %q", valid)
	}
	good := list[5]
	if good.Description != "by hand" || !good.CreatedAt.Equal(good.ModifiedAt) || good.CreatedAt.IsZero() || good.Size == 0 {
		t.Errorf("%+v", good)
	}
}

func TestPages(t *testing.T) {
	l := mustOpen(t, t.TempDir())
	for _, name := range []string{"zz", "Aa", "crisis2"} {
		if _, err := l.SavePreset(context.Background(), name, withVAT(.1), nil, param.Saving{By: access.Operator()}); err != nil {
			t.Fatal(err)
		}
	}
	want := append(presets.Names(), "zz", "Aa", "crisis2")
	slices.Sort(want)
	for _, limit := range []int{1, 4, len(want), 200} {
		var got []string
		after := ""
		for {
			page, err := l.PresetPage(context.Background(), after, limit)
			if err != nil || page.Total != len(want) || len(page.Entries) > limit {
				t.Fatalf("%+v %v", page, err)
			}
			for _, e := range page.Entries {
				got = append(got, e.Name)
				if e.BuiltIn != slices.Contains(presets.Names(), e.Name) || e.Problem != nil {
					t.Errorf("%+v", e)
				}
			}
			if after = page.Next; after == "" {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("by %d: %q", limit, got)
		}
	}
}

// control may name a built-in preset, a preset or a config.
func TestScenarioByName(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	save := func(_ param.Entry, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	save(l.SavePreset(context.Background(), "a", withVAT(.1), nil, param.Saving{By: access.Operator()}))
	save(l.SaveConfig(context.Background(), "b", withVAT(.2), param.Saving{By: access.Operator()}))
	save(l.SavePreset(context.Background(), "both", withVAT(.1), nil, param.Saving{By: access.Operator()}))
	save(l.SaveConfig(context.Background(), "both", withVAT(.2), param.Saving{By: access.Operator()}))
	save(l.SavePreset(context.Background(), "equal", withVAT(.1), nil, param.Saving{By: access.Operator()}))
	save(l.SaveConfig(context.Background(), "equal", withVAT(.1), param.Saving{By: access.Operator()}))
	mustWrite(t, filepath.Join(dir, "presets", "baseline.yaml"), "parameters: {vat_rate: 0.3}")
	mustWrite(t, filepath.Join(dir, "configs", "high_tax.yaml"), "parameters: {vat_rate: 0.3}")
	mustWrite(t, filepath.Join(dir, "configs", "broken.yaml"), "parameters: {vat_rate: x}")
	for name, rate := range map[string]float64{"baseline": .08, "high_tax": .13, "a": .1, "b": .2, "equal": .1} {
		if s, err := l.Scenario(name); err != nil || s.Params.VATRate != rate {
			t.Errorf("%s: %v, %v; want %v", name, s.Params.VATRate, err, rate)
		}
	}
	_, err := l.Scenario("both")
	wantKind(t, "both", err, fault.Conflict)
	_, err = l.Scenario("broken")
	wantKind(t, "broken", err, fault.WrongType)
	if s, e, err := l.Preset("baseline"); err != nil || !e.BuiltIn || s.Params.VATRate != .08 {
		t.Errorf("baseline is shadowed: %+v %v", e, err)
	}
}

func TestFolderThatCannotBeUsed(t *testing.T) {
	dir := t.TempDir()
	mustWrite(t, filepath.Join(dir, "presets"), "a file")
	_, err := param.OpenLibrary(dir, nil)
	wantKind(t, "a file in the place of the folder", err, fault.Internal)

	dir = t.TempDir()
	l := mustOpen(t, dir)
	if err := os.RemoveAll(filepath.Join(dir, "configs")); err != nil {
		t.Fatal(err)
	}
	_, err = l.ConfigPage(context.Background(), "", 0)
	wantKind(t, "list without a folder", err, fault.Internal)
	_, err = l.SaveConfig(context.Background(), "a", withVAT(.1), param.Saving{By: access.Operator()})
	wantKind(t, "save without a folder", err, fault.Internal)
}
