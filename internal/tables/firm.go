package tables

import (
	"fmt"
	"math"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// FirmGroup is a row of the table of firms, of one economy with numbers or over
// replications with estimates. Means of prices and mark-ups are weighted by revenue.
type FirmGroup[N stats.Number | Estimate] struct {
	Group         string `json:"group"`
	Firms         N      `json:"firms"`
	Entries       N      `json:"entries" doc:"founded in the month"`
	Exits         N      `json:"exits" doc:"failed or gave up in the month"`
	Bankruptcies  N      `json:"bankruptcies"`
	Employees     N      `json:"employees"`
	MeanSize      N      `json:"mean_size" doc:"employees a firm"`
	Sizes         []N    `json:"sizes" doc:"firms with 0, 1-4, 5-9, 10-19, 20-49, 50-249, 250 and more employees"`
	Revenue       N      `json:"revenue" doc:"currency units a month, without VAT"`
	MarketShare   N      `json:"market_share" doc:"of the group in the revenue of all firms"`
	FourLargest   N      `json:"four_largest" doc:"revenue share in a local market; not by size"`
	HHI           N      `json:"hhi" doc:"of a local market, weighted by revenue; not by size"`
	MarkUp        N      `json:"mark_up" doc:"over unit cost"`
	Price         N      `json:"price" doc:"mean paid without VAT; by industry"`
	RelativePrice N      `json:"relative_price" doc:"over the mean price of the industry"`
	Productivity  N      `json:"productivity" doc:"units a month per unit of labour"`
	Inventories   N      `json:"inventories" doc:"at unit cost, currency units"`
	Capital       N      `json:"capital" doc:"at the mean price of capital goods, currency units"`
	Vacancies     N      `json:"vacancies" doc:"posts left open; of all: with those of the government"`
	Innovations   N      `json:"innovation_events" doc:"in the month"`
	Adopters      N      `json:"ai_adopters"`
	Exports       N      `json:"exports" doc:"currency units a month; by industry and of all"`
	Imports       N      `json:"imports" doc:"currency units a month; by industry and of all"`
}

func (g *FirmGroup[N]) places() []*N {
	list := []*N{
		&g.Firms, &g.Entries, &g.Exits, &g.Bankruptcies, &g.Employees, &g.MeanSize, &g.Revenue, &g.MarketShare, &g.FourLargest,
		&g.HHI, &g.MarkUp, &g.Price, &g.RelativePrice, &g.Productivity, &g.Inventories, &g.Capital, &g.Vacancies,
		&g.Innovations, &g.Adopters, &g.Exports, &g.Imports,
	}
	for k := range g.Sizes {
		list = append(list, &g.Sizes[k])
	}
	return list
}

// FirmGroupings are what firms may be grouped by; "" is all of them together.
var FirmGroupings = []string{"", "industry", "size"}

// capitalGroup is the row of the makers of capital goods.
const capitalGroup = "capital goods"

func firmGroupNames(p sim.Params, by string) ([]string, error) {
	switch by {
	case "":
		return []string{groupOfAll}, nil
	case "industry":
		return append(industryNames(p), capitalGroup), nil
	case "size":
		return sizeNames(), nil
	}
	return nil, fault.Range("by", fmt.Sprintf("%q", by), FirmGroupings[1:]...)
}

// sizeNames names the classes of sim.SizeClasses: "0", "1-4" … "250+".
func sizeNames() (names []string) {
	for k, least := range sim.SizeClasses {
		switch {
		case k+1 == sim.NumSizeClasses:
			names = append(names, fmt.Sprintf("%d+", least))
		case sim.SizeClasses[k+1] == least+1:
			names = append(names, fmt.Sprint(least))
		default:
			names = append(names, fmt.Sprintf("%d-%d", least, sim.SizeClasses[k+1]-1))
		}
	}
	return names
}

func sizeClass(employees int) int {
	class := sim.NumSizeClasses - 1
	for employees < sim.SizeClasses[class] {
		class--
	}
	return class
}

func absentFirms(name string) FirmGroup[stats.Number] {
	g := FirmGroup[stats.Number]{Group: name, Sizes: make([]stats.Number, sim.NumSizeClasses)}
	for _, x := range g.places() {
		*x = stats.Absent
	}
	return g
}

// recordRow is where a record's arrays have an industry, with the makers of capital
// goods last.
func recordRow(industry, industries int) int {
	if industry == industries {
		return sim.MaxIndustries
	}
	return industry
}

// FirmTable groups the firms of an economy in the month that it has just simulated. What
// the month's record holds of a group is taken from there: concentration, trade, and
// what is known of all firms only, as how many gave up.
func FirmTable(e *sim.Economy, by string) ([]FirmGroup[stats.Number], error) {
	if err := checkMeasured(e); err != nil {
		return nil, err
	}
	p, r := e.Params(), e.Latest()
	names, err := firmGroupNames(p, by)
	if err != nil {
		return nil, err
	}
	prices, revenue := marketPrices(e, p.NumIndustries)
	groups := make([]firmSums, len(names))
	e.EachFirm(func(_ int, v sim.FirmView) {
		g := 0
		switch by {
		case "industry":
			g = v.Industry // the makers of capital goods follow the industries
		case "size":
			g = sizeClass(v.Employees)
		}
		groups[g].add(v, prices)
	})
	table := make([]FirmGroup[stats.Number], len(names))
	for g := range groups {
		table[g] = groups[g].row(names[g], revenue)
		if by == "industry" {
			table[g].Price = stats.Number(prices[g])
		}
	}
	if by != "size" {
		fillFromRecord(table, by, r, p.NumIndustries)
	}
	return table, nil
}

// marketPrices are the mean prices paid by industry, capital goods last, and the revenue of
// all.
func marketPrices(e *sim.Economy, industries int) (prices []float64, revenue float64) {
	paid, units := make([]float64, industries+1), make([]float64, industries+1)
	e.EachFirm(func(_ int, v sim.FirmView) {
		paid[v.Industry] += v.Revenue
		units[v.Industry] += v.Sold
		revenue += v.Revenue
	})
	for j := range paid {
		paid[j] /= units[j]
	}
	return paid, revenue
}

// firmSums add up the firms of a group, of which no list is kept.
type firmSums struct {
	firms                                                          int
	sizes                                                          [sim.NumSizeClasses]float64
	founded, employees, revenue, markUp, relative, labour, product float64
	inventories, capital, vacancies, innovated, adopters           float64
}

func (s *firmSums) add(v sim.FirmView, prices []float64) {
	s.firms++
	s.sizes[sizeClass(v.Employees)]++
	if v.Age == 0 {
		s.founded++
	}
	if v.Innovated {
		s.innovated++
	}
	if v.Automated {
		s.adopters++
	}
	s.employees += float64(v.Employees)
	s.revenue += v.Revenue
	s.markUp += v.Revenue * v.MarkUp
	if v.Revenue > 0 {
		s.relative += v.Revenue * v.Price / prices[v.Industry]
	}
	s.labour += v.Labour
	s.product += v.Labour * v.Productivity
	s.inventories += v.InventoryValue
	s.capital += v.CapitalValue
	s.vacancies += float64(v.Vacancies)
}

// row is the group's row of the table.
func (s *firmSums) row(name string, revenueOfAll float64) FirmGroup[stats.Number] {
	g := absentFirms(name)
	g.Firms, g.Entries = stats.Number(s.firms), stats.Number(s.founded)
	g.Employees, g.MeanSize = stats.Number(s.employees), over(s.employees, float64(s.firms))
	g.Sizes = stats.Numbers(s.sizes[:])
	g.Revenue, g.MarketShare = stats.Number(s.revenue), over(s.revenue, revenueOfAll)
	g.MarkUp, g.RelativePrice, g.Productivity = over(s.markUp, s.revenue), over(s.relative, s.revenue), over(s.product, s.labour)
	g.Inventories, g.Capital, g.Vacancies = stats.Number(s.inventories), stats.Number(s.capital), stats.Number(s.vacancies)
	g.Innovations, g.Adopters = stats.Number(s.innovated), stats.Number(s.adopters)
	return g
}

// FirmsOfRecord is the part of the table that a stored month holds without its economy:
// all firms together, industries, and the number of firms by size. p are the parameters
// of the run.
func FirmsOfRecord(r *sim.Record, p sim.Params, by string) ([]FirmGroup[stats.Number], error) {
	names, err := firmGroupNames(p, by)
	if err != nil {
		return nil, err
	}
	table := make([]FirmGroup[stats.Number], len(names))
	for g, name := range names {
		table[g] = absentFirms(name)
		if by == "size" {
			for k := range table[g].Sizes {
				table[g].Sizes[k] = 0
			}
			table[g].Firms, table[g].Sizes[g] = stats.Number(r.Firms.Sizes[g]), stats.Number(r.Firms.Sizes[g])
		}
	}
	if by != "size" {
		fillFromRecord(table, by, r, p.NumIndustries)
	}
	return table, nil
}

// fillFromRecord writes what a record holds of all firms or of industries.
func fillFromRecord(table []FirmGroup[stats.Number], by string, r *sim.Record, industries int) {
	f := &r.Firms
	total := 0.0
	for _, x := range f.Revenue {
		total += x
	}
	if by == "industry" {
		for g := range table {
			row, t := recordRow(g, industries), &table[g]
			t.Revenue, t.MarketShare = stats.Number(f.Revenue[row]), over(f.Revenue[row], total)
			t.FourLargest, t.HHI = stats.Number(f.CR4[row]), stats.Number(f.HHI[row])
			t.MarkUp, t.Price = stats.Number(f.MarkUp[row]), stats.Number(f.Price[row])
			if row < sim.MaxIndustries {
				t.Exports, t.Imports = stats.Number(f.Exports[row]), stats.Number(f.Imports[row])
			}
		}
		return
	}
	t := &table[0]
	t.Firms, t.Entries = stats.Number(r.Value(sim.FirmCount)), stats.Number(r.Value(sim.FirmEntries))
	t.Exits = stats.Number(r.Value(sim.FirmExits))
	t.Bankruptcies, t.MeanSize = stats.Number(r.Value(sim.Bankruptcies)), stats.Number(f.MeanSize)
	t.Employees = stats.Number(math.Round(f.MeanSize * r.Value(sim.FirmCount)))
	for k, n := range f.Sizes {
		t.Sizes[k] = stats.Number(n)
	}
	t.Revenue, t.MarketShare = stats.Number(total), 1
	t.HHI, t.MarkUp = stats.Number(r.Value(sim.HHI)), stats.Number(r.Value(sim.MarkUp)) // of consumption goods
	four, sales := 0.0, 0.0
	for j := range sim.MaxIndustries {
		if f.Revenue[j] > 0 { // else it has no concentration
			four += f.CR4[j] * f.Revenue[j]
			sales += f.Revenue[j]
		}
	}
	t.FourLargest = over(four, sales)
	t.Inventories, t.Vacancies = stats.Number(f.Inventories), stats.Number(f.Vacancies)
	t.Innovations, t.Adopters = stats.Number(r.Value(sim.InnovationEvents)), stats.Number(f.Adopters)
	t.Exports, t.Imports = stats.Number(r.Value(sim.Exports)), stats.Number(r.Value(sim.Imports))
}

// CombineFirms makes one table of those of the replications, which are grouped alike.
func CombineFirms(replications [][]FirmGroup[stats.Number], confidence float64) []FirmGroup[Estimate] {
	if len(replications) == 0 {
		return []FirmGroup[Estimate]{}
	}
	out := make([]FirmGroup[Estimate], len(replications[0]))
	for g := range out {
		out[g] = FirmGroup[Estimate]{Group: replications[0][g].Group, Sizes: make([]Estimate, sim.NumSizeClasses)}
		var rows [][]*stats.Number
		for r := range replications {
			rows = append(rows, replications[r][g].places())
		}
		combine(rows, out[g].places(), confidence)
	}
	return out
}
