package mcpserver_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"econ-mcp/internal/mcpserver"
)

const aliceToken = "Bearer 0123456789abcdef"

// halves are what attackers send: requests whose rest does not come, and nothing at all.
var halves = []string{
	"",
	"P",
	"POST /mcp HTTP/1.1\r\nHost: localhost\r\n",
	"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
	"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer guess\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nab",
	"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
	"OPTIONS * HTTP/1.1\r\nHost: localhost\r\n\r\n",
}

// network is a server on this machine, whose addresses can be chosen as those of clients.
type network struct {
	t       *testing.T
	address string
}

func serveNetwork(t *testing.T, c mcpserver.HTTPConfig) network {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c.Tokens = tokensOf(t, "alice full 0123456789abcdef")
	(&fixture{}).serveOn(t, c, l)
	return network{t, l.Addr().String()}
}

// from dials from an address of this machine.
func (n network) from(ip string) net.Conn {
	n.t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(ip)}}
	conn, err := dialer.DialContext(n.t.Context(), "tcp", n.address)
	if err != nil {
		n.t.Skipf("this machine has no address %s: %v", ip, err)
	}
	n.t.Cleanup(func() { conn.Close() })
	return conn
}

// ping asks on a connection with the token; ok says whether it was answered.
func ping(conn net.Conn) (ok bool) {
	const body = `{"jsonrpc":"2.0","id":1,"method":"ping","params":{` + modernMeta + `}}`
	fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nContent-Type: application/json\r\n"+
		"Mcp-Protocol-Version: 2026-07-28\r\nMcp-Method: ping\r\nContent-Length: %d\r\n\r\n%s", aliceToken, len(body), body)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return false
	}
	_, err = io.ReadAll(response.Body)
	return err == nil && response.StatusCode != 401
}

// metric is a number of /metrics.
func (n network) metric(name string) int {
	n.t.Helper()
	conn := n.from("127.0.0.3")
	defer conn.Close()
	fmt.Fprintf(conn, "GET /metrics HTTP/1.1\r\nHost: localhost\r\nAuthorization: %s\r\nConnection: close\r\n\r\n", aliceToken)
	text, err := io.ReadAll(conn)
	if err != nil {
		n.t.Fatal(err)
	}
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\d+)`).FindSubmatch(text)
	if found == nil {
		n.t.Fatalf("no %s in %s", name, text)
	}
	value, _ := strconv.Atoi(string(found[1]))
	return value
}

// Hundreds of connections on which requests begin and do not end keep nobody out: not a client that
// comes from elsewhere, none from the same address, and none that was there before.
func TestStrangersKeepNobodyOut(t *testing.T) {
	for name, c := range map[string]mcpserver.HTTPConfig{
		"of an address": {MaxConnectionsPerAddress: 20},
		"in all":        {MaxConnections: 20},
	} {
		t.Run(name, func(t *testing.T) {
			n := serveNetwork(t, c)
			early := n.from("127.0.0.1")
			if !ping(early) {
				t.Fatal("a client was not served before the attack")
			}
			for i := range 400 {
				io.WriteString(n.from("127.0.0.1"), halves[i%len(halves)])
			}
			if !ping(n.from("127.0.0.2")) {
				t.Error("a client of another address is kept out")
			}
			if !ping(n.from("127.0.0.1")) {
				t.Error("a client of the same address is kept out")
			}
			if !ping(early) {
				t.Error("a client that was there before was put out")
			}
			if open := n.metric("econ_mcp_connections"); open > 25 {
				t.Errorf("%d connections are open", open)
			}
			if dropped := n.metric(`econ_mcp_connections_closed_total{why="made_room"}`); dropped == 0 {
				t.Error("no connection made room")
			}
		})
	}
}

// Whoever is busy is not put out by others: one more takes the place of who has been idle for longest,
// and is refused while all are busy.
func TestConnectionsOfClientsAreBounded(t *testing.T) {
	n := serveNetwork(t, mcpserver.HTTPConfig{MaxConnectionsPerAddress: 2})
	first, second := n.from("127.0.0.1"), n.from("127.0.0.1")
	if !ping(first) || !ping(second) {
		t.Fatal("two clients were not served")
	}
	if !ping(n.from("127.0.0.2")) {
		t.Error("another address is not served")
	}
	third := n.from("127.0.0.1")
	for end := time.Now().Add(time.Minute); !ping(third); third = n.from("127.0.0.1") { // the server rests a moment after it has answered
		if time.Now().After(end) {
			t.Fatal("a third did not take the place of an idle one")
		}
	}
	stays := second
	if ping(first) {
		stays = first
	} else if !ping(second) {
		t.Fatal("a third took the place of two")
	}
	for _, conn := range []net.Conn{stays, third} { // the server waits for their bodies
		_, err := io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: "+aliceToken+
			"\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n")
		if err != nil {
			t.Fatal(err)
		}
		if r, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || r.StatusCode != http.StatusContinue {
			t.Fatalf("%+v, %v", r, err)
		}
	}
	if ping(n.from("127.0.0.1")) {
		t.Error("one more is served although all are busy")
	}
	if got := n.metric(`econ_mcp_connections_closed_total{why="refused"}`); got == 0 {
		t.Error("none was refused")
	}
}

// A connection on which no token comes is over after five seconds, however its time is spent.
func TestStrangersHaveLittleTime(t *testing.T) {
	for _, half := range halves {
		synctest.Test(t, func(t *testing.T) {
			conn := connect(t, mcpserver.HTTPConfig{Tokens: tokensOf(t, "alice full 0123456789abcdef")})
			begin, sent := time.Now(), make(chan struct{})
			go func() {
				defer close(sent)
				_, err := io.WriteString(conn, half)
				for err == nil && half != "" && !strings.Contains(half, "\r\n\r\n") { // the rest of the headers comes drop by drop
					time.Sleep(time.Second)
					_, err = io.WriteString(conn, "x")
				}
			}()
			io.ReadAll(conn)
			if took := time.Since(begin); took > 6*time.Second {
				t.Errorf("%q holds its connection for %v", half, took)
			}
			<-sent
		})
	}
}

// A server that stops does not wait for requests whose rest does not come.
func TestStrangersDoNotDelayTheEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLine()
		here, there := net.Pipe()
		defer here.Close()
		l.calls <- there
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		server := (&fixture{}).mustServe(t, nil)
		go func() { ended <- server.Serve(ctx, mcpserver.HTTPConfig{Addr: "127.0.0.1:0"}, l) }()
		io.WriteString(here, "POST /mcp HTTP/1.1\r\n")
		begin := time.Now()
		stop()
		if err := <-ended; err != nil && !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
		if took := time.Since(begin); took > time.Second/2 {
			t.Errorf("it took %v", took)
		}
	})
}

// Headers are read of everyone, and therefore short.
func TestHeadersAreShort(t *testing.T) {
	n := serveNetwork(t, mcpserver.HTTPConfig{})
	for length, want := range map[int]int{8 << 10: 401, 32 << 10: 431} {
		conn := n.from("127.0.0.1")
		fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-Long: %s\r\n\r\n", strings.Repeat("x", length))
		if response, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil || response.StatusCode != want {
			t.Errorf("%d bytes: %v, %v, want %d", length, response, err, want)
		}
	}
}

// What strangers are answered ends their connections.
func TestAnswersToStrangersEndTheConnection(t *testing.T) {
	s := (&fixture{}).listen(t, mcpserver.HTTPConfig{Tokens: tokensOf(t, "alice full 0123456789abcdef"),
		AllowedOrigins: []string{"https://ui.example"}})
	for _, c := range []struct {
		client       *site
		method, path string
		status       int
	}{
		{s, "GET", "/healthz", 200},
		{s, "GET", "/readyz", 200},
		{s, "POST", "/mcp", 401},
		{s, "GET", "/metrics", 401},
		{s.with("Host", "evil.example"), "POST", "/mcp", 403},
		{s.with("Origin", "https://evil.example"), "POST", "/mcp", 403},
		{s.with("Origin", "https://ui.example").with("Access-Control-Request-Method", "POST"), "OPTIONS", "/mcp", 204},
	} {
		if response := c.client.do(c.method, c.path, ""); response.StatusCode != c.status || !response.Close {
			t.Errorf("%s %s: status %d, close %v", c.method, c.path, response.StatusCode, response.Close)
		}
	}
	if response := s.with("Authorization", aliceToken).do("POST", "/mcp", initialize); response.StatusCode != 200 || response.Close {
		t.Errorf("a client with a token: status %d, close %v", response.StatusCode, response.Close)
	}
}
