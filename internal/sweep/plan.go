package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/run"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/tables"
	"econ-mcp/sim"
)

// Plan is a design with all its points and the economies that they need, each once.
type Plan struct {
	Design *Design
	Values [][]float64 // of the factors, a row a point
	Points []Point
	Runs   []Run // the economies, those with a common burn-in beside each other
	Hash   string

	metrics []sim.Indicator // whose months are kept
	seeds   []uint64
}

// Point is one set of values: its arms, the control first where there is one, by their economies.
type Point struct {
	Arms []string
	runs [][]int // of each arm, by seed: places in the plan's Runs
}

// Run is an economy with its seed, known by its content: see [Run.Key].
type Run struct {
	Scenario scenario.Scenario
	Seed     uint64
	Months   int
	key      string
	burnIn   string
}

// Key identifies what comes out: it is a hash of the model's version, the scenario, the seed and the months. The
// base seed of the experiment that the seed belongs to does not count.
func (r Run) Key() string { return r.key }

func newRun(s scenario.Scenario, seed uint64, months int) Run {
	s.Params.RandomState, s.BurnIn.RandomState = int(seed), int(seed)
	h := sha256.New()
	fmt.Fprintf(h, "model=%s\nscenario=%s\nseed=%d\nmonths=%d\n", sim.ModelVersion, s.Hash(), seed, months)
	return Run{Scenario: s, Seed: seed, Months: months, key: hex.EncodeToString(h.Sum(nil)[:16]), burnIn: s.BurnInKey(seed)}
}

// NewPlan makes all points of a design. Values that the inquiry refuses, such as two arms that become the same economy, are errors
// that name the point.
func NewPlan(d *Design, find inquiry.Scenarios) (*Plan, error) {
	values, err := d.Values()
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
	places := map[string]int{} // of keys
	for k, row := range values {
		q, err := d.Point(row)
		if err != nil {
			return nil, fmt.Errorf("point %d: %w", k+1, err)
		}
		arms, err := q.Scenarios(find)
		if err != nil {
			return nil, fault.In(fmt.Sprintf("point %d", k+1), err)
		}
		var point Point
		for _, a := range arms {
			point.Arms = append(point.Arms, a.Name)
			var runs []int
			for _, seed := range p.seeds {
				r := newRun(a.Scenario, seed, q.Design.Months)
				place, known := places[r.key]
				if !known {
					place = len(p.Runs)
					places[r.key] = place
					p.Runs = append(p.Runs, r)
				}
				runs = append(runs, place)
			}
			point.runs = append(point.runs, runs)
		}
		if k > 0 && !slices.Equal(point.Arms, p.Points[0].Arms) {
			return nil, fault.New(fault.Conflict, "factors", "the arms of point %d are called %s, and those of the first %s", k+1,
				strings.Join(point.Arms, ", "), strings.Join(p.Points[0].Arms, ", ")).WithHint("vary an event of an arm, not its doses")
		}
		p.Points = append(p.Points, point)
	}
	p.group()
	return p, nil
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

func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.I, s.N) }

// chunk is how many economies with a common burn-in a worker takes at a time.
const chunk = 32

// chunks are the runs of a shard that are not known yet, in pieces that have one burn-in where several share it.
func (p *Plan) chunks(of Shard, known func(key string) bool) (list [][]Run) {
	var piece []Run
	number := 0
	for i, r := range p.Runs {
		if i > 0 && (r.burnIn != p.Runs[i-1].burnIn && len(piece) > 0 && shares(piece) || len(piece) == chunk) {
			list, piece = p.take(list, piece, &number, of, known), nil
		}
		piece = append(piece, r)
	}
	return p.take(list, piece, &number, of, known)
}

// shares says that the runs of a piece have one burn-in, of more than one run.
func shares(piece []Run) bool { return len(piece) > 1 && piece[0].burnIn == piece[1].burnIn }

// take appends what is unknown of a piece, where it is the shard's.
func (p *Plan) take(list [][]Run, piece []Run, number *int, of Shard, known func(key string) bool) [][]Run {
	mine := *number%of.N == of.I-1
	*number++
	piece = slices.DeleteFunc(piece, func(r Run) bool { return known(r.key) })
	if !mine || len(piece) == 0 {
		return list
	}
	return append(list, piece)
}

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
		s := &r.Scenario.Params
		agents := float64(s.NumHouseholds) * (1 + 1/float64(max(s.HouseholdsPerFirm, 1)))
		months := r.Months
		if !burnt[r.burnIn] {
			burnt[r.burnIn] = true
			months += r.Scenario.BurnIn.BurnInMonths
		}
		total += agents * float64(months)
	}
	return total
}

func (p *Plan) knows(known Known, r Run) bool {
	k := known[r.key]
	return k != nil && k.has(p.metrics)
}
