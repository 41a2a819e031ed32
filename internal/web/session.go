package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/tools"
)

// Times of sessions and codes.
const (
	sessionIdle  = 12 * time.Hour // after which a session ends of which nothing is heard
	codeTime     = 5 * time.Minute
	mostSessions = 20 // of a principal, whose one that is idle for longest makes room
)

// sessionCookie holds the secret of a session, and its name the port of the server: browsers send cookies to all ports of a host. No script
// reads it, and no page of another site sends it.
const sessionCookie = "econ_session"

func cookieOf(r *http.Request) string {
	if _, port, err := net.SplitHostPort(r.Host); err == nil {
		return sessionCookie + "_" + port
	}
	return sessionCookie
}

// sessions are those of browsers. They live as long as the program.
type sessions struct {
	mu    sync.Mutex
	codes map[[sha256.Size]byte]time.Time // until when a code can be exchanged, once
	open  map[[sha256.Size]byte]*session
}

type session struct {
	caller access.Caller
	last   time.Time // heard of
}

// Code makes a code with which a browser of the operator's begins a session, once, within five minutes. It belongs into the fragment of
// the address, which no server and no log sees: /#code=….
func (s *Site) Code() string {
	code := rand.Text()
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	if s.sessions.codes == nil {
		s.sessions.codes = map[[sha256.Size]byte]time.Time{}
	}
	s.sessions.codes[sha256.Sum256([]byte(code))] = s.now().Add(codeTime)
	return code
}

func (s *Site) now() time.Time {
	if s.Now == nil {
		return time.Now()
	}
	return s.Now()
}

// takeCode says whether a code is good, and spends it.
func (s *Site) takeCode(code string) bool {
	s.sessions.mu.Lock()
	defer s.sessions.mu.Unlock()
	sum := sha256.Sum256([]byte(code))
	until, ok := s.sessions.codes[sum]
	delete(s.sessions.codes, sum)
	return ok && s.now().Before(until)
}

// begin makes a session and returns its secret.
func (l *sessions) begin(c access.Caller, now time.Time) string {
	secret := rand.Text()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.open == nil {
		l.open = map[[sha256.Size]byte]*session{}
	}
	var oldest [sha256.Size]byte
	own, least := 0, now
	for sum, o := range l.open {
		if o.caller.Principal != c.Principal {
			continue
		}
		if own++; !o.last.After(least) {
			oldest, least = sum, o.last
		}
	}
	if own >= mostSessions {
		delete(l.open, oldest)
	}
	l.open[sha256.Sum256([]byte(secret))] = &session{c, now}
	return secret
}

// find is whose session a secret belongs to.
func (l *sessions) find(secret string, now time.Time) (access.Caller, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	sum := sha256.Sum256([]byte(secret))
	o := l.open[sum]
	if o == nil {
		return access.Caller{}, false
	}
	if now.Sub(o.last) > sessionIdle {
		delete(l.open, sum)
		return access.Caller{}, false
	}
	o.last = now
	return o.caller, true
}

func (l *sessions) end(secret string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.open, sha256.Sum256([]byte(secret)))
}

type callerKey struct{}

// callerOf is who sent a request, if he was let in.
func callerOf(ctx context.Context) (access.Caller, bool) {
	c, ok := ctx.Value(callerKey{}).(access.Caller)
	return c, ok
}

// withCaller finds who sent a request: by its session, a bearer token, or, where everyone is the operator, by nothing at all.
func (s *Site) withCaller(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller, known := access.Caller{}, false
		if cookie, err := r.Cookie(cookieOf(r)); err == nil {
			caller, known = s.sessions.find(cookie.Value, s.now())
		}
		scheme, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !known && strings.EqualFold(scheme, "Bearer") && s.Login != nil {
			caller, known = s.Login(strings.TrimSpace(secret))
		}
		if !known && s.Everyone {
			caller, known = access.Operator(), true
		}
		if known {
			if s.Known != nil {
				s.Known(r.Context())
			}
			r = r.WithContext(context.WithValue(r.Context(), callerKey{}, caller))
		}
		next.ServeHTTP(w, r)
	})
}

// signInArgs begin a session.
type signInArgs struct {
	Code  string `json:"code,omitempty" max:"100" doc:"One-time code that econ-mcp open put into the address"`
	Token string `json:"token,omitempty" max:"1000" doc:"Token of the file of tokens"`
}

// who is whom the server takes the caller for.
type who struct {
	Principal string `json:"principal" doc:"empty = who runs the program"`
	Role      string `json:"role" enum:"read-only,full,admin"`
}

// signIn begins a session for one that shows a code or a token, in the place of the one that the browser has.
func (s *Site) signIn(ctx context.Context, _ *tools.Call, in signInArgs) (who, error) {
	caller, err := s.shows(in)
	if err != nil {
		return who{}, err
	}
	x := exchangeOf(ctx)
	if cookie, err := x.r.Cookie(cookieOf(x.r)); err == nil {
		s.sessions.end(cookie.Value)
	}
	setCookie(x.w, x.r, s.sessions.begin(caller, s.now()))
	return who{caller.Principal, string(caller.Role)}, nil
}

// signOut ends the session of the browser.
func (s *Site) signOut(ctx context.Context, _ *tools.Call, _ struct{}) (done, error) {
	x := exchangeOf(ctx)
	if cookie, err := x.r.Cookie(cookieOf(x.r)); err == nil {
		s.sessions.end(cookie.Value)
	}
	setCookie(x.w, x.r, "")
	return done{true}, nil
}

// shows is the caller whom a code or a token lets in.
func (s *Site) shows(in signInArgs) (access.Caller, error) {
	switch {
	case in.Code != "":
		if s.takeCode(in.Code) {
			return access.Operator(), nil
		}
		return access.Caller{}, fault.New(fault.Forbidden, "code", "the code was used, or is older than %v", codeTime).
			InChinese("此代码已使用过，或已超过 %v", codeTime).WithHint("call econ-mcp open again")
	case in.Token != "" && s.Login != nil:
		if caller, ok := s.Login(in.Token); ok {
			return caller, nil
		}
		return access.Caller{}, fault.New(fault.Forbidden, "token", "nobody has this token").InChinese("令牌无效").
			WithHint("ask who runs the server for a token")
	}
	return access.Caller{}, fault.Missing("token", "show a token of the server's file of tokens, or the code of econ-mcp open").
		InChinese("请提供令牌")
}

// setCookie gives a browser the secret of a session; none ends it. A proxy with TLS says so in a header, which makes the cookie stricter only.
func setCookie(w http.ResponseWriter, r *http.Request, secret string) {
	c := &http.Cookie{
		Name: cookieOf(r), Value: secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode,
		Secure: r.TLS != nil || r.Header.Get("X-Forwarded-Proto") == "https", MaxAge: int(sessionIdle / time.Second),
	}
	if secret == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}
