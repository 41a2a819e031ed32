package question

import (
	"slices"
	"strings"

	"econ-mcp/sim"
)

// conditions finds 失业率超过8%, where it is not asked for.
func (r *hanReader) conditions() {
	for n := range r.clauses {
		c := &r.clauses[n]
		given, again, until := false, false, false
		for i := c.from; i < c.to; i++ {
			t := &r.tokens[i]
			given = given || t.is(ifRole) || t.is(momentRole) && i > c.from && r.hasCondition(c.from, i)
			again = again || t.is(wheneverRole)
			until = until || t.is(untilRole)
		}
		for i := c.from; i < c.to; i++ {
			t := &r.tokens[i]
			indicator, again, until := r.watched(i, n), again, until
			if indicator == nil || t.taken || r.handled(c.from, i) || i+1 < c.to && r.tokens[i+1].text == "每" { // 每上升一个点
				continue
			}
			sign := -1
			if len(t.word.outcomes) == 0 { // 等回落到7%以下再停: of what the condition before it watches
				sign = i
			}
			value := -1
			for k := i + 1; k < c.to && value < 0; k++ {
				o := &r.tokens[k]
				switch {
				case o.is(aboveRole, belowRole):
					if sign < 0 || r.tokens[sign].is(toRole) {
						sign = k
					}
				case hanBelow(o.text) || hanAbove(o.text) || hanBack(o.text):
					if sign < 0 {
						sign = k
					}
				case o.q != nil && isShare(o.q):
					value = k
				case len(o.word.outcomes) > 0 || o.names() || o.is(effectRole):
					k = c.to
				}
			}
			if value >= 0 && value+1 < c.to && slices.Contains([]string{"以上", "以下"}, r.tokens[value+1].text) && sign < 0 {
				sign = value
			}
			if sign < 0 || value < 0 || t.names() && !((r.supposed(c.from, i) || t.word.weak && given) && r.laterLever(n) &&
				(r.tokens[sign].is(aboveRole, belowRole) || r.then(n))) {
				continue
			}
			behind := r.behind(n)
			ends := r.endsBehind(value+1, behind)
			until = until || ends
			if !(given || again || until) && (c.asks || !r.laterLever(n)) {
				continue
			}
			above := r.tokens[sign].is(aboveRole) || hanAbove(r.tokens[sign].text)
			if hanBack(r.tokens[sign].text) { // to where it was before the condition
				above = slices.ContainsFunc(r.whens, func(w hanCondition) bool { return w.indicator == *indicator && !w.above && !w.until })
			}
			denied := slices.ContainsFunc(r.tokens[i:sign+1], func(o hanToken) bool { return o.is(notRole) })
			last := value
			if k := value + 1; k < c.to && (r.tokens[k].text == "以下" || r.tokens[k].text == "之下") {
				above, last = false, k
			} else if k < c.to && (r.tokens[k].text == "以上" || r.tokens[k].text == "之上") {
				above, last = true, k
			}
			if k := last + 1; k < c.to {
				again = again || strings.HasSuffix(r.tokens[k].text, "期间") // 失业率高于8%期间
				until = until || slices.Contains([]string{"之前", "以前", "前"}, r.tokens[k].text)
			}
			for k := i; k <= last; k++ {
				r.tokens[k].take(usedMark, "condition")
			}
			for k := last + 1; ends && k < behind; k++ {
				if o := &r.tokens[k]; o.q == nil && !o.is(askRole, whichRole) {
					o.take(usedMark, "condition")
				}
			}
			if denied && !until { // 通胀不降到2%以下
				above = !above
			}
			r.whens = append(r.whens, hanCondition{condition{*indicator, above, *r.tokens[value].q}, i, n, again, until})
			break
		}
	}
}

// watched is the indicator that a condition may begin with at a token: its own, or, where it but goes back, that of the
// condition before it.
func (r *hanReader) watched(i, n int) *sim.Indicator {
	t := &r.tokens[i]
	if len(t.word.outcomes) > 0 {
		return &t.word.outcomes[0]
	}
	if len(r.whens) == 0 || !hanBack(t.text) && !hanBelow(t.text) && !hanAbove(t.text) || r.hasOutcome(r.clauses[n]) {
		return nil
	}
	if last := &r.whens[len(r.whens)-1]; r.clauses[last.clause].sentence >= r.clauses[n].sentence-1 && !last.until &&
		r.endsBehind(i+1, r.behind(n)) {
		return &last.indicator
	}
	return nil
}

// handled says whether 把 stands before a token of its clause: what is done to it is no condition.
func (r *hanReader) handled(from, i int) bool {
	return slices.ContainsFunc(r.tokens[from:i], func(t hanToken) bool { return t.text == "把" || t.text == "将" && !t.is(effectRole) })
}

// behind is where what follows a condition ends, up to the next punctuation: 一降到6%以下就 | 停.
func (r *hanReader) behind(n int) int {
	to := r.clauses[n].to
	for n++; n < len(r.clauses) && !r.tokens[to-1].is(stopRole); n++ {
		to = r.clauses[n].to
	}
	return to
}

func (r *hanReader) hasOutcome(c hanClause) bool {
	return slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool { return len(t.word.outcomes) > 0 && !t.taken })
}

// hanEnds are words for the end of what was done.
var hanEnds = []string{"不松手", "不松口", "不罢休", "不收手", "不放手", "收手", "松手", "松口", "罢手", "罢休", "不停", "不放松", "住手", "撤", "收场",
	"结束", "放开", "打住", "到此为止", "放手"}

// endsBehind says whether tokens say that what happens ends: 再恢复, 就停, 才收手, and of no lever what becomes of it.
func (r *hanReader) endsBehind(from, to int) bool {
	ends := false
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		if t.names() || t.is(payRole) && t.text != "收" {
			return false
		}
		ends = ends || t.is(backRole, endRole) || t.is(verbRole) && t.word.change == abolish && !strings.HasPrefix(t.text, "不") ||
			slices.ContainsFunc(hanEnds, func(w string) bool { return hasRunes(r.runes, t.span.From, w) })
	}
	return ends
}

func hanBack(text string) bool {
	return slices.Contains([]string{"回到", "回落到", "恢复到", "降回", "升回", "回到了", "回落", "回升到"}, text)
}

// supposed says whether a word such as 如果 stands before a token of its clause.
func (r *hanReader) supposed(from, i int) bool {
	return slices.ContainsFunc(r.tokens[from:i], func(t hanToken) bool { return t.is(ifRole, wheneverRole, untilRole) }) &&
		!slices.ContainsFunc(r.tokens[from:i], func(t hanToken) bool { return t.text == "把" || t.text == "将" })
}

func hanAbove(text string) bool {
	return slices.Contains([]string{"升", "涨", "上升", "上涨", "提高", "高", "到", "达到", "增加", "高出"}, text)
}

func hanBelow(text string) bool {
	return slices.Contains([]string{"降", "跌", "下降", "下跌", "回落", "降低", "低", "少"}, text)
}

// then says whether the next clause says what follows: 如果政策利率升到5%，就….
func (r *hanReader) then(n int) bool {
	return n+1 < len(r.clauses) && slices.Contains([]string{"就", "则", "便", "那么", "那就", "那"}, r.tokens[r.clauses[n+1].from].text)
}

// laterLever says whether a later clause of the same sentence names a lever.
func (r *hanReader) laterLever(n int) bool {
	for k := n + 1; k < len(r.clauses) && r.clauses[k].sentence == r.clauses[n].sentence; k++ {
		if r.says(r.clauses[k].from, r.clauses[k].to) {
			return true
		}
	}
	return false
}

func (r *hanReader) foreign() {
	told := slices.ContainsFunc(r.clauses, func(c hanClause) bool { return r.namesLever(c) && r.numbered(c) })
	for i := range r.tokens {
		t := &r.tokens[i]
		if t.is(foreignRole) && !t.part && !t.taken && t.word.name != "instruction" && len(r.runes) >= longStory && told {
			t.take(colourMark, "story")
		}
		if t.is(foreignRole) && !t.part && !t.taken {
			t.take(usedMark, t.word.name)
			r.s.foreign = append(r.s.foreign, mark{t.span, usedMark, t.word.name})
		}
	}
}

// instructed drops words that only may name a lever from a question about something else.
func (r *hanReader) instructed() {
	for i := range r.tokens { // AI方面的政策: no more than a topic
		t := &r.tokens[i]
		if text := string(r.runes[t.span.To:min(len(r.runes), t.span.To+5)]); t.word.weak && strings.Contains(text, "政策") {
			t.word.levers, t.word.role = nil, topicRole
		}
	}
	if len(r.s.foreign) == 0 {
		return
	}
	injected := slices.ContainsFunc(r.s.foreign, func(m mark) bool { return m.as == "instruction" }) &&
		!slices.ContainsFunc(r.tokens, func(t hanToken) bool { return t.q != nil && !t.count })
	for i := range r.tokens {
		if t := &r.tokens[i]; t.word.weak || injected {
			t.word.levers = nil
		}
	}
}

// findPlaces finds where the question is set: 在衰退中, 疫情期间, 像德国这样的经济体.
func (r *hanReader) findPlaces() {
	several := 0 // that are alternatives: AI浪潮和疫情，哪个…
	for _, t := range r.tokens {
		if t.is(placeRole) && !t.taken && r.compares {
			several++
		}
	}
	for n, c := range r.clauses {
		for i := c.from; i < c.to; i++ {
			t := &r.tokens[i]
			if !t.is(placeRole) || t.taken {
				continue
			}
			p := hanPlace{name: t.word.name, token: i, clause: n}
			for k := i + 1; k < min(c.to, i+4); k++ {
				if hanSceneWords()[r.tokens[k].text] {
					p.scene = true
				} else if !r.tokens[k].skips() {
					break
				}
			}
			for k := i - 1; k >= max(c.from, i-3); k-- {
				o := r.tokens[k]
				if o.text == "在" || o.text == "像" || o.text == "当" || o.is(ifRole) || hanSceneWords()[o.text] {
					p.scene = true
				} else if !o.skips() {
					break
				}
			}
			alone := true
			for k := c.from; k < c.to; k++ {
				o := r.tokens[k]
				alone = alone && (k == i || o.skips() || o.is(stopRole, ifRole, verbRole, effectRole, momentRole) || hanSceneWords()[o.text])
			}
			p.scene = p.scene || alone || hanCountry(p.name)
			if t.names() {
				if !p.scene && several < 2 {
					continue // 信贷紧缩会让…: what happens
				}
				t.word.levers, t.word.change = nil, noChange
			}
			r.places = append(r.places, p)
		}
	}
}

func hanCountry(name string) bool {
	return slices.Contains([]string{"at_like", "cn_like", "de_like", "us_like"}, name)
}

func (r *hanReader) namesLever(c hanClause) bool {
	return slices.ContainsFunc(r.tokens[c.from:min(c.effect, c.to)], func(t hanToken) bool {
		return t.names() && !t.word.weak && !t.taken
	})
}

// effects finds where a clause begins to speak of effects: 增值税提高5个点 | 会影响消费吗.
func (r *hanReader) effects(n int) {
	c := &r.clauses[n]
	c.effect = c.to
	earlier := false
	for k := 0; k < n && !earlier; k++ {
		earlier = r.clauses[k].sentence >= c.sentence-1 && r.causes(r.clauses[k].from, min(r.clauses[k].effect, r.clauses[k].to), true)
	}
	for i := c.from; i < c.to; i++ {
		t := &r.tokens[i]
		if t.taken && t.kind == colourMark {
			continue
		}
		at := -1
		switch {
		case t.is(lookRole), t.is(effectRole) && !r.governs(i), t.is(askRole) && !r.causes(i, c.to, true):
			at = i
		case t.is(onRole) && slices.ContainsFunc(r.tokens[i:c.to], func(t hanToken) bool { return t.is(impactRole) }):
			at = i
		case t.is(impactRole):
			at = i
		}
		if at < 0 || r.inGap(at) {
			continue
		}
		left, right := r.causes(c.from, at, !earlier) || earlier && r.resets(c.from, at), r.causes(at, c.to, true)
		if left && earlier && at > c.from && r.mentioned(c.from, at) {
			c.effect = c.from // 增值税提高5个点，工会会怎样: asked about, not changed
			for i := c.from; i < at; i++ {
				if r.tokens[i].names() && len(r.tokens[i].word.outcomes) == 0 {
					r.tokens[i].take(colourMark, "asked about")
				}
			}
			return
		}
		if left || earlier && !right || earlier && !r.sureCause(at, c.to) {
			c.effect = at
			// 通胀会失控吗: the subject before 会 is part of the effect.
			if !left {
				c.effect = c.from
				for c.effect < at && r.tokens[c.effect].taken {
					c.effect++
				}
			}
			return
		}
	}
	// 失业率如何, with what happens in an earlier clause.
	if earlier && c.asks && !r.causes(c.from, c.to, false) {
		c.effect = c.from
	}
}

// resets says whether tokens give another value to what was told before: 要是改成七成.
func (r *hanReader) resets(from, to int) bool {
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		if len(t.word.outcomes) > 0 {
			return false
		}
		if t.q != nil && !t.count && !t.taken && (isShare(t.q) || t.q.unit == months || t.q.unit == money) {
			return r.marked(i, from)
		}
	}
	return false
}

// mentioned says whether tokens name levers without a word of what happens to them.
func (r *hanReader) mentioned(from, to int) bool {
	if r.compares {
		return false
	}
	return !slices.ContainsFunc(r.tokens[from:to], func(t hanToken) bool {
		return t.q != nil && !t.count || t.is(verbRole, payRole, moreRole, lessRole, orRole, andRole, notRole, placeRole) ||
			t.names() && t.word.change != noChange
	})
}

// inGap says whether a token stands inside a phrase of several parts.
func (r *hanReader) inGap(i int) bool {
	at := r.tokens[i].span.From
	return slices.ContainsFunc(r.tokens, func(t hanToken) bool { return t.gap.From < at && at < t.gap.To && !t.taken })
}

// causes says whether tokens may say what happens: a lever (loosely: one that is an outcome, too, or
// that only may be one), a payment, an industry that changes.
func (r *hanReader) causes(from, to int, loosely bool) bool {
	number, verb, group, industry := false, false, false, false
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		if t.taken && t.kind == colourMark {
			continue
		}
		if t.names() && !t.taken {
			if len(t.word.outcomes) == 0 && !t.word.weak || t.word.change != noChange {
				return true
			}
			if loosely {
				return true
			}
		}
		number = number || (t.q != nil && !t.count && t.q.unit != months || t.multiplies()) && !t.taken
		verb = verb || t.is(verbRole, payRole, moreRole)
		group = group || t.is(groupRole)
		industry = industry || t.is(industryRole)
	}
	for i := from; i < to && number; i++ {
		if t := &r.tokens[i]; t.names() && !t.taken {
			return true
		}
	}
	return number && verb && (group || industry) || loosely && slices.ContainsFunc(r.places, func(p hanPlace) bool {
		return p.token >= from && p.token < to && !p.scene
	})
}

// multiplies says whether a verb has its size in it: 减半, 翻番.
func (t *hanToken) multiplies() bool {
	return t.is(verbRole) && slices.Contains([]change{double, triple, halve}, t.word.change)
}

// governs says whether 将 is 把, not 将会: 将政策利率提高50个基点.
func (r *hanReader) governs(i int) bool {
	return r.tokens[i].text == "将" && i+1 < len(r.tokens) && r.tokens[i+1].names()
}

// sureCause says whether tokens name a lever that is no outcome.
func (r *hanReader) sureCause(from, to int) bool {
	number := slices.ContainsFunc(r.tokens[from:to], func(t hanToken) bool { return t.q != nil && !t.count && !t.taken })
	return slices.ContainsFunc(r.tokens[from:to], func(t hanToken) bool {
		return t.names() && !t.taken && len(t.word.outcomes) == 0 && number
	})
}
