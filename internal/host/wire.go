package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
)

// MostBytes is the size up to which a server's answer is read. A longer one is an error,
// not a way to fill this process's memory.
const MostBytes = 32 << 20

var errTooLong = fmt.Errorf("the answer is longer than %d MiB", MostBytes>>20)

// exchange notes what happens to one request: errors of the SDK do not say at which layer it
// failed, nor do its results keep the JSON that the server wrote. It has a lock because a request
// that was given up may still be under way.
type exchange struct {
	mu   sync.Mutex
	seen seen
}

type seen struct {
	sent        bool // it may have reached the server
	status      int  // of HTTP; 0 = none came
	excerpt     string
	contentType string
	retryAfter  time.Duration // for which the server asks to be left alone
	streamed    bool          // the answer was to come as a stream of events
	tooLong     bool
	cutOff      error // with what the connection broke in the middle of the answer
	result      json.RawMessage
	code        int // of a JSON-RPC error
	message     string
	refused     bool // there was a JSON-RPC error
	strayID     bool // the answer is to another request
}

func (x *exchange) note(f func(*seen)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	f(&x.seen)
}

func (x *exchange) look() seen {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.seen
}

type exchangeKey struct{}

// exchangeOf is the exchange of a request, or a new one that nobody will look at.
func exchangeOf(ctx context.Context) *exchange {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok {
		return x
	}
	return &exchange{}
}

// observe sends a request and notes the outcome. A handshake is several requests: the last one counts.
func observe(ctx context.Context, request transport.JSONRPCRequest, send send) (*transport.JSONRPCResponse, error) {
	x := exchangeOf(ctx)
	x.note(func(s *seen) { *s = seen{} })
	response, err := send(ctx, request)
	if err != nil || response == nil {
		return response, err
	}
	stray := response.ID.String() != request.ID.String()
	x.note(func(s *seen) { s.sent, s.strayID = true, stray })
	switch e := response.Error; {
	case e != nil:
		x.note(func(s *seen) { s.refused, s.code, s.message = true, e.Code, e.Message })
	case stray:
		return nil, fmt.Errorf("the answer has the id %v; that of the request is %v", response.ID.Value(), request.ID.Value())
	case len(response.Result) == 0:
		return nil, errors.New("the answer has neither a result nor an error")
	default:
		x.note(func(s *seen) { s.result = response.Result })
	}
	return response, nil
}

// The wires are the SDK's transports, observed. There are three because the SDK tells by its methods
// what a transport can do.
type (
	childWire struct {
		*transport.Stdio
		process *process
	}
	httpWire struct {
		*transport.StreamableHTTP
		conn *connection
	}
	sseWire struct {
		*transport.SSE
		conn      *connection
		inspector *inspector
	}
)

// send sends a request to a server, and notify a notification.
type (
	send   func(context.Context, transport.JSONRPCRequest) (*transport.JSONRPCResponse, error)
	notify func(context.Context, mcp.JSONRPCNotification) error
)

func (w childWire) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	w.process.inspector.requested(r.ID.Value())
	return observe(ctx, r, func(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
		exchangeOf(ctx).note(func(s *seen) { s.sent = true }) // what is written to a pipe may have been read
		type outcome struct {
			response *transport.JSONRPCResponse
			err      error
		}
		done := make(chan outcome, 1)
		go func() { // writing to a server that does not read does not end with ctx
			response, err := w.Stdio.SendRequest(ctx, r)
			done <- outcome{response, err}
		}()
		select {
		case o := <-done:
			return o.response, o.err
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})
}

func (w httpWire) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	return w.conn.post(ctx, r, w.StreamableHTTP.SendRequest, w.SendNotification)
}

func (w sseWire) SendRequest(ctx context.Context, r transport.JSONRPCRequest) (*transport.JSONRPCResponse, error) {
	w.inspector.requested(r.ID.Value())
	return w.conn.post(ctx, r, w.SSE.SendRequest, w.SendNotification)
}

// post sends a request over HTTP, and withdraws one that was given up.
func (c *connection) post(ctx context.Context, r transport.JSONRPCRequest, send send, tell notify) (*transport.JSONRPCResponse, error) {
	response, err := observe(ctx, r, send)
	if err != nil && ctx.Err() != nil {
		c.withdraw(ctx, r, tell)
	}
	return response, err
}

// withdraw sends a server the cancellation of a request. Over stdio the SDK does so. Over HTTP it
// does not: in the newest revision the end of the request's stream is the cancellation, but not in
// those before.
func (c *connection) withdraw(ctx context.Context, r transport.JSONRPCRequest, tell notify) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.protocol == "" || c.lost.Load() || c.server.Transport == HTTP && mcp.IsModernProtocol(c.protocol) {
		return
	}
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION, Notification: mcp.Notification{
		Method: string(mcp.MethodNotificationCancelled),
		Params: mcp.NotificationParams{AdditionalFields: map[string]any{"requestId": r.ID, "reason": context.Cause(ctx).Error()}},
	}}
	c.cancellations.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), closeWithin)
		defer cancel()
		_ = tell(ctx, n) // it is a courtesy
	})
}

// watcher is the HTTP of a connection: it notes the status of each answer and cuts one
// that is too long.
type watcher struct {
	base      http.RoundTripper
	excerpt   func(text []byte) string // of an answer that is an error
	inspector *inspector               // on streams of events; nil where each answer has its own
}

func (w watcher) RoundTrip(r *http.Request) (*http.Response, error) {
	x := exchangeOf(r.Context())
	response, err := w.base.RoundTrip(r)
	if err != nil {
		x.note(func(s *seen) { s.sent = s.sent || !neverSent(err) })
		return response, err
	}
	kind, excerpt, wait := response.Header.Get("Content-Type"), "", time.Duration(0)
	stream := strings.HasPrefix(kind, "text/event-stream")
	if response.StatusCode >= 400 {
		body, _ := io.ReadAll(io.LimitReader(response.Body, 64<<10)) // what can be had of it
		response.Body.Close()
		excerpt, wait = w.excerpt(body), RetryAfter(response.Header)
		response.Body = io.NopCloser(bytes.NewReader(body))
	} else {
		response.Body = &limitedBody{ReadCloser: response.Body, left: MostBytes, x: x, stream: stream}
	}
	if w.inspector != nil && stream {
		response.Body = &inspectedEvents{ReadCloser: response.Body, inspector: w.inspector}
	}
	x.note(func(s *seen) {
		s.sent, s.status, s.contentType, s.excerpt, s.retryAfter = true, response.StatusCode, kind, excerpt, wait
		s.streamed = s.streamed || stream
	})
	return response, nil
}

// checkRedirect refuses redirections to another server, which would see headers and arguments; the
// same host with HTTPS is allowed. It also refuses those that would turn a POST into a GET, which the
// server would reject with a misleading error.
func checkRedirect(r *http.Request, via []*http.Request) error {
	from, to := via[0].URL, r.URL
	switch elsewhere := to.Host != from.Host || to.Scheme != from.Scheme; {
	case elsewhere && !(to.Scheme == "https" && to.Hostname() == from.Hostname()):
		return &redirected{"it redirects to another server (" + to.Host + ")"}
	case r.Method != via[0].Method:
		target := (&url.URL{Scheme: to.Scheme, Host: to.Host, Path: to.Path}).Redacted() // the query may hold secrets
		return &redirected{fmt.Sprintf("HTTP status %s: it redirects to %s; if the server is there, give that as its url",
			r.Response.Status, target)}
	case len(via) > 5:
		return &redirected{"it redirects too often"}
	}
	return nil
}

// redirected is a redirection that is not followed.
type redirected struct{ message string }

func (e *redirected) Error() string { return e.message }

// neverSent says that a request cannot have reached the server.
func neverSent(err error) bool {
	e, ok := errors.AsType[*net.OpError](err)
	return ok && e.Op == "dial" // also where the name of its host is not known
}

// limitedBody is a body that fails when it is too long. In a stream, which may go on for ever, the
// limit is for each event: an empty line ends it.
type limitedBody struct {
	io.ReadCloser
	left   int
	x      *exchange
	stream bool
	empty  bool // the line that is being read
}

func (m *limitedBody) Read(p []byte) (int, error) {
	n, err := m.ReadCloser.Read(p)
	m.left -= n
	for i := 0; m.stream && i < n; i++ {
		if p[i] == '\n' && m.empty {
			m.left = MostBytes
		}
		m.empty = p[i] == '\n' || m.empty && p[i] == '\r'
	}
	if m.left < 0 {
		m.x.note(func(s *seen) { s.tooLong = true })
		return 0, errTooLong
	}
	if err != nil && err != io.EOF {
		m.x.note(func(s *seen) { s.cutOff = err })
	}
	return n, err
}

// tags are those of a web page; the last may be cut.
var tags = regexp.MustCompile(`<[^>]*>?|>`)

// excerptOf is the beginning of a text from outside on one line, without the tags of a
// page.
func excerptOf(text string) string {
	return fault.Shorten(strings.Join(strings.Fields(tags.ReplaceAllString(text, " ")), " "), 200)
}
