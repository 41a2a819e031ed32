package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"econ-mcp/internal/fault"
)

// Reason says in both languages why something does nothing, or is to be read with care.
type Reason struct{ EN, ZH string }

// In is the reason in a language, zh or en.
func (r Reason) In(language string) string {
	if language == "zh" {
		return r.ZH
	}
	return r.EN
}

// without is the reason of what does nothing without a part.
func without(name, zhName string, lacks *part) Reason {
	zh := lacks.zh
	if zh[0] < utf8.RuneSelf { // a name stands apart from Chinese words
		zh = " " + zh
	}
	return Reason{name + " does nothing without " + lacks.needs, "若无" + zh + "，" + zhName + " 不起作用"}
}

// lacking is the part that a parameter needs to do anything and that an economy with parameters p does not
// have; nil where it acts.
func lacking(p Params, name string) *part {
	for _, part := range parts {
		if slices.Contains(part.params, name) && !part.has(&p) {
			return part
		}
	}
	return nil
}

// Dormant says what a parameter needs to do anything in an economy with parameters p, such as
// "enable_trade"; "" where it acts.
func Dormant(p Params, name string) (needs string) {
	if lacks := lacking(p, name); lacks != nil {
		return lacks.needs
	}
	return ""
}

// DormantReason is the same in a sentence; the zero value where the parameter acts.
func DormantReason(p Params, name string) Reason {
	lacks := lacking(p, name)
	if lacks == nil {
		return Reason{}
	}
	return without(name, name, lacks)
}

// Idle is an intervention that can do nothing, or that gives way to another.
type Idle struct {
	Index  int // in the plan, from 0
	Reason Reason
}

// IdleInterventions are those of a plan that can do nothing, or not all that they are for, in an
// economy with parameters p: what they act on is switched off, they set what is so already, or a later
// one of the plan sets it otherwise in the same months. What another of the plan may switch on or change is
// not counted as idle.
func IdleInterventions(p Params, plan []Intervention) (list []Idle) {
	all := p
	touched := map[string]int{} // by how many
	for _, v := range plan {
		if !v.Cancelled {
			all = v.Applied(all)
			for _, name := range v.changes() {
				touched[name]++
			}
		}
	}
	for i, v := range plan {
		if v.Cancelled {
			continue
		}
		for _, reason := range v.idle(p, all, func(name string) bool { return touched[name] > 1 }) {
			list = append(list, Idle{i, reason})
		}
		for k := range plan[i+1:] {
			if reason, ok := v.yields(&plan[i+1+k], p); ok {
				list = append(list, Idle{i, reason})
			}
		}
	}
	return list
}

// yields says what a later one of the plan sets otherwise while both are in force: then the later wins. One
// that simply follows, at a later month that is given, takes over as it is meant to.
func (v *Intervention) yields(later *Intervention, p Params) (reason Reason, ok bool) {
	follows := v.When == "" && later.When == "" && later.TargetMonth > v.TargetMonth
	if later.Cancelled || later.Type == TypeShock || follows || !v.meets(later) {
		return reason, false
	}
	first := v.Applied(p)
	alone, both := later.Applied(p), later.Applied(first)
	var names []string
	for _, name := range later.changes() {
		row, err := Lookup(name)
		if err != nil || !slices.Contains(v.changes(), name) {
			continue
		}
		set := row.Value(&both)
		if row.Value(&first) != row.Value(&p) && row.Value(&first) != set && row.Value(&alone) == set { // what was before does not count
			names = append(names, name)
		}
	}
	if names == nil {
		return reason, false
	}
	of := strings.Join(names, ", ")
	return Reason{
		fmt.Sprintf("%s is set by “%v” and by “%v”: while both are in force the latter wins, which stands later", of, *v, *later),
		fmt.Sprintf("“%v”与“%v”都设定 %s：两者同时有效时，以排在后面的后者为准", v.What(), later.What(), of),
	}, true
}

// meets says whether there may be a month in which both are in force.
func (v *Intervention) meets(other *Intervention) bool {
	ends := func(v *Intervention) int {
		if months := v.duration(); v.When == "" && months > 0 {
			return v.TargetMonth + months - 1
		}
		return math.MaxInt
	}
	return v.TargetMonth <= ends(other) && other.TargetMonth <= ends(v)
}

// changes are the parameters that an intervention changes.
func (v *Intervention) changes() (names []string) {
	switch v.Type {
	case TypePolicy, TypeShock:
		pack, _ := v.pack()
		return pack.Parameters
	}
	for _, change := range v.Parameters {
		names = append(names, change.Name)
	}
	return names
}

// idle says why it can do nothing where p is in force, or all that is planned.
func (v *Intervention) idle(p, all Params, others func(name string) bool) (reasons []Reason) {
	if e, ok := errors.AsType[*fault.Error](v.CheckFits(p)); ok && v.CheckFits(all) != nil {
		return []Reason{{e.Message, "此情景中无法起作用：" + e.Message}}
	}
	alone, together := v.Applied(p), v.Applied(all)
	lacks := func(name string) *part {
		if lacking(together, name) == nil {
			return nil
		}
		return lacking(alone, name)
	}
	if v.Type == TypePolicy || v.Type == TypeShock {
		what := string(v.Type) + " " + v.Policy.Policy + v.Shock.Shock // one of which is empty
		zh := map[InterventionType]string{TypePolicy: "政策 ", TypeShock: "冲击 "}[v.Type] + v.Policy.Policy + v.Shock.Shock
		names := v.changes()
		acts := func(name string) bool { return lacks(name) == nil }
		switch {
		case !slices.ContainsFunc(names, acts):
			return []Reason{without(what, zh, lacks(names[0]))}
		case alone == p && !slices.ContainsFunc(names, others):
			return []Reason{{what + " changes nothing: what it sets is so already", zh + " 不改变什么：所设之值本已如此"}}
		}
		return nil
	}
	for _, change := range v.Parameters {
		row, _ := Lookup(change.Name)
		if lacked := lacks(change.Name); lacked != nil {
			reasons = append(reasons, without(change.Name, change.Name, lacked))
		} else if row.Value(&alone) == row.Value(&p) && !others(change.Name) {
			is := row.Value(&p)
			reasons = append(reasons, Reason{fmt.Sprintf("%s is %v already", change.Name, is), fmt.Sprintf("%s 本已为 %v", change.Name, is)})
		}
	}
	return reasons
}
