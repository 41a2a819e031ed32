package sweep

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/sampling"
	"econ-mcp/internal/strict"
	"econ-mcp/sim"
)

// Kind is how points are chosen.
type Kind string

// The kinds of designs.
const (
	OneAtATime     Kind = "one_at_a_time"   // each factor alone over its values, the others at a base point
	Factorial      Kind = "factorial"       // all combinations of the factors' values
	Fractional     Kind = "fractional"      // a regular part of all combinations of both ends of each range
	List           Kind = "list"            // the rows that are given
	LatinHypercube Kind = "latin_hypercube" // one point in each of as many strata of every factor
	Sobol          Kind = "sobol"           // points of a scrambled Sobol' sequence
	Morris         Kind = "morris"          // trajectories that move one factor at a time, for screening
	SobolIndices   Kind = "sobol_indices"   // Saltelli's design, for shares of variance
)

// Kinds are all of them.
var Kinds = []Kind{OneAtATime, Factorial, Fractional, List, LatinHypercube, Sobol, Morris, SobolIndices}

// DefaultMaxRuns is how many economies a design may have that does not say more.
const DefaultMaxRuns = 100_000

// Design is what a file says: an inquiry, the numbers of it that vary, and how points are chosen.
type Design struct {
	Inquiry inquiry.Inquiry
	Factors []Factor
	Kind    Kind
	Points  int    // of latin_hypercube and sobol; base points of sobol_indices; runs of fractional
	Seed    uint64 // of the points; the economies have that of the inquiry

	Trajectories int         // of morris
	Levels       int         // of morris, and of a factor with a range in factorial and one_at_a_time
	SecondOrder  bool        // of sobol_indices
	Rows         [][]float64 // of list: a value of each factor

	MaxRuns int // economies, one for each arm, replication and point

	text []byte // canonical inquiry, in which factors have their places
}

// Factor is a number of the inquiry that varies.
type Factor struct {
	Name   string    // a parameter of the background, or the place of a number, such as arms.cheque.events[0].amount
	Low    float64   // the range, unless there are Values
	High   float64   //
	Values []float64 // that it takes, in the order in which they are given
	Log    bool      // it is spread evenly in logs
	Base   *float64  // where one_at_a_time holds it while others vary; nil = the inquiry's own number
	whole  bool      // it takes whole numbers only
}

// Read reads a design such as
//
//	inquiry:
//	  arms: {vat: {events: [{set: {vat_rate: 10%}, from: 1}]}}
//	  outcomes: [{metric: real_gdp, window: [1, 24]}]
//	factors:
//	  arms.vat.events[0].set.vat_rate: {from: 9%, to: 25%}
//	  consumption_habit: {from: 0.5, to: 0.9}
//	design: {kind: sobol_indices, points: 256}
//
// The inquiry is a mapping, or the name of a file that files reads, where there is such a function. Unknown keys, places that lead nowhere
// and values that the inquiry refuses are errors with line and column.
func Read(data []byte, files func(name string) ([]byte, error), scenarios inquiry.Files) (*Design, error) {
	root, err := strict.Parse(data, "inquiry: {…}\nfactors: {vat_rate: {from: 5%, to: 25%}}\ndesign: {kind: latin_hypercube, points: 100}")
	if err != nil {
		return nil, err
	}
	d := &Design{MaxRuns: DefaultMaxRuns}
	var asked, factors, design *yaml.Node
	err = strict.Fields{"inquiry": &asked, "factors": &factors, "design": &design, "max_runs": &d.MaxRuns}.
		Read(root, "the design", "inquiry", "factors", "design")
	if err != nil {
		return nil, err
	}
	var text []byte
	block := !bytes.HasPrefix(bytes.TrimSpace(data), []byte("{")) // else members share lines: nobody counts columns there
	if files == nil && asked.Kind != yaml.MappingNode {
		return nil, strict.At(fault.Type("inquiry", strict.KindOf(asked), "mapping"), asked)
	}
	if asked.Kind == yaml.ScalarNode && asked.ShortTag() == "!!str" {
		if text, err = files(asked.Value); err != nil {
			return nil, err
		}
	} else if block {
		text = within(data, root, asked)
	} else if text, err = yaml.Marshal(asked); err != nil {
		return nil, err
	}
	if d.Inquiry, err = inquiry.DecodeFiles(text, scenarios); err != nil {
		if asked.Kind == yaml.ScalarNode {
			return nil, prefixed(asked.Value+": ", err)
		}
		if !block {
			err = strict.At(withoutPosition(err), asked)
		}
		return nil, prefixed("in the inquiry: ", err)
	}
	if err := d.fits(); err != nil {
		return nil, strict.At(err, asked)
	}
	d.text = d.Inquiry.Encode()
	if err := d.readFactors(factors); err != nil {
		return nil, err
	}
	if err := d.readKind(design); err != nil {
		return nil, err
	}
	if d.MaxRuns < 1 {
		return nil, strict.At(fault.Range("max_runs", fmt.Sprint(d.MaxRuns), "1 or more"), root)
	}
	return d, nil
}

// fits refuses inquiries of which no sweep is made.
func (d *Design) fits() error {
	q := d.Inquiry
	switch {
	case q.Searches():
		return fault.New(fault.Conflict, "inquiry", "a sweep does not look for numbers itself: equal_cost and find have no place in it").
			WithHint("make the number a factor")
	case q.Design.Replications == inquiry.Auto:
		return fault.New(fault.Conflict, "inquiry", "all points have the same seeds, so that replications cannot be auto").
			WithHint("design: {replications: 2}")
	}
	for _, o := range q.Outcomes {
		if o.Metric >= sim.NumIndicators {
			return fault.New(fault.OutOfRange, "metric", "%s is of a group of households or of a programme, which sweeps do not measure", o.Metric).
				WithHint("take a headline indicator, such as real_gdp")
		}
	}
	return nil
}

func (d *Design) readFactors(node *yaml.Node) error {
	entries, err := strict.Mapping(node, "factors")
	if err != nil {
		return err
	}
	if len(entries) == 0 {
		return strict.At(fault.Missing("factors", "name at least one number that varies"), node)
	}
	for _, e := range entries {
		f := Factor{Name: e.Key.Value}
		if slices.ContainsFunc(d.Factors, func(g Factor) bool { return placeOf(g.Name) == placeOf(f.Name) }) {
			return strict.At(fault.New(fault.Conflict, f.Name, "%s is given twice", f.Name), e.Key)
		}
		var from, to, values, base *yaml.Node
		err := strict.Fields{"from": &from, "to": &to, "values": &values, "log": &f.Log, "base": &base}.Read(e.Value, f.Name)
		if err != nil {
			return err
		}
		if f.Log && values != nil {
			return strict.At(fault.New(fault.Conflict, f.Name, "log spreads a range, and these are values").WithHint("leave log out"), e.Value)
		}
		if err := mayVary(f.Name); err != nil {
			return strict.At(err, e.Key)
		}
		if (values == nil) == (from == nil && to == nil) || (from == nil) != (to == nil) {
			return strict.At(fault.Missing(f.Name, "give {from: …, to: …} or {values: […]}"), e.Value)
		}
		if values == nil {
			if f.Low, f.whole, err = d.numberAt(f.Name, from); err != nil {
				return err
			}
			if f.High, _, err = d.numberAt(f.Name, to); err != nil {
				return err
			}
			if !(f.Low < f.High) || f.Log && !(f.Low > 0) {
				return strict.At(fault.Range(f.Name, fmt.Sprintf("%g to %g", f.Low, f.High), "from below to, and above 0 in logs"), e.Value)
			}
		} else if values.Kind != yaml.SequenceNode || len(values.Content) < 2 {
			return strict.At(fault.Type(f.Name, strict.KindOf(values), "list of two values or more"), values)
		} else {
			for _, v := range values.Content {
				x, _, err := d.numberAt(f.Name, v)
				if err != nil {
					return err
				}
				if slices.Contains(f.Values, x) {
					return strict.At(fault.New(fault.Conflict, f.Name, "%g is given twice", x), v)
				}
				f.Values = append(f.Values, x)
			}
		}
		if base != nil {
			x, _, err := d.numberAt(f.Name, base)
			if err != nil {
				return err
			}
			f.Base = &x
		}
		d.Factors = append(d.Factors, f)
	}
	return nil
}

func (d *Design) readKind(node *yaml.Node) error {
	var kind string
	var seed int
	var rows *yaml.Node
	d.Trajectories, d.Levels = 10, sampling.MorrisLevels
	err := strict.Fields{
		"kind": &kind, "points": &d.Points, "seed": &seed, "trajectories": &d.Trajectories, "levels": &d.Levels, "second_order": &d.SecondOrder,
		"rows": &rows,
	}.Read(node, "design", "kind")
	if err != nil {
		return err
	}
	d.Kind, d.Seed = Kind(kind), uint64(max(seed, 0))
	if d.Kind == OneAtATime && child(node, "levels") == nil {
		d.Levels = oneAtATimeLevels
	}
	if !slices.Contains(Kinds, d.Kind) {
		var names []string
		for _, k := range Kinds {
			names = append(names, string(k))
		}
		return strict.At(fault.Unknown(fault.NotFound, "kind of design", kind, names), node)
	}
	if seed < 0 {
		return strict.At(fault.Range("seed", fmt.Sprint(seed), "0 or more"), node)
	}
	needsPoints := slices.Contains([]Kind{Fractional, LatinHypercube, Sobol, SobolIndices}, d.Kind)
	if needsPoints && d.Points < 2 {
		return strict.At(fault.Range("points", fmt.Sprint(d.Points), "2 or more"), node)
	}
	if d.Kind == SobolIndices && d.Points&(d.Points-1) != 0 {
		return strict.At(fault.Range("points", fmt.Sprint(d.Points), "a power of two, over which the points are balanced"), node)
	}
	if d.Kind == List {
		if err := d.readRows(rows, node); err != nil {
			return err
		}
	}
	if err := d.affordable(); err != nil {
		return strict.At(err, node)
	}
	if (d.Kind == Factorial || d.Kind == OneAtATime) && d.Levels < 2 {
		return strict.At(fault.Range("levels", fmt.Sprint(d.Levels), "2 or more"), node)
	}
	for _, f := range d.Factors {
		if f.Base != nil && d.Kind != OneAtATime {
			return strict.At(fault.New(fault.Conflict, f.Name, "%s has no base point, and %s is given a base", d.Kind, f.Name).
				WithHint("leave base out, or write kind: one_at_a_time"), node)
		}
	}
	if d.Kind == Morris && d.Trajectories < 2 {
		return strict.At(fault.Range("trajectories", fmt.Sprint(d.Trajectories), "2 or more"), node)
	}
	if _, err := d.units(); err != nil {
		return strict.At(fault.New(fault.OutOfRange, "design", "%s: %v", d.Kind, err).WithHint("econ-mcp sweep --help has the kinds"), node)
	}
	return nil
}

// readRows reads the rows of a list, a value of each factor in their order.
func (d *Design) readRows(rows, node *yaml.Node) error {
	if strict.IsNull(rows) || rows.Kind != yaml.SequenceNode || len(rows.Content) == 0 {
		return strict.At(fault.Missing("rows", "a list of rows, each with a value of every factor"), node)
	}
	for _, row := range rows.Content {
		if row.Kind != yaml.SequenceNode || len(row.Content) != len(d.Factors) {
			return strict.At(fault.Type("rows", strict.KindOf(row), fmt.Sprintf("list of %d values, one of each factor", len(d.Factors))), row)
		}
		var values []float64
		for k, v := range row.Content {
			x, _, err := d.numberAt(d.Factors[k].Name, v)
			if err != nil {
				return err
			}
			if f := d.Factors[k]; f.Values == nil && !(f.Low <= x && x <= f.High) || f.Values != nil && !slices.Contains(f.Values, x) {
				return strict.At(fault.Range(f.Name, v.Value, f.allowed()), v)
			}
			values = append(values, x)
		}
		d.Rows = append(d.Rows, values)
	}
	return nil
}

// Size is how many points the design has at most, as far as a number can say it.
func (d *Design) Size() float64 {
	n, k := float64(d.Points), float64(len(d.Factors))
	switch d.Kind {
	case Factorial:
		n = 1
		for _, f := range d.Factors {
			n *= float64(f.levels(d.Levels))
		}
	case OneAtATime:
		n = 1 // the base, which is a value of some factors too
		for _, f := range d.Factors {
			n += float64(f.levels(d.Levels))
		}
	case List:
		n = float64(len(d.Rows))
	case Morris:
		n = float64(d.Trajectories) * (k + 1)
	case SobolIndices:
		n *= k + 2
		if d.SecondOrder {
			n = float64(d.Points) * (2*k + 2)
		}
	}
	return n
}

// arms is how many economies a point and seed has.
func (d *Design) arms() int {
	if len(d.Inquiry.Arms) == 0 {
		return 1
	}
	names := 0
	if d.Inquiry.Control != inquiry.ControlNone {
		names = 1
	}
	for _, a := range d.Inquiry.Arms {
		names++
		if a.Doses != nil {
			names += len(a.Doses.Values) - 1
		}
	}
	return names
}

// Economies are how many a design has at most, as far as a number can say it: those that points share count for each.
func (d *Design) Economies() float64 {
	return d.Size() * float64(d.arms()*d.Inquiry.Design.Replications)
}

// affordable refuses a design with more economies than it may have, before a point is made.
func (d *Design) affordable() error {
	runs := d.Economies()
	if runs > float64(d.MaxRuns) {
		return fault.New(fault.LimitExceeded, "max_runs", "%.4g points with %d arms and %d replications are %.4g economies, and %d are allowed",
			d.Size(), d.arms(), d.Inquiry.Design.Replications, runs, d.MaxRuns).WithHint("choose fewer points, or write max_runs")
	}
	return nil
}

// levels is how many values a factor takes in a factorial, or alone.
func (f Factor) levels(ofRange int) int {
	switch {
	case f.Values != nil:
		return len(f.Values)
	case f.whole:
		return min(ofRange, int(f.High-f.Low)+1)
	}
	return ofRange
}

// allowed says which values a factor takes.
func (f Factor) allowed() string {
	if f.Values != nil {
		return fmt.Sprint(f.Values)
	}
	return fmt.Sprintf("%g to %g", f.Low, f.High)
}

// At is the factor's value at a place of the unit interval.
func (f Factor) At(u float64) float64 {
	if f.Values != nil {
		return f.Values[min(int(u*float64(len(f.Values))), len(f.Values)-1)]
	}
	high := f.High
	if f.whole { // each number has an equal part of the interval
		high++
	}
	x := f.Low + float64(u*(high-f.Low))
	if f.Log {
		x = f.Low * math.Pow(high/f.Low, u)
	}
	if f.whole {
		x = math.Floor(x)
	}
	return min(x, f.High)
}

// place of a value within the range, from 0 to 1; of a list by its number.
func (f Factor) place(x float64) float64 {
	switch {
	case f.Values != nil:
		return float64(slices.Index(f.Values, x)) / float64(len(f.Values)-1)
	case f.Log:
		return math.Log(x/f.Low) / math.Log(f.High/f.Low)
	}
	return (x - f.Low) / (f.High - f.Low)
}

// units are the points in the unit cube, a row a point; of a list and of one_at_a_time nil.
func (d *Design) units() ([][]float64, error) {
	k := len(d.Factors)
	switch d.Kind {
	case Factorial:
		var levels []int
		for _, f := range d.Factors {
			levels = append(levels, f.levels(d.Levels))
		}
		rows, err := sampling.Factorial(levels)
		if err != nil {
			return nil, err
		}
		units := make([][]float64, len(rows))
		for i, row := range rows {
			for j, level := range row {
				u := float64(level) / float64(max(levels[j]-1, 1))
				if d.Factors[j].Values != nil {
					u = (float64(level) + .5) / float64(levels[j])
				}
				units[i] = append(units[i], u)
			}
		}
		return units, nil
	case Fractional:
		fraction, err := sampling.FractionalTwoLevel(k, d.Points)
		if err != nil {
			return nil, err
		}
		units := make([][]float64, len(fraction.Runs))
		for i, row := range fraction.Runs {
			for _, level := range row {
				units[i] = append(units[i], max(0, float64(level)))
			}
		}
		return units, nil
	case LatinHypercube:
		return sampling.LatinHypercube(d.Points, k, d.Seed)
	case Sobol:
		return sampling.Sobol(d.Points, k, d.Seed)
	case Morris:
		return sampling.Morris(d.Trajectories, k, d.Levels, d.Seed)
	case SobolIndices:
		return sampling.Saltelli(d.Points, k, d.SecondOrder, d.Seed)
	}
	return nil, nil
}

// Values are the factors' values at all points, a row a point. Of one_at_a_time the first is the base, for which it may find scenarios.
func (d *Design) Values(find inquiry.Scenarios) ([][]float64, error) {
	switch d.Kind {
	case List:
		return d.Rows, nil
	case OneAtATime:
		base, err := d.base(find)
		if err != nil {
			return nil, err
		}
		return d.alone(base), nil
	}
	units, err := d.units()
	if err != nil {
		return nil, err
	}
	rows := make([][]float64, len(units))
	for i, unit := range units {
		for j, u := range unit {
			rows[i] = append(rows[i], d.Factors[j].At(u))
		}
	}
	return rows, nil
}

// Hash identifies the design with the model that it is carried out by.
func (d *Design) Hash() string {
	h := sha256.New()
	h.Write(d.Encode())
	fmt.Fprintf(h, "model=%s\n", sim.ModelVersion)
	return hex.EncodeToString(h.Sum(nil))
}

// designText is a design as YAML.
type designText struct {
	Inquiry *yaml.Node `yaml:"inquiry"`
	Factors *yaml.Node `yaml:"factors"`
	Design  kindText   `yaml:"design"`
	MaxRuns int        `yaml:"max_runs"`
}

type kindText struct {
	Kind         Kind        `yaml:"kind"`
	Points       int         `yaml:"points,omitempty"`
	Seed         uint64      `yaml:"seed"`
	Trajectories int         `yaml:"trajectories,omitempty"`
	Levels       int         `yaml:"levels,omitempty"`
	SecondOrder  bool        `yaml:"second_order,omitempty"`
	Rows         [][]float64 `yaml:"rows,omitempty,flow"`
}

// Encode writes the design with everything that it needs, the inquiry in it.
func (d *Design) Encode() []byte {
	var asked yaml.Node
	if err := yaml.Unmarshal(d.text, &asked); err != nil {
		panic(err) // our own text
	}
	type factor struct {
		From   *float64  `yaml:"from,omitempty"`
		To     *float64  `yaml:"to,omitempty"`
		Values []float64 `yaml:"values,omitempty,flow"`
		Log    bool      `yaml:"log,omitempty"`
		Base   *float64  `yaml:"base,omitempty"`
	}
	factors := yaml.Node{Kind: yaml.MappingNode}
	for _, f := range d.Factors {
		var key, value yaml.Node
		key.SetString(f.Name)
		said := factor{Values: f.Values, Log: f.Log, Base: f.Base}
		if f.Values == nil {
			said.From, said.To = &f.Low, &f.High
		}
		if err := value.Encode(said); err != nil {
			panic(err) // numbers always encode
		}
		factors.Content = append(factors.Content, &key, &value)
	}
	var b bytes.Buffer
	err := yaml.NewEncoder(&b).Encode(designText{asked.Content[0], &factors, kindText{
		d.Kind, d.Points, d.Seed, d.Trajectories, d.Levels, d.SecondOrder, d.Rows,
	}, d.MaxRuns})
	if err != nil {
		panic(err) // a tree of plain scalars always encodes
	}
	return b.Bytes()
}

// mayVary refuses places that are no part of an economy: all points have the same seeds and windows, and are judged alike.
func mayVary(name string) error {
	place := placeOf(name)
	ofArm := strings.HasPrefix(place, "arms.") && !strings.Contains(place, ".doses")
	if ofArm || strings.HasPrefix(place, "background.") || place == "design.burn_in" {
		return nil
	}
	return fault.New(fault.Conflict, name, "%s is the same at all points", name).
		WithHint("vary a parameter, a setting or an event of background or arms, or design.burn_in")
}

var plainName = regexp.MustCompile(`^[a-z0-9_]+$`)

// placeOf is the place of a factor in the inquiry: a name alone is a parameter of the background.
func placeOf(name string) string {
	if plainName.MatchString(name) {
		return "background.set." + name
	}
	return leadingZeros.ReplaceAllString(name, "[$1]")
}

var leadingZeros = regexp.MustCompile(`\[0+([0-9]+)\]`)
