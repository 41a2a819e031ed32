package trials

import (
	"cmp"
	"math"
	"slices"

	"econ-mcp/internal/quarterly"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Ages from which a firm has two years of its own, and those from which a year is measured whole.
const twoYearsOld = 24

// spike is the share of the capital at the start of a year from which its investment is one (Cooper and
// Haltiwanger 2006).
const spike = .2

// endYear measures the firms and households at the end of a year.
func (p *microPanel) endYear(e *sim.Economy) {
	year := p.month / 12
	for sector := range 2 {
		var growth []float64
		for i := range p.firms {
			f := &p.firms[i]
			if grown := f.seen && f.capital == (sector == 1) && f.age >= twoYearsOld && f.revenue > 0 && f.lastRevenue > 0; grown {
				g := math.Log(f.revenue / f.lastRevenue)
				if min(f.employees, f.lastEmployees) >= 1 {
					p.sized = append(p.sized, sizedGrowth{math.Log(f.lastRevenue), g})
				}
				if min(f.employees, f.lastEmployees) >= tables.GrowthFloor {
					growth = append(growth, g)
				}
			}
		}
		mean := stats.Mean(growth)
		for _, g := range growth {
			p.growth[sector] = append(p.growth[sector], g-mean)
		}
	}
	for i := range p.firms {
		p.endFirmYear(year, i, &p.firms[i])
	}
	p.wages(e)
	p.wealth(e)
}

// endFirmYear takes in the year of a firm and begins the next.
func (p *microPanel) endFirmYear(year, i int, f *microFirm) {
	before, after := float64(f.lastEmployees), float64(f.employees)
	if year > 1 {
		p.jobs += (before + after) / 2
		switch {
		case f.exited: // one firm ended, perhaps another began
			p.byExits += before
			p.destroyed += before
			p.created += after
		case after > before:
			p.created += after - before
		default:
			p.destroyed += before - after
		}
	}
	if f.seen && f.age >= twoYearsOld {
		if f.revenue > 0 && f.staff >= 12*tables.GrowthFloor {
			p.rows = append(p.rows, productivityRow{
				year: year, firm: i, industry: f.industry, size: math.Log(f.staff / 12), productivity: math.Log(f.revenue / f.hours),
			})
		}
		if !f.capital && f.startStock > 0 {
			p.firmYears++
			p.invested += max(0, f.bought)
			if f.bought > spike*f.startStock {
				p.spikes++
				p.spiked += f.bought
			}
		}
	}
	f.lastRevenue, f.lastEmployees, f.startStock = f.revenue, f.employees, f.stock
	f.revenue, f.staff, f.hours, f.bought, f.exited = 0, 0, 0, 0, false
}

// wages finds the elasticity of workers' wages on the employees of their firm.
func (p *microPanel) wages(e *sim.Economy) {
	var size, wage []float64
	e.EachHousehold(func(_ int, v sim.HouseholdView) {
		if i := v.Employer; i >= 0 && i < len(p.firms) && v.Wage > 0 && p.firms[i].employees > 0 {
			size, wage = append(size, math.Log(float64(p.firms[i].employees))), append(wage, math.Log(v.Wage))
		}
	})
	p.elasticity = append(p.elasticity, stats.Slope(size, wage))
}

// topShare is the part of the incomes that the richest percent have.
func topShare(incomes []float64) float64 {
	slices.Sort(incomes)
	top, all := 0., 0.
	for i, x := range incomes {
		if all += x; i >= len(incomes)-max(1, len(incomes)/100) {
			top += x
		}
	}
	return top / all
}

// richest is the share of the households in the tail of wealth.
const richest = .05

// wealth counts those who have none, or little at hand, and the incomes of the year at the top.
func (p *microPanel) wealth(e *sim.Economy) {
	var poor, little, n float64
	var incomes, worth []float64
	e.EachHousehold(func(h int, v sim.HouseholdView) {
		n++
		if v.NetWorth <= 0 {
			poor++
		}
		if v.Deposits < v.Income/2 {
			little++
		}
		incomes, worth = append(incomes, p.households[h].income), append(worth, v.NetWorth)
	})
	if p.emergent {
		p.wealthTail = append(p.wealthTail, stats.HillExponent(worth, richest))
	}
	p.poor, p.handToMouth = append(p.poor, poor/n), append(p.handToMouth, little/n)
	p.topIncome = append(p.topIncome, topShare(incomes))
	for h := range p.households {
		p.households[h].income = 0
	}
}

// facts are the values of the replication by the number of the fact; those that take another simulation aside.
func (p *microPanel) facts() map[int]float64 {
	ratio := func(a, b float64) float64 { return a / b }
	share := func(a, b int) float64 { return float64(a) / float64(b) }
	y := Cycle(stats.Quarterly(p.series.Series[sim.RealGDP]))
	_, change := stats.HPFilter(stats.Quarterly(p.stockChange), hpLambda)
	dispersion, persistence, withSize := productivityFacts(p.rows)
	return map[int]float64{
		1: p.growthShape(), 2: sizeSlope(p.sized), 3: dispersion, 4: persistence,
		5: share(p.spikes, p.firmYears), 6: ratio(p.spiked, p.invested),
		7: share(len(p.changes), p.quotes), 8: stats.Mean(p.changes), 9: share(p.rationed, p.shopMonths),
		10: stats.Correlation(Cycle(stats.Quarterly(p.stock)), y), 11: stats.Correlation(change, y),
		12: ratio(p.created, p.jobs), 13: ratio(p.byExits, p.destroyed), 14: 12 * share(p.exits, p.firmMonths),
		15: share(p.flows[0], p.employed), 16: share(p.flows[1], p.unemployed), 17: share(p.flows[2], p.employed),
		18: share(p.found[1], p.tried[1]) / share(p.found[0], p.tried[0]), 19: stats.DefinedMean(p.elasticity), 20: withSize,
		21: stats.Mean(p.poor), 22: stats.Mean(p.handToMouth), 25: stats.DefinedMean(p.wealthTail), 26: stats.Mean(p.topIncome), 27: p.scar(),
		28: monthShare(p.series.WageRate),
	}
}

// growthShape is the shape of the density of growth, of the two sectors by their numbers.
func (p *microPanel) growthShape() float64 {
	sum, n := 0., 0.
	for _, growth := range p.growth {
		if shape := quarterly.ShapeEP(growth); !math.IsNaN(shape) {
			sum, n = sum+shape*float64(len(growth)), n+float64(len(growth))
		}
	}
	return sum / n
}

// sizeClasses is the number of classes in which the spread of growth is measured.
const sizeClasses = 10

// sizeSlope is the slope of the log standard deviation of growth on the mean log size, over classes of equal numbers.
func sizeSlope(firms []sizedGrowth) float64 {
	slices.SortFunc(firms, func(a, b sizedGrowth) int { return cmp.Compare(a.size, b.size) })
	var size, spread []float64
	for c := range sizeClasses {
		class := firms[c*len(firms)/sizeClasses : (c+1)*len(firms)/sizeClasses]
		if len(class) < 2 {
			return math.NaN()
		}
		var sizes, growth []float64
		for _, f := range class {
			sizes, growth = append(sizes, f.size), append(growth, f.growth)
		}
		size, spread = append(size, stats.Mean(sizes)), append(spread, math.Log(stats.StdDev(growth)))
	}
	return stats.Slope(size, spread)
}

// leastFirms of an industry in a year, for its dispersion.
const leastFirms = 10

// productivityFacts are the 90-10 difference of log productivity within industries, its autocorrelation over a year,
// and its correlation with log size.
func productivityFacts(rows []productivityRow) (dispersion, persistence, withSize float64) {
	type cell struct{ year, industry int }
	cells := map[cell][]int{}
	var order []cell
	for k, row := range rows {
		c := cell{row.year, row.industry}
		if cells[c] == nil {
			order = append(order, c)
		}
		cells[c] = append(cells[c], k)
	}
	var spreads, sizes, productivities, now, before []float64
	last := map[[2]int]float64{} // by firm and year
	for _, c := range order {
		var size, productivity []float64
		for _, k := range cells[c] {
			size, productivity = append(size, rows[k].size), append(productivity, rows[k].productivity)
		}
		if sorted := slices.Sorted(slices.Values(productivity)); len(sorted) >= leastFirms {
			spreads = append(spreads, stats.Quantile(sorted, .9)-stats.Quantile(sorted, .1))
		}
		meanSize, meanProductivity := stats.Mean(size), stats.Mean(productivity)
		for n, k := range cells[c] {
			x := productivity[n] - meanProductivity
			sizes, productivities = append(sizes, size[n]-meanSize), append(productivities, x)
			last[[2]int{rows[k].firm, c.year}] = x
		}
	}
	for _, row := range rows {
		if x, ok := last[[2]int{row.firm, row.year - 1}]; ok {
			before, now = append(before, x), append(now, last[[2]int{row.firm, row.year}])
		}
	}
	return stats.Mean(spreads), stats.Correlation(before, now), stats.Correlation(sizes, productivities)
}

// scar is what those who were unemployed in month 1 earn later, over what those earn who had work, less 1.
func (p *microPanel) scar() float64 {
	var sum, n [sim.NumWorkStatuses]float64
	for _, h := range p.households {
		if h.seen {
			sum[h.first], n[h.first] = sum[h.first]+h.later, n[h.first]+1
		}
	}
	return sum[sim.Unemployed]/n[sim.Unemployed]/(sum[sim.Employed]/n[sim.Employed]) - 1
}

// monthShare is the part of the variance of monthly growth that lies between calendar months.
func monthShare(wage []float64) float64 {
	var growth []float64
	for t := 1; t < len(wage); t++ {
		growth = append(growth, math.Log(wage[t]/wage[t-1]))
	}
	mean, between, total := stats.Mean(growth), 0., 0.
	for month := range 12 {
		var own []float64
		for t := month; t < len(growth); t += 12 {
			own = append(own, growth[t])
		}
		d := stats.Mean(own) - mean
		between += float64(len(own)) * d * d
	}
	for _, g := range growth {
		total += (g - mean) * (g - mean)
	}
	return between / total
}
