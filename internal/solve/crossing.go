package solve

import (
	"cmp"
	"math"
	"slices"

	"econ-mcp/internal/stats"
)

// Dose is what a value came to: a number of each replication, in the order of the seeds, which all
// doses share. It is what was measured less the level, so that it crosses 0 where that is reached.
type Dose struct {
	At float64
	Y  []float64
}

// Shape is how an effect moves with the value.
type Shape string

// The shapes: a move counts where it is significant between two of the doses, by paired t tests of
// all pairs with Holm's correction.
const (
	Rising       Shape = "rising"
	Falling      Shape = "falling"
	Flat         Shape = "flat"          // no move is significant
	NotMonotonic Shape = "not_monotonic" // there are significant moves up and down
)

// ShapeOf tests whether an effect rises or falls throughout. Doses are in the order of their values.
func ShapeOf(doses []Dose, confidence float64) Shape {
	var p, moves []float64
	for i := range doses {
		for k := range i {
			test := stats.PairedTTest(doses[k].Y, doses[i].Y, confidence)
			if !math.IsNaN(test.P) { // nothing differs at all
				p, moves = append(p, test.P), append(moves, test.Difference.Mean)
			}
		}
	}
	up, down := false, false
	for i, adjusted := range stats.Holm(p) {
		if adjusted <= 1-confidence {
			up, down = up || moves[i] > 0, down || moves[i] < 0
		}
	}
	switch {
	case up && down:
		return NotMonotonic
	case up:
		return Rising
	case down:
		return Falling
	}
	return Flat
}

// Crossing is where an effect crosses the level.
type Crossing struct {
	Found bool // the mean crosses it within the doses
	More  int  // further crossings above: the first is told
	At    float64
	// Low and High bound At: at all values between them the level is within the paired interval of the
	// effect. NaN = the interval goes on beyond the doses on that side.
	Low, High float64
}

// Cross finds where the mean of the doses crosses 0 first, on the straight lines between them. Its
// interval inverts the paired t test: it holds the values around the crossing at which the test of
// "the level is reached here" does not reject, where what a replication does between two doses lies on
// the line between them, too (Fieller 1954, Journal of the Royal Statistical Society B 16). Doses are
// in the order of their values.
func Cross(doses []Dose, confidence float64) Crossing {
	c := Crossing{At: math.NaN(), Low: math.NaN(), High: math.NaN()}
	segment := -1
	for i := range len(doses) - 1 {
		if crosses(doses[i], doses[i+1]) {
			if c.Found {
				c.More++
				continue
			}
			segment, c.Found = i, true
		}
	}
	if !c.Found {
		return c
	}
	a, b := stats.Mean(doses[segment].Y), stats.Mean(doses[segment+1].Y)
	share := a / (a - b)
	c.At = between(doses[segment].At, doses[segment+1].At, share)
	c.Low = edge(doses, segment, share, -1, confidence)
	c.High = edge(doses, segment, share, 1, confidence)
	return c
}

// crosses says whether the mean crosses 0 after a, at b at the latest. A dose that meets 0 exactly counts
// once.
func crosses(a, b Dose) bool {
	from, to := stats.Mean(a.Y), stats.Mean(b.Y)
	return from != 0 && (to == 0 || (from < 0) != (to < 0))
}

// Next is the value to be looked at next: the middle of the doses between which the mean first crosses
// 0. ok is false where it does not.
func Next(doses []Dose) (at float64, ok bool) {
	for i := range len(doses) - 1 {
		if crosses(doses[i], doses[i+1]) {
			return rounded((doses[i].At + doses[i+1].At) / 2), true
		}
	}
	return 0, false
}

// Insert puts a dose at its place.
func Insert(doses []Dose, d Dose) []Dose {
	i, _ := slices.BinarySearchFunc(doses, d, func(a, b Dose) int { return cmp.Compare(a.At, b.At) })
	return slices.Insert(slices.Clone(doses), i, d)
}

// looks is at how many places between two doses the test is looked at, before its edge is halved in.
const looks = 100

// edge goes from a share of a segment down (-1) or up (1) to where the test rejects; NaN = it never does.
func edge(doses []Dose, segment int, share float64, way int, confidence float64) float64 {
	intervals := stats.MeanIntervals(confidence)
	holds := func(segment int, share float64) bool {
		y := make([]float64, len(doses[segment].Y))
		for r := range y {
			y[r] = between(doses[segment].Y[r], doses[segment+1].Y[r], share)
		}
		iv := intervals(y)
		return iv.Low <= 0 && 0 <= iv.High
	}
	inside := share
	for segment >= 0 && segment < len(doses)-1 {
		end := 0.0
		if way > 0 {
			end = 1
		}
		from := inside
		for k := 1; k <= looks; k++ {
			outside := from + (end-from)*float64(k)/looks
			if holds(segment, outside) {
				inside = outside
				continue
			}
			for range 40 { // to the last digits that are told
				if middle := (inside + outside) / 2; holds(segment, middle) {
					inside = middle
				} else {
					outside = middle
				}
			}
			return between(doses[segment].At, doses[segment+1].At, inside)
		}
		segment, inside = segment+way, 1-end
	}
	return math.NaN()
}

func between(a, b, share float64) float64 { return float64(a*(1-share)) + float64(b*share) }
