package question

import "testing"

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
	} {
		if got := chinese(question).String(); got != want {
			t.Errorf("%s\n got %s\nwant %s", question, got, want)
		}
	}
}
