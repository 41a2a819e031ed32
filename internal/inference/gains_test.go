package inference_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/report"
	"econ-mcp/internal/tables"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// madeUp is a study whose months are as a function says, from month 1.
func madeUp(arms, replications, months, from int, record func(arm, replication, month int) sim.Record) *tables.Study {
	s := &tables.Study{Name: "made-up", Seed: 1, Months: months}
	for k := range arms {
		arm := tables.StudyArm{Name: []string{"control", "treatment", "other"}[k], Params: sim.Defaults()}
		for r := range replications {
			var series [sim.NumOutcomes][]float64
			means := &tables.RecordMeans{}
			for month := 1; month <= months; month++ {
				record := record(k, r, month)
				for i := range series {
					series[i] = append(series[i], record.Value(sim.Indicator(i)))
				}
				if month >= from {
					means.Add(&record, arm.Params)
				}
			}
			arm.Panel, arm.Window = append(arm.Panel, &series), append(arm.Window, means)
			if k == 0 {
				s.Seeds = append(s.Seeds, uint64(r+1))
			}
		}
		s.Arms = append(s.Arms, arm)
	}
	return s
}

// groupRecord is a month in which each tenth of 100 households earns as much as income
// says; half of the households work.
func groupRecord(income func(tenth int) float64) sim.Record {
	var r sim.Record
	r.Values[sim.CPI], r.Values[sim.NominalGDP] = 200, 1000
	standing := &r.Households.Standing
	for g := range 10 {
		standing.ByIncome[g] = sim.Group{Households: 10, Income: income(g)}
		standing.ByWealth[9-g] = standing.ByIncome[g]
	}
	for _, groups := range [][]sim.Group{standing.ByWork[:2], standing.BySkill[:]} {
		for g := range groups {
			groups[g] = sim.Group{Households: 100 / len(groups), Income: income(0)}
		}
	}
	return r
}

// noise is the same for a replication and a tenth in both arms, up to a tenth of it.
func noise(arm, replication, tenth int) float64 {
	random := rand.New(rand.NewPCG(uint64(replication), uint64(tenth)))
	common, own := random.NormFloat64(), random.NormFloat64()
	return 50*common + 5*float64(arm)*own
}

func TestGainsOfTheSameHouseholds(t *testing.T) {
	s := madeUp(2, 12, 24, 13, func(arm, r, month int) sim.Record {
		return groupRecord(func(tenth int) float64 {
			gain := map[int]float64{0: 40, 4: -20, 9: -400}[tenth] * float64(arm) // of 1000, 5000 and 10000: 20 do not matter
			return 1000*float64(tenth+1) + noise(arm, r, tenth) + gain
		})
	})
	a, err := report.Analyse(context.Background(), s, inference.Choice{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := &a.Distribution
	if d.Adjustment != "romano_wolf" || len(d.Rows) != 25 {
		t.Fatalf("%d rows, adjusted by %s", len(d.Rows), d.Adjustment)
	}
	// Everybody's work and skill are those of the first tenth here.
	if want := []string{
		"income_decile 1 (poorest)", "wealth_decile 10 (richest)", "employment employed", "employment unemployed", "skill low", "skill middle",
		"skill high",
	}; !slices.Equal(
		d.Winners,
		want,
	) {
		t.Errorf("winners %q", d.Winners)
	}
	if want := []string{"income_decile 10 (richest)", "wealth_decile 1 (poorest)"}; !slices.Equal(d.Losers, want) {
		t.Errorf("losers %q", d.Losers)
	}
	first := d.By("income_decile")[0]
	gain := 0.
	for r := range 12 {
		gain += (40 + noise(1, r, 0) - noise(0, r, 0)) / 2 / 12 // at prices that are twice those of the base month
	}
	checkNear(t, "gain of the first tenth", float64(first.Difference), gain, 1e-9)
	checkNear(t, "relative gain", float64(first.Percent), 100*gain/float64(first.Control), 1e-9)
	if !(first.CILow < first.Difference && first.Difference < first.CIHigh && first.P <= first.PAdjusted && first.PAdjusted < .05) {
		t.Errorf("first tenth %+v", first)
	}
	for _, want := range []string{"Real incomes of households, by where they stood before month 1: they rise by income 1 (poorest), by " +
		"wealth 10 (richest), by work in all groups, by skill in all groups; fall by income"} {
		if en := strings.Join(report.Conclusion(&a, s, report.English), " "); !strings.Contains(en, want) {
			t.Errorf("conclusion %q lacks %q", en, want)
		}
	}
	zh := strings.Join(report.Conclusion(&a, s, report.Chinese), "")
	if !strings.Contains(zh, "按收入：1（最贫），") || !strings.Contains(zh, "按就业状况：所有组") {
		t.Errorf("conclusion %q", zh)
	}
	again, err := report.Analyse(context.Background(), s, inference.Choice{}, nil)
	if err != nil || !slices.Equal(again.Distribution.By("skill"), d.By("skill")) {
		t.Errorf("the same data gave other numbers, %v", err)
	}
}

// Of tenths that all lose, one end is said to lose more only where a test of the two ends says
// so; which of ten estimates happens to be the largest is not told.
func TestGroupsAreNotRankedByChance(t *testing.T) {
	study := func(loss func(tenth int) float64) *tables.Study {
		return madeUp(2, 12, 24, 13, func(arm, r, month int) sim.Record {
			return groupRecord(func(tenth int) float64 {
				own := float64(arm) * (noise(1, r, tenth) - noise(0, r, tenth)) / 1000 // .5 % of income
				return 1000 * float64(tenth+1) * (1 + own - float64(arm)*loss(tenth)) * (1 + noise(0, r, 1)/1000)
			})
		})
	}
	for _, c := range []struct {
		name   string
		loss   func(tenth int) float64
		en, zh string
		not    string
	}{
		{
			"alike", func(int) float64 { return .085 }, ", with no clear difference between the poorest tenth and the richest.",
			"最贫与最富十分位组之间无明显差别。", "more in",
		},
		{"the poorest", func(tenth int) float64 { return .087 - .0045*float64(tenth) }, "; relative to income more in the poorest " +
			"tenth (−8.", "；相对收入而言，最贫十分位组的变动（−8.", "no clear"},
		{"the richest", func(tenth int) float64 { return .04 + .005*float64(tenth) }, "; relative to income more in the richest tenth " +
			"(−8.", "；相对收入而言，最富十分位组的变动（−8.", "no clear"},
		{
			"not the richest", func(tenth int) float64 { return []float64{.08, .08, .08, 0, 0, 0, 0, 0, 0, 0}[tenth] },
			"1 (poorest), 2, 3; relative to income by ", "1（最贫）、2、3；相对收入的幅度为 ", "richest",
		},
	} {
		a, err := report.Analyse(context.Background(), study(c.loss), inference.Choice{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		claim := report.Claim{Change: "more of it", Outcome: "real_gdp"}
		en, zh := report.Answer(&a, claim, report.English).Groups, report.Answer(&a, claim, report.Chinese).Groups
		if !strings.HasPrefix(en, "Real incomes fall") || !strings.Contains(en, c.en) || !strings.Contains(zh, c.zh) ||
			strings.Contains(en, c.not) {
			t.Errorf("%s: %s\n%s", c.name, en, zh)
		}
	}
}

// Who looks for gains at another window than the planned one has asked, once for all groups and
// once for the budget, and the more was asked the less is said. By the plan nothing is asked.
func TestGainsBeyondThePlan(t *testing.T) {
	s := madeUp(2, 12, 24, 13, func(arm, r, month int) sim.Record {
		record := groupRecord(func(tenth int) float64 { return 1000*float64(tenth+1)*(1-.06*float64(arm)) + noise(arm, r, tenth) })
		record.Values[sim.GovernmentSpending] = 100 + float64(arm)*(20+noise(1, r, 3)/50)
		return record
	})
	earlier := 0
	var asked []inference.Asked
	choice := inference.Choice{
		Plan: &inference.Planned{Outcomes: []sim.Indicator{sim.CPI}},
		Ledger: func(now []inference.Asked) ([]inference.Asked, int, error) {
			asked = slices.Clone(now)
			for k := range now {
				now[k].Question = earlier + 1
			}
			for k := range earlier {
				now = append(now, inference.Asked{Hypothesis: fmt.Sprint(k), P: .9, Question: k + 1})
			}
			return now, 0, nil
		},
	}
	analyse := func(from, to int) (*inference.Analysis, string) {
		t.Helper()
		asked = nil
		c := choice
		c.Windows = []inference.Window{{From: from, To: to}}
		a, err := report.Analyse(context.Background(), s, c, nil)
		if err != nil {
			t.Fatal(err)
		}
		return &a, a.Conclusion
	}
	planned, text := analyse(13, 24)
	if len(asked) != 0 || len(planned.Distribution.Losers) != 25 || planned.Distribution.Adjustment != "romano_wolf" ||
		strings.Contains(text, "Exploratory") {
		t.Fatalf("by the plan: asked %v, losers %v, %s, %s", asked, planned.Distribution.Losers, planned.Distribution.Adjustment, text)
	}
	other, text := analyse(12, 24)
	if len(asked) != 2 || asked[0].Hypothesis != "made-up: real incomes of groups of households, months 12 to 24, paired t" ||
		other.Method.Asked != 2 {
		t.Fatalf("beyond the plan: asked %+v", asked)
	}
	// Each family has half of the level of the question.
	if row := other.Distribution.Rows[0]; row.Verdict != "loses" || float64(row.PAdjusted) < 2*asked[0].P/ofQuestion(1) ||
		!strings.Contains(other.Distribution.Adjustment, "exploratory") ||
		!strings.Contains(text, "Exploratory, not as planned") ||
		!strings.Contains(strings.Join(report.Conclusion(other, s, report.Chinese), ""), "探索性") {
		t.Errorf("%+v, %s, %s", row, other.Distribution.Adjustment, text)
	}
	earlier = 3000
	late, _ := analyse(12, 24)
	for k, row := range late.Distribution.Rows {
		want := min(1, float64(other.Distribution.Rows[k].PAdjusted)*math.Pow(3001, 1.6))
		if p := float64(row.PAdjusted); math.Abs(p-want) > 1e-9*want {
			t.Errorf("%s after 3000 questions: p %g, want %g", row.Group, p, want)
		}
	}
	if again, _ := analyse(13, 24); !slices.Equal(again.Distribution.Losers, planned.Distribution.Losers) {
		t.Errorf("what was planned changes with what was not: %v", again.Distribution.Losers)
	}
	choice.Plan = nil
	if _, _ = analyse(13, 24); len(asked) < 2 {
		t.Errorf("without a plan: asked %v", asked)
	}
}

// Two equal arms: nobody gains, and where nothing differs at all, nothing is judged to.
func TestNoGainsWithoutAChange(t *testing.T) {
	s := madeUp(3, 4, 4, 3, func(arm, r, month int) sim.Record {
		return groupRecord(func(tenth int) float64 { return 1000 + noise(arm%2, r, tenth) })
	})
	a, err := report.Analyse(context.Background(), s, inference.Choice{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := a.Distribution; len(d.Rows) != 50 || d.Adjustment != "holm" || len(d.Winners)+len(d.Losers) > 0 {
		t.Errorf("%d rows, adjusted by %s, winners %v, losers %v", len(d.Rows), d.Adjustment, d.Winners, d.Losers)
	}
	for _, row := range a.Distribution.Rows {
		if row.Verdict != "no clear change" || row.Arm == "other" && row.Difference != 0 {
			t.Errorf("%+v", row)
		}
	}
	s.Arms = s.Arms[:1]
	if a, err = report.Analyse(context.Background(), s, inference.Choice{}, nil); err != nil {
		t.Fatal(err)
	}
	if row := a.Distribution.Rows[24]; len(a.Distribution.Rows) != 25 || row.Verdict != "not judged" || !math.IsNaN(float64(row.Control)) ||
		!(row.Treatment > 0) {
		t.Errorf("one arm: %+v", row)
	}
}

// Months that were stored before households were followed say nothing of groups, and have
// the taxes and all spending for a budget. An arm with a burn-in of its own is told.
func TestGainsOfOldMonths(t *testing.T) {
	s := madeUp(2, 3, 4, 3, func(arm, r, month int) sim.Record {
		record := sim.Record{Government: sim.GovernmentSummary{Wages: math.NaN(), CentralBankProfit: math.NaN(), Interest: math.NaN()}}
		record.Values[sim.CPI], record.Values[sim.NominalGDP] = 100, 1000
		record.Values[sim.TaxRevenue], record.Values[sim.TaxVAT], record.Values[sim.GovernmentSpending] = 300, 300, 310
		for _, groups := range [][]sim.Group{record.Households.Standing.ByIncome[:], record.Households.Standing.BySkill[:]} {
			for g := range groups {
				groups[g].Income = math.NaN()
			}
		}
		return record
	})
	a, err := report.Analyse(context.Background(), s, inference.Choice{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(a.Distribution.Rows) != 0 || !strings.Contains(strings.Join(a.Diagnostics.Warnings, "\n"), "before households were followed") {
		t.Errorf("rows %v, warnings %q", a.Distribution.Rows, a.Diagnostics.Warnings)
	}
	if got := groups(a.Budget); !slices.Equal(got, []string{"vat", "other_spending", "balance", "balance_to_gdp"}) ||
		a.Budget[2].Treatment != -10 ||
		math.Abs(float64(a.Budget[3].Treatment)+.01) > 1e-12 {
		t.Errorf("budget %v", a.Budget)
	}

	apart := madeUp(2, 3, 4, 3, func(arm, r, month int) sim.Record { return groupRecord(func(int) float64 { return 1000 }) })
	apart.Arms[1].BurntInApart = []string{"num_industries"}
	if a, err = report.Analyse(context.Background(), apart, inference.Choice{}, nil); err != nil ||
		!strings.Contains(strings.Join(a.Diagnostics.Warnings, "\n"), "not the households of the control's") {
		t.Errorf("warnings %q, %v", a.Diagnostics.Warnings, err)
	}
}

func groups(rows []inference.GainRow) (names []string) {
	for _, row := range rows {
		names = append(names, row.Group)
	}
	return names
}

// The budget of every preset adds up, item by item, to the balance, which is what the
// public debt falls by.
func TestBudgetOfEveryPreset(t *testing.T) {
	const burnIn, months, from = 14, 15, 13
	for _, name := range presets.Names() {
		scenario, err := presets.Load(name)
		if err != nil {
			t.Fatal(err)
		}
		burn, p := scenario.BurnIn, scenario.Params
		burn.NumHouseholds, p.NumHouseholds = 600, 600
		burn.BurnInMonths, p.BurnInMonths = burnIn, burnIn
		e, err := sim.New(burn, 1)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close()
		var records []sim.Record
		for range burnIn {
			if err := e.Step(); err != nil {
				t.Fatal(err)
			}
		}
		e.BeginExperiment()
		if err := e.SetParams(p); err != nil {
			t.Fatal(err)
		}
		if err := e.Plan(scenario.Interventions); err != nil {
			t.Fatal(err)
		}
		for range months {
			if err := e.Step(); err != nil {
				t.Fatal(err)
			}
			records = append(records, *e.Latest())
		}
		s := madeUp(1, 1, months, from, func(_, _, month int) sim.Record { return records[month-1] })
		s.Arms[0].Params = p
		a, err := report.Analyse(context.Background(), s, inference.Choice{Windows: []inference.Window{{From: from, To: months}}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		debt := func(month int) (x float64) {
			for _, r := range records[month-12 : month] {
				x += records[month-1].Value(sim.DebtToGDP) * r.Value(sim.NominalGDP)
			}
			return x
		}
		sum, balance, spending := 0., 0., 0.
		for _, row := range a.Budget {
			switch row.Grouping {
			case "receipts", "spending":
				sum += float64(row.Treatment)
				spending += math.Max(0, -float64(row.Treatment))
			default:
				if row.Group == "balance" {
					balance = float64(row.Treatment)
				}
			}
			if strings.HasPrefix(row.Group, "other_") {
				t.Errorf("%s: a part of the budget has no name: %+v", name, row)
			}
		}
		checkNear(t, name+": sum of the items", sum/spending, balance/spending, 1e-9)
		checkNear(t, name+": balance", balance/spending, (debt(from-1)-debt(months))/(months-from+1)/spending, 1e-9)
	}
}

// What a reform costs is told with its interval; spending counts below zero.
// reform is an experiment whose treatment pays more in transfers, by replication.
func reform(replications int, more func(r int) float64) *tables.Study {
	return madeUp(2, replications, 12, 7, func(arm, r, month int) sim.Record {
		record := groupRecord(func(int) float64 { return 1000 })
		more := float64(arm) * more(r)
		record.Values[sim.TaxIncome], record.Values[sim.TaxRevenue] = 300, 300
		record.Government = sim.GovernmentSummary{Wages: 100, Transfers: 150 + more, Interest: 40, CentralBankProfit: 10}
		record.Values[sim.GovernmentSpending] = 290 + more
		return record
	})
}

func TestBudgetOfAReform(t *testing.T) {
	s := reform(8, func(r int) float64 { return 20 + noise(1, r, 3)/50 })
	a, err := report.Analyse(context.Background(), s, inference.Choice{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := groups(a.Budget); !slices.Equal(
		got,
		[]string{"income_tax", "central_bank_profit", "wages", "transfers", "interest", "balance", "balance_to_gdp"},
	) {
		t.Fatalf("items %q", got)
	}
	transfers, balance, share := a.Budget[3], a.Budget[5], a.Budget[6]
	if transfers.Control != -150 || transfers.Verdict != "loses" || balance.Control != 20 || balance.Difference != transfers.Difference ||
		a.Budget[2].Verdict != "no clear change" {
		t.Errorf("transfers %+v, balance %+v", transfers, balance)
	}
	checkNear(t, "share of GDP", float64(share.Difference), float64(balance.Difference)/1000, 1e-12)
	if zh := strings.Join(report.Conclusion(&a, s, report.Chinese), ""); !strings.Contains(a.Conclusion, "It costs the government 2") ||
		!strings.Contains(zh, "财政余额恶化") {
		t.Errorf("conclusion %q, %q", a.Conclusion, zh)
	}
}

// TestBudgetOfNoise: five pairs are too few to be rearranged, and Holm over the items finds
// nothing in a balance whose own interval excludes zero. Then nothing is said to cost.
func TestBudgetOfNoise(t *testing.T) {
	a, err := report.Analyse(
		context.Background(), reform(5, func(r int) float64 { return []float64{.3, 3, 1, 4.2, 1.5}[r] }), inference.Choice{}, nil,
	)
	if err != nil {
		t.Fatal(err)
	}
	share := a.Budget[len(a.Budget)-1]
	if share.CIHigh >= 0 || share.PAdjusted < .05 {
		t.Fatalf("the data are not what the test is about: %+v", share)
	}
	if strings.Contains(a.Conclusion, "It costs") || !strings.Contains(a.Conclusion, "is not clear once the number of rows is counted (95 % interval") {
		t.Errorf("conclusion %q", a.Conclusion)
	}
}
