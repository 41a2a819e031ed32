package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"

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
	Answer   *answerDocument `json:"answer"` // null of an experiment that was not made from a question
}

func newShow() *cobra.Command {
	data, lang, asJSON := "", "auto", false
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
			return withApp(data, app.Options{}, func(a *app.App) error { return show(cmd.Context(), a, cmd.OutOrStdout(), args[0], language, asJSON) })
		},
	}
	cmd.Flags().StringVar(&lang, "lang", "auto", "language of the answer: en, zh, or auto, that of the question")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON: the summary, the plan, and the answer")
	dataFlag(cmd, &data)
	return cmd
}

func show(ctx context.Context, a *app.App, out io.Writer, name, language string, asJSON bool) error {
	x, err := a.Store.Experiment(ctx, name)
	if err != nil {
		return err
	}
	r, _ := lab.RegistrationOf(x)
	asked := r.FromQuestion()
	if x.Month == 0 {
		return fault.New(fault.InvalidState, "experiment_name", "%s is %s and has no month yet", name, x.State).
			WithHint("econ-mcp call resume_simulation experiment_name=" + name + " goes on with one that was interrupted")
	}
	if asJSON {
		return showJSON(ctx, a, out, x, asked, language)
	}
	if asked {
		answer, err := a.Lab.Answer(ctx, name, language, owner)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "%s\n\n", term.Indented(answer.Registration.Question, ""))
		term.Answer(out, answer, nil)
		term.Robustness(out, answer)
		return nil
	}
	if language == "" {
		language = report.English
	}
	term.Experiment(out, x, language)
	if len(x.Arms) == 1 {
		s, err := a.Lab.Summary(ctx, name)
		if err != nil {
			return err
		}
		term.Finals(out, s)
		return nil
	}
	c, err := a.Lab.Compare(ctx, []string{name}, inference.Choice{}, owner)
	if err != nil {
		return err
	}
	term.Comparison(out, c, language)
	return nil
}

func showJSON(ctx context.Context, a *app.App, out io.Writer, x store.Experiment, asked bool, language string) (err error) {
	doc := showDocument{PlanHash: lab.PlanHash(x.Plan), Plan: x.Plan}
	if doc.Summary, err = a.Lab.Summary(ctx, x.Name); err != nil {
		return err
	}
	if asked {
		answer, err := a.Lab.Answer(ctx, x.Name, language, owner)
		if err != nil {
			return err
		}
		document := newAnswerDocument(answer, []string{}, 0)
		doc.Answer = &document
	}
	return encodeJSON(out, doc, "  ")
}
