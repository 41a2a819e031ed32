package question

import (
	"fmt"
	"slices"
	"strings"

	"econ-mcp/sim"
)

// once leaves one of two changes of the same lever at the same time: a question that has both
// contradicts itself.
func (r *resolver) once(list []happening, key string) ([]happening, error) {
	var kept []happening
	for i, h := range list {
		same := slices.IndexFunc(kept, func(other happening) bool {
			return h.target() != "" && other.target() == h.target() && other.industry == h.industry && other.group == h.group &&
				max(1, other.begin) == max(1, h.begin) && other.when == nil && h.when == nil
		})
		if same < 0 {
			kept = append(kept, h)
			continue
		}
		if sameChange(kept[same], h) {
			kept[same] = mergedChange(kept[same], h)
			continue
		}
		first, second := r.quote(kept[same].span), r.quote(h.span)
		if first == second || first == "" || second == "" {
			first, second = r.say("the first", "前者"), r.say("the second", "后者")
		}
		ask := r.say("The question changes the same thing twice. Which is meant?", "问题对同一项作了两种改变，您指哪一种？")
		if r.choose(fmt.Sprintf("%s twice %d", key, i), "which change", ask, first, second) == 1 {
			kept[same] = h
		}
	}
	return kept, nil
}

// sized says whether a happening has a size.
func (h happening) sized() bool {
	return h.to != nil || h.by != nil || len(h.doses) > 0 || h.change == double || h.change == halve || h.change == triple
}

// sameChange says whether two happenings say the same in two ways: 启动短时工作，富余员工留下四成.
func sameChange(a, b happening) bool {
	times := func(h happening) bool { return h.begin > 0 || h.last != 0 || h.ramp > 0 }
	if !slices.Equal(a.levers, b.levers) || a.group != b.group || a.industry != b.industry || a.sized() && b.sized() ||
		times(a) && times(b) && (a.begin != b.begin || a.last != b.last || a.ramp != b.ramp) {
		return false
	}
	if (a.change == abolish) != (b.change == abolish) {
		return false
	}
	up := map[change]int{raise: 1, introduce: 1, double: 1, triple: 1, lower: -1, abolish: -1, halve: -1}
	return up[a.change]*up[b.change] >= 0
}

// mergedChange is what two happenings that say the same say together.
func mergedChange(a, b happening) happening {
	if b.sized() || a.change == noChange || a.change == introduce && b.change != noChange {
		a.change, a.to, a.by, a.doses, a.steps = b.change, b.to, b.by, b.doses, b.steps
	}
	if a.from == nil {
		a.from = b.from
	}
	if b.begin > 0 || b.last != 0 || b.ramp > 0 {
		a.begin, a.last, a.ramp = b.begin, b.last, b.ramp
	}
	if a.when == nil && a.until == nil {
		a.when, a.until, a.again = b.when, b.until, b.again
	}
	if a.pays == "" {
		a.pays = b.pays
	}
	a.small, a.large, a.span = a.small || b.small, a.large || b.large, spanOver(a.span, b.span)
	return a
}

func spanOver(a, b Span) Span {
	if a == (Span{}) {
		return b
	}
	return Span{min(a.From, b.From), max(a.To, b.To)}
}

// austere are what austerity cuts, all alike.
var austere = []string{"inherent_market_consumption_rate", "government_employment_share", "unemployment_benefit_rate"}

// folded makes austerity of the same cut of all its parts, and takes the parts of austerity that a question lists beside it into it.
func folded(list []happening) []happening {
	isPart := func(h happening) bool {
		return slices.ContainsFunc(h.levers, func(id string) bool { return slices.Contains(austere, id) }) &&
			h.to == nil && h.from == nil && len(h.doses) == 0
	}
	at := slices.IndexFunc(list, func(h happening) bool { return h.target() == "austerity" })
	if at < 0 {
		var first happening
		var parts []string
		for _, h := range list {
			if isPart(h) && h.change == lower && h.by != nil && (first.by == nil || h.by.x == first.by.x) {
				if first.by == nil {
					first = h
				}
				parts = appendNew(parts, h.target())
			}
		}
		if len(parts) < len(austere) || len(list) > len(austere) {
			return list
		}
		first.levers, first.change, first.to, first.by = []string{"austerity"}, introduce, first.by, nil
		return []happening{first}
	}
	whole := list[at]
	size := whole.by
	if whole.to != nil {
		size = whole.to
	}
	var kept []happening
	for i, h := range list {
		if i == at || !isPart(h) || h.change != noChange && h.change != lower && h.change != move {
			kept = append(kept, h)
			continue
		}
		switch {
		case h.by == nil:
		case size == nil:
			size = h.by
		case h.by.x != size.x:
			kept = append(kept, h) // a cut of its own
		}
	}
	if k := slices.IndexFunc(kept, func(h happening) bool { return h.target() == "austerity" }); size != nil && whole.change != lower {
		kept[k].to, kept[k].by = size, nil // less austerity is no austerity of that size
	}
	return kept
}

// target is what a change is of: its parameter or package, where the words have one meaning.
func (h happening) target() string {
	if len(h.levers) != 1 {
		return strings.Join(h.levers, " ")
	}
	l, _ := leverOf(h.levers[0])
	return l.name()
}

// single drops what several changes of one arm set alike.
func single(list []sim.Intervention) []sim.Intervention {
	seen := map[string]bool{}
	var kept []sim.Intervention
	for _, v := range list {
		if v.Type != sim.TypeParameterChange {
			kept = append(kept, v)
			continue
		}
		var changes []sim.ParameterChange
		for _, c := range v.Parameters {
			key := fmt.Sprint(c.Name, c.Value, v.TargetMonth, v.DurationMonths, v.When)
			if !seen[key] {
				changes = append(changes, c)
			}
			seen[key] = true
		}
		if v.Parameters = changes; len(changes) > 0 {
			kept = append(kept, v)
		}
	}
	return kept
}
