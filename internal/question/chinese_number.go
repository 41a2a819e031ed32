package question

import "strings"

var hanDigits = map[rune]float64{
	'零': 0, '〇': 0, '一': 1, '二': 2, '两': 2, '三': 3, '四': 4, '五': 5, '六': 6, '七': 7, '八': 8, '九': 9,
}

var hanPowers = map[rune]float64{'十': 10, '百': 100, '千': 1e3, '万': 1e4, '亿': 1e8}

// hanUnits are what may stand behind a number, the longest first.
var hanUnits = []struct {
	text string
	unit unit
	by   float64
}{
	{"个百分点", points, .01}, {"百分点", points, .01}, {"个基点", points, 1e-4}, {"基点", points, 1e-4}, {"bps", points, 1e-4},
	{"bp", points, 1e-4}, {"个bp", points, 1e-4}, {"个点", points, .01}, {"点", points, .01}, {"pp", points, .01}, {"%", percent, .01},
	{"‰", percent, .001}, {"成", fraction, .1}, {"折", factor, .1}, {"倍", factor, 1}, {"岁", people, 1}, {"周岁", people, 1},
	{"块钱", money, 1}, {"元钱", money, 1}, {"元", money, 1}, {"块", money, 1}, {"塊", money, 1}, {"毛钱", money, .1}, {"毛", money, .1},
	{"年时间", months, 12}, {"年", months, 12}, {"个月时间", months, 1}, {"个月", months, 1}, {"个季度", months, 3}, {"季度", months, 3}, {"个季", months, 3},
	{"个年头", months, 12}, {"载", months, 12},
}

// hanCounters are measure words; what they count is said by the noun.
const hanCounters = "个种样套项条边派位件场次家批类方户人名组道步轮张份支股笔国者段头档级只部"

// priced is a way to read what stands at a place, and what it costs to read it so.
type priced struct {
	token hanToken
	price int
}

// hanNumbers are the readings of a number at a place.
func hanNumbers(runes []rune, i int) []priced {
	has := func(at int, text string) bool { return hasRunes(runes, at, text) }
	number := func(to int, unit unit, x float64) priced {
		q := quantity{unit: unit, x: x, text: string(runes[i:to]), span: Span{i, to}}
		return priced{hanToken{span: q.span, q: &q, known: true}, priceNumber}
	}
	switch {
	case has(i, "第"):
		return hanOrdinal(runes, i)
	case has(i, "百分之"):
		if x, to := hanNumber(runes, i+3); to > 0 {
			return []priced{number(to, percent, x/100)}
		}
		return nil
	case has(i, "千分之"):
		if x, to := hanNumber(runes, i+3); to > 0 {
			return []priced{number(to, percent, x/1000)}
		}
		return nil
	case has(i, "一点") && !has(i, "一点五"):
		return nil // 多给一点
	case has(i, "一半"), has(i, "半数"):
		return []priced{number(i+2, fraction, .5)}
	case has(i, "半年"):
		return []priced{number(i+2, months, 6)}
	case has(i, "半个百分点"):
		return []priced{number(i+5, points, .005)}
	case has(i, "半个点"):
		return []priced{number(i+3, points, .005)}
	case has(i, "半成"):
		return []priced{number(i+2, fraction, .05)}
	}
	sign, at := 1.0, i
	if runes[i] == '-' && (i == 0 || !isDigitRune(runes[i-1])) && i+1 < len(runes) && isDigitRune(runes[i+1]) {
		sign, at = -1, i+1
	}
	x, to := hanNumber(runes, at)
	if to == 0 || sign > 0 && i > 0 && isDigitRune(runes[i]) && (isDigitRune(runes[i-1]) || isLatin(runes[i-1])) {
		return nil
	}
	x *= sign
	if has(to, "分之") && x > 0 {
		if upper, end := hanNumber(runes, to+2); end > 0 {
			return []priced{number(end, fraction, upper/x)}
		}
	}
	if p, ok := hanAges(runes, i, x, to); ok {
		return []priced{p}
	}
	var list []priced
	half := 0.0
	unitAt := to
	if has(to, "个半") {
		half, unitAt = .5, to+2
	}
	for _, u := range hanUnits {
		text := u.text
		if half > 0 {
			text = strings.TrimPrefix(text, "个")
			if text == "月时间" {
				continue
			}
		}
		if !has(unitAt, text) {
			continue
		}
		end := unitAt + len([]rune(text))
		y := x + half
		switch {
		case text == "点" && end < len(runes) && isHanDigit(runes[end]):
			continue
		case text == "年" && x >= 1900:
			return []priced{{number(end, plain, x).token, priceNumber}}
		case text == "年" && (has(end, "代") || has(end, "级")):
			continue
		case text == "年" && has(end, "半"):
			y, end = y+.5, end+1
		case text == "成" && has(end, "半"):
			y, end = y+.5, end+1
		case text == "成" && end < len(runes) && isHanDigit(runes[end]) && runes[end] != '两':
			y, end = y+hanDigits[runes[end]]/10, end+1
		case text == "成" && (has(end, "为") || has(end, "立") || has(end, "本") || has(end, "功") || has(end, "熟")):
			continue
		case text == "元" && has(end, "化"):
			continue
		}
		list = append(list, number(end, u.unit, y*u.by))
		break
	}
	if half == 0 && to < len(runes) && strings.ContainsRune(hanCounters, runes[to]) && len(list) == 0 {
		p := number(to+1, plain, x)
		p.token.count = true
		list = append(list, p)
	}
	bare := number(to, plain, x)
	if !isDigitRune(runes[to-1]) {
		bare.price = priceBare
	}
	return append(list, bare)
}

// hanOrdinal reads 第七个月, 第二年 and 第二个.
func hanOrdinal(runes []rune, i int) []priced {
	x, to := hanNumber(runes, i+1)
	if to == 0 || x < 1 {
		return nil
	}
	n := int(x)
	at := to // of 第25到第48个月, the unit stands behind the second
	for _, until := range []string{"到第", "至第", "-第", "到", "至", "-"} {
		if hasRunes(runes, to, until) {
			if _, end := hanNumber(runes, to+len([]rune(until))); end > 0 {
				at = end
			}
			break
		}
	}
	for _, u := range []struct {
		text   string
		months int
	}{{"个月份", 1}, {"个月", 1}, {"月", 1}, {"个季度", 3}, {"季度", 3}, {"季", 3}, {"个年头", 12}, {"年度", 12}, {"年", 12}} {
		if hasRunes(runes, at, u.text) {
			end := to
			if at == to {
				end = to + len([]rune(u.text))
			}
			return []priced{{hanToken{span: Span{i, end}, month: (n-1)*u.months + 1, until: n * u.months, known: true}, priceNumber}}
		}
	}
	if to < len(runes) && strings.ContainsRune(hanCounters, runes[to]) {
		to++
	}
	return []priced{{hanToken{span: Span{i, to}, known: true, word: hanWord{role: secondRole}}, priceNumber}}
}

// hanAges reads 55到64岁 and 60岁以上: a group by age.
func hanAges(runes []rune, i int, x float64, to int) (p priced, ok bool) {
	group := func(low float64) string {
		switch {
		case low < 25:
			return "young"
		case low < 50:
			return "prime"
		case low < 60:
			return "older"
		}
		return "retired"
	}
	token := func(end int, name string) (priced, bool) {
		return priced{hanToken{span: Span{i, end}, known: true, word: hanWord{role: groupRole, name: name}}, priceNumber - 1}, true
	}
	for _, and := range []string{"岁到", "岁至", "岁-", "到", "至", "-", "~", "—"} {
		if !hasRunes(runes, to, and) {
			continue
		}
		if _, end := hanNumber(runes, to+len([]rune(and))); end > 0 && hasRunes(runes, end, "岁") {
			return token(end+1, group(x))
		}
	}
	switch {
	case hasRunes(runes, to, "岁以上"):
		return token(to+3, group(x))
	case hasRunes(runes, to, "岁以下"), hasRunes(runes, to, "岁以内"):
		return token(to+3, "young")
	case hasRunes(runes, to, "多岁"):
		return token(to+2, group(x))
	}
	return p, false
}

func hasRunes(runes []rune, at int, text string) bool {
	for _, r := range text {
		if at >= len(runes) || runes[at] != r {
			return false
		}
		at++
	}
	return true
}

func isDigitRune(r rune) bool { return r >= '0' && r <= '9' }

func isHanDigit(r rune) bool {
	_, ok := hanDigits[r]
	return ok
}

// hanNumber reads 1,500 and 1.5万, 十五, 一百二十, 两千五 and 一点五; to is 0 where there is none.
func hanNumber(runes []rune, i int) (x float64, to int) {
	if i < len(runes) && isDigitRune(runes[i]) {
		return arabicNumber(runes, i)
	}
	total, digit, last, seen, zero := 0.0, -1.0, 1.0, false, false
	for to = i; to < len(runes); to++ {
		if d, ok := hanDigits[runes[to]]; ok {
			switch {
			case digit > 0 && runes[to] != '两':
				digit = digit*10 + d // 百分之二五
			case digit > 0:
				return total + digit, to
			default:
				digit = d
			}
			zero = d == 0
			seen = true
			continue
		}
		power, ok := hanPowers[runes[to]]
		each := i > 0 && runes[i-1] == '每' // 每百名劳动力
		if !ok || digit < 0 && power > 10 && total == 0 && !each {
			break
		}
		if power >= 1e4 {
			total, digit = (total+max(0, digit))*power, -1
		} else {
			if digit < 0 || zero {
				digit = 1
			}
			total, digit = total+digit*power, -1
		}
		last, seen, zero = power, true, false
	}
	if !seen {
		return 0, 0
	}
	if digit > 0 && last > 10 && to-1 > i && runes[to-2] != '零' {
		digit *= last / 10 // 两千五
	}
	x = total + max(0, digit)
	if to+1 < len(runes) && runes[to] == '点' && isHanDigit(runes[to+1]) {
		at, scale := to+1, .1
		for ; at < len(runes) && isHanDigit(runes[at]); at++ {
			x += hanDigits[runes[at]] * scale
			scale /= 10
		}
		to = at
	}
	return x, to
}

func arabicNumber(runes []rune, i int) (x float64, to int) {
	digits := func(at int) int {
		for at < len(runes) && isDigitRune(runes[at]) {
			at++
		}
		return at
	}
	to = digits(i)
	for to+3 < len(runes) && runes[to] == ',' && digits(to+1) == to+4 {
		to += 4
	}
	if to-i > 15 {
		return 0, 0
	}
	for _, r := range runes[i:to] {
		if r != ',' {
			x = x*10 + float64(r-'0')
		}
	}
	if to+1 < len(runes) && runes[to] == '.' && isDigitRune(runes[to+1]) {
		end, scale := digits(to+1), .1
		for _, r := range runes[to+1 : min(end, to+10)] {
			x += float64(r-'0') * scale
			scale /= 10
		}
		to = end
	}
	for to < len(runes) && hanPowers[runes[to]] >= 100 {
		x, to = x*hanPowers[runes[to]], to+1
	}
	return x, to
}
