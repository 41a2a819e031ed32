package web

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"time"

	"econ-mcp/internal/lab"
	"econ-mcp/sim"
)

// feeds read experiments for whoever follows them: one goroutine for each experiment and choice of indicators, however many read it, so
// that readers cost the simulation nothing.
type feeds struct {
	mu   sync.Mutex
	open map[string]*feed
}

// feed is what one goroutine has read. It begins with the first reader and ends with the last.
type feed struct {
	readers int // guarded by the mutex of all
	stop    context.CancelFunc
	ended   chan struct{} // closed when the goroutine has ended

	name       string
	arms       []string
	indicators []sim.Indicator

	mu      sync.Mutex
	now     moment
	changed chan struct{} // closed when now is another
}

// moment is what is known of an experiment. The next one shares its numbers and has more of them, unless Replications differs: then they
// are over more replications, and all are others.
type moment struct {
	Known        bool // it has been read
	Status       lab.Status
	Steerable    bool
	Replications int // that the numbers are over
	Months       int // that they reach to
	Arms         []lab.Bands
	Planned      []lab.Planned
	PlanVersion  int // grows when Planned changes
	Err          error
	Over         bool // there will be no other
}

// planEvery is how often interventions are looked at while months go by: rules are worked out of all months. A change that brings no month
// may be one of the plan.
const planEvery = time.Second

// follow finds or begins the feed of an experiment; leave has to be called, and returns when nothing is read for this reader any more.
func (l *feeds) follow(laboratory *lab.Laboratory, name string, arms []string, indicators []sim.Indicator) (f *feed, leave func()) {
	var key strings.Builder
	key.WriteString(name)
	for _, i := range indicators {
		key.WriteString(" " + i.String())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	f = l.open[key.String()]
	if f == nil {
		ctx, stop := context.WithCancel(context.Background()) // it outlives the reader that began it
		f = &feed{
			stop: stop, ended: make(chan struct{}), changed: make(chan struct{}), name: name, arms: arms, indicators: indicators,
			now: moment{Arms: make([]lab.Bands, len(arms))},
		}
		for a := range f.now.Arms {
			b := &f.now.Arms[a]
			b.Mean, b.Low, b.High = make([][]float64, len(indicators)), make([][]float64, len(indicators)), make([][]float64, len(indicators))
		}
		if l.open == nil {
			l.open = map[string]*feed{}
		}
		l.open[key.String()] = f
		go f.read(ctx, laboratory)
	}
	f.readers++
	return f, func() {
		l.mu.Lock()
		f.readers--
		last := f.readers == 0
		if last {
			delete(l.open, key.String())
		}
		l.mu.Unlock()
		if last {
			f.stop()
			<-f.ended
		}
	}
}

// moment is the latest, and a channel that is closed when there is another.
func (f *feed) moment() (moment, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.now, f.changed
}

func (f *feed) publish(m moment) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.now = m
	close(f.changed)
	f.changed = make(chan struct{})
}

// read follows the experiment to its end.
func (f *feed) read(ctx context.Context, laboratory *lab.Laboratory) {
	defer close(f.ended)
	defer func() {
		if p := recover(); p != nil { // in a goroutine of its own, where it would end the program
			f.publish(moment{Err: fmt.Errorf("following %s: %v", f.name, p), Over: true})
		}
	}()
	var looked time.Time // when interventions were
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	m := f.now // which nobody else changes
	err := laboratory.Watch(ctx, f.name, func(s lab.Status) {
		before := m.Status
		m.Status, m.Steerable = s, laboratory.Steerable(s)
		if m.Err = f.catchUp(ctx, laboratory, &m); m.Err == nil && (!m.Known || s.State != before.State || s.Month == before.Month ||
			time.Since(looked) > planEvery) {
			looked = time.Now()
			m.Err = f.lookAtPlan(ctx, laboratory, &m)
		}
		m.Known = true
		if m.Err != nil {
			cancel()
			return
		}
		f.publish(m)
	})
	if m.Err == nil {
		m.Err = err
	}
	m.Over = true
	f.publish(m)
}

// catchUp reads the months that are new.
func (f *feed) catchUp(ctx context.Context, laboratory *lab.Laboratory, m *moment) error {
	s := &m.Status
	from := m.Months + 1
	if s.ReplicationsDone > 0 && s.ReplicationsDone != m.Replications { // further ones count
		from = 1
	}
	if s.Month < from {
		return nil
	}
	list, replications, err := laboratory.Bands(ctx, f.name, f.arms, f.indicators, from, s.Month)
	if err == nil && from > 1 && replications != m.Replications {
		from = 1
		list, replications, err = laboratory.Bands(ctx, f.name, f.arms, f.indicators, from, s.Month)
	}
	if err != nil {
		return err
	}
	if from > 1 {
		for a := range list {
			list[a] = extended(m.Arms[a], list[a])
		}
	}
	m.Arms, m.Months, m.Replications = list, s.Month, replications
	return nil
}

// extended are the months of a and then those of b. What others read of a stays as it is.
func extended(a, b lab.Bands) lab.Bands {
	join := func(a, b [][]float64) [][]float64 {
		list := make([][]float64, len(b))
		for i := range b {
			list[i] = append(a[i], b[i]...)
		}
		return list
	}
	return lab.Bands{Mean: join(a.Mean, b.Mean), Low: join(a.Low, b.Low), High: join(a.High, b.High)}
}

func (f *feed) lookAtPlan(ctx context.Context, laboratory *lab.Laboratory, m *moment) error {
	list, err := laboratory.Planned(ctx, f.name)
	if err == nil && (m.PlanVersion == 0 || !reflect.DeepEqual(list, m.Planned)) {
		m.Planned = list
		m.PlanVersion++
	}
	return err
}
