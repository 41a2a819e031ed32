package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"econ-mcp/internal/host"
	"econ-mcp/internal/term"
)

// statsDocument is the JSON form of econ-mcp host stats.
type statsDocument struct {
	Tools   []host.Statistic `json:"tools"`
	Changes []host.Change    `json:"changes"` // of the last 30 days, the latest first
}

func newHostStats() *cobra.Command {
	var o hostOptions
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Say how the calls of each tool went, and which tools have changed",
		Long: `Prints, for every tool that was called, how many of its last 200 calls succeeded, how
long they took (median and 95th percentile) and where others failed; and the tools that
servers listed otherwise than before in the last 30 days. Nothing is connected.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.with(cmd, nil, func(_ context.Context, d *hostSession) (err error) {
				var doc statsDocument
				if doc.Tools, err = d.cache.Statistics(); err != nil {
					return err
				}
				now := time.Now()
				if doc.Changes, err = d.cache.Changes(now.AddDate(0, 0, -30)); err != nil {
					return err
				}
				return printed(cmd, doc, func(out io.Writer) { writeStats(out, doc, now) })
			})
		},
	}
	o.define(cmd)
	return cmd
}

func writeStats(out io.Writer, doc statsDocument, now time.Time) {
	fmt.Fprintf(out, "%-48s %6s %8s %10s %10s  %s\n", "tool", "calls", "success", "median", "p95", "failed at")
	for _, s := range doc.Tools {
		failed := ""
		for _, layer := range s.Failures {
			failed += string(layer) + " "
		}
		fmt.Fprintf(out, "%-48s %6d %7.0f%% %10s %10s  %s\n", term.Printable(s.Server+"."+s.Tool), s.Calls,
			100*float64(s.Successes)/float64(s.Calls), short(s.Median), short(s.P95), failed)
	}
	for _, c := range doc.Changes {
		fmt.Fprintln(out, term.Printable(changeText(c, now)))
	}
}

// short writes a duration with about three digits.
func short(d time.Duration) string {
	switch {
	case d >= time.Second:
		return d.Round(10 * time.Millisecond).String()
	case d >= time.Millisecond:
		return d.Round(10 * time.Microsecond).String()
	}
	return d.Round(time.Microsecond).String()
}
