package mcpserver_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"testing"

	"econ-mcp/internal/mcpserver"
)

// Pages stand beside the protocol: they get what is not its own, from those who know the server's name, with a token or without.
func TestSite(t *testing.T) {
	var f fixture
	pages := func(c *mcpserver.Config) {
		c.Site = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusTeapot)
			fmt.Fprint(w, r.URL.Path)
		})
	}
	s := f.listenWith(t, mcpserver.HTTPConfig{Tokens: tokensOf(t, "alice full 0123456789abcdef\n")}, pages)
	for _, tt := range []struct {
		method, path, host string
		want               int
	}{
		{"GET", "/", "", http.StatusTeapot}, {"GET", "/experiments", "", http.StatusTeapot}, {"POST", "/api/v1/session", "", http.StatusTeapot},
		{"GET", "/", "evil.example", http.StatusForbidden},
		{"POST", "/mcp", "", http.StatusUnauthorized}, {"GET", "/metrics", "", http.StatusUnauthorized},
		{"GET", "/mcp/other", "", http.StatusUnauthorized}, {"GET", "/healthz", "", http.StatusOK},
	} {
		from := s
		if tt.host != "" {
			from = s.with("Host", tt.host)
		}
		if got := from.status(tt.method, tt.path, "{}"); got != tt.want {
			t.Errorf("%s %s of %s: %d, want %d", tt.method, tt.path, tt.host, got, tt.want)
		}
	}
}

// A stream of the site ends with the server, which does not wait for it.
func TestSiteEnds(t *testing.T) {
	var f fixture
	streams := make(chan struct{})
	server := f.mustServe(t, func(c *mcpserver.Config) {
		c.Site = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.WriteHeader(http.StatusOK)
			_ = http.NewResponseController(w).Flush() // a client that is gone ends the test otherwise
			close(streams)
			<-r.Context().Done()
		})
	})
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, mcpserver.HTTPConfig{Addr: listener.Addr().String()}, listener) }()
	r, err := http.Get("http://" + listener.Addr().String() + "/stream")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	<-streams
	stop()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
