package question

import (
	"slices"
)

// asks says whether item i stands in a question about what becomes of it: "does inflation rise?", "how
// far does it fall?", and not after "if".
func (r *english) asks(i int) bool {
	it := r.items[i]
	lead := r.leads[it.chunk]
	if lead.phrase.is(ifWord, whenWord) && lead.text != "say" {
		return false
	}
	for k := range r.items {
		if r.items[k].sentence != it.sentence || k > i {
			continue
		}
		if r.items[k].is(effectWord) && r.items[k].change == noChange {
			return true
		}
		if r.items[k].chunk == it.chunk || !r.leads[it.chunk].phrase.is(ifWord) {
			switch r.s.text(r.items[k].from) {
			case "does", "do", "did", "will", "would", "could", "can", "is", "are", "was", "how", "what", "where", "which", "who",
				"whose", "might", "may":
				if first := r.firstOf(it.sentence); k-first <= 3 || r.items[k].chunk == it.chunk {
					return true
				}
			}
		}
	}
	return r.endsAsking(it.sentence) && !r.imperative(it.sentence)
}

func (r *english) firstOf(sentence int) int {
	return slices.IndexFunc(r.items, func(it item) bool { return it.sentence == sentence })
}

func (r *english) endsAsking(sentence int) bool {
	return slices.ContainsFunc(r.items, func(it item) bool { return it.sentence == sentence && it.sign == "?" })
}

// imperative says whether a sentence begins with a change: "raise VAT".
func (r *english) imperative(sentence int) bool {
	i := r.firstOf(sentence)
	return i >= 0 && r.items[i].known && r.items[i].change != noChange
}

// otherHappens says whether something but anchor n happens.
func (r *english) otherHappens(n int) bool {
	for m, a := range r.anchors {
		if m != n && a.lever() && (a.role == happens || a.role == unclear && (a.sized || a.changed)) {
			return true
		}
	}
	return false
}

// decide says of words that are lever and outcome which of them they are.
func (r *english) decide() {
	for pass := range 2 {
		for n := range r.anchors {
			a := &r.anchors[n]
			if a.role != unclear {
				continue
			}
			it := r.items[a.item]
			effect := r.effectBefore(a.item)
			switch {
			case a.sized:
				a.role = happens
			case a.wishes && r.short(it.sentence) && r.otherHappens(n):
				a.role = asked // "Less lending?"
			case pass == 0:
			case it.place != "" && r.otherHappens(n):
				a.role = aside // see places
			case effect && a.wishes && (r.otherHappens(n) || !a.changed):
				a.role = asked
			case a.wishes && r.otherHappens(n) && (r.asks(a.item) || !a.changed || r.leads[it.chunk].phrase.is(boundWord)):
				a.role = asked
			case a.wishes && !r.otherHappens(n) && !a.changed && it.implies == 0 && !r.subject(n):
				a.role = asked
			default:
				a.role = happens
			}
			if a.role == asked {
				a.expect = map[change]int{raise: 1, lower: -1}[a.h.change]
			}
		}
	}
}

// endogenous are levers that are also what becomes of an economy.
var endogenous = []string{"credit_supply_factor", "confidence", "dismissal_rate", "entry_rate", "closure_rate", "ai_adoption_rate",
	"innovation_probability",
	"imitation_probability", "consumption_mark_up", "separation_rate", "population_growth", "migration_rate",
	"propensity_to_consume_income", "consumption_demand_factor",
	"labor_productivity_factor", "matching_efficiency", "loan_spread", "households_per_firm", "payout_rate", "industry_demand",
	"innovation_research_share", "world_demand_factor",
	"job_search_intensity", "import_price_factor"}

// echoes has what a question asks to follow be no change of its own: "Does credit dry up?", "More patents?"
func (r *english) echoes() {
	sized := slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.role == happens && a.lever() && (a.sized || a.changed) })
	for n := range r.anchors {
		a := &r.anchors[n]
		it := r.items[a.item]
		if !sized || a.role != happens || a.sized || len(a.h.levers) != 1 || !slices.Contains(endogenous, a.h.levers[0]) &&
			a.h.levers[0] != "disaster" || a.wishes || !r.otherHappens(n) {
			continue
		}
		if lead := r.leads[it.chunk]; !a.changed && lead.phrase.is(boundWord) &&
			slices.Contains([]string{"because", "because of", "due to", "since"}, lead.text) {
			a.role = aside // "because of a war"
			r.items[a.item].kind, r.items[a.item].taken = colourMark, true
			continue
		}
		first := r.firstOf(it.sentence)
		own := !slices.ContainsFunc(r.anchors, func(o anchor) bool {
			return o.role == happens && o.lever() && r.items[o.item].sentence == it.sentence &&
				!slices.Contains(endogenous, o.h.levers[0])
		})
		if own && first > 0 && r.endsAsking(it.sentence) && (r.short(it.sentence) ||
			r.s[r.items[first].from].is("do", "will", "would", "is", "could", "can", "how", "what") &&
				!r.chunkHas(it.chunk, func(o item) bool { return o.q != nil }) && !r.leads[it.chunk].phrase.is(ifWord)) {
			a.role = aside
			r.items[a.item].kind, r.items[a.item].taken = colourMark, true
			if a.verb >= 0 {
				r.items[a.verb].kind = colourMark
			}
		}
	}
}

// subject says whether an anchor is the first of its sentence: "Does bank lending drive growth?"
func (r *english) subject(n int) bool {
	for m := range n {
		if r.items[r.anchors[m].item].sentence == r.items[r.anchors[n].item].sentence {
			return false
		}
	}
	return len(r.anchors) > n+1 && !r.effectBefore(r.anchors[n].item)
}

// effectBefore says whether "effect on", "what happens to" and the like stand before an item, and nothing that happens between.
func (r *english) effectBefore(i int) bool {
	for k := i - 1; k >= 0 && r.items[k].sentence == r.items[i].sentence; k-- {
		o := r.items[k]
		if o.is(effectWord) && (o.change == noChange || o.to-o.from > 1) {
			return true
		}
		if o.is(ifWord, whenWord, wheneverWord) && o.chunk == r.items[i].chunk {
			return false
		}
		if r.text(k) == "of" && k > 0 && r.items[k-1].known {
			for _, a := range r.anchors {
				if a.item < k && a.role == asked && r.items[a.item].chunk == o.chunk {
					return false // "the effect on prices of a higher wage"
				}
			}
		}
	}
	return false
}
