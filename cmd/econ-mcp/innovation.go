package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/spf13/cobra"

	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/term"
	"econ-mcp/internal/trials"
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
markets and its random draws, and are not independent. One replication has none.

What kinds of innovations research makes, the weights of the kinds say
(econ-mcp params --category innovation).`

// innovationOptions are the flags of econ-mcp innovation.
type innovationOptions struct {
	simulation
	measure string
	format  string
	out     string
	events  string
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
	o.add(f, innovationReplications, "months after burn-in")
	f.StringVar(&o.measure, "measure", "revenue", "what market shares are of: revenue or units")
	f.StringVar(&o.format, "format", "text", "text or json")
	jsonFlag(f)
	f.StringVar(&o.out, "out", "", "write the result to this `file`")
	f.StringVar(&o.events, "events", "", "write every innovation to this `file` (CSV)")
	return cmd
}

func (o *innovationOptions) execute(cmd *cobra.Command) error {
	if err := checkChoice("--format", o.format, innovationFormats...); err != nil {
		return err
	}
	if err := checkChoice("--measure", o.measure, innovationMeasures...); err != nil {
		return err
	}
	arms, err := o.load(cmd.Flags())
	if err != nil {
		return err
	}
	s := arms[0].Scenario
	out, err := openOutput("--out", o.out, cmd.OutOrStdout())
	if err != nil {
		return err
	}
	defer out.discard()
	events, err := openOutput("--events", o.events, io.Discard)
	if err != nil {
		return err
	}
	defer events.discard()
	rows := bufio.NewWriter(events)
	var note func(replication int, list []sim.Event) error // nil = replications need not take turns
	if o.events != "" {
		fmt.Fprintln(rows, "replication,month,firm,kind,before,after,market_share")
		note = func(replication int, list []sim.Event) (err error) {
			for _, v := range list {
				_, err = fmt.Fprintf(rows, "%d,%d,%d,%s,%g,%g,%g\n", replication, v.Month, v.Firm, v.Kind, v.Before, v.After, v.MarketShare)
			}
			return err
		}
	}
	progress := term.NewProgress(cmd.ErrOrStderr(), s.Params)
	study, err := trials.Innovations(cmd.Context(), s, o.replications, o.measure == "units", note, o.cache(), progress.Month)
	progress.Clear()
	if err != nil {
		return err
	}
	if err := errors.Join(rows.Flush(), events.commit()); err != nil {
		return err
	}
	if o.format == "json" {
		err = encodeJSON(out, study, "  ")
	} else {
		writeInnovations(out, study)
	}
	if err != nil {
		return err
	}
	return out.commit()
}

// writeInnovations prints the responses for people.
func writeInnovations(w io.Writer, study *trials.InnovationStudy) {
	fmt.Fprintf(w, "%s: %s, %s from seed %d, %s after a burn-in of %d\n\n", study.Scenario, report.Plural(study.Households, "household"),
		report.Plural(study.Replications, "replication"), study.Seed, report.Plural(study.Months, "month"), study.BurnInMonths)
	interval := fmt.Sprintf("%.0f %% interval", 100*study.Confidence)
	fmt.Fprintf(w, "Growth of shares of %s from the month before an innovation: innovators and matched others\n\n", study.Measure())
	fmt.Fprintf(w, "%s%s%s%s%s%s%s%s%s\n", term.Left("kind", 13), term.Right("months", 6), term.Right("pairs", 9), term.Right("innov.", 9),
		term.Right("others", 9),
		term.Right("diff.", 8), term.Right(interval, 18), term.Right("corr.", 8), term.Right(interval, 18))
	last := ""
	for _, r := range study.Responses {
		kind := r.Kind
		if kind == last {
			kind = ""
		}
		last = r.Kind
		fmt.Fprintf(w, "%s%s%s%s%s%s%s%s%s\n", term.Left(kind, 13), term.Right(fmt.Sprint(r.Horizon), 6),
			term.Right(report.FormatNumber(float64(r.Pairs), 0), 9),
			term.Right(points(r.Innovators), 9), term.Right(points(r.Others), 9), term.Right(points(r.Difference.Mean), 8),
			term.Right(between(r.Difference, points), 18), term.Right(coefficient(r.Correlation.Mean),
				8), term.Right(between(r.Correlation, coefficient), 18))
	}
	fmt.Fprintf(w, "\nGrowth in percent. Intervals over replications; one replication has none.\n")
}

// points shows a share as percent without the sign of percent.
func points(x float64) string { return report.FormatNumber(100*x, 2) }

// coefficient shows a correlation.
func coefficient(x float64) string { return report.FormatNumber(x, 3) }

func between(i stats.Interval, show func(float64) string) string {
	if math.IsNaN(i.Low) {
		return report.Absent
	}
	return show(i.Low) + " to " + show(i.High)
}
