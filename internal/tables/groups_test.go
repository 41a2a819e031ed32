package tables_test

import (
	"testing"

	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

func TestGroupings(t *testing.T) {
	for _, g := range tables.Groupings() {
		if found, ok := tables.GroupingByName(g.Name); !ok || found.Name != g.Name || len(g.Metrics) == 0 {
			t.Errorf("grouping %q", g.Name)
		}
		for _, n := range []int{1, 12} {
			p := sim.Defaults()
			p.NumIndustries = n
			if len(g.Groups(p)) == 0 || g.Name == "industry" && len(g.Groups(p)) != n {
				t.Errorf("%s has the groups %q", g.Name, g.Groups(p))
			}
		}
	}
}
