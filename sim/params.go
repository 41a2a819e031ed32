package sim

// Params holds every parameter of the economy. It is a flat value: an
// assignment is an immutable snapshot of a run's parameters.
//
// The meaning, unit, default, range and source of each field stand in its row
// of the catalogue ([Catalogue]), which is the only place that knows them;
// [Defaults] returns the baseline. Rates named "a year" are annual and are
// divided by 12 where they are used; everything else is per month.
type Params struct {
	// system_scale
	NumHouseholds       int     // num_households
	HouseholdsPerFirm   int     // households_per_firm
	HouseholdsPerMarket int     // households_per_market
	NumIndustries       int     // num_industries
	MinPerCat           int     // min_per_cat
	CapitalFirmShare    float64 // capital_firm_share
	NumIterations       int     // num_iterations
	BurnInMonths        int     // burn_in_months
	RandomState         int     // random_state

	// tax_policy
	IncomeTaxRate    float64 // income_tax_rate
	TaxAllowance     float64 // tax_allowance
	VATRate          float64 // vat_rate
	CorporateTaxRate float64 // corporate_tax_rate
	TariffRate       float64 // tariff_rate

	// fiscal
	GovernmentEmploymentShare      float64 // government_employment_share
	EnableInherentMarket           bool    // enable_inherent_market
	InherentMarketConsumptionRate  float64 // inherent_market_consumption_rate
	InherentMarketFocusNewProducts bool    // inherent_market_focus_new_products
	ProcurementInnovationWeight    float64 // procurement_innovation_weight
	UnemploymentBenefitRate        float64 // unemployment_benefit_rate
	BenefitMonths                  int     // benefit_months
	LongTermBenefitFactor          float64 // long_term_benefit_factor
	UniversalBasicIncome           float64 // universal_basic_income
	EnableDebtRule                 bool    // enable_debt_rule
	DebtTarget                     float64 // debt_target
	PublicDebtAbroad               float64 // public_debt_abroad
	DebtRuleLevelCoefficient       float64 // debt_rule_level_coefficient
	DebtRuleChangeCoefficient      float64 // debt_rule_change_coefficient

	// labor_market
	SeparationRate              float64 // separation_rate
	EnableDismissal             bool    // enable_dismissal
	DismissalRate               float64 // dismissal_rate
	HiringRate                  float64 // hiring_rate
	OvertimeLimit               float64 // overtime_limit
	JobSearchIntensity          int     // job_search_intensity
	MatchingEfficiency          float64 // matching_efficiency
	OnTheJobSearchRate          float64 // on_the_job_search_rate
	FirstMonthJobRate           float64 // first_month_job_rate
	ReservationWageRatio        float64 // reservation_wage_ratio
	ReservationWageDecay        float64 // reservation_wage_decay
	JobSwitchWageRatio          float64 // job_switch_wage_ratio
	MinimumWage                 float64 // minimum_wage
	WageAdjustmentRate          float64 // wage_adjustment_rate
	WageInflationIndexation     float64 // wage_inflation_indexation
	WageProductivityIndexation  float64 // wage_productivity_indexation
	WageUnemploymentSensitivity float64 // wage_unemployment_sensitivity
	WageMemoryMonths            float64 // wage_memory_months
	NaturalUnemploymentRate     float64 // natural_unemployment_rate
	SkillDispersion             float64 // skill_dispersion
	SkillTail                   float64 // skill_tail
	SkillLoss                   float64 // skill_loss
	SearchFatigue               float64 // search_fatigue
	BenefitSearchElasticity     float64 // benefit_search_elasticity
	LaborProductivityFactor     float64 // labor_productivity_factor
	ProfitToProductionRatio     float64 // profit_to_production_ratio
	WageRentSharing             float64 // wage_rent_sharing
	WageSizePremium             float64 // wage_size_premium
	QuitMemoryMonths            float64 // quit_memory_months

	// production
	MinProductionPerProduct    float64 // min_production_per_product
	ProductionFunction         string  // production_function
	LaborElasticity            float64 // labor_elasticity
	ExpectationAdjustment      float64 // expectation_adjustment
	TargetInventoryRatio       float64 // target_inventory_ratio
	InventoryAdjustmentMonths  float64 // inventory_adjustment_months
	FirmProductivityDispersion float64 // firm_productivity_dispersion
	SafetyStock                float64 // safety_stock

	// market
	EnablePriceAdjustment      bool    // enable_price_adjustment
	PriceAdjustmentRate        float64 // price_adjustment_rate
	PriceAdjustmentProbability float64 // price_adjustment_probability
	PriceGapTolerance          float64 // price_gap_tolerance
	ConsumptionMarkUp          float64 // consumption_mark_up
	CapitalMarkUp              float64 // capital_mark_up
	MarkUpReversion            float64 // mark_up_reversion
	EnableCompetitiveMarket    bool    // enable_competitive_market
	SuppliersPerIndustry       int     // suppliers_per_industry
	SupplierSearchRate         float64 // supplier_search_rate
	RandomSupplierShare        float64 // random_supplier_share
	WordOfMouthElasticity      float64 // word_of_mouth_elasticity
	RationingSwitchRate        float64 // rationing_switch_rate
	PriceSensitivity           float64 // price_sensitivity
	SupplierStockRequirement   float64 // supplier_stock_requirement
	FirmDemandDispersion       float64 // firm_demand_dispersion

	// consumption
	EnableEngelCurves              bool    // enable_engel_curves
	PropensityToConsumeIncome      float64 // propensity_to_consume_income
	PropensityToConsumeWealth      float64 // propensity_to_consume_wealth
	IncomeSmoothing                float64 // income_smoothing
	ConsumptionHabit               float64 // consumption_habit
	ConsumptionInterestSensitivity float64 // consumption_interest_sensitivity
	ConfidenceConsumptionEffect    float64 // confidence_consumption_effect
	EnableHouseholdTypes           bool    // enable_household_types
	OverdraftMonths                float64 // overdraft_months
	OwnershipRisk                  float64 // ownership_risk
	PrecautionaryEffect            float64 // precautionary_effect

	// confidence
	ConfidencePersistence          float64 // confidence_persistence
	ConfidenceVolatility           float64 // confidence_volatility
	ConfidenceUnemploymentFeedback float64 // confidence_unemployment_feedback
	ConfidenceShock                float64 // confidence_shock

	// shocks
	TechnologyVolatility  float64 // technology_volatility
	WorldDemandVolatility float64 // world_demand_volatility
	ImportPriceVolatility float64 // import_price_volatility
	PurchasesVolatility   float64 // purchases_volatility
	PolicyRateVolatility  float64 // policy_rate_volatility
	LoanSpreadVolatility  float64 // loan_spread_volatility

	// investment
	CapitalProductivity        float64 // capital_productivity
	DepreciationRate           float64 // depreciation_rate
	TargetUtilisation          float64 // target_utilisation
	CapitalAdjustmentMonths    float64 // capital_adjustment_months
	InvestmentProbability      float64 // investment_probability
	CapitalSupplierSearchRate  float64 // capital_supplier_search_rate
	InvestmentMemoryMonths     float64 // investment_memory_months
	CapitalUserCostElasticity  float64 // capital_user_cost_elasticity
	ConfidenceInvestmentEffect float64 // confidence_investment_effect
	InvestmentLoanShare        float64 // investment_loan_share

	// innovation
	EnableInnovation                       bool    // enable_innovation
	InnovationResearchShare                float64 // innovation_research_share
	InnovationProbability                  float64 // innovation_probability
	InnovationLaborProductivityImprovement float64 // innovation_labor_productivity_improvement
	InnovationPricePassThrough             float64 // innovation_price_pass_through
	InnovationConcavity                    float64 // innovation_concavity
	ImitationProbability                   float64 // imitation_probability
	ImitationStep                          float64 // imitation_step
	InnovationProductivityWeight           float64 // innovation_productivity_weight
	InnovationPriceWeight                  float64 // innovation_price_weight
	InnovationMarginWeight                 float64 // innovation_margin_weight
	InnovationAttributeWeight              float64 // innovation_attribute_weight
	InnovationPriceReduction               float64 // innovation_price_reduction
	InnovationProfitMarginImprovement      float64 // innovation_profit_margin_improvement
	InnovationAttributeImprovement         float64 // innovation_attribute_improvement

	// automation
	AIAdoptionRate      float64 // ai_adoption_rate
	AIAdoptionContagion float64 // ai_adoption_contagion
	AIProductivityGain  float64 // ai_productivity_gain
	AITaskExposure      float64 // ai_task_exposure
	AILicenceFee        float64 // ai_licence_fee
	AINewTaskRate       float64 // ai_new_task_rate
	AIMismatchPenalty   float64 // ai_mismatch_penalty
	RobotTaxRate        float64 // robot_tax_rate
	RetrainingRate      float64 // retraining_rate
	RetrainingCost      float64 // retraining_cost
	RetrainingEffect    float64 // retraining_effect

	// monetary
	PolicyRateRule                string  // policy_rate_rule
	FixedPolicyRate               float64 // fixed_policy_rate
	PolicyRateSmoothing           float64 // policy_rate_smoothing
	CoreInflationWeight           float64 // core_inflation_weight
	NaturalRealRate               float64 // natural_real_rate
	InflationTarget               float64 // inflation_target
	TaylorInflationCoefficient    float64 // taylor_inflation_coefficient
	TaylorUnemploymentCoefficient float64 // taylor_unemployment_coefficient
	MaxPolicyRate                 float64 // max_policy_rate
	LoanSpread                    float64 // loan_spread
	DepositSpread                 float64 // deposit_spread
	LeveragePremium               float64 // leverage_premium
	ReserveCorridor               float64 // reserve_corridor
	CentralBankBondShare          float64 // central_bank_bond_share

	// credit
	AmortisationRate          float64 // amortisation_rate
	MaxLeverage               float64 // max_leverage
	CapitalRequirement        float64 // capital_requirement
	RecoveryRate              float64 // recovery_rate
	PayoutRate                float64 // payout_rate
	BankPayoutRate            float64 // bank_payout_rate
	LiquidityBuffer           float64 // liquidity_buffer_months
	ClosureRate               float64 // closure_rate
	RecapitalisationThreshold float64 // recapitalisation_threshold

	// transfers
	IncomeTaxBrackets                RateTable // income_tax_brackets
	VATRatesByIndustry               RateTable // vat_rates_by_industry
	GreenLevyRate                    float64   // green_levy_rate
	GreenLevyByIndustry              RateTable // green_levy_by_industry
	AbatementElasticity              float64   // abatement_elasticity
	AbatementSpeed                   float64   // abatement_speed
	BasicIncomeUnit                  string    // basic_income_unit
	BasicIncomeFinancing             string    // basic_income_financing
	MinimumIncome                    float64   // minimum_income
	MinimumIncomeTaper               float64   // minimum_income_taper
	RedistributionStrategy           string    // redistribution_strategy
	RedistributionShare              float64   // redistribution_share
	RedistributionFinancing          string    // redistribution_financing
	RedistributionPovertyWeight      float64   // redistribution_poverty_weight
	RedistributionUnemploymentWeight float64   // redistribution_unemployment_weight
	RedistributionFamilySizeWeight   float64   // redistribution_family_size_weight
	EnableDynamicJobPosting          bool      // enable_dynamic_job_posting
	UnemploymentThreshold            float64   // unemployment_threshold
	JobPostingMultiplier             float64   // job_posting_multiplier
	JobGuaranteeWage                 float64   // job_guarantee_wage
	EnableAusterityRule              bool      // enable_austerity_rule
	AusterityDeficitLimit            float64   // austerity_deficit_limit
	AusterityResponse                float64   // austerity_response

	ConsumptionDemandFactor   float64   // consumption_demand_factor
	ConfidenceShift           float64   // confidence_shift
	CapitalDestructionRate    float64   // capital_destruction_rate
	DemandFactorsByIndustry   RateTable // demand_factors_by_industry
	CapacityFactorsByIndustry RateTable // capacity_factors_by_industry

	// subsidies
	WageSubsidyRate         float64 // wage_subsidy_rate
	WageSubsidyCeiling      float64 // wage_subsidy_ceiling
	ResearchSubsidyRate     float64 // research_subsidy_rate
	PublicResearchShare     float64 // public_research_share
	PublicResearchSpillover float64 // public_research_spillover
	JobRetentionShare       float64 // job_retention_share
	JobRetentionBenefitRate float64 // job_retention_benefit_rate

	// credit: banks
	NumBanks              int     // num_banks
	CreditSupplyFactor    float64 // credit_supply_factor
	CashFlowLimit         float64 // cash_flow_limit
	CountercyclicalBuffer float64 // countercyclical_buffer
	BankResolution        string  // bank_resolution
	DepositInsurance      float64 // deposit_insurance

	// demography
	EnableDemography        bool    // enable_demography
	ParticipationRateYoung  float64 // participation_rate_young
	ParticipationRatePrime  float64 // participation_rate_prime
	ParticipationRateOlder  float64 // participation_rate_older
	RetirementAgeShift      float64 // retirement_age_shift
	PensionReplacementRate  float64 // pension_replacement_rate
	PensionContributionRate float64 // pension_contribution_rate
	PopulationReserve       float64 // population_reserve
	PopulationGrowth        float64 // population_growth
	MigrationRate           float64 // migration_rate

	// trade
	EnableTrade                     bool    // enable_trade
	ImportShare                     float64 // import_share
	ArmingtonElasticity             float64 // armington_elasticity
	ExportElasticity                float64 // export_elasticity
	TradeElasticityShortRun         float64 // trade_elasticity_short_run
	TradeAdjustmentMonths           float64 // trade_adjustment_months
	WorldDemandFactor               float64 // world_demand_factor
	ImportPriceFactor               float64 // import_price_factor
	RetaliationShare                float64 // retaliation_share
	WorldGrowth                     float64 // world_growth
	WorldInflation                  float64 // world_inflation
	WorldInterestRate               float64 // world_interest_rate
	ExchangeRateRegime              string  // exchange_rate_regime
	FixedExchangeRate               float64 // fixed_exchange_rate
	ExchangeRateAdjustment          float64 // exchange_rate_adjustment
	ExchangeRateInterestSensitivity float64 // exchange_rate_interest_sensitivity

	// entry
	EnableOpenEntry        bool    // enable_open_entry
	EntryReserve           float64 // entry_reserve
	EntryRate              float64 // entry_rate
	EntryProfitSensitivity float64 // entry_profit_sensitivity
	EntryProfitReference   float64 // entry_profit_reference

	// performance, monitoring (technical: never part of a scenario's hash)
	MaxConcurrentTasks int  // max_concurrent_tasks
	MonitorInterval    int  // monitor_interval
	EnableMonitoring   bool // enable_monitoring
}
