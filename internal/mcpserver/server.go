package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"econ-mcp/internal/fault"
	"econ-mcp/tools"
)

// serverName is how the server calls itself.
const serverName = "econ-mcp"

// maxInstructions bounds what every conversation has to carry, in characters.
const maxInstructions = 1200

// DefaultWorkspace is what callers edit who have neither a session of their own nor a
// name.
const DefaultWorkspace = "default"

// revisions of the protocol are those that are served, newest first. 2025-03-26 is none of
// them: a server of that revision has to take arrays of messages, which no other revision
// knows.
var revisions = slices.DeleteFunc(slices.Clone(mcp.ValidProtocolVersions), func(v string) bool { return v == mcp.ProtocolVersion20250326 })

// negotiable is the revision with which the SDK begins a session for a client that asks for
// one. A client that asks for 2025-03-26 gets the revision before, which it knows, and not
// the newest, which it does not.
func negotiable(asked string) string {
	if asked == "" || asked == mcp.ProtocolVersion20250326 {
		return mcp.ProtocolVersion20241105
	}
	return asked
}

// namePattern is what experiments, workspaces and principals may be called.
var namePattern = regexp.MustCompile(tools.Name("").Pattern())

// CheckWorkspace refuses a name that a workspace cannot have, such as one of a session.
func CheckWorkspace(name string) error {
	if namePattern.MatchString(name) {
		return nil
	}
	return fault.Type("workspace", strconv.Quote(name), "name: "+namePattern.String())
}

// Config is what a server offers.
type Config struct {
	Tools        []tools.Tool
	Resources    Resources // nil = none
	Templates    []Template
	Views        []View // pages that tools name; they need Resources
	Prompts      []Prompt
	Version      string
	Lang         string // of titles: "zh", else English
	Instructions string // how the pieces fit, for the model; at most 1,200 characters

	// Workspace is that of the client at stdin, and over HTTP that of callers without a
	// session or a principal; "" = [DefaultWorkspace]. See [CheckWorkspace].
	Workspace string

	// SessionPrefix begins the name of the workspace of a session; its id follows. No other
	// workspace may have a name that begins so.
	SessionPrefix string

	// SessionEnded is called with the workspace of a session that has ended. May be nil.
	SessionEnded func(workspace string)

	// Running is the number of simulations that run, for the metrics. May be nil.
	Running func() int

	// Stored is the bytes that principals have stored, by name, and StoredLimit what one may, 0 =
	// no limit; for the metrics. Stored may be nil.
	Stored      func() map[string]int64
	StoredLimit int64

	// Site answers over HTTP what does not belong to the protocol: pages. It finds out itself who calls; requests under a name that the
	// server does not have do not reach it, and their context ends when the server does. May be nil.
	Site http.Handler

	// Halt is called once when a transport ends: at the end of its input after the last
	// answer, at a signal at once, beside calls that are being answered. What runs stops
	// and is saved; when ctx is done it must return, whatever the state. May be nil.
	Halt func(ctx context.Context) error

	// Close is called once after Halt and the last answer. May be nil.
	Close func() error

	Logger *slog.Logger // nil = slog.Default()
}

// Server answers clients, on one transport and until that ends.
type Server struct {
	config Config
	log    *slog.Logger
	mcp    *server.MCPServer
	tools  map[string]*entry
	names  []string   // of the tools
	listed []mcp.Tool // in the order of the catalogue
	// the same for clients that show pages
	withViews []mcp.Tool
	identity  json.RawMessage // serverInfo, which results of the newest revision carry
	metrics   *metrics
	prompts   map[string]func(*exchange) *reply

	// A server ends in two steps: streams that wait for changes end with draining, calls
	// and sessions with base.
	draining, base context.Context
	drain, stop    context.CancelFunc

	mu        sync.Mutex
	sessions  map[string]*session // by id: over HTTP, and the one at stdin
	listeners map[*listener]bool

	requests    *slots // by principal
	listening   *slots
	asking      *slots
	connections *connections
}

// New makes a server. A configuration that no client could work with is an error.
func New(config Config) (*Server, error) {
	if n := utf8.RuneCountInString(config.Instructions); n > maxInstructions {
		return nil, fmt.Errorf("the instructions have %d characters, more than %d", n, maxInstructions)
	}
	if err := checkViews(config); err != nil {
		return nil, err
	}
	config.Workspace = cmp.Or(config.Workspace, DefaultWorkspace)
	config.Logger = cmp.Or(config.Logger, slog.Default())
	s := &Server{
		config:    config,
		log:       config.Logger,
		identity:  mustMarshal(mcp.Implementation{Name: serverName, Version: config.Version}),
		tools:     make(map[string]*entry),
		prompts:   make(map[string]func(*exchange) *reply),
		sessions:  make(map[string]*session),
		listeners: make(map[*listener]bool),
		requests:  newSlots(maxRequests),
		listening: newSlots(maxListeners),
		asking:    newSlots(maxAsking),

		connections: newConnections(config.Logger),
	}
	s.base, s.stop = context.WithCancel(context.Background())
	s.draining, s.drain = context.WithCancel(s.base)
	s.metrics = newMetrics(config.Running, s.countSessions, s.connections.counts)
	if config.Stored != nil {
		s.metrics.registry.MustRegister(storage{config.Stored, config.StoredLimit})
	}
	hooks := &server.Hooks{}
	hooks.AddBeforeInitialize(func(_ context.Context, _ any, r *mcp.InitializeRequest) {
		r.Params.ProtocolVersion = negotiable(r.Params.ProtocolVersion)
	})
	agreeOnViews(hooks)
	options := []server.ServerOption{
		server.WithHooks(hooks),
		// The SDK sorts tools by name. We list them as the catalogue does, by what they are for.
		server.WithToolFilter(s.shown),
		server.WithInstructions(config.Instructions),
		server.WithToolCapabilities(false),
		// The tools are those of the program. Without this, clients would have to ask each time.
		server.WithMethodCacheHints(mcp.MethodToolsList, time.Hour.Milliseconds(), mcp.CacheScopePrivate),
		server.WithLogging(),
	}
	if config.Resources != nil {
		options = append(options, server.WithResourceCapabilities(true, true), server.WithCompletions(),
			server.WithResourceCompletionProvider(completer{s}))
	}
	if len(config.Prompts) > 0 {
		options = append(options, server.WithPromptCapabilities(false), server.WithCompletions(),
			server.WithPromptCompletionProvider(completer{s}))
	}
	s.mcp = server.NewMCPServer(serverName, config.Version, options...)
	for _, t := range config.Tools {
		if err := s.add(describe(t, config.Lang), t.View, func(x *exchange) ([]byte, error) { return x.useTool(t) }); err != nil {
			return nil, err
		}
	}
	for _, t := range config.Templates {
		s.mcp.AddResourceTemplate(t.describe(config.Lang), nil)
	}
	for _, p := range config.Prompts {
		s.addPrompt(p.describe(config.Lang), func(x *exchange) *reply { return x.usePrompt(p) })
	}
	return s, nil
}

// add makes a tool known, and the page that shows its results, if there is one. Calls do not reach the SDK: it only encodes the list.
func (s *Server) add(t mcp.Tool, view string, answer func(*exchange) ([]byte, error)) error {
	if s.tools[t.Name] != nil {
		return fmt.Errorf("two tools are called %s", t.Name)
	}
	e := &entry{
		answer:   answer,
		readOnly: t.Annotations.ReadOnlyHint != nil && *t.Annotations.ReadOnlyHint,
	}
	s.metrics.show(t.Name)
	if len(mcp.ExtractParamHeaderBindings(&t)) > 0 {
		e.mirrored = &t
	}
	s.names = append(s.names, t.Name)
	s.listed = append(s.listed, t)
	if view != "" {
		t = withView(t, view)
	}
	s.withViews = append(s.withViews, t)
	s.tools[t.Name] = e
	return nil
}

// addPrompt makes a prompt known, which the SDK only lists.
func (s *Server) addPrompt(p mcp.Prompt, answer func(*exchange) *reply) {
	s.prompts[p.Name] = answer
	s.mcp.AddPrompt(p, nil)
}

// inLanguage chooses a title; one without a translation is in English.
func inLanguage(lang, english, chinese string) string {
	if lang == "zh" && chinese != "" {
		return chinese
	}
	return english
}

// categoryKey is where a tool's _meta says its category, by which clients may group tools.
const categoryKey = "econ-mcp/category"

// describe is a tool as clients see it. All four hints are set, because the defaults of
// the protocol (destructive, open world) fit none of ours.
func describe(t tools.Tool, lang string) mcp.Tool {
	title := inLanguage(lang, t.Title, t.TitleZH)
	closedWorld := false
	return mcp.Tool{
		Meta:            &mcp.Meta{AdditionalFields: map[string]any{categoryKey: t.Category}},
		Name:            t.Name,
		Title:           title,
		Description:     t.Description,
		RawInputSchema:  mustMarshal(t.Input),
		RawOutputSchema: mustMarshal(t.Output),
		Annotations: mcp.ToolAnnotation{
			Title:           title,
			ReadOnlyHint:    &t.Hints.ReadOnly,
			DestructiveHint: &t.Hints.Destructive,
			IdempotentHint:  &t.Hints.Idempotent,
			OpenWorldHint:   &closedWorld,
		},
	}
}
