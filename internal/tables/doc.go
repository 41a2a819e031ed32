// Package tables says what the months of a simulation were: households and firms by group, the
// public budget, the monthly statistics, and what an experiment left behind, over replications.
// It measures and judges nothing: whether a difference is one is for the packages above.
package tables
