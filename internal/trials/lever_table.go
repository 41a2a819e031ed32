package trials

import (
	"slices"

	"econ-mcp/sim"
)

// Levers are the documented settings: one or more for each parameter that is
// not technical. A new parameter gets a row in the list of its category.
func Levers() []Lever {
	return slices.Concat(
		scaleLevers,
		policyLevers,
		laborLevers,
		marketLevers,
		demandLevers,
		technologyLevers,
		financeLevers,
		publicLevers,
		shockLevers,
		tradeLevers,
		bankLevers,
		automationLevers,
		kindLevers,
		peopleLevers,
		industryLevers,
		entryLevers,
	)
}

// Windows that several levers share.
var (
	firstYear   = Window{1, 12}
	fiveYears   = Window{1, 60}
	laterYears  = Window{13, 60}
	secondFive  = Window{61, 120}
	tenYears    = Window{1, 120}
	construct   = "by construction"
	accounting  = "accounting"
	stylised    = "stylised"
	slump       = sim.ParameterChange{Name: "confidence_shock", Value: -.03}
	fixedRate   = sim.ParameterChange{Name: "policy_rate_rule", Value: "fixed"}
	pegged      = sim.ParameterChange{Name: "fixed_policy_rate", Value: .05}
	basicIncome = sim.ParameterChange{Name: "universal_basic_income", Value: .1}
)

// with is a context.
func with(changes ...sim.ParameterChange) []sim.ParameterChange { return changes }

// given is one change of a context.
func given(name string, value any) sim.ParameterChange {
	return sim.ParameterChange{Name: name, Value: value}
}

// Signs are the comparisons that the economy must get right before its answers
// count, with more seeds than the table of levers.
func Signs() []Lever { return slices.Concat(namedSigns, automationSigns, tradeSigns) }

var namedSigns = []Lever{
	{
		Claim: "VAT +5 pp lowers real consumption and raises prices", Parameter: "vat_rate", To: .13, Months: firstYear,
		Expect: []Expectation{
			{sim.RealConsumption, Falls, "Cashin and Unayama (2016)", ""},
			{sim.CPI, Rises, "Benedek, de Mooij, Keen and Wingender (2020)", ""},
		},
	},
	{
		Claim: "Income tax +5 pp lowers GDP", Parameter: "income_tax_rate", To: .27, Months: firstYear,
		Expect: []Expectation{{sim.RealGDP, Falls, "Romer and Romer (2010); Blanchard and Perotti (2002)", ""}},
	},
	{
		Claim: "A policy rate of +2 pp lowers investment and inflation", Parameter: "fixed_policy_rate", To: .05, Context: with(fixedRate),
		Months: Window{1, 24},
		Expect: []Expectation{
			{sim.RealInvestment, Falls, "Christiano, Eichenbaum and Evans (1999, 2005)", ""},
			{sim.Inflation, Falls, "Christiano, Eichenbaum and Evans (1999, 2005)", ""},
		},
	},
	{
		Claim:     "Government purchases +2 % of GDP raise GDP, with a multiplier of .4 to 2.0 in year 1",
		Parameter: "inherent_market_consumption_rate", To: .12, Months: firstYear,
		Expect: []Expectation{{sim.RealGDP, Rises, "Blanchard and Perotti (2002); Ramey (2019)", ""}},
		Band:   &Band{Low: .4, High: 2},
	},
	{
		Claim: "A productivity gain of 10 % lowers prices and raises real wages in the long run", Parameter: "labor_productivity_factor",
		To: 110.0, Months: secondFive,
		Expect: []Expectation{
			{sim.CPI, Falls, "Basu, Fernald and Kimball (2006)", ""},
			{sim.RealWageMean, Rises, "Basu, Fernald and Kimball (2006)", ""},
		},
	},
	{
		Claim: "A minimum wage at 60 % of the median compresses wages", Parameter: "minimum_wage", To: .6, Months: firstYear,
		Expect: []Expectation{{WageGini, Falls, "Autor, Manning and Smith (2016)", ""}},
	},
	{
		Claim: "A credit freeze raises bankruptcies", Parameter: "credit_supply_factor", To: 0.0, Months: firstYear,
		Expect: []Expectation{{sim.Bankruptcies, Rises, "stylised; Chodorow-Reich (2014) for employment", ""}},
	},
	{
		Claim: "Basic income (10 % of the mean wage) lowers poverty", Parameter: "universal_basic_income", To: .1, Months: firstYear,
		Expect: []Expectation{{sim.PovertyRate, Falls, accounting, ""}},
	},
	{
		Claim:     "The financing of basic income decides inflation: out of income tax instead of debt, prices rise less",
		Parameter: "basic_income_financing", To: "income_tax",
		Context: with(basicIncome, noDebtRule), Months: fiveYears,
		Expect: []Expectation{{sim.Inflation, Falls, stylised, ""}},
	},
	{
		Claim:     "The financing of basic income decides inflation: out of VAT instead of debt, prices rise more in year 1",
		Parameter: "basic_income_financing", To: "vat",
		Context: with(basicIncome, noDebtRule), Months: firstYear,
		Expect: []Expectation{{sim.CPI, Rises, accounting, ""}},
	},
	{
		Claim: "Equal redistribution (5 % of GDP) lowers the income Gini", Parameter: "redistribution_strategy", To: "equal",
		Context: with(given("redistribution_share", .05)), Months: firstYear,
		Expect: []Expectation{{sim.IncomeGini, Falls, accounting, ""}},
	},
}
