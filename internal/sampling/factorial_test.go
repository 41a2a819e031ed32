package sampling_test

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/sampling"
)

func TestFactorial(t *testing.T) {
	want := [][]int{{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {1, 0, 0}, {1, 0, 1}, {1, 0, 2}}
	if got := must(sampling.Factorial([]int{2, 1, 3}))(t); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("combinations %v", got)
	}
	if got := must(sampling.Factorial([]int{1 << 10, 1 << 10}))(t); len(got) != sampling.MaxPoints {
		t.Errorf("%d combinations", len(got))
	}
}

func TestFactorialErrors(t *testing.T) {
	for _, c := range []struct {
		levels []int
		want   string
	}{
		{nil, "factors: 0 is outside 1 to 512"},
		{[]int{2, 0}, "levels of factor 2: 0 is outside 1 to 524288, for at most 1048576 combinations"},
		{[]int{1 << 10, 1 << 10, 2}, "levels of factor 3: 2 is outside 1 to 1, for at most 1048576 combinations"},
		{slices.Repeat([]int{1 << 40}, 5), "levels of factor 1: 1099511627776 is outside 1 to 1048576, for at most 1048576 combinations"},
	} {
		_, err := sampling.Factorial(c.levels)
		checkError(t, err, c.want)
	}
}

// The resolutions are those of Box, Hunter and Hunter (1978, table 12.15), which the NIST/SEMATECH e-Handbook of
// Statistical Methods repeats (section 5.3.3.4.7); a full design has one more than its factors. The shortest words that
// are constant are as few as a search through all sets of generators finds, the first part of minimum aberration (Fries
// and Hunter 1980, Technometrics 22(4)).
func TestFractionalTwoLevel(t *testing.T) {
	type design struct{ resolution, shortest int }
	designs := map[int]map[int]design{ // by factors and runs
		2:  {4: {3, 0}},
		3:  {4: {3, 1}, 8: {4, 0}},
		4:  {8: {4, 1}, 16: {5, 0}},
		5:  {8: {3, 2}, 16: {5, 1}, 32: {6, 0}},
		6:  {8: {3, 4}, 16: {4, 3}, 32: {6, 1}, 64: {7, 0}},
		7:  {8: {3, 7}, 16: {4, 7}, 32: {4, 1}, 64: {7, 1}, 128: {8, 0}},
		8:  {16: {4, 14}, 32: {4, 3}, 64: {5, 2}, 128: {8, 1}},
		9:  {16: {3, 4}, 32: {4, 6}, 64: {4, 1}, 128: {6, 3}},
		10: {16: {3, 8}, 32: {4, 10}, 64: {4, 2}, 128: {5, 3}},
		11: {16: {3, 12}, 32: {4, 25}, 64: {4, 4}, 128: {5, 6}},
	}
	for d := 2; d <= 11; d++ {
		for runs := 4; runs <= 128; runs *= 2 {
			want, exists := designs[d][runs]
			f, err := sampling.FractionalTwoLevel(d, runs)
			if exists != (err == nil) {
				t.Errorf("%d factors in %d runs: error %v", d, runs, err)
			}
			if err != nil {
				continue
			}
			checkOrthogonal(t, f.Runs, d, runs)
			shortest, count := constantWords(f.Runs)
			if f.Resolution != want.resolution || shortest != want.resolution || count != want.shortest {
				t.Errorf("%d factors in %d runs: resolution %d said, %d found, want %d; %d words, want %d", d, runs, f.Resolution,
					shortest, want.resolution, count, want.shortest)
			}
			checkGenerators(t, f)
		}
	}
}

// checkOrthogonal checks that each factor is high in half of the runs, each pair of factors has its four combinations
// equally often, and no run is repeated.
func checkOrthogonal(t *testing.T, design [][]int, d, runs int) {
	t.Helper()
	seen := map[string]bool{}
	for _, run := range design {
		seen[fmt.Sprint(run)] = true
		if len(run) != d {
			t.Fatalf("%d levels for %d factors", len(run), d)
		}
	}
	if len(seen) != runs || len(design) != runs {
		t.Errorf("%d different runs of %d, want %d", len(seen), len(design), runs)
	}
	for a := range d {
		for b := range a {
			count := map[[2]int]int{}
			for _, run := range design {
				count[[2]int{run[a], run[b]}]++
			}
			for _, pair := range [][2]int{{0, 0}, {0, 1}, {1, 0}, {1, 1}} {
				if count[pair] != runs/4 {
					t.Errorf("factors %d and %d are %v in %d of %d runs", a, b, pair, count[pair], runs)
				}
			}
		}
	}
}

// constantWords is the least number of factors whose product of signs is the same in all runs, and how many products of
// that length are; the factors + 1 and 0 where none is.
func constantWords(design [][]int) (length, count int) {
	d := len(design[0])
	length = d + 1
	for word := 1; word < 1<<d; word++ {
		sum := 0
		for _, run := range design {
			sign := 1
			for j, level := range run {
				if word>>j&1 == 1 {
					sign *= 2*level - 1
				}
			}
			sum += sign
		}
		switch k := bits.OnesCount(uint(word)); {
		case sum != len(design) && sum != -len(design):
		case k < length:
			length, count = k, 1
		case k == length:
			count++
		}
	}
	return length, count
}

// checkGenerators checks that the products of signs are what the generators say.
func checkGenerators(t *testing.T, f sampling.Fraction) {
	t.Helper()
	for _, run := range f.Runs {
		sign := func(factor rune) int { return 2*run[strings.IndexRune("ABCDEFGHJKL", factor)] - 1 }
		for _, g := range f.Generators {
			left, right, _ := strings.Cut(g, "=")
			product := 1
			for _, factor := range right {
				product *= sign(factor)
			}
			if product != sign(rune(left[0])) {
				t.Fatalf("run %v is not by %s", run, g)
			}
		}
	}
}

// The half fraction of Box, Hunter and Hunter (1978) for four factors, D = ABC, in the order of A, B and C.
func TestHalfFraction(t *testing.T) {
	f := must(sampling.FractionalTwoLevel(4, 8))(t)
	want := [][]int{{0, 0, 0, 0}, {0, 0, 1, 1}, {0, 1, 0, 1}, {0, 1, 1, 0}, {1, 0, 0, 1}, {1, 0, 1, 0}, {1, 1, 0, 0}, {1, 1, 1, 1}}
	if !slices.EqualFunc(f.Runs, want, slices.Equal) || !slices.Equal(f.Generators, []string{"D=ABC"}) {
		t.Errorf("half fraction %+v", f)
	}
}

func TestFractionalTwoLevelErrors(t *testing.T) {
	for _, c := range []struct {
		d, runs int
		want    string
	}{
		{1, 4, "factors: 1 is outside 2 to 11"},
		{12, 16, "factors: 12 is outside 2 to 11"},
		{5, 12, "runs: no design of 5 factors in 12 runs; take one of 8, 16, 32"},
		{8, 8, "runs: no design of 8 factors in 8 runs; take one of 16, 32, 64, 128"},
		{2, 0, "runs: no design of 2 factors in 0 runs; take one of 4"},
	} {
		_, err := sampling.FractionalTwoLevel(c.d, c.runs)
		checkError(t, err, c.want)
	}
}
