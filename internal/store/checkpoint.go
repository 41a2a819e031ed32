package store

import (
	"bufio"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
)

// A checkpoint is a set of files, one for each run of an experiment that is simulated at
// the time: checkpoints/<number of the experiment>/m<month>.<any>/<arm>-<replication>.snap,
// arm and replication from 1. Where further replications are under way, the files are
// theirs. A set counts once the database notes it, and the database never notes one that is
// not complete on disk.

// checkpoints is the folder of an experiment's sets.
func (s *Store) checkpoints(id int64) string {
	return filepath.Join(s.dir, checkpointFolder, strconv.FormatInt(id, 10))
}

func checkpointFile(arm, replication int) string {
	return fmt.Sprintf("%d-%d.snap", arm+1, replication+1)
}

// Checkpoint keeps the states of all runs, or of those that are under way where there are
// any, at the end of a month, as write gives
// them (arm and replication from 0), in place of an older set. It is durable
// when it returns; when it fails, the older set stays. To make room, older sets
// of other experiments are removed, first of those that have ended; a set that
// is larger than the store's bound alone is a [fault.LimitExceeded].
func (j *Journal) Checkpoint(month int, write func(arm, replication int, w io.Writer) error) error {
	j.checkpointing.Lock()
	defer j.checkpointing.Unlock()
	if err := j.flush(); err != nil {
		return err
	}
	if err := j.writeSet(month, write); err != nil { // what is there of the set goes
		return errors.Join(fmt.Errorf("checkpoint of month %d: %w", month, err), j.s.sweep(j.id))
	}
	return errors.Join(j.s.sweep(j.id), j.s.evict(j.id, j.by))
}

// writeSet writes a set to disk and notes it.
func (j *Journal) writeSet(month int, write func(arm, replication int, w io.Writer) error) error {
	folder := j.s.checkpoints(j.id)
	if err := os.MkdirAll(folder, folderMode); err != nil {
		return err
	}
	set, err := os.MkdirTemp(folder, fmt.Sprintf("m%d.", month))
	if err != nil {
		return err
	}
	size, err := j.writeFiles(set, write)
	if err := errors.Join(err, atomicfile.SyncFolder(folder), atomicfile.SyncFolder(filepath.Dir(folder))); err != nil {
		return err
	}
	return j.commit(func(tx *sql.Tx) error {
		_, err := tx.Exec("INSERT OR REPLACE INTO checkpoint (experiment, month, folder, bytes, saved_at) VALUES (?, ?, ?, ?, ?)",
			j.id, month, filepath.Base(set), size, formatTime(time.Now()))
		return err
	})
}

// writeFiles writes the files of all runs and returns their size.
func (j *Journal) writeFiles(folder string, write func(arm, replication int, w io.Writer) error) (size int64, err error) {
	limit, err := j.s.checkpointRoom(j.by)
	if err != nil {
		return 0, err
	}
	j.mu.Lock()
	first, last := 0, j.counted
	if all := len(j.runs[0]); all > j.counted {
		first, last = j.counted, all
	}
	j.mu.Unlock()
	for arm := range j.runs {
		for replication := first; replication < last; replication++ {
			n, err := writeFile(filepath.Join(folder, checkpointFile(arm, replication)), limit-size, func(w io.Writer) error {
				return write(arm, replication, w)
			})
			if err != nil {
				return 0, err
			}
			size += n
		}
	}
	return size, atomicfile.SyncFolder(folder)
}

// checkpointRoom is what the checkpoints of a principal may take, all together: what its account
// has left, and no more than the store allows.
func (s *Store) checkpointRoom(principal string) (int64, error) {
	if s.Limits.Bytes <= 0 {
		return s.checkpointBytes(), nil
	}
	a, err := s.Account(context.Background(), principal)
	left, _ := s.Limits.Left(a)
	return min(left, s.checkpointBytes()), err
}

func (s *Store) checkpointBytes() int64 { return cmp.Or(s.CheckpointBytes, DefaultCheckpointBytes) }

// writeFile writes a durable file of at most limit bytes.
func writeFile(path string, limit int64, write func(w io.Writer) error) (size int64, err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	bounded := &boundedWriter{w: f, left: limit}
	buffer := bufio.NewWriterSize(bounded, 1<<16)
	if err := errors.Join(write(buffer), buffer.Flush()); err != nil {
		return 0, err
	}
	return limit - bounded.left, f.Sync()
}

// boundedWriter fails when it would have to write more than is left.
type boundedWriter struct {
	w    io.Writer
	left int64
}

func (b *boundedWriter) Write(p []byte) (int, error) {
	if int64(len(p)) > b.left {
		return 0, fault.New(fault.LimitExceeded, "", "the states of all runs together exceed the space for checkpoints").
			WithHint("run fewer or smaller replications; without a checkpoint the experiment is resumed from its first month")
	}
	n, err := b.w.Write(p)
	b.left -= int64(n)
	return n, err
}

// evict removes sets until all together fit, and those of a principal beside all else that it
// has: those of ended experiments first, then of interrupted ones, then of others, each time the
// oldest, and that of one experiment never.
func (s *Store) evict(keep int64, principal string) error {
	ctx := context.Background()
	room, err := s.checkpointRoom(principal)
	if err != nil {
		return err
	}
	var sets []checkpointSet
	err = s.read(ctx, func(tx querier) (err error) {
		sets, err = checkpointSets(tx)
		return err
	})
	if err != nil {
		return err
	}
	var total, own int64
	for _, x := range sets {
		total += x.bytes
		if x.principal == principal {
			own += x.bytes
		}
	}
	for _, x := range sets {
		mine, full := x.principal == principal, total > s.checkpointBytes()
		if x.experiment == keep || !full && (!mine || own <= room) {
			continue
		}
		if err := s.drop(ctx, x); err != nil {
			return err
		}
		total -= x.bytes
		if mine {
			own -= x.bytes
		}
	}
	return nil
}

// checkpointSet is a set of files that the database notes.
type checkpointSet struct {
	experiment, bytes int64
	folder, principal string
	ended             bool // the experiment has
}

// checkpointSets lists all sets, in the order in which they are missed least.
func checkpointSets(tx querier) (sets []checkpointSet, err error) {
	err = each(tx, `SELECT checkpoint.experiment, checkpoint.bytes, folder, principal, state IN `+ended+` AS done
		FROM checkpoint JOIN experiment ON experiment.id = checkpoint.experiment
		ORDER BY done DESC, state = 'interrupted' DESC, saved_at, checkpoint.experiment`, nil,
		func(scan func(...any) error) error {
			var x checkpointSet
			err := scan(&x.experiment, &x.bytes, &x.folder, &x.principal, &x.ended)
			sets = append(sets, x)
			return err
		})
	return sets, err
}

// drop removes a set. The files go first: a set without its files counts as none, but files
// without a note would count for nobody.
func (s *Store) drop(ctx context.Context, x checkpointSet) error {
	if err := os.RemoveAll(filepath.Join(s.checkpoints(x.experiment), x.folder)); err != nil {
		return err
	}
	return s.write(ctx, func(tx *sql.Tx) error {
		_, err := tx.Exec("DELETE FROM checkpoint WHERE experiment = ? AND folder = ?", x.experiment, x.folder)
		return err
	})
}

// Checkpoint finds the states from which an experiment can go on: the month at
// whose end they were kept, and a function that opens the one of a run by the
// name of its arm and its replication from 0. Month 0 means that there are none,
// or not all of them any more. Removal by another process may still make open
// fail: then the experiment goes on from its first month. Of a run that had ended before
// others were added there is none either.
func (s *Store) Checkpoint(ctx context.Context, name string) (
	month int, open func(arm string, replication int) (io.ReadCloser, error), err error,
) {
	var set string
	var id, bytes int64
	arms := make(map[string]int)
	err = s.read(ctx, func(tx querier) error {
		var err error
		if id, err = experimentID(tx, name); err != nil {
			return err
		}
		err = tx.QueryRow("SELECT month, folder, bytes FROM checkpoint WHERE experiment = ?", id).Scan(&month, &set, &bytes)
		if err != nil {
			return err
		}
		return each(tx, "SELECT number, name FROM arm WHERE experiment = ?", []any{id}, func(scan func(...any) error) error {
			var number int
			var arm string
			err := scan(&number, &arm)
			arms[arm] = number - 1
			return err
		})
	})
	if errors.Is(err, sql.ErrNoRows) {
		return 0, nil, nil
	}
	if err != nil {
		return 0, nil, err
	}
	folder := filepath.Join(s.checkpoints(id), set)
	files, err := os.ReadDir(folder)
	if err != nil {
		return 0, nil, nil
	}
	for _, file := range files {
		if info, err := file.Info(); err == nil {
			bytes -= info.Size()
		}
	}
	if bytes != 0 { // not all files are there
		return 0, nil, nil
	}
	return month, func(arm string, replication int) (io.ReadCloser, error) {
		number, ok := arms[arm]
		if !ok {
			return nil, fmt.Errorf("experiment %s has no arm %q", name, arm)
		}
		return os.Open(filepath.Join(folder, checkpointFile(number, replication)))
	}, nil
}
