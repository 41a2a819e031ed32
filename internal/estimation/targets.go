// Package estimation finds parameters of the economy with which it shows what real economies do: moments of data
// and facts, an economy that is simulated on the same seeds for every set of parameters, and a search that begins
// with derivatives and goes on without them.
package estimation

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/strict"
	"econ-mcp/sim"
)

// Targets are what a file says: which parameters are estimated, within which ranges, and from what.
type Targets struct {
	Scenario string // preset, or file (.yaml), whose other parameters hold
	Data     string // CSV file of quarters; "" = the United States
	Columns  string // YAML file that says which of its columns is what

	Households   int    // of each economy
	Replications int    // economies of each set of parameters, at least 2
	Seed         uint64 // of the first; all sets have the same seeds

	DesignReplications int // of each set of the designs that derivatives come from, at least 2; half of Replications if not given

	Tables []string // of [Tables], whose facts are moments beside those of the data and the sixteen facts

	Parameters []Parameter
	Only       []string           // moments that count: "facts", a sample, a statistic, or sample and statistic; none = all
	LeaveOut   []string           // of them those that do not, under the same names
	Weights    map[string]float64 // of moments, under the same names; 1 where nothing is said

	Prior       float64 // weight of a squared distance from the start by the whole range of a parameter
	Robust      float64 // standard deviations from which distances count linearly rather than squared
	Step        float64 // of derivatives, share of a range
	Rounds      int     // of least squares with new derivatives, at most
	Evaluations int     // of the search without derivatives, at most
	Groups      int     // sets of parameters a generation of that search has; 0 = by their number

	Posterior PosteriorSettings // of [Estimation.Posterior]
}

// Parameter is one that is estimated.
type Parameter struct {
	Name      string
	Low, High float64 // it is searched within
}

// logRatio is the ratio of the ends of a range from which it is searched in logs.
const logRatio = 20

// InLogs says whether steps are proportional to the value.
func (p Parameter) InLogs() bool { return p.Low > 0 && p.High/p.Low >= logRatio }

// Value is that at a place within the range: 0 is its low end, 1 its high one.
// Of a whole number each value has the same share of the range: half a step lies beyond both ends (in logs its share of these).
func (p Parameter) Value(x float64) float64 {
	low, high := p.ends()
	value := low + x*(high-low)
	if p.InLogs() {
		value = low * math.Pow(high/low, x)
	}
	if p.IsWhole() {
		value = min(max(math.Round(value), p.Low), p.High)
	}
	return value
}

// IsWhole says whether it takes whole numbers alone.
func (p Parameter) IsWhole() bool {
	row, err := sim.Lookup(p.Name)
	return err == nil && row.Type == sim.TypeInteger
}

// ends are those of the range of which places are shares.
func (p Parameter) ends() (low, high float64) {
	if p.IsWhole() {
		return p.Low - .5, p.High + .5
	}
	return p.Low, p.High
}

// whole are the parameters that are whole numbers, by their place in the list: they are looked up once.
type whole map[int]Parameter

func (t *Targets) whole() whole {
	w := whole{}
	for k, p := range t.Parameters {
		if p.IsWhole() {
			w[k] = p
		}
	}
	return w
}

// snapped are the places of the values that economies take: a whole number stands in the middle of its share of the range.
func (w whole) snapped(x []float64) []float64 {
	if len(w) == 0 {
		return x
	}
	out := slices.Clone(x)
	for k, p := range w {
		out[k] = p.Place(p.Value(x[k]))
	}
	return out
}

// Place of a value within the range; one outside counts as the nearest end.
func (p Parameter) Place(value float64) float64 {
	low, high := p.ends()
	x := (value - low) / (high - low)
	if p.InLogs() {
		x = math.Log(value/low) / math.Log(high/low)
	}
	return min(max(x, 0), 1)
}

// ReadTargets reads a file such as
//
//	scenario: baseline
//	replications: 6
//	parameters:
//	  consumption_habit: [0.3, 0.95]
//	leave_out: [facts]
//
// Unknown keys and parameters, and ranges beyond those of the catalogue, are refused with line and column.
func ReadTargets(text []byte) (*Targets, error) {
	root, err := strict.Parse(text, "parameters: {consumption_habit: [0.3, 0.95]}")
	if err != nil {
		return nil, err
	}
	t := &Targets{
		Scenario: "baseline", Households: 10_000, Replications: 6, Seed: 1, Weights: map[string]float64{},
		Prior: .1, Robust: 3, Step: .05, Rounds: 4, Evaluations: 200, Posterior: usualPosterior(),
	}
	var seed int
	err = strict.Fields{
		"scenario": &t.Scenario, "data": &t.Data, "columns": &t.Columns,
		"households": &t.Households, "replications": &t.Replications, "seed": &seed,
		"tables":     t.readTables,
		"parameters": t.readParameters, "only": names("only", &t.Only), "leave_out": names("leave_out", &t.LeaveOut), "weights": t.readWeights,
		"prior": &t.Prior, "robust": &t.Robust, "step": &t.Step, "rounds": &t.Rounds, "evaluations": &t.Evaluations,
		"design_replications": &t.DesignReplications,
		"population":          &t.Groups,
		"posterior":           t.Posterior.read,
	}.Read(root, "targets", "parameters")
	if err != nil {
		return nil, err
	}
	if seed != 0 {
		t.Seed = uint64(seed)
	}
	if t.DesignReplications == 0 {
		t.DesignReplications = max(2, t.Replications/2)
	}
	t.Posterior.complete(len(t.Parameters))
	return t, t.check(seed)
}

// readTables reads the tables of facts that are measured, each once.
func (t *Targets) readTables(node *yaml.Node) error {
	if err := names("tables", &t.Tables)(node); err != nil {
		return err
	}
	for i, name := range t.Tables {
		switch {
		case !slices.Contains(Tables(), name):
			return strict.At(fault.Unknown(fault.NotFound, "table", name, Tables()), node.Content[i])
		case slices.Contains(t.Tables[:i], name):
			return strict.At(fault.New(fault.Conflict, "tables", "%s is given twice", name), node.Content[i])
		}
	}
	return nil
}

func (t *Targets) readParameters(node *yaml.Node) error {
	entries, err := strict.Mapping(node, "parameters")
	if err != nil {
		return err
	}
	for _, e := range entries {
		row, err := sim.Lookup(e.Key.Value)
		if err != nil {
			return strict.At(err, e.Key)
		}
		if row.Technical || row.Type != sim.TypeNumber && row.Type != sim.TypeInteger {
			return strict.At(fault.Type(row.Name, "a "+string(row.Type), "parameter that is a number"), e.Key)
		}
		var ends []float64
		if e.Value.Decode(&ends) != nil || len(ends) != 2 {
			return strict.At(fault.Type(row.Name, strict.KindOf(e.Value), "range such as [0.3, 0.95]"), e.Value)
		}
		if !(row.Min <= ends[0] && ends[0] < ends[1] && ends[1] <= row.Max) {
			given := fmt.Sprintf("[%s, %s]", scenario.Text(ends[0]), scenario.Text(ends[1]))
			allowed := fmt.Sprintf("a range within %s to %s", scenario.Text(row.Min), scenario.Text(row.Max))
			return strict.At(fault.Range(row.Name, given, allowed), e.Value)
		}
		t.Parameters = append(t.Parameters, Parameter{row.Name, ends[0], ends[1]})
	}
	return nil
}

// names reads a list of names.
func names(key string, into *[]string) func(*yaml.Node) error {
	return func(node *yaml.Node) error {
		if node.Decode(into) != nil {
			return strict.At(fault.Type(key, strict.KindOf(node), "list of names"), node)
		}
		return nil
	}
}

func (t *Targets) readWeights(node *yaml.Node) error {
	entries, err := strict.Mapping(node, "weights")
	if err != nil {
		return err
	}
	for _, e := range entries {
		var weight float64
		if e.Value.Decode(&weight) != nil || !(weight > 0) || math.IsInf(weight, 0) {
			return strict.At(fault.Type(e.Key.Value, strict.KindOf(e.Value), "number above 0 (what has no weight is in leave_out)"), e.Value)
		}
		t.Weights[e.Key.Value] = weight
	}
	return nil
}

// check holds the rules that no single key can state.
func (t *Targets) check(seed int) error {
	switch {
	case len(t.Parameters) == 0:
		return fault.Missing("parameters", "name at least one, such as consumption_habit: [0.3, 0.95]")
	case t.Replications < 2 || t.Replications > 1000:
		return fault.Range("replications", fmt.Sprint(t.Replications), "2 to 1000")
	case t.DesignReplications < 2 || t.DesignReplications > 1000:
		return fault.Range("design_replications", fmt.Sprint(t.DesignReplications), "2 to 1000")
	case seed < 0:
		return fault.Range("seed", fmt.Sprint(seed), "0 or more")
	case !(t.Prior >= 0):
		return fault.Range("prior", fmt.Sprint(t.Prior), "0 or more")
	case !(t.Robust > 0):
		return fault.Range("robust", fmt.Sprint(t.Robust), "above 0")
	case !(t.Step > 0 && t.Step <= .5):
		return fault.Range("step", fmt.Sprint(t.Step), "above 0, at most 0.5")
	case t.Rounds < 0:
		return fault.Range("rounds", fmt.Sprint(t.Rounds), "0 or more")
	case t.Evaluations < 0:
		return fault.Range("evaluations", fmt.Sprint(t.Evaluations), "0 or more")
	case t.Groups < 0:
		return fault.Range("population", fmt.Sprint(t.Groups), "0 or more")
	}
	return t.Posterior.check(len(t.Parameters))
}

// knownNames are those that only, leave_out and weights may use.
func knownNames(moments []Moment) (names []string) {
	for i := range moments {
		for _, name := range moments[i].names() {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// checkNames refuses names of moments that there are not.
func (t *Targets) checkNames(moments []Moment) error {
	names := knownNames(moments)
	for _, name := range slices.Concat(t.Only, t.LeaveOut, slices.Sorted(maps.Keys(t.Weights)),
		slices.Sorted(maps.Keys(t.Posterior.Discrepancies))) {
		if !slices.Contains(names, name) {
			return fault.Unknown(fault.NotFound, "moment", name, names)
		}
	}
	return nil
}

// leftOut are the numbers of the facts of a table that do not count and are not simulated: those that leave_out names
// by table and number.
func (t *Targets) leftOut(table string) (numbers []int) {
	for _, name := range t.LeaveOut {
		if n, err := strconv.Atoi(strings.TrimPrefix(name, table+" ")); err == nil {
			numbers = append(numbers, n)
		}
	}
	return numbers
}

// digits are the significant ones of a value that is tried, so that an estimate can be written down.
const digits = 4

// rounded has a number of significant digits.
func rounded(x float64, digits int) float64 {
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64)
	if err != nil {
		return x
	}
	return y
}

// apply puts places within the ranges into a scenario: into its experiment and its burn-in, as values that hold
// from the start.
func (t *Targets) apply(s scenario.Scenario, x []float64) (scenario.Scenario, error) {
	for i, p := range t.Parameters {
		row, err := sim.Lookup(p.Name)
		if err != nil {
			return s, err
		}
		value := rounded(p.Value(x[i]), digits)
		if row.Type == sim.TypeInteger {
			value = math.Round(value)
		}
		if err := s.Params.Set(p.Name, value); err != nil {
			return s, err
		}
		if err := s.BurnIn.Set(p.Name, value); err != nil {
			return s, err
		}
	}
	return s, s.Validate()
}

// start are the places of the scenario's own values.
func (t *Targets) start(s scenario.Scenario) ([]float64, error) {
	x := make([]float64, len(t.Parameters))
	var idle []string
	for i, p := range t.Parameters {
		value, err := numberOf(s.Params, p.Name)
		if err != nil {
			return nil, err
		}
		x[i] = p.Place(value)
		if needs := sim.Dormant(s.Params, p.Name); needs != "" {
			idle = append(idle, p.Name+" (needs "+needs+")")
		}
	}
	if idle != nil {
		return nil, fault.New(fault.Conflict, "parameters", "these do nothing in %s: %s", s.Name, strings.Join(idle, ", ")).
			WithHint("leave them out, or choose a scenario in which they act")
	}
	return x, nil
}

// numberOf is the value of a parameter that is a number.
func numberOf(p sim.Params, name string) (float64, error) {
	value, err := p.Get(name)
	if n, ok := value.(int); ok {
		return float64(n), err
	}
	x, _ := value.(float64)
	return x, err
}
