package sim

import "fmt"

// estimatedWithin are the ranges in which docs/calibration/targets.yaml looks for the defaults of parameters. Whether
// the economy still does beyond them what real ones do, nobody has looked at.
var estimatedWithin = map[string][2]float64{
	"policy_rate_smoothing":            {.85, .97},
	"taylor_inflation_coefficient":     {1.5, 2.5},
	"taylor_unemployment_coefficient":  {.3, 1.5},
	"price_adjustment_probability":     {.01, .12},
	"price_gap_tolerance":              {.05, .5},
	"price_adjustment_rate":            {.005, .15},
	"wage_unemployment_sensitivity":    {.2, 1.2},
	"wage_memory_months":               {2, 48},
	"wage_productivity_indexation":     {.3, 1.2},
	"consumption_habit":                {.4, .92},
	"income_smoothing":                 {.2, 1},
	"propensity_to_consume_wealth":     {.005, .025},
	"consumption_interest_sensitivity": {.6, 2},
	"confidence_consumption_effect":    {1.5, 8},
	"confidence_investment_effect":     {.5, 5},
	"confidence_persistence":           {.9, .985},
	"confidence_volatility":            {.001, .006},
	"capital_adjustment_months":        {15, 90},
	"target_inventory_ratio":           {.1, 1},
	"inventory_adjustment_months":      {2, 10},
	"dismissal_rate":                   {.06, .4},
	"matching_efficiency":              {.05, .16},
	"innovation_probability":           {.03, .1},
}

// EstimatedWithin is the range in which a parameter was estimated, ok whether it was.
func EstimatedWithin(name string) (low, high float64, ok bool) {
	within, ok := estimatedWithin[name]
	return within[0], within[1], ok
}

// Extrapolation says that a parameter lies outside the range in which it was estimated; the zero value where it does
// not, or was not estimated.
func Extrapolation(p Params, name string) Reason {
	low, high, ok := EstimatedWithin(name)
	if !ok {
		return Reason{}
	}
	value, err := p.Get(name)
	x, isNumber := value.(float64)
	if err != nil || !isNumber || low <= x && x <= high {
		return Reason{}
	}
	return Reason{
		fmt.Sprintf("%s = %g extrapolates: estimated within %g to %g", name, x, low, high),
		fmt.Sprintf("%s = %g 属于外推：其估计范围为 %g 至 %g", name, x, low, high),
	}
}
