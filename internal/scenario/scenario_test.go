package scenario_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

func mustDecode(tb testing.TB, text string) scenario.Scenario {
	tb.Helper()
	s, err := scenario.Decode("test", []byte(text))
	if err != nil {
		tb.Fatalf("Decode(%q): %v", text, err)
	}
	return s
}

const own = `description: "0.5"
description_zh: 测试
source: |
  two
  lines
parameters:
  num_households: 5_000
  vat_rate: 0.1
  labor_productivity_factor: 115
  policy_rate_rule: fixed
  enable_dismissal: false
`

func TestDecode(t *testing.T) {
	s := mustDecode(t, own)
	if s.Name != "test" || s.Description != "0.5" || s.DescriptionZH != "测试" || s.Source != "two\nlines\n" {
		t.Errorf("words: %q %q %q %q", s.Name, s.Description, s.DescriptionZH, s.Source)
	}
	want := sim.Defaults()
	want.NumHouseholds, want.VATRate, want.LaborProductivityFactor = 5000, .1, 115
	want.PolicyRateRule, want.EnableDismissal = "fixed", false
	if s.Params != want {
		t.Errorf("parameters differ from those wanted in %q", sim.Diff(s.Params, want))
	}
}

func TestDecodeBurnIn(t *testing.T) {
	const parameters = "parameters: {num_households: 5000, vat_rate: 0.1, separation_rate: 0.02}\n"
	for _, c := range []struct {
		name, burnIn string
		want         []string // in which the burn-in differs from the defaults
	}{
		{"absent", "", []string{"num_households"}},
		{"empty", "burn_in:", []string{"num_households"}},
		{"not own", "burn_in: {own: false}", []string{"num_households"}},
		{"own", "burn_in: {own: true}", []string{"num_households", "vat_rate", "separation_rate"}},
		{"parameters", "burn_in: {parameters: {vat_rate: 0.2}}", []string{"num_households", "vat_rate"}},
	} {
		s := mustDecode(t, parameters+c.burnIn)
		if got := sim.Diff(sim.Defaults(), s.BurnIn); !slices.Equal(got, c.want) {
			t.Errorf("%s: burn-in differs from the defaults in %q, want %q", c.name, got, c.want)
		}
		if got := sim.DiffNotLive(s.Params, s.BurnIn); got != nil {
			t.Errorf("%s: burn-in and experiment differ in %q", c.name, got)
		}
	}
}

// Files of earlier versions are read without the parameters that have ended since.
func TestDecodeLeavesOutRetiredParameters(t *testing.T) {
	old := mustDecode(t, "parameters:\n  investment_interest_sensitivity: 5\n  vat_rate: 0.1\n")
	if now := mustDecode(t, "parameters: {vat_rate: 0.1}"); old.Hash() != now.Hash() {
		t.Errorf("%+v, want %+v", old, now)
	}
}

func TestDecodeAcceptsNothingButDefaults(t *testing.T) {
	for _, text := range []string{"parameters: {}", "parameters:", "description: nothing else", "{}"} {
		if s := mustDecode(t, text); s.Params != sim.Defaults() || s.BurnIn != sim.Defaults() {
			t.Errorf("%q does not give the defaults", text)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "wrong_type: the file is empty (line 1, column 1); write at least parameters: {}"},
		{"# a comment\n", "wrong_type: the file is empty (line 1, column 1); write at least parameters: {}"},
		{"~", "wrong_type: the file is empty (line 1, column 1); write at least parameters: {}"},
		{"[1]", "wrong_type: the file is a list (line 1, column 1); must be a mapping such as {name: value}"},
		{"vat", `wrong_type: the file is "vat" (line 1, column 1); must be a mapping such as {name: value}`},
		{"--- {}\n--- {}\n", "wrong_type: a second document starts (line 2, column 1)"},
		{"? {a: b}\n: c", "wrong_type: a key of the file is a mapping (line 1, column 3)"},
		{"vat_rate: 0.1", `unknown_parameter: unknown key "vat_rate" (line 1, column 1); write it under parameters`},
		{"parameter: {}", `unknown_parameter: unknown key "parameter" (line 1, column 1); did you mean "parameters"?`},
		{"source: {a: b}", "wrong_type: source = a mapping (line 1, column 9); must be of type text (put it in quotes)"},
		{"source: 12", "wrong_type: source = 12 (line 1, column 9); must be of type text (put it in quotes)"},
		{"parameters: [1]", "wrong_type: parameters is a list (line 1, column 13); must be a mapping such as {name: value}"},
		{"parameters:\n  vat_rat: 0.1", `unknown_parameter: unknown parameter "vat_rat" (line 2, column 3); did you mean "vat_rate"?`},
		{"parameters:\n  vat_rate: 1.4", "out_of_range: vat_rate = 1.4 (line 2, column 13); allowed 0 to 0.6"},
		{"parameters: {vat_rate: .nan}", "out_of_range: vat_rate = NaN (line 1, column 24); allowed 0 to 0.6"},
		{"parameters: {vat_rate: '0.1'}", `wrong_type: vat_rate = "0.1" (line 1, column 24); must be of type number`},
		{"parameters: {vat_rate: }", "wrong_type: vat_rate = nothing (line 1, column 24); must be of type number"},
		{"parameters: {vat_rate: [0.1]}", "wrong_type: vat_rate = a list (line 1, column 24); must be of type number"},
		{"parameters: {vat_rate: &a 0.1, income_tax_rate: *a}", "wrong_type: income_tax_rate = an alias (line 1, column 49); must be " +
			"of type number"},
		{"parameters: {benefit_months: 1.5}", "wrong_type: benefit_months = 1.5 (line 1, column 30); must be of type integer"},
		{"parameters: {enable_dismissal: yes}", `wrong_type: enable_dismissal = "yes" (line 1, column 32); must be of type boolean`},
		{"parameters: {policy_rate_rule: true}", "wrong_type: policy_rate_rule = true (line 1, column 32); must be of type choice " +
			"(taylor, fixed)"},
		{"parameters: {policy_rate_rule: free}", `out_of_range: policy_rate_rule = "free" (line 1, column 32); allowed taylor, fixed`},
		{"parameters:\n  vat_rate: 0.1\n  vat_rate: 0.2", `conflict: key "vat_rate" is given twice (line 3, column 3); the first is in line 2`},
		{"parameters: {}\nparameters: {}", `conflict: key "parameters" is given twice (line 2, column 1); the first is in line 1`},
		{"burn_in: {own: 3}", "wrong_type: own = 3 (line 1, column 16); must be of type boolean"},
		{"burn_in: {owns: true}", `unknown_parameter: unknown key "owns" (line 1, column 11); did you mean "own"?`},
		{"burn_in: {own: true, parameters: {}}", "conflict: burn_in has both own and parameters (line 1, column 10); keep one of them"},
		{"burn_in: {parameters: {num_households: 500}}", "conflict: num_households cannot change between burn-in and experiment (line " +
			"1, column 24); set it under parameters, for both"},
		{"parameters:\n\tvat_rate: 0.1", "wrong_type: the indentation holds a tab (line 2, column 1); indent with spaces"},
		{"a: b: c", "wrong_type: not valid YAML near line 1: mapping values are not allowed in this context; check indentation, colons " +
			"and quotes there"},
		{"parameters:\n  policy_rate_rule: 'x", "wrong_type: not valid YAML near line 2: found unexpected end of stream; check " +
			"indentation, colons and quotes there"},
		{"# " + strings.Repeat("x", 1<<20), "limit_exceeded: the file has 1048578 bytes, at most 1048576 are read"},
	} {
		_, err := scenario.Decode("test", []byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("Decode(%.60q):\ngot  %v\nwant %s", c.text, err, c.want)
		}
	}
}

func TestDecodeCrossChecks(t *testing.T) {
	_, err := scenario.Decode("test", []byte("parameters:\n  num_households: 300"))
	if fault.KindOf(err) != fault.Conflict || !strings.Contains(err.Error(), "(line 2, column 3)") {
		t.Errorf("300 households: %v", err)
	}
}

func TestEncodeRoundTrip(t *testing.T) {
	for _, text := range []string{
		"{}", own, own + "burn_in: {own: true}", own + "burn_in: {parameters: {vat_rate: 0.1, loan_spread: 0.01}}",
		own + planned,
	} {
		s := mustDecode(t, text)
		encoded := s.Encode()
		again := mustDecode(t, string(encoded))
		if !reflect.DeepEqual(again, s) {
			t.Errorf("%q comes back as another scenario:\n%s", text, encoded)
		}
		if again.Hash() != s.Hash() {
			t.Errorf("%q comes back with another hash", text)
		}
		if got := again.Encode(); string(got) != string(encoded) {
			t.Errorf("%q has two canonical forms", text)
		}
	}
}

func TestEncodeCanBeReadAlone(t *testing.T) {
	text := string(mustDecode(t, own).Encode())
	for _, row := range sim.Catalogue() {
		if got := strings.Contains(text, "\n  "+row.Name+": "); got == row.Technical {
			t.Errorf("%s: technical %v, in the file %v", row.Name, row.Technical, got)
		}
	}
	for _, line := range []string{"  # tax_policy\n", "  vat_rate: 0.1 # share of the net price\n", "  policy_rate_rule: fixed # " +
		"taylor, fixed\n"} {
		if !strings.Contains(text, line) {
			t.Errorf("no line %q in\n%s", line, text)
		}
	}
}

func TestHash(t *testing.T) {
	s := scenario.New("a", sim.Defaults())
	same := s
	same.Name, same.Description, same.DescriptionZH, same.Source = "b", "c", "d", "e"
	same.Params.MaxConcurrentTasks, same.BurnIn.MonitorInterval = 2, 3
	if same.Hash() != s.Hash() {
		t.Error("words or technical parameters change the hash")
	}
	for name, edit := range map[string]func(*scenario.Scenario){
		"vat_rate":         func(s *scenario.Scenario) { s.Params.VATRate = .1 },
		"burn-in vat_rate": func(s *scenario.Scenario) { s.BurnIn.VATRate = .1 },
		"num_iterations":   func(s *scenario.Scenario) { s.Params.NumIterations = 7 },
		"random_state":     func(s *scenario.Scenario) { s.Params.RandomState = 7 },
	} {
		other := s
		edit(&other)
		if other.Hash() == s.Hash() {
			t.Errorf("%s does not change the hash", name)
		}
	}
}

func TestBurnInKey(t *testing.T) {
	base := mustDecode(t, "{}")
	for _, c := range []struct {
		text string
		same bool
	}{
		{"parameters: {vat_rate: 0.1, confidence_shock: -0.02}", true},
		{"parameters: {num_iterations: 7, random_state: 7, max_concurrent_tasks: 2}", true},
		{"parameters: {vat_rate: 0.1}\nburn_in: {own: true}", false},
		{"burn_in: {parameters: {vat_rate: 0.1}}", false},
		{"parameters: {num_households: 5000}", false},
		{"parameters: {burn_in_months: 7}", false},
	} {
		s := mustDecode(t, c.text)
		if got := s.BurnInKey(1) == base.BurnInKey(1); got != c.same {
			t.Errorf("%q: same key as the baseline is %v", c.text, got)
		}
		if s.BurnInKey(1) == s.BurnInKey(2) {
			t.Errorf("%q: the seed does not change the key", c.text)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		"", own, own + "burn_in: {own: true}", "a:\n\tb", "parameters: {vat_rate: 0.1}\nburn_in: {parameters: {vat_rate: 0.2}}",
		"parameters: &a {vat_rate: !!float 0x1}\nburn_in: *a", "%YAML 1.2\n---\n{}", "? [a]\n: b",
		"source: >+\n\n x\n\n", "source: >+\n\n", "<<: {}",
		"description: !!binary aGk=", "description: \"\\x85\\u2028 \\t\"", "parameters: {vat_rate: -0.0, benefit_months: 0o7}",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := scenario.Decode("fuzz", data)
		if err != nil {
			if _, ok := errors.AsType[*fault.Error](err); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		encoded := s.Encode()
		again, err := scenario.Decode("fuzz", encoded)
		if err != nil {
			t.Fatalf("canonical form: %v\n%.300s", err, encoded)
		}
		if again.Hash() != s.Hash() || again.Description != s.Description || again.Source != s.Source {
			t.Fatalf("%q changed on its way through\n%.300s", data, encoded)
		}
	})
}
