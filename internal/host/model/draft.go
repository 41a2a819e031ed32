package model

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"econ-mcp/internal/fault"
)

// longestReply bounds what a model may say in one answer, in bytes.
const longestReply = 8 << 20

var errLong = fmt.Errorf("the answer is longer than %d MiB", longestReply>>20)

// draft is an answer that is coming.
type draft struct {
	delta   func(text string)
	text    strings.Builder
	calls   []*drafted
	size    int    // of texts and arguments, in bytes
	stop    string // one of the Stop constants, as soon as the model has ended
	refusal bool
	in, out int
}

// drafted is a call that is coming.
type drafted struct {
	index     int // at the provider
	id, name  string
	arguments strings.Builder
}

// write adds text and hands it on.
func (d *draft) write(text string) {
	d.text.WriteString(text)
	d.size += len(text)
	if text != "" && d.delta != nil {
		d.delta(text)
	}
}

// argue adds text to the arguments of a call.
func (d *draft) argue(c *drafted, text string) {
	c.arguments.WriteString(text)
	d.size += len(text)
}

// call is the call at an index. One with another id is another call: some servers give all
// of them the same index.
func (d *draft) call(index int, id string) *drafted {
	for i := len(d.calls) - 1; i >= 0; i-- {
		if c := d.calls[i]; c.index == index {
			if id == "" || c.id == "" || c.id == id {
				return c
			}
			break
		}
	}
	c := &drafted{index: index}
	d.calls = append(d.calls, c)
	return c
}

// partial is what came of an answer that was not completed. Its calls are not made.
func (d *draft) partial() Reply {
	return Reply{Message: Message{Role: RoleAssistant, Text: d.text.String()}, TokensIn: d.in, TokensOut: d.out}
}

// reply is the complete answer.
func (d *draft) reply(n *names) Reply {
	r := d.partial()
	r.Stop = d.stop
	if d.refusal {
		r.Stop = StopRefusal
	}
	ids := map[string]bool{}
	for i, c := range d.calls {
		call := ToolCall{ID: unique(ids, c.id, i), Name: n.inward(c.name)}
		call.Arguments, call.Problem = c.finish(r.Stop == StopLength)
		r.Message.Calls = append(r.Message.Calls, call)
	}
	if len(r.Message.Calls) > 0 && r.Stop == StopEnd { // as some servers say
		r.Stop = StopCalls
	}
	return r
}

// finish reads the arguments of a call.
func (c *drafted) finish(short bool) (arguments json.RawMessage, problem string) {
	text := strings.TrimSpace(c.arguments.String())
	if text == "" && !short { // a tool without parameters
		return json.RawMessage("{}"), ""
	}
	arguments, err := object(json.RawMessage(text))
	switch {
	case err == nil && c.name != "":
		return arguments, ""
	case short:
		problem = "the call was cut off by the limit of tokens; make it again with shorter arguments"
	case err != nil:
		// The arguments are not sent back in the call: vLLM and llama.cpp refuse conversations with
		// arguments that are no JSON.
		problem = "the arguments cannot be read: " + err.Error() + "; make the call again with one JSON object. What came is: " +
			fault.Shorten(text, 1000)
	default:
		problem = "the call names no tool; make it again with the name of one"
	}
	arguments, _ = json.Marshal(text) // a string always can be
	return arguments, problem
}

// sendable are the arguments of a call as providers accept them back: an object, which is empty for
// a call with a problem.
func (c ToolCall) sendable() json.RawMessage {
	if c.Problem != "" || len(c.Arguments) == 0 {
		return json.RawMessage("{}")
	}
	return c.Arguments
}

// object reads the arguments of a call: a JSON object, or a text that is one.
func object(raw json.RawMessage) (json.RawMessage, error) {
	var text string
	if json.Unmarshal(raw, &text) == nil && bytes.HasPrefix(bytes.TrimSpace(raw), []byte(`"`)) {
		raw = json.RawMessage(text)
	}
	var whole json.RawMessage
	if err := json.Unmarshal(raw, &whole); err != nil { // unlike Compact, it says where
		_, wrong := describe(string(raw), err)
		return nil, errors.New(wrong)
	}
	var compact bytes.Buffer
	json.Compact(&compact, whole) // which was read
	if !bytes.HasPrefix(compact.Bytes(), []byte("{")) {
		return nil, fmt.Errorf("they are %s, not an object", excerpt(compact.String(), 0))
	}
	return compact.Bytes(), nil
}

// unique is an id that no other call of the message has.
func unique(taken map[string]bool, id string, i int) string {
	if id == "" {
		id = fmt.Sprintf("call_%d", i+1)
	}
	for base, n := id, 2; taken[id]; n++ {
		id = fmt.Sprintf("%s_%d", base, n)
	}
	taken[id] = true
	return id
}
