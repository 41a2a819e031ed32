package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/internal/run"
	"econ-mcp/tools"
)

func newCall() *cobra.Command {
	data, workspace := "", ""
	cmd := &cobra.Command{
		Use:   "call TOOL [NAME=VALUE ...]",
		Short: "Call one of the server's tools from a shell",
		Long: `Call one of the server's tools and print its result as JSON. Values are read by the
tool's schema: text as it is, numbers and booleans as such, lists and objects as JSON.
The workspace is that of the stdio server of the same data folder. Simulations that the
call started are carried to their end before the program exits; what they have reached is
saved if it is interrupted.`,
		Example: `  econ-mcp call get_parameter parameter_name=vat_rate
  econ-mcp call batch_set_parameters parameters='{"vat_rate": 0.1, "num_households": 2000}'
  econ-mcp call start_simulation control=baseline replications=5
  econ-mcp call compare_experiments experiment_names='["vat_up"]'`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := openWorkshop(data, workshopOptions{})
			if err != nil {
				return err
			}
			defer w.close()
			return call(cmd.Context(), w, workspace, args[0], args[1:], cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	dataFlag(cmd, &data)
	cmd.Flags().StringVar(&workspace, "workspace", "default", "workspace whose parameters are meant")
	return cmd
}

func call(ctx context.Context, w *workshop, workspace, name string, pairs []string, out, log io.Writer) error {
	tool, err := toolNamed(w.tools, name)
	if err != nil {
		return err
	}
	arguments, err := argumentsOf(tool, pairs)
	if err != nil {
		return err
	}
	result, err := tool.Invoke(ctx, &tools.Call{Workspace: workspace, Progress: func(done, total float64, message string) {
		fmt.Fprintf(log, "%3.0f %%  %s\n", 100*done/cmp.Or(total, 1), message)
	}}, arguments)
	if err != nil {
		return err
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, result.JSON, "", "  "); err != nil {
		return err
	}
	fmt.Fprintln(out, pretty.String())
	for _, live := range w.runs.Live() {
		if !live.State.Active() {
			continue
		}
		if _, err := w.runs.Wait(ctx, live.Name, func(s run.Status) {
			fmt.Fprintf(log, "%3.0f %%  %s: %s, month %d of %d\n", 100*s.Progress, s.Name, s.State, s.Month, s.Months)
		}); err != nil {
			return err
		}
	}
	return nil
}

// toolNamed finds a tool of the catalogue.
func toolNamed(catalogue []tools.Tool, name string) (tools.Tool, error) {
	var names []string
	for _, t := range catalogue {
		if t.Name == name {
			return t, nil
		}
		names = append(names, t.Name)
	}
	return tools.Tool{}, fault.Unknown(fault.NotFound, name, names)
}

// argumentsOf turns NAME=VALUE pairs into the tool's arguments.
func argumentsOf(tool tools.Tool, pairs []string) (json.RawMessage, error) {
	arguments := map[string]json.RawMessage{}
	for _, pair := range pairs {
		name, text, ok := strings.Cut(pair, "=")
		if !ok {
			e := fault.New(fault.WrongType, "", "%q is not of the form NAME=VALUE", pair)
			e.Hint = "for example parameter_name=vat_rate"
			return nil, e
		}
		if _, twice := arguments[name]; twice {
			return nil, fault.New(fault.Conflict, name, "%s is given twice", name)
		}
		arguments[name] = argument(tool.Input, name, text)
	}
	return json.Marshal(arguments)
}

// argument is the JSON of a value that was written in a shell. What cannot be read as
// the schema wants goes on as text, for the tool to say what is wrong.
func argument(input *tools.Schema, name, text string) json.RawMessage {
	for _, p := range input.Properties {
		if p.Name != name || p.Schema.Types[0] == "string" && len(p.Schema.Types) == 1 {
			continue
		}
		if data := []byte(text); json.Valid(data) {
			return data
		}
		if p.Schema.Types[0] == "array" { // a,b,c
			data, _ := json.Marshal(strings.Split(text, ","))
			return data
		}
	}
	data, _ := json.Marshal(text) // a text always encodes
	return data
}

func newTools() *cobra.Command {
	asJSON, asMarkdown := false, false
	cmd := &cobra.Command{
		Use:   "tools [TOOL]",
		Short: "List the server's tools, or show one with its schemas",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			catalogue := mcpserver.Catalogue(mcpserver.Domain{})
			out := cmd.OutOrStdout()
			if len(args) == 1 {
				tool, err := toolNamed(catalogue, args[0])
				if err != nil {
					return err
				}
				catalogue = []tools.Tool{tool}
				asJSON = true
			}
			switch {
			case asMarkdown:
				printToolsMarkdown(out, catalogue)
				return nil
			case asJSON:
				return printToolsJSON(out, catalogue)
			}
			printTools(out, catalogue)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "with descriptions, hints and schemas, as JSON")
	cmd.Flags().BoolVar(&asMarkdown, "markdown", false, "as docs/TOOLS.md has it")
	return cmd
}

func printTools(out io.Writer, catalogue []tools.Tool) {
	category := tools.Category("")
	for _, t := range catalogue {
		if t.Category != category {
			category = t.Category
			fmt.Fprintf(out, "%s\n", category)
		}
		fmt.Fprintf(out, "  %-32s %s\n", t.Name, t.Title)
	}
}

// toolDocument is the JSON form of an entry of the catalogue.
type toolDocument struct {
	Name         string         `json:"name"`
	Title        string         `json:"title"`
	TitleZH      string         `json:"title_zh"`
	Category     tools.Category `json:"category"`
	Description  string         `json:"description"`
	ReadOnly     bool           `json:"read_only"`
	Destructive  bool           `json:"destructive"`
	Idempotent   bool           `json:"idempotent"`
	InputSchema  *tools.Schema  `json:"input_schema"`
	OutputSchema *tools.Schema  `json:"output_schema"`
}

func printToolsJSON(out io.Writer, catalogue []tools.Tool) error {
	encoder := json.NewEncoder(out)
	encoder.SetIndent("", "  ")
	for _, t := range catalogue {
		err := encoder.Encode(toolDocument{
			t.Name, t.Title, t.TitleZH, t.Category, t.Description, t.Hints.ReadOnly, t.Hints.Destructive, t.Hints.Idempotent, t.Input, t.Output,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
