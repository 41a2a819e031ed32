package lab

import "econ-mcp/sim"

// Months is a number of months, or one of them, of an experiment that a caller gives.
type Months int

// Bounds are those of the catalogue's num_iterations.
func (Months) Bounds() (low, high float64) {
	row, err := sim.Lookup("num_iterations")
	if err != nil {
		panic(err) // of the catalogue
	}
	return row.Min, row.Max
}
