package sim

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"econ-mcp/internal/fault"
)

var (
	soakRuns = flag.Int("soak", 100, "combinations of parameters and interventions that TestSoak runs")
	soakSeed = flag.Int("soak-seed", -1, "the one combination that TestSoak repeats")
)

const (
	soakMonths = 60
	soakDraws  = 1 << 20 // a purpose of its own for each of a combination's draws
)

// soakCase is one combination: parameters from all over their hard ranges, of
// which the live ones may come into force only when the burn-in has ended, and
// a plan of interventions.
type soakCase struct {
	burnIn, params Params
	plan           []Intervention
}

// somewhere draws a value of a parameter: often an end of its hard range, else
// any point of it or one near the default.
func somewhere(row Parameter, draws draws, n int) any {
	u, v := draws.uniform(n, 0), draws.uniform(n, 1)
	switch row.Type {
	case TypeBoolean:
		return v < .5
	case TypeChoice:
		return row.Choices[draws.below(n, 1, len(row.Choices))]
	case TypeSchedule:
		return string(anyRates(row, draws, n))
	}
	x := row.Min + float64(v*(row.Max-row.Min))
	switch {
	case u < .25:
		x = row.Min
	case u < .5:
		x = row.Max
	case u < .75:
		if d, ok := row.Default.(int); ok {
			x = 2 * v * float64(d)
		} else {
			x = 2 * v * row.Default.(float64)
		}
	}
	x = clip(x, row.Min, row.Max)
	if row.Type == TypeInteger {
		return int(math.Round(x))
	}
	return x
}

// anyRates draws up to four rates.
func anyRates(row Parameter, draws draws, n int) RateTable {
	var rates []Rate
	for k := range draws.below(n, 2, 5) {
		r := Rate{Key: float64(1 + draws.below(n, 3+k, MaxIndustries)), Rate: row.Min + float64(draws.uniform(n, 8+k)*(row.Max-row.Min))}
		if draws.uniform(n, 16+k) < .5 {
			r.Rate = []float64{row.Min, row.Max}[draws.below(n, 24+k, 2)]
		}
		if row.Keys == KeysThreshold {
			r.Key = .25 * (r.Key - 1)
		}
		if !slices.ContainsFunc(rates, func(other Rate) bool { return other.Key == r.Key }) {
			rates = append(rates, r)
		}
	}
	return canonical(rates, row.Keys)
}

// drawAction draws what an intervention that is no change of parameters does.
func drawAction(v *Intervention, draws draws, i int) {
	between := func(pack Package, n int) float64 {
		if u := draws.uniform(i, n); u < .4 {
			return []float64{pack.Min, pack.Max}[draws.below(i, n+1, 2)]
		}
		return pack.Min + float64(draws.uniform(i, n+2)*(pack.Max-pack.Min))
	}
	switch v.Type {
	case TypePolicy:
		pack := policyTable[draws.below(i, 40, len(policyTable))]
		v.Policy = PolicyChange{pack.ID, between(pack, 41)}
	case TypeShock:
		pack := shockTable[draws.below(i, 40, len(shockTable))]
		v.Shock = Shock{Shock: pack.ID, Size: between(pack, 41), Persistence: draws.uniform(i, 44)}
		if pack.Industry {
			v.Shock.Industry = industryTable[draws.below(i, 45, MaxIndustries)].Code
		}
	case TypeInjection:
		groups := append([]string{"industry:03", "industry:12"}, InjectionGroups...)
		v.Injection = Injection{groups[draws.below(i, 40, len(groups))], math.Pow(10, 5*draws.uniform(i, 41))}
	}
}

// drawSoak returns a combination, which is valid: of changes that do not go
// together, the later is left out.
func drawSoak(seed int) soakCase {
	draws := newDraws(uint64(seed), 0, soakDraws)
	p := Defaults()
	p.NumHouseholds = 300 + draws.below(0, 0, 1201)
	p.HouseholdsPerFirm, p.MinPerCat = 6, 1
	p.BurnInMonths, p.NumIterations = draws.below(0, 1, 25), soakMonths
	p.RandomState = seed
	changed := []float64{.02, .1, .3, 1}[draws.below(0, 2, 4)]
	choice, value, order := newDraws(uint64(seed), 0, soakDraws+1), newDraws(uint64(seed), 0, soakDraws+2), newDraws(uint64(seed), 0,
		soakDraws+3)
	rows := Catalogue()
	turn := func(row Parameter) uint64 { return order.bits(placeOf(row), 0) }
	slices.SortFunc(rows, func(a, b Parameter) int {
		if turn(a) < turn(b) {
			return -1
		}
		return 1
	})
	for _, row := range rows {
		n := placeOf(row)
		switch row.Name {
		case "num_households", "num_iterations", "burn_in_months", "random_state":
			continue
		}
		if row.Technical || choice.uniform(n, 0) >= changed {
			continue
		}
		old := row.Value(&p)
		row.store(&p, somewhere(row, value, n))
		if p.Validate() != nil {
			row.store(&p, old)
		}
	}
	c := soakCase{burnIn: p, params: p, plan: drawPlan(seed)}
	if draws.uniform(0, 3) < .5 {
		for _, row := range rows {
			if row.Live {
				row.store(&c.burnIn, row.Default)
			}
		}
	}
	return c
}

// placeOf is a parameter's place in the catalogue.
func placeOf(row Parameter) int { return slices.Index(ParameterNames(), row.Name) }

func drawPlan(seed int) (plan []Intervention) {
	var live []Parameter
	for _, row := range Catalogue() {
		if row.Live && row.Name != "confidence_shock" {
			live = append(live, row)
		}
	}
	draws := newDraws(uint64(seed), 0, soakDraws+4)
	for i := range draws.below(0, 0, 5) {
		v := Intervention{Type: TypeParameterChange, TargetMonth: 1 + draws.below(i, 1, soakMonths), DurationMonths: draws.below(i, 2, 31)}
		v.RampMonths = draws.below(i, 3, v.DurationMonths+1)
		if draws.uniform(i, 30) < .25 {
			v.When = []string{"unemployment_rate > 0.1", "inflation < 0 or month > 40",
				"real_gdp / nominal_gdp > 0.5"}[draws.below(i, 31, 3)]
		}
		if v.When != "" && draws.uniform(i, 34) < .5 {
			v.DurationMonths, v.RampMonths, v.Until = 0, min(1, v.RampMonths), "unemployment_rate < 0.04 or real_gdp / nominal_gdp < 0.9"
		}
		if draws.uniform(i, 32) < .5 {
			v.Type = InterventionTypes[1+draws.below(i, 33, 3)]
			drawAction(&v, draws, i)
			plan = append(plan, v)
			continue
		}
		for n := range 1 + draws.below(i, 4, 6) {
			row := live[draws.below(i, 5+n, len(live))]
			named := func(c ParameterChange) bool { return c.Name == row.Name }
			if !slices.ContainsFunc(v.Parameters, named) {
				v.Parameters = append(v.Parameters, ParameterChange{row.Name, somewhere(row, newDraws(uint64(seed), i, soakDraws+5), n)})
			}
		}
		plan = append(plan, v)
	}
	return plan
}

// String says in what a combination differs from the baseline.
func (c soakCase) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "burn-in of %d months", c.params.BurnInMonths)
	if c.burnIn != c.params {
		b.WriteString(" under the default policy")
	}
	for _, name := range Diff(Defaults(), c.params) {
		v, _ := c.params.Get(name)
		fmt.Fprintf(&b, " %s=%v", name, v)
	}
	for _, v := range c.plan {
		fmt.Fprintf(&b, "; %+v", v)
	}
	return b.String()
}

// live runs a combination for its months. The second half of some starts from a
// snapshot.
func (c soakCase) live(threads int, snapshot bool) (*Economy, error) {
	e, err := New(c.burnIn, threads)
	if err != nil {
		return nil, err
	}
	defer func() { e.Close() }()
	for month := -c.burnIn.BurnInMonths; month < soakMonths; month++ {
		if month == 0 {
			e.BeginExperiment()
			if err := errors.Join(e.SetParams(c.params), e.Plan(c.plan)); err != nil {
				return nil, err
			}
		}
		if snapshot && month == soakMonths/2 {
			var stored bytes.Buffer
			if err := e.WriteSnapshot(&stored); err != nil {
				return nil, err
			}
			e.Close()
			if e, err = ReadSnapshot(&stored, threads); err != nil {
				return nil, err
			}
		}
		if err := e.Step(); err != nil {
			return nil, err
		}
		if err := errors.Join(e.sound(), e.unbalanced()); err != nil {
			return nil, fmt.Errorf("month %d: %w", e.Month(), err)
		}
	}
	return e, nil
}

// mayBeNegative are columns whose numbers are not amounts. A mark-up is implied by
// price and unit cost, until the next time that prices are set; the age of a row
// without a firm is below zero.
var mayBeNegative = []string{"firms.earnings", "firms.edge", "firms.taste", "firms.tasteTarget", "firms.premium", "households.employer", "shocks", "firms.supplier", "firms.markUp", "firms.age"}

// sound looks at what a month hands to the next and at what was made, sold and
// earned: numbers that are finite, and not below zero where they are amounts.
func (e *Economy) sound() error {
	flows := []section{{"firms.output", e.f.output}, {"firms.revenue", e.f.revenue}, {"firms.demand", e.f.demand},
		{"households.income", e.h.income}}
	for k, x := range e.record.Values {
		if low, high := Indicator(k).Range(); e.experimentMonth() > 0 && (x < low || x > high+1e-12) {
			return fmt.Errorf("%s = %g lies outside of %s", Indicator(k), x, rangeText(low, high, false))
		}
	}
	for _, c := range append(e.sections(), flows...) {
		signed := slices.Contains(mayBeNegative, c.name) ||
			e.p.OverdraftMonths > 0 && (c.name == "households.deposits" || c.name == "households.income")
		row, value := -1, 0.0
		switch x := c.data.(type) {
		case []float64:
			row = slices.IndexFunc(x, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) || v < 0 && !signed })
			value = at(x, row)
		case []int64:
			row = slices.IndexFunc(x, func(v int64) bool { return v < 0 && !signed })
			value = at(x, row)
		case []int32:
			row = slices.IndexFunc(x, func(v int32) bool { return v < 0 && !signed })
			value = at(x, row)
		case []int16:
			row = slices.IndexFunc(x, func(v int16) bool { return v < 0 && !signed })
			value = at(x, row)
		}
		if row >= 0 {
			return fmt.Errorf("%s, row %d: %v", c.name, row, value)
		}
	}
	return nil
}

func at[T float64 | int64 | int32 | int16](x []T, row int) float64 {
	if row < 0 {
		return 0
	}
	return float64(x[row])
}

// outgrown says whether a run ended because its prices no longer fit into the
// program, the documented end of a hyperinflation.
func outgrown(err error) bool {
	return fault.KindOf(err) == fault.LimitExceeded
}

// Whatever valid parameters and interventions someone combines, the books
// balance, amounts are finite and not negative, and nothing panics. The only
// other end of a run is the message that its money has outgrown the program.
func TestSoak(t *testing.T) {
	first, last := 0, *soakRuns
	if testing.Short() {
		last = min(last, 16)
	}
	if *soakSeed >= 0 {
		first, last = *soakSeed, *soakSeed+1
	}
	var ended atomic.Int64
	t.Cleanup(func() {
		t.Logf("%d combinations, of which %d outgrew the program", last-first, ended.Load())
		if most := max(2, int64(last-first)/10); ended.Load() > most {
			t.Errorf("more than %d outgrew it", most)
		}
	})
	for seed := first; seed < last; seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			c := drawSoak(seed)
			fail := func(format string, args ...any) {
				t.Errorf(format+"\nto repeat: go test ./sim -run TestSoak -soak-seed %d\n%v", append(args, seed, c)...)
			}
			defer func() {
				if r := recover(); r != nil {
					fail("panic: %v\n%s", r, debug.Stack())
				}
			}()
			e, err := c.live(1, false)
			if outgrown(err) {
				ended.Add(1)
				if *soakSeed >= 0 {
					t.Log(err, c)
				}
				return
			}
			if err != nil {
				fail("%v", err)
				return
			}
			if seed%8 == 0 {
				again, err := c.live(3, true)
				if err != nil || again.StateHash() != e.StateHash() {
					fail("other bits on three threads and from a snapshot: %v", err)
				}
			}
		})
	}
}

// The soak knows the message that it takes for an end, and no other.
func TestOutgrown(t *testing.T) {
	e := mustNew(t, thousand(), 1)
	e.m.Debt = 1 << 61
	if err := e.Step(); !outgrown(err) {
		t.Errorf("money beyond 64 bits ends with %v", err)
	}
	e = mustNew(t, thousand(), 1)
	e.h.deposits[0]++
	if err := e.Step(); err == nil || outgrown(err) {
		t.Errorf("a subunit from nowhere ends with %v", err)
	}
}
