package sim

// MaxIndustries is the number of consumption industries: the divisions of the
// Classification of Individual Consumption by Purpose (COICOP 1999).
const MaxIndustries = 12

// Industry is a consumption industry.
type Industry struct {
	Code  string // COICOP 1999 division
	Name  string
	Share float64 // of household expenditure, all households
	Slope float64 // rise of the share with the logarithm of income
}

// industryTable holds the COICOP divisions with the mean of the quintiles'
// expenditure shares, weighted by the quintiles' expenditure, in the Consumer
// Expenditure Survey of the United States, 2017 (BLS, Table 1101), health
// insurance counted as health; and the slopes of Engel curves over the same quintiles
// (engel.go).
var industryTable = [MaxIndustries]Industry{
	{"01", "food and non-alcoholic beverages", 0.0847, -0.01508},
	{"02", "alcoholic beverages and tobacco", 0.0173, -0.00087},
	{"03", "clothing and footwear", 0.0357, 0.00189},
	{"04", "housing, water, electricity and fuels", 0.2642, -0.02774},
	{"05", "furnishings and household equipment", 0.0693, 0.00328},
	{"06", "health", 0.0959, -0.01001},
	{"07", "transport", 0.1633, 0.01734},
	{"08", "communication", 0.0263, -0.00358},
	{"09", "recreation and culture", 0.0673, 0.00969},
	{"10", "education", 0.0290, 0.01186},
	{"11", "restaurants and hotels", 0.0807, 0.01034},
	{"12", "miscellaneous goods and services", 0.0661, 0.00287},
}

// Industries lists the consumption industries of an economy with n of them:
// the first n-1 divisions, and the rest together as the last.
func Industries(n int) []Industry {
	list := append([]Industry(nil), industryTable[:n]...)
	if n < MaxIndustries {
		last := &list[n-1]
		for _, other := range industryTable[n:] {
			last.Share += other.Share
			last.Slope += other.Slope
		}
		last.Name = "other goods and services"
		last.Code += "-12"
		if n == 1 {
			last.Name, last.Code = "all consumption goods", "01-12"
		}
	}
	sum := 0.0
	for _, ind := range list {
		sum += ind.Share
	}
	for i := range list {
		list[i].Share /= sum
		list[i].Slope /= sum
	}
	return list
}

// joined gives the first n-1 divisions their own value and the last industry the mean of
// the rest, by budget shares, as [Industries] joins them.
func joined(n int, values [MaxIndustries]float64) (list [MaxIndustries]float64) {
	var shares [MaxIndustries]float64
	for j, ind := range industryTable {
		k := min(j, n-1)
		list[k] += float64(ind.Share * values[j])
		shares[k] += ind.Share
	}
	for k := range n {
		list[k] /= shares[k]
	}
	return list
}

// byIndustry spreads a schedule over the industries of the economy; those that it does
// not name have the given value.
func (e *Economy) byIndustry(s RateTable, value float64) (list [MaxIndustries]float64) {
	if s == NoRates {
		for j := range e.shares {
			list[j] = value
		}
		return list
	}
	for j := range list {
		list[j] = value
	}
	for _, r := range s.Rates() {
		list[int(r.Key)-1] = r.Rate
	}
	return joined(e.industries(), list)
}

// industryOf returns the industry of a firm; the capital sector is the last.
func (e *Economy) industryOf(i int) int {
	j := 0
	for int(e.industryStart[j+1]) <= i {
		j++
	}
	return j
}
