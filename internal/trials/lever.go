package trials

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Lever is one documented change of one parameter: what is changed, around what
// else, in which months it is looked at, and what it is expected to do.
type Lever struct {
	Claim     string // what the change should show, for those of [Signs]
	Parameter string
	To        any     // its value in the treatment
	Times     float64 // instead of To, for sizes: multiple of the control's value
	Context   []sim.ParameterChange
	Months    Window
	Expect    []Expectation
	Band      *Band // of the multiplier of government purchases, where it is asked for
	Note      string
}

// Window is a range of months from 1, both ends included.
type Window struct{ From, To int }

// Sign is the direction in which an outcome is expected to move.
type Sign int

const (
	Falls Sign = -1
	Rises Sign = 1
)

// String says it in a word.
func (s Sign) String() string {
	if s < 0 {
		return "falls"
	}
	return "rises"
}

// Expectation is the sign that the literature, or the accounts, give to an
// outcome.
type Expectation struct {
	Outcome sim.Indicator // an indicator, or one of the further outcomes
	Sign    Sign
	Source  string
	Reason  string // why the model says otherwise, where it does
}

// The outcomes that levers are held against beyond the headline indicators.
const (
	WageGini = sim.NumOutcomes + iota
	RealPurchases

	numOutcomes
)

var furtherOutcomes = [numOutcomes - sim.NumOutcomes]struct {
	name, unit string
	value      func(*sim.Record) float64
}{
	WageGini - sim.NumOutcomes: {"wage_gini", "0 to 1", func(r *sim.Record) float64 { return r.Households.Wage.Gini }},
	RealPurchases - sim.NumOutcomes: {
		"real_purchases", "currency units a month at prices of the base month", func(r *sim.Record) float64 { return r.RealPurchases },
	},
}

func outcomeInfo(i sim.Indicator) (name, unit string) {
	if i < sim.NumOutcomes {
		return i.Info().Name, i.Info().Unit
	}
	further := furtherOutcomes[i-sim.NumOutcomes]
	return further.name, further.unit
}

// The verdicts on an expectation.
const (
	VerdictExpected     = "as expected"  // the interval has the expected sign
	VerdictInconclusive = "inconclusive" // it includes zero
	VerdictOtherwise    = "otherwise"    // it has the other sign
)

// Check is an expectation held against its effect.
type Check struct {
	Expectation
	Effect  inference.Effect
	Verdict string
}

// LeverEffect is what a lever was found to do.
type LeverEffect struct {
	Lever
	Row      sim.Parameter
	From, To any                // values in control and treatment
	Apart    bool               // the treatment has a burn-in of its own
	Effects  []inference.Effect // on the headline indicators, most telling first
	Checks   []Check            // one per expectation
	Moved    int                // indicators whose interval excludes zero
	Measured int                // indicators that could have moved: not constant in both arms
	Dead     bool               // control and treatment are equal bit for bit, in every month of every seed

	Multiplier        inference.Effect // change of real GDP over that of real purchases; where Band is set
	MultiplierVerdict string
}

// leverPlan collects the economies that levers need. Controls and treatments that are the same
// economy are simulated once; those that differ in seed, length of burn-in or number of
// replications are in experiments of their own.
type leverPlan struct {
	LeverStudy
	levers      []Lever
	pairs       [][2]leverSide // of each lever: control and treatment
	experiments []run.Simulation
	known       map[string]leverSide // by what the economy is
	panels      [][][]leverSeries    // by experiment, arm and replication
}

// leverSide is one side of a comparison: an arm of the plan, of which it may
// use the first months only.
type leverSide struct {
	params          sim.Params
	experiment, arm int
}

// leverSeries are the outcomes of one simulation.
type leverSeries [numOutcomes][]float64

// add plans levers on a number of seeds.
func (plan *leverPlan) add(levers []Lever, replications int) error {
	for _, lever := range levers {
		control, treatment, err := lever.arms(plan.Base)
		if err != nil {
			return fmt.Errorf("lever %s: %w", lever.Parameter, err)
		}
		plan.levers = append(plan.levers, lever)
		plan.pairs = append(plan.pairs, [2]leverSide{plan.side(control, replications), plan.side(treatment, replications)})
	}
	return nil
}

// run simulates what was planned and judges the levers. The result does not depend on the
// threads.
func (plan *leverPlan) run(ctx context.Context) ([]LeverEffect, error) {
	if err := plan.simulate(ctx); err != nil {
		return nil, err
	}
	out := make([]LeverEffect, len(plan.levers))
	for i, lever := range plan.levers {
		row, err := sim.Lookup(lever.Parameter)
		if err != nil {
			return nil, err
		}
		control, treatment := plan.pairs[i][0], plan.pairs[i][1]
		out[i] = lever.judge(plan.series(control), plan.series(treatment))
		out[i].Row = row
		out[i].From, out[i].To = row.Value(&control.params), row.Value(&treatment.params)
		out[i].Apart = control.experiment != treatment.experiment || len(sim.DiffNotLive(control.params, treatment.params)) > 0
	}
	return out, nil
}

// arms are the parameters of control and treatment.
func (l Lever) arms(base sim.Params) (control, treatment sim.Params, err error) {
	control = base
	control.NumIterations = l.Months.To
	for _, change := range l.Context {
		if err := control.Set(change.Name, change.Value); err != nil {
			return control, treatment, err
		}
	}
	treatment = control
	to := l.To
	if l.Times != 0 {
		value, err := control.Get(l.Parameter)
		if err != nil {
			return control, treatment, err
		}
		switch value := value.(type) {
		case float64:
			to = value * l.Times
		case int:
			to = math.Round(float64(value) * l.Times)
		}
	}
	if err := treatment.Set(l.Parameter, to); err != nil {
		return control, treatment, err
	}
	if err := control.Validate(); err != nil {
		return control, treatment, err
	}
	return control, treatment, treatment.Validate()
}

// side is the arm of the plan with parameters p, on a number of seeds.
func (plan *leverPlan) side(p sim.Params, replications int) leverSide {
	months := p.NumIterations
	same := p
	same.NumIterations = sim.Defaults().NumIterations
	s := scenario.New("", same)
	key := fmt.Sprint(s.Hash(), replications)
	side, ok := plan.known[key]
	if !ok {
		side.experiment = slices.IndexFunc(plan.experiments, func(x run.Simulation) bool {
			first := x.Arms[0].Scenario.Params
			return first.RandomState == p.RandomState && first.BurnInMonths == p.BurnInMonths && len(x.Seeds) == replications
		})
		if side.experiment < 0 {
			side.experiment = len(plan.experiments)
			plan.experiments = append(plan.experiments, run.Simulation{
				Seeds: run.Seeds(uint64(p.RandomState), replications), Threads: p.MaxConcurrentTasks, Cache: plan.Cache,
			})
		}
		x := &plan.experiments[side.experiment]
		side.arm = len(x.Arms)
		s.Name = fmt.Sprintf("economy %d.%d", side.experiment+1, side.arm+1)
		x.Arms = append(x.Arms, run.Arm{Name: s.Name, Scenario: s})
		plan.known[key] = side
	}
	x := &plan.experiments[side.experiment]
	arm := &x.Arms[side.arm]
	arm.Months = max(arm.Months, months)
	x.Months = max(x.Months, months)
	side.params = p
	return side
}

// simulate runs all experiments of the plan, one after the other.
func (plan *leverPlan) simulate(ctx context.Context) error {
	done, of := 0, 0
	for _, x := range plan.experiments {
		if _, err := x.Checked(); err != nil {
			return err
		}
		of += x.TotalMonths()
	}
	for _, x := range plan.experiments {
		before := done
		done += x.TotalMonths()
		if plan.Progress != nil {
			x.Progress = func(p run.Progress) {
				p.Done, p.Of = before+p.Done, of
				plan.Progress(p)
			}
		}
		panel := make([][]leverSeries, len(x.Arms))
		for arm := range panel {
			panel[arm] = make([]leverSeries, len(x.Seeds))
		}
		x.Observe = func(arm, replication int, e *sim.Economy) error {
			panel[arm][replication].add(e.Latest())
			return nil
		}
		if _, err := x.Run(ctx); err != nil {
			return err
		}
		plan.panels = append(plan.panels, panel)
	}
	return nil
}

func (s *leverSeries) add(r *sim.Record) {
	for i := range sim.NumIndicators {
		s[i] = append(s[i], r.Value(i))
	}
	s[sim.Deficit] = append(s[sim.Deficit], r.Value(sim.Deficit)) // for windows of deficit_to_gdp
	for i, further := range furtherOutcomes {
		s[int(sim.NumOutcomes)+i] = append(s[int(sim.NumOutcomes)+i], further.value(r))
	}
}

// series of one side, a set per replication, cut to the side's own months.
func (plan *leverPlan) series(side leverSide) []leverSeries {
	all := slices.Clone(plan.panels[side.experiment][side.arm])
	for r := range all {
		for i := range all[r] {
			all[r][i] = all[r][i][:min(side.params.NumIterations, len(all[r][i]))]
		}
	}
	return all
}

// judge compares the two sides of a lever.
func (l Lever) judge(control, treatment []leverSeries) LeverEffect {
	out := LeverEffect{Lever: l, Dead: true}
	for r := range control {
		if !sameBits(&control[r], &treatment[r]) {
			out.Dead = false
		}
	}
	out.Effects = inference.Effects(
		l.Parameter, indicators(control), indicators(treatment), l.Months.From, l.Months.To, tables.DefaultConfidence,
	)
	for _, e := range out.Effects {
		if e.Difference != 0 || e.CIHigh > e.CILow {
			out.Measured++
		}
		if e.CILow > 0 || e.CIHigh < 0 {
			out.Moved++
		}
	}
	for _, expected := range l.Expect {
		effect := l.effect(expected.Outcome, control, treatment)
		out.Checks = append(out.Checks, Check{expected, effect, signVerdict(expected.Sign, effect)})
	}
	if l.Band != nil {
		out.Multiplier = l.multiplier(control, treatment)
		out.MultiplierVerdict = bandVerdict(*l.Band, out.Multiplier)
	}
	return out
}

// sameBits reports whether two simulations had the same outcomes; NaN equals
// NaN.
func sameBits(a, b *leverSeries) bool {
	for i := range a {
		if !slices.EqualFunc(a[i], b[i], func(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }) {
			return false
		}
	}
	return true
}

func indicators(series []leverSeries) tables.Panel {
	panel := make(tables.Panel, len(series))
	for r := range series {
		panel[r] = (*[sim.NumOutcomes][]float64)(series[r][:sim.NumOutcomes])
	}
	return panel
}

// effect on one outcome, of the means over the window.
func (l Lever) effect(i sim.Indicator, control, treatment []leverSeries) inference.Effect {
	a, b := stats.DefinedPairs(l.means(i, control), l.means(i, treatment))
	e := inference.PairedEffect(a, b, tables.DefaultConfidence)
	e.Arm = l.Parameter
	e.Metric, e.Unit = outcomeInfo(i)
	if strings.HasPrefix(e.Unit, "share") {
		e.Percent = math.NaN()
	}
	return e
}

// means are those of an outcome over the window, by replication.
func (l Lever) means(i sim.Indicator, runs []leverSeries) []float64 {
	if i < sim.NumOutcomes {
		return indicators(runs).WindowMeans(i, l.Months.From, l.Months.To)
	}
	out := make([]float64, len(runs)) // of what is measured beside outcomes
	for r := range runs {
		out[r] = tables.WindowMean(runs[r][i], l.Months.From, l.Months.To)
	}
	return out
}

// multiplier is the change of real GDP per unit of real government purchases: the ratio of the mean changes.
func (l Lever) multiplier(control, treatment []leverSeries) inference.Effect {
	gdp := stats.Differences(l.means(sim.RealGDP, control), l.means(sim.RealGDP, treatment))
	purchases := stats.Differences(l.means(RealPurchases, control), l.means(RealPurchases, treatment))
	if stats.Mean(purchases) < 0 { // so that the ratio less 1 is what Relative has
		none := make([]float64, len(gdp))
		gdp, purchases = stats.Differences(gdp, none), stats.Differences(purchases, none)
	}
	x, y := stats.Relative(purchases, gdp)
	iv := stats.PairedInterval(x, y, tables.DefaultConfidence)
	return inference.Effect{
		Arm: l.Parameter, Metric: "multiplier", Unit: "real_gdp per unit of real_purchases", Control: math.NaN(), Treatment: math.NaN(),
		Difference: 1 + iv.Mean, Percent: math.NaN(), CILow: 1 + iv.Low, CIHigh: 1 + iv.High, N: iv.N,
	}
}

func signVerdict(sign Sign, e inference.Effect) string {
	low, high := e.CILow, e.CIHigh
	if sign == Falls {
		low, high = -high, -low
	}
	switch {
	case math.IsNaN(low):
		return VerdictNotComputed
	case low > 0:
		return VerdictExpected
	case high < 0:
		return VerdictOtherwise
	}
	return VerdictInconclusive
}

// bandVerdict asks whether the whole interval lies in the band.
func bandVerdict(band Band, e inference.Effect) string {
	switch {
	case math.IsNaN(e.CILow):
		return VerdictNotComputed
	case band.Low <= e.CILow && e.CIHigh <= band.High:
		return VerdictExpected
	case e.CIHigh < band.Low || band.High < e.CILow:
		return VerdictOtherwise
	}
	return VerdictInconclusive
}

// LeversFor are the documented settings of the named parameters, of all where
// none is named, in the order of the catalogue.
func LeversFor(names []string) ([]Lever, error) {
	order := make(map[string]int)
	for i, row := range sim.Catalogue() {
		order[row.Name] = i
	}
	var out []Lever
	for _, name := range names {
		row, err := sim.Lookup(name)
		if err != nil {
			return nil, err
		}
		if row.Technical {
			return nil, fault.New(fault.Conflict, name, "%s is technical: it changes no result", name).WithHint("choose another parameter")
		}
	}
	for _, lever := range Levers() {
		if len(names) == 0 || slices.Contains(names, lever.Parameter) {
			out = append(out, lever)
		}
	}
	slices.SortStableFunc(out, func(a, b Lever) int { return cmp.Compare(order[a.Parameter], order[b.Parameter]) })
	return out, nil
}
