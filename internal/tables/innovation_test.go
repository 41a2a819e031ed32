package tables_test

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// observeInnovations simulates an economy and hands each month to all.
func observeInnovations(t *testing.T, p sim.Params, months int, observers ...func(*sim.Economy) error) {
	t.Helper()
	e, err := sim.New(p, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	e.BeginExperiment()
	for range months {
		if err := e.Step(); err != nil {
			t.Fatal(err)
		}
		for _, observe := range observers {
			if err := observe(e); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A second set of books keeps everything and compares each event with all firms.
func TestInnovationCollector(t *testing.T) {
	const months = 45
	for _, markets := range []int{1, 2} {
		p := sim.Defaults()
		p.NumHouseholds, p.HouseholdsPerMarket, p.MinPerCat = 1500, 1500/markets, 1
		p.InnovationProductivityWeight, p.InnovationAttributeWeight, p.InnovationPriceWeight, p.InnovationMarginWeight = 1, 1, 0, 0
		if sim.LocalMarkets(p) != markets {
			t.Fatalf("%d local markets", sim.LocalMarkets(p))
		}
		for _, units := range []bool{false, true} {
			collector := tables.InnovationCollector{Units: units}
			var shares [months + 1][]float64
			var views [months + 1][]sim.FirmView
			var happened [months + 1]map[int]sim.Event
			events := 0
			month := 0
			observeInnovations(t, p, months, collector.Observe, func(e *sim.Economy) error {
				month++
				shares[month] = e.MarketShares(nil)
				if units {
					shares[month] = e.UnitShares(nil)
				}
				views[month] = make([]sim.FirmView, len(shares[month])) // rows without a firm stay empty
				e.EachFirm(func(i int, v sim.FirmView) { views[month][i] = v })
				happened[month] = make(map[int]sim.Event)
				for _, v := range e.Events() {
					happened[month][v.Firm] = v
					events++
				}
				return nil
			})
			if events == 0 {
				t.Fatal("no events")
			}
			growth := func(a, b float64) float64 { return (b - a) / ((a + b) / 2) }
			got := tables.ShareResponses([]tables.InnovationSummary{collector.Summary()}, .95)
			if len(got) != 3*len(tables.ShareHorizons) { // all, productivity, attribute
				t.Fatalf("%d rows", len(got))
			}
			for _, row := range got {
				h := row.Horizon
				total, pairs := 0, 0
				var is, g []float64
				var innovators, others float64
				for m := h + 1; m+h <= months; m++ {
					fit := func(i int) bool {
						for back := 1; back <= h; back++ {
							if _, ok := happened[m-back][i]; ok {
								return false
							}
						}
						return views[m+h][i].Age >= 24+h && views[m-1][i].Employees >= tables.GrowthFloor && shares[m-1][i] > 0
					}
					for i, v := range happened[m] {
						if row.Kind != "all" && row.Kind != v.Kind.String() || !fit(i) {
							continue
						}
						total++
						best, distance := -1, .25
						several := markets > 1 && !views[m][i].Capital
						for j := range views[m] {
							if _, ok := happened[m][j]; ok || views[m][j].Industry != views[m][i].Industry ||
								several && views[m][j].Market == views[m][i].Market ||
								!fit(j) {
								continue
							}
							if d := math.Abs(math.Log(shares[m-1][j] / shares[m-1][i])); d <= distance {
								best, distance = j, d
							}
						}
						if best < 0 {
							continue
						}
						pairs++
						a, b := growth(shares[m-1][i], shares[m+h][i]), growth(shares[m-1][best], shares[m+h][best])
						innovators, others = innovators+a, others+b
						is, g = append(is, 1, 0), append(g, a, b)
					}
				}
				if row.Events != total || row.Pairs != pairs || row.Events < row.Pairs {
					t.Errorf("%s after %d months: %d events and %d pairs, want %d and %d", row.Kind, h, row.Events, row.Pairs, total, pairs)
					continue
				}
				if pairs < 3 {
					continue
				}
				n := float64(pairs)
				checkNear(t, "innovators", row.Innovators, innovators/n, 1e-9)
				checkNear(t, "others", row.Others, others/n, 1e-9)
				checkNear(t, "difference", row.Difference.Mean, (innovators-others)/n, 1e-9)
				checkNear(t, "correlation", row.Correlation.Mean, stats.Correlation(is, g), 1e-9)
				if row.Replications != 1 || !math.IsNaN(row.Difference.Low) {
					t.Errorf("%d replications with the interval %v", row.Replications, row.Difference)
				}
			}
			if row := got[0]; row.Kind != "all" || row.Horizon != 1 || row.Pairs < 20 {
				t.Errorf("first row %+v", row)
			}
		}
	}
}

// Buyers see price and quality: a lower price sells more units, and a better
// product brings a larger share of revenue too; innovations without any gain do
// nothing.
func TestSharesFollowInnovations(t *testing.T) {
	row := func(units bool, set func(*sim.Params)) tables.ShareResponse {
		var collectors []*tables.InnovationCollector
		for seed := range 3 {
			p := sim.Defaults()
			p.NumHouseholds, p.RandomState, p.EnableTrade = 2000, seed+1, false
			p.InnovationProductivityWeight, p.InnovationPriceWeight, p.InnovationMarginWeight, p.InnovationAttributeWeight = 0, 0, 0, 0
			set(&p)
			c := &tables.InnovationCollector{Units: units}
			observeInnovations(t, p, 60, c.Observe)
			collectors = append(collectors, c)
		}
		rows := tables.ShareResponses(stored(t, collectors), .95)
		return rows[3] // six months
	}
	price := row(true, func(p *sim.Params) { p.InnovationPriceWeight, p.InnovationPriceReduction = 1, .1 })
	attribute := row(false, func(p *sim.Params) { p.InnovationAttributeWeight, p.InnovationAttributeImprovement = 1, .2 })
	none := row(false, func(p *sim.Params) { p.InnovationAttributeWeight, p.InnovationAttributeImprovement = 1, 0 })
	for _, r := range []tables.ShareResponse{price, attribute, none} {
		t.Logf("%+v", r)
		if r.Horizon != 6 || r.Pairs < 100 || r.Replications != 3 {
			t.Errorf("%d pairs after %d months in %d replications", r.Pairs, r.Horizon, r.Replications)
		}
	}
	if price.Difference.Mean < .02 || price.Correlation.Mean < .05 {
		t.Errorf("a lower price: units grow by %v more, correlation %v", price.Difference.Mean, price.Correlation.Mean)
	}
	if attribute.Difference.Mean < .02 || attribute.Correlation.Mean < .05 {
		t.Errorf("a better product: revenue grows by %v more, correlation %v", attribute.Difference.Mean, attribute.Correlation.Mean)
	}
	if none.Difference.Low > 0 || none.Difference.High < 0 || none.Difference.Mean > price.Difference.Mean/2 {
		t.Errorf("an innovation without gain: %v, correlation %v", none.Difference.Mean, none.Correlation.Mean)
	}
}

// Without events there is nothing to tell, and JSON says so with null.
func TestNoInnovations(t *testing.T) {
	p := sim.Defaults()
	p.NumHouseholds, p.EnableInnovation = 1000, false
	var c tables.InnovationCollector
	observeInnovations(t, p, 4, c.Observe)
	rows := tables.ShareResponses([]tables.InnovationSummary{c.Summary()}, .95)
	if len(rows) != len(tables.ShareHorizons) || rows[0].Events != 0 || !math.IsNaN(rows[0].Innovators) {
		t.Errorf("rows %+v", rows)
	}
	data, err := json.Marshal(rows[0])
	if err != nil || !strings.Contains(string(data), `"difference":null`) {
		t.Errorf("JSON %s, error %v", data, err)
	}
}

// stored passes what collectors found through the JSON in which runs keep it.
func stored(t *testing.T, collectors []*tables.InnovationCollector) []tables.InnovationSummary {
	t.Helper()
	var out []tables.InnovationSummary
	for _, c := range collectors {
		data, err := json.Marshal(c.Summary())
		if err != nil {
			t.Fatal(err)
		}
		var back tables.InnovationSummary
		if err := json.Unmarshal(data, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, c.Summary()) {
			t.Errorf("stored %+v, read %+v", c.Summary(), back)
		}
		out = append(out, back)
	}
	return out
}

func TestMergeInnovations(t *testing.T) {
	a := tables.InnovationSummary{Months: 10, Pairs: []tables.SharePair{{Kind: "all", Horizon: 1, Events: 3, Pairs: 2, Innovators: .5}}}
	a.Merge(
		tables.InnovationSummary{
			Months: 5,
			Pairs: []tables.SharePair{
				{Kind: "all", Horizon: 1, Events: 1, Pairs: 1, Innovators: .25},
				{Kind: "price", Horizon: 1, Events: 1},
			},
		},
	)
	if p := a.Pairs[0]; a.Months != 15 || len(a.Pairs) != 2 || p.Events != 4 || p.Pairs != 3 || p.Innovators != .75 {
		t.Errorf("merged %+v", a)
	}
}
