package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host/selection"
	"econ-mcp/internal/term"
)

func newHostEval() *cobra.Command {
	misses := false
	cmd := &cobra.Command{
		Use:   "eval [FILE]",
		Short: "Hold the selection of tools against labelled requests",
		Long: `Scores the tools of nine servers, this program and eight that others wrote, for labelled
requests in English and Chinese, and prints how often the right tool comes first, how often it
is among the five that are offered, and how many are taken without asking. No server is asked
and no model is needed.

The requests that come with this program are a development set: the ranking was tuned on them.
Who wants an honest figure gives a FILE that others have written, one JSON object a line:

  {"request": "read the first sheet of sales.xlsx", "tools": ["excel.excel_read_sheet"]}

with several tools where each would be right, and none ([]) where no tool does it.`,
		Args: atMostOne("FILE", "file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			requests, err := selection.DevelopmentRequests()
			if len(args) > 0 {
				requests, err = readLabelled(args[0])
			}
			if err != nil {
				return err
			}
			e, err := selection.Evaluate(requests)
			if err != nil {
				return err
			}
			return printed(cmd, e, func(out io.Writer) { writeSelectionEvaluation(out, e, misses) })
		},
	}
	cmd.Flags().Bool("json", false, "print JSON")
	cmd.Flags().BoolVar(&misses, "misses", false, "also print the requests to which the right tool does not come first")
	return cmd
}

// readLabelled reads a file of labelled requests.
func readLabelled(path string) ([]selection.Labelled, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, unusable("FILE", path, err)
	}
	list, err := selection.ReadLabelled(data)
	if err != nil {
		return nil, fault.New(fault.WrongType, "FILE", "%s: %v", path, err)
	}
	return list, nil
}

func writeSelectionEvaluation(out io.Writer, e selection.Evaluation, misses bool) {
	fmt.Fprintf(out, "%-24s requests   first   offered   taken   wrongly\n", fmt.Sprintf("%d tools", e.Tools))
	for _, g := range e.Groups {
		share := func(n int) float64 { return 100 * float64(n) / float64(max(g.Requests, 1)) }
		fmt.Fprintf(out, "%-24s %8d  %5.1f%%    %5.1f%% %7d %9d\n", g.Group, g.Requests, share(g.First), share(g.Offered), g.Taken, g.Wrong)
	}
	if !misses {
		return
	}
	for _, m := range e.Misses {
		var got []string
		for _, c := range m.Got {
			got = append(got, c.Server+"."+c.Tool)
		}
		need := cmp.Or(strings.Join(m.Tools, " or "), "no tool")
		fmt.Fprintf(out, "%s\n  needs %s, got %s\n", term.Printable(m.Request), need, cmp.Or(strings.Join(got, ", "), "none"))
	}
}
