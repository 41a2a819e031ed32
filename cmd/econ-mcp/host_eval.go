package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/host/selection"
)

func newHostEval() *cobra.Command {
	asJSON, misses := false, false
	cmd := &cobra.Command{
		Use:   "eval",
		Short: "Hold the selection of tools against labelled requests",
		Long: `Ranks the tools of three servers for labelled requests in English and Chinese, and
prints how often the right tool comes first and among the first three, and how often a
request that fits no tool gets none. A third of the requests is held out: other people
wrote them, and whoever tunes the ranking does not look at them. The others are examples
that the ranking knows; "words alone" is without them, as with servers that nobody has
seen. No server is asked and no model is needed.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := selection.EvaluateLabelled()
			if err != nil {
				return err
			}
			if asJSON {
				return encodeJSON(cmd.OutOrStdout(), e, "  ")
			}
			writeSelectionEvaluation(cmd.OutOrStdout(), e, misses)
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&misses, "misses", false, "also print which of the examples are ranked otherwise by words alone")
	return cmd
}

func writeSelectionEvaluation(out io.Writer, e selection.Evaluation, misses bool) {
	fmt.Fprintf(out, "%d tools                requests   first   among 3   no tool, none given\n", e.Tools)
	for _, part := range []struct {
		name string
		a    selection.Accuracy
	}{{"held out", e.HeldOut}, {"held out, words alone", e.Words}, {"examples, words alone", e.Known}} {
		a := part.a
		fmt.Fprintf(out, "%-22s %9d  %5.1f%%    %5.1f%%   %d of %d\n", part.name, a.Requests+a.NoTool,
			100*selection.Share(a.Top1, a.Requests), 100*selection.Share(a.Top3, a.Requests), a.Refused, a.NoTool)
	}
	if !misses {
		return
	}
	for _, m := range e.Misses {
		fmt.Fprintf(out, "%s\n  needs %s, got %s\n", m.Request, strings.Join(m.Tools, " or "), strings.Join(m.Got, ", "))
	}
}
