package lab

import (
	"cmp"
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
	Study        *tables.Study
}

// Answer reads what an experiment that was made from a question answers, by the plan that
// was stored before it began, for a principal. language "" is that of the question. One
// that was not made from a question is [fault.InvalidState].
func (l *Laboratory) Answer(ctx context.Context, name, language, by string) (Answer, error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return Answer{}, err
	}
	r, ok := RegistrationOf(x)
	if !ok || !r.FromQuestion() {
		return Answer{}, fault.New(fault.InvalidState, "experiment_name", "%s was not made from a question", name).
			WithHint("see it with econ-mcp report " + name)
	}
	language = cmp.Or(language, r.Language)
	rests, err := l.rests(ctx, x, by)
	if err != nil {
		return Answer{}, err
	}
	study, analysis, err := l.analysed(ctx, &rests[0], by)
	if err != nil {
		return Answer{}, err
	}
	robustness, err := l.robustness(ctx, &analysis, rests, by)
	return Answer{
		Experiment: x, Registration: r, PlanHash: PlanHash(x.Plan), Analysis: analysis, Language: language,
		Answered: report.Answer(&analysis, r.claim(language), language), Robustness: robustness, Study: study,
	}, err
}

// Findings tells what an experiment shows by its plan, for a principal, in paragraphs of a language; "" is
// that of the question.
func (l *Laboratory) Findings(ctx context.Context, name, language, by string) ([]string, error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return nil, err
	}
	study, analysis, err := l.analysed(ctx, &rest{experiment: x}, by)
	if err != nil {
		return nil, err
	}
	language = cmp.Or(language, languageOf(x))
	found, err := l.searched(ctx, x)
	if err != nil {
		return nil, err
	}
	var list []string
	if text := report.FoundText(found, language); text != "" {
		list = append(list, text)
	}
	if r, _ := RegistrationOf(x); found.Threshold != nil {
		if q, _ := r.inquiryOf(); len(q.Arms) == 0 { // the table has each of its values
			return list, nil
		}
	}
	return append(list, report.Conclusion(&analysis, study, language)...), nil
}
