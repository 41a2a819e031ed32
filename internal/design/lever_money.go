package design

import "econ-mcp/sim"

// moneyLevers are the central bank, banks and credit.
var moneyLevers = []row{
	{
		id: "fixed_policy_rate", kind: KindParameter, of: Monetary, unit: levelUnit,
		en: []string{
			"interest rate", "policy rate", "key interest rate", "key rate", "central bank rate", "base rate", "short term rate", "nominal rate", "+rate hike", "-rate cut", "+rate increase", "+interest rate hike", "-interest rate cut", "+monetary tightening", "-monetary easing", "+tighter monetary policy",
			"-looser monetary policy", "+tight money", "-easy money", "-cheap money", "rate of the central bank", "rates",
		},
		zh:      []string{"利率", "政策利率", "基准利率", "央行利率", "名义利率", "+加息", "-降息", "+货币紧缩", "+收紧货币政策", "+紧缩性货币政策", "-宽松货币政策", "-货币宽松", "-放松货币政策", "利息"},
		typical: .01, small: .0025, why: "one percentage point, the usual size of monetary experiments; a quarter is one step of a central bank",
		needs: needs("policy_rate_rule", "fixed"), outcome: sim.Inflation, sign: -1,
	},
	{
		id: "inflation_target", kind: KindParameter, of: Monetary, unit: levelUnit,
		en:      []string{"inflation target", "target for inflation", "target of inflation", "target inflation", "inflation goal"},
		zh:      []string{"通胀目标", "通货膨胀目标", "通胀目标制", "通胀率目标", "物价目标"},
		typical: .02, small: .005, why: "from 2 % to 4 %, the change that is discussed most", outcome: sim.Inflation, sign: 1,
	},
	{
		id: "taylor_inflation_coefficient", kind: KindParameter, of: Monetary, unit: numberUnit,
		en:      []string{"reaction to inflation", "response to inflation", "respond to inflation", "taylor coefficient", "+hawkish", "-dovish", "fight inflation"},
		zh:      []string{"对通胀的反应", "泰勒系数", "+鹰派", "-鸽派", "抗通胀力度"},
		typical: .5, small: .25, why: "a quarter of the default", outcome: sim.Inflation, sign: -1,
	},
	{
		id: "taylor_unemployment_coefficient", kind: KindParameter, of: Monetary, unit: numberUnit,
		en: []string{"+dual mandate", "+employment mandate", "reaction to unemployment", "response to unemployment"}, zh: []string{"+双重使命", "+就业目标", "对失业的反应"},
		typical: .5, small: .25, why: "a doubling", outcome: sim.UnemploymentRate, sign: -1,
	},
	{
		id: "policy_rate_rule", kind: KindParameter, of: Monetary, unit: choiceUnit, set: "fixed",
		en:  []string{"fixed interest rate rule", "keep the interest rate fixed", "constant interest rate", "interest rate peg", "give up the taylor rule", "taylor rule"},
		zh:  []string{"固定利率", "利率固定", "放弃泰勒规则", "泰勒规则"},
		why: "a constant rate in the place of the Taylor rule", outcome: sim.Inflation,
	},
	{
		id: "central_bank_bond_share", kind: KindParameter, of: Monetary, unit: rateUnit,
		en:      []string{"+quantitative easing", "+qe", "+bond purchase", "+buy government bond", "+buy public debt", "+asset purchase", "+bond buying", "+monetary financing", "+print money", "+money printing", "-quantitative tightening", "+deficit monetization"},
		zh:      []string{"+量化宽松", "+购债", "+购买国债", "+央行购买", "+购买政府债券", "+资产购买", "+货币化融资", "+财政赤字货币化", "+印钞", "+印钱", "-缩表", "-量化紧缩"},
		typical: .3, small: .1, why: "near the part of public debt that large central banks held in 2020", reference: .3, outcome: sim.CreditStock, sign: 1,
	},
	{
		id: "capital_requirement", kind: KindParameter, of: Credit, unit: levelUnit,
		en:      []string{"capital requirement", "bank capital", "capital ratio", "bank capital requirement", "equity requirement", "+hold more capital", "capital adequacy", "bank equity", "capital rule", "equity ratio of bank", "capital buffer", "~reserve requirement", "~reserve ratio", "+bank hold", "+bank to hold", "+bank must hold", "+bank should hold"},
		zh:      []string{"资本要求", "资本充足率", "资本充足率要求", "银行资本要求", "银行资本", "资本金要求", "资本监管", "~存款准备金率", "~准备金率", "~存款准备金"},
		typical: .04, small: .01, why: "half of the default, about the step from the second to the third Basel accord", outcome: sim.CreditStock, sign: -1,
	},
	{
		id: "countercyclical_buffer", kind: KindParameter, of: Credit, unit: levelUnit,
		en: []string{"countercyclical buffer", "countercyclical capital buffer"}, zh: []string{"逆周期缓冲", "逆周期资本缓冲", "逆周期资本"},
		typical: .025, small: .01, why: "the cap of the third Basel accord", reference: .025, outcome: sim.CreditStock, sign: -1,
	},
	{
		id: "max_leverage", kind: KindParameter, of: Credit, unit: rateUnit,
		en:      []string{"leverage", "leverage limit", "loan to value", "loan to value limit", "loan to value ratio", "ltv", "debt limit of firm", "+easier credit", "+looser credit", "-tighter credit", "-credit tightening", "+credit easing", "leverage ratio", "access to credit", "credit condition"},
		zh:      []string{"杠杆", "杠杆率", "杠杆率上限", "企业杠杆率", "企业杠杆率上限", "贷款价值比", "-去杠杆", "+放宽信贷", "-收紧信贷", "+信贷宽松", "贷款成数", "融资条件"},
		typical: .1, small: .05, why: "about an eighth of the default", strictFalls: true, outcome: sim.CreditStock, sign: 1,
	},
	{
		id: "credit", kind: KindShock, of: Credit, unit: sizeUnit, falls: true,
		en:      []string{"-credit crunch", "-credit freeze", "-financial crisis", "-banking crisis", "bank lending", "credit supply", "-freeze bank lending", "-freeze lending", "-credit squeeze", "-freeze credit", "supply of credit", "-bank panic", "-lending freeze"},
		zh:      []string{"-信贷紧缩", "-信贷冻结", "-金融危机", "-银行危机", "-冻结信贷", "-停止放贷", "-银行停贷", "信贷供给", "银行放贷", "信贷投放", "-钱荒", "-银行恐慌"},
		typical: .6, small: .2, why: "the size of the preset credit_crunch", persistence: .92, outcome: sim.Bankruptcies, sign: -1,
	},
	{
		id: "loan_spread", kind: KindParameter, of: Credit, unit: levelUnit,
		en:      []string{"loan spread", "lending rate", "lending margin", "interest margin", "cost of credit", "loan rate", "borrowing cost", "cost of borrowing", "credit spread", "dearer loan"},
		zh:      []string{"贷款利差", "利差", "贷款利率", "借贷成本", "融资成本", "贷款成本", "信用利差"},
		typical: .02, small: .005, why: "the size in the preset crisis", outcome: sim.RealInvestment, sign: -1,
	},
	{
		id: "deposit_spread", kind: KindParameter, of: Credit, unit: levelUnit,
		en: []string{"deposit spread", "!deposit rate", "!interest on deposit", "!saving interest"}, zh: []string{"存款利差", "!存款利率"},
		typical: .01, small: .005, why: "a doubling", outcome: sim.RealConsumption, sign: -1,
	},
	{
		id: "bank_resolution", kind: KindParameter, of: Credit, unit: choiceUnit, set: "bail_in",
		en: []string{"bail in", "bail in of creditor", "no bailout", "bail out", "bailout", "bank bailout", "let bank fail", "creditor pay"}, zh: []string{"内部纾困", "自救", "不救助银行", "救助银行", "银行纾困", "纾困"},
		why: "creditors pay in the place of the state", outcome: sim.BankEquity,
	},
	{
		id: "deposit_insurance", kind: KindParameter, of: Credit, unit: numberUnit,
		en: []string{"deposit insurance", "deposit guarantee"}, zh: []string{"存款保险", "存款保险额度"},
		typical: 18, small: 9, why: "half of the default", needs: needs("bank_resolution", "bail_in"), outcome: sim.RealConsumption,
	},
	{
		id: "num_banks", kind: KindParameter, of: Credit, unit: numberUnit,
		en: []string{"number of bank", "!bank merger", "how many bank"}, zh: []string{"银行数量", "!银行合并"},
		typical: 2, small: 1, why: "half of the default", outcome: sim.CreditStock,
	},
}
