package question

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/sim"
)

// leastMonthly is the least amount of money that may be a wage of a month: what is less is one of an
// hour.
const leastMonthly = 100

// smallRates are rates of a few percent: 0.5 is half a percent of them.
var smallRates = []string{"fixed_policy_rate", "world_interest_rate", "inflation_target", "loan_spread", "deposit_spread"}

// absolute is the value of a lever that a quantity names; not ok where it names none.
func (r *resolver) absolute(l lever, q quantity, now float64, key string) (x float64, ok bool) {
	x = q.x
	share := q.unit == percent || q.unit == points || q.unit == fraction
	if share && !r.fits(l, q) {
		return 0, false
	}
	switch l.unit {
	case rateUnit, partUnit, gdpUnit, levelUnit, indexPoints:
		switch {
		case share:
			return x, true
		case q.unit == plain && l.unit == indexPoints:
			return x, math.Abs(x) <= 1
		case q.unit == plain && x == 1 && (l.id == "retaliation_share" || strings.HasSuffix(l.id, "_indexation")):
			return 1, true // in kind, in full
		case q.unit == plain && math.Abs(x) >= .2 && math.Abs(x) < 1 && slices.Contains(smallRates, l.id):
			r.doubting("a number", "Is “%s” meant in percent?", "“%s”指百分之几吗？", r.quote(q.span))
			return x / 100, true
		case q.unit == plain && math.Abs(x) >= 1:
			if !percents.MatchString(string(r.text)) { // "from 8 to 11 percent, and income tax from 22 to 20"
				r.doubting("a number", "Is “%s” meant in percent?", "“%s”指百分之几吗？", r.quote(q.span))
			}
			return x / 100, true
		case q.unit == plain:
			return x, true
		}
	case meanUnit, medianUnit:
		wage, other := meanWage, medianOfMean // of the median, as a share of the mean
		if l.unit == medianUnit {
			wage, other = meanWage*medianOfMean, 1/medianOfMean
		}
		switch {
		case share && (l.unit == meanUnit && q.of == ofMedian || l.unit == medianUnit && q.of == ofMean):
			return x * other, true
		case share:
			return x, true
		case q.unit == money || q.unit == plain && x >= leastMonthly:
			if q.per == 12 {
				x /= 12
			}
			if x < leastMonthly && l.id == "minimum_wage" {
				return 0, false
			}
			r.assume("“%s” is read where the mean wage is %[3]s a month: %[2]s of the mean wage, which is what is paid. Amounts of money in the results are the economy's own, "+
				"in which wages have grown in the burn-in and go on growing",
				"“%s”按平均工资每月%[3]s折算，即平均工资的%[2]s，按此比例发放；结果中的金额以模型自身货币计，其工资在预热期已增长并将继续增长",
				r.quote(q.span), percentText(x/meanWage), short(meanWage))
			return tidy(x / wage), true
		case q.unit == plain && x < 1:
			return x, true
		}
	case moneyUnit:
		switch {
		case share && q.of == ofMean:
			return x * meanWage, true
		case share && q.of == ofMedian:
			return x * meanWage * medianOfMean, true
		case q.unit == money || q.unit == plain:
			if q.per > 1 {
				x /= float64(q.per)
			}
			return tidy(x), x > 0
		}
	case wagesUnit:
		switch {
		case q.unit == money:
			return tidy(x / meanWage), true
		case q.unit == factor, q.unit == plain, q.unit == months:
			return x, true
		case share && q.of != ofNothing:
			return x, true
		}
	case yearsUnit:
		switch {
		case q.unit == months && x >= 480, q.unit == people && x >= 40:
			if q.unit == months {
				x /= 12
			}
			return x - retirementAge, true
		case q.unit == plain && x >= 40:
			return x - retirementAge, true
		}
	case spanUnit:
		if q.unit == months {
			return x, true
		}
	case indexUnit:
		switch {
		case share, q.unit == factor:
			return tidy(100 * x), true
		case q.unit == plain && x >= 10:
			return x, true
		}
	case factorUnit, deviationUnit:
		switch {
		case share, q.unit == factor:
			return x, true
		case q.unit == plain && x <= 5:
			return x, true
		case q.unit == plain:
			return x / 100, x <= 500
		}
	case numberUnit:
		return x, q.unit == plain
	case monthlyUnit:
		if !share {
			return 0, false
		}
		switch {
		case q.per == 12:
			return x / 12, true
		case q.per == 0 && (l.id == "migration_rate" || x > .2 || l.id == "ai_adoption_rate" && x > .05):
			ask := r.say("Is “%s” meant in a year or in a month?", "“%s”指每年还是每月？", r.quote(q.span))
			if r.choose(key+" per", "the period", ask, r.say("in a year", "每年"), r.say("in a month", "每月")) == 0 {
				return x / 12, true
			}
		case q.per == 0:
			r.assume("“%s” is read as a share a month", "“%s”按每月的比例理解", r.quote(q.span))
		}
		return x, true
	case yearlyUnit:
		switch {
		case share && q.per == 1:
			return x * 12, true
		case share:
			return x, true
		}
	}
	return 0, false
}

// difference is the change of a lever that a quantity names.
func (r *resolver) difference(l lever, q quantity, key string) (float64, bool) {
	switch {
	case l.unit == yearsUnit && q.unit == months:
		return q.x / 12, true
	case l.unit == yearsUnit && (q.unit == people || q.unit == plain):
		return q.x, true
	case l.unit == indexPoints:
		return q.x, q.unit == points && math.Abs(q.x) <= .2
	case l.unit == indexUnit && q.unit == plain:
		return q.x, true
	case l.unit == monthlyUnit && q.per == 0 && q.unit == points:
		return q.x, true
	}
	return r.absolute(l, q, 0, key)
}

// fits says whether a share of something can be a value of a lever.
func (r *resolver) fits(l lever, q quantity) bool {
	switch q.of {
	case ofGDP:
		return l.unit == gdpUnit || l.unit == levelUnit && l.id != "progressive_tax"
	case ofMean, ofMedian:
		row, _ := sim.Lookup(l.name())
		return l.unit == meanUnit || l.unit == medianUnit || l.unit == moneyUnit || l.unit == wagesUnit || l.id == "job_guarantee" ||
			l.unit == partUnit && strings.Contains(row.Unit, "wage") // of the last one
	}
	return true
}

// tidy rounds what arithmetic leaves behind.
func tidy(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 8, 64), 64)
	if err != nil {
		return x
	}
	return y
}
