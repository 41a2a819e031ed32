package question

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

// What an experiment is at least, months.
const (
	afterwards = 24  // what is watched after the last change began
	longest    = 600 // what a question can have simulated without being asked
)

// design writes how long and how often is simulated, and ends what lasts as long as that.
func (r *resolver) design() {
	d := r.o.Design
	d.Replications = cmp.Or(d.Replications, inquiry.DefaultReplications)
	d.Seed = cmp.Or(d.Seed, inquiry.DefaultSeed)
	d.BurnIn = cmp.Or(d.BurnIn, inquiry.DefaultBurnIn)
	d.Family = cmp.Or(d.Family, inquiry.DefaultFamily)
	d.Confidence = cmp.Or(d.Confidence, inquiry.DefaultConfidence)
	if d.Replications == inquiry.Auto {
		d.HalfWidth = cmp.Or(d.HalfWidth, inquiry.DefaultHalfWidth)
		d.MaxReplications = cmp.Or(d.MaxReplications, inquiry.DefaultMaxReplications)
	}
	needed := r.starts()
	if d.Months == 0 { // nobody else says how many
		d.Months = cmp.Or(r.s.horizon, inquiry.DefaultMonths)
		if needed = max(needed, r.last); r.s.horizon == 0 {
			needed = max(needed, r.starts()+afterwards)
		}
	}
	if needed > d.Months {
		d.Months = (needed + 11) / 12 * 12
	}
	if d.Months > longest {
		r.doubting("the time", "That is %d years of simulation. Are %d years enough?", "需要模拟%d年，%d年是否足够？", d.Months/12, longest/12)
		d.Months = longest
	}
	r.q.Design = d
	end := func(list []sim.Intervention) {
		for i := range list {
			if v := &list[i]; v.DurationMonths == forGood {
				v.DurationMonths = max(1, d.Months-v.TargetMonth+1)
			}
		}
	}
	for i := range r.q.Arms {
		end(r.q.Arms[i].Events)
	}
	end(r.q.Background.Events)
}

// starts is the last month in which something begins or is phased in.
func (r *resolver) starts() (last int) {
	for _, a := range r.q.Arms {
		for _, v := range a.Events {
			last = max(last, v.TargetMonth+max(0, v.RampMonths-1))
		}
	}
	for _, v := range r.q.Background.Events {
		last = max(last, v.TargetMonth+max(0, v.RampMonths-1))
	}
	return last
}

// mostOutcomes are planned beside those that the question asks about: each makes the tests of all stricter.
const mostOutcomes = 8

// costly are words that ask what something costs the state.
var costly = regexp.MustCompile(`(?i)\b(costs?|bill|spend(s|ing)? on|expensive|outlays?|expenditures?)\b|开支|支出|花费|开销|成本|(花|掏|贴)(多少|几|掉多少)`)

// programmes are what levers have the state spend on, as its costs are named.
var programmes = map[string]string{
	"unemployment_benefit_rate": "unemployment_benefits", "benefit_months": "unemployment_benefits",
	"long_term_benefit_factor": "unemployment_benefits", "job_guarantee": "job_guarantee", "job_retention_share": "job_retention",
	"job_retention_benefit_rate": "job_retention", "pension_replacement_rate": "pensions", "retirement_age_shift": "pensions",
	"universal_basic_income": "basic_income", "minimum_income": "minimum_income", "redistribution_share": "redistribution",
	"retraining_rate": "retraining", "wage_subsidy_rate": "wage_subsidies", "research_subsidy_rate": "research_subsidies",
	"government_employment_share": "public_employment", "public_research_share": "public_research",
	"inherent_market_consumption_rate": "purchases",
}

// outcomes writes what is measured: what the question asks about, what its levers move first, and what one
// looks at in a question of its type.
func (r *resolver) outcomes() {
	windows := inquiry.DefaultWindows(r.q.Design.Months)
	add := func(i sim.Indicator, expect int) {
		if !slices.ContainsFunc(r.q.Outcomes, func(o inquiry.Outcome) bool { return o.Metric == i }) {
			r.q.Outcomes = append(r.q.Outcomes, inquiry.Outcome{Metric: i, Windows: windows, Expect: expect})
		}
	}
	for _, w := range r.s.outcomes {
		i, ok := r.ofGroup(w)
		if !ok && !slices.Contains(aggregates, w.indicator) {
			r.doubting("the group", "%s is measured for all together: is that enough?", "%s只对全体测量：这样可以吗？", w.indicator)
		}
		if i != w.indicator {
			add(i, expectOf(w))
		}
		aged := r.base
		aged.EnableDemography = true
		if _, has := w.indicator.In(r.base, nil); !has {
			if _, has = w.indicator.In(aged, nil); has {
				r.needs(ages, w.indicator.String())
			}
		}
		add(w.indicator, w.expect)
	}
	if costly.MatchString(string(r.text)) {
		for _, id := range r.used {
			l, _ := leverOf(id)
			if cost, err := sim.LookupIndicator("cost_" + programmes[l.name()]); err == nil {
				if l.id == "retirement_age_shift" || l.id == "pension_replacement_rate" {
					r.needs(ages, cost.String())
				}
				add(cost, 0)
			}
		}
	}
	for _, w := range r.s.outcomes { // people say one and mean the other
		for _, pair := range siblings {
			if k := slices.Index(pair[:], w.indicator); k >= 0 && len(r.q.Outcomes) < mostOutcomes {
				add(pair[1-k], 0)
			}
		}
	}
	var usual []sim.Indicator
	for _, id := range r.used {
		if l, ok := leverOf(id); ok {
			usual = append([]sim.Indicator{l.outcome}, rowOf(l.is()).outcomes...)
			break
		}
	}
	for _, i := range append(usual, rowOf(Other).outcomes...) {
		if len(r.q.Outcomes) < mostOutcomes {
			add(i, 0)
		}
	}
}

// siblings are outcomes that people do not tell apart: "prices" may be their level or their growth, "jobs" what is
// there or what is lacking. Who asks for one gets both.
var siblings = [][2]sim.Indicator{
	{sim.RealGDP, sim.GDPGrowth}, {sim.CPI, sim.Inflation}, {sim.EmploymentRate, sim.UnemploymentRate}, {sim.RealWageMean, sim.RealWageMedian},
	{sim.DeficitToGDP, sim.DebtToGDP}, {sim.Bankruptcies, sim.FirmExits},
}

// aggregates have no groups: a group beside them is somebody else's.
var aggregates = []sim.Indicator{
	sim.RealGDP, sim.GDPGrowth, sim.CPI, sim.Inflation, sim.DeficitToGDP, sim.DebtToGDP, sim.TaxRevenue, sim.LabourProductivity, sim.Exports,
	sim.Imports, sim.ExchangeRate, sim.CurrentAccount, sim.Bankruptcies,
}

// expectOf is what is expected of the indicator of a group: of less poverty more income, of less
// inequality either.
func expectOf(w wish) int {
	switch w.indicator {
	case sim.PovertyRate:
		return -w.expect
	case sim.IncomeGini, sim.WealthGini:
		return 0
	}
	return w.expect
}

// groupsOf are the groups of households of which outcomes are measured, by what questions call them.
var groupsOf = map[string]string{
	"bottom_tenth": "tenth_1", "bottom_decile": "tenth_1", "bottom_fifth": "fifth_1", "bottom": "fifth_1", "poor": "fifth_1",
	"middle_fifth": "fifth_3", "middle": "fifth_3", "top_fifth": "fifth_5", "top_tenth": "tenth_10", "top": "tenth_10",
	"employed": "employed", "unemployed": "unemployed", "retired": "age_65_plus", "young": "age_15_29", "low_skill": "skill_low",
	"high_skill": "skill_high",
}

// ofGroup is the indicator of an outcome for a group; ok where there is one, or where none is asked for.
func (r *resolver) ofGroup(w wish) (i sim.Indicator, ok bool) {
	if w.group == "" || w.group == "all" {
		return w.indicator, true
	}
	measure := map[sim.Indicator]string{
		sim.RealConsumption: "real_consumption_", sim.WealthGini: "real_wealth_", sim.RealWageMean: "real_income_",
		sim.RealWageMedian: "real_income_", sim.NominalWageMean: "real_income_", sim.IncomeGini: "real_income_",
		sim.PovertyRate: "real_income_",
	}[w.indicator]
	if name := w.indicator.String(); w.indicator >= sim.NumIndicators && strings.HasSuffix(name, "_mean") {
		measure = strings.TrimSuffix(name, "mean")
	}
	i, ok = sim.IndicatorByName(measure + groupsOf[w.group])
	if !ok || measure == "" || groupsOf[w.group] == "" {
		return w.indicator, false
	}
	if strings.HasPrefix(groupsOf[w.group], "age_") {
		r.needs(ages, r.say("an outcome by age", "按年龄的指标"))
	}
	return i, true
}

// pairs writes what is compared: each arm with the control, and alternatives with each other.
func (r *resolver) pairs() {
	own := 0
	for _, a := range r.q.Arms {
		if a.Base != "" {
			own++
		}
	}
	if own == len(r.q.Arms) && own > 1 { // Germany or the United States: neither is held against the baseline
		r.q.Control = inquiry.ControlNone
	}
	names := r.q.Arms
	if r.q.Control != inquiry.ControlNone {
		for _, a := range names {
			r.q.Compare = append(r.q.Compare, inquiry.Pair{Arm: a.Name, With: inquiry.ControlArm})
		}
	}
	if len(r.s.arms) < 2 || len(names) > 3 {
		return // doses are compared with the control alone
	}
	for i := range names {
		for _, b := range names[i+1:] {
			r.q.Compare = append(r.q.Compare, inquiry.Pair{Arm: names[i].Name, With: b.Name})
		}
	}
}
