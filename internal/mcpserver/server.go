package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"
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

// SessionPrefix begins the names of workspaces that end with their session.
const SessionPrefix = "session:"

// Config is what a server offers.
type Config struct {
	Tools         []tools.Tool
	Resources     Library // nil = none
	Templates     []Template
	Prompts       []Prompt
	Native        []Native // beside the catalogue
	NativePrompts []NativePrompt
	Version       string
	Lang          string // of titles: "en" (also "") or "zh"
	Instructions  string // how the pieces fit, for the model; at most 1,200 characters

	// Workspace is that of the client at stdin, and over HTTP that of callers without a
	// session or a principal; "" = [DefaultWorkspace].
	Workspace string

	// SessionEnded is called with the workspace of a session that has ended, whose name
	// begins with [SessionPrefix]. May be nil.
	SessionEnded func(workspace string)

	// Running is the number of simulations that run, for the metrics. May be nil.
	Running func() int

	// Close is called once when a transport ends, after the last answer: simulations
	// save their state here. May be nil.
	Close func(context.Context) error

	Logger *slog.Logger // nil = slog.Default()
}

// Server answers clients on any number of transports.
type Server struct {
	config   Config
	log      *slog.Logger
	mcp      *server.MCPServer
	tools    map[string]*entry
	names    []string        // of the tools
	identity json.RawMessage // serverInfo, which results of the newest revision carry
	metrics  *metrics
	secret   [32]byte // seals what passes through the hands of clients

	// A server ends in two steps: streams that wait for changes end with draining, calls
	// and sessions with base.
	draining, base context.Context
	drain, stop    context.CancelFunc

	mu        sync.Mutex
	sessions  map[string]*session // by id: over HTTP, and the one at stdin
	listeners map[*listener]bool
	closing   atomic.Bool
}

// New makes a server. A configuration that no client could work with is an error.
func New(config Config) (*Server, error) {
	if n := utf8.RuneCountInString(config.Instructions); n > maxInstructions {
		return nil, fmt.Errorf("the instructions have %d characters, more than %d", n, maxInstructions)
	}
	switch config.Lang {
	case "", "en", "zh":
	default:
		return nil, fault.Range("lang", config.Lang, "en", "zh")
	}
	if config.Workspace == "" {
		config.Workspace = DefaultWorkspace
	}
	if config.Logger == nil {
		config.Logger = slog.Default()
	}
	s := &Server{
		config:    config,
		log:       config.Logger,
		identity:  mustMarshal(mcp.Implementation{Name: serverName, Version: config.Version}),
		tools:     make(map[string]*entry),
		sessions:  make(map[string]*session),
		listeners: make(map[*listener]bool),
	}
	rand.Read(s.secret[:])
	s.base, s.stop = context.WithCancel(context.Background())
	s.draining, s.drain = context.WithCancel(s.base)
	s.metrics = newMetrics(config.Running, s.countSessions)
	options := []server.ServerOption{
		server.WithInstructions(config.Instructions),
		server.WithToolCapabilities(false),
		server.WithLogging(),
	}
	if config.Resources != nil {
		options = append(options, server.WithResourceCapabilities(true, true), server.WithCompletions(),
			server.WithResourceCompletionProvider(completer{s}))
	}
	if len(config.Prompts)+len(config.NativePrompts) > 0 {
		options = append(options, server.WithPromptCapabilities(false), server.WithCompletions(),
			server.WithPromptCompletionProvider(completer{s}))
	}
	s.mcp = server.NewMCPServer(serverName, config.Version, options...)
	for _, t := range config.Tools {
		if err := s.add(describe(t, config.Lang), func(x *exchange) ([]byte, error) { return x.useTool(t) }); err != nil {
			return nil, err
		}
	}
	for _, n := range config.Native {
		if err := s.add(n.Tool, n.answer); err != nil {
			return nil, err
		}
	}
	for _, t := range config.Templates {
		s.mcp.AddResourceTemplate(t.describe(config.Lang), nil)
	}
	for _, p := range config.Prompts {
		s.mcp.AddPrompt(p.describe(config.Lang), nil)
	}
	for _, p := range config.NativePrompts {
		s.mcp.AddPrompt(p.Prompt, nil)
	}
	return s, nil
}

// add makes a tool known. Calls do not reach the SDK: it lists the tool only.
func (s *Server) add(t mcp.Tool, answer func(*exchange) ([]byte, error)) error {
	if s.tools[t.Name] != nil {
		return fmt.Errorf("two tools are called %s", t.Name)
	}
	e := &entry{
		answer:   answer,
		readOnly: t.Annotations.ReadOnlyHint != nil && *t.Annotations.ReadOnlyHint,
		observe:  s.metrics.observer(t.Name),
	}
	if len(mcp.ExtractParamHeaderBindings(&t)) > 0 {
		e.mirrored = &t
	}
	s.names = append(s.names, t.Name)
	s.tools[t.Name] = e
	s.mcp.AddTool(t, nil)
	return nil
}

// inLanguage chooses a title; one without a translation is in English.
func inLanguage(lang, english, chinese string) string {
	if lang == "zh" && chinese != "" {
		return chinese
	}
	return english
}

// describe is a tool as clients see it. All four hints are set, because the defaults of
// the protocol (destructive, open world) fit none of ours.
func describe(t tools.Tool, lang string) mcp.Tool {
	title := inLanguage(lang, t.Title, t.TitleZH)
	closedWorld := false
	return mcp.Tool{
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

// close ends a transport: it lets the domain save its state.
func (s *Server) close(ctx context.Context) error {
	s.stop()
	if !s.closing.CompareAndSwap(false, true) || s.config.Close == nil {
		return nil
	}
	return s.config.Close(ctx)
}
