package design

import (
	"fmt"
	"strings"

	"econ-mcp/sim"
)

// In is the plan in a language: its words are Chinese, or else English. Notes that quote
// the question stay as they were read.
func (p Reading) In(chinese bool) Reading {
	p.Chinese = chinese
	return p
}

// Expectation is the outcome that the question asks about, and 1 where the first lever is
// expected to raise it, -1 where to lower it, 0 where that is open. It is the first outcome
// that the question names; where it names none, the one that the first lever moves first. A
// plan without levers expects nothing of real GDP.
func (p Reading) Expectation() (outcome sim.Indicator, sign int) {
	if len(p.Levers) == 0 {
		return sim.RealGDP, 0
	}
	l := p.Levers[0]
	row := levers[l.row]
	sign = row.sign
	if l.Direction == Decrease && l.Kind != KindShock || l.Kind == KindShock && isNegative(l.Value) || l.Value == false {
		sign = -sign
	}
	outcome = row.outcome
	if outcome == sim.NominalGDP { // no row means it
		outcome = sim.RealGDP
	}
	if p.names && p.Outcomes[0] != outcome { // the lever's sign is not about it
		return p.Outcomes[0], 0
	}
	return outcome, sign
}

// Subject says in words what questions of the type are about.
func (p Reading) Subject() string {
	row := rowOf(p.Type)
	return p.either(row.en, row.zh)
}

// Title says what a lever does in as few words as a sentence needs: what it is called,
// from which value to which, and when.
func (l Lever) Title(chinese bool) string {
	en, zh := l.times()
	return l.title(chinese) + inLanguage(chinese, en, zh)
}

func (l Lever) title(chinese bool) string {
	say := func(en, zh string) string { return inLanguage(chinese, en, zh) }
	name := l.Parameter
	if l.Industry != "" {
		name += " [" + l.Industry + "]"
	}
	size := inUnit(l.Value, l.Unit, chinese)
	if l.Kind != KindParameter {
		title := map[Kind]string{
			KindPreset: say("the scenario ", "情景 "), KindPolicy: say("the policy ", "政策 "), KindShock: say("the shock ", "冲击 "),
			KindInjection: say("a payment to ", "发放资金给 "),
		}[l.Kind] + name
		if l.Kind != KindPreset {
			title += say(" (", "（") + size + say(")", "）")
		}
		return title
	}
	from := inUnit(l.From, l.Unit, chinese)
	if number, unit, ok := strings.Cut(from, " %"); ok && !chinese && strings.HasSuffix(size, " %"+unit) {
		from = number + " %"
	}
	if row := levers[l.row]; len(row.en) > 0 && row.name == "" {
		name = say(proper(trimMarks(row.en[0]))+" ("+name+")", trimMarks(row.zh[0])+"（"+name+"）")
	}
	return name + say(" from ", "由 ") + from + say(" to ", " 变为 ") + size
}

// proper writes names that are abbreviations as people do.
func proper(phrase string) string {
	words := strings.Fields(phrase)
	for i, w := range words {
		switch w {
		case "vat", "ai", "gdp":
			words[i] = strings.ToUpper(w)
		}
	}
	return strings.Join(words, " ")
}

// inUnit writes a value as people do: shares, probabilities and rates in percent.
func inUnit(value any, unit string, chinese bool) string {
	x, ok := toFloat(value)
	if !ok || value == nil {
		switch value {
		case nil, "":
			return "–"
		case true:
			return inLanguage(chinese, "on", "开")
		case false:
			return inLanguage(chinese, "off", "关")
		}
		return fmt.Sprint(value)
	}
	what, of, _ := strings.Cut(unit, " ")
	every := strings.TrimPrefix(strings.TrimPrefix(of, "per "), "a ")
	percent := short(tidy(100*x)) + " %"
	often := map[string]string{"month": "每月 ", "year": "每年 "}
	switch {
	case strings.HasPrefix(unit, "currency units"):
		return inLanguage(chinese, short(x)+" a head and month", "每人每月 "+short(x))
	case unit == "per year":
		every, of = "year", "per year"
	case what != "share" && what != "probability" && what != "marginal" && what != "wage" && what != "adoption":
		return short(x)
	}
	switch {
	case chinese:
		return often[every] + percent
	case often[every] != "":
		return percent + " a " + every
	case strings.HasPrefix(of, "of "):
		return percent + " " + of
	}
	return percent
}

// Change says all levers in words, as the subject of a sentence.
func (p Reading) Change() string {
	var list []string
	for _, l := range p.Levers {
		list = append(list, l.Title(p.Chinese))
	}
	return strings.Join(list, p.either(" and ", "、"))
}
