package scenario

import (
	"bytes"
	"slices"
	"strings"
	"time"
	"unicode"

	"gopkg.in/yaml.v3"

	"econ-mcp/sim"
)

// Encode writes the canonical file: all parameters but the technical ones,
// grouped by category, with their units as comments, what is planned, and bands.
func (s Scenario) Encode() []byte {
	return s.encode(func(row *sim.Parameter) bool { return !row.Technical })
}

// EncodeOnly writes a file that holds only the parameters that are named. The others must
// have their defaults, or they are lost.
func (s Scenario) EncodeOnly(names []string) []byte {
	return s.encode(func(row *sim.Parameter) bool { return slices.Contains(names, row.Name) })
}

// EncodeChanged writes only what differs from the defaults of this program: it reads as the same
// scenario as long as these are the same.
func (s Scenario) EncodeChanged() []byte {
	usual := sim.Defaults()
	return s.encode(func(row *sim.Parameter) bool { return !row.Technical && !row.Same(&s.Params, &usual) })
}

func (s Scenario) encode(holds func(*sim.Parameter) bool) []byte {
	root := &yaml.Node{Kind: yaml.MappingNode}
	add(root, "description", Prose(s.Description))
	add(root, "description_zh", Prose(s.DescriptionZH))
	add(root, "source", Prose(s.Source))
	if !s.CreatedAt.IsZero() {
		add(root, "created_at", plain(s.CreatedAt.UTC().Format(time.RFC3339)))
	}
	add(root, "parameters", parametersNode(s.Params, holds))
	add(root, "burn_in", s.burnInNode())
	add(root, "interventions", s.interventionsNode())
	add(root, "bands", s.bandsNode())

	var b bytes.Buffer
	encoder := yaml.NewEncoder(&b)
	encoder.SetIndent(2)
	if err := encoder.Encode(root); err != nil {
		panic(err) // a tree of plain scalars always encodes
	}
	return b.Bytes()
}

func parametersNode(p sim.Params, holds func(*sim.Parameter) bool) *yaml.Node {
	node := &yaml.Node{Kind: yaml.MappingNode}
	category := ""
	for k := range catalogue {
		row := &catalogue[k]
		if !holds(row) {
			continue
		}
		key, v := add(node, row.Name, value(row.Value(&p)))
		if row.Category != category {
			category = row.Category
			key.HeadComment = category
		}
		v.LineComment = row.Unit
		if row.Type == sim.TypeChoice {
			v.LineComment = strings.Join(row.Choices, ", ")
		}
	}
	return node
}

// burnInNode is nil where the default burn-in applies, and says what differs
// from it otherwise.
func (s Scenario) burnInNode() *yaml.Node {
	usual := defaultBurnIn(s.Params)
	if len(sim.Diff(usual, s.BurnIn)) == 0 {
		return nil
	}
	node := &yaml.Node{Kind: yaml.MappingNode}
	if len(sim.Diff(s.Params, s.BurnIn)) == 0 {
		add(node, "own", plain("true"))
		return node
	}
	parameters := &yaml.Node{Kind: yaml.MappingNode}
	for k := range catalogue {
		if row := &catalogue[k]; row.Live && !row.Same(&s.BurnIn, &usual) {
			_, node := add(parameters, row.Name, value(row.Value(&s.BurnIn)))
			node.LineComment = row.Unit
		}
	}
	add(node, "parameters", parameters)
	return node
}

// add puts an entry into a mapping, unless its value is nil.
func add(mapping *yaml.Node, key string, value *yaml.Node) (k, v *yaml.Node) {
	k = plain(key)
	if value == nil {
		return k, nil
	}
	mapping.Content = append(mapping.Content, k, value)
	return k, value
}

func plain(s string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: s} }

// value is a parameter's value; text that YAML would not read as such is quoted.
func value(v any) *yaml.Node {
	if s, ok := v.(string); ok {
		return Prose(s)
	}
	return plain(Text(v))
}

// Prose is text that stays text, whatever it looks like, and nil without any. Only tame lines become
// a block, in which yaml.v3 loses leading blanks.
func Prose(s string) *yaml.Node {
	if s == "" {
		return nil
	}
	node := plain("")
	node.SetString(s)
	if node.Style == yaml.LiteralStyle && !tame(s) {
		node.Style = yaml.DoubleQuotedStyle
	}
	return node
}

// tame text has letters, no blanks around it or its lines, but for a last newline, and
// no control characters.
func tame(s string) bool {
	s = strings.TrimSuffix(s, "\n")
	if s == "" || strings.TrimSpace(s) != s {
		return false
	}
	for line := range strings.SplitSeq(s, "\n") {
		if strings.TrimSpace(line) != line || strings.ContainsFunc(line, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return false
		}
	}
	return true
}
