package inquiry

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/internal/strict"
	"econ-mcp/sim"
)

// MaxArms is the largest number of arms beside the control, doses counted.
const MaxArms = 32

// MaxQuestion is the largest length of a question, in characters.
const MaxQuestion = 4000

// MaxSeed is the largest seed, which every reader of JSON can hold.
const MaxSeed = 1<<53 - 1

// Files reads the scenario of a file that an inquiry names.
type Files func(path string) (scenario.Scenario, error)

// Decode reads an inquiry from YAML or JSON and fills in what it leaves open. Every error is a
// [*fault.Error] with line and column, the nearest name and the range. It reads no files.
func Decode(data []byte) (Inquiry, error) { return DecodeFiles(data, nil) }

// DecodeFiles is Decode where an economy may be that of a file: what the file holds becomes part of the
// inquiry, which then needs it no more.
func DecodeFiles(data []byte, files Files) (Inquiry, error) {
	q := Inquiry{
		Control: ControlBackground,
		Design: Design{
			Months: DefaultMonths, Replications: DefaultReplications, Seed: DefaultSeed, BurnIn: DefaultBurnIn, Family: DefaultFamily,
			Confidence: DefaultConfidence,
		},
	}
	root, err := strict.Parse(data, "question: …")
	if err != nil {
		return q, err
	}
	var background, arms, outcomes, compare, equalCost, find, design *yaml.Node
	err = strict.Fields{
		"question": &q.Question, "background": &background, "arms": &arms, "control": &q.Control, "outcomes": &outcomes, "compare": &compare,
		"equal_cost": &equalCost, "find": &find, "design": &design,
	}.Read(root, "the inquiry")
	if err != nil {
		return q, err
	}
	q.Control = cmp.Or(q.Control, ControlBackground)
	if n := utf8.RuneCountInString(q.Question); n > MaxQuestion {
		tooLong := fault.Range("question", fmt.Sprintf("a text of %d characters", n), fmt.Sprintf("at most %d characters", MaxQuestion))
		return q, strict.At(tooLong, root)
	}
	if err := q.Design.decode(design); err != nil { // first: windows end with its months
		return q, err
	}
	if q.Background, err = decodeEconomy(background, "background", files); err != nil {
		return q, err
	}
	if q.Arms, err = decodeArms(arms, files); err != nil {
		return q, err
	}
	if err := q.decodeEqualCost(equalCost); err != nil {
		return q, err
	}
	if err := q.decodeFind(find); err != nil {
		return q, err
	}
	if strict.IsNull(outcomes) && q.Find != nil {
		q.Outcomes = []Outcome{{Metric: q.Find.Metric, Windows: []Window{q.Find.Window}}}
	} else if q.Outcomes, err = decodeOutcomes(outcomes, q.Design.Months); err != nil {
		return q, err
	}
	if err := q.complete(root, compare); err != nil {
		return q, err
	}
	for _, o := range q.Outcomes {
		if numerator, ok := o.Metric.OnControlGDP(); ok && q.Control == ControlNone {
			e := fault.New(fault.Conflict, "metric", "%s is measured on the GDP of a control, and there is none", o.Metric)
			return q, strict.At(e.WithHint("add arms, or take "+numerator.String()), outcomes)
		}
	}
	return q, nil
}

// complete fills in and checks what depends on several parts.
func (q *Inquiry) complete(root, compare *yaml.Node) error {
	if !q.compares() {
		if q.Control != ControlBackground && q.Control != ControlNone {
			return strict.At(fault.New(fault.Conflict, "control", "there is no arm to hold against the control").WithHint("add arms"), root)
		}
		q.Control = ControlNone
	}
	names := q.names()
	if len(names) > MaxArms+1 {
		return strict.At(fault.New(fault.LimitExceeded, "arms", "%d arms; at most %d are allowed", len(names), MaxArms).
			WithHint("ask with fewer arms or doses"), root)
	}
	for i, name := range names { // files of arms are called by them, and some systems do not tell case
		same := func(other string) bool { return strings.EqualFold(other, name) }
		if k := slices.IndexFunc(names[:i], same); k >= 0 {
			return strict.At(fault.New(fault.Conflict, "arms", "two arms are called %q and %q", names[k], name).
				WithHint("give each a name of its own"), root)
		}
	}
	var err error
	q.Compare, err = decodePairs(compare, names)
	if err != nil {
		return err
	}
	var points, steps []string
	if q.Find != nil {
		points, steps = q.Find.Arms(), StepArms()
	}
	for _, p := range q.Compare {
		if slices.Contains(steps, p.Arm) || slices.Contains(steps, p.With) {
			return strict.At(fault.New(fault.Conflict, "compare",
				"%s - %s compares a value that is chosen by what comes out at others: no test of it holds its level", p.Arm, p.With).
				WithHint("compare the values that are known beforehand: "+strings.Join(points[len(steps):], ", ")), compare)
		}
	}
	if q.Compare == nil && q.Control != ControlNone {
		for _, name := range names[1:] {
			with := ControlArm
			if slices.Contains(points, name) {
				with = q.Find.Against
			}
			if !slices.Contains(steps, name) {
				q.Compare = append(q.Compare, Pair{name, with})
			}
		}
	}
	return nil
}

func (d *Design) decode(node *yaml.Node) error {
	if strict.IsNull(node) {
		return nil
	}
	var months, replications, seed, burnIn, most int
	var family string
	var confidence, halfWidth quantity
	quantityOf := func(into *quantity, what string) func(*yaml.Node) error {
		return func(n *yaml.Node) (err error) { *into, err = readQuantity(n, what); return err }
	}
	err := strict.Fields{
		"months": &months, "seed": &seed, "burn_in": &burnIn, "family": &family, "max_replications": &most,
		"confidence": quantityOf(&confidence, "confidence"), "half_width": quantityOf(&halfWidth, "half_width"),
		"replications": func(n *yaml.Node) error {
			if n.Value == "auto" && n.Kind == yaml.ScalarNode {
				replications = Auto
				return nil
			}
			return strict.Fields{"replications": &replications}.Read(&yaml.Node{
				Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Tag: "!!str", Value: "replications"}, n},
			}, "design")
		},
	}.Read(node, "design")
	if err != nil {
		return err
	}
	given := func(key string) *yaml.Node { return valueOf(node, key) }
	for _, c := range []struct {
		key         string
		x, from, to int
		into        *int
	}{
		{"months", months, 1, 6000, &d.Months}, {"burn_in", burnIn, 0, 2400, &d.BurnIn}, {"max_replications", most, 2, 10000, &d.MaxReplications},
	} {
		if n := given(c.key); n != nil {
			if c.x < c.from || c.x > c.to {
				return strict.At(fault.Range(c.key, fmt.Sprint(c.x), fmt.Sprintf("%d to %d", c.from, c.to)), n)
			}
			*c.into = c.x
		}
	}
	if n := given("replications"); n != nil {
		if replications != Auto && (replications < 1 || replications > 1000) {
			return strict.At(fault.Range("replications", fmt.Sprint(replications), "1 to 1000", "auto"), n)
		}
		d.Replications = replications
	}
	if n := given("seed"); n != nil {
		if seed < 0 || seed > MaxSeed {
			return strict.At(fault.Range("seed", fmt.Sprint(seed), fmt.Sprintf("0 to %d", MaxSeed)), n)
		}
		d.Seed = uint64(seed)
	}
	if n := given("family"); n != nil {
		if !slices.Contains(Families, family) {
			return strict.At(fault.Range("family", fmt.Sprintf("%q", family), Families...), n)
		}
		d.Family = family
	}
	if n := given("confidence"); n != nil {
		if d.Confidence, err = confidence.of("share", "confidence", n); err != nil {
			return err
		}
		if !(d.Confidence >= .5 && d.Confidence <= .999) {
			return strict.At(fault.Range("confidence", n.Value, "50% to 99.9%"), n)
		}
	}
	if d.Replications == Auto {
		d.HalfWidth, d.MaxReplications = DefaultHalfWidth, cmp.Or(d.MaxReplications, DefaultMaxReplications)
	}
	for _, key := range []string{"half_width", "max_replications"} {
		if n := given(key); n != nil && d.Replications != Auto {
			e := fault.New(fault.Conflict, key, "%s says when enough replications were added, and replications is fixed at %d", key, d.Replications)
			return strict.At(e.WithHint("write replications: auto, or leave it out"), n)
		}
	}
	if n := given("half_width"); n != nil {
		if d.HalfWidth, err = halfWidth.of("share", "half_width", n); err != nil {
			return err
		}
		if !(d.HalfWidth >= .001 && d.HalfWidth <= .5) {
			return strict.At(fault.Range("half_width", n.Value, "0.1% to 50%"), n)
		}
	}
	return nil
}

// valueOf is the value of a key of a mapping, nil where it is not given.
func valueOf(mapping *yaml.Node, key string) *yaml.Node {
	if mapping.Kind != yaml.MappingNode {
		return nil
	}
	for pair := range slices.Chunk(mapping.Content, 2) {
		if pair[0].Value == key {
			return pair[1]
		}
	}
	return nil
}

// decodeEconomy reads a background or what is in an arm.
func decodeEconomy(node *yaml.Node, what string, files Files) (e Economy, err error) {
	if strict.IsNull(node) {
		return e, nil
	}
	return e, e.fields(node, files).Read(node, what)
}

func (e *Economy) fields(node *yaml.Node, files Files) strict.Fields {
	alone := func(n *yaml.Node) error {
		named := 0
		for _, key := range []string{"preset", "config", "scenario", "file"} {
			if valueOf(node, key) != nil {
				named++
			}
		}
		switch {
		case named > 1:
			return strict.At(fault.New(fault.Conflict, "config", "an economy is a preset, a config, a scenario or a file, and only one").
				WithHint("leave the others out"), n)
		case n.Kind != yaml.ScalarNode:
			return strict.At(fault.Type("preset", strict.KindOf(n), "name"), n)
		}
		return nil
	}
	base := func(n *yaml.Node) error {
		if err := alone(n); err != nil {
			return err
		}
		e.Base = n.Value
		return strict.At(fault.CheckName("preset", e.Base), n)
	}
	return strict.Fields{
		"preset": base, "config": base,
		"scenario": func(n *yaml.Node) error {
			if err := alone(n); err != nil {
				return err
			}
			s, err := scenario.Decode("scenario", []byte(n.Value))
			if err == nil {
				e.Text = string(s.Encode())
			}
			return strict.At(fault.In("scenario", err), n)
		},
		"file": func(n *yaml.Node) error {
			if err := alone(n); err != nil {
				return err
			}
			if files == nil {
				return strict.At(fault.New(fault.Forbidden, "file", "files are read by econ-mcp ask on the command line only").
					WithHint("write what it holds as scenario: TEXT, or save it as a config and name that"), n)
			}
			s, err := files(n.Value)
			if err == nil {
				e.Text = string(s.Encode())
			}
			return strict.At(err, n)
		},
		"set":    func(n *yaml.Node) (err error) { e.Set, err = decodeSettings(n, false); return err },
		"events": func(n *yaml.Node) (err error) { e.Events, err = decodeEvents(n); return err },
		"rules":  func(n *yaml.Node) (err error) { e.Rules, err = decodeRules(n); return err },
	}
}

// decodeSettings reads values of parameters; live says that they change while the economy lives.
func decodeSettings(node *yaml.Node, live bool) ([]Setting, error) {
	entries, err := strict.Mapping(node, "set")
	if err != nil {
		return nil, err
	}
	var list []Setting
	for _, e := range entries {
		row, err := sim.Lookup(e.Key.Value)
		if err != nil {
			return nil, strict.At(err, e.Key)
		}
		if err := ofDesign(row.Name); err != nil {
			return nil, strict.At(err, e.Key)
		}
		v, err := decodeValue(e.Value, row)
		if err != nil {
			return nil, err
		}
		if live {
			if _, err := sim.NewParameterChange(row.Name, v); err != nil {
				return nil, strict.At(err, e.Key)
			}
		}
		list = append(list, Setting{row.Name, v})
	}
	return sortedSettings(list), nil
}

// designOf are parameters that the design says.
var designOf = map[string]string{"num_iterations": "months", "burn_in_months": "burn_in", "random_state": "seed"}

// ofDesign refuses a parameter that the design says.
func ofDesign(name string) error {
	if of, ok := designOf[name]; ok {
		return fault.New(fault.Conflict, name, "%s is a matter of the design", name).WithHint("say it as design." + of)
	}
	return nil
}

// ofOneArm refuses a parameter in which arms cannot differ.
func ofOneArm(name string) error {
	if name == "num_households" {
		return fault.New(fault.Conflict, name, "all arms have as many households").WithHint("set it in background")
	}
	return ofDesign(name)
}

// decodeValue reads a value of a parameter.
func decodeValue(node *yaml.Node, row sim.Parameter) (any, error) {
	var v any = node.Value
	switch {
	case node.Kind != yaml.ScalarNode:
		return nil, strict.At(fault.Type(row.Name, strict.KindOf(node), string(row.Type)), node)
	case row.Type == sim.TypeChoice || row.Type == sim.TypeSchedule:
	case row.Type == sim.TypeBoolean:
		var b bool
		if node.ShortTag() != "!!bool" || node.Decode(&b) != nil {
			return nil, strict.At(fault.Type(row.Name, strict.KindOf(node), string(row.Type)), node)
		}
		v = b
	default:
		q, err := readQuantity(node, row.Name)
		if err != nil {
			return nil, err
		}
		if v, err = q.of(row.Unit, row.Name, node); err != nil {
			return nil, err
		}
	}
	p := sim.Defaults()
	if err := p.Set(row.Name, v); err != nil {
		return nil, strict.At(err, node)
	}
	v, _ = p.Get(row.Name) // of the type of the catalogue
	return v, nil
}

// decodeArms reads the arms in the order in which they stand.
func decodeArms(node *yaml.Node, files Files) ([]Arm, error) {
	if strict.IsNull(node) {
		return nil, nil
	}
	entries, err := strict.Mapping(node, "arms")
	if err != nil {
		return nil, err
	}
	var list []Arm
	for _, e := range entries {
		a := Arm{Name: e.Key.Value}
		if err := fault.CheckName("arms", a.Name); err != nil {
			return nil, strict.At(err, e.Key)
		}
		if a.Name == ControlArm || a.Name == ControlBackground {
			return nil, strict.At(fault.New(fault.Conflict, "arms", "%q is not a name for an arm", a.Name).WithHint("give it another name"), e.Key)
		}
		fields := a.fields(e.Value, files)
		set := fields["set"].(func(*yaml.Node) error)
		fields["set"] = func(n *yaml.Node) error {
			if size := valueOf(n, "num_households"); size != nil {
				return strict.At(ofOneArm("num_households"), size)
			}
			return set(n)
		}
		fields["doses"] = func(n *yaml.Node) (err error) { a.Doses, err = decodeDoses(n); return err }
		if err := fields.Read(e.Value, "an arm"); err != nil {
			return nil, err
		}
		if !a.own() && len(a.Set)+len(a.Events)+len(a.Rules) == 0 && a.Doses == nil {
			return nil, strict.At(fault.New(fault.Conflict, "arms", "arm %q is the background, with nothing changed", a.Name).
				WithHint("give it events, rules, set, doses, or a preset or config of its own"), e.Value)
		}
		list = append(list, a)
	}
	return list, nil
}

func decodeDoses(node *yaml.Node) (*Doses, error) {
	d := &Doses{}
	var values *yaml.Node
	if err := (strict.Fields{"parameter": &d.Parameter, "values": &values}).Read(node, "doses", "parameter", "values"); err != nil {
		return nil, err
	}
	row, err := sim.Lookup(d.Parameter)
	if err == nil {
		err = ofOneArm(row.Name)
	}
	if err != nil {
		return nil, strict.At(err, valueOf(node, "parameter"))
	}
	if n := len(values.Content); n > MaxArms {
		tooMany := fault.New(fault.LimitExceeded, "values", "%d values; at most %d arms are allowed", n, MaxArms).WithHint("list fewer")
		return nil, strict.At(tooMany, values)
	}
	if values.Kind != yaml.SequenceNode || len(values.Content) == 0 {
		return nil, strict.At(fault.New(fault.WrongType, "values", "values is %s", strict.KindOf(values)).WithHint("list the values"), values)
	}
	for _, n := range values.Content {
		v, err := decodeValue(n, row)
		if err != nil {
			return nil, err
		}
		if slices.Contains(d.Values, v) {
			return nil, strict.At(fault.New(fault.Conflict, "values", "%s is listed twice", n.Value).WithHint("leave one out"), n)
		}
		d.Values = append(d.Values, v)
	}
	return d, nil
}

// decodePairs reads comparisons, such as vat_cut - control.
func decodePairs(node *yaml.Node, names []string) ([]Pair, error) {
	if strict.IsNull(node) {
		return nil, nil
	}
	if node.Kind != yaml.SequenceNode {
		return nil, strict.At(fault.New(fault.WrongType, "compare", "compare is %s", strict.KindOf(node)).
			WithHint("must be a list, each entry such as vat_cut - control"), node)
	}
	var list []Pair
	for _, n := range node.Content {
		arm, with, found := strings.Cut(n.Value, " - ")
		p := Pair{strings.TrimSpace(arm), strings.TrimSpace(with)}
		if n.Kind != yaml.ScalarNode || !found {
			return nil, strict.At(fault.Type("compare", strict.KindOf(n), "comparison, such as vat_cut - control"), n)
		}
		for _, name := range []string{p.Arm, p.With} {
			if !slices.Contains(names, name) {
				return nil, strict.At(fault.In("compare", fault.Unknown(fault.NotFound, "arm", name, names)), n)
			}
		}
		if p.Arm == p.With || slices.Contains(list, p) {
			return nil, strict.At(fault.New(fault.Conflict, "compare", "%s compares an arm with itself, or is listed twice", n.Value).
				WithHint("leave it out"), n)
		}
		list = append(list, p)
	}
	return list, nil
}
