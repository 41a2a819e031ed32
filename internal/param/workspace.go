package param

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Workspace is what one client edits: the parameters of the next start, the burn-in
// before it, the interventions planned in it, and the experiment that the client looks
// at. It is safe for many goroutines, and for several processes: what it tells is as of
// [Spaces.Open] or the last change, and changes add to those of others. Every change is
// whole or not at all: after an error nothing is different.
type Workspace struct {
	name   string
	lib    *Library
	keeper Keeper // nil = it lasts as long as the process

	mu       sync.Mutex
	state    state
	revision int64 // of the state, as it is kept
}

// state is a value: an edit changes a copy. Lists in it are never written to.
type state struct {
	scenario scenario.Scenario // without interventions
	planned  []Planned
	next     int // number of the next plan
	looking  string
}

// PlannedPrefix begins the identifiers of what is planned for the next start.
const PlannedPrefix = "planned/"

// IsPlanned says whether an identifier is of the form of what is planned for the next
// start. Those of the interventions of an experiment have three parts, also where the
// experiment is called planned.
func IsPlanned(id string) bool {
	return strings.HasPrefix(id, PlannedPrefix) && strings.Count(id, "/") == 1
}

// Planned is an intervention that waits for the next start.
type Planned struct {
	ID           string // planned/1, planned/2, …: never used twice in a workspace
	Intervention sim.Intervention
}

// Change is a parameter whose value is another now.
type Change struct {
	Name     string
	Old, New any // float64, int, bool or string
}

// Setting is a parameter that was set, and what is odd about its value.
type Setting struct {
	Change
	Warnings []string
}

// Check is what [Workspace.Validate] finds about one value.
type Check struct {
	Err      error // why it cannot be set: a [*fault.Error]
	Warnings []string
}

// CrossCheck is a rule between parameters that the values break.
type CrossCheck struct {
	Parameters []string
	Forbidden  bool // else it is a warning
	Message    string
}

// Validation is the verdict on a set of values.
type Validation struct {
	Valid  bool // could be set, together
	Values map[string]Check
	Cross  []CrossCheck
}

// Scenario is what the next start runs: values, burn-in and planned interventions.
func (w *Workspace) Scenario() scenario.Scenario {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state.full()
}

func (s *state) full() scenario.Scenario {
	full := s.scenario
	for _, p := range s.planned {
		full.Interventions = append(full.Interventions, p.Intervention)
	}
	return full
}

// edit changes a copy of the state that is kept, keeps it and puts it in the place of the
// old one.
func (w *Workspace) edit(ctx context.Context, change func(*state) error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	after := w.state
	if w.keeper == nil {
		if err := change(&after); err != nil {
			return err
		}
		w.state = after
		return nil
	}
	revision, err := w.keeper.EditWorkspace(ctx, w.name, func(data []byte, revision int64) ([]byte, error) {
		if revision != w.revision { // another process has edited it
			var err error
			if after, err = decodeState(data); err != nil {
				return nil, err
			}
		}
		if err := change(&after); err != nil {
			return nil, err
		}
		return after.encode(), nil
	})
	if err != nil {
		return err
	}
	w.state, w.revision = after, revision
	return nil
}

// refresh takes over what is kept, where another process has edited it.
func (w *Workspace) refresh(ctx context.Context) error {
	if w.keeper == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	data, revision, err := w.keeper.Workspace(ctx, w.name, w.revision)
	switch {
	case err != nil:
		return err
	case revision == 0: // it is new
		return fault.CheckFileName("workspace", w.name[strings.LastIndexByte(w.name, '/')+1:]) // what stands before is whose it is
	case revision == w.revision:
		return nil
	}
	s, err := decodeState(data)
	if err != nil {
		return err
	}
	w.state, w.revision = s, revision
	return nil
}

// setParams puts other parameters into force.
func (s *state) setParams(p sim.Params) {
	if p == s.scenario.Params {
		return
	}
	s.scenario = s.scenario.WithParams(p)
	s.undescribed()
}

// undescribed forgets what describes the scenario that was loaded: it is another now.
func (s *state) undescribed() {
	s.scenario.Description, s.scenario.DescriptionZH, s.scenario.Source = "", "", ""
}

// Set changes one parameter. The value is a number, boolean or text; errors are those of
// [sim.Params.Set] and [sim.Params.Validate]. Without warn, what is odd about the value
// is not looked for.
func (w *Workspace) Set(ctx context.Context, name string, value any, warn bool) (Setting, error) {
	settings, err := w.set(ctx, map[string]any{name: value}, warn, nil)
	if err != nil {
		return Setting{}, err
	}
	return settings[0], nil
}

// SetAll changes several parameters at once, or none, and answers in the order of their
// names. With a preset's name it also saves the workspace as that preset, which must be
// new and then is the caller's.
func (w *Workspace) SetAll(ctx context.Context, values map[string]any, preset string, by access.Caller) ([]Setting, error) {
	if preset == "" {
		return w.set(ctx, values, true, nil)
	}
	k := w.lib.presetFiles()
	release, err := w.lib.hold(k)
	if err != nil {
		return nil, err
	}
	defer release()
	c, err := w.lib.claim(ctx, k, preset, Saving{By: by})
	if err != nil {
		return nil, fault.In("scenario_name", err)
	}
	data, err := k.encode(preset, w.Scenario(), nil)
	if err == nil { // here and not in the edit, which must not use the store; the values change the size by a few bytes
		err = w.lib.note(ctx, c, len(data))
	}
	if err != nil {
		return nil, fault.In("scenario_name", err)
	}
	var saved Entry
	settings, err := w.set(ctx, values, true, func(s *state) error {
		data, err := k.encode(preset, s.full(), nil)
		if err == nil {
			saved, err = c.write(data)
		}
		return fault.In("scenario_name", err)
	})
	if err != nil && saved.Path != "" { // the workspace could not be kept
		err = errors.Join(err, os.Remove(saved.Path))
	}
	if err != nil {
		return nil, errors.Join(err, w.lib.forget(ctx, k))
	}
	return settings, nil
}

// set changes parameters and then does more, where that is given.
func (w *Workspace) set(ctx context.Context, values map[string]any, warn bool, more func(*state) error) (settings []Setting, err error) {
	err = w.edit(ctx, func(s *state) error {
		before := s.scenario.Params
		p, err := withValues(before, values)
		if err != nil {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(values)) {
			row, _ := sim.Lookup(name) // known: it was set
			setting := Setting{Change: Change{name, row.Value(&before), row.Value(&p)}}
			if warn {
				setting.Warnings = concerns(&p, name)
			}
			settings = append(settings, setting)
		}
		s.setParams(p)
		if more != nil {
			return more(s)
		}
		return nil
	})
	return settings, err
}

// withValues sets all values or none. The error is that of the first name that is
// refused, in the order of the alphabet, and names the others.
func withValues(p sim.Params, values map[string]any) (sim.Params, error) {
	var first *fault.Error
	var others []string
	for _, name := range slices.Sorted(maps.Keys(values)) {
		err := p.Set(name, values[name])
		if err == nil {
			continue
		}
		e, ok := errors.AsType[*fault.Error](err)
		switch {
		case !ok:
			return p, err
		case first == nil:
			first = e
		case len(others) < 20:
			others = append(others, e.Field)
		}
	}
	if first != nil {
		if len(others) > 0 {
			first.Message += " (also refused: " + strings.Join(others, ", ") + ")"
		}
		return p, first
	}
	return p, p.Validate()
}

// Validate says whether values could be set together, and what is odd about them, and
// changes nothing.
func (w *Workspace) Validate(values map[string]any) Validation {
	p := w.Scenario().Params
	v := Validation{Valid: true, Values: map[string]Check{}}
	for name, value := range values {
		err := p.Set(name, value)
		v.Values[name] = Check{Err: err}
		v.Valid = v.Valid && err == nil
	}
	for name, check := range v.Values {
		if check.Err == nil {
			check.Warnings = ownConcerns(&p, name)
			v.Values[name] = check
		}
	}
	if e, ok := errors.AsType[*fault.Error](p.Validate()); ok {
		v.Valid = false
		v.Cross = append(v.Cross, CrossCheck{[]string{e.Field}, true, e.Error()})
	}
	for _, r := range rules {
		if r.broken(&p) {
			v.Cross = append(v.Cross, CrossCheck{r.params, false, r.reason})
		}
	}
	return v
}

// Reset gives parameters their defaults again, or all of them and those of the burn-in
// where names is nil. It returns the names whose value it changed. Planned interventions
// stay.
func (w *Workspace) Reset(ctx context.Context, names []string) (reset []string, err error) {
	err = w.edit(ctx, func(s *state) error {
		before := s.scenario.Params
		p := before
		if names == nil {
			p = defaults
			s.scenario = fresh()
		}
		for _, name := range names {
			row, err := sim.Lookup(name)
			if err != nil {
				return err
			}
			if err := p.Set(name, row.Default); err != nil {
				return err
			}
		}
		if err := p.Validate(); err != nil {
			return err
		}
		for _, row := range sim.Catalogue() {
			if row.Value(&before) != row.Value(&p) {
				reset = append(reset, row.Name)
			}
		}
		s.setParams(p)
		return nil
	})
	return reset, err
}

// apply puts a scenario in the place of values, burn-in and plans, and returns what
// changed.
func (s *state) apply(to scenario.Scenario) ([]Change, error) {
	if err := to.Params.Validate(); err != nil {
		return nil, err
	}
	if err := sim.CheckInterventions(to.Interventions); err != nil {
		return nil, err
	}
	before := s.scenario.Params
	var changes []Change
	for _, row := range sim.Catalogue() {
		if old, now := row.Value(&before), row.Value(&to.Params); old != now {
			changes = append(changes, Change{row.Name, old, now})
		}
	}
	kept := s.planned
	s.planned = nil
	for i, v := range to.Interventions {
		if i < len(kept) && same(kept[i].Intervention, v) { // an overlay leaves those before it
			s.planned = append(s.planned, kept[i])
			continue
		}
		s.plan(v)
	}
	to.Interventions, to.CreatedAt = nil, time.Time{}
	s.scenario = to
	return changes, nil
}

// Plan adds an intervention to the next start and returns its identifier.
func (w *Workspace) Plan(ctx context.Context, v sim.Intervention) (id string, err error) {
	if err := v.Check(); err != nil {
		return "", err
	}
	v.Parameters = slices.Clone(v.Parameters)
	err = w.edit(ctx, func(s *state) error {
		if len(s.planned) >= sim.MaxInterventions {
			return fault.New(fault.LimitExceeded, "interventions", "%d interventions are planned; more are not allowed", len(s.planned)).
				WithHint("cancel some, or start the simulation")
		}
		id = s.plan(v)
		s.undescribed()
		return nil
	})
	return id, err
}

// plan adds to a copy of the list.
func (s *state) plan(v sim.Intervention) string {
	s.next++
	p := Planned{PlannedPrefix + strconv.Itoa(s.next), v}
	s.planned = append(slices.Clip(s.planned), p)
	return p.ID
}

// Planned lists what waits for the next start, in the order in which it was planned.
func (w *Workspace) Planned() []Planned {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.state.planned)
}

// Cancel takes one intervention out of the plan; an unknown identifier is not_found.
func (w *Workspace) Cancel(ctx context.Context, id string) error {
	return w.edit(ctx, func(s *state) error {
		i := slices.IndexFunc(s.planned, func(p Planned) bool { return p.ID == id })
		if i < 0 {
			var ids []string
			for _, p := range s.planned {
				ids = append(ids, p.ID)
			}
			return unknown("intervention_id", "intervention", id, ids)
		}
		s.planned = slices.Delete(slices.Clone(s.planned), i, i+1)
		s.undescribed()
		return nil
	})
}

// Started turns to an experiment that was started with what [Workspace.Scenario] gave:
// the planned interventions that it has are its own now, and are taken out of the plan. Their
// identifiers are returned.
func (w *Workspace) Started(ctx context.Context, experiment string, with scenario.Scenario) (taken []string, err error) {
	err = w.edit(ctx, func(s *state) error {
		s.looking, taken = experiment, nil
		s.planned = slices.DeleteFunc(slices.Clone(s.planned), func(p Planned) bool {
			its := slices.ContainsFunc(with.Interventions, func(v sim.Intervention) bool { return same(v, p.Intervention) })
			if its {
				taken = append(taken, p.ID)
			}
			return its
		})
		return nil
	})
	return taken, err
}

// Looking is the experiment that tools mean where none is named; empty at first.
func (w *Workspace) Looking() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.state.looking
}
