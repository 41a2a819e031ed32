package sampling_test

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/bits"
	"slices"
	"testing"

	"econ-mcp/internal/sampling"
)

// SciPy 1.10.1: scipy.stats.qmc.Sobol(d=5, scramble=False).random(8), and random(101)[100] of d=512 in the columns below.
func TestSobolSequence(t *testing.T) {
	want := [][]float64{
		{0, 0, 0, 0, 0}, {.5, .5, .5, .5, .5}, {.75, .25, .25, .25, .75}, {.25, .75, .75, .75, .25},
		{.375, .375, .625, .875, .375}, {.875, .875, .125, .375, .875}, {.625, .125, .875, .625, .625}, {.125, .625, .375, .125, .125},
	}
	if got := must(sampling.SobolSequence(8, 5))(t); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("first points %v", got)
	}
	last := must(sampling.SobolSequence(101, 512))(t)[100]
	for column, want := range map[int]float64{0: .4140625, 1: .2578125, 9: .6953125, 99: .8828125, 255: .5703125, 511: .5234375} {
		if last[column] != want {
			t.Errorf("column %d of point 100 is %v, want %v", column, last[column], want)
		}
	}
}

// SciPy 1.10.1: zlib.crc32(scipy.stats.qmc.Sobol(d, scramble=False).random(n).tobytes())
func TestSobolSequenceIsSciPysBitForBit(t *testing.T) {
	for _, c := range []struct {
		n, d int
		crc  uint32
	}{
		{1, 1, 0x6522df69},
		{1000, 1, 0xac02f6de},
		{4096, 2, 0x9e7c8771},
		{333, 21, 0x3a2aae4c},
		{1024, 100, 0x128da548},
		{2048, 512, 0x4bb59e52},
	} {
		if got := crc(must(sampling.SobolSequence(c.n, c.d))(t)); got != c.crc {
			t.Errorf("%d points of %d dimensions: checksum %#x, want %#x", c.n, c.d, got, c.crc)
		}
	}
}

func crc(points [][]float64) uint32 {
	var b []byte
	for _, p := range points {
		for _, x := range p {
			b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
		}
	}
	return crc32.ChecksumIEEE(b)
}

// Any 2^m points from a multiple of 2^m are a (t, m, d)-net: each box of volume 2^(t-m) whose sides are 2^-k long has 2^t
// of them. The quality t is the sum of (degree of the polynomial - 1) over the dimensions after the first (Sobol' 1967,
// "On the Distribution of Points in a Cube", U.S.S.R. Comput. Math. Math. Phys. 7(4)), and scrambling keeps it.
func TestSobolIsANet(t *testing.T) {
	for d, quality := range map[int]int{1: 0, 2: 0, 3: 1, 4: 3} {
		for m := quality; m <= 8; m++ {
			twice := 2 << m
			checkNet(t, "sequence", must(sampling.SobolSequence(twice, d))(t)[twice/2:], m, quality)
			for seed := range uint64(3) {
				points := must(sampling.Sobol(twice, d, seed))(t)
				checkNet(t, "first scrambled", points[:twice/2], m, quality)
				checkNet(t, "next scrambled", points[twice/2:], m, quality)
			}
		}
	}
}

func checkNet(t *testing.T, what string, points [][]float64, m, quality int) {
	t.Helper()
	for _, sides := range shapes(len(points[0]), m-quality) {
		count := map[int]int{}
		for _, p := range points {
			box := 0
			for j, k := range sides {
				box = box<<k + int(p[j]*float64(int(1)<<k))
			}
			count[box]++
		}
		for box := range 1 << (m - quality) {
			if count[box] != 1<<quality {
				t.Fatalf("%s: %d of %d points in box %d of sides 2^-%v, want %d", what, count[box], len(points), box, sides, 1<<quality)
			}
		}
	}
}

// shapes are all ways to share k halvings between d dimensions.
func shapes(d, k int) (of [][]int) {
	if d == 1 {
		return [][]int{{k}}
	}
	for first := range k + 1 {
		for _, rest := range shapes(d-1, k-first) {
			of = append(of, append([]int{first}, rest...))
		}
	}
	return of
}

// Scrambling permutes the tree of digits: two numbers have as many leading digits in common as before. And it is uniform:
// each coin, and whether two coins agree, is even over seeds, in one dimension and between two.
func TestScramblingIsNestedAndUniform(t *testing.T) {
	const n, seeds, nodes = 32, 4000, 31 // the nodes of levels 0 to 4, and the same in a second dimension
	plain := must(sampling.SobolSequence(n, 2))(t)
	var flips [2 * nodes]int
	var agree [2 * nodes][2 * nodes]int
	for seed := range uint64(seeds) {
		points := must(sampling.Sobol(n, 2, seed))(t)
		var coins [2 * nodes]int
		for i, p := range points {
			for j, x := range p {
				for k := range 5 {
					before, after := digits(plain[i][j], k+1), digits(x, k+1)
					node := nodes*j + 1<<k - 1 + before>>1
					coins[node] = (before ^ after) & 1 // of every point below the node, since their common digits stay common
				}
			}
			for i2, q := range points[:i] {
				for j := range p {
					if common(p[j], q[j]) != common(plain[i][j], plain[i2][j]) {
						t.Fatalf("seed %d: %v and %v became %v and %v", seed, plain[i][j], plain[i2][j], p[j], q[j])
					}
				}
			}
		}
		for a := range coins {
			flips[a] += coins[a]
			for b := range a {
				agree[a][b] += 1 - coins[a] ^ coins[b]
			}
		}
	}
	five := 5 * math.Sqrt(seeds) / 2 // standard errors: one of the 1,953 rates is further out in about 900 trials
	for a := range flips {
		if math.Abs(float64(flips[a])-seeds/2) > five {
			t.Errorf("coin %d: %d of %d", a, flips[a], seeds)
		}
		for b := range a {
			if math.Abs(float64(agree[a][b])-seeds/2) > five {
				t.Errorf("coins %d and %d agree %d times of %d", a, b, agree[a][b], seeds)
			}
		}
	}
}

// digits are the first k binary digits of x as a number.
func digits(x float64, k int) int { return int(x * float64(int(1)<<k)) }

// common is the number of leading binary digits that x and y share, up to 32.
func common(x, y float64) int { return bits.LeadingZeros32(uint32(digits(x, 32) ^ digits(y, 32))) }

// In one dimension the scrambled points are independent and uniform within their n strata, so that the mean of them has
// the variance 1/(12 n³). It has not with a digital shift or another scrambling that flips whole levels together.
func TestScrambledMeanHasItsVariance(t *testing.T) {
	const n, seeds = 16, 4000
	sum, squares := 0., 0.
	for seed := range uint64(seeds) {
		e := mean(column(must(sampling.Sobol(n, 1, seed))(t), 0)) - .5
		sum, squares = sum+e, squares+e*e
	}
	variance := 1. / (12 * n * n * n)
	near(t, "bias over the standard error", sum/math.Sqrt(seeds*variance), 0, 4)
	near(t, "variance", squares/seeds/variance, 1, 5*math.Sqrt(2./seeds))
}

// The digits below the 32 of the sequence are random too: with one point a stratum there is nothing even about them.
func TestDigitsBelowTheSequenceAreUniform(t *testing.T) {
	const n = 1 << 14
	var rest []float64
	for _, x := range column(must(sampling.Sobol(n, 1, 3))(t), 0) {
		_, below := math.Modf(x * (1 << 32))
		rest = append(rest, below)
	}
	near(t, "mean", mean(rest), .5, 4/math.Sqrt(12*n))
	for i, x := range rest {
		rest[i] = (x - .5) * (x - .5)
	}
	near(t, "variance", mean(rest), 1./12, 4/math.Sqrt(180*n)) // (x - 1/2)² has the variance 1/180
}

// The integral of prod (1 + a_j (x_j - 1/2)) is 1, its variance prod (1 + a_j²/12) - 1. With 1,024 points the root mean
// square error is a small part of that of random points, and from 256 to 1,024 it falls by nearly 4^1.5 = 8 instead of 2.
func TestScrambledPointsIntegrateSmoothFunctions(t *testing.T) {
	a := []float64{1, .8, .6, .4, .2}
	rmse := func(n int) float64 {
		squares := 0.
		const seeds = 60
		for seed := range uint64(seeds) {
			sum := 0.
			for _, p := range must(sampling.Sobol(n, len(a), seed))(t) {
				f := 1.
				for j, x := range p {
					f *= 1 + a[j]*(x-.5)
				}
				sum += f
			}
			squares += (sum/float64(n) - 1) * (sum/float64(n) - 1)
		}
		return math.Sqrt(squares / seeds)
	}
	variance := 1.
	for _, c := range a {
		variance *= 1 + c*c/12
	}
	few, many := rmse(256), rmse(1024)
	if random := math.Sqrt((variance - 1) / 1024); many > random/50 {
		t.Errorf("RMSE %.2g, of random points %.2g", many, random)
	}
	if few/many < 5 {
		t.Errorf("RMSE %.2g with 256 points and %.2g with 1,024", few, many)
	}
}

// In all dimensions: one point in each of n strata, the mean ½, and no two dimensions alike.
func TestEveryDimensionIsStratified(t *testing.T) {
	const n = 256
	points := must(sampling.Sobol(n, sampling.MaxDimensions, 7))(t)
	seen := map[float64]int{}
	for j := range sampling.MaxDimensions {
		x := column(points, j)
		checkStrata(t, x)
		near(t, "mean", mean(x), .5, 5/math.Sqrt(12*n*n*n))
		if before, twice := seen[x[1]]; twice {
			t.Errorf("dimensions %d and %d have the second point %v", before, j, x[1])
		}
		seen[x[1]] = j
	}
}

func TestSobolIsAFunctionOfItsSeed(t *testing.T) {
	points := must(sampling.Sobol(64, 8, 1))(t)
	if !equal(points, must(sampling.Sobol(64, 8, 1))(t)) {
		t.Error("the same seed gave other points")
	}
	other := must(sampling.Sobol(64, 8, 2))(t)
	for i, p := range points {
		for j, x := range p {
			if x == other[i][j] {
				t.Errorf("seeds 1 and 2 share coordinate %d of point %d", j, i)
			}
		}
	}
	larger := must(sampling.Sobol(100, 20, 1))(t)
	for i, p := range points {
		if !slices.Equal(p, larger[i][:8]) {
			t.Errorf("point %d changes with the number of points or dimensions", i)
		}
	}
	// Stored designs are repeated from their seed, so that a change of these bits is a change for users.
	if got := crc(points); got != 0xcc226be {
		t.Errorf("checksum %#x", got)
	}
}

func TestSobolErrors(t *testing.T) {
	for _, c := range []struct {
		n, d int
		want string
	}{
		{0, 1, "points: 0 is outside 1 to 1048576"},
		{1<<20 + 1, 1, "points: 1048577 is outside 1 to 1048576"},
		{1, 0, "dimensions: 0 is outside 1 to 512"},
		{1, 513, "dimensions: 513 is outside 1 to 512"},
	} {
		_, scrambled := sampling.Sobol(c.n, c.d, 1)
		_, plain := sampling.SobolSequence(c.n, c.d)
		_, latin := sampling.LatinHypercube(c.n, c.d, 1)
		for _, err := range []error{scrambled, plain, latin} {
			checkError(t, err, c.want)
		}
	}
}
