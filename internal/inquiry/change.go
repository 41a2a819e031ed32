package inquiry

import (
	"slices"
	"strings"

	"econ-mcp/sim"
)

// Change says what the arms do, as the subject of a sentence: "VAT (vat_rate) from 8% to 15%", and of several
// "cut (VAT …), cheque (…)".
// Parameters are those of the control in month 1, from which values go.
func (q Inquiry) Change(control sim.Params, language string) string {
	if len(q.Arms) == 1 && q.Arms[0].Doses == nil && q.Find == nil {
		return q.Arms[0].change(control, language)
	}
	var list []string
	for _, a := range q.Arms {
		text := a.change(control, language)
		if c := q.EqualCost; c != nil && c.Match == a.Name { // what is written there is where the search begins
			text += sayf(language, ", with %s moved until it costs as much as %s", "，并调整 %s 直至成本与 %s 相等", c.By, c.To)
		}
		list = append(list, sayf(language, "%s (%s)", "%s（%s）", a.Name, text))
	}
	if f := q.Find; f != nil {
		row, _ := sim.Lookup(f.Parameter)
		list = append(list, sayf(language, "%s at values from %s to %s", "%s 在 %s 至 %s 之间取值", parameterLabel(f.Parameter, language),
			number(f.Within[0], row.Unit), number(f.Within[1], row.Unit)))
	}
	return joined(list, language)
}

func (a Arm) change(control sim.Params, language string) string {
	say := func(en, zh string, values ...any) string { return sayf(language, en, zh, values...) }
	var parts []string
	if a.Base != "" {
		parts = append(parts, say("the scenario %s", "情景 %s", a.Base))
	}
	if a.Text != "" {
		parts = append(parts, say("a scenario of its own", "一个自带的情景"))
	}
	for _, s := range a.Set {
		parts = append(parts, moved(control, s.Name, s.Value, language))
	}
	for _, v := range slices.Concat(a.Events, a.Rules) {
		if v.Type != sim.TypeParameterChange {
			parts = append(parts, SaidEvent(v, language))
			continue
		}
		var list []string
		for _, c := range v.Parameters {
			list = append(list, moved(control, c.Name, c.Value, language))
		}
		text := strings.Join(list, words{" and ", "、"}.in(language))
		if v.TargetMonth > 1 || v.DurationMonths > 0 || v.RampMonths > 1 || v.When != "" {
			text += saidMonths(v, language)
		}
		parts = append(parts, text)
	}
	if d := a.Doses; d != nil {
		parts = append(parts, a.saidDoses(language))
	}
	return strings.Join(parts, words{" and ", "、"}.in(language))
}

// moved is a parameter that goes from one value to another.
func moved(control sim.Params, name string, to any, language string) string {
	row, _ := sim.Lookup(name)
	from, err := control.Get(name)
	measured := number(to, row.Unit) + per(row.Unit, language)
	if err != nil || number(from, row.Unit) == number(to, row.Unit) {
		return sayf(language, "%s at %s", "%s 为 %s", parameterLabel(name, language), measured)
	}
	return sayf(language, "%s from %s to %s", "%s 由 %s 变为 %s", parameterLabel(name, language), number(from, row.Unit), measured)
}

// per says what a rate is of, or in which time, where its number alone would mislead.
func per(unit, language string) string {
	for _, u := range []struct {
		ends string
		said words
	}{
		{"per month", words{" a month", "（每月）"}}, {"per year", words{" a year", "（每年）"}},
		{"of the mean wage", words{" of the mean wage", "（平均工资之比）"}}, {"of the median wage", words{" of the median wage", "（工资中位数之比）"}},
		{"of GDP", words{" of GDP", "（GDP之比）"}}, {"of annual GDP", words{" of annual GDP", "（年GDP之比）"}},
	} {
		if strings.HasSuffix(unit, u.ends) {
			return u.said.in(language)
		}
	}
	return ""
}
