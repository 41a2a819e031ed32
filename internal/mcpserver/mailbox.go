package mcpserver

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"
)

// maxMail bounds what waits, in bytes, for a client that does not read.
const maxMail = 64 << 20

// maxHints bounds what waits, in messages, where one more hint is dropped: that many more would tell
// a client that does not read nothing new.
const maxHints = 2 * maxSubscriptions

// mailbox holds messages until a stream takes them. Whoever puts one in never waits.
type mailbox struct {
	wake chan struct{} // holds a token while something may be pending
	full func()        // is called when more would wait than may; may be nil

	mu      sync.Mutex
	pending [][]byte
	bytes   int
	closed  bool // takes nothing more
}

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

// deliver adds a message that must arrive. Where too much waits already it cannot: the
// mailbox loses all and takes nothing more.
func (b *mailbox) deliver(data []byte) {
	b.mu.Lock()
	full := !b.closed && b.bytes > 0 && b.bytes+len(data) > maxMail
	if full {
		b.pending, b.bytes, b.closed = nil, 0, true
	}
	b.add(data)
	b.mu.Unlock()
	if full && b.full != nil {
		b.full()
	}
	b.ring()
}

// hint adds a message that only says "look again": one that waits already is not added twice.
func (b *mailbox) hint(data []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.pending) >= maxHints || slices.ContainsFunc(b.pending, func(waiting []byte) bool { return bytes.Equal(waiting, data) }) {
		return
	}
	b.add(data)
	b.ring()
}

func (b *mailbox) add(data []byte) {
	if !b.closed {
		b.pending = append(b.pending, data)
		b.bytes += len(data)
	}
}

// close takes nothing more. What is there is still written.
func (b *mailbox) close() {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.ring()
}

func (b *mailbox) ring() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

// take empties the mailbox, and says whether something may still come.
func (b *mailbox) take() (taken [][]byte, more bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken, b.pending, b.bytes = b.pending, nil, 0
	return taken, !b.closed
}

// putBack returns what was taken and not written, for another stream.
func (b *mailbox) putBack(list [][]byte) {
	b.mu.Lock()
	for _, data := range list {
		b.bytes += len(data)
	}
	b.pending = append(list, b.pending...)
	b.mu.Unlock()
	b.ring()
}

// keepAlive is how often a stream that is silent shows that it lives.
const keepAlive = 25 * time.Second

// pump writes the mail until a context is done, a write fails, or the mailbox is closed
// and empty. What it could not write stays. Where there is an alive function, it is
// called in the silence between messages.
func (b *mailbox) pump(ctx, also context.Context, write func([]byte) error, alive func() error) error {
	var tick <-chan time.Time
	if alive != nil {
		ticker := time.NewTicker(keepAlive)
		defer ticker.Stop()
		tick = ticker.C
	}
	for {
		select {
		case <-b.wake:
			list, more := b.take()
			for i, data := range list {
				if ctx.Err() != nil || also.Err() != nil {
					b.putBack(list[i:])
					return nil
				}
				if err := write(data); err != nil {
					b.putBack(list[i:])
					return err
				}
			}
			if !more {
				return nil
			}
		case <-tick:
			if err := alive(); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		case <-also.Done():
			return nil
		}
	}
}
