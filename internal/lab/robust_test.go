package lab_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

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
	plain, a := w.asked(lab.Inquiry{Question: question})
	if a.Robustness != nil {
		t.Fatalf("before anything was tried: %+v", a.Robustness)
	}
	for _, k := range []int{1, 0, 1} {
		w.asked(lab.Inquiry{Question: question, Perturbation: &lab.Perturbations[k], Tries: plain.Hash})
	}
	w.asked(lab.Inquiry{Question: question, Perturbation: &lab.Perturbations[2]}) // tries no plan
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

// The last command of a report makes the same plan.
func TestReportRepeatsThePlan(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	w := newWorkshop(t, run.Settings{})
	p, a := w.asked(lab.Inquiry{Question: "What if the government's VAT rises to 15%?", Language: "zh"})
	report, err := w.Report(context.Background(), a.Experiment.Name, "markdown", "en", "")
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintf(
		`econ-mcp ask 'What if the government'\''s VAT rises to 15%%?' --households 600 --months 12 --replications 2 --seed %d --lang zh`,
		a.Experiment.Seed,
	)
	if !strings.Contains(report, want+"\n") {
		t.Fatalf("no %s in %s", want, report[strings.LastIndex(report, "## "):])
	}
	again, err := w.Propose(
		lab.Inquiry{Question: p.Plan.Question, Households: 600, Months: 12, Replications: 2, Seed: &a.Experiment.Seed, Language: "zh"},
	)
	if err != nil || again.Hash != p.Hash {
		t.Errorf("its plan has hash %s, want %s, %v", again.Hash, p.Hash, err)
	}
	width := .25
	auto, err := w.Propose(
		lab.Inquiry{
			Question: p.Plan.Question, Households: 600, Months: 12, Replications: lab.Auto, HalfWidth: &width, Seed: &a.Experiment.Seed,
			Language: "zh",
		},
	)
	if err != nil {
		t.Fatal(err)
	}
	started, err := w.Ask(context.Background(), auto)
	if err != nil {
		t.Fatal(err)
	}
	w.wait(started.Name, run.StateCompleted)
	report, err = w.Report(context.Background(), started.Name, "markdown", "en", "")
	if want := "--replications auto --half-width 0.25 --max-replications 100 --seed"; err != nil || !strings.Contains(report, want) ||
		!strings.Contains(report, "within ±25 % of it, at most 100") {
		t.Errorf("no %s, or no rule, in %s, %v", want, report, err)
	}
	if p, err := w.Propose(
		lab.Inquiry{Question: p.Plan.Question, Households: 600, Months: 12, Replications: 2, Base: "crisis", Language: "zh"},
	); err != nil || p.Registration.Base != "crisis" || p.Hash == again.Hash {
		t.Errorf("of another base: %q %s, %v", p.Registration.Base, p.Hash, err)
	}
}
