package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Of economies of which more is wanted than months of indicators, it is not told here what: whoever asks and the [Measurer] of whoever
// simulates know. All else is as in a sweep: runs that are known by their content, shards, workers, one recorder.

// Measurer measures replications of a scenario, whose random_state is the base seed. The digest is the same where the same was found,
// whatever bytes tell it.
type Measurer func(
	ctx context.Context, what json.RawMessage, s scenario.Scenario, replications, threads int, cache run.Cache,
) (found []byte, digest string, err error)

// MeasuredEconomy is one that is to be measured.
type MeasuredEconomy struct {
	Scenario     scenario.Scenario
	Seed         uint64 // of the first replication: see [run.Seeds]
	Replications int
	Months       int // about how long each lives
}

// wanted is what of each run is: months of indicators, or what a [Measurer] finds.
type wanted struct {
	metrics []sim.Indicator
	measure json.RawMessage // nil = months
}

// measuredRun is the run of an economy that is to be measured.
func measuredRun(what json.RawMessage, e MeasuredEconomy) Run {
	r := newEconomy("", e.Scenario, e.Months).run(e.Seed)
	h := sha256.New()
	fmt.Fprintf(h, "run=%s\nreplications=%d\nmeasure=%s\n", r.key, e.Replications, what)
	r.key, r.Replications = hex.EncodeToString(h.Sum(nil)[:16]), e.Replications
	return r
}

// NewMeasurement is a plan of economies to measure, without a design.
func NewMeasurement(what json.RawMessage, list []MeasuredEconomy) *Plan {
	p := &Plan{wanted: wanted{measure: what}}
	for k, e := range list {
		r := measuredRun(what, e)
		r.point = k
		p.Runs = append(p.Runs, r)
	}
	p.Hash = hashOf(p.Runs)
	return p
}

func hashOf(runs []Run) string {
	h := sha256.New()
	for _, r := range runs {
		fmt.Fprintln(h, r.key)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// EconomiesFile is that of a folder of economies to measure, in the place of a design.
const EconomiesFile = "economies.json"

// Text is what tells a plan to other machines, with the name of its file: a design, or economies to measure.
func (p *Plan) Text() (name string, data []byte, err error) {
	if p.Design != nil {
		return DesignFile, p.Design.Encode(), nil
	}
	data, err = json.Marshal(p.tasks(Part{pieces: p.pieces(Shard{1, 1}, func(Run) bool { return false })}, Known{}))
	return EconomiesFile, append(data, '\n'), err
}

// WriteEconomies puts the plan of a measurement into a folder.
func (p *Plan) WriteEconomies(folder string) error {
	name, data, err := p.Text()
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(folder, name), data, 0o644, true)
}

// ReadEconomies reads the plan of a measurement from a folder; where there is none it is [fs.ErrNotExist]. One of another version of the
// model is refused.
func ReadEconomies(folder string) (*Plan, error) {
	data, err := os.ReadFile(filepath.Join(folder, EconomiesFile))
	if err != nil {
		return nil, err
	}
	var tasks []Task
	if err := json.Unmarshal(data, &tasks); err != nil || len(tasks) == 0 {
		return nil, fault.New(fault.InvalidState, EconomiesFile, "%s in %s cannot be read", EconomiesFile, folder).
			WithHint("remove the folder, and ask again")
	}
	p := &Plan{}
	for k, t := range tasks {
		work, want, err := t.read()
		if err != nil {
			return nil, err
		}
		if p.wanted = want; want.measure == nil || string(want.measure) != string(tasks[0].Measure) {
			return nil, fault.New(fault.WrongType, EconomiesFile, "economy %d in %s is not measured as the first is", k+1, folder)
		}
		for _, r := range work.runs {
			r.point = len(p.Runs)
			p.Runs = append(p.Runs, r)
		}
	}
	p.Hash = hashOf(p.Runs)
	return p, nil
}

// measured carries out the runs of a piece of a measurement.
func (p piece) measured(
	ctx context.Context, what json.RawMessage, by Measurer, threads int, cache run.Cache, done func(*Record) error,
) error {
	if by == nil {
		return fault.New(fault.InvalidState, "measure", "this program cannot measure economies").
			WithHint("use workers of the same release as who asks")
	}
	for _, r := range p.runs {
		s := *r.Scenario
		s.Params.RandomState, s.BurnIn.RandomState = int(r.Seed), int(r.Seed)
		found, digest, err := by(ctx, what, s, r.Replications, threads, cache)
		if err != nil {
			return err
		}
		record := &Record{Key: r.key, Model: sim.ModelVersion, Seed: r.Seed, Months: r.Months, State: digest, Measured: found}
		if err := done(record); err != nil {
			return err
		}
	}
	return nil
}
