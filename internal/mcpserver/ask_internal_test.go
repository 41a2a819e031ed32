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

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
)

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
		result, err := d.x.ask(ctx, requests[name])
		if err != nil {
			return nil, err
		}
		var answer mcp.InputResponse
		if json.Unmarshal(result, &answer) != nil || !readAnswer(requests[name].Method, &answer) {
			return nil, fault.New(fault.InvalidState, "", "the answer to %s is malformed", requests[name].Method)
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

// asker seals what passes through the hands of clients.
type asker struct{ secret [32]byte }

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
