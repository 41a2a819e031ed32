package trials

import "econ-mcp/sim"

var (
	demography = given("enable_demography", true)
	reserve    = given("population_reserve", .2)
)

// peopleLevers are Engel curves and demography.
var peopleLevers = []Lever{
	{Parameter: "enable_engel_curves", To: false, Months: fiveYears},
	{
		Parameter: "enable_demography", To: true, Months: fiveYears,
		Expect: []Expectation{{sim.ParticipationRate, Falls, construct, ""}},
	},
	{
		Parameter: "participation_rate_young", To: .7, Context: with(demography), Months: laterYears,
		Expect: []Expectation{{sim.ParticipationRate, Falls, construct, ""}},
	},
	{
		Parameter: "participation_rate_prime", To: .85, Context: with(demography), Months: laterYears,
		Expect: []Expectation{{sim.ParticipationRate, Falls, construct, ""}},
	},
	{
		Parameter: "participation_rate_older", To: .6, Context: with(demography), Months: laterYears,
		Expect: []Expectation{{sim.ParticipationRate, Falls, construct, ""}},
	},
	{
		Parameter: "retirement_age_shift", To: 5.0, Context: with(demography), Months: laterYears,
		Expect: []Expectation{{sim.ParticipationRate, Rises, construct, ""}},
	},
	{
		Parameter: "pension_replacement_rate", To: .6, Context: with(demography), Months: firstYear,
		Expect: []Expectation{
			{sim.PovertyRate, Falls, accounting, ""},
			{sim.GovernmentSpending, Rises, construct, ""},
		},
	},
	{
		Parameter: "pension_contribution_rate", To: .2, Context: with(demography), Months: firstYear,
		Expect: []Expectation{
			{sim.TaxIncome, Rises, construct, ""},
			{sim.RealConsumption, Falls, accounting, ""},
		},
	},
	{
		Parameter: "population_reserve", To: .02, Context: with(demography, given("population_growth", .02)), Months: laterYears,
		Expect: []Expectation{{sim.Population, Rises, construct, ""}},
	},
	{
		Parameter: "population_growth", To: .02, Context: with(demography, reserve), Months: laterYears,
		Expect: []Expectation{{sim.Population, Rises, construct, ""}},
	},
	{
		Parameter: "migration_rate", To: .002, Context: with(demography, reserve), Months: laterYears,
		Expect: []Expectation{
			{sim.Population, Rises, construct, ""},
			{sim.RealGDP, Rises, accounting, ""},
		},
	},
}
