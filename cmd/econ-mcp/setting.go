package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
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
	name  string
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

// settingFlags are the flags that set a parameter, such as --months.
type settingFlags []*settingFlag

// add declares a flag for the parameter.
func (s *settingFlags) add(flags *pflag.FlagSet, name, parameter, usage string) {
	f := &settingFlag{name: name, setting: setting{parameter: parameter}}
	*s = append(*s, f)
	flags.Var(f, name, fmt.Sprintf("%s (%s)", usage, parameter))
}

// given lists the settings on the command line: those of flags first, then
// those of --set, in order. No parameter is set twice.
func (s settingFlags) given(pairs []string) ([]setting, error) {
	var out []setting
	by := make(map[string]string) // parameter -> what set it
	for _, f := range s {
		if f.given {
			out = append(out, f.setting)
			by[f.parameter] = "--" + f.name
		}
	}
	for _, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || value == "" {
			return nil, fault.New(fault.WrongType, "--set", "--set %q is not of the form name=value", pair).
				WithHint("for example --set vat_rate=0.1")
		}
		if first := by[name]; first != "" {
			return nil, fault.New(fault.Conflict, name, "%s and --set %s=%s set the same parameter", first, name, value).WithHint("set it once")
		}
		by[name] = "--set " + pair
		out = append(out, setting{name, value})
	}
	return out, nil
}

// on applies the settings of the command line to parameters, and checks them.
func (s settingFlags) on(p sim.Params, pairs []string) (sim.Params, error) {
	settings, err := s.given(pairs)
	if err != nil {
		return p, err
	}
	for _, setting := range settings {
		if err := p.Set(setting.parameter, setting.text); err != nil {
			return p, err
		}
	}
	return p, p.Validate()
}

// jsonFlag adds --json to a command that has --format, so that all commands have it.
func jsonFlag(flags *pflag.FlagSet) {
	flags.BoolFunc("json", "the same as --format json", func(text string) error {
		if text != "true" {
			return nil
		}
		return flags.Set("format", "json")
	})
}

// checkChoice refuses a value of a flag that is none of its choices.
func checkChoice(flag, value string, choices ...string) error {
	if slices.Contains(choices, value) {
		return nil
	}
	return fault.Range(flag, value, choices...)
}

// refuseEmpty refuses flags that were given without a value, as by a variable
// of a script that is not set.
func refuseEmpty(flags *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if f := flags.Lookup(name); f.Changed && f.Value.String() == "" {
			return fault.New(fault.WrongType, "--"+name, "--%s is empty", name).WithHint("give it a value or leave it out")
		}
	}
	return nil
}

// apply sets the parameter in the experiment, and in the burn-in too unless it may change after it.
func (s setting) apply(to *scenario.Scenario) error {
	if err := to.Params.Set(s.parameter, s.text); err != nil {
		return err
	}
	if row, _ := sim.Lookup(s.parameter); row.Live { // it was just set
		return nil
	}
	return to.BurnIn.Set(s.parameter, s.text)
}
