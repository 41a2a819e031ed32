package lab

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/internal/store"
)

// rest is an experiment that a report rests on, with what had been asked of it.
type rest struct {
	experiment store.Experiment
	asked      []inference.Asked
}

// report is the report of an experiment, for a principal. It is computed once for each state of
// what it rests on: month, plan, notes, ledger, and the experiments that try its verdict. Its
// formats and figures come from that one, and another language is written without another
// analysis. Whoever gets what is kept asks nothing new, and is not counted by the ledger.
func (l *Laboratory) report(ctx context.Context, name, language, by string) (*report.Report, error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return nil, err
	}
	if r, ok := RegistrationOf(x); ok && r.FromQuestion() {
		language = cmp.Or(language, r.Language)
	}
	rests, err := l.rests(ctx, x)
	if err != nil {
		return nil, err
	}
	state, err := stateOf(rests)
	if err != nil {
		return nil, err
	}
	return l.kept.report(ctx, state+language, func(ctx context.Context) (*report.Report, string, error) {
		return l.newReport(ctx, rests, state, language, by)
	})
}

// rests are what the report of an experiment rests on: itself, and those that try its verdict.
func (l *Laboratory) rests(ctx context.Context, x store.Experiment) (list []rest, err error) {
	tries, err := l.tries(ctx, x)
	if err != nil {
		return nil, err
	}
	for _, x := range append([]store.Experiment{x}, tries...) {
		asked, err := l.ledger(ctx, []string{x.Name}, "")(nil)
		if err != nil {
			return nil, err
		}
		list = append(list, rest{x, asked})
	}
	return list, nil
}

// stateOf is a hash of what a report rests on.
func stateOf(rests []rest) (string, error) {
	h := sha256.New()
	for _, r := range rests {
		x := r.experiment
		x.HasAnalysis, x.Cursor = false, "" // which say nothing of it
		data, err := json.Marshal(x)
		if err != nil {
			return "", fmt.Errorf("the state of %s: %w", x.Name, err)
		}
		h.Write(data)
		for _, a := range r.asked {
			fmt.Fprintf(h, "%q %v\n", a.Hypothesis, a.P)
		}
	}
	return fmt.Sprintf("%x ", h.Sum(nil)), nil
}

// newReport writes a report, by an analysis that is kept of the state where there is one, and
// returns what it rests on: the ledger may have counted what it asks.
func (l *Laboratory) newReport(ctx context.Context, rests []rest, state, language, by string) (*report.Report, string, error) {
	x := rests[0].experiment
	r, _ := RegistrationOf(x)
	var choice inference.Choice
	if r.FromQuestion() {
		choice.Confidence = r.Confidence
	}
	c, err := l.judged(ctx, choice, by, x)
	if err != nil {
		return nil, "", err
	}
	study, err := l.Study(ctx, x.Name, c)
	if err != nil {
		return nil, "", err
	}
	f := l.kept.found(state)
	if f == nil {
		f = &findings{}
		c.Ledger = noting(c.Ledger, &rests[0].asked)
		if f.analysis, err = report.Analyse(ctx, study, c, []string{}); err != nil {
			return nil, "", err
		}
		if len(rests) > 1 {
			verdict := report.Answer(&f.analysis, r.claim(report.English), report.English).Verdict
			if f.robustness, err = l.robustness(ctx, verdict, rests, by); err != nil {
				return nil, "", err
			}
		}
		if state, err = stateOf(rests); err != nil {
			return nil, "", err
		}
		l.kept.find(state, f)
	}
	b := r.background(PlanHash(x.Plan), language)
	b.Robustness = f.robustness
	out, err := report.New(ctx, study, &f.analysis, b, language)
	return out, state + language, err
}

// noting keeps in all what a ledger answers.
func noting(
	ledger func([]inference.Asked) ([]inference.Asked, error), all *[]inference.Asked,
) func([]inference.Asked) ([]inference.Asked, error) {
	return func(asked []inference.Asked) (list []inference.Asked, err error) {
		if list, err = ledger(asked); err == nil {
			*all = list
		}
		return list, err
	}
}
