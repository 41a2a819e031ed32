package sweep

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/gofrs/flock"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// Record is what came out of a run.
type Record struct {
	Key    string                    `json:"key"`
	Model  string                    `json:"model_version"`
	Seed   uint64                    `json:"seed"`
	Months int                       `json:"months"`
	State  string                    `json:"state_hash"`       // of the economy after the last month; a digest of what was measured
	Series map[string][]stats.Number `json:"series,omitempty"` // by indicator, a number a month

	Measured []byte `json:"measured,omitempty"` // by a [Measurer]
}

// has says whether the record has all that is wanted.
func (r *Record) has(want wanted) bool {
	if want.measure != nil {
		return r.Measured != nil
	}
	for _, i := range want.metrics {
		if len(r.Series[i.String()]) != r.Months {
			return false
		}
	}
	return true
}

// Known are the records of a folder of runs, by key. Each file has one writer; a line is a checksum and a record.
type Known map[string]*Record

// RunSuffix is that of the files of runs.
const RunSuffix = ".runs"

// Load reads all files of a folder. A line that a killed writer left unfinished at the end of a file is no record; one that is broken
// elsewhere is an error that names file and line, and so are two records of one run that differ, and a record of
// another version of the model.
func Load(folder string) (Known, error) {
	files, err := os.ReadDir(folder) // by name
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	known := Known{}
	for _, f := range files {
		if filepath.Ext(f.Name()) != RunSuffix {
			continue
		}
		if err := known.read(filepath.Join(folder, f.Name())); err != nil {
			return nil, err
		}
	}
	return known, nil
}

func (k Known) read(path string) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	lines := bufio.NewReaderSize(f, 1<<20)
	for n := 1; ; n++ {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			return nil // what has no end was torn
		}
		if err != nil {
			return err
		}
		r, err := parseLine(line[:len(line)-1])
		if err != nil {
			return fault.New(fault.InvalidState, filepath.Base(path), "line %d of %s is broken: %v", n, path, err).
				WithHint("remove the line: what it held is simulated again")
		}
		if r.Model != sim.ModelVersion {
			return fault.New(fault.Conflict, filepath.Base(path), "line %d of %s is of model %s, and this program has %s", n, path, r.Model,
				sim.ModelVersion).
				WithHint("use the release with that model, or another folder of runs")
		}
		if _, err := k.add(r); err != nil {
			return fault.New(fault.Conflict, filepath.Base(path), "line %d of %s: %v", n, path, err).
				WithHint("one of the two was not computed by this program: compare both files before anything rests on them")
		}
	}
}

// ErrDiffers says that two records of one run hold different results.
var ErrDiffers = errors.New("two results of one run")

// add enters a record and says whether it tells something new. The same run with another result is [ErrDiffers]; one with other indicators
// joins them.
func (k Known) add(r *Record) (fresh bool, err error) {
	old, ok := k[r.Key]
	if !ok {
		k[r.Key] = r
		return true, nil
	}
	if old.State != r.State || old.Seed != r.Seed || old.Months != r.Months {
		return false, fmt.Errorf("%w: run %s came to state %.12s here and to %.12s before", ErrDiffers, r.Key, r.State, old.State)
	}
	for name, series := range r.Series {
		fresh = fresh || len(old.Series[name]) == 0
		old.Series[name] = series
	}
	return fresh, nil
}

var table = crc32.MakeTable(crc32.Castagnoli)

// checksum is eight hexadecimal digits.
const checksum = 8

func parseLine(line []byte) (*Record, error) {
	if len(line) < checksum+1 {
		return nil, errors.New("it is too short")
	}
	sum, err := strconv.ParseUint(string(line[:checksum]), 16, 32)
	if err != nil || crc32.Checksum(line[checksum+1:], table) != uint32(sum) {
		return nil, errors.New("its checksum is wrong")
	}
	r := new(Record)
	return r, json.Unmarshal(line[checksum+1:], r)
}

func formatLine(r *Record) ([]byte, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(nil, "%08x %s\n", crc32.Checksum(data, table), data), nil
}

// writer appends records to a file of its own.
type writer struct {
	file *os.File
	lock *flock.Flock
	size int64 // of whole lines
	err  error // that ended it
}

// lockRetry is how long after one look whether a file is free the next one is.
const lockRetry = 500 * time.Millisecond

// openWriter opens a file of runs for its only writer, without the line that a killed one left unfinished. A file that somebody
// still writes after so long is [fault.InvalidState].
func openWriter(ctx context.Context, wait time.Duration, folder, name string) (*writer, error) {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(folder, name+RunSuffix)
	lock := flock.New(path + ".lock")
	mine, err := lock.TryLock()
	if err == nil && !mine && wait > 0 {
		waiting, stop := context.WithTimeout(ctx, wait)
		mine, err = lock.TryLockContext(waiting, lockRetry)
		stop()
		if err != nil && ctx.Err() == nil { // the time is over
			err = nil
		}
	}
	if err != nil {
		return nil, err
	}
	if !mine {
		return nil, fault.New(fault.InvalidState, "--shard", "another process writes %s", path).WithHint("wait for it, or take another shard")
	}
	w := &writer{lock: lock}
	if w.file, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644); err == nil {
		err = w.mend()
	}
	if err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// mend cuts off what follows the last end of a line, and goes there.
func (w *writer) mend() error {
	size, err := w.file.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	block := make([]byte, 1<<16)
	for end := size; end > 0; {
		from := max(0, end-int64(len(block)))
		n, err := w.file.ReadAt(block[:end-from], from)
		if err != nil {
			return err
		}
		if i := bytes.LastIndexByte(block[:n], '\n'); i >= 0 {
			return w.cut(from + int64(i) + 1)
		}
		end = from
	}
	return w.cut(0)
}

func (w *writer) cut(size int64) error {
	if err := w.file.Truncate(size); err != nil {
		return err
	}
	w.size = size
	_, err := w.file.Seek(size, io.SeekStart)
	return err
}

// append writes a record. After an error, as of a full disk, the file ends with the last whole line and takes no more.
func (w *writer) append(r *Record) error {
	if w.err != nil {
		return w.err
	}
	line, err := formatLine(r)
	if err != nil {
		return err
	}
	if _, w.err = w.file.Write(line); w.err != nil {
		return errors.Join(w.err, w.cut(w.size))
	}
	w.size += int64(len(line))
	return nil
}

// close lets the file reach the disk.
func (w *writer) close() error {
	var err error
	if w.file != nil {
		err = errors.Join(w.file.Sync(), w.file.Close())
	}
	return errors.Join(err, w.lock.Unlock())
}
