package design

import "slices"

// item is a phrase or a number found in a question, with what its neighbours say of it.
type item struct {
	*entry           // of a phrase
	number *quantity // of a number
	group  *group    // of a part of the population
	start  int       // tokens
	end    int
	clause int
	phrase int // sentence

	effect  bool // stands where effects are named, not causes
	negated bool
	bound   bool // a verb or a number that belongs to a lever, or to an outcome

	// of a lever
	sign   int // direction: 1, -1, 0 = none said
	change verb
	asked  string // what the question says where the lever only stands in for it
	sizes  []quantity
	timing []quantity
	meant  int    // row of a lever, when the direction is known
	when   string // of an outcome: the condition that it makes
	lo, hi int    // tokens from which all this was read
}

func (it *item) is(m meaning) bool { return it.entry != nil && it.meaning == m }

// mention says whether the item can be what a verb changes.
func (it *item) mention() bool { return it.is(leverMeaning) || it.is(outcomeMeaning) }

// markers end the reach of a verb.
func (it *item) marker() bool {
	return it.is(effectMeaning) || it.is(nounMeaning) || it.is(causeMeaning) || it.is(backMeaning) || it.is(modalMeaning)
}

// find cuts a question into items, sentences and clauses.
func find(s scan) []item {
	var items []item
	clause, sentence := 0, 0
	for i := 0; i < len(s); {
		if s.stops(i) {
			sentence++
			clause++
			i++
			continue
		}
		e, end := lexicon().match(s, i)
		q, isQuantity := s.quantity(i)
		if isQuantity && q.unit == plainUnit && s[i].kind != numberToken && q.role != fromRole && q.role != toRole && q.role != byRole {
			isQuantity = false // "one wonders"
		}
		it := item{start: i, clause: clause, phrase: sentence}
		switch {
		case isQuantity && q.end >= end:
			it.number, it.end = &q, q.end
		case e != nil && e.meaning == groupMeaning:
			it.entry, it.end = e, end
			next, _ := s.skip(end, "的")
			it.group = newGroup(e.text)
			if share, ok := s.quantity(next); ok && (share.unit == percentUnit || share.unit == fractionUnit) {
				it.group.share, it.end = share.x, share.end
			}
			if parts, ok := englishParts[s.word(next)]; ok { // the poorest fifth
				it.group.share, it.end = 1/parts, next+1
			}
			if next, ok := s.skip(it.end, "decile"); ok {
				it.group.share, it.end = .1, next
			}
			if next, ok := s.skip(it.end, "quintile"); ok {
				it.group.share, it.end = .2, next
			}
		case e != nil && end > i:
			it.entry, it.end = e, end
			if e.meaning == joinMeaning || e.meaning == breakMeaning {
				clause++
				it.clause = clause
			}
		default:
			i++
			continue
		}
		if it.is(leverMeaning) {
			it.sign = it.entry.sign
			if it.entry.inverse {
				it.sign = -it.sign
			}
		}
		it.lo, it.hi = it.start, it.end
		items = append(items, it)
		i = it.end
	}
	return items
}

// stops says whether a sentence ends at i.
func (s scan) stops(i int) bool {
	return s[i].kind == signToken && slices.Contains([]string{".", "?", "!", ":"}, s[i].text)
}

// zones marks what stands where a sentence names effects: after "affect", between 对 and
// 影响, before "respond to".
func zones(s scan, items []item) {
	for _, sentence := range sentencesOf(items) {
		effect, noun, lever, modal := false, false, false, startsWithModal(s, sentence)
		clause := -1
		for i := range sentence {
			it := &sentence[i]
			if it.clause != clause {
				clause = it.clause
				if s.word(it.start) == "," && s[it.start].kind == signToken || it.is(breakMeaning) {
					effect = effect && !hanAt(s, it)
					lever = lever && !hanAt(s, it)
				}
			}
			switch {
			case it.is(leverMeaning):
				lever = lever || !it.negated
			case it.is(effectMeaning):
				if lever || !hanAt(s, it) {
					effect = true
				}
			case it.is(nounMeaning):
				noun = true
			case it.is(causeMeaning):
				effect = false
			case it.is(backMeaning):
				for j := range i {
					sentence[j].effect = true
				}
				effect = false
			case it.is(modalMeaning) && lever:
				effect = true
			case it.is(verbMeaning) && modal && lever && s[it.start].kind == wordToken && !hasIng(s.word(it.start)) && !joined(sentence, i) &&
				!nounBefore(s, sentence, i):
				effect = true
			}
			if noun && it.mention() {
				switch s.word(it.start - 1) {
				case "on", "for":
					effect = true
				case "of":
					effect = false
				}
			}
			it.effect = effect
		}
		markHanEffects(s, sentence)
	}
}

// nounBefore says whether a verb such as "cut" directly follows a lever, as in "a VAT cut",
// and is its noun; the effect begins after it.
func nounBefore(s scan, sentence []item, i int) bool {
	if i == 0 || !sentence[i-1].is(leverMeaning) || sentence[i-1].end != sentence[i].start {
		return false
	}
	for _, later := range sentence[i+1:] {
		if later.is(verbMeaning) || later.is(effectMeaning) {
			return true
		}
	}
	return false
}

func hanAt(s scan, it *item) bool {
	return s[it.start].kind == hanToken || it.start > 0 && s[it.start-1].kind == hanToken
}

func hasIng(word string) bool { return len(word) > 4 && word[len(word)-3:] == "ing" }

// joined says whether a verb follows "and" or "or".
func joined(sentence []item, i int) bool {
	return i > 0 && sentence[i-1].is(joinMeaning)
}

// startsWithModal says whether a sentence asks whether something does something.
func startsWithModal(s scan, sentence []item) bool {
	i := sentence[0].start
	for i > 0 && !s.stops(i-1) {
		i--
	}
	return slices.Contains([]string{"do", "does", "did", "will", "would", "can", "could", "might", "may"}, s.word(i))
}

// markHanEffects marks what stands between 对 and 影响, as in 加息对就业的影响.
func markHanEffects(s scan, sentence []item) {
	last := sentence[len(sentence)-1]
	from := -1
	for t := sentence[0].start; t < len(s) && t <= last.end; t++ {
		if s.word(t) == "对" {
			from = t
			continue
		}
		if next, ok := s.skip(t, "影响", "作用", "冲击", "后果", "效应", "效果", "意味"); ok && from >= 0 && next > t {
			inside := func(it *item) bool { return it.start > from && it.end <= t }
			outside := false
			for i := range sentence {
				outside = outside || sentence[i].is(leverMeaning) && !inside(&sentence[i]) && !sentence[i].negated
			}
			for i := range sentence {
				if outside && inside(&sentence[i]) {
					sentence[i].effect = true
				}
			}
			from = -1
		}
	}
}

// sentencesOf splits the items by sentence.
func sentencesOf(items []item) [][]item {
	var list [][]item
	for from := 0; from < len(items); {
		to := from + 1
		for to < len(items) && items[to].phrase == items[from].phrase {
			to++
		}
		list = append(list, items[from:to])
		from = to
	}
	return list
}

// negate marks the levers that a question leaves alone: those between "without" or 不 and
// the end of the clause.
func negate(s scan, items []item) {
	for i := range items {
		if !items[i].is(negationMeaning) {
			continue
		}
		verbs := 0
		for j := i + 1; j < len(items) && items[j].clause == items[i].clause && items[j].phrase == items[i].phrase; j++ {
			if items[j].is(verbMeaning) {
				verbs++
			}
			if items[j].is(leverMeaning) && (verbs > 0 || items[j].entry.sign != 0 || s.word(items[i].start) != "without") {
				items[j].negated = true
			}
			if items[j].is(breakMeaning) || items[j].is(causeMeaning) || items[j].is(effectMeaning) {
				break
			}
		}
	}
}
