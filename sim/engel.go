package sim

import "math"

// Budget shares follow Engel curves of the form of Working (1943) and Leser (1963),
// that of Deaton and Muellbauer (1980) at given prices: w_j(x) = a_j + b_j ln x, where x is a
// household's income relative to the median. Slopes b_j stand in industryTable; they
// are the weighted least-squares slopes over the quintiles of the Consumer Expenditure
// Survey of 2017, with x the mean income after tax relative to that of the middle
// quintile, and the quintile's spending as its weight. Such a line runs through the
// means, so that a_j = share_j - b_j engelCentre.
const (
	engelCentre   = .30387 // mean of ln x over the quintiles, weighted by spending
	lowestIncome  = .25    // x outside the data, from .24 to 3.03, is taken as their end
	highestIncome = 4
	leastShare    = .1 // of the mean share, below which no share falls
)

// Classes of relative income, eight to an octave from lowestIncome to highestIncome. Their
// bounds are the numbers of which only three bits of the fraction are not zero, so
// that the class is read from the bits of a number.
const (
	engelClasses = 32
	classShift   = 52 - 3
	lowestClass  = (1023 - 2) << 3 // of .25
)

func incomeClass(x float64) uint8 {
	k := int(math.Float64bits(positive(x))>>classShift) - lowestClass
	return uint8(min(max(k, 0), engelClasses-1))
}

// classIncome is the middle of a class.
func classIncome(k int) float64 {
	return lowestIncome * math.Ldexp(8.5+float64(k&7), k>>3-3)
}

// engelShares fills in the budget shares at an income relative to the median: positive,
// and one in sum.
func engelShares(out, shares, slopes []float64, x float64) {
	distance := math.Log(clip(x, lowestIncome, highestIncome)) - engelCentre
	sum := 0.0
	for j, share := range shares {
		out[j] = max(share+float64(slopes[j]*distance), leastShare*share)
		sum += out[j]
	}
	for j := range shares {
		out[j] /= sum
	}
}

// classify notes each household's class of income, by which it divides its budget.
func (e *Economy) classify(s span) {
	for h := s.lo; h < s.hi; h++ {
		e.h.class[h] = incomeClass(e.h.permanent[h] / e.m.MedianIncome)
	}
}

// divideBudgets sets the part of a budget that each class of income spends on each
// industry, without VAT. Without Engel curves all households are in the first class.
func (e *Economy) divideBudgets() {
	var curve [MaxIndustries]float64
	shares := e.shares
	for k := range e.coef {
		e.vat.beyondOfBudget[k] = 0
		if e.p.EnableEngelCurves {
			engelShares(curve[:], e.shares, e.slopes, classIncome(k))
			shares = curve[:len(e.shares)]
		}
		spent := 0.0
		for j, share := range shares {
			spent += float64(share * e.demandFactors[j])
		}
		spent = max(spent, 1) // more for one good is less for others, less is saved
		for j, share := range shares {
			e.coef[k][j] = share * e.demandFactors[j] / spent / (1 + e.m.VAT[j])
			e.vat.beyondOfBudget[k] += float64(e.coef[k][j] * e.vat.beyond[j])
		}
		e.importCoef[k] = e.divert(&e.coef[k])
		if !e.p.EnableEngelCurves {
			return
		}
	}
}

// measureDeciles measures the inflation that each tenth of the households, ordered by
// income, meets: the change of prices over twelve months at the budget shares of its mean
// income. Without Engel curves that is the consumer price index.
func (e *Economy) measureDeciles() {
	m, d := &e.m, &e.record.Households
	now, old := ring(m.PriceHistory[:], m.Month, 0), ring(m.PriceHistory[:], m.Month, 12)
	var rise, shares [MaxIndustries]float64
	for j := range e.shares {
		now[j] = m.MeanPrice[j] * math.Exp(m.Trade.LogIndex[j]) * (1 + e.m.VAT[j])
		rise[j] = math.Log(now[j] / old[j])
	}
	for k := range d.Inflation {
		if !e.p.EnableEngelCurves {
			d.Inflation[k] = e.record.Values[Inflation]
			continue
		}
		engelShares(shares[:], e.shares, e.slopes, d.Income.Deciles[k]/max(d.Income.P50, 1))
		log := 0.0
		for j := range e.shares {
			log += float64(shares[j] * rise[j])
		}
		d.Inflation[k] = math.Expm1(log)
	}
}
