package mcpserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
	"econ-mcp/tools"
)

// HTTPConfig is how a server is reached over HTTP.
type HTTPConfig struct {
	Addr           string   // host:port to listen on
	Tokens         []Token  // who may call; none = everyone
	Insecure       bool     // listens beyond this machine without tokens
	LegacySSE      bool     // serves the transport of 2024-11-05 too: GET /sse, POST /messages
	AllowedHosts   []string // names of the server beside localhost
	AllowedOrigins []string // web pages that may call it, such as https://example.org

	MaxSessions int           // at once; 0 = 1,000
	SessionIdle time.Duration // after which a session ends; 0 = one hour
}

const (
	headerTime = 10 * time.Second // to send the headers of a request
	bodyTime   = 30 * time.Second // to send its body
	idleTime   = 2 * time.Minute  // of a connection between requests
	writeTime  = 30 * time.Second // for a client to take a message
)

// Listen answers clients on HTTP until ctx is done, and then within five seconds ends:
// calls in flight have a moment to answer, and the domain saves its state. ready is
// called with the address when clients can connect; it may be nil.
func (s *Server) Listen(ctx context.Context, c HTTPConfig, ready func(addr string)) error {
	if !isLoopback(c.Addr) && len(c.Tokens) == 0 && !c.Insecure {
		e := fault.New(fault.InvalidState, "--addr", "%s can be reached from other machines, and there are no tokens", c.Addr)
		e.Hint = "give --auth-token-file, or listen on 127.0.0.1, or say --insecure where the network itself is guarded"
		return e
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	web := &http.Server{
		Handler:           s.Handler(c),
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
	}
	sweeping, stopSweeping := context.WithCancel(ctx)
	defer stopSweeping()
	go s.sweep(sweeping, c.sessionIdle())
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	if ready != nil {
		ready(listener.Addr().String())
	}
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	s.drain()
	answering, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime)
	defer cancel()
	if web.Shutdown(answering) != nil {
		s.stop() // interrupts the calls; they say so to their clients
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), answerTime/4)
		defer cancel()
		if web.Shutdown(last) != nil {
			err = errors.Join(err, web.Close())
		}
	}
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTime)
	defer cancel()
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return errors.Join(err, s.close(closing))
}

func (c HTTPConfig) sessionIdle() time.Duration {
	if c.SessionIdle > 0 {
		return c.SessionIdle
	}
	return time.Hour
}

func (c HTTPConfig) maxSessions() int {
	if c.MaxSessions > 0 {
		return c.MaxSessions
	}
	return 1000
}

// Handler answers the requests of [Server.Listen]: /mcp and /mcp/w/{workspace} for
// clients, /metrics, /healthz and /readyz for those who run the server.
func (s *Server) Handler(c HTTPConfig) http.Handler {
	e := &endpoint{server: s, config: c}
	inside := http.NewServeMux()
	inside.Handle("/mcp", e)
	inside.Handle("/mcp/w/{workspace}", e)
	inside.Handle("GET /metrics", s.metrics.handler())
	if c.LegacySSE {
		inside.HandleFunc("GET /sse", e.legacyStream)
		inside.HandleFunc("POST /messages", e.legacyPost)
	}
	outside := http.NewServeMux()
	outside.Handle("/", newGuard(c).wrap(inside))
	// Those who look whether the server lives know neither its name nor a token.
	outside.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	outside.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if s.draining.Err() != nil {
			http.Error(w, "stopping", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return outside
}

// endpoint is the streamable HTTP transport, in the revisions with sessions and without.
type endpoint struct {
	server *Server
	config HTTPConfig
}

// ServeHTTP implements [http.Handler].
func (e *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	version := r.Header.Get(mcp.HeaderProtocolVersion)
	modern := mcp.IsModernProtocol(version)
	switch {
	case r.Method == http.MethodPost:
		e.post(w, r)
	case modern:
		w.Header().Set("Allow", "POST")
		http.Error(w, "revisions without sessions know POST only: subscriptions/listen is for changes", http.StatusMethodNotAllowed)
	case r.Method != http.MethodGet && r.Method != http.MethodDelete:
		w.Header().Set("Allow", "GET, POST, DELETE")
		http.Error(w, "send messages by POST", http.StatusMethodNotAllowed)
	case version != "" && !mcp.IsValidProtocolVersion(version):
		http.Error(w, "unsupported protocol version "+printable(version), http.StatusBadRequest)
	case r.Method == http.MethodGet:
		e.stream(w, r)
	default:
		if client := e.find(w, r); client != nil {
			e.server.endSession(client)
			w.WriteHeader(http.StatusNoContent)
		}
	}
}

// post takes a message.
func (e *endpoint) post(w http.ResponseWriter, r *http.Request) {
	body, ok := readBody(w, r)
	if !ok {
		return
	}
	m, bad := parse(body)
	if bad != nil {
		send(w, http.StatusBadRequest, bad.body)
		return
	}
	if mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) || m.modern() {
		e.postModern(w, r, m)
		return
	}
	if version := r.Header.Get(mcp.HeaderProtocolVersion); version != "" && !mcp.IsValidProtocolVersion(version) {
		send(w, http.StatusBadRequest, failure(m.idOrNull(), mcp.INVALID_REQUEST, "unsupported protocol version "+printable(version)).body)
		return
	}
	begins := m.Method == string(mcp.MethodInitialize) && m.isRequest()
	var client *session
	if begins {
		client = e.begin(w, r, m)
	} else {
		client = e.find(w, r)
	}
	if client == nil {
		return
	}
	if !m.isRequest() {
		e.server.notified(client, m)
		w.WriteHeader(http.StatusAccepted)
		return
	}
	out := newResponse(w, r)
	if begins {
		out.sessionID = client.id
	}
	// A connection that breaks does not cancel a call of a session: the client says so.
	e.server.open(client.ctx, client, m, out).serve()
	if begins && !client.Initialized() {
		e.server.endSession(client)
	}
}

// postModern takes a message of the revision without sessions. What it says of itself
// stands in headers too, for those who route it on the way: they must agree.
func (e *endpoint) postModern(w http.ResponseWriter, r *http.Request, m *message) {
	header, body := r.Header.Get(mcp.HeaderProtocolVersion), m.Params.Meta.Version
	refuse := func(code int, text string) { send(w, http.StatusBadRequest, failure(m.idOrNull(), code, text).body) }
	switch {
	case m.isResponse():
		refuse(mcp.INVALID_REQUEST, "in this revision clients are asked by results, and answer in their next request")
		return
	case !m.isRequest():
		w.WriteHeader(http.StatusAccepted) // a request is cancelled by closing its connection
		return
	case header == "":
		refuse(mcp.HEADER_MISMATCH, mcp.HeaderProtocolVersion+" is missing")
		return
	case body == "":
		refuse(mcp.INVALID_PARAMS, "missing or invalid _meta field "+mcp.MetaKeyProtocolVersion)
		return
	case header != body:
		refuse(mcp.HEADER_MISMATCH, fmt.Sprintf("%s is %s, but %s is %s", mcp.HeaderProtocolVersion, printable(header), mcp.MetaKeyProtocolVersion, body))
		return
	case r.Header.Get(mcp.HeaderLastEventID) != "":
		refuse(mcp.HEADER_MISMATCH, "streams cannot be resumed: send the request again with another id")
		return
	}
	if err := e.server.checkHeaders(r.Header, m); err != nil {
		refuse(mcp.HEADER_MISMATCH, err.Error())
		return
	}
	client := newSession(r.Context(), "")
	defer client.end()
	stop := context.AfterFunc(e.server.base, client.end)
	defer stop()
	client.admit(e, r)
	e.server.open(client.ctx, client, m, newResponse(w, r)).serve()
}

// checkHeaders compares headers with what they repeat of the message.
func (s *Server) checkHeaders(header http.Header, m *message) error {
	version := m.Params.Meta.Version
	if !mcp.IsValidProtocolVersion(version) {
		return nil // that is what is wrong with it
	}
	params := struct {
		Name      json.RawMessage `json:"name,omitempty"`
		URI       json.RawMessage `json:"uri,omitempty"`
		Arguments json.RawMessage `json:"arguments,omitempty"`
	}{Name: m.Params.Name, URI: m.Params.URI}
	err := mcp.ValidateStandardHeaders(header.Get, version, mcp.MCPMethod(m.Method), mustMarshal(params))
	if err != nil || m.Method != string(mcp.MethodToolsCall) {
		return err
	}
	name, _ := text(m.Params.Name)
	tool := s.tools[name]
	if tool == nil || tool.mirrored == nil {
		return nil
	}
	params.Arguments = m.Params.Arguments
	return mcp.ValidateParamHeadersLookup(func(name string) (string, bool) {
		values := header.Values(name)
		return strings.Join(values, ","), len(values) > 0
	}, tool.mirrored, mustMarshal(params))
}

var workspacePattern = regexp.MustCompile(tools.Name("").Pattern())

// admit says whose workspace a client edits: that of the path, else its session's, else
// its principal's, else the one of all. Workspaces of a principal are its own.
func (s *session) admit(e *endpoint, r *http.Request) {
	token := principalOf(r.Context())
	s.principal, s.readOnly = token.Principal, token.ReadOnly
	named := r.PathValue("workspace")
	switch {
	case named != "" && s.principal != "":
		s.workspace = s.principal + "/" + named
	case named != "":
		s.workspace = named
	case s.id != "":
		s.workspace = SessionPrefix + s.id
	case s.principal != "":
		s.workspace = s.principal
	default:
		s.workspace = e.server.config.Workspace
	}
}

// readBody reads a message, and answers itself if there is none.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if named := r.PathValue("workspace"); named != "" && !workspacePattern.MatchString(named) {
		http.Error(w, "the name of a workspace matches "+workspacePattern.String(), http.StatusBadRequest)
		return nil, false
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		http.Error(w, "Content-Type must be application/json", http.StatusUnsupportedMediaType)
		return nil, false
	}
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(bodyTime)) // where the connection has none, there is no need
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			send(w, http.StatusRequestEntityTooLarge, failure(nil, mcp.INVALID_REQUEST, fmt.Sprintf("a message has at most %d bytes", maxMessage)).body)
		}
		return nil, false
	}
	_ = control.SetReadDeadline(time.Time{})
	return body, true
}

func send(w http.ResponseWriter, status int, body []byte) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that is gone needs no answer
}

// stream is the GET of a session: what no request has caused.
func (e *endpoint) stream(w http.ResponseWriter, r *http.Request) {
	if !accepts(r, "text/event-stream") {
		http.Error(w, "a stream is text/event-stream: accept it", http.StatusNotAcceptable)
		return
	}
	client := e.find(w, r)
	if client == nil {
		return
	}
	detach, ok := client.attach()
	if !ok {
		http.Error(w, "the session has a stream already", http.StatusConflict)
		return
	}
	defer detach()
	gone, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(client.ctx, cancel)()
	out := newResponse(w, r)
	if out.begin() == nil {
		_ = client.mail.pump(gone, e.server.draining, out.notify, out.alive)
	}
}

// accepts says whether the client takes a type; one that says nothing takes all.
func accepts(r *http.Request, kind string) bool {
	header := strings.Join(r.Header.Values("Accept"), ",")
	if header == "" {
		return true
	}
	for part := range strings.SplitSeq(header, ",") {
		offered, _, _ := strings.Cut(strings.TrimSpace(part), ";")
		group, _, _ := strings.Cut(kind, "/")
		if strings.EqualFold(offered, kind) || offered == "*/*" || strings.EqualFold(offered, group+"/*") {
			return true
		}
	}
	return false
}
