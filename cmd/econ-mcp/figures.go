package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// drawFigures writes all figures that the result allows, and captions.md with what stands
// under them in both languages.
func drawFigures(ctx context.Context, dir string, p *runPlan, result *lab.Result) error {
	var captions strings.Builder
	figures := p.figures(result).All(ctx)
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, f := range figures {
		for ext, encode := range map[string]func(plot.Figure) ([]byte, error){".svg": plot.SVG, ".png": plot.PNG, ".pdf": plot.PDF} {
			data, err := encode(f.Figure)
			if err != nil {
				return err
			}
			if err := writeFile("--plot", filepath.Join(dir, f.Name+ext), data); err != nil {
				return err
			}
		}
		fmt.Fprintf(&captions, "## %s\n\n%s\n\n%s\n\n", f.Name, f.Caption(report.English), f.Caption(report.Chinese))
	}
	return writeFile("--plot", filepath.Join(dir, "captions.md"), []byte(strings.TrimSpace(captions.String())+"\n"))
}

func (p *runPlan) figures(result *lab.Result) report.Figures {
	f := report.Figures{
		Title: p.Name(), From: result.From, To: result.To, Effects: result.Effects, Confidence: result.Confidence,
		Source: report.Source{
			What: "scenario", Name: p.Name(), Replications: p.Experiment.Replications, Seed: p.Experiment.Seed,
			ModelVersion: sim.ModelVersion, Months: len(result.Months), Households: p.Treatment().Params.NumHouseholds,
		},
	}
	for i := range result.Arms {
		arm := report.FigureArm{Name: result.Arms[i].Name, Panel: result.Arms[i].Panel(), Groups: result.Arms[i].Groups()}
		for r := range result.Arms[i].Replications {
			replication := &result.Arms[i].Replications[r]
			arm.Sizes = append(arm.Sizes, replication.Sizes)
			arm.Began = append(arm.Began, replication.Began)
		}
		arm.InForce = tables.NewInForce(p.Experiment.Arms[i].Scenario.Interventions, arm.Began, arm.Panel, len(result.Months))
		f.Arms = append(f.Arms, arm)
	}
	return f
}
