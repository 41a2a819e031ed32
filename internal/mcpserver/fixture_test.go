package mcpserver_test

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"testing"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/mcpserver"
	"econ-mcp/tools"
)

// TestMain is a server of the fixture, when it is started as one: ECON_MCP_FIXTURE is
// stdio, or an address to listen on.
func TestMain(m *testing.M) {
	if how := os.Getenv("ECON_MCP_FIXTURE"); how != "" {
		os.Exit(serveFixture(how))
	}
	os.Exit(m.Run())
}

func serveFixture(how string) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	f := &fixture{}
	server, err := f.serve(func(c *mcpserver.Config) {
		c.Close = func() error {
			fmt.Fprintln(os.Stderr, "closed")
			return nil
		}
	})
	switch {
	case err != nil:
	case how == "stdio":
		err = server.ServeStdio(ctx, os.Stdin, os.Stdout)
	default:
		err = server.Listen(ctx, mcpserver.HTTPConfig{Addr: how, LegacySSE: true}, nil)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// fixture is a small domain: notes that can be written and read, gates to wait at.
type fixture struct {
	server  *mcpserver.Server
	natives []mcpserver.Native

	mu    sync.Mutex
	notes map[string]string
	gates map[string]chan struct{}
	ended []string // workspaces
	stops []error  // why calls at a gate gave up
}

// gate is what calls of one name wait for.
func (f *fixture) gate(name string) chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gates == nil {
		f.gates = make(map[string]chan struct{})
	}
	if f.gates[name] == nil {
		f.gates[name] = make(chan struct{})
	}
	return f.gates[name]
}

type echoIn struct {
	Text string  `json:"text,omitempty"`
	Seed *uint64 `json:"seed,omitempty"`
}

type echoOut struct {
	Text      string  `json:"text"`
	Seed      *uint64 `json:"seed"`
	Workspace string  `json:"workspace"`
	Principal string  `json:"principal"`
}

type countIn struct {
	To int `json:"to" min:"0" max:"1000"`
}

type countOut struct {
	Counted int `json:"counted"`
}

type gateIn struct {
	Gate string `json:"gate"`
}

type gateOut struct {
	Gate string `json:"gate"`
}

type failIn struct {
	How string `json:"how" enum:"range,plain,panic"`
}

type noteIn struct {
	Name tools.Name `json:"name"`
	Text string     `json:"text"`
}

type noteOut struct {
	URI string `json:"uri"`
}

// ResourceLinks implements [tools.Linked].
func (n noteOut) ResourceLinks() []tools.Link {
	return []tools.Link{{URI: n.URI, Name: "note", MIMEType: "text/plain", Description: "The note."}}
}

func (f *fixture) tools() []tools.Tool {
	return []tools.Tool{
		tools.New(tools.Spec{Name: "echo", Title: "Echo", TitleZH: "回声", Description: "Says who called.", Hints: tools.Reads},
			func(_ context.Context, c *tools.Call, in echoIn) (echoOut, error) {
				return echoOut{in.Text, in.Seed, c.Workspace, c.Principal}, nil
			}),
		tools.New(tools.Spec{Name: "count", Title: "Count", TitleZH: "计数", Description: "Counts, and reports each step.", Hints: tools.Reads},
			func(_ context.Context, c *tools.Call, in countIn) (countOut, error) {
				for i := range in.To {
					c.Progress(float64(i+1), float64(in.To), fmt.Sprint("step ", i+1))
					c.Progress(float64(i+1), float64(in.To), "the same step again")
				}
				return countOut{in.To}, nil
			}),
		tools.New(tools.Spec{Name: "wait_at_gate", Title: "Wait", TitleZH: "等待", Description: "Waits until the gate is opened.",
			Hints: tools.Reads},
			func(ctx context.Context, c *tools.Call, in gateIn) (gateOut, error) {
				gate := f.gate(in.Gate)
				c.Progress(1, 0, "waiting")
				select {
				case <-gate:
					return gateOut(in), nil
				case <-ctx.Done():
					f.mu.Lock()
					f.stops = append(f.stops, ctx.Err())
					f.mu.Unlock()
					return gateOut{}, ctx.Err()
				}
			}),
		tools.New(tools.Spec{Name: "open_gate", Title: "Open", TitleZH: "打开", Description: "Opens a gate.", Hints: tools.Sets},
			func(_ context.Context, _ *tools.Call, in gateIn) (gateOut, error) {
				close(f.gate(in.Gate))
				return gateOut(in), nil
			}),
		tools.New(tools.Spec{Name: "fail", Title: "Fail", TitleZH: "失败", Description: "Fails.", Hints: tools.Reads},
			func(_ context.Context, _ *tools.Call, in failIn) (gateOut, error) {
				switch in.How {
				case "range":
					return gateOut{}, fault.Range("vat_rate", "1.4", "0 to 0.6")
				case "plain":
					return gateOut{}, fmt.Errorf("disk on fire")
				}
				panic("at the disco")
			}),
		tools.New(tools.Spec{Name: "write_note", Title: "Write", TitleZH: "写", Description: "Writes a note.", Hints: tools.Writes},
			func(_ context.Context, _ *tools.Call, in noteIn) (noteOut, error) {
				uri := "econ://notes/" + string(in.Name)
				f.mu.Lock()
				if f.notes == nil {
					f.notes = make(map[string]string)
				}
				_, there := f.notes[uri]
				f.notes[uri] = in.Text
				f.mu.Unlock()
				if !there {
					f.server.ResourcesChanged()
				}
				f.server.ResourceUpdated(uri)
				return noteOut{uri}, nil
			}),
	}
}

// List implements [mcpserver.Resources].
func (f *fixture) List(_ context.Context, cursor string) ([]mcpserver.Resource, string, error) {
	if cursor != "" && cursor != "rest" {
		return nil, "", fault.New(fault.WrongType, "cursor", "%q is no cursor", cursor)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var list []mcpserver.Resource
	for uri := range f.notes {
		list = append(list, mcpserver.Resource{URI: uri, Name: strings.TrimPrefix(uri, "econ://notes/"), MIMEType: "text/plain"})
	}
	return list, "", nil
}

// Read implements [mcpserver.Resources].
func (f *fixture) Read(_ context.Context, c *tools.Call, uri string) (mcpserver.Content, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if uri == "econ://whoami" {
		return mcpserver.Content{MIMEType: "text/plain", Text: c.Workspace}, nil
	}
	note, ok := f.notes[uri]
	if !ok {
		return mcpserver.Content{}, fault.New(fault.NotFound, uri, "there is no %s", uri)
	}
	return mcpserver.Content{MIMEType: "text/plain", Text: note}, nil
}

// Possible implements [mcpserver.Resources].
func (f *fixture) Possible(uri string) bool { return strings.HasPrefix(uri, "econ://") }

func (f *fixture) complete(_ context.Context, argument, prefix string) ([]string, error) {
	var names []string
	for _, name := range []string{"alpha", "beta", "alphabet"} {
		if argument == "name" && strings.HasPrefix(name, prefix) {
			names = append(names, name)
		}
	}
	return names, nil
}

// serve makes the server of the fixture.
func (f *fixture) serve(change func(*mcpserver.Config)) (*mcpserver.Server, error) {
	config := mcpserver.Config{
		Tools:     f.tools(),
		Resources: f,
		Templates: []mcpserver.Template{{URI: "econ://notes/{name}", Name: "note", Title: "Note", Description: "A note.",
			MIMEType: "text/plain", Complete: f.complete}},
		Version:      "test",
		Instructions: "Write a note, then read it.",
		Prompts: []mcpserver.Prompt{{
			Name: "explain", Title: "Explain", Description: "Explains a note.",
			Arguments: []mcpserver.Argument{{Name: "name", Description: "the name of a note", Required: true}},
			Text:      func(arguments map[string]string) string { return "Explain " + arguments["name"] },
			Complete:  f.complete,
		}},
		SessionPrefix: "session:",
		SessionEnded: func(workspace string) {
			f.mu.Lock()
			defer f.mu.Unlock()
			f.ended = append(f.ended, workspace)
		},
		Running: func() int { return 2 },
		Logger:  slog.New(slog.DiscardHandler),
	}
	if change != nil {
		change(&config)
	}
	server, err := mcpserver.New(config)
	if err == nil && f.natives != nil {
		err = server.Offer(f.natives, nil)
	}
	f.server = server
	return server, err
}

// mustServe makes the server, and ends it with the test.
func (f *fixture) mustServe(tb testing.TB, change func(*mcpserver.Config)) *mcpserver.Server {
	tb.Helper()
	server, err := f.serve(change)
	if err != nil {
		tb.Fatal(err)
	}
	return server
}

// stopped is how many calls at a gate gave up.
func (f *fixture) stopped() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.stops)
}

// endedWorkspaces are those of sessions that have ended.
func (f *fixture) endedWorkspaces() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return cmp.Or(strings.Join(f.ended, " "), "none")
}
