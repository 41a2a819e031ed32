package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/question"
	"econ-mcp/internal/trials"
)

func newQuestions() *cobra.Command {
	show := false
	cmd := &cobra.Command{
		Use:   "questions FILE",
		Short: "Score the reader of plain questions on a set of labelled ones",
		Long: `Reads each question of a set (internal/question/testdata/asked) as econ-mcp ask does, and counts
how often the experiment is one of those that are accepted, is another one without a word, or is
asked back. --show lists what went wrong; of a held-out set only the totals may be seen.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if show && strings.Contains(args[0], "held_out") {
				return fmt.Errorf("%s is held out: only its totals are looked at", args[0])
			}
			file, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			list, err := trials.ReadQuestions(file)
			if err != nil {
				return err
			}
			score, all := trials.Judge(list, read)
			out := cmd.OutOrStdout()
			for _, j := range all {
				if !show || j.Right {
					continue
				}
				fmt.Fprintf(out, "%s %s: %s\n", j.ID, j.Status, j.Question)
				if j.Status == trials.Ready {
					fmt.Fprintf(out, "    %s\n", j.Got.ReadBack(inquiry.English))
				}
			}
			e := json.NewEncoder(out)
			e.SetIndent("", "  ")
			return e.Encode(struct {
				trials.ReadingScore
				Rates map[string]trials.Rate `json:"rates"` // with exact intervals of 95 %
			}{score, score.Rates()})
		},
	}
	cmd.Flags().BoolVar(&show, "show", false, "list what went wrong")
	return cmd
}

// read reads a question as econ-mcp ask does.
func read(asked string) (status string, q inquiry.Inquiry) {
	r := question.Read(asked, question.Options{})
	if r.Inquiry != nil {
		q = *r.Inquiry
	}
	return string(r.Status), q
}
