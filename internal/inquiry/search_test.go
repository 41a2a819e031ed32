package inquiry_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

const (
	equal = `
arms:
  vat_cut: {events: [{set: {vat_rate: 3%}, for: 24}]}
  cheque: {events: [{pay: all, amount: 69, for: 24}], set: {corporate_tax_rate: 20%}}
equal_cost: {match: cheque, to: vat_cut, by: "events[0].amount", measure: gross, window: [1, 24]}
`
	found = `
find: {parameter: minimum_wage, within: [40%, 0.9], outcome: employment_rate, window: [1, 36], crosses: -0.5pp}
`
)

func TestEqualCost(t *testing.T) {
	q := mustDecode(t, equal)
	if q, err := inquiry.Decode([]byte(strings.Replace(equal, `"events[0].amount"`, "events.0.amount", 1))); err != nil ||
		q.EqualCost.By != "events[0].amount" {
		t.Errorf("written with dots: %+v, %v", q.EqualCost, err)
	}
	block := "equal_cost:\n  match: cheque\n  to: vat_cut\n  by: events[0].amount\n  measure: gross\n  window: [1, 24]\n"
	braces := `equal_cost: {match: cheque, to: vat_cut, by: "events[0].amount", measure: gross, window: [1, 24]}` + "\n"
	if q, err := inquiry.Decode([]byte(strings.Replace(equal, braces, block, 1))); err != nil || q.EqualCost.By != "events[0].amount" {
		t.Errorf("unquoted, without braces: %v", err)
	}
	_, err := inquiry.Decode([]byte(strings.Replace(equal, `"events[0].amount"`, "events[0].amount", 1)))
	if line := 1 + strings.Count(equal[:strings.Index(equal, "by: ")], "\n"); err == nil || err.Error() != fmt.Sprintf(
		`wrong_type: within braces, events[0].amount is not one value (line %d, column 46); put it in quotes: "events[0].amount"`, line) {
		t.Errorf("unquoted within braces: %v", err)
	}
	want := inquiry.EqualCost{Match: "cheque", To: "vat_cut", By: "events[0].amount", Measure: inquiry.Gross, Window: inquiry.Window{From: 1,
		To: 24}}
	if *q.EqualCost != want || !q.Searches() {
		t.Errorf("%+v", q.EqualCost)
	}
	control := mustScenarios(t, q)[0].Scenario.Params
	if said := q.Change(control, inquiry.English); !strings.Contains(said, "events[0].amount moved until it costs as much as vat_cut") {
		t.Errorf("%q tells an amount that is not that of the experiment", said)
	}
	if x, low, high, unit := q.Matched(); x != 69 || low != .001 || high != 1e6 || !strings.Contains(unit, "currency") {
		t.Errorf("%g from %g to %g %s", x, low, high, unit)
	}
	before := q.Hash(mustScenarios(t, q))
	s, err := q.WithMatched(mustScenarios(t, q)[2].Scenario, 71.5)
	if err != nil || s.Interventions[0].Injection.Amount != 71.5 || q.Hash(mustScenarios(t, q)) != before {
		t.Errorf("%v: with another amount %v; the inquiry itself may not change", err, s.Interventions)
	}
	for _, by := range []string{"set.corporate_tax_rate", "events[1].level", "events[2].set.vat_rate", "events[3].size"} {
		text := "arms: {a: {set: {corporate_tax_rate: 20%}, events: [{pay: all, amount: 9}, {policy: austerity, level: 5%}, {set: {vat_rate: 5%}}, " +
			"{shock: demand, size: -5%}], rules: [{when: inflation < 0, until: inflation > 1%, do: {pay: all, amount: 5}}]}, b: {preset: ubi}}\nequal_cost: {match: a, to: b, by: '" + by + "', window: [1, 9]}"
		q := mustDecode(t, "background: {events: [{shock: demand, size: -10%}]}\n"+text)
		x, low, high, _ := q.Matched()
		if !(low <= x && x <= high && low < high) || q.EqualCost.Measure != inquiry.Net {
			t.Errorf("%s: %g from %g to %g", by, x, low, high)
		}
		is := mustScenarios(t, q)[1].Scenario
		s, err := q.WithMatched(is, .973*x)
		written := fmt.Sprint(.973 * x)
		if err != nil || s.Hash() == is.Hash() || !strings.Contains(string(s.Encode()), written) || strings.Contains(string(is.Encode()),
			written) {
			t.Errorf("%s: %v, with %s\n%s", by, err, written, s.Encode())
		}
	}
}

// An arm costs nothing where it is as the control, if the number is all that it has.
func TestWithoutCost(t *testing.T) {
	control := sim.Defaults()
	for arm, want := range map[string]float64{
		"{events: [{pay: all, amount: 9}]}, events[0].amount": 0, "{events: [{policy: austerity, level: 5%}]}, events[0].level": 0,
		"{events: [{shock: demand, size: -5%}]}, events[0].size": 0, "{set: {vat_rate: 3%}}, set.vat_rate": control.VATRate,
		"{events: [{set: {vat_rate: 3%}, for: 9}]}, events[0].set.vat_rate":                       control.VATRate,
		"{events: [{set: {vat_rate: 3%, minimum_wage: 0.6}}]}, events[0].set.vat_rate":            -1,
		"{events: [{pay: all, amount: 9}], set: {corporate_tax_rate: 40%}}, events[0].amount":     -1,
		"{preset: ubi, events: [{pay: all, amount: 9}]}, events[0].amount":                        -1,
		"{events: [{pay: all, amount: 9}, {pay: unemployed, amount: 9}]}, events[0].amount":       -1,
		"{set: {vat_rate: 3%}, events: [{set: {vat_rate: 9%}, from: 5}]}, events[0].set.vat_rate": -1,
	} {
		at := strings.LastIndex(arm, ", ")
		what, by := arm[:at], arm[at+2:]
		q := mustDecode(t, "arms: {a: "+what+", b: {preset: ubi}}\nequal_cost: {match: a, to: b, by: '"+by+"', window: [1, 9]}")
		if x, ok := q.WithoutCost(control); ok != (want >= 0) || ok && x != want {
			t.Errorf("%s: %g, %t, want %g", arm, x, ok, want)
		}
	}
}

func TestFind(t *testing.T) {
	q := mustDecode(t, found)
	want := inquiry.Find{
		Parameter: "minimum_wage", Within: [2]float64{.4, .9}, Metric: sim.EmploymentRate, Against: "control",
		Window: inquiry.Window{From: 1, To: 36}, Crosses: -.005,
	}
	if !reflect.DeepEqual(*q.Find, want) || q.Outcomes[0].Metric != sim.EmploymentRate || !slices.Equal(q.Outcomes[0].Windows,
		[]inquiry.Window{want.Window}) {
		t.Errorf("%+v, outcomes %+v", q.Find, q.Outcomes)
	}
	arms := mustScenarios(t, q)
	var values []float64
	for _, a := range arms[1:] {
		values = append(values, a.Scenario.Params.MinimumWage)
	}
	if points := []float64{.4625, .5875, .7125, .8375, .4, .525, .65, .775, .9}; !slices.Equal(values, points) || arms[1].Name != "step_1" ||
		arms[5].Name != "point_0.4" {
		t.Errorf("arms of %v, want %v", values, points)
	}
	f := *q.Find
	f.Steps = []float64{.5875, .55625, .571875, .5796875}
	want4 := inquiry.Pair{Arm: "point_0.9", With: "control"} // of the bisection, nothing is tested
	if p := f.Points(); !slices.Equal(p[:4], f.Steps) || len(q.Compare) != inquiry.FindGrid || q.Compare[4] != want4 {
		t.Errorf("%v, compared %v", p, q.Compare)
	}
	// against an arm, of something that has no points, with an outcome that is named
	q = mustDecode(t, "arms: {a: {preset: ubi}}\noutcomes: [{metric: cpi}]\n"+
		"find: {parameter: vat_rate, within: [0, 20%], outcome: real_gdp, against: a, window: [2, 3], crosses: -1%}")
	if !q.Find.Relative || q.Find.Crosses != -.01 || q.Outcomes[0].Metric != sim.CPI || q.Compare[0].With != "control" ||
		q.Compare[1].With != "a" {
		t.Errorf("%+v %v", q.Find, q.Compare)
	}
}

func TestSearchRefused(t *testing.T) {
	change := func(text, from, to string) string { return strings.Replace(text, from, to, 1) }
	for _, c := range []struct {
		text  string
		kind  fault.Kind
		parts []string
	}{
		{"arms: {a: {doses: {parameter: vat_rate, values: [5%]}}, b: {preset: ubi}}\n" +
			"equal_cost: {match: a_0.05, to: b, by: set.vat_rate, window: [1, 9]}", fault.Conflict, []string{"whose value is given"}},
		{change(equal, "to: vat_cut", "to: cheque"), fault.Conflict, []string{"as much as itself", "line 5"}},
		{change(equal, "to: vat_cut", "to: vat"), fault.NotFound, []string{`"vat_cut"`}},
		{change(equal, "to: vat_cut", "to: control"), fault.NotFound, []string{`"control"`}},
		{change(equal, "match: cheque", "match: check"), fault.NotFound, []string{`"check"`, "vat_cut, cheque"}},
		{change(equal, "events[0].amount", "events[1].amount"), fault.NotFound, []string{"leads nowhere", "1 event"}},
		{change(equal, "events[0].amount", "events[0].level"), fault.NotFound, []string{"does not lead to a number"}},
		{change(equal, "events[0].amount", "set.vat_rate"), fault.NotFound, []string{"does not lead to a number"}},
		{change(equal, "events[0].amount", "amount"), fault.OutOfRange, []string{"events[0].amount"}},
		{change(change(equal, "set: {corporate_tax_rate", "set: {public_debt_abroad"), "events[0].amount", "set.public_debt_abroad"),
			fault.Conflict,
			[]string{"cannot change while", "line 5"}},
		{change(equal, "gross", "gros"), fault.OutOfRange, []string{"net", "gross"}},
		{change(equal, ", window: [1, 24]}", ", window: [1, 61]}"), fault.OutOfRange, []string{"the months are 1 to 60", "line 5"}},
		{change(equal, ", window: [1, 24]", ""), fault.Required, []string{"window"}},
		{change(equal, "amount: 69", "amount: 69, from: 25"), fault.Conflict, []string{"begins in month 25"}},
		{change(equal, "set: {corporate_tax_rate: 20%}", "doses: {parameter: minimum_wage, values: [50%]}"), fault.NotFound,
			[]string{"cheque_0.5"}},
		{change(equal, "match: cheque, to", "match: cheque_0.5, to") + "\n", fault.NotFound, []string{"cheque"}},
		{equal + "control: none", fault.Conflict, []string{"there is none"}},
		{equal + found, fault.Conflict, []string{"one number"}},
		{change(found, "minimum_wage", "minimum_wages"), fault.UnknownParameter, []string{"minimum_wage"}},
		{change(found, "minimum_wage", "benefit_months"), fault.WrongType, []string{"integer", "doses"}},
		{change(found, "minimum_wage", "policy_rate_rule"), fault.WrongType, []string{"doses"}},
		{change(found, "minimum_wage, within: [40%, 0.9]", "public_debt_abroad, within: [1, 2]"), fault.Conflict, []string{"cannot change"}},
		{change(found, "0.9]", "400%]"), fault.OutOfRange, []string{"line 2"}},
		{change(found, "0.9]", "0.3]"), fault.OutOfRange, []string{"the lower one first"}},
		{change(found, "0.9]", "0.4000001]"), fault.OutOfRange, []string{"room between them"}},
		{change(found, "[40%, 0.9]", "40%"), fault.WrongType, []string{"two values"}},
		{change(found, "employment_rate", "employment"), fault.NotFound, []string{"employment_rate"}},
		{change(found, "employment_rate", "tax_vat_to_control_gdp"), fault.Conflict, []string{"two arms", "tax_vat_to_gdp"}},
		{change(found, "-0.5pp", "-0.5%"), fault.WrongType, []string{"write -0.5pp"}},
		{change(found, "employment_rate", "real_gdp"), fault.WrongType, []string{"no points"}},
		{change(found, "crosses: -0.5pp", "crosses: much"), fault.WrongType, []string{"crosses"}},
		{change(found, ", crosses", ", against: arm, crosses"), fault.NotFound, []string{"control"}},
		{change(found, "36]", "61]"), fault.OutOfRange, []string{"1 to 60"}},
		{found + "design: {replications: auto}", fault.Conflict, []string{"fixed number"}},
		{found + "design: {replications: 2}", fault.OutOfRange, []string{"3 or more"}},
		{found + "control: none", fault.Conflict, []string{"has a control"}},
		{found + "arms: {step_3: {preset: ubi}}", fault.Conflict, []string{"step_3"}},
		{found + "compare: [step_3 - control]", fault.Conflict, []string{"step_3 - control", "point_0.4, point_0.525", "line 3"}},
	} {
		_, err := inquiry.Decode([]byte(c.text))
		if fault.KindOf(err) != c.kind {
			t.Errorf("%s: %v, want %s", c.text, err, c.kind)
			continue
		}
		for _, part := range append(c.parts, "line ") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", c.text, err, part)
			}
		}
	}
	// a path may be what background events hide
	q := mustDecode(t, "background: {events: [{set: {minimum_wage: 50%}}]}"+found)
	if _, err := q.Scenarios(builtIn{}); err == nil || !strings.Contains(err.Error(), "hides") {
		t.Errorf("hidden by the background: %v", err)
	}
}

func TestSearchReadBack(t *testing.T) {
	for text, parts := range map[string][2]string{
		equal: {
			"finds events[0].amount of cheque, from 69 on, so that it costs the government as much as vat_cut in months 1–24 (gross:",
			"寻找组 cheque 的 events[0].amount，使其第1至24个月的财政成本与组 vat_cut 相等（总成本",
		},
		found: {
			"the value of minimum_wage from 40% to 90% at which its effect on employment_rate in months 1–36, against control, crosses -0.5pp. " +
				"9 values are looked at: 5 equally spaced ones, by which is tested whether the effect moves one way, and 4 of a bisection. At most 200 runs",
			"寻找：minimum_wage 在 40% 至 90% 之间取何值时，其对 employment_rate 的效应（第1至36个月，相对于 control）越过 -0.5pp",
		},
	} {
		q := mustDecode(t, text)
		for i, language := range []string{inquiry.English, inquiry.Chinese} {
			if said := q.ReadBack(language); !strings.Contains(said, parts[i]) || strings.Contains(said, "%!") {
				t.Errorf("%q lacks %q", said, parts[i])
			}
		}
	}
}
