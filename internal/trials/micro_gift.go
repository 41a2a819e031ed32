package trials

import (
	"cmp"
	"context"
	"math"
	"slices"

	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/stats"
	"econ-mcp/sim"
)

// gift is what one replication shows of a lottery: its households with it and without.
type gift struct {
	with, without []giftHousehold
}

// giftHousehold is a household over the months after a lottery.
type giftHousehold struct {
	seen     bool
	income   float64 // in month 1
	deposits float64 // at its end
	spent    float64 // over all months
}

// observeGifts simulates a scenario with a lottery in month 1 and without it.
func observeGifts(
	ctx context.Context, s scenario.Scenario, amount float64, replications, threads int, cache run.Cache, progress func(run.Progress),
) ([]gift, error) {
	treatment := s
	treatment.Name = s.Name + " with a lottery"
	treatment.Interventions = slices.Concat(s.Interventions, []sim.Intervention{{
		Type: sim.TypeInjection, TargetMonth: 1, Injection: sim.Injection{Group: "lottery", Amount: amount},
	}})
	gifts := make([]gift, max(0, replications))
	_, err := run.Simulation{
		Arms:  []run.Arm{{Name: s.Name, Scenario: s}, {Name: treatment.Name, Scenario: treatment}},
		Seeds: run.Seeds(uint64(s.Params.RandomState), replications), Months: giftMonths, Threads: threads, Cache: cache, Progress: progress,
		Observe: func(arm, replication int, e *sim.Economy) error {
			households := &gifts[replication].without
			if arm == 1 {
				households = &gifts[replication].with
			}
			e.EachHousehold(func(h int, v sim.HouseholdView) {
				for h >= len(*households) {
					*households = append(*households, giftHousehold{})
				}
				m := &(*households)[h]
				if m.spent += v.Consumption; e.Month() == 1 {
					m.seen, m.income, m.deposits = true, v.Income, v.Deposits
				}
			})
			return nil
		},
	}.Run(ctx)
	return gifts, err
}

// winner is a household that won, by what it has without winning and what it spends more.
type winner struct{ deposits, more float64 }

// winners are those whose income in month 1 is higher by the amount; until then nothing else differs between the
// economies but what firms and the government do with it, which is little.
func (g *gift) winners(amount float64) (list []winner) {
	for h := range min(len(g.with), len(g.without)) {
		if a, b := g.without[h], g.with[h]; a.seen && b.seen && b.income-a.income > amount/2 {
			list = append(list, winner{a.deposits, b.spent - a.spent})
		}
	}
	if float64(len(list)) < giftShare*float64(len(g.without)) {
		return nil
	}
	return list
}

// propensity is what winners spend more over twelve months, over the gift.
func (g *gift) propensity(amount float64) float64 { return meanMore(g.winners(amount)) / amount }

// gradient is the propensity of the fifth of the winners with the least deposits less that of the fifth with most.
func (g *gift) gradient(amount float64) float64 {
	list := g.winners(amount)
	slices.SortStableFunc(list, func(a, b winner) int { return cmp.Compare(a.deposits, b.deposits) })
	n := len(list) / 5
	return (meanMore(list[:n]) - meanMore(list[len(list)-n:])) / amount
}

func meanMore(list []winner) float64 {
	if len(list) == 0 {
		return math.NaN()
	}
	var more []float64
	for _, w := range list {
		more = append(more, w.more)
	}
	return stats.Mean(more)
}
