package question

import (
	"slices"
	"strings"

	"econ-mcp/sim"
)

// weak are words for outcomes that other talk uses, too.
var weak = []string{"work", "job", "jobs", "save", "saving", "price", "prices", "growth", "grow", "labor", "gap", "rich", "rate",
	"activity", "safe", "safer", "bar", "pay", "firm", "winner",
	"economy", "technology", "boom", "poor", "equal", "carbon", "planet", "environment", "profit", "deposit", "production",
	"distribution", "hire", "budget", "credit", "loan", "default", "currency", "earnings", "receipt", "closure",
	"who wins", "wins", "rich get richer", "slack", "savings", "worker", "workers", "inventions", "invention", "workplace",
	"concentration", "efficiency", "new product", "adoption", "separation", "breakthrough", "works", "working", "founding",
	"margin", "safety", "climate", "productive", "prices in", "turnover"}

// marks tells of every word what became of it.
func (r *english) marks() {
	busy := map[int]bool{} // chunks in which something happens
	sentences := map[int]bool{}
	for _, a := range r.anchors {
		if a.role == happens && a.lever() {
			busy[r.items[a.item].chunk] = true
			sentences[r.items[a.item].sentence] = true
		}
	}
	anything := len(busy) > 0
	setting := !anything && (r.sense.place != "" || len(r.sense.arms) > 0) // a preset is all that is understood
	talks := map[int]bool{}
	for i, it := range r.items {
		if it.taken && it.kind == usedMark && (it.q != nil || it.t != nil || strings.HasPrefix(it.as, "preset ") ||
			slices.Contains([]string{"group", "industry", "condition"}, it.as)) && !(it.as == "group" && r.asks(i) &&
			!r.chunkHappens(it.chunk)) {
			busy[it.chunk] = true
		}
		if it.levers != nil || r.isAnchor(i) {
			talks[it.sentence] = true
		}
	}
	r.unplaced(sentences)
	r.evaded(busy, sentences, setting)
	r.mistaken(sentences, setting)
	unknown := 0
	for i := range r.items {
		it := &r.items[i]
		if it.foreign != "" && !it.taken && (it.levers == nil || !r.isAnchor(i)) {
			r.foreign(i, anything, busy)
			if it.taken {
				continue
			}
		}
		if it.taken {
			continue
		}
		switch {
		case it.sign != "":
			it.kind = fillerMark
			and := it.sign == "+" && i+1 < len(r.items) && r.items[i+1].outcome
			if strings.Contains("+=<>", it.sign) && !and && busy[it.chunk] {
				it.kind = strayMark
			}
		case it.q != nil:
			it.kind = numberMark
			if anything && !sentences[it.sentence] && !r.endsAsking(it.sentence) && !r.refers(it.chunk) && r.ours(it.sentence) {
				it.kind = colourMark // "We export half of what we make."
				break
			}
			if it.q.unit == plain && it.to == it.from+1 && (r.s.text(it.from) == "one" || r.s.text(it.from) == "two" &&
				r.compares(it.sentence)) || !talks[it.sentence] && (anything || it.q.unit == plain) && !busy[it.chunk] &&
				!r.refers(it.chunk) && (it.q.unit != months || len(r.items) > 40) && !(anything && r.endsAsking(it.sentence) && it.q.unit != months &&
				len(r.items) <= 60) {
				it.kind = colourMark
			}
		case it.t != nil:
			it.kind = timeMark
			if !talks[it.sentence] && len(r.items) > 150 || !anything {
				it.kind = colourMark
			}
		case !it.known && r.s.text(it.from) == "one":
			it.kind = fillerMark // "the American one"
		case !it.known:
			unknown++
			it.kind = colourMark
			if r.own(i) {
				it.kind, it.as = usedMark, "what it is on"
				break
			}
			if (busy[it.chunk] || sentences[it.sentence] && r.states(it.chunk)) && !r.afterEffect(i) && !r.colours(i) || setting &&
				r.supposed(i) {
				it.kind = strayMark
			}
		default:
			it.kind = r.wordMark(i, busy[it.chunk], sentences[it.sentence])
			if setting && it.change != noChange && !it.outcome && !it.is(effectWord, compareWord) && r.supposed(i) &&
				it.change != settle && it.change != introduce && it.change != move {
				it.kind = strayMark // "a bit easier on wages, in a place like Austria"
			}
		}
		if it.kind == fillerMark && it.as == "" {
			it.as = "filler"
		}
	}
	r.beyond(unknown, anything)
	for _, it := range r.items {
		r.sense.marks = append(r.sense.marks, mark{Span{r.s[it.from].From, r.s[it.to-1].To}, it.kind, it.as})
	}
}

// because says whether a chunk gives the reason of what happens: "because everyone is ill".
func (r *english) because(chunk int) bool {
	i := slices.IndexFunc(r.items, func(it item) bool { return it.chunk == chunk && it.sign == "" })
	if i < 0 {
		return false
	}
	begins := r.s[r.items[i].from].is("because", "since", "due", "thanks", "cause")
	return begins && !slices.ContainsFunc(r.anchors, func(a anchor) bool { return r.items[a.item].chunk == chunk && a.role == happens })
}

// manner says whether an unknown word is one of those that say how: "bluntly".
func (r *english) manner(i int) bool {
	text := r.text(i)
	return len(text) > 5 && strings.HasSuffix(text, "ly") && !slices.Contains([]string{"family", "assembly", "anomaly", "supply",
		"monopoly",
		"randomly", "alternately", "partially", "selectively", "locally", "regionally", "occasionally", "repeatedly", "initially",
		"annually", "partly", "solely", "merely", "purely", "weekly", "hourly", "mostly", "chiefly", "conditionally"}, text)
}

// evaded marks what would be lost without a word where a reading leaves it out.
func (r *english) evaded(busy, sentences map[int]bool, setting bool) {
	for _, a := range r.anchors {
		if setting && a.role == asked && a.expect != 0 && r.supposed(a.item) {
			r.items[a.item].kind = strayMark // "easier on wages, in a place like Austria"
		}
		if a.role == asked && !a.lever() && !setting && r.staysPut(a.item) {
			r.items[a.item].kind = policyMark // "but wages stay put"
		}
		if next := r.items[max(a.item, 0)].to; a.role == asked && !a.lever() && a.indic == sim.PovertyRate && next+1 < len(r.s) &&
			(r.s.payVerb(next) || r.s[next].is("pay")) && busy[r.items[a.item].chunk] && !r.endsAsking(r.items[a.item].sentence) {
			r.items[a.item].kind = groupMark // "make the poor pay 10 percent VAT"
		}
		if a.role != happens || !a.lever() || a.h.levers[0] != "pay" || a.h.to == nil || a.h.to.per > 0 {
			continue
		}
		for i := range r.items {
			it := &r.items[i]
			if it.sentence == r.items[max(a.item, 0)].sentence && !it.taken && slices.Contains([]string{"per year", "a year", "yearly",
				"annually", "every year", "each year", "annual"}, r.text(i)) {
				it.kind, it.taken = numberMark, true // "a thousand, or maybe per year"
			}
		}
	}
	for _, a := range r.anchors { // "We pay 40 percent income tax. What if VAT rose?"
		if a.role != happens || !a.lever() || a.h.to == nil || a.changed || r.endsAsking(r.items[a.item].sentence) ||
			!r.ours(r.items[a.item].sentence) {
			continue
		}
		for i := range r.items {
			if r.items[i].q == a.h.to {
				r.items[i].kind = numberMark
			}
		}
	}
	for i := range r.items {
		it := &r.items[i]
		switch {
		case it.is(financeWord) && !it.taken && r.s[it.to-1].is("it", "bill", "tab") &&
			r.s[it.from].is("pay", "foot", "pick") && r.chunkHas(it.chunk, func(o item) bool {
			return o.from < it.from && (o.group || r.s[o.from].is("rich", "firm", "bank", "worker", "employer", "saver"))
		}):
			it.kind, it.taken = policyMark, true // "and let the rich pay for it"
		case it.change != noChange && i > 0 && r.s.text(it.from-1) == "too" && busy[it.chunk]:
			it.kind, it.taken = strayMark, true // "VAT of 10 percent is too high"
		case sentences[it.sentence] && r.rival(i) && !r.chunkHappens(it.chunk):
			it.kind, it.taken = strayMark, true // "faster than doubling the number of clerks"
		case it.taken || it.levers != nil || it.outcome || !sentences[it.sentence]:
		case it.is(notWord) && (r.text(i+1) == "else" || r.text(i+1) == "more"):
			it.kind, it.taken = negationMark, true // "and the jobless nothing else"
		case it.is(notWord) && r.leads[it.chunk].comma && i+1 < len(r.items) && r.items[i-1].sign != "" &&
			(r.items[i+1].group || r.items[i+1].industry != "" || r.s[r.items[i+1].from].is("firm", "firms", "worker", "household",
				"bank", "employer", "people")):
			it.kind, it.taken = negationMark, true // "workers, not firms"
		case r.text(i) == "or not" && r.text(i+1) == "at all":
			it.kind, it.taken = negationMark, true
		case busy[it.chunk]:
		case r.leads[it.chunk].phrase.is(andWord, orWord) && !r.chunkAnchored(it.chunk) && !r.asks(i):
			if it.is(notWord) && !r.harmless(i) && r.chunkHas(it.chunk, func(o item) bool { return o.group || o.industry != "" }) ||
				it.group && it.payee != "all" && !it.is(frameWord) && r.chunkHas(it.chunk, func(o item) bool { return o.is(notWord) }) {
				it.kind, it.taken = negationMark, true // "and pensioners none"
			}
		}
	}
}

// staysPut says whether a clause has what is measured stay as it is, which nobody can order.
func (r *english) staysPut(i int) bool {
	chunk := r.items[i].chunk
	if r.endsAsking(r.items[i].sentence) && !slices.Contains([]string{"but", "while", "and", "with", "yet"}, r.leads[chunk].text) {
		return false
	}
	not := r.chunkHas(chunk, func(it item) bool { return it.is(notWord) && !it.outcome })
	for k, it := range r.items {
		if it.chunk != chunk || k < i || k > i+5 {
			continue
		}
		if it.is(withoutWord) && r.s[it.from].is("stay", "remain", "keep", "unchanged") || not && r.s[it.from].is("move", "budge", "rise",
			"follow", "react") || strings.HasPrefix(r.text(k), "stay where") {
			return true
		}
	}
	return false
}

// rival says whether an item is a change that belongs to an alternative.
func (r *english) rival(i int) bool {
	it := r.items[i]
	if !r.strong(it) || it.taken && (it.change == raise || it.change == lower) {
		return false
	}
	lead := r.leads[it.chunk].phrase
	if text := r.leads[it.chunk].text; (strings.HasPrefix(text, "while") && !r.asks(i) || text == "at the same time") &&
		!r.chunkAnchored(it.chunk) {
		return true // "while at the same time buying less"
	}
	if it.change == abolish && lead.is(andWord) && !r.chunkAnchored(it.chunk) && !r.asks(i) {
		return true // "and ban zero-hour contracts"
	}
	return lead.is(thanWord, insteadWord) || lead.is(orWord) && !r.asks(i)
}

// strong says whether an item is a change that says something by itself.
func (r *english) strong(it item) bool {
	switch it.change {
	case raise, lower, abolish, double, triple, halve:
		return it.levers == nil && !it.outcome && !it.is(effectWord, frameWord, compareWord, largeWord, smallWord)
	}
	return false
}

func (r *english) chunkHappens(chunk int) bool {
	return slices.ContainsFunc(r.anchors, func(a anchor) bool {
		return r.items[a.item].chunk == chunk && a.role != asked && a.role != aside
	})
}

// chunkAnchored says whether something that happens or is asked about stands in a chunk.
func (r *english) chunkAnchored(chunk int) bool {
	return slices.ContainsFunc(r.anchors, func(a anchor) bool { return r.items[a.item].chunk == chunk && a.role != aside })
}

// refers says whether a chunk changes what was named before: "cutting it to 5".
func (r *english) refers(chunk int) bool {
	change := r.chunkHas(chunk, func(it item) bool {
		return it.change != noChange && !it.is(effectWord, frameWord) || r.s[it.from].is("make", "set", "put", "bring", "take")
	})
	return change && r.chunkHas(chunk, func(it item) bool {
		return slices.Contains([]string{"it", "them", "that", "this", "these", "those"}, r.s.text(it.from))
	})
}

// supposed says whether item i stands in a sentence that says what happens, rather than asks what would follow.
func (r *english) supposed(i int) bool {
	return !r.endsAsking(r.items[i].sentence) || r.leads[r.items[i].chunk].phrase.is(ifWord)
}

func (r *english) compares(sentence int) bool {
	return slices.ContainsFunc(r.items, func(it item) bool { return it.sentence == sentence && it.is(compareWord) })
}

// afterEffect says whether an unknown word belongs to what is asked about rather than to what happens.
func (r *english) afterEffect(i int) bool {
	n := r.nearest(i, func(a anchor) bool { return a.role == happens && a.lever() || a.role == asked })
	if n < 0 {
		return false
	}
	return r.anchors[n].role == asked && r.far(i, n) <= 3 && r.anchors[n].item < i
}

// wordMark is what becomes of a known word that nothing took.
func (r *english) wordMark(i int, busy, sentence bool) markKind {
	it := r.items[i]
	if busy && (it.industry != "" || it.group) && it.levers == nil && r.own(i) && (it.industry == "" ||
		!slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.h.industry != "" && a.h.industry != it.industry })) {
		return usedMark
	}
	if busy && (it.levers == nil || it.soft || !r.isAnchor(i)) && r.narrows(i) {
		return groupMark
	}
	next := i+1 < len(r.items) && r.items[i+1].q != nil && r.items[i+1].chunk == it.chunk
	switch {
	case it.levers != nil && r.isAnchor(i) && !it.is(frameWord):
		if it.soft && sentence && !busy {
			return policyMark // "with trade closed"
		}
		if it.soft || it.place != "" && it.outcome {
			return fillerMark
		}
		if !sentence && len(r.items) > 150 {
			return colourMark
		}
		return policyMark
	case it.is(notWord, nobodyWord) || it.is(withoutWord) && !it.is(frameWord):
		if busy && !r.harmless(i) {
			return negationMark
		}
	case it.is(onlyWord) && busy && !next && (r.text(i) == "only" || r.text(i) == "just" || r.text(i) == "solely" ||
		r.text(i) == "exclusively") && (r.text(i+1) == "for" || r.text(i+1) == "on" || r.text(i+1) == "in"):
		return comparisonMark
	case it.is(aboveWord, belowWord) && busy && !next && i+1 < len(r.items) && r.level(i+1):
		return comparisonMark // "nobody pays income tax below the average wage"
	case it.is(onlyWord, aboveWord, belowWord) && next && busy:
		switch r.text(i) {
		case "only", "just", "solely", "merely", "in particular", "up to", "in", "under", "over", "with", "hit", "reach", "pass",
			"top", "drop to", "fall to", "cross", "falls to", "drops to", "fell to", "dropped to", "come down to", "comes down to",
			"came down to", "especially", "between":
			if r.text(i) == "between" || r.text(i) == "over" || r.text(i) == "under" {
				return comparisonMark
			}
		default:
			return comparisonMark
		}
	case it.is(partWord) && (busy || sentence):
		return strayMark
	case it.place != "" && !it.outcome && it.levers == nil:
		return strayMark
	case it.is(brieflyWord) && busy && r.lasting() && r.s[it.from].is("temporarily", "temporary", "transitory", "short"):
	case it.is(gradualWord) && strings.HasPrefix(r.text(i), "in steps") && slices.ContainsFunc(r.anchors, func(a anchor) bool {
		return a.role == happens && r.leverIs(&a, "progressive_tax")
	}):
		return usedMark // as the package is
	case it.is(brieflyWord) && busy, it.is(gradualWord) && !it.is(frameWord) && busy && !r.ramped():
		return timeMark
	case it.group && it.payee != "all" && it.change == noChange && !it.outcome && busy && it.levers == nil && !it.is(frameWord):
		return groupMark
	case it.industry != "" && busy && !r.ofSpeaker(i) && !r.spoken(i) && !it.outcome && it.levers == nil && !it.is(frameWord):
		return groupMark
	case it.change == settle && r.s[it.from].is("freeze", "cap", "peg", "nail") && (busy || sentence && r.states(it.chunk)):
		return strayMark // "and wages were frozen"
	case it.change != noChange && it.change != settle && it.change != introduce && it.change != move && busy && !it.outcome &&
		!it.is(effectWord, frameWord, compareWord, largeWord, smallWord):
		return strayMark
	}
	return fillerMark
}

// kin are people whom a policy may single out, and whom talk names, too.
var kin = []string{"child", "kid", "baby", "mother", "father", "parent", "woman", "man", "student", "farmer", "nurse", "teacher",
	"veteran", "migrant", "doctor", "artist", "driver", "soldier",
	"baker", "grandparent", "widow", "orphan", "apprentice", "graduate", "teenager", "couple", "single", "oil", "officer", "police",
	"homeowner", "tenant", "landlord", "director",
	"manager", "engineer", "cook", "waiter", "clerk", "researcher", "scientist", "journalist", "priest", "judge", "pilot", "sailor",
	"athlete", "foreigner"}

// narrows says whether a word makes a lever one for some people: "the benefit for unemployed mothers".
func (r *english) narrows(i int) bool {
	it := r.items[i]
	if it.to != it.from+1 || !r.s[it.from].is(kin...) || i == 0 ||
		r.chunkHas(it.chunk, func(o item) bool { return r.s.begins(speaking, o.from) }) {
		return false
	}
	n := r.nearest(i, func(a anchor) bool { return a.role == happens && a.lever() })
	before := r.s.text(it.from - 1)
	return n >= 0 && r.far(i, n) <= 7 && r.sameChunk(i, n) && r.anchors[n].item < i && before != "my" && before != "our" &&
		before != "a" && before != "your"
}

// ours says whether a sentence tells of whoever asks, and proposes nothing.
func (r *english) ours(sentence int) bool {
	i := r.firstOf(sentence)
	for k := i; k >= 0 && k < min(i+6, len(r.items)); k++ { // "Dear colleagues, I …"
		if r.items[k].sign == "," && k+1 < len(r.items) && r.s[r.items[i].from].is("dear", "hello", "hi", "good", "well", "allow", "let") {
			i = k + 1
			break
		}
	}
	return i >= 0 && r.s[r.items[i].from].is("we", "i", "my", "our") && !slices.ContainsFunc(r.items, func(it item) bool {
		return it.sentence == sentence && (it.is(ifWord) || r.s[it.from].is("want", "like", "suggest",
			"propose", "would", "should", "put", "introduce", "slap",
			"impose"))
	})
}

// level says whether the mean or the median stands at item i or behind an article there.
func (r *english) level(i int) bool {
	for k := i; k < min(i+3, len(r.items)); k++ {
		for at := r.items[k].from; at < r.items[k].to; at++ {
			if r.s[at].is("average", "mean", "median", "typical", "poverty", "threshold", "line") {
				return true
			}
		}
		if !links(r.s[r.items[k].from]) {
			return false
		}
	}
	return false
}

// unplaced marks conditions that are no comparison with a number: "as long as the economy shrinks".
func (r *english) unplaced(sentences map[int]bool) {
	for c, l := range r.leads {
		always := l.phrase.is(wheneverWord, untilWord) && l.text != "while"
		sometimes := l.phrase.is(ifWord, whenWord) && slices.ContainsFunc(r.anchors, func(a anchor) bool {
			return r.items[a.item].chunk == c && a.role == asked && a.expect != 0
		})
		if !always && !sometimes || slices.ContainsFunc(r.anchors, func(a anchor) bool {
			return r.items[a.item].chunk == c &&
				a.role == happens && a.lever()
		}) {
			continue
		}
		i := slices.IndexFunc(r.items, func(it item) bool { return it.chunk == c && it.sign == "" })
		if i >= 0 && sentences[r.items[i].sentence] && !r.chunkHas(c, func(it item) bool {
			return it.as == "condition" || it.t != nil || it.as == "preset "+it.place && it.place != ""
		}) {
			r.items[i].kind, r.items[i].taken = comparisonMark, true
		}
	}
}

// states says whether a chunk says under which conditions something happens: "with trade closed".
func (r *english) states(chunk int) bool {
	i := slices.IndexFunc(r.items, func(it item) bool { return it.chunk == chunk && it.sign == "" })
	if i >= 0 && r.leads[chunk].phrase.is(andWord, orWord, thanWord, insteadWord) && !r.asks(i) {
		return true // "and the government caps rents"
	}
	return i >= 0 && slices.Contains([]string{"with", "while", "under", "unless", "except", "provided", "where", "without", "given",
		"but", "excluding", "not"}, r.s.text(r.items[i].from))
}

func (r *english) lasting() bool {
	return slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.h.last > 0 })
}

func (r *english) ramped() bool {
	return slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.h.ramp > 0 })
}

// harmless says whether a negation says nothing of what happens: "or not", "why not".
func (r *english) harmless(i int) bool {
	if r.text(i) == "nothing" {
		return i > 0 && (r.items[i-1].is(orWord) || r.text(i-1) == "of" || r.text(i-1) == "from" || r.text(i-1) == "to")
	}
	for k := r.items[max(0,
		r.firstOf(r.items[i].sentence))].from; k < r.items[i].from; k++ { // "whether we should not simply aim at 4 percent"
		if r.s[k].is("whether", "wonder") || r.s[k].is("why") && r.endsAsking(r.items[i].sentence) {
			switch r.s.text(r.items[i].from - 1) {
			case "should", "could", "would", "might", "we", "we'd", "it", "they":
				return true
			}
		}
	}
	if r.s[r.items[i].from].is("don't", "isn't", "doesn't", "won't", "wouldn't", "shouldn't", "aren't", "couldn't", "can't") &&
		i+2 < len(r.items) &&
		r.text(i+2) == "?" {
		return true // "…, isn't it?"
	}
	return i > 0 && (r.items[i-1].is(orWord) || r.text(i-1) == "why" || r.text(i-1) == "if" || r.text(i-1) == "whether" ||
		r.text(i-1) == "or")
}

// foreign reads words of what this economy does not have.
func (r *english) foreign(i int, anything bool, busy map[int]bool) {
	it := &r.items[i]
	why := it.foreign
	text := r.text(i)
	if strings.HasPrefix(text, "ignore") || strings.Contains(text, "prompt") || strings.Contains(text, "instruction") ||
		strings.HasPrefix(text, "disregard") || text == "act as" || strings.HasPrefix(text, "delete") ||
		strings.HasPrefix(text, "answer only") {
		why = "instruction"
	}
	near := busy[it.chunk]
	if why != "instruction" && len(r.happening(-1)) > 0 && (r.because(it.chunk) || r.told(it.chunk)) {
		it.kind, it.taken = colourMark, true // "because so many are out of work in our region"
		return
	}
	switch {
	case why == "country" && anything:
		it.kind, it.taken = strayMark, true
		return
	case why == "instruction" || !anything, why == "private" && strings.HasPrefix(text, "should i "), r.s[it.from].is("bitcoin",
		"cryptocurrency", "crypto", "ethereum", "stablecoin"), (why == "absent" || why == "place") && near && len(r.items) <= 150:
		it.kind, it.as, it.taken = strayMark, why, true
		r.sense.foreign = append(r.sense.foreign, mark{r.span(i), strayMark, why})
	case near:
		it.kind, it.as, it.taken = strayMark, why, true
	case why == "absent" && (r.endsAsking(it.sentence) || len(r.happening(it.sentence)) > 0):
		it.kind, it.as, it.taken = strayMark, why, true
	default:
		it.kind, it.taken = colourMark, true
	}
}

// beyond says that a question is about something else, where it names nothing but words that any talk has.
func (r *english) beyond(unknown int, anything bool) {
	if anything || len(r.sense.foreign) > 0 || len(r.sense.arms) > 0 || r.sense.place != "" || len(r.sense.held) > 0 {
		return
	}
	for _, a := range r.anchors {
		if a.role != asked || !slices.Contains(weak, r.text(a.item)) {
			return
		}
	}
	if unknown >= 2 && len(r.sense.outcomes) > 0 {
		r.sense.outcomes = nil
		for _, it := range r.items {
			if it.kind == colourMark {
				r.sense.foreign = append(r.sense.foreign, mark{Span{r.s[it.from].From, r.s[it.to-1].To}, strayMark, "other"})
			}
		}
	}
}
