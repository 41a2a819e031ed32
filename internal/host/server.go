package host

import (
	"net/url"
	"os"
	"slices"
	"strings"
	"time"
)

// Transport is how a server is spoken to.
type Transport string

const (
	Stdio Transport = "stdio" // a child process
	HTTP  Transport = "http"  // streamable HTTP
	SSE   Transport = "sse"   // the older HTTP with server-sent events
)

// Defaults of the configuration.
const (
	DefaultTimeout = 30 * time.Second // of a call, and of connecting
	DefaultRetries = 3                // after the first attempt
)

// Native takes the place of a server's id for the tools of the host's own process; NativeAlias is
// its older name.
const (
	Native      = "native"
	NativeAlias = "appflowy"
)

// Server says how a server is reached. Its values have their variables expanded and may
// hold secrets: they are never logged.
type Server struct {
	ID        string
	Transport Transport
	Command   string            // of a child process
	Args      []string          //
	Env       map[string]string // beside those of this process; those of envFile among them
	Dir       string            // it runs in; "" = this process's
	URL       string            // of the others
	Headers   map[string]string
	Active    bool
	Timeout   time.Duration // of a call; progress begins it anew
	Retries   int           // after a first attempt that failed
	Protocol  string        // version to ask for, such as 2025-11-25; "" = the newest
	Problem   *ConfigError  // why it cannot be used as it is configured; nil = it can
}

// secret is a value that must not be shown, and what stands in its place.
type secret struct{ name, value string }

// secrets are the values that a server was given and must not be shown: all of its headers and
// variables, what follows an argument that is named like a secret, user, password and query of
// its address; and this process's own variables that are named like secrets, which may stand in
// any of these. What is shorter than eight bytes may be any word, and is none; where it is named
// like a secret, what is shorter than four.
func (s Server) secrets() (list []secret) {
	add := func(name, value string) {
		for _, line := range strings.FieldsFunc(value, func(r rune) bool { return r == '\n' || r == '\r' }) { // only one is shown
			for _, text := range []string{line, url.QueryEscape(line)} {
				if len(text) >= 8 || len(text) >= 4 && namesSecret(name) {
					list = append(list, secret{"[" + name + "]", text})
				}
			}
		}
	}
	for name, value := range s.Headers {
		fields := strings.Fields(value)
		if len(fields) > 1 { // the first is a scheme, such as Bearer
			fields = fields[1:]
		}
		for _, field := range fields {
			add(name, field)
		}
	}
	for name, value := range s.Env {
		add(name, value)
	}
	for i, arg := range s.Args {
		name, value, _ := strings.Cut(arg, "=")
		if i > 0 && strings.HasPrefix(s.Args[i-1], "-") && !strings.HasPrefix(arg, "-") {
			name, value = s.Args[i-1], arg
		}
		if header, content, ok := strings.Cut(value, ":"); ok && namesSecret(header) { // as in --header "Authorization: …"
			name, value = header, content
		}
		if namesSecret(name) {
			for _, field := range strings.Fields(value) {
				add(strings.TrimLeft(name, "-"), field)
			}
		}
	}
	if u, err := url.Parse(s.URL); err == nil {
		password, _ := u.User.Password()
		add("url", u.User.Username())
		add("url", password)
		for name, values := range u.Query() {
			for _, value := range values {
				add(name, value)
			}
		}
	}
	for _, variable := range os.Environ() {
		if name, value, _ := strings.Cut(variable, "="); namesSecret(name) && len(value) >= 8 {
			add(name, value)
		}
	}
	slices.SortFunc(list, func(a, b secret) int { return len(b.value) - len(a.value) }) // one may hold another
	return list
}

// conceal replaces the secrets of a server in a text by their names, and so the beginning of a
// secret at the end of the text, which may have been cut there.
func (s Server) conceal(text string) string {
	list := s.secrets()
	for _, secret := range list {
		text = strings.ReplaceAll(text, secret.value, secret.name)
	}
	for _, secret := range list {
		for n := len(secret.value) - 1; n >= 4; n-- {
			if strings.HasSuffix(text, secret.value[:n]) {
				return text[:len(text)-n] + secret.name
			}
		}
	}
	return text
}

// excerpt is the beginning of a text from the server without secrets, on one line.
func (s Server) excerpt(text []byte) string {
	const most = 16 << 10 // more is not shown anyway
	return excerptOf(s.conceal(string(text[:min(len(text), most)])))
}

// secretWords are names near which a text may hold a secret.
var secretWords = []string{"password", "secret", "token", "api_key", "apikey", "authorization"}

func tellsSecret(value string) bool {
	lower := strings.ToLower(value)
	return slices.ContainsFunc(secretWords, func(word string) bool { return strings.Contains(lower, word) })
}

// inputPrefix begins the names of variables for ${input:ID}.
const inputPrefix = "INPUT_"

// namesSecret says whether a variable of the environment, a header or a flag is named like a
// secret.
func namesSecret(name string) bool {
	lower := strings.ToLower(name)
	return tellsSecret(lower) || strings.HasPrefix(name, inputPrefix) ||
		strings.Contains(lower, "key") || strings.Contains(lower, "pass") || strings.Contains(lower, "credential")
}
