package quarterly

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/expr-lang/expr"
	"github.com/expr-lang/expr/vm"
	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/strict"
)

// Mapping says which columns of a file are which variables.
type Mapping struct {
	Quarter string               // the column that says when; "quarter" if not given
	HeldOut []Variable           // not looked at while a model is estimated
	Samples []Span               // spans of quarters that are looked at; none = all that there are
	columns [NumVariables]column // how each variable comes from columns
}

// Span is from a quarter to a later one, both included.
type Span struct{ First, Last Quarter }

// String writes a span as 1959Q1-2014Q4.
func (s Span) String() string { return s.First.String() + "-" + s.Last.String() }

// column is an expression over columns, such as "UNRATE / 100".
type column struct {
	text string
	node *yaml.Node // where it stands
}

// ReadMapping reads a mapping:
//
//	quarter: quarter
//	columns: {output: GDPC1, unemployment: UNRATE / 100}
//	held_out: [exports]
//	samples: [1959Q1-2014Q4]
//
// An unknown key or variable is refused with line and column.
func ReadMapping(text []byte) (*Mapping, error) {
	root, err := strict.Parse(text, "columns: {output: COLUMN}")
	if err != nil {
		return nil, err
	}
	m := &Mapping{Quarter: "quarter"}
	list := func(each func(node *yaml.Node) error) func(*yaml.Node) error {
		return func(node *yaml.Node) error {
			if node.Kind != yaml.SequenceNode {
				return fault.Type("", strict.KindOf(node), "a list")
			}
			for _, of := range node.Content {
				if err := each(of); err != nil {
					return strict.At(err, of)
				}
			}
			return nil
		}
	}
	err = strict.Fields{
		"quarter": &m.Quarter,
		"columns": func(node *yaml.Node) error {
			entries, err := strict.Mapping(node, "columns")
			if err != nil {
				return err
			}
			for _, e := range entries {
				v, err := variable(e.Key.Value)
				if err != nil {
					return strict.At(err, e.Key)
				}
				m.columns[v] = column{e.Value.Value, e.Value}
			}
			return nil
		},
		"held_out": list(func(node *yaml.Node) error {
			v, err := variable(node.Value)
			m.HeldOut = append(m.HeldOut, v)
			return err
		}),
		"samples": list(func(node *yaml.Node) error {
			from, to, _ := strings.Cut(node.Value, "-")
			first, ok := ParseQuarter(from)
			last, too := ParseQuarter(to)
			if !ok || !too || last < first {
				return fault.Range("samples", node.Value, "1959Q1-2014Q4")
			}
			m.Samples = append(m.Samples, Span{first, last})
			return nil
		}),
	}.Read(root, "mapping", "columns")
	return m, err
}

// variable is one by its name; an unknown name is [fault.NotFound] with the nearest.
func variable(name string) (Variable, error) {
	if i := slices.Index(VariableNames(), name); i >= 0 {
		return Variable(i), nil
	}
	return 0, fault.Unknown(fault.NotFound, "variable", name, VariableNames())
}

// table is a file of quarters.
type table struct {
	first   Quarter
	columns map[string][]float64 // NaN where a cell is empty
	lines   []int                // of each quarter
}

// Read reads the quarters of a CSV file with a header. Without a mapping its columns have the names of variables.
// A column that is missing, a quarter that does not follow the one before, a cell that is no number or empty
// between others, and a value that its unit cannot have are refused with the line.
func Read(file io.Reader, m *Mapping) (*Data, error) {
	of := m
	if of == nil {
		of = &Mapping{Quarter: "quarter"}
	}
	t, err := readTable(file, of.Quarter)
	if err != nil {
		return nil, err
	}
	d := &Data{First: t.first}
	for v := range NumVariables {
		c := of.columns[v]
		if _, has := t.columns[v.String()]; m == nil && has {
			c.text = v.String()
		}
		if c.text == "" {
			continue
		}
		program, err := t.compile(v, c.text)
		if err != nil {
			if c.node != nil {
				err = strict.At(err, c.node)
			}
			return nil, err
		}
		if d.Values[v], err = t.evaluate(v, c.text, program); err != nil {
			return nil, err
		}
	}
	if d.Values[Output] == nil {
		return nil, fault.Missing("columns.output", "say which column is real gross domestic product, such as columns: {output: GDPC1}")
	}
	return d, nil
}

func readTable(file io.Reader, when string) (*table, error) {
	reader := csv.NewReader(file)
	reader.TrimLeadingSpace = true
	header, err := reader.Read()
	if err != nil {
		return nil, unreadable(err)
	}
	header = slices.Clone(header)
	header[0] = strings.TrimPrefix(header[0], "\ufeff") // as spreadsheets write it
	for k, name := range header {
		if first := slices.Index(header, name); first < k {
			return nil, fault.New(fault.WrongType, name, "line 1: columns %d and %d are both called %q", first+1, k+1, name).
				WithHint("give each column a name of its own")
		}
	}
	at := slices.Index(header, when)
	if at < 0 {
		return nil, fault.Unknown(fault.NotFound, "column", when, header)
	}
	t := &table{columns: map[string][]float64{}}
	for {
		row, err := reader.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, unreadable(err)
		}
		line, _ := reader.FieldPos(at)
		q, ok := ParseQuarter(row[at])
		next := t.first + Quarter(len(t.lines))
		switch {
		case !ok:
			return nil, fault.New(fault.WrongType, when, "line %d: %q is no quarter", line, row[at]).
				WithHint("write 1959Q1, or the first day of a quarter such as 1959-01-01; months and years are not read")
		case len(t.lines) == 0:
			t.first = q
		case q != next:
			return nil, fault.New(fault.OutOfRange, when, "line %d: %s stands where %s should follow", line, q, next).
				WithHint("a row a quarter, in order, none left out")
		}
		t.lines = append(t.lines, line)
		for k, cell := range row {
			x := math.NaN()
			if text := strings.TrimSpace(cell); k != at && !slices.Contains([]string{"", ".", "NA", "NaN"}, text) {
				if x, err = strconv.ParseFloat(text, 64); err != nil {
					line, place := reader.FieldPos(k)
					return nil, fault.New(fault.WrongType, header[k], "line %d, column %d: %q is no number", line, place, text).
						WithHint("write 3352.129, or leave the cell empty")
				}
			}
			t.columns[header[k]] = append(t.columns[header[k]], x)
		}
	}
	delete(t.columns, when)
	if len(t.lines) == 0 {
		return nil, fault.New(fault.WrongType, "", "the file has no quarters").WithHint("write a header and a row a quarter")
	}
	return t, nil
}

func unreadable(err error) error {
	return fault.New(fault.WrongType, "", "the file is no CSV: %v", err).WithHint("write a header and a row a quarter, parted by commas")
}

// compile reads an expression over columns.
func (t *table) compile(v Variable, text string) (*vm.Program, error) {
	env := map[string]any{}
	for name := range t.columns {
		env[name] = 0.
	}
	program, err := expr.Compile(text, expr.Env(env), expr.AsFloat64(), expr.DisableAllBuiltins())
	if err != nil {
		return nil, t.unknown(v, text, err)
	}
	return program, nil
}

// evaluate is an expression in each quarter.
func (t *table) evaluate(v Variable, text string, program *vm.Program) ([]float64, error) {
	x, env := make([]float64, len(t.lines)), map[string]any{}
	var machine vm.VM
	for i := range x {
		for name, values := range t.columns {
			env[name] = values[i]
		}
		value, err := machine.Run(program, env)
		if err != nil {
			return nil, fault.New(fault.WrongType, "columns."+v.String(), "%q: %v", text, err)
		}
		x[i] = value.(float64)
	}
	return x, t.possible(v, text, x)
}

// unknown says which column an expression names in vain, or what else is wrong with it.
func (t *table) unknown(v Variable, text string, err error) error {
	var names []string
	for name := range t.columns {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("+-*/() ", r) }) {
		if _, err := strconv.ParseFloat(word, 64); err != nil && !slices.Contains(names, word) {
			return fault.Unknown(fault.NotFound, "column", word, names)
		}
	}
	line, _, _ := strings.Cut(err.Error(), "\n")
	return fault.New(fault.WrongType, "columns."+v.String(), "%q is no expression over columns: %s", text, line).
		WithHint("write such as UNRATE / 100")
}

// possible refuses values that a variable cannot have, and quarters without one between others.
func (t *table) possible(v Variable, text string, x []float64) error {
	from, to := inside(x)
	if from == to {
		return fault.New(fault.WrongType, "columns."+v.String(), "%s has no values", text).WithHint("leave it out")
	}
	k := kinds[v]
	for i := from; i < to; i++ {
		switch {
		case math.IsNaN(x[i]):
			return fault.New(fault.OutOfRange, "columns."+v.String(), "line %d: %s has no value in %s, and has some before and after", t.lines[i],
				text, t.first+Quarter(i)).WithHint("fill the gap, or begin the file behind it")
		case x[i] < k.low || x[i] > k.high || k.high == volume && x[i] <= 0:
			e := fault.New(fault.OutOfRange, "columns."+v.String(), "line %d: %s is %g in %s", t.lines[i], text, x[i], t.first+Quarter(i))
			if k.high == volume {
				return e.WithHint("a volume or index is above 0")
			}
			return e.WithHint("it is a share, between " + strconv.FormatFloat(k.low, 'g', -1, 64) + " and " +
				strconv.FormatFloat(k.high, 'g', -1, 64) + ": divide percent by 100")
		}
	}
	return nil
}
