package question

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// whatChanges is what is missing where a question does not say which lever it means.
const whatChanges = "what changes"

// resolve makes a reading of what a question says.
func resolve(reading Reading, text []rune, s sense, o Options) Reading {
	reading.account(text, s)
	if o.Find == nil {
		o.Find = presetFinder{}
	}
	o.Find = remembered{o.Find, map[string]scenario.Scenario{}}
	r := &resolver{s: s, o: o, text: []rune(reading.Question), pick: map[string]int{}}
	err := r.run()
	reading.classify(string(text), r.used)
	instructed := slices.ContainsFunc(s.foreign, func(m mark) bool { return m.as == "instruction" })
	nothing := errors.Is(err, errNothing) || instructed && len(s.arms) == 0 && s.place == ""
	aside := len(text) > longStory && len(s.arms) > 0 && err == nil // in a long letter, a word of something else beside what it asks
	if why, beyond := foreignTo(s, nothing); beyond && !aside {
		reading.Status = OutOfScope
		if reading.LeftOver == nil || why != "" {
			reading.foreign(text, s)
		}
		if err == nil {
			reading.Nearest = append(reading.Nearest, saidArms(r.q, o.find(), s.lang))
		}
		reading.Nearest = append(reading.Nearest, examples(s.lang)...)
		return reading
	}
	for _, m := range s.foreign {
		r.doubting("what is asked", "“%s” is no question about an economy. Is the rest meant?", "“%s”不是关于经济的问题。是指其余部分吗？", r.quote(m.span))
	}
	r.strays(text, s)
	r.guard(s.marks)
	r.conserve(s.marks)
	for _, d := range r.doubts {
		reading.Missing = appendNew(reading.Missing, d.missing)
	}
	for _, f := range r.forks {
		reading.Missing = appendNew(reading.Missing, f.missing)
	}
	reading.Assumed = r.assumed
	if err != nil {
		reading.Status = AskedBack
		why := Question{Ask: r.say("This cannot be simulated: %s. What is meant?", "无法模拟：%s。您指什么？", reason(err))}
		reading.Questions = append(r.asked(), why)
		return reading
	}
	if what := slices.IndexFunc(r.forks, func(f fork) bool { return f.missing == whatChanges }); what >= 0 {
		reading.Status = AskedBack // whoever assumes: what changes is not invented, and what else is open depends on it
		r.forks, r.doubts = r.forks[what:what+1], nil
		reading.Questions = r.asked()
		return reading
	}
	q := r.q
	reading.Inquiry = &q
	switch {
	case len(r.forks)+len(r.doubts) == 0:
		reading.Status = Ready
		reading.Missing = nil
	case o.Assume:
		reading.Status = Ready
		reading.Missing = nil
		for _, f := range r.forks {
			reading.Assumed = append(reading.Assumed, f.ask+" "+f.said[min(r.pick[f.key], len(f.said)-1)])
		}
		for _, d := range r.doubts {
			reading.Assumed = append(reading.Assumed, d.ask+" "+r.say("as read", "按所读理解"))
		}
	default:
		reading.Status = AskedBack
		reading.Questions = r.asked()
	}
	return reading
}

func appendNew(list []string, s string) []string {
	if s == "" || slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}

// asked are the questions back: one for each fork, with what each option becomes, and one for all
// doubts.
func (r *resolver) asked() (list []Question) {
	for _, f := range r.forks {
		q := Question{Ask: f.ask}
		for k, said := range f.said {
			other := r.again(f.key, k)
			if other.run() == nil {
				q.Choices = append(q.Choices, other.choice(said, f.key))
			}
		}
		list = append(list, q)
	}
	if len(r.doubts) == 0 {
		return list
	}
	var asks []string
	for _, d := range r.doubts {
		asks = append(asks, d.ask)
	}
	q := Question{Ask: strings.Join(asks, either(r.s.lang, " ", ""))}
	plain := r.again("", 0)
	if plain.run() == nil {
		q.Choices = []Choice{plain.choice(saidArms(plain.q, r.o.find(), r.s.lang), "")}
	}
	return append(list, q)
}

// choice is what was written as an answer to the fork of a key: other forks are taken as first proposed.
func (r *resolver) choice(said, key string) Choice {
	assumed := slices.Clone(r.assumed)
	for _, f := range r.forks {
		if f.key != key {
			assumed = append(assumed, f.ask+" "+f.said[min(r.pick[f.key], len(f.said)-1)])
		}
	}
	return Choice{said, r.q, assumed}
}

// strays doubts what stops a reading.
func (r *resolver) strays(text []rune, s sense) {
	var words []string
	missing := ""
	for _, m := range joinMarks(text, s.marks) {
		if m.kind.stops() {
			words = append(words, "“"+string(text[m.span.From:m.span.To])+"”")
			missing = cmp.Or(missing, map[markKind]string{
				numberMark: "a number", negationMark: "a negation", comparisonMark: "a comparison", groupMark: "the group",
				policyMark: "a policy",
				timeMark:   "the time",
			}[m.kind], "words")
		}
	}
	if len(words) > 0 {
		r.doubting(missing, "What is meant by %s? Did you mean this?", "%s是什么意思？您指的是下面这样吗？", strings.Join(words, either(r.s.lang, ", ", "、")))
	}
}

// account says what became of the words of the question.
func (reading *Reading) account(text []rune, s sense) {
	for _, m := range joinMarks(text, s.marks) {
		said := string(text[m.span.From:m.span.To])
		switch {
		case m.kind == usedMark:
			reading.Used = append(reading.Used, Used{said, m.span, m.as})
		case m.kind != fillerMark:
			reading.LeftOver = append(reading.LeftOver, LeftOver{said, m.span, whyLeft(m, s.lang)})
		}
	}
}

// foreign says what of the question is about something else.
func (reading *Reading) foreign(text []rune, s sense) {
	for _, m := range s.foreign {
		from, to := max(0, m.span.From), min(len(text), m.span.To)
		why := foreignSubjects[m.as]
		if from < to {
			reading.LeftOver = append(reading.LeftOver, LeftOver{string(text[from:to]), Span{from, to}, either(s.lang, why[0], why[1])})
		}
	}
	slices.SortStableFunc(reading.LeftOver, func(a, b LeftOver) int { return cmp.Compare(a.From, b.From) })
	reading.LeftOver = slices.CompactFunc(reading.LeftOver, func(a, b LeftOver) bool { return a.Span == b.Span && a.Text == b.Text })
}

// whyLeft says why a part is left over.
func whyLeft(m mark, lang string) string {
	why := map[markKind][2]string{
		colourMark: {"says nothing about the experiment", "与实验无关"}, strayMark: {"is not understood", "未能理解"},
		numberMark: {"a number that nothing takes", "没有对象的数字"}, negationMark: {"a negation that nothing takes", "没有对象的否定"},
		comparisonMark: {"a comparison that nothing takes", "没有对象的比较"}, groupMark: {"a group that nothing takes", "没有对象的人群"},
		policyMark: {"a policy that nothing is said of", "没有说明的政策"}, timeMark: {"a time that nothing takes", "没有对象的时间"},
	}[m.kind]
	return either(lang, why[0], why[1])
}

// joinMarks joins neighbours of one kind.
func joinMarks(text []rune, marks []mark) (list []mark) {
	for _, m := range marks {
		if n := len(list); n > 0 && list[n-1].kind == m.kind && list[n-1].as == m.as &&
			strings.TrimSpace(string(text[list[n-1].span.To:m.span.From])) == "" {
			list[n-1].span.To = m.span.To
			continue
		}
		list = append(list, m)
	}
	return list
}

// foreignSubjects are what a question may be about instead of an economy, by the word that a grammar
// marks it with.
var foreignSubjects = map[string][2]string{
	"instruction": {"an instruction to the program", "对程序的指令"},
	"weather":     {"about the weather", "关于天气"},
	"cooking":     {"about cooking", "关于烹饪"},
	"code":        {"about programming", "关于编程"},
	"private":     {"about private money or rights", "关于个人理财或权利"},
	"law":         {"legal or medical advice", "法律或医疗咨询"},
	"sport":       {"about sport or stars", "关于体育或娱乐"},
	"place":       {"about a place that the economy does not have", "该经济中没有的地点"},
	"country":     {"about a country that there is no preset of", "没有预设的国家"},
	"firms":       {"about firms by size, which levers do not tell apart", "按规模区分企业，工具不作此区分"},
	"crypto":      {"about private money that the economy does not have", "该经济中没有的加密货币"},
	"absent":      {"something that the economy does not have", "该经济中没有的内容"},
	"forecast":    {"a forecast of what will be, rather than what would follow from a change", "预测将来的实际情况，而不是某项改变的后果"},
	"other":       {"not about an economy", "与经济无关"},
}

// foreignTo says whether a question is out of scope. Instructions to the program beside a question
// are left over instead.
func foreignTo(s sense, nothing bool) (why string, beyond bool) {
	if nothing {
		return "", true
	}
	for _, m := range s.foreign {
		if m.as != "instruction" {
			return m.as, true
		}
	}
	return "", false
}

// classify tells the types of a question.
func (reading *Reading) classify(text string, used []string) {
	var types []Type
	for _, id := range used {
		l, _ := leverOf(id)
		types = append(types, l.is())
	}
	reading.Candidates = classify(text, types)
	reading.Type = Other
	if len(reading.Candidates) > 0 {
		reading.Type, reading.Confidence = reading.Candidates[0].Type, reading.Candidates[0].Confidence
	}
}

// is the type of questions that a lever makes.
func (l lever) is() Type {
	for _, name := range []string{l.id, l.name()} {
		if t, ok := typeOf[name]; ok {
			return t
		}
	}
	if row, err := sim.Lookup(l.name()); err == nil {
		return typeOfCategory[row.Category]
	}
	return Other
}

// armName is a name that no other arm of the inquiry has.
func (r *resolver) armName(t treatment) string {
	name := strings.Trim(cmp.Or(t.name, "treatment"), "_")
	if len(name) > 60 {
		name = strings.Trim(name[:60], "_")
	}
	taken := func(s string) bool {
		return s == inquiry.ControlArm || s == inquiry.ControlBackground ||
			slices.ContainsFunc(r.q.Arms, func(a inquiry.Arm) bool { return strings.EqualFold(a.Name, s) })
	}
	for k, first := 2, name; taken(name); k++ {
		name = fmt.Sprintf("%s_%d", first, k)
	}
	return name
}
