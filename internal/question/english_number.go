package question

import "math"

var englishNumbers = map[string]float64{
	"zero": 0, "nil": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18,
	"nineteen": 19, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
	"dozen": 12,
}

var englishOrdinals = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12, "thirteenth": 13, "fourteenth": 14, "fifteenth": 15, "sixteenth": 16, "eighteenth": 18,
	"twentieth": 20, "1st": 1, "2nd": 2, "3rd": 3,
}

// englishParts are the denominators of fractions.
var englishParts = map[string]float64{
	"half": 2, "halves": 2, "third": 3, "thirds": 3, "quarter": 4, "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5, "fifths": 5,
	"sixth": 6, "sixths": 6, "seventh": 7, "eighth": 8, "eighths": 8, "ninth": 9, "tenth": 10, "tenths": 10, "hundredth": 100,
	"twentieth": 20, "thousandth": 1000,
}

var englishScales = map[string]float64{"hundred": 100, "thousand": 1e3, "k": 1e3, "grand": 1e3, "million": 1e6, "billion": 1e9,
	"bn": 1e9, "m": 1e6}

// tokens are a question that is read from left to right.
type tokens []token

func (s tokens) text(i int) string {
	if i < 0 || i >= len(s) {
		return ""
	}
	return s[i].text
}

// skip returns the place after the longest of the phrases that stands at i, with hyphens between the words or not.
func (s tokens) skip(i int, phrases ...[]string) (next int, ok bool) {
	next = i
	for _, phrase := range phrases {
		at, match := i, true
		for k, w := range phrase {
			if k > 0 && s.text(at) == "-" {
				at++
			}
			if match = at < len(s) && s[at].is(w); !match {
				break
			}
			at++
		}
		if match && at > next {
			next, ok = at, true
		}
	}
	return next, ok
}

// phrases splits "of gdp, of the median" into phrases of words.
func phraseList(text string) [][]string {
	var list [][]string
	var words []string
	for _, t := range tokenize(text) {
		if t.text == "," {
			list, words = append(list, words), nil
			continue
		}
		words = append(words, t.text)
	}
	return append(list, words)
}

// number reads a number in digits or in words at i, without its unit.
func (s tokens) number(i int) (x float64, next int, ok bool) {
	if i >= len(s) {
		return 0, i, false
	}
	if s[i].digits {
		x, next = s[i].number, i+1
		if by, ok := englishScales[s.text(next)]; ok && (s[next].glued || len(s.text(next)) > 2) {
			return x * by, next + 1, true
		}
		return x, next, true
	}
	x, ok = englishNumbers[s[i].text]
	next = i + 1
	if !ok {
		if _, scale := englishScales[s.text(i+1)]; !scale || !s[i].is("a", "an") || len(s.text(i+1)) < 3 {
			return 0, i, false
		}
		x = 1
	}
	if x >= 20 && x < 100 && s[i].text != "dozen" {
		at := next
		if s.text(at) == "-" {
			at++
		}
		if unit, ok := englishNumbers[s.text(at)]; ok && unit > 0 && unit < 10 {
			x, next = x+unit, at+1
		}
	}
	for {
		by, ok := englishScales[s.text(next)]
		if !ok || len(s.text(next)) < 3 {
			break
		}
		x, next = x*by, next+1
		if s.text(next) == "and" {
			if y, at, ok := s.number(next + 1); ok && y < by && !s[next+1].digits {
				x, next = x+y, at
			}
		} else if y, at, ok := s.number(next); ok && y < by && !s[next].digits {
			x, next = x+y, at
		}
	}
	if s.text(next) == "point" { // two point five
		if y, ok := englishNumbers[s.text(next+1)]; ok && y < 10 {
			return x + y/10, next + 2, true
		}
	}
	if at, ok := s.skip(next, halves...); ok { // two and a half
		return x + .5, at, true
	}
	if at, ok := s.skip(next, threeQuarters...); ok {
		return x + .75, at, true
	}
	if at, ok := s.skip(next, quarters...); ok {
		return x + .25, at, true
	}
	return x, next, true
}

var (
	halves        = phraseList("and a half, and one half")
	quarters      = phraseList("and a quarter, and one quarter")
	threeQuarters = phraseList("and three quarters")
	ofPhrases     = phraseList("of a, of one, of, a")
	pointPhrases  = phraseList("percentage point, percent point, per cent point, % point, %-point, p.p., pp, ppt, ppts, pps, p.p, " +
		"percentage-point, %age point, point, pts")
	basisPhrases   = phraseList("basis point, bp, bps, basis-point")
	percentPhrases = phraseList("%, percent, per cent, percentage, p.c., pc, pcts")
	milPhrases     = phraseList("‰, per mille, per mill, per thousand, in a thousand, in one thousand, out of a thousand, " +
		"in every thousand, in 1000, out of 1000")
	hundredPhrases = phraseList("cents of every euro, cents of every dollar, cents of each euro, cents of each dollar, " +
		"cents in the euro, cents in the dollar, " +
		"cents on the euro, cents on the dollar, cents out of every euro, cents out of every dollar, cents from every euro, " +
		"cents from every dollar, " +
		"pence in the pound, pence of every pound, cents in every euro, cents in every dollar, pence in every pound, " +
		"cents per euro, cents per dollar, " +
		"cents of each extra one, cent of every euro, in a hundred, in one hundred, out of a hundred, out of one hundred, " +
		"per hundred, in every hundred, " +
		"out of every hundred, in 100, out of 100")
	moneyPhrases = phraseList("dollar, euro, yuan, pound, buck, quid, franc, crown, unit, currency unit, unit of currency, coin, " +
		"rupee, yen, usd, eur, gbp, rmb, $, €, £, ¥")
	gdpPhrases = phraseList("gdp, of gdp, of output, of national income, of the national income, of the gdp, of our gdp, " +
		"of national output, of g.d.p, of the size of the economy, " +
		"of annual gdp, worth of gdp, of total output, of the country output, of what the country produces, of everything we produce, " +
		"of the economy")
	medianPhrases = phraseList("of the median, of median, of a median, of the median wage, of the median pay, of the median income, " +
		"of median wage, of median pay, of median income, " +
		"of the median earnings, of median earnings, of the middle wage, of a median wage, of the typical wage, the median, " +
		"the median wage, median wage, " +
		"of what the worker in the middle earns, of what the median worker earns, of the median worker wage, of the median worker pay")
	meanPhrases = phraseList("of the mean, of the average, of mean, of average, of the mean wage, of the average wage, " +
		"of an average wage, of a mean wage, of average pay, of the average pay, " +
		"of mean pay, of the mean pay, of average income, of the average income, of the mean income, of mean wage, of average wage, " +
		"of average earnings, " +
		"of the average earnings, the mean wage, the average wage, the average pay, of the average salary, of an average salary, " +
		"of average salary, average wage, mean wage")
	wageMonths = phraseList("monthly wage, monthly salary, month wage, monthly pay, mean monthly wage, average monthly wage, " +
		"mean wage, average wage, average income, mean income, normal wage, ordinary wage, average pay")
	// ofItself are measures that the lever itself implies.
	ofItself = phraseList("of the last wage, of last wage, of their last wage, of the previous wage, of previous pay, " +
		"of their previous wage, of previous wage, of their old pay, of their old wage, of the old wage, " +
		"of the former wage, of former pay, of former earnings, of previous earnings, of prior earnings, of prior wage, " +
		"of the last pay, of last pay, of last earnings, of the last salary, of their last salary, of their last pay, " +
		"of the final salary, of final salary, of final pay, of their final salary, of their former wage, of their previous pay, " +
		"of their previous salary, of their former pay, of their wage, " +
		"of the wage, of wage, of their pay, of their salary, of pay, of earnings, of the pay, of what they earned, " +
		"of what they earned before, of what they used to earn, of what they last earned, of what one last earned, " +
		"of loan, of the loan, of their loan, of all loan, of total loan, of risk weighted asset, of asset, of their asset, " +
		"of its asset, of revenue, of their revenue, of turnover, of sale, of the price, of price, of their price, " +
		"of its price, of the value, of value, of the labor force, of the workforce, of labor force, of workforce, of the population, " +
		"of population, " +
		"of the import price, of the value of the good, of the import value, of it, of that, of them, of their income, of income, " +
		"of the cost, of cost, of their cost, of what they spend, of capital, " +
		"of the capital stock, of all capital, of the license fee, of license fee, of the fee, of the lost pay, " +
		"of the lost wage, of the full benefit, of full benefit, of the full rate, of lost wage, of lost pay, " +
		"of lost earnings, of lost income, " +
		"of the profit, of profit, of their profit, of the loss of pay, of lost hours, " +
		"of all household, of household, of the household, of all firm, of firm, of all job, of job, of everyone, of the wage bill, " +
		"of wage cost, of the wage cost, of labor cost, of all worker, of worker, " +
		"of public debt, of government debt, of the public debt, of the debt, of government bond, of all government bond, " +
		"of productivity growth, of inflation, of the inflation rate, of the rise in price, " +
		"of those concerned, of those affected, of surplus staff, of surplus worker, of surplus labor, of the surplus staff, " +
		"of excess staff, of redundant worker, of redundant staff, of sale price, " +
		"of everything they own, of spending, of all spending, of public spending, of total spending, of unit cost, of their sale, " +
		"of demand, of the staff, of staff, of the spending, of research cost, of the research cost, " +
		"of r&d cost, of r&d spending, of their r&d spending, of research spending, of their research, of what research cost, " +
		"of what it spend, of what they spend on research, of their research bill, of people, of retiree, " +
		"of capacity, of their capacity, of normal, of its capacity, of their normal capacity, of normal capacity, of usual, " +
		"of their usual capacity, of what it be, of today level, of the present level, of the current level, " +
		"of all plant and machine, of all machine, of all plant, of plant and machine, of the machine, of their machine, " +
		"of all factory, " +
		"of all building, of machine and plant, of gross wage, of the gross wage, of gross pay, of all capital stock, " +
		"of what they lend, " +
		"of what they have lent, of what they've lent, of everything they lend, " +
		"of the purchase price, of the collateral, of all task, of task, of the original, of supplier, of goods, of the till price")
	perPhrases = map[int][][]string{
		1: phraseList("a month, per month, each month, every month, monthly, / month, per head and month, a head and month, " +
			"month by month, p.m., in each month, in a month, in any month, in one month, every single month, a head each month, " +
			"per head a month, a head a month, per person a month, " +
			"per person per month, apiece each month, each every month, / mo"),
		12: phraseList("a year, per year, each year, every year, yearly, annually, per annum, / year, p.a., in each year, " +
			"year after year, each and every year, an year"),
		3: phraseList("a quarter, per quarter, each quarter, every quarter, quarterly"),
	}
)

// fraction reads "a third", "two thirds", "half", "one in ten", "three quarters".
func (s tokens) fraction(i int) (x float64, next int, ok bool) {
	upper, at := 1.0, i
	switch {
	case i >= len(s):
		return 0, i, false
	case s[i].is("half") && s[i].text == "half":
		if s.text(i+1) == "-" && englishScales[s.text(i+2)] == 0 && !s.unitWord(i+2) {
			return 0, i, false // half-hearted
		}
		return .5, i + 1, true
	case s[i].text == "every" && i+2 < len(s) && s[i+2].word && !s.timeUnit(i+2): // "every tenth official"
		if s.text(i+1) == "second" || s.text(i+1) == "other" {
			return .5, i + 2, s.text(i+1) == "second" || s[i+2].is("firm", "company", "borrower", "worker", "household", "loan")
		}
		if lower, ok := englishParts[s.text(i+1)]; ok {
			return 1 / lower, i + 2, true
		}
		return 0, i, false
	case s[i].text == "a" || s[i].text == "an" || s[i].text == "one":
		at++
	case englishParts[s[i].text] > 0:
	default:
		n, next, ok := s.number(i)
		if !ok || n != math.Trunc(n) {
			return 0, i, false
		}
		if s.text(next) == "/" && next+1 < len(s) && s[next+1].digits && s[next].glued && s[next+1].glued && n < s[next+1].number {
			return n / s[next+1].number, next + 2, true // 2/3
		}
		upper, at = n, next
	}
	if s.text(at) == "-" {
		at++
	}
	if s.text(i) == "one" || upper > 1 {
		if y, next, ok := s.among(at); ok && upper < y {
			return upper / y, next, true
		}
	}
	lower, ok := englishParts[s.text(at)]
	if !ok || at == i && !(s.text(at+1) == "of" && at > 0 && (s.text(at-1) == "a" || s.text(at-1) == "first")) { // "lay off a | tenth of"
		return 0, i, false
	}
	if (s.text(at) == "quarter" || s.text(at) == "quarters") && upper == 1 && s.text(at+1) == "point" {
		return .25, at + 1, true
	}
	return upper / lower, at + 1, true
}

// among reads "in ten", "out of five", with a noun before it: "one household in a thousand".
func (s tokens) among(i int) (of float64, next int, ok bool) {
	for k := i; k <= i+1 && k < len(s); k++ {
		if k > i && (!s[i].word || s[i].is("and", "or", "month", "year", "point", "percent")) {
			break
		}
		at := k + 1
		switch {
		case s[k].text == "in":
			if s.text(at) == "every" {
				at++
			}
		case s[k].text == "out" && s.text(k+1) == "of":
			at = k + 2
			if s.text(at) == "every" {
				at++
			}
		default:
			continue
		}
		if y, next, ok := s.number(at); ok && (y == 10 || y == 100 || y == 1000 || y >= 2 && y <= 20) && !s.timeUnit(next) {
			return y, next, true
		}
	}
	return 0, i, false
}

func (s tokens) timeUnit(i int) bool {
	if s.text(i) == "-" {
		i++
	}
	n, _ := s.period(i)
	return n > 0
}

func (s tokens) unitWord(i int) bool {
	for _, list := range [][][]string{pointPhrases, basisPhrases, percentPhrases} {
		if _, ok := s.skip(i, list...); ok {
			return true
		}
	}
	return s.timeUnit(i)
}

// quantity reads the number with its unit at i.
func (s tokens) quantity(i int) (q quantity, next int, ok bool) {
	at, sign := i, 1.0
	switch {
	case s.text(at) == "minus", s.text(at) == "-" && at+1 < len(s) && s[at+1].glued && !s[at].glued:
		sign, at = -1, at+1
	}
	currency := false
	if _, ok := s.skip(at, []string{"$"}, []string{"€"}, []string{"£"}, []string{"¥"}, []string{"us$"}); ok {
		currency, at = true, at+1
	}
	switch x, next, isPart := s.fraction(at); {
	case isPart:
		q.x, q.unit = x, fraction
		if to, ok := s.skip(next, ofPhrases...); ok { // half a percent, a quarter of a point
			if end, ok := s.skip(to, pointPhrases...); ok {
				q.x, q.unit, next = x/100, points, end
			} else if end, ok := s.skip(to, percentPhrases...); ok {
				q.x, q.unit, next = x/100, percent, end
			}
		} else {
			to := next
			if s.text(to) == "-" {
				to++
			}
			if end, ok := s.skip(to, pointPhrases...); ok {
				q.x, q.unit, next = x/100, points, end
			}
		}
		at = next
	default:
		x, next, isNumber := s.number(at)
		if !isNumber && s.text(at) == "a" {
			if end, ok := s.skip(at+1, pointPhrases...); ok && s.text(end) != "where" && s.text(end) != "of" {
				x, next, isNumber = 1, at+1, true
			} else if _, ok := s.skip(at+1, []string{"percent"}, []string{"per", "cent"}); ok {
				x, next, isNumber = 1, at+1, true
			}
		}
		if !isNumber {
			return q, i, false
		}
		q.x = x
		at = s.unit(next, &q)
	}
	q.x *= sign
	if currency && q.unit == plain {
		q.unit = money
	}
	at = s.measure(at, &q)
	if q.unit == fraction && q.x == .5 && q.per == 12 && q.of == ofNothing {
		q = quantity{unit: months, x: 6}
	}
	q.span = Span{s[i].From, s[at-1].To}
	return q, at, true
}

// unit reads the unit of a number.
func (s tokens) unit(i int, q *quantity) int {
	at := i
	if s.text(at) == "-" {
		at++
	}
	for _, u := range []struct {
		unit   unit
		factor float64
		words  [][]string
	}{
		{points, .01, pointPhrases}, {points, 1e-4, basisPhrases}, {fraction, .01, hundredPhrases}, {fraction, .001, milPhrases},
		{percent, .01, percentPhrases}, {money, 1, moneyPhrases}, {factor, 1, [][]string{{"time"}, {"fold"}, {"×"}}},
	} {
		if next, ok := s.skip(at, u.words...); ok {
			q.x *= u.factor
			q.unit = u.unit
			return next
		}
	}
	if n, next := s.period(at); n > 0 {
		q.x *= float64(n)
		q.unit = months
		if end, ok := s.skip(next, []string{"and", "a", "half"}); ok {
			q.x += float64(n) / 2
			next = end
		}
		if end, ok := s.skip(next, []string{"of", "age"}, []string{"old"}); ok {
			q.unit, q.x, next = people, q.x/12, end
		}
		return next
	}
	return i
}

// measure reads what may follow a number and its unit: of GDP, a month.
func (s tokens) measure(i int, q *quantity) int {
	if q.unit == months || q.unit == factor {
		return i
	}
	share := q.unit == percent || q.unit == fraction || q.unit == points
	per := func(i int) int {
		for n, words := range perPhrases {
			if next, ok := s.skip(i, words...); ok {
				if _, later := s.skip(next, phraseList("from now, from today, later, hence")...); later {
					continue // "at 12 percent a year from now"
				}
				q.per = n
				if q.unit == plain {
					q.unit = money
				}
				return next
			}
		}
		return i
	}
	if q.unit == plain || q.unit == points {
		if next, ok := s.skip(i, wageMonths...); ok {
			return next // of a measure that is counted in monthly wages
		}
	}
	i = per(i)
	if share {
		longest := i
		for _, m := range []struct {
			of    measure
			words [][]string
		}{{ofGDP, gdpPhrases}, {ofMedian, medianPhrases}, {ofMean, meanPhrases}, {ofNothing, ofItself}} {
			for _, words := range m.words {
				if next, ok := s.skip(i, words); ok && next > longest {
					longest, q.of = next, m.of
				}
				if s.text(i) != "of" || !articles[s.text(i+1)] || len(words) < 2 || words[0] != "of" {
					continue
				}
				if next, ok := s.skip(i+2, words[1:]); ok && next > longest { // "of their license fee"
					longest, q.of = next, m.of
				}
			}
		}
		if of, next := s.ofWhose(i); next > longest {
			longest, q.of = next, of
		}
		i = longest
	}
	return per(i)
}

// ofWhose reads what a share is one of where it is said in other words: "of what the typical worker takes home".
func (s tokens) ofWhose(i int) (measure, int) {
	if s.text(i) != "of" {
		return ofNothing, i
	}
	median, mean, nation, wage, made, end := false, false, false, false, false, i
	for k := i + 1; k < min(len(s), i+10) && s[k].word; k++ {
		switch t := s[k]; {
		case t.is("with", "against", "to", "for", "on"): // "of the median with a wage subsidy": of something else
			k = len(s)
			continue
		case t.is("median", "middle", "typical"):
			median = true
		case t.is("mean", "average"):
			mean = true
		case t.is("nation", "country", "economy", "national", "we", "land"):
			nation = true
		case t.is("wage", "pay", "income", "earn", "earner", "earnings", "salary", "worker", "get", "paycheck", "pay-packet"):
			wage = true
			made = made || t.is("income", "earn", "earnings")
		case t.is("produce", "output", "product", "production", "make", "generate", "bring"):
			made = true
		case linking[t.text] || t.is("home", "gross", "full", "time", "out", "turn"):
			continue
		default:
			k = len(s)
			continue
		}
		end = k + 1
	}
	switch {
	case median && wage:
		return ofMedian, end
	case mean && wage:
		return ofMean, end
	case nation && made && !wage || nation && s.text(i+1) != "their" && made:
		return ofGDP, end
	}
	return ofNothing, i
}

// period is the length in months of the unit of time at i; 0 = none stands there.
func (s tokens) period(i int) (n, next int) {
	if i >= len(s) {
		return 0, i
	}
	switch {
	case s[i].is("year", "yr"), s[i].text == "years'", s[i].text == "y" && s[i].glued:
		return 12, i + 1
	case s[i].is("quarter"):
		return 3, i + 1
	case s[i].is("month", "mth"), s[i].text == "months'", s[i].glued && (s[i].text == "m" || s[i].text == "mo"):
		return 1, i + 1
	case s[i].is("decade"):
		return 120, i + 1
	}
	return 0, i
}
