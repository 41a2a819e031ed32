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
	"DELETE FROM asked WHERE experiment = ?",
	"DELETE FROM tag WHERE experiment = ?",
	"DELETE FROM capture WHERE experiment = ?",
	"DELETE FROM experiment WHERE id = ?",
}

// Delete removes an experiment with everything that is stored of it. One that some
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
	Orphans         int   // folders and lock files of experiments that are not there any more
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
	var all []int64
	var sets []checkpointSet
	err = s.read(ctx, func(tx querier) error {
		if all, err = column[int64](tx, "SELECT id FROM experiment"); err != nil {
			return err
		}
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
	if f.Orphans, err = s.removeOrphans(all); err != nil || f.Live > 0 {
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

// removeOrphans removes checkpoints and locks of numbers that no experiment has. Numbers
// above the last one may be of one that is just being made.
func (s *Store) removeOrphans(ids []int64) (n int, err error) {
	last := int64(0)
	if len(ids) > 0 {
		last = slices.Max(ids)
	}
	for _, folder := range []string{checkpointFolder, lockFolder} {
		entries, err := os.ReadDir(filepath.Join(s.dir, folder))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return n, err
		}
		for _, entry := range entries {
			id, err := strconv.ParseInt(strings.TrimSuffix(entry.Name(), ".lock"), 10, 64)
			if err != nil || id > last || slices.Contains(ids, id) {
				continue
			}
			if err := os.RemoveAll(filepath.Join(s.dir, folder, entry.Name())); err != nil {
				return n, err
			}
			n++
		}
	}
	return n, nil
}

// databaseBytes is the size of the database with its log.
func (s *Store) databaseBytes() (bytes int64) {
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(filepath.Join(s.dir, fileName+suffix)); err == nil {
			bytes += info.Size()
		}
	}
	return bytes
}
