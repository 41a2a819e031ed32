// Package sensitivity says which factors an output depends on, from the points of a design and the outputs at them:
//
//	Sobol   shares of the variance of the output: of each factor, of pairs, with and without interactions
//	Morris  the size and the scatter of the effects of single steps, for screening with few runs
//	PAWN    how far the distribution of the output moves where a factor is known, from any sample
//	Delta   how far its density moves, as a share between 0 and 1, from any sample
//	Tree    where in the space of the factors the sign of the output flips
//
// Sobol and Morris read outputs in the row order of their designs, PAWN, Delta and Tree any points. Factors are counted from 0, in the
// order of the coordinates.
//
// Numbers go in and numbers come out; the package knows no economics, keeps no state and never changes its arguments. What it
// draws at random depends on the seed of its options alone. Bad input is an error that says what was expected: every number must
// be finite, and the outputs must vary.
//
// A design whose rows belong together in blocks, such as the d+2 rows of a base point of Saltelli's, has fewer independent
// observations than rows. Sobol and Morris draw whole base points and trajectories; PAWN, Delta and Tree need to be told: see
// [Options.Block].
package sensitivity
