package host_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"econ-mcp/internal/host"
)

// pipes is a network of one server, without a system that synctest cannot see.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, io.EOF
}

func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.TCPAddr{} }

func (p pipes) dial(context.Context, string, string) (net.Conn, error) {
	here, there := net.Pipe()
	p <- there
	return here, nil
}

// An answer over the older HTTP may take as long as the call allows, and longer than the
// client's library would wait.
func TestLongCallOverEvents(t *testing.T) {
	usual := http.DefaultTransport
	defer func() { http.DefaultTransport = usual }()
	synctest.Test(t, func(t *testing.T) {
		network, messages := make(pipes), make(chan string)
		web := &http.Transport{DialContext: network.dial}
		http.DefaultTransport = web
		server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodGet {
				w.Header().Set("Content-Type", "text/event-stream")
				for event := "event: endpoint\ndata: /messages\n\n"; ; {
					io.WriteString(w, event)
					w.(http.Flusher).Flush()
					select {
					case text := <-messages:
						event = "data: " + text + "\n\n"
					case <-r.Context().Done():
						return
					}
				}
			}
			var m struct {
				ID     json.RawMessage
				Method string
			}
			json.NewDecoder(r.Body).Decode(&m)
			w.WriteHeader(http.StatusAccepted)
			answer := func(body string) {
				messages <- fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, m.ID, body)
			}
			switch m.Method {
			case "initialize":
				answer(`"result":{"protocolVersion":"2024-11-05","capabilities":{},"serverInfo":{"name":"slow","version":"1"}}`)
			case "tools/call":
				time.AfterFunc(4*time.Minute, func() { answer(`"result":{"content":[{"type":"text","text":"at last"}]}`) })
			case "server/discover":
				answer(`"error":{"code":-32601,"message":"no such method"}`)
			}
		})}
		go server.Serve(network)
		h := host.NewHub(
			[]host.Server{{ID: "slow", Transport: host.SSE, URL: "http://slow/sse", Active: true, Timeout: 5 * time.Minute}}, host.Settings{},
		)
		r, err := h.Call(t.Context(), host.Call{Server: "slow", Tool: "think"})
		if err != nil || !strings.Contains(r.Text(), "at last") {
			t.Errorf("%q, %v", r.Text(), err)
		}
		h.Close()
		web.CloseIdleConnections()
		close(network)
		server.Close()
	})
}

// In the revision without sessions, changes are told on a stream that has to be open. One
// that was cut on its way is opened anew.
func TestChangesAreToldAfterACut(t *testing.T) {
	t.Parallel()
	s := server.NewMCPServer("sdk", "1", server.WithToolCapabilities(true))
	tool := func(n int) {
		s.AddTool(mcp.NewTool(fmt.Sprint("tool_", n)), func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return mcp.NewToolResultText(""), nil
		})
	}
	tool(0)
	web := httptest.NewServer(server.NewStreamableHTTPServer(s))
	defer web.Close()
	h := host.NewHub(
		[]host.Server{{ID: "sdk", Transport: host.HTTP, URL: web.URL + "/mcp", Active: true, Timeout: 10 * time.Second}}, host.Settings{},
	)
	defer h.Close()
	told := make(chan string, 100)
	h.OnChanged(func(server string) { told <- server })
	if err := h.Connect(t.Context(), "sdk"); err != nil {
		t.Fatal(err)
	}
	if p := h.Servers()[0].Protocol; p != mcp.ProtocolVersion20260728 {
		t.Fatalf("the protocol is %s", p)
	}
	for round := range 2 {
		end := time.After(10 * time.Second)
		for n, open := 1, false; !open; n++ { // it takes its time until the stream is open
			tool(100*round + n)
			select {
			case <-told:
				open = true
			case <-time.After(50 * time.Millisecond):
			case <-end:
				t.Fatalf("nothing is told, cut %d times", round)
			}
		}
		web.CloseClientConnections()
		for len(told) > 0 {
			<-told
		}
	}
}
