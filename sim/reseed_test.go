package sim

import (
	"bytes"
	"errors"
	"testing"

	"econ-mcp/internal/fault"
)

// fork continues a burnt-in state with a seed.
func fork(t *testing.T, snapshot []byte, seed uint64) *Economy {
	t.Helper()
	e, err := ReadSnapshot(bytes.NewReader(snapshot), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	if err := e.Reseed(seed); err != nil {
		t.Fatal(err)
	}
	return e
}

// burntAged is the end of a burn-in with demography, whose length is no multiple of a
// spell.
func burntAged(t *testing.T) *Economy {
	t.Helper()
	p := aged()
	p.BurnInMonths, p.RandomState = 100, 7
	e := mustNew(t, p, 1)
	mustStep(t, e, p.BurnInMonths)
	e.BeginExperiment()
	return e
}

func TestReseedDrawsTheFutureAnew(t *testing.T) {
	e := burntAged(t)
	before, snapshot := e.Latest().Values, mustSnapshot(t, e)
	old, again := fork(t, snapshot, 7), fork(t, snapshot, 11)
	twin, other := fork(t, snapshot, 11), fork(t, snapshot, 12)
	if err := e.Reseed(11); err != nil {
		t.Fatal(err)
	}
	if e.Latest().Values != before {
		t.Error("reseeding changed the month before it")
	}
	if bytes.Equal(mustSnapshot(t, old), mustSnapshot(t, again)) || old.StateHash() == again.StateHash() {
		t.Error("economies with equal states and different futures look equal")
	}
	for _, economy := range []*Economy{old, again, twin, other} {
		mustStep(t, economy, 1)
	}
	if again.StateHash() != twin.StateHash() {
		t.Error("the same state and seed have different futures")
	}
	if again.Latest().Values == old.Latest().Values || again.Latest().Values == other.Latest().Values {
		t.Error("another seed, and the same month 1")
	}

	// A snapshot on the way knows the draws from both seeds.
	mustStep(t, twin, 2)
	last, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, twin)), 1)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(last.Close)
	mustStep(t, again, 70)
	mustStep(t, last, 68)
	if again.StateHash() != last.StateHash() {
		t.Error("a snapshot forgot the draws of the burn-in")
	}
}

func TestReseedWithTheOldSeedChangesNothing(t *testing.T) {
	e := burntAged(t)
	same := fork(t, mustSnapshot(t, e), 7)
	mustStep(t, e, 3)
	mustStep(t, same, 3)
	if e.StateHash() != same.StateHash() {
		t.Error("the old seed gave another future")
	}
}

// A head keeps the decision to work over the fork, and takes the next one by the new draws.
func TestReseedKeepsSpellsOfParticipation(t *testing.T) {
	e := burntAged(t)
	snapshot := mustSnapshot(t, e)
	old, anew := fork(t, snapshot, 7), fork(t, snapshot, 11)
	differ := func(month int64) int {
		n := 0
		for _, x := range []*Economy{old, anew} {
			x.m.Month = month
			x.setVitals()
		}
		for h := range 6000 {
			if old.vitals.participates(h, agePrime) != anew.vitals.participates(h, agePrime) {
				n++
			}
		}
		return n
	}
	if n := differ(100); n != 0 {
		t.Errorf("%d heads decided otherwise before the reseeding", n)
	}
	// A sixtieth of all decide each month, and otherwise with probability 2 p (1 - p).
	rate := e.p.ParticipationRatePrime
	for months := int64(1); months <= participationSpell; months++ {
		share := float64(differ(100+months)) / 6000
		within(t, "share of other decisions", share, 2*rate*(1-rate)*float64(months)/participationSpell, .02)
	}
}

func TestReseedRefusesTheMiddleOfAnExperiment(t *testing.T) {
	e := burntAged(t)
	mustStep(t, e, 1)
	if refused, ok := errors.AsType[*fault.Error](e.Reseed(11)); !ok || refused.Kind != fault.InvalidState {
		t.Errorf("refused with %v", refused)
	}
	p := aged()
	p.BurnInMonths = 3
	if err := mustNew(t, p, 1).Reseed(11); err == nil {
		t.Error("an economy was reseeded before its burn-in")
	}
}
