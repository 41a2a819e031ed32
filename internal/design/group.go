package design

import "slices"

// group is a part of the population that a question names.
type group struct {
	text  string
	who   string  // "all", "bottom", "unemployed" and "retired" are groups that the model has
	share float64 // of the households, from the bottom; 0 = not said
}

// known says which words name a group of the model.
var knownGroups = []struct {
	who   string
	words []string
}{
	{"bottom", []string{
		"bottom", "poorest", "the poorest", "lowest", "low income household", "low income family", "the poor", "poor household", "poor family",
		"poor people",
		"最穷", "最贫困", "最低收入", "底层", "收入最低", "穷人", "贫困家庭", "低收入家庭", "贫困人口", "低收入者", "低收入人群", "困难家庭",
	}},
	{"unemployed", []string{"the unemployed", "unemployed person", "unemployed people", "jobless people", "失业者", "失业人员"}},
	{"retired", []string{"pensioner", "the retired", "retiree", "the elderly", "退休人员", "老人", "老年人", "退休者"}},
	{"all", []string{
		"everyone", "everybody", "every household", "each household", "all household", "every citizen", "each citizen", "all citizen",
		"every person", "each person", "every adult", "each adult", "all adult", "everyone in the country", "every family", "each family",
		"每人", "所有人", "每个人", "每个家庭", "每户", "每位居民", "全民", "人人", "所有家庭", "全体居民", "每位公民", "每个公民", "每个成年人", "每位成年人",
	}},
}

func newGroup(text string) *group {
	for _, known := range knownGroups {
		if slices.Contains(known.words, text) {
			return &group{text: text, who: known.who}
		}
	}
	return &group{text: text}
}

// groups maps the parts of the population that a question names: money for a group becomes
// a lever, all else is said.
func (r *reading) groups() {
	for i := range r.items {
		it := &r.items[i]
		if it.group == nil {
			continue
		}
		if id := r.paid(i); id != "" {
			r.pay(i, id)
			continue
		}
		if it.effect || it.group.who == "all" || it.group.who == "" && it.group.share == 0 && !r.concerns(i) {
			continue
		}
		if r.reaches(it) {
			continue
		}
		r.unmapped(
			r.text(it.start, it.end),
			"the levers of this question hold for all whom they concern; for parts of the population the model has minimum_income, "+
				"redistribution_strategy, income_tax_brackets, tax_allowance, wage_subsidy, and money for bottom_decile, unemployed, "+
				"retired or an industry",
			"本问题的政策工具适用于所有相关者；针对部分人群可用 minimum_income、redistribution_strategy、income_tax_brackets、tax_allowance、wage_subsidy，或向 "+
				"bottom_decile、unemployed、retired、某一行业发放资金",
		)
	}
}

// reaches says whether a lever of the question is made for a group.
func (r *reading) reaches(it *item) bool {
	for i := range r.items {
		if !r.items[i].is(leverMeaning) || r.items[i].negated {
			continue
		}
		switch levers[r.items[i].row].id {
		case "minimum_income", "redistribution_strategy", "wage_subsidy":
			if it.group.who == "bottom" && it.group.share == 0 {
				return true
			}
		case "unemployment_benefit_rate", "benefit_months":
			if it.group.who == "unemployed" {
				return true
			}
		case "pension_replacement_rate", "pension_contribution_rate", "retirement_age_shift":
			if it.group.who == "retired" {
				return true
			}
		case "progressive_tax":
			return it.group.who == ""
		}
	}
	return false
}

// concerns says whether a group limits a lever: "for students", not "students work".
func (r *reading) concerns(i int) bool {
	switch r.tokens.word(r.items[i].start - 1) {
	case "for", "to", "on", "of", "对", "给", "向", "为":
		return true
	}
	return r.items[i].group.share > 0
}

// receipts are what a group that is paid does, beside the verbs of the lexicon that pay it.
var receipts = []string{
	"get", "got", "receive", "send", "hand", "earn", "collect", "be paid", "is paid", "are paid", "were paid",
	"拿到", "拿", "领取", "领到", "领", "得到", "获得", "收到", "补助", "资助", "救助",
}

// once are words for a payment that is not repeated.
var once = []string{"once", "one off", "one time", "a single time", "一次性", "一次"}

// paid is the lever by which a group is paid, "" where the question pays it nothing: a verb
// such as "give" or 发, or one such as "receive", and an amount of money stand in the
// group's clause, and no lever. Where the clause has no number, the whole sentence counts:
// "for the bottom 20 %, raise incomes by 250 a month".
func (r *reading) paid(i int) string {
	it := &r.items[i]
	id := map[string]string{
		"all": "universal_basic_income", "bottom": "bottom_decile", "unemployed": "unemployed", "retired": "retired",
	}[it.group.who]
	if id == "" {
		return ""
	}
	near := r.nearGroup(i)
	verbs, money := false, false
	for _, other := range near {
		if other.is(leverMeaning) && !other.effect {
			return ""
		}
		verbs = verbs || other.is(verbMeaning) && (other.verb == introduce || other.verb == raise)
		n := other.number
		money = money ||
			n != nil &&
				(n.unit == moneyUnit || n.unit == plainUnit || n.unit == percentUnit && n.of == ofMean && id == "universal_basic_income")
	}
	if !money || !verbs && !r.says(near, receipts) {
		return ""
	}
	if id == "universal_basic_income" && r.says(near, once) {
		return "all"
	}
	return id
}

// nearGroup are the items that say what a group is paid: those of its clause, or of its
// sentence where the clause has no number and the sentence no lever.
func (r *reading) nearGroup(i int) []*item {
	it := &r.items[i]
	var clause, sentence []*item
	numbers, levers := false, false
	for j := range r.items {
		other := &r.items[j]
		if other.phrase != it.phrase {
			continue
		}
		sentence = append(sentence, other)
		levers = levers || other.is(leverMeaning)
		if other.clause == it.clause {
			clause = append(clause, other)
			numbers = numbers || other.number != nil && other.number.unit != monthsUnit
		}
	}
	if numbers || levers {
		return clause
	}
	return sentence
}

// says whether one of the phrases stands among items, or directly before or after them.
func (r *reading) says(near []*item, phrases []string) bool {
	from, to := near[0].start, near[len(near)-1].end
	for t := max(0, from-3); t < min(len(r.tokens), to+2); t++ {
		if _, ok := r.tokens.skip(t, phrases...); ok {
			return true
		}
	}
	return false
}

// pay makes a lever of a group that is paid.
func (r *reading) pay(i int, id string) {
	it := &r.items[i]
	row := leverIndex[id]
	if it.group.share > 0 && it.group.share != .1 {
		r.unmapped(r.text(it.start, it.end), "the poorest group that money can go to is the bottom tenth", "资金可投向的最低收入群体是最低的十分之一")
	}
	near := r.nearGroup(i)
	g := item{
		entry:  &entry{meaning: leverMeaning, row: row, of: levers[row].of, text: it.group.text},
		start:  it.start,
		end:    it.end,
		clause: it.clause,
		phrase: it.phrase,
		change: introduce,
		sign:   1,
		lo:     it.lo,
		hi:     it.hi,
	}
	for j := range r.items {
		other := &r.items[j]
		if slices.Contains(near, other) && other.is(verbMeaning) {
			g.cover(other)
		}
		if other.number == nil || other.phrase != it.phrase {
			continue
		}
		q := *other.number
		switch {
		case q.unit == monthsUnit:
			g.timing = append(g.timing, q)
		case slices.Contains(near, other):
			q.role = toRole
			g.sizes = append(g.sizes, q)
			g.cover(other)
		}
		other.bound = true
	}
	r.items[i] = g
}
