package question

import (
	"fmt"
	"strconv"
	"strings"
)

// String says a sense in one compact line, for tests and for whoever mends a grammar:
//
//	{vat_rate raise by 2pp, from 13; pay settle to 300money, for 24, group unemployed} {do nothing} | everywhere {…} | in de_like |
//	held vat_rate | outcomes cpi, real_wage_mean higher (bottom_fifth) | horizon 120 | foreign instruction | stops stray 3-8
func (s sense) String() string {
	var parts []string
	var arms []string
	for _, a := range s.arms {
		arms = append(arms, a.String())
	}
	if len(arms) > 0 {
		parts = append(parts, strings.Join(arms, " "))
	}
	if len(s.everywhere) > 0 {
		parts = append(parts, "everywhere "+arm{happens: s.everywhere}.String())
	}
	if s.place != "" {
		parts = append(parts, "in "+s.place)
	}
	for _, m := range s.held {
		parts = append(parts, "held "+strings.Join(m.levers, "/"))
	}
	var wishes []string
	for _, w := range s.outcomes {
		text := w.indicator.String() + map[int]string{1: " higher", -1: " lower"}[w.expect]
		if w.group != "" {
			text += " (" + w.group + ")"
		}
		wishes = append(wishes, text)
	}
	if len(wishes) > 0 {
		parts = append(parts, "outcomes "+strings.Join(wishes, ", "))
	}
	if s.horizon > 0 {
		parts = append(parts, fmt.Sprintf("horizon %d", s.horizon))
	}
	for _, m := range s.foreign {
		parts = append(parts, "foreign "+m.as)
	}
	for _, m := range s.marks {
		if m.kind.stops() {
			parts = append(parts, fmt.Sprintf("stops %s %d-%d", m.kind, m.span.From, m.span.To))
		}
	}
	return strings.Join(parts, " | ")
}

// String says an alternative.
func (a arm) String() string {
	var parts []string
	if a.place != "" {
		parts = append(parts, "in "+a.place)
	}
	for _, h := range a.happens {
		parts = append(parts, h.String())
	}
	if len(parts) == 0 {
		return "{do nothing}"
	}
	return "{" + strings.Join(parts, "; ") + "}"
}

// String says a change of a lever.
func (h happening) String() string {
	words := []string{strings.Join(h.levers, "/"), h.change.String()}
	for _, q := range []struct {
		as string
		q  *quantity
	}{{"from", h.from}, {"to", h.to}, {"by", h.by}} {
		if q.q != nil {
			words = append(words, q.as+" "+q.q.String())
		}
	}
	for _, d := range h.doses {
		words = append(words, "dose "+d.String())
	}
	if h.small {
		words = append(words, "slightly")
	}
	if h.large {
		words = append(words, "much")
	}
	text := strings.Join(words, " ")
	add := func(on bool, format string, values ...any) {
		if on {
			text += ", " + fmt.Sprintf(format, values...)
		}
	}
	add(h.begin > 0, "from %d", h.begin)
	add(h.last > 0, "for %d", h.last)
	add(h.ramp > 0, "ramp %d", h.ramp)
	add(h.when != nil, "when %v", h.when)
	add(h.until != nil, "until %v", h.until)
	add(h.again, "again")
	add(h.group != "", "group %s", h.group)
	add(h.industry != "", "industry %s", h.industry)
	add(h.pays != "", "paid by %s", h.pays)
	return text
}

// String says a condition.
func (c *condition) String() string {
	if c == nil {
		return ""
	}
	sign := "<"
	if c.above {
		sign = ">"
	}
	return c.indicator.String() + sign + c.value.String()
}

// String says a number with its unit.
func (q quantity) String() string {
	x := q.x
	tail := map[unit]string{percent: "%", points: "pp", money: "money", fraction: "", factor: "x", months: "m", people: "y"}[q.unit]
	if q.unit == percent || q.unit == points {
		x *= 100
	}
	text := strconv.FormatFloat(x, 'g', 6, 64) + tail
	if q.unit == fraction {
		text = "part " + text
	}
	text += map[measure]string{ofGDP: " of GDP", ofMedian: " of median", ofMean: " of mean"}[q.of]
	if q.per > 0 {
		text += fmt.Sprintf(" per %dm", q.per)
	}
	return text
}

// String names what is done to a lever.
func (c change) String() string {
	return [...]string{
		"?", "raise", "lower", "settle", "introduce", "abolish", "double", "triple", "halve", "move",
	}[c]
}

// String names what became of a word.
func (k markKind) String() string {
	return [...]string{"used", "filler", "colour", "stray", "number", "negation", "comparison", "group", "policy", "time"}[k]
}
