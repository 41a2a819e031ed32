package question

import (
	"slices"
	"strings"
)

// paths reads "10 % this year, 15 % next year": sizes of one lever that follow on each other.
func (r *english) paths() {
	for n := range r.anchors {
		a := &r.anchors[n]
		if !a.lever() || a.role == aside || a.role == leftAlone || a.sized {
			continue
		}
		var stages, times []int
		begin := 0
		for i, it := range r.items {
			if it.q == nil || it.taken || it.sentence != r.items[a.item].sentence || i+1 >= len(r.items) || !r.fits(*a, *it.q) ||
				it.q.unit == months ||
				r.nearest(i, func(o anchor) bool { return o.lever() && o.role != aside }) != n {
				continue
			}
			at := r.stage(i+1, begin)
			if at == 0 || at <= begin && begin > 0 {
				continue
			}
			if role, _ := r.quantityRole(i, a); role != "to" && len(stages) == 0 {
				break
			}
			begin = at
			stages, times = append(stages, i), append(times, at)
		}
		if len(stages) < 2 || r.rising(stages[0], stages[len(stages)-1]) {
			continue
		}
		a.sized, a.h.begin, a.h.to = true, times[0], r.items[stages[0]].q
		for k, i := range stages {
			r.take(i, "to")
			r.take(i+1, "time")
			if k > 0 {
				a.later = append(a.later, stage{r.items[i].q, times[k]})
			}
		}
		for k := stages[0]; k < stages[len(stages)-1]; k++ {
			if r.items[k].is(andWord) || r.items[k].is(frameWord) {
				r.take(k, "and then")
			}
		}
	}
}

// rising says whether a size grows bit by bit to the next: "5 % in year one, rising to 10 % in year three".
func (r *english) rising(from, to int) bool {
	for k := from; k < to; k++ {
		if r.items[k].change != noChange && strings.HasSuffix(r.s.text(r.items[k].from), "ing") || r.items[k].is(gradualWord) &&
			!r.items[k].is(frameWord) {
			return true
		}
	}
	return false
}

// stage is the month that the words at i say something begins in; 0 = they do not. The one before begins in month after.
func (r *english) stage(i, after int) int {
	if t := r.items[i].t; t != nil && t.begin > 0 && t.last == 0 && t.until == 0 {
		return t.begin
	}
	from := r.items[i].from
	switch r.s.text(from) + " " + r.s.text(from+1) {
	case "this year", "this month", "now ,", "right now", "at first", "now and", "now ;", "today ,", "today and":
		return 1
	case "next year":
		return 13
	case "next month":
		return 2
	}
	return 0
}

// finance finds "paid for by VAT".
func (r *english) finance() {
	for n := range r.anchors {
		a := &r.anchors[n]
		if !a.lever() || a.role == leftAlone {
			continue
		}
		for k := range r.items {
			o := r.items[k]
			if !o.is(financeWord) || o.sentence != r.items[a.item].sentence || abs(k-a.item) > 7 || o.taken {
				continue
			}
			if k > 0 && k < a.item && strings.HasSuffix(r.text(k-1), "to") && r.s[r.items[k].from].is("finance", "fund", "pay") {
				continue // "raise VAT to finance a basic income": the basic income happens, too
			}
			text := r.text(k)
			tail := text == "pay for it" && (k+1 == len(r.items) || r.items[k+1].sign != "") ||
				slices.Contains([]string{"foot the bill", "foots the bill", "pays for it", "pay the bill", "pays the bill",
					"foot the bill for it", "picks up the tab", "picks up the bill", "pick up the bill", "to be financed by"}, text)
			if tail && k > a.item && !r.anchorBetween(a.item, k) || !tail && k < a.item && !r.anchorBetween(k, a.item) {
				for m := range r.anchors {
					b := &r.anchors[m]
					if m != n && b.lever() && b.role != leftAlone && b.h.pays == "" && len(a.h.levers) >= 1 &&
						r.items[b.item].sentence == r.items[a.item].sentence {
						if len(a.h.levers) > 1 {
							break
						}
						r.take(k, "financing")
						if r.sizedBeside(n, k) { // "a basic income of 300, paid by 4 points more VAT"
							a.role, a.paying = happens, true
							break
						}
						b.h.pays = a.h.levers[0]
						a.role = aside
						r.take(a.item, "financing")
						for x := min(k, a.item) - 3; x <= max(k, a.item); x++ {
							if x >= 0 && (r.items[x].change == raise || r.items[x].is(frameWord)) &&
								r.items[x].chunk == r.items[a.item].chunk && x > b.item {
								r.take(x, "financing")
							}
						}
						break
					}
				}
			}
		}
	}
}

// programmes says which tax, or whether debt, pays for what is handed out: "collect 3 % of GDP through the income tax and hand it out".
func (r *english) programmes() {
	for n := range r.anchors {
		b := &r.anchors[n]
		if b.role == leftAlone || !b.lever() || b.h.pays != "" || !slices.Contains([]string{"redistribution_equal", "redistribution_poor",
			"redistribution_families", "redistribution_unemployed", "universal_basic_income"}, b.h.levers[0]) {
			continue
		}
		for k := range r.items {
			if r.items[k].sentence == r.items[b.item].sentence && r.items[k].is(onCreditWord) && !r.items[k].taken && b.h.pays == "" {
				b.h.pays = "deficit"
				r.take(k, "financing")
			}
		}
		for k := range r.anchors {
			a := &r.anchors[k]
			if a.role != happens && a.role != leftAlone || len(a.h.levers) != 1 || a.sized ||
				r.items[a.item].sentence != r.items[b.item].sentence ||
				!slices.Contains([]string{"income_tax_rate", "vat_rate"}, a.h.levers[0]) {
				continue
			}
			if b.h.pays != "" && b.item < a.item && r.s[r.items[r.firstIn(r.items[a.item].chunk)].from].is("rather", "instead", "not") {
				for i := r.firstIn(r.items[a.item].chunk); i <= a.item; i++ { // "on credit rather than by taxing wages"
					r.take(i, "financing")
				}
				a.role = aside
				continue
			}
			if a.role == leftAlone || a.changed && (a.verb < 0 || !strings.HasSuffix(r.text(a.verb), "off")) {
				continue
			}
			before := r.before(a.item, func(it item) bool {
				return it.is(frameWord) && slices.Contains([]string{"the", "a", "our"}, r.s.text(it.from))
			})
			if before < 0 || !slices.Contains([]string{"through", "via", "from", "off", "out of", "by", "with", "on", "by taxing"},
				r.text(before)) {
				continue
			}
			b.h.pays, a.role = a.h.levers[0], aside
			r.take(a.item, "financing")
			r.take(before, "financing")
		}
	}
}

// firstIn is the first item of a chunk.
func (r *english) firstIn(chunk int) int {
	return max(0, slices.IndexFunc(r.items, func(it item) bool { return it.chunk == chunk }))
}

// sizedBeside says whether a share stands with anchor n, and after the words at item by that say that it pays.
func (r *english) sizedBeside(n, by int) bool {
	at := r.anchors[n].item
	for k := max(0, at-5, min(by, at)); k <= min(at+4, len(r.items)-1); k++ {
		if q := r.items[k].q; q != nil && r.items[k].chunk == r.items[at].chunk && !r.items[k].taken && (q.unit == percent ||
			q.unit == points) &&
			!slices.ContainsFunc(r.anchors, func(o anchor) bool { return o.lever() && o.item > min(k, at) && o.item < max(k, at) }) {
			return true
		}
	}
	return false
}

// pegged has a rate that is fixed at a size be that size: "peg the currency 15 percent cheaper", "hold its rate at 4 percent".
func (r *english) pegged() {
	for n := range r.anchors {
		a := &r.anchors[n]
		it := &r.items[max(a.item, 0)]
		currency := r.leverIs(a, "exchange_rate_peg")
		if a.role != happens || !currency && !r.leverIs(a, "policy_rate_fixed") {
			continue
		}
		if m := slices.IndexFunc(r.anchors, func(o anchor) bool {
			return r.leverIs(&o, "fixed_policy_rate") && r.items[o.item].chunk == it.chunk
		}); m >= 0 && currency && r.s[it.from].is("peg", "pin") && it.to == it.from+1 {
			a.role = aside // "peg the policy rate"
			r.take(a.item, "fixed")
			continue
		}
		size, way := -1, 0
		for i, o := range r.items {
			if o.sentence != it.sentence || o.taken {
				continue
			}
			if size < 0 && o.q != nil && o.q.of == ofNothing && (o.q.unit == percent || o.q.unit == fraction && currency) {
				size = i
			}
			for _, t := range r.s[o.from:o.to] {
				switch {
				case t.is("below", "cheap", "cheaper", "weak", "weaker", "under", "devalue", "devaluation", "lower"):
					way = 1
				case t.is("above", "dear", "dearer", "strong", "stronger", "revalue", "revaluation", "higher"):
					way = -1
				}
			}
		}
		switch {
		case size < 0 || currency && way == 0:
		case !currency:
			if r.items[size].chunk == it.chunk {
				a.h.levers, it.implies = []string{"fixed_policy_rate"}, 0
			}
		default:
			for m := range r.anchors {
				if o := &r.anchors[m]; m != n && r.leverIs(o, "fixed_exchange_rate") && r.items[o.item].sentence == it.sentence {
					o.role = aside
					r.take(o.item, "named before")
				}
			}
			a.h.levers, a.h.change, a.changed, it.implies = []string{"fixed_exchange_rate"}, raise, true, 0
			if way < 0 {
				a.h.change = lower
			}
			a.h.by, a.sized = r.items[size].q, true
			for m := range r.anchors {
				if o := &r.anchors[m]; !o.lever() && abs(o.item-size) <= 2 {
					o.role = aside // "at a rate a tenth weaker"
				}
			}
			r.take(size, "by")
			for i := range r.items {
				if o := r.items[i]; abs(i-size) <= 5 && !o.taken && (o.change == raise || o.change == lower ||
					o.is(belowWord, aboveWord, thanWord) ||
					r.s[o.from].is("worth", "present", "today", "rate", "weak", "cheap", "dear", "strong")) {
					r.take(i, "change")
				}
			}
		}
	}
}
