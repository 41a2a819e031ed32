package report

import (
	"math"
	"strings"

	"econ-mcp/internal/plot"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Absent is how people are shown a number that is not there.
const Absent = "–"

// reading is how people read an indicator.
type reading int

const (
	plain    reading = iota
	share            // shown in percent, differences in percentage points
	money            // large: shown in thousands, millions or billions
	fraction         // coefficients between 0 and 1, with three decimals
)

func readAs(i sim.Indicator) reading {
	switch unit := i.Info().Unit; {
	case tables.IsShare(i):
		return share
	case strings.HasPrefix(unit, "currency units"):
		return money
	case unit == "0 to 1":
		return fraction
	}
	return plain
}

// Reading is how people read an indicator, and pages write it: plain, share (in percent), money (with k, M, G or T) or fraction
// (with four decimals).
func Reading(i sim.Indicator) string { return readings[readAs(i)] }

var readings = [...]string{plain: "plain", share: "share", money: "money", fraction: "fraction"}

// FormatValue writes a value of the indicator for people: shares in percent, amounts of money
// with T, G, M or k for large ones.
func FormatValue(i sim.Indicator, x float64) string {
	switch readAs(i) {
	case share:
		return FormatShare(x, 2)
	case money:
		return FormatAmount(x)
	case fraction:
		return FormatNumber(x, 4)
	}
	return FormatNumber(x, decimalsFor(x))
}

// FormatDifference writes the difference of two values of the indicator, with its sign, that
// of shares in percentage points (pp).
func FormatDifference(i sim.Indicator, x float64) string {
	return signed(x, FormatSize(i, x))
}

// FormatSize is [FormatDifference] without the sign of a rise.
func FormatSize(i sim.Indicator, x float64) string {
	s := FormatValue(i, x)
	if readAs(i) == share {
		return strings.Replace(s, " %", " pp", 1)
	}
	return s
}

// signed puts the sign of a rise before what is written of a number.
func signed(x float64, text string) string {
	if x > 0 && text != Absent {
		return "+" + text
	}
	return text
}

// signedShare is [FormatShare] with its sign.
func signedShare(x float64, decimals int) string { return signed(x, FormatShare(x, decimals)) }

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

// FormatShare writes a share in percent.
func FormatShare(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Absent
	}
	return FormatNumber(100*x, decimals) + " %"
}

// FormatNumber writes a number with a true minus sign, and none for zero.
func FormatNumber(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Absent
	}
	return plot.Number(x, decimals)
}

// FormatAmount writes an amount with at most four digits before its unit.
func FormatAmount(x float64) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return Absent
	}
	for _, u := range []struct {
		from, size float64
		name       string
	}{{1e12, 1e12, " T"}, {1e9, 1e9, " G"}, {1e6, 1e6, " M"}, {1e4, 1e3, " k"}} {
		if math.Abs(x) >= u.from {
			return FormatNumber(x/u.size, decimalsFor(x/u.size)) + u.name
		}
	}
	return FormatNumber(x, decimalsFor(x))
}

// IsMoney reports whether the indicator is an amount of money.
func IsMoney(i sim.Indicator) bool { return readAs(i) == money }

// The languages of reports.
const (
	English = "en"
	Chinese = "zh"
)

// Plural writes a number with its noun.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return FormatNumber(float64(n), 0) + " " + noun + "s"
}
