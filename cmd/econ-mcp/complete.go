package main

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

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

// mostOffered is how many stored things a shell is offered.
const mostOffered = 200

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
		cmd.ValidArgsFunction = beginning(argumentsFor(cmd))
	}
	offers := map[string]cobra.CompletionFunc{
		"preset": fixed(presets.Names), "base": scenarioNames, "control": controlNames, "metrics": listed(sim.OutcomeNames),
		"by": listed(groupNames), "only": listed(sim.ParameterNames), "set": settings, "category": fixed(sim.Categories), "lang": languages,
		"format": formatsOf, "status": fixed(stateNames), "measure": fixed(func() []string { return innovationMeasures }),
		"provider": fixed(providers), "log": fixed(func() []string { return logLevels }),
		"language": fixed(func() []string { return chatLanguages }),
	}
	root.Flags().VisitAll(func(f *pflag.Flag) {
		what, _ := pflag.UnquoteUsage(f)
		if offer, known := offers[f.Name]; known {
			_ = root.RegisterFlagCompletionFunc(f.Name, beginning(offer)) // the flag is there, and has none yet
		} else if what != "file" && what != "folder" {
			_ = root.RegisterFlagCompletionFunc(f.Name, cobra.NoFileCompletions)
		}
	})
}

// beginning keeps the offers that begin with the word to complete.
func beginning(offer cobra.CompletionFunc) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, begin string) (found []cobra.Completion, how cobra.ShellCompDirective) {
		all, how := offer(cmd, args, begin)
		for _, word := range all {
			if strings.HasPrefix(word, begin) {
				found = append(found, word)
			}
		}
		return found, how
	}
}

// argumentsFor completes the arguments of a command, by its name or by what it takes.
func argumentsFor(cmd *cobra.Command) cobra.CompletionFunc {
	switch path := cmd.CommandPath(); {
	case path == "econ-mcp host call", path == "econ-mcp host tools":
		return hostToolCall
	case path == "econ-mcp call":
		return toolCall
	case path == "econ-mcp tools":
		return first(toolNames)
	case path == "econ-mcp params":
		return first(sim.ParameterNames)
	case path == "econ-mcp presets":
		return first(presets.Names)
	case strings.Contains(cmd.Use, "EXPERIMENT..."):
		return experiments(8)
	case strings.Contains(cmd.Use, "EXPERIMENT"):
		return experiments(1)
	}
	return cobra.NoFileCompletions
}

// fixed offers names that do not depend on the call.
func fixed(names func() []string) cobra.CompletionFunc {
	return func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return names(), noFiles
	}
}

// first offers names for the first argument only.
func first(names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 {
			return nil, noFiles
		}
		return names(), noFiles
	}
}

// listed offers names for the last part of a list such as a,b,c.
func listed(names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, _ []string, begin string) (found []cobra.Completion, how cobra.ShellCompDirective) {
		done := begin[:strings.LastIndex(begin, ",")+1]
		for _, name := range names() {
			if !strings.Contains(","+done, ","+name+",") {
				found = append(found, done+name)
			}
		}
		return found, goesOn
	}
}

// folderWith is the data folder of a call that is completed, "" if it does not have the file:
// completion creates nothing.
func folderWith(cmd *cobra.Command, file string) string {
	folder, err := dataFolder(cmd) // the user's own where there is no such flag
	if err == nil {
		_, err = os.Stat(filepath.Join(folder, file))
	}
	if err != nil {
		return ""
	}
	return folder
}

// scenarioNames are the presets, and the presets and configs of the data folder.
func scenarioNames(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	names := presets.Names()
	folder := folderWith(cmd, "econ-mcp.db")
	if folder == "" {
		return names, noFiles
	}
	library, err := param.OpenLibrary(folder, nil)
	if err != nil {
		return names, noFiles
	}
	for _, read := range []func(context.Context, string, int) (param.Page, error){library.PresetPage, library.ConfigPage} {
		page, _ := read(cmd.Context(), "", mostOffered) // empty where it cannot be read
		for _, e := range page.Entries {
			if !e.BuiltIn {
				names = append(names, e.Name)
			}
		}
	}
	return names, noFiles
}

func controlNames(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
	return append(presets.Names(), lab.BurnInControl), noFiles
}

// settings offers name= for --set; the value is the caller's.
func settings(*cobra.Command, []string, string) (found []cobra.Completion, how cobra.ShellCompDirective) {
	for _, name := range sim.ParameterNames() {
		found = append(found, name+"=")
	}
	return found, goesOn
}

func languages(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if cmd.Flags().Lookup("lang").DefValue == "auto" {
		return append([]string{"auto"}, report.Languages...), noFiles
	}
	return report.Languages, noFiles
}

func formatsOf(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
	names := map[string][]string{"run": formats, "report": report.Formats, "levers": leverFormats, "innovation": innovationFormats}
	return names[cmd.Name()], noFiles
}

// toolCall offers tools, then their arguments, and what is known of a value.
func toolCall(cmd *cobra.Command, args []string, begin string) (found []cobra.Completion, how cobra.ShellCompDirective) {
	if len(args) == 0 {
		return toolNames(), noFiles
	}
	tool, err := toolNamed(app.Catalogue(), args[0])
	if err != nil {
		return nil, noFiles
	}
	if name, _, ok := strings.Cut(begin, "="); ok {
		for _, value := range valuesOf(cmd, tool, name) {
			found = append(found, name+"="+value)
		}
		return found, noFiles
	}
	for _, p := range tool.Input.Properties {
		found = append(found, p.Name+"=")
	}
	return found, goesOn
}

// hostToolCall offers the tools of all servers, from the cache, then their arguments.
func hostToolCall(cmd *cobra.Command, args []string, _ string) (found []cobra.Completion, how cobra.ShellCompDirective) {
	for _, t := range hostTools(cmd) {
		switch {
		case len(args) == 0:
			found = append(found, t.Name, t.FullName())
		case cmd.Name() == "call" && (t.Name == args[0] || t.FullName() == args[0]):
			for _, name := range slices.Sorted(maps.Keys(t.Arguments())) {
				found = append(found, name+"=")
			}
			return found, goesOn
		}
	}
	return found, noFiles
}

// valuesOf offers values of an argument of a tool.
func valuesOf(cmd *cobra.Command, tool tools.Tool, name string) []string {
	switch name {
	case "experiment_name", "experiment_names":
		return experimentNames(cmd)
	case "parameter_name":
		return sim.ParameterNames()
	case "control", "base_config_name", "config_name":
		names, _ := scenarioNames(cmd, nil, "")
		return names
	}
	for _, p := range tool.Input.Properties {
		if p.Name == name {
			return p.Schema.Enum
		}
	}
	return nil
}

func providers() []string { return append([]string{noModel}, model.Providers...) }

func toolNames() (names []string) {
	for _, t := range app.Catalogue() {
		names = append(names, t.Name)
	}
	return names
}

func stateNames() []string {
	return []string{
		string(run.StateQueued), string(run.StateBurnIn), string(run.StateRunning), string(run.StatePaused), string(run.StateStopped),
		string(run.StateInterrupted), string(run.StateCompleted), string(run.StateFailed),
	}
}

// experiments offers the stored experiments not yet named, up to the most that a command takes.
func experiments(most int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) >= most {
			return nil, noFiles
		}
		named := func(offer string) bool {
			name, _, _ := strings.Cut(offer, "\t") // before its description
			return slices.Contains(args, name)
		}
		return slices.DeleteFunc(experimentNames(cmd), named), noFiles
	}
}

// experimentNames are the stored experiments, each with its question.
func experimentNames(cmd *cobra.Command) (names []cobra.Completion) {
	folder := folderWith(cmd, "econ-mcp.db")
	if folder == "" {
		return nil
	}
	s, err := store.Open(folder)
	if err != nil {
		return nil
	}
	defer s.Close()
	list, _, _, _ := s.List(cmd.Context(), store.Filter{Limit: mostOffered}) // empty where it cannot be read
	for _, x := range list {
		names = append(names, cobra.CompletionWithDesc(x.Name, term.Printable(x.Question)))
	}
	return names
}
