package param_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Several configs are saved together, or none is.
func TestSaveConfigs(t *testing.T) {
	dir := t.TempDir()
	l := mustOpen(t, dir)
	arm := func(name string, vat float64) scenario.Scenario {
		p := sim.Defaults()
		p.VATRate = vat
		return scenario.New(name, p)
	}
	never := func(old scenario.Scenario) error {
		t.Errorf("asked of %s", old.Name)
		return nil
	}
	paths, err := l.SaveConfigs(context.Background(), access.Operator(), []scenario.Scenario{arm("a", .1), arm("b", .2)}, never)
	if want := []string{filepath.Join(dir, "configs", "a.yaml"), filepath.Join(dir, "configs", "b.yaml")}; !slices.Equal(paths, want) ||
		err != nil {
		t.Fatalf("%q, %v", paths, err)
	}
	wantVAT := func(name string, vat float64) {
		t.Helper()
		if s, _, err := l.Config(name); err != nil || s.Params.VATRate != vat {
			t.Errorf("%s: %v, %v; want %v", name, s.Params.VATRate, err, vat)
		}
	}
	wantVAT("a", .1)
	wantVAT("b", .2)

	refusal := errors.New("no")
	_, err = l.SaveConfigs(context.Background(), access.Operator(), []scenario.Scenario{arm("c", .3), arm("a", .3), arm("b", .3)}, func(old scenario.Scenario) error {
		if old.Name == "b" {
			return refusal
		}
		return nil
	})
	if err != refusal {
		t.Errorf("refused: %v", err)
	}
	// The place of the last one is taken while the first are written.
	_, err = l.SaveConfigs(context.Background(), access.Operator(), []scenario.Scenario{arm("c", .3), arm("a", .3), arm("b", .3)}, func(old scenario.Scenario) error {
		if old.Name != "b" {
			return nil
		}
		path := filepath.Join(dir, "configs", "b.yaml")
		return errors.Join(os.Rename(path, path+".kept"), os.Mkdir(path, 0o755))
	})
	if fault.KindOf(err) != fault.Internal {
		t.Errorf("no room for b: %v", err)
	}
	wantVAT("a", .1)
	if _, _, err := l.Config("c"); fault.KindOf(err) != fault.NotFound {
		t.Errorf("c is there: %v", err)
	}
	mustWrite(t, filepath.Join(dir, "configs", "broken.yaml"), "parameters: {vat_rate: 7}\n")
	if _, err := l.SaveConfigs(context.Background(), access.Operator(), []scenario.Scenario{arm("broken", .1)}, never); fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("over a broken file: %v", err)
	}
	if _, err := l.SaveConfigs(context.Background(), access.Operator(), []scenario.Scenario{arm("baseline", .1)}, never); fault.KindOf(err) != fault.Conflict {
		t.Errorf("over a built-in preset: %v", err)
	}
}

// What a loaded scenario says of itself does not hold for what is planned on top of it.
func TestPlansChangeWhatWasLoaded(t *testing.T) {
	w := newSpace(t)
	for _, change := range []func() error{
		func() error { _, err := w.Plan(t.Context(), vatIn(30)); return err },
		func() error { return w.Cancel(t.Context(), w.Planned()[0].ID) },
	} {
		if _, err := w.LoadPreset(t.Context(), "austerity", true); err != nil {
			t.Fatal(err)
		}
		if s := w.Scenario(); s.Description == "" {
			t.Fatal("the preset says nothing of itself")
		}
		if err := change(); err != nil {
			t.Fatal(err)
		}
		if s := w.Scenario(); s.Description != "" || s.DescriptionZH != "" || s.Source != "" {
			t.Errorf("it is still called %q, from %q", s.Description, s.Source)
		}
	}
}
