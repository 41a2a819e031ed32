package estimation

import (
	"os"
	"strings"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
)

func TestRecoveryWithoutTrials(t *testing.T) {
	if _, err := (&Recovery{}).Run(t.Context()); fault.KindOf(err) != fault.OutOfRange {
		t.Errorf("no trials: %v", err)
	}
}

// Trials share the economies of the first wave and have truths of their own; what is counted is what became of them.
func TestRecovery(t *testing.T) {
	long(t)
	p := calm()
	p.BurnInMonths = 24
	t.Setenv("TMPDIR", t.TempDir())
	r := &Recovery{
		Targets: func() (*Targets, error) {
			return ReadTargets([]byte(`
households: 500
replications: 2
parameters: {government_employment_share: [0.05, 0.3]}
only: [share G, share C]
posterior: {points: 8, waves: 1, discrepancy: 0, predictive: 0}
`))
		},
		Scenario: scenario.New("test", p), Quarters: 40, Trials: 6,
	}
	found, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := found.Parameters[0]
	if c.Covered90 < 3 || c.Width > .5 || c.Correlation < .9 || len(c.Ranks) != 6-found.Empty {
		t.Errorf("%+v", c)
	}
	if text := found.Markdown("command"); !strings.Contains(text, "of 6") {
		t.Error(text)
	}
	if left, err := os.ReadDir(os.TempDir()); err != nil || len(left) > 0 {
		t.Errorf("left in the temporary folder: %v, %v", left, err)
	}
	r.Threads = 1
	again, err := r.Run(t.Context())
	if err != nil || again.Markdown("") != found.Markdown("") {
		t.Errorf("another result on one thread: %v", err)
	}
	if (&RecoveredParameter{Covered90: 97, Width: .3}).Holds(100) || (&RecoveredParameter{Covered90: 90, Width: .6}).Holds(100) ||
		!(&RecoveredParameter{Covered90: 82, Width: .5}).Holds(100) {
		t.Error("what holds")
	}
}
