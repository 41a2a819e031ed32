package question

import (
	"slices"
	"strings"
)

// compose writes the sense: what happens in which alternative, what is held, what is asked about.
func (r *english) compose() {
	r.drop()
	last := -1
	for n := range r.anchors {
		a := &r.anchors[n]
		switch {
		case a.role == leftAlone && a.lever():
			r.take(a.item, "left as it is")
			r.sense.held = append(r.sense.held, mention{plainLevers(a.h.levers), r.span(a.item)})
		case a.role == asked && a.wishes:
			r.wish(a)
		case a.role == happens && a.lever():
			if r.finish(a) {
				last = r.place(n, last)
			}
		}
	}
	r.heldBeside()
	if r.union >= 0 && len(r.sense.arms) > 1 {
		both := arm{span: r.span(r.union)}
		for _, a := range r.sense.arms {
			both.happens = append(both.happens, a.happens...)
		}
		r.sense.arms = append(r.sense.arms, both)
	}
	r.countArms()
}

// heldBeside leaves out of what is held "all taxes" where one of them changes: "no VAT on food, everything else taxed as
// before".
func (r *english) heldBeside() {
	r.sense.held = slices.DeleteFunc(r.sense.held, func(m mention) bool {
		left := 0
		for _, id := range m.levers {
			if !slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.role == happens && slices.Contains(a.h.levers, id) }) {
				left++
			}
		}
		return left < len(m.levers) && len(m.levers) > 1
	})
}

func plainLevers(ids []string) []string {
	if ids[0] == publicSpending {
		return []string{"inherent_market_consumption_rate"}
	}
	return ids
}

// presetLevers are what words may name beside a preset, which sets it.
var presetLevers = map[string][]string{
	"oil_shock":     {"import_price_factor"},
	"ai_wave":       {"ai_adoption_rate", "ai_productivity_gain", "imitation_probability"},
	"trade_war":     {"tariff_rate", "retaliation_share"},
	"credit_crunch": {"credit_supply_factor"},
	"demand_slump":  {"consumption_demand_factor", "confidence"},
}

// drop leaves out mentions of a lever that is said elsewhere, and of levers in the talk of a long text.
func (r *english) drop() {
	r.savings()
	for n := range r.anchors { // "energy has become dear as in the oil shock preset"
		if a := &r.anchors[n]; a.role == happens && a.lever() && !a.sized && r.wayOf(a) >= 0 &&
			within(a.h.levers, presetLevers[r.sense.place]) &&
			slices.ContainsFunc(r.items, func(it item) bool {
				return it.sentence == r.items[a.item].sentence && it.as == "preset "+r.sense.place
			}) {
			a.role = aside
			r.take(a.item, "preset "+r.sense.place)
		}
	}
	sized := slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.role == happens && a.lever() && a.sized })
	for n := range r.anchors {
		a := &r.anchors[n]
		if a.role != happens || !a.lever() || a.sized {
			continue
		}
		for m := range r.anchors {
			b := &r.anchors[m]
			if a.said(r) && b.said(r) && !b.sized && m < n && slices.Equal(a.h.levers, b.h.levers) &&
				r.items[a.item].implies == r.items[b.item].implies && a.h.change == b.h.change {
				r.merge(b, a)
				break
			}
			if m == n || b.role != happens || !b.lever() || !within(b.h.levers, a.h.levers) || !b.sized && (m > n || !b.changed) &&
				!(b.changed && !a.changed) {
				continue
			}
			if a.changed && b.changed && a.h.change != b.h.change && !(directionOf(a.h.change) != directionOf(b.h.change)) &&
				a.h.change != introduce && b.h.change != introduce && a.h.change != settle && b.h.change != settle && a.h.change != move {
				continue
			}
			if r.wayOf(a)*r.wayOf(b) < 0 {
				continue
			}
			r.merge(b, a)
			break
		}
		if a.role == happens && sized && len(r.items) > 150 {
			a.role = aside
			r.items[a.item].kind, r.items[a.item].taken = colourMark, true
		}
	}
}

// savings has "austerity of a tenth on purchases, public jobs and benefits" be what it is.
func (r *english) savings() {
	cut := slices.IndexFunc(r.anchors, func(a anchor) bool { return a.role == happens && a.sized && r.leverIs(&a, "austerity") })
	if cut < 0 {
		return
	}
	for n := range r.anchors {
		a := &r.anchors[n]
		if (a.role == happens || a.role == aside) && a.lever() && !a.sized && !a.changed && n > cut &&
			r.items[a.item].sentence == r.items[r.anchors[cut].item].sentence &&
			slices.Contains([]string{"inherent_market_consumption_rate", "government_employment_share", "unemployment_benefit_rate",
				publicSpending}, a.h.levers[0]) {
			a.role = aside
			r.take(a.item, "austerity")
		}
	}
}

// said says whether the question says what is done to a lever.
func (a *anchor) said(r *english) bool { return a.changed || r.items[a.item].implies != 0 }

// merge has a mention of a lever say what another one of the same lever leaves open.
func (r *english) merge(b, a *anchor) {
	if b.h.begin == 0 {
		b.h.begin = a.h.begin
	}
	if b.h.industry == "" {
		b.h.industry = a.h.industry
	}
	if b.h.last == 0 {
		b.h.last = a.h.last
	}
	if b.h.ramp == 0 {
		b.h.ramp = a.h.ramp
	}
	if !b.changed && a.changed && a.h.change != introduce {
		b.h.change, b.changed = a.h.change, true
	}
	if b.h.when == nil {
		b.h.when, b.h.again = a.h.when, a.h.again
	}
	a.role = aside
	r.take(a.item, "named before")
}

// within says whether one of the levers is among the others.
func within(ids, others []string) bool {
	for _, id := range ids {
		if !slices.Contains(others, id) {
			return false
		}
	}
	return true
}

// directionOf is 1 for changes that are more of a lever, -1 for less, 0 for others.
func directionOf(c change) int {
	switch c {
	case raise, double, triple:
		return 1
	case lower, halve, abolish:
		return -1
	}
	return 0
}

// wayOf is the direction in which an anchor goes, by its change or by its own words.
func (r *english) wayOf(a *anchor) int {
	switch it := r.items[a.item]; {
	case a.changed:
		return directionOf(a.h.change)
	case it.implies == '+':
		return 1
	case it.implies == '-' || it.implies == '0':
		return -1
	}
	return 0
}

// finish decides what is done to a lever; false where it is taken for something else.
func (r *english) finish(a *anchor) bool {
	h := &a.h
	it := r.items[a.item]
	r.take(a.item, strings.Join(h.levers, "/"))
	if it.known && it.implies != 0 && it.levers != nil && slices.Equal(it.levers, h.levers) {
		r.implied(a, it.implies)
	}
	if h.levers[0] == publicSpending {
		h.levers = []string{"inherent_market_consumption_rate"}
		if h.change == lower || h.change == halve {
			switch {
			case h.by != nil && h.by.of == ofGDP:
			case h.by != nil && h.to == nil && h.from == nil:
				h.levers, h.change, h.to, h.by = []string{"austerity"}, settle, h.by, nil
			case h.to == nil && h.change == lower:
				h.levers, h.change = []string{"austerity"}, introduce
			}
		}
	}
	if h.levers[0] == "pay" && h.group == "" && it.payee != "" {
		h.group = it.payee
		if !a.sized {
			h.change = introduce
		}
	}
	if it.inverse {
		switch h.change {
		case raise:
			h.change = lower
		case lower:
			h.change = raise
		case noChange, move:
		default:
			r.items[a.item].kind = policyMark
		}
		if a.sized && (h.to != nil || h.by == nil || !r.leverIs(a, "propensity_to_consume_income")) {
			r.items[a.item].kind = policyMark // a share of what?
		}
	}
	if len(h.levers) == 1 {
		l, _ := leverOf(h.levers[0])
		switch {
		case h.levers[0] == "max_leverage" && a.verb >= 0 && r.s[r.items[a.verb].from].is("strict", "stricter", "tighten", "tighter",
			"tougher", "toughen"):
			h.change = lower
		case h.levers[0] == "max_leverage" && a.verb >= 0 && r.s[r.items[a.verb].from].is("loosen", "looser", "relax", "ease", "lax",
			"laxer", "soften"):
			h.change = raise
		case l.unit == switchUnit || l.unit == choiceUnit:
			switch h.change {
			case noChange, raise, settle:
				h.change = introduce
			case lower:
				h.change = abolish
			case double, triple, halve:
				r.items[a.item].kind = policyMark
			}
		}
	}
	if h.levers[0] == "income_tax_rate" && h.change == abolish && h.to != nil && (h.to.unit == money || h.to.unit == plain &&
		h.to.x >= 50 || h.to.of != ofNothing) {
		h.levers, h.change = []string{"tax_allowance"}, settle
	}
	if h.change == abolish && r.leverIs(a, "inflation_target", "debt_target", "retirement_age_shift", "consumption_mark_up",
		"households_per_firm", "num_banks", "fixed_exchange_rate", "population_growth", "world_demand_factor") && !r.zeroed(a.verb) {
		r.items[a.item].kind = policyMark // to end a target is not to aim at nothing
	}
	if h.change == abolish && h.to != nil && h.levers[0] != "disaster" {
		r.items[a.item].kind = policyMark // "zero tariffs, then 10 percent"
	}
	if r.leverIs(a, "labor_productivity_factor") && h.to != nil && h.by == nil && h.from == nil && h.to.x <= .6 &&
		(h.to.unit == percent || h.to.unit == fraction) && h.change != abolish {
		h.by, h.to = h.to, nil // "gets 20 percent more done"
		if h.change != lower {
			h.change = raise
		}
	}
	if r.leverIs(a, "migration_rate", "population_growth") { // rates, of which there is none before
		if h.to != nil && h.from == nil && h.to.x > 0 && h.change == lower {
			h.by, h.to = h.to, nil
		}
		if h.by != nil && h.by.unit == percent && h.by.of == ofNothing {
			h.by.unit, h.by.per = points, 0
		}
	}
	if r.leverIs(a, "ai_productivity_gain") && it.levers != nil && it.levers[0] == "ai_adoption_rate" && h.by != nil && h.to == nil {
		h.to, h.by, h.change = h.by, nil, settle // "AI cuts the need for labour by 40 percent"
	}
	if r.leverIs(a, "universal_basic_income") && h.last > 0 && h.to != nil && it.levers == nil &&
		(h.to.unit == money || h.to.unit == plain) {
		h.levers, h.group = []string{"pay"}, "all" // a payment that ends
	}
	if h.levers[0] == "disaster" && h.change != noChange {
		h.change = introduce
	}
	if (r.leverIs(a, "retaliation_share", "wage_inflation_indexation", "wage_productivity_indexation")) && !a.sized &&
		h.change != lower && h.change != abolish && r.fully(a.item) {
		h.to, h.change = &quantity{unit: fraction, x: 1, span: r.span(a.item)}, settle
	}
	if h.change == noChange && (h.to != nil || len(h.doses) > 0) {
		h.change = settle
	}
	if h.change == introduce && (h.to != nil || len(h.doses) > 0) {
		h.change = settle
	}
	if (h.change == settle || h.change == introduce) && h.by != nil && h.to == nil {
		h.change = noChange
		if h.by.x < 0 {
			h.change = lower
		} else if it.known && it.implies == 0 && r.moreNear(a.item) {
			h.change = raise
		}
	}
	if h.by != nil && h.by.x > 0 && (h.change == noChange || h.change == settle || h.change == introduce || h.change == move) &&
		a.item > 0 {
		k := a.item - 1
		for k > 0 && slices.Contains([]string{"the", "our", "a", "all", "top", "of"}, r.text(k)) {
			k--
		}
		if r.text(k) == "on" && r.chunkHas(it.chunk, func(o item) bool {
			return r.s[o.from].is("put", "add", "slap", "whack", "stick", "load", "pile", "clap", "heap", "lump", "tack", "bung", "whip")
		}) {
			h.change = raise // "put 2 points on VAT"
		}
	}
	if h.by != nil && h.by.x > 0 && (h.change == noChange || h.change == settle || h.change == introduce) {
		k := slices.IndexFunc(r.items, func(o item) bool { return o.q == h.by })
		if k > 0 && r.s[r.items[k-1].from].is("add", "tack", "put", "load") &&
			slices.Contains([]string{"to", "onto", "on", "on to"}, r.text(k+1)) {
			h.change = raise // "add 2 points to what they charge"
		}
	}
	if l, ok := leverOf(h.levers[0]); ok && h.to != nil && h.to.x < 0 && h.from == nil && l.unit != numberUnit && l.unit != monthlyUnit &&
		l.unit != yearlyUnit && l.unit != factorUnit && (h.to.unit == percent || h.to.unit == points || h.to.unit == fraction) {
		h.by, h.to, h.change = h.to, nil, lower // "purchases -15%"
	}
	if h.by != nil && h.by.x < 0 && h.change == noChange {
		h.change = lower
	}
	if h.by != nil && h.by.x < 0 && (h.change == lower || h.change == raise) {
		q := *h.by
		q.x = -q.x
		h.by = &q
		h.change = lower
	}
	if h.change == abolish && h.by != nil {
		h.change = lower // "scrap a third of public jobs"
	}
	if h.change == noChange && h.by != nil {
		for k := range r.items {
			if r.items[k].q == h.by {
				for _, o := range []int{k - 1, k + 1} {
					if o > k && (o+1 < len(r.items) && (articles[r.text(o+1)] || r.items[o+1].outcome || r.items[o+1].group)) {
						continue // "75 percent lower the Gini"
					}
					if o >= 0 && o < len(r.items) && (r.items[o].change == raise || r.items[o].change == lower) &&
						r.items[o].levers == nil {
						h.change = r.items[o].change // "an additional 3 percent"
						r.take(o, "change")
					}
				}
			}
		}
		if a.paying && h.change == noChange {
			h.change = raise
		}
	}
	if h.change == noChange && h.by != nil {
		if c, _ := r.verbNear(a.item, a); c == raise || c == lower {
			h.change = c
		}
	}
	if h.change == halve && h.by != nil && h.by.unit == fraction && h.by.x == .5 || h.change == double && h.by != nil &&
		h.by.unit == factor {
		h.by = nil
	}
	for k := range r.items {
		if r.items[k].chunk == it.chunk && !r.items[k].taken && r.items[k].levers == nil {
			h.small = h.small || r.items[k].is(smallWord)
			h.large = h.large || r.items[k].is(largeWord)
		}
	}
	if r.leverIs(a, "unemployment_benefit_rate") && !a.sized && a.verb >= 0 &&
		r.s[r.items[a.verb].from].is("long", "longer", "short", "shorter") {
		h.levers = []string{"benefit_months"} // "draw the dole for longer"
	}
	if r.leverIs(a, "government_employment_share") && h.to != nil && h.by == nil && h.to.of == ofNothing &&
		r.chunkHas(it.chunk, func(o item) bool {
			return r.s[o.from].is("fire", "sack", "dismiss", "lay", "axe") ||
				r.s[o.from].text == "let" && r.chunkHas(o.chunk, func(g item) bool { return r.s.text(g.from) == "go" && g.from > it.from })
		}) {
		h.by, h.to, h.change = h.to, nil, lower // "fire a tenth of the civil servants"
	}
	if r.leverIs(a, "government_employment_share") && h.change == lower {
		for k, o := range r.items { // "and don't replace them"
			if k > 0 && r.s[o.from].is("replace", "replacement") && (r.items[k-1].is(notWord, withoutWord) || r.text(k-1) == "not") {
				r.take(k-1, "change")
				r.take(k, "change")
			}
		}
	}
	if r.leverIs(a, "industry_supply") && h.to != nil && h.by == nil && r.chunkHas(it.chunk, func(o item) bool {
		return r.s[o.from].is("out", "idle", "offline", "lose", "unusable", "miss")
	}) {
		h.by, h.to, h.change = h.to, nil, lower // "a third of the capacity is out of use"
	}
	if r.leverIs(a, "job_retention_share") && h.to != nil && slices.ContainsFunc(r.s,
		func(t token) bool {
			return t.From >= h.to.span.From && t.To <= h.to.span.To && t.is("lost", "lose", "wage", "pay", "salary", "earnings")
		}) {
		h.levers[0] = "job_retention_benefit_rate" // "80 percent of lost wages to people on short hours"
	}
	if l, _ := leverOf(h.levers[0]); len(h.levers) == 1 && l.unit == partUnit && h.by != nil && h.by.unit == percent {
		for _, t := range r.s { // "an additional 3 percent of the labour force"
			if t.From > h.by.span.From && t.To <= h.by.span.To && t.is("labor", "workforce", "worker", "wage", "pay", "earnings",
				"salary") {
				q := *h.by
				q.unit = points
				h.by = &q
				break
			}
		}
	}
	if l, _ := leverOf(h.levers[0]); len(h.levers) == 1 && l.unit == partUnit && h.from == nil {
		for k := range r.items { // "the unemployment benefit to 30": percent, or money?
			if q := r.items[k].q; q != nil && (q == h.to || q == h.by) && q.unit == plain && q.x > 1 {
				r.items[k].kind = numberMark
			}
		}
	}
	h.span = r.span(a.item)
	return true
}

// zeroed says whether the change at i says that a number becomes zero.
func (r *english) zeroed(i int) bool {
	return i >= 0 && strings.Contains(r.text(i), "zero")
}

// fully says whether a share is all of it: "in full", "fully indexed", "tit for tat".
func (r *english) fully(i int) bool {
	for k := range r.items {
		if r.items[k].chunk != r.items[i].chunk {
			continue
		}
		for at := r.items[k].from; at < r.items[k].to; at++ {
			if r.s[at].is("full", "fully", "kind", "tat", "mirror", "match", "completely", "entirely") || r.s[at].text == "one" &&
				(r.s.text(at+1) == "to" || r.s.text(at+1) == "for") && r.s.text(at+2) == "one" {
				return true
			}
		}
	}
	return false
}

// implied has the words of a lever say the direction, where nothing else does.
func (r *english) implied(a *anchor, sign rune) {
	h := &a.h
	of := map[rune]change{'+': raise, '-': lower, '0': abolish}[sign]
	if !a.changed || h.change == move {
		if h.to != nil && sign == '+' {
			h.change = settle
			return
		}
		h.change = of
		if h.to != nil && sign != '0' {
			h.change = of
		}
		return
	}
	switch h.change {
	case introduce, settle:
		if sign != '+' || h.to == nil && !a.sized {
			h.change = of
		}
	case raise:
		h.change = of
	case lower, abolish, halve:
		switch sign {
		case '0':
			h.change = introduce
		case '-':
			if h.change == lower && r.items[a.item].from > 0 && a.verb > a.item {
				h.change = lower
			} else {
				r.items[a.item].kind = policyMark
			}
		}
	}
}

// wish writes an outcome.
func (r *english) wish(a *anchor) {
	r.take(a.item, "outcome "+a.indic.String())
	if it := r.items[a.item]; !r.endsAsking(it.sentence) && r.s[it.to-1].is("unemployed", "jobless", "pensioner", "poor", "retiree") &&
		!r.forPurpose(a.item) &&
		!r.effectBefore(a.item) && r.chunkHappens(it.chunk) && r.happeningBefore(a.item) {
		r.items[a.item].kind = groupMark // "for hiring the long-term unemployed"
	}
	if len(r.items) > 150 && !r.effectBefore(a.item) && !r.endsAsking(r.items[a.item].sentence) {
		return
	}
	w := wish{indicator: a.indic, expect: a.expect, span: r.span(a.item)}
	for k := range r.items {
		if r.items[k].sentence == r.items[a.item].sentence && strings.HasPrefix(r.items[k].as, "group ") {
			w.group = strings.TrimPrefix(r.items[k].as, "group ")
		}
	}
	for _, o := range r.sense.outcomes {
		if o.indicator == w.indicator && o.group == w.group {
			return
		}
	}
	r.sense.outcomes = append(r.sense.outcomes, w)
}

// happeningBefore says whether something happens before item i in its chunk.
func (r *english) happeningBefore(i int) bool {
	return slices.ContainsFunc(r.anchors, func(a anchor) bool {
		return a.role == happens && a.lever() && a.item < i && r.items[a.item].chunk == r.items[i].chunk
	})
}

// place puts what happens into its alternative; the anchor before it is last.
func (r *english) place(n, last int) int {
	a := r.anchors[n]
	if r.always(n) {
		r.sense.everywhere = append(r.sense.everywhere, a.h)
		return last
	}
	if last < 0 || r.apart(last, n) {
		r.sense.arms = append(r.sense.arms, arm{span: a.h.span})
	}
	k := len(r.sense.arms) - 1
	r.sense.arms[k].happens = append(r.sense.arms[k].happens, a.h)
	for _, next := range a.later {
		h := a.h
		h.to, h.from, h.by, h.begin, h.change = next.to, nil, nil, next.begin, settle
		r.sense.arms[k].happens = append(r.sense.arms[k].happens, h)
	}
	r.sense.arms[k].span.To = max(r.sense.arms[k].span.To, a.h.span.To)
	return n
}

// always says whether something is said to go on while the rest happens.
func (r *english) always(n int) bool {
	a := r.anchors[n]
	it := r.items[a.item]
	if len(r.happening(-1)) < 2 {
		return false
	}
	if r.shockBefore(n) || r.setting(n) && r.alternatively(n) {
		return true
	}
	first := ""
	for _, o := range r.items {
		if o.chunk == it.chunk && o.sign == "" {
			first = r.s.text(o.from)
			break
		}
	}
	if first == "in" && !a.sized && r.chunkHas(it.chunk, func(o item) bool {
		return o.from < it.from && r.s[o.from].is("world", "economy", "country")
	}) {
		return true // "in a world without innovation"
	}
	rule := r.leverIs(&a, "policy_rate_fixed", "policy_rate_taylor", "enable_debt_rule", "exchange_rate_peg", "exchange_rate_float")
	kept := slices.ContainsFunc(r.items, func(o item) bool {
		return o.chunk == it.chunk && o.taken && r.s[o.from].is("stay", "remain", "keep", "hold") && (o.q == nil || o.q == a.h.to)
	})
	return (first == "with" || first == "while" || first == "under") && kept && a.sized ||
		(first == "with" || first == "under") && rule && !a.sized || (first == "while" || first == "as" || first == "amid") &&
		(!a.sized && !a.changed || rule)
}

// shockBefore says whether anchor n is a shock, and a later sentence asks what should be done about it.
func (r *english) shockBefore(n int) bool {
	a := r.anchors[n]
	if !slices.Contains(shocks, a.h.levers[0]) || r.endsAsking(r.items[a.item].sentence) &&
		!r.leads[r.items[a.item].chunk].phrase.is(ifWord, whenWord) {
		return false
	}
	for _, m := range r.happening(-1) {
		o := r.anchors[m]
		if m <= n || slices.Contains(shocks, o.h.levers[0]) || r.items[o.item].chunk == r.items[a.item].chunk ||
			!r.endsAsking(r.items[o.item].sentence) {
			continue
		}
		for _, it := range r.items {
			if it.sentence == r.items[o.item].sentence && it.from < r.items[o.item].from && it.from > r.items[a.item].from &&
				(r.s[it.from].is("should", "ought", "must") ||
					r.s[it.from].is("would", "could", "do", "can") && slices.ContainsFunc(r.items, func(x item) bool {
						return x.sentence == it.sentence && r.s[x.from].is("help", "repair", "soften",
							"cushion", "enough", "offset", "save", "prevent", "avoid",
							"better")
					})) {
				return true
			}
		}
	}
	return false
}
