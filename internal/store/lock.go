package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"

	"econ-mcp/internal/fault"
)

// takeover is how long Take waits for a lock: others hold it for a moment when
// they look whether it is free.
const takeover = 200 * time.Millisecond

// lockFile names an experiment's lock by its number: names that differ in case
// only are one file on some systems. The file stays when the lock is released,
// because removing it would let two processes lock two files of one name.
func (s *Store) lockFile(id int64) *flock.Flock {
	return flock.New(filepath.Join(s.dir, lockFolder, strconv.FormatInt(id, 10)+lockSuffix))
}

// lock takes the lock of an experiment; fault.InvalidState if another has it.
func (s *Store) lock(id int64) (*flock.Flock, error) {
	lock := s.lockFile(id)
	ctx, cancel := context.WithTimeout(context.Background(), takeover)
	defer cancel()
	locked, err := lock.TryLockContext(ctx, 5*time.Millisecond)
	if locked {
		return lock, nil
	}
	lock.Close()
	if err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("lock experiment: %w", err)
	}
	return nil, fault.New(fault.InvalidState, "experiment_name", "another process runs this experiment").
		WithHint("pause, resume or stop it where it was started, or end that process")
}

// Recover marks the experiments whose process has died as "interrupted" and
// returns their names.
func (s *Store) Recover(ctx context.Context) (marked []string, err error) {
	type candidate struct {
		id   int64
		name string
	}
	var candidates []candidate
	err = s.read(ctx, func(tx querier) error {
		return each(tx, "SELECT id, name FROM experiment WHERE state IN "+live+" ORDER BY id", nil, func(scan func(...any) error) error {
			var c candidate
			err := scan(&c.id, &c.name)
			candidates = append(candidates, c)
			return err
		})
	})
	if err != nil {
		return nil, err
	}
	for _, c := range candidates {
		if s.journal(c.name) != nil {
			continue
		}
		done, err := s.markInterrupted(c.id)
		if err != nil {
			return marked, err
		}
		if done {
			marked = append(marked, c.name)
		}
	}
	return marked, nil
}

// ownerDied is the message of an experiment whose process ended without a word.
const ownerDied = "its process ended"

// markInterrupted does so if the experiment is live and nobody has its lock. It was
// marked, or at least nobody works on it where there is an error, if dead. No call that is
// given up interrupts it: it does not wait long, and what it finds is true for all.
func (s *Store) markInterrupted(id int64) (dead bool, err error) {
	lock := s.lockFile(id)
	defer lock.Close()
	if locked, err := lock.TryLock(); err != nil || !locked {
		return false, err
	}
	if err := s.sweep(id); err != nil { // before the mark: who is killed in between leaves both to the next
		return true, err
	}
	dead = true
	err = s.writeWithin(context.Background(), readPatience, func(tx *sql.Tx) error {
		// It may have ended between the reader's look and the lock.
		result, err := tx.Exec("UPDATE experiment SET state = 'interrupted', message = ? WHERE id = ? AND state IN "+live, ownerDied, id)
		if err != nil {
			return err
		}
		n, err := result.RowsAffected()
		dead = n > 0
		return err
	})
	return dead, err
}

// sweep removes an experiment's files that no note in the database names, such
// as a set of checkpoints that was being written when its process died. The
// caller has the lock of the experiment.
func (s *Store) sweep(id int64) error {
	var noted string
	err := s.read(context.Background(), func(tx querier) error {
		return ifAny(tx.QueryRow("SELECT folder FROM checkpoint WHERE experiment = ?", id).Scan(&noted))
	})
	if err != nil {
		return err
	}
	folder := s.checkpoints(id)
	sets, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, set := range sets {
		if set.Name() != noted {
			err = errors.Join(err, os.RemoveAll(filepath.Join(folder, set.Name())))
		}
	}
	os.Remove(folder) // if nothing is left in it
	return err
}
