package question

import (
	"slices"
	"strings"
)

// kept reads what stays as it is: 税率一概不动, 在不加税的前提下, 其他照旧.
func (r *hanReader) kept(c hanClause, groups [][]int) bool {
	held, not := -1, -1
	for i := c.from; i < c.to; i++ {
		t := &r.tokens[i]
		if t.is(heldRole) && held < 0 && !t.taken {
			held = i
		}
		if t.is(notRole) && i+1 < c.to && not < 0 {
			next := r.after(i)
			if next >= 0 && slices.Contains([]change{raise, lower, move}, r.tokens[next].word.change) && (r.tokens[next].names() ||
				r.tokens[next].is(verbRole) && slices.ContainsFunc(r.tokens[c.from:c.to], func(o hanToken) bool { return o.names() })) {
				not = i
			}
		}
	}
	if held < 0 && not < 0 || not < 0 && slices.ContainsFunc(groups, func(g []int) bool { return r.tokens[g[0]].word.change == introduce }) {
		return false
	}
	if slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool { return t.q != nil && t.q.unit != months && !t.count && !t.taken }) {
		return false
	}
	if len(groups) == 0 {
		for i := c.from; i < c.to; i++ {
			t := &r.tokens[i]
			if t.names() && !t.taken {
				groups = append(groups, []int{i})
			}
		}
	}
	if held >= 0 {
		r.tokens[held].take(usedMark, "held")
		if len(groups) == 0 && !c.asks && len(r.runes) < longStory &&
			!slices.ContainsFunc(r.tokens[c.from:held], func(t hanToken) bool { return t.is(otherRole) }) &&
			slices.ContainsFunc(r.tokens[c.from:held], func(t hanToken) bool { return !t.taken && len(t.word.outcomes) > 0 || !t.known }) {
			r.stop(held, negationMark, "held") // 而物价不变: an effect is nothing that can be held
		}
	}
	if not >= 0 {
		r.tokens[not].take(usedMark, "held")
	}
	for _, g := range groups {
		for _, i := range g {
			t := &r.tokens[i]
			t.take(usedMark, "held")
			if r.alts > 0 || len(r.frames) > 0 && r.frames[len(r.frames)-1].industry != "" &&
				slices.ContainsFunc(r.tokens[c.from:i], func(t hanToken) bool { return t.is(otherRole) || t.text == "其余" }) {
				continue // of this alternative, or of the other industries
			}
			r.s.held = append(r.s.held, mention{t.word.levers, t.span})
		}
	}
	return true
}

// complains says whether a clause says how things are, not what happens: 养老钱不够.
func (r *hanReader) complains(c hanClause, groups [][]int) bool {
	state := slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool { return t.is(stateRole) })
	if !state || slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool {
		return t.q != nil && !t.count || t.is(verbRole) && t.word.change != noChange && !slices.Contains([]string{"少", "限", "定"}, t.text)
	}) {
		return false
	}
	for _, g := range groups {
		for _, i := range g {
			if r.tokens[i].word.change != noChange {
				return false
			}
		}
	}
	for i := c.from; i < c.to; i++ {
		if t := &r.tokens[i]; !t.skips() && !t.is(stopRole) {
			t.take(colourMark, "state")
		}
	}
	return true
}

// pays reads money for a group: 给每个失业者每月发200元.
func (r *hanReader) pays(n, from, to int) bool {
	group, number, verb, industry, named := -1, -1, false, -1, -1
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		if t.taken && t.word.of == ofNothing {
			continue
		}
		switch {
		case t.names() && slices.Contains(t.word.levers, "pay"):
			named = i
			if t.word.name != "" {
				group = i
			}
		case t.names() && !t.word.weak:
			return false
		case t.is(groupRole) && (group < 0 || r.tokens[group].word.name == "all" && t.word.name != "banks"):
			group = i
		case t.is(industryRole):
			industry = i
		case t.q != nil && number < 0 && (t.q.unit == money || t.q.of != ofNothing && t.q.of != ofMedian && isShare(t.q)):
			number = i
		case t.q != nil && number < 0 && verb && t.q.unit == plain && t.q.x >= 10: // 发500, without 元
			number = i
		case t.is(payRole):
			verb = true
		case t.is(moreRole):
			verb = true
		}
	}
	if number < 0 && group >= 0 && industry < 0 && named < 0 {
		number = r.pool(n)
		verb = verb || number >= 0 && slices.ContainsFunc(r.tokens[from:to], func(t hanToken) bool {
			return slices.Contains([]string{"偏", "偏向", "倾斜", "集中", "优先", "照顾", "专门"}, t.text)
		})
		if number < 0 && verb {
			number = r.standard(n)
		}
	}
	if named < 0 && (number < 0 || !verb || group < 0 && industry < 0) {
		return false
	}
	h := happening{levers: []string{"pay"}, change: introduce, group: "all"}
	f := hanFrame{clause: n, alt: r.alts}
	monthly, once := false, named >= 0 && group != named
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		monthly = monthly || t.is(monthlyRole)
		once = once && !t.is(monthlyRole, yearlyRole) || t.is(onceRole)
		if t.is(monthlyRole, yearlyRole, onceRole, payRole, moreRole) || i == named {
			t.take(usedMark, "payment")
			h.span = spanOver(h.span, t.span)
		}
	}
	if number >= 0 {
		q := *r.tokens[number].q
		if q.unit == plain {
			q.unit = money
		}
		for i := from; i < to; i++ {
			if r.tokens[i].is(yearlyRole) {
				q.per = 12
			}
		}
		h.to = &q
		as := "amount"
		if number < from {
			as = "pool"
		}
		r.tokens[number].take(usedMark, as)
		h.span = spanOver(h.span, q.span)
	}
	if group >= 0 {
		t := &r.tokens[group]
		h.group = t.word.name
		if share := r.groupShare(group); share > 0 {
			r.tokens[r.after(group)].take(usedMark, "group")
			if h.group == "bottom" && !near(share, .1) {
				t.take(groupMark, "group")
			}
		}
		h.group = map[string]string{"bottom": "bottom_decile"}[h.group]
		if h.group == "" {
			h.group = t.word.name
		}
		t.take(usedMark, "group")
		h.span = spanOver(h.span, t.span)
		for i := from; i < to; i++ {
			if r.tokens[i].is(groupRole) && r.tokens[i].word.name == "all" {
				r.tokens[i].take(usedMark, "group")
			}
		}
	}
	if industry >= 0 {
		t := &r.tokens[industry]
		h.industry = t.word.name
		t.take(usedMark, "industry")
	}
	shared := map[string]string{
		"all": "redistribution_equal", "bottom_decile": "redistribution_poor", "unemployed": "redistribution_unemployed",
	}[h.group]
	switch {
	case h.to != nil && h.to.of == ofGDP:
		h.levers, h.change = []string{shared}, settle
		if shared == "" || h.industry != "" {
			return false
		}
		h.group, h.pays = "", r.payer
	case h.group == "all" && h.industry == "" && named < 0 && !once && (monthly || h.to != nil && h.to.of == ofMean):
		h.levers = []string{"universal_basic_income"}
		h.group = ""
	case h.group == "all" && h.industry == "" && named < 0 && !once:
		h.levers = []string{"universal_basic_income", "pay"}
	}
	if group >= 0 && h.levers[0] != "universal_basic_income" && adults["zh"].MatchString(r.tokens[group].text) {
		r.stop(group, groupMark, "adults") // a payment goes to households
	}
	f.happening = h
	if once && h.last == 0 {
		f.last = 1
	}
	r.frames = append(r.frames, f)
	return true
}

// standard is the amount that the next clause names: 给每户发一笔钱，标准是平均工资的5%; -1 = none.
func (r *hanReader) standard(n int) int {
	if n+1 == len(r.clauses) || r.clauses[n+1].sentence != r.clauses[n].sentence ||
		!slices.Contains([]string{"标准", "金额", "数额", "额度", "水平", "每户", "每人", "数目"}, r.tokens[r.clauses[n+1].from].text) {
		return -1
	}
	for i := r.clauses[n+1].from; i < r.clauses[n+1].to; i++ {
		if t := r.tokens[i]; t.q != nil && !t.taken && (t.q.unit == money || t.q.of == ofMean && isShare(t.q)) {
			return i
		}
	}
	return -1
}

// pool is a share of GDP that was told without what is done with it, for what a clause does: 拿出GDP的2%，…; -1 = none.
func (r *hanReader) pool(n int) int {
	for i := r.clauses[n].from - 1; i >= 0; i-- {
		t := &r.tokens[i]
		if t.q != nil && t.q.of == ofGDP && (!t.taken || t.as == "pool") && !r.clauses[r.clauseOf(i)].asks &&
			r.clauses[r.clauseOf(i)].sentence >= r.clauses[n].sentence-1 {
			return i
		}
	}
	return -1
}

func (r *hanReader) clauseOf(i int) int {
	return slices.IndexFunc(r.clauses, func(c hanClause) bool { return c.from <= i && i < c.to })
}

// pooled gives a pool to those who share it.
func (r *hanReader) pooled(n, before int) {
	for k := before; k < len(r.frames); k++ {
		f := &r.frames[k]
		i := -1
		if strings.HasPrefix(f.levers[0], "redistribution_") && !f.sized() {
			i = r.pool(n)
		}
		if i < 0 {
			continue
		}
		q := *r.tokens[i].q
		f.to, f.change, f.pays = &q, settle, r.payer
		r.tokens[i].take(usedMark, "pool")
	}
}

// industry reads 文化娱乐消费少了三成: demand for an industry, which has no lever's word.
func (r *hanReader) industry(n, from, to int) {
	at, change, number := -1, noChange, -1
	begin := from
	if n > 0 && r.clauses[n-1].sentence == r.clauses[n].sentence && !r.clauses[n-1].asks && !r.hasFrame(n-1) &&
		!slices.ContainsFunc(r.tokens[from:to], func(t hanToken) bool { return t.is(industryRole) }) {
		begin = r.clauses[n-1].from // 饭馆生意清淡，吃住的花销少了四成
	}
	for i := begin; i < to; i++ {
		t := &r.tokens[i]
		switch {
		case t.taken:
		case t.is(industryRole) && at < 0:
			at = i
		case i < from:
		case t.is(verbRole) && (change == noChange || change == introduce || change == move):
			change = t.word.change
		case t.is(moreRole) && change == noChange:
			change = raise
		case t.is(lessRole) && change == noChange:
			change = lower
		case t.q != nil && isShare(t.q) && number < 0:
			number = i
		}
	}
	multiplied := change == halve || change == double
	if at < 0 || number < 0 && !multiplied || !multiplied && change != raise && change != lower {
		return
	}
	demand := slices.ContainsFunc(r.tokens[from:to], func(t hanToken) bool {
		return slices.Contains([]string{"消费", "需求", "花钱", "买东西", "客流", "生意", "订单", "开销", "花销", "支出", "花费", "花的", "销量", "营业额", "买卖"}, t.text)
	}) || slices.ContainsFunc([]string{"消费", "生意"}, func(w string) bool {
		return len(r.tokens[at].text) > len(w) && r.tokens[at].text[len(r.tokens[at].text)-len(w):] == w
	})
	if !demand {
		return
	}
	h := happening{levers: []string{"industry_demand"}, change: change, industry: r.tokens[at].word.name}
	if number >= 0 {
		q := *r.tokens[number].q
		h.by = &q
		if k := r.before(number); k >= 0 && r.tokens[k].is(toRole) {
			h.by, h.to = nil, &q
		}
	}
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		if i == at || i == number || t.is(verbRole) || len(t.word.outcomes) > 0 {
			t.take(usedMark, "industry_demand")
			h.span = spanOver(h.span, t.span)
		}
		if t.is(industryRole) && t.word.name == h.industry {
			t.take(usedMark, "industry")
		}
	}
	r.frames = append(r.frames, hanFrame{happening: h, clause: n, alt: r.alts})
}
