package sim

import "math/bits"

// histogram counts integers in bins whose width is a 32nd of their octave, with the
// exact sum in each bin. What is below zero counts as zero there, and its sum stands
// apart. Adding commutes, so that threads may fill their own and merge in any order.
type histogram struct {
	count       [histogramBins]int64
	sum         [histogramBins]int64
	owing, debt int64 // how many are below zero, and their sum
}

const (
	binsPerOctave = 32
	histogramBins = 1600 // up to 2^54
)

// binOf returns the bin of x, and 0 for negative numbers.
func binOf(x int64) int {
	if x < 2*binsPerOctave {
		return int(max(x, 0))
	}
	shift := bits.Len64(uint64(x)) - 6
	return min(shift*binsPerOctave+int(x>>shift), histogramBins-1)
}

// binLow is the smallest number in a bin.
func binLow(b int) float64 {
	if b < 2*binsPerOctave {
		return float64(b)
	}
	shift := b/binsPerOctave - 1
	return float64(int64(b-shift*binsPerOctave) << shift)
}

func (g *histogram) add(x int64) {
	b := binOf(x)
	g.count[b]++
	g.sum[b] += max(x, 0)
	if x < 0 {
		g.owing++
		g.debt += x
	}
}

func (g *histogram) merge(o *histogram) {
	for b := range g.count {
		g.count[b] += o.count[b]
		g.sum[b] += o.sum[b]
	}
	g.owing += o.owing
	g.debt += o.debt
}

// totals returns the number of what was added, and the sum without debts.
func (g *histogram) totals() (n, sum int64) {
	for b := range g.count {
		n += g.count[b]
		sum += g.sum[b]
	}
	return n, sum
}

// quantile interpolates within the bin that holds the share q of the n numbers.
func (g *histogram) quantile(q float64, n int64) float64 {
	rank := q * float64(n)
	for b, c := range g.count {
		if c > 0 && rank <= float64(c) {
			return binLow(b) + (binLow(b+1)-binLow(b))*rank/float64(c)
		}
		rank -= float64(c)
	}
	return 0
}

// shareBelow is the share of the numbers below x, interpolated in its bin.
func (g *histogram) shareBelow(x float64) float64 {
	n, _ := g.totals()
	if n == 0 {
		return 0
	}
	below := 0.0
	for b, c := range g.count {
		low, high := binLow(b), binLow(b+1)
		if high <= x {
			below += float64(c)
			continue
		}
		if x > low {
			below += float64(c) * (x - low) / (high - low)
		}
		break
	}
	return below / float64(n)
}

// distribution computes the summary. Within a bin all numbers count as equal:
// the Gini coefficient of incomes that spread over an octave or more is too low
// by less than 0.0005, that of numbers which all lie in one bin is 0. Debts enter the mean
// and the tenths, and count as zero in the coefficient and the curve.
func (g *histogram) distribution() Distribution {
	var d Distribution
	n, sum := g.totals()
	if n == 0 {
		return d
	}
	d.Mean = float64(sum+g.debt) / float64(n) / subunit
	d.P10, d.P50, d.P90 = g.quantile(.1, n)/subunit, g.quantile(.5, n)/subunit, g.quantile(.9, n)/subunit
	if sum == 0 {
		return d
	}
	people, held, area := 0.0, 0.0, 0.0 // cumulative shares
	next := 1
	for b, c := range g.count {
		if c == 0 {
			continue
		}
		p, s := float64(c)/float64(n), float64(g.sum[b])/float64(sum)
		for next < 10 && people+p >= float64(next)/10 {
			d.Lorenz[next] = held + s*(float64(next)/10-people)/p
			next++
		}
		area += p * (held + s/2)
		people += p
		held += s
	}
	d.Lorenz[10] = 1
	d.Gini = 1 - 2*area
	owing := float64(g.owing) / float64(n)
	for i := range d.Deciles {
		d.Deciles[i] = (d.Lorenz[i+1] - d.Lorenz[i]) * float64(sum) / float64(n) / subunit * 10
		if from := float64(i) / 10; owing > from { // the poorest owe, each as much as the other
			d.Deciles[i] += min(owing-from, .1) / owing * float64(g.debt) / float64(n) / subunit * 10
		}
	}
	return d
}

// spread holds one worker's histograms of the households.
type spread struct {
	income, consumption, wealth, wage histogram
	byIncome                          [histogramBins]held // by the bins of income
	byAge                             [NumAgeGroups][NumWorkStatuses]groupSums
	byWork                            [NumWorkStatuses][NumExposureGroups]groupSums
	wages                             [NumExposureGroups]int64 // gross, subunits
	byStanding                        [standingCells + 1]groupSums
}

// held is what the households of a bin spend in the month and own at its end, subunits.
type held struct{ spent, wealth int64 }

func (x *held) add(spent, wealth int64) {
	x.spent += spent
	x.wealth += wealth
}

// groupSums are sums over the households of a group: their number, income, spending and wealth,
// money in subunits.
type groupSums struct{ people, income, spent, wealth int64 }

func (g *groupSums) add(o groupSums) {
	g.people += o.people
	g.income += o.income
	g.spent += o.spent
	g.wealth += o.wealth
}

// group are the means.
func (g *groupSums) group() Group {
	mean := func(sum int64) float64 { return float64(sum) / float64(max(g.people, 1)) / subunit }
	return Group{int(g.people), mean(g.income), mean(g.spent), mean(g.wealth)}
}

func mergeGroups(into, from []groupSums) {
	for k := range into {
		into[k].add(from[k])
	}
}

func (s *spread) merge(o *spread) {
	s.income.merge(&o.income)
	s.consumption.merge(&o.consumption)
	s.wealth.merge(&o.wealth)
	s.wage.merge(&o.wage)
	for k := range s.byAge {
		mergeGroups(s.byAge[k][:], o.byAge[k][:])
	}
	for k := range s.byWork {
		mergeGroups(s.byWork[k][:], o.byWork[k][:])
	}
	for k, wages := range o.wages {
		s.wages[k] += wages
	}
	for b := range s.byIncome {
		s.byIncome[b].add(o.byIncome[b].spent, o.byIncome[b].wealth)
	}
	mergeGroups(s.byStanding[:], o.byStanding[:])
}

// overSpreads runs a loop over the households that fills the workers' spreads, and returns
// their sum.
func (e *Economy) overSpreads(body loopBody) *spread {
	clear(e.spreads)
	e.overHouseholds(body)
	all := &e.spreads[0]
	for w := range e.spreads[1:] {
		all.merge(&e.spreads[1+w])
	}
	return all
}

// addedUp is the sum of groups.
func addedUp(groups []groupSums) (all groupSums) {
	for _, g := range groups {
		all.add(g)
	}
	return all
}

// measureWork fills the record with the groups by work.
func (d *HouseholdSummary) measureWork(sums *[NumWorkStatuses][NumExposureGroups]groupSums) {
	for k := range sums {
		all := addedUp(sums[k][:])
		d.ByWork[k] = all.group()
	}
}

// tenths are the means of the tenths by income. The households of a bin that lies in two tenths
// count in both, by how much of it does, as in [histogram.distribution].
func (s *spread) tenths() (out Tenths) {
	n, _ := s.income.totals()
	if n == 0 {
		return out
	}
	size := float64(n) / 10
	var people, spent, wealth float64 // of the poorer bins
	var from struct{ spent, wealth float64 }
	tenth := 0
	cut := func(spentTo, wealthTo float64) {
		out.Consumption[tenth] = (spentTo - from.spent) / size / subunit
		out.Wealth[tenth] = (wealthTo - from.wealth) / size / subunit
		from.spent, from.wealth = spentTo, wealthTo
		tenth++
	}
	for b, c := range s.income.count {
		if c == 0 {
			continue
		}
		p, x := float64(c), &s.byIncome[b]
		for tenth < 9 && people+p >= float64(size*float64(tenth+1)) {
			part := (float64(size*float64(tenth+1)) - people) / p
			cut(spent+float64(part*float64(x.spent)), wealth+float64(part*float64(x.wealth)))
		}
		people += p
		spent += float64(x.spent)
		wealth += float64(x.wealth)
	}
	cut(spent, wealth)
	return out
}
