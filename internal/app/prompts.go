package app

import (
	"context"
	"fmt"
	"strings"

	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/sim"
)

// prompts are what a user can ask for by name in a client.
func (r resources) prompts() []mcpserver.Prompt {
	return []mcpserver.Prompt{
		{
			Name: "policy_experiment", Title: "Run a policy experiment", TitleZH: "政策实验",
			Description: "From a question in plain words to a controlled experiment and an honest answer",
			Arguments: []mcpserver.Argument{
				{Name: "question", Description: "An economic question, in English or Chinese", Required: true},
				{Name: "replications", Description: fmt.Sprintf("Seeds per arm (default %d)", inquiry.DefaultReplications)},
			},
			Text: func(a map[string]string) string {
				return fmt.Sprintf(`Answer this question with a controlled experiment on the econ-mcp economy: %q

1. analyze_question. If its status is needs_clarification, put its question to the user and take the inquiry of the choice; if it is
	out_of_scope, say what can be asked instead, and stop. Where you understand the question better than it was read, write the
	inquiry yourself (econ://schema/inquiry). Tell the user the read_back, what was assumed and what was left over.
2. start_simulation with the inquiry, design.replications %s.
3. get_simulation_status with wait_seconds until running is false.
4. capture_experiment with question and hypothesis, then analyze_experiment and compare_experiments with the experiment's name.
5. Answer in three parts: what changed (differences with their 95 %% intervals and the months they are of), who gains and who loses,
	and what the experiment cannot say. Begin with the verdict on the hypothesis,
		the first row of the comparison. Call nothing an effect that is not supported,
			and nothing planned that is exploratory. Name the experiment, its scenario hash and its seeds so that others can repeat it.`,
					a["question"], orText(a["replications"], fmt.Sprint(inquiry.DefaultReplications)))
			},
		},
		{
			Name: "compare_policies", Title: "Compare policies", TitleZH: "比较政策",
			Description: "Several policies against the same control, with the same random draws",
			Arguments: []mcpserver.Argument{
				{Name: "policies", Description: "Policies or presets, separated by commas, such as ubi, austerity", Required: true},
				{Name: "outcome", Description: "The indicator that matters most (default unemployment_rate)"},
			},
			Text: func(a map[string]string) string {
				outcome := orText(a["outcome"], "unemployment_rate")
				return fmt.Sprintf(`Compare these policies in the econ-mcp economy: %s. The outcome that matters most is %s.

1. Write one inquiry (econ://schema/inquiry) with an arm for each policy, against the background as control: presets (list_presets),
	parameters (get_all_parameters) or the policies of inject_intervention; outcomes [{metric: %[2]s}] with what else matters;
		compare each arm with control and with the others; design {replications: %[3]d}.
2. start_simulation with the inquiry. Wait with get_simulation_status.
3. compare_experiments: all arms stand beside each other, against the same control, in one family of tests.
4. Rank the policies by %[2]s, with intervals; say which differences between policies are clear and which are not,
	and what each costs (deficit_to_gdp, debt_to_gdp, tax_revenue).`,
					a["policies"], outcome, inquiry.DefaultReplications)
			},
			Complete: func(_ context.Context, argument, prefix string) ([]string, error) {
				if argument == "outcome" {
					return indicatorsWith(prefix), nil
				}
				return nil, nil
			},
		},
		{
			Name: "explain_result", Title: "Explain a result", TitleZH: "解读结果",
			Description: "What an experiment shows, for someone who was not there",
			Arguments:   []mcpserver.Argument{{Name: "experiment_name", Description: "A stored experiment", Required: true}},
			Text: func(a map[string]string) string {
				return fmt.Sprintf(`Explain the experiment %s to a reader who was not there.

Read get_experiment_summary, compare_experiments and, where there is one, get_analysis_result. Say what was asked and done (arms, months,
	replications), the two or three largest clear differences with intervals in plain words and numbers,
		through which part of the economy they come about (econ://model names the equations), who gains and loses,
			and what is open: wide intervals, few replications,
				warnings. End with the next experiment that would settle the most.`, a["experiment_name"])
			},
			Complete: r.names,
		},
	}
}

func orText(text, fallback string) string {
	if strings.TrimSpace(text) == "" {
		return fallback
	}
	return text
}

func indicatorsWith(prefix string) []string {
	var names []string
	for _, info := range sim.Indicators() {
		if strings.HasPrefix(info.Name, prefix) {
			names = append(names, info.Name)
		}
	}
	return names
}
