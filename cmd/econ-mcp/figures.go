package main

import (
	"fmt"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/plot"
)

// drawFigures writes the overview, each of its panels, and, against a control,
// the differences over time and the effects.
func drawFigures(dir string, p *runPlan, result *lab.Result) error {
	for _, f := range p.figures(result).All() {
		if _, err := plot.Save(f.Figure, dir, f.Name); err != nil {
			return err
		}
	}
	return nil
}

func (p *runPlan) figures(result *lab.Result) analysis.Figures {
	f := analysis.Figures{
		Title: p.scenarioName(), Note: fmt.Sprintf("%s; seed %d", plural(p.params.NumHouseholds, "household"), p.experiment.Seed),
		Marks: beginnings(result.Arms), Effects: result.Effects, Confidence: p.experiment.Confidence,
	}
	if n := p.experiment.Replications; n > 1 {
		f.Note += fmt.Sprintf("; mean of %d replications, shaded: its %.0f %% interval", n, 100*p.experiment.Confidence)
	}
	f.EffectsNote = fmt.Sprintf("Mean of months %d to %d; %s", p.experiment.From, p.experiment.To, plural(p.experiment.Replications, "paired replication"))
	if p.experiment.Replications > 1 {
		f.EffectsNote += fmt.Sprintf("; bars: %.0f %% intervals, filled where they exclude 0", 100*p.experiment.Confidence)
	} else {
		f.EffectsNote += ": no intervals"
	}
	for i := range result.Arms {
		f.Arms = append(f.Arms, analysis.FigureArm{Name: result.Arms[i].Name, Panel: result.Arms[i].Panel()})
	}
	return f
}
