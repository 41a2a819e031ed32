package store_test

import (
	"context"
	"database/sql"
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// lockFile has another program write to the database until release is called.
func lockFile(tb testing.TB, db *sql.DB) (release func()) {
	tb.Helper()
	db.SetMaxOpenConns(1)
	for _, command := range []string{"PRAGMA busy_timeout = 5000", "BEGIN IMMEDIATE"} {
		_, err := db.Exec(command)
		must(tb, err)
	}
	return func() {
		_, err := db.Exec("ROLLBACK")
		must(tb, err)
	}
}

// While another program writes, what is buffered can be read, and a month that comes a
// second later waits: what a journal accepted more than a second ago is on disk.
func TestMonthsWaitForTheDisk(t *testing.T) {
	dir := t.TempDir()
	realMonth()
	synctest.Test(t, func(t *testing.T) {
		s, err := store.Open(dir)
		must(t, err)
		defer s.Close()
		raw := mustRaw(t, dir)
		defer raw.Close()
		j := mustCreate(t, s, "x")
		for arm := range 2 {
			for r := range 2 {
				must(t, j.Months(arm, r, months(arm, 1, 1)))
			}
		}
		must(t, j.State("running", 1, ""))
		release := lockFile(t, raw)
		for arm := range 2 {
			for r := range 2 {
				must(t, j.Months(arm, r, months(arm, 2, 2)))
			}
		}
		must(t, j.Began(1, 0, []int{2}))
		time.Sleep(900 * time.Millisecond)
		must(t, j.Months(1, 0, months(1, 3, 3)))

		if x := mustExperiment(t, s, "x"); x.Month != 2 || x.Runs[2].Month != 3 || fmt.Sprint(x.Runs[2].Began) != "[2]" {
			t.Errorf("while the disk is taken: month %d, run %+v", x.Month, x.Runs[2])
		}
		if list, _, _, err := s.List(context.Background(), store.Filter{}); err != nil || list[0].Month != 2 {
			t.Errorf("listed: %+v, %v", list, err)
		}
		if got := mustRecords(t, s, "x", "treatment", 1, 2, 0, 1); !sameBits(got, months(1, 2, 3)) {
			t.Errorf("%d records, or other bits", len(got))
		}
		if got, err := s.Month(context.Background(), "x", "treatment", 2); err != nil ||
			!sameBits(got, append(months(1, 2, 2), months(1, 2, 2)...)) {
			t.Errorf("month 2: %d records, %v", len(got), err)
		}
		if got, err := s.Month(context.Background(), "x", "treatment", 3); err != nil || !sameBits(got, months(1, 3, 3)) {
			t.Errorf("month 3: %d records, %v", len(got), err)
		}
		series, err := s.Series(context.Background(), "x", "treatment", []sim.Indicator{sim.UnemploymentRate}, 0, 0, 0)
		if err != nil || fmt.Sprint(series.Months) != "[1 2 3]" || fmt.Sprint(series.Values[0][0]) != fmt.Sprint([]float64{2, 1.5, 1 + 1./3}) {
			t.Errorf("series %v, %v", series, err)
		}

		time.Sleep(200 * time.Millisecond)
		accepted := make(chan time.Time)
		go func() {
			if err := j.Months(1, 0, months(1, 4, 4)); err != nil {
				t.Error(err)
			}
			accepted <- time.Now()
		}()
		time.Sleep(3 * time.Second)
		released := time.Now()
		release()
		if at := <-accepted; at.Before(released) {
			t.Error("a month was accepted while one waited for more than a second")
		}
		var rows int
		must(t, raw.QueryRow("SELECT count(*) FROM monthly").Scan(&rows))
		if rows != 4+4+2 {
			t.Errorf("%d months are on disk, want 10", rows)
		}
	})
}

// A lock that stays is an error of the journal, which keeps what it has; Close does
// without it.
func TestLockThatStays(t *testing.T) {
	dir := t.TempDir()
	realMonth()
	synctest.Test(t, func(t *testing.T) {
		s, err := store.Open(dir)
		must(t, err)
		raw := mustRaw(t, dir)
		defer raw.Close()
		var journals []*store.Journal
		for n := range 5 {
			j := mustCreate(t, s, fmt.Sprint("x", n))
			must(t, j.Months(0, 0, months(0, 1, 1)))
			must(t, j.State("running", 0, ""))
			must(t, j.Months(0, 0, months(0, 2, 2)))
			journals = append(journals, j)
		}
		release := lockFile(t, raw)
		began := time.Now()
		var asking sync.WaitGroup
		for _, j := range journals {
			asking.Go(func() { wantKind(t, j.State("paused", 2, ""), fault.Internal, "another program", "locked") })
		}
		asking.Wait()
		if d := time.Since(began); d > 12*time.Second {
			t.Errorf("five journals lost patience after %v", d)
		}
		began = time.Now()
		wantKind(t, journals[0].Months(0, 0, months(0, 3, 3)), fault.Internal, "locked")
		if d := time.Since(began); d > 2*time.Second {
			t.Errorf("the next month waited for %v", d)
		}
		if x := mustExperiment(t, s, "x3"); x.State != "running" || x.Runs[0].Month != 2 {
			t.Errorf("%s in month %d", x.State, x.Runs[0].Month)
		}
		began = time.Now()
		wantKind(t, s.Close(), fault.Internal, "locked")
		if d := time.Since(began); d > 2*time.Second {
			t.Errorf("closed after %v", d)
		}
		release()
		s, err = store.Open(dir)
		must(t, err)
		defer s.Close()
		release = lockFile(t, raw)
		began = time.Now()
		if x := mustExperiment(t, s, "x3"); x.State != "interrupted" || x.Runs[0].Month != 1 {
			t.Errorf("read beside another program: %s in month %d", x.State, x.Runs[0].Month)
		}
		if _, _, _, err := s.List(context.Background(), store.Filter{}); err != nil {
			t.Error(err)
		}
		if d := time.Since(began); d > time.Second {
			t.Errorf("who reads waited for %v", d)
		}
		release()
		if x := mustExperiment(t, s, "x3"); x.State != "interrupted" || x.Runs[0].Month != 1 {
			t.Errorf("afterwards %s in month %d", x.State, x.Runs[0].Month)
		}
	})
}

// A process may die between the months of two runs.
func TestTakeCutsToTheMonthOfAll(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	j := mustCreate(t, s, "x")
	for k, last := range []int{7, 6, 7, 8} {
		must(t, j.Months(k/2, k%2, months(k, 1, last)))
	}
	must(t, j.Began(1, 1, []int{8}))
	must(t, j.State("running", 6, ""))
	must(t, j.Close())
	if x := mustExperiment(t, s, "x"); x.Month != 6 || x.Runs[3].Month != 8 || x.Runs[3].Began[0] != 8 {
		t.Errorf("before: %+v", x)
	}
	j, err := s.Take(context.Background(), "x")
	must(t, err)
	for _, r := range mustExperiment(t, s, "x").Runs {
		if r.Month != 6 {
			t.Errorf("%s has month %d", r.ID, r.Month)
		}
	}
	must(t, j.Months(1, 1, months(9, 7, 7))) // with other bits, since there is nothing to compare them with
	if got := mustRecords(t, s, "x", "treatment", 2, 7, 0, 1); !sameBits(got, months(9, 7, 7)) {
		t.Errorf("%d months after month 6", len(got))
	}
}

func TestDiscard(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	must(t, mustCreate(t, s, "x").Discard())
	_, err := s.Experiment(context.Background(), "x")
	wantKind(t, err, fault.NotFound)
	j := mustCreate(t, s, "x") // the name is free
	must(t, j.Months(0, 0, months(0, 1, 1)))
	if j.Discard() == nil {
		t.Error("an experiment with months was discarded")
	}
	if x := mustExperiment(t, s, "x"); x.State != "interrupted" || x.Runs[0].Month != 1 {
		t.Errorf("%s with month %d", x.State, x.Runs[0].Month)
	}
}

// Changes of what was captured that come at the same time are all there in the end.
func TestUpdatesOfACapture(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	must(t, mustCreate(t, s, "x").Close())
	const many = 20
	var changing sync.WaitGroup
	for n := range many {
		changing.Go(func() {
			_, err := s.UpdateCapture(context.Background(), "x", func(c *store.Capture) {
				c.Status = "pending"
				c.Tags = append(c.Tags, fmt.Sprint("t", n))
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	changing.Wait()
	if x := mustExperiment(t, s, "x"); len(x.Captured.Tags) != many || x.Captured.Question != x.Question {
		t.Errorf("%+v", x.Captured)
	}
}

// Details ride with the state that follows; newer ones replace older ones, and count once.
func TestDetails(t *testing.T) {
	s := mustOpen(t, t.TempDir())
	j := mustCreate(t, s, "x")
	before := stored(t, s, "ada")
	for month := 3; month <= 4; month++ {
		must(t, j.Detail(1, 0, "tables", month, make([]byte, 1000*month)))
		must(t, j.State("running", 0, ""))
	}
	month, data, err := s.Detail(context.Background(), "x", "treatment", 1, "tables")
	if err != nil || month != 4 || len(data) != 4000 {
		t.Errorf("month %d, %d bytes, %v", month, len(data), err)
	}
	if month, data, err := s.Detail(context.Background(), "x", "treatment", 2, "tables"); err != nil || month != 0 || data != nil {
		t.Errorf("of a run without: month %d, %d bytes, %v", month, len(data), err)
	}
	if more := stored(t, s, "ada") - before; more < 3800 || more > 4500 {
		t.Errorf("4000 bytes count as %d", more)
	}
}
