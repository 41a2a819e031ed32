package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// The words of tables and reports in two languages: the first is English.
func word(language, en, zh string) string {
	if language == Chinese {
		return zh
	}
	return en
}

// note is a warning in both languages.
type note struct{ en, zh string }

func notef(en, zh string, args ...any) note {
	return note{fmt.Sprintf(en, args...), fmt.Sprintf(zh, args...)}
}

// listed joins the members of a list, separated as sep is in the language.
func listed(list []string, sep, language string) string {
	if language == Chinese {
		sep = map[string]string{", ": "、", "; ": "；"}[sep]
	}
	return strings.Join(list, sep)
}

// pValue writes a probability.
func pValue(p stats.Number) string {
	switch x := float64(p); {
	case math.IsNaN(x):
		return Absent
	case x < .001:
		return "< 0.001"
	default:
		return FormatNumber(x, 3)
	}
}

// rowCells are the cells of a row of a comparison for people. Exploratory rows are marked
// where not all are.
func rowCells(row *inference.ComparisonRow, several, mixed bool, confidence float64, language string) []string {
	i, _ := sim.IndicatorByName(row.Metric)
	label := Label(i, language)
	if several {
		label = row.Arm + ": " + label
	}
	interval := Absent
	if !math.IsNaN(float64(row.CILow)) {
		interval = FormatDifference(i, float64(row.CILow)) + word(language, " to ", " 至 ") + FormatDifference(i, float64(row.CIHigh))
	}
	relative := Absent
	if x := float64(row.Percent); !math.IsNaN(x) {
		relative = FormatShare(x/100, 2)
		if x > 0 {
			relative = "+" + relative
		}
	}
	if mixed && row.Exploratory {
		label += word(language, " (exploratory)", "（探索性）")
	}
	return []string{
		label, FormatValue(i, float64(row.Control)), FormatValue(i, float64(row.Treatment)), FormatDifference(i, float64(row.Difference)),
		interval, relative, pValue(row.P), pValue(row.PAdjusted), FormatNumber(float64(row.EffectSize), 2),
		verdictText(row, confidence, language),
	}
}

// rowHeads are the heads of those cells.
func rowHeads(language string, confidence float64) []string {
	level := FormatShare(confidence, 0)
	if language == Chinese {
		return []string{"指标", "对照", "处理", "差异", level + " 区间", "相对差异", "p", "校正后 p", "效应量", "结论"}
	}
	return []string{
		"outcome",
		"control",
		"treatment",
		"difference",
		level + " interval",
		"relative",
		"p",
		"p adjusted",
		"effect size",
		"verdict",
	}
}

// severalArms says whether rows are of more than one arm.
func severalArms(rows []inference.ComparisonRow) bool {
	for k := range rows {
		if rows[k].Arm != rows[0].Arm {
			return true
		}
	}
	return false
}

// table is rows of cells under heads.
type table struct {
	heads []string
	rows  [][]string
}

func comparisonTable(rows []inference.ComparisonRow, confidence float64, language string) table {
	t := table{heads: rowHeads(language, confidence)}
	several := severalArms(rows)
	exploratory := func(row inference.ComparisonRow) bool { return row.Exploratory }
	mixed := slices.ContainsFunc(rows, exploratory) &&
		slices.ContainsFunc(rows, func(row inference.ComparisonRow) bool { return !exploratory(row) })
	for k := range rows {
		t.rows = append(t.rows, rowCells(&rows[k], several, mixed, confidence, language))
	}
	return t
}

// numeric says which columns hold numbers only, which are aligned to the right.
func (t table) numeric() []bool {
	out := make([]bool, len(t.heads))
	for k := range out {
		out[k] = !slices.ContainsFunc(t.rows, func(row []string) bool { return strings.Trim(row[k], numberRunes) != "" })
	}
	return out
}

// numberRunes are what numbers, intervals and absent numbers are written with.
const numberRunes = "0123456789+−–<.,% pkMGTto至"

// markdown writes the table.
func (t table) markdown(b *strings.Builder) {
	line := func(cells []string) {
		b.WriteString("|")
		for _, c := range cells {
			b.WriteString(" " + escapeCell(c) + " |")
		}
		b.WriteString("\n")
	}
	line(t.heads)
	b.WriteString("|")
	for _, numeric := range t.numeric() {
		b.WriteString(map[bool]string{true: "---:|", false: "---|"}[numeric])
	}
	b.WriteString("\n")
	for _, row := range t.rows {
		line(row)
	}
}

// escapeCell keeps a text from ending a cell of a table or from being read as HTML.
func escapeCell(s string) string {
	return strings.NewReplacer("|", "\\|", "\n", " ", "\r", " ", "<", "&lt;").Replace(s)
}

// told are the outcomes that sentences speak of, with their subjects.
var told = []struct {
	indicator sim.Indicator
	en, zh    string
}{
	{sim.RealGDP, "real output", "实际产出"},
	{sim.UnemploymentRate, "unemployment", "失业率"},
	{sim.Inflation, "inflation", "通货膨胀率"},
	{sim.RealWageMean, "the mean real wage", "平均实际工资"},
	{sim.IncomeGini, "the income Gini", "收入基尼系数"},
	{sim.PovertyRate, "poverty", "贫困率"},
	{sim.DebtToGDP, "public debt", "公共债务占GDP比"},
}

func toldIndicators() (list []sim.Indicator) {
	for _, t := range told {
		list = append(list, t.indicator)
	}
	return list
}

// size is how large a difference is, for sentences: relative for amounts and indices, in
// percentage points for shares.
func size(i sim.Indicator, row *inference.ComparisonRow, language string) string {
	text := strings.TrimLeft(FormatDifference(i, math.Abs(float64(row.Difference))), "+")
	if x := float64(row.Percent); !math.IsNaN(x) && !tables.IsShare(i) && readAs(i) != fraction {
		return FormatShare(math.Abs(x)/100, 1)
	}
	return strings.Replace(text, " pp", word(language, " percentage points", " 个百分点"), 1)
}

// effectSentence tells one supported row in words.
func effectSentence(row *inference.ComparisonRow, subject, language string, confidence float64) string {
	i, _ := sim.IndicatorByName(row.Metric)
	bound := func(x stats.Number) string { return FormatDifference(i, float64(x)) }
	if x := float64(row.Percent); !math.IsNaN(x) && !tables.IsShare(i) && readAs(i) != fraction {
		bound = func(x stats.Number) string {
			text := FormatShare(float64(x)/math.Abs(float64(row.Control)), 1)
			if x > 0 {
				text = "+" + text
			}
			return text
		}
	}
	small := ""
	if row.Negligible(confidence) {
		small = word(language, ", too small to matter (within ", "，但小于最小关注效应（") + marginText(row, language) + word(language, ")", "）")
	}
	if language == Chinese {
		direction := "高"
		if row.Difference < 0 {
			direction = "低"
		}
		return fmt.Sprintf(
			"%s%s %s（%s 区间 %s 至 %s）%s",
			subject,
			direction,
			size(i, row, language),
			FormatShare(confidence, 0),
			bound(row.CILow),
			bound(row.CIHigh),
			small,
		)
	}
	direction := "higher"
	if row.Difference < 0 {
		direction = "lower"
	}
	return fmt.Sprintf(
		"%s is %s by %s (%s interval %s to %s)%s",
		subject,
		direction,
		size(i, row, language),
		FormatShare(confidence, 0),
		bound(row.CILow),
		bound(row.CIHigh),
		small,
	)
}
