package trials

import "econ-mcp/sim"

// normOfMarkUps is why competition does not lower the mean mark-up.
const normOfMarkUps = "mark-ups follow stocks and a norm, not elasticities; their mean is weighted by sales, which move to firms that cost " +
	"little and so have high ones"

// marketLevers are production, prices and competition.
var marketLevers = []Lever{
	{Parameter: "production_function", To: "cobb_douglas", Months: fiveYears},
	{Parameter: "labor_elasticity", To: .8, Context: with(given("production_function", "cobb_douglas")), Months: laterYears},
	{Parameter: "min_production_per_product", To: 50.0, Months: firstYear},
	{Parameter: "expectation_adjustment", To: .8, Months: fiveYears},
	{
		Parameter: "target_inventory_ratio", To: 1.6, Months: firstYear,
		Expect: []Expectation{{sim.RealGDP, Rises, "accounting: stocks are built up", ""}},
	},
	{
		Parameter: "safety_stock", To: 5.0, Months: firstYear,
		Expect: []Expectation{{sim.RealGDP, Rises, "accounting: stocks are built up", ""}},
	},
	{Parameter: "inventory_adjustment_months", To: 12.0, Months: fiveYears},
	{Parameter: "firm_productivity_dispersion", To: 0.0, Months: fiveYears},
	{
		Parameter: "enable_price_adjustment", To: false, Months: laterYears,
		Expect: []Expectation{{sim.CPI, Falls, "by construction: wage costs are not passed on", ""}},
	},
	{Parameter: "price_adjustment_rate", To: .05, Months: fiveYears},
	{Parameter: "price_adjustment_probability", To: .3, Months: fiveYears},
	{Parameter: "price_gap_tolerance", To: .05, Months: fiveYears},
	{
		Parameter: "consumption_mark_up", To: .75, Months: laterYears,
		Expect: []Expectation{
			{sim.MarkUp, Rises, construct, ""},
			{sim.RealWageMean, Falls, accounting, ""},
			{sim.LabourShare, Falls, "De Loecker, Eeckhout and Unger (2020)", ""},
		},
	},
	{Parameter: "capital_mark_up", To: .4, Months: laterYears},
	{Parameter: "mark_up_reversion", To: .3, Months: fiveYears},
	{
		Parameter: "enable_competitive_market", To: true, Months: fiveYears,
		Expect: []Expectation{{sim.MarkUp, Falls, stylised, normOfMarkUps}},
	},
	{
		Parameter: "suppliers_per_industry", To: 3, Months: fiveYears,
		Expect: []Expectation{{sim.MarkUp, Falls, stylised, normOfMarkUps}},
	},
	{
		Parameter: "supplier_search_rate", To: .3, Months: fiveYears,
		Expect: []Expectation{{sim.CPI, Falls, "Burdett and Judd (1983)", ""}},
	},
	{Parameter: "random_supplier_share", To: .3, Months: fiveYears, Expect: []Expectation{{sim.HHI, Falls, stylised, ""}}},
	{
		Parameter: "word_of_mouth_elasticity", To: 1.0, Months: fiveYears,
		Expect: []Expectation{{sim.HHI, Rises, construct, ""}},
	},
	{Parameter: "rationing_switch_rate", To: 1.0, Months: fiveYears},
	{Parameter: "supplier_stock_requirement", To: 0.0, Months: fiveYears},
	{Parameter: "firm_demand_dispersion", To: 0.0, Months: fiveYears},
	{
		Parameter: "price_sensitivity", To: 6.0, Context: with(given("enable_competitive_market", true)), Months: fiveYears,
		Expect: []Expectation{{sim.MarkUp, Falls, "Dixit and Stiglitz (1977)", normOfMarkUps}},
	},
}

// technologyLevers are innovation and imitation.
var technologyLevers = []Lever{
	{
		Parameter: "enable_innovation", To: false, Months: secondFive,
		Expect: []Expectation{{sim.LabourProductivity, Falls, construct, ""}},
	},
	{
		Parameter: "innovation_research_share", To: .06, Months: secondFive,
		Expect: []Expectation{
			{sim.InnovationEvents, Rises, construct, ""},
			{sim.LabourProductivity, Rises, "Aghion and Howitt (1992)", "researchers are workers: output per worker loses what they " +
				"would have made, about as much as their innovations have brought by then"},
		},
	},
	{
		Parameter: "innovation_probability", To: .1, Months: secondFive,
		Expect: []Expectation{{sim.LabourProductivity, Rises, construct, ""}},
	},
	{
		Parameter: "innovation_labor_productivity_improvement", To: .06, Months: secondFive,
		Expect: []Expectation{{sim.LabourProductivity, Rises, construct, ""}},
	},
	{
		Parameter: "innovation_price_pass_through", To: 1.0, Months: laterYears,
		Expect: []Expectation{{sim.CPI, Falls, accounting, ""}},
	},
	{
		Parameter: "innovation_concavity", To: 1.0, Context: with(given("innovation_research_share", .06)), Months: laterYears,
		Expect: []Expectation{{sim.InnovationEvents, Rises, construct, ""}},
		Note:   "acts where research differs from its usual share of revenue",
	},
	{
		Parameter: "imitation_probability", To: .1, Months: secondFive,
		Expect: []Expectation{{sim.LabourProductivity, Rises, "Dosi, Fagiolo and Roventini (2010) for the mechanism", ""}},
	},
	{
		Parameter: "imitation_step", To: .75, Months: secondFive,
		Expect: []Expectation{{sim.LabourProductivity, Rises, "Dosi, Fagiolo and Roventini (2010) for the mechanism", ""}},
	},
}
