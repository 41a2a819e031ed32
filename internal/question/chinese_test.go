package question

import (
	"strings"
	"testing"
)

func TestChineseForms(t *testing.T) {
	for question, want := range map[string]string{
		"增值税从8%提高到15%，物价会怎样？":     "{vat_rate raise from 8% to 15%} | outcomes cpi",
		"个税下调两个百分点，为期一年半，消费能增加吗？": "{income_tax_rate lower by 2pp, for 18} | outcomes real_consumption higher",
		"央行加息二十五个基点":              "{fixed_policy_rate raise by 0.25pp}",
		"把公务员人数砍掉三分之一":            "{government_employment_share lower by part 0.333333}",
		"企业研发投入翻一番，对创新有什么影响":      "{innovation_research_share double} | outcomes innovation_events",
		"失业金减半": "{unemployment_benefit_rate halve}",
		"取消所有关税，出口会增加吗？":          "{tariff_rate abolish} | outcomes exports higher",
		"对食品免征增值税":                "{vat_rate abolish, industry 01}",
		"给每个失业的人每月发五百块，发一年":       "{pay introduce to 500money, for 12, group unemployed}",
		"给每户一次性发放2万元":             "{pay introduce to 20000money, for 1, group all}",
		"最低工资定为中位数的50%、60%或者70%":  "{minimum_wage settle dose 50% of median dose 60% of median dose 70% of median}",
		"在不加税的前提下，政府采购增加GDP的1%":   "{inherent_market_consumption_rate raise by 1% of GDP} | held income_tax_rate/vat_rate/corporate_tax_rate",
		"在德国，所得税降到20%会怎样？":        "{income_tax_rate lower to 20%} | in de_like",
		"疫情期间给银行注资，每月300元":        "{pay settle to 300money, group banks} | in pandemic",
		"如果失业率超过10%，就把失业金提高到70%":  "{unemployment_benefit_rate raise to 70%, when unemployment_rate>10%}",
		"从第二年起，用三年逐步把退休年龄推迟两岁":    "{retirement_age_shift raise by 2y, from 13, ramp 36}",
		"三年后关税提到一成五":              "{tariff_rate raise to part 0.15, from 37}",
		"未来十年，人口每年减少1%，债务会怎样":     "{population_growth lower by 1% per 12m} | outcomes debt_to_gdp | horizon 120",
		"提高最低工资还是发基本收入，哪个更能减少贫困？": "{minimum_wage raise} {universal_basic_income introduce} | outcomes poverty_rate",
		"关税涨到20%，还是什么都不做？":        "{tariff_rate raise to 20%}",
		"增值稅由8%調高至10%，失業率會怎樣？":    "{vat_rate raise from 8% to 10%} | outcomes unemployment_rate",
		"Ｇ２０之后，油价大涨，通胀会怎样":        "{import_price_factor raise much} | outcomes inflation",
		"降低税":                 "{income_tax_rate/vat_rate/corporate_tax_rate lower}",
		"深圳把最低工资提高一成":         "{minimum_wage raise by part 0.1} | foreign place",
		"红烧肉怎么做":              "foreign cooking",
		"所得税不提高，增值税提高两个点":     "{vat_rate raise by 2pp} | held income_tax_rate",
		"给最穷的20%家庭每月发300元":    "{pay introduce to 300money, group bottom_decile} | stops group 1-4",
		"左邻右舍都说紫薇花开。最低工资提高一成": "{minimum_wage raise by part 0.1}",
		"最低工资提高紫薇一成":          "{minimum_wage raise by part 0.1} | stops stray 6-8",
		"央行买入三成国债":            "{central_bank_bond_share settle to part 0.3}",
		"全民基本收入每月600元，钱从增值税里出，基尼系数会变吗？": "{universal_basic_income settle to 600money per 1m, paid by vat_rate} | outcomes income_gini",
		"政府支出增加GDP的2%":                  "{inherent_market_consumption_rate raise by 2% of GDP}",
		"公共支出削减5%":                      "{austerity raise by 5%}",
		"政府支出提高10%":                     "{inherent_market_consumption_rate raise by 10%} | stops policy 0-9",
		"外国货涨价三成，半年后恢复原样":               "{import_price_factor raise by part 0.3, for 6}",
		"除了食品，其他商品的增值税都提高到12%":          "{vat_rate raise to 12%} | stops negation 0-2",
		"基本收入每人每天发20块":                  "{universal_basic_income settle to 20money} | stops time 6-8",
		"劳动生产率每年提高2%":                   "{labor_productivity_factor raise by 2% per 12m} | stops time 5-7",
		"对汽车和家电征20%的消费税":                "{vat_rate settle to 20%, industry 07} | stops group 4-6",
		"利率提高25个基点和提高100个基点，哪个对投资冲击更大？": "{fixed_policy_rate raise dose 0.25pp dose 1pp} | outcomes real_investment higher",
		"AI浪潮和疫情，哪个对就业打击更大？":            "{in ai_wave} {in pandemic} | outcomes employment_rate higher",
		"政府多雇GDP的1%的科研人员，还是让人人背诵唐诗？":    "{public_research_share raise by 1% of GDP} | stops comparison 16-18",
		"汇率跌两成":                         "{fixed_exchange_rate move by part 0.2}",
		"假设央行在第6个月加息一个点，在第18个月降回来":      "{fixed_policy_rate raise by 1pp, from 6, for 12}",
		"拿GDP的2%专门补给失业的人":               "{redistribution_unemployed settle to 2% of GDP}",
		"最低工资没有提高到60%":                  "{minimum_wage raise to 60%} | stops negation 4-6",
		"公务员的工资涨10%":                    "{government_employment_share raise by 10%} | stops stray 4-6",
		"直到通胀回到2%以下，利率都保持在6%":           "{fixed_policy_rate settle to 6%, until inflation<2%}",
		"失业金打八折":                        "{unemployment_benefit_rate settle to 0.8x}",
	} {
		if got := readChinese(question).String(); got != want {
			t.Errorf("%s\n got %s\nwant %s", question, got, want)
		}
	}
}

// Everyday words may be passed over: none of them holds what changes a question.
func TestGeneralWords(t *testing.T) {
	words := strings.Fields(generalHan)
	for _, w := range words {
		if strings.ContainsAny(w, "不没未非别税薪贷钱裁雇退增减升降一二三四五六七八九十百千半倍年月") {
			t.Errorf("%s may matter", w)
		}
	}
	if len(words) < 10000 {
		t.Error(len(words))
	}
}
