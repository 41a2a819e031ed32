package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"econ-mcp/internal/estimation"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/term"
	"econ-mcp/internal/trials"
	"econ-mcp/presets"
)

// estimateOptions are the flags of econ-mcp estimate.
type estimateOptions struct {
	from     uint64
	known    string
	threads  int
	out      string
	scenario string
}

func newEstimate() *cobra.Command {
	o := &estimateOptions{}
	cmd := &cobra.Command{
		Use:   "estimate TARGETS.yaml",
		Short: "Find parameters with which the economy shows what real ones do",
		Long: `Searches for parameters of a scenario with which it comes close to quarterly data and to the
sixteen facts, and where it is told so to the facts of econ-mcp validate micro and responses.
Every set of parameters is simulated on the same seeds. The search begins with derivatives, for
which all parameters are moved at once by a two-level design, and damped least squares, and goes
on with an evolution strategy, which needs none. Moments are
weighed by the bootstrap of the data, bands of facts as 95 % intervals. What is said of the
result: which moments are met before and after, those that are held out apart; standard errors;
the directions in which moments see parameters, and those in which they do not; J.

TARGETS.yaml names the parameters with the ranges that are searched, and may say more:

  scenario: baseline              # preset, or file.yaml
  data: austria.csv               # beside the file; without it the United States, 1959 to 2014
  columns: austria-columns.yaml   # as for econ-mcp validate data
  households: 10000
  replications: 6
  seed: 1
  design_replications: 3          # of each set of the design; half of replications if left out
  tables: [micro, responses]      # facts of econ-mcp validate that count, too; none if left out
  parameters:
    consumption_habit: [0.3, 0.95]
  only: [facts, 1959Q1-2014Q4]    # a sample, facts, a table, a statistic, or both as "responses 6"
  leave_out: [micro 25]           # of them; a response that is left out is not simulated
  weights: {sd Y: 4}
  prior: 0.1                      # pull to the start
  robust: 3                       # standard deviations from which a distance counts linearly
  step: 0.05                      # of derivatives, share of a range
  rounds: 4                       # of least squares, at most
  evaluations: 200                # of the evolution strategy, at most
  population: 0                   # of a generation; 0 = by the number of parameters

What was measured of an economy is kept in a folder (--known), by content: no economy is
simulated twice, and the same call goes on where a search was interrupted.`,
		Example: "  econ-mcp estimate targets.yaml --scenario estimated.yaml --out estimation.md\n  econ-mcp estimate targets.yaml --from 2",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return o.execute(cmd, args[0]) },
	}
	f := cmd.Flags()
	f.Uint64Var(&o.from, "from", 0, "begin at random values within the ranges, by this `seed`; 0 = at those of the scenario")
	f.StringVar(&o.known, "known", "", "`folder` of what was measured of economies (default econ-mcp/measured in the user's cache folder)")
	f.IntVar(&o.threads, "threads", 0, "threads, 0 = all cores; changes no result")
	f.Bool("json", false, "print JSON")
	f.StringVar(&o.out, "out", "", "write Markdown into this `file`")
	f.StringVar(&o.scenario, "scenario", "", "write the scenario with the estimates into this `file`")
	cmd.AddCommand(newEstimatePosterior())
	return cmd
}

func (o *estimateOptions) execute(cmd *cobra.Command, path string) error {
	if err := refuseEmpty(cmd.Flags(), "known", "out", "scenario"); err != nil {
		return err
	}
	e, err := o.estimation(path)
	if err != nil {
		return err
	}
	files, err := o.open("--scenario", o.scenario)
	if err != nil {
		return err
	}
	defer files.discard()
	e.Progress = func(s estimation.Step) {
		known := ""
		if s.Cached {
			known = " (known)"
		}
		fmt.Fprintf(cmd.ErrOrStderr(), "%4d  score %s, best %s, %d of %d met: %s%s\n", s.Tried, trials.Figure(s.Score), trials.Figure(s.Best),
			s.Met, s.Of, s.What, known)
	}
	r, err := e.Run(cmd.Context())
	if err != nil {
		return err
	}
	if err := files.say(cmd, path, r.Markdown); err != nil {
		return err
	}
	files.found.Write(r.Scenario.EncodeChanged()) // an error is that of commit
	if err := files.found.commit(); err != nil {
		return err
	}
	return printed(cmd, r, func(out io.Writer) { writeEstimation(out, r) })
}

// estimateFiles are what an estimation writes: a text about it, and what it found.
type estimateFiles struct{ text, found *output }

// open takes the files before anything is simulated; flag names that of what is found.
func (o *estimateOptions) open(flag, path string) (f estimateFiles, err error) {
	if f.text, err = openOutput("--out", o.out, io.Discard); err != nil {
		return f, err
	}
	f.found, err = openOutput(flag, path, io.Discard)
	return f, err
}

func (f estimateFiles) discard() {
	f.text.discard()
	f.found.discard()
}

// say writes the text, with the call on the file of targets that gives it again.
func (f estimateFiles) say(cmd *cobra.Command, targets string, markdown func(command string) string) error {
	if filepath.IsAbs(targets) {
		targets = filepath.Base(targets)
	}
	fmt.Fprint(f.text, markdown(commandLine(cmd)+" "+term.Printable(targets)))
	return f.text.commit()
}

// estimation reads the files that the targets name, which stand beside theirs.
func (o *estimateOptions) estimation(path string) (*estimation.Estimation, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, unusable("TARGETS.yaml", path, err)
	}
	targets, err := estimation.ReadTargets(text)
	if err != nil {
		return nil, err
	}
	beside := func(name string) string {
		if name == "" || filepath.IsAbs(name) {
			return name
		}
		return filepath.Join(filepath.Dir(path), name)
	}
	e := &estimation.Estimation{Targets: targets, From: o.from, Known: o.known, Threads: o.threads}
	if e.Reality, err = reality(beside(targets.Data), beside(targets.Columns)); err != nil {
		return nil, err
	}
	if e.Scenario, err = scenarioOf(targets.Scenario, beside); err != nil {
		return nil, err
	}
	e.Known, err = knownFolder(e.Known, "measured")
	return e, err
}

// knownFolder is the folder of what is known already of economies, which is there then: the named one, or that of a kind in the
// user's cache folder.
func knownFolder(name, kind string) (string, error) {
	if name == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return "", fault.Missing("--known", "name a folder: the user's cache folder is not known")
		}
		name = filepath.Join(base, "econ-mcp", kind)
	}
	return name, prepareFolder("--known", name)
}

// scenarioOf is a preset, or the scenario of a file.
func scenarioOf(name string, beside func(string) string) (scenario.Scenario, error) {
	if isYAML(name) {
		return scenarioFile("scenario", beside(name))
	}
	return presets.Load(name)
}

func writeEstimation(w io.Writer, r *estimation.Result) {
	fmt.Fprintf(w, "%s%s%s%s%s\n", term.Left("parameter", 36), term.Right("start", 10), term.Right("estimate", 12), term.Right("s.e.", 10),
		term.Right("signal", 9))
	for _, p := range r.Parameters {
		note := ""
		switch {
		case !p.Seen:
			note = "  not seen by the moments"
		case p.AtEnd:
			note = "  at the end of its range"
		}
		fmt.Fprintf(w, "%s%s%s%s%s%s\n", term.Left(p.Name, 36), term.Right(trials.Figure(p.Start), 10), term.Right(trials.Figure(p.Value), 12),
			term.Right(trials.Figure(p.SE), 10), term.Right(trials.Figure(p.Signal), 9), note)
	}
	fmt.Fprintf(w, "\nscore %s, at the start %s; J = %s of %d moments of data, p = %s\n", trials.Figure(r.End.Score),
		trials.Figure(r.Start.Score),
		trials.Figure(r.J), r.JMoments, trials.Figure(r.JP))
	for _, t := range r.End.Tables {
		fmt.Fprintf(w, "%s: %d of %d met\n", t.Table, t.Met, t.Of)
	}
	for _, h := range r.End.HeldOut {
		fmt.Fprintf(w, "%s, held out: %d of %d met\n", h.Quarters, h.Met, h.Total)
	}
	fmt.Fprintf(w, "%d sets of parameters, %d of them simulated now\n", r.Tried, r.Simulated)
}
