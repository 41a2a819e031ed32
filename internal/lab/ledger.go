package lab

import (
	"context"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
)

// judged is how experiments are compared, or one of them analysed, for a principal: what
// the choice leaves open is as it was planned, and what it asks beyond the plan is
// counted. It is the one way to a comparison of what is stored: tools, commands, reports
// and answers go through it.
//
// A hypothesis is counted where a p-value is told for it, even if the answer was too long to be
// sent. The tables of who gains and loses and of the public budget are a family of rows each,
// which an analysis by the plan adjusts over itself; at another window, and without a plan, each
// of the two is counted as one hypothesis. Looking at series, indicators, effects over time and
// figures is not counted, since nothing is claimed there. It is not harmless, though: a plan that
// was made after looking should be tried on an experiment with another seed.
//
// The plan of one experiment is about its own arms. Between experiments nothing was
// planned, and all is exploratory. So is what is asked before the planned window has been
// simulated: the choice is then about the second half of the months that there are. And so is
// what is asked while replications are still added, or after that was stopped.
//
// What one principal asks never corrects what another does: otherwise whoever may only read could
// make everybody's findings vanish. How much others asked is said beside it.
func (l *Laboratory) judged(ctx context.Context, c inference.Choice, by string, list ...store.Experiment) (inference.Choice, error) {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].Name
	}
	c.Ledger = l.ledger(ctx, names, by)
	if len(list) != 1 {
		return c, nil
	}
	r, ok := RegistrationOf(list[0])
	if !ok {
		return c, nil
	}
	var err error
	if c.Plan, err = r.planned(); err != nil {
		return c, err
	}
	c.Plan.Confidence = r.Confidence
	c.Plan.Unfinished = r.HalfWidth != nil && list[0].State != string(run.StateCompleted)
	return c, l.history(ctx, c.Plan, list[0])
}

// ledger counts what a principal asks of experiments. A hypothesis names what both sides simulate and the seeds, so
// that that of one is never taken for that of another.
func (l *Laboratory) ledger(ctx context.Context, names []string, by string) inference.Ledger {
	return func(asked []inference.Asked) (own []inference.Asked, byOthers int, err error) {
		entries := make([]store.Asked, len(asked))
		for i, a := range asked {
			entries[i] = store.Asked{Hypothesis: a.Hypothesis, P: a.P}
		}
		all, err := l.Store.Ask(ctx, names, entries, by)
		if err != nil {
			return nil, 0, err
		}
		for _, e := range all {
			if e.By == by {
				own = append(own, inference.Asked{Hypothesis: e.Hypothesis, P: e.P, Question: e.Question})
			}
		}
		return own, len(all) - len(own), nil
	}
}
