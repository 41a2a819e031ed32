package plot

import (
	"math"
	"strings"
	"testing"
)

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		n         ticks
		want      string
	}{
		{0, 10, 6, "0 2 4 6 8 10"},
		{-1.2, 1.3, 5, "−1.0 −0.5 0.0 0.5 1.0"},
		{980, 3020, 5, "1,000 1,500 2,000 2,500 3,000"},
		{0, 0.1, 5, "0.00 0.02 0.04 0.06 0.08 0.10"},
		{60, 61, 5, "60.0 60.2 60.4 60.6 60.8 61.0"},
	} {
		var labels []string
		for _, tick := range c.n.Ticks(c.low, c.high) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("ticks of %g to %g: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

func TestTicksAt(t *testing.T) {
	var labels []string
	for _, tick := range (ticksAt{1, 12, 24, 1.5}).Ticks(1, 20) {
		labels = append(labels, tick.Label)
	}
	if got := strings.Join(labels, " "); got != "1 12 1.5" {
		t.Errorf("ticks %s, want 1 12 1.5", got)
	}
}

func TestMagnitude(t *testing.T) {
	for _, c := range []struct {
		x    float64
		div  float64
		word string
	}{{9999, 1, ""}, {3e4, 1e3, "thousand"}, {3e7, 1e6, "million"}, {2e9, 1e9, "billion"}, {5e13, 1e12, "trillion"}} {
		if div, word := magnitude(c.x); div != c.div || word != c.word {
			t.Errorf("magnitude(%g) = %g %q, want %g %q", c.x, div, word, c.div, c.word)
		}
	}
}

func TestStretches(t *testing.T) {
	known := []bool{false, true, true, false, true}
	got := stretches(len(known), func(i int) bool { return known[i] })
	if len(got) != 2 || got[0] != (stretch{1, 3}) || got[1] != (stretch{4, 5}) {
		t.Errorf("stretches = %v", got)
	}
}

func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{{.05, 120, "0.1 1 10 100"}, {1, 30, "1 2 5 10 20"}, {900, 1.2e6, "1,000 10,000 100,000 1,000,000"}} {
		var labels []string
		for _, tick := range (logTicks{}).Ticks(c.low, c.high) {
			if tick.Label != "" {
				labels = append(labels, tick.Label)
			}
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("ticks of %g to %g: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}

func TestEstimate(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		value, low, high float64
		want             string
	}{
		{-6.448, -7.06, -5.836, "−6.45 (−7.06 to −5.84)"},
		{4.3, -24, 33, "+4 (−24 to 33)"},
		{.52, .0008, 1.04, "+0.520 (0.001 to 1.040)"},
		{.52, .0003, 1.04, "+0.52 (0.00 to 1.04)"},
		{1.234, nan, nan, "+1.23"},
		{0, 0, 0, "0.00 (0.00 to 0.00)"},
	} {
		if got := (Frame{}).numbers(Estimate{"", c.value, c.low, c.high}); got != c.want {
			t.Errorf("%g: %s, want %s", c.value, got, c.want)
		}
	}
}
