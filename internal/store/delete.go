package store

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
)

// Deleted says what went with an experiment.
type Deleted struct {
	Runs   int
	Months int   // of all runs together
	Bytes  int64 // of its rows, about, and of its checkpoint
}

// deletions remove what belongs to an experiment, in the order in which it may go. Each has
// the experiment's number as its one argument.
var deletions = []string{
	"DELETE FROM monthly WHERE run IN (SELECT run.id FROM run JOIN arm ON arm.id = run.arm WHERE arm.experiment = ?)",
	"DELETE FROM detail WHERE run IN (SELECT run.id FROM run JOIN arm ON arm.id = run.arm WHERE arm.experiment = ?)",
	"DELETE FROM run WHERE arm IN (SELECT id FROM arm WHERE experiment = ?)",
	"DELETE FROM arm WHERE experiment = ?",
	"DELETE FROM checkpoint WHERE experiment = ?",
	"DELETE FROM analysis WHERE experiment = ?",
	"DELETE FROM amendment WHERE experiment = ?",
	"DELETE FROM tag WHERE experiment = ?",
	"DELETE FROM capture WHERE experiment = ?",
	"DELETE FROM experiment WHERE id = ?",
}

// Delete removes an experiment with everything that is stored of it but its place in the register, and what was asked
// of it. One that some
// process works on is [fault.InvalidState], one that is not there [fault.NotFound]. The
// space is used again; [Store.Collect] gives it back to the disk.
func (s *Store) Delete(ctx context.Context, name string) (d Deleted, err error) {
	x, id, err := s.settled(ctx, name)
	if err != nil {
		return d, err
	}
	if s.journal(name) != nil {
		return d, stillRunning(x)
	}
	lock, err := s.lock(id)
	if fault.KindOf(err) == fault.InvalidState {
		return d, stillRunning(x)
	}
	if err != nil {
		return d, err
	}
	defer func() {
		lock.Close()
		if err == nil {
			os.Remove(lock.Path()) // no experiment will have this number again
		}
	}()
	err = s.write(ctx, func(tx *sql.Tx) error {
		err := tx.QueryRow(`SELECT bytes + coalesce((SELECT bytes FROM checkpoint WHERE experiment = id), 0),
				(SELECT count(*) FROM run JOIN arm ON arm.id = run.arm WHERE arm.experiment = experiment.id),
				(SELECT count(*) FROM monthly JOIN run ON run.id = monthly.run JOIN arm ON arm.id = run.arm WHERE arm.experiment = experiment.id)
			FROM experiment WHERE id = ?`, id).Scan(&d.Bytes, &d.Runs, &d.Months)
		if err != nil {
			return err
		}
		return execEach(tx, id, deletions...)
	})
	if err != nil {
		return Deleted{}, err
	}
	return d, os.RemoveAll(s.checkpoints(id))
}

func stillRunning(x Experiment) error {
	return fault.New(fault.InvalidState, "experiment_name", "%s is %s: a process works on it", x.Name, x.State).
		WithHint("stop it where it was started (stop_simulation), or end that process")
}

// Freed says what [Store.Collect] removed.
type Freed struct {
	Checkpoints     int // sets of states of experiments that have ended
	CheckpointBytes int64
	Orphans         int   // checkpoints that were not finished, and folders and locks of no experiment
	Live            int   // experiments that run; with any, the database is left as it is
	DatabaseBytes   int64 // by which the database became smaller
}

// Collect removes what nobody needs any more: the states of experiments that have ended,
// and files of those that were deleted. Unless an experiment runs, it then gives the
// unused space of the database back to the disk.
func (s *Store) Collect(ctx context.Context) (f Freed, err error) {
	if _, err := s.Recover(ctx); err != nil {
		return f, err
	}
	var sets []checkpointSet
	err = s.read(ctx, func(tx querier) error {
		if err := tx.QueryRow("SELECT count(*) FROM experiment WHERE state IN " + live).Scan(&f.Live); err != nil {
			return err
		}
		sets, err = checkpointSets(tx)
		return err
	})
	if err != nil {
		return f, err
	}
	for _, x := range sets {
		if !x.ended {
			continue
		}
		if err := errors.Join(s.drop(ctx, x), os.RemoveAll(s.checkpoints(x.experiment))); err != nil {
			return f, err
		}
		f.Checkpoints++
		f.CheckpointBytes += x.bytes
	}
	if f.Orphans, err = s.removeOrphans(ctx); err != nil || f.Live > 0 {
		return f, err
	}
	before := s.databaseBytes()
	for _, statement := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if _, err := s.writer.ExecContext(ctx, statement); err != nil {
			return f, s.explain(ctx, err)
		}
	}
	f.DatabaseBytes = max(0, before-s.databaseBytes())
	return f, nil
}

// removeOrphans removes checkpoints and locks of numbers that no experiment has, and sets of
// checkpoints that a killed process did not finish.
func (s *Store) removeOrphans(ctx context.Context) (n int, err error) {
	err = s.write(ctx, func(tx *sql.Tx) error { // so that no experiment is being made
		ids, err := column[int64](tx, "SELECT id FROM experiment")
		if err != nil {
			return err
		}
		for _, folder := range []string{checkpointFolder, lockFolder} {
			entries, err := os.ReadDir(filepath.Join(s.dir, folder))
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			for _, entry := range entries {
				id, err := strconv.ParseInt(strings.TrimSuffix(entry.Name(), lockSuffix), 10, 64)
				if err != nil || slices.Contains(ids, id) {
					continue
				}
				if err := os.RemoveAll(filepath.Join(s.dir, folder, entry.Name())); err != nil {
					return err
				}
				n++
			}
		}
		return nil
	})
	if err != nil {
		return n, err
	}
	entries, err := os.ReadDir(filepath.Join(s.dir, checkpointFolder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return n, err
	}
	for _, entry := range entries {
		id, err := strconv.ParseInt(entry.Name(), 10, 64)
		if err != nil {
			continue
		}
		removed, err := s.sweepUnowned(id)
		if n += removed; err != nil {
			return n, err
		}
	}
	return n, nil
}

// sweepUnowned is sweep for an experiment that no process works on, and says how many sets it
// has removed.
func (s *Store) sweepUnowned(id int64) (n int, err error) {
	lock := s.lockFile(id)
	defer lock.Close()
	if locked, err := lock.TryLock(); err != nil || !locked {
		return 0, err
	}
	before, _ := os.ReadDir(s.checkpoints(id)) // none where it cannot be read
	err = s.sweep(id)
	after, _ := os.ReadDir(s.checkpoints(id))
	return len(before) - len(after), err
}

// databaseBytes is the size of the database with its log.
func (s *Store) databaseBytes() (bytes int64) {
	for _, suffix := range []string{"", logSuffix} {
		if info, err := os.Stat(filepath.Join(s.dir, fileName+suffix)); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}
