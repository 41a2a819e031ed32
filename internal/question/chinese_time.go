package question

import (
	"regexp"
	"slices"
	"strings"
)

// times gives the times of a clause to what happens in it, or before it.
func (r *hanReader) times(n, before int) {
	c := r.clauses[n]
	own := len(r.frames) > before
	shared := slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool { // 都是为期两年: of all alternatives
		return slices.Contains([]string{"都", "都是", "均", "均为", "同样", "两者", "二者"}, t.text)
	})
	later := !own && r.opens(n)
	targets := func() []*hanFrame {
		var list []*hanFrame
		if later {
			return nil
		}
		for i := range r.frames {
			f := &r.frames[i]
			if own && i >= before || !own && (shared || f.alt == r.alts) && r.clauses[f.clause].sentence >= c.sentence-1 {
				list = append(list, f)
			}
		}
		return list
	}
	gradually, ends := false, false
	for i := c.from; i < c.to; i++ {
		gradually = gradually || r.tokens[i].is(graduallyRole) || r.stepwise(i)
		ends = ends || r.tokens[i].is(backRole)
		if t := &r.tokens[i]; ends && before > 0 && !own && t.q != nil && !t.taken && r.frames[before-1].from != nil &&
			near(t.q.x, r.frames[before-1].from.x) { // 再回到3%, where it began
			t.take(usedMark, "value")
		}
	}
	if !own && len(r.frames) > 0 && !ends { // 一年后取消, 一年后再降下来
		was := r.frames[len(r.frames)-1].change
		numbers := slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool { return t.q != nil && t.q.unit != months && !t.taken })
		to := c.effect
		if !slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool { return len(t.word.outcomes) > 0 }) {
			to = c.to
		}
		for _, t := range r.tokens[c.from:to] {
			ends = ends || !numbers && t.is(verbRole) && (t.word.change == abolish && was != abolish || t.word.change == lower &&
				was == raise ||
				t.word.change == raise && was == lower)
		}
	}
	if n+1 < len(r.clauses) && r.clauses[n+1].sentence == c.sentence && !own { // 用三年时间，一步一步…
		for i := r.clauses[n+1].from; i < r.clauses[n+1].to; i++ {
			gradually = gradually || r.tokens[i].is(graduallyRole)
		}
	}
	firstLever := c.to
	for i := c.from; i < c.to; i++ {
		if t := r.tokens[i]; t.taken && t.kind == usedMark && len(t.word.levers) > 0 || t.as == "payment" {
			firstLever = min(firstLever, i)
		}
	}
	for i := c.from; i < c.to; i++ {
		t := &r.tokens[i]
		if t.taken {
			continue
		}
		list := targets()
		set := func(f func(*hanFrame)) {
			if len(list) == 0 { // the time stands before what happens: 从第二年起，…
				r.pending = append(r.pending, f)
			}
			for _, one := range list {
				f(one)
				if i < firstLever && own {
					one.early = true
				}
			}
			t.take(usedMark, "time")
		}
		switch {
		case t.is(dateRole):
			set(func(f *hanFrame) { f.begin = t.word.month })
		case t.month > 0:
			r.ordinal(i, c, own, gradually, ends, set)
		case t.q != nil && t.q.unit == months && t.q.x >= 1:
			r.duration(i, c, own, gradually, ends, set)
		}
	}
	if own && len(r.pending) > 0 {
		for _, f := range r.pending {
			for _, one := range targets() {
				f(one)
				one.early = true
			}
		}
		r.pending = nil
	}
}

// furtherAlternative begins a clause about another alternative than the one before.
var furtherAlternative = regexp.MustCompile(`^(第[二三四五][种个条项套]|另一[种个]|后一[种个]|后者|方案[二三四乙丙]|[二三]是|其[二三])`)

// opens says whether a clause opens a further alternative and says its time alone: 第二种，同样从第13个月开始，….
func (r *hanReader) opens(n int) bool {
	first := n
	for first > 0 && !r.hasFrame(first) {
		c := r.clauses[first]
		if furtherAlternative.MatchString(string(r.runes[r.tokens[c.from].span.From:])) {
			return !slices.ContainsFunc(r.tokens[r.clauses[n].from:r.clauses[n].to], func(t hanToken) bool { return len(t.word.outcomes) > 0 })
		}
		first--
	}
	return false
}

// ordinal reads 从第七个月起, 到第15个月末, 到第十年才.
func (r *hanReader) ordinal(i int, c hanClause, own, gradually, ends bool, set func(func(*hanFrame))) {
	t := &r.tokens[i]
	before, after := r.before(i), i+1
	to := before >= c.from && slices.Contains([]string{"到", "至", "到了", "直到", "截至", "直至"}, r.tokens[before].text)
	late := after < c.to && (r.tokens[after].text == "才" || r.tokens[after].is(startRole))
	if to && !late {
		if after < c.to && r.tokens[after].is(endRole, startRole) || r.begins(c) || own && i > c.from ||
			!own && !c.asks && len(r.frames)+len(r.pending) > 0 {
			if after < c.to && r.tokens[after].is(endRole) {
				r.tokens[after].take(usedMark, "time")
			}
			until := t.until
			set(func(f *hanFrame) {
				if gradually {
					f.ramp = until - max(1, f.begin) + 1
					return
				}
				f.last = until - max(1, f.begin) + 1
				if f.last < 1 {
					f.last = -1
				}
			})
			return
		}
		if !own && len(r.frames) == 0 && !c.asks && slices.ContainsFunc(r.tokens[c.from:i], func(o hanToken) bool { return o.is(placeRole) }) {
			begin := t.month // 贸易战打到第三年，…
			set(func(f *hanFrame) { f.begin = begin })
			return
		}
		if !own {
			r.horizon(t, t.until)
			return
		}
	}
	if i >= c.effect && !late && !(before >= c.from && r.tokens[before].is(fromRole)) {
		r.horizon(t, t.until)
		return
	}
	month := t.month
	if month < 1 {
		return
	}
	set(func(f *hanFrame) {
		if f.last > 1 && f.begin == 0 && f.endsAt > 0 {
			f.last = f.endsAt - month + 1
		}
		switch {
		case f.begin == 0:
			f.begin = month
		case ends && month > f.begin: // 在第18个月降回来
			f.last = month - f.begin
		case f.begin != month:
			r.stop(i, timeMark, "time")
		}
	})
}

// begins says whether a clause has a time from which on.
func (r *hanReader) begins(c hanClause) bool {
	return slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool { return t.month > 0 && t.taken })
}

func (r *hanReader) horizon(t *hanToken, n int) {
	if n <= 600 {
		r.s.horizon = max(r.s.horizon, n)
	}
	t.take(usedMark, "horizon")
}

// duration reads 为期两年, 三年后, 分三年, 未来十年.
func (r *hanReader) duration(i int, c hanClause, own, gradually, ends bool, set func(func(*hanFrame))) {
	t := &r.tokens[i]
	n := int(t.q.x + .5)
	before := r.before(i)
	is := func(roles ...hanRole) bool { return before >= c.from && r.tokens[before].is(roles...) }
	next := func(roles ...hanRole) bool { return i+1 < c.to && r.tokens[i+1].is(roles...) }
	ahead := is(aheadRole) || is(lookRole) && !next(afterRole) || next(aheadRole) || before >= c.from && r.tokens[before].text == "看"
	ahead = ahead || !own && slices.ContainsFunc(r.tokens[c.from:i], func(o hanToken) bool { // 观察期放到六年
		return slices.Contains([]string{"观察期", "模拟期", "观察窗口", "时间跨度"}, o.text)
	})
	switch {
	case t.span.From > 0 && (r.runes[t.span.From-1] == '近' || hasRunes(r.runes, max(0, t.span.From-2), "过去")): // 近一年有过创新
		t.take(fillerMark, "")
	case r.inside(i): // 求职的人一个月看的岗位
		t.take(fillerMark, "")
	case ahead && own && next(withinRole) && i < c.effect && !r.moves(): // 未来一年之内不准裁员
		set(func(f *hanFrame) { f.last = n })
	case ahead:
		r.horizon(t, n)
	case !own && before > c.from && is(toRole) && r.tokens[before-1].is(verbRole): // 延长到18个月: of what nothing reads
		t.take(timeMark, "time")
		r.stop(i, timeMark, "time")
	case !own && slices.ContainsFunc(r.tokens[c.from:i], func(o hanToken) bool { return o.is(groupRole) && o.word.name != "all" }) &&
		r.changedBy(c.from, i): // 女性推迟五年
		t.take(timeMark, "time")
		r.stop(i, timeMark, "time")
	case next(afterRole) && ends && !own:
		set(func(f *hanFrame) { f.last = n })
	case is(placeRole) && len(r.frames) == 0: // 封锁两年: presets have their own length
		t.take(timeMark, "time")
	case next(afterRole) && (i >= c.effect || !own && c.asks && len(r.frames)+len(r.pending) > 0):
		r.horizon(t, n)
	case next(afterRole) && !own && len(r.frames) == 0 && slices.ContainsFunc(r.tokens[:c.from],
		func(t hanToken) bool { return t.is(placeRole) }):
		r.horizon(t, n) // 疫情来了,三年后失业多少
	case next(afterRole) && ends, ends && is(lastingRole):
		set(func(f *hanFrame) { f.last = n })
	case next(afterRole):
		r.tokens[i+1].take(usedMark, "time")
		first := 1 // 从第7个月起…,一年后…: a year after that
		for _, f := range r.frames {
			if f.clause < r.clauseOf(i) && r.clauses[f.clause].sentence == c.sentence && r.begins(r.clauses[f.clause]) {
				first = max(first, f.begin)
			}
		}
		set(func(f *hanFrame) { f.begin = n + first })
	case r.entitled(i, c):
		t.take(timeMark, "time") // 失业金只给六个月
	case is(overRole) && !gradually && r.tokens[before].text == "花":
		return
	case gradually && !(is(lastingRole) && r.tokens[before].text != "共"), is(overRole):
		set(func(f *hanFrame) { f.ramp = n })
	case i >= c.effect && !is(lastingRole):
		r.horizon(t, n)
	case !own && len(r.frames) == 0 && !is(lastingRole) && next(withinRole):
		set(func(f *hanFrame) { f.last = n })
	case !own && c.asks && !is(lastingRole):
		r.horizon(t, n)
	case (i+1 < c.to && slices.Contains([]string{"内", "之内", "以内", "时间内"}, r.tokens[i+1].text) || n >= 36 &&
		i+1 < c.to && r.tokens[i+1].text == "里") && own && r.moves():
		r.stop(i, timeMark, "time") // 三年内增加: step by step, or for three years
		set(func(f *hanFrame) { f.ramp = n })
	default:
		set(func(f *hanFrame) { f.last = n })
	}
}

// inside says whether a time stands inside a phrase that names a lever.
func (r *hanReader) inside(i int) bool {
	at := r.tokens[i].span
	if r.tokens[i].text != "一个月" {
		return false
	}
	return slices.ContainsFunc(r.tokens, func(t hanToken) bool {
		return !t.part && t.taken && len(t.word.levers) > 0 && t.gap.From < at.From && at.To < t.gap.To &&
			!strings.ContainsRune(string(r.runes[t.gap.From:t.gap.To]), ',')
	})
}

// moves says whether what was read last goes up or down, not on or off.
func (r *hanReader) moves() bool {
	c := r.frames[len(r.frames)-1].change
	return c == raise || c == lower || c == double || c == halve
}

// entitled says whether a time may be how long each of the unemployed is paid: 只给六个月.
func (r *hanReader) entitled(i int, c hanClause) bool {
	if len(r.frames) == 0 || r.frames[len(r.frames)-1].levers == nil || r.frames[len(r.frames)-1].levers[0] != "unemployment_benefit_rate" {
		return false
	}
	k := r.before(i)
	return k >= c.from && r.tokens[k].is(payRole)
}

// shareTimes gives a time that stands before the first alternative to those that have none.
func (r *hanReader) shareTimes() {
	for i := range r.frames {
		first := r.frames[i]
		if !first.early {
			continue
		}
		for k := range r.frames {
			f := &r.frames[k]
			if (f.alt > first.alt || k > i && first.last == 0 && first.ramp == 0) && f.begin == 0 && f.last == 0 && f.ramp == 0 &&
				r.clauses[f.clause].sentence == r.clauses[first.clause].sentence {
				f.begin, f.last, f.ramp = first.begin, first.last, first.ramp
			}
		}
	}
}
