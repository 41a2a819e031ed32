package report

import (
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// PowerText says before the first month what an experiment with n replications will be able to find, an outcome at a time over
// all its windows; empty where no scatter of its outcomes was measured.
func PowerText(list []inference.Foreseen, n int, language string) string {
	var found, few []string
	for k, f := range list {
		if slices.ContainsFunc(list[:k], func(g inference.Foreseen) bool { return g.Metric == f.Metric }) || math.IsNaN(float64(f.Least)) {
			continue
		}
		i, _ := sim.IndicatorByName(f.Metric)
		least, most, needed := float64(f.Least), float64(f.Most), f.Needed
		for _, g := range list[k+1:] {
			if g.Metric == f.Metric {
				least, most = min(least, float64(g.Least)), max(most, float64(g.Most))
				needed = stats.Number(max(float64(needed), float64(g.Needed))) // NaN where one of them is
			}
		}
		text := func(x float64) string {
			if f.Relative {
				return FormatShare(x, 2)
			}
			return FormatSize(i, x)
		}
		found = append(found, fmt.Sprintf("%s %s", Label(i, language), interval(stats.Number(least), stats.Number(most), func(x stats.Number) string {
			return text(float64(x))
		}, language)))
		if float64(needed) > float64(n) {
			few = append(few, Label(i, language)+" "+FormatNumber(float64(needed), 0))
		}
	}
	if len(found) == 0 {
		return ""
	}
	out := wordf(language,
		"with %d replications four of five such experiments would find true differences of these sizes, each hypothesis at its part of the level "+
			"of a first plan for these arms (a later one has less): %s (over the windows, and over six policies whose effects were measured in economies of %s households)",
		"以%d次重复，每个假设按针对这些实验组的首份计划所分得的显著性水平检验（后续计划更少），五分之四的此类实验能发现如下大小的真实差异：%s（各窗口、以及在%s户家庭的经济体中测得效应的六项政策之间的范围）",
		n, listed(found, "; ", language), FormatNumber(float64(list[0].Households), 0))
	if len(few) > 0 {
		out += wordf(language, "; nine of ten would find the smallest effect of interest with more replications: %s",
			"；要使十分之九的实验发现最小关注效应，需要更多重复：%s", listed(few, "; ", language))
	}
	return out
}
