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
		if it.q == nil || it.taken || it.chunk == r.items[now].chunk || !r.pronounBefore(i) ||
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
