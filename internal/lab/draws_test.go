package lab_test

import (
	"context"
	"strings"
	"testing"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
)

// Draws of a posterior are tried with their parameters in both arms, and told in their order,
// those of the sample that was tried last alone.
func TestVerdictOverDraws(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds, under the race detector minutes")
	}
	w := newWorkshop(t, run.Settings{})
	const question = "Who pays for a VAT rise from 8% to 15%?"
	plain, a := w.asked(lab.Question{Text: question})
	for _, p := range []lab.Perturbation{
		{Posterior: "old.csv", Draw: 1, Set: "consumption_habit=0.9"},
		{Posterior: "new.csv", Draw: 2, Draws: 4, Set: "consumption_habit=0.7, benefit_months=18"}, // the same set is the first of two
		{Posterior: "new.csv", Draw: 2, Draws: 2, Set: "consumption_habit=0.5, benefit_months=6"},
		{Posterior: "new.csv", Draw: 1, Draws: 2, Set: "consumption_habit=0.7, benefit_months=18"},
	} {
		w.asked(lab.Question{Text: question, Perturbation: &p, Tries: plain.PlanHash})
	}
	name := a.Experiment.Name
	a, err := w.Answer(context.Background(), name, "", "")
	if err != nil || len(a.Robustness) != 2 {
		t.Fatalf("%+v, %v", a.Robustness, err)
	}
	for k, r := range a.Robustness {
		if r.Posterior != "new.csv" || r.Draw != k+1 || r.Difference == 0 {
			t.Errorf("draw %d: %+v", k+1, r)
		}
	}
	if a.Robustness[0].Difference == a.Robustness[1].Difference {
		t.Error("other parameters, and the same effect to the bit")
	}
	x, err := w.Store.Experiment(context.Background(), a.Robustness[1].ExperimentName)
	if err != nil {
		t.Fatal(err)
	}
	r, _ := lab.RegistrationOf(x)
	if !strings.Contains(r.Inquiry, "consumption_habit: 0.5") || !strings.Contains(r.Inquiry, "benefit_months: 6") {
		t.Errorf("the inquiry of draw 2: %s", r.Inquiry)
	}
	report, err := w.Report(context.Background(), name, "markdown", "en", "")
	if err != nil || !strings.Contains(report, "2 draws of the posterior new.csv: consumption_habit, benefit_months") {
		t.Errorf("the report does not tell of draws: %v", err)
	}
}
