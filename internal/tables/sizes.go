package tables

import (
	"encoding/json"
	"math"
	"slices"

	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// tailShare is the share of the firms that are in the tail of sizes.
const tailShare = .05

// SizeTail is the Hill estimate of the tail exponent of firm sizes over the
// largest 5 % of the firms that have employees (Axtell, 2001). It is corrected for
// the bias of k/(k-1) with k firms in the tail (Rytgaard 1990), which is 6 % with
// 19 firms of 380.
func SizeTail(employees []float64) float64 {
	var active []float64
	for _, n := range employees {
		if n > 0 {
			active = append(active, n)
		}
	}
	k := math.Round(tailShare * float64(len(active)))
	return (k - 1) / k * stats.HillExponent(active, tailShare)
}

// FirmSizes says how many firms have how many employees, largest first. Firms without
// employees are left out.
type FirmSizes []SizeCount

// SizeCount is a number of employees and how many firms have it. Its JSON form is
// [employees, firms].
type SizeCount struct{ Employees, Firms int }

// MarshalJSON implements [json.Marshaler].
func (c SizeCount) MarshalJSON() ([]byte, error) {
	return json.Marshal([2]int{c.Employees, c.Firms})
}

// UnmarshalJSON implements [json.Unmarshaler].
func (c *SizeCount) UnmarshalJSON(data []byte) error {
	var pair [2]int
	err := json.Unmarshal(data, &pair)
	c.Employees, c.Firms = pair[0], pair[1]
	return err
}

// NewFirmSizes counts the firms of an economy.
func NewFirmSizes(e *sim.Economy) FirmSizes {
	var employees []int
	e.EachFirm(func(_ int, v sim.FirmView) { employees = append(employees, v.Employees) })
	return countSizes(employees)
}

func countSizes(employees []int) FirmSizes {
	sizes := FirmSizes{}
	slices.Sort(employees)
	for _, n := range slices.Backward(employees) {
		switch last := len(sizes) - 1; {
		case n < 1:
		case last >= 0 && sizes[last].Employees == n:
			sizes[last].Firms++
		default:
			sizes = append(sizes, SizeCount{n, 1})
		}
	}
	return sizes
}

// Pooled counts the firms of several economies together.
func Pooled(list []FirmSizes) FirmSizes {
	var employees []int
	for _, sizes := range list {
		employees = append(employees, sizes.Employees()...)
	}
	return countSizes(employees)
}

// Employees of each firm, largest first.
func (s FirmSizes) Employees() (list []int) {
	for _, c := range s {
		list = append(list, slices.Repeat([]int{c.Employees}, c.Firms)...)
	}
	return list
}

// Tail is the tail exponent of the sizes; see [SizeTail].
func (s FirmSizes) Tail() float64 {
	var list []float64
	for _, n := range s.Employees() {
		list = append(list, float64(n))
	}
	return SizeTail(list)
}

// Ranks are the points of a rank plot: sizes, and the share of the firms that have at
// least that many employees.
func (s FirmSizes) Ranks() (sizes, shares []float64) {
	all, at := 0, 0
	for _, c := range s {
		all += c.Firms
	}
	for _, c := range s {
		at += c.Firms
		sizes, shares = append(sizes, float64(c.Employees)), append(shares, float64(at)/float64(all))
	}
	return sizes, shares
}
