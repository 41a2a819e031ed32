package plot

import (
	"math"
	"strconv"
	"strings"

	gplot "gonum.org/v1/plot"
)

// roundSteps are the distances between ticks, up to a power of ten.
var roundSteps = [...]float64{1, 2, 2.5, 5, 10}

// tickStep returns the smallest round step that cuts span into at most n
// parts.
func tickStep(span float64, n int) float64 {
	raw := span / float64(n)
	scale := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, s := range roundSteps {
		if s*scale >= raw*(1-1e-9) {
			return s * scale
		}
	}
	return 10 * scale
}

// ticks is a ticker with about n labelled ticks at round numbers.
type ticks int

// Ticks implements the interface of gonum's plot.Ticker.
func (n ticks) Ticks(low, high float64) []gplot.Tick {
	step := tickStep(high-low, int(n))
	decimals := stepDecimals(step)
	var out []gplot.Tick
	for i := math.Ceil(low/step - 1e-9); i*step <= high+1e-9*step; i++ {
		v := i * step
		out = append(out, gplot.Tick{Value: v, Label: Number(v, decimals)})
	}
	return out
}

// ticksAt is a ticker at given places; those beyond the axis are left out.
type ticksAt []float64

// Ticks implements the interface of gonum's plot.Ticker.
func (at ticksAt) Ticks(low, high float64) []gplot.Tick {
	var out []gplot.Tick
	for _, v := range at {
		if low <= v && v <= high {
			out = append(out, gplot.Tick{Value: v, Label: Number(v, stepDecimals(math.Abs(v)))})
		}
	}
	return out
}

// barTicks names each bar.
func barTicks(list []Estimate) gplot.ConstantTicks {
	var out gplot.ConstantTicks
	for i, b := range list {
		out = append(out, gplot.Tick{Value: float64(i), Label: b.Label})
	}
	return out
}

// logTicks is a ticker for a logarithmic axis: labels at powers of ten, or at 1, 2 and 5
// times them where the axis spans less than two powers.
type logTicks struct{}

// Ticks implements the interface of gonum's plot.Ticker.
func (logTicks) Ticks(low, high float64) []gplot.Tick {
	var out []gplot.Tick
	few := high < 100*low
	for power := math.Floor(math.Log10(low)); power <= math.Log10(high); power++ {
		for m := 1; m <= 9; m++ {
			v := float64(m) * math.Pow(10, power)
			if v < low*(1-1e-9) || v > high*(1+1e-9) {
				continue
			}
			tick := gplot.Tick{Value: v}
			if m == 1 || few && (m == 2 || m == 5) {
				tick.Label = Number(v, max(0, int(-power)))
			}
			out = append(out, tick)
		}
	}
	return out
}

// stepDecimals returns how many decimals the multiples of step need.
func stepDecimals(step float64) int {
	for d := range 12 {
		scaled := step * math.Pow(10, float64(d))
		if math.Abs(scaled-math.Round(scaled)) < 1e-6*scaled {
			return d
		}
	}
	return 12
}

// Number writes a number with commas between groups of thousands and a true minus sign, and
// none for zero.
func Number(x float64, decimals int) string {
	s := strconv.FormatFloat(math.Abs(x), 'f', decimals, 64)
	point := strings.Index(s+".", ".")
	text := s
	for i := point - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	if x < 0 && strings.Trim(s, "0.") != "" {
		return "−" + text
	}
	return text
}

// numbers writes an estimate with its sign and its interval, to about two digits of what is
// not known.
func (f Frame) numbers(e Estimate) string {
	if !finite(e.Value) {
		return f.word("no data", "无数据")
	}
	half := (e.High - e.Low) / 2
	if !finite(half) || half == 0 {
		half = math.Abs(e.Value) / 10
	}
	decimals := 2
	if half > 0 {
		decimals = min(2, max(0, 1-int(math.Floor(math.Log10(half)))))
	}
	vanishes := func(digits int) bool {
		return min(math.Abs(e.Low), math.Abs(e.High)) < 0.5*math.Pow(10, -float64(digits))
	}
	if e.clear() && vanishes(decimals) && !vanishes(decimals+1) {
		decimals++ // a bound that is not zero does not look like it
	}
	s := signed(e.Value, decimals)
	if e.hasInterval() {
		s += " (" + Number(e.Low, decimals) + f.word(" to ", " 至 ") + Number(e.High, decimals) + ")"
	}
	return s
}

func signed(v float64, decimals int) string {
	s := Number(v, decimals)
	if v > 0 && strings.Trim(s, "0.") != "" {
		return "+" + s
	}
	return s
}

// scalesZH are the words of magnitude in Chinese, by divisor.
var scalesZH = map[float64]string{1e3: "千", 1e6: "百万", 1e9: "十亿", 1e12: "万亿"}

// magnitudes are the divisors of large numbers with their words, by the number from which on an
// axis is divided by them.
var magnitudes = []struct {
	from, divisor float64
	word          string
}{{1e12, 1e12, "trillion"}, {1e9, 1e9, "billion"}, {1e6, 1e6, "million"}, {1e4, 1e3, "thousand"}}

// Divisor is that of an axis that reaches a number, such as 1e6 where it says million; 1 = none.
func Divisor(largest float64) float64 {
	divisor, _ := magnitude(largest)
	return divisor
}

// magnitude returns the divisor and the word by which an axis that reaches
// the given absolute value becomes readable.
func magnitude(largest float64) (divisor float64, word string) {
	for _, m := range magnitudes {
		if largest >= m.from {
			return m.divisor, m.word
		}
	}
	return 1, ""
}
