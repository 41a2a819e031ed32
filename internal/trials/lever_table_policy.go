package trials

import "econ-mcp/sim"

// scaleLevers are sizes and lengths: most say that the economy is another one,
// not that it has another policy.
var scaleLevers = []Lever{
	{
		Parameter: "num_households", Times: 2, Months: fiveYears,
		Expect: []Expectation{{sim.RealGDP, Rises, construct, ""}},
		Note:   "rates and shares should stay",
	},
	{
		Parameter: "households_per_firm", To: 10, Months: fiveYears,
		Expect: []Expectation{{sim.FirmCount, Rises, construct, ""}},
	},
	{Parameter: "households_per_market", To: 1_000, Months: fiveYears},
	{Parameter: "num_industries", To: 6, Months: fiveYears},
	{
		Parameter: "min_per_cat", To: 16, Context: with(given("num_households", 3000)), Months: fiveYears,
		Expect: []Expectation{{sim.HHI, Falls, construct, ""}},
	},
	{Parameter: "capital_firm_share", To: .15, Months: fiveYears},
	{Parameter: "num_iterations", To: 60, Months: tenYears, Note: "means of 5 years and of 10 years of the same economy"},
	{Parameter: "burn_in_months", To: 240, Months: fiveYears, Note: "base month five years later: a test that burn-in is long enough"},
	{Parameter: "random_state", To: 2, Months: fiveYears, Note: "other random draws and nothing else: what moves here moves by chance"},
}

// policyLevers are taxes and public spending.
var policyLevers = []Lever{
	{
		Parameter: "income_tax_rate", To: .27, Months: firstYear,
		Expect: []Expectation{
			{sim.RealGDP, Falls, "Romer and Romer (2010)", ""},
			{sim.TaxIncome, Rises, construct, ""},
		},
	},
	{
		Parameter: "tax_allowance", To: .4, Months: firstYear,
		Expect: []Expectation{
			{sim.TaxIncome, Falls, construct, ""},
			{sim.IncomeGini, Falls, accounting, ""},
		},
	},
	{
		Parameter: "vat_rate", To: .13, Months: firstYear,
		Expect: []Expectation{
			{sim.CPI, Rises, "Benedek, de Mooij, Keen and Wingender (2020)", ""},
			{sim.RealConsumption, Falls, "Cashin and Unayama (2016)", ""},
		},
	},
	{
		Parameter: "corporate_tax_rate", To: .35, Months: laterYears,
		Expect: []Expectation{
			{sim.TaxCorporate, Rises, construct, ""},
			{sim.RealInvestment, Falls, "Djankov et al. (2010)", ""},
		},
	},
	{
		Parameter: "government_employment_share", To: .16, Months: firstYear,
		Expect: []Expectation{{sim.UnemploymentRate, Falls, accounting, ""}},
	},
	{
		Parameter: "enable_inherent_market", To: false, Months: firstYear,
		Expect: []Expectation{{sim.RealGDP, Falls, "Ramey (2019)", ""}},
	},
	{
		Parameter: "inherent_market_consumption_rate", To: .12, Months: firstYear,
		Expect: []Expectation{{sim.RealGDP, Rises, "Ramey (2019)", ""}},
	},
	{
		Parameter: "unemployment_benefit_rate", To: .7, Months: firstYear,
		Expect: []Expectation{
			{sim.IncomeGini, Falls, accounting, ""},
			{sim.PovertyRate, Falls, accounting, ""},
		},
	},
	{
		Parameter: "benefit_months", To: 24, Months: laterYears,
		Expect: []Expectation{
			{sim.PovertyRate, Falls, accounting, ""},
			{sim.JobFindingRate, Falls, "Katz and Meyer (1990)", "benefits do not enter the reservation wage, which is a share of the " +
				"mean wage"},
		},
	},
	{
		Parameter: "long_term_benefit_factor", To: .2, Months: laterYears,
		Expect: []Expectation{{sim.PovertyRate, Rises, accounting, ""}},
	},
	{
		Parameter: "universal_basic_income", To: .1, Months: firstYear,
		Expect: []Expectation{
			{sim.PovertyRate, Falls, accounting, ""},
			{sim.IncomeGini, Falls, accounting, ""},
		},
	},
	{
		Parameter: "enable_debt_rule", To: false, Context: with(basicIncome), Months: fiveYears,
		Expect: []Expectation{
			{sim.DebtToGDP, Rises, construct, ""},
			{sim.Inflation, Rises, stylised, ""},
		},
	},
	{
		Parameter: "public_debt_abroad", To: .3, Months: fiveYears,
		Expect: []Expectation{{sim.DebtToGDP, Rises, construct, ""}, {sim.NetForeignPosition, Falls, construct, ""}},
	},
	{
		Parameter: "debt_target", To: .9, Months: secondFive,
		Expect: []Expectation{{sim.DebtToGDP, Rises, construct, ""}},
	},
	{
		Parameter: "debt_rule_level_coefficient", To: .1, Context: with(given("debt_target", .6)), Months: laterYears,
		Expect: []Expectation{{sim.DebtToGDP, Rises, construct, ""}},
	},
	{
		Parameter: "debt_rule_change_coefficient", To: 0.0, Context: with(given("inherent_market_consumption_rate", .12)), Months: fiveYears,
		Expect: []Expectation{{sim.DebtToGDP, Rises, construct, ""}},
	},
}
