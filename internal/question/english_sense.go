package question

import (
	"slices"
)

// happening are the anchors of a sentence that happen; all of the question where it is negative.
func (r *english) happening(sentence int) (list []int) {
	for n, a := range r.anchors {
		if a.role == happens && a.lever() && (sentence < 0 || r.items[a.item].sentence == sentence || a.retold == sentence && sentence > 0) {
			list = append(list, n)
		}
	}
	return list
}

// times gives times and conditions to what happens.
func (r *english) times() {
	r.undone()
	for i := range r.items {
		it := r.items[i]
		if it.t == nil || it.taken {
			continue
		}
		t := *it.t
		if slices.ContainsFunc(r.anchors, func(a anchor) bool {
			return a.retold > it.sentence && r.items[a.item].sentence == it.sentence
		}) {
			r.items[i].kind, r.items[i].taken = colourMark, true // "We have had VAT of 10 percent for five years. What about 12?"
			continue
		}
		by := r.s.text(it.from) == "by" || it.from > 0 && r.s.text(it.from-1) == "by"
		if i > 1 && r.text(i-2) == "by the end" && t.last > 0 {
			t, by = timing{begin: t.last + 1}, true // "by the end of five years"
		}
		if end := max(t.until, t.begin); by && end > 1 && r.gradual(it.sentence) {
			if here := r.happening(it.sentence); len(here) == 1 && r.anchors[here[0]].h.ramp == 0 {
				r.anchors[here[0]].h.ramp = end - 1 // "rising bit by bit"
				r.take(i, "phased in")
				continue
			}
		}
		if t.begin > 1 && by && !r.looked(i) {
			r.items[i].kind, r.items[i].taken = timeMark, true // "to 10 percent by year 5": bit by bit, or at once?
			continue
		}
		if t.until > 0 && r.s.text(it.from) == "by" && !r.chunkHas(it.chunk, func(o item) bool {
			return o.from != it.from && r.s[o.from].is("stop", "end", "expire", "lapse", "back", "over", "undo", "reverse")
		}) {
			r.items[i].kind, r.items[i].taken = timeMark, true // "to 15 percent by the end of year five"
			continue
		}
		if r.told(it.chunk) && !r.chunkHappens(it.chunk) && len(r.happening(-1)) > 0 {
			r.items[i].kind, r.items[i].taken = colourMark, true // "as someone who has run a bakery for thirty years"
			continue
		}
		here := r.happening(it.sentence)
		if len(here) == 0 && r.ours(it.sentence) && !r.endsAsking(it.sentence) && len(r.happening(-1)) > 0 && !r.refers(it.chunk) {
			r.items[i].kind, r.items[i].taken = colourMark, true // "I have been a shop steward for nineteen years."
			continue
		}
		if len(here) == 0 {
			if here = r.happening(-1); len(here) > 1 && !r.looked(i) && !r.nearText(i, "both", "each", "all", "these") {
				if t.over > 0 && !t.vague && !r.gradual(it.sentence) {
					r.sense.horizon = max(t.over, t.ahead)
					r.take(i, "horizon")
				}
				continue
			}
		}
		if t.over > 0 || t.ahead > 0 {
			r.spanOver(i, here)
			continue
		}
		if t.begin > 1 && t.last == 0 && t.until == 0 && r.looked(i) {
			ahead := t.begin - 1
			for at := it.from; at < it.to && r.s.text(it.from) != "after"; at++ { // "in year five": to its end
				if n, _ := r.s.period(at); n > 1 && r.s.text(it.from+1) != "the" {
					ahead += n
					break
				}
			}
			r.sense.horizon = max(r.sense.horizon, ahead)
			r.take(i, "horizon")
			continue
		}
		if len(here) == 0 {
			continue
		}
		targets := here
		if r.items[r.anchors[here[0]].item].sentence == it.sentence && len(here) > 1 {
			targets = r.targets(i, here)
		}
		if targets == nil {
			continue // it is anybody's guess for which
		}
		fits := true
		for _, n := range targets {
			fits = fits && r.fitsTime(&r.anchors[n].h, t)
		}
		if !fits {
			continue
		}
		for _, n := range targets {
			r.setTime(&r.anchors[n], t)
		}
		r.take(i, "time")
	}
	r.horizons()
	r.benefitTimes()
	r.sameTimes()
	r.likewise()
	r.thenceforth()
	r.when()
}

// looked says whether the time at i is when to look at what the question asks about: "Income inequality after 5 years?"
func (r *english) looked(i int) bool {
	if next := r.items[i].to; r.firstOf(r.items[i].sentence) == i && next+2 < len(r.s) &&
		r.s[r.items[i].from].is("in", "after", "by") { // "in year ten, how high is the debt"
		if r.s.text(next) == "," {
			next++
		}
		if r.s[next].is("how", "where") || r.s[next].is("what") && r.s[next+1].is("be") {
			return true
		}
	}
	it := r.items[i]
	if i > 0 && r.items[i-1].outcome && r.items[i-1].levers == nil && r.s[it.from].is("after") && r.s.text(it.to) != "of" {
		return true // "output after ten years with fewer people"
	}
	n := r.nearest(i, func(a anchor) bool { return a.role == asked || a.role == happens && a.lever() })
	alone := !r.chunkHas(it.chunk, func(o item) bool { return o.from != it.from && o.sign == "" })
	switch {
	case n < 0 || r.anchors[n].role != asked || r.chunkHappens(it.chunk):
		return false
	case alone && r.items[r.anchors[n].item].chunk == it.chunk-1 &&
		!r.s[it.from].is("from", "start", "starting", "beginning", "as", "in"):
		return true // "the effect on debt, twenty years from now"
	}
	return r.sameChunk(i, n) && (r.asks(i) || r.short(it.sentence)) && r.s[it.from].is("after", "in", "at", "by")
}

// sameChange gives "VAT by 3 points" the change of "raise income tax by 3 points or" before it.
func (r *english) sameChange() {
	for n := 1; n < len(r.anchors); n++ {
		a, o := &r.anchors[n], r.anchors[n-1]
		if a.h.change != noChange || a.h.by == nil || o.h.by == nil || o.h.change != raise && o.h.change != lower || a.item < 0 ||
			o.item < 0 ||
			r.items[a.item].sentence != r.items[o.item].sentence || !r.leads[r.items[a.item].chunk].phrase.is(orWord, andWord,
			thanWord) && !(r.leads[r.items[a.item].chunk].comma && r.leads[r.items[a.item].chunk].phrase == nil) ||
			r.moreNear(a.item) {
			continue
		}
		a.h.change, a.changed = o.h.change, true
	}
}

// short says whether a sentence is a question of a few words that says nothing of what happens: "Less lending?"
func (r *english) short(sentence int) bool {
	words, tells := 0, false
	for _, it := range r.items {
		if it.sentence == sentence && it.sign == "" {
			words += it.to - it.from
			tells = tells || it.is(ifWord, orWord, insteadWord, whenWord) || it.q != nil || it.t != nil
		}
	}
	return words <= 4 && !tells && r.endsAsking(sentence) && sentence > 0
}

// horizons reads how long to look from a length that is said alone: "Look at seven years."
func (r *english) horizons() {
	for i, it := range r.items {
		if it.taken || it.q == nil || it.q.unit != months || it.q.x < 1 || r.sense.horizon > 0 || r.chunkHappens(it.chunk) {
			continue
		}
		alone := !r.chunkHas(it.chunk, func(o item) bool { return o.from != it.from && o.sign == "" })
		asked := slices.ContainsFunc(r.anchors, func(a anchor) bool { return r.items[a.item].chunk == it.chunk-1 && a.role == asked })
		if alone && asked || r.chunkHas(it.chunk, func(o item) bool {
			return r.s[o.from].is("look", "watch", "simulate", "run", "track", "follow", "horizon", "observe")
		}) {
			r.sense.horizon = int(it.q.x)
			r.take(i, "horizon")
		}
	}
}

// likewise has "over the same time" last as long as what was said before.
func (r *english) likewise() {
	here := r.happening(-1)
	for i := range r.items {
		it := r.items[i]
		if !it.is(sameTimeWord) || it.taken {
			continue
		}
		r.items[i].kind, r.items[i].taken = timeMark, true
		for k, n := range here {
			a := &r.anchors[n]
			if k > 0 && r.items[a.item].sentence == it.sentence && a.item < i && (k+1 == len(here) || r.anchors[here[k+1]].item > i) &&
				a.h.last == 0 {
				if o := r.anchors[here[k-1]]; o.h.last > 0 {
					a.h.last, a.h.begin = o.h.last, max(a.h.begin, o.h.begin)
					r.items[i].kind, r.items[i].as = usedMark, "time"
				}
			}
		}
	}
}

// thenceforth has "starting then" be the start of what was said before.
func (r *english) thenceforth() {
	here := r.happening(-1)
	for k, n := range here {
		a := &r.anchors[n]
		for i := range r.items {
			it := r.items[i]
			if it.sentence != r.items[a.item].sentence || !it.is(thenWord) || it.taken || r.far(i, n) > 12 {
				continue
			}
			if k > 0 && a.h.begin == 0 && r.anchors[here[k-1]].h.begin > 0 {
				a.h.begin = r.anchors[here[k-1]].h.begin
				r.take(i, "time")
			} else {
				r.items[i].kind, r.items[i].taken = timeMark, true
			}
		}
	}
}

// sameTimes gives the times of what happens to what would happen instead: "Cut it for nine months. If instead it rose?"
func (r *english) sameTimes() {
	here := r.happening(-1)
	for k, n := range here {
		a := &r.anchors[n]
		if k == 0 || a.h.begin != 0 || a.h.last != 0 || a.h.ramp != 0 {
			continue
		}
		o := r.anchors[here[k-1]]
		sentence := r.items[a.item].sentence
		if r.items[o.item].sentence != sentence && slices.Equal(a.h.levers, o.h.levers) &&
			slices.ContainsFunc(r.items, func(it item) bool { return it.sentence == sentence && it.is(insteadWord) }) {
			a.h.begin, a.h.last, a.h.ramp = o.h.begin, o.h.last, o.h.ramp
		}
	}
}

func (r *english) nearText(i int, words ...string) bool {
	for k := max(0, i-2); k <= min(len(r.items)-1, i+2); k++ {
		if slices.Contains(words, r.s.text(r.items[k].from)) {
			return true
		}
	}
	return false
}

// targets are the happenings of a sentence that the time at i is said of; nil = it does not tell.
func (r *english) targets(i int, here []int) []int {
	first, last := r.anchors[here[0]].item, r.anchors[here[len(here)-1]].item
	apart := false
	for k := 1; k < len(here); k++ {
		apart = apart || r.apart(here[k-1], here[k])
	}
	best := here[0]
	for _, n := range here {
		if r.far(i, n) < r.far(i, best) {
			best = n
		}
	}
	if p := r.leads[r.items[i].chunk].phrase; p.is(andWord) && !r.chunkHappens(r.items[i].chunk) && !apart {
		for k := len(here) - 1; k >= 0; k-- { // "machines and buildings in month 12, and the state"
			if r.anchors[here[k]].item < i && k+1 < len(here) {
				return []int{here[k]}
			} else if r.anchors[here[k]].item < i {
				break
			}
		}
	}
	switch {
	case r.nearText(i, "both", "each", "either"):
		return here
	case i < first && !r.sameChunk(i, best):
		return here
	case i > last && !apart && (!r.sameChunk(i, best) || !r.timedBefore(here, best)):
		return here
	case i < last || r.s.text(r.items[i].from) == "that" || r.s.text(r.items[i].from) == "lasting":
		return []int{best}
	case !apart:
		return []int{best}
	}
	for _, n := range here {
		if h := r.anchors[n].h; n != best && h.begin == 0 && h.last == 0 && h.ramp == 0 {
			return nil
		}
	}
	return []int{best}
}

func (r *english) sameChunk(i, n int) bool {
	return r.items[i].chunk == r.items[r.anchors[n].item].chunk
}

func (r *english) timedBefore(here []int, but int) bool {
	return slices.ContainsFunc(here, func(n int) bool {
		h := r.anchors[n].h
		return n != but && (h.begin > 0 || h.last > 0 || h.ramp > 0)
	})
}

func (r *english) fitsTime(h *happening, t timing) bool {
	switch {
	case t.begin > 0 && h.begin > 0 && t.begin != h.begin, t.last > 0 && h.last > 0 && t.last != h.last, t.vague:
		return false
	case t.until > 0 && t.until <= max(t.begin, h.begin, 1), t.until > 0 && h.last > 0, t.begin > 0 && h.last < 0:
		return false
	}
	return true
}

func (r *english) setTime(a *anchor, t timing) {
	if t.point && t.until == 0 && a.h.levers[0] == "pay" && a.h.last == 0 && a.h.to != nil && a.h.to.per == 0 {
		a.h.last = 1 // "pay 1000 in month 6"
	}
	if t.begin > 0 {
		if a.h.begin == 0 && a.h.last > 0 && a.item >= 0 && t.until == 0 && r.untilBefore(a) {
			a.h.last -= t.begin - 1
		}
		a.h.begin = t.begin
	}
	if t.last > 0 {
		a.h.last = t.last
	}
	if t.until > 0 {
		a.h.last = t.until - max(a.h.begin, 1)
	}
}

// untilBefore says whether the end was said before the start: "until month 24, starting in month 5".
func (r *english) untilBefore(a *anchor) bool {
	return slices.ContainsFunc(r.items, func(it item) bool {
		return it.taken && it.t != nil && it.t.until > 0 && it.sentence == r.items[a.item].sentence && it.t.begin == 0
	})
}

// gradual says whether a sentence says that something comes bit by bit.
func (r *english) gradual(sentence int) bool {
	found := false
	for i, it := range r.items {
		if it.sentence != sentence {
			continue
		}
		if it.is(gradualWord) && !it.is(frameWord) {
			r.take(i, "gradually")
			found = true
		}
		if it.t != nil {
			for at := it.from; at < it.to; at++ {
				found = found || r.s[at].is("step", "spread", "stretch")
			}
		}
	}
	return found
}

// creeps says whether the clause of the time at i has its own change come bit by bit: "creeps up to 6 percent over a year".
func (r *english) creeps(i int) bool {
	chunk := r.items[i].chunk
	return r.chunkHappens(chunk) && r.chunkHas(chunk, func(o item) bool { return r.s[o.from].is("creep", "crawl", "drift", "trickle") })
}

// onTheWay is what takes the time at i from one value to another: "goes from 13 to 15 percent over two years"; -1 = nothing.
func (r *english) onTheWay(i int, here []int) int {
	first := len(here) == 1 && r.firstOf(r.items[i].sentence) == i && !r.endsAsking(r.items[i].sentence)
	reaches := r.chunkHas(r.items[i].chunk, func(o item) bool { _, is := r.s.skip(o.from, reachingWords...); return is })
	for _, n := range here {
		h := r.anchors[n].h
		if h.to != nil && h.ramp == 0 && r.items[i].t.ahead == 0 && r.sameChunk(i, n) && (h.from != nil || reaches) &&
			(first || i > 0 && r.items[i-1].q == h.to) {
			return n
		}
	}
	return -1
}

// spanOver reads "over two years": phased in, or looked at.
func (r *english) spanOver(i int, here []int) {
	it := r.items[i]
	t := *it.t
	months := max(t.over, t.ahead)
	if len(here) > 0 && slices.Contains(r.happening(it.sentence), here[0]) && (r.gradual(it.sentence) || r.creeps(i)) {
		for _, n := range here {
			if r.anchors[n].h.ramp != 0 {
				return
			}
		}
		targets := here
		if len(here) > 1 {
			targets = r.targets(i, here)
		}
		for _, n := range targets {
			r.anchors[n].h.ramp = months
		}
		if targets != nil {
			r.take(i, "phased in")
		}
		return
	}
	if n := r.onTheWay(i, here); n >= 0 && !t.vague {
		r.anchors[n].h.ramp = months
		r.take(i, "phased in")
		return
	}
	if t.vague {
		n := r.nearest(i, func(a anchor) bool { return a.role == happens || a.role == asked })
		if n >= 0 && r.anchors[n].role == asked && r.sameChunk(i, n) &&
			!r.chunkHappens(it.chunk) || r.looked(i) { // "would wages be higher in 15 years?"
			r.sense.horizon = months
			r.take(i, "horizon")
		}
		return
	}
	best := r.nearest(i, func(a anchor) bool { return a.role == happens || a.role == asked })
	if best >= 0 && t.ahead > 0 && r.firstOf(it.sentence) == i {
		r.sense.horizon = months
		r.take(i, "horizon")
		return
	}
	if best < 0 || r.anchors[best].role == asked || t.ahead > 0 && r.endsAsking(it.sentence) || r.leads[it.chunk].comma &&
		len(r.happening(it.sentence)) == 0 {
		r.sense.horizon = months
		r.take(i, "horizon")
	}
}

// benefitTimes reads the length of a benefit, which is what changes.
func (r *english) benefitTimes() {
	var lengths []int
	for n := range r.anchors {
		h := &r.anchors[n].h
		if len(h.levers) != 1 || r.anchors[n].role != happens {
			continue
		}
		long := h.levers[0] == "benefit_months"
		if h.levers[0] == "unemployment_benefit_rate" && h.from != nil && (h.from.unit == months || h.from.unit == plain &&
			h.from.x > 1) && h.last > 0 ||
			h.levers[0] == "unemployment_benefit_rate" && h.to != nil && h.to.unit == months {
			h.levers[0], long = "benefit_months", true
		}
		bare := h.to == nil && h.by == nil && h.from == nil
		if h.levers[0] == "unemployment_benefit_rate" && bare && h.last > 0 && (h.change == noChange || h.change == settle) {
			if slices.ContainsFunc(r.anchors, func(o anchor) bool { return o.role == happens && r.leverIs(&o, "benefit_months") }) {
				r.anchors[n].role = aside
				r.take(r.anchors[n].item, "benefit_months")
				continue
			}
			h.levers[0], long = "benefit_months", true // "pay the dole for two years"
		}
		if bare && h.begin > 1 && h.last == 0 && r.runsOut(r.anchors[n].item) && (long || h.levers[0] == "unemployment_benefit_rate") {
			h.levers[0], h.change = "benefit_months", settle
			h.to, h.begin, r.anchors[n].sized, long = &quantity{unit: months, x: float64(h.begin - 1)}, 0, true, true
		}
		if long && h.begin > 1 && h.last == 0 && h.to == nil && h.by == nil && h.from != nil {
			h.to, h.begin, r.anchors[n].sized = &quantity{unit: months, x: float64(h.begin - 1)}, 0,
				true // "runs out after 6 months instead of 12"
			if h.from.unit == plain {
				h.from.unit = months
			}
		}
		if long && h.last > 0 && h.to == nil && h.by == nil {
			h.to = &quantity{unit: months, x: float64(h.last)}
			h.last = 0
			r.anchors[n].sized = true
			if h.from != nil && h.from.unit == plain {
				h.from.unit, h.from.x = months, h.from.x*12
				if h.from.x > 24 {
					h.from.x /= 12
				}
			}
		}
		if long && h.levers[0] == "benefit_months" && h.to != nil {
			lengths = append(lengths, n)
		}
	}
	for _, n := range lengths {
		r.afterwards(n)
	}
}

// afterwards has "and not a cent after that" be the end of the benefit of the long-term unemployed.
func (r *english) afterwards(n int) {
	a := r.anchors[n]
	sentence := r.items[a.item].sentence
	said := func(words ...string) bool {
		return slices.ContainsFunc(r.items, func(it item) bool {
			return it.sentence == sentence && slices.ContainsFunc(r.s[it.from:it.to], func(t token) bool { return t.is(words...) })
		})
	}
	ends := said("nothing", "cent", "penny", "zilch", "altogether") && said("after", "afterwards", "thereafter", "then")
	if !ends && !(r.runsOut(a.item) && !said("full", "run")) {
		return
	}
	for i := range r.items {
		if it := r.items[i]; it.sentence == sentence && !r.isAnchor(i) && it.q == nil && (it.is(notWord, nobodyWord) ||
			r.s[it.from].is("nothing", "cent", "penny", "stop", "end", "cease")) {
			r.take(i, "nothing after it")
		}
	}
	r.anchors = append(r.anchors, anchor{item: a.item, role: happens, changed: true, sized: true, verb: -1, h: happening{
		levers: []string{"long_term_benefit_factor"}, change: abolish, begin: a.h.begin, when: a.h.when, until: a.h.until, again: a.h.again}})
}

// runsOut says whether something is said to be paid until it ends: "the dole runs out after nine months".
func (r *english) runsOut(i int) bool {
	text := func(is func(t token) bool) bool {
		return r.chunkHas(r.items[i].chunk, func(it item) bool { return slices.ContainsFunc(r.s[it.from:it.to], is) })
	}
	return text(func(t token) bool { return t.is("stop", "run", "expire", "cease", "end", "dry", "lapse") }) &&
		text(func(t token) bool { return t.text == "after" || t.text == "out" }) && !text(func(t token) bool {
		return t.text == "after" && r.s[min(len(r.s)-1, slices.Index(r.s, t)+1)].is("year", "month", "the", "that") // a date
	})
}

// when gives conditions to what happens.
func (r *english) when() {
	for k := range r.whens {
		w := r.whens[k]
		here := r.happening(w.sentence)
		if len(here) == 0 {
			if here = r.happening(-1); len(here) > 1 {
				here = nil
			}
		}
		for _, n := range here {
			h := &r.anchors[n].h
			c := w.c
			switch {
			case w.until:
				h.until = &c
			case h.levers[0] == publicSpending && h.change == lower && c.indicator.String() == "deficit_to_gdp" && c.above &&
				h.by == nil && h.to == nil:
				q := c.value
				*h = happening{levers: []string{"austerity_deficit_limit"}, change: settle, to: &q}
				r.anchors[n].sized = true
			case h.when != nil, len(here) > 1 && r.amidst(w.sentence, here):
				r.doubtful(w.sentence)
			default:
				h.when, h.again = &c, h.again || w.again
			}
		}
		if here == nil {
			r.doubtful(w.sentence)
		}
	}
}

// doubtful marks a condition that may be said of one thing or another.
func (r *english) doubtful(sentence int) {
	for i := range r.items {
		if r.items[i].sentence == sentence && r.items[i].as == "condition" && r.items[i].q != nil {
			r.items[i].kind = comparisonMark
		}
	}
}

// amidst says whether a condition stands between two things that happen.
func (r *english) amidst(sentence int, here []int) bool {
	at := slices.IndexFunc(r.items, func(it item) bool { return it.sentence == sentence && it.as == "condition" && it.q != nil })
	return at > r.anchors[here[0]].item && at < r.anchors[here[len(here)-1]].item
}

func (r *english) span(i int) Span { return Span{r.s[r.items[i].from].From, r.s[r.items[i].to-1].To} }
