package question

import (
	"slices"
	"strings"

	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

// longStory is the length, in code points, from which a question is a letter: what stands before
// "my question is" is then its story.
const longStory = 150

// hanReader reads one Chinese question: words, then clauses, then what happens in each.
type hanReader struct {
	runes   []rune
	tokens  []hanToken
	clauses []hanClause
	frames  []hanFrame
	s       sense

	strong   bool // a word names a lever for sure, so that those that may name one are mere words
	compares bool // 哪个, 相比: what happens in two clauses are alternatives
	alts     int  // alternatives so far, less one
	places   []hanPlace
	whens    []hanCondition
	pending  []func(*hanFrame) // times that stand before what they are for
	payer    string            // that stands before what it pays for
	groups   []string          // that outcomes were last asked of
}

// hanClause is a stretch of tokens between punctuation or words such as 还是.
type hanClause struct {
	from, to int // tokens
	sentence int
	effect   int // token from which it speaks of effects; to = none
	asks     bool
	joins    hanRole // the word that it begins with, such as 还是
}

// hanFrame is what happens, as a clause says it.
type hanFrame struct {
	happening
	clause, alt int
	endsAt      int  // month in which it ends, where its begin is not known yet
	early       bool // its time stands before it, and may be that of the next alternative, too
}

type hanPlace struct {
	name   string
	token  int
	scene  bool // it is where the question is set
	clause int
}

type hanCondition struct {
	condition
	token        int
	clause       int
	again, until bool
}

// readChinese is the grammar of Chinese questions.
func readChinese(text string) sense {
	r := &hanReader{runes: normalHan(text)}
	r.s.lang = inquiry.Chinese
	r.tokens = chineseWords().segment(r.runes)
	r.negated()
	r.preferred()
	r.asides()
	r.ofSpeaker()
	r.over()
	r.outOf()
	r.story()
	r.measures()
	r.split()
	r.conditions()
	r.foreign()
	r.findPlaces()
	for i := range r.clauses {
		r.effects(i)
	}
	r.instructed()
	r.strong = slices.ContainsFunc(r.clauses, r.namesLever)
	for i := range r.clauses {
		r.clause(i)
	}
	r.shareTimes()
	r.shareSizes()
	r.setting()
	r.attach()
	r.arms()
	r.setScene()
	for i := range r.clauses {
		r.wishes(i)
	}
	if len(r.s.outcomes) == 0 && len(r.s.foreign) == 0 {
		r.vague()
	}
	for i, t := range r.tokens { // 用增值税而不是借债来支付
		if t.is(payerRole) && !t.taken && len(r.frames) > 0 {
			r.stop(i, policyMark, "financing")
		}
	}
	r.finish()
	return r.s
}

// story makes a mere story of what stands before the question of a long letter: before 我的问题是, or
// before the sentence that asks for something.
func (r *hanReader) story() {
	if len(r.runes) < longStory {
		return
	}
	until := 0
	for i := range r.tokens {
		t := &r.tokens[i]
		if !t.is(askMarkRole) || t.span.To+12 >= len(r.runes) {
			continue
		}
		if strings.Contains(t.text, "问题") || strings.Contains(t.text, "题目") || strings.Contains(t.text, "问的是") {
			until = i + 1
			break
		}
		for k := i; k > until; k-- {
			if text := r.tokens[k-1].text; text == "。" || text == "?" || text == "!" || text == "\n" {
				until = k
				break
			}
		}
	}
	for k := range r.tokens[:until] {
		r.tokens[k].take(colourMark, "story")
	}
	r.options(until)
}

// hanFirsts begin the first of the alternatives that a letter lists.
var hanFirsts = []string{"第一种", "第一个方案", "第一个办法", "第一组", "第一套", "第一条路", "第一招", "方案一", "情形一", "情景一", "做法一", "方案a", "甲方案", "a方案",
	"一种做法", "一种办法", "一种方案", "一种意见", "一种是", "一个办法", "一个方案", "一派"}

// options makes a story of the sentences before the first of the alternatives that a letter lists, but for those that
// set the scene.
func (r *hanReader) options(from int) {
	first, start := -1, from
	for i := from; i < len(r.tokens) && first < 0; i++ {
		if text := r.tokens[i].text; text == "。" || text == "?" || text == "!" {
			start = i + 1
		}
		if slices.ContainsFunc(hanFirsts, func(w string) bool { return hasRunes(r.runes, r.tokens[i].span.From, w) }) {
			first = i
		}
	}
	if first < 0 {
		return
	}
	scene := false
	for k := start - 1; k >= from; k-- {
		t := &r.tokens[k]
		if t.text == "。" || t.text == "?" || t.text == "!" || k == start-1 {
			scene = false
			for b := k - 1; b >= from && !slices.Contains([]string{"。", "?", "!"}, r.tokens[b].text); b-- {
				scene = scene || r.tokens[b].is(placeRole, ifRole) || strings.Contains(r.tokens[b].text, "背景")
			}
		}
		if !scene {
			t.take(colourMark, "story")
		}
	}
}

// negated makes a negation of 没有 before a verb: 没有提高.
func (r *hanReader) negated() {
	for i := range r.tokens {
		t := &r.tokens[i]
		if t.text == "不要" && i+1 < len(r.tokens) && slices.Contains([]string{"把", "将", "再", "去"}, r.tokens[i+1].text) {
			t.word = hanWord{role: notRole} // 不要把最低工资提高
			continue
		}
		if t.text != "没有" && t.text != "没" && t.text != "未" {
			continue
		}
		k := r.after(i)
		if k < 0 || !r.tokens[k].is(verbRole) || r.tokens[k].word.change == abolish {
			continue
		}
		if r.tokens[k].word.change == introduce { // 没搞短时工作
			t.word, r.tokens[k].word = hanWord{role: fillerRole}, hanWord{role: verbRole, change: abolish}
			continue
		}
		t.word = hanWord{role: notRole}
	}
}

// asides passes over a remark on whom a payment is not for: 每个成年人（不是每户）.
func (r *hanReader) asides() {
	for i := range r.tokens {
		t := &r.tokens[i]
		if !t.is(groupRole) || i < 2 || i+2 > len(r.tokens) || r.tokens[i-1].text != "不是" || !r.tokens[i-2].is(stopRole) ||
			!r.tokens[i+1].is(stopRole) {
			continue
		}
		from, to := i-2, i+2
		for ; from > 0 && r.tokens[from-1].text == "—"; from-- {
		}
		for ; to < len(r.tokens) && r.tokens[to].text == "—"; to++ {
		}
		for k := from; k < to; k++ {
			r.tokens[k].word = hanWord{role: fillerRole}
			r.tokens[k].take(colourMark, "aside")
		}
	}
}

// over makes the end of a time of 三年一到就恢复, which is no comparison.
func (r *hanReader) over() {
	for i := 1; i < len(r.tokens); i++ {
		if q := r.tokens[i-1].q; q != nil && q.unit == months && slices.Contains([]string{"一到", "一过", "一满"}, r.tokens[i].text) {
			r.tokens[i].word = hanWord{role: afterRole}
		}
	}
}

// ofSpeaker passes over what a sentence before the question tells of whoever asks, and over remarks in brackets: neither
// names a lever, a payment or a place, and a remark has no number, group, time or negation.
func (r *hanReader) ofSpeaker() {
	pass := func(from, to int, as string) {
		for k := from; k < to; k++ {
			r.tokens[k].word, r.tokens[k].q = hanWord{role: fillerRole}, nil
			r.tokens[k].take(colourMark, as)
		}
	}
	names := func(t hanToken) bool {
		return t.names() || t.is(ifRole, wheneverRole, untilRole, placeRole, payRole, momentRole, foreignRole)
	}
	start, open := 0, -1
	for i := range r.tokens {
		switch text := r.tokens[i].text; {
		case text == "(" || text == "（":
			open = i
		case open >= 0 && (text == ")" || text == "）"):
			before := r.tokens[max(0, open-1)].word.levers // 起征点（免税额度）
			if !slices.ContainsFunc(r.tokens[open+1:i], func(t hanToken) bool {
				return names(t) && !slices.ContainsFunc(t.word.levers, func(id string) bool { return slices.Contains(before, id) }) || t.q != nil || t.month > 0 || len(t.word.outcomes) > 0 ||
					t.is(notRole, exceptRole, groupRole, industryRole, heldRole, lookRole, backRole)
			}) {
				pass(open+1, i, "aside")
			}
			open = -1
		case text == "。" || text == "!" || text == ";":
			said := string(r.runes[r.tokens[start].span.From:r.tokens[i].span.From])
			if i+4 < len(r.tokens) && speakers[inquiry.Chinese].MatchString(said) && !slices.ContainsFunc(r.tokens[start:i], names) {
				pass(start, i, "story")
			}
			start = i + 1
		case text == "?":
			start = i + 1
		}
	}
}

// outOf makes shares of numbers out of another one: 十家企业里有三家, 从每百人13个增加到16个.
func (r *hanReader) outOf() {
	for i := range r.tokens {
		of := &r.tokens[i]
		each := i > 0 && slices.ContainsFunc(r.tokens[max(0, i-2):i], func(t hanToken) bool { return t.text == "每" || t.text == "平均每" })
		paid := of.q != nil && of.q.unit == money && of.q.x == 100 && (each || r.owes(i)) // 每挣一百块扣十五块
		each = each || paid
		if !paid && !of.counts() || !each && !of.count || of.q.x < 2 || !each && !slices.Contains([]float64{3, 4, 5, 10, 20,
			100, 1000}, of.q.x) {
			continue
		}
		inside, given := each, false
		for k := i + 1; k < len(r.tokens) && k < i+16 && !(r.tokens[k].is(stopRole) && (given || !each) && !paid); k++ {
			t := &r.tokens[k]
			inside = inside || t.is(withinRole) || slices.Contains([]string{"里", "中", "里面", "里头", "当中", "之中"}, t.text)
			if !inside || t.q == nil || t.q.x >= of.q.x || paid != (t.q.unit == money) || !paid && (!t.counts() || !t.count &&
				t.q.unit != people) {
				continue
			}
			q := *t.q
			q.unit, q.x = fraction, t.q.x/of.q.x
			t.q, t.count, given = &q, false, true
		}
		if given {
			of.take(usedMark, "measure")
		}
	}
}

// owes says whether less is paid out of a sum of money in the same clause: 买一百块的东西交八块税.
func (r *hanReader) owes(i int) bool {
	due := false
	for k := i + 1; k < r.comma(i); k++ {
		t := &r.tokens[k]
		due = due || strings.ContainsAny(t.text, "交缴扣垫抽")
		if due && t.q != nil && t.q.unit == money {
			return t.q.x < r.tokens[i].q.x
		}
	}
	return false
}

// counts says whether a number counts people or things.
func (t *hanToken) counts() bool { return t.q != nil && (t.q.unit == plain || t.q.unit == people) }

// preferred makes an alternative of what stands behind 宁可…也不要, or 宁愿…也不.
func (r *hanReader) preferred() {
	rather := false
	for i := range r.tokens {
		t := &r.tokens[i]
		switch {
		case slices.Contains([]string{"宁可", "宁愿", "宁肯", "宁"}, t.text):
			rather = true
		case rather && i > 0 && r.tokens[i-1].text == "也" && (t.is(notRole) || t.text == "不要"):
			t.word = hanWord{role: insteadRole}
			rather = false
		}
	}
}

// skips says whether a token stands for nothing between two that belong together.
func (t *hanToken) skips() bool {
	return t.known && t.q == nil && t.month == 0 && len(t.word.levers) == 0 && !t.part &&
		(t.word.role == fillerRole || t.word.role == ofWhatRole || t.word.role == slightRole || t.text == "、" || isQuote(t.text))
}

func isQuote(text string) bool {
	return slices.Contains([]string{"“", "”", "\"", "「", "」", "‘", "’", "'", "《", "》"}, text)
}

// before is the nearest token before i that is not skipped; -1 = none in the clause.
func (r *hanReader) before(i int) int {
	for i--; i >= 0 && r.tokens[i].skips(); i-- {
	}
	if i >= 0 && r.tokens[i].is(stopRole) {
		return -1
	}
	return i
}

func (r *hanReader) after(i int) int {
	for i++; i < len(r.tokens) && r.tokens[i].skips(); i++ {
	}
	if i >= len(r.tokens) || r.tokens[i].is(stopRole) {
		return -1
	}
	return i
}

// measures joins numbers with what they are a share of: GDP的5%, 5%的GDP.
func (r *hanReader) measures() {
	for i := range r.tokens {
		t := &r.tokens[i]
		if t.word.of == ofNothing {
			continue
		}
		k := r.after(i)
		if k >= 0 && r.tokens[k].is(toRole) {
			k = r.after(k)
		}
		if k >= 0 && isShare(r.tokens[k].q) {
			for at := k; at < len(r.tokens) && (isShare(r.tokens[at].q) || r.tokens[at].skips() ||
				r.tokens[at].is(orRole, toRole, andRole)); at++ {
				if isShare(r.tokens[at].q) {
					r.tokens[at].q.of = t.word.of
				}
			}
			t.take(usedMark, "measure")
			continue
		}
		k = i - 1
		if k > 0 && r.tokens[k].text == "的" {
			k--
		}
		if k >= 0 && isShare(r.tokens[k].q) { // 5%的GDP, 40%、50%中位数
			for at := k; at >= 0 && (isShare(r.tokens[at].q) || r.tokens[at].text == "、" || r.tokens[at].is(orRole)); at-- {
				if isShare(r.tokens[at].q) {
					r.tokens[at].q.of = t.word.of
				}
			}
			t.take(usedMark, "measure")
			continue
		}
		if len(t.word.outcomes) == 0 { // 对GDP的影响
			t.word.outcomes = map[measure][]sim.Indicator{
				ofGDP: {sim.RealGDP}, ofMean: {sim.RealWageMean}, ofMedian: {sim.RealWageMedian},
			}[t.word.of]
		}
	}
}

func isShare(q *quantity) bool {
	return q != nil && slices.Contains([]unit{percent, fraction, factor, points}, q.unit)
}

// split finds the clauses.
func (r *hanReader) split() {
	from, sentence, joins := 0, 0, noRole
	end := func(to int) {
		if to > from {
			r.clauses = append(r.clauses, hanClause{from: from, to: to, sentence: sentence, effect: to, joins: joins})
			joins = noRole
		}
	}
	for i := range r.tokens {
		t := &r.tokens[i]
		switch {
		case t.is(stopRole) && t.text != "、" && t.text != "·" && t.text != "-" && t.text != "/" && !isQuote(t.text):
			end(i + 1)
			if n := len(r.clauses); n > 0 && t.text == "?" {
				r.clauses[n-1].asks = true
			}
			from = i + 1
			if t.text == "。" || t.text == "?" || t.text == "!" || t.text == ";" || t.text == ":" {
				sentence++
			}
		case t.taken:
		case t.is(orRole, insteadRole) && !r.between(i, func(t hanToken) bool { return t.q != nil || t.month > 0 }):
			end(i)
			from, joins = i, t.word.role
		case t.is(whichRole) && strings.HasSuffix(t.text, "还是") && r.between(i, func(t hanToken) bool { return t.q != nil }) &&
			!r.says(i, r.comma(i)): // 定在50%好还是60%好
			t.word = hanWord{role: orRole}
		case t.is(whichRole) && strings.HasSuffix(t.text, "还是"): // 降所得税好还是每人发200元好
			end(i)
			from, joins = i, orRole
		case t.is(andRole) && len([]rune(t.text)) > 1 && r.says(from, i) && r.says(i+1, r.comma(i)):
			end(i)
			from, joins = i, andRole
		case t.is(momentRole, ifRole) && i > from && t.is(momentRole):
			if r.hasCondition(from, i) || strings.HasSuffix(t.text, "前提下") {
				end(i + 1)
				from = i + 1
			}
		}
	}
	end(len(r.tokens))
	for i := range r.clauses {
		c := &r.clauses[i]
		for k := c.from; k < c.to; k++ {
			c.asks = c.asks || r.tokens[k].is(askRole, lookRole, impactRole, whichRole)
			r.compares = r.compares || !r.tokens[k].taken && (r.tokens[k].is(versusRole) || r.tokens[k].is(whichRole) && r.choosesArm(k) ||
				r.tokens[k].text == "比" && r.says(k+1, c.to) &&
					strings.Contains(string(r.runes[r.tokens[k].span.To:r.tokens[c.to-1].span.To]), "更"))
		}
	}
}

// choosesArm says whether 哪个 asks for one of the alternatives, not for one of the effects: 哪个行业.
func (r *hanReader) choosesArm(i int) bool {
	k := r.after(i)
	if k < 0 {
		return true
	}
	if r.tokens[k].is(industryRole, groupRole) {
		return false
	}
	return !slices.ContainsFunc([]string{"行业", "群体", "人群", "部门", "地区", "年龄", "产业", "企业", "类", "人"}, func(w string) bool {
		return hasRunes(r.runes, r.tokens[k].span.From, w)
	})
}

// between says whether a word stands between two tokens of a kind.
func (r *hanReader) between(i int, kind func(hanToken) bool) bool {
	a, b := r.before(i), r.after(i)
	return a >= 0 && b >= 0 && kind(r.tokens[a]) && kind(r.tokens[b])
}

// comma is the place of the next punctuation.
func (r *hanReader) comma(i int) int {
	for ; i < len(r.tokens) && !(r.tokens[i].is(stopRole) && r.tokens[i].text != "、"); i++ {
	}
	return i
}

// says says whether tokens name a lever, or a payment.
func (r *hanReader) says(from, to int) bool {
	return slices.ContainsFunc(r.tokens[from:to], func(t hanToken) bool {
		return t.names() && !t.word.weak || t.q != nil && t.q.unit == money
	})
}

func (r *hanReader) hasCondition(from, to int) bool {
	outcome := -1
	for i := from; i < to; i++ {
		t := &r.tokens[i]
		if len(t.word.outcomes) > 0 {
			outcome = i
		}
		if outcome >= 0 && t.q != nil && isShare(t.q) {
			return true
		}
	}
	return false
}
