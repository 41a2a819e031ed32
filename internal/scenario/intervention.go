package scenario

import (
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"

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
			key, value := mapping.Content[i], mapping.Content[i+1]
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
	entries, err := mapping(node, "an intervention")
	if err != nil {
		return v, err
	}
	var parameters *entry
	v.Type = sim.TypeParameterChange
	for _, e := range entries {
		switch e.key.Value {
		case "type":
			var name string
			name, err = sentence(e)
			v.Type = sim.InterventionType(name)
		case "when":
			v.When, err = sentence(e)
		case "description":
			v.Description, err = sentence(e)
		case "target_month":
			v.TargetMonth, err = wholeNumber(e)
		case "duration_months":
			v.DurationMonths, err = wholeNumber(e)
		case "ramp_months":
			v.RampMonths, err = wholeNumber(e)
		case "cancelled":
			v.Cancelled, err = truth(e)
		case "parameters":
			parameters = &e
		default:
			keys := []string{"type", "description", "when", "target_month", "duration_months", "ramp_months", "cancelled", "parameters"}
			err = at(fault.Unknown(fault.UnknownParameter, e.key.Value, keys), e.key)
		}
		if err != nil {
			return v, err
		}
	}
	if parameters == nil {
		return v, nil // which Check refuses
	}
	return v, decodeAction(parameters.value, &v)
}

// decodeAction reads the parameters of an intervention, whose form follows from its
// type: names and values of parameters, {policy, level}, {shock, size, persistence} or
// {group, amount}.
func decodeAction(node *yaml.Node, v *sim.Intervention) (err error) {
	switch v.Type {
	case sim.TypePolicy:
		return decodeFields(node, fields{"policy": &v.Policy.Policy, "level": &v.Policy.Level}, "policy", "level")
	case sim.TypeShock:
		return decodeFields(node, fields{"shock": &v.Shock.Shock, "size": &v.Shock.Size, "persistence": &v.Shock.Persistence, "industry": &v.Shock.Industry}, "shock", "size")
	case sim.TypeInjection:
		return decodeFields(node, fields{"group": &v.Injection.Group, "amount": &v.Injection.Amount}, "group", "amount")
	}
	v.Parameters, err = decodeChanges(node)
	return err
}

// fields are the addresses of the values of a mapping: *string or *float64.
type fields map[string]any

// decodeFields reads a mapping, in which the required keys must stand.
func decodeFields(node *yaml.Node, into fields, required ...string) error {
	entries, err := mapping(node, "parameters")
	if err != nil {
		return err
	}
	given := map[string]bool{}
	for _, e := range entries {
		given[e.key.Value] = true
		switch field := into[e.key.Value].(type) {
		case *string:
			*field, err = sentence(e)
		case *float64:
			tag := e.value.ShortTag()
			if e.value.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" || e.value.Decode(field) != nil {
				err = at(fault.Type(e.key.Value, kindOf(e.value), "number"), e.value)
			}
		default:
			err = at(fault.Unknown(fault.UnknownParameter, e.key.Value, slices.Sorted(maps.Keys(into))), e.key)
		}
		if err != nil {
			return err
		}
	}
	for _, name := range required {
		if !given[name] {
			e := fault.New(fault.WrongType, name, "%s is missing", name)
			e.Hint = "needed are " + strings.Join(required, ", ")
			return at(e, node)
		}
	}
	return nil
}

func wholeNumber(e entry) (n int, err error) {
	if e.value.Kind != yaml.ScalarNode || e.value.ShortTag() != "!!int" || e.value.Decode(&n) != nil {
		return 0, at(fault.Type(e.key.Value, kindOf(e.value), "integer"), e.value)
	}
	return n, nil
}

func truth(e entry) (b bool, err error) {
	if e.value.Kind != yaml.ScalarNode || e.value.ShortTag() != "!!bool" || e.value.Decode(&b) != nil {
		return false, at(fault.Type(e.key.Value, kindOf(e.value), "boolean"), e.value)
	}
	return b, nil
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
		if v.Type != sim.TypeParameterChange {
			add(node, "type", plain(string(v.Type)))
		}
		if v.When != "" {
			add(node, "when", prose(v.When))
		}
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
	switch v.Type {
	case sim.TypePolicy:
		add(node, "policy", plain(v.Policy.Policy))
		add(node, "level", value(v.Policy.Level))
	case sim.TypeShock:
		add(node, "shock", plain(v.Shock.Shock))
		add(node, "size", value(v.Shock.Size))
		add(node, "persistence", value(v.Shock.Persistence))
		if v.Shock.Industry != "" {
			add(node, "industry", prose(v.Shock.Industry))
		}
	case sim.TypeInjection:
		add(node, "group", prose(v.Injection.Group))
		add(node, "amount", value(v.Injection.Amount))
	default:
		for _, change := range v.Parameters {
			_, v := add(node, change.Name, value(change.Value))
			if row, err := sim.Lookup(change.Name); err == nil {
				v.LineComment = row.Unit
			}
		}
	}
	return node
}
