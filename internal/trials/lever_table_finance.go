package trials

import "econ-mcp/sim"

// financeLevers are monetary policy, the bank and credit.
var financeLevers = []Lever{
	{Parameter: "policy_rate_rule", To: "fixed", Months: laterYears},
	{
		Parameter: "fixed_policy_rate", To: .05, Context: with(fixedRate), Months: Window{1, 24},
		Expect: []Expectation{
			{sim.RealInvestment, Falls, "Christiano, Eichenbaum and Evans (2005)", ""},
			{sim.Inflation, Falls, "Christiano, Eichenbaum and Evans (2005)", ""},
			{sim.RealGDP, Falls, "Christiano, Eichenbaum and Evans (2005)", ""},
		},
	},
	{Parameter: "policy_rate_smoothing", To: .98, Context: with(slump), Months: firstYear},
	{
		Parameter: "core_inflation_weight", To: 0.0, Context: with(given("vat_rate", .13)), Months: firstYear,
		Expect: []Expectation{{sim.PolicyRate, Rises, construct, ""}},
	},
	{
		Parameter: "natural_real_rate", To: .03, Months: firstYear,
		Expect: []Expectation{{sim.PolicyRate, Rises, construct, ""}},
	},
	{
		Parameter: "inflation_target", To: .04, Months: laterYears,
		Expect: []Expectation{{sim.Inflation, Rises, construct, ""}},
	},
	{
		Parameter: "taylor_inflation_coefficient", To: 0.0, Context: with(given("labor_productivity_factor", 90.0)), Months: firstYear,
		Expect: []Expectation{
			{sim.PolicyRate, Falls, construct, ""},
			{sim.Inflation, Rises, "Taylor (1993)", ""},
		},
	},
	{
		Parameter: "taylor_unemployment_coefficient", To: 4.0, Context: with(slump), Months: firstYear,
		Expect: []Expectation{{sim.PolicyRate, Falls, construct, ""}},
	},
	{
		Parameter: "max_policy_rate", To: .01, Months: laterYears,
		Expect: []Expectation{
			{sim.PolicyRate, Falls, construct, ""},
			{sim.Inflation, Rises, "Taylor (1993)", ""},
		},
	},
	{
		Parameter: "loan_spread", To: .06, Months: laterYears,
		Expect: []Expectation{
			{sim.LoanRate, Rises, construct, ""},
			{sim.RealInvestment, Falls, "Gilchrist and Zakrajšek (2012)", "wanted capital follows the policy rate less expected " +
				"inflation; what a loan costs beyond it reaches investment only through the money that firms have left"},
		},
	},
	{Parameter: "deposit_spread", To: .03, Months: laterYears},
	{
		Parameter: "leverage_premium", To: .05, Months: laterYears,
		Expect: []Expectation{{sim.LoanRate, Rises, construct, ""}},
	},
	{
		Parameter: "amortisation_rate", To: .06, Months: laterYears,
		Expect: []Expectation{{sim.CreditStock, Falls, construct, ""}},
	},
	{
		Parameter: "max_leverage", To: .2, Months: laterYears,
		Expect: []Expectation{
			{sim.CreditStock, Falls, construct, ""},
			{sim.RealInvestment, Falls, "Kiyotaki and Moore (1997)", ""},
		},
	},
	{
		Parameter: "capital_requirement", To: .16, Months: firstYear,
		Expect: []Expectation{{sim.CreditStock, Falls, "Gropp, Mosk, Ongena and Wix (2019)", ""}},
	},
	{Parameter: "recovery_rate", To: 0.0, Months: fiveYears},
	{Parameter: "payout_rate", To: .1, Months: laterYears},
	{Parameter: "bank_payout_rate", To: .02, Months: laterYears},
	{
		Parameter: "liquidity_buffer_months", To: .5, Months: laterYears,
		Expect: []Expectation{{sim.Bankruptcies, Rises, stylised, "a firm that runs short borrows within its credit line, so that the " +
			"buffer counts only where the line is used up"}},
	},
	{
		Parameter: "closure_rate", To: .1, Months: firstYear,
		Expect: []Expectation{{sim.FirmEntries, Rises, construct, ""}},
	},
	{
		Parameter: "recapitalisation_threshold", To: .5, Context: with(given("capital_requirement", .16)), Months: firstYear,
		Expect: []Expectation{{sim.Bankruptcies, Rises, "stylised: a bank below its requirement lends nothing", ""}},
		Note:   "acts where the bank's equity is below the requirement",
	},
}
