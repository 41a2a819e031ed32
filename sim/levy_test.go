package sim

import (
	"testing"
)

func TestByIndustry(t *testing.T) {
	p := thousand()
	e := mustNew(t, p, 1)
	list := e.byIndustry("02: 0.5, 12: 0", .1)
	for j, want := range map[int]float64{0: .1, 1: .5, 11: 0} {
		near(t, "rate", list[j], want)
	}
	p.NumIndustries = 2 // division 1, and the rest together
	e = mustNew(t, p, 1)
	list = e.byIndustry("02: 0.5", .1)
	near(t, "own", list[0], .1)
	near(t, "mean of the rest", list[1], .1+.4*.0173/(.9998-.0847)) // the shares of industryTable sum to .9998
	intensity := e.intensities()
	near(t, "mean intensity", intensity[0]*e.shares[0]+intensity[1]*e.shares[1], 1)
}

func TestWantedAbatement(t *testing.T) {
	near(t, "none", wantedAbatement(4, 0), 0)
	near(t, "a tenth", wantedAbatement(4, .1), 0.3296799539643607) // 1 - e^-.4
}

// VAT by industry taxes each good at its own rate, also where goods are rationed.
func TestVATByIndustry(t *testing.T) {
	for _, rates := range []RateTable{"01: 0, 07: 0.4", "01: 0.3, 02: 0.3, 03: 0.3, 04: 0.3, 05: 0.3, 06: 0.3, 07: 0.3, 08: 0.3, 09: 0.3, " +
		"" +
		"10: 0.3, 11: 0.3, 12: 0.3"} {
		p := thousand()
		p.VATRatesByIndustry, p.VATRate = rates, .1
		e := mustNew(t, p, 1)
		mustStep(t, e, 3)
		want := 0.0
		for j := range e.shares {
			private := 0.0
			for i := e.industryStart[j]; i < e.industryStart[j+1]; i++ {
				private += float64(e.f.revenue[i] - e.f.public[i])
			}
			want += private * e.m.VAT[j]
		}
		within(t, "VAT", float64(e.flow.vat), want, 15*float64(e.households()))
	}
}

func TestIndustryLevers(t *testing.T) {
	long(t)
	for _, test := range []struct {
		name      string
		treatment func(*Params)
		indicator Indicator
		sign      float64
	}{
		{"green levy: prices", func(p *Params) { p.GreenLevyRate = .1 }, CPI, 1},
		{"green levy: revenue", func(p *Params) { p.GreenLevyRate = .1 }, TaxLevy, 1},
		{"green levy: emissions", func(p *Params) { p.GreenLevyRate = .1 }, Emissions, -1},
		{"levy of an industry", func(p *Params) { p.GreenLevyByIndustry = "07: 0.3" }, TaxLevy, 1},
		{"VAT of an industry", func(p *Params) { p.VATRatesByIndustry = "04: 0.3" }, TaxVAT, 1},
		{"lockdown", func(p *Params) { p.CapacityFactorsByIndustry = "07: 0.3, 09: 0.3, 11: 0.2" }, RealGDP, -1},
		{"fear of contagion", func(p *Params) { p.DemandFactorsByIndustry = "07: 0.6, 11: 0.3" }, RealConsumption, -1},
		{"and what is not spent is saved", func(p *Params) { p.DemandFactorsByIndustry = "07: 0.6, 11: 0.3" }, SavingRate, 1},
	} {
		effects(t, 3, 1, 12, asBefore, test.treatment)[test.indicator].moves(t, test.name, test.sign)
	}
	// Faster and stronger abatement lower emissions further.
	levy := func(p *Params) { p.GreenLevyRate = .1 }
	for name, more := range map[string]func(*Params){
		"speed":      func(p *Params) { levy(p); p.AbatementSpeed = .2 },
		"elasticity": func(p *Params) { levy(p); p.AbatementElasticity = 8 },
	} {
		effects(t, 3, 1, 12, levy, more)[Emissions].moves(t, name, -1)
	}
}

func TestLevyBooksAndBits(t *testing.T) {
	many := thousand()
	many.GreenLevyRate, many.GreenLevyByIndustry, many.VATRatesByIndustry = .2, "03: 0.9", "01: 0.6, 12: 0"
	many.DemandFactorsByIndustry, many.CapacityFactorsByIndustry = "01: 3, 05: 0", "02: 0, 08: 0.5"
	many.EnableEngelCurves = true
	sameBits(t, many, 20, nil)

	p := small()
	p.GreenLevyRate = .1
	auditSees(t, p, 2, nil, []misbooking{{"a subunit of the levy", func(e *Economy) { e.flow.levy-- }, "firms: change of deposits"}})
}

// What is left of a budget is worth a second round by its own VAT, not by that of the
// first industry.
func TestSecondRoundWeighsVATOfTheIndustry(t *testing.T) {
	others := func(first, rest string) RateTable {
		s := "01: " + first
		for _, industry := range industryTable[1:] {
			s += ", " + industry.Code + ": " + rest
		}
		return RateTable(s)
	}
	for _, test := range []struct {
		rates RateTable
		again bool
	}{{others("0", "0.6"), true}, {others("0.6", "0"), false}} {
		p := thousand()
		p.NumIndustries, p.SuppliersPerIndustry, p.VATRatesByIndustry = 2, 1, test.rates
		e := openMarket(t, p)
		e.seekSuppliers()
		for i := range e.consumptionFirms {
			e.f.inventory[i] = 1e6
		}
		e.f.inventory[e.h.suppliers[1]] = 0 // the first household gets nothing of the second industry
		without := float64(e.h.budget[0]) * e.coef[0][1]
		e.h.permanent[0] = 1.3 * without / secondRoundShare
		e.firstRound()
		if again := e.h.second[0] != 0; again != test.again {
			t.Errorf("rates %s, %g unspent without VAT, threshold at 1.3 times that: second round is %t", test.rates, without, again)
		}
	}
}
