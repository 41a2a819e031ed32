package trials

import "econ-mcp/sim"

// demandLevers are consumption, confidence and investment.
var demandLevers = []Lever{
	{
		Parameter: "propensity_to_consume_income", To: .93, Months: firstYear,
		Expect: []Expectation{
			{sim.SavingRate, Falls, construct, ""},
			{sim.RealConsumption, Rises, accounting, ""},
		},
	},
	{
		Parameter: "propensity_to_consume_wealth", To: .014, Months: firstYear,
		Expect: []Expectation{
			{sim.SavingRate, Falls, construct, ""},
			{sim.RealConsumption, Rises, accounting, ""},
		},
	},
	{Parameter: "income_smoothing", To: .1, Months: fiveYears},
	{Parameter: "consumption_habit", To: .2, Months: fiveYears},
	{
		Parameter: "consumption_interest_sensitivity", To: 3.0, Context: with(fixedRate, pegged), Months: firstYear,
		Expect: []Expectation{{sim.RealConsumption, Falls, construct, ""}},
	},
	{
		Parameter: "confidence_consumption_effect", To: 9.0, Context: with(slump), Months: firstYear,
		Expect: []Expectation{{sim.RealConsumption, Falls, construct, ""}},
	},
	{Parameter: "enable_household_types", To: false, Months: fiveYears},
	{
		Parameter: "overdraft_months", To: 3.0, Months: fiveYears,
		Expect: []Expectation{{sim.WealthGini, Rises, construct, ""}},
	},
	{Parameter: "ownership_risk", To: .5, Months: fiveYears},
	{
		Parameter: "precautionary_effect", To: .5, Context: with(slump), Months: firstYear,
		Expect: []Expectation{{sim.RealConsumption, Falls, "Carroll (1997)", ""}},
	},
	{
		Parameter: "confidence_persistence", To: .99, Context: with(slump), Months: laterYears,
		Expect: []Expectation{{sim.RealGDP, Falls, construct, ""}},
	},
	{Parameter: "confidence_volatility", To: .01, Months: fiveYears},
	{
		Parameter: "confidence_unemployment_feedback", To: .02, Context: with(slump), Months: firstYear,
		Expect: []Expectation{{sim.RealGDP, Falls, construct, ""}},
	},
	{
		Parameter: "confidence_shock", To: -.03, Months: firstYear,
		Expect: []Expectation{
			{sim.RealGDP, Falls, "Barsky and Sims (2012)", ""},
			{sim.UnemploymentRate, Rises, stylised, ""},
		},
	},
	{Parameter: "technology_volatility", To: .005, Months: fiveYears},
	{Parameter: "world_demand_volatility", To: .03, Months: fiveYears},
	{Parameter: "import_price_volatility", To: .01, Months: fiveYears},
	{Parameter: "purchases_volatility", To: .012, Months: fiveYears},
	{Parameter: "policy_rate_volatility", To: .0015, Months: fiveYears},
	{Parameter: "loan_spread_volatility", To: .005, Months: fiveYears},
	{
		Parameter: "capital_productivity", To: .025, Months: firstYear,
		Expect: []Expectation{{sim.RealInvestment, Falls, accounting, ""}},
	},
	{
		Parameter: "depreciation_rate", To: .008, Months: laterYears,
		Expect: []Expectation{{sim.RealInvestment, Rises, accounting, ""}},
	},
	{
		Parameter: "target_utilisation", To: .75, Months: laterYears,
		Expect: []Expectation{
			{sim.RealInvestment, Rises, construct, ""},
			{sim.CapacityUtilisation, Falls, construct, ""},
		},
	},
	{Parameter: "capital_adjustment_months", To: 20.0, Months: fiveYears},
	{Parameter: "investment_probability", To: .25, Months: fiveYears},
	{Parameter: "capital_supplier_search_rate", To: .1, Months: fiveYears},
	{Parameter: "investment_memory_months", To: 36.0, Context: with(slump), Months: firstYear},
	{
		Parameter: "capital_user_cost_elasticity", To: 1.0, Context: with(fixedRate, pegged), Months: laterYears,
		Expect: []Expectation{{sim.RealInvestment, Falls, construct, ""}},
	},
	{
		Parameter: "confidence_investment_effect", To: 15.0, Context: with(slump), Months: firstYear,
		Expect: []Expectation{{sim.RealInvestment, Falls, construct, ""}},
	},
	{
		Parameter: "investment_loan_share", To: .9, Months: laterYears,
		Expect: []Expectation{{sim.CreditStock, Rises, construct, ""}},
	},
}
