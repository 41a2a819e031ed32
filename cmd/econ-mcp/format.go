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
const absent = "–"

// tableWidth is the greatest width of a line for people.
const tableWidth = 100

// scale is how people read an indicator.
type scale int

const (
	plain    scale = iota
	share          // shown in percent, differences in percentage points
	money          // large: shown in thousands, millions or billions
	fraction       // coefficients between 0 and 1, with three decimals
)

func scaleOf(i sim.Indicator) scale {
	switch unit := i.Info().Unit; {
	case analysis.IsShare(i):
		return share
	case strings.HasPrefix(unit, "currency units"):
		return money
	case unit == "0 to 1":
		return fraction
	}
	return plain
}

// number formats a value of the indicator.
func number(i sim.Indicator, x float64) string {
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return absent
	case scaleOf(i) == share:
		return percent(x, 2)
	case scaleOf(i) == money:
		return large(x)
	case scaleOf(i) == fraction:
		return signed(x, 4)
	}
	return signed(x, decimalsFor(x))
}

// difference formats the difference of two values of the indicator, with its
// sign.
func difference(i sim.Indicator, x float64) string {
	s := number(i, x)
	if scaleOf(i) == share && s != absent {
		s = strings.Replace(s, " %", " pp", 1)
	}
	if x > 0 && s != absent {
		return "+" + s
	}
	return s
}

// decimalsFor gives about four significant digits.
func decimalsFor(x float64) int {
	switch a := math.Abs(x); {
	case a >= 1000 || a == 0:
		return 0
	case a >= 100:
		return 1
	case a >= 1:
		return 2
	}
	return 3
}

// percent writes a share in percent.
func percent(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return absent
	}
	return signed(100*x, decimals) + " %"
}

// signed writes a number with a true minus sign, and none for zero.
func signed(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return absent
	}
	s := strconv.FormatFloat(math.Abs(x), 'f', decimals, 64)
	if x < 0 && strings.Trim(s, "0.") != "" {
		return "−" + grouped(s)
	}
	return grouped(s)
}

// grouped puts commas between groups of thousands.
func grouped(s string) string {
	whole, fraction, dot := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if dot {
		return whole + "." + fraction
	}
	return whole
}

func count(n int) string { return grouped(strconv.Itoa(n)) }

// large writes an amount with at most four digits before its unit.
func large(x float64) string {
	for _, u := range []struct {
		size float64
		name string
	}{{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e4, " k"}} {
		if math.Abs(x) < u.size {
			continue
		}
		size := u.size
		if u.name == " k" {
			size = 1e3
		}
		return signed(x/size, decimalsFor(x/size)) + u.name
	}
	return signed(x, decimalsFor(x))
}

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
	var b strings.Builder
	for _, x := range points {
		switch {
		case math.IsNaN(x):
			b.WriteByte(' ')
		case !(high > low):
			b.WriteRune(bars[len(bars)/2-1])
		default:
			level := int((x - low) / (high - low) * float64(len(bars)))
			b.WriteRune(bars[min(level, len(bars)-1)])
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
