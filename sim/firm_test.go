package sim

import (
	"math"
	"slices"
	"strconv"
	"testing"
)

func TestWageIndexation(t *testing.T) {
	p := Params{WageInflationIndexation: .9, WageProductivityIndexation: 1, WageUnemploymentSensitivity: .25, NaturalUnemploymentRate: .065}
	for _, test := range []struct {
		name                            string
		inflation, growth, unemployment float64
		shortage, want                  float64
	}{
		{"at rest", .02, .015, .065, 0, .033},                                 // .9 x .02 + .015
		{"falling productivity", .02, -.01, .065, 0, .018},                    // .018, growth counts from zero
		{"slack", .02, .015, .105, 0, .0252069},                               // .033 + .25 x .065 ln(.065 / .105)
		{"tight", .02, .015, .025, 0, .0485271},                               // .033 + .25 x .065 ln(.065 / .025)
		{"four posts per unemployed", .02, .015, .065, math.Log(4), .0555273}, // .033 + .25 x .065 ln 4
		{"wages do not fall", 0, 0, .3, 0, 0},                                 // .25 x -.235 < 0
		{"deflation", -.05, 0, .065, 0, 0},                                    // -.045
		{"cap", 9, 0, .065, 0, mostRaise},                                     // 8.1
	} {
		within(t, test.name, wageIndexation(&p, test.inflation, test.growth, test.unemployment, test.shortage), test.want, 1e-6)
	}
}

func TestPlannedOutput(t *testing.T) {
	for _, test := range []struct {
		name                                        string
		sales, inventory, target, months, cap, plan float64
	}{
		{"stock on target", 100, 30, 30, 9, 1000, 100},
		{"stock short", 100, 12, 30, 9, 1000, 102},     // 100 + (30 - 12)/9
		{"stock long", 100, 48, 30, 9, 1000, 98},       // 100 + (30 - 48)/9
		{"stock for months", 100, 930, 30, 9, 1000, 0}, // 100 - 900/9
		{"never negative", 100, 9999, 30, 9, 1000, 0},
		{"capacity binds", 100, 12, 30, 9, 101, 101},
		{"no capacity", 100, 12, 30, 9, 0, 0},
		{"nothing sold", 0, 0, 0, 9, 1000, 0},
	} {
		near(t, test.name, plannedOutput(test.sales, test.inventory, test.target, test.months, test.cap), test.plan)
	}
}

func TestPlannedCapitalOutput(t *testing.T) {
	for _, test := range []struct {
		name                            string
		sales, backlog, inventory, plan float64
	}{
		{"a month of orders", 10, 10, 0, 9.225}, // .65 x .65 x 10 + 5
		{"no orders", 10, 0, 0, 5},
		{"stock above the backlog", 10, 4, 8, 5}, // .65 (2.6 - 5.2) is cut at zero
		{"stock serves a part", 0, 8, 2, 2.535},  // .65 (5.2 - 1.3)
		{"nothing", 0, 0, 0, 0},
	} {
		near(t, test.name, plannedCapitalOutput(test.sales, test.backlog, test.inventory), test.plan)
	}
}

func TestPricePressure(t *testing.T) {
	for _, test := range []struct {
		name                      string
		stock, target, band, want float64
	}{
		{"short", 74.9, 100, .25, 1},
		{"lower edge", 75, 100, .25, 0},
		{"on target", 100, 100, .25, 0},
		{"upper edge", 125, 100, .25, 0},
		{"long", 125.1, 100, .25, -1},
		{"empty", 0, 100, .25, 1},
		{"nothing wanted, nothing there", 0, 0, .25, 0},
		{"nothing wanted", 1, 0, .25, -1},
	} {
		near(t, test.name, pricePressure(test.stock, test.target, test.band), test.want)
	}
}

func TestBacklogPressure(t *testing.T) {
	for _, test := range []struct {
		name                 string
		backlog, sales, want float64
	}{
		{"long", 10*backlogHigh + .1, 10, 1},
		{"upper edge", 10 * backlogHigh, 10, 0},
		{"usual", 12, 10, 0},
		{"lower edge", 10 * backlogLow, 10, 0},
		{"short", 10*backlogLow - .1, 10, -1},
		{"none", 0, 10, -1},
		{"none and no sales", 0, 0, 0},
		{"orders out of nowhere", 1, 0, 1},
	} {
		near(t, test.name, backlogPressure(test.backlog, test.sales), test.want)
	}
}

func TestNextMarkUp(t *testing.T) {
	for _, test := range []struct {
		name                                        string
		markUp, norm, direction, step, reversion, u float64
		want                                        float64
	}{
		{"at rest", .4, .4, 0, .03, .03, .5, .4},
		{"up", .4, .4, 1, .1, 0, .5, .42},                    // .4 x 1.05
		{"down", .4, .4, -1, .1, 0, .5, .38},                 // .4 x .95
		{"u = 0", .4, .4, 1, .1, 0, 0, .4},                   //
		{"to its norm", .4, .5, 0, .1, .25, .9, .425},        // .4 + .25 x .1
		{"up, then to its norm", .5, .3, 1, .1, .5, 1, .425}, // .55 + .5 (.3 - .55)
		{"floor", .1, .1, -1, .5, 0, 1, markUpFloor},         // .05
		{"ceiling", .99, .99, 1, .5, 0, 1, markUpCeiling},    // 1.485
	} {
		near(t, test.name, nextMarkUp(test.markUp, test.norm, test.direction, test.step, test.reversion, test.u), test.want)
	}
}

func TestLabourShortage(t *testing.T) {
	near(t, "slack", labourShortage(.03, .06), 0)
	near(t, "one post for each", labourShortage(.04, .04), 0)
	near(t, "shortage", labourShortage(.12, .03), math.Log(4))
	near(t, "nobody unemployed", labourShortage(.1, 0), math.Log(.1/leastUnemployment))
}

func TestCreditLine(t *testing.T) {
	for _, test := range []struct {
		name                       string
		factor, limit, loans, want float64
	}{
		{"free", 1, 750, 500, 250},
		{"half of it", .5, 750, 500, 125},
		{"bank without capital", 0, 750, 500, 0},
		{"at the limit", 1, 750, 750, 0},
		{"above the limit", 1, 750, 900, 0},
	} {
		near(t, test.name, creditLine(test.factor, test.limit, test.loans), test.want)
	}
}

func TestCreditLimit(t *testing.T) {
	p := thousand()
	p.MaxLeverage, p.CashFlowLimit = .8, 5
	e := mustNew(t, p, 1)
	for _, test := range []struct {
		name                          string
		age                           int32
		earnings, years, supply, want float64
	}{
		{"assets bind", 60, 100, 5, 1, 4000}, // .8 x 5000; earnings allow 5 x 12 x 100 = 6000
		{"earnings bind", 60, 50, 5, 1, 3000},
		{"losses", 60, -10, 5, 1, 0},
		{"young", 23, -10, 5, 1, 4000},
		{"no limit by earnings", 60, -10, 0, 1, 4000},
		{"crunch", 60, 50, 5, .7, 2100},
	} {
		e.f.age[0], e.f.earnings[0] = test.age, test.earnings
		e.p.CashFlowLimit, e.p.CreditSupplyFactor = test.years, test.supply
		near(t, test.name, e.creditLimit(0, 5000), test.want)
	}
}

func TestLabourDemand(t *testing.T) {
	for _, test := range []struct {
		name                                      string
		plan, productivity, research, wage, means float64
		want                                      float64
	}{
		{"plan and research", 100, 2, 3, 10, 1e6, 53}, // 100/2 + 3
		{"what can be paid", 100, 2, 3, 10, 400, 40},  // 400/10
		{"no plan", 0, 2, 3, 10, 1e6, 3},
		{"no means", 100, 2, 3, 10, 0, 0},
		{"debts are no means", 100, 2, 3, 10, -50, 0},
	} {
		near(t, test.name, labourDemand(test.plan, test.productivity, test.research, test.wage, test.means), test.want)
	}
}

func TestVacancies(t *testing.T) {
	for _, test := range []struct {
		name                                 string
		demand, labour, separation, skill, u float64
		want                                 int32
	}{
		{"leavers and gap", 10, 8, .25, 1, 0, 4}, // 10 - .75 x 8
		{"a whole number is not rounded up", 10, 8, .25, 1, .999, 4},
		{"4.5 rounded down", 10.5, 8, .25, 1, .49, 4},
		{"4.5 rounded up", 10.5, 8, .25, 1, .5, 5},
		{"skilled workers", 10.5, 8, .25, 2, .74, 2}, // 4.5 / 2 = 2.25
		{"skilled workers, rounded up", 10.5, 8, .25, 2, .75, 3},
		{"leavers exceed the surplus", 7, 8, .25, 1, 0, 1}, // 7 - 6
		{"surplus", 5, 8, .25, 1, .999, 0},
		{"nobody leaves", 8, 8, 0, 1, .999, 0},
	} {
		if got := vacancies(test.demand, test.labour, test.separation, test.skill, test.u); got != test.want {
			t.Errorf("%s: %d posts, want %d", test.name, got, test.want)
		}
	}
	// Rounding keeps the mean: over evenly spaced draws, 2.25 posts.
	sum := int32(0)
	for k := range 100 {
		sum += vacancies(10.5, 8, .25, 2, float64(k)/100)
	}
	if sum != 225 {
		t.Errorf("mean of posts %v, want 2.25", float64(sum)/100)
	}
}

func TestTaxOn(t *testing.T) {
	for _, test := range []struct {
		amount, rate float64
		want         int64
	}{
		{1000, .25, 250},
		{999, .25, 249}, // 249.75
		{3, .25, 0},
		{0, .25, 0},
		{-1000, .25, 0}, // a loss pays nothing
		{1000, 0, 0},
	} {
		if got := taxOn(test.amount, test.rate); got != test.want {
			t.Errorf("taxOn(%v, %v) = %d, want %d", test.amount, test.rate, got, test.want)
		}
	}
}

func TestDividend(t *testing.T) {
	for _, test := range []struct {
		name                            string
		deposits, buffer, loans, payout float64
		want                            int64
	}{
		{"above the buffer", 1000, 250, 5000, .25, 125},          // .25 (1000 - 400 - 100)
		{"rounded down", 1003, 250, 5000, .25, 125},              // .25 x 503 = 125.75
		{"at the buffer", 500, 250, 5000, .25, 0},                // 500 - 400 - 100
		{"below it", 100, 250, 5000, .25, 0},                     //
		{"all above it", 1000, 250, 0, 1, 600},                   // 1000 - 400
		{"overdrawn", -1000, 0, 0, 1, 0},                         //
		{"nothing to keep and nothing to pay", 1000, 0, 0, 0, 0}, //
	} {
		if got := dividend(test.deposits, test.buffer, test.loans, test.payout); got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

// oneFirm returns an economy and a span of its first firm alone.
func oneFirm(t *testing.T, p Params) (*Economy, span, *tally) {
	e := mustNew(t, p, 1)
	sum := new(tally)
	return e, span{lo: 0, hi: 1, sum: sum}, sum
}

// Wages are raised at random months, a year apart on average, by what the months since the last round ask for, and
// in no month of the year more than in another.
func TestWageRounds(t *testing.T) {
	p := thousand()
	p.WageInflationIndexation = 1
	e := mustNew(t, p, 1)
	e.m.ExpectedInflation, e.m.UnemploymentTrend, e.rates.productivity = .03, p.NaturalUnemploymentRate, 0
	e.m.MeanWage = 1e12 // so that no wage counts as high
	const years = 20
	rounds, byMonth := 0, [12]int{}
	for month := range int64(12 * years) {
		e.m.Month = month
		before, since := slices.Clone(e.f.wage), slices.Clone(e.f.sinceRound)
		e.setWages(span{lo: 0, hi: e.firms(), sum: new(tally)})
		for i := range e.firms() {
			if e.f.wage[i] == before[i] {
				continue
			}
			rounds++
			byMonth[month%12]++
			near(t, "raise", e.f.wage[i]/before[i], math.Pow(1.03, float64(min(since[i]+1, longestRound))/12))
		}
	}
	expected := float64(years * e.firms())
	within(t, "rounds", float64(rounds), expected, .05*expected)
	for month, n := range byMonth {
		within(t, "rounds in month "+strconv.Itoa(month), float64(n), expected/12, .2*expected/12)
	}
}

func TestWagesFollowVacancies(t *testing.T) {
	p := thousand()
	e := mustNew(t, p, 1)
	e.m.ExpectedInflation, e.m.Unemployment, e.rates.productivity = -1, .9, 0 // no raises
	e.m.MeanWage = startWage
	cuts, chances, n := 0, 0.0, e.firms()
	for i := range n {
		e.f.wage[i] = startWage
		switch i % 4 {
		case 0: // three of five posts stayed empty
			e.f.posted[i], e.f.open[i] = 5, 3
		case 1: // half of four
			e.f.posted[i], e.f.open[i] = 4, 2
		case 2: // nothing posted, wage 20 % above the mean
			e.f.posted[i], e.f.open[i], e.f.wage[i] = 0, 0, 1.2*startWage
		case 3: // nothing posted, wage at the mean
			e.f.posted[i], e.f.open[i] = 0, 0
		}
	}
	for e.m.Month = 1; e.m.Month <= 40; e.m.Month++ {
		before := append([]float64(nil), e.f.wage...)
		e.setWages(span{lo: 0, hi: n, sum: new(tally)})
		for i := range n {
			ratio := e.f.wage[i]/before[i] - 1
			switch {
			case i%4 == 0:
				if ratio < 0 || ratio > p.WageAdjustmentRate {
					t.Fatalf("firm %d with empty posts changed its wage by %v", i, ratio)
				}
			case i%4 == 2:
				chances++
				if ratio > 0 || ratio < -.5*p.WageAdjustmentRate {
					t.Fatalf("firm %d with a high wage changed it by %v", i, ratio)
				}
				if ratio < 0 {
					cuts++
				}
			case ratio != 0:
				t.Fatalf("firm %d of kind %d changed its wage by %v", i, i%4, ratio)
			}
		}
	}
	// Each has a chance of .1; four standard deviations of the number of cuts.
	within(t, "cuts of high wages", float64(cuts), .1*chances, 4*math.Sqrt(.1*.9*chances))
	if e.f.wage[0] < startWage*math.Pow(1+.3*p.WageAdjustmentRate, 40) {
		t.Errorf("40 months of empty posts raised a wage by %v only", e.f.wage[0]/startWage)
	}
}

func TestPricesAreCostPlusMarkUp(t *testing.T) {
	p := thousand()
	p.EnablePriceAdjustment, p.PriceAdjustmentProbability = true, 1
	e := mustNew(t, p, 1)
	for i := range e.firms() {
		e.f.productivity[i], e.f.wage[i], e.f.wagePremium[i] = 2, 1000, 1.5
	}
	e.f.inventory[0] = 0                                                // scarce
	e.f.inventory[1] = p.TargetInventoryRatio * e.f.sales[1]            // on target
	e.f.inventory[2] = 10 * p.TargetInventoryRatio * e.f.sales[2]       // piled up
	k := e.consumptionFirms                                             // makes to order
	e.f.backlog[k] = int64((backlogHigh + 1) * e.f.sales[k] * goodUnit) // long
	e.f.backlog[k+1] = 0                                                // none
	e.setPrices(span{lo: 0, hi: e.firms(), sum: new(tally)})
	for i := range e.firms() {
		near(t, "price", e.f.price[i], (1+e.f.markUp[i])*750) // unit cost 1.5 x 1000 / 2
	}
	norm, capital := p.ConsumptionMarkUp, p.CapitalMarkUp
	if e.f.markUp[0] <= norm || e.f.markUp[2] >= norm || e.f.markUp[k] <= capital || e.f.markUp[k+1] >= capital {
		t.Errorf("mark-ups %v, %v of a norm of %v; capital %v, %v of %v", e.f.markUp[0], e.f.markUp[2], norm, e.f.markUp[k],
			e.f.markUp[k+1], capital)
	}
	near(t, "mark-up on target", e.f.markUp[1], norm)

	for _, change := range []func(){
		func() { e.p.EnablePriceAdjustment = false },
		func() {
			e.p.EnablePriceAdjustment, e.p.PriceAdjustmentProbability, e.p.PriceGapTolerance = true, 0, 1e9
		},
	} {
		change()
		before := e.f.price[0]
		e.f.wage[0] *= 2
		e.setPrices(span{lo: 0, hi: 1, sum: new(tally)})
		near(t, "price of a firm that does not adjust", e.f.price[0], before)
	}
}

// The mean share of product lines with a new price is the hazard, in whole lines.
func TestRepriced(t *testing.T) {
	for _, test := range []struct {
		staff       int
		hazard, u   float64
		lines, want float64
	}{
		{0, .3, .69, 1, 0},
		{9, .3, .71, 1, 1},
		{10, .3, .39, 2, 0},
		{10, .3, .41, 2, .5},
		{95, .3, .5, 10, .3},
		{95, 7, .5, 10, 1},
	} {
		lines := ProductLines(test.staff)
		near(t, "lines", float64(lines), test.lines)
		near(t, "share", repriced(lines, test.hazard, test.u), test.want)
	}
}

// Prices change seldom for little, and surely for much.
func TestPriceHazard(t *testing.T) {
	p := &Params{PriceAdjustmentProbability: .03, PriceGapTolerance: .2}
	for _, test := range []struct{ multiple, want float64 }{
		{1, .03}, {math.Exp(.1), .28}, {math.Exp(-.1), .28}, {math.Exp(.2), 1.03},
	} {
		near(t, "hazard", priceHazard(p, test.multiple), test.want)
	}
}

func TestPlansOfTheTwoSectors(t *testing.T) {
	p := thousand()
	p.MinProductionPerProduct = 5
	e := mustNew(t, p, 1)
	k := e.consumptionFirms
	for i := range 3 {
		e.f.sales[i], e.f.inventory[i], e.f.capital[i] = 100, p.TargetInventoryRatio*100, 1e6
	}
	e.f.inventory[1] = 1e9                     // full: the floor of 5 remains
	e.f.inventory[2] = 1e9                     // full, and a floor that
	e.f.capital[2] = 2 / p.CapitalProductivity // capacity, 2, cuts
	e.f.prospect[k], e.f.inventory[k] = 10, 0  //
	e.f.backlog[k] = 10 * goodUnit             // a month
	e.planProduction(span{lo: 0, hi: e.firms(), sum: new(tally)})
	near(t, "plan at rest", e.f.plan[0], 100)
	near(t, "floor of the plan", e.f.plan[1], 5)
	near(t, "floor within capacity", e.f.plan[2], 2)
	near(t, "plan of a capital firm", e.f.plan[k], 9.225) // .4225 x 10 + .5 x 10
}

func TestLabourDemandHiresAndLaysOff(t *testing.T) {
	p := thousand()
	p.EnableInnovation, p.SeparationRate, p.DismissalRate, p.EnableDismissal = false, 0, .4, true
	e, one, _ := oneFirm(t, p)
	// Productivity 1, rich, without research: demand is the plan.
	e.f.wage[0], e.f.wagePremium[0], e.f.productivity[0], e.f.deposits[0] = 1000, 1, 1, 1e9
	set := func(plan float64, heads int32, labour int64) {
		e.f.plan[0], e.f.heads[0], e.f.labour[0] = plan, heads, labour
		e.f.layoff[0], e.f.posted[0], e.f.open[0], e.f.wageBill[0] = 9, 9, 9, 9
		e.demandLabour(one)
		if e.f.open[0] != e.f.posted[0] || e.f.wageBill[0] != 0 {
			t.Errorf("open %d of %d posts, wage bill %d at the start of a month", e.f.open[0], e.f.posted[0], e.f.wageBill[0])
		}
	}
	set(10, 8, 8*skillUnit)
	near(t, "layoffs of a growing firm", e.f.layoff[0], 0)
	if want := vacancies(10, 8, 0, e.m.MeanSkill, 0); want == 0 || e.f.posted[0] < want || e.f.posted[0] > want+1 {
		t.Errorf("%d posts, want %d", e.f.posted[0], want)
	}
	set(10, 16, 16*skillUnit)
	near(t, "layoff probability", e.f.layoff[0], .15) // .4 (16 - 10)/16
	if e.f.posted[0] != 0 {
		t.Errorf("a firm that lays off posts %d vacancies", e.f.posted[0])
	}
	set(10, 10, 10*skillUnit)
	near(t, "layoffs at rest", e.f.layoff[0], 0)

	set(leastLabour+.01, 0, 0)
	if e.f.posted[0] < 1 {
		t.Error("an idle firm with work does not hire")
	}
	set(0, 0, 0)
	if e.f.posted[0] != 0 {
		t.Errorf("an idle firm without work posts %d vacancies", e.f.posted[0])
	}
	e.p.EnableDismissal = false
	set(10, 16, 16*skillUnit)
	near(t, "layoff probability where dismissal is off", e.f.layoff[0], 0)

	// Research labour is a share of revenue: .02 x 50000 / 1000 = 1 unit, which
	// the demand covers: no surplus at plan + 1.
	e.p.EnableDismissal, e.p.EnableInnovation, e.p.InnovationResearchShare = true, true, .02
	e.f.revenueTrend[0] = 50_000
	set(10, 11, 11*skillUnit)
	near(t, "research labour", e.f.research[0], 1)
	near(t, "layoffs with research", e.f.layoff[0], 0)

	// Without money, credit or sales nobody can be paid: all are surplus.
	e.f.deposits[0], e.f.capital[0], e.f.inventory[0], e.f.revenueTrend[0] = -5, 0, 0, 0
	set(10, 10, 10*skillUnit)
	near(t, "layoffs of a firm without means", e.f.layoff[0], .4)
}

func TestProduction(t *testing.T) {
	p := thousand()
	e, one, sum := oneFirm(t, p)
	e.f.wage[0], e.f.productivity[0], e.f.capital[0] = 1000, 2, 1e6
	e.f.labour[0], e.f.research[0] = 8*skillUnit, 3
	e.f.deposits[0], e.f.wageBill[0], e.f.inventory[0] = 50_000, 10_000, 7
	e.produce(one)
	near(t, "output", e.f.output[0], 10)              // 2 (8 - 3)
	near(t, "inventory", e.f.inventory[0], 17)        // 7 + 10
	near(t, "wage premium", e.f.wagePremium[0], 1.25) // 10000 / (8 x 1000)
	near(t, "sum of output", sum.real[sumOutput], 10) //
	near(t, "capacity", sum.real[sumCapacity], 1e6*p.CapitalProductivity)
	if e.f.deposits[0] != 40_000 || sum.count[sumFirmWages] != 10_000 {
		t.Errorf("deposits %d after wages of %d", e.f.deposits[0], sum.count[sumFirmWages])
	}

	e.f.capital[0] = 4 / p.CapitalProductivity
	e.produce(one)
	near(t, "output within capacity", e.f.output[0], 4)
	e.f.research[0] = 9 // more than there is
	e.produce(one)
	near(t, "output where all do research", e.f.output[0], 0)
	e.f.wageBill[0] = 7_000 // below wage x labour: skills were rounded
	e.produce(one)
	near(t, "least wage premium", e.f.wagePremium[0], 1)

	k := e.consumptionFirms // needs no capital
	e.f.labour[k], e.f.research[k], e.f.productivity[k], e.f.capital[k] = 5*skillUnit, 1, 3, 0
	e.produce(span{lo: k, hi: k + 1, sum: new(tally)})
	near(t, "output of a capital firm", e.f.output[k], 12) // 3 (5 - 1)
}

func TestFirmAccounts(t *testing.T) {
	p := thousand()
	p.CorporateTaxRate, p.AmortisationRate, p.LeveragePremium = .2, .01, 0
	p.DepreciationRate, p.LiquidityBuffer, p.PayoutRate, p.ExpectationAdjustment = .01, 1.5, .5, .4
	e, one, sum := oneFirm(t, p)
	e.rates.deposit, e.rates.loan, e.rates.creditFactor[0] = .012, .12, 1
	e.m.CapitalPrice = 100
	e.f.deposits[0], e.f.loans[0] = 1_000_000, 400_000
	e.f.capital[0], e.f.inventory[0] = 10_000, 0 // worth a million
	e.f.wageBill[0], e.f.revenue[0] = 100_000, 165_000
	e.f.sales[0], e.f.demand[0], e.f.revenueTrend[0] = 100, 110, 155_000
	e.settleFirms(one)
	// Interest on deposits 1e6 x .012/12 = 1000, on loans 4e5 x .12/12 = 4000.
	// Wear .01 x 10000 x 100 = 10000. Profit 165000 + 1000 - 100000 - 4000 -
	// 10000 = 52000; tax .2 of it, 10400. Repaid .01 x 400000 = 4000.
	// Deposits 1000000 + 1000 - 4000 - 10400 - 4000 = 982600; loans 396000.
	// Buffer 150000; dividend .5 (982600 - 240000 - 7920) = 367340.
	if e.f.loans[0] != 396_000 || e.f.deposits[0] != 982_600-367_340 {
		t.Errorf("loans %d, deposits %d", e.f.loans[0], e.f.deposits[0])
	}
	for i, want := range map[int]int64{
		sumDepositInterest: 1000, sumLoanInterest: 4000, sumCorporateTax: 10_400, sumRepaid: 4000,
		sumDividendsPaid: 367_340, sumNewLoans: 0, sumLoans: 400_000,
	} {
		if sum.count[i] != want {
			t.Errorf("sum %d is %d, want %d", i, sum.count[i], want)
		}
	}
	near(t, "expected sales", e.f.sales[0], 104)              // 100 + .4 x 10
	near(t, "smoothed revenue", e.f.revenueTrend[0], 156_000) // 155000 + .1 x 10000

	// Short of money: borrow up to .6 of the buffer, .6 x 150000 = 90000. No
	// interest, no amortisation; loss, no tax.
	*sum = tally{}
	e.p.AmortisationRate, e.rates.deposit, e.rates.loan = 0, 0, 0
	e.f.deposits[0], e.f.loans[0], e.f.revenue[0] = 50_000, 400_000, 0
	e.settleFirms(one)
	if e.f.deposits[0] != 90_000 || e.f.loans[0] != 440_000 || sum.count[sumNewLoans] != 40_000 ||
		sum.count[sumDividendsPaid] != 0 || sum.count[sumCorporateTax] != 0 {
		t.Errorf("deposits %d, loans %d, %d borrowed", e.f.deposits[0], e.f.loans[0], sum.count[sumNewLoans])
	}

	// The same with a line of 10000 only: assets 1000000 + 50000.
	e.f.deposits[0], e.f.loans[0] = 50_000, int64(p.MaxLeverage*1_050_000)-10_000
	e.settleFirms(one)
	within(t, "deposits with a short line", float64(e.f.deposits[0]), 60_000, 1)

	// The premium is charged on leverage: loans 200000 of assets 1000000 are .2,
	// .2 x .06 = .012 a year, 200 a month on top of .12.
	*sum = tally{}
	e.p.LeveragePremium, e.rates.loan = .06, .12
	e.f.deposits[0], e.f.loans[0] = 0, 200_000
	e.settleFirms(one)
	if got := sum.count[sumLoanInterest]; got != 2200 {
		t.Errorf("interest with premium %d, want 2200", got)
	}
}
