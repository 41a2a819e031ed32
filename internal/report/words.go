package report

import (
	"cmp"
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

// wordf is [fmt.Sprintf] with a format in either language.
func wordf(language, en, zh string, args ...any) string {
	return fmt.Sprintf(word(language, en, zh), args...)
}

// note is a text in both languages.
type note struct{ en, zh string }

func (n note) in(language string) string { return word(language, n.en, n.zh) }

func notef(en, zh string, args ...any) note {
	return note{fmt.Sprintf(en, args...), fmt.Sprintf(zh, args...)}
}

// joined are the notes that are not empty, in a row.
func joined(notes ...note) note {
	var en, zh []string
	for _, n := range notes {
		if n != (note{}) {
			en, zh = append(en, n.en), append(zh, n.zh)
		}
	}
	return note{strings.Join(en, "; "), strings.Join(zh, "；")}
}

// listed joins the members of a list, separated as sep is in the language.
func listed(list []string, sep, language string) string {
	if language == Chinese {
		sep = map[string]string{", ": "、", "; ": "；"}[sep]
	}
	return strings.Join(list, sep)
}

// interval writes two bounds; [Absent] where they are not there.
func interval(low, high stats.Number, text func(stats.Number) string, language string) string {
	if math.IsNaN(float64(low)) {
		return Absent
	}
	return text(low) + word(language, " to ", " 至 ") + text(high)
}

// ofArm puts an arm before a name where there are several arms.
func ofArm(several bool, arm, name string) string {
	if several {
		return arm + ": " + name
	}
	return name
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
func rowCells(row *inference.ComparisonRow, apart rowNames, mixed bool, confidence float64, language string) []string {
	i, _ := sim.IndicatorByName(row.Metric)
	label := apart.of(row, Label(i, language))
	difference := func(x stats.Number) string { return FormatDifference(i, float64(x)) }
	if mixed && row.Exploratory {
		label += word(language, " (exploratory)", "（探索性）")
	}
	return []string{
		label, FormatValue(i, float64(row.Control)), FormatValue(i, float64(row.Treatment)), difference(row.Difference),
		interval(row.CILow, row.CIHigh, difference, language), signedShare(float64(row.Percent)/100, 2),
		pValue(row.P), pValue(row.PAdjusted), FormatNumber(float64(row.EffectSize), 2), said(row, inCell, confidence, language),
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

// rowNames say what tells rows of an outcome apart.
type rowNames struct {
	arms, windows bool // there are several
	language      string
}

func rowNamesOf(rows []inference.ComparisonRow, language string) rowNames {
	windows := slices.ContainsFunc(rows, func(row inference.ComparisonRow) bool { return row.Window != rows[0].Window })
	return rowNames{severalArms(rows), windows, language}
}

// of is the name of a row about something, with its arm and its months where they tell it apart.
func (n rowNames) of(row *inference.ComparisonRow, about string) string {
	name := ofArm(n.arms, row.Arm, about)
	if n.windows {
		name += wordf(n.language, " (months %d–%d)", "（第%d–%d个月）", row.Window.From, row.Window.To)
	}
	return name
}

// severalArms says whether rows are of more than one arm.
func severalArms(rows []inference.ComparisonRow) bool {
	return slices.ContainsFunc(rows, func(row inference.ComparisonRow) bool { return row.Arm != rows[0].Arm })
}

// table is rows of cells under heads.
type table struct {
	heads []string
	rows  [][]string
}

// Arranged are rows as tables show them: by outcome, then window, and the arms of each below each other.
func Arranged(rows []inference.ComparisonRow) []inference.ComparisonRow {
	var metrics []string
	for _, row := range rows {
		if !slices.Contains(metrics, row.Metric) {
			metrics = append(metrics, row.Metric)
		}
	}
	place := func(row inference.ComparisonRow) int { return slices.Index(metrics, row.Metric) }
	rows = slices.Clone(rows)
	slices.SortStableFunc(rows, func(a, b inference.ComparisonRow) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a.Window.From, b.Window.From), cmp.Compare(a.Window.To, b.Window.To))
	})
	return rows
}

// besideTable has a row for each outcome and window and a column for each arm, and for each two arms that
// are held against each other: the difference, with the mark of what it shows.
func besideTable(rows []inference.ComparisonRow, confidence float64, language string) table {
	var arms []string
	for _, row := range rows {
		if !slices.Contains(arms, row.Arm) {
			arms = append(arms, row.Arm)
		}
	}
	t := table{heads: []string{word(language, "outcome", "指标"), word(language, "control", "对照")}}
	for _, arm := range arms {
		t.heads = append(t.heads, armText(arm, language))
	}
	alone := rowNames{windows: rowNamesOf(rows, language).windows, language: language}
	var last string
	for _, row := range Arranged(rows) {
		i, _ := sim.IndicatorByName(row.Metric)
		if name := alone.of(&row, Label(i, language)); name != last {
			last = name
			t.rows = append(t.rows, append([]string{name, Absent}, slices.Repeat([]string{Absent}, len(arms))...))
		}
		cells := t.rows[len(t.rows)-1]
		if !strings.Contains(row.Arm, " - ") {
			cells[1] = FormatValue(i, float64(row.Control))
		}
		text := FormatDifference(i, float64(row.Difference))
		if isRelative(i, row.Percent) {
			share := float64(row.Percent) / 100
			text = signed(share, relativeText(share))
		}
		switch findingOf(&row, confidence) {
		case large, sure:
			text += " *"
		case tiny:
			text += " *="
		case equal, same:
			if row.Verdict == inference.EquivalentToZero { // nothing seen in a few replications is no proof
				text += " ="
			}
		}
		cells[2+slices.Index(arms, row.Arm)] = text
	}
	return t
}

func comparisonTable(rows []inference.ComparisonRow, confidence float64, language string) table {
	t := table{heads: rowHeads(language, confidence)}
	rows = Arranged(rows)
	apart := rowNamesOf(rows, language)
	exploratory := func(row inference.ComparisonRow) bool { return row.Exploratory }
	mixed := slices.ContainsFunc(rows, exploratory) &&
		slices.ContainsFunc(rows, func(row inference.ComparisonRow) bool { return !exploratory(row) })
	for k := range rows {
		t.rows = append(t.rows, rowCells(&rows[k], apart, mixed, confidence, language))
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

// mostSpoken is how many outcomes of a plan sentences speak of, whatever they are.
const mostSpoken = 4

// spokenOf says of which outcomes sentences speak: those that always matter, and the first that were
// planned.
func spokenOf(rows []inference.ComparisonRow) func(sim.Indicator) bool {
	var planned []string
	for _, row := range rows {
		if !row.Exploratory && !slices.Contains(planned, row.Metric) && len(planned) < mostSpoken {
			planned = append(planned, row.Metric)
		}
	}
	return func(i sim.Indicator) bool { return told[i] != note{} || slices.Contains(planned, i.String()) }
}

// told are the outcomes that sentences speak of, with their subjects.
var told = map[sim.Indicator]note{
	sim.RealGDP:          {"real output", "实际产出"},
	sim.UnemploymentRate: {"unemployment", "失业率"},
	sim.Inflation:        {"inflation", "通货膨胀率"},
	sim.RealWageMean:     {"the mean real wage", "平均实际工资"},
	sim.IncomeGini:       {"the income Gini", "收入基尼系数"},
	sim.PovertyRate:      {"poverty", "贫困率"},
	sim.DebtToGDP:        {"public debt", "公共债务占GDP比"},
}

// isRelative says whether sentences tell a difference in percent of the control: that of an amount
// or an index, where there is a percentage.
func isRelative(i sim.Indicator, percent stats.Number) bool {
	return !math.IsNaN(float64(percent)) && !tables.IsShare(i) && readAs(i) != fraction
}
