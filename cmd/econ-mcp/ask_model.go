package main

import (
	"github.com/spf13/cobra"

	"econ-mcp/internal/app"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/term"
)

// modelHint is what to do without a model.
const modelHint = "leave out --provider to have the question read by rules, or write the inquiry by hand: econ://schema/inquiry"

// propose has the question read by rules, or by the model where there is one.
func (o *askOptions) propose(cmd *cobra.Command, w *app.App) (lab.Proposal, error) {
	client, err := o.model.client(nil)
	if err != nil {
		return lab.Proposal{}, err
	}
	if client == nil {
		return w.Lab.Propose(o.question)
	}
	p, err := w.Lab.Write(cmd.Context(), client, o.question)
	if _, known := err.(*fault.Error); err != nil && !known && cmd.Context().Err() == nil {
		err = fault.New(fault.Internal, "--provider", "%v", err).WithHint(modelHint)
	}
	return p, err
}

// confirm has a person confirm what a model wrote. Where nobody can be asked only --yes does: the JSON is
// printed, and it fails.
func (o *askOptions) confirm(cmd *cobra.Command, p lab.Proposal) error {
	if o.model.provider == noModel || o.dry || o.yes {
		return nil
	}
	unconfirmed := fault.New(codeUndecided, "question", "nobody confirmed what the model wrote").
		WithHint("add --yes, or keep it with --dry-run --yaml, read it and ask the file")
	if wantsJSON(cmd) || !atTerminal(cmd) {
		if err := encodeJSON(cmd.OutOrStdout(), newReadingDocument(p), "  "); err != nil {
			return err
		}
		return unconfirmed
	}
	term.Plan(cmd.OutOrStdout(), p)
	o.shown = true
	yes, err := agreed(cmd.Context(), cmd.InOrStdin(), cmd.ErrOrStderr(), term.Say(p.Language, "Run this experiment?", "运行此实验？"))
	if err == nil && !yes {
		err = unconfirmed
	}
	return err
}
