package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"econ-mcp/internal/lab"
	"econ-mcp/sim"
)

// progressLine is one line at the bottom of a terminal that says how far the
// simulation is. It does nothing when stderr is no terminal or monitoring is
// off.
type progressLine struct {
	w       io.Writer // nil = off
	every   int       // months between two updates
	start   time.Time
	visible bool
}

func newProgress(w io.Writer, p sim.Params) *progressLine {
	line := &progressLine{every: max(1, p.MonitorInterval), start: time.Now()}
	if p.EnableMonitoring && isTerminal(w) {
		line.w = w
	}
	return line
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// show replaces the line.
func (l *progressLine) show(p lab.Progress) {
	if l.w == nil || p.Done%l.every != 0 && p.Done != p.Of {
		return
	}
	what := "month"
	if p.Phase == lab.PhaseBurnIn {
		what = "burn-in month"
	}
	left := ""
	if p.Done > 0 {
		elapsed := time.Since(l.start)
		left = fmt.Sprintf(" · %s left", (elapsed * time.Duration(p.Of-p.Done) / time.Duration(p.Done)).Round(time.Second))
	}
	fmt.Fprintf(l.w, "\r\033[K%3d %% · %s, replication %d, %s %d of %d%s", 100*p.Done/max(1, p.Of), p.Arm, p.Replication, what, p.Month, p.Total, left)
	l.visible = true
}

// clear removes the line, so that something else may be printed.
func (l *progressLine) clear() {
	if l.visible {
		fmt.Fprint(l.w, "\r\033[K")
		l.visible = false
	}
}
