package question

import (
	"math"
	"strconv"
	"strings"

	"econ-mcp/internal/inquiry"
)

// ReadBack says in plain words what was read: the inquiry, what is assumed, and what was left over.
func (r Reading) ReadBack() string {
	var parts []string
	if r.Inquiry != nil {
		parts = append(parts, r.Inquiry.ReadBack(r.Language))
	}
	if len(r.Assumed) > 0 {
		parts = append(parts, either(r.Language, "Assumed: ", "假定：")+strings.Join(r.Assumed, either(r.Language, "; ", "；"))+
			either(r.Language, ".", "。"))
	}
	var left []string
	for _, l := range r.LeftOver {
		left = append(left, "“"+l.Text+"”")
	}
	if len(left) > 0 && r.Inquiry != nil {
		parts = append(parts, either(r.Language, "Left out: ", "未采用：")+strings.Join(left, either(r.Language, ", ", "、"))+
			either(r.Language, ".", "。"))
	}
	return strings.Join(parts, either(r.Language, " ", ""))
}

// short is a number in as few digits as say it.
func short(x float64) string { return strconv.FormatFloat(tidy(x), 'f', -1, 64) }

// percentText is a share in percent.
func percentText(x float64) string { return short(math.Round(x*1e6)/1e4) + " %" }

// saidLevel is a value of a lever for people.
func (r *resolver) saidLevel(l lever, x float64) string {
	switch l.unit {
	case rateUnit, partUnit, levelUnit:
		return percentText(x)
	case gdpUnit:
		return r.say("%s of GDP", "GDP的%s", percentText(x))
	case meanUnit:
		return r.say("%s of the mean wage", "平均工资的%s", percentText(x))
	case medianUnit:
		return r.say("%s of the median wage", "工资中位数的%s", percentText(x))
	case yearsUnit:
		return r.say("%s years", "%s岁", short(retirementAge+x))
	case spanUnit:
		return r.say("%s months", "%s个月", short(x))
	case indexUnit:
		return r.say("%s %% of the baseline", "基准的%s %%", short(x))
	case factorUnit, deviationUnit:
		return r.say("%s of what it is", "原来的%s", percentText(x))
	case moneyUnit:
		return r.say("%s a month", "每月%s", short(x))
	case wagesUnit:
		return r.say("%s monthly wages", "%s个月平均工资", short(x))
	case monthlyUnit:
		return r.say("%s a month", "每月%s", percentText(x))
	case yearlyUnit:
		return r.say("%s a year", "每年%s", percentText(x))
	}
	return short(x)
}

// saidValue is a value of a lever with the change that it is.
func (r *resolver) saidValue(l lever, x, now float64) string {
	text := r.say("to %s", "至%s", r.saidLevel(l, x))
	d := x - now
	switch {
	case now == 0 && l.unit != yearlyUnit && l.unit != yearsUnit && l.unit != monthlyUnit && l.unit != indexPoints:
		return r.saidLevel(l, x)
	case l.unit == yearsUnit, l.unit == moneyUnit:
		return text
	case l.unit == rateUnit, l.unit == yearlyUnit, l.unit == partUnit, l.unit == gdpUnit:
		points := short(math.Round(math.Abs(d)*1e6) / 1e4)
		en := " (%s points %s)"
		if points == "1" {
			en = " (%s point %s)"
		}
		return text + r.say(en, "（%[2]s%[1]s个百分点）", points, upDown(d, r.s.lang))
	case now != 0:
		return text + r.say(" (%s by %s)", "（%s%s）", upDown(d, r.s.lang), percentText(math.Round(1000*math.Abs(d/now))/1000))
	}
	return text
}

func upDown(d float64, lang string) string {
	if d < 0 {
		return either(lang, "down", "下降")
	}
	return either(lang, "up", "上升")
}

// saidState says a value of a switch or a choice.
func (r *resolver) saidState(l lever, x any) string {
	switch {
	case x == true || x == l.value && x != false:
		return l.known(r.s.lang)
	case x == false:
		return r.say("no %s", "取消%s", l.known(r.s.lang))
	}
	for _, other := range levers {
		if other.name() == l.name() && other.value == x {
			return other.known(r.s.lang)
		}
	}
	return r.say("the end of %s", "取消%s", l.known(r.s.lang))
}

// named is what the arm of a change is called.
func (l lever) named(h happening, x any) string {
	name := l.id
	if l.kind == paymentLever {
		name = "pay_" + strings.ReplaceAll(h.group, ":", "_")
	}
	if h.industry != "" && l.kind != paymentLever {
		name += "_industry_" + h.industry
	}
	switch v := x.(type) {
	case bool:
		name = strings.TrimPrefix(name, "enable_")
		if !v {
			name = "no_" + name
		}
	case string:
		name = l.name() + "_" + v
	case float64:
		text := short(v)
		switch l.unit {
		case rateUnit, partUnit, gdpUnit, levelUnit, meanUnit, medianUnit, factorUnit, deviationUnit:
			text = short(math.Round(v*1e6) / 1e4)
		}
		name += "_" + strings.NewReplacer(".", "_", "-", "minus_").Replace(text)
	}
	return name
}

// joinedName is the name of an arm in which several things happen.
func joinedName(a, b string) string {
	switch {
	case a == "":
		return b
	case b == "" || len(a)+len(b) > 55:
		return a
	}
	return a + "_and_" + b
}

// saidArms says the arms of an inquiry in few words.
func saidArms(q inquiry.Inquiry, find inquiry.Scenarios, lang string) string {
	s, err := find.Scenario(baseOf(q))
	if err != nil {
		return ""
	}
	control := s.Params
	for _, v := range q.Background.Set {
		_ = control.Set(v.Name, v.Value) // it was checked when the inquiry was decoded
	}
	return q.Change(control, lang)
}

func baseOf(q inquiry.Inquiry) string {
	if q.Background.Base == "" {
		return "baseline"
	}
	return q.Background.Base
}
