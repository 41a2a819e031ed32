package store_test

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
)

// stored is what a principal has stored, in bytes.
func stored(tb testing.TB, s *store.Store, principal string) int64 {
	tb.Helper()
	a, err := s.Account(context.Background(), principal)
	must(tb, err)
	return a.Bytes()
}

// holdings are the numbers of what a principal has stored, by kind.
func holdings(tb testing.TB, s *store.Store, principal string) map[string]int {
	tb.Helper()
	a, err := s.Account(context.Background(), principal)
	must(tb, err)
	items := map[string]int{}
	for _, h := range a.Holdings {
		items[h.Kind] = h.Items
	}
	return items
}

// keepSpace has a workspace be of a size.
func keepSpace(s *store.Store, name string, size int) error {
	_, err := s.EditWorkspace(context.Background(), name, func([]byte, int64) ([]byte, error) { return make([]byte, size), nil })
	return err
}

func analyse(s *store.Store, name, principal string, size int) error {
	result, _ := json.Marshal(strings.Repeat("r", size))
	_, err := s.SaveAnalysis(context.Background(), name, store.Analysis{Principal: principal, Result: result})
	return err
}

// Everything counts to whoever stored it, whichever experiment it is about.
func TestAccounts(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	full(t, s, "x", "completed")
	must(t, analyse(s, "x", "bob", 100))
	_, err := s.Ask(context.Background(), []string{"x"}, []store.Asked{{Hypothesis: "gdp", P: .5}}, "bob")
	must(t, err)
	must(t, keepSpace(s, "bob/default", 100))
	must(t, keepSpace(s, "default", 100))
	if got, want := holdings(t, s, "ada"), map[string]int{"experiments": 1, "checkpoints": 1, "asked": 1, "plans": 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("ada has %v, want %v", got, want)
	}
	if got, want := holdings(t, s, "bob"), map[string]int{"analyses": 1, "asked": 1, "workspaces": 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("bob has %v, want %v", got, want)
	}
	if got, want := holdings(t, s, ""), map[string]int{"analyses": 1, "workspaces": 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("the operator has %v, want %v", got, want)
	}
	list, err := s.Accounts(context.Background())
	must(t, err)
	var sum int64
	for _, a := range list {
		sum += a.Bytes()
	}
	if len(list) != 3 || list[2].Principal != "bob" || sum != stored(t, s, "ada")+stored(t, s, "bob")+stored(t, s, "") {
		t.Errorf("accounts %+v", list)
	}
	must(t, ask(s, "x", "bob", "gdp", "cpi")) // one of them again
	if n := holdings(t, s, "bob")["asked"]; n != 2 {
		t.Errorf("bob asked %d hypotheses", n)
	}
	_, err = s.Delete(context.Background(), "x")
	must(t, err)
	// The register outlives it, with what was asked.
	if got, want := holdings(t, s, "ada"), map[string]int{"asked": 1, "plans": 1}; !reflect.DeepEqual(got, want) || stored(t, s, "ada") > 1000 {
		t.Errorf("%v, %d bytes, of what was deleted still count", got, stored(t, s, "ada"))
	}
}

// What an experiment may come to store counts from its start; once it has ended, what it has
// stored. One that was interrupted may go on.
func TestReservation(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	x := experiment("x")
	const interventions = 1000
	x.Reserved = 4 * s.RunBytes(x.Months, interventions, 50_000)
	j, err := s.Create(context.Background(), x, seeds, false)
	must(t, err)
	start := stored(t, s, "ada")
	began := slices.Repeat([]int{120}, interventions)
	if start < 4*120*2700 || start > 3*4*120*2700 {
		t.Errorf("%d bytes are reserved", start)
	}
	for arm := range 2 {
		for r := range 2 {
			must(t, j.Months(arm, r, months(arm*2+r, 1, 100)))
			must(t, j.Detail(arm, r, "tables", 100, make([]byte, 50_000)))
			must(t, j.Began(arm, r, began[:500]))
		}
	}
	must(t, j.State("interrupted", 0, ""))
	must(t, j.Close())
	if now := stored(t, s, "ada"); now != start {
		t.Errorf("%d bytes count once it is interrupted, and %d at the start", now, start)
	}
	s.Limits.Bytes = 1 // what is reserved can be used
	j, err = s.Take(context.Background(), "x")
	must(t, err)
	for arm := range 2 {
		for r := range 2 {
			must(t, j.Months(arm, r, months(arm*2+r, 101, 120)))
			must(t, j.Ended(arm, r, strings.Repeat("h", 64), began))
		}
	}
	must(t, j.State("running", 0, ""))
	if now := stored(t, s, "ada"); now != start {
		t.Errorf("%d bytes count in its last month, and %d at the start", now, start)
	}
	must(t, j.State("completed", 120, ""))
	if now := stored(t, s, "ada"); now < start/2 || now >= start {
		t.Errorf("%d bytes count at its end, and %d at the start", now, start)
	}
	must(t, j.Close())
}

// What does not fit is refused and changes nothing, in whatever way it comes.
func TestLimits(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	full(t, s, "x", "completed")
	j := mustCreate(t, s, "live")
	must(t, keepSpace(s, "ada/default", 5000))
	must(t, analyse(s, "x", "ada", 100))
	long := strings.Repeat("n", 40_000)
	ways := map[string]func() error{
		"an experiment": func() error {
			x := experiment("y")
			x.Reserved = 1e6
			_, err := s.Create(context.Background(), x, seeds, false)
			return err
		},
		"more replications":  func() error { return j.Reserve(1e6) },
		"an intervention":    func() error { return j.Plan(0, []byte(long), "h", 0) },
		"what may begin":     func() error { return j.Plan(0, []byte("scenario"), "h", 40_000) },
		"a month too many":   func() error { return second(j.Months(0, 0, months(0, 1, 1)), j.State("running", 1, "")) },
		"notes":              func() error { return capture(s, "x", store.Capture{Status: "completed", Notes: long}) },
		"an analysis":        func() error { return analyse(s, "x", "ada", 40_000) },
		"what is asked":      func() error { return ask(s, "x", "ada", long) },
		"a workspace":        func() error { return keepSpace(s, "ada/other", 40_000) },
		"a larger workspace": func() error { return keepSpace(s, "ada/default", 40_000) },
	}
	s.Limits.Bytes = stored(t, s, "ada") - 4000 // a checkpoint gives way
	for way, try := range ways {
		before := rowCounts(t, dir)
		bytes := stored(t, s, "ada")
		err := try()
		if fault.KindOf(err) != fault.LimitExceeded || !strings.Contains(err.Error(), "left of the limit stored_bytes") {
			t.Errorf("%s: %v", way, err)
		}
		if after := rowCounts(t, dir); after != before || stored(t, s, "ada") != bytes {
			t.Errorf("%s is refused, and rows went from\n%s to\n%s", way, before, after)
		}
	}
	if x := mustExperiment(t, s, "x"); x.Captured.Notes != "" {
		t.Errorf("notes of %d bytes were refused", len(x.Captured.Notes))
	}
	must(t, keepSpace(s, "ada/default", 4000)) // what takes no more is done
	must(t, analyse(s, "x", "bob", 40_000))
	s.Limits = store.Limits{Workspaces: 1, Analyses: 1}
	wantKind(t, keepSpace(s, "ada/other", 10), fault.LimitExceeded, "1 workspaces")
	wantKind(t, analyse(s, "x", "ada", 10), fault.LimitExceeded, "1 analyses")
	must(t, keepSpace(s, "ada/default", 50_000))
	must(t, keepSpace(s, "bob/other", 10))
	must(t, j.Close())
}

func second(_, err error) error { return err }

func ask(s *store.Store, name, by string, hypotheses ...string) error {
	asked := make([]store.Asked, len(hypotheses))
	for i, h := range hypotheses {
		asked[i].Hypothesis = h
	}
	_, err := s.Ask(context.Background(), []string{name}, asked, by)
	return err
}

// Two processes share a folder: what both store at the same time does not slip past the limit.
func TestLimitsOfProcesses(t *testing.T) {
	dir := t.TempDir()
	stores := []*store.Store{mustOpen(t, dir), mustOpen(t, dir)}
	must(t, mustCreate(t, stores[0], "x").Close())
	limit := stored(t, stores[0], "ada") + 300_000
	for _, s := range stores {
		s.Limits.Bytes = limit
	}
	var group sync.WaitGroup
	var mu sync.Mutex
	kept, refused := 0, 0
	for k := range 8 {
		group.Go(func() {
			for i := range 20 {
				err := analyse(stores[k%2], "x", "ada", 10_000)
				mu.Lock()
				if fault.KindOf(err) == fault.LimitExceeded {
					refused++
				} else if must(t, err); i >= 0 {
					kept++
				}
				mu.Unlock()
			}
		})
	}
	group.Wait()
	now := stored(t, stores[0], "ada")
	if now > limit || now < limit-20_000 || kept+refused != 160 || holdings(t, stores[1], "ada")["analyses"] != kept {
		t.Errorf("%d bytes of %d, %d kept, %d refused", now, limit, kept, refused)
	}
}

// Checkpoints save time, nothing else: they are kept where there is room, and give way.
func TestCheckpointsGiveWay(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	j := mustCreate(t, s, "x")
	other := mustCreate(t, s, "y")
	keep := func(j *store.Journal, size int) error {
		return j.Checkpoint(0, func(_, _ int, w io.Writer) error {
			_, err := w.Write(bytes.Repeat([]byte("s"), size))
			return err
		})
	}
	s.Limits.Bytes = stored(t, s, "ada") + 100_000
	must(t, keep(j, 20_000)) // of four runs
	wantKind(t, keep(other, 30_000), fault.LimitExceeded)
	if n := holdings(t, s, "ada")["checkpoints"]; n != 1 {
		t.Errorf("%d sets are left", n)
	}
	must(t, keep(other, 10_000))
	if n := holdings(t, s, "ada")["checkpoints"]; n != 1 {
		t.Errorf("%d sets are there, both do not fit", n)
	}
	must(t, keepSpace(s, "ada/default", 80_000))
	if left := stored(t, s, "ada"); left > s.Limits.Bytes || holdings(t, s, "ada")["checkpoints"] != 0 {
		t.Errorf("%d of %d bytes, %v", left, s.Limits.Bytes, holdings(t, s, "ada"))
	}
	must(t, j.Close())
	must(t, other.Close())
}

// What is counted is what the file grows by: SQLite says what each table and index takes. Older
// databases have smaller pages.
func TestRoom(t *testing.T) {
	for _, page := range []int{16384, 4096} {
		t.Run(fmt.Sprint(page), func(t *testing.T) {
			dir := t.TempDir()
			must(t, mustOpen(t, dir).Close())
			db := mustRaw(t, dir)
			_, err := db.Exec(fmt.Sprintf("PRAGMA journal_mode = DELETE; PRAGMA page_size = %d; VACUUM; PRAGMA journal_mode = WAL", page))
			must(t, err)
			defer db.Close()
			room(t, mustOpen(t, dir), db)
		})
	}
}

func room(t *testing.T, s *store.Store, db *sql.DB) {
	taken := func(tables string) (bytes int64) {
		must(t, db.QueryRow("SELECT coalesce(sum(pgsize), 0) FROM dbstat JOIN sqlite_schema USING (name) WHERE tbl_name IN ("+tables+")").
			Scan(&bytes))
		return bytes
	}
	random := rand.New(rand.NewPCG(1, 2))
	sized := func(most int) int { return most/2 + random.IntN(most/2) }
	compare := func(what, tables string, store func()) {
		t.Helper()
		taken0, counted0 := taken(tables), stored(t, s, "ada")
		store()
		took, counted := taken(tables)-taken0, stored(t, s, "ada")-counted0
		t.Logf("%-20s took %9d bytes, %9d were counted: %+.1f %%", what, took, counted, 100*(float64(counted)/float64(took)-1))
		if counted < took*95/100 || counted > took*105/100 {
			t.Errorf("%s took %d bytes, and %d are counted", what, took, counted)
		}
	}
	var journals []*store.Journal
	compare("experiments", "'experiment', 'arm', 'run', 'planned', 'planned_arm'", func() {
		for k := range 40 {
			x := experiment(fmt.Sprint("x", k))
			for i := range x.Arms {
				x.Arms[i].Scenario = make([]byte, 10_275+random.IntN(300))
				x.Arms[i].Data = fmt.Sprintf("%012x%012x", random.Uint64()>>16, random.Uint64()>>16)
			}
			j, err := s.Create(context.Background(), x, seeds, false)
			must(t, err)
			journals = append(journals, j)
		}
	})
	compare("months", "'monthly'", func() {
		for i := range 40 {
			for _, j := range journals[:5] {
				for arm := range 2 {
					for r := range 2 {
						must(t, j.Months(arm, r, months(arm*2+r, 3*i+1, 3*i+3)))
					}
				}
			}
		}
		for _, j := range journals[:5] {
			must(t, j.State("running", 0, ""))
		}
	})
	compare("details", "'detail'", func() {
		for _, j := range journals[:20] {
			for arm := range 2 {
				for r := range 2 {
					must(t, j.Detail(arm, r, "innovation", 120, make([]byte, 200+random.IntN(200))))
					must(t, j.Detail(arm, r, "sizes", 120, make([]byte, 75+random.IntN(10))))
					must(t, j.Detail(arm, r, "tables", 120, make([]byte, 15_600+random.IntN(100))))
				}
			}
			must(t, j.State("completed", 120, ""))
		}
	})
	compare("analyses", "'analysis'", func() {
		for range 150 {
			must(t, analyse(s, "x0", "ada", sized(40_000)))
		}
	})
	compare("what is asked", "'asked'", func() {
		for range 80 {
			var hypotheses []string
			for range 25 {
				hypotheses = append(hypotheses, strings.Repeat(fmt.Sprintf("%016x", random.Uint64()), 4+random.IntN(9)))
			}
			must(t, ask(s, fmt.Sprint("x", random.IntN(40)), "ada", hypotheses...))
		}
	})
	compare("workspaces", "'workspace'", func() {
		for range 100 {
			must(t, keepSpace(s, fmt.Sprintf("ada/%x", random.Uint64()), 11_000+random.IntN(300)))
		}
	})
	for _, j := range journals {
		must(t, j.Close())
	}
	compare("what began", "'experiment', 'arm', 'run'", func() {
		for _, of := range []int{100, 200, 300, 500, 700, 1000, 1400, 2000, 3000} {
			j, err := s.Create(context.Background(), experiment(fmt.Sprint("planned", of)), make([]uint64, 60), false)
			must(t, err)
			began := make([]int, of)
			for month := 12; month <= 120; month += 12 { // in which a tenth of them begins
				for i := range of / 10 {
					began[(month/12-1)*of/10+i] = month
				}
				for arm := range 2 {
					for r := range 60 {
						must(t, j.Ended(arm, r, strings.Repeat("h", 64), began))
					}
				}
				must(t, j.State("running", 0, "")) // written
			}
			must(t, j.Close())
		}
	})
}
