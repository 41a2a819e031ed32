package sim

// part is what an economy may lack, and without which some indicators are always the same.
type part struct {
	has  func(p *Params) bool
	hint string
}

var (
	demography    = &part{func(p *Params) bool { return p.EnableDemography }, "set enable_demography=true"}
	contributions = &part{func(p *Params) bool { return p.EnableDemography && p.PensionContributionRate > 0 },
		"set enable_demography=true and pension_contribution_rate above 0"}
	trade    = &part{func(p *Params) bool { return p.EnableTrade }, "set enable_trade=true"}
	research = &part{func(p *Params) bool { return p.EnableInnovation }, "set enable_innovation=true"}
	adoption = &part{func(p *Params) bool { return p.AIAdoptionRate > 0 }, "set ai_adoption_rate above 0, or take the preset ai_wave"}
	robotTax = &part{func(p *Params) bool { return p.AIAdoptionRate > 0 && p.RobotTaxRate > 0 },
		"set ai_adoption_rate and robot_tax_rate above 0"}
	greenLevy = &part{func(p *Params) bool { return p.GreenLevyRate > 0 || p.GreenLevyByIndustry != NoRates },
		"set green_levy_rate or green_levy_by_industry"}
	tariff  = &part{func(p *Params) bool { return p.EnableTrade && p.TariffRate > 0 }, "set enable_trade=true and tariff_rate above 0"}
	posting = &part{func(p *Params) bool { return p.EnableDynamicJobPosting },
		"set enable_dynamic_job_posting=true, or have the policy job_guarantee"}
)

// costly are the parts without which a programme costs nothing. Banks may fail anywhere, and those who get
// benefits or interest are never none; injections are looked for in the plan.
var costly = map[string]*part{
	"public_employment": {func(p *Params) bool { return p.GovernmentEmploymentShare > 0 }, "set government_employment_share above 0"},
	"public_research":   {func(p *Params) bool { return p.PublicResearchShare > 0 }, "set public_research_share above 0"},
	"job_guarantee":     posting,
	"purchases":         {func(p *Params) bool { return p.EnableInherentMarket }, "set enable_inherent_market=true"},
	"job_retention":     {func(p *Params) bool { return p.JobRetentionShare > 0 }, "set job_retention_share above 0"},
	"pensions":          demography,
	"basic_income":      {func(p *Params) bool { return p.UniversalBasicIncome > 0 }, "set universal_basic_income above 0"},
	"minimum_income":    {func(p *Params) bool { return p.MinimumIncome > 0 }, "set minimum_income above 0"},
	"redistribution":    {func(p *Params) bool { return p.RedistributionStrategy != "none" }, "set redistribution_strategy"},
	"injections":        {func(*Params) bool { return false }, "pay a group, an industry or banks"},
	"retraining": {func(p *Params) bool { return p.RetrainingRate > 0 && p.AIAdoptionRate > 0 },
		"set retraining_rate and ai_adoption_rate above 0"},
	"wage_subsidies": {func(p *Params) bool { return p.WageSubsidyRate > 0 }, "set wage_subsidy_rate above 0"},
	"research_subsidies": {
		func(p *Params) bool { return p.ResearchSubsidyRate > 0 && p.EnableInnovation },
		"set research_subsidy_rate above 0 and enable_innovation=true",
	},
}

// needs is the part without which an indicator is always the same; nil = none.
func (i Indicator) needs() *part {
	if i.NeedsDemography() {
		return demography
	}
	if k := int(i-firstShares) / 2; i >= firstShares {
		if k < len(booked) {
			return booked[k].needs()
		}
		i = firstCost + Indicator(k-len(booked))
	}
	if k := int(i - firstCost); k >= 0 && k < len(programmes) {
		return costly[programmes[k].ID]
	}
	switch i {
	case TaxContributions:
		return contributions
	case Population, ParticipationRate:
		return demography
	case Exports, Imports, ExchangeRate, ImportPriceIndex, CurrentAccount, NetForeignPosition:
		return trade
	case TaxTariff:
		return tariff
	case TaxLevy:
		return greenLevy
	case TaxRobot:
		return robotTax
	case InnovationEvents:
		return research
	case AIAdoptionShare:
		return adoption
	case JobGuaranteeEmployment:
		return posting
	}
	return nil
}

// In says whether an economy with the given parameters and plan can have another value of the indicator
// than always the same: without trade there are no exports, without demography as many people as ever.
// Where it cannot, hint says what it lacks.
func (i Indicator) In(p Params, plan []Intervention) (hint string, ok bool) {
	need := i.needs()
	if need == nil || need.has(&p) {
		return "", true
	}
	for _, v := range plan {
		if v.Type == TypeInjection && need == costly["injections"] {
			return "", true
		}
		p = v.Applied(p) // one after the other: a part may take two of them
		if need.has(&p) {
			return "", true
		}
	}
	return need.hint, false
}
