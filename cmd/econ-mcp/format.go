package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"econ-mcp/internal/analysis"
	"econ-mcp/sim"
)

// absent is how a table shows a number that is not there.
const absent = analysis.Absent

// tableWidth is the greatest width of a line for people.
const tableWidth = 100

// The numbers of reports look as those of the command line.
func number(i sim.Indicator, x float64) string     { return analysis.FormatValue(i, x) }
func difference(i sim.Indicator, x float64) string { return analysis.FormatDifference(i, x) }
func percent(x float64, decimals int) string       { return analysis.FormatShare(x, decimals) }
func signed(x float64, decimals int) string        { return analysis.FormatNumber(x, decimals) }
func large(x float64) string                       { return analysis.FormatAmount(x) }
func count(n int) string                           { return signed(float64(n), 0) }

func bytesText(n int64) string {
	switch x := float64(n); {
	case x >= 1e9:
		return fmt.Sprintf("%.1f GB", x/1e9)
	case x >= 1e6:
		return fmt.Sprintf("%.0f MB", x/1e6)
	default:
		return fmt.Sprintf("%.0f kB", x/1e3)
	}
}

// plural writes a number with its noun.
func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return count(n) + " " + noun + "s"
}

// right and left pad to a width in characters.
func right(s string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s))) + s
}

func left(s string, width int) string {
	return s + strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s)))
}

// printable escapes what a terminal would act on, line breaks too.
func printable(s string) string {
	var b strings.Builder
	for _, r := range s {
		if unicode.IsGraphic(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
	}
	return b.String()
}

// wrap breaks text into lines of at most width characters.
func wrap(text string, width int, indent string) string {
	var b strings.Builder
	used := 0
	for _, word := range strings.Fields(text) {
		word = printable(word)
		n := utf8.RuneCountInString(word)
		switch {
		case used == 0:
			b.WriteString(indent)
			used = utf8.RuneCountInString(indent)
		case used+1+n > width:
			b.WriteString("\n" + indent)
			used = utf8.RuneCountInString(indent)
		default:
			b.WriteByte(' ')
			used++
		}
		b.WriteString(word)
		used += n
	}
	return b.String()
}

// bars are the levels of a sparkline.
var bars = []rune("▁▂▃▄▅▆▇█")

// sparkline draws a series in at most width characters, each the mean of its
// months; a gap is a blank.
func sparkline(series []float64, width int) string {
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
		out[k] = mean(series[k*len(series)/n : (k+1)*len(series)/n])
	}
	return out
}

// bounds returns the least and the greatest number; NaN without any.
func bounds(x []float64) (low, high float64) {
	low, high = math.NaN(), math.NaN()
	for _, v := range x {
		if math.IsNaN(v) {
			continue
		}
		if math.IsNaN(low) || v < low {
			low = v
		}
		if math.IsNaN(high) || v > high {
			high = v
		}
	}
	return low, high
}

// mean leaves gaps out; it is NaN when nothing is left.
func mean(x []float64) float64 {
	sum, n := 0.0, 0
	for _, v := range x {
		if !math.IsNaN(v) {
			sum += v
			n++
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / float64(n)
}

// last is the last number of the series, NaN without any.
func last(x []float64) float64 {
	if len(x) == 0 {
		return math.NaN()
	}
	return x[len(x)-1]
}
