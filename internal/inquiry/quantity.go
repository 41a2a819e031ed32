package inquiry

import (
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/strict"
)

// quantity is a number as it is written: 0.08, 8%, 0.5pp.
type quantity struct {
	x    float64 // without its unit
	unit string  // "", "%" or "pp" (percentage points)
}

var quantityPattern = regexp.MustCompile(`^([+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)\s*(%|pp)?$`)

// readQuantity reads a number with or without a unit.
func readQuantity(node *yaml.Node, what string) (quantity, error) {
	wrong := strict.At(fault.Type(what, strict.KindOf(node), "number, such as 0.08, 8% or 0.5pp"), node)
	if node.Kind != yaml.ScalarNode || node.ShortTag() == "!!bool" || node.ShortTag() == "!!null" {
		return quantity{}, wrong
	}
	m := quantityPattern.FindStringSubmatch(strings.TrimSpace(node.Value))
	if m == nil {
		return quantity{}, wrong
	}
	x, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return quantity{}, wrong
	}
	return quantity{x, m[2]}, nil
}

// isShare says whether a unit of the catalogue is a share, of which percent can be said.
func isShare(unit string) bool {
	for _, begin := range []string{"share", "probability", "marginal rate", "adoption hazard"} {
		if strings.HasPrefix(unit, begin) {
			return true
		}
	}
	return unit == "per year" || strings.Contains(unit, ", share of")
}

// of is the number in a unit of the catalogue: percent only of shares.
func (q quantity) of(unit, what string, node *yaml.Node) (float64, error) {
	switch q.unit {
	case "":
		return q.x, nil
	case "%":
		if isShare(unit) {
			return scaled(q.x), nil
		}
	}
	e := fault.New(fault.WrongType, what, "%s = %s, but its unit is %s", what, node.Value, unit)
	e.Hint = "write the number in that unit, without " + q.unit
	if isShare(unit) {
		e.Hint = "write what it is to become, such as 8% or 0.08: points are for differences"
	}
	return 0, strict.At(e, node)
}

// scaled is a hundredth, rounded as it is written: 7 % is 0.07 and not 0.07000000000000001.
func scaled(percent float64) float64 {
	x, err := strconv.ParseFloat(strconv.FormatFloat(percent, 'f', -1, 64)+"e-2", 64)
	if err != nil {
		return percent / 100
	}
	return x
}
