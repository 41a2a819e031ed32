package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"econ-mcp/internal/lab"
	"econ-mcp/sim"
)

// progressLine is one line at the bottom of a terminal that says how far the
// simulation is. It does nothing when stderr is no terminal, or one that cannot
// go back in a line, or when monitoring is off. It uses no escape codes: it goes
// back and writes over what was there.
type progressLine struct {
	w       io.Writer  // nil = off
	width   func() int // of the terminal, in characters
	every   int        // months between two updates
	start   time.Time
	visible int    // characters
	counted string // by count
}

func newProgress(w io.Writer, p sim.Params) *progressLine {
	line := &progressLine{every: max(1, p.MonitorInterval), start: time.Now()}
	if p.EnableMonitoring && isTerminal(w) && os.Getenv("TERM") != "dumb" {
		line.w, line.width = w, func() int { return terminalWidth(w) }
	}
	return line
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// terminalWidth is 80 where the terminal does not tell.
func terminalWidth(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
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
	remains := ""
	if p.Done > 0 {
		elapsed := time.Since(l.start)
		remains = fmt.Sprintf(" · %s left", (elapsed * time.Duration(p.Of-p.Done) / time.Duration(p.Done)).Round(time.Second))
	}
	l.write(fmt.Sprintf("%3d %% · %s, replication %d, %s %d of %d%s", 100*p.Done/max(1, p.Of), p.Arm, p.Replication, what, p.Month, p.Total, remains))
}

// count replaces the line with how many of a number of experiments are done.
func (l *progressLine) count(what string, done, of int) {
	if l.w == nil {
		return
	}
	if what != l.counted {
		l.counted, l.start = what, time.Now()
	}
	remains := (time.Since(l.start) * time.Duration(of-done) / time.Duration(done)).Round(time.Second)
	l.write(fmt.Sprintf("%3d %% · %d of %d experiments %s · %s left", 100*done/of, done, of, what, remains))
}

// clear removes the line, so that something else may be printed.
func (l *progressLine) clear() {
	if l.visible > 0 {
		l.write("")
		fmt.Fprint(l.w, "\r")
	}
}

// write puts text in the place of the line. A line that filled the terminal
// would move to the next one.
func (l *progressLine) write(text string) {
	room := max(0, l.width()-1)
	text = string([]rune(text)[:min(room, utf8.RuneCountInString(text))])
	n := utf8.RuneCountInString(text)
	fmt.Fprint(l.w, "\r"+text+strings.Repeat(" ", min(room, max(0, l.visible-n))))
	l.visible = n
}
