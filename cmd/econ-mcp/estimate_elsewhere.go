package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"econ-mcp/internal/estimation"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/sweep/engines/slurm"
)

// errGivenOut ends a call that has given a wave to others and said so: the same call goes on when they have done it.
var errGivenOut = errors.New("a wave is simulated elsewhere")

// engine has the waves of a posterior measured as a sweep is simulated elsewhere.
func (o *posteriorOptions) engine(cmd *cobra.Command) estimation.Engine {
	return func(_ context.Context, what string, p *sweep.Plan, folder string) error {
		s := &sweepOptions{
			out: folder, runs: filepath.Join(folder, sweep.RunsFolder), threads: o.threads, broker: o.broker, elsewhereFlags: o.elsewhereFlags,
			cacheFlags: cacheFlags{none: true}, // each set of parameters has a burn-in of its own
			again:      calledAgain(),
		}
		known, err := sweep.Load(s.runs)
		if err != nil {
			return err
		}
		left, _ := p.Left(known)
		fmt.Fprintf(cmd.ErrOrStderr(), "%s: %d of %d sets of parameters to simulate elsewhere\n", what, left, len(p.Runs))
		switch {
		case left == 0:
			return nil
		case o.on == onSlurm:
			return o.onSlurm(cmd, what, p, s)
		case o.on == onKubernetes:
			if err := s.onKubernetes(cmd, p, ""); err != nil {
				return err
			}
			return errGivenOut
		}
		return s.onNATS(cmd, p, func(done, of int) { fmt.Fprintf(cmd.ErrOrStderr(), "%4d of %d: %s\n", done, of, what) })
	}
}

// calledAgain is this call, for a shell.
func calledAgain() string {
	words := []string{"econ-mcp"}
	for _, word := range os.Args[1:] {
		words = append(words, slurm.Quoted(word))
	}
	return strings.Join(words, " ")
}

// lookAgain is how long after one look at a job the next one is.
const lookAgain = 10 * time.Second

// onSlurm submits the job of a wave, and with --wait waits until it has ended.
func (o *posteriorOptions) onSlurm(cmd *cobra.Command, what string, p *sweep.Plan, s *sweepOptions) error {
	if !slurm.Available() {
		return fault.New(fault.NotFound, "--on", "there is no sbatch here, which submits jobs to Slurm").
			WithHint("log in to a node of the cluster that has it; on machines that share --known, --shard i/n does the same")
	}
	ctx := cmd.Context()
	for submitted := ""; ; {
		working, err := slurm.Working(ctx, absolute(s.out))
		if err != nil {
			return err
		}
		known, err := sweep.Load(s.runs)
		if err != nil {
			return err
		}
		switch left, _ := p.Left(known); {
		case len(working) > 0 && o.wait:
			select {
			case <-ctx.Done():
				return fault.New(codeInterrupted, "", "interrupted while job %s simulates %s", strings.Join(working, ", "), what).
					WithHint("the job goes on: the same call takes what it finds")
			case <-time.After(lookAgain):
			}
			continue
		case left == 0:
			return nil
		case submitted != "":
			return fault.New(fault.InvalidState, "--on", "job %s has ended, and %d of %d sets of parameters of %s are missing", submitted, left,
				len(p.Runs), what).
				WithHint("see why in " + filepath.Join(s.out, slurm.LogFolder) + "; the same call submits what is missing")
		case len(working) > 0:
			return fault.New(fault.Conflict, "--on", "job %s simulates %s: %d of %d sets of parameters are missing", strings.Join(working, ", "),
				what, left, len(p.Runs)).
				WithHint("call again when it has ended, or now with --wait")
		}
		found, err := s.submit(ctx, p, "")
		if err != nil {
			return err
		}
		if !o.wait {
			if err := printed(cmd, found, found.write); err != nil {
				return err
			}
			return errGivenOut
		}
		found.write(cmd.ErrOrStderr())
		submitted = found.Job
	}
}
