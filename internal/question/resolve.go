package question

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/scenario"
	"econ-mcp/presets"
	"econ-mcp/sim"
)

// resolver turns a sense into an inquiry. Where the question leaves something open it comes to a fork
// and takes the option that is picked there, the first unless another is: so every choice that is
// offered is made by the same path as the answer.
type resolver struct {
	s    sense
	o    Options
	text []rune
	pick map[string]int // option taken at a fork, by its key

	forks   []fork
	doubts  []worry
	assumed []string

	base sim.Params // of the background
	q    inquiry.Inquiry
	last int            // month up to which something goes on
	used []string       // identifiers of levers, in the order of the question
	sets map[string]any // what an alternative has set so far, by parameter: a second step goes on from the first
}

// fork is where a question can mean several things, or leaves something open.
type fork struct {
	key, ask string
	missing  string   // what it is about, for Missing
	said     []string // options
}

// worry is what stops a reading although nothing in it is open: the reading is offered as it is.
type worry struct{ ask, missing string }

// presetFinder finds presets, where nobody says where to look.
type presetFinder struct{}

func (presetFinder) Scenario(name string) (scenario.Scenario, error) { return presets.Load(name) }

// remembered are scenarios that were found while a question is read: each choice needs them.
type remembered struct {
	find  inquiry.Scenarios
	found map[string]scenario.Scenario
}

func (f remembered) Scenario(name string) (scenario.Scenario, error) {
	if s, ok := f.found[name]; ok {
		return s, nil
	}
	s, err := f.find.Scenario(name)
	if err == nil {
		f.found[name] = s
	}
	return s, err
}

// find is where scenarios are looked for; [resolve] has set it.
func (o Options) find() inquiry.Scenarios { return o.Find }

// say is a phrase in the language of the question.
func (r *resolver) say(en, zh string, values ...any) string {
	return fmt.Sprintf(either(r.s.lang, en, zh), values...)
}

// quote is a part of the question.
func (r *resolver) quote(s Span) string {
	from, to := max(0, s.From), min(s.To, len(r.text))
	if from >= to {
		return ""
	}
	return string(r.text[from:to])
}

// choose comes to a fork and returns the option that is taken there.
func (r *resolver) choose(key, missing, ask string, said ...string) int {
	if !slices.ContainsFunc(r.forks, func(f fork) bool { return f.key == key }) {
		r.forks = append(r.forks, fork{key, ask, missing, said})
	}
	return min(r.pick[key], len(said)-1)
}

// doubting stops the reading: what was read may not be what is meant.
func (r *resolver) doubting(missing, en, zh string, values ...any) {
	d := worry{r.say(en, zh, values...), missing}
	if !slices.Contains(r.doubts, d) {
		r.doubts = append(r.doubts, d)
	}
}

// assume tells what was not said.
func (r *resolver) assume(en, zh string, values ...any) {
	if text := r.say(en, zh, values...); !slices.Contains(r.assumed, text) {
		r.assumed = append(r.assumed, text)
	}
}

// again is a resolver of the same question that takes other options.
func (r *resolver) again(key string, option int) *resolver {
	other := &resolver{s: r.s, o: r.o, text: r.text, pick: map[string]int{key: option}}
	for k, v := range r.pick {
		if k != key {
			other.pick[k] = v
		}
	}
	return other
}

// run writes the inquiry. Its error says why there is none, whatever is picked.
func (r *resolver) run() error {
	r.q = inquiry.Inquiry{Question: string(r.text), Control: inquiry.ControlBackground}
	r.q.Background.Base = cmp.Or(r.s.place, r.o.Base)
	if r.q.Background.Base == "baseline" {
		r.q.Background.Base = ""
	}
	s, err := r.o.find().Scenario(cmp.Or(r.q.Background.Base, "baseline"))
	if err != nil {
		return err
	}
	r.base = s.Params
	r.q.Background.Set = slices.Clone(r.o.Set)
	for _, v := range r.o.Set {
		if err := r.base.Set(v.Name, v.Value); err != nil {
			return err
		}
	}
	if err := r.everywhere(); err != nil {
		return err
	}
	if err := r.arms(); err != nil {
		return err
	}
	r.design()
	r.outcomes()
	r.pairs()
	return r.check()
}

// ground moves what other changes of the same alternative act on into every arm: without AI in the
// control, a tax on it would be compared with a world without AI.
func (r *resolver) ground() {
	if len(r.s.arms) != 1 {
		return
	}
	var kept []happening
	a := r.s.arms[0]
	for i, h := range a.happens {
		acts := slices.ContainsFunc(a.happens, func(other happening) bool {
			l, ok := leverOf(strings.Join(other.levers, " "))
			return ok && slices.ContainsFunc(l.needs, func(c sim.ParameterChange) bool {
				return c.Name == h.target() &&
					number(c.Value) > 0
			})
		})
		if !acts || h.change == abolish || h.change == lower {
			kept = append(kept, a.happens[i])
			continue
		}
		r.s.everywhere = append(slices.Clone(r.s.everywhere), h)
		l, _ := leverOf(h.levers[0])
		r.assume("%s is in every arm: the rest acts on it", "各组都有%s：其余措施作用于它", l.known(r.s.lang))
	}
	r.s.arms = []arm{{happens: kept, place: a.place, span: a.span}}
}

// offsetting are words by which a question asks whether one thing makes up for another.
var offsetting = regexp.MustCompile(`(?i)\b(offset|make up for|makes up for|cushion|compensate for|undo|soften|repair) (it|that|this|the)\b|` +
	`(能|可以|够|足够)[^，。；？,;?]{0,6}(补回|抵消|对冲|弥补|挽回|救回|补上|补得上|抵得上|托住|稳住)`)

// remedied moves a shock into every arm where the question asks whether something else makes up for it.
func (r *resolver) remedied() {
	if len(r.s.arms) != 1 || len(r.s.arms[0].happens) < 2 || !offsetting.MatchString(string(r.text)) {
		return
	}
	shock := func(h happening) bool { return len(h.levers) == 1 && slices.Contains(shocks, h.levers[0]) }
	a := r.s.arms[0]
	if shock(a.happens[0]) && !slices.ContainsFunc(a.happens[1:], shock) {
		r.s.everywhere = append(slices.Clone(r.s.everywhere), a.happens[0])
		r.s.arms = []arm{{happens: a.happens[1:], place: a.place, span: a.span}}
	}
}

// everywhere writes what happens in every arm, and what is held.
func (r *resolver) everywhere() error {
	r.ground()
	r.remedied()
	for i, h := range r.s.everywhere {
		list, err := r.happening(h, fmt.Sprintf("everywhere %d", i))
		if err != nil {
			return err
		}
		if len(list) > 0 {
			r.q.Background.Events = append(r.q.Background.Events, list[0].events...)
			r.q.Background.Rules = append(r.q.Background.Rules, list[0].rules...)
			r.q.Background.Set = append(r.q.Background.Set, list[0].set...)
			for _, v := range list[0].events {
				r.inForce(v)
			}
		}
	}
	for _, m := range r.s.held {
		r.hold(m)
	}
	return nil
}

// inForce has what the background sets count as the value before a change.
func (r *resolver) inForce(v sim.Intervention) {
	for _, c := range v.Parameters {
		if v.TargetMonth <= 1 && v.DurationMonths == 0 && v.When == "" {
			_ = r.base.Set(c.Name, c.Value) // it was checked when it was made
		}
	}
}

// hold writes what keeps a lever where it is: all stay as they are but those that a rule moves.
func (r *resolver) hold(m mention) {
	event := func(name string, value any) {
		if now, err := r.base.Get(name); err != nil || now == value {
			return
		}
		_ = r.base.Set(name, value)
		change := sim.Intervention{Type: sim.TypeParameterChange, TargetMonth: 1, Parameters: []sim.ParameterChange{{Name: name,
			Value: value}}}
		r.q.Background.Events = append(r.q.Background.Events, change)
	}
	for _, id := range m.levers {
		if l, ok := leverOf(id); ok && r.changed(l.name()) {
			r.doubting("a policy", "The question leaves %s as it is, and changes it. Is the change meant?", "问题既说%s不变，又改变它。是指要改变吗？",
				l.known(r.s.lang))
		}
		switch id {
		case "fixed_policy_rate", "policy_rate_fixed", "policy_rate_taylor":
			event("policy_rate_rule", "fixed")
			r.assume("the policy rate is fixed at %s in every arm", "各组的政策利率固定为%s", percentText(r.base.FixedPolicyRate))
		case "income_tax_rate":
			event("enable_debt_rule", false)
			r.assume("the rule by which taxes follow public debt is off in every arm", "各组都关闭了税率随公共债务变动的规则")
		}
	}
}

// treatment is what an alternative becomes: one, or one for each dose.
type treatment struct {
	name   string
	base   string
	set    []inquiry.Setting
	events []sim.Intervention
	rules  []sim.Intervention
}

func (t treatment) economy() inquiry.Economy {
	return inquiry.Economy{Base: t.base, Set: t.set, Events: t.events, Rules: t.rules}
}

// arms writes the alternatives.
func (r *resolver) arms() error {
	list := r.s.arms
	if len(list) == 0 && len(r.s.everywhere) == 0 && r.s.place != "" { // a place alone is what the question is about
		list = []arm{{place: r.s.place}}
		r.q.Background.Base = r.o.Base
	}
	if len(list) == 0 && len(r.s.everywhere) > 0 {
		list = []arm{{happens: r.s.everywhere}}
		r.q.Background.Events, r.q.Background.Rules, r.q.Background.Set = nil, nil, slices.Clone(r.o.Set)
		if s, err := r.o.find().Scenario(cmp.Or(r.q.Background.Base, "baseline")); err == nil {
			r.base = s.Params
		}
	}
	if len(list) == 2 && list[0].place != "" && list[1].place != "" && isCountry(list[0].place) != isCountry(list[1].place) {
		r.doubting("the place", "Is %s meant to be compared with %s?", "是要把%s与%s相比较吗？", r.placeKnown(list[0].place),
			r.placeKnown(list[1].place))
	}
	for i, a := range list {
		treatments, err := r.arm(a, fmt.Sprintf("arm %d", i), len(list) > 1)
		if err != nil {
			return err
		}
		for _, t := range treatments {
			if t.base == "" && len(t.set)+len(t.events)+len(t.rules) == 0 {
				continue // to do nothing is the control
			}
			r.q.Arms = append(r.q.Arms, inquiry.Arm{Name: r.armName(t), Economy: t.economy()})
		}
	}
	if len(r.q.Arms) == 0 {
		return r.nothing()
	}
	return nil
}

// isCountry says whether a place is a country rather than something that befalls one.
func isCountry(place string) bool { return strings.HasSuffix(place, "_like") }

func (r *resolver) placeKnown(place string) string {
	return either(r.s.lang, places[place][0], places[place][1])
}

// errNothing says that a question names nothing that happens.
var errNothing = errors.New("nothing happens")

// remedy is a change that is proposed where a question names none.
type remedy struct {
	lever  string
	change change
}

type remedyRow struct {
	of    []sim.Indicator
	tried []remedy
}

// remedies are what is usually tried for an outcome, the first row that measures one of those that the
// question asks about; the last row is for all others.
var remedies = []remedyRow{
	{
		[]sim.Indicator{sim.UnemploymentRate, sim.EmploymentRate, sim.JobFindingRate, sim.VacancyRate, sim.Bankruptcies},
		[]remedy{{"inherent_market_consumption_rate", raise}, {"wage_subsidy_rate", introduce}, {"job_guarantee", introduce},
			{"vat_rate", lower}},
	},
	{
		[]sim.Indicator{sim.Inflation, sim.CPI},
		[]remedy{{"fixed_policy_rate", raise}, {"inherent_market_consumption_rate", lower}, {"vat_rate", lower}, {"inflation_target",
			lower}},
	},
	{
		[]sim.Indicator{sim.IncomeGini, sim.PovertyRate, sim.WealthGini},
		[]remedy{{"minimum_income", introduce}, {"progressive_tax", introduce}, {"minimum_wage", introduce},
			{"unemployment_benefit_rate", raise}},
	},
	{
		[]sim.Indicator{sim.DebtToGDP, sim.DeficitToGDP},
		[]remedy{{"inherent_market_consumption_rate", lower}, {"vat_rate", raise}, {"income_tax_rate", raise},
			{"unemployment_benefit_rate", lower}},
	},
	{
		nil,
		[]remedy{{"inherent_market_consumption_rate", raise}, {"vat_rate", lower}, {"public_research_share", introduce},
			{"fixed_policy_rate", lower}},
	},
}

// nothing asks what is to happen, where the question does not say.
func (r *resolver) nothing() error {
	if len(r.s.outcomes) == 0 && len(r.s.arms) == 0 && len(r.s.held) == 0 && !r.inScope() {
		return errNothing
	}
	row := slices.IndexFunc(remedies, func(row remedyRow) bool {
		return row.of == nil || slices.ContainsFunc(r.s.outcomes, func(w wish) bool { return slices.Contains(row.of, w.indicator) })
	})
	var tried []remedy
	var said []string
	for _, m := range remedies[row].tried {
		l, _ := leverOf(m.lever)
		held := slices.ContainsFunc(r.s.held, func(of mention) bool { return slices.Contains(of.levers, m.lever) })
		if !held && len(tried) < 3 {
			tried = append(tried, m)
			said = append(said, r.saidRemedy(l, m.change))
		}
	}
	if len(tried) == 0 {
		return errNothing
	}
	m := tried[r.choose("what", whatChanges, r.say("What should change?", "要改变什么？"), said...)]
	t, err := r.arm(arm{happens: []happening{{levers: []string{m.lever}, change: m.change}}}, "arm 0", false)
	if err != nil || len(t) == 0 {
		return cmp.Or(err, errNothing)
	}
	r.q.Arms = append(r.q.Arms, inquiry.Arm{Name: r.armName(t[0]), Economy: t[0].economy()})
	return nil
}

func (r *resolver) saidRemedy(l lever, c change) string {
	switch c {
	case raise:
		return r.say("%s: higher", "提高%s", l.known(r.s.lang))
	case lower:
		return r.say("%s: lower", "降低%s", l.known(r.s.lang))
	}
	return l.known(r.s.lang)
}

// arm writes an alternative. One of several may be the economy as it is.
func (r *resolver) arm(a arm, key string, oneOfMany bool) ([]treatment, error) {
	all := []treatment{{base: a.place}}
	if a.place != "" && a.place == cmp.Or(r.q.Background.Base, "baseline") {
		all[0].base = ""
	}
	r.sets = map[string]any{}
	happens, err := r.once(folded(a.happens), key)
	if err != nil {
		return nil, err
	}
	for i, h := range happens {
		if len(happens) > 1 && h.change == abolish && h.from == nil && slices.Equal(h.levers, []string{"retaliation_share"}) &&
			r.base.RetaliationShare == 0 {
			continue // "a tariff, without retaliation": there is none
		}
		parts, err := r.happening(h, fmt.Sprintf("%s %d", key, i))
		if errors.Is(err, errSame) && (oneOfMany || len(happens) > 1) {
			continue // it is so already: as in the control
		}
		if err != nil {
			return nil, err
		}
		for _, v := range parts[0].events {
			for _, c := range v.Parameters {
				if v.DurationMonths == 0 && len(parts) == 1 {
					r.sets[c.Name] = c.Value
				}
			}
		}
		var next []treatment
		for _, t := range all {
			for _, p := range parts {
				next = append(next, treatment{
					name: joinedName(t.name, p.name), base: t.base, set: append(slices.Clone(t.set), p.set...),
					events: append(slices.Clone(t.events), p.events...), rules: append(slices.Clone(t.rules), p.rules...),
				})
			}
		}
		all = next
	}
	for i := range all {
		all[i].name = cmp.Or(all[i].name, a.place)
		all[i].events = single(all[i].events)
	}
	return all, nil
}

// check has the inquiry read its own canonical form, and its arms built.
func (r *resolver) check() error {
	q, err := inquiry.Decode(r.q.Encode())
	if err != nil {
		return err
	}
	r.q = q
	arms, err := q.Scenarios(r.o.find())
	if err != nil {
		return err
	}
	r.q.Outcomes = slices.DeleteFunc(r.q.Outcomes, func(o inquiry.Outcome) bool {
		return !slices.ContainsFunc(arms, func(a inquiry.Scenario) bool {
			_, has := o.Metric.In(a.Scenario.Params, a.Scenario.Interventions)
			return has
		}) && r.unmoved(o.Metric)
	})
	return nil
}

// unmoved says that no arm of the question has what moves an indicator, where it asks for that.
func (r *resolver) unmoved(i sim.Indicator) bool {
	if slices.ContainsFunc(r.s.outcomes, func(w wish) bool { return w.indicator == i }) {
		r.doubting("what is measured", "Nothing in any arm moves %s: it would always be the same. Is the rest meant?",
			"各组均无影响%s的因素，其数值始终不变。是指其余部分吗？", i)
	}
	return true
}

// reason is an error for people.
func reason(err error) string {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e.Message + "; " + e.Hint
	}
	return err.Error()
}
