package sim

// Sector is a column of the [Books].
type Sector int

// The sectors, in the order of the columns. Dividends that are declared in one month and paid out in the next stand between
// their payers and the households: their account at the banks is nobody else's.
const (
	HouseholdSector Sector = iota
	FirmSector
	BankSector
	GovernmentSector
	CentralBankSector
	ForeignSector
	DividendsUnderWay

	NumSectors
)

var sectorNames = [NumSectors]string{
	"households", "firms", "banks", "government", "central_bank", "rest_of_the_world", "dividends_under_way",
}

func (s Sector) String() string { return sectorNames[s] }

// BookEntry is a row of the [Books]: an instrument or a payment, and what it is for each sector, in 1/1000 of a currency unit.
// What one sector gives another gets, so that a row adds up to 0; each amount is from the books of the sector in whose column
// it stands, wherever that sector has its own.
type BookEntry struct {
	ID      string
	Amounts [NumSectors]int64
	Within  int64 // paid by some of a sector to others of it, which leaves the sector as it is
	Once    bool  // one amount stands in two columns, with both signs: that it adds up to 0 checks nothing
}

// Sum is what a row adds up to.
func (b *BookEntry) Sum() (sum int64) {
	for _, amount := range b.Amounts {
		sum += amount
	}
	return sum
}

// Books are the balance sheets of the sectors at the end of a month and the payments between them in it: what the audit
// checks, written as matrices. They hold exact integers, and nothing in them is worked out from what the others leave.
type Books struct {
	Month int // of the experiment

	Assets []BookEntry // real assets, which are nobody's debt: their rows do not add up to 0
	Claims []BookEntry // financial: what a sector is owed is above zero, what it owes below

	Payments []BookEntry // received above zero, paid below; the sum of a column is what the sector lends, net
	Losses   []BookEntry // changes of claims without a payment: written off, written down, paid in as capital
	Changes  []BookEntry // of Claims in the month: more of a claim is below zero, more of a debt above, as in a flow of funds

	BankEquity int64 // that the banks themselves have on their books
}

// columnOf adds up rows by sector.
func columnOf(rows ...[]BookEntry) (sums [NumSectors]int64) {
	for _, list := range rows {
		for k := range list {
			for s, amount := range list[k].Amounts {
				sums[s] += amount
			}
		}
	}
	return sums
}

// NetFinancialWorth is the claims of each sector less its debts; all together are 0.
func (b *Books) NetFinancialWorth() [NumSectors]int64 { return columnOf(b.Claims) }

// NetWorth is that and real assets. It is what is left over by definition, and entered nowhere but by the banks.
func (b *Books) NetWorth() [NumSectors]int64 { return columnOf(b.Assets, b.Claims) }

// NetLending is what each sector received in the month less what it paid; all together are 0.
func (b *Books) NetLending() [NumSectors]int64 { return columnOf(b.Payments) }

// Left is what the matrix of flows leaves of each sector: 0, because what it lent, net, and lost is what its claims
// and debts changed by.
func (b *Books) Left() [NumSectors]int64 { return columnOf(b.Payments, b.Losses, b.Changes) }

// cell is an amount in a column.
type cell struct {
	sector Sector
	amount int64
}

func entry(id string, within int64, amounts ...cell) BookEntry {
	b := BookEntry{ID: id, Within: within}
	for _, x := range amounts {
		b.Amounts[x.sector] += x.amount
	}
	return b
}

// once is a row that is booked once, in an amount that goes to one sector from another.
func once(id string, to, from Sector, amount int64) BookEntry {
	b := entry(id, 0, cell{to, amount}, cell{from, -amount})
	b.Once = true
	return b
}

// Books returns the books of the month that [Economy.Step] simulated last. It only reads.
func (e *Economy) Books() Books {
	b := Books{
		Month: e.experimentMonth(), BankEquity: e.closing.bankEquity,
		Assets: []BookEntry{
			entry("capital_goods", 0, cell{FirmSector, floorMoney(e.closing.capital * e.m.CapitalPrice)}),
			entry("inventories", 0, cell{FirmSector, floorMoney(e.record.Firms.Inventories * subunit)}),
		},
		Claims: e.closing.claims(), Payments: e.payments(), Losses: e.losses(), Changes: e.closing.claims(),
	}
	before := e.before.claims()
	for k := range b.Changes {
		for s := range NumSectors {
			b.Changes[k].Amounts[s] = before[k].Amounts[s] - b.Changes[k].Amounts[s]
		}
	}
	return b
}

// claims are the rows of the financial balance sheets. What banks owe and are owed is from their own books.
func (c *stocks) claims() []BookEntry {
	var deposits, loans int64
	for b := range c.banks {
		deposits += c.banks[b].deposits
		loans += c.banks[b].loans
	}
	return []BookEntry{
		entry("deposits", 0, cell{HouseholdSector, c.householdDeposits}, cell{FirmSector, c.firmDeposits}, cell{BankSector, -deposits}),
		once("undistributed_dividends", DividendsUnderWay, BankSector, c.pool),
		once("foreign_account", ForeignSector, BankSector, c.foreignDeposits),
		entry("loans", 0, cell{HouseholdSector, -c.householdLoans}, cell{FirmSector, -c.loans}, cell{BankSector, loans}),
		entry("bonds", 0, cell{GovernmentSector, -c.debt}, cell{BankSector, c.bonds}, cell{CentralBankSector, c.centralBankBonds}),
		once("reserves", BankSector, CentralBankSector, c.reserves),
		once("advances", CentralBankSector, BankSector, c.advances),
	}
}

// sales are the month's goods that firms sold, by buyer, as they stand in the books of each firm, subunits.
type sales struct{ households, government, abroad, firms int64 }

func (e *Economy) soldTo() (s sales) {
	for i := range e.firms() {
		if e.isCapital(i) {
			s.firms += e.f.revenue[i]
			continue
		}
		s.government += e.f.public[i]
		s.abroad += e.f.exported[i]
		s.households += e.f.revenue[i] - e.f.public[i] - e.f.exported[i]
	}
	return s
}

// payments are the rows of the month's payments.
func (e *Economy) payments() []BookEntry {
	const (
		households, firms, banks    = HouseholdSector, FirmSector, BankSector
		government, central, abroad = GovernmentSector, CentralBankSector, ForeignSector
		dividends                   = DividendsUnderWay
	)
	fl, sold := &e.flow, e.soldTo()
	var month bankMonth // of all banks
	for b := range e.p.NumBanks {
		of := &e.banks[b]
		month.depositInterest += of.depositInterest
		month.loanInterest += of.loanInterest
		month.bondInterest += of.bondInterest
		month.reserveInterest += of.reserveInterest
		month.advanceInterest += of.advanceInterest
		month.tax += of.tax
		month.dividends += of.dividends
		month.recapitalisation += of.recapitalisation
		month.injected += of.injected
	}
	tax := func(id string, payer Sector, amount int64) BookEntry {
		return once(id, government, payer, amount)
	}
	transfer := func(id string, to Sector, amount int64) BookEntry {
		return once(id, to, government, amount)
	}
	return []BookEntry{
		entry("consumption", 0, cell{households, fl.imports + fl.tariff - fl.consumption}, cell{firms, sold.households}),
		entry("purchases", 0, cell{government, -fl.purchases}, cell{firms, sold.government}),
		entry("investment", fl.capitalSpending, cell{firms, sold.firms - fl.capitalSpending}),
		entry("exports", 0, cell{abroad, -fl.exports}, cell{firms, sold.abroad}),
		once("imports", abroad, households, fl.imports),
		entry("wages", 0, cell{households, fl.wages}, cell{firms, -fl.firmWages}, cell{government, -fl.governmentWages}),
		entry("licences", fl.licencesPaid, cell{firms, fl.licencesReceived - fl.licencesPaid}),
		tax("income_tax", households, fl.incomeTax),
		tax("vat", households, fl.vat),
		tax("tariff", households, fl.tariff),
		entry("corporate_tax", 0, cell{firms, -fl.firmsCorporateTax}, cell{banks, -month.tax},
			cell{government, fl.firmsCorporateTax + fl.bankCorporateTax}),
		tax("green_levy", firms, fl.levy),
		tax("robot_tax", firms, fl.robotTax),
		transfer("unemployment_benefits", households, fl.benefits),
		transfer("pensions", households, fl.pensions),
		transfer("basic_income", households, fl.basicIncome),
		transfer("minimum_income", households, fl.minimumIncome),
		transfer("redistribution", households, fl.redistributed),
		transfer("retraining", households, fl.retraining),
		transfer("injections_households", households, fl.injected),
		transfer("subsidies", firms, fl.subsidies),
		transfer("injections_firms", firms, fl.injectedFirms),
		entry("bank_capital", 0, cell{banks, month.recapitalisation + month.injected}, cell{government, -fl.recapitalisation - fl.injectedBanks}),
		entry("deposit_interest", 0, cell{households, fl.depositInterest}, cell{firms, fl.firmDepositInterest}, cell{abroad, fl.foreignInterest},
			cell{banks, -month.depositInterest}),
		entry("loan_interest", 0, cell{households, -fl.overdraftInterest}, cell{firms, -fl.loanInterest}, cell{banks, month.loanInterest}),
		entry("bond_interest", 0, cell{government, -fl.interest}, cell{banks, month.bondInterest}, cell{central, fl.centralBankInterest}),
		entry("reserve_interest", 0, cell{banks, month.reserveInterest}, cell{central, -fl.reserveInterest}),
		entry("advance_interest", 0, cell{banks, -month.advanceInterest}, cell{central, fl.advanceInterest}),
		once("central_bank_profit", government, central, fl.centralBankProfit),
		entry("dividends_declared", 0, cell{firms, -fl.dividendsPaid}, cell{banks, -month.dividends},
			cell{dividends, fl.dividendsPaid + fl.bankDividends}),
		once("estates", dividends, households, fl.estates),
		once("dividends_paid_out", households, dividends, fl.dividends),
	}
}

// losses are the rows of what changed claims without being a payment.
func (e *Economy) losses() []BookEntry {
	fl := &e.flow
	var written, bailed int64
	for b := range e.p.NumBanks {
		written += e.banks[b].writtenOff
		bailed += e.banks[b].bailedIn
	}
	return []BookEntry{
		once("founding", FirmSector, DividendsUnderWay, fl.founding),
		entry("written_off", 0, cell{HouseholdSector, fl.forgiven}, cell{FirmSector, fl.writtenOff}, cell{BankSector, -written}),
		entry("bail_in", 0, cell{HouseholdSector, -fl.householdsBailedIn}, cell{FirmSector, -fl.firmsBailedIn}, cell{BankSector, bailed}),
	}
}
