package lab

import (
	"econ-mcp/internal/analysis"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/store"
)

// Answer is what an experiment answers to the question that it was made for.
type Answer struct {
	Experiment   store.Experiment // without its runs' months
	Registration Registration
	PlanHash     string
	Analysis     analysis.Analysis
	Answered     analysis.Answered
	Robustness   []analysis.Robustness // the verdict under other behaviour; empty = not tried
	Language     string
	Report       *analysis.Report // in the same language, over the same months
	Study        *analysis.Study
}

// Answer reads what an experiment that was made from a question answers, by the plan that
// was stored before it began, for a principal. language "" is that of the question. One
// that was not made from a question is [fault.InvalidState].
func (l *Laboratory) Answer(name, language, by string) (Answer, error) {
	a, err := l.answered(name, language, by)
	if err != nil {
		return a, err
	}
	if a.Robustness, err = l.robustness(a, by); err != nil {
		return a, err
	}
	b := a.Registration.background(a.PlanHash, a.Language)
	b.Robustness = a.Robustness
	a.Report, err = analysis.NewReport(a.Study, &a.Analysis, b, a.Language)
	return a, err
}

// answered is an answer without its report, and without what became of it under other
// behaviour.
func (l *Laboratory) answered(name, language, by string) (Answer, error) {
	x, err := l.Store.Experiment(name)
	if err != nil {
		return Answer{}, err
	}
	r, ok := RegistrationOf(x)
	if !ok || !r.FromQuestion() {
		e := fault.New(fault.InvalidState, "experiment_name", "%s was not made from a question", name)
		e.Hint = "see it with econ-mcp report " + name
		return Answer{}, e
	}
	if language == "" {
		language = r.Language
	}
	c, err := l.judged(analysis.Choice{Confidence: r.Confidence}, by, x)
	if err != nil {
		return Answer{}, err
	}
	study, err := l.Study(name, c)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Experiment: x, Registration: r, PlanHash: PlanHash(x.Plan), Language: language, Study: study}
	if a.Analysis, err = analysis.Analyse(study, c, []string{}); err != nil {
		return a, err
	}
	a.Answered = a.Analysis.Answer(r.claim(language), language)
	return a, nil
}
