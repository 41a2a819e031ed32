package question

import (
	"slices"
	"strings"
)

// passed says whether a word may stand between a preposition and its number.
func passed(it item) bool {
	return it.known && it.levers == nil && !it.outcome && it.q == nil && it.t == nil && it.change == noChange &&
		it.is(frameWord, onlyWord) &&
		!it.is(aboveWord, belowWord, insteadWord, thanWord)
}

// bindQuantity gives the number at i to a lever.
func (r *english) bindQuantity(i int) {
	it := r.items[i]
	q := it.q
	if r.because(it.chunk) || r.told(it.chunk) && !r.chunkHappens(it.chunk) {
		r.items[i].kind, r.items[i].taken = colourMark, true // "because half of our street is out of work"
		return
	}
	n := r.nearest(i, func(a anchor) bool {
		return a.lever() && (a.role == happens || a.role == unclear && !(r.asks(a.item) && r.otherHappens(r.anchorAt(a.item)))) &&
			!(a.h.group != "" && a.sized) && r.fits(a, *q)
	})
	if n < 0 {
		return
	}
	a := &r.anchors[n]
	if m := r.nearest(i, func(b anchor) bool { return !b.lever() && b.wishes && b.role == asked }); m >= 0 &&
		r.anchors[m].item < i && r.sameChunk(i, m) &&
		r.far(i, m) < r.far(i, n) && a.item > i+2 && !r.effectBefore(r.anchors[m].item) {
		return // "let the deficit go up to 5 % before spending is cut"
	}
	if q.unit == months && r.text(i+1) == "of" && r.asks(i) && r.sense.horizon == 0 &&
		slices.ContainsFunc(r.s, func(t token) bool { return t.is("look") }) {
		r.sense.horizon = int(q.x) // "what would ten years of a minimum wage look like?"
		r.take(i, "horizon")
		return
	}
	if q.unit == months && !r.counts(a.h.levers) {
		if r.s.text(it.from+1) == "-" || r.s.text(it.from-1) == "a" || r.s.text(it.from-1) == "full" || a.item > i {
			it.t = &timing{last: int(q.x)}
			r.items[i].t, r.items[i].q = it.t, nil
		}
		return
	}
	if l, _ := leverOf(a.h.levers[0]); q.unit == plain && l.unit != numberUnit && it.to < len(r.s) && r.s[it.to].is("firm", "company",
		"people", "person", "worker", "household", "business") && r.s[it.to].text != "worker's" {
		return // "the first 100 firms"
	}
	if r.leverIs(a, "progressive_tax") && r.ofLadder(i) {
		return
	}
	if l, _ := leverOf(a.h.levers[0]); l.unit == partUnit && q.unit == percent && q.of == ofNothing && i+1 < len(r.items) &&
		slices.Contains([]string{"more", "fewer"}, r.text(i+1)) && !slices.Contains([]string{"of", "than", "generous"},
		r.s.text(r.items[i+1].to)) {
		q.unit = fraction // "20 percent more staff"
	}
	role, with := r.quantityRole(i, a)
	if role == "" {
		return
	}
	if a.sized && r.listed(i) && q.unit != months {
		if a.h.by != nil && a.h.to == nil && (q.unit == a.h.by.unit || a.h.by.unit == plain) {
			a.h.doses, a.h.by, a.h.steps = []quantity{*a.h.by, *q}, nil, true
			r.take(i, "dose")
			return
		}
		if len(a.h.doses) > 0 && role == "by" {
			a.h.steps = true
		}
		if a.h.steps {
			a.h.doses = append(a.h.doses, *q)
			r.take(i, "dose")
			return
		}
	}
	switch {
	case role == "by" && a.h.to != nil, role == "to" && a.h.by != nil:
		if q.unit != points && q.unit != percent || a.h.to != nil && a.h.to.unit != percent || a.h.by != nil &&
			a.h.by.unit != points && a.h.by.unit != percent {
			return
		}
	}
	r.perMonth(i, a)
	slot := map[string]**quantity{"from": &a.h.from, "to": &a.h.to, "by": &a.h.by}[role]
	if *slot != nil {
		if role == "to" && a.sized && (r.listed(i) || len(a.h.doses) > 0 || r.another(i)) && r.alike(a, *q) {
			if len(a.h.doses) == 0 {
				a.h.doses = []quantity{*a.h.to}
			}
			a.h.doses = append(a.h.doses, *q)
			r.take(i, "dose")
			return
		}
		return
	}
	*slot = q
	a.sized = true
	r.take(i, role)
	r.bounded(i, a)
	if with >= 0 {
		r.take(with, role)
	}
}

// bounded takes "at least" before the size of a floor and "at most" before that of a limit, which they are by themselves.
func (r *english) bounded(i int, a *anchor) {
	if i == 0 || !r.items[i-1].is(onlyWord, aboveWord, belowWord) {
		return
	}
	floor := r.leverIs(a, "minimum_wage", "minimum_income", "tax_allowance", "capital_requirement")
	limit := r.leverIs(a, "benefit_months", "max_leverage", "max_policy_rate", "deposit_insurance")
	switch r.text(i - 1) {
	case "at least", "no less than", "not less than", "minimum":
		if floor {
			r.take(i-1, "a floor")
		}
	case "below", "under", "less than", "is below", "fall below", "falls below", "be below", "are below", "is under", "drop below",
		"drops below":
		if r.leverIs(a, "minimum_wage", "minimum_income") {
			r.take(i-1, "a floor")
		}
	case "at most", "no more than", "not more than", "up to", "maximum":
		if limit {
			r.take(i-1, "a limit")
		}
	}
}

// untaxed has an amount of income tax be what is free of it: "income tax starts at 1,200 a month".
func (r *english) untaxed() {
	for n := range r.anchors {
		a := &r.anchors[n]
		if !r.leverIs(a, "income_tax_rate") || a.role == asked {
			continue
		}
		in := func(is func(it item) bool) bool {
			return slices.ContainsFunc(r.items, func(it item) bool { return it.sentence == r.items[a.item].sentence && is(it) })
		}
		free := func(it item) bool {
			return r.s[it.from].is("before", "first", "start", "begin", "kick", "exempt", "due", "nothing", "threshold", "nobody", "no")
		}
		if !in(func(it item) bool {
			return it.q != nil && !it.taken && (it.q.unit == money || it.q.of == ofMean || it.q.unit == plain && it.q.x >= 100 &&
				it.to < len(r.s) && !r.s[it.to].is("firm", "company", "worker", "people", "household", "person", "employee", "business"))
		}) || !in(free) || in(func(it item) bool { return it.q != nil && it.q.unit == points }) {
			continue
		}
		a.h.levers, r.items[a.item].implies = []string{"tax_allowance"}, 0
		for i := range r.items {
			if it := r.items[i]; it.sentence == r.items[a.item].sentence && it.q == nil && it.t == nil && !r.isAnchor(i) && free(it) {
				r.take(i, "free of tax")
			}
		}
	}
}

// ofLadder reads "in three steps" and "above four mean wages", which the progressive tax has by itself.
func (r *english) ofLadder(i int) bool {
	q := r.items[i].q
	steps := i+1 < len(r.items) && r.s[r.items[i+1].from].is("step", "bracket", "band", "stage", "rung")
	wages := r.s[r.items[i].to-1].is("wage", "pay", "income", "earnings")
	switch {
	case q.unit == plain && q.x == 3 && steps:
		r.take(i, "as the package is")
		r.take(i+1, "as the package is")
	case q.unit == factor && q.x == 4 && r.level(i+1):
		r.take(i, "as the package is")
		for n := range r.anchors {
			if r.anchors[n].item > i && r.anchors[n].item <= i+3 && r.anchors[n].wishes && !r.anchors[n].lever() {
				r.anchors[n].role = aside
			}
		}
		if r.items[i-1].is(aboveWord, onlyWord) {
			r.take(i-1, "as the package is")
		}
	case q.unit == plain && q.x == 4 && wages:
		r.take(i, "as the package is")
		if k := r.before(i, passed); k >= 0 && r.items[k].is(aboveWord, onlyWord) {
			r.take(k, "as the package is")
		} else if r.items[i-1].is(aboveWord, onlyWord) {
			r.take(i-1, "as the package is")
		}
	default:
		return false
	}
	return true
}

// alike says whether a number counts what those before it count.
func (r *english) alike(a *anchor, q quantity) bool {
	before := a.h.to
	if n := len(a.h.doses); n > 0 {
		before = &a.h.doses[n-1]
	}
	return before == nil || before.unit == q.unit || before.unit == plain || q.unit == plain ||
		before.of == q.of && q.of != ofNothing // "a third or 50 percent of the mean wage"
}

// perMonth reads "each month" that stands apart from the number.
func (r *english) perMonth(i int, a *anchor) {
	q := r.items[i].q
	l, ok := leverOf(a.h.levers[0])
	if q.per > 0 || !ok || l.unit != monthlyUnit && l.unit != yearlyUnit && (l.unit != meanUnit || q.unit != money && q.unit != plain) {
		return
	}
	for k := range r.items {
		if r.items[k].sentence != r.items[i].sentence {
			continue
		}
		switch r.text(k) {
		case "in a month", "in any month", "in one month":
			r.take(k, "a month")
			q.per = 1
		case "each month", "every month", "a month", "per month", "monthly", "month after month":
			q.per = 1
		case "each year", "every year", "a year", "per year", "yearly", "annual", "annually":
			q.per = 12
		}
	}
}

// listed says whether a number follows another one in a list.
func (r *english) listed(i int) bool {
	parted := false
	for k := i - 1; k >= 0 && r.items[k].chunk >= r.items[i].chunk-3; k-- {
		o := r.items[k]
		if o.q != nil {
			return o.taken && parted
		}
		parted = parted || o.sign == "," || o.sign == "/" || o.is(andWord, orWord) || r.text(k) == "with" || r.text(k) == "against"
		if o.sign != "," && o.sign != "/" && !o.is(andWord, orWord) && !passed(o) {
			return false
		}
	}
	return false
}

// counts says whether a lever is measured in years or months.
func (r *english) counts(ids []string) bool {
	return slices.ContainsFunc(ids, func(id string) bool {
		return id == "benefit_months" || id == "retirement_age_shift" || id == "unemployment_benefit_rate"
	})
}

// fits says whether a number can be one of a lever's at all.
func (r *english) fits(a anchor, q quantity) bool {
	if len(a.h.levers) == 0 || a.h.levers[0] == publicSpending {
		return q.unit != people
	}
	l, _ := leverOf(a.h.levers[0])
	switch {
	case q.of == ofGDP && (l.unit == rateUnit || l.unit == meanUnit || l.unit == medianUnit) && l.id != "public_research_share":
		return false // "three percent of what the nation earns, off the income tax"
	case (q.of == ofMean || q.of == ofMedian) && (l.unit == rateUnit && l.id != "wage_subsidy_rate" || l.unit == gdpUnit ||
		l.id == "government_employment_share"):
		return false // "a public post, paid at 40 percent of the mean wage"
	}
	return l.unit != switchUnit && l.unit != choiceUnit
}

// quantityRole says what a number is to its lever: from, to or by; with is the word that tells so, -1 = none.
func (r *english) quantityRole(i int, a *anchor) (role string, with int) {
	q := r.items[i].q
	k := r.before(i, func(it item) bool { return passed(it) && !r.prepositional(it) })
	before := r.text(k)
	after := ""
	j := i + 1
	if j < len(r.items) && r.items[j].sentence == r.items[i].sentence {
		after = r.text(j)
	}
	if i+2 < len(r.items) && r.text(i+1) == "to" && r.items[i+2].q != nil && before != "by" {
		return "from", -1
	}
	if before == "on" && k > 0 || r.text(k) == "get by on" {
		if m := max(k-2, 0); r.s[r.items[m].from].is("get", "live", "survive", "manage") || r.s[r.items[k-1].from].is("get", "live") {
			return "to", -1 // "get by on 40 percent"
		}
	}
	if k >= 0 && r.items[k].is(insteadWord, thanWord) && !r.leverIn(i+1) || before == "not" {
		return "from", k
	}
	if i+2 < len(r.items) && r.items[i+1].is(insteadWord) && r.items[i+2].q != nil && before != "by" && q.unit != points {
		return "to", -1 // "more generous: 65 percent instead of 50"
	}
	if j+1 < len(r.items) && (strings.HasPrefix(after, "more than") || strings.HasPrefix(after, "less than") ||
		strings.HasPrefix(after, "higher than") || strings.HasPrefix(after, "lower than") || after == "above" || after == "below") {
		switch r.s.text(r.items[j+1].from) {
		case "today", "now", "at", "before", "currently", "usual", "normal", "its", "what", "it":
			if !a.changed {
				a.h.change, a.changed = raise, true
				if strings.HasPrefix(after, "l") || after == "below" {
					a.h.change = lower
				}
			}
			return "by", j
		}
	}
	if (before == "from" || before == "down from" || before == "up from") && (after == "down" || after == "up") && r.linked(i) {
		return "from", k
	}
	switch after {
	case "higher", "lower", "more", "less", "fewer", "dearer", "cheaper", "up", "down", "off", "extra", "increase", "rise", "cut",
		"reduction", "hike", "drop", "fall", "decrease", "longer", "shorter", "later", "earlier",
		"smaller", "larger", "bigger", "stronger", "weaker", "decline", "raise", "faster", "slower", "jump", "increases", "cuts",
		"surcharge", "additional", "greater", "rises", "more expensive", "on top", "tighter", "stricter", "better", "slash",
		"gain", "loss", "boost", "surge", "spike", "slump", "reductions", "pricier", "costlier", "plunge", "collapse":
		if r.items[j].change != noChange || after == "slump" {
			return "by", -1
		}
	}
	if r.items[a.item].implies != 0 && r.leverIs(a, "import_price_factor") && (k < 0 ||
		!slices.Contains([]string{"to", "at", "from"}, before)) {
		return "by", -1 // "imports become 20 % dearer"
	}
	switch before {
	case "from", "down from", "up from", "than the present", "currently", "previously":
		if r.linked(i) {
			return "from", k
		}
		if a.item > i && r.items[i].q.unit != plain { // "4 points from income tax"
			return "from", k
		}
		return "from", k
	case "to", "at", "reach", "=", "→", "become", "becomes", "set at", "equal", "as high as", "as low as", "down to", "up to", "is",
		"are", "were", "was", "be", "being", "stands at", "set to", "cap at", "fix at", "hold at", "fixed at", "set", "go to",
		"goes to", "bring to", "keep at", "amounts to", "amounting to", "going to", "move to", "moves to", "reached", "reaches",
		"raised to", "of only", "stand at", "peg at", "held at", "kept at", "be set at", "amount to", "put at", "pitched at",
		"take to", "establish at":
		if q.unit == points && before != "to" && before != "at" && !(a.h.from != nil) {
			return "by", -1
		}
		return "to", k
	case "by", "plus", "another", "up", "down", "extra", "additional", "minus", "further", "more", "less", "-", "+", "increase by",
		"higher", "lower", "off", "an extra", "fewer", "add", "lop", "knock off", "shave off", "knock", "take off", "shave",
		"surcharge of", "knocks", "lop off", "take", "trim":
		if q.unit == factor {
			return "by", k
		}
		return "by", k
	case "of":
		// "an increase of two points", "a tariff of 10 %"
		m := r.before(k, func(it item) bool { return passed(it) && !it.is(onlyWord) || it.sign == "-" })
		if m >= 0 && m != a.item && r.items[m].change != noChange && r.items[m].levers == nil && r.items[m].change != introduce &&
			r.items[m].change != settle {
			return "by", -1
		}
		if in := r.before(a.item, func(it item) bool { return articles[r.s.text(it.from)] }); m == a.item && in > 0 &&
			(r.text(in) == "in" || r.text(in) == "of") && (r.items[in-1].change == raise || r.items[in-1].change == lower) {
			return "by", -1 // "a fall in world demand of a quarter"
		}
		if q.unit == points && r.items[a.item].implies == 0 {
			return "by", -1
		}
		if c := r.items[a.item].implies; c != 0 && r.leverIs(a, "income_tax_rate", "vat_rate", "corporate_tax_rate",
			"fixed_policy_rate", "tariff_rate", "pension_replacement_rate", "import_price_factor", "world_demand_factor",
			"labor_productivity_factor", "credit_supply_factor", "consumption_demand_factor", "fixed_exchange_rate") {
			return "by", -1 // "a rate hike of 1 %"
		}
		if r.items[a.item].implies == '+' && r.leverIs(a, "inherent_market_consumption_rate") {
			return "by", -1 // "a stimulus of 2 % of GDP"
		}
		if r.items[a.item].implies == '-' {
			return "by", -1
		}
		return "to", -1
	case "worth", "equal to", "equivalent to", "corresponding to":
		if r.moreNear(i) || r.items[a.item].implies == '+' && r.leverIs(a, "inherent_market_consumption_rate") {
			return "by", k
		}
		return "to", k
	case "with":
		return "to", k
	case "say", "maybe", "perhaps", "e.g", "for example", "for instance", "let's say":
		if q.unit == percent && q.of == ofNothing && k > a.item {
			return "to", -1 // "a higher sales tax, say 15 percent"
		}
	}
	if q.unit == points || q.unit == months && r.leverIs(a, "retirement_age_shift") && q.x < 240 {
		return "by", -1
	}
	if q.unit == factor {
		return "by", -1
	}
	c, at := r.verbNear(i, a)
	if s := r.items[a.item].implies; s != 0 && r.leverIs(a, "income_tax_rate", "vat_rate", "corporate_tax_rate", "fixed_policy_rate",
		"tariff_rate", "import_price_factor", "world_demand_factor", "labor_productivity_factor", "credit_supply_factor",
		"consumption_demand_factor", "fixed_exchange_rate", "inherent_market_consumption_rate") {
		return "by", -1
	}
	_ = at
	if c == raise || c == lower || r.items[a.item].implies == '-' && r.leverIs(a, "government_employment_share") {
		return "by", -1
	}
	if c == abolish && (q.unit == fraction || q.unit == percent) && a.item > i {
		return "by", -1
	}
	return "to", -1
}

func (r *english) leverIs(a *anchor, ids ...string) bool {
	return len(a.h.levers) == 1 && slices.Contains(ids, a.h.levers[0])
}

// prepositional says whether a word tells what a number is.
func (r *english) prepositional(it item) bool {
	switch r.s.text(it.from) {
	case "to", "at", "from", "by", "of", "is", "are", "were", "was", "be", "with", "become", "becomes", "being", "currently",
		"previously", "set", "go", "goes", "take", "moves", "move", "keep", "stands", "worth", "rather", "as", "not":
		return it.to == it.from+1 || r.s.text(it.from) == "as"
	}
	return false
}

// linked says whether "to" and another number follow.
func (r *english) linked(i int) bool {
	for k := i + 1; k < len(r.items) && k < i+6; k++ {
		if r.text(k) == "to" {
			return true
		}
	}
	return false
}

// moreNear says whether "extra", "another" and the like make of an amount an addition.
func (r *english) moreNear(i int) bool {
	for k := range r.items {
		o := r.items[k]
		if o.chunk == r.items[i].chunk && abs(k-i) < 8 && (o.change == raise || o.change == lower) {
			return true
		}
	}
	return false
}

// verbNear is the change that stands with an anchor and a number.
func (r *english) verbNear(i int, a *anchor) (change, int) {
	best, at, cost := noChange, -1, 9
	for k := range r.items {
		o := r.items[k]
		if !o.known || o.change == noChange || o.levers != nil || o.chunk != r.items[i].chunk && o.chunk != r.items[a.item].chunk ||
			o.outcome && r.isAnchor(k) || o.taken && o.as == "left as it is" {
			continue
		}
		d := abs(k - i)
		if k < a.item && a.item < i && a.item-k <= 3 && i-a.item <= 3 {
			d = min(d, 2)
		}
		for m := min(i, k) + 1; m < max(i, k); m++ {
			if m != a.item && !passed(r.items[m]) && r.items[m].sign == "" {
				d = 9 // something else is done there
			}
		}
		if d <= 2 && d < cost && (o.change == raise || o.change == lower || o.change == abolish) {
			best, at, cost = o.change, k, d
		}
	}
	return best, at
}

// lists has three and more levers in a row share the change before the first and the number after the last: "cut purchases,
// public jobs and benefits by a tenth".
func (r *english) lists() {
	for first := 0; first < len(r.anchors); first++ {
		last := first
		for last+1 < len(r.anchors) && (last == first || !r.anchors[last].sized) && r.anchors[last+1].lever() && r.anchors[last].lever() &&
			(r.joined(r.anchors[last].item, r.anchors[last+1].item) ||
				r.listing(r.anchors[last].item, r.anchors[last+1].item)) {
			last++
		}
		a, z := r.anchors[first], r.anchors[last]
		if last-first < 2 || !a.changed || a.sized || a.verb >= a.item || !z.sized {
			continue
		}
		for n := first; n <= last; n++ {
			b := &r.anchors[n]
			if b.role == aside || b.role == leftAlone || b.changed && n > first && b.h.change != a.h.change || b.sized && n < last {
				break
			}
			b.role, b.changed, b.h.change = happens, true, a.h.change
			if !b.sized {
				b.h.by, b.h.to, b.sized = copyOf(z.h.by), copyOf(z.h.to), true
			}
		}
		first = last
	}
}

// listing says whether nothing but a comma and words that link stand between two items.
func (r *english) listing(a, b int) bool {
	comma := false
	for k := a + 1; k < b; k++ {
		it := r.items[k]
		comma = comma || it.sign == ","
		if it.sign != "," && !it.taken && !passed(it) && !it.is(andWord) {
			return false
		}
	}
	return comma
}

// share has levers that are joined by "and" or "or" share a change and a number: "cut VAT and income tax by two points".
func (r *english) share() {
	r.lists()
	var last int = -1
	for n := range r.anchors {
		b := &r.anchors[n]
		if b.role != happens || !b.lever() || b.h.group != "" {
			continue
		}
		if last >= 0 {
			a := &r.anchors[last]
			if r.items[a.item].sentence == r.items[b.item].sentence && r.joined(a.item, b.item) {
				switch {
				case a.changed && !a.sized && a.h.change != halve && a.h.change != double && a.h.change != abolish &&
					!b.changed && b.sized && b.verb < 0 && a.verb < a.item:
					b.h.change, b.changed = a.h.change, true
					a.h.by, a.h.to, a.sized = copyOf(b.h.by), copyOf(b.h.to), true
				case a.changed && a.sized && !b.changed && !b.sized && a.verb < a.item && a.verb >= 0:
					b.h.change, b.changed = a.h.change, true
				case !a.changed && !a.sized && b.changed && b.verb > b.item:
					a.h.change, a.changed = b.h.change, true
					a.h.by, a.h.to, a.sized = copyOf(b.h.by), copyOf(b.h.to), b.sized
				case a.changed && a.sized && !b.sized && (!b.changed || b.h.change == a.h.change) && a.h.from == nil &&
					len(a.h.doses) == 0 &&
					(b.verb >= 0 && r.text(b.verb) == "off" || b.verb < 0 && r.text(b.item-1) == "on"):
					b.h.change, b.changed = a.h.change, true // "3 points off VAT or off income tax"
					b.h.by, b.h.to, b.sized = copyOf(a.h.by), copyOf(a.h.to), true
				case a.changed && !a.sized && !b.changed && !b.sized && a.verb >= 0 && a.verb < a.item:
					b.h.change, b.changed = a.h.change, true
				}
			}
		}
		if last >= 0 && !b.sized && r.sameSize(b.item) {
			a := &r.anchors[last]
			b.h.by, b.h.to, b.sized = copyOf(a.h.by), copyOf(a.h.to), true // "the same sum for the poor only"
			if b.h.pays == "" && strings.HasPrefix(b.h.levers[0], "redistribution") {
				b.h.pays = a.h.pays
			}
		}
		if last >= 0 {
			a := &r.anchors[last]
			if x, y := a.h.by, b.h.by; x != nil && y != nil && y.unit == plain && (x.unit == points || x.unit == percent) &&
				r.items[a.item].sentence == r.items[b.item].sentence {
				y.unit, y.x = x.unit, y.x/100 // "VAT up three points and income tax down by three"
			}
		}
		last = n
	}
}

// sameSize says whether "the same sum" and the like stand in the chunk of item i.
func (r *english) sameSize(i int) bool {
	for k := range r.items {
		if r.items[k].chunk != r.items[i].chunk {
			continue
		}
		for at := r.items[k].from; at < r.items[k].to; at++ {
			if r.s.text(at) == "same" && at+1 < len(r.s) && r.s[at+1].is("sum", "amount", "money", "size", "cut", "rise", "increase",
				"reduction", "share", "percentage",
				"number", "budget", "cost", "money's") && r.s.text(at+1) != "cost" {
				return true
			}
		}
	}
	return false
}

func copyOf(q *quantity) *quantity {
	if q == nil {
		return nil
	}
	c := *q
	return &c
}

// joined says whether nothing but "and", "or", commas and plain words stand between two items.
func (r *english) joined(a, b int) bool {
	join := false
	for k := a + 1; k < b; k++ {
		it := r.items[k]
		switch {
		case it.is(andWord, orWord):
			join = true
		case it.sign == ",", passed(it), it.taken && it.change != noChange, it.q != nil, it.known &&
			it.change != noChange, it.sign == "/":
		default:
			return false
		}
	}
	return join
}
