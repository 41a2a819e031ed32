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

const (
	// stdioID is the session of the client at stdin.
	stdioID = "stdio"

	// maxInFlight is how many requests are answered at once; more wait to be read.
	maxInFlight = 256

	// How a server that is told to stop spends five seconds: calls are told first and
	// have a moment to answer, then the domain saves its state.
	answerTime = 1 * time.Second
	closeTime  = 3500 * time.Millisecond
)

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

// lines writes one message a line.
type lines struct {
	mu  sync.Mutex
	w   io.Writer
	err error // the first; nothing is written after it
}

func (l *lines) notify(data []byte) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		_, l.err = l.w.Write(append(data[:len(data):len(data)], '\n'))
	}
	return l.err
}

func (l *lines) reply(r *reply) {
	if r != nil {
		_ = l.notify(r.body) // a client that does not read is noticed at the end of its input
	}
}

// ServeStdio answers a client that writes a message a line to in, until the end of the
// input or until ctx is done. At the end of the input, calls in flight are answered
// first; when ctx is done they are interrupted. Only messages are written to out.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	client := newSession(s.base, stdioID)
	client.workspace = s.config.Workspace
	s.mu.Lock()
	s.sessions[client.id] = client
	s.mu.Unlock()

	w := &lines{w: out}
	calls, interrupt := context.WithCancel(context.Background())
	defer interrupt()
	var answering crew
	mailEnds := make(chan struct{})
	go func() {
		defer close(mailEnds)
		_ = client.mail.pump(s.draining, s.draining, w.notify, nil)
	}()

	ended := make(chan error, 1)
	go func() { ended <- s.readLines(calls, client, in, w, &answering) }()
	var err error
	select {
	case err = <-ended:
	case <-ctx.Done():
		interrupt()
	}
	client.end() // nobody is there to answer what calls ask
	s.drain()
	<-mailEnds
	answered := answering.dismiss()
	select {
	case <-answered:
	case <-ctx.Done():
		interrupt()
		select {
		case <-answered:
		case <-time.After(answerTime):
			s.log.Warn("stopping although calls are being answered")
		}
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	return errors.Join(err, w.failed(), s.close(closing))
}

// failed is the error of a client that went away before it had its answers.
func (l *lines) failed() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return fmt.Errorf("writing to the client: %w", l.err)
	}
	return nil
}

// readLines reads messages until the end of the input. Each request is answered beside
// the others, but initialize, which comes first.
func (s *Server) readLines(ctx context.Context, client *session, in io.Reader, w *lines, answering *crew) error {
	r := bufio.NewReaderSize(in, 64<<10)
	slots := make(chan struct{}, maxInFlight)
	for {
		line, err := readLine(r)
		if errors.Is(err, errTooLong) {
			w.reply(failure(nil, mcp.INVALID_REQUEST, fmt.Sprintf("a message has at most %d bytes", maxMessage)))
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading from the client: %w", err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			s.takeLine(ctx, client, line, w, slots, answering)
		}
		if err != nil || ctx.Err() != nil {
			return nil
		}
	}
}

func (s *Server) takeLine(ctx context.Context, client *session, line []byte, w *lines, slots chan struct{}, answering *crew) {
	m, bad := parse(line)
	switch {
	case bad != nil:
		w.reply(bad)
	case !m.isRequest():
		s.notified(client, m)
	default:
		x := s.open(ctx, client, m, w)
		if m.Method == string(mcp.MethodInitialize) {
			x.serve()
			return
		}
		slots <- struct{}{}
		if !answering.start(func() {
			defer func() { <-slots }()
			x.serve()
		}) {
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
