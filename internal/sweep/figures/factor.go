package figures

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
	"econ-mcp/internal/sweep"
	"econ-mcp/sim"
)

// words are a text in both languages.
type words struct{ en, zh string }

func (w words) in(language string) string {
	if language == report.Chinese {
		return w.zh
	}
	return w.en
}

// factor is how people read a factor of a sweep.
type factor struct {
	label  string  // such as "VAT (vat, event 2)"
	unit   string  // "" = none
	by     float64 // 100 of what is shown in percent
	whole  bool    // it takes whole numbers
	log    bool
	lowest float64 // of the range, and of all points
	most   float64
}

// place is where a number stands in an inquiry.
var place = regexp.MustCompile(`^(?:background|arms\.([^.\[]+))(?:\.(events|rules)\[(\d+)\])?(?:\.do)?\.(?:(set)\.)?([^.]+)$`)

// factorsOf are the factors of a design with these points, none with the label of another.
func factorsOf(d *sweep.Design, points [][]float64, language string) (list []factor) {
	seen := map[string]bool{}
	for j, f := range d.Factors {
		g := labelled(f.Name, d.Inquiry, language)
		if seen[g.label] {
			g.label += " [" + f.Name + "]"
		}
		seen[g.label] = true
		g.log, g.lowest, g.most, g.whole = f.Log, math.Inf(1), math.Inf(-1), true
		if f.Values == nil && len(d.Rows) == 0 {
			g.lowest, g.most = f.Low, f.High
		}
		for _, row := range points {
			g.lowest, g.most, g.whole = min(g.lowest, row[j]), max(g.most, row[j]), g.whole && row[j] == math.Trunc(row[j])
		}
		list = append(list, g)
	}
	return list
}

// times are the words of an event that say when, with their unit.
var times = map[string]words{
	"from": {"start", "开始"}, "for": {"duration", "持续时间"}, "ramp": {"phase-in", "逐步到位时间"},
}

// labelled reads the name of a factor.
func labelled(name string, q inquiry.Inquiry, language string) factor {
	months := words{"months", "个月"}.in(language)
	if name == "design.burn_in" {
		return factor{label: words{"Burn-in", "预热期"}.in(language), unit: months, by: 1}
	}
	m := place.FindStringSubmatch(name)
	if m == nil { // a parameter of the background, by its name alone
		m = []string{name, "", "", "", "set", name}
	}
	arm, list, key := m[1], m[2], m[5]
	at, _ := strconv.Atoi(m[3])
	events, rules := q.Background.Events, q.Background.Rules
	for _, a := range q.Arms {
		if a.Name == arm {
			events, rules = a.Events, a.Rules
		}
	}
	if list == "rules" {
		events = rules
	}
	f := factor{by: 1, label: strings.ReplaceAll(key, "_", " ")}
	if m[4] == "set" {
		if row, err := sim.Lookup(key); err == nil {
			f.label = words{row.Label, row.LabelZH}.in(language)
			f.inUnit(row.Unit, language)
		}
	} else if at < len(events) {
		f = eventNumber(events[at], key, language)
	}
	var where []string
	if arm != "" {
		where = append(where, arm)
	}
	if list != "" && len(events) > 1 {
		kind := map[string]words{"events": {"event", "事件"}, "rules": {"rule", "规则"}}[list]
		where = append(where, fmt.Sprintf("%s %d", kind.in(language), at+1))
	}
	if len(where) > 0 {
		f.label += words{" (" + strings.Join(where, ", ") + ")", "（" + strings.Join(where, "，") + "）"}.in(language)
	}
	first, size := utf8.DecodeRuneInString(f.label)
	f.label = string(unicode.ToUpper(first)) + f.label[size:]
	return f
}

// eventNumber is a number of an event other than a parameter's value.
func eventNumber(v sim.Intervention, key, language string) factor {
	what := words{}
	f := factor{by: 1}
	unit := ""
	switch v.Type {
	case sim.TypePolicy:
		if pack, err := sim.PackageByID(v.Type, v.Policy.Policy); err == nil {
			what, unit = words{pack.Label, pack.LabelZH}, pack.Unit
		}
	case sim.TypeShock:
		if pack, err := sim.PackageByID(v.Type, v.Shock.Shock); err == nil {
			what, unit = words{pack.Label, pack.LabelZH}, pack.Unit
		}
	case sim.TypeInjection:
		what, unit = words{"payment", "发放"}, ""
	case sim.TypeParameterChange:
		what = words{"change", "变动"}
		if row, err := sim.Lookup(v.Parameters[0].Name); err == nil && len(v.Parameters) == 1 {
			what = words{row.Label, row.LabelZH}
		}
	}
	if t, ok := times[key]; ok {
		f.label = words{what.en + ": " + t.en, what.zh + "：" + t.zh}.in(language)
		f.unit = words{"months", "个月"}.in(language)
		if key == "from" {
			f.unit = words{"month", "月份"}.in(language)
		}
		return f
	}
	kind := map[string]words{
		"level": {"level", "水平"}, "size": {"size", "幅度"}, "persistence": {"persistence", "持续性"}, "amount": {"amount", "金额"},
	}[key]
	if kind == (words{}) {
		kind = words{key, key}
	}
	f.label = words{what.en + ": " + kind.en, what.zh + "：" + kind.zh}.in(language)
	switch key {
	case "level", "size":
		f.inUnit(unit, language)
	case "amount":
		f.unit = words{"currency units", "货币单位"}.in(language)
	}
	return f
}

func (f *factor) inUnit(unit, language string) { f.unit, f.by = report.ParameterUnit(unit, language) }

// axis is what stands at an axis of it.
func (f factor) axis() string {
	if f.unit == "" {
		return f.label
	}
	return f.label + ", " + f.unit
}

// number writes a value, without its unit but for percent.
func (f factor) number(x float64) string {
	s := f.bare(x)
	if f.by == 100 {
		s += " %"
	}
	return s
}

// bare writes a value without its unit, to four digits of the range, three of logs, and no digit that says nothing.
func (f factor) bare(x float64) string {
	if f.whole && f.by == 1 {
		return plot.Number(x, 0)
	}
	decimals := digits(f.by*(f.most-f.lowest)) + 1
	if f.log {
		decimals = digits(f.by * x)
	}
	s := plot.Number(f.by*x, decimals)
	if strings.Contains(s, ".") {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// digits is how many decimals show three digits of a size.
func digits(size float64) int {
	size = math.Abs(size)
	if !(size > 0) || math.IsInf(size, 0) {
		return 2
	}
	return min(6, max(0, 2-int(math.Floor(math.Log10(size)))))
}
