package main

import (
	"strings"
	"testing"

	"econ-mcp/internal/fault"
)

func TestStandard(t *testing.T) {
	for args, want := range map[string]bool{
		"":                              true,
		"--threads 2 --json --no-cache": true,
		"--out file":                    true,
		"--replications 2":              false,
		"--households 5000":             false,
		"--months 240":                  false,
		"--set vat_rate=0.1":            false,
		"--preset crisis":               false,
		"--seed 2":                      false,
	} {
		cmd := newValidate()
		if err := cmd.ParseFlags(strings.Fields(args)); err != nil {
			t.Fatal(err)
		}
		if got := standard(cmd); got != want {
			t.Errorf("validate %s: standard %v", args, got)
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
