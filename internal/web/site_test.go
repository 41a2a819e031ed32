package web_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/app"
	"econ-mcp/internal/web"
)

// tokens of the callers of tests, by name.
var tokens = map[string]access.Caller{
	"token-of-ada-0001": {Principal: "ada", Role: access.Full},
	"token-of-bob-0001": {Principal: "bob", Role: access.ReadOnly},
}

// opened is a site on a laboratory of its own.
type opened struct {
	*web.Site
	app     *app.App
	handler http.Handler
	now     time.Time // of its clock, which tests move
}

// mustSite opens one. With prepare it can be made another before it answers.
func mustSite(t testing.TB, prepare func(*web.Site)) *opened {
	t.Helper()
	o := &opened{now: time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)}
	a, err := app.Open(t.TempDir(), app.Options{Version: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	o.app, o.Site = a, a.Site(nil)
	o.Site.Now = func() time.Time { return o.now }
	if prepare != nil {
		prepare(o.Site)
	}
	o.handler = o.Handler()
	return o
}

// withTokens lets in those who have one.
func withTokens(s *web.Site) {
	s.Login = func(token string) (access.Caller, bool) { c, ok := tokens[token]; return c, ok }
}

// everyone lets everyone in.
func everyone(s *web.Site) { s.Everyone = true }

// request is what a test sends.
type request struct {
	method, path string
	body         any // JSON; a string is sent as it is
	token        string
	cookie       *http.Cookie
	header       map[string]string
}

// send returns the answer, whose body has been read.
func (o *opened) send(t testing.TB, q request) (*http.Response, string) {
	t.Helper()
	if q.method == "" {
		q.method = http.MethodGet
	}
	var body io.Reader
	switch b := q.body.(type) {
	case nil:
	case string:
		body = strings.NewReader(b)
	default:
		text, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		body = bytes.NewReader(text)
	}
	r := httptest.NewRequest(q.method, "http://lab.example"+q.path, body)
	if q.body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	if q.token != "" {
		r.Header.Set("Authorization", "Bearer "+q.token)
	}
	if q.cookie != nil {
		r.AddCookie(q.cookie)
	}
	for name, value := range q.header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	o.handler.ServeHTTP(w, r)
	return w.Result(), w.Body.String()
}

// code is the code of an error that was answered.
func code(body string) string {
	var e struct {
		Error struct {
			Code string `json:"code"`
		} `json:"error"`
	}
	_ = json.Unmarshal([]byte(body), &e) // what is no error has no code
	return e.Error.Code
}

// Nobody sees anything without a session, and a session begins by a code that is good once, for five minutes.
func TestCode(t *testing.T) {
	o := mustSite(t, nil)
	if r, body := o.send(t, request{path: "/api/v1/experiments"}); r.StatusCode != http.StatusUnauthorized || code(body) != "forbidden" {
		t.Errorf("the API to a stranger: %d %s", r.StatusCode, body)
	}
	if r, _ := o.send(t, request{path: "/experiments?search=x"}); r.StatusCode != http.StatusSeeOther || r.Header.Get("Location") != "/login?next=%2Fexperiments%3Fsearch%3Dx" {
		t.Errorf("a page to a stranger: %d %s", r.StatusCode, r.Header.Get("Location"))
	}
	begin := func(code string) (*http.Response, string) {
		return o.send(t, request{method: "POST", path: "/api/v1/session", body: map[string]string{"code": code}})
	}
	good := o.Code()
	if r, body := begin(good + "x"); r.StatusCode != http.StatusForbidden {
		t.Errorf("a wrong code: %d %s", r.StatusCode, body)
	}
	r, body := begin(good)
	if r.StatusCode != http.StatusOK || len(r.Cookies()) != 1 || !strings.Contains(body, `"admin"`) {
		t.Fatalf("the code: %d %s", r.StatusCode, body)
	}
	c := r.Cookies()[0]
	if !c.HttpOnly || c.SameSite != http.SameSiteStrictMode || c.Path != "/" {
		t.Errorf("the cookie: %+v", c)
	}
	if r, body := begin(good); r.StatusCode != http.StatusForbidden {
		t.Errorf("a code that was used: %d %s", r.StatusCode, body)
	}
	late := o.Code()
	o.now = o.now.Add(6 * time.Minute)
	if r, body := begin(late); r.StatusCode != http.StatusForbidden {
		t.Errorf("a code that is too old: %d %s", r.StatusCode, body)
	}

	get := func() int {
		r, _ := o.send(t, request{path: "/experiments", cookie: c})
		return r.StatusCode
	}
	o.now = o.now.Add(11 * time.Hour)
	if get() != http.StatusOK {
		t.Error("a session of 11 idle hours has ended")
	}
	o.now = o.now.Add(13 * time.Hour)
	if get() != http.StatusSeeOther {
		t.Error("a session of 13 idle hours goes on")
	}
}

// A session by a token has the rights of its principal, and ends by signing out.
func TestToken(t *testing.T) {
	o := mustSite(t, withTokens)
	begin := func(token string) (*http.Response, string) {
		return o.send(t, request{method: "POST", path: "/api/v1/session", body: map[string]string{"token": token}})
	}
	if r, body := begin("token-of-nobody-1"); r.StatusCode != http.StatusForbidden || len(r.Cookies()) > 0 {
		t.Errorf("a wrong token: %d %s", r.StatusCode, body)
	}
	if r, body := begin(""); r.StatusCode != http.StatusBadRequest {
		t.Errorf("no token: %d %s", r.StatusCode, body)
	}
	r, _ := begin("token-of-ada-0001")
	c := r.Cookies()[0]
	who := func(q request) string {
		q.path = "/api/v1/session"
		_, body := o.send(t, q)
		return body
	}
	if got := who(request{cookie: c}); got != `{"principal":"ada","role":"full"}` {
		t.Errorf("ada is %s", got)
	}
	if got := who(request{token: "token-of-bob-0001"}); got != `{"principal":"bob","role":"read-only"}` {
		t.Errorf("bob is %s", got)
	}
	if _, page := o.send(t, request{path: "/experiments", cookie: c}); !strings.Contains(page, `data-writes="true"`) || !strings.Contains(page, "signout") {
		t.Errorf("the page of ada: %s", page)
	}
	if _, page := o.send(t, request{path: "/experiments", token: "token-of-bob-0001"}); !strings.Contains(page, `data-writes="false"`) {
		t.Errorf("the page of bob: %s", page)
	}
	if r, _ := o.send(t, request{method: "POST", path: "/api/v1/session/end", body: "{}", cookie: c}); r.StatusCode != http.StatusOK || r.Cookies()[0].MaxAge >= 0 {
		t.Errorf("signing out: %d %v", r.StatusCode, r.Cookies())
	}
	if got := who(request{cookie: c}); code(got) != "forbidden" {
		t.Errorf("after signing out: %s", got)
	}
}

// A page of another site can send nothing that does something, whatever cookies the browser has.
func TestOtherSites(t *testing.T) {
	o := mustSite(t, everyone)
	post := func(header map[string]string) int {
		r, _ := o.send(t, request{method: "POST", path: "/api/v1/session/end", body: "{}", header: header})
		return r.StatusCode
	}
	for name, header := range map[string]map[string]string{
		"another site":     {"Origin": "https://evil.example", "Sec-Fetch-Site": "cross-site"},
		"another port":     {"Origin": "http://lab.example:81", "Sec-Fetch-Site": "same-site"},
		"an older browser": {"Origin": "https://evil.example"},
		"a sandbox":        {"Origin": "null"},
	} {
		if got := post(header); got != http.StatusForbidden {
			t.Errorf("%s: %d", name, got)
		}
	}
	if got := post(map[string]string{"Content-Type": "text/plain"}); got != http.StatusBadRequest {
		t.Errorf("what a form can send: %d", got)
	}
	if got := post(map[string]string{"Origin": "http://lab.example", "Sec-Fetch-Site": "same-origin"}); got != http.StatusOK {
		t.Errorf("its own page: %d", got)
	}
	for _, path := range []string{"/experiments", "/assets/lib.js", "/api/v1/experiments", "/nowhere", "/login"} {
		r, _ := o.send(t, request{path: path, header: map[string]string{"Origin": "https://evil.example"}})
		if r.Header.Get("Access-Control-Allow-Origin") != "" || !strings.Contains(r.Header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %v", path, r.Header)
		}
	}
}

// What another site has a browser ask for is not done either: GETs are on record as looks. A link is followed by the visitor, on a page of ours.
func TestLinksFromOtherSites(t *testing.T) {
	o := mustSite(t, everyone)
	o.mustExperiment(t, "vat", small)
	from := func(site, mode, dest string) map[string]string {
		return map[string]string{"Sec-Fetch-Site": site, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}
	}
	for _, tt := range []struct {
		path   string
		header map[string]string
		status int
		want   string
	}{
		{"/experiments/vat?from=1&to=5", from("cross-site", "no-cors", "image"), http.StatusForbidden, "forbidden"},
		{"/experiments/vat", from("same-site", "navigate", "iframe"), http.StatusForbidden, "forbidden"},
		{"/api/v1/experiments/vat/effects", from("cross-site", "navigate", "document"), http.StatusForbidden, "forbidden"},
		{"/experiments/vat?from=1&to=5", from("cross-site", "navigate", "document"), http.StatusOK, `href="/experiments/vat?from=1&amp;to=5"`},
		{"/", from("cross-site", "navigate", "document"), http.StatusOK, `id="question"`},
		{"/experiments/vat", from("none", "navigate", "document"), http.StatusOK, "Who pays for a VAT rise?"},
		{"/experiments/vat", from("same-origin", "navigate", "document"), http.StatusOK, "Who pays for a VAT rise?"},
	} {
		r, body := o.send(t, request{path: tt.path, header: tt.header})
		if r.StatusCode != tt.status || !strings.Contains(body, tt.want) {
			t.Errorf("%s %v: %d %.600s", tt.path, tt.header, r.StatusCode, body)
		}
		if tt.header["Sec-Fetch-Site"] == "cross-site" && strings.Contains(body, "Who pays") {
			t.Errorf("%s was opened from elsewhere", tt.path)
		}
	}
}

// Servers on other ports of a machine have cookies of their own, and a principal has at most twenty sessions.
func TestCookies(t *testing.T) {
	o := mustSite(t, withTokens)
	begin := func(cookie *http.Cookie) *http.Cookie {
		r, _ := o.send(t, request{
			method: "POST", path: "/api/v1/session", body: map[string]string{"token": "token-of-ada-0001"}, cookie: cookie,
			header: map[string]string{"X-Forwarded-Proto": "https"},
		})
		return r.Cookies()[0]
	}
	signedIn := func(c *http.Cookie) bool {
		r, _ := o.send(t, request{path: "/api/v1/session", cookie: c})
		return r.StatusCode == http.StatusOK
	}
	first := begin(nil)
	if first.Name != "econ_session" || !first.Secure {
		t.Errorf("%+v", first)
	}
	if second := begin(first); signedIn(first) || !signedIn(second) {
		t.Error("the session before goes on")
	}
	oldest := begin(nil)
	o.now = o.now.Add(time.Second)
	for range 20 {
		begin(nil)
	}
	if signedIn(oldest) {
		t.Error("more than twenty sessions of one principal")
	}
	other := httptest.NewRequest("GET", "http://127.0.0.1:8123/api/v1/session", nil)
	other.AddCookie(first)
	w := httptest.NewRecorder()
	if o.handler.ServeHTTP(w, other); w.Code != http.StatusUnauthorized {
		t.Errorf("the cookie of another port is good: %d", w.Code)
	}
}

// Who is sent to sign in comes back to where he was on this server, and nowhere else.
func TestNext(t *testing.T) {
	o := mustSite(t, withTokens)
	for asked, want := range map[string]string{
		"/experiments?search=x": "/experiments?search=x", "https://evil.example/": "/", "//evil.example/": "/", `/\evil.example`: "/", "javascript:alert(1)": "/", "": "/",
	} {
		_, body := o.send(t, request{path: "/login?next=" + strings.NewReplacer("?", "%3F", "=", "%3D", `\`, "%5C", ":", "%3A", "/", "%2F").Replace(asked)})
		if !strings.Contains(body, `data-next="`+want+`"`) {
			t.Errorf("%q: %s", asked, body)
		}
	}
}

// What is not there says so, in the language of the visitor.
func TestNotFound(t *testing.T) {
	o := mustSite(t, everyone)
	for _, tt := range []struct{ path, language, want string }{
		{"/nowhere", "en", "there is no page /nowhere"}, {"/nowhere", "zh-CN,zh;q=0.9", "没有页面 /nowhere"}, {"/api/v1/nowhere", "en", "openapi.json"},
	} {
		r, body := o.send(t, request{path: tt.path, header: map[string]string{"Accept-Language": tt.language}})
		if r.StatusCode != http.StatusNotFound || !strings.Contains(body, tt.want) {
			t.Errorf("%s: %d %s", tt.path, r.StatusCode, body)
		}
	}
}

// What is refused is said in the language of the visitor, as far as there are words for it; scripts that say nothing read English.
func TestRefusedInChinese(t *testing.T) {
	o := mustSite(t, everyone)
	for _, tt := range []struct{ path, language, message, hint string }{
		{"/api/v1/experiments?limit=0", "", "limit = 0", "allowed 1 to 200"},
		{"/api/v1/experiments?limit=0", "zh", "limit = 0", "允许：1 to 200"},
		{"/api/v1/experiments/vta", "zh", "未知的名称", "目前还没有"},
	} {
		q := request{path: tt.path}
		if tt.language != "" {
			q.cookie = &http.Cookie{Name: "lang", Value: tt.language}
		}
		var got struct {
			Error struct{ Message, Hint string }
		}
		_, body := o.send(t, q)
		if err := json.Unmarshal([]byte(body), &got); err != nil || !strings.Contains(got.Error.Message, tt.message) || got.Error.Hint != tt.hint {
			t.Errorf("%s in %q: %s", tt.path, tt.language, body)
		}
	}
}

// A browser keeps assets as long as they are the same.
func TestAssets(t *testing.T) {
	o := mustSite(t, nil)
	r, body := o.send(t, request{path: "/assets/lib.js"})
	if r.StatusCode != http.StatusOK || !strings.HasPrefix(r.Header.Get("Content-Type"), "text/javascript") || !strings.Contains(body, "export") {
		t.Fatalf("lib.js: %d %v", r.StatusCode, r.Header)
	}
	if r, body := o.send(t, request{path: "/assets/lib.js", header: map[string]string{"If-None-Match": r.Header.Get("ETag")}}); r.StatusCode != http.StatusNotModified || body != "" {
		t.Errorf("the same again: %d", r.StatusCode)
	}
	if r, _ := o.send(t, request{path: "/assets/../web.go"}); r.StatusCode == http.StatusOK {
		t.Error("what is no asset is sent")
	}
}
