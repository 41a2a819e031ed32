package lab

import (
	"context"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
)

// Answer is what an experiment answers to the question that it was made for.
type Answer struct {
	Experiment   store.Experiment // without its runs' months
	Registration Registration
	PlanHash     string
	Analysis     inference.Analysis
	Answered     report.Answered
	Robustness   []report.Robustness // the verdict under other behaviour; empty = not tried
	Language     string
	Report       *report.Report // in the same language, over the same months
	Study        *tables.Study

	asked []inference.Asked // all that was ever asked of it, once it was; nil where nothing could be
}

// Answer reads what an experiment that was made from a question answers, by the plan that
// was stored before it began, for a principal. language "" is that of the question. One
// that was not made from a question is [fault.InvalidState].
func (l *Laboratory) Answer(ctx context.Context, name, language, by string) (Answer, error) {
	a, err := l.answered(ctx, name, language, by)
	if err != nil {
		return a, err
	}
	rests, err := l.rests(ctx, a.Experiment)
	if err != nil {
		return a, err
	}
	if a.Robustness, err = l.robustness(ctx, a.Answered.Verdict, rests, by); err != nil {
		return a, err
	}
	b := a.Registration.background(a.PlanHash, a.Language)
	b.Robustness = a.Robustness
	a.Report, err = report.New(ctx, a.Study, &a.Analysis, b, a.Language)
	return a, err
}

// answered is an answer without its report, and without what became of it under other
// behaviour.
func (l *Laboratory) answered(ctx context.Context, name, language, by string) (Answer, error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return Answer{}, err
	}
	r, ok := RegistrationOf(x)
	if !ok || !r.FromQuestion() {
		return Answer{}, fault.New(fault.InvalidState, "experiment_name", "%s was not made from a question", name).
			WithHint("see it with econ-mcp report " + name)
	}
	if language == "" {
		language = r.Language
	}
	c, err := l.judged(ctx, inference.Choice{Confidence: r.Confidence}, by, x)
	if err != nil {
		return Answer{}, err
	}
	study, err := l.Study(ctx, name, c)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Experiment: x, Registration: r, PlanHash: PlanHash(x.Plan), Language: language, Study: study}
	c.Ledger = noting(c.Ledger, &a.asked)
	if a.Analysis, err = report.Analyse(ctx, study, c, []string{}); err != nil {
		return a, err
	}
	a.Answered = report.Answer(&a.Analysis, r.claim(language), language)
	return a, nil
}
