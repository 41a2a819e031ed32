package mcpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"econ-mcp/internal/mcpserver"
)

// tokensOf reads tokens as the server does.
func tokensOf(tb testing.TB, lines string) []mcpserver.Token {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "tokens")
	if err := os.WriteFile(path, []byte(lines), 0o600); err != nil {
		tb.Fatal(err)
	}
	list, err := mcpserver.ReadTokens(path, slog.New(slog.DiscardHandler))
	if err != nil {
		tb.Fatal(err)
	}
	return list
}

// Who has as many sessions as it may loses the one that it has not used for longest, and
// takes none of others.
func TestSessionLimit(t *testing.T) {
	s := (&fixture{}).listen(t, mcpserver.HTTPConfig{MaxSessions: 4,
		Tokens: tokensOf(t, "alice full 0123456789abcdef\nalice read-only 0123456789ABCDEF\nbob full fedcba9876543210\n")})
	alice, bob := s.with("Authorization", "Bearer 0123456789abcdef"), s.with("Authorization", "Bearer fedcba9876543210")
	ping := func(client *site) int {
		return client.status("POST", "/mcp", `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	}
	bobs := bob.open("/mcp")
	first, second := alice.open("/mcp"), alice.with("Authorization", "Bearer 0123456789ABCDEF").open("/mcp")
	ping(first)
	third := alice.open("/mcp")
	for name, got := range map[string][2]int{"first": {ping(first), 200}, "second": {ping(second), 404}, "third": {ping(third), 200},
		"bob's": {ping(bobs), 200}} {
		if got[0] != got[1] {
			t.Errorf("%s session: status %d, want %d", name, got[0], got[1])
		}
	}
	first.do("GET", "/mcp", "")
	third.do("GET", "/mcp", "")
	response := alice.do("POST", "/mcp", initialize)
	if body, _ := io.ReadAll(response.Body); response.StatusCode != 503 || !bytes.Contains(body, []byte(`the limit sessions of 2`)) {
		t.Errorf("one more where all are in use: status %d, %s", response.StatusCode, body)
	}
	bob.open("/mcp")
	first.status("DELETE", "/mcp", "")
	alice.open("/mcp")
}

// A session belongs to its transport: what is posted to another would be read by nobody.
func TestSessionsOfAnotherTransport(t *testing.T) {
	s := (&fixture{}).listen(t, mcpserver.HTTPConfig{LegacySSE: true})
	id := s.open("/mcp").header.Get("Mcp-Session-Id")
	if got := s.status("POST", "/messages?sessionId="+id, callOf("echo", "{}", "")); got != 404 {
		t.Errorf("a message for the older transport: status %d", got)
	}
	path, _ := newEvents(t, s.do("GET", "/sse", "").Body).data()
	_, id, _ = strings.Cut(path, "=")
	for _, method := range []string{"POST", "GET", "DELETE"} {
		if got := s.with("Mcp-Session-Id", id).status(method, "/mcp", callOf("echo", "{}", "")); got != 404 {
			t.Errorf("%s for a session of the older transport: status %d", method, got)
		}
	}
}

func TestSubscriptionsAreBounded(t *testing.T) {
	s := (&fixture{}).listen(t, mcpserver.HTTPConfig{})
	client := s.open("/mcp")
	subscribe := func(method, uri string) incoming {
		return client.post("/mcp", fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"resources/%s","params":{"uri":%q}}`, method, uri))[0]
	}
	for _, uri := range []string{"", "nonsense", "https://example.org/x"} {
		if m := subscribe("subscribe", uri); m.Error == nil || m.Error.Code != -32602 {
			t.Errorf("%q: %+v", uri, m)
		}
	}
	var uris []string
	for i := range 500 {
		uris = append(uris, fmt.Sprint("econ://notes/", i))
		if m := subscribe("subscribe", uris[i]); m.Error != nil {
			t.Fatal(m.Error)
		}
	}
	if m := subscribe("subscribe", "econ://notes/one-more"); m.Error == nil ||
		!strings.Contains(m.Error.Message, "the limit subscriptions of 500") {
		t.Errorf("one too many: %+v", m)
	}
	subscribe("unsubscribe", uris[7])
	if m := subscribe("subscribe", "econ://notes/one-more"); m.Error != nil {
		t.Error(m.Error)
	}
	uris = append([]string{"nonsense"}, append(uris, "econ://notes/one-more")...)
	response := s.modern("subscriptions/listen", "").do("POST", "/mcp",
		fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["%s"]},%s}}`,
			strings.Join(uris, `","`), modernMeta))
	if m, _ := newEvents(t, response.Body).next(); strings.Count(string(m.Params), "econ://") != 500 ||
		strings.Contains(string(m.Params), "nonsense") {
		t.Errorf("granted %s", m.Params)
	}
}

func TestCallOfASessionThatEnds(t *testing.T) {
	client := (&fixture{}).listen(t, mcpserver.HTTPConfig{}).open("/mcp")
	stream := newEvents(t, client.do("POST", "/mcp", callOf("wait_at_gate", `{"gate":"g"}`, `"_meta":{"progressToken":1}`)).Body)
	stream.next()
	client.status("DELETE", "/mcp", "")
	m, _ := stream.next()
	if r := m.result(t); !r.IsError || !strings.Contains(r.Content[0].Text, "its session was ended") {
		t.Errorf("the call got %+v", r)
	}
}

// line is a network of one client, for tests where time must not pass.
type line struct {
	calls  chan net.Conn
	closed func()
}

func newLine() line {
	calls := make(chan net.Conn, 1)
	return line{calls, sync.OnceFunc(func() { close(calls) })}
}

func (l line) Accept() (net.Conn, error) {
	if c, ok := <-l.calls; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (l line) Close() error {
	l.closed()
	return nil
}

func (l line) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)} }

// connect serves the fixture to one connection.
func connect(t *testing.T, c mcpserver.HTTPConfig) net.Conn {
	l := newLine()
	here, there := net.Pipe()
	l.calls <- there
	(&fixture{}).serveOn(t, c, l)
	t.Cleanup(func() { here.Close() })
	return here
}

// serveOn serves the fixture on a listener until the test ends.
func (f *fixture) serveOn(tb testing.TB, c mcpserver.HTTPConfig, l net.Listener) {
	c.Addr = "127.0.0.1:0"
	server := f.mustServe(tb, nil)
	ctx, cancel := context.WithCancel(tb.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, c, l) }()
	tb.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			tb.Error(err)
		}
	})
}

func TestBodiesThatDoNotCome(t *testing.T) {
	for _, c := range []struct {
		name, token, path string
		status            int
		within            time.Duration
	}{
		{"without a token", "", "/mcp", 401, 2 * time.Second},
		{"to nowhere", "Bearer 0123456789abcdef", "/nowhere", 404, 2 * time.Second},
		{"with a token", "Bearer 0123456789abcdef", "/mcp", 408, 31 * time.Second},
		{"to look at health", "", "/healthz", 405, 2 * time.Second},
	} {
		synctest.Test(t, func(t *testing.T) {
			conn := connect(t, mcpserver.HTTPConfig{Tokens: tokensOf(t, "alice full 0123456789abcdef")})
			begin := time.Now()
			go fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: application/json\r\nContent-Length: "+
				"1000\r\n\r\n{", c.path, c.token)
			in := bufio.NewReader(conn)
			response, err := http.ReadResponse(in, nil)
			if err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			body, _ := io.ReadAll(response.Body)
			if response.StatusCode != c.status || c.status != 404 && !response.Close || c.status == 408 && !bytes.Contains(body, []byte("-32700")) {
				t.Errorf("%s: status %d, close %v, %s", c.name, response.StatusCode, response.Close, body)
			}
			if rest, err := io.ReadAll(in); err != nil || len(rest) > 0 {
				t.Errorf("%s: then came %q, %v", c.name, rest, err)
			}
			if took := time.Since(begin); took > c.within {
				t.Errorf("%s: the connection was held for %v", c.name, took)
			}
		})
	}
}

// A client that does not read holds its connection for half a minute; one that reads can
// take its time between two requests.
func TestAnswersThatAreNotRead(t *testing.T) {
	ask := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
	synctest.Test(t, func(t *testing.T) {
		conn := connect(t, mcpserver.HTTPConfig{})
		in := bufio.NewReader(conn)
		for range 3 {
			fmt.Fprintf(conn, ask, len(initialize), initialize)
			response, err := http.ReadResponse(in, nil)
			if err != nil || response.StatusCode != 200 {
				t.Fatalf("%v %v", response, err)
			}
			if _, err := io.ReadAll(response.Body); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
		}
		fmt.Fprintf(conn, ask, len(initialize), initialize)
		time.Sleep(31 * time.Second)
		if rest, _ := io.ReadAll(in); len(rest) > 0 {
			t.Errorf("after half a minute came %q", rest)
		}
	})
}
