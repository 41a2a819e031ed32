package sim

// innovationKindParameters are the kinds of innovation beside the size of a gain
// in productivity.
var innovationKindParameters = []Parameter{
	{
		Name: "innovation_productivity_weight", Category: "innovation",
		Default: .4, Min: 0, Max: 1, Unit: "weight", Live: true,
		Meaning:   "Weight of innovations that raise labour productivity among all innovations.",
		MeaningZH: "提高劳动生产率的创新在全部创新中的权重。",
		Effect:    "Which kind of innovation a success of research is; without any weight research finds nothing.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.InnovationProductivityWeight },
	},
	{
		Name: "innovation_price_weight", Category: "innovation",
		Default: .2, Min: 0, Max: 1, Unit: "weight", Live: true,
		Meaning:   "Weight of innovations that cut unit cost and price alike.",
		MeaningZH: "同时降低单位成本和价格的创新的权重。",
		Effect:    "How often research ends in a lower price and a larger share of the market.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.InnovationPriceWeight },
	},
	{
		Name: "innovation_margin_weight", Category: "innovation",
		Default: .2, Min: 0, Max: 1, Unit: "weight", Live: true,
		Meaning:   "Weight of innovations whose better product is sold at a price that is higher in the same proportion.",
		MeaningZH: "产品改进、价格同比例提高的创新的权重。",
		Effect:    "How often research ends in a higher profit margin.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.InnovationMarginWeight },
	},
	{
		Name: "innovation_attribute_weight", Category: "innovation",
		Default: .2, Min: 0, Max: 1, Unit: "weight", Live: true,
		Meaning:   "Weight of innovations that make a product better at the same price.",
		MeaningZH: "在价格不变的情况下改进产品的创新的权重。",
		Effect:    "How often research ends in better quality and a larger share of the market.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.InnovationAttributeWeight },
	},
	{
		Name: "innovation_price_reduction", Category: "innovation",
		Default: .03, Min: 0, Max: .5, Unit: "share of the price", Live: true,
		Meaning:   "Cut of unit cost and price by one price innovation.",
		MeaningZH: "一次价格创新使单位成本和价格下降的比例。",
		Effect:    "What buyers gain from a price innovation, and productivity growth.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.InnovationPriceReduction },
	},
	{
		Name: "innovation_profit_margin_improvement", Category: "innovation",
		Default: .03, Min: 0, Max: .5, Unit: "ratio to unit labour cost", Live: true,
		Meaning:   "Rise of the mark-up by one margin innovation; quality rises in the same proportion as the price.",
		MeaningZH: "一次利润率创新使加成率上升的幅度；质量与价格同比例上升。",
		Effect:    "Profits of innovators; the better quality stays when the mark-up returns to its norm.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.InnovationProfitMarginImprovement },
	},
	{
		Name: "innovation_attribute_improvement", Category: "innovation",
		Default: .03, Min: 0, Max: .5, Unit: "share of quality", Live: true,
		Meaning:   "Gain in quality from one attribute innovation.",
		MeaningZH: "一次产品属性创新带来的质量提升比例。",
		Effect:    "How many buyers an attribute innovation wins.",
		Source:    "chosen: docs/MODEL.md",
		field:     func(p *Params) any { return &p.InnovationAttributeImprovement },
	},
}
