package sim

import (
	"bytes"
	"errors"
	"math"
	"testing"
)

// open is a small economy in which firms come and go.
func open() Params {
	p := small()
	p.EnableOpenEntry = true
	return p
}

// As many firms are founded as the sum of the means of all ranges says, up to one, and the mean is exact: chance says
// where, not how many.
func TestFoundersAreCounted(t *testing.T) {
	got, want := 0.0, 0.0
	for seed := range 24 {
		p := open()
		p.NumHouseholds, p.RandomState = 1200, seed
		e := mustNew(t, p, 1)
		mustStep(t, e, 2)
		profits := e.surveyProfits()
		mean := 0.0
		for r := range e.living {
			profit := profits[r/e.localMarkets] * float64(e.founders[r]) / float64(max(e.living[r], 1))
			mean += entryIntensity(&p, profit) * float64(e.founders[r]) / 12
		}
		e.m.Pool, e.founded = 1<<50, 0
		e.foundFirms(profits)
		if n := float64(e.founded); math.Abs(n-mean) >= 1 {
			t.Errorf("seed %d: %v firms founded, the mean is %v", seed, n, mean)
		}
		got, want = got+float64(e.founded)/24, want+mean/24
	}
	within(t, "firms founded", got, want, .3)
}

func TestEntryIntensity(t *testing.T) {
	p := Params{EntryRate: .08, EntryProfitSensitivity: 5, EntryProfitReference: .1}
	for _, test := range []struct{ profit, want float64 }{
		{.1, .08},
		{.2, .12}, // .08 (1 + 5 x .1)
		{0, .04},
		{-.1, 0},
		{-1, 0},
	} {
		near(t, "entry", entryIntensity(&p, test.profit), test.want)
	}
}

func TestProfitRate(t *testing.T) {
	for _, test := range []struct{ revenue, wages, wear, interest, want float64 }{
		{1000, 700, 150, 50, .1},
		{1000, 1500, 0, 0, -.5},
		{1000, 5000, 0, 0, -1},
		{0, 0, 0, 0, 0},
		{0, 5, 0, 0, -1},
	} {
		near(t, "profit rate", profitRate(test.revenue, test.wages, test.wear, test.interest), test.want)
	}
}

func TestWindUp(t *testing.T) {
	for _, test := range []struct {
		name             string
		deposits, loans  int64
		recovery, assets float64
		want             estate
	}{
		// A quarter of 2000 is 500; 300 of it cover the overdraft.
		{"failed", -300, 1000, .5, 2000, estate{repaid: 200, lost: 800, salesPrice: 500}},
		{"worth nothing", -300, 1000, .5, 0, estate{lost: 1000, overdraft: 300}},
		{"worth less than its overdraft", -300, 1000, .5, 400, estate{lost: 1000, overdraft: 200, salesPrice: 100}},
		{"given up with money", 600, 1000, .5, 2000, estate{repaid: 1000, toOwners: 100, salesPrice: 500}},
		{"given up without debt", 600, 0, .5, 2000, estate{toOwners: 1100, salesPrice: 500}},
		{"nothing recovered", -300, 1000, 0, 2000, estate{lost: 1000, overdraft: 300}},
	} {
		s := windUp(test.deposits, test.loans, test.recovery, test.assets)
		if s != test.want {
			t.Errorf("%s: %+v, want %+v", test.name, s, test.want)
		}
		// What comes in goes out.
		if in, out := test.deposits+s.salesPrice+s.overdraft, s.repaid+s.toOwners; in != out || s.repaid+s.lost != test.loans {
			t.Errorf("%s: %d comes in, %d goes out", test.name, in, out)
		}
	}
}

func TestRowsInReserve(t *testing.T) {
	p := small()
	closed := layoutOf(p)
	p.EnableOpenEntry, p.EntryReserve = true, .3
	l := layoutOf(p)
	for r, n := range l.founders {
		if want := closed.shopStart[r+1] - closed.shopStart[r]; n != want {
			t.Errorf("range %d starts with %d firms, want %d", r, n, want)
		}
		if size := l.shopStart[r+1] - l.shopStart[r]; size != n+int32(math.Ceil(.3*float64(n))) {
			t.Errorf("range %d has %d rows for %d firms", r, size, n)
		}
	}
	for j := range l.shares {
		if l.industryStart[j] != l.shopStart[j*l.localMarkets] {
			t.Errorf("industry %d starts at %d", j, l.industryStart[j])
		}
	}
	n := len(l.industryStart)
	if l.firmRows != int(l.shopStart[len(l.shopStart)-1]) || l.firmRows != int(l.industryStart[n-1]) ||
		l.consumptionFirms != int(l.industryStart[n-2]) || l.capitalFirms != l.firmRows-l.consumptionFirms {
		t.Errorf("%d rows, %d of consumption firms, %d of makers; industries start at %v", l.firmRows, l.consumptionFirms,
			l.capitalFirms, l.industryStart)
	}
	e := mustNew(t, p, 1)
	if v := e.surveyFirms(); int(v.active) != closed.firmRows || e.Agents() != p.NumHouseholds+closed.firmRows {
		t.Errorf("%d firms at the start, want %d", v.active, closed.firmRows)
	}
}

// A row without a firm owns, owes, employs, orders and offers nothing, and
// nothing is ordered from it that counts.
func checkDormantRows(t *testing.T, e *Economy) {
	t.Helper()
	f := &e.f
	living := 0
	for i := range e.firms() {
		if !e.isCapital(i) && e.dormant(int(f.supplier[i])) || e.isCapital(i) && f.supplier[i] != nobody {
			t.Fatalf("month %d: firm %d buys capital goods from %d", e.Month(), i, f.supplier[i])
		}
		if !e.dormant(i) {
			living++
			continue
		}
		if f.deposits[i] != 0 || f.loans[i] != 0 || f.capital[i] != 0 || f.inventory[i] != 0 || f.heads[i] != 0 || f.labour[i] != 0 ||
			f.order[i] != 0 || f.backlog[i] != 0 || f.open[i] != 0 || f.revenueTrend[i] != 0 {
			t.Fatalf("month %d: dormant row %d is not empty", e.Month(), i)
		}
	}
	orders, backlog := int64(0), int64(0)
	for i := range e.firms() {
		orders += f.order[i]
		backlog += f.backlog[i]
	}
	if orders != backlog {
		t.Fatalf("month %d: %d of capital goods are on order, %d in the books of makers", e.Month(), orders, backlog)
	}
	for h, i := range e.h.employer {
		if i != nobody && i != e.government() && e.dormant(int(i)) {
			t.Fatalf("household %d works where there is no firm", h)
		}
	}
	if got := e.Latest().Value(FirmCount); got != float64(living) || e.Agents() != e.households()+living {
		t.Fatalf("month %d: %v firms counted, %d are there", e.Month(), got, living)
	}
	seen := 0
	e.EachFirm(func(i int, v FirmView) {
		if v.Age < 0 {
			t.Fatalf("row %d, which has no firm, is shown", i)
		}
		seen++
	})
	if seen != living {
		t.Fatalf("%d firms shown, %d are there", seen, living)
	}
}

// The number of firms moves by entries less exits, within the rows, and firms
// come and go at rates as in the data.
func TestFirmsComeAndGo(t *testing.T) {
	p := Defaults()
	p.NumHouseholds, p.EnableOpenEntry = 5000, true
	e := mustNew(t, p, 2)
	before := float64(e.opening.firms)
	least, most, births, deaths, firms := before, before, 0.0, 0.0, 0.0
	for month := range 180 {
		mustStep(t, e, 1)
		if month%12 == 0 {
			checkDormantRows(t, e)
		}
		v := e.Latest().Values
		if v[FirmCount] != before+v[FirmEntries]-v[FirmExits] {
			t.Fatalf("%v firms, %v came and %v left: now %v", before, v[FirmEntries], v[FirmExits], v[FirmCount])
		}
		if v[Bankruptcies] > v[FirmExits] {
			t.Fatalf("%v firms failed, %v left", v[Bankruptcies], v[FirmExits])
		}
		before = v[FirmCount]
		least, most = math.Min(least, before), math.Max(most, before)
		if month >= 60 {
			births, deaths, firms = births+v[FirmEntries], deaths+v[FirmExits], firms+before/12
		}
	}
	if births /= firms; births < .03 || births > .15 {
		t.Errorf("%v of firms are new in a year", births)
	}
	if deaths /= firms; deaths < .03 || deaths > .15 {
		t.Errorf("%v of firms leave in a year", deaths)
	}
	start := float64(p.NumHouseholds / p.HouseholdsPerFirm)
	if most-least < .03*start || least < .7*start || most > float64(e.firms()) {
		t.Errorf("%v to %v firms after a start with %v", least, most, start)
	}
	young, working := 0, 0
	for i := range e.firms() {
		if !e.dormant(i) && e.f.age[i] > 12 && e.f.age[i] < 120 {
			young++
			if e.f.heads[i] > 0 && e.f.revenue[i] > 0 {
				working++
			}
		}
	}
	if young < 50 || working < young/2 {
		t.Errorf("of %d firms that were founded in the last ten years %d work", young, working)
	}
}

// meansOf returns the means of indicators over months of an economy after others.
func meansOf(t *testing.T, p Params, skip, months int, list ...Indicator) []float64 {
	t.Helper()
	e := mustNew(t, p, 2)
	mustStep(t, e, skip)
	means := make([]float64, len(list))
	for range months {
		mustStep(t, e, 1)
		for k, i := range list {
			means[k] += e.Latest().Value(i) / float64(months)
		}
	}
	return means
}

// More entry means more firms and less concentration, on paired seeds.
func TestEntryRaisesCompetition(t *testing.T) {
	long(t)
	var firms, concentration float64
	for seed := 1; seed <= 6; seed++ {
		p := open()
		p.RandomState = seed
		p.EntryRate = .02
		closed := meansOf(t, p, 60, 60, FirmCount, HHI)
		p.EntryRate = .2
		free := meansOf(t, p, 60, 60, FirmCount, HHI)
		firms += (free[0] - closed[0]) / 6
		concentration += (free[1] - closed[1]) / 6
	}
	if firms < 5 || concentration >= 0 {
		t.Errorf("ten times the entry brings %v firms and changes the hhi by %v", firms, concentration)
	}
}

// A crisis leaves fewer firms than there would be without it.
func TestCrisisLeavesFewerFirms(t *testing.T) {
	long(t)
	lost := 0.0
	for seed := 1; seed <= 3; seed++ {
		p := open()
		p.RandomState = seed
		calm := mustNew(t, p, 2)
		mustStep(t, calm, 60)
		calm.BeginExperiment()
		hit, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, calm)), 2)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(hit.Close)
		crisis := hit.Params() // as presets/crisis.yaml
		crisis.SeparationRate, crisis.ConfidenceShock, crisis.LoanSpread, crisis.MaxLeverage = .019, -.03, .045, .68
		if err := hit.SetParams(crisis); err != nil {
			t.Fatal(err)
		}
		mustStep(t, calm, 36)
		mustStep(t, hit, 36)
		lost += calm.Latest().Value(FirmCount) - hit.Latest().Value(FirmCount)
	}
	if lost <= 3 {
		t.Errorf("after the crisis there are %v firms less in three economies", lost)
	}
}

// At the ends of its parameters the books balance, on one and three threads and
// through a snapshot with the same bits.
func TestOpenEntryAtItsCorners(t *testing.T) {
	for _, edit := range []func(*Params){
		func(p *Params) {},
		func(p *Params) { p.EntryRate, p.ClosureRate = 0, 1 },
		func(p *Params) {
			p.EntryRate, p.EntryProfitSensitivity, p.EntryProfitReference, p.EntryReserve = 1, 50, -1, 2
		},
		func(p *Params) { p.EntryReserve, p.EntryRate, p.ClosureRate, p.RecoveryRate = .05, 1, 1, 1 },
		func(p *Params) { p.NumIndustries, p.RecoveryRate, p.PayoutRate, p.LoanSpread = 1, 0, 1, .3 },
		func(p *Params) { p.SuppliersPerIndustry, p.MinPerCat, p.MaxLeverage, p.EntryRate = 4, 4, 0, 0 },
	} {
		p := open()
		p.NumHouseholds = 1200
		edit(&p)
		straight := mustNew(t, p, 1)
		mustStep(t, straight, 30)
		stored := mustSnapshot(t, straight)
		mustStep(t, straight, 30)
		checkDormantRows(t, straight)
		if err := straight.sound(); err != nil {
			t.Error(err)
		}
		again, err := ReadSnapshot(bytes.NewReader(stored), 3)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(again.Close)
		mustStep(t, again, 30)
		if again.StateHash() != straight.StateHash() || !sameRecord(again.Latest(), straight.Latest()) {
			t.Errorf("other bits on three threads and from a snapshot: %v", Diff(Defaults(), p))
		}
	}
}

func TestOpenEntryDoesNotAllocate(t *testing.T) {
	e := mustNew(t, open(), 2)
	mustStep(t, e, 3)
	if n := testing.AllocsPerRun(12, func() { mustStep(t, e, 1) }); n > 0 {
		t.Errorf("%v allocations a month", n)
	}
}

// fail makes firm i insolvent before firms leave.
func (e *Economy) fail(i int) {
	e.f.deposits[i] -= 1 << 40
	e.m.Debt -= 1 << 40 // the books balance all the same
	e.opening.debt -= 1 << 40
	e.opening.firmDeposits -= 1 << 40
}

// What a failed firm leaves goes to a competitor, and its workers, customers and
// orders to others.
func TestLiquidation(t *testing.T) {
	e := mustNew(t, open(), 2)
	mustStep(t, e, 12)
	shop, buyer, maker := 3, 1, e.consumptionFirms+1
	for _, i := range []int{shop, buyer, maker, maker + 1} {
		if e.f.heads[i] == 0 || e.dormant(i) {
			t.Fatalf("firm %d has no workers", i)
		}
	}
	order := func(i, k int, units int64) {
		e.f.backlog[e.f.supplier[i]] -= e.f.order[i]
		e.f.supplier[i], e.f.order[i] = int32(k), units*goodUnit
		e.f.backlog[k] += units * goodUnit
	}
	var capital, stock float64
	e.OnPhase(func(name string) {
		switch name {
		case "firm accounts":
			order(shop, maker+1, 5)
			order(buyer, maker, 7)
			e.fail(shop)
			e.fail(maker)
			for i := range e.firms() {
				capital += e.f.capital[i]
				stock += e.f.inventory[i]
			}
		case "defaults and entry":
			for i := range e.firms() {
				capital -= e.f.capital[i]
				stock -= e.f.inventory[i]
			}
		}
	})
	mustStep(t, e, 1)
	within(t, "capital lost", capital, 0, 1e-6)
	within(t, "stock lost", stock, 0, 1e-6)
	for _, i := range []int{shop, maker} {
		if !e.dormant(i) {
			t.Fatalf("firm %d is still there", i)
		}
	}
	checkDormantRows(t, e)
	if k := e.f.supplier[buyer]; int(k) == maker || e.f.order[buyer] != 7*goodUnit {
		t.Errorf("the customer of the maker that ended has supplier %d, order %d", k, e.f.order[buyer])
	}
	customers := e.f.customers[shop]
	if customers == 0 {
		t.Fatal("nobody bought at the shop that ended")
	}
	for range 24 {
		mustStep(t, e, 1)
		if !e.dormant(shop) {
			return // another firm opened there
		}
	}
	if left := e.f.customers[shop]; left > customers/4 {
		t.Errorf("%d of %d customers still wait at a closed door", left, customers)
	}
}

// The flows of firms that leave and enter are in the audit's equations.
func TestAuditSeesEntryAndExit(t *testing.T) {
	for line, mutate := range map[string]func(*Economy){
		"paid to owners":    func(e *Economy) { e.flow.dividendsPaid++ },
		"loan repaid":       func(e *Economy) { e.flow.repaid++ },
		"loan of the buyer": func(e *Economy) { e.flow.newLoans-- },
		"written off":       func(e *Economy) { e.flow.writtenOff++ },
		"overdraft":         func(e *Economy) { e.flow.overdrafts-- },
		"founding":          func(e *Economy) { e.flow.founding++ },
		"capital lost":      func(e *Economy) { e.f.capital[2] -= .01 },
	} {
		e := mustNew(t, open(), 1)
		mustStep(t, e, 2)
		e.OnPhase(func(name string) {
			switch name {
			case "firm accounts":
				e.fail(4)
			case "defaults and entry":
				if !e.dormant(4) {
					t.Fatal("the firm is still there")
				}
				mutate(e)
			}
		})
		var broken *AuditError
		if err := e.Step(); !errors.As(err, &broken) {
			t.Errorf("%s: a subunit went unnoticed: %v", line, err)
		}
	}
}

// Where few firms are left none is let go: one that fails is replaced.
func TestTheLastFirmsStay(t *testing.T) {
	p := open()
	p.MinPerCat, p.EntryRate = 2, 0
	e := mustNew(t, p, 1)
	first, end := int(e.shopStart[3]), int(e.shopStart[4])
	for range 3 {
		e.OnPhase(func(name string) {
			if name == "firm accounts" {
				for i := first; i < end; i++ {
					if !e.dormant(i) {
						e.fail(i)
					}
				}
			}
		})
		mustStep(t, e, 1)
		living := 0
		for i := first; i < end; i++ {
			if !e.dormant(i) {
				living++
			}
		}
		if living != 2 {
			t.Fatalf("%d firms are left, want 2", living)
		}
	}
	if e.Latest().Value(FirmEntries) != 2 || e.Latest().Value(FirmExits) < 2 {
		t.Errorf("%v entries and %v exits", e.Latest().Value(FirmEntries), e.Latest().Value(FirmExits))
	}
}

// Closed shops and makers are offered to nobody, and any open shop is better.
func TestNobodyIsSentToAClosedShop(t *testing.T) {
	p := open()
	p.RandomSupplierShare, p.WordOfMouthElasticity, p.EntryRate = .5, 0, 0
	e := mustNew(t, p, 1)
	e.f.age[0] = 3 // being launched
	e.f.age[e.shopStart[2]] = launchMonths
	mustStep(t, e, 1)
	e.prepareOffers()
	for n := range 400 {
		if k := e.capitalOffer(scramble(uint64(n))); e.dormant(int(k)) {
			t.Fatalf("a buyer is sent to maker %d, which is not there", k)
		}
	}
	e.overFirms((*Economy).openShops)
	e.prepareShopping()
	for r := range e.capitalRange() {
		for n := range 100 {
			random := scramble(uint64(n))
			if i, j := e.advertised(r, random), e.urn.draw(r, random); e.dormant(int(i)) || e.dormant(int(j)) {
				t.Fatalf("range %d: shoppers are sent to %d and %d", r, i, j)
			}
		}
	}
	closed := e.shopStart[1] - 1
	if !e.dormant(int(closed)) {
		t.Fatal("no row in reserve")
	}
	for i := e.shopStart[0]; i < e.shopStart[1]; i++ {
		e.f.ratio[i] *= 1e6 // dear
		e.f.inventory[i] = 5
	}
	links := []int32{closed}
	e.compareSupplier(0, links, scramble(9))
	if links[0] == closed {
		t.Error("a household stays with a shop that is closed")
	}
}

// A new firm is equipped with the capital goods that its owners paid for, and
// does not lose heart before it has begun.
func TestFounding(t *testing.T) {
	p := open()
	p.EntryRate, p.ClosureRate = 0, 0
	e := mustNew(t, p, 1)
	mustStep(t, e, 6)
	found := func(r int) int {
		t.Helper()
		e.m.Pool, e.m.Debt = e.m.Pool+1<<40, e.m.Debt+1<<40
		e.opening.pool, e.opening.debt = e.opening.pool+1<<40, e.opening.debt+1<<40
		e.surveyProfits()
		pool, firms := e.m.Pool, e.living[r]
		if !e.foundIn(r, e.draws(forOpenEntry)) {
			t.Fatal("the pool has enough, but no firm was founded")
		}
		for i := e.shopStart[r]; i < e.shopStart[r+1]; i++ {
			if e.f.age[i] == 0 {
				paid := e.f.deposits[i]
				if pool-e.m.Pool != paid || paid <= 0 || e.living[r] != firms+1 {
					t.Errorf("the firm has %d, the pool gave %d", paid, pool-e.m.Pool)
				}
				e.opening.pool, e.opening.firmDeposits = e.opening.pool-paid, e.opening.firmDeposits+paid
				return int(i)
			}
		}
		t.Fatal("no new firm")
		return 0
	}
	shop := found(0)
	near(t, "mark-up", e.f.markUp[shop], .8*p.ConsumptionMarkUp)
	near(t, "expected sales", e.f.sales[shop], foundingLabour*e.f.productivity[shop])
	maker := found(e.capitalRange())
	near(t, "a maker's money", float64(e.f.deposits[maker]), float64(int64(makerMonths*foundingLabour*e.m.MeanWage)))
	if !e.waits(shop) || !e.waits(maker) {
		t.Error("a new firm has already begun")
	}

	need := e.f.sales[shop] / (p.CapitalProductivity * p.TargetUtilisation)
	mustStep(t, e, 1)
	if got := e.f.capital[shop] + units(e.f.order[shop]); got < .7*need {
		t.Errorf("%v units of capital goods come and are on order, %v are needed", got, need)
	}
	if e.f.sales[shop] < foundingLabour*e.f.productivity[shop] || e.f.sales[maker] < foundingLabour*e.f.productivity[maker] {
		t.Errorf("the shop expects %v, the maker %v, before they have begun", e.f.sales[shop], e.f.sales[maker])
	}

	e.m.Pool = 0
	if e.foundIn(1, e.draws(forOpenEntry)) {
		t.Error("a firm was founded without money")
	}
	for i := e.shopStart[1]; i < e.shopStart[2]; i++ {
		if e.f.age[i] == 0 {
			t.Error("a firm that nobody paid for is there")
		}
	}
}
