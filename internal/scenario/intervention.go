package scenario

import (
	"errors"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/strict"
	"econ-mcp/sim"
)

// decodeInterventions reads a plan. Stored, its conditions are taken as they are: units were not
// checked when some were written.
func decodeInterventions(node *yaml.Node, stored bool) ([]sim.Intervention, error) {
	if strict.IsNull(node) {
		return nil, nil
	}
	if node.Kind != yaml.SequenceNode {
		return nil, strict.At(fault.New(fault.WrongType, "interventions", "interventions is %s", strict.KindOf(node)).
			WithHint("must be a list, each entry such as {target_month: 13, parameters: {vat_rate: 0.1}}"), node)
	}
	var list []sim.Intervention
	for _, item := range node.Content {
		v, err := decodeIntervention(item)
		if err != nil {
			return nil, err
		}
		if onlyRetired(item) {
			continue
		}
		if !stored {
			err = v.ReadConditions()
		}
		if err == nil {
			err = v.Check()
		}
		if err != nil {
			return nil, strict.At(err, placeOf(err, item))
		}
		list = append(list, v)
	}
	return list, nil
}

// onlyRetired says whether an intervention sets parameters, all of which an earlier model version had.
func onlyRetired(item *yaml.Node) bool {
	for pair := range slices.Chunk(item.Content, 2) {
		if pair[0].Value != "parameters" || pair[1].Kind != yaml.MappingNode {
			continue
		}
		names := slices.Collect(slices.Chunk(pair[1].Content, 2))
		return len(names) > 0 && !slices.ContainsFunc(names, func(name []*yaml.Node) bool {
			_, was := sim.Retired(name[0].Value)
			return !was
		})
	}
	return false
}

// placeOf is the node of the field that an error is about, else the mapping.
func placeOf(err error, mapping *yaml.Node) *yaml.Node {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		for pair := range slices.Chunk(mapping.Content, 2) {
			key, value := pair[0], pair[1]
			if key.Value == e.Field {
				return value
			}
			if key.Value == "parameters" && value.Kind == yaml.MappingNode {
				if inner := placeOf(err, value); inner != value {
					return inner
				}
			}
		}
	}
	return mapping
}

func decodeIntervention(node *yaml.Node) (v sim.Intervention, err error) {
	var parameters *yaml.Node
	name := string(sim.TypeParameterChange)
	err = strict.Fields{
		"type": &name, "description": &v.Description, "when": &v.When, "until": &v.Until, "target_month": &v.TargetMonth,
		"duration_months": &v.DurationMonths, "ramp_months": &v.RampMonths, "cancelled": &v.Cancelled, "parameters": &parameters,
	}.Read(node, "an intervention")
	v.Type = sim.InterventionType(name)
	if err != nil || parameters == nil { // which Check refuses
		return v, err
	}
	return v, decodeAction(parameters, &v)
}

// decodeAction reads the parameters of an intervention, whose form follows from its
// type: names and values of parameters, {policy, level}, {shock, size, persistence} or
// {group, amount}.
func decodeAction(node *yaml.Node, v *sim.Intervention) error {
	switch v.Type {
	case sim.TypePolicy:
		return strict.Fields{"level": &v.Policy.Level, "policy": &v.Policy.Policy}.Read(node, "parameters", "policy", "level")
	case sim.TypeShock:
		return strict.Fields{
			"industry": &v.Shock.Industry, "persistence": &v.Shock.Persistence, "shock": &v.Shock.Shock, "size": &v.Shock.Size,
		}.Read(node, "parameters", "shock", "size")
	case sim.TypeInjection:
		return strict.Fields{"amount": &v.Injection.Amount, "group": &v.Injection.Group}.Read(node, "parameters", "group", "amount")
	}
	return eachParameter(node, false, func(name string, value any) error {
		change, err := sim.NewParameterChange(name, value)
		v.Parameters = append(v.Parameters, change)
		return err
	})
}

// interventionsNode is nil where nothing is planned.
func (s Scenario) interventionsNode() *yaml.Node {
	if len(s.Interventions) == 0 {
		return nil
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, v := range s.Interventions {
		node := &yaml.Node{Kind: yaml.MappingNode}
		add(node, "description", Prose(v.Description))
		if v.Type != sim.TypeParameterChange {
			add(node, "type", plain(string(v.Type)))
		}
		add(node, "when", Prose(v.When))
		add(node, "until", Prose(v.Until))
		add(node, "target_month", plain(strconv.Itoa(v.TargetMonth)))
		if v.DurationMonths > 0 {
			add(node, "duration_months", plain(strconv.Itoa(v.DurationMonths)))
		}
		if v.RampMonths > 0 {
			add(node, "ramp_months", plain(strconv.Itoa(v.RampMonths)))
		}
		if v.Cancelled {
			add(node, "cancelled", plain("true"))
		}
		add(node, "parameters", actionNode(v))
		list.Content = append(list.Content, node)
	}
	return list
}

func actionNode(v sim.Intervention) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode}
	for name, x := range v.Action() {
		_, written := add(node, name, value(x))
		if row, err := sim.Lookup(name); err == nil && v.Type == sim.TypeParameterChange {
			written.LineComment = row.Unit
		}
	}
	return node
}
