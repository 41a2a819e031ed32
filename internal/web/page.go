package web

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/internal/report"
	"econ-mcp/sim"
)

// page is what a template is given. Templates say both languages at the place: {{.T "Experiments" "实验"}}.
type page struct {
	Language string
	Title    string
	Here     string // path of the entry of the menu that is shown
	Path     string // of the page, with its query without the language
	Caller   access.Caller
	SignedIn bool // there is a session to sign out of
	Version  string
	Script   string // module of the page, below /assets/; "" = none
	Style    string // its own style sheet, below /assets/; "" = none
	Data     any    // of the page
}

// T is a text in the language of the page.
func (p page) T(en, zh string) string {
	return inLanguage(p.Language, en, zh)
}

func inLanguage(language, en, zh string) string {
	if language == report.Chinese {
		return zh
	}
	return en
}

// Other is the language that the page could be in.
func (p page) Other() string {
	if p.Language == report.Chinese {
		return report.English
	}
	return report.Chinese
}

// Switched is the address of this page in the other language.
func (p page) Switched() string {
	separator := "?"
	if strings.Contains(p.Path, "?") {
		separator = "&"
	}
	return p.Path + separator + "lang=" + p.Other()
}

// Writes says whether what changes something is shown.
func (p page) Writes() bool { return p.Caller.MayWrite() }

// Label names an indicator.
func (p page) Label(i sim.Indicator) string { return report.Label(i, p.Language) }

// Date writes a time for people.
func (p page) Date(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// menu is what stands on top of all pages.
var menu = []struct{ Path, En, Zh string }{
	{"/", "Ask", "提问"}, {"/experiments", "Experiments", "实验"}, {"/compare", "Compare", "比较"}, {"/sweeps", "Sweeps", "参数扫描"},
	{"/model", "Model", "模型"},
}

// Menu is the menu in the language of the page.
func (p page) Menu() (list []struct{ Path, Text string }) {
	for _, m := range menu {
		list = append(list, struct{ Path, Text string }{m.Path, p.T(m.En, m.Zh)})
	}
	return list
}

// templates are the pages by name, each with the frame around it.
var templates = func() map[string]*template.Template {
	list := map[string]*template.Template{}
	entries, err := files.ReadDir("pages")
	if err != nil {
		panic(err) // they are embedded
	}
	for _, e := range entries {
		if e.Name() != "frame.html" {
			list[strings.TrimSuffix(e.Name(), ".html")] = template.Must(template.ParseFS(files, "pages/frame.html", "pages/"+e.Name()))
		}
	}
	return list
}()

// shown is a page of the menu or below it.
type shown struct {
	Pattern  string // of [http.ServeMux]
	Template string
	Here     string
	Script   string
	Style    string
	Data     func(r *http.Request, p *page) (any, error) // may set the title; nil = none
}

// pages are all of them.
func (s *Site) pages() []shown {
	return slices.Concat(s.askPages(), s.experimentPages(), s.oneExperimentPages(), s.livePages(), s.comparePages(), s.sweepPages(), s.modelPages())
}

func (s *Site) servePages(mux *http.ServeMux) {
	for _, d := range s.pages() {
		mux.HandleFunc("GET "+d.Pattern, func(w http.ResponseWriter, r *http.Request) { s.show(w, r, d) })
	}
	mux.HandleFunc("GET /login", s.login)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		p := s.newPage(w, r)
		s.problem(w, p, fault.New(fault.NotFound, "", "there is no page %.200s", r.URL.Path).InChinese("没有页面 %.200s", r.URL.Path))
	})
}

// newPage is a page for who sent the request.
func (s *Site) newPage(w http.ResponseWriter, r *http.Request) page {
	caller, _ := callerOf(r.Context())
	_, err := r.Cookie(cookieOf(r))
	query := r.URL.Query()
	query.Del("lang")
	path := url.URL{Path: r.URL.Path, RawQuery: query.Encode()}
	return page{Language: languageOf(w, r), Path: path.String(), Caller: caller, SignedIn: err == nil, Version: s.Version}
}

// languageOf is the language that the address says, which a cookie keeps, else that of the cookie, else that of the browser.
func languageOf(w http.ResponseWriter, r *http.Request) string {
	if asked := r.URL.Query().Get("lang"); slices.Contains(report.Languages, asked) {
		http.SetCookie(w, &http.Cookie{Name: "lang", Value: asked, Path: "/", MaxAge: 365 * 86400, SameSite: http.SameSiteStrictMode})
		return asked
	}
	if kept, err := r.Cookie("lang"); err == nil && slices.Contains(report.Languages, kept.Value) {
		return kept.Value
	}
	for part := range strings.SplitSeq(r.Header.Get("Accept-Language"), ",") {
		switch tag := strings.ToLower(strings.TrimSpace(part)); {
		case strings.HasPrefix(tag, "zh"):
			return report.Chinese
		case strings.HasPrefix(tag, "en"):
			return report.English
		}
	}
	return report.English
}

// show writes a page, or sends who is not signed in to the page where to do so.
func (s *Site) show(w http.ResponseWriter, r *http.Request, d shown) {
	p := s.newPage(w, r)
	if _, known := callerOf(r.Context()); !known {
		http.Redirect(w, r, "/login?next="+url.QueryEscape(p.Path), http.StatusSeeOther)
		return
	}
	p.Here, p.Script, p.Style = d.Here, d.Script, d.Style
	if d.Data != nil {
		var err error
		if p.Data, err = d.Data(r, &p); err != nil {
			if e, ok := errors.AsType[*fault.Error](err); !ok || e.Detail != "" {
				s.Log.Error("a page could not be made", "page", d.Pattern, "error", err)
			}
			s.problem(w, p, err)
			return
		}
	}
	s.write(w, d.Template, http.StatusOK, p)
}

// problem is the page of an error: what is wrong, and the next move.
func (s *Site) problem(w http.ResponseWriter, p page, err error) {
	e := fault.Public(err)
	status := http.StatusBadRequest
	if known, ok := statuses[e.Kind]; ok {
		status = known
	}
	p.Title, p.Data, p.Script, p.Style = p.T("Not possible", "无法完成"), e, "", "" // those of the page that there is not
	if status == http.StatusNotFound {
		p.Title = p.T("Not found", "未找到")
	}
	s.write(w, "problem", status, p)
}

func (s *Site) write(w http.ResponseWriter, name string, status int, p page) {
	var b bytes.Buffer
	if err := templates[name].ExecuteTemplate(&b, "frame.html", p); err != nil {
		s.Log.Error("a page could not be written", "page", name, "error", err)
		http.Error(w, fmt.Sprintf("the page %s could not be written", name), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(b.Bytes())
}

// login is where a session begins: by the code in the fragment, which a script exchanges, or by a token.
func (s *Site) login(w http.ResponseWriter, r *http.Request) {
	p := s.newPage(w, r)
	p.Title, p.Script = p.T("Sign in", "登录"), "login.js"
	p.Data = struct {
		Tokens bool
		Next   string
	}{s.Login != nil, localPath(r.URL.Query().Get("next"))}
	s.write(w, "login", http.StatusOK, p)
}

// localPath is a path of this server, whatever was asked for.
func localPath(next string) string {
	u, err := url.Parse(next)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, "//") || strings.Contains(next, `\`) {
		return "/"
	}
	return u.String()
}
