package sim

// entryParameters are open entry and exit.
var entryParameters = []Parameter{
	{
		Name: "enable_open_entry", Category: "entry",
		Default:   false,
		Meaning:   "Whether firms enter and leave freely, so that their number moves, instead of each that leaves being replaced.",
		MeaningZH: "企业是否可自由进入和退出，使企业数量变动，而非每家退出的企业都由新企业替代。",
		Effect:    "The number of firms, and with it competition, answers to profits and crises.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.EnableOpenEntry },
	},
	{
		Name: "entry_reserve", Category: "entry",
		Default: .5, Min: .05, Max: 2, Unit: "share of the firms at the start",
		Meaning:   "Places for more firms than there are at the start, in each industry of each local market.",
		MeaningZH: "各本地市场每个行业中，超出初始企业数的名额比例。",
		Effect:    "The largest number of firms under open entry.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.EntryReserve },
	},
	{
		Name: "entry_rate", Category: "entry",
		Default: .08, Min: 0, Max: 1, Unit: "new firms a year per firm at the start", Live: true,
		Meaning:   "Firms founded a year, as a share of the firms at the start, at the reference rate of profit under open entry.",
		MeaningZH: "开放进入时，在参考利润率下每年新设企业占初始企业数的比例。",
		Effect:    "Entry, the number of firms, and competition.",
		Source:    "calibrated: docs/MODEL.md",
		field:     func(p *Params) any { return &p.EntryRate },
	},
	{
		Name: "entry_profit_sensitivity", Category: "entry",
		Default: 10.0, Min: 0, Max: 50, Unit: "relative change of entry per unit of the profit rate", Live: true,
		Meaning:   "How strongly entry into an industry answers to its rate of profit.",
		MeaningZH: "行业进入对该行业利润率的反应强度。",
		Effect:    "How fast profits attract competitors, and how far the number of firms falls in a crisis.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.EntryProfitSensitivity },
	},
	{
		Name: "entry_profit_reference", Category: "entry",
		Default: .06, Min: -1, Max: 1, Unit: "share of revenue", Live: true,
		Meaning:   "Profit before tax, as a share of revenue, at which firms enter at entry_rate.",
		MeaningZH: "企业按 entry_rate 进入时的税前利润占营业收入的比例。",
		Effect:    "The rate of profit towards which open entry drives industries.",
		Source:    "calibrated: docs/MODEL.md",
		field:     func(p *Params) any { return &p.EntryProfitReference },
	},
}
