package sensitivity_test

import (
	"math"
	"strings"
	"testing"

	"econ-mcp/internal/sensitivity"
)

func mustTree(tb testing.TB, points [][]float64, outputs []float64, o sensitivity.TreeOptions) *sensitivity.Node {
	tb.Helper()
	node, err := sensitivity.Tree(points, outputs, []string{"x1", "x2", "x3"}[:len(points[0])], o)
	if err != nil {
		tb.Fatal(err)
	}
	return node
}

// NumPy 1.24.2, of 300 points of Sobol's sequence from the 64th on and y = ishigami - 3: all thresholds between unique values with 15
// points or more on both sides, and of them the least
//
//	sum(q.sum() * 2 * s[q].mean() * (1 - s[q].mean()) for q in (m, ~m)) / len(s)
func TestTreeSplitsBest(t *testing.T) {
	points := sobolPoints(64, 300, 3)
	y := evaluate(func(u []float64) float64 { return ishigami(u) - 3 }, points)
	root := mustTree(t, points, y, sensitivity.TreeOptions{Leaf: 15, Depth: 1})
	if root.Factor != "x1" || root.N != 300 || root.Below.N != 152 || root.Above.N != 148 {
		t.Fatalf("root %+v", root)
	}
	near(t, "threshold", root.Threshold, .5068359375, 0)
	near(t, "share", root.Positive, .516666666667, 1e-11)
	near(t, "mean", root.Mean, .468642236792, 1e-11)
	near(t, "share below", root.Below.Positive, .335526315789, 1e-11)
	near(t, "share above", root.Above.Positive, .702702702703, 1e-11)
	near(t, "mean below", root.Below.Mean, -1.463806699607, 1e-11)
	near(t, "mean above", root.Above.Mean, 2.453319522825, 1e-11)
	if root.Below.Factor != "" || root.Below.Below != nil || root.Above.Above != nil {
		t.Errorf("depth 1 has more than one split: %+v", root)
	}
	// The best splits of the two parts by the same sum: of x2 at .099609375 above, and of x2 at .8701171875 below, which cuts off 21
	// negative outputs of 152 with 51 positive ones and is no better than chance.
	root = mustTree(t, points, y, sensitivity.TreeOptions{Leaf: 15, Depth: 2})
	if a := root.Above; a.Factor != "x2" || a.Threshold != .099609375 || a.Below.N != 15 || root.Below.Factor != "" {
		t.Errorf("above %+v, below %+v", a, root.Below)
	}
	near(t, "share below above", root.Above.Below.Positive, .266666666667, 1e-11)
	near(t, "share above above", root.Above.Above.Positive, .751879699248, 1e-11)
}

// A box of positive outputs, with noise that flips some signs: the splits are its sides, and there are no more.
func TestTreeFindsBox(t *testing.T) {
	right := 0
	const seeds = 30
	for seed := range uint64(seeds) {
		source := random(seed)
		points := uniform(400, 3, source)
		y := evaluate(func(x []float64) float64 {
			if x[0] > .6 && x[2] <= .7 {
				return .5 + .2*source.NormFloat64()
			}
			return -.5 + .2*source.NormFloat64()
		}, points)
		root := mustTree(t, points, y, sensitivity.TreeOptions{Seed: seed})
		inner := root.Above
		if root.Factor == "x1" && inner.Factor == "x3" && math.Abs(root.Threshold-.6) < .03 && math.Abs(inner.Threshold-.7) < .03 &&
			root.Below.Factor == "" && inner.Below.Factor == "" && inner.Above.Factor == "" &&
			inner.Below.Positive > .95 && inner.Above.Positive < .05 && root.Below.Positive < .05 {
			right++
		}
	}
	if right < seeds-2 {
		t.Errorf("the box is found in %d of %d", right, seeds)
	}
}

func TestTreeStep(t *testing.T) {
	source := random(4)
	points := uniform(200, 2, source)
	y := evaluate(func(x []float64) float64 {
		noise := .1 * source.NormFloat64()
		if x[0] > .6 {
			return .5 + noise
		}
		return -.5 + noise
	}, points)
	root := mustTree(t, points, y, sensitivity.TreeOptions{})
	near(t, "threshold", root.Threshold, .6, .02)
	if root.Factor != "x1" || root.Below.Positive != 0 || root.Above.Positive != 1 || root.Below.N+root.Above.N != 200 {
		t.Errorf("root %+v, below %+v, above %+v", root, root.Below, root.Above)
	}
	near(t, "mean above", root.Above.Mean, .5, .05)
}

// Noise has no split: by the permutation test with probability 99 %.
func TestTreeOfNoise(t *testing.T) {
	const seeds = 200
	splits := 0
	for seed := range uint64(seeds) {
		source := random(seed)
		points := uniform(100, 3, source)
		y := evaluate(func([]float64) float64 { return source.NormFloat64() }, points)
		if mustTree(t, points, y, sensitivity.TreeOptions{Seed: seed}).Factor != "" {
			splits++
		}
	}
	if splits > 7 { // P(more than 7) of a binomial of 200 and .01: R 4.2.2, pbinom(7, 200, .01, lower = FALSE), .001
		t.Errorf("%d of %d trees of noise split", splits, seeds)
	}
}

// The rows of a base point that share noise and coordinates look like an effect, but for what knows of the blocks.
func TestTreeBlocks(t *testing.T) {
	const seeds = 40
	splits := func(block int) (count int) {
		for seed := range uint64(seeds) {
			points, y := noisyBlocks(40, 3, seed)
			if mustTree(t, points, y, sensitivity.TreeOptions{Seed: seed, Block: block}).Factor != "" {
				count++
			}
		}
		return count
	}
	if blocks, rows := splits(5), splits(1); blocks > 3 || rows < 15 {
		t.Errorf("trees of noise that split, of %d: %d by blocks, %d by rows", seeds, blocks, rows)
	}
}

func TestTreeLeaves(t *testing.T) {
	points := uniform(300, 2, random(1))
	fine := func(x []float64) float64 { return math.Sin(30 * x[0]) }
	var walk func(n *sensitivity.Node, depth int)
	walk = func(n *sensitivity.Node, depth int) {
		if n.N < 15 || depth > 3 {
			t.Errorf("node of %d points at depth %d", n.N, depth)
		}
		if n.Factor != "" {
			walk(n.Below, depth+1)
			walk(n.Above, depth+1)
		}
	}
	walk(mustTree(t, points, evaluate(fine, points), sensitivity.TreeOptions{}), 0)

	positive := mustTree(t, points, evaluate(func(x []float64) float64 { return 1 + x[0] }, points), sensitivity.TreeOptions{})
	if positive.Factor != "" || positive.Positive != 1 || positive.N != 300 {
		t.Errorf("outputs of one sign split: %+v", positive)
	}
	zero := mustTree(t, points, make([]float64, 300), sensitivity.TreeOptions{})
	if zero.Factor != "" || zero.Positive != 0 || zero.Mean != 0 {
		t.Errorf("outputs of 0: %+v", zero)
	}
	if few := mustTree(t, points[:19], evaluate(fine, points[:19]), sensitivity.TreeOptions{}); few.Factor != "" {
		t.Errorf("19 points split: %+v", few)
	}
}

// Values next to each other, with nothing between them, and a factor with one value.
func TestTreeThreshold(t *testing.T) {
	low := .5
	high := math.Nextafter(low, 1)
	var points [][]float64
	var y []float64
	for i := range 40 {
		x, out := low, -1.
		if i%2 == 1 {
			x, out = high, 1
		}
		points, y = append(points, []float64{3, x}), append(y, out)
	}
	root := mustTree(t, points, y, sensitivity.TreeOptions{})
	if root.Factor != "x2" || root.Threshold != low || root.Below.Positive != 0 || root.Above.Positive != 1 {
		t.Errorf("root %+v", root)
	}
}

func TestTreeErrors(t *testing.T) {
	points := uniform(20, 2, random(1))
	y := evaluate(func(x []float64) float64 { return x[0] - .5 }, points)
	for _, c := range []struct {
		points  [][]float64
		outputs []float64
		names   []string
		o       sensitivity.TreeOptions
		want    string
	}{
		{points, y, []string{"a"}, sensitivity.TreeOptions{}, "1 names for 2 factors"},
		{points, y[1:], []string{"a", "b"}, sensitivity.TreeOptions{}, "19 outputs for 20 points"},
		{points, append([]float64{nan}, y[1:]...), []string{"a", "b"}, sensitivity.TreeOptions{}, "outputs[0] is NaN"},
		{nil, nil, nil, sensitivity.TreeOptions{}, "no points"},
		{points, y, []string{"a", "b"}, sensitivity.TreeOptions{Depth: -1}, "depth -1"},
	} {
		if _, err := sensitivity.Tree(c.points, c.outputs, c.names, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
