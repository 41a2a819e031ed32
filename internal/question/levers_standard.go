package question

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"econ-mcp/sim"
)

// standardSize is the one documented change of a lever that is taken where a question says which way
// but not how far. A lever without one is asked about.
type standardSize struct {
	by   float64 // added or, of a fall, taken away; in the unit of the lever; 0 = see to
	to   float64 // what it becomes where there is none or less of it
	only int     // 1 only of a rise, -1 only of a fall, 0 of both: for what has happened one way only
	// named says that "change" is enough: whoever says that AI changes the labour market means that it comes.
	named bool

	en, zh string // where the size comes from
}

// standards are the levers that have one standard size: that by which the literature measures them,
// what a law or a well-known reform made of them, or what a scenario of ours has. docs/GUIDE.md says
// so to users. Crises and fears are no policies: theirs are those of the scenarios.
var standards = map[string]standardSize{
	"vat_rate": {
		by: .03, en: "as Germany raised it in 2007 and cut it in 2020", zh: "德国2007年上调、2020年下调的幅度",
	},
	"income_tax_rate": {
		by: .015, en: "about 1 % of GDP, by which Romer and Romer (2010) measure tax changes",
		zh: "约为GDP的1%，即Romer和Romer（2010）衡量税收变动的幅度",
	},
	"corporate_tax_rate": {
		by: .1, en: "by which Djankov et al. (2010) measure its effect on investment", zh: "Djankov等（2010）衡量其投资效应的幅度",
	},
	"tariff_rate":     {by: .1, only: 1, en: "the general tariff of the United States of April 2025", zh: "美国2025年4月普遍关税的税率"},
	"green_levy_rate": {by: .05, only: 1, en: "as in the scenario green_transition", zh: "与情景green_transition相同"},
	"inherent_market_consumption_rate": {
		by: .01, en: "by which fiscal multipliers are measured (Coenen et al., 2012)", zh: "衡量财政乘数的通用幅度（Coenen等，2012）",
	},
	"government_employment_share": {
		by: .01, en: "a job for every hundred people (Algan et al., 2002, measure per job)",
		zh: "每百人一个岗位（Algan等，2002，按每个岗位衡量）",
	},
	"redistribution_equal": {to: .01, en: "by which transfers are compared (Coenen et al., 2012)", zh: "比较转移支付的通用幅度（Coenen等，2012）"},
	"redistribution_poor":  {to: .01, en: "by which transfers are compared (Coenen et al., 2012)", zh: "比较转移支付的通用幅度（Coenen等，2012）"},
	"austerity":            {to: .15, en: "as in the scenario austerity", zh: "与情景austerity相同"},
	"public_research_share": {
		to: .01, en: "the public third of the goal of 3 % of Barcelona (2002)",
		zh: "2002年巴塞罗那欧洲理事会3%研发目标中的公共部分",
	},
	"research_subsidy_rate":  {to: .3, en: "as in the scenario green_transition", zh: "与情景green_transition相同"},
	"job_retention_share":    {to: .8, en: "as in the scenario pandemic", zh: "与情景pandemic相同"},
	"universal_basic_income": {to: .1, en: "as in the scenario ubi", zh: "与情景ubi相同"},

	"minimum_wage": {to: .6, en: "the reference of Directive (EU) 2022/2041", zh: "欧盟指令2022/2041的参考值"},
	"unemployment_benefit_rate": {
		by: .1, en: "by which Bassanini and Duval (2006) measure its effect", zh: "Bassanini和Duval（2006）衡量其效应的幅度",
	},
	"benefit_months": {
		by: 6, en: "from 12 to 18 months, as in Schmieder et al. (2012)",
		zh: "Schmieder、von Wachter和Bender（2012）研究的幅度：由12个月到18个月",
	},
	"retirement_age_shift": {by: 2, en: "the step from 65 to 67 of the United States and Germany", zh: "美国和德国由65岁到67岁的幅度"},
	"migration_rate": {
		by: .0012, only: 1, en: "1.4 % a year, the net immigration of Germany in 2015", zh: "每年约为人口的1.4%，即德国2015年的净移民率",
	},

	"fixed_policy_rate": {
		by: .01, en: "by which effects of monetary policy are compared (Ramey, 2016)", zh: "比较货币政策效应的通用幅度（Ramey，2016）",
	},
	"inflation_target": {
		by: .02, only: 1, en: "the proposal of Blanchard, Dell'Ariccia and Mauro (2010)", zh: "Blanchard、Dell'Ariccia和Mauro（2010）的建议",
	},
	"capital_requirement":    {by: .01, en: "by which the Basel Committee (2010) measures its effect", zh: "巴塞尔委员会（2010）衡量其效应的幅度"},
	"countercyclical_buffer": {to: .025, en: "the buffer of Basel III", zh: "《巴塞尔协议III》的缓冲比例"},
	"loan_spread":            {by: .02, only: 1, en: "as in the scenario credit_crunch", zh: "与情景credit_crunch相同"},
	"fixed_exchange_rate": {
		by: .1, only: 1, en: "by which the IMF (2015) measures effects of a devaluation", zh: "国际货币基金组织（2015）衡量贬值效应的幅度",
	},

	"world_interest_rate": {by: .01, en: "by which Uribe and Yue (2006) measure its effect", zh: "Uribe和Yue（2006）衡量其效应的幅度"},
	"separation_rate":     {by: .0045, only: 1, en: "a third, as in the scenario crisis", zh: "约三分之一，与情景crisis相同"},
	"world_demand_factor": {
		by: .12, en: "by as much as world trade fell in 2009 (WTO, 2010)", zh: "幅度同2009年世界贸易的跌幅（世界贸易组织，2010）",
	},
	"retaliation_share":            {to: 1, named: true, en: "in kind, as in the scenario trade_war", zh: "同等报复，与情景trade_war相同"},
	"confidence":                   {by: .02, only: -1, en: "as in the scenario demand_slump", zh: "与情景demand_slump相同"},
	"propensity_to_consume_income": {by: .03, only: -1, en: "as in the scenario demand_slump", zh: "与情景demand_slump相同"},
	"ai_adoption_rate":             {to: .01, named: true, en: "as in the scenario ai_wave", zh: "与情景ai_wave相同"},
}

// standard is what a lever becomes where a question says which way, not how far, with where that size
// comes from; false where it has no one standard size for that, or where the question says more than that.
func (r *resolver) standard(l lever, h happening, now float64, sign int) (x float64, ok bool) {
	s, ok := standards[l.id]
	least, most := l.limits()
	begins := now == 0 && (h.change == raise || h.change == introduce || h.change == move && s.named ||
		h.change == noChange && (least >= 0 || s.only > 0)) // to speak of what there is none of means that it comes
	if begins {
		sign = 1
	}
	if !ok || h.small || h.large || sign == 0 || s.only == -sign || !s.named && !r.bare(h, sign) {
		return 0, false
	}
	switch {
	case s.by != 0:
		x = now + float64(sign)*s.by
	case begins || sign > 0 && now < s.to:
		x = s.to
	default:
		return 0, false
	}
	if x = tidy(x); x < least-1e-9 || x > most+1e-9 || math.Abs(x-now) < 1e-9 {
		return 0, false
	}
	r.assume("%s: %s, %s", "%s：%s（%s）", l.known(r.s.lang), r.saidValue(l, x, now), either(r.s.lang, s.en, s.zh))
	return x, true
}

// directions are words for a size without a number, and for the other direction than a rise or a fall: where
// nothing took them, they may say more than was read. multiples are sizes whatever took them.
var directions = map[string]map[int]*regexp.Regexp{
	"en": {
		1:  regexp.MustCompile(`(?i)\b((more|less|fewer|higher|lower|up|down) (and|or) [a-z]+|less|fewer|lower|down|(back )?to (the|its|their|what|where|a)\b)`),
		-1: regexp.MustCompile(`(?i)\b((more|less|fewer|higher|lower|up|down) (and|or) [a-z]+|more|higher|up|(back )?to (the|its|their|what|where|a)\b)`),
	},
	"zh": {
		1:  regexp.MustCompile(`[少低松紧减降缩宽严][到至得]?|[多高加升涨增][到至得]|[到至为成](原来|之前|以前|从前)`),
		-1: regexp.MustCompile(`[多高松紧加升涨增宽严][到至得]?|[少低减降缩][到至得]|[到至为成](原来|之前|以前|从前)`),
	},
}

var multiples = regexp.MustCompile(`(?i)\b(halv\w+|doubl\w+|half|twice)\b|减半|翻[倍番]|一半|对折`)

// linked are words by which something else gives the size.
var linked = regexp.MustCompile(`(?i)\b(in (line|step|tandem) with|(linked|tied|pegged|indexed) to)\b|` +
	`(随|跟着?|按照?|与|和|同)(物价|通胀|通货膨胀|CPI|生产率|GDP|工资)(的)?(涨幅|上涨|增长|变化|变动)?(一起|同步|挂钩|联动|涨|走|调整|上调|浮动)`)

// bare says whether a question names one change and nothing that could be its size: two changes of
// standard size would be compared as if they were alike, and a word that nothing took may say how far.
func (r *resolver) bare(h happening, sign int) bool {
	another := func(other happening) bool { return other.target() != h.target() }
	if len(r.s.everywhere) > 0 || len(r.s.arms) != 1 || slices.ContainsFunc(r.s.arms[0].happens, another) {
		return false
	}
	if slices.ContainsFunc(r.s.outcomes, func(w wish) bool { return w.indicator == sim.PolicyRate && w.expect != 0 }) {
		return false // "lower world demand and lower interest rates"
	}
	text := string(r.text)
	for _, at := range directions[r.s.lang][sign].FindAllStringIndex(text, -1) {
		span := Span{utf8.RuneCountInString(text[:at[0]]), utf8.RuneCountInString(text[:at[1]])}
		if r.sameClause(h.span, span) && !taken(r.s.marks, span) {
			return false
		}
	}
	return !multiples.MatchString(text) && !linked.MatchString(text)
}

// sameClause says whether no stop stands between two spans.
func (r *resolver) sameClause(a, b Span) bool {
	if b.From < a.From {
		a, b = b, a
	}
	return a.To >= b.From || !strings.ContainsAny(string(r.text[a.To:b.From]), ",.;:?!，。；：？！")
}

// taken says whether a word that became something covers a span whole.
func taken(marks []mark, span Span) bool {
	return slices.ContainsFunc(marks, func(m mark) bool {
		return m.kind == usedMark && m.span.From <= span.From && span.To <= m.span.To
	})
}
