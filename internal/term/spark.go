package term

import (
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/stats"
)

// bars are the levels of a sparkline.
var bars = []rune("▁▂▃▄▅▆▇█")

// Sparkline draws a series in at most width characters, each the mean of its
// months; a gap is a blank.
func Sparkline(series []float64, width int) string {
	points := buckets(series, width)
	low, high := bounds(points)
	return onScale(points, low, high)
}

// onScale draws points between two bounds; a gap is a blank.
func onScale(points []float64, low, high float64) string {
	var b strings.Builder
	for _, x := range points {
		switch {
		case math.IsNaN(x):
			b.WriteByte(' ')
		case !(high > low):
			b.WriteRune(bars[len(bars)/2-1])
		default:
			b.WriteRune(bars[min(int((x-low)/(high-low)*float64(len(bars))), len(bars)-1)])
		}
	}
	return b.String()
}

// buckets averages the series in at most n equal parts.
func buckets(series []float64, n int) []float64 {
	n = min(n, len(series))
	out := make([]float64, n)
	for k := range out {
		out[k] = stats.DefinedMean(series[k*len(series)/n : (k+1)*len(series)/n])
	}
	return out
}

// bounds returns the least and the greatest number; NaN without any.
func bounds(x []float64) (low, high float64) {
	x = stats.Defined(x)
	if len(x) == 0 {
		return math.NaN(), math.NaN()
	}
	return slices.Min(x), slices.Max(x)
}
