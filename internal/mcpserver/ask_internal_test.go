package mcpserver

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
)

// askTime is how long an answer of a client is waited for: there may be a person who
// has to think.
const askTime = 10 * time.Minute

// Ask asks the client for all of the requests, and returns its answers by the same
// names. A client that has not declared that it can be asked is told so.
//
// In the revisions with sessions Ask waits for the answers. In the revision without, a
// server cannot ask in the middle of a call: there Ask returns an error for the handler
// to hand on, with which the call ends. The client then calls again with its answers, the
// handler runs anew, and what it gave as state is in [Dialogue.State]. Clients can read
// the state, but not change it.
func (d *Dialogue) Ask(ctx context.Context, requests mcp.InputRequests, state string) (mcp.InputResponses, error) {
	answers := make(mcp.InputResponses, len(requests))
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		request := requests[name]
		if capability, ok := d.takes(request.Method); !ok {
			return nil, protocolError{mcp.JSONRPCErrorDetails{
				Code:    mcp.MISSING_REQUIRED_CLIENT_CAPABILITY,
				Message: "the client has not declared the capability " + capability,
				Data: struct {
					Required map[string]struct{} `json:"requiredCapabilities"`
				}{map[string]struct{}{capability: {}}},
			}}
		}
		if answer := d.answers[name]; readAnswer(request.Method, &answer) {
			answers[name] = answer
		}
	}
	if d.x.modern {
		if len(answers) < len(requests) {
			return nil, &inputRequired{requests, d.asker.seal(d.x, state)}
		}
		return answers, nil
	}
	for _, name := range slices.Sorted(maps.Keys(requests)) {
		answer, err := d.asker.ask(ctx, d.x, requests[name])
		if err != nil {
			return nil, err
		}
		answers[name] = answer
	}
	return answers, nil
}

// takes says which capability a request needs, and whether the client has it.
func (d *Dialogue) takes(method mcp.MCPMethod) (capability string, ok bool) {
	switch method {
	case mcp.MethodElicitationCreate:
		return "elicitation", d.Capabilities.Elicitation != nil
	case mcp.MethodSamplingCreateMessage:
		return "sampling", d.Capabilities.Sampling != nil
	default:
		return "roots", d.Capabilities.Roots != nil
	}
}

// readAnswer decodes an answer, and says whether it is one.
func readAnswer(method mcp.MCPMethod, answer *mcp.InputResponse) bool {
	if answer.DecodeFor(method) != nil {
		return false
	}
	switch {
	case answer.Elicitation != nil:
		return answer.Elicitation.Action != ""
	case answer.Sampling != nil:
		content, err := mcp.ParseSamplingContent(answer.Sampling.Content)
		answer.Sampling.Content = content
		switch content.(type) {
		case mcp.Content, []mcp.Content:
			return err == nil
		}
		return false
	}
	return answer.Roots != nil && answer.Roots.Roots != nil
}

// ask sends a request in the stream of the call, and waits for the answer.
func (a *asker) ask(ctx context.Context, x *exchange, request mcp.InputRequest) (answer mcp.InputResponse, err error) {
	unanswered := func(why string) (mcp.InputResponse, error) {
		return answer, fault.New(fault.InvalidState, "", "%s was not answered: %s", request.Method, why)
	}
	id, answered, forget := a.expect(x.from)
	defer forget()
	body, err := json.Marshal(request)
	if err != nil {
		return answer, err
	}
	head := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%q,`, id)
	x.mu.Lock()
	err = x.out.notify(append(head, body[1:]...))
	x.mu.Unlock()
	if err != nil {
		return unanswered(err.Error())
	}
	select {
	case m := <-answered:
		if m.Error != nil {
			return unanswered(string(m.Error))
		}
		if json.Unmarshal(m.Result, &answer) != nil || !readAnswer(request.Method, &answer) {
			return unanswered("the answer is malformed")
		}
		return answer, nil
	case <-time.After(askTime):
		return unanswered("the client took too long")
	case <-x.from.ctx.Done():
		return unanswered("the client has gone")
	case <-ctx.Done():
		return answer, ctx.Err()
	}
}

// asker is what clients have declared, and what they are asked.
type asker struct {
	secret [32]byte // seals what passes through the hands of clients

	mu      sync.Mutex
	clients map[*session]*asked
}

// asked is what is known of a client.
type asked struct {
	capabilities json.RawMessage // that it declared when it initialized
	requests     int
	expected     map[string]chan<- *message // answers, by id
}

// of is a copy of what is known of a client.
func (a *asker) of(client *session) asked {
	a.mu.Lock()
	defer a.mu.Unlock()
	return *a.known(client)
}

// known is what is known of a client. The asker is locked.
func (a *asker) known(client *session) *asked {
	if a.clients[client] == nil {
		a.clients[client] = &asked{expected: make(map[string]chan<- *message)}
	}
	return a.clients[client]
}

// heard takes what a client declares or answers; an answer that nobody waits for is
// forgotten.
func (a *asker) heard(client *session, m *message) {
	a.mu.Lock()
	defer a.mu.Unlock()
	k := a.known(client)
	if !m.isResponse() {
		k.capabilities = m.Params.Capabilities
		return
	}
	id, _ := text(m.ID)
	if answer, ok := k.expected[id]; ok {
		answer <- m
		delete(k.expected, id) // a second answer has no place in the channel
	}
}

// expect makes the id of a request to the client. Its answer comes through the channel.
func (a *asker) expect(client *session) (id string, answered <-chan *message, forget func()) {
	a.mu.Lock()
	defer a.mu.Unlock()
	k := a.known(client)
	k.requests++
	id = fmt.Sprintf("ask-%d", k.requests)
	answer := make(chan *message, 1)
	k.expected[id] = answer
	return id, answer, func() {
		a.mu.Lock()
		defer a.mu.Unlock()
		delete(k.expected, id)
	}
}

// inputRequired ends a call: the client is to call again with answers.
type inputRequired struct {
	requests mcp.InputRequests
	state    string // sealed
}

func (*inputRequired) Error() string { return "the client has to answer first" }

func (e *inputRequired) reply(x *exchange) *reply {
	return success(x.m.ID, mustMarshal(struct {
		Type     mcp.ResultType             `json:"resultType"`
		Requests mcp.InputRequests          `json:"inputRequests"`
		State    string                     `json:"requestState,omitempty"`
		Meta     map[string]json.RawMessage `json:"_meta"`
	}{mcp.ResultTypeInputRequired, e.requests, e.state, map[string]json.RawMessage{mcp.MetaKeyServerInfo: x.server.identity}}))
}

// seal protects a state that goes through the client's hands: it is good for the same
// caller and the same tool or prompt, until the server ends.
func (a *asker) seal(x *exchange, state string) string {
	if state == "" {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(a.mark(x, state)) + "." + state
}

// unseal is the state that was sealed; a request without one has none.
func (a *asker) unseal(x *exchange, raw json.RawMessage) (string, error) {
	sealed, ok := text(raw)
	if ok && sealed == "" {
		return "", nil
	}
	mark, state, _ := strings.Cut(sealed, ".")
	if got, err := base64.RawURLEncoding.DecodeString(mark); !ok || err != nil || !hmac.Equal(got, a.mark(x, state)) {
		return "", protocolError{mcp.JSONRPCErrorDetails{
			Code: mcp.INVALID_PARAMS, Message: "requestState is not what this server gave for this call: begin again without it",
		}}
	}
	return state, nil
}

// mark is the seal itself.
func (a *asker) mark(x *exchange, state string) []byte {
	mac := hmac.New(sha256.New, a.secret[:])
	for _, part := range []string{x.by.Principal, x.m.Method, string(x.m.Params.Name), state} {
		fmt.Fprintf(mac, "%d:%s", len(part), part)
	}
	return mac.Sum(nil)
}
