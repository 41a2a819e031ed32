package sensitivity

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"econ-mcp/internal/stats"
)

// TreeOptions say how far a tree may grow. The zero value is ready to use.
type TreeOptions struct {
	Depth int // splits from the root to a leaf, at most; 0 = 3
	Leaf  int // points in a leaf, at least; 0 = 10, or 5 % of all where that is more
	Block int // consecutive rows that were drawn together, as in [Options]; 0 = 1
	Seed  uint64
}

// Node is a part of the space of the factors. It is split in two, or a leaf.
type Node struct {
	N        int
	Positive float64 // the share of points with an output above 0
	Mean     float64 // of the output

	Factor    string  // whose threshold splits the node; "" in a leaf
	Threshold float64 // half-way between two values of the factor
	Below     *Node   // the points with the factor at or below the threshold; nil in a leaf
	Above     *Node
}

// Tree splits the points where that separates outputs above 0 best from the others: where the Gini impurity 2p(1-p) of the two
// parts, p being the share above 0, is least on average (Breiman, Friedman, Olshen and Stone 1984, Classification and Regression
// Trees, section 4.3). The best of many splits looks good in noise too, so that one is kept only if it takes off more impurity than
// the best split in each of 99 permutations of the signs in the node, which pure noise does with probability 1 %: a permutation
// test of the best split instead of pruning (Hothorn, Hornik and Zeileis 2006, "Unbiased Recursive Partitioning", Journal of
// Computational and Graphical Statistics 15(3)). With Block, the signs of a block stay together.
//
// A factor that flips the sign only together with another, as in a checkerboard, has no good first split and is not found.
//
// It is an error where there is not one name for each coordinate, or a coordinate or an output is not finite.
func Tree(points [][]float64, outputs []float64, names []string, o TreeOptions) (*Node, error) {
	if o.Depth < 0 || o.Leaf < 0 || o.Block < 0 {
		return nil, fmt.Errorf("depth %d, leaf %d, block %d; expected none below 0", o.Depth, o.Leaf, o.Block)
	}
	if err := errors.Join(checkPoints(points, outputs), checkFinite(outputs)); err != nil {
		return nil, err
	}
	if len(names) != len(points[0]) {
		return nil, fmt.Errorf("%d names for %d factors; expected one for each", len(names), len(points[0]))
	}
	if o.Depth == 0 {
		o.Depth = 3
	}
	if o.Leaf == 0 {
		o.Leaf = max(10, (len(points)+19)/20)
	}
	g := grower{points, outputs, names, o.Leaf, max(o.Block, 1), rand.New(rand.NewPCG(o.Seed, 3))}
	rows := make([]int, len(points))
	for i := range rows {
		rows[i] = i
	}
	return g.grow(rows, o.Depth), nil
}

// treePermutations make one in a hundred the chance of a split in noise.
const treePermutations = 99

type grower struct {
	points      [][]float64
	outputs     []float64
	names       []string
	leaf, block int
	random      *rand.Rand
}

// grow makes a node of rows, which are in ascending order.
func (g grower) grow(rows []int, depth int) *Node {
	y := make([]float64, len(rows))
	signs := make([]bool, len(rows))
	for i, row := range rows {
		y[i] = g.outputs[row]
		signs[i] = y[i] > 0
	}
	node := &Node{N: len(rows), Positive: float64(count(signs)) / float64(len(rows)), Mean: stats.Mean(y)}
	if depth == 0 || len(rows) < 2*g.leaf || node.Positive == 0 || node.Positive == 1 {
		return node
	}
	candidates := g.candidates(rows)
	best := candidates.best(signs)
	if best.purity == 0 || !g.real(best, candidates, signs, rows) {
		return node
	}
	node.Factor, node.Threshold = g.names[best.factor], best.threshold
	below, above := g.parts(rows, best)
	node.Below, node.Above = g.grow(below, depth-1), g.grow(above, depth-1)
	return node
}

// real says whether the split is better than all that permuted signs allow.
func (g grower) real(s split, candidates candidates, signs []bool, rows []int) bool {
	blocks := runsOf(signs, rows, g.block)
	shuffled := make([]bool, len(signs))
	for range treePermutations {
		blocks.shuffle(shuffled, g.random)
		if candidates.best(shuffled).purity >= s.purity {
			return false
		}
	}
	return true
}

func (g grower) parts(rows []int, s split) (below, above []int) {
	for _, row := range rows {
		if g.points[row][s.factor] <= s.threshold {
			below = append(below, row)
		} else {
			above = append(above, row)
		}
	}
	return below, above
}

// split is a threshold of a factor. Its purity is the sum over both parts of k²/n, of k among n points with an output above 0: the
// mean impurity is 2/N (K - purity), so that the one is greatest where the other is least.
type split struct {
	factor            int
	threshold, purity float64
}

// candidates are the factors of a node in ascending order.
type candidates struct {
	leaf   int
	values [][]float64
	places [][]int // of the values, among the rows of the node
}

func (g grower) candidates(rows []int) candidates {
	c := candidates{leaf: g.leaf}
	for i := range g.names {
		x := make([]float64, len(rows))
		for k, row := range rows {
			x[k] = g.points[row][i]
		}
		order := ascending(x)
		sorted := make([]float64, len(rows))
		for k, place := range order {
			sorted[k] = x[place]
		}
		c.values, c.places = append(c.values, sorted), append(c.places, order)
	}
	return c
}

// best is the first of the best splits; its purity is 0 where there is none.
func (c candidates) best(signs []bool) (best split) {
	n, positive := len(signs), count(signs)
	for factor, x := range c.values {
		k := 0 // outputs above 0 in the lower part
		for m, place := range c.places[factor][:n-c.leaf] {
			if signs[place] {
				k++
			}
			size := m + 1
			if size < c.leaf || x[m] == x[size] {
				continue
			}
			low, high := float64(k), float64(positive-k)
			if purity := low*low/float64(size) + high*high/float64(n-size); purity > best.purity {
				best = split{factor, between(x[m], x[size]), purity}
			}
		}
	}
	return best
}

// between is half-way from low to high, and below high even if there is no number between them.
func between(low, high float64) float64 {
	if middle := low/2 + high/2; low < middle && middle < high {
		return middle
	}
	return low
}

func count(signs []bool) (n int) {
	for _, positive := range signs {
		if positive {
			n++
		}
	}
	return n
}
