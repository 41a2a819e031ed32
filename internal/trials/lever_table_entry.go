package trials

import "econ-mcp/sim"

var openEntry = given("enable_open_entry", true)

// entryLevers are the entry of firms.
var entryLevers = []Lever{
	{Parameter: "enable_open_entry", To: false, Months: fiveYears},
	{Parameter: "entry_reserve", To: .1, Context: with(openEntry), Months: fiveYears},
	{
		Parameter: "entry_rate", To: .16, Context: with(openEntry), Months: fiveYears,
		Expect: []Expectation{{sim.FirmCount, Rises, construct, ""}},
	},
	{Parameter: "entry_profit_sensitivity", To: 30.0, Context: with(openEntry), Months: fiveYears},
	{
		Parameter: "entry_profit_reference", To: .03, Context: with(openEntry), Months: fiveYears,
		Expect: []Expectation{{sim.FirmCount, Rises, construct, ""}},
	},
}
