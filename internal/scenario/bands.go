package scenario

import (
	"gopkg.in/yaml.v3"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/strict"
)

func decodeBands(node *yaml.Node) ([]Band, error) {
	if strict.IsNull(node) {
		return nil, nil
	}
	if node.Kind != yaml.SequenceNode {
		return nil, strict.At(fault.New(fault.WrongType, "bands", "bands is %s", strict.KindOf(node)).
			WithHint("must be a list, each entry such as {statistic: labour share, low: 0.5, high: 0.6, source: ...}"), node)
	}
	var bands []Band
	for _, item := range node.Content {
		var b Band
		fields := strict.Fields{"high": &b.High, "low": &b.Low, "source": &b.Source, "statistic": &b.Statistic}
		if err := fields.Read(item, "parameters", "statistic", "low", "high", "source"); err != nil {
			return nil, err
		}
		switch {
		case b.Statistic == "" || b.Source == "":
			return nil, strict.At(fault.New(fault.WrongType, "bands", "a band needs a statistic and a source"), item)
		case !(b.Low < b.High):
			return nil, strict.At(fault.New(fault.OutOfRange, "bands", "the band of %q goes from %g to %g", b.Statistic, b.Low, b.High), item)
		}
		bands = append(bands, b)
	}
	return bands, nil
}

// bandsNode is nil where there are no bands.
func (s Scenario) bandsNode() *yaml.Node {
	if len(s.Bands) == 0 {
		return nil
	}
	list := &yaml.Node{Kind: yaml.SequenceNode}
	for _, b := range s.Bands {
		node := &yaml.Node{Kind: yaml.MappingNode}
		add(node, "statistic", Prose(b.Statistic))
		add(node, "low", value(b.Low))
		add(node, "high", value(b.High))
		add(node, "source", Prose(b.Source))
		list.Content = append(list.Content, node)
	}
	return list
}
