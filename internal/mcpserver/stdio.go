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

	"econ-mcp/internal/access"
)

// stdioID is the session of the client at stdin.
const stdioID = "stdio"

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
	r := &reader{server: s, ctx: calls, client: client, out: mailed{client.mail}}
	ended := make(chan error, 1)
	go func() { ended <- r.read(in) }()
	stopping, stop := context.WithCancel(ctx) // nobody waits for long any more
	defer stop()
	var err error
	select {
	case err = <-ended:
	case <-client.ctx.Done(): // it does not take what it is told
		stop()
	case <-ctx.Done():
	}
	client.end()
	s.drain()
	answered := r.close()
	select {
	case <-answered:
	case <-stopping.Done():
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
	if unread := w.finish(client, stopping, last); ctx.Err() == nil {
		return errors.Join(err, unread)
	}
	return err
}

// reader takes the messages of the client at stdin. Calls are answered beside it, so that
// the client can cancel and go on whatever it has asked.
type reader struct {
	server *Server
	ctx    context.Context // of calls
	client *session
	out    mailed

	mu        sync.Mutex
	closed    bool
	answering sync.WaitGroup // calls
}

// read takes messages until the end of the input. It never waits for anything but the
// client.
func (r *reader) read(in io.Reader) error {
	for lines := bufio.NewReaderSize(in, 64<<10); r.ctx.Err() == nil; {
		line, err := readLine(lines)
		switch {
		case errors.Is(err, errTooLong):
			r.out.reply(failure(nil, mcp.INVALID_REQUEST, fmt.Sprintf("a message has at most %d bytes", maxMessage)))
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return fmt.Errorf("reading from the client: %w", err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			r.take(line)
		}
		if err != nil {
			break
		}
	}
	return nil
}

// take answers a message, or has it answered. initialize is answered before the next
// message is read, because it comes first.
func (r *reader) take(line []byte) {
	m, bad := parse(line)
	switch {
	case bad != nil:
		r.out.reply(bad)
		return
	case !m.isRequest():
		r.server.notified(r.client, m)
		return
	}
	x := r.server.open(r.ctx, r.client, caller{access.Operator(), r.client.workspace}, m, r.out)
	switch {
	case x == nil:
	case m.instant():
		x.serve()
	case !r.begin():
		x.done()
	default:
		go func() {
			defer r.answering.Done()
			x.serve()
		}()
	}
}

// begin counts a call that will be answered, unless no more are taken.
func (r *reader) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.answering.Add(1)
	}
	return !r.closed
}

// close takes no more calls. The channel is closed when the last one is answered.
func (r *reader) close() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.closed = true
	done := make(chan struct{})
	go func() {
		r.answering.Wait()
		close(done)
	}()
	return done
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

// writer writes one message a line.
type writer struct {
	wrote chan struct{} // holds a token when a line was written
	over  chan struct{} // is closed when nothing more is written
	err   error         // why, if writing failed
}

// startWriter writes what is delivered to a client. When that fails the session ends.
func startWriter(out io.Writer, client *session) *writer {
	w := &writer{wrote: make(chan struct{}, 1), over: make(chan struct{})}
	go func() {
		defer close(w.over)
		forever := context.Background()
		err := client.mail.pump(forever, forever, func(data []byte) error {
			_, err := fmt.Fprintf(out, "%s\n", data)
			select {
			case w.wrote <- struct{}{}:
			default:
			}
			return err
		}, nil)
		if err != nil {
			w.err = fmt.Errorf("writing to the client: %w", err)
			client.end()
		}
	}()
	return w
}

// finish waits until the last answer is written: for as long as the client takes one now
// and then, and once the server is stopping only a moment, until last is done.
func (w *writer) finish(client *session, stopping, last context.Context) error {
	client.mail.close()
	stop, patience := stopping.Done(), writeTime
	for {
		if stopping.Err() != nil {
			stop, patience = last.Done(), answerTime
		}
		select {
		case <-w.over:
			return w.err
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
