package sim

// urn draws firms in proportion to integer weights, separately for each of
// several contiguous ranges of firms, in constant expected time: cumulative
// weights with a guide table (Chen and Asau 1974).
type urn struct {
	cum    []int64 // cumulative weight within the range, this row included
	guide  []int32 // guide[first+b]: the row that holds weight b/n of the range
	ranges []int32 // first row of each range; one more entry than ranges
}

// fill sets the ranges and the weights.
func (u *urn) fill(e *Economy, ranges []int32, weight func(*Economy, int) int64) {
	u.ranges = ranges
	for r := range len(ranges) - 1 {
		first, end := int(ranges[r]), int(ranges[r+1])
		total := int64(0)
		for i := first; i < end; i++ {
			total += weight(e, i)
			u.cum[i] = total
		}
		n := uint64(end - first)
		row := first
		for b := range n {
			mark := mulDiv(uint64(total), b, n)
			for row < end-1 && u.cum[row] <= int64(mark) {
				row++
			}
			u.guide[first+int(b)] = int32(row)
		}
	}
}

// total weight of a range.
func (u *urn) total(r int) int64 {
	if u.ranges[r] == u.ranges[r+1] {
		return 0
	}
	return u.cum[u.ranges[r+1]-1]
}

// draw returns a row of range r in proportion to its weight, or -1 where
// nothing in the range has weight.
func (u *urn) draw(r int, random uint64) int32 {
	total := u.total(r)
	if total <= 0 {
		return -1
	}
	first, end := u.ranges[r], u.ranges[r+1]
	mark := int64(scale(random, uint64(total)))
	row := u.guide[first+int32(scale(random, uint64(end-first)))]
	for u.cum[row] <= mark {
		row++
	}
	return row
}
