package sim

import (
	"fmt"
	"math"

	"econ-mcp/internal/fault"
)

// Package is a named set of changes of parameters that one number drives: a policy by
// its level, a shock by its size.
type Package struct {
	ID         string
	Label      string // what people call it
	LabelZH    string
	Meaning    string
	MeaningZH  string
	Unit       string // of the number
	Min, Max   float64
	Parameters []string // that it changes
	OneMonth   bool     // a shock that strikes in one month and leaves its traces in the state
	Industry   bool     // a shock to one industry, which must be named
	Needs      string   // switch without which it does nothing

	change changeKind                 // of the number on the one parameter
	apply  func(p *Params, x float64) // of a package that changes more, or otherwise
}

// changeKind says what the number of a package does to its parameter.
type changeKind int

const (
	becomes        changeKind = iota // the parameter takes the number
	rises                            // by the number
	scales                           // by 1 + the number
	scalesIndustry                   // so does the rate of one industry, which is 1 where the schedule has none
)

// Policies are the packages that an intervention may name as a policy.
func Policies() []Package { return append([]Package(nil), policyTable...) }

// Shocks are those that it may name as a shock. A shock is a relative deviation from
// the parameter in force unless the unit says otherwise.
func Shocks() []Package { return append([]Package(nil), shockTable...) }

var policyTable = []Package{
	{
		ID: "universal_basic_income", Unit: "share of the mean wage", Min: 0, Max: 1,
		Label: "basic income", LabelZH: "基本收入",
		Meaning:    "A basic income for every household.",
		MeaningZH:  "向每个家庭发放基本收入。",
		Parameters: []string{"universal_basic_income"},
	},
	{
		ID: "job_guarantee", Unit: "wage of the programme, share of the mean wage", Min: 0, Max: 1.5,
		Label: "job guarantee", LabelZH: "就业保障",
		Meaning:    "A public employment programme for everyone whom nobody else hires.",
		MeaningZH:  "为未被其他雇主雇用的人提供公共就业计划。",
		Parameters: []string{"enable_dynamic_job_posting", "unemployment_threshold", "job_posting_multiplier", "job_guarantee_wage"},
		apply: func(p *Params, x float64) {
			p.EnableDynamicJobPosting, p.UnemploymentThreshold, p.JobPostingMultiplier, p.JobGuaranteeWage = true, 0, 1, x
		},
	},
	{
		ID: "minimum_wage", Unit: "share of the median wage", Min: 0, Max: 1,
		Label: "minimum wage", LabelZH: "最低工资",
		Meaning:    "A minimum wage.",
		MeaningZH:  "最低工资。",
		Parameters: []string{"minimum_wage"},
	},
	{
		ID: "minimum_income", Unit: "share of the mean wage", Min: 0, Max: 1,
		Label: "minimum income", LabelZH: "最低收入",
		Meaning:    "A means-tested benefit that tops income up to a minimum.",
		MeaningZH:  "经家计调查补足至最低收入的福利。",
		Parameters: []string{"minimum_income"},
	},
	{
		ID: "progressive_tax", Unit: "marginal rate above four mean wages", Min: 0, Max: .95,
		Label: "progressive tax", LabelZH: "累进税",
		Meaning:    "Marginal tax rates that rise in three steps, from one mean wage on, to the level.",
		MeaningZH:  "边际税率自平均工资起分三级上升至指定水平。",
		Parameters: []string{"income_tax_brackets"},
		apply: func(p *Params, x float64) {
			low := p.IncomeTaxRate
			step := func(share float64) string { return formatNumber(low + float64(share*(x-low))) }
			p.IncomeTaxBrackets = RateTable("1: " + step(1./3) + ", 2: " + step(2./3) + ", 4: " + step(1))
		},
	},
	{
		ID: "wage_subsidy", Unit: "share of the wage", Min: 0, Max: .9,
		Label: "wage subsidy", LabelZH: "工资补贴",
		Meaning:    "A subsidy to firms on the wages of workers below two thirds of the median.",
		MeaningZH:  "对低于工资中位数三分之二的雇员给予企业工资补贴。",
		Parameters: []string{"wage_subsidy_rate", "wage_subsidy_ceiling"},
		apply:      func(p *Params, x float64) { p.WageSubsidyRate, p.WageSubsidyCeiling = x, .67 },
	},
	{
		ID: "job_retention", Unit: "share of surplus labour", Min: 0, Max: 1,
		Label: "short-time work", LabelZH: "短时工作",
		Meaning:    "Short-time work instead of dismissals.",
		MeaningZH:  "以短时工作代替裁员。",
		Parameters: []string{"job_retention_share"},
	},
	{
		ID: "research_subsidy", Unit: "share of research spending", Min: 0, Max: .9,
		Label: "research subsidy", LabelZH: "研发补贴",
		Meaning:    "A subsidy to firms on the wages of researchers.",
		MeaningZH:  "对企业研发人员工资的补贴。",
		Parameters: []string{"research_subsidy_rate"},
	},
	{
		ID: "public_research", Unit: "share of GDP", Min: 0, Max: .05,
		Label: "public research", LabelZH: "公共研究",
		Meaning:    "Public research.",
		MeaningZH:  "公共研究。",
		Parameters: []string{"public_research_share"},
	},
	{
		ID: "austerity", Unit: "share of spending", Min: 0, Max: 1,
		Label: "austerity", LabelZH: "财政紧缩",
		Meaning:    "A cut of public purchases, public employment and unemployment benefits by the level.",
		MeaningZH:  "按指定比例削减政府采购、公共就业与失业救济。",
		Parameters: []string{"inherent_market_consumption_rate", "government_employment_share", "unemployment_benefit_rate"},
		apply: func(p *Params, x float64) {
			p.InherentMarketConsumptionRate *= 1 - x
			p.GovernmentEmploymentShare *= 1 - x
			p.UnemploymentBenefitRate *= 1 - x
		},
	},
	{
		ID: "stimulus", Unit: "share of GDP", Min: 0, Max: .3,
		Label: "public stimulus", LabelZH: "财政刺激",
		Meaning:    "More public purchases, by the level.",
		MeaningZH:  "按指定比例增加政府采购。",
		Parameters: []string{"inherent_market_consumption_rate"},
		change:     rises,
	},
	{
		ID: "redistribution", Unit: "share of GDP", Min: 0, Max: .3,
		Label: "redistribution", LabelZH: "再分配",
		Meaning:    "A pool of money paid to all households alike, financed by the income tax.",
		MeaningZH:  "由所得税筹资、向所有家庭等额发放的资金池。",
		Parameters: []string{"redistribution_strategy", "redistribution_share", "redistribution_financing"},
		apply: func(p *Params, x float64) {
			p.RedistributionStrategy, p.RedistributionShare, p.RedistributionFinancing = "equal", x, "income_tax"
		},
	},
	{
		ID: "tariff", Unit: "share of the import price", Min: 0, Max: 1, Needs: "enable_trade",
		Label: "tariff", LabelZH: "关税",
		Meaning:    "A tariff on imports; it acts where trade is enabled.",
		MeaningZH:  "进口关税；在启用对外贸易时起作用。",
		Parameters: []string{"tariff_rate"},
	},
	{
		ID: "green_levy", Unit: "share of revenue at mean emission intensity", Min: 0, Max: .5,
		Label: "carbon levy", LabelZH: "碳税",
		Meaning:    "A levy on the emissions of firms.",
		MeaningZH:  "对企业排放征收的税费。",
		Parameters: []string{"green_levy_rate"},
	},
	{
		ID: "robot_tax", Unit: "share of licence fees", Min: 0, Max: 3,
		Label: "robot tax", LabelZH: "机器人税",
		Meaning:    "A tax on the licence fees for AI.",
		MeaningZH:  "对人工智能许可费征收的机器人税。",
		Parameters: []string{"robot_tax_rate"},
	},
	{
		ID: "retraining", Unit: "share of those concerned, a month", Min: 0, Max: 1,
		Label: "retraining", LabelZH: "再培训",
		Meaning:    "Courses with an allowance for the unemployed whom automation threatens.",
		MeaningZH:  "为受自动化威胁的失业者提供带津贴的再培训。",
		Parameters: []string{"retraining_rate"},
	},
}

var shockTable = []Package{
	{
		ID: "productivity", Unit: "share", Min: -.85, Max: 5,
		Label: "productivity", LabelZH: "生产率",
		Meaning:    "A deviation of the productivity of all firms.",
		MeaningZH:  "所有企业生产率的偏离。",
		Parameters: []string{"labor_productivity_factor"},
		change:     scales,
	},
	{
		ID: "demand", Unit: "share", Min: -.9, Max: 1,
		Label: "household demand", LabelZH: "居民消费需求",
		Meaning:    "A deviation of the spending that households plan.",
		MeaningZH:  "家庭计划支出的偏离。",
		Parameters: []string{"consumption_demand_factor"},
		change:     scales,
	},
	{
		ID: "confidence", Unit: "index points, as in confidence_shock", Min: -.2, Max: .2,
		Label: "confidence", LabelZH: "信心",
		Meaning:    "A deviation of the common mood of households and firms.",
		MeaningZH:  "家庭与企业共同信心的偏离。",
		Parameters: []string{"confidence_shift"},
		change:     rises,
	},
	{
		ID: "industry_demand", Unit: "share", Min: -1, Max: 2, Industry: true,
		Label: "demand for one industry", LabelZH: "单个行业需求",
		Meaning:    "A deviation of what households spend in one industry.",
		MeaningZH:  "家庭在某一行业支出的偏离。",
		Parameters: []string{"demand_factors_by_industry"},
		change:     scalesIndustry,
	},
	{
		ID: "industry_supply", Unit: "share", Min: -1, Max: 0, Industry: true,
		Label: "capacity of one industry", LabelZH: "单个行业产能",
		Meaning:    "A loss of usable capacity in one industry.",
		MeaningZH:  "某一行业可用产能的损失。",
		Parameters: []string{"capacity_factors_by_industry"},
		change:     scalesIndustry,
	},
	{
		ID: "import_price", Unit: "share", Min: -.75, Max: 4, Needs: "enable_trade",
		Label: "import prices", LabelZH: "进口价格",
		Meaning:    "A deviation of the prices of imports; it acts where trade is enabled.",
		MeaningZH:  "进口价格的偏离；在启用对外贸易时起作用。",
		Parameters: []string{"import_price_factor"},
		change:     scales,
	},
	{
		ID: "world_demand", Unit: "share", Min: -.9, Max: 4, Needs: "enable_trade",
		Label: "world demand", LabelZH: "外需",
		Meaning:    "A deviation of the world's demand for exports; it acts where trade is enabled.",
		MeaningZH:  "世界对出口需求的偏离；在启用对外贸易时起作用。",
		Parameters: []string{"world_demand_factor"},
		change:     scales,
	},
	{
		ID: "credit", Unit: "share", Min: -1, Max: 0,
		Label: "credit supply", LabelZH: "信贷供给",
		Meaning:    "A loss of the share of usual credit that banks supply: a credit freeze.",
		MeaningZH:  "银行提供的信贷占通常水平的比例下降：信贷冻结。",
		Parameters: []string{"credit_supply_factor"},
		change:     scales,
	},
	{
		ID: "automation_wave", Unit: "adoption hazard a month", Min: 0, Max: .2,
		Label: "automation", LabelZH: "自动化浪潮",
		Meaning:    "A wave of adoption of AI by firms.",
		MeaningZH:  "企业采用人工智能的浪潮。",
		Parameters: []string{"ai_adoption_rate"},
		change:     rises,
	},
	{
		ID: "population", Unit: "share of households a month, in or out", Min: -.02, Max: .02, Needs: "enable_demography",
		Label: "population", LabelZH: "人口",
		Meaning:    "Immigration or emigration; it acts with demography.",
		MeaningZH:  "移入或移出人口；在启用人口模块时起作用。",
		Parameters: []string{"migration_rate"},
		change:     rises,
	},
	{
		ID: "disaster", Unit: "share of capital", Min: 0, Max: .9, OneMonth: true,
		Label: "capital, by a disaster", LabelZH: "灾害（资本损失）",
		Meaning:    "The destruction of a part of the capital of firms.",
		MeaningZH:  "企业部分资本被毁。",
		Parameters: []string{"capital_destruction_rate"},
	},
}

var packages = map[InterventionType][]Package{TypePolicy: policyTable, TypeShock: shockTable}

// PackageByID finds a policy or a shock by its identifier; its error offers the nearest.
func PackageByID(t InterventionType, id string) (Package, error) {
	table, ok := packages[t]
	if !ok {
		return Package{}, fault.New(fault.WrongType, "type", "an intervention of type %q has no packages", string(t))
	}
	var ids []string
	for _, pack := range table {
		if pack.ID == id {
			return pack, nil
		}
		ids = append(ids, pack.ID)
	}
	return Package{}, fault.In(string(t), fault.Unknown(fault.NotFound, string(t), id, ids))
}

// pack is the package that a policy or a shock names.
func (v *Intervention) pack() (Package, error) {
	if v.Type == TypeShock {
		return PackageByID(v.Type, v.Shock.Shock)
	}
	return PackageByID(v.Type, v.Policy.Policy)
}

// check tests the number that drives a package.
func (pack Package) check(field string, x float64) error {
	if !(pack.Min <= x && x <= pack.Max) {
		return fault.Range(field, formatNumber(x), fmt.Sprintf("%s to %s (%s)", formatNumber(pack.Min), formatNumber(pack.Max), pack.Unit))
	}
	return nil
}

// CheckFits refuses an intervention that does nothing in an economy with these
// parameters: what it acts on is switched off.
func (v Intervention) CheckFits(p Params) error {
	pack, _ := v.pack() // the others need nothing
	needs, field, what := pack.Needs, string(v.Type), pack.ID
	if v.Type == TypeInjection && v.Injection.Group == "retired" {
		needs, field, what = "enable_demography", "group", v.Injection.Group
	}
	if needs == "" {
		return nil
	}
	if on, err := p.Get(needs); err != nil || on == true {
		return err
	}
	return fault.New(fault.Conflict, field, "%s %s does nothing where %s is false", field, what, needs).WithHint("set " + needs + " to true")
}

// applied returns the parameters under a package, each within its hard range. Industries
// count from 0.
func (pack Package) applied(p Params, x float64, industry int) Params {
	pack.act(&p, x, industry)
	for _, name := range pack.Parameters {
		row, _ := Lookup(name)
		switch v := row.Value(&p).(type) {
		case float64:
			row.store(&p, clip(v, row.Min, row.Max))
		case int:
			row.store(&p, int(clip(float64(v), row.Min, row.Max)))
		}
	}
	return p
}

// act puts a package into force, whatever the hard ranges.
func (pack Package) act(p *Params, x float64, industry int) {
	if pack.apply != nil {
		pack.apply(p, x)
		return
	}
	row, _ := Lookup(pack.Parameters[0])
	before := row.Value(p)
	switch pack.change {
	case becomes:
		row.store(p, x)
	case rises:
		row.store(p, before.(float64)+x)
	case scales:
		row.store(p, before.(float64)*(1+x))
	case scalesIndustry:
		row.store(p, string(RateTable(before.(string)).scaled(industry, 1+x, row.Min, row.Max)))
	}
}

// decayed is what is left of a shock n months after it struck.
func decayed(size, persistence float64, n int) float64 {
	return size * math.Pow(persistence, float64(n))
}
