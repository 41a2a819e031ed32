package question

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"econ-mcp/internal/inquiry"
)

// spoken is a length of time that a question says, in months.
type spoken struct {
	months int
	span   Span
}

// conserve doubts a reading that lost a length of time: each that the question says is a delay, a length, a ramp, the
// horizon or a value of what happens. It reads the text anew, whatever the grammar took each for.
func (r *resolver) conserve(marks []mark) {
	r.unused(marks)
	held := r.lengths()
	for _, t := range r.spoken() {
		if !slices.Contains(held, t.months) && !r.told(marks, t.span) && !slices.ContainsFunc(marks, func(m mark) bool {
			return m.as == "story" && m.span.From <= t.span.From && t.span.From < m.span.To
		}) {
			r.doubting("the time", "Nothing takes “%s”. Did you mean this?", "没有任何安排采用“%s”。是否指以下内容？", r.quote(t.span))
		}
	}
}

// unused doubts a reading of which a whole clause became nothing.
func (r *resolver) unused(marks []mark) {
	if at, ok := r.unusedClause(marks); ok {
		r.doubting("the words", "What is meant by “%s”? Did you mean this?", "“%s”是什么意思？是否指以下内容？", r.quote(at))
	}
}

// lengths are the times that an inquiry holds, in months.
func (r *resolver) lengths() []int {
	list := []int{r.s.horizon}
	if r.s.horizon > 0 {
		list = append(list, r.q.Design.Months)
	}
	value := func(name string, v any) {
		now, _ := r.base.Get(name)
		x, before := number(v), number(now) // "from 12 months to 24", "three months more"
		for _, x := range []float64{x, before, x - before, before - x} {
			list = append(list, int(math.Round(x)), int(math.Round(12*x)))
		}
	}
	economy := func(e inquiry.Economy) {
		for _, v := range e.Set {
			value(v.Name, v.Value)
		}
		for _, v := range slices.Concat(e.Events, e.Rules) {
			delay := v.TargetMonth - 1
			list = append(list, delay, v.TargetMonth, v.DurationMonths, v.RampMonths, v.DurationMonths-v.RampMonths,
				delay+v.DurationMonths, delay+v.DurationMonths-1, delay+v.RampMonths)
			for _, c := range v.Parameters {
				value(c.Name, c.Value)
			}
		}
	}
	economy(r.q.Background)
	for _, a := range r.q.Arms {
		economy(a.Economy)
		if a.Doses != nil {
			for _, v := range a.Doses.Values {
				value(a.Doses.Parameter, v)
			}
		}
	}
	return list
}

// perPeriod are words before which, or behind which, a length of time is that of a rate, an age or what has been.
var (
	perPeriod = regexp.MustCompile(`(?i)(\d|[%$€£]|percent|points?|money|once|twice|times|rates?|each|every|per|past|last|these|for the)$`)
	hanPeriod = regexp.MustCompile(`[第每去前近这上头\d零一二两三四五六七八九十百点]$`)
	grownOld  = regexp.MustCompile(`(?i)^[- ]?(olds?|of age|ago|into|in office)\b`)
)

// spoken are the lengths of time in a question: those with a number, and next year.
func (r *resolver) spoken() (list []spoken) {
	if r.s.lang == inquiry.Chinese {
		runes := normalHan(string(r.text))
		for i := 0; i < len(runes); i++ {
			for word, n := range map[string]int{"明年": 12, "后年": 24} {
				if hasRunes(runes, i, word) {
					list = append(list, spoken{n, Span{i, i + 2}})
				}
			}
			if hanPeriod.MatchString(string(runes[max(0, i-1):i])) {
				continue
			}
			best := spoken{}
			for _, p := range hanNumbers(runes, i) {
				if q := p.token.q; q != nil && q.unit == months && q.span.To > best.span.To && q.x <= longest {
					best = spoken{int(q.x), q.span}
				}
			}
			if best.span.To > 0 {
				list = append(list, best)
				i = best.span.To - 1
			}
		}
		return list
	}
	s := tokens(tokenize(string(r.text)))
	for i := 0; i < len(s); i++ {
		n, next, ok := s.duration(i)
		if !ok || next <= i {
			continue
		}
		span := Span{s[i].From, s[next-1].To}
		article := s[i].is("a", "an", "the", "another")
		if before := strings.TrimRight(string(r.text[:span.From]), " "); article && perPeriod.MatchString(before) ||
			strings.Contains(strings.ToLower(r.quote(span)), "quarter") || grownOld.MatchString(string(r.text[span.To:])) {
			i = next - 1
			continue
		}
		if !article || slices.Contains([]string{"for", "in", "after", "within", "over", "lasting", "during", "only", "just"}, s.text(i-1)) {
			list = append(list, spoken{n, span})
		}
		i = next - 1
	}
	return list
}
