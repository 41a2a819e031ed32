package main

import (
	"fmt"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// groupNames are what --by may name.
func groupNames() (names []string) {
	for _, g := range tables.Groupings() {
		names = append(names, g.Name)
	}
	return names
}

// checkGroupings refuses unknown groupings, and age groups in an economy without them.
func checkGroupings(names []string, p sim.Params) error {
	for _, name := range names {
		if name == "age" && !p.EnableDemography {
			return fault.New(fault.Conflict, "--by", "there are no age groups where enable_demography is false").
				WithHint("add --set enable_demography=true")
		}
		if _, ok := tables.GroupingByName(name); !ok {
			return fault.Range("--by", fmt.Sprintf("%q", name), groupNames()...)
		}
	}
	return nil
}
