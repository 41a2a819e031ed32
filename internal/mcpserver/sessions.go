package mcpserver

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

// begin makes a session for a client that initializes. Where its principal has as many as
// it may, the one that has been idle for longest ends; it is refused when all are in use.
func (e *endpoint) begin(w http.ResponseWriter, r *http.Request, m *message, transport transport) *session {
	s := e.server
	id := rand.Text()
	client := newSession(s.base, id, callerOf(r.Context()).Principal, workspaceOf(r, s.config.SessionPrefix+id))
	client.transport = transport
	client.mail.full = func() { s.endSession(client) }
	s.mu.Lock()
	idlest, count := s.idlest(client.principal)
	room := count < e.share || idlest != nil
	if room {
		if count >= e.share {
			delete(s.sessions, idlest.id)
		}
		s.sessions[client.id] = client
	}
	s.mu.Unlock()
	switch {
	case !room:
		client.end()
		w.Header().Set("Retry-After", "60")
		send(w, http.StatusServiceUnavailable, overLimit(m.ID, "sessions", e.share, "end one: all are in use").body)
		return nil
	case count >= e.share:
		s.ended(idlest)
	}
	return client
}

// idlest is the session of a principal of which nothing has been heard for longest and
// that has nothing open; nil if there is none. Beside it comes how many there are. The
// server is locked.
func (s *Server) idlest(principal string) (idlest *session, count int) {
	var since time.Time
	for _, client := range s.sessions {
		if client.principal != principal {
			continue
		}
		count++
		if last, open := client.idleSince(); !open && (idlest == nil || last.Before(since)) {
			idlest, since = client, last
		}
	}
	return idlest, count
}

// find is the session that a request names. It must be of the same principal, and of the
// transport; to others it does not exist.
func (e *endpoint) find(w http.ResponseWriter, r *http.Request, id string, transport transport) *session {
	client := e.server.session(id)
	if client == nil || client.transport != transport || client.principal != callerOf(r.Context()).Principal {
		http.Error(w, "there is no such session, or it has ended: initialize again", http.StatusNotFound)
		return nil
	}
	client.touch()
	return client
}

// named is the session that the header of a request names.
func (e *endpoint) named(w http.ResponseWriter, r *http.Request) *session {
	id := r.Header.Get(mcp.HeaderSessionID)
	if id == "" {
		http.Error(w, "the header "+mcp.HeaderSessionID+" is missing: initialize first", http.StatusBadRequest)
		return nil
	}
	return e.find(w, r, id, streamable)
}

func (s *Server) session(id string) *session {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.sessions[id]
}

func (s *Server) countSessions() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sessions)
}

// endSession forgets a session, interrupts what it waits for, and drops its workspace.
func (s *Server) endSession(client *session) {
	s.mu.Lock()
	_, there := s.sessions[client.id]
	delete(s.sessions, client.id)
	s.mu.Unlock()
	if there {
		s.ended(client)
	}
}

// ended is the end of a session that was forgotten.
func (s *Server) ended(client *session) {
	client.end()
	if s.config.SessionEnded != nil && client.workspace == s.config.SessionPrefix+client.id {
		s.config.SessionEnded(client.workspace)
	}
}

// sweep ends sessions that have been idle, now and then, until the server stops.
func (s *Server) sweep(idle time.Duration) {
	ticker := time.NewTicker(max(idle/10, time.Second))
	defer ticker.Stop()
	for {
		select {
		case <-s.draining.Done():
			return
		case now := <-ticker.C:
			s.endIdle(now.Add(-idle))
		}
	}
}

// endIdle ends the sessions of which nothing was heard since a time, and that have nothing
// open.
func (s *Server) endIdle(since time.Time) {
	s.mu.Lock()
	var old []*session
	for _, client := range s.sessions {
		if last, open := client.idleSince(); !open && last.Before(since) {
			old = append(old, client)
		}
	}
	s.mu.Unlock()
	for _, client := range old {
		s.endSession(client)
	}
	if len(old) > 0 {
		s.log.Info(fmt.Sprintf("%d idle sessions ended", len(old)))
	}
}
