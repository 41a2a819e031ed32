package quarterly

import "math"

// Phases are recessions and expansions of a series, dated by Harding and Pagan's (2002, "Dissecting the
// Cycle", Journal of Monetary Economics 49(2)) rule for quarters.
type Phases struct {
	Recessions       float64 // per 50 years
	Expansion        float64 // mean length of complete ones, quarters; NaN without one
	Recession        float64 // the same of recessions
	Depth            float64 // mean fall from peak to trough, in logs
	ShareOfRecession float64 // of all quarters
}

// turn is a peak or a trough.
type turn struct {
	at   int
	peak bool
}

// DatePhases dates the phases of a series of logs. A peak is higher than the two quarters before and not lower
// than the two after, a trough the other way round; they alternate, the more extreme of two alike counts. With
// leastCycle > 0 a phase has at least two quarters and a cycle (peak to peak, trough to trough) at least that many.
func DatePhases(y []float64, leastCycle int) Phases {
	var turns []turn
	for t := 2; t+2 < len(y); t++ {
		switch {
		case y[t] > y[t-1] && y[t] > y[t-2] && y[t] >= y[t+1] && y[t] >= y[t+2]:
			turns = append(turns, turn{t, true})
		case y[t] < y[t-1] && y[t] < y[t-2] && y[t] <= y[t+1] && y[t] <= y[t+2]:
			turns = append(turns, turn{t, false})
		}
	}
	turns = alternating(y, turns)
	for leastCycle > 0 {
		k := tooShort(turns, leastCycle)
		if k < 0 {
			break
		}
		turns = alternating(y, append(turns[:k-1:k-1], turns[k+1:]...))
	}
	return measure(y, turns)
}

// alternating keeps the more extreme of neighbours that are both peaks or both troughs.
func alternating(y []float64, turns []turn) (kept []turn) {
	for _, t := range turns {
		last := len(kept) - 1
		if last < 0 || kept[last].peak != t.peak {
			kept = append(kept, t)
			continue
		}
		if (y[t.at] > y[kept[last].at]) == t.peak {
			kept[last] = t
		}
	}
	return kept
}

// tooShort is the turn that ends the first phase of less than two quarters, or the first cycle that is too
// short; -1 = none. That phase goes, with both of its turns.
func tooShort(turns []turn, leastCycle int) int {
	for k := 1; k < len(turns); k++ {
		if turns[k].at-turns[k-1].at < 2 || k > 1 && turns[k].at-turns[k-2].at < leastCycle {
			return k
		}
	}
	return -1
}

func measure(y []float64, turns []turn) Phases {
	var falls, rises, fallen, risen, depth float64
	for k := 1; k < len(turns); k++ {
		from, to := turns[k-1], turns[k]
		if to.peak {
			rises++
			risen += float64(to.at - from.at)
			continue
		}
		falls++
		fallen += float64(to.at - from.at)
		depth += y[from.at] - y[to.at]
	}
	const fiftyYears = 200
	return Phases{
		Recessions: fiftyYears * falls / float64(len(y)), Expansion: ratio(risen, rises), Recession: ratio(fallen, falls),
		Depth: ratio(depth, falls), ShareOfRecession: fallen / float64(len(y)),
	}
}

func ratio(a, b float64) float64 {
	if b == 0 {
		return math.NaN()
	}
	return a / b
}
