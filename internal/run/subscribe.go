package run

import (
	"context"
	"slices"
	"sync"
	"time"
)

const (
	seenEvery   = 100 * time.Millisecond // between two calls of a waiter's function
	notifyEvery = 250 * time.Millisecond // between two rounds of calls of a subscriber's
)

// Wait returns when an experiment does not go on by itself any more: it is paused or
// has ended. Until then it calls seen, which may be nil, with one status after the
// other, at most every 100 ms. A context that is done ends the wait.
func (m *Manager) Wait(ctx context.Context, name string, seen func(Status)) (Status, error) {
	return m.watch(ctx, name, seen, func(s State) bool { return !s.Active() })
}

// Watch is [Manager.Wait] that goes on over pauses: it returns when the experiment has ended.
func (m *Manager) Watch(ctx context.Context, name string, seen func(Status)) (Status, error) {
	return m.watch(ctx, name, seen, State.Ended)
}

func (m *Manager) watch(ctx context.Context, name string, seen func(Status), over func(State) bool) (Status, error) {
	x, s, err := m.find(name)
	if x == nil {
		return s, err
	}
	var last time.Time
	for {
		changed := x.changed.next() // before the status, so that no change is missed
		s := x.Status()
		if over(s.State) {
			return s, nil
		}
		var later <-chan time.Time
		if wait := time.Until(last.Add(seenEvery)); wait > 0 {
			later = time.After(wait)
		} else if seen != nil {
			seen(s)
			last = time.Now()
		}
		select {
		case <-changed:
		case <-later:
		case <-ctx.Done():
			return x.Status(), ctx.Err()
		}
	}
}

// Subscribe has f called with the status of each experiment that changes, of state or
// month: at most four times a second for each, by one goroutine, the last change always.
// cancel ends it, without waiting for a call under way.
func (m *Manager) Subscribe(f func(name string, s Status)) (cancel func()) {
	ctx, cancel := context.WithCancel(context.Background())
	s := &subscriber{signal: make(chan struct{}, 1)}
	m.subscribers.mu.Lock()
	defer m.subscribers.mu.Unlock()
	m.subscribers.list = append(m.subscribers.list, s)
	go m.subscribers.serve(ctx, s, f)
	return cancel
}

// subscribers are told of experiments that change.
type subscribers struct {
	mu   sync.Mutex
	list []*subscriber
}

type subscriber struct {
	changed map[string]*experiment // and not told of; guarded by the mutex of all
	signal  chan struct{}          // holds one when some have changed
}

// note tells all that the status of an experiment has changed.
func (l *subscribers) note(x *experiment) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range l.list {
		if s.changed == nil {
			s.changed = make(map[string]*experiment)
		}
		s.changed[x.task.Name] = x
		select {
		case s.signal <- struct{}{}:
		default:
		}
	}
}

// serve calls f until ctx is done.
func (l *subscribers) serve(ctx context.Context, s *subscriber, f func(name string, s Status)) {
	for ctx.Err() == nil {
		select {
		case <-s.signal:
			l.mu.Lock()
			changed := s.changed
			s.changed = nil
			l.mu.Unlock()
			for name, x := range changed {
				f(name, x.Status())
			}
		case <-ctx.Done():
		}
		select {
		case <-time.After(notifyEvery):
		case <-ctx.Done():
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = slices.DeleteFunc(l.list, func(other *subscriber) bool { return other == s })
}
