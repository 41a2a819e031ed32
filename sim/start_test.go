package sim

import (
	"math"
	"runtime"
	"slices"
	"testing"
)

// thousand is the smallest economy that shows how markets work.
func thousand() Params {
	p := core()
	p.NumHouseholds = 1000
	return p
}

// near compares a number with one that was worked out by hand.
func near(t testing.TB, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) <= 1e-12*math.Max(1, math.Abs(want))) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// within compares a number with one that is known to a tolerance.
func within(t testing.TB, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %v, want %v ± %v", what, got, want, tolerance)
	}
}

// runBetween runs the phases of a month after one (from the start where it is
// empty) up to another, that one included.
func runBetween(t testing.TB, e *Economy, after, last string) {
	t.Helper()
	started := after == ""
	for _, phase := range schedule {
		if started {
			phase.run(e)
		}
		if phase.name == last && started {
			return
		}
		started = started || phase.name == after
	}
	t.Fatalf("the schedule has no %q after %q", last, after)
}

func TestClipFloorMoneyAndRing(t *testing.T) {
	near(t, "clip inside", clip(.5, 0, 1), .5)
	near(t, "clip below", clip(-3, 0, 1), 0)
	near(t, "clip above", clip(3, 0, 1), 1)
	near(t, "positive(2)", positive(2), 2)
	near(t, "positive(-2)", positive(-2), 0)
	for x, want := range map[float64]int64{0: 0, 1.999: 1, 2: 2, -.001: -1, -1.5: -2} {
		if got := floorMoney(x); got != want {
			t.Errorf("floorMoney(%v) = %d, want %d", x, got, want)
		}
	}

	var history [12]int
	for month := range int64(30) {
		*ring(history[:], month, 0) = int(month)
	}
	for back := range 12 {
		if got := *ring(history[:], 29, back); got != 29-back {
			t.Errorf("%d months before month 29 the ring holds month %d", back, got)
		}
	}
	// Twelve months back is the slot of the month itself, and so is -1 + 12 = 11.
	if ring(history[:], 29, 12) != ring(history[:], 29, 0) || ring(history[:], 0, 1) != &history[11] {
		t.Error("the ring does not close")
	}
}

func TestLogNormal(t *testing.T) {
	near(t, "the median of sigma .5", logNormal(0, .5), math.Exp(-.125)) // exp(-sigma^2/2)
	near(t, "z = sigma/2", logNormal(.25, .5), 1)                        // sigma z = sigma^2/2
	near(t, "one sigma above the median", logNormal(1, .5)/logNormal(0, .5), math.Exp(.5))
	near(t, "no dispersion", logNormal(1.7, 0), 1)
	sum := 0.0
	l := newDraws(3, 0, forSkill)
	const n = 200_000
	for i := range n {
		sum += logNormal(l.normal(i, 0), .55)
	}
	// The variance of one is exp(sigma^2) - 1 = .353; four standard errors of
	// the mean are 4 sqrt(.353/200000) = .0053.
	within(t, "mean of log-normal draws", sum/n, 1, .0053)
}

func TestPick(t *testing.T) {
	shares := []float64{.25, .5, .25}
	for _, test := range []struct {
		u    float64
		want int
	}{{0, 0}, {.249, 0}, {.25, 1}, {.749, 1}, {.75, 2}, {.999999, 2}} {
		if got := pick(test.u, 3, func(i int) float64 { return shares[i] }); got != test.want {
			t.Errorf("pick(%v) = %d, want %d", test.u, got, test.want)
		}
	}
	// Shares that sum to less than one leave the rest to the last class.
	if got := pick(.99, 3, func(int) float64 { return .1 }); got != 2 {
		t.Errorf("pick beyond the sum of shares = %d, want the last class", got)
	}
	// A class without weight is never picked.
	if got := pick(0, 3, func(i int) float64 { return []float64{0, .5, .5}[i] }); got != 1 {
		t.Errorf("pick(0) = %d, want the first class with weight", got)
	}
}

func TestLayoutDividesTheFirms(t *testing.T) {
	base := Defaults()
	base.CapitalFirmShare, base.HouseholdsPerFirm, base.MinPerCat = .1, 12, 3
	base.SuppliersPerIndustry, base.EnableCompetitiveMarket, base.EnableOpenEntry = 0, false, false
	for _, test := range []struct {
		name                                 string
		change                               func(*Params)
		firms, consumption, capital, perLink int
	}{
		// 1000/12 = 83 firms; a tenth, 8.3, is 8.
		{"a thousand households", func(p *Params) { p.NumHouseholds = 1000; p.NumIndustries = 12 }, 83, 75, 8, 1},
		// 12000/12 = 1000; .1 of it is 100.
		{"one industry", func(p *Params) { p.NumHouseholds = 12_000; p.NumIndustries = 1 }, 1000, 900, 100, 3},
		{"competitive market", func(p *Params) { p.NumHouseholds = 12_000; p.EnableCompetitiveMarket = true }, 1000, 900, 100, 2},
		{"suppliers given", func(p *Params) {
			p.NumHouseholds = 12_000
			p.SuppliersPerIndustry = 5
			p.EnableCompetitiveMarket = true
		}, 1000, 900, 100, 5},
		// 240/12 = 20 firms; .02 of it is .4, but there are at least 2.
		{"at least two capital firms", func(p *Params) {
			p.NumHouseholds = 240
			p.NumIndustries = 2
			p.CapitalFirmShare = .02
		}, 20, 18, 2, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := base
			test.change(&p)
			l := layoutOf(p)
			if l.householdRows != p.NumHouseholds || l.firmRows != test.firms || l.consumptionFirms != test.consumption ||
				l.capitalFirms != test.capital || l.linksPerIndustry != test.perLink {
				t.Errorf("layout %+v", l)
			}
			if n := len(l.industryStart); n != p.NumIndustries+2 || l.industryStart[0] != 0 ||
				l.industryStart[n-2] != int32(test.consumption) || l.industryStart[n-1] != int32(test.firms) {
				t.Errorf("industries start at %v", l.industryStart)
			}
			// Beyond the least number, an industry has its share of the firms, to the nearest.
			spare := float64(test.consumption - p.MinPerCat*p.NumIndustries)
			for j, share := range l.shares {
				size := int(l.industryStart[j+1] - l.industryStart[j])
				if size < p.MinPerCat {
					t.Errorf("industry %d has %d firms, fewer than %d", j, size, p.MinPerCat)
				}
				within(t, "firms of an industry", float64(size), float64(p.MinPerCat)+share*spare, 1)
			}
		})
	}
}

func TestLayoutDividesTheMarkets(t *testing.T) {
	for _, test := range []struct {
		name                                             string
		households, perMarket, industries, perCat, links int
		want                                             int
	}{
		{"one", 10_000, 10_000, 12, 3, 1, 1},
		{"smaller than one", 1_000, 10_000, 12, 3, 1, 1},
		{"to the nearest", 16_000, 10_000, 12, 3, 1, 2},
		{"many", 500_000, 10_000, 12, 3, 1, 50},
		// 83 firms, 8 of them for capital goods: in one industry 75 firms.
		{"by min_per_cat", 1_000, 500, 1, 30, 3, 2},
		{"too few firms for two", 1_000, 500, 1, 40, 3, 1},
		{"too few firms for the links", 1_000, 500, 1, 1, 40, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := Defaults()
			p.NumHouseholds, p.HouseholdsPerMarket, p.NumIndustries = test.households, test.perMarket, test.industries
			p.MinPerCat, p.SuppliersPerIndustry, p.EnableOpenEntry = test.perCat, test.links, false
			l := layoutOf(p)
			if LocalMarkets(p) != test.want || len(l.shopStart) != test.want*test.industries+2 {
				t.Fatalf("%d local markets, %d ranges, want %d markets", l.localMarkets, len(l.shopStart)-1, test.want)
			}
			for j := range test.industries {
				if l.shopStart[j*test.want] != l.industryStart[j] {
					t.Errorf("industry %d starts at %d, its shops at %d", j, l.industryStart[j], l.shopStart[j*test.want])
				}
				even := float64(l.industryStart[j+1]-l.industryStart[j]) / float64(test.want)
				for m := range test.want {
					size := int(l.shopStart[j*test.want+m+1] - l.shopStart[j*test.want+m])
					within(t, "firms of a market", float64(size), even, 1)
					if size < test.perCat || size < test.links {
						t.Errorf("%d firms in market %d of industry %d", size, m, j)
					}
				}
			}
		})
	}
}

// A household deals with firms of its own market only, from the start, after a
// search and after rationing.
func TestHouseholdsShopInTheirMarket(t *testing.T) {
	p := thousand()
	p.NumHouseholds, p.HouseholdsPerMarket, p.MinPerCat, p.SuppliersPerIndustry = 3000, 1000, 1, 1
	p.RandomSupplierShare, p.RationingSwitchRate = .5, 1
	e := mustNew(t, p, 2)
	if e.localMarkets != 3 {
		t.Fatalf("%d local markets", e.localMarkets)
	}
	start := slices.Clone(e.h.suppliers)
	check := func() {
		t.Helper()
		for row, i := range e.h.suppliers {
			h, j := row/len(e.shares), row%len(e.shares)
			first, firms := int(e.industryStart[j]), int(e.industryStart[j+1]-e.industryStart[j])
			market := h / 1000
			if int(i) < first+firms*market/3 || int(i) >= first+firms*(market+1)/3 {
				t.Fatalf("household %d buys of firm %d in industry %d, which has %d firms from %d", h, i, j, firms, first)
			}
		}
	}
	check()
	mustStep(t, e, 24)
	check()
	if slices.Equal(e.h.suppliers, start) {
		t.Error("no household changed a supplier")
	}
}

func TestIndustryOfEachFirm(t *testing.T) {
	e := mustNew(t, thousand(), 1)
	for j := 0; j+1 < len(e.industryStart); j++ {
		for _, i := range []int32{e.industryStart[j], e.industryStart[j+1] - 1} {
			if got := e.industryOf(int(i)); got != j {
				t.Errorf("firm %d is in industry %d, want %d", i, got, j)
			}
			if e.isCapital(int(i)) != (j == e.industries()) {
				t.Errorf("firm %d of industry %d: isCapital %v", i, j, e.isCapital(int(i)))
			}
		}
	}
}

func TestStartBalances(t *testing.T) {
	p := thousand()
	p.NumHouseholds = 4000
	e := mustNew(t, p, 1)
	var deposits, loans, equity int64
	employed, skill := 0, 0.0
	heads := make([]int32, e.firms()+2)
	customers := make([]int32, e.firms())
	types := make([]float64, len(savingTypes))
	for h, d := range e.h.deposits {
		deposits += d
		equity += int64(e.h.equity[h])
		skill += float64(e.h.skill[h]) / skillUnit
		types[e.h.traits[h]&3]++
		if members := e.h.traits[h] >> 2; int(members) >= len(familySizes) {
			t.Fatalf("household %d has family class %d", h, members)
		}
		if i := e.h.employer[h]; i != nobody {
			employed++
			heads[i]++
		}
	}
	for row, i := range e.h.suppliers {
		if want := row / e.linksPerIndustry % e.industries(); e.industryOf(int(i)) != want {
			t.Fatalf("link %d, of industry %d, points to firm %d of industry %d", row, want, i, e.industryOf(int(i)))
		}
		customers[i]++
	}
	for i, d := range e.f.deposits {
		deposits += d
		loans += e.f.loans[i]
		if e.f.customers[i] != customers[i] {
			t.Errorf("firm %d counts %d customers of %d", i, e.f.customers[i], customers[i])
		}
		near(t, "price", e.f.price[i], (1+e.f.markUp[i])*e.f.wage[i]) // productivity 1
	}
	for i, n := range e.f.heads {
		if n != heads[i] {
			t.Errorf("employer %d counts %d heads of %d", i, n, heads[i])
		}
	}
	if got := deposits + e.bankEquity(); got != loans+e.m.Debt {
		t.Errorf("deposits and equity %d, loans and debt %d", got, loans+e.m.Debt)
	}
	if equity != e.m.EquityUnit {
		t.Errorf("equity weights sum to %d, the unit is %d", equity, e.m.EquityUnit)
	}
	// Four standard errors of a share x are 4 sqrt(x (1-x) / 4000).
	n := float64(p.NumHouseholds)
	tolerance := func(x float64) float64 { return 4 * math.Sqrt(x*(1-x)/n) }
	within(t, "employed", float64(employed)/n, p.FirstMonthJobRate, tolerance(p.FirstMonthJobRate))
	for k, got := range types {
		within(t, "share of a saving type", got/n, savingTypes[k].share, tolerance(savingTypes[k].share))
	}
	// The variance of a log-normal with mean 1 is exp(sigma^2) - 1.
	s := p.SkillDispersion
	within(t, "mean skill", skill/n, 1, 4*math.Sqrt((math.Exp(s*s)-1)/n))
}

func TestShareTablesSumToOne(t *testing.T) {
	sum := 0.0
	for _, x := range savingTypes {
		sum += x.share
	}
	within(t, "saving types", sum, 1, 1e-12)
	sum = 0
	for _, x := range familySizes {
		sum += x
	}
	within(t, "family sizes", sum, 1, 1e-12)
}

// The estimate decides whether a run is accepted, so it is held against the
// heap. It has a constant part that small economies do not use.
func TestEstimateMemoryIsTheHeap(t *testing.T) {
	for _, test := range []struct {
		name   string
		change func(*Params)
	}{
		{"baseline", func(*Params) {}},
		{"one industry, many firms", func(p *Params) { p.NumIndustries = 1; p.HouseholdsPerFirm = 4 }},
		{"many threads", func(p *Params) { p.HouseholdsPerFirm = 4; p.MaxConcurrentTasks = 64 }},
		{"many links", func(p *Params) { p.SuppliersPerIndustry = 4; p.HouseholdsPerFirm = 20 }},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := Defaults()
			p.NumHouseholds = 80_000
			test.change(&p)
			p.MaxConcurrentTasks = max(p.MaxConcurrentTasks, 1)
			want := EstimateMemory(p)
			before := heapInUse()
			e := mustNew(t, p, p.MaxConcurrentTasks)
			got := heapInUse() - before
			runtime.KeepAlive(e)
			if d := float64(want)/float64(got) - 1; math.Abs(d) > .15 {
				t.Errorf("estimate of %d bytes for a heap of %d: off by %.0f %%", want, got, 100*d)
			}
		})
	}
}

func heapInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestNewRefusesTooFewFirms(t *testing.T) {
	p := Defaults()
	p.NumHouseholds, p.HouseholdsPerFirm = 100, 50 // 2 firms for 12 industries
	if e, err := New(p, 1); err == nil {
		e.Close()
		t.Error("an economy with 2 firms for 12 industries was founded")
	}
}
