package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// transport is how a session is reached.
type transport int

const (
	streamable transport = iota
	overSSE              // of 2024-11-05
	overStdio
)

// session is a client: the one at stdin, one that initialized over HTTP, or, in the
// revision without sessions, the sender of one request.
type session struct {
	id        string // "" = of one request
	principal string // whose it is
	workspace string // of requests that name none
	transport transport
	mail      *mailbox        // what no request of the client has caused
	ctx       context.Context // is done when the session ends
	end       context.CancelFunc

	initialized atomic.Bool

	mu         sync.Mutex
	version    string
	level      mcp.LoggingLevel // "" until the client asks for log messages
	subscribed map[string]bool
	inFlight   map[string]*context.CancelCauseFunc // by request
	open       int                                 // streams and requests
	stream     *context.CancelFunc                 // that has the mail, nil = none

	capabilities json.RawMessage            // that the client declared when it initialized
	requests     int                        // to the client, ever
	expected     map[string]chan<- *message // answers of the client, by the id of the request

	lastUsed time.Time
}

// errCancelled is why a context is done when the client has cancelled the request.
var errCancelled = errors.New("cancelled by the client")

func newSession(ctx context.Context, id, principal, workspace string) *session {
	s := &session{
		id: id, principal: principal, workspace: workspace, mail: newMailbox(), lastUsed: time.Now(),
		subscribed: make(map[string]bool), inFlight: make(map[string]*context.CancelCauseFunc),
		expected: make(map[string]chan<- *message),
	}
	s.ctx, s.end = context.WithCancel(ctx)
	return s
}

// begin registers a request, so that the client can cancel it until done is called. Of
// several requests with one id, which the protocol forbids, all are answered, and the
// last can be cancelled.
func (s *session) begin(ctx context.Context, id string) (_ context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.inFlight[id] = &cancel
	s.open++
	return ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.inFlight[id] == &cancel {
			delete(s.inFlight, id)
		}
		s.open--
		s.lastUsed = time.Now()
		cancel(nil)
	}
}

// cancel stops a request that is being answered.
func (s *session) cancel(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel, ok := s.inFlight[id]; ok {
		(*cancel)(errCancelled)
	}
}

// declare notes what the client says that it can be asked for.
func (s *session) declare(capabilities json.RawMessage) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.capabilities = capabilities
}

func (s *session) declared() json.RawMessage {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.capabilities
}

// expect makes the id of a request to the client. Its answer comes through the channel.
func (s *session) expect() (id string, answered <-chan *message, forget func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests++
	id = fmt.Sprintf("ask-%d", s.requests)
	answer := make(chan *message, 1)
	s.expected[id] = answer
	return id, answer, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.expected, id)
	}
}

// answered takes an answer of the client. One that nobody waits for is forgotten.
func (s *session) answered(m *message) {
	id, _ := text(m.ID)
	s.mu.Lock()
	defer s.mu.Unlock()
	if answer, ok := s.expected[id]; ok {
		answer <- m
		delete(s.expected, id) // a second answer has no place in the channel
	}
}

// attach gives the session's mail to a stream, until the context that it returns is done:
// when that of the stream is, when the session ends, or when another stream takes the
// mail. The newest has it, because a client that has lost a stream knows before we do.
func (s *session) attach(stream context.Context) (mine context.Context, detach func()) {
	mine, cancel := context.WithCancel(stream)
	forget := context.AfterFunc(s.ctx, cancel)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stream != nil {
		(*s.stream)()
	}
	s.stream = &cancel
	s.open++
	return mine, func() {
		forget()
		cancel()
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.stream == &cancel {
			s.stream = nil
		}
		s.open--
		s.lastUsed = time.Now()
	}
}

// subscribe begins or ends to tell the client of changes of a resource. It fails where
// there are too many already.
func (s *session) subscribe(uri string, wanted bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case !wanted:
		delete(s.subscribed, uri)
	case s.subscribed[uri]:
	case len(s.subscribed) >= maxSubscriptions:
		return false
	default:
		s.subscribed[uri] = true
	}
	return true
}

func (s *session) subscribedTo(uri string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.subscribed[uri]
}

func (s *session) touch() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lastUsed = time.Now()
}

// idleSince says since when nothing has been asked, and whether something is open.
func (s *session) idleSince() (time.Time, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lastUsed, s.open > 0
}

// What follows is the SDK's view of a session.

var (
	_ server.SessionWithLogging         = (*session)(nil)
	_ server.SessionWithProtocolVersion = (*session)(nil)
)

// SessionID implements [server.ClientSession].
func (s *session) SessionID() string { return s.id }

// NotificationChannel implements [server.ClientSession]. The SDK has nothing to say of
// its own accord: lists of tools and prompts do not change.
func (s *session) NotificationChannel() chan<- mcp.JSONRPCNotification { return nil }

// Initialize implements [server.ClientSession].
func (s *session) Initialize() { s.initialized.Store(true) }

// Initialized implements [server.ClientSession].
func (s *session) Initialized() bool { return s.initialized.Load() }

// SetLogLevel implements [server.SessionWithLogging].
func (s *session) SetLogLevel(level mcp.LoggingLevel) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.level = level
}

// GetLogLevel implements [server.SessionWithLogging].
func (s *session) GetLogLevel() mcp.LoggingLevel {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.level
}

// ProtocolVersion implements [server.SessionWithProtocolVersion].
func (s *session) ProtocolVersion() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

// SetProtocolVersion is called by the SDK when the client has initialized.
func (s *session) SetProtocolVersion(version string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version = version
}
