package design

import "econ-mcp/sim"

// workLevers are wages and the labour market, automation and what is done about it.
var workLevers = []row{
	{
		id: "minimum_wage", kind: KindParameter, of: Wages, unit: medianUnit,
		en: []string{"minimum wage", "wage floor", "minimum pay", "lowest wage", "living wage"}, zh: []string{"最低工资", "最低工资标准", "工资下限", "最低薪资", "最低时薪"},
		typical: .5, small: .05, why: "half of the median wage, near the middle of rich countries; a change of an existing one is a tenth of it", reference: .5, outcome: sim.UnemploymentRate,
	},
	{
		id: "wage_inflation_indexation", kind: KindParameter, of: Wages, unit: rateUnit,
		en:      []string{"+wage indexation", "wage indexation to inflation", "index wage to inflation", "+tie wage", "+link wage", "+index wage", "indexation of wage", "-wage freeze", "-freeze wage", "wages follow inflation", "+cost of living adjustment", "-wage restraint", "-wage moderation"},
		zh:      []string{"工资与通胀挂钩", "工资指数化", "工资随通胀调整", "工资与物价挂钩", "-工资冻结", "-冻结工资", "-工资克制"},
		typical: .5, small: .2, why: "half of full indexation", outcome: sim.Inflation, sign: 1,
	},
	{
		id: "wage_productivity_indexation", kind: KindParameter, of: Wages, unit: rateUnit,
		en:      []string{"bargaining power", "collective bargaining", "union", "trade union", "union power", "wage bargaining", "wages follow productivity", "worker bargaining power", "unionization"},
		zh:      []string{"议价能力", "集体谈判", "工会", "工会力量", "工资谈判", "工资与生产率挂钩", "劳方谈判力量", "工资集体协商", "谈判能力"},
		typical: .2, small: .1, why: "a quarter of the default: the part of productivity growth that wages win", outcome: sim.LabourShare, sign: 1,
	},
	{
		id: "wage_subsidy", kind: KindPolicy, of: Wages, unit: levelUnit,
		en:      []string{"wage subsidy", "subsidy for low paid worker", "subsidize wage", "subsidize low wage", "subsidy on wage", "employment subsidy", "hiring subsidy", "subsidize job", "in work credit", "tax credit for low earner"},
		zh:      []string{"工资补贴", "就业补贴", "用工补贴", "岗位补贴", "招工补贴"},
		typical: .2, small: .1, why: "a fifth of the wage of workers below two thirds of the median", outcome: sim.EmploymentRate, sign: 1,
	},
	{
		id: "job_retention_share", kind: KindParameter, of: Wages, unit: rateUnit,
		en:      []string{"+short time work", "+short time working", "+kurzarbeit", "+furlough", "+furlough scheme", "+job retention", "+job retention scheme"},
		zh:      []string{"+短时工作", "+短时工作制", "+缩短工时保就业", "+稳岗补贴", "+停薪留职计划", "+岗位保留"},
		typical: .8, small: .4, why: "as in the preset pandemic", reference: .8, outcome: sim.UnemploymentRate, sign: -1,
	},
	{
		id: "dismissal_rate", kind: KindParameter, of: Wages, unit: rateUnit,
		en:      []string{"dismissal", "firing", "layoff", "lay off", "dismissal rate", "!dismissal protection", "!employment protection", "!job protection", "!protection against dismissal", "+easier firing", "+easier to fire", "!firing cost", "+hire and fire", "!job security"},
		zh:      []string{"裁员", "解雇", "解雇率", "!解雇保护", "!就业保护", "!解雇成本", "裁员更容易", "+放宽解雇", "!劳动合同保护"},
		typical: .07, small: .03, why: "half of the default", outcome: sim.UnemploymentRate, sign: 1,
	},
	{
		id: "enable_dismissal", kind: KindParameter, of: Wages, unit: switchUnit, set: false,
		en:  []string{"-nobody could be fired", "-no one could be fired", "-nobody can be fired", "-ban on dismissal", "-ban dismissal", "-ban layoff", "-ban on layoff", "-forbid dismissal", "-no dismissal", "-prohibit layoff", "-outlaw dismissal", "-ban firing"},
		zh:  []string{"-禁止裁员", "-禁止解雇", "-不得裁员", "-不许裁员", "-不能解雇", "-不准裁员"},
		why: "dismissals of surplus labour are switched off", outcome: sim.UnemploymentRate, sign: 1,
	},
	{
		id: "matching_efficiency", kind: KindParameter, of: Wages, unit: rateUnit,
		en:      []string{"job matching", "employment agency", "employment service", "job centre", "matching efficiency", "!skill mismatch", "!mismatch", "placement service", "job center"},
		zh:      []string{"职业介绍", "就业服务", "匹配效率", "人岗匹配", "!技能错配", "职介服务", "就业中心"},
		typical: .02, small: .01, why: "a quarter of the default", outcome: sim.UnemploymentRate, sign: -1,
	},
	{
		id: "job_search_intensity", kind: KindParameter, of: Wages, unit: numberUnit,
		en: []string{"job search", "search intensity", "job application", "search effort"}, zh: []string{"求职强度", "求职努力", "找工作力度", "求职次数"},
		typical: 2, small: 1, why: "half of the default", outcome: sim.UnemploymentRate, sign: -1,
	},
	{
		id: "reservation_wage_ratio", kind: KindParameter, of: Wages, unit: rateUnit,
		en: []string{"reservation wage"}, zh: []string{"保留工资"}, typical: .1, small: .05, why: "a ninth of the default", outcome: sim.UnemploymentRate, sign: 1,
	},
	{
		id: "ai_adoption_rate", kind: KindParameter, of: LaborProductivity, unit: monthlyUnit,
		en: []string{
			"ai", "artificial intelligence", "ai agent", "ai adoption", "automation", "robot", "robotization", "machine learning", "large language model", "language model", "llm", "chatbot", "generative ai", "automate", "automation wave", "intelligent agent", "self driving", "chatgpt", "software agent",
		},
		zh: []string{
			"人工智能", "AI", "自动化", "机器人", "大模型", "大语言模型", "语言模型", "智能体", "人工智能代理", "机器换人", "生成式人工智能", "自动化浪潮", "机器学习", "无人驾驶", "智能化", "AI智能体", "AI代理", "生成式AI", "AI普及", "人工智能浪潮",
		},
		typical: .01, small: .004, along: []string{"ai_productivity_gain", "ai_task_exposure"}, why: "the speed of the preset ai_wave, a decade for most firms; small: the hazard of docs/MODEL.md's sources", reference: .01,
		outcome: sim.LabourShare, sign: -1,
	},
	{
		id: "robot_tax_rate", kind: KindParameter, of: LaborProductivity, unit: levelUnit,
		en: []string{"robot tax", "tax on robot", "tax robot", "automation tax", "ai tax", "tax on ai", "tax on automation", "tax ai", "tax automation", "levy on robot"}, zh: []string{"机器人税", "自动化税", "人工智能税", "AI税"},
		typical: .5, small: .2, why: "half of the licence fee: enough to show, not enough to end adoption", reference: .5,
		needs: needs("ai_adoption_rate", .01), outcome: sim.AIAdoptionShare, sign: -1,
	},
	{
		id: "retraining_rate", kind: KindParameter, of: LaborProductivity, unit: monthlyUnit,
		en: []string{"+retraining", "+retrain", "+reskilling", "+upskilling", "+retraining program", "+reskill", "+further training", "+retraining course"}, zh: []string{"+再培训", "+职业培训", "+技能培训", "+转岗培训", "+再就业培训", "?+技能提升"},
		typical: .1, small: .05, why: "a tenth of those concerned a month", reference: .1,
		needs: needs("ai_adoption_rate", .01), outcome: sim.UnemploymentRate, sign: -1,
	},
	{
		id: "labor_productivity_factor", kind: KindParameter, of: LaborProductivity, unit: indexUnit,
		en: []string{"labor productivity", "?productivity", "output per worker", "efficiency of worker", "+productivity boom", "-productivity slump"}, zh: []string{"劳动生产率", "?生产率", "劳动效率", "人均产出", "生产效率"},
		typical: 10, small: 5, why: "the gain of ten percent in the signs of docs/LEVERS.md", outcome: sim.RealWageMean, sign: 1,
	},
	{
		id: "ai_productivity_gain", kind: KindParameter, of: LaborProductivity, unit: rateUnit,
		en: []string{"ai productivity gain", "productivity gain of ai", "productivity gain from ai", "labor saved by ai", "productivity of ai"}, zh: []string{"人工智能生产率收益", "AI生产率收益", "人工智能节省的劳动"},
		typical: .1, small: .05, why: "two fifths of the default", needs: needs("ai_adoption_rate", .01), outcome: sim.LabourShare, sign: -1,
	},
	{
		id: "ai_task_exposure", kind: KindParameter, of: LaborProductivity, unit: rateUnit,
		en: []string{"task exposure", "share of task that ai can do", "exposure to ai", "exposure to automation"}, zh: []string{"任务暴露", "人工智能暴露", "可自动化任务比例", "可被自动化的任务"},
		typical: .2, small: .1, why: "two fifths of the default", needs: needs("ai_adoption_rate", .01), outcome: sim.LabourShare, sign: -1,
	},
	{
		id: "ai_licence_fee", kind: KindParameter, of: LaborProductivity, unit: rateUnit,
		en: []string{"license fee", "ai license fee", "price of ai", "cost of ai"}, zh: []string{"许可费", "人工智能许可费", "AI价格", "人工智能成本"},
		typical: .2, small: .1, why: "half of the default", needs: needs("ai_adoption_rate", .01), outcome: sim.AIAdoptionShare, sign: -1,
	},
	{
		id: "ai_new_task_rate", kind: KindParameter, of: LaborProductivity, unit: monthlyUnit,
		en: []string{"new task", "creation of new task", "new task for labor"}, zh: []string{"新任务", "新工作任务", "新岗位创造"},
		typical: .003, small: .001, why: "a doubling", needs: needs("ai_adoption_rate", .01), outcome: sim.LabourShare, sign: 1,
	},
}
