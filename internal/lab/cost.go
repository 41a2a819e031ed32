package lab

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// budgetMonth is what a month was for the public budget, in currency units.
type budgetMonth struct {
	balance float64 // taxes and the central bank's profit less spending: what the public debt falls by
	taxes   [len(grossTaxes)]float64
	outlays [len(programmes)]float64
}

// programmes are what is paid out under a heading of its own in the budget, and the parameters that pay it.
var programmes = [...]struct {
	parameters []string
	outlay     func(g *sim.GovernmentSummary) float64
}{
	{nil, func(g *sim.GovernmentSummary) float64 { // injections into households
		p := &g.Programmes
		return g.Transfers - p.BasicIncome - p.MinimumIncome - p.Redistribution - p.Retraining
	}},
	{nil, func(g *sim.GovernmentSummary) float64 { return g.Programmes.FirmInjections }},
	{nil, func(g *sim.GovernmentSummary) float64 { return g.Programmes.BankInjections }},
	{[]string{"universal_basic_income", "basic_income_unit"}, func(g *sim.GovernmentSummary) float64 { return g.Programmes.BasicIncome }},
	{[]string{"minimum_income", "minimum_income_taper"}, func(g *sim.GovernmentSummary) float64 { return g.Programmes.MinimumIncome }},
	{
		[]string{"redistribution_share", "redistribution_strategy", "redistribution_financing"},
		func(g *sim.GovernmentSummary) float64 { return g.Programmes.Redistribution },
	},
	{[]string{"retraining_rate"}, func(g *sim.GovernmentSummary) float64 { return g.Programmes.Retraining }},
	{[]string{"job_retention_share", "job_retention_benefit_rate"}, func(g *sim.GovernmentSummary) float64 { return g.Programmes.ShortTime }},
	{
		[]string{"enable_dynamic_job_posting", "unemployment_threshold", "job_posting_multiplier", "job_guarantee_wage"},
		func(g *sim.GovernmentSummary) float64 { return g.Programmes.JobGuarantee },
	},
	{[]string{"wage_subsidy_rate", "wage_subsidy_ceiling"}, func(g *sim.GovernmentSummary) float64 {
		return g.Subsidies - g.Programmes.ResearchSubsidies - g.Programmes.FirmInjections
	}},
	{[]string{"research_subsidy_rate"}, func(g *sim.GovernmentSummary) float64 { return g.Programmes.ResearchSubsidies }},
	{[]string{"inherent_market_consumption_rate"}, func(g *sim.GovernmentSummary) float64 { return g.Purchases }},
}

// The programmes that injections are.
const (
	intoHouseholds = iota
	intoFirms
	intoBanks
)

// grossTax is a rate whose revenue is in proportion to it.
type grossTax struct {
	rate     string
	revenue  sim.Indicator
	unlinked func(p *sim.Params) string // what breaks the proportion; "" = nothing
}

// grossTaxes are those of which it follows from what the control brings in what a lower rate forgoes.
var grossTaxes = [...]grossTax{
	{"vat_rate", sim.TaxVAT, func(p *sim.Params) string {
		if len(p.VATRatesByIndustry.Rates()) > 0 {
			return "vat_rates_by_industry"
		}
		return financed(p, "vat")
	}},
	{"income_tax_rate", sim.TaxIncome, func(p *sim.Params) string {
		switch {
		case len(p.IncomeTaxBrackets.Rates()) > 0:
			return "income_tax_brackets"
		case p.EnableDemography:
			return "the pension contributions of enable_demography"
		}
		return financed(p, "income_tax")
	}},
	{"corporate_tax_rate", sim.TaxCorporate, func(*sim.Params) string { return "" }},
}

// financed names the programme that a surcharge on a tax pays for; "" = none.
func financed(p *sim.Params, tax string) string {
	switch {
	case p.BasicIncomeFinancing == tax && p.UniversalBasicIncome > 0:
		return "basic_income_financing"
	case p.RedistributionFinancing == tax && p.RedistributionStrategy != "none":
		return "redistribution_financing"
	}
	return ""
}

// newBudgetMonth reads a month.
func newBudgetMonth(r *sim.Record) (b budgetMonth) {
	b.balance = r.Value(sim.TaxRevenue) + r.Government.CentralBankProfit - r.Value(sim.GovernmentSpending)
	for i, t := range grossTaxes {
		b.taxes[i] = r.Value(t.revenue)
	}
	for i, p := range programmes {
		b.outlays[i] = p.outlay(&r.Government)
	}
	return b
}

// netCost is how much worse the balance of an arm is than the control's, over the months of both.
func netCost(control, arm []budgetMonth) (sum float64) {
	for m := range control {
		sum += control[m].balance - arm[m].balance
	}
	return sum
}

// grossItems are what an arm costs gross: the programmes that it pays, and the taxes that it forgoes.
type grossItems struct {
	programmes map[int]bool // of programmes
	taxes      []forgone
}

// forgone is what a lower rate forgoes in the months From to To, both included.
type forgone struct {
	from, to int     // 0 = to the end
	tax      int     // of grossTaxes
	share    float64 // of what the control brings in; less than 0: the rate is higher
}

// cost adds up what an arm costs over months from first on: what it pays more than the control, and what
// it forgoes on the bases of the control.
func (g grossItems) cost(control, arm []budgetMonth, first int) (sum float64) {
	for k := range control {
		for i := range programmes {
			if g.programmes[i] {
				sum += arm[k].outlays[i] - control[k].outlays[i]
			}
		}
		for _, f := range g.taxes {
			if m := first + k; m >= f.from && (f.to == 0 || m <= f.to) {
				sum += f.share * control[k].taxes[f.tax]
			}
		}
	}
	return sum
}

// grossOf is what an arm costs gross beside the control. What cannot be measured so is refused.
func grossOf(control, arm scenario.Scenario, name string) (grossItems, error) {
	g := gross{items: grossItems{programmes: map[int]bool{}}, control: control, arm: arm, name: name, touched: map[string]bool{}}
	for _, parameter := range sim.Diff(control.Params, arm.Params) {
		to, err := arm.Params.Get(parameter)
		if err == nil {
			err = g.change(parameter, to, 1, 0)
		}
		if err != nil {
			return g.items, err
		}
	}
	shared := 0
	for shared < min(len(control.Interventions), len(arm.Interventions)) &&
		fmt.Sprint(control.Interventions[shared]) == fmt.Sprint(arm.Interventions[shared]) {
		shared++
	}
	if shared < len(control.Interventions) {
		return g.items, g.refuse("other things happen in the control")
	}
	for _, v := range control.Interventions {
		for _, name := range changedBy(v) {
			g.touched[name] = true
		}
	}
	for i, v := range arm.Interventions[shared:] {
		if err := g.event(i, v); err != nil {
			return g.items, err
		}
	}
	return g.items, nil
}

// changedBy names the parameters that an intervention changes.
func changedBy(v sim.Intervention) (names []string) {
	for _, c := range v.Parameters {
		names = append(names, c.Name)
	}
	if pack, err := sim.PackageByID(v.Type, v.Policy.Policy+v.Shock.Shock); err == nil {
		names = append(names, pack.Parameters...)
	}
	return names
}

// gross collects what an arm costs.
type gross struct {
	items        grossItems
	control, arm scenario.Scenario
	name         string
	touched      map[string]bool // parameters that something changes already
}

func (g *gross) refuse(what string, values ...any) error {
	e := fault.New(fault.Conflict, "equal_cost.measure", "the gross cost of %s cannot be measured: %s", g.name, fmt.Sprintf(what, values...))
	e.Hint = "write measure: net; gross knows payments, programmes that the budget has a line for, and flat rates of VAT, income tax and " +
		"corporate tax"
	return e
}

// programme counts what a parameter has paid out, if it does.
func (g *gross) programme(parameter string) bool {
	for i, p := range programmes {
		if slices.Contains(p.parameters, parameter) {
			g.items.programmes[i] = true
			return true
		}
	}
	return false
}

// change counts what another value of a parameter costs in the months from to until, 0 = to the end.
func (g *gross) change(parameter string, to any, from, until int) error {
	if g.programme(parameter) {
		return nil
	}
	t := slices.IndexFunc(grossTaxes[:], func(t grossTax) bool { return t.rate == parameter })
	if t < 0 {
		return g.refuse("it changes %s", parameter)
	}
	if g.touched[parameter] {
		return g.refuse("%s is changed more than once", parameter)
	}
	g.touched[parameter] = true
	is, err := g.control.Params.Get(parameter)
	if err != nil {
		return err
	}
	before, _ := is.(float64)
	after, _ := to.(float64) // rates are real numbers
	if before == 0 {
		return g.refuse("%s is 0 in the control, which has no base of it", parameter)
	}
	if why := cmp.Or(grossTaxes[t].unlinked(&g.control.Params), grossTaxes[t].unlinked(&g.arm.Params)); why != "" {
		return g.refuse("%s is not all that sets what is paid, because of %s", parameter, why)
	}
	g.items.taxes = append(g.items.taxes, forgone{from: from, to: until, tax: t, share: (before - after) / before})
	return nil
}

// event counts what an event of the arm costs, the i-th from 0.
func (g *gross) event(i int, v sim.Intervention) error {
	switch v.Type {
	case sim.TypeInjection:
		into := intoHouseholds
		if v.Injection.Group == "banks" {
			into = intoBanks
		} else if strings.HasPrefix(v.Injection.Group, "industry:") {
			into = intoFirms
		}
		g.items.programmes[into] = true
		return nil
	case sim.TypePolicy:
		for _, parameter := range changedBy(v) {
			if !g.programme(parameter) {
				return g.refuse("the policy %s changes %s", v.Policy.Policy, parameter)
			}
		}
		return nil
	case sim.TypeShock:
		return g.refuse("event %d is a shock", i+1)
	}
	until := 0
	if v.DurationMonths > 0 {
		until = v.TargetMonth + v.DurationMonths - 1
	}
	for _, c := range v.Parameters {
		if !g.programme(c.Name) && (v.When != "" || v.RampMonths > 1) {
			return g.refuse("event %d comes with a condition or in steps", i+1)
		}
		if err := g.change(c.Name, c.Value, v.TargetMonth, until); err != nil {
			return err
		}
	}
	return nil
}

// costed checks, before anything is simulated, that the costs of an equal cost can be measured.
func costed(q inquiry.Inquiry, arms []inquiry.Scenario) error {
	c := q.EqualCost
	if c == nil || c.Measure != inquiry.Gross {
		return nil
	}
	for _, a := range arms[1:] {
		if a.Name == c.Match || a.Name == c.To {
			if _, err := grossOf(arms[0].Scenario, a.Scenario, a.Name); err != nil {
				return err
			}
		}
	}
	return nil
}
