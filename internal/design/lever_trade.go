package design

import "econ-mcp/sim"

// tradeLevers are the rest of the world.
var tradeLevers = []row{
	{
		id: "tariff_rate", kind: KindParameter, of: Tariff, unit: levelUnit,
		en:      []string{"tariff", "import tariff", "import duty", "customs duty", "duty on import", "import tax", "tax on import", "tariff rate", "tariff barrier", "trade barrier", "+protectionism", "-free trade", "-trade liberalization"},
		zh:      []string{"关税", "进口关税", "进口税", "关税税率", "关税水平", "贸易壁垒", "+贸易保护主义", "-自由贸易"},
		typical: .1, small: .05, why: "a round rate, as in the signs of docs/LEVERS.md; half of it is small", reference: .1,
		needs: needs("enable_trade", true), outcome: sim.Imports, sign: -1,
	},
	{
		id: "retaliation_share", kind: KindParameter, of: Tariff, unit: rateUnit,
		en:      []string{"+retaliation", "+retaliate", "+retaliatory tariff", "+answer in kind", "+counter tariff"},
		zh:      []string{"+报复", "+报复性关税", "+反制", "+反制关税"},
		typical: 1, small: .5, why: "the world answers in kind",
		needs: []sim.ParameterChange{{Name: "enable_trade", Value: true}, {Name: "tariff_rate", Value: .1}}, outcome: sim.Exports, sign: -1,
	},
	{
		id: "trade_war", kind: KindPreset, of: Tariff, unit: wholeUnit,
		en: []string{"trade war", "tariff war"}, zh: []string{"贸易战", "关税战", "贸易摩擦"},
		why: "tariffs of 25 % with retaliation, the preset trade_war", outcome: sim.Imports, sign: -1,
	},
	{
		id: "import_price", kind: KindShock, of: Tariff, unit: sizeUnit,
		en:      []string{"import price", "price of import", "oil price", "+oil shock", "+oil price shock", "energy price", "+energy crisis", "gas price", "commodity price", "raw material price", "+imported inflation", "price of oil", "?oil"},
		zh:      []string{"进口价格", "油价", "石油价格", "国际油价", "能源价格", "+石油冲击", "+能源危机", "大宗商品价格", "原材料价格", "原油价格", "+输入性通胀"},
		typical: .3, small: .1, why: "the size of the preset oil_shock", persistence: .97,
		needs: needs("enable_trade", true), outcome: sim.CPI, sign: 1,
	},
	{
		id: "world_demand", kind: KindShock, of: Tariff, unit: sizeUnit,
		en:      []string{"world demand", "foreign demand", "export demand", "global demand", "demand for export", "external demand", "-global recession", "-world recession"},
		zh:      []string{"外需", "国外需求", "出口需求", "世界需求", "全球需求", "外部需求", "海外需求", "-全球衰退", "出口订单"},
		typical: .2, small: .1, why: "world trade fell by about a tenth to a fifth in 2009", persistence: .95,
		needs: needs("enable_trade", true), outcome: sim.Exports, sign: 1,
	},
	{
		id: "import_share", kind: KindParameter, of: Tariff, unit: rateUnit,
		en:      []string{"import share", "share of import", "import dependence", "dependence on import", "!self sufficiency", "!reshoring", "!buy local", "offshoring"},
		zh:      []string{"进口依赖", "进口依赖度", "进口占比", "!国产替代", "!自给率", "!进口替代"},
		typical: .05, small: .02, why: "a quarter of the default",
		needs: needs("enable_trade", true), outcome: sim.Imports, sign: 1,
	},
	{
		id: "enable_trade", kind: KindParameter, of: Tariff, unit: switchUnit, set: false,
		en:  []string{"-autarky", "-close the border to trade", "-no foreign trade", "-trade embargo", "-embargo", "foreign trade"},
		zh:  []string{"-闭关锁国", "-禁运", "-贸易禁运", "-断绝贸易", "-脱钩"},
		why: "trade is cut off as a whole", outcome: sim.Imports, sign: 1,
	},
	{
		id: "exchange_rate_regime", kind: KindParameter, of: Tariff, unit: choiceUnit, set: "fixed",
		en:  []string{"fixed exchange rate", "peg its exchange rate", "peg the exchange rate", "peg the currency", "peg", "pegged exchange rate", "currency union", "currency peg"},
		zh:  []string{"固定汇率", "固定汇率制", "汇率固定", "盯住汇率", "盯住美元", "联系汇率"},
		why: "a peg in the place of the floating rate", needs: needs("enable_trade", true), outcome: sim.ExchangeRate,
	},
	{
		id: "floating_exchange_rate", name: "exchange_rate_regime", kind: KindParameter, of: Tariff, unit: choiceUnit, set: "floating",
		en: []string{"floating exchange rate", "float the currency", "let the currency float", "flexible exchange rate"}, zh: []string{"浮动汇率", "汇率浮动", "浮动汇率制", "弹性汇率"},
		why: "a floating rate in the place of the peg", needs: needs("enable_trade", true), outcome: sim.ExchangeRate,
	},
	{
		id: "fixed_exchange_rate", kind: KindParameter, of: Tariff, unit: numberUnit,
		en:      []string{"+devaluation", "+devalue the currency", "+devalue", "+depreciation of the currency", "exchange rate", "+weaker currency", "-revaluation", "-stronger currency"},
		zh:      []string{"+贬值", "+货币贬值", "+本币贬值", "-升值", "-货币升值", "-本币升值", "汇率"},
		typical: .15, small: .05, why: "a devaluation of the size in docs/LEVERS.md",
		needs: []sim.ParameterChange{{Name: "enable_trade", Value: true}, {Name: "exchange_rate_regime", Value: "fixed"}}, outcome: sim.Exports, sign: 1,
	},
	{
		id: "world_inflation", kind: KindParameter, of: Tariff, unit: yearlyUnit,
		en: []string{"world inflation", "foreign inflation", "global inflation"}, zh: []string{"世界通胀", "国外通胀", "全球通胀"},
		typical: .02, small: .01, why: "a doubling", needs: needs("enable_trade", true), outcome: sim.CPI, sign: 1,
	},
}
