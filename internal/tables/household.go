package tables

import (
	"cmp"
	"fmt"
	"slices"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// HouseholdGroup is a row of the table of households, of one economy with numbers or over
// replications with estimates. Money is in currency units of the month.
type HouseholdGroup[N stats.Number | Estimate] struct {
	Group       string    `json:"group"`
	Households  N         `json:"households"`
	Income      Spread[N] `json:"income" doc:"disposable, a month"`
	Consumption Spread[N] `json:"consumption" doc:"with VAT, a month"`
	Wealth      Spread[N] `json:"wealth" doc:"net worth"`
	Wage        N         `json:"wage" doc:"mean of the employed, gross, a month"`
	Poverty     N         `json:"poverty_rate" doc:"share of the group below 60 % of the median disposable income of all"`
	Saving      N         `json:"saving_rate" doc:"1 - consumption / income of the group"`
	Jobless     N         `json:"unemployment_rate" doc:"of the group's labour force"`
	Inflation   N         `json:"inflation" doc:"a year, at the budget shares of the tenth by income"`
}

func (g *HouseholdGroup[N]) places() []*N {
	list := []*N{&g.Households, &g.Wage, &g.Poverty, &g.Saving, &g.Jobless, &g.Inflation}
	for _, s := range []*Spread[N]{&g.Income, &g.Consumption, &g.Wealth} {
		list = append(list, s.places()...)
	}
	return list
}

// householdGrouping divides households into groups: equally, by the rank of something, or by
// what group each belongs to; "" is all of them together.
type householdGrouping struct {
	name   string
	groups []string
	rank   func(v sim.HouseholdView) float64
	group  func(v sim.HouseholdView) int
}

var householdGroupings = []householdGrouping{
	{name: "", groups: []string{groupOfAll}, group: func(sim.HouseholdView) int { return 0 }},
	{name: "income_decile", groups: Deciles, rank: incomeOfView},
	{name: "wealth_decile", groups: Deciles, rank: func(v sim.HouseholdView) float64 { return v.NetWorth }},
	{
		name: "employment", groups: workGroups(sim.Params{EnableDemography: true}),
		group: func(v sim.HouseholdView) int { return int(v.Work) },
	},
	{name: "skill", groups: SkillGroups, rank: func(v sim.HouseholdView) float64 { return v.Skill }},
	{
		name: "family_size", groups: []string{"1", "2", "3", "4", "5", "6"},
		group: func(v sim.HouseholdView) int { return v.FamilySize - 1 },
	},
}

// HouseholdGroupings are what households may be grouped by; "" is all of them together.
var HouseholdGroupings = func() (names []string) {
	for _, g := range householdGroupings {
		names = append(names, g.name)
	}
	return names
}()

// groupOfAll is the name of the one row of an ungrouped table.
const groupOfAll = "all"

// SkillGroups are thirds of the households by skill.
var SkillGroups = []string{"low", "middle", "high"}

func householdGroupingOf(by string) (householdGrouping, error) {
	for _, g := range householdGroupings {
		if g.name == by {
			return g, nil
		}
	}
	return householdGrouping{}, fault.Range("by", fmt.Sprintf("%q", by), HouseholdGroupings[1:]...)
}

// HouseholdTable groups the households of an economy in the month that it has just
// simulated. Each household counts once, whatever its size. Tenths and thirds are by
// rank; households that are alike are ranked by their numbers. See [stats.Quantile], [stats.Gini]
// and [stats.Lorenz] for the definitions. Groups without households have a row, with nothing
// but their number.
func HouseholdTable(e *sim.Economy, by string) ([]HouseholdGroup[stats.Number], error) {
	list, err := HouseholdTables(e, by)
	if err != nil {
		return nil, err
	}
	return list[by], nil
}

// HouseholdTables are the tables of households by several groupings, see [HouseholdTable]. While
// they are made they take [HouseholdTableBytes] of memory for each household.
func HouseholdTables(e *sim.Economy, by ...string) (map[string][]HouseholdGroup[stats.Number], error) {
	groupings := make([]householdGrouping, len(by))
	for k, name := range by {
		var err error
		if groupings[k], err = householdGroupingOf(name); err != nil {
			return nil, err
		}
	}
	if err := checkMeasured(e); err != nil {
		return nil, err
	}
	tables := make(map[string][]HouseholdGroup[stats.Number], len(by))
	m := newMembers(e)
	line := m.povertyLine()
	for _, grouping := range groupings {
		if grouping.rank != nil {
			m.rank(grouping.rank)
		}
		table := make([]HouseholdGroup[stats.Number], len(grouping.groups))
		for g, name := range grouping.groups {
			table[g] = m.measure(name, m.group(grouping, g), line)
		}
		inflationOf(table, grouping.name, e.Latest())
		tables[grouping.name] = table
	}
	return tables, nil
}

// checkMeasured refuses an economy without a measured month.
func checkMeasured(e *sim.Economy) error {
	if e.Latest().Value(sim.Population) > 0 {
		return nil
	}
	return fault.New(fault.InvalidState, "month", "the economy has not simulated a month since it was made or read").
		WithHint("simulate a month first")
}

func inflationOf(table []HouseholdGroup[stats.Number], by string, r *sim.Record) {
	switch by {
	case "":
		table[0].Inflation = stats.Number(r.Value(sim.Inflation))
	case "income_decile":
		for g := range table {
			table[g].Inflation = stats.Number(r.Households.Inflation[g])
		}
	}
}

// HouseholdTableBytes is the memory that is taken while tables of households are made, for each
// household: its number and a value, see [members].
const HouseholdTableBytes = 4 + 8

// members are the households of an economy while they are put into groups and measured. They are
// not copied, which would take as much memory as half the economy: the economy is asked for each,
// as often as it is looked at.
type members struct {
	economy *sim.Economy
	numbers []int32   // of all in the order of a rank, or of those of a group
	values  []float64 // by which they are ranked, by number; else of a group, to be sorted
}

func newMembers(e *sim.Economy) *members {
	m := &members{economy: e}
	rows, all := 0, 0
	e.EachHousehold(func(h int, _ sim.HouseholdView) { rows, all = h+1, all+1 })
	m.numbers, m.values = make([]int32, 0, all), make([]float64, rows)
	return m
}

// chosen are the numbers of those for which in holds, ascending.
func (m *members) chosen(in func(v sim.HouseholdView) bool) []int32 {
	m.numbers = m.numbers[:0]
	m.economy.EachHousehold(func(h int, v sim.HouseholdView) {
		if in(v) {
			m.numbers = append(m.numbers, int32(h))
		}
	})
	return m.numbers
}

func (m *members) all() []int32 { return m.chosen(func(sim.HouseholdView) bool { return true }) }

// rank puts all in the order of something, and those that are alike in that of their numbers.
func (m *members) rank(by func(v sim.HouseholdView) float64) {
	for _, h := range m.all() {
		m.values[h] = by(m.economy.Household(int(h)))
	}
	slices.SortFunc(m.numbers, func(a, b int32) int {
		return cmp.Or(cmp.Compare(m.values[a], m.values[b]), cmp.Compare(a, b))
	})
}

// group are the members of a group of a grouping, by which all are ranked where it is by rank.
func (m *members) group(by householdGrouping, g int) []int32 {
	if by.rank == nil {
		return m.chosen(func(v sim.HouseholdView) bool { return by.group(v) == g })
	}
	n := len(by.groups)
	return m.numbers[g*len(m.numbers)/n : (g+1)*len(m.numbers)/n]
}

// sorted are the values of a group, ascending, until the next call.
func (m *members) sorted(group []int32, value func(v sim.HouseholdView) float64) []float64 {
	values := m.values[:len(group)]
	for k, h := range group {
		values[k] = value(m.economy.Household(int(h)))
	}
	slices.Sort(values)
	return values
}

// povertyLine is 60 % of the median disposable income.
func (m *members) povertyLine() float64 {
	return .6 * stats.Quantile(m.sorted(m.all(), incomeOfView), .5)
}

func incomeOfView(v sim.HouseholdView) float64 { return v.Income }

func (m *members) measure(name string, group []int32, povertyLine float64) HouseholdGroup[stats.Number] {
	earned, spent, wages := 0.0, 0.0, 0.0
	poor, employed, force := 0.0, 0.0, 0.0
	for _, h := range group {
		v := m.economy.Household(int(h))
		earned, spent = earned+v.Income, spent+v.Consumption
		if v.Income < povertyLine {
			poor++
		}
		if v.Work == sim.Employed {
			employed++
			wages += v.Wage
		}
		if v.Work != sim.OutsideLabourForce {
			force++
		}
	}
	spread := func(value func(v sim.HouseholdView) float64) Spread[stats.Number] {
		return newSpread(m.sorted(group, value))
	}
	n := float64(len(group))
	return HouseholdGroup[stats.Number]{
		Group: name, Households: stats.Number(n),
		Income:      spread(incomeOfView),
		Consumption: spread(func(v sim.HouseholdView) float64 { return v.Consumption }),
		Wealth:      spread(func(v sim.HouseholdView) float64 { return v.NetWorth }),
		Wage:        over(wages, employed), Poverty: over(poor, n), Saving: 1 - over(spent, earned), Jobless: 1 - over(employed, force),
		Inflation: stats.Absent,
	}
}

// over divides; nothing by nothing is absent.
func over(a, b float64) stats.Number {
	if b == 0 {
		return stats.Absent
	}
	return stats.Number(a / b)
}

// HouseholdsOfRecord is the part of the table that a stored month holds without its
// economy: all of the row of everybody, with quantiles and Gini coefficients from fine
// histograms, and the mean income (by income_decile, with the inflation that the tenth
// meets) or the mean wealth (by wealth_decile). Other groupings need the economy, and
// the error says so.
func HouseholdsOfRecord(r *sim.Record, by string) ([]HouseholdGroup[stats.Number], error) {
	grouping, err := householdGroupingOf(by)
	if err != nil {
		return nil, err
	}
	d := &r.Households
	table := make([]HouseholdGroup[stats.Number], len(grouping.groups))
	for g, name := range grouping.groups {
		table[g] = HouseholdGroup[stats.Number]{
			Group: name, Households: stats.Number(r.Value(sim.Population) / float64(len(table))),
			Income: absentSpread(), Consumption: absentSpread(), Wealth: absentSpread(),
			Wage: stats.Absent, Poverty: stats.Absent, Saving: stats.Absent, Jobless: stats.Absent, Inflation: stats.Absent,
		}
	}
	switch by {
	case "":
		all := &table[0]
		all.Income, all.Consumption, all.Wealth = spreadOf(&d.Income), spreadOf(&d.Consumption), spreadOf(&d.Wealth)
		all.Wage, all.Poverty = stats.Number(d.Wage.Mean), stats.Number(r.Value(sim.PovertyRate))
		all.Saving, all.Jobless = stats.Number(r.Value(sim.SavingRate)), stats.Number(r.Value(sim.UnemploymentRate))
	case "income_decile":
		for g := range table {
			table[g].Income.Mean = stats.Number(d.Income.Deciles[g])
		}
	case "wealth_decile":
		for g := range table {
			table[g].Wealth.Mean = stats.Number(d.Wealth.Deciles[g])
		}
	default:
		return nil, needsEconomy(by, "income_decile", "wealth_decile")
	}
	inflationOf(table, by, r)
	return table, nil
}

func needsEconomy(by string, held ...string) error {
	err := fault.New(fault.InvalidState, "by", "a stored month does not hold groups by %s", by)
	err.Hint = "ask while the experiment is in memory, or let the month be simulated again"
	err.Allowed = held
	return err
}

func spreadOf(d *sim.Distribution) Spread[stats.Number] {
	return Spread[stats.Number]{
		Mean: stats.Number(d.Mean), Median: stats.Number(d.P50), P10: stats.Number(d.P10), P90: stats.Number(d.P90),
		Gini: stats.Number(d.Gini), Lorenz: stats.Numbers(d.Lorenz[:]),
	}
}

// CombineHouseholds makes one table of those of the replications, which are grouped
// alike.
func CombineHouseholds(replications [][]HouseholdGroup[stats.Number], confidence float64) []HouseholdGroup[Estimate] {
	if len(replications) == 0 {
		return []HouseholdGroup[Estimate]{}
	}
	out := make([]HouseholdGroup[Estimate], len(replications[0]))
	for g := range out {
		var rows [][]*stats.Number
		curves := make([][][]stats.Number, 3)
		for r := range replications {
			row := &replications[r][g]
			rows = append(rows, row.places())
			for k, s := range []*Spread[stats.Number]{&row.Income, &row.Consumption, &row.Wealth} {
				curves[k] = append(curves[k], s.Lorenz)
			}
		}
		row := &out[g]
		row.Group = replications[0][g].Group
		combine(rows, row.places(), confidence)
		for k, s := range []*Spread[Estimate]{&row.Income, &row.Consumption, &row.Wealth} {
			s.Lorenz = meanLorenz(curves[k])
		}
	}
	return out
}
