// Package hosted carries out sweeps for those who call a server: in the background, one at a time, each in a folder of its own that
// econ-mcp sweep reads and goes on with, too.
package hosted

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/run"
	"econ-mcp/internal/sweep"
)

// Sweeps are those of a data folder.
type Sweeps struct {
	Dir       string // a folder for each sweep
	Scenarios inquiry.Scenarios
	Cache     run.Cache
	Threads   int // 0 = all cores; changes no result
	Limits    Limits
	Now       func() time.Time // nil = time.Now

	mu     sync.Mutex
	jobs   map[string]*job // begun by this process, by name
	closed bool
	all    sync.WaitGroup
	turn   chan struct{} // holds a token while one is simulated

	measuring sync.Mutex
}

// Limits of what one principal may have simulated; 0 = no limit.
type Limits struct {
	HouseholdMonths int64 // months of households and firms of all economies of one sweep, burn-ins included
	Economies       int   // of one sweep
	Running         int   // sweeps at a time, queued ones included
	Bytes           int64 // of all sweeps, with what they may still come to
}

// State is how far a sweep is.
type State string

// The states. What was simulated stays in all of them, and the same design under the same name goes on with it.
const (
	Planning    State = "planning"    // its points are made
	Queued      State = "queued"      // another sweep is simulated
	Running     State = "running"     //
	Stopped     State = "stopped"     // by a caller
	Interrupted State = "interrupted" // the process that simulated it ended
	Failed      State = "failed"      // see Error
	Completed   State = "completed"   // it has results
)

// Ended says whether the state stays as it is until somebody begins the sweep again.
func (s State) Ended() bool { return s != Planning && s != Queued && s != Running }

// Status is what is known of a sweep.
type Status struct {
	Name      string
	State     State
	Kind      sweep.Kind
	Owner     access.Owner
	Created   time.Time
	Hash      string   // of the design
	Points    int      // 0 while it is planned
	Economies int      // that it needs, each once
	Known     int      // of them when it was begun last
	Done      int      // simulated since then
	Seconds   *float64 // that are left, about; nil where nobody can say
	Error     string
}

// job is a sweep that this process carries out or has carried out.
type job struct {
	cancel  context.CancelFunc
	planned chan struct{} // closed when it has its points, or failed to
	ended   chan struct{}

	// under Sweeps.mu
	Status
	began     time.Time // when it began to simulate
	refused   error     // of its plan: nothing of it was kept
	stopped   bool      // by a caller
	elsewhere bool      // another process has its file of runs, and says how far it is
	bytes     int64     // that it may come to
}

// Begin takes a design, goes on with it where a sweep of that name has it already, and returns when its points are made or wait is over.
// A design that cannot be carried out is refused, and leaves nothing. Another design of that name is [fault.Conflict].
func (s *Sweeps) Begin(ctx context.Context, by access.Caller, name string, design []byte, wait time.Duration) (Status, error) {
	d, err := s.readDesign(design)
	if err != nil {
		return Status{}, err
	}
	j, err := s.enter(by, name, d)
	if err != nil {
		return Status{}, err
	}
	late := time.NewTimer(wait)
	defer late.Stop()
	select {
	case <-j.planned:
	case <-late.C:
	case <-ctx.Done(): // the sweep goes on
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if j.refused != nil && s.jobs[j.Name] == j { // who asked hears of it, and there is nothing else to keep
		delete(s.jobs, j.Name)
	}
	return s.statusOf(j), j.refused
}

// readDesign reads a design that this server may carry out.
func (s *Sweeps) readDesign(text []byte) (*sweep.Design, error) {
	d, err := sweep.Read(text, nil, nil)
	if err != nil {
		return nil, err
	}
	if n := d.Economies(); s.Limits.Economies > 0 && n > float64(s.Limits.Economies) {
		return nil, fault.New(fault.LimitExceeded, "design", "the sweep has %.4g economies, above the limit of %d", n, s.Limits.Economies).
			WithHint("choose fewer points or replications")
	}
	return d, nil
}

// enter begins a job, or finds the one that carries out the design.
func (s *Sweeps) enter(by access.Caller, name string, d *sweep.Design) (*job, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, fault.New(fault.InvalidState, "sweep_name", "the server is about to end")
	}
	if name == "" {
		name = s.newName(d)
	}
	if err := fault.CheckName("sweep_name", name); err != nil {
		return nil, err
	}
	if err := fault.CheckFileName("sweep_name", name); err != nil {
		return nil, err
	}
	owner := access.Owner{Principal: by.Principal}
	created := s.now()
	old, err := s.read(name)
	switch {
	case err == nil && old.State == Completed && old.Hash == d.Hash() && s.jobs[name] == nil:
		return s.ended(name, old), nil
	case err == nil:
		owner.Principal, created = old.Principal, old.Created
		if err := by.May("go on with", thing(name, owner)); err != nil {
			return nil, err
		}
		if old.Hash != d.Hash() {
			return nil, anotherDesign(name)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if j := s.jobs[name]; j != nil && (!j.State.Ended() || j.State == Completed) {
		if j.Hash != d.Hash() {
			return nil, anotherDesign(name)
		}
		return j, nil
	}
	running := 0
	for _, j := range s.jobs {
		if j.Owner.Principal == owner.Principal && !j.State.Ended() {
			running++
		}
	}
	if most := s.Limits.Running; most > 0 && running >= most {
		return nil, fault.New(fault.LimitExceeded, "sweep_name", "%d sweeps run or wait already, the limit of running sweeps", running).
			WithHint("wait for one to end, or stop one: run_sweep with stop")
	}
	ctx, cancel := context.WithCancel(context.Background())
	j := &job{cancel: cancel, planned: make(chan struct{}), ended: make(chan struct{})}
	j.Status = Status{Name: name, State: Planning, Kind: d.Kind, Owner: owner, Created: created, Hash: d.Hash()}
	if s.jobs == nil {
		s.jobs, s.turn = map[string]*job{}, make(chan struct{}, 1)
	}
	s.jobs[name] = j
	s.all.Go(func() { s.carryOut(ctx, j, d) })
	return j, nil
}

// ended is the job of a sweep that an earlier process completed. The caller holds s.mu.
func (s *Sweeps) ended(name string, k kept) *job {
	j := &job{cancel: func() {}, planned: make(chan struct{}), ended: make(chan struct{}), Status: k.status(name)}
	close(j.planned)
	close(j.ended)
	return j
}

func (s *Sweeps) newName(d *sweep.Design) string {
	name := fmt.Sprintf("sweep_%s_%s", d.Kind, s.now().UTC().Format("20060102_150405"))
	for k := 2; ; k++ {
		candidate := name
		if k > 2 {
			candidate = fmt.Sprintf("%s_%d", name, k-1)
		}
		if _, err := os.Stat(filepath.Join(s.Dir, candidate)); err != nil && s.jobs[candidate] == nil {
			return candidate
		}
	}
}

func anotherDesign(name string) error {
	return fault.New(fault.Conflict, "sweep_name", "sweep %q has another design", name).WithHint("choose another name")
}

func thing(name string, owner access.Owner) access.Thing {
	return access.Thing{Kind: "sweep", Name: name, Field: "sweep_name", Owner: owner}
}

func (s *Sweeps) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

// carryOut plans, simulates and writes the results.
func (s *Sweeps) carryOut(ctx context.Context, j *job, d *sweep.Design) {
	defer close(j.ended)
	defer j.cancel()
	p, err := s.plan(ctx, j, d)
	if err != nil {
		s.mu.Lock()
		j.State, j.refused, j.Error = Failed, err, s.said(err)
		s.mu.Unlock()
		slog.Warn("a sweep is refused", "sweep", j.Name, "error", err)
		close(j.planned)
		return
	}
	close(j.planned)
	err = s.simulate(ctx, j, p)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		j.State = Completed
	case ctx.Err() != nil && j.stopped:
		j.State = Stopped
	case ctx.Err() != nil:
		j.State = Interrupted
	default:
		j.State, j.Error = Failed, s.said(err)
		slog.Error("a sweep failed", "sweep", j.Name, "error", err)
	}
	if j.elsewhere {
		return
	}
	if err := s.write(j); err != nil {
		slog.Error("the state of a sweep could not be written", "sweep", j.Name, "error", err)
	}
}

// said is an error as callers may read it: without where we are.
func (s *Sweeps) said(err error) string {
	return strings.ReplaceAll(err.Error(), s.Dir+string(filepath.Separator), "")
}

// plan makes the points, holds them against the limits and writes the design.
func (s *Sweeps) plan(ctx context.Context, j *job, d *sweep.Design) (*sweep.Plan, error) {
	p, err := sweep.NewPlan(ctx, d, s.Scenarios)
	if ctx.Err() != nil {
		return nil, fault.New(fault.InvalidState, "sweep_name", "sweep %q was ended before it began", j.Name)
	}
	if err != nil {
		return nil, err
	}
	if err := s.fits(p); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	j.bytes = p.Bytes()
	if most := s.Limits.Bytes; most > 0 {
		if taken := s.bytesOf(j.Owner.Principal, j.Name); taken+j.bytes > most {
			return nil, fault.New(fault.LimitExceeded, "design", "the sweep may come to %d bytes, and %d of %d are taken by other sweeps", j.bytes,
				taken, most).
				WithHint("lower points or months, or have the operator remove sweeps")
		}
	}
	folder := filepath.Join(s.Dir, j.Name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	if _, err := atomicfile.Sweep(folder); err != nil { // what a killed process left half written is in nobody's way
		slog.Warn("what a killed process left cannot be removed", "sweep", j.Name, "error", err)
	}
	if err := p.WriteDesign(folder); fault.KindOf(err) == fault.Conflict {
		return nil, anotherDesign(j.Name)
	} else if err != nil {
		return nil, err
	}
	j.Points, j.Economies, j.State = len(p.Points), len(p.Runs), Queued
	return p, s.write(j)
}

// fits holds a plan against the limits of one sweep.
func (s *Sweeps) fits(p *sweep.Plan) error {
	if size := p.AgentMonths(nil); s.Limits.HouseholdMonths > 0 && size > float64(s.Limits.HouseholdMonths) {
		return fault.New(fault.LimitExceeded, "design", "the sweep has %.3g months of households and firms, above the limit "+
			"household_months of %d",
			size, s.Limits.HouseholdMonths).WithHint("lower points, replications, months or num_households")
	}
	return nil
}

// simulate waits for its turn.
func (s *Sweeps) simulate(ctx context.Context, j *job, p *sweep.Plan) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	folder := filepath.Join(s.Dir, j.Name)
	w := sweep.Work{
		Plan: p, Shard: sweep.Shard{I: 1, N: 1}, Folder: filepath.Join(folder, sweep.RunsFolder), Threads: s.Threads, Cache: s.Cache,
		Progress: func(done, of int) {
			s.mu.Lock()
			defer s.mu.Unlock()
			j.Done, j.Known = done, j.Economies-of
		},
	}
	s.mu.Lock()
	j.State, j.began = Running, s.now()
	s.mu.Unlock()
	if _, err := w.Run(ctx); fault.KindOf(err) == fault.InvalidState && ctx.Err() == nil {
		s.mu.Lock()
		j.elsewhere = true
		s.mu.Unlock()
		return fault.New(fault.InvalidState, "sweep_name", "another process carries out sweep %q, or its folder is broken: %v", j.Name, err)
	} else if err != nil {
		return err
	}
	known, err := sweep.Load(w.Folder)
	if err != nil {
		return err
	}
	_, _, err = p.WriteResults(folder, known)
	return err
}

// Size is what a sweep would take.
type Size struct {
	Points, Economies, BurnIns int
	Seconds                    float64 // on this machine, as fast as it is now
	Hash                       string
}

// Estimate makes the points of a design and measures this machine, and begins nothing.
func (s *Sweeps) Estimate(ctx context.Context, design []byte) (Size, error) {
	d, err := s.readDesign(design)
	if err != nil {
		return Size{}, err
	}
	s.measuring.Lock() // who measures beside another measures half of the machine
	defer s.measuring.Unlock()
	p, err := sweep.NewPlan(ctx, d, s.Scenarios)
	if err != nil {
		return Size{}, err
	}
	if err := s.fits(p); err != nil {
		return Size{}, err
	}
	speed, err := p.Speed(s.Threads)
	if err != nil {
		return Size{}, err
	}
	_, burnIns := p.Left(nil)
	return Size{len(p.Points), len(p.Runs), burnIns, p.AgentMonths(nil) / speed, p.Hash}, nil
}

// Stop ends a sweep after the months under way. What was simulated stays.
func (s *Sweeps) Stop(ctx context.Context, by access.Caller, name string) (Status, error) {
	st, err := s.Status(name)
	if err != nil {
		return st, err
	}
	if err := by.May("stop", thing(name, st.Owner)); err != nil {
		return st, err
	}
	s.mu.Lock()
	j := s.jobs[name]
	if j == nil || j.State.Ended() {
		s.mu.Unlock()
		return st, fault.New(fault.InvalidState, "sweep_name", "sweep %q does not run here: it is %s", name, st.State).
			WithHint("get_sweep says how far it is")
	}
	j.stopped = true
	s.mu.Unlock()
	j.cancel()
	select {
	case <-j.ended:
	case <-ctx.Done():
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.statusOf(j), nil
}

// Wait returns when the sweep has ended, or the time is over.
func (s *Sweeps) Wait(ctx context.Context, name string, most time.Duration) (Status, error) {
	s.mu.Lock()
	j := s.jobs[name]
	s.mu.Unlock()
	if j != nil {
		late := time.NewTimer(most)
		defer late.Stop()
		select {
		case <-j.ended:
		case <-late.C:
		case <-ctx.Done():
		}
	}
	return s.Status(name)
}

// Running is how many sweeps run or wait.
func (s *Sweeps) Running() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, j := range s.jobs {
		if !j.State.Ended() {
			n++
		}
	}
	return n
}

// Close ends all sweeps after the months under way and takes no more. Economies that have ended are kept.
func (s *Sweeps) Close(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	for _, j := range s.jobs {
		j.cancel()
	}
	s.mu.Unlock()
	ended := make(chan struct{})
	go func() {
		s.all.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
