package sim

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
)

// core is the baseline without what lies around the core of the model: one bank, no
// foreign trade, the same budget for all, one kind of innovation; households and firms that
// are alike, and no shock but to confidence (docs/MODEL.md, 7.26 to 7.28).
func core() Params {
	p := Defaults()
	p.EnableHouseholdTypes, p.OverdraftMonths, p.IncomeSmoothing = false, 0, .7
	p.SearchFatigue, p.BenefitSearchElasticity, p.SkillLoss, p.SkillTail, p.OwnershipRisk = 0, 0, 0, 0, 0
	p.TechnologyVolatility, p.WorldDemandVolatility, p.ImportPriceVolatility = 0, 0, 0
	p.PurchasesVolatility, p.PolicyRateVolatility, p.LoanSpreadVolatility = 0, 0, 0
	p.HiringRate, p.OvertimeLimit, p.PrecautionaryEffect, p.InvestmentMemoryMonths = 1, 0, 0, 1
	p.FirmProductivityDispersion, p.FirmDemandDispersion, p.SafetyStock, p.SupplierStockRequirement = 0, 0, 0, 0
	p.WageRentSharing, p.WageSizePremium, p.QuitMemoryMonths = 0, 0, 0
	p.NumBanks, p.EnableTrade, p.EnableEngelCurves, p.EnableOpenEntry = 1, false, false, false
	p.InnovationProductivityWeight, p.InnovationPriceWeight, p.InnovationMarginWeight, p.InnovationAttributeWeight = 1, 0, 0, 0
	return p
}

// small is an economy that a test can afford.
func small() Params {
	p := core()
	p.NumHouseholds, p.HouseholdsPerMarket, p.MinPerCat = 2000, 500, 1 // three local markets
	return p
}

// long leaves a test out where tests are to be short, as the race detector wants it: the loops
// that it watches also run in others.
func long(t testing.TB) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
}

func mustNew(t testing.TB, p Params, threads int) *Economy {
	t.Helper()
	e, err := New(p, threads)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	return e
}

func mustStep(t testing.TB, e *Economy, months int) {
	t.Helper()
	for range months {
		if err := e.Step(); err != nil {
			t.Fatal(err)
		}
	}
}

// sameRecord compares two months to the bit, with what is absent (NaN) equal.
func sameRecord(a, b *Record) bool { return fmt.Sprint(*a) == fmt.Sprint(*b) }

func mustSnapshot(t testing.TB, e *Economy) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := e.WriteSnapshot(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestSameBitsOnAnyNumberOfThreads(t *testing.T) {
	want := ""
	var record Record
	for _, threads := range []int{1, 2, 3, 8} {
		e := mustNew(t, small(), threads)
		mustStep(t, e, 18)
		if want == "" {
			want, record = e.StateHash(), *e.Latest()
		}
		if got := e.StateHash(); got != want {
			t.Errorf("%d threads: state %s, want %s", threads, got, want)
		}
		if !sameRecord(e.Latest(), &record) {
			t.Errorf("%d threads: another record", threads)
		}
	}
}

func TestSeedChangesTheDraws(t *testing.T) {
	p := small()
	a := mustNew(t, p, 1)
	p.RandomState++
	b := mustNew(t, p, 1)
	mustStep(t, a, 2)
	mustStep(t, b, 2)
	if a.StateHash() == b.StateHash() {
		t.Error("two seeds gave the same state")
	}
}

func TestSnapshotContinuesWithTheSameBits(t *testing.T) {
	straight := mustNew(t, small(), 2)
	mustStep(t, straight, 15)
	straight.BeginExperiment()
	stored := mustSnapshot(t, straight)
	copied := straight.Copy()
	mustStep(t, straight, 15)

	for _, threads := range []int{1, 2, 3} {
		resumed, err := ReadSnapshot(bytes.NewReader(stored), threads)
		if err != nil {
			t.Fatal(err)
		}
		if threads == copied.Threads() {
			resumed.Close()
			resumed = copied
		}
		t.Cleanup(resumed.Close)
		if again := mustSnapshot(t, resumed); !bytes.Equal(again, stored) {
			t.Error("the snapshot of a restored economy differs from its source")
		}
		mustStep(t, resumed, 15)
		if got, want := resumed.StateHash(), straight.StateHash(); got != want {
			t.Errorf("%d threads: state %s after the snapshot, %s without it", threads, got, want)
		}
		if !sameRecord(resumed.Latest(), straight.Latest()) {
			t.Error("another record after the snapshot")
		}
	}
}

func TestBrokenSnapshotNamesThePlace(t *testing.T) {
	e := mustNew(t, small(), 1)
	whole := mustSnapshot(t, e)
	other := mustNew(t, small(), 1)
	other.h.employer[7] = 1 << 20
	bent := mustNew(t, small(), 1)
	bent.h.suppliers[5] = -4
	astray := mustNew(t, small(), 1) // to a shop of the same industry in the next market
	astray.h.suppliers[0] = astray.shopStart[astray.rangeOf(0, 1)]
	tests := []struct {
		name  string
		data  []byte
		place string
	}{
		{"empty", nil, "the start"},
		{"not a snapshot", []byte("hello, this is no snapshot at all"), "the start"},
		{"cut in the middle", whole[:len(whole)/2], "EOF"},
		{"employer out of range", mustSnapshot(t, other), "households.employer: row 7: employer 1048576"},
		{"supplier out of range", mustSnapshot(t, bent), "households.suppliers: row 5: supplier -4"},
		{"supplier in another market", mustSnapshot(t, astray), "households.suppliers: row 0"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := ReadSnapshot(bytes.NewReader(test.data), 1)
			var f *fault.Error
			if !errors.As(err, &f) || !strings.Contains(err.Error(), test.place) {
				t.Errorf("error %v; want one that names %q", err, test.place)
			}
		})
	}
	for i := 0; i < len(whole); i += len(whole)/200 + 1 {
		bad := bytes.Clone(whole)
		bad[i] ^= 0x40
		// A few bits of the compressed form say nothing.
		if damaged, err := ReadSnapshot(bytes.NewReader(bad), 1); err == nil {
			if damaged.StateHash() != e.StateHash() {
				t.Errorf("a flipped bit in byte %d went unnoticed", i)
			}
			damaged.Close()
		}
	}
}

func TestBaseMonthIsAHundred(t *testing.T) {
	e := mustNew(t, small(), 1)
	mustStep(t, e, 20)
	inflation, growth := e.Latest().Values[Inflation], e.Latest().Values[GDPGrowth]
	e.BeginExperiment()
	if e.Month() != 0 {
		t.Errorf("month %d at the begin of the experiment", e.Month())
	}
	if got := e.priceIndex(); got < 99.999999 || got > 100.000001 {
		t.Errorf("cpi %v in the base month", got)
	}
	mustStep(t, e, 1)
	v := e.Latest().Values
	if e.Latest().Month != 1 || e.Month() != 1 {
		t.Errorf("month %d after the first step", e.Latest().Month)
	}
	for _, i := range []Indicator{CPI, GDPDeflator, LabourProductivity} {
		if v[i] < 93 || v[i] > 107 {
			t.Errorf("%s = %v a month after its base", i, v[i])
		}
	}
	if d := v[Inflation] - inflation; d < -.03 || d > .03 {
		t.Errorf("inflation jumps from %v to %v at the change of base", inflation, v[Inflation])
	}
	if d := v[GDPGrowth] - growth; d < -.06 || d > .06 {
		t.Errorf("growth jumps from %v to %v at the change of base", growth, v[GDPGrowth])
	}
}

func TestSetParamsTakesLiveParametersOnly(t *testing.T) {
	e := mustNew(t, small(), 1)
	p := e.Params()
	p.VATRate = .2
	if err := e.SetParams(p); err != nil || e.Params().VATRate != .2 {
		t.Errorf("a live parameter was refused: %v", err)
	}
	p.NumIndustries = 3
	if err := e.SetParams(p); fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "num_industries") {
		t.Errorf("error %v; want a conflict on num_industries", err)
	}
	if e.Params().NumIndustries == 3 {
		t.Error("a refused parameter took effect")
	}
	p = e.Params()
	p.VATRate = 7
	if err := e.SetParams(p); fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("error %v; want out_of_range", err)
	}
}

func TestStepDoesNotAllocate(t *testing.T) {
	for _, threads := range []int{1, 2} {
		e := mustNew(t, small(), threads)
		mustStep(t, e, 3)
		if n := testing.AllocsPerRun(12, func() { mustStep(t, e, 1) }); n > 0 {
			t.Errorf("%d threads: %v allocations a month", threads, n)
		}
	}
}

// The phases of the schedule are the table of contents of docs/MODEL.md.
func TestPhasesAreNamedOnce(t *testing.T) {
	seen := map[string]bool{}
	e := mustNew(t, small(), 1)
	e.OnPhase(func(name string) { seen[name] = true })
	mustStep(t, e, 1)
	for _, name := range Phases() {
		if !seen[name] {
			t.Errorf("phase %q was not reported", name)
		}
		delete(seen, name)
	}
	if len(seen) > 0 {
		t.Errorf("phases %v are not listed", seen)
	}
}

// An arm with a shock in its first month burns in as the control does, so that
// both can fork from one state.
func TestBurnInKnowsNothingOfTheShock(t *testing.T) {
	p := small()
	p.BurnInMonths = 5
	calm := mustNew(t, p, 1)
	p.ConfidenceShock = -.05
	shocked := mustNew(t, p, 1)
	for _, e := range []*Economy{calm, shocked} {
		if e.Month() != -5 {
			t.Errorf("month %d before burn-in, want -5", e.Month())
		}
		mustStep(t, e, 5)
		if e.Month() != 0 || e.Latest().Month != 0 {
			t.Errorf("month %d at the end of burn-in, want 0", e.Month())
		}
		e.BeginExperiment()
	}
	if calm.StateHash() != shocked.StateHash() {
		t.Error("the shock reached burn-in")
	}
	mustStep(t, calm, 1)
	mustStep(t, shocked, 1)
	if d := shocked.m.Confidence - calm.m.Confidence; d > -.0499 || d < -.0501 {
		t.Errorf("the shock moved confidence by %v, want -.05", d)
	}
}

func TestSuppliersOfAHouseholdDiffer(t *testing.T) {
	p := small()
	p.SuppliersPerIndustry = 3
	e := mustNew(t, p, 2)
	for range 2 {
		per := e.linksPerIndustry
		for row := 0; row < len(e.h.suppliers); row += per {
			links := e.h.suppliers[row : row+per]
			if links[0] == links[1] || links[1] == links[2] || links[0] == links[2] {
				t.Fatalf("row %d: suppliers %v", row, links)
			}
		}
		mustStep(t, e, 20)
	}
}

// Beside its columns an economy needs hardly anything to be hashed or written.
func TestSnapshotsTakeLittleMemory(t *testing.T) {
	p := core()
	p.NumHouseholds = 20_000
	e := mustNew(t, p, 1)
	mustStep(t, e, 1)
	for what, f := range map[string]func(){
		"hash":     func() { e.StateHash() },
		"snapshot": func() { e.WriteSnapshot(io.Discard) },
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		if got := after.TotalAlloc - before.TotalAlloc; got > snapshotMemory {
			t.Errorf("%s: %d bytes, want %d at most", what, got, snapshotMemory)
		}
	}
}
