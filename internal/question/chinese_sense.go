package question

import (
	"slices"
	"strings"

	"econ-mcp/sim"
)

// attach gives conditions to what they are for.
func (r *hanReader) attach() {
	for _, w := range r.whens {
		if r.ruled(w) {
			continue
		}
		c := w.condition
		best := -1
		for i, f := range r.frames {
			same := r.clauses[f.clause].sentence == r.clauses[w.clause].sentence ||
				w.until && f.when != nil && r.clauses[f.clause].sentence+1 == r.clauses[w.clause].sentence
			if same && (f.clause >= w.clause || w.until || best < 0) {
				best = i
				if f.clause >= w.clause && !w.until {
					break
				}
			}
		}
		if best < 0 {
			r.stop(w.token, comparisonMark, "condition")
			continue
		}
		for i := range r.frames {
			f := &r.frames[i]
			if i != best && (f.alt != r.frames[best].alt || f.clause < r.frames[best].clause) {
				continue
			}
			if w.until {
				f.until = &c
			} else {
				f.when, f.again = &c, w.again
			}
		}
	}
}

// setting makes the background of what a sentence tells before the question of another one: 外需少了两成。
// 这种情况下减税还是发钱?
func (r *hanReader) setting() {
	for n, c := range r.clauses {
		at := r.tokens[c.from]
		if !slices.ContainsFunc([]string{"这种情况下", "这种情形下", "这时候", "这时", "此时", "这个时候", "在这种情况下",
			"在此情况下", "在这个背景下", "在这种背景下", "这种时候", "这当口", "这种当口"},
			func(w string) bool { return hasRunes(r.runes, at.span.From, w) }) {
			continue
		}
		if r.sets(n) {
			return
		}
	}
	for n, c := range r.clauses { // 外需少了两成的时候，汇率钉住好还是浮动好
		if r.compares || r.alts > 0 {
			moment := slices.IndexFunc(r.tokens[c.from:c.to], func(t hanToken) bool {
				return t.is(momentRole) && (strings.HasSuffix(t.text, "时候") || strings.HasSuffix(t.text, "下") || t.text == "时")
			})
			if moment >= 0 && r.hasFrame(n) && len(r.whens) == 0 && r.comma(c.from+moment) <= c.from+moment+2 && r.sets(n+1) {
				return
			}
		}
	}
}

// sets makes what happens before a clause what happens in every arm, where more happens behind, and says whether it did.
func (r *hanReader) sets(n int) bool {
	var before []happening
	var rest []hanFrame
	for _, f := range r.frames {
		if f.clause < n {
			before = append(before, f.happening)
		} else {
			rest = append(rest, f)
		}
	}
	if len(before) == 0 || len(rest) == 0 {
		return false
	}
	first := rest[0].alt
	for i := range rest {
		rest[i].alt -= first
	}
	r.s.everywhere, r.frames, r.alts = before, rest, rest[len(rest)-1].alt
	return true
}

// ruled turns 赤字超过3%就削减开支 into the rule that does so, and says whether it did.
func (r *hanReader) ruled(w hanCondition) bool {
	if w.indicator != sim.DeficitToGDP || !w.above {
		return false
	}
	for i := range r.frames {
		f := &r.frames[i]
		if f.levers[0] != "austerity" || f.sized() || f.change != raise && f.change != introduce || f.clause < w.clause {
			continue
		}
		limit := *f
		f.levers, f.change, f.last = []string{"enable_austerity_rule"}, introduce, 0
		value := w.value
		value.of = ofNothing
		limit.levers, limit.change, limit.to, limit.last = []string{"austerity_deficit_limit"}, settle, &value, 0
		r.frames = append(r.frames, limit)
		return true
	}
	return false
}

// arms puts what happens together into arms.
func (r *hanReader) arms() {
	if len(r.frames) == 0 {
		return
	}
	r.s.arms = make([]arm, r.alts+1)
	for _, f := range r.frames {
		a := &r.s.arms[f.alt]
		for _, q := range []*quantity{f.from, f.to, f.by} {
			switch {
			case q == nil || len(f.levers) == 0:
			case f.levers[0] == "minimum_income_taper" && q.unit == money && q.x <= 1: // 扣五毛, of each unit that is earned
				q.unit = percent
			case f.levers[0] == "long_term_benefit_factor" && q.unit == factor && q.x < 1: // 打六折, of the full benefit
				q.unit = fraction
			}
		}
		if n := slices.IndexFunc(a.happens, func(h happening) bool { return sameChange(h, f.happening) }); n >= 0 {
			a.happens[n] = mergedChange(a.happens[n], f.happening)
			continue
		}
		a.happens = append(a.happens, f.happening)
		a.span = spanOver(a.span, f.span)
	}
	r.s.arms = slices.DeleteFunc(r.s.arms, func(a arm) bool { return len(a.happens) == 0 })
	for i := range r.s.arms { // 别裁人，改成缩短工时: the one is how the other is
		list := r.s.arms[i].happens
		if slices.ContainsFunc(list, func(h happening) bool { return h.levers != nil && h.levers[0] == "job_retention_share" }) {
			r.s.arms[i].happens = slices.DeleteFunc(list, func(h happening) bool {
				return h.levers != nil &&
					h.levers[0] == "enable_dismissal"
			})
		}
	}
	for _, a := range r.s.arms { // 加征关税，对方不报复
		for i := range a.happens {
			if h := &a.happens[i]; len(a.happens) > 1 && h.levers != nil && h.levers[0] == "retaliation_share" && h.change == abolish {
				h.change, h.to = settle, &quantity{unit: percent, text: "0%", span: h.span}
			}
		}
	}
	r.variants()
}

// hanRefines are levers that say how another one is applied.
var hanRefines = map[string]string{
	"retaliation_share": "tariff_rate", "minimum_income_taper": "minimum_income", "wage_subsidy_ceiling": "wage_subsidy_rate",
	"job_retention_benefit_rate": "job_retention_share", "retraining_cost": "retraining_rate",
}

// variants reads 加征关税，对方忍了和对方回敬: the alternatives are two ways of what comes first.
func (r *hanReader) variants() {
	if len(r.s.arms) < 3 || len(r.s.arms[0].happens) != 1 {
		return
	}
	first := r.s.arms[0].happens[0]
	for _, a := range r.s.arms[1:] {
		if len(a.happens) != 1 || hanRefines[a.happens[0].levers[0]] != first.levers[0] {
			return
		}
	}
	r.s.arms = r.s.arms[1:]
	for i := range r.s.arms {
		h := r.s.arms[i].happens[0]
		if h.change == abolish {
			h.change, h.to = settle, &quantity{unit: percent, text: "0%", span: h.span}
		}
		r.s.arms[i].happens = []happening{first, h}
	}
}

// vague is a question about policy that names no lever: it is asked which is meant.
func (r *hanReader) vague() {
	if len(r.s.arms) > 0 || r.s.place != "" {
		return
	}
	for _, c := range r.clauses {
		for i := c.from; i < c.to; i++ {
			if t := &r.tokens[i]; !t.taken && (t.is(topicRole) || t.names()) {
				r.s.arms = []arm{{happens: []happening{{levers: t.word.levers, change: move, span: t.span}}, span: t.span}}
				t.take(policyMark, "topic")
				return
			}
		}
	}
	for i := range r.tokens { // 帮困难户一把: how?
		t := &r.tokens[i]
		if t.is(groupRole) && !t.taken && !slices.Contains([]string{"others", "women"}, t.word.name) &&
			len(r.runes) < longStory && r.favours(i) {
			r.s.arms = []arm{{happens: []happening{{change: move, span: t.span}}, span: t.span}}
			t.take(policyMark, "topic")
			return
		}
	}
}

// favours says whether the words near a group say that something is done for or against it.
func (r *hanReader) favours(i int) bool {
	at, to := max(0, r.tokens[i].span.From-6), min(len(r.runes), r.tokens[i].span.To+8)
	return slices.ContainsFunc([]string{"帮", "管", "扶", "好一点", "好一些", "照顾", "关照", "支持", "救", "治", "整顿", "优待", "善待", "减负", "收拾", "约束", "松绑"},
		func(w string) bool { return strings.Contains(string(r.runes[at:to]), w) })
}

// setScene makes places the background, or what happens where nothing else does.
func (r *hanReader) setScene() {
	var names []string
	for _, p := range r.places {
		t := &r.tokens[p.token]
		if t.taken {
			continue
		}
		c := r.clauses[p.clause]
		if len(r.s.arms) > 0 && p.token >= c.effect && !p.scene {
			continue // 会不会引发衰退: an effect
		}
		if len(r.s.arms) > 0 && p.name == "baseline" && r.compares {
			t.take(usedMark, "control")
			continue
		}
		t.take(usedMark, "place")
		if !slices.Contains(names, p.name) {
			names = append(names, p.name)
		}
	}
	if len(names) == 0 {
		return
	}
	if len(r.s.arms) > 0 {
		r.s.place = names[0]
		if len(names) > 1 {
			r.stop(r.places[len(r.places)-1].token, policyMark, "second place")
		}
		return
	}
	happens := slices.DeleteFunc(slices.Clone(names), hanCountry)
	countries := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !hanCountry(name) })
	if len(happens) == 0 && len(countries) > 1 {
		happens, countries = countries, nil
	}
	for i := range r.tokens { // 衰退来了该怎么办: not what it does
		if slices.Contains([]string{"应该", "应当", "该不该", "怎么办", "要不要", "应不应该"}, r.tokens[i].text) && !r.tokens[i].taken && len(happens) > 0 {
			r.stop(i, policyMark, "advice")
		}
	}
	for _, name := range happens {
		if name == "baseline" && len(happens) > 1 {
			continue
		}
		r.s.arms = append(r.s.arms, arm{place: name})
	}
	if len(countries) > 0 && len(r.s.arms) > 0 { // a country alone is nothing that happens
		r.s.place = countries[0]
	}
}

// hanOfGroups are the outcomes of which parts of the population have their own.
var hanOfGroups = []sim.Indicator{realIncome, sim.RealConsumption, sim.RealWageMean, sim.RealWageMedian, sim.NominalWageMean, sim.WealthGini}

// wishes collects the outcomes that a clause asks about.
func (r *hanReader) wishes(n int) {
	c := r.clauses[n]
	from := c.effect
	if !r.hasFrame(n) {
		from = c.from
	}
	groups := []string{""}
	if c.from > 0 && len(r.groups) > 0 && (r.tokens[c.from-1].text == "(" || r.tokens[c.from-1].text == "（") {
		groups = r.groups // 最穷的十分之一人家能好过多少（按实际消费算）
	}
	for i := from; i < c.to; i++ {
		t := &r.tokens[i]
		if t.taken && t.kind == colourMark {
			continue
		}
		if t.is(groupRole) && t.word.name != "all" && t.word.name != "banks" {
			if k := i - 1; k <= from || !r.tokens[k].is(andRole) && r.tokens[k].text != "、" || !r.tokens[k-1].is(groupRole) {
				groups = nil
			}
			groups = append(groups, hanOutcomeGroup(r, i)) // 老人和失业者的消费
			r.groups = groups
		} else if t.is(stopRole) && t.text != "、" {
			groups = []string{""}
		}
		switch {
		case t.taken:
		case len(t.word.outcomes) > 0 && !t.part:
			ind := t.word.outcomes[0]
			for _, group := range groups {
				if !slices.Contains(hanOfGroups, ind) {
					group = "" // of unemployment there is but one
				}
				if !slices.ContainsFunc(r.s.outcomes, func(w wish) bool { return w.indicator == ind && w.group == group }) {
					r.s.outcomes = append(r.s.outcomes, wish{indicator: ind, expect: r.expects(i, c.to), group: group, span: t.span})
				}
			}
			t.take(usedMark, "outcome")
		case t.is(placeRole) && len(r.s.arms) > 0:
			r.s.outcomes = append(r.s.outcomes, wish{indicator: sim.RealGDP, span: t.span})
			t.take(usedMark, "outcome")
		}
	}
}

func hanOutcomeGroup(r *hanReader, i int) string {
	share := r.groupShare(i)
	switch r.tokens[i].word.name {
	case "bottom":
		switch {
		case near(share, .2):
			return "bottom_fifth"
		case near(share, .1):
			return "bottom_tenth"
		}
		return "bottom_fifth"
	case "top":
		if near(share, .2) {
			return "top_fifth"
		}
		return "top_tenth"
	case "middle":
		return "middle_fifth"
	case "women", "others", "low_paid":
		return ""
	}
	return r.tokens[i].word.name
}

func near(x, y float64) bool { return x > y-1e-9 && x < y+1e-9 }

// sharesGroup says whether a number is the share that stands behind a group that is no more than told.
func (r *hanReader) sharesGroup(i int) bool {
	k := r.before(i)
	return k >= 0 && r.tokens[k].is(groupRole) && slices.Contains([]string{"bottom", "top", "middle"}, r.tokens[k].word.name)
}

// groupShare is the share that stands behind a group: 最穷的十分之一; 0 = not said.
func (r *hanReader) groupShare(i int) float64 {
	k := r.after(i)
	if k >= 0 && (r.tokens[k].q != nil && (r.tokens[k].q.unit == percent || r.tokens[k].q.unit == fraction)) &&
		!r.tokens[k].taken && r.tokens[k].q.of == ofNothing {
		return r.tokens[k].q.x
	}
	return 0
}

// expects is the direction that is asked about.
func (r *hanReader) expects(i, to int) int {
	for k := i + 1; k < to && !r.tokens[k].is(stopRole) && len(r.tokens[k].word.outcomes) == 0; k++ {
		if t := r.tokens[k]; t.is(verbRole) {
			switch t.word.change {
			case raise, double, triple:
				return 1
			case lower, halve, abolish:
				return -1
			}
		}
	}
	return 0
}

// stop adds a mark that stops the reading, over what else became of a token.
func (r *hanReader) stop(i int, kind markKind, as string) {
	r.s.marks = append(r.s.marks, mark{r.tokens[i].span, kind, as})
}

// adds says whether a clause gives a value or a time to what happens elsewhere.
func (r *hanReader) adds(c hanClause) bool {
	return slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool {
		return slices.Contains([]string{"value", "time", "held", "condition", "horizon"}, t.as)
	})
}

// meantBy says whether a clause changes one of some levers: 增值税的税率.
func (r *hanReader) meantBy(n int, levers []string) bool {
	return slices.ContainsFunc(r.frames, func(f hanFrame) bool {
		return f.clause == n && slices.ContainsFunc(f.levers, func(id string) bool { return slices.Contains(levers, id) })
	})
}

// within says whether a token stands between the parts of a phrase.
func (r *hanReader) within(i int) bool {
	at := r.tokens[i].span.From
	return slices.ContainsFunc(r.tokens, func(t hanToken) bool { return t.gap.From < at && at < t.gap.To })
}

// beside says whether an outcome stands where it changes the meaning of a lever: 公务员的工资.
func (r *hanReader) beside(i int) bool {
	for k := i - 1; k >= 0; k-- {
		t := r.tokens[k]
		if t.text == "的" || t.skips() && t.text != "、" {
			continue
		}
		return len(t.word.levers) > 0 && t.kind == usedMark || t.is(ofWhatRole)
	}
	return false
}

// idle says whether a clause that begins with 还是 is read without a change: it does nothing, or gives a
// number to what stands before it, or goes on asking.
func (r *hanReader) idle(c hanClause) bool {
	return slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool {
		return t.is(nothingRole) || t.as == "value" || t.as == "place" || t.as == "control" || t.as == "held"
	}) || !slices.ContainsFunc(r.tokens[c.from+1:c.to], func(t hanToken) bool {
		return !t.skips() && !t.is(stopRole, askRole, notRole, effectRole, verbRole) && len(t.word.outcomes) == 0
	}) || !slices.ContainsFunc(r.tokens[c.from+1:c.to], func(t hanToken) bool { // 会更稳还是更脆
		return !t.known || t.q != nil || t.names() || t.is(payRole, groupRole, industryRole, placeRole, topicRole, foreignRole, payerRole) ||
			t.is(verbRole) && (t.word.change == introduce || t.word.change == abolish)
	})
}

// changes says whether a clause may say what changes.
func (r *hanReader) changes(c hanClause) bool {
	return r.says(c.from, c.to) || slices.ContainsFunc(r.tokens[c.from:c.to], func(t hanToken) bool {
		return t.q != nil && !t.count || t.is(verbRole) && t.word.change != introduce && t.word.change != settle || t.is(payRole)
	})
}

func (r *hanReader) hasFrame(n int) bool {
	return slices.ContainsFunc(r.frames, func(f hanFrame) bool { return f.clause == n })
}

// finish says of every word what became of it.
func (r *hanReader) finish() {
	after := -1 // sentence of what happened last
	for n, c := range r.clauses {
		happens := r.hasFrame(n)
		qualifies := !happens && !c.asks && after == c.sentence && c.effect > c.from
		if happens {
			after = c.sentence
		}
		if (c.joins == orRole || c.joins == insteadRole) && !happens && c.to > c.from+1 && len(r.s.arms) > 0 && !r.idle(c) && !r.weighs(n) {
			r.tokens[c.from].take(comparisonMark, "alternative")
		}
		for i := c.from; i < c.to && !happens && len(r.s.arms) > 0; i++ { // 把 what nothing reads
			if t := &r.tokens[i]; t.text == "把" && !t.taken && !r.adds(c) && !r.weighs(n) && (len(r.runes) < longStory ||
				r.changes(c)) && (i < c.effect || !c.asks) &&
				!(c.joins == orRole && r.idle(c)) {
				t.take(strayMark, "unknown")
			}
		}
		for i := c.from; i < c.to; i++ {
			t := &r.tokens[i]
			inside := happens && i < c.effect
			switch {
			case t.taken:
			case t.part:
				t.take(usedMark, "lever")
			case t.q != nil && (t.q.unit == months || t.count):
				switch {
				case t.count && (!inside || near(t.q.x, float64(int(t.q.x))) && t.q.x <= 4):
					t.take(fillerMark, "")
				case inside && !t.count:
					t.take(timeMark, "time")
				case inside:
					t.take(numberMark, "number")
				default:
					t.take(colourMark, "")
				}
			case t.q != nil && !inside && r.sharesGroup(i):
				t.take(colourMark, "")
			case t.q != nil:
				if t.q.unit == plain && !inside || t.q.unit == people && !inside || len(r.frames) == 0 && len(r.s.outcomes) == 0 {
					t.take(colourMark, "")
				} else {
					t.take(numberMark, "number")
				}
			case t.month > 0:
				if inside {
					t.take(timeMark, "time")
				}
				t.take(colourMark, "")
			case !t.known:
				if (inside || qualifies && i < c.effect) && (r.matters(i, c) && !r.residue(i) || r.restricts(i, c)) {
					t.take(strayMark, "unknown")
				}
				t.take(colourMark, "")
			case inside && r.restricts(i, c):
				t.take(strayMark, "unknown")
			case t.is(wheneverRole) && len(r.frames) > 0 && !(strings.Contains(t.text, "凡") && !r.hasOutcome(c)) &&
				!slices.ContainsFunc(r.whens, func(w hanCondition) bool { return w.clause == n || w.clause == n+1 }):
				t.take(comparisonMark, "condition") // 只要经济负增长就…: of what nothing compares
			case t.is(notRole) && inside, t.is(exceptRole) && len(r.frames) > 0 && i < c.effect:
				t.take(negationMark, "negation")
			case t.is(periodRole) && len(r.frames) > 0 && i < c.effect:
				t.take(timeMark, "time")
			case inside && slices.Contains([]string{"不超过", "至少", "起码", "不少于", "不低于", "超过", "以上", "以内"}, t.text):
				if r.bounds(n) {
					t.take(fillerMark, "")
				}
				t.take(comparisonMark, "comparison")
			case inside && t.names() && t.word.weak && r.beside(i) && !r.within(i) && !r.meantBy(n, t.word.levers):
				t.take(policyMark, "lever") // 股息税
			case inside && len(t.word.outcomes) > 0 && i > c.from && r.tokens[i-1].is(onRole) && strings.HasSuffix(t.text, "企业"):
				t.take(groupMark, "firms") // 对出口企业
			case inside && len(t.word.outcomes) > 0 && r.beside(i) && !r.within(i):
				t.take(strayMark, "outcome")
			case t.is(aboveRole, belowRole) && inside && t.word.role != toRole && !t.skips():
				t.take(fillerMark, "")
			case t.names() && happens && i >= c.effect && c.asks && t.word.change != noChange && len(r.s.arms) > 0:
				t.take(colourMark, "asked about") // 会勒紧裤腰带吗
			case t.names() && len(t.word.outcomes) == 0 && !t.word.weak && len(r.s.arms) > 0:
				t.take(policyMark, "lever")
			case t.is(topicRole) && len(r.s.arms) == 0 || t.names() && len(r.s.arms) == 0:
				t.take(policyMark, "topic")
			case t.is(groupRole) && inside && t.word.name != "all" && t.word.name != "banks":
				t.take(groupMark, t.word.name)
			case t.is(industryRole) && inside:
				t.take(groupMark, t.word.name)
			}
			t.take(fillerMark, "")
		}
	}
	for _, t := range r.tokens {
		r.s.marks = append(r.s.marks, mark{t.span, t.kind, t.as})
	}
	r.doubts()
	r.s.marks = slices.DeleteFunc(r.s.marks, func(m mark) bool { return m.span == Span{} && !m.kind.stops() })
}
