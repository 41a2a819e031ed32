package question

import (
	"slices"
	"strings"

	"econ-mcp/sim"
)

// item is a part of a question that means something as a whole: a phrase, a number with its unit, a time,
// an unknown word, or a sign.
type item struct {
	from, to int // tokens
	phrase
	known bool
	q     *quantity
	t     *timing
	sign  string

	sentence, chunk int
	kind            markKind // what became of it
	as              string
	taken           bool
}

// lead is the word that begins a part of a sentence.
type lead struct {
	phrase *phrase
	text   string
	comma  bool // a comma or the like stands before it
}

// anchor is a lever or an outcome that other words belong to.
type anchor struct {
	item    int
	role    role
	h       happening
	indic   sim.Indicator
	wishes  bool // it may be an outcome
	sized   bool // a quantity belongs to it
	changed bool // a change belongs to it
	expect  int
	verb    int // item of its change
	later   []stage
	paying  bool // it pays for something else
	retold  int  // the sentence that changes a value told before
}

// stage is a size that a lever has from a month on, after it had another.
type stage struct {
	to    *quantity
	begin int
}

type role int

const (
	unclear role = iota
	happens
	everywhereHappens
	asked
	leftAlone
	aside // the words mean something else here
)

// english is the reading of one question.
type english struct {
	s       tokens
	items   []item
	leads   []lead // of each chunk
	anchors []anchor
	sense   sense
	whens   []conditionAt

	crossed, reach []int // see far
	options        int   // how many alternatives the question says that it has; 0 = it does not say
	optionsAt      int   // item that says so
	union          int   // item of "or both", which is an alternative of its own; -1 = none
}

type conditionAt struct {
	c        condition
	sentence int
	until    bool
	again    bool
}

// readEnglish is the grammar of English: the words become items, items gather round the levers and
// outcomes of their sentence, and every word gets a mark.
func readEnglish(text string) sense {
	r := &english{s: tokenize(text)}
	r.s.capitals([]rune(text))
	r.s.again()
	r.mend()
	r.inverted()
	r.scan()
	r.onWhat()
	r.composeLevers()
	r.shareBases()
	r.cut()
	r.conditions()
	r.payments()
	r.find()
	r.roles()
	r.untaxed()
	r.pegged()
	r.refine()
	r.bind()
	r.alternatives()
	r.restated()
	r.times()
	r.who()
	r.places()
	r.compose()
	r.marks()
	return r.sense
}

// mend replaces words that are one slip of the keyboard away from a word for a lever or an outcome.
func (r *english) mend() {
	for i := range r.s {
		t := &r.s[i]
		if !t.word || len(t.text) < 5 {
			continue
		}
		if p, _ := englishTree().match(r.s, i); p != nil || englishKnown()[t.text] ||
			slices.ContainsFunc(forms(t.text), func(f string) bool { return englishKnown()[f] }) {
			continue
		}
		if w := nearestWord(t.text); w != "" {
			t.text = w
		}
	}
}

func (r *english) text(i int) string {
	if i < 0 || i >= len(r.items) {
		return ""
	}
	var words []string
	for _, t := range r.s[r.items[i].from:r.items[i].to] {
		words = append(words, t.text)
	}
	return strings.Join(words, " ")
}

// cut parts the question into sentences, and these into chunks.
func (r *english) cut() {
	sentence, chunk := 0, 0
	r.leads = []lead{{}}
	next := func(p *phrase, text string, comma bool) {
		if comma || r.leads[chunk].phrase != nil || r.leads[chunk].text != "" || r.begun(chunk) {
			if !(r.leads[chunk].comma && !r.begun(chunk) && p != nil) {
				chunk++
				r.leads = append(r.leads, lead{})
			}
		}
		r.leads[chunk] = lead{p, text, comma || r.leads[chunk].comma}
	}
	for i := range r.items {
		it := &r.items[i]
		switch {
		case strings.Contains(".?!;", it.sign) && it.sign != "" && !(it.sign == "." && r.glued(it.to)):
			it.sentence, it.chunk = sentence, chunk
			if it.sign == ";" {
				next(nil, ";", true)
				continue
			}
			sentence++
			chunk++
			r.leads = append(r.leads, lead{})
			continue
		case it.sign == "\n":
			sentence++
			chunk++
			r.leads = append(r.leads, lead{})
		case strings.Contains(",:—()\"[]", it.sign) && it.sign != "":
			next(nil, "", true)
		case it.is(ifWord, whenWord, wheneverWord, untilWord, boundWord, orWord, thanWord, insteadWord, andWord) && it.levers == nil &&
			!it.outcome && it.place == "" && !r.joinsNumbers(i) && !(it.is(onlyWord, aboveWord) && i+1 < len(r.items) &&
			r.items[i+1].q != nil):
			if r.text(i) == "once" && (i+1 >= len(r.items) || r.items[i+1].sign != "" || r.items[i+1].t != nil ||
				r.items[i+1].is(andWord, orWord)) {
				break // "1000 once"
			}
			if it.is(ifWord) && slices.Contains([]string{"had", "were", "given", "provided", "say", "picture", "consider", "pretend",
				"imagine"}, r.text(i)) && r.begun(chunk) {
				break // "the rule were suspended"
			}
			next(&r.items[i].phrase, r.text(i), false)
		}
		it.sentence, it.chunk = sentence, chunk
	}
}

func (r *english) glued(token int) bool { return token < len(r.s) && r.s[token].glued }

// begun says whether a chunk has an item already.
func (r *english) begun(chunk int) bool {
	return slices.ContainsFunc(r.items, func(it item) bool {
		return it.chunk == chunk && it.sign == "" && (it.chunk > 0 ||
			it.from == 0)
	})
}

// joinsNumbers says whether "and" or "or" stands between two numbers of a list.
func (r *english) joinsNumbers(i int) bool {
	it := r.items[i]
	if !it.is(andWord, orWord, insteadWord, thanWord) || i == 0 || i+1 >= len(r.items) {
		return false
	}
	if it.is(insteadWord, thanWord) {
		k := i + 1
		for k < len(r.items) && (r.items[k].is(frameWord) && r.items[k].change == noChange || r.items[k].sign == "-") {
			k++
		}
		return k < len(r.items) && r.items[k].q != nil && !r.leverIn(k+1)
	}
	before := r.items[i-1]
	if before.sign == "," && i > 1 {
		before = r.items[i-2]
	}
	after := r.items[i+1]
	return before.q != nil && after.q != nil && before.q.unit != money && after.q.unit != money &&
		(before.q.unit == after.q.unit || before.q.unit == plain || after.q.unit == plain) && !r.leverIn(i+2)
}

// leverIn says whether a lever stands soon after i, before a boundary: "or 20 percent of wages" begins something else.
func (r *english) leverIn(i int) bool {
	for k := i; k < len(r.items) && k < i+4; k++ {
		if r.items[k].sign != "" && r.items[k].sign != "-" || r.items[k].is(andWord, orWord, ifWord, boundWord, thanWord) ||
			r.items[k].t != nil {
			return false
		}
		if r.items[k].levers != nil && !r.items[k].soft || r.items[k].group && r.items[k].payee != "" && r.items[k].payee != "banks" {
			return true
		}
	}
	return false
}

// take marks an item as used.
func (r *english) take(i int, as string) {
	it := &r.items[i]
	if !it.taken {
		it.taken, it.kind, it.as = true, usedMark, as
	}
}

// before is the last item before i in the same sentence that is not passed over; -1 = none.
func (r *english) before(i int, pass func(it item) bool) int {
	for k := i - 1; k >= 0 && r.items[k].sentence == r.items[i].sentence; k-- {
		if !pass(r.items[k]) {
			return k
		}
	}
	return -1
}

// conditions finds "unemployment rises above 8 %" after "when", "whenever", "if" or "until".
func (r *english) conditions() {
	for i := range r.items {
		q := r.items[i].q
		if q == nil || q.unit == money || q.unit == months || q.unit == people {
			continue
		}
		sign := -1
		for k := i - 1; k >= max(0, i-3) && sign < 0; k-- {
			if r.items[k].is(aboveWord, belowWord) {
				sign = k
			} else if !r.items[k].is(frameWord) {
				break
			}
		}
		chunk := r.leads[r.items[i].chunk]
		begins := chunk.phrase.is(ifWord, whenWord, wheneverWord, untilWord)
		if begins && r.outOfWork(i, sign) {
			continue
		}
		if sign < 0 || !begins {
			continue
		}
		of := -1
		for k := range r.items {
			if r.items[k].chunk == r.items[i].chunk && r.items[k].outcome && !r.items[k].taken && (of < 0 || abs(k-i) < abs(of-i)) {
				of = k
			}
		}
		if of < 0 && len(r.whens) > 0 && r.chunkHas(r.items[i].chunk, func(it item) bool { return r.s.text(it.from) == "it" }) {
			c := conditionAt{c: condition{r.whens[len(r.whens)-1].c.indicator, r.items[sign].is(aboveWord), *q},
				sentence: r.items[i].sentence}
			c.until, c.again = chunk.phrase.is(untilWord), chunk.phrase.is(wheneverWord)
			if last := r.whens[len(r.whens)-1]; last.again && last.c.above != c.c.above { // "…, and stop as soon as it is under 3 again"
				c.until, c.again = true, false
			}
			if last := r.whens[len(r.whens)-1].c.value; q.unit == plain && last.unit == percent { // "8 percent … below 6"
				c.c.value.unit, c.c.value.x = percent, q.x/100
			}
			r.whens = append(r.whens, c)
			for k := range r.items {
				if r.items[k].chunk == r.items[i].chunk && (k == i || k == sign || r.items[k].is(frameWord)) {
					r.take(k, "condition")
				}
			}
			continue
		}
		if of < 0 || r.items[of].levers != nil && !r.items[of].soft && !r.otherLever(of) {
			continue
		}
		if chunk.phrase.is(ifWord) && !chunk.phrase.is(whenWord) && !r.otherLever(of) {
			continue
		}
		c := conditionAt{c: condition{r.items[of].indicator, r.items[sign].is(aboveWord), *q}, sentence: r.items[i].sentence}
		c.until, c.again = chunk.phrase.is(untilWord), chunk.phrase.is(wheneverWord)
		r.whens = append(r.whens, c)
		for k := range r.items {
			if r.items[k].chunk == r.items[i].chunk {
				switch {
				case k == of || k == i || k == sign || &r.items[k].phrase == chunk.phrase:
					r.take(k, "condition")
				case k > i+1:
				case r.items[k].is(frameWord) || r.items[k].change == raise || r.items[k].change == lower || r.items[k].sign != "" ||
					r.items[k].group:
					r.take(k, "condition")
				}
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

// otherLever says whether the question names a lever or a payment beside item i.
func (r *english) otherLever(i int) bool {
	for k, it := range r.items {
		if k != i && it.chunk != r.items[i].chunk && (it.levers != nil && !it.soft || it.q != nil && it.q.unit == money) {
			return true
		}
	}
	return false
}

var payWords = []string{
	"pay", "give", "get", "receive", "send", "hand", "check", "bonus", "grant", "transfer", "handout", "cash", "money", "collect",
	"payment", "mail", "gift", "voucher", "transfer", "allowance",
	"draw", "credit", "distribute", "share", "extra", "offer", "award", "drop", "rebate", "refund", "dole", "top", "dish",
	"helicopter", "deposit", "pocket", "support", "for", "to", "per", "every", "each",
}

// payments finds money for a group: "give every household 100 a month".
func (r *english) payments() {
	for i := range r.items {
		q := r.items[i].q
		if q == nil || r.items[i].taken {
			continue
		}
		group := -1
		for k := range r.items {
			g := r.items[k]
			if g.group && g.payee != "" && g.sentence == r.items[i].sentence && !g.taken && !r.parted(k, i) && (group < 0 ||
				abs(k-i) < abs(group-i)) {
				group = k
			}
		}
		if id := map[string]string{"unemployed": "unemployment_benefit_rate", "retired": "pension_replacement_rate"}; group >= 0 &&
			id[r.items[group].payee] != "" &&
			(q.unit == percent || q.unit == fraction) && q.of == ofNothing && i+1 < len(r.items) &&
			r.chunkHas(r.items[i].chunk, func(it item) bool { return r.s[it.from].is("pay", "give", "get", "receive") }) &&
			!r.chunkHas(r.items[i].chunk, func(it item) bool { return it.levers != nil && !it.soft }) {
			if c := r.items[i+1].change; c == raise || c == lower { // "pay the unemployed 10 percent less"
				r.anchors = append(r.anchors, anchor{item: group, role: happens,
					h: happening{levers: []string{id[r.items[group].payee]}, change: c, by: q}, sized: true, changed: true, verb: i + 1})
				r.take(i, "by")
				r.take(i+1, "change")
				r.take(group, "group")
				continue
			}
		}
		share := (q.unit == percent || q.unit == fraction) && (q.of == ofMean || q.of == ofMedian) && group >= 0 &&
			r.items[group].payee == "all"
		if group < 0 || q.unit != money && (q.unit != plain || q.x < 10) && !share || q.unit == plain && q.per == 0 && q.x < 20 {
			continue
		}
		says, lever, check, pays := false, false, false, -1
		for k := range r.items {
			it := r.items[k]
			if it.sentence != r.items[i].sentence || k == i || r.parted(k, i) {
				continue
			}
			if it.known || it.q == nil && it.t == nil {
				for at := it.from; at < it.to; at++ {
					says = says || r.s[at].is(payWords...) || r.s[at].text == "have" && at+1 == r.items[i].from && k > group
					check = check || r.s[at].is("check", "voucher", "helicopter", "handout", "bonus", "rebate", "lump", "gift")
				}
			}
			if b := r.before(k, func(o item) bool { return passed(o) && !o.is(financeWord) || o.change == raise }); b >= 0 &&
				r.items[b].is(financeWord) {
				continue
			}
			if it.levers != nil && !it.soft && it.payee == "" && it.place == "" && !it.taken && !(it.outcome && it.chunk != r.items[i].chunk) &&
				!slices.Contains(it.levers, "redistribution_equal") && !slices.Contains(it.levers, "redistribution_poor") &&
				!(it.implies == '+' && it.change != noChange) {
				lever = true
			}
			if it.levers != nil && (it.payee != "" || slices.Contains(it.levers, "redistribution_equal")) {
				pays = k
			}
		}
		if !says || lever || i > 0 && (r.s[r.items[i-1].from].is("earn", "live") || r.text(i-1) == "on") { // "a family earning 2000"
			continue
		}
		payee := r.items[group].payee
		id := "pay"
		if payee == "all" && (q.per > 0 && !check || share) && !r.near(i, onceWord) {
			id = "universal_basic_income"
		}
		h := happening{levers: []string{id}, change: settle, to: q}
		if id == "pay" {
			h.group = payee
			if r.near(i, onceWord) {
				h.last = 1
			}
			if q.per == 0 && h.last == 0 && check {
				h.last = 1
			}
		}
		r.take(i, "amount")
		r.take(group, "group")
		if pays >= 0 {
			r.take(pays, "payment")
		}
		r.anchors = append(r.anchors, anchor{item: group, role: happens, h: h, sized: true, changed: true, verb: -1})
		for k := range r.items {
			it := r.items[k]
			if it.chunk == r.items[i].chunk && !r.parted(k, i) && (it.is(onceWord) || it.change == introduce || it.change == raise) {
				r.take(k, "payment")
			}
			if it.chunk == r.items[i].chunk && !r.parted(k, i) && it.levers != nil && !it.taken && (it.soft ||
				slices.Contains(it.levers, "redistribution_equal") || slices.Contains(it.levers, "redistribution_poor")) {
				r.take(k, "payment")
			}
		}
	}
}

// near says whether a word of a kind stands in the chunk of item i.
func (r *english) near(i int, kind wordKind) bool {
	return slices.ContainsFunc(r.items, func(it item) bool { return it.chunk == r.items[i].chunk && it.is(kind) && it.t == nil })
}

// parted says whether the chunk of one of two items begins with a word that parts alternatives from each other.
func (r *english) parted(a, b int) bool {
	from, to := r.items[min(a, b)].chunk, r.items[max(a, b)].chunk
	for c := from + 1; c <= to; c++ {
		if p := r.leads[c].phrase; p.is(orWord, thanWord, insteadWord, ifWord, whenWord, wheneverWord, untilWord) || p.is(andWord) &&
			r.chunkPays(c) {
			return true
		}
	}
	return r.items[a].sentence != r.items[b].sentence
}

// chunkPays says whether a chunk has an amount of money of its own, or a lever.
func (r *english) chunkPays(c int) bool {
	return slices.ContainsFunc(r.items, func(it item) bool {
		return it.chunk == c && (it.q != nil && (it.q.unit == money || it.q.unit == percent) || it.levers != nil && !it.soft)
	})
}
