package sim

// bankParameters are the number of banks, their supply of credit, and what happens
// when one fails.
var bankParameters = []Parameter{
	{
		Name: "num_banks", Category: "credit",
		Default: 4, Min: 1, Max: MaxBanks, Unit: "banks",
		Label: "number of banks", LabelZH: "银行数量",
		Meaning:   "Number of banks; households and firms are divided among them for good, by hash of their number.",
		MeaningZH: "银行数量；家庭和企业按编号的哈希值固定分属各银行。",
		Effect:    "How far the losses of one bank ration credit to its own customers only.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.NumBanks },
	},
	{
		Name: "credit_supply_factor", Category: "credit",
		Default: 1.0, Min: 0, Max: 1, Unit: "share of usual lending", Live: true,
		Label: "credit supply", LabelZH: "信贷供给",
		Meaning: "What banks lend of what firms ask for, and the limits of debt that they allow, relative to the usual: " +
			"1 is neutral, 0 ends all new loans to firms that exist.",
		MeaningZH: "银行满足企业贷款申请的比例，以及允许的债务上限相对于平常的比例：1 为中性，0 表示不再向现有企业发放任何新贷款。",
		Effect:    "A credit crunch (0.8) or a freeze (0.1): bankruptcies, investment and employment.",
		Source:    "stylised; chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.CreditSupplyFactor },
	},
	{
		Name: "cash_flow_limit", Category: "credit",
		Default: 14.14, Min: 0, Max: 50, Unit: "years of earnings", Live: true,
		Label: "limit of debt by earnings", LabelZH: "按盈利的债务上限",
		Meaning:   "Debt of a firm of two years and more that banks allow, in years of its earnings before interest, tax and wear; 0 is no such limit.",
		MeaningZH: "银行对成立满两年的企业所允许的债务，以其息税折旧前盈利的年数计；0 表示无此上限。",
		Effect:    "Debt, investment and failures of firms that earn little.",
		Source:    "Lian and Ma (2021): median limit of debt covenants about 3.5 to 5 years; wider here, as it binds on all loans",
		field:     func(p *Params) any { return &p.CashFlowLimit },
	},
	{
		Name: "countercyclical_buffer", Category: "credit",
		Default: 0.0, Min: 0, Max: .25, Unit: "share of loans", Live: true,
		Label: "countercyclical buffer", LabelZH: "逆周期缓冲",
		Meaning:   "Equity that banks must hold beyond the capital requirement to lend and to pay dividends.",
		MeaningZH: "银行在资本要求之外须持有的逆周期缓冲，不足时不得放贷或分红。",
		Effect:    "Bank lending and dividends now, losses that banks can bear later.",
		Source:    "stylised; after the countercyclical capital buffer of Basel III",
		field:     func(p *Params) any { return &p.CountercyclicalBuffer },
	},
	{
		Name: "bank_resolution", Category: "credit",
		Default: "bailout", Choices: []string{"bailout", "bail_in"}, Live: true,
		Label: "bank resolution", LabelZH: "银行处置方式",
		Meaning:   "Who restores the equity of a failing bank: the government, or first its depositors above the insured amount.",
		MeaningZH: "由谁恢复倒闭银行的权益：政府（bailout），或先由超出保险额度的储户承担（bail_in）。",
		Effect:    "Whether bank losses become public debt or losses of wealthy households and of firms.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.BankResolution },
	},
	{
		Name: "deposit_insurance", Category: "credit",
		Default: 36.0, Min: 0, Max: 1200, Unit: "months of the mean wage", Live: true,
		Label: "deposit insurance", LabelZH: "存款保险",
		Meaning:   "Deposit of one customer that is safe when a bank is resolved by bail_in.",
		MeaningZH: "采用储户承担（bail_in）方式处置银行时，每位客户受保障的存款额。",
		Effect:    "How many depositors share the losses of a failing bank, and what is left to the government.",
		Source:    "stylised; chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.DepositInsurance },
	},
}
