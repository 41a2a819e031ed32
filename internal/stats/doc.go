// Package stats computes the few statistics that experiments and validation
// need: confidence intervals over replications, the cyclical component of a
// series, moments and co-movements, and the exponent of a size distribution.
//
// Numbers go in and numbers come out; the package knows no economics, keeps no
// state and never changes its arguments.
//
// A result that the data do not define is NaN and never a panic or an infinity:
// too few observations, no variation where some is divided by, or an option
// outside its range. Observations must be finite; a NaN or an infinity among
// them makes the result NaN. The only panic is for paired arguments of
// different lengths, which is a mistake in the calling code.
package stats
