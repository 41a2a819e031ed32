package docs_test

import (
	"strings"
	"testing"

	"econ-mcp/docs"
	"econ-mcp/sim"
)

// Every parameter that changes a result stands in the description of the model.
func TestEveryParameterHasAnEquation(t *testing.T) {
	for _, row := range sim.Catalogue() {
		text := docs.Equation(row.Name)
		if named := strings.Contains(text, "`"+row.Name+"`"); named == row.Technical {
			t.Errorf("%s: %q", row.Name, text)
		}
		if n := len(text); n > 2500 {
			t.Errorf("%s: a passage of %d bytes", row.Name, n)
		}
	}
}

func TestEquation(t *testing.T) {
	for name, want := range map[string]string{
		"desired_nothing":      "",
		"price_sensitivity":    "7.9 Goods market: First round. Orders to an industry = budget",
		"confidence_shift":     "7.0 Interventions: ",
		"minimum_wage":         "7.1 Confidence and rates: Minimum wage = `minimum_wage` · median wage",
		"redistribution_share": "7.22 Public sector beyond taxes and benefits: **Transfers.** Basic income",
	} {
		if got := docs.Equation(name); !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}
