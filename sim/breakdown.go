package sim

import (
	"fmt"
	"math"
	"strings"
)

// Breakdowns are the indicators from NumIndicators on: what groups of households have, what each
// programme of the government costs, what taxes bring as shares of GDP, and counts. They are asked for
// by name and taken like any other, but stand in no list that nobody asked for. They are worked out of
// the rest of a [Record], so that a month is stored once; what an economy or a record does not have
// is NaN.
//
// Groups whose name begins with initial, and those by skill, are the households that were in them
// before month 1 (see [Standing]): the same ones in all months, and in all arms of one burn-in. A
// difference between arms is what somebody gains or loses. All others are formed anew every month, as
// statistical offices do: a difference is one of the distribution, in which households may have changed
// places.
const (
	MonthlyInflation Indicator = NumIndicators + iota
	Jobs
	JobSeekers
	Deficit
	CentralBankProfit
	TaxWages
	TaxCapitalIncome
	TaxContributions

	firstByGroup // of the indicators by group of households, measure by measure
)

// The parts of the table of breakdowns; a test counts them.
const (
	numMeasures   = 3
	numGroups     = 45
	numProgrammes = 16
	numBooked     = 9

	firstByWealth = firstByGroup + numMeasures*numGroups // of real income by initial wealth
	firstCost     = firstByWealth + 10
	firstShares   = firstCost + numProgrammes

	// NumOutcomes is the number of all indicators, breakdowns included.
	NumOutcomes = firstShares + 2*(numProgrammes+numBooked)
)

// breakdown is a row of the table of breakdowns.
type breakdown struct {
	IndicatorInfo
	of func(r *Record) float64 // nil: it cannot be worked out of a record alone
	to Indicator               // what is measured on the control's GDP where of is nil
}

// HouseholdGroup is a group of households by which [Measures] are told.
type HouseholdGroup struct {
	ID      string // as in the name of the indicator, such as tenth_1
	Meaning string
	of      func(r *Record, m *Measure) float64 // mean, currency units; NaN without households
}

// Measure is what is told of groups of households.
type Measure struct {
	ID       string // as in the name of the indicator, such as real_income
	Unit     string
	Meaning  string
	all      func(d *HouseholdSummary) *Distribution
	ofGroup  func(g *Group) float64
	ofTenths func(d *HouseholdSummary) *[10]float64 // by disposable income of the month
}

// Measures are real income, consumption and wealth.
func Measures() []Measure { return append([]Measure(nil), measures[:]...) }

// HouseholdGroups are the groups in the order of the indicators.
func HouseholdGroups() []HouseholdGroup { return append([]HouseholdGroup(nil), householdGroups[:]...) }

var measures = [numMeasures]Measure{
	{
		"real_income", "currency units a month at prices of the base month", "disposable income of the month",
		func(d *HouseholdSummary) *Distribution { return &d.Income },
		func(g *Group) float64 { return g.Income },
		func(d *HouseholdSummary) *[10]float64 { return &d.Income.Deciles },
	},
	{
		"real_consumption", "currency units a month at prices of the base month", "spending of the month with VAT",
		func(d *HouseholdSummary) *Distribution { return &d.Consumption },
		func(g *Group) float64 { return g.Consumption },
		func(d *HouseholdSummary) *[10]float64 { return &d.Tenths.Consumption },
	},
	{
		"real_wealth", "currency units at prices of the base month", "net worth at the end of the month (deposits + equity)",
		func(d *HouseholdSummary) *Distribution { return &d.Wealth },
		func(g *Group) float64 { return g.Wealth },
		func(d *HouseholdSummary) *[10]float64 { return &d.Tenths.Wealth },
	},
}

var householdGroups = func() (list [numGroups]HouseholdGroup) {
	next := 0
	of := func(id, meaning string, of func(r *Record, m *Measure) float64) {
		list[next] = HouseholdGroup{id, meaning, of}
		next++
	}
	add := func(id, meaning string, value func(r *Record, m *Measure) float64) {
		of(id, "mean per household: "+meaning, value)
	}
	standing := func(id, meaning string, groups func(d *Standing) []Group) {
		add(id, meaning, func(r *Record, m *Measure) float64 { return m.mean(groups(&r.Households.Standing)) })
	}
	of("mean", "mean of all households", func(r *Record, m *Measure) float64 { return m.all(&r.Households).Mean })
	of("median", "median of all households", func(r *Record, m *Measure) float64 { return m.all(&r.Households).P50 })
	for k := range 10 {
		add(fmt.Sprintf("tenth_%d", k+1), ranked("tenth", k, 10)+" by disposable income of the month",
			func(r *Record, m *Measure) float64 { return m.ofTenths(&r.Households)[k] })
	}
	for k := range 5 {
		add(fmt.Sprintf("fifth_%d", k+1), ranked("fifth", k, 5)+" by disposable income of the month",
			func(r *Record, m *Measure) float64 {
				of := m.ofTenths(&r.Households)
				return (of[2*k] + of[2*k+1]) / 2
			})
	}
	for s := range NumWorkStatuses {
		add(s.String(), "those with a head "+workMeanings[s]+" at the end of the month",
			func(r *Record, m *Measure) float64 { return m.mean(r.Households.ByWork[s : s+1]) })
	}
	for g, id := range ageIDs {
		add(id, "those with a head "+ageMeanings[g]+"; only with demography",
			func(r *Record, m *Measure) float64 {
				of := r.Households.ByAge[g]
				return m.mean([]Group{{r.Households.Population[g], of.Income, of.Consumption, of.Wealth}})
			})
	}
	for k := range 10 {
		standing(fmt.Sprintf("initial_tenth_%d", k+1), "those in the "+ranked("tenth", k, 10)+" by smoothed disposable income before month 1",
			func(s *Standing) []Group { return s.ByIncome[k : k+1] })
	}
	for k := range 5 {
		standing(fmt.Sprintf("initial_fifth_%d", k+1), "those in the "+ranked("fifth", k, 5)+" by smoothed disposable income before month 1",
			func(s *Standing) []Group { return s.ByIncome[2*k : 2*k+2] })
	}
	for w := range NumWorkStatuses {
		standing("initial_"+w.String(), "those with a head "+workMeanings[w]+" before month 1",
			func(s *Standing) []Group { return s.ByWork[w : w+1] })
	}
	for k, id := range [NumSkillGroups]string{"low", "middle", "high"} {
		standing("skill_"+id, "those in the "+ranked("third", k, NumSkillGroups)+" by skill before month 1",
			func(s *Standing) []Group { return s.BySkill[k : k+1] })
	}
	return list
}()

// ranked names a part of the households, the lowest first.
func ranked(part string, k, of int) string {
	switch k {
	case 0:
		return "lowest " + part
	case of - 1:
		return "highest " + part
	}
	return fmt.Sprintf("%s %d of %d, from the lowest,", part, k+1, of)
}

var (
	workMeanings = [NumWorkStatuses]string{"employed", "unemployed", "outside the labour force (retired, or not seeking work)"}
	ageIDs       = [NumAgeGroups]string{"age_15_29", "age_30_54", "age_55_64", "age_65_plus"}
	ageMeanings  = [NumAgeGroups]string{"15 to 29 years old", "30 to 54 years old", "55 to 64 years old", "65 years or older, and retired"}
)

// mean is the mean over the households of groups; NaN without any.
func (m *Measure) mean(groups []Group) float64 {
	households, sum := 0, 0.0
	for g := range groups {
		households += groups[g].Households
		sum += float64(float64(groups[g].Households) * m.ofGroup(&groups[g]))
	}
	if households == 0 {
		return math.NaN()
	}
	return sum / float64(households)
}

// Programme is a programme of the government, as its cost is told.
type Programme struct {
	ID      string // as in the name of the indicator: cost_ID
	Meaning string
	of      func(g *GovernmentSummary) float64
}

// Programmes are all on which the government spends: their costs add up to [GovernmentSpending], to
// the 1/1000 of a currency unit.
func Programmes() []Programme { return append([]Programme(nil), programmes[:]...) }

var programmes = [numProgrammes]Programme{
	{"public_employment", "wages of the government's staff, without researchers and members of the job guarantee",
		func(g *GovernmentSummary) float64 {
			return left(g.Wages, g.Programmes.JobGuarantee, g.Programmes.Research)
		}},
	{"public_research", "wages of the government's researchers", func(g *GovernmentSummary) float64 { return g.Programmes.Research }},
	{"job_guarantee", "wages of the members of the public employment programme",
		func(g *GovernmentSummary) float64 { return g.Programmes.JobGuarantee }},
	{"purchases", "purchases of goods", func(g *GovernmentSummary) float64 { return g.Purchases }},
	{"unemployment_benefits", "benefits of the unemployed, without short-time work",
		func(g *GovernmentSummary) float64 { return left(g.Unemployment, g.Programmes.ShortTime) }},
	{"job_retention", "benefits for hours lost on short-time work", func(g *GovernmentSummary) float64 { return g.Programmes.ShortTime }},
	{"pensions", "pensions", func(g *GovernmentSummary) float64 { return g.Pensions }},
	{"basic_income", "universal basic income", func(g *GovernmentSummary) float64 { return g.Programmes.BasicIncome }},
	{"minimum_income", "means-tested minimum income", func(g *GovernmentSummary) float64 { return g.Programmes.MinimumIncome }},
	{"redistribution", "redistribution pool", func(g *GovernmentSummary) float64 { return g.Programmes.Redistribution }},
	{"injections", "injections: payments to households, firms and banks", func(g *GovernmentSummary) float64 {
		p := &g.Programmes
		return left(g.Transfers, p.BasicIncome, p.MinimumIncome, p.Redistribution, p.Retraining) + p.FirmInjections + p.BankInjections
	}},
	{"retraining", "allowances for retraining", func(g *GovernmentSummary) float64 { return g.Programmes.Retraining }},
	{"wage_subsidies", "wage subsidies to firms",
		func(g *GovernmentSummary) float64 {
			return left(g.Subsidies, g.Programmes.ResearchSubsidies, g.Programmes.FirmInjections)
		}},
	{"research_subsidies", "subsidies to the research of firms",
		func(g *GovernmentSummary) float64 { return g.Programmes.ResearchSubsidies }},
	{"bank_recapitalisation", "capital for failed banks",
		func(g *GovernmentSummary) float64 { return left(g.Banks, g.Programmes.BankInjections) }},
	{"interest", "interest on the public debt", func(g *GovernmentSummary) float64 { return g.Interest }},
}

// left is what parts leave of a sum of money, to the subunit in which it was paid: what is nothing is 0.
func left(sum float64, parts ...float64) float64 {
	for _, part := range parts {
		sum -= part
	}
	return math.Round(sum*subunit) / subunit
}

// CostOf is the indicator of what a programme costs. It panics where there is no such programme.
func CostOf(programme string) Indicator {
	for k := range programmes {
		if programmes[k].ID == programme {
			return firstCost + Indicator(k)
		}
	}
	panic("sim: no programme " + programme)
}

// booked are the indicators in money that are told as shares of GDP too.
var booked = [numBooked]Indicator{
	TaxIncome, TaxVAT, TaxCorporate, TaxLevy, TaxTariff, TaxRobot, TaxRevenue, GovernmentSpending, Deficit,
}

var breakdowns = func() (table [NumOutcomes - NumIndicators]breakdown) {
	const month = "currency units a month"
	at := func(i Indicator) *breakdown { return &table[i-NumIndicators] }
	for _, row := range [...]struct {
		i                   Indicator
		name, unit, formula string
		of                  func(r *Record) float64
	}{
		{MonthlyInflation, "inflation_monthly", "share a month", "cpi over cpi of the month before, minus 1",
			func(r *Record) float64 { return r.Inflation }},
		{Jobs, "jobs", "persons", "heads of households with a job at the end of the month, in the public employment programme too",
			func(r *Record) float64 { return math.Round(r.Values[EmploymentRate] * r.Values[Population]) }},
		{JobSeekers, "unemployed", "persons", "heads of households in the labour force without a job at the end of the month",
			func(r *Record) float64 {
				return math.Round(r.Values[UnemploymentRate] * r.Values[ParticipationRate] * r.Values[Population])
			}},
		{Deficit, "deficit", month, "government_spending - tax_revenue - central_bank_profit; of the month, unlike deficit_to_gdp",
			func(r *Record) float64 {
				return r.Values[GovernmentSpending] - r.Values[TaxRevenue] - r.Government.CentralBankProfit
			}},
		{CentralBankProfit, "central_bank_profit", month, "profit of the central bank received by the government",
			func(r *Record) float64 { return r.Government.CentralBankProfit }},
		{TaxWages, "tax_wages", month, "of tax_income: on wages", func(r *Record) float64 {
			return left(r.Values[TaxIncome], r.Government.Taxes.Capital, r.Government.Taxes.Contributions)
		}},
		{TaxCapitalIncome, "tax_capital_income", month, "of tax_income: on interest and dividends of households",
			func(r *Record) float64 { return r.Government.Taxes.Capital }},
		{TaxContributions, "tax_contributions", month, "of tax_income: contributions to pensions",
			func(r *Record) float64 { return r.Government.Taxes.Contributions }},
	} {
		*at(row.i) = breakdown{IndicatorInfo: IndicatorInfo{row.name, row.unit, row.formula}, of: row.of}
	}
	for k := range measures {
		m := &measures[k]
		for g := range householdGroups {
			group := &householdGroups[g]
			*at(firstByGroup + Indicator(k*numGroups+g)) = breakdown{
				IndicatorInfo: IndicatorInfo{m.ID + "_" + group.ID, m.Unit, "100 / cpi x " + m.Meaning + ", " + group.Meaning},
				of:            func(r *Record) float64 { return 100 * group.of(r, m) / r.Values[CPI] },
			}
		}
	}
	for k := range 10 {
		m := &measures[0]
		*at(firstByWealth + Indicator(k)) = breakdown{
			IndicatorInfo: IndicatorInfo{fmt.Sprintf("%s_initial_wealth_tenth_%d", m.ID, k+1), m.Unit, "100 / cpi x " + m.Meaning +
				", mean per household: those in the " + ranked("tenth", k, 10) + " by net worth before month 1"},
			of: func(r *Record) float64 { return 100 * m.mean(r.Households.Standing.ByWealth[k:k+1]) / r.Values[CPI] },
		}
	}
	for k := range programmes {
		p := &programmes[k]
		*at(firstCost + Indicator(k)) = breakdown{
			IndicatorInfo: IndicatorInfo{"cost_" + p.ID, month, "spent by the government: " + p.Meaning},
			of:            func(r *Record) float64 { return p.of(&r.Government) },
		}
	}
	money := append([]Indicator(nil), booked[:]...)
	for k := range programmes {
		money = append(money, firstCost+Indicator(k))
	}
	for k, i := range money {
		name, of := indicatorTable[i%NumIndicators].Name, func(r *Record) float64 { return r.Values[i] }
		if i >= NumIndicators {
			name, of = at(i).Name, at(i).of
		}
		to := "_to_gdp"
		if i == Deficit {
			to = "_of_month_to_gdp" // deficit_to_gdp is that of twelve months
		}
		*at(firstShares + Indicator(2*k)) = breakdown{
			IndicatorInfo: IndicatorInfo{name + to, "share of GDP", name + " / nominal_gdp"},
			of:            func(r *Record) float64 { return of(r) / r.Values[NominalGDP] },
		}
		*at(firstShares + Indicator(2*k+1)) = breakdown{
			IndicatorInfo: IndicatorInfo{name + "_to_control_gdp", "share of the control's GDP",
				name + " / nominal_gdp of the control in the same month and with the same seed: of arms with different GDP, amounts on one scale"},
			to: i,
		}
	}
	return table
}()

// OnControlGDP says of an indicator that is measured on the control's GDP what is divided by
// [NominalGDP] of the control. Such an indicator cannot be worked out of a record alone: [Record.Value]
// is NaN.
func (i Indicator) OnControlGDP() (numerator Indicator, ok bool) {
	if i < NumIndicators || breakdowns[i-NumIndicators].of != nil {
		return 0, false
	}
	return breakdowns[i-NumIndicators].to, true
}

// PerHousehold says whether an indicator is a mean or a median of households, of all or of a group.
func (i Indicator) PerHousehold() bool { return i >= firstByGroup && i < firstCost }

// NeedsDemography says whether only an economy with demography has the indicator.
func (i Indicator) NeedsDemography() bool {
	if i < firstByGroup || i >= firstByWealth {
		return false
	}
	g := householdGroups[int(i-firstByGroup)%numGroups].ID
	return strings.HasPrefix(g, "age_") || strings.HasSuffix(g, OutsideLabourForce.String())
}

// IsBreakdown says whether an indicator is worked out of the rest of a record.
func (i Indicator) IsBreakdown() bool { return i >= NumIndicators }

// Breakdowns lists the indicators that are no headline indicators.
func Breakdowns() (list []IndicatorInfo) {
	for k := range breakdowns {
		list = append(list, breakdowns[k].IndicatorInfo)
	}
	return list
}
