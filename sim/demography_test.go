package sim

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

// aged is a small economy with demography.
func aged() Params {
	p := thousand()
	p.EnableDemography = true
	return p
}

func TestAgeHazard(t *testing.T) {
	for _, test := range []struct {
		group       uint8
		shift, want float64
	}{
		{ageYoung, 0, 1. / 120}, {agePrime, 0, 1. / 300}, {ageOlder, 0, 1. / 120}, {ageRetired, 0, 1. / 204},
		{ageYoung, 5, 1. / 120}, {agePrime, 5, 1. / 300}, {ageOlder, 5, 1. / 180}, {ageRetired, 5, 1. / 144},
		{ageOlder, -5, 1. / 60}, {ageRetired, 10, 1. / 84},
	} {
		near(t, "hazard", ageHazard(test.group, test.shift), test.want)
	}
}

func TestFlowRates(t *testing.T) {
	for _, test := range []struct {
		growth, migration           float64
		wantComers, births, wantOut float64
	}{
		{0, 0, 0, 0, 0},
		{.024, 0, 2, 1, 0}, // .024/12 x 1000
		{0, .01, 10, 0, 0},
		{.012, .003, 4, .25, 0},
		{-.012, .003, 3, 0, .001},
		{.012, -.003, 1, 1, .003},
		{-.012, -.003, 0, 0, .004},
	} {
		comers, births, exit := flowRates(test.growth, test.migration, 1000)
		near(t, "newcomers", comers, test.wantComers)
		near(t, "share born", births, test.births)
		near(t, "leavers", exit, test.wantOut)
	}
}

func TestFamilies(t *testing.T) {
	p := aged()
	p.PopulationReserve = .5
	e := mustNew(t, p, 1)
	sizes, vacant := [7]int{}, 0
	for h := range e.households() {
		size := e.familySize(h)
		sizes[size]++
		want := 2
		if size < 2 {
			want = size
		}
		if e.adults(h) != want {
			t.Fatalf("%d adults in a family of %d", e.adults(h), size)
		}
		if e.isAbsent(h) {
			vacant++
		}
	}
	if e.households() != 1500 || vacant != 500 || sizes[0] != vacant || e.people.present != 1000 {
		t.Errorf("%d rows, %d of them vacant, %d without members, %d present", e.households(), vacant, sizes[0], e.people.present)
	}
	for size, share := range familySizes {
		within(t, "families of a size", float64(sizes[size+1])/1000, share, .05)
	}
	// Markets have vacant rows alike.
	q := small()
	q.EnableDemography, q.PopulationReserve = true, .25
	e = mustNew(t, q, 1)
	vacancies := make([]int, e.localMarkets)
	for h := range e.households() {
		if e.isAbsent(h) {
			vacancies[e.marketOf(h)]++
		}
	}
	for _, n := range vacancies {
		within(t, "vacant rows of a market", float64(n), 500/float64(e.localMarkets), 1)
	}
	if off := mustNew(t, thousand(), 1); off.isAbsent(3) || !off.inForce(3) || off.familySize(3) < 1 {
		t.Error("somebody is missing without demography")
	}
}

// The shares of the groups stay at the durations over their sum.
func TestAgesAreStationary(t *testing.T) {
	p := aged()
	e := mustNew(t, p, 2)
	years := 0.0
	for _, y := range groupYears {
		years += y
	}
	for range 2 {
		mustStep(t, e, 120)
		d := &e.Latest().Households
		total, force, unemployed := 0, 0, 0.0
		rates := [...]float64{p.ParticipationRateYoung, p.ParticipationRatePrime, p.ParticipationRateOlder, 0}
		for k, n := range d.Population {
			within(t, "share of an age group", float64(n)/1000, groupYears[k]/years, .06)
			within(t, "participation of an age group", float64(d.LabourForce[k])/float64(n), rates[k], .09)
			total += n
			force += d.LabourForce[k]
			unemployed += d.Unemployment[k] * float64(d.LabourForce[k])
		}
		v := e.Latest().Values
		if total != 1000 || v[Population] != 1000 {
			t.Errorf("%d households in the groups, %v in all", total, v[Population])
		}
		near(t, "participation", v[ParticipationRate], float64(force)/1000)
		near(t, "unemployment", v[UnemploymentRate], unemployed/float64(force))
		near(t, "employment", v[EmploymentRate], (float64(force)-unemployed)/1000)
	}
	checkEmployment(t, e)
	if err := e.checkLinks(); err != nil {
		t.Error(err)
	}
}

func TestParticipationLasts(t *testing.T) {
	e := mustNew(t, aged(), 1)
	const group, rate, households = agePrime, .9, 4000
	state := make([]bool, households)
	changes, in := 0, 0
	for month := range 180 {
		e.m.Month = int64(month)
		e.setVitals()
		e.vitals.participation[group] = rate
		for h := range state {
			now := e.vitals.participates(h, group)
			if month > 0 && now != state[h] {
				changes++
			}
			state[h] = now
			if now {
				in++
			}
		}
	}
	within(t, "share that takes part", float64(in)/households/180, rate, .005)
	// Once in 60 months a new draw, which differs with probability 2 x .9 x .1.
	within(t, "changes a month", float64(changes)/households/179, 2*.9*.1/60, .0002)
}

func TestPensions(t *testing.T) {
	p := aged()
	p.PensionReplacementRate, p.PensionContributionRate, p.TaxAllowance, p.IncomeTaxRate = .5, .1, 0, .2
	e := mustNew(t, p, 1)
	mustStep(t, e, 1)
	e.m.TaxScale, e.m.Pool = 1, 0
	e.rates = rates{basicIncome: 70, contribution: .1}
	e.setTaxRates()
	clear(e.f.wageBill)
	e.f.wage[2] = 2000
	for h, age := range []uint8{ageRetired, agePrime, agePrime | inWorkforce, agePrime | inWorkforce, ageAbsent} {
		e.h.age[h], e.h.employer[h] = age, nobody
		e.h.skill[h], e.h.deposits[h], e.h.lastWage[h], e.h.idle[h] = 1000, 0, 4001, 0
	}
	e.h.employer[3] = 2
	sum := new(tally)
	e.receiveIncome(span{lo: 0, hi: 5, sum: sum})
	for h, want := range []int64{
		2070, // .5 x 4001 + 70
		70,   // neither work nor a benefit
		2070, // unemployed
		1470, // 2000 - .2 x 2000 - .1 x 2000 + 70
		0,
	} {
		if e.h.income[h] != want {
			t.Errorf("household %d has %d, want %d", h, e.h.income[h], want)
		}
	}
	if sum.count[sumPensions] != 2000 || sum.count[sumBasicIncome] != 280 || sum.count[sumIncomeTax] != 600 {
		t.Errorf("pensions %d, basic income %d, taxes %d", sum.count[sumPensions], sum.count[sumBasicIncome], sum.count[sumIncomeTax])
	}

	// An injection for the retired, and means-tested benefits for all who live here.
	e.inject = injections{any: true}
	e.inject.groups[toRetired] = 100
	e.rates.minimumIncome, e.p.MinimumIncomeTaper = 3000, 1
	e.receiveIncome(span{lo: 0, hi: 5, sum: new(tally)})
	for h, want := range []int64{3100, 3000, 3000, 2400, 0} { // the worker pays taxes of 600
		if e.h.income[h] != want {
			t.Errorf("household %d has %d, want %d", h, e.h.income[h], want)
		}
	}

	// Pensions follow the mean wage.
	e = mustNew(t, p, 1)
	mustStep(t, e, 1)
	for h := range e.h.age {
		e.h.age[h], e.h.lastWage[h] = ageRetired, 1_000_000
	}
	e.m.IndexedWage = e.m.MeanWage / 1.25
	e.renewPopulation()
	for h, age := range e.h.age {
		if age == ageRetired && e.h.lastWage[h] != 1_250_000 {
			t.Fatalf("the last wage of household %d became %d", h, e.h.lastWage[h])
		}
	}
	near(t, "wage of the next raise", e.m.IndexedWage, e.m.MeanWage)
}

func TestHeirsInherit(t *testing.T) {
	e := mustNew(t, aged(), 1)
	mustStep(t, e, 3)
	deposits, equity, skill, ages := slices.Clone(e.h.deposits), slices.Clone(e.h.equity), slices.Clone(e.h.skill), slices.Clone(e.h.age)
	for h := range e.h.age {
		if ages[h] == ageRetired {
			e.h.lastWage[h] = 5
		}
	}
	died := 0
	const months = 12
	for month := range months {
		e.m.Month++
		e.renewPopulation()
		for h, age := range e.h.age {
			if month == months-1 && ages[h] == ageRetired && age&groupBits == ageYoung {
				died++
				if e.h.deposits[h] != deposits[h] || e.h.equity[h] != equity[h] || e.h.lastWage[h] != 0 || e.h.employer[h] != nobody {
					t.Fatalf("household %d did not inherit what it should", h)
				}
				if e.h.skill[h] == skill[h] {
					t.Errorf("the heir of household %d has the same skill", h)
				}
			}
			if e.h.deposits[h] != deposits[h] || e.h.equity[h] != equity[h] {
				t.Fatalf("household %d lost its wealth", h)
			}
		}
	}
	within(t, "deaths", float64(died), months*1000*.274/204, 10)
	checkEmployment(t, e)
}

func TestEmigrantsLeaveTheirMoney(t *testing.T) {
	p := aged()
	e := mustNew(t, p, 2)
	mustStep(t, e, 6)
	p.MigrationRate = -.02
	if err := e.SetParams(p); err != nil {
		t.Fatal(err)
	}
	left := 0.0
	for range 12 {
		left += .02 * float64(e.people.present)
		mustStep(t, e, 1)
		if e.flow.estates <= 0 {
			t.Fatal("nobody left anything")
		}
	}
	within(t, "leavers", 1000-float64(e.people.present), left, 40)
	if err := e.checkLinks(); err != nil {
		t.Error(err)
	}
	sum := int64(0)
	for h := range e.h.age {
		sum += int64(e.h.equity[h])
		if e.isAbsent(h) && e.h.income[h]+e.h.spending[h]+e.h.lastWage[h]+int64(e.h.permanent[h]) != 0 {
			t.Errorf("row %d is vacant and has an income of %d", h, e.h.income[h])
		}
	}
	if sum != e.m.EquityUnit {
		t.Errorf("equity weights add up to %d, the sum kept is %d", sum, e.m.EquityUnit)
	}
	// Nobody leaves from a quarter of the first population on.
	mustStep(t, e, 80)
	within(t, "least population", float64(e.people.present), 250, 20)
}

func TestNewcomersTakeVacantRows(t *testing.T) {
	p := aged()
	p.PopulationReserve = .3
	e := mustNew(t, p, 2)
	mustStep(t, e, 6)
	vacant := map[int]bool{}
	for h := range e.h.age {
		vacant[h] = e.isAbsent(h)
	}
	p.MigrationRate, p.PopulationGrowth = .01, .03
	e.base, e.p = p, p
	e.m.Month++
	e.renewPopulation()
	came := 0
	for h, age := range e.h.age {
		if vacant[h] && age != ageAbsent {
			came++
			if e.h.deposits[h] != 0 || e.h.employer[h] != nobody || e.h.skill[h] < 1 || age&groupBits > agePrime {
				t.Errorf("a newcomer of group %d brought %d", age&groupBits, e.h.deposits[h])
			}
		}
	}
	within(t, "newcomers", float64(came), 12.5, 9) // .01 + .03/12 of 1000
	e.m.Month--
	mustStep(t, e, 12)
	within(t, "population", e.Latest().Value(Population), 1000*math.Pow(1.0125, 12), 30)
	mustStep(t, e, 24)
	if e.people.present != 1300 {
		t.Errorf("%d households in 1300 rows after three years", e.people.present)
	}
}

// arm runs an economy on from a snapshot with other parameters and returns each month's
// values.
func arm(t *testing.T, snapshot []byte, p Params, months int) [][NumIndicators]float64 {
	t.Helper()
	e, err := ReadSnapshot(bytes.NewReader(snapshot), 2)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	if err := e.SetParams(p); err != nil {
		t.Fatal(err)
	}
	var series [][NumIndicators]float64
	for range months {
		mustStep(t, e, 1)
		series = append(series, e.Latest().Values)
	}
	return series
}

// Each change against an economy with the same seed and the same past.
func TestDemographicSigns(t *testing.T) {
	long(t)
	p := aged()
	p.PopulationReserve = .2
	tests := []struct {
		name         string
		months, from int
		change       func(*Params)
		rises, falls []Indicator
	}{
		{"higher pensions", 24, 0, func(p *Params) { p.PensionReplacementRate = .65 },
			[]Indicator{GovernmentSpending, DeficitToGDP, DebtToGDP}, []Indicator{PovertyRate}},
		{"higher contributions", 24, 0, func(p *Params) { p.PensionContributionRate = .25 },
			[]Indicator{TaxIncome}, []Indicator{RealConsumption, DeficitToGDP}},
		{"later retirement", 60, 36, func(p *Params) { p.RetirementAgeShift = 8 },
			[]Indicator{ParticipationRate, EmploymentRate, RealGDP}, []Indicator{GovernmentSpending}},
		{"less participation", 36, 12, func(p *Params) { p.ParticipationRatePrime = .75 },
			[]Indicator{PovertyRate}, []Indicator{ParticipationRate, EmploymentRate, RealGDP}},
		{"immigration", 12, 0, func(p *Params) { p.MigrationRate = .01 },
			[]Indicator{Population, ParticipationRate, UnemploymentRate}, []Indicator{EmploymentRate}},
		{"growth of the population", 48, 24, func(p *Params) { p.PopulationGrowth = .03 },
			[]Indicator{Population, RealGDP, RealConsumption}, nil},
		{"emigration", 24, 12, func(p *Params) { p.MigrationRate = -.01 },
			nil, []Indicator{Population, RealGDP, RealConsumption}},
	}
	const seeds = 3
	change := make([][NumIndicators]float64, len(tests)) // mean over months and seeds
	for seed := range seeds {
		p.RandomState = seed
		e := mustNew(t, p, 2)
		mustStep(t, e, 40)
		past := mustSnapshot(t, e)
		control := arm(t, past, p, 60)
		for k, test := range tests {
			q := p
			test.change(&q)
			for m, values := range arm(t, past, q, test.months) {
				for i, x := range values {
					if m >= test.from {
						change[k][i] += (x - control[m][i]) / float64(test.months-test.from) / seeds
					}
				}
			}
		}
	}
	for k, test := range tests {
		for _, i := range test.rises {
			t.Logf("%s: %s %+.4g", test.name, i, change[k][i])
			if change[k][i] <= 0 {
				t.Errorf("%s: %s changes by %.4g, should rise", test.name, i, change[k][i])
			}
		}
		for _, i := range test.falls {
			t.Logf("%s: %s %+.4g", test.name, i, change[k][i])
			if change[k][i] >= 0 {
				t.Errorf("%s: %s changes by %.4g, should fall", test.name, i, change[k][i])
			}
		}
	}
}

func TestDemographyAtTheCorners(t *testing.T) {
	for _, change := range []func(*Params){
		func(p *Params) {
			p.ParticipationRateYoung, p.ParticipationRatePrime, p.ParticipationRateOlder = 0, 0, 0
		},
		func(p *Params) {
			p.MigrationRate, p.PopulationGrowth, p.RetirementAgeShift = -.02, -.05, -5
			p.PensionReplacementRate, p.PensionContributionRate, p.IncomeTaxRate = 1, 0, .6
		},
		func(p *Params) {
			p.MigrationRate, p.PopulationGrowth, p.PopulationReserve, p.RetirementAgeShift = .02, .05, 1, 10
			p.PensionReplacementRate, p.PensionContributionRate, p.IncomeTaxRate, p.TaxAllowance = 0, .4, .6, 0
			p.EnableEngelCurves, p.UniversalBasicIncome = true, .1
		},
		func(p *Params) { p.MigrationRate, p.PopulationGrowth, p.PopulationReserve = -.02, .05, .1 },
		func(p *Params) {
			p.NumHouseholds, p.NumIndustries, p.MigrationRate = 100, 1, -.02
			p.ParticipationRateYoung, p.ParticipationRateOlder = 0, 0
		},
	} {
		p := aged()
		p.NumHouseholds, p.MinPerCat = 600, 1
		change(&p)
		e := sameOnThreadsAndAfterSnapshot(t, p, 60)
		if e.people.force == 0 && (e.Latest().Value(UnemploymentRate) != 0 || e.closing.employed != 0) {
			t.Errorf("unemployment of %v among nobody", e.Latest().Value(UnemploymentRate))
		}
	}
}

func TestDemographyOffIsNeutral(t *testing.T) {
	p := thousand()
	plain := mustNew(t, p, 1)
	p.ParticipationRatePrime, p.PensionReplacementRate, p.PensionContributionRate, p.RetirementAgeShift = .5, 1, .4, 5
	p.PopulationReserve, p.PopulationGrowth, p.MigrationRate = .5, .05, .02
	idle := mustNew(t, p, 1)
	mustStep(t, plain, 12)
	mustStep(t, idle, 12)
	if plain.StateHash() != idle.StateHash() || !sameRecord(plain.Latest(), idle.Latest()) {
		t.Error("parameters of demography act without it")
	}
}

func TestAuditSeesPensionsAndEstates(t *testing.T) {
	p := aged()
	p.MigrationRate = -.02
	moved := func(e *Economy) bool { return e.flow.pensions != 0 && e.flow.estates != 0 }
	auditSees(t, p, 2, moved, []misbooking{
		{"a pension not paid", func(e *Economy) { e.flow.pensions-- }, "disposable income"},
		{"an estate that is lost", func(e *Economy) { e.flow.estates-- }, "households: change of deposits"},
		{"an estate that the pool did not get", func(e *Economy) { e.m.Pool--; e.m.Banks[0].Equity++ }, "bank: change of equity"},
		{"a pension without a debt", func(e *Economy) {
			e.flow.pensions++
			e.flow.disposable++
			e.h.deposits[0]++
			e.m.Banks[0].Equity--
		}, "bank: change of equity"},
		{"a worker who has retired", func(e *Economy) {
			for h, i := range e.h.employer {
				if i != nobody {
					e.h.employer[h], e.h.age[h] = nobody, ageRetired
					return
				}
			}
		}, "employed = sum of heads"},
	})
	e := mustNew(t, p, 1)
	mustStep(t, e, 2)
	e.OnPhase(func(name string) {
		if name == "demography" {
			e.h.deposits[7]++
		}
	})
	if err := e.Step(); err == nil {
		t.Error("a subunit made in demography went unnoticed")
	}
}

func TestBrokenAgesAreRefused(t *testing.T) {
	for _, test := range []struct {
		name string
		bend func(*Economy, int)
	}{
		{"a worker outside the labour force", func(e *Economy, h int) { e.h.age[h] = agePrime }},
		{"a pensioner who seeks work", func(e *Economy, h int) { e.h.employer[h], e.h.age[h] = nobody, ageRetired|inWorkforce }},
		{"a group that does not exist", func(e *Economy, h int) { e.h.employer[h], e.h.age[h] = nobody, 6 }},
		{"an unknown flag", func(e *Economy, h int) { e.h.age[h] |= 64 }},
		{"money in a vacant row", func(e *Economy, h int) { e.h.employer[h], e.h.age[h] = nobody, ageAbsent }},
		{"no wage for pensions", func(e *Economy, h int) { e.m.IndexedWage = 0 }},
	} {
		e := mustNew(t, aged(), 1)
		h := 0
		for e.h.employer[h] == nobody {
			h++
		}
		test.bend(e, h)
		if r, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, e)), 1); err == nil {
			r.Close()
			t.Errorf("%s was read", test.name)
		}
	}
}

func TestDemographyDoesNotAllocate(t *testing.T) {
	p := aged()
	p.PopulationReserve, p.MigrationRate, p.EnableEngelCurves = .2, .001, true
	e := mustNew(t, p, 2)
	mustStep(t, e, 3)
	if n := testing.AllocsPerRun(10, func() { mustStep(t, e, 1) }); n > 0 {
		t.Errorf("%v allocations a month", n)
	}
}
