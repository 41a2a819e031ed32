// Package solve finds numbers whose effects only a simulation knows: the amount with which something
// costs as much as something else, and the value at which an effect crosses a level. It knows no
// economics: numbers in, numbers out.
package solve

import (
	"fmt"
	"math"

	"econ-mcp/internal/fault"
)

// Search says where a number is looked for.
type Search struct {
	Start, Low, High float64 // from Low to High; Start is not zero
	Target           float64 // not zero
	Tolerance        float64 // share of Target by which the value may differ from it
	Most             int     // evaluations
}

// Root finds the x at which f(x) is the target, for an f that grows or falls with x without being
// exactly smooth: the first guess is in proportion, the next are secants, and once the target lies
// between two values they stay between these (the Illinois variant of regula falsi: Dowell and
// Jarratt 1971, BIT 11). x has six significant digits, so that what is told is what was evaluated.
//
// A target that lies beyond what the range reaches is [fault.OutOfRange], one that is not reached
// within the evaluations or between two neighbouring numbers [fault.InvalidState].
func (s Search) Root(f func(x float64) (float64, error)) (x, value float64, err error) {
	type point struct{ x, gap float64 }
	var below, above *point // of the target: the nearest on each side; weights of gaps are halved where one side stays
	var last, before *point
	best, side := point{gap: math.Inf(1)}, 0
	x = s.Start
	seen := map[float64]bool{}
	for range s.Most {
		value, err := f(x)
		if err != nil {
			return x, value, err
		}
		p := &point{x, value - s.Target}
		seen[x] = true
		if math.Abs(p.gap) < math.Abs(best.gap) {
			best = *p
		}
		if math.Abs(p.gap) <= s.Tolerance*math.Abs(s.Target) {
			return x, value, nil
		}
		before, last = last, p
		if p.gap < 0 {
			if side == -1 && above != nil {
				above = &point{above.x, above.gap / 2}
			}
			below, side = p, -1
		} else {
			if side == 1 && below != nil {
				below = &point{below.x, below.gap / 2}
			}
			above, side = p, 1
		}
		var next float64
		switch {
		case below != nil && above != nil:
			next = below.x - below.gap*(above.x-below.x)/(above.gap-below.gap)
		case before == nil:
			next = s.Start * s.Target / value
		default:
			next = last.x - last.gap*(last.x-before.x)/(last.gap-before.gap)
		}
		next = s.bounded(next, x)
		if below != nil && above != nil && seen[next] {
			next = rounded((below.x + above.x) / 2)
		}
		if seen[next] {
			if below == nil || above == nil {
				e := fault.New(fault.OutOfRange, "", "at %g it comes to %.6g, %.6g is wanted, and it ends there", x, value, s.Target)
				return x, value, e.WithHint(fmt.Sprintf("what is looked for must lie within %g to %g", s.Low, s.High))
			}
			break // two neighbours: the target lies in a jump
		}
		x = next
	}
	e := fault.New(fault.InvalidState, "", "it was not reached within %.2g %%: the nearest was %.6g at %g, %.6g is wanted", 100*s.Tolerance,
		best.gap+s.Target, best.x, s.Target)
	return best.x, best.gap + s.Target, e
}

// bounded is a guess within the range, and at most a hundred times as far from 0 as the last.
func (s Search) bounded(next, last float64) float64 {
	if math.IsNaN(next) || math.IsInf(next, 0) || next*last < 0 {
		next = last / 2
	}
	if math.Abs(next) > 100*math.Abs(last) {
		next = 100 * last
	}
	return min(max(rounded(next), s.Low), s.High)
}

// rounded is a number of six significant digits.
func rounded(x float64) float64 {
	var y float64
	fmt.Sscan(fmt.Sprintf("%.6g", x), &y)
	return y
}
