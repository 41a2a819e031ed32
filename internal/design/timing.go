package design

import (
	"math"

	"econ-mcp/sim"
)

// usualSpan is the length, in months, of what the question calls gradual or temporary
// without saying how long.
const usualSpan = 12

// mostMonths that can be simulated, by the catalogue.
var mostMonths = func() int {
	row, err := sim.Lookup("num_iterations")
	if err != nil {
		panic(err) // of the catalogue
	}
	return int(row.Max)
}()

// timing reads when a lever is moved.
func (r *reading) timing(it *item, l *Lever) {
	last := r.plan.base.Params.NumIterations
	for _, q := range it.timing {
		months := int(math.Round(min(max(q.x, 1), float64(mostMonths))))
		switch q.role {
		case rampRole:
			l.RampMonths = months
		case afterRole:
			l.StartMonth = months + 1
		case atRole:
			l.StartMonth = months
		case horizonRole:
			if r.has(gradualMeaning) && l.RampMonths == 0 {
				l.RampMonths = months
				continue
			}
			r.plan.Months = months
		default:
			if r.has(gradualMeaning) && l.RampMonths == 0 {
				l.RampMonths = months
			} else {
				l.DurationMonths = months
			}
		}
	}
	if it.hi == 0 {
		return
	}
	if r.has(gradualMeaning) && l.RampMonths == 0 {
		l.RampMonths = usualSpan
	}
	if r.has(brieflyMeaning) && l.DurationMonths == 0 {
		l.DurationMonths = usualSpan
	}
	if l.DurationMonths > 0 && l.RampMonths > l.DurationMonths {
		l.RampMonths = l.DurationMonths
	}
	if end := l.StartMonth - 1 + max(l.RampMonths, 1); end > max(last, r.plan.Months) {
		r.plan.Months = min(mostMonths, end+5*12)
	}
}

func (r *reading) has(m meaning) bool {
	for i := range r.items {
		if r.items[i].is(m) {
			return true
		}
	}
	return false
}

// time says what a question asks of time that has no place: calendar years.
func (r *reading) time() {
	for i, t := range r.tokens {
		if t.kind == numberToken && t.number >= 1900 && t.number <= 2200 && t.number == math.Trunc(t.number) && t.to-t.from == 4 {
			if _, isYear := r.tokens.skip(i+1, "年"); isYear || r.tokens.is(i-1, "by") || r.tokens.is(i-1, "in") || r.tokens.is(i-1, "from") || r.tokens.is(i-1, "until") || r.tokens.is(i-1, "since") {
				r.unmapped(t.text, "months count from the start of the experiment: the economy has no calendar", "月份从实验开始计数：模型没有日历年份")
			}
		}
	}
}

// groups maps the parts of the population that a question names: money for a group becomes
// a lever, all else is said.
func (r *reading) groups() {
	for i := range r.items {
		it := &r.items[i]
		if it.group == nil {
			continue
		}
		if id := r.paid(i); id != "" {
			r.pay(i, id)
			continue
		}
		if it.effect || it.group.who == "all" || it.group.who == "" && it.group.share == 0 && !r.concerns(i) {
			continue
		}
		if r.reaches(it) {
			continue
		}
		r.unmapped(r.text(it.start, it.end),
			"the levers of this question hold for all whom they concern; for parts of the population the model has minimum_income, redistribution_strategy, income_tax_brackets, tax_allowance, wage_subsidy, and money for bottom_decile, unemployed, retired or an industry",
			"本问题的政策工具适用于所有相关者；针对部分人群可用 minimum_income、redistribution_strategy、income_tax_brackets、tax_allowance、wage_subsidy，或向 bottom_decile、unemployed、retired、某一行业发放资金")
	}
}

// reaches says whether a lever of the question is made for a group.
func (r *reading) reaches(it *item) bool {
	for i := range r.items {
		if !r.items[i].is(leverMeaning) || r.items[i].negated {
			continue
		}
		switch levers[r.items[i].row].id {
		case "minimum_income", "redistribution_strategy", "wage_subsidy":
			if it.group.who == "bottom" && it.group.share == 0 {
				return true
			}
		case "unemployment_benefit_rate", "benefit_months":
			if it.group.who == "unemployed" {
				return true
			}
		case "pension_replacement_rate", "pension_contribution_rate", "retirement_age_shift":
			if it.group.who == "retired" {
				return true
			}
		case "progressive_tax":
			return it.group.who == ""
		}
	}
	return false
}

// concerns says whether a group limits a lever: "for students", not "students work".
func (r *reading) concerns(i int) bool {
	switch r.tokens.word(r.items[i].start - 1) {
	case "for", "to", "on", "of", "对", "给", "向", "为":
		return true
	}
	return r.items[i].group.share > 0
}

// paid is the lever by which a group is paid, "" where the question pays it nothing: a verb
// such as "give" or 发 and an amount of money stand in the group's clause, and no lever.
func (r *reading) paid(i int) string {
	id := map[string]string{"all": "universal_basic_income", "bottom": "bottom_decile", "unemployed": "unemployed", "retired": "retired"}[r.items[i].group.who]
	if id == "" {
		return ""
	}
	verbs, money := false, false
	for j := range r.items {
		other := &r.items[j]
		if other.clause != r.items[i].clause {
			continue
		}
		if other.is(leverMeaning) && !other.effect {
			return ""
		}
		verbs = verbs || other.is(verbMeaning) && (other.verb == introduce || other.verb == raise)
		money = money || other.number != nil && (other.number.unit == moneyUnit || other.number.unit == plainUnit)
		if n := other.number; n != nil && n.unit == percentUnit && n.of == ofMean && id == "universal_basic_income" {
			money = true
		}
	}
	if !verbs || !money {
		return ""
	}
	return id
}

// pay makes a lever of a group that is paid.
func (r *reading) pay(i int, id string) {
	it := &r.items[i]
	row := leverIndex[id]
	if it.group.share > 0 && it.group.share != .1 {
		r.unmapped(r.text(it.start, it.end), "the poorest group that money can go to is the bottom tenth", "资金可投向的最低收入群体是最低的十分之一")
	}
	g := item{entry: &entry{meaning: leverMeaning, row: row, of: levers[row].of, text: it.group.text}, start: it.start, end: it.end, clause: it.clause, phrase: it.phrase, change: introduce, sign: 1, lo: it.lo, hi: it.hi}
	for j := range r.items {
		other := &r.items[j]
		if other.clause == it.clause && other.is(verbMeaning) {
			g.cover(other)
		}
		if other.number == nil || other.phrase != it.phrase {
			continue
		}
		q := *other.number
		switch {
		case q.unit == monthsUnit:
			g.timing = append(g.timing, q)
		case other.clause == it.clause:
			q.role = toRole
			g.sizes = append(g.sizes, q)
			g.cover(other)
		}
		other.bound = true
	}
	r.items[i] = g
}
