package design

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"econ-mcp/sim"
)

// resolve gives a lever its value. What has none is said in the plan, and left out.
func (r *reading) resolve(it *item) (Lever, bool) {
	row := levers[it.meant]
	l := Lever{
		Kind:       row.kind,
		Parameter:  row.nameOr(),
		Direction:  Set,
		StartMonth: 1,
		Why:        row.why,
		row:        it.meant,
		Persist:    row.persistence,
	}
	if it.hi > it.lo {
		l.FromText = r.text(it.lo, it.hi)
	}
	r.timing(it, &l)
	switch {
	case row.kind == KindPreset:
		l.Assumed = true
		return l, true
	case row.kind == KindParameter:
		info, err := sim.Lookup(l.Parameter)
		if err != nil {
			panic(err) // a row names what the catalogue does not have
		}
		l.Unit = info.Unit
		l.From, _ = r.plan.base.Params.Get(l.Parameter)
		switch row.unit {
		case switchUnit:
			return r.switched(it, row, l)
		case choiceUnit:
			l.Value, l.Assumed = row.set, len(it.sizes) > 0
			for _, q := range it.sizes {
				r.unmapped(r.text(q.start, q.end), l.Parameter+" is a choice: it has no size", l.Parameter+" 是选项，没有幅度")
			}
			return l, r.differs(&l)
		}
		return r.number(it, row, info, l)
	}
	return r.packaged(it, row, l)
}

// switched is the value of a switch.
func (r *reading) switched(it *item, row row, l Lever) (Lever, bool) {
	l.Value = row.set
	switch {
	case it.entry.sign != 0 && it.change == abolish:
		l.Value = it.sign > 0 // the end of what the phrase says: no price controls
		if it.entry.sign < 0 {
			l.Value = true
		}
	case it.change == abolish:
		l.Value = false
	case it.entry.sign > 0 || it.change == introduce && it.entry.sign == 0:
		l.Value = true
	case it.entry.sign < 0:
		l.Value = false
	}
	return l, r.differs(&l)
}

// differs says in the plan where a change leaves the base as it is.
func (r *reading) differs(l *Lever) bool {
	if l.Value != l.From {
		return true
	}
	r.unmapped(l.FromText, fmt.Sprintf("%s is %v already", l.Parameter, l.Value), fmt.Sprintf("%s 已经是 %v", l.Parameter, l.Value))
	return false
}

// number is the value of a parameter that is a number.
func (r *reading) number(it *item, row row, info sim.Parameter, l Lever) (Lever, bool) {
	from, _ := toFloat(l.From)
	start := from
	sign := it.sign
	if sign == 0 && it.entry.inverse && it.entry.sign == 0 && len(it.sizes) == 0 {
		sign = -1 // "the effect of patents" means more of them
	}
	if sign == 0 && row.falls {
		sign = -1
	}
	var to, by *quantity
	for i := range it.sizes {
		q := &it.sizes[i]
		if row.unit == monthlyUnit && q.per == 0 && r.yearly(it) {
			q.per = 12
		}
		if q.of == ofGDP && row.unit != gdpUnit && !strings.Contains(info.Unit, "GDP") {
			r.unmapped(r.text(q.start, q.end), "it is no value of "+l.Parameter+" ("+info.Unit+")", "无法换算为 "+l.Parameter+" 的数值")
			continue
		}
		switch q.role {
		case fromRole:
			if x, ok := row.absolute(*q, from, it.sizes); ok {
				from = x
			}
		case toRole:
			if to != nil {
				r.another(*q, l.Parameter)
				continue
			}
			to = q
		case byRole:
			if by != nil {
				r.another(*q, l.Parameter)
				continue
			}
			by = q
		}
	}
	if to != nil && row.isStock(*to) {
		r.unmapped(
			r.text(to.start, to.end),
			l.Parameter+" is a flow, "+info.Unit+": a share reached cannot be set",
			l.Parameter+" 是每月流量，无法直接设定所达到的比例",
		)
		to = nil
	}
	if to != nil && !to.explicit && it.entry.sign != 0 && from != 0 && (to.unit == percentUnit || to.unit == pointsUnit) &&
		row.reference == 0 {
		to, by = nil, to // a tax cut of 10 %
	}
	value := math.NaN()
	switch {
	case to != nil && !it.entry.inverse:
		if x, ok := row.absolute(*to, from, it.sizes); ok {
			value = x
			if it.change == double && from == 0 && to.explicit {
				from = x / 2 // doubled to 40 %, where the base has none
			}
		} else {
			r.unmapped(r.text(to.start, to.end), "it is no value of "+l.Parameter+" ("+info.Unit+")", "无法换算为 "+l.Parameter+" 的数值")
		}
	case by != nil || to != nil:
		if by == nil {
			by = to
		}
		if from == 0 && row.isRelative(*by) && row.reference > 0 {
			from = row.reference
		}
		value = row.changed(from, *by, sign, it.entry.inverse)
		if by.unit == percentUnit && row.isRelative(*by) && row.unit == rateUnit && start != 0 && info.Unit != "" {
			l.Note = r.say(
				fmt.Sprintf(
					"read as a relative change, %s to %s; say percentage points for a step of the rate itself",
					short(from),
					short(value),
				),
				fmt.Sprintf("理解为相对变化：%s 变为 %s；若指百分点请写明", short(from), short(value)),
			)
		}
	}
	if math.IsNaN(value) {
		before := from
		from, value = r.usual(it, row, info, from, sign)
		l.Assumed = from != before || it.change != double && it.change != triple && it.change != halve && it.change != abolish
	}
	if clipped := clamp(value, info); clipped != value {
		l.Note = r.say(
			fmt.Sprintf("%s lies beyond the range %s: the nearest value is used", short(value), info.Range()),
			fmt.Sprintf("%s 超出取值范围 %s 至 %s：取最接近的值", short(value), short(info.Min), short(info.Max)),
		)
		value = clipped
	}
	from = clamp(from, info)
	if q := firstMoney(it.sizes); q != nil && (row.unit == meanUnit || row.unit == medianUnit) {
		l.Note = r.say(
			fmt.Sprintf(
				"%s units are a share of the mean wage at the start, %s units a month; it grows with wages",
				short(q.x),
				short(meanWage),
			),
			fmt.Sprintf("%s 按初始平均工资（每月 %s 单位）折算为比例，随工资增长", short(q.x), short(meanWage)),
		)
	}
	return r.typed(info, l, from, value)
}

// yearly says whether the sentence of a lever speaks of what happens in a year, apart from
// its number: 每年吸纳相当于人口1%的移民.
func (r *reading) yearly(it *item) bool {
	from, to := it.start, it.end
	for from > 0 && !r.tokens.stops(from-1) {
		from--
	}
	for to < len(r.tokens) && !r.tokens.stops(to) {
		to++
	}
	for t := from; t < to; t++ {
		if _, ok := r.tokens.skip(t, "每年", "annually", "yearly", "per year", "each year", "every year"); ok {
			return true
		}
	}
	return false
}

// typed puts numbers into the parameter's own type.
func (r *reading) typed(info sim.Parameter, l Lever, from, value float64) (Lever, bool) {
	from, value = tidy(from), tidy(value)
	l.Direction = Increase
	if value < from {
		l.Direction = Decrease
	}
	if info.Type == sim.TypeInteger {
		l.From, l.Value = int(math.Round(from)), int(math.Round(value))
	} else {
		l.From, l.Value = from, value
	}
	return l, r.differs(&l)
}

// usual is the change that a question without a number means.
func (r *reading) usual(it *item, row row, info sim.Parameter, from float64, sign int) (float64, float64) {
	off := row.reference
	if off == 0 {
		off = row.typical
	}
	switch it.change {
	case double, triple, halve:
		if from == 0 {
			from = off
		}
		factor := map[verb]float64{double: 2, triple: 3, halve: .5}[it.change]
		if it.entry.inverse {
			factor = 1 / factor // half as many firms have twice the households
		}
		return from, from * factor
	case abolish:
		least := max(info.Min, min(0, info.Max))
		if it.entry.inverse {
			return from, from + r.step(row)
		}
		if from <= least {
			from = off
		}
		return from, least
	}
	step := r.step(row)
	if sign < 0 && info.Min >= 0 && from <= info.Min {
		from = off
	}
	if sign < 0 {
		return from, max(info.Min, from-step)
	}
	return from, min(info.Max, from+step)
}

// step is the usual change, smaller or larger where the question says so.
func (r *reading) step(row row) float64 {
	for i := range r.items {
		switch {
		case r.items[i].is(smallMeaning):
			return row.small
		case r.items[i].is(largeMeaning):
			return 2 * row.typical
		}
	}
	return row.typical
}

// absolute is the value of the lever that a quantity names.
func (row row) absolute(q quantity, from float64, sizes []quantity) (float64, bool) {
	x := q.x
	unit := q.unit
	if unit == plainUnit { // "from 8 to 12 percent"
		for _, other := range sizes {
			if other.unit == percentUnit && q.role == fromRole {
				unit, x = percentUnit, x/100
				break
			}
		}
	}
	switch unit {
	case fractionUnit:
		if q.of == ofNothing && from != 0 && row.unit != medianUnit && row.unit != meanUnit {
			return from * x, true
		}
	case factorUnit:
		return from * x, from != 0
	case moneyUnit, plainUnit:
		return row.plain(x, unit == moneyUnit)
	case pointsUnit, percentUnit:
	case monthsUnit:
		switch row.unit {
		case yearsUnit:
			return x / 12, true
		case spanUnit:
			return x, true
		}
		return 0, false
	}
	switch row.unit {
	case indexUnit:
		return 100 * x, true
	case meanUnit:
		if q.of == ofMedian {
			x *= medianOfMean
		}
	case medianUnit:
		if q.of == ofMean {
			x /= medianOfMean
		}
	case monthlyUnit:
		if q.per == 12 {
			x /= 12
		}
	case yearlyUnit:
		if q.per == 1 {
			x *= 12
		}
	case amountUnit, yearsUnit, spanUnit:
		return 0, false
	}
	return x, true
}

// isStock says whether a quantity is a share that has been reached, where the lever is a
// share of those who change in a month.
func (row row) isStock(q quantity) bool {
	return row.unit == monthlyUnit && q.per == 0 && q.x > .05 && (q.unit == percentUnit || q.unit == fractionUnit)
}

// leastMonthly is the least amount of money that may be a wage of a month: what is less is
// one of an hour.
const leastMonthly = 100

// plain is the value of a number without a unit, or of an amount of money.
func (row row) plain(x float64, money bool) (float64, bool) {
	switch row.unit {
	case meanUnit, medianUnit:
		if !money && x <= 3 {
			return x, true
		}
		wage := meanWage
		if row.unit == medianUnit {
			wage = meanWage * medianOfMean
		}
		return x / wage, x >= leastMonthly
	case amountUnit, numberUnit, yearsUnit, spanUnit, indexUnit:
		return x, !money || row.unit == amountUnit
	default:
		if money {
			return 0, false
		}
		if math.Abs(x) >= 1 {
			return x / 100, true
		}
	}
	return x, true
}

// isRelative says whether a change is one in proportion.
func (row row) isRelative(q quantity) bool {
	switch q.unit {
	case fractionUnit, factorUnit:
		return true
	case percentUnit:
		switch row.unit {
		case levelUnit, yearlyUnit:
			return false
		case monthlyUnit: // 0.5 % a year more is no half of a percent more than now
			return q.per == 0
		case gdpUnit:
			return q.of != ofGDP
		case meanUnit, medianUnit:
			return q.of == ofNothing
		}
		return true
	}
	return false
}

// changed is the value after a change by a quantity.
func (row row) changed(from float64, q quantity, sign int, inverse bool) float64 {
	if sign == 0 {
		sign = 1
	}
	if row.isRelative(q) {
		x := q.x
		if q.unit == factorUnit {
			switch {
			case sign < 0:
				return from / max(1, x)
			case x == 1: // 提高一倍
				return from * 2
			}
			return from * x
		}
		if inverse { // the number of firms, by a third
			if 1-float64(sign)*x <= 0 {
				return math.NaN()
			}
			return from / (1 - float64(sign)*x)
		}
		if from == 0 {
			return float64(sign) * x
		}
		return from * (1 + float64(sign)*x)
	}
	step, ok := row.absolute(quantity{unit: q.unit, x: q.x, of: q.of, per: q.per, role: byRole}, from, nil)
	if !ok {
		return math.NaN()
	}
	return from + float64(sign)*step
}

// packaged is the level of a policy, the size of a shock or an amount.
func (r *reading) packaged(it *item, row row, l Lever) (Lever, bool) {
	low, high := 0.0, 1e6
	l.Unit = "currency units a head and month"
	if row.kind != KindInjection {
		pack, err := sim.PackageByID(
			map[Kind]sim.InterventionType{KindPolicy: sim.TypePolicy, KindShock: sim.TypeShock}[row.kind],
			l.Parameter,
		)
		if err != nil {
			panic(err) // a row names what there is not
		}
		low, high, l.Unit = pack.Min, pack.Max, pack.Unit
	}
	sign := it.sign
	if sign == 0 {
		sign = 1
		if row.falls {
			sign = -1
		}
	}
	x := math.NaN()
	for _, q := range it.sizes {
		if q.role == fromRole {
			continue
		}
		switch y, ok := row.level(q, it.change); {
		case ok && math.IsNaN(x):
			x = y
		case ok:
			if y != x {
				r.another(q, l.Parameter)
			}
		default:
			r.unmapped(r.text(q.start, q.end), "it is no size of "+l.Parameter+" ("+l.Unit+")", "无法换算为 "+l.Parameter+" 的幅度")
		}
	}
	switch {
	case !math.IsNaN(x):
	case it.change == halve && row.relative > 0:
		x = row.relative / 2
	case (it.change == abolish || it.entry.sign != 0) && row.relative > 0:
		x = row.relative
	case it.change == halve && row.kind == KindShock:
		x, sign = .5, -1
	case it.change == double && row.kind == KindShock:
		x, sign = 1, 1
	default:
		x = r.step(row)
		l.Assumed = true
	}
	if row.kind == KindShock {
		l.Direction = Increase
		if x *= float64(sign); low >= 0 {
			x = math.Abs(x)
		}
		if x < 0 {
			l.Direction = Decrease
		}
	} else if row.kind == KindInjection {
		l.Direction = Increase
		if l.DurationMonths == 0 && l.Parameter != "all" {
			l.DurationMonths = r.plan.base.Params.NumIterations // an injection lasts one month otherwise
		}
	}
	if clipped := min(max(x, low), high); clipped != x {
		l.Note = r.say(
			fmt.Sprintf("%s lies beyond %s to %s: the nearest is used", short(x), short(low), short(high)),
			fmt.Sprintf("%s 超出 %s 至 %s：取最接近的值", short(x), short(low), short(high)),
		)
		x = clipped
	}
	x = tidy(x)
	if row.relative > 0 && x > 0 {
		r.remark(&l, r.cutOf(x))
	}
	if x == 0 {
		r.unmapped(l.FromText, "it changes nothing", "没有产生任何变化")
		return l, false
	}
	if l.DurationMonths > 0 && row.kind == KindShock {
		l.Persist = 1 // in force for as long as the question says
	}
	l.Value = x
	return l, true
}

// remark adds to the note of a lever.
func (r *reading) remark(l *Lever, note string) {
	if l.Note != "" {
		note = l.Note + r.say("; ", "；") + note
	}
	l.Note = note
}

// cutOf says what austerity of a level stands for where a question names the deficit: by
// how much the deficit of the baseline falls, which is the one that is known.
func (r *reading) cutOf(level float64) string {
	points := level / deficitPerCut
	share, of := short(math.Round(1e4*points/usualDeficit)/100), short(100*usualDeficit)
	en := fmt.Sprintf(
		"sized so that a deficit of %s %% of GDP, that of the baseline, falls by %s %% of itself, or %s %% of GDP, once the economy "+
			"has answered",
		of,
		share,
		short(math.Round(1e4*points)/100),
	)
	zh := fmt.Sprintf("幅度按基准经济的赤字（GDP 的 %s %%）设定：经济反应之后，赤字减少其 %s %%，即 GDP 的 %s %%", of, share, short(math.Round(1e4*points)/100))
	if name := r.plan.base.Name; name != Baseline {
		en += fmt.Sprintf("; the deficit of %s may be another", name)
		zh += fmt.Sprintf("；%s 的赤字可能不同", name)
	}
	return r.say(en, zh)
}

// level is the level, size or amount that a quantity names.
func (row row) level(q quantity, change verb) (float64, bool) {
	switch {
	case row.unit == amountUnit:
		return q.x, q.unit == moneyUnit || q.unit == plainUnit
	case q.unit == moneyUnit || q.unit == monthsUnit:
		return row.plain(q.x, q.unit == moneyUnit)
	case row.relative > 0 && q.role == toRole && q.unit == percentUnit && change != noVerb: // the deficit, to a share of GDP
		return (usualDeficit - q.x) * row.perGDP, q.x < usualDeficit
	case q.of == ofGDP && row.perGDP > 0, q.unit == pointsUnit && row.perGDP > 0:
		return q.x * row.perGDP, true
	case row.relative > 0:
		return q.x * row.relative, q.unit != plainUnit
	case q.unit == plainUnit && math.Abs(q.x) >= 1:
		return q.x / 100, row.unit != numberUnit
	case row.unit == meanUnit && q.of == ofMedian:
		return q.x * medianOfMean, true
	case q.unit == factorUnit:
		return q.x - 1, true
	}
	return q.x, true
}

func firstMoney(sizes []quantity) *quantity {
	for i := range sizes {
		if sizes[i].unit == moneyUnit || sizes[i].unit == plainUnit && sizes[i].x > 3 {
			return &sizes[i]
		}
	}
	return nil
}

func clamp(x float64, info sim.Parameter) float64 { return min(max(x, info.Min), info.Max) }

// tidy takes away what binary fractions add: .08 × 1.1 is .088.
func tidy(x float64) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 10, 64), 64)
	if err != nil {
		return x
	}
	return y + 0
}

func toFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int:
		return float64(v), true
	}
	return 0, false
}

// short writes a number with at most four digits that count.
func short(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

func itoa(n int) string { return strconv.Itoa(n) }
