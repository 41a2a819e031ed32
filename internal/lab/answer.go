package lab

import (
	"encoding/json"

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

// Registered reads what was registered of an experiment; ok is false of one that was not
// made from a question.
func Registered(x store.Experiment) (r Registration, ok bool) {
	if err := json.Unmarshal(x.Plan, &r); err != nil || len(r.Arms) == 0 || r.Change == "" {
		return Registration{}, false
	}
	return r, true
}

// choice is how a registered experiment is judged: as it was said before.
func (r Registration) choice() (analysis.Choice, error) {
	metrics, err := analysis.ParseMetrics(r.Outcomes)
	if err != nil {
		return analysis.Choice{}, err
	}
	return analysis.Choice{Metrics: metrics, Confidence: r.Confidence}.Over(r.Window)
}

// Answer reads what an experiment that was made from a question answers, by the plan that
// was stored before it began. language "" is that of the question. One that was not made
// from a question is [fault.InvalidState].
func (l *Laboratory) Answer(name, language string) (Answer, error) {
	a, err := l.judged(name, language)
	if err != nil {
		return a, err
	}
	if a.Robustness, err = l.robustness(a); err != nil {
		return a, err
	}
	a.Report, err = analysis.NewReport(a.Study, &a.Analysis, a.background(), a.Language)
	return a, err
}

// judged is an answer without its report.
func (l *Laboratory) judged(name, language string) (Answer, error) {
	x, err := l.Store.Experiment(name)
	if err != nil {
		return Answer{}, err
	}
	r, ok := Registered(x)
	if !ok {
		e := fault.New(fault.InvalidState, "experiment_name", "%s was not made from a question", name)
		e.Hint = "see it with econ-mcp report " + name
		return Answer{}, e
	}
	if language == "" {
		language = r.Language
	}
	c, err := r.choice()
	if err != nil {
		return Answer{}, err
	}
	if x.Month < c.To { // it ended before its window did
		c.From, c.To = 0, 0
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
