package param_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/param"
	"econ-mcp/internal/scenario"
)

// ledger is whose the files are, by kind/name, and how many bytes count.
type ledger map[string]counted

type counted struct {
	access.Owner
	bytes int64
}

func (l ledger) SavedBy(_ context.Context, kind string) (map[string]access.Owner, error) {
	owners := make(map[string]access.Owner)
	for key, c := range l {
		if filepath.Dir(key) == kind {
			owners[filepath.Base(key)] = c.Owner
		}
	}
	return owners, nil
}

func (l ledger) SetSavedBy(_ context.Context, kind, name string, o access.Owner, bytes int64) error {
	l[kind+"/"+name] = counted{o, bytes}
	return nil
}

func (l ledger) KeepSaved(_ context.Context, kind string, there []string) error {
	maps.DeleteFunc(l, func(key string, _ counted) bool {
		return filepath.Dir(key) == kind && !slices.Contains(there, filepath.Base(key))
	})
	return nil
}

func mustCount(tb testing.TB, dir string) (*param.Library, ledger) {
	tb.Helper()
	counts := make(ledger)
	l, err := param.OpenLibrary(dir, counts)
	if err != nil {
		tb.Fatal(err)
	}
	return l, counts
}

func caller(name string) access.Caller {
	return access.Caller{Principal: name, Role: access.Full}
}

// contents are the files of the folders by path.
func contents(tb testing.TB, dir string) map[string]string {
	tb.Helper()
	list := make(map[string]string)
	for _, folder := range []string{"presets", "configs"} {
		for _, name := range files(tb, filepath.Join(dir, folder)) {
			data, err := os.ReadFile(filepath.Join(dir, folder, name))
			if err != nil {
				tb.Fatal(err)
			}
			list[folder+"/"+name] = string(data)
		}
	}
	return list
}

// Where a folder cannot be listed for a while, no name in it is free, and nothing is forgotten.
func TestAFolderThatCannotBeListed(t *testing.T) {
	dir := t.TempDir()
	l, counts := mustCount(t, dir)
	for _, name := range []string{"a", "b"} {
		if _, err := l.SaveConfig(t.Context(), name, withVAT(.1), param.Saving{By: caller("ada")}); err != nil {
			t.Fatal(err)
		}
		if _, err := l.SavePreset(t.Context(), name, withVAT(.1), nil, param.Saving{By: caller("ada")}); err != nil {
			t.Fatal(err)
		}
	}
	known, there := maps.Clone(counts), contents(t, dir)
	failing := func(how string, fail, mend func(folder string) error) {
		for _, folder := range []string{"presets", "configs"} {
			if err := fail(filepath.Join(dir, folder)); err != nil {
				t.Fatal(err)
			}
		}
		as := param.Saving{By: caller("eve"), Overwrite: true}
		s := withVAT(.2)
		s.Name = "a"
		for what, call := range map[string]func() error{
			"a preset": func() error { _, err := l.SavePreset(t.Context(), "a", s, nil, as); return err },
			"a config": func() error { _, err := l.SaveConfig(t.Context(), "a", s, as); return err },
			"configs": func() error {
				_, err := l.SaveConfigs(t.Context(), as.By, []scenario.Scenario{s}, func(scenario.Scenario) error { return nil })
				return err
			},
			"the list": func() error { _, err := l.ConfigPage(t.Context(), "", 0); return err },
		} {
			wantKind(t, fmt.Sprintf("%s, %s", how, what), call(), fault.Internal)
			if !maps.Equal(counts, known) {
				t.Errorf("%s, %s: %v counts, want %v", how, what, counts, known)
			}
		}
		for _, folder := range []string{"presets", "configs"} {
			if err := mend(filepath.Join(dir, folder)); err != nil {
				t.Fatal(err)
			}
		}
		if now := contents(t, dir); !maps.Equal(now, there) {
			t.Errorf("%s: the files are %v, were %v", how, now, there)
		}
	}
	failing("a file in the place of the folder", func(folder string) error {
		if err := os.Rename(folder, folder+".kept"); err != nil {
			return err
		}
		return os.WriteFile(folder, nil, 0o600)
	}, func(folder string) error {
		if err := os.Remove(folder); err != nil {
			return err
		}
		return os.Rename(folder+".kept", folder)
	})
	if os.Getuid() > 0 { // whom modes hold back; what is in the folder can still be read and written
		failing("a mode", func(folder string) error { return os.Chmod(folder, 0o300) },
			func(folder string) error { return os.Chmod(folder, 0o700) })
	}
	failing("no folder", func(folder string) error { return os.Rename(folder, folder+".kept") },
		func(folder string) error { return os.Rename(folder+".kept", folder) })
}

// Configs that could not all be saved count as before, as do the files, and so does one alone.
func TestWhatIsNotSavedCountsAsBefore(t *testing.T) {
	dir := t.TempDir()
	l, counts := mustCount(t, dir)
	ada := caller("ada")
	for _, name := range []string{"a", "last"} {
		if _, err := l.SaveConfig(t.Context(), name, withVAT(.1), param.Saving{By: ada, Shared: new(true)}); err != nil {
			t.Fatal(err)
		}
	}
	byHand := withVAT(.1)
	byHand.Name = "by_hand"
	mustWrite(t, filepath.Join(dir, "configs", "by_hand.yaml"), string(byHand.Encode()))
	known, there := maps.Clone(counts), contents(t, dir)
	var list []scenario.Scenario
	for _, name := range []string{"a", "by_hand", "new", "last"} {
		s := withVAT(.2)
		s.Name, s.Description = name, "a longer text"
		list = append(list, s)
	}
	// The place of the last one is taken while the first are written.
	last := filepath.Join(dir, "configs", "last.yaml")
	replace := func(old scenario.Scenario) error {
		if old.Name != "last" {
			return nil
		}
		return errors.Join(os.Rename(last, last+".kept"), os.Mkdir(last, 0o700))
	}
	_, err := l.SaveConfigs(t.Context(), access.Operator(), list, replace)
	wantKind(t, "no place for the last", err, fault.Internal)
	if err := errors.Join(os.Remove(last), os.Rename(last+".kept", last)); err != nil {
		t.Fatal(err)
	}
	if now := contents(t, dir); !maps.Equal(counts, known) || !maps.Equal(now, there) {
		t.Errorf("%v counts, want %v; the files are %v, were %v", counts, known, now, there)
	}

	path := filepath.Join(dir, "configs", "a.yaml")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = l.SaveConfig(t.Context(), "a", list[0], param.Saving{By: ada, Overwrite: true, Shared: new(false)})
	wantKind(t, "no place for one", err, fault.Conflict)
	if now, want := counts["config/a"], (counted{known["config/a"].Owner, info.Size()}); now != want {
		t.Errorf("%+v counts, want %+v", now, want)
	}
}

// A preset of the same name and economy is no config.
func TestConfigsBesideAPreset(t *testing.T) {
	l, _ := mustCount(t, t.TempDir())
	s := withVAT(.1)
	s.Name = "a"
	if _, err := l.SavePreset(t.Context(), "a", s, nil, param.Saving{By: caller("ada")}); err != nil {
		t.Fatal(err)
	}
	never := func(scenario.Scenario) error { return nil }
	paths, err := l.SaveConfigs(t.Context(), caller("ada"), []scenario.Scenario{s}, never)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(paths[0]); err != nil {
		t.Errorf("it is said to be saved: %v", err)
	}
	if _, _, err := l.Config("a"); err != nil {
		t.Error(err)
	}
}
