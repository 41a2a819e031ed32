package question

import "slices"

// mistaken stops words that would be taken for something else than they say: a change of an outcome that stands
// beside a lever, a number of an outcome, somebody who does what no lever is.
func (r *english) mistaken(sentences map[int]bool, setting bool) {
	for n, a := range r.anchors {
		switch {
		case a.role == asked && r.changedInstead(a.item), a.role == happens && a.lever() && r.ofOther(&r.anchors[n]):
			r.stop(a.item, strayMark)
		}
	}
	for c, l := range r.leads {
		if i := slices.IndexFunc(r.items, func(it item) bool { return it.chunk == c && r.supposes(it) }); setting && i >= 0 &&
			l.phrase.is(ifWord) && !r.chunkHas(c, func(it item) bool { return it.as == "preset "+it.place }) {
			r.stop(i, strayMark) // "in Germany, what if people got nothing after six months?"
		}
	}
	for i := range r.items {
		it := r.items[i]
		switch {
		case it.taken && it.q != nil && (it.as == "to" || it.as == "by") && r.countsOutcome(i):
			r.stop(i, numberMark) // "20 percent more productive"
		case sentences[it.sentence] && r.s[it.from].is("nobody", "no-one") && it.as == "" &&
			!r.s[max(it.from-1, 0)].is("those", "that", "whom", "who", "people", "worker") && !r.s[it.to-1].is(heard...) &&
			(i+1 >= len(r.items) || !r.s[r.items[i+1].from].is(heard...)):
			r.stop(i, negationMark) // "and nobody works less"
		case !it.taken && r.s[it.from].is("pay", "salary", "work", "hours", "output", "cost") && r.changedInstead(i):
			r.stop(i, strayMark)
		case it.as == "industry" && !slices.ContainsFunc(r.anchors, func(a anchor) bool {
			return a.role == happens && a.h.industry == it.industry
		}):
			r.stop(i, groupMark)
		case it.q != nil && it.q.unit == plain && it.taken && i > 1 && r.s[r.items[i-1].from].is("over", "under", "above", "below", "age") &&
			r.s[r.items[i-2].from].is("everyone", "everybody", "people", "those", "anyone", "worker", "household", "unemployed"):
			r.stop(i, groupMark) // "people over 50"
		case it.as == "to" && it.q != nil && it.q.of == ofNothing && r.text(i+1) == "of" && r.partOf(i):
			r.stop(i, numberMark) // "privatise a tenth of public services": by it, or to it?
		case sentences[it.sentence] && !it.taken && r.text(i) == "without" && i+1 < len(r.items) && r.items[i+1].outcome &&
			r.items[i+1].levers == nil:
			r.stop(i, negationMark) // "in a country without price adjustment"
		case it.industry != "" && !it.taken && i > 1 && (r.items[i-1].is(andWord, orWord) || r.items[i-1].sign == ",") &&
			r.items[i-2].as == "industry" && r.items[i-2].industry != it.industry:
			r.stop(i, groupMark) // "VAT on food and restaurants"
		case it.taken && it.q != nil && it.as == "to" && r.levelOfOutcome(i):
			r.stop(i, numberMark) // "when inflation is 5 percent"
		case it.taken && it.q != nil && (it.as == "to" || it.as == "by") && sentences[it.sentence] && r.supposedOutcome(i):
			r.stop(i, numberMark) // "if VAT fell to 6 percent and prices rose by 2 points"
		case !it.taken && sentences[it.sentence] && i > 0 && slices.Contains(monthNames, r.text(i)) &&
			slices.Contains([]string{"in", "from", "since", "until", "till", "between", "by", "before", "after", "this", "next"}, r.text(i-1)):
			r.stop(i, timeMark) // of which year?
		case it.as == "dose" && i > 1 && r.text(i-1) == "payment of":
			r.stop(i, numberMark) // "…, or a payment of 10 percent"
		case setting && it.taken && it.as == "preset "+it.place && r.amid(i):
			r.stop(i, strayMark) // "what if employers kept everybody on in bad times?"
		}
	}
}

// supposedOutcome says whether a number is the size of an outcome that is supposed beside a change, which nobody can
// order: it stands behind "if", and no "would" between.
func (r *english) supposedOutcome(i int) bool {
	n := r.nearest(i, func(a anchor) bool { return a.role == asked || a.role == happens && a.lever() })
	if n < 0 || r.anchors[n].role != asked || r.anchors[n].item > i || !r.sameChunk(i, n) {
		return false
	}
	for k := i; k >= 0 && r.items[k].sentence == r.items[i].sentence; k-- {
		it := r.items[k]
		switch {
		case it.is(ifWord) && !it.is(effectWord):
			return true
		case slices.Contains([]string{"would", "will", "does", "do", "could", "might", "can", "how", "by how much"}, r.text(k)):
			return false
		}
	}
	return false
}

func (r *english) stop(i int, kind markKind) { r.items[i].kind, r.items[i].taken = kind, true }

// supposes says whether an item tells something of what is supposed.
func (r *english) supposes(it item) bool {
	if it.group || it.outcome {
		return true
	}
	return it.sign == "" && it.q == nil && it.t == nil && !it.is(ifWord, effectWord) && !links(r.s[it.from]) && it.as == "" &&
		r.s[it.from].word && it.kind != colourMark
}

// heard are verbs of what nobody does that say nothing of what happens.
var heard = []string{"know", "want", "like", "ask", "see", "believe", "expect", "talk", "understand", "remember", "care", "mention",
	"doubt", "dispute", "think", "say", "dare", "predict", "agree"}

// changedInstead says whether an outcome is what changes, and the lever behind it where: "wages in the public sector rose".
func (r *english) changedInstead(i int) bool {
	if r.effectBefore(i) || !slices.Contains([]string{"in", "of", "at", "for", "within", "across"}, r.text(i+1)) {
		return false
	}
	k := i + 2
	for k < len(r.items) && articles[r.text(k)] {
		k++
	}
	return slices.ContainsFunc(r.anchors, func(a anchor) bool {
		return a.item == k && a.role == happens && a.lever() && a.verb > k && r.items[a.verb].chunk == r.items[i].chunk
	})
}

// ofOther says whether a lever of all firms or households is that of some, named before: "house building doubles its demand".
func (r *english) ofOther(a *anchor) bool {
	return a.item > 0 && slices.Contains([]string{"its", "his", "her"}, r.text(a.item-1)) && r.leverIs(a, "consumption_demand_factor",
		"labor_productivity_factor", "consumption_mark_up", "credit_supply_factor", "import_price_factor")
}

// countsOutcome says whether a number that a lever took is one of an outcome: "2 percent more of the workforce".
func (r *english) countsOutcome(i int) bool {
	k, more := i+1, false
	for k < len(r.items) && k < i+4 && r.items[k].sign == "" && r.s[r.items[k].from].is("more", "less", "few", "of", "the", "our") &&
		!r.items[k].outcome {
		more = more || r.s[r.items[k].from].is("more", "less", "few")
		k++
	}
	if k >= len(r.items) || !more && !r.s[r.items[k].from].is("more", "less", "few") || r.items[k].chunk != r.items[i].chunk {
		return false
	}
	return slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.item == k && a.role == asked })
}

// amid says whether a preset is but the time at which somebody does something that was not understood.
func (r *english) amid(i int) bool {
	if !slices.Contains([]string{"in", "during", "amid", "throughout", "under"}, r.text(i-1)) && r.text(i-1) != "the" &&
		r.text(i-1) != "a" || !r.leads[r.items[i].chunk].phrase.is(ifWord) {
		return false
	}
	actor := false
	for k := range r.items[:i] {
		it := r.items[k]
		if it.chunk != r.items[i].chunk {
			continue
		}
		if actor && it.sign == "" && k < i-1 && !articles[r.text(k)] && !r.s[it.from].is("be", "have", "get", "go", "come", "will", "would",
			"in", "into", "to", "back", "again", "itself", "ourselves", "themselves", "our", "deep", "right", "fall", "slip", "slide", "find",
			"live", "enter",
			"suffer", "face", "plunge", "end", "again", "now", "all", "suddenly", "during", "amid",
			"throughout", "stuck", "head", "run", "drop") {
			return true
		}
		actor = actor || r.s[it.from].is("employer", "firm", "company", "bank", "government", "state", "people", "everyone",
			"everybody", "worker", "household", "union", "shop", "consumer", "we", "they", "nobody")
	}
	return false
}

// partOf says whether a number is said of the lever behind it, which has a size already.
func (r *english) partOf(i int) bool {
	k := i + 2
	for k < len(r.items) && articles[r.text(k)] {
		k++
	}
	return slices.ContainsFunc(r.anchors, func(a anchor) bool {
		return a.item == k && a.role == happens && a.h.to == r.items[i].q && a.verb < 0 && r.leverIs(&a, "government_employment_share",
			"inherent_market_consumption_rate", "unemployment_benefit_rate", "pension_replacement_rate", "vat_rate", "income_tax_rate",
			"corporate_tax_rate")
	})
}

// describes says whether a denial only describes people or reasons: "staff whom they no longer need", "a post for all
// whom no one else takes on", "reasons that have nothing to do with it".
func (r *english) describes(i int) bool {
	from, to := r.items[i].from, r.items[i].to
	who := func(at int) bool {
		return at >= 0 && r.s[at].is("whom", "who", "that", "they", "firm", "company", "employer", "boss", "it")
	}
	switch {
	case r.s.text(to) == "to" && r.s.text(to+1) == "do" && r.s.text(to+2) == "with":
		return r.items[i].is(notWord) && r.s[to-1].text == "nothing"
	case r.items[i].is(nobodyWord) && r.s.text(to) == "else":
		return from > 0 && who(from-1)
	case to < len(r.s) && r.s[to].is("need", "want") && r.s.text(to+1) != "to":
		return who(from-1) || who(from-2)
	}
	return false
}

// levelOfOutcome says whether a number that a lever took is what an outcome is at: "when inflation is 5 percent".
func (r *english) levelOfOutcome(i int) bool {
	k := i - 1
	for k > 0 && r.s[r.items[k].from].is("be", "at", "stand", "still", "already", "now", "about", "around", "over") {
		k--
	}
	if k < 0 || !r.items[k].outcome || r.items[k].chunk != r.items[i].chunk || !r.leads[r.items[i].chunk].phrase.is(ifWord, whenWord) {
		return false
	}
	return slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.item == k && a.role == asked }) &&
		!r.chunkHas(r.items[i].chunk, func(o item) bool { return o.levers != nil && !o.soft })
}
