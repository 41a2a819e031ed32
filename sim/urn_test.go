package sim

import (
	"math/big"
	"testing"
)

// urnOf fills an urn with weights.
func urnOf(ranges []int32, weights []int64) *urn {
	u := &urn{cum: make([]int64, len(weights)), guide: make([]int32, len(weights))}
	u.fill(nil, ranges, func(_ *Economy, i int) int64 { return weights[i] })
	return u
}

func TestScaleAndMulDiv(t *testing.T) {
	for _, test := range []struct{ random, n, want uint64 }{
		{0, 10, 0}, {1 << 63, 10, 5}, {^uint64(0), 10, 9}, {^uint64(0), 1, 0}, {1 << 62, 7, 1},
	} {
		if got := scale(test.random, test.n); got != test.want {
			t.Errorf("scale(%#x, %d) = %d, want %d", test.random, test.n, got, test.want)
		}
	}
	for _, test := range []struct{ a, b, c uint64 }{
		{0, 5, 7}, {10, 3, 4}, {1 << 62, 1 << 40, 1 << 41}, {1<<63 - 1, 1_000_000, 1_000_003}, {123456789012345, 987654321, 999999999},
	} {
		product := new(big.Int).Mul(new(big.Int).SetUint64(test.a), new(big.Int).SetUint64(test.b))
		want := product.Div(product, new(big.Int).SetUint64(test.c)).Uint64()
		if got := mulDiv(test.a, test.b, test.c); got != want {
			t.Errorf("mulDiv(%d, %d, %d) = %d, want %d", test.a, test.b, test.c, got, want)
		}
	}
}

// Random numbers spread evenly over 64 bits draw each row exactly in
// proportion, where the total divides their number.
func TestUrnDrawsInProportion(t *testing.T) {
	weights := []int64{
		5, 0, 1, 0, 26, 0, // sum 32; a zero at the end
		7,          // a range of one row
		0, 0, 0, 4, // zeros first
		0, 0, // nothing to draw
		1, 1, 1, 1, 1, 1, 1, 1,
	}
	ranges := []int32{0, 6, 7, 11, 13, 13, 21} // the fifth range is empty
	u := urnOf(ranges, weights)
	const n = 1 << 12
	for r := 0; r+1 < len(ranges); r++ {
		total := int64(0)
		for _, w := range weights[ranges[r]:ranges[r+1]] {
			total += w
		}
		if got := u.total(r); got != total {
			t.Errorf("range %d has a total of %d, want %d", r, got, total)
		}
		counts := map[int32]int64{}
		for k := range uint64(n) {
			counts[u.draw(r, k<<52)]++
		}
		if total == 0 {
			if counts[-1] != n {
				t.Errorf("range %d without weight drew %v", r, counts)
			}
			continue
		}
		if total&(total-1) != 0 { // 7: all draws go to its one row
			if counts[6] != n {
				t.Errorf("the range of one row drew %v", counts)
			}
			continue
		}
		for i := ranges[r]; i < ranges[r+1]; i++ {
			if want := weights[i] * n / total; counts[i] != want {
				t.Errorf("row %d of weight %d was drawn %d times of %d, want %d", i, weights[i], counts[i], n, want)
			}
		}
	}
	if got := u.draw(0, ^uint64(0)); got != 4 {
		t.Errorf("the largest random number draws row %d, want the last row with weight, 4", got)
	}
}

func TestUrnFrequencies(t *testing.T) {
	weights := []int64{3, 0, 1_000_000_007, 14, 1, 1_000_000_000_000, 0, 100, 40, 20, 10, 5, 25}
	u := urnOf([]int32{0, 7, 13}, weights)
	l := newDraws(11, 3, forSupplierChoice)
	const n = 50_000
	counts := make([]float64, 6)
	want := make([]float64, 6)
	for i := range 6 {
		want[i] = float64(weights[7+i])
	}
	for i := range n {
		counts[u.draw(1, l.bits(i, 0))-7]++
	}
	// R: qchisq(c(.001, .9999), 5); SciPy: chi2.ppf([.001, .9999], 5)
	if x := chiSquare(counts, want, n); x < .210 || x > 25.745 {
		t.Errorf("chi-square %v of counts %v", x, counts)
	}
	// Rows whose weight is a thousandth or a trillionth of the total.
	rare := 0.0
	for i := range n {
		switch row := u.draw(0, l.bits(i, 1)); row {
		case 2:
			rare++
		case 5:
		default:
			t.Fatalf("row %d was drawn, with a chance of 2e-11", row)
		}
	}
	// binomial(50000, .000999): mean 50, four standard deviations 28
	within(t, "draws of a row with a thousandth of the weight", rare, 50, 28)
}

// A refilled urn forgets its old weights.
func TestUrnRefill(t *testing.T) {
	u := urnOf([]int32{0, 3}, []int64{1, 0, 0})
	u.fill(nil, []int32{0, 1, 3}, func(_ *Economy, i int) int64 { return int64(i) })
	for k := range uint64(64) {
		if got := u.draw(0, k<<58); got != -1 {
			t.Fatalf("row %d was drawn from weight 0", got)
		}
		if got := u.draw(1, k<<58); got != 1 && got != 2 {
			t.Fatalf("row %d was drawn from range 1", got)
		}
	}
}
