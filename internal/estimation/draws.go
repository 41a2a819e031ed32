package estimation

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/scenario"
	"econ-mcp/sim"
)

// Draws are sets of parameters of a posterior, read from a file.
type Draws struct {
	Scenario string // name of that in which they were estimated: a preset, config or file
	Names    []string
	Values   [][]float64

	known []sim.Parameter // by name
}

// ReadDraws reads what [Posterior.WriteCSV] or [Posterior.WriteParquet] writes, of the file that field names. Draws of another version or
// none, columns that are no parameters, and values out of range are refused with the line.
func ReadDraws(field string, data []byte) (*Draws, error) {
	if isParquet(data) {
		return readParquet(field, data)
	}
	text := bufio.NewReader(bytes.NewReader(data))
	head, err := text.ReadString('\n')
	if err != nil && err != io.EOF {
		return nil, err
	}
	d, err := newDraws(field, head)
	if err != nil {
		return nil, err
	}
	rows := csv.NewReader(text)
	rows.Comment = '#'
	names, err := rows.Read()
	if err != nil {
		return nil, fault.New(fault.WrongType, field, "the file has no row of names").WithHint("the second line names the parameters")
	}
	if err := d.columns(field, names); err != nil {
		return nil, err
	}
	for {
		cells, err := rows.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			var broken *csv.ParseError
			if errors.As(err, &broken) {
				return nil, fault.New(fault.WrongType, field, "line %d: %v", broken.Line+1, broken.Err)
			}
			return nil, err
		}
		line, _ := rows.FieldPos(0)
		where := fmt.Sprintf("line %d", line+1)
		values := make([]float64, len(cells))
		for k, cell := range cells {
			x, err := strconv.ParseFloat(cell, 64)
			if err != nil {
				return nil, fault.Type(fmt.Sprintf("%s (%s)", d.Names[k], where), fmt.Sprintf("%.40q", cell), "number")
			}
			values[k] = x
		}
		if err := d.add(where, values); err != nil {
			return nil, err
		}
	}
	return d, d.check(field)
}

// newDraws are draws of which the first line of a file tells model and scenario.
func newDraws(field, head string) (*Draws, error) {
	rest, ok := strings.CutPrefix(head, drawsMark)
	if !ok {
		return nil, fault.New(fault.WrongType, field, "the file does not begin with %q: of which model its draws are is not known", drawsMark).
			WithHint("take a file that econ-mcp estimate posterior --draws wrote, with its first line")
	}
	d, model := &Draws{}, ""
	for _, part := range strings.Split(rest, ";") {
		part = strings.TrimSpace(part)
		if of, ok := strings.CutPrefix(part, "model "); ok {
			model = of
		}
		if name, ok := strings.CutPrefix(part, "scenario "); ok && !strings.HasPrefix(name, "hash ") {
			d.Scenario = name
		}
	}
	if model == "" || d.Scenario == "" {
		return nil, fault.New(fault.WrongType, field, "the first line does not say of which model and scenario the draws are").
			WithHint("take a file that econ-mcp estimate posterior --draws wrote, with its first line")
	}
	if model != version {
		return nil, fault.New(fault.Conflict, field, "the draws are of model %.20q, and this program has %s", model, version).
			WithHint("estimate the posterior again with this program")
	}
	return d, nil
}

// columns takes the names of the parameters.
func (d *Draws) columns(field string, names []string) error {
	for _, name := range names {
		row, err := sim.Lookup(name)
		if err != nil {
			return fault.In(field, err)
		}
		if row.Technical || row.Type != sim.TypeNumber && row.Type != sim.TypeInteger {
			return fault.Type(row.Name, "a "+string(row.Type), "parameter that is a number")
		}
		if slices.Contains(d.Names, row.Name) {
			return fault.New(fault.Conflict, field, "column %s is there twice", row.Name)
		}
		d.known, d.Names = append(d.known, row), append(d.Names, row.Name)
	}
	return nil
}

// add takes a draw that stands somewhere in the file.
func (d *Draws) add(where string, values []float64) error {
	for k, x := range values {
		if p := d.known[k]; !(p.Min <= x && x <= p.Max) || p.Type == sim.TypeInteger && x != math.Round(x) {
			return fault.Range(fmt.Sprintf("%s (%s)", p.Name, where), scenario.Text(x), scenario.Text(p.Min)+" to "+scenario.Text(p.Max))
		}
	}
	d.Values = append(d.Values, values)
	return nil
}

func (d *Draws) check(field string) error {
	if len(d.Values) == 0 {
		return fault.New(fault.WrongType, field, "the file has no draws").WithHint("estimate the posterior again")
	}
	return nil
}

// Some are n draws, evenly out of all, as texts such as "consumption_habit=0.7, hiring_rate=0.2".
func (d *Draws) Some(n int) (list []string) {
	for i := range n {
		var parts []string
		for k, x := range d.Values[i*len(d.Values)/n] {
			parts = append(parts, d.Names[k]+"="+scenario.Text(x))
		}
		list = append(list, strings.Join(parts, ", "))
	}
	return list
}
