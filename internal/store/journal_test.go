package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// What run asks of a journal.
var _ interface {
	Months(arm, replication int, records []sim.Record) error
	Ended(arm, replication int, stateHash string, began []int) error
	State(state string, month int, message string) error
	Plan(arm int, scenario []byte, hash string, more int64) error
	Checkpoint(month int, write func(arm, replication int, w io.Writer) error) error
} = (*store.Journal)(nil)

func mustRecords(tb testing.TB, s *store.Store, name, arm string, replication, from, to, every int) []sim.Record {
	tb.Helper()
	list, err := s.Records(context.Background(), name, arm, replication, from, to, every)
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

func TestMonthsAreKeptToTheBit(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	j := mustCreate(t, s, "x")
	want := months(1, 1, 10)
	must(t, j.Months(1, 0, want[:4]))
	must(t, j.Months(1, 0, want[4:]))
	must(t, j.Months(1, 1, months(2, 1, 6)))
	must(t, j.Months(0, 0, nil))

	// Readers of the same process see what is buffered.
	if got := mustRecords(t, s, "x", "treatment", 1, 0, 0, 0); !sameBits(got, want) {
		t.Errorf("%d months came back, or with other bits", len(got))
	}
	if got := mustRecords(t, s, "x", "treatment", 1, 2, 9, 3); !sameBits(got, []sim.Record{want[1], want[4], want[7]}) {
		t.Errorf("months 2, 5, 8 came back as %d records, or with other bits", len(got))
	}
	if got := mustRecords(t, s, "x", "control", 1, 0, 0, 0); len(got) != 0 {
		t.Errorf("an arm that has not begun has %d months", len(got))
	}

	for month, want := range map[int][]sim.Record{6: {want[5], months(2, 6, 6)[0]}, 7: want[6:7], 11: nil} {
		if got, err := s.Month(context.Background(), "x", "treatment", month); err != nil || !sameBits(got, want) {
			t.Errorf("month %d: %d records or other bits, %v; want %d", month, len(got), err, len(want))
		}
	}

	series, err := s.Series(context.Background(), "x", "treatment", []sim.Indicator{sim.UnemploymentRate, sim.GDPGrowth}, 5, 0, 2)
	must(t, err)
	if !slices.Equal(series.Months, []int{5, 7, 9}) {
		t.Errorf("months %v", series.Months)
	}
	nan := math.NaN()
	wantValues := [][][]float64{{{1 + 1./5, 1 + 1./7, 1 + 1./9}, {nan, nan, nan}}, {{2 + 1./5, nan, nan}, {nan, nan, nan}}}
	if fmt.Sprint(series.Values) != fmt.Sprint(wantValues) {
		t.Errorf("series %v, want %v", series.Values, wantValues)
	}
	for _, r := range []struct{ from, to int }{{20, 0}, {3, 2}} {
		series, err := s.Series(context.Background(), "x", "treatment", []sim.Indicator{sim.CPI}, r.from, r.to, 0)
		if err != nil || len(series.Months) != 0 {
			t.Errorf("months %d to %d: %v, %v", r.from, r.to, series.Months, err)
		}
	}
}

func TestMonthsFollowEachOther(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	j := mustCreate(t, s, "x")
	must(t, j.Months(0, 0, months(0, 1, 2)))
	for name, records := range map[string][]sim.Record{
		"gap":       months(0, 4, 4),
		"burn-in":   months(0, 0, 0),
		"backwards": {months(0, 3, 3)[0], months(0, 1, 1)[0]},
	} {
		if err := j.Months(0, 0, records); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	for _, run := range [][2]int{{2, 0}, {0, 2}, {-1, 0}} {
		if err := j.Months(run[0], run[1], months(0, 1, 1)); err == nil {
			t.Errorf("run %v: no error", run)
		}
	}
	if got := mustRecords(t, s, "x", "control", 1, 0, 0, 0); len(got) != 2 {
		t.Errorf("%d months after errors, want 2", len(got))
	}
	must(t, j.Close())
	must(t, j.Close())
	if j.Months(0, 0, months(0, 3, 3)) == nil || j.State("running", 3, "") == nil || j.Ended(0, 0, "", nil) == nil {
		t.Error("a closed journal takes more")
	}
}

// TestFlushedWithinASecond: what was buffered is on disk a second later, without
// anybody asking for it.
func TestFlushedWithinASecond(t *testing.T) {
	dir := t.TempDir()
	realMonth() // its goroutines stay out of the bubble
	synctest.Test(t, func(t *testing.T) {
		s, err := store.Open(dir)
		must(t, err)
		defer s.Close()
		raw := mustRaw(t, dir)
		defer raw.Close()
		j := mustCreate(t, s, "x")
		for from := 1; from <= 3; from++ {
			must(t, j.Months(0, 1, months(0, from, from)))
			must(t, j.Ended(0, 1, fmt.Sprint("hash", from), nil))
			time.Sleep(time.Second)
			synctest.Wait()
			var rows, month int
			var hash string
			must(t, raw.QueryRow("SELECT count(*), run.month, state_hash FROM monthly JOIN run ON run.id = run").Scan(&rows, &month, &hash))
			if rows != from || month != from || hash != fmt.Sprint("hash", from) {
				t.Errorf("after a second %d months are on disk (%d, %s); want %d", rows, month, hash, from)
			}
		}
	})
}

// TestDurableWhenItReturns: State, Plan and Close write what was buffered.
func TestDurableWhenItReturns(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	raw := mustRaw(t, dir)
	defer raw.Close()
	j := mustCreate(t, s, "x")
	for i, durable := range []func() error{
		func() error { return j.State("running", 0, "") },
		func() error { return j.Plan(0, []byte("p"), "h", 0) },
		func() error { return j.Checkpoint(3, func(_, _ int, w io.Writer) error { return nil }) },
		j.Close,
	} {
		must(t, j.Months(0, 0, months(0, i+1, i+1)))
		must(t, durable())
		var rows int
		must(t, raw.QueryRow("SELECT count(*) FROM monthly").Scan(&rows))
		if rows != i+1 {
			t.Errorf("call %d: %d months on disk", i, rows)
		}
	}
	if j.Plan(7, nil, "", 0) == nil {
		t.Error("an arm that is not there has a plan")
	}
}

func TestResumption(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	j := mustCreate(t, s, "x")
	_, err := s.Take(context.Background(), "x")
	wantKind(t, err, fault.InvalidState, "queued in this process")
	must(t, j.State("running", 0, ""))
	for arm := range 2 {
		for r := range 2 {
			must(t, j.Months(arm, r, months(arm, 1, 5+arm)))
		}
	}
	must(t, j.Close()) // without an end
	x := mustExperiment(t, s, "x")
	if x.State != "interrupted" || x.Month != 5 {
		t.Fatalf("a run that nobody works on is %s in month %d", x.State, x.Month)
	}

	j, err = s.Take(context.Background(), "x")
	must(t, err)
	must(t, j.State("running", 3, "")) // from a checkpoint
	if x := mustExperiment(t, s, "x"); x.State != "running" || x.Month != 5 {
		t.Errorf("resumed it is %s with %d months", x.State, x.Month)
	}
	before := stored(t, s, "ada")
	must(t, j.Months(0, 0, months(0, 4, 5)))
	if after := stored(t, s, "ada"); after != before {
		t.Errorf("months that were there count again: %d, then %d bytes", before, after)
	}
	must(t, j.Months(1, 0, months(1, 4, 8))) // some of it new
	wrong := months(0, 4, 5)
	wrong[1].Firms.Sizes[2]++
	wantKind(t, j.Months(0, 1, wrong), fault.Conflict, "month 5", "Firms.Sizes.2")
	if got := mustRecords(t, s, "x", "treatment", 1, 0, 0, 0); !sameBits(got, months(1, 1, 8)) {
		t.Error("the resumed run has other months")
	}
	must(t, j.State("completed", 8, ""))
}

func TestManyWriters(t *testing.T) {
	dir := t.TempDir()
	s := mustOpen(t, dir)
	const experiments, runs, last = 3, 2, 50
	var wg sync.WaitGroup
	for x := range experiments {
		j := mustCreate(t, s, fmt.Sprint("x", x))
		for arm := range 2 {
			for r := range runs {
				wg.Go(func() {
					for month := 1; month <= last; month++ {
						if err := j.Months(arm, r, months(x+arm+r, month, month)); err != nil {
							t.Error(err)
						}
					}
				})
			}
		}
		wg.Go(func() {
			for range 20 {
				if _, err := s.Series(context.Background(), j.Name(), "control", []sim.Indicator{sim.CPI}, 0, 0, 0); err != nil {
					t.Error(err)
				}
				if _, _, _, err := s.List(context.Background(), store.Filter{}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	for x := range experiments {
		if got := mustRecords(t, s, fmt.Sprint("x", x), "treatment", 2, 0, 0, 0); !sameBits(got, months(x+2, 1, last)) {
			t.Errorf("experiment %d has other months", x)
		}
	}
}

// TestColumnsAreIndicators: a researcher finds every indicator by its name.
func TestColumnsAreIndicators(t *testing.T) {
	dir := t.TempDir()
	mustOpen(t, dir)
	raw := mustRaw(t, dir)
	defer raw.Close()
	want := []string{"run", "month"}
	for _, i := range sim.Indicators() {
		want = append(want, i.Name)
	}
	want = append(want, "layout", "record")
	if got := mustColumn(t, raw, "SELECT name FROM pragma_table_info('monthly')"); !slices.Equal(got, want) {
		t.Errorf("columns %v\nwant %v", got, want)
	}
	if got := mustColumn(t, raw, "SELECT DISTINCT type FROM pragma_table_info('monthly') WHERE name NOT IN ('run', 'month', 'layout', "+
		"'record')"); !slices.Equal(got, []string{"REAL"}) {
		t.Errorf("indicators are of type %v", got)
	}
}

func mustColumn(tb testing.TB, db *sql.DB, query string) []string {
	tb.Helper()
	rows, err := db.Query(query)
	must(tb, err)
	defer rows.Close()
	var list []string
	for rows.Next() {
		var s string
		must(tb, rows.Scan(&s))
		list = append(list, s)
	}
	must(tb, rows.Err())
	return list
}

// BenchmarkMonths measures months a second from Months to the disk.
func BenchmarkMonths(b *testing.B) {
	s := mustOpen(b, b.TempDir())
	j := mustCreate(b, s, "x")
	batch := months(0, 1, 100)
	b.ResetTimer()
	month := 0
	for b.Loop() {
		for i := range batch {
			month++
			batch[i].Month = month
		}
		must(b, j.Months(0, 0, batch))
	}
	must(b, j.State("running", 0, ""))
	b.ReportMetric(float64(month)/b.Elapsed().Seconds(), "months/s")
	b.ReportMetric(float64(stored(b, s, "ada"))/float64(month), "B/month")
}

// BenchmarkSeries reads 120 months of one indicator in 20 replications.
func BenchmarkSeries(b *testing.B) {
	s := mustOpen(b, b.TempDir())
	j, err := s.Create(context.Background(), experiment("x"), make([]uint64, 20), false)
	must(b, err)
	for r := range 20 {
		must(b, j.Months(0, r, months(r, 1, 120)))
	}
	for b.Loop() {
		if _, err := s.Series(context.Background(), "x", "control", []sim.Indicator{sim.UnemploymentRate}, 0, 0, 0); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOpen opens a store that exists.
func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	for b.Loop() {
		s, err := store.Open(dir)
		must(b, err)
		must(b, s.Close())
	}
}
