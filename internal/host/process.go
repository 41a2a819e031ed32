package host

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
)

// How long a child process may take to end after its input was closed, and after it was
// asked to.
const (
	closeWithin = 2 * time.Second
	endWithin   = time.Second
)

// errNoCommand says that a command cannot be run at all.
var errNoCommand = errors.New("the command cannot be run")

// process is a server that runs as a child process. Its output reaches the SDK through a guard,
// which notices broken answers.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *io.PipeReader
	stderr tail
	exited chan struct{} // closed when it has ended
	state  error         // of its end, after exited

	inspector *inspector // on its output
}

// startProcess runs a server's command.
func startProcess(s Server, i *inspector) (*process, error) {
	p := &process{cmd: exec.Command(s.Command, s.Args...), exited: make(chan struct{}), inspector: i}
	p.cmd.Dir = s.Dir
	p.cmd.Env = inherited(os.Environ())
	for name, value := range s.Env {
		p.cmd.Env = append(p.cmd.Env, name+"="+value)
	}
	p.cmd.Stderr = &p.stderr
	p.cmd.WaitDelay = endWithin // what it started may hold its output open
	ownGroup(p.cmd)
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	// The pipe is not that of cmd, which stays open until the process ends: a server may close its
	// output and live on.
	out, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	guard, feed := io.Pipe()
	p.cmd.Stdout, p.stdout = in, guard
	err = p.cmd.Start()
	in.Close()
	if err != nil {
		out.Close()
		return nil, fmt.Errorf("%w: %w", errNoCommand, err)
	}
	read := make(chan struct{})
	go func() {
		p.guard(out, feed)
		close(read)
	}()
	go func() {
		p.state = p.cmd.Wait()
		interrupt(p.cmd) // what it started and left behind; later, its id may be another's
		select {
		case <-read:
		case <-time.After(endWithin): // what it started holds its output open
		}
		out.Close()
		close(p.exited)
	}()
	return p, nil
}

// inherited are the variables of this process that a server gets without being given them:
// all but the secrets, which are for this program or for other servers.
func inherited(environment []string) []string {
	return slices.DeleteFunc(environment, func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return namesSecret(name)
	})
}

// guard passes on lines that are messages. Others, such as what some servers log, are reported in
// case no answer comes.
func (p *process) guard(from io.Reader, to *io.PipeWriter) {
	defer to.Close()
	defer io.Copy(io.Discard, from) // or the child could not end
	r := bufio.NewReaderSize(from, 64<<10)
	for {
		line, err := readLine(r)
		switch {
		case errors.Is(err, errTooLong):
			p.inspector.report(err, true)
			continue
		case len(bytes.TrimSpace(line)) > 0 && p.inspector.inspect(line):
			if _, err := to.Write(append(line, '\n')); err != nil {
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// Read reads the guarded output. Once it is closed, that is its end, not an error.
func (p *process) Read(b []byte) (int, error) {
	n, err := p.stdout.Read(b)
	if errors.Is(err, io.ErrClosedPipe) {
		err = io.EOF
	}
	return n, err
}

// readLine reads a line. One that is too long is skipped.
func readLine(r *bufio.Reader) (line []byte, err error) {
	long := false
	for {
		part, more, err := r.ReadLine()
		if long = long || len(line)+len(part) > MostBytes; long {
			line = nil
		} else {
			line = append(line, part...)
		}
		switch {
		case err != nil:
			return line, err
		case !more && long:
			return nil, errTooLong
		case !more:
			return line, nil
		}
	}
}

// gone says why a process that has ended has ended.
func (p *process) gone(s Server) string {
	<-p.exited
	why := "the process ended"
	if p.state != nil {
		why += " with " + p.state.Error()
	}
	if said := s.excerpt(p.stderr.last()); said != "" {
		why += ": " + said
	}
	return why
}

// close ends the process: by the end of its input, then by a signal, then by force, with
// all that it started.
func (p *process) close() {
	p.stdin.Close()
	p.stdout.Close() // nobody reads on, and the guard must not wait for it
	if !p.endsWithin(closeWithin) {
		interrupt(p.cmd)
		if !p.endsWithin(endWithin) {
			kill(p.cmd)
			<-p.exited
		}
	}
}

func (p *process) endsWithin(d time.Duration) bool {
	select {
	case <-p.exited:
		return true
	case <-time.After(d):
		return false
	}
}

// tail keeps the beginning of the last line that is not empty. The beginning, because a secret of
// which the first characters are missing could not be recognised.
type tail struct {
	mu    sync.Mutex
	line  []byte
	ended bool
}

func (t *tail) Write(p []byte) (int, error) {
	const most = 16 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	for part := range bytes.SplitAfterSeq(p, []byte("\n")) {
		if t.ended && len(bytes.TrimSpace(part)) > 0 {
			t.line, t.ended = t.line[:0], false
		}
		if !t.ended {
			t.line = append(t.line, part[:min(len(part), most-len(t.line))]...)
			t.ended = bytes.HasSuffix(part, []byte("\n"))
		}
	}
	return len(p), nil
}

func (t *tail) last() []byte {
	t.mu.Lock()
	defer t.mu.Unlock()
	return bytes.Clone(t.line)
}
