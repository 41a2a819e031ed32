package param

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"

	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Loaded is what came of loading a preset or config.
type Loaded struct {
	Entry
	Scenario      scenario.Scenario // what the workspace has, or would have
	Applied       bool
	Changes       []Change // parameters of the workspace whose value is another now
	Interventions []Planned
	Warnings      []string
}

// Saved is what came of saving the workspace.
type Saved struct {
	Entry
	Hash          string // of the scenario in the file
	Interventions int
}

// LoadPreset reads a preset. Applied, it takes the place of values, burn-in and planned
// interventions.
func (w *Workspace) LoadPreset(ctx context.Context, name string, apply bool) (Loaded, error) {
	if !apply {
		s, e, err := w.lib.Preset(name)
		return Loaded{Entry: e, Scenario: s}, err
	}
	return w.load(ctx, func(*state) (scenario.Scenario, Entry, error) { return w.lib.Preset(name) })
}

// LoadConfig reads a config into the workspace: in the place of values, burn-in and
// planned interventions or, as an overlay, on them: what the file names changes, and its
// interventions come after those that are planned. An error in the file says line and
// column.
func (w *Workspace) LoadConfig(ctx context.Context, name string, overlay bool) (Loaded, error) {
	return w.load(ctx, func(s *state) (scenario.Scenario, Entry, error) {
		base := fresh()
		if overlay {
			base = s.full()
		}
		loaded, e, err := w.lib.config(name, base)
		if overlay && err == nil {
			loaded.Name = base.Name // a mixture is not what the file describes
			loaded.Description, loaded.DescriptionZH, loaded.Source = "", "", ""
		}
		return loaded, e, err
	})
}

func (w *Workspace) load(ctx context.Context, read func(*state) (scenario.Scenario, Entry, error)) (loaded Loaded, err error) {
	err = w.edit(ctx, func(s *state) error {
		file, e, err := read(s)
		if err != nil {
			return err
		}
		loaded = Loaded{Entry: e, Scenario: file, Applied: true}
		if loaded.Changes, err = s.apply(file); err != nil {
			return err
		}
		loaded.Interventions = slices.Clone(s.planned)
		for _, name := range e.Parameters {
			if row, err := sim.Lookup(name); err == nil && row.Value(&file.Params) != row.Default {
				loaded.Warnings = append(loaded.Warnings, ownConcerns(&file.Params, name)...)
			}
		}
		for _, idle := range sim.IdleInterventions(file.Params, file.Interventions) {
			loaded.Warnings = append(loaded.Warnings, fmt.Sprintf("intervention %d: %s", idle.Index+1, idle.Reason.EN))
		}
		for _, r := range rules {
			if r.broken(&file.Params) {
				loaded.Warnings = append(loaded.Warnings, r.reason)
			}
		}
		return nil
	})
	return loaded, err
}

// SaveConfig writes the workspace as a config: all parameters, the burn-in and what is
// planned. An empty description keeps that of the scenario that was loaded, if nothing
// was changed.
func (w *Workspace) SaveConfig(ctx context.Context, name, description string, as Saving) (Saved, error) {
	s := described(w.Scenario(), description)
	e, err := w.lib.SaveConfig(ctx, name, s, as)
	return Saved{e, s.Hash(), len(s.Interventions)}, err
}

// SavePreset writes the workspace as a preset or, with values, a preset that has these
// parameters and the defaults otherwise, and no plans.
func (w *Workspace) SavePreset(ctx context.Context, name, description string, values map[string]any, as Saving) (Saved, error) {
	s := w.Scenario()
	var only []string
	if values != nil {
		p, err := withValues(defaults, values)
		if err != nil {
			return Saved{}, err
		}
		s, only = scenario.New(name, p), slices.AppendSeq([]string{}, maps.Keys(values))
	}
	s = described(s, description)
	e, err := w.lib.SavePreset(ctx, name, s, only, as)
	return Saved{e, s.Hash(), len(s.Interventions)}, err
}

func described(s scenario.Scenario, description string) scenario.Scenario {
	if description != "" {
		s.Description, s.DescriptionZH = description, ""
	}
	return s
}

func same(a, b sim.Intervention) bool { return reflect.DeepEqual(a, b) }
