package question

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// formLever is a plainly named lever with values that are in its range: what it is set to, and what it
// may be before.
type formLever struct {
	id, name string
	low, mid, high,
	points string // a change in points; "" = it has none
}

var formLevers = []formLever{
	{"vat_rate", "增值税", "5%", "8%", "12%", "两个百分点"},
	{"income_tax_rate", "个人所得税", "18%", "22%", "26%", "3个百分点"},
	{"tariff_rate", "关税", "5%", "10%", "20%", "五个百分点"},
	{"unemployment_benefit_rate", "失业救济金", "40%", "50%", "70%", "10个百分点"},
	{"benefit_months", "失业金领取期限", "6个月", "12个月", "18个月", "三个月"},
	{"fixed_policy_rate", "政策利率", "1%", "2.5%", "4.5%", "50个基点"},
	{"retirement_age_shift", "退休年龄", "", "65岁", "67岁", "两年"},
	{"capital_requirement", "银行资本充足率要求", "6%", "8%", "12%", "2个百分点"},
	{"green_levy_rate", "碳税", "5%", "10%", "20%", "4个百分点"},
	{"corporate_tax_rate", "企业所得税", "15%", "25%", "30%", "4个百分点"},
	{"pension_contribution_rate", "养老保险缴费率", "12%", "16%", "20%", "2个百分点"},
}

// formMaker writes questions of which it knows what they say.
type formMaker struct{ *rand.Rand }

func (m formMaker) of(list ...string) string { return list[m.IntN(len(list))] }

// pair is one of several phrases with what it says: "phrase > says".
func (m formMaker) pair(list ...string) (phrase, says string) {
	phrase, says, _ = strings.Cut(m.of(list...), " > ")
	return phrase, says
}

// size is a change of a lever.
func (m formMaker) size() (phrase, says string) {
	l := formLevers[m.IntN(len(formLevers))]
	if l.low == "" || m.IntN(9) == 0 {
		return m.fill(l, "{把,将,}L{上调,提高,往上提}P > +P", "L{升,提高}到H > =H")
	}
	if l.id == "benefit_months" || m.IntN(3) > 0 {
		return m.fill(l, "{把,将,}L从M{提高,上调,升,提,加}到H > M=H", "L{从,由}M{降,下调,降低,压,减}{到,至}W > M=W",
			"L由M{改为,调整为}H > M=H", "{把,将,}L{提高,上调,增加}P > +P", "{把,将,}L{降低,下调,减少}P > -P", "L{定为,设为,改为}H > =H",
			"L{提到,升到,提高至}H > =H", "L{砍到,降到,压到}W > =W", "L{提高,增加}P > +P", "L{减半,砍半,打对折} > halve", "L{翻倍,翻一番,翻番} > double",
			"{取消,废除}L > abolish", "L{设为,定为}H,而不是M > M=H", "L不是M而是H > M=H", "L从原来的M{一路,}{降,调低,下调}到W > M=W",
			"L{由,从}M→H > M=H", "把L从M往上{提,调}到H > M=H", "L从M往下{降,调}到W > M=W", "L{定为,设为}W或者H > doses W H",
			"L定为W还是H > doses W H", "L降到现在的一半 > halve")
	}
	return m.fill(l, "L减少{三分之一,3分之1} > -0.3333", "L{提高,增加}{一半,五成} > *.5", "L打八折 > =0.8x", "L{提高,上调}P或者{提高,上调}P > ?")
}

// fill writes one template of a lever.
func (m formMaker) fill(l formLever, list ...string) (phrase, says string) {
	phrase, says = m.pair(list...)
	for strings.Contains(phrase, "{") {
		open, shut := strings.Index(phrase, "{"), strings.Index(phrase, "}")
		phrase = phrase[:open] + m.of(strings.Split(phrase[open+1:shut], ",")...) + phrase[shut+1:]
	}
	if strings.Contains(says, "?") || says == "" || strings.HasPrefix(says, "*") { // truly unclear: a share of a rate
		says = "?"
	}
	r := strings.NewReplacer("L", l.name, "P", l.points, "W", l.low, "M", l.mid, "H", l.high)
	words := strings.NewReplacer("L", l.name, "P", sizeOf(l.points), "W", sizeOf(l.low), "M", sizeOf(l.mid), "H", sizeOf(l.high))
	if l.points == "" || (l.id == "tariff_rate" || l.id == "green_levy_rate") && !strings.HasSuffix(phrase, "H") && !strings.Contains(phrase, "M") || // there is none
		l.id == "fixed_policy_rate" && says == "abolish" || strings.Contains(says, "?") {
		says = "?"
	}
	if says == "?" {
		return r.Replace(phrase), "?"
	}
	return r.Replace(phrase), l.id + " " + words.Replace(says)
}

// sizeOf is a quantity as the test compares it.
func sizeOf(text string) string {
	runes := []rune(text)
	if len(runes) == 0 {
		return ""
	}
	return sizeKey(hanNumbers(runes, 0)[0].token.q)
}

func sizeKey(q *quantity) string {
	if q == nil {
		return ""
	}
	text := strconv.FormatFloat(q.x, 'g', 4, 64)
	switch q.unit {
	case factor:
		return text + "x"
	case points:
		return text + "pp"
	case people:
		if q.x < 20 {
			return strconv.FormatFloat(q.x*12, 'g', 4, 64)
		}
	}
	return text
}

// formKey is what a reading says, as the templates say it.
func formKey(s sense) string {
	var arms []string
	for _, a := range append(s.arms, arm{happens: s.everywhere}) {
		var list []string
		for _, h := range a.happens {
			what := map[change]string{raise: "+", lower: "-"}[h.change]
			switch {
			case h.to != nil:
				what = sizeKey(h.from) + "=" + sizeKey(h.to)
			case h.by != nil:
				what = sizeKey(h.from) + what + sizeKey(h.by)
			case len(h.doses) > 0:
				what = "doses"
				for _, d := range h.doses {
					what += " " + sizeKey(&d)
				}
			default:
				what = h.change.String()
			}
			text := strings.Join(h.levers, "/") + " " + what
			for _, t := range []struct {
				as string
				n  int
			}{{"from", h.begin}, {"for", h.last}, {"ramp", h.ramp}} {
				if t.n > 0 {
					text += fmt.Sprintf(" %s %d", t.as, t.n)
				}
			}
			if h.when != nil {
				text += " when " + h.when.String()
			}
			if h.until != nil {
				text += " until " + h.until.String()
			}
			if h.again {
				text += " again"
			}
			if h.pays != "" {
				text += " paid " + h.pays
			}
			list = append(list, text)
		}
		arms = append(arms, strings.Join(list, "; "))
	}
	text := strings.TrimSuffix(strings.Join(arms, " | "), " | ")
	if s.place != "" {
		text += " in " + s.place
	}
	for _, h := range s.held {
		text += " held " + strings.Join(h.levers, "/")
	}
	for _, o := range s.outcomes {
		text += " ? " + o.indicator.String()
		if o.group != "" {
			text += " of " + o.group
		}
	}
	if s.horizon > 0 {
		text += fmt.Sprintf(" see %d", s.horizon)
	}
	return text
}

var (
	formTimes = []string{"从第二年起, >  from 13", "从第7个月开始, >  from 7", "为期一年半 >  for 18", "一年后, >  from 13", "6个月以后, >  from 7", "明年年初起, >  from 13",
		"第三年年初, >  from 25", "用三年时间逐步 >  ramp 36", "分三年 >  ramp 36", "从第13个月到第24个月, >  from 13 for 12", "第二年年初起, >  from 13",
		"为期两年 >  for 24", "在两年内逐步 >  ramp 24", "从第二年到第三年, >  from 13 for 24", "从今年起, >  from 1", "分三步、用一年半 >  ramp 18", "连续三年 >  for 36", "暂时一年 >  for 12"}
	formPlaces = []string{"在衰退中, >  in demand_slump", "疫情期间, >  in pandemic", "在德国, >  in de_like", "在美国那样的经济里, >  in us_like",
		"碰上经济衰退, >  in demand_slump", "在金融危机中, >  in credit_crunch", "像德国这样的经济体, >  in de_like", "在中国, >  in cn_like", "在AI浪潮中, >  in ai_wave",
		"经济衰退的时候, >  in demand_slump", "在奥地利这样的国家, >  in at_like"}
	formConditions = []string{"如果失业率超过10%,就 >  when unemployment_rate>10%", "一旦通胀率高于5%,就 >  when inflation>5%", "每当失业率超过8%,就 >  when unemployment_rate>8% again",
		"只要失业率高于9%,就 >  when unemployment_rate>9% again", "若公共债务超过GDP的60%,则 >  when debt_to_gdp>60% of GDP", "直到失业率降到6%以下, >  until unemployment_rate<6%",
		"要是赤字率突破5%,就 >  when deficit_to_gdp>5%", "失业率一旦超过10%,就 >  when unemployment_rate>10%", "当通胀率低于1%时, >  when inflation<1%",
		"失业率高于8%期间, >  when unemployment_rate>8% again", "失业率低于5%之前, >  until unemployment_rate<5%",
		"除非失业率降到5%以下,否则 > ?"}
	formTails = []string{"失业率会怎样? >  ? unemployment_rate", "对通胀有什么影响? >  ? inflation", "债务率会怎么变? >  ? debt_to_gdp", "失业率和物价会怎样? >  ? unemployment_rate ? cpi",
		"贫困率会下降吗? >  ? poverty_rate", "对最穷的五分之一家庭的消费有什么影响? >  ? real_consumption of bottom_fifth", "看失业率 >  ? unemployment_rate",
		"老人和失业者的消费会怎样? >  ? real_consumption of retired ? real_consumption of unemployed", "请问失业率和基尼系数各会怎样变化? >  ? unemployment_rate ? income_gini", "十年后失业率会怎样? >  ? unemployment_rate see 120", "第五年失业率会怎样? >  ? unemployment_rate see 60",
		"未来十年失业率会怎样? >  ? unemployment_rate see 120", "失业率会怎样?看十年。 >  ? unemployment_rate see 120", "五年以后贫困率是多少? >  ? poverty_rate see 60"}
	formHeld = []string{"其他不变, > ", "其他税都不动, > ", "其他条件不变的情况下, > ", "在不动最低工资的前提下, >  held minimum_wage", "最低工资维持不变, >  held minimum_wage"}
)

// question is a random question and what it says; "?" = it has to be asked back.
func (m formMaker) question() (text, says string) {
	change, what := m.size()
	tail, outcome := m.pair(formTails...)
	frame := m.of("", "", "", "请问", "如果", "假如", "假设", "我想知道,")
	join := m.of(",", ",", "。")
	unclear := what == "?"
	switch m.IntN(8) {
	case 0:
		time, when := m.pair(formTimes...)
		switch {
		case strings.HasSuffix(time, ","):
			text, says = frame+time+change, what+when
		case strings.HasPrefix(time, "为期"), strings.HasPrefix(time, "暂时"), strings.HasPrefix(time, "连续"):
			text, says = frame+change+","+time, what+when
		default:
			text, says = frame+time+change, what+when
		}
		unclear = unclear || strings.Contains(what, "doses") && strings.Contains(when, "ramp")
	case 1:
		place, in := m.pair(formPlaces...)
		text, says = frame+place+change, what+in
	case 2:
		given, when := m.pair(formConditions...)
		unclear = unclear || when == "?"
		text, says = given+change, what+when
	case 3:
		other, more := m.size()
		unclear = unclear || more == "?" || strings.Contains(what+more, "doses") || strings.Fields(what)[0] == strings.Fields(more)[0]
		text = m.of("%s还是%s好?", "%s和%s相比,哪个更好?", "与其%s,不如%s?", "要么%s,要么%s。", "是%s,还是%s?", "%s,或者%s,哪个效果更好?", "比较两个方案:一是%s,二是%s。", "跟%s相比,%s怎么样?")
		text, says, join = fmt.Sprintf(text, change, other), what+" | "+more, ""
	case 4:
		held, keeps := m.pair(formHeld...)
		text, says = frame+held+change, what+keeps
	case 5:
		second, more := m.size()
		unclear = unclear || more == "?" || strings.Contains(what+more, "doses") || strings.Fields(what)[0] == strings.Fields(more)[0]
		text, says = frame+change+m.of(",同时", ",并且", ",再", ",又")+second, what+"; "+more
	default:
		text, says = frame+change, what
	}
	if unclear {
		return text + join + tail, "?"
	}
	return text + join + tail, says + outcome
}

// verdict says how a question was read: right, asked or wrong.
func verdict(text, says string) (string, string) {
	s := readChinese(text)
	got := formKey(s)
	switch {
	case Read(text, Options{}).Status != Ready:
		return "asked", got
	case says == "?", got == says:
		return "right", got
	}
	return "wrong", got
}

// Forms are regular: any size goes with any time, setting, condition, alternative and outcome.
func TestChineseFormsInEveryCombination(t *testing.T) {
	many, _ := strconv.Atoi(os.Getenv("FORMS"))
	count := map[string]int{}
	m := formMaker{rand.New(rand.NewPCG(1, 2))}
	for range max(many, 400) {
		text, says := m.question()
		is, got := verdict(text, says)
		if says == "?" {
			is = "unclear " + is
		}
		count[is]++
		if is == "wrong" {
			t.Errorf("%s\n want %s\n got  %s", text, says, got)
		} else if is == "asked" && many > 0 {
			t.Logf("%s %s\n   want %s\n   got  %s", is, text, says, got)
		}
	}
	if count["asked"]*20 > count["right"] {
		t.Error(count)
	}
	t.Log(count)
}
