package sim

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

// unlike is a small economy whose firms differ in productivity and demand, and pay by it.
func unlike() Params {
	p := small()
	p.FirmProductivityDispersion, p.FirmDemandDispersion = .25, .4
	p.WageRentSharing, p.WageSizePremium, p.QuitMemoryMonths = .15, .02, 6
	p.SafetyStock, p.SupplierStockRequirement = 2, .8
	return p
}

func TestJumpScale(t *testing.T) {
	// Variance of an AR(1) with a jump of Laplace scale b and probability q: 2 q b^2 / (1 - memory^2).
	near(t, "scale", jumpScale(.5, .8), .5477225575051661) // sqrt(.25 x .36 / .3)
	near(t, "no memory", jumpScale(1, 0), math.Sqrt(1/.3))
	near(t, "none", jumpScale(0, .9), 0)
	// Python: sqrt(sum of w_i w_j .9^abs(i-j)) with w_i = .25 x .75^i.
	near(t, "followed", followed(.9, 4), .8580581193973535)
	near(t, "at once", followed(.9, 1), 1)
}

// States of firms have the deviation that their parameter says, keep stateMemory of themselves in a year, and jump.
func TestStatesOfFirms(t *testing.T) {
	p := small()
	p.NumHouseholds, p.HouseholdsPerFirm, p.FirmProductivityDispersion, p.FirmDemandDispersion = 20_000, 6, .25, .5
	e := mustNew(t, p, 2)
	for i := range e.f.heads {
		e.f.heads[i] = 1 // of larger firms states move less
	}
	step := func(months int) {
		for range months {
			e.m.Month++
			e.overFirms((*Economy).moveStates)
		}
	}
	step(300)
	edge, taste := slices.Clone(e.f.edge), slices.Clone(e.f.taste)
	within(t, "deviation of productivity", deviation(edge), .25, .015)
	within(t, "deviation of demand", deviation(taste), .5, .03)
	step(12)
	within(t, "productivity left after a year", slope(edge, e.f.edge), stateMemory, .03)
	if k := kurtosis(difference(edge, e.f.edge)); k < 3.5 {
		t.Errorf("kurtosis of a year's change of productivity = %.3g: jumps have fat tails", k)
	}
	before := slices.Clone(e.f.taste)
	step(1)
	if k := kurtosis(difference(edge, before)); math.IsNaN(k) {
		t.Fatal(k)
	}
	// No firm's demand moves by more than a part of its jump in a month: it can prepare.
	if d := deviation(difference(before, e.f.taste)); d > .04 {
		t.Errorf("demand moves by %.3g in a month", d)
	}
}

// Of a firm of a hundred states move half as much as of one with a single employee: 100^-.15.
func TestLargeFirmsAreSteadier(t *testing.T) {
	p := small()
	p.NumHouseholds, p.HouseholdsPerFirm, p.FirmProductivityDispersion = 20_000, 6, .25
	e := mustNew(t, p, 2)
	half := len(e.f.heads) / 2
	for i := range e.f.heads {
		if e.f.heads[i] = 1; i >= half {
			e.f.heads[i] = 100
		}
	}
	for range 300 {
		e.m.Month++
		e.overFirms((*Economy).moveStates)
	}
	within(t, "large over small", deviation(e.f.edge[half:])/deviation(e.f.edge[:half]), .501, .05)
}

// Firms' own productivity is relative to that of their rivals.
func TestEdgesAreRelative(t *testing.T) {
	e := mustNew(t, unlike(), 1)
	mustStep(t, e, 24)
	e.centreEdges()
	for j := range e.industries() + 1 {
		sum := 0.0
		for i := e.industryStart[j]; i < e.industryStart[j+1]; i++ {
			sum += e.f.edge[i] * e.f.revenueTrend[i]
		}
		if math.Abs(sum) > 1e-3 {
			t.Errorf("industry %d: %g", j, sum)
		}
	}
}

// A household spends no more in all because it likes some shops better.
func TestTastesKeepBudgets(t *testing.T) {
	p := unlike()
	e := mustNew(t, p, 1)
	mustStep(t, e, 12)
	e.onPhase = func(name string) {
		if name != "goods market, first round" {
			return
		}
		per := e.linksPerIndustry
		for h := range e.households() {
			budget, coef, ordered := float64(e.h.budget[h]), &e.coef[e.h.class[h]], 0.0
			for j := range e.industries() {
				ordered += e.budgetOf(h, budget, coef[j], e.h.suppliers[h*e.industries()*per+j*per])
			}
			plain := 0.0
			for j := range e.industries() {
				plain += float64(budget * coef[j])
			}
			if math.Abs(ordered-plain) > 1e-6*plain+1e-6 {
				t.Fatalf("household %d orders for %g, without tastes %g", h, ordered, plain)
			}
		}
	}
	mustStep(t, e, 1)
}

func TestPremium(t *testing.T) {
	near(t, "of productivity", premium(.15, .2, 0, 50), .03)
	near(t, "of size", premium(0, .2, .02, math.E*math.E), .04)
	near(t, "of a firm without staff", premium(.1, 0, .02, 0), 0)
}

// What is paid above the common wage in one firm is paid below it in another: premiums move no mean wage.
func TestPremiumsMoveNoMeanWage(t *testing.T) {
	p := unlike()
	p.WageSizePremium, p.WageRentSharing = .05, .3
	e := mustNew(t, p, 1)
	mustStep(t, e, 24)
	mean := func() float64 {
		sum, labour := 0.0, 0.0
		for i := range e.firms() {
			sum += math.Log(e.f.wage[i]) * float64(e.f.labour[i])
			labour += float64(e.f.labour[i])
		}
		return sum / labour
	}
	before := mean()
	e.movePremiums()
	near(t, "mean log wage", mean(), before)
	spread := deviation(e.f.premium)
	if spread < .02 {
		t.Errorf("premiums differ by %.3g only", spread)
	}
}

func TestTargetStock(t *testing.T) {
	e := mustNew(t, small(), 1)
	e.p.TargetInventoryRatio, e.p.SafetyStock = .5, 0
	e.f.sales[0] = 100
	near(t, "share of sales", e.targetStock(0), 50)
	e.p.SafetyStock = 2
	near(t, "with a safety stock", e.targetStock(0), 50+2*math.Sqrt(100*e.perWorker(0)))
	e.p.SupplierStockRequirement = .5
	e.f.inventory[0] = .5*(100+e.targetStock(0)) - 1
	if e.stocked(0) {
		t.Error("customers join a shop that has too little")
	}
	if e.f.inventory[0] += 2; !e.stocked(0) {
		t.Error("customers do not join a shop that has enough")
	}
	if e.f.inventory[0] = 9; !e.shut(0) || e.known(0) != 0 {
		t.Error("the government orders from an empty shop")
	}
	if e.p.SupplierStockRequirement = 0; e.shut(0) || e.known(0) != 100 {
		t.Error("nobody looks at the stock without the requirement")
	}
}

// Firms foresee that staff leave for other jobs, within the bounds of shares, whatever the memory.
func TestQuitsAreForeseen(t *testing.T) {
	for _, months := range []float64{.5, 6} {
		p := unlike()
		p.QuitMemoryMonths, p.OnTheJobSearchRate = months, .3
		e := mustNew(t, p, 1)
		mustStep(t, e, 36)
		sum := 0.0
		for _, x := range e.f.quits {
			if x < 0 || x > 1 {
				t.Fatalf("a firm expects %g of its staff to leave", x)
			}
			sum += x
		}
		if sum == 0 {
			t.Error("nobody leaves for another job")
		}
	}
}

// With all that lets firms and households differ and shocks of every kind, the books balance and the bits are the
// same on any number of threads and after a snapshot.
func TestSameBitsWithAllThatDiffers(t *testing.T) {
	p := differing()
	q := unlike()
	p.FirmProductivityDispersion, p.FirmDemandDispersion = q.FirmProductivityDispersion, q.FirmDemandDispersion
	p.WageRentSharing, p.WageSizePremium, p.QuitMemoryMonths = q.WageRentSharing, q.WageSizePremium, q.QuitMemoryMonths
	p.SafetyStock, p.SupplierStockRequirement, p.EnableTrade = q.SafetyStock, q.SupplierStockRequirement, true
	p.TechnologyVolatility, p.WorldDemandVolatility, p.ImportPriceVolatility = .002, .01, .004
	p.PurchasesVolatility, p.PolicyRateVolatility, p.LoanSpreadVolatility = .01, .0015, .003
	p.PrecautionaryEffect, p.OvertimeLimit, p.HiringRate = .1, .1, .35
	want := ""
	for _, threads := range []int{1, 2, 3} {
		e := mustNew(t, p, threads)
		mustStep(t, e, 20)
		if threads == 2 {
			again, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, e)), 1)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(again.Close)
			e = again
		}
		mustStep(t, e, 20) // audited each month
		if want == "" {
			want = e.StateHash()
		}
		if got := e.StateHash(); got != want {
			t.Errorf("%d threads end in another state", threads)
		}
	}
}

func deviation(x []float64) float64 {
	m, s := 0.0, 0.0
	for _, v := range x {
		m += v / float64(len(x))
	}
	for _, v := range x {
		s += (v - m) * (v - m) / float64(len(x))
	}
	return math.Sqrt(s)
}

func difference(a, b []float64) []float64 {
	d := make([]float64, len(a))
	for i := range a {
		d[i] = b[i] - a[i]
	}
	return d
}

// slope of y on x.
func slope(x, y []float64) float64 {
	d := deviation(x)
	s, mx, my := 0.0, 0.0, 0.0
	for i := range x {
		mx += x[i] / float64(len(x))
		my += y[i] / float64(len(x))
	}
	for i := range x {
		s += (x[i] - mx) * (y[i] - my) / float64(len(x))
	}
	return s / (d * d)
}

func kurtosis(x []float64) float64 {
	d, m, k := deviation(x), 0.0, 0.0
	for _, v := range x {
		m += v / float64(len(x))
	}
	for _, v := range x {
		k += math.Pow((v-m)/d, 4) / float64(len(x))
	}
	return k
}
