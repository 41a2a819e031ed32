package tables

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"econ-mcp/sim"
)

// Grouping divides households or firms into groups and lists what is measured of each.
type Grouping struct {
	Name    string // as users write it
	Groups  func(p sim.Params) []string
	Metrics []GroupMetric
}

// GroupMetric is one number of each group in a month.
type GroupMetric struct {
	Name, Unit string
	value      func(r *sim.Record, group int) float64
}

// Groupings lists what [GroupMeans] measures: tenths of the households as they are in
// the month, households by where they stood before month 1, groups by exposure to
// automation and by age, industries, and the government's spending by purpose.
func Groupings() []Grouping { return slices.Clone(groupings) }

var groupings = slices.Concat(monthGroupings, standingGroupings, []Grouping{{budgetGrouping, budgetPurposes, []GroupMetric{
	{"amount", "currency units a month", func(r *sim.Record, g int) float64 { return purposes[g].purpose(&r.Government) }},
}}})

// monthGroupings are of what there is in the month.
var monthGroupings = []Grouping{
	{"decile", func(sim.Params) []string { return Deciles }, []GroupMetric{
		{"income", "currency units a month", func(r *sim.Record, g int) float64 { return r.Households.Income.Deciles[g] }},
		{
			"real_income",
			"currency units a month at prices of the base month",
			func(r *sim.Record, g int) float64 { return 100 * r.Households.Income.Deciles[g] / r.Value(sim.CPI) },
		},
		{"consumption", "currency units a month", func(r *sim.Record, g int) float64 { return r.Households.Consumption.Deciles[g] }},
		{"wealth", "currency units", func(r *sim.Record, g int) float64 { return r.Households.Wealth.Deciles[g] }},
		{"inflation", "share a year", func(r *sim.Record, g int) float64 { return r.Households.Inflation[g] }},
	}},
	{"exposure", func(sim.Params) []string { return []string{"low", "middle", "high"} }, []GroupMetric{
		{"households", "share of all", func(r *sim.Record, g int) float64 { return r.Households.Exposure[g].Share }},
		{"unemployment", "share of the labour force", func(r *sim.Record, g int) float64 { return r.Households.Exposure[g].Unemployment }},
		{"wage", "currency units a month", func(r *sim.Record, g int) float64 { return r.Households.Exposure[g].Wage }},
		{"wage_share", "share of all wages", func(r *sim.Record, g int) float64 { return r.Households.Exposure[g].WageShare }},
		{"labour_share", "share of GDP", func(r *sim.Record, g int) float64 {
			return r.Households.Exposure[g].WageShare * r.Value(sim.LabourShare)
		}},
	}},
	{"age", func(sim.Params) []string { return []string{"15-29", "30-54", "55-64", "65+"} }, []GroupMetric{
		{"households", "number", func(r *sim.Record, g int) float64 { return float64(r.Households.Population[g]) }},
		{"labour_force", "number", func(r *sim.Record, g int) float64 { return float64(r.Households.LabourForce[g]) }},
		{"unemployment", "share of the labour force", func(r *sim.Record, g int) float64 { return r.Households.Unemployment[g] }},
	}},
	{"industry", industryNames, []GroupMetric{
		{
			"sales",
			"share of all consumption goods",
			func(r *sim.Record, g int) float64 { return r.Firms.Revenue[g] / max(totalRevenue(r), 1) },
		},
		{"price", "currency units a unit", func(r *sim.Record, g int) float64 { return r.Firms.Price[g] }},
		{"mark_up", "ratio to unit cost", func(r *sim.Record, g int) float64 { return r.Firms.MarkUp[g] }},
		{"hhi", "0 to 1", func(r *sim.Record, g int) float64 { return r.Firms.HHI[g] }},
		{"four_largest", "share of sales", func(r *sim.Record, g int) float64 { return r.Firms.CR4[g] }},
		{"imports", "currency units a month", func(r *sim.Record, g int) float64 { return r.Firms.Imports[g] }},
		{"exports", "currency units a month", func(r *sim.Record, g int) float64 { return r.Firms.Exports[g] }},
	}},
}

// Standings are the groupings by where households stood before month 1, which are the same
// households in all months and arms; see [sim.Standing].
var Standings = []struct {
	Name, EN, ZH string
	Groups       func(p sim.Params) []string
	of           func(s *sim.Standing) []sim.Group
}{
	{
		"income_decile",
		"by income",
		"按收入",
		func(sim.Params) []string { return Deciles },
		func(s *sim.Standing) []sim.Group { return s.ByIncome[:] },
	},
	{
		"wealth_decile",
		"by wealth",
		"按财富",
		func(sim.Params) []string { return Deciles },
		func(s *sim.Standing) []sim.Group { return s.ByWealth[:] },
	},
	{"employment", "by work", "按就业状况", workGroups, func(s *sim.Standing) []sim.Group { return s.ByWork[:] }},
	{
		"skill",
		"by skill",
		"按技能",
		func(sim.Params) []string { return SkillGroups },
		func(s *sim.Standing) []sim.Group { return s.BySkill[:] },
	},
}

// workGroups are the work statuses that there can be.
func workGroups(p sim.Params) (names []string) {
	for s := range sim.NumWorkStatuses {
		if s != sim.OutsideLabourForce || p.EnableDemography {
			names = append(names, s.String())
		}
	}
	return names
}

var standingGroupings = func() (list []Grouping) {
	for _, s := range Standings {
		list = append(list, Grouping{s.Name, s.Groups, []GroupMetric{
			{"households", "number", func(r *sim.Record, g int) float64 { return float64(s.of(&r.Households.Standing)[g].Households) }},
			{"income", "currency units a month", func(r *sim.Record, g int) float64 { return incomeOf(s.of(&r.Households.Standing)[g]) }},
			{"real_income", "currency units a month at prices of the base month", func(r *sim.Record, g int) float64 {
				return 100 * incomeOf(s.of(&r.Households.Standing)[g]) / r.Value(sim.CPI)
			}},
		}})
	}
	return list
}()

// incomeOf is NaN where nobody is in the group, as in months that were stored before
// households were followed.
func incomeOf(g sim.Group) float64 {
	if g.Households == 0 {
		return math.NaN()
	}
	return g.Income
}

var Deciles = []string{"1 (poorest)", "2", "3", "4", "5", "6", "7", "8", "9", "10 (richest)"}

func industryNames(p sim.Params) (names []string) {
	for _, industry := range sim.Industries(p.NumIndustries) {
		names = append(names, industry.Code+" "+industry.Name)
	}
	return names
}

func totalRevenue(r *sim.Record) (sum float64) {
	for _, x := range r.Firms.Revenue[:sim.MaxIndustries] {
		sum += x
	}
	return sum
}

// GroupingByName finds a grouping.
func GroupingByName(name string) (Grouping, bool) {
	for _, g := range groupings {
		if g.Name == name {
			return g, true
		}
	}
	return Grouping{}, false
}

// groupPlaces are the places of the metrics of all groupings in a [GroupMeans], by the
// names of both.
var groupPlaces = func() map[[2]string]int {
	places := make(map[[2]string]int)
	for _, grouping := range groupings {
		for _, metric := range grouping.Metrics {
			places[[2]string{grouping.Name, metric.Name}] = len(places)
		}
	}
	return places
}()

// GroupMeans adds up what is measured of groups over months; its zero value is empty.
type GroupMeans struct {
	Months int
	sums   [][]monthSum // see groupPlaces; one a group
}

// monthSum is a number that is added up over the months that have it.
type monthSum struct {
	sum    float64
	months int
}

func (s *monthSum) add(x float64) {
	if !math.IsNaN(x) && !math.IsInf(x, 0) {
		s.sum += x
		s.months++
	}
}

// mean is NaN where no month has it.
func (s monthSum) mean() float64 { return s.sum / float64(s.months) }

// Add counts a month.
func (m *GroupMeans) Add(r *sim.Record, p sim.Params) {
	if m.sums == nil {
		for _, grouping := range groupings {
			n := len(grouping.Groups(p))
			for range grouping.Metrics {
				m.sums = append(m.sums, make([]monthSum, n))
			}
		}
	}
	m.Months++
	place := 0
	for k := range groupings {
		for _, metric := range groupings[k].Metrics {
			for g := range m.sums[place] {
				m.sums[place][g].add(metric.value(r, g))
			}
			place++
		}
	}
}

// Mean is a metric of a group, the mean over the months that were added; NaN where one of
// them does not have it.
func (m *GroupMeans) Mean(grouping, metric string, group int) float64 {
	s := m.at(grouping, metric, group)
	if s.months < m.Months {
		return math.NaN()
	}
	return s.mean()
}

// DefinedMean is the mean over the months that have it; NaN where none has.
func (m *GroupMeans) DefinedMean(grouping, metric string, group int) float64 {
	return m.at(grouping, metric, group).mean()
}

func (m *GroupMeans) at(grouping, metric string, group int) monthSum {
	place, ok := groupPlaces[[2]string{grouping, metric}]
	switch {
	case !ok:
		panic(fmt.Sprintf("tables: no groups %s.%s", grouping, metric))
	case m.Months == 0, group >= len(m.sums[place]):
		return monthSum{}
	}
	return m.sums[place][group]
}

// GroupRows are the means of all groups of a study over its window, of each arm and replication: arm,
// replication from 1, grouping, group, metric, unit and mean, empty where it has none. The first row has the names.
func (s *Study) GroupRows() [][]string {
	rows := [][]string{{"arm", "replication", "grouping", "group", "metric", "unit", "mean"}}
	for k := range s.Arms {
		arm := &s.Arms[k]
		for r, means := range arm.Groups() {
			for _, grouping := range groupings {
				for g, group := range grouping.Groups(arm.Params) {
					for _, metric := range grouping.Metrics {
						text := ""
						if x := means.DefinedMean(grouping.Name, metric.Name, g); !math.IsNaN(x) {
							text = strconv.FormatFloat(x, 'g', -1, 64)
						}
						rows = append(rows, []string{arm.Name, strconv.Itoa(r + 1), grouping.Name, group, metric.Name, metric.Unit, text})
					}
				}
			}
		}
	}
	return rows
}
