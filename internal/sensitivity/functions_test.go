package sensitivity_test

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"testing"

	"econ-mcp/internal/sensitivity"
)

var nan = math.NaN()

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s = %.9g, want %.9g ± %g", what, got, want, tolerance)
	}
}

// covers says whether the interval has the value in it.
func covers(e sensitivity.Estimate, x float64) bool { return e.Low <= x && x <= e.High }

// ishigami is the function of Ishigami and Homma (1990, "An importance quantification technique in uncertainty analysis for
// computer models") with a = 7 and b = 0.1, of a point of the unit cube for -π to π.
func ishigami(u []float64) float64 {
	x := func(i int) float64 { return math.Pi * (2*u[i] - 1) }
	return math.Sin(x(0)) + 7*math.Pow(math.Sin(x(1)), 2) + .1*math.Pow(x(2), 4)*math.Sin(x(0))
}

// Its variances by formula (Saltelli et al. 2008, Global Sensitivity Analysis: The Primer, section 4.5): V_1 = (1 + bπ⁴/5)²/2,
// V_2 = a²/8, V_13 = 8b²π⁸/225 and no others.
var (
	pi4           = math.Pow(math.Pi, 4)
	v1, v2, v13   = math.Pow(1+.1*pi4/5, 2) / 2, 49. / 8, 8 * .01 * pi4 * pi4 / 225
	ishigamiV     = v1 + v2 + v13
	ishigamiFirst = []float64{v1 / ishigamiV, v2 / ishigamiV, 0}
	ishigamiTotal = []float64{(v1 + v13) / ishigamiV, v2 / ishigamiV, v13 / ishigamiV}
)

// gA are the usual coefficients of the G function of Sobol': product of (|4x_i - 2| + a_i) / (1 + a_i).
var gA = []float64{0, 1, 4.5, 9, 99, 99, 99, 99}

func gFunction(u []float64) float64 {
	y := 1.
	for i, a := range gA {
		y *= (math.Abs(4*u[i]-2) + a) / (1 + a)
	}
	return y
}

// gIndices are by formula: with V_i = 1/(3(1+a_i)²), V = product of (1+V_j) - 1, S_i = V_i/V, T_i = V_i product of (1+V_j), j ≠ i, / V
// and S_ij = V_i V_j / V.
func gIndices() (first, total []float64, second func(i, j int) float64) {
	v, all := make([]float64, len(gA)), 1.
	for i, a := range gA {
		v[i] = 1 / (3 * (1 + a) * (1 + a))
		all *= 1 + v[i]
	}
	for _, x := range v {
		first = append(first, x/(all-1))
		total = append(total, x*all/(1+x)/(all-1))
	}
	return first, total, func(i, j int) float64 { return v[i] * v[j] / (all - 1) }
}

// saltelli are the points of Saltelli's design from those of 2d coordinates, A before B.
func saltelli(base [][]float64, second bool) (points [][]float64) {
	for _, p := range base {
		d := len(p) / 2
		a, b := p[:d], p[d:]
		with := func(x, y []float64) {
			for i := range d {
				z := append([]float64(nil), x...)
				z[i] = y[i]
				points = append(points, z)
			}
		}
		points = append(points, a)
		with(a, b)
		if second {
			with(b, a)
		}
		points = append(points, b)
	}
	return points
}

func evaluate(f func([]float64) float64, points [][]float64) []float64 {
	y := make([]float64, len(points))
	for i, p := range points {
		y[i] = f(p)
	}
	return y
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 99)) }

func uniform(n, d int, source *rand.Rand) [][]float64 {
	points := make([][]float64, n)
	for j := range points {
		for range d {
			points[j] = append(points[j], source.Float64())
		}
	}
	return points
}

// sobolPoints are those of Sobol' with the direction numbers of Joe and Kuo (2008, new-joe-kuo-6) in up to six dimensions, from
// one on, as SALib and scipy.stats.qmc.Sobol(6, scramble=False) have them.
func sobolPoints(from, n, d int) [][]float64 {
	table := []struct {
		a uint32
		m []uint32
	}{{0, []uint32{1}}, {1, []uint32{1, 3}}, {1, []uint32{1, 3, 1}}, {2, []uint32{1, 1, 1}}, {1, []uint32{1, 1, 3, 3}}}
	directions := make([][32]uint32, d)
	for k := range 32 {
		directions[0][k] = 1 << (31 - k)
		for i := 1; i < d; i++ {
			v, s := &directions[i], len(table[i-1].m)
			if k < s {
				v[k] = table[i-1].m[k] << (31 - k)
				continue
			}
			v[k] = v[k-s] ^ v[k-s]>>s
			for j := 1; j < s; j++ {
				if table[i-1].a>>(s-1-j)&1 == 1 {
					v[k] ^= v[k-j]
				}
			}
		}
	}
	points := make([][]float64, n)
	x := make([]uint32, d)
	for j := range from + n {
		for i := range d {
			if j > 0 {
				x[i] ^= directions[i][bits.TrailingZeros(uint(j))]
			}
			if j >= from {
				points[j-from] = append(points[j-from], float64(x[i])/(1<<32))
			}
		}
	}
	return points
}
