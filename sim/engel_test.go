package sim

import (
	"bytes"
	"math"
	"testing"
)

// Expenditure shares by quintile of income, poorest first, divisions 01 to 12.
var (
	// BLS, Consumer Expenditure Survey 2017, Table 1101 (shares of annual aggregate
	// expenditures by quintile of income before taxes), mapped to divisions, with
	// health insurance as health.
	surveyUS = [MaxIndustries][5]float64{
		{.1042, .1015, .0903, .0847, .0707},
		{.0178, .0184, .0176, .0182, .0161},
		{.0356, .0352, .0301, .0356, .0385},
		{.3132, .2839, .2728, .2616, .2416},
		{.0636, .0654, .0690, .0711, .0714},
		{.1009, .1087, .1041, .1003, .0831},
		{.1214, .1570, .1639, .1669, .1742},
		{.0286, .0297, .0294, .0289, .0215},
		{.0567, .0577, .0617, .0652, .0777},
		{.0317, .0119, .0130, .0206, .0475},
		{.0685, .0665, .0781, .0815, .0901},
		{.0578, .0641, .0700, .0654, .0676},
	}
	// The same table: mean income after taxes and the mapped expenditure, dollars a unit.
	incomeUS   = [5]float64{11933, 30315, 49339, 77103, 149504}
	spendingUS = [5]float64{24696, 35655, 44638, 57403, 94614}
	// Eurostat, Household Budget Survey 2010, HBS_STR_T223, euro area.
	surveyEuro = [MaxIndustries][5]float64{
		{.163, .154, .148, .1391, .1181},
		{.028, .025, .023, .022, .017},
		{.040, .042, .045, .047, .0511},
		{.366, .333, .301, .2765, .2472},
		{.039, .042, .046, .049, .0581},
		{.031, .031, .031, .030, .033},
		{.086, .111, .127, .1421, .1522},
		{.039, .034, .032, .029, .024},
		{.067, .076, .083, .0861, .0961},
		{.007, .005, .007, .009, .013},
		{.046, .050, .058, .0641, .0741},
		{.088, .097, .099, .1061, .1161},
	}
)

// engelRegression is the weighted least-squares line of a share on log relative income:
// mean share, mean log income and slope.
func engelRegression(shares [5]float64) (mean, centre, slope float64) {
	var weight, covariance, variance float64
	log := func(q int) float64 { return math.Log(incomeUS[q] / incomeUS[2]) }
	for q, w := range spendingUS {
		weight += w
		mean += w * shares[q]
		centre += w * log(q)
	}
	mean, centre = mean/weight, centre/weight
	for q, w := range spendingUS {
		covariance += w * (shares[q] - mean) * (log(q) - centre)
		variance += w * (log(q) - centre) * (log(q) - centre)
	}
	return mean, centre, covariance / variance
}

func TestEngelCurvesAreThoseOfTheSurvey(t *testing.T) {
	sum, alike := 0.0, 0
	for j, ind := range industryTable {
		mean, centre, slope := engelRegression(surveyUS[j])
		within(t, ind.Name+": share", ind.Share, mean, 6e-5)
		within(t, ind.Name+": slope", ind.Slope, slope, 6e-6)
		within(t, "centre", engelCentre, centre, 6e-6)
		sum += ind.Slope
		if _, _, euro := engelRegression(surveyEuro[j]); euro*slope > 0 {
			alike++
		} else if ind.Code != "06" { // health insurance is public in most of Europe
			t.Errorf("%s: slope %.4f in the United States, %.4f in the euro area", ind.Name, slope, euro)
		}
	}
	within(t, "sum of the slopes", sum, 0, 2e-5)
	if alike != 11 {
		t.Errorf("%d slopes have the same sign on both sides of the Atlantic", alike)
	}
}

func TestIncomeClass(t *testing.T) {
	for _, test := range []struct {
		x    float64
		want uint8
	}{
		{-3, 0}, {0, 0}, {.1, 0}, {.25, 0}, {.281, 0}, // .25 x 9/8 = .28125
		{.2813, 1}, {.49, 7}, {.5, 8}, {.9999, 15}, {1, 16}, {1.1249, 16}, {1.125, 17},
		{2, 24}, {3.74, 30}, {3.75, 31}, {4, 31}, {1e300, 31}, {math.Inf(1), 31},
	} {
		if got := incomeClass(test.x); got != test.want {
			t.Errorf("class of %v is %d, want %d", test.x, got, test.want)
		}
	}
	near(t, "middle of the lowest class", classIncome(0), .265625) // (.25 + .28125)/2
	near(t, "middle of the class of the median", classIncome(16), 1.0625)
	near(t, "middle of the highest class", classIncome(31), 3.875)
	for k := range engelClasses {
		if got := incomeClass(classIncome(k)); int(got) != k {
			t.Errorf("the middle of class %d is in class %d", k, got)
		}
	}
}

func TestEngelShares(t *testing.T) {
	shares, slopes := []float64{.3, .6, .1}, []float64{-.1, .02, .08}
	out := make([]float64, 3)
	at := func(x float64, want ...float64) {
		t.Helper()
		engelShares(out, shares, slopes, x)
		for j := range want {
			within(t, "share", out[j], want[j], 1e-7)
		}
	}
	centre := math.Exp(engelCentre)
	at(centre, .3, .6, .1)
	at(centre*math.E, .2, .62, .18)
	at(centre/math.E, .4, .58, .02) // .1 - .08
	// The floor is a tenth of the mean share, and what it adds is taken from all: ln .25 lies 1.690164 below the centre.
	at(.25, .4690164/1.0452131, .5661967/1.0452131, .01/1.0452131)
	engelShares(out, shares, slopes, 4)
	want := out[0]
	at(1e9, want)
	for n := 1; n <= MaxIndustries; n++ {
		all := Defaults()
		all.NumIndustries = n
		l := layoutOf(all)
		for k := range engelClasses {
			w := make([]float64, n)
			engelShares(w, l.shares, l.slopes, classIncome(k))
			sum := 0.0
			for _, s := range w {
				if !(s > 0) {
					t.Fatalf("%d industries, class %d: share %v", n, k, s)
				}
				sum += s
			}
			near(t, "sum of the shares", sum, 1)
		}
	}
}

func TestBudgetsFollowIncome(t *testing.T) {
	p := thousand()
	p.EnableEngelCurves = true
	e := mustNew(t, p, 2)
	mustStep(t, e, 3)
	food, transport := e.coef[0][0]*(1+p.VATRate), e.coef[0][6]*(1+p.VATRate)
	within(t, "food in the budget of the poor", food, .0847-.01508*(math.Log(classIncome(0))-engelCentre), 2e-4)
	within(t, "transport in the budget of the poor", transport, .1633+.01734*(math.Log(classIncome(0))-engelCentre), 2e-4)
	lowest, highest := 0, 0
	for h, class := range e.h.class {
		x := e.h.permanent[h] / e.m.MedianIncome // the median is a month younger than the classes
		if d := int(incomeClass(x)) - int(class); d < -1 || d > 1 {
			t.Fatalf("household %d with %v of the median is in class %d", h, x, class)
		}
		if class < 8 {
			lowest++
		} else if class >= 24 {
			highest++
		}
	}
	if lowest < 20 || highest < 20 {
		t.Errorf("%d households below half of the median, %d above twice", lowest, highest)
	}
	e.p.EnableEngelCurves = false
	e.divideBudgets()
	for j, share := range e.shares {
		near(t, "share without slopes", e.coef[0][j], share/(1+p.VATRate))
	}
}

// Dearer food raises the inflation of the poor by more than that of the rich, by the
// difference of its budget shares.
func TestFoodPricesHitThePoor(t *testing.T) {
	p := thousand()
	p.EnableEngelCurves, p.EnablePriceAdjustment = true, false
	e := mustNew(t, p, 1)
	mustStep(t, e, 14)
	calm := e.Latest().Households.Inflation
	within(t, "spread of inflation with one price level", calm[0]-calm[9], 0, .005)
	for i := range e.industryStart[1] {
		e.f.price[i] *= 1.5
	}
	mustStep(t, e, 1)
	d := &e.Latest().Households
	shares := make([]float64, MaxIndustries)
	engelShares(shares, e.shares, e.slopes, d.Income.Deciles[0]/d.Income.P50)
	poor := shares[0]
	engelShares(shares, e.shares, e.slopes, d.Income.Deciles[9]/d.Income.P50)
	rich := shares[0]
	got := math.Log1p(d.Inflation[0]) - math.Log1p(d.Inflation[9]) - math.Log1p(calm[0]) + math.Log1p(calm[9])
	within(t, "inflation of the poor over that of the rich", got, (poor-rich)*math.Log(1.5), .002)
	if poor-rich < .02 {
		t.Errorf("food is %v of the budget of the poor and %v of that of the rich", poor, rich)
	}
	for k := range 9 {
		if d.Inflation[k] < d.Inflation[k+1] {
			t.Errorf("decile %d has inflation of %v, decile %d of %v", k, d.Inflation[k], k+1, d.Inflation[k+1])
		}
	}
	if headline := e.Latest().Value(Inflation); !(d.Inflation[0] > headline && headline > d.Inflation[9]) {
		t.Errorf("inflation %v lies outside %v to %v", headline, d.Inflation[9], d.Inflation[0])
	}
}

func TestWithoutEngelCurvesAllMeetTheIndex(t *testing.T) {
	e := mustNew(t, thousand(), 1)
	mustStep(t, e, 3)
	for _, x := range e.Latest().Households.Inflation {
		if x != e.Latest().Value(Inflation) {
			t.Errorf("inflation of a decile is %v, of the index %v", x, e.Latest().Value(Inflation))
		}
	}
}

func TestEngelCurvesAtTheCorners(t *testing.T) {
	for _, c := range []struct {
		industries int
		suppliers  int
	}{{12, 0}, {3, 2}, {1, 0}} {
		p := thousand()
		p.EnableEngelCurves, p.NumIndustries, p.SuppliersPerIndustry = true, c.industries, c.suppliers
		p.UnemploymentBenefitRate = 0
		sameOnThreadsAndAfterSnapshot(t, p, 40)
	}
}

// sameOnThreadsAndAfterSnapshot runs an economy with its audit on one thread and on
// three, the latter through a snapshot in the middle.
func sameOnThreadsAndAfterSnapshot(t *testing.T, p Params, months int) *Economy {
	t.Helper()
	straight, broken := mustNew(t, p, 1), mustNew(t, p, 3)
	mustStep(t, straight, months)
	mustStep(t, broken, months/2)
	resumed, err := ReadSnapshot(bytes.NewReader(mustSnapshot(t, broken)), 3)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(resumed.Close)
	mustStep(t, resumed, months-months/2)
	if straight.StateHash() != resumed.StateHash() || !sameRecord(straight.Latest(), resumed.Latest()) {
		t.Error("three threads and a snapshot changed the economy")
	}
	return straight
}

// In the competitive market a household splits each budget between two suppliers, and
// sales are less concentrated.
func TestCompetitionSpreadsSales(t *testing.T) {
	hhi, four := [2]float64{}, [2]float64{}
	for seed := range 2 {
		for k := range 2 {
			p := thousand()
			p.RandomState, p.EnableCompetitiveMarket = seed, k == 1
			e := mustNew(t, p, 2)
			mustStep(t, e, 40)
			for range 40 {
				mustStep(t, e, 1)
				hhi[k] += e.Latest().Value(HHI) / 80
				for j, share := range e.Latest().Firms.CR4[:MaxIndustries] {
					if share < e.Latest().Firms.HHI[j] || share > 1+1e-12 {
						t.Fatalf("industry %d: four largest have %v at an index of %v", j, share, e.Latest().Firms.HHI[j])
					}
					four[k] += share * e.shares[j] / 80
				}
			}
		}
	}
	if hhi[1] > .95*hhi[0] {
		t.Errorf("Herfindahl index %.3f with two suppliers, %.3f with one", hhi[1], hhi[0])
	}
	t.Logf("hhi %.4f, four largest %.4f", hhi, four)
}

func TestFourLargest(t *testing.T) {
	p := thousand()
	p.NumIndustries, p.HouseholdsPerMarket = 1, 500 // two markets
	e := mustNew(t, p, 1)
	second := e.shopStart[1]
	copy(e.f.revenue, []int64{10, 50, 0, 20, 10, 40, 30}) // 140 of 160
	e.f.revenue[second] = 40
	v := e.surveyFirms()
	e.measureFirms(&v)
	near(t, "share of the four largest", e.record.Firms.CR4[0], (140.+40)/200)
}
