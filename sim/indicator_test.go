package sim

import (
	"math"
	"regexp"
	"testing"
)

func TestIndicatorsAreDocumented(t *testing.T) {
	snakeCase := regexp.MustCompile(`^[a-z0-9]+(_[a-z0-9]+)*$`)
	list := Indicators()
	if len(list) != int(NumIndicators) {
		t.Fatalf("%d indicators, want %d", len(list), NumIndicators)
	}
	for i, info := range list {
		if !snakeCase.MatchString(info.Name) || info.Unit == "" || info.Formula == "" {
			t.Errorf("indicator %d: %+v", i, info)
		}
		got, ok := IndicatorByName(info.Name)
		if !ok || got != Indicator(i) {
			t.Errorf("%s is found as number %d, is %d", info.Name, got, i)
		}
		if Indicator(i).String() != info.Name || Indicator(i).Info() != info {
			t.Errorf("%s: %s, %+v", info.Name, Indicator(i), Indicator(i).Info())
		}
	}
	if i, ok := IndicatorByName("real gdp"); ok {
		t.Errorf("an unknown name was found as %s", i)
	}
	list[0].Name = "mine"
	if NominalGDP.String() == "mine" {
		t.Error("a caller changed the table")
	}
}

// The formulas of the table, from the economy's own books.
func TestIndicatorsFollowTheirFormulas(t *testing.T) {
	p := thousand()
	p.CentralBankBondShare = .3 // so that it has a profit
	e := mustNew(t, p, 2)
	mustStep(t, e, 14)
	e.BeginExperiment()
	before := e.opening
	var gdp, deficit []float64
	var cpi []float64
	mustStep(t, e, 11)
	for range 13 {
		before = e.opening
		mustStep(t, e, 1)
		v := e.Latest().Values
		gdp = append(gdp, v[NominalGDP])
		deficit = append(deficit, v[GovernmentSpending]-v[TaxRevenue]-e.Latest().Government.CentralBankProfit)
		cpi = append(cpi, v[CPI])
	}
	r, fl := e.Latest(), &e.flow
	value := func(i Indicator) float64 { return r.Value(i) }
	yearGDP, yearDeficit := 0.0, 0.0
	for k := 1; k < 13; k++ {
		yearGDP += gdp[k]
		yearDeficit += deficit[k]
	}
	employed, open, posted := 0.0, 0.0, 0.0
	incomes, spent, money := 0.0, 0.0, 0.0
	for h, i := range e.h.employer {
		if i != nobody {
			employed++
		}
		incomes += float64(e.h.income[h]) / subunit
		spent += float64(e.h.spending[h]) / subunit
		money += float64(e.h.deposits[h]) / subunit
	}
	credit := 0.0
	for i := range e.firms() {
		money += float64(e.f.deposits[i]) / subunit
		credit += float64(e.f.loans[i]) / subunit
	}
	for i, n := range e.f.open {
		open += float64(n)
		posted += float64(e.f.posted[i])
	}
	n := float64(e.households())
	for _, test := range []struct {
		indicator Indicator
		want      float64
	}{
		{GDPDeflator, 100 * value(NominalGDP) / value(RealGDP)},
		{Inflation, cpi[12]/cpi[0] - 1},
		{UnemploymentRate, 1 - employed/n},
		{EmploymentRate, employed / n},
		{VacancyRate, (posted + open) / 2 / ((posted+open)/2 + employed)},
		{JobFindingRate, float64(e.seekers.found) / float64(e.seekers.unemployed)},
		{SeparationRateObserved, float64(e.separations) / float64(before.employed)},
		{NominalWageMean, float64(fl.wages) / subunit / employed},
		{RealWageMean, 100 * value(NominalWageMean) / value(CPI)},
		{RealWageMedian, 100 * r.Households.Wage.P50 / value(CPI)},
		{LabourShare, float64(fl.wages) / subunit / value(NominalGDP)},
		{SavingRate, 1 - spent/incomes},
		{IncomeGini, r.Households.Income.Gini},
		{WealthGini, r.Households.Wealth.Gini},
		{TaxRevenue, value(TaxIncome) + value(TaxVAT) + value(TaxCorporate)},
		{DeficitToGDP, yearDeficit / yearGDP},
		{DebtToGDP, float64(e.m.Debt) / subunit / yearGDP},
		{MoneyStock, money},
		{CreditStock, credit},
		{LoanRate, 12 * float64(fl.loanInterest) / float64(fl.loansBearing)},
	} {
		if got := value(test.indicator); !(math.Abs(got-test.want) <= 1e-9*math.Max(1, math.Abs(test.want))) {
			t.Errorf("%s = %v, want %v", test.indicator, got, test.want)
		}
	}
	paid, labour := 0.0, 0.0
	for i := range e.firms() {
		paid += e.f.wage[i] / subunit * float64(e.f.labour[i])
		labour += float64(e.f.labour[i])
	}
	near(t, "wage rate", e.WageRate(), paid/labour)
	near(t, "mean income", r.Households.Income.Mean, incomes/n)
	near(t, "mean consumption", r.Households.Consumption.Mean, spent/n)

	// The sides of nominal GDP, and the market structure.
	if fl.gdpByProduction() != fl.gdpByExpenditure() || fl.gdpByIncome() != fl.gdpByExpenditure() {
		t.Error("the sides of GDP differ")
	}
	near(t, "nominal GDP", value(NominalGDP), float64(fl.gdpByExpenditure())/subunit)
	firms := 0
	for _, k := range r.Firms.Sizes {
		firms += k
	}
	if firms != e.firms() || value(FirmCount) != float64(e.firms()) {
		t.Errorf("%d firms in size classes, %v counted, there are %d", firms, value(FirmCount), e.firms())
	}
	first := int(e.industryStart[1])
	sum, squares := 0.0, 0.0
	for i := range first {
		sum += float64(e.f.revenue[i])
		squares += float64(e.f.revenue[i]) * float64(e.f.revenue[i])
	}
	near(t, "Herfindahl index of the first industry", r.Firms.HHI[0], squares/sum/sum)
	near(t, "revenue of the first industry", r.Firms.Revenue[0], sum/subunit)
	if r.Firms.Vacancies != int(open) {
		t.Errorf("%d vacancies, open are %v", r.Firms.Vacancies, open)
	}
	poor := 0.0
	for _, y := range e.h.income {
		if float64(y) < .6*r.Households.Income.P50*subunit {
			poor++
		}
	}
	within(t, "poverty", value(PovertyRate), poor/n, .01)
}

// A firm that serves a whole local market alone is a monopoly there, however
// many others the industry has.
func TestConcentrationIsLocal(t *testing.T) {
	p := thousand()
	p.NumIndustries, p.MinPerCat, p.HouseholdsPerMarket = 1, 3, 500
	e := mustNew(t, p, 1)
	if e.localMarkets != 2 {
		t.Fatalf("%d local markets", e.localMarkets)
	}
	second := e.shopStart[1]
	e.f.revenue[0] = 300
	e.f.revenue[second], e.f.revenue[second+1] = 50, 50
	e.f.revenue[e.consumptionFirms] = 900
	v := e.surveyFirms()
	e.measureFirms(&v)
	want := (300*1 + 100*.5) / 400
	near(t, "Herfindahl index of the industry", e.record.Firms.HHI[0], want)
	near(t, "Herfindahl index", e.record.Value(HHI), want)
	near(t, "Herfindahl index of capital goods", e.record.Firms.HHI[MaxIndustries], 1)
}

// The month before the experiment becomes the base month. Its real GDP in the history is
// from then on the one at its own prices, so that growth over the year does not jump.
func TestGrowthAcrossTheBaseMonth(t *testing.T) {
	for _, change := range []func(*Params){func(*Params) {}, func(p *Params) { p.EnableTrade, p.NumBanks = true, 4 }} {
		p := thousand()
		change(&p)
		e, other := mustNew(t, p, 1), mustNew(t, p, 1)
		mustStep(t, e, 40)
		mustStep(t, other, 40)
		e.BeginExperiment()
		v := e.surveyFirms()
		near(t, "real GDP of the base month", *ring(e.m.RealGDPHistory[:], e.m.Month, 0), e.valuedAt(&v, &e.m.Base).gdp)
		for range 15 { // the months whose growth looks back across the base month
			mustStep(t, e, 1)
			mustStep(t, other, 1)
			within(t, "growth with another base month", e.Latest().Value(GDPGrowth), other.Latest().Value(GDPGrowth), .005)
			within(t, "nominal GDP", e.Latest().Value(NominalGDP)/other.Latest().Value(NominalGDP), 1, .0005)
		}
	}
}

// An industry that sold nothing has no price, mark-up or concentration.
func TestIndustryWithoutSales(t *testing.T) {
	p := thousand()
	p.NumIndustries = 3
	e := mustNew(t, p, 1)
	mustStep(t, e, 2)
	for i := e.industryStart[1]; i < e.industryStart[2]; i++ {
		e.f.revenue[i] = 0
	}
	v := e.surveyFirms()
	e.record.Firms = FirmSummary{}
	e.measureFirms(&v)
	f := &e.record.Firms
	for _, of := range [][]float64{f.Price[:], f.MarkUp[:], f.HHI[:], f.CR4[:]} {
		if !math.IsNaN(of[1]) || !(of[0] > 0 && of[2] > 0 && of[MaxIndustries] > 0) || of[3] != 0 {
			t.Errorf("industries 1 to 4 and capital goods: %v, %g; the second sold nothing, there is no fourth", of[:4], of[MaxIndustries])
		}
	}
	for i := Indicator(0); i < NumIndicators; i++ {
		if math.IsNaN(e.record.Value(i)) {
			t.Errorf("%s is not a number", i)
		}
	}
}
