package mcpserver

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
)

// begin makes a session for a client that initializes, or refuses it.
func (e *endpoint) begin(w http.ResponseWriter, r *http.Request, m *message) *session {
	s := e.server
	id := rand.Text()
	client := newSession(s.base, id, principalOf(r.Context()).Principal, SessionPrefix+id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if most := e.config.maxSessions(); len(s.sessions) >= most {
		client.end()
		fail := fault.New(fault.LimitExceeded, "", "%d clients have a session, the most that are allowed", most)
		fail.Hint = "end one, or start the server with a higher --max-sessions"
		w.Header().Set("Retry-After", "60")
		send(w, http.StatusServiceUnavailable, failureWith(m.ID, mcp.JSONRPCErrorDetails{
			Code: mcp.INTERNAL_ERROR, Message: fail.Error(), Data: envelope{fail},
		}).body)
		return nil
	}
	s.sessions[client.id] = client
	return client
}

// find is the session that a request names. It must be of the same principal; to others
// it does not exist.
func (e *endpoint) find(w http.ResponseWriter, r *http.Request) *session {
	id := r.Header.Get(mcp.HeaderSessionID)
	if id == "" {
		http.Error(w, "the header "+mcp.HeaderSessionID+" is missing: initialize first", http.StatusBadRequest)
		return nil
	}
	client := e.server.session(id)
	if client == nil || id == stdioID || client.principal != principalOf(r.Context()).Principal {
		http.Error(w, "there is no such session, or it has ended: initialize again", http.StatusNotFound)
		return nil
	}
	client.touch()
	return client
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
	client.end()
	if there && s.config.SessionEnded != nil && client.id != stdioID {
		s.config.SessionEnded(client.workspace)
	}
}

// sweep ends sessions that have been idle, now and then, until ctx is done.
func (s *Server) sweep(ctx context.Context, idle time.Duration) {
	ticker := time.NewTicker(max(idle/10, time.Second))
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			s.endIdle(now.Add(-idle))
		}
	}
}

// endIdle ends the sessions over HTTP of which nothing was heard since a time, and that
// have nothing open.
func (s *Server) endIdle(since time.Time) {
	s.mu.Lock()
	var old []*session
	for _, client := range s.sessions {
		if last, open := client.idleSince(); !open && last.Before(since) && client.id != stdioID {
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
