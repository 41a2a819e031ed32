package mcpserver

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// stdioID is the session of the client at stdin.
const stdioID = "stdio"

// crew is the goroutines that answer, as long as work is taken.
type crew struct {
	mu        sync.Mutex
	dismissed bool
	working   sync.WaitGroup
}

// start runs f beside the caller, unless the crew is dismissed.
func (c *crew) start(f func()) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dismissed {
		return false
	}
	c.working.Go(f)
	return true
}

// dismiss takes no more work. The channel is closed when the last work is done.
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

// ServeStdio answers a client that writes a message a line to in, until the end of the
// input or until ctx is done. At the end of the input, calls in flight are answered
// first; when ctx is done they are interrupted, and all is over within five seconds. Only
// messages are written to out.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	client := newSession(s.base, stdioID, "", s.config.Workspace)
	client.transport = overStdio
	client.mail.full = client.end
	s.mu.Lock()
	s.sessions[client.id] = client
	s.mu.Unlock()
	calls, interrupt := context.WithCancel(s.base)
	defer interrupt()

	w := startWriter(out, client)
	var answering crew
	ended := make(chan error, 1)
	go func() { ended <- s.readLines(calls, client, in, &answering) }()
	hurry, hasten := context.WithCancel(ctx)
	defer hasten()
	var err error
	select {
	case err = <-ended:
	case <-client.ctx.Done(): // it does not take what it is told
		hasten()
	case <-ctx.Done():
	}
	client.end() // nobody is there to answer what calls ask
	s.drain()
	answered := answering.dismiss()
	select {
	case <-answered:
	case <-hurry.Done():
		interrupt()
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	halted := s.halt(last)
	select {
	case <-answered:
	case <-last.Done():
		s.log.Warn("the server stops although calls are being answered")
	}
	err = errors.Join(err, <-halted, s.close())
	// What runs is safe now, whether or not the client takes its answers.
	if unread := w.finish(hurry, last); ctx.Err() == nil {
		return errors.Join(err, unread)
	}
	return err
}

// writer writes one message a line, and never has anybody wait.
type writer struct {
	client *session
	wrote  chan struct{} // holds a token when a line was written
	ended  chan error
}

// startWriter writes what is delivered to a client. When that fails the session ends.
func startWriter(out io.Writer, client *session) *writer {
	w := &writer{client: client, wrote: make(chan struct{}, 1), ended: make(chan error, 1)}
	forever := context.Background()
	go func() {
		err := client.mail.pump(forever, forever, func(data []byte) error {
			_, err := out.Write(append(data[:len(data):len(data)], '\n'))
			select {
			case w.wrote <- struct{}{}:
			default:
			}
			return err
		}, nil)
		if err != nil {
			client.mail.close()
			client.end()
		}
		w.ended <- err
	}()
	return w
}

// finish waits until the last answer is written: for as long as the client takes one now
// and then, and in a hurry only a moment, until last is done.
func (w *writer) finish(hurry, last context.Context) error {
	w.client.mail.close()
	stop, patience := hurry.Done(), writeTime
	for {
		if hurry.Err() != nil {
			stop, patience = last.Done(), answerTime
		}
		select {
		case err := <-w.ended:
			if err != nil {
				return fmt.Errorf("writing to the client: %w", err)
			}
			return nil
		case <-w.wrote:
			continue
		case <-time.After(patience):
		case <-stop:
			if last.Err() == nil {
				continue
			}
		}
		return errors.New("the client does not read its answers")
	}
}

// readLines reads messages until the end of the input. It never waits for anything else:
// a client can cancel and go whatever it has asked.
func (s *Server) readLines(ctx context.Context, client *session, in io.Reader, answering *crew) error {
	r := bufio.NewReaderSize(in, 64<<10)
	out := mailed{client.mail}
	for {
		line, err := readLine(r)
		if errors.Is(err, errTooLong) {
			out.reply(failure(nil, mcp.INVALID_REQUEST, fmt.Sprintf("a message has at most %d bytes", maxMessage)))
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading from the client: %w", err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			s.takeLine(ctx, client, line, out, answering)
		}
		if err != nil || ctx.Err() != nil {
			return nil
		}
	}
}

// takeLine answers a message: each request beside the others, but what is answered at
// once, of which initialize has to come first.
func (s *Server) takeLine(ctx context.Context, client *session, line []byte, out mailed, answering *crew) {
	m, bad := parse(line)
	switch {
	case bad != nil:
		out.reply(bad)
	case !m.isRequest():
		s.notified(client, m)
	default:
		x := s.open(ctx, client, caller{workspace: client.workspace}, m, out)
		switch {
		case x == nil:
		case m.instant():
			x.serve()
		case !answering.start(x.serve):
			x.done()
		}
	}
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
