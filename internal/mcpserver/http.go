package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
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

	MaxConnections           int // at once; 0 = 2,000
	MaxConnectionsPerAddress int // of one address; 0 = 500, and on this machine as many as in all
}

// Check refuses a configuration with which a server should not listen: an address that is
// none, or one that strangers can reach without a token.
func (c HTTPConfig) Check() error {
	_, port, err := net.SplitHostPort(c.Addr)
	if err == nil {
		_, err = net.LookupPort("tcp", port)
	}
	if err != nil {
		return fault.New(fault.WrongType, "--addr", "%q is not an address to listen on: %v", c.Addr, err).
			WithHint("give host and port, such as 127.0.0.1:8000")
	}
	if !IsLoopback(c.Addr) && len(c.Tokens) == 0 && !c.Insecure {
		return fault.New(fault.InvalidState, "--addr", "%s can be reached from other machines, and there are no tokens", c.Addr).
			WithHint("give --auth-token-file, or listen on 127.0.0.1, or say --insecure where the network itself is guarded")
	}
	return nil
}

// Listen answers clients on HTTP until ctx is done, and then within five seconds ends:
// calls in flight have a moment to answer, and the domain saves its state. ready is
// called with the address when clients can connect; it may be nil.
func (s *Server) Listen(ctx context.Context, c HTTPConfig, ready func(addr string)) error {
	if err := c.Check(); err != nil {
		return s.abandon(ctx, err)
	}
	listener, err := net.Listen("tcp", c.Addr)
	if err != nil {
		return s.abandon(ctx, fmt.Errorf("listening: %w", err))
	}
	if ready != nil {
		ready(listener.Addr().String())
	}
	return s.Serve(ctx, c, listener)
}

// Serve is [Server.Listen] on a listener that is open already. Its address should be that of the
// configuration, by which the guard judges hosts and origins, and it is not checked.
func (s *Server) Serve(ctx context.Context, c HTTPConfig, listener net.Listener) error {
	web := &http.Server{
		Handler:           s.Handler(c),
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeaders,
		ErrorLog:          slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),

		DisableGeneralOptionsHandler: true, // it would answer strangers, and keep their connections
	}
	s.connections.bound(web, c)
	go s.sweep(cmp.Or(c.SessionIdle, time.Hour))
	served := make(chan error, 1)
	go func() { served <- web.Serve(listener) }()
	var err error
	select {
	case err = <-served:
	case <-ctx.Done():
	}
	s.drain()
	s.connections.closeStrangers()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	halted := s.halt(last)
	if !shutdown(web, last) {
		s.stop() // interrupts the calls; they say so to their clients
		if !shutdown(web, last) {
			s.log.Warn("the server stops although clients have not read their answers")
			web.Close()
		}
	}
	return errors.Join(err, <-halted, s.close())
}

// shutdown gives requests a moment to be answered, and says whether they were.
func shutdown(web *http.Server, last context.Context) bool {
	moment, cancel := context.WithTimeout(last, answerTime)
	defer cancel()
	return web.Shutdown(moment) == nil
}

// share is how many sessions each principal may have: all have the same, so that none
// can take those of others.
func (c HTTPConfig) share() int {
	principals := make(map[string]bool)
	for _, t := range c.Tokens {
		principals[t.Principal] = true
	}
	return max(1, cmp.Or(c.MaxSessions, 1000)/max(1, len(principals)))
}

// Handler answers the requests of [Server.Listen]: /mcp and /mcp/w/{workspace} for
// clients, /metrics, /healthz and /readyz for those who run the server.
func (s *Server) Handler(c HTTPConfig) http.Handler {
	e := &endpoint{server: s, share: c.share()}
	inside := http.NewServeMux()
	inside.Handle("/mcp", e)
	inside.Handle("/mcp/w/{workspace}", e)
	inside.Handle("GET /metrics", s.metrics.handler())
	if c.LegacySSE {
		inside.HandleFunc("GET /sse", e.legacyStream)
		inside.HandleFunc("POST /messages", e.legacyPost)
	}
	guard := newGuard(c)
	guarded, site := guard.wrap(inside), guard.named(s.untilDraining(s.config.Site))
	return withDeadlines(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/healthz", "/readyz":
			s.health(w, r)
		default: // the mux, too, would answer: it sends clients to tidier paths
			if _, pattern := inside.Handler(r); pattern == "" && s.config.Site != nil && !strings.HasPrefix(r.URL.Path, "/mcp") {
				site.ServeHTTP(w, r)
				return
			}
			guarded.ServeHTTP(w, r)
		}
	}))
}

// untilDraining ends requests, such as streams of events, when the server does.
func (s *Server) untilDraining(site http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		defer context.AfterFunc(s.draining, cancel)()
		site.ServeHTTP(w, r.WithContext(ctx))
	})
}

// health tells those who look whether the server lives, who know neither its name nor a
// token.
func (s *Server) health(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Connection", "close") // they may be anyone
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuse(w, http.StatusMethodNotAllowed, "look by GET")
	case r.URL.Path == "/readyz" && s.draining.Err() != nil:
		http.Error(w, "stopping", http.StatusServiceUnavailable)
	default:
		fmt.Fprintln(w, "ok")
	}
}

// endpoint is the HTTP transports, in the revisions with sessions and without.
type endpoint struct {
	server *Server
	share  int // of sessions, for each principal
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
		if client := e.named(w, r); client != nil {
			e.server.endSession(client)
			w.WriteHeader(http.StatusNoContent)
		}
	}
}

// post takes a message.
func (e *endpoint) post(w http.ResponseWriter, r *http.Request) {
	m := readMessage(w, r)
	if m == nil {
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
		client = e.begin(w, r, m, streamable)
	} else {
		client = e.named(w, r)
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
	if x := e.server.open(client.ctx, client, e.caller(r, client), m, out); x != nil {
		x.serve()
	}
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
		refuse(mcp.HEADER_MISMATCH, fmt.Sprintf("%s is %s, but %s is %s", mcp.HeaderProtocolVersion, printable(header),
			mcp.MetaKeyProtocolVersion, body))
		return
	case r.Header.Get(mcp.HeaderLastEventID) != "":
		refuse(mcp.HEADER_MISMATCH, "streams cannot be resumed: send the request again with another id")
		return
	}
	if err := e.server.checkHeaders(r.Header, m); err != nil {
		refuse(mcp.HEADER_MISMATCH, err.Error())
		return
	}
	principal, workspace := callerOf(r.Context()).Principal, e.server.config.Workspace
	if principal != "" {
		workspace = workspaceIn(principal, DefaultWorkspace)
	}
	client := newSession(r.Context(), "", principal, workspace)
	defer client.end()
	stop := context.AfterFunc(e.server.base, client.end)
	defer stop()
	if x := e.server.open(client.ctx, client, e.caller(r, client), m, newResponse(w, r)); x != nil {
		x.serve()
	}
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

// caller is the sender of a request of a session: it edits the workspace that the path
// names, else that of the session.
func (e *endpoint) caller(r *http.Request, client *session) caller {
	return caller{callerOf(r.Context()), workspaceOf(r, client.workspace)}
}

// workspaceOf is the workspace that a path names, if it does. Workspaces of a principal
// are its own.
func workspaceOf(r *http.Request, unnamed string) string {
	named := r.PathValue("workspace")
	if named == "" {
		return unnamed
	}
	return workspaceIn(callerOf(r.Context()).Principal, named)
}

// workspaceIn is the workspace of a principal under a name. Names hold no slash, so that none of
// the operator, whose principal is "", is another's.
func workspaceIn(principal, name string) string {
	if principal == "" {
		return name
	}
	return principal + "/" + name
}

// readMessage reads a message. It answers itself if there is none, and returns nil.
func readMessage(w http.ResponseWriter, r *http.Request) *message {
	body, ok := readBody(w, r)
	if !ok {
		return nil
	}
	m, bad := parse(body)
	if bad != nil {
		send(w, http.StatusBadRequest, bad.body)
	}
	return m
}

// readBody reads what a message is to be, and answers itself if there is nothing.
func readBody(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	if named := r.PathValue("workspace"); named != "" && !namePattern.MatchString(named) {
		refuse(w, http.StatusBadRequest, "the name of a workspace matches "+namePattern.String())
		return nil, false
	}
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "Content-Type must be application/json")
		return nil, false
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxMessage))
	if err == nil {
		_ = http.NewResponseController(w).SetReadDeadline(time.Time{}) // what is read now is whether the client is there
		return body, true
	}
	w.Header().Set("Connection", "close")
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		send(w, http.StatusRequestEntityTooLarge, failure(nil, mcp.INVALID_REQUEST,
			fmt.Sprintf("a message has at most %d bytes", maxMessage)).body)
	} else if errors.Is(err, os.ErrDeadlineExceeded) {
		send(w, http.StatusRequestTimeout, failure(nil, mcp.PARSE_ERROR, fmt.Sprintf("the message has not come within %v", bodyTime)).body)
	} else {
		send(w, http.StatusBadRequest, failure(nil, mcp.PARSE_ERROR, "the message is not complete").body)
	}
	return nil, false
}

func send(w http.ResponseWriter, status int, body []byte) {
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTime))
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
	client := e.named(w, r)
	if client == nil {
		return
	}
	mine, detach := client.attach(r.Context())
	defer detach()
	out := newResponse(w, r)
	if out.begin() == nil {
		_ = client.mail.pump(mine, e.server.draining, out.notify, out.alive)
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
