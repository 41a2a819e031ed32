package term

import (
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
	"fmt"
	"io"
	"strings"
)

// Run is a simulation, or a comparison with a control, that a person has asked for.
type Run struct {
	Experiment lab.Experiment
	Control    string // preset of the control; empty without one
	Changed    bool   // the scenario is not what its description says
}

// Treatment is the scenario of the only arm or of the treatment.
func (r *Run) Treatment() *scenario.Scenario {
	return &r.Experiment.Arms[len(r.Experiment.Arms)-1].Scenario
}

// Single reports whether one economy is simulated; its years are printed as they end.
func (r *Run) Single() bool { return len(r.Experiment.Arms)*r.Experiment.Replications == 1 }

// Name names what is simulated, with the control's preset.
func (r *Run) Name() string {
	name := r.Treatment().Name
	if r.Control == "" {
		return name
	}
	if name == r.Control {
		return name + " with changes, against " + r.Control
	}
	return name + " against " + r.Control
}

// Header says what is simulated; cached: the burn-in was.
func (r *Run) Header(out io.Writer, cached bool) {
	s := r.Treatment()
	p := s.Params
	fmt.Fprintf(out, "econ-mcp %s · %s\n", sim.ModelVersion, r.Name())
	if s.Description != "" && !r.Changed {
		fmt.Fprintln(out, Indented(s.Description, "  "))
	}
	fmt.Fprintf(out, "  %s · %s · %s · %s\n",
		report.Plural(p.NumHouseholds, "household"), report.Plural(sim.LocalMarkets(p), "local market"),
		report.Plural(p.NumHouseholds/p.HouseholdsPerFirm, "firm"), industries(p.NumIndustries))
	fmt.Fprintf(out, "  seed %d · %s · %s", r.Experiment.Seed, report.Plural(r.Experiment.Months, "month"),
		burnInText(p.BurnInMonths, cached))
	if r.Experiment.Replications > 1 {
		fmt.Fprintf(out, " · %s", report.Plural(r.Experiment.Replications, "replication"))
	}
	fmt.Fprintln(out)
	if changes := r.changesText(); changes != "" {
		fmt.Fprintln(out, Indented(changes, "  "))
	}
	for _, v := range s.Interventions {
		fmt.Fprintln(out, Indented(v.String(), "  "))
	}
	fmt.Fprintln(out)
}

// changesText lists what the treatment changes, or in which parameters a single
// scenario differs from the defaults.
func (r *Run) changesText() string {
	const most = 8
	reference, lead := sim.Defaults(), "unlike the default: "
	if r.Control != "" {
		reference, lead = r.Experiment.Arms[0].Scenario.Params, "unlike the control: "
	}
	var changes []string
	for _, row := range sim.Catalogue() {
		was, _ := reference.Get(row.Name)
		is, _ := r.Treatment().Params.Get(row.Name)
		if was != is && row.Category != "system_scale" && !row.Technical {
			changes = append(changes, fmt.Sprintf("%s %v (%v)", row.Name, is, was))
		}
	}
	if len(changes) == 0 {
		return ""
	}
	if more := len(changes) - most; more > 0 {
		changes = append(changes[:most], fmt.Sprintf("and %d more", more))
	}
	return lead + strings.Join(changes, ", ")
}

func burnInText(months int, cached bool) string {
	switch {
	case months == 0:
		return "no burn-in"
	case cached:
		return fmt.Sprintf("burn-in of %d months from the cache", months)
	}
	return fmt.Sprintf("burn-in of %d months simulated", months)
}

func industries(n int) string {
	if n == 1 {
		return "1 industry"
	}
	return fmt.Sprintf("%d industries", n)
}
