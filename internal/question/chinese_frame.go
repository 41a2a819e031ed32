package question

import (
	"slices"
	"strings"
)

// frame reads the change of the levers of a group from the words around them.
func (r *hanReader) frame(n, from, to int, group []int) {
	first := &r.tokens[group[0]]
	h := happening{span: first.span}
	h.change = r.changeOf(from, to, group)
	if slices.Contains(first.word.levers, "unemployment_benefit_rate") && slices.ContainsFunc(r.tokens[from:to], func(t hanToken) bool {
		return strings.HasPrefix(t.text, "延长") || strings.HasPrefix(t.text, "缩短") || strings.HasPrefix(t.text, "拉长")
	}) {
		first.word.levers = []string{"benefit_months"} // 失业金延长到两年
	}
	if slices.Contains(first.word.levers, "unemployment_benefit_rate") && r.drawnFor(from, to) {
		first.word.levers = []string{"benefit_months"} // 失业金现在领一年
	}
	lists := map[string][]quantity{}
	explicit := false // a word says that a number is where the change ends
	l, _ := leverOf(first.word.levers[0])
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		if t.q == nil || t.taken || t.month > 0 {
			continue
		}
		q := *t.q
		if t.count && l.unit != numberUnit || r.ladder(i, first.word.levers[0]) {
			continue
		}
		if q.unit == months {
			if !r.valueInMonths(i, l, from, to) {
				continue
			}
			if l.unit == yearsUnit {
				q.unit, q.x = people, q.x/12
			}
		}
		if q.unit == people && l.unit != yearsUnit {
			continue
		}
		for k := from; k < to; k++ {
			if r.tokens[k].is(yearlyRole) && !r.tokens[k].taken && !r.stepwise(k) {
				q.per = 12
			} else if r.tokens[k].is(monthlyRole) && q.per == 0 {
				q.per = 1
			}
		}
		if k := i - 1; q.unit == fraction && k >= from && hanLevelBases()[r.tokens[k].text] {
			q.unit = percent // 全额的四成: no part of what it is now
		}
		role := r.roleOf(i, from, h.change)
		if k := i - 1; role == "to" && k >= from && q.unit == fraction && r.tokens[k].is(fromRole) && strings.HasSuffix(r.tokens[k].text, "的") {
			q.unit = factor // 原来的八成
		}
		if q.unit == factor && role == "by" && h.change == raise {
			q.x++ // 提高两倍: to three times
		}
		explicit = explicit || role == "to" && r.marked(i, from)
		if role == "by" && q.unit == percent && q.of == ofNothing && r.onTop(i) {
			q.unit = points
		}
		if (len(lists["to"]) > 0 || len(lists["by"]) > 0) && r.joined(i) {
			role = "more"
		}
		if role != "from" && role != "more" && (len(lists["to"]) > 0 || len(lists["by"]) > 0) {
			continue // a second number: left over
		}
		if role == "from" && len(lists["from"]) > 0 {
			continue
		}
		t.take(usedMark, "value")
		h.span = spanOver(h.span, t.span)
		if role == "more" {
			last := "to"
			if len(lists["by"]) > 0 {
				last = "by"
			}
			lists[last] = append(lists[last], q)
			continue
		}
		if k := r.before(i); role == "from" && k >= from && r.tokens[k].text == "不是" { // 不是8%而是12%
			r.tokens[k].take(usedMark, "value")
		}
		lists[role] = append(lists[role], q)
	}
	if gap := first.gap; gap != (Span{}) { // 收入不到三成的，由国家补齐
		for i := range r.tokens {
			t := &r.tokens[i]
			if t.q == nil || t.taken || t.count || t.q.unit == months || t.span.From < gap.From || t.span.To > gap.To {
				continue
			}
			q := *t.q
			switch {
			case len(lists["to"])+len(lists["by"])+len(lists["from"]) == 0:
				lists["to"] = append(lists["to"], q)
				t.take(usedMark, "value")
				h.span = spanOver(h.span, t.span)
			case len(lists["to"]) == 1 && near(lists["to"][0].x, q.x) && lists["to"][0].unit == q.unit:
				if lists["to"][0].of == ofNothing {
					lists["to"][0].of = q.of
				}
				t.take(usedMark, "value")
			}
		}
	}
	one := func(role string) *quantity {
		if len(lists[role]) == 0 {
			return nil
		}
		return &lists[role][0]
	}
	h.from, h.to, h.by = one("from"), one("to"), one("by")
	if len(lists["to"]) > 1 {
		h.doses, h.to = lists["to"], nil
	}
	if len(lists["by"]) > 1 {
		h.doses, h.by, h.steps = lists["by"], nil, true
	}
	r.mended(&h, explicit, from, to, group)
	for i := from; i+1 < to && first.word.levers[0] == "job_retention_share"; i++ { // 缩短工时、不裁
		if t := &r.tokens[i]; t.is(notRole) && strings.HasPrefix(r.tokens[i+1].text, "裁") {
			t.take(usedMark, "lever")
			r.tokens[i+1].take(usedMark, "lever")
		}
	}
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		switch {
		case t.is(slightRole):
			h.small = h.small || !slices.Contains([]string{"一点", "一些", "点", "些", "一点儿", "有所"}, t.text) // these but soften
		case t.is(greatRole), t.is(verbRole) && strings.ContainsRune("大暴猛骤激飙狠锐", []rune(t.text)[0]) && t.text != "大改":
			h.large = true
		case t.is(industryRole) && !t.taken && (h.industry == "" || h.industry == t.word.name): // a second one is left over
			h.industry = t.word.name
			t.take(usedMark, "industry")
		case t.is(monthlyRole, yearlyRole) && h.by != nil && h.by.of == ofNothing &&
			!slices.Contains([]leverUnit{yearlyUnit, monthlyUnit, moneyUnit, meanUnit, medianUnit}, l.unit):
			t.take(timeMark, "time") // 每年提高2%, again and again
		case t.is(monthlyRole, yearlyRole, onceRole):
			t.take(usedMark, "time")
		case t.is(groupRole) && !t.taken && (t.word.name == "all" || r.natural(first.word.levers, t.word.name)):
			t.take(usedMark, "group")
		}
	}
	for _, i := range group {
		t := &r.tokens[i]
		one := h
		one.levers = r.byAge(from, to, t.word.levers)
		one.span = spanOver(h.span, t.span)
		if t.word.inverse {
			one.change = opposite(h.change)
		}
		r.spent(&one)
		if one.levers[0] == "pay" && t.word.name != "" {
			one.group = t.word.name
		}
		t.take(usedMark, one.levers[0])
		r.frames = append(r.frames, hanFrame{happening: one, clause: n, alt: r.alts})
	}
}

// ladder takes the four mean wages above which the progressive tax acts by itself.
func (r *hanReader) ladder(i int, id string) bool {
	t := &r.tokens[i]
	if id != "progressive_tax" || t.q.unit != factor || t.q.x != 4 {
		return false
	}
	t.take(usedMark, "as the package is")
	return true
}

// drawnFor says whether tokens say for how long something is drawn, and not how much of it: 领一年.
func (r *hanReader) drawnFor(from, to int) bool {
	drawn := false
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		if isShare(t.q) || t.q != nil && t.q.unit == money {
			return false
		}
		k := r.before(i)
		drawn = drawn || t.q != nil && t.q.unit == months && k >= from && slices.Contains([]string{"领", "能领", "可领",
			"只领", "多领"}, r.tokens[k].text)
	}
	return drawn
}

// mended settles what depends on the lever: how a number counts, what tightening means.
func (r *hanReader) mended(h *happening, explicit bool, from, to int, group []int) {
	id := r.tokens[group[0]].word.levers[0]
	sized := h.to != nil || h.by != nil || len(h.doses) > 0
	says := func(words ...string) bool {
		return slices.ContainsFunc(r.tokens[from:to], func(t hanToken) bool { return slices.Contains(words, t.text) })
	}
	switch {
	case h.change == move && says("收紧", "从严", "趋严", "更严", "更严格", "严格", "收严", "放宽", "放松", "松绑"):
		stricter := !says("放宽", "放松", "松绑")
		h.change = lower
		demands := []string{"capital_requirement", "countercyclical_buffer", "green_levy_rate", "robot_tax_rate", "tariff_rate"}
		if stricter == slices.Contains(demands, id) {
			h.change = raise
		}
		if h.to != nil {
			h.change = settle
		}
	case h.change == abolish && h.to != nil && !explicit: // 没了四分之一
		h.change, h.by, h.to = lower, h.to, nil
	case h.change == abolish && h.to != nil && h.to.x != 0:
		r.s.marks = append(r.s.marks, mark{h.to.span, negationMark, "change"}) // done away with, and set
	case h.change == move && h.to != nil:
		if !explicit {
			h.to, h.by = nil, h.to // 变动一成: up or down
			break
		}
		h.change = settle
	case (h.change == noChange || h.change == introduce) && h.to != nil:
		h.change = settle
	}
	clause := string(r.runes[r.tokens[from].span.From:r.tokens[to-1].span.To])
	if id == "retaliation_share" && !sized && (slices.ContainsFunc([]string{"照样", "原样", "同样", "也加", "跟着加", "照加", "一报还一报", "如数",
		"奉还", "等量", "全额"}, func(w string) bool {
		return strings.Contains(clause, w)
	}) || says("对等", "同等", "同样", "一样", "相同", "以牙还牙", "对等反制", "对等关税", "对等报复")) {
		h.to, h.change = &quantity{unit: percent, x: 1, text: "100%", span: h.span}, settle
	}
	if id == "long_term_benefit_factor" && !sized && says("一样", "一样多", "看齐", "持平", "全额", "相同", "同等", "同样多") {
		h.to, h.change = &quantity{unit: percent, x: 1, text: "100%", span: h.span}, settle
	}
	first := r.tokens[group[0]]
	if id == "central_bank_bond_share" && h.by != nil && h.change == raise && first.word.change == raise && !r.changedBy(from, to) {
		h.to, h.by, h.change = h.by, nil, settle // 印钱接走三成国债
	}
	if id == "wage_inflation_indexation" && !sized && slices.ContainsFunc([]string{"全额", "足额", "完全", "百分之百", "涨多少"}, func(w string) bool {
		return strings.Contains(clause, w)
	}) && h.change != abolish {
		h.to, h.change = &quantity{unit: percent, x: 1, text: "100%", span: h.span}, settle
	}
	q := h.to
	if l, _ := leverOf(id); l.unit == rateUnit && q != nil && q.unit == plain && q.x > 0 && q.x < 1 {
		r.s.marks = append(r.s.marks, mark{q.span, numberMark, "number"}) // 利率调到0.5: percent, or a half
	}
	if h.from != nil && q != nil && q.of == ofNothing && h.from.of != ofNothing && isShare(q) {
		q.of = h.from.of // 从平均工资的三成提到四成
	}
	if id == "unemployment_benefit_rate" && h.by != nil && h.by.unit == percent && h.by.of == ofNothing && !strings.Contains(first.text, "率") {
		r.s.marks = append(r.s.marks, mark{h.by.span, numberMark, "number"}) // 失业金提高10%: of itself, or of the wage
	}
	if id == "ai_adoption_rate" && q != nil && q.per == 0 && !strings.ContainsAny(first.text, "率速度") {
		r.stop(group[0], policyMark, "lever") // 只用在一成的企业: of all firms, or of those that begin each month
	}
	if id == "fixed_exchange_rate" && first.word.change == noChange && (h.change == raise || h.change == lower) {
		h.change = move // a rate that rises may be a currency that falls
	}
	switch {
	case id == "fixed_exchange_rate" && q != nil && q.unit == plain: // 升值到6.5: no rate that there is here
		r.s.marks = append(r.s.marks, mark{q.span, numberMark, "number"})
	case strings.HasSuffix(id, "_spread") && !strings.ContainsAny(first.text, "差比") && sized && (h.by == nil || h.by.unit != points):
		r.stop(group[0], policyMark, "lever") // a rate of interest is more than its spread
	}
	fixed := map[string]string{"policy_rate_fixed": "fixed_policy_rate", "exchange_rate_peg": "fixed_exchange_rate"}
	if other := fixed[id]; other != "" && sized {
		r.tokens[group[0]].word.levers = []string{other}
	}
}

// spent turns a change of public spending into what there is for it: a cut of all of it is austerity,
// more of it is purchases, as is what is said in percent of GDP. What rests on a choice stops.
func (r *hanReader) spent(h *happening) {
	if h.levers[0] != "austerity" || len(h.levers) > 1 {
		return
	}
	q := h.by
	if q == nil {
		q = h.to
	}
	ofAll := q != nil && (q.of == ofGDP || q.unit == points)
	switch {
	case h.change == lower || h.change == halve || h.change == abolish && ofAll: // of austerity: more is spent
		if h.by == nil || !ofAll {
			r.s.marks = append(r.s.marks, mark{h.span, policyMark, "spending"})
		}
		h.levers, h.change = []string{"inherent_market_consumption_rate"}, raise
	case h.to != nil && h.change != settle || ofAll:
		r.s.marks = append(r.s.marks, mark{h.span, policyMark, "spending"})
		h.levers, h.change = []string{"inherent_market_consumption_rate"}, lower
	}
}

func opposite(c change) change {
	switch c {
	case raise:
		return lower
	case lower, abolish:
		return raise
	case double:
		return halve
	case halve:
		return double
	}
	return c
}

// natural says whether a group says no more of a lever than the lever does.
func (r *hanReader) natural(levers []string, group string) bool {
	return slices.ContainsFunc(levers, func(id string) bool {
		return slices.Contains(map[string][]string{
			"unemployment_benefit_rate": {"unemployed"}, "benefit_months": {"unemployed"}, "long_term_benefit_factor": {"unemployed"},
			"pension_replacement_rate": {"retired"}, "retirement_age_shift": {"retired"}, "pension_contribution_rate": {"retired", "young"},
			"minimum_income": {"bottom"}, "redistribution_poor": {"bottom"},
			"progressive_tax": {"top"}, "minimum_wage": {"low_paid", "low_skill"},
			"wage_subsidy_rate": {"low_paid", "low_skill", "bottom"}, "retraining_rate": {"unemployed", "low_skill"}, "bail_in": {"banks"},
			"bailout": {"banks"}, "credit_supply_factor": {"banks"}, "capital_requirement": {"banks"}, "loan_spread": {"banks"},
			"num_banks": {"banks"}, "countercyclical_buffer": {"banks"}, "job_guarantee": {"unemployed"}, "max_leverage": {"banks"},
			"participation_rate_young": {"young", "prime", "older"}, "participation_rate_prime": {"prime", "women"},
			"participation_rate_older": {"older", "retired"}, "job_search_intensity": {"unemployed"}, "reservation_wage_ratio": {"unemployed"},
			"migration_rate": {"young", "high_skill"}, "deposit_insurance": {"banks"}, "amortisation_rate": {"banks"},
			"redistribution_unemployed": {"unemployed"}, "tax_allowance": {"low_paid", "bottom"}, "deposit_spread": {"banks"},
		}[id], group)
	})
}

// byAge narrows participation to that of an age.
func (r *hanReader) byAge(from, to int, levers []string) []string {
	if len(levers) < 2 || levers[0] != "participation_rate_young" {
		return levers
	}
	for _, t := range r.tokens[from:to] {
		switch {
		case !t.is(groupRole):
		case t.word.name == "young":
			return levers[:1]
		case t.word.name == "prime" || t.word.name == "women":
			return levers[1:2]
		case t.word.name == "older" || t.word.name == "retired":
			return levers[2:]
		}
	}
	return levers
}

// changeOf is what the words around levers say is done to them.
func (r *hanReader) changeOf(from, to int, group []int) change {
	own := r.tokens[group[0]].word.change
	rank := map[change]int{abolish: 6, double: 5, triple: 5, halve: 5, raise: 4, lower: 4, introduce: 2, settle: 1, move: 1}
	best := noChange
	up, down := false, false
	inGap := r.tokens[group[0]].gap
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		var c change
		switch {
		case t.taken, slices.Contains(group, i), t.text == "下来" && own == introduce: // 固定下来
			continue
		case t.is(verbRole):
			c = t.word.change
		case t.text == "再" && (r.changedBy(i+1, to) || r.tokens[i+1].names()): // 再把个税降到18%: then
			continue
		case t.is(moreRole):
			if k := r.after(i); k >= 0 && (r.tokens[k].q != nil || r.tokens[k].is(payRole, verbRole) || k < to && !r.tokens[k].is(stopRole)) {
				c = raise
			}
		case t.is(lessRole):
			c = lower
		case t.is(payRole) && strings.HasPrefix(t.text, "多"):
			c = raise
		case t.is(payRole):
			c = introduce
		default:
			continue
		}
		if c == abolish && own == abolish {
			t.take(usedMark, "change")
			continue
		}
		if own != noChange && rank[c] <= rank[introduce] || c == noChange {
			t.take(usedMark, "change")
			continue
		}
		if inGap != (Span{}) && t.span.From > inGap.From && t.span.To < inGap.To && own != noChange {
			t.take(usedMark, "change")
			continue
		}
		switch c {
		case raise, double, triple:
			up = true
		case lower, halve, abolish:
			down = true
		}
		if up && down && own == noChange && (rank[c] >= 4 || rank[best] >= 4) && t.is(verbRole) && best != noChange {
			if rank[best] != rank[c] || best == c {
				t.take(usedMark, "change")
			} else {
				t.take(strayMark, "change")
			}
		} else {
			t.take(usedMark, "change")
		}
		if rank[c] > rank[best] {
			best = c
		}
	}
	switch {
	case own == noChange:
		return best
	case own == abolish && (best == raise || best == double), own == introduce && rank[best] > rank[introduce]:
		return best
	case best == lower && own == raise && slices.Contains(r.tokens[group[0]].word.levers, "disaster"): // 震掉两成的资本
	case best == lower && own == raise, best == abolish && (own == raise || own == lower):
		r.tokens[group[0]].take(negationMark, "negation")
	}
	return own
}

// changedBy says whether tokens have a verb of change of their own.
func (r *hanReader) changedBy(from, to int) bool {
	return slices.ContainsFunc(r.tokens[from:to], func(t hanToken) bool {
		return t.is(verbRole) && t.word.change != noChange && t.word.change != introduce
	})
}

// roleOf says what a number is to a change: its start, its end, or its size.
func (r *hanReader) roleOf(i, from int, c change) string {
	k := r.before(i)
	for k >= from && r.tokens[k].word.of != ofNothing { // 提高到GDP的5%
		k = r.before(k)
	}
	if n := i + 1; n < len(r.tokens) && (r.tokens[n].text == "→" || r.tokens[n].text == "->") { // 8%→12%
		return "from"
	}
	paid := false
	for step := 0; k >= from && step < 4; step++ {
		t := r.tokens[k]
		paid = paid || t.is(payRole)
		switch {
		case t.text == "由" && paid, t.is(fromRole) && strings.HasSuffix(t.text, "的") && r.marked(k, from): // 由财政报销两成, 降到原来的八成
			return "to"
		case t.is(fromRole):
			return "from"
		case t.text == "而是", t.text == "改成":
			return "to"
		case t.is(insteadRole), t.is(notRole):
			return "from"
		case t.gap != (Span{}) && strings.ContainsAny(t.text, "成为到至"): // 合并成两家
			return "to"
		case t.text == "每" || t.text == "只", t.part, t.as == "measure":
		case t.is(toRole), t.is(verbRole) && t.word.change == settle:
			return "to"
		case t.is(payRole) && strings.HasPrefix(t.text, "多"): // 多领半年
			return "by"
		case t.is(verbRole) && (t.word.change == raise || t.word.change == lower), t.is(moreRole, lessRole):
			if t.reaches() {
				return "to"
			}
			return "by"
		case t.is(groupRole, monthlyRole, yearlyRole, slightRole, greatRole, payRole, lastingRole, aboveRole, belowRole):
		default:
			step = 4
		}
		k = r.before(k)
	}
	if c == raise || c == lower {
		if n := i + 1; n < len(r.tokens) && r.tokens[n].text == "的" {
			if k := r.after(n); k >= 0 && r.tokens[k].names() && r.tokens[k].word.change == noChange {
				return "to"
			}
		}
		return "by"
	}
	return "to"
}

// marked says whether a word before a number says that it is where a change ends: 到, 定为.
func (r *hanReader) marked(i, from int) bool {
	k := r.before(i)
	for k >= from && r.tokens[k].word.of != ofNothing {
		k = r.before(k)
	}
	return k >= from && (r.tokens[k].is(toRole) || r.tokens[k].is(verbRole) && (r.tokens[k].word.change == settle || r.tokens[k].reaches()))
}

// reaches says whether a verb says that its number is where the change ends: 上调至.
func (t *hanToken) reaches() bool {
	return t.is(verbRole) && len([]rune(t.text)) > 1 && strings.ContainsAny(t.text[len(t.text)-len("至"):], "至到为")
}

// joined says whether a number is one of a list: 2%、5%或者8%.
func (r *hanReader) joined(i int) bool {
	listed := r.compares
	for k := i - 1; k >= 0; k-- {
		t := r.tokens[k]
		switch {
		case t.text == "、", t.is(orRole, andRole), t.text == ",":
			listed = true
			continue
		case t.is(toRole), t.skips(), t.is(verbRole) && listed, t.names() && listed:
			continue
		}
		return t.q != nil && t.kind == usedMark && t.as == "value"
	}
	return false
}

// onTop says whether a number is a levy that comes on top: 加征25%的关税.
func (r *hanReader) onTop(i int) bool {
	t := &r.tokens[i]
	before, after := string(r.runes[max(0, t.span.From-4):t.span.From]), string(r.runes[t.span.To:min(len(r.runes), t.span.To+6)])
	return (strings.Contains(before, "加") || strings.Contains(before, "多征") || strings.Contains(before, "多收") ||
		strings.Contains(before, "额外")) &&
		strings.HasPrefix(after, "的") && strings.ContainsAny(after, "税费缓")
}

// stepwise says whether 逐年 says how a change comes about: 用四年逐年加到8%.
func (r *hanReader) stepwise(i int) bool {
	k := r.after(i)
	for k >= 0 && r.tokens[k].is(verbRole) && !r.tokens[k].reaches() {
		k = r.after(k)
	}
	return r.tokens[i].text == "逐年" && k >= 0 && (r.tokens[k].is(toRole) || r.tokens[k].reaches())
}

// valueInMonths says whether a time is the value of the lever: 失业金领六个月.
func (r *hanReader) valueInMonths(i int, l lever, from, to int) bool {
	if l.unit == wagesUnit { // 12个月平均工资
		return i+1 < to && strings.HasPrefix(r.tokens[i+1].text, "平均工资") || i+2 < to && strings.HasPrefix(r.tokens[i+2].text, "平均工资")
	}
	if l.unit != spanUnit && l.unit != yearsUnit {
		return false
	}
	if k := i + 1; k < to && (r.tokens[k].is(afterRole, withinRole)) {
		return false
	}
	if k := r.before(i); k >= from && (r.tokens[k].is(overRole) || slices.Contains([]string{"为期", "持续", "连续", "历时"}, r.tokens[k].text)) {
		return false
	}
	return true
}
