package sim

import (
	"fmt"
	"testing"
)

// BenchmarkMonth reports agent-months a second, the project's measure of speed.
func BenchmarkMonth(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("households=%d/threads=%d", n, threads), func(b *testing.B) {
				p := Defaults()
				p.NumHouseholds = n
				e := mustNew(b, p, threads)
				mustStep(b, e, 12)
				begun(b, e)
				b.ReportAllocs()
				for b.Loop() {
					mustStep(b, e, 1)
				}
				b.ReportMetric(float64(e.Agents())*float64(b.N)/b.Elapsed().Seconds(), "agent-months/s")
			})
		}
	}
}

// begun has month 1 behind it, from which on a month is measured in full.
func begun(b *testing.B, e *Economy) {
	e.BeginExperiment()
	mustStep(b, e, 1)
}

// everythingOn switches on every mechanism.
func everythingOn(p *Params) {
	everyTransfer(p)
	p.EnableEngelCurves, p.NumBanks, p.EnableTrade, p.TariffRate = true, 5, true, .05
	p.EnableDemography, p.PopulationReserve, p.MigrationRate = true, .1, .0005
	p.EnableOpenEntry = true
	p.InnovationProductivityWeight, p.InnovationPriceWeight = .4, .2
	p.InnovationMarginWeight, p.InnovationAttributeWeight = .2, .2
	p.AIAdoptionRate, p.RobotTaxRate, p.RetrainingRate = .01, .2, .1
	p.GreenLevyRate, p.VATRatesByIndustry = .03, "01: 0.05"
	p.ProductionFunction, p.InherentMarketFocusNewProducts = "cobb_douglas", true

	p.EnableHouseholdTypes, p.OverdraftMonths, p.OwnershipRisk = true, 1.5, .35
	p.SkillTail, p.SkillLoss, p.SearchFatigue, p.BenefitSearchElasticity = .6, .015, .6, .6
	p.TechnologyVolatility, p.WorldDemandVolatility, p.ImportPriceVolatility = .002, .01, .004
	p.PurchasesVolatility, p.PolicyRateVolatility, p.LoanSpreadVolatility = .01, .0015, .003
	p.PrecautionaryEffect, p.OvertimeLimit, p.HiringRate = .1, .1, .35
	p.FirmProductivityDispersion, p.FirmDemandDispersion = .25, .4
	p.WageRentSharing, p.WageSizePremium, p.QuitMemoryMonths = .15, .02, 6
	p.SafetyStock, p.SupplierStockRequirement = 2, .8
}

// BenchmarkEverything is [BenchmarkMonth] with every mechanism on.
func BenchmarkEverything(b *testing.B) {
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("households=100000/threads=%d", threads), func(b *testing.B) {
			p := Defaults()
			p.NumHouseholds = 100_000
			everythingOn(&p)
			e := mustNew(b, p, threads)
			mustStep(b, e, 12)
			begun(b, e)
			b.ReportAllocs()
			for b.Loop() {
				mustStep(b, e, 1)
			}
			b.ReportMetric(float64(e.Agents())*float64(b.N)/b.Elapsed().Seconds(), "agent-months/s")
		})
	}
}

// BenchmarkAudit measures the audit with all counting that it needs, most of
// which the month's statistics need too; compare BenchmarkMonth.
func BenchmarkAudit(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprintf("households=%d", n), func(b *testing.B) {
			p := Defaults()
			p.NumHouseholds = n
			e := mustNew(b, p, 2)
			mustStep(b, e, 12)
			runPhases(e)
			for b.Loop() {
				v := e.surveyFirms()
				e.closing = e.countStocks(&v)
				if err := e.audit(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
