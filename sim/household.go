package sim

import (
	"sync/atomic"
)

// wageOf is what a worker is paid: efficiency units at the firm's wage, at
// least the minimum wage; whole subunits, rounded down.
func wageOf(wage float64, skill int32, minimum float64) int64 {
	return int64(max(wage*float64(skill)/skillUnit, minimum))
}

// benefitRate is the replacement rate after some months without work.
func benefitRate(rate float64, idle, months int, longTerm float64) float64 {
	if idle < months {
		return rate
	}
	return rate * longTerm
}

// interestOn is a month's interest at a rate a year, in whole subunits.
func interestOn(stock int64, rate float64) int64 { return int64(float64(stock) * rate / 12) }

// earn pays the wage of a household with a job, and on short time the benefit.
func (e *Economy) earn(h int, i int32, t *tally) (wage, benefit int64) {
	g := e.government()
	wage = wageOf(e.f.wage[i], e.h.skill[h], e.rates.minimumWage)
	if i > g {
		wage = e.rates.jobGuarantee
		t.count[sumProgrammeWages] += wage
	}
	e.h.lastWage[h] = wage
	if i >= g {
		t.count[sumGovernmentWages] += wage
	} else {
		if short := e.f.short[i]; short > 0 {
			wage, benefit = onShortTime(wage, short, e.p.JobRetentionBenefitRate)
			t.count[sumShortTime] += benefit
		} else if short < 0 {
			wage += int64(-short * float64(wage))
		}
		if wage > 0 && float64(e.h.lastWage[h]) <= e.rates.subsidyLimit {
			atomic.AddInt64(&e.f.subsidy[i], int64(e.p.WageSubsidyRate*float64(wage)))
		}
		atomic.AddInt64(&e.f.wageBill[i], wage)
	}
	t.count[sumWages] += wage
	t.count[sumEmployed]++
	return wage, benefit
}

// unemploymentBenefit of a household that seeks work.
func (e *Economy) unemploymentBenefit(h int) int64 {
	p := &e.p
	rate := benefitRate(p.UnemploymentBenefitRate, int(e.h.idle[h]), p.BenefitMonths, p.LongTermBenefitFactor)
	return int64(rate * e.m.SpendingScale * float64(e.h.lastWage[h]))
}

// receiveIncome pays wages, benefits, interest and last month's dividends to
// households, less income tax, and smooths their income.
func (e *Economy) receiveIncome(s span) {
	p, r, t := &e.p, &e.rates, s.sum
	transfers := r.pool > 0 || r.minimumIncome > 0
	perAdult := p.BasicIncomeUnit == "adult"
	allowance := int64(r.allowance)
	common := e.commonIncome()
	for h := s.lo; h < s.hi; h++ {
		var wage, benefit, pension int64
		basic := r.basicIncome
		switch i := e.h.employer[h]; {
		case i != nobody:
			wage, benefit = e.earn(h, i, t)
		case e.inForce(h):
			benefit = e.unemploymentBenefit(h)
		default:
			pension, basic = e.outsideSupport(h)
		}
		if perAdult {
			basic *= int64(e.adults(h))
		}
		charge := e.serveOverdraft(h, s)
		interest := interestOn(max(e.h.deposits[h], 0), r.deposit)
		e.ledgers[s.worker][e.bankOfHousehold(h)].depositInterest += interest
		dividend := int64(mulDiv(uint64(e.h.equity[h]), uint64(e.m.Pool), uint64(e.m.EquityUnit)))
		onWage, onCapital := incomeTaxOn(float64(wage), r.allowance, float64(interest+dividend), r.incomeTax, r.brackets)
		contribution := taxOn(float64(wage), r.contribution)
		tax := onWage + onCapital + contribution
		income := wage + benefit + pension + basic + interest + dividend - tax - charge
		if transfers {
			minimum, redistributed := e.transfersTo(h, income+tax+charge)
			income += minimum + redistributed
			t.count[sumMinimumIncome] += minimum
			t.count[sumRedistributed] += redistributed
		}
		if e.inject.any {
			injected := e.injectedInto(h)
			income += injected
			t.count[sumInjected] += injected
		}
		e.h.income[h] = income
		e.h.deposits[h] += income
		smoothed := float64(e.h.permanent[h] * common)
		smoothed += float64(e.saverOf(h).smoothing * p.IncomeSmoothing * (float64(income) - smoothed))
		e.h.permanent[h] = positive(smoothed) // interest on an overdraft may exceed what comes in

		t.count[sumBenefits] += benefit
		t.count[sumPensions] += pension
		t.count[sumBasicIncome] += basic
		t.count[sumDepositInterest] += interest
		t.count[sumDividends] += dividend
		t.count[sumIncomeTax] += tax
		t.count[sumCapitalTax] += onCapital
		t.count[sumContributions] += contribution
		t.count[sumTaxable] += max(0, wage-allowance) + interest + dividend
		t.count[sumDisposable] += income
	}
}

// desiredConsumption is a buffer-stock rule in smoothed income and wealth
// (Godley and Lavoie 2007, ch. 3; the wanted stock of the type is in proportion
// to its months of income over its haste), moved by the real rate and by confidence.
func desiredConsumption(p *Params, of saver, realRate, permanent, deposits, funds, confidence float64) float64 {
	fromIncome := float64((1 - float64((1-p.PropensityToConsumeIncome)*of.months)) * (1 -
		float64(p.ConsumptionInterestSensitivity*(realRate-p.NaturalRealRate))) * permanent)
	fromWealth := float64(of.haste * p.PropensityToConsumeWealth * deposits)
	mood := 1 + float64(p.ConfidenceConsumptionEffect*confidence)
	return min(funds, positive((fromIncome+fromWealth)*mood))
}

// habitual is planned spending under habit formation (Fuhrer 2000): a part of
// last month's plan and the rest of what is desired, within what can be paid.
func habitual(desired, last, habit, funds float64) float64 {
	return min(float64(habit*last)+float64((1-habit)*desired), funds)
}

// impendingUnemployment is the rate to which the month's hazards of losing and finding work lead (Shimer 2012, Review
// of Economic Dynamics 15(2)): lost of the employed and found of those who search.
func impendingUnemployment(lost, employed, found, searching float64) float64 {
	if !(employed > 0 && searching > 0 && lost+found > 0) {
		return 0
	}
	separation := lost / employed
	return separation / (separation + found/searching)
}

// caution is the factor on budgets of those who fear for their work: they save more while it is at risk (Carroll
// 1997, Quarterly Journal of Economics 112(1)).
func caution(effect, impending, natural float64) float64 {
	return positive(1 - float64(effect*(impending-natural)))
}

// fear is what caution makes of budgets this month; 1 where nobody is cautious.
func (e *Economy) fear() float64 {
	if e.p.PrecautionaryEffect == 0 {
		return 1
	}
	searching, lost := float64(e.seekers.unemployed), float64(e.separations)
	employed := float64(e.people.force) - searching + lost
	return caution(e.p.PrecautionaryEffect, impendingUnemployment(lost, employed, float64(e.seekers.found), searching), e.p.NaturalUnemploymentRate)
}

func (e *Economy) planSpending(s span) {
	mood, wish := e.mood(), float64(e.p.ConsumptionDemandFactor*e.fear())
	for h := s.lo; h < s.hi; h++ {
		deposits, funds := float64(e.h.deposits[h]), e.fundsOf(h)
		desired := desiredConsumption(&e.p, e.saverOf(h), e.rates.real, e.h.permanent[h], deposits, funds, mood)
		e.h.planned[h] = int64(habitual(desired*wish, float64(e.h.planned[h]), e.p.ConsumptionHabit, funds))
		e.h.budget[h] = e.h.planned[h]
	}
	if e.p.EnableEngelCurves {
		e.classify(s)
	}
}

// payIncomes runs the month's payments to households.
func (e *Economy) payIncomes() {
	e.planPool()
	e.openInjections()
	e.overtime = 0
	if e.p.OvertimeLimit > 0 {
		e.overtime = e.overFirms((*Economy).setHours).real[sumOvertime]
	}
	t := e.overHouseholds((*Economy).receiveIncome)
	fl := &e.flow
	fl.wages, fl.governmentWages = t.count[sumWages], t.count[sumGovernmentWages]
	fl.benefits, fl.basicIncome = t.count[sumBenefits], t.count[sumBasicIncome]
	fl.pensions = t.count[sumPensions]
	fl.depositInterest, fl.dividends = t.count[sumDepositInterest], t.count[sumDividends]
	fl.incomeTax, fl.disposable = t.count[sumIncomeTax], t.count[sumDisposable]
	fl.shortTime, fl.programmeWages = t.count[sumShortTime], t.count[sumProgrammeWages]
	fl.capitalTax, fl.contributions = t.count[sumCapitalTax], t.count[sumContributions]
	fl.minimumIncome, fl.redistributed = t.count[sumMinimumIncome], t.count[sumRedistributed]
	fl.taxable, fl.injected = t.count[sumTaxable], t.count[sumInjected]
	fl.overdraftInterest = t.count[sumOverdraftInterest]
	fl.forgiven += t.count[sumForgiven]
	e.f.wageBill[e.government()] = fl.governmentWages - fl.programmeWages
	e.f.wageBill[e.programme()] = fl.programmeWages
	e.m.Pool -= fl.dividends
	e.payRetraining()
}

// familySize is the number of members of a household, 1 to 6, none where nobody lives.
func (e *Economy) familySize(h int) int {
	if e.isAbsent(h) {
		return 0
	}
	return int(e.h.traits[h]>>2&7) + 1
}

// adults in a household: one who lives alone, else two. Stylised.
func (e *Economy) adults(h int) int { return min(e.familySize(h), 2) }
