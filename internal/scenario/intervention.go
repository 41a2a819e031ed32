package scenario

import (
	"errors"
	"strconv"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

func decodeInterventions(node *yaml.Node) ([]sim.Intervention, error) {
	if isNull(node) {
		return nil, nil
	}
	if node.Kind != yaml.SequenceNode {
		e := fault.New(fault.WrongType, "interventions", "interventions is %s", kindOf(node))
		e.Hint = "must be a list, each entry such as {target_month: 13, parameters: {vat_rate: 0.1}}"
		return nil, at(e, node)
	}
	var list []sim.Intervention
	for _, item := range node.Content {
		v, err := decodeIntervention(item)
		if err != nil {
			return nil, err
		}
		if err := v.Check(); err != nil {
			return nil, at(err, placeOf(err, item))
		}
		list = append(list, v)
	}
	if err := sim.CheckInterventions(list); err != nil {
		return nil, at(err, node)
	}
	return list, nil
}

// placeOf is the node of the field that an error is about, else the mapping.
func placeOf(err error, mapping *yaml.Node) *yaml.Node {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		for i := 0; i+1 < len(mapping.Content); i += 2 {
			if mapping.Content[i].Value == e.Field {
				return mapping.Content[i+1]
			}
		}
	}
	return mapping
}

func decodeIntervention(node *yaml.Node) (v sim.Intervention, err error) {
	entries, err := mapping(node, "an intervention")
	if err != nil {
		return v, err
	}
	for _, e := range entries {
		switch e.key.Value {
		case "description":
			v.Description, err = sentence(e)
		case "target_month":
			v.TargetMonth, err = wholeNumber(e)
		case "duration_months":
			v.DurationMonths, err = wholeNumber(e)
		case "ramp_months":
			v.RampMonths, err = wholeNumber(e)
		case "parameters":
			v.Parameters, err = decodeChanges(e.value)
		default:
			keys := []string{"description", "target_month", "duration_months", "ramp_months", "parameters"}
			err = at(fault.Unknown(fault.UnknownParameter, e.key.Value, keys), e.key)
		}
		if err != nil {
			return v, err
		}
	}
	return v, nil
}

func wholeNumber(e entry) (n int, err error) {
	if e.value.Kind != yaml.ScalarNode || e.value.ShortTag() != "!!int" || e.value.Decode(&n) != nil {
		return 0, at(fault.Type(e.key.Value, kindOf(e.value), "integer"), e.value)
	}
	return n, nil
}

func decodeChanges(node *yaml.Node) ([]sim.ParameterChange, error) {
	entries, err := mapping(node, "parameters")
	if err != nil {
		return nil, err
	}
	var changes []sim.ParameterChange
	for _, e := range entries {
		row, err := sim.Lookup(e.key.Value)
		if err != nil {
			return nil, at(err, e.key)
		}
		value, err := scalar(e.value, row)
		if err != nil {
			return nil, at(err, e.value)
		}
		change, err := sim.NewParameterChange(row.Name, value)
		if err != nil {
			return nil, at(err, e.value)
		}
		changes = append(changes, change)
	}
	return changes, nil
}

// interventionsNode is nil where nothing is planned.
func (s Scenario) interventionsNode() *yaml.Node {
	if len(s.Interventions) == 0 {
		return nil
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, v := range s.Interventions {
		node := &yaml.Node{Kind: yaml.MappingNode}
		if v.Description != "" {
			add(node, "description", prose(v.Description))
		}
		add(node, "target_month", plain(strconv.Itoa(v.TargetMonth)))
		if v.DurationMonths > 0 {
			add(node, "duration_months", plain(strconv.Itoa(v.DurationMonths)))
		}
		if v.RampMonths > 0 {
			add(node, "ramp_months", plain(strconv.Itoa(v.RampMonths)))
		}
		changes := &yaml.Node{Kind: yaml.MappingNode}
		for _, change := range v.Parameters {
			_, v := add(changes, change.Name, value(change.Value))
			if row, err := sim.Lookup(change.Name); err == nil {
				v.LineComment = row.Unit
			}
		}
		add(node, "parameters", changes)
		list.Content = append(list.Content, node)
	}
	return list
}
