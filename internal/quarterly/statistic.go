package quarterly

import (
	"fmt"
	"math"
	"slices"

	"econ-mcp/internal/stats"
)

// hpLambda is Hodrick and Prescott's (1997) for quarters.
const hpLambda = 1600

// Mean lengths of blocks of the bootstrap, in rows: of quarters, of quarters where recessions are dated (they
// come less than once in five years), of years.
const (
	block       = 16
	recessions  = 32
	annualBlock = 4
)

// Statistic is one number that quarters say.
type Statistic struct {
	Name    string
	HeldOut bool // it rests on a variable that is not looked at while a model is estimated
	AtModel bool // it is of output with its growth replaced by that of a model
	columns [][]float64
	of      func(columns [][]float64) float64
	block   int
}

// Value is the statistic over all quarters; NaN where data are too short or do not vary.
func (s *Statistic) Value() float64 { return s.of(s.columns) }

// sample builds statistics of data.
type sample struct {
	d      *Data
	held   []Variable
	cycles []named // the cyclical parts of all variables that have one, output first
	list   []Statistic
}

// Statistics are those that data have variables for. Output is dated once more with its mean growth replaced
// by growth, in logs a year (so that economies of other growth are comparable); what rests on a variable of held
// is marked.
func (d *Data) Statistics(growth float64, held []Variable) []Statistic {
	s := &sample{d: d, held: held}
	s.filter()
	s.volatility()
	s.persistence()
	s.comovement()
	s.growth()
	s.phases(growth)
	s.labour()
	s.prices()
	s.shares()
	return s.list
}

// level is a variable as it is; nil where it is not measured.
func (s *sample) level(v Variable) []float64 { return s.d.Values[v] }

// logs are those of a variable; nil where it is not measured.
func (s *sample) logs(v Variable) []float64 {
	if s.d.Values[v] == nil {
		return nil
	}
	return stats.Logs(s.d.Values[v])
}

// cycle is what the HP filter leaves of the quarters that have values.
func cycle(x []float64) []float64 {
	from, to := inside(x)
	out := undefined(len(x))
	if to-from > 2 {
		_, c := stats.HPFilter(x[from:to], hpLambda)
		copy(out[from:to], c)
	}
	return out
}

// inside are the first quarter with a value, and the one after the last.
func inside(x []float64) (from, to int) {
	is := func(v float64) bool { return !math.IsNaN(v) }
	from = slices.IndexFunc(x, is)
	if from < 0 {
		return 0, 0
	}
	for to = len(x); !is(x[to-1]); to-- {
	}
	return from, to
}

func undefined(n int) []float64 { return slices.Repeat([]float64{math.NaN()}, n) }

// lead moves a series k quarters earlier: what comes later stands at t.
func lead(x []float64, k int) []float64 {
	out := undefined(len(x))
	for t := range x {
		if t+k >= 0 && t+k < len(x) {
			out[t] = x[t+k]
		}
	}
	return out
}

// plus, scaled and change are elementwise.
func plus(a, b []float64, weight float64) []float64 {
	out := undefined(len(a))
	for t := range min(len(a), len(b)) {
		out[t] = a[t] + weight*b[t]
	}
	return out
}

func scaled(x []float64, by float64) []float64 {
	out := slices.Clone(x)
	for t := range out {
		out[t] *= by
	}
	return out
}

// change is that over k quarters.
func change(x []float64, k int) []float64 { return plus(x, lead(x, -k), -1) }

// add has a statistic of columns whose rows are resampled together; rows in which a value is missing are
// dropped. There is none where a column is nil, or where no row is left.
func (s *sample) add(name string, heldOut bool, length int, of func(c [][]float64) float64, columns ...[]float64) {
	complete := make([][]float64, len(columns))
	for _, c := range columns {
		if c == nil {
			return
		}
	}
	for t := range columns[0] {
		if slices.ContainsFunc(columns, func(c []float64) bool { return t >= len(c) || math.IsNaN(c[t]) }) {
			continue
		}
		for k, c := range columns {
			complete[k] = append(complete[k], c[t])
		}
	}
	if len(complete[0]) > 0 {
		s.list = append(s.list, Statistic{Name: name, HeldOut: heldOut, columns: complete, of: of, block: length})
	}
}

// named is a series under its symbol.
type named struct {
	symbol  string
	x       []float64
	heldOut bool
}

// of is a variable under its symbol.
func (s *sample) of(v Variable, x []float64) named {
	return named{kinds[v].symbol, x, slices.Contains(s.held, v)}
}

// filter finds the cyclical parts of all variables that have one.
func (s *sample) filter() {
	add := func(n named, x []float64) {
		if x != nil {
			n.x = cycle(x)
			s.cycles = append(s.cycles, n)
		}
	}
	logs := func(variables ...Variable) {
		for _, v := range variables {
			add(s.of(v, nil), s.logs(v))
		}
	}
	logs(Output, Consumption, FixedInvestment, GrossInvestment, Government, Exports, Imports)
	add(s.of(Unemployment, nil), s.level(Unemployment))
	add(named{symbol: "logu"}, s.logs(Unemployment))
	logs(Hours, Employment)
	add(named{symbol: "prod"}, s.productivity())
	logs(OutputPerHour, RealWage, Loans, Money, Vacancies)
	add(named{symbol: "pi"}, s.inflation(Deflator))
	add(named{symbol: "picpi", heldOut: slices.Contains(s.held, ConsumerPrices)}, s.inflation(ConsumerPrices))
	for _, v := range []Variable{PolicyRate, Utilisation, InventoryInvestment} {
		add(s.of(v, nil), s.level(v))
	}
}

// productivity is output an employed person, in logs.
func (s *sample) productivity() []float64 {
	if y, n := s.logs(Output), s.logs(Employment); y != nil && n != nil {
		return plus(y, n, -1)
	}
	return nil
}

// inflation is four times the change of the log of a price index in a quarter.
func (s *sample) inflation(v Variable) []float64 {
	if p := s.logs(v); p != nil {
		return scaled(change(p, 1), 4)
	}
	return nil
}

// cycleOf is the cyclical part under a symbol; nil where there is none.
func (s *sample) cycleOf(symbol string) []float64 {
	for _, n := range s.cycles {
		if n.symbol == symbol {
			return n.x
		}
	}
	return nil
}

// volatility has standard deviations, relative to output's.
func (s *sample) volatility() {
	for _, n := range s.cycles {
		if n.symbol == "Y" {
			s.add("sd Y", n.heldOut, block, first(sd), n.x)
			continue
		}
		s.add(fmt.Sprintf("sd %s / sd Y", n.symbol), n.heldOut, block, quotient(sd), n.x, s.cycleOf("Y"))
	}
	s.add("sd log v / sd log u", false, block, quotient(sd), s.cycleOf("v"), s.cycleOf("logu"))
	s.add("corr(log v, log u)", false, block, correlation, s.cycleOf("v"), s.cycleOf("logu"))
}

// persistence has autocorrelations.
func (s *sample) persistence() {
	of := func(n named) {
		for _, lag := range []int{1, 2, 4} {
			if n.x != nil {
				s.add(fmt.Sprintf("autocorr %s %d", n.symbol, lag), n.heldOut, block, correlation, n.x, lead(n.x, lag))
			}
		}
	}
	for _, n := range s.cycles {
		switch n.symbol {
		case "Y", "C", "I", "u", "pi", "picpi", "wage", "prod", "rate":
			of(n)
		}
	}
	of(named{"raw_pi", s.inflation(Deflator), false})
	of(named{"raw_picpi", s.inflation(ConsumerPrices), false}) // its cycle alone is held out
}

// comovement has correlations with output, earlier and later.
func (s *sample) comovement() {
	y := s.cycleOf("Y")
	for _, n := range s.cycles {
		if n.symbol == "Y" || n.symbol == "logu" {
			continue
		}
		for _, k := range []int{-4, -2, 0, 2, 4} {
			s.add(fmt.Sprintf("corr(Y_t, %s_t%+d)", n.symbol, k), n.heldOut, block, correlation, y, lead(n.x, k))
		}
	}
}

// growth has the distribution of quarterly growth.
func (s *sample) growth() {
	for _, v := range []Variable{Output, Consumption, FixedInvestment} {
		x := s.logs(v)
		if x == nil {
			continue
		}
		n, name := s.of(v, change(x, 1)), "growth "+kinds[v].symbol
		s.add(name+" sd", n.heldOut, block, first(sd), n.x)
		s.add(name+" skew", n.heldOut, block, first(skewness), n.x)
		s.add(name+" kurtosis", n.heldOut, block, first(kurtosis), n.x)
		for _, lag := range []int{1, 2} {
			s.add(fmt.Sprintf("%s autocorr %d", name, lag), n.heldOut, block, correlation, n.x, lead(n.x, lag))
		}
		if v == Output {
			s.add(name+" EP shape", n.heldOut, block, first(ShapeEP), n.x)
			s.add(name+" mean a year", n.heldOut, block, func(c [][]float64) float64 { return 4 * stats.Mean(c[0]) }, n.x)
		}
	}
}

// phases dates recessions: of output, at another growth, around its linear trend, and an adult.
func (s *sample) phases(growth float64) {
	y := s.logs(Output)
	if y == nil {
		return
	}
	of := func(name string, dy []float64, drift func(dy []float64) float64) {
		for _, least := range []int{0, 5} {
			rule := ""
			if least > 0 {
				rule = fmt.Sprintf(" (cycle>=%dq)", least)
			}
			for _, part := range []struct {
				name string
				of   func(p Phases) float64
			}{
				{"rec50", func(p Phases) float64 { return p.Recessions }}, {"expdur", func(p Phases) float64 { return p.Expansion }},
				{"recdur", func(p Phases) float64 { return p.Recession }}, {"depth", func(p Phases) float64 { return p.Depth }},
				{"share", func(p Phases) float64 { return p.ShareOfRecession }},
			} {
				s.add(name+" "+part.name+rule, false, recessions, func(c [][]float64) float64 {
					return part.of(DatePhases(cumulated(c[0], drift(c[0])), least))
				}, dy)
			}
		}
	}
	dy := change(y, 1)
	of("BBQ", dy, func([]float64) float64 { return 0 })
	before := len(s.list)
	of("BBQ at model growth", dy, func(dy []float64) float64 { return growth/4 - stats.Mean(dy) })
	for i := before; i < len(s.list); i++ {
		s.list[i].AtModel = true
	}
	of("growth cycle (linear detrended)", dy, func(dy []float64) float64 { return -stats.Mean(dy) }) // the line through its ends
	if n := s.logs(Adults); n != nil {
		each := change(plus(y, n, -1), 1)
		of("BBQ per capita", each, func([]float64) float64 { return 0 })
		s.add("growth Y per capita a year", false, block, func(c [][]float64) float64 { return 4 * stats.Mean(c[0]) }, each)
	}
}

// GrowthPerAdult is the mean growth of output an adult, in logs a year; of output where adults are not measured;
// NaN without two quarters of it.
func (d *Data) GrowthPerAdult() float64 {
	s := &sample{d: d}
	y := s.logs(Output)
	if n := s.logs(Adults); y != nil && n != nil {
		y = plus(y, n, -1)
	}
	return meanGrowth(y)
}

// GrowthOfAdults is the mean growth of their number, in logs a year; 0 where they are not measured.
func (d *Data) GrowthOfAdults() float64 {
	if growth := meanGrowth((&sample{d: d}).logs(Adults)); !math.IsNaN(growth) {
		return growth
	}
	return 0
}

// meanGrowth of a series of logs by quarter, a year; NaN without two of them.
func meanGrowth(x []float64) float64 {
	from, to := inside(x)
	if to-from < 2 {
		return math.NaN()
	}
	return 4 * (x[to-1] - x[from]) / float64(to-1-from)
}

// Peopled are the quarters of an economy had its number of people grown faster by a constant rate, in logs a year: all
// amounts grow with it, and rates, prices and shares stay.
func (d *Data) Peopled(growth float64) *Data {
	grown := &Data{First: d.First, Values: d.Values}
	for _, v := range []Variable{Output, Consumption, FixedInvestment, GrossInvestment, Government, Exports, Imports, Hours,
		Employment, Adults, Loans, Money} {
		x := slices.Clone(d.Values[v])
		for q := range x {
			x[q] *= math.Exp(growth / 4 * float64(q))
		}
		grown.Values[v] = x
	}
	return grown
}

// cumulated are the levels of a series of changes, each with a drift added.
func cumulated(changes []float64, drift float64) []float64 {
	level := make([]float64, len(changes)+1)
	for t, x := range changes {
		level[t+1] = level[t] + x + drift
	}
	return level
}

// labour has unemployment and Okun's law.
func (s *sample) labour() {
	u, y := s.level(Unemployment), s.logs(Output)
	if u == nil {
		return
	}
	s.add("du skew", false, block, first(skewness), change(u, 1))
	s.add("du sd", false, block, first(sd), change(u, 1))
	s.add("du over 4 quarters skew", false, block, first(skewness), change(u, 4))
	s.add("u mean", false, block, first(stats.Mean), u)
	s.add("u sd (level)", false, block, first(sd), u)
	s.add("u skew (level)", false, block, first(skewness), u)
	if y == nil {
		return
	}
	du, dy := change(annual(u), 1), change(stats.Logs(annual(s.level(Output))), 1)
	s.add("Okun annual", false, annualBlock, slope, dy, du)
	half := func(below bool) func(c [][]float64) float64 {
		return func(c [][]float64) float64 {
			mean := stats.Mean(c[0])
			var x, z []float64
			for t, g := range c[0] {
				if (g < mean) == below {
					x, z = append(x, g), append(z, c[1][t])
				}
			}
			return stats.Slope(x, z)
		}
	}
	s.add("Okun annual, Y below mean growth", false, annualBlock, half(true), dy, du)
	s.add("Okun annual, Y above", false, annualBlock, half(false), dy, du)
	s.add("Okun HP (u on Y)", false, block, slope, s.cycleOf("Y"), s.cycleOf("u"))
}

// annual are means of four quarters each.
func annual(x []float64) []float64 {
	years := make([]float64, len(x)/4)
	for i := range years {
		years[i] = stats.Mean(x[4*i : 4*i+4])
	}
	return years
}

// prices has inflation, the policy rate and the Phillips curve.
func (s *sample) prices() {
	u := s.cycleOf("u")
	if pi := s.inflation(Deflator); pi != nil {
		if u != nil {
			before := plus(plus(lead(pi, -1), lead(pi, -2), 1), plus(lead(pi, -3), lead(pi, -4), 1), 1)
			s.add("Phillips: pi_t - mean pi_{t-1..t-4} on HP u_{t-1}", false, block, slope, lead(u, -1), plus(pi, before, -.25))
			yearly := change(s.logs(Deflator), 4)
			s.add("Phillips: 4q change of yearly pi on HP u_{t-4}", false, block, slope, lead(u, -4), change(yearly, 4))
			s.add("corr(HP u, HP deflator inflation)", false, block, correlation, u, s.cycleOf("pi"))
		}
		s.add("pi deflator mean", false, block, first(stats.Mean), pi)
		s.add("pi deflator sd", false, block, first(sd), pi)
	}
	if pi := s.inflation(ConsumerPrices); pi != nil {
		held := slices.Contains(s.held, ConsumerPrices)
		if u != nil {
			s.add("corr(HP u, HP CPI inflation)", held, block, correlation, u, s.cycleOf("picpi"))
		}
		s.add("pi CPI sd", held, block, first(sd), pi)
	}
	s.add("rate mean", false, block, first(stats.Mean), s.level(PolicyRate))
	s.add("rate sd", false, block, first(sd), s.level(PolicyRate))
}

// shares has the great ratios.
func (s *sample) shares() {
	for _, v := range []Variable{ConsumptionShare, InvestmentShare, GovernmentShare, ExportShare, ImportShare} {
		n := s.of(v, s.level(v))
		s.add("share "+n.symbol, n.heldOut, block, first(stats.Mean), n.x)
	}
}

// first is a statistic of the first column.
func first(of func(x []float64) float64) func(c [][]float64) float64 {
	return func(c [][]float64) float64 { return of(c[0]) }
}

// quotient is a statistic of the first column over that of the second.
func quotient(of func(x []float64) float64) func(c [][]float64) float64 {
	return func(c [][]float64) float64 { return of(c[0]) / of(c[1]) }
}

func correlation(c [][]float64) float64 { return stats.Correlation(c[0], c[1]) }

// slope is that of the second column on the first.
func slope(c [][]float64) float64 { return stats.Slope(c[0], c[1]) }
