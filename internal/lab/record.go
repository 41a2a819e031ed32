package lab

import (
	"context"
	"encoding/json"
	"fmt"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/store"
	"econ-mcp/sim"
)

// RecordFile is where the record of an experiment is found in a package.
const RecordFile = "record.json"

// Record is what decides every bit of an experiment, and the states that came out.
type Record struct {
	Name         string        `json:"experiment_name"`
	Question     string        `json:"question,omitempty"`
	ModelVersion string        `json:"model_version"`
	CodeVersion  string        `json:"code_version"`
	Months       int           `json:"months"` // that all runs have reached
	Seed         uint64        `json:"seed"`   // from which those of the runs are derived
	Replications int           `json:"replications"`
	Arms         []RecordedArm `json:"arms"`
	Runs         []RecordedRun `json:"runs"`
	PlanHash     string        `json:"plan_hash"` // of plan.json
}

// RecordedArm is an arm by the file of its scenario.
type RecordedArm struct {
	Name string `json:"name"`
	File string `json:"file"`
	Hash string `json:"scenario_hash"`
}

// RecordedRun is the state of a run at its end.
type RecordedRun struct {
	Arm         string `json:"arm"`
	Replication int    `json:"replication"` // from 1
	Seed        uint64 `json:"seed"`
	StateHash   string `json:"state_hash"` // SHA-256; "" = it was not kept
}

// recordOf is the record of an experiment, whose scenarios are in the files of a package.
func recordOf(x store.Experiment, scenarios []string) ([]byte, error) {
	r := Record{
		Name: x.Name, Question: x.Question, ModelVersion: x.ModelVersion, CodeVersion: x.CodeVersion, Months: x.Month, Seed: x.Seed,
		Replications: x.Replications, PlanHash: PlanHash(x.Plan),
	}
	for i, arm := range x.Arms {
		r.Arms = append(r.Arms, RecordedArm{arm.Name, scenarios[i], arm.Hash})
	}
	for _, run := range x.Runs {
		r.Runs = append(r.Runs, RecordedRun{run.Arm, run.Replication, run.Seed, run.StateHash})
	}
	return json.MarshalIndent(r, "", "  ")
}

// Import starts the experiment of a package again, of which open reads a file by its path. What was exported
// by another model version, or is not whole, is [fault.InvalidState]: nothing is started.
func (l *Laboratory) Import(ctx context.Context, open func(path string) ([]byte, error), principal string) (Record, Started, error) {
	r, order, err := readRecord(open)
	if err != nil {
		return r, Started{}, err
	}
	order.Principal = principal
	started, err := l.Start(ctx, order)
	return r, started, err
}

func readRecord(open func(path string) ([]byte, error)) (r Record, o Order, err error) {
	data, err := open(RecordFile)
	if err != nil {
		return r, o, err
	}
	broken := func(format string, values ...any) error {
		return fault.New(fault.InvalidState, "package", format, values...).WithHint("export it again with econ-mcp export")
	}
	if err := json.Unmarshal(data, &r); err != nil {
		return r, o, broken("%s is not a record: %s", RecordFile, fault.JSON(err))
	}
	if r.ModelVersion != sim.ModelVersion {
		return r, o, fault.New(
			fault.InvalidState, "package", "it was simulated by model version %.40s, this is %s, which gives other numbers", r.ModelVersion,
			sim.ModelVersion,
		).WithHint("import it with the program that it was made with, " + fault.Shorten(r.CodeVersion, 100))
	}
	switch {
	case len(r.Arms) == 0 || len(r.Arms) > 64 || r.Months < 1 || r.Replications < 1 || r.Replications > 10_000:
		return r, o, broken("%s names %d arms, %d replications and %d months", RecordFile, len(r.Arms), r.Replications, r.Months)
	case len(r.Runs) != len(r.Arms)*r.Replications:
		return r, o, broken("%s has %d runs of %d arms with %d replications", RecordFile, len(r.Runs), len(r.Arms), r.Replications)
	}
	for _, run := range r.Runs {
		if run.StateHash == "" {
			return r, o, broken("the state of %.40s/%d was not kept: there is nothing to compare with", run.Arm, run.Replication)
		}
	}
	if err := fault.CheckName("experiment_name", r.Name); err != nil {
		return r, o, err
	}
	plan, err := open("plan.json")
	if err != nil {
		return r, o, err
	}
	if got := PlanHash(plan); got != r.PlanHash {
		return r, o, broken("plan.json has the hash %.16s, not %.16s", got, r.PlanHash)
	}
	registration, ok := RegistrationOf(store.Experiment{Plan: plan})
	if !ok {
		return r, o, broken("plan.json is not a plan")
	}
	o = Order{
		Name: r.Name, Rename: true, Replications: Replications(r.Replications), Seed: &r.Seed, Months: r.Months, Question: r.Question,
		registration: &registration,
	}
	for _, a := range r.Arms {
		text, err := open(a.File)
		if err != nil {
			return r, o, err
		}
		s, err := scenario.Decode(a.Name, text)
		if err != nil {
			return r, o, fmt.Errorf("%s: %w", fault.Shorten(a.File, 100), err)
		}
		if got := s.Hash(); got != a.Hash {
			return r, o, broken("the scenario of arm %s has the hash %.16s, not %.16s", a.Name, got, a.Hash)
		}
		o.Arms = append(o.Arms, Arm{Name: a.Name, Scenario: s})
	}
	return r, o, nil
}

// Differing are the runs of an experiment whose states at the end are not those of a record.
func (l *Laboratory) Differing(ctx context.Context, name string, r Record) ([]string, error) {
	x, err := l.Store.Experiment(ctx, name)
	if err != nil {
		return nil, err
	}
	recorded := map[string]string{}
	for _, run := range r.Runs {
		recorded[fmt.Sprintf("%s/%d", run.Arm, run.Replication)] = run.StateHash
	}
	var list []string
	for _, run := range x.Runs {
		if at := fmt.Sprintf("%s/%d", run.Arm, run.Replication); recorded[at] != run.StateHash {
			list = append(list, at)
		}
	}
	return list, nil
}
