package design_test

import (
	"testing"

	"econ-mcp/internal/design"
)

// TestAccuracy holds the reader against the labelled questions. The held-out part is only
// counted: its misses are not shown, so that nobody tunes on them.
func TestAccuracy(t *testing.T) {
	e, err := design.Evaluate()
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range e.Misses {
		if m.HeldOut {
			continue
		}
		t.Logf("%s\n\twant %s %+v\n\tgot  %s (%v)", m.Question, m.Type, m.Levers, m.Got.Type, m.Err)
		for _, l := range m.Got.Levers {
			t.Logf(
				"\t\t%s %s %v -> %v (%q) start %d for %d ramp %d",
				l.Parameter,
				l.Direction,
				l.From,
				l.Value,
				l.FromText,
				l.StartMonth,
				l.DurationMonths,
				l.RampMonths,
			)
		}
	}
	t.Logf("tuned: %+v, held out: %+v, English: %+v, Chinese: %+v", e.Tuned, e.HeldOut, e.English, e.Chinese)
	for _, part := range []design.Score{e.Tuned, e.HeldOut} {
		if n := part.Questions; 100*part.Types < 95*n || 100*part.Levers < 90*n {
			t.Errorf("below 95 %% on types or 90 %% on levers: %+v", part)
		}
	}
	if n := e.Tuned.Questions + e.HeldOut.Questions; n < 200 {
		t.Errorf("%d questions, fewer than 200", n)
	}
	if e.HeldOut.Questions != 50 {
		t.Errorf("%d questions are held out, not 50", e.HeldOut.Questions)
	}
}
