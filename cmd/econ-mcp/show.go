package main

import (
	"cmp"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
	"econ-mcp/internal/term"
)

// showDocument is the JSON form of econ-mcp show.
type showDocument struct {
	Summary  tables.Summary  `json:"summary"`
	PlanHash string          `json:"plan_hash"`
	Plan     json.RawMessage `json:"plan"`
	Answer   *resultDocument `json:"answer"` // null of an experiment that was not made from a question
}

func newShow() *cobra.Command {
	lang := ""
	cmd := &cobra.Command{
		Use:   "show EXPERIMENT",
		Short: "Show what an experiment answers, or where it stands",
		Long: `Show the answer of an experiment that was made from a question, as econ-mcp ask printed it;
of another, its arms and how they differ.`,
		Example: "  econ-mcp show vat_up",
		Args:    oneExperiment,
		RunE: func(cmd *cobra.Command, args []string) error {
			language, err := languageOf(lang)
			if err != nil {
				return err
			}
			return withReader(cmd, app.Options{}, func(a *app.App) error { return show(cmd, a, args[0], language) })
		},
	}
	cmd.Flags().StringVar(&lang, "lang", "auto", "language of the answer: en, zh, or auto, that of the question")
	storeFlags(cmd, "print JSON: the summary, the plan, and the answer")
	return cmd
}

func show(cmd *cobra.Command, a *app.App, name, language string) error {
	x, err := a.Store.Experiment(cmd.Context(), name)
	if err != nil {
		return err
	}
	if x.Month == 0 {
		return fault.New(fault.InvalidState, "experiment_name", "%s is %s and has no month yet", name, x.State).
			WithHint("econ-mcp call resume_simulation experiment_name=" + name + " goes on with one that was interrupted")
	}
	var answer *lab.Answer // to the question, where one was asked
	if r, _ := lab.RegistrationOf(x); r.FromQuestion() {
		given, err := a.Lab.Answer(cmd.Context(), name, language, owner)
		if err != nil {
			return err
		}
		answer = &given
	}
	switch out := cmd.OutOrStdout(); {
	case wantsJSON(cmd):
		return showJSON(cmd, a, x, answer)
	case answer == nil:
		return showArms(cmd, a, x, cmp.Or(language, report.LanguageOf(x.Question)))
	default:
		fmt.Fprintf(out, "%s\n\n", term.Indented(answer.Registration.Question, ""))
		term.Answer(out, *answer, nil)
		term.Robustness(out, *answer)
		return nil
	}
}

// showArms prints an experiment that answers no question: how it ended, or how its arms differ.
func showArms(cmd *cobra.Command, a *app.App, x store.Experiment, language string) error {
	term.Experiment(cmd.OutOrStdout(), x, language)
	if len(x.Arms) == 1 {
		s, err := a.Lab.Summary(cmd.Context(), x.Name)
		if err != nil {
			return err
		}
		term.Finals(cmd.OutOrStdout(), s)
		notes, err := a.Lab.Implausible(cmd.Context(), x.Name, language)
		term.Notes(cmd.OutOrStdout(), notes, language)
		return err
	}
	if x.Month == x.Months { // earlier, what is planned cannot be told
		told, err := a.Lab.Findings(cmd.Context(), x.Name, language, owner)
		if err != nil {
			return err
		}
		fmt.Fprintln(cmd.OutOrStdout())
		term.Findings(cmd.OutOrStdout(), told, language)
	}
	c, err := a.Lab.Compare(cmd.Context(), []string{x.Name}, inference.Choice{}, language, owner)
	if err == nil {
		term.Comparison(cmd.OutOrStdout(), c)
	}
	return err
}

func showJSON(cmd *cobra.Command, a *app.App, x store.Experiment, answer *lab.Answer) (err error) {
	doc := showDocument{PlanHash: lab.PlanHash(x.Plan), Plan: x.Plan}
	if doc.Summary, err = a.Lab.Summary(cmd.Context(), x.Name); err != nil {
		return err
	}
	if answer != nil {
		document := newResultDocument(*answer)
		doc.Answer = &document
	}
	return encodeJSON(cmd.OutOrStdout(), doc, "  ")
}
