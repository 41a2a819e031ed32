// Package inquiry holds what is asked, in one value: the economy that it is about, the arms that
// differ from it, the outcomes that they are judged by, and the design of the experiment. It is read
// from strict YAML or JSON, has a canonical form and a hash, says itself back in plain words, and
// becomes the scenarios of an experiment.
package inquiry

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Inquiry is what is asked. It is a value: what is read is complete, every default written out.
type Inquiry struct {
	Question   string
	Background Economy // lives in every arm
	Arms       []Arm   // in the order in which they are written; none = the background alone
	Control    string  // [ControlBackground], [ControlBurnIn], [ControlNone], or a preset or config
	Outcomes   []Outcome
	Compare    []Pair
	EqualCost  *EqualCost // nil = all numbers are given
	Find       *Find      // nil = no value is looked for
	Design     Design
}

// compares says whether there are arms to hold against the control.
func (q Inquiry) compares() bool { return len(q.Arms) > 0 || q.Find != nil }

// Searches says whether a number has to be found before the experiment begins.
func (q Inquiry) Searches() bool { return q.EqualCost != nil || q.Find != nil }

// What the arms are held against, beside the name of a preset or config.
const (
	ControlBackground = "background" // the background alone
	ControlBurnIn     = "burn-in"    // the burnt-in economy goes on, with nothing set and nothing planned
	ControlNone       = "none"
)

// ControlArm is the name of the control among the arms of an experiment.
const ControlArm = "control"

// Economy is a scenario and what happens in it.
type Economy struct {
	Base   string             // preset or config; "" = the baseline, of an arm the background
	Text   string             // a scenario that has no name to find it by, as YAML, in the place of Base
	Set    []Setting          // by name
	Events []sim.Intervention // in the order in which they are written
	Rules  []sim.Intervention // that are switched on and off, after the events
}

// own says whether an economy of an arm is a scenario of its own rather than the background.
func (e Economy) own() bool { return e.Base != "" || e.Text != "" }

// Setting is a value of a parameter, of the type that the catalogue says.
type Setting struct {
	Name  string
	Value any // float64, int, bool or string
}

// Arm is one way in which things go.
type Arm struct {
	Name string
	Economy
	Doses *Doses // makes an arm of each value; nil = one arm
}

// Doses are values that a parameter takes from month 1 on, each in an arm of its own.
type Doses struct {
	Parameter string
	Values    []any
}

// Outcome is what is measured, and how it is judged.
type Outcome struct {
	Metric  sim.Indicator
	Windows []Window // months whose means are compared
	Expect  int      // 1 = higher, -1 = lower, 0 = either
	Smallest
}

// Smallest is the smallest effect of interest: 0 = the usual one of the kind of indicator.
type Smallest struct {
	Effect   float64
	Relative bool // Effect is a share of the control's mean, else it is in the unit of the indicator
}

// Window is a span of months from 1, both included.
type Window struct{ From, To int }

// Pair is a comparison of an arm with another.
type Pair struct{ Arm, With string }

// Design is how the experiment is made.
type Design struct {
	Months          int // after burn-in
	Replications    int // of each arm; [Auto] = added until the first outcome is known
	Seed            uint64
	BurnIn          int    // months
	Family          string // of tests: t, rank or permutation
	Confidence      float64
	HalfWidth       float64 // of [Auto]: relative half-width at which adding stops
	MaxReplications int     // of [Auto]
}

// Auto stands for a number of replications that is found while they are added.
const Auto = -1

// The design of an inquiry that says nothing of it.
const (
	DefaultMonths          = 60
	DefaultReplications    = 20
	DefaultSeed            = 1
	DefaultBurnIn          = 180
	DefaultFamily          = "t"
	DefaultConfidence      = 0.95
	DefaultHalfWidth       = 0.1
	DefaultMaxReplications = 100
)

// Families are the families of tests.
var Families = []string{"t", "rank", "permutation"}

// DefaultOutcomes are measured where none are named.
var DefaultOutcomes = []sim.Indicator{
	sim.RealGDP, sim.UnemploymentRate, sim.Inflation, sim.RealWageMean, sim.LabourShare, sim.RealConsumption, sim.RealInvestment,
	sim.LabourProductivity, sim.IncomeGini, sim.WealthGini, sim.PovertyRate, sim.DebtToGDP, sim.Bankruptcies, sim.HHI,
}

// DefaultWindows are those of an outcome that names none: the transition, which is the first third
// of the months, and the end, which is the last.
func DefaultWindows(months int) []Window {
	third := max(1, months/3)
	if months < 3 {
		return []Window{{1, months}}
	}
	return []Window{{1, third}, {months - third + 1, months}}
}

// Hash identifies the inquiry with everything that decides what comes out: its canonical form, the
// scenario of each arm, and the version of the model.
func (q Inquiry) Hash(arms []Scenario) string {
	h := sha256.New()
	h.Write(q.Encode())
	for _, a := range arms {
		fmt.Fprintf(h, "%s=%s\n", a.Name, a.Scenario.Hash())
	}
	fmt.Fprintf(h, "model=%s\n", sim.ModelVersion)
	return hex.EncodeToString(h.Sum(nil))
}

// Scenario is an arm as it is simulated.
type Scenario struct {
	Name     string
	Scenario scenario.Scenario
}

// Primary is the outcome that the inquiry is about.
func (q Inquiry) Primary() Outcome { return q.Outcomes[0] }

// names are those of the arms with doses spread out, the control first where there is one.
func (q Inquiry) names() (list []string) {
	if q.Control != ControlNone {
		list = append(list, ControlArm)
	}
	for _, a := range q.Arms {
		list = append(list, a.names()...)
	}
	if q.Find != nil {
		list = append(list, q.Find.Arms()...)
	}
	return list
}

func (a Arm) names() []string {
	if a.Doses == nil {
		return []string{a.Name}
	}
	var list []string
	for _, v := range a.Doses.Values {
		list = append(list, a.Name+"_"+text(v))
	}
	return list
}

// bySetting puts settings in the order of their names.
func bySetting(a, b Setting) int { return cmp.Compare(a.Name, b.Name) }

func sortedSettings(list []Setting) []Setting {
	list = slices.Clone(list)
	slices.SortFunc(list, bySetting)
	return list
}
