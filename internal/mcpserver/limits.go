package mcpserver

import (
	"encoding/json"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
)

// What one principal may have at once; over HTTP without tokens that is all clients
// together, on stdin the one that is there.
const (
	maxRequests  = 256 // that are being answered
	maxListeners = 256 // requests subscriptions/listen
	maxAsking    = 64  // calls that wait for what a client is asked: they leave room for others
)

// maxHeaders bounds the headers of a request, in bytes: they are read of everyone.
const maxHeaders = 16 << 10

// maxSubscriptions is how many resources one session, or one request subscriptions/listen,
// may want to hear of.
const maxSubscriptions = 500

// slots count what principals have at once.
type slots struct {
	most int

	mu    sync.Mutex
	taken map[string]int
}

func newSlots(most int) *slots { return &slots{most: most, taken: make(map[string]int)} }

// take takes a slot if there is one. What it returns gives it back, once.
func (s *slots) take(principal string) (free func(), ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[principal] >= s.most {
		return nil, false
	}
	s.taken[principal]++
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.taken[principal]--; s.taken[principal] == 0 {
			delete(s.taken, principal)
		}
	}), true
}

// overLimit is the reply to a request that would be one too many: it names the limit and
// says what to do.
func overLimit(id json.RawMessage, limit string, most int, hint string) *reply {
	e := fault.New(fault.LimitExceeded, "", "the limit %s of %d is reached", limit, most).WithHint(hint)
	return failureWith(id, mcp.JSONRPCErrorDetails{Code: mcp.INTERNAL_ERROR, Message: e.Error(), Data: envelope{e}})
}
