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
		"6个月以后，关税从10%改为20%":             "{tariff_rate settle from 10% to 20%, from 7}",
		"增值税不是8%而是12%":                  "{vat_rate settle from 8% to 12%}",
		"降增值税两个点，还是提高失业金10个点，都是为期两年":    "{vat_rate lower by 2pp, for 24} {unemployment_benefit_rate raise by 10pp, for 24}",
		"增值税分三步提高到12%，一年半内到位":           "{vat_rate raise to 12%, ramp 18}",
		"失业率高于8%期间，失业金提高到70%":           "{unemployment_benefit_rate raise to 70%, when unemployment_rate>8%, again}",
		"如果政策利率提高到4.5%，失业率会怎样？":         "{fixed_policy_rate raise to 4.5%} | outcomes unemployment_rate",
		"两个方案：一是增值税提高到12%，二是再把所得税降到18%": "{vat_rate raise to 12%} {income_tax_rate lower to 18%}",
		"要么增值税降到5%，要么所得税降到18%":          "{vat_rate lower to 5%} {income_tax_rate lower to 18%}",
		"增值税提高到12%，最穷的五分之一家庭的收入会怎样？":    "{vat_rate raise to 12%} | outcomes real_income_mean (bottom_fifth)",
		"失业金打八折":                        "{unemployment_benefit_rate settle to 0.8x}",
		"卖烟卖酒的都说税重，要是把商品上附的那个税砍掉一个点，生意会好起来不？":         "{vat_rate lower by 1pp}",
		"把外国东西进关时要交的那笔钱提到两成，国内厂子受益吗":                  "{tariff_rate raise to part 0.2}",
		"企业利润要上缴国家的比例由21%降到15%，投资能旺吗？":                "{corporate_tax_rate lower from 21% to 15%} | outcomes real_investment",
		"谁在厂里冒黑烟谁掏钱，按营收的3%收，排放能降多少？":                  "{green_levy_rate settle to 3%} | outcomes emissions lower",
		"失业的人最多领一年救济，改成领两年，失业率怎么变？":                   "{benefit_months settle from 12m to 24m} | outcomes unemployment_rate",
		"假如外国人突然少买我们三成的东西，就业怎么样":                      "{world_demand_factor lower by part 0.3} | outcomes employment_rate",
		"国家出一半的研发工资，专利会多吗？":                           "{research_subsidy_rate settle to part 0.5}",
		"人人平均分GDP的2%，钱从所得税里出，基尼系数如何？":                 "{redistribution_equal settle to 2% of GDP, paid by income_tax_rate} | outcomes income_gini",
		"企业借债最多只能借到资产的六成，破产会少吗":                       "{max_leverage settle to part 0.6} | outcomes bankruptcies lower",
		"邻国货便宜了两成，咱们的厂子挺得住吗":                          "{import_price_factor lower by part 0.2}",
		"增值税和所得税，哪个降两个点对消费更有利？":                       "{vat_rate lower by 2pp} {income_tax_rate lower by 2pp} | outcomes real_consumption",
		"老板赚到手的钱，政府要拿走三成，会不会少招人":                      "{corporate_tax_rate settle to part 0.3} | outcomes employment_rate",
		"公司用机器人得给国家交20%的费，失业会少吗":                      "{robot_tax_rate settle to 20%} | outcomes unemployment_rate lower",
		"只允许饭店用一半的座位，持续四个月":                           "{industry_supply settle to part 0.5, for 4, industry 11}",
		"所得税降5个点好还是每人每月发200元好？":                       "{income_tax_rate lower by 5pp} {universal_basic_income introduce to 200money}",
		"不涨税的前提下把公务员扩到劳动力的16%":                        "{government_employment_share raise to 16%} | held income_tax_rate/vat_rate/corporate_tax_rate",
		"银行倒闭时先拿大储户的存款填窟窿，行吗？":                        "{bail_in introduce}",
		"增值税对奢侈品提高到15%":                               "{vat_rate raise to 15%} | stops stray 4-6",
		"国有单位职工退休推迟三年":                                "{retirement_age_shift raise by 3y} | stops stray 0-1",
		"增值税提高两个点，但月收入三千以下的人不受影响":                     "{vat_rate raise by 2pp} | outcomes real_income_mean | stops negation 19-23",
		"银行资本金要求提高到12%，小银行除外":                         "{capital_requirement raise to 12%} | stops negation 17-19",
		"加班的最低工资提高到60%":                               "{minimum_wage raise to 60%} | stops stray 1-2",
		"单身的人多交两个点所得税":                                "{income_tax_rate raise by 2pp} | stops stray 1-2",
		"拿出GDP的1.5%，平均分给所有家庭，还是集中发给穷人，哪个更管用？":         "{redistribution_equal settle to 1.5% of GDP} {redistribution_poor settle to 1.5% of GDP}",
		"靠加征增值税凑出GDP的3%的钱，平均撒给所有家庭":                   "{redistribution_equal settle to 3% of GDP, paid by vat_rate}",
		"最低工资定在中位数的45%好还是55%好？":                       "{minimum_wage settle dose 45% of median dose 55%}",
		"所得税改成三级累进，超过四倍平均工资的部分按55%收":                  "{progressive_tax settle to 55% of mean}",
		"凡是没人肯要的人，政府都按平均工资的四成给一份公共岗位":                 "{job_guarantee settle to part 0.4 of mean}",
		"第一种：从第4个月起，政府给每户发一笔钱，标准是平均工资的6%，一共发一年":       "{universal_basic_income introduce to 6% of mean, from 4, for 12}",
		"每挣一百块要扣十五块养老钱，降到十二块":                         "{pension_contribution_rate settle from part 0.15 to part 0.12}",
		"企业富余的人手六成改成缩短工时，而不是裁掉":                       "{job_retention_share settle to part 0.6}",
		"每个成年人（不是每户）每月领平均工资的一成":                       "{universal_basic_income introduce to part 0.1 of mean}",
		"居民想花的钱少了6%，持续九个月":                            "{consumption_demand_factor lower by 6%, for 9}",
		"给每户每月发平均工资的5%，钱靠加所得税来出，而不是靠发债":               "{universal_basic_income introduce to 5% of mean, paid by income_tax_rate}",
		"请把观察期放到八年：企业所得税降三个点":                         "{corporate_tax_rate lower by 3pp} | horizon 96",
		"航班停飞四成的运力，持续两个月":                             "{industry_supply lower by part 0.4, for 2} | stops stray 7-9",
		"一旦失业率超过9%，失业金就提到六成半，等失业率回到7%以下再恢复":           "{unemployment_benefit_rate raise to part 0.65, when unemployment_rate>9%, until unemployment_rate<7%}",
		"每当通胀冲过5%，央行就加息一个百分点，等回落到3%以下才停":              "{fixed_policy_rate raise by 1pp, when inflation>5%, until inflation<3%, again}",
		"关税现在是5%，要是改成15%，就业会怎样":                       "{tariff_rate settle from 5% to 15%} | outcomes employment_rate",
		"失业金现在领一年，缩到九个月会怎样":                           "{benefit_months settle from 12m to 9m}",
		"增值税今年提一个点，明年再提两个点，物价怎么走":                     "{vat_rate raise by 1pp, from 1; vat_rate raise by 2pp, from 13} | outcomes cpi",
		"先把关税降两个点，三年后再提到12%":                          "{tariff_rate lower by 2pp; tariff_rate raise to 12%, from 37}",
		"最低工资定成中位数的45%，跟定成55%比，哪个对就业更好？":              "{minimum_wage settle to 45% of median} {minimum_wage settle to 55% of median} | outcomes employment_rate",
		"宁可增值税涨一个点，也不要所得税涨两个点，对吗":                     "{vat_rate raise by 1pp} {income_tax_rate raise by 2pp}",
		"公务员从每百名劳动力13人减到11人":                          "{government_employment_share lower from part 0.13 to part 0.11}",
		"银行收紧，十家企业里有四家贷不到款，持续半年":                      "{credit_supply_factor lower by part 0.4, for 6}",
		"给每家每月发平均工资的5%，一种办法靠加增值税来付，另一种靠加所得税来付，哪种更公平？": "{universal_basic_income introduce to 5% of mean, paid by vat_rate} {universal_basic_income introduce to 5% of mean, paid by income_tax_rate} | outcomes income_gini",
		"企业所得税废掉，缺口靠个人所得税加3个百分点来补":                    "{corporate_tax_rate abolish; income_tax_rate raise by 3pp}",
		"不再让汇率浮动，改成固定汇率":                              "{exchange_rate_peg introduce}",
		"在trade_war情景下，企业所得税降3个百分点":                   "{corporate_tax_rate lower by 3pp} | in trade_war",
		"对进口货加征18%的关税":                                "{tariff_rate settle to 18%}",
		"研发补贴从第7个月起用三年逐年加到两成半":                        "{research_subsidy_rate raise to part 0.25, from 7, ramp 36}",
		"碳税上调至6%": "{green_levy_rate raise to 6%}",
		"谁家收入不到平均工资的两成半，政府补到这个数": "{minimum_income settle to part 0.25 of mean}",
		"增值税只在第13到第36个月提到11%":    "{vat_rate raise to 11%, from 13, for 24}",
		"政策利率调到0.7":              "{fixed_policy_rate settle to 0.7} | stops number 6-9",
		"通胀不降到2%以下，利率就一直定在5%":    "{fixed_policy_rate settle to 5%, when inflation>2%}",
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
