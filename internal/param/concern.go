package param

import (
	"fmt"
	"slices"

	"econ-mcp/sim"
)

var defaults = sim.Defaults()

// unusual is the range of values that have a counterpart outside the model. Beyond it a
// value is allowed, but a caller should know.
type unusual struct {
	name      string
	low, high float64
	reason    string
}

var unusualValues = []unusual{
	{"vat_rate", 0, .27, "above the highest standard rate of any country, 0.27 in Hungary"},
	{"income_tax_rate", 0, .57, "above the top marginal rate of nearly every country"},
	{"corporate_tax_rate", 0, .5, "above the highest statutory rate of any country, 0.5 in the Comoros"},
	{"tariff_rate", 0, .6, "above the mean rate on dutiable imports of the United States in 1932, 0.59"},
	{"pension_contribution_rate", 0, .33, "above that of nearly every country, 0.33 in Italy"},
	{"green_levy_rate", 0, .2, "far above the revenue of any tax on emissions"},
	{"robot_tax_rate", 0, 1, "a tax of more than the fees that it is on"},
	{"minimum_wage", 0, .9, "above nearly every country: about 0.3 to 0.9 of the median wage in the OECD"},
	{"unemployment_benefit_rate", 0, .9, "above nearly every country: unemployment costs almost nothing"},
	{"universal_basic_income", 0, .4, "more than any country has paid; look at basic_income_financing and the deficit"},
	{"minimum_income", 0, .5, "more than any country guarantees"},
	{"redistribution_share", 0, .15, "a pool of this size has no example beside the transfers that are there"},
	{"job_guarantee_wage", 0, 1, "the programme pays more than the mean wage"},
	{"wage_subsidy_rate", 0, .7, "firms pay less than a third of the wage"},
	{"research_subsidy_rate", 0, .6, "above the support of any country"},
	{"public_research_share", 0, .02, "above any country: about 0.005 to 0.01 of GDP"},
	{"government_employment_share", 0, .33, "above any country of the OECD, about 0.3 in Norway"},
	{"inherent_market_consumption_rate", 0, .25, "above nearly every country, on top of the wages of public employees"},
	{"separation_rate", 0, .05, "half of all jobs end for no economic reason within a year"},
	{"natural_unemployment_rate", .01, .2, "above nearly every country"},
	{"labor_productivity_factor", 50, 200, "a jump of productivity without an example"},
	{"depreciation_rate", .001, .03, "capital loses a third of its value in a year or hardly any"},
	{"inflation_target", 0, .06, "above the target of nearly every central bank"},
	{"fixed_policy_rate", 0, .2, "a rate that central banks set in currency crises only"},
	{"loan_spread", 0, .1, "above the spread of nearly every banking system"},
	{"capital_requirement", .03, .25, "outside what regulators ask of banks"},
	{"countercyclical_buffer", 0, .025, "above the largest buffer of Basel III, 0.025"},
	{"import_share", 0, .7, "more open than nearly every country"},
	{"world_inflation", -.02, .15, "world prices have not moved like this for years on end"},
	{"population_growth", -.02, .035, "beyond any country in peace"},
	{"migration_rate", -.004, .004, "beyond 5 % of the population a year"},
	{"num_households", 1000, 1_000_000, "below 1,000 single firms move the aggregates; above 1,000,000 a run takes much memory and time"},
	{"burn_in_months", 60, 2400, "the start is no steady state: results hold the transition away from it"},
}

// rule ties parameters together. What breaks it is allowed, but hardly meant.
type rule struct {
	params []string
	broken func(p *sim.Params) bool
	reason string
}

var rules = []rule{
	{[]string{"redistribution_poverty_weight", "redistribution_unemployment_weight", "redistribution_family_size_weight"},
		func(p *sim.Params) bool {
			return p.RedistributionPovertyWeight+p.RedistributionUnemploymentWeight+p.RedistributionFamilySizeWeight > 1+1e-9
		}, "the weights add up to more than 1; only their proportions count"},
	{
		[]string{
			"redistribution_strategy",
			"redistribution_poverty_weight",
			"redistribution_unemployment_weight",
			"redistribution_family_size_weight",
		},
		func(p *sim.Params) bool {
			return p.RedistributionStrategy == "mixed" &&
				p.RedistributionPovertyWeight+p.RedistributionUnemploymentWeight+p.RedistributionFamilySizeWeight == 0
		},
		"all weights are 0: the pool goes to all households alike",
	},
	{[]string{"policy_rate_rule", "taylor_inflation_coefficient"},
		func(p *sim.Params) bool { return p.PolicyRateRule == "taylor" && p.TaylorInflationCoefficient < 1 },
		"an answer below 1 lets the real rate fall when inflation rises (Taylor principle): inflation may run away"},
	{[]string{"max_policy_rate", "natural_real_rate", "inflation_target", "policy_rate_rule"},
		func(p *sim.Params) bool {
			return p.PolicyRateRule == "taylor" && p.MaxPolicyRate < p.NaturalRealRate+p.InflationTarget
		}, "the ceiling lies below the neutral rate, natural_real_rate + inflation_target: policy is always loose"},
	{
		[]string{
			"enable_innovation",
			"innovation_productivity_weight",
			"innovation_price_weight",
			"innovation_margin_weight",
			"innovation_attribute_weight",
		},
		func(p *sim.Params) bool {
			return p.EnableInnovation &&
				p.InnovationProductivityWeight+p.InnovationPriceWeight+p.InnovationMarginWeight+p.InnovationAttributeWeight == 0
		},
		"all weights of innovations are 0: research is paid and finds nothing",
	},
	{[]string{"ai_adoption_rate", "ai_licence_fee", "robot_tax_rate"},
		func(p *sim.Params) bool { return p.AIAdoptionRate > 0 && p.AILicenceFee*(1+p.RobotTaxRate) >= 1 },
		"fee and robot tax take all that AI saves: no firm adopts it"},
	{[]string{"enable_demography", "population_growth", "migration_rate", "population_reserve"},
		func(p *sim.Params) bool {
			return p.EnableDemography && p.PopulationReserve == 0 && (p.PopulationGrowth > 0 || p.MigrationRate > 0)
		}, "there is no room for more households: raise population_reserve"},
}

// concerns says what is odd about the value of a parameter among the others: it is
// beyond experience or outside what was estimated, does not act, or clashes with another. The
// value is within its hard range.
func concerns(p *sim.Params, name string) []string {
	list := ownConcerns(p, name)
	for _, r := range rules {
		if slices.Contains(r.params, name) && r.broken(p) {
			list = append(list, r.reason)
		}
	}
	return list
}

// ownConcerns leaves out the rules between parameters.
func ownConcerns(p *sim.Params, name string) (list []string) {
	row, err := sim.Lookup(name)
	if err != nil {
		return nil
	}
	value := row.Value(p)
	for _, u := range unusualValues {
		if x, ok := number(value); ok && u.name == name && (x < u.low || x > u.high) {
			list = append(list, fmt.Sprintf("%s = %v is unusual: %s", name, value, u.reason))
		}
	}
	if reason := sim.DormantReason(*p, name); reason.EN != "" && value != row.Default {
		list = append(list, reason.EN)
	}
	if reason := sim.Extrapolation(*p, name); reason.EN != "" {
		list = append(list, reason.EN)
	}
	if row.Technical && value != row.Default {
		list = append(list, name+" is technical: it changes no result and is not saved in configs")
	}
	return list
}

func number(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}
