package hosted

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/sweep"
)

// kept is what stands in the folder of a sweep beside its design.
type kept struct {
	Principal string     `json:"principal"`
	Created   time.Time  `json:"created_at"`
	Kind      sweep.Kind `json:"kind"`
	Hash      string     `json:"design_hash"`
	Points    int        `json:"points"`
	Economies int        `json:"economies"`
	State     State      `json:"state"` // when the process that carried it out last wrote; interrupted while it does
	Error     string     `json:"error,omitempty"`
}

const keptFile = "sweep.json"

func (k kept) status(name string) Status {
	return Status{
		Name: name, State: k.State, Kind: k.Kind, Owner: access.Owner{Principal: k.Principal}, Created: k.Created, Hash: k.Hash,
		Points: k.Points, Economies: k.Economies, Error: k.Error,
	}
}

// Status is what is known of a sweep; [fault.NotFound] with the nearest names where there is none.
func (s *Sweeps) Status(name string) (Status, error) {
	if err := fault.CheckName("sweep_name", name); err != nil {
		return Status{}, err
	}
	s.mu.Lock()
	if j := s.jobs[name]; j != nil {
		defer s.mu.Unlock()
		return s.statusOf(j), nil
	}
	k, err := s.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		e := fault.Unknown(fault.NotFound, "sweep", name, s.names())
		e.Field, err = "sweep_name", e
	}
	if err != nil {
		s.mu.Unlock()
		return Status{}, err
	}
	st := k.status(name)
	s.mu.Unlock()
	if st.State != Completed {
		st.Known = min(recorded(filepath.Join(s.Dir, name)), st.Economies)
	}
	return st, nil
}

// statusOf is that of a job. The caller holds s.mu.
func (s *Sweeps) statusOf(j *job) Status {
	st := j.Status
	if left := st.Economies - st.Known - st.Done; st.State == Running && st.Done > 0 {
		seconds := s.now().Sub(j.began).Seconds() / float64(st.Done) * float64(left)
		st.Seconds = &seconds
	}
	return st
}

// List is all sweeps, the newest first. How much is known of those that do not run here, only [Sweeps.Status] says.
func (s *Sweeps) List() []Status {
	s.mu.Lock()
	var list []Status
	for _, name := range s.names() {
		if j := s.jobs[name]; j != nil {
			list = append(list, s.statusOf(j))
		} else if k, err := s.read(name); err == nil {
			list = append(list, k.status(name))
		}
	}
	s.mu.Unlock()
	slices.SortStableFunc(list, func(a, b Status) int { return cmp.Or(b.Created.Compare(a.Created), strings.Compare(a.Name, b.Name)) })
	return list
}

// Found is what a sweep that is completed found.
func (s *Sweeps) Found(name string) (*sweep.Document, error) {
	text, err := s.File(name, sweep.SensitivityFile)
	if err != nil {
		return nil, err
	}
	doc := new(sweep.Document)
	return doc, json.Unmarshal(text, doc)
}

// Design is that of a sweep.
func (s *Sweeps) Design(name string) (*sweep.Design, error) {
	text, err := s.File(name, sweep.DesignFile)
	if err != nil {
		return nil, err
	}
	return sweep.Read(text, nil, nil)
}

// Measured is what a completed sweep of a design measured at its points.
func (s *Sweeps) Measured(name string, d *sweep.Design) (sweep.Measured, error) {
	text, err := s.File(name, sweep.PointsFile)
	if err != nil {
		return sweep.Measured{}, err
	}
	return sweep.ReadPoints(text, len(d.Factors))
}

// Results are the plan of a completed sweep and what came out of its runs, replication by replication, as figures need them. They are
// made again from the files of runs, which takes a while where there are many.
func (s *Sweeps) Results(ctx context.Context, name string) (*sweep.Plan, *sweep.Results, error) {
	d, err := s.Design(name)
	if err != nil {
		return nil, nil, err
	}
	known, err := sweep.Load(filepath.Join(s.Dir, name, sweep.RunsFolder))
	if err != nil {
		return nil, nil, err
	}
	p, err := sweep.NewPlan(ctx, d, s.Scenarios)
	if err != nil {
		return nil, nil, err
	}
	r, err := p.Results(known)
	return p, r, err
}

// Files are those of a sweep that callers may read.
var Files = []string{sweep.DesignFile, sweep.PointsFile, sweep.ResultsFile, sweep.SensitivityFile}

// File is one of the [Files] of a sweep. Where it has none yet that is [fault.InvalidState].
func (s *Sweeps) File(name, file string) ([]byte, error) {
	st, err := s.Status(name)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(Files, file) {
		return nil, fault.Unknown(fault.NotFound, "file of a sweep", file, Files)
	}
	if file != sweep.DesignFile && st.State != Completed {
		return nil, fault.New(fault.InvalidState, "sweep_name", "sweep %q has no results: it is %s", name, st.State).
			WithHint("follow it with get_sweep; run_sweep with the same name and design goes on")
	}
	text, err := os.ReadFile(filepath.Join(s.Dir, name, file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fault.New(fault.InvalidState, "sweep_name", "sweep %q has no %s: it is %s", name, file, st.State).
			WithHint("get_sweep says more; run_sweep with a design begins it")
	}
	return text, err
}

// names are those of all sweeps. The caller holds s.mu.
func (s *Sweeps) names() (names []string) {
	entries, err := os.ReadDir(s.Dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		slog.Warn("the folder of sweeps cannot be read", "error", err)
	}
	for _, e := range entries {
		for _, file := range []string{keptFile, sweep.DesignFile} {
			if _, err := os.Stat(filepath.Join(s.Dir, e.Name(), file)); err == nil {
				names = append(names, e.Name())
				break
			}
		}
	}
	return names
}

// read is what stands in the folder of a sweep; [fs.ErrNotExist] where there is none.
func (s *Sweeps) read(name string) (k kept, err error) {
	text, err := os.ReadFile(filepath.Join(s.Dir, name, keptFile))
	if errors.Is(err, fs.ErrNotExist) {
		return s.ofCommand(name)
	}
	if err != nil {
		return k, err
	}
	if err := json.Unmarshal(text, &k); err != nil {
		return k, fault.New(fault.InvalidState, "sweep_name", "%s of sweep %q is broken: %v", keptFile, name, err)
	}
	return k, nil
}

// ofCommand is what stands in a folder that econ-mcp sweep wrote: the operator's design, and results once it has ended. Points and
// economies are at most so many before.
func (s *Sweeps) ofCommand(name string) (k kept, err error) {
	path := filepath.Join(s.Dir, name, sweep.DesignFile)
	text, err := os.ReadFile(path)
	if err != nil {
		return k, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return k, err
	}
	k.Created, k.State = info.ModTime(), Interrupted
	d, err := sweep.Read(text, nil, nil)
	if err != nil { // such as a design whose inquiry is in another file
		k.State, k.Error = Failed, s.said(err)
		return k, nil
	}
	k.Kind, k.Hash, k.Points, k.Economies = d.Kind, d.Hash(), int(d.Size()), int(d.Economies())
	if text, err = os.ReadFile(filepath.Join(s.Dir, name, sweep.SensitivityFile)); err == nil {
		var doc sweep.Document
		if json.Unmarshal(text, &doc) == nil && doc.Hash == k.Hash {
			k.State, k.Points, k.Economies = Completed, doc.Points, doc.Economies
		}
	}
	return k, nil
}

// write keeps the state of a job. The caller holds s.mu.
func (s *Sweeps) write(j *job) error {
	k := kept{j.Owner.Principal, j.Created, j.Kind, j.Hash, j.Points, j.Economies, j.State, j.Error}
	if !k.State.Ended() {
		k.State = Interrupted // which it is if nobody writes again
	}
	text, err := json.MarshalIndent(k, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(s.Dir, j.Name, keptFile), append(text, '\n'), 0o644, true)
}

// bytesOf is what a principal's sweeps take, or may come to while they run, but one. The caller holds s.mu.
func (s *Sweeps) bytesOf(principal, but string) (sum int64) {
	for _, name := range s.names() {
		k, err := s.read(name)
		if name == but || err != nil || k.Principal != principal {
			continue
		}
		size := folderBytes(filepath.Join(s.Dir, name))
		if j := s.jobs[name]; j != nil && !j.State.Ended() {
			size = max(size, j.bytes)
		}
		sum += size
	}
	return sum
}

func folderBytes(dir string) (sum int64) {
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error {
		if err == nil {
			if info, err := e.Info(); err == nil && !e.IsDir() {
				sum += info.Size()
			}
		}
		return nil
	})
	return sum
}

// recorded is how many lines the files of runs of a sweep have.
func recorded(folder string) (n int) {
	files, _ := filepath.Glob(filepath.Join(folder, sweep.RunsFolder, "*"+sweep.RunSuffix))
	for _, f := range files {
		n += lines(f)
	}
	return n
}

func lines(path string) (n int) {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	block := make([]byte, 1<<16)
	for {
		k, err := f.Read(block)
		n += bytes.Count(block[:k], []byte("\n"))
		if err != nil {
			return n
		}
	}
}
