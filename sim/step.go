package sim

import "econ-mcp/internal/fault"

// schedule is the month: MODEL.md section 3, in its order. Each entry is one
// phase; inside a phase an agent reads others only as they were when it began,
// and writes others only by adding integers.
var schedule = [...]struct {
	name string
	run  func(*Economy)
}{
	{"interventions", (*Economy).beginMonth},
	{"confidence", func(e *Economy) { e.moveConfidence(); e.moveShocks() }},
	{"interest rates", (*Economy).setInterestRates},
	{"public wages and benefits", (*Economy).setBenefits},
	{"taxes", func(e *Economy) { e.setTaxRates(); e.setLevies() }},
	{"shocks", func(e *Economy) { e.applyShocks(); e.moveFirms() }},
	{"demography", func(e *Economy) { e.renewPopulation(); e.moveOwnership() }},
	{"wages", (*Economy).raiseWages},
	{"production plans", func(e *Economy) { e.overFirms((*Economy).planProduction) }},
	{"prices", func(e *Economy) { e.overFirms((*Economy).setPrices) }},
	{"labour demand", func(e *Economy) { e.overFirms((*Economy).demandLabour); e.postGovernmentJobs(); e.planProgramme() }},
	{"investment", (*Economy).placeCapitalOrders},
	{"separations", (*Economy).endJobs},
	{"matching", (*Economy).match},
	{"public employment programme", (*Economy).runProgramme},
	{"income", (*Economy).payIncomes},
	{"consumption plans", func(e *Economy) { e.overHouseholds((*Economy).planSpending) }},
	{"production", (*Economy).runProduction},
	{"foreign trade", (*Economy).openTrade},
	{"supplier search", (*Economy).seekSuppliers},
	{"goods market, first round", (*Economy).firstRound},
	{"goods market, second round", (*Economy).secondRound},
	{"capital delivery", (*Economy).capitalMarket},
	{"innovation and imitation", (*Economy).technicalChange},
	{"automation", (*Economy).automation},
	{"firm accounts", (*Economy).settleAccounts},
	{"defaults and entry", (*Economy).settleDefaults},
	{"bank", (*Economy).settleBank},
	{"government", (*Economy).settleGovernment},
	{"settlement between banks", (*Economy).settleReserves},
	{"statistics", (*Economy).takeStatistics},
	{"averages", (*Economy).smoothAverages},
	{"fiscal rules", (*Economy).applyFiscalRules},
	{"central bank", (*Economy).setPolicyRate},
	{"exchange rate", (*Economy).setExchangeRate},
	{"conditions", (*Economy).watch},
}

// Step simulates one month. The books are audited at its end: an identity that
// does not hold is an [*AuditError]; where money has outgrown what can be added up exactly, the
// error is a [fault.LimitExceeded]. After either the economy must not be used.
func (e *Economy) Step() error {
	if e.experimentMonth() == 0 { // measurement: nothing in the schedule reads it
		e.recordStanding()
	}
	for _, phase := range schedule {
		phase.run(e)
		if e.onPhase != nil {
			e.onPhase(phase.name)
		}
	}
	err := e.audit()
	if e.onPhase != nil {
		e.onPhase("audit")
	}
	e.before, e.opening = e.opening, e.closing
	return err
}

// Phases lists the names that the hook of [Economy.OnPhase] is called with.
func Phases() []string {
	var names []string
	for _, phase := range schedule {
		names = append(names, phase.name)
	}
	return append(names, "audit")
}

// OnPhase sets a function that is called at the end of each phase of the month
// with its name: the clock of a benchmark. nil removes it.
func (e *Economy) OnPhase(hook func(name string)) { e.onPhase = hook }

// BeginExperiment ends burn-in: the months that follow count from 1, and the
// month that just ended becomes the base of all indices.
func (e *Economy) BeginExperiment() {
	e.m.FirstMonth = e.m.Month
	e.h.standing = nil
	e.rebase()
}

// Reseed changes the seed of all draws from month 1 on: economies that were forked from one
// burnt-in state and have different seeds diverge from then on, and with the seed of the
// burn-in nothing changes. What was drawn before stays, such as who takes part in the labour
// market until the spell ends. It is an error unless the economy stands between its burn-in
// and month 1.
func (e *Economy) Reseed(seed uint64) error {
	if month := e.experimentMonth(); month != 0 {
		return fault.New(fault.InvalidState, "seed",
			"a new seed takes effect at the end of the burn-in only, not after month %d; fork the burnt-in state", month)
	}
	e.seed = seed
	return nil
}

// Month is the last month simulated, counted from the begin of the experiment;
// zero or negative during burn-in.
func (e *Economy) Month() int { return e.experimentMonth() }

// Latest returns the record of the last month. It is overwritten by
// [Economy.Step]: copy the value to keep it.
func (e *Economy) Latest() *Record { return &e.record }

// Params returns the parameters in force, with what is planned for the month that
// was simulated last.
func (e *Economy) Params() Params { return e.p }

// Agents is the number of households that live in the economy and of firms.
func (e *Economy) Agents() int { return int(e.people.present) + int(e.opening.firms) }

// WageRate is the firms' mean wage rate: currency units a month for a unit of
// labour (the work of a person of mean skill), weighted by labour, without what a
// minimum wage adds. Unlike the mean wage it does not move with the skills of those
// who have work.
func (e *Economy) WageRate() float64 { return e.m.MeanWage / subunit }

// TaxScale is the factor of the debt rule on income taxes.
func (e *Economy) TaxScale() float64 { return e.m.TaxScale }

// SetParams puts other parameters into force from the next month on; what is
// planned ([Economy.Plan]) acts on them. Only parameters that are live may differ;
// the first that is not is named in the error, and nothing changes. The random_state stays.
func (e *Economy) SetParams(p Params) error {
	if err := p.Validate(); err != nil {
		return err
	}
	if fixed := DiffNotLive(e.base, p); len(fixed) > 0 {
		return fault.New(fault.Conflict, fixed[0], "%s cannot change while an economy runs; start a new one with it", fixed[0])
	}
	p.RandomState = e.base.RandomState // of the burn-in that it has had
	e.p, e.base = p, p
	e.intervene(e.experimentMonth())
	return nil
}
