package trials

import (
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// FactsCollector observes a simulation month by month and keeps what the table
// of facts needs. Its zero value is ready for the first month of an experiment.
// Its memory grows with the firms and with the months, not with their product.
type FactsCollector struct {
	History History

	month     int
	firms     []FirmYear // Before is the last full year, After the one under way
	employees []float64  // by the firms' numbers; 0 where there is none now
	staff     []int      // employees at the end of the last full year
}

// Observe takes in the month that e has just finished.
func (c *FactsCollector) Observe(e *sim.Economy) error {
	c.month++
	record := e.Latest()
	for i := range sim.NumIndicators {
		c.History.Series[i] = append(c.History.Series[i], record.Value(i))
	}
	clear(c.employees)
	e.EachFirm(func(i int, v sim.FirmView) {
		for i >= len(c.firms) {
			c.firms, c.staff, c.employees = append(c.firms, FirmYear{}), append(c.staff, 0), append(c.employees, 0)
		}
		c.firms[i].Capital = v.Capital
		c.firms[i].After += v.Revenue
		c.firms[i].Age = v.Age
		c.employees[i] = float64(v.Employees)
	})
	c.History.InvestmentShare = append(c.History.InvestmentShare, record.Firms.Revenue[sim.MaxIndustries]/record.Value(sim.NominalGDP))
	c.History.WageRate = append(c.History.WageRate, e.WageRate())
	c.History.TaxScale = append(c.History.TaxScale, e.TaxScale())
	if c.month%12 == 0 {
		c.endYear()
	}
	return nil
}

// endYear measures the firms and begins the next year's sales.
func (c *FactsCollector) endYear() {
	c.History.SizeTail = append(c.History.SizeTail, tables.SizeTail(c.employees))
	for i := range c.firms {
		c.firms[i].LeastEmployees = min(c.staff[i], int(c.employees[i]))
	}
	if c.month > 12 {
		c.History.Growth[0].Add(GrowthRates(c.firms, false)...)
		c.History.Growth[1].Add(GrowthRates(c.firms, true)...)
	}
	for i := range c.firms {
		c.firms[i].Before, c.firms[i].After = c.firms[i].After, 0
		c.staff[i] = int(c.employees[i])
	}
}

// Stats computes the statistics of the months observed so far.
func (c *FactsCollector) Stats() FactStats { return c.History.Stats() }
