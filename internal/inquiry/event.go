package inquiry

import (
	"cmp"
	"errors"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/strict"
	"econ-mcp/sim"
)

// decodeEvents reads what happens.
func decodeEvents(node *yaml.Node) ([]sim.Intervention, error) {
	if strict.IsNull(node) {
		return nil, nil
	}
	if node.Kind != yaml.SequenceNode {
		return nil, strict.At(fault.New(fault.WrongType, "events", "events is %s", strict.KindOf(node)).
			WithHint("must be a list, each entry such as {set: {vat_rate: 10%}, from: 13}"), node)
	}
	var list []sim.Intervention
	for _, item := range node.Content {
		v, err := decodeEvent(item, "an event")
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func decodeEvent(node *yaml.Node, what string) (sim.Intervention, error) {
	v := sim.Intervention{TargetMonth: 1}
	var set, level, size, amount, persistence *yaml.Node
	fields := strict.Fields{
		"set": &set, "policy": &v.Policy.Policy, "level": &level, "shock": &v.Shock.Shock, "size": &size, "persistence": &persistence,
		"industry": &v.Shock.Industry, "pay": &v.Injection.Group, "amount": &amount, "ramp": &v.RampMonths,
	}
	if what != doOfRule {
		fields["from"], fields["for"], fields["when"] = &v.TargetMonth, &v.DurationMonths, &v.When
	}
	err := fields.Read(node, what)
	if err != nil {
		return v, err
	}
	if v.Type, err = typeOf(node); err != nil {
		return v, err
	}
	number := func(n *yaml.Node, what, unit string, into *float64) {
		if n == nil || err != nil {
			return
		}
		var q quantity
		if q, err = readQuantity(n, what); err == nil {
			*into, err = q.of(unit, what, n)
		}
	}
	switch v.Type {
	case sim.TypeParameterChange:
		var settings []Setting
		settings, err = decodeSettings(set, true)
		for _, s := range settings {
			v.Parameters = append(v.Parameters, sim.ParameterChange(s))
		}
	case sim.TypePolicy:
		number(level, "level", unitOf(v.Type, v.Policy.Policy), &v.Policy.Level)
	case sim.TypeShock:
		number(size, "size", unitOf(v.Type, v.Shock.Shock), &v.Shock.Size)
		number(persistence, "persistence", "share", &v.Shock.Persistence)
	case sim.TypeInjection:
		number(amount, "amount", "currency units", &v.Injection.Amount)
	}
	if err == nil {
		err = checked(&v, node)
	}
	return v, err
}

// checked reads the conditions of an intervention and checks it; errors are placed in its node.
func checked(v *sim.Intervention, node *yaml.Node) error {
	err := v.ReadConditions()
	if err == nil {
		err = v.Check()
	}
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return strict.At(named(e), placeOf(e.Field, node))
	}
	return err
}

// doOfRule is what errors call the event that a rule switches.
const doOfRule = "do of a rule"

// decodeRules reads what two conditions switch on and off.
func decodeRules(node *yaml.Node) ([]sim.Intervention, error) {
	if strict.IsNull(node) {
		return nil, nil
	}
	const such = "{when: unemployment_rate > 8%, until: unemployment_rate < 6.5%, do: {policy: job_retention, level: 50%}}"
	if node.Kind != yaml.SequenceNode {
		return nil, strict.At(fault.New(fault.WrongType, "rules", "rules is %s", strict.KindOf(node)).
			WithHint("must be a list, each entry such as "+such), node)
	}
	var list []sim.Intervention
	for _, item := range node.Content {
		var when, until string
		var do *yaml.Node
		from := 1
		err := strict.Fields{"when": &when, "until": &until, "do": &do, "from": &from}.Read(item, "a rule", "when", "until", "do")
		if err != nil {
			return nil, err
		}
		v, err := decodeEvent(do, doOfRule)
		if err != nil {
			return nil, err
		}
		v.When, v.Until, v.TargetMonth = when, until, from
		if err := checked(&v, item); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

// fieldNames are the keys of an event by the fields of interventions.
var fieldNames = map[string]string{
	"target_month": "from", "duration_months": "for", "ramp_months": "ramp", "group": "pay", "parameters": "set",
}

// named says an error in the words of an event.
func named(e *fault.Error) *fault.Error {
	said := *e
	for from, to := range fieldNames {
		if said.Field == from {
			said.Field = to
		}
		if rest, ok := strings.CutPrefix(said.Message, from+" "); ok { // what follows is the user's
			said.Message = to + " " + rest
		}
	}
	return &said
}

// placeOf is the node of a field of an event, else the event.
func placeOf(field string, event *yaml.Node) *yaml.Node {
	return cmp.Or(valueOf(event, cmp.Or(fieldNames[field], field)), event)
}

// kinds are the keys that make an event what it is, and what else must stand with them.
var kinds = []struct {
	key, needs string
	more       []string
	is         sim.InterventionType
}{
	{"set", "", nil, sim.TypeParameterChange},
	{"policy", "level", nil, sim.TypePolicy},
	{"shock", "size", []string{"persistence", "industry"}, sim.TypeShock},
	{"pay", "amount", nil, sim.TypeInjection},
}

// typeOf says what an event is, which must be one thing.
func typeOf(node *yaml.Node) (sim.InterventionType, error) {
	is := -1
	for k, kind := range kinds {
		switch {
		case valueOf(node, kind.key) == nil:
		case is >= 0:
			e := fault.New(fault.Conflict, kind.key, "an event is one thing, and this one has %s and %s", kinds[is].key, kind.key)
			return "", strict.At(e.WithHint("write two events"), node)
		default:
			is = k
		}
	}
	if is < 0 {
		return "", strict.At(fault.Missing("set", "an event has set, policy, shock or pay"), node)
	}
	kind := kinds[is]
	if kind.needs != "" && valueOf(node, kind.needs) == nil {
		return "", strict.At(fault.Missing(kind.needs, "a "+kind.key+" has a "+kind.needs), node)
	}
	for k, other := range kinds {
		for _, key := range append([]string{other.needs}, other.more...) {
			if n := valueOf(node, key); k != is && key != "" && n != nil {
				e := fault.New(fault.Conflict, key, "%s belongs to a %s, and this event is a %s", key, other.key, kind.key)
				return "", strict.At(e.WithHint("leave it out, or write two events"), n)
			}
		}
	}
	return kind.is, nil
}

// unitOf is the unit of a package's number; "" where there is no such package, which is refused later.
func unitOf(t sim.InterventionType, id string) string {
	pack, err := sim.PackageByID(t, id)
	if err != nil {
		return "share"
	}
	return pack.Unit
}
