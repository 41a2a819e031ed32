package question

import (
	"slices"
	"strings"

	"econ-mcp/sim"
)

// who gives industries and groups to what they are said of.
func (r *english) who() {
	for i := range r.items {
		it := r.items[i]
		if !it.known || it.taken || it.levers != nil && r.isAnchor(i) {
			continue
		}
		if it.industry != "" && !it.outcome && (r.ofSpeaker(i) || r.spoken(i) || r.leads[it.chunk].text == "as" &&
			!r.chunkHappens(it.chunk)) {
			continue // "my hairdresser swears"
		}
		if it.industry != "" && !it.outcome {
			n := r.nearest(i, func(a anchor) bool { return a.role == happens && a.lever() })
			if n < 0 || r.far(i, n) > 25 {
				continue
			}
			h := &r.anchors[n].h
			if h.industry != "" && h.industry != it.industry {
				continue
			}
			switch h.levers[0] {
			case "consumption_demand_factor":
				h.levers, h.industry = []string{"industry_demand"}, it.industry
				r.take(i, "industry")
			case "income_tax_rate":
				if len(h.levers) < 2 {
					continue
				}
				h.levers = []string{"vat_rate"} // "taxing bread"
				h.industry = it.industry
				r.take(i, "industry")
			case "vat_rate", "green_levy_rate", "industry_demand", "industry_supply":
				h.industry = it.industry
				r.take(i, "industry")
			}
		}
		if n := slices.IndexFunc(r.anchors, func(a anchor) bool { return a.item == i && a.role == asked }); n >= 0 && !it.group ||
			it.group && it.people == "top_tenth" {
			k := r.before(i, func(it item) bool { return passed(it) && !it.is(inWord) })
			m := r.nearest(i, func(a anchor) bool { return a.role == happens && a.lever() })
			if k >= 0 && m >= 0 && (r.text(k) == "for" || r.text(k) == "on" && it.group) && r.sameChunk(i, m) &&
				!r.effectBefore(i) && r.anchors[m].item < i &&
				(it.group || it.indicator == sim.PovertyRate) && !r.concernsPoor(m, it.phrase) {
				r.items[i].kind, r.items[i].taken = groupMark, true // "three points more for the rich"
				if n >= 0 {
					r.anchors[n].role = aside
				}
				continue
			}
		}
		if it.group {
			if n := slices.IndexFunc(r.anchors, func(a anchor) bool { return a.item == i && a.role == asked }); n >= 0 {
				m := r.nearest(i, func(a anchor) bool { return a.role == happens && a.lever() && concerns(a.h.levers[0], it.phrase) })
				if m >= 0 && r.items[r.anchors[m].item].chunk == it.chunk && !r.effectBefore(i) {
					r.anchors[n].role = aside
					r.take(i, "group")
				}
				continue
			}
			n := r.nearest(i, func(a anchor) bool { return a.role == happens && a.lever() || a.role == asked })
			if n < 0 && !(it.people != "" && it.people != "unemployed" && len(r.happening(-1)) > 0 && r.fares(i)) {
				continue
			}
			if it.people != "" && it.people != "unemployed" && r.fares(i) {
				r.anchors = append(r.anchors, anchor{item: i, role: asked, indic: sim.RealWageMean, wishes: true, verb: -1})
				r.take(i, "group "+it.people)
				continue
			}
			a := r.anchors[n]
			if a.role == asked && it.people != "" {
				r.take(i, "group")
				r.items[i].as = "group " + it.people
			} else if a.role == asked || concerns(a.h.levers[0], it.phrase) {
				r.take(i, "group")
			}
		}
	}
}

// fares says whether a question asks how a group fares and names nothing to measure: "What does the poorest fifth gain?"
func (r *english) fares(i int) bool {
	it := r.items[i]
	if !r.endsAsking(it.sentence) || slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.role == asked }) {
		return false
	}
	verb := r.chunkHas(it.chunk, func(o item) bool {
		return r.s[o.from].is("gain", "fare", "lose", "win", "get", "benefit", "suffer", "happen", "mean", "do")
	})
	return verb && !slices.ContainsFunc(r.anchors, func(a anchor) bool { return r.items[a.item].chunk == it.chunk && a.role == happens })
}

// concernsPoor says whether a lever is made for the poor, or the rich.
func (r *english) concernsPoor(n int, p phrase) bool {
	if p.group {
		return concerns(r.anchors[n].h.levers[0], p)
	}
	return slices.Contains([]string{"minimum_income", "redistribution_poor", "pay", "minimum_income_taper", "redistribution_equal"},
		r.anchors[n].h.levers[0])
}

// concerns says whether a lever is made for a group, so that naming the group changes nothing.
func concerns(lever string, g phrase) bool {
	switch g.payee + g.people {
	case "all":
		return true
	case "unemployedunemployed":
		return slices.Contains([]string{"unemployment_benefit_rate", "benefit_months", "job_guarantee", "retraining_rate",
			"job_search_intensity", "matching_efficiency", "reservation_wage_ratio", "redistribution_unemployed",
			"long_term_benefit_factor"}, lever)
	case "retiredretired":
		return slices.Contains([]string{"pension_replacement_rate", "retirement_age_shift", "pension_contribution_rate"}, lever)
	case "low_skill":
		return slices.Contains([]string{"wage_subsidy_rate", "minimum_wage"}, lever)
	case "banks":
		return slices.Contains([]string{"capital_requirement", "countercyclical_buffer", "credit_supply_factor", "loan_spread",
			"deposit_spread", "bail_in", "bailout", "num_banks", "max_leverage", "deposit_insurance", "amortisation_rate"}, lever)
	case "top_tenth", "top_fifth":
		return lever == "progressive_tax"
	case "employed":
		return slices.Contains([]string{"income_tax_rate", "minimum_wage", "wage_subsidy_rate", "labor_productivity_factor"}, lever)
	}
	return false
}

// places finds the preset that the question is set in.
func (r *english) places() {
	var named []int
	for i, it := range r.items {
		if !it.known || it.place == "" || it.taken {
			continue
		}
		n := r.anchorAt(i)
		if slices.Contains([]string{"from", "to", "with", "against", "on"}, r.text(i-1)) && strings.HasSuffix(it.place, "_like") &&
			r.chunkHas(it.chunk, func(o item) bool { return r.s[o.to-1].is("import", "export", "trade", "tariff", "good") }) {
			r.stop(i, strayMark) // "no imports from China"
			continue
		}
		if first := r.items[max(0, r.firstOf(it.sentence))]; r.s[first.from].is("i") && !r.inPlace(i) && first.to < len(r.s) &&
			r.s[first.to].is("have", "see", "live", "remember", "survive") {
			r.items[i].kind, r.items[i].taken = colourMark, true // "I have seen three recessions."
			if n >= 0 {
				r.anchors[n].role = aside
			}
			continue
		}
		if n >= 0 && r.anchors[n].role == happens && (r.anchors[n].sized || r.anchors[n].changed && !r.inPlace(i)) {
			continue
		}
		others := slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.item != i && a.role == happens && a.lever() })
		switch {
		case r.inPlace(i) || r.heads(i) || !others && !r.effectBefore(i) || r.adjective(i) || r.stated(i):
			named = append(named, i)
			if n >= 0 {
				r.anchors[n].role = aside
			}
		case n >= 0 && it.outcome && len(r.happening(it.sentence)) > 0 && !r.effectBefore(i) && !r.endsAsking(it.sentence):
			r.anchors[n].role = aside // "after a year of recession"
			r.items[i].kind, r.items[i].taken = strayMark, true
		case n >= 0 && it.outcome && r.anchors[n].role == aside:
			r.anchors[n].role = asked
		}
	}
	others := slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.role == happens && a.lever() })
	seen := ""
	for _, i := range named {
		place := r.items[i].place
		switch {
		case others && (r.sense.place == "" || r.sense.place == place):
			r.sense.place = place
		case others:
			continue
		case seen == place:
		default:
			r.sense.arms = append(r.sense.arms, arm{place: place, span: r.span(i)})
			seen = place
		}
		r.take(i, "preset "+place)
	}
	if len(r.sense.arms) == 1 { // the resolver tells a place from what happens
		r.sense.place, r.sense.arms = r.sense.arms[0].place, nil
	}
}

// heads says whether a place stands before all that a sentence says: "US-style economy: …", "Pandemic, VAT at 5 percent".
func (r *english) heads(i int) bool {
	return r.firstOf(r.items[i].sentence) == i && i+2 < len(r.items) && strings.Contains(":,", r.items[i+1].sign) && r.items[i+1].sign != ""
}

// stated says whether a place is what a sentence tells before another one asks: "There is a pandemic on."
func (r *english) stated(i int) bool {
	sentence := r.items[i].sentence
	return len(r.happening(sentence)) == 0 && !r.endsAsking(sentence) && !r.effectBefore(i) &&
		slices.ContainsFunc(r.anchors, func(a anchor) bool { return a.role == happens && r.items[a.item].sentence > sentence })
}

// adjective says whether a place is said as in "the German economy".
func (r *english) adjective(i int) bool {
	if i+1 < len(r.items) && (r.items[i+1].change != noChange ||
		r.s[r.items[i].to].is("have", "put", "go", "make", "decide", "want", "would", "could", "should", "were")) {
		return true // "if Austria had a carbon tax"
	}
	switch r.text(i) {
	case "us style", "us style economy", "usa style economy", "usa - style economy", "american style", "german",
		"american", "chinese", "austrian", "us economy", "german economy", "american economy", "chinese economy",
		"austrian economy":
		return true
	}
	return false
}

// inPlace says whether "in", "during", "while" or "take" stand before an item.
func (r *english) inPlace(i int) bool {
	if l := r.leads[r.items[i].chunk]; l.text == "while" || l.text == "as" || l.text == "when" {
		return true
	}
	for k := i - 1; k >= max(0, i-4) && r.items[k].chunk == r.items[i].chunk; k-- {
		if r.items[k].t != nil && r.items[k].t.last > 0 && r.text(k+1) == "of" { // "for the first half year of a recession"
			return true
		}
		if r.items[k].is(inWord) {
			return true
		}
		if !passed(r.items[k]) && !r.items[k].is(largeWord, smallWord) && r.items[k].known {
			break
		}
	}
	return false
}
