package lab_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

const dosed = `
question: How much does a minimum wage cost?
background: {set: {num_households: 500}}
arms:
  vat_cut: {events: [{set: {vat_rate: 3%}, from: 2, for: 3}]}
  wage: {doses: {parameter: minimum_wage, values: [50%, 70%]}}
outcomes:
  - {metric: real_wage_mean, window: [3, 6], expect: higher, smallest_effect: 1%}
  - {metric: unemployment_rate, smallest_effect: 0.5pp}
compare: [vat_cut - control, wage_0.7 - control, wage_0.7 - wage_0.5]
design: {months: 6, replications: 3, seed: 7, burn_in: 3}
`

func mustInquiry(tb testing.TB, text string) inquiry.Inquiry {
	tb.Helper()
	q, err := inquiry.Decode([]byte(text))
	if err != nil {
		tb.Fatal(err)
	}
	return q
}

func (w *workshop) inquired(text, name string) lab.Inquired {
	w.tb.Helper()
	q, err := w.Inquire(mustInquiry(w.tb, text), name, "")
	if err != nil {
		w.tb.Fatal(err)
	}
	started, err := w.Start(context.Background(), q.Order)
	if err != nil {
		w.tb.Fatal(err)
	}
	w.wait(started.Name, run.StateCompleted)
	return q
}

// An inquiry becomes one experiment: all arms against one control, judged in the windows and by the
// margins of each outcome, in one family; what it is stands in the record.
func TestInquire(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	q := w.inquired(dosed, "doses")
	x, err := w.Store.Experiment(context.Background(), "doses")
	if err != nil {
		t.Fatal(err)
	}
	r, ok := lab.RegistrationOf(x)
	if !ok || r.InquiryHash != q.Hash || mustInquiry(t, r.Inquiry).Hash(q.Scenarios) != q.Hash || len(x.Arms) != 4 || len(x.Runs) != 12 {
		t.Errorf("%d arms, %d runs, registered %s under %s, want %s", len(x.Arms), len(x.Runs), r.Inquiry, r.InquiryHash, q.Hash)
	}
	c := w.compared("", inference.Choice{}, "doses")
	var rows []string
	for _, row := range c.Rows {
		if row.Exploratory {
			t.Errorf("%s of %s was planned", row.Metric, row.Arm)
		}
		rows = append(rows, fmt.Sprintf("%s %s %d-%d", row.Arm, row.Metric, row.Window.From, row.Window.To))
	}
	var want []string
	for _, arm := range []string{"vat_cut", "wage_0.7", "wage_0.7 - wage_0.5"} {
		want = append(want, arm+" real_wage_mean 3-6", arm+" unemployment_rate 1-2", arm+" unemployment_rate 5-6")
	}
	if !slices.Equal(rows, want) {
		t.Errorf("rows\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
	tested := 0 // an arm that does not differ at all has no p-value
	for _, row := range c.Rows {
		if row.P == row.P {
			tested++
		}
		if margin := float64(row.SmallestEffect); row.Metric == "unemployment_rate" && margin != .005 ||
			row.Metric == "real_wage_mean" && margin != .01*float64(row.Control) {
			t.Errorf("%s of %s: margin %v, control %v", row.Metric, row.Arm, margin, row.Control)
		}
	}
	if c.Family != tested || tested < 4 || c.Asked != 0 {
		t.Errorf("a family of %d of %d that were tested, %d asked beyond it", c.Family, tested, c.Asked)
	}
	// What the plan does not compare is exploratory. An arm against another is the difference between
	// both against the control: seeds are shared.
	all := w.compared("", inference.Choice{Metrics: []sim.Indicator{sim.RealWageMean}, Windows: []inference.Window{{From: 3, To: 6}}}, "doses")
	if len(all.Rows) != 4 || all.Rows[1].Arm != "wage_0.5" || !all.Rows[1].Exploratory || all.Rows[0].Exploratory {
		t.Fatalf("with all arms: %s", encoded(t, all.Rows))
	}
	if d := float64(all.Rows[2].Difference - all.Rows[1].Difference - all.Rows[3].Difference); d > 1e-9 || d < -1e-9 {
		t.Errorf("70 %% less 50 %%: %v, of the effects %v and %v", all.Rows[3].Difference, all.Rows[2].Difference, all.Rows[1].Difference)
	}
	// Another window of an outcome was not planned, be it that of another one.
	other := w.compared("", inference.Choice{Windows: []inference.Window{{From: 1, To: 2}}}, "doses")
	if row := other.Rows[0]; row.Metric != "real_wage_mean" || !row.Exploratory {
		t.Errorf("in a window of another outcome: %s", encoded(t, row))
	}
}

// An inquiry of another confidence is judged at that one, and its report says what was planned.
func TestInquiryOfOtherConfidence(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	w.inquired("question: q\nbackground: {set: {num_households: 500}}\narms: {a: {set: {vat_rate: 20%}}}\n"+
		"outcomes: [{metric: cpi, window: [2, 4], smallest_effect: 2%}, {metric: exports, window: [1, 2]}]\n"+
		"design: {months: 4, replications: 3, burn_in: 3, confidence: 99%}", "x")
	c := w.compared("", inference.Choice{}, "x")
	if c.Confidence != .99 || len(c.Rows) != 2 || c.Rows[0].Exploratory || c.Rows[1].Exploratory || c.Asked != 0 {
		t.Errorf("at %v: %s", c.Confidence, encoded(t, c.Rows))
	}
	stored, err := w.Analyse(context.Background(), "x", lab.AnalysisSettings{}, "")
	if err != nil || len(stored.Analysis.Treatment) != 2 || stored.Settings.Confidence != .99 {
		t.Errorf("%v, %s", err, encoded(t, stored.Analysis.Treatment))
	}
	text, err := w.Report(context.Background(), "x", "markdown", "en", "")
	if err != nil || !strings.Contains(text, "Arm a: VAT (vat_rate) is 20%") || !strings.Contains(text, "(less than 2% does not matter)") ||
		!strings.Contains(text, "at 99% confidence") || strings.Contains(text, "no difference is sure") || len(w.counted("x")) != 0 {
		t.Errorf("%v, %d asked beyond the plan, report\n%s", err, len(w.counted("x")), text)
	}
	for name, text := range map[string]string{
		"none": "background: {set: {num_households: 500}}\narms: {a: {set: {vat_rate: 20%}}, b: {set: {vat_rate: 9%}}}\ncontrol: none\n" +
			"design: {months: 2, replications: 2, burn_in: 3}",
	} {
		if q := w.inquired(text, name); len(q.Inquiry.Compare) != 0 || len(q.Scenarios) != 2 {
			t.Errorf("%s: %v, %d arms", name, q.Inquiry.Compare, len(q.Scenarios))
		}
	}
}

// A treatment that the workspace can say, too, gives the same numbers as an inquiry.
func TestInquiryIsTheSameExperiment(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	w.inquired("background: {set: {num_households: 500}}\narms: {treatment: {set: {vat_rate: 12%}}}\ndesign: {months: 4, replications: 2, burn_in: 3}", "inquiry")
	s := mustScenario(t, "num_households", 500, "burn_in_months", 3, "vat_rate", .12)
	seed := uint64(1)
	w.start(lab.Order{Name: "order", Scenario: s, Control: lab.BurnInControl, Replications: 2, Months: 4, Seed: &seed})
	w.wait("order", run.StateCompleted)
	hashes := func(name string) (list []string) {
		x, err := w.Store.Experiment(context.Background(), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range x.Runs {
			list = append(list, r.StateHash)
		}
		return list
	}
	if a, b := hashes("inquiry"), hashes("order"); len(a) != 4 || !slices.Equal(a, b) {
		t.Errorf("runs end in %v, those of an order in %v", a, b)
	}
}
