package report

import (
	"math"

	"econ-mcp/internal/inference"
)

// MethodText says the method in a few sentences.
func MethodText(m inference.Method, language string) string {
	var tests, sizes []string
	for _, paired := range m.Paired {
		name := m.Test.Name(paired)
		tests = append(tests, word(language, name, testNamesZH[name]))
		switch {
		case paired:
			sizes = append(sizes, word(language, "Hedges g_z of pairs", "配对的Hedges g_z"))
		case m.Test == inference.TestRank:
			sizes = append(sizes, word(language, "Vargha and Delaney's A of independent samples", "独立样本的Vargha-Delaney A"))
		default:
			sizes = append(sizes, word(language, "Hedges g of independent samples", "独立样本的Hedges g"))
		}
	}
	interval, equivalence := word(language, "Student's", "学生t"), ""
	hall := word(language, "; where pairs are skewed, intervals and p have Hall's correction", "；配对差异偏斜时，区间与p值均作Hall修正")
	if m.Test != inference.TestT {
		hall = ""
		equivalence = word(language, " Equivalence to zero is tested by two one-sided t tests all the same.", "对零的等效性仍用双单侧t检验判断。")
		interval = word(language, "of the bootstrap (BCa)", "自助法（BCa）")
	}
	return wordf(
		language,
		"Test: %s; %s. Intervals are %s, %s, and not adjusted for the number of hypotheses%s; they are "+Intervals+". Percents are ratios of means, with intervals of their "+
			"own; verdicts are of the differences. Effect size: %s. %s.%s",
		"检验：%s；%s。区间为%s，%s，未按假设数量校正%s；仅反映抽样的偶然性，不反映模型、参数与校准的不确定性。百分比为均值之比，另有其区间；结论依差值判断。效应量：%s。%s。%s",
		listed(tests, ", ", language),
		adjustmentText(m, language)+byOthersText(m, language),
		FormatShare(m.Level, 0),
		interval,
		hall,
		listed(sizes, ", ", language),
		smallestEffectsNote.in(language),
		equivalence,
	)
}

// Intervals says what every interval of an effect is, and what it is not.
const Intervals = "of the luck of the draw only: not of the model, its parameters or its calibration"

// adjustmentText says over how many hypotheses p-values are adjusted, and how.
func adjustmentText(m inference.Method, language string) string {
	by := adjustmentNames[m.Adjustment].in(language)
	within := adjustmentNames[inference.AdjustHolm].in(language)
	if m.Adjustment == inference.AdjustBenjaminiHochberg {
		within = by
	}
	beyond := wordf(
		language,
		"by %s over the question with which it was asked first, and by alpha spending over your %d questions (%d hypotheses) about the same arms",
		"先按%s对首次提出它的那次提问校正，再按α消耗法对您就相同实验组的全部%d次提问（%d个假设）校正",
		within,
		m.Questions,
		m.Asked,
	)
	switch {
	case m.Family+m.Asked == 0:
		return word(language, "nothing could be tested", "没有可检验的内容")
	case !m.Planned && m.Asked == 0:
		return wordf(
			language,
			"nothing was planned: all rows are exploratory, and p is adjusted by %s over %d hypotheses",
			"事先没有计划，各行均为探索性：p值按%s对%d个假设校正",
			by,
			m.Family,
		)
	case m.Family == 0:
		return word(language, "no row is as planned: all are exploratory, and p is adjusted ", "没有一行与计划一致，均为探索性：p值") + beyond
	}
	text := wordf(
		language,
		"p is adjusted by %s over the %d hypotheses of the plan, which have %s of the level",
		"p值按%s对计划中的%d个假设校正，它们占显著性水平的%s",
		by,
		m.Family,
		shareText(m.Share),
	)
	if m.Later {
		text += word(language, ", as a later plan of yours for the same arms", "（因为这是您对相同实验组的后续计划）")
	}
	if m.Asked > 0 {
		text += word(language, ", and that of exploratory rows ", "；探索性的行") + beyond
	}
	return text
}

// shareText writes a share with as many digits as tell it from 0.
func shareText(x float64) string {
	digits := 0
	for x > 0 && digits < 6 && x < math.Pow(10, -float64(digits+2)) {
		digits++
	}
	return FormatShare(x, digits)
}

// byOthersText says what others asked of the same experiments, which corrects nothing here.
func byOthersText(m inference.Method, language string) string {
	if m.ByOthers == 0 {
		return ""
	}
	return wordf(language, " (others asked %d, which are not among these)", "（另有%d个由他人提出，不计入校正）", m.ByOthers)
}

// adjustmentNames name them in sentences.
var adjustmentNames = map[inference.Adjustment]note{
	inference.AdjustRomanoWolf:        {"Romano-Wolf", "Romano-Wolf法"},
	inference.AdjustHolm:              {"Holm", "Holm法"},
	inference.AdjustBenjaminiHochberg: {"Benjamini-Hochberg (share of false findings)", "Benjamini-Hochberg法（错误发现率）"},
}

// AdjustmentName is the English name of an adjustment in sentences.
func AdjustmentName(a inference.Adjustment) string { return adjustmentNames[a].in(English) }

// testNamesZH are the names of tests in Chinese.
var testNamesZH = map[string]string{
	"paired t": "配对t检验", "Welch t": "Welch t检验", "Wilcoxon signed-rank": "Wilcoxon符号秩检验",
	"Brunner-Munzel permutation": "Brunner-Munzel置换检验", "sign-flip permutation": "符号翻转置换检验", "permutation of Welch t": "Welch t置换检验",
}

// smallestEffectsNote tells the table.
var smallestEffectsNote = note{
	"Smallest effects of interest, where none was planned: 0.5 percentage points of shares and rates (0.1 of what programmes and taxes are " +
		"of GDP, 0.05 of monthly inflation), 0.005 of Gini coefficients, 0.5 % of jobs, 5 % of the unemployed, and 1 % of the control's mean " +
		"for all else",
	"最小关注效应（计划未指定时）：比率为0.5个百分点（政府项目与税收占GDP比为0.1，月度通货膨胀率为0.05），基尼系数为0.005，" +
		"就业人数为0.5%，失业人数为5%，其他指标为对照组均值的1%",
}
