package store_test

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(helperFolder); dir != "" {
		help(dir)
		return
	}
	if dir := os.Getenv(askerFolder); dir != "" {
		askForEver(dir)
		return
	}
	if dir := os.Getenv(editorFolder); dir != "" {
		edit(dir)
		return
	}
	os.Exit(m.Run())
}

// mustOpen opens a store whose database must be sound when the test ends.
func mustOpen(tb testing.TB, dir string) *store.Store {
	tb.Helper()
	s, err := store.Open(dir)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := s.Close(); err != nil {
			tb.Error(err)
		}
		db := mustRaw(tb, dir)
		defer db.Close()
		for _, check := range []struct{ query, want string }{
			{"SELECT count(*) FROM pragma_foreign_key_check", "0"},
			{"SELECT group_concat(integrity_check) FROM pragma_integrity_check", "ok"},
		} {
			var got string
			if err := db.QueryRow(check.query).Scan(&got); err != nil || got != check.want {
				tb.Errorf("%s: %s, %v; want %s", check.query, got, err, check.want)
			}
		}
	})
	return s
}

// capture replaces what was captured of an experiment.
func capture(s *store.Store, name string, c store.Capture) error {
	_, err := s.UpdateCapture(context.Background(), name, func(before *store.Capture) { *before = c })
	return err
}

// mustRaw opens the database as any other program would.
func mustRaw(tb testing.TB, dir string) *sql.DB {
	tb.Helper()
	db, err := sql.Open("sqlite", filepath.Join(dir, "econ-mcp.db"))
	if err != nil {
		tb.Fatal(err)
	}
	db.SetMaxOpenConns(1)
	return db
}

// experiment is one with the arms control and treatment.
func experiment(name string) store.Experiment {
	return store.Experiment{
		Name: name, Principal: "ada", Question: "Does it help?", Plan: json.RawMessage(`{"replications":2}`),
		Seed: math.MaxUint64, Months: 120, Households: 1000, Firms: 50,
		ModelVersion: "7", CodeVersion: "v1", GoVersion: "go1.26", Arch: "amd64",
		Arms: []store.Arm{
			{Name: "control", Scenario: []byte("parameters: {}\n"), Hash: "c0"},
			{Name: "treatment", Scenario: []byte("parameters: {vat_rate: 0.1}\n"), Hash: "t0", BurntInApart: []string{"num_households"}},
		},
	}
}

var seeds = []uint64{math.MaxUint64 - 1, 7}

func mustCreate(tb testing.TB, s *store.Store, name string) *store.Journal {
	tb.Helper()
	j, err := s.Create(context.Background(), experiment(name), seeds, false)
	if err != nil {
		tb.Fatal(err)
	}
	return j
}

func mustExperiment(tb testing.TB, s *store.Store, name string) store.Experiment {
	tb.Helper()
	x, err := s.Experiment(context.Background(), name)
	if err != nil {
		tb.Fatal(err)
	}
	return x
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// wantKind fails unless err is of a kind and mentions all words.
func wantKind(tb testing.TB, err error, kind fault.Kind, words ...string) {
	tb.Helper()
	if fault.KindOf(err) != kind {
		tb.Fatalf("error %v; want one of kind %s", err, kind)
	}
	for _, word := range words {
		if !strings.Contains(err.Error(), word) {
			tb.Errorf("error %q does not mention %q", err, word)
		}
	}
}

// realMonth is a month of a simulated economy.
var realMonth = sync.OnceValue(func() sim.Record {
	p := sim.Defaults()
	if err := p.Set("num_households", 500); err != nil {
		panic(err)
	}
	e, err := sim.New(p, 1)
	if err != nil {
		panic(err)
	}
	defer e.Close()
	for range 3 {
		if err := e.Step(); err != nil {
			panic(err)
		}
	}
	e.BeginExperiment()
	if err := e.Step(); err != nil {
		panic(err)
	}
	return *e.Latest()
})

// months are made-up months of a run, different from each other.
func months(run, from, to int) []sim.Record {
	var list []sim.Record
	for month := from; month <= to; month++ {
		r := realMonth()
		r.Month = month
		r.Values[sim.UnemploymentRate] = float64(run) + 1/float64(month)
		r.Values[sim.GDPGrowth] = math.NaN()
		list = append(list, r)
	}
	return list
}

// sameBits compares records to the bit; NaN equals itself.
func sameBits(a, b []sim.Record) bool {
	return fmt.Sprintf("%x", words(a)) == fmt.Sprintf("%x", words(b))
}

func words(v any) []uint64 {
	var list []uint64
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Slice, reflect.Array:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				walk(v.Field(i))
			}
		case reflect.Int:
			list = append(list, uint64(v.Int()))
		default:
			list = append(list, math.Float64bits(v.Float()))
		}
	}
	walk(reflect.ValueOf(v))
	return list
}

func TestExperimentIsKept(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	before := time.Now().Add(-time.Millisecond)
	j := mustCreate(t, s, "first")
	want := experiment("first")
	want.State, want.Replications = "queued", 2
	want.Runs = []store.Run{
		{ID: "first/control/1", Arm: "control", Replication: 1, Seed: seeds[0], Began: []int{}},
		{ID: "first/control/2", Arm: "control", Replication: 2, Seed: seeds[1], Began: []int{}},
		{ID: "first/treatment/1", Arm: "treatment", Replication: 1, Seed: seeds[0], Began: []int{}},
		{ID: "first/treatment/2", Arm: "treatment", Replication: 2, Seed: seeds[1], Began: []int{}},
	}
	want.Arms[0].BurntInApart = []string{}
	got := mustExperiment(t, s, "first")
	if got.CreatedAt.Before(before) || time.Since(got.CreatedAt) > time.Minute {
		t.Errorf("created at %v", got.CreatedAt)
	}
	got.CreatedAt, want.Cursor, want.Reserved = want.CreatedAt, got.Cursor, got.Reserved
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}

	must(t, j.Plan(1, []byte("injected\n"), "t1", 0))
	for arm := range 2 {
		for r := range 2 {
			must(t, j.Months(arm, r, months(arm, 1, 3)))
			must(t, j.Ended(arm, r, fmt.Sprintf("hash%d%d", arm, r), []int{0, 2}))
		}
	}
	must(t, j.State("completed", 3, "done"))
	must(t, j.Close())

	// Another process, later, sees the same.
	s2 := mustOpen(t, dir)
	got = mustExperiment(t, s2, "first")
	if got.State != "completed" || got.Month != 3 || got.Message != "done" {
		t.Errorf("it ended as %s, month %d, %q", got.State, got.Month, got.Message)
	}
	if a := got.Arms[1]; string(a.Scenario) != "injected\n" || a.Hash != "t1" {
		t.Errorf("arm %+v", a)
	}
	if r := got.Runs[3]; r.Month != 3 || r.StateHash != "hash11" || !slices.Equal(r.Began, []int{0, 2}) {
		t.Errorf("run %+v", r)
	}
	if _, err := s2.Take(context.Background(), "first"); true {
		wantKind(t, err, fault.InvalidState, "completed")
	}
}

func TestUnknownNames(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	must(t, mustCreate(t, s, "vat_experiment").Close())
	_, err := s.Experiment(context.Background(), "vat_experimen")
	wantKind(t, err, fault.NotFound, `"vat_experiment"`)
	_, err = s.Experiment(context.Background(), "VAT_experiment")
	wantKind(t, err, fault.NotFound)
	_, err = s.Take(context.Background(), "nothing")
	wantKind(t, err, fault.NotFound)
	_, err = s.Records(context.Background(), "vat_experiment", "treatmnt", 1, 0, 0, 0)
	wantKind(t, err, fault.NotFound, `"treatment"`)
	_, err = s.Records(context.Background(), "vat_experiment", "control", 3, 0, 0, 0)
	wantKind(t, err, fault.OutOfRange, "1 to 2")
	_, err = s.Series(context.Background(), "x", "control", nil, 0, 0, 0)
	wantKind(t, err, fault.NotFound)
	wantKind(t, capture(s, "x", store.Capture{Status: "completed"}), fault.NotFound)
	_, err = s.SaveAnalysis(context.Background(), "x", store.Analysis{})
	wantKind(t, err, fault.NotFound)
	_, _, err = s.Checkpoint(context.Background(), "x")
	wantKind(t, err, fault.NotFound)
}

func TestNamesAreTakenOnce(t *testing.T) {
	dir := t.TempDir()
	stores := []*store.Store{mustOpen(t, dir), mustOpen(t, dir)}
	mustCreate(t, stores[0], "x")
	_, err := stores[1].Create(context.Background(), experiment("x"), seeds, false)
	wantKind(t, err, fault.Conflict, `"x"`)

	const each = 10
	names := make([]string, each*len(stores))
	var wg sync.WaitGroup
	for i := range names {
		wg.Go(func() {
			j, err := stores[i%len(stores)].Create(context.Background(), experiment("x"), seeds, true)
			if err != nil {
				t.Error(err)
				return
			}
			names[i] = j.Name()
		})
	}
	wg.Wait()
	slices.Sort(names)
	var want []string
	for n := 2; n < 2+len(names); n++ {
		want = append(want, fmt.Sprintf("x_%d", n))
	}
	slices.Sort(want)
	if !slices.Equal(names, want) {
		t.Errorf("names %v", names)
	}
}

// Experiments are exported to folders, which some systems do not tell apart by case.
func TestNamesThatDifferInCase(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	long := strings.Repeat("y", fault.LongestName)
	mustCreate(t, s, "Vat_up")
	mustCreate(t, s, long)
	_, err := s.Create(context.Background(), experiment("vat_up"), seeds, false)
	wantKind(t, err, fault.Conflict, `"Vat_up"`, `"vat_up"`)
	for _, c := range []struct{ name, want string }{
		{"vat_up", "vat_up_2"}, {"VAT_UP", "VAT_UP_3"}, {long, long[:90] + "_2"}, {strings.ToUpper(long), strings.ToUpper(long[:90]) + "_3"},
	} {
		j, err := s.Create(context.Background(), experiment(c.name), seeds, true)
		if must(t, err); j.Name() != c.want {
			t.Errorf("%s became %s, want %s", c.name, j.Name(), c.want)
		}
	}
	dir := t.TempDir()
	stores := []*store.Store{mustOpen(t, dir), mustOpen(t, dir)} // as two processes have
	var created atomic.Int32
	var creating sync.WaitGroup
	for i, name := range []string{"new", "New", "NEW", "nEw", "neW", "NeW"} {
		creating.Go(func() {
			_, err := stores[i%2].Create(context.Background(), experiment(name), seeds, false)
			if err == nil {
				created.Add(1)
			} else {
				wantKind(t, err, fault.Conflict)
			}
		})
	}
	creating.Wait()
	if created.Load() != 1 {
		t.Errorf("%d of the names that differ in case only were new", created.Load())
	}
}

func TestList(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	for _, name := range []string{"tariff_1", "tariff-2", "wages", "100%", "Old"} {
		j := mustCreate(t, s, name)
		must(t, j.Months(0, 0, months(0, 1, 1)))
		if name == "Old" {
			must(t, j.State("completed", 120, ""))
			must(t, j.Close())
		}
	}
	must(t, capture(s, "wages", store.Capture{Status: "completed", Hypothesis: "Jobs are lost", Tags: []string{"labour", "b", "labour", "a"}}))
	must(t, capture(s, "Old", store.Capture{Status: "archived", Notes: "关于最低工资", Tags: []string{"labour"}}))

	for _, c := range []struct {
		filter store.Filter
		want   string // newest first, or by name
	}{
		{store.Filter{}, "Old 100% wages tariff-2 tariff_1"},
		{store.Filter{ByName: true}, "100% Old tariff-2 tariff_1 wages"},
		{store.Filter{ByName: true, Search: "tariff"}, "tariff-2 tariff_1"},
		{store.Filter{State: "queued"}, "100% wages tariff-2 tariff_1"},
		{store.Filter{State: "completed"}, "Old"},
		{store.Filter{CapturedOnly: true}, "Old wages"},
		{store.Filter{CaptureStatus: "archived"}, "Old"},
		{store.Filter{Tag: "labour"}, "Old wages"},
		{store.Filter{Tag: "a"}, "wages"},
		{store.Filter{Search: "TARIFF"}, "tariff-2 tariff_1"},
		{store.Filter{Search: "tariff_"}, "tariff_1"},
		{store.Filter{Search: "%"}, "100%"},
		{store.Filter{Search: "help  tariff 2"}, "tariff-2"},
		{store.Filter{Search: "lost"}, "wages"},
		{store.Filter{Search: "最低工资"}, "Old"},
		{store.Filter{Search: "nothing"}, ""},
		{store.Filter{Search: "'; DROP TABLE run; --"}, ""},
	} {
		list, total, next, err := s.List(context.Background(), c.filter)
		if err != nil {
			t.Fatal(err)
		}
		if got := names(list); got != c.want || total != len(list) || next != "" {
			t.Errorf("%+v: %q, total %d, next %q; want %q", c.filter, got, total, next, c.want)
		}
	}
	x := mustExperiment(t, s, "wages")
	if x.Captured == nil || !slices.Equal(x.Captured.Tags, []string{"labour", "b", "a"}) {
		t.Errorf("captured %+v", x.Captured)
	}
	if x.HasAnalysis {
		t.Error("analysed without an analysis")
	}
}

func names(list []store.Experiment) string {
	var all []string
	for _, x := range list {
		all = append(all, x.Name)
	}
	return strings.Join(all, " ")
}

// TestPagesAreStable: what is created while somebody pages does not move what
// is on the next page.
func TestPagesAreStable(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	for i := range 5 {
		mustCreate(t, s, fmt.Sprintf("x%d", i))
	}
	var got []string
	cursor := ""
	for page := 0; ; page++ {
		list, total, next, err := s.List(context.Background(), store.Filter{Limit: 2, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		if total != 5+page {
			t.Errorf("page %d: total %d", page, total)
		}
		got = append(got, names(list))
		if cursor = next; next == "" {
			break
		}
		mustCreate(t, s, fmt.Sprintf("new%d", page))
	}
	if want := []string{"x4 x3", "x2 x1", "x0"}; !slices.Equal(got, want) {
		t.Errorf("pages %q, want %q", got, want)
	}
	byName := ""
	for cursor := ""; ; {
		list, _, next, err := s.List(context.Background(), store.Filter{Limit: 3, Cursor: cursor, ByName: true})
		must(t, err)
		byName += names(list) + "; "
		if cursor = next; next == "" {
			break
		}
	}
	if byName != "new0 new1 x0; x1 x2 x3; x4; " {
		t.Errorf("pages by name: %s", byName)
	}
	_, _, _, err := s.List(context.Background(), store.Filter{Cursor: "x"})
	wantKind(t, err, fault.WrongType, "cursor")
}

func TestResearch(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	mustCreate(t, s, "x")
	_, err := s.Update(context.Background(), "x", store.Change{Status: "completed"})
	wantKind(t, err, fault.InvalidState, "capture_experiment")
	wantKind(t, capture(s, "x", store.Capture{Status: "done"}), fault.OutOfRange, "archived")
	_, err = s.Analysis(context.Background(), "x", 0, "")
	wantKind(t, err, fault.InvalidState, "analyze_experiment")

	at := time.Date(2026, 3, 4, 5, 6, 7, 89e6, time.UTC)
	c := store.Capture{Status: "pending", Question: "q", Hypothesis: "h", ExpectedOutcome: "e", Notes: "n", Tags: []string{"a"},
		CapturedAt: at}
	must(t, capture(s, "x", c))
	first := store.Analysis{CreatedAt: at, CodeVersion: "v1", Principal: "ada", Settings: json.RawMessage(`{"a":1}`),
		Result: json.RawMessage(`[1,2]`)}
	before := stored(t, s, "ada")
	for want := 1; want <= 2; want++ {
		version, err := s.SaveAnalysis(context.Background(), "x", first)
		if err != nil || version != want {
			t.Fatalf("version %d, %v; want %d", version, err, want)
		}
	}
	if more := stored(t, s, "ada") - before; more < 2*int64(len(`{"a":1}[1,2]`)) || more > 1000 {
		t.Errorf("two analyses take %d bytes", more)
	}
	c.Status, c.Tags = "completed", []string{"b", "c"}
	must(t, capture(s, "x", c)) // again: analyses stay
	if before, err := s.Update(context.Background(), "x", store.Change{Status: "archived"}); err != nil || before.Status != "completed" {
		t.Errorf("before %+v, %v", before, err)
	}
	c.Status = "archived"
	x := mustExperiment(t, s, "x")
	if !reflect.DeepEqual(*x.Captured, c) || !x.HasAnalysis {
		t.Errorf("captured %+v, want %+v; analysed %v", *x.Captured, c, x.HasAnalysis)
	}
	for _, version := range []int{0, 1, 2} {
		got, err := s.Analysis(context.Background(), "x", version, "")
		must(t, err)
		want := first
		if want.Version = version; version == 0 {
			want.Version = 2
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("analysis %d is %+v", version, got)
		}
	}
	_, err = s.Analysis(context.Background(), "x", 3, "")
	wantKind(t, err, fault.NotFound, "1 to 2")
}
