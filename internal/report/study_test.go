package report_test

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inference"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

const (
	studyMonths       = 48
	studyReplications = 3
)

// simulated is a small experiment on a rise of VAT, kept as a store would keep it.
var simulated = sync.OnceValues(func() (*tables.Study, error) {
	s := &tables.Study{
		Name: "vat", CreatedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), RunStatus: "completed", Question: "What does a VAT of 25 % do?",
		Hypothesis: "Prices rise <at once>.", Seed: 1, Months: studyMonths, Households: 1000, ModelVersion: sim.ModelVersion, CodeVersion: "test",
		Arch: "any",
	}
	control := sim.Defaults()
	control.NumHouseholds = 1000
	treatment := control
	for k, name := range []string{"control", "treatment"} {
		s.Arms = append(
			s.Arms,
			tables.StudyArm{Name: name, ScenarioHash: strings.Repeat(name[:1], 16), Params: []sim.Params{control, treatment}[k]},
		)
	}
	change, err := sim.NewParameterChange("vat_rate", .25)
	if err != nil {
		return nil, err
	}
	s.Arms[1].Interventions = []sim.Intervention{
		{Type: sim.TypeParameterChange, TargetMonth: 3, Parameters: []sim.ParameterChange{change}, Description: "a higher VAT"},
	}
	for r := range studyReplications {
		p := control
		p.RandomState = r + 1
		s.Seeds = append(s.Seeds, uint64(p.RandomState))
		e, err := sim.New(p, 2)
		if err != nil {
			return nil, err
		}
		defer e.Close()
		for range 12 {
			if err := e.Step(); err != nil {
				return nil, err
			}
		}
		e.BeginExperiment()
		var snapshot bytes.Buffer
		if err := e.WriteSnapshot(&snapshot); err != nil {
			return nil, err
		}
		for k := range s.Arms {
			if err := simulateArm(&s.Arms[k], snapshot.Bytes()); err != nil {
				return nil, err
			}
		}
		s.Firms = int(s.Arms[0].Last[0].Value(sim.FirmCount))
	}
	return s, nil
})

func simulateArm(arm *tables.StudyArm, snapshot []byte) error {
	e, err := sim.ReadSnapshot(bytes.NewReader(snapshot), 2)
	if err != nil {
		return err
	}
	defer e.Close()
	if err := e.Plan(arm.Interventions); err != nil {
		return err
	}
	var series [sim.NumOutcomes][]float64
	var records []sim.Record
	var innovation tables.InnovationCollector
	for range studyMonths {
		if err := e.Step(); err != nil {
			return err
		}
		if err := innovation.Observe(e); err != nil {
			return err
		}
		records = append(records, *e.Latest())
		for i := range series {
			series[i] = append(series[i], e.Latest().Value(sim.Indicator(i)))
		}
	}
	arm.Panel = append(arm.Panel, &series)
	arm.Last = append(arm.Last, *e.Latest())
	arm.Began = append(arm.Began, e.Began())
	means := &tables.RecordMeans{}
	for k := range records[studyMonths/2:] {
		means.Add(&records[studyMonths/2+k], arm.Params)
	}
	arm.Window = append(arm.Window, means)
	arm.Innovation = append(arm.Innovation, innovation.Summary())
	arm.Sizes = append(arm.Sizes, tables.NewFirmSizes(e))
	return nil
}

func mustStudy(t *testing.T) *tables.Study {
	t.Helper()
	s, err := simulated()
	if err != nil {
		t.Fatal(err)
	}
	copied := *s
	return &copied
}

func TestSummarise(t *testing.T) {
	s := mustStudy(t)
	out := tables.Summarise(s, .95)
	last := 0.
	for _, r := range s.Arms[1].Last {
		last += r.Value(sim.UnemploymentRate) / studyReplications
	}
	checkNear(t, "final unemployment", float64(out.UnemploymentRate), last, 1e-12)
	if out.Arm != "treatment" || out.Months != studyMonths || len(out.Arms) != 2 || len(out.Seeds) != studyReplications ||
		out.ScenarioHash != s.Arms[1].ScenarioHash {
		t.Errorf("summary %+v", out)
	}
	e := out.Arms[0].Finals["final_gini_coefficient"]
	if !(e.CILow < e.Mean && e.Mean < e.CIHigh) {
		t.Errorf("gini of the control %+v", e)
	}
	data, err := json.Marshal(out)
	if err != nil || !strings.Contains(string(data), `"final_gini_coefficient":0.`) {
		t.Errorf("JSON %s, %v", data, err)
	}
}

func TestCompareArms(t *testing.T) {
	s := mustStudy(t)
	c, err := report.Compare(context.Background(), []*tables.Study{s}, inference.Choice{}, "")
	if err != nil {
		t.Fatal(err)
	}
	if c.Control != "control" || c.From != 25 || c.To != 48 || len(c.Rows) != len(inference.Outcomes) || c.Rows[0].Metric != "real_gdp" {
		t.Errorf("comparison %s, %d to %d, %d rows", c.Control, c.From, c.To, len(c.Rows))
	}
	// The same numbers as the effects of econ-mcp run.
	effects := inference.Effects("treatment", s.Arms[0].Panel, s.Arms[1].Panel, 25, 48, .95)
	for _, row := range c.Rows {
		k := slices.IndexFunc(effects, func(e inference.Effect) bool { return e.Metric == row.Metric })
		checkNear(t, row.Metric, float64(row.Difference), effects[k].Difference, 1e-9)
		checkNear(t, row.Metric+" low", float64(row.CILow), effects[k].CILow, 1e-9)
		if !row.Paired || row.N != studyReplications || row.PAdjusted < row.P || row.Verdict == "" {
			t.Errorf("row %+v", row)
		}
	}
	choice := inference.Choice{Metrics: []sim.Indicator{sim.CPI}, Windows: []inference.Window{{From: 4, To: 12}}}
	prices, err := report.Compare(context.Background(), []*tables.Study{s}, choice, "")
	if err != nil {
		t.Fatal(err)
	}
	if row := prices.Rows[0]; row.Verdict != inference.Supported || row.PAdjusted != row.P || !row.Found() || row.Percent < 3 {
		t.Errorf("prices: %+v", row)
	}
	d := prices.DynamicEffects[0]
	if len(d.Months) != studyMonths || d.Difference[0] != 0 || d.Difference[1] != 0 || d.Difference[3] <= 0 {
		t.Errorf("dynamic effect on prices: %v", d.Difference[:4])
	}
	if !strings.Contains(prices.Text, "| Consumer prices | ") || !strings.Contains(prices.Text, "| higher, enough to matter |") ||
		!strings.Contains(prices.Text, "3 replications a side are few") {
		t.Errorf("text:\n%s", prices.Text)
	}
}

func TestCompareExperiments(t *testing.T) {
	a, b := mustStudy(t), mustStudy(t)
	a.Name, b.Name = "a", "b"
	a.Arms, b.Arms = a.Arms[:1], b.Arms[1:]
	same, err := report.Compare(context.Background(), []*tables.Study{a, b}, inference.Choice{Metrics: []sim.Indicator{sim.CPI}}, "")
	if err != nil || !same.Rows[0].Paired || same.Rows[0].N != studyReplications {
		t.Fatalf("same seeds: %+v, %v", same.Rows, err)
	}
	// Other seeds: Welch. The window's means are three numbers a side.
	b.Seeds = []uint64{7, 8, 9}
	other, err := report.Compare(context.Background(), []*tables.Study{a, b}, inference.Choice{Metrics: []sim.Indicator{sim.CPI}}, "")
	if err != nil {
		t.Fatal(err)
	}
	row := other.Rows[0]
	if row.Paired || row.N != 2*studyReplications || !strings.Contains(strings.Join(other.Warnings, "\n"), "independent samples") {
		t.Errorf("other seeds: %+v, %v", row, other.Warnings)
	}
	checkNear(t, "difference", float64(row.Difference), float64(same.Rows[0].Difference), 1e-9)
	// A part of the seeds in another order: pairs by seed.
	b.Seeds = []uint64{3, 1, 2}
	b.Arms = []tables.StudyArm{{Name: "x", Panel: tables.Panel{a.Arms[0].Panel[2], a.Arms[0].Panel[0]}}}
	mixed, err := report.Compare(context.Background(), []*tables.Study{a, b}, inference.Choice{Metrics: []sim.Indicator{sim.CPI}}, "")
	if err != nil || mixed.Rows[0].N != 2 || mixed.Rows[0].Difference != 0 || !mixed.Rows[0].Same() || mixed.Rows[0].Verdict != inference.Inconclusive {
		t.Errorf("two of three seeds: %+v, %v", mixed.Rows, err)
	}
	for what, try := range map[string]struct {
		studies []*tables.Study
		choice  inference.Choice
		kind    fault.Kind
	}{
		"one arm":      {[]*tables.Study{a}, inference.Choice{}, fault.InvalidState},
		"none":         {nil, inference.Choice{}, fault.OutOfRange},
		"window":       {[]*tables.Study{a, b}, inference.Choice{Windows: []inference.Window{{From: 40, To: 49}}}, fault.OutOfRange},
		"confidence":   {[]*tables.Study{a, b}, inference.Choice{Confidence: 95}, fault.OutOfRange},
		"not run":      {[]*tables.Study{a, {Name: "c", Arms: []tables.StudyArm{{Name: "c"}}}}, inference.Choice{}, fault.InvalidState},
		"without arms": {[]*tables.Study{a, {Name: "c"}}, inference.Choice{}, fault.InvalidState},
	} {
		if _, err := report.Compare(context.Background(), try.studies, try.choice, ""); fault.KindOf(err) != try.kind {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := inference.ParseMetrics([]string{"cpi", "unemployment"}); fault.KindOf(err) != fault.NotFound ||
		!strings.Contains(err.Error(), "unemployment_rate") {
		t.Errorf("unknown metric: %v", err)
	}
}

func TestAnalyse(t *testing.T) {
	s := mustStudy(t)
	a, err := report.Analyse(context.Background(), s, inference.Choice{}, []string{})
	if err != nil {
		t.Fatal(err)
	}
	gdp, control, firms := 0., 0., 0.
	for r := range studyReplications {
		for m := 24; m < 48; m++ {
			gdp += s.Arms[1].Panel[r][sim.NominalGDP][m] / 24 / studyReplications
			control += s.Arms[0].Panel[r][sim.NominalGDP][m] / 24 / studyReplications
			firms += s.Arms[1].Panel[r][sim.FirmCount][m] / 24 / studyReplications
		}
	}
	checkNear(t, "gdp", float64(a.Macro["gdp"].Value)/gdp, 1, 1e-9)
	checkNear(t, "gdp of the control", float64(a.Macro["gdp"].Control)/control, 1, 1e-9)
	for name, m := range a.Macro {
		if math.IsNaN(float64(m.Value)) || m.Unit == "" || !(m.CILow <= m.Value && m.Value <= m.CIHigh) {
			t.Errorf("%s: %+v", name, m)
		}
	}
	checkNear(t, "firms", float64(a.Micro["firms"].Value)/firms, 1, 1e-9)
	if income, spent := a.Consumer["average_income"].Value, a.Consumer["average_expenditure"].Value; !(income > 0 && spent > 0) {
		t.Errorf("income %g, spending %g", income, spent)
	}
	if m := a.Innovation; m == nil || !(m.TotalEvents > 0) || len(m.ShareCorrelations) != len(tables.ShareHorizons) ||
		len(m.EventsByKind) != int(sim.NumInnovationKinds) {
		t.Errorf("innovation %+v", a.Innovation)
	}
	if d := a.Diagnostics; len(d.Power) != len(inference.Outcomes) || d.SteadyState.Verdict == "" || len(d.SteadyState.Checks) == 0 ||
		d.BurnIn.Months != s.Arms[0].Params.BurnInMonths {
		t.Errorf("diagnostics %+v", d)
	}
	if !strings.HasPrefix(a.Conclusion, "Compared with control, over months 25 to 48 and 3 replications") ||
		!strings.Contains(strings.Join(report.Conclusion(&a, s, report.Chinese), ""), "第25至48个月") ||
		strings.Contains(a.Conclusion, "NaN") {
		t.Errorf("conclusion: %s", a.Conclusion)
	}
	if data, err := json.Marshal(a); err != nil || bytes.Contains(data, []byte("NaN")) || bytes.Contains(data, []byte("[]null")) {
		t.Errorf("JSON: %v", err)
	}
	for _, kind := range []string{"productivity"} {
		some, err := report.Analyse(context.Background(), s, inference.Choice{}, []string{kind})
		if err != nil || len(some.Innovation.EventsByKind) != 1 {
			t.Errorf("%s: %v", kind, err)
		}
	}
	if _, err := report.Analyse(context.Background(), s, inference.Choice{}, []string{"magic"}); fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("unknown kind: %v", err)
	}

	alone := mustStudy(t)
	alone.Arms = alone.Arms[:1]
	single, err := report.Analyse(context.Background(), alone, inference.Choice{}, nil)
	if err != nil || single.Innovation != nil || len(single.Treatment) != 0 || !strings.Contains(single.Conclusion, "no control") ||
		!math.IsNaN(float64(single.Macro["gdp"].Control)) {
		t.Errorf("one arm: %s, %v", single.Conclusion, err)
	}
}

// mustReport analyses a study and reports on it.
func mustReport(t *testing.T, s *tables.Study, b report.Background, language string) *report.Report {
	t.Helper()
	a, err := report.Analyse(context.Background(), s, inference.Choice{}, []string{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.New(context.Background(), s, &a, b, language)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReport(t *testing.T) {
	s := mustStudy(t)
	for _, language := range report.Languages {
		r := mustReport(t, s, report.Background{}, language)
		text := map[string]string{}
		for _, format := range report.Formats {
			var err error
			if text[format], err = r.Encode(context.Background(), format); err != nil {
				t.Fatal(err)
			}
			if strings.Contains(text[format], "NaN") || strings.Contains(text[format], "%!") ||
				strings.Contains(text[format], "<at once>") && format != "json" {
				t.Errorf("%s %s holds NaN, a broken format or markup of the caller", language, format)
			}
		}
		page := text["html"]
		for _, want := range []string{
			`<html lang="` + language + `">`, "&lt;at once&gt;", "</html>", "vat_rate", "econ-mcp rerun vat", strings.Repeat("t", 16),
		} {
			if !strings.Contains(page, want) {
				t.Errorf("%s page lacks %q", language, want)
			}
		}
		if n := strings.Count(page, "<svg"); n != len(r.Figures()) || n < 8 || strings.Contains(page, "<?xml") ||
			strings.Contains(page, "<script") ||
			strings.Contains(page, "src=") {
			t.Errorf("%s page has %d figures, or asks for something from outside", language, n)
		}
		for _, f := range r.Figures() {
			if data, err := plot.SVG(f.Figure); err != nil || len(data) < 1000 {
				t.Errorf("figure %s: %v", f.Name, err)
			}
		}
		if !json.Valid([]byte(text["json"])) || !strings.Contains(text["markdown"], "\n## ") {
			t.Error("no report")
		}
	}
	if _, err := report.New(context.Background(), s, &inference.Analysis{}, report.Background{}, "fr"); fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("language: %v", err)
	}
	if _, err := mustReport(t, s, report.Background{}, "en").Encode(context.Background(), "pdf"); fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("format: %v", err)
	}
}

// One replication has differences and no verdicts; a run that is not over has what it has.
func TestAnalyseEarly(t *testing.T) {
	s := mustStudy(t)
	s.Arms = slices.Clone(s.Arms)
	s.Months = 2 * studyMonths
	for k := range s.Arms {
		arm := &s.Arms[k]
		arm.Panel, arm.Last, arm.Window, arm.Began, arm.Innovation = arm.Panel[:1], arm.Last[:1], nil, arm.Began[:1], nil
	}
	a, err := report.Analyse(context.Background(), s, inference.Choice{}, []string{})
	if err != nil {
		t.Fatal(err)
	}
	if row := a.Treatment[0]; row.Verdict != inference.NotJudged || math.IsNaN(float64(row.Difference)) || !math.IsNaN(float64(row.CILow)) {
		t.Errorf("row %+v", row)
	}
	warnings := strings.Join(a.Diagnostics.Warnings, "\n")
	if !strings.Contains(warnings, "one replication a side") || !strings.Contains(warnings, "only 48 of 96 months") ||
		!strings.Contains(a.Conclusion, "may be chance") {
		t.Errorf("warnings %s\nconclusion %s", warnings, a.Conclusion)
	}
	if a.Diagnostics.SteadyState.Verdict != "not judged" || len(a.Innovation.ShareCorrelations) != 0 || a.Innovation.Note == "" {
		t.Errorf("diagnostics %+v, innovation %+v", a.Diagnostics.SteadyState, a.Innovation)
	}
	for _, language := range report.Languages {
		if page, err := mustReport(t, s, report.Background{}, language).Encode(context.Background(), "html"); err != nil ||
			strings.Contains(page, "NaN") {
			t.Errorf("report: %v", err)
		}
	}
	if _, err := report.Analyse(
		context.Background(), &tables.Study{Name: "x", Arms: []tables.StudyArm{{Name: "x"}}}, inference.Choice{}, nil,
	); fault.KindOf(
		err,
	) != fault.InvalidState {
		t.Errorf("nothing simulated: %v", err)
	}
}

func mustCompare(t *testing.T, c inference.Choice, studies ...*tables.Study) inference.Comparison {
	t.Helper()
	out, err := report.Compare(context.Background(), studies, c, "")
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestBands(t *testing.T) {
	s := mustStudy(t)
	s.Arms = slices.Clone(s.Arms)
	c := mustCompare(t, inference.Choice{Metrics: []sim.Indicator{sim.CPI}}, s)
	d := c.DynamicEffects[0]
	if d.Band != "sup-t" || len(d.Months) != studyMonths {
		t.Fatalf("band %q of %d months", d.Band, len(d.Months))
	}
	for m := range d.Months {
		alone := stats.PairedInterval(
			s.Arms[0].Panel.WindowMeans(sim.CPI, m+1, m+1), s.Arms[1].Panel.WindowMeans(sim.CPI, m+1, m+1), .95)
		checkNear(t, "difference", float64(d.Difference[m]), alone.Mean, 1e-9)
		width, point := float64(d.CIHigh[m]-d.CILow[m]), alone.High-alone.Low
		if before := m < 2; before && width != 0 || !before && !(width > point) {
			t.Errorf("month %d: the band is %g wide, the interval of that month alone %g", m+1, width, point)
		}
	}
}
