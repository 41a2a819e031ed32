package sim

import "testing"

func TestLabourIntensity(t *testing.T) {
	near(t, "as wanted", labourIntensity(1, .7), 1)
	near(t, "half as elastic", labourIntensity(2, .5), 2)        // (2)^(.5/.5)
	near(t, "idle capital helps", labourIntensity(.25, .5), .25) // (.25)^1
	near(t, "fixed", labourIntensity(1.7, 1), 1)                 // exponent 0
	near(t, "bound", labourIntensity(5, .5), mostIntense)        // clipped at 2
}

// What labour demand asks for makes what was planned, with both functions.
func TestLabourMakesThePlan(t *testing.T) {
	for _, function := range []string{"leontief", "cobb_douglas"} {
		p := thousand()
		p.ProductionFunction, p.LaborElasticity = function, .6
		e := mustNew(t, p, 1)
		mustStep(t, e, 6)
		for i := range e.firms() {
			most := e.f.sales[i]
			if !e.isCapital(i) {
				most = e.mostOutput(i)
			}
			for _, part := range []float64{.3, .8, 1} {
				y := part * most
				near(t, function, e.outputOf(i, y/e.perWorker(i)*e.intensity(i, y)), y)
			}
		}
	}
}

func TestCobbDouglasEconomy(t *testing.T) {
	p := thousand()
	p.ProductionFunction, p.InherentMarketFocusNewProducts = "cobb_douglas", true
	e := sameBits(t, p, 40, nil)
	if u := e.Latest().Value(UnemploymentRate); u > .3 {
		t.Errorf("unemployment of %g", u)
	}
}

// A lower elasticity means that output beyond the usual takes more labour: capital
// counts for more.
func TestLaborElasticityMatters(t *testing.T) {
	run := func(elasticity float64) float64 {
		p := thousand()
		p.NumHouseholds, p.ProductionFunction, p.LaborElasticity = 1500, "cobb_douglas", elasticity
		e := mustNew(t, p, 2)
		mustStep(t, e, 60)
		return e.Latest().Value(RealGDP)
	}
	if run(.5) == run(.9) {
		t.Error("labor_elasticity does nothing")
	}
}

// Procurement that prefers recent innovators sells more of their goods.
func TestProcurementPrefersInnovators(t *testing.T) {
	share := func(focus bool) float64 {
		p := thousand()
		p.NumHouseholds, p.InherentMarketFocusNewProducts, p.InnovationProbability = 1500, focus, .05
		e := mustNew(t, p, 2)
		mustStep(t, e, 24)
		bought, all := 0.0, 0.0
		for i := range e.consumptionFirms {
			if e.f.novelty[i] > 0 {
				bought += float64(e.f.public[i])
			}
			all += float64(e.f.public[i])
		}
		return bought / all
	}
	if with, without := share(true), share(false); with < 1.3*without {
		t.Errorf("innovators sell %g of what the government buys with the preference, %g without", with, without)
	}
}
