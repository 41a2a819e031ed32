package question

import (
	"slices"
	"strings"
)

// clause reads what happens in a clause.
func (r *hanReader) clause(n int) {
	c := r.clauses[n]
	r.nextArm(n)
	to := c.effect
	before := len(r.frames)
	groups := r.leverGroups(c.from, to)
	switch {
	case r.tellsWho(c, groups):
	case r.complements(c):
	case r.kept(c, groups):
	case r.complains(c, groups):
	case r.pays(n, c.from, to):
	case len(groups) > 0:
		r.named(n, c.from, to, groups)
	default:
		r.industry(n, c.from, to)
	}
	r.pooled(n, before)
	r.ofIndustry(n, before)
	r.idleLevers(n, before)
	r.reversed(before)
	for i := c.from; i < to; i++ {
		t := &r.tokens[i]
		switch {
		case !t.is(payerRole) || t.taken:
		case len(r.frames) > 0:
			r.financed(n, i, to)
			t.take(usedMark, "financing")
		case r.payer == "" && r.laterPayment(n):
			r.payer = t.word.name
			t.take(usedMark, "financing")
		}
	}
	r.continued(n, before)
	r.times(n, before)
}

// hanReversed are systems of which the one is the end of the other.
var hanReversed = map[string]string{
	"exchange_rate_float": "exchange_rate_peg", "exchange_rate_peg": "exchange_rate_float",
	"policy_rate_taylor": "policy_rate_fixed", "policy_rate_fixed": "policy_rate_taylor",
}

// reversed reads 不再让汇率浮动: it is fixed.
func (r *hanReader) reversed(before int) {
	for k := before; k < len(r.frames); k++ {
		f := &r.frames[k]
		other := hanReversed[f.levers[0]]
		if other == "" || f.sized() {
			continue
		}
		for i := r.clauses[f.clause].from; i < r.clauses[f.clause].to && r.tokens[i].span.From < f.span.From; i++ {
			if t := &r.tokens[i]; !t.taken && slices.Contains([]string{"不再", "不", "不让", "别"}, t.text) {
				t.take(usedMark, "lever")
				f.levers, f.change = []string{other}, introduce
			}
		}
	}
}

// laterPayment says whether a clause with a payer tells of a pool: 靠增值税凑出GDP的2%.
func (r *hanReader) laterPayment(n int) bool {
	return slices.ContainsFunc(r.tokens[:r.clauses[n].to], func(t hanToken) bool { return t.q != nil && t.q.of == ofGDP && !t.taken })
}

// financed notes what pays for what happens: a tax that is raised by as much as is said, or as it takes. A second payer
// is another alternative: 一种靠增值税来付，另一种靠所得税来付.
func (r *hanReader) financed(n, i, to int) {
	payer := r.tokens[i].word.name
	for k := i; k < to; k++ {
		t := &r.tokens[k]
		if b := r.before(k); t.q != nil && !t.taken && isShare(t.q) && t.q.of == ofNothing && payer != "deficit" && b >= 0 &&
			(r.tokens[b].is(moreRole) || r.tokens[b].is(verbRole) && r.tokens[b].word.change == raise) {
			q := *t.q
			t.take(usedMark, "value")
			r.tokens[b].take(usedMark, "change")
			h := happening{levers: []string{payer}, change: raise, by: &q, span: spanOver(r.tokens[i].span, t.span)}
			r.frames = append(r.frames, hanFrame{happening: h, clause: n, alt: r.alts})
			return
		}
	}
	if last := r.frames[len(r.frames)-1]; r.compares && last.pays != "" && last.pays != payer && last.clause < n {
		r.alts = last.alt + 1
		other := last
		other.alt, other.pays, other.clause = r.alts, payer, n
		r.frames = append(r.frames, other)
		return
	}
	c := r.clauses[n]
	all := r.clauses[r.frames[len(r.frames)-1].clause].sentence < c.sentence && // 钱都靠借
		slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool {
			return slices.Contains([]string{"都", "均", "全", "全部", "一律"}, t.text)
		})
	for k := range r.frames {
		if f := &r.frames[k]; f.alt == r.alts || all {
			f.pays = payer
		}
	}
}

// tellsWho says whether a clause says who asks, by a word that names a lever: 我们工会想知道.
func (r *hanReader) tellsWho(c hanClause, groups [][]int) bool {
	first := r.tokens[c.from].text
	if len(groups) == 0 || !slices.Contains([]string{"我", "我们", "咱们", "咱", "本人", "作为"}, first) ||
		!slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool { return t.is(lookRole, askMarkRole) }) {
		return false
	}
	if slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool {
		return t.q != nil && !t.count || t.is(verbRole, payRole, moreRole) || t.names() && t.word.change != noChange
	}) {
		return false
	}
	for i := c.from; i < c.to; i++ {
		r.tokens[i].take(colourMark, "asker")
	}
	return true
}

// complements takes what is not done because something else is: 缩短工时而不是裁员, 靠增值税而不是靠举债.
func (r *hanReader) complements(c hanClause) bool {
	if c.joins != insteadRole || len(r.frames) == 0 {
		return false
	}
	last := r.frames[len(r.frames)-1]
	text := string(r.runes[r.tokens[c.from].span.From:r.tokens[c.to-1].span.To])
	words := []string{"裁", "辞退", "解雇", "开除", "炒人", "炒鱿鱼"}
	switch {
	case last.levers[0] == "job_retention_share":
	case last.pays == "income_tax_rate" || last.pays == "vat_rate":
		words = []string{"举债", "借债", "借钱", "赤字", "发债", "印钱"}
	default:
		return false
	}
	if !slices.ContainsFunc(words, func(w string) bool { return strings.Contains(text, w) }) || r.numbered(c) {
		return false
	}
	for i := c.from; i < c.effect; i++ {
		r.tokens[i].take(colourMark, "complement")
	}
	return true
}

// ofIndustry gives the industry that a clause without a change names to the demand of the next: 医疗支出这摊子，居民多花三成.
func (r *hanReader) ofIndustry(n, before int) {
	if n == 0 || r.clauses[n-1].sentence != r.clauses[n].sentence || len(r.frames) == before || r.clauses[n-1].asks {
		return
	}
	f := &r.frames[len(r.frames)-1]
	if f.levers[0] != "consumption_demand_factor" || f.industry != "" ||
		slices.ContainsFunc(r.frames[:before], func(o hanFrame) bool { return o.clause == n-1 }) {
		return
	}
	for i := r.clauses[n-1].from; i < r.clauses[n-1].to; i++ {
		if t := &r.tokens[i]; t.is(industryRole) && !t.taken {
			f.levers, f.industry = []string{"industry_demand"}, t.word.name
			t.take(usedMark, "industry")
			return
		}
	}
}

// idleLevers leaves over a lever of which nothing is said beside one of which something is:
// 人工智能让生产率翻番.
func (r *hanReader) idleLevers(n, before int) {
	if len(r.frames)-before < 2 || r.compares {
		return
	}
	says := func(f hanFrame) bool { return f.change != noChange || f.to != nil || f.by != nil || len(f.doses) > 0 }
	if !slices.ContainsFunc(r.frames[before:], says) {
		return
	}
	kept := r.frames[:before]
	for _, f := range r.frames[before:] {
		if says(f) {
			kept = append(kept, f)
			continue
		}
		r.s.marks = append(r.s.marks, mark{f.span, policyMark, "lever"})
	}
	r.frames = kept
}

// nextArm begins another alternative where the clause says so.
func (r *hanReader) nextArm(n int) {
	c := r.clauses[n]
	if !slices.ContainsFunc(r.frames, func(f hanFrame) bool { return f.alt == r.alts }) {
		return
	}
	again := c.joins == orRole || c.joins == insteadRole
	for i := c.from; i < c.to && !again; i++ {
		t := &r.tokens[i]
		again = t.is(secondRole) && i < c.from+4 || t.is(nothingRole) ||
			i < c.from+3 && slices.ContainsFunc(hanSeconds, func(w string) bool { return hasRunes(r.runes, t.span.From, w) })
	}
	again = again || r.compares && r.causes(c.from, c.effect, false) && !r.goesOn(c)
	if again {
		r.alts++
	}
}

// hanSeconds are words that begin another alternative.
var hanSeconds = []string{"另一种", "另一个", "另一条路", "另一套", "另一派", "方案二", "方案三", "方案四", "方案b", "方案c", "方案2", "方案3", "办法二", "路子二",
	"情形二", "情景二", "选项二", "乙说", "乙方案", "乙:", "b方案", "丙说", "丙方案", "丙:", "还有一种", "再一种", "也有人说", "有的说"}

// goesOn says whether a clause speaks of the lever of the clause before it: 实行短时工作，六成留岗.
func (r *hanReader) goesOn(c hanClause) bool {
	last := r.frames[len(r.frames)-1]
	if last.to != nil || last.by != nil || last.change == abolish || c.joins != noRole {
		return false
	}
	return slices.ContainsFunc(r.tokens[c.from:c.effect], func(t hanToken) bool {
		return t.names() && slices.Equal(t.word.levers, last.levers)
	})
}

// leverGroups are the levers of a stretch, those of a list together: 采购、公职、失业救济.
func (r *hanReader) leverGroups(from, to int) (groups [][]int) {
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		if t.taken || !t.names() || t.word.weak && r.strong {
			continue
		}
		if n := len(groups); n > 0 {
			last := groups[n-1][len(groups[n-1])-1]
			listed := !slices.ContainsFunc(r.tokens[last+1:i], func(o hanToken) bool {
				return !(o.text == "、" || o.is(andRole) || o.text == "的" || o.part)
			}) && slices.ContainsFunc(r.tokens[last+1:i], func(o hanToken) bool { return o.text == "、" || o.is(andRole) })
			if listed && t.word.change == noChange && r.tokens[last].word.change == noChange && !r.compares {
				groups[n-1] = append(groups[n-1], i)
				continue
			}
			if was := r.tokens[last].word; slices.Equal(was.levers, t.word.levers) && (was.change == noChange || was.inverse) { // named twice
				if was.inverse && !t.word.inverse { // 反垄断让加成率降低
					r.tokens[last].take(usedMark, "lever")
					groups[n-1][len(groups[n-1])-1] = i
					continue
				}
				t.take(usedMark, "lever")
				continue
			}
		}
		groups = append(groups, []int{i})
	}
	return groups
}

// named reads the changes of the levers that a stretch names.
func (r *hanReader) named(n, from, to int, groups [][]int) {
	start := from
	for k, g := range groups {
		end := to
		if k+1 < len(groups) {
			end = r.parting(g[len(g)-1]+1, groups[k+1][0], start)
		}
		if k > 0 && r.compares {
			r.alts++
		}
		r.frame(n, start, end, g)
		start = end
	}
}

// closes says whether the words for a lever may end with a token.
func (t hanToken) closes() bool { return t.q != nil && !t.count || t.is(verbRole) }

// parting is where the words for one lever end and those for the next begin.
func (r *hanReader) parting(after, next, start int) int {
	for i := next - 1; i >= after; i-- {
		if t := r.tokens[i]; t.text == "把" || t.text == "将" || t.is(andRole) && t.text != "跟" {
			return i
		}
	}
	closed := slices.ContainsFunc(r.tokens[start:next], hanToken.closes)
	for i := next - 1; i >= after; i-- {
		t := r.tokens[i]
		if t.q != nil && !t.count {
			if i+1 < next && r.tokens[i+1].text == "的" {
				closed = true
				continue
			}
			break
		}
		if t.is(verbRole) && closed && slices.ContainsFunc(r.tokens[start:i], hanToken.closes) {
			return i
		}
	}
	return next
}

// continued gives a clause without a lever to what happens before it: 最后高出25%, 钱从增值税里出.
func (r *hanReader) continued(n, before int) {
	c := r.clauses[n]
	if len(r.frames) > before || before == 0 || c.effect == c.from {
		return
	}
	last := &r.frames[before-1]
	if r.clauses[last.clause].sentence != c.sentence && r.clauses[last.clause].sentence+1 != c.sentence {
		return
	}
	if last.change == abolish || last.levers[0] != "benefit_months" &&
		!slices.Contains(last.levers, "pay") && !slices.Contains(last.levers, "universal_basic_income") &&
		slices.ContainsFunc(r.tokens[c.from:c.effect], func(t hanToken) bool {
			return t.is(payRole) && t.text != "打" && t.text != "给" || t.is(groupRole)
		}) &&
		!slices.ContainsFunc(r.tokens[c.from:c.effect], func(t hanToken) bool { return t.part }) {
		return // it is about something else
	}
	for i := c.from; i < c.effect; i++ { // 衣服鞋帽的涨为12%: the same lever of another industry
		t := &r.tokens[i]
		if !t.is(industryRole) || t.taken || last.industry == "" || t.word.name == last.industry || !r.numbered(c) {
			continue
		}
		other := *last
		other.industry, other.clause, other.to, other.by, other.doses, other.change = t.word.name, n, nil, nil, nil, noChange
		t.take(usedMark, "industry")
		r.frames = append(r.frames, other)
		last = &r.frames[len(r.frames)-1]
		break
	}
	instead := c.joins == insteadRole || slices.ContainsFunc(r.tokens[c.from:c.effect], func(t hanToken) bool { return t.is(insteadRole) })
	for i := c.from; i < c.effect; i++ {
		t := &r.tokens[i]
		if t.q == nil || t.taken || t.count || r.ladder(i, last.levers[0]) {
			continue
		}
		from := instead || r.roleOf(i, c.from, last.change) == "from"
		if other := r.another(n, i, last); !from && other != nil {
			r.frames = append(r.frames, *other)
			last = &r.frames[len(r.frames)-1]
			t.take(usedMark, "value")
			continue
		}
		if l, _ := leverOf(last.levers[0]); t.q.unit == months && !r.entitles(last, i, c.from) && !(from && l.unit == spanUnit) { // 而不是12个月
			continue
		}
		q := *t.q
		switch {
		case from:
			if last.from == nil {
				last.from = &q
			}
			t.take(usedMark, "value")
		case last.to != nil && last.from == nil && last.change == settle && last.clause == n-1 && (r.marked(i, c.from) ||
			t.q.unit == months): // 现在是85%，改到六成
			last.from, last.to = last.to, &q
			t.take(usedMark, "value")
		case last.to == nil && last.by == nil && last.doses == nil:
			ch := r.changeOf(c.from, c.effect, []int{i})
			if ch != noChange && ch != settle && (last.change == noChange || last.change == introduce || last.change == move) {
				last.change = ch
			}
			if r.roleOf(i, c.from, last.change) == "by" || last.change == raise || last.change == lower {
				last.by = &q
				if r.marked(i, c.from) {
					last.by, last.to = nil, &q
				}
			} else {
				last.to = &q
			}
			if last.to != nil && (last.change == noChange || last.change == introduce) {
				last.change = settle
			}
			t.take(usedMark, "value")
			last.span = spanOver(last.span, t.span)
		}
	}
	if instead && len(r.frames) == before && r.alts > last.alt {
		r.alts = last.alt
	}
}

// another is a change of the same lever that a clause adds: one more alternative (跟设为三分之二比), or what comes later
// (明年再提两个点); nil = none.
func (r *hanReader) another(n, i int, last *hanFrame) *hanFrame {
	c := r.clauses[n]
	q := *r.tokens[i].q
	if !last.sized() || len(last.doses) > 0 || last.clause == n && r.tokens[i].q.unit == months || q.unit == months && last.to == nil {
		return nil
	}
	next := *last
	next.clause, next.from, next.to, next.by = n, nil, nil, nil
	to := r.marked(i, c.from)
	if to {
		if q.of == ofNothing && last.to != nil && isShare(&q) {
			q.of = last.to.of
		}
		next.to = &q
	} else {
		next.by = &q
	}
	change := r.changeOf(c.from, c.effect, []int{i})
	switch {
	case r.compares && to && (c.joins == orRole || slices.ContainsFunc(r.tokens[c.from:i], func(t hanToken) bool {
		return slices.Contains([]string{"跟", "和", "与", "比"}, t.text)
	})):
		r.alts = last.alt + 1
		next.alt = r.alts
		if change != noChange {
			next.change = change
		}
		return &next
	case !r.compares && c.joins == noRole && (change == raise || change == lower || to && change == settle) && r.later(c):
		next.begin, next.last, next.ramp, next.change = 0, 0, 0, change
		return &next
	}
	return nil
}

// later says whether a clause says that it comes after what was told before it.
func (r *hanReader) later(c hanClause) bool {
	return slices.ContainsFunc(r.tokens[c.from:c.effect], func(t hanToken) bool {
		return t.is(dateRole) && t.word.month > 1 || t.month > 1 || t.is(afterRole)
	}) && !slices.ContainsFunc(r.tokens[c.from:c.effect], func(t hanToken) bool { return t.is(backRole) })
}

// entitles says whether a time is a new one for the time of a benefit: 最多领一年，改成领两年.
func (r *hanReader) entitles(last *hanFrame, i, from int) bool {
	return last.levers != nil && last.levers[0] == "benefit_months" && slices.ContainsFunc(r.tokens[from:i], func(t hanToken) bool {
		return t.is(toRole) || t.is(verbRole) && (t.word.change == settle || t.word.change == raise || t.word.change == lower)
	})
}

// numbered says whether a clause holds a share that nothing took.
func (r *hanReader) numbered(c hanClause) bool {
	return slices.ContainsFunc(r.tokens[c.from:c.effect], func(t hanToken) bool { return !t.taken && isShare(t.q) })
}

// shareSizes gives a size that stands alone to the alternatives that have none: 同样是降三个百分点，降增值税还是降所得税.
func (r *hanReader) shareSizes() {
	if r.alts == 0 {
		return
	}
	for n, c := range r.clauses {
		same := slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool {
			return t.is(whichRole) || slices.Contains([]string{"同样", "一样", "都", "同", "同样是", "各", "各自", "均", "分别"}, t.text)
		})
		if !same || slices.ContainsFunc(r.frames, func(f hanFrame) bool { return f.clause == n }) {
			continue
		}
		for i := c.from; i < c.to; i++ {
			t := &r.tokens[i]
			if t.q == nil || t.taken || t.count || t.q.unit == months {
				continue
			}
			change := r.changeOf(c.from, c.to, []int{i})
			given := false
			for k := range r.frames {
				f := &r.frames[k]
				if f.sized() || len(f.doses) > 0 || f.change == abolish || f.change == noChange && change == noChange {
					continue
				}
				if f.change == noChange || f.change == move {
					f.change = change
				}
				q := *t.q
				if f.change == raise || f.change == lower {
					f.by = &q
				} else {
					f.to = &q
				}
				given = true
			}
			if given {
				t.take(usedMark, "value")
			}
			break
		}
	}
}
