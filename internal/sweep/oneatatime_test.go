package sweep_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/sweep"
)

// alone has factors whose base is the inquiry's, the scenario's, the factor's own, and none of the values.
const alone = asked + `factors:
  arms.vat.events[0].set.vat_rate: {from: 5%, to: 25%}
  wage_adjustment_rate: {values: [0.2, 0.05]}
  arms.vat.events[0].ramp: {values: [2, 3], base: 1}
  consumption_habit: {from: 0.5, to: 0.9, base: 0.6}
design: {kind: one_at_a_time, levels: 3}
`

func TestOneAtATimePoints(t *testing.T) {
	p := plan(t, alone)
	defaults, err := builtIn{}.Scenario("baseline")
	if err != nil {
		t.Fatal(err)
	}
	wage := defaults.Params.WageAdjustmentRate
	want := [][]float64{
		{.1, wage, 1, .6}, {.05, wage, 1, .6}, {.15, wage, 1, .6}, {.25, wage, 1, .6}, {.1, .2, 1, .6}, {.1, .05, 1, .6}, {.1, wage, 2, .6},
		{.1, wage, 3, .6}, {.1, wage, 1, .5}, {.1, wage, 1, .7}, {.1, wage, 1, .9},
	}
	if len(p.Values) != len(want) || p.Design.Size() != float64(len(want)) {
		t.Fatalf("%v, size %v, want %v", p.Values, p.Design.Size(), want)
	}
	for k, row := range want {
		for j, x := range row {
			if math.Abs(p.Values[k][j]-x) > 1e-12 {
				t.Errorf("point %d, factor %d: %v, want %v", k+1, j, p.Values[k][j], x)
			}
		}
	}
	again, err := sweep.Read(p.Design.Encode(), nil, nil)
	if err != nil || again.Hash() != p.Design.Hash() || !reflect.DeepEqual(again.Factors, p.Design.Factors) {
		t.Errorf("%v\n%s", err, p.Design.Encode())
	}
	if other := plan(t, strings.Replace(alone, "base: 0.6", "base: 0.7", 1)); other.Hash == p.Hash {
		t.Error("another base, and the same hash")
	}
	// The base counts once, also where it is a value, whichever way its digits were made.
	shared := plan(t, asked+"factors:\n  arms.vat.events[0].set.vat_rate: {from: 2%, to: 18%}\ndesign: {kind: one_at_a_time}\n")
	if len(shared.Values) != 5 || shared.Design.Size() != 6 {
		t.Errorf("%d points of at most %v: %v", len(shared.Values), shared.Design.Size(), shared.Values)
	}
	// A preset's number where it is the background, an arm's where the arm has it.
	of := plan(t, strings.Replace(asked, "  arms: {vat: ", "  arms: {high: {preset: high_tax}, vat: ", 1)+
		"factors: {arms.high.set.vat_rate: {values: [5%, 6%]}, vat_rate: {values: [5%, 6%]}}\ndesign: {kind: one_at_a_time}\n")
	high, err := builtIn{}.Scenario("high_tax")
	if err != nil {
		t.Fatal(err)
	}
	if b := of.Values[0]; b[0] != high.Params.VATRate || b[1] != defaults.Params.VATRate {
		t.Errorf("base %v, want %v and %v", b, high.Params.VATRate, defaults.Params.VATRate)
	}
}

func TestOneAtATimeThatCannotBe(t *testing.T) {
	for name, c := range map[string]struct{ text, message string }{
		"a base elsewhere": {asked + "factors: {vat_rate: {from: 5%, to: 20%, base: 8%}}\ndesign: {kind: sobol, points: 4}\n",
			"sobol has no base point, and vat_rate is given a base"},
		"a base outside": {asked + "factors: {vat_rate: {from: 5%, to: 20%, base: 800%}}\ndesign: {kind: one_at_a_time}\n", "allowed 0 to 0.6"},
		"one level":      {asked + "factors: {vat_rate: {from: 5%, to: 20%}}\ndesign: {kind: one_at_a_time, levels: 1}\n", "2 or more"},
		"a base as text": {asked + "factors: {vat_rate: {from: 5%, to: 20%, base: high}}\ndesign: {kind: one_at_a_time}\n", "vat_rate"},
	} {
		if _, err := sweep.Read([]byte(c.text), nil, nil); err == nil || !strings.Contains(err.Error(), c.message) {
			t.Errorf("%s: %v, want %s", name, err, c.message)
		}
	}
	d, err := sweep.Read([]byte(asked+"factors:\n  arms.vat.events[0].ramp: {from: 1, to: 3}\ndesign: {kind: one_at_a_time}\n"), nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sweep.NewPlan(t.Context(), d, builtIn{}); fault.KindOf(err) != fault.Required ||
		!strings.Contains(err.Error(), "write its base") {
		t.Errorf("a time that nobody wrote: %v", err)
	}
}

// The curve of the tax falls, that of what nothing asks for is level to the bit, because all points share their draws.
func TestOneAtATimeFinds(t *testing.T) {
	text := strings.Replace(asked, "{set: {vat_rate: 10%}, from: 1}", "{set: {vat_rate: 10%, robot_tax_rate: 0.1}, from: 1}", 1) + `factors:
  arms.vat.events[0].set.vat_rate: {from: 5%, to: 25%}
  arms.vat.events[0].set.robot_tax_rate: {values: [0, 0.5]}
design: {kind: one_at_a_time}
`
	p, folder := plan(t, text), t.TempDir()
	work(t, p, folder, sweep.Shard{I: 1, N: 1}, 2)
	r := results(t, p, folder)
	found, err := p.Analyse(r)
	if err != nil {
		t.Fatal(err)
	}
	s := found[0]
	tax, nothing := s.Factors[0], s.Factors[1]
	if s.Method != "one_at_a_time" || len(tax.Curve) != 5 || len(nothing.Curve) != 3 {
		t.Fatalf("%+v", s)
	}
	for k, c := range tax.Curve {
		if k > 0 && !(c.Value < tax.Curve[k-1].Value && c.At > tax.Curve[k-1].At) || !(c.Low < c.Value && c.Value < c.High) {
			t.Errorf("consumption does not fall from %+v to %+v", tax.Curve[max(k-1, 0)], c)
		}
		if c.Base != (c.At == .1) || c.Base != (c.Change == 0) || c.Base != math.IsNaN(float64(c.ChangeLow)) ||
			!c.Base && !(c.ChangeLow < c.Change && c.Change < c.ChangeHigh) {
			t.Errorf("%+v", c)
		}
	}
	if swing := tax.Swing; math.Abs(float64(swing.Value-(tax.Curve[0].Value-tax.Curve[4].Value))) > 1e-12 || !(swing.Low < swing.Value) {
		t.Errorf("swing %+v", swing)
	}
	// What never differs has no interval.
	if nothing.Swing.Value != 0 || !math.IsNaN(float64(nothing.Swing.High)) || tax.Elasticity != nil || s.Flip != nil {
		t.Errorf("%+v, swing %+v, elasticity %v, flip %v", nothing, nothing.Swing, tax.Elasticity, s.Flip)
	}

	// Of a level, the elasticity is the slope of the logs around the base.
	levels := plan(t, strings.NewReplacer("  arms: {vat: {events: [{set: {vat_rate: 10%}, from: 1}]}}\n", "").Replace(asked)+
		"factors: {vat_rate: {values: [7%, 9%], base: 8%}}\ndesign: {kind: one_at_a_time}\n")
	work(t, levels, folder, sweep.Shard{I: 1, N: 1}, 2)
	of, err := levels.Analyse(results(t, levels, folder))
	if err != nil {
		t.Fatal(err)
	}
	f := of[0].Factors[0]
	want := math.Log(float64(f.Curve[2].Value/f.Curve[0].Value)) / math.Log(.09/.07)
	if f.Elasticity == nil || math.Abs(float64(*f.Elasticity)-want) > 1e-12 || *f.Elasticity == stats.Number(0) {
		t.Errorf("elasticity %v, want %v", f.Elasticity, want)
	}
}
