// Package lab runs experiments: one or more arms of a policy question, each
// replicated on the same seeds, compared pair by pair.
package lab

import (
	"time"

	"econ-mcp/internal/inference"
	"econ-mcp/internal/run"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Arm is one scenario of an experiment under the name that reports use.
type Arm = run.Arm

// Experiment is one or more arms that share their seeds, so that a difference
// between two arms of one replication is the effect of what the arms differ in.
type Experiment struct {
	Arms         []Arm  // one, or the control first
	Replications int    // at least 1
	Seed         uint64 // of the first replication; see [run.ReplicationSeed]
	Months       int    // after burn-in, at least 1
	Threads      int    // 0 = all cores
	Cache        run.Cache
	From, To     int     // window of the effects in months from 1; 0, 0 = the whole horizon
	Confidence   float64 // of all intervals; 0 = tables.DefaultConfidence

	Progress func(run.Progress) // may be nil; called by one goroutine at a time

	groups []run.Group // of the arms, once it is ordered
}

// Result is what an experiment found. Its order is that of the arms and seeds,
// whatever the parallelism was.
type Result struct {
	Months               []int // 1 … Experiment.Months
	Arms                 []ArmResult
	Effects              []Effect // of each further arm against the first; most telling first within an arm
	From, To             int      // the window of the effects
	Confidence           float64
	Method               inference.Method // by which effects were judged
	Notes                []inference.Note // on that
	AgentMonthsPerSecond float64          // of all simulations together, burn-in included
	CachedBurnIn         bool             // no burn-in had to be simulated
	Elapsed              time.Duration
}

// ArmResult holds one arm's replications and their mean.
type ArmResult struct {
	Name         string
	ScenarioHash string   // of the scenario as it was simulated, see BurntInAs
	BurntInApart []string // parameters for which the arm has a burn-in of its own
	BurntInAs    string   // the arm whose burn-in replaced the one of the arm's scenario; empty = its own
	Replications []Replication

	tables.Curves // over replications
}

// Replication is one simulation of one arm.
type Replication struct {
	Seed      uint64
	StateHash string // after the last month
	Began     []int  // first month of each intervention of the arm; 0 where its condition was never met
	Series    [sim.NumOutcomes][]float64
	Groups    tables.GroupMeans // over the window of the effects
	Sizes     tables.FirmSizes  // of the firms in the last month

	plausibility sim.Plausibility
}

// Effect is the difference that an arm makes to one indicator, paired by seed.
type Effect = inference.Effect

// Groups are the group means of an arm, by replication.
func (a *ArmResult) Groups() (list []*tables.GroupMeans) {
	for k := range a.Replications {
		list = append(list, &a.Replications[k].Groups)
	}
	return list
}

// GroupTables are the means of groups over the window and, of several arms, the differences that
// the last makes to the first, for economies with the parameters p.
func (r *Result) GroupTables(p sim.Params) []inference.GroupTable {
	var treatment []*tables.GroupMeans
	if n := len(r.Arms); n > 1 {
		treatment = r.Arms[n-1].Groups()
	}
	return inference.GroupTables(p, r.Arms[0].Groups(), treatment, r.Confidence)
}
