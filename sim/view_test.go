package sim

import (
	"math"
	"testing"
)

// What the views add up to is what the month's record says.
func TestViewsAgreeWithTheRecord(t *testing.T) {
	for name, change := range map[string]func(p *Params){
		"defaults":   func(p *Params) {},
		"demography": func(p *Params) { p.EnableDemography, p.PopulationGrowth = true, .02 },
		"open entry": func(p *Params) { p.EnableOpenEntry = true },
	} {
		t.Run(name, func(t *testing.T) {
			p := thousand()
			change(&p)
			e := mustNew(t, p, 7)
			mustStep(t, e, 14)
			for p.EnableOpenEntry && e.Latest().Value(FirmExits) > 0 { // the record has what firms sold in the month in which they ended
				mustStep(t, e, 1)
			}
			r := e.Latest()
			n, employed, force, income, spent, worth, wages := 0., 0., 0., 0., 0., 0., 0.
			e.EachHousehold(func(_ int, v HouseholdView) {
				n++
				income, spent, worth, wages = income+v.Income, spent+v.Consumption, worth+v.NetWorth, wages+v.Wage
				if v.Work == Employed {
					employed++
				}
				if v.Work != OutsideLabourForce {
					force++
				}
				if v.FamilySize < 1 || v.FamilySize > 6 || v.Skill <= 0 ||
					(v.Wage > 0) != (v.Work == Employed) {
					t.Fatalf("household %+v", v)
				}
			})
			var sizes [NumSizeClasses]int
			founded, innovated, automated, vacancies := 0., 0., 0, 0
			var revenue, markUp, units [MaxIndustries + 1]float64
			inventories := 0.
			e.EachFirm(func(_ int, v FirmView) {
				class := NumSizeClasses - 1
				for v.Employees < SizeClasses[class] {
					class--
				}
				sizes[class]++
				if v.Age == 0 {
					founded++
				}
				if v.Innovated {
					innovated++
				}
				if v.Automated {
					automated++
				}
				row := v.Industry
				if v.Capital {
					row = MaxIndustries
				}
				revenue[row] += v.Revenue
				markUp[row] += v.Revenue * v.MarkUp
				units[row] += v.Sold
				inventories += v.InventoryValue
				vacancies += v.Vacancies
			})
			near := func(what string, got, want float64) {
				t.Helper()
				if math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
					t.Errorf("%s = %g, the record says %g", what, got, want)
				}
			}
			near("households", n, r.Value(Population))
			near("unemployment", 1-employed/force, r.Value(UnemploymentRate))
			near("income", income/n, r.Households.Income.Mean)
			near("consumption", spent/n, r.Households.Consumption.Mean)
			near("wealth", worth/n, r.Households.Wealth.Mean)
			near("wages", wages/employed, r.Households.Wage.Mean)
			near("inventories", inventories, r.Firms.Inventories)
			near("entries", founded, r.Value(FirmEntries))
			near("innovations", innovated, r.Value(InnovationEvents))
			for j := range revenue {
				near("revenue", revenue[j], r.Firms.Revenue[j])
				if revenue[j] > 0 {
					near("mark-up", markUp[j]/revenue[j], r.Firms.MarkUp[j])
					near("price", revenue[j]/units[j], r.Firms.Price[j])
				}
			}
			if sizes != r.Firms.Sizes || automated != r.Firms.Adopters || vacancies > r.Firms.Vacancies {
				t.Errorf("sizes %v, AI %d, vacancies %d; the record says %v, %d, %d", sizes, automated, vacancies, r.Firms.Sizes,
					r.Firms.Adopters, r.Firms.Vacancies)
			}
		})
	}
}
