// Package lab runs experiments: one or more arms of a policy question, each
// replicated on the same seeds, compared pair by pair.
package lab

import (
	"time"

	"econ-mcp/internal/analysis"
	"econ-mcp/internal/run"
	"econ-mcp/sim"
)

// DefaultConfidence is the confidence of intervals where none is asked for.
const DefaultConfidence = 0.95

// Arm is one scenario of an experiment under the name that reports use.
type Arm = run.Arm

// Experiment is one or more arms that share their seeds, so that a difference
// between two arms of one replication is the effect of what the arms differ in.
type Experiment struct {
	Arms         []Arm  // one, or the control first
	Replications int    // at least 1
	Seed         uint64 // of the first replication; see [ReplicationSeed]
	Months       int    // after burn-in, at least 1
	Threads      int    // 0 = all cores
	Cache        run.Cache
	From, To     int            // window of the effects in months from 1; 0, 0 = the whole horizon
	Confidence   float64        // of all intervals; 0 = DefaultConfidence
	Progress     func(Progress) // may be nil; called by one goroutine at a time

	months []int // of each arm where they differ, at most Months; nil = Months for all

	// Begin, which may be nil, is called before month 1 of the arms that share a
	// burnt-in state, with the replication, from 1, and whether the state came
	// from the cache. Never while Progress runs.
	Begin func(replication int, cached bool)
}

// Phase names what a simulation is doing.
type Phase string

const (
	PhaseBurnIn  Phase = "burn_in"
	PhaseRunning Phase = "running"
)

// Progress says that one simulation of an experiment finished one month.
type Progress struct {
	Phase       Phase
	Arm         string // during burn-in the first arm that the burnt-in state is for
	Replication int    // from 1
	Month       int    // of this phase, from 1
	Total       int    // months of this phase
	Done, Of    int    // simulated months of the whole experiment, burn-in included; a burn-in found in the cache counts as done

	Latest *sim.Record // of the month, valid during the call; nil in burn-in
}

// Result is what an experiment found. Its order is that of the arms and seeds,
// whatever the parallelism was.
type Result struct {
	Months               []int // 1 … Experiment.Months
	Arms                 []ArmResult
	Effects              []Effect // of each further arm against the first; most telling first within an arm
	From, To             int      // the window of the effects
	Confidence           float64
	AgentMonthsPerSecond float64 // of all simulations together, burn-in included
	CachedBurnIn         bool    // no burn-in had to be simulated
	Elapsed              time.Duration
}

// ArmResult holds one arm's replications and their mean.
type ArmResult struct {
	Name         string
	ScenarioHash string   // of the scenario as it was simulated, see BurntInAs
	BurntInApart []string // parameters for which the arm has a burn-in of its own
	BurntInAs    string   // the arm whose burn-in replaced the one of the arm's scenario; empty = its own
	Replications []Replication

	// Mean over replications of each indicator and month, with its Student-t
	// interval, which is NaN for fewer than two replications.
	Mean, Lower, Upper [sim.NumIndicators][]float64
}

// Replication is one simulation of one arm.
type Replication struct {
	Seed      uint64
	StateHash string // after the last month
	Began     []int  // first month of each intervention of the arm; 0 where its condition was never met
	Series    [sim.NumIndicators][]float64
	Last      sim.Record
	Groups    analysis.GroupMeans // over the window of the effects
	Sizes     analysis.FirmSizes  // of the firms in the last month
}

// Effect is the difference that an arm makes to one indicator, paired by seed.
type Effect = analysis.Effect
