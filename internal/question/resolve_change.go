package question

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

// errSame says that a change leaves a lever as it is.
var errSame = errors.New("it is so already")

// errNoLever says that a question asks for a change of nothing.
var errNoLever = errors.New("it names nothing that can be changed")

// happening writes a change: one treatment, or one for each dose.
func (r *resolver) happening(h happening, key string) ([]treatment, error) {
	if r.forATime(h) {
		h.levers, h.group = []string{"pay"}, "all"
	}
	l, err := r.meant(h, key)
	if err != nil {
		return nil, err
	}
	r.used = append(r.used, l.id)
	if h, l, err = r.narrowed(h, l, key); err != nil {
		return nil, err
	}
	values, err := r.values(l, h, key)
	if err != nil {
		return nil, err
	}
	r.paidOnce(l, &h, key)
	r.timed(&h, key)
	when, until := r.conditions(&h)
	extra := append(r.financed(l, h, key), r.answered(l, key)...)
	if l.id == "universal_basic_income" && adults[r.s.lang].MatchString(string(r.text)) {
		extra = append(extra, with("basic_income_unit", "adult")...)
	}
	r.need(l, h)
	var list []treatment
	for _, x := range values {
		t, err := r.written(l, h, x, when, until, extra)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// basicIncome are words for a payment that is for good and nobody's favour.
var basicIncome = regexp.MustCompile(`(?i)basic income|\bubi\b|unconditional|no strings|citizen'?s (income|wage)|基本收入|无条件`)

// forATime says whether money for everybody that no words call a basic income comes for a time only, or while a rule
// is on: that is a payment.
func (r *resolver) forATime(h happening) bool {
	return slices.Equal(h.levers, []string{"universal_basic_income"}) && h.to != nil && (h.to.unit == money ||
		h.to.unit == plain) && h.pays == "" &&
		(h.last > 0 || h.when != nil) && !basicIncome.MatchString(string(r.text))
}

// meant is the lever of a change, asked for where the words may mean several.
func (r *resolver) meant(h happening, key string) (lever, error) {
	var known []lever
	for _, id := range h.levers {
		if l, ok := leverOf(id); ok {
			known = append(known, l)
		}
	}
	words := r.quote(h.span)
	switch len(known) {
	case 0:
		var said []string
		ids := []string{"income_tax_rate", "fixed_policy_rate", "unemployment_benefit_rate"}
		for _, id := range ids {
			l, _ := leverOf(id)
			said = append(said, l.known(r.s.lang))
		}
		l, _ := leverOf(ids[r.choose(key+" lever", whatChanges, r.say("What should change?", "要改变什么？"), said...)])
		return l, nil
	case 1:
		return known[0], nil
	}
	if len(known) > 4 {
		known = known[:4]
	}
	var said []string
	for _, l := range known {
		said = append(said, l.known(r.s.lang))
	}
	ask := r.say("What does “%s” mean here?", "“%s”在这里指什么？", words)
	if words == "" {
		ask = r.say("What should change?", "要改变什么？")
	}
	return known[r.choose(key+" lever", whatChanges, ask, said...)], nil
}

// narrowed turns a lever that holds for all into that of one industry, and asks who is paid.
func (r *resolver) narrowed(h happening, l lever, key string) (happening, lever, error) {
	if l.kind == paymentLever {
		if h.industry != "" && (h.group == "" || h.group == "all") {
			h.group = "industry:" + h.industry
		}
		code, ofIndustry := strings.CutPrefix(h.group, "industry:")
		if _, known := payees[h.group]; !known && !(ofIndustry && industryNames[code][0] != "") {
			groups := []string{"bottom_decile", "all", "unemployed"}
			var said []string
			for _, g := range groups {
				said = append(said, payeeKnown(g, r.s.lang))
			}
			h.group = groups[r.choose(key+" group", "who is paid", r.say("Who gets the money?", "钱发给谁？"), said...)]
		}
		return h, l, nil
	}
	other := map[string]string{"consumption_demand_factor": "industry_demand", "inherent_market_consumption_rate": ""}
	switch {
	case h.industry != "":
		switch {
		case l.id == "vat_rate", l.id == "green_levy_rate", l.id == "industry_demand", l.id == "industry_supply":
		case other[l.id] != "":
			l, _ = leverOf(other[l.id])
		default:
			r.doubting("the industry", "%s is the same for all industries here: is it meant for all?",
				"这里的%s对所有行业相同：是指所有行业吗？", l.known(r.s.lang))
			h.industry = ""
		}
	case l.id == "industry_demand" || l.id == "industry_supply":
		codes := slices.Sorted(maps.Keys(industryNames))
		codes = []string{codes[10], codes[6], codes[8]}
		var said []string
		for _, c := range codes {
			said = append(said, either(r.s.lang, industryNames[c][0], industryNames[c][1]))
		}
		h.industry = codes[r.choose(key+" industry", "the industry", r.say("In which industry?", "哪个行业？"), said...)]
	}
	if h.group != "" && !holdsFor(l, h.group) {
		r.doubting("the group", "%s is the same for everybody here: is it meant for all?", "这里的%s对所有人相同：是指所有人吗？", l.known(r.s.lang))
	}
	return h, l, nil
}

// holdsFor says whether a lever concerns a group and nobody else, or everybody.
func holdsFor(l lever, group string) bool {
	if group == "all" {
		return true
	}
	return slices.Contains(map[string][]string{
		"unemployment_benefit_rate": {"unemployed"}, "benefit_months": {"unemployed"}, "long_term_benefit_factor": {"unemployed"},
		"pension_replacement_rate": {"retired"}, "retirement_age_shift": {"retired"}, "pension_contribution_rate": {"retired"},
		"minimum_income":      {"bottom_decile", "bottom_tenth", "bottom", "bottom_fifth"},
		"redistribution_poor": {"bottom_decile", "bottom_tenth", "bottom", "bottom_fifth"},
		"progressive_tax":     {"top_tenth", "top_fifth", "top"}, "redistribution_unemployed": {"unemployed"},
		"minimum_wage": {"low_paid", "low_skill", "employed"}, "wage_subsidy_rate": {"low_paid", "low_skill"},
		"retraining_rate":          {"unemployed"},
		"participation_rate_older": {"retired"}, "participation_rate_young": {"young"}, "tax_allowance": {"employed", "low_paid"},
		"bail_in": {"banks"}, "bailout": {"banks"}, "capital_requirement": {"banks"}, "countercyclical_buffer": {"banks"},
		"job_guarantee": {"unemployed"}, "job_retention_share": {"employed"}, "redistribution_families": {"families"},
	}[l.id], group)
}

// monthly are words by which a question says how often money is paid.
var monthly = []string{"month", "a year", "per year", "each year", "every year", "annual",
	"annually", "monthly", "weekly", "week", "permanent", "for good", "once",
	"one-time", "one-off", "月", "每年", "一年", "每周", "一次"}

// paidOnce asks whether money is paid once or every month, where the question says neither.
func (r *resolver) paidOnce(l lever, h *happening, key string) {
	if l.kind != paymentLever || h.last != 0 || h.to == nil || h.to.per > 0 || h.when != nil {
		return
	}
	text := strings.ToLower(string(r.text))
	if !slices.ContainsFunc(monthly, func(w string) bool { return names(text, w) }) {
		h.last = r.choose(key+" often", "how often", r.say("Is it paid once, or every month?", "只发一次，还是每月发？"), r.say("every month", "每月"),
			r.say("once", "一次"))
	}
}

// timed mends when a change takes place.
func (r *resolver) timed(h *happening, key string) {
	if h.last < 0 {
		ask := r.say("It would end before it begins. What is meant?", "结束早于开始，您指什么？")
		h.begin = max(1, h.begin)
		k := r.choose(key+" time", "the time", ask, r.say("from month %d on, for good", "自第%d个月起，一直持续", h.begin),
			r.say("from month %d on, for a year", "自第%d个月起，持续一年", h.begin))
		h.last = 12 * k
	}
	if h.last > 0 && h.ramp > h.last {
		r.doubting("the time", "It would end before it is phased in. Is that meant?", "尚未逐步到位便已结束，是这个意思吗？")
		h.ramp = h.last
	}
	h.begin = max(1, h.begin)
	r.last = max(r.last, h.begin+max(h.ramp, h.last, 1)-1)
}

// conditions are when a change begins, and of a rule when it ends, as the simulation writes them.
func (r *resolver) conditions(h *happening) (when, until string) {
	switch {
	case h.when == nil && h.until == nil:
		return "", ""
	case h.when == nil: // "until unemployment is below 6 %" alone
		r.doubting("the condition", "It cannot be planned yet that a change ends once a condition holds. Is it meant for good?",
			"目前无法计划在条件成立时结束的措施。是指一直持续吗？")
		return "", ""
	}
	for _, c := range []*condition{h.when, h.until} {
		if c != nil && !c.isShare() && c.value.unit != plain && c.value.unit != money && c.value.unit != factor {
			r.doubting("the condition", "%s is no share: is “%s” meant as a number?", "%s不是比例：“%s”是指一个数值吗？", c.indicator, r.quote(c.value.span))
		}
	}
	when = h.when.written()
	if !h.again && h.until == nil {
		return when, ""
	}
	if h.last > 0 {
		r.doubting("the time", "A change that a condition switches on and off has no length of its own. Is it meant without one?",
			"由条件启停的措施没有自己的期限。是指没有期限吗？")
		h.last = 0
	}
	if h.until != nil {
		return when, h.until.written()
	}
	off := *h.when
	off.above = !off.above
	gap := .01 * math.Abs(off.value.x) // a rule needs one, or it could change every month
	if off.isShare() {
		gap = .001
	}
	if off.above {
		gap = -gap
	}
	off.value.x, off.value.unit = tidy(off.level()-gap), plain
	if off.isShare() {
		off.value.unit = percent
	}
	until = off.written()
	r.assume("it ends whenever %s, and begins again whenever %s", "一旦%s即停止，一旦%s再次启动",
		saidCondition(off, r.s.lang), saidCondition(*h.when, r.s.lang))
	return when, until
}

// isShare says whether the indicator of a condition is a share.
func (c condition) isShare() bool { return strings.HasPrefix(c.indicator.Info().Unit, "share") }

// level is the value that an indicator is compared with, in its unit.
func (c condition) level() float64 {
	if c.isShare() && c.value.unit == plain && math.Abs(c.value.x) >= 1 {
		return c.value.x / 100
	}
	return c.value.x
}

// written is a condition as the simulation writes it.
func (c condition) written() string {
	sign := "<"
	if c.above {
		sign = ">"
	}
	return fmt.Sprintf("%s %s %s", c.indicator, sign, short(c.level()))
}

func saidCondition(c condition, lang string) string {
	value := short(c.level())
	if c.isShare() {
		value = percentText(c.level())
	}
	if c.above {
		return fmt.Sprintf(either(lang, "%s is above %s", "%s 高于%s"), c.indicator, value)
	}
	return fmt.Sprintf(either(lang, "%s is below %s", "%s 低于%s"), c.indicator, value)
}

// financing are the parameters that say what pays for a programme.
var financing = map[string]string{
	"universal_basic_income": "basic_income_financing", "redistribution_share": "redistribution_financing",
}

// financed is what pays for a change.
func (r *resolver) financed(l lever, h happening, key string) []sim.ParameterChange {
	name := financing[l.name()]
	if h.pays == "" {
		if by, err := r.base.Get(name); err == nil && by == "deficit" && h.change != abolish {
			r.assume("nothing is said to pay for %s: public debt does", "未说明%s由什么来筹资：由公共债务承担", l.known(r.s.lang))
		}
		return nil
	}
	source := map[string]string{"vat_rate": "vat", "income_tax_rate": "income_tax", "deficit": "deficit"}[h.pays]
	if name != "" {
		if source == "" {
			ask := r.say("It can be paid for by three sources. By which?", "可由三种来源筹资，哪一种？")
			source = []string{"income_tax", "vat", "deficit"}[r.choose(key+" source", "what pays for it", ask,
				r.say("a surcharge on the income tax", "所得税附加"), r.say("a surcharge on VAT", "增值税附加"), r.say("public debt", "公共债务"))]
		}
		return with(name, source)
	}
	if h.pays == "deficit" {
		return nil // what nothing pays for, public debt does
	}
	tax, ok := leverOf(h.pays)
	if !ok || tax.kind != parameterLever {
		r.doubting("what pays for it", "What should pay for it, and how much? As read, public debt does.", "由什么来筹资、幅度多大？目前按公共债务支付。")
		return nil
	}
	now, _ := r.now(tax, happening{})
	options := r.sizes(tax, now, tax.pays(), false, false)
	var said []string
	for _, x := range options {
		said = append(said, r.saidValue(tax, x, now))
	}
	if len(said) == 0 {
		return nil
	}
	ask := r.say("By how much does the %s change to pay for it?", "%s需要变动多少来筹资？", tax.known(r.s.lang))
	return with(tax.name(), options[r.choose(key+" pays", "the size of what pays", ask, said...)])
}

// answered is the tariff that a retaliation is the answer to.
func (r *resolver) answered(l lever, key string) []sim.ParameterChange {
	tariff, _ := leverOf("tariff_rate")
	if l.id != "retaliation_share" || r.base.TariffRate > 0 || r.changed("tariff_rate") {
		return nil
	}
	var said []string
	options := r.sizes(tariff, 0, 1, false, false)
	for _, x := range options {
		said = append(said, r.say("a tariff of %s", "关税%s", percentText(x)))
	}
	ask := r.say("What does the world answer to?", "对方报复的是多高的关税？")
	return with("tariff_rate", options[r.choose(key+" tariff", "the tariff", ask, said...)])
}

// pays is the direction in which a lever brings the government money.
func (l lever) pays() int {
	for _, tax := range taxLevers {
		if tax.id == l.id && l.id != "tax_allowance" {
			return 1
		}
	}
	return -1
}

// need puts what a lever needs into the background, unless the question says it.
func (r *resolver) need(l lever, h happening) {
	list := l.needs
	if l.kind == paymentLever && h.group == "retired" {
		list = ages
	}
	r.needs(list, l.known(r.s.lang))
}

// needs puts settings into the background, without which something does nothing.
func (r *resolver) needs(list []sim.ParameterChange, what string) {
	for _, c := range list {
		now, err := r.base.Get(c.Name)
		if err != nil || now == c.Value || number(now) > 0 && c.Name != "enable_demography" || r.changed(c.Name) {
			continue
		}
		_ = r.base.Set(c.Name, c.Value)
		r.q.Background.Set = append(r.q.Background.Set, inquiry.Setting{Name: c.Name, Value: c.Value})
		if c.Name == "ai_adoption_rate" { // it spreads in a scenario, or at a pace that nobody said
			r.doubting("the background", "Without AI there is no %s. Is it meant to spread as here?", "没有人工智能就没有%s。是指它按以下方式推广吗？", what)
		}
		r.assume("in every arm %s is %v, without which there is no %s", "各组中 %s 为 %v，否则没有%s", c.Name, c.Value, what)
	}
}

// changed says whether the arms of the question change a parameter.
func (r *resolver) changed(name string) bool {
	of := func(h happening) bool {
		return len(h.levers) == 1 && slices.ContainsFunc(h.levers, func(id string) bool {
			l, ok := leverOf(id)
			return ok && l.name() == name
		})
	}
	return slices.ContainsFunc(r.s.arms, func(a arm) bool { return slices.ContainsFunc(a.happens, of) }) ||
		slices.ContainsFunc(r.s.everywhere, of)
}

// written is a change as the simulation plans it: an event, or a rule.
func (r *resolver) written(l lever, h happening, x any, when, until string, extra []sim.ParameterChange) (treatment, error) {
	t := treatment{name: l.named(h, x)}
	v := sim.Intervention{TargetMonth: h.begin, DurationMonths: h.last, RampMonths: h.ramp, When: when, Until: until}
	size := number(x)
	switch l.kind {
	case policyLever:
		v.Type, v.Policy = sim.TypePolicy, sim.PolicyChange{Policy: l.name(), Level: size}
		t.plan(v)
		return t, nil
	case shockLever:
		if l.unit == deviationUnit {
			size = tidy(size - 1)
		}
		v.Type, v.Shock = sim.TypeShock, sim.Shock{Shock: l.name(), Size: size, Persistence: l.persist, Industry: h.industry}
		switch {
		case h.last > 0 && l.persist > 0:
			v.Shock.Persistence = 1
		case l.persist == 0:
			v.DurationMonths = 0
		case l.persist < 1:
			r.assume("it fades by %s a month", "每月消退%s", percentText(1-l.persist))
		}
		if v.Shock.Persistence == 0 {
			v.RampMonths = 0
		}
		t.plan(v)
		return t, nil
	case paymentLever:
		v.Type, v.Injection = sim.TypeInjection, sim.Injection{Group: h.group, Amount: size}
		if h.last == 0 && until == "" {
			v.DurationMonths = forGood
		}
		t.plan(v)
		return t, nil
	}
	name := l.name()
	if h.industry != "" {
		name = map[string]string{"vat_rate": "vat_rates_by_industry", "green_levy_rate": "green_levy_by_industry"}[l.id]
		x = h.industry + ": " + short(size)
	}
	if r.stimulates(l, h) { // by so much of GDP, whatever is bought in this place
		now, _ := r.now(l, h)
		v.Type, v.Policy = sim.TypePolicy, sim.PolicyChange{Policy: "stimulus", Level: tidy(size - now)}
		t.plan(v)
		return t, nil
	}
	row, err := sim.Lookup(name)
	if err != nil {
		return t, err
	}
	if row.Type == sim.TypeInteger {
		x = int(math.Round(number(x)))
	}
	if !row.Live {
		if h.begin > 1 || h.last > 0 || h.ramp > 1 || when != "" {
			r.doubting("the time", "%s cannot change while the economy lives: is it meant from the beginning and for good?",
				"%s在运行中不能改变：是指从一开始并一直如此吗？", l.known(r.s.lang))
		}
		t.set = []inquiry.Setting{{Name: name, Value: x}}
		return t, nil
	}
	v.Type = sim.TypeParameterChange
	for _, c := range append(append(with(name, x), l.along...), extra...) {
		if c.Name != name && len(extra) == 0 && r.alreadySo(c, l) {
			continue
		}
		change, err := sim.NewParameterChange(c.Name, c.Value)
		if err != nil {
			return t, err
		}
		v.Parameters = append(v.Parameters, change)
	}
	t.plan(v)
	return t, nil
}

// stimulates says whether more purchases are a stimulus on top of those of a place.
func (r *resolver) stimulates(l lever, h happening) bool {
	q := h.by
	if h.change == introduce && h.to != nil {
		q = h.to
	}
	return l.id == "inherent_market_consumption_rate" && r.q.Background.Base != "" && h.change != lower && q != nil &&
		(q.of == ofGDP || q.unit == points)
}

// plan adds what happens.
func (t *treatment) plan(v sim.Intervention) {
	if v.IsRule() {
		t.rules = append(t.rules, v)
	} else {
		t.events = append(t.events, v)
	}
}

// alreadySo says whether what goes along with a lever holds in the background: on a place with fixed
// exchange rates, a devaluation need not fix them.
func (r *resolver) alreadySo(c sim.ParameterChange, l lever) bool {
	now, err := r.base.Get(c.Name)
	return err == nil && now == c.Value && l.id != "fixed_policy_rate"
}

// forGood stands for months up to the end of the experiment, which is not known yet.
const forGood = math.MaxInt32

// number is a value that is a number, 0 of any other.
func number(v any) float64 {
	switch v := v.(type) {
	case float64:
		return v
	case int:
		return float64(v)
	}
	return 0
}
