package mcpserver

import (
	"encoding/json"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
)

// ResourceUpdated tells the clients that subscribed to a resource that it has changed.
// It never waits; several changes that a client has not seen yet reach it as one.
func (s *Server) ResourceUpdated(uri string) {
	params := updateParams{URI: uri}
	data := notification(mcp.MethodNotificationResourceUpdated, params)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, client := range s.sessions {
		if client.IsSubscribedToResource(uri) {
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

// streamer is an outlet that can show that it lives while there is nothing to say.
type streamer interface{ alive() error }

// listen answers subscriptions/listen: it says what of the wishes is granted, and then
// tells of changes until the client or the server goes.
func (x *exchange) listen() *reply {
	var wanted mcp.SubscriptionFilter
	if raw := x.m.Params.Notifications; len(raw) > 0 && json.Unmarshal(raw, &wanted) != nil {
		return failure(x.m.ID, mcp.INVALID_PARAMS, "notifications must be an object of what to listen to")
	}
	l := &listener{id: x.m.ID, mail: newMailbox()}
	if x.server.config.Resources != nil { // lists of tools and prompts do not change
		l.filter = mcp.SubscriptionFilter{ResourcesListChanged: wanted.ResourcesListChanged, ResourceSubscriptions: wanted.ResourceSubscriptions}
	}
	// Registered before it is granted: a change in between must not be lost.
	x.server.mu.Lock()
	x.server.listeners[l] = true
	x.server.mu.Unlock()
	defer func() {
		x.server.mu.Lock()
		defer x.server.mu.Unlock()
		delete(x.server.listeners, l)
	}()
	write := func(data []byte) error {
		x.mu.Lock()
		defer x.mu.Unlock()
		return x.out.notify(data)
	}
	err := write(notification(mcp.MethodNotificationSubscriptionsAcknowledged, struct {
		Notifications mcp.SubscriptionFilter     `json:"notifications"`
		Meta          map[string]json.RawMessage `json:"_meta"`
	}{l.filter, l.meta()}))
	if err == nil && !l.filter.IsEmpty() {
		var alive func() error
		if s, ok := x.out.(streamer); ok {
			alive = func() error {
				x.mu.Lock()
				defer x.mu.Unlock()
				return s.alive()
			}
		}
		// A client that is gone needs no reply.
		_ = l.mail.pump(x.ctx, x.server.draining, write, alive)
	}
	return success(x.m.ID, mustMarshal(struct {
		Type string                     `json:"resultType"`
		Meta map[string]json.RawMessage `json:"_meta"`
	}{string(mcp.ResultTypeComplete), map[string]json.RawMessage{
		mcp.MetaKeySubscriptionID: l.id, mcp.MetaKeyServerInfo: x.server.identity,
	}}))
}
