package inquiry

import (
	"fmt"
	"slices"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/strict"
	"econ-mcp/sim"
)

// Find asks for the value of a parameter at which its effect on an outcome crosses a level. The
// experiment has an arm for each value that is looked at: see [Find.Points].
type Find struct {
	Parameter string
	Within    [2]float64 // values, the lower one first
	Metric    sim.Indicator
	Against   string // the arm that the effect is a difference from
	Window    Window // whose means are compared
	Crosses   float64
	Relative  bool // Crosses is a share of the mean of Against, else it is in the unit of the outcome

	Steps []float64 // values that the bisection came to, [FindSteps] or none; nil = not found yet, see [Find.Points]
}

// How many values are looked at: equally spaced ones, and as many more between two of these.
const (
	FindGrid  = 5
	FindSteps = FindGrid - 1
)

// Grid are the values that are looked at first, equally spaced over the range.
func (f Find) Grid() []float64 {
	list := make([]float64, FindGrid)
	for i := range list {
		list[i] = sixDigits(f.Within[0] + (f.Within[1]-f.Within[0])*float64(i)/(FindGrid-1))
	}
	return list
}

// Points are all values, each an arm: those of the bisection, then those of the grid, so that the last
// arm is one that was planned. Where nothing crosses the level, and until that is known, the former are
// the middles of the grid.
func (f Find) Points() []float64 {
	grid, steps := f.Grid(), slices.Clone(f.Steps)
	for i := len(steps); f.Steps == nil && i < FindSteps; i++ {
		steps = append(steps, sixDigits((grid[i]+grid[i+1])/2))
	}
	return append(steps, grid...)
}

// Arms are the names of the points: step_1 and so on of a bisection, whose values earlier looks choose,
// and after their values those of the grid, such as point_0.4.
func (f Find) Arms() (list []string) {
	list = StepArms()
	for _, x := range f.Grid() {
		list = append(list, "point_"+text(x))
	}
	return list
}

// StepArms are the names of the points of a bisection. What is known of them are estimates: they were
// chosen by looks at the data, so that no test of theirs holds its level.
func StepArms() (list []string) {
	for i := range FindSteps {
		list = append(list, fmt.Sprintf("step_%d", i+1))
	}
	return list
}

// At is the scenario of a point at another value.
func (f Find) At(s scenario.Scenario, x float64) (scenario.Scenario, error) {
	return with(s, []Setting{{f.Parameter, x}}, false)
}

// sixDigits is a number as people would write it.
func sixDigits(x float64) float64 {
	var y float64
	fmt.Sscan(fmt.Sprintf("%.6g", x), &y)
	return y
}

// decodeFind reads what is to be found, after the arms.
func (q *Inquiry) decodeFind(node *yaml.Node) error {
	if strict.IsNull(node) {
		return nil
	}
	f := &Find{Against: ControlArm}
	var within, window, crosses *yaml.Node
	var outcome string
	err := strict.Fields{
		"parameter": &f.Parameter, "within": &within, "outcome": &outcome, "against": &f.Against, "window": &window, "crosses": &crosses,
	}.Read(node, "find", "parameter", "within", "outcome", "window", "crosses")
	if err != nil {
		return err
	}
	at := func(key string) *yaml.Node { return valueOf(node, key) }
	row, err := sim.Lookup(f.Parameter)
	if err == nil {
		err = ofOneArm(row.Name)
	}
	if err != nil {
		return strict.At(err, at("parameter"))
	}
	if row.Type != sim.TypeNumber {
		e := fault.New(fault.WrongType, "parameter", "%s is of the type %s: there is nothing between two of its values", row.Name, row.Type)
		return strict.At(e.WithHint("ask with doses, which list its values"), at("parameter"))
	}
	if !row.Live {
		return strict.At(fault.New(fault.Conflict, "parameter", "%s cannot change while an economy lives", row.Name).
			WithHint("ask with doses, which are burnt in apart"), at("parameter"))
	}
	if err := f.decodeWithin(within, row); err != nil {
		return err
	}
	if f.Metric, err = sim.LookupIndicator(outcome); err != nil {
		return strict.At(fault.In("outcome", err), at("outcome"))
	}
	if numerator, on := f.Metric.OnControlGDP(); on {
		return strict.At(fault.New(fault.Conflict, "outcome", "%s is worked out of two arms", f.Metric).
			WithHint("look at "+numerator.String()+"_to_gdp, or at "+numerator.String()), at("outcome"))
	}
	if f.Window, err = decodeWindow(window, q.Design.Months); err != nil {
		return err
	}
	if err := f.decodeCrosses(crosses); err != nil {
		return err
	}
	q.Find = f
	if q.Control == ControlNone {
		e := fault.New(fault.Conflict, "control", "an experiment that finds a value has a control")
		return strict.At(e.WithHint("leave control out"), node)
	}
	var arms []string
	for _, a := range q.Arms {
		arms = append(arms, a.names()...)
	}
	if names := append([]string{ControlArm}, arms...); !slices.Contains(names, f.Against) {
		return strict.At(fault.In("against", fault.Unknown(fault.NotFound, "arm", f.Against, names)), at("against"))
	}
	switch r := q.Design.Replications; {
	case q.EqualCost != nil:
		return strict.At(fault.New(fault.Conflict, "find", "an inquiry looks for one number, and this one has equal_cost and find").
			WithHint("ask for one first, and write what was found into the other"), node)
	case r == Auto:
		return strict.At(fault.New(fault.Conflict, "replications", "a threshold is found with a fixed number of replications").
			WithHint("write how many, such as replications: 20"), node)
	case r < 3:
		return strict.At(fault.Range("replications", fmt.Sprint(r), "3 or more, or there is no interval"), node)
	}
	return nil
}

func (f *Find) decodeWithin(node *yaml.Node, row sim.Parameter) error {
	if node.Kind != yaml.SequenceNode || len(node.Content) != 2 {
		return strict.At(fault.Type("within", strict.KindOf(node), "list of two values, the lower one first"), node)
	}
	for i, n := range node.Content {
		v, err := decodeValue(n, row)
		if err != nil {
			return err
		}
		f.Within[i], _ = v.(float64) // it is of the type number
	}
	points := f.Points()
	slices.Sort(points)
	if !(f.Within[0] < f.Within[1]) || len(slices.Compact(points)) < FindGrid+FindSteps {
		return strict.At(fault.Range("within", fmt.Sprintf("[%s, %s]", node.Content[0].Value, node.Content[1].Value),
			fmt.Sprintf("two values with room between them, the lower one first, within %g to %g", row.Min, row.Max)), node)
	}
	return nil
}

// decodeCrosses reads the level: points or a number in the unit of a share, percent of the mean that
// it is held against of anything else; it may be below zero, or zero.
func (f *Find) decodeCrosses(node *yaml.Node) error {
	q, err := readQuantity(node, "crosses")
	if err != nil {
		return err
	}
	if q.x == 0 {
		return nil
	}
	smallest, err := q.smallest(node, "crosses", f.Metric)
	f.Crosses, f.Relative = smallest.Effect, smallest.Relative
	return err
}

func (f *Find) node() *yaml.Node {
	if f == nil {
		return nil
	}
	n := flow(mapping())
	put(n, "parameter", plain(f.Parameter))
	within := flow(&yaml.Node{Kind: yaml.SequenceNode})
	within.Content = []*yaml.Node{value(f.Within[0]), value(f.Within[1])}
	put(n, "within", within)
	put(n, "outcome", plain(f.Metric.String()))
	put(n, "against", word(f.Against))
	put(n, "window", f.Window.node())
	put(n, "crosses", plain(writtenEffect(f.Crosses, f.Relative)))
	return n
}

// writtenEffect is an effect as it is read.
func writtenEffect(effect float64, relative bool) string {
	if relative {
		return percent(effect)
	}
	return text(effect)
}

// saidFind says what is looked for, and how much is simulated for it.
func (q Inquiry) saidFind(language string) string {
	f := q.Find
	if f == nil {
		return ""
	}
	row, _ := sim.Lookup(f.Parameter)
	level := (&Outcome{Metric: f.Metric, Smallest: Smallest{f.Crosses, f.Relative}}).saidSmallest()
	n := FindGrid + FindSteps
	return sayf(language,
		"Looked for: the value of %s from %s to %s at which its effect on %s in months %d–%d, against %s, crosses %s. %d values are looked at: "+
			"%d equally spaced ones, by which is tested whether the effect moves one way, and %d of a bisection. At most %d runs of "+
			"search on the seeds of the experiment come before its %d. ",
		"寻找：%s 在 %s 至 %s 之间取何值时，其对 %s 的效应（第%d至%d个月，相对于 %s）越过 %s。共考察%d个取值：%d个等距值（据此检验效应是否单调）和二分法的%d个值。"+
			"先用实验的种子搜索（至多模拟%d次），再做实验（%d次）。",
		f.Parameter, number(f.Within[0], row.Unit), number(f.Within[1], row.Unit), f.Metric, f.Window.From, f.Window.To, f.Against, level, n,
		FindGrid, FindSteps, (n+1)*q.Design.Replications, len(q.names())*q.Design.Replications)
}
