package sampling_test

import (
	"math"
	"slices"
	"testing"

	"econ-mcp/internal/sampling"
)

// The rows of one base point, as SALib orders them: A, AB_1 … AB_d, BA_1 … BA_d, B.
func TestSaltelliRows(t *testing.T) {
	const n, d = 8, 3
	base := must(sampling.Sobol(n, 2*d, 9))(t)
	first := must(sampling.Saltelli(n, d, false, 9))(t)
	second := must(sampling.Saltelli(n, d, true, 9))(t)
	if len(first) != 40 || len(second) != 64 {
		t.Fatalf("%d and %d rows", len(first), len(second))
	}
	for i, x := range base {
		want := [][]float64{
			{x[0], x[1], x[2]},
			{x[3], x[1], x[2]}, {x[0], x[4], x[2]}, {x[0], x[1], x[5]},
			{x[0], x[4], x[5]}, {x[3], x[1], x[5]}, {x[3], x[4], x[2]},
			{x[3], x[4], x[5]},
		}
		if got := second[8*i : 8*i+8]; !equal(got, want) {
			t.Errorf("rows of point %d are %v, want %v", i, got, want)
		}
		if got := first[5*i : 5*i+5]; !equal(got, slices.Concat(want[:4], want[7:])) {
			t.Errorf("rows without second order of point %d are %v", i, got)
		}
	}
}

// The function of Ishigami and Homma (1990, "An Importance Quantification Technique in Uncertainty Analysis", ISUMA '90),
// sin x_1 + a sin² x_2 + b x_3⁴ sin x_1 on [-π, π]³, has the variances
//
//	V_1 = (1 + b π⁴/5)²/2, V_2 = a²/8, V_13 = 8 b² π⁸/225, and no others
//
// so that with a = 7 and b = 0.1 the first-order indices are .3139, .4424, 0 and the total ones .5576, .4424, .2437. The
// estimators are (b) and (f) of table 2 of Saltelli et al. (2010), and for pairs that of Saltelli (2002).
func TestSaltelliGivesTheIndicesOfIshigami(t *testing.T) {
	const n, d, a, b = 2048, 3, 7, .1
	v1, v2, v13 := math.Pow(1+b*math.Pow(math.Pi, 4)/5, 2)/2, a*a/8., 8*b*b*math.Pow(math.Pi, 8)/225
	v := v1 + v2 + v13
	ishigami := func(u []float64) float64 {
		x := func(j int) float64 { return math.Pi * (2*u[j] - 1) }
		return math.Sin(x(0)) + a*math.Pow(math.Sin(x(1)), 2) + b*math.Pow(x(2), 4)*math.Sin(x(0))
	}
	block := sampling.SaltelliBlock(d, true)
	var y [2*d + 2][]float64 // by row of the block
	for i, p := range must(sampling.Saltelli(n, d, true, 4))(t) {
		y[i%block] = append(y[i%block], ishigami(p)-a/2.) // less its mean
	}
	average := func(f func(i int) float64) float64 {
		sum := 0.
		for i := range n {
			sum += f(i)
		}
		return sum / n
	}
	ya, yb, ab, ba := y[0], y[block-1], y[1:1+d], y[1+d:1+2*d]
	first := func(j int) float64 { return average(func(i int) float64 { return yb[i] * (ab[j][i] - ya[i]) }) / v }
	total := func(j int) float64 {
		return average(func(i int) float64 { return (ya[i] - ab[j][i]) * (ya[i] - ab[j][i]) }) / 2 / v
	}
	pair := func(j, k int) float64 {
		closed := average(func(i int) float64 { return ba[j][i]*ab[k][i] - ya[i]*yb[i] }) / v
		return closed - first(j) - first(k)
	}
	for j, want := range []struct{ first, total float64 }{{v1, v1 + v13}, {v2, v2}, {0, v13}} {
		near(t, "first order", first(j), want.first/v, .02)
		near(t, "total", total(j), want.total/v, .02)
	}
	near(t, "pair 1 2", pair(0, 1), 0, .03)
	near(t, "pair 1 3", pair(0, 2), v13/v, .03)
	near(t, "pair 2 3", pair(1, 2), 0, .03)
}

func TestSaltelliErrors(t *testing.T) {
	for _, c := range []struct {
		n, d   int
		second bool
		want   string
	}{
		{100, 3, true, "base points: 100 is not a power of two"},
		{0, 3, true, "base points: 0 is outside 1 to 131072"},
		{1 << 20, 6, false, "base points: 1048576 is outside 1 to 131072"},
		{8, 0, true, "dimensions: 0 is outside 1 to 256"},
		{8, 257, true, "dimensions: 257 is outside 1 to 256"},
	} {
		_, err := sampling.Saltelli(c.n, c.d, c.second, 1)
		checkError(t, err, c.want)
	}
	if got := must(sampling.Saltelli(1, 256, true, 1))(t); len(got) != 514 {
		t.Errorf("%d rows for the most factors", len(got))
	}
}
