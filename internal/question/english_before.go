package question

import "slices"

// restated reads a value that the question gives first and then changes: "VAT is 8 percent. What if it were 12?"
func (r *english) restated() {
	all := r.happening(-1)
	if len(all) != 1 || len(r.whens) > 0 {
		return
	}
	a := &r.anchors[all[0]]
	now := slices.IndexFunc(r.items, func(it item) bool { return it.q != nil && it.q == a.h.to })
	if now < 0 || a.changed || a.h.from != nil || a.h.by != nil || len(a.h.doses) > 0 {
		return
	}
	for i := max(now, a.item) + 1; i < len(r.items); i++ {
		it := &r.items[i]
		share := func(u unit) bool { return u == percent || u == fraction }
		if it.q == nil || it.taken || it.chunk == r.items[now].chunk || !r.pronounBefore(i) && !r.wanted(i) ||
			it.q.unit != plain && it.q.unit != a.h.to.unit && !(share(it.q.unit) && share(a.h.to.unit)) {
			continue
		}
		q := *it.q
		if q.unit == plain {
			if q.unit = a.h.to.unit; q.unit == percent || q.unit == points {
				q.x /= 100
			}
		}
		if q.of == ofNothing {
			q.of = a.h.to.of
		}
		a.h.from, a.h.to = a.h.to, &q
		a.h.change = settle
		for k := range r.items {
			if c := r.items[k].change; r.items[k].chunk == it.chunk && k < i && !r.items[k].taken && (c == raise || c == lower || c == settle) {
				a.h.change = c
				r.take(k, "change")
			}
		}
		r.take(i, "to")
		a.retold = it.sentence
		for k := i + 1; k < len(r.items); k++ { // "the Greens want 12, the Liberals want 5"
			if o := r.items[k]; o.q != nil && !o.taken && o.sentence == it.sentence && (r.wanted(k) || r.pronounBefore(k)) {
				r.stop(k, numberMark)
			}
		}
		if r.text(i-1) == "by" {
			a.h.by, a.h.to = &q, nil
		}
		return
	}
}

// pronounBefore says whether "it" or the like stands before item i in its chunk, and nothing else that may be meant.
func (r *english) pronounBefore(i int) bool {
	for k := i - 1; k >= 0 && r.items[k].chunk == r.items[i].chunk && !r.isAnchor(k); k-- {
		if slices.Contains([]string{"it", "that", "this", "they", "them"}, r.text(k)) {
			return true
		}
	}
	return false
}

// wanted says whether a clause with no lever, outcome or time of its own sets the number at i: "what if the regulator asked for 12?"
func (r *english) wanted(i int) bool {
	it := r.items[i]
	sets := false
	for k, o := range r.items {
		if o.chunk != it.chunk || k == i {
			continue
		}
		if r.isAnchor(k) || o.q != nil || o.t != nil || o.is(aboveWord, belowWord, notWord) || o.industry != "" || o.place != "" {
			return false
		}
		sets = sets || k < i && (o.change != noChange && o.change != abolish && o.change != double && o.change != halve && o.change != triple ||
			r.s[o.from].is("want", "ask", "demand", "require", "insist", "make", "prefer", "propose", "say"))
	}
	sets = sets || !slices.ContainsFunc(r.items, func(o item) bool { // "What about 12?"
		return o.sentence == it.sentence && o.q == nil && o.sign == "" &&
			(!o.known || !o.is(frameWord, effectWord, compareWord, orWord, andWord, ifWord))
	})
	ends := i+1 >= len(r.items) || r.items[i+1].sign != "" || r.items[i+1].t != nil || r.s[r.items[i+1].from].is("instead")
	return sets && (ends || it.q.unit != plain && r.text(i+1) != "more" && r.text(i+1) != "less")
}

// undone has "and back to where it was two years later" be the end of what happens.
func (r *english) undone() {
	first := slices.IndexFunc(r.anchors, func(a anchor) bool { return a.role == happens && a.lever() })
	for back := range r.items {
		chunk := r.items[back].chunk
		if first < 0 || r.anchors[first].item > back || !r.goesBack(back) ||
			r.chunkHas(chunk, func(it item) bool { return it.is(notWord) && it.from < r.items[back].from }) {
			continue
		}
		outcome := slices.ContainsFunc(r.anchors, func(a anchor) bool {
			return a.role == asked && abs(a.item-back) < 5 && r.items[a.item].chunk == chunk
		})
		if outcome && r.endsAsking(r.items[back].sentence) {
			continue
		}
		at, cost := -1, 60
		for i := r.anchors[first].item; i < len(r.items); i++ { // the time nearest to it
			it := r.items[i]
			if it.t == nil || it.taken || it.sentence != r.items[back].sentence || it.t.begin < 2 || it.t.last > 0 || it.t.until > 0 {
				continue
			}
			d := abs(i-back) + 20*abs(it.chunk-chunk)
			if i < back && it.chunk != chunk {
				d += 20
			}
			if d < cost {
				at, cost = i, d
			}
		}
		if at < 0 {
			continue
		}
		if outcome { // "and unemployment goes back to normal after a year": nobody can order that
			r.stop(at, timeMark)
			continue
		}
		it, next := r.items[at], r.s.text(r.items[at].from+1)
		span := r.s[it.from].is("after", "following") && next != "month" && next != "year"
		if r.items[at].t = (&timing{until: it.t.begin}); span || r.s[it.to-1].is("later", "afterwards") {
			r.items[at].t = &timing{last: it.t.begin - 1}
		}
		for k := back; k < min(back+5, len(r.items)) && k != at && r.items[k].sign == "" && !r.isAnchor(k); k++ {
			r.take(k, "undone")
		}
	}
}

// goesBack says whether "back to normal" or the like stands at item k.
func (r *english) goesBack(k int) bool {
	for at := r.items[k].from; at < r.items[k].to; at++ {
		next := r.s.text(at + 1)
		switch {
		case r.s[at].is("back", "return") && (next == "again" || next == "at" || next == "to" &&
			slices.Contains([]string{"normal", "where", "what", "before", "its", "their", "the"}, r.s.text(at+2))):
			return true
		case r.s[at].is("revert", "undo", "reverse", "restore"), next == "it" && r.s[at].is("reinstate"),
			r.s[at].text == "back" && at > 0 && r.s[at-1].is("be", "it", "it's", "them", "go", "then", "come") && next != "to":
			return true
		}
	}
	return false
}
