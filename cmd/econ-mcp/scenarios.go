package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/term"
	"econ-mcp/presets"
)

// choice says which scenarios to simulate.
type choice struct {
	preset, config, control string
	settings                []setting
}

// arms returns one arm, named after its scenario, or the control and the
// treatment.
//
// A setting of a live parameter holds in the experiment of the treatment only;
// the burn-in keeps what the scenario says, so that the change comes in month
// 1. A parameter that is not live must hold from the start: it is set in the
// treatment's burn-in too. Sizes, months, seed and technical parameters are
// shared by both arms, or the difference between them would be one of size or
// chance: the control takes them from the treatment.
func (c choice) arms() ([]lab.Arm, error) {
	treatment, err := c.load()
	if err != nil {
		return nil, err
	}
	for _, s := range c.settings {
		if err := s.apply(&treatment); err != nil {
			return nil, err
		}
	}
	if err := treatment.Validate(); err != nil {
		return nil, err
	}
	if c.control == "" {
		return []lab.Arm{{Name: treatment.Name, Scenario: treatment}}, nil
	}
	control, err := c.loadControl(treatment)
	if err != nil {
		return nil, err
	}
	arms, err := lab.Twins(treatment, control)
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Kind == fault.Conflict && e.Field == "control" {
		e.Field, e.Hint = "--control", "choose another --preset, or change a parameter with --set"
	}
	return arms, err
}

// loadControl reads the scenario that --control names.
func (c choice) loadControl(treatment scenario.Scenario) (scenario.Scenario, error) {
	if c.control == lab.BurnInControl {
		return lab.Continued(treatment), nil
	}
	if isYAML(c.control) {
		return scenarioFile("--control", c.control)
	}
	control, err := presets.Load(c.control)
	if e, ok := errors.AsType[*fault.Error](err); ok {
		e.Allowed = append(e.Allowed, lab.BurnInControl)
	}
	return control, err
}

// load reads the scenario that --preset or --config names.
func (c choice) load() (scenario.Scenario, error) {
	if c.config == "" {
		return presets.Load(c.preset)
	}
	return scenarioFile("--config", c.config)
}

// isYAML says whether a name is that of a file rather than of a scenario.
func isYAML(name string) bool {
	return slices.Contains([]string{".yaml", ".yml"}, strings.ToLower(filepath.Ext(name)))
}

// scenarioFile reads the scenario of a file that a flag names.
func scenarioFile(flag, path string) (scenario.Scenario, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return scenario.Scenario{}, unusable(flag, path, err)
	}
	name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	return scenario.Decode(term.Printable(name), data)
}

// unusable says why a file or folder that the caller named cannot be used.
func unusable(flag, path string, err error) error {
	reason := err
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		reason = e.Err
	}
	kind, hint := fault.InvalidState, "check the path of "+flag
	switch {
	case errors.Is(err, fs.ErrNotExist):
		kind = fault.NotFound
	case errors.Is(err, fs.ErrPermission):
		hint = "check who may use it, or choose another place for " + flag
	}
	return fault.New(kind, flag, "cannot use %s: %v", path, reason).WithHint(hint)
}
