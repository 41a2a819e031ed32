package sweep

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Recorder enters records into a folder of runs, as the only writer of a file there. It may be used by several goroutines.
type Recorder struct {
	mu    sync.Mutex
	known Known
	out   *writer
}

// NewRecorder opens the file of that name, without suffix, and reads all files of the folder. A file that somebody else writes is
// [fault.InvalidState].
func NewRecorder(folder, name string) (*Recorder, error) {
	return newRecorder(context.Background(), 0, folder, name)
}

// newRecorder waits for a file that somebody else writes.
func newRecorder(ctx context.Context, wait time.Duration, folder, name string) (*Recorder, error) {
	out, err := openWriter(ctx, wait, folder, name)
	if err != nil {
		return nil, err
	}
	known, err := Load(folder)
	if err != nil {
		return nil, errors.Join(err, out.close())
	}
	return &Recorder{known: known, out: out}, nil
}

// Has says whether the plan's run is known with all that the plan wants of it.
func (r *Recorder) Has(p *Plan, of Run) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return p.knows(r.known, of)
}

// Tasks are what is not known of a part, told whole; none where all is.
func (r *Recorder) Tasks(p *Plan, of Part) []Task {
	r.mu.Lock()
	defer r.mu.Unlock()
	return p.tasks(of, r.known)
}

// Add enters a record and says whether it tells something new. The same run with another result is [ErrDiffers], and not
// entered. After any other error, as of a full disk, the file takes no more.
func (r *Recorder) Add(record *Record) (fresh bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if fresh, err = r.known.add(record); err != nil || !fresh {
		return false, err
	}
	return true, r.out.append(record)
}

// Sync lets what was added reach the disk.
func (r *Recorder) Sync() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.file.Sync()
}

// Close lets what was added reach the disk, and gives the file to others.
func (r *Recorder) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.close()
}
