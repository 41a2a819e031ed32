package inference

import (
	"math"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// The rows of a budget are of these kinds.
const (
	budgetReceipts = "receipts"
	budgetSpending = "spending"
	budgetBalance  = "balance"
)

// The rows of the balance: an amount, and a share of the arm's own GDP.
const (
	BalanceItem  = "balance"
	BalanceToGDP = "balance_to_gdp"
)

// budgetGains are the public budget of the arms, or of the only one, with what a treatment
// changes in it, neither adjusted nor judged yet.
func budgetGains(s *tables.Study, c Choice) gains {
	out := newGains("public budget", s, c.Confidence)
	of := func(arm *tables.StudyArm, shares bool) [][]float64 {
		return tables.Budgets(arm.Panel, arm.Groups(), c.main().From, c.main().To, shares)
	}
	for _, arm := range treated(s, c) {
		b, bShares := of(&arm, false), of(&arm, true)
		a, aShares := make([][]float64, len(b)), make([][]float64, len(b))
		smallest := math.NaN()
		if control := s.Control(); control != nil {
			a, aShares = of(control, false), of(control, true)
			smallest = smallestOfBudget * stats.DefinedMean(control.Panel.WindowMeans(sim.NominalGDP, c.main().From, c.main().To))
		}
		for n, item := range tables.BudgetItems {
			if tables.NoItem(aShares[n], bShares[n]) {
				continue
			}
			kind := budgetReceipts
			if item.Sign < 0 {
				kind = budgetSpending
			}
			out.add(kind, item.Name, arm.Name, a[n], b[n], smallest)
		}
		last := len(tables.BudgetItems)
		out.add(budgetBalance, BalanceItem, arm.Name, a[last], b[last], smallest)
		out.add(budgetBalance, BalanceToGDP, arm.Name, aShares[last], bShares[last], smallestOfBudget)
		out.rows[len(out.rows)-1].Percent = stats.Absent // a difference of shares is in points already
	}
	return out
}
