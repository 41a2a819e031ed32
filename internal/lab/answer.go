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
	Language     string
	Report       *analysis.Report // in the same language, over the same months
	Study        *analysis.Study
}

// Answer reads what an experiment that was made from a question answers, by the plan that
// was stored before it began, for a principal. language "" is that of the question. One
// that was not made from a question is [fault.InvalidState].
func (l *Laboratory) Answer(name, language, by string) (Answer, error) {
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
	if a.Report, err = analysis.NewReport(study, c, language); err != nil {
		return a, err
	}
	a.Analysis = a.Report.Analysis
	outcome, sign := r.Expected()
	a.Answered = a.Analysis.Answer(analysis.Claim{Change: r.ChangeIn(language), Outcome: outcome, Sign: sign}, language)
	return a, nil
}
