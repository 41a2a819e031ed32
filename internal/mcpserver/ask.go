package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
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
	unanswered := func(why *fault.Error) error {
		return fault.New(fault.InvalidState, "", "the request %s was not answered: %s", request.Method, why.Message).
			InChinese("请求 %s 未得到回答：%s", request.Method, why.MessageIn("zh"))
	}
	ended := because("the session has ended", "会话已结束")
	free, ok := x.server.asking.take(x.by.Principal)
	if !ok {
		return nil, unanswered(because("%d calls wait for answers of clients already", "已有 %d 个调用在等待客户端的回答", maxAsking))
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
		return nil, unanswered(because("%v", "请求无法送达：%v", err))
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
				return nil, unanswered(saidNo(m.Error))
			}
			return m.Result, nil
		case <-beat.C:
			continue
		case <-x.from.ctx.Done():
			return nil, unanswered(ended)
		case <-x.server.draining.Done():
			err = unanswered(because("the server is stopping", "服务器正在停止"))
		case <-ctx.Done():
			err = unanswered(gaveUp(ctx))
		}
		if x.from.ctx.Err() != nil { // which ends the call, too: nobody is there to be told
			return nil, unanswered(ended)
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

// gaveUp says why a call does not wait any longer.
func gaveUp(ctx context.Context) *fault.Error {
	if why, ok := errors.AsType[*fault.Error](context.Cause(ctx)); ok {
		return why
	}
	return because("the call has ended", "调用已结束")
}

// saidNo is the refusal of a client, in its own words.
func saidNo(raw json.RawMessage) *fault.Error {
	var e struct{ Message string }
	if json.Unmarshal(raw, &e) != nil || e.Message == "" {
		return because("the client refused: it says no more", "客户端拒绝了，未说明原因")
	}
	return because("the client refused: %s", "客户端拒绝了：%s", plain(e.Message, 200))
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
