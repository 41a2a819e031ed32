package sim

import (
	"fmt"
	"slices"
	"testing"
)

// taxRows are the payments that the government receives as taxes.
var taxRows = []string{"income_tax", "vat", "tariff", "corporate_tax", "green_levy", "robot_tax"}

// unbalanced looks for what does not add up in the matrices of the last month, to the last subunit: each row, each column, and each
// sum that the audit works out of the flows and stocks themselves.
func (e *Economy) unbalanced() error {
	b, fl, c := e.Books(), &e.flow, &e.closing
	for _, list := range [][]BookEntry{b.Claims, b.Payments, b.Losses, b.Changes} {
		for k := range list {
			if sum := list[k].Sum(); sum != 0 {
				return fmt.Errorf("row %s adds up to %d: %v", list[k].ID, sum, list[k].Amounts)
			}
		}
	}
	worth, lending, left := b.NetFinancialWorth(), b.NetLending(), b.Left()
	for s := range NumSectors {
		if left[s] != 0 {
			return fmt.Errorf("the flows leave %d of %s", left[s], s)
		}
	}
	sum := func(rows []BookEntry, id string, s Sector) int64 {
		for k := range rows {
			if rows[k].ID == id {
				return rows[k].Amounts[s]
			}
		}
		panic("no row " + id)
	}
	revenue, spending := int64(0), int64(0)
	for _, id := range []string{"consumption", "purchases", "investment", "exports"} {
		revenue += sum(b.Payments, id, FirmSector)
	}
	for k := range b.Payments {
		if id := b.Payments[k].ID; id != "central_bank_profit" && !slices.Contains(taxRows, id) {
			spending -= b.Payments[k].Amounts[GovernmentSector]
		}
	}
	for _, x := range [...]struct {
		what      string
		got, want int64
	}{
		{"what households lend", lending[HouseholdSector], fl.householdLending()},
		{"what firms lend", lending[FirmSector], fl.firmLending()},
		{"what banks lend", lending[BankSector], fl.bankLending()},
		{"what the government lends", lending[GovernmentSector], fl.governmentLending()},
		{"what the central bank lends", lending[CentralBankSector], fl.centralBankLending()},
		{"what the world lends", lending[ForeignSector], fl.foreignLending()},
		{"what dividends leave on their way", lending[DividendsUnderWay], fl.poolLending()},
		{"revenue by buyer", revenue, fl.revenue - fl.capitalSpending},
		{"public spending", spending, fl.spending()},
		{"equity of banks", worth[BankSector], c.bankEquity},
		{"equity of banks as they say", b.BankEquity, c.bankEquity},
		{"public debt", -worth[GovernmentSector], c.debt},
		{"worth of the central bank", worth[CentralBankSector], 0},
		{"worth of households", worth[HouseholdSector], c.householdDeposits - c.householdLoans},
		{"worth of firms", worth[FirmSector], c.firmDeposits - c.loans},
	} {
		if x.got != x.want {
			return fmt.Errorf("%s: the matrix says %d, the audit %d", x.what, x.got, x.want)
		}
	}
	return nil
}

// Whatever is switched on, the matrices are those of the audit. [TestSoak] asks the same of parameters from all over their ranges.
func TestBooksAddUp(t *testing.T) {
	for _, test := range []struct {
		name string
		with func(p *Params)
		rows []string // that the months must have had for the test to say something
	}{
		{"baseline", func(*Params) {}, []string{"consumption", "purchases", "investment", "exports", "imports", "wages", "income_tax", "loans",
			"deposit_interest", "loan_interest", "bond_interest", "dividends_declared", "dividends_paid_out", "founding", "written_off"}},
		{"people who come and go", func(p *Params) {
			p.EnableDemography, p.PopulationReserve, p.MigrationRate = true, .2, -.02
		}, []string{"pensions", "estates"}},
		{"banks that fail", func(p *Params) {
			p.BankResolution, p.RecapitalisationThreshold, p.RecoveryRate, p.DepositInsurance = "bail_in", 1, 0, 0
			p.BankPayoutRate, p.CapitalRequirement = 1, .3
		}, []string{"bail_in"}},
		{"a state that does much", func(p *Params) {
			p.TariffRate, p.GreenLevyRate, p.RobotTaxRate, p.AIAdoptionRate = .1, .02, .2, .05
			p.UniversalBasicIncome, p.MinimumIncome, p.RedistributionShare, p.WageSubsidyRate = .05, .3, .01, .1
			p.RetrainingRate, p.EnableDynamicJobPosting, p.CentralBankBondShare, p.RedistributionStrategy = .3, true, .5, "equal"
		}, []string{"tariff", "green_levy", "robot_tax", "basic_income", "minimum_income", "redistribution", "subsidies", "retraining",
			"licences", "reserves", "central_bank_profit", "reserve_interest"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			p := Defaults()
			p.NumHouseholds = 1000
			test.with(&p)
			e := mustNew(t, p, 1)
			seen := map[string]bool{}
			for range 60 {
				mustStep(t, e, 1)
				if err := e.unbalanced(); err != nil {
					t.Fatalf("month %d: %v", e.Month(), err)
				}
				b := e.Books()
				for _, list := range [][]BookEntry{b.Claims, b.Payments, b.Losses} {
					for _, row := range list {
						seen[row.ID] = seen[row.ID] || row.Amounts != [NumSectors]int64{} || row.Within != 0
					}
				}
			}
			for _, id := range test.rows {
				if !seen[id] {
					t.Errorf("%s never moved", id)
				}
			}
		})
	}
}

// A subunit that one side alone books shows in the row and the column where it stands.
func TestBooksShowASubunit(t *testing.T) {
	for _, test := range []struct {
		line   string
		mutate func(*Economy)
	}{
		{"wages", func(e *Economy) { e.flow.wages++ }},
		{"a firm's sales abroad", func(e *Economy) { e.f.exported[0]++ }},
		{"a bank's interest", func(e *Economy) { e.banks[0].loanInterest++ }},
		{"deposits", func(e *Economy) { e.closing.firmDeposits++ }},
		{"what there was before", func(e *Economy) { e.before.debt++ }},
	} {
		e := mustNew(t, thousand(), 1)
		mustStep(t, e, 2)
		if err := e.unbalanced(); err != nil {
			t.Fatal(err)
		}
		if test.mutate(e); e.unbalanced() == nil {
			t.Errorf("%s: nothing shows", test.line)
		}
	}
}
