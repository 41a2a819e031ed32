package tables

import (
	"math"
	"reflect"
	"slices"
	"time"

	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// DefaultConfidence is the confidence of intervals where none is asked for.
const DefaultConfidence = 0.95

// Study is what is known of an experiment once it is stored: how it was made, and what
// its runs left behind. It is the input of [Summarise], the comparisons and analyses of inference, and of
// the report. Its arms share their seeds; the first is the control where there are
// several.
type Study struct {
	Name         string
	CreatedAt    time.Time
	RunStatus    string
	Question     string
	Hypothesis   string
	Expected     string // outcome
	Notes        string
	NotedAt      time.Time // the three before
	FirstRead    time.Time // when somebody read results first; zero = nobody has
	Seed         uint64    // base seed
	Seeds        []uint64  // by replication
	Months       int       // planned; the panels may have fewer
	Households   int
	Firms        int
	PlanHash     string // of what was registered before month 1; "" = nothing was
	ModelVersion string
	CodeVersion  string
	Arch         string
	Arms         []StudyArm
}

// StudyArm is one arm of a study. Its lists are in the order of the seeds; replications
// that have not begun are left out at the end.
type StudyArm struct {
	Name          string
	ScenarioHash  string
	Data          string   // what it simulates, with which seeds, for people and names alike; "" = its name says it
	BurntInApart  []string // parameters for which it has a burn-in of its own
	Params        sim.Params
	Interventions []sim.Intervention
	Began         [][]int // first month of each intervention, by replication; 0 = not yet, or never
	Panel         Panel   // indicators by month from 1; those that are not asked for may be empty
	Last          []sim.Record
	Window        []*RecordMeans      // over the window that is analysed; see [inference.Choice.Main]
	Implausible   [][]sim.Implausible // what makes it so, by replication; empty where nobody looked
	Innovation    []InnovationSummary // what was kept of innovations; empty where nothing was
	Sizes         []FirmSizes         // of the firms in the last month; empty where they were not kept
}

// Groups are the means of groups over the window, by replication.
func (a *StudyArm) Groups() (list []*GroupMeans) {
	for _, m := range a.Window {
		list = append(list, &m.Groups)
	}
	return list
}

// LastMonth is the last month that all replications of all arms have, in what the study
// holds of them: their panels, else their last records; 0 without any.
func (s *Study) LastMonth() int {
	n := math.MaxInt
	for _, arm := range s.Arms {
		for _, series := range arm.Panel {
			months := 0
			for _, values := range series {
				months = max(months, len(values))
			}
			n = min(n, months)
		}
		for k := range arm.Last {
			if len(arm.Panel) == 0 {
				n = min(n, arm.Last[k].Month)
			}
		}
	}
	if n == math.MaxInt {
		return 0
	}
	return n
}

// Main is the arm that an experiment is about: the last.
func (s *Study) Main() *StudyArm { return &s.Arms[len(s.Arms)-1] }

// Control is the arm that others are compared with; nil where there is one arm.
func (s *Study) Control() *StudyArm {
	if len(s.Arms) < 2 {
		return nil
	}
	return &s.Arms[0]
}

// Finals are the numbers of the last month of an experiment.
type Finals[N stats.Number | Estimate] struct {
	EmploymentRate     N `json:"final_employment_rate"`
	UnemploymentRate   N `json:"final_unemployment_rate"`
	AverageIncome      N `json:"final_average_income" doc:"disposable, currency units a month"`
	AverageExpenditure N `json:"final_average_expenditure" doc:"with VAT, currency units a month"`
	AverageWealth      N `json:"final_average_wealth"`
	AverageWage        N `json:"final_average_wage" doc:"gross, currency units a month"`
	Gini               N `json:"final_gini_coefficient" doc:"of disposable income"`
	WealthGini         N `json:"final_wealth_gini"`
	PovertyRate        N `json:"final_poverty_rate"`
	SavingsRate        N `json:"final_savings_rate"`
	RealGDP            N `json:"final_real_gdp"`
	CPI                N `json:"final_cpi"`
	Inflation          N `json:"final_inflation" doc:"share a year"`
	LabourProductivity N `json:"final_labour_productivity"`
	DebtToGDP          N `json:"final_debt_to_gdp"`
	Firms              N `json:"final_firms"`
	Population         N `json:"final_population" doc:"households"`
}

func (f *Finals[N]) places() []*N {
	return []*N{
		&f.EmploymentRate, &f.UnemploymentRate, &f.AverageIncome, &f.AverageExpenditure, &f.AverageWealth, &f.AverageWage, &f.Gini,
		&f.WealthGini, &f.PovertyRate, &f.SavingsRate, &f.RealGDP, &f.CPI, &f.Inflation, &f.LabourProductivity, &f.DebtToGDP, &f.Firms,
		&f.Population,
	}
}

// named are the numbers by their names in JSON.
func (f *Finals[N]) named() map[string]N {
	named := map[string]N{}
	for field, value := range reflect.ValueOf(*f).Fields() {
		named[field.Tag.Get("json")] = value.Interface().(N)
	}
	return named
}

func finalsOf(r *sim.Record) Finals[stats.Number] {
	value := func(i sim.Indicator) stats.Number { return stats.Number(r.Value(i)) }
	d := &r.Households
	return Finals[stats.Number]{
		EmploymentRate: value(sim.EmploymentRate), UnemploymentRate: value(sim.UnemploymentRate),
		AverageIncome: stats.Number(d.Income.Mean), AverageExpenditure: stats.Number(d.Consumption.Mean),
		AverageWealth: stats.Number(d.Wealth.Mean), AverageWage: stats.Number(d.Wage.Mean),
		Gini: value(sim.IncomeGini), WealthGini: value(sim.WealthGini), PovertyRate: value(sim.PovertyRate), SavingsRate: value(sim.SavingRate),
		RealGDP: value(sim.RealGDP), CPI: value(sim.CPI), Inflation: value(sim.Inflation), LabourProductivity: value(sim.LabourProductivity),
		DebtToGDP: value(sim.DebtToGDP), Firms: value(sim.FirmCount), Population: value(sim.Population),
	}
}

// Summary is where an experiment stands at the end of its last month. Its own numbers are
// the means of the last arm over replications; Arms has the intervals.
type Summary struct {
	Experiment   string `json:"experiment_name"`
	RunStatus    string `json:"run_status"`
	Households   int    `json:"total_households"`
	Firms        int    `json:"total_firms"`
	Months       int    `json:"total_months" doc:"simulated"`
	Planned      int    `json:"planned_months"`
	Replications int    `json:"replications"`
	Arm          string `json:"arm" doc:"whose numbers follow"`
	Finals[stats.Number]
	ScenarioHash string       `json:"scenario_hash"`
	PlanHash     string       `json:"plan_hash"`
	Version      string       `json:"version" doc:"of the model"`
	CodeVersion  string       `json:"code_version"`
	Seeds        []uint64     `json:"seeds"`
	Arms         []ArmSummary `json:"arms"`
}

// ArmSummary is the end of one arm, over its replications.
type ArmSummary struct {
	Arm          string              `json:"arm"`
	ScenarioHash string              `json:"scenario_hash"`
	Replications int                 `json:"replications"`
	Finals       map[string]Estimate `json:"finals" doc:"by the names above"`
}

// Summarise tells the last month of a study, from its last records.
func Summarise(s *Study, confidence float64) Summary {
	out := Summary{
		Experiment: s.Name, RunStatus: s.RunStatus, Households: s.Households, Firms: s.Firms, Months: s.LastMonth(), Planned: s.Months,
		PlanHash: s.PlanHash, Version: s.ModelVersion, CodeVersion: s.CodeVersion, Seeds: slices.Clone(s.Seeds), Arms: []ArmSummary{},
	}
	for k := range s.Arms {
		arm := &s.Arms[k]
		row := ArmSummary{Arm: arm.Name, ScenarioHash: arm.ScenarioHash, Replications: len(arm.Last)}
		var numbers [][]*stats.Number
		for r := range arm.Last {
			f := finalsOf(&arm.Last[r])
			numbers = append(numbers, f.places())
		}
		var finals Finals[Estimate]
		combine(numbers, finals.places(), confidence)
		row.Finals = finals.named()
		out.Arms = append(out.Arms, row)
		out.Arm, out.ScenarioHash, out.Replications = arm.Name, arm.ScenarioHash, len(arm.Last)
		for i, e := range finals.places() {
			*out.Finals.places()[i] = e.Mean
		}
	}
	return out
}
