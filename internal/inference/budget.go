package inference

import (
	"context"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
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
// changes in it, not judged yet.
func budgetGains(ctx context.Context, s *tables.Study, c Choice) gains {
	out := gains{about: "public budget", rows: []GainRow{}}
	arms, control := s.Arms, s.Control()
	if control != nil {
		arms = arms[1:]
	}
	add := func(kind, name, arm string, a, b []float64) {
		if control == nil {
			out.rows = append(out.rows, loneRow(kind, name, arm, b))
			return
		}
		row, p := gainRow(kind, name, arm, a, b, c.Confidence)
		out.rows, out.of = append(out.rows, row), append(out.of, p)
	}
	for k := range arms {
		arm := &arms[k]
		values := func(arm *tables.StudyArm, shares bool) [][]float64 {
			return tables.Budgets(arm.Panel, groupsOf(arm), c.main().From, c.main().To, shares)
		}
		b, bShares := values(arm, false), values(arm, true)
		a, aShares := make([][]float64, len(b)), make([][]float64, len(b))
		if control != nil {
			a, aShares = values(control, false), values(control, true)
		}
		for n, item := range tables.BudgetItems {
			if tables.NoItem(aShares[n], bShares[n]) {
				continue
			}
			kind := budgetReceipts
			if item.Sign < 0 {
				kind = budgetSpending
			}
			add(kind, item.Name, arm.Name, a[n], b[n])
		}
		last := len(tables.BudgetItems)
		add(budgetBalance, BalanceItem, arm.Name, a[last], b[last])
		add(budgetBalance, BalanceToGDP, arm.Name, aShares[last], bShares[last])
		out.rows[len(out.rows)-1].Percent = stats.Absent // a difference of shares is in points already
	}
	if control != nil {
		out.adjust(ctx, s.Seed, c.Confidence)
	}
	return out
}

func groupsOf(arm *tables.StudyArm) (list []*tables.GroupMeans) {
	for _, m := range arm.Window {
		list = append(list, &m.Groups)
	}
	return list
}
