package design

import "slices"

// bind gives verbs, numbers and times to the levers that they are about.
func bind(s scan, items []item) {
	for _, sentence := range sentencesOf(items) {
		for i := range sentence {
			if sentence[i].is(verbMeaning) {
				bindVerb(s, sentence, i)
			}
		}
		for i := range sentence {
			if sentence[i].number != nil && !sentence[i].bound {
				bindNumber(s, sentence, i)
			}
		}
		share(s, sentence)
	}
	bindAlone(items)
}

// bindVerb gives a verb to what it changes: what follows it, unless something comes
// between; else what precedes it. What is an outcome keeps the verb to itself.
func bindVerb(s scan, sentence []item, i int) {
	v := &sentence[i]
	han := s[v.start].kind == hanToken
	before, after := -1, -1
	for j := i - 1; j >= 0 && sentence[j].clause == v.clause; j-- {
		if sentence[j].mention() {
			before = j
			break
		}
		if sentence[j].is(verbMeaning) && !sentence[j].bound || sentence[j].is(effectMeaning) && !sentence[j].mention() {
			break
		}
	}
	numberFirst := false
	for j := i + 1; j < len(sentence) && sentence[j].clause == v.clause; j++ {
		if sentence[j].mention() {
			after = j
			break
		}
		if sentence[j].number != nil &&
			(sentence[j].number.role == toRole || sentence[j].number.role == byRole || sentence[j].number.role == fromRole || han) &&
			sentence[j].start <= v.end+1 {
			numberFirst = true
		}
		if sentence[j].is(verbMeaning) && !adjacentVerbs(sentence, i, j) || sentence[j].marker() || sentence[j].is(negationMeaning) {
			break
		}
	}
	if after >= 0 && v.effect != sentence[after].effect {
		after = -1
	}
	target := after
	switch {
	case slices.Contains(replacing, v.entry.text): // what it replaces follows; "AI replaces workers" ends nothing
		if after < 0 || !sentence[after].is(leverMeaning) {
			return
		}
	case before >= 0 && after >= 0:
		free := sentence[before].is(leverMeaning) && sentence[before].change == noVerb && sentence[before].entry.sign == 0
		taken := free &&
			(numberFirst || heldUp(s, sentence[before].start) || sentence[before].end == v.start && nounLike(s, sentence, i, after))
		if taken {
			target = before
		}
	case after < 0:
		target = before
	}
	if target < 0 {
		return
	}
	t := &sentence[target]
	if t.is(leverMeaning) && before == target && t.change != noVerb && !(t.change == introduce) {
		return
	}
	v.bound = true
	if !t.is(leverMeaning) {
		return
	}
	if other, ok := leverIndex[levers[t.row].lasts]; ok && slices.Contains(lasting, v.entry.text) {
		longer := *t.entry
		longer.row = other
		t.entry = &longer
	}
	t.change = v.verb
	t.cover(v)
	if d := direction(v.verb, levers[t.row]); d != 0 && (t.entry.sign == 0 || v.verb == abolish) {
		t.sign = d
		if t.entry.inverse {
			t.sign = -d
		}
	}
}

// replacing are verbs that end what follows them and not what precedes.
var replacing = []string{"replace", "取代", "代替", "替换"}

// lasting are verbs that change how long something lasts, not how much it is.
var lasting = []string{"extend", "longer", "shorten", "shorter", "延长", "缩短"}

// cover notes that a lever was read from another item, too.
func (it *item) cover(other *item) {
	it.lo, it.hi = min(it.lo, other.start), max(it.hi, other.end)
}

// adjacentVerbs are two words for one change, such as "phase in … higher" or 逐步提高.
func adjacentVerbs(sentence []item, i, j int) bool {
	return sentence[j].start-sentence[i].end <= 1
}

// nounLike says whether a verb that stands between two mentions belongs to the first:
// "a minimum wage increase …".
func nounLike(s scan, sentence []item, i, after int) bool {
	if s[sentence[i].start].kind == hanToken {
		return false
	}
	return after > i+1
}

// heldUp says whether 把 or 将 stands before what begins at i: the verb follows.
func heldUp(s scan, i int) bool {
	for j := i - 1; j >= 0 && j >= i-6; j-- {
		if s.word(j) == "把" || s.word(j) == "将" {
			return true
		}
		if s[j].kind != hanToken {
			return false
		}
	}
	return false
}

// direction is which way a verb moves a lever: 1, -1, or 0 where it does not say.
func direction(v verb, r row) int {
	strict := 1
	if r.strictFalls {
		strict = -1
	}
	switch v {
	case raise, double, triple:
		return 1
	case lower, halve, abolish:
		return -1
	case introduce:
		return 1
	case tighten:
		return strict
	case loosen:
		return -strict
	}
	return 0
}

// bindNumber gives a number to a lever of its clause, as its size or its timing.
func bindNumber(s scan, sentence []item, i int) {
	q := sentence[i].number
	target := -1
	if n := i + 1; n < len(sentence) && sentence[n].mention() && sentence[n].clause == sentence[i].clause &&
		gap(s, sentence[i].end, sentence[n].start) &&
		q.role == bareRole &&
		q.unit != monthsUnit {
		target = n // a 10 % tariff
		if sentence[n].is(outcomeMeaning) && i > 0 && sentence[i-1].is(leverMeaning) && sentence[i-1].end == sentence[i].start {
			target = i - 1 // the central bank targets 3 % inflation
		}
	}
	for j := i - 1; target < 0 && j >= 0 && sentence[j].clause == sentence[i].clause; j-- {
		if sentence[j].mention() {
			target = j
		}
	}
	for j := i + 1; target < 0 && j < len(sentence) && sentence[j].clause == sentence[i].clause; j++ {
		if sentence[j].mention() && !sentence[j].negated {
			target = j
		}
	}
	if q.unit == monthsUnit && (target < 0 || !sentence[target].is(leverMeaning)) {
		return // times may belong to a lever further away
	}
	if target < 0 {
		return
	}
	t := &sentence[target]
	if !t.is(leverMeaning) {
		sentence[i].bound = q.role == bareRole || q.role == toRole || sentence[target].effect || q.unit != monthsUnit && t.change != noVerb
		return
	}
	give(s, t, &sentence[i], sentence)
}

// give hands a number to a lever.
func give(s scan, t, number *item, sentence []item) {
	q := *number.number
	number.bound = true
	t.cover(number)
	if levers[t.row].unit == yearsUnit && q.role == afterRole && s.word(q.end-1) == "later" { // retire two years later
		q.role = byRole
		t.sizes, t.sign = append(t.sizes, q), 1
		return
	}
	length := levers[t.row].unit == spanUnit && q.role == lastingRole && t.change == noVerb && len(t.sizes) == 0 // benefits run for a year
	if q.unit == monthsUnit && isTiming(q, levers[t.row].unit) && !length {
		t.timing = append(t.timing, q)
		return
	}
	if length {
		q.role = toRole
	}
	if q.role == bareRole {
		q.role = toRole
		next := indexAfter(sentence, number)
		if next != nil && next.is(verbMeaning) && (next.verb == raise || next.verb == lower) && next.start == number.end &&
			s[next.start].kind == wordToken {
			q.role = byRole // a 20 % cut in …
		} else if changes := t.change; (changes == raise || changes == lower) && (verbBefore(s, number, sentence) || q.unit == pointsUnit) ||
			q.unit == fractionUnit && (changes == raise || changes == lower || t.entry.sign != 0) || q.unit == pointsUnit && changes != settle {
			q.role = byRole
		}
	}
	t.sizes = append(t.sizes, q)
}

// indexAfter is the item that follows another, nil at the end.
func indexAfter(sentence []item, it *item) *item {
	for i := range sentence {
		if sentence[i].start >= it.end {
			return &sentence[i]
		}
	}
	return nil
}

// verbBefore says whether a verb of change stands directly before a number, as in 提高5%,
// or a lever that follows its verb, as in "cut taxes 5 %".
func verbBefore(s scan, number *item, sentence []item) bool {
	for _, it := range sentence {
		if it.end > number.start {
			break
		}
		if (it.is(verbMeaning) && (it.verb == raise || it.verb == lower) || it.is(leverMeaning) && it.entry.sign != 0 || it.is(leverMeaning)) &&
			number.start-it.end <= 1 {
			return !(it.is(verbMeaning) && endsInTo(s, it.end))
		}
	}
	return false
}

// endsInTo says whether the word before i is one such as 提高到.
func endsInTo(s scan, i int) bool {
	switch s.word(i - 1) {
	case "到", "至", "为":
		return true
	}
	return false
}

// gap says whether at most an adjective parts a number from what follows.
func gap(s scan, from, to int) bool {
	if to-from > 2 {
		return false
	}
	for i := from; i < to; i++ {
		if s[i].kind == signToken && s[i].text != "-" {
			return false
		}
		switch s.word(i) {
		case "of", "on", "in", "for", "from", "to":
			return false
		}
	}
	return true
}

// isTiming tells a span of time from a size that counts years or months.
func isTiming(q quantity, u unit) bool {
	if u != yearsUnit && u != spanUnit {
		return true
	}
	return q.role == lastingRole || q.role == rampRole || q.role == afterRole || q.role == atRole || q.role == horizonRole
}

// share lets levers that are joined by "and" share a verb and a number.
func share(s scan, sentence []item) {
	var list []*item
	for i := range sentence {
		if sentence[i].is(leverMeaning) && !sentence[i].negated && !sentence[i].effect {
			list = append(list, &sentence[i])
		}
	}
	for i := 1; i < len(list); i++ {
		a, b := list[i-1], list[i]
		if b.clause-a.clause != 1 || levers[a.row].unit != levers[b.row].unit {
			continue
		}
		silent := func(it *item) bool { return it.change == noVerb && it.entry.sign == 0 }
		if silent(b) && !silent(a) && a.clause < b.clause && len(a.sizes) == 0 {
			b.change, b.sign = a.change, a.sign
			if len(b.sizes) > 0 {
				a.sizes = b.sizes
			}
		} else if silent(a) && len(a.sizes) == 0 && !silent(b) && levers[a.row].of == levers[b.row].of && b.change != introduce {
			a.change, a.sign, a.sizes = b.change, b.sign, b.sizes
		}
	}
}

// bindAlone gives numbers and times that stand in a clause or a sentence of their own to
// the levers before them, else to those after.
func bindAlone(items []item) {
	var list []*item
	for i := range items {
		if items[i].is(leverMeaning) && !items[i].negated && !items[i].effect {
			list = append(list, &items[i])
		}
	}
	if len(list) == 0 {
		return
	}
	for i := range items {
		it := &items[i]
		if it.is(verbMeaning) && !it.bound && !it.effect {
			attachVerb(list, it)
		}
		if it.number == nil || it.bound {
			continue
		}
		q := *it.number
		if q.unit == monthsUnit {
			it.bound = true
			if q.role == afterRole && ends(items, i) {
				q.role = lastingRole
			}
			for _, l := range sameSentence(list, it) {
				if len(l.timing) == 0 || l.timing[len(l.timing)-1].role != q.role {
					l.timing = append(l.timing, q)
				}
			}
			continue
		}
		near := nearest(list, it)
		if near == nil || it.effect {
			continue
		}
		it.bound = true
		if q.role == bareRole {
			q.role = toRole
			if near.change == raise || near.change == lower || q.unit == fractionUnit || q.unit == pointsUnit {
				q.role = byRole
			}
		}
		near.cover(it)
		near.sizes = append(near.sizes, q)
	}
	for _, l := range list { // a time said of one lever of a sentence holds for the others
		if len(l.timing) > 0 {
			continue
		}
		for _, other := range list {
			if other.phrase == l.phrase && other.row != l.row && len(other.timing) > 0 {
				l.timing = other.timing
			}
		}
	}
}

// ends says whether the clause of a time only ends what another began: "and scrap it after
// two years", 两年后取消.
func ends(items []item, i int) bool {
	end := -1
	for j := range items {
		if items[j].clause != items[i].clause {
			continue
		}
		if items[j].is(leverMeaning) {
			return false
		}
		if items[j].is(verbMeaning) && items[j].verb == abolish {
			end = j
		}
	}
	if end < 0 {
		return false
	}
	items[end].bound = true
	return true
}

// attachVerb gives a verb without an object in its clause to the lever before it.
func attachVerb(list []*item, v *item) {
	for i := len(list) - 1; i >= 0; i-- {
		l := list[i]
		if l.end <= v.start && l.phrase == v.phrase && l.change == noVerb && l.entry.sign == 0 {
			v.bound = true
			l.change = v.verb
			l.cover(v)
			l.sign = direction(v.verb, levers[l.row])
			if l.entry.inverse {
				l.sign = -l.sign
			}
			return
		}
	}
}

func sameSentence(list []*item, it *item) []*item {
	var same []*item
	for _, l := range list {
		if l.phrase == it.phrase {
			same = append(same, l)
		}
	}
	if same == nil {
		return list
	}
	return same
}

// nearest is the lever of the same sentence, or of the one before, that precedes an item;
// else the first that follows.
func nearest(list []*item, it *item) *item {
	var found *item
	for _, l := range list {
		if l.start < it.start && it.phrase-l.phrase <= 1 {
			found = l
		}
		if found == nil && l.phrase == it.phrase {
			return l
		}
	}
	return found
}
