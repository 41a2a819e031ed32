package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// discoverWithin is how long a server may take to say whether it speaks the protocol
// without sessions; some older ones do not answer what they do not know.
const discoverWithin = 2 * time.Second

var (
	errTimeout = errors.New("no answer in time")
	errBroken  = errors.New("the answer is broken")
)

// connection is one connection to a server, as long as it lives.
type connection struct {
	server   Server
	client   *client.Client
	process  *process // nil over HTTP
	protocol string
	name     string // of the server, by itself
	changes  bool   // it tells when its tools change
	end      context.CancelFunc
	lost     atomic.Bool

	mu    sync.Mutex
	calls map[string]*waiting // by progress token
}

// waiting is a call without an answer yet.
type waiting struct {
	timer    *time.Timer
	timeout  time.Duration
	progress func(done, total float64, message string)
	fail     context.CancelCauseFunc
}

// dial connects to a server once.
func dial(ctx context.Context, s Server, o Settings, changed func()) (*connection, *Error) {
	c, err := dialAs(ctx, s, o, changed, false)
	if err != nil && s.Transport == HTTP && errors.Is(err.Err, transport.ErrLegacySSEServer) {
		s.Transport = SSE // as the protocol's section on older servers says
		if old, again := dialAs(ctx, s, o, changed, false); again == nil {
			return old, nil
		}
	}
	if err == nil && s.Transport == HTTP && c.changes && !mcp.IsModernProtocol(c.protocol) {
		// With sessions, changes are told on a stream of their own, which has to be asked for first.
		if listening, again := dialAs(ctx, s, o, changed, true); again == nil {
			c.close()
			return listening, nil
		}
	}
	return c, err
}

func dialAs(ctx context.Context, s Server, o Settings, changed func(), listen bool) (*connection, *Error) {
	lifetime, end := context.WithCancel(context.WithoutCancel(ctx))
	c := &connection{server: s, end: end, calls: map[string]*waiting{}}
	ctx, x := withExchange(ctx)
	ctx, cancel := context.WithTimeoutCause(ctx, s.Timeout, errTimeout)
	defer cancel()
	abandon := func(err error) (*connection, *Error) {
		failure := c.failure(ctx, x, "", err)
		c.close()
		return nil, failure
	}
	wire, err := c.wire(s, o, listen)
	if err != nil {
		return abandon(err)
	}
	c.client = client.NewClient(wire, client.WithDiscoverTimeout(min(discoverWithin, s.Timeout/2)), client.WithProtocolVersion(s.Protocol))
	// The stream of an old server lives as long as the context of its start: that of the connection.
	starting := context.WithValue(lifetime, exchangeKey{}, x)
	stop := context.AfterFunc(ctx, end)
	err = c.client.Start(starting)
	if err == nil {
		c.client.OnNotification(func(n mcp.JSONRPCNotification) { c.notified(n, changed) })
		c.client.OnConnectionLost(func(error) { c.lost.Store(true) })
		var hello *mcp.InitializeResult
		hello, err = c.client.Initialize(ctx, mcp.InitializeRequest{Params: mcp.InitializeParams{
			ClientInfo: mcp.Implementation{Name: cmp.Or(o.ClientName, "econ-mcp host"), Version: cmp.Or(o.ClientVersion, "0")},
		}})
		if err == nil {
			c.protocol, c.name = hello.ProtocolVersion, hello.ServerInfo.Name
			c.changes = hello.Capabilities.Tools != nil && hello.Capabilities.Tools.ListChanged
		}
	}
	if !stop() && err == nil { // the time ran out, and the connection with it
		err = context.Cause(ctx)
	}
	if err != nil {
		return abandon(err)
	}
	if c.changes && mcp.IsModernProtocol(c.protocol) {
		// Without the stream, a change is seen when what is kept of the tools expires.
		c.client.ListenAsync(lifetime, mcp.SubscriptionFilter{ToolsListChanged: true}, nil)
	}
	if c.process != nil {
		go func() {
			<-c.process.exited
			c.lost.Store(true)
		}()
	}
	return c, nil
}

// wire makes the transport of a server.
func (c *connection) wire(s Server, o Settings, listen bool) (transport.Interface, error) {
	web := &http.Client{Transport: watcher{http.DefaultTransport}}
	switch s.Transport {
	case Stdio:
		p, err := startProcess(s, c.alarmed)
		if err != nil {
			return nil, err
		}
		c.process = p
		return childWire{transport.NewIO(p, p.stdin, io.NopCloser(&tailReader{})), p}, nil
	case SSE:
		t, err := transport.NewSSE(s.URL, transport.WithHTTPClient(web), transport.WithHeaders(s.Headers),
			transport.WithEndpointTimeout(s.Timeout), transport.WithResponseTimeout(0), transport.WithSSELogger(o.quiet()))
		return sseWire{t}, err
	}
	options := []transport.StreamableHTTPCOption{transport.WithHTTPBasicClient(web), transport.WithHTTPHeaders(s.Headers), transport.WithHTTPLogger(o.quiet())}
	if listen {
		options = append(options, transport.WithContinuousListening()) //lint:ignore SA1019 servers with sessions have no other way
	}
	t, err := transport.NewStreamableHTTP(s.URL, options...)
	return httpWire{t}, err
}

// tailReader is the empty error output that the SDK asks for: what a child process writes
// there is kept by [process].
type tailReader struct{}

func (*tailReader) Read([]byte) (int, error) { return 0, io.EOF }

func (c *connection) close() {
	c.lost.Store(true)
	c.end()
	if c.client != nil {
		c.client.Close()
	}
	if c.process != nil {
		c.process.Close()
	}
}

// notified takes what a server tells without being asked.
func (c *connection) notified(n mcp.JSONRPCNotification, changed func()) {
	switch n.Method {
	case "notifications/tools/list_changed":
		changed()
	case "notifications/progress":
		fields := n.Params.AdditionalFields
		token, _ := fields["progressToken"].(string)
		c.mu.Lock()
		w := c.calls[token]
		if w != nil {
			w.timer.Reset(w.timeout)
		}
		c.mu.Unlock()
		if w != nil && w.progress != nil {
			done, _ := fields["progress"].(float64)
			total, _ := fields["total"].(float64)
			message, _ := fields["message"].(string)
			w.progress(done, total, message)
		}
	}
}

// alarmed ends the call that a broken answer can only be meant for: the one that waits. If
// several wait, they go on to their time-outs.
func (c *connection) alarmed() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.calls) == 1 {
		for _, w := range c.calls {
			w.fail(errBroken)
		}
	}
}

// call sends a request that has a time-out, which progress begins anew.
func (c *connection) call(ctx context.Context, call Call, timeout time.Duration) (Result, *Error) {
	ctx, x := withExchange(ctx)
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	w := &waiting{timeout: timeout, progress: call.Progress, fail: fail}
	w.timer = time.AfterFunc(timeout, func() { fail(errTimeout) })
	defer w.timer.Stop()
	c.mu.Lock()
	c.calls[call.token] = w
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		delete(c.calls, call.token)
		c.mu.Unlock()
	}()
	arguments := call.Arguments
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	_, err := c.client.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{
		Name: call.Tool, Arguments: arguments, Meta: &mcp.Meta{ProgressToken: call.token},
	}})
	answered := x.look().result
	if answered == nil {
		return Result{}, c.failure(ctx, x, call.Tool, err)
	}
	result, err := parseResult(answered) // the SDK may be stricter than what can be used
	if err != nil {
		return Result{}, c.failure(ctx, x, call.Tool, err)
	}
	return result, nil
}

// list reads all pages of the server's tools.
func (c *connection) list(ctx context.Context) (Listing, *Error) {
	listing, seen := Listing{Protocol: c.protocol}, map[mcp.Cursor]bool{}
	for cursor := mcp.Cursor(""); ; {
		paged, x := withExchange(ctx)
		paged, cancel := context.WithTimeoutCause(paged, c.server.Timeout, errTimeout)
		request := mcp.ListToolsRequest{}
		request.Params.Cursor = cursor
		_, err := c.client.ListToolsByPage(paged, request)
		var next mcp.Cursor
		answered := x.look().result
		if answered != nil {
			next, err = listing.add(c.server.ID, answered)
		}
		var failure *Error
		switch seen[cursor] = true; {
		case err != nil || answered == nil:
			failure = c.failure(paged, x, "", err)
		case next != "" && seen[next]:
			failure = c.failure(paged, x, "", fmt.Errorf("tools/list goes round in circles at the cursor %q", next))
		}
		cancel()
		if failure != nil || next == "" {
			return listing, failure
		}
		cursor = next
	}
}

// read reads a resource.
func (c *connection) read(ctx context.Context, uri string) ([]Content, *Error) {
	ctx, x := withExchange(ctx)
	ctx, cancel := context.WithTimeoutCause(ctx, c.server.Timeout, errTimeout)
	defer cancel()
	_, err := c.client.ReadResource(ctx, mcp.ReadResourceRequest{Params: mcp.ReadResourceParams{URI: uri}})
	answered := x.look().result
	if answered == nil {
		return nil, c.failure(ctx, x, "", err)
	}
	contents, err := parseContents(answered)
	if err != nil {
		return nil, c.failure(ctx, x, "", err)
	}
	return contents, nil
}

// failure says at which layer a request failed.
func (c *connection) failure(ctx context.Context, on *exchange, tool string, err error) *Error {
	x := on.look()
	e := &Error{Layer: LayerMalformed, Server: c.server.ID, Tool: tool, Status: x.status, Sent: x.sent, Err: err}
	if e.Status < 400 {
		e.Status = 0
	}
	complaint := error(nil)
	if c.process != nil {
		complaint = c.process.complaint()
	}
	gave := context.Cause(ctx)
	switch {
	case x.refused:
		e.Layer, e.Code, e.Message = LayerRPC, x.code, cmp.Or(x.message, "the server refuses the request")
	case x.tooLong:
		e.Message = errTooLong.Error()
	case errors.Is(gave, errBroken):
		e.Message = complaint.Error()
	case errors.Is(gave, errTimeout) && complaint != nil:
		e.Message = fmt.Sprintf("no answer within the time-out; %v", complaint)
	case errors.Is(gave, errTimeout):
		e.Layer, e.Message = LayerTimeout, "no answer within the time-out"
	case gave != nil:
		e.Layer, e.Message, e.Err = LayerCancelled, "cancelled", gave
	case c.client != nil && c.protocol != "" && errors.Is(err, transport.ErrSessionTerminated):
		c.lost.Store(true) // the session, not the call, is what it does not know
		e.Layer, e.Message, e.Sent = LayerConnection, "the server has ended the session", false
	case x.status >= 400:
		e.Layer, e.Message = LayerHTTP, fmt.Sprintf("HTTP status %d %s", x.status, http.StatusText(x.status))
		if x.excerpt != "" {
			e.Message += ": " + x.excerpt
		}
	case c.process != nil && x.result == nil && c.process.endsWithin(firmly):
		c.lost.Store(true)
		e.Layer, e.Message = LayerConnection, c.process.gone().Error()
	case c.process == nil && x.status == 0, x.cutOff, c.protocol == "" && c.client == nil:
		e.Layer, e.Message = LayerConnection, plainly(err)
	case x.contentType != "" && x.result == nil && !x.strayID:
		e.Message = fmt.Sprintf("the answer (%s) is no message of the protocol: %s", x.contentType, plainly(err))
	default:
		e.Message = plainly(err)
	}
	return e
}

// plainly is what an error says at its root: there it names no address, which may hold a
// secret.
func plainly(err error) string {
	if err == nil {
		return "nothing was answered"
	}
	return excerptOf([]byte(cause(err).Error()))
}
