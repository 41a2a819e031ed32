package trials

import "econ-mcp/sim"

// tradeLevers are the rest of the world.
var tradeLevers = []Lever{
	{
		Parameter: "tariff_rate", To: .1, Months: firstYear,
		Expect: []Expectation{
			{sim.ImportPriceIndex, Rises, "Amiti, Redding and Weinstein (2019)", ""},
			{sim.Imports, Falls, "Amiti, Redding and Weinstein (2019)", ""},
			{sim.CPI, Rises, accounting, ""},
		},
	},
	{
		Parameter: "enable_trade", To: false, Months: fiveYears,
		Expect: []Expectation{{sim.Imports, Falls, construct, ""}},
	},
	{
		Parameter: "import_share", To: .3, Months: firstYear,
		Expect: []Expectation{{sim.Imports, Rises, construct, ""}},
	},
	{
		Parameter: "armington_elasticity", To: 5.0, Context: with(given("tariff_rate", .1)), Months: firstYear,
		Expect: []Expectation{{sim.Imports, Falls, construct, ""}},
	},
	{
		Parameter: "export_elasticity", To: 5.0, Context: with(given("tariff_rate", .1), given("retaliation_share", 1.0)), Months: firstYear,
		Expect: []Expectation{{sim.Exports, Falls, construct, ""}},
	},
	{
		Parameter: "trade_elasticity_short_run", To: 2.0, Context: with(given("tariff_rate", .1)), Months: firstYear,
		Expect: []Expectation{{sim.Imports, Falls, construct, ""}},
	},
	{
		Parameter: "trade_adjustment_months", To: 3.0, Context: with(given("tariff_rate", .1)), Months: firstYear,
		Expect: []Expectation{{sim.Imports, Falls, construct, ""}},
	},
	{
		Parameter: "world_demand_factor", To: .7, Months: firstYear,
		Expect: []Expectation{
			{sim.Exports, Falls, construct, ""},
			{sim.RealGDP, Falls, accounting, ""},
		},
	},
	{
		Parameter: "import_price_factor", To: 1.2, Months: firstYear,
		Expect: []Expectation{
			{sim.CPI, Rises, accounting, ""},
			{sim.RealConsumption, Falls, accounting, ""},
		},
	},
	{
		Parameter: "retaliation_share", To: 1.0, Context: with(given("tariff_rate", .1)), Months: firstYear,
		Expect: []Expectation{{sim.Exports, Falls, "Fajgelbaum, Goldberg, Kennedy and Khandelwal (2020)", ""}},
	},
	{
		Parameter: "world_growth", To: .05, Months: laterYears,
		Expect: []Expectation{{sim.Exports, Rises, construct, ""}},
	},
	{
		Parameter: "world_inflation", To: .06, Context: with(given("exchange_rate_regime", "fixed")), Months: laterYears,
		Expect: []Expectation{{sim.CPI, Rises, accounting, ""}},
	},
	{
		Parameter: "world_interest_rate", To: .06, Months: firstYear,
		Expect: []Expectation{{sim.ExchangeRate, Rises, "Eichenbaum and Evans (1995)", ""}},
	},
	{Parameter: "exchange_rate_regime", To: "fixed", Context: with(given("world_demand_factor", .7)), Months: fiveYears},
	{
		Parameter: "fixed_exchange_rate", To: 1.15, Context: with(given("exchange_rate_regime", "fixed")), Months: firstYear,
		Expect: []Expectation{
			{sim.Exports, Rises, construct, ""},
			{sim.ImportPriceIndex, Rises, construct, ""},
		},
	},
	{
		Parameter: "exchange_rate_adjustment", To: 1.0, Context: with(given("world_demand_factor", .7)), Months: firstYear,
		Expect: []Expectation{{sim.ExchangeRate, Rises, construct, ""}},
	},
	{
		Parameter: "exchange_rate_interest_sensitivity", To: 5.0, Context: with(fixedRate, pegged), Months: firstYear,
		Expect: []Expectation{{sim.ExchangeRate, Falls, "Eichenbaum and Evans (1995)", ""}},
	},
}

var tradeSigns = []Lever{{
	Claim: "A tariff of 10 % raises import prices and lowers imports", Parameter: "tariff_rate", To: .1, Months: firstYear,
	Expect: []Expectation{
		{sim.ImportPriceIndex, Rises, "Amiti, Redding and Weinstein (2019)", ""},
		{sim.Imports, Falls, "Amiti, Redding and Weinstein (2019)", ""},
	},
}}
