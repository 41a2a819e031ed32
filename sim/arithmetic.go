package sim

import (
	"math"
	"math/bits"
)

func clip(x, low, high float64) float64 { return min(max(x, low), high) }

func positive(x float64) float64 { return max(x, 0) }

// floorMoney turns a real amount into whole subunits, rounding down.
func floorMoney(x float64) int64 { return int64(math.Floor(x)) }

// mulDiv returns a*b/c without overflow.
func mulDiv(a, b, c uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	q, _ := bits.Div64(hi, lo, c)
	return q
}

// ratio is a / b, and 1 where the economy has stopped and there is no b.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return 1
	}
	return a / b
}

func fill(history []float64, x float64) {
	for i := range history {
		history[i] = x
	}
}

func scaleAll(history []float64, factor float64) {
	for i := range history {
		history[i] *= factor
	}
}

// ring returns the slot of a history that holds the month `back` months ago.
func ring[T any](history []T, month int64, back int) *T {
	n := int64(len(history))
	return &history[((month-int64(back))%n+n)%n]
}

// sumRing adds up n months of a history, the latest `back` months ago.
func sumRing(history []float64, month int64, back, n int) float64 {
	sum := 0.0
	for k := range n {
		sum += *ring(history, month, back+k)
	}
	return sum
}
