package sim

const (
	forcedSale          = .5  // what a sale in bankruptcy brings, share of the book value; stylised
	entrantLoan         = .5  // loan of a firm that takes the place of a failed one, months of payroll; chosen
	entrantProductivity = .95 // of a firm of the industry, at which an entrant begins: it has to learn; chosen
	entrantMarkUp       = .8  // least mark-up of an entrant, share of the norm: it undercuts to find customers; chosen
)

// recoverable is what a bank gets from a failed firm: at most the loan.
func recoverable(loans int64, recovery, assets float64) int64 {
	return min(loans, int64(float64(recovery*forcedSale)*assets))
}

// replaceFailed lets firms with negative deposits fail: the bank writes the loan
// down and absorbs the overdraft, and an entrant takes over what is left, with
// a loan of half a payroll.
func (e *Economy) replaceFailed(s span) {
	draws := e.draws(forEntry)
	for i := s.lo; i < s.hi; i++ {
		if e.f.deposits[i] >= 0 {
			continue
		}
		assets := float64(e.f.capital[i]*e.m.CapitalPrice) + float64(e.f.inventory[i]*e.unitCost(i))
		kept := recoverable(e.f.loans[i], e.p.RecoveryRate, assets)
		lent := int64(entrantLoan * max(float64(e.f.wageBill[i]), leastLabour*e.m.MeanWage))
		s.sum.count[sumWrittenOff] += e.f.loans[i] - kept - e.f.deposits[i]
		e.ledgers[s.worker][e.bankOfFirm(i)].writtenOff += e.f.loans[i] - kept - e.f.deposits[i]
		s.sum.count[sumOverdrafts] -= e.f.deposits[i]
		s.sum.count[sumNewLoans] += lent
		s.sum.count[sumDefaults]++
		e.f.deposits[i], e.f.loans[i] = lent, kept+lent
		e.enter(i, draws.bits(i, 0))
	}
}

// foundingCapital is what the owners of a new firm pay in, in subunits: the
// capital goods that its first sales need, beyond what it takes over, and a
// payroll.
func foundingCapital(p *Params, sales, capital, capitalPrice, payroll float64) float64 {
	return float64(positive(sales/(p.CapitalProductivity*p.TargetUtilisation)-capital)*capitalPrice) + payroll
}

// foundingLabour is the size at which a firm is founded, in units of labour.
const foundingLabour = 1

// replaceIdle lets firms without employees give up, with the closure rate. The
// owners of all firms found a new one in the same place, out of the dividends
// that they would receive, as far as these go.
func (e *Economy) replaceIdle() {
	draws := e.draws(forEntry)
	for i := range e.firms() {
		if e.f.heads[i] > 0 || e.f.age[i] == 0 || draws.uniform(i, 1) >= e.p.ClosureRate {
			continue
		}
		sales, capital := 0.0, 0.0
		if !e.isCapital(i) {
			sales, capital = e.perWorker(i)*foundingLabour, e.f.capital[i]
		}
		paid := int64(foundingCapital(&e.p, sales, capital, e.m.CapitalPrice, float64(foundingLabour*e.m.MeanWage)))
		if paid > e.m.Pool {
			return
		}
		e.m.Pool -= paid
		e.flow.founding += paid
		e.f.deposits[i] += paid
		e.closures++
		e.founded++
		e.enter(i, draws.bits(i, 0))
		e.f.sales[i] = max(e.f.sales[i], e.perWorker(i)*foundingLabour)
		e.f.prospect[i] = e.f.sales[i]
	}
}

// enter starts a new firm in row i: nearly as productive as a firm of the
// industry drawn by revenue, with a product as good, at the mean wage.
func (e *Economy) enter(i int, random uint64) {
	a := entrantProductivity * e.f.productivity[i]
	if j := e.urn.draw(e.industryOf(i), random); j >= 0 {
		a = max(a, entrantProductivity*e.f.productivityBefore[j])
		e.f.quality[i] = max(e.f.quality[i], e.f.qualityBefore[j])
	}
	norm := e.p.CapitalMarkUp
	if !e.isCapital(i) {
		norm = e.p.ConsumptionMarkUp
	}
	e.f.productivity[i] = a
	e.begin(i)
	e.f.markUp[i] = max(e.f.markUp[i], entrantMarkUp*norm)
	e.f.wage[i], e.f.wagePremium[i] = e.m.MeanWage, 1
	e.f.price[i] = (1 + e.f.markUp[i]) * e.levied(i)
	e.f.age[i], e.f.novelty[i], e.f.sinceRound[i], e.f.earnings[i] = 0, 0, 0, 0
}

// settleDefaults replaces the firms that failed or gave up, or lets firms leave
// and enter freely.
func (e *Economy) settleDefaults() {
	if e.p.EnableOpenEntry {
		e.turnOver()
		return
	}
	t := e.overFirms((*Economy).replaceFailed)
	e.bookReplaced(&t)
	e.replaceIdle()
}

// bookReplaced books the firms that failed and were replaced, and what the banks lost.
func (e *Economy) bookReplaced(t *tally) {
	e.flow.writtenOff += t.count[sumWrittenOff]
	e.flow.overdrafts += t.count[sumOverdrafts]
	e.flow.newLoans += t.count[sumNewLoans]
	e.defaults += int(t.count[sumDefaults])
	e.founded += int(t.count[sumDefaults])
}
