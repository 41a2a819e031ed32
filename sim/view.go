package sim

// WorkStatus says what the head of a household does on the labour market.
type WorkStatus int

// The statuses. Members of the public employment programme are employed.
const (
	Employed WorkStatus = iota
	Unemployed
	OutsideLabourForce // only with demography

	NumWorkStatuses
)

// String returns the status's identifier.
func (s WorkStatus) String() string {
	return [NumWorkStatuses]string{"employed", "unemployed", "outside_labour_force"}[s]
}

// workStatus of the head of a household.
func (e *Economy) workStatus(h int) WorkStatus {
	switch {
	case e.h.employer[h] != nobody:
		return Employed
	case e.inForce(h):
		return Unemployed
	}
	return OutsideLabourForce
}

// HouseholdView is what the outside may see of a household at the end of a month.
type HouseholdView struct {
	Income      float64 // disposable, currency units in the month
	Consumption float64 // spending with VAT, currency units in the month
	NetWorth    float64 // deposits and the part of all firms and banks that it owns, currency units
	Wage        float64 // gross, full time, currency units a month; 0 without a job
	Work        WorkStatus
	Skill       float64 // efficiency units of labour; 1 is the mean of the start
	Ability     float64 // the same, without what was lost out of work
	FamilySize  int     // members, 1 to 6
	Deposits    float64 // currency units
	Employer    int     // number of the firm as in [Economy.EachFirm], a larger one for public employers, -1 without a job
	Idle        int     // months without a job
}

// FirmView is what the outside may see of a firm at the end of a month.
type FirmView struct {
	Capital        bool // makes capital goods
	Industry       int
	Market         int // local market; the makers of capital goods have one
	Employees      int
	Labour         float64 // employed, efficiency units
	Hours          float64 // worked in the month, with overtime and short time; 1 is the month of an employee
	Age            int     // months since foundation; 0 for those founded in the month
	Revenue        float64 // currency units in the month, without VAT
	Sold           float64 // units in the month
	MarkUp         float64 // price over unit cost and levy, less 1
	Price          float64 // currency units a unit, without VAT
	Productivity   float64 // units a month per unit of labour
	InventoryValue float64 // at unit cost, currency units
	CapitalValue   float64 // capital goods at their mean price, currency units
	CapitalStock   float64 // capital goods, units
	Rationed       bool    // a maker of consumption goods could not serve all orders of the month's first round
	Vacancies      int     // posts left open
	Automated      bool    // uses AI
	Innovated      bool    // in the month
}

// EachHousehold calls f for every household in the order of its number. Under
// demography there are numbers without a household, which are left out. The views
// describe the month simulated last. They mean nothing between [ReadSnapshot] and the
// first month after it: a snapshot does not hold incomes.
func (e *Economy) EachHousehold(f func(h int, v HouseholdView)) {
	for h := range e.households() {
		if !e.isAbsent(h) {
			f(h, e.Household(h))
		}
	}
}

// Household is the household of a number that [Economy.EachHousehold] has.
func (e *Economy) Household(h int) HouseholdView {
	perWeight := e.equityValue / float64(e.m.EquityUnit)
	v := HouseholdView{
		Income: float64(e.h.income[h]) / subunit, Consumption: float64(e.h.spending[h]) / subunit,
		NetWorth: float64(e.h.deposits[h]+int64(perWeight*float64(e.h.equity[h]))) / subunit,
		Work:     e.workStatus(h), Skill: float64(e.h.skill[h]) / skillUnit, FamilySize: e.familySize(h),
		Deposits: float64(e.h.deposits[h]) / subunit, Employer: int(e.h.employer[h]), Idle: int(e.h.idle[h]),
	}
	if v.Ability = v.Skill; e.h.ability != nil {
		v.Ability = float64(e.h.ability[h]) / skillUnit
	}
	if v.Work == Employed {
		v.Wage = float64(e.h.lastWage[h]) / subunit
	}
	return v
}

// EachFirm calls f for every firm in the order of its number. Under open entry
// there are numbers without a firm, which are left out.
func (e *Economy) EachFirm(f func(i int, v FirmView)) {
	for r := range e.founders {
		for i := int(e.shopStart[r]); i < int(e.shopStart[r+1]); i++ {
			if !e.dormant(i) {
				f(i, e.viewFirm(i, r/e.localMarkets, r%e.localMarkets))
			}
		}
	}
}

func (e *Economy) viewFirm(i, industry, market int) FirmView {
	return FirmView{
		Capital: e.isCapital(i), Industry: industry, Market: market, Employees: int(e.f.heads[i]), Age: int(e.f.age[i]),
		Labour: float64(e.f.labour[i]) / skillUnit, Hours: float64(e.f.heads[i]) * (1 - e.f.short[i]),
		Revenue: float64(e.f.revenue[i]) / subunit, Sold: e.unitsSold(i),
		MarkUp: e.f.price[i]/e.levied(i) - 1, Price: e.f.price[i] / subunit, Productivity: e.efficiency(i),
		InventoryValue: float64(e.f.inventory[i]*e.unitCost(i)) / subunit,
		CapitalValue:   float64(e.f.capital[i]*e.m.CapitalPrice) / subunit,
		CapitalStock:   e.f.capital[i], Rationed: !e.isCapital(i) && e.f.fill[i] < 1,
		Vacancies: int(e.f.open[i]), Automated: e.f.automated[i] > 0, Innovated: e.f.event[i] > 0,
	}
}
