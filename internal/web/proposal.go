package web

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"

	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/report"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
	"econ-mcp/tools"
)

// proposal is how an inquiry would be answered: all is decided, and nothing is simulated.
type proposal struct {
	Name       string          `json:"recommended_name"`
	ReadBack   string          `json:"read_back"`
	Assumed    []string        `json:"assumed" doc:"what goes on record of what was not said"`
	Hypothesis string          `json:"hypothesis" doc:"empty of several arms"`
	Arms       []string        `json:"arms" doc:"columns of changes, the control first where there is one"`
	Changes    []change        `json:"changes" doc:"the arms side by side"`
	Outcomes   []watched       `json:"outcomes" doc:"the primary one first"`
	Levers     []slider        `json:"levers"`
	Size       size            `json:"size"`
	Warnings   []string        `json:"warnings" doc:"what can do nothing"`
	Power      string          `json:"power" doc:"which effects the plan can find, said beforehand"`
	PlanHash   string          `json:"plan_hash"`
	Inquiry    json.RawMessage `json:"inquiry" doc:"canonical, with every default"`
}

// change is a row of the arms side by side.
type change struct {
	Label string   `json:"label"`
	Cells []string `json:"cells" doc:"of each arm"`
}

// watched is an outcome, and how it is judged.
type watched struct {
	Metric   string       `json:"metric"`
	Label    string       `json:"label"`
	Expect   lab.Expected `json:"expect"`
	Expected string       `json:"expected_text"`
	Months   string       `json:"months_text" doc:"whose means are compared"`
}

// slider is a value of an arm that a person can move.
type slider struct {
	Pointer string       `json:"pointer" doc:"JSON pointer (RFC 6901) to the value in the inquiry; empty = it cannot be moved"`
	Arm     string       `json:"arm"`
	Name    string       `json:"name" doc:"parameter, policy, shock, group or scenario"`
	Label   string       `json:"label"`
	Value   *tools.Value `json:"value"`
	From    *tools.Value `json:"from" doc:"in the control"`
	Written string       `json:"written" doc:"the value for people"`
	Before  string       `json:"from_written"`
	When    string       `json:"when"`
	Meaning string       `json:"meaning"`
	Choices []string     `json:"choices" doc:"of a value that is no number"`
	Whole   bool         `json:"whole" doc:"an integer"`
	Low     *float64     `json:"min" doc:"allowed; null of what is no number"`
	High    *float64     `json:"max"`
	Left    *float64     `json:"slider_min" doc:"a useful range within what is allowed"`
	Right   *float64     `json:"slider_max"`
	Step    *float64     `json:"slider_step"`
	Factor  float64      `json:"factor" doc:"100 where the value is shown in percent"`
	Unit    string       `json:"unit" doc:"as shown"`
}

// size is what an experiment takes.
type size struct {
	Base             string   `json:"base"`
	Households       int      `json:"households" doc:"of each economy"`
	Months           int      `json:"months" doc:"after burn-in"`
	BurnIn           int      `json:"burn_in_months"`
	Replications     int      `json:"replications" doc:"of each arm, at most"`
	Auto             bool     `json:"auto" doc:"added until the first outcome is known well enough"`
	HalfWidth        *float64 `json:"half_width" doc:"of auto: relative, of the interval at which adding stops"`
	Economies        int      `json:"economies" doc:"arms x replications"`
	EstimatedSeconds float64  `json:"estimated_seconds" doc:"on an idle machine without burnt-in states"`
	MemoryBytes      int64    `json:"memory_bytes" doc:"at its peak"`
	Lines            []string `json:"lines" doc:"all this for people"`
}

func newProposal(p lab.Proposal, memory int64) proposal {
	language, q, registered := p.Language, p.Inquiry, p.Registration()
	out := proposal{
		Name: p.Order.Name, ReadBack: q.ReadBack(language), Assumed: registered.Assumed, Warnings: p.Warnings,
		Power: registered.PowerText(language), PlanHash: p.PlanHash, Inquiry: q.JSON(), Size: sizeOf(p, memory),
	}
	if registered.FromQuestion() {
		out.Hypothesis = registered.HypothesisIn(language)
	}
	for _, o := range q.Outcomes {
		w := watched{Metric: o.Metric.String(), Label: report.Label(o.Metric, language), Expect: lab.Either}
		switch o.Expect {
		case 1:
			w.Expect, w.Expected = lab.Higher, inLanguage(language, "expected to rise", "预期上升")
		case -1:
			w.Expect, w.Expected = lab.Lower, inLanguage(language, "expected to fall", "预期下降")
		default:
			w.Expected = inLanguage(language, "either way", "方向不限")
		}
		var spans []string
		for _, x := range o.Windows {
			spans = append(spans, fmt.Sprintf("%d–%d", x.From, x.To))
		}
		w.Months = strings.Join(spans, inLanguage(language, " and ", "、"))
		out.Outcomes = append(out.Outcomes, w)
	}
	levers := p.Levers()
	for _, l := range levers {
		out.Levers = append(out.Levers, newSlider(l, language))
	}
	out.Arms, out.Changes = sideBySide(q, levers, language)
	return out
}

func sizeOf(p lab.Proposal, memory int64) size {
	d, first := p.Inquiry.Design, p.Scenarios[0].Scenario.Params
	out := size{
		Base: p.Inquiry.Background.Base, Households: first.NumHouseholds, Months: d.Months, BurnIn: d.BurnIn, Replications: d.Replications,
		EstimatedSeconds: p.EstimatedSeconds, MemoryBytes: memory,
	}
	if d.Replications == inquiry.Auto {
		out.Auto, out.Replications, out.HalfWidth = true, d.MaxReplications, &d.HalfWidth
	}
	out.Economies = out.Replications * len(p.Scenarios)
	say := func(en, zh string, values ...any) {
		out.Lines = append(out.Lines, fmt.Sprintf(inLanguage(p.Language, en, zh), values...))
	}
	of := func(n int) string { return report.FormatNumber(float64(n), 0) }
	if out.Auto {
		say("at most %s economies of %s households: %d × %s", "至多%s个经济体，每个%s户：%d × %s", of(out.Economies), of(out.Households), len(p.Scenarios),
			of(out.Replications))
	} else {
		say("%s economies of %s households: %d × %s", "%s个经济体，每个%s户：%d × %s", of(out.Economies), of(out.Households), len(p.Scenarios),
			of(out.Replications))
	}
	say("%s months after a burn-in of %s", "预热%[2]s个月后模拟%[1]s个月", of(out.Months), of(out.BurnIn))
	say("about %s on an idle machine, less where burnt-in states are kept", "空闲机器上约%s，已有预热状态时更短", duration(out.EstimatedSeconds, p.Language))
	say("%s of memory", "内存 %s", run.Bytes(memory))
	return out
}

// duration is a time for people.
func duration(seconds float64, language string) string {
	say := func(en, zh string, x float64) string { return fmt.Sprintf(inLanguage(language, en, zh), math.Ceil(x)) }
	switch {
	case seconds < 100:
		return say("%.0f s", "%.0f 秒", max(1, seconds))
	case seconds < 100*60:
		return say("%.0f min", "%.0f 分钟", seconds/60)
	}
	return say("%.0f h", "%.0f 小时", seconds/3600)
}

// armColumn is an arm as it is simulated.
type armColumn struct {
	name, arm string // the latter as it is written: each dose of it is a column
	dose      string // pointer to it; "" = none
}

// sideBySide are the arms as columns, and what differs between them as rows.
func sideBySide(q inquiry.Inquiry, levers []lab.Lever, language string) (names []string, rows []change) {
	var columns []armColumn
	if q.Control != inquiry.ControlNone {
		columns = append(columns, armColumn{name: lab.ControlArm})
	}
	for _, a := range q.Arms {
		if a.Doses == nil {
			columns = append(columns, armColumn{name: a.Name, arm: a.Name})
			continue
		}
		for k, x := range a.Doses.Values {
			columns = append(columns, armColumn{a.Name + "_" + scenario.Text(x), a.Name, fmt.Sprintf("/arms/%s/doses/values/%d", a.Name, k)})
		}
	}
	for _, c := range columns {
		names = append(names, c.name)
	}
	known := map[string]int{} // row of a lever
	for _, l := range levers {
		key := string(l.Kind) + " " + l.Name
		k, ok := known[key]
		if !ok {
			k = len(rows)
			known[key] = k
			rows = append(rows, change{leverLabel(l, language), make([]string, len(columns))})
		}
		for i, c := range columns {
			switch {
			case c.arm == "" && l.From != nil:
				rows[k].Cells[i] = inquiry.SaidValue(l.From, l.Unit, language)
			case c.arm == l.Arm && (c.dose == l.Pointer || !strings.Contains(l.Pointer, "/doses/")):
				rows[k].Cells[i] = joinedCell(rows[k].Cells[i], leverCell(l, language), language)
			}
		}
	}
	for _, row := range rows {
		for i, cell := range row.Cells {
			if cell == "" {
				row.Cells[i] = inLanguage(language, "unchanged", "不变")
			}
		}
	}
	return names, rows
}

func joinedCell(a, b, language string) string {
	if a == "" {
		return b
	}
	return a + inLanguage(language, "; ", "；") + b
}

// leverCell is what an arm does with a lever.
func leverCell(l lab.Lever, language string) string {
	text := inLanguage(language, "as the scenario", "按该情景")
	if l.Value != nil {
		text = inquiry.SaidValue(l.Value, l.Unit, language)
	}
	return text + inLanguage(language, ", ", "，") + leverMonths(l, language)
}

func leverMonths(l lab.Lever, language string) string {
	v := l.Event
	v.TargetMonth = max(1, v.TargetMonth)
	return inquiry.SaidMonths(v, language)
}

func leverLabel(l lab.Lever, language string) string {
	if l.Value == nil {
		return inLanguage(language, "Scenario ", "情景 ") + l.Name
	}
	return inquiry.Named(l.Kind, l.Name, language)
}

func newSlider(l lab.Lever, language string) slider {
	out := slider{
		Pointer: l.Pointer, Arm: l.Arm, Name: l.Name, Label: leverLabel(l, language), When: leverMonths(l, language), Factor: 1,
		Written: inquiry.SaidValue(l.Value, l.Unit, language), Unit: unitText(l.Unit, language),
	}
	if l.Value == nil {
		out.Written = l.Name
		return out
	}
	out.Value = &tools.Value{X: l.Value}
	if l.From != nil {
		out.From, out.Before = &tools.Value{X: l.From}, inquiry.SaidValue(l.From, l.Unit, language)
	}
	if inquiry.InPercent(l.Unit) {
		out.Factor = 100
	}
	row, err := sim.Lookup(l.Name)
	if l.Kind == sim.TypeParameterChange && err == nil {
		out.Meaning, out.Choices, out.Whole = inLanguage(language, row.Meaning, row.MeaningZH), row.Choices, row.Type == sim.TypeInteger
	} else if pack, err := sim.PackageByID(l.Kind, l.Name); err == nil {
		out.Meaning = inLanguage(language, pack.Meaning, pack.MeaningZH)
	}
	if low, high, ok := l.Bounds(); ok {
		left, right, step := slide(number(l.Value), number(l.From), low, high, out.Whole)
		out.Low, out.High, out.Left, out.Right, out.Step = &low, &high, &left, &right, &step
	}
	return out
}

// number is a value that is one, else 0.
func number(v any) float64 {
	switch x := v.(type) {
	case float64:
		return x
	case int:
		return float64(x)
	}
	return 0
}

// slide is a range that a slider can show, within what is allowed: all of it where that is not far wider than the values, else
// twice the larger of them. The step is a hundredth or so of it.
func slide(value, from, low, high float64, whole bool) (left, right, step float64) {
	left, right = low, high
	if reach := 2 * max(math.Abs(value), math.Abs(from)); reach > 0 && high-low > 10*reach {
		if left, right = max(low, 0), min(high, reach); min(value, from) < 0 {
			left = max(low, -reach)
		}
	}
	step = math.Pow(10, math.Floor(math.Log10((right-left)/100)))
	if whole {
		step = max(1, step)
	}
	return left, right, step
}

// unitText is a unit of the catalogue as it stands beside a number: shares are shown in percent.
func unitText(unit, language string) string {
	if inquiry.InPercent(unit) {
		for _, begins := range []string{"share", "probability"} {
			if rest, ok := strings.CutPrefix(unit, begins); ok {
				unit = strings.TrimSpace(rest)
				break
			}
		}
		if language == report.Chinese {
			return "%" + chinesePer[unit]
		}
		return strings.TrimSpace("% " + unit)
	}
	if language == report.Chinese {
		if zh, ok := chineseUnits[unit]; ok {
			return zh
		}
	}
	return unit
}

// chinesePer says what a share is of, or in which time.
var chinesePer = map[string]string{
	"per month": "（每月）", "a month": "（每月）", "per year": "（每年）", "a year": "（每年）", "of the mean wage": "（平均工资之比）",
	"of the median wage": "（工资中位数之比）", "of GDP": "（GDP之比）", "of annual GDP": "（年GDP之比）", "of the last wage": "（原工资之比）",
	"of the net price": "（不含税价格之比）", "of the price": "（价格之比）", "of the wage": "（工资之比）", "of revenue": "（收入之比）",
	"of the import price": "（进口价格之比）", "of the price at the border": "（到岸价格之比）", "of capital": "（资本之比）",
	"of profit": "（利润之比）", "of the workforce": "（职工人数之比）", "of taxable income": "（应税收入之比）", "of assets": "（资产之比）",
	"of usual lending": "（通常贷款之比）", "of the labour force": "（劳动力之比）", "of households a month, in or out": "（每月移入或移出家庭之比）",
}

// chineseUnits are units that are no shares.
var chineseUnits = map[string]string{
	"months": "个月", "years": "年", "factor": "倍", "households": "户", "firms": "家", "banks": "家", "weight": "权重", "elasticity": "弹性",
	"months of the mean wage": "个月的平均工资", "currency units a head and month": "货币单位（每人每月）", "index points": "指数点",
	"index, 100 = baseline": "指数（基准为100）", "multiple of the trend": "趋势的倍数", "multiple of the world price level": "世界价格水平的倍数",
	"multiple of tariff_rate": "关税税率的倍数",
}
