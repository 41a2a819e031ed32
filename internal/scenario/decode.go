package scenario

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/sim"
)

const maxBytes = 1 << 20

// Decode reads a scenario file. Every error is a [*fault.Error] that says in
// which line and column.
func Decode(name string, data []byte) (Scenario, error) {
	s, _, err := Overlay(New("", sim.Defaults()), name, data)
	return s, err
}

// Overlay reads a scenario file as a change of a scenario: what the file names replaces
// what base has, interventions come after those of base, and words are the file's. It
// also returns the names under parameters, in the file's order. Errors are those of
// [Decode]; base is left as it was.
func Overlay(base Scenario, name string, data []byte) (s Scenario, named []string, err error) {
	root, err := parse(data)
	if err != nil {
		return Scenario{}, nil, err
	}
	s = Scenario{Name: name, Params: base.Params, Bands: base.Bands}
	var parameters, burnIn, interventions *yaml.Node
	entries, err := mapping(root, "the file")
	if err != nil {
		return Scenario{}, nil, err
	}
	for _, e := range entries {
		switch e.key.Value {
		case "description":
			s.Description, err = sentence(e)
		case "description_zh":
			s.DescriptionZH, err = sentence(e)
		case "source":
			s.Source, err = sentence(e)
		case "created_at":
			s.CreatedAt, err = moment(e)
		case "parameters":
			parameters = e.value
		case "burn_in":
			burnIn = e.value
		case "interventions":
			interventions = e.value
		case "bands":
			s.Bands, err = decodeBands(e.value)
		default:
			err = unknownKey(e.key)
		}
		if err != nil {
			return Scenario{}, nil, err
		}
	}

	if err := decodeParameters(parameters, "parameters", &s.Params, anyParameter); err != nil {
		return Scenario{}, nil, err
	}
	if err := s.Params.Validate(); err != nil {
		return Scenario{}, nil, at(err, cmp.Or(parameters, root))
	}
	if s.BurnIn, err = decodeBurnIn(burnIn, s.Params, base.BurnIn); err != nil {
		return Scenario{}, nil, err
	}
	list, err := decodeInterventions(interventions)
	if err != nil {
		return Scenario{}, nil, err
	}
	s.Interventions = slices.Concat(base.Interventions, list)
	if n := len(s.Interventions); n > sim.MaxInterventions {
		return Scenario{}, nil, at(fault.New(fault.LimitExceeded, "interventions", "%d interventions with those planned before; at most %d are allowed", n, sim.MaxInterventions), interventions)
	}
	return s, keysOf(parameters), nil
}

// keysOf lists the names in a mapping.
func keysOf(node *yaml.Node) (names []string) {
	if !isNull(node) {
		for i := 0; i+1 < len(node.Content); i += 2 {
			names = append(names, node.Content[i].Value)
		}
	}
	return names
}

// moment reads a time as RFC 3339 writes it.
func moment(e entry) (time.Time, error) {
	when, err := time.Parse(time.RFC3339, e.value.Value)
	if err != nil || e.value.Kind != yaml.ScalarNode {
		return time.Time{}, at(fault.Type(e.key.Value, kindOf(e.value), "time, such as 2026-05-01T10:00:00Z"), e.value)
	}
	return when.UTC(), nil
}

// parse reads exactly one YAML document that is a mapping.
func parse(data []byte) (*yaml.Node, error) {
	if len(data) > maxBytes {
		return nil, fault.New(fault.LimitExceeded, "", "the file has %d bytes, at most %d are read", len(data), maxBytes)
	}
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	switch err := decoder.Decode(&document); {
	case errors.Is(err, io.EOF):
		return nil, emptyFile()
	case err != nil:
		return nil, syntaxError(data, err)
	}
	switch err := decoder.Decode(&second); {
	case err == nil:
		return nil, at(fault.New(fault.WrongType, "", "a second document starts"), &second)
	case !errors.Is(err, io.EOF):
		return nil, syntaxError(data, err)
	}
	root := document.Content[0]
	if isNull(root) {
		return nil, emptyFile()
	}
	return root, nil
}

func emptyFile() *fault.Error {
	e := fault.New(fault.WrongType, "", "the file is empty (line 1, column 1)")
	e.Hint = "write at least parameters: {}"
	return e
}

type entry struct{ key, value *yaml.Node }

// mapping lists the entries of a mapping. Keys are plain words, each once.
func mapping(node *yaml.Node, what string) ([]entry, error) {
	if node.Kind != yaml.MappingNode {
		e := fault.New(fault.WrongType, what, "%s is %s", what, kindOf(node))
		e.Hint = "must be a mapping such as {name: value}"
		return nil, at(e, node)
	}
	var entries []entry
	first := map[string]int{}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind != yaml.ScalarNode {
			return nil, at(fault.New(fault.WrongType, what, "a key of %s is %s", what, kindOf(key)), key)
		}
		if line, ok := first[key.Value]; ok {
			e := fault.New(fault.Conflict, abbreviated(key.Value), "%q stands twice", abbreviated(key.Value))
			e.Hint = "the first is in line " + strconv.Itoa(line)
			return nil, at(e, key)
		}
		first[key.Value] = key.Line
		entries = append(entries, entry{key, value})
	}
	return entries, nil
}

func unknownKey(key *yaml.Node) error {
	keys := []string{"description", "description_zh", "source", "created_at", "parameters", "burn_in", "interventions", "bands"}
	e := fault.Unknown(fault.UnknownParameter, key.Value, keys)
	if _, err := sim.Lookup(key.Value); err == nil {
		e.Hint = "write it under parameters"
		e.Allowed = keys
	}
	return at(e, key)
}

// sentence reads a free text; a missing one is empty.
func sentence(e entry) (string, error) {
	if isNull(e.value) {
		return "", nil
	}
	if e.value.Kind != yaml.ScalarNode || e.value.ShortTag() != "!!str" {
		return "", at(fault.Type(e.key.Value, kindOf(e.value), "text (put it in quotes)"), e.value)
	}
	return e.value.Value, nil
}

func anyParameter(sim.Parameter) error { return nil }

func liveParameter(row sim.Parameter) error {
	if row.Live {
		return nil
	}
	e := fault.New(fault.Conflict, row.Name, "%s cannot change between burn-in and experiment", row.Name)
	e.Hint = "set it under parameters, for both"
	return e
}

// decodeParameters sets the parameters that a mapping names, each of which must
// be allowed.
func decodeParameters(node *yaml.Node, what string, p *sim.Params, allowed func(sim.Parameter) error) error {
	if isNull(node) {
		return nil
	}
	entries, err := mapping(node, what)
	if err != nil {
		return err
	}
	for _, e := range entries {
		row, err := sim.Lookup(e.key.Value)
		if err != nil {
			return at(err, e.key)
		}
		if err := allowed(row); err != nil {
			return at(err, e.key)
		}
		v, err := scalar(e.value, row)
		if err != nil {
			return at(err, e.value)
		}
		if err := p.Set(row.Name, v); err != nil {
			return at(err, e.value)
		}
	}
	return nil
}

// scalar reads a value as YAML types it: a quoted number is text.
func scalar(node *yaml.Node, row sim.Parameter) (any, error) {
	wrongType := fault.Type(row.Name, kindOf(node), string(row.Type))
	if node.Kind == yaml.MappingNode && row.Type == sim.TypeSchedule {
		return rates(node, row)
	}
	if node.Kind != yaml.ScalarNode {
		return nil, wrongType
	}
	tag := node.ShortTag()
	switch {
	case tag == "!!str" && (row.Type == sim.TypeChoice || row.Type == sim.TypeSchedule):
		return node.Value, nil
	case tag == "!!int" || tag == "!!float" || tag == "!!bool":
		var v any
		if err := node.Decode(&v); err != nil {
			return nil, wrongType
		}
		return v, nil
	}
	return nil, wrongType
}

// rates reads a schedule that is written as a mapping.
func rates(node *yaml.Node, row sim.Parameter) (any, error) {
	entries, err := mapping(node, row.Name)
	if err != nil {
		return nil, err
	}
	var pairs []string
	for _, e := range entries {
		if tag := e.value.ShortTag(); e.value.Kind != yaml.ScalarNode || tag != "!!int" && tag != "!!float" {
			return nil, fault.Type(row.Name, kindOf(e.value), "number")
		}
		pairs = append(pairs, e.key.Value+": "+e.value.Value)
	}
	return strings.Join(pairs, ", "), nil
}

// decodeBurnIn starts from the live parameters of base; those that are not live are the
// experiment's own.
func decodeBurnIn(node *yaml.Node, own, base sim.Params) (sim.Params, error) {
	p := burnInOf(own, base)
	if isNull(node) {
		return p, nil
	}
	entries, err := mapping(node, "burn_in")
	if err != nil {
		return p, err
	}
	var parameters *yaml.Node
	for _, e := range entries {
		switch e.key.Value {
		case "own":
			if e.value.Kind != yaml.ScalarNode || e.value.ShortTag() != "!!bool" {
				return p, at(fault.Type("own", kindOf(e.value), "boolean"), e.value)
			}
			if strings.EqualFold(e.value.Value, "true") {
				p = own
			}
		case "parameters":
			parameters = e.value
		default:
			return p, at(fault.Unknown(fault.UnknownParameter, e.key.Value, []string{"own", "parameters"}), e.key)
		}
	}
	if parameters != nil && len(entries) > 1 {
		e := fault.New(fault.Conflict, "burn_in", "burn_in has both own and parameters")
		e.Hint = "keep one of them"
		return p, at(e, node)
	}
	if err := decodeParameters(parameters, "parameters", &p, liveParameter); err != nil {
		return p, err
	}
	if err := p.Validate(); err != nil {
		return p, at(err, node)
	}
	return p, nil
}

func isNull(node *yaml.Node) bool {
	return node == nil || node.Kind == yaml.ScalarNode && node.ShortTag() == "!!null"
}

// kindOf describes a node in an error: a scalar by its text.
func kindOf(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	case yaml.AliasNode:
		return "an alias"
	}
	switch node.ShortTag() {
	case "!!str":
		return strconv.Quote(abbreviated(node.Value))
	case "!!null":
		return "nothing"
	}
	return abbreviated(node.Value)
}

// abbreviated keeps a text of a megabyte out of the messages.
func abbreviated(text string) string {
	const most = 80
	if r := []rune(text); len(r) > most {
		return string(r[:most]) + "…"
	}
	return text
}

// at adds the position of a node to an error's message.
func at(err error, node *yaml.Node) error {
	e, ok := errors.AsType[*fault.Error](err)
	if !ok {
		return err
	}
	placed := *e
	placed.Message += " (line " + strconv.Itoa(node.Line) + ", column " + strconv.Itoa(node.Column) + ")"
	return &placed
}

var yamlLine = regexp.MustCompile(`^line (\d+): `)

// syntaxError turns the parser's message into ours. The parser leaves out the
// first line's number, and blames a tab on whatever comes next.
func syntaxError(data []byte, err error) error {
	for i, line := range strings.Split(string(data), "\n") {
		indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
		if tab := strings.IndexByte(indent, '\t'); tab >= 0 && len(indent) < len(line) {
			e := fault.New(fault.WrongType, "", "the indentation holds a tab (line %d, column %d)", i+1, tab+1)
			e.Hint = "indent with spaces"
			return e
		}
	}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := "1"
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		line, message = m[1], strings.TrimPrefix(message, m[0])
	}
	e := fault.New(fault.WrongType, "", "not valid YAML near line %s: %s", line, message)
	e.Hint = "check indentation, colons and quotes there"
	return e
}
