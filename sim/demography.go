package sim

import "sync/atomic"

// NumAgeGroups is the number of age groups of the heads of households.
const NumAgeGroups = 4

// Age groups of the heads of households: 15 to 29 years, 30 to 54, 55 to 64, 65 and older.
const (
	ageYoung uint8 = iota
	agePrime
	ageOlder
	ageRetired
	ageAbsent // nobody lives in the row
)

// The age column holds the group in its lowest bits and whether the head takes part in
// the labour market. Without demography there is no such column.
const (
	groupBits   uint8 = 7
	inWorkforce uint8 = 8
)

// groupYears is how long a head stays in each group in the mean, years: from the
// foundation of a household at 20 to death at 82. Stylised. With constant
// hazards the groups' shares in a constant population are as their durations.
var groupYears = [NumAgeGroups]float64{10, 25, 10, 17}

const (
	participationSpell = 60  // months for which a head keeps the decision to work
	leastPopulation    = .25 // of num_households, below which nobody leaves
	youngMigrants      = .5  // share of immigrants who are young; the others are of prime age
)

// people counts the households of the month.
type people struct {
	present int64 // households that live in the economy
	force   int64 // of them, with a head in the labour force
	adults  int64
}

// vitals are the month's probabilities.
type vitals struct {
	entry, exit   float64 // of a vacant row, of a household
	births        float64 // share of newcomers that are founded here
	ageing        [NumAgeGroups]float64
	participation [ageRetired]float64
	pensionGrowth float64
	draws         draws
	spells        [2]spell // of the present spells of participation: those that began earlier, and later
	spellMonth    int
}

// spell holds the draws of a spell of participation, which begins in a month of its own for
// each head.
type spell struct {
	draws    draws
	before   draws // of those whose spell began before [Economy.Reseed]
	beforeIs int   // for them, h % participationSpell is this or more
}

// isAbsent says whether nobody lives in a row.
func (e *Economy) isAbsent(h int) bool { return e.h.age != nil && e.h.age[h] == ageAbsent }

// isUnemployed says whether the head of a household seeks work and has none.
func (e *Economy) isUnemployed(h int) bool { return e.h.employer[h] == nobody && e.inForce(h) }

// inForce says whether the head of a household has or seeks work.
func (e *Economy) inForce(h int) bool { return e.h.age == nil || e.h.age[h]&inWorkforce != 0 }

// ageHazard is the monthly probability that a head leaves an age group. A later
// retirement lengthens work and shortens retirement by as many years.
func ageHazard(group uint8, shift float64) float64 {
	years := groupYears[group]
	switch group {
	case ageOlder:
		years += shift
	case ageRetired:
		years -= shift
	}
	return 1 / (12 * years)
}

// flowRates turns the growth of the population (a year) and migration (a month), as shares
// of the households, into the number of newcomers, the part of them who were born
// here, and the share that leaves.
func flowRates(growth, migration float64, present int64) (comers, births, exit float64) {
	born, moved := positive(growth)/12, positive(migration)
	if born+moved > 0 {
		births = born / (born + moved)
	}
	return (born + moved) * float64(present), births, positive(-growth)/12 + positive(-migration)
}

// setVitals prepares the month's probabilities.
func (e *Economy) setVitals() {
	p, v := &e.p, &e.vitals
	var comers float64
	comers, v.births, v.exit = flowRates(p.PopulationGrowth, p.MigrationRate, e.people.present)
	v.entry = comers / max(float64(int64(e.households())-e.people.present), 1)
	if float64(e.people.present) <= leastPopulation*float64(p.NumHouseholds) {
		v.exit = 0
	}
	for group := range v.ageing {
		v.ageing[group] = ageHazard(uint8(group), p.RetirementAgeShift)
	}
	v.participation = [ageRetired]float64{p.ParticipationRateYoung, p.ParticipationRatePrime, p.ParticipationRateOlder}
	v.pensionGrowth = e.m.MeanWage / e.m.IndexedWage
	v.draws = e.draws(forAgeing)
	number := int(e.m.Month) / participationSpell
	v.spells = [2]spell{e.spell(number), e.spell(number + 1)}
	v.spellMonth = int(e.m.Month) % participationSpell
}

// spell returns the draws of the spells of a number, which begin in the months from
// participationSpell * number - (participationSpell - 1) to participationSpell * number.
func (e *Economy) spell(number int) spell {
	return spell{
		draws:    newDraws(e.seed, number, forParticipation),
		before:   newDraws(uint64(e.base.RandomState), number, forParticipation),
		beforeIs: participationSpell*number - int(e.m.FirstMonth),
	}
}

// participates says whether a head of working age takes part in the labour market, by
// comparing a number that is drawn anew every five years with the rate of the group.
func (v *vitals) participates(h int, group uint8) bool {
	phase, s := h%participationSpell, &v.spells[0]
	if phase+v.spellMonth >= participationSpell {
		s = &v.spells[1]
	}
	drawn := s.draws
	if phase >= s.beforeIs {
		drawn = s.before
	}
	return drawn.uniform(h, 0) < v.participation[group]
}

// firstPeople gives the first households their ages, and leaves the rows of the reserve,
// spread evenly over the markets, vacant.
func (e *Economy) firstPeople() {
	rows, n := e.households(), e.p.NumHouseholds
	e.census()
	if !e.p.EnableDemography {
		return
	}
	e.setVitals()
	total := 0.0
	for _, hazard := range e.vitals.ageing {
		total += 1 / hazard
	}
	for h := range e.h.age {
		if (h+1)*n/rows == h*n/rows {
			e.m.EquityUnit -= int64(e.h.equity[h])
			e.vacate(h)
			continue
		}
		group := pick(e.vitals.draws.uniform(h, 0), NumAgeGroups, func(g int) float64 { return 1 / e.vitals.ageing[g] / total })
		e.setAge(h, uint8(group))
		if !e.inForce(h) { // what they are used to is a pension, not a wage
			pension, _ := e.outsideSupport(h)
			e.h.permanent[h], e.h.planned[h] = float64(pension), pension
		}
	}
	e.census()
}

// setAge puts a head into an age group and, where that is one of working age, in the
// labour force or out of it.
func (e *Economy) setAge(h int, group uint8) {
	if group < ageRetired && e.vitals.participates(h, group) {
		group |= inWorkforce
	}
	e.h.age[h] = group
}

// vacate empties a row. Its suppliers stay, and go on following the market, so
// that who comes later shops where others do.
func (e *Economy) vacate(h int) {
	e.h.age[h] = ageAbsent
	e.h.deposits[h], e.h.equity[h], e.h.lastWage[h], e.h.idle[h] = 0, 0, 0, 0
	e.h.permanent[h], e.h.income[h], e.h.spending[h], e.h.planned[h] = 0, 0, 0, 0
}

// settle founds a household in a row: with a skill of its own, without a job or a right to
// benefits.
func (e *Economy) settle(h int, group uint8) {
	e.h.age[h] = group
	e.h.skill[h] = drawSkill(e.vitals.draws.normal(h, 2), e.p.SkillDispersion, e.p.SkillTail)
	if e.h.ability != nil {
		e.h.ability[h] = e.h.skill[h]
	}
	e.h.lastWage[h], e.h.idle[h] = 0, 0
	e.h.exposure[h] &= exposureGroup
}

// census counts the households.
func (e *Economy) census() {
	e.people = people{}
	for h := range e.households() {
		if !e.isAbsent(h) {
			e.people.present++
		}
		if e.inForce(h) {
			e.people.force++
		}
		e.people.adults += int64(e.adults(h))
	}
}

// renewPopulation lets heads of households age, die and be succeeded, lets households
// come and go, and renews who takes part in the labour market.
func (e *Economy) renewPopulation() {
	if !e.p.EnableDemography {
		return
	}
	e.setVitals()
	t := e.overHouseholds((*Economy).ageHouseholds)
	e.people = people{t.count[sumPresent], t.count[sumForce], t.count[sumAdults]}
	e.separations = t.count[sumSeparations]
	e.flow.estates = t.count[sumEstates]
	e.flow.forgiven = t.count[sumForgiven]
	e.m.Pool += e.flow.estates
	e.m.EquityUnit = max(1, e.m.EquityUnit-t.count[sumEquityLost])
	e.m.IndexedWage = e.m.MeanWage
}

func (e *Economy) ageHouseholds(s span) {
	v, t := &e.vitals, s.sum
	for h := s.lo; h < s.hi; h++ {
		group := e.h.age[h] & groupBits
		switch {
		case group == ageAbsent:
			if v.draws.uniform(h, 0) >= v.entry {
				continue
			}
			group = ageYoung
			if u := v.draws.uniform(h, 1); u >= v.births && u-v.births >= youngMigrants*(1-v.births) {
				group = agePrime
			}
			e.settle(h, group)
		case v.exit > 0 && v.draws.uniform(h, 0) < v.exit:
			e.endJob(h, t)
			e.forgive(h, s)
			t.count[sumEstates] += e.h.deposits[h]
			t.count[sumEquityLost] += int64(e.h.equity[h])
			e.vacate(h)
			continue
		case v.draws.uniform(h, 1) < v.ageing[group]:
			if group++; group == ageAbsent { // the heir has what the dead owned
				group = ageYoung
				e.settle(h, group)
			}
		}
		e.setAge(h, group)
		if e.h.age[h]&inWorkforce != 0 {
			t.count[sumForce]++
		} else {
			e.endJob(h, t)
		}
		if group == ageRetired {
			e.h.lastWage[h] = int64(float64(e.h.lastWage[h]) * v.pensionGrowth)
		}
		t.count[sumPresent]++
		t.count[sumAdults] += int64(e.adults(h))
	}
}

// endJob takes a household that has one out of its job.
func (e *Economy) endJob(h int, t *tally) {
	i := e.h.employer[h]
	if i == nobody {
		return
	}
	e.h.employer[h] = nobody
	e.h.idle[h] = 0
	atomic.AddInt64(&e.f.labour[i], -int64(e.h.skill[h]))
	atomic.AddInt32(&e.f.heads[i], -1)
	t.count[sumSeparations]++
}

// outsideSupport is what the government pays a household whose head is not in the labour
// force: a pension in retirement, and basic income where somebody lives.
func (e *Economy) outsideSupport(h int) (pension, basic int64) {
	switch e.h.age[h] {
	case ageAbsent:
		return 0, 0
	case ageRetired:
		pension = int64(e.p.PensionReplacementRate * float64(e.h.lastWage[h]))
	}
	return pension, e.rates.basicIncome
}

// measureAges fills in the month's population, labour force and unemployment by age group.
func (d *HouseholdSummary) measureAges(groups *[NumAgeGroups][NumWorkStatuses]groupSums) {
	for k := range groups {
		g, employed := addedUp(groups[k][:]), groups[k][Employed].people
		force := employed + groups[k][Unemployed].people
		d.Population[k], d.LabourForce[k] = int(g.people), int(force)
		all := g.group()
		d.ByAge[k] = Levels{all.Income, all.Consumption, all.Wealth}
		d.Unemployment[k] = 1 - ratio(float64(employed), float64(force))
	}
}

// checkAges refuses ages that contradict what else a row holds.
func (e *Economy) checkAges() error {
	for h, age := range e.h.age {
		group, working, employer := age&^inWorkforce, age&inWorkforce != 0, e.h.employer[h]
		if group > ageAbsent || working && group >= ageRetired || !working && employer != nobody ||
			group == ageAbsent && (e.h.deposits[h] != 0 || e.h.equity[h] != 0) {
			return broken("households.age", "row %d: age %d with employer %d and deposits %d", h, age, employer, e.h.deposits[h])
		}
	}
	if e.h.age != nil && !(e.m.IndexedWage > 0) {
		return broken("macro", "the wage to which pensions are tied is %v; allowed are numbers above zero", e.m.IndexedWage)
	}
	return nil
}
