package question

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// residue says whether an unknown character is what is left of a longer word; before a lever it may say
// which: 烟税.
func (r *hanReader) residue(i int) bool {
	t := &r.tokens[i]
	if t.span.To-t.span.From > 1 || t.text < "一" {
		return false
	}
	return i+1 == len(r.tokens) || !r.tokens[i+1].names() && r.tokens[i+1].q == nil && r.tokens[i+1].known
}

// weighs says whether a clause that begins with 还是 goes on about the effects: 是保住了饭碗，还是拖垮了企业.
func (r *hanReader) weighs(n int) bool {
	c := r.clauses[n]
	if n == 0 || c.joins != orRole || r.clauses[n-1].sentence != c.sentence || r.clauses[n-1].effect >= r.clauses[n-1].to {
		return false
	}
	return !slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool {
		return t.names() && !t.word.weak && len(t.word.outcomes) == 0 || t.q != nil && !t.count || t.is(payRole)
	})
}

// hanTraps are words that make something else of what they stand beside, by what they are.
var hanTraps = []struct {
	kind    markKind
	pattern *regexp.Regexp
}{
	// what nobody does or knows is not what happens
	{negationMark, regexp.MustCompile(`谁[也都](没|不(知|晓|信|在意|理|当))|没有?人(知道|执行|发现|理会|当真|相信|察觉|注意)|没有?(兑现|落实|执行|实施|通过|办成)|不知情|不受(约束|限制|管)|名存实亡|形同虚设`)},
	{policyMark, regexp.MustCompile(`的?(传言|谣言|传闻|威胁|风声|恐吓)(对|会|将|让|是)|的(可能性|预期会|预期对)|[年月]后再说|以后再说|另说|(取代|代替|替代)(所有|全部|一切|其他)(福利|补助|补贴)`)},
	{negationMark, regexp.MustCompile(`[而但可](是)?(工资|物价|消费|就业|失业率?|产出|收入|价格|利润|出口|进口|投资|贷款利率|房贷利率)(都|也)?` +
		`(不变|照旧|保持不变|维持不变|不动|不涨|不跌|原样)`)},
	{policyMark, regexp.MustCompile(`由(富人|有钱人|企业|老板|消费者|高收入者|大公司|年轻人)[^，,。？?]{0,6}(弥补|填补|补上|买单|来补)`)},
	{policyMark, regexp.MustCompile(`(报复|针对|制裁|反击|反制)(美国|德国|奥地利|中国)`)},
	// of others, or as it is with others
	{groupMark, regexp.MustCompile(`(邻国|隔壁的?国家|他国|邻居国家|(其他|别的|某个|对方)国家?)(政府|央行)?(都|也|要是|如果|率先)?(把|将)`)},
	{groupMark, regexp.MustCompile(`(^|[，,。；;！!？?])(如果|要是|假如|假设)?(美国|德国|奥地利|中国)(政府|央行|国会)?(把|将|的|要|提高|降低|对).*(我国|对我们|我们|咱们)`)},
	{groupMark, regexp.MustCompile(`(像|学|向|跟|和|与)(美国|德国|奥地利|中国)(看齐|一样|持平|相同|$|[，,。？?])`)},
	{comparisonMark, regexp.MustCompile(`[到得成](和|跟|与|像)[^，,。？?]{1,10}(一样|看齐|持平|相同|一致)`)},
	// of a part alone
	{groupMark, regexp.MustCompile(`(只|仅|光)(在|限于?|适用于|针对)[^，,。？?0-9年月]{1,8}(业|行业|地区|城市|企业|公司|人|家庭|者)([，,。？?里中内]|实行|$)`)},
	{groupMark, regexp.MustCompile(`(只|仅|光|单单)(对|给|向|让)[^，,。？?]{0,3}(大|小|中小|龙头|国有|私营|外资)型?(企业|公司|厂)`)},
	{groupMark, regexp.MustCompile(`(的人|的企业|的家庭|者)(没有|没份|领不到|不能领|不算|不给)`)},
	{groupMark, regexp.MustCompile(`(只|仅)(在|限于?)(东|西|南|北|中|沿海|内地|农村|城)`)},
	{numberMark, regexp.MustCompile(`加起来|合起来|加在一起|加总`)},
	{timeMark, regexp.MustCompile(`(去年|前年|上个?月|上个?季度|几年前|早些年)[^，,。？?]{0,12}(提高|提到|降|加|减|涨|砍|取消)[^，,。？?]{0,8}了?`)},
}

// traps stops at words that make something else of what happens.
func (r *hanReader) traps() {
	if len(r.frames) == 0 || len(r.runes) >= longStory {
		return
	}
	text := string(r.runes)
	for _, trap := range hanTraps {
		at := trap.pattern.FindStringIndex(text)
		if at == nil {
			continue
		}
		span := Span{utf8.RuneCountInString(text[:at[0]]), utf8.RuneCountInString(text[:at[1]])}
		if trap.kind != groupMark || !slices.ContainsFunc(r.frames, func(f hanFrame) bool { // 别国还手
			return strings.HasPrefix(f.levers[0], "world_") || f.levers[0] == "retaliation_share" || f.levers[0] == "long_term_benefit_factor"
		}) {
			r.s.marks = append(r.s.marks, mark{span, trap.kind, "trap"})
		}
	}
	for n, c := range r.clauses { // 走私增加一倍, 电厂免征: of what nothing reads
		if c.asks || r.hasFrame(n) || c.effect == c.from || slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool {
			return t.kind == usedMark && t.as != "" || t.is(otherRole, nothingRole, backRole, heldRole)
		}) {
			continue
		}
		for i := c.from; i < c.to; i++ {
			if t := &r.tokens[i]; i > c.from && t.is(verbRole) && (t.multiplies() || t.word.change == abolish &&
				strings.ContainsAny(t.text, "免取废撤")) {
				r.stop(i, policyMark, "change")
			}
		}
	}
	for n, c := range r.clauses { // 但商家不降价
		if c.asks || r.hasFrame(n) || !slices.Contains([]string{"但", "但是", "可是", "不过", "然而", "可", "而", "却"}, r.tokens[c.from].text) {
			continue
		}
		for i := c.from; i < c.to; i++ {
			if t := r.tokens[i]; t.is(notRole) && t.kind != usedMark {
				r.stop(i, negationMark, "but not")
			}
		}
	}
}

// doubts stops what the clauses say and no frame holds: a limit on what rises, an alternative that goes
// on from the one before it, a supposition beside a place.
func (r *hanReader) doubts() {
	r.traps()
	for n, c := range r.clauses {
		if len(r.frames) > 0 && !r.hasFrame(n) && !c.asks { // 但收入低的人不受影响
			held := slices.IndexFunc(r.tokens[c.from:c.to], func(t hanToken) bool {
				return slices.Contains([]string{"不受影响", "不在内", "不在此列", "不算在内", "不适用"}, t.text)
			})
			if held >= 0 && slices.ContainsFunc(r.tokens[c.from:c.from+held], func(t hanToken) bool {
				return t.is(groupRole) ||
					t.text == "人" || t.text == "者"
			}) {
				r.stop(c.from+held, negationMark, "exempt")
			}
		}
		first := r.tokens[c.from].text == "要么" && r.alts > 0 // of two that both begin with it
		if c.joins == orRole && !first && r.hasFrame(n) && !slices.ContainsFunc(r.clauses[:n], func(o hanClause) bool {
			return o.sentence == c.sentence && slices.ContainsFunc(r.tokens[o.from:o.to], func(t hanToken) bool {
				return t.kind == usedMark && len(t.word.levers) > 0 || t.as == "payment" || t.as == "industry_demand" || t.is(nothingRole)
			})
		}) {
			r.stop(c.from, comparisonMark, "alternative") // what it is an alternative to was not read
		}
		for i := c.from; i+1 < c.to; i++ {
			t := &r.tokens[i]
			if slices.Contains([]string{"不许", "不得", "不准", "不能", "不可"}, string(r.runes[t.span.From:min(len(r.runes), t.span.From+2)])) &&
				len(r.frames) > 0 && t.kind != usedMark && !r.bounds(n) && limits(string(r.runes[t.span.From:min(len(r.runes),
				t.span.From+9)])) {
				r.stop(i, negationMark, "limit")
				break
			}
			if r.alts > 0 && r.hasFrame(n) && t.text == "的同时" && r.tokens[i].kind != usedMark {
				r.stop(i, comparisonMark, "both")
			}
		}
		if len(r.frames) == 0 && len(r.places) > 0 && len(r.s.arms) > 0 && r.tokens[c.from].is(ifRole) && !c.asks &&
			!slices.ContainsFunc(r.places, func(p hanPlace) bool { return p.clause == n }) {
			r.stop(c.from, policyMark, "supposition")
		}
	}
}

// restricts says whether a word of everyday language says which people or things a lever is for: 对奢侈品,
// 加班的最低工资, 国有单位职工.
func (r *hanReader) restricts(i int, c hanClause) bool {
	t := &r.tokens[i]
	if t.known && !t.word.general && !slices.Contains([]string{"国有", "新", "城市", "旅游", "加班", "出口", "进口", "新能源"}, t.text) {
		return false
	}
	lever := func(o hanToken) bool { return len(o.word.levers) > 0 && o.kind == usedMark && o.taken }
	k := i + 1
	for k < min(c.to, i+4) && r.tokens[k].span.To-r.tokens[k].span.From == 1 && r.tokens[k].text != "的" && r.tokens[k].text != "把" &&
		(!r.tokens[k].known || r.tokens[k].is(fillerRole)) {
		k++
	}
	if k < c.to && r.tokens[k].text == "的" && k+1 < c.to && (lever(r.tokens[k+1]) ||
		slices.Contains([]string{"人", "人们", "家庭", "企业", "公司", "者"}, r.tokens[k+1].text)) {
		return true
	}
	if k < c.to && slices.Contains([]string{"厂商", "企业", "公司", "单位", "厂家", "厂", "家庭", "职工", "员工", "者", "品", "城市", "地区"}, r.tokens[k].text) {
		return true
	}
	return i > c.from && slices.Contains([]string{"对", "对于", "给", "向"}, r.tokens[i-1].text)
}

// limits says whether words forbid more than there is: 不许比现在多.
func limits(text string) bool {
	return slices.ContainsFunc([]string{"比", "超过", "超出", "多于", "高过"}, func(w string) bool { return strings.Contains(text, w) })
}

// bounds says whether a comparison is in the nature of what a clause changes: 资本至少占12%.
func (r *hanReader) bounds(n int) bool {
	return slices.ContainsFunc(r.frames, func(f hanFrame) bool {
		return f.clause == n && f.sized() && slices.Contains([]string{"capital_requirement", "minimum_wage", "minimum_income",
			"max_leverage", "deposit_insurance", "progressive_tax",
			"tax_allowance", "max_policy_rate", "countercyclical_buffer", "austerity_deficit_limit"}, f.levers[0])
	})
}

// matters says whether an unknown word may change what happens: where it may be part of a lever's name, or
// the subject or the object of what changes. A word in another place is one of manner.
func (r *hanReader) matters(i int, c hanClause) bool {
	lever := func(t hanToken) bool { return len(t.word.levers) > 0 && t.kind == usedMark && t.taken }
	number := func(t hanToken) bool { return t.q != nil && !t.count && t.q.unit != months }
	if k := i - 1; k >= c.from {
		before := r.tokens[k]
		if before.text == "的" && k > c.from {
			before = r.tokens[k-1]
		}
		if lever(before) || before.is(verbRole, payRole, andRole, onRole, exceptRole, groupRole, industryRole) || before.text == "、" ||
			slices.Contains([]string{"把", "将", "在", "对", "给", "向", "为", "按", "跟", "和", "除", "替", "由", "从", "只", "让"}, before.text) {
			return true
		}
		if number(before) && !(i+1 < c.to && r.tokens[i+1].is(toRole)) {
			return true
		}
	}
	k := i + 1
	if k < c.to && r.tokens[k].text == "的" {
		k++
	}
	if k >= c.to {
		return false
	}
	next := r.tokens[k]
	return lever(next) || number(next) || next.is(verbRole) && !slices.ContainsFunc(r.tokens[c.from:i], lever)
}
