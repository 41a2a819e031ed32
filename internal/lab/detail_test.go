package lab_test

import (
	"testing"

	"econ-mcp/internal/lab"
	"econ-mcp/internal/run"
)

// What is kept of a run beside its months is small, and there when the experiment has ended; plain JSON, as
// 0.5.0 kept it, is read by TestTablesOfAnotherProgram.
func TestDetailsAreSmall(t *testing.T) {
	w := newWorkshop(t, run.Settings{})
	w.start(lab.Order{Name: "x", Scenario: mustScenario(t, "num_households", 2000), Months: 1})
	w.wait("x", run.StateCompleted)
	var runs, bytes int
	if err := w.database().QueryRow("SELECT count(DISTINCT run), sum(length(data)) FROM detail").Scan(&runs, &bytes); err != nil {
		t.Fatal(err)
	}
	if runs != 2 || bytes/runs > 20_000 {
		t.Errorf("details of %d runs take %d bytes, want 20,000 for each of 2 at most", runs, bytes)
	}
	w.close()
	w.open()
	place, groups, err := w.Households(t.Context(), "x", "", 0, "wealth_decile")
	if err != nil || place.Partial || len(groups) != 10 || !(groups[9].Wealth.Mean.Mean > groups[0].Wealth.Mean.Mean) {
		t.Errorf("read again: %+v, %v", place, err)
	}
}
