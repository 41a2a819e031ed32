package scenario

import (
	"cmp"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/strict"
	"econ-mcp/sim"
)

// Decode reads a scenario file. Every error is a [*fault.Error] that says in
// which line and column.
func Decode(name string, data []byte) (Scenario, error) {
	s, _, err := Overlay(New("", sim.Defaults()), name, data)
	return s, err
}

// DecodeStored reads what [Scenario.Encode] wrote when something was simulated, by this program or an
// older one, and gives it the hash that it had: its conditions are taken as they are.
func DecodeStored(name string, data []byte) (Scenario, error) {
	s, _, err := overlay(New("", sim.Defaults()), name, data, true)
	return s, err
}

// Overlay reads a scenario file as a change of a scenario: what the file names replaces
// what base has, interventions come after those of base, and words are the file's. It
// also returns the names under parameters, in the file's order. Errors are those of
// [Decode]; base is left as it was.
func Overlay(base Scenario, name string, data []byte) (s Scenario, named []string, err error) {
	return overlay(base, name, data, false)
}

func overlay(base Scenario, name string, data []byte, stored bool) (s Scenario, named []string, err error) {
	root, err := strict.Parse(data, "parameters: {}")
	if err == nil {
		err = misplaced(root)
	}
	if err != nil {
		return Scenario{}, nil, err
	}
	s = Scenario{Name: name, Params: base.Params, Bands: base.Bands}
	var parameters, burnIn, interventions, bands *yaml.Node
	err = strict.Fields{
		"description": &s.Description, "description_zh": &s.DescriptionZH, "source": &s.Source, "created_at": &s.CreatedAt,
		"parameters": &parameters, "burn_in": &burnIn, "interventions": &interventions, "bands": &bands,
	}.Read(root, "the file")
	if err != nil {
		return Scenario{}, nil, err
	}
	if bands != nil {
		if s.Bands, err = decodeBands(bands); err != nil {
			return Scenario{}, nil, err
		}
	}
	if err := decodeParameters(parameters, &s.Params, false); err != nil {
		return Scenario{}, nil, err
	}
	if err := s.Params.Validate(); err != nil {
		return Scenario{}, nil, strict.At(err, cmp.Or(parameters, root))
	}
	if s.BurnIn, err = decodeBurnIn(burnIn, s.Params, base.BurnIn); err != nil {
		return Scenario{}, nil, err
	}
	list, err := decodeInterventions(interventions, stored)
	if err != nil {
		return Scenario{}, nil, err
	}
	s.Interventions = slices.Concat(base.Interventions, list)
	if n := len(s.Interventions); n > sim.MaxInterventions {
		return Scenario{}, nil, strict.At(
			fault.New(fault.LimitExceeded, "interventions", "%d interventions; at most %d are allowed", n, sim.MaxInterventions).
				WithHint("leave some out"), interventions)
	}
	return s, strict.Keys(parameters), nil
}

// misplaced refuses a parameter beside parameters.
func misplaced(root *yaml.Node) error {
	if root.Kind != yaml.MappingNode {
		return nil // which is refused with what it is
	}
	for pair := range slices.Chunk(root.Content, 2) {
		if slices.Contains(topKeys, pair[0].Value) { // a look-up that fails costs a search for the nearest name
			continue
		}
		if _, err := sim.Lookup(pair[0].Value); err == nil {
			e := fault.Unknown(fault.UnknownParameter, "key", pair[0].Value, topKeys).WithHint("write it under parameters")
			e.Allowed = topKeys
			return strict.At(e, pair[0])
		}
	}
	return nil
}

// topKeys are those of a file.
var topKeys = []string{"description", "description_zh", "source", "created_at", "parameters", "burn_in", "interventions", "bands"}

// decodeParameters sets the parameters that a mapping names, which must be live where that is
// asked for.
func decodeParameters(node *yaml.Node, p *sim.Params, live bool) error {
	if strict.IsNull(node) {
		return nil
	}
	return eachParameter(node, live, p.Set)
}

// toldRetired are the retired parameters of which the log has been told: once each is enough.
var toldRetired sync.Map

// eachParameter calls f with the names and values of parameters in a mapping.
func eachParameter(node *yaml.Node, live bool, f func(name string, value any) error) error {
	entries, err := strict.Mapping(node, "parameters")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if instead, was := sim.Retired(e.Key.Value); was {
			if _, told := toldRetired.LoadOrStore(e.Key.Value, true); !told {
				slog.Warn("a parameter of an earlier model version is left out", "parameter", e.Key.Value, "hint", instead)
			}
			continue
		}
		row, err := sim.Lookup(e.Key.Value)
		if err == nil && live && !row.Live {
			err = fault.New(fault.Conflict, row.Name, "%s cannot change between burn-in and experiment", row.Name).
				WithHint("set it under parameters, for both")
		}
		if err != nil {
			return strict.At(err, e.Key)
		}
		v, err := scalar(e.Value, row)
		if err == nil {
			err = f(row.Name, v)
		}
		if err != nil {
			return strict.At(err, e.Value)
		}
	}
	return nil
}

// scalar reads a value as YAML types it: a quoted number is text.
func scalar(node *yaml.Node, row sim.Parameter) (any, error) {
	wrongType := fault.Type(row.Name, strict.KindOf(node), string(row.Type))
	if node.Kind == yaml.MappingNode && row.Type == sim.TypeSchedule {
		return rates(node, row)
	}
	if node.Kind != yaml.ScalarNode {
		return nil, wrongType
	}
	tag := node.ShortTag()
	switch {
	case tag == "!!str" && (row.Type == sim.TypeChoice || row.Type == sim.TypeSchedule):
		return node.Value, nil
	case tag == "!!int" || tag == "!!float" || tag == "!!bool":
		var v any
		if err := node.Decode(&v); err != nil {
			return nil, wrongType
		}
		return v, nil
	}
	return nil, wrongType
}

// rates reads a schedule that is written as a mapping.
func rates(node *yaml.Node, row sim.Parameter) (any, error) {
	entries, err := strict.Mapping(node, row.Name)
	if err != nil {
		return nil, err
	}
	var pairs []string
	for _, e := range entries {
		if tag := e.Value.ShortTag(); e.Value.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" {
			return nil, fault.Type(row.Name, strict.KindOf(e.Value), "number")
		}
		pairs = append(pairs, e.Key.Value+": "+e.Value.Value)
	}
	return strings.Join(pairs, ", "), nil
}

// decodeBurnIn starts from the live parameters of base; those that are not live are the
// experiment's own.
func decodeBurnIn(node *yaml.Node, own, base sim.Params) (sim.Params, error) {
	p := burnInOf(own, base)
	if strict.IsNull(node) {
		return p, nil
	}
	var useOwn bool
	var parameters *yaml.Node
	fields := strict.Fields{"own": &useOwn, "parameters": &parameters}
	if err := fields.Read(node, "burn_in"); err != nil {
		return p, err
	}
	if len(strict.Keys(node)) > 1 {
		return p, strict.At(fault.New(fault.Conflict, "burn_in", "burn_in has both own and parameters").WithHint("keep one of them"), node)
	}
	if useOwn {
		p = own
	}
	if err := decodeParameters(parameters, &p, true); err != nil {
		return p, err
	}
	if err := p.Validate(); err != nil {
		return p, strict.At(err, node)
	}
	return p, nil
}
