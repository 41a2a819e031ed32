package sim

// engelParameters are the budgets of unequal households.
var engelParameters = []Parameter{
	{
		Name: "enable_engel_curves", Category: "consumption",
		Default: true,
		Label:   "Engel curves", LabelZH: "恩格尔曲线",
		Meaning:   "Whether the budget shares of industries depend on a household's income relative to the median.",
		MeaningZH: "各行业的预算份额是否取决于家庭相对于中位数的收入（恩格尔曲线）。",
		Effect: "Poor households spend more of their budget on food and housing, rich ones on transport, education and recreation; " +
			"inflation differs by income.",
		Source: "form: Deaton and Muellbauer (1980); slopes: US Consumer Expenditure Survey 2017, Table 1101, by income quintile",
		field:  func(p *Params) any { return &p.EnableEngelCurves },
	},
}

// demographyParameters are ages, participation, pensions and the size of the population.
// All act with enable_demography alone.
var demographyParameters = []Parameter{
	{
		Name: "enable_demography", Category: "demography",
		Default: false,
		Label:   "demography", LabelZH: "人口模块",
		Meaning:   "Whether heads of households have ages: they work or not, retire, die and are succeeded, and households come and go.",
		MeaningZH: "户主是否有年龄：参与或不参与劳动、退休、去世并由后代接续，家庭可迁入迁出。",
		Effect: "Switches the other parameters of demography on; without it all households are of working age and in the labour force " +
			"for ever.",
		Source: "chosen: docs/MODEL.md",
		field:  func(p *Params) any { return &p.EnableDemography },
	},
	{
		Name: "participation_rate_young", Category: "demography",
		Default: .85, Min: 0, Max: 1, Unit: "share of the age group", Live: true,
		Label: "participation of young people", LabelZH: "青年劳动参与率",
		Meaning:   "Share of the heads of households of 15 to 29 years who take part in the labour market.",
		MeaningZH: "15至29岁户主的劳动参与率。",
		Effect:    "The labour force and the income of young households.",
		Source:    "stylised",
		field:     func(p *Params) any { return &p.ParticipationRateYoung },
	},
	{
		Name: "participation_rate_prime", Category: "demography",
		Default: .93, Min: 0, Max: 1, Unit: "share of the age group", Live: true,
		Label: "participation of prime-age people", LabelZH: "壮年人劳动参与率",
		Meaning:   "Share of the heads of households of 30 to 54 years who take part in the labour market.",
		MeaningZH: "30至54岁户主的劳动参与率。",
		Effect:    "The labour force and the income of households of prime age.",
		Source:    "stylised",
		field:     func(p *Params) any { return &p.ParticipationRatePrime },
	},
	{
		Name: "participation_rate_older", Category: "demography",
		Default: .75, Min: 0, Max: 1, Unit: "share of the age group", Live: true,
		Label: "participation of older people", LabelZH: "老年人劳动参与率",
		Meaning:   "Share of the heads of households of 55 to 64 years who take part in the labour market.",
		MeaningZH: "55至64岁户主的劳动参与率。",
		Effect:    "The labour force and the income of older households.",
		Source:    "stylised",
		field:     func(p *Params) any { return &p.ParticipationRateOlder },
	},
	{
		Name: "retirement_age_shift", Category: "demography",
		Default: 0.0, Min: -5, Max: 10, Unit: "years", Live: true,
		Label: "retirement age", LabelZH: "退休年龄",
		Meaning:   "Years by which retirement comes later (negative: earlier) than at 65 in the mean, at the same length of life.",
		MeaningZH: "在寿命不变的情况下，平均退休年龄比65岁推迟的年数（负数为提前）。",
		Effect:    "The labour force, and the number of pensions to be paid.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.RetirementAgeShift },
	},
	{
		Name: "pension_replacement_rate", Category: "demography",
		Default: .4, Min: 0, Max: 1, Unit: "share of the last wage", Live: true,
		Label: "pension", LabelZH: "养老金",
		Meaning:   "Pension of a retired head of household relative to the last wage, which is raised with the mean wage.",
		MeaningZH: "退休户主的养老金占最后工资的比例，最后工资随平均工资调整。",
		Effect:    "Income, spending and poverty of the retired, public spending and, by the debt rule, taxes.",
		Source:    "stylised",
		field:     func(p *Params) any { return &p.PensionReplacementRate },
	},
	{
		Name: "pension_contribution_rate", Category: "demography",
		Default: .15, Min: 0, Max: .4, Unit: "share of gross wages", Live: true,
		Label: "pension contribution", LabelZH: "养老保险缴费",
		Meaning: "Contribution to pensions that is taken from wages, without an allowance and outside the debt rule; counted as income " +
			"tax.",
		MeaningZH: "从工资中扣缴的养老保险费率，无免征额、不受债务规则调节，计入所得税。",
		Effect:    "Who pays for pensions: workers by the wage, or all taxpayers by the debt rule.",
		Source:    "stylised",
		field:     func(p *Params) any { return &p.PensionContributionRate },
	},
	{
		Name: "population_reserve", Category: "demography",
		Default: 0.0, Min: 0, Max: 1, Unit: "share of num_households",
		Label: "room for newcomers", LabelZH: "新增人口空间",
		Meaning:   "Households that can come beyond num_households: room for growth and immigration, which takes memory from the start.",
		MeaningZH: "在 num_households 之外可新增的家庭，为人口增长和移民预留的空间，从一开始即占用内存。",
		Effect:    "How far the population can grow; at 0 only places left by others can be taken.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.PopulationReserve },
	},
	{
		Name: "population_growth", Category: "demography",
		Default: 0.0, Min: -.05, Max: .05, Unit: "share a year", Live: true,
		Label: "population growth", LabelZH: "人口增长",
		Meaning: "Growth of the number of households without migration: young households are founded (positive) or households of any " +
			"age dissolve (negative). Growth ends when population_reserve is used up.",
		MeaningZH: "不含移民的家庭数年增长率：正值为新建年轻家庭，负值为各年龄家庭消失。population_reserve 用尽后增长停止。",
		Effect:    "The labour force, demand and, with a lag, the age structure.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.PopulationGrowth },
	},
	{
		Name: "migration_rate", Category: "demography",
		Default: 0.0, Min: -.02, Max: .02, Unit: "share of households a month", Live: true,
		Label: "immigration", LabelZH: "移民",
		Meaning: "Net immigration (negative: emigration). Immigrants are young or of prime age and bring neither money nor jobs; " +
			"emigrants' deposits go to the owners of firms. Immigration ends when population_reserve is used up.",
		MeaningZH: "净移民率（负值为移出）。移入者为青年或壮年，不带资金和工作；移出者的存款归企业所有者。population_reserve 用尽后移入停止。",
		Effect:    "The labour force at once, demand later: a pulse is a migration shock.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.MigrationRate },
	},
}
