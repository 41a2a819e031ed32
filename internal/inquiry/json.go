package inquiry

import (
	"bytes"
	"encoding/json"

	"gopkg.in/yaml.v3"
)

// JSON is the canonical form as JSON, with its members in their order, which is that of the arms.
func (q Inquiry) JSON() json.RawMessage {
	var document yaml.Node
	if err := yaml.Unmarshal(q.Encode(), &document); err != nil {
		panic(err) // what Encode writes is YAML
	}
	var b bytes.Buffer
	putJSON(&b, document.Content[0])
	return b.Bytes()
}

func putJSON(b *bytes.Buffer, n *yaml.Node) {
	if n.Kind == yaml.ScalarNode {
		var v any
		err := n.Decode(&v)
		text, failed := json.Marshal(v)
		if err != nil || failed != nil {
			panic(n.Value) // a scalar of Encode is a number, a text, true or false
		}
		b.Write(text)
		return
	}
	brackets := map[yaml.Kind]string{yaml.MappingNode: "{}", yaml.SequenceNode: "[]"}[n.Kind]
	b.WriteByte(brackets[0])
	for i, child := range n.Content {
		if i > 0 {
			separator := byte(',')
			if n.Kind == yaml.MappingNode && i%2 == 1 {
				separator = ':'
			}
			b.WriteByte(separator)
		}
		putJSON(b, child)
	}
	b.WriteByte(brackets[1])
}
