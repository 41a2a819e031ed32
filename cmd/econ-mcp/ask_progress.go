package main

import (
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"time"

	"econ-mcp/internal/run"
)

// follow waits for the end of an experiment and says on the way how far it is: in one
// line of a terminal, or a line at each tenth elsewhere. It returns the last status; one
// that was interrupted is a [run.Interrupted].
func follow(ctx context.Context, runs *run.Manager, name string, log io.Writer) (run.Status, error) {
	line := &progressLine{start: time.Now()}
	if isTerminal(log) && os.Getenv("TERM") != "dumb" {
		line.w, line.width = log, func() int { return terminalWidth(log) }
	}
	tenth, replications := 0, 0
	show := func(s run.Status) {
		if s.Replications > replications && replications > 0 { // of all these, less is over
			tenth = int(10 * s.Progress)
		}
		replications = s.Replications
		if line.w != nil {
			line.write(progressText(s))
			return
		}
		if now := int(10 * s.Progress); now > tenth {
			tenth = now
			fmt.Fprintln(log, progressText(s))
		}
	}
	s, err := runs.Wait(ctx, name, show)
	if line.w != nil {
		line.clear()
	} else if s.State == run.StateCompleted && tenth < 10 {
		fmt.Fprintln(log, progressText(s))
	}
	switch {
	case err != nil:
		return s, fmt.Errorf("%s: %w; what it has reached is saved: econ-mcp call resume_simulation experiment_name=%s goes on with it, then econ-mcp show %s answers",
			name, interruption(s, err), name, name)
	case s.State == run.StateFailed:
		return s, fmt.Errorf("%s failed in month %d: %s", name, s.Month+1, s.Message)
	}
	return s, nil
}

// progressText says how far an experiment is, how fast it goes and how long it will take.
func progressText(s run.Status) string {
	text := fmt.Sprintf("%3.0f %%", 100*s.Progress)
	switch {
	case s.State == run.StateQueued:
		return text + " · waiting"
	case s.ReplicationsDone > 0 && s.Message != "":
		text += " · " + s.Message
	case s.State == run.StateBurnIn:
		text += fmt.Sprintf(" · burn-in month %d of %d", s.BurnIn, s.BurnInMonths)
	default:
		text += fmt.Sprintf(" · month %d of %d", s.Month, s.Months)
	}
	if s.State != run.StateRunning || s.ReplicationsDone > 0 { // else all of them are under way side by side
		text += fmt.Sprintf(" · %d of %s done", s.ReplicationsDone, plural(s.Replications, "replication"))
	} else {
		text += " · " + plural(s.Replications, "replication")
	}
	if s.MonthsPerSecond > 0 {
		text += fmt.Sprintf(" · %s months a second", signed(s.MonthsPerSecond, 0))
	}
	if !math.IsNaN(s.ETASeconds) && s.State.Active() {
		text += fmt.Sprintf(" · %.0f s left", math.Ceil(s.ETASeconds))
	}
	return text
}
