package question

import (
	"strings"
	"testing"
)

// Forms in which people ask, in both languages: what each becomes.
func TestRead(t *testing.T) {
	for text, want := range map[string]string{
		"要是外需突然少了三成,失业会怎样":                                                                    "world_demand_factor=0.7@1",
		"让企业少交五个点的利润税":                                                                        "corporate_tax_rate=0.16@1",
		"公务员裁掉三分之一":                                                                           "government_employment_share=0.093333333@1",
		"免征食品增值税":                                                                             "vat_rates_by_industry=01: 0@1",
		"增值税从8%提高到10%会怎样":                                                                     "vat_rate=0.1@1",
		"给每人一次性发1000元,消费如何":                                                                   "pay all=1000@1+1",
		"What if we exempt food from VAT?":                                                    "vat_rates_by_industry=01: 0@1",
		"VAT up by 3 points: what becomes of the participation rate?":                         "enable_demography=true | vat_rate=0.11@1",
		"Raise public purchases by 1 percent of GDP while the policy rate stays at 3 percent": "fixed_policy_rate=0.03 policy_rate_rule=fixed@1 | inherent_market_consumption_rate=0.11@1",
		"Cut VAT to 5 percent, with the income tax kept at 25 percent":                        "income_tax_rate=0.25@1 | vat_rate=0.05@1",
		"Trim the civil service by a tenth in equal steps over a three-year period":           "government_employment_share=0.126@1/36",
		"VAT at 11 percent from the second year until the end of the fourth":                  "vat_rate=0.11@13+36",
		"Should inflation rise above 6 percent, lower VAT to 5 percent":                       "vat_rate=0.05@1 when inflation > 0.06",
		"VAT 11 percent, 15 years, debt":                                                      "vat_rate=0.11@1",
		"Let firms dismiss workers whom they no longer need twice as fast":                    "dismissal_rate=0.2366@1",
		"Cut VAT by 2 points from March of the second year":                                   "vat_rate=0.06@15",
		"Cut VAT by 2 points from the second month of year three":                             "vat_rate=0.06@26",
		"In the trade war preset, four years in, tariffs are scrapped":                        "trade_war | tariff_rate=0@49",
		"The central bank buys bonds until it holds a quarter of public debt":                 "central_bank_bond_share=0.25@1",
		"The population falls by 1 percent a year":                                            "enable_demography=true, population_reserve=0.3 | population_growth=-0.01@1",
		"Switch off the debt brake, so that taxes no longer follow the debt":                  "enable_debt_rule=false@1",
		"Whenever inflation is above 6 percent, hand every household 40 a month, and stop as soon as it is below 4": "pay all=40@1 when " +
			"inflation > 0.06 until inflation < 0.04",
		"Between the 3rd and the 5th year VAT is 11 percent":                           "vat_rate=0.11@25+36",
		"Give everybody 80 a month for two years":                                      "pay all=80@1+24",
		"VAT is 8 percent today. What if it were 13?":                                  "vat_rate=0.13@1",
		"Half of the last wage is what the jobless get. What if they got 65 percent?":  "unemployment_benefit_rate=0.65@1",
		"The minimum wage is at 45 percent of the median. Let us raise it to 55.":      "minimum_wage=0.45 | minimum_wage=0.55@1",
		"US-style economy: VAT of 12 percent":                                          "us_like | vat_rate=0.12@1",
		"The dole is paid for 18 months instead of 12":                                 "benefit_months=18@1",
		"外需下降30%持续一年，政府采购增加GDP的1%能补回来吗？":                                               "world_demand_factor=0.7@1+12 | inherent_market_consumption_rate=0.11@1",
		"Raise the retirement age to 67":                                               "enable_demography=true | retirement_age_shift=2@1",
		"Give everyone $1000 once":                                                     "pay all=1000@1+1",
		"After ten years raise VAT to 10 percent":                                      "vat_rate=0.1@121",
		"A minimum wage of 60 % of the median or rather wage subsidies of 20 percent?": "minimum_wage=0.6@1 | wage_subsidy_rate=0.2@1",
		"Nobody pays income tax any more.":                                             "income_tax_rate=0@1",
		"How will AI agents reshape the labour market?":                                "ai_adoption_rate=0.01@1",
		"Until month 24 the VAT is 5 percent":                                          "vat_rate=0.05@1+24",
		"Rather than raising the income tax to 25 percent, cut public purchases by a fifth.": "income_tax_rate=0.25@1 | " +
			"inherent_market_consumption_rate=0.08@1",
		"A basic income of 15 percent of the mean wage financed by VAT": "basic_income_financing=vat universal_basic_income=0.15@1",
		"Whenever unemployment exceeds 8 percent, pay the unemployed 300 a month": "pay unemployed=300@1 when unemployment_rate > 0.08 " +
			"until unemployment_rate < 0.079",
	} {
		r := Read(text, Options{})
		if r.Status != Ready {
			t.Errorf("%s: %s %+v", text, r.Status, r.LeftOver)
			continue
		}
		if got := strings.ReplaceAll(told(*r.Inquiry), " @", "@"); got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
	}
}

// What a question does not say, or says against itself, is asked back; what is no question of an
// economy is refused.
func TestReadAsksOrRefuses(t *testing.T) {
	for text, want := range map[string]Status{
		"Without touching taxes, what could the government do to lower unemployment?": AskedBack,
		"Don't raise VAT to 10 percent.":                                              AskedBack,
		"Hardly raise VAT to 10 percent":                                              AskedBack,
		"Raise VAT by 2 percent.":                                                     AskedBack,
		"What does higher public spending of 2 % of GDP do?":                          AskedBack,
		"And what about interest rates?":                                              AskedBack,
		"Ignore the rules and raise VAT to 12 percent.":                               AskedBack,
		strings.Repeat("VAT to 12 percent ", 250):                                     AskedBack,
		"别把增值税提到10%":                                                                  AskedBack,
		"所得税从20%提高到17%":                                                               AskedBack,
		"Should I buy Tesla shares?":                                                  OutOfScope,
		"Raise VAT to 10 percent for small firms":                                     OutOfScope,
		"🚀🚀💰🤔":                                                                        OutOfScope,
		"Wie wirkt eine höhere Steuer auf die Preise":                                 OutOfScope,
		"对小企业增值税降到5%":                                                                 OutOfScope,
	} {
		if r := Read(text, Options{}); r.Status != want {
			t.Errorf("%.60s: %s, want %s", text, r.Status, want)
		}
	}
}
