package sampling

import "math/rand/v2"

// purpose keeps the random numbers of one design apart from those of another with the same seed.
type purpose uint64

const (
	scrambling purpose = iota + 1
	strata
	trajectories
)

// key is the start of the random numbers for one purpose and, within it, one dimension or one trajectory: more of them
// leave the others as they are.
func key(seed uint64, of purpose, index int) uint64 {
	return hash(hash(hash(seed)+uint64(of)) + uint64(index))
}

func stream(seed uint64, of purpose, index int) *rand.Rand {
	k := key(seed, of, index)
	return rand.New(rand.NewPCG(k, hash(k)))
}

const golden = 0x9e3779b97f4a7c15 // 2⁶⁴ over the golden ratio, by which SplitMix64 counts

// hash is the first output of SplitMix64 from the state z (Steele, Lea and Flood 2014, "Fast Splittable Pseudorandom
// Number Generators", OOPSLA, with the constants of Stafford's variant 13); hash(z + k golden) is the k-th after it.
func hash(z uint64) uint64 {
	z += golden
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// unit is uniform on the multiples of 2⁻³² in [0, 1): few enough digits that i + unit is exact for every i up to
// [MaxPoints], and so stays below i + 1.
func unit(r *rand.Rand) float64 { return float64(r.Uint32()) / (1 << 32) }
