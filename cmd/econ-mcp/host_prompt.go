package main

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
	"econ-mcp/internal/host/chat"
	"econ-mcp/internal/host/selection"
)

// promptLanguages are those in which tools are described.
var promptLanguages = []string{"en", "zh"}

// promptDocument is the JSON form of econ-mcp host prompt.
type promptDocument struct {
	Prompt string `json:"prompt"`
	Tokens int    `json:"tokens"` // estimated, never too low
	Tools  int    `json:"tools"`
}

func newHostPrompt() *cobra.Command {
	var o hostOptions
	agent, language, budget := "", "", 0
	cmd := &cobra.Command{
		Use:   "prompt [QUESTION]",
		Short: "Print how the tools are described to a model without function calling",
		Long: `Prints what a model without function calling is told: how it calls tools, and the tools
that the agent may use, with parameters, hints and examples from their last calls. With a
budget, which is for all that is printed, and a question, what is most relevant to it comes
in full, the next by name and one line, the rest as a count.`,
		Example: `  econ-mcp host prompt
  econ-mcp host prompt --budget 4000 "Who pays for a VAT rise?"`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if !slices.Contains(promptLanguages, language) {
				return fault.Range("--language", fmt.Sprintf("%q", language), promptLanguages...)
			}
			if budget < 0 {
				return fault.Range("--budget", fmt.Sprint(budget), "0 or more")
			}
			return o.with(cmd, &chat.NativeSettings{Show: func(string) {}}, func(ctx context.Context, d *hostSession) error {
				found, err := d.discover(ctx, false, cmd.ErrOrStderr())
				if err != nil {
					return err
				}
				who, err := d.agent(agent, found)
				if err != nil {
					return err
				}
				tools := slices.DeleteFunc(d.router.Tools(), func(t host.Tool) bool { return !who.Allows(t) })
				if len(tools) == 0 {
					warn(cmd.ErrOrStderr(), fmt.Sprintf("the agent '%s' may use no tools, and is told of none", who.Name))
				}
				tools, dropped := chat.Tellable(tools)
				warnDropped(cmd.ErrOrStderr(), dropped)
				text := chat.Description(tools, selection.PromptOptions{
					Question: strings.Join(args, " "), Budget: budget, Language: language, Examples: d.cache.Example,
				})
				return printed(cmd, promptDocument{text, selection.Tokens(text), len(tools)}, func(out io.Writer) {
					if text != "" {
						fmt.Fprintln(out, printableLines(text))
					}
				})
			})
		},
	}
	o.define(cmd)
	cmd.Flags().StringVar(&agent, "agent", "", "agent of the configuration (default: the first)")
	cmd.Flags().StringVar(&language, "language", "en", "en or zh")
	cmd.Flags().IntVar(&budget, "budget", 0, "tokens for the description of tools, 0 = no limit")
	return cmd
}

// agent is the one of the configuration that is named, or the first, or one that may do
// all. One whose list of tools is empty may use all that there are, and those that were found
// are saved, unless a server could not be asked.
func (d *hostSession) agent(name string, found host.Found) (host.Agent, error) {
	if name == "" && len(d.config.Agents) == 0 {
		return host.Agent{Name: "default", ToolCalling: true}, nil
	}
	var names []string
	for i, a := range d.config.Agents {
		names = append(names, a.Name)
		if name != "" && a.Name != name {
			continue
		}
		if len(a.AllowedTools) == 0 && len(found.Failures) == 0 {
			d.config.Agents[i].AllowedTools = chat.AllTools(d.router.Tools())
			if err := d.config.Save(d.path); err != nil {
				return a, fmt.Errorf("the tools of agent %s could not be saved: %w", a.Name, err)
			}
		}
		return a, nil
	}
	e := fault.Unknown(fault.NotFound, "agent", name, names)
	e.Field = "--agent"
	if len(names) == 0 {
		e.Hint = "agents stand beside mcpServers in the file of --config; see docs/HOST.md"
	}
	return host.Agent{}, e
}
