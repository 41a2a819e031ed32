package sim

import (
	"math"
	"slices"
	"testing"
)

func TestNextConfidence(t *testing.T) {
	for _, test := range []struct {
		name                                                     string
		x, persistence, innovation, feedback, unemployment, want float64
	}{
		{"dies out", .02, .95, 0, 0, .065, .019},     // .95 x .02
		{"news", .02, .95, .001, 0, .065, .02},       // .019 + .001
		{"slump", .02, .95, .001, .02, .115, .019},   // .02 - .02 x .05
		{"boom", .02, .95, .001, .02, .015, .021},    // .02 + .02 x .05
		{"no feedback", .02, .95, 0, 0, .5, .019},    //
		{"no memory", .02, 0, -.003, 0, .065, -.003}, //
		{"at rest", 0, .95, 0, .02, .065, 0},         //
	} {
		near(t, test.name, nextConfidence(test.x, test.persistence, test.innovation, test.feedback, test.unemployment, .065), test.want)
	}
}

func TestCreditFactor(t *testing.T) {
	for _, test := range []struct {
		name                string
		equity, loans, want float64
	}{
		{"at the limit", 80, 1000, 0},        // 80/.08 = 1000
		{"half way", 82, 1000, .5},           // (1025 - 1000) / 50
		{"free", 84, 1000, 1},                // (1050 - 1000) / 50
		{"far from it", 500, 1000, 1},        //
		{"beyond it", 40, 1000, 0},           //
		{"ruined", -40, 1000, 0},             //
		{"nothing lent", 80, 0, 1},           //
		{"nothing lent, no equity", 0, 0, 1}, //
	} {
		near(t, test.name, creditFactor(test.equity, test.loans, .08), test.want)
	}
}

func TestRatesOfTheMonth(t *testing.T) {
	p := thousand()
	p.LoanSpread, p.DepositSpread, p.MinimumWage, p.TaxAllowance, p.UniversalBasicIncome = .03, .01, .5, .2, .1
	e := mustNew(t, p, 1)
	e.m.PolicyRate, e.m.ExpectedInflation, e.m.MeanWage, e.m.MedianWage = .04, .015, 1005, 900
	runBetween(t, e, "", "shocks")
	near(t, "loan rate", e.rates.loan, .07)
	near(t, "deposit rate", e.rates.deposit, .03)
	near(t, "real rate", e.rates.real, .025)
	near(t, "minimum wage", e.rates.minimumWage, 450)
	near(t, "allowance", e.rates.allowance, 201)
	near(t, "government's wage", e.f.wage[e.government()], 1005)
	if e.rates.basicIncome != 100 || e.flow != (flows{}) || e.m.Month != 1 {
		t.Errorf("basic income %d, month %d, flows %+v", e.rates.basicIncome, e.m.Month, e.flow)
	}
	e.m.PolicyRate = .002
	runBetween(t, e, "", "shocks")
	near(t, "least deposit rate", e.rates.deposit, 0)
}

func TestProductivityGrowthOfThreeYears(t *testing.T) {
	e := mustNew(t, thousand(), 1)
	e.m.Month = 100
	for back := range 37 {
		*ring(e.m.ProductivityHistory[:], 100, back) = math.Pow(1.02, -float64(back)/12)
	}
	e.m.Month++
	e.raiseWages()
	near(t, "growth a year", e.rates.productivity, .02)
}

func TestProductivityFactorIsAppliedOnce(t *testing.T) {
	p := thousand()
	p.LaborProductivityFactor = 115
	e := mustNew(t, p, 1)
	runBetween(t, e, "", "shocks")
	runBetween(t, e, "", "shocks")
	near(t, "productivity", e.f.productivity[3], 1.15)
	e.p.LaborProductivityFactor = 100
	runBetween(t, e, "", "shocks")
	near(t, "productivity after its return", e.f.productivity[3], 1)
}

// The shock is there in the first month of an experiment, and in no other.
func TestConfidenceShock(t *testing.T) {
	p := thousand()
	p.ConfidenceUnemploymentFeedback = 0
	calm := mustNew(t, p, 1)
	p.ConfidenceShock = -.05
	shocked := mustNew(t, p, 1)
	for _, e := range []*Economy{calm, shocked} {
		e.m.Month, e.m.Confidence = 30, 0
		e.BeginExperiment()
	}
	for month := range 4 {
		runBetween(t, calm, "", "shocks")
		runBetween(t, shocked, "", "shocks")
		near(t, "difference", shocked.m.Confidence-calm.m.Confidence, -.05*math.Pow(p.ConfidencePersistence, float64(month)))
	}
}

// The process has the standard deviation that theory gives.
func TestConfidenceVariance(t *testing.T) {
	p := thousand()
	p.NumHouseholds, p.NumIndustries, p.MinPerCat = 100, 1, 1
	p.ConfidencePersistence, p.ConfidenceVolatility, p.ConfidenceUnemploymentFeedback = .5, .01, 0
	e := mustNew(t, p, 1)
	const n = 20_000
	var path []float64
	for range n {
		runBetween(t, e, "", "shocks")
		path = append(path, e.m.Confidence)
	}
	sum, squares, lagged := 0.0, 0.0, 0.0
	for i, x := range path {
		sum += x
		squares += x * x
		if i > 0 {
			lagged += x * path[i-1]
		}
	}
	if !slices.ContainsFunc(path, func(x float64) bool { return x < 0 }) {
		t.Error("confidence never fell below zero")
	}
	// Variance .01^2 / (1 - .5^2) = 1.333e-4; the standard error of the mean is
	// .01 / (1 - .5) / sqrt(n) = 1.4e-4, that of the variance sqrt(2 (1 + .25) /
	// (1 - .25) / n) = 1.3 % of it, that of the correlation sqrt((1 - .25)/n).
	within(t, "mean", sum/n, 0, 4*1.4e-4)
	within(t, "variance", squares/n, 1.3333e-4, 4*.013*1.3333e-4)
	within(t, "autocorrelation", lagged/squares, .5, 4*.0061)
}
