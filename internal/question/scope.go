package question

import "regexp"

// inScope says whether a question of which nothing was understood is about an economy or an experiment, and proposes
// something: then it is asked what should change, rather than refused.
func (r *resolver) inScope() bool {
	text := string(r.text)
	return economic[r.s.lang].MatchString(text) && proposing[r.s.lang].MatchString(text)
}

// proposing are words by which a question proposes, supposes or compares.
var proposing = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(if|would|could|compar(e|ed|ing)|weigh|against|versus|vs|instead|should (the|a|it|there|we|they|banks|firms)|may|must|` +
		`more|less|fewer|higher|lower(s|ed|ing)?|rais(e|ed|ing)|cut(s|ting)?|lift(ed|ing)?|reduc(e|ed|ing)|increas(e|ed|ing)|chang(e|es|ed|ing)|` +
		`(in|from) (month|year)|reform(s|ed)?|introduc(e|ed|ing)|abolish(ed|ing)?|try|test|simulate|yes or no|and (at|with)|different|supposed?|let)\b`),
	"zh": regexp.MustCompile(`如果|要是|假如|假设|的话|会|要|该|把|让|比|还是|改|换|提高|降|升|加|减|增|取消|试|行不行|怎么样|多|少`),
}

// economic are words that tell of an economy or an experiment.
var economic = map[string]*regexp.Regexp{
	"en": regexp.MustCompile(`(?i)\b(tax(es|ed|ation|payers?)?|banks?|banking|state|government|treasury|econom(y|ic|ies)|inflation|` +
		`wages?|pay rises?|fiscal|monetary|budgets?|tariffs?|subsid(y|ies)|welfare|(un)?employ(ment|ers?|ees?|ed)|jobless|` +
		`recessions?|debts?|deficits?|investment|bonds?|pensions?|exports?|imports?|workers?|workforce|` +
		`poverty|inequality|growth|gdp|spending|austerity|pollut(ers?|ion)|emissions?|firms|companies|` +
		`shop(s|keepers?)|consumers?|households?|prices|reprice|industries|layoffs?|labou?r|automation|demand|society|cheques?|credit|` +
		`polic(y|ies)|reforms?|experiments?|simulat(e|ion)|scenarios?|baseline|interest rates?|parameters?|ceilings?|thresholds?)\b` +
		`|\d ?(%|percent\b|per cent\b|points?\b)`),
	"zh": regexp.MustCompile(`税|银行|央行|政府|财政|货币|经济|通胀|物价|工资|薪|预算|贸易|关税|补贴|福利|失业|就业|衰退|债|赤字|养老金|` +
		`出口|进口|汇率|工人|工会|贫困|贫富|增长|GDP|支出|紧缩|排放|企业|消费|家庭|行业|裁员|劳动|需求|政策|改革|实验|模拟|情景|基准|利率|` +
		`\d ?%|百分|个点|一半|[0-9一二三四五六七八九十百千万]+(亿|万元|个百分点)`),
}
