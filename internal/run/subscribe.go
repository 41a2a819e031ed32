package run

import (
	"context"
	"sync"
	"time"
)

const (
	seenEvery   = 100 * time.Millisecond // between two calls of a waiter's function
	notifyEvery = 250 * time.Millisecond // between two calls of a subscriber's for one experiment
)

// Wait returns when an experiment does not go on by itself any more: it is paused or
// has ended. Until then it calls seen, which may be nil, with one status after the
// other, at most every 100 ms. A context that is done ends the wait.
func (m *Manager) Wait(ctx context.Context, name string, seen func(Status)) (Status, error) {
	x, s, err := m.find(name)
	if x == nil {
		return s, err
	}
	var last time.Time
	for {
		changed := x.changed.next() // before the status, so that no change is missed
		s := x.Status()
		if !s.State.Active() {
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
	s := &subscriber{dirty: make(map[string]func() Status), signal: make(chan struct{}, 1), stop: make(chan struct{})}
	m.subscribers.add(s)
	go s.serve(f)
	return sync.OnceFunc(func() {
		m.subscribers.remove(s)
		close(s.stop)
	})
}

type subscribers struct {
	mu   sync.Mutex
	list map[*subscriber]struct{}
}

func (l *subscribers) add(s *subscriber) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.list == nil {
		l.list = make(map[*subscriber]struct{})
	}
	l.list[s] = struct{}{}
}

func (l *subscribers) remove(s *subscriber) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.list, s)
}

// note tells all that the status of an experiment has changed.
func (l *subscribers) note(name string, status func() Status) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for s := range l.list {
		s.note(name, status)
	}
}

type subscriber struct {
	mu     sync.Mutex
	dirty  map[string]func() Status // changed and not reported
	signal chan struct{}
	stop   chan struct{}
}

func (s *subscriber) note(name string, status func() Status) {
	s.mu.Lock()
	s.dirty[name] = status
	s.mu.Unlock()
	select {
	case s.signal <- struct{}{}:
	default:
	}
}

// due takes those out that may be reported now, and says how long the next one has to
// wait; 0 = there is none.
func (s *subscriber) due(calledAt map[string]time.Time) (now map[string]func() Status, wait time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now = make(map[string]func() Status)
	for name, status := range s.dirty {
		if left := time.Until(calledAt[name].Add(notifyEvery)); left > 0 {
			if wait == 0 || left < wait {
				wait = left
			}
			continue
		}
		now[name] = status
		delete(s.dirty, name)
	}
	return now, wait
}

func (s *subscriber) serve(f func(name string, s Status)) {
	calledAt := make(map[string]time.Time) // when, of experiments that have not ended
	for {
		now, wait := s.due(calledAt)
		for name, status := range now {
			state := status()
			f(name, state)
			if calledAt[name] = time.Now(); state.State.Ended() {
				delete(calledAt, name)
			}
		}
		var later <-chan time.Time
		if wait > 0 {
			later = time.After(wait)
		}
		select {
		case <-s.signal:
		case <-later:
		case <-s.stop:
			return
		}
	}
}
