package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
	"econ-mcp/internal/term"
)

func newHostCall() *cobra.Command {
	var o hostOptions
	source, folder := "", ""
	cmd := &cobra.Command{
		Use:   "call TOOL [NAME=VALUE ...]",
		Short: "Call a tool of any server",
		Long: `Calls a tool and prints what it answers. It is looked for at the servers in the order of
the configuration, this program itself last, then among the native tools of this process
(read_file below --folder, write_note, show_table); SERVER.TOOL, or --source, names one
exactly.
Values are read by the tool's schema: text as it is, numbers and booleans as such, lists
as JSON or as a,b,c, objects as JSON. Arguments that do not fit the schema are an error,
and the server never hears of them.`,
		Example: `  econ-mcp host call econ.get_parameter parameter_name=vat_rate
  econ-mcp host call read_text_file path=report.md
  econ-mcp host call native.read_file --folder . path=report.md`,
		Args: toolAndArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if o.timeout < 0 {
				return fault.Range("--timeout", o.timeout.String(), "0s or more")
			}
			if err := checkReadFolder(folder); err != nil {
				return err
			}
			native := chat.NativeSettings{Folder: folder, Show: func(text string) { fmt.Fprintln(cmd.OutOrStdout(), text) }}
			if wantsJSON(cmd) { // there is no screen to show a table on
				native.Show = nil
			}
			return o.with(cmd, &native, func(ctx context.Context, d *hostSession) error {
				found, err := d.router.Discover(ctx, d.router.ServerOf(args[0], source), false)
				if err != nil {
					return err
				}
				tool, err := d.router.Find(args[0], source)
				if e, ok := errors.AsType[*host.Error](err); !ok || !slices.Contains(found.Failures, e) { // else it is told now
					tellFound(cmd.ErrOrStderr(), found)
				}
				if err != nil {
					return err
				}
				arguments, err := argumentsOf(tool.Arguments(), args[1:], "path=report.md")
				if err != nil {
					return err
				}
				line := term.NewLine(cmd.ErrOrStderr())
				result, err := d.router.Call(ctx, tool, chat.Request{Tool: args[0], Arguments: arguments}, line.Report)
				line.Clear()
				if err != nil {
					return callFault(err, result)
				}
				return printed(cmd, result, func(out io.Writer) { writeResult(out, result) })
			})
		},
	}
	o.define(cmd)
	cmd.Flags().StringVar(&source, "source", "", "id of the server whose tool is meant")
	cmd.Flags().DurationVar(&o.timeout, "timeout", 0,
		"how long connecting and the call may each take; progress begins it anew (default: the server's own, 30s)")
	cmd.Flags().StringVar(&folder, "folder", "", "`folder` in which the tool read_file may read")
	return cmd
}

// callFault gives the error of a tool in full: the excerpt that logs have may not say how to
// correct the call.
func callFault(err error, result host.Result) error {
	if e, ok := errors.AsType[*host.Error](err); ok && e.Layer == host.LayerTool {
		return &hostError{fault.New(fault.Internal, e.Tool, "the tool failed: %s", chat.Complaint(result)), e}
	}
	return err
}

// writeResult prints JSON indented and other text unchanged; control characters are escaped for a
// terminal.
func writeResult(out io.Writer, result host.Result) {
	text := chat.TextOf(result)
	var pretty bytes.Buffer
	if json.Indent(&pretty, []byte(text), "", "  ") == nil {
		text = pretty.String()
	}
	if term.IsTerminal(out) {
		text = printableLines(text)
	}
	fmt.Fprintln(out, text)
}
