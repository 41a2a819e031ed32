package sim

import (
	"fmt"
	"math"
	"strings"
)

// ImplausibleKind is a way in which an economy is unlike any for which the model was made: its books balance,
// and its effects are still to be read with care.
type ImplausibleKind int

// The kinds, in the order of reports.
const (
	MassUnemployment ImplausibleKind = iota
	WildInflation
	HighDebt
	IdleFirms
	Collapse

	NumImplausibleKinds
)

// The bounds beyond which an economy is implausible.
const (
	plausibleUnemployment = .4  // share of the labour force
	plausibleInflation    = .5  // a year, in either direction
	plausibleDebt         = 5.  // times annual GDP
	plausibleIdle         = .5  // share of firms; this and more is implausible
	plausibleFall         = -.3 // of real GDP from its highest month in fallMonths; this and less is implausible
	fallMonths            = 120
)

// implausibleTable says what each kind is. The texts take the worst value, and then the first month.
var implausibleTable = [NumImplausibleKinds]struct {
	name, unit string
	beyond     func(x float64) bool
	en, zh     string
}{
	MassUnemployment: {
		"unemployment", "share of the labour force", func(x float64) bool { return x > plausibleUnemployment },
		"unemployment reached %s (first above 40 %% in month %d)", "失业率达到 %s（第%d个月首次高于 40 %%）",
	},
	WildInflation: {
		"inflation", "share a year", func(x float64) bool { return math.Abs(x) > plausibleInflation },
		"inflation reached %s a year (first beyond 50 %% up or down in month %d)", "年通胀率达到 %s（第%d个月首次涨跌超过 50 %%）",
	},
	HighDebt: {
		"debt", "times annual GDP", func(x float64) bool { return x > plausibleDebt },
		"public debt reached %s times annual GDP (first above 5 in month %d)", "公共债务达到年GDP的 %s 倍（第%d个月首次高于 5 倍）",
	},
	IdleFirms: {
		"idle_firms", "share of firms", func(x float64) bool { return x >= plausibleIdle },
		"firms without employees reached %s of all firms (first half of them or more in month %d)",
		"没有雇员的企业达到全部企业的 %s（第%d个月首次达到一半）",
	},
	Collapse: {
		"collapse", "change of real GDP within ten years", func(x float64) bool { return x <= plausibleFall },
		"real GDP changed by %s within ten years (first by −30 %% or worse in month %d)",
		"实际GDP在十年内变动 %s（第%d个月首次下降 30 %% 或更多）",
	},
}

// String is the kind's name in tables and files.
func (k ImplausibleKind) String() string { return implausibleTable[k].name }

// Unit is what [Implausible.Worst] is measured in.
func (k ImplausibleKind) Unit() string { return implausibleTable[k].unit }

// Implausible is something that makes an economy implausible.
type Implausible struct {
	Kind  ImplausibleKind
	Month int     // the first beyond the bound
	Worst float64 // the value furthest beyond it, in the kind's unit
}

// Reason says it in both languages, without a full stop.
func (f Implausible) Reason() Reason {
	row := &implausibleTable[f.Kind]
	worst := digits(f.Worst)
	if f.Kind != HighDebt {
		worst = digits(100*f.Worst) + " %"
	}
	return Reason{fmt.Sprintf(row.en, worst, f.Month), fmt.Sprintf(row.zh, worst, f.Month)}
}

// Worse is the same finding in two economies: the earlier month and the worse value.
func (f Implausible) Worse(other Implausible) Implausible {
	f.Month = min(f.Month, other.Month)
	if math.Abs(other.Worst) > math.Abs(f.Worst) {
		f.Worst = other.Worst
	}
	return f
}

// digits writes a number of any size with three digits or more.
func digits(x float64) string {
	switch size := math.Abs(x); {
	case math.IsInf(x, 0):
		if x < 0 {
			return "−∞"
		}
		return "∞"
	case size >= 100 && size < 1e6:
		return strings.Replace(fmt.Sprintf("%.0f", x), "-", "−", 1)
	}
	return strings.Replace(fmt.Sprintf("%.3g", x), "-", "−", 1)
}

// Plausibility watches the months of an economy, from month 1. The zero value is ready for use.
type Plausibility struct {
	found [NumImplausibleKinds]Implausible
	gdp   [fallMonths]float64 // real, of the months before; 0 = not there
	seen  int                 // months
}

// Observe takes in a month. The months of the burn-in do not count.
func (p *Plausibility) Observe(r *Record) {
	if r.Month < 1 {
		return
	}
	for k, x := range [NumImplausibleKinds]float64{
		MassUnemployment: r.Values[UnemploymentRate],
		WildInflation:    r.Values[Inflation],
		HighDebt:         r.Values[DebtToGDP],
		IdleFirms:        r.Firms.idle(),
		Collapse:         p.fall(r.Values[RealGDP]),
	} {
		if !implausibleTable[k].beyond(x) { // as what is not there
			continue
		}
		now := Implausible{ImplausibleKind(k), r.Month, x}
		if before := p.found[k]; before.Month > 0 {
			now = before.Worse(now)
		}
		p.found[k] = now
	}
}

// fall takes in a month's real GDP and returns its change since the highest month of the ten years before.
func (p *Plausibility) fall(gdp float64) float64 {
	highest := gdp
	for _, x := range p.gdp {
		highest = max(highest, x)
	}
	p.gdp[p.seen%fallMonths] = gdp
	p.seen++
	return gdp/highest - 1
}

// Found lists what makes the economy implausible, in the order of the kinds.
func (p *Plausibility) Found() (list []Implausible) {
	for _, f := range p.found {
		if f.Month > 0 {
			list = append(list, f)
		}
	}
	return list
}

// idle is the share of firms without employees; NaN without firms.
func (f *FirmSummary) idle() float64 {
	all := 0
	for _, n := range f.Sizes {
		all += n
	}
	return float64(f.Sizes[0]) / float64(all)
}
