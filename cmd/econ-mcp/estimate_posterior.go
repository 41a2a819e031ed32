package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"econ-mcp/internal/estimation"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/term"
	"econ-mcp/internal/trials"
)

// posteriorOptions are the flags of econ-mcp estimate posterior.
type posteriorOptions struct {
	estimateOptions
	draws, shard string
}

func newEstimatePosterior() *cobra.Command {
	o := &posteriorOptions{}
	cmd := &cobra.Command{
		Use:   "posterior TARGETS.yaml",
		Short: "Say what data tell of parameters: intervals, and what the data do not tell",
		Long: `Takes the file of econ-mcp estimate. Its ranges are the prior (uniform; in logs where the ends of
a range differ by a factor of 20), its moments that count (only, leave_out) the data.

1. Sets of parameters are simulated that spread over the prior, each with seeds of its own.
2. Emulators (Gaussian processes) of the moments say which sets can have produced the data
   (history matching: Vernon, Goldstein and Bower 2010). Later waves are simulated in what is not
   ruled out. If nothing is left, the moments are named that the model cannot produce.
3. Draws from the posterior: synthetic likelihood (Wood 2010) with the emulated means, and the
   covariance of the data, the emulators, and the discrepancy that is stated. The data count as one
   economy among the model's replications; their bootstrap understates how much moments vary.
4. The economy itself is simulated with draws of the posterior; where the data lie among these
   economies is said of every moment, those that do not count included.

The file may say more, under posterior (weights, prior, robust, step, rounds, evaluations belong to
the search and do not count here):

  only: ["1959Q1-2014Q4 sd Y", "1959Q1-2014Q4 u mean"]  # moments that tell parameters, up to 150
  posterior:
    points: 40            # of the first wave; ten a parameter if left out
    more_points: 20       # of each later one; half as many if left out
    waves: 3              # at most
    cutoff: 3             # of implausibility
    rank: 2               # a set is ruled out by its second largest; 1 = by its largest
    observation: replications # uncertainty of the data: as the model varies; or bootstrap
    discrepancy: 0.5      # by which the best parameters miss moments, in their standard deviations
    discrepancies: {sd Y: 1}
    draws: 1000           # that --draws writes
    predictive: 50        # economies with draws of the posterior

What was measured of an economy is kept in a folder (--known): the same call goes on where one was
interrupted. On many machines that share that folder, --shard i/n simulates a part of the wave that
is open, as often as it is called; without it the call ends the wave and goes on.
econ-mcp ask --posterior takes the file of draws.`,
		Example: "  econ-mcp estimate posterior targets.yaml --draws draws.csv --out posterior.md\n" +
			"  econ-mcp estimate posterior targets.yaml --known /shared/known --shard 2/8",
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.execute(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.known, "known", "", "`folder` of what was measured of economies (default econ-mcp/measured in the user's cache folder)")
	f.IntVar(&o.threads, "threads", 0, "threads, 0 = all cores; changes no result")
	f.Bool("json", false, "print JSON")
	f.StringVar(&o.out, "out", "", "write Markdown into this `file`")
	f.StringVar(&o.draws, "draws", "", "write the draws into this `file` (CSV, a column a parameter)")
	f.StringVar(&o.shard, "shard", "", "`i/n`: simulate the i-th of n parts of the wave that is open, and stop")
	return cmd
}

func (o *posteriorOptions) execute(cmd *cobra.Command, path string) error {
	if err := refuseEmpty(cmd.Flags(), "known", "out", "draws", "shard"); err != nil {
		return err
	}
	if o.threads < 0 {
		return fault.Range("--threads", fmt.Sprint(o.threads), "0 or more")
	}
	var part estimation.Share
	if o.shard != "" {
		s, err := sweep.ParseShard(o.shard)
		if err != nil {
			return err
		}
		if part = (estimation.Share{I: s.I, N: s.N}); o.out != "" || o.draws != "" {
			return fault.New(fault.Conflict, "--shard", "--shard simulates a part of the economies: there is nothing to write yet").
				WithHint("call without --shard when all parts are there")
		}
	}
	e, err := o.estimation(path)
	if err != nil {
		return err
	}
	e.Part = part
	markdown, err := openOutput("--out", o.out, io.Discard)
	if err != nil {
		return err
	}
	defer markdown.discard()
	draws, err := openOutput("--draws", o.draws, io.Discard)
	if err != nil {
		return err
	}
	defer draws.discard()
	e.Progress = func(s estimation.Step) {
		known := ""
		if s.Cached {
			known = " (known)"
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%4d of %d: %s%s\n", s.Tried, s.Of, s.What, known)
	}
	r, err := e.Posterior(cmd.Context())
	if u, ok := errors.AsType[*estimation.Unfinished](err); ok && part.N > 0 {
		return printed(cmd, shardWork{o.shard, u.Simulated, u.What, u.Missing}, func(out io.Writer) {
			fmt.Fprintf(out, "shard %s: %d sets of parameters simulated; %d of %d of %s are missing: call again when the other shards have "+
				"simulated theirs\n", o.shard, u.Simulated, u.Missing, u.Of, u.What)
		})
	}
	if err != nil {
		return err
	}
	if part.N > 0 {
		return printed(cmd, shardWork{o.shard, r.Simulated, "", 0}, func(out io.Writer) {
			fmt.Fprintf(out, "shard %s: all is known; call without --shard\n", o.shard)
		})
	}
	if filepath.IsAbs(path) {
		path = filepath.Base(path)
	}
	fmt.Fprint(markdown, r.Markdown(commandLine(cmd)+" "+term.Printable(path)))
	if err := markdown.commit(); err != nil {
		return err
	}
	if !r.Empty {
		if err := r.WriteCSV(draws); err != nil {
			return err
		}
		if err := draws.commit(); err != nil {
			return err
		}
	}
	return printed(cmd, r, func(out io.Writer) { writePosterior(out, r) })
}

// shardWork is what a shard of a posterior did.
type shardWork struct {
	Shard     string `json:"shard"`
	Simulated int    `json:"simulated"`
	Wave      string `json:"open"` // the wave that others have to end
	Missing   int    `json:"missing"`
}

func writePosterior(w io.Writer, r *estimation.Posterior) {
	if !r.Empty {
		fmt.Fprintf(w, "%s  %s  %s  %s  %s  the data say\n", term.Left("parameter", 34), term.Right("prior", 17), term.Right("mean", 8),
			term.Right("50 %", 19), term.Right("90 %", 19))
		for i := range r.Parameters {
			m := &r.Parameters[i]
			fmt.Fprintf(w, "%s  %s  %s  %s  %s  %s\n", term.Left(m.Name, 34), term.Right(trials.IntervalText(m.Low, m.High), 17),
				term.Right(trials.Figure(m.Mean), 8), term.Right(trials.IntervalText(m.Low50, m.High50), 19),
				term.Right(trials.IntervalText(m.Low90, m.High90), 19), m.Says())
		}
		fmt.Fprintln(w)
	}
	for n, wave := range r.Waves {
		fmt.Fprintf(w, "wave %d: %d sets of parameters, %s %% of the prior not ruled out\n", n+1, wave.Points, trials.Figure(100*wave.Share))
	}
	for _, text := range r.Findings {
		fmt.Fprintln(w, text)
	}
	for _, h := range r.HeldOut {
		fmt.Fprintf(w, "%s, held out: the data lie within 90 %% of the economies in %d of %d statistics\n", h.Quarters, h.Met, h.Total)
	}
	fmt.Fprintf(w, "%d economies, %d sets of parameters simulated now\n", r.Economies, r.Simulated)
}
