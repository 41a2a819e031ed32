package analysis

import "econ-mcp/sim"

// WindowMeans is what one indicator came to in each replication: its mean over the months
// from to to (from 1, both included) in which it is defined, NaN where there are none.
func (p Panel) WindowMeans(i sim.Indicator, from, to int) []float64 {
	means := make([]float64, len(p))
	for r := range p {
		means[r] = windowMean(p[r][i], from, to)
	}
	return means
}
