package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

// setting is one parameter's value as the command line gives it; the catalogue
// parses and checks it.
type setting struct {
	parameter string
	text      string
}

// settingFlag is a flag that sets one parameter.
type settingFlag struct {
	setting
	given bool
}

// Set implements pflag.Value.
func (f *settingFlag) Set(text string) error {
	f.text, f.given = text, true
	return nil
}

// String implements pflag.Value.
func (f *settingFlag) String() string { return f.text }

// Type implements pflag.Value.
func (f *settingFlag) Type() string { return "int" }

// settingFlags are the flags that are short for a parameter.
type settingFlags []*settingFlag

// add declares a flag for the parameter.
func (s *settingFlags) add(flags *pflag.FlagSet, name, parameter, usage string) {
	f := &settingFlag{setting: setting{parameter: parameter}}
	*s = append(*s, f)
	flags.Var(f, name, fmt.Sprintf("%s (%s)", usage, parameter))
}

// given lists the settings on the command line: those of flags first, then
// those of --set, in order.
func (s settingFlags) given(pairs []string) ([]setting, error) {
	var out []setting
	for _, f := range s {
		if f.given {
			out = append(out, f.setting)
		}
	}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		if !ok || name == "" || value == "" {
			err := fault.New(fault.WrongType, "--set", "--set %q is not of the form name=value", pair)
			err.Hint = "for example --set vat_rate=0.1"
			return nil, err
		}
		out = append(out, setting{strings.TrimSpace(name), strings.TrimSpace(value)})
	}
	return out, nil
}

// apply sets the parameter in all of the given sets.
func (s setting) apply(params ...*sim.Params) error {
	for _, p := range params {
		if err := p.Set(s.parameter, s.text); err != nil {
			return err
		}
	}
	return nil
}
