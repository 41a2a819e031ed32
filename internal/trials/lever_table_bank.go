package trials

import "econ-mcp/sim"

// A jump of the requirement by which banks need new equity at once.
var newRequirement = given("capital_requirement", .16)

// bankLevers are several banks, their resolution and the central bank's books.
var bankLevers = []Lever{
	{Parameter: "num_banks", To: 5, Months: fiveYears},
	{
		Parameter: "credit_supply_factor", To: 0.0, Months: firstYear,
		Expect: []Expectation{
			{sim.Bankruptcies, Rises, stylised, ""},
			{sim.RealInvestment, Falls, "Chodorow-Reich (2014) for employment", ""},
		},
	},
	{
		Parameter: "cash_flow_limit", To: 3.0, Months: firstYear,
		Expect: []Expectation{{sim.RealInvestment, Falls, "Lian and Ma (2021)", ""}},
	},
	{
		Parameter: "countercyclical_buffer", To: .08, Months: firstYear,
		Expect: []Expectation{{sim.CreditStock, Falls, "Gropp, Mosk, Ongena and Wix (2019)", ""}},
	},
	{
		Parameter: "bank_resolution", To: "bail_in", Context: with(newRequirement, given("deposit_insurance", 0.0)), Months: firstYear,
		Expect: []Expectation{
			{sim.MoneyStock, Falls, construct, ""},
			{sim.GovernmentSpending, Falls, construct, ""},
		},
	},
	{
		Parameter: "deposit_insurance", To: 0.0, Context: with(newRequirement, given("bank_resolution", "bail_in")), Months: firstYear,
		Note: "36 and 0 months: the whole loss is shared by few or by all depositors",
	},
	{Parameter: "reserve_corridor", To: .03, Context: with(given("central_bank_bond_share", .5)), Months: laterYears},
	{Parameter: "central_bank_bond_share", To: .5, Months: laterYears},
}
