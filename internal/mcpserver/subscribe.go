package mcpserver

import (
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
)

// ResourceUpdated tells the clients that subscribed to a resource that it has changed.
// It never waits; several changes that a client has not seen yet reach it as one.
func (s *Server) ResourceUpdated(uri string) {
	params := updateParams{URI: uri}
	data := notification(mcp.MethodNotificationResourceUpdated, params)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, client := range s.sessions {
		if client.subscribedTo(uri) {
			client.mail.hint(data)
		}
	}
	for l := range s.listeners {
		if slices.Contains(l.filter.ResourceSubscriptions, uri) {
			l.mail.hint(notification(mcp.MethodNotificationResourceUpdated, updateParams{URI: uri, Meta: l.meta()}))
		}
	}
}

// ResourcesChanged tells all clients that the list of resources has changed.
func (s *Server) ResourcesChanged() {
	data := notification(mcp.MethodNotificationResourcesListChanged, nil)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, client := range s.sessions {
		if client.Initialized() {
			client.mail.hint(data)
		}
	}
	for l := range s.listeners {
		if l.filter.ResourcesListChanged {
			l.mail.hint(notification(mcp.MethodNotificationResourcesListChanged, updateParams{Meta: l.meta()}))
		}
	}
}

type updateParams struct {
	URI  string                     `json:"uri,omitempty"`
	Meta map[string]json.RawMessage `json:"_meta,omitempty"`
}

// listener is a request subscriptions/listen: in the revision without sessions it is how
// a client hears of changes.
type listener struct {
	id     json.RawMessage
	filter mcp.SubscriptionFilter
	mail   *mailbox
}

// meta says which request a message belongs to.
func (l *listener) meta() map[string]json.RawMessage {
	return map[string]json.RawMessage{mcp.MetaKeySubscriptionID: l.id}
}

// subscribe answers resources/subscribe and resources/unsubscribe.
func (x *exchange) subscribe(wanted bool) *reply {
	uri, ok := text(x.m.Params.URI)
	if !ok || uri == "" {
		return failure(x.m.ID, mcp.INVALID_PARAMS, "uri must be the URI of a resource")
	}
	if wanted && !x.server.config.Resources.Possible(uri) {
		return x.refuse(fault.New(fault.NotFound, "uri", "there can be nothing at %.120q", uri), mcp.INVALID_PARAMS, "")
	}
	if !x.from.subscribe(uri, wanted) {
		return overLimit(x.m.ID, "subscriptions", maxSubscriptions, "unsubscribe from a resource")
	}
	return x.finish([]byte("{}"), false)
}

// listen answers subscriptions/listen: it says what of the wishes is granted, and then
// tells of changes until the client or the server goes.
func (x *exchange) listen() *reply {
	var wanted mcp.SubscriptionFilter
	if raw := x.m.Params.Notifications; len(raw) > 0 && json.Unmarshal(raw, &wanted) != nil {
		return failure(x.m.ID, mcp.INVALID_PARAMS, "notifications must be an object of what to listen to")
	}
	// A stream is for long, and counts apart from requests, which are answered soon.
	free, ok := x.server.listening.take(x.by.Principal)
	if !ok {
		return overLimit(x.m.ID, "listening_requests", maxListeners, "cancel one")
	}
	defer free()
	x.free()
	l := &listener{id: x.m.ID, mail: newMailbox()}
	if resources := x.server.config.Resources; resources != nil { // lists of tools and prompts do not change
		l.filter.ResourcesListChanged = wanted.ResourcesListChanged
		for _, uri := range wanted.ResourceSubscriptions {
			if resources.Possible(uri) && len(l.filter.ResourceSubscriptions) < maxSubscriptions {
				l.filter.ResourceSubscriptions = append(l.filter.ResourceSubscriptions, uri)
			}
		}
	}
	granted := notification(string(mcp.MethodNotificationSubscriptionsAcknowledged), struct {
		Notifications mcp.SubscriptionFilter     `json:"notifications"`
		Meta          map[string]json.RawMessage `json:"_meta"`
	}{l.filter, l.meta()})
	defer x.server.forget(l)
	switch out := x.out.(type) {
	case mailed: // one stream for everything, which has a pump
		l.mail = out.mail
		x.server.register(l, granted)
		if !l.filter.IsEmpty() {
			select {
			case <-x.ctx.Done():
			case <-x.server.draining.Done():
			}
		}
	case *response:
		x.server.register(l, granted)
		x.pump(l, out)
	}
	return success(x.m.ID, mustMarshal(struct {
		Type string                     `json:"resultType"`
		Meta map[string]json.RawMessage `json:"_meta"`
	}{string(mcp.ResultTypeComplete), map[string]json.RawMessage{
		mcp.MetaKeySubscriptionID: l.id, mcp.MetaKeyServerInfo: x.server.identity,
	}}))
}

// register makes a listener known. What it is granted is said first, and no change in
// between is lost.
func (s *Server) register(l *listener, granted []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	l.mail.deliver(granted)
	s.listeners[l] = true
}

func (s *Server) forget(l *listener) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.listeners, l)
}

// pump writes the mail of a listener to its own stream. A client that is gone needs no
// reply.
func (x *exchange) pump(l *listener, out *response) {
	guarded := func(write func() error) error {
		x.mu.Lock()
		defer x.mu.Unlock()
		return write()
	}
	if l.filter.IsEmpty() {
		l.mail.close()
	}
	_ = l.mail.pump(x.ctx, x.server.draining, func(data []byte) error {
		return guarded(func() error { return out.notify(data) })
	}, func() error { return guarded(out.alive) })
}
