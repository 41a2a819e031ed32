package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

const (
	// flushAfter is how long a month waits to be written with others. It
	// leaves half of the second that is promised for the writing itself.
	flushAfter = 500 * time.Millisecond
	// Another month is taken only once all are written: where one has waited for
	// oldestPending, where there are maxPending (about 10 MB), or where details take
	// maxDetails bytes.
	oldestPending = time.Second
	maxPending    = 4096
	maxDetails    = 16 << 20
)

// Journal records one experiment, which belongs to this process until the
// journal is closed. Its methods may be called from many goroutines, those of
// one run from one at a time.
type Journal struct {
	s    *Store
	id   int64
	name string
	by   string // principal whose account it counts to
	lock *flock.Flock

	writing       chan struct{} // holds one while what was pending is written
	checkpointing sync.Mutex    // held while a checkpoint is written

	mu      sync.Mutex
	runs    [][]journalRun // arm, replication
	counted int            // replications that count; further ones are under way
	flying  batch          // is being written
	pending batch          // is written next
	timer   *time.Timer    // runs while something is pending
	failed  error          // of the last attempt to write
	closed  bool
}

type journalRun struct {
	id    int64
	last  int      // month, on disk or not
	noted *runNote // the last one since the journal was opened
}

// batch is what goes to disk in one transaction.
type batch struct {
	since   time.Time // when the first month of it came
	months  []pendingMonth
	notes   []*runNote
	details []detail
	bytes   int // of details
}

type pendingMonth struct {
	run    int64
	record sim.Record
}

// runNote is what is known of a run beside its months.
type runNote struct {
	run       int64
	stateHash string
	began     []int
}

// detail is data of a kind about a run at the end of a month.
type detail struct {
	run   int64
	kind  string
	month int
	data  []byte
}

func (b *batch) empty() bool { return len(b.months)+len(b.notes)+len(b.details) == 0 }

// before is b and then later.
func (b batch) before(later batch) batch {
	if len(b.months) == 0 {
		b.since = later.since
	}
	b.months, b.notes, b.details = append(b.months, later.months...), append(b.notes, later.notes...), append(b.details, later.details...)
	b.bytes += later.bytes
	return b
}

func newJournal(s *Store, id int64, name, by string, lock *flock.Flock, runs [][]journalRun, counted int) *Journal {
	return &Journal{s: s, id: id, name: name, by: by, lock: lock, runs: runs, counted: counted, writing: make(chan struct{}, 1)}
}

// enter makes a journal known to this process's readers.
func (s *Store) enter(j *Journal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.journals[j.name] = j
}

func (s *Store) leave(j *Journal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.journals, j.name)
}

// Take gives an interrupted experiment to this process, to be resumed. Months that
// only some of its runs have are dropped: what is on record is one month of all runs that
// count, and one of all that are under way.
// An experiment that another process has, or that is in another state, is a
// [fault.InvalidState].
func (s *Store) Take(ctx context.Context, name string) (*Journal, error) {
	x, id, err := s.settled(ctx, name) // also marks one whose process has died
	if err != nil {
		return nil, err
	}
	if s.journal(name) != nil {
		return nil, fault.New(fault.InvalidState, "experiment_name", "experiment %q is %s in this process already", name, x.State).
			WithHint("wait until it has ended")
	}
	lock, err := s.lock(id)
	if err != nil {
		return nil, err
	}
	runs, counted, err := s.resumable(ctx, id, name)
	if err != nil {
		lock.Close()
		return nil, err
	}
	j := newJournal(s, id, name, x.Principal, lock, runs, counted)
	s.enter(j)
	return j, nil
}

// resumable reads the runs of an experiment whose lock the caller has: whoever
// had it before may have ended it.
func (s *Store) resumable(ctx context.Context, id int64, name string) (runs [][]journalRun, counted int, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error {
		var state string
		if err := tx.QueryRow("SELECT state, replications FROM experiment WHERE id = ?", id).Scan(&state, &counted); err != nil {
			return err
		}
		if state != "interrupted" {
			return fault.New(fault.InvalidState, "experiment_name", "experiment %q is %s", name, state).
				WithHint("only an interrupted experiment can be resumed; start a new one")
		}
		for _, which := range []string{counts, underWay} {
			if err := s.cutToCommonMonth(tx, id, which); err != nil {
				return err
			}
		}
		return each(tx, "SELECT arm.number, run.id, run.month FROM run JOIN arm ON arm.id = run.arm WHERE arm.experiment = ? ORDER BY "+
			"arm.number, run.replication",
			[]any{id}, func(scan func(...any) error) error {
				var arm int
				var r journalRun
				if err := scan(&arm, &r.id, &r.last); err != nil {
					return err
				}
				if arm > len(runs) {
					runs = append(runs, nil)
				}
				runs[arm-1] = append(runs[arm-1], r)
				return nil
			})
	})
	return runs, counted, err
}

// cutToCommonMonth removes the months that only some runs of an experiment have, of those
// that count or those that are under way: a process that dies may have written the last
// one of some.
func (s *Store) cutToCommonMonth(tx *sql.Tx, id int64, which string) error {
	var common int
	if err := tx.QueryRow("SELECT coalesce(min(run.month), 0)"+runsOfExperiment+"WHERE experiment.id = ? AND "+which,
		id).Scan(&common); err != nil {
		return err
	}
	ahead := "(SELECT run.id" + runsOfExperiment + "WHERE experiment.id = ? AND run.month > ? AND " + which + ")"
	if err := s.dropMonths(tx, id, "month > ? AND run IN "+ahead, common, id, common); err != nil {
		return err
	}
	_, err := tx.Exec("UPDATE run SET month = ? WHERE id IN "+ahead, common, id, common)
	return err
}

// Name is the name of the experiment.
func (j *Journal) Name() string { return j.name }

// run finds a run by arm and replication from 0. The caller holds j.mu.
func (j *Journal) run(arm, replication int) (*journalRun, error) {
	if arm < 0 || arm >= len(j.runs) || replication < 0 || replication >= len(j.runs[arm]) {
		return nil, fmt.Errorf("experiment %s has no arm %d with replication %d", j.name, arm, replication)
	}
	if j.closed {
		return nil, j.isClosed()
	}
	return &j.runs[arm][replication], nil
}

func (j *Journal) isClosed() error {
	return fmt.Errorf("the journal of experiment %s is closed", j.name)
}

// Months keeps the next months of a run; arm and replication count from 0. They
// are on disk within a second. Months that are there already, because an
// interrupted experiment simulates them again, must be the same to the bit, as far as the
// program that recorded them had the same numbers; where they are not, the error is a
// [fault.Conflict]. Where writing takes longer, Months waits for
// it. After a failure to write, such as a full disk, Months fails until it could be
// made up for; nothing is lost meanwhile.
func (j *Journal) Months(arm, replication int, records []sim.Record) error {
	j.mu.Lock()
	run, err := j.run(arm, replication)
	if err != nil {
		j.mu.Unlock()
		return err
	}
	last := run.last
	j.mu.Unlock()

	again := 0
	for i := range records {
		switch month := records[i].Month; {
		case month >= 1 && month <= last:
			again++
		case month != last+1:
			return fmt.Errorf("experiment %s, arm %d, replication %d: month %d follows month %d", j.name, arm, replication, month, last)
		default:
			last = month
		}
	}
	if again > 0 {
		if err := j.compare(run.id, records[:again]); err != nil {
			return err
		}
	}

	j.mu.Lock()
	if len(j.pending.months) == 0 {
		j.pending.since = time.Now()
	}
	for i := range records[again:] {
		j.pending.months = append(j.pending.months, pendingMonth{run.id, records[again+i]})
	}
	run.last = last
	urgent := j.urgent()
	j.arm()
	j.mu.Unlock()
	if urgent {
		return j.flush()
	}
	return nil
}

// urgent says whether what waits must be written before more comes. The caller holds
// j.mu.
func (j *Journal) urgent() bool {
	late := func(b *batch) bool { return len(b.months) > 0 && time.Since(b.since) >= oldestPending }
	return j.failed != nil || late(&j.flying) || late(&j.pending) || len(j.pending.months) >= maxPending || j.pending.bytes >= maxDetails
}

// arm sees to it that what is pending will be written. The caller holds j.mu.
func (j *Journal) arm() {
	if j.timer == nil && !j.closed && !j.pending.empty() {
		j.timer = time.AfterFunc(flushAfter, func() {
			j.flush() // a failure is kept for the next call of Months
		})
	}
}

// compare checks that months that are there already were simulated again to the bit: in
// every number that this program and the one that recorded them both have.
func (j *Journal) compare(run int64, records []sim.Record) error {
	if err := j.flush(); err != nil { // all that is there is on disk then
		return err
	}
	return j.s.read(context.Background(), func(tx querier) error {
		i := 0
		err := each(tx, "SELECT layout, record FROM monthly WHERE run = ? AND month BETWEEN ? AND ? ORDER BY month",
			[]any{run, records[0].Month, records[len(records)-1].Month}, func(scan func(...any) error) error {
				again := &records[i]
				i++
				l, blob, err := j.s.scanBlob(tx, scan)
				if err != nil {
					return err
				}
				field, err := l.difference(blob, again)
				if err == nil && field != "" {
					err = fault.New(fault.Conflict, "", "month %d of experiment %s was simulated again and differs from its record in %s",
						again.Month, j.name, field)
				}
				return err
			})
		if err == nil && i < len(records) {
			err = fmt.Errorf("experiment %s has %d months on record where it should have %d", j.name, i, len(records))
		}
		return err
	})
}

// Began notes the month in which each intervention of a run's arm began, 0 = it has not.
// It is on disk within a second, with the months that came before.
func (j *Journal) Began(arm, replication int, began []int) error {
	return j.Ended(arm, replication, "", began)
}

// Ended notes the state in which a run ended and, as [Journal.Began], what began in it.
// It is on disk within a second, and before any later State.
func (j *Journal) Ended(arm, replication int, stateHash string, began []int) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	run, err := j.run(arm, replication)
	if err != nil {
		return err
	}
	run.noted = &runNote{run.id, stateHash, slices.Clone(began)}
	j.pending.notes = append(j.pending.notes, run.noted)
	j.arm()
	return nil
}

// Detail keeps data of a kind about a run (arm and replication from 0) as it was at the
// end of a month, in the place of older data of that kind. It is on disk within a
// second, and before any later State.
func (j *Journal) Detail(arm, replication int, kind string, month int, data []byte) error {
	j.mu.Lock()
	run, err := j.run(arm, replication)
	if err != nil {
		j.mu.Unlock()
		return err
	}
	j.pending.details = append(j.pending.details, detail{run.id, kind, month, data})
	j.pending.bytes += len(data)
	urgent := j.urgent()
	j.arm()
	j.mu.Unlock()
	if urgent {
		return j.flush()
	}
	return nil
}

// State sets the state of the experiment, the month that all runs that count have reached
// and a message. It is durable when it returns, and so are all months before it. Where the
// experiment has ended, what is still under way is dropped.
func (j *Journal) State(state string, month int, message string) error {
	return j.commit(func(tx *sql.Tx) error {
		if slices.Contains(endedStates, state) {
			if err := j.s.dropUnderWay(tx, j.id); err != nil {
				return err
			}
			if _, err := tx.Exec("UPDATE experiment SET reserved = 0 WHERE id = ?", j.id); err != nil {
				return err
			}
		}
		_, err := tx.Exec("UPDATE experiment SET state = ?, month = max(?, "+commonMonth+"), message = ? WHERE id = ?", state, month, message,
			j.id)
		return err
	})
}

// Plan sets the scenario of an arm (from 0) to what was found before its first month, and reserves what its runs may
// come to store because of that, in bytes. It is durable when it returns. Where the account has no room for what it
// adds, it is a [fault.LimitExceeded] and nothing is changed.
func (j *Journal) Plan(arm int, scenario []byte, hash string, more int64) error {
	return j.commit(func(tx *sql.Tx) error { return j.plan(tx, arm, scenario, hash, more) })
}

func (j *Journal) plan(tx *sql.Tx, arm int, scenario []byte, hash string, more int64) error {
	var before int
	err := tx.QueryRow("SELECT octet_length(scenario) FROM arm WHERE experiment = ? AND number = ?", j.id, arm+1).Scan(&before)
	if err != nil {
		return err
	}
	if err := grow(tx, j.id, j.s.room(len(scenario)+rowBytes)-j.s.room(before+rowBytes)); err != nil {
		return err
	}
	if _, err := tx.Exec("UPDATE experiment SET reserved = reserved + ? WHERE id = ? AND reserved > 0", more, j.id); err != nil {
		return err
	}
	_, err = tx.Exec("UPDATE arm SET scenario = ?, hash = ? WHERE experiment = ? AND number = ?", string(scenario), hash, j.id, arm+1)
	return err
}

// Reserve sets aside what the experiment may come to store at most, in bytes, beyond what it
// has. Where the account has no room for it, the error is a [fault.LimitExceeded].
func (j *Journal) Reserve(more int64) error {
	return j.commit(func(tx *sql.Tx) error {
		_, err := tx.Exec("UPDATE experiment SET reserved = bytes + ? WHERE id = ?", more, j.id)
		return err
	})
}

// Close writes what is pending and gives the experiment up. If that fails, the
// experiment is given up as it is on disk.
func (j *Journal) Close() error {
	j.checkpointing.Lock() // one that is being written ends first
	defer j.checkpointing.Unlock()
	j.mu.Lock()
	if j.closed {
		j.mu.Unlock()
		return nil
	}
	j.closed = true // nothing comes any more
	j.mu.Unlock()
	err := j.flush()

	j.mu.Lock()
	defer j.mu.Unlock()
	j.pending = batch{}
	j.s.leave(j)
	return errors.Join(err, j.lock.Close())
}

// Discard removes an experiment of which nothing was recorded yet, so that its name is
// free again, and gives it up. One that has months stays.
func (j *Journal) Discard() error {
	err := j.commit(func(tx *sql.Tx) error {
		return execEach(tx, j.id,
			"DELETE FROM run WHERE arm IN (SELECT id FROM arm WHERE experiment = ?)",
			"DELETE FROM arm WHERE experiment = ?",
			"DELETE FROM experiment WHERE id = ?",
		)
	})
	return errors.Join(err, j.Close())
}

// flush writes what is pending.
func (j *Journal) flush() error { return j.commit(nil) }

// commit writes what is pending, and what f, which may be nil, writes, in one
// transaction.
func (j *Journal) commit(f func(tx *sql.Tx) error) error {
	j.writing <- struct{}{}
	defer func() { <-j.writing }()
	j.mu.Lock()
	if j.closed && f != nil {
		j.mu.Unlock()
		return j.isClosed()
	}
	j.flying, j.pending = j.pending, batch{}
	now, wait := j.flying, patience
	if j.failed != nil {
		wait = patienceAgain
	}
	if j.timer != nil {
		j.timer.Stop()
		j.timer = nil
	}
	j.mu.Unlock()
	if now.empty() && f == nil {
		return nil
	}

	err := j.s.writeForWithin(context.Background(), wait, j.by, func(tx *sql.Tx) error {
		if err := j.writeBatch(tx, &now); err != nil {
			return err
		}
		if f == nil {
			return nil
		}
		return f(tx)
	})

	j.mu.Lock()
	defer j.mu.Unlock()
	j.failed, j.flying = err, batch{}
	if err != nil {
		j.pending = now.before(j.pending)
	}
	j.arm()
	return err
}

// commonMonth is the last month that all runs of an experiment that count have on record,
// as SQL.
const commonMonth = "(SELECT min(run.month) FROM run JOIN arm ON arm.id = run.arm WHERE arm.experiment = experiment.id AND " + counts + ")"

func (j *Journal) writeBatch(tx *sql.Tx, b *batch) error {
	if err := j.writeMonths(tx, b.months); err != nil {
		return err
	}
	if err := j.writeNotes(tx, b.notes); err != nil {
		return err
	}
	return j.writeDetails(tx, b.details)
}

func (j *Journal) writeNotes(tx *sql.Tx, notes []*runNote) error {
	grown := int64(0)
	for _, n := range notes {
		var before int
		if err := tx.QueryRow("SELECT octet_length(began) FROM run WHERE id = ?", n.run).Scan(&before); err != nil {
			return err
		}
		began := jsonText(n.began)
		if _, err := tx.Exec("UPDATE run SET state_hash = ?, began = ? WHERE id = ?", n.stateHash, began, n.run); err != nil {
			return err
		}
		grown += j.s.runRoom(len(began)) - j.s.runRoom(before)
	}
	if grown == 0 {
		return nil
	}
	_, err := tx.Exec("UPDATE experiment SET bytes = bytes + ? WHERE id = ?", grown, j.id)
	return err
}

func (j *Journal) writeDetails(tx *sql.Tx, details []detail) error {
	grown, added := int64(0), []int{}
	slices.SortStableFunc(details, func(a, b detail) int { return cmp.Compare(a.kind, b.kind) }) // of like sizes
	for _, d := range details {
		var before int
		err := ifAny(tx.QueryRow("SELECT length(data) FROM detail WHERE run = ? AND kind = ?", d.run, d.kind).Scan(&before))
		if err != nil {
			return err
		}
		if _, err := tx.Exec("INSERT OR REPLACE INTO detail (run, kind, month, data) VALUES (?, ?, ?, ?)", d.run, d.kind, d.month,
			d.data); err != nil {
			return err
		}
		if before > 0 {
			grown += j.s.room(len(d.data)) - j.s.room(before)
		} else {
			added = append(added, len(d.data)+detailHead)
		}
	}
	grown += j.s.packed(added)
	if grown == 0 {
		return nil
	}
	_, err := tx.Exec("UPDATE experiment SET bytes = bytes + ? WHERE id = ?", grown, j.id)
	return err
}

// writeMonths writes rows of monthly and what follows from them.
func (j *Journal) writeMonths(tx *sql.Tx, months []pendingMonth) error {
	if len(months) == 0 {
		return nil
	}
	insert, err := tx.Prepare(insertMonth)
	if err != nil {
		return err
	}
	defer insert.Close()
	row := make([]any, 4+int(sim.NumIndicators))
	last := make(map[int64]int)
	size := int64(0)
	var blob []byte
	for i := range months {
		m := &months[i]
		blob = encodeRecord(blob[:0], &m.record)
		row[0], row[1], row[2], row[3] = m.run, m.record.Month, j.s.layout, blob
		for k, v := range m.record.Values {
			if row[4+k] = v; math.IsNaN(v) {
				row[4+k] = nil
			}
		}
		if _, err := insert.Exec(row...); err != nil {
			return err
		}
		last[m.run] = m.record.Month
		size += j.s.monthRoom(len(blob), m.record.Values[:])
	}
	for run, month := range last {
		if _, err := tx.Exec("UPDATE run SET month = ? WHERE id = ?", month, run); err != nil {
			return err
		}
	}
	_, err = tx.Exec("UPDATE experiment SET bytes = bytes + ?, month = "+commonMonth+" WHERE id = ?", size, j.id)
	return err
}
