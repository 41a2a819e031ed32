package bench

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/url"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/prometheus/procfs"
)

// process is a server that runs.
type process struct {
	transport string
	cmd       *exec.Cmd
	in        io.WriteCloser // its stdin
	out       io.Reader      // its stdout
	address   *url.URL       // over HTTP
}

// serve starts the server with a data folder.
func (b *bench) serve(ctx context.Context, transport, data string) (*process, error) {
	args := []string{"serve", "--transport", transport, "--data", data}
	if transport == web {
		args = append(args, "--addr", "127.0.0.1:0")
	}
	return b.start(ctx, transport, b.Program, args...)
}

// start starts a program. Over HTTP it returns when the server has said where it
// listens.
func (b *bench) start(ctx context.Context, transport, program string, args ...string) (*process, error) {
	p := &process{transport: transport, cmd: exec.CommandContext(ctx, program, args...)}
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.out, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	if transport == stdio {
		return p, p.cmd.Start()
	}
	log, err := p.cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if p.address, err = listening(log); err != nil {
		p.kill()
		return nil, err
	}
	go io.Copy(io.Discard, log) // ends with the process
	return p, nil
}

var listeningAt = regexp.MustCompile(`url=(http://\S+)`)

// listening reads where a server listens from its log.
func listening(log io.Reader) (*url.URL, error) {
	var said strings.Builder
	for lines := bufio.NewScanner(log); lines.Scan(); {
		if found := listeningAt.FindStringSubmatch(lines.Text()); found != nil {
			return url.Parse(found[1])
		}
		said.WriteString(lines.Text() + "\n")
	}
	return nil, errors.New("the server does not listen: " + said.String())
}

// connect opens sessions; over stdio all callers share the one that there is.
func (p *process) connect(n int) ([]*caller, error) {
	var callers []*caller
	if p.transport == stdio {
		shared := newPipe(p.out, p.in, n)
		for i := range n {
			callers = append(callers, shared.caller(i))
		}
		return callers, callers[0].initialize()
	}
	for range n {
		c, err := dialWeb(p.address)
		if err == nil {
			callers = append(callers, c)
			err = c.initialize()
		}
		if err != nil {
			closeAll(callers)
			return nil, err
		}
	}
	return callers, nil
}

// stop ends the process as an operator does, and makes sure that it ends.
func (p *process) stop() {
	p.in.Close()
	if p.cmd.Process.Signal(os.Interrupt) != nil { // there are systems without
		p.kill()
		return
	}
	end := time.AfterFunc(startTime, func() { p.cmd.Process.Kill() })
	defer end.Stop()
	p.cmd.Wait() // how it ended is not what is measured
}

func (p *process) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// resident is the resident set of the process and what of it belongs to no file, in MB;
// 0 = the system does not tell.
func (p *process) resident() (all, anonymous float64) {
	proc, err := procfs.NewProc(p.cmd.Process.Pid)
	if err != nil {
		return 0, 0
	}
	status, err := proc.NewStatus()
	if err != nil {
		return 0, 0
	}
	return float64(status.VmRSS) / 1e6, float64(status.RssAnon) / 1e6
}

// How long the size of a process must stay to be that at rest, and how long that is waited
// for.
const (
	restFor  = 1500 * time.Millisecond
	restWait = 10 * time.Second
)

// rest is [process.resident] when nothing moves any more.
func (p *process) rest(ctx context.Context) (all, anonymous float64, err error) {
	all, anonymous = p.resident()
	for begin, since := time.Now(), time.Now(); time.Since(since) < restFor && time.Since(begin) < restWait; {
		select {
		case <-ctx.Done():
			return 0, 0, ctx.Err()
		case <-time.After(restFor / 6):
		}
		if now, own := p.resident(); now != all {
			all, anonymous, since = now, own, time.Now()
		}
	}
	return all, anonymous, nil
}

// cpuTime is the processor time that the process has used; 0 = the system does not tell.
func (p *process) cpuTime() time.Duration {
	proc, err := procfs.NewProc(p.cmd.Process.Pid)
	if err != nil {
		return 0
	}
	stat, err := proc.Stat()
	if err != nil {
		return 0
	}
	return time.Duration(stat.CPUTime() * float64(time.Second))
}

// machineLoad is how many processes wanted a processor in the last 1, 5 and 15 minutes;
// "" = the system does not tell.
func machineLoad() string {
	data, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(data))
	if err != nil || len(fields) < 3 {
		return ""
	}
	return strings.Join(fields[:3], " ")
}
