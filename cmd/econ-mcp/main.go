// Command econ-mcp is an agent-based macroeconomics laboratory: it simulates an
// economy month by month, compares policies on the same random draws, and checks the
// economy against facts about real ones.
//
// Its exit codes are those of econ-mcp help exit-codes.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/term"
	"econ-mcp/sim"
)

func main() {
	run.ObeyLimits()
	ctx, stop := untilSignal(context.Background(), os.Stderr)
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// execute runs the command line and returns the exit code.
func execute(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	slog.SetDefault(slog.New(slog.NewTextHandler(stderr, nil)))
	root := newRoot()
	root.SetArgs(args)
	out := &checkedWriter{Writer: stdout}
	root.SetOut(out)
	root.SetErr(stderr)
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		if cmd == root && len(args) > 0 && !strings.HasPrefix(args[0], "-") { // flags of an unknown command
			return unknownCommand(args[0], root)
		}
		return flagError(cmd, err)
	})
	started := false
	root.PersistentPreRun = func(*cobra.Command, []string) { started = true }
	err := root.ExecuteContext(ctx)
	if err == nil && out.err != nil {
		err = fmt.Errorf("the output is not complete: %w", out.err)
	}
	if err == nil {
		return exitOK
	}
	code := exitCode(err)
	switch {
	case out.err != nil:
		code = exitFailure
	case !started:
		code = exitUsage
	}
	if asksJSON(args) {
		writeErrorJSON(stderr, err)
	} else {
		fmt.Fprintln(stderr, "econ-mcp:", term.Printable(sentenceOf(err)))
	}
	return code
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "econ-mcp",
		Short: "An agent-based macroeconomics laboratory",
		Long: `An agent-based macroeconomics laboratory: households, firms, banks, a
government, a central bank and a rest of the world, whose books balance to the last unit each month.

  econ-mcp ask "How will AI agents reshape the labour market?"
                                                  a question in, an experiment and its answer out
  econ-mcp list, show, compare, report, export, rerun, delete NAME
                                                  what has been asked and simulated
  econ-mcp gc, econ-mcp doctor                    tidy the data folder, say what is wrong with it
  econ-mcp run                                    ten years of the baseline economy
  econ-mcp run --preset high_tax --control baseline --replications 10
                                                  a policy against the economy without it
  econ-mcp presets, econ-mcp params, econ-mcp interventions
                                                  what there is to choose from
  econ-mcp serve                                  the laboratory for agents: 39 tools over MCP
  econ-mcp tools, econ-mcp call TOOL name=value   those tools, and one of them from a shell
  econ-mcp chat "How will AI agents reshape the labour market?", econ-mcp host
                                                  an agent that uses them, and other MCP servers
  econ-mcp completion bash, zsh, fish, powershell a script for the shell: it completes names from
                                                  the data folder`,
		Version:       version(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return unknownCommand(args[0], cmd)
			}
			return cmd.Help()
		},
	}
	root.SetVersionTemplate("econ-mcp {{.Version}}\n")
	root.SetHelpCommand(newHelp())
	root.AddCommand(newAsk(), newRun(), newParams(), newPresets(), newInterventions(), newValidate(), newEstimate(), newSweep(), newWorker(), newLevers(), newInnovation(), newBench(),
		newServe(), newOpen(), newCall(), newTools(), newRerun(), newList(), newShow(), newCompare(), newReport(), newExport(), newImport(), newDelete(), newAccounts(),
		newGC(), newDoctor(), newDesign(), newChat(), newHost(), newExitCodes())
	complete(root)
	return root
}

// newHelp is cobra's help command, except that an unknown name is an error.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Explain a command",
		ValidArgsFunction: beginning(func(cmd *cobra.Command, args []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
			return first(func() []string { return commandNames(cmd.Root()) })(cmd, args, begin)
		}),
		RunE: func(cmd *cobra.Command, args []string) error {
			at, rest, _ := cmd.Root().Find(args)
			if len(rest) > 0 {
				return unknownCommand(rest[0], at)
			}
			at.InitDefaultHelpFlag()
			return at.Help()
		},
	}
}

// unknownCommand names the nearest commands, or all where none is near.
func unknownCommand(name string, root *cobra.Command) error {
	names := commandNames(root)
	e := fault.Unknown(fault.NotFound, "command", name, names)
	if len(e.Allowed) == 0 {
		e.Allowed, e.Hint = names, "known: "+strings.Join(names, ", ")
	}
	return e
}

func commandNames(cmd *cobra.Command) []string {
	var names []string
	for _, c := range cmd.Commands() {
		names = append(names, c.Name())
	}
	return names
}

// flagError turns the flag parser's errors into ours.
func flagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		var names []string
		cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
		return fault.Unknown(fault.NotFound, "flag", "--"+unknown.GetSpecifiedName(), names)
	}
	if invalid, ok := errors.AsType[*pflag.InvalidValueError](err); ok {
		flag := invalid.GetFlag()
		return fault.Type("--"+flag.Name, invalid.GetValue(), flag.Value.Type())
	}
	return fault.New(fault.WrongType, "", "%s", err)
}

// version names the model, whose bits it fixes, and the build.
func version() string {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				revision = ", revision " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	return fmt.Sprintf("%s (%s %s/%s%s)", sim.ModelVersion, strings.Replace(runtime.Version(), "go", "go ", 1), runtime.GOOS,
		runtime.GOARCH, revision)
}

// atMostOne refuses more than one argument; thing is what the argument names.
func atMostOne(argument, thing string) cobra.PositionalArgs {
	return func(_ *cobra.Command, args []string) error {
		if len(args) > 1 {
			return fault.New(fault.WrongType, argument, "one %s at a time", thing)
		}
		return nil
	}
}

// noArguments refuses arguments other than flags.
func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	if cmd.HasSubCommands() {
		return unknownCommand(args[0], cmd)
	}
	return fault.New(fault.WrongType, args[0], "%q is not a flag of %s", args[0], cmd.CommandPath()).
		WithHint(fmt.Sprintf("see %s --help", cmd.CommandPath()))
}
