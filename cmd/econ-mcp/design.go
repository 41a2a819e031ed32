package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"econ-mcp/internal/question"
	"econ-mcp/internal/term"
)

func newDesign() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "design",
		Short: "How questions are turned into experiments",
		Args:  noArguments,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDesignLevers())
	return cmd
}

// leversDocument is the JSON form of econ-mcp design levers.
type leversDocument struct {
	Count  int                  `json:"count"`
	Levers []question.LeverInfo `json:"levers"`
}

func newDesignLevers() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "levers",
		Short: "List what questions can move, and how far where they give no number",
		Long: `Lists every lever that a question can name. Where a question says which way it moves
but not how far, a lever with one documented size takes that and says where it comes
from, if nothing else in the question may be the size; else it is asked back, with the
usual step, half and twice of it.`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			rows := question.LeverTable()
			return printed(cmd, leversDocument{len(rows), rows}, func(out io.Writer) { writeLeverTable(out, rows) })
		},
	}
	cmd.Flags().Bool("json", false, "print JSON")
	return cmd
}

func writeLeverTable(w io.Writer, rows []question.LeverInfo) {
	for _, t := range question.Types() {
		head := string(t) + "\n"
		for _, row := range rows {
			if row.Type != t {
				continue
			}
			size := ""
			if s := row.Standard; s != nil {
				size = fmt.Sprintf(": %.3g where no size is said,\n%39s%s", s.By+s.To, "", s.Source)
			} else if row.Step != nil {
				size = fmt.Sprintf(": steps of %.3g", *row.Step)
			}
			fmt.Fprintf(w, "%s  %s\n", head, term.Left(row.ID, 36)+" "+row.English+size)
			head = ""
		}
	}
}
