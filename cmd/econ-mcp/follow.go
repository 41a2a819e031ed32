package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"econ-mcp/internal/run"
	"econ-mcp/internal/term"
)

// follow waits for the end of an experiment and says on the way how far it is: in one
// line of a terminal, or a line at each tenth elsewhere. It returns the last status; one
// that was interrupted is a [run.Interrupted].
func follow(ctx context.Context, runs *run.Manager, name string, log io.Writer) (run.Status, error) {
	line := term.NewLine(log)
	tenth, replications, prepares := 0, 0, ""
	show := func(s run.Status) {
		if s.Replications > replications && replications > 0 { // of all these, less is over
			tenth = int(10 * s.Progress)
		}
		replications = s.Replications
		if line.On() {
			line.Show(term.Status(s))
			return
		}
		if s.Preparing && s.Message != prepares && !strings.HasSuffix(s.Message, "%") {
			prepares = s.Message
			fmt.Fprintln(log, s.Message)
		}
		if now := int(10 * s.Progress); now > tenth {
			tenth = now
			fmt.Fprintln(log, term.Status(s))
		}
	}
	s, err := wait(ctx, runs, name, show)
	line.Clear()
	if !line.On() && s.State == run.StateCompleted && tenth < 10 {
		fmt.Fprintln(log, term.Status(s))
	}
	return s, err
}

// wait waits for the end of an experiment. That it was interrupted or failed is an error.
func wait(ctx context.Context, runs *run.Manager, name string, show func(run.Status)) (run.Status, error) {
	s, err := runs.Wait(ctx, name, show)
	switch {
	case err != nil && s.Preparing:
		return s, fmt.Errorf("%s: %w; it was looking for the number that it begins with: econ-mcp call resume_simulation experiment_name=%s looks "+
			"again, and goes on", name, interruption(s, err), name)
	case err != nil:
		return s, fmt.Errorf("%s: %w; what it has reached is saved: econ-mcp call resume_simulation experiment_name=%s goes on with it, then "+
			"econ-mcp show %s answers", name, interruption(s, err), name, name)
	case s.State == run.StateFailed && s.Preparing:
		return s, fmt.Errorf("%s did not find what it begins with: %s", name, s.Message)
	case s.State == run.StateFailed:
		return s, fmt.Errorf("%s failed in month %d: %s", name, s.Month+1, s.Message)
	}
	return s, nil
}

// interruption says in which month an experiment was interrupted.
func interruption(s run.Status, cause error) *run.Interrupted {
	if s.State == run.StateBurnIn && !s.Preparing {
		return &run.Interrupted{BurnIn: true, Month: s.BurnIn + 1, Of: s.BurnInMonths, Cause: cause}
	}
	return &run.Interrupted{Month: s.Month + 1, Of: s.Months, Cause: cause}
}
