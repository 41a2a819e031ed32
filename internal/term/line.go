package term

import (
	"fmt"
	"io"
	"os"
	"strings"

	xterm "golang.org/x/term"
)

// Line is a line at the bottom of a terminal that is written over: it says how far something is.
// It uses no escape codes. Its zero value shows nothing.
type Line struct {
	W       io.Writer  // nil = nothing is shown
	Columns func() int // of the terminal
	visible int        // places
}

// NewLine is a line of w if that is a terminal that can go back in a line, and else one that shows
// nothing.
func NewLine(w io.Writer) Line {
	if !IsTerminal(w) || os.Getenv("TERM") == "dumb" {
		return Line{}
	}
	return Line{W: w, Columns: func() int { return columns(w) }}
}

// On says that the line is shown.
func (l *Line) On() bool { return l.W != nil }

// Show replaces the line with text, cut to the width of the terminal.
func (l *Line) Show(text string) {
	if l.W == nil {
		return
	}
	room := max(0, l.Columns()-1)
	text = places.Truncate(text, room, "")
	n := Width(text)
	fmt.Fprint(l.W, "\r"+text+strings.Repeat(" ", min(room, max(0, l.visible-n))))
	l.visible = n
}

// Report replaces the line with the progress of a call; a total of 0 means unknown.
func (l *Line) Report(done, total float64, message string) {
	share := ""
	if total > 0 {
		share = fmt.Sprintf("%3.0f %% · ", 100*done/total)
	}
	l.Show(share + Printable(message))
}

// Clear removes the line, so that something else may be printed.
func (l *Line) Clear() {
	if l.visible > 0 {
		l.Show("")
		fmt.Fprint(l.W, "\r")
	}
}

// IsTerminal says whether w is one.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && xterm.IsTerminal(int(f.Fd()))
}

// columns of a terminal; 80 where it does not tell.
func columns(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if width, _, err := xterm.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
	}
	return 80
}
