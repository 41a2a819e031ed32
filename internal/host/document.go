package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// node is a JSON value that knows where in its file it stands, so that an error can say
// so, and that keeps the order of its members, so that a file can be saved as it was.
type node struct {
	at      int64           // offset of its last byte
	value   json.RawMessage // a string, number, boolean or null
	members []member        // of an object
	items   []*node         // of an array
	kind    byte            // '{', '[' or 0
}

type member struct {
	name string
	at   int64
	node *node
}

// parseDocument reads one JSON value. A name that stands twice in one object is an error.
func parseDocument(data []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	n, err := parseNode(d)
	if err == nil {
		if _, after := d.Token(); !errors.Is(after, io.EOF) {
			err = &placed{d.InputOffset(), "there is more after the end of the document"}
		}
	}
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return nil, &placed{e.Offset, e.Error()}
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, &placed{int64(len(data)), "the document ends too early"}
	}
	return n, err
}

// placed is an error with its place in the document.
type placed struct {
	at      int64
	message string
}

func (p *placed) Error() string { return p.message }

func parseNode(d *json.Decoder) (*node, error) {
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	n := &node{at: d.InputOffset()}
	switch token {
	case json.Delim('{'):
		n.kind = '{'
		for d.More() {
			name, err := d.Token()
			if err != nil {
				return nil, err
			}
			at := d.InputOffset()
			if n.member(name.(string)) != nil {
				return nil, &placed{at, fmt.Sprintf("%q stands twice", name)}
			}
			child, err := parseNode(d)
			if err != nil {
				return nil, err
			}
			n.members = append(n.members, member{name.(string), at, child})
		}
	case json.Delim('['):
		n.kind = '['
		for d.More() {
			child, err := parseNode(d)
			if err != nil {
				return nil, err
			}
			n.items = append(n.items, child)
		}
	default:
		n.value = literal(token)
		return n, nil
	}
	_, err = d.Token() // the end of it
	return n, err
}

// literal is a plain value as JSON, with signs such as & as they are.
func literal(value any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(value); err != nil {
		panic("host: " + err.Error()) // plain values always encode
	}
	return bytes.TrimSpace(b.Bytes())
}

func (n *node) isText() bool { return n.kind == 0 && bytes.HasPrefix(n.value, []byte{'"'}) }

// member finds a member of an object; nil without it.
func (n *node) member(name string) *node {
	for _, m := range n.members {
		if m.name == name {
			return m.node
		}
	}
	return nil
}

// set replaces a member of an object or adds it at the end.
func (n *node) set(name string, value *node) {
	for i := range n.members {
		if n.members[i].name == name {
			n.members[i].node = value
			return
		}
	}
	n.members = append(n.members, member{name: name, node: value})
}

// appendTo writes the node without blanks.
func (n *node) appendTo(b *bytes.Buffer) {
	switch n.kind {
	case '{':
		b.WriteByte('{')
		for i, m := range n.members {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(literal(m.name))
			b.WriteByte(':')
			m.node.appendTo(b)
		}
		b.WriteByte('}')
	case '[':
		b.WriteByte('[')
		for i, item := range n.items {
			if i > 0 {
				b.WriteByte(',')
			}
			item.appendTo(b)
		}
		b.WriteByte(']')
	default:
		b.Write(n.value)
	}
}

// lineAndColumn are those of an offset, from 1.
func lineAndColumn(data []byte, at int64) (line, column int) {
	before := data[:min(max(at-1, 0), int64(len(data)))]
	return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
}
