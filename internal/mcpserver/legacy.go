package mcpserver

import (
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
)

// The transport of 2024-11-05: one stream for everything that the server says, whose
// first event names where to post to. The session lives as long as the stream.

// mailed is the outlet of transports with one stream for everything: this one and stdio.
type mailed struct{ mail *mailbox }

func (o mailed) notify(data []byte) error {
	o.mail.deliver(data)
	return nil
}

func (o mailed) reply(r *reply) {
	if r != nil {
		o.mail.deliver(r.body)
	}
}

// legacyStream is GET /sse.
func (e *endpoint) legacyStream(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodHead { // which a pattern for GET takes too
		w.Header().Set("Allow", "GET")
		http.Error(w, "a stream is read by GET", http.StatusMethodNotAllowed)
		return
	}
	client := e.begin(w, r, &message{}, overSSE)
	if client == nil {
		return
	}
	defer e.server.endSession(client)
	mine, detach := client.attach(r.Context())
	defer detach()
	out := newResponse(w, r)
	if out.begin() != nil || out.event("endpoint", []byte("/messages?sessionId="+client.id)) != nil {
		return
	}
	_ = client.mail.pump(mine, e.server.base, func(data []byte) error { return out.event("message", data) }, out.alive)
}

// legacyPost is POST /messages.
func (e *endpoint) legacyPost(w http.ResponseWriter, r *http.Request) {
	client := e.find(w, r, r.URL.Query().Get("sessionId"), overSSE)
	if client == nil {
		return
	}
	m := readMessage(w, r)
	switch {
	case m == nil:
		return
	case m.modern():
		send(w, http.StatusBadRequest, failure(m.idOrNull(), mcp.INVALID_REQUEST, "this revision is served at /mcp").body)
		return
	case !m.isRequest():
		e.server.notified(client, m)
	default:
		x := e.server.open(client.ctx, client, e.caller(r, client), m, mailed{client.mail})
		switch {
		case x == nil:
		case m.instant(): // initialize comes first
			x.serve()
		default:
			go x.serve()
		}
	}
	w.WriteHeader(http.StatusAccepted)
}
