package tables

import "econ-mcp/internal/stats"

// Estimate is a number over replications: its mean and Student's interval, with the
// replication as the unit. Absent numbers are NaN, and null in JSON: all of them where
// no replication has the number, the interval where fewer than two have it.
type Estimate struct {
	Mean   stats.Number `json:"mean"`
	CILow  stats.Number `json:"ci_low"`
	CIHigh stats.Number `json:"ci_high"`
}

// NewEstimate is the estimate of what the replications have; those without the number
// (NaN) are left out.
func NewEstimate(replications []float64, confidence float64) Estimate {
	i := stats.MeanInterval(stats.Defined(replications), confidence)
	return Estimate{stats.Number(i.Mean), stats.Number(i.Low), stats.Number(i.High)}
}

// combine lets each estimate of a row be that of the replications' numbers at the same
// place: numbers and estimates list the places of a row in one order.
func combine(rows [][]*stats.Number, into []*Estimate, confidence float64) {
	values := make([]float64, len(rows))
	for k, e := range into {
		for r := range rows {
			values[r] = float64(*rows[r][k])
		}
		*e = NewEstimate(values, confidence)
	}
}
