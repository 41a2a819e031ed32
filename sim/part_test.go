package sim

import (
	"math"
	"slices"
	"testing"
)

// Every indicator that is the same in each month of a default economy is refused as an outcome of it, or
// happens only at times.
func TestIndicatorsOfEconomy(t *testing.T) {
	// At times only, or where arms have other firms, or the central bank holds bonds.
	atTimes := []string{"bank_failures", "cost_bank_recapitalisation", "cost_bank_recapitalisation_to_gdp", "firms", "central_bank_profit"}
	p := Defaults()
	p.NumHouseholds = 2000
	e := mustNew(t, p, 2)
	mustStep(t, e, 12)
	e.BeginExperiment()
	var records []*Record
	for range 24 {
		mustStep(t, e, 1)
		r := *e.Latest()
		records = append(records, &r)
	}
	off := p
	off.EnableInnovation, off.EnableInherentMarket = false, false
	for _, name := range []string{"innovation_events", "cost_research_subsidies", "cost_purchases"} {
		i, _ := IndicatorByName(name)
		if needs, ok := i.In(off, nil); ok || needs == "" {
			t.Errorf("%s of an economy without innovation and public purchases is no outcome: %v", name, !ok)
		}
	}
	had := func(i Indicator) bool { _, ok := i.In(p, nil); return ok }
	for i := range NumOutcomes {
		if of, ok := i.OnControlGDP(); ok {
			if _, has := of.In(p, nil); has != had(i) {
				t.Errorf("%s is had, and %s is not, or the other way round", i, of)
			}
			continue
		}
		first, same := records[0].Value(i), true
		for _, r := range records {
			x := r.Value(i)
			same = same && (x == first || math.IsNaN(x) && math.IsNaN(first))
		}
		_, ok := i.In(p, nil)
		if same == ok && !slices.Contains(atTimes, i.String()) {
			t.Errorf("%s: always %v: %v, can be an outcome: %v", i, first, same, ok)
		}
	}
}
