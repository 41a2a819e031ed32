package sampling_test

import (
	"math"
	"slices"
	"testing"
)

// must gives the design of a call that has no error: must(f(…))(t).
func must[T any](design T, err error) func(testing.TB) T {
	return func(tb testing.TB) T {
		tb.Helper()
		if err != nil {
			tb.Fatal(err)
		}
		return design
	}
}

func near(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s is %v, want %v ± %v", what, got, want, tolerance)
	}
}

func checkError(t *testing.T, err error, want string) {
	t.Helper()
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %s", err, want)
	}
}

// checkStrata checks that n values are one in each of n equal intervals of [0, 1).
func checkStrata(t *testing.T, x []float64) {
	t.Helper()
	count := make([]int, len(x))
	for _, v := range x {
		if !(0 <= v && v < 1) {
			t.Fatalf("%v is outside [0, 1)", v)
		}
		count[int(v*float64(len(x)))]++
	}
	for k, c := range count {
		if c != 1 {
			t.Errorf("%d values in interval %d of %d", c, k, len(x))
		}
	}
}

func column[T any](points [][]T, j int) []T {
	x := make([]T, len(points))
	for i, p := range points {
		x[i] = p[j]
	}
	return x
}

func mean(x []float64) float64 {
	sum := 0.
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

func equal(a, b [][]float64) bool { return slices.EqualFunc(a, b, slices.Equal) }
