package question

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"econ-mcp/sim"
)

// composition is a lever with the concepts that make it.
type composition struct {
	phrase
	concepts []string
}

// englishConceptTree holds the words of all concepts.
var englishConceptTree = sync.OnceValue(func() *branch {
	root := &branch{}
	for _, row := range englishConcepts {
		root.addAll(row.words, func(p *phrase, _ string) { p.concepts = append(p.concepts, row.name) })
	}
	return root
})

// compositions are those of englishCompositions, the marks of their levers read.
var compositions = sync.OnceValue(func() (list []composition) {
	for _, row := range englishCompositions {
		bare := strings.TrimLeft(row.lever, "+-0!")
		c := composition{phrase: phrase{levers: []string{bare}}, concepts: strings.Fields(row.concepts)}
		c.mark(row.lever[:len(row.lever)-len(bare)])
		list = append(list, c)
	}
	return list
})

// maxGap is how much may stand between two concepts that make a lever, see between.
const maxGap = 6

// meant is an occurrence of a concept: the tokens from, up to.
type meant struct {
	concept  string
	from, to int
	exact    bool // the words name a lever by themselves
}

// composed is a lever that concepts of a sentence make.
type composed struct {
	composition
	parts []meant // in the order of the sentence
	score int
}

// composeLevers finds levers that are paraphrased: "the slice of profits that the state takes".
func (r *english) composeLevers() {
	owner := make([]int, len(r.s)) // item of each token
	for i, it := range r.items {
		for t := it.from; t < it.to; t++ {
			owner[t] = i
		}
	}
	var found []meant
	for t := range r.s {
		if p, end := englishConceptTree().match(r.s, t); p != nil && end > t {
			for _, c := range p.concepts {
				if c == "tax" && end-t > 1 && r.s[end-1].is("cut") && r.s[min(end, len(r.s)-1)].is("its", "the", "what", "their",
					"public", "all", "purchase",
					"spend", "job", "staff") {
					continue // "the state cut its purchases"
				}
				if c == "wage" && r.s.payVerb(t) || c == "benefit" && end == t+1 && r.s[t].is("pay") && end < len(r.s) &&
					r.s[end].is("in", "into", "for", "back", "off", "tax") || c == "handover" && !r.priced(end) {
					continue
				}
				if r.s[end-1].is("old", "poor", "rich", "idle") && !r.s.payVerb(end) &&
					r.s[min(end, len(r.s)-1)].is("wage", "pay", "salary", "job", "rate", "level",
						"rule", "system", "law", "price", "age", "tax", "benefit", "one", "way", "figure", "value") {
					continue // "the old wage" is nobody
				}
				if c == "wage" && end == t+1 && (slices.Contains([]string{"paid", "pays", "paying"}, r.s[t].text) ||
					r.s[t].text == "pay" && (r.s.text(end) == "a" || r.s.text(end) == "an" || r.s.text(end) == "no")) {
					continue // "banks paid a levy"
				}
				if free, exact := r.free(c, t, end, owner); free {
					found = append(found, meant{c, t, end, exact})
				}
			}
			for end > t+1 { // a shorter phrase may be another concept
				end--
				if q, to := englishConceptTree().match(r.s[:end], t); q != nil && to == end {
					for _, c := range q.concepts {
						if free, exact := r.free(c, t, end, owner); free && !slices.Contains(p.concepts, c) {
							found = append(found, meant{c, t, end, exact})
						}
					}
				}
			}
		}
	}
	for i, it := range r.items { // "what they earn beyond four times the average wage"
		if it.q != nil && it.q.x == 4 && (it.q.unit == factor && r.level(i+1) || it.q.unit == plain && r.level(i+1)) {
			k := i + 1
			for k+1 < len(r.items) && articles[r.text(k)] {
				k++
			}
			found = append(found, meant{"rich", it.from, r.items[k].to, false})
		}
	}
	found = slices.DeleteFunc(found, func(m meant) bool { // the bank of "central bank"
		return slices.ContainsFunc(found, func(o meant) bool {
			return o.from < m.from && m.to <= o.to && !r.s[o.from].is("on", "for", "of", "to", "into", "at", "toward", "from")
		})
	})
	var list []composed
	for _, c := range compositions() {
		for _, first := range found {
			if first.concept == c.concepts[0] {
				if whole, ok := r.gather(c, first, found, owner); ok {
					list = append(list, whole)
				}
			}
		}
	}
	list = slices.DeleteFunc(list, r.isPaid)
	slices.SortStableFunc(list, func(a, b composed) int { return b.score - a.score })
	used := make([]bool, len(r.s))
	for k, c := range list {
		if slices.ContainsFunc(c.parts, func(m meant) bool { return slices.Contains(used[m.from:m.to], true) }) {
			continue
		}
		for _, o := range list[k+1:] {
			if o.score == c.score && o.parts[0].from == c.parts[0].from && o.parts[len(o.parts)-1].to == c.parts[len(c.parts)-1].to &&
				!slices.Contains(c.levers, o.levers[0]) {
				c.levers = append(slices.Clone(c.levers), o.levers...)
			}
		}
		c.parts = r.more(c, found, used)
		for _, m := range c.parts {
			for t := m.from; t < m.to; t++ {
				used[t] = true
			}
		}
		r.named(c, owner)
	}
}

// more are the parts of a lever with other words for the same beside them: "takes onto its books".
func (r *english) more(c composed, found []meant, used []bool) []meant {
	parts := slices.Clone(c.parts)
	for _, m := range found {
		if !m.exact && slices.Contains(c.concepts, m.concept) && !slices.Contains(used[m.from:m.to], true) &&
			!slices.ContainsFunc(parts, func(p meant) bool { return m.from < p.to && p.from < m.to }) &&
			slices.ContainsFunc(parts, func(p meant) bool {
				return max(m.from-p.to, p.from-m.to) <= 3 && (r.between(p, m) <= 2 ||
					m.from == p.to+1 && r.s.text(p.to) == "and" && m.to > m.from && r.items[r.itemAt(m.from)].levers == nil)
			}) {
			parts = append(parts, m)
		}
	}
	slices.SortFunc(parts, func(a, b meant) int { return cmp.Compare(a.from, b.from) })
	return parts
}

// priced says whether a share follows token t: "the rich pay 60 percent".
func (r *english) priced(t int) bool {
	for _, it := range r.items {
		if it.from >= t && it.from < t+4 && it.q != nil {
			return it.q.unit == percent || it.q.unit == fraction || it.q.unit == points
		}
	}
	return false
}

// payVerb says whether "pay" at t is what somebody does: "firms paid 30 percent tax".
func (s tokens) payVerb(t int) bool {
	switch s.text(t) {
	case "paid", "pays", "paying":
		return true
	case "pay":
		return t+1 < len(s) && (s[t+1].digits || s.text(t+1) == "tax" || s.text(t+1) == "taxes")
	}
	return false
}

// isPaid says whether a benefit is no benefit but money that is handed out: "every jobless person receives 200 a month".
func (r *english) isPaid(c composed) bool {
	if c.concepts[0] != "benefit" {
		return false
	}
	instrument := c.parts[slices.IndexFunc(c.parts, func(m meant) bool { return m.concept == "benefit" })]
	if !r.s[instrument.from].is("get", "receive", "draw", "collect", "cash", "money", "payment", "check", "sum", "be", "pay", "help",
		"state", "income") {
		return false
	}
	first := r.itemAt(c.parts[0].from)
	for k := first; k >= 0 && k > first-8 && r.items[k].sign == ""; k-- {
		if q := r.items[k].q; q != nil && (q.unit == money || q.unit == plain && q.x >= 20) {
			return true
		}
	}
	for k := first; k < len(r.items) && k < first+12 && (r.items[k].sign == "" || r.items[k].sign == "-"); k++ {
		if q := r.items[k].q; q != nil && (q.unit == money || q.unit == plain && q.x >= 20) {
			return true
		}
	}
	return false
}

// own says whether an item is a concept that its lever is made of: the equity of "the equity that banks must hold".
func (r *english) own(i int) bool {
	p, end := englishConceptTree().match(r.s, r.items[i].from)
	for at := r.items[i].from - 1; p == nil && at >= max(0, r.items[i].from-2); at-- { // "on the highest | earners"
		if p, end = englishConceptTree().match(r.s, at); end < r.items[i].to {
			p = nil
		}
	}
	n := r.nearest(i, func(a anchor) bool { return a.role == happens && a.lever() })
	if p == nil || end < r.items[i].to || n < 0 || len(r.anchors[n].h.levers) != 1 {
		return false
	}
	from, to := r.items[i].chunk, r.items[r.anchors[n].item].chunk
	size := r.chunkHas(from, func(o item) bool { return o.q != nil && (o.q == r.anchors[n].h.to || o.q == r.anchors[n].h.by) })
	if r.far(i, n) > 6 && from == to || from != to && (abs(from-to) != 1 || r.far(i, n) > 24 || !(from < to &&
		r.leads[to].phrase.is(andWord)) && !size) {
		return false
	}
	for k := min(i, r.anchors[n].item) + 1; k < max(i, r.anchors[n].item); k++ {
		if o := r.items[k]; !o.taken && !o.is(andWord) && !links(r.s[o.from]) && o.sign == "" && !r.s.begins(englishConceptTree, o.from) {
			return false
		}
	}
	return slices.ContainsFunc(compositions(), func(c composition) bool {
		return c.levers[0] == r.anchors[n].h.levers[0] && slices.ContainsFunc(p.concepts,
			func(name string) bool { return slices.Contains(c.concepts, name) })
	})
}

// shareBases has "tax wages and profits" be two levers: a second base of the same instrument.
func (r *english) shareBases() {
	for i := 0; i < len(r.items); i++ {
		ids := r.items[i].levers
		if len(ids) != 1 || r.items[i].soft {
			continue
		}
		k := i + 1
		for k+1 < len(r.items) && (r.items[k].as == "what it is on" || r.items[k].q != nil && r.items[k+1].as == "what it is on") {
			k++
		}
		if k >= len(r.items) || !r.items[k].is(andWord, orWord) && r.items[k].sign != "," || r.items[k].levers != nil {
			continue
		}
		k++
		for k < len(r.items) && (slices.Contains([]string{"on", "of", "from", "off", "for", "the", "also", "by", "to"}, r.text(k)) ||
			r.items[k].is(orWord, andWord)) {
			k++
		}
		if k >= len(r.items) || r.items[k].levers != nil && !r.items[k].soft || r.items[k].q != nil || r.items[k].sign != "" {
			continue
		}
		p, end := englishConceptTree().match(r.s, r.items[k].from)
		if p == nil || end != r.items[k].to {
			continue
		}
		for _, own := range compositions() {
			if own.levers[0] != ids[0] || len(own.concepts) != 2 || own.concepts[0] != "tax" && own.concepts[0] != "subsidy" {
				continue
			}
			for _, c := range compositions() {
				if len(c.concepts) == 2 && c.concepts[0] == own.concepts[0] && c.levers[0] != ids[0] &&
					slices.Contains(p.concepts, c.concepts[1]) &&
					!slices.Contains(p.concepts, own.concepts[1]) && !(r.items[k].outcome && r.items[k].indicator.String() == "") {
					r.items[k].phrase, r.items[k].known = c.phrase, true
					break
				}
			}
		}
	}
}

// free says whether the words of a concept are not taken for something else, and whether they name a lever by themselves.
func (r *english) free(concept string, from, to int, owner []int) (free, exact bool) {
	for i := owner[from]; i <= owner[to-1]; i++ {
		it := r.items[i]
		lead := it.from
		for lead < from && articles[r.s[lead].text] {
			lead++
		}
		part := lead < from || it.to > to
		if (concept == "jobless" || concept == "profit") && it.outcome && it.levers == nil && part && it.to <= to && !r.content(it.from, from) {
			part = false // "people | out of work"
		}
		single := len(it.levers) == 1 && !it.soft
		switch {
		case !part && it.levers != nil && !it.outcome && to-from > it.to-it.from && to-from > 2: // the longer words win
		case it.q != nil && from > it.from && r.s[from].word && it.q.of == ofNothing &&
			!r.s[from].is("sale", "turnover", "revenue"): // "40 percent of research costs": what it is a share of
		case it.t != nil && concept == "longterm":
		case it.taken, it.q != nil, it.t != nil, it.place != "", it.foreign != "" && part:
			return false, false
		case len(it.levers) > 1 && !it.outcome: // "lower the tax | on labour"
		case (concept == "post" || concept == "hire" || concept == "state") && it.levers != nil &&
			it.levers[0] == "government_employment_share",
			concept == "dole" && it.levers != nil && it.levers[0] == "unemployment_benefit_rate",
			concept == "firing" && it.levers != nil && it.levers[0] == "dismissal_rate",
			concept == "incometax" && it.levers != nil && it.levers[0] == "income_tax_rate",
			(concept == "publicpost" || concept == "publicstaff") && it.levers != nil && it.levers[0] == "government_employment_share",
			concept == "machine" && !part && it.levers != nil && strings.HasPrefix(it.levers[0], "ai_"),
			concept == "intopension" && it.levers != nil && it.levers[0] == "pension_replacement_rate",
			concept == "fullbenefit" && it.levers != nil && it.levers[0] == "benefit_months",
			concept == "pensionpot" && to-from > 1 && it.levers != nil && it.levers[0] == "pension_replacement_rate",
			concept == "shorthours" && it.levers != nil && it.levers[0] == "job_retention_share",
			concept == "productivity" && it.levers != nil && it.levers[0] == "labor_productivity_factor",
			concept == "laborforce" && it.outcome && it.levers == nil, concept == "noimport", concept == "noexport",
			concept == "emission" && it.outcome && it.levers == nil,
			concept == "import" && it.outcome && it.levers == nil && it.indicator == sim.Imports,
			(concept == "post" || concept == "hire" || concept == "state") && it.outcome && it.levers == nil && it.indicator == sim.TaxRevenue,
			concept == "research" && it.levers != nil && it.levers[0] == "innovation_research_share":
		case single && !part:
			exact = true
		case it.levers != nil && part, it.outcome && part:
			return false, false
		}
	}
	return true, exact
}

// content says whether words from one token up to another are more than links.
func (r *english) content(from, to int) bool {
	return slices.ContainsFunc(r.s[from:max(from, to)], func(t token) bool { return !links(t) })
}

// gather finds the other concepts of a composition near the first.
func (r *english) gather(c composition, first meant, found []meant, owner []int) (composed, bool) {
	if first.exact && len(c.concepts) < 3 {
		return composed{}, false
	}
	parts := []meant{first}
	for _, name := range c.concepts[1:] {
		best, cost := meant{}, 99
		for _, m := range found {
			if m.concept != name || m.exact && len(c.concepts) < 3 || slices.ContainsFunc(parts,
				func(p meant) bool { return m.from < p.to && p.from < m.to }) {
				continue
			}
			for _, p := range parts {
				if m.from-p.to > 3*maxGap || p.from-m.to > 3*maxGap {
					continue
				}
				if d := r.between(p, m); d < cost || d == cost && m.to-m.from > best.to-best.from {
					best, cost = m, d
				}
			}
		}
		if cost > maxGap {
			return composed{}, false
		}
		parts = append(parts, best)
	}
	slices.SortFunc(parts, func(a, b meant) int { return cmp.Compare(a.from, b.from) })
	score := 0
	for k, p := range parts {
		score += 10 + 2*(p.to-p.from)
		if k > 0 {
			d := r.between(parts[k-1], p)
			if d > maxGap {
				return composed{}, false
			}
			score -= d
		}
	}
	return composed{c, parts, score}, true
}

// between is what it costs to take the words between two concepts for nothing but a link: beyond
// maxGap where they say something of their own.
func (r *english) between(a, b meant) int {
	if a.from > b.from {
		a, b = b, a
	}
	cost, strange := 0, 0
	for t := a.to; t < b.from; t++ {
		i := r.itemAt(t)
		it := r.items[i]
		switch {
		case it.from < a.to || it.to > b.from: // of the same name: "business | research"
			cost++
		case it.sign == "-" || it.sign == "\"" || it.sign == ":":
		case it.q != nil:
			cost++
			t = it.to - 1
		case it.is(gradualWord) && it.levers == nil, it.is(nobodyWord) && it.levers == nil && b.concept != "jobless", // "no longer follow"
			it.sign == "," && b.concept == "topoor", // "share it out, the poor first"
			(it.sign == "," || it.is(andWord)) && a.concept == "noimport" && b.concept == "noexport",
			it.levers == nil && directionOf(it.change) != 0 && slices.Contains(actors, a.concept): // "banks double the margin"
			cost++
		case it.known && it.levers != nil && !it.soft && len(it.levers) == 1, it.sign != "", it.t != nil, it.is(effectWord) &&
			!linking[r.s[t].text]:
			return maxGap + 1
		case links(r.s[t]), r.s[t].is("more", "less", "higher", "lower", "extra", "additional"):
			cost++
		case !it.known:
			strange++
			cost += 2
		case it.kinds == 1<<frameWord && it.levers == nil && !it.outcome && !it.group && it.change == noChange:
			cost++
		default:
			return maxGap + 1
		}
	}
	if strange > 1 {
		return maxGap + 1
	}
	return cost
}

// actors are those who change what follows.
var actors = []string{"bank", "state", "seller", "centralbank", "employer", "statebuyer"}

func (r *english) itemAt(token int) int {
	return slices.IndexFunc(r.items, func(it item) bool { return it.from <= token && token < it.to })
}

// linking are words that tie what is done to what it is done to: "the share OF profits THAT THE state takes".
var linking = func() map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(`
		the a an our their its his her your my these those this all every each any some whole entire of on from for to in at by
		out off with into onto under against behind over per as that which who whom whose what whatever whoever when where while
		they them people we us you one it he she someone everyone everybody anyone household worker firm state person employer
		be have has had will would can could must should may might shall do pay take hand give levy impose charge go come get
		keep receive earn make set put leave currently now today still already ordinary normal average typical usual part share
		half third quarter slice bit chunk portion piece fraction much money again monthly yearly month year so called present
		existing current additional special general only just also own many most there not no if become turn grow soon suddenly
		they're such same other face attract industry business company employer boss factory firms' firm's company's companies' workers' worker's state's government's banks' bank's`) {
		set[w] = true
	}
	return set
}()

func links(t token) bool {
	return linking[t.text] || t.word && slices.ContainsFunc(forms(t.text)[1:], func(f string) bool { return linking[f] })
}

// named makes one lever of the concepts that name it. Numbers and unknown words between them stay what they are.
func (r *english) named(c composed, owner []int) {
	from, to := owner[c.parts[0].from], owner[c.parts[len(c.parts)-1].to-1]
	head := -1
	for i := from; i <= to; i++ {
		it := &r.items[i]
		covered := false
		for t := it.from; t < it.to; t++ {
			covered = covered || c.covers(t)
		}
		if it.q != nil || !it.known && !covered || it.sign != "" || it.is(nobodyWord, gradualWord) && !covered ||
			it.change != noChange && !covered {
			continue
		}
		if it.levers != nil && c.implies == 0 && !it.soft {
			c.implies, c.inverse = it.implies, it.inverse
		}
		if covered {
			it.t = nil
		}
		it.phrase, it.known = phrase{kinds: 1 << frameWord}, true
		if head < 0 && covered {
			head = i
		} else {
			r.take(i, "what it is on")
		}
	}
	if head >= 0 {
		r.items[head].phrase = c.phrase
	}
}

// covers says whether a token is one of the concepts'.
func (c composed) covers(token int) bool {
	return slices.ContainsFunc(c.parts, func(m meant) bool { return m.from <= token && token < m.to })
}
