package sim

import (
	"math"
	"slices"
	"testing"
)

func TestSuccessRate(t *testing.T) {
	for _, test := range []struct {
		name                                    string
		probability, intensity, concavity, want float64
	}{
		{"full staffing", .1, 1, .6, .1},
		{"a quarter of it", .19, .25, .5, .1}, // 1 - .81^.5
		{"four times it", .1, 4, .5, .19},     // 1 - .9^2
		{"no research", .1, 0, .6, 0},         // 1 - .9^0
		{"no chance", 0, 1, .6, 0},
		{"certain", 1, 1, .6, 1},
		{"half staffing, linear", .75, .5, 1, .5}, // 1 - .25^.5
	} {
		near(t, test.name, successRate(test.probability, test.intensity, test.concavity), test.want)
	}
}

func TestProductivityStep(t *testing.T) {
	near(t, "u = 0", productivityStep(0, .06), 0)
	near(t, "mean", productivityStep(1-1/math.E, .06), .06)                // -log(1/e) = 1
	near(t, "twice the mean", productivityStep(-math.Expm1(-2), .06), .12) // u = 1 - exp(-2)
	near(t, "cap", productivityStep(.9999, .06), .24)                      // 9.2 means, cut at 4
	near(t, "no gain", productivityStep(.5, 0), 0)
}

func TestPassOn(t *testing.T) {
	// Unit cost falls from 100 to 80 as productivity rises by a quarter.
	for _, test := range []struct {
		name                       string
		passThrough, price, markUp float64
	}{
		{"all", 1, 120, .5},            // 150 (1 - .25/1.25); 120/80 - 1
		{"half", .5, 135, .6875},       // 150 (1 - .125/1.25); 135/80 - 1
		{"nothing", 0, 150, .875},      // 150/80 - 1
		{"most", .8, 126, 126./80 - 1}, // 150 (1 - .2/1.25)
	} {
		price, markUp := passOn(150, 80, test.passThrough, .25)
		near(t, test.name+": price", price, test.price)
		near(t, test.name+": mark-up", markUp, test.markUp)
	}
	price, markUp := passOn(150, 100, .8, 0)
	near(t, "no gain: price", price, 150)
	near(t, "no gain: mark-up", markUp, .5)
}

// An economy in which all firms do all the research that they plan, at the
// reference share of revenue.
func researchers(t *testing.T, p Params) *Economy {
	t.Helper()
	e := mustNew(t, p, 1)
	for i := range e.firms() {
		e.f.labour[i], e.f.research[i], e.f.productivity[i] = 10*skillUnit, 1, 2
		e.f.wage[i], e.f.wagePremium[i], e.f.price[i], e.f.markUp[i] = 1000, 1, 900, 9
		e.f.revenueTrend[i] = 1000 / referenceResearch
	}
	return e
}

func TestInnovation(t *testing.T) {
	p := thousand()
	p.NumHouseholds = 6000
	p.EnableInnovation, p.InnovationProbability, p.InnovationPricePassThrough = true, .2, .5
	p.InnovationLaborProductivityImprovement = .05
	e := researchers(t, p)
	e.f.research[0] = 0 // no research
	e.f.labour[1] = 0   // nobody at work
	all := e.overFirms((*Economy).innovate)
	events, gains := 0, 0.0
	for i := range e.firms() {
		if e.f.productivityBefore[i] != e.f.productivity[i] {
			t.Errorf("imitators see a productivity of %v at firm %d, which has %v", e.f.productivityBefore[i], i, e.f.productivity[i])
		}
		g := e.f.productivity[i]/2 - 1
		switch {
		case g == 0:
			near(t, "price without innovation", e.f.price[i], 900)
			near(t, "mark-up without innovation", e.f.markUp[i], 9)
		case g < 0 || g > .2*(1+1e-12):
			t.Errorf("firm %d gained %v, of a mean of .05 and a cap of .2", i, g)
		default:
			events++
			gains += g
			near(t, "innovator's price", e.f.price[i], 900*(1-.5*g/(1+g)))
			near(t, "innovator's mark-up", e.f.markUp[i], e.f.price[i]/e.unitCost(i)-1)
		}
	}
	if e.f.productivity[0] != 2 || e.f.productivity[1] != 2 {
		t.Error("a firm without research innovated")
	}
	if all.count[sumEvents] != int64(events) {
		t.Errorf("%d events counted, %d firms innovated", all.count[sumEvents], events)
	}
	n := float64(e.firms() - 2)
	within(t, "events", float64(events), .2*n, 4*math.Sqrt(.2*.8*n))
	// The mean of min(4, Exp(1)) is 1 - exp(-4) = .982, its variance below 1.
	within(t, "mean gain", gains/float64(events), .05*.982, 4*.05/math.Sqrt(float64(events)))

	e.p.EnableInnovation = false
	before := slices.Clone(e.f.productivity)
	if off := e.overFirms((*Economy).innovate); off.count[sumEvents] != 0 || !slices.Equal(before, e.f.productivity) {
		t.Error("firms innovated with innovation off")
	}
}

// Where one firm of an industry has all the revenue, everybody looks at it and
// closes half of the gap; who is ahead stays.
func TestImitation(t *testing.T) {
	p := thousand()
	p.EnableInnovation, p.InnovationProbability, p.ImitationProbability, p.ImitationStep = true, 0, 1, .5
	e := researchers(t, p)
	clear(e.f.revenue)
	e.f.revenue[2], e.f.productivity[2] = 500*subunit, 6
	e.f.productivity[1] = 7
	k := e.consumptionFirms
	e.f.revenue[k], e.f.productivity[k] = 300*subunit, 3
	e.technicalChange()
	if e.innovations != [NumInnovationKinds]int{} {
		t.Fatalf("%d innovations at a probability of zero", e.innovations)
	}
	for i := range e.firms() {
		want := 2.0
		switch {
		case i == 1:
			want = 7
		case i == 2:
			want = 6
		case i == k:
			want = 3
		case e.industryOf(i) == 0:
			want = 4 // 2 + .5 (6 - 2)
		case e.isCapital(i):
			want = 2.5 // 2 + .5 (3 - 2)
		}
		near(t, "productivity", e.f.productivity[i], want)
	}

	before := slices.Clone(e.f.productivity)
	e.p.ImitationProbability = 0
	e.technicalChange()
	if !slices.Equal(before, e.f.productivity) {
		t.Error("firms imitated at a probability of zero")
	}
}

func TestInnovationKind(t *testing.T) {
	for _, test := range []struct {
		u       float64
		weights [NumInnovationKinds]float64
		want    InnovationKind
		ok      bool
	}{
		{.99, [...]float64{1, 0, 0, 0}, ProductivityInnovation, true},
		{0, [...]float64{0, 0, .3, 0}, MarginInnovation, true},
		{.49, [...]float64{.2, 0, 0, .2}, ProductivityInnovation, true},
		{.51, [...]float64{.2, 0, 0, .2}, AttributeInnovation, true},
		{.3, [...]float64{.1, .1, .1, .1}, PriceInnovation, true},
		{.6, [...]float64{.1, .1, .1, .1}, MarginInnovation, true},
		{.5, [4]float64{}, 0, false},
	} {
		if got, ok := innovationKind(test.u, test.weights); got != test.want || ok != test.ok {
			t.Errorf("innovationKind(%v, %v) = %v, %v", test.u, test.weights, got, ok)
		}
	}
}

func TestCheaperProcessAndDearerProduct(t *testing.T) {
	a, price := cheaperProcess(2, 100, .2)
	near(t, "productivity", a, 2.5)
	near(t, "price", price, 80)

	markUp, price, quality := dearerProduct(.25, 100, 2, .05)
	near(t, "mark-up", markUp, .3)
	near(t, "price", price, 104) // x 1.3/1.25
	near(t, "quality", quality, 2.08)
	markUp, price, quality = dearerProduct(.9, 95, 1, .3) // up to the ceiling of 1
	near(t, "mark-up at the ceiling", markUp, 1)
	near(t, "price at the ceiling", price, 100)
	near(t, "quality at the ceiling", quality, 20./19)
	markUp, price, quality = dearerProduct(1.4, 240, 3, .3) // above it by a saving not passed on
	near(t, "mark-up above the ceiling", markUp, 1.4)
	near(t, "price above the ceiling", price, 240)
	near(t, "quality above the ceiling", quality, 3)
}

// Each kind by itself changes what it should, is counted and leaves one event
// with the share of the market, in the order of firms, whatever the threads.
func TestEventsOfEachKind(t *testing.T) {
	for kind := range NumInnovationKinds {
		p := small()
		p.EnableInnovation, p.InnovationProbability, p.ImitationProbability = true, .2, 0
		p.InnovationPriceReduction, p.InnovationProfitMarginImprovement, p.InnovationAttributeImprovement = .2, .1, .05
		weights := [...]*float64{&p.InnovationProductivityWeight, &p.InnovationPriceWeight, &p.InnovationMarginWeight,
			&p.InnovationAttributeWeight}
		*weights[0], *weights[kind] = 0, 1
		e := researchers(t, p)
		for i := range e.firms() {
			e.f.revenue[i], e.f.markUp[i], e.f.quality[i] = int64(i+1), .25, 1
		}
		e.technicalChange()
		events := e.Events()
		if len(events) == 0 || e.innovations[kind] != len(events) {
			t.Fatalf("%v: %d events of %d innovations", kind, len(events), e.innovations[kind])
		}
		shares := e.MarketShares(nil)
		e.EachFirm(func(i int, v FirmView) {
			if r := v.Industry*e.localMarkets + v.Market; i < int(e.shopStart[r]) || i >= int(e.shopStart[r+1]) {
				t.Fatalf("firm %d is said to be of market %d", i, v.Market)
			}
		})
		happened := make(map[int]bool)
		last := -1
		for _, v := range events {
			happened[v.Firm] = true
			i := v.Firm
			if v.Firm <= last || v.Kind != kind || v.Month != e.Month() {
				t.Errorf("event %+v after firm %d", v, last)
			}
			last = i
			near(t, "share", v.MarketShare, shares[i])
			switch kind {
			case ProductivityInnovation:
				near(t, "before", v.Before, 2)
				near(t, "after", v.After, e.f.productivity[i])
			case PriceInnovation:
				near(t, "price before", v.Before, .9)
				near(t, "price after", v.After, .72)
				near(t, "price", e.f.price[i], 720)
				near(t, "productivity", e.f.productivity[i], 2.5)
			case MarginInnovation:
				near(t, "mark-up before", v.Before, .25)
				near(t, "mark-up after", v.After, .35)
				near(t, "price for quality", e.f.price[i]/e.f.quality[i], 900)
				near(t, "price", e.f.price[i], 972) // 900 x 1.35/1.25
			case AttributeInnovation:
				near(t, "quality before", v.Before, 1)
				near(t, "quality after", v.After, 1.05)
				near(t, "price", e.f.price[i], 900)
			}
		}
		for i := range e.firms() {
			if !happened[i] && (e.f.productivity[i] != 2 || e.f.price[i] != 900 || e.f.quality[i] != 1) {
				t.Errorf("%v: firm %d changed without an event", kind, i)
			}
		}
		sum := 0.0
		for _, x := range shares {
			sum += x
		}
		within(t, "sum of the shares of all markets", sum, float64(len(e.shopStart)-1), 1e-9)
	}
}

// Where research may find nothing, the month has no events, and fixed prices stay.
func TestInnovationWithoutWeightsOrPrices(t *testing.T) {
	p := thousand()
	p.EnableInnovation, p.InnovationProbability, p.ImitationProbability, p.InnovationProductivityWeight = true, .2, 0, 0
	e := researchers(t, p)
	e.technicalChange()
	if len(e.Events()) != 0 || e.innovations != [NumInnovationKinds]int{} {
		t.Errorf("%d events without any kind", len(e.Events()))
	}
	e.p.InnovationPriceWeight, e.p.InnovationMarginWeight, e.p.EnablePriceAdjustment = 1, 1, false
	e.technicalChange()
	if len(e.Events()) == 0 {
		t.Fatal("no events")
	}
	for _, v := range e.Events() {
		if e.f.price[v.Firm] != 900 || v.Before != v.After {
			t.Errorf("event %+v: price %v where prices are fixed", v, e.f.price[v.Firm])
		}
	}
}

// Everybody copies the quality of the one seller, by half of the gap, and an
// entrant has all of it.
func TestQualitySpreads(t *testing.T) {
	p := thousand()
	p.EnableInnovation, p.InnovationProbability, p.ImitationProbability, p.ImitationStep = true, 0, 1, .5
	e := researchers(t, p)
	clear(e.f.revenue)
	e.f.revenue[2], e.f.quality[2], e.f.quality[1] = 500*subunit, 3, 4
	e.technicalChange()
	near(t, "a follower", e.f.quality[0], 2)
	near(t, "who is ahead", e.f.quality[1], 4)
	e.f.quality[0] = 1
	e.enter(0, 1)
	near(t, "an entrant", e.f.quality[0], 3)
}

// Qualities far from one are scaled, industry by industry, without a change of
// their ratios.
func TestQualityStaysWithinBounds(t *testing.T) {
	e := mustNew(t, thousand(), 1)
	e.f.quality[0], e.f.quality[1] = 3*qualityLimit, 1.7
	e.rebaseQuality()
	if e.f.quality[0] != 3 || e.f.quality[1] != 1.7/qualityLimit || e.f.quality[e.industryStart[1]] != 1 {
		t.Errorf("qualities %v, %v, of the next industry %v", e.f.quality[0], e.f.quality[1], e.f.quality[e.industryStart[1]])
	}
	e.f.quality[0] = 2 * qualityLimit
	e.rebaseQuality()
	if e.f.quality[1] != 1./qualityLimit {
		t.Errorf("the worst quality is %v", e.f.quality[1])
	}
}

// An entrant's product is as good as that of a firm of its industry, also in the month in
// which qualities are scaled.
func TestEntrantAfterQualitiesAreScaled(t *testing.T) {
	e := mustNew(t, thousand(), 1)
	clear(e.f.revenue)
	e.f.revenue[0], e.f.quality[0] = 500*subunit, 2*qualityLimit
	copy(e.f.qualityBefore, e.f.quality)
	e.urn.fill(e, e.industryStart, func(e *Economy, i int) int64 { return e.f.revenue[i] })
	e.rebaseQuality()
	e.enter(1, 1)
	if e.f.quality[1] != e.f.quality[0] {
		t.Errorf("an entrant has a quality of %g, the firm that it looks at %g", e.f.quality[1], e.f.quality[0])
	}
}
