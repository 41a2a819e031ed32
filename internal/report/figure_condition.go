package report

import (
	"fmt"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// mostTimelines is how many interventions with a condition are drawn: more would not fit on a page.
const mostTimelines = 6

// conditions is the figure of when rules and interventions with a condition were in force: a row for
// each replication, months across.
func (f Figures) conditions() (NamedFigure, bool) {
	out := plot.Timeline{XLabel: f.say("Month", "月份"), Last: f.months()}
	left := 0
	for a, arm := range f.Arms {
		for _, of := range arm.InForce {
			v := of.Intervention
			if v.When == "" || v.Cancelled || len(of.Spans) == 0 {
				continue
			}
			if len(out.Groups) == mostTimelines {
				left++
				continue
			}
			out.Groups = append(out.Groups, f.timeline(a, of))
		}
	}
	if len(out.Groups) == 0 || out.Last == 0 {
		return NamedFigure{}, false
	}
	about := note{
		"A bar is a month in which it was in force; a row without a bar is a replication in which it never was",
		"横条表示生效的月份；没有横条的行表示该次重复中从未生效",
	}
	if left > 0 {
		more := notef("; %d more are in interventions.csv", "；另有%d项见 interventions.csv", left)
		about = note{about.en + more.en, about.zh + more.zh}
	}
	title := note{"When conditions were met", "条件何时满足"}
	out.Frame = f.frame(title, about)
	return NamedFigure{"conditions", out, note{
		title.en + ", replication by replication. " + about.en + ".", title.zh + "（逐次重复）。" + about.zh + "。" +
			f.translated("分图为各项干预，纵轴为重复编号，横轴为月份。"),
	}}, true
}

// longestPanelTitle is how many characters fit over a panel.
const longestPanelTitle = 95

// conditionOf says when an intervention with a condition is in force.
func (f Figures) conditionOf(v sim.Intervention) string {
	when := sim.ConditionInPercent(v.When)
	if v.IsRule() {
		return wordf(f.Language, "when %s until %s", "%s 时开启，至 %s 为止", when, sim.ConditionInPercent(v.Until))
	}
	return wordf(f.Language, "once %s", "一旦 %s", when)
}

// timeline is a panel of one intervention.
func (f Figures) timeline(arm int, of tables.InForce) plot.TimelineGroup {
	v := of.Intervention
	g := plot.TimelineGroup{Title: fmt.Sprintf("%d. %s, %s", of.Number, v.What(), f.conditionOf(v)), YLabel: f.say("replication", "重复")}
	if name := f.nameOf(arm); name != (note{}) {
		g.Title = f.in(name) + f.say(": ", "：") + g.Title
	}
	g.Title = fault.Shorten(g.Title, longestPanelTitle)
	for _, spans := range of.Spans {
		var bars []plot.Bar
		for _, s := range spans {
			bars = append(bars, plot.Bar(s))
		}
		g.Rows = append(g.Rows, bars)
	}
	return g
}
