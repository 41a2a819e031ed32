package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Every command explains itself without the others, and answers in JSON where it is asked to.
func TestEveryCommand(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			walk(c)
		}
		path := strings.TrimPrefix(cmd.CommandPath(), "econ-mcp ")
		if !cmd.Runnable() || cmd.Hidden || cmd.HasSubCommands() || cmd == cmd.Root() {
			return
		}
		var stdout, stderr bytes.Buffer
		if code := execute(t.Context(), append(strings.Fields(path), "--help"), &stdout, &stderr); code != exitOK || stderr.Len() > 0 {
			t.Errorf("%s --help: exit code %d, %s", path, code, stderr.String())
		}
		if len(cmd.Long) < 80 || !strings.Contains(stdout.String(), "Usage:") {
			t.Errorf("%s says of itself: %q", path, cmd.Long)
		}
		for line := range strings.Lines(cmd.Long) {
			if len([]rune(line)) > 101 {
				t.Errorf("%s: a line of %d characters: %s", path, len([]rune(line)), line)
			}
		}
		if json := cmd.Flags().Lookup("json"); json == nil && path != "serve" && path != "open" {
			t.Errorf("%s has no --json", path)
		}
		if cmd.ValidArgsFunction == nil {
			t.Errorf("a shell would offer files to %s", path)
		}
	}
	walk(newRoot())
}

// Flags that name things of the laboratory are completed, others take no file by chance.
func TestEveryFlagIsCompleted(t *testing.T) {
	var walk func(cmd *cobra.Command)
	walk = func(cmd *cobra.Command) {
		for _, c := range cmd.Commands() {
			walk(c)
		}
		for _, name := range []string{
			"preset", "base", "control", "metrics", "by", "only", "set", "category", "lang", "format", "status", "window", "households", "months",
			"seed",
		} {
			if _, known := cmd.GetFlagCompletionFunc(name); cmd.Flags().Lookup(name) != nil && !known {
				t.Errorf("%s --%s is not completed", cmd.CommandPath(), name)
			}
		}
	}
	walk(newRoot())
}
