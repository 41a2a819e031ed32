package run

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sync"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// DefaultCheckpointEvery is the simulated time between checkpoints where a manager
// sets none.
const DefaultCheckpointEvery = time.Minute

// keptStatuses is how many ended experiments a manager remembers.
const keptStatuses = 100

// Settings bound what a [Manager] takes. The zero value has the defaults.
type Settings struct {
	Workers         int           // experiments that advance at the same time; 0 = the number of threads, at least 2
	Threads         int           // that simulate, of all experiments; 0 = the cores that Go may use
	MemoryBytes     int64         // of all experiments, by [Manager.Estimate]; 0 = [AvailableMemory] at the start but for 64 MiB
	Cache           Cache         // of burnt-in states
	CheckpointEvery time.Duration // simulated time between two checkpoints of an experiment; 0 = DefaultCheckpointEvery
}

// Manager carries out experiments side by side. All runs of an experiment that was started
// ([Manager.Start]) advance in lockstep, month by month. Commands take effect between two
// months; nothing that a month holds is needed to ask for a status. Where nobody steers
// ([Manager.Run]), runs do not wait for each other. All methods may be called by many goroutines.
//
// Outcomes depend on tasks alone: they have the same bits on any number of threads, in
// any company, with pauses or without, from a checkpoint or not.
type Manager struct {
	Settings
	pool        *pool
	subscribers subscribers
	cutShort    chan struct{} // closed when Close must not wait for checkpoints any more
	cut         func()        // closes it

	mu        sync.Mutex // never held while something is simulated or recorded
	live      map[string]*experiment
	queue     []*experiment // that wait for a place, in order
	places    int           // taken
	reserved  int64         // bytes of experiments that live
	collectAt int           // percent of garbage at which Go collects where little is reserved; below 0 = never
	replays   int           // under way
	replayed  broadcast     // one is over
	ended     []Status      // oldest first
	closed    bool
}

// NewManager makes a manager without experiments.
func NewManager(s Settings) *Manager {
	s.Threads = cmp.Or(s.Threads, min(runtime.GOMAXPROCS(0), runtime.NumCPU()))
	s.Workers = cmp.Or(s.Workers, max(2, s.Threads))
	s.CheckpointEvery = cmp.Or(s.CheckpointEvery, DefaultCheckpointEvery)
	if s.MemoryBytes == 0 {
		s.MemoryBytes = max(0, AvailableMemory()-processRoom)
	}
	cutShort := make(chan struct{})
	return &Manager{
		Settings: s, pool: newPool(s.Threads), cutShort: cutShort, cut: sync.OnceFunc(func() { close(cutShort) }),
		live: make(map[string]*experiment), collectAt: collectorPercent(),
	}
}

// Start queues an experiment. A task that is wrong, or that would not even fit alone
// in memory, is refused; so is a name that lives here already.
func (m *Manager) Start(p Task) error {
	if err := m.Check(p); err != nil {
		return err
	}
	x := m.newExperiment(p)
	x.bytes = m.Estimate(p)
	x.complete = p.Recorded.Complete
	x.began = make([][][]int, len(p.Arms))
	for a := range p.Arms {
		for r := range x.complete {
			x.began[a] = append(x.began[a], p.Recorded.beganIn(a, r))
		}
	}
	if x.complete == 0 {
		x.last = make([][]sim.Record, len(p.Arms))
	}
	x.lineUp()
	return m.start(x)
}

// newExperiment prepares a task that was checked.
func (m *Manager) newExperiment(p Task) *experiment {
	x := &experiment{
		m: m, task: p, groups: Groups(p.Arms), pauseAt: p.PauseAt, recorded: p.start(), state: StateQueued,
		commands: make(chan func()), admitted: make(chan struct{}, 1), done: make(chan struct{}),
	}
	x.arms = make([]scenario.Scenario, len(p.Arms))
	for _, g := range x.groups {
		for _, a := range g.Arms {
			x.arms[a] = g.Simulated(p.Arms[a].Scenario)
			x.arms[a].Interventions = slices.Clone(x.arms[a].Interventions)
		}
	}
	return x
}

// start queues an experiment.
func (m *Manager) start(x *experiment) error {
	name := x.task.Name
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return fault.New(fault.InvalidState, "", "the server is shutting down").WithHint("try again when it runs")
	}
	if old, ok := m.live[name]; ok && !old.Status().State.Ended() { // one that has ended may be about to retire
		return fault.New(fault.Conflict, "experiment_name", "experiment %q is under way", name).WithHint("choose another name")
	}
	m.live[name] = x
	m.enqueue(x)
	shape := x.shape()
	x.status.Store(&shape)
	x.publish()
	go x.carryOut()
	return nil
}

// Check refuses a task that Start would refuse, whatever its name and whoever records it.
func (m *Manager) Check(p Task) error {
	if err := p.check(); err != nil {
		return err
	}
	if slices.ContainsFunc(p.Arms, func(a Arm) bool { return a.Months != 0 && a.Months != p.Months || a.Draws != 0 }) {
		return fault.New(fault.Internal, "arms", "arms of an experiment that can be steered have the same months and draws")
	}
	if bytes := m.Estimate(p); bytes > m.MemoryBytes {
		return m.tooLarge(p, bytes)
	}
	return nil
}

// Status returns what was published last of an experiment that lives here, or ended
// here and is remembered.
func (m *Manager) Status(name string) (Status, bool) {
	x, s, err := m.find(name)
	if x != nil {
		s = x.Status()
	}
	return s, err == nil
}

// Live returns the statuses of all experiments that have not ended, by name.
func (m *Manager) Live() []Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := make([]Status, 0, len(m.live))
	for _, name := range slices.Sorted(maps.Keys(m.live)) {
		list = append(list, m.live[name].Status())
	}
	return list
}

// Running is the number of experiments that are being simulated: they are neither
// queued nor paused.
func (m *Manager) Running() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.places
}

// Close ends all experiments after the month that each is in, as interrupted, and
// takes their checkpoints. It returns when all have left, or with ctx's error when ctx
// is done first; what is recorded is consistent then, too, and a checkpoint that is being
// written is given up. Nothing can be started any more.
func (m *Manager) Close(ctx context.Context) error {
	context.AfterFunc(ctx, m.cut)
	m.mu.Lock()
	m.closed = true
	list := slices.Collect(maps.Values(m.live))
	m.mu.Unlock()
	for _, x := range list {
		if x.straight != nil {
			x.straight.cancel()
			continue
		}
		go x.do(context.WithoutCancel(ctx), func() error { // later than ctx, too
			if x.end == nil {
				x.end = errClosed
			}
			return nil
		})
	}
	for _, x := range list {
		select {
		case <-x.done:
		case <-ctx.Done():
			m.cut()
			return ctx.Err()
		}
	}
	return nil
}

// find returns an experiment that lives, or the last status of one that ended.
func (m *Manager) find(name string) (*experiment, Status, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if x := m.live[name]; x != nil {
		return x, Status{}, nil
	}
	names := slices.Sorted(maps.Keys(m.live))
	for _, s := range m.ended {
		if s.Name == name {
			return nil, s, nil
		}
		names = append(names, s.Name)
	}
	e := fault.Unknown(fault.NotFound, "experiment", name, names)
	e.Message = fmt.Sprintf("experiment %.80q is not under way in this process", name)
	return nil, Status{}, e
}

// enqueue puts an experiment at the end of the queue, and says for what it waits. The
// manager is locked.
func (m *Manager) enqueue(x *experiment) {
	m.queue = append(m.queue, x)
	m.admit()
	switch {
	case x.placed:
	case !x.reserved && m.reserved+x.bytes > m.MemoryBytes:
		x.message = fmt.Sprintf(
			"waits for memory: it needs about %s of the %s for experiments; paused ones keep theirs", Bytes(x.bytes), Bytes(m.MemoryBytes),
		)
	default:
		x.message = fmt.Sprintf("waits for its turn: at most %d experiments are simulated at a time", m.Workers)
	}
}

// admit gives free places to experiments in the queue. One that waits for memory is overtaken
// only by those that hold theirs already, because memory may not become free before they end.
// The manager is locked.
func (m *Manager) admit() {
	full := false
	m.queue = slices.DeleteFunc(m.queue, func(x *experiment) bool {
		if m.places == m.Workers || !x.reserved && (full || m.reserved+x.bytes > m.MemoryBytes) {
			full = true
			return false
		}
		if !x.reserved {
			x.reserved = true
			m.reserve(x.bytes)
		}
		m.places++
		x.placed = true
		m.pool.join(x.economies)
		x.admitted <- struct{}{}
		return true
	})
}

// giveUp takes back an experiment's place, or takes it out of the queue.
func (m *Manager) giveUp(x *experiment) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.withdraw(x)
	m.admit()
}

func (m *Manager) withdraw(x *experiment) {
	if !x.placed {
		m.queue = slices.DeleteFunc(m.queue, func(y *experiment) bool { return y == x })
		return
	}
	x.placed = false
	m.places--
	m.pool.join(-x.economies)
	select {
	case <-x.admitted: // it has not noticed yet
	default:
	}
}

// retire forgets an experiment but for its last status.
func (m *Manager) retire(x *experiment) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.withdraw(x)
	if x.reserved {
		m.reserve(-x.bytes)
	}
	name := x.task.Name
	if m.live[name] == x { // and not the one that was taken up since
		delete(m.live, name)
	}
	m.ended = append(slices.DeleteFunc(m.ended, func(s Status) bool { return s.Name == name }), x.Status())
	m.ended = m.ended[max(0, len(m.ended)-keptStatuses):]
	close(x.done)
	m.admit()
}
