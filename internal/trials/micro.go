package trials

import (
	"context"
	"math"

	"econ-mcp/data"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Settings of [Micro].
const (
	MicroMonths       = 240 // twenty years of panels
	MicroReplications = 4

	giftMonths = 12  // after which a gift is looked at
	giftShare  = .02 // of households that have to have won, for the propensity to be measured at all
)

// Micro holds panels of the firms and households of a scenario against data.Micro: twenty years of every firm and
// household, and a lottery that pays a tenth of the households a month's income.
func Micro(
	ctx context.Context, s scenario.Scenario, replications, threads int, cache run.Cache, progress func(run.Progress),
) (*Table, error) {
	facts, err := readFacts(data.Micro)
	if err != nil {
		return nil, err
	}
	panels := make([]microPanel, max(0, replications))
	err = observed(ctx, s, replications, MicroMonths, threads, cache, progress, func(replication int, e *sim.Economy) error {
		panels[replication].observe(e)
		return nil
	})
	if err != nil {
		return nil, err
	}
	amount := 0.
	for i := range panels {
		amount += panels[i].firstIncome / float64(len(panels))
	}
	gifts, err := observeGifts(ctx, s, amount, replications, threads, cache, progress)
	if err != nil {
		return nil, err
	}
	t := &Table{Title: "Firms and households", Setting: settingOf(s, replications, MicroMonths), Facts: facts}
	values := make([]map[int]float64, len(panels))
	for i := range panels {
		values[i] = panels[i].facts()
		values[i][23], values[i][24] = gifts[i].propensity(amount), gifts[i].gradient(amount)
	}
	for k := range t.Facts {
		fact := &t.Facts[k]
		fact.Note = microNotes[fact.Number]
		column := make([]float64, len(panels))
		for i := range panels {
			value, measured := values[i][fact.Number]
			if column[i] = value; !measured {
				column[i] = math.NaN()
			}
		}
		fact.holdMeans(column)
	}
	return t, nil
}

// microNotes say how facts are measured, as far as they do not say it themselves.
var microNotes = map[int]string{
	1:  "log growth of annual sales less its mean over the sector's firms in the year; firms as in the row on kurtosis of docs/MODEL.md, 7.15",
	2:  "firms with an employee at both year-ends; slope over ten classes of equal numbers by the sales of the year before",
	3:  "annual revenue an hour, firms with five or more; mean over industries and years with ten of them or more",
	4:  "of its log less the mean of industry and year",
	5:  "makers of consumption goods at least two years old; capital goods delivered in the year over those at its start",
	6:  "the same firms",
	7:  "makers of consumption goods, without VAT",
	9:  "makers of consumption goods that could not serve all orders of the first round",
	10: "inventories at unit cost over the deflator of GDP, quarterly, HP filter of the log",
	11: "change of inventories over GDP, both real, quarterly, HP filter",
	12: "year-end to year-end; a firm whose staff stays when it fails and is replaced counts as one that lives on",
	13: "job destruction by firms that leave with their staff dismissed",
	14: "exits after which at least half of the staff is no longer there, or that had none",
	19: "slope over employees of firms, at year-ends",
	20: "logs of mean employees and of annual revenue an hour, less means of industry and year; the firms of 3",
	21: "deposits and the owned part of firms and banks, at year-ends",
	22: "deposits below half a month's disposable income, at year-ends",
	23: "lottery: a tenth of the households, drawn at random, receives a month's mean income in month 1; further spending of the winners " +
		"over twelve months against the same households without it",
	24: "winners by fifth of deposits without the gift, at the end of month 1",
	25: "Hill's estimate from the richest twentieth by net worth at year-ends, where ownership_risk lets ownership " +
		"change hands, from equal shares at the start of the burn-in; elsewhere it is drawn from a Pareto distribution and stays",
	26: "disposable income of a year",
	27: "mean wage over the skill of somebody who was never out of work in months 37 to 60, 0 without a job, of those unemployed in month 1 over that of those employed, less 1",
	28: "monthly growth of the wage an efficiency unit",
}

// microPanel follows the firms and households of one replication.
type microPanel struct {
	month       int
	firstIncome float64 // mean disposable income in month 1
	series      History // aggregates, for cycles
	stock       []float64
	stockChange []float64

	firms      []microFirm
	households []microHousehold

	growth       [2][]float64 // of sales, by sector, less year means
	sized        []sizedGrowth
	rows         []productivityRow // by year and firm
	changes      []float64         // sizes of price changes
	quotes       int               // prices that could have changed
	rationed     int
	shopMonths   int
	invested     float64 // by firms whose year can be measured
	spiked       float64 // of it in spikes
	firmYears    int
	spikes       int
	created      float64 // jobs, by year summed
	destroyed    float64
	byExits      float64
	jobs         float64 // mean of both ends, by year summed
	exits        int
	firmMonths   int
	flows        [3]int // employed to unemployed, back, job to job
	employed     int    // months of households
	unemployed   int
	tried, found [2]int // months of unemployed by spell: 1 to 3, 7 to 12; those that found a job
	elasticity   []float64
	poor         []float64 // shares, by year
	handToMouth  []float64
	topIncome    []float64
	emergent     bool // ownership begins alike and changes hands
	wealthTail   []float64
}

// microFirm is what is remembered of a firm.
type microFirm struct {
	seen               bool // last month
	capital            bool
	industry, age      int
	employees          int // last month
	stay, left         int // of last month's staff: still there, not there
	price, stock       float64
	revenue, staff     float64 // of the year: sales, employee-months
	hours              float64 // of the year, those of a full-time employee in a month are 1
	lastRevenue        float64 // of the year before
	lastEmployees      int     // at the last year-end
	startStock, bought float64
	exited             bool // in the year, with its staff dismissed
}

// microHousehold is what is remembered of a household.
type microHousehold struct {
	seen     bool
	employer int
	work     sim.WorkStatus
	idle     int
	first    sim.WorkStatus // in month 1
	later    float64        // wages an efficiency unit in months 37 to 60
	income   float64        // of the year
}

// sizedGrowth is growth of sales with the log of the sales before.
type sizedGrowth struct{ size, growth float64 }

// productivityRow is a firm in a year.
type productivityRow struct {
	year, firm, industry int
	size, productivity   float64 // logs
}

// observe takes in the month that e has just finished.
func (p *microPanel) observe(e *sim.Economy) {
	p.month++
	record := e.Latest()
	for i := range sim.NumIndicators {
		p.series.Series[i] = append(p.series.Series[i], record.Value(i))
	}
	p.series.WageRate = append(p.series.WageRate, e.WageRate())
	p.stock = append(p.stock, 100*record.Firms.Inventories/record.Value(sim.GDPDeflator))
	p.stockChange = append(p.stockChange, record.RealInventoryChange/record.Value(sim.RealGDP))
	if p.month == 1 {
		p.firstIncome = record.Households.Income.Mean
	}
	p.observeHouseholds(e)
	params := e.Params()
	p.emergent = params.OwnershipRisk > 0
	p.observeFirms(e, params.DepreciationRate)
	if p.month%12 == 0 {
		p.endYear(e)
	}
}

func (p *microPanel) observeHouseholds(e *sim.Economy) {
	for i := range p.firms {
		p.firms[i].stay, p.firms[i].left = 0, 0
	}
	present := make([]bool, len(p.households))
	e.EachHousehold(func(h int, v sim.HouseholdView) {
		for h >= len(p.households) {
			p.households, present = append(p.households, microHousehold{}), append(present, false)
		}
		m := &p.households[h]
		present[h] = true
		if m.seen {
			p.count(m, v)
		}
		if p.month == 1 {
			m.first = v.Work
		}
		if p.month > 36 && p.month <= 60 && v.Ability > 0 {
			m.later += v.Wage / v.Ability
		}
		m.seen, m.employer, m.work, m.idle = true, v.Employer, v.Work, v.Idle
		m.income += v.Income
	})
	for h := range p.households {
		p.households[h].seen = present[h]
	}
}

// count adds what a household did since the month before.
func (p *microPanel) count(m *microHousehold, v sim.HouseholdView) {
	if m.employer >= 0 && m.employer < len(p.firms) {
		if v.Employer == m.employer {
			p.firms[m.employer].stay++
		} else {
			p.firms[m.employer].left++
		}
	}
	switch m.work {
	case sim.Employed:
		p.employed++
		switch {
		case v.Work == sim.Unemployed:
			p.flows[0]++
		case v.Work == sim.Employed && v.Employer != m.employer:
			p.flows[2]++
		}
	case sim.Unemployed:
		p.unemployed++
		hired := v.Work == sim.Employed
		if hired {
			p.flows[1]++
		}
		spell := -1
		switch {
		case m.idle >= 1 && m.idle <= 3:
			spell = 0
		case m.idle >= 7 && m.idle <= 12:
			spell = 1
		}
		if spell >= 0 {
			p.tried[spell]++
			if hired {
				p.found[spell]++
			}
		}
	}
}

// priceTolerance is the relative change from which a price counts as another one.
const priceTolerance = 1e-9

func (p *microPanel) observeFirms(e *sim.Economy, depreciation float64) {
	present := make([]bool, len(p.firms))
	e.EachFirm(func(i int, v sim.FirmView) {
		for i >= len(p.firms) {
			p.firms, present = append(p.firms, microFirm{}), append(present, false)
		}
		f := &p.firms[i]
		present[i] = true
		p.firmMonths++
		if f.seen && v.Age <= f.age { // another firm in its place
			p.exit(f)
			f.lastRevenue, f.revenue, f.staff, f.hours = 0, 0, 0, 0
		}
		if !v.Capital {
			p.shopMonths++
			if v.Rationed {
				p.rationed++
			}
			if f.seen && v.Age > f.age {
				if sim.ProductLines(f.employees) == 1 { // the price of a firm with more is a mean
					p.quotes++
					if change := math.Abs(math.Log(v.Price / f.price)); change > priceTolerance {
						p.changes = append(p.changes, change)
					}
				}
				f.bought += v.CapitalStock - (1-depreciation)*f.stock
			}
		}
		f.seen, f.capital, f.industry, f.age, f.employees = true, v.Capital, v.Industry, v.Age, v.Employees
		f.price, f.stock = v.Price, v.CapitalStock
		f.revenue += v.Revenue
		f.staff += float64(v.Employees)
		f.hours += v.Hours
	})
	for i := range p.firms {
		if f := &p.firms[i]; f.seen && !present[i] {
			p.exit(f)
			*f = microFirm{lastEmployees: f.lastEmployees, exited: f.exited}
		}
	}
}

// exit counts a firm that is no more, where its staff is gone.
func (p *microPanel) exit(f *microFirm) {
	if f.left >= f.stay {
		p.exits++
		f.exited = true
	}
}
