package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
)

func newHostCall() *cobra.Command {
	var o hostOptions
	source := ""
	cmd := &cobra.Command{
		Use:   "call TOOL [NAME=VALUE ...]",
		Short: "Call a tool of any server",
		Long: `Calls a tool and prints what it answers. It is looked for at the servers in the order of
the configuration, this program itself last; SERVER.TOOL, or --source, names one exactly.
Values are read by the tool's schema: text as it is, numbers and booleans as such, lists
as JSON or as a,b,c, objects as JSON. Arguments that do not fit the schema are an error,
and the server never hears of them.`,
		Example: `  econ-mcp host call econ.get_parameter parameter_name=vat_rate
  econ-mcp host call read_text_file path=report.md`,
		Args: toolAndArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.with(cmd, nil, func(ctx context.Context, d *desk) error {
				found, err := d.discoverFor(ctx, d.router.ServerOf(args[0], source))
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
				arguments, err := hostArguments(tool, args[1:])
				if err != nil {
					return err
				}
				line := &progressLine{}
				if stderr := cmd.ErrOrStderr(); isTerminal(stderr) {
					line.w, line.width = stderr, func() int { return terminalWidth(stderr) }
				}
				result, err := d.router.Call(ctx, tool, chat.Request{Tool: args[0], Arguments: arguments}, line.report)
				line.clear()
				if err != nil {
					return callFault(err, result)
				}
				if o.json {
					return encodeJSON(cmd.OutOrStdout(), result, "  ")
				}
				writeResult(cmd.OutOrStdout(), result)
				return nil
			})
		},
	}
	o.define(cmd)
	cmd.Flags().StringVar(&source, "source", "", "id of the server whose tool is meant")
	return cmd
}

// discoverFor finds the tools of a server, "" = of all.
func (d *desk) discoverFor(ctx context.Context, server string) (host.Found, error) {
	if server == "" {
		return d.router.Discover(ctx, false)
	}
	return d.router.DiscoverFor(ctx, server)
}

// report shows the progress of a call.
func (l *progressLine) report(done, total float64, message string) {
	if l.w == nil {
		return
	}
	share := ""
	if total > 0 {
		share = fmt.Sprintf("%3.0f %% · ", 100*done/total)
	}
	l.write(share + printable(message))
}

// callFault gives the error of a tool in full: the excerpt that logs have is not enough to
// mend a call by.
func callFault(err error, result host.Result) error {
	if e, ok := errors.AsType[*host.Error](err); ok && e.Layer == host.LayerTool {
		return &hostError{fault.New(fault.Internal, e.Tool, "the tool failed: %s", chat.Complaint(result)), e}
	}
	return err
}

// writeResult prints JSON in lines, and what else there is as it is.
func writeResult(out io.Writer, result host.Result) {
	text := chat.TextOf(result)
	var pretty bytes.Buffer
	if json.Indent(&pretty, []byte(text), "", "  ") == nil {
		text = pretty.String()
	}
	fmt.Fprintln(out, text)
}

// hostArguments turns NAME=VALUE pairs into the arguments of a tool, whose schema is
// another server's.
func hostArguments(tool host.Tool, pairs []string) (json.RawMessage, error) {
	schemas := tool.Arguments()
	return argumentsFrom(pairs, "path=report.md", func(name, text string) json.RawMessage { return valueFor(schemas[name], text) })
}

// valueFor is the JSON of a value that was written in a shell. What cannot be read as the
// schema wants goes on as text, for the validation to say what is wrong.
func valueFor(schema json.RawMessage, text string) json.RawMessage {
	var s struct {
		Type  json.RawMessage `json:"type"`
		Items json.RawMessage `json:"items"`
	}
	_ = json.Unmarshal(schema, &s) // without one, a value is JSON or text
	var types []string
	if json.Unmarshal(s.Type, &types) != nil {
		var one string
		if json.Unmarshal(s.Type, &one) == nil {
			types = []string{one}
		}
	}
	switch {
	case slices.Contains(types, "array") && !slices.Contains(types, "string") && !strings.HasPrefix(strings.TrimSpace(text), "["):
		list := []json.RawMessage{}
		for item := range strings.SplitSeq(text, ",") {
			if item = strings.TrimSpace(item); item != "" {
				list = append(list, valueFor(s.Items, item))
			}
		}
		data, _ := json.Marshal(list) // valid JSON always encodes
		return data
	case len(types) == 1 && types[0] == "string" || !json.Valid([]byte(text)):
		return quoted(text)
	}
	return []byte(text)
}
