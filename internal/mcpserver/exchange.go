package mcpserver

import (
	"context"
	"encoding/json"
	"math"
	"runtime/debug"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"econ-mcp/internal/access"
	"econ-mcp/tools"
)

// outlet takes the messages of one exchange to the client. Its methods are not called at
// the same time.
type outlet interface {
	// notify sends a message that the request causes before its reply.
	notify(data []byte) error
	// reply sends the last message. It is nil when the client cancelled the request:
	// then it does not wait for one.
	reply(r *reply)
}

// caller is who sends a request, what it may do, and whose workspace it means. In a
// session that can change from request to request.
type caller struct {
	access.Caller
	workspace string
}

// exchange is a request that is being answered.
type exchange struct {
	server *Server
	from   *session
	by     caller
	m      *message
	out    outlet
	modern bool
	ctx    context.Context
	began  time.Time
	free   func() // gives back what counts as a request in flight
	done   func()

	mu       sync.Mutex
	answered bool
	progress float64   // the last that was sent
	reported time.Time // when
}

// settleTime passes between the last progress and the reply. Clients of the TypeScript
// SDK take a reply at once, but a notification a moment later: what they read together
// with the reply is lost to them.
const settleTime = 20 * time.Millisecond

// open begins to answer a request; the caller calls serve. From now on the client can
// cancel it. One too many is refused, and nil returned; what is instant is always
// answered.
func (s *Server) open(ctx context.Context, from *session, by caller, m *message, out outlet) *exchange {
	free := func() {}
	if !m.instant() {
		var ok bool
		if free, ok = s.requests.take(by.Principal); !ok {
			out.reply(overLimit(m.ID, "requests_in_flight", maxRequests, "wait for an answer, or cancel a request"))
			return nil
		}
	}
	ctx, done := from.begin(ctx, string(m.ID))
	return &exchange{
		server: s, from: from, by: by, m: m, out: out, modern: m.modern(), ctx: ctx, began: time.Now(), progress: -1,
		free: free, done: func() { done(); free() },
	}
}

// notified takes a message of the client that needs no answer.
func (s *Server) notified(from *session, m *message) {
	switch {
	case m.isResponse():
		from.answered(m)
	case m.Method == string(mcp.MethodNotificationCancelled):
		from.cancel(string(m.Params.RequestID))
	}
}

// serve answers the request.
func (x *exchange) serve() {
	r := x.answer()
	if context.Cause(x.ctx) == errCancelled {
		r = nil
	}
	x.settle()
	x.done() // a client may use the id again as soon as it has the reply
	x.mu.Lock()
	defer x.mu.Unlock()
	x.answered = true
	x.out.reply(r)
}

// settle lets the client take the progress that it was just told of.
func (x *exchange) settle() {
	x.mu.Lock()
	reported := x.reported
	x.mu.Unlock()
	if reported.IsZero() {
		return
	}
	select {
	case <-time.After(time.Until(reported.Add(settleTime))):
	case <-x.ctx.Done():
	}
}

// answer finds the reply. A panic on the way is ours, not the client's: it is logged,
// and the server lives.
func (x *exchange) answer() (r *reply) {
	defer func() {
		if p := recover(); p != nil {
			id := x.logFailure(x.m.Method, &panicked{p, string(debug.Stack())})
			r = failure(x.m.ID, mcp.INTERNAL_ERROR, "internal error: it is in the log of the server under "+id)
		}
	}()
	if r := x.checkRevision(); r != nil {
		return r
	}
	switch mcp.MCPMethod(x.m.Method) {
	case mcp.MethodInitialize:
		x.from.declare(x.m.Params.Capabilities)
	case mcp.MethodToolsCall:
		return x.callTool()
	case mcp.MethodSubscriptionsListen:
		if x.modern {
			return x.listen()
		}
	case mcp.MethodResourcesList:
		if x.server.config.Resources != nil {
			return x.listResources()
		}
	case mcp.MethodResourcesRead:
		if x.server.config.Resources != nil {
			return x.readResource()
		}
	case mcp.MethodResourcesSubscribe:
		if x.server.config.Resources != nil && !x.modern {
			return x.subscribe(true)
		}
	case mcp.MethodResourcesUnsubscribe:
		if x.server.config.Resources != nil && !x.modern {
			return x.subscribe(false)
		}
	case mcp.MethodPromptsGet:
		if len(x.server.prompts) > 0 {
			return x.getPrompt()
		}
	}
	return x.delegate()
}

// checkRevision refuses what the revision without sessions says must be refused.
func (x *exchange) checkRevision() *reply {
	if !x.modern {
		return nil
	}
	meta := x.m.Params.Meta
	if !mcp.IsValidProtocolVersion(meta.Version) {
		return failureWith(x.m.ID, mcp.UnsupportedProtocolVersionError{
			Version: meta.Version, Supported: revisions,
		}.JSONRPCError().Error)
	}
	if len(meta.Capabilities) == 0 || meta.Capabilities[0] != '{' {
		return failure(x.m.ID, mcp.INVALID_PARAMS, "missing or invalid _meta field "+mcp.MetaKeyClientCapabilities)
	}
	return nil
}

// exchangeKey is under what the SDK hands an exchange to our functions that it calls.
type exchangeKey struct{}

// delegate lets the SDK answer. Its lists have one page, so that no client was given a
// cursor.
func (x *exchange) delegate() *reply {
	if cursor, ok := text(x.m.Params.Cursor); !ok || cursor != "" {
		return failure(x.m.ID, mcp.INVALID_PARAMS, "cursor is none that was given: the list has one page")
	}
	ctx := context.WithValue(x.server.mcp.WithContext(x.ctx, x.from), exchangeKey{}, x)
	ctx = server.WithSupportedProtocolVersions(ctx, revisions)
	answer := x.server.mcp.HandleMessage(ctx, x.m.raw)
	e, failed := answer.(mcp.JSONRPCError)
	if !failed {
		return &reply{body: mustMarshal(answer)}
	}
	if e.Error.Code == mcp.INVALID_REQUEST { // the request as such was checked: it is the params that the SDK means
		e.Error.Code = mcp.INVALID_PARAMS
	}
	return failureWith(x.m.ID, e.Error)
}

// call is what handlers know of the caller.
func (x *exchange) call() *tools.Call {
	return &tools.Call{
		Caller: x.by.Caller, Workspace: x.by.workspace, Remote: x.remote(), Progress: x.reporter(), Sample: x.sampler(),
	}
}

// reporter sends progress to a client that asked for it. What a handler reports when it
// has returned, or reports twice, is dropped: progress increases, and ends with the reply.
func (x *exchange) reporter() func(done, total float64, message string) {
	if !x.wantsProgress() {
		return func(float64, float64, string) {}
	}
	token := x.m.Params.Meta.ProgressToken
	return func(done, total float64, message string) {
		x.mu.Lock()
		defer x.mu.Unlock()
		if x.answered || !(done > x.progress) || math.IsInf(done, 0) || x.ctx.Err() != nil {
			return
		}
		x.progress, x.reported = done, time.Now()
		p := progressParams{Token: token, Progress: done, Message: message}
		if total > 0 && !math.IsInf(total, 0) {
			p.Total = &total
		}
		// A client that is gone is noticed when the reply is written.
		_ = x.out.notify(notification(string(mcp.MethodNotificationProgress), p))
	}
}

// wantsProgress says whether the client asked for it.
func (x *exchange) wantsProgress() bool {
	token := x.m.Params.Meta.ProgressToken
	return len(token) > 0 && string(token) != "null"
}

type progressParams struct {
	Token    json.RawMessage `json:"progressToken"`
	Progress float64         `json:"progress"`
	Total    *float64        `json:"total,omitempty"`
	Message  string          `json:"message,omitempty"`
}

// tell sends a log message to a client that wants those of the level: said by
// logging/setLevel in a session, by the request itself in the revision without.
func (x *exchange) tell(level mcp.LoggingLevel, data any) {
	least := x.m.Params.Meta.LogLevel
	if !x.modern {
		least = x.from.GetLogLevel()
	}
	if least == "" || !level.ShouldSendTo(least) {
		return
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.answered {
		return
	}
	_ = x.out.notify(notification(string(mcp.MethodNotificationMessage), struct {
		Level  mcp.LoggingLevel `json:"level"`
		Logger string           `json:"logger"`
		Data   any              `json:"data"`
	}{level, serverName, data}))
}

// finish adds to the members of a result what the newest revision wants in each.
func (x *exchange) finish(result []byte, cacheable bool) *reply {
	if x.modern {
		result = append(result[:len(result)-1], `,"resultType":"complete"`...)
		if cacheable {
			result = append(result, `,"ttlMs":0,"cacheScope":"private"`...)
		}
		result = append(result, `,"_meta":{"`+mcp.MetaKeyServerInfo+`":`...)
		result = append(result, x.server.identity...)
		result = append(result, "}}"...)
	}
	return success(x.m.ID, result)
}
