package design

import "econ-mcp/sim"

var openEntry = []sim.ParameterChange{{Name: "enable_open_entry", Value: true}}

// firmLevers are innovation and competition.
var firmLevers = []row{
	{
		id: "innovation_research_share", kind: KindParameter, of: Innovation, unit: rateUnit,
		en:      []string{"research spending", "r&d spending", "r&d", "research and development", "spending on research", "private research", "corporate research", "r&d investment", "research budget", "research share", "r&d intensity", "research intensity", "invest in research", "spend on research", "?research"},
		zh:      []string{"研发投入", "研发支出", "研发强度", "企业研发投入", "企业研发", "研究与开发", "研发经费", "研发投资", "?研发", "科研投入", "研发费用"},
		typical: .015, small: .005, why: "half of the default", outcome: sim.InnovationEvents, sign: 1,
	},
	{
		id: "research_subsidy_rate", kind: KindParameter, of: Innovation, unit: levelUnit,
		en:      []string{"research subsidy", "r&d subsidy", "subsidize research", "subsidize r&d", "subsidy for research", "subsidy for r&d", "r&d tax credit", "research tax credit", "innovation subsidy", "subsidy for innovation", "subsidize innovation", "subsidy to research", "subsidy to innovation", "research grant", "subsidy to r&d", "tax break for research"},
		zh:      []string{"研发补贴", "研发补贴率", "对企业研发给予", "对研发的补贴", "创新补贴", "研发税收抵免", "科研补贴", "补贴研发", "补贴创新", "企业研发补贴", "研发费用加计扣除", "对创新的补贴", "对研发给予补贴", "研究补贴"},
		typical: .3, small: .1, why: "as in the preset green_transition", reference: .3, outcome: sim.InnovationEvents, sign: 1,
	},
	{
		id: "public_research_share", kind: KindParameter, of: Innovation, unit: gdpUnit,
		en:      []string{"public research", "basic research", "government research", "public r&d", "state funded research", "science funding", "publicly funded research", "science budget", "government lab", "public lab", "public laboratory", "public research spending"},
		zh:      []string{"公共研究", "公共研究投入", "基础研究", "基础研究投入", "公共研发", "政府研发", "科学经费", "国家科研投入", "政府科研投入", "基础科研"},
		typical: .01, small: .002, why: "one percent of GDP, the upper end of rich countries", reference: .01, outcome: sim.LabourProductivity, sign: 1,
	},
	{
		id: "imitation_probability", kind: KindParameter, of: Innovation, unit: rateUnit,
		en:      []string{"!patent", "!patent protection", "!intellectual property", "!intellectual property protection", "imitation", "knowledge spillover", "technology diffusion", "copying", "open source", "!patent law", "!patent term", "!intellectual property right", "imitate", "spillover"},
		zh:      []string{"!专利", "!专利保护", "!知识产权", "!知识产权保护", "模仿", "知识溢出", "技术溢出", "仿制", "开源", "!专利期限", "!专利制度"},
		typical: .0135, small: .005, why: "half of the default", outcome: sim.LabourProductivity, sign: 1,
	},
	{
		id: "innovation_probability", kind: KindParameter, of: Innovation, unit: rateUnit,
		en:      []string{"innovation rate", "rate of innovation", "chance of innovation", "pace of innovation", "success of innovation", "innovation success", "speed of innovation", "technological breakthrough", "innovation probability"},
		zh:      []string{"创新率", "创新速度", "创新成功率", "创新概率", "技术突破", "创新能力"},
		typical: .02, small: .01, why: "two fifths of the default", outcome: sim.InnovationEvents, sign: 1,
	},
	{
		id: "enable_innovation", kind: KindParameter, of: Innovation, unit: switchUnit, set: false,
		en:  []string{"-end of innovation", "-no innovation", "-innovation stop", "-technological stagnation", "-innovation ceased", "-no more innovation"},
		zh:  []string{"-创新停滞", "-没有创新", "-技术停滞", "-停止创新"},
		why: "research finds nothing any more", outcome: sim.LabourProductivity, sign: 1,
	},
	{
		id: "inherent_market_focus_new_products", kind: KindParameter, of: Innovation, unit: switchUnit, set: true,
		en:  []string{"innovative procurement", "procurement of innovation", "procurement that prefers innovator", "government buys from innovator", "public procurement of innovation", "innovation procurement", "procurement of new product"},
		zh:  []string{"创新采购", "政府采购创新产品", "优先采购创新产品", "政府采购新产品", "首购"},
		why: "procurement prefers recent innovators", outcome: sim.InnovationEvents, sign: 1,
	},
	{
		id: "consumption_mark_up", kind: KindParameter, of: Competition, unit: rateUnit,
		en:      []string{"mark up", "markup", "market power", "monopoly power", "price mark up", "!antitrust", "!break up monopoly", "!break up big firm", "!break up of monopoly", "!antitrust enforcement", "!antitrust policy", "!competition policy", "?!competition", "pricing power", "!competition law", "?+monopoly", "profit margin of firm", "+price gouging", "+greedflation", "!trust busting", "+cartel"},
		zh:      []string{"加成率", "市场势力", "垄断势力", "定价权", "定价能力", "!反垄断", "!打破垄断", "!拆分垄断企业", "!反垄断执法", "!反垄断政策", "!竞争政策", "?!市场竞争", "?!竞争", "?+垄断", "价格加成", "!反垄断监管", "+卡特尔", "成本加成"},
		typical: .1, small: .05, why: "about a sixth of the default: the rise that some see in the United States since 1980", outcome: sim.RealWageMean, sign: -1,
	},
	{
		id: "entry_rate", kind: KindParameter, of: Competition, unit: rateUnit,
		en:      []string{"!entry barrier", "!barrier to entry", "firm entry", "entry of firm", "market entry", "?start up", "?startup", "business creation", "new firm", "!entry cost", "entrepreneurship", "!red tape", "founding of firm", "!license requirement for firm", "new business", "entrant", "start a business", "starting a business", "set up a business", "start a company", "starting a company"},
		zh:      []string{"!市场准入门槛", "!准入门槛", "!进入壁垒", "!行业壁垒", "市场准入", "企业进入", "创业", "新企业", "初创企业", "!创业门槛", "!进入成本", "开办企业", "!准入限制", "!市场准入限制", "创业活动", "!市场准入壁垒"},
		typical: .08, small: .02, why: "a doubling of the default", needs: openEntry, outcome: sim.FirmCount, sign: 1,
	},
	{
		id: "households_per_firm", kind: KindParameter, of: Competition, unit: numberUnit,
		en:      []string{"!number of firm", "firm size", "+merger wave", "size of firm", "!how many firm", "!as many firm", "+fewer firm", "+big merger", "+wave of merger"},
		zh:      []string{"!企业数量", "企业规模", "+合并浪潮", "!企业个数", "+并购潮", "!企业数目"},
		typical: 6, small: 3, why: "half of the default: a third fewer firms", outcome: sim.HHI, sign: 1,
	},
	{
		id: "enable_competitive_market", kind: KindParameter, of: Competition, unit: switchUnit, set: true,
		en:  []string{"competitive market", "compare two supplier", "perfect competition", "more supplier to compare"},
		zh:  []string{"竞争性市场", "完全竞争", "充分竞争市场"},
		why: "households compare two suppliers in each industry", outcome: sim.MarkUp, sign: -1,
	},
	{
		id: "supplier_search_rate", kind: KindParameter, of: Competition, unit: rateUnit,
		en:      []string{"price comparison", "price transparency", "comparison shopping", "online comparison", "switching supplier", "consumer search", "!switching cost", "comparison website", "consumer switching"},
		zh:      []string{"比价", "价格透明", "价格透明度", "货比三家", "!转换成本", "比价网站", "更换供应商"},
		typical: .05, small: .02, why: "about half of the default", outcome: sim.CPI, sign: -1,
	},
	{
		id: "enable_price_adjustment", kind: KindParameter, of: Competition, unit: switchUnit, set: false,
		en:  []string{"-price control", "-price freeze", "-freeze price", "-freeze consumer price", "-price cap", "-price ceiling", "-cap price", "-fix price", "-freeze all price"},
		zh:  []string{"-价格管制", "-冻结物价", "-限价", "-物价冻结", "-价格冻结", "-冻结价格", "-物价管制", "-最高限价"},
		why: "firms may not change prices", outcome: sim.Inflation, sign: 1,
	},
	{
		id: "price_sensitivity", kind: KindParameter, of: Competition, unit: numberUnit,
		en: []string{"price sensitivity", "price elasticity", "sensitivity of consumer to price"}, zh: []string{"价格敏感度", "价格弹性", "对价格的敏感"},
		typical: 1, small: .5, why: "a third of the default", outcome: sim.MarkUp, sign: -1,
	},
	{
		id: "closure_rate", kind: KindParameter, of: Competition, unit: rateUnit,
		en: []string{"closure of firm", "zombie firm", "firm closure"}, zh: []string{"僵尸企业", "企业退出", "关闭企业"},
		typical: .009, small: .004, why: "half of the default", outcome: sim.FirmExits, sign: 1,
	},
}
