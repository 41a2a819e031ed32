package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/plot"
	"econ-mcp/sim"
)

// drawFigures writes all figures that the result allows, and captions.md with what stands
// under them in both languages.
func drawFigures(dir string, p *runPlan, result *lab.Result) error {
	var captions strings.Builder
	for _, f := range p.figures(result).All() {
		for ext, encode := range map[string]func(plot.Figure) ([]byte, error){".svg": plot.SVG, ".png": plot.PNG} {
			data, err := encode(f.Figure)
			if err != nil {
				return err
			}
			if err := writeWhole("--plot", filepath.Join(dir, f.Name+ext), data); err != nil {
				return err
			}
		}
		fmt.Fprintf(&captions, "## %s\n\n%s\n\n%s\n\n", f.Name, f.Caption(analysis.English), f.Caption(analysis.Chinese))
	}
	return writeWhole("--plot", filepath.Join(dir, "captions.md"), []byte(strings.TrimSpace(captions.String())+"\n"))
}

func (p *runPlan) figures(result *lab.Result) analysis.Figures {
	f := analysis.Figures{
		Title: p.scenarioName(), From: result.From, To: result.To, Effects: result.Effects, Confidence: result.Confidence,
		Source: analysis.Source{
			What: "scenario " + p.scenarioName(), Replications: p.experiment.Replications, Seed: p.experiment.Seed,
			ModelVersion: sim.ModelVersion, Months: len(result.Months), Households: p.params.NumHouseholds,
		},
	}
	for i := range result.Arms {
		arm := analysis.FigureArm{Name: result.Arms[i].Name, Panel: result.Arms[i].Panel()}
		for r := range result.Arms[i].Replications {
			replication := &result.Arms[i].Replications[r]
			arm.Groups, arm.Sizes = append(arm.Groups, &replication.Groups), append(arm.Sizes, replication.Sizes)
			arm.Began = append(arm.Began, replication.Began)
		}
		f.Arms = append(f.Arms, arm)
	}
	return f
}
