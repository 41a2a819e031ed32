// Package sampling gives the points that experiments are designed by: which values the factors of a model take, run by
// run. It knows no model: the points are of the unit cube, or are numbers of levels, and the caller maps them to values.
//
//   - [Sobol] fills the cube evenly, for averages and for a surrogate of the model; [LatinHypercube] does so along each
//     factor, for any number of points.
//   - [Morris] moves one factor at a time, to find those that matter with few runs.
//   - [Saltelli] is the design for Sobol' indices: which share of the variance of a result each factor explains.
//   - [Factorial] is every combination of levels, [FractionalTwoLevel] a balanced part of them.
//
// Each design is a function of its arguments: the same seed gives the same bits. More points of Sobol, Morris or Saltelli
// follow those of a smaller design; a larger Latin hypercube is another one. Where an argument is out of range, the
// error says which one and what is allowed.
package sampling

import "fmt"

const (
	MaxPoints     = 1 << 20 // rows of one design
	MaxDimensions = 512     // factors of one design; half as many for Saltelli, which needs two columns for each
)

// within is an error unless least ≤ value ≤ most.
func within(name string, value, least, most int) error {
	if value < least || value > most {
		return fmt.Errorf("%s: %d is outside %d to %d", name, value, least, most)
	}
	return nil
}

// rows are n rows of d values, one after the other in memory.
func rows[T any](n, d int) [][]T {
	all, of := make([]T, n*d), make([][]T, n)
	for i := range of {
		of[i] = all[i*d : (i+1)*d : (i+1)*d]
	}
	return of
}
