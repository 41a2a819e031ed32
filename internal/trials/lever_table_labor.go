package trials

import "econ-mcp/sim"

// laborLevers are jobs, wages and productivity.
var laborLevers = []Lever{
	{
		Parameter: "separation_rate", To: .02, Months: firstYear,
		Expect: []Expectation{{sim.UnemploymentRate, Rises, "Pissarides (2000)", ""}},
	},
	{
		Parameter: "enable_dismissal", To: false, Months: firstYear,
		Expect: []Expectation{{sim.SeparationRateObserved, Falls, construct, ""}},
	},
	{
		Parameter: "dismissal_rate", To: .5, Months: firstYear,
		Expect: []Expectation{
			{sim.SeparationRateObserved, Rises, construct, ""},
			{sim.LabourProductivity, Rises, "labour hoarding: Burnside, Eichenbaum and Rebelo (1993)", ""},
		},
	},
	{
		Parameter: "hiring_rate", To: 1.0, Months: firstYear,
		Expect: []Expectation{
			{sim.VacancyRate, Rises, construct, ""},
			{sim.UnemploymentRate, Falls, construct, ""},
		},
	},
	{
		Parameter: "overtime_limit", To: 0.0, Months: firstYear,
		Expect: []Expectation{{sim.LabourProductivity, Falls, construct, ""}},
	},
	{
		Parameter: "job_search_intensity", To: 8, Months: firstYear,
		Expect: []Expectation{
			{sim.JobFindingRate, Rises, "Petrongolo and Pissarides (2001)", ""},
			{sim.UnemploymentRate, Falls, "Pissarides (2000)", ""},
		},
	},
	{
		Parameter: "matching_efficiency", To: .2, Months: firstYear,
		Expect: []Expectation{
			{sim.UnemploymentRate, Falls, "Petrongolo and Pissarides (2001)", ""},
			{sim.VacancyRate, Falls, "Petrongolo and Pissarides (2001)", ""},
		},
	},
	{
		Parameter: "on_the_job_search_rate", To: .4, Months: laterYears,
		Expect: []Expectation{{sim.JobFindingRate, Falls, "stylised: the employed compete with the unemployed", ""}},
	},
	{
		Parameter: "first_month_job_rate", To: .7, Context: with(given("burn_in_months", 0)), Months: firstYear,
		Expect: []Expectation{{sim.UnemploymentRate, Rises, construct, ""}},
	},
	{
		Parameter: "reservation_wage_ratio", To: 1.05, Months: firstYear,
		Expect: []Expectation{{sim.JobFindingRate, Falls, "McCall (1970)", ""}},
	},
	{
		Parameter: "reservation_wage_decay", To: .9, Context: with(given("reservation_wage_ratio", 1.05)), Months: firstYear,
		Expect: []Expectation{{sim.JobFindingRate, Rises, "McCall (1970)", ""}},
	},
	{Parameter: "job_switch_wage_ratio", To: 1.2, Months: laterYears},
	{
		Parameter: "minimum_wage", To: .6, Months: firstYear,
		Expect: []Expectation{
			{WageGini, Falls, "Autor, Manning and Smith (2016)", ""},
			{sim.IncomeGini, Falls, "Autor, Manning and Smith (2016) for earnings", ""},
		},
	},
	{
		Parameter: "wage_adjustment_rate", To: .01, Months: laterYears,
		Expect: []Expectation{{sim.NominalWageMean, Rises, construct, ""}},
	},
	{
		Parameter: "wage_inflation_indexation", To: .5, Months: laterYears,
		Expect: []Expectation{{sim.Inflation, Falls, accounting, ""}},
	},
	{
		Parameter: "wage_productivity_indexation", To: 1.2, Months: laterYears,
		Expect: []Expectation{{sim.NominalWageMean, Rises, construct, ""}},
	},
	{
		Parameter: "wage_unemployment_sensitivity", To: 1.5, Context: with(slump), Months: laterYears,
		Expect: []Expectation{{sim.NominalWageMean, Falls, "the wage curve: Blanchflower and Oswald (1994)", ""}},
	},
	{Parameter: "wage_memory_months", To: 6, Context: with(slump), Months: laterYears},
	{
		Parameter: "natural_unemployment_rate", To: .05, Months: laterYears,
		Expect: []Expectation{{sim.NominalWageMean, Falls, construct, ""}},
	},
	{
		Parameter: "skill_dispersion", To: .8, Months: fiveYears,
		Expect: []Expectation{
			{WageGini, Rises, construct, ""},
			{sim.IncomeGini, Rises, accounting, ""},
		},
	},
	{
		Parameter: "skill_tail", To: 0.0, Months: fiveYears,
		Expect: []Expectation{{WageGini, Falls, "Atkinson, Piketty and Saez (2011) for incomes at the top", ""}},
	},
	{
		Parameter: "skill_loss", To: .03, Months: fiveYears,
		Expect: []Expectation{{sim.LabourProductivity, Falls, "Ljungqvist and Sargent (1998)", ""}},
	},
	{
		Parameter: "search_fatigue", To: 0.0, Months: laterYears,
		Expect: []Expectation{{sim.UnemploymentRate, Falls, "Kroft, Lange, Notowidigdo and Katz (2016)", ""}},
	},
	{
		Parameter: "benefit_search_elasticity", To: 2.0, Context: with(given("unemployment_benefit_rate", .7)), Months: laterYears,
		Expect: []Expectation{{sim.UnemploymentRate, Rises, "Chetty (2008)", ""}},
	},
	{
		Parameter: "quit_memory_months", To: 6.0, Months: firstYear,
		Expect: []Expectation{{sim.VacancyRate, Rises, construct, ""}},
	},
	{Parameter: "wage_rent_sharing", To: 0.0, Months: fiveYears},
	{
		Parameter: "wage_size_premium", To: .04, Months: fiveYears,
		Expect: []Expectation{{WageGini, Rises, "Bloom, Guvenen, Smith, Song and von Wachter (2018)", ""}},
	},
	{
		Parameter: "labor_productivity_factor", To: 110.0, Months: firstYear,
		Expect: []Expectation{{sim.EmploymentRate, Falls, "Galí (1999); Basu, Fernald and Kimball (2006)", ""}},
	},
	{
		Parameter: "labor_productivity_factor", To: 110.0, Months: secondFive,
		Expect: []Expectation{
			{sim.CPI, Falls, "Basu, Fernald and Kimball (2006)", ""},
			{sim.RealWageMean, Rises, "Basu, Fernald and Kimball (2006)", ""},
			{sim.RealGDP, Rises, accounting, ""},
		},
	},
	{
		Parameter: "profit_to_production_ratio", To: 0.0, Context: with(given("credit_supply_factor", 0.0)), Months: firstYear,
		Expect: []Expectation{{sim.RealGDP, Falls, stylised, ""}},
	},
}
