package mcpserver

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	"econ-mcp/internal/access"
)

// guard decides who may talk to the server over HTTP.
type guard struct {
	loopback bool     // the server can be reached from this machine only
	hosts    []string // others that it is called, in lower case
	origins  []string // of web pages that may call it, in lower case
	tokens   []Token
}

// IsLoopback says whether an address to listen on can be reached from this machine only.
func IsLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && isLoopbackName(host)
}

func isLoopbackName(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

func newGuard(c HTTPConfig) *guard {
	g := &guard{loopback: IsLoopback(c.Addr), tokens: c.Tokens}
	for _, h := range c.AllowedHosts {
		g.hosts = append(g.hosts, strings.ToLower(h))
	}
	for _, o := range c.AllowedOrigins {
		g.origins = append(g.origins, strings.ToLower(strings.TrimSuffix(o, "/")))
	}
	if name, err := os.Hostname(); err == nil && !g.loopback {
		g.hosts = append(g.hosts, strings.ToLower(name))
	}
	return g
}

// knowsHost says whether a Host header names this server. A web page can point a name of
// its own at this machine (DNS rebinding), but it cannot choose what it is called here;
// nor can it rebind a plain address, which is therefore good where the server listens
// beyond this machine.
func (g *guard) knowsHost(hostport string) bool {
	host, _, err := net.SplitHostPort(hostport)
	if err != nil {
		host = strings.Trim(hostport, "[]")
	}
	if isLoopbackName(host) || slices.Contains(g.hosts, strings.ToLower(host)) || slices.Contains(g.hosts, strings.ToLower(hostport)) {
		return true
	}
	_, err = netip.ParseAddr(host)
	return err == nil && !g.loopback
}

// knowsOrigin says whether a page of this origin may call the server: those that are
// listed, those of this machine where it serves this machine only, and its own.
func (g *guard) knowsOrigin(origin, host string) bool {
	if slices.Contains(g.origins, strings.ToLower(origin)) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return false
	}
	return g.loopback && isLoopbackName(u.Hostname()) || !g.loopback && strings.EqualFold(u.Host, host)
}

type principalKey struct{}

// callerOf is who sent a request: whom its token names, or the operator where there are no tokens.
func callerOf(ctx context.Context) access.Caller {
	if t, ok := ctx.Value(principalKey{}).(Token); ok {
		return t.Caller
	}
	return access.Operator()
}

// named lets requests through that call the server by a name that it has.
func (g *guard) named(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.knowsHost(r.Host) {
			refuse(w, http.StatusForbidden, "this server is not called "+printable(r.Host)+": see --allowed-host")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// wrap lets requests through that may pass, whatever their method.
func (g *guard) wrap(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.knowsHost(r.Host) {
			refuse(w, http.StatusForbidden, "this server is not called "+printable(r.Host)+": see --allowed-host")
			return
		}
		if origin := r.Header.Get("Origin"); origin != "" {
			if !g.knowsOrigin(origin, r.Host) {
				refuse(w, http.StatusForbidden, "pages of "+printable(origin)+" may not call this server: see --allowed-origin")
				return
			}
			allowOrigin(w.Header(), origin)
			if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
				w.Header().Set("Connection", "close") // anyone can ask; the real request brings the token
				w.WriteHeader(http.StatusNoContent)
				return
			}
		}
		if len(g.tokens) > 0 {
			scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
			token, ok := find(g.tokens, strings.TrimSpace(secret))
			if !ok || !strings.EqualFold(scheme, "Bearer") {
				w.Header().Set("WWW-Authenticate", `Bearer realm="econ-mcp"`)
				refuse(w, http.StatusUnauthorized, "a bearer token is needed")
				return
			}
			r = r.WithContext(context.WithValue(r.Context(), principalKey{}, token))
		}
		welcome(r.Context())
		next.ServeHTTP(w, r)
	})
}

// allowOrigin lets a page read the answers.
func allowOrigin(h http.Header, origin string) {
	h.Add("Vary", "Origin")
	h.Set("Access-Control-Allow-Origin", origin)
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	h.Set("Access-Control-Allow-Headers", "Authorization, Content-Type, Accept, Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, "+
		"Mcp-Name, Last-Event-ID")
	h.Set("Access-Control-Expose-Headers", "Mcp-Session-Id, WWW-Authenticate")
	h.Set("Access-Control-Max-Age", "600")
}

// printable shortens what a stranger sent, for a message.
func printable(s string) string {
	s = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' {
			return '?'
		}
		return r
	}, s)
	return s[:min(len(s), 80)]
}
