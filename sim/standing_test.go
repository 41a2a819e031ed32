package sim

import (
	"bytes"
	"math"
	"slices"
	"testing"
)

// standingParams are small economies whose standing is worth a look.
func standingParams(change func(*Params)) Params {
	p := small()
	p.BurnInMonths = 12
	change(&p)
	return p
}

// burntSnapshot is the end of a burn-in, and the economy that went on from there.
func burntSnapshot(t *testing.T, p Params) ([]byte, *Economy) {
	t.Helper()
	e := mustNew(t, p, 2)
	mustStep(t, e, p.BurnInMonths)
	e.BeginExperiment()
	return mustSnapshot(t, e), e
}

func restored(t *testing.T, snapshot []byte, threads int) *Economy {
	t.Helper()
	e, err := ReadSnapshot(bytes.NewReader(snapshot), threads)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

// Arms that begin in one burnt-in economy have the same households in each group, whatever
// their parameters are from month 1 on, and wherever the economy was read from.
func TestArmsShareTheirStanding(t *testing.T) {
	for name, change := range map[string]func(*Params){
		"plain":      func(*Params) {},
		"everything": everythingOn,
		"ces":        func(p *Params) { p.ProductionFunction = "cobb_douglas" },
	} {
		p := standingParams(change)
		snapshot, lived := burntSnapshot(t, p)
		if lived.h.standing != nil {
			t.Fatalf("%s: groups before month 1", name)
		}
		control, treatment := restored(t, snapshot, 1), restored(t, snapshot, 3)
		q := p
		q.IncomeTaxRate, q.ConsumptionMarkUp, q.SeparationRate = .5, .9, .2
		q.AILicenceFee = .9 * q.AILicenceFee
		if err := treatment.SetParams(q); err != nil {
			t.Fatal(err)
		}
		if a, b, c := lived.bookValue(), control.bookValue(), treatment.bookValue(); a != b || b != c {
			t.Errorf("%s: what wealth is counted by is %v, %v and %v", name, a, b, c)
		}
		for _, e := range []*Economy{lived, control, treatment} {
			mustStep(t, e, 1)
		}
		if !slices.Equal(lived.h.standing, control.h.standing) || !slices.Equal(control.h.standing, treatment.h.standing) {
			t.Errorf("%s: groups differ between arms, or between a burnt-in economy and its snapshot", name)
		}
		if !sameRecord(lived.Latest(), control.Latest()) {
			t.Errorf("%s: another record after the snapshot", name)
		}
		mustStep(t, treatment, 2)
		if !slices.Equal(control.h.standing, treatment.h.standing) {
			t.Errorf("%s: households changed their groups", name)
		}
	}
}

// A run that is resumed from a checkpoint, on any number of threads, has the records of
// one that was not interrupted, and the groups are no part of the state's hash.
func TestStandingOutlivesASnapshot(t *testing.T) {
	_, straight := burntSnapshot(t, standingParams(everythingOn))
	mustStep(t, straight, 5)
	kept := mustSnapshot(t, straight)
	hash := straight.StateHash()
	mustStep(t, straight, 5)
	for _, threads := range []int{1, 3} {
		resumed := restored(t, kept, threads)
		if resumed.StateHash() != hash {
			t.Error("another state after the snapshot")
		}
		mustStep(t, resumed, 5)
		if !sameRecord(resumed.Latest(), straight.Latest()) {
			t.Errorf("%d threads: another record after the snapshot", threads)
		}
		resumed.h.standing = nil // as from a program that did not know of it
		if resumed.StateHash() != straight.StateHash() {
			t.Error("the groups are part of the state")
		}
		mustStep(t, resumed, 1)
		if resumed.Latest().Households.Standing != (Standing{}) {
			t.Error("groups out of nothing")
		}
	}
	straight.h.standing[3] = int16(standingCells + 1)
	if _, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, straight)), 1); err == nil {
		t.Error("a household in no cell was not refused")
	}
}

// Each grouping holds all households that were there before month 1, in equal parts, and
// their incomes weigh up to those of all.
func TestStandingAddsUp(t *testing.T) {
	for name, change := range map[string]func(*Params){
		"plain": func(*Params) {}, "demography": func(p *Params) { p.EnableDemography = true },
	} {
		p := standingParams(change)
		_, e := burntSnapshot(t, p)
		present, unemployed := e.people.present, 0
		for h := range e.h.employer {
			if !e.isAbsent(h) && e.isUnemployed(h) {
				unemployed++
			}
		}
		mustStep(t, e, 1)
		d := &e.Latest().Households
		for grouping, groups := range map[string][]Group{
			"income": d.Standing.ByIncome[:], "wealth": d.Standing.ByWealth[:],
			"work": d.Standing.ByWork[:], "skill": d.Standing.BySkill[:],
		} {
			people, income := 0, 0.
			for g, group := range groups {
				people += group.Households
				income += float64(group.Households) * group.Income
				if share := float64(present) / float64(len(groups)); grouping != "work" && math.Abs(float64(group.Households)-share) > 1 {
					t.Errorf("%s: %d households in group %d by %s, want %.1f", name, group.Households, g+1, grouping, share)
				}
			}
			if total := d.Income.Mean * float64(present); people != int(present) || math.Abs(income/total-1) > 1e-12 {
				t.Errorf("%s: %d households by %s earn %v; %d earn %v", name, people, grouping, income, present, total)
			}
		}
		s := &d.Standing
		if s.ByWork[Unemployed].Households != unemployed || (s.ByWork[OutsideLabourForce].Households > 0) != p.EnableDemography {
			t.Errorf("%s: by work %+v; %d were unemployed", name, s.ByWork, unemployed)
		}
		for g := range 9 {
			if s.ByIncome[g].Income >= s.ByIncome[g+1].Income && g != 0 { // who lost a job may have found one
				t.Errorf("%s: tenth %d by income earns %v, the next %v", name, g+1, s.ByIncome[g].Income, s.ByIncome[g+1].Income)
			}
		}
		if !(s.BySkill[0].Income < s.BySkill[1].Income && s.BySkill[1].Income < s.BySkill[2].Income &&
			s.ByWealth[0].Income < s.ByWealth[9].Income) {
			t.Errorf("%s: by skill %v, by wealth %v", name, s.BySkill, s.ByWealth)
		}
	}
}

// The ranks are those of the state itself, counted here in another way: nobody in a lower
// tenth has more than anybody in a higher one.
func TestStandingIsByRank(t *testing.T) {
	_, e := burntSnapshot(t, standingParams(func(*Params) {}))
	e.equityValue = 0
	wealth := make([]float64, e.households())
	e.EachHousehold(func(h int, v HouseholdView) { wealth[h] = v.NetWorth }) // deposits alone
	permanent := slices.Clone(e.h.permanent)
	per := e.bookValue() / float64(e.m.EquityUnit)
	e.recordStanding()
	for what, x := range map[string]struct {
		of func(h int) float64
		g  func(cell int) int
		n  int
	}{
		"income": {func(h int) float64 { return permanent[h] }, func(cell int) int { return groupsOfCell(cell)[0] }, 10},
		"wealth": {func(h int) float64 { return wealth[h]*subunit + per*float64(e.h.equity[h]) },
			func(cell int) int { return groupsOfCell(cell)[1] - 10 }, 10},
		"skill": {func(h int) float64 { return float64(e.h.skill[h]) },
			func(cell int) int { return groupsOfCell(cell)[3] - 20 - int(NumWorkStatuses) }, NumSkillGroups},
	} {
		low, high := make([]float64, x.n), make([]float64, x.n)
		for g := range low {
			low[g], high[g] = math.Inf(1), math.Inf(-1)
		}
		for h, cell := range e.h.standing {
			g := x.g(int(cell))
			low[g], high[g] = min(low[g], x.of(h)), max(high[g], x.of(h))
		}
		for g := range x.n - 1 {
			if high[g] > low[g+1]+1 { // a subunit of rounding
				t.Errorf("by %s: group %d reaches up to %v, the next begins at %v", what, g+1, high[g], low[g+1])
			}
		}
	}
}

// Who comes into a row that was vacant before month 1 is in no group; an heir is in the
// group of the dead.
func TestStandingUnderDemography(t *testing.T) {
	p := standingParams(func(p *Params) {
		p.EnableDemography, p.PopulationReserve, p.PopulationGrowth, p.MigrationRate = true, .2, .05, .002
	})
	_, e := burntSnapshot(t, p)
	before := e.people.present
	mustStep(t, e, 24)
	people := 0
	for _, g := range e.Latest().Households.Standing.ByIncome {
		people += g.Households
	}
	if now := e.people.present; now <= before || people != int(before) {
		t.Errorf("%d households of %d before, %d now", people, before, now)
	}
}
