package trials

import "econ-mcp/sim"

var wave = given("ai_adoption_rate", .02)

// automationLevers are AI, its tax and retraining.
var automationLevers = []Lever{
	{
		Parameter: "ai_adoption_rate", To: .02, Months: laterYears,
		Expect: []Expectation{
			{sim.LabourShare, Falls, "Acemoglu and Restrepo (2018, 2020)", ""},
			{sim.LabourProductivity, Rises, "Acemoglu and Restrepo (2018)", ""},
		},
	},
	{
		Parameter: "ai_adoption_contagion", To: 20.0, Context: with(wave), Months: firstYear,
		Expect: []Expectation{{sim.AIAdoptionShare, Rises, construct, ""}},
	},
	{
		Parameter: "ai_productivity_gain", To: .5, Context: with(wave), Months: laterYears,
		Expect: []Expectation{{sim.LabourShare, Falls, "Acemoglu and Restrepo (2018)", ""}},
	},
	{
		Parameter: "ai_task_exposure", To: .8, Context: with(wave), Months: laterYears,
		Expect: []Expectation{{sim.LabourShare, Falls, "Acemoglu and Restrepo (2018)", ""}},
	},
	{Parameter: "ai_licence_fee", To: .8, Context: with(wave), Months: laterYears},
	{
		Parameter: "ai_new_task_rate", To: .03, Context: with(wave), Months: laterYears,
		Expect: []Expectation{{sim.LabourShare, Rises, "Acemoglu and Restrepo (2018)", ""}},
	},
	{
		Parameter: "ai_mismatch_penalty", To: 1.0, Context: with(wave, given("ai_productivity_gain", .5)), Months: Window{1, 24},
		Expect: []Expectation{{sim.JobFindingRate, Falls, construct, ""}},
	},
	{
		Parameter: "robot_tax_rate", To: 1.0, Context: with(wave), Months: laterYears,
		Expect: []Expectation{
			{sim.TaxRobot, Rises, construct, ""},
			{sim.AIAdoptionShare, Falls, stylised, ""},
		},
	},
	{
		Parameter: "retraining_rate", To: .2, Context: with(wave), Months: Window{1, 24},
		Expect: []Expectation{{sim.GovernmentSpending, Rises, construct, ""}},
	},
	{
		Parameter: "retraining_cost", To: 8.0, Context: with(wave, given("retraining_rate", .2)), Months: Window{1, 24},
		Expect: []Expectation{{sim.GovernmentSpending, Rises, construct, ""}},
	},
	{
		Parameter: "retraining_effect", To: 0.0, Context: with(wave, given("ai_productivity_gain", .5), given("retraining_rate", .2)),
		Months: Window{1, 24},
	},
}

// kindLevers are the other kinds of innovation.
var kindLevers = []Lever{
	{
		Parameter: "innovation_productivity_weight", To: 0.0, Context: with(given("innovation_attribute_weight", 1.0)), Months: secondFive,
		Expect: []Expectation{{sim.LabourProductivity, Falls, construct, ""}},
	},
	{Parameter: "innovation_price_weight", To: 1.0, Months: secondFive},
	{
		Parameter: "innovation_margin_weight", To: 1.0, Months: laterYears,
		Expect: []Expectation{{sim.MarkUp, Rises, construct, ""}},
	},
	{
		Parameter: "innovation_attribute_weight", To: 1.0, Months: secondFive,
		Expect: []Expectation{{sim.LabourProductivity, Falls, construct, ""}},
	},
	{
		Parameter: "innovation_price_reduction", To: .1, Context: with(given("innovation_price_weight", 1.0)), Months: laterYears,
		Expect: []Expectation{{sim.CPI, Falls, construct, ""}},
	},
	{
		Parameter: "innovation_profit_margin_improvement", To: .1, Context: with(given("innovation_margin_weight", 1.0)), Months: laterYears,
		Expect: []Expectation{{sim.MarkUp, Rises, construct, ""}},
	},
	{Parameter: "innovation_attribute_improvement", To: .1, Context: with(given("innovation_attribute_weight", 1.0)), Months: laterYears},
}

var automationSigns = []Lever{{
	Claim: "An automation wave (2 % of firms a month adopt AI, and more as it spreads) lowers the labour share", Parameter: "ai_adoption_rate",
	To: .02, Months: laterYears,
	Expect: []Expectation{{sim.LabourShare, Falls, "Acemoglu and Restrepo (2018, 2020)", ""}},
}}
