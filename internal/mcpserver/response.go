package mcpserver

import (
	"errors"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// response is the outlet of a request over HTTP: its reply is a JSON body, unless there
// is something to say before; then all of it is a stream of events.
type response struct {
	w         http.ResponseWriter
	control   *http.ResponseController
	sessionID string // to tell the client
	modern    bool
	streams   bool // the client takes a stream
	begun     bool
}

func newResponse(w http.ResponseWriter, r *http.Request) *response {
	return &response{
		w: w, control: http.NewResponseController(w),
		modern:  mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)),
		streams: accepts(r, "text/event-stream"),
	}
}

// begin starts a stream of events.
func (o *response) begin() error {
	if o.begun {
		return nil
	}
	o.begun = true
	o.extend()
	h := o.w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Accel-Buffering", "no") // proxies pass each event on at once
	o.w.WriteHeader(http.StatusOK)
	return o.control.Flush()
}

// errOneReply is why nothing can be said before a reply.
var errOneReply = errors.New("the client takes one JSON body, no stream")

func (o *response) notify(data []byte) error {
	if !o.streams {
		return errOneReply
	}
	if err := o.begin(); err != nil {
		return err
	}
	return o.event("message", data)
}

// event writes an event. The data are one line, as JSON is that we encode.
func (o *response) event(name string, data []byte) error {
	b := make([]byte, 0, len(data)+len(name)+20)
	b = append(b, "event: "...)
	b = append(b, name...)
	b = append(b, "\ndata: "...)
	b = append(b, data...)
	return o.write(append(b, "\n\n"...))
}

// alive writes a comment, which clients ignore.
func (o *response) alive() error { return o.write([]byte(": alive\n\n")) }

func (o *response) write(b []byte) error {
	o.extend()
	if _, err := o.w.Write(b); err != nil {
		return err
	}
	return o.control.Flush()
}

// extend gives the client time for what is written next.
func (o *response) extend() { _ = o.control.SetWriteDeadline(time.Now().Add(writeTime)) }

func (o *response) reply(r *reply) {
	switch {
	case r == nil && o.begun:
	case r == nil && o.streams: // cancelled: the stream ends without a reply
		_ = o.begin()
	case r == nil:
		o.w.WriteHeader(http.StatusNoContent)
	case o.begun:
		_ = o.event("message", r.body) // a client that is gone needs no reply
	default:
		if o.sessionID != "" && r.code == 0 {
			o.w.Header().Set(mcp.HeaderSessionID, o.sessionID)
		}
		status := http.StatusOK
		if o.modern {
			status = statusOf(r.code)
		}
		send(o.w, status, r.body)
	}
}

// statusOf is the HTTP status of a JSON-RPC error, as the newest revision has it.
func statusOf(code int) int {
	switch code {
	case mcp.METHOD_NOT_FOUND:
		return http.StatusNotFound
	case mcp.HEADER_MISMATCH, mcp.MISSING_REQUIRED_CLIENT_CAPABILITY, mcp.UNSUPPORTED_PROTOCOL_VERSION,
		mcp.INVALID_REQUEST, mcp.INVALID_PARAMS, mcp.PARSE_ERROR:
		return http.StatusBadRequest
	}
	return http.StatusOK
}
