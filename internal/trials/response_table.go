package trials

import (
	"math"

	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// The sizes of changes that facts name or leave open.
const (
	vatStep           = .05
	rateStep          = .01 // of the policy rate, a year
	demandShock       = .05 // of what households plan to spend: a slump, or a boom
	demandPersistence = .95 // of that shock, a month
	settled           = 60  // months after which an inflation target is held against inflation
)

// halfLife2Years is the monthly persistence of a shock of which half is left after 24 months.
var halfLife2Years = math.Pow(.5, 1./24)

// inflationTargets a year are compared.
var inflationTargets = []float64{0, .04, .08}

// responsesOf are the economies of data.Responses that a base becomes, and how each fact is measured.
func responsesOf(base scenario.Scenario) ([]response, error) {
	e := &changed{base: base}
	set := func(name string, value any) sim.ParameterChange { return sim.ParameterChange{Name: name, Value: value} }
	p := base.Params
	gdp, stimulus := monthly(sim.RealGDP, percent), inForce("stimulus", .01)

	var slumpAndBoom, rates, targets []responseArm
	for _, size := range []float64{-demandShock, demandShock} {
		demand := strike("demand", size, demandPersistence)
		slumpAndBoom = append(slumpAndBoom, e.with(twoYears, demand), e.with(twoYears, demand, stimulus))
	}
	for _, more := range []float64{0, rateStep} {
		rate := p.NaturalRealRate + p.InflationTarget + more
		rates = append(rates, e.with(twoYears, during(12, set("policy_rate_rule", "fixed"), set("fixed_policy_rate", rate))))
	}
	for _, target := range inflationTargets {
		targets = append(targets, e.throughout(fiftyYears, "inflation_target", target))
	}
	vat := e.pair(twoYears, set("vat_rate", p.VATRate+vatStep))

	list := []response{{
		number: 1, note: "change of real GDP over change of real purchases, replication by replication",
		arms:  e.pairWith(twoYears, stimulus),
		parts: func(arms [][]leverSeries) [][]float64 { return [][]float64{multipliers(arms[0], arms[1], 1, 12)} },
		path:  gdp,
	}, {
		number: 2, note: "slump and boom: a shock of 5 % to planned spending in month 1, down and up, of which 95 % is left each month",
		arms: slumpAndBoom,
		parts: func(arms [][]leverSeries) [][]float64 {
			return [][]float64{stats.Differences(multipliers(arms[2], arms[3], 1, 12), multipliers(arms[0], arms[1], 1, 12))}
		},
	}, {
		number: 3, arms: e.pair(twoYears, set("income_tax_rate", p.IncomeTaxRate+.02)),
		parts: window(sim.RealGDP, 13, 24, percent), path: gdp,
	}, {
		number: 4, note: "the rate is held at its neutral level for twelve months, and a point above it; after them the rule sets both",
		arms: rates, parts: furthest(gdp, 9, 24, -1), path: gdp,
	}, {
		number: 5, note: "as 4",
		arms: rates, parts: window(sim.CPI, 1, 6, percent), path: monthly(sim.CPI, percent),
	}, {
		number: 6, arms: vat, parts: window(sim.RealGDP, 13, 24, percent), path: gdp,
	}, {
		number: 7, arms: vat, parts: window(sim.UnemploymentRate, 13, 24, points), path: monthly(sim.UnemploymentRate, points),
	}, {
		number: 8, note: "change of the CPI over that of 1 + general VAT rate; the path is that of the CPI, %",
		arms: vat,
		parts: window(sim.CPI, 1, 3, func(control, treatment float64) float64 {
			return (treatment/control - 1) / (vatStep / (1 + p.VATRate))
		}),
		path: monthly(sim.CPI, percent),
	}, {
		number: 9, arms: e.pairWith(twoYears, during(6, set("vat_rate", max(0, p.VATRate-.03)))),
		parts: furthest(monthly(sim.PolicyRate, points), 1, 24, 0), path: monthly(sim.PolicyRate, points),
	}, {
		number: 10, arms: e.pair(twoYears, set("universal_basic_income", .1), set("basic_income_financing", "vat")),
		parts: window(sim.RealGDP, 13, 24, percent), path: gdp,
	}, {
		number: 11, note: "by debt that the central bank buys, without the debt rule; the rule of the policy rate stays",
		arms: e.pair(fifteenYears, set("universal_basic_income", 1.), set("basic_income_financing", "deficit"),
			set("central_bank_bond_share", 1.), set("enable_debt_rule", false)),
		parts: func(arms [][]leverSeries) [][]float64 {
			return [][]float64{each(arms[1], func(s *leverSeries) float64 { return growthPerYear(s[sim.CPI], 120, 180) })}
		},
		path: monthly(sim.Inflation, func(_, treatment float64) float64 { return 100 * treatment }),
	}, {
		number: 12, arms: e.pair(twoYears, set("minimum_wage", .6)),
		parts: window(sim.EmploymentRate, 13, 24, points), path: monthly(sim.EmploymentRate, points),
	}, {
		number: 13, note: "from the replacement rate of the scenario to .1 more; duration: one over the job finding rate; the path is that " +
			"of the unemployment rate, points",
		arms:  e.pair(twoYears, set("unemployment_benefit_rate", min(1, p.UnemploymentBenefitRate+.1))),
		parts: window(sim.JobFindingRate, 13, 24, func(control, treatment float64) float64 { return 100 * (control/treatment - 1) }),
		path:  monthly(sim.UnemploymentRate, points),
	}, {
		number: 14, arms: e.pairWith(twoYears, strike("import_price", .3, halfLife2Years)),
		parts: window(sim.RealGDP, 1, 6, percent), path: gdp,
	}, {
		number: 15, arms: e.pair(twoYears, set("loan_spread", p.LoanSpread+.02)),
		parts: window(sim.RealGDP, 13, 24, percent), path: gdp,
	}, {
		number: 16, note: "bankruptcies of a replication over the mean of those without the crunch",
		arms: e.pairWith(twoYears, e.presetPlan("credit_crunch")...),
		parts: func(arms [][]leverSeries) [][]float64 {
			usual := stats.Mean(window(sim.Bankruptcies, 1, 12, ofControl)(arms)[0])
			ratio := window(sim.Bankruptcies, 1, 12, func(_, treatment float64) float64 { return treatment / usual })
			return [][]float64{window(sim.RealGDP, 1, 12, percent)(arms)[0], ratio(arms)[0]}
		},
		path: gdp,
	}, {
		number: 17, arms: e.pairWith(twoYears, inForce("tariff", .1)),
		parts: window(sim.RealGDP, 13, 24, percent), path: gdp,
	}, {
		number: 18, note: "each target from the start of a burn-in of its own; means from month 61 on; the unemployment of the two targets " +
			"whose means are furthest apart",
		arms: targets, parts: longRun,
	}}
	return list, e.err
}

// longRun has inflation under each target, and by how much unemployment differs between the two where it does most.
func longRun(arms [][]leverSeries) [][]float64 {
	var parts, unemployment [][]float64
	high, low := 0, 0
	for i, runs := range arms {
		parts = append(parts, each(runs, func(s *leverSeries) float64 { return growthPerYear(s[sim.CPI], settled, len(s[sim.CPI])) }))
		unemployment = append(unemployment, each(runs, func(s *leverSeries) float64 {
			return 100 * stats.Mean(s[sim.UnemploymentRate][settled:])
		}))
		if stats.Mean(unemployment[i]) > stats.Mean(unemployment[high]) {
			high = i
		}
		if stats.Mean(unemployment[i]) < stats.Mean(unemployment[low]) {
			low = i
		}
	}
	return append(parts, stats.Differences(unemployment[low], unemployment[high]))
}

// each is a number of every replication.
func each(runs []leverSeries, of func(s *leverSeries) float64) []float64 {
	values := make([]float64, len(runs))
	for r := range runs {
		values[r] = of(&runs[r])
	}
	return values
}
