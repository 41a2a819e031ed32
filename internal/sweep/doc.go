// Package sweep asks one inquiry at many points: a design says which numbers of the inquiry vary, each point is an inquiry
// of its own, and what came out at all points says which numbers matter, and where the answer flips. Economies are
// known by their content: none is simulated twice, by whichever process.
package sweep
