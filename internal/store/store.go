// Package store keeps experiments in one SQLite file: what was asked, every
// month of every run to the bit, and what was concluded from it.
//
// A folder holds the file econ-mcp.db, a lock file for each experiment below
// locks/, and the checkpoints of runs below checkpoints/. Several processes may
// share it. An experiment belongs to the process that holds its lock, which
// writes to it through a [Journal]; everybody may read it. The kernel releases
// the lock when the process ends, however it ends, and whoever reads the
// experiment next finds it interrupted.
package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"

	"econ-mcp/internal/fault"
)

// DefaultCheckpointBytes bounds the checkpoints of a store that sets no bound
// of its own.
const DefaultCheckpointBytes = 4 << 30

const (
	fileName         = "econ-mcp.db"
	logSuffix        = "-wal" // of the database's log
	lockFolder       = "locks"
	lockSuffix       = ".lock"
	checkpointFolder = "checkpoints"

	readers = 4 // connections that read at once
)

// Store is the records of one folder. Its methods may be called from many
// goroutines.
type Store struct {
	// CheckpointBytes bounds all checkpoints of the folder together; 0 means
	// DefaultCheckpointBytes. It is set before the first checkpoint.
	CheckpointBytes int64

	// Limits are those of each principal. They are set before anything is stored.
	Limits Limits

	dir     string
	page    int     // bytes of a page of the file
	writer  *sql.DB // one connection
	readers *sql.DB
	layout  int64 // of the records that this program writes

	workspace *sql.Stmt // see otherWorkspace: every call asks it

	closeBy atomic.Pointer[time.Time] // until when to wait for others once the store closes

	layouts sync.Map // layout by number, as far as they were read

	findDamage sync.Once
	damage     string // see whatIsDamaged

	mu       sync.Mutex
	journals map[string]*Journal // of this process, by the name of the experiment
}

// Open opens the store in a folder and makes it where there is none. The error
// is an [*OpenError]; the database is then as it was.
func Open(dir string) (*Store, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, openError(dir, err)
	}
	path := filepath.Join(dir, fileName)
	if err := prepareFolder(dir, path); err != nil {
		return nil, err
	}
	if err := inspect(path); err != nil {
		return nil, openError(path, err)
	}
	s := &Store{
		dir:      dir,
		writer:   openPool(path, writing, openPatience, 1),
		readers:  openPool(path, reading, patience, readers),
		journals: make(map[string]*Journal),
	}
	if err := s.begin(); err != nil {
		s.readers.Close()
		s.writer.Close()
		return nil, openError(path, err)
	}
	return s, nil
}

// Close writes what journals have buffered, releases their experiments and
// closes the database. Where another program keeps it locked, Close does without what is
// buffered after a second: those experiments are interrupted in an earlier month.
func (s *Store) Close() error {
	by := time.Now().Add(closePatience)
	s.closeBy.Store(&by)
	journals := s.live()
	failures := make([]error, len(journals))
	var closing sync.WaitGroup
	for i, j := range journals {
		closing.Go(func() { failures[i] = j.Close() })
	}
	closing.Wait()
	return errors.Join(errors.Join(failures...), s.workspace.Close(), s.readers.Close(), s.writer.Close())
}

// journal returns this process's journal of an experiment, nil = it has none.
func (s *Store) journal(name string) *Journal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.journals[name]
}

func (s *Store) live() []*Journal {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Values(s.journals))
}

// write runs f in a transaction that no other process writes beside. Where the context is
// cancelled before the end of it, nothing is written.
func (s *Store) write(ctx context.Context, f func(tx *sql.Tx) error) error {
	return s.writeWithin(ctx, patience, f)
}

// writeWithin is write with a limit of its own for the wait for other processes.
func (s *Store) writeWithin(ctx context.Context, wait time.Duration, f func(tx *sql.Tx) error) error {
	tx, err := s.beginWrite(ctx, wait)
	if err != nil {
		return s.explain(ctx, err)
	}
	defer tx.Rollback() // does nothing after Commit
	if err := f(tx); err != nil {
		return s.explain(ctx, err)
	}
	return s.explain(ctx, tx.Commit())
}

// beginWrite waits until no other program writes. The writer's connection is free for
// others meanwhile, so that all who wait lose patience at their own time.
func (s *Store) beginWrite(ctx context.Context, wait time.Duration) (*sql.Tx, error) {
	end := time.Now().Add(wait)
	for nap := time.Millisecond; ; nap = min(2*nap, longestNap) {
		tx, err := s.writer.BeginTx(ctx, nil)
		if code, _ := sqliteCode(err); code != codes.SQLITE_BUSY {
			return tx, err
		}
		if by := s.closeBy.Load(); by != nil && by.Before(end) {
			end = *by
		}
		if time.Now().After(end) {
			return nil, err
		}
		select {
		case <-time.After(nap):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
}

// explain says what the caller of the server can do about an error of the
// database. One that comes after the context has ended is the context's.
func (s *Store) explain(ctx context.Context, err error) error {
	if err != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	code, ok := sqliteCode(err)
	if !ok {
		return err
	}
	e := fault.New(fault.Internal, "", "the database cannot do this").WithDetail("in %s: %v", s.dir, err)
	switch code {
	case codes.SQLITE_FULL:
		e.Message, e.Detail = "the disk that holds the database is full", s.dir
		e.Hint = "free some space on it and try again"
	case codes.SQLITE_BUSY, codes.SQLITE_LOCKED:
		e.Message, e.Detail = "another program keeps the database locked", s.dir
		e.Hint = "close the program that holds it and try again"
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
		e.Message = "the database is damaged"
		e = e.WithDetail("%s, in %s", cmp.Or(s.whatIsDamaged(), err.Error()), s.dir)
		e.Hint = "econ-mcp doctor says what can still be read; " + exportAll
	case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
		e.Hint = isClosedToUs.move
	case codes.SQLITE_IOERR:
		e.Hint = "see to it that the disk is healthy, and try again"
	}
	return e
}

// damagePatience is how long an error waits for SQLite to find the damaged pages, once.
const damagePatience = time.Second

// whatIsDamaged names the tables and pages that are found to be damaged; "" where none are in
// the time that there is.
func (s *Store) whatIsDamaged() string {
	s.findDamage.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), damagePatience)
		defer cancel()
		db := openPool(filepath.Join(s.dir, fileName), reading, 0, 1)
		defer db.Close()
		damaged, _ := damagedTables(ctx, db) // those that are found in time
		var said []string
		for _, d := range damaged {
			said = append(said, d.String())
		}
		s.damage = strings.Join(said, ", ")
	})
	return s.damage
}

// ifAny is the error of looking up a row that need not be there.
func ifAny(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	return err
}

// sqliteCode is the primary result code of an error of SQLite.
func sqliteCode(err error) (code int, ok bool) {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff, true
	}
	return 0, false
}

const timeFormat = "2006-01-02T15:04:05.000Z"

func formatTime(t time.Time) string { return t.UTC().Format(timeFormat) }

// parseTime reads what formatTime wrote.
func parseTime(s string) (time.Time, error) { return time.Parse(timeFormat, s) }

// orNow returns t, or the present where t is zero.
func orNow(t time.Time) time.Time {
	if t.IsZero() {
		return time.Now()
	}
	return t
}
