package inquiry

import (
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/strict"
	"econ-mcp/sim"
)

// decodeOutcomes reads what is measured; nothing means [DefaultOutcomes].
func decodeOutcomes(node *yaml.Node, months int) ([]Outcome, error) {
	if strict.IsNull(node) {
		var list []Outcome
		for _, i := range DefaultOutcomes {
			list = append(list, Outcome{Metric: i, Windows: DefaultWindows(months)})
		}
		return list, nil
	}
	if node.Kind != yaml.SequenceNode || len(node.Content) == 0 {
		return nil, strict.At(fault.New(fault.WrongType, "outcomes", "outcomes is %s", strict.KindOf(node)).
			WithHint("must be a list, each entry such as {metric: real_gdp, expect: higher}"), node)
	}
	var list []Outcome
	for _, item := range node.Content {
		o, err := decodeOutcome(item, months)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(other Outcome) bool { return other.Metric == o.Metric }) {
			return nil, strict.At(fault.New(fault.Conflict, "metric", "%s is an outcome twice", o.Metric).WithHint("keep one"), item)
		}
		list = append(list, o)
	}
	return list, nil
}

func decodeOutcome(node *yaml.Node, months int) (Outcome, error) {
	o := Outcome{Windows: DefaultWindows(months)}
	var metric, expect string
	var window, smallest *yaml.Node
	fields := strict.Fields{"metric": &metric, "expect": &expect, "window": &window, "smallest_effect": &smallest}
	err := fields.Read(node, "an outcome", "metric")
	if err != nil {
		return o, err
	}
	if o.Metric, err = sim.LookupIndicator(metric); err != nil {
		return o, strict.At(fault.In("metric", err), valueOf(node, "metric"))
	}
	signs := map[string]int{"": 0, "either": 0, "higher": 1, "lower": -1}
	sign, known := signs[expect]
	if !known {
		return o, strict.At(fault.Range("expect", fmt.Sprintf("%q", expect), "higher", "lower", "either"), valueOf(node, "expect"))
	}
	o.Expect = sign
	if window != nil {
		w, err := decodeWindow(window, months)
		if err != nil {
			return o, err
		}
		o.Windows = []Window{w}
	}
	if smallest != nil {
		o.Smallest, err = decodeSmallest(smallest, o.Metric)
	}
	return o, err
}

func decodeWindow(node *yaml.Node, months int) (w Window, err error) {
	wrong := fault.Range("window", strings.TrimSpace(node.Value), fmt.Sprintf("two months, first and last, such as [1, %d]", months))
	if node.Kind != yaml.SequenceNode || len(node.Content) != 2 {
		return w, strict.At(wrong, node)
	}
	if node.Content[0].Decode(&w.From) != nil || node.Content[1].Decode(&w.To) != nil || w.From < 1 || w.To < w.From || w.To > months {
		wrong.Message = fmt.Sprintf("window = [%s, %s]", node.Content[0].Value, node.Content[1].Value)
		wrong.Hint = fmt.Sprintf("the months are 1 to %d", months)
		return w, strict.At(wrong, node)
	}
	return w, nil
}

// decodeSmallest reads a smallest effect: points or a number in the unit of a share, percent of the
// control's mean of anything else.
func decodeSmallest(node *yaml.Node, metric sim.Indicator) (s Smallest, err error) {
	q, err := readQuantity(node, "smallest_effect")
	if err != nil {
		return s, err
	}
	if s, err = q.smallest(node, "smallest_effect", metric); err != nil {
		return s, err
	}
	if !(s.Effect > 0) {
		return s, strict.At(fault.Range("smallest_effect", node.Value, "above 0"), node)
	}
	return s, nil
}

// smallest is an effect on an indicator, as it is written.
func (q quantity) smallest(node *yaml.Node, what string, metric sim.Indicator) (s Smallest, err error) {
	share := isShare(metric.Info().Unit)
	switch {
	case q.unit == "pp" && share:
		s.Effect = scaled(q.x)
	case q.unit == "%" && !share:
		s = Smallest{scaled(q.x), true}
	case q.unit == "":
		s.Effect = q.x
	case share:
		e := fault.New(fault.WrongType, what, "%s is a %s, of which %s may mean points or percent of its mean", metric,
			metric.Info().Unit, node.Value)
		return s, strict.At(e.WithHint("write "+strings.TrimSuffix(node.Value, "%")+"pp"), node)
	default:
		e := fault.New(fault.WrongType, what, "%s is in %s, which has no points", metric, metric.Info().Unit)
		return s, strict.At(e.WithHint("write percent of the control's mean, such as 1%, or a number in that unit"), node)
	}
	return s, nil
}
