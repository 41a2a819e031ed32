package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host/chat"
	"econ-mcp/internal/host/selection"
	"econ-mcp/internal/term"
)

func newHostSelect() *cobra.Command {
	var o hostOptions
	var m modelOptions
	cmd := &cobra.Command{
		Use:   "select REQUEST",
		Short: "Say which tool of which server a request needs",
		Long: `Prints the tool that a request in English or Chinese needs, with its server, the reason, a
score and alternatives. Nothing is called. With a provider, its model chooses. Without one, or
where it fails, the words of the request are scored against names, titles, descriptions and
arguments, the same way for every server. A tool is then taken only where it is clearly ahead
and its server says that it only reads; otherwise up to five candidates are listed, and the
exit code is 4. A request that fits no tool gets none, and exit code 2.

With --json, "decision" is taken or ask; tool and server are empty unless one is taken.`,
		Example: `  econ-mcp host select "read the sheet"
  econ-mcp host select "比较两个实验" --json`,
		RunE: func(cmd *cobra.Command, args []string) error {
			request := strings.TrimSpace(strings.Join(args, " "))
			if request == "" {
				return fault.New(fault.Required, "REQUEST", "the request is missing").WithHint(`for example econ-mcp host select "read the sheet"`)
			}
			return o.with(cmd, nil, func(ctx context.Context, d *hostSession) error {
				client, err := m.client(d.log)
				if err != nil {
					return err
				}
				if _, err := d.discover(ctx, false, cmd.ErrOrStderr()); err != nil {
					return err
				}
				tools := d.router.Tools()
				var chooser selection.Model // nil where there is no model
				if client != nil {
					var dropped []string
					chooser = client
					tools, dropped = chat.Tellable(tools)
					warnDropped(cmd.ErrOrStderr(), dropped)
				}
				choice, err := selection.NewRanker(tools).Select(ctx, request, chooser)
				if err != nil {
					return err
				}
				if choice.Fallback != "" {
					warn(cmd.ErrOrStderr(), "scoring decides: "+choice.Fallback)
				}
				return tellChoice(cmd, request, choice)
			})
		},
	}
	o.define(cmd)
	m.define(cmd.Flags(), time.Minute)
	return cmd
}

// tellChoice prints what was chosen; where nothing was, that is an error.
func tellChoice(cmd *cobra.Command, request string, choice selection.Choice) error {
	if choice.Decision == selection.NoTool {
		return fault.New(fault.NotFound, "REQUEST", "no tool fits %q: %s", shortened(request, 80), choice.Reason).
			WithHint("econ-mcp host tools lists what there is")
	}
	err := printed(cmd, choice, func(out io.Writer) {
		if choice.Decision == selection.Taken {
			fmt.Fprintf(out, "%s  %.2f\n  %s\n", term.Printable(choice.Server+"."+choice.Tool), choice.Score, term.Printable(choice.Reason))
		}
		for i, a := range choice.Alternatives {
			if choice.Decision == selection.Taken {
				fmt.Fprintf(out, "else %s  %.2f\n", term.Printable(a.Server+"."+a.Tool), a.Score)
			} else {
				fmt.Fprintf(out, "%d. %s  %.2f\n   %s\n", i+1, term.Printable(a.Server+"."+a.Tool), a.Score, term.Printable(a.Reason))
			}
		}
	})
	if err == nil && choice.Decision == selection.Asks {
		return fault.New(codeUndecided, "REQUEST", "no tool is taken: %s", choice.Reason).
			WithHint("econ-mcp host call SERVER.TOOL calls the one that you mean")
	}
	return err
}
