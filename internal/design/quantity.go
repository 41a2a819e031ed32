package design

import (
	"slices"
	"strings"
)

// quantityUnit says what a number in a question counts.
type quantityUnit int

const (
	plainUnit    quantityUnit = iota
	percentUnit               // x = .05 for 5 %
	pointsUnit                // percentage points; x = .05 for five of them
	moneyUnit                 // currency units
	fractionUnit              // x = 1/3 for "a third"
	factorUnit                // x = 3 for "three times"
	monthsUnit                // x = 24 for "two years"
)

// role says which part a number plays for what it belongs to.
type role int

const (
	bareRole    role = iota
	fromRole         // from 8 %
	toRole           // to 15 %
	byRole           // by a third
	lastingRole      // for two years
	rampRole         // over 12 months
	afterRole        // after a year
	atRole           // in the second year: x is the month in which it begins
	horizonRole      // over the next ten years
)

// measure is what a share is one of.
type measure int

const (
	ofNothing measure = iota
	ofGDP
	ofMedian
	ofMean
)

// quantity is a number with all that the question says of it.
type quantity struct {
	unit     quantityUnit
	x        float64
	of       measure
	per      int // months of the period that a rate is for: "a year" is 12
	role     role
	explicit bool // of toRole: "to" or 到, rather than "of" or nothing
	start    int  // tokens
	end      int
}

var measures = []struct {
	of      measure
	phrases []string
}{
	{ofGDP, []string{"gdp", "output", "national income", "国内生产总值", "国民收入", "产出", "经济总量"}},
	{
		ofMedian,
		[]string{"median wage", "median income", "median earning", "median pay", "median", "工资中位数", "中位数工资", "收入中位数", "中位工资", "中位数"},
	},
	{
		ofMean,
		[]string{
			"average wage",
			"mean wage",
			"average income",
			"mean income",
			"average pay",
			"average earning",
			"mean",
			"average",
			"平均工资",
			"人均收入",
			"平均收入",
			"均值",
		},
	},
}

// ignored are measures that the parameter itself implies.
var ignored = []string{
	"asset", "labor force", "workforce", "population", "last wage", "previous wage", "revenue", "loan", "wage", "license", "license fee",
	"capital", "output",
	"household", "firm", "原工资", "最后工资", "资产", "人口", "劳动力", "营业收入", "收入", "许可费", "贷款",
}

func (s scan) measure(i int) (of measure, next int) {
	for _, m := range measures {
		if next, ok := s.skip(i, m.phrases...); ok {
			return m.of, next
		}
	}
	return ofNothing, i
}

// quantity reads the number with its unit at i.
func (s scan) quantity(i int) (q quantity, ok bool) {
	q = quantity{start: i, per: 0}
	at := i
	if of, next := s.measure(i); next > i { // GDP的5%, 工资中位数的六成
		next, joined := s.skip(next, "的", "之")
		if _, _, isNumber := s.amount(next); isNumber && (joined || of == ofGDP) {
			q.of, at = of, next
		}
	} else if next, is := s.skip(i, "原工资的", "最后工资的", "资产的", "人口的", "劳动力的", "工资的"); is {
		if _, _, isNumber := s.amount(next); isNumber {
			at = next
		}
	}
	money, found := s.skip(at, "$", "€", "£", "¥", "usd", "eur")
	if found {
		at = money
	}
	unit, next, ok := s.unitAndAmount(at, &q)
	if !ok {
		return q, false
	}
	q.unit = unit
	if found && unit == plainUnit {
		q.unit = moneyUnit
	}
	next = s.tail(next, &q)
	q.end = next
	if q.role == bareRole {
		q.role = s.roleBefore(i, q.unit)
		q.explicit = q.role == toRole && s.word(i-1) != "of"
		if q.role == toRole && s.copula(i-1) && (unit == pointsUnit || s.compares(next)) { // VAT were 2 points lower
			q.role, q.explicit = byRole, false
		}
	}
	if next2, ok := s.skip(next, "内", "之内", "以内", "期间"); ok && q.unit == monthsUnit {
		q.role, q.end = rampRole, next2
	}
	if next2, ok := s.skip(next, "之后", "以后", "后", "later"); ok && q.unit == monthsUnit {
		q.role, q.end = afterRole, next2
	}
	return q, true
}

// copula says whether a form of "to be" stands at i.
func (s scan) copula(i int) bool {
	return slices.Contains([]string{"is", "are", "was", "were", "be"}, s.word(i))
}

// compares says whether the word at i makes of the number before it a difference.
func (s scan) compares(i int) bool {
	_, ok := s.skip(
		i,
		"higher",
		"lower",
		"more",
		"less",
		"larger",
		"smaller",
		"bigger",
		"fewer",
		"longer",
		"shorter",
		"stronger",
		"weaker",
		"cheaper",
		"dearer",
	)
	return ok
}

// amount says whether any number stands at i.
func (s scan) amount(i int) (x float64, next int, ok bool) {
	if next, ok := s.skip(i, "百分之"); ok {
		return s.number(next)
	}
	if x, next, ok := s.fraction(i); ok {
		return x, next, true
	}
	return s.number(i)
}

// unitAndAmount reads the number at i and the unit that follows it.
func (s scan) unitAndAmount(i int, q *quantity) (unit quantityUnit, next int, ok bool) {
	if at, is := s.skip(i, "百分之"); is {
		if x, next, ok := s.number(at); ok {
			q.x = x / 100
			return percentUnit, next, true
		}
	}
	if next, is := s.skip(i, "半年", "half a year", "half year", "six month"); is {
		q.x = 6
		return monthsUnit, next, true
	}
	if next, is := s.skip(i, "一年半"); is {
		q.x = 18
		return monthsUnit, next, true
	}
	if x, at, is := s.fraction(i); is {
		q.x = x
		if unit, next, is := s.partOf(at); is {
			q.x *= .01
			return unit, next, true
		}
		if next, is := s.skip(at, "of gdp", "of the median", "of the mean", "of the average"); is && next > at {
			return percentUnit, at, true
		}
		return fractionUnit, at, true
	}
	if unit, next, ok := s.ordinal(i, q); ok {
		return unit, next, ok
	}
	if next, is := s.skip(i, "decade", "十年"); is {
		q.x = 120
		return monthsUnit, next, true
	}
	if s.word(i) == "a" || s.word(i) == "one" {
		if months, next := s.period(i + 1); months > 0 {
			q.x = float64(months)
			return monthsUnit, next, s.word(i) == "one" || s.isTiming(i)
		}
	}
	x, at, is := s.number(i)
	if !is {
		return 0, i, false
	}
	q.x = x
	if s.word(at) == "-" {
		if months, next := s.period(at + 1); months > 0 {
			q.x *= float64(months)
			return monthsUnit, next, true
		}
	}
	if months, next := s.period(at); months > 0 {
		if x > 1000 && months == 12 { // 2030年
			return 0, i, false
		}
		q.x *= float64(months)
		return monthsUnit, next, true
	}
	for _, u := range []struct {
		unit    quantityUnit
		factor  float64
		phrases []string
	}{
		{pointsUnit, .01, []string{"percentage point", "percent point", "% point", "per cent point", "pp", "ppt", "个百分点", "百分点", "point"}},
		{pointsUnit, 1e-4, []string{"basis point", "bp", "bps", "个基点", "基点"}},
		{percentUnit, .01, []string{"%", "percent", "per cent"}},
		{percentUnit, .1, []string{"成"}},
		{factorUnit, 1, []string{"time", "fold", "x", "倍"}},
		{moneyUnit, 1, []string{"unit", "dollar", "euro", "yuan", "pound", "个单位", "元钱", "元", "块钱", "块", "单位", "美元", "欧元", "人民币"}},
	} {
		if next, ok := s.skip(at, u.phrases...); ok {
			q.x *= u.factor
			return u.unit, next, true
		}
	}
	return plainUnit, at, true
}

// partOf reads what makes a fraction one of a percent or of a percentage point: "half a
// percent", "three quarters of a point". 半个百分点 is read as .5 of them.
func (s scan) partOf(i int) (unit quantityUnit, next int, ok bool) {
	if next, ok := s.skip(i, "of a", "of one", "a", "of"); ok {
		i = next
	}
	if next, ok := s.skip(i, "percentage point", "percent point", "% point", "per cent point", "point", "个百分点"); ok {
		return pointsUnit, next, true
	}
	if next, ok := s.skip(i, "percent", "per cent", "%"); ok {
		return percentUnit, next, true
	}
	return plainUnit, i, false
}

// isTiming says whether the word before an article makes "a year" a span of time.
func (s scan) isTiming(i int) bool {
	switch s.word(i - 1) {
	case "for", "over", "within", "after", "in", "lasting", "during":
		return true
	}
	return false
}

// period is the length in months of the unit of time at i, 0 if none stands there.
func (s scan) period(i int) (months, next int) {
	for _, p := range []struct {
		months  int
		phrases []string
	}{
		{12, []string{"year", "年"}}, {3, []string{"quarter", "个季度", "季度"}}, {1, []string{"month", "个月", "月"}}, {120, []string{"decade"}},
	} {
		if next, ok := s.skip(i, p.phrases...); ok {
			if p.phrases[len(p.phrases)-1] == "年" {
				next, _ = s.skip(next, "时间", "间")
			}
			return p.months, next
		}
	}
	return 0, i
}

// ordinal reads points of time: year 2, the second year, month 13, 第二年, 第13个月.
func (s scan) ordinal(i int, q *quantity) (unit quantityUnit, next int, ok bool) {
	set := func(n float64, months int) {
		q.x, q.role = float64(months)*(n-1)+1, atRole
	}
	if at, is := s.skip(i, "第"); is {
		if n, at, is := s.number(at); is {
			if months, next := s.period(at); months > 0 {
				set(n, months)
				next, _ = s.skip(next, "开始", "起", "初")
				return monthsUnit, next, true
			}
		}
	}
	if months, at := s.period(i); months > 0 && s[i].kind == wordToken {
		if n, next, is := s.number(at); is && n >= 1 && n < 1000 {
			set(n, months)
			return monthsUnit, next, true
		}
	}
	if n, is := englishOrdinals[s.word(i)]; is {
		if months, next := s.period(i + 1); months > 0 {
			set(n, months)
			return monthsUnit, next, true
		}
	}
	return 0, i, false
}

// tail reads what may follow a number and its unit: of GDP, a month.
func (s scan) tail(i int, q *quantity) int {
	if q.unit == monthsUnit {
		return i
	}
	if at, is := s.skip(i, "extra", "more", "less"); is && q.unit != percentUnit {
		if _, next, ok := s.perPeriod(at); ok {
			q.per = 1
			i = next
		}
	}
	if at, is := s.skip(i, "of"); is {
		at, _ = s.skip(at, "the", "their", "its", "all", "firm")
		if of, next := s.measure(at); next > at {
			q.of = of
			i = next
		} else if next, is := s.skip(at, ignored...); is {
			i = next
		}
	}
	if months, next, ok := s.perPeriod(i); ok {
		q.per = months
		i = next
		if q.unit == plainUnit {
			q.unit = moneyUnit
		}
	}
	return i
}

// perPeriod reads "a month", "per year", "monthly", 每月.
func (s scan) perPeriod(i int) (months, next int, ok bool) {
	if at, is := s.skip(i, "monthly"); is {
		return 1, at, true
	}
	if at, is := s.skip(i, "annually", "yearly"); is {
		return 12, at, true
	}
	at, is := s.skip(i, "a", "per", "each", "every", "/", "每")
	if !is {
		return 0, i, false
	}
	months, next = s.period(at)
	return months, next, months > 0
}

// fillers may stand between a preposition and its number.
var fillers = map[string]bool{
	"about": true, "around": true, "roughly": true, "only": true, "just": true, "up": true, "some": true, "the": true, "a": true, "all": true,
	"约": true, "近": true, "每": true, "其": true, "了": true, "another": true, "least": true, "next": true, "coming": true, "an": true,
}

// roleBefore finds the word that says which part the quantity at i plays.
func (s scan) roleBefore(i int, unit quantityUnit) role {
	time := unit == monthsUnit
	j := i - 1
	next := false
	for ; j >= 0 && (fillers[s.word(j)] || s[j].kind == signToken && s.word(j) == "$"); j-- {
		next = next || s.word(j) == "next" || s.word(j) == "coming"
	}
	if j < 0 {
		return bareRole
	}
	if s[j].kind == hanToken {
		return s.roleBeforeHan(i, time)
	}
	if s.is(j-1, "instead") || s.is(j-1, "rather") {
		return fromRole // 18 months instead of 12
	}
	switch s.word(j) {
	case "from":
		if time {
			return afterRole
		}
		return fromRole
	case "to", "at", "of", "until", "than", "=", "reach", "reaches", "is", "are", "were", "was", "be":
		if time && s.word(j) != "to" && s.word(j) != "of" && s.word(j) != "at" {
			return bareRole
		}
		return toRole
	case "by":
		return byRole
	case "for", "lasting", "last", "lasts", "during":
		if time {
			return lastingRole
		}
	case "over", "within", "in":
		if time && next {
			return horizonRole
		}
		if time {
			return rampRole
		}
	case "after":
		if time {
			return afterRole
		}
	}
	return bareRole
}

func (s scan) roleBeforeHan(i int, time bool) role {
	before := ""
	for j := max(0, i-4); j < i; j++ {
		if s[j].kind == hanToken {
			before += s.word(j)
		} else {
			before = ""
		}
	}
	for _, r := range []struct {
		time     bool
		role     role
		suffixes []string
	}{
		{true, horizonRole, []string{"未来", "今后", "接下来"}},
		{true, lastingRole, []string{"为期", "持续", "历时", "长达", "维持", "连续"}},
		{true, rampRole, []string{"在", "用", "分", "内", "历经", "经过"}},
		{true, afterRole, []string{"从", "自"}},
		{false, fromRole, []string{"从", "由", "自", "原来是", "原为", "原来", "目前的", "现在的", "目前"}},
		{false, toRole, []string{"到", "至", "为", "成", "达", "在", "于", "是"}},
	} {
		if r.time && !time {
			continue
		}
		for _, suffix := range r.suffixes {
			if strings.HasSuffix(before, suffix) {
				return r.role
			}
		}
	}
	return bareRole
}
