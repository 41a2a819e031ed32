package question

import "slices"

// refinements say which lever is meant where words beside one make it another: what people spend, cut by the state or by
// themselves; from home or from abroad; AI that is there, or what it can do.
var refinements = []struct {
	from  string
	words []string // one of them stands in the clause
	none  []string // and none of these
	of    []string // and a share of one of these
	to    string
}{
	{"consumption_demand_factor", []string{"abroad", "foreign", "imported", "import"}, nil, nil, "import_share"},
	{"consumption_demand_factor", []string{"spend", "consume"}, []string{"more", "less"}, []string{"income", "earn"},
		"propensity_to_consume_income"},
	{publicSpending, []string{"consumer", "household", "shopper", "people", "family", "customer", "private"},
		[]string{"state", "government", "public", "treasury", "minister", "ministry", "council", "authority"}, nil,
		"consumption_demand_factor"},
	{"austerity", []string{"consumer", "household", "shopper", "people", "family", "customer", "private"},
		[]string{"state", "government", "public", "treasury", "minister", "ministry", "council", "authority"}, nil,
		"consumption_demand_factor"},
	{"fixed_policy_rate", []string{"limit", "cap", "ceiling", "lid"}, nil, nil, "max_policy_rate"},
	{"fixed_policy_rate", []string{"never"}, nil, []string{"above", "over", "beyond"}, "max_policy_rate"},
	{"innovation_research_share", []string{"state", "government", "public", "ministry", "treasury"}, []string{"firm", "company",
		"business",
		"industry", "private", "corporate", "employer", "refund", "subsidy", "grant", "reimburse", "pay"}, nil, "public_research_share"},
	{"ai_adoption_rate", []string{"save", "cut", "need", "spare"}, []string{"adopt", "firm", "company", "spread", "month", "tax"},
		[]string{"labor", "staff", "workforce"}, "ai_productivity_gain"},
	{"ai_adoption_rate", []string{"can", "could"}, []string{"adopt", "firm", "company", "spread", "month", "save", "tax"},
		[]string{"task", "work", "job", "automated"}, "ai_task_exposure"},
}

// refine gives a lever the name that the words beside it ask for.
func (r *english) refine() {
	for n := range r.anchors {
		a := &r.anchors[n]
		if a.role == asked || len(a.h.levers) != 1 {
			continue
		}
		chunk := r.items[a.item].chunk
		says := func(words []string) bool {
			return r.chunkHas(chunk, func(it item) bool {
				return slices.ContainsFunc(r.s[it.from:it.to], func(t token) bool { return t.is(words...) })
			})
		}
		for _, row := range refinements {
			if a.h.levers[0] != row.from || !says(row.words) || slices.ContainsFunc(r.items, func(it item) bool {
				return (it.chunk == chunk || it.chunk == chunk-1) && slices.ContainsFunc(r.s[it.from:it.to],
					func(t token) bool { return t.is(row.none...) })
			}) {
				continue
			}
			if row.of != nil && !says(row.of) || row.to != "consumption_demand_factor" && row.to != "public_research_share" &&
				!r.chunkHas(chunk, func(it item) bool {
					return it.q != nil && it.q.of == ofNothing && (it.q.unit == percent || it.q.unit == fraction)
				}) {
				continue
			}
			a.h.levers, r.items[a.item].implies = []string{row.to}, 0
			if row.to == "max_policy_rate" {
				a.role, r.items[a.item].soft = happens, false
			}
			if row.to == "consumption_demand_factor" && r.items[a.item].change == noChange && !a.changed {
				r.items[a.item].implies = '-'
			}
			for i := range r.items {
				if it := r.items[i]; row.to == "max_policy_rate" && it.chunk == chunk && it.q == nil &&
					(it.is(notWord, aboveWord, onlyWord) ||
						r.s[it.from].is(row.words...)) && !r.isAnchor(i) {
					r.take(i, "a limit")
				}
			}
			for m := range r.anchors { // what it is refined by
				if o := &r.anchors[m]; m != n && r.items[o.item].chunk == chunk && abs(o.item-a.item) <= 8 && (!o.lever() || r.leverIs(o,
					"tariff_rate", "import_price_factor")) && row.to != "consumption_demand_factor" && row.to != "public_research_share" {
					o.role = aside
					r.take(o.item, "what it is on")
				}
			}
			break
		}
	}
}
