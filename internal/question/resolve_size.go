package question

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"

	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

// now is the value of a lever in the background: 1 of what is as it is, 0 of what is off.
func (r *resolver) now(l lever, h happening) (x float64, value any) {
	switch {
	case l.unit == deviationUnit:
		return 1, 1.0
	case l.id == "progressive_tax" && r.base.IncomeTaxBrackets == "": // what all pay
		return r.base.IncomeTaxRate, r.base.IncomeTaxRate
	case l.kind != parameterLever:
		return 0, 0.0
	case h.industry != "" && l.id == "green_levy_rate":
		return number(mustGet(r.base, l.name())), nil
	case l.name() == "redistribution_share" && r.base.RedistributionStrategy == "none":
		return 0, 0.0
	}
	v := mustGet(r.base, l.name())
	if set, ok := r.sets[l.name()]; ok && h.begin > 1 {
		v = set
	}
	return number(v), v
}

func mustGet(p sim.Params, name string) any {
	v, err := p.Get(name)
	if err != nil {
		panic(err) // a lever names what the catalogue does not have
	}
	return v
}

// values are what a lever becomes, one for each dose.
func (r *resolver) values(l lever, h happening, key string) ([]any, error) {
	now, value := r.now(l, h)
	if l.unit == switchUnit || l.unit == choiceUnit {
		return r.switched(l, h, value, key)
	}
	switch { // "the 10 % tariff is abolished", "a third of the tax is abolished"
	case h.change == abolish && h.to != nil && h.from == nil:
		h.from, h.to = h.to, nil
	case h.change == abolish && h.by != nil && h.to == nil:
		h.change = lower
	}
	if h.from != nil {
		now = r.before(l, h, now, key)
	}
	if len(h.doses) > 0 {
		for _, q := range []*quantity{h.from, h.to, h.by} {
			if q != nil {
				r.doubting("a number", "What is “%s” beside the other sizes? Did you mean this?", "其他幅度之外，“%s”是什么？您指的是下面这样吗？", r.quote(q.span))
			}
		}
		var list []any
		for i, d := range h.doses {
			one := h
			one.doses, one.to, one.by = nil, nil, nil
			if q := d; h.steps {
				one.by = &q
			} else {
				one.to = &q
			}
			x, err := r.value(l, one, now, key+" dose "+strconv.Itoa(i))
			if err != nil && err != errSame {
				return nil, err
			}
			if err == nil && !slices.Contains(list, any(x)) {
				list = append(list, x)
			}
		}
		if len(list) == 0 {
			return nil, errSame
		}
		return list, nil
	}
	x, err := r.value(l, h, now, key)
	if err == nil {
		r.agreeing(l, h, now, x, key)
		if h.to == nil && h.from == nil {
			r.pin(l, now)
		}
	}
	return []any{x}, err
}

// agreeing doubts a size that is said in two ways that are not the same.
func (r *resolver) agreeing(l lever, h happening, now, x float64, key string) {
	if h.to == nil {
		return
	}
	near := func(y float64) bool { return math.Abs(x-y) <= 1e-6+.01*math.Abs(y) }
	sign := 1
	if x < now {
		sign = -1
	}
	if h.by != nil {
		if list, ok := r.changes(l, h, now, sign, key+" agreeing"); !ok || !slices.ContainsFunc(list, near) {
			r.doubting("a number", "“%s” and “%s” are not the same change. Did you mean this?", "“%s”与“%s”不是同一个变动。您指的是下面这样吗？",
				r.quote(h.to.span), r.quote(h.by.span))
		}
	}
	factor := map[change]float64{double: 2, triple: 3, halve: .5}[h.change]
	if factor > 0 && !near(now*factor) {
		r.doubting("a number", "%s is %s now. Did you mean this?", "%s目前为%s。您指的是下面这样吗？", l.known(r.s.lang), r.saidLevel(l, now))
	}
}

// switched is the value of a switch or a choice.
func (r *resolver) switched(l lever, h happening, now any, key string) ([]any, error) {
	for _, q := range []*quantity{h.to, h.by, h.from} {
		if q != nil {
			r.doubting("a number", "%s has no size. What is “%s”?", "%s没有幅度。“%s”是什么？", l.known(r.s.lang), r.quote(q.span))
		}
	}
	x := l.value
	switch h.change {
	case abolish, lower, halve:
		x = l.end
	case noChange, move:
		if now == l.value && l.unit == switchUnit {
			ask := r.say("What should become of it: %s?", "%s要怎么变？", l.known(r.s.lang))
			r.choose(key+" switch", "what is done", ask, r.say("it ends", "取消"))
			x = l.end
		}
	}
	if x != now {
		return []any{x}, nil
	}
	if !r.alone() {
		return nil, errSame
	}
	if x == l.value {
		x = l.end
	} else {
		x = l.value
	}
	said := r.saidState(l, x)
	r.choose(key+" switch", "what is done", r.say("That is so already: %s. What is meant?", "目前已经如此：%s。您指什么？", r.saidState(l, now)), said)
	return []any{x}, nil
}

// farFrom is how many times what there is the start of a change may be, or the other way round.
const farFrom = 4

// before is the value that the question says the change starts from: the control has it.
func (r *resolver) before(l lever, h happening, now float64, key string) float64 {
	from := *h.from
	if from.unit == plain && h.to != nil && h.to.unit != plain && h.to.unit != months && h.to.unit != people {
		from.unit, from.of = h.to.unit, h.to.of
		if from.unit == percent || from.unit == points {
			from.x /= 100
		}
	}
	x, ok := r.absolute(l, from, now, key+" from")
	least, most := l.limits()
	if !ok || x < least || x > most {
		r.doubting("where it starts", "“%s” is no value that it can start from. Is it meant from %s?", "“%s”不能作为起点。是指从%s开始吗？",
			r.quote(from.span), r.saidLevel(l, now))
		return now
	}
	if math.Abs(x-now) < 1e-9 || l.unit == deviationUnit {
		r.pin(l, x)
		return x
	}
	if now > 0 && x > 0 && max(x/now, now/x) > farFrom { // whoever says it thinks of something else
		r.doubting("where it starts", "%s is %s now, not “%s”. Did you mean this?", "%s目前为%s，而不是“%s”。您指的是下面这样吗？",
			l.known(r.s.lang), r.saidLevel(l, now), r.quote(from.span))
	}
	if l.kind == policyLever {
		r.q.Background.Events = append(r.q.Background.Events,
			sim.Intervention{Type: sim.TypePolicy, TargetMonth: 1, Policy: sim.PolicyChange{Policy: l.name(), Level: x}})
		return x
	}
	if l.kind != parameterLever || h.industry != "" {
		return x
	}
	var value any = x
	if row, err := sim.Lookup(l.name()); err == nil && row.Type == sim.TypeInteger {
		value = int(math.Round(x))
	}
	_ = r.base.Set(l.name(), value) // within its limits
	if len(l.along) == 0 {
		r.q.Background.Set = append(r.q.Background.Set, inquiry.Setting{Name: l.name(), Value: value})
	} else { // with a rule of its own, which the burn-in does not have
		v := sim.Intervention{Type: sim.TypeParameterChange, TargetMonth: 1, Parameters: append(with(l.name(), value), l.along...)}
		r.q.Background.Events = append(r.q.Background.Events, v)
	}
	r.assume("in the control it is %s, as the question says", "对照组为%s（如问题所述）", r.saidLevel(l, x))
	return x
}

// value is what a lever becomes.
func (r *resolver) value(l lever, h happening, now float64, key string) (x float64, err error) {
	least, most := l.limits()
	within := func(x float64) bool { return !math.IsNaN(x) && least-1e-9 <= x && x <= most+1e-9 }
	sign := map[change]int{raise: 1, lower: -1, double: 1, triple: 1, halve: -1}[h.change]
	if l.kind != parameterLever && l.id != "progressive_tax" && l.unit != deviationUnit && l.unit != indexPoints && h.by != nil &&
		h.to == nil && sign >= 0 ||
		l.kind == parameterLever && (l.unit == partUnit || l.unit == rateUnit) && now == 0 && h.by != nil && h.to == nil &&
			h.change == noChange {
		h.to, h.by = h.by, nil // a policy that is off goes up to what it goes up by
	}
	ask := func(sign int, en, zh string, values ...any) (float64, error) {
		options := r.sizes(l, now, sign, h.small, h.large)
		if len(options) == 0 {
			return r.abolished(l, h, now, key)
		}
		return r.size(l, now, key, options, r.say(en, zh, values...))
	}
	if q := h.by; q != nil && q.per == 12 && q.of == ofNothing && (q.unit == percent || q.unit == points || q.unit == fraction) {
		if !slices.Contains([]leverUnit{yearlyUnit, monthlyUnit, moneyUnit, meanUnit}, l.unit) {
			r.doubting("the time", "“%s” would be a step that comes again. Is one meant?", "“%s”是逐次重复的变动，是指一次吗？", r.quote(q.span))
		}
	}
	name := l.known(r.s.lang)
	if h.to != nil && h.from == nil && h.change == introduce && now > 0 && l.id == "inherent_market_consumption_rate" {
		h.to, h.by, sign = nil, h.to, 1 // a stimulus of 2 % of GDP comes on top of what is bought anyway
	}
	switch {
	case h.to != nil:
		candidates := r.targets(l, h, now, sign, key)
		candidates = slices.DeleteFunc(candidates, func(x float64) bool { return !within(x) })
		if len(candidates) == 0 {
			return ask(cmpSign(sign, 1), "“%s” is beyond what %s can be, %s to %s. What size is meant?", "“%s”超出%s的范围（%s至%s），应为多少？",
				r.quote(h.to.span), name, r.saidLevel(l, least), r.saidLevel(l, most))
		}
		right := slices.DeleteFunc(slices.Clone(candidates), func(x float64) bool { return float64(sign)*(x-now) < -1e-9 })
		switch {
		case r.onTop(l, h, now, candidates): // "public purchases of 2 % of GDP", which may be on top
			options := []float64{tidy(now + candidates[0]), candidates[0]}
			x, err = r.size(l, now, key, options, r.say("Is “%s” meant on top of what there is?", "“%s”是在现有基础上增加吗？", r.quote(h.to.span)))
		case len(right) == 0 && (l.kind == parameterLever || l.kind == policyLever): // "raised from 22 to 18"
			return r.contradicted(l, h, now, candidates[0], sign, key)
		case len(right) > 1:
			x, err = r.size(l, now, key, right, r.say("What does “%s” mean?", "“%s”是什么意思？", r.quote(h.to.span)))
		case len(right) == 1:
			x = right[0]
		default:
			x = candidates[0]
		}
	case h.by != nil:
		candidates, ok := r.changes(l, h, now, sign, key)
		if !ok && now == 0 {
			return ask(sign, "%s is %s now, and “%s” of that would be nothing. What size is meant?", "%s目前为%s，其“%s”仍为零，应为多少？",
				name, r.saidLevel(l, now), r.quote(h.by.span))
		}
		if !ok {
			return ask(sign, "What size is “%s” of %s?", "“%s”对%s来说是多少？", r.quote(h.by.span), name)
		}
		if sign == 0 { // a change without a direction
			for _, x := range slices.Clone(candidates) {
				candidates = append(candidates, 2*now-x)
			}
		}
		candidates = slices.DeleteFunc(candidates, func(x float64) bool { return !within(x) || math.Abs(x-now) < 1e-12 })
		switch {
		case len(candidates) == 0:
			return ask(sign, "%s is %s now, which “%s” does not fit. What size is meant?", "%s目前为%s，“%s”不适用，应为多少？",
				name, r.saidLevel(l, now), r.quote(h.by.span))
		case len(candidates) > 1:
			en, zh := "Is “%s” meant in percent or in percentage points?", "“%s”指百分比还是百分点？"
			if l.unit == partUnit {
				en, zh = "Does it go up by “%s”, or to it?", "“%s”是提高的幅度，还是提高后的水平？"
			}
			if sign == 0 {
				en, zh = "Does “%s” mean up or down?", "“%s”是上升还是下降？"
			}
			x, err = r.size(l, now, key, candidates, r.say(en, zh, r.quote(h.by.span)))
		default:
			x = candidates[0]
		}
	case h.change == double || h.change == triple || h.change == halve:
		factor := map[change]float64{double: 2, triple: 3, halve: .5}[h.change]
		if x = tidy(now * factor); now == 0 || !within(x) {
			return ask(1, "%s is %s now, which cannot be multiplied so. What size is meant?", "%s目前为%s，无法如此翻倍或减半，应为多少？", name,
				r.saidLevel(l, now))
		}
	case h.change == abolish && l.unit == numberUnit: // the end of what has no zero that people mean
		return ask(-1, "How much is meant: less %s?", "%s：降低多少？", name)
	case h.change == abolish:
		x = max(least, 0)
		if now <= x && l.unit != yearlyUnit {
			if r.planned(l) {
				return x, nil
			}
			return r.abolished(l, h, now, key)
		}
	case h.change == settle && l.unit == factorUnit && h.from == nil && len(l.along) > 0: // a peg at today's rate
		return now, nil
	case sign == 0 && (now != 0 || least < 0) && l.kind == parameterLever:
		return ask(0, "How does %s change, and by how much?", "%s如何变动，幅度多大？", name)
	case sign < 0 && now <= least+1e-12 && l.kind == parameterLever:
		return r.abolished(l, h, now, key)
	default:
		var ok bool
		if x, ok = r.standard(l, h, now, sign); !ok {
			return ask(sign, "How much is meant: %s?", "%s：幅度多大？", name)
		}
	}
	if err == nil && math.Abs(x-now) < 1e-9 && (l.kind == parameterLever && !r.brings(l) || l.unit == deviationUnit) {
		if h.from != nil || !r.alone() {
			return x, errSame
		}
		return ask(cmpSign(sign, 1), "%s is %s already. What size is meant?", "%s已经是%s，应为多少？", name, r.saidLevel(l, now))
	}
	return tidy(x), err
}

// pin has the control fix the policy rate where it starts, if a question says by how much it changes: held
// against a rule, the end of the rule would count as a part of the change.
func (r *resolver) pin(l lever, now float64) {
	if l.id != "fixed_policy_rate" || !r.brings(l) {
		return
	}
	v := sim.Intervention{Type: sim.TypeParameterChange, TargetMonth: 1, Parameters: append(with(l.name(), now), l.along...)}
	r.q.Background.Events = append(r.q.Background.Events, v)
	r.inForce(v)
	r.assume("in both arms the policy rate is held from month 1 on, instead of following its rule, from whose rate it may differ at first: in the control at %s, "+
		"so that the difference is that of the change alone", "两组的政策利率自第1个月起均固定不变（不再按规则调整，起初可与规则利率不同）：对照组为%s，两组之差即为该变动的作用", r.saidLevel(l, now))
}

// planned says whether the scenario of every arm changes a lever as it goes: tariffs in a trade war.
func (r *resolver) planned(l lever) bool {
	s, err := r.o.find().Scenario(cmp.Or(r.q.Background.Base, "baseline"))
	return err == nil && slices.ContainsFunc(s.Interventions, func(v sim.Intervention) bool {
		return mustGet(v.Applied(r.base), l.name()) != mustGet(r.base, l.name())
	})
}

// brings says whether a lever changes something besides its value: the rate of the central bank, whatever
// it is, a rule that it follows.
func (r *resolver) brings(l lever) bool {
	return slices.ContainsFunc(l.along, func(c sim.ParameterChange) bool {
		now, err := r.base.Get(c.Name)
		return err == nil && now != c.Value
	})
}

// hiring are words for more public employees, rather than for how many there are.
var hiring = regexp.MustCompile(`(?i)\b(hire|hires|hiring|recruit|take on|takes on)|招|雇`)

// onTop says whether a share of GDP that purchases are said to have may be what is added to them.
func (r *resolver) onTop(l lever, h happening, now float64, to []float64) bool {
	_, most := l.limits()
	if l.id == "government_employment_share" && h.from == nil && h.change != lower && to[0] < now && now+to[0] <= most {
		return hiring.MatchString(string(r.text)) // "the state hires 2 percent of the labour force"
	}
	return l.id == "inherent_market_consumption_rate" && h.from == nil && h.to.of == ofGDP && h.change != lower && to[0] < now &&
		now+to[0] <= most
}

// alone says whether the question names one thing that happens, so that it cannot be the control.
func (r *resolver) alone() bool {
	return len(r.s.arms) <= 1 && (len(r.s.arms) == 0 || len(r.s.arms[0].happens) <= 1 && len(r.s.arms[0].happens) > 0 &&
		len(r.s.arms[0].happens[0].doses) == 0)
}

func cmpSign(sign, or int) int {
	if sign == 0 {
		return or
	}
	return sign
}

// size asks which of some values is meant.
func (r *resolver) size(l lever, now float64, key string, options []float64, ask string) (float64, error) {
	if len(options) == 0 {
		return 0, errNoLever
	}
	if len(options) > 3 {
		options = options[:3]
	}
	var said []string
	for _, x := range options {
		said = append(said, r.saidValue(l, x, now))
	}
	return tidy(options[r.choose(key+" size", "a size", ask, said...)]), nil
}

// sizes are up to three values that a question without a size may mean: a usual change, half of it
// and twice it; up and down where the direction is open.
func (r *resolver) sizes(l lever, now float64, sign int, small, large bool) []float64 {
	least, most := l.limits()
	steps := []float64{1, .5, 2}
	switch {
	case now == 0 && least >= 0:
		steps[2] = 1.5
	case small:
		steps = []float64{.5, .25, 1}
	case large:
		steps = []float64{2, 3, 1}
	}
	var list []float64
	add := func(x float64) {
		if x = tidy(x); x >= least-1e-9 && x <= most+1e-9 && math.Abs(x-now) > 1e-9 && !slices.Contains(list, x) && len(list) < 3 {
			list = append(list, x)
		}
	}
	step := l.step
	if l.unit == deviationUnit && now == 0 {
		now = 1
	}
	for _, k := range steps {
		if sign >= 0 {
			add(now + k*step)
		}
		if sign <= 0 && (sign < 0 || len(list) < 2) {
			add(now - k*step)
		}
	}
	if len(list) < 2 { // near an end of the range: by parts of what there is
		for _, part := range []float64{.5, .75, .25} {
			if sign < 0 && now > least {
				add(least + (now-least)*part)
			} else if sign >= 0 && now < most {
				add(now + (most-now)*(1-part))
			}
		}
	}
	return list
}

// contradicted asks what is meant by a rise to less than there is, or a fall to more.
func (r *resolver) contradicted(l lever, h happening, now, to float64, sign int, key string) (float64, error) {
	options := []float64{to}
	if h.from == nil {
		options = append(options, r.sizes(l, now, sign, h.small, h.large)...)
	} else if least, most := l.limits(); 2*now-to >= least && 2*now-to <= most {
		options = append(options, tidy(2*now-to))
	}
	if len(options) < 2 {
		options = append(options, r.sizes(l, now, sign, false, false)...)
	}
	options = slices.DeleteFunc(options, func(x float64) bool { return math.Abs(x-now) < 1e-9 })
	return r.size(l, now, key, options, r.say("“%s” is not where %s goes from %s in the direction that the question says. What is meant?",
		"“%s”与所说的方向不符（%s目前为%s），应为多少？", r.quote(h.to.span), l.known(r.s.lang), r.saidLevel(l, now)))
}

// abolished asks what the control has, where a question ends what is not there.
func (r *resolver) abolished(l lever, h happening, now float64, key string) (float64, error) {
	options := r.sizes(l, now, 1, h.small, h.large)
	if l.kind != parameterLever || len(l.along) > 0 || len(options) == 0 {
		return r.size(l, now, key, options, r.say("There is no %s that could end or fall. What is meant?", "目前没有%s可取消或降低，您指什么？",
			l.known(r.s.lang)))
	}
	var said []string
	for _, x := range options {
		said = append(said, r.say("it ends, and the control has it at %s", "取消；对照组为%s", r.saidLevel(l, x)))
	}
	k := r.choose(key+" before", "a size", r.say("There is no %s in this economy. How much of it is there before it ends or falls?",
		"该经济中目前没有%s。取消或降低之前是多少？", l.known(r.s.lang)), said...)
	_ = r.base.Set(l.name(), options[k]) // within its limits
	r.q.Background.Set = append(r.q.Background.Set, inquiry.Setting{Name: l.name(), Value: options[k]})
	return now, nil
}

// targets are the values that a lever may be said to go to.
func (r *resolver) targets(l lever, h happening, now float64, sign int, key string) []float64 {
	q := *h.to
	if q.unit == factor && l.unit != wagesUnit {
		return []float64{now * q.x}
	}
	x, ok := r.absolute(l, q, now, key)
	var list []float64
	if ok {
		list = append(list, x)
	}
	relative := h.from == nil && q.unit == fraction && q.of == ofNothing && now != 0 && (l.unit == partUnit ||
		l.unit == gdpUnit || l.unit == numberUnit ||
		l.unit == spanUnit || l.unit == meanUnit || l.unit == medianUnit || l.unit == rateUnit)
	if relative && sign != 0 { // "cut to two thirds" may be of what there is
		list = append(list, tidy(now*q.x))
	}
	if ok && q.unit == plain && q.x >= 1 && (l.unit == rateUnit || l.unit == partUnit || l.unit == gdpUnit) {
		r.assume("“%s” is read as percent", "“%s”按百分比理解", r.quote(q.span))
	}
	return list
}

// changes are the values that a lever may be said to change to by a quantity.
func (r *resolver) changes(l lever, h happening, now float64, sign int, key string) (list []float64, ok bool) {
	q := *h.by
	up := float64(cmpSign(sign, 1))
	if l.id == "progressive_tax" && now == 0 { // what the rich pay more is on top of the income tax
		now = r.base.IncomeTaxRate
	}
	relative := func() {
		if now != 0 {
			list = append(list, now*(1+up*q.x))
		}
	}
	step := func() {
		if d, known := r.difference(l, q, key); known {
			list = append(list, now+up*d)
		}
	}
	switch q.unit {
	case fraction:
		if q.of == ofNothing {
			relative()
		} else {
			step()
		}
	case factor:
		if sign < 0 && q.x != 0 {
			list = append(list, now/q.x)
		} else {
			list = append(list, now*q.x)
		}
	case percent:
		switch {
		case q.of != ofNothing, l.unit == yearlyUnit, l.unit == monthlyUnit && q.per > 0:
			step()
		case l.unit == rateUnit || l.unit == levelUnit:
			relative()
			step()
			if now == 0 { // percent of nothing: asked, with the points as the first proposal
				return nil, false
			}
		default:
			relative()
			if l.unit == partUnit && sign > 0 && q.x > now { // "a higher pension of 55 %" is no rise by 55 %
				list = append(list, q.x)
			}
		}
	case plain:
		if l.unit != numberUnit && l.unit != moneyUnit && l.unit != indexUnit {
			return nil, false
		}
		step()
	default:
		step()
	}
	for i := range list {
		list[i] = tidy(list[i])
	}
	if len(list) == 2 && math.Abs(list[0]-list[1]) < 1e-9 {
		list = list[:1]
	}
	return list, len(list) > 0
}
