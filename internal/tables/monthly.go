package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

func ColumnUnit(statType, column string) string {
	for _, c := range monthlyColumns[statType] {
		if c.name == column {
			return c.unit
		}
	}
	panic("analysis: no column " + statType + "." + column)
}

// Column is a monthly series of a statistic, the mean over replications where there are
// several.
type Column struct {
	Name   string         `json:"name"`
	Unit   string         `json:"unit"`
	Values []stats.Number `json:"values"`
}

// StatTypes are the groups of monthly statistics.
var StatTypes = []string{"economic", "household", "group", "firm", "labor", "government", "bank", "innovation", "performance", "dismissal"}

// MonthlyStatistics lists the columns of one of [StatTypes] over the months of a run, or
// their means over several runs of the same months. Together the types hold all that a
// [sim.Record] holds. Columns of what an economy does not have (age groups without
// demography, industries beyond num_industries) are left out. Each run's records are in
// the order of months.
func MonthlyStatistics(statType string, runs ...[]sim.Record) ([]Column, error) {
	list, ok := monthlyColumns[statType]
	if !ok {
		return nil, fault.Range("stat_type", fmt.Sprintf("%q", statType), StatTypes...)
	}
	months := math.MaxInt
	for _, records := range runs {
		months = min(months, len(records))
	}
	if len(runs) == 0 {
		months = 0
	}
	out := []Column{}
	for _, c := range list {
		if !c.exists(runs) {
			continue
		}
		column := Column{Name: c.name, Unit: c.unit, Values: make([]stats.Number, months)}
		values := make([]float64, len(runs))
		for m := range months {
			for r := range runs {
				values[r] = c.of(&runs[r][m])
			}
			column.Values[m] = stats.Number(stats.DefinedMean(values))
		}
		out = append(out, column)
	}
	return out, nil
}

// monthlyColumn is one number of a record.
type monthlyColumn struct {
	name, unit string
	of         func(r *sim.Record) float64
	only       func(r *sim.Record) bool // the economy has it; nil = all have
}

func (c *monthlyColumn) exists(runs [][]sim.Record) bool {
	if c.only == nil {
		return true
	}
	for _, records := range runs {
		for m := range records {
			if c.only(&records[m]) {
				return true
			}
		}
	}
	return false
}

// monthlyColumns holds the columns of each type, in the order of reports.
var monthlyColumns = map[string][]monthlyColumn{
	"economic": slices.Concat(
		indicators(
			sim.NominalGDP,
			sim.RealGDP,
			sim.GDPGrowth,
			sim.CPI,
			sim.GDPDeflator,
			sim.Inflation,
			sim.MonthlyInflation,
			sim.RealConsumption,
			sim.RealInvestment,
		),
		[]monthlyColumn{
			{
				"real_government_purchases",
				"currency units a month at prices of the base month",
				func(r *sim.Record) float64 { return r.RealPurchases },
				nil,
			},
			{
				"real_public_wages",
				"currency units a month at prices of the base month",
				func(r *sim.Record) float64 { return r.RealPublicWages },
				nil,
			},
			{
				"real_inventory_change",
				"currency units a month at prices of the base month",
				func(r *sim.Record) float64 { return r.RealInventoryChange },
				nil,
			},
			{
				"overtime",
				"normal hours of a person",
				func(r *sim.Record) float64 { return r.Overtime },
				nil,
			},
		},
		indicators(
			sim.Exports,
			sim.Imports,
			sim.CurrentAccount,
			sim.NetForeignPosition,
			sim.ExchangeRate,
			sim.ImportPriceIndex,
			sim.MoneyStock,
			sim.CreditStock,
			sim.PolicyRate,
			sim.LoanRate,
			sim.Emissions,
			sim.Population,
		),
	),
	"household": householdColumns(),
	"group":     slices.Concat(groupColumns(), standingColumns()),
	"firm":      firmColumns(),
	"labor":     laborColumns(),
	"government": slices.Concat(
		indicators(
			sim.GovernmentSpending,
			sim.TaxRevenue,
			sim.TaxIncome,
			sim.TaxWages,
			sim.TaxCapitalIncome,
			sim.TaxContributions,
			sim.TaxVAT,
			sim.TaxCorporate,
			sim.TaxTariff,
			sim.TaxLevy,
			sim.TaxRobot,
			sim.DeficitToGDP,
			sim.DebtToGDP,
		),
		budgetColumns(),
	),
	"bank": slices.Concat(
		indicators(sim.CreditStock, sim.MoneyStock, sim.LoanRate, sim.PolicyRate, sim.BankEquity, sim.BankFailures),
		[]monthlyColumn{
			{"reserves", "currency units", func(r *sim.Record) float64 { return r.Banks.Reserves }, nil},
			{"advances", "currency units", func(r *sim.Record) float64 { return r.Banks.Advances }, nil},
			{"resolutions", "banks a month", func(r *sim.Record) float64 { return float64(r.Banks.Resolutions) }, nil},
			{"recapitalised", "currency units a month", func(r *sim.Record) float64 { return r.Banks.Recapitalised }, nil},
			{"bailed_in", "currency units a month", func(r *sim.Record) float64 { return r.Banks.BailedIn }, nil},
			{"least_credit_factor", "share of what would be lent", func(r *sim.Record) float64 { return r.Banks.LeastCredit }, nil},
		},
	),
	"innovation": innovationColumns(),
	"performance": slices.Concat(
		indicators(
			sim.GDPGrowth,
			sim.LabourProductivity,
			sim.CapacityUtilisation,
			sim.LabourShare,
			sim.MarkUp,
			sim.HHI,
			sim.RealInvestment,
		),
		[]monthlyColumn{
			{
				"real_gdp_per_household",
				"currency units a month at prices of the base month",
				func(r *sim.Record) float64 { return r.Value(sim.RealGDP) / r.Value(sim.Population) },
				nil,
			},
			{"investment_share", "share of GDP", investmentShare, nil},
		},
	),
	"dismissal": slices.Concat(
		indicators(sim.SeparationRateObserved, sim.JobFindingRate, sim.UnemploymentRate, sim.Bankruptcies, sim.FirmExits, sim.FirmEntries),
		[]monthlyColumn{
			{"job_losses", "persons a month", jobLosses, nil},
		},
		indicators(sim.JobSeekers),
	),
}

func investmentShare(r *sim.Record) float64 {
	return r.Firms.Revenue[sim.MaxIndustries] / r.Value(sim.NominalGDP)
}

// jobLosses are the jobs that ended in the month, job-to-job moves aside: the separation
// rate on the employed, counted at the month's end as a record does not hold those at its
// start.
func jobLosses(r *sim.Record) float64 {
	return r.Value(sim.SeparationRateObserved) * r.Value(sim.EmploymentRate) * r.Value(sim.Population)
}

// totalSales is the revenue of all firms, makers of capital goods included.
func totalSales(r *sim.Record) float64 { return totalRevenue(r) + r.Firms.Revenue[sim.MaxIndustries] }

func indicators(list ...sim.Indicator) (columns []monthlyColumn) {
	for _, i := range list {
		info := i.Info()
		columns = append(columns, monthlyColumn{info.Name, info.Unit, func(r *sim.Record) float64 { return r.Value(i) }, nil})
	}
	return columns
}

func householdColumns() []monthlyColumn {
	out := slices.Concat(
		indicators(sim.Population, sim.SavingRate, sim.PovertyRate, sim.IncomeGini, sim.WealthGini, sim.RealConsumption),
		[]monthlyColumn{
			{
				"total_income",
				"currency units a month",
				func(r *sim.Record) float64 { return r.Households.Income.Mean * r.Value(sim.Population) },
				nil,
			},
			{
				"total_expenditure",
				"currency units a month",
				func(r *sim.Record) float64 { return r.Households.Consumption.Mean * r.Value(sim.Population) },
				nil,
			},
		},
	)
	for _, v := range []struct {
		name, unit string
		of         func(r *sim.Record) *sim.Distribution
	}{
		{"income", "currency units a month", func(r *sim.Record) *sim.Distribution { return &r.Households.Income }},
		{"consumption", "currency units a month", func(r *sim.Record) *sim.Distribution { return &r.Households.Consumption }},
		{"wealth", "currency units", func(r *sim.Record) *sim.Distribution { return &r.Households.Wealth }},
		{"wage", "currency units a month", func(r *sim.Record) *sim.Distribution { return &r.Households.Wage }},
	} {
		out = append(out,
			monthlyColumn{v.name + "_mean", v.unit, func(r *sim.Record) float64 { return v.of(r).Mean }, nil},
			monthlyColumn{v.name + "_gini_coefficient", "0 to 1", func(r *sim.Record) float64 { return v.of(r).Gini }, nil},
			monthlyColumn{v.name + "_p10", v.unit, func(r *sim.Record) float64 { return v.of(r).P10 }, nil},
			monthlyColumn{v.name + "_p50", v.unit, func(r *sim.Record) float64 { return v.of(r).P50 }, nil},
			monthlyColumn{v.name + "_p90", v.unit, func(r *sim.Record) float64 { return v.of(r).P90 }, nil},
		)
		for k := range 10 {
			out = append(
				out,
				monthlyColumn{
					fmt.Sprintf("%s_decile_%d", v.name, k+1),
					v.unit + ", mean of the tenth",
					func(r *sim.Record) float64 { return v.of(r).Deciles[k] },
					nil,
				},
			)
		}
		for k := range stats.LorenzPoints {
			out = append(
				out,
				monthlyColumn{
					fmt.Sprintf("%s_lorenz_%d", v.name, 10*k),
					fmt.Sprintf("share of the poorest %d %%", 10*k),
					func(r *sim.Record) float64 { return v.of(r).Lorenz[k] },
					nil,
				},
			)
		}
	}
	for k := range 10 {
		out = append(
			out,
			monthlyColumn{
				fmt.Sprintf("inflation_decile_%d", k+1),
				"share a year",
				func(r *sim.Record) float64 { return r.Households.Inflation[k] },
				nil,
			},
		)
	}
	for g, name := range ageNames {
		out = append(
			out,
			monthlyColumn{
				"households_" + name,
				"households",
				func(r *sim.Record) float64 { return float64(r.Households.Population[g]) },
				hasAges,
			},
		)
	}
	return out
}

// groupColumns are what households of the month's groups earn, spend and own.
func groupColumns() (out []monthlyColumn) {
	for k := range 10 {
		tenth := fmt.Sprintf("_of_income_decile_%d", k+1)
		out = append(out,
			monthlyColumn{"consumption" + tenth, "currency units a month", func(r *sim.Record) float64 {
				return r.Households.Tenths.Consumption[k]
			}, nil},
			monthlyColumn{"wealth" + tenth, "currency units", func(r *sim.Record) float64 { return r.Households.Tenths.Wealth[k] }, nil},
		)
	}
	for s := range sim.NumWorkStatuses {
		out = append(out, columnsOf("_"+s.String(), "", func(r *sim.Record) sim.Group { return r.Households.ByWork[s] })...)
	}
	for g, name := range ageNames {
		out = append(out, columnsOf("_"+name, "", func(r *sim.Record) sim.Group {
			of := r.Households.ByAge[g]
			return sim.Group{Households: r.Households.Population[g], Income: of.Income, Consumption: of.Consumption, Wealth: of.Wealth}
		})[1:]...) // how many there are is told of the population
	}
	return out
}

// columnsOf are the columns of a group: how many, and their means.
func columnsOf(name, who string, of func(r *sim.Record) sim.Group) []monthlyColumn {
	peopled := func(r *sim.Record) bool { return of(r).Households > 0 }
	mean := func(x func(g sim.Group) float64) func(r *sim.Record) float64 {
		return func(r *sim.Record) float64 {
			if g := of(r); g.Households > 0 {
				return x(g)
			}
			return math.NaN() // as in months that were stored before households were followed
		}
	}
	return []monthlyColumn{
		{"households" + name, "households" + who, func(r *sim.Record) float64 { return float64(of(r).Households) }, peopled},
		{"income" + name, "currency units a month" + who, mean(func(g sim.Group) float64 { return g.Income }), peopled},
		{"consumption" + name, "currency units a month" + who, mean(func(g sim.Group) float64 { return g.Consumption }), peopled},
		{"wealth" + name, "currency units" + who, mean(func(g sim.Group) float64 { return g.Wealth }), peopled},
	}
}

// standingColumns are what households earn, spend and own by where they stood before month 1.
func standingColumns() (out []monthlyColumn) {
	for _, grouping := range Standings {
		for g, group := range grouping.Groups(sim.Params{EnableDemography: true}) {
			of := func(r *sim.Record) sim.Group { return grouping.of(&r.Households.Standing)[g] }
			name := "_" + grouping.Name + "_before_" + strings.Fields(group)[0]
			columns := columnsOf(name, ", of those who stood there before month 1", of)
			if grouping.Name == "wealth_decile" { // of which a record has the incomes alone
				columns = columns[:2]
			}
			out = append(out, columns...)
		}
	}
	return out
}

// budgetColumns are the cost of each programme, and the items of the public budget that are no indicators.
func budgetColumns() (out []monthlyColumn) {
	for _, p := range sim.Programmes() {
		out = append(out, indicators(sim.CostOf(p.ID))...)
	}

	for _, p := range purposes {
		out = append(
			out,
			monthlyColumn{"budget_" + p.Name, "currency units a month", func(r *sim.Record) float64 { return p.purpose(&r.Government) }, nil},
		)
	}
	return append(out,
		monthlyColumn{"injections_to_firms", "currency units a month", func(r *sim.Record) float64 {
			return r.Government.Programmes.FirmInjections
		}, nil},
		monthlyColumn{"injections_to_banks", "currency units a month", func(r *sim.Record) float64 {
			return r.Government.Programmes.BankInjections
		}, nil},
	)
}

// ageNames name the age groups of heads in columns.
var ageNames = [sim.NumAgeGroups]string{"age_15_29", "age_30_54", "age_55_64", "age_65_plus"}

func hasAges(r *sim.Record) bool {
	sum := 0
	for _, n := range r.Households.Population {
		sum += n
	}
	return sum > 0
}

// exposureNames name the groups by exposure to automation.
var exposureNames = [sim.NumExposureGroups]string{"low", "middle", "high"}

func laborColumns() []monthlyColumn {
	out := slices.Concat(
		indicators(
			sim.UnemploymentRate,
			sim.EmploymentRate,
			sim.ParticipationRate,
			sim.VacancyRate,
			sim.JobFindingRate,
			sim.SeparationRateObserved,
			sim.NominalWageMean,
			sim.RealWageMean,
			sim.RealWageMedian,
			sim.LabourShare,
			sim.LabourProductivity,
			sim.JobGuaranteeEmployment,
		),
		[]monthlyColumn{
			{"vacancies", "posts left open", func(r *sim.Record) float64 { return float64(r.Firms.Vacancies) }, nil},
			{"retrained", "courses begun a month", func(r *sim.Record) float64 { return float64(r.Households.Retrained) }, nil},
		},
	)
	for k, name := range exposureNames {
		of := func(r *sim.Record) *sim.ExposureGroup { return &r.Households.Exposure[k] }
		suffix := "_exposure_" + name
		out = append(
			out,
			monthlyColumn{"share" + suffix, "share of all households", func(r *sim.Record) float64 { return of(r).Share }, nil},
			monthlyColumn{
				"unemployment" + suffix,
				"share of the labour force",
				func(r *sim.Record) float64 { return of(r).Unemployment },
				nil,
			},
			monthlyColumn{"wage" + suffix, "currency units a month", func(r *sim.Record) float64 { return of(r).Wage }, nil},
			monthlyColumn{"wage_share" + suffix, "share of all wages", func(r *sim.Record) float64 { return of(r).WageShare }, nil},
		)
	}
	for g, name := range ageNames {
		out = append(
			out,
			monthlyColumn{
				"labour_force_" + name,
				"heads of households",
				func(r *sim.Record) float64 { return float64(r.Households.LabourForce[g]) },
				hasAges,
			},
			monthlyColumn{
				"unemployment_" + name,
				"share of the labour force",
				func(r *sim.Record) float64 { return r.Households.Unemployment[g] },
				hasAges,
			},
		)
	}
	return out
}

func firmColumns() []monthlyColumn {
	out := slices.Concat(
		indicators(sim.FirmCount, sim.FirmEntries, sim.FirmExits, sim.Bankruptcies, sim.MarkUp, sim.HHI, sim.CapacityUtilisation),
		[]monthlyColumn{
			{"total_revenue", "currency units a month", totalSales, nil},
			{"mean_size", "employees a firm", func(r *sim.Record) float64 { return r.Firms.MeanSize }, nil},
			{"inventories", "currency units, at unit cost", func(r *sim.Record) float64 { return r.Firms.Inventories }, nil},
			{"vacancies", "posts left open", func(r *sim.Record) float64 { return float64(r.Firms.Vacancies) }, nil},
		},
	)
	for k, class := range sizeNames() {
		out = append(
			out,
			monthlyColumn{
				"firms_with_" + class,
				"firms, by employees",
				func(r *sim.Record) float64 { return float64(r.Firms.Sizes[k]) },
				nil,
			},
		)
	}
	for _, v := range []struct {
		name, unit string
		of         func(r *sim.Record, row int) float64
		rows       int
	}{
		{"revenue", "currency units a month", func(r *sim.Record, j int) float64 { return r.Firms.Revenue[j] }, sim.MaxIndustries + 1},
		{"price", "currency units a unit", func(r *sim.Record, j int) float64 { return r.Firms.Price[j] }, sim.MaxIndustries + 1},
		{"mark_up", "ratio to unit cost", func(r *sim.Record, j int) float64 { return r.Firms.MarkUp[j] }, sim.MaxIndustries + 1},
		{"hhi", "0 to 1", func(r *sim.Record, j int) float64 { return r.Firms.HHI[j] }, sim.MaxIndustries + 1},
		{"four_largest", "share of a local market", func(r *sim.Record, j int) float64 { return r.Firms.CR4[j] }, sim.MaxIndustries + 1},
		{"exports", "currency units a month", func(r *sim.Record, j int) float64 { return r.Firms.Exports[j] }, sim.MaxIndustries},
		{"imports", "currency units a month", func(r *sim.Record, j int) float64 { return r.Firms.Imports[j] }, sim.MaxIndustries},
	} {
		for j := range v.rows {
			out = append(out, monthlyColumn{v.name + "_" + columnIndustry(j), v.unit, func(r *sim.Record) float64 { return v.of(r, j) },
				func(r *sim.Record) bool { return v.of(r, j) != 0 }})
		}
	}
	return out
}

// columnIndustry names a row of a record's arrays in columns: industry_1 …, capital_goods.
func columnIndustry(row int) string {
	if row == sim.MaxIndustries {
		return "capital_goods"
	}
	return fmt.Sprintf("industry_%d", row+1)
}

func innovationColumns() []monthlyColumn {
	out := slices.Concat(indicators(sim.InnovationEvents, sim.AIAdoptionShare, sim.TaxRobot, sim.LabourProductivity), []monthlyColumn{
		{"ai_adopters", "firms", func(r *sim.Record) float64 { return float64(r.Firms.Adopters) }, nil},
		{"ai_adoptions", "firms a month", func(r *sim.Record) float64 { return float64(r.Firms.Adoptions) }, nil},
	})
	for kind := range sim.NumInnovationKinds {
		out = append(
			out,
			monthlyColumn{
				"innovations_" + kind.String(),
				"events a month",
				func(r *sim.Record) float64 { return float64(r.Firms.Innovations[kind]) },
				nil,
			},
		)
	}
	return out
}

// allColumns are those of all types, columnPlaces their places by type and name.
var allColumns, columnPlaces = func() (list []monthlyColumn, places map[[2]string]int) {
	places = make(map[[2]string]int)
	for _, statType := range StatTypes {
		for _, c := range monthlyColumns[statType] {
			places[[2]string{statType, c.name}] = len(list)
			list = append(list, c)
		}
	}
	return list, places
}()

// RecordMeans are the means of all monthly statistics and of the groups of [Groupings]
// over the months of a window, of one run. Its zero value is empty; it is what an
// analysis needs of a run beside its indicators.
type RecordMeans struct {
	Groups  GroupMeans
	columns []monthSum // as allColumns
}

// Add counts a month. p are the parameters of the run.
func (m *RecordMeans) Add(r *sim.Record, p sim.Params) {
	if m.columns == nil {
		m.columns = make([]monthSum, len(allColumns))
	}
	m.Groups.Add(r, p)
	for k := range allColumns {
		m.columns[k].add(allColumns[k].of(r))
	}
}

// Mean of a column over the months that have it; NaN if none has.
func (m *RecordMeans) Mean(statType, column string) float64 {
	place, ok := columnPlaces[[2]string{statType, column}]
	if !ok || m == nil || m.columns == nil {
		return math.NaN()
	}
	return m.columns[place].mean()
}
