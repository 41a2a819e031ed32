package sim

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestBreakdownsAreDocumented(t *testing.T) {
	names := OutcomeNames()
	if len(names) != int(NumOutcomes) || len(Breakdowns()) != int(NumOutcomes-NumIndicators) {
		t.Fatalf("%d names and %d breakdowns, want %d and %d", len(names), len(Breakdowns()), NumOutcomes, NumOutcomes-NumIndicators)
	}
	seen := map[string]bool{}
	for k, name := range names {
		i, ok := IndicatorByName(name)
		info := i.Info()
		if !ok || i != Indicator(k) || seen[name] || info.Unit == "" || info.Formula == "" || strings.ToLower(name) != name {
			t.Errorf("%q is number %d (%t), want %d: %+v", name, i, ok, k, info)
		}
		seen[name] = true
		if _, on := i.OnControlGDP(); on != strings.HasSuffix(name, "_to_control_gdp") {
			t.Errorf("%s is on the control's GDP: %t", name, on)
		}
	}
	for _, name := range []string{
		"real_income_tenth_1", "real_consumption_fifth_5", "real_wealth_initial_tenth_10", "real_income_skill_low", "real_income_age_65_plus",
		"real_income_initial_unemployed", "cost_job_retention_to_control_gdp", "inflation_monthly", "jobs", "deficit_to_control_gdp",
	} {
		if !seen[name] {
			t.Errorf("there is no %s", name)
		}
	}
}

var (
	quoted     = regexp.MustCompile("`([a-z][a-z0-9_]*)`")
	lastNumber = regexp.MustCompile(`_[0-9]+$`)
)

// The page on outcomes has the parts of every name, and no name that there is not.
func TestOutcomesDocument(t *testing.T) {
	data, err := os.ReadFile("../docs/OUTCOMES.md")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, m := range quoted.FindAllStringSubmatch(string(data), -1) {
		said[m[1]] = true
	}
	known := map[string]bool{"when": true, "enable_demography": true, "not_found": true, "initial": true}
	need := func(name string) {
		known[name] = true
		if !said[name] {
			t.Errorf("the page does not say %s", name)
		}
	}
	for _, name := range OutcomeNames() {
		known[name] = true
	}
	for i := NumIndicators; i < firstByGroup; i++ {
		need(i.String())
	}
	for _, m := range Measures() {
		need(m.ID)
	}
	for _, g := range HouseholdGroups() {
		if id := lastNumber.ReplaceAllString(g.ID, "_1"); strings.HasSuffix(id, "tenth_1") || strings.HasSuffix(id, "fifth_1") {
			need(id)
		} else {
			need(g.ID)
		}
		known[g.ID] = true
	}
	need("real_income_initial_wealth_tenth_1")
	for _, p := range Programmes() {
		need(p.ID)
	}
	for name := range said {
		if !known[name] {
			t.Errorf("the page names %s, which there is not", name)
		}
	}
}

// counted is a household as the test counts it.
type counted struct {
	h                           int
	income, consumption, wealth float64
}

func (c counted) of(measure string) float64 {
	return map[string]float64{"real_income": c.income, "real_consumption": c.consumption, "real_wealth": c.wealth}[measure]
}

// The means of groups are those of the households themselves, counted here one by one; tenths rest on a
// histogram and may differ by the width of its bins, wealth by who of a bin is the rich one.
func TestGroupsAgainstHouseholds(t *testing.T) {
	p := small()
	everythingOn(&p)
	e := mustNew(t, p, 3)
	mustStep(t, e, 12)
	e.BeginExperiment()
	mustStep(t, e, 1)
	standing := slices.Clone(e.h.standing)
	mustStep(t, e, 13)
	r := e.Latest()
	var all []counted
	e.EachHousehold(func(h int, v HouseholdView) { all = append(all, counted{h, v.Income, v.Consumption, v.NetWorth}) })
	slices.SortStableFunc(all, func(a, b counted) int { return cmp.Compare(a.income, b.income) })
	real := 100 / r.Value(CPI)
	value := func(name string) float64 {
		i, ok := IndicatorByName(name)
		if !ok {
			t.Fatalf("no indicator %s", name)
		}
		return r.Value(i)
	}
	mean := func(measure string, list []counted) float64 {
		sum := 0.0
		for _, c := range list {
			sum += c.of(measure)
		}
		return real * sum / float64(len(list))
	}
	member := func(in func(h int) bool) (list []counted) {
		for _, c := range all {
			if in(c.h) {
				list = append(list, c)
			}
		}
		return list
	}
	for _, m := range Measures() {
		total := mean(m.ID, all)
		within(t, m.ID+"_mean", value(m.ID+"_mean"), total, 1e-9*total)
		tenths, fifths := 0.0, 0.0
		for k := range 10 {
			got := value(fmt.Sprintf("%s_tenth_%d", m.ID, k+1))
			tenths += got / 10
			want := mean(m.ID, all[k*len(all)/10:(k+1)*len(all)/10])
			tolerance := .05
			if m.ID == "real_wealth" {
				tolerance = .15
			}
			within(t, m.ID+" of a tenth", got, want, tolerance*math.Max(want, total/10))
		}
		for k := range 5 {
			fifths += value(fmt.Sprintf("%s_fifth_%d", m.ID, k+1)) / 5
		}
		within(t, m.ID+": mean over tenths", tenths, total, 1e-9*total)
		within(t, m.ID+": mean over fifths", fifths, total, 1e-9*total)
		for group, in := range map[string]func(h int) bool{
			"employed":             func(h int) bool { return e.h.employer[h] != nobody },
			"unemployed":           func(h int) bool { return e.h.employer[h] == nobody && e.h.age[h]&inWorkforce != 0 },
			"outside_labour_force": func(h int) bool { return e.h.age[h]&inWorkforce == 0 },
			"age_30_54":            func(h int) bool { return e.h.age[h]&groupBits == agePrime },
			"age_65_plus":          func(h int) bool { return e.h.age[h]&groupBits == ageRetired },
			"initial_tenth_1":      func(h int) bool { return int(standing[h]) < wealthCells },
			"initial_fifth_5": func(h int) bool {
				return int(standing[h]) >= 8*wealthCells && int(standing[h]) < standingCells
			},
			"initial_unemployed": func(h int) bool {
				return int(standing[h]) < standingCells && int(standing[h])%workCells/NumSkillGroups == int(Unemployed)
			},
			"skill_high": func(h int) bool { return int(standing[h]) < standingCells && int(standing[h])%NumSkillGroups == 2 },
		} {
			list := member(in)
			if len(list) == 0 || len(list) == len(all) {
				t.Fatalf("%s has %d of %d households", group, len(list), len(all))
			}
			want := mean(m.ID, list)
			within(t, m.ID+"_"+group, value(m.ID+"_"+group), want, 1e-9*math.Max(want, 1))
		}
	}
	richest := member(func(h int) bool {
		return int(standing[h]) < standingCells && int(standing[h])%wealthCells >= 9*workCells
	})
	near(t, "income of the wealthiest", value("real_income_initial_wealth_tenth_10"), mean("real_income", richest))
	jobs := len(member(func(h int) bool { return e.h.employer[h] != nobody }))
	if value("jobs") != float64(jobs) || value("unemployed") != float64(e.people.force)-float64(jobs) {
		t.Errorf("%v jobs, %v unemployed; counted %d of %d", value("jobs"), value("unemployed"), jobs, e.people.force)
	}
}

// What an economy does not have is not a number, and never zero.
func TestBreakdownsThatAreNotThere(t *testing.T) {
	e := mustNew(t, small(), 1)
	mustStep(t, e, 2)
	for _, name := range []string{
		"real_income_age_15_29", "real_wealth_outside_labour_force", "real_income_initial_tenth_1", "real_income_skill_low", // still burn-in
		"cost_interest_to_control_gdp",
	} {
		if i, _ := IndicatorByName(name); !math.IsNaN(e.Latest().Value(i)) {
			t.Errorf("%s = %v in an economy that does not have it", name, e.Latest().Value(i))
		}
	}
	e.BeginExperiment()
	mustStep(t, e, 1)
	for i := NumIndicators; i < NumOutcomes; i++ {
		_, on := i.OnControlGDP()
		if x := e.Latest().Value(i); math.IsNaN(x) != (on || i.NeedsDemography()) {
			t.Errorf("%s = %v", i, x)
		}
	}
}

// Each programme costs something where it runs, and together they cost what the government spends;
// the parts of the income tax add up to it, and the prices of months to those of the year.
func TestProgrammesAddUp(t *testing.T) {
	p := thousand()
	everythingOn(&p)
	e := mustNew(t, p, 2)
	mustStep(t, e, 24)
	e.BeginExperiment()
	injected := []Intervention{{Type: TypeInjection, TargetMonth: 3, Injection: Injection{"bottom_decile", 50}},
		{Type: TypeInjection, TargetMonth: 4, DurationMonths: 1, Injection: Injection{"industry:01", 20}},
		{Type: TypeInjection, TargetMonth: 5, DurationMonths: 1, Injection: Injection{"banks", 5}}}
	if err := e.Plan(injected); err != nil {
		t.Fatal(err)
	}
	value := func(name string) float64 {
		i, ok := IndicatorByName(name)
		if !ok {
			t.Fatalf("no indicator %s", name)
		}
		return e.Latest().Value(i)
	}
	costs, prices := map[string]float64{}, 1.0
	for month := 1; month <= 24; month++ {
		mustStep(t, e, 1)
		fl := &e.flow
		sum, share := 0.0, 0.0
		for _, programme := range Programmes() {
			cost := value("cost_" + programme.ID)
			if cost < 0 {
				t.Errorf("month %d: %s costs %v", month, programme.ID, cost)
			}
			costs[programme.ID] += cost
			sum += cost
			share += value("cost_" + programme.ID + "_to_gdp")
		}
		within(t, "all programmes", sum, value("government_spending"), 1./subunit)
		within(t, "their shares of GDP", share, value("government_spending_to_gdp"), 1e-6)
		within(t, "taxes on income", value("tax_wages")+value("tax_capital_income")+value("tax_contributions"), value("tax_income"), 1e-6)
		within(t, "deficit", value("deficit"), float64(-fl.governmentLending())/subunit, 1e-6)
		injections := float64(fl.injected+fl.injectedFirms+fl.injectedBanks) / subunit
		within(t, "injections", value("cost_injections"), injections, 1e-6)
		if (injections > 0) != (month >= 3 && month <= 5) {
			t.Errorf("month %d: injections of %v", month, injections)
		}
		prices *= 1 + value("inflation_monthly")
		near(t, "prices", 100*prices, value("cpi"))
	}
	for _, programme := range Programmes() {
		if costs[programme.ID] <= 0 && programme.ID != "bank_recapitalisation" { // no bank failed
			t.Errorf("%s cost nothing", programme.ID)
		}
	}
	if value("tax_capital_income") <= 0 || value("tax_contributions") <= 0 {
		t.Error("no tax on capital income, or no contributions")
	}
	saved := flows{recapitalisation: 5 * subunit, injectedBanks: 2 * subunit}
	var r Record
	r.Government = saved.budget(0)
	for name, want := range map[string]float64{"cost_bank_recapitalisation": 5, "cost_injections": 2, "cost_wage_subsidies": 0} {
		i, _ := IndicatorByName(name)
		near(t, name, r.Value(i), want)
	}
}

// Job retention is not unemployment benefit: each is 0 without its parameter, and the other is there.
func TestJobRetentionIsToldApart(t *testing.T) {
	retention, _ := IndicatorByName("cost_job_retention")
	benefits, _ := IndicatorByName("cost_unemployment_benefits")
	for _, test := range []struct {
		share, rate float64
	}{{.8, 0}, {0, .6}, {.8, .6}} {
		p := small()
		p.JobRetentionShare, p.UnemploymentBenefitRate = test.share, test.rate
		e := mustNew(t, p, 2)
		kept, out := 0.0, 0.0
		for range 24 {
			mustStep(t, e, 1)
			kept += e.Latest().Value(retention)
			out += e.Latest().Value(benefits)
		}
		if (kept > 0) != (test.share > 0) || (out > 0) != (test.rate > 0) {
			t.Errorf("share %v and rate %v: job retention %v, benefits %v", test.share, test.rate, kept, out)
		}
	}
}
