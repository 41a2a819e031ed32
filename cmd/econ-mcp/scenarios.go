package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// Names of the arms in tables and files.
const (
	controlArm   = "control"
	treatmentArm = "treatment"
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
// luck: the control takes them from the treatment.
func (c choice) arms() ([]lab.Arm, error) {
	treatment, err := c.load()
	if err != nil {
		return nil, err
	}
	for _, s := range c.settings {
		if err := s.applyTo(&treatment); err != nil {
			return nil, err
		}
	}
	if err := validate(treatment); err != nil {
		return nil, err
	}
	if c.control == "" {
		return []lab.Arm{{Name: treatment.Name, Scenario: treatment}}, nil
	}
	control, err := c.loadControl(treatment)
	if err != nil {
		return nil, err
	}
	if err := shareSizes(treatment, &control); err != nil {
		return nil, err
	}
	if err := validate(control); err != nil {
		return nil, err
	}
	same := treatment
	same.BurnIn = control.BurnIn // both start from the control's burnt-in state
	if same.Hash() == control.Hash() {
		err := fault.New(fault.Conflict, "--control", "treatment and control %q are the same economy", c.control)
		err.Hint = "choose another --preset, or change a parameter with --set"
		return nil, err
	}
	return []lab.Arm{{Name: controlArm, Scenario: control}, {Name: treatmentArm, Scenario: treatment}}, nil
}

// burnInControl names the control that goes on as the treatment's burn-in was, with
// nothing planned.
const burnInControl = "burn-in"

// loadControl reads the scenario that --control names.
func (c choice) loadControl(treatment scenario.Scenario) (scenario.Scenario, error) {
	if c.control == burnInControl {
		return scenario.Scenario{Name: burnInControl, Params: treatment.BurnIn, BurnIn: treatment.BurnIn}, nil
	}
	control, err := presets.Load(c.control)
	if e, ok := errors.AsType[*fault.Error](err); ok {
		e.Allowed = append(e.Allowed, burnInControl)
	}
	return control, err
}

// load reads the scenario that --preset or --config names.
func (c choice) load() (scenario.Scenario, error) {
	if c.config == "" {
		return presets.Load(c.preset)
	}
	data, err := os.ReadFile(c.config)
	if err != nil {
		return scenario.Scenario{}, unusable("--config", c.config, err)
	}
	name := strings.TrimSuffix(filepath.Base(c.config), filepath.Ext(c.config))
	return scenario.Decode(printable(name), data)
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
	out := fault.New(kind, flag, "cannot use %s: %v", path, reason)
	out.Hint = hint
	return out
}

// applyTo sets the parameter where it has to hold.
func (s setting) applyTo(sc *scenario.Scenario) error {
	row, err := sim.Lookup(s.parameter)
	if err != nil {
		return err
	}
	if row.Live {
		return s.apply(&sc.Params)
	}
	return s.apply(&sc.Params, &sc.BurnIn)
}

// shareSizes gives the control the treatment's sizes, months, seed and technical
// parameters.
func shareSizes(treatment scenario.Scenario, control *scenario.Scenario) error {
	for _, row := range sim.Catalogue() {
		if row.Category != "system_scale" && !row.Technical {
			continue
		}
		value, err := treatment.Params.Get(row.Name)
		if err != nil {
			return err
		}
		for _, p := range []*sim.Params{&control.Params, &control.BurnIn} {
			if err := p.Set(row.Name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

func validate(s scenario.Scenario) error {
	if err := s.Params.Validate(); err != nil {
		return err
	}
	return s.BurnIn.Validate()
}
