package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"econ-mcp/internal/estimation"
	"econ-mcp/internal/estimation/figures"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/term"
	"econ-mcp/internal/trials"
)

// posteriorOptions are the flags of econ-mcp estimate posterior.
type posteriorOptions struct {
	estimateOptions
	elsewhereFlags
	broker        brokerFlags
	wait          bool
	draws, shard  string
	part          sweep.Shard // of shard
	figures, lang string
}

func newEstimatePosterior() *cobra.Command {
	o := &posteriorOptions{}
	cmd := &cobra.Command{
		Use:   "posterior TARGETS.yaml [-- OPTIONS]",
		Short: "Say what data tell of parameters: intervals, and what the data do not tell",
		Long: `Takes the file of econ-mcp estimate. Its ranges are the prior (uniform; in logs where the ends of
a range differ by a factor of 20), its moments that count (only, leave_out) the data.

1. Sets of parameters are simulated that spread over the prior, each with seeds of its own.
2. Emulators (Gaussian processes) of the moments say which sets can have produced the data
   (history matching: Vernon, Goldstein and Bower 2010). Later waves are simulated in what is not
   ruled out. Moments that the model cannot produce are named. If nothing is left, there is no
   posterior.
3. Draws from the posterior: synthetic likelihood (Wood 2010) with the emulated means, and the
   covariance of the data, the emulators, and the discrepancy that is stated. The data count as one
   economy among the model's replications, or by their bootstrap (observation).
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
    predictive: 50        # economies with draws of the posterior; 0 or 20 to 1000

What was measured of an economy is kept in a folder (--known): the same call goes on where one was
interrupted. --draws FILE.parquet writes Parquet in the place of CSV; econ-mcp ask --posterior takes
either. --figures draws what the data say of each parameter, pairs of parameters, and the data among
the economies.

On many machines, --on has the economies of each wave measured there, and the result is the same to
the bit. With --on nats://HOST:4222 workers that come and go do it (econ-mcp worker --help), wave
after wave in one call. --on slurm submits an array job for the wave that is open, with what follows
-- as options of sbatch, and ends: the same call takes what the job found and submits the next wave,
or with --wait waits for each. --on kubernetes prints an Indexed Job for the open wave. Machines
that share the folder --known and nothing else take parts of the open wave by --shard i/n, as often
as it is called; without it the call ends the wave and goes on.`,
		Example: "  econ-mcp estimate posterior targets.yaml --draws draws.csv --out posterior.md --figures figures\n" +
			"  econ-mcp estimate posterior targets.yaml --on nats://127.0.0.1:4222 --draws draws.parquet\n" +
			"  econ-mcp estimate posterior targets.yaml --known /shared/known --on slurm --tasks 20 --wait -- --partition=short\n" +
			"  econ-mcp estimate posterior targets.yaml --known /shared/known --shard 2/8",
		Args: oneDesign,
		RunE: func(cmd *cobra.Command, args []string) error { return o.execute(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.StringVar(&o.known, "known", "", "`folder` of what was measured of economies (default econ-mcp/measured in the user's cache folder)")
	f.IntVar(&o.threads, "threads", 0, "threads, 0 = all cores; changes no result")
	f.Bool("json", false, "print JSON")
	f.StringVar(&o.out, "out", "", "write Markdown into this `file`")
	f.StringVar(&o.draws, "draws", "", "write the draws into this `file`, a column a parameter: CSV, or Parquet where its name ends in "+
		".parquet")
	f.StringVar(&o.figures, "figures", "", "draw figures into this `folder`, as svg, png and pdf, with captions.md")
	f.StringVar(&o.lang, "lang", report.English, "language of the figures: en or zh")
	f.StringVar(&o.shard, "shard", "", "`i/n`: simulate the i-th of n parts of the wave that is open, and stop")
	o.elsewhereFlags.add(f)
	f.BoolVar(&o.wait, "wait", false, "with --on slurm: wait for the job of each wave, and go on")
	o.broker.add(f)
	return cmd
}

func (o *posteriorOptions) execute(cmd *cobra.Command, path string) error {
	if err := o.check(cmd); err != nil {
		return err
	}
	e, err := o.estimation(path)
	if err != nil {
		return err
	}
	e.Part = o.part
	if o.on != "" {
		e.Engine = o.engine(cmd)
	}
	files, err := o.open("--draws", o.draws)
	if err != nil {
		return err
	}
	defer files.discard()
	if o.figures != "" {
		if err := prepareFolder("--figures", o.figures); err != nil {
			return err
		}
	}
	e.Progress = func(s estimation.Step) {
		known := ""
		if s.Cached {
			known = " (known)"
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%4d of %d: %s%s\n", s.Tried, s.Of, s.What, known)
	}
	r, err := e.Posterior(cmd.Context())
	switch u, unfinished := errors.AsType[*estimation.Unfinished](err); {
	case errors.Is(err, errGivenOut):
		return nil
	case unfinished && o.part.N > 0:
		return printed(cmd, shardWork{o.shard, u.Simulated, u.What, u.Missing}, func(out io.Writer) {
			fmt.Fprintf(out, "shard %s: %d sets of parameters simulated; %d of %d of %s are missing: call again when the other shards have "+
				"simulated theirs\n", o.shard, u.Simulated, u.Missing, u.Of, u.What)
		})
	case err != nil:
		return err
	case o.part.N > 0:
		return printed(cmd, shardWork{o.shard, r.Simulated, "", 0}, func(out io.Writer) {
			fmt.Fprintf(out, "shard %s: all is known; call without --shard\n", o.shard)
		})
	}
	if err := files.say(cmd, path, r.Markdown); err != nil {
		return err
	}
	if err := o.writeDraws(cmd, r, files.found); err != nil {
		return err
	}
	if o.figures != "" {
		if _, err := writeFigures(cmd.Context(), "--figures", o.figures, figures.Of(r, o.lang)); err != nil {
			return err
		}
	}
	return printed(cmd, r, func(out io.Writer) { writePosterior(out, r) })
}

// check refuses flags that mean nothing, or nothing together.
func (o *posteriorOptions) check(cmd *cobra.Command) (err error) {
	if err := refuseEmpty(cmd.Flags(), "known", "out", "draws", "shard", "figures"); err != nil {
		return err
	}
	if err := checkChoice("--lang", o.lang, report.Languages...); err != nil {
		return err
	}
	if o.threads < 0 {
		return fault.Range("--threads", fmt.Sprint(o.threads), "0 or more")
	}
	if err := o.elsewhereFlags.check(cmd, nil); err != nil {
		return err
	}
	switch o.on {
	case "", onKubernetes, onSlurm:
	default:
		if _, err := o.broker.address(cmd.Flags(), "--on", o.on); err != nil {
			return err
		}
	}
	switch {
	case o.wait && o.on != onSlurm:
		return fault.New(fault.Conflict, "--wait", "--wait is for jobs of Slurm").WithHint("add --on slurm, or leave it out")
	case o.shard == "":
		return nil
	case o.on != "":
		return fault.New(fault.Conflict, "--shard", "--shard simulates a part here, and --on all of it elsewhere").WithHint("use one of them")
	case o.out != "" || o.draws != "" || o.figures != "":
		return fault.New(fault.Conflict, "--shard", "--shard simulates a part of the economies: there is nothing to write yet").
			WithHint("call without --shard when all parts are there")
	}
	o.part, err = sweep.ParseShard(o.shard)
	return err
}

// writeDraws writes the draws, or says why there are none.
func (o *posteriorOptions) writeDraws(cmd *cobra.Command, r *estimation.Posterior, file *output) error {
	switch {
	case !r.Empty:
		write := r.WriteCSV
		if estimation.IsParquet(o.draws) {
			write = r.WriteParquet
		}
		if err := write(file); err != nil {
			return err
		}
		return file.commit()
	case o.draws != "":
		older := ""
		if _, err := os.Stat(o.draws); err == nil {
			older = "; the file that is there is older, and not of this posterior"
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%s was not written: there are no draws%s\n", term.Printable(o.draws), older)
	}
	return nil
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
		rows := [][]string{{"parameter", "prior", "mean", "50 %", "90 %"}}
		for i := range r.Parameters {
			m := &r.Parameters[i]
			rows = append(rows, []string{m.Name, trials.IntervalText(m.Low, m.High), trials.Figure(m.Mean), trials.IntervalText(m.Low50, m.High50),
				trials.IntervalText(m.Low90, m.High90)})
		}
		for i, line := range term.Aligned(rows, term.Right) {
			says := "the data say"
			if i > 0 {
				says = r.Parameters[i-1].Says()
			}
			fmt.Fprintf(w, "%s  %s\n", line, says)
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
