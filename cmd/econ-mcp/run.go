package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

const runHelp = `Simulates an economy and prints what happened.

Without --control one scenario is simulated: --preset or --config, with the
changes of --set. With --control a second arm, the control, lives through the
same months with the same seeds, forked from the same burnt-in state; the table
then shows what the treatment changes, with 95 % intervals over replications.
The control is a preset, or burn-in: the economy goes on as the scenario's
burn-in was, with nothing planned.

What --set does:
  A parameter that is live (see econ-mcp params) is changed in the treatment's
  experiment only: the burn-in keeps its old value, so the change comes in
  month 1. A parameter that is not live holds from the start of the burn-in; if
  control and treatment then differ in it, each arm is burnt in apart and the
  result says so. Sizes (category system_scale), seed and threads always hold
  for both arms.

Formats:
  table  for people, as it happens
  csv    a row a month; with several runs arm,replication,month,...
  json   one object. series and state_hash are those of the only arm or of the
         treatment: the mean over replications and the state of the first
         replication. With several runs, arms holds everything. window holds
         the months of effects. Absent numbers are null; percent is absent for
         rates and shares, whose differences are in points already (0.01 is one
         percentage point), and where the control is 0.`

// runOptions are the flags of econ-mcp run.
type runOptions struct {
	choice
	flags        settingFlags
	pairs        []string
	replications int
	window       string
	format       string
	by           []string
	out          string
	plotDir      string
	noCache      bool
	cacheDir     string
}

var formats = []string{"table", "csv", "json"}

func newRun() *cobra.Command {
	o := &runOptions{}
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Simulate an economy, or compare a policy with the economy without it",
		Long:  runHelp,
		Example: `  econ-mcp run
  econ-mcp run --preset crisis --months 240 --plot figures
  econ-mcp run --set vat_rate=0.25 --control baseline --replications 10 --window 13:120
  econ-mcp run --format json --out baseline.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := refuseEmpty(cmd.Flags(), "preset", "config", "control", "window", "out", "plot", "cache"); err != nil {
				return err
			}
			plan, err := o.plan(cmd.Flags().Changed("preset"))
			if err != nil {
				return err
			}
			return plan.execute(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.preset, "preset", "baseline", "scenario to simulate (see econ-mcp presets)")
	f.StringVar(&o.config, "config", "", "scenario `file` (YAML) instead of a preset")
	f.StringArrayVar(&o.pairs, "set", nil, "change a parameter: `name=value` (repeatable)")
	o.flags.add(f, "households", "num_households", "size of the economy")
	o.flags.add(f, "months", "num_iterations", "months after burn-in")
	o.flags.add(f, "burn-in", "burn_in_months", "months of burn-in")
	o.flags.add(f, "seed", "random_state", "base seed")
	o.flags.add(f, "threads", "max_concurrent_tasks", "threads, 0 = all cores; changes no result")
	f.IntVar(&o.replications, "replications", 1, "runs of each arm, each with its own seed")
	f.StringVar(&o.control, "control", "", "`preset` to compare with, or burn-in")
	f.StringVar(&o.window, "window", "", "months over which effects are averaged, as `FROM:TO` (default all)")
	f.StringSliceVar(&o.by, "by", nil, "also print means of `groups`: "+strings.Join(groupNames(), ", "))
	f.StringVar(&o.format, "format", "table", "table, csv or json")
	jsonFlag(f)
	f.StringVar(&o.out, "out", "", "write the result to this `file`")
	f.StringVar(&o.plotDir, "plot", "", "write figures (SVG and PNG) to this `folder`")
	f.BoolVar(&o.noCache, "no-cache", false, "neither read nor write burnt-in states on disk")
	f.StringVar(&o.cacheDir, "cache", "", "`folder` of burnt-in states (default econ-mcp/burn-in in the user's cache folder)")
	return cmd
}

// runPlan is a checked call of econ-mcp run.
type runPlan struct {
	experiment lab.Experiment
	params     sim.Params // of the only arm or the treatment
	windowed   bool       // --window was given
	control    string     // preset of the control; empty without one
	format     string
	by         []string
	out        string
	plotDir    string
}

// plan checks everything that can be checked before anything is simulated.
func (o *runOptions) plan(presetGiven bool) (*runPlan, error) {
	if o.config != "" && presetGiven {
		return nil, fault.New(fault.Conflict, "--config", "--preset and --config both name a scenario; use one of them")
	}
	if !slices.Contains(formats, o.format) {
		return nil, fault.Range("--format", o.format, formats...)
	}
	if len(o.by) > 0 && o.format != "table" {
		err := fault.New(fault.Conflict, "--by", "--by prints tables of groups; --format is %s", o.format)
		err.Hint = "json always holds all groups; leave out --by"
		return nil, err
	}
	if o.replications < 1 || o.replications > 10_000 {
		return nil, fault.Range("--replications", fmt.Sprint(o.replications), "1 to 10000")
	}
	var err error
	if o.settings, err = o.flags.given(o.pairs); err != nil {
		return nil, err
	}
	arms, err := o.arms()
	if err != nil {
		return nil, err
	}
	p := arms[len(arms)-1].Scenario.Params
	from, to, err := parseWindow(o.window, p.NumIterations)
	if err != nil {
		return nil, err
	}
	if o.window != "" && len(arms)*o.replications == 1 {
		err := fault.New(fault.InvalidState, "--window", "--window is for effects and means")
		err.Hint = "use it with --control or --replications"
		return nil, err
	}
	if err := run.FitMemory(p, 1, run.AvailableMemory()); err != nil {
		return nil, err
	}
	if err := checkGroupings(o.by, arms[len(arms)-1].Scenario.Params); err != nil {
		return nil, err
	}
	if err := prepareOutput(o.out, o.plotDir); err != nil {
		return nil, err
	}
	return &runPlan{
		experiment: lab.Experiment{
			Arms: arms, Replications: o.replications, Seed: uint64(p.RandomState),
			Months: p.NumIterations, Threads: p.MaxConcurrentTasks,
			Cache: burnInCache(o.noCache, o.cacheDir), From: from, To: to, Confidence: lab.DefaultConfidence,
		},
		params: p, windowed: o.window != "", control: o.control, format: o.format, by: o.by, out: o.out, plotDir: o.plotDir,
	}, nil
}

// parseWindow reads FROM:TO; no text means the whole horizon.
func parseWindow(text string, months int) (from, to int, err error) {
	if text == "" {
		return 1, months, nil
	}
	var rest string
	n, _ := fmt.Sscanf(text+"\n", "%d:%d%s", &from, &to, &rest)
	if n != 2 || text != fmt.Sprintf("%d:%d", from, to) {
		e := fault.New(fault.WrongType, "--window", "--window %q is not of the form FROM:TO", text)
		e.Hint = fmt.Sprintf("for example --window 1:%d", months)
		return 0, 0, e
	}
	if from < 1 || from > to || to > months {
		return 0, 0, fault.Range("--window", text, fmt.Sprintf("months 1 to %d, FROM not after TO", months))
	}
	return from, to, nil
}

// burnInCache is the cache of burnt-in states that the flags ask for.
func burnInCache(none bool, dir string) run.Cache {
	if none {
		return run.Cache{}
	}
	if dir != "" {
		return run.Cache{Dir: dir}
	}
	base, err := os.UserCacheDir()
	if err != nil {
		slog.Warn("burnt-in states are not cached", "error", err)
		return run.Cache{}
	}
	return run.Cache{Dir: filepath.Join(base, "econ-mcp", "burn-in")}
}

// single reports whether one economy is simulated, which is shown as it lives.
func (p *runPlan) single() bool { return len(p.experiment.Arms)*p.experiment.Replications == 1 }

// scenarioName names what is simulated, with the control's preset.
func (p *runPlan) scenarioName() string {
	name := p.experiment.Arms[len(p.experiment.Arms)-1].Scenario.Name
	if p.control == "" {
		return name
	}
	if name == p.control {
		return name + " with changes, against " + p.control
	}
	return name + " against " + p.control
}

// execute simulates, writes the result and draws the figures.
func (p *runPlan) execute(ctx context.Context, stdout, stderr io.Writer) error {
	out, err := openOutput(p.out, stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	progress := newProgress(stderr, p.params)
	result, err := p.simulate(ctx, out, progress)
	progress.clear()
	if err != nil {
		return err
	}
	if err := p.write(out, result); err != nil {
		return err
	}
	if err := out.commit(); err != nil {
		return err
	}
	if p.plotDir == "" {
		return nil
	}
	return drawFigures(p.plotDir, p, result)
}

// simulate runs the experiment. A single run for people is printed while it
// runs.
func (p *runPlan) simulate(ctx context.Context, out io.Writer, progress *progressLine) (*lab.Result, error) {
	x := p.experiment
	x.Progress = progress.show
	if p.single() && p.format == "table" {
		table := &yearTable{w: out, progress: progress, plan: p}
		x.Begin, x.Progress = table.begin, table.show
	}
	return x.Run(ctx)
}

// write prints what is known at the end.
func (p *runPlan) write(out io.Writer, result *lab.Result) error {
	switch p.format {
	case "csv":
		return writeCSV(out, result)
	case "json":
		return writeJSON(out, p, result)
	}
	if !p.single() {
		p.writeHeader(out, burnInText(p.params.BurnInMonths, result.CachedBurnIn))
	}
	if p.control != "" {
		writeEffects(out, p, result)
	} else {
		if !p.single() {
			writeYears(out, result)
		}
		writeSummary(out, p, result)
	}
	for _, name := range p.by {
		writeGroups(out, name, p.params, result)
	}
	return nil
}

// writeHeader says what is simulated.
func (p *runPlan) writeHeader(out io.Writer, burnIn string) {
	s := p.experiment.Arms[len(p.experiment.Arms)-1].Scenario
	fmt.Fprintf(out, "econ-mcp %s · %s\n", sim.ModelVersion, p.scenarioName())
	if s.Description != "" {
		fmt.Fprintln(out, wrap(s.Description, tableWidth, "  "))
	}
	fmt.Fprintf(out, "  %s · %s · %s · %s\n",
		plural(p.params.NumHouseholds, "household"), plural(sim.LocalMarkets(p.params), "local market"),
		plural(p.params.NumHouseholds/p.params.HouseholdsPerFirm, "firm"), industries(p.params.NumIndustries))
	fmt.Fprintf(out, "  seed %d · %s · %s", p.experiment.Seed, plural(p.experiment.Months, "month"), burnIn)
	if p.experiment.Replications > 1 {
		fmt.Fprintf(out, " · %s", plural(p.experiment.Replications, "replication"))
	}
	fmt.Fprintln(out)
	if changes := p.changesText(); changes != "" {
		fmt.Fprintln(out, wrap(changes, tableWidth, "  "))
	}
	for _, v := range s.Interventions {
		fmt.Fprintln(out, wrap(v.String(), tableWidth, "  "))
	}
	fmt.Fprintln(out)
}

// changesText lists what the treatment changes, or in which parameters a single
// scenario differs from the defaults.
func (p *runPlan) changesText() string {
	const most = 8
	reference, lead := sim.Defaults(), "unlike the default: "
	if p.control != "" {
		reference, lead = p.experiment.Arms[0].Scenario.Params, "unlike the control: "
	}
	var changes []string
	for _, row := range sim.Catalogue() {
		was, _ := reference.Get(row.Name)
		is, _ := p.params.Get(row.Name)
		if was != is && row.Category != "system_scale" && !row.Technical {
			changes = append(changes, fmt.Sprintf("%s %v (%v)", row.Name, is, was))
		}
	}
	if len(changes) == 0 {
		return ""
	}
	if more := len(changes) - most; more > 0 {
		changes = append(changes[:most], fmt.Sprintf("and %d more", more))
	}
	return lead + strings.Join(changes, ", ")
}

func burnInText(months int, cached bool) string {
	switch {
	case months == 0:
		return "no burn-in"
	case cached:
		return fmt.Sprintf("burn-in of %d months from the cache", months)
	}
	return fmt.Sprintf("burn-in of %d months simulated", months)
}

func industries(n int) string {
	if n == 1 {
		return "1 industry"
	}
	return fmt.Sprintf("%d industries", n)
}
