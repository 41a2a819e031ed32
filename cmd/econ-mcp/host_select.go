package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
	"econ-mcp/internal/host/selection"
)

func newHostSelect() *cobra.Command {
	var o hostOptions
	var m modelOptions
	forget := false
	cmd := &cobra.Command{
		Use:   "select REQUEST",
		Short: "Say which tool of which server a request needs",
		Long: `Prints the tool that a request in English or Chinese needs, with its server, the reason,
a score and alternatives. With a provider, its model chooses, and its choice is remembered
with the words of the request: of the last 2000 requests, but of none that may tell a
secret. Without one, or where it fails, words are compared with names, descriptions and
arguments, and with requests whose tool is known. A request that fits no tool gets none, and
exit code 2. With --forget, nothing is selected: what was chosen for the request, or for all
requests where none is given, is forgotten.`,
		Example: `  econ-mcp host select "read the sheet"
  econ-mcp host select "比较两个实验" --json
  econ-mcp host select --forget`,
		RunE: func(cmd *cobra.Command, args []string) error {
			request := strings.TrimSpace(strings.Join(args, " "))
			if forget {
				return o.with(cmd, nil, func(_ context.Context, d *desk) error { return o.forget(cmd.OutOrStdout(), d.shelf, request) })
			}
			if request == "" {
				e := fault.New(fault.WrongType, "REQUEST", "the request is missing")
				e.Hint = `for example econ-mcp host select "read the sheet"`
				return e
			}
			return o.with(cmd, nil, func(ctx context.Context, d *desk) error {
				client, err := m.client(d.log)
				if err != nil {
					return err
				}
				if _, err := d.discover(ctx, false, cmd.ErrOrStderr()); err != nil {
					return err
				}
				experience, err := d.experience()
				if err != nil {
					return err
				}
				var chooser selection.Model // nil where there is no model
				if client != nil {
					chooser = client
				}
				choice, ok, err := selection.NewRanker(d.router.Tools(), experience).Select(ctx, request, chooser)
				if err != nil {
					return err
				}
				if choice.Fallback != "" {
					fmt.Fprintln(cmd.ErrOrStderr(), "econ-mcp: warning: the words decide:", printable(choice.Fallback))
				}
				byModel := chooser != nil && choice.Fallback == ""
				if !ok {
					if byModel { // what it once chose for this
						if _, err := d.shelf.Forget(request); err != nil {
							return err
						}
					}
					e := fault.New(fault.NotFound, "REQUEST", "no tool fits %q: %s", shortened(request, 80), choice.Reason)
					e.Hint = "econ-mcp host tools lists what there is"
					return e
				}
				if byModel { // next time, the words know it without the model
					if err := d.shelf.Remember(host.Precedent{Request: request, Server: choice.Server, Tool: choice.Tool}); err != nil {
						return err
					}
				}
				if o.json {
					return encodeJSON(cmd.OutOrStdout(), choice, "  ")
				}
				out := cmd.OutOrStdout()
				fmt.Fprintf(out, "%s.%s  %.2f\n  %s\n", choice.Server, choice.Tool, choice.Score, printable(choice.Reason))
				for _, a := range choice.Alternatives {
					fmt.Fprintf(out, "else %s.%s  %.2f\n", a.Server, a.Tool, a.Score)
				}
				return nil
			})
		},
	}
	o.define(cmd)
	m.define(cmd.Flags())
	cmd.Flags().BoolVar(&forget, "forget", false, "forget what a model chose for the request, or for all where none is given")
	return cmd
}

// forget drops what a model chose for a request, or for all where there is none.
func (o *hostOptions) forget(out io.Writer, shelf *host.Shelf, request string) (err error) {
	var doc struct {
		Forgotten int `json:"forgotten"`
	}
	if request == "" {
		doc.Forgotten, err = shelf.ForgetPrecedents()
	} else {
		doc.Forgotten, err = shelf.Forget(request)
	}
	if err != nil {
		return err
	}
	if o.json {
		return encodeJSON(out, doc, "  ")
	}
	_, err = fmt.Fprintf(out, "forgotten: %d\n", doc.Forgotten)
	return err
}
