package estimation

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/quarterly"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/trials"
	"econ-mcp/sim"
)

// measurement is the version of what is measured of an economy. It changes whenever the same economy gives other
// moments, so that nothing is taken from a folder that an older program wrote (TestMeasurement).
const measurement = 5

// key identifies what is measured: the model, the economy with its seeds, and what it is held against.
func (e *Estimation) key(s scenario.Scenario, replications int) string {
	h := sha256.New()
	fmt.Fprintf(h, "measurement=%d\nmodel=%s\nscenario=%s\nreplications=%d\nmonths=%d\n", measurement, sim.ModelVersion, s.Hash(),
		replications, e.Reality.Months())
	fmt.Fprintf(h, "samples=%v\n", e.Reality.Samples)
	for _, of := range e.Reality.Samples {
		// The model's amounts grow with as many people as the data: see [trials.Reality].
		span := e.Reality.Data.Between(of.First, of.Last)
		fmt.Fprintf(h, "quarters=%d adults=%t %g\n", span.Quarters(), span.Values[quarterly.Adults] != nil, span.GrowthOfAdults())
	}
	for _, name := range e.Targets.Tables {
		fmt.Fprintf(h, "table=%s without %v\n", name, e.Targets.leftOut(name))
	}
	return hex.EncodeToString(h.Sum(nil))
}

// asked is what is measured of an economy: whoever measures it needs neither the targets nor the data.
type asked struct {
	Measurement int             `json:"measurement"`
	Samples     []trials.Extent `json:"samples"`
	Tables      []askedTable    `json:"tables,omitempty"`
}

// askedTable is a table of numbered facts, without some of them.
type askedTable struct {
	Name    string `json:"name"`
	Without []int  `json:"without,omitempty"`
}

func (e *Estimation) asked() asked {
	a := asked{Measurement: measurement, Samples: e.Reality.Extents()}
	for _, name := range e.Targets.Tables {
		a.Tables = append(a.Tables, askedTable{name, e.Targets.leftOut(name)})
	}
	return a
}

// measure measures an economy. One in which money outgrows what can be counted has nothing to measure.
func (a asked) measure(ctx context.Context, s scenario.Scenario, replications, threads int, cache run.Cache) (*trials.Measured, error) {
	m, err := trials.Measure(ctx, s, a.Samples, replications, threads, cache, nil)
	if err == nil {
		m.Tables, err = a.tables(ctx, s, replications, threads)
	}
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Kind == fault.LimitExceeded && f.Field == "num_iterations" {
		return &trials.Measured{}, nil // the same on any machine, other than too little memory
	}
	return m, err
}

// measure measures an economy, or finds in the folder what was measured before.
func (e *Estimation) measure(ctx context.Context, s scenario.Scenario, replications int) (m *trials.Measured, simulated bool, err error) {
	path := e.file(s, replications)
	if m = load(path); m != nil {
		return m, false, nil
	}
	m, err = e.asked().measure(ctx, s, replications, e.Threads, run.Cache{})
	if err == nil && path != "" {
		err = keep(path, m)
	}
	return m, true, err
}

// file is that of what was measured of an economy; "" where nothing is kept.
func (e *Estimation) file(s scenario.Scenario, replications int) string {
	if e.Known == "" {
		return ""
	}
	return filepath.Join(e.Known, e.key(s, replications)+".measured")
}

// load reads what was measured, or nil. What cannot be read is measured again.
func load(path string) *trials.Measured {
	if path == "" {
		return nil
	}
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	m := new(trials.Measured)
	if err == nil {
		err = gob.NewDecoder(bytes.NewReader(data)).Decode(m)
	}
	if err != nil {
		slog.Warn("what was measured cannot be read: it is measured again", "file", path, "error", err)
		return nil
	}
	return m
}

func keep(path string, m *trials.Measured) error {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(m); err != nil {
		return err
	}
	return atomicfile.WriteFile(path, b.Bytes(), 0o644, true)
}
