package trials

import (
	"math"
	"strings"
	"testing"

	"econ-mcp/internal/run"
	"econ-mcp/internal/stats"
)

// Drawn anew, everything makes another economy of the same variance, a process without effect makes none, and the
// threads do not matter.
func TestSources(t *testing.T) {
	s := tiny(t)
	s.Params.NumHouseholds, s.BurnIn.NumHouseholds = 600, 600
	s.Params.NumIterations, s.Params.ConfidenceVolatility = 480, 0
	s.Params.OwnershipRisk, s.BurnIn.OwnershipRisk = 0, 0 // nothing else of "other" is on
	table := func(threads int) *CycleTable {
		found, err := Sources(t.Context(), s, 3, threads, run.Cache{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	found := table(2)
	effect := map[string]float64{}
	for _, row := range found.Rows {
		effect[row.Process] = row.Total[0].Mean
		for k, e := range row.Total {
			if !(e.Mean >= 0 && e.Low <= e.Mean && e.Mean <= e.High) {
				t.Errorf("%s on %s: %v", row.Process, found.Variables[k], e)
			}
		}
	}
	if effect["confidence"] != 0 || effect["other"] != 0 {
		t.Errorf("confidence that does not move has %g, what is switched off %g", effect["confidence"], effect["other"])
	}
	if x := effect["all"]; !(x > .6 && x < 1.6) || math.Abs(effect["all but confidence"]-x) > .8 {
		t.Errorf("all have %g, all but one that does nothing %g", x, effect["all but confidence"])
	}
	if effect["job search"] < .1 {
		t.Errorf("in a small economy chance in job search has %g", effect["job search"])
	}
	if got, want := table(1).Markdown(), found.Markdown(); got != want {
		t.Errorf("on one thread:\n%s\non two:\n%s", got, want)
	}
}

// The verdict looks at single processes, and at output.
func TestCycleVerdict(t *testing.T) {
	found := CycleTable{Variables: []string{"output"}, SD: []float64{.01}}
	row := func(name string, own bool, x float64) CycleRow {
		r := CycleRow{Process: name, own: own}
		r.Total = append(r.Total, stats.Interval{Mean: x, Low: x, High: x})
		return r
	}
	found.Rows = []CycleRow{row("wages", true, .2), row("confidence", true, .5), row("all", false, 1)}
	if !found.Pass() || found.Largest().Process != "confidence" {
		t.Error(found.Verdict())
	}
	found.Rows[1] = row("confidence", true, .51)
	if found.Pass() || !strings.HasPrefix(found.Verdict(), VerdictOpen) {
		t.Error(found.Verdict())
	}
}
