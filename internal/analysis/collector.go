package analysis

import "econ-mcp/sim"

// FactsCollector observes a simulation month by month and keeps what the table
// of facts needs. Its zero value is ready for the first month of an experiment.
// Its memory grows with the firms and with the months, not with their product.
type FactsCollector struct {
	History History

	month     int
	sales     []float64 // of the year so far, by firm
	lastSales []float64 // of the year before
	employees []float64
	age       []int
}

// Observe takes in the month that e has just finished.
func (c *FactsCollector) Observe(e *sim.Economy) error {
	c.month++
	record := e.Latest()
	for i := range sim.NumIndicators {
		c.History.Series[i] = append(c.History.Series[i], record.Value(i))
	}
	var investment float64 // what capital firms sold
	c.employees, c.age = c.employees[:0], c.age[:0]
	e.EachFirm(func(i int, v sim.FirmView) {
		if i == len(c.sales) {
			c.sales = append(c.sales, 0)
		}
		c.sales[i] += v.Revenue
		c.employees = append(c.employees, float64(v.Employees))
		c.age = append(c.age, v.Age)
		if v.Capital {
			investment += v.Revenue
		}
	})
	c.History.InvestmentShare = append(c.History.InvestmentShare, investment/record.Value(sim.NominalGDP))
	c.History.TaxScale = append(c.History.TaxScale, e.TaxScale())
	if c.month%12 == 0 {
		c.endYear()
	}
	return nil
}

// endYear measures the firms and begins the next year's sales.
func (c *FactsCollector) endYear() {
	c.History.SizeTail = append(c.History.SizeTail, SizeTail(c.employees))
	if c.month == 12 {
		c.lastSales = make([]float64, len(c.sales))
	} else {
		c.History.GrowthKurtosis = append(c.History.GrowthKurtosis, GrowthKurtosis(c.lastSales, c.sales, c.age))
	}
	c.lastSales, c.sales = c.sales, c.lastSales
	clear(c.sales)
}

// Stats computes the statistics of the months observed so far.
func (c *FactsCollector) Stats() FactStats { return c.History.Stats() }
