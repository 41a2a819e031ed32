package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// innovationReplications is the number of seeds if none is asked for.
const innovationReplications = 10

const innovationHelp = `Simulates a scenario on many seeds and measures what innovations do to market
shares: 1, 2, 3, 6 and 12 months after an event the firm's share of its industry
in its local market is compared with the month before the event, and with that
of a firm of the same industry that had the nearest share then and no event in
that month. Neither had one for as long before as the horizon is after. Growth
of a share is its change over the mean of before and after. The correlation is
that of this growth with being the innovator, over both firms of all pairs.
Shares are of revenue, which a lower price also lowers, or of units sold.

Intervals are Student's over replications: pairs of one economy share its
markets and its luck, and are not independent. One replication has none.

What kinds of innovations research makes, the weights of the kinds say
(econ-mcp params --category innovation).`

// innovationOptions are the flags of econ-mcp innovation.
type innovationOptions struct {
	choice
	flags        settingFlags
	pairs        []string
	replications int
	measure      string
	format       string
	out          string
	events       string
	noCache      bool
	cacheDir     string
}

var (
	innovationFormats  = []string{"text", "json"}
	innovationMeasures = []string{"revenue", "units"}
)

func newInnovation() *cobra.Command {
	o := &innovationOptions{}
	cmd := &cobra.Command{
		Use:   "innovation",
		Short: "Measure what innovations do to market shares",
		Long:  innovationHelp,
		Example: `  econ-mcp innovation
  econ-mcp innovation --set innovation_price_weight=1 --set innovation_attribute_weight=1
  econ-mcp innovation --households 5000 --months 60 --events events.csv --format json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := refuseEmpty(cmd.Flags(), "preset", "config", "out", "events", "cache"); err != nil {
				return err
			}
			return o.execute(cmd)
		},
	}
	f := cmd.Flags()
	f.StringVar(&o.preset, "preset", "baseline", "scenario to simulate (see econ-mcp presets)")
	f.StringVar(&o.config, "config", "", "scenario `file` (YAML) instead of a preset")
	f.StringArrayVar(&o.pairs, "set", nil, "change a parameter: `name=value` (repeatable)")
	f.IntVar(&o.replications, "replications", innovationReplications, "number of seeds")
	o.flags.add(f, "households", "num_households", "size of the economy")
	o.flags.add(f, "months", "num_iterations", "months after burn-in")
	o.flags.add(f, "burn-in", "burn_in_months", "months of burn-in")
	o.flags.add(f, "seed", "random_state", "base seed")
	o.flags.add(f, "threads", "max_concurrent_tasks", "threads, 0 = all cores; changes no result")
	f.StringVar(&o.measure, "measure", "revenue", "what market shares are of: revenue or units")
	f.StringVar(&o.format, "format", "text", "text or json")
	jsonFlag(f)
	f.StringVar(&o.out, "out", "", "write the result to this `file`")
	f.StringVar(&o.events, "events", "", "write every innovation to this `file` (CSV)")
	f.BoolVar(&o.noCache, "no-cache", false, "neither read nor write burnt-in states on disk")
	f.StringVar(&o.cacheDir, "cache", "", "`folder` of burnt-in states")
	return cmd
}

func (o *innovationOptions) execute(cmd *cobra.Command) error {
	if o.config != "" && cmd.Flags().Changed("preset") {
		return fault.New(fault.Conflict, "--config", "--preset and --config both name a scenario; use one of them")
	}
	if !slices.Contains(innovationFormats, o.format) {
		return fault.Range("--format", o.format, innovationFormats...)
	}
	if !slices.Contains(innovationMeasures, o.measure) {
		return fault.Range("--measure", o.measure, innovationMeasures...)
	}
	if o.replications < 1 || o.replications > 10_000 {
		return fault.Range("--replications", fmt.Sprint(o.replications), "1 to 10000")
	}
	var err error
	if o.settings, err = o.flags.given(o.pairs); err != nil {
		return err
	}
	arms, err := o.arms()
	if err != nil {
		return err
	}
	s := arms[0].Scenario
	for _, path := range []string{o.out, o.events} {
		if err := prepareOutput(path, ""); err != nil {
			return err
		}
	}
	events, err := openEvents(o.events)
	if err != nil {
		return err
	}
	defer events.discard()
	progress := newProgress(cmd.ErrOrStderr(), s.Params)
	study, err := lab.Innovations(cmd.Context(), s, o.replications, o.measure == "units", events.sink(), burnInCache(o.noCache, o.cacheDir), progress.show)
	progress.clear()
	if err != nil {
		return err
	}
	if err := events.commit(); err != nil {
		return err
	}
	return writeOutput(o.out, cmd.OutOrStdout(), func(w io.Writer) error {
		if o.format == "json" {
			return encodeJSON(w, study, "  ")
		}
		writeInnovations(w, study)
		return nil
	})
}

// writeOutput writes to the file, or to stdout for an empty path.
func writeOutput(path string, stdout io.Writer, write func(io.Writer) error) error {
	out, err := openOutput(path, stdout)
	if err != nil {
		return err
	}
	defer out.discard()
	if err := write(out); err != nil {
		return err
	}
	return out.commit()
}

// eventFile takes a row an innovation as they happen. Without a path it is
// nowhere.
type eventFile struct {
	*output
	rows *bufio.Writer
}

func openEvents(path string) (*eventFile, error) {
	if path == "" {
		return &eventFile{output: &output{}}, nil
	}
	out, err := openOutput(path, nil)
	if err != nil {
		return nil, err
	}
	f := &eventFile{output: out, rows: bufio.NewWriter(out)}
	fmt.Fprintln(f.rows, "replication,month,firm,kind,before,after,market_share")
	return f, nil
}

// sink is what is called with each month's events, or nil.
func (f *eventFile) sink() func(replication int, list []sim.Event) error {
	if f.rows == nil {
		return nil
	}
	return func(replication int, list []sim.Event) error {
		for _, v := range list {
			if _, err := fmt.Fprintf(f.rows, "%d,%d,%d,%s,%g,%g,%g\n", replication, v.Month, v.Firm, v.Kind, v.Before, v.After, v.MarketShare); err != nil {
				return err
			}
		}
		return nil
	}
}

func (f *eventFile) commit() error {
	if f.rows == nil {
		return nil
	}
	return errors.Join(f.rows.Flush(), f.output.commit())
}

// writeInnovations prints the responses for people.
func writeInnovations(w io.Writer, study *lab.InnovationStudy) {
	fmt.Fprintf(w, "%s: %s, %s from seed %d, %s after a burn-in of %d\n\n", study.Scenario, plural(study.Households, "household"),
		plural(study.Replications, "replication"), study.Seed, plural(study.Months, "month"), study.BurnInMonths)
	interval := fmt.Sprintf("%.0f %% interval", 100*study.Confidence)
	fmt.Fprintf(w, "Growth of shares of %s from the month before an innovation: innovators and matched others\n\n", study.Measure())
	fmt.Fprintf(w, "%s%s%s%s%s%s%s%s%s\n", left("kind", 13), right("months", 6), right("pairs", 9), right("innov.", 9), right("others", 9),
		right("diff.", 8), right(interval, 18), right("corr.", 8), right(interval, 18))
	last := ""
	for _, r := range study.Responses {
		kind := r.Kind
		if kind == last {
			kind = ""
		}
		last = r.Kind
		fmt.Fprintf(w, "%s%s%s%s%s%s%s%s%s\n", left(kind, 13), right(fmt.Sprint(r.Horizon), 6), right(count(r.Pairs), 9),
			right(points(r.Innovators), 9), right(points(r.Others), 9), right(points(r.Difference.Mean), 8),
			right(between(r.Difference, points), 18), right(coefficient(r.Correlation.Mean), 8), right(between(r.Correlation, coefficient), 18))
	}
	fmt.Fprintf(w, "\nGrowth in percent. Intervals over replications; one replication has none.\n")
}

// points shows a share as percent without the sign of percent.
func points(x float64) string { return decimal(100*x, 2) }

// coefficient shows a correlation.
func coefficient(x float64) string { return decimal(x, 3) }

func decimal(x float64, digits int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return absent
	}
	return signed(x, digits)
}

func between(i stats.Interval, show func(float64) string) string {
	if math.IsNaN(i.Low) {
		return absent
	}
	return show(i.Low) + " to " + show(i.High)
}
