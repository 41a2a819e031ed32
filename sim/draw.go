package sim

import (
	"math"
	"math/bits"

	"gonum.org/v1/gonum/mathext"
)

// purpose says what a draw is for. A draw is a pure function of (seed,
// purpose, month, agent, number), so that adding a draw in one market leaves
// every other market's draws alone, control and treatment have the same draws, and
// the number of threads changes nothing.
//
// The values are part of the model: renumbering one changes what is drawn.
type purpose uint64

const (
	forSkill purpose = iota + 1
	forSavingType
	forEquityShare
	forFamilySize
	_ // retired
	forFirstJob
	forFirstSupplier
	forStartValues
	forConfidence
	forWages
	forPrices
	forVacancies
	forInvestment
	forSeparation
	forJobSearch
	forJobPriority
	forSupplierSearch
	forSupplierChoice
	forSecondRound
	forInnovation
	forImitation
	forEntry
	forFirstSeller
	forProgramme
	_ // retired
	forAgeing
	forParticipation
	forExposure
	forAdoption
	forNewTasks
	forRetraining
	forLiquidation
	forOpenEntry
	forLottery
	forOwnership
	forTechnology
	forWorldDemand
	forImportPrices
	forPurchases
	forPolicyRate
	forLoanSpread
	forFirmStates
)

// draws are the random numbers of one purpose in one month.
type draws uint64

const (
	weyl      = 0x9e3779b97f4a7c15 // 2^64 / golden ratio, the increment of SplitMix64
	drawOdd   = 0xd1342543de82ef95
	agentOdd  = weyl
	unit53    = 1.0 / (1 << 53)
	monthOdd  = 0xaf251af3b0f025b5
	streamOdd = 0xb564ef22ec7aece5
)

// scramble is the finaliser of SplitMix64 (Steele, Lea and Flood 2014,
// "Fast splittable pseudorandom number generators", Figure 16).
func scramble(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func newDraws(seed uint64, month int, p purpose) draws {
	return draws(scramble(scramble(seed+weyl) ^ scramble(uint64(month)*monthOdd+uint64(p)*streamOdd)))
}

// draws of this month for one purpose.
func (e *Economy) draws(p purpose) draws {
	seed := e.seed
	if e.redrawn.of>>p&1 != 0 {
		seed = e.redrawn.seed
	}
	return newDraws(seed, int(e.m.Month), p)
}

// bits returns 64 random bits for the agent's n-th draw.
func (l draws) bits(agent, n int) uint64 {
	return scramble(uint64(l) + uint64(agent)*agentOdd + uint64(n)*drawOdd)
}

// uniform returns a draw from [0, 1).
func (l draws) uniform(agent, n int) float64 { return unitInterval(l.bits(agent, n)) }

// unitInterval maps 64 random bits to [0, 1).
func unitInterval(bits uint64) float64 { return float64(float64(bits>>11) * unit53) }

// below returns a uniform integer from [0, n) (Lemire 2019, without the
// rejection step: its bias is below n/2^64).
func (l draws) below(agent, draw, n int) int { return int(scale(l.bits(agent, draw), uint64(n))) }

// normal returns a standard normal draw, by inversion.
func (l draws) normal(agent, n int) float64 {
	return mathext.NormalQuantile((float64(l.bits(agent, n)>>12) + .5) * (2 * unit53))
}

// exponential turns a uniform draw into one from an exponential distribution.
func exponential(u, mean float64) float64 { return -mean * math.Log1p(-u) }

// pareto turns a uniform draw into one from a Pareto distribution with
// minimum 1.
func pareto(u, exponent float64) float64 { return math.Pow(1-u, -1/exponent) }

// scale maps 64 random bits to [0, n).
func scale(random, n uint64) uint64 {
	hi, _ := bits.Mul64(random, n)
	return hi
}

// logNormal turns a standard normal draw into a log-normal one with mean 1.
func logNormal(z, sigma float64) float64 {
	return math.Exp(float64(sigma*z) - float64(sigma*sigma*.5))
}

// pick returns the class of a discrete distribution that u falls into.
func pick(u float64, classes int, share func(int) float64) int {
	for i := range classes - 1 {
		if u -= share(i); u < 0 {
			return i
		}
	}
	return classes - 1
}
