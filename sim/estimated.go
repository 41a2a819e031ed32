package sim

import "fmt"

// estimatedWithin are the ranges in which docs/calibration/targets.yaml looks for the defaults of parameters. Whether
// the economy still does beyond them what real ones do, nobody has looked at.
var estimatedWithin = map[string][2]float64{
	"policy_rate_smoothing":                     {0.88, 0.96},
	"taylor_inflation_coefficient":              {1.4, 2.4},
	"taylor_unemployment_coefficient":           {0.6, 3.0},
	"policy_rate_volatility":                    {0.0003, 0.002},
	"core_inflation_weight":                     {0.6, 1.0},
	"natural_real_rate":                         {0.01, 0.03},
	"natural_unemployment_rate":                 {0.055, 0.075},
	"price_adjustment_probability":              {0.01, 0.06},
	"price_gap_tolerance":                       {0.12, 0.35},
	"price_adjustment_rate":                     {0.004, 0.03},
	"mark_up_reversion":                         {0.03, 0.1},
	"consumption_mark_up":                       {0.6, 0.8},
	"wage_unemployment_sensitivity":             {0.3, 1.2},
	"wage_memory_months":                        {1.5, 18.0},
	"wage_productivity_indexation":              {0.6, 1.1},
	"consumption_habit":                         {0.45, 0.92},
	"income_smoothing":                          {0.03, 0.12},
	"propensity_to_consume_wealth":              {0.006, 0.016},
	"consumption_interest_sensitivity":          {0.2, 1.2},
	"precautionary_effect":                      {0.01, 0.15},
	"confidence_consumption_effect":             {0.5, 6.0},
	"confidence_investment_effect":              {3.0, 16.0},
	"confidence_persistence":                    {0.94, 0.985},
	"confidence_volatility":                     {0.0003, 0.003},
	"technology_volatility":                     {0.0005, 0.0035},
	"world_demand_volatility":                   {0.004, 0.03},
	"import_price_volatility":                   {0.002, 0.01},
	"purchases_volatility":                      {0.002, 0.02},
	"loan_spread_volatility":                    {0.0005, 0.004},
	"target_utilisation":                        {0.76, 0.86},
	"capital_adjustment_months":                 {50.0, 180.0},
	"investment_memory_months":                  {3.0, 20.0},
	"capital_user_cost_elasticity":              {0.1, 0.5},
	"depreciation_rate":                         {0.005, 0.007},
	"expectation_adjustment":                    {0.35, 0.9},
	"target_inventory_ratio":                    {0.6, 2.0},
	"inventory_adjustment_months":               {1.0, 4.0},
	"safety_stock":                              {1.0, 4.5},
	"innovation_probability":                    {0.03, 0.09},
	"innovation_labor_productivity_improvement": {0.02, 0.05},
	"hiring_rate":                               {0.15, 0.6},
	"dismissal_rate":                            {0.06, 0.3},
	"overtime_limit":                            {0.1, 0.5},
	"separation_rate":                           {0.013, 0.02},
	"matching_efficiency":                       {0.09, 0.16},
	"on_the_job_search_rate":                    {0.1, 0.25},
	"quit_memory_months":                        {1.0, 8.0},
	"firm_productivity_dispersion":              {0.2, 0.38},
	"firm_demand_dispersion":                    {0.15, 0.55},
	"wage_rent_sharing":                         {0.06, 0.25},
	"wage_size_premium":                         {0.01, 0.05},
	"supplier_search_rate":                      {0.08, 0.3},
	"supplier_stock_requirement":                {0.4, 1.0},
	"rationing_switch_rate":                     {0.08, 0.35},
	"word_of_mouth_elasticity":                  {0.4, 0.7},
	"entry_rate":                                {0.03, 0.1},
	"closure_rate":                              {0.006, 0.025},
	"cash_flow_limit":                           {5.0, 20.0},
	"liquidity_buffer_months":                   {1.0, 3.0},
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
