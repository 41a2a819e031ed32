package sampling_test

import (
	"math"
	"testing"

	"econ-mcp/internal/sampling"
)

// From point to point of a trajectory one factor moves by levels/(2(levels-1)), 2/3 for four levels (Morris 1991), and
// each factor once; all points are on the grid.
func TestMorrisTrajectories(t *testing.T) {
	for _, c := range []struct {
		r, d, levels int
		delta        float64
	}{{1, 1, 2, 1}, {10, 3, sampling.MorrisLevels, 2. / 3}, {4, 20, 6, .6}, {5, 100, 8, 4. / 7}} {
		points := must(sampling.Morris(c.r, c.d, c.levels, 11))(t)
		if len(points) != c.r*(c.d+1) {
			t.Fatalf("%d points of %+v", len(points), c)
		}
		for i, p := range points {
			for _, x := range p {
				if level := math.Round(x * float64(c.levels-1)); x < 0 || x > 1 || x != level/float64(c.levels-1) {
					t.Errorf("%v is off the grid of %d levels", x, c.levels)
				}
			}
			if i%(c.d+1) == 0 {
				continue
			}
			factor, step := movedBetween(points[i-1], p)
			if factor < 0 {
				t.Fatalf("points %d and %d of %+v do not differ in one factor", i-1, i, c)
			}
			near(t, "step", math.Abs(step), c.delta, 1e-15)
		}
		for start := 0; start < len(points); start += c.d + 1 {
			moved := map[int]bool{}
			for i := range c.d {
				factor, _ := movedBetween(points[start+i], points[start+i+1])
				moved[factor] = true
			}
			if len(moved) != c.d {
				t.Errorf("%d of %d factors move", len(moved), c.d)
			}
		}
	}
}

// For each factor, each of the moves 0 → 2/3, 1/3 → 1 and back has a quarter of the trajectories, and each place in the
// order a third of them.
func TestMorrisMovesAreEquallyFrequent(t *testing.T) {
	const r, d = 3000, 3
	points := must(sampling.Morris(r, d, 4, 1))(t)
	moves, places := map[[2]int]int{}, map[[2]int]int{}
	for i := range points[1:] {
		if place := i % (d + 1); place < d {
			factor, _ := movedBetween(points[i], points[i+1])
			moves[[2]int{factor, int(math.Round(3 * points[i][factor]))}]++
			places[[2]int{factor, place}]++
		}
	}
	for factor := range d {
		for from := range 4 {
			near(t, "moves from a level", float64(moves[[2]int{factor, from}]), r/4, 4*math.Sqrt(r*.25*.75))
		}
		for place := range d {
			near(t, "moves in a place", float64(places[[2]int{factor, place}]), r/d, 4*math.Sqrt(r*2./9))
		}
	}
}

// The elementary effects of 2 x_1 - 3 x_2 + x_1 x_3 are constant for x_2, the level of x_1 for x_3.
func TestElementaryEffects(t *testing.T) {
	f := func(x []float64) float64 { return 2*x[0] - 3*x[1] + x[0]*x[2] }
	points := must(sampling.Morris(20, 3, 4, 2))(t)
	for i := range points[1:] {
		if i%4 == 3 {
			continue
		}
		factor, step := movedBetween(points[i], points[i+1])
		effect := (f(points[i+1]) - f(points[i])) / step
		near(t, "effect", effect, []float64{2 + points[i][2], -3, points[i][0]}[factor], 1e-12)
	}
}

// movedBetween is the factor by which two points of a trajectory differ, and by how much: its elementary effect is the
// difference of the results over that step. The factor is -1 where the points differ in none or in several, as the last
// of one trajectory and the first of the next may.
func movedBetween(before, after []float64) (factor int, step float64) {
	factor = -1
	for j := range before {
		switch {
		case before[j] == after[j]:
		case factor >= 0:
			return -1, 0
		default:
			factor, step = j, after[j]-before[j]
		}
	}
	return factor, step
}

func TestMorrisIsAFunctionOfItsSeed(t *testing.T) {
	points := must(sampling.Morris(5, 4, 4, 1))(t)
	if !equal(points, must(sampling.Morris(8, 4, 4, 1))(t)[:len(points)]) {
		t.Error("the first trajectories change with their number")
	}
	if equal(points, must(sampling.Morris(5, 4, 4, 2))(t)) {
		t.Error("another seed gave the same points")
	}
	// As for Sobol: a change of these bits is a change for users.
	if got := crc(points); got != 0x819e78cc {
		t.Errorf("checksum %#x", got)
	}
}

func TestMorrisErrors(t *testing.T) {
	for _, c := range []struct {
		r, d, levels int
		want         string
	}{
		{0, 3, 4, "trajectories: 0 is outside 1 to 262144"},
		{1 << 18, 4, 4, "trajectories: 262144 is outside 1 to 209715"},
		{1, 0, 4, "dimensions: 0 is outside 1 to 512"},
		{1, 513, 4, "dimensions: 513 is outside 1 to 512"},
		{1, 3, 0, "levels: 0 is outside 2 to 1024"},
		{1, 3, 5, "levels: 5 is odd; take an even number"},
	} {
		_, err := sampling.Morris(c.r, c.d, c.levels, 1)
		checkError(t, err, c.want)
	}
}
