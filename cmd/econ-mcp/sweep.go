package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/estimation"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/term"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// sweepOptions are the flags of econ-mcp sweep and its parts.
type sweepOptions struct {
	out, runs, shard string
	lang             string // of figures
	index            string // the shard counted from 0, or ""
	byIndex          bool   // the plan is read from its index where there is one
	threads          int
	wait             time.Duration
	dryRun           bool
	broker           brokerFlags
	again            string // the call that takes what was simulated elsewhere
	cacheFlags
	elsewhereFlags
}

func newSweep() *cobra.Command {
	o := &sweepOptions{}
	cmd := &cobra.Command{
		Use:   "sweep DESIGN.yaml [-- OPTIONS]",
		Short: "Ask one inquiry at many points: which numbers matter, and where does the answer flip",
		Long: `Varies numbers of an inquiry by a design, simulates every point on the same seeds, and says
which of them matter. DESIGN.yaml holds the inquiry (or names its file), the numbers that vary, and
how points are chosen:

  inquiry:
    background: {set: {num_households: 3000}}
    arms: {vat: {events: [{set: {vat_rate: 10%}, from: 1}]}}
    outcomes: [{metric: real_gdp, window: [1, 24]}]
    design: {months: 24, replications: 2}
  factors:
    arms.vat.events[0].set.vat_rate: {from: 9%, to: 25%}  # any number of the inquiry, by its place
    consumption_habit: {from: 0.5, to: 0.9}               # a parameter of all arms, in the burn-in too
    wage_adjustment_rate: {values: [0.0005, 0.002, 0.01]}
  design: {kind: sobol_indices, points: 256}
  max_runs: 100000                                        # economies, at most

Kinds: one_at_a_time (levels of a range, the other factors at the inquiry's own number or at base:
…), factorial (all combinations; levels of a range), fractional (both ends of each range, in so many
points of all combinations), list (rows), latin_hypercube, sobol (a scrambled sequence), morris
(trajectories, levels: screening), sobol_indices (points a power of two, second_order: shares of
variance). An effect that is told in percent elsewhere is a share of the control's mean here.

Beside the numbers, the folder gets figures: what matters (tornado), the response to the leading
factors, and a heat map of the two leading ones.

An economy is known by its content (version of the model, scenario, seed, months): none is
simulated twice in a folder of runs, and a sweep that was interrupted goes on. On many machines, plan
writes the design into a folder, work simulates a shard of it into a file of its own, and merge puts
together what is there.

--on slurm does that on a cluster: it submits an array job whose tasks are the shards, with what
follows -- as options of sbatch. --on kubernetes prints an Indexed Job with the design in it. With
--on nats://HOST:4222 workers that come and go simulate, and this process records: econ-mcp worker
--help.`,
		Example: "  econ-mcp sweep design.yaml --dry-run\n  econ-mcp sweep design.yaml --out what-matters\n" +
			"  econ-mcp sweep design.yaml --on slurm --tasks 200 -- --partition=short\n" +
			"  econ-mcp sweep design.yaml --on nats://127.0.0.1:4222",
		Args: oneDesign,
		RunE: func(cmd *cobra.Command, args []string) error { return o.whole(cmd, args[0]) },
	}
	f := cmd.Flags()
	o.elsewhereFlags.add(f)
	f.StringVar(&o.out, "out", "", "`folder` for the results (default: the name of the design)")
	f.BoolVar(&o.dryRun, "dry-run", false, "say how many points and economies there are and how long they take, and stop")
	o.broker.add(f)
	o.addWork(f)
	f.Lookup("threads").Usage = "threads, 0 = all cores, and with --on one core of a task; changes no result"
	o.addLang(cmd)
	f.Bool("json", false, "print JSON")
	cmd.AddCommand(newSweepFactors(), newSweepPlan(), newSweepWork(), newSweepMerge())
	return cmd
}

func newSweepPlan() *cobra.Command {
	o := &sweepOptions{}
	cmd := &cobra.Command{
		Use:   "plan DESIGN.yaml",
		Short: "Write a design into a folder, for workers",
		Long: `Writes a design with its inquiry into a folder, which workers on other machines need and nothing
else, and says how many economies it has and how long they take this machine.`,
		Example: "  econ-mcp sweep plan design.yaml --out what-matters",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			p, err := o.read(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if err := o.write(p, args[0]); err != nil {
				return err
			}
			p.Keep(o.runs)
			known, err := sweep.Load(o.runs)
			if err != nil {
				return err
			}
			size, err := newSweepSize(p, known, 0)
			if err != nil {
				return err
			}
			return printed(cmd, size, func(out io.Writer) {
				writeSweepSize(out, size)
				fmt.Fprintf(out, "written: %s; econ-mcp sweep work %[1]s --shard 1/4 simulates a quarter of it\n", o.out)
			})
		},
	}
	cmd.Flags().StringVar(&o.out, "out", "", "`folder` for design and runs (default: the name of the design)")
	cmd.Flags().Bool("json", false, "print JSON")
	return cmd
}

func newSweepWork() *cobra.Command {
	o := &sweepOptions{}
	cmd := &cobra.Command{
		Use:   "work FOLDER",
		Short: "Simulate a shard of a sweep",
		Long: `Simulates what is not known of a shard of the sweep in FOLDER and appends each economy to the
shard's own file in FOLDER/runs when it has ended. Interrupted or killed, it goes on where it was.`,
		Example: "  econ-mcp sweep work what-matters --shard 2/8",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := o.countFromOne(cmd.Flags()); err != nil {
				return err
			}
			o.byIndex = true
			p, err := o.readFolder(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			simulated, err := o.work(cmd, p)
			if err != nil {
				return err
			}
			return printed(cmd, sweepWork{o.shard, simulated}, func(out io.Writer) {
				fmt.Fprintf(out, "shard %s: %s simulated\n", o.shard, economies(simulated))
			})
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.shard, "shard", "1/1", "`i/n`: the i-th of n parts")
	f.StringVar(&o.index, "index", "", "`i/n`: the same part counted from 0, as Kubernetes counts completions")
	f.DurationVar(&o.wait, "wait", 0, "how long to wait for another process that writes the same shard, such as 5m")
	o.addWork(f)
	f.Bool("json", false, "print JSON")
	return cmd
}

// sweepWork is what a worker did.
type sweepWork struct {
	Shard     string `json:"shard"`
	Simulated int    `json:"simulated"`
}

func newSweepMerge() *cobra.Command {
	o := &sweepOptions{}
	cmd := &cobra.Command{
		Use:   "merge FOLDER",
		Short: "Put together what workers found, and say what matters",
		Long: `Reads all files of runs in FOLDER/runs, refuses what is broken, of another version of the model or
in contradiction, and writes and prints the results. Merging again changes nothing.`,
		Example: "  econ-mcp sweep merge what-matters",
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := checkChoice("--lang", o.lang, report.Languages...); err != nil {
				return err
			}
			p, err := o.readFolder(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if p.Design == nil {
				return fault.New(fault.Conflict, "FOLDER", "%s holds economies of a posterior", args[0]).
					WithHint("the call of econ-mcp estimate posterior that wrote them puts them together")
			}
			return o.results(cmd, p)
		},
	}
	cmd.Flags().StringVar(&o.runs, "runs", "", "`folder` of economies that were simulated (default FOLDER/runs)")
	o.addLang(cmd)
	cmd.Flags().Bool("json", false, "print JSON")
	return cmd
}

// addWork declares the flags of what simulates.
func (o *sweepOptions) addWork(f *pflag.FlagSet) {
	f.StringVar(&o.runs, "runs", "", "`folder` of economies that were simulated (default FOLDER/runs)")
	f.IntVar(&o.threads, "threads", 0, "threads, 0 = all cores; changes no result")
	o.cacheFlags.add(f)
}

// whole plans, works and merges.
func (o *sweepOptions) whole(cmd *cobra.Command, path string) error {
	if err := refuseEmpty(cmd.Flags(), "out", "runs", "cache"); err != nil {
		return err
	}
	if err := checkChoice("--lang", o.lang, report.Languages...); err != nil {
		return err
	}
	if o.threads < 0 {
		return fault.Range("--threads", fmt.Sprint(o.threads), "0 or more")
	}
	if err := o.elsewhereFlags.check(cmd, idleFlags); err != nil {
		return err
	}
	if err := o.checkBroker(cmd.Flags()); err != nil {
		return err
	}
	p, err := o.read(cmd.Context(), path)
	if err != nil {
		return err
	}
	if o.on == onSlurm || o.on == onKubernetes {
		return o.elsewhere(cmd, p, path)
	}
	if o.dryRun {
		known, err := sweep.Load(o.runs)
		if err != nil {
			return err
		}
		size, err := newSweepSize(p, known, o.threads)
		if err != nil {
			return err
		}
		return printed(cmd, size, func(out io.Writer) { writeSweepSize(out, size) })
	}
	if err := o.write(p, path); err != nil {
		return err
	}
	if err := o.simulate(cmd, p); err != nil {
		return err
	}
	return o.results(cmd, p)
}

// simulate has what is not known simulated, here or elsewhere.
func (o *sweepOptions) simulate(cmd *cobra.Command, p *sweep.Plan) (err error) {
	if o.on != "" {
		return o.onNATS(cmd, p, sweepProgress(cmd))
	}
	o.shard = "1/1"
	_, err = o.work(cmd, p)
	return err
}

// read makes the plan of a design, whose files stand beside it.
func (o *sweepOptions) read(ctx context.Context, path string) (*sweep.Plan, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, unusable("DESIGN.yaml", path, err)
	}
	beside := func(name string) string {
		if filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(filepath.Dir(path), name)
	}
	d, err := sweep.Read(text, func(name string) ([]byte, error) {
		text, err := os.ReadFile(beside(name))
		if err != nil {
			return nil, unusable("inquiry", name, err)
		}
		return text, nil
	}, func(name string) (scenario.Scenario, error) { return scenarioFile("file", beside(name)) })
	if err != nil {
		return nil, err
	}
	if o.out == "" {
		o.out = strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	}
	o.runs = cmp.Or(o.runs, filepath.Join(o.out, sweep.RunsFolder))
	if o.byIndex {
		return sweep.KeptPlan(ctx, d, presetScenarios{}, o.runs)
	}
	return sweep.NewPlan(ctx, d, presetScenarios{})
}

// readFolder makes the plan of the design, or of the economies to measure, in a folder.
func (o *sweepOptions) readFolder(ctx context.Context, folder string) (*sweep.Plan, error) {
	o.out = folder
	if p, err := sweep.ReadEconomies(folder); !errors.Is(err, fs.ErrNotExist) {
		o.runs = cmp.Or(o.runs, filepath.Join(folder, sweep.RunsFolder))
		return p, err
	}
	return o.read(ctx, filepath.Join(folder, sweep.DesignFile))
}

// presetScenarios finds what an inquiry calls by name: presets, since workers have no data folder.
type presetScenarios struct{}

func (presetScenarios) Scenario(name string) (scenario.Scenario, error) { return presets.Load(name) }

// write puts the design into its folder. Another design that is there is not overwritten.
func (o *sweepOptions) write(p *sweep.Plan, path string) error {
	if p.Design == nil { // what is to be measured stands in its folder
		return nil
	}
	if err := prepareFolder("--out", o.out); err != nil {
		return err
	}
	file := filepath.Join(o.out, sweep.DesignFile)
	if absolute(path) == absolute(file) { // the caller's own, which stays as it is written
		return nil
	}
	if err := p.WriteDesign(o.out); fault.KindOf(err) == fault.Conflict {
		return fault.New(fault.Conflict, "--out", "%s holds another design", o.out).
			WithHint("name another folder; --runs may name the runs of this one")
	} else if err != nil {
		return unusable("--out", o.out, err)
	}
	return nil
}

func absolute(path string) string {
	full, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	return full
}

// work simulates a shard.
func (o *sweepOptions) work(cmd *cobra.Command, p *sweep.Plan) (simulated int, err error) {
	shard, err := sweep.ParseShard(o.shard)
	if err != nil {
		return 0, err
	}
	if o.threads < 0 {
		return 0, fault.Range("--threads", fmt.Sprint(o.threads), "0 or more")
	}
	w := sweep.Work{
		Plan: p, Shard: shard, Folder: o.runs, Threads: o.threads, Cache: o.cache(), Measure: estimation.Measure, Wait: o.wait,
		Progress: sweepProgress(cmd),
	}
	simulated, err = w.Run(cmd.Context())
	if err != nil && cmd.Context().Err() != nil && errors.Is(err, cmd.Context().Err()) {
		err = fault.New(codeInterrupted, "", "recorded so far: %s", economies(simulated)).
			WithHint("the same command goes on")
	}
	return simulated, err
}

// sweepProgress says every few seconds how far a sweep is.
func sweepProgress(cmd *cobra.Command) func(done, of int) {
	begin, said := time.Now(), time.Time{}
	return func(done, of int) {
		if now := time.Now(); now.Sub(said) > 5*time.Second || done == of {
			said = now
			left := now.Sub(begin).Seconds() / float64(done) * float64(of-done)
			fmt.Fprintf(cmd.ErrOrStderr(), "%d of %d economies, %s left\n", done, of, lasting(left))
		}
	}
}

// sweepSize is what a sweep takes.
type sweepSize struct {
	Points   int     `json:"points,omitempty"`
	Factors  int     `json:"factors,omitempty"`
	Runs     int     `json:"economies"`
	Known    int     `json:"known"` // of them, in the folder of runs
	Seconds  float64 `json:"estimated_seconds"`
	Hash     string  `json:"design_hash"`
	Distinct int     `json:"burn_ins"`
}

func newSweepSize(p *sweep.Plan, known sweep.Known, threads int) (sweepSize, error) {
	speed, err := p.Speed(threads)
	if err != nil {
		return sweepSize{}, err
	}
	left, burnIns := p.Left(known)
	s := sweepSize{
		Runs: len(p.Runs), Known: len(p.Runs) - left, Seconds: p.AgentMonths(known) / speed, Hash: p.Hash, Distinct: burnIns,
	}
	if p.Design != nil {
		s.Points, s.Factors = len(p.Points), len(p.Design.Factors)
	}
	return s, nil
}

// count says how much there is to simulate.
func (s sweepSize) count() string {
	if s.Points == 0 {
		return fmt.Sprintf("%s, of which %d are measured", report.Plural(s.Runs, "set")+" of parameters", s.Known)
	}
	return fmt.Sprintf("%s of %s: %s, of which %d are known; %s to burn in", report.Plural(s.Points, "point"),
		report.Plural(s.Factors, "factor"), economies(s.Runs), s.Known, economies(s.Distinct))
}

func writeSweepSize(w io.Writer, s sweepSize) {
	fmt.Fprintf(w, "%s; about %s on this machine, as fast as it is now\n", s.count(), lasting(s.Seconds))
}

func economies(n int) string {
	if n == 1 {
		return "1 economy"
	}
	return report.FormatNumber(float64(n), 0) + " economies"
}

// lasting says how long something takes.
func lasting(seconds float64) string {
	switch {
	case seconds < 90:
		return fmt.Sprintf("%.0f s", max(1, seconds))
	case seconds < 5400:
		return fmt.Sprintf("%.0f min", seconds/60)
	}
	return fmt.Sprintf("%.1f h", seconds/3600)
}

// sweepDocument is the JSON form of what a sweep found.
type sweepDocument struct {
	*sweep.Document
	Folder  string       `json:"folder"`
	Figures sweepFigures `json:"figures"`
}

// results writes what is known of all points into the folder, and prints what matters.
func (o *sweepOptions) results(cmd *cobra.Command, p *sweep.Plan) error {
	known, err := sweep.Load(o.runs)
	if err != nil {
		return err
	}
	found, r, err := p.WriteResults(o.out, known)
	if err != nil {
		return err
	}
	drawn, err := o.drawSweep(cmd.Context(), p, r, found.Sensitivity)
	if err != nil {
		return err
	}
	doc := sweepDocument{found, o.out, drawn}
	return printed(cmd, doc, func(out io.Writer) { writeSweep(out, doc) })
}

func writeSweep(w io.Writer, d sweepDocument) {
	fmt.Fprintf(w, "%s, %s, design %.12s\n", report.Plural(d.Points, "point"), economies(d.Economies), d.Hash)
	for _, s := range d.Sensitivity {
		i, _ := sim.IndicatorByName(s.Metric)
		value := func(x float64) string {
			switch {
			case s.Share:
				return report.FormatShare(x, 2)
			case s.With != "":
				return report.FormatDifference(i, x)
			}
			return report.FormatValue(i, x)
		}
		text := func(x stats.Number) string { return value(float64(x)) }
		size := func(x float64) string {
			if s.Share {
				return strings.Replace(report.FormatShare(x, 2), " %", " pp", 1)
			}
			return report.FormatSize(i, x)
		}
		fmt.Fprintf(w, "\n%s, months %d to %d, %s: %s to %s, mean %s", report.Label(i, report.English), s.From, s.To,
			strings.TrimSuffix(s.Arm+" less "+s.With, " less "), text(s.Least), text(s.Most), text(s.Mean))
		if s.With != "" {
			fmt.Fprintf(w, "; above zero at %.0f %% of the points", 100*s.Positive)
		}
		fmt.Fprintln(w)
		if s.Note != "" {
			fmt.Fprintln(w, term.Indented("no indices: "+s.Note, "  "))
		}
		writeFactors(w, s, value, size)
		if s.Flip != nil {
			writeFlip(w, s.Flip, "  ")
		}
	}
	d.Figures.write(w, d.Folder)
	kind := "95 %, bootstrap"
	if slices.ContainsFunc(d.Sensitivity, func(s sweep.Sensitivity) bool { return s.Method == "one_at_a_time" }) {
		kind = "of pairs of replications with the same seed"
	}
	fmt.Fprintf(w, "\nWritten: %s, %s, %s in %s. Intervals are %s.\n", sweep.PointsFile, sweep.ResultsFile, sweep.SensitivityFile, d.Folder,
		kind)
}

// writeFactors prints the indices of the design's method, a factor a line, the most telling first.
func writeFactors(w io.Writer, s sweep.Sensitivity, value, size func(float64) string) {
	index := func(e *sweep.Estimate, decimals int) string {
		return fmt.Sprintf("%s (%s to %s)", report.FormatNumber(float64(e.Value), decimals), report.FormatNumber(float64(e.Low), decimals),
			report.FormatNumber(float64(e.High), decimals))
	}
	factors := slices.SortedStableFunc(slices.Values(s.Factors), func(a, b sweep.FactorIndex) int { return cmp.Compare(b.Size(), a.Size()) })
	var rows [][]string
	for k, f := range factors {
		heads, cells := []string{"factor"}, []string{f.Factor}
		add := func(head, cell string) { heads, cells = append(heads, head), append(cells, cell) }
		if f.First != nil {
			add("first order", index(f.First, 3))
			add("total", index(f.Total, 3))
		}
		if f.MeanAbs != nil {
			add("mu*", index(f.MeanAbs, 5))
		}
		if f.Effect != nil {
			add("mu", report.FormatNumber(float64(*f.Effect), 5))
		}
		if f.Scatter != nil {
			add("sigma", report.FormatNumber(float64(*f.Scatter), 5))
		}
		if f.Shift != nil {
			add("PAWN", index(f.Shift, 3))
		}
		if f.Delta != nil {
			add("delta", index(f.Delta, 3))
		}
		if f.Curve != nil {
			more, texts := aloneColumns(f, value, size)
			heads, cells = append(heads, more...), append(cells, texts...)
		}
		if f.Matters != nil {
			add("", map[bool]string{true: "", false: "not more than a factor that changes nothing"}[*f.Matters])
		}
		if k == 0 {
			rows = append(rows, heads)
		}
		rows = append(rows, cells)
	}
	for _, line := range term.Aligned(rows, term.Left) {
		fmt.Fprintln(w, "  "+line)
	}
	for _, pair := range s.Pairs {
		if float64(pair.Second.Low) > 0 {
			fmt.Fprintf(w, "  together %s and %s: %s\n", pair.Factors[0], pair.Factors[1], index(&pair.Second, 3))
		}
	}
}

// writeFlip prints where the sign flips.
func writeFlip(w io.Writer, f *sweep.FlipCondition, indent string) {
	if f.Factor == "" {
		return
	}
	for _, side := range []struct {
		sign string
		node *sweep.FlipCondition
	}{{"≤", f.Below}, {">", f.Above}} {
		fmt.Fprintf(w, "%s%s %s %.4g: above zero at %.0f %% of %d points\n", indent, f.Factor, side.sign, f.Threshold, 100*side.node.Positive,
			side.node.Points)
		writeFlip(w, side.node, indent+"  ")
	}
}
