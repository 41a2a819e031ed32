package inquiry_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// builtIn finds presets.
type builtIn struct{}

func (builtIn) Scenario(name string) (scenario.Scenario, error) { return presets.Load(name) }

const example = `
question: Should a country in a deep recession cut VAT or send everybody a cheque?
background:
  preset: baseline
  set: {num_households: 1000}
  events: [{shock: demand, size: -0.1, persistence: 0.97, from: 1}]
arms:
  vat_cut: {events: [{set: {vat_rate: 3%}, from: 1, for: 24}]}
  cheque:  {events: [{pay: all, amount: 69, from: 1, for: 24}]}
  german:  {preset: de_like}
  benefit: {doses: {parameter: minimum_wage, values: [40%, 50%, 60%, 70%]}}
outcomes:
  - {metric: real_consumption, window: [1, 24], expect: higher, smallest_effect: 1%}
  - {metric: debt_to_gdp, window: [61, 72], smallest_effect: 0.5pp}
  - {metric: unemployment_rate}
compare: [vat_cut - control, cheque - control, cheque - vat_cut]
design: {months: 72, replications: 20, seed: 1, burn_in: 180, family: t, confidence: 95%}
`

func mustDecode(tb testing.TB, text string) inquiry.Inquiry {
	tb.Helper()
	q, err := inquiry.Decode([]byte(text))
	if err != nil {
		tb.Fatalf("%v in\n%s", err, text)
	}
	return q
}

func mustScenarios(tb testing.TB, q inquiry.Inquiry) []inquiry.Scenario {
	tb.Helper()
	list, err := q.Scenarios(builtIn{})
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

func TestExample(t *testing.T) {
	q := mustDecode(t, example)
	arms := mustScenarios(t, q)
	var names []string
	for _, a := range arms {
		names = append(names, a.Name)
	}
	want := "control vat_cut cheque german benefit_0.4 benefit_0.5 benefit_0.6 benefit_0.7"
	if got := strings.Join(names, " "); got != want {
		t.Errorf("arms %s, want %s", got, want)
	}
	control, vat, german := arms[0].Scenario, arms[1].Scenario, arms[3].Scenario
	if control.Params.NumHouseholds != 1000 || control.BurnIn.NumHouseholds != 1000 || control.Params.NumIterations != 72 ||
		len(control.Interventions) != 1 || len(vat.Interventions) != 2 || vat.Interventions[1].DurationMonths != 24 {
		t.Errorf("control %d households, %d months, %v; cut %v", control.Params.NumHouseholds, control.Params.NumIterations, control.Interventions,
			vat.Interventions)
	}
	if vat.Interventions[1].Parameters[0] != (sim.ParameterChange{Name: "vat_rate", Value: .03}) || arms[7].Scenario.Params.MinimumWage != .7 ||
		arms[7].Scenario.BurnIn.MinimumWage != control.BurnIn.MinimumWage {
		t.Errorf("a percentage: %v, a dose %v, in its burn-in %v", vat.Interventions[1].Parameters, arms[7].Scenario.Params.MinimumWage,
			arms[7].Scenario.BurnIn.MinimumWage)
	}
	if german.Params.VATRate == control.Params.VATRate || len(german.Interventions) != 0 {
		t.Errorf("a scenario of its own: VAT %v, %v", german.Params.VATRate, german.Interventions)
	}
	outcomes := []inquiry.Outcome{
		{Metric: sim.RealConsumption, Windows: []inquiry.Window{{1, 24}}, Expect: 1, Smallest: inquiry.Smallest{Effect: .01, Relative: true}},
		{Metric: sim.DebtToGDP, Windows: []inquiry.Window{{61, 72}}, Smallest: inquiry.Smallest{Effect: .005}},
		{Metric: sim.UnemploymentRate, Windows: []inquiry.Window{{1, 24}, {49, 72}}}, // the transition and the end
	}
	if !reflect.DeepEqual(q.Outcomes, outcomes) {
		t.Errorf("outcomes %+v, want %+v", q.Outcomes, outcomes)
	}
}

// texts are inquiries.
var texts = []string{
	example, "question: nothing else\n", `{"question":"q","arms":{"a":{"events":[{"set":{"vat_rate":0.1}}]}}}`,
	"arms: {a: {events: [{policy: job_retention, level: 50%, when: unemployment_rate > 8%, from: 3, ramp: 2, for: 9}]}}\ncontrol: burn-in\n" +
		"design: {replications: auto, half_width: 5%}\n",
	"background: {rules: [{when: unemployment_rate>8%, until: unemployment_rate < 6.5%, do: {policy: job_retention, level: 0.5}}]}\n" +
		"arms: {a: {rules: [{when: inflation > 4% and month > 3, until: inflation < 2%, do: {set: {vat_rate: 10%, tax_allowance: 0.3}, ramp: 3}, from: 2}]}}",
	"arms: {a: {rules: [{when: inflation < 0, until: inflation > 1%, do: {pay: all, amount: 50}}, " +
		"{when: real_gdp < 1000, until: real_gdp > 2000, do: {shock: demand, size: 5%, persistence: 90%}}]}}",
	equal, found,
	"arms: {a: {set: {policy_rate_rule: fixed, enable_dismissal: false}}, b: {events: [{shock: industry_supply, size: -40%, industry: '07'}]}}",
}

// The canonical form reads as the same inquiry, has the same hash, and is its own canonical form;
// so does JSON. What changes the experiment changes the hash.
func TestCanonical(t *testing.T) {
	seen := map[string]string{}
	for _, text := range texts {
		q := mustDecode(t, text)
		again := mustDecode(t, string(q.Encode()))
		if !reflect.DeepEqual(q, again) || string(again.Encode()) != string(q.Encode()) {
			t.Errorf("%s\nreads back as\n%s", q.Encode(), again.Encode())
		}
		hash := q.Hash(mustScenarios(t, q))
		if again.Hash(mustScenarios(t, again)) != hash {
			t.Errorf("another hash of\n%s", q.Encode())
		}
		seen[hash] = text
	}
	for _, change := range [][2]string{
		{"3%", "4%"}, {"for: 24}]}\n  ch", "for: 25}]}\n  ch"}, {"0.97", "0.96"}, {"months: 72", "months: 73"}, {"seed: 1", "seed: 2"},
		{"expect: higher", "expect: lower"}, {"[1, 24]", "[1, 23]"}, {"0.5pp", "0.4pp"}, {"family: t", "family: rank"}, {"1000", "1001"},
		{", cheque - vat_cut", ""}, {"95%", "90%"}, {"de_like", "us_like"}, {"burn_in: 180", "burn_in: 100"}, {", 70%]", "]"},
	} {
		text := strings.Replace(example, change[0], change[1], 1)
		q := mustDecode(t, text)
		hash := q.Hash(mustScenarios(t, q))
		if text == example || seen[hash] != "" {
			t.Errorf("%q instead of %q changes nothing", change[1], change[0])
		}
		seen[hash] = text
	}
}

func TestRefused(t *testing.T) {
	const vat = "arms: {a: {events: [{set: {vat_rate: 10%}}]}}\n"
	for _, c := range []struct {
		text  string
		kind  fault.Kind
		parts []string
	}{
		{"", fault.WrongType, []string{"the file is empty"}},
		{"qestion: x", fault.UnknownParameter, []string{`"question"`, "line 1, column 1"}},
		{"arms: {a: {}}", fault.Conflict, []string{"nothing changed", "line 1, column 11"}},
		{"arms: {a: {events: []}}", fault.Conflict, []string{"nothing changed"}},
		{"arms: {control: {preset: ubi}}", fault.Conflict, []string{`"control" is not a name`}},
		{"arms: {a: {preset: ubi, config: x}}", fault.Conflict, []string{"and only one"}},
		{"arms: {a: {events: [{set: {vat_rat: 10%}}]}}", fault.UnknownParameter, []string{`"vat_rate"`, "line 1, column 28"}},
		{"arms: {a: {events: [{set: {vat_rate: 90%}}]}}", fault.OutOfRange, []string{"0 to 0.6"}},
		{"arms: {a: {events: [{set: {vat_rate: 10}}]}}", fault.OutOfRange, []string{"0 to 0.6"}},
		{"arms: {a: {events: [{set: {vat_rate: 2pp}}]}}", fault.WrongType, []string{"points are for differences"}},
		{"arms: {a: {events: [{set: {benefit_months: 10%}}]}}", fault.WrongType, []string{"its unit is months"}},
		{"arms: {a: {events: [{set: {num_households: 10}}]}}", fault.OutOfRange, []string{"num_households"}},
		{"arms: {a: {events: [{set: {num_households: 200}}]}}", fault.Conflict, []string{"cannot change during a run"}},
		{"arms: {a: {set: {num_iterations: 10}}}", fault.Conflict, []string{"design.months"}},
		{"arms: {a: {events: [{policy: ubi, level: 10%}]}}", fault.NotFound, []string{"policy"}},
		{"arms: {a: {events: [{policy: austerity}]}}", fault.Required, []string{"level is missing"}},
		{"arms: {a: {events: [{policy: austerity, level: 3, from: 2}]}}", fault.OutOfRange, []string{"level = 3", "column 48"}},
		{"arms: {a: {events: [{policy: austerity, level: 10%, amount: 3}]}}", fault.Conflict, []string{"amount belongs to a pay"}},
		{"arms: {a: {events: [{policy: austerity, level: 10%, shock: demand, size: 1%}]}}", fault.Conflict, []string{"one thing"}},
		{"arms: {a: {events: [{from: 3}]}}", fault.Required, []string{"set, policy, shock or pay"}},
		{"arms: {a: {events: [{pay: retird, amount: 3}]}}", fault.OutOfRange, []string{"unemployed"}},
		{"arms: {a: {events: [{pay: all, amount: 3%}]}}", fault.WrongType, []string{"currency units"}},
		{"arms: {a: {events: [{set: {vat_rate: 10%}, from: 0}]}}", fault.OutOfRange, []string{"from = 0"}},
		{"arms: {a: {events: [{set: {vat_rate: 10%}, ramp: 5, for: 3}]}}", fault.Conflict, []string{"ramp of 5 months"}},
		{"arms: {a: {events: [{set: {vat_rate: 10%}, when: unemployment_rate > 8}]}}", fault.OutOfRange, []string{"write 8%", "0% to 100%", "column 50"}},
		{"arms: {a: {rules: [{when: debt_to_gdp > 90, until: debt_to_gdp < 80%, do: {set: {vat_rate: 10%}}}]}}", fault.WrongType, []string{"write 90%"}},
		{
			"arms: {a: {rules: [{when: debt_to_gdp > 90%, until: debt_to_gdp < 95%, do: {set: {vat_rate: 10%}}}]}}", fault.Conflict,
			[]string{"overlap", "92.5%", "column 53"},
		},
		{"arms: {a: {rules: [{when: debt_to_gdp > 90%, do: {set: {vat_rate: 10%}}}]}}", fault.Required, []string{"until"}},
		{"arms: {a: {rules: [{when: inflation > 4%, until: inflation < 2%}]}}", fault.Required, []string{"do"}},
		{
			"arms: {a: {rules: [{when: inflation > 4%, until: inflation < 2%, do: {set: {vat_rate: 10%}, for: 3}}]}}", fault.UnknownParameter,
			[]string{"for"},
		},
		{"arms: {a: {rules: {when: inflation > 4%}}}", fault.WrongType, []string{"must be a list"}},
		{"arms: {a: {events: [{set: {vat_rate: 10%}, when: unemployment > 8%}]}}", fault.NotFound, []string{`"unemployment_rate"`}},
		{"arms: {a: {doses: {parameter: minimum_wage, values: []}}}", fault.WrongType, []string{"list the values"}},
		{"arms: {a: {doses: {parameter: minimum_wage, values: [40%, 0.4]}}}", fault.Conflict, []string{"listed twice"}},
		{"arms: {a: {doses: {parameter: num_households, values: [500]}}}", fault.Conflict, []string{"as many households"}},
		{"arms: {a: {doses: {parameter: burn_in_months, values: [5]}}}", fault.Conflict, []string{"design.burn_in"}},
		{"arms: {a: {set: [num_households]}}", fault.WrongType, []string{"a list"}},
		{"arms: {a: {events: [[set]]}}", fault.WrongType, []string{"a list"}},
		{"arms: {a: {doses: {parameter: vat_rate, values: [" + strings.Repeat("1%,", 80_000) + "]}}}", fault.LimitExceeded, []string{"80000 values"}},
		{"arms: {A: {preset: ubi}, a: {preset: crisis}}", fault.Conflict, []string{`"A" and "a"`}},
		{"arms: {a: {events: [{pay: groups, amount: 3}]}}", fault.OutOfRange, []string{`pay = "groups"`}},
		{vat + "design: {seed: 9007199254740992}", fault.OutOfRange, []string{"9007199254740991"}},
		{"question: " + strings.Repeat("why ", 1001), fault.OutOfRange, []string{"4000 characters"}},
		{vat + "outcomes: [{metric: gdp}]", fault.NotFound, []string{"real_gdp"}},
		{vat + "outcomes: [{metric: cpi, window: [1, 61]}]", fault.OutOfRange, []string{"the months are 1 to 60", "line 2"}},
		{vat + "outcomes: [{metric: cpi, window: [9, 3]}]", fault.OutOfRange, []string{"line 2, column 34"}},
		{vat + "outcomes: [{metric: cpi, expect: up}]", fault.OutOfRange, []string{"higher"}},
		{vat + "outcomes: [{metric: poverty_rate, smallest_effect: 1%}]", fault.WrongType, []string{"write 1pp"}},
		{vat + "outcomes: [{metric: cpi, smallest_effect: 1pp}]", fault.WrongType, []string{"no points"}},
		{vat + "outcomes: [{metric: cpi}, {metric: cpi}]", fault.Conflict, []string{"twice"}},
		{vat + "compare: [b - control]", fault.NotFound, []string{"control, a"}},
		{vat + "compare: [a - a]", fault.Conflict, []string{"itself"}},
		{vat + "design: {months: 0}", fault.OutOfRange, []string{"1 to 6000"}},
		{vat + "design: {replications: many}", fault.WrongType, []string{"integer"}},
		{vat + "design: {half_width: 5%}", fault.Conflict, []string{"replications: auto"}},
		{vat + "design: {family: bayes}", fault.OutOfRange, []string{"permutation"}},
		{"control: baseline", fault.Conflict, []string{"no arm"}},
	} {
		_, err := inquiry.Decode([]byte(c.text))
		if _, ok := errors.AsType[*fault.Error](err); !ok || fault.KindOf(err) != c.kind {
			t.Errorf("%s: %v, want %s", c.text, err, c.kind)
			continue
		}
		for _, part := range append(c.parts, "line ") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", c.text, err, part)
			}
		}
	}
}

// What contradicts itself once the scenarios are there is refused, too.
// What takes back a change of the background is an arm of its own.
func TestArmThatTakesBack(t *testing.T) {
	q, err := inquiry.Decode([]byte("background: {events: [{set: {vat_rate: 9%}}]}\narms: {a: {events: [{set: {vat_rate: 8%}, from: 13}]}}"))
	if err == nil {
		_, err = q.Scenarios(builtIn{})
	}
	if err != nil {
		t.Error(err)
	}
}

func TestScenariosRefused(t *testing.T) {
	for text, part := range map[string]string{
		"arms: {a: {events: [{set: {vat_rate: 10%}, from: 61}]}}":                                                 "1 to 60",
		"arms: {a: {preset: nowhere}}":                                                                            "nowhere",
		"background: {events: [{set: {vat_rate: 9%}}]}\narms: {a: {set: {vat_rate: 10%}}}":                        "hides what is set here",
		"background: {events: [{set: {vat_rate: 9%}}]}\narms: {a: {doses: {parameter: vat_rate, values: [10%]}}}": "hides what is set",
		"background: {preset: nowhere}":                                                                           "nowhere",
		"arms: {a: {set: {vat_rate: 8%}}}":                                                                        "the same economy",
		"arms: {a: {events: [{set: {vat_rate: 8%}, from: 1}]}}":                                                   "the same economy",
		"background: {events: [{shock: demand, size: -10%}]}\narms: {a: {events: [{set: {vat_rate: 8%}}]}}":       "the same economy",
		"arms: {a: {set: {vat_rate: 9%}}, b: {set: {vat_rate: 9%}}}":                                              "the same economy",
		"arms: {a: {events: [{shock: population, size: 1%}]}}":                                                    "enable_demography",
		"arms: {a: {set: {vat_rate: 9%}}}\ncontrol: elsewhere":                                                    "elsewhere",
		"arms: {a: {events: [{pay: retired, amount: 10}]}}":                                                       "enable_demography",
		"arms: {a: {doses: {parameter: vat_rate, values: [8%, 9%]}}}":                                             "the same economy",
		"background: {set: {num_households: 100, households_per_firm: 200}}":                                      "",
	} {
		q, err := inquiry.Decode([]byte(text))
		if err == nil {
			_, err = q.Scenarios(builtIn{})
		}
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: %v, want %q", text, err, part)
		}
	}
}

func TestReadBack(t *testing.T) {
	q := mustDecode(t, example)
	for language, parts := range map[string][]string{
		inquiry.English: {
			"In every arm: the scenario baseline; households (num_households) is 1000; " +
				"a shock to household demand (demand) of -10%, of which 97% is left each month from month 1 on.",
			"Arm vat_cut: VAT (vat_rate) becomes 3% in months 1 to 24.", "Arm cheque: 69 a head and month to everybody (all) in months 1 to 24.",
			"Arm german: the scenario de_like.", "Arm benefit: minimum wage (minimum_wage) at 40%, 50%, 60%, 70%, an arm each.",
			"The control is the background alone.", "Of each, 20 replications, 72 months after a burn-in of 180 months, seed 1.",
			"Compared: vat_cut - control, cheque - control, cheque - vat_cut.", "Tests: t tests, at 95% confidence.",
			"real_consumption in months 1–24, expected to rise (less than 1% does not matter)", "(less than 0.5pp does not matter)",
			"unemployment_rate in months 1–24 and 49–72",
		},
		inquiry.Chinese: {"各组共同：", "组 vat_cut：增值税（vat_rate） 变为 3%，第1至24个月。", "每组20次重复，预热180个月后模拟72个月，种子1。", "比较：vat_cut - control、cheque - control、cheque - vat_cut。", "检验：t检验，置信水平95%。", "判断依据："},
	} {
		text := q.ReadBack(language)
		for _, part := range parts {
			if !strings.Contains(text, part) {
				t.Errorf("%s: %q lacks %q", language, text, part)
			}
		}
	}
}

// A rule is said in both languages, with percent; both spellings of its conditions are one inquiry.
func TestRuleReadBack(t *testing.T) {
	const text = "arms: {a: {rules: [{when: unemployment_rate > 8%, until: unemployment_rate < 0.065, do: {policy: job_retention, level: 50%}}]}}"
	q := mustDecode(t, text)
	for language, part := range map[string]string{
		inquiry.English: "while a rule is on: from the month after unemployment_rate > 8% until unemployment_rate < 6.5%, again and again.",
		inquiry.Chinese: "规则开启期间：自 unemployment_rate > 8% 的次月起，至 unemployment_rate < 6.5% 为止，可反复开启",
	} {
		if said := q.ReadBack(language); !strings.Contains(said, part) {
			t.Errorf("%q lacks %q", said, part)
		}
	}
	other := mustDecode(t, strings.NewReplacer("8%", ".08", "0.065", "6.5 %").Replace(text))
	if string(other.Encode()) != string(q.Encode()) {
		t.Errorf("another inquiry:\n%s\n%s", other.Encode(), q.Encode())
	}
	arms := mustScenarios(t, q)
	if v := arms[1].Scenario.Interventions[0]; v.Until != "unemployment_rate < 0.065" || v.When != "unemployment_rate > 0.08" {
		t.Errorf("simulated as %+v", v)
	}
}

// JSON is read whatever its escapes and blanks, with lines of its own; nothing as control is the
// background.
func TestJSON(t *testing.T) {
	q := mustDecode(t, "{\n\t\"question\": \"\\ud83d\\ude00?\",\n\t\"control\": null,\n\t\"arms\": {\"a\": {\"set\": {\"vat_rate\": \"9%\"}}}}")
	if q.Question != "\U0001F600?" || q.Control != inquiry.ControlBackground || q.Arms[0].Set[0].Value != .09 {
		t.Errorf("%+v", q)
	}
	_, err := inquiry.Decode([]byte("{\n\t\"question\": 3}"))
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("a number in the place of a text: %v", err)
	}
}

// The schema takes what is read, and refuses keys that are not.
func TestSchema(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(inquiry.Schema))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("inquiry", document); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile("inquiry")
	if err != nil {
		t.Fatal(err)
	}
	valid := func(text string) error {
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		if v, err = jsonschema.UnmarshalJSON(bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
		return schema.Validate(v)
	}
	for _, text := range append(slices.Clone(texts), string(mustDecode(t, example).Encode())) {
		if err := valid(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, text := range []string{"qestion: x", "arms: {a: {evens: []}}", "design: {month: 3}", "outcomes: [{metrics: cpi}]",
		"arms: {a: {events: [{policy: ubi, levl: 1}]}}", "background: {doses: {}}"} {
		if _, err := inquiry.Decode([]byte(text)); err == nil || valid(text) == nil {
			t.Errorf("%s: read with %v, by the schema with %v", text, err, valid(text))
		}
	}
}
