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
	var parameters, burnIn, interventions, bands *yaml.Node
	err = decodeFields(root, "the file", []field{
		{"description", &s.Description}, {"description_zh", &s.DescriptionZH}, {"source", &s.Source}, {"created_at", &s.CreatedAt},
		{"parameters", &parameters}, {"burn_in", &burnIn}, {"interventions", &interventions}, {"bands", &bands},
	})
	if err != nil {
		return Scenario{}, nil, err
	}
	if bands != nil {
		if s.Bands, err = decodeBands(bands); err != nil {
			return Scenario{}, nil, err
		}
	}
	if err := decodeParameters(parameters, &s.Params, false); err != nil {
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
		return Scenario{}, nil, at(
			fault.New(fault.LimitExceeded, "interventions", "%d interventions; at most %d are allowed", n, sim.MaxInterventions).
				WithHint("leave some out"), interventions)
	}
	return s, keysOf(parameters), nil
}

// keysOf lists the names in a mapping.
func keysOf(node *yaml.Node) (names []string) {
	if !isNull(node) {
		for pair := range slices.Chunk(node.Content, 2) {
			names = append(names, pair[0].Value)
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
	return fault.New(fault.WrongType, "", "the file is empty (line 1, column 1)").WithHint("write at least parameters: {}")
}

type entry struct{ key, value *yaml.Node }

// mapping lists the entries of a mapping. Keys are plain words, each once.
func mapping(node *yaml.Node, what string) ([]entry, error) {
	if node.Kind != yaml.MappingNode {
		return nil, at(fault.New(fault.WrongType, what, "%s is %s", what, kindOf(node)).WithHint("must be a mapping such as {name: value}"), node)
	}
	var entries []entry
	first := map[string]int{}
	for pair := range slices.Chunk(node.Content, 2) {
		key, value := pair[0], pair[1]
		if key.Kind != yaml.ScalarNode {
			return nil, at(fault.New(fault.WrongType, what, "a key of %s is %s", what, kindOf(key)), key)
		}
		if line, ok := first[key.Value]; ok {
			return nil, at(fault.New(fault.Conflict, abbreviated(key.Value), "key %q is given twice", abbreviated(key.Value)).
				WithHint("the first is in line "+strconv.Itoa(line)), key)
		}
		first[key.Value] = key.Line
		entries = append(entries, entry{key, value})
	}
	return entries, nil
}

// field is a key of a mapping and where its value goes: a *string, *float64, *int, *bool,
// *time.Time or, unread, a **yaml.Node.
type field struct {
	key  string
	into any
}

// decodeFields reads a mapping, in which the required keys must stand.
func decodeFields(node *yaml.Node, what string, fields []field, required ...string) error {
	entries, err := mapping(node, what)
	if err != nil {
		return err
	}
	for _, e := range entries {
		i := slices.IndexFunc(fields, func(f field) bool { return f.key == e.key.Value })
		if i < 0 {
			return unknownKey(e.key, fields)
		}
		if err := e.decode(fields[i].into); err != nil {
			return err
		}
	}
	for _, name := range required {
		if !slices.Contains(keysOf(node), name) {
			return at(fault.Missing(name, "needed are "+strings.Join(required, ", ")), node)
		}
	}
	return nil
}

func unknownKey(key *yaml.Node, fields []field) error {
	var keys []string
	for _, f := range fields {
		keys = append(keys, f.key)
	}
	e := fault.Unknown(fault.UnknownParameter, "key", key.Value, keys)
	if _, err := sim.Lookup(key.Value); err == nil && slices.Contains(keys, "parameters") {
		e.Hint = "write it under parameters"
		e.Allowed = keys
	}
	return at(e, key)
}

// decode reads the value into one of the types of a [field].
func (e entry) decode(into any) (err error) {
	switch to := into.(type) {
	case *string:
		*to, err = sentence(e)
	case *time.Time:
		*to, err = moment(e)
	case *float64:
		err = e.plain(to, "number", "!!int", "!!float")
	case *int:
		err = e.plain(to, "integer", "!!int")
	case *bool:
		err = e.plain(to, "boolean", "!!bool")
	case **yaml.Node:
		*to = e.value
	}
	return err
}

// plain reads a scalar that YAML types as one of the tags say.
func (e entry) plain(into any, what string, tags ...string) error {
	if e.value.Kind != yaml.ScalarNode || !slices.Contains(tags, e.value.ShortTag()) || e.value.Decode(into) != nil {
		return at(fault.Type(e.key.Value, kindOf(e.value), what), e.value)
	}
	return nil
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

// decodeParameters sets the parameters that a mapping names, which must be live where that is
// asked for.
func decodeParameters(node *yaml.Node, p *sim.Params, live bool) error {
	if isNull(node) {
		return nil
	}
	return eachParameter(node, live, p.Set)
}

// eachParameter calls f with the names and values of parameters in a mapping.
func eachParameter(node *yaml.Node, live bool, f func(name string, value any) error) error {
	entries, err := mapping(node, "parameters")
	if err != nil {
		return err
	}
	for _, e := range entries {
		row, err := sim.Lookup(e.key.Value)
		if err == nil && live && !row.Live {
			err = fault.New(fault.Conflict, row.Name, "%s cannot change between burn-in and experiment", row.Name).
				WithHint("set it under parameters, for both")
		}
		if err != nil {
			return at(err, e.key)
		}
		v, err := scalar(e.value, row)
		if err == nil {
			err = f(row.Name, v)
		}
		if err != nil {
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
	var useOwn bool
	var parameters *yaml.Node
	if err := decodeFields(node, "burn_in", []field{{"own", &useOwn}, {"parameters", &parameters}}); err != nil {
		return p, err
	}
	if len(keysOf(node)) > 1 {
		return p, at(fault.New(fault.Conflict, "burn_in", "burn_in has both own and parameters").WithHint("keep one of them"), node)
	}
	if useOwn {
		p = own
	}
	if err := decodeParameters(parameters, &p, true); err != nil {
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
func abbreviated(text string) string { return fault.Shorten(text, 80) }

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
			return fault.New(fault.WrongType, "", "the indentation holds a tab (line %d, column %d)", i+1, tab+1).WithHint("indent with spaces")
		}
	}
	message := strings.TrimPrefix(err.Error(), "yaml: ")
	line := "1"
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		line, message = m[1], strings.TrimPrefix(message, m[0])
	}
	return fault.New(fault.WrongType, "", "not valid YAML near line %s: %s", line, message).
		WithHint("check indentation, colons and quotes there")
}
