package sweep

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"econ-mcp/internal/atomicfile"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/scenario"
)

// A worker has to know which economies a plan has and which of them share a burn-in, but needs the scenarios of its shard alone. Making
// all of them takes half a millisecond an economy, for each worker and again after each interruption. Whoever makes a plan first therefore
// leaves an index of it beside the runs.

// index is what a plan says of each arm at each point: the hash of its scenario and the key of its burn-in.
type index struct {
	Design string        `json:"design_hash"`
	Arms   []string      `json:"arms"`
	Points [][][2]string `json:"points"`
}

func indexFile(folder, hash string) string { return filepath.Join(folder, "plan-"+hash[:16]+".index") }

// KeptPlan is [NewPlan] for workers: it reads the plan's index in a folder of runs, and leaves one there where it is missing. Runs have
// no Scenario then; [Work.Run] makes those that it simulates, and refuses one that is not what the index says.
func KeptPlan(ctx context.Context, d *Design, find inquiry.Scenarios, folder string) (*Plan, error) {
	hash := d.Hash()
	path := indexFile(folder, hash)
	data, err := os.ReadFile(path)
	if err == nil {
		var x *index
		if x, err = readIndex(data, hash); err == nil {
			var p *Plan
			if p, err = x.plan(d, find); err == nil {
				return p, nil
			}
		}
	}
	if !errors.Is(err, fs.ErrNotExist) {
		slog.Warn("the index of the plan cannot be used: all of it is planned again", "file", path, "error", err)
	}
	p, err := NewPlan(ctx, d, find)
	if err != nil {
		return nil, err
	}
	p.Keep(folder)
	return p, nil
}

// Keep leaves the plan's index in a folder of runs. It only saves workers time: what cannot be written is warned of.
func (p *Plan) Keep(folder string) {
	if p.Design == nil { // economies to measure are read as fast
		return
	}
	err := os.MkdirAll(folder, 0o755)
	if err == nil {
		err = atomicfile.WriteFile(indexFile(folder, p.Hash), p.index(), 0o644, true)
	}
	if err != nil {
		slog.Warn("the index of the plan could not be written: each worker plans all of it", "folder", folder, "error", err)
	}
}

// index is a line of JSON and a line with its SHA-256.
func (p *Plan) index() []byte {
	x := index{Design: p.Hash, Arms: p.Points[0].Arms, Points: make([][][2]string, len(p.economies))}
	for k, arms := range p.economies {
		for _, a := range arms {
			x.Points[k] = append(x.Points[k], [2]string{a.hash, a.burnIn})
		}
	}
	line, err := json.Marshal(x)
	if err != nil {
		panic(err) // texts always encode
	}
	return fmt.Appendf(line, "\n%x\n", sha256.Sum256(line))
}

func readIndex(data []byte, hash string) (*index, error) {
	line, sum, _ := bytes.Cut(data, []byte("\n"))
	if want := sha256.Sum256(line); string(bytes.TrimSpace(sum)) != hex.EncodeToString(want[:]) {
		return nil, errors.New("its checksum is wrong")
	}
	x := new(index)
	if err := json.Unmarshal(line, x); err != nil {
		return nil, err
	}
	if x.Design != hash {
		return nil, errors.New("it is of another design")
	}
	return x, nil
}

// plan is the plan of a design by its index.
func (x *index) plan(d *Design, find inquiry.Scenarios) (*Plan, error) {
	p, err := emptyPlan(d, find)
	if err != nil {
		return nil, err
	}
	if len(x.Points) != len(p.Values) {
		return nil, fmt.Errorf("it has %d points, and the design %d", len(x.Points), len(p.Values))
	}
	points := make([][]economy, len(x.Points))
	for k, arms := range x.Points {
		if len(arms) != len(x.Arms) {
			return nil, fmt.Errorf("point %d has %d of %d arms", k+1, len(arms), len(x.Arms))
		}
		for i, a := range arms {
			points[k] = append(points[k], economy{name: x.Arms[i], hash: a[0], burnIn: a[1], months: d.Inquiry.Design.Months})
		}
	}
	p.lay(points)
	p.later = &later{find: &remembered{Scenarios: find, known: map[string]scenario.Scenario{}}, made: map[int][]economy{}}
	return p, nil
}

// later makes scenarios of points when they are needed.
type later struct {
	find *remembered
	mu   sync.Mutex
	made map[int][]economy // by point
}

// complete makes the scenarios of runs that have none.
func (p *Plan) complete(runs []Run) error {
	for i := range runs {
		if r := &runs[i]; r.Scenario == nil {
			if err := p.make(r); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Plan) make(r *Run) error {
	p.later.mu.Lock()
	arms, made := p.later.made[r.point]
	p.later.mu.Unlock()
	if !made {
		var err error
		if arms, err = p.Design.economies(p.Values[r.point], p.later.find); err != nil {
			return p.Design.atPoint(r.point, p.Values[r.point], err)
		}
		p.later.mu.Lock()
		p.later.made[r.point] = arms
		p.later.mu.Unlock()
	}
	for _, a := range arms {
		if same := a.run(r.Seed); same.key == r.key && same.burnIn == r.burnIn {
			r.Scenario = same.Scenario
			return nil
		}
	}
	return fault.New(fault.Conflict, "plan", "point %d is not the economy of the plan's index, which another program made", r.point+1).
		WithHint("remove " + filepath.Base(indexFile("", p.Hash)) + " from the folder of runs")
}
