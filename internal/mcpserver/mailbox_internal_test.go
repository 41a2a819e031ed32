package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// A mailbox that nobody empties is bounded: answers in bytes, hints in number.
func TestMailboxIsBounded(t *testing.T) {
	full := 0
	b := newMailbox()
	b.full = func() { full++ }
	for i := range 2 * maxHints {
		b.hint(fmt.Append(nil, i))
		b.hint(fmt.Append(nil, i))
	}
	if len(b.pending) != maxHints || string(b.pending[0].data) != fmt.Sprint(maxHints) {
		t.Errorf("%d hints, first %s", len(b.pending), b.pending[0].data)
	}
	large := make([]byte, maxMail/4)
	for range 10 {
		b.deliver(large)
	}
	if list, more := b.take(); full != 1 || len(list) > 0 || more {
		t.Errorf("full %d times, %d messages", full, len(list))
	}
}

// What a stream could not write is there for the next one, in order.
func TestMailStaysUntilItIsWritten(t *testing.T) {
	b := newMailbox()
	for _, m := range []string{"a", "b", "c"} {
		b.deliver([]byte(m))
	}
	var got []string
	forever := context.Background()
	broken := errors.New("broken")
	if err := b.pump(forever, forever, func(data []byte) error {
		if string(data) == "b" {
			return broken
		}
		got = append(got, string(data))
		return nil
	}, nil); err != broken {
		t.Fatal(err)
	}
	gone, leave := context.WithCancel(forever)
	leave()
	b.deliver([]byte("d"))
	for range 10 { // which of wake and gone is seen first is chance
		_ = b.pump(gone, forever, func(data []byte) error { t.Errorf("%s was written to a stream that is gone", data); return nil }, nil)
	}
	b.close()
	b.deliver([]byte("e"))
	if err := b.pump(forever, forever, func(data []byte) error { got = append(got, string(data)); return nil }, nil); err != nil || strings.Join(got, "") != "abcd" {
		t.Errorf("got %v, %v", got, err)
	}
}

// Of all who drain a mailbox one writes at a time, what each has put in is written in
// order, and the end is told once, whoever writes last.
func TestWhoeverPutsMailInMayWriteIt(t *testing.T) {
	const many, each = 8, 500
	b := newMailbox()
	var written []string // no lock: one writes at a time, as the race detector sees
	var ends atomic.Int32
	drain := func() {
		over, err := b.drain(func(data []byte) error { written = append(written, string(data)); return nil })
		if err != nil {
			t.Error(err)
		}
		if over {
			ends.Add(1)
		}
	}
	var putting sync.WaitGroup
	for i := range many {
		putting.Go(func() {
			for k := range each {
				b.put(fmt.Append(nil, i, k))
				drain()
			}
		})
	}
	putting.Wait()
	b.close()
	drain()
	drain()
	next := make([]int, many)
	for _, m := range written {
		var i, k int
		if _, err := fmt.Sscan(m, &i, &k); err != nil || next[i] != k {
			t.Fatalf("%q is written where message %v is next", m, next)
		}
		next[i]++
	}
	if len(written) != many*each || ends.Load() != 1 {
		t.Errorf("%d messages, %d ends", len(written), ends.Load())
	}
}

// When a write fails nothing more is written, and nothing is kept for nobody.
func TestMailboxEndsWithAWriteThatFails(t *testing.T) {
	b := newMailbox()
	broken := errors.New("broken")
	b.put([]byte("a"))
	b.put([]byte("b"))
	tries := 0
	fail := func([]byte) error { tries++; return broken }
	if over, err := b.drain(fail); !over || err != broken {
		t.Errorf("over %v, err %v", over, err)
	}
	b.put([]byte("c"))
	if over, err := b.drain(fail); over || err != nil || tries != 1 || len(b.pending) > 0 {
		t.Errorf("afterwards: over %v, err %v, %d tries, %d messages wait", over, err, tries, len(b.pending))
	}
}
