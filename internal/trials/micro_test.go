package trials

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// All facts but one are measured in any economy, whatever the threads.
func TestMicro(t *testing.T) {
	s := tiny(t)
	s.Params.NumHouseholds, s.BurnIn.NumHouseholds = 3000, 3000 // ten firms of five people in an industry
	s.Params.OwnershipRisk, s.BurnIn.OwnershipRisk = 0, 0       // the tail of wealth is drawn at the start
	hold := func(threads int) *Table {
		table, err := Micro(t.Context(), s, 2, threads, run.Cache{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	table := hold(2)
	if len(table.Facts) != 28 {
		t.Fatalf("%d facts", len(table.Facts))
	}
	for _, f := range table.Facts {
		imposed := f.Number == 25
		if f.Parts[0].Computed() == imposed || f.Pass && imposed {
			t.Errorf("%d: %v, pass %v", f.Number, f.Parts[0].Values, f.Pass)
		}
	}
	shares := []int{5, 6, 7, 9, 13, 15, 16, 17, 21, 22, 26, 28}
	for _, n := range shares {
		for _, x := range table.fact(n).Parts[0].Values {
			if !(x >= 0 && x <= 1) {
				t.Errorf("%d is a share: %g", n, x)
			}
		}
	}
	if one := hold(1); one.Markdown() != table.Markdown() {
		t.Error("the threads change the table")
	}
	if text := table.Markdown(); !strings.Contains(text, "| 25 | Pareto exponent") || !strings.Contains(text, "not computed") {
		t.Error(text)
	}
}

// Where ownership changes hands the tail of wealth is measured, too.
func TestTailOfWealthIsMeasured(t *testing.T) {
	s := tiny(t)
	s.Params.OwnershipRisk, s.BurnIn.OwnershipRisk = .35, .35
	table, err := Micro(t.Context(), s, 1, 2, run.Cache{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if f := table.fact(25); !f.Parts[0].Computed() || !(f.Parts[0].Values[0] > 1) {
		t.Errorf("the exponent of wealth is %v", f.Parts[0].Values)
	}
}

// What is counted household by household and firm by firm is what the records of the economy say.
func TestPanelsAgreeWithRecords(t *testing.T) {
	const months = 24
	var p microPanel
	var found, searching, exits, firms float64
	_, err := run.Simulation{
		Arms: []run.Arm{{Name: "tiny", Scenario: tiny(t)}}, Seeds: run.Seeds(1, 1), Months: months,
		Observe: func(_, _ int, e *sim.Economy) error {
			unemployed := 0.
			for _, h := range p.households {
				if h.work == sim.Unemployed {
					unemployed++
				}
			}
			before := p.flows[1]
			p.observe(e)
			r := e.Latest()
			if p.month > 1 && unemployed > 0 {
				found += float64(p.flows[1] - before)
				searching += unemployed
			}
			if p.month > 1 {
				exits += r.Value(sim.FirmExits)
			}
			firms += r.Value(sim.FirmCount)
			return nil
		},
	}.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	f := p.facts()
	if got := f[16]; math.Abs(got-found/searching) > 1e-12 {
		t.Errorf("unemployed who found work: %g, want %g", got, found/searching)
	}
	if p.firmMonths != int(firms) {
		t.Errorf("%d firm-months, the records have %g", p.firmMonths, firms)
	}
	if float64(p.exits) > exits {
		t.Errorf("%d firms left with their staff gone, and only %g left", p.exits, exits)
	}
	if n := len(p.rows); n == 0 || len(p.elasticity) != months/12 {
		t.Errorf("%d firm-years, %d years", n, len(p.elasticity))
	}
}

// A household's moves between states, and those of the staff of a firm.
func TestFlows(t *testing.T) {
	p := microPanel{firms: make([]microFirm, 2)}
	job := func(i int) sim.HouseholdView { return sim.HouseholdView{Work: sim.Employed, Employer: i} }
	none := sim.HouseholdView{Work: sim.Unemployed, Employer: -1}
	for _, move := range []struct {
		from microHousehold
		to   sim.HouseholdView
	}{
		{microHousehold{work: sim.Employed, employer: 0}, job(0)},
		{microHousehold{work: sim.Employed, employer: 0}, job(1)},
		{microHousehold{work: sim.Employed, employer: 1}, none},
		{microHousehold{work: sim.Unemployed, employer: -1, idle: 2}, job(1)},
		{microHousehold{work: sim.Unemployed, employer: -1, idle: 3}, none},
		{microHousehold{work: sim.Unemployed, employer: -1, idle: 9}, none},
		{microHousehold{work: sim.Unemployed, employer: -1, idle: 5}, none},
	} {
		p.count(&move.from, move.to)
	}
	if p.flows != [3]int{1, 1, 1} || p.employed != 3 || p.unemployed != 4 {
		t.Errorf("flows %v of %d and %d", p.flows, p.employed, p.unemployed)
	}
	if p.tried != [2]int{2, 1} || p.found != [2]int{1, 0} {
		t.Errorf("spells: tried %v, found %v", p.tried, p.found)
	}
	if a, b := p.firms[0], p.firms[1]; a.stay != 1 || a.left != 1 || b.stay != 0 || b.left != 1 {
		t.Errorf("staff: %+v, %+v", a, b)
	}
	p.exit(&p.firms[0]) // half of the staff is gone
	p.exit(&microFirm{stay: 3, left: 1})
	if p.exits != 1 {
		t.Errorf("%d exits", p.exits)
	}
}

// Jobs by Davis and Haltiwanger's formulas: created and destroyed over the mean of both year-ends.
func TestJobs(t *testing.T) {
	var p microPanel
	for _, f := range []microFirm{
		{seen: true, lastEmployees: 10, employees: 14}, {seen: true, lastEmployees: 10, employees: 4},
		{seen: true, lastEmployees: 6, employees: 2, exited: true}, {lastEmployees: 4, exited: true},
	} {
		p.endFirmYear(2, 0, &f)
	}
	if p.created != 6 || p.destroyed != 16 || p.byExits != 10 || p.jobs != 25 {
		t.Errorf("created %g, destroyed %g, by exits %g, of %g", p.created, p.destroyed, p.byExits, p.jobs)
	}
}

func TestShapesOfPanels(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	var firms []sizedGrowth
	for range 50_000 { // a standard deviation that falls with the power -.2 of the size (Stanley et al. 1996)
		size := 8 * random.Float64()
		firms = append(firms, sizedGrowth{size, math.Exp(-.2*size) * random.NormFloat64()})
	}
	if got := sizeSlope(firms); math.Abs(got+.2) > .01 {
		t.Errorf("slope %g", got)
	}
	if got := topShare(append([]float64{99}, make([]float64, 99)...)); got != 1 {
		t.Errorf("one of a hundred has all: %g", got)
	}
	if got := topShare([]float64{1, 1, 1, 1}); got != .25 {
		t.Errorf("all alike, four of them: %g", got)
	}
	wage := []float64{1}
	for t := range 240 { // all growth in Januaries
		g := 1.
		if t%12 == 0 {
			g = 1.02
		}
		wage = append(wage, wage[t]*g)
	}
	if got := monthShare(wage); math.Abs(got-1) > 1e-9 {
		t.Errorf("all growth in one month: %g", got)
	}
	// Ten firms of an industry, productivity x = 0, .1, ..., .9 by size: quantiles 9/10 and 1/10 are .81 and .09 (R, type 7).
	var rows []productivityRow
	for year := 1; year <= 2; year++ {
		for i := range 10 {
			rows = append(rows, productivityRow{year, i, 3, float64(i), float64(year) + .1*float64(i)})
		}
	}
	dispersion, persistence, withSize := productivityFacts(rows)
	if math.Abs(dispersion-.72) > 1e-9 || math.Abs(persistence-1) > 1e-9 || math.Abs(withSize-1) > 1e-9 {
		t.Errorf("dispersion %g, persistence %g, with size %g", dispersion, persistence, withSize)
	}
}

// A lottery pays about a tenth, and winners spend a part of it.
func TestGifts(t *testing.T) {
	s := tiny(t)
	s.Params.NumHouseholds, s.BurnIn.NumHouseholds = 2000, 2000
	const amount = 3000
	gifts, err := observeGifts(t.Context(), s, amount, 2, 0, run.Cache{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range gifts {
		won := gifts[i].winners(amount)
		if n := len(won); n < 150 || n > 250 {
			t.Errorf("%d of 2000 won", n)
		}
		if x := gifts[i].propensity(amount); !(x > .2 && x < 1.5) {
			t.Errorf("they spent %g of it", x)
		}
	}
	g := gift{}
	for h := range 10 { // the poorest fifth spends all, the richest nothing
		spent := map[bool]float64{true: 100, false: 50}[h < 2]
		if h >= 8 {
			spent = 0
		}
		g.without = append(g.without, giftHousehold{true, 10, float64(h), 0})
		g.with = append(g.with, giftHousehold{true, 110, float64(h), spent})
	}
	if a, b := g.propensity(100), g.gradient(100); math.Abs(a-.5) > 1e-9 || math.Abs(b-1) > 1e-9 {
		t.Errorf("propensity %g, gradient %g", a, b)
	}
	if got := stats.DefinedMean([]float64{(&gift{}).propensity(1)}); !math.IsNaN(got) {
		t.Errorf("nobody won: %g", got)
	}
}
