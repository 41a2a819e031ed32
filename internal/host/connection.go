package host

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// discoverWithin is how long to wait for a server to say that it speaks the protocol without
// sessions; some older ones do not answer unknown requests at all.
const discoverWithin = 2 * time.Second

// noTimeout switches off the time-outs of the SDK, whose 0 means its default: requests have
// their own, which progress restarts.
const noTimeout = 365 * 24 * time.Hour

var errTimeout = errors.New("no answer in time")

// Why a request may end before its answer: something unreadable came instead, or the connection
// was lost.
type (
	brokenAnswer   struct{ error }
	lostConnection struct{ error }
)

// connection is one connection to a server.
type connection struct {
	server   Server
	client   *client.Client
	process  *process // nil over HTTP
	protocol string
	name     string // that the server gives itself
	changes  bool   // the server announces changes of its tools
	session  bool   // the server has given us a session id
	end      context.CancelFunc
	lost     atomic.Bool

	cancellations sync.WaitGroup // being sent

	mu      sync.Mutex
	waiting map[*request]bool
	ended   error // why the connection was lost, where the SDK does not tell those that wait
}

// request is one without an answer yet.
type request struct {
	ctx       context.Context // ends with the time-out, and with the connection
	x         *exchange
	fail      context.CancelCauseFunc
	timer     *time.Timer
	timeout   time.Duration // progress restarts it
	token     string        // of its progress
	progress  func(done, total float64, message string)
	handshake bool  // made of several requests, some of which may fail
	stray     error // what came that answers no request
}

// begin starts the time-out of a request, which has to be passed to finish.
func (c *connection) begin(ctx context.Context, r request) *request {
	r.x = &exchange{}
	r.ctx, r.fail = context.WithCancelCause(context.WithValue(ctx, exchangeKey{}, r.x))
	r.timer = time.AfterFunc(r.timeout, func() { r.fail(errTimeout) })
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting[&r] = true
	if c.ended != nil {
		r.fail(c.ended)
	}
	return &r
}

func (c *connection) finish(r *request) {
	c.mu.Lock()
	delete(c.waiting, r)
	c.mu.Unlock()
	r.timer.Stop()
	r.fail(nil)
}

// dial connects to a server once.
func dial(ctx context.Context, s Server, o Settings, changed func()) (*connection, *Error) {
	c, err := dialAs(ctx, s, o, changed, false)
	if err != nil && s.Transport == HTTP && errors.Is(err.Err, transport.ErrLegacySSEServer) && !mayPass(err) && err.retryAfter == 0 {
		s.Transport = SSE // as the protocol's section on older servers says
		if old, again := dialAs(ctx, s, o, changed, false); again == nil {
			return old, nil
		}
	}
	if err == nil && s.Transport == HTTP && c.changes && !mcp.IsModernProtocol(c.protocol) {
		// With sessions, changes are announced on a separate stream, which has to be requested at the start.
		if listening, again := dialAs(ctx, s, o, changed, true); again == nil {
			c.close()
			return listening, nil
		}
	}
	return c, err
}

func dialAs(ctx context.Context, s Server, o Settings, changed func(), listen bool) (*connection, *Error) {
	lifetime, end := context.WithCancel(context.WithoutCancel(ctx))
	c := &connection{server: s, end: end, waiting: map[*request]bool{}}
	hello := c.begin(ctx, request{timeout: s.Timeout, handshake: true})
	defer c.finish(hello)
	abandon := func(err error) (*connection, *Error) {
		failure := c.failure(hello, "", err)
		c.close()
		return nil, failure
	}
	wire, err := c.wire(s, listen)
	if err != nil {
		return abandon(err)
	}
	c.client = client.NewClient(wire, client.WithDiscoverTimeout(min(discoverWithin, s.Timeout/2)), client.WithProtocolVersion(s.Protocol))
	// The stream of an old server lives as long as the context of its start: that of the connection.
	starting := context.WithValue(lifetime, exchangeKey{}, hello.x)
	stop := context.AfterFunc(hello.ctx, end)
	err = c.client.Start(starting)
	if err == nil {
		c.client.OnNotification(func(n mcp.JSONRPCNotification) { c.notified(n, changed) })
		c.client.OnConnectionLost(c.lose)
		err = c.initialize(hello.ctx, o)
	}
	if !stop() && err == nil { // the time ran out and has ended the connection
		err = context.Cause(hello.ctx)
	}
	if err != nil {
		return abandon(err)
	}
	if c.changes && mcp.IsModernProtocol(c.protocol) {
		go c.listen(lifetime, changed)
	}
	if c.process != nil {
		go func() {
			<-c.process.exited
			c.lost.Store(true)
		}()
	}
	return c, nil
}

// initialize tells the server who we are, and keeps what it says of itself.
func (c *connection) initialize(ctx context.Context, o Settings) error {
	answer, err := c.client.Initialize(ctx, mcp.InitializeRequest{Params: mcp.InitializeParams{
		ClientInfo: mcp.Implementation{Name: "econ-mcp host", Version: cmp.Or(o.Version, "0")},
	}})
	if err != nil {
		return err
	}
	c.protocol, c.name = answer.ProtocolVersion, answer.ServerInfo.Name
	c.session = c.client.GetSessionId() != ""
	c.changes = answer.Capabilities.Tools != nil && answer.Capabilities.Tools.ListChanged
	return nil
}

// A stream that lived as long as streamLived had been opened. After streamTries in a row that did
// not, the server is taken to offer none.
const (
	streamLived = 10 * time.Second
	streamTries = 5
)

// listen receives announcements of changed tools as long as the connection lives. A stream that
// ends, such as at a proxy, is opened again, and the tools are taken to have changed meanwhile.
// Without a stream, a change is noticed when the kept tools expire.
func (c *connection) listen(ctx context.Context, changed func()) {
	for try := 0; try < streamTries; try++ {
		began := time.Now()
		_ = c.client.Listen(ctx, mcp.SubscriptionFilter{ToolsListChanged: true}) // the reason does not matter
		if !Pause(ctx, try, 0) || c.lost.Load() {
			return
		}
		if time.Since(began) > streamLived {
			try = 0
			changed()
		}
	}
}

// quiet discards the log of the SDK, which quotes servers word for word.
var quiet = slog.New(slog.DiscardHandler)

// wire makes the transport of a server.
func (c *connection) wire(s Server, listen bool) (transport.Interface, error) {
	watch := watcher{base: http.DefaultTransport, excerpt: s.excerpt}
	if s.Transport == SSE {
		watch.inspector = &inspector{report: c.stray, excerpt: s.excerpt}
	}
	web := &http.Client{Transport: watch, CheckRedirect: checkRedirect}
	switch s.Transport {
	case Stdio:
		p, err := startProcess(s, &inspector{report: c.stray, excerpt: s.excerpt})
		if err != nil {
			return nil, err
		}
		c.process = p
		return childWire{transport.NewIO(p, p.stdin, nil), p}, nil
	case SSE:
		t, err := transport.NewSSE(s.URL, transport.WithHTTPClient(web), transport.WithHeaders(s.Headers),
			transport.WithEndpointTimeout(s.Timeout), transport.WithResponseTimeout(noTimeout), transport.WithSSELogger(quiet))
		return sseWire{t, c, watch.inspector}, err
	}
	options := []transport.StreamableHTTPCOption{
		transport.WithHTTPBasicClient(web), transport.WithHTTPHeaders(s.Headers), transport.WithHTTPLogger(quiet),
	}
	if listen {
		options = append(options, transport.WithContinuousListening()) //lint:ignore SA1019 servers with sessions have no other way
	}
	t, err := transport.NewStreamableHTTP(s.URL, options...)
	return httpWire{t, c}, err
}

func (c *connection) close() {
	c.mu.Lock()
	c.lost.Store(true) // no cancellation is sent from now on
	c.mu.Unlock()
	c.cancellations.Wait()
	c.end()
	if c.client != nil {
		c.client.Close()
	}
	if c.process != nil {
		c.process.close()
	}
}

// notified handles a notification of the server.
func (c *connection) notified(n mcp.JSONRPCNotification, changed func()) {
	switch n.Method {
	case "notifications/tools/list_changed":
		changed()
	case "notifications/progress":
		fields := n.Params.AdditionalFields
		token, _ := fields["progressToken"].(string)
		if r := c.progressed(token); r != nil && r.progress != nil {
			done, _ := fields["progress"].(float64)
			total, _ := fields["total"].(float64)
			message, _ := fields["message"].(string)
			r.progress(done, total, message)
		}
	}
}

// progressed finds the request with a progress token and restarts its time-out; nil = no such request.
func (c *connection) progressed(token string) *request {
	c.mu.Lock()
	defer c.mu.Unlock()
	for r := range c.waiting {
		if r.token == token && token != "" {
			r.timer.Reset(r.timeout)
			return r
		}
	}
	return nil
}

// stray notes something that the server wrote and that answers no request. If it is a broken
// answer and a single request waits, it was meant for that one, and ends it. If several wait, they
// run into their time-outs.
func (c *connection) stray(err error, answer bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if answer {
		err = brokenAnswer{err}
	}
	for r := range c.waiting {
		if r.stray == nil || answer {
			r.stray = err
		}
		if answer && len(c.waiting) == 1 && !r.handshake {
			r.fail(err)
		}
	}
}

// lose marks a connection as lost whose stream has ended, and ends all requests that wait for
// answers on it.
func (c *connection) lose(err error) {
	c.lost.Store(true)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ended = lostConnection{err}
	if errors.Is(err, errTooLong) {
		c.ended = brokenAnswer{err}
	}
	for r := range c.waiting {
		r.fail(c.ended)
	}
}

// ask makes a request (tool names the tool concerned, if any) and passes its result to read as the
// server wrote it: the SDK refuses some results that can be used.
func (c *connection) ask(
	ctx context.Context, r request, tool string, send func(context.Context) error, read func(result json.RawMessage) error,
) *Error {
	q := c.begin(ctx, r)
	defer c.finish(q)
	err := send(q.ctx)
	answered := q.x.look().result
	if answered != nil {
		err = read(answered)
	}
	if answered == nil || err != nil {
		return c.failure(q, tool, err)
	}
	return nil
}

// call calls a tool. If the result is an error of the tool, complaint is its beginning; models and
// users see such results, so they are cleared of secrets.
func (c *connection) call(ctx context.Context, call Call) (result Result, complaint string, failed *Error) {
	arguments := call.Arguments
	if len(arguments) == 0 {
		arguments = json.RawMessage("{}")
	}
	r := request{timeout: cmp.Or(call.Timeout, c.server.Timeout), token: call.token, progress: call.Progress}
	failed = c.ask(ctx, r, call.Tool, func(ctx context.Context) error {
		_, err := c.client.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{
			Name: call.Tool, Arguments: arguments, Meta: &mcp.Meta{ProgressToken: call.token},
		}})
		return err
	}, func(answer json.RawMessage) (err error) {
		result, err = parseResult(answer)
		return err
	})
	if result.IsError {
		for i := range result.Content {
			result.Content[i].Text = c.server.conceal(result.Content[i].Text)
		}
		complaint = cmp.Or(c.server.excerpt([]byte(result.Text())), "the tool says that it failed")
	}
	return result, complaint, failed
}

// list reads all pages of the server's tools.
func (c *connection) list(ctx context.Context) (Listing, *Error) {
	const mostPages = 1000
	listing, seen := Listing{Protocol: c.protocol}, map[mcp.Cursor]bool{}
	for cursor := mcp.Cursor(""); ; {
		seen[cursor] = true
		failed := c.ask(ctx, request{timeout: c.server.Timeout}, "", func(ctx context.Context) error {
			page := mcp.ListToolsRequest{}
			page.Params.Cursor = cursor
			_, err := c.client.ListToolsByPage(ctx, page)
			return err
		}, func(answer json.RawMessage) (err error) {
			cursor, err = listing.add(c.server.ID, answer)
			switch {
			case cursor != "" && seen[cursor]:
				return fmt.Errorf("tools/list repeats the cursor %q", cursor)
			case cursor != "" && len(seen) >= mostPages:
				return fmt.Errorf("tools/list has more than %d pages", mostPages)
			}
			return err
		})
		if failed != nil || cursor == "" {
			return listing, failed
		}
	}
}

// read reads a resource.
func (c *connection) read(ctx context.Context, uri string) (contents []Content, failed *Error) {
	failed = c.ask(ctx, request{timeout: c.server.Timeout}, "", func(ctx context.Context) error {
		_, err := c.client.ReadResource(ctx, mcp.ReadResourceRequest{Params: mcp.ReadResourceParams{URI: uri}})
		return err
	}, func(answer json.RawMessage) (err error) {
		contents, err = parseContents(answer)
		return err
	})
	return contents, failed
}

// failure says at which layer a request failed.
func (c *connection) failure(r *request, tool string, err error) *Error {
	x := r.x.look()
	e := &Error{Layer: LayerMalformed, Server: c.server.ID, Tool: tool, Err: err, retryAfter: x.retryAfter}
	e.Sent = x.sent && x.status != http.StatusTooManyRequests // which was counted, not carried out
	if x.status >= 400 {
		e.Status = x.status
	}
	c.mu.Lock()
	stray := r.stray
	c.mu.Unlock()
	_, answer := stray.(brokenAnswer)
	gave := context.Cause(r.ctx)
	broken, isBroken := gave.(brokenAnswer)
	lost, isLost := gave.(lostConnection)
	switch {
	case c.session && (x.status == http.StatusNotFound || x.status == http.StatusBadRequest && x.refused && x.strayID):
		c.lost.Store(true) // it is the session that the server does not know
		e.Layer, e.Status, e.Sent = LayerConnection, 0, false
		e.Message = "the server has ended the session"
		if x.excerpt != "" {
			e.Message += ": " + x.excerpt
		}
	case x.refused && (gave == nil || !r.handshake): // a handshake that timed out may have had an earlier request refused
		e.Layer, e.Code, e.Message = LayerRPC, x.code, cmp.Or(x.message, "the server refuses the request")
	case x.tooLong:
		e.Message = errTooLong.Error()
	case isBroken:
		e.Message = broken.Error()
	case isLost:
		e.Layer, e.Message = LayerConnection, c.plainly(lost.error)
	case errors.Is(gave, errTimeout):
		e.Message = "no answer within the time-out"
		if stray != nil {
			e.Message += "; " + stray.Error()
		}
		if !answer {
			e.Layer = LayerTimeout
		}
	case gave != nil:
		e.Layer, e.Message, e.Err = LayerCancelled, "cancelled", gave
	default:
		c.explain(e, x, err)
	}
	e.Message = c.server.conceal(e.Message)
	if x.retryAfter > 0 {
		e.Message += fmt.Sprintf("; it asks to wait %v", x.retryAfter.Round(time.Second))
	}
	return e
}

// explain says at which layer a request failed that had neither an error as its answer nor been
// ended by us.
func (c *connection) explain(e *Error, x seen, err error) {
	elsewhere, isElsewhere := errors.AsType[*redirected](err)
	switch {
	case x.streamed && x.cutOff == nil && x.result == nil && !x.strayID: // and it could not be resumed
		e.Layer, e.Status, e.Message = LayerConnection, 0, "the stream of events ended before the answer came"
	case isElsewhere:
		e.Layer, e.Status, e.Message = LayerHTTP, x.status, elsewhere.Error()
	case x.status >= 400:
		e.Layer, e.Message = LayerHTTP, fmt.Sprintf("HTTP status %d %s", x.status, http.StatusText(x.status))
		if x.excerpt != "" {
			e.Message += ": " + x.excerpt
		}
	case c.process != nil && x.result == nil && c.process.endsWithin(endWithin):
		c.lost.Store(true)
		e.Layer, e.Message = LayerConnection, c.process.gone(c.server)
	case c.process != nil && (errors.Is(err, transport.ErrTransportClosed) || errors.Is(err, syscall.EPIPE)):
		c.lost.Store(true)
		e.Layer, e.Message = LayerConnection, "the server has closed its input or output"
	case x.cutOff != nil:
		e.Layer, e.Message = LayerConnection, c.plainly(x.cutOff)
	case c.process == nil && (x.status == 0 || err != nil && cause(err) == io.EOF), c.protocol == "" && c.client == nil:
		e.Layer, e.Message = LayerConnection, c.plainly(err)
	case x.contentType != "" && x.result == nil && !x.strayID:
		e.Message = fmt.Sprintf("the answer (%s) is not a message of the protocol: %s", x.contentType, c.plainly(err))
	default:
		e.Message = c.plainly(err)
	}
}

// plainly is the innermost message of an error, which has no address in it: addresses may hold
// secrets.
func (c *connection) plainly(err error) string {
	if err == nil {
		return "nothing was answered"
	}
	switch cause(err) {
	case io.EOF:
		return "the connection was closed before an answer came"
	case io.ErrUnexpectedEOF:
		return "the answer was cut off"
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		err = unreadable("the answer", e)
	}
	return c.server.excerpt([]byte(cause(err).Error()))
}
