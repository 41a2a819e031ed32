package sim

import (
	"bytes"
	"math"
	"testing"
)

// shocked is a small economy with all that makes its cycle beyond confidence.
func shocked() Params {
	p := small()
	p.EnableTrade = true
	p.TechnologyVolatility, p.WorldDemandVolatility, p.ImportPriceVolatility, p.PurchasesVolatility = .002, .01, .005, .01
	p.PolicyRateVolatility, p.LoanSpreadVolatility = .001, .003
	p.HiringRate, p.OvertimeLimit, p.PrecautionaryEffect = .3, .1, .3
	return p
}

func TestNextShock(t *testing.T) {
	for _, test := range []struct{ x, persistence, innovation, want float64 }{
		{.02, .97, 0, .0194}, // .97 x .02
		{.02, .97, -.001, .0184},
		{.02, 0, .003, .003}, // no memory
	} {
		near(t, "next", nextShock(test.x, test.persistence, test.innovation), test.want)
	}
}

// News has mean 0 and standard deviation 1; where it is skewed, it has the skewness 2 of the exponential distribution
// and is never below -1.
func TestShockNews(t *testing.T) {
	const n = 40_000
	for _, test := range []struct {
		skewed    bool
		skew, err float64 // four standard errors of the skewness: normal 4 √(6/n); exponential 4 √(~ 400/n), by its moments
	}{{false, 0, .05}, {true, 2, .4}} {
		var sum, squares, cubes float64
		for month := range n {
			z := shockNews(newDraws(7, month, forLoanSpread), test.skewed)
			if test.skewed && z < -1 {
				t.Fatalf("news of %v", z)
			}
			sum, squares, cubes = sum+z, squares+z*z, cubes+z*z*z
		}
		within(t, "mean", sum/n, 0, 4/math.Sqrt(n))
		within(t, "variance", squares/n, 1, 4*math.Sqrt(8./n)) // kurtosis 3 or 9, so that its variance is at most 8/n
		within(t, "skewness", cubes/n, test.skew, test.err)
	}
}

// What each shock has moved is found where it acts, on top of what interventions set, and nowhere else.
func TestShocksActOnTheirLevers(t *testing.T) {
	p := shocked()
	p.ImportPriceFactor, p.WorldDemandFactor, p.LoanSpread = 1.2, .9, .03
	run := func(k aggregateShock, x float64) *Economy {
		e := mustNew(t, p, 1)
		mustStep(t, e, 3)
		for i := range e.shocks {
			e.shocks[i] = 0
		}
		e.shocks[k] = x
		e.setInterestRates()
		runBetween(t, e, "production", "goods market, first round")
		e.setPolicyRate()
		return e
	}
	calm := run(technologyShock, 0)
	purchases := func(e *Economy) float64 {
		sum := 0.
		for _, x := range e.f.public[:e.consumptionFirms] {
			sum += float64(x)
		}
		return sum
	}
	imports := run(importPriceShock, math.Log(1.1))
	near(t, "import price", imports.m.Trade.ImportPrice[0], 1.1*calm.m.Trade.ImportPrice[0])
	near(t, "loan rate with dearer imports", imports.rates.loan, calm.rates.loan)
	world := run(worldDemandShock, math.Log(.8))
	near(t, "orders from abroad", world.exportRatio[0], .8*calm.exportRatio[0])
	near(t, "import price in a world slump", world.m.Trade.ImportPrice[0], calm.m.Trade.ImportPrice[0])
	spread := run(loanSpreadShock, .01)
	near(t, "loan rate", spread.rates.loan, calm.rates.loan+.01)
	near(t, "real rate", spread.rates.real, calm.rates.real)
	policy := run(policyRateShock, .002)
	near(t, "policy rate", policy.m.PolicyRate, calm.m.PolicyRate+.002)
	if x, y := purchases(run(purchasesShock, math.Log(.5))), purchases(calm); !(x > .45*y && x < .6*y) {
		t.Errorf("the government bought for %v instead of %v", x, y)
	}
}

// All productivity moves by the step of the technology shock, and by nothing without one.
func TestTechnologyShock(t *testing.T) {
	p := shocked()
	e := mustNew(t, p, 1)
	mustStep(t, e, 2)
	before, shock := e.f.productivity[3], e.shocks[technologyShock]
	e.m.Month++
	e.moveShocks()
	news := p.TechnologyVolatility * e.draws(forTechnology).normal(0, 0)
	near(t, "shock", e.shocks[technologyShock], .99*shock+news)
	near(t, "productivity", e.f.productivity[3], before*math.Exp(.99*shock+news-shock))
}

// Without volatility there is no shock, and no state of one.
func TestNoShocksByDefault(t *testing.T) {
	e := mustNew(t, small(), 1)
	mustStep(t, e, 2)
	if len(e.shocks) != 0 || e.shock(loanSpreadShock) != 0 || e.shockFactor(worldDemandShock) != 1 || e.f.wanted != nil {
		t.Errorf("shocks %v", e.shocks)
	}
}

// With everything on the books are right every month, threads change no bits, and a snapshot continues with the same.
func TestShockedEconomy(t *testing.T) {
	p := shocked()
	p.BurnInMonths = 6
	e := mustNew(t, p, 1)
	mustStep(t, e, 12)
	stored := mustSnapshot(t, e)
	mustStep(t, e, 12)
	if e.Latest().Overtime <= 0 {
		t.Error("nobody works overtime")
	}
	other := mustNew(t, p, 4)
	mustStep(t, other, 24)
	if e.StateHash() != other.StateHash() || !sameRecord(e.Latest(), other.Latest()) {
		t.Error("4 threads give other bits than 1")
	}
	resumed, err := ReadSnapshot(bytes.NewReader(stored), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer resumed.Close()
	mustStep(t, resumed, 12)
	if resumed.StateHash() != e.StateHash() {
		t.Error("a snapshot continues with other bits")
	}
}

// Each shock is a process of its own: drawn anew, it alone changes.
func TestShocksAreProcesses(t *testing.T) {
	for _, test := range []struct {
		process Process
		shock   aggregateShock
	}{
		{TechnologyProcess, technologyShock},
		{WorldDemandProcess, worldDemandShock},
		{ImportPriceProcess, importPriceShock},
		{PurchasesProcess, purchasesShock},
		{PolicyRateProcess, policyRateShock},
		{LoanSpreadProcess, loanSpreadShock},
	} {
		p := shocked()
		p.NumHouseholds = 1000
		a, b := mustNew(t, p, 1), mustNew(t, p, 1)
		b.Redraw(9, test.process)
		a.moveShocks()
		b.moveShocks()
		for k := range a.shocks {
			if same := a.shocks[k] == b.shocks[k]; same == (aggregateShock(k) == test.shock) {
				t.Errorf("%s drawn anew: shock %d is the same: %v", test.process, k, same)
			}
		}
	}
}

func TestSought(t *testing.T) {
	for _, test := range []struct{ wanted, labour, rate, want float64 }{
		{12, 10, .25, 10.5}, // a quarter of the two that it lacks
		{12, 10, 1, 12},     // all at once
		{8, 10, .25, 8},     // a surplus is no matter of hiring
		{2, 0, .25, 2},      // an idle firm starts
	} {
		near(t, "sought", sought(test.wanted, test.labour, test.rate), test.want)
	}
}

func TestOvertime(t *testing.T) {
	for _, test := range []struct{ wanted, labour, limit, want float64 }{
		{10.5, 10, .1, .05},
		{15, 10, .1, .1}, // at most the limit
		{9, 10, .1, 0},   // nothing is lacking
		{9, 0, .1, 0},    // nobody is there
	} {
		near(t, "overtime", overtime(test.wanted, test.labour, test.limit), test.want)
	}
}

// Who works overtime is paid for it by the hour and makes as much more; benefits follow from the normal wage.
func TestOvertimeIsPaidAndProduces(t *testing.T) {
	p := thousand()
	p.OvertimeLimit = .1
	e := mustNew(t, p, 1)
	mustStep(t, e, 1)
	const firm = 3
	worker := -1
	for h, i := range e.h.employer {
		if i == firm {
			worker = h
		}
	}
	e.f.short[firm] = -.1
	normal := wageOf(e.f.wage[firm], e.h.skill[worker], e.rates.minimumWage)
	var sum tally
	paid, benefit := e.earn(worker, firm, &sum)
	if want := normal + int64(.1*float64(normal)); paid != want || benefit != 0 || e.h.lastWage[worker] != normal {
		t.Errorf("paid %d, benefit %d, normal wage %d; want %d, 0, %d", paid, benefit, e.h.lastWage[worker], want, normal)
	}
	e.f.plan[firm], e.f.research[firm], e.f.capital[firm] = 1e9, 0, 1e12
	make := func(short float64) float64 {
		e.f.short[firm] = short
		e.produce(span{firm, firm + 1, &sum, 0})
		return e.f.output[firm]
	}
	near(t, "output", make(-.1), 1.1*make(0))
}

// 20 of 1000 employed lose their work, 30 of 100 who search find some: hazards of .02 and .3, which lead to .02/.32.
func TestImpendingUnemployment(t *testing.T) {
	near(t, "rate", impendingUnemployment(20, 1000, 30, 100), .0625)
	near(t, "nobody finds work", impendingUnemployment(20, 1000, 0, 100), 1)
	for _, none := range []float64{impendingUnemployment(0, 1000, 0, 100), impendingUnemployment(0, 0, 30, 100), impendingUnemployment(20, 1000, 0, 0)} {
		near(t, "not known", none, 0)
	}
	near(t, "caution", caution(.4, .115, .065), .98) // 1 - .4 x .05
	near(t, "no end of it", caution(3, 1, .065), 0)
}

// Fear lowers budgets, and those of nobody where nobody is cautious.
func TestCautionLowersBudgets(t *testing.T) {
	p := thousand()
	e := mustNew(t, p, 1)
	mustStep(t, e, 2)
	e.separations, e.seekers.unemployed, e.seekers.found = 60, 100, 5
	if e.fear() != 1 {
		t.Errorf("factor %v of those who are not cautious", e.fear())
	}
	budgets := func() int64 {
		e.overHouseholds((*Economy).planSpending)
		return e.overHouseholds((*Economy).sumBudgets).count[sumBudgets]
	}
	calm := budgets()
	e.p.PrecautionaryEffect = .5
	lost := 60 / (float64(e.people.force) - 40)
	near(t, "factor", e.fear(), 1-.5*(lost/(lost+.05)-p.NaturalUnemploymentRate))
	if fearful := budgets(); fearful >= calm {
		t.Errorf("budgets of %d in fear, %d without", fearful, calm)
	}
}
