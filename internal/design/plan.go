// Package design turns questions into experiments. It reads a question in English or
// Chinese by rules and a lexicon, without a model and without a network: the same question
// gives the same plan.
//
//	plan, err := design.Read("Raise VAT from 8% to 15%", base)
//
// A [Reading] says what kind of question it is, which levers of the economy it moves, how far
// and when, what could not be mapped, and what to look at. [Reading.Arms] makes the two
// scenarios of the experiment, [NewWorkflow] the calls of tools that carry it out.
package design

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// MaxQuestion is the largest length of a question, in characters.
const MaxQuestion = inquiry.MaxQuestion

// Direction says which way a lever is moved.
type Direction string

// The directions. Numbers rise or fall; switches, choices, policies and presets are set.
const (
	Increase Direction = "increase"
	Decrease Direction = "decrease"
	Set      Direction = "set"
)

// Reading is what a question asks of the economy.
type Reading struct {
	Question   string // without control characters
	Chinese    bool   // the language of the question, and so of the plan's words
	Type       Type
	Confidence float64     // 0 to 1, that Type is right; 0 for [Other]
	Candidates []Candidate // all types with a part of the words, the best first
	Keywords   []Keyword
	Levers     []Lever
	Context    []sim.ParameterChange // in both arms: without it the levers would do nothing
	Held       []string              // what the question leaves alone: "without raising taxes"
	Unmapped   []Unmapped
	Outcomes   []sim.Indicator // to watch, those that the question names first
	Months     int             // that the question looks ahead; 0 = it does not say
	Name       string          // recommended name of the configuration

	base  scenario.Scenario
	names bool // the question names the first of Outcomes
}

// Candidate is a type with the part of the evidence that speaks for it.
type Candidate struct {
	Type       Type
	Confidence float64
}

// Keyword is a phrase that was recognised.
type Keyword struct {
	Text     string // as in the question
	From, To int    // characters of the question, the last excluded
	Meaning  string // lever, outcome, topic, change, number, time, group or negation
	Of       Type   // that it speaks for; "" = none
}

// Lever is a change that the question asks for.
type Lever struct {
	Kind      Kind
	Parameter string // name of the parameter, or identifier of the package, group or preset
	Direction Direction
	From      any     // value in the control, as float64, int, bool or string; nil for what is no parameter
	Value     any     // value in the treatment; the level, size or amount of a package; nil of a preset
	Unit      string  // of Value
	FromText  string  // of the question; "" where the type of the question implies the lever
	Assumed   bool    // the question gives no size: Value is the documented usual one
	Note      string  // how it was read, where there is a doubt
	Why       string  // why this usual size
	Persist   float64 // of a shock: share left after a month
	Industry  string  // code of the industry that a shock strikes; "" = all

	StartMonth, DurationMonths, RampMonths int // 1, 0 and 0: from the first month on, at once, for good
	When                                   string

	row int
}

// Unmapped is a part of a question that has no counterpart in the economy.
type Unmapped struct{ Text, Reason string }

// Check refuses what is no question that can be read: one that is too long (out_of_range),
// has no letters, or is in a language other than English and Chinese (wrong_type).
func Check(question string) error {
	if n := utf8.RuneCountInString(question); n > MaxQuestion {
		return fault.Range("question", "a text of "+itoa(n)+" characters", "1 to "+itoa(MaxQuestion)+" characters").
			WithHint("ask one question in at most " + itoa(MaxQuestion) + " characters")
	}
	var e *fault.Error
	switch language := Foreign(question); {
	case !strings.ContainsFunc(clean(question), unicode.IsLetter):
		e = fault.New(fault.WrongType, "question", "the question has no words")
	case language != "":
		e = fault.New(fault.WrongType, "question", "the question seems to be in %s; questions are read in English and Chinese", language)
	default:
		return nil
	}
	e.Hint = `ask in English or Chinese, such as "What happens if VAT rises from 8% to 15%?"`
	return e
}

// Read reads a question about a base economy. It fails for what [Check] refuses; a question
// that is about something else gives a plan of type [Other] without levers, which says what
// there is.
func Read(question string, base scenario.Scenario) (Reading, error) {
	if err := Check(question); err != nil {
		return Reading{}, err
	}
	question = clean(question)
	p := Reading{Question: question, Chinese: IsChinese(question), base: base}
	s := scan(tokenize(question))
	r := reading{plan: &p, tokens: s, runes: []rune(question), items: find(s)}
	r.conditions()
	negate(s, r.items)
	zones(s, r.items)
	bind(s, r.items)
	r.groups()
	r.keywords()
	r.levers()
	r.classify()
	r.context()
	r.outcomes()
	p.Name = p.name()
	return p, nil
}

// clean replaces what does not print by blanks.
func clean(question string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp) {
			return ' '
		}
		return r
	}, question))
}

// IsChinese says whether a text is Chinese rather than English.
func IsChinese(question string) bool {
	han, latin := 0, 0
	for _, r := range question {
		switch {
		case unicode.Is(unicode.Han, r):
			han++
		case unicode.IsLetter(r):
			latin++
		}
	}
	return han > 0 && 3*han >= latin
}

// reading is a question while it is read.
type reading struct {
	plan   *Reading
	tokens scan
	runes  []rune
	items  []item
	named  bool // the question names a lever, if only to leave it as it is
}

// text is what stands between two tokens.
func (r *reading) text(from, to int) string {
	if from >= to {
		return ""
	}
	return string(r.runes[r.tokens[from].from:r.tokens[to-1].to])
}

func (r *reading) unmapped(text, en, zh string) {
	u := Unmapped{text, r.say(en, zh)}
	if !slices.Contains(r.plan.Unmapped, u) {
		r.plan.Unmapped = append(r.plan.Unmapped, u)
	}
}

// comparisons are words between an indicator and a number that make a condition.
var comparisons = []struct {
	sign    string
	phrases []string
}{
	{
		">",
		[]string{
			"exceeds", "exceed", "is above", "rises above", "above", "is over", "is more than", "is higher than", "goes above", "climbs above",
			"超过", "高于", "大于", "突破", "升破", "上升到超过",
		},
	},
	{"<", []string{"is below", "falls below", "below", "is under", "is less than", "is lower than", "drops below", "低于", "小于", "跌破", "不足"}},
}

// conditions takes "unemployment exceeds 10 %" out of the question, as a condition of the
// levers.
func (r *reading) conditions() {
	for i := range r.items {
		it := &r.items[i]
		if !it.is(outcomeMeaning) {
			continue
		}
		for _, c := range comparisons {
			at, ok := r.tokens.skip(it.end, c.phrases...)
			if !ok {
				continue
			}
			q, ok := r.tokens.quantity(at)
			if !ok || q.unit != percentUnit {
				continue
			}
			it.when = it.indicator.String() + " " + c.sign + " " + short(q.x)
			end := it.end
			r.items = slices.DeleteFunc(r.items, func(other item) bool { return end <= other.start && other.start < q.end })
			return
		}
	}
}

// levers makes the plan's levers of what was bound.
func (r *reading) levers() {
	var list []*item
	firm := false
	collect := func(effect bool) {
		for i := range r.items {
			it := &r.items[i]
			if it.is(leverMeaning) && it.effect == effect && !it.negated {
				list = append(list, it)
				firm = firm || !it.entry.soft
			}
			if it.is(leverMeaning) && it.negated && !effect {
				r.plan.Held = append(r.plan.Held, r.text(it.start, it.end))
			}
		}
	}
	collect(false)
	if len(list) == 0 {
		collect(true)
		for _, it := range list {
			it.sizes, it.change = nil, noVerb
		}
	}
	done := map[string]*item{}
	var order []*item
	for _, it := range list {
		if it.entry.soft && firm {
			continue
		}
		it.meant = r.meant(it)
		if it.entry.standsIn {
			it.asked = r.text(it.start, it.end)
			for _, q := range it.sizes {
				r.unmapped(r.text(q.start, q.end), "it is a size of "+it.asked+", not of what stands in for it", "这是"+it.asked+"的幅度，而非代替它的工具的幅度")
			}
			it.sizes = nil
		}
		key := levers[it.meant].nameOr()
		if first, ok := done[key]; ok {
			if r.second(first, it) {
				first.merge(it)
			}
			continue
		}
		done[key] = it
		order = append(order, it)
	}
	order = r.withoutContext(order)
	when := ""
	for _, it := range r.items {
		when = cmp.Or(it.when, when)
	}
	r.named = len(order) > 0
	for _, it := range order {
		if l, ok := r.resolve(it); ok {
			if it.asked != "" {
				r.standsIn(it.asked, &l)
			}
			l.When = when
			r.narrowed(it, &l)
			r.plan.Levers = append(r.plan.Levers, l)
		}
	}
	r.time()
	r.unused(order)
}

// unused says which numbers of a question set nothing: those that it gives of an outcome,
// which an experiment measures.
func (r *reading) unused(order []*item) {
	if len(r.plan.Levers) == 0 {
		return
	}
	for i := range r.items {
		q := r.items[i].number
		if q == nil || q.unit == monthsUnit || q.unit == plainUnit {
			continue
		}
		of := func(it *item) bool {
			return it.lo <= q.start && q.end <= it.hi || slices.ContainsFunc(it.sizes, func(size quantity) bool { return size.start == q.start })
		}
		if !slices.ContainsFunc(order, of) {
			r.unmapped(r.text(q.start, q.end), "no lever takes this number: an outcome is measured, not set", "没有政策工具采用此数字：结果由实验测得，而非设定")
		}
	}
}

// meant is the row of a lever, or of another where the direction says so: more public
// spending is no austerity.
func (r *reading) meant(it *item) int {
	row := levers[it.row]
	other := ""
	switch {
	case it.sign > 0:
		other = row.whenRaised
	case it.sign < 0:
		other = row.whenLowered
	}
	if i, ok := leverIndex[other]; ok {
		plain := *it.entry
		plain.inverse, plain.sign = false, 0
		it.entry, it.sign = &plain, -it.sign
		it.sizes = spent(it, row)
		return i
	}
	return it.row
}

// spent turns what a question says of the deficit, or of all public spending, into what is
// bought: points of GDP.
func spent(it *item, from row) []quantity {
	now := usualSpending
	if from.relative > 0 {
		now = usualDeficit
	}
	points := func(x float64) quantity { return quantity{unit: pointsUnit, x: x, of: ofGDP, role: byRole} }
	var sizes []quantity
	for _, q := range it.sizes {
		switch {
		case q.role == fromRole:
			continue
		case q.role == toRole && q.unit == percentUnit && q.explicit && (q.of == ofGDP || from.relative > 0):
			q = points(max(0, q.x-now))
		case from.relative > 0 && q.of != ofGDP && (q.unit == percentUnit || q.unit == fractionUnit):
			q = points(q.x * now)
		case from.relative > 0 && q.unit == factorUnit:
			q = points(max(0, q.x-1) * now)
		}
		sizes = append(sizes, q)
	}
	if from.relative > 0 && len(sizes) == 0 && (it.change == double || it.change == triple) {
		sizes = append(sizes, points(now))
		it.change = raise
	}
	return sizes
}

// second says in the plan where a later mention of a lever gives it another value: a lever
// has one. It returns whether what else the mention says may be added to the first.
func (r *reading) second(first, later *item) bool {
	if len(first.sizes) == 0 {
		return true
	}
	same := true
	for _, q := range later.sizes {
		known := slices.ContainsFunc(first.sizes, func(p quantity) bool { return p.x == q.x && p.unit == q.unit })
		if q.role != fromRole && !known {
			r.another(q, levers[first.meant].nameOr())
			same = false
		}
	}
	return same
}

// another says in the plan that a value of a lever is not used.
func (r *reading) another(q quantity, name string) {
	r.unmapped(
		r.text(q.start, q.end), "another value of "+name+": plan it with inject_intervention", name+" 的另一个数值：请用 inject_intervention 另行计划",
	)
}

// standsIn says that a lever is not what the question asks for.
func (r *reading) standsIn(asked string, l *Lever) {
	r.unmapped(asked, "this economy does not have it; "+l.Parameter+" stands in for it", "该经济模型没有此项；以 "+l.Parameter+" 代替")
	note := r.say(fmt.Sprintf("a stand-in for %q, which this economy does not have", asked), "代替“"+asked+"”，该经济模型没有此项")
	if l.Note != "" {
		note += r.say("; ", "；") + l.Note
	}
	l.Note = note
}

// merge adds what was said of the same lever elsewhere.
func (it *item) merge(other *item) {
	if it.sign == 0 || it.change == noVerb && other.change != noVerb {
		it.entry, it.sign, it.change = other.entry, other.sign, other.change
	}
	it.asked = cmp.Or(it.asked, other.asked)
	if len(it.sizes) == 0 {
		it.sizes = other.sizes
	}
	if len(it.timing) == 0 {
		it.timing = other.timing
	}
	if len(other.sizes) > 0 || other.change != noVerb {
		it.cover(other)
		it.lo, it.hi = min(it.lo, other.lo), max(it.hi, other.hi)
	}
}

// withoutContext leaves out what is named only as the ground on which another lever acts:
// AI where the question is about a tax on it.
func (r *reading) withoutContext(order []*item) []*item {
	var kept []*item
	for _, it := range order {
		ground := false
		for _, other := range order {
			for _, need := range levers[other.meant].needs {
				ground = ground || other != it && levers[other.meant].unit != choiceUnit && need.Name == levers[it.meant].nameOr() &&
					it.change == noVerb && it.entry.sign == 0 && len(it.sizes) == 0
			}
		}
		if !ground {
			kept = append(kept, it)
		}
	}
	return kept
}

func (r row) nameOr() string {
	return cmp.Or(r.name, r.id)
}
