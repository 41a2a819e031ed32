package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"
)

// crew is the goroutines that read what the client at stdin writes, and answer it. One of
// them has the reading. When it has read a call it hands the reading on and answers the
// call itself: nobody has to be woken for it, and yet the client can cancel and go
// whatever it has asked.
type crew struct {
	server  *Server
	ctx     context.Context // of calls
	client  *session
	out     mailed
	writer  *writer
	reading chan struct{} // gives the reading to one of those that wait for it
	ended   chan error    // how the reading ended

	// What follows belongs to the one that has the reading.
	lines *bufio.Reader
	err   error // came with the last line

	mu        sync.Mutex
	dismissed bool
	working   sync.WaitGroup // calls that are being answered
}

// startCrew reads and answers until the end of the input.
func startCrew(ctx context.Context, s *Server, client *session, in io.Reader, w *writer) *crew {
	c := &crew{
		server: s, ctx: ctx, client: client, out: mailed{mail: client.mail, flushed: true}, writer: w,
		reading: make(chan struct{}), ended: make(chan error, 1), lines: bufio.NewReaderSize(in, 64<<10),
	}
	go c.work()
	return c
}

// dismiss takes no more calls. The channel is closed when the last one is answered.
func (c *crew) dismiss() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.dismissed = true
	done := make(chan struct{})
	go func() {
		c.working.Wait()
		close(done)
	}()
	return done
}

// enlist counts a call that will be answered, unless no more are taken.
func (c *crew) enlist() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dismissed {
		return false
	}
	c.working.Add(1)
	return true
}

// work begins with the reading, and ends with the session.
func (c *crew) work() {
	for {
		x, err := c.next()
		if x == nil {
			c.ended <- err
			return
		}
		select {
		case c.reading <- struct{}{}:
		default: // all others are answering
			go c.work()
		}
		x.serve()
		c.working.Done()
		c.writer.flush()
		select {
		case <-c.reading:
		case <-c.client.ctx.Done():
			return
		}
	}
}

// next reads up to a request that takes work; nil at the end of the input. It never waits
// for anything but the client: what else it reads is answered at once, and another
// goroutine writes the answer.
func (c *crew) next() (*exchange, error) {
	for c.err == nil && c.ctx.Err() == nil {
		var line []byte
		line, c.err = readLine(c.lines)
		if errors.Is(c.err, errTooLong) {
			c.out.mail.deliver(failure(nil, mcp.INVALID_REQUEST, fmt.Sprintf("a message has at most %d bytes", maxMessage)).body)
			c.err = nil
			continue
		}
		if c.err != nil && !errors.Is(c.err, io.EOF) {
			return nil, fmt.Errorf("reading from the client: %w", c.err)
		}
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if x := c.take(line); x != nil {
			return x, nil
		}
		c.out.mail.ring()
	}
	return nil, nil
}

// take answers a message that is answered at once; initialize has to be, because it comes
// first. What takes work is returned.
func (c *crew) take(line []byte) *exchange {
	m, bad := parse(line)
	switch {
	case bad != nil:
		c.out.reply(bad)
		return nil
	case !m.isRequest():
		c.server.notified(c.client, m)
		return nil
	}
	x := c.server.open(c.ctx, c.client, caller{workspace: c.client.workspace}, m, c.out)
	switch {
	case x == nil:
	case m.instant():
		x.serve()
	case !c.enlist():
		x.done()
	default:
		return x
	}
	return nil
}

var errTooLong = errors.New("the line is too long")

// readLine reads a line of any length, and keeps it if it is not too long. The last one
// may come with [io.EOF].
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := r.ReadSlice('\n')
		if len(line)+len(part) > maxMessage+1 {
			tooLong, line = true, nil
		}
		if !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case tooLong && (err == nil || errors.Is(err, io.EOF)):
			return nil, errTooLong // at the end of the input, the next read says so
		default:
			return line, err
		}
	}
}
