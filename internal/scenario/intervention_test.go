package scenario_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

const planned = `interventions:
  - description: VAT up and back
    target_month: 13
    duration_months: 24
    ramp_months: 6
    parameters:
      vat_rate: 0.15
      benefit_months: 6
  - {target_month: 25, parameters: {policy_rate_rule: taylor, enable_dismissal: true}}
  - {type: policy, target_month: 3, when: unemployment_rate > 0.1, parameters: {policy: job_guarantee, level: 0.4}}
  - {type: shock, target_month: 4, parameters: {shock: productivity, size: -0.1, persistence: 0.9}}
  - {type: injection, target_month: 5, parameters: {group: "industry:07", amount: 100}}
  - {target_month: 6, parameters: {income_tax_brackets: {1: 0.3, 0.5: 0.2}}}
`

func TestDecodeInterventions(t *testing.T) {
	want := []sim.Intervention{
		{Type: sim.TypeParameterChange, Description: "VAT up and back", TargetMonth: 13, DurationMonths: 24, RampMonths: 6,
			Parameters: []sim.ParameterChange{{Name: "vat_rate", Value: .15}, {Name: "benefit_months", Value: 6}}},
		{
			Type:        sim.TypeParameterChange,
			TargetMonth: 25,
			Parameters:  []sim.ParameterChange{{Name: "policy_rate_rule", Value: "taylor"}, {Name: "enable_dismissal", Value: true}},
		},
		{
			Type:        sim.TypePolicy,
			TargetMonth: 3,
			When:        "unemployment_rate > 0.1",
			Policy:      sim.PolicyChange{Policy: "job_guarantee", Level: .4},
		},
		{Type: sim.TypeShock, TargetMonth: 4, Shock: sim.Shock{Shock: "productivity", Size: -.1, Persistence: .9}},
		{Type: sim.TypeInjection, TargetMonth: 5, Injection: sim.Injection{Group: "industry:07", Amount: 100}},
		{
			Type:        sim.TypeParameterChange,
			TargetMonth: 6,
			Parameters:  []sim.ParameterChange{{Name: "income_tax_brackets", Value: "0.5: 0.2, 1: 0.3"}},
		},
	}
	if got := mustDecode(t, planned).Interventions; !reflect.DeepEqual(got, want) {
		t.Errorf("interventions %+v, want %+v", got, want)
	}
	if got := mustDecode(t, "interventions:\nsource: none\n").Interventions; got != nil {
		t.Errorf("interventions %+v where there are none", got)
	}
}

// An intervention all of whose parameters an earlier model version had is left out, as they are.
func TestRetiredInterventionsAreLeftOut(t *testing.T) {
	s, err := scenario.Decode("old", []byte(`interventions:
  - {target_month: 3, parameters: {engel_slope_factor: 2}}
  - {target_month: 4, parameters: {engel_slope_factor: 2, vat_rate: 0.2}}
`))
	if err != nil {
		t.Fatal(err)
	}
	change := []sim.ParameterChange{{Name: "vat_rate", Value: .2}}
	want := []sim.Intervention{{Type: sim.TypeParameterChange, TargetMonth: 4, Parameters: change}}
	if !reflect.DeepEqual(s.Interventions, want) {
		t.Errorf("read %+v", s.Interventions)
	}
}

// The hash covers all that changes the economy, and no words.
func TestHashCoversInterventions(t *testing.T) {
	seen := map[string]string{mustDecode(t, "{}").Hash(): "{}"}
	for _, change := range [][2]string{
		{"", ""}, {"month: 13", "month: 14"}, {"months: 24", "months: 23"}, {"ramp_months: 6", "ramp_months: 5"},
		{"rate > 0.1", "rate > 0.2"}, {"level: 0.4", "level: 0.5"}, {"job_guarantee", "minimum_wage"}, {"size: -0.1", "size: -0.2"},
		{"persistence: 0.9", "persistence: 0.8"}, {"shock: productivity", "shock: demand"}, {"amount: 100", "amount: 101"},
		{"industry:07", "all"},
		{"1: 0.3, 0.5: 0.2", "1: 0.3"},
		{"level: 0.4}}", "level: 0.4}, until: unemployment_rate < 8%}"}, {"level: 0.4}}", "level: 0.4}, until: unemployment_rate < 7%}"},
		{"0.15", "0.16"}, {"benefit_months: 6", "income_tax_rate: 0.3"},
	} {
		text := strings.Replace(planned, change[0], change[1], 1)
		hash := mustDecode(t, text).Hash()
		if other, ok := seen[hash]; ok {
			t.Errorf("%q and %q have the same hash", text, other)
		}
		seen[hash] = text
	}
	for _, same := range [][2]string{
		{"VAT up and back", "other words"},
		{"{policy_rate_rule: taylor, enable_dismissal: true}", "{enable_dismissal: true, policy_rate_rule: taylor}"},
		{"rate > 0.1", "rate>10 %"}, {"rate > 0.1", "rate > 10%"},
		{"{target_month: 25, p", "{target_month: 25, ramp_months: 1, p"},
	} {
		if mustDecode(t, strings.Replace(planned, same[0], same[1], 1)).Hash() != mustDecode(t, planned).Hash() {
			t.Errorf("%q instead of %q changes the hash", same[1], same[0])
		}
	}
	cancelled := mustDecode(t, strings.Replace(planned, "month: 25, p", "month: 25, cancelled: true, p", 1))
	if !cancelled.Interventions[1].Cancelled || mustDecode(t, string(cancelled.Encode())).Hash() != cancelled.Hash() {
		t.Error("what is cancelled does not come back so")
	}
	cancelled.Interventions = append(cancelled.Interventions[:1:1], cancelled.Interventions[2:]...)
	if mustDecode(t, strings.Replace(planned, "month: 25, p", "month: 25, cancelled: true, p", 1)).Hash() != cancelled.Hash() {
		t.Error("the hash covers what is cancelled")
	}
	if all := mustDecode(t, planned); mustDecode(t, string(all.Encode())).Hash() != all.Hash() {
		t.Errorf("what is written reads as another plan:\n%s", all.Encode())
	}
	negative := mustDecode(t, strings.Replace(planned, "0.15", "-0.0", 1))
	if mustDecode(t, string(negative.Encode())).Hash() != negative.Hash() {
		t.Error("a negative zero comes back with another hash")
	}
}

func TestDecodeBadInterventions(t *testing.T) {
	const change = "parameters: {vat_rate: 0.1}"
	for _, c := range []struct {
		text  string
		kind  fault.Kind
		parts []string
	}{
		{"interventions: 3", fault.WrongType, []string{"line 1, column 16", "must be a list"}},
		{"interventions: [3]", fault.WrongType, []string{"line 1, column 17"}},
		{"interventions: [{target_mont: 3}]", fault.UnknownParameter, []string{"line 1, column 18", `"target_month"`}},
		{"interventions: [{target_month: 1.5}]", fault.WrongType, []string{"target_month = 1.5", "integer"}},
		{"interventions: [{" + change + "}]", fault.OutOfRange, []string{"target_month = 0", "allowed 1 to 6000"}},
		{"interventions: [{target_month: 7000, " + change + "}]", fault.OutOfRange, []string{"target_month = 7000"}},
		{"interventions: [{target_month: 3, duration_months: -1, " + change + "}]", fault.OutOfRange, []string{"duration_months = -1"}},
		{"interventions: [{target_month: 3, duration_months: 2, ramp_months: 3, " + change + "}]", fault.Conflict, []string{"ramp of 3 months"}},
		{"interventions: [{target_month: 3}]", fault.WrongType, []string{"changes no parameter"}},
		{"interventions: [{target_month: 3, parameters: {vat_rat: 0.1}}]", fault.UnknownParameter, []string{`"vat_rate"`}},
		{"interventions: [{target_month: 3, parameters: {vat_rate: 7}}]", fault.OutOfRange, []string{"allowed 0 to 0.6"}},
		{"interventions: [{target_month: 3, parameters: {vat_rate: .nan}}]", fault.OutOfRange, []string{"vat_rate"}},
		{"interventions: [{target_month: 3, parameters: {num_households: 500}}]", fault.Conflict, []string{"cannot change during a run"}},
		{
			"interventions: [{type: polcy, target_month: 3, parameters: {vat_rate: 0.1}}]", fault.NotFound,
			[]string{`"policy"`, "line 1, column 24"},
		},
		{
			"interventions: [{type: policy, target_month: 3, parameters: {polic: austerity}}]", fault.UnknownParameter,
			[]string{`"policy"`, "line 1, column 62"},
		},
		{
			"interventions: [{type: policy, target_month: 3, parameters: {policy: austerty, level: 1}}]", fault.NotFound,
			[]string{`"austerity"`, "line 1, column 70"},
		},
		{"interventions: [{type: policy, target_month: 3, parameters: {policy: austerity}}]", fault.Required, []string{"level is missing"}},
		{
			"interventions: [{type: shock, target_month: 3, parameters: {shock: demand, persistence: 0.5}}]", fault.Required,
			[]string{"size is missing"},
		},
		{
			"interventions: [{type: shock, target_month: 3, ramp_months: 5, parameters: {shock: disaster, size: 0.5}}]", fault.Conflict,
			[]string{"ramp of 5 months"},
		},
		{"interventions: [{type: policy, target_month: 3, parameters: {policy: austerity, level: high}}]", fault.WrongType, []string{"number"}},
		{
			"interventions: [{type: shock, target_month: 3, parameters: {shock: demand, size: 9}}]", fault.OutOfRange,
			[]string{"size = 9", "line 1, column 82"},
		},
		{
			"interventions: [{type: injection, target_month: 3, parameters: {group: retird, amount: 9}}]", fault.OutOfRange,
			[]string{"group", "unemployed"},
		},
		{
			"interventions: [{when: unemployment > 0.1, target_month: 3, parameters: {vat_rate: 0.1}}]", fault.NotFound,
			[]string{`"unemployment_rate"`, "line 1, column 24"},
		},
		{
			"interventions: [{when: unemployment_rate > 8, target_month: 3, parameters: {vat_rate: 0.1}}]", fault.OutOfRange,
			[]string{"0% to 100%", "write 8% or 0.08", "line 1, column 24"},
		},
		{
			"interventions: [{when: cpi > 110, until: cpi < 120, target_month: 3, parameters: {vat_rate: 0.1}}]", fault.Conflict,
			[]string{"overlap", "line 1, column 42"},
		},
		{"interventions: [{until: cpi < 110, target_month: 3, parameters: {vat_rate: 0.1}}]", fault.Required, []string{"switches it on"}},
		{"interventions: [{when: cpi >, target_month: 3, parameters: {vat_rate: 0.1}}]", fault.WrongType, []string{"character"}},
		{"interventions: [{target_month: 3, parameters: {income_tax_brackets: {1: high}}}]", fault.WrongType, []string{"high"}},
		{"interventions: [{target_month: 3, parameters: {confidence_shock: -0.1}}]", fault.Conflict, []string{"falls in month 1"}},
	} {
		_, err := scenario.Decode("test", []byte(c.text))
		if _, ok := errors.AsType[*fault.Error](err); !ok || fault.KindOf(err) != c.kind {
			t.Errorf("%s: %v, want %s", c.text, err, c.kind)
			continue
		}
		for _, part := range append(c.parts, "(line 1, column ") {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%s: %q does not say %q", c.text, err, part)
			}
		}
	}
}

// An error is placed at the field that it is about.
func TestBadInterventionNamesTheLine(t *testing.T) {
	_, err := scenario.Decode("test", []byte(planned+"  - target_month: 3\n    duration_months: 7000\n    parameters: {vat_rate: 0.1}\n"))
	if err == nil || !strings.Contains(err.Error(), "duration_months = 7000 (line 15, column 22)") {
		t.Errorf("error %v", err)
	}
	many := "interventions:\n" + strings.Repeat("  - {target_month: 3, parameters: {vat_rate: 0.1}}\n", sim.MaxInterventions+1)
	if _, err := scenario.Decode("test", []byte(many)); fault.KindOf(err) != fault.LimitExceeded {
		t.Errorf("%d interventions: %v", sim.MaxInterventions+1, err)
	}
}

// A rule and its conditions come back as they were; both spellings of a condition are one.
func TestRuleComesBack(t *testing.T) {
	const text = "interventions:\n  - {type: policy, target_month: 3, when: unemployment_rate>8%, until: unemployment_rate < 6.5 %, " +
		"parameters: {policy: job_retention, level: 0.5}}\n"
	s := mustDecode(t, text)
	if v := s.Interventions[0]; v.When != "unemployment_rate > 0.08" || v.Until != "unemployment_rate < 0.065" {
		t.Errorf("%+v", v)
	}
	again := mustDecode(t, string(s.Encode()))
	if !reflect.DeepEqual(again.Interventions, s.Interventions) || again.Hash() != s.Hash() {
		t.Errorf("comes back as %+v", again.Interventions)
	}
}

// What was stored before units were checked is read as it is, with the hash that it had.
func TestStoredConditionsStay(t *testing.T) {
	const text = "interventions:\n  - {type: policy, target_month: 3, when: unemployment_rate>8, parameters: {policy: job_guarantee, level: 0.4}}\n"
	s, err := scenario.DecodeStored("x", []byte(text))
	if err != nil || s.Interventions[0].When != "unemployment_rate>8" {
		t.Fatalf("%+v, %v", s.Interventions, err)
	}
	if again, err := scenario.DecodeStored("x", s.Encode()); err != nil || again.Hash() != s.Hash() {
		t.Errorf("comes back with another hash: %v", err)
	}
	written := s
	written.Interventions = []sim.Intervention{s.Interventions[0]}
	written.Interventions[0].When = "unemployment_rate > 8"
	if written.Hash() == s.Hash() {
		t.Error("the hash is not of the words that were stored")
	}
	if _, err := scenario.Decode("x", []byte(text)); fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("read anew: %v", err)
	}
}
