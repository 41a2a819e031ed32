package main

import (
	"econ-mcp/internal/mcpserver"
	"econ-mcp/sim"
)

// instructions tell an agent how the pieces fit; at most 1,200 characters.
const instructions = `econ-mcp is a laboratory of agent-based macroeconomic experiments: households, firms, banks, a government, a central bank and a rest of the world, whose books balance.

How an experiment goes: (1) get_experiment_workflow or analyze_question turns a question into steps; or look for levers yourself: get_all_parameters, get_parameter_ranges, list_presets. (2) Edit your workspace: set_parameter, batch_set_parameters, load_preset, load_yaml_config; plan events with inject_intervention. (3) start_simulation returns at once; give control (such as "baseline") and replications, so that effects have intervals. (4) get_simulation_status until running is false (wait_seconds waits); meanwhile pause, resume, inject, or read get_economic_indicators. (5) compare_experiments, analyze_experiment, generate_experiment_report.

Everything that ran is kept; capture_experiment marks it as research. Money is in units per month (mean wage at the start: 3,000), rates are shares (0.05), months count from 1. An error names the field, what is allowed and the next move. Big answers come as resources econ://experiments/NAME/….`

// laboratory is what the server serves.
type laboratory struct {
	config mcpserver.Config

	// announce lets the domain tell the server's clients of changes. May be nil.
	announce func(*mcpserver.Server)
}

// catalogue opens the folder of data and puts together everything that is served: the
// tools in the order of the categories, resources, prompts, and what happens at the end.
func catalogue(data string) (laboratory, error) {
	_ = data // TODO(lead): store.Open(data), the run manager, param.Spaces, and their tools
	return laboratory{config: mcpserver.Config{
		Version:      sim.ModelVersion,
		Instructions: instructions,
	}}, nil
}
