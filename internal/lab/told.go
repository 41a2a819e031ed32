package lab

import (
	"cmp"
	"context"
	"fmt"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/store"
	"econ-mcp/internal/tables"
)

// What pages show of an experiment is asked for again and again, in two languages: what took long is kept until something
// that it rests on changes.

// Told is the report of an experiment, for a principal, in a language; "" is that of the question. It is made in all languages at
// once, from one analysis.
func (l *Laboratory) Told(ctx context.Context, name, language, by string) (*report.Report, error) {
	return l.report(ctx, name, language, by, report.Languages...)
}

// Judgeable says whether looking at what an experiment shows asks the same whenever that is done: it has months, and nobody will
// simulate more. Of one that goes on each month is another window, which the ledger counts.
func Judgeable(x store.Experiment) bool {
	state := run.State(x.State)
	return x.Month > 0 && state.Ended() && state != run.StateInterrupted
}

// Effects is [Laboratory.Compare] of the arms of one experiment: what was asked before is neither computed nor counted again.
func (l *Laboratory) Effects(ctx context.Context, name string, c inference.Choice, by string) (*inference.Comparison, error) {
	state := func() (string, error) {
		x, err := l.Store.Experiment(ctx, name)
		if err != nil {
			return "", err
		}
		asked, byOthers, err := l.ledger(ctx, []string{name}, by)(nil)
		if err != nil {
			return "", err
		}
		s, err := stateOf([]rest{{x, asked, byOthers}})
		return fmt.Sprintf("%s%v %v %v %q %q %q", s, c.Metrics, c.Windows, c.Confidence, c.Test, c.Adjustment, by), err
	}
	return l.compared.get(ctx, state, func() (*inference.Comparison, string, error) {
		compared, err := l.Compare(ctx, []string{name}, c, "", by)
		if err != nil {
			return nil, "", err
		}
		rested, err := state() // the ledger may have counted what was asked
		return &compared, rested, err
	})
}

// EffectPaths are the effects of the arms of an experiment on an indicator, month by month.
type EffectPaths struct {
	Control    string
	Confidence float64 // of the bands
	Arms       []inference.DynamicEffect
}

// EffectPaths reads them for one indicator. Nothing is claimed by them, so that the ledger does not count them.
func (l *Laboratory) EffectPaths(ctx context.Context, name, metric string) (*EffectPaths, error) {
	indicators, err := indicatorsOf("metric", []string{metric})
	if err != nil {
		return nil, err
	}
	state := func() (string, error) {
		x, err := l.Store.Experiment(ctx, name)
		if err != nil {
			return "", err
		}
		s, err := stateOf([]rest{{experiment: x}})
		return s + metric, err
	}
	return l.effects.get(ctx, state, func() (*EffectPaths, string, error) {
		x, s, err := l.outline(ctx, name)
		if err != nil {
			return nil, "", err
		}
		if err := measurable(indicators, len(x.Arms)); err != nil {
			return nil, "", err
		}
		base, err := l.gdpOf(ctx, x, 0, indicators)
		if err != nil {
			return nil, "", err
		}
		for k := range s.Arms {
			if s.Arms[k].Panel, err = l.panel(ctx, x, k, indicators, base); err != nil {
				return nil, "", err
			}
		}
		r, _ := RegistrationOf(x)
		out := &EffectPaths{Control: s.Arms[0].Name, Confidence: cmp.Or(r.Confidence, tables.DefaultConfidence)}
		if out.Arms, err = inference.Paths(ctx, s, indicators[0], out.Confidence); err != nil {
			return nil, "", err
		}
		l.look(ctx, name)
		rested, err := stateOf([]rest{{experiment: x}})
		return out, rested + metric, err
	})
}

// Results is the table of effects of an experiment by its plan, or of levels where it has one arm, as CSV and as Parquet, for a
// principal.
func (l *Laboratory) Results(ctx context.Context, name, by string) (asCSV, asParquet []byte, err error) {
	r, err := l.report(ctx, name, "", by)
	if err != nil {
		return nil, nil, err
	}
	return results(&r.Analysis)
}

// PlanText tells what was registered of an experiment before its first month, line by line in a language.
func (r Registration) PlanText(planHash, language string) []report.Said {
	return r.background(planHash, language).Plan
}
