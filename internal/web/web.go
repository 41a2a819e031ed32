// Package web is the window: pages that people look at, and the JSON API that they read. Both stand on the domain packages, never on
// the tools of the protocol; what the API offers is the list [operations], from which /api/v1/openapi.json is made.
//
// Everything is embedded, and no page asks for anything beyond this server. Whoever may only read sees nothing that writes, and is
// refused where he tries.
package web

import (
	"context"
	"embed"
	"log/slog"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"
	"golang.org/x/sync/singleflight"

	"econ-mcp/internal/access"
	"econ-mcp/internal/lab"
	"econ-mcp/internal/param"
	"econ-mcp/internal/sweep/hosted"
)

// Site is what the pages show. Its fields are set before [Site.Handler].
type Site struct {
	Lab     *lab.Laboratory
	Library *param.Library
	Sweeps  *hosted.Sweeps
	Version string // of the program

	// Everyone says that whoever reaches the server is its operator, as on this machine without tokens. Otherwise nothing is shown
	// without a session, or a bearer token of Login.
	Everyone bool

	// Login finds whom a token lets in; nil = there are no tokens, and sessions begin with [Site.Code] only.
	Login func(token string) (access.Caller, bool)

	// Known is told of requests by those who were let in, whose connections are to be kept. May be nil.
	Known func(ctx context.Context)

	Ends context.Context  // is done when the server ends, and with it what goes on beside requests; nil = never
	Now  func() time.Time // nil = time.Now
	Log  *slog.Logger     // nil = slog.Default()

	sessions sessions
	streams  slots               // of events
	waiting  slots               // work that goes on after its request
	feeds    feeds               // of experiments that are followed
	heavy    *semaphore.Weighted // work that takes seconds or hundreds of megabytes
	making   singleflight.Group  // what pages wait for only a little while
	drawn    drawnSweeps
	api      map[string]operation // by name: pages call them too
}

//go:embed assets pages
var files embed.FS

// mostHeavy is how many exports, comparisons and drawings of sweeps are made at once.
const mostHeavy = 2

// Handler answers everything but what belongs to the protocol.
func (s *Site) Handler() http.Handler {
	if s.Now == nil {
		s.Now = time.Now
	}
	if s.Log == nil {
		s.Log = slog.Default()
	}
	s.heavy = semaphore.NewWeighted(mostHeavy)
	mux := http.NewServeMux()
	s.serveAssets(mux)
	s.serveAPI(mux)
	s.servePages(mux)
	own := http.NewCrossOriginProtection() // refuses what a page of another origin sends, by Sec-Fetch-Site and Origin
	return withHeaders(withPatience(own.Handler(s.fromElsewhere(s.withCaller(mux)))))
}

// policy lets a page load its own files only, and be framed by nobody. Styles of elements are set by scripts and attributes alone.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// withHeaders guards all answers, whatever they hold.
func withHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cache-Control", "no-store") // assets say otherwise
		next.ServeHTTP(w, r)
	})
}
