package sim

import (
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
)

// Injection is money for a group, a month, as a transfer of the government that debt
// finances: an amount for each household of the group; of "industry:NN", for each
// employee of the industry's firms; of "banks", for each household of the economy.
type Injection struct {
	Group  string  // one of [InjectionGroups], or "industry:" and the code of an industry
	Amount float64 // currency units a head and month
}

// InjectionGroups are the groups that an injection may name, beside industries.
var InjectionGroups = []string{"all", "bottom_decile", "unemployed", "retired", "banks", "lottery"}

// Their places in that list.
const (
	toAll = iota
	toBottomDecile
	toUnemployed
	toRetired
	toBanks
	toLottery // a random part of the households, drawn anew each month

	injectionGroups
)

const industryPrefix = "industry:"

// winners is the part of the households that a lottery pays.
const winners = .1

// largestInjection is the largest amount, currency units a head and month.
const largestInjection = 1e6

func (v Injection) check() error {
	if !(v.Amount > 0 && v.Amount <= largestInjection) {
		return fault.Range("amount", formatNumber(v.Amount), "above 0, at most 1000000 currency units a head and month")
	}
	groups := slices.Clone(InjectionGroups)
	for _, code := range industryCodes() {
		groups = append(groups, industryPrefix+code)
	}
	if !slices.Contains(groups, v.Group) {
		return fault.Range("group", strconv.Quote(v.Group), groups...)
	}
	return nil
}

// injections are the month's amounts, subunits a head.
type injections struct {
	any      bool
	groups   [injectionGroups]int64
	industry [MaxIndustries]int64
	line     float64 // smoothed income up to which a household is in the bottom decile
}

// planInjections adds up what is injected in a month of the experiment.
func (e *Economy) planInjections(month int) {
	e.inject = injections{}
	for k := range e.plan {
		v := &e.plan[k]
		age := v.age(month)
		if v.Type != TypeInjection || age == 0 {
			continue
		}
		amount := floorMoney(v.Injection.Amount * subunit * reached(age, v.RampMonths))
		in := &e.inject
		in.any = true
		if g := slices.Index(InjectionGroups, v.Injection.Group); g >= 0 {
			in.groups[g] += amount
		} else {
			j := slices.Index(industryCodes(), strings.TrimPrefix(v.Injection.Group, industryPrefix))
			in.industry[min(j, e.industries()-1)] += amount // the last industry holds those beyond it
		}
	}
}

// openInjections finds the bottom decile and pays the injections of firms.
func (e *Economy) openInjections() {
	if !e.inject.any {
		return
	}
	if e.inject.groups[toBottomDecile] > 0 {
		e.inject.line = e.bottomDecile()
	}
	for i := range e.consumptionFirms {
		if amount := e.inject.industry[e.industryOf(i)] * int64(e.f.heads[i]); amount > 0 {
			e.f.deposits[i] += amount
			e.flow.injectedFirms += amount
		}
	}
	e.flow.injectedBanks = e.inject.groups[toBanks] * e.people.present // which settleBank shares out
}

// bottomDecile is the smoothed income below which a tenth of the households lie.
func (e *Economy) bottomDecile() float64 {
	all := e.overSpreads(func(e *Economy, s span) {
		for h := s.lo; h < s.hi; h++ {
			if !e.isAbsent(h) {
				e.spreads[s.worker].income.add(int64(e.h.permanent[h]))
			}
		}
	})
	n, _ := all.income.totals()
	return all.income.quantile(.1, n)
}

// injectedInto is what a household is given.
func (e *Economy) injectedInto(h int) int64 {
	if e.isAbsent(h) {
		return 0
	}
	groups := &e.inject.groups
	amount := groups[toAll]
	if e.h.permanent[h] <= e.inject.line {
		amount += groups[toBottomDecile]
	}
	if e.isUnemployed(h) {
		amount += groups[toUnemployed]
	}
	if e.h.age != nil && e.h.age[h] == ageRetired {
		amount += groups[toRetired]
	}
	if groups[toLottery] > 0 && e.draws(forLottery).uniform(h, 0) < winners {
		amount += groups[toLottery]
	}
	return amount
}
