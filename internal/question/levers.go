package question

import (
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/inquiry"
	"econ-mcp/sim"
)

// lever is something that a question can have changed: a parameter, a package of the simulation, or
// money for a group. The words for it are of the grammars.
type lever struct {
	id     string // by which grammars name it
	kind   leverKind
	of     string // parameter or package, where it is not id
	unit   leverUnit
	en, zh string // what people call it, where that is not the label of the parameter or package

	// step is a usual change of it, in its unit; a question without a size is offered this, half of
	// it and twice of it, where the lever is none of standards. Of a lever that is off in the economy
	// it is the usual value.
	step  float64
	value any // of a switch or a choice: what bringing it in means
	end   any // and what abolishing it means

	needs   []sim.ParameterChange // without which it does nothing: in the background
	along   []sim.ParameterChange // what else changes with it, in the same arm
	outcome sim.Indicator         // that it moves first
	persist float64               // of a shock whose end is not said: the part left after a month
}

// leverKind says what a lever is to the economy.
type leverKind int

const (
	parameterLever leverKind = iota
	policyLever              // one of sim.Policies
	shockLever               // one of sim.Shocks
	paymentLever             // money for the group of the happening
)

// leverUnit says how numbers in a question become values of a lever.
type leverUnit int

const (
	rateUnit      leverUnit = iota // a share of which "by 2 %" may mean percent or points: a tax rate
	partUnit                       // a share that stands for an amount, so that "by 10 %" is a tenth of it: a benefit
	gdpUnit                        // a share of GDP that stands for an amount
	meanUnit                       // a share of the mean wage; money is divided by it
	medianUnit                     // a share of the median wage
	yearsUnit                      // years of age
	spanUnit                       // months
	indexUnit                      // 100 = the baseline
	factorUnit                     // 1 = as it is
	deviationUnit                  // of a shock: 0 = as it is
	indexPoints                    // of the mood: points of an index that nobody knows
	numberUnit                     // a number without a unit
	wagesUnit                      // months of the mean wage
	switchUnit                     // on or off
	choiceUnit                     // one of a list
	levelUnit                      // level of a policy: a share of what it is about
	moneyUnit                      // currency units a head and month
	monthlyUnit                    // a share a month; "a year" is divided by 12
	yearlyUnit                     // a share a year, of which "by 2 %" means points
)

// Measures that turn words of questions into units of the catalogue.
const (
	// meanWage is the mean wage at the start of an economy, currency units a month.
	meanWage = 3000.0
	// medianOfMean is the median over the mean of lognormal skills with the default
	// skill_dispersion: exp(-.55²/2).
	medianOfMean = 0.8596
	// retirementAge is the mean age of retirement where retirement_age_shift is 0.
	retirementAge = 65.0
)

func with(pairs ...any) (list []sim.ParameterChange) {
	for i := 0; i < len(pairs); i += 2 {
		list = append(list, sim.ParameterChange{Name: pairs[i].(string), Value: pairs[i+1]})
	}
	return list
}

var (
	ages     = with("enable_demography", true)
	newcomer = with("enable_demography", true, "population_reserve", .3)
	spread   = with("ai_adoption_rate", .01) // that of the preset ai_wave
	trade    = with("enable_trade", true)
)

// realIncome is what households have to live on, which the economy knows by groups, too.
var realIncome = func() sim.Indicator {
	i, ok := sim.IndicatorByName("real_income_mean")
	if !ok {
		panic("no real_income_mean")
	}
	return i
}()

// levers are all that questions can name.
var levers = slices.Concat(taxLevers, spendingLevers, peopleLevers, moneyLevers, worldLevers, firmLevers)

var leverIndex = func() map[string]int {
	index := make(map[string]int, len(levers))
	for i, l := range levers {
		index[l.id] = i
	}
	return index
}()

// leverOf is the lever with an identifier.
func leverOf(id string) (lever, bool) {
	i, ok := leverIndex[id]
	if !ok {
		return lever{}, false
	}
	return levers[i], true
}

// name is the parameter or package that the lever is.
func (l lever) name() string {
	if l.of != "" {
		return l.of
	}
	return l.id
}

// known says how a lever is called in a language.
func (l lever) known(lang string) string {
	if l.en != "" {
		return either(lang, l.en, l.zh)
	}
	switch l.kind {
	case policyLever, shockLever:
		pack, _ := sim.PackageByID(l.packed(), l.name())
		return either(lang, pack.Label, pack.LabelZH)
	default:
		row, _ := sim.Lookup(l.name())
		return either(lang, row.Label, row.LabelZH)
	}
}

// packed is the type of interventions whose package the lever is.
func (l lever) packed() sim.InterventionType {
	if l.kind == shockLever {
		return sim.TypeShock
	}
	return sim.TypePolicy
}

// limits are the least and the largest value of the lever.
func (l lever) limits() (least, most float64) {
	switch l.kind {
	case policyLever, shockLever:
		if pack, err := sim.PackageByID(l.packed(), l.name()); err == nil && l.unit == deviationUnit {
			return 1 + pack.Min, 1 + pack.Max // of what there is
		} else if err == nil {
			return pack.Min, pack.Max
		}
	case paymentLever:
		return 0, 1e6
	}
	if row, err := sim.Lookup(l.name()); err == nil {
		return row.Min, row.Max
	}
	return math.Inf(-1), math.Inf(1)
}

// industries are those that questions can name, by their codes in the simulation.
var industryNames = map[string][2]string{
	"01": {"food", "食品"}, "02": {"alcohol and tobacco", "烟酒"}, "03": {"clothing", "服装"}, "04": {"housing and energy", "住房与水电燃料"},
	"05": {"furniture and appliances", "家具家电"}, "06": {"health", "医疗"}, "07": {"transport", "交通"}, "08": {"communication", "通信"},
	"09": {"recreation and culture", "文化娱乐"}, "10": {"education", "教育"}, "11": {"restaurants and hotels", "餐饮住宿"},
	"12": {"other goods and services", "其他商品和服务"},
}

// payees are the groups that money can go to, beside industries ("industry:11").
var payees = map[string][2]string{
	"all": {"every household", "每户家庭"}, "bottom_decile": {"the poorest tenth", "最穷的十分之一"}, "unemployed": {"the unemployed", "失业者"},
	"retired": {"pensioners", "退休者"}, "banks": {"banks", "银行"}, "lottery": {"a random tenth of the households", "随机十分之一的家庭"},
}

// places are the presets that a question can be set in, or compare.
var places = map[string][2]string{
	"at_like": {"Austria", "奥地利"}, "cn_like": {"China", "中国"}, "de_like": {"Germany", "德国"}, "us_like": {"the United States", "美国"},
	"demand_slump": {"a recession", "衰退"}, "crisis": {"a crisis", "危机"}, "credit_crunch": {"a credit crunch", "信贷紧缩"},
	"pandemic": {"a pandemic", "疫情"}, "oil_shock": {"an oil shock", "石油冲击"}, "trade_war": {"a trade war", "贸易战"},
	"ai_wave": {"a wave of AI", "人工智能浪潮"}, "ai_adoption": {"AI that is everywhere at once", "人工智能一次性普及"},
	"green_transition": {"the green transition", "绿色转型"}, "high_tax": {"high taxes", "高税"}, "low_tax": {"low taxes", "低税"},
	"austerity": {"austerity", "财政紧缩"}, "ubi": {"a basic income", "基本收入"}, "baseline": {"the baseline economy", "基准经济"},
}

// either is the phrase of a language.
func either(lang, en, zh string) string {
	if lang == inquiry.Chinese {
		return zh
	}
	return en
}

// payeeKnown says how a group that is paid is called.
func payeeKnown(group, lang string) string {
	if code, ok := strings.CutPrefix(group, "industry:"); ok {
		return either(lang, "workers in "+industryNames[code][0], industryNames[code][1]+"从业者")
	}
	return either(lang, payees[group][0], payees[group][1])
}
