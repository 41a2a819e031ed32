package param

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Keeper keeps named workspaces beyond the life of the process, and for several processes
// at once: what one has edited, the others see by its revision, which every edit raises.
type Keeper interface {
	// EditWorkspace has change make what takes the place of what is kept (nil and 0 =
	// nothing), once, while nobody else edits, and returns the new revision.
	EditWorkspace(ctx context.Context, name string, change func(data []byte, revision int64) ([]byte, error)) (int64, error)
	// Workspace returns what is kept and its revision; no data where that is the known one.
	Workspace(ctx context.Context, name string, known int64) (data []byte, revision int64, err error)
}

// SessionPrefix begins the names of workspaces that end with a session and are not kept.
const SessionPrefix = "session:"

// mostKept is how many kept workspaces stay in memory. Others come back from the keeper.
const mostKept = 500

// Spaces are the workspaces of a server, by name. It is safe for many goroutines.
type Spaces struct {
	lib    *Library
	keeper Keeper

	mu   sync.Mutex
	open map[string]*Workspace // that nobody keeps: they last until Close
	kept map[string]*Workspace
}

// NewSpaces makes workspaces that load from and save to a library. A keeper of nil keeps
// nothing.
func NewSpaces(lib *Library, keeper Keeper) *Spaces {
	return &Spaces{lib: lib, keeper: keeper, open: map[string]*Workspace{}, kept: map[string]*Workspace{}}
}

// Open returns the workspace of a name: the one that is open, the one that was kept, or a
// fresh one with every parameter at its default. It is as its last edit left it, whichever
// process made that.
func (s *Spaces) Open(ctx context.Context, name string) (*Workspace, error) {
	if name == "" || len(name) > 200 {
		return nil, fault.New(fault.WrongType, "workspace", "a workspace's name has 1 to 200 bytes, not %d", len(name)).
			WithHint("choose a shorter name, or none")
	}
	w := s.named(name)
	if err := w.refresh(ctx); err != nil {
		return nil, err
	}
	return w, nil
}

// named finds or makes a workspace, as it was last seen.
func (s *Spaces) named(name string) *Workspace {
	s.mu.Lock()
	defer s.mu.Unlock()
	keeper, held := s.keeper, s.kept
	if keeper == nil || strings.HasPrefix(name, SessionPrefix) {
		keeper, held = nil, s.open
	}
	w := held[name]
	if w == nil {
		if len(s.kept) >= mostKept {
			clear(s.kept) // whoever works in one still may: edits go through the keeper
		}
		w = &Workspace{name: name, lib: s.lib, keeper: keeper, state: state{scenario: fresh()}}
		held[name] = w
	}
	return w
}

// Experiment is the experiment that a caller means: the one that is named, else the one
// that the workspace looks at.
func (s *Spaces) Experiment(ctx context.Context, workspace, named string) (string, error) {
	if named != "" {
		return named, nil
	}
	w, err := s.Open(ctx, workspace)
	if err != nil {
		return "", err
	}
	if name := w.Looking(); name != "" {
		return name, nil
	}
	return "", fault.New(fault.InvalidState, "experiment_name", "nothing has been started in this workspace").
		WithHint("start_simulation starts an experiment; list_history_experiments names those that are stored")
}

// Close forgets the workspace of a session that ended. A named one that is kept comes
// back with the next Open.
func (s *Spaces) Close(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.open, name)
	delete(s.kept, name)
}

// kept is the form in which a state is kept. Parameters stand by name, so that a program
// with another catalogue reads what it knows.
type kept struct {
	Name, Description, DescriptionZH, Source string
	Bands                                    []scenario.Band

	Parameters map[string]any
	BurnIn     map[string]any // live ones
	Planned    []Planned
	Next       int
	Looking    string
}

func (s *state) encode() []byte {
	from := &s.scenario
	k := kept{
		Name: from.Name, Description: from.Description, DescriptionZH: from.DescriptionZH, Source: from.Source, Bands: from.Bands,
		Parameters: map[string]any{}, BurnIn: map[string]any{}, Planned: s.planned, Next: s.next, Looking: s.looking,
	}
	for _, row := range sim.Catalogue() {
		k.Parameters[row.Name] = row.Value(&from.Params)
		if row.Live {
			k.BurnIn[row.Name] = row.Value(&from.BurnIn)
		}
	}
	data, err := json.Marshal(k)
	if err != nil {
		panic(err) // plain values always encode
	}
	return data
}

// decodeState reads what was kept, nil = nothing. Values and plans that this program's catalogue does
// not allow any more are left out.
func decodeState(data []byte) (state, error) {
	if data == nil {
		return state{scenario: fresh()}, nil
	}
	var k kept
	if err := json.Unmarshal(data, &k); err != nil {
		return state{}, fault.New(fault.InvalidState, "workspace", "what was kept of the workspace cannot be read: %v", err).
			WithHint("use a workspace of another name")
	}
	s := state{next: k.Next, looking: k.Looking}
	p, burnIn := defaults, defaults
	for name, value := range k.Parameters {
		_ = p.Set(name, value)
	}
	for name, value := range k.BurnIn {
		_ = burnIn.Set(name, value)
	}
	if p.Validate() != nil { // sizes that do not fit together any more
		p = keepLive(p)
	}
	s.scenario = scenario.Scenario{
		Name: k.Name, Description: k.Description, DescriptionZH: k.DescriptionZH, Source: k.Source, Bands: k.Bands, BurnIn: burnIn,
	}.WithParams(p)
	for _, plan := range k.Planned {
		if v, err := typed(plan.Intervention); err == nil {
			s.planned = append(s.planned, Planned{plan.ID, v})
		}
	}
	return s, nil
}

// keepLive has the defaults of all parameters that are not live.
func keepLive(p sim.Params) sim.Params {
	return scenario.Scenario{BurnIn: p}.WithParams(defaults).BurnIn
}

// typed gives the values of an intervention the types that JSON has lost.
func typed(v sim.Intervention) (sim.Intervention, error) {
	for i, change := range v.Parameters {
		var err error
		if v.Parameters[i], err = sim.NewParameterChange(change.Name, change.Value); err != nil {
			return v, err
		}
	}
	return v, v.Check()
}
