package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// stdioID is the session of the client at stdin.
const stdioID = "stdio"

// maxLine is how much memory for a line is kept for the next one, in bytes.
const maxLine = 256 << 10

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
	answering := startCrew(calls, s, client, in, w)
	hurry, hasten := context.WithCancel(ctx)
	defer hasten()
	var err error
	select {
	case err = <-answering.ended:
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

// writer writes one message a line.
type writer struct {
	out    io.Writer
	client *session
	line   []byte        // of whoever writes
	wrote  chan struct{} // holds a token when a line was written
	over   chan struct{} // is closed when nothing more is written
	err    error         // why, if writing failed
}

// startWriter writes what is delivered to a client. When that fails the session ends.
func startWriter(out io.Writer, client *session) *writer {
	w := &writer{out: out, client: client, wrote: make(chan struct{}, 1), over: make(chan struct{})}
	go func() {
		for {
			select {
			case <-client.mail.wake:
				w.flush()
			case <-w.over:
				return
			}
		}
	}()
	return w
}

// flush writes the mail. Whoever has answered a call does it himself, which saves the way
// to another goroutine; where one is writing already, that one does.
func (w *writer) flush() {
	over, err := w.client.mail.drain(w.write)
	if !over {
		return
	}
	if err != nil {
		w.err = fmt.Errorf("writing to the client: %w", err)
		w.client.end()
	}
	close(w.over)
}

func (w *writer) write(data []byte) error {
	w.line = append(append(w.line[:0], data...), '\n')
	_, err := w.out.Write(w.line)
	if cap(w.line) > maxLine {
		w.line = nil
	}
	select {
	case w.wrote <- struct{}{}:
	default:
	}
	return err
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
