package question

import (
	"slices"
	"strings"

	"econ-mcp/sim"
)

// alternatives finds "or both together", which is one more than those named before.
func (r *english) alternatives() {
	r.union = -1
	for i, it := range r.items {
		lead := r.leads[it.chunk].phrase
		if r.text(i) != "both" || r.chunkHas(it.chunk, func(o item) bool { return o.q != nil || o.t != nil || o.levers != nil && !o.soft }) ||
			len(r.happening(-1)) < 2 || r.anchors[r.happening(-1)[1]].item > i {
			continue
		}
		joint := r.chunkHas(it.chunk, func(o item) bool { return r.s[o.from].is("together", "combined", "jointly") })
		if !lead.is(orWord, thanWord) && !(joint && lead.is(andWord)) && !(lead.is(andWord) && r.s.text(it.from-1) == "with" &&
			r.compares(it.sentence)) {
			continue
		}
		r.union = i
		for k := i; k < len(r.items) && r.items[k].chunk == it.chunk && r.items[k].sign == ""; k++ {
			r.take(k, "both together")
		}
	}
	if r.union >= 0 {
		r.options = 0
	}
}

// countArms stops where another number of alternatives was understood than the question says that it has.
func (r *english) countArms() {
	here := r.happening(-1)
	for k := 2; k < len(here); k++ { // "VAT up, and income tax or tariffs down": does VAT rise in both?
		a, b := r.leads[r.items[r.anchors[here[k-1]].item].chunk], r.leads[r.items[r.anchors[here[k]].item].chunk]
		if i := r.anchors[here[k]].item; a.comma && a.phrase.is(andWord) && b.phrase.is(orWord) && !b.comma && r.apart(here[k-1], here[k]) &&
			r.items[i].sentence == r.items[r.anchors[here[k-2]].item].sentence {
			r.stop(r.firstIn(r.items[i].chunk), comparisonMark)
		}
	}
	got := 0
	for _, a := range r.sense.arms {
		got++
		for _, h := range a.happens {
			got += max(0, len(h.doses)-1)
		}
	}
	if r.options > 1 && got > 0 && got != r.options && !slices.ContainsFunc(r.s, func(t token) bool {
		return t.is("without", "nothing", "baseline", "today", "unchanged", "now", "no")
	}) {
		r.items[r.optionsAt].kind, r.items[r.optionsAt].taken = numberMark, true
	}
}

// apart says whether two happenings are alternatives: "or", "versus", "rather than" stand between them.
func (r *english) apart(m, n int) bool {
	from, to := r.anchors[m].item, r.anchors[n].item
	if from > to {
		from, to = to, from
	}
	if r.enumerated(m, n) || r.union > to || r.options > 1 && len(r.happening(-1)) == r.options && r.items[from].chunk != r.items[to].chunk {
		return true // "two proposals: …", "…, or both"
	}
	for k := from + 1; k <= to; k++ {
		it := r.items[k]
		if it.is(orWord, thanWord) && !it.is(aboveWord) && it.t == nil && it.levers == nil && !r.bothNumbers(k) {
			return true
		}
		if it.is(insteadWord) && !it.taken && it.levers == nil {
			return true
		}
		if strings.HasSuffix(r.text(k), " than") && k+1 < len(r.items) && r.items[k+1].q == nil && !it.taken {
			return true // "hurts less than an income tax of 26 %"
		}
	}
	for c := r.items[from].chunk + 1; c <= r.items[to].chunk; c++ {
		if p := r.leads[c].phrase; p.is(orWord, thanWord) && !p.is(aboveWord) || p.is(insteadWord) {
			return true
		}
	}
	first := r.firstOf(r.items[from].sentence)
	for k := first; k >= 0 && k < from; k++ {
		switch r.s.text(r.items[k].from) {
		case "compare", "compared", "between", "comparison", "contrast", "weigh":
			return true
		}
		if r.items[k].is(insteadWord) && r.items[k].levers == nil { // "instead of cutting VAT, raise the allowance"
			return true
		}
	}
	return false
}

// bothNumbers says whether "or" parts two numbers of one lever.
func (r *english) bothNumbers(k int) bool {
	return k > 0 && k+1 < len(r.items) && r.items[k+1].as == "dose"
}

// enumerated says whether two happenings are in a list that ends with "or": "VAT at 6 percent, income tax at 20 percent, or nothing".
func (r *english) enumerated(m, n int) bool {
	if p := r.leads[r.items[r.anchors[m].item].chunk]; p.phrase.is(whenWord, wheneverWord) || r.setting(m) {
		return false
	}
	here := r.happening(r.items[r.anchors[n].item].sentence)
	for k := slices.Index(here, n); k >= 0 && r.begins(here[k]); k++ {
		at := r.anchors[here[k]].item
		end := len(r.items)
		if k+1 < len(here) {
			end = r.anchors[here[k+1]].item
		}
		for i := at + 1; i < end && r.items[i].sentence == r.items[at].sentence; i++ {
			if r.items[i].is(orWord) && r.items[i].q == nil && !r.bothNumbers(i) {
				return k+1 < len(here) || r.s[min(r.items[i].to, len(r.s)-1)].is("neither", "none", "nothing") ||
					slices.Contains([]string{"do nothing", "leave", "leaving"}, r.text(i+1))
			}
		}
		if k+1 == len(here) {
			break
		}
	}
	return false
}

// begins says whether a happening stands at the head of a part of a list: behind a comma, with nothing before it but what is done to it.
func (r *english) begins(n int) bool {
	at := r.anchors[n].item
	for k := at - 1; k >= 0; k-- {
		it := r.items[k]
		switch {
		case it.sign == "," || it.sign == ";":
			return true
		case it.q != nil, it.taken && it.as == "change", it.change != noChange && it.levers == nil && !it.outcome,
			articles[r.text(k)], slices.Contains([]string{"of", "to", "by", "on", "more", "less", "our", "their", "instead"}, r.text(k)):
		default:
			return false
		}
	}
	return false
}

// setting says whether a happening is said in a clause that begins its sentence and tells under what the rest happens: "with VAT at 10
// percent, is …", "if VAT rises, should we …".
func (r *english) setting(n int) bool {
	it := r.items[r.anchors[n].item]
	first := r.firstOf(it.sentence)
	if first < 0 || r.items[first].chunk != it.chunk ||
		!slices.Contains([]string{"if", "with", "after", "when", "once", "given", "under", "while"}, r.s.text(r.items[first].from)) {
		return false
	}
	next := slices.IndexFunc(r.items, func(o item) bool { return o.chunk == it.chunk+1 && o.sign == "" })
	return next > 0 && r.items[next].sentence == it.sentence && r.items[next-1].sign == "," &&
		r.s[r.items[next].from].is("should", "shall", "ought", "must", "is", "be", "would", "will", "can", "could", "do", "which",
			"what", "how")
}

// alternatively says whether alternatives stand behind a happening in its sentence.
func (r *english) alternatively(n int) bool {
	here := r.happening(r.items[r.anchors[n].item].sentence)
	at := slices.Index(here, n)
	return at >= 0 && at+2 < len(here) && r.apart(here[at+1], here[at+2])
}

// another says whether a number is that of another value of the same lever: "…, compared with one of 4 percent".
func (r *english) another(i int) bool {
	head := i - 2
	if i < 2 || r.text(i-1) != "of" || !r.s[r.items[head].from].is("one", "floor", "rate", "target", "level", "ceiling", "value",
		"limit", "cap") ||
		!r.leads[r.items[i].chunk].phrase.is(orWord, thanWord) && !slices.ContainsFunc(r.items, func(o item) bool {
			return o.sentence == r.items[i].sentence && (o.is(compareWord, thanWord, orWord))
		}) {
		return false
	}
	for n := range r.anchors {
		if r.anchors[n].item == head {
			r.anchors[n].role = aside
		}
	}
	r.take(head, "another")
	return true
}

// outOfWork reads "once more than eight in a hundred are looking for work", a condition on unemployment.
func (r *english) outOfWork(i, sign int) bool {
	q, at := *r.items[i].q, -1
	for k := i + 1; k < min(i+7, len(r.items)) && r.items[k].chunk == r.items[i].chunk; k++ {
		if p, end := englishConceptTree().match(r.s, r.items[k].from); p != nil && end >= r.items[k].to &&
			slices.Contains(p.concepts, "jobless") {
			if before := r.s.text(r.items[k].from - 1); before != "of" && !(before == "the" && r.s.text(r.items[k].from-2) == "of") {
				at = k
			}
			break // "half of the jobless"
		}
		if o := r.items[k]; o.q != nil || o.t != nil || o.change != noChange {
			break
		}
	}
	chunk := r.leads[r.items[i].chunk]
	if at < 0 || q.unit != percent && q.unit != fraction || q.of != ofNothing && q.of != ofMean || !r.otherLever(at) ||
		sign < 0 && !chunk.phrase.is(whenWord, wheneverWord) {
		return false
	}
	q.unit = percent
	c := conditionAt{c: condition{sim.UnemploymentRate, sign < 0 || r.items[sign].is(aboveWord), q}, sentence: r.items[i].sentence}
	c.until, c.again = chunk.phrase.is(untilWord), chunk.phrase.is(wheneverWord)
	r.whens = append(r.whens, c)
	for k := range r.items {
		if r.items[k].chunk == r.items[i].chunk && k <= at && (k >= i || k == sign || &r.items[k].phrase == chunk.phrase ||
			r.items[k].is(frameWord)) {
			r.take(k, "condition")
		}
	}
	return true
}
