package main

import (
	"strconv"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
	"econ-mcp/internal/term"
)

func newList() *cobra.Command {
	var f store.Filter
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List stored experiments, the newest first",
		Long: `List the experiments of the data folder, the newest first: name, when it was made, the
state of its runs, its size, and the question where one was asked. econ-mcp show, compare,
report, export, rerun and delete take a name of this list.`,
		Example: `  econ-mcp list
  econ-mcp list --search "minimum wage" --json`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if f.Limit < 1 || f.Limit > 200 {
				return fault.Range("--limit", strconv.Itoa(f.Limit), "1 to 200")
			}
			return withReader(cmd, app.Options{}, func(a *app.App) error {
				if wantsJSON(cmd) {
					arguments := map[string]any{"limit": f.Limit, "cursor": f.Cursor, "search": f.Search, "status": f.State}
					return answerOf(cmd.Context(), a, "list_history_experiments", arguments, cmd.OutOrStdout())
				}
				list, total, next, err := a.Lab.List(cmd.Context(), f)
				if err != nil {
					return err
				}
				term.Experiments(cmd.OutOrStdout(), list, total, next)
				return nil
			})
		},
	}
	cmd.Flags().IntVar(&f.Limit, "limit", 20, "at most so many, up to 200")
	cmd.Flags().StringVar(&f.Cursor, "cursor", "", "go on after the `place` where the list before ended")
	cmd.Flags().StringVar(&f.Search, "search", "", "only those with these `words` in name, question, hypothesis or notes")
	cmd.Flags().StringVar(&f.State, "status", "", "only those in this `state` of their runs, such as completed or interrupted")
	storeFlags(cmd, "print JSON, that of the tool list_history_experiments")
	return cmd
}
