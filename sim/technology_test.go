package sim

import (
	"bytes"
	"testing"
)

// pairedMonths runs each arm from the same burnt-in states, one per seed, and
// calls observe after each month.
func pairedMonths(t *testing.T, seeds, burnIn, months int, arms []func(*Params), observe func(seed, arm, month int, e *Economy)) {
	t.Helper()
	for seed := range seeds {
		p := small()
		p.RandomState = seed + 1
		base := mustNew(t, p, 1)
		mustStep(t, base, burnIn)
		base.BeginExperiment()
		state := mustSnapshot(t, base)
		for arm, set := range arms {
			e, err := ReadSnapshot(bytes.NewReader(state), 1)
			if err != nil {
				t.Fatal(err)
			}
			q := e.Params()
			set(&q)
			if err := e.SetParams(q); err != nil {
				t.Fatal(err)
			}
			for month := range months {
				mustStep(t, e, 1)
				observe(seed, arm, month+1, e)
			}
			e.Close()
		}
	}
}

func wave(p *Params) { p.AIAdoptionRate, p.AIProductivityGain = .02, .25 }

// A wave of automation takes jobs from the exposed and income from labour. A
// robot tax slows it and brings revenue. Courses bring those who were highly
// exposed at the start back to work, also where they cost nothing and so add no
// demand.
func TestAutomationWave(t *testing.T) {
	long(t)
	const control, waved, taxed, stuck, retrained = 0, 1, 2, 3, 4
	const seeds, months = 3, 48
	arms := []func(*Params){
		control: func(*Params) {},
		waved:   wave,
		taxed:   func(p *Params) { wave(p); p.RobotTaxRate = .7 },
		stuck:   func(p *Params) { wave(p); p.AIMismatchPenalty = .8 },
		retrained: func(p *Params) {
			wave(p)
			p.AIMismatchPenalty, p.RetrainingRate, p.RetrainingCost, p.RetrainingEffect = .8, .3, 0, 1
		},
	}
	type means struct{ labourShare, high, low, wageShare, adopted, tax, startedHigh, realWage float64 }
	var mean [5]means
	var group []uint8
	pairedMonths(t, seeds, 36, months, arms, func(_, arm, month int, e *Economy) {
		if arm == control && month == 1 {
			group = bytes.Clone(e.h.exposure)
		}
		r, m := e.Latest(), &mean[arm]
		weight := 1. / (seeds * months)
		m.labourShare += weight * r.Value(LabourShare)
		m.low += weight * r.Households.Exposure[0].Unemployment
		m.high += weight * r.Households.Exposure[2].Unemployment
		m.wageShare += weight * r.Households.Exposure[2].WageShare
		m.adopted += weight * r.Value(AIAdoptionShare)
		m.tax += weight * r.Value(TaxRobot)
		m.realWage += weight * r.Value(RealWageMean)
		people, idle := 0.0, 0.0
		for h, x := range group {
			if x == 2 {
				people++
				if e.h.employer[h] == nobody {
					idle++
				}
			}
		}
		m.startedHigh += weight * idle / people
		if r.Value(TaxRobot) < 0 || r.Value(TaxRobot) > r.Value(TaxRevenue) {
			t.Fatalf("robot tax %v of taxes of %v", r.Value(TaxRobot), r.Value(TaxRevenue))
		}
	})
	t.Logf("control %+v\nwave %+v\ntaxed %+v\nstuck %+v\nretrained %+v", mean[0], mean[1], mean[2], mean[3], mean[4])
	for what, holds := range map[string]bool{
		"without AI nobody adopts or pays":           mean[control].adopted == 0 && mean[control].tax == 0,
		"a wave reaches most firms":                  mean[waved].adopted > .4,
		"a wave lowers the labour share":             mean[waved].labourShare < mean[control].labourShare-.01,
		"a wave puts the exposed out of work":        mean[waved].high > mean[control].high+.01,
		"the exposed more than others":               mean[waved].high-mean[waved].low > mean[control].high-mean[control].low+.01,
		"the exposed earn less of all wages":         mean[waved].wageShare < mean[control].wageShare-.01,
		"a wave raises real wages of those who work": mean[waved].realWage > mean[control].realWage,
		"a robot tax slows the wave": mean[taxed].adopted < mean[waved].adopted-.1 &&
			mean[taxed].labourShare > mean[waved].labourShare,
		"a robot tax brings revenue":               mean[taxed].tax > 0,
		"mismatch keeps the displaced out of work": mean[stuck].startedHigh > mean[waved].startedHigh+.005,
		"retraining brings them back":              mean[retrained].startedHigh < mean[stuck].startedHigh-.005,
	} {
		if !holds {
			t.Errorf("not so: %s", what)
		}
	}
}

// A gain in productivity of all firms costs jobs at first; in years 3 to 6 prices
// are lower and real wages higher.
func TestProductivityLowersPricesAndRaisesRealWages(t *testing.T) {
	long(t)
	const seeds, months = 3, 72
	arms := []func(*Params){func(*Params) {}, func(p *Params) { p.LaborProductivityFactor = 115 }}
	var prices, realWage [2]float64
	pairedMonths(t, seeds, 36, months, arms, func(_, arm, month int, e *Economy) {
		if month > 24 {
			prices[arm] += e.Latest().Value(CPI)
			realWage[arm] += e.Latest().Value(RealWageMean)
		}
	})
	if change := prices[1]/prices[0] - 1; change > -.05 || change < -.2 {
		t.Errorf("consumer prices change by %.1f %%", 100*change)
	}
	if change := realWage[1]/realWage[0] - 1; change < .07 || change > .25 {
		t.Errorf("real wages change by %.1f %%", 100*change)
	}
}

// Buyers see price and quality: twelve months later the firms that made a cheaper
// or a better product sell more of the units of their markets, in the mean of six
// economies, than on the same draws without it.
func TestBetterOffersWinBuyers(t *testing.T) {
	const seeds = 6
	p := small()
	p.InnovationProbability, p.ImitationProbability = 0, 0
	var states [seeds][]byte
	for k := range states {
		p.RandomState = k
		base := mustNew(t, p, 1)
		mustStep(t, base, 24)
		states[k] = mustSnapshot(t, base)
	}
	for name, improve := range map[string]func(e *Economy, i int){
		"price": func(e *Economy, i int) {
			e.f.productivity[i], e.f.price[i] = cheaperProcess(e.f.productivity[i], e.f.price[i], .05)
		},
		"attribute": func(e *Economy, i int) { e.f.quality[i] *= 1.05 },
	} {
		var share [2]float64
		for k := range 2 * seeds {
			arm := k % 2
			e, err := ReadSnapshot(bytes.NewReader(states[k/2]), 1)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(e.Close)
			for i := 0; arm == 1 && i < e.consumptionFirms; i += 5 {
				improve(e, i)
			}
			mustStep(t, e, 12)
			for i := 0; i < e.consumptionFirms; i += 5 {
				share[arm] += e.UnitShares(nil)[i]
			}
		}
		if rise := share[1]/share[0] - 1; rise < .01 || rise > 1 {
			t.Errorf("%s: the shares of the improved rise by %.1f %% in a year", name, 100*rise)
		}
	}
}
