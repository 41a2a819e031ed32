package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"econ-mcp/internal/design"
	"econ-mcp/internal/term"
)

func newDesign() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "design",
		Short: "How questions are turned into experiments",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	misses := false
	eval := &cobra.Command{
		Use:   "eval",
		Short: "Hold the reader of questions against labelled questions",
		Long: `Reads the labelled questions in English and Chinese and counts those of the right
type and those with exactly the right levers: parameters, directions, and the sizes
and times that the question gives. Fifty were written before the reader and are held
out: whoever tunes the reader does not look at them.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			e, err := design.Evaluate()
			if err != nil {
				return err
			}
			return printed(cmd, e.Document(), func(out io.Writer) { writeEvaluation(out, e, misses) })
		},
	}
	eval.Flags().Bool("json", false, "print JSON")
	eval.Flags().BoolVar(&misses, "misses", false, "also print what was read otherwise, of the part that is not held out")
	cmd.AddCommand(eval, newDesignLevers())
	return cmd
}

// leversDocument is the JSON form of econ-mcp design levers.
type leversDocument struct {
	Count  int                `json:"count"`
	Levers []design.LeverInfo `json:"levers"`
}

func newDesignLevers() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "levers",
		Short: "List what questions can move, and how far where they give no number",
		Long: `Lists every lever that a question can name, with the change that a question without
a number means (in the lever's own unit), a small change, and the reason.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			rows := design.LeverTable()
			return printed(cmd, leversDocument{len(rows), rows}, func(out io.Writer) { writeLeverTable(out, rows) })
		},
	}
	cmd.Flags().Bool("json", false, "print JSON")
	return cmd
}

func writeLeverTable(w io.Writer, rows []design.LeverInfo) {
	var last design.Type
	for _, row := range rows {
		if row.Type != last {
			fmt.Fprintf(w, "%s\n", row.Type)
			last = row.Type
		}
		size := row.Setting
		if row.Kind == design.KindPreset {
			size = "as it stands"
		}
		if row.Typical != nil {
			size = fmt.Sprintf("%.3g, small %.3g", *row.Typical, *row.Small)
		}
		fmt.Fprintf(w, "  %s (%s): %s\n", row.Lever, row.Kind, size)
		fmt.Fprintln(w, term.Indented(row.Why, "      "))
	}
}

func writeEvaluation(w io.Writer, e design.Evaluation, misses bool) {
	fmt.Fprintf(w, "%-10s %10s %8s %8s\n", "part", "questions", "type", "levers")
	for _, row := range e.Rows() {
		fmt.Fprintf(w, "%-10s %10d %7.1f%% %7.1f%%\n", row.Part, row.Questions, 100*row.TypeAccuracy, 100*row.LeverAccuracy)
	}
	if !misses {
		return
	}
	for _, m := range e.Misses {
		if m.HeldOut {
			continue
		}
		fmt.Fprintf(w, "\n%s\n  type %s, read as %s\n", m.Question, m.Type, m.Got.Type)
		for _, l := range m.Got.Levers {
			fmt.Fprintf(w, "  read %s %s %v\n", l.Parameter, l.Direction, l.Value)
		}
	}
}
