package trials

import "econ-mcp/sim"

// What the levers of the public sector share.
var (
	noDebtRule       = given("enable_debt_rule", false)
	equalShares      = given("redistribution_strategy", "equal")
	mixedShares      = given("redistribution_strategy", "mixed")
	publicEmployment = given("enable_dynamic_job_posting", true)
	austerity        = given("enable_austerity_rule", true)
	wageSubsidy      = given("wage_subsidy_rate", .3)
)

// publicLevers are progressive taxes, transfers, programmes and rules.
var publicLevers = []Lever{
	{
		Parameter: "income_tax_brackets", To: "1: 0.4", Months: firstYear,
		Expect: []Expectation{{sim.IncomeGini, Falls, accounting, ""}},
	},
	{
		Parameter: "basic_income_unit", To: "adult", Context: with(basicIncome), Months: firstYear,
		Expect: []Expectation{{sim.GovernmentSpending, Rises, construct, ""}},
	},
	{
		Parameter: "basic_income_financing", To: "income_tax", Context: with(basicIncome, noDebtRule), Months: fiveYears,
		Expect: []Expectation{
			{sim.DebtToGDP, Falls, construct, ""},
			{sim.Inflation, Falls, stylised, ""},
		},
	},
	{
		Parameter: "basic_income_financing", To: "vat", Context: with(basicIncome, noDebtRule), Months: firstYear,
		Expect: []Expectation{
			{sim.TaxVAT, Rises, construct, ""},
			{sim.CPI, Rises, accounting, ""},
		},
	},
	{
		Parameter: "minimum_income", To: .5, Months: firstYear,
		Expect: []Expectation{
			{sim.PovertyRate, Falls, accounting, ""},
			{sim.IncomeGini, Falls, accounting, ""},
		},
	},
	{
		Parameter: "minimum_income_taper", To: .5, Context: with(given("minimum_income", .4)), Months: firstYear,
		Expect: []Expectation{{sim.GovernmentSpending, Rises, construct, ""}},
	},
	{
		Parameter: "redistribution_strategy", To: "equal", Months: firstYear,
		Expect: []Expectation{{sim.IncomeGini, Falls, accounting, ""}},
	},
	{
		Parameter: "redistribution_strategy", To: "poverty_focused", Months: firstYear,
		Expect: []Expectation{{sim.PovertyRate, Falls, accounting, ""}},
	},
	{
		Parameter: "redistribution_share", To: .05, Context: with(equalShares), Months: firstYear,
		Expect: []Expectation{{sim.IncomeGini, Falls, accounting, ""}},
	},
	{
		Parameter: "redistribution_financing", To: "deficit", Context: with(equalShares), Months: laterYears,
		Expect: []Expectation{{sim.DebtToGDP, Rises, construct, ""}},
	},
	{
		Parameter: "redistribution_poverty_weight", To: 1.0, Context: with(mixedShares), Months: firstYear,
		Expect: []Expectation{{sim.PovertyRate, Falls, construct, ""}},
	},
	{Parameter: "redistribution_unemployment_weight", To: 1.0, Context: with(mixedShares), Months: firstYear},
	{Parameter: "redistribution_family_size_weight", To: 1.0, Context: with(mixedShares), Months: firstYear},
	{
		Parameter: "enable_austerity_rule", To: true, Context: with(slump), Months: fiveYears,
		Expect: []Expectation{{sim.RealGDP, Falls, "Guajardo, Leigh and Pescatori (2014)", ""}},
	},
	{
		Parameter: "enable_austerity_rule", To: true, Context: with(basicIncome, noDebtRule), Months: laterYears,
		Expect: []Expectation{
			{sim.DebtToGDP, Falls, construct, ""},
			{sim.RealGDP, Falls, "Guajardo, Leigh and Pescatori (2014)", "basic income has used up the slack: cuts free workers and " +
				"lower the policy rate, and consumption takes the place of public spending"},
		},
	},
	{
		Parameter: "austerity_deficit_limit", To: 0.0, Context: with(austerity), Months: laterYears,
		Expect: []Expectation{{sim.RealGDP, Falls, "Guajardo, Leigh and Pescatori (2014)", ""}},
	},
	{
		Parameter: "austerity_response", To: 1.0, Context: with(basicIncome, austerity), Months: Window{1, 24},
		Expect: []Expectation{{sim.GovernmentSpending, Falls, construct, ""}},
	},
	{Parameter: "inherent_market_focus_new_products", To: true, Months: fiveYears},
	{
		Parameter: "procurement_innovation_weight", To: 20.0, Context: with(given("inherent_market_focus_new_products", true)), Months: fiveYears,
	},
	{
		Parameter: "enable_dynamic_job_posting", To: true, Months: firstYear,
		Expect: []Expectation{{sim.UnemploymentRate, Falls, construct, ""}},
	},
	{
		Parameter: "unemployment_threshold", To: 0.0, Context: with(publicEmployment), Months: firstYear,
		Expect: []Expectation{{sim.JobGuaranteeEmployment, Rises, construct, ""}},
	},
	{
		Parameter: "job_posting_multiplier", To: .5, Context: with(publicEmployment), Months: firstYear,
		Expect: []Expectation{{sim.JobGuaranteeEmployment, Falls, construct, ""}},
	},
	{
		Parameter: "job_guarantee_wage", To: .8, Context: with(publicEmployment), Months: firstYear,
		Expect: []Expectation{{sim.GovernmentSpending, Rises, construct, ""}},
	},
	{
		Parameter: "wage_subsidy_rate", To: .3, Months: firstYear,
		Expect: []Expectation{
			{sim.EmploymentRate, Rises, "Katz (1998)", ""},
			{sim.CPI, Falls, stylised, ""},
		},
	},
	{
		Parameter: "wage_subsidy_ceiling", To: 1.5, Context: with(wageSubsidy), Months: firstYear,
		Expect: []Expectation{{sim.GovernmentSpending, Rises, construct, ""}},
	},
	{
		Parameter: "research_subsidy_rate", To: .5, Months: laterYears,
		Expect: []Expectation{{sim.InnovationEvents, Rises, "Bloom, Van Reenen and Williams (2019)", ""}},
	},
	{
		Parameter: "public_research_share", To: .01, Months: laterYears,
		Expect: []Expectation{{sim.InnovationEvents, Rises, "Bloom, Van Reenen and Williams (2019)", ""}},
	},
	{
		Parameter: "public_research_spillover", To: 2.0, Context: with(given("public_research_share", .01)), Months: laterYears,
		Expect: []Expectation{{sim.InnovationEvents, Rises, construct, ""}},
	},
	{
		Parameter: "job_retention_share", To: .8, Context: with(slump), Months: firstYear,
		Expect: []Expectation{
			{sim.SeparationRateObserved, Falls, construct, ""},
			{sim.UnemploymentRate, Falls, "Giupponi and Landais (2023)", ""},
		},
	},
	{
		Parameter: "job_retention_benefit_rate", To: 1.0, Context: with(slump, given("job_retention_share", .8)), Months: firstYear,
		Expect: []Expectation{{sim.GovernmentSpending, Rises, construct, ""}},
	},
}

// shockLevers are the parameters that shocks move.
var shockLevers = []Lever{
	{
		Parameter: "consumption_demand_factor", To: .97, Months: firstYear,
		Expect: []Expectation{{sim.RealConsumption, Falls, construct, ""}},
	},
	{
		Parameter: "confidence_shift", To: -.01, Months: firstYear,
		Expect: []Expectation{{sim.RealGDP, Falls, "Barsky and Sims (2012)", ""}},
	},
	{
		Parameter: "capital_destruction_rate", To: .002, Months: laterYears,
		Expect: []Expectation{{sim.RealInvestment, Rises, accounting, ""}},
	},
}
