package app

import (
	"slices"

	"econ-mcp/tools"
	"econ-mcp/tools/admin"
	"econ-mcp/tools/analysis"
	"econ-mcp/tools/automation"
	"econ-mcp/tools/history"
	"econ-mcp/tools/intervention"
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

// AdminTools lists the tools of the toolset +admin, which are none of the 39.
func (a *App) AdminTools() []tools.Tool { return admin.Tools(a.Lab, a.Library) }

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
