package lab_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
)

// What became of a verdict under other behaviour belongs to its plan: answers and reports
// tell it, in the order of the perturbations and of the newest experiments, and of nothing
// else.
func TestVerdictUnderOtherBehaviour(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	w := newWorkshop(t, run.Settings{})
	const question = "Who pays for a VAT rise from 8% to 15%?"
	plain, a := w.asked(lab.Question{Text: question})
	if a.Robustness != nil {
		t.Fatalf("before anything was tried: %+v", a.Robustness)
	}
	for _, k := range []int{1, 0, 1} {
		w.asked(lab.Question{Text: question, Perturbation: &lab.Perturbations[k], Tries: plain.PlanHash})
	}
	w.asked(lab.Question{Text: question, Perturbation: &lab.Perturbations[2]}) // tries no plan
	name := a.Experiment.Name
	a, err := w.Answer(context.Background(), name, "", "")
	if err != nil || len(a.Robustness) != 2 {
		t.Fatalf("%+v, %v", a.Robustness, err)
	}
	for k, r := range a.Robustness {
		p := lab.Perturbations[k]
		if r.Parameter != p.Parameter || r.Factor != p.Factor || r.Kept != (r.Verdict == a.Answered.Verdict) || r.Outcome != "real_consumption" ||
			r.Difference == 0 {
			t.Errorf("perturbation %d: %+v", k, r)
		}
	}
	if newest := a.Robustness[1].ExperimentName; !strings.HasSuffix(newest, "_2") {
		t.Errorf("the verdict is that of %s, not of the newest", newest)
	}
	report, err := w.Report(context.Background(), name, "markdown", "zh", "")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"## 行为参数改变时的结论", "price_adjustment_probability × 0.6", a.PlanHash, a.Registration.HypothesisIn("zh")} {
		if !strings.Contains(report, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	under, err := w.Answer(context.Background(), a.Robustness[0].ExperimentName, "", "")
	if err != nil || under.Robustness != nil {
		t.Errorf("what tries a verdict is tried itself: %+v, %v", under.Robustness, err)
	}
}

// The last command of a report makes the same plan, from the inquiry that a package has.
func TestReportRepeatsThePlan(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	w := newWorkshop(t, run.Settings{})
	p, a := w.asked(lab.Question{Text: "What if the government's VAT rises to 15%?", Language: "zh"})
	report, err := w.Report(context.Background(), a.Experiment.Name, "markdown", "en", "")
	if err != nil || !strings.Contains(report, "econ-mcp ask inquiry.yaml\n") {
		t.Fatalf("%v: %s", err, report[strings.LastIndex(report, "## "):])
	}
	files, err := w.Package(context.Background(), a.Experiment.Name, "", "")
	if err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(files, func(f lab.File) bool { return f.Path == "inquiry.yaml" })
	if at < 0 {
		t.Fatal("no inquiry.yaml")
	}
	q, err := inquiry.Decode(files[at].Data)
	if err != nil {
		t.Fatal(err)
	}
	again, err := w.Written(lab.Question{Language: "zh"}, q)
	if err != nil || again.Hash != p.Hash || again.Hash != a.Registration.InquiryHash {
		t.Errorf("it has hash %s, want %s, %v", again.Hash, p.Hash, err)
	}
	other, err := w.Propose(
		lab.Question{Text: p.Reading.Question, Households: 600, Months: 12, Replications: 2, Base: "crisis", Language: "zh"},
	)
	if err != nil || other.Registration().Base != "crisis" || other.PlanHash == p.PlanHash {
		t.Errorf("of another base: %s, %v", other.PlanHash, err)
	}
}
