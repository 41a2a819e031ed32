package app

import (
	"slices"

	"econ-mcp/tools"
	"econ-mcp/tools/admin"
	"econ-mcp/tools/analysis"
	"econ-mcp/tools/automation"
	"econ-mcp/tools/history"
	"econ-mcp/tools/intervention"
	"econ-mcp/tools/lab"
	parameters "econ-mcp/tools/params"
	"econ-mcp/tools/simulation"
	"econ-mcp/tools/yamlcfg"
)

// Tools lists the 39 tools in their order.
func (a *App) Tools() []tools.Tool {
	return slices.Concat(
		parameters.Tools(a.Spaces, a.Library),
		yamlcfg.Tools(a.Spaces, a.Library),
		intervention.Tools(a.Spaces, a.Lab),
		simulation.Tools(a.Spaces, a.Lab),
		history.Tools(a.Lab),
		analysis.Tools(a.Lab),
		automation.Tools(a.Lab, a.Library),
	)
}

// Toolset are tools beyond the 39, which a server offers where its operator names the set.
type Toolset struct {
	Name  string // such as +admin
	About string // what they are for, and who may call them; Markdown
	Tools []tools.Tool
}

// Toolsets lists all of them.
func (a *App) Toolsets() []Toolset {
	return []Toolset{
		{admin.Toolset, "What they delete cannot be brought back. Only the owner of an experiment, preset or config deletes it, also where it is " +
			"shared, and tokens of the role admin (docs/SECURITY.md).", admin.Tools(a.Lab, a.Library)},
		{lab.Toolset, "Sweeps ask one inquiry at many points, one sweep at a time, in the folder `sweeps` of the data folder, which `econ-mcp sweep` " +
			"reads and goes on with, too (docs/GUIDE.md, Many points). Everybody reads them; their owner and tokens of the role admin stop them and go on with them.",
			lab.Tools(a.Sweeps)},
	}
}

// Toolset is the one of a name; none where there is no such set.
func (a *App) Toolset(name string) (list []tools.Tool) {
	for _, set := range a.Toolsets() {
		if set.Name == name {
			list = set.Tools
		}
	}
	return list
}

// Catalogue lists the tools without a data folder: they can be described, not called.
func Catalogue() []tools.Tool { return new(App).Tools() }

// instructions tell a model how the pieces fit together.
const instructions = `econ-mcp is a laboratory of controlled experiments on an agent-based economy (households, firms, banks, government, central bank).

From a question: analyze_question -> start_simulation(inquiry=...) -> get_simulation_status until running=false -> capture_experiment -> analyze_experiment or compare_experiments. Asked back, take the inquiry of a choice, or write one: econ://schema/inquiry (arms, doses, rules, equal cost, thresholds).
By hand: get_all_parameters, set_parameter or batch_set_parameters, then start_simulation(control="baseline").
While it runs: pause_simulation, inject_intervention, resume_simulation.

Your workspace holds parameter values and planned interventions; experiments, presets and configs are shared and are kept. Rates are shares (0.05 = 5 %), money is currency units a month (mean wage at the start: 3,000).
Differences between arms are paired by seed; without replications there are no intervals. The plan says what is judged; what is asked beyond it is exploratory and counted.
Errors name code, field and the next move. Long results: resources econ://experiments/{name}/..., econ://parameters, econ://model.`
