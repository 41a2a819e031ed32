package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/internal/tables"
	"econ-mcp/internal/term"
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
	simulation
	window  string
	format  string
	by      []string
	out     string
	plotDir string
	save    string
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
  econ-mcp run --set vat_rate=0.25 --control baseline --replications 10 --save vat25
  econ-mcp run --format json --out baseline.json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := refuseEmpty(cmd.Flags(), "preset", "config", "control", "window", "out", "plot", "cache"); err != nil {
				return err
			}
			plan, err := o.plan(cmd.Flags())
			if err != nil {
				return err
			}
			if cmd.Flags().Changed("save") {
				return plan.keep(cmd)
			}
			return plan.execute(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	o.add(f, 1, "months after burn-in")
	f.StringVar(&o.control, "control", "", "`preset` or scenario file to compare with, or burn-in")
	f.StringVar(&o.window, "window", "", "months over which effects are averaged, as `FROM:TO` (default all)")
	f.StringSliceVar(&o.by, "by", nil, "also print means of `groups`: "+strings.Join(groupNames(), ", "))
	f.StringVar(&o.format, "format", "table", "table, csv or json")
	jsonFlag(f)
	f.StringVar(&o.save, "save", "", "keep it in the data folder as the experiment of this `name`, as start_simulation does")
	dataFlag(f)
	f.StringVar(&o.out, "out", "", "write the result to this `file`")
	f.StringVar(&o.plotDir, "plot", "", "write figures (SVG, PNG and PDF) to this `folder`")
	return cmd
}

// runPlan is a checked call of econ-mcp run.
type runPlan struct {
	*runOptions
	term.Run
}

// plan checks everything that can be checked before anything is simulated.
func (o *runOptions) plan(flags *pflag.FlagSet) (*runPlan, error) {
	if err := checkChoice("--format", o.format, formats...); err != nil {
		return nil, err
	}
	if len(o.by) > 0 && o.format != "table" {
		return nil, fault.New(fault.Conflict, "--by", "--by prints tables of groups; --format is %s", o.format).
			WithHint("json always holds all groups; leave out --by")
	}
	arms, err := o.load(flags)
	if err != nil {
		return nil, err
	}
	p := arms[len(arms)-1].Scenario.Params
	from, to, err := parseWindow(o.window, p.NumIterations)
	if err != nil {
		return nil, err
	}
	if o.window != "" && len(arms)*o.replications == 1 {
		return nil, fault.New(fault.InvalidState, "--window", "--window is for effects and means").
			WithHint("use it with --control or --replications")
	}
	if err := run.FitMemory(p, 1, run.AvailableMemory()); err != nil {
		return nil, err
	}
	if err := checkGroupings(o.by, p); err != nil {
		return nil, err
	}
	if o.plotDir != "" {
		if err := prepareFolder("--plot", o.plotDir); err != nil {
			return nil, err
		}
	}
	experiment := lab.Experiment{
		Arms: arms, Replications: o.replications, Seed: uint64(p.RandomState),
		Months: p.NumIterations, Threads: p.MaxConcurrentTasks,
		Cache: o.cache(), From: from, To: to, Confidence: tables.DefaultConfidence,
	}
	return &runPlan{o, term.Run{Experiment: experiment, Control: o.control, Changed: len(o.pairs) > 0}}, nil
}

// keep simulates by the path of start_simulation and keeps what comes out, so that it can be shown, compared,
// exported and simulated again like everything else. It prints what econ-mcp show prints.
func (p *runPlan) keep(cmd *cobra.Command) error {
	for _, flag := range []string{"by", "out", "plot", "cache", "no-cache"} {
		if f := cmd.Flags().Lookup(flag); f != nil && f.Changed {
			return fault.New(fault.Conflict, "--"+flag, "what --save keeps is written by other commands").
				WithHint("leave it out; econ-mcp report " + p.save + " and econ-mcp export " + p.save + " have figures, groups and tables")
		}
	}
	if p.format == "csv" {
		return fault.New(fault.Conflict, "--format", "--save prints a table or JSON").WithHint("econ-mcp export " + p.save + " has the months as CSV")
	}
	x := p.Experiment
	order := lab.Order{
		Name: p.save, Arms: x.Arms, Replications: lab.Replications(x.Replications), Months: x.Months, Seed: &x.Seed, Principal: owner,
	}
	if p.window != "" {
		order.Plan = &lab.Plan{Window: []int{x.From, x.To}}
	}
	return withApp(cmd, app.Options{Runs: run.Settings{Threads: x.Threads}}, func(a *app.App) error {
		started, err := a.Lab.Start(cmd.Context(), order)
		if err != nil {
			return err
		}
		if _, err := follow(cmd.Context(), a.Runs, started.Name, cmd.ErrOrStderr()); err != nil {
			return err
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "kept as %s; it was not asked as an inquiry, so it is judged by the standard plan\n", started.Name)
		return show(cmd, a, started.Name, "")
	})
}

// parseWindow reads the months of --window; no text means the whole horizon.
func parseWindow(text string, months int) (from, to int, err error) {
	window, err := fromTo(text, fmt.Sprintf("1:%d", months))
	switch {
	case err != nil:
		return 0, 0, err
	case window == nil:
		return 1, months, nil
	case window[0] < 1 || window[0] > window[1] || window[1] > months:
		return 0, 0, fault.Range("--window", text, fmt.Sprintf("months 1 to %d, FROM not after TO", months))
	}
	return window[0], window[1], nil
}

// fromTo reads the two months of a --window FROM:TO; of no text there are none.
func fromTo(text, example string) ([]int, error) {
	if text == "" {
		return nil, nil
	}
	var from, to int
	_, _ = fmt.Sscanf(text, "%d:%d", &from, &to) // the comparison shows what was not read
	if text != fmt.Sprintf("%d:%d", from, to) {
		return nil, fault.New(fault.WrongType, "--window", "--window %q is not of the form FROM:TO", text).
			WithHint("for example --window " + example)
	}
	return []int{from, to}, nil
}

// execute simulates, writes the result and draws the figures.
func (p *runPlan) execute(ctx context.Context, stdout, stderr io.Writer) error {
	out, err := openOutput("--out", p.out, stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	for _, text := range p.Experiment.Warnings() {
		fmt.Fprintln(stderr, "warning: "+text)
	}
	progress := term.NewProgress(stderr, p.Treatment().Params)
	result, err := p.simulate(ctx, out, progress)
	progress.Clear()
	for _, text := range result.Implausible() { // also of one that ended early, as money outgrew the program
		fmt.Fprintln(stderr, "warning: "+text)
	}
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
	return drawFigures(ctx, p.plotDir, p, result)
}

// simulate runs the experiment. A single run for people is printed while it
// runs.
func (p *runPlan) simulate(ctx context.Context, out io.Writer, progress *term.Progress) (*lab.Result, error) {
	x := p.Experiment
	x.Progress = progress.Month
	if p.Single() && p.format == "table" {
		table := &term.YearTable{W: out, Progress: progress, Run: &p.Run}
		x.Progress = table.Month
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
	if !p.Single() {
		p.Header(out, result.CachedBurnIn)
	}
	switch {
	case p.Control != "":
		term.Effects(out, result)
	case p.Single(): // its years were printed as they went by
		term.Summary(out, result)
	default:
		term.Years(out, result)
		term.Summary(out, result)
	}
	if len(p.by) == 0 {
		return nil
	}
	list := result.GroupTables(p.Treatment().Params)
	for _, name := range p.by {
		k := slices.IndexFunc(list, func(t inference.GroupTable) bool { return t.Grouping == name })
		term.Groups(out, list[k], result)
	}
	return nil
}
