package question

import "regexp"

// inScope says whether a question of which nothing was understood is about an economy or an experiment: it is asked
// what should change, rather than refused. Vague questions are of words that everybody knows; one with several
// words that became nothing is about something that they name.
func (r *resolver) inScope() bool {
	unknown := 0
	for _, m := range joinMarks(r.text, r.s.marks) {
		if m.kind == colourMark || m.kind == strayMark {
			unknown++
		}
	}
	return unknown <= 2 && economic[r.s.lang].MatchString(string(r.text))
}

// economic are words that tell of an economy or an experiment.
var economic = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(tax(es|ed|ation|payers?)?|banks?|banking|bankers?|state|government|treasury|econom(y|ic|ies)|inflation|` +
		`wages?|pay rises?|salar(y|ies)|fiscal|monetary|budgets?|trade|tariffs?|subsid(y|ies)|welfare|(un)?employ(ment|ers?|ees?|ed)|jobless|` +
		`recessions?|depression|debts?|deficits?|invest(ment|ors?)|bonds?|pensions?|exports?|imports?|currenc(y|ies)|workers?|workforce|` +
		`unions?|poverty|inequality|growth|gdp|spending|austerity|pollut(e|ers?|ion)|emissions?|firms?|compan(y|ies)|business(es)?|` +
		`shop(s|keepers?)?|consumers?|households?|prices?|reprice|industr(y|ies)|layoffs?|labou?r|automation|markets?|demand|` +
		`cheques?|credit|loans?|lend(ing)?|borrow(ing)?|money|incomes?|rich|poor|society|` +
		`costs?|paid|pay|ow(e|es|ed|ing)|stocks|warehouses?|green|` +
		`parameters?|rates?|rules?|limits?|ceilings?|caps?|thresholds?|levels?|the (old|new|other|first|second|same) (one|way|plan)|` +
		`polic(y|ies)|reforms?|experiments?|simulat(e|ion)|scenarios?|baseline|interest rates?)\b|\d ?(%|percent\b|per cent\b|points?\b)`),
	"zh": regexp.MustCompile(`税|银行|央行|政府|国家|财政|货币|经济|通胀|物价|价格|工资|薪|预算|贸易|关税|补贴|福利|失业|就业|衰退|债|赤字|投资|养老金|` +
		`出口|进口|汇率|工人|工会|贫困|贫富|增长|GDP|支出|紧缩|排放|企业|公司|消费|家庭|行业|裁员|劳动|市场|需求|政策|改革|实验|模拟|情景|基准|利率|` +
		`\d ?%|百分|个点|一半|[0-9一二三四五六七八九十百千万]+(亿|万元|个百分点)`),
}
