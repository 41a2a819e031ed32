package report_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/plot"
	"econ-mcp/internal/report"
	"econ-mcp/internal/stats"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// scatter are differences of ten pairs with a mean of zero and a standard deviation of one.
var scatter = []float64{-1.6164, -1.0776, -.8082, -.2694, 0, 0, .2694, .8082, 1.0776, 1.6164}

// path is the difference of an arm to the control in output and unemployment: early is added in months 1
// to 3, late in months 7 to 9, and the noise of late is as many times the scatter.
type path struct {
	name              string
	early, late       float64
	noise             float64
	unemployed, after float64
}

// madeUp is a study of nine months and ten replications.
func madeUp(question string, arms ...path) *tables.Study {
	s := &tables.Study{Name: "made-up", Question: question, Seed: 1, Months: 9, Households: 100}
	for r := range scatter {
		s.Seeds = append(s.Seeds, uint64(r+1))
	}
	for _, p := range append([]path{{name: "control"}}, arms...) {
		arm := tables.StudyArm{Name: p.name}
		for r := range scatter {
			series := new([sim.NumOutcomes][]float64)
			for i := range series {
				series[i] = make([]float64, s.Months)
			}
			for m := range s.Months {
				output, unemployed := 100., .08
				switch {
				case p.name == "control":
				case m < 3:
					output, unemployed = output+p.early+.1*scatter[r], unemployed+p.unemployed+.0001*scatter[r]
				case m >= 6:
					output, unemployed = output+p.late+p.noise*scatter[r], unemployed+p.after+.0001*scatter[r]
				}
				series[sim.RealGDP][m], series[sim.UnemploymentRate][m] = output, unemployed
			}
			arm.Panel = append(arm.Panel, series)
		}
		s.Arms = append(s.Arms, arm)
	}
	return s
}

// planned is a plan with the transition and the end of output and unemployment.
func planned(expected int) *inference.Planned {
	return &inference.Planned{
		Outcomes: []sim.Indicator{sim.RealGDP, sim.UnemploymentRate}, Windows: []inference.Window{{From: 1, To: 3}, {From: 7, To: 9}},
		Expected: map[sim.Indicator]int{sim.RealGDP: expected},
	}
}

func concluded(t *testing.T, s *tables.Study, plan *inference.Planned, language string) []string {
	t.Helper()
	a, err := report.Analyse(context.Background(), s, inference.Choice{Plan: plan}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return report.Conclusion(&a, s, language)
}

// The primary outcome is told at first and at the end, whatever became of it, and a change of its sign in
// words.
func TestConclusionTellsTheWay(t *testing.T) {
	for _, c := range []struct {
		name   string
		path   path
		en, zh string
	}{
		{
			"the sign changes", path{early: -3, late: 3, noise: .1},
			"is first lower, then higher: at first lower by 3.0 % (−3.1 % to −2.9 %), enough to matter; at the end higher by 3.0 % (+2.9 % to " +
				"+3.1 %), enough to matter.",
			"先低后高：起初低 3.0 %（−3.1 % 至 −2.9 %），足以关注；最后高 3.0 %（+2.9 % 至 +3.1 %），足以关注。",
		},
		{
			"sure and tiny", path{early: .3, late: 3, noise: .1},
			"is at first higher by 0.30 % (+0.23 % to +0.37 %): too small to matter (less than 1 %); at the end higher by 3.0 %",
			"起初高 0.30 %（+0.23 % 至 +0.37 %）：过小，不值得关注（不足 1 %）；最后高 3.0 %",
		},
		{
			"lost in noise at the end", path{early: 3, late: .2, noise: 3},
			"is at first higher by 3.0 % (+2.9 % to +3.1 %), enough to matter; at the end not known (−1.9 % to +2.3 %): both would matter; about",
			"起初高 3.0 %（+2.9 % 至 +3.1 %），足以关注；最后尚不确定（−1.9 % 至 +2.3 %）：两端都值得关注；换一个种子",
		},
		{
			"nothing, then something", path{early: 0, late: 1.3, noise: 1},
			"shows at first no difference that matters (−0.07 % to +0.07 %), less than 1 % either way; at the end higher by 1.3 % (+0.58 % to " +
				"+2.0 %), which may be less than what matters (1 %).",
			"起初无值得关注的差异（−0.07 % 至 +0.07 %），无论方向均不足 1 %；最后高 1.3 %（+0.58 % 至 +2.0 %），未必达到值得关注的 1 %。",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.path.name = "treatment"
			s := madeUp("", c.path)
			if first := concluded(t, s, planned(0), report.English)[0]; !strings.HasPrefix(
				first, "Compared with control, over 10 replications paired by seed, at first (months 1–3) and at the end (months 7–9), ",
			) || !strings.Contains(first, "the primary outcome, real output, "+c.en) {
				t.Error(first)
			}
			if first := concluded(t, s, planned(0), report.Chinese)[0]; !strings.Contains(first, "主要指标实际GDP："+c.zh) {
				t.Error(first)
			}
		})
	}
}

// What was expected is answered with a verdict, a size and an interval for each arm and window; without
// a direction that was planned a hypothesis is not decided, whatever the rows show.
func TestConclusionAnswersTheHypothesis(t *testing.T) {
	s := madeUp("", path{name: "much", early: 3, late: -3, noise: .1}, path{name: "little", early: .3, late: .2, noise: 3})
	s.Hypothesis = "It helps."
	told := concluded(t, s, planned(1), report.English)
	want := "Hypothesis “It helps” (real output is expected to be higher): much supported at first (+3.0 %; +2.9 % to +3.1 %), refuted at " +
		"the end (−3.0 %; −3.1 % to −2.9 %); little supported at first (+0.30 %; +0.23 % to +0.37 %; too small to matter, less than 1 %), " +
		"not decided at the end (+0.20 %; −1.9 % to +2.3 %)."
	if !slices.Contains(told, want) {
		t.Errorf("%s\nlacks %s", strings.Join(told, "\n"), want)
	}
	if zh := concluded(t, s, planned(1), report.Chinese); !slices.ContainsFunc(zh, func(text string) bool {
		return strings.HasPrefix(text, "假设“It helps”（预期实际GDP更高）：much：起初得到支持（+3.0 %；+2.9 % 至 +3.1 %）、最后被否定（−3.0 %；")
	}) {
		t.Error(strings.Join(zh, "\n"))
	}
	undirected := strings.Join(concluded(t, s, planned(0), report.English), "\n")
	if !strings.Contains(undirected, "Hypothesis “It helps”: not decided by a test") || strings.Contains(undirected, "supported") {
		t.Error(undirected)
	}
}

// Of several arms each outcome is told arm by arm, also against each other, and one that moves nowhere last.
func TestConclusionOfSeveralArms(t *testing.T) {
	s := madeUp("什么更好？", path{name: "a", early: 3, late: 3, noise: .1}, path{name: "b", early: 1.5, late: 0, noise: .1, unemployed: -.02})
	plan := planned(0)
	plan.Pairs = []inference.Pair{{Arm: "b", With: "a"}}
	told := strings.Join(concluded(t, s, plan, report.English), "\n")
	for _, want := range []string{
		"the primary outcome is real output.\na: at first higher by 3.0 %",
		"\nb: at first higher by 1.5 % (+1.4 % to +1.6 %), enough to matter; at the end no difference that matters",
		"\nb against a: at first lower by 1.5 %",
		"\nUnemployment: a at first no difference that matters (−0.01 to +0.01 points); at the end no",
		". b at first lower by 2.00 percentage points (−2.01 to −1.99); ",
	} {
		if !strings.Contains(told, want) {
			t.Errorf("%s\nlacks %q", told, want)
		}
	}
	a, err := report.Analyse(context.Background(), s, inference.Choice{Plan: plan}, nil)
	if err != nil || !strings.HasPrefix(a.ConclusionZH, "与对照组相比") || !strings.HasPrefix(a.Conclusion, "Compared") {
		t.Errorf("conclusion: %s, %v", a.ConclusionZH, err)
	}
	for language, want := range map[string]string{"": "| 更高，足以关注 |", report.English: "| higher, enough to matter |"} {
		c, err := report.Compare(context.Background(), []*tables.Study{s}, inference.Choice{Plan: plan}, language)
		if err != nil || !strings.Contains(c.Text, want) {
			t.Errorf("language %q: %v\n%s", language, err, c.Text)
		}
	}
}

// Arms that differ in one parameter are doses: the figure has an effect with its interval for each, in each
// window, and the control at no effect. Figures are headed by the question.
func TestFigureOfDoses(t *testing.T) {
	s := madeUp(
		"What does a higher minimum wage do?", path{name: "wage_0.7", early: -2, late: -4, noise: 1}, path{name: "wage_0.5", late: 1, noise: .1},
	)
	for k, dose := range []float64{0, .7, .5} {
		s.Arms[k].Params = sim.Defaults()
		if err := s.Arms[k].Params.Set("minimum_wage", dose); err != nil {
			t.Fatal(err)
		}
	}
	ctx := context.Background()
	a, err := report.Analyse(ctx, s, inference.Choice{Plan: planned(0)}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.New(ctx, s, &a, report.Background{}, report.English)
	if err != nil {
		t.Fatal(err)
	}
	figures := map[string]plot.Figure{}
	for _, f := range r.Figures() {
		figures[f.Name] = f.Figure
	}
	doses, ok := figures["doses"].(plot.Panels)
	if !ok || doses.Title != s.Question || len(doses.Grid) != 2 || doses.Grid[0].Title != "Real GDP" {
		t.Fatalf("figures %v: %+v", names(r.Figures()), doses)
	}
	lines := doses.Grid[0].Lines
	if len(lines) != 3 || lines[0].Name != "months 1–3" || lines[1].Name != "months 7–9" || lines[2].Name != "control" || lines[2].X[0] != 0 {
		t.Fatalf("lines %+v", lines)
	}
	end := lines[1]
	checkNear(t, "the lower dose comes first", end.X[0], 50, 1)
	checkNear(t, "effect of the lower dose, %", end.Y[0], 1, 1e-9)
	checkNear(t, "effect of the higher dose, %", end.Y[1], -4, 1e-9)
	// R 4.4: qt(.975, 9) = 2.2622, of a standard deviation of 1.0030 in ten pairs
	checkNear(t, "its interval", end.Upper[1]-end.Lower[1], 2*2.2622*stats.StdDev(scatter)/math.Sqrt(10), 1e-3)
	over, ok := figures["outcome_real_gdp"].(plot.Panels)
	if !ok || len(over.Grid[0].Lines) != 3 || over.Grid[0].Lines[0].OuterLower == nil || over.Grid[0].Lines[1].Lower != nil ||
		over.Bands[1] == "" {
		t.Errorf("all arms in one figure, with the bands of the control: %+v", over)
	}
	if pdf, err := r.PDF("doses"); err != nil || !strings.HasPrefix(string(pdf), "%PDF") {
		t.Errorf("PDF: %v", err)
	}
	// The panels share a legend: the same months have the same colour, others another one.
	own := planned(0)
	own.Of = map[sim.Indicator][]inference.Window{sim.RealGDP: {{From: 7, To: 9}}, sim.UnemploymentRate: {{From: 1, To: 3}, {From: 7, To: 9}}}
	if a, err = report.Analyse(ctx, s, inference.Choice{Plan: own}, nil); err != nil {
		t.Fatal(err)
	}
	if r, err = report.New(ctx, s, &a, report.Background{}, report.English); err != nil {
		t.Fatal(err)
	}
	colours := map[string]int{}
	figure := slices.IndexFunc(r.Figures(), func(f report.NamedFigure) bool { return f.Name == "doses" })
	for _, panel := range r.Figures()[figure].Figure.(plot.Panels).Grid {
		for _, line := range panel.Lines {
			if before, ok := colours[line.Name]; ok && before != line.Colour {
				t.Errorf("%s: %s has the colours %d and %d", panel.Title, line.Name, before, line.Colour)
			}
			colours[line.Name] = line.Colour
		}
	}
	if len(colours) != 3 || colours["months 1–3"] == colours["months 7–9"] {
		t.Errorf("colours %v", colours)
	}
	// Doses that are compared with each other alone have no effects to draw.
	apart := planned(0)
	apart.Arms, apart.Pairs = []string{}, []inference.Pair{{Arm: "wage_0.7", With: "wage_0.5"}}
	if a, err = report.Analyse(ctx, s, inference.Choice{Plan: apart}, nil); err != nil {
		t.Fatal(err)
	}
	if r, err = report.New(ctx, s, &a, report.Background{}, report.English); err != nil || slices.Contains(names(r.Figures()), "doses") {
		t.Errorf("figures %v, %v", names(r.Figures()), err)
	}
	s.Arms[2].Params.VATRate = .2
	if a, err = report.Analyse(ctx, s, inference.Choice{Plan: planned(0)}, nil); err != nil {
		t.Fatal(err)
	}
	if r, err = report.New(ctx, s, &a, report.Background{}, report.English); err != nil ||
		slices.Contains(names(r.Figures()), "doses") {
		t.Errorf("arms that differ in more than a dose are drawn as doses, %v", err)
	}
}

// A report of several arms shows them beside each other and against each other, and its table has the arms
// of an outcome below each other.
func TestArmsBesideEachOther(t *testing.T) {
	s := madeUp("", path{name: "a", early: 3, late: .3, noise: .1}, path{name: "b", early: 1.5, late: 0, noise: .1})
	plan := planned(0)
	plan.Pairs = []inference.Pair{{Arm: "b", With: "a"}}
	a, err := report.Analyse(context.Background(), s, inference.Choice{Plan: plan}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := report.New(context.Background(), s, &a, report.Background{}, report.English)
	if err != nil {
		t.Fatal(err)
	}
	text, err := r.Encode(context.Background(), "markdown")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| outcome | control | a | b | b against a |",
		"| Real GDP (months 1–3) | 100.0 | +3.0 % * | +1.5 % * | −1.5 % * |",
		"| Real GDP (months 7–9) | 100.0 | +0.30 % *= |",
		"Means of the months beside each outcome, then over replications",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	var arms []string
	for _, row := range report.Arranged(a.Treatment)[:3] {
		arms = append(arms, row.Metric+" "+row.Arm)
	}
	if !slices.Equal(arms, []string{"real_gdp a", "real_gdp b", "real_gdp b - a"}) {
		t.Errorf("rows %v", arms)
	}
}

// What passes between the windows that are judged is told with its interval, and as unplanned.
func TestAnswerTellsWhatPassesBetween(t *testing.T) {
	between := func(hump float64, language string) string {
		t.Helper()
		s := madeUp("", path{name: "treatment", early: 1.2, late: 1.2, noise: .1})
		for r, series := range s.Arms[1].Panel {
			for m := 3; m < 6; m++ { // months 4 to 6
				series[sim.RealGDP][m] = s.Arms[0].Panel[r][sim.RealGDP][m] * (1 + hump/100)
			}
		}
		a, err := report.Analyse(t.Context(), s, inference.Choice{Plan: planned(0)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return report.Answer(&a, report.Claim{Change: "more of it", Outcome: "real_gdp"}, language).Between
	}
	if got, want := between(4, report.English), "Between these windows, which was not planned: real output is higher by "; !strings.HasPrefix(got, want) ||
		!strings.Contains(got, " in months 4–6.") {
		t.Errorf("a hump of 4 %%: %q", got)
	}
	if got := between(4, report.Chinese); !strings.HasPrefix(got, "上述窗口之间（计划外）：第4–6个月实际GDP高 ") {
		t.Errorf("a hump of 4 %%: %q", got)
	}
	if got := between(1.3, report.English); got != "" {
		t.Errorf("no hump: %q", got)
	}
}
