package trials

import "econ-mcp/sim"

var greenLevy = given("green_levy_rate", .1)

// industryLevers are what holds for single industries, by COICOP division, and
// the green levy.
var industryLevers = []Lever{
	{
		Parameter: "vat_rates_by_industry", To: "01: 0", Months: firstYear, Note: "no VAT on food",
		Expect: []Expectation{
			{sim.TaxVAT, Falls, construct, ""},
			{sim.CPI, Falls, "Benedek, de Mooij, Keen and Wingender (2020)", ""},
		},
	},
	{
		Parameter: "green_levy_rate", To: .1, Months: laterYears,
		Expect: []Expectation{
			{sim.TaxLevy, Rises, construct, ""},
			{sim.Emissions, Falls, "Andersson (2019)", ""},
			{sim.CPI, Rises, accounting, ""},
		},
	},
	{
		Parameter: "green_levy_by_industry", To: "04: 0.2", Months: laterYears, Note: "on housing and energy",
		Expect: []Expectation{{sim.TaxLevy, Rises, construct, ""}},
	},
	{
		Parameter: "abatement_elasticity", To: 8.0, Context: with(greenLevy), Months: laterYears,
		Expect: []Expectation{{sim.Emissions, Falls, construct, ""}},
	},
	{
		Parameter: "abatement_speed", To: .1, Context: with(greenLevy), Months: firstYear,
		Expect: []Expectation{{sim.Emissions, Falls, construct, ""}},
	},
	{
		Parameter: "demand_factors_by_industry", To: "11: 0.5", Months: firstYear, Note: "half the demand for restaurants and hotels",
		Expect: []Expectation{{sim.RealConsumption, Falls, construct, ""}},
	},
	{
		Parameter: "capacity_factors_by_industry", To: "11: 0.3", Months: firstYear, Note: "restaurants and hotels may use 30 % of " +
			"their capacity",
		Expect: []Expectation{{sim.RealConsumption, Falls, construct, ""}},
	},
}
