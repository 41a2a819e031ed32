package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"

	"econ-mcp/internal/fault"
)

// Settings of a hub. The zero value has no version and no log.
type Settings struct {
	Version string       // of the host, as servers are told
	Log     *slog.Logger // nil = none
}

// Hub holds the connections to servers. They are made when they are needed, and again when one
// has died. It is safe for many goroutines.
type Hub struct {
	settings Settings
	peers    []*peer
	calls    atomic.Int64
	open     context.Context // ends with Close
	end      context.CancelFunc
	changed  func(server string)
}

// peer is a server and its connection.
type peer struct {
	server     Server
	problem    *Error              // of its configuration; nil = none
	connecting *semaphore.Weighted // of one: who has it may connect
	conn       atomic.Pointer[connection]
	last       atomic.Pointer[Error] // the last error; nil = none, or it works again
}

// NewHub is a hub for the active servers of a configuration, without any connection yet.
func NewHub(servers []Server, s Settings) *Hub {
	if s.Log == nil {
		s.Log = slog.New(slog.DiscardHandler)
	}
	h := &Hub{settings: s, changed: func(string) {}}
	h.open, h.end = context.WithCancel(context.Background())
	for _, server := range servers {
		if server.Active {
			p := &peer{server: server, connecting: semaphore.NewWeighted(1)}
			if e := server.Problem; e != nil {
				p.problem = &Error{Layer: LayerConfiguration, Server: server.ID}
				p.problem.Message = fmt.Sprintf("server '%s' cannot be used: %s", server.ID, e.Error())
				p.last.Store(p.problem)
			}
			h.peers = append(h.peers, p)
		}
	}
	return h
}

// Status is how a connection is.
type Status struct {
	Server    string    `json:"server"`
	Transport Transport `json:"transport"`
	Connected bool      `json:"connected"`
	Protocol  string    `json:"protocol,omitempty"` // version
	Name      string    `json:"name,omitempty"`     // of the server, by itself
	Error     *Error    `json:"error,omitempty"`    // the last one
}

// Servers tells how the connections are, in the order of the configuration.
func (h *Hub) Servers() []Status {
	list := []Status{}
	for _, p := range h.peers {
		s := Status{Server: p.server.ID, Transport: p.server.Transport, Error: p.last.Load()}
		if c := p.conn.Load(); c != nil && !c.lost.Load() {
			s.Connected, s.Protocol, s.Name, s.Transport = true, c.protocol, c.name, c.server.Transport
		}
		list = append(list, s)
	}
	return list
}

// IDs are the servers in the order of the configuration.
func (h *Hub) IDs() (ids []string) {
	for _, p := range h.peers {
		ids = append(ids, p.server.ID)
	}
	return ids
}

func (h *Hub) peer(id string) (*peer, *Error) {
	for _, p := range h.peers {
		if p.server.ID == id {
			return p, nil
		}
	}
	return nil, &Error{Layer: LayerUnknown, Message: fmt.Sprintf("there is no active server '%s'", id), Nearest: fault.Nearest(id, h.IDs(), 3)}
}

// OnChanged sets the function that is called when a server announces changed tools. It has to be
// set before the first connection.
func (h *Hub) OnChanged(f func(server string)) { h.changed = f }

// Connect connects to a server, if it is not.
func (h *Hub) Connect(ctx context.Context, id string) error {
	nothing := func(*connection) *Error { return nil }
	return orNil(h.attempts(ctx, id, h.settings.Log.With("server", id), true, nothing))
}

func orNil(e *Error) error {
	if e == nil {
		return nil
	}
	return e
}

// connection is the living connection to a server; one that has died is replaced.
func (h *Hub) connection(ctx context.Context, p *peer) (*connection, *Error) {
	if p.problem != nil {
		return nil, p.problem
	}
	if p.connecting.Acquire(ctx, 1) != nil {
		return nil, &Error{Layer: LayerCancelled, Server: p.server.ID, Message: "cancelled", Err: context.Cause(ctx)}
	}
	defer p.connecting.Release(1)
	c := p.conn.Load()
	if c != nil && !c.lost.Load() {
		return c, nil
	}
	if c != nil {
		c.close()
	}
	began := time.Now()
	c, err := dial(ctx, p.server, h.settings, func() { h.changed(p.server.ID) })
	if err != nil {
		err.Message = fmt.Sprintf("auto-connect failed for server '%s': %s", p.server.ID, err.Message)
		err.Sent = false
		return nil, err
	}
	log := h.settings.Log.With("server", p.server.ID, "transport", p.server.Transport)
	log.Info("connected", "protocol", c.protocol, "duration", time.Since(began))
	p.conn.Store(c)
	if h.open.Err() != nil { // Close may not have seen it
		c.close()
	}
	return c, nil
}

// mayPass says whether another attempt may succeed: after a refused connection or from a busy
// server it may; not with a command that does not exist or a wrong address, nor if the server asks
// to wait longer than longestPause.
func mayPass(e *Error) bool {
	switch {
	case e.retryAfter > longestPause:
		return false
	case e.Layer == LayerConnection:
		return !errors.Is(e.Err, errNoCommand)
	case e.Layer == LayerHTTP:
		return e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooManyRequests || e.Status >= 500
	}
	// Servers send such a status with the body of a JSON-RPC error, too.
	return e.Layer == LayerRPC && (e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable)
}

// attempts makes a request to a server, connecting first if necessary. What fails in a way that may
// pass is repeated as often as the configuration says, if the request is repeatable or was not sent.
func (h *Hub) attempts(
	ctx context.Context, id string, log *slog.Logger, repeatable bool, request func(*connection) *Error,
) *Error {
	p, e := h.peer(id)
	if e != nil {
		return e
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(h.open, func() { cancel(errClosed) })()
	for attempt := 0; ; attempt++ {
		c, e := h.connection(ctx, p)
		if e == nil {
			e = request(c)
		}
		p.last.Store(e)
		if e == nil {
			return nil
		}
		again := attempt < p.server.Retries && mayPass(e) && (repeatable || !e.Sent)
		log.Warn("a request failed", "layer", e.Layer, "error", e.Message, "attempt", attempt+1, "again", again)
		if !again || !Pause(ctx, attempt, e.retryAfter) {
			return e
		}
	}
}

// List asks a server for all its tools.
func (h *Hub) List(ctx context.Context, id string) (listing Listing, err error) {
	e := h.attempts(ctx, id, h.settings.Log.With("server", id), true, func(c *connection) (e *Error) {
		listing, e = c.list(ctx)
		return e
	})
	return listing, orNil(e)
}

// Call is a call of a tool.
type Call struct {
	ID         string // of the call in logs and transcripts
	Server     string
	Tool       string
	Arguments  json.RawMessage // an object; empty = none
	Timeout    time.Duration   // without progress; 0 = the server's
	Repeatable bool            // it may be sent again where it is not known whether it was carried out; see [Hints.Repeatable]
	Progress   func(done, total float64, message string)

	token string // of its progress: unlike any other of the connection
}

// Call calls a tool on a server, to which it connects first if it must. A result whose
// IsError is set is an [Error] of [LayerTool], beside the result. Where the call cannot have
// been carried out, as the connection failed before or the server was busy (429), it is tried
// again; where it may have been, only if the call is repeatable, and else the error says so. A
// call that took too long is not repeated.
func (h *Hub) Call(ctx context.Context, call Call) (result Result, err error) {
	call.token = fmt.Sprintf("%s-%d", call.ID, h.calls.Add(1))
	log := h.settings.Log.With("call", call.ID, "server", call.Server, "tool", call.Tool)
	log.Debug("calling", "arguments", Cut(string(call.Arguments)))
	var complaint string
	e := h.attempts(ctx, call.Server, log, call.Repeatable, func(c *connection) (e *Error) {
		result, complaint, e = c.call(ctx, call)
		return e
	})
	if e == nil && result.IsError {
		return result, &Error{Layer: LayerTool, Server: call.Server, Tool: call.Tool, Message: complaint, Sent: true}
	}
	if e == nil {
		return result, nil
	}
	failed := *e // others may hold the same error
	failed.Tool = call.Tool
	failed.MayHaveRun = failed.Sent && !call.Repeatable && failed.unsure()
	return Result{}, &failed
}

// Read reads a resource of a server, such as the long result that a resource link of a
// result names.
func (h *Hub) Read(ctx context.Context, server, uri string) (contents []Content, err error) {
	e := h.attempts(ctx, server, h.settings.Log.With("server", server), true, func(c *connection) (e *Error) {
		contents, e = c.read(ctx, uri)
		return e
	})
	return contents, orNil(e)
}

// Cut prepares a value for a log: one that may hold a secret is left out, a long one is cut.
func Cut(value string) string {
	const most = 200
	if tellsSecret(value) {
		return fmt.Sprintf("(%d bytes, left out as they may tell a secret)", len(value))
	}
	if len(value) > most {
		return fmt.Sprintf("%s… (%d bytes)", strings.ToValidUTF8(value[:most], ""), len(value))
	}
	return value
}

var errClosed = errors.New("the hub is closed")

// Close ends all connections and the processes behind them; from then on there are none.
func (h *Hub) Close() {
	h.end()
	var wait sync.WaitGroup
	for _, p := range h.peers {
		if c := p.conn.Load(); c != nil {
			wait.Go(c.close)
		}
	}
	wait.Wait()
}
