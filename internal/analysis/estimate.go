package analysis

import (
	"math"

	"econ-mcp/internal/stats"
)

// Estimate is a number over replications: its mean and Student's interval, with the
// replication as the unit. Absent numbers are NaN, and null in JSON: all of them where
// no replication has the number, the interval where fewer than two have it.
type Estimate struct {
	Mean   Number `json:"mean"`
	CILow  Number `json:"ci_low"`
	CIHigh Number `json:"ci_high"`
}

// NewEstimate is the estimate of what the replications have; those without the number
// (NaN) are left out.
func NewEstimate(replications []float64, confidence float64) Estimate {
	i := stats.MeanInterval(defined(replications), confidence)
	return Estimate{Number(i.Mean), Number(i.Low), Number(i.High)}
}

// absent is the number that is not there.
var absent = Number(math.NaN())

// combine lets each estimate of a row be that of the replications' numbers at the same
// place: numbers and estimates list the places of a row in one order.
func combine(rows [][]*Number, into []*Estimate, confidence float64) {
	values := make([]float64, len(rows))
	for k, e := range into {
		for r := range rows {
			values[r] = float64(*rows[r][k])
		}
		*e = NewEstimate(values, confidence)
	}
}
