package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/access"
	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/internal/run"
	"econ-mcp/tools"
)

func newCall() *cobra.Command {
	workspace := ""
	cmd := &cobra.Command{
		Use:   "call TOOL [NAME=VALUE ...]",
		Short: "Call one of the server's tools from a shell",
		Long: `Call one of the server's tools and print its result as JSON. Values are read by the
tool's schema: text as it is, numbers and booleans as such, lists as JSON or as a,b,c,
objects as JSON. The workspace is that of the stdio server of the same data folder.
Simulations that the call started are carried to their end before the program exits, with
progress on stderr. Interrupted, it saves what they have reached and exits with code 130;
call resume_simulation goes on with them.`,
		Example: `  econ-mcp call get_parameter parameter_name=vat_rate
  econ-mcp call batch_set_parameters parameters='{"vat_rate": 0.1, "num_households": 2000}'
  econ-mcp call start_simulation experiment_name=vat_up control=baseline replications=5
  econ-mcp call compare_experiments experiment_names=vat_up window=61,120`,
		Args: toolAndArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := mcpserver.CheckWorkspace(workspace); err != nil {
				return err
			}
			open := withApp
			if tool, err := toolNamed(app.Catalogue(), args[0]); err == nil && tool.Hints.ReadOnly {
				open = withReader
			}
			return open(cmd, app.Options{}, func(a *app.App) error {
				return call(cmd.Context(), a, workspace, args[0], args[1:], cmd.OutOrStdout(), cmd.ErrOrStderr())
			})
		},
	}
	storeFlags(cmd, "errors as JSON, too; results always are (see econ-mcp help exit-codes)")
	cmd.Flags().StringVar(&workspace, "workspace", "default", "workspace whose parameters are meant")
	return cmd
}

// call calls a tool and waits for the experiments that it starts.
func call(ctx context.Context, a *app.App, workspace, name string, pairs []string, out, log io.Writer) error {
	tool, err := toolNamed(a.Tools(), name)
	if err != nil {
		return err
	}
	schemas := host.Tool{Input: encoded(tool.Input)}.Arguments()
	arguments, err := argumentsOf(schemas, pairs, "parameter_name=vat_rate")
	if err != nil {
		return err
	}
	progress := func(done, total float64, message string) {
		fmt.Fprintf(log, "%3.0f %%  %s\n", 100*done/cmp.Or(total, 1), message)
	}
	images, err := invoke(ctx, tool, &tools.Call{Caller: access.Operator(), Workspace: workspace, Progress: progress}, arguments, out)
	if err != nil {
		return err
	}
	if images > 0 {
		fmt.Fprintln(log, "the chart is for clients of the server; econ-mcp figures draws those of an experiment into files")
	}
	return carryOut(ctx, a.Runs, log)
}

// answerOf prints what a tool answers, so that a command's JSON is the tool's. Empty texts are left
// out of the arguments.
func answerOf(ctx context.Context, a *app.App, name string, arguments map[string]any, out io.Writer) error {
	tool, err := toolNamed(a.Tools(), name)
	if err != nil {
		return err
	}
	maps.DeleteFunc(arguments, func(_ string, value any) bool { return value == "" })
	in, err := json.Marshal(arguments)
	if err != nil {
		return err
	}
	c := tools.Call{Caller: access.Operator(), Workspace: "default", Progress: func(float64, float64, string) {}}
	_, err = invoke(ctx, tool, &c, in, out)
	return err
}

// invoke calls a tool and prints its result for people, without the images, of which it says how many there are.
func invoke(ctx context.Context, tool tools.Tool, c *tools.Call, arguments json.RawMessage, out io.Writer) (images int, err error) {
	result, err := tool.Invoke(ctx, c, arguments)
	if err != nil {
		return 0, err
	}
	return len(result.Images), encodeJSON(out, result.JSON, "  ")
}

// toolAndArguments requires at least the name of a tool.
func toolAndArguments(cmd *cobra.Command, args []string) error {
	if len(args) > 0 {
		return nil
	}
	return fault.New(fault.Required, "TOOL", "the name of a tool is missing").WithHint(cmd.Parent().CommandPath() + " tools lists them")
}

// carryOut waits for the end of all experiments of this process. The first that fails or
// is interrupted is the error.
func carryOut(ctx context.Context, runs *run.Manager, log io.Writer) error {
	for _, live := range runs.Live() {
		if !live.State.Active() {
			continue
		}
		last := ""
		show := func(s run.Status) {
			step := fmt.Sprintf("%3.0f %%  %s: %s", 100*s.Progress, s.Name, s.State)
			if step == last {
				return
			}
			last = step
			where := fmt.Sprintf("month %d of %d", s.Month, s.Months)
			switch {
			case s.Preparing:
				where = s.Message
			case s.ReplicationsDone == 0 || s.Message == "":
			case s.State.Ended():
				where += "; " + s.Message
			default:
				where = s.Message
			}
			fmt.Fprintf(log, "%s, %s\n", step, where)
		}
		s, err := wait(ctx, runs, live.Name, show)
		if err != nil {
			return err
		}
		show(s)
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
	e := fault.Unknown(fault.NotFound, "tool", name, names)
	if len(e.Allowed) == 0 {
		e.Hint = "econ-mcp tools lists them"
	}
	return tools.Tool{}, e
}

// argumentsOf turns NAME=VALUE pairs into an object, by the schema of each name.
func argumentsOf(schemas map[string]json.RawMessage, pairs []string, example string) (json.RawMessage, error) {
	arguments := map[string]json.RawMessage{}
	for _, pair := range pairs {
		name, text, ok := strings.Cut(pair, "=")
		if !ok {
			return nil, fault.New(fault.WrongType, "", "%q is not of the form NAME=VALUE", pair).WithHint("for example " + example)
		}
		if _, twice := arguments[name]; twice {
			return nil, fault.New(fault.Conflict, name, "%s is given twice", name)
		}
		arguments[name] = valueOf(schemas[name], text)
	}
	return json.Marshal(arguments)
}

// valueOf is the JSON of a value that was written in a shell. What cannot be read as the schema
// wants goes on as text, for the tool or the validation to say what is wrong.
func valueOf(schema json.RawMessage, text string) json.RawMessage {
	var s struct {
		Type  json.RawMessage `json:"type"`
		Items json.RawMessage `json:"items"`
	}
	_ = json.Unmarshal(schema, &s) // without one, a value is JSON or text
	var types []string
	if json.Unmarshal(s.Type, &types) != nil {
		types = []string{strings.Trim(string(s.Type), `"`)}
	}
	isText := slices.Contains(types, "string")
	switch {
	case slices.Contains(types, "array") && !isText && !strings.HasPrefix(strings.TrimSpace(text), "["): // a,b,c
		list := []json.RawMessage{}
		for item := range strings.SplitSeq(text, ",") {
			if item = strings.TrimSpace(item); item != "" {
				list = append(list, valueOf(s.Items, item))
			}
		}
		return encoded(list)
	case isText && len(types) == 1 || !json.Valid([]byte(text)):
		return encoded(text)
	}
	return []byte(text)
}

// encoded is the JSON of a value that always has one. Bytes that are not UTF-8 become U+FFFD.
func encoded(value any) json.RawMessage {
	data, _ := json.Marshal(value)
	return data
}

func newTools() *cobra.Command {
	asMarkdown := false
	cmd := &cobra.Command{
		Use:   "tools [TOOL]",
		Short: "List the server's tools, or show one with its schemas",
		Long: `List the 39 tools that econ-mcp serve offers to agents, by category. With a name, print
that tool as JSON: description, hints, and the schemas of its arguments and its result.
econ-mcp call calls one. The tools that econ-mcp serve --toolsets +admin,+lab adds are shown
by name only.`,
		Example: `  econ-mcp tools
  econ-mcp tools start_simulation`,
		Args: atMostOne("TOOL", "tool"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if wantsJSON(cmd) && asMarkdown {
				return fault.New(fault.Conflict, "--json", "--json and --markdown are two forms").WithHint("use one of them")
			}
			catalogue, optional := app.Catalogue(), new(app.App).Toolsets()
			if len(args) == 1 {
				tool, err := toolNamed(withToolsets(catalogue, optional), args[0])
				if err != nil {
					return err
				}
				if !asMarkdown {
					return encodeJSON(cmd.OutOrStdout(), newToolDocument(tool), "  ")
				}
				printEachTool(cmd.OutOrStdout(), []tools.Tool{tool})
				return nil
			}
			if asMarkdown {
				printToolsMarkdown(cmd.OutOrStdout(), catalogue, optional)
				return nil
			}
			return printed(cmd, newToolsDocument(catalogue), func(out io.Writer) { printTools(out, catalogue) })
		},
	}
	cmd.Flags().Bool("json", false, "with descriptions, hints and schemas, as JSON")
	cmd.Flags().BoolVar(&asMarkdown, "markdown", false, "as docs/TOOLS.md has it")
	return cmd
}

func withToolsets(catalogue []tools.Tool, sets []app.Toolset) []tools.Tool {
	for _, set := range sets {
		catalogue = append(catalogue, set.Tools...)
	}
	return catalogue
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

// toolsDocument is the JSON form of the catalogue.
type toolsDocument struct {
	Count int            `json:"count"`
	Tools []toolDocument `json:"tools"`
}

func newToolDocument(t tools.Tool) toolDocument {
	return toolDocument{
		t.Name, t.Title, t.TitleZH, t.Category, t.Description, t.Hints.ReadOnly, t.Hints.Destructive, t.Hints.Idempotent, t.Input, t.Output,
	}
}

func newToolsDocument(catalogue []tools.Tool) toolsDocument {
	doc := toolsDocument{Count: len(catalogue)}
	for _, t := range catalogue {
		doc.Tools = append(doc.Tools, newToolDocument(t))
	}
	return doc
}
