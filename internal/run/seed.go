package run

import "slices"

// seedBits is how many bits of a hash make a seed: as many as random_state has,
// so that a replication can be run again by itself with its seed.
const seedBits = 53

// ReplicationSeed is the seed of a replication, counted from 0. The first has
// the base seed itself. Replication r has the upper 53 bits of output r of
// SplitMix64 started at base (Steele, Lea and Flood, 2014, "Fast Splittable
// Pseudorandom Number Generators", OOPSLA). All arms of a replication share it.
func ReplicationSeed(base uint64, replication int) uint64 {
	if replication == 0 {
		return base
	}
	z := base + uint64(replication)*0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return (z ^ z>>31) >> (64 - seedBits)
}

// Seeds are those of the first replications: see [ReplicationSeed].
func Seeds(base uint64, replications int) []uint64 {
	seeds := make([]uint64, max(0, replications))
	for r := range seeds {
		seeds[r] = ReplicationSeed(base, r)
	}
	return seeds
}

// firstPilot is the number of the first replication of a pilot, far beyond those of any experiment.
const firstPilot = 1 << 30

// PilotSeeds are those of a pilot of an experiment with a base seed: the seeds that its replications
// from 2^30 on would have, without those that are taken.
func PilotSeeds(base uint64, n int, taken []uint64) []uint64 {
	var seeds []uint64
	for r := firstPilot; len(seeds) < n; r++ {
		if seed := ReplicationSeed(base, r); !slices.Contains(taken, seed) && !slices.Contains(seeds, seed) {
			seeds = append(seeds, seed)
		}
	}
	return seeds
}
