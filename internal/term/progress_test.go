package term

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"econ-mcp/internal/run"
)

func TestProgressLine(t *testing.T) {
	var b bytes.Buffer
	line := &Progress{Line: Line{W: &b, Columns: func() int { return 30 }}, every: 1}
	line.Month(run.Progress{Phase: run.PhaseRunning, Arm: "treatment", Replication: 1, Month: 1, Total: 120, Done: 1, Of: 120})
	line.Show("short")
	line.Clear()
	for part := range strings.SplitSeq(b.String(), "\r") {
		if n := utf8.RuneCountInString(part); n > 29 {
			t.Errorf("%d characters in a terminal of 30: %q", n, part)
		}
	}
	if strings.ContainsRune(b.String(), '\x1b') {
		t.Errorf("escape codes: %q", b.String())
	}
	if got, want := b.String(), "\r  0 % · treatment, replicatio"+"\rshort"+strings.Repeat(" ", 24)+"\r     \r"; got != want {
		t.Errorf("wrote %q\nwant  %q", got, want)
	}
}

func TestProgressLineCounts(t *testing.T) {
	var b bytes.Buffer
	line := &Progress{Line: Line{W: &b, Columns: func() int { return 80 }}}
	line.Experiments("simulated", 400, 400)
	line.Experiments("analysed", 1, 400)
	if got, want := b.String(), "\r100 % · 400 of 400 experiments simulated · 0s left"+"\r  0 % · 1 of 400 experiments analysed · 0s left"+
		"   "; got != want {
		t.Errorf("wrote %q\nwant  %q", got, want)
	}
}
