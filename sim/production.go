package sim

import "math"

// Production of consumption goods. With fixed proportions (Leontief) labour makes output
// up to what capital can make. With the Cobb-Douglas function more labour makes more from
// the same capital: y = (A N)^a C^(1-a), where C is the output at which the capital is used
// as firms want it, so that at y = C both functions need the same labour. Capital goods
// are made by labour alone.

// mostIntense is the largest output that Cobb-Douglas firms make, in multiples of C.
const mostIntense = 2

// leastIntense bounds the ratio of output to C from below, where little labour is needed and
// the power would end in nothing.
const leastIntense = 1. / 16

// labourIntensity is the labour for a unit of output relative to what fixed proportions
// need: (y/C)^((1-a)/a), with ratio y/C within bounds.
func labourIntensity(ratio, elasticity float64) float64 {
	return math.Pow(clip(ratio, leastIntense, mostIntense), (1-elasticity)/elasticity)
}

// cobbDouglas says whether firm i may put more labour to its capital.
func (e *Economy) cobbDouglas(i int) bool {
	return e.p.ProductionFunction == "cobb_douglas" && !e.isCapital(i) && e.f.capital[i] > 0
}

// intensity is the labour intensity of firm i at an output, 1 with fixed proportions.
func (e *Economy) intensity(i int, output float64) float64 {
	if !e.cobbDouglas(i) {
		return 1
	}
	return labourIntensity(output/(e.capacity(i)*e.p.TargetUtilisation), e.p.LaborElasticity)
}

// mostOutput is the output that the capital of a consumption firm allows.
func (e *Economy) mostOutput(i int) float64 {
	if e.cobbDouglas(i) {
		return mostIntense * e.capacity(i) * e.p.TargetUtilisation
	}
	return e.capacity(i)
}

// outputOf is what an amount of labour makes in firm i.
func (e *Economy) outputOf(i int, labour float64) float64 {
	y := float64(e.perWorker(i) * labour)
	if !e.cobbDouglas(i) {
		return y
	}
	usual := e.capacity(i) * e.p.TargetUtilisation
	return float64(usual * math.Pow(y/usual, e.p.LaborElasticity))
}

// perWorker is the output that a unit of labour makes with the firm's automation.
func (e *Economy) perWorker(i int) float64 { return e.efficiency(i) / (1 - e.f.automated[i]) }

// unitCost is the cost of wages, licence fee and robot tax of a unit of output,
// subunits. It is the wage cost where nothing is automated.
func (e *Economy) unitCost(i int) float64 {
	saved := float64(e.f.automated[i] * (1 - licenceShare(&e.p)))
	return e.f.wage[i] * e.f.wagePremium[i] / e.efficiency(i) * (1 - saved) * e.f.intensity[i]
}
