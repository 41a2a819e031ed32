package main

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"econ-mcp/internal/report"
	"econ-mcp/internal/term"
)

func newHostRefresh() *cobra.Command {
	var o hostOptions
	cmd := &cobra.Command{
		Use:   "refresh",
		Short: "Ask all servers for their tools again",
		Long: `Asks every active server for its tools, side by side, keeps what they list, and prints
what has changed since it was last asked: tools that were added and removed, and arguments
of tools (+ added, - removed, ~ changed). The exit code is 1 where a server failed.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.with(cmd, nil, func(ctx context.Context, d *hostSession) error {
				found, err := d.router.Discover(ctx, "", true)
				if err != nil {
					return err
				}
				err = printed(cmd, newHostToolsDocument(found), func(out io.Writer) {
					for _, c := range found.Changes {
						fmt.Fprintln(out, term.Printable(changeText(c, time.Now())))
					}
					fmt.Fprintf(out, "%s of %s, %s\n", report.Plural(len(found.Tools), "tool"), report.Plural(len(d.hub.IDs()), "server"),
						report.Plural(len(found.Changes), "change"))
					for _, f := range found.Failures {
						warn(cmd.ErrOrStderr(), f.Error())
					}
				})
				if err == nil && len(found.Failures) > 0 {
					return fmt.Errorf("%s; the first: %w", report.Plural(len(found.Failures), "failure"), found.Failures[0])
				}
				return err
			})
		},
	}
	o.define(cmd)
	return cmd
}
