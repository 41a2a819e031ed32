package sim

import (
	"bytes"
	"math"
	"sync"
	"testing"
)

// pairedHouseholds and pairedBurnIn size the economies of tests that compare a
// treatment with its control on the same seed.
const pairedHouseholds, pairedBurnIn = 1500, 60

var burntIn sync.Map // seed -> snapshot of the default economy

// burnt returns an economy after the burn-in of a seed, with other live parameters
// from its first month on.
func burnt(t testing.TB, seed int, change func(*Params)) *Economy {
	t.Helper()
	snapshot, ok := burntIn.Load(seed)
	if !ok {
		p := Defaults()
		p.NumHouseholds, p.BurnInMonths, p.RandomState = pairedHouseholds, pairedBurnIn, seed
		e := mustNew(t, p, 2)
		mustStep(t, e, pairedBurnIn)
		e.BeginExperiment()
		snapshot = mustSnapshot(t, e)
		burntIn.Store(seed, snapshot)
	}
	e, err := ReadSnapshot(bytes.NewReader(snapshot.([]byte)), 2)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(e.Close)
	p := e.Params()
	change(&p)
	if err := e.SetParams(p); err != nil {
		t.Fatal(err)
	}
	return e
}

// effect is what a treatment does to the mean of an indicator over a window of
// months: the mean of the differences between paired seeds, and its t value.
type effect struct{ mean, t float64 }

// effects compares two arms on seeds 1 to n in the months from first to last.
func effects(t testing.TB, n, first, last int, control, treatment func(*Params)) (out [NumIndicators]effect) {
	t.Helper()
	var sum, squares [NumIndicators]float64
	for seed := 1; seed <= n; seed++ {
		a, b := windowMeans(t, burnt(t, seed, control), first, last), windowMeans(t, burnt(t, seed, treatment), first, last)
		for k := range sum {
			d := b[k] - a[k]
			sum[k] += d
			squares[k] += d * d
		}
	}
	for k := range out {
		mean := sum[k] / float64(n)
		sd := math.Sqrt(math.Max(0, squares[k]-float64(n)*mean*mean) / float64(n-1))
		out[k] = effect{mean, mean / math.Max(sd/math.Sqrt(float64(n)), 1e-300)}
	}
	return out
}

func windowMeans(t testing.TB, e *Economy, first, last int) (mean [NumIndicators]float64) {
	t.Helper()
	for month := 1; month <= last; month++ {
		mustStep(t, e, 1)
		for k, x := range e.Latest().Values {
			if month >= first {
				mean[k] += x / float64(last-first+1)
			}
		}
	}
	return mean
}

// asBefore is the arm in which nothing changes.
func asBefore(*Params) {}

// moves tests that an effect has a sign and is no accident of five seeds.
func (x effect) moves(t testing.TB, what string, sign float64) {
	t.Helper()
	if !(sign*x.t > 2) {
		t.Errorf("%s: effect %g with t = %.1f; want sign %+g", what, x.mean, x.t, sign)
	}
}

// sameBits lives an economy twice as many months on one and on three threads, with and
// without a snapshot in the middle, audited every month, and wants one state. halfway
// looks at it in the middle; it may be nil. It returns an economy at the end.
func sameBits(t *testing.T, p Params, months int, halfway func(*Economy)) (last *Economy) {
	t.Helper()
	hashes := map[string]bool{}
	for _, threads := range []int{1, 3} {
		e := mustNew(t, p, threads)
		mustStep(t, e, months)
		if halfway != nil {
			halfway(e)
		}
		again, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, e)), threads)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(again.Close)
		mustStep(t, e, months)
		mustStep(t, again, months)
		hashes[e.StateHash()], hashes[again.StateHash()] = true, true
		last = e
	}
	if len(hashes) != 1 {
		t.Errorf("%d states from one scenario and seed", len(hashes))
	}
	return last
}
