package question

import (
	"slices"
	"strings"

	"econ-mcp/sim"
)

// find makes anchors of the levers and outcomes that the question names.
func (r *english) find() {
	for i := range r.items { // "the state trims VAT": the verb of another lever
		it := &r.items[i]
		if len(it.levers) != 1 || !slices.Contains([]string{"austerity", "minimum_income_taper"}, it.levers[0]) {
			continue
		}
		k := i + 1
		for k < len(r.items) && articles[r.text(k)] {
			k++
		}
		verb := r.s[it.to-1].is("trim", "back", "down", "taper", "cut", "save", "tighten")
		if verb && k < len(r.items) && r.items[k].levers != nil && !r.items[k].soft && r.items[k].sentence == it.sentence {
			it.phrase = phrase{change: lower}
		}
	}
	for i, it := range r.items {
		if it.taken || !it.known || it.levers == nil && !it.outcome {
			continue
		}
		if it.levers == nil && r.pays(i) {
			continue
		}
		if it.levers == nil && it.change != noChange && r.besideAnchor(i) {
			continue // "grow", "save": a change of the word beside it
		}
		if it.soft && !r.soft(it.phrase) {
			if it.levers = nil; !it.outcome {
				if it.kinds == 0 && !it.group && it.change == noChange && it.industry == "" {
					r.items[i].known = false // "income from capital"
				}
				r.items[i].levers = nil
				continue
			}
			r.items[i].levers = nil
		}
		a := anchor{item: i, indic: it.indicator, wishes: it.outcome, verb: -1}
		if it.levers != nil {
			a.h.levers = slices.Clone(it.levers)
		}
		r.anchors = append(r.anchors, a)
	}
	r.industryAlone()
	for n := 1; n < len(r.anchors); n++ { // "the payroll contribution for pensions"
		a, b := r.anchors[n-1], &r.anchors[n]
		if b.role == unclear && len(a.h.levers) == 1 && len(b.h.levers) == 1 && a.h.levers[0] != b.h.levers[0] && b.item-a.item <= 3 &&
			b.item > a.item+1 &&
			slices.Contains([]string{"for", "of", "to", "into"}, r.text(a.item+1)) && a.h.levers[0] == "pension_contribution_rate" ||
			r.leverIs(&a, "robot_tax_rate") && r.leverIs(b, "ai_licence_fee") && b.item-a.item <= 7 && r.sameChunk(a.item, n) {
			b.role = aside
			r.take(b.item, "what it is on")
		}
	}
	for n := range r.anchors { // "the margin that banks add on top of the policy rate": what it is measured from
		if b := &r.anchors[n]; n+1 < len(r.anchors) && !b.lever() && b.indic == sim.MarkUp && r.leverIs(&r.anchors[n+1], "loan_spread") &&
			r.sameChunk(b.item, n+1) {
			b.role = aside
			r.take(b.item, "what it is on top of")
		}
		if n > 0 && r.leverIs(&r.anchors[n], "fixed_policy_rate") && r.leverIs(&r.anchors[n-1], "loan_spread", "deposit_spread") &&
			r.anchors[n].item-r.anchors[n-1].item <= 3 && r.items[r.anchors[n-1].item+1].levers == nil &&
			!r.items[r.anchors[n-1].item+1].is(andWord, orWord) {
			r.anchors[n].role = aside
			r.take(r.anchors[n].item, "what it is on top of")
		}
	}
	slices.SortStableFunc(r.anchors, func(a, b anchor) int { return a.item - b.item })
	r.ruled()
}

// ruled leaves out the taxes by which a question describes the debt rule: "the brake that raises taxes with debt".
func (r *english) ruled() {
	rule := func(a anchor) bool { return slices.Equal(a.h.levers, []string{"enable_debt_rule"}) }
	if !slices.ContainsFunc(r.anchors, rule) {
		return
	}
	r.anchors = slices.DeleteFunc(r.anchors, func(a anchor) bool {
		tax := slices.Contains(a.h.levers, "income_tax_rate") &&
			!r.chunkHas(r.items[a.item].chunk, func(it item) bool { return it.q != nil })
		if tax {
			r.take(a.item, "what it is on")
		}
		return tax
	})
}

// industryAlone has an industry of which nothing but a size or a change is said be its demand or its
// capacity: the question does not say which.
func (r *english) industryAlone() {
	at := -1
	for i, it := range r.items {
		if it.foreign != "" || it.place != "" {
			return
		}
		if it.industry != "" && at < 0 {
			at = i
		}
	}
	if at < 0 || slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.lever() }) ||
		!slices.ContainsFunc(r.items, func(it item) bool {
			return it.sentence == r.items[at].sentence && (it.q != nil && it.q.unit != money && it.q.unit != plain ||
				it.change == lower && it.from > r.items[at].from || r.s[it.from].is("close"))
		}) {
		return
	}
	h := happening{levers: []string{"industry_demand", "industry_supply"}, industry: r.items[at].industry}
	if slices.ContainsFunc(r.s, func(t token) bool {
		return t.is("capacity", "shut", "close", "lockdown", "output", "closed", "produce")
	}) {
		h.levers = h.levers[1:]
	} else if slices.ContainsFunc(r.s, func(t token) bool {
		return t.is("spend", "buy", "customer", "guest", "demand", "consumer", "order", "sale")
	}) {
		h.levers = h.levers[:1]
	}
	r.anchors = append(r.anchors, anchor{item: at, role: happens, h: h, verb: -1})
}

// soft says whether the question speaks of what a word such as "rate" or "capital" may mean.
func (r *english) soft(p phrase) bool {
	var about []string
	switch p.levers[0] {
	case "fixed_policy_rate":
		about = []string{"central", "bank", "fed", "ecb", "interest", "monetary", "inflation", "federal", "boe", "rates"}
	case "consumption_mark_up":
		return !slices.ContainsFunc(r.s, func(t token) bool { return t.is("bank", "loan") })
	case "capital_requirement":
		about = []string{"bank"}
	case "government_employment_share":
		about = []string{"state", "government", "public", "ministry", "treasury", "minister", "austerity", "civil"}
	default:
		return true
	}
	return slices.ContainsFunc(r.s, func(t token) bool { return t.is(about...) })
}

// pays says whether "pay" at i is the verb.
func (r *english) pays(i int) bool {
	switch r.text(i) {
	case "paid", "pays", "paying", "earns", "earn", "saves", "saved":
		return true
	case "pay", "save":
	default:
		return false
	}
	for k := i + 1; k < min(len(r.items), i+4) && r.items[k].sign == ""; k++ {
		if r.items[k].q != nil || r.items[k].levers != nil || r.items[k].group || r.items[k].outcome {
			return true
		}
	}
	return false
}

func (r *english) besideAnchor(i int) bool {
	for k := max(0, i-4); k < min(len(r.items), i+4); k++ {
		if k != i && r.items[k].chunk == r.items[i].chunk && (r.items[k].levers != nil || r.items[k].outcome) &&
			r.items[k].change == noChange {
			return true
		}
	}
	return false
}

// lever says whether the words of an anchor name a lever.
func (a anchor) lever() bool { return len(a.h.levers) > 0 }

// roles decides what each lever and outcome is doing in its sentence, as far as the words before it tell.
func (r *english) roles() {
	strong := func(but int) bool {
		return slices.ContainsFunc(r.anchors, func(a anchor) bool {
			return a.item != but && a.lever() && a.role != leftAlone && (a.role == happens || !r.items[a.item].soft &&
				!r.items[a.item].outcome)
		})
	}
	for n := range r.anchors {
		a := &r.anchors[n]
		it := r.items[a.item]
		if a.role != unclear {
			continue
		}
		switch {
		case !a.lever():
			a.role = asked
		case !a.sized && r.because(it.chunk) && strong(a.item) && !r.chunkHas(it.chunk, func(o item) bool { return o.q != nil }):
			a.role = aside // "because of weak demand"
			r.take(a.item, "the reason")
		case it.soft && strong(a.item) && a.wishes:
			a.role, a.h.levers = asked, nil
		case r.held(n):
			a.role = leftAlone
		case it.soft && strong(a.item) && !r.inList(a.item) && !(r.leads[it.chunk].phrase.is(andWord) &&
			r.chunkHas(it.chunk, func(o item) bool {
				return o.q != nil && !o.taken
			}) && !slices.ContainsFunc(r.anchors, func(o anchor) bool {
			return o.item != a.item && o.lever() &&
				r.items[o.item].chunk == it.chunk
		})):
			a.role = aside
		case !a.wishes && it.place == "":
			a.role = happens
		}
	}
}

// inList says whether an item stands in a list of levers, after a change: "cut purchases, public jobs and benefits".
func (r *english) inList(i int) bool {
	for _, a := range r.anchors {
		if a.lever() && !r.items[a.item].soft && a.item > i && r.items[a.item].sentence == r.items[i].sentence &&
			!r.anchorBetween(i, a.item) {
			for k := i + 1; k < a.item; k++ {
				if it := r.items[k]; it.sign != "," && !it.is(andWord) && !linking[r.text(k)] {
					return false
				}
			}
			k := r.before(i, func(it item) bool { return linking[r.s.text(it.from)] && it.change == noChange })
			return k >= 0 && r.items[k].change != noChange && r.items[k].change != move
		}
	}
	return false
}

// held says whether words such as "without touching" leave a lever as it is.
func (r *english) held(n int) bool {
	a := r.anchors[n]
	it := r.items[a.item]
	lead := r.leads[it.chunk]
	for k := range r.items {
		o := r.items[k]
		if o.sentence != it.sentence || o.t != nil || o.q != nil {
			continue
		}
		asIs := slices.Contains([]string{"as", "where", "what", "how"}, r.text(k)) && r.s.text(o.from+2) == "are" || r.s.text(o.from+2) == "is"
		if (r.text(k) == "alone" || r.text(k) == "aside" || asIs) && k > a.item && k <= a.item+3 && r.chunkHas(it.chunk,
			func(o item) bool { return r.s[o.from].is("leave", "let", "keep") && o.from < it.from }) {
			r.take(k, "left as it is")
			return true
		}
		switch {
		case o.is(withoutWord) && o.chunk == it.chunk && !o.is(aboveWord) && (k < a.item && !r.anchorBetween(k, a.item) ||
			k > a.item && k <= a.item+5 && !strings.HasPrefix(r.text(k), "without")):
			if l, ok := leverOf(a.h.levers[0]); r.text(k) == "without" && (!r.sizedOther(n) || ok && (l.unit == switchUnit ||
				l.unit == choiceUnit)) {
				continue // "without VAT", "without the debt rule": abolished
			}
			r.take(k, "left as it is")
			for m := min(k, a.item); m < max(k, a.item); m++ {
				if c := r.items[m].change; c == raise || c == lower || c == move {
					r.take(m, "left as it is")
				}
			}
			return true
		case o.is(notWord) && k < a.item && o.chunk == it.chunk && a.item-k <= 5 && !r.anchorBetween(k, a.item) &&
			r.text(k) != "no" && r.changeBetween(k, a.item) && r.sizedOther(n):
			r.take(k, "left as it is")
			for m := k; m < a.item; m++ {
				if r.items[m].change != noChange {
					r.take(m, "left as it is")
				}
			}
			return true
		}
	}
	if lead.phrase.is(insteadWord) && lead.text != "instead" && !r.chunkHas(it.chunk, func(o item) bool { return o.q != nil }) &&
		r.sizedOther(n) {
		for k := range r.items {
			if r.items[k].chunk == it.chunk && (r.items[k].change != noChange || r.items[k].is(insteadWord)) {
				r.take(k, "left as it is")
			}
		}
		return true
	}
	return false
}

func (r *english) anchorBetween(a, b int) bool {
	return slices.ContainsFunc(r.anchors, func(o anchor) bool { return o.item > a && o.item < b })
}

func (r *english) changeBetween(a, b int) bool {
	for k := a + 1; k < b; k++ {
		if r.items[k].change != noChange {
			return true
		}
	}
	return false
}

// sizedOther says whether another lever stands in another chunk with a number or a change.
func (r *english) sizedOther(n int) bool {
	for m, o := range r.anchors {
		if m != n && o.lever() && r.items[o.item].chunk != r.items[r.anchors[n].item].chunk &&
			(o.sized || r.items[o.item].implies != 0 || r.chunkHas(r.items[o.item].chunk, func(it item) bool {
				return it.q != nil ||
					it.change != noChange
			})) {
			return true
		}
	}
	return false
}

func (r *english) chunkHas(chunk int, is func(item) bool) bool {
	return slices.ContainsFunc(r.items, func(it item) bool { return it.chunk == chunk && is(it) })
}

// weigh counts the levers before each item, and what it costs to reach each chunk from the first.
func (r *english) weigh() {
	r.crossed = make([]int, len(r.items)+1)
	for _, a := range r.anchors {
		if a.lever() {
			r.crossed[a.item+1]++
		}
	}
	for i := range r.items {
		r.crossed[i+1] += r.crossed[i]
	}
	r.reach = make([]int, len(r.leads))
	for c := 1; c < len(r.leads); c++ {
		cost := 5
		switch p := r.leads[c].phrase; {
		case p.is(ifWord, whenWord, wheneverWord, untilWord, orWord, thanWord, insteadWord):
			cost = 25
		case p.is(andWord):
			cost = 12
		case p.is(boundWord):
			cost = 15
		}
		r.reach[c] = r.reach[c-1] + cost
	}
}

// far is the cost of having item i belong to anchor n: the words between them, with more for what lies
// behind another lever or in another part of the sentence.
func (r *english) far(i, n int) int {
	lo, hi := min(i, r.anchors[n].item), max(i, r.anchors[n].item)
	if lo == hi {
		return 0
	}
	return hi - lo - 1 + 4*(r.crossed[hi]-r.crossed[lo+1]) + r.reach[r.items[hi].chunk] - r.reach[r.items[lo].chunk]
}

// nearest is the anchor that item i belongs to, of those that may take it; -1 = none.
func (r *english) nearest(i int, may func(a anchor) bool) int {
	best, cost := -1, 60
	for n, a := range r.anchors {
		if r.items[a.item].sentence != r.items[i].sentence || !may(a) {
			continue
		}
		if c := r.far(i, n); c < cost || c == cost && best >= 0 && a.item < i {
			best, cost = n, c
		}
	}
	return best
}

// bind gives numbers and changes to the levers that they belong to.
func (r *english) bind() {
	r.weigh()
	r.finance()
	r.paths()
	for i := range r.items {
		if r.items[i].q != nil && !r.items[i].taken {
			r.bindQuantity(i)
		}
	}
	for n := range r.anchors {
		r.units(n)
	}
	for i := range r.items {
		it := r.items[i]
		if !it.known || it.taken || it.change == noChange || it.levers != nil || it.is(wheneverWord) || it.outcome && r.isAnchor(i) {
			continue
		}
		r.bindChange(i)
	}
	r.programmes()
	r.sameChange()
	r.negations()
	r.decide()
	r.echoes()
	r.share()
}

func (r *english) isAnchor(i int) bool { return r.anchorAt(i) >= 0 }

func (r *english) anchorAt(i int) int {
	return slices.IndexFunc(r.anchors, func(a anchor) bool { return a.item == i })
}

// weakly says whether a change says little: "keep", "have".
func weakly(c change) bool { return c == settle || c == introduce || c == move }

// bindChange gives the change at i to a lever or an outcome.
func (r *english) bindChange(i int) {
	it := r.items[i]
	c := it.change
	if c == settle || c == introduce {
		switch r.s.text(it.from) {
		case "have", "has", "had", "offer", "use", "worth", "make", "makes", "put", "set", "reach", "begin", "start", "come", "go",
			"goes", "bring", "take", "having", "pass", "try", "allow", "used", "change":
			// verbs that carry little: they belong to a lever that has no other, and else say nothing
		}
	}
	n := r.nearest(i, func(a anchor) bool {
		return a.role != aside && a.role != leftAlone && (!a.changed || a.h.change == c || a.role == asked || a.lever() &&
			weakly(a.h.change) && directionOf(c) != 0 && a.verb >= 0 && (r.items[a.verb].is(frameWord) ||
			r.s[r.items[a.verb].from].is("write", "enact", "legislate", "decree", "mandate")) || c == abolish &&
			(a.h.change == lower || a.h.change == settle && r.zeroed(i)) ||
			c == halve && a.h.change == lower && !a.sized)
	})
	if n < 0 || r.far(i, n) > 24 {
		return
	}
	a := &r.anchors[n]
	if !a.lever() || a.role == asked {
		switch c {
		case raise:
			a.expect = 1
		case lower, abolish, halve:
			a.expect = -1
		}
		r.items[i].kind, r.items[i].as = fillerMark, "outcome"
		r.items[i].taken = true
		return
	}
	if a.changed && a.h.change == c {
		r.take(i, "change")
		return
	}
	a.h.change, a.changed, a.verb = c, true, i
	r.take(i, "change")
}

// negations reads "nobody pays", "no longer", "no VAT on food".
func (r *english) negations() {
	for i := range r.items {
		it := r.items[i]
		bare := it.is(withoutWord) && r.text(i) == "without"
		if !it.known || it.taken || !it.is(notWord, nobodyWord) && !bare || it.levers != nil || it.outcome || it.foreign != "" {
			continue
		}
		no := r.text(i) == "no" || r.text(i) == "none"
		n := r.nearest(i, func(a anchor) bool { return a.role != aside && a.role != leftAlone })
		if n < 0 || r.items[r.anchors[n].item].chunk != it.chunk {
			continue
		}
		a := &r.anchors[n]
		near := a.item > i && a.item-i <= 2
		switch {
		case r.items[a.item].place != "": // "not in a recession"
		case !a.lever() || a.role == asked:
			r.items[i].kind, r.items[i].taken = fillerMark, true
		case a.sized && !a.changed && it.is(nobodyWord) && r.leverIs(a, "income_tax_rate") && a.h.to != nil && (a.h.to.unit == money ||
			a.h.to.unit == plain && a.h.to.x >= 50):
			a.h.change, a.changed = abolish, true // "nobody pays income tax on the first 1,500"
			r.take(i, "end of it")
		case a.sized && !a.changed: // "no 10 % tariff" is anybody's guess
		case it.is(nobodyWord) || (no || bare) && near:
			if a.changed && a.h.change != introduce && a.h.change != settle && a.h.change != abolish {
				if a.h.change == raise && no { // no more tariffs
					continue
				}
				if !it.is(nobodyWord) || a.item > a.verb && a.verb >= 0 {
					continue
				}
			}
			if a.h.change == raise || a.h.change == lower {
				continue
			}
			if r.items[a.item].implies == '0' {
				r.take(i, "end of it")
				continue
			}
			a.h.change, a.changed = abolish, true
			r.take(i, "end of it")
		}
	}
}

// units reads numbers of a lever together: "from 8 to 12 percent", "two years instead of one".
func (r *english) units(n int) {
	h := &r.anchors[n].h
	same := func(a, b *quantity) {
		if a != nil && b != nil && a.unit == plain && b.unit != plain && b.unit != points {
			scale := 1.0
			switch b.unit {
			case percent:
				scale = .01
			case fraction: // "from 13 to 16 out of a hundred"
				scale = .01
				if a.x >= 1 {
					b.unit = percent
				}
			case months:
				scale = 12
				inMonths := slices.ContainsFunc(r.s, func(t token) bool {
					return t.From >= b.span.From && t.To <= b.span.To && t.is("month")
				})
				if inMonths || b.x < 12 || b.x != float64(int(b.x/12)*12) {
					scale = 1
				}
			}
			a.x, a.unit = a.x*scale, b.unit
			if a.of == ofNothing {
				a.of = b.of
			}
		}
	}
	same(h.from, h.to)
	same(h.to, h.from)
	same(h.from, h.by)
	if h.from != nil && h.by != nil && h.to == nil && h.from.unit == h.by.unit && h.by.unit != points {
		// "from 8 % 10 %" is no size
		return
	}
	for k := len(h.doses) - 1; k > 0; k-- {
		if h.doses[k-1].unit == plain {
			d := h.doses[k]
			before := &h.doses[k-1]
			same(before, &d)
		}
		if h.doses[k-1].of == ofNothing {
			h.doses[k-1].of = h.doses[k].of
		}
	}
	for k := 1; k < len(h.doses); k++ {
		if h.doses[k].unit == plain {
			same(&h.doses[k], &h.doses[k-1])
		}
		if h.doses[k].of == ofNothing {
			h.doses[k].of = h.doses[k-1].of
		}
	}
	if len(h.doses) > 0 {
		h.to = nil
	}
	if h.from != nil && h.to != nil && h.from.of == ofNothing {
		h.from.of = h.to.of
	}
}
