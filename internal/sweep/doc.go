// Package sweep asks one inquiry at many points: a design says which numbers of the inquiry vary, each point is an inquiry
// of its own, and what came out at all points says which numbers matter, and where the answer flips. Economies are
// known by their content: none that is in the folder of runs is simulated again. Shards of one division have nothing in common;
// workers of different divisions at the same time may both simulate an economy, and find the same.
package sweep
