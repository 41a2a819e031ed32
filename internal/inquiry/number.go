package inquiry

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// place is where a number stands in an arm, as it is written: events[0].amount, events[1].set.vat_rate,
// set.vat_rate.
type place struct {
	event int    // from 0; -1 = a setting of the arm
	key   string // amount, level, size or set
	name  string // of the parameter, where key is set
}

var placePattern = regexp.MustCompile(`^(?:events\[([0-9]{1,4})\]\.)?(?:(amount|level|size)|set\.([a-z0-9_]+))$`)

// placeIn finds where a number stands in an arm. Paths that lead nowhere, or not to a real number that
// can be moved, are errors.
func placeIn(a Arm, path string) (p place, err error) {
	m := placePattern.FindStringSubmatch(path)
	if m == nil || m[1] == "" && m[2] != "" {
		return p, fault.Range("by", fmt.Sprintf("%.80q", path), "events[0].amount", "events[0].level", "events[0].size",
			"events[0].set.PARAMETER", "set.PARAMETER")
	}
	p = place{-1, m[2], m[3]}
	if p.key == "" {
		p.key = "set"
	}
	if m[1] != "" {
		if p.event, _ = strconv.Atoi(m[1]); p.event >= len(a.Events) {
			return p, fault.New(fault.NotFound, "by", "%s leads nowhere: arm %s has %s", path, a.Name, counted(len(a.Events), "event", "", English)).
				WithHint("events are counted from 0")
		}
	}
	if row, err := sim.Lookup(p.name); p.key == "set" && err == nil && !row.Live {
		return p, fault.New(fault.Conflict, "by", "%s cannot change while an economy lives", row.Name).WithHint("move a number that is live")
	}
	if _, found := p.value(a); !found {
		is := "settings"
		if p.event >= 0 {
			is = fmt.Sprintf("events[%d], %s", p.event, SaidEvent(a.Events[p.event], English))
		}
		return p, fault.New(fault.NotFound, "by", "%s does not lead to a number of arm %s: %s", path, a.Name, is).
			WithHint("it must be an amount, a level, a size, or a parameter that is a real number and is set there")
	}
	return p, nil
}

// value is the number that stands at the place.
func (p place) value(a Arm) (x float64, found bool) {
	settings := a.Set
	if p.event >= 0 {
		v := a.Events[p.event]
		settings = nil
		switch {
		case p.key == "set" && v.Type == sim.TypeParameterChange:
			for _, c := range v.Parameters {
				settings = append(settings, Setting(c))
			}
		case p.key == "amount" && v.Type == sim.TypeInjection:
			return v.Injection.Amount, true
		case p.key == "level" && v.Type == sim.TypePolicy:
			return v.Policy.Level, true
		case p.key == "size" && v.Type == sim.TypeShock:
			return v.Shock.Size, true
		}
	}
	k := slices.IndexFunc(settings, func(s Setting) bool { return s.Name == p.name })
	if k < 0 || p.key != "set" {
		return 0, false
	}
	x, found = settings[k].Value.(float64)
	return x, found
}

// What can be paid, in currency units a head and month.
const (
	SmallestAmount = .001
	LargestAmount  = 1e6
)

// bounds are those within which the number may be moved.
func (p place) bounds(a Arm) (low, high float64) {
	switch {
	case p.key == "amount":
		return SmallestAmount, LargestAmount
	case p.key == "set":
		row, _ := sim.Lookup(p.name) // it is set there
		return row.Min, row.Max
	}
	v := a.Events[p.event]
	id := v.Policy.Policy
	if v.Type == sim.TypeShock {
		id = v.Shock.Shock
	}
	pack, _ := sim.PackageByID(v.Type, id) // which was checked
	return pack.Min, pack.Max
}

// unit of the number.
func (p place) unit(a Arm) string {
	switch p.key {
	case "amount":
		return "currency units a head and month"
	case "set":
		row, _ := sim.Lookup(p.name)
		return row.Unit
	}
	v := a.Events[p.event]
	return unitOf(v.Type, v.Policy.Policy+v.Shock.Shock)
}

// with is the scenario of the arm with another number at the place; what is given stays as it is.
func (p place) with(a Arm, s scenario.Scenario, x float64) (scenario.Scenario, error) {
	if p.event < 0 {
		return with(s, []Setting{{p.name, x}}, false)
	}
	s.Interventions = slices.Clone(s.Interventions)
	v := &s.Interventions[len(s.Interventions)-len(a.Rules)-len(a.Events)+p.event] // those of the arm come last, its rules after its events
	switch p.key {
	case "amount":
		v.Injection.Amount = x
	case "level":
		v.Policy.Level = x
	case "size":
		v.Shock.Size = x
	case "set":
		v.Parameters = slices.Clone(v.Parameters)
		for i := range v.Parameters {
			if v.Parameters[i].Name == p.name {
				v.Parameters[i].Value = x
			}
		}
	}
	return s, v.Check()
}
