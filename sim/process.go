package sim

import "econ-mcp/internal/fault"

// Process is a group of draws that moves an economy month by month: a source of its cycle.
type Process int

// The processes. Every draw of a month belongs to one of them.
const (
	ConfidenceProcess Process = iota
	WageProcess
	PriceProcess
	InvestmentProcess
	PostProcess
	JobSearchProcess
	ShoppingProcess
	InnovationProcess
	EntryProcess
	TechnologyProcess
	WorldDemandProcess
	ImportPriceProcess
	PurchasesProcess
	PolicyRateProcess
	LoanSpreadProcess
	FirmProcess
	OtherProcess

	NumProcesses
)

// processTable says what each process is and which draws are its.
var processTable = [NumProcesses]struct {
	name, meaning string
	draws         []purpose
}{
	ConfidenceProcess: {"confidence", "the common mood of households and firms", []purpose{forConfidence}},
	WageProcess:       {"wages", "months and sizes of raises", []purpose{forWages}},
	PriceProcess:      {"prices", "months of new prices, steps of mark-ups", []purpose{forPrices}},
	InvestmentProcess: {"investment", "months of orders, search for makers", []purpose{forInvestment}},
	PostProcess:       {"posts", "rounding of vacancies, ends of jobs", []purpose{forVacancies, forSeparation}},
	JobSearchProcess:  {"job search", "vacancies that seekers see, order of applicants", []purpose{forJobSearch, forJobPriority}},
	ShoppingProcess: {"shopping", "search for suppliers, second round of the goods market",
		[]purpose{forSupplierSearch, forSupplierChoice, forSecondRound}},
	InnovationProcess:  {"innovation", "successes of research, imitation", []purpose{forInnovation, forImitation}},
	EntryProcess:       {"entry", "ends and places of firms, what entrants copy", []purpose{forEntry, forLiquidation, forOpenEntry}},
	TechnologyProcess:  {"technology", "news about the productivity of all labour", []purpose{forTechnology}},
	WorldDemandProcess: {"world demand", "news about what the world orders", []purpose{forWorldDemand}},
	ImportPriceProcess: {"import prices", "news about prices of imports", []purpose{forImportPrices}},
	PurchasesProcess:   {"purchases", "news about what the government buys", []purpose{forPurchases}},
	PolicyRateProcess:  {"policy rate", "what the rule does not explain of the policy rate", []purpose{forPolicyRate}},
	LoanSpreadProcess:  {"loan spread", "news about what banks ask for beyond the policy rate", []purpose{forLoanSpread}},
	FirmProcess:        {"firms", "own productivity of firms and demand for them", []purpose{forFirmStates}},
	OtherProcess: {"other", "demography, AI, public employment programme, lottery, ownership",
		[]purpose{forProgramme, forAgeing, forParticipation, forExposure, forAdoption, forNewTasks, forRetraining, forLottery,
			forOwnership}},
}

// String is the name of the process in tables and files.
func (p Process) String() string { return processTable[p].name }

// Meaning says in English what is drawn.
func (p Process) Meaning() string { return processTable[p].meaning }

// redrawn are purposes whose draws come from a seed of their own. It is no part of the state.
type redrawn struct {
	of   uint64 // a bit each
	seed uint64
}

// Redraw lets the draws of some processes come from another seed from the next month on, so that their share in what
// happens can be told. It is for trials that hold the economy: no snapshot of it can be written.
func (e *Economy) Redraw(seed uint64, processes ...Process) {
	e.redrawn = redrawn{seed: seed}
	for _, p := range processes {
		for _, of := range processTable[p].draws {
			e.redrawn.of |= 1 << of
		}
	}
}

// errRedrawn refuses to keep an economy that would go on with other draws.
func (e *Economy) errRedrawn() error {
	if e.redrawn.of == 0 {
		return nil
	}
	return fault.New(fault.InvalidState, "snapshot", "processes of the economy draw from another seed, which a snapshot does not hold")
}
