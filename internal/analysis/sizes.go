package analysis

import (
	"encoding/json"
	"slices"

	"econ-mcp/sim"
)

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

// pooled counts the firms of several economies together.
func pooled(list []FirmSizes) FirmSizes {
	var employees []int
	for _, sizes := range list {
		employees = append(employees, sizes.employees()...)
	}
	return countSizes(employees)
}

// employees of each firm, largest first.
func (s FirmSizes) employees() (list []int) {
	for _, c := range s {
		list = append(list, slices.Repeat([]int{c.Employees}, c.Firms)...)
	}
	return list
}

// Tail is the tail exponent of the sizes; see [SizeTail].
func (s FirmSizes) Tail() float64 {
	var list []float64
	for _, n := range s.employees() {
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
