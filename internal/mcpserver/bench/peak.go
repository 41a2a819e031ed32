package bench

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/prometheus/procfs"
)

// Experiment is one whose memory is measured: of the baseline, with one month of burn-in.
type Experiment struct {
	Households   int `json:"households"`
	Threads      int `json:"threads"` // of the server
	Replications int `json:"replications"`
	Arms         int `json:"arms"` // 1, or 2 with a control
	Months       int `json:"months"`
}

// Peak has a new server carry out an experiment, and returns the resident set of its process, in
// bytes, before and at the peak.
func Peak(ctx context.Context, program string, x Experiment) (rest, peak int64, err error) {
	data, err := os.MkdirTemp("", "econ-mcp-bench-")
	if err != nil {
		return 0, 0, err
	}
	defer os.RemoveAll(data)
	b := &bench{Settings: Settings{Program: program}}
	p, err := b.start(ctx, stdio, program, "serve", "--data", data, "--threads", fmt.Sprint(x.Threads))
	if err != nil {
		return 0, 0, err
	}
	defer p.stop()
	callers, err := p.connect(1)
	if err != nil {
		return 0, 0, err
	}
	l := laboratory{callers[0]}
	if err := l.experiment("before"); err != nil {
		return 0, 0, err
	}
	if rest, _, err = p.memory(); err != nil {
		return 0, 0, err
	}
	parameters := fmt.Sprintf(`{"parameters":{"num_households":%d,"burn_in_months":1}}`, x.Households)
	if err := l.tool("batch_set_parameters", parameters, nil); err != nil {
		return 0, 0, err
	}
	control := ""
	if x.Arms > 1 {
		control = `,"control":"high_tax"`
	}
	const name = "measured"
	err = l.tool("start_simulation", fmt.Sprintf(`{"experiment_name":%q,"months":%d,"replications":%d%s}`, name, x.Months, x.Replications,
		control), nil)
	if err != nil {
		return 0, 0, err
	}
	if err := l.ended(ctx, name); err != nil {
		return 0, 0, err
	}
	_, peak, err = p.memory()
	return rest, peak, err
}

// ended waits until a simulation is completed.
func (l laboratory) ended(ctx context.Context, name string) error {
	for {
		s, err := l.status(name)
		switch {
		case err != nil, s.Status == "completed":
			return err
		case s.Status == "failed", s.Status == "interrupted", s.Status == "stopped":
			return fmt.Errorf("the simulation %s is %s", name, s.Status)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// memory is the resident set of the process, now and at its peak, in bytes.
func (p *process) memory() (now, peak int64, err error) {
	proc, err := procfs.NewProc(p.cmd.Process.Pid)
	if err != nil {
		return 0, 0, err
	}
	status, err := proc.NewStatus()
	if err == nil && status.VmHWM == 0 {
		err = errors.New("the system does not tell the peak of a process's memory")
	}
	return int64(status.VmRSS), int64(status.VmHWM), err
}
