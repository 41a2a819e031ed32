package sim

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"
)

func TestAdoptionHazard(t *testing.T) {
	for _, test := range []struct {
		name                                      string
		rate, contagion, adopted, fee, cost, want float64
	}{
		{"nobody uses it", .01, 4, 0, .4, .4, .01},
		{"half do", .01, 4, .5, .4, .4, .03},           // .01 (1 + 2)
		{"without contagion", .01, 0, .5, .4, .4, .01}, //
		{"a tax of half the fee", .01, 4, 0, .4, .6, .01 * .4 / .6},
		{"a tax of all that is saved", .01, 4, 0, .4, 1, 0},
		{"a fee of all that is saved", .01, 4, 0, 1, 1, 0},
		{"at most certain", .2, 50, 1, 0, 0, 1},
		{"off", 0, 50, 1, 0, 0, 0},
	} {
		near(t, test.name, adoptionHazard(test.rate, test.contagion, test.adopted, test.fee, test.cost), test.want)
	}
}

func TestTaskExposure(t *testing.T) {
	for _, test := range []struct{ mean, u, want float64 }{
		{.5, 0, 0}, {.5, .25, .25}, {.5, 1, 1}, // as wide as can be
		{.1, 0, 0}, {.1, .5, .1}, {.1, 1, .2},
		{.9, 0, .8}, {.9, 1, 1},
		{0, .7, 0}, {1, .7, 1},
	} {
		near(t, "exposure", taskExposure(test.mean, test.u), test.want)
	}
}

// One firm with automation, worked out by hand: a wage of 1000, productivity 2, a
// quarter of labour saved, a fee of .4 and a tax of .5 on it.
func TestCostOfAutomatedWork(t *testing.T) {
	p := thousand()
	p.AILicenceFee, p.RobotTaxRate = .4, .5
	e, one, sum := oneFirm(t, p)
	e.f.wage[0], e.f.wagePremium[0], e.f.productivity[0], e.f.automated[0] = 1000, 1, 2, .25
	near(t, "output of a unit of labour", e.perWorker(0), 2/.75)
	near(t, "wages saved", e.wagesSaved(0, 80), 10_000) // 80 units need 40 x 1000, a quarter less
	near(t, "unit cost", e.unitCost(0), 450)            // 500 (1 - .25 + .25 x .4 x 1.5)
	e.f.automated[0] = 0
	near(t, "unit cost without", e.unitCost(0), 500)

	e.f.automated[0] = .25
	e.f.plan[0], e.f.labour[0], e.f.research[0], e.f.capital[0] = 80, 31*skillUnit, 1, 1e6
	e.f.deposits[0], e.f.wageBill[0] = 100_000, 31_000
	e.produce(one)
	near(t, "output", e.f.output[0], 80) // 30 units of labour at 2/.75
	if e.f.licence[0] != -6000 || e.f.deposits[0] != 100_000-31_000-6000 || sum.count[sumLicences] != 4000 ||
		sum.count[sumRobotTax] != 2000 {
		t.Errorf("licence %d, deposits %d, fee %d, tax %d; want -6000, 63000, 4000, 2000",
			e.f.licence[0], e.f.deposits[0], sum.count[sumLicences], sum.count[sumRobotTax])
	}
	e.f.deposits[0], e.f.wageBill[0], e.f.revenue[0], e.f.loans[0], e.f.capital[0] = 0, 1000, 10_000, 0, 0
	*sum = tally{}
	e.settleFirms(one)
	if got, want := sum.count[sumCorporateTax], taxOn(10_000-1000-6000, p.CorporateTaxRate); got != want {
		t.Errorf("corporate tax %d, want %d: what is paid for AI is a cost", got, want)
	}
}

// What a firm expects to pay for AI is not there for wages, and a new firm in the
// place of one with AI starts with the sales that its labour makes.
func TestAutomatedFirmsHireAndStart(t *testing.T) {
	p := thousand()
	p.EnableInnovation, p.AILicenceFee, p.RobotTaxRate, p.SeparationRate, p.DismissalRate = false, .4, .5, 0, .4
	e, one, _ := oneFirm(t, p)
	e.f.wage[0], e.f.wagePremium[0], e.f.productivity[0], e.f.automated[0] = 1000, 1, 2, .25
	e.f.plan[0], e.f.heads[0], e.f.labour[0] = 80, 60, 60*skillUnit
	e.f.deposits[0], e.f.loans[0], e.f.revenueTrend[0] = 1e9, 2e9, 0 // no credit
	e.demandLabour(one)
	near(t, "layoffs of a rich firm", e.f.layoff[0], .2) // needs 30 of 60
	e.f.deposits[0] = 26_000
	e.demandLabour(one)
	near(t, "layoffs of a poor firm", e.f.layoff[0], .4*40/60) // 26000 less 6000 pay for 20

	p.ClosureRate, p.RetrainingRate = 1, 0
	e = mustNew(t, p, 1)
	e.f.heads[0], e.f.productivity[0], e.f.automated[0], e.f.sales[0], e.f.capital[0] = 0, 2, .5, 0, 0
	e.m.Pool = 1 << 50
	clear(e.f.productivityBefore)
	for i := 1; i < e.firms(); i++ {
		e.f.heads[i] = 1
	}
	e.urn.fill(e, e.industryStart, func(*Economy, int) int64 { return 0 })
	before := e.f.deposits[0]
	e.replaceIdle()
	if e.closures != 1 {
		t.Fatalf("%d closures", e.closures)
	}
	near(t, "expected sales", e.f.sales[0], .95*2/.5)
	paid := foundingCapital(&p, 2/.5*foundingLabour, 0, e.m.CapitalPrice, e.m.MeanWage)
	within(t, "capital paid in", float64(e.f.deposits[0]-before), paid, 1)
}

// The record tells what happened, group by group.
func TestRecordOfTechnology(t *testing.T) {
	e := mustNew(t, automated(), 2)
	mustStep(t, e, 6)
	r := e.Latest()
	var groups [NumExposureGroups]struct{ people, employed, wages float64 }
	wages := 0.0
	for h, x := range e.h.exposure {
		g := &groups[x&exposureGroup]
		g.people++
		if e.h.employer[h] != nobody {
			g.employed++
			g.wages += float64(e.h.lastWage[h])
			wages += float64(e.h.lastWage[h])
		}
	}
	for k, g := range groups {
		got := r.Households.Exposure[k]
		near(t, "share", got.Share, g.people/float64(e.households()))
		near(t, "unemployment", got.Unemployment, 1-g.employed/g.people)
		near(t, "wage", got.Wage, g.wages/g.employed/subunit)
		near(t, "share of wages", got.WageShare, g.wages/wages)
	}
	users, revenue, all := 0, 0.0, 0.0
	for i, x := range e.f.automated {
		all += float64(e.f.revenue[i])
		if x > 0 {
			users++
			revenue += float64(e.f.revenue[i])
		}
	}
	near(t, "share of revenue", r.Value(AIAdoptionShare), revenue/all)
	if users == 0 || r.Firms.Adopters != users || r.Firms.Adoptions != e.adoptions || e.adoptions == 0 {
		t.Errorf("%d users and %d adoptions on record, %d and %d in the economy", r.Firms.Adopters, r.Firms.Adoptions, users, e.adoptions)
	}
	if r.Households.Retrained != e.retrained || e.retrained == 0 {
		t.Errorf("%d courses on record of %d", r.Households.Retrained, e.retrained)
	}
	var kinds [NumInnovationKinds]int
	for _, v := range e.Events() {
		kinds[v.Kind]++
	}
	if r.Firms.Innovations != kinds || float64(len(e.Events())) != r.Value(InnovationEvents) {
		t.Errorf("innovations %v on record, %v of %v events", r.Firms.Innovations, kinds, r.Value(InnovationEvents))
	}
	if want := float64(e.flow.robotTax) / subunit; want == 0 || r.Value(TaxRobot) != want {
		t.Errorf("robot tax %v on record of %v", r.Value(TaxRobot), want)
	}
}

// A firm that adopts passes on a part of what it saves; tax that takes all of it
// makes firms give AI up within a year; new tasks wear it out.
func TestAdoption(t *testing.T) {
	p := thousand()
	p.AIAdoptionRate, p.AITaskExposure, p.AIProductivityGain, p.AILicenceFee = .2, 1, .5, .4
	p.InnovationPricePassThrough, p.AINewTaskRate, p.AIAdoptionContagion = .5, .1, 0
	e := mustNew(t, p, 1)
	for i := range e.firms() {
		e.f.wage[i], e.f.wagePremium[i], e.f.productivity[i], e.f.price[i], e.f.markUp[i] = 1000, 1, 2, 900, .8
	}
	e.automation()
	adopted := 0
	for i := range e.firms() {
		if e.f.automated[i] == 0 {
			near(t, "price of others", e.f.price[i], 900)
			continue
		}
		adopted++
		near(t, "labour saved", e.f.automated[i], .5)
		near(t, "price", e.f.price[i], 765)           // half of the saving of .5 x .6 off 900
		near(t, "mark-up", e.f.markUp[i], 765./350-1) // unit cost 500 x .7
		near(t, "productivity", e.f.productivity[i], 2)
	}
	n := float64(e.firms())
	within(t, "adopters", float64(adopted), .2*n, 4*math.Sqrt(.2*.8*n))
	if e.m.Adopters != int64(adopted) || e.adoptions != adopted {
		t.Errorf("%d users, %d adoptions counted of %d", e.m.Adopters, e.adoptions, adopted)
	}
	e.p.AIAdoptionRate = 0
	e.automation()
	for i := range e.firms() {
		if share := e.f.automated[i]; share != 0 {
			near(t, "after a month of new tasks", share, .45)
		}
	}
	if e.adoptions != 0 || e.m.Adopters != int64(adopted) {
		t.Errorf("%d adoptions and %d users after adoption ended with %d", e.adoptions, e.m.Adopters, adopted)
	}
	for range 100 {
		e.automation() // .45 x .9^100 is below a thousandth
	}
	if e.m.Adopters != 0 || e.automating() {
		t.Errorf("%d firms use AI that is worn out", e.m.Adopters)
	}
	e.p.AIAdoptionRate = .2
	e.automation()
	if e.adoptions == 0 {
		t.Error("nobody adopts a second time")
	}
	e.p.AIAdoptionRate, e.p.AINewTaskRate, e.p.RobotTaxRate = 0, 0, 1.5 // .4 x 2.5 = 1
	for month := range int64(12) {
		e.m.Month = month
		e.automation()
	}
	if e.m.Adopters != 0 || e.automating() {
		t.Errorf("%d firms still use AI, a year after it ceased to pay", e.m.Adopters)
	}
}

// Fees reach the makers of capital goods to the last subunit, in proportion to
// their expected sales.
func TestLicencesAreShared(t *testing.T) {
	e := mustNew(t, thousand(), 1)
	k := e.consumptionFirms
	for i := k; i < e.firms(); i++ {
		e.f.sales[i], e.f.deposits[i], e.f.licence[i] = 1, 0, 0
	}
	e.f.sales[k] = 3
	fees := int64(1_000_003)
	e.shareLicences(fees)
	sum := int64(0)
	for i := range e.firms() {
		if sum += e.f.licence[i]; i >= k {
			if e.f.deposits[i] != e.f.licence[i] {
				t.Errorf("firm %d: %d received, %d booked", i, e.f.deposits[i], e.f.licence[i])
			}
		}
	}
	n := float64(e.capitalFirms)
	if sum != fees || e.flow.licencesReceived != fees {
		t.Errorf("%d received of %d", sum, fees)
	}
	total := 1001*(n-1) + 3001
	within(t, "the share of three times the sales", float64(e.f.licence[k]), 3001*float64(fees)/total, 1)
	within(t, "another share", float64(e.f.licence[k+1]), 1001*float64(fees)/total, 1)
	for i := k; i < e.firms(); i++ {
		e.f.sales[i], e.f.licence[i] = 0, 0
	}
	e.shareLicences(fees)
	within(t, "a share where nobody expects sales", float64(e.f.licence[k]), float64(fees)/n, 1)
}

// At a firm with AI layoffs fall in proportion to exposure and leave a mark that
// lowers the chances of matching, until a new job.
func TestLayoffsFallOnTheExposed(t *testing.T) {
	p := thousand()
	p.NumHouseholds, p.SeparationRate, p.AIAdoptionRate, p.AINewTaskRate, p.AIMismatchPenalty = 6000, 0, .01, 0, .25
	e := mustNew(t, p, 1)
	var people, out [2][NumExposureGroups]float64
	for h := range e.households() {
		i := int32(h % 2) // firm 0 has AI, firm 1 has none; both lay off a fifth
		e.h.employer[h] = i
		people[i][e.h.exposure[h]]++
	}
	e.f.automated[0], e.f.layoff[0], e.f.layoff[1] = .2, .2, .2
	e.endJobs()
	for h := range e.households() {
		i, x := h%2, e.h.exposure[h]
		if lost := e.h.employer[h] == nobody; lost {
			out[i][x&exposureGroup]++
			if (x&displaced != 0) != (i == 0) {
				t.Fatalf("household %d lost its job at firm %d: exposure %b", h, i, x)
			}
			want := 1.0
			if i == 0 {
				want = .75
			}
			near(t, "factor on matching", e.mismatch(h), want)
		} else if x&displaced != 0 {
			t.Fatalf("household %d has a job and a mark", h)
		}
	}
	for g, x := range exposures {
		for i, rate := range []float64{.2 * x, .2} {
			n := people[i][g]
			within(t, "share of the group laid off", out[i][g]/n, rate, 4*math.Sqrt(rate*(1-rate)/n))
		}
	}
	for h := range e.households() {
		if e.h.exposure[h]&displaced != 0 {
			e.employ(h, 1)
			near(t, "factor after a new job", e.mismatch(h), 1)
			break
		}
	}
}

func TestNewTasksLowerExposure(t *testing.T) {
	p := thousand()
	p.AIAdoptionRate, p.AINewTaskRate = .01, .1
	e := mustNew(t, p, 1)
	before := bytes.Clone(e.h.exposure)
	e.endJobs()
	exposed, fell := 0.0, 0.0
	for h, x := range before {
		if x == 0 {
			continue
		}
		exposed++
		switch e.h.exposure[h] {
		case x - 1:
			fell++
		case x:
		default:
			t.Fatalf("exposure went from %d to %d", x, e.h.exposure[h])
		}
	}
	within(t, "share that fell", fell/exposed, .1, 4*math.Sqrt(.09/exposed))
}

func TestRetraining(t *testing.T) {
	p := thousand()
	p.RetrainingRate, p.RetrainingCost, p.RetrainingEffect = 1, 2, 1
	e := mustNew(t, p, 1)
	e.m.MeanWage = 1000.25
	people := []struct {
		employer       int32
		before, after  uint8
		income, course int64
	}{
		{nobody, 2, 1, 2000, 1},             // floor(2 x 1000.25) = 2000
		{nobody, 2 | displaced, 1, 2000, 1}, //
		{nobody, 0 | displaced, 0, 2000, 1}, // lowest group: the mark goes
		{nobody, 1, 1, 0, 0},                // neither highly exposed nor displaced
		{3, 2, 2, 0, 0},                     // has a job
	}
	reset := func() {
		for h := range e.households() {
			e.h.employer[h] = 3
		}
		for h, x := range people {
			e.h.employer[h], e.h.exposure[h], e.h.income[h], e.h.deposits[h], e.h.permanent[h] = x.employer, x.before, 0, 0, 0
		}
		e.flow, e.monthCounts = flows{}, monthCounts{}
	}
	reset()
	e.payRetraining()
	for h, x := range people {
		if e.h.exposure[h] != x.after || e.h.income[h] != x.income || e.h.deposits[h] != x.income {
			t.Errorf("person %d: exposure %b, income %d, deposits %d", h, e.h.exposure[h], e.h.income[h], e.h.deposits[h])
		}
		near(t, "smoothed income", e.h.permanent[h], p.IncomeSmoothing*float64(x.income))
	}
	if e.retrained != 3 || e.flow.retraining != 6000 || e.flow.disposable != 6000 || e.flow.spending() != 6000 {
		t.Errorf("%d courses, paid %d, received %d", e.retrained, e.flow.retraining, e.flow.disposable)
	}
	reset()
	e.p.RetrainingEffect = 0
	e.payRetraining()
	if e.h.exposure[0] != 2 || e.h.exposure[1] != 2|displaced || e.flow.retraining != 6000 {
		t.Errorf("courses without success: exposure %d, %d, cost %d", e.h.exposure[0], e.h.exposure[1], e.flow.retraining)
	}
	reset()
	e.p.RetrainingRate = 0
	e.payRetraining()
	if e.retrained != 0 || e.flow.retraining != 0 {
		t.Error("courses although there are none")
	}
}

// automated is an economy with everything of this file in use.
func automated() Params {
	p := small()
	p.AIAdoptionRate, p.RobotTaxRate, p.RetrainingRate = .1, .3, .3
	p.InnovationPriceWeight, p.InnovationMarginWeight, p.InnovationAttributeWeight = 1, 1, 1
	return p
}

func TestAuditSeesTheBooksOfAutomation(t *testing.T) {
	moved := func(e *Economy) bool { return e.flow.licencesPaid > 0 && e.flow.robotTax > 0 && e.flow.retraining > 0 }
	auditSees(t, automated(), 5, moved, []misbooking{
		{"a fee not booked by its payer", func(e *Economy) { e.flow.licencesPaid-- }, "firms: change of deposits"},
		{"a fee not booked by its receiver", func(e *Economy) { e.flow.licencesReceived-- }, "firms: change of deposits"},
		{"a fee that nobody paid", func(e *Economy) { e.flow.licencesReceived++; e.f.deposits[5]++; e.m.Debt++ }, "government: change of debt"},
		{"robot tax that the government did not receive", func(e *Economy) { e.flow.robotTax-- }, "firms: change of deposits"},
		{"an allowance not paid out", func(e *Economy) { e.flow.retraining++ }, "disposable income = its parts"},
		{"an allowance that the government did not pay", func(e *Economy) { e.flow.retraining-- }, "disposable income = its parts"},
	})
	// Where the code moves the money.
	for _, phase := range []string{"income", "production", "automation"} {
		for k, lose := range []func(*Economy){
			func(e *Economy) { e.f.deposits[e.consumptionFirms]-- },
			func(e *Economy) { e.h.deposits[7]-- },
		} {
			e := mustNew(t, automated(), 1)
			mustStep(t, e, 5)
			e.OnPhase(func(name string) {
				if name == phase {
					lose(e)
				}
			})
			var broken *AuditError
			if err := e.Step(); !errors.As(err, &broken) {
				t.Errorf("a subunit lost after %q (%d) went unnoticed: %v", phase, k, err)
			}
		}
	}
}

// At the corners of its parameters the economy keeps its books for five years,
// with the same bits on any number of threads and through a snapshot.
func TestTechnologyAtItsCorners(t *testing.T) {
	all := func(p *Params, share float64) {
		for _, row := range slices.Concat(innovationKindParameters, automationParameters) {
			if err := p.Set(row.Name, row.Min+float64(share*(row.Max-row.Min))); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, set := range map[string]func(*Params){
		"in use":  func(p *Params) { *p = automated() },
		"highest": func(p *Params) { all(p, 1) },
		"middle":  func(p *Params) { all(p, .5) },
		"lowest":  func(p *Params) { all(p, 0) },
		"all is saved, for free": func(p *Params) {
			p.AIAdoptionRate, p.AIProductivityGain, p.AITaskExposure, p.AILicenceFee, p.AINewTaskRate = .2, .8, 1, 0, 0
			p.AIMismatchPenalty = 1
		},
		"the fee takes all": func(p *Params) { p.AIAdoptionRate, p.AILicenceFee = .2, .999 },
		"only better products": func(p *Params) {
			all(p, 0)
			p.InnovationAttributeWeight, p.InnovationAttributeImprovement, p.InnovationProbability = 1, .5, .2
		},
		"only cheaper products": func(p *Params) {
			all(p, 0)
			p.InnovationPriceWeight, p.InnovationPriceReduction, p.InnovationProbability = 1, .5, .2
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := small()
			set(&p)
			p.NumHouseholds, p.SuppliersPerIndustry = 1000, 2
			straight := mustNew(t, p, 1)
			mustStep(t, straight, 30)
			stored := mustSnapshot(t, straight)
			mustStep(t, straight, 30)
			resumed, err := ReadSnapshot(bytes.NewReader(stored), 3)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(resumed.Close)
			mustStep(t, resumed, 30)
			if resumed.StateHash() != straight.StateHash() || !sameRecord(resumed.Latest(), straight.Latest()) ||
				!slices.Equal(resumed.Events(), straight.Events()) {
				t.Error("another state on other threads, through a snapshot")
			}
		})
	}
}

func TestBrokenAutomationIsRefused(t *testing.T) {
	group, share := mustNew(t, small(), 1), mustNew(t, small(), 1)
	group.h.exposure[7] = 3
	share.f.automated[2] = 1
	for place, e := range map[string]*Economy{"households.exposure: row 7": group, "firms.automated: row 2": share} {
		if _, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, e)), 1); err == nil || !strings.Contains(err.Error(), place) {
			t.Errorf("error %v; want one that names %q", err, place)
		}
	}
}

func TestAutomationDoesNotAllocate(t *testing.T) {
	e := mustNew(t, automated(), 2)
	mustStep(t, e, 3)
	if n := testing.AllocsPerRun(12, func() { mustStep(t, e, 1) }); n > 0 {
		t.Errorf("%v allocations a month", n)
	}
}
