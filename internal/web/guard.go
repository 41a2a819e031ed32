package web

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
)

// fromElsewhere answers what a page of another site asks for, or of another port of this machine: nothing but where to begin. GETs too are on
// record here, as looks at results, and cost work; so a link from elsewhere is followed by the visitor, on a page of ours, and by no other.
// Browsers say where a request comes from to servers on this machine and over TLS; POSTs are guarded by [http.CrossOriginProtection] as well.
func (s *Site) fromElsewhere(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.Header.Get("Sec-Fetch-Site") {
		case "cross-site", "same-site":
		default:
			next.ServeHTTP(w, r)
			return
		}
		switch navigates := r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"; {
		case r.Method != http.MethodGet || !navigates || strings.HasPrefix(r.URL.Path, apiPath):
			fail(w, r, fault.New(fault.Forbidden, "", "pages of other sites may not ask this server").WithHint("open it in a window of its own"))
		case r.URL.Path == "/" && r.URL.RawQuery == "", r.URL.Path == "/login":
			next.ServeHTTP(w, r)
		default:
			p := s.newPage(w, r)
			p.Title, p.Data = p.T("A link from another site", "来自其他网站的链接"), p.Path
			s.write(w, "elsewhere", http.StatusOK, p)
		}
	})
}

// patient gives a reader half a minute for each part of an answer, however long all of it takes, and however long it took to make.
type patient struct {
	http.ResponseWriter
	control *http.ResponseController
}

// Sizes and times of the parts of an answer.
const (
	partSize = 256 << 10
	partTime = 30 * time.Second
)

func withPatience(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(patient{w, http.NewResponseController(w)}, r)
	})
}

// Unwrap is for [http.ResponseController].
func (p patient) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// Write implements [http.ResponseWriter].
func (p patient) Write(data []byte) (n int, err error) {
	for {
		part := data[n:min(n+partSize, len(data))]
		_ = p.control.SetWriteDeadline(time.Now().Add(partTime)) // a connection that knows no deadlines needs none
		k, err := p.ResponseWriter.Write(part)
		if n += k; err != nil || n == len(data) {
			return n, err
		}
	}
}

// slots bound what each principal has under way at once. The zero value has none taken.
type slots struct {
	mu    sync.Mutex
	taken map[string]int
}

// Bounds of each principal.
const (
	mostStreams = 32 // of events: a browser opens six
	mostWaiting = 4  // comparisons and reports that go on although the page was sent without them
)

// take takes a slot of a principal, or refuses; give has to be called with what it gave.
func (s *slots) take(principal string, most int, what string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[principal] >= most {
		return fault.New(fault.LimitExceeded, "", "%s has %d %s already, and may have no more at once", access.Name(principal), most, what).
			WithHint("wait until one has ended")
	}
	if s.taken == nil {
		s.taken = map[string]int{}
	}
	s.taken[principal]++
	return nil
}

func (s *slots) give(principal string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.taken[principal]--; s.taken[principal] == 0 {
		delete(s.taken, principal)
	}
}

// lasting is a context for work that goes on after its request, and ends with the site.
func (s *Site) lasting(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	if s.Ends == nil {
		return ctx, cancel
	}
	stop := context.AfterFunc(s.Ends, cancel)
	return ctx, func() { stop(); cancel() }
}
