package inquiry

import (
	"bytes"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Encode writes the canonical form: YAML with every default, which reads as the same inquiry.
func (q Inquiry) Encode() []byte {
	root := mapping()
	put(root, "question", word(q.Question))
	if n := q.Background.node(); len(n.Content) > 0 {
		put(root, "background", n)
	}
	arms := mapping()
	for _, a := range q.Arms {
		n := a.node()
		if d := a.Doses; d != nil {
			values := flow(&yaml.Node{Kind: yaml.SequenceNode})
			for _, v := range d.Values {
				values.Content = append(values.Content, value(v))
			}
			doses := flow(mapping())
			put(doses, "parameter", plain(d.Parameter))
			put(doses, "values", values)
			put(n, "doses", doses)
		}
		put(arms, a.Name, n)
	}
	if len(q.Arms) > 0 {
		put(root, "arms", arms)
	}
	if q.compares() {
		put(root, "control", word(q.Control))
	}
	put(root, "outcomes", q.outcomesNode())
	if len(q.Compare) > 0 {
		list := &yaml.Node{Kind: yaml.SequenceNode}
		for _, p := range q.Compare {
			list.Content = append(list.Content, word(p.Arm+" - "+p.With))
		}
		put(root, "compare", list)
	}
	put(root, "equal_cost", q.EqualCost.node())
	put(root, "find", q.Find.node())
	put(root, "design", q.Design.node())

	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		panic(err) // a tree of plain scalars always encodes
	}
	return b.Bytes()
}

func (e Economy) node() *yaml.Node {
	n := mapping()
	put(n, "preset", word(e.Base)) // a preset or a config: names are of either
	put(n, "scenario", word(e.Text))
	if len(e.Set) > 0 {
		set := mapping()
		for _, s := range sortedSettings(e.Set) {
			put(set, s.Name, value(s.Value))
		}
		put(n, "set", set)
	}
	if len(e.Events) > 0 {
		events := &yaml.Node{Kind: yaml.SequenceNode}
		for _, v := range e.Events {
			events.Content = append(events.Content, eventNode(v))
		}
		put(n, "events", events)
	}
	if len(e.Rules) > 0 {
		rules := &yaml.Node{Kind: yaml.SequenceNode}
		for _, v := range e.Rules {
			rules.Content = append(rules.Content, ruleNode(v))
		}
		put(n, "rules", rules)
	}
	return n
}

func ruleNode(v sim.Intervention) *yaml.Node {
	n, do := flow(mapping()), actionNode(v)
	putRamp(do, v)
	put(n, "when", word(v.When))
	put(n, "until", word(v.Until))
	put(n, "do", do)
	put(n, "from", value(v.TargetMonth))
	return n
}

// eventKeys are the keys of an event by those of the action of an intervention.
var eventKeys = map[string]string{"group": "pay"}

func eventNode(v sim.Intervention) *yaml.Node {
	n := actionNode(v)
	put(n, "from", value(v.TargetMonth))
	if v.DurationMonths > 0 {
		put(n, "for", value(v.DurationMonths))
	}
	putRamp(n, v)
	put(n, "when", word(v.When))
	return n
}

func putRamp(n *yaml.Node, v sim.Intervention) {
	if v.RampMonths > 0 {
		put(n, "ramp", value(v.RampMonths))
	}
}

// actionNode is what an intervention does, without its months.
func actionNode(v sim.Intervention) *yaml.Node {
	n, changes := flow(mapping()), flow(mapping())
	byName := func(a, b sim.ParameterChange) int { return strings.Compare(a.Name, b.Name) }
	v.Parameters = slices.SortedFunc(slices.Values(v.Parameters), byName)
	for name, x := range v.Action() {
		if v.Type == sim.TypeParameterChange {
			put(changes, name, value(x))
			continue
		}
		if to, ok := eventKeys[name]; ok {
			name = to
		}
		put(n, name, value(x))
	}
	if len(changes.Content) > 0 {
		put(n, "set", changes)
	}
	return n
}

func (q Inquiry) outcomesNode() *yaml.Node {
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, o := range q.Outcomes {
		n := flow(mapping())
		put(n, "metric", plain(o.Metric.String()))
		if len(o.Windows) == 1 {
			put(n, "window", o.Windows[0].node())
		}
		put(n, "expect", plain(map[int]string{-1: "lower", 0: "either", 1: "higher"}[o.Expect]))
		if o.Effect > 0 {
			put(n, "smallest_effect", plain(writtenEffect(o.Effect, o.Relative)))
		}
		list.Content = append(list.Content, n)
	}
	return list
}

func (d Design) node() *yaml.Node {
	n := flow(mapping())
	put(n, "months", value(d.Months))
	if d.Replications == Auto {
		put(n, "replications", plain("auto"))
		put(n, "half_width", value(d.HalfWidth))
		put(n, "max_replications", value(d.MaxReplications))
	} else {
		put(n, "replications", value(d.Replications))
	}
	put(n, "seed", plain(strconv.FormatUint(d.Seed, 10)))
	put(n, "burn_in", value(d.BurnIn))
	put(n, "family", plain(d.Family))
	put(n, "confidence", value(d.Confidence))
	return n
}

func mapping() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode} }

func flow(n *yaml.Node) *yaml.Node {
	n.Style = yaml.FlowStyle
	return n
}

// put adds an entry, unless its value is nil.
func put(mapping *yaml.Node, key string, value *yaml.Node) {
	if value != nil {
		mapping.Content = append(mapping.Content, word(key), value)
	}
}

func plain(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: s} }

// word is text that stays text, whatever it looks like; nil without any.
func word(s string) *yaml.Node { return scenario.Prose(s) }

func value(v any) *yaml.Node {
	if s, ok := v.(string); ok {
		if s == "" {
			return &yaml.Node{Kind: yaml.ScalarNode, Style: yaml.DoubleQuotedStyle}
		}
		return word(s)
	}
	return plain(text(v))
}

// text is the shortest form of a value that reads as the same.
func text(v any) string { return scenario.Text(v) }

// percent writes a share as percent.
func percent(x float64) string {
	s := strconv.FormatFloat(x*100, 'f', 10, 64)
	return strings.TrimRight(strings.TrimRight(s, "0"), ".") + "%"
}
