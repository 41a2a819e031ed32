package design

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"econ-mcp/sim"
)

// In is the plan in a language: its words are Chinese, or else English. Notes that quote
// the question stay as they were read.
func (p Plan) In(chinese bool) Plan {
	p.Chinese = chinese
	return p
}

// Expectation is what the first lever is expected to do: the outcome that it moves first,
// and 1 where it raises it, -1 where it lowers it, 0 where that is open. A plan without
// levers expects nothing of real GDP.
func (p Plan) Expectation() (outcome sim.Indicator, sign int) {
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
	return outcome, sign
}

// Subject says in words what questions of the type are about.
func (p Plan) Subject() string {
	row := rowOf(p.Type)
	return p.either(row.en, row.zh)
}

// Title says what a lever does in as few words as a sentence needs: what it is called,
// from which value to which, and when.
func (l Lever) Title(chinese bool) string {
	row := levers[l.row]
	name := l.Parameter
	if len(row.en) > 0 {
		phrase := row.en
		if chinese {
			phrase = row.zh
		}
		name = proper(trimMarks(phrase[0]))
	}
	en, zh := l.times()
	when := en
	open, shut := " (", ")"
	if chinese {
		when, open, shut = zh, "（", "）"
	}
	if name != l.Parameter {
		name += open + l.Parameter + shut
	}
	if l.Industry != "" {
		name += " [" + l.Industry + "]"
	}
	switch {
	case l.Kind == KindPreset:
	case l.Kind == KindParameter && chinese:
		name += fmt.Sprintf("由 %s 变为 %s", inUnit(l.From, l.Unit), inUnit(l.Value, l.Unit))
	case l.Kind == KindParameter:
		name += fmt.Sprintf(" from %s to %s", inUnit(l.From, l.Unit), inUnit(l.Value, l.Unit))
	case chinese:
		name += " = " + inUnit(l.Value, l.Unit)
	default:
		name += " at " + inUnit(l.Value, l.Unit)
	}
	return name + when
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
func inUnit(value any, unit string) string {
	x, ok := toFloat(value)
	if !ok || value == nil {
		switch value {
		case nil, "":
			return "–"
		case true:
			return "on"
		case false:
			return "off"
		}
		return fmt.Sprint(value)
	}
	what, of, _ := strings.Cut(unit, " ")
	switch {
	case of == "" && (what == "share" || what == "probability"), what == "share" && strings.HasPrefix(of, "of"), what == "marginal":
		return short(tidy(100*x)) + " %"
	case what == "share" || what == "probability":
		return short(tidy(100*x)) + " % " + strings.Replace(of, "per ", "a ", 1)
	case unit == "per year":
		return short(tidy(100*x)) + " % a year"
	case what == "adoption" || what == "wage":
		return short(tidy(100*x)) + " %"
	case strings.HasPrefix(unit, "currency units"):
		return short(x) + " a head and month"
	}
	return short(x)
}

// foreign are frequent words of languages that are not read, none of them English.
var foreign = map[string][]string{
	"French":     {"le", "la", "les", "des", "une", "est", "et", "que", "qui", "pour", "dans", "sur", "avec", "si", "se", "du", "au", "comment", "quel", "quelle", "aux"},
	"German":     {"der", "die", "das", "und", "ist", "ein", "eine", "wie", "wenn", "auf", "mit", "von", "für", "den", "dem", "wird", "werden", "nicht", "wirkt", "steigt", "sich"},
	"Spanish":    {"el", "los", "las", "una", "es", "y", "que", "por", "para", "con", "si", "del", "cómo", "qué", "como", "al", "la", "de", "en"},
	"Italian":    {"il", "lo", "gli", "una", "è", "e", "che", "per", "con", "se", "del", "della", "come", "cosa", "di", "la", "nel"},
	"Portuguese": {"o", "os", "as", "uma", "é", "e", "que", "por", "para", "com", "se", "do", "da", "como", "em", "no", "na"},
}

// english are frequent words of English.
var english = []string{"the", "of", "and", "to", "in", "is", "what", "how", "does", "do", "will", "would", "if", "for", "on", "who", "by", "from", "with", "are", "happens", "we", "should", "a", "an", "at", "when", "which", "it"}

// scripts are writings that are neither English nor Chinese.
var scripts = []struct {
	name string
	has  func(r rune) bool
}{
	{"Japanese", func(r rune) bool { return r >= 0x3040 && r <= 0x30ff }},
	{"Korean", func(r rune) bool { return r >= 0xac00 && r <= 0xd7a3 }},
	{"Russian or another language in Cyrillic letters", func(r rune) bool { return r >= 0x400 && r <= 0x52f }},
	{"Arabic", func(r rune) bool { return r >= 0x600 && r <= 0x6ff }},
	{"Hindi", func(r rune) bool { return r >= 0x900 && r <= 0x97f }},
	{"Greek", func(r rune) bool { return r >= 0x370 && r <= 0x3ff }},
	{"Hebrew", func(r rune) bool { return r >= 0x590 && r <= 0x5ff }},
	{"Thai", func(r rune) bool { return r >= 0xe00 && r <= 0xe7f }},
}

// Foreign names the language of a question that is neither in English nor in Chinese, as
// far as its letters or its small words tell; "" = it may be either.
func Foreign(question string) string {
	letters := 0
	count := make([]int, len(scripts))
	for _, r := range question {
		if r > ' ' {
			letters++
		}
		for i, s := range scripts {
			if s.has(r) {
				count[i]++
			}
		}
	}
	for i, s := range scripts {
		if count[i] > 2 && 5*count[i] > letters {
			return s.name
		}
	}
	if isChinese(question) {
		return ""
	}
	words := map[string]int{}
	for _, w := range strings.FieldsFunc(strings.ToLower(question), func(r rune) bool { return r <= ' ' || strings.ContainsRune(`.,;:!?¿¡'’"()`, r) }) {
		words[w]++
	}
	best, most := "", 1 // one such word is none
	for _, w := range english {
		most += words[w]
	}
	for _, name := range []string{"French", "German", "Spanish", "Italian", "Portuguese"} {
		n := 0
		for _, w := range foreign[name] {
			n += words[w]
		}
		if n > most {
			best, most = name, n
		}
	}
	return best
}

// Fits says whether a question is short enough and has words.
func Fits(question string) bool {
	return utf8.RuneCountInString(question) <= MaxQuestion && strings.ContainsFunc(clean(question), unicode.IsLetter)
}

// Change says all levers in words, as the subject of a sentence.
func (p Plan) Change() string {
	var list []string
	for _, l := range p.Levers {
		list = append(list, l.Title(p.Chinese))
	}
	return strings.Join(list, p.either(" and ", "、"))
}

// Missing says in words what cannot be mapped.
func (p Plan) Missing() []string { return p.unmappedWords() }
