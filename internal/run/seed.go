package run

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
