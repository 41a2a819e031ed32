package question

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"econ-mcp/internal/inquiry"
)

// Options are what an inquiry has that a question does not say.
type Options struct {
	Base   string            // preset or config that the question is about; "" = the baseline
	Assume bool              // take the first proposal wherever something is open
	Design inquiry.Design    // zero values = the defaults of an inquiry, of months as many as the question looks ahead
	Set    []inquiry.Setting // what every arm has beside, such as a number of households
	Find   inquiry.Scenarios // that knows Base; nil = the presets
}

// mostAsked is how many questions are asked back at once: the answers decide which are left.
const mostAsked = 4

// Read reads a question. It never fails: what cannot be read is asked back, or out of scope.
func Read(question string, o Options) Reading {
	text := clean(question)
	r := Reading{Question: question, Language: languageOf(text)}
	switch language := foreignLanguage(text); {
	case utf8.RuneCountInString(question) > inquiry.MaxQuestion:
		r.Status = AskedBack
		r.leaveAll(text, either(r.Language, "more than 4,000 characters", "超过4000字"))
		r.Questions = []Question{{Ask: either(r.Language, "Can you ask it in at most 4,000 characters?", "能否用不超过4000字提问？")}}
		return r
	case !strings.ContainsFunc(text, unicode.IsLetter):
		return r.beyond(text, either(r.Language, "there are no words in it", "没有文字"))
	case language != "":
		return r.beyond(text, "it seems to be in "+language+"; questions are read in English and Chinese")
	}
	read, ok := grammars[r.Language]
	if !ok {
		return r.beyond(text, "no grammar reads "+r.Language)
	}
	s := read(text)
	s.lang = r.Language
	s.tasked(text)
	s.marks = covering(text, s.marks)
	r = resolve(r, []rune(text), s, o)
	r.Questions = r.Questions[:min(len(r.Questions), mostAsked)]
	return r
}

// leaveAll leaves the whole question over.
func (r *Reading) leaveAll(text, why string) {
	n := utf8.RuneCountInString(text)
	if strings.TrimSpace(text) != "" {
		r.LeftOver = []LeftOver{{text, Span{0, n}, why}}
	}
}

// beyond is a reading of what is out of scope.
func (r Reading) beyond(text, why string) Reading {
	r.Status, r.Type = OutOfScope, Other
	r.leaveAll(text, why)
	r.Nearest = examples(r.Language)
	return r
}

// examples are questions that can be asked.
func examples(lang string) []string {
	if lang == inquiry.Chinese {
		return []string{"增值税从8%提高到10%，物价会怎样？", "在衰退中，短时工作和提高失业金哪个更能保住就业？", "人工智能浪潮会怎样改变劳动份额？"}
	}
	return []string{
		"What happens to prices if VAT rises from 8% to 10%?",
		"In a recession, do 300 a month for the unemployed or a VAT cut of two points help consumption more?",
		"How does a wave of AI change the labour share?",
	}
}

// clean replaces what does not print by blanks, one for one: places in the text are places in the
// question.
func clean(question string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) {
			return ' '
		}
		return r
	}, question)
}

// covering puts marks in order and mends them, so that each code point that is no blank has exactly
// one: what no mark covers is left over, or filler where it is no letter and no digit.
func covering(text string, marks []mark) []mark {
	runes := []rune(text)
	owner := make([]int, len(runes)) // 1 + place of the mark that covers a code point
	for i, m := range marks {
		for at := max(0, m.span.From); at < min(m.span.To, len(runes)); at++ {
			if owner[at] == 0 || m.kind.stops() && !marks[owner[at]-1].kind.stops() {
				owner[at] = i + 1
			}
		}
	}
	var list []mark
	for at := 0; at < len(runes); {
		if unicode.IsSpace(runes[at]) {
			at++
			continue
		}
		from, of := at, owner[at]
		word := unicode.IsLetter(runes[at]) || unicode.IsDigit(runes[at])
		for at < len(runes) && owner[at] == of {
			blank := unicode.IsSpace(runes[at])
			is := unicode.IsLetter(runes[at]) || unicode.IsDigit(runes[at])
			if of == 0 && (blank || is != word) {
				break
			}
			at++
		}
		to := at
		for to > from && unicode.IsSpace(runes[to-1]) {
			to--
		}
		m := mark{span: Span{from, to}, kind: fillerMark}
		switch {
		case of > 0:
			m.kind, m.as = marks[of-1].kind, marks[of-1].as
		case word:
			m.kind = strayMark
		}
		list = append(list, m)
	}
	return list
}
