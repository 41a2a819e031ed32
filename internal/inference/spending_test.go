package inference_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Whoever asks on and on about nothing, and then registers one plan after the other with new seeds, finds something in
// no more of the experiments than the level says. Holm's method over what was asked so far let 14.6 % through.
func TestSequences(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	const experiments, pairs, plans = 120, 5, 3
	asked := []sim.Indicator{
		sim.RealConsumption, sim.RealInvestment, sim.SavingRate, sim.IncomeGini, sim.WealthGini, sim.PovertyRate, sim.TaxVAT, sim.MoneyStock,
		sim.CreditStock, sim.PolicyRate, sim.LoanRate, sim.HHI, sim.MarkUp, sim.Exports, sim.Imports, sim.VacancyRate, sim.LabourShare,
		sim.RealWageMean, sim.RealWageMedian, sim.TaxRevenue,
	}
	random := rand.New(rand.NewPCG(3, 5))
	found := 0
	for range experiments {
		var l ledger
		any := false
		compare := func(s *tables.Study, c inference.Choice) {
			c.Ledger = l.ask
			out, err := inference.Compare(context.Background(), []*tables.Study{s}, c)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range out.Rows {
				any = any || row.Found()
			}
		}
		for earlier := range plans {
			a, b := columns{}, columns{}
			for _, i := range append([]sim.Indicator{sim.RealGDP, sim.CPI}, asked...) {
				for range pairs {
					x := 10 + random.NormFloat64()
					a[i], b[i] = append(a[i], x), append(b[i], x+random.NormFloat64())
				}
			}
			s := made("x", seeds(earlier*pairs, pairs), a, b)
			plan := &inference.Planned{Outcomes: []sim.Indicator{sim.RealGDP, sim.CPI}, Earlier: earlier}
			compare(s, inference.Choice{Plan: plan})
			if earlier > 0 {
				continue
			}
			for _, i := range asked {
				compare(s, inference.Choice{Plan: plan, Metrics: []sim.Indicator{i}})
			}
		}
		if any {
			found++
		}
	}
	// Of 120, the level of 5 % lets more than 14 through in less than .1 % of all cases (binomial).
	if t.Logf("something was found in %d of %d", found, experiments); found > 14 || found == 0 {
		t.Errorf("something was found in %d of %d", found, experiments)
	}
}
