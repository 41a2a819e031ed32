package lab

import (
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// comparable refuses experiments between which a difference would say nothing about what
// was changed: of different model versions, and of different numbers of households where
// what is asked about grows with them. What else differs is a warning of the comparison.
func comparable(studies []*tables.Study, metrics []sim.Indicator) error {
	if len(studies) < 2 { // the arms of one experiment share all that
		return nil
	}
	first := studies[0]
	for _, s := range studies[1:] {
		if s.ModelVersion != first.ModelVersion {
			e := fault.New(fault.InvalidState, "experiment_names",
				"different model versions: %s was simulated by %s, %s by %s; a difference between them may be one of the model",
				first.Name, first.ModelVersion, s.Name, s.ModelVersion)
			e.Hint = "simulate both with one version: load_yaml_config and start_simulation with the scenario of the older one, which econ-mcp " +
				"export writes"
			return e
		}
		if s.Households == first.Households {
			continue
		}
		var sized, others []string
		for _, i := range metrics {
			if growsWithSize(i) {
				sized = append(sized, i.String())
			}
		}
		for _, i := range inference.Outcomes {
			if !growsWithSize(i) {
				others = append(others, i.String())
			}
		}
		if len(sized) > 0 {
			e := fault.New(fault.InvalidState, "experiment_names",
				"different sizes: %s has %d households, %s has %d; %s grow with the number of households",
				first.Name, first.Households, s.Name, s.Households, strings.Join(sized, ", "))
			e.Hint = "compare shares, rates and prices, such as metrics " + strings.Join(others[:min(len(others), 4)], ",") +
				", or simulate both with one number of households"
			return e
		}
	}
	return nil
}

// growsWithSize says whether an indicator is a sum or a count over the whole economy, which
// is larger where more households live.
func growsWithSize(i sim.Indicator) bool {
	info := i.Info()
	if i.PerHousehold() {
		return false
	}
	if slices.Contains([]sim.Indicator{sim.NominalWageMean, sim.RealWageMean, sim.RealWageMedian}, i) {
		return false
	}
	return strings.HasPrefix(info.Unit, "currency units") ||
		slices.Contains([]string{"firms", "firms a month", "events a month", "banks a month", "households", "persons"}, info.Unit)
}
