package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/host/model"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/param"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/internal/term"
	"econ-mcp/presets"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

const (
	noFiles = cobra.ShellCompDirectiveNoFileComp
	goesOn  = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
)

// complete tells the shell what may stand for the arguments and flags of every command.
// Files are offered where a flag takes one, which is what a shell does by itself.
func complete(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		complete(cmd)
	}
	if cmd := root; cmd.ValidArgsFunction == nil && cmd.Runnable() {
		cmd.ValidArgsFunction = argumentsFor(cmd)
	}
	for flag, f := range map[string]cobra.CompletionFunc{
		"preset": fixed(presets.Names), "base": scenarioNames, "control": controlNames, "metrics": listed(indicatorNames),
		"by":   listed(groupNames),
		"only": listed(parameterNames), "set": settings, "category": fixed(categoryNames), "lang": languages, "format": formatsOf,
		"status": fixed(stateNames), "measure": fixed(func() []string { return innovationMeasures }),
		"provider": fixed(func() []string { return append([]string{noModel}, model.Providers...) }),
		"log":      fixed(func() []string { return logLevels }), "language": fixed(func() []string { return []string{"en", "zh", "auto"} }),
	} {
		if root.Flags().Lookup(flag) != nil {
			if err := root.RegisterFlagCompletionFunc(flag, f); err != nil {
				panic(err) // two functions for one flag
			}
		}
	}
	for _, flag := range []string{
		"households", "months", "burn-in", "seed", "threads", "replications", "sign-replications", "window", "confidence", "limit", "cursor",
		"search", "workspace", "addr",
		"model", "base-url", "steps", "tokens", "timeout", "budget", "agent", "source", "save-with",
	} {
		if root.Flags().Lookup(flag) != nil {
			if err := root.RegisterFlagCompletionFunc(flag, cobra.NoFileCompletions); err != nil {
				panic(err)
			}
		}
	}
}

// argumentsFor completes the arguments of a command, by its name.
func argumentsFor(cmd *cobra.Command) cobra.CompletionFunc {
	if parent := cmd.Parent(); parent != nil && parent.Name() == "host" {
		if cmd.Name() == "call" || cmd.Name() == "tools" {
			return hostToolCall
		}
		return cobra.NoFileCompletions
	}
	switch cmd.Name() {
	case "call":
		return toolCall
	case "tools":
		return first(toolNames)
	case "params":
		return first(parameterNames)
	case "presets":
		return first(presets.Names)
	}
	return cobra.NoFileCompletions
}

// fixed offers names that do not depend on the call.
func fixed(names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return beginning(names(), begin), noFiles
	}
}

// first offers names for the first argument only.
func first(names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, noFiles
		}
		return beginning(names(), begin), noFiles
	}
}

// listed offers names for the last part of a list such as a,b,c.
func listed(names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
		done := begin[:strings.LastIndex(begin, ",")+1]
		var found []string
		for _, name := range names() {
			if !strings.Contains(","+done, ","+name+",") {
				found = append(found, done+name)
			}
		}
		return beginning(found, begin), goesOn
	}
}

func beginning(names []string, begin string) (found []cobra.Completion) {
	for _, name := range names {
		if strings.HasPrefix(name, begin) {
			found = append(found, name)
		}
	}
	return found
}

// scenarioNames are the presets, and the presets and configs of the data folder, which is
// not made where it is missing.
func scenarioNames(cmd *cobra.Command, _ []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	names := presets.Names()
	given, _ := cmd.Flags().GetString("data") // "" where there is no such flag
	dir, err := dataFolder(given)
	if err != nil {
		return beginning(names, begin), noFiles
	}
	if _, err := os.Stat(filepath.Join(dir, "econ-mcp.db")); err == nil {
		names = ownScenarios(dir, names)
	}
	return beginning(names, begin), noFiles
}

func ownScenarios(dir string, names []string) []string {
	library, err := param.OpenLibrary(dir)
	if err != nil {
		return names
	}
	const most = 200
	for _, read := range []func(string, int) (param.Page, error){library.PresetPage, library.ConfigPage} {
		page, err := read("", most)
		if err != nil {
			continue
		}
		for _, e := range page.Entries {
			if !e.BuiltIn {
				names = append(names, e.Name)
			}
		}
	}
	return names
}

func controlNames(cmd *cobra.Command, args []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return beginning(append(presets.Names(), lab.BurnInControl), begin), noFiles
}

// settings offers name= for --set; the value is the caller's.
func settings(_ *cobra.Command, _ []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []string
	for _, name := range parameterNames() {
		found = append(found, name+"=")
	}
	return beginning(found, begin), goesOn
}

func languages(cmd *cobra.Command, _ []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	names := report.Languages
	if f := cmd.Flags().Lookup("lang"); f.DefValue == "auto" {
		names = append([]string{"auto"}, names...)
	}
	return beginning(names, begin), noFiles
}

func formatsOf(cmd *cobra.Command, _ []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	names := map[string][]string{"run": formats, "report": report.Formats, "levers": leverFormats, "innovation": innovationFormats}[cmd.Name()]
	return beginning(names, begin), noFiles
}

func parameterNames() []string {
	var names []string
	for _, row := range sim.Catalogue() {
		names = append(names, row.Name)
	}
	return names
}

// toolCall offers tools, then their arguments, and what is known of a value.
func toolCall(cmd *cobra.Command, args []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return beginning(toolNames(), begin), noFiles
	}
	tool, err := toolNamed(app.Catalogue(), args[0])
	if err != nil {
		return nil, noFiles
	}
	if name, value, ok := strings.Cut(begin, "="); ok {
		return valuesOf(cmd, tool, name, value)
	}
	var found []string
	for _, p := range tool.Input.Properties {
		found = append(found, p.Name+"=")
	}
	return beginning(found, begin), goesOn
}

// hostToolCall offers the tools of all servers, as they are kept, then their arguments.
func hostToolCall(cmd *cobra.Command, args []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var found []string
	for _, t := range hostTools(cmd) {
		switch {
		case len(args) == 0:
			found = append(found, t.Name, t.FullName())
		case cmd.Name() == "call" && (t.Name == args[0] || t.FullName() == args[0]):
			for name := range t.Arguments() {
				found = append(found, name+"=")
			}
			slices.Sort(found)
			return beginning(found, begin), goesOn
		}
	}
	return beginning(found, begin), noFiles
}

func valuesOf(cmd *cobra.Command, tool tools.Tool, name, value string) ([]cobra.Completion, cobra.ShellCompDirective) {
	var values []cobra.Completion
	switch name {
	case "experiment_name", "experiment_names":
		data, _ := cmd.Flags().GetString("data")
		values, _ = completeNames(&data, 8)(cmd, nil, value)
	case "parameter_name":
		values = beginning(parameterNames(), value)
	case "control", "base_config_name", "config_name":
		values, _ = scenarioNames(cmd, nil, value)
	default:
		for _, p := range tool.Input.Properties {
			if p.Name == name {
				values = beginning(p.Schema.Enum, value)
			}
		}
	}
	for i := range values {
		values[i] = name + "=" + values[i]
	}
	return values, noFiles
}

func toolNames() (names []string) {
	for _, t := range app.Catalogue() {
		names = append(names, t.Name)
	}
	return names
}

func categoryNames() (names []string) {
	last := ""
	for _, row := range sim.Catalogue() {
		if row.Category != last {
			last = row.Category
			names = append(names, last)
		}
	}
	return names
}

func indicatorNames() (names []string) {
	for _, i := range sim.Indicators() {
		names = append(names, i.Name)
	}
	return names
}

func stateNames() []string {
	return []string{
		string(run.StateQueued), string(run.StateBurnIn), string(run.StateRunning), string(run.StatePaused), string(run.StateStopped),
		string(run.StateInterrupted), string(run.StateCompleted), string(run.StateFailed),
	}
}

// completeNames offers the names of stored experiments to a shell, to commands that take
// at most so many. It makes no data folder.
func completeNames(data *string, most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begin string) ([]cobra.Completion, cobra.ShellCompDirective) {
		const names = 200
		dir, err := dataFolder(*data)
		if err != nil || len(args) >= most {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		if _, err := os.Stat(filepath.Join(dir, "econ-mcp.db")); err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		s, err := store.Open(dir)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer s.Close()
		list, _, _, err := s.List(cmd.Context(), store.Filter{Limit: names})
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var found []cobra.Completion
		for _, x := range list {
			if strings.HasPrefix(x.Name, begin) && !slices.Contains(args, x.Name) {
				found = append(found, cobra.CompletionWithDesc(x.Name, term.Printable(x.Question)))
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
}
