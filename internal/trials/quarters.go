package trials

import (
	"math"
	"slices"

	"econ-mcp/internal/quarterly"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// QuartersCollector observes a simulation month by month and keeps what quarterly statistics measure. Its zero
// value is ready for the first month of an experiment.
type QuartersCollector struct {
	months [quarterly.NumVariables][]float64
}

// Observe takes in the month that e has just finished.
//
// Volumes are at prices of the base month, but exports, which the deflator of output deflates, and imports,
// which their own prices do. Output an hour is output an employed person, as hours are persons; wages, loans and
// money are deflated by consumer prices.
func (c *QuartersCollector) Observe(e *sim.Economy) error {
	r := e.Latest()
	of := func(i sim.Indicator) float64 { return r.Value(i) }
	output, nominal := of(sim.RealGDP), of(sim.NominalGDP)
	employed := of(sim.EmploymentRate) * of(sim.Population)
	hours := employed + r.Overtime
	spent := r.Households.Consumption.Mean * of(sim.Population)
	invested := r.Firms.Revenue[sim.MaxIndustries]
	public := r.Government.Wages + r.Government.Purchases
	exports, imports := of(sim.Exports), of(sim.Imports)
	for v, x := range map[quarterly.Variable]float64{
		quarterly.Output:              output,
		quarterly.Consumption:         of(sim.RealConsumption),
		quarterly.FixedInvestment:     of(sim.RealInvestment),
		quarterly.GrossInvestment:     of(sim.RealInvestment) + r.RealInventoryChange,
		quarterly.Government:          r.RealPurchases + r.RealPublicWages,
		quarterly.Exports:             100 * exports / of(sim.GDPDeflator),
		quarterly.Imports:             100 * imports / of(sim.ImportPriceIndex),
		quarterly.Hours:               hours,
		quarterly.Employment:          employed,
		quarterly.Adults:              of(sim.Population),
		quarterly.OutputPerHour:       output / hours,
		quarterly.RealWage:            of(sim.RealWageMean) * employed / hours,
		quarterly.Loans:               of(sim.CreditStock) / of(sim.CPI),
		quarterly.Money:               of(sim.MoneyStock) / of(sim.CPI),
		quarterly.Vacancies:           of(sim.VacancyRate),
		quarterly.Deflator:            of(sim.GDPDeflator),
		quarterly.ConsumerPrices:      of(sim.CPI),
		quarterly.Unemployment:        of(sim.UnemploymentRate),
		quarterly.PolicyRate:          of(sim.PolicyRate),
		quarterly.Utilisation:         of(sim.CapacityUtilisation),
		quarterly.InventoryInvestment: (nominal - spent - public - invested - exports + imports) / nominal,
		quarterly.ConsumptionShare:    spent / nominal,
		quarterly.InvestmentShare:     invested / nominal,
		quarterly.GovernmentShare:     public / nominal,
		quarterly.ExportShare:         exports / nominal,
		quarterly.ImportShare:         imports / nominal,
	} {
		c.months[v] = append(c.months[v], x)
	}
	return nil
}

// Data are the quarters observed so far; what the economy does not have, such as exports without trade, is not
// measured in them.
func (c *QuartersCollector) Data() *quarterly.Data {
	d := &quarterly.Data{}
	for v, months := range c.months {
		x := stats.Quarterly(months)
		if slices.ContainsFunc(x, func(x float64) bool { return x != 0 && !math.IsNaN(x) }) {
			d.Values[v] = x
		}
	}
	return d
}
