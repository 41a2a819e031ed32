package report

import (
	"fmt"
	"strconv"
	"strings"

	"econ-mcp/sim"
)

// breakdownText is how a breakdown is called, in an English sentence too, and how it is computed in
// Chinese.
type breakdownText struct {
	label              note
	subject, formulaZH string
}

// measureNames name the measures of groups of households; the second is what is averaged, in Chinese.
var measureNames = map[string][2]note{
	"real_income":      {{"Real income", "实际收入"}, {"", "当月可支配收入"}},
	"real_consumption": {{"Real consumption", "实际消费"}, {"", "当月含增值税的支出"}},
	"real_wealth":      {{"Real wealth", "实际财富"}, {"", "月末净财富（存款＋股权）"}},
}

// groupNames name the groups of households that are no parts by rank.
var groupNames = map[string]note{
	"mean": {"mean", "户均"}, "median": {"median", "中位数"},
	"employed": {"employed", "就业者"}, "unemployed": {"unemployed", "失业者"},
	"outside_labour_force": {"outside the labour force", "劳动力以外"},
	"age_15_29":            {"15 to 29 years", "15至29岁"}, "age_30_54": {"30 to 54 years", "30至54岁"},
	"age_55_64": {"55 to 64 years", "55至64岁"}, "age_65_plus": {"65 years and older", "65岁及以上"},
	"initial_employed": {"initially employed", "期初就业者"}, "initial_unemployed": {"initially unemployed", "期初失业者"},
	"initial_outside_labour_force": {"initially outside the labour force", "期初劳动力以外"},
	"skill_low":                    {"low skill", "低技能"}, "skill_middle": {"middle skill", "中技能"}, "skill_high": {"high skill", "高技能"},
}

// rankedGroup names a part of the households by rank.
func rankedGroup(id string) (n note, ok bool) {
	for _, part := range []struct {
		prefix, en, zh string
		of             int
	}{
		{"initial_wealth_tenth_", "initial wealth tenth %d%s", "期初财富第%d十分位%s", 10},
		{"initial_tenth_", "initial tenth %d%s", "期初收入第%d十分位%s", 10},
		{"initial_fifth_", "initial fifth %d%s", "期初收入第%d五分位%s", 5},
		{"tenth_", "tenth %d%s", "收入第%d十分位%s", 10},
		{"fifth_", "fifth %d%s", "收入第%d五分位%s", 5},
	} {
		number, found := strings.CutPrefix(id, part.prefix)
		if !found {
			continue
		}
		k, err := strconv.Atoi(number)
		if err != nil {
			return note{}, false
		}
		end := note{}
		switch k {
		case 1:
			end = note{" (poorest)", "（最穷）"}
		case part.of:
			end = note{" (richest)", "（最富）"}
		}
		return note{fmt.Sprintf(part.en, k, end.en), fmt.Sprintf(part.zh, k, end.zh)}, true
	}
	return note{}, false
}

// whose says in an English sentence whose income it is.
func whose(group string) string {
	if s, ok := groupOwners[group]; ok {
		return s
	}
	at := ""
	if rest, initial := strings.CutPrefix(group, "initial_"); initial {
		group, at = rest, " at the start"
	}
	ends, by := [2]string{"poorest", "richest"}, "income"
	if rest, wealth := strings.CutPrefix(group, "wealth_"); wealth {
		group, ends, by = rest, [2]string{"least wealthy", "wealthiest"}, "wealth"
	}
	part, number, _ := strings.Cut(group, "_")
	switch {
	case number == "1":
		return "of the " + ends[0] + " " + part + at
	case part == "tenth" && number == "10", part == "fifth" && number == "5":
		return "of the " + ends[1] + " " + part + at
	}
	return "of " + part + " " + number + " by " + by + at
}

// groupOwners are those that have no rank.
var groupOwners = map[string]string{
	"mean": "per household", "median": "of the median household", "employed": "of the employed", "unemployed": "of the unemployed",
	"outside_labour_force": "of those outside the labour force", "age_15_29": "of households aged 15 to 29",
	"age_30_54": "of households aged 30 to 54", "age_55_64": "of households aged 55 to 64", "age_65_plus": "of households aged 65 and over",
	"initial_employed": "of those employed at the start", "initial_unemployed": "of those unemployed at the start",
	"initial_outside_labour_force": "of those outside the labour force at the start",
	"skill_low":                    "of the low-skilled", "skill_middle": "of the middle-skilled", "skill_high": "of the high-skilled",
}

// programmeNames name the programmes of the government.
var programmeNames = map[string]note{
	"public_employment": {"public employment", "政府雇员工资"}, "public_research": {"public research", "公共研发"},
	"job_guarantee": {"the job guarantee", "就业保障"}, "purchases": {"public purchases", "政府采购"},
	"unemployment_benefits": {"unemployment benefits", "失业救济"}, "job_retention": {"job retention", "保岗补贴（短时工作）"},
	"pensions": {"pensions", "养老金"}, "basic_income": {"basic income", "基本收入"}, "minimum_income": {"minimum income", "最低收入保障"},
	"redistribution": {"redistribution", "再分配"}, "injections": {"injections", "直接发放（注入）"}, "retraining": {"retraining", "再培训津贴"},
	"wage_subsidies": {"wage subsidies", "工资补贴"}, "research_subsidies": {"research subsidies", "研发补贴"},
	"bank_recapitalisation": {"bank recapitalisation", "银行注资"}, "interest": {"interest on debt", "债务利息"},
}

// furtherBreakdowns are those that are neither of groups nor of programmes.
var furtherBreakdowns = map[sim.Indicator]breakdownText{
	sim.MonthlyInflation:  {note{"Monthly inflation", "月度通货膨胀率"}, "monthly inflation", "cpi 与上月 cpi 之比，减1"},
	sim.Jobs:              {note{"Jobs", "就业人数"}, "the number of jobs", "月末有工作的户主，含公共就业计划的成员"},
	sim.JobSeekers:        {note{"Unemployed", "失业人数"}, "the number of unemployed", "月末无工作的劳动力中的户主"},
	sim.Deficit:           {note{"Deficit of the month", "当月赤字"}, "the deficit of the month", "government_spending－tax_revenue－central_bank_profit，当月值，与 deficit_to_gdp 不同"},
	sim.CentralBankProfit: {note{"Central bank's profit", "央行利润"}, "the central bank's profit", "政府收到的央行利润"},
	sim.TaxWages:          {note{"Tax on wages", "工资税"}, "the tax on wages", "tax_income 中对工资征收的部分"},
	sim.TaxCapitalIncome:  {note{"Tax on capital income", "资本收入税"}, "the tax on capital income", "tax_income 中对家庭利息与股息征收的部分"},
	sim.TaxContributions:  {note{"Pension contributions", "养老金缴费"}, "the sum of pension contributions", "tax_income 中的养老金缴费"},
}

// breakdowns are the texts of all of them, in their order.
var breakdowns = func() (texts [sim.NumOutcomes - sim.NumIndicators]breakdownText) {
	of := map[string]breakdownText{}
	for i, text := range furtherBreakdowns {
		of[i.String()] = text
	}
	groupOf := func(measure, id string) {
		group, ok := rankedGroup(id)
		if !ok {
			group = groupNames[id]
		}
		name := measureNames[measure]
		of[measure+"_"+id] = breakdownText{
			note{name[0].en + ", " + group.en, name[0].zh + "，" + group.zh},
			"the " + uncapital(name[0].en) + " " + whose(id),
			"100 / cpi × " + name[1].zh + "，" + group.zh + groupRuleZH(id),
		}
	}
	for _, m := range sim.Measures() {
		for _, g := range sim.HouseholdGroups() {
			groupOf(m.ID, g.ID)
		}
	}
	for k := range 10 {
		groupOf("real_income", fmt.Sprintf("initial_wealth_tenth_%d", k+1))
	}
	for _, p := range sim.Programmes() {
		name := programmeNames[p.ID]
		of["cost_"+p.ID] = breakdownText{note{"Cost of " + name.en, name.zh + "支出"}, "the cost of " + name.en, "政府支出：" + name.zh}
	}
	for i := sim.NumIndicators; i < sim.NumOutcomes; i++ {
		name := i.String()
		text, found := of[name]
		for _, share := range []struct {
			suffix             string
			label              note
			subject, formulaZH string
		}{
			{"_to_control_gdp", note{" to the control's GDP", "占对照组GDP比"}, " (share of the control's GDP)", " / 同月、同一种子下对照组的 nominal_gdp：各组GDP不同时，金额仍可相比"},
			{"_of_month_to_gdp", note{" to GDP", "占GDP比"}, " (share of GDP)", " / nominal_gdp"},
			{"_to_gdp", note{" to GDP", "占GDP比"}, " (share of GDP)", " / nominal_gdp"},
		} {
			of, is := strings.CutSuffix(name, share.suffix)
			if found || !is {
				continue
			}
			found = true
			amount, _ := sim.IndicatorByName(of)
			label := labels[amount%sim.NumIndicators]
			subject := "the " + uncapital(label.en)
			if amount.IsBreakdown() {
				label, subject = texts[amount-sim.NumIndicators].label, texts[amount-sim.NumIndicators].subject
			}
			text = breakdownText{note{label.en + share.label.en, label.zh + share.label.zh}, subject + share.subject, of + share.formulaZH}
		}
		texts[i-sim.NumIndicators] = text
	}
	return texts
}()

// groupRuleZH says how a group is formed.
func groupRuleZH(id string) string {
	switch {
	case id == "mean", id == "median":
		return "（全部家庭）"
	case strings.HasPrefix(id, "initial_"), strings.HasPrefix(id, "skill_"):
		return "（分组以第1个月之前为准，各月、各组为同一批家庭），户均"
	}
	return "（每月重新分组），户均"
}
