package term

import (
	"fmt"
	"io"
	"time"

	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// Progress says at the bottom of a terminal how far the simulation is. It shows nothing
// when stderr is no terminal, or one that cannot go back in a line, or when monitoring is off.
type Progress struct {
	Line
	every   int // months between two updates
	start   time.Time
	counted string // by count
}

// NewProgress is the progress of a simulation with the parameters p.
func NewProgress(w io.Writer, p sim.Params) *Progress {
	line := &Progress{every: max(1, p.MonitorInterval), start: time.Now()}
	if p.EnableMonitoring {
		line.Line = NewLine(w)
	}
	return line
}

// Month replaces the line with how far the simulation is.
func (l *Progress) Month(p run.Progress) {
	if !l.On() || p.Done%l.every != 0 && p.Done != p.Of {
		return
	}
	what := "month"
	if p.Phase == run.PhaseBurnIn {
		what = "burn-in month"
	}
	l.Show(fmt.Sprintf("%3d %% · %s, replication %d, %s %d of %d%s", 100*p.Done/max(1, p.Of), p.Arm, p.Replication, what, p.Month, p.Total,
		l.left(p.Done, p.Of)))
}

// Experiments replaces the line with how many of a number of experiments are done.
func (l *Progress) Experiments(what string, done, of int) {
	if what != l.counted {
		l.counted, l.start = what, time.Now()
	}
	l.Show(fmt.Sprintf("%3d %% · %d of %d experiments %s%s", 100*done/of, done, of, what, l.left(done, of)))
}

// left says how long the rest takes at the speed so far.
func (l *Progress) left(done, of int) string {
	if done == 0 {
		return ""
	}
	rest := time.Since(l.start) * time.Duration(of-done) / time.Duration(done)
	return fmt.Sprintf(" · %s left", rest.Round(time.Second))
}
