package inference

import (
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// GroupRow is a metric of one group: the control's mean (or that of the only arm) and, where
// there is a treatment, the difference that it makes; null where there is none.
type GroupRow struct {
	Group      string       `json:"group"`
	Control    stats.Number `json:"control"`
	Difference stats.Number `json:"difference"`
	CILow      stats.Number `json:"ci_low"`
	CIHigh     stats.Number `json:"ci_high"`
}

// GroupTable is what became of the groups of one grouping: rows by metric.
type GroupTable struct {
	Grouping string                `json:"grouping"`
	Units    map[string]string     `json:"units"`
	Metrics  map[string][]GroupRow `json:"metrics"`
}

// GroupTables are the tables of all groupings, for economies with the parameters p; treatment
// may be nil. See [GroupEffects].
func GroupTables(p sim.Params, control, treatment []*tables.GroupMeans, confidence float64) (list []GroupTable) {
	for _, grouping := range tables.Groupings() {
		table := GroupTable{Grouping: grouping.Name, Units: map[string]string{}, Metrics: map[string][]GroupRow{}}
		for _, metric := range grouping.Metrics {
			table.Units[metric.Name] = metric.Unit
			for g, label := range grouping.Groups(p) {
				e := GroupEffects(control, treatment, grouping.Name, metric.Name, g, confidence)
				d := e.Difference
				table.Metrics[metric.Name] = append(table.Metrics[metric.Name], GroupRow{
					label, stats.Number(e.Control), stats.Number(d.Mean), stats.Number(d.Low), stats.Number(d.High),
				})
			}
		}
		list = append(list, table)
	}
	return list
}
