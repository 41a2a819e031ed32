package main

import (
	"fmt"
	"io"
	"math"
	"strings"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/sim"
)

// groupNames are what --by may name.
func groupNames() (names []string) {
	for _, g := range analysis.Groupings() {
		names = append(names, g.Name)
	}
	return names
}

// checkGroupings refuses names of groupings that there are not.
func checkGroupings(names []string, p sim.Params) error {
	for _, name := range names {
		if name == "age" && !p.EnableDemography {
			err := fault.New(fault.Conflict, "--by", "there are no age groups where enable_demography is false")
			err.Hint = "add --set enable_demography=true"
			return err
		}
		if _, ok := analysis.GroupingByName(name); !ok {
			return fault.Range("--by", fmt.Sprintf("%q", name), groupNames()...)
		}
	}
	return nil
}

// groupsOf are the group means of an arm, by replication.
func groupsOf(arm lab.ArmResult) (list []*analysis.GroupMeans) {
	for k := range arm.Replications {
		list = append(list, &arm.Replications[k].Groups)
	}
	return list
}

// writeGroups prints a table of groups: means over the window and, against a control, the
// differences that the treatment makes.
func writeGroups(w io.Writer, name string, p sim.Params, result *lab.Result) {
	grouping, _ := analysis.GroupingByName(name)
	control := groupsOf(result.Arms[0])
	var treatment []*analysis.GroupMeans
	if len(result.Arms) > 1 {
		treatment = groupsOf(result.Arms[len(result.Arms)-1])
	}
	fmt.Fprintf(w, "\nBy %s, mean of months %d to %d", name, result.From, result.To)
	if treatment != nil {
		fmt.Fprintf(w, ": control, and difference of the treatment (* = its %s interval excludes 0)", confidenceText(result))
	}
	fmt.Fprintln(w)
	groups := grouping.Groups(p)
	for _, metric := range grouping.Metrics {
		fmt.Fprintf(w, "\n  %s [%s]\n", metric.Name, metric.Unit)
		for g, label := range groups {
			e := analysis.GroupEffects(control, treatment, name, metric.Name, g, result.Confidence)
			line := "    " + left(label, 44) + right(groupNumber(e.Control), 12)
			if treatment != nil {
				d := e.Difference
				mark := " "
				if d.Low > 0 || d.High < 0 {
					mark = "*"
				}
				line += right(withSign(d.Mean), 14) + " " + mark
				if !math.IsNaN(d.Low) {
					line += "  " + withSign(d.Low) + " to " + withSign(d.High)
				}
			}
			fmt.Fprintln(w, strings.TrimRight(line, " "))
		}
	}
}

// groupNumber writes four significant digits.
func groupNumber(x float64) string {
	if math.IsNaN(x) {
		return analysis.Absent
	}
	if math.Abs(x) >= 1000 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.4g", x)
}

func withSign(x float64) string {
	s := groupNumber(x)
	if x > 0 {
		s = "+" + s
	}
	return strings.Replace(s, "-", "−", 1)
}

// groupCell is the JSON form of a metric of one group.
type groupCell struct {
	Group      string          `json:"group"`
	Control    analysis.Number `json:"control"` // or the only arm
	Difference analysis.Number `json:"difference"`
	CILow      analysis.Number `json:"ci_low"`
	CIHigh     analysis.Number `json:"ci_high"`
}

// groupDocument is the JSON form of a grouping: cells by metric.
type groupDocument struct {
	Grouping string                 `json:"grouping"`
	Units    map[string]string      `json:"units"`
	Metrics  map[string][]groupCell `json:"metrics"`
}

func newGroupDocuments(p sim.Params, result *lab.Result) (docs []groupDocument) {
	control := groupsOf(result.Arms[0])
	var treatment []*analysis.GroupMeans
	if len(result.Arms) > 1 {
		treatment = groupsOf(result.Arms[len(result.Arms)-1])
	}
	for _, grouping := range analysis.Groupings() {
		doc := groupDocument{Grouping: grouping.Name, Units: map[string]string{}, Metrics: map[string][]groupCell{}}
		for _, metric := range grouping.Metrics {
			doc.Units[metric.Name] = metric.Unit
			for g, label := range grouping.Groups(p) {
				e := analysis.GroupEffects(control, treatment, grouping.Name, metric.Name, g, result.Confidence)
				cell := groupCell{Group: label, Control: analysis.Number(e.Control), Difference: analysis.Number(math.NaN()), CILow: analysis.Number(math.NaN()), CIHigh: analysis.Number(math.NaN())}
				if treatment != nil {
					d := e.Difference
					cell.Difference, cell.CILow, cell.CIHigh = analysis.Number(d.Mean), analysis.Number(d.Low), analysis.Number(d.High)
				}
				doc.Metrics[metric.Name] = append(doc.Metrics[metric.Name], cell)
			}
		}
		docs = append(docs, doc)
	}
	return docs
}
