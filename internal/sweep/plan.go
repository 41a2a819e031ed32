package sweep

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Plan is a design with all its points and the economies that they need, each once; or economies to measure: see [NewMeasurement].
type Plan struct {
	Design *Design     // nil of economies to measure, which have no points
	Values [][]float64 // of the factors, a row a point
	Points []Point
	Runs   []Run // the economies, those with a common burn-in beside each other
	Hash   string

	wanted
	seeds     []uint64
	economies [][]economy // by point
	later     *later      // of a plan by an index, whose runs have no scenarios yet
}

// Point is one set of values: its arms, the control first where there is one, by their economies.
type Point struct {
	Arms []string
	runs [][]int // of each arm, by seed: places in the plan's Runs
}

// Run is an economy with its seed, known by its content: see [Run.Key].
type Run struct {
	Scenario *scenario.Scenario // with the burn-in that is simulated; nil in a [KeptPlan]
	Seed     uint64
	Months   int
	// Replications are those with which it is measured; 0 = it is one economy, whose months are wanted.
	Replications int

	key    string
	burnIn string // identifies the burnt-in state
	point  int    // the first that needs it, from 0
}

// Key identifies what comes out: it is a hash of the model's version, the scenario, the seed and the months. The
// base seed of the experiment that the seed belongs to does not count.
func (r Run) Key() string { return r.key }

// economy is an arm of a point, whatever its seed.
type economy struct {
	name         string
	scenario     *scenario.Scenario
	hash, burnIn string
	months       int
}

// newEconomy is one that lives for so many months. The base seed of a scenario is no part of it.
func newEconomy(name string, s scenario.Scenario, months int) economy {
	s.Params.RandomState, s.BurnIn.RandomState = 0, 0
	return economy{name, &s, s.Hash(), s.BurnInKey(0), months}
}

func (e economy) run(seed uint64) Run {
	h := sha256.New()
	fmt.Fprintf(h, "model=%s\nscenario=%s\nseed=%d\nmonths=%d\n", sim.ModelVersion, e.hash, seed, e.months)
	return Run{
		Scenario: e.scenario, Seed: seed, Months: e.months,
		key: hex.EncodeToString(h.Sum(nil)[:16]), burnIn: fmt.Sprintf("%s %d", e.burnIn, seed),
	}
}

// NewPlan makes all points of a design. Values that the inquiry refuses are errors that name the point.
func NewPlan(ctx context.Context, d *Design, find inquiry.Scenarios) (*Plan, error) {
	p, err := emptyPlan(d, find)
	if err != nil {
		return nil, err
	}
	points, found := make([][]economy, len(p.Values)), remembered{Scenarios: find, known: map[string]scenario.Scenario{}}
	tasks, working := errgroup.WithContext(ctx)
	tasks.SetLimit(runtime.GOMAXPROCS(0))
	for k, row := range p.Values {
		tasks.Go(func() (err error) {
			if err := working.Err(); err != nil {
				return err
			}
			if points[k], err = d.economies(row, &found); err != nil {
				return d.atPoint(k, row, err)
			}
			return nil
		})
	}
	if err := tasks.Wait(); err != nil {
		return nil, err
	}
	p.lay(points)
	return p, nil
}

// emptyPlan is a plan without economies.
func emptyPlan(d *Design, find inquiry.Scenarios) (*Plan, error) {
	values, err := d.Values(find)
	if err != nil {
		return nil, err
	}
	p := &Plan{Design: d, Values: values, Hash: d.Hash(), seeds: run.Seeds(d.Inquiry.Design.Seed, d.Inquiry.Design.Replications)}
	for _, o := range d.Inquiry.Outcomes {
		for _, i := range tables.WindowNeeds(o.Metric) {
			if !slices.Contains(p.metrics, i) {
				p.metrics = append(p.metrics, i)
			}
		}
	}
	return p, nil
}

// lay makes the points and runs of the economies at each point, each run once.
func (p *Plan) lay(points [][]economy) {
	p.economies = points
	places := map[string]int{} // of keys
	for k, arms := range points {
		var point Point
		for _, a := range arms {
			point.Arms = append(point.Arms, a.name)
			var runs []int
			for _, seed := range p.seeds {
				r := a.run(seed)
				place, known := places[r.key]
				if !known {
					place = len(p.Runs)
					places[r.key], r.point = place, k
					p.Runs = append(p.Runs, r)
				}
				runs = append(runs, place)
			}
			point.runs = append(point.runs, runs)
		}
		p.Points = append(p.Points, point)
	}
	p.group()
}

// economies are the arms at a point, with the burn-in that an experiment gives them: arms that differ in live parameters only
// share the control's.
func (d *Design) economies(values []float64, find inquiry.Scenarios) ([]economy, error) {
	q, err := d.Point(values)
	if err != nil {
		return nil, err
	}
	scenarios, err := q.Economies(find)
	if err != nil {
		return nil, err
	}
	arms, list := make([]run.Arm, len(scenarios)), make([]economy, len(scenarios))
	for k, s := range scenarios {
		arms[k] = run.Arm{Name: s.Name, Scenario: s.Scenario}
	}
	for _, g := range run.Groups(arms) {
		for _, k := range g.Arms {
			list[k] = newEconomy(arms[k].Name, g.Simulated(arms[k].Scenario), q.Design.Months)
		}
	}
	return list, nil
}

// atPoint says at which point, counted from 0, something is wrong.
func (d *Design) atPoint(k int, values []float64, err error) error {
	var said []string
	for i, f := range d.Factors {
		said = append(said, fmt.Sprintf("%s = %g", f.Name, values[i]))
	}
	return prefixed(fmt.Sprintf("point %d (%s): ", k+1, strings.Join(said, ", ")), err)
}

// remembered finds each scenario once.
type remembered struct {
	inquiry.Scenarios
	mu    sync.Mutex
	known map[string]scenario.Scenario
}

// Scenario implements [inquiry.Scenarios].
func (r *remembered) Scenario(name string) (scenario.Scenario, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	s, ok := r.known[name]
	if ok {
		return s, nil
	}
	s, err := r.Scenarios.Scenario(name)
	if err == nil {
		r.known[name] = s
	}
	return s, err
}

// group puts runs with a common burn-in beside each other: whoever simulates them burns in once.
func (p *Plan) group() {
	order := make([]int, len(p.Runs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return strings.Compare(p.Runs[a].burnIn, p.Runs[b].burnIn) })
	runs, moved := make([]Run, len(order)), make([]int, len(order))
	for to, from := range order {
		runs[to], moved[from] = p.Runs[from], to
	}
	p.Runs = runs
	for k := range p.Points {
		for _, list := range p.Points[k].runs {
			for i := range list {
				list[i] = moved[list[i]]
			}
		}
	}
}

// Shard is a part of the runs of a plan: the i-th of n, both from 1.
type Shard struct{ I, N int }

// ParseShard reads "2/8".
func ParseShard(text string) (s Shard, err error) {
	if _, err := fmt.Sscanf(text, "%d/%d", &s.I, &s.N); err != nil || s.I < 1 || s.N < s.I || text != s.String() {
		return s, fault.Range("--shard", fmt.Sprintf("%.40q", text), "i/n with 1 ≤ i ≤ n, such as 2/8")
	}
	return s, nil
}

// Has says whether the k-th of a list, counted from 0, is in the shard. The zero value has all.
func (s Shard) Has(k int) bool { return s.N == 0 || k%s.N == s.I-1 }

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// most is how many economies of one burn-in a worker takes at a time.
const most = 32

// piece are runs of one burnt-in state, which is made once for them.
type piece struct {
	runs   []Run
	shared bool // other pieces need the same state
}

// pieces are those of a shard, without the runs that are known.
func (p *Plan) pieces(of Shard, known func(Run) bool) (list []piece) {
	number, begin := 0, 0
	for i := range p.Runs {
		last := i+1 == len(p.Runs) || p.Runs[i+1].burnIn != p.Runs[i].burnIn
		if !last && i+1-begin < most {
			continue
		}
		if of.Has(number) {
			runs := slices.DeleteFunc(slices.Clone(p.Runs[begin:i+1]), known)
			shared := !last || begin > 0 && p.Runs[begin-1].burnIn == p.Runs[begin].burnIn
			if len(runs) > 0 {
				list = append(list, piece{runs, shared})
			}
		}
		number, begin = number+1, i+1
	}
	return list
}

// Pieces is into how many shards a plan can be divided so that each has something to do: economies of one burn-in stay together, up to 32
// of them.
func (p *Plan) Pieces() int { return len(p.pieces(Shard{1, 1}, func(Run) bool { return false })) }

// Memory is about how many bytes a worker with so many threads needs: the plan and what is known of it, and for each thread one of the
// largest economies, the burnt-in state that others begin from, and what is made while they begin and end.
func (p *Plan) Memory(threads int) int64 {
	var largest, records int64
	for _, r := range p.Runs {
		params := r.Scenario.BurnIn
		params.MaxConcurrentTasks = 1
		kept := int64(r.Replications * r.Months * int(sim.NumIndicators) * bytesOfNumber)
		largest = max(largest, sim.EstimateMemory(params)+sim.WorkingMemory(params)+kept)
		records += runRoom + 64*int64(len(p.metrics)*r.Months)
		if p.measure != nil {
			records += measuredRoom
		}
	}
	return workerRoom + records + 2*largest*int64(threads)
}

// What a worker takes beside economies, in bytes: the program, and of each run its place in the plan, its scenario and its record, beside
// the months of the record; of a measurement its months until it ends, and what was measured.
const (
	workerRoom    = 200 << 20
	runRoom       = 8 << 10
	measuredRoom  = 64 << 10
	bytesOfNumber = 8
)

// Left is how many runs are not known, and how many economies they burn in.
func (p *Plan) Left(known Known) (runs, burnIns int) {
	burnt := map[string]bool{}
	for _, r := range p.Runs {
		if !p.knows(known, r) {
			runs++
			burnt[r.burnIn] = true
		}
	}
	return runs, len(burnt)
}

// AgentMonths are about how many months of households and firms the runs take that are not known, burn-ins included, each once.
func (p *Plan) AgentMonths(known Known) float64 {
	total, burnt := 0., map[string]bool{}
	for _, r := range p.Runs {
		if p.knows(known, r) {
			continue
		}
		months := r.Months
		if !burnt[r.burnIn] {
			burnt[r.burnIn] = true
			months += r.Scenario.BurnIn.BurnInMonths
		}
		total += r.agentMonths(months)
	}
	return total
}

// Bytes are about how many the records of all runs take.
func (p *Plan) Bytes() (sum int64) {
	const ofRecord, ofNumber = 256, 20
	for _, r := range p.Runs {
		sum += ofRecord + int64(r.Months*len(p.metrics)*ofNumber)
	}
	return sum
}

func (p *Plan) knows(known Known, r Run) bool {
	k := known[r.key]
	return k != nil && k.has(p.wanted)
}
