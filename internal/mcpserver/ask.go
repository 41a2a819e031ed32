package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
)

// beatTime is how often a client that wants to hear of progress is told that its own answer is waited for.
const beatTime = 10 * time.Second

// capabilities are what the client can be asked for: it said so when it initialized, or, in the revision
// without sessions, in the request.
func (x *exchange) capabilities() (c mcp.ClientCapabilities, err error) {
	raw := x.from.declared()
	if x.modern {
		raw = x.m.Params.Meta.Capabilities
	}
	if len(raw) > 0 {
		err = json.Unmarshal(raw, &c)
	}
	return c, err
}

// ask sends a request to the client in the stream of the call, and waits for its result until ctx is done.
// In the revision without sessions a client cannot be asked so: see [inputRequired].
func (x *exchange) ask(ctx context.Context, request mcp.InputRequest) (json.RawMessage, error) {
	unanswered := func(format string, arguments ...any) error {
		return fault.New(fault.InvalidState, "", "the request %s was not answered: %s", request.Method, fmt.Sprintf(format, arguments...))
	}
	free, ok := x.server.asking.take(x.by.Principal)
	if !ok {
		return nil, unanswered("%d calls wait for answers of clients already", maxAsking)
	}
	defer free()
	id, answered, forget := x.from.expect()
	defer forget()
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	head := fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%q,`, id)
	if err := x.notify(append(head, body[1:]...)); err != nil {
		return nil, unanswered("%v", err)
	}
	progress := x.reporter()
	waiting := func() {
		progress(time.Since(x.began).Seconds(), 0, "waiting for the client's answer to "+string(request.Method))
	}
	beat := time.NewTicker(beatTime)
	defer beat.Stop()
	for waiting(); ; waiting() {
		select {
		case m := <-answered:
			if m.Error != nil {
				return nil, unanswered("the client refused: %s", saidNo(m.Error))
			}
			return m.Result, nil
		case <-beat.C:
			continue
		case <-x.from.ctx.Done():
			return nil, unanswered("the session has ended")
		case <-x.server.draining.Done():
			err = unanswered("the server is stopping")
		case <-ctx.Done():
			err = unanswered("%v", context.Cause(ctx))
		}
		if x.from.ctx.Err() != nil { // which ends the call, too: nobody is there to be told
			return nil, unanswered("the session has ended")
		}
		_ = x.notify(notification(string(mcp.MethodNotificationCancelled), struct { // a person may be looking at it
			RequestID string `json:"requestId"`
			Reason    string `json:"reason"`
		}{id, "nobody waits for the answer any more"}))
		return nil, err
	}
}

// notify sends a message before the reply.
func (x *exchange) notify(data []byte) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.out.notify(data)
}

// saidNo is what an error of a client says.
func saidNo(raw json.RawMessage) string {
	var e struct{ Message string }
	if json.Unmarshal(raw, &e) != nil || e.Message == "" {
		return "it says no more"
	}
	return plain(e.Message, 200)
}

// inputRequired ends a call of the revision without sessions: the client is to call again, with answers to
// the requests and with the state.
type inputRequired struct {
	requests mcp.InputRequests
	state    string
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
