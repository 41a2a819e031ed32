package sim

import (
	"math"
	"slices"
	"testing"
)

func TestStakeAfter(t *testing.T) {
	for _, test := range []struct {
		stake   int32
		z, risk float64
		want    int32
	}{
		{1000, 0, 0, 1000},
		{1000, 1, .4, 1377}, // exp(.4 - .08)
		{1000, -1, .4, 619}, // exp(-.48)
		{1, -3, .4, 1},
		{equityGrain * equityCap, 3, .4, equityGrain * equityCap},
	} {
		if got := stakeAfter(test.stake, test.z, test.risk); got != test.want {
			t.Errorf("%d after %v of %v: %d, want %d", test.stake, test.z, test.risk, got, test.want)
		}
	}
	near(t, "founding", foundingRate(.047), .053) // .53 of all own, .47 do not
	near(t, "bounded", foundingRate(1), 1)
}

// From equal stakes a Pareto tail comes about, with the exponent a of ownershipTurnover = a (a - 1) risk^2 / 2; the
// share of owners stays, and no money is made.
func TestTailOfOwnershipEmerges(t *testing.T) {
	p := thousand()
	p.NumHouseholds, p.OwnershipRisk = 20_000, .35 // a = 1.5
	e := mustNew(t, p, 2)
	for h, stake := range e.h.equity {
		if stake != 0 && stake != foundersStake {
			t.Fatalf("household %d begins with %d", h, stake)
		}
	}
	for range 12 * 60 {
		e.m.Month++
		e.moveOwnership()
	}
	owners, sum := 0.0, int64(0)
	stakes := make([]float64, len(e.h.equity))
	for h, stake := range e.h.equity {
		stakes[h] = float64(stake)
		sum += int64(stake)
		owners += math.Min(1, stakes[h])
	}
	within(t, "owners", owners/20_000, shareholders, .015)
	slices.Sort(stakes)
	const k = 400 // largest, by the estimate of Hill (1975)
	excess := 0.0
	for _, x := range stakes[20_000-k:] {
		excess += math.Log(x / stakes[20_000-k-1])
	}
	within(t, "exponent", k/excess, 1.5, .2)
	if sum != e.m.EquityUnit {
		t.Errorf("stakes add up to %d, the unit is %d", sum, e.m.EquityUnit)
	}
}

// Those who want debt own nothing, however often ownership changes hands.
func TestDebtorsFoundNothing(t *testing.T) {
	p := differing()
	e := mustNew(t, p, 1)
	for range 120 {
		e.m.Month++
		e.moveOwnership()
	}
	for h, stake := range e.h.equity {
		if e.h.traits[h]&3 == debtorType && stake > 0 {
			t.Fatalf("debtor %d owns %d", h, stake)
		}
	}
}
