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
	"econ-mcp/internal/tables"
)

// rest is an experiment that a report rests on, with what has been asked of it.
type rest struct {
	experiment store.Experiment
	asked      []inference.Asked // by whom the report is for
	byOthers   int
}

// report is the report of an experiment, for a principal, in a language: "" is that of the question,
// else English. It is made once for each principal, language and state of what it rests on: month, plan, notes,
// ledger, and the experiments that try its verdict. Its formats and figures come from that one.
// Whoever gets what is kept asks nothing new, and is not counted by the ledger. Where it has to be made, it is made in other
// languages too, from the same analysis, and these are kept.
func (l *Laboratory) report(ctx context.Context, name, language, by string, others ...string) (*report.Report, error) {
	var rests []rest
	state := func() (string, error) {
		x, err := l.Store.Experiment(ctx, name)
		if err != nil {
			return "", err
		}
		language = cmp.Or(language, languageOf(x))
		if rests, err = l.rests(ctx, x, by); err != nil {
			return "", err
		}
		s, err := stateOf(rests)
		return s + language + " " + by, err
	}
	return l.reports.get(ctx, state, func() (*report.Report, string, error) {
		languages := []string{language}
		for _, other := range others {
			if other != language {
				languages = append(languages, other)
			}
		}
		list, err := l.newReports(ctx, rests, languages, by)
		if err != nil {
			return nil, "", err
		}
		rested, err := stateOf(rests) // the ledger may have counted what was asked
		if err != nil {
			return nil, "", err
		}
		for k, r := range list[1:] {
			l.reports.keep(rested+languages[k+1]+" "+by, r)
		}
		return list[0], rested + language + " " + by, nil
	})
}

// rests are what the report of an experiment for a principal rests on: itself, and those that try
// its verdict.
func (l *Laboratory) rests(ctx context.Context, x store.Experiment, by string) (list []rest, err error) {
	tries, err := l.tries(ctx, x)
	if err != nil {
		return nil, err
	}
	for _, x := range append([]store.Experiment{x}, tries...) {
		asked, byOthers, err := l.ledger(ctx, []string{x.Name}, by)(nil)
		if err != nil {
			return nil, err
		}
		list = append(list, rest{x, asked, byOthers})
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
		fmt.Fprintln(h, r.byOthers)
		for _, a := range r.asked {
			fmt.Fprintf(h, "%q %v\n", a.Hypothesis, a.P)
		}
	}
	return fmt.Sprintf("%x ", h.Sum(nil)), nil
}

// newReports writes a report in some languages, and notes what has then been asked of what it rests on.
func (l *Laboratory) newReports(ctx context.Context, rests []rest, languages []string, by string) (list []*report.Report, err error) {
	x := rests[0].experiment
	registered, _ := RegistrationOf(x)
	study, analysis, err := l.analysed(ctx, &rests[0], by)
	if err != nil {
		return nil, err
	}
	robustness, err := l.robustness(ctx, &analysis, rests, by)
	if err != nil {
		return nil, err
	}
	found, err := l.searched(ctx, x)
	if err != nil {
		return nil, err
	}
	for _, language := range languages {
		b := registered.background(PlanHash(x.Plan), language)
		b.Robustness, b.Found = robustness, found
		r, err := report.New(ctx, study, &analysis, b, language)
		if err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// analysed is the analysis of an experiment by its plan, for a principal. It notes what has then
// been asked of it.
func (l *Laboratory) analysed(ctx context.Context, of *rest, by string) (*tables.Study, inference.Analysis, error) {
	var c inference.Choice
	if r, ok := RegistrationOf(of.experiment); ok && r.FromQuestion() {
		c.Confidence = r.Confidence
	}
	return l.analyse(ctx, of, c, []string{}, by)
}

// analyse computes what an experiment shows, of innovations those of some kinds; what the choice
// leaves open is as it was planned.
func (l *Laboratory) analyse(
	ctx context.Context, of *rest, c inference.Choice, kinds []string, by string,
) (*tables.Study, inference.Analysis, error) {
	c, err := l.judged(ctx, c, by, of.experiment)
	if err != nil {
		return nil, inference.Analysis{}, err
	}
	study, err := l.Study(ctx, of.experiment.Name, c)
	if err != nil {
		return nil, inference.Analysis{}, err
	}
	count := c.Ledger
	c.Ledger = func(asked []inference.Asked) (own []inference.Asked, byOthers int, err error) {
		if own, byOthers, err = count(asked); err == nil {
			of.asked, of.byOthers = own, byOthers
		}
		return own, byOthers, err
	}
	a, err := report.Analyse(ctx, study, c, kinds)
	if err == nil {
		l.look(ctx, of.experiment.Name)
	}
	return study, a, err
}
