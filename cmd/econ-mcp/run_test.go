package main

import (
	"testing"

	"econ-mcp/internal/fault"
)

func TestStandard(t *testing.T) {
	for _, c := range []struct {
		settings     []setting
		replications int
		want         bool
	}{
		{nil, standardReplications, true},
		{[]setting{{"max_concurrent_tasks", "2"}}, standardReplications, true},
		{nil, 2, false},
		{[]setting{{"num_households", "5000"}}, standardReplications, false},
		{[]setting{{"num_iterations", "240"}}, standardReplications, false},
		{[]setting{{"vat_rate", "0.1"}}, standardReplications, false},
		{[]setting{{"random_state", "2"}}, standardReplications, false},
	} {
		settings := append([]setting{{"num_iterations", "600"}}, c.settings...)
		arms, err := choice{preset: "baseline", settings: settings}.arms()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := standard(arms[0].Scenario, c.replications); err != nil || got != c.want {
			t.Errorf("%v, %d replications: standard %v, %v", c.settings, c.replications, got, err)
		}
	}
}

func TestParseWindow(t *testing.T) {
	for _, c := range []struct {
		text     string
		from, to int
		kind     fault.Kind
	}{
		{"", 1, 120, ""},
		{"13:24", 13, 24, ""},
		{"120:120", 120, 120, ""},
		{"0:24", 0, 0, fault.OutOfRange},
		{"24:13", 0, 0, fault.OutOfRange},
		{"1:121", 0, 0, fault.OutOfRange},
		{"1-24", 0, 0, fault.WrongType},
		{"1:24x", 0, 0, fault.WrongType},
		{"1:2:3", 0, 0, fault.WrongType},
		{" 1:24", 0, 0, fault.WrongType},
		{"99999999999999999999:1", 0, 0, fault.WrongType},
	} {
		from, to, err := parseWindow(c.text, 120)
		if fault.KindOf(err) != c.kind || from != c.from || to != c.to {
			t.Errorf("parseWindow(%q) = %d, %d, %v; want %d, %d, %q", c.text, from, to, err, c.from, c.to, c.kind)
		}
	}
}
