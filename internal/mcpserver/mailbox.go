package mcpserver

import (
	"bytes"
	"context"
	"slices"
	"sync"
	"time"
)

// maxHints bounds what waits for a client that does not read.
const maxHints = 256

// mailbox holds messages until a stream takes them. Whoever puts one in never waits.
type mailbox struct {
	wake chan struct{} // holds a token while something may be pending

	mu      sync.Mutex
	pending [][]byte
}

func newMailbox() *mailbox { return &mailbox{wake: make(chan struct{}, 1)} }

// deliver adds a message that must arrive.
func (b *mailbox) deliver(data []byte) {
	b.mu.Lock()
	b.pending = append(b.pending, data)
	b.mu.Unlock()
	b.ring()
}

// hint adds a message that only says "look again": one that waits already is not added
// twice, and of too many the oldest are dropped.
func (b *mailbox) hint(data []byte) {
	b.mu.Lock()
	if !slices.ContainsFunc(b.pending, func(other []byte) bool { return bytes.Equal(other, data) }) {
		if len(b.pending) >= maxHints {
			b.pending = slices.Delete(b.pending, 0, 1)
		}
		b.pending = append(b.pending, data)
	}
	b.mu.Unlock()
	b.ring()
}

func (b *mailbox) ring() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *mailbox) take() [][]byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	taken := b.pending
	b.pending = nil
	return taken
}

// keepAlive is how often a stream that is silent shows that it lives.
const keepAlive = 25 * time.Second

// pump writes the mail until a context is done or a write fails. Where there is
// an alive function, it is called in the silence between messages.
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
			for _, data := range b.take() {
				if err := write(data); err != nil {
					return err
				}
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
