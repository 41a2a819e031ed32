package sim

import (
	"math"
	"sync/atomic"
)

const (
	tailQuantile = 1.6448536269514722 // standard normal quantile of .95, from which skill may have a Pareto tail
	tailShare    = .05
	tailCap      = 15.0 // largest skill, multiples of that quantile's, so that no worker is a firm; chosen

	relearning = .01 // share of lost skill that is won back in a month of work: half in six years (Jacobson, LaLonde and Sullivan 1993)
)

// drawSkill turns a standard normal draw into the skill of a head, of mean one: log-normal, with a tail above zero
// from its quantile .95 on a Pareto distribution, whose exponent is one over the tail.
func drawSkill(z, dispersion, tail float64) int32 {
	x := logNormal(z, dispersion)
	if tail > 0 {
		if x > 0 && z > tailQuantile {
			left := .5 * math.Erfc(z/math.Sqrt2) / tailShare // share of the tail that lies above
			x = logNormal(tailQuantile, dispersion) * min(math.Pow(left, -tail), tailCap)
		}
		x /= tailMean(dispersion, tail)
	}
	return int32(max(1, math.Round(skillUnit*x)))
}

// tailMean is the mean of a log-normal variable of mean one whose values above the quantile .95 are replaced.
func tailMean(dispersion, tail float64) float64 {
	below := float64(.5 * math.Erfc((dispersion-tailQuantile)/math.Sqrt2)) // of the log-normal mean
	above := (1 - float64(tail*math.Pow(tailCap, (tail-1)/tail))) / (1 - tail)
	return below + float64(tailShare*logNormal(tailQuantile, dispersion)*above)
}

// forgotten is the skill after a month out of work (Ljungqvist and Sargent 1998).
func forgotten(skill int32, loss float64) int32 {
	return max(1, int32(math.Round(float64(skill)*(1-loss))))
}

// relearned is the skill after a month of work, rounded towards ability.
func relearned(skill, ability int32) int32 {
	return min(ability, skill+int32(math.Ceil(relearning*float64(ability-skill))))
}

// relearn wins back skill at work.
func (e *Economy) relearn(h int, employer int32) {
	if e.h.skill[h] >= e.h.ability[h] {
		return
	}
	skill := relearned(e.h.skill[h], e.h.ability[h])
	atomic.AddInt64(&e.f.labour[employer], int64(skill-e.h.skill[h]))
	e.h.skill[h] = skill
}
