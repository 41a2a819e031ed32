package question

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"
)

// englishLevers are plainly named levers with values that are in their range.
var englishLevers = []formLever{
	{"vat_rate", "VAT", "5", "8", "12", "2"},
	{"income_tax_rate", "income tax", "18", "22", "26", "3"},
	{"unemployment_benefit_rate", "the unemployment benefit", "40", "50", "70", "10"},
	{"corporate_tax_rate", "corporate tax", "15", "25", "30", "4"},
	{"pension_contribution_rate", "the pension contribution", "12", "16", "20", "2"},
	{"capital_requirement", "the capital requirement", "6", "8", "12", "2"},
}

// englishSizes are changes of a lever L: between its values W < M < H, or by P points.
var englishSizes = []string{
	"raise L by P points > +Ppp", "cut L by P percentage points > -Ppp", "raise L from M to H percent > M=H", "lower L from M% to W% > M=W",
	"set L at H percent > =H", "take L up to H percent from M > M=H", "bring L down to W% > =W", "cut L from M down to W percent > M=W",
	"raise L from M up to H percent > M=H", "set L at H percent instead of M > M=H", "set L at H percent rather than M > M=H",
	"halve L > halve", "double L > double", "abolish L > abolish", "cut L by a tenth > -0.1", "set L at W or H percent > doses W H",
	"knock P points off L > -Ppp", "add P points to L > +Ppp",
}

var (
	englishTimes = []string{"from month 7 >  from 7", "from year two >  from 13", "for two years >  for 24", "for a year and a half >  for 18",
		"in month 13 >  from 13", "gradually over three years >  ramp 36", "between month 13 and month 24 >  from 13 for 12",
		"for 18 months >  for 18", "from month 7 for a year >  from 7 for 12", "a year from now >  from 13"}
	englishSettings = []string{"In a recession, >  in demand_slump", "During a pandemic, >  in pandemic", "In Germany, >  in de_like",
		"With the demand slump preset running, >  in demand_slump", "In an economy like America's, >  in us_like", "In a credit crunch, >  in credit_crunch",
		"In China, >  in cn_like"}
	englishConditions = []string{"If unemployment rises above 10 percent, >  when unemployment_rate>10%", "Once inflation is over 5%, >  when inflation>5%",
		"Whenever unemployment exceeds 8 percent, >  when unemployment_rate>8% again",
		"As long as unemployment is above 9%, >  when unemployment_rate>9% again",
		"Once public debt has passed 60 percent of GDP, >  when debt_to_gdp>60% of GDP"}
	englishTails = []string{"What happens to unemployment? >  ? unemployment_rate", "How does inflation respond? >  ? inflation",
		"What does public debt do? >  ? debt_to_gdp", "What happens to unemployment and inflation? >  ? unemployment_rate ? inflation",
		"Where is unemployment in year five? >  ? unemployment_rate see 60", "Tell me how unemployment does over ten years. >  ? unemployment_rate see 120",
		"What happens to the income of the poorest fifth? >  ? real_income_mean of bottom_fifth", "How is unemployment ten years on? >  ? unemployment_rate see 120",
		"What happens to poverty after ten years? >  ? poverty_rate see 120"}
	englishHeld = []string{"without touching the minimum wage >  held minimum_wage", "and leave the minimum wage unchanged >  held minimum_wage",
		"all else equal > "}
)

// english writes a change of a lever, with the lever that it is of.
func (m formMaker) english() (text, says, lever string) {
	l := englishLevers[m.IntN(len(englishLevers))]
	text, says = m.pair(englishSizes...)
	r := strings.NewReplacer("L", l.name, "P", l.points, "W", l.low, "M", l.mid, "H", l.high)
	shares := strings.NewReplacer("P", share(l.points), "W", share(l.low), "M", share(l.mid), "H", share(l.high))
	return r.Replace(text), l.id + " " + shares.Replace(says), l.id
}

// share is a number of percent or of points as the test compares it.
func share(percent string) string {
	x, _ := strconv.ParseFloat(percent, 64)
	return strconv.FormatFloat(x/100, 'g', 4, 64)
}

// englishQuestion is a random question and what it says.
func (m formMaker) englishQuestion() (text, says string) {
	change, what, lever := m.english()
	tail, outcome := m.pair(englishTails...)
	switch m.IntN(7) {
	case 0:
		time, when := m.pair(englishTimes...)
		text, says = change+" "+time, what+when
	case 1:
		place, in := m.pair(englishSettings...)
		return place + " " + change + ". " + tail, what + in + outcome
	case 2:
		given, when := m.pair(englishConditions...)
		return given + " " + change + ". " + tail, what + when + outcome
	case 3:
		held, keeps := m.pair(englishHeld...)
		text, says = change+" "+held, what+keeps
	case 4, 5:
		other, more, second := m.english()
		if lever == second || strings.Contains(what+more, "doses") {
			return m.englishQuestion()
		}
		form, joint := m.pair("%s or %s >  | ", "either %s or %s >  | ", "%s and %s > ; ")
		text, says = fmt.Sprintf(form, change, other), what+joint+more
	default:
		text, says = change, what
	}
	return strings.ToUpper(text[:1]) + text[1:] + ". " + tail, says + outcome
}

// Forms are regular: any size goes with any time, setting, condition, alternative and outcome.
func TestEnglishFormsInEveryCombination(t *testing.T) {
	many, _ := strconv.Atoi(os.Getenv("FORMS"))
	count := map[string]int{}
	m := formMaker{rand.New(rand.NewPCG(3, 4))}
	for range max(many, 400) {
		text, says := m.englishQuestion()
		got := formKey(readEnglish(text))
		switch {
		case Read(text, Options{}).Status != Ready:
			count["asked"]++
			if many > 0 {
				t.Logf("asked %s\n want %s\n got  %s", text, says, got)
			}
		case got == says:
			count["right"]++
		default:
			count["wrong"]++
			t.Errorf("%s\n want %s\n got  %s", text, says, got)
		}
	}
	if count["asked"]*20 > count["right"] {
		t.Error(count)
	}
	t.Log(count)
}
