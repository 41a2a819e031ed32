package estimation

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/sweep"
	"econ-mcp/internal/trials"
)

// Engine has what is not known of a plan measured on other machines, with the records in the [sweep.RunsFolder] of the folder. An error
// ends the posterior, which goes on with the same plan in the same folder when it is asked for again.
type Engine func(ctx context.Context, what string, p *sweep.Plan, folder string) error

// Measure is the [sweep.Measurer] of posteriors, for workers.
func Measure(
	ctx context.Context, what json.RawMessage, s scenario.Scenario, replications, threads int, cache run.Cache,
) (found []byte, digest string, err error) {
	var a asked
	if err := json.Unmarshal(what, &a); err != nil {
		return nil, "", fault.New(fault.WrongType, "measure", "what is to be measured cannot be read").WithDetail("%v", err)
	}
	if a.Measurement != measurement {
		return nil, "", fault.New(fault.Conflict, "measure", "asked for is measurement %d, and this program has %d", a.Measurement, measurement).
			WithHint("use workers of the same build as who asks")
	}
	m, err := a.measure(ctx, s, replications, threads, cache)
	if err != nil {
		return nil, "", err
	}
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(m); err != nil {
		return nil, "", err
	}
	_, digest, err = decoded(b.Bytes())
	return b.Bytes(), digest, err
}

// decoded reads what was measured. The digest is the same for the same numbers, and the bytes of gob are not: they depend on what else a
// process has encoded, and on the order of maps. fmt sorts maps and writes the shortest text that is read as the same number.
func decoded(data []byte) (m *trials.Measured, digest string, err error) {
	m = new(trials.Measured)
	if err := gob.NewDecoder(bytes.NewReader(data)).Decode(m); err != nil {
		return nil, "", err
	}
	h := sha256.New()
	fmt.Fprintf(h, "%+v", *m)
	return m, hex.EncodeToString(h.Sum(nil)), nil
}

// elsewhere has the engine measure what is not known of sets, and keeps it in the folder of what is known. It returns the places of
// these sets.
func (e *Estimation) elsewhere(ctx context.Context, what string, sets []set) (fresh map[int]bool, err error) {
	var list []sweep.MeasuredEconomy
	var places []int
	var files []string
	whole := sha256.New() // of the wave, whatever is known of it: the same call finds the same folder
	for k, p := range sets {
		s, err := e.scenarioAt(p)
		if err != nil {
			continue // see [Estimation.simulated]
		}
		file := e.file(s, p.replications)
		io.WriteString(whole, filepath.Base(file))
		if load(file) == nil {
			list = append(list, sweep.MeasuredEconomy{Scenario: s, Seed: p.seed, Replications: p.replications, Months: e.Reality.Months()})
			places, files = append(places, k), append(files, file)
		}
	}
	folder := filepath.Join(e.Known, fmt.Sprintf("wave-%x", whole.Sum(nil)[:6]))
	if len(list) == 0 {
		return nil, os.RemoveAll(folder) // which a call left that was interrupted here
	}
	text, err := json.Marshal(e.asked())
	if err != nil {
		return nil, err
	}
	own := sweep.NewMeasurement(text, list)
	plan, err := sweep.ReadEconomies(folder) // what was given out must be the same when the same call comes back for it
	if errors.Is(err, fs.ErrNotExist) {
		if plan, err = own, os.MkdirAll(folder, 0o755); err == nil {
			err = plan.WriteEconomies(folder)
		}
	}
	if err != nil {
		return nil, err
	}
	given := map[string]bool{}
	for i := range plan.Runs {
		given[plan.Runs[i].Key()] = true
	}
	for i := range own.Runs {
		if key := own.Runs[i].Key(); !given[key] { // nobody would ever measure it
			return nil, fault.New(fault.InvalidState, "--known", "economy %s is neither known nor among those that were given out in %s",
				key, folder).
				WithHint("remove the folder: what is not known is given out again")
		}
	}
	if err := e.Engine(ctx, what, plan, folder); err != nil {
		return nil, err
	}
	records, err := sweep.Load(filepath.Join(folder, sweep.RunsFolder))
	if err != nil {
		return nil, err
	}
	fresh = map[int]bool{}
	for i, k := range places {
		r := records[own.Runs[i].Key()]
		if r == nil {
			continue
		}
		m, digest, err := decoded(r.Measured)
		if err != nil || digest != r.State {
			return nil, fault.New(fault.InvalidState, "--known", "what was measured of economy %s in %s is broken", r.Key, folder).
				WithHint("remove the folder: what it held is measured again")
		}
		if err := keep(files[i], m); err != nil {
			return nil, err
		}
		fresh[k] = true
	}
	if missing := len(places) - len(fresh); missing > 0 {
		return nil, &Unfinished{what, missing, len(sets), e.made}
	}
	return fresh, os.RemoveAll(folder)
}
