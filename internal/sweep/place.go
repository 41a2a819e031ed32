package sweep

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/inquiry"
	"econ-mcp/internal/strict"
	"econ-mcp/sim"
)

// The numbers of an inquiry are found by where they stand in its canonical text, so that whatever the inquiry reads can vary, and
// whatever it refuses is refused.

var step = regexp.MustCompile(`^([^\[\]]+)(?:\[([0-9]{1,4})\])?$`)

// mayBeMissing are what may be written where the text has none: settings of an economy, and times of an event whose defaults are left out.
var mayBeMissing = []string{"from", "for", "ramp", "persistence"}

// counts are the places that take whole numbers, beside integer parameters.
var counts = []string{"from", "for", "ramp", "burn_in"}

// numberAt reads a value of a factor as the inquiry reads it at its place.
func (d *Design) numberAt(name string, written *yaml.Node) (x float64, whole bool, err error) {
	if written.Kind != yaml.ScalarNode {
		return 0, false, strict.At(fault.Type(name, strict.KindOf(written), "number"), written)
	}
	q, err := d.with(name, written.Value)
	if err != nil {
		return 0, false, strict.At(err, written)
	}
	node, err := at(parsed(q.Encode()), placeOf(name), false)
	if err != nil {
		return 0, false, strict.At(err, written)
	}
	if x, err = strconv.ParseFloat(node.Value, 64); err != nil {
		return 0, false, strict.At(fault.Type(name, strict.KindOf(node), "number"), written)
	}
	last := placeOf(name)[strings.LastIndexByte(placeOf(name), '.')+1:]
	row, err := sim.Lookup(last)
	return x, slices.Contains(counts, last) || err == nil && row.Type == sim.TypeInteger, nil
}

// with is the inquiry with a text in the place of one number.
func (d *Design) with(name, text string) (inquiry.Inquiry, error) {
	root := parsed(d.text)
	if err := put(root, name, text); err != nil {
		return inquiry.Inquiry{}, err
	}
	return decoded(root, name)
}

// Point is the inquiry with these values of the factors.
func (d *Design) Point(values []float64) (inquiry.Inquiry, error) {
	root := parsed(d.text)
	var said []string
	for k, f := range d.Factors {
		text := strconv.FormatFloat(values[k], 'g', -1, 64)
		if err := put(root, f.Name, text); err != nil {
			return inquiry.Inquiry{}, err
		}
		said = append(said, f.Name+" = "+text)
	}
	return decoded(root, strings.Join(said, ", "))
}

func decoded(root *yaml.Node, what string) (inquiry.Inquiry, error) {
	text, err := yaml.Marshal(root)
	if err != nil {
		return inquiry.Inquiry{}, err
	}
	q, err := inquiry.Decode(text)
	return q, fault.In(what, withoutPosition(err)) // which is one of the canonical text, which nobody sees
}

// withoutPosition is an error without the line and column at its end.
func withoutPosition(err error) error {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		elsewhere := *e
		elsewhere.Message = position.ReplaceAllString(e.Message, "")
		return &elsewhere
	}
	return err
}

// prefixed is an error whose message begins with where it is.
func prefixed(where string, err error) error {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		placed := *e
		placed.Message = where + e.Message
		return &placed
	}
	return err
}

var position = regexp.MustCompile(` \(line \d+, column \d+\)$`)

// within is the text of a member of a document, with blanks in the place of all else: what is wrong in it is told with its place in the
// document.
func within(data []byte, root, member *yaml.Node) []byte {
	end := math.MaxInt
	for pair := range slices.Chunk(root.Content, 2) {
		if line := pair[0].Line; line > member.Line {
			end = min(end, line)
		}
	}
	var text strings.Builder
	number := 0
	for line := range strings.Lines(string(data)) {
		number++
		switch {
		case number < member.Line:
			line = "\n"
		case number == member.Line:
			letters := []rune(line)
			line = strings.Repeat(" ", member.Column-1) + string(letters[member.Column-1:])
		case number >= end:
			line = "\n"
		}
		text.WriteString(line)
	}
	return []byte(text.String())
}

func parsed(text []byte) *yaml.Node {
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		panic(err) // our own canonical text
	}
	return root.Content[0]
}

func put(root *yaml.Node, name, text string) error {
	node, err := at(root, placeOf(name), true)
	if err != nil {
		return err
	}
	*node = yaml.Node{Kind: yaml.ScalarNode, Value: text}
	return nil
}

// at finds a scalar by its path; where make is set, settings and times that are left out are made.
func at(root *yaml.Node, path string, make bool) (*yaml.Node, error) {
	node, steps := root, strings.Split(path, ".")
	for k, s := range steps {
		m := step.FindStringSubmatch(s)
		if m == nil {
			return nil, noPlace(path, steps[:k], node)
		}
		next := child(node, m[1])
		if next == nil && make && node.Kind == yaml.MappingNode && (k < len(steps)-1 && slices.Contains([]string{"background", "set"}, m[1]) ||
			k > 0 && steps[k-1] == "set" || k == len(steps)-1 && slices.Contains(mayBeMissing, m[1])) {
			next = &yaml.Node{Kind: yaml.MappingNode}
			node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: m[1]}, next)
		}
		if next == nil {
			return nil, noPlace(path, steps[:k], node)
		}
		if node = next; m[2] != "" {
			i, _ := strconv.Atoi(m[2])
			if node.Kind != yaml.SequenceNode || i >= len(node.Content) {
				return nil, noPlace(path, steps[:k+1], node)
			}
			node = node.Content[i]
		}
	}
	if node.Kind == yaml.SequenceNode || node.Kind == yaml.MappingNode && len(node.Content) > 0 {
		return nil, noPlace(path, steps, node)
	}
	return node, nil
}

// child is the value under a key; nil = there is none.
func child(node *yaml.Node, key string) *yaml.Node {
	if node.Kind != yaml.MappingNode {
		return nil
	}
	for pair := range slices.Chunk(node.Content, 2) {
		if pair[0].Value == key {
			return pair[1]
		}
	}
	return nil
}

// noPlace says where a path ends.
func noPlace(path string, found []string, node *yaml.Node) error {
	e := fault.New(fault.NotFound, path, "%s leads to no number of the inquiry", path)
	where := "the inquiry"
	if len(found) > 0 {
		where = strings.Join(found, ".")
	}
	switch {
	case node.Kind == yaml.MappingNode:
		return e.WithHint(fmt.Sprintf("%s has %s", where, strings.Join(strict.Keys(node), ", ")))
	case node.Kind == yaml.SequenceNode:
		return e.WithHint(fmt.Sprintf("%s is a list of %d, counted from 0", where, len(node.Content)))
	}
	return e.WithHint("name a parameter, or a place such as arms.NAME.events[0].amount")
}
