package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// A mailbox that nobody empties is bounded in bytes, and holds each hint once.
func TestMailboxIsBounded(t *testing.T) {
	full := 0
	b := newMailbox()
	b.full = func() { full++ }
	for i := range maxSubscriptions {
		b.hint(fmt.Append(nil, i))
		b.hint(fmt.Append(nil, i))
	}
	if len(b.pending) != maxSubscriptions || string(b.pending[0]) != "0" {
		t.Errorf("%d hints, first %s", len(b.pending), b.pending[0])
	}
	for i := range 2 * maxHints {
		b.hint(fmt.Append(nil, i))
	}
	if len(b.pending) != maxHints {
		t.Errorf("%d hints, want at most %d", len(b.pending), maxHints)
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
	if err := b.pump(forever, forever, func(data []byte) error { got = append(got, string(data)); return nil }, nil); err != nil ||
		strings.Join(got, "") != "abcd" {
		t.Errorf("got %v, %v", got, err)
	}
}
