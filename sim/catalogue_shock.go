package sim

// shockParameters are what shocks move; at their defaults nothing happens.
var shockParameters = []Parameter{
	{
		Name: "consumption_demand_factor", Category: "consumption",
		Default: 1.0, Min: 0, Max: 3, Unit: "factor", Live: true,
		Meaning:   "Factor on the spending that households want.",
		MeaningZH: "家庭意愿支出的系数。",
		Effect:    "A shock to the demand of households, positive or negative.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.ConsumptionDemandFactor },
	},
	{
		Name: "confidence_shift", Category: "confidence",
		Default: 0.0, Min: -.5, Max: .5, Live: true,
		Meaning:   "Addition to the common mood while it is in force, in the unit of confidence_shock.",
		MeaningZH: "生效期间对共同信心的附加值（单位同 confidence_shock）。",
		Effect:    "Spending of households and investment of firms.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.ConfidenceShift },
	},
	{
		Name: "capital_destruction_rate", Category: "investment",
		Default: 0.0, Min: 0, Max: .9, Unit: "share per month", Live: true,
		Meaning:   "Part of the capital of every firm that is destroyed at the start of a month.",
		MeaningZH: "每月初被毁的企业资本比例。",
		Effect:    "Capacity, credit and investment after a disaster.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.CapitalDestructionRate },
	},
	{
		Name: "demand_factors_by_industry", Category: "consumption",
		Default: NoRates, Min: 0, Max: 3, Keys: KeysIndustry, Unit: "factor", Live: true,
		Meaning:   "Factors on what households spend in single industries, by COICOP division; what is not spent is saved.",
		MeaningZH: "家庭在单个行业（按 COICOP 大类）支出的系数；未支出的部分转为储蓄。",
		Effect:    "Shocks to the demand for single goods, such as restaurants in a pandemic.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.DemandFactorsByIndustry },
	},
	{
		Name: "capacity_factors_by_industry", Category: "investment",
		Default: NoRates, Min: 0, Max: 1, Keys: KeysIndustry, Unit: "share of capacity", Live: true,
		Meaning:   "Part of the capacity of single industries, by COICOP division, that may be used.",
		MeaningZH: "单个行业（按 COICOP 大类）可使用的产能比例。",
		Effect:    "Shocks to supply, such as a lockdown: output, employment and prices of these industries.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.CapacityFactorsByIndustry },
	},
}
