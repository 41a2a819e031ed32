package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// hashes are those of the scenarios of experiment.
func hashes(text []byte) (string, error) {
	switch string(text) {
	case "parameters: {}\n":
		return "c0", nil
	case "parameters: {vat_rate: 0.1}\n":
		return "t0", nil
	}
	return "", errors.New("line 1: no scenario")
}

// use opens a store for a while; unlike mustOpen it does not expect that it is sound at the end.
func use(tb testing.TB, dir string, f func(s *store.Store)) {
	tb.Helper()
	s, err := store.Open(dir)
	must(tb, err)
	f(s)
	must(tb, s.Close())
}

func mustExamine(tb testing.TB, dir string) store.Examination {
	tb.Helper()
	before := listing(tb, dir)
	x, err := store.Examine(context.Background(), dir, hashes)
	must(tb, err)
	if after := listing(tb, dir); after != before {
		tb.Errorf("the folder has\n%s, and had\n%s", after, before)
	}
	for _, f := range x.Findings {
		if f.Kind == "" || f.Where == "" || f.Message == "" || f.Hint == "" {
			tb.Errorf("a finding without words: %+v", f)
		}
	}
	return x
}

// listing is all files of a folder, each with its size, time and mode.
func listing(tb testing.TB, dir string) string {
	tb.Helper()
	var b strings.Builder
	must(tb, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		must(tb, err)
		if entry.IsDir() {
			fmt.Fprintln(&b, path)
			return nil
		}
		info, err := entry.Info() // to open a database that is in use here would release its locks
		must(tb, err)
		fmt.Fprintln(&b, path, info.Size(), info.ModTime(), info.Mode())
		return nil
	}))
	return b.String()
}

// mustFind looks for a finding whose words hold all of these.
func mustFind(tb testing.TB, x store.Examination, kind store.FindingKind, words ...string) {
	tb.Helper()
	for _, f := range x.Findings {
		text := strings.Join([]string{f.Where, f.Experiment, f.Message, f.Hint}, " | ")
		if f.Kind == kind && !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, word) }) {
			return
		}
	}
	tb.Errorf("no finding %s with %q among\n%+v", kind, words, x.Findings)
}

// Stores that earlier builds left behind, also in the middle of their work, are sound.
func TestSoundStores(t *testing.T) {
	for _, fixture := range fixtures(t) {
		dir := mustUnpack(t, fixture)
		x, err := store.Examine(t.Context(), dir, func([]byte) (string, error) { return "", nil })
		must(t, err)
		for _, f := range x.Findings {
			if !strings.Contains(f.Message, "hash is stored") { // the hash is not that of this test
				t.Errorf("%s: %+v", fixture, f)
			}
		}
		if x.Experiments == 0 {
			t.Errorf("%s: nothing was examined", fixture)
		}
	}
}

// A store in use is examined as it stands, while its process goes on.
func TestExamineWhileUsed(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	full(t, s, "ended", "completed")
	j := mustCreate(t, s, "running")
	must(t, j.Months(0, 0, months(0, 1, 3)))
	must(t, j.State("running", 0, ""))
	for month := 4; month < 20; month++ {
		x := mustExamine(t, dir)
		if len(x.Findings) > 0 || x.Experiments != 2 || x.Months != 20+month-1 || len(x.Whole) != 2 {
			t.Fatalf("%+v", x)
		}
		must(t, j.Months(0, 0, months(0, month, month)))
		must(t, j.State("running", 0, ""))
	}
	must(t, j.Close())
	must(t, s.Close())
	if x := mustExamine(t, dir); len(x.Findings) > 0 || x.Experiments != 2 {
		t.Errorf("once it is closed: %+v", x)
	}
}

// What contradicts itself is found, each experiment by its name, and the others are whole.
func TestInconsistentStore(t *testing.T) {
	const (
		ofFirst   = " WHERE run = (SELECT min(id) FROM run)"
		treatment = " WHERE name = 'treatment' AND experiment = 1"
	)
	for name, c := range map[string]struct {
		statement string
		kind      store.FindingKind
		words     []string
	}{
		"month missing": {
			"DELETE FROM monthly" + ofFirst + " AND month = 3", store.Inconsistent,
			[]string{"harmed", "control/1: month 2 is followed by month 4", "delete harmed"},
		},
		"months cut": {
			"DELETE FROM monthly" + ofFirst + " AND month > 3", store.Inconsistent, []string{"harmed", "there are 3 months, and it says 5"},
		},
		"months too many": {
			"UPDATE run SET month = 4 WHERE id = 1", store.Inconsistent, []string{"harmed", "there are 5 months, and it says 4"},
		},
		"month of another": {
			"UPDATE monthly SET record = (SELECT record FROM monthly" + ofFirst + " AND month = 1)" + ofFirst + " AND month = 2",
			store.Inconsistent, []string{"harmed", "month 2 holds the numbers of month 1"},
		},
		"record": {
			"UPDATE monthly SET record = x'01'" + ofFirst + " AND month = 2", store.Inconsistent,
			[]string{"harmed", "month 2 cannot be decoded"},
		},
		"promise": {
			"UPDATE experiment SET month = 9 WHERE name = 'harmed'", store.Inconsistent, []string{"harmed", "completed in month 9"},
		},
		"scenario": {
			"UPDATE arm SET scenario = 'parameters: {}' || char(10)" + treatment, store.Inconsistent,
			[]string{"harmed", "scenario of treatment is not the one"},
		},
		"no scenario": {
			"UPDATE arm SET scenario = 'x'" + treatment, store.Inconsistent, []string{"harmed", "line 1: no scenario"},
		},
		"parent": {
			"DELETE FROM capture WHERE experiment = 1", store.Inconsistent,
			[]string{"2 rows of tag belong to no capture", "restore a copy"},
		},
		"layout":  {"UPDATE layout SET id = 7", store.Damaged, []string{"harmed", "layout 1"}},
		"program": {"PRAGMA application_id = 7", store.Damaged, []string{"another program"}},
		"newer":   {"PRAGMA user_version = 999", store.Inconsistent, []string{"newer"}},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			use(t, dir, func(s *store.Store) {
				full(t, s, "harmed", "completed")
				full(t, s, "whole", "completed")
			})
			mustExec(t, dir, "PRAGMA foreign_keys = 0", "UPDATE experiment SET model_version = '"+sim.ModelVersion+"'", c.statement)
			x := mustExamine(t, dir)
			mustFind(t, x, c.kind, c.words...)
			if slices.Contains(c.words, "harmed") && name != "layout" && !slices.Equal(x.Whole, []string{"whole"}) {
				t.Errorf("whole are %v", x.Whole)
			}
		})
	}
}

// What is left over is found, and what others need is not.
func TestLeftOvers(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	full(t, s, "open", "interrupted")
	full(t, s, "cut", "interrupted")
	must(t, s.Close())
	must(t, os.Truncate(filepath.Join(sets(t, dir)[1], "1-1.snap"), 10))
	must(t, os.MkdirAll(filepath.Join(dir, "checkpoints", "1", "m6.123"), 0o700))
	must(t, os.MkdirAll(filepath.Join(dir, "checkpoints", "9"), 0o700))
	must(t, os.WriteFile(filepath.Join(dir, "locks", "8.lock"), nil, 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "locks", "presets.lock"), nil, 0o600))
	x := mustExamine(t, dir)
	if len(x.Findings) != 4 {
		t.Errorf("%d findings: %+v", len(x.Findings), x.Findings)
	}
	mustFind(t, x, store.LeftOver, "checkpoints/1/m6.123", "open", "gc")
	mustFind(t, x, store.LeftOver, "checkpoints/9", "gc")
	mustFind(t, x, store.LeftOver, "locks/8.lock", "gc")
	mustFind(t, x, store.Damaged, "checkpoints/2/", "cut", "resume_simulation")
}

// mustDamage overwrites the page of the database that holds a text.
func mustDamage(tb testing.TB, dir string, text []byte) {
	tb.Helper()
	const page = 16384
	path := filepath.Join(dir, database)
	data, err := os.ReadFile(path)
	must(tb, err)
	at := bytes.Index(data, text)
	if at < 0 {
		tb.Fatal("no page has the text")
	}
	at -= at % page
	for i := range page {
		data[at+i] = 0xff
	}
	must(tb, os.WriteFile(path, data, 0o600))
}

// A damaged page costs what it holds: the rest is examined, listed and read, and errors name
// the page.
func TestDamagedPage(t *testing.T) {
	dir := t.TempDir()
	use(t, dir, func(s *store.Store) {
		for _, name := range []string{"first", "harmed", "last"} {
			j := mustCreate(t, s, name)
			for arm := range 2 {
				for r := range 2 {
					must(t, j.Months(arm, r, months(1000*len(name)+10*arm+r, 1, 60)))
				}
			}
			must(t, j.State("completed", 60, ""))
			must(t, j.Close())
		}
	})
	var blob []byte
	raw := mustRaw(t, dir)
	must(t, raw.QueryRow(`SELECT record FROM monthly JOIN run ON run.id = run JOIN arm ON arm.id = arm
		JOIN experiment ON experiment.id = experiment WHERE experiment.name = 'harmed' AND monthly.month = 30`).Scan(&blob))
	must(t, raw.Close())
	mustDamage(t, dir, blob)

	x := mustExamine(t, dir)
	mustFind(t, x, store.Damaged, "page ", "of the table monthly cannot be read", "restore a copy", "econ-mcp export")
	mustFind(t, x, store.Damaged, "harmed", "control/1: the months after ", "restore a copy")
	if len(x.Findings) != 2 {
		t.Errorf("findings %+v", x.Findings)
	}
	if !slices.Equal(x.Whole, []string{"first", "last"}) || x.Experiments != 3 || x.Months < 10*60 {
		t.Errorf("%+v", x)
	}

	use(t, dir, func(s *store.Store) {
		if list, _, _, err := s.List(t.Context(), store.Filter{}); err != nil || len(list) != 3 {
			t.Errorf("%d are listed, %v", len(list), err)
		}
		for _, name := range []string{"first", "last"} {
			if got := mustRecords(t, s, name, "treatment", 2, 0, 0, 0); len(got) != 60 {
				t.Errorf("%s has %d months", name, len(got))
			}
		}
		_, err := s.Records(t.Context(), "harmed", "control", 1, 0, 0, 0)
		wantKind(t, err, fault.Internal, "is damaged: page ", "of the table monthly", "econ-mcp doctor", "restore a copy")
		if strings.Contains(err.Error(), "permission") {
			t.Errorf("error %v", err)
		}
	})
}

// Where the file is no database any more, that is what is found.
func TestExamineWhatCannotBeOpened(t *testing.T) {
	for name, c := range map[string]struct {
		harm  func(path string) error
		words string
	}{
		"empty":  {func(path string) error { return os.Truncate(path, 0) }, "empty"},
		"cut":    {func(path string) error { return os.Truncate(path, 16384) }, "damaged"},
		"text":   {func(path string) error { return os.WriteFile(path, bytes.Repeat([]byte("text "), 9999), 0o600) }, "not a database"},
		"header": {func(path string) error { return os.WriteFile(path, make([]byte, 99999), 0o600) }, "database"},
	} {
		dir := t.TempDir()
		use(t, dir, func(*store.Store) {})
		must(t, c.harm(filepath.Join(dir, database)))
		x := mustExamine(t, dir)
		if len(x.Findings) != 1 {
			t.Errorf("%s: %+v", name, x.Findings)
		}
		mustFind(t, x, store.Damaged, database, c.words, "restore a copy")
	}
	_, err := store.Examine(t.Context(), t.TempDir(), hashes)
	var e *store.OpenError
	if !errors.As(err, &e) || !strings.Contains(err.Error(), "has no econ-mcp.db") {
		t.Errorf("a folder without a store: %v", err)
	}
}
