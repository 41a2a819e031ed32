package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
)

// Transport is how a server is spoken to.
type Transport string

const (
	Stdio Transport = "stdio" // a child process
	HTTP  Transport = "http"  // streamable HTTP
	SSE   Transport = "sse"   // the older HTTP with server-sent events
)

// What a call gets where the configuration does not say.
const (
	DefaultTimeout = 30 * time.Second // of a call, and of connecting
	DefaultRetries = 3                // after the first attempt
)

// Native stands, where the id of a server may, for the tools of the host's own process;
// NativeAlias is its older name.
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
	Env       map[string]string // beside those of this process
	Dir       string            // it runs in; "" = this process's
	URL       string            // of the others
	Headers   map[string]string
	Active    bool
	Timeout   time.Duration // of a call; progress begins it anew
	Retries   int           // after a first attempt that failed
	Protocol  string        // version to ask for, such as 2025-11-25; "" = the newest
}

// conceal replaces what a text tells of the secrets that a server was given: of its
// headers, of its address, and of variables that are named like one. What is shorter than
// eight letters is no secret, but may be any word.
func (s Server) conceal(text string) string {
	var secrets []string
	for _, value := range s.Headers {
		secrets = append(secrets, strings.Fields(value)...)
	}
	for name, value := range s.Env {
		if namesSecret(name) {
			secrets = append(secrets, value)
		}
	}
	if u, err := url.Parse(s.URL); err == nil {
		password, _ := u.User.Password()
		secrets = append(secrets, u.User.Username(), password)
		for _, values := range u.Query() {
			secrets = append(secrets, values...)
		}
	}
	slices.SortFunc(secrets, func(a, b string) int { return len(b) - len(a) }) // one may hold another
	for _, secret := range secrets {
		if len(secret) >= 8 {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	return text
}

// namesSecret says whether a variable of the environment is named like a secret.
func namesSecret(name string) bool {
	lower := strings.ToLower(name)
	return tellsSecret(lower) || strings.Contains(lower, "key") || strings.Contains(lower, "pass")
}

// Agent is who uses tools: which it may use, and whether at all.
type Agent struct {
	Name         string
	ToolCalling  bool
	AllowedTools []string // "server.tool" or "tool"; empty = not decided yet
}

// Allows says whether the agent may use a tool.
func (a Agent) Allows(t Tool) bool {
	return a.ToolCalling && (slices.Contains(a.AllowedTools, t.FullName()) || slices.Contains(a.AllowedTools, t.Name))
}

// Config is which servers and agents there are, in the order of the file. That order is
// the one in which a tool without a source is looked for.
type Config struct {
	Servers []Server
	Agents  []Agent

	document *node // as it was read
}

// ConfigError is what is wrong with a configuration, and where.
type ConfigError struct {
	Path         string
	Line, Column int // from 1, of the end of what is wrong; 0 = the file as a whole
	Message      string
	Err          error
}

// Error gives the place first, as compilers do.
func (e *ConfigError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.Path, e.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", e.Path, e.Line, e.Column, e.Message)
}

// Unwrap gives the cause, where there is one.
func (e *ConfigError) Unwrap() error { return e.Err }

// ReadConfig reads the `mcpServers` JSON that Claude Desktop and Cursor use; `servers` is
// the name that VS Code has for it. A server has `command`, `args`, `env` and `cwd`, or `url`,
// `headers` and `type` (http or sse), and for both `isActive`, `timeout` in seconds,
// `retries` and `protocolVersion`. Beside them stand `agents`, with `toolCalling` and
// `allowedTools`. What other clients keep in the same file is left alone.
//
// In values, ${VAR}, ${env:VAR} and ${VAR:-default} are replaced from the environment; a
// variable that is not set is an error in an active server. An unknown key, a missing
// command, a bad URL or a name that stands twice is a [ConfigError] with its line.
func ReadConfig(path string) (Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Config{}, &ConfigError{Path: path, Message: "cannot be read: " + cause(err).Error(), Err: err}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // as some editors of Windows begin a file
	c, err := parseConfig(data, os.LookupEnv)
	if e, ok := errors.AsType[*placed](err); ok {
		line, column := lineAndColumn(data, e.at)
		return Config{}, &ConfigError{path, line, column, e.message, nil}
	}
	return c, err
}

// cause is the last error of a chain: what an operating system says, without the path.
func cause(err error) error {
	for next := errors.Unwrap(err); next != nil; next = errors.Unwrap(err) {
		err = next
	}
	return err
}

// configReader reads a configuration.
type configReader struct {
	lookup func(string) (string, bool)
}

func parseConfig(data []byte, lookup func(string) (string, bool)) (Config, error) {
	root, err := parseDocument(data)
	if err != nil {
		return Config{}, err
	}
	c, r := Config{document: root}, configReader{lookup}
	ours := *root
	ours.members = slices.DeleteFunc(slices.Clone(root.members), func(m member) bool { return slices.Contains(ofOthers, m.name) })
	if err := known(&ours, "mcpServers", "servers", "agents"); err != nil {
		return c, err
	}
	for _, m := range ours.members {
		if err := known(m.node, anyName); err != nil {
			return c, err
		}
		for _, entry := range m.node.members {
			if m.name == "agents" {
				a, err := readAgent(entry)
				if err != nil {
					return c, err
				}
				c.Agents = append(c.Agents, a)
				continue
			}
			s, err := r.server(entry)
			if err != nil {
				return c, err
			}
			if slices.ContainsFunc(c.Servers, func(o Server) bool { return o.ID == s.ID }) {
				return c, &placed{entry.at, fmt.Sprintf("server %q stands twice", s.ID)}
			}
			c.Servers = append(c.Servers, s)
		}
	}
	return c, nil
}

// ofOthers is what other clients keep beside the servers: Claude Desktop its settings, VS Code
// what it asks its user for. It is left alone.
var ofOthers = []string{"$schema", "globalShortcut", "preferences", "inputs"}

const anyName = "*"

// known refuses a node that is not an object, or that has other members.
func known(n *node, names ...string) error {
	if n.kind != '{' {
		return &placed{n.at, "an object is needed here"}
	}
	for _, m := range n.members {
		if names[0] != anyName && !slices.Contains(names, m.name) {
			e := fault.Unknown(fault.NotFound, m.name, names)
			return &placed{m.at, fmt.Sprintf("unknown key %q; %s", m.name, e.Hint)}
		}
	}
	return nil
}

// serverID is what may name a server: it stands before the dot of a tool's full name.
var serverID = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_ @/-]{0,99}$`)

var transports = map[string]Transport{
	"stdio": Stdio, "http": HTTP, "streamable-http": HTTP, "streamableHttp": HTTP, "streamable_http": HTTP, "sse": SSE,
}

// serverKeys are the keys of a server and how each is read; they are those of the error
// for another one.
var serverKeys = []string{"command", "args", "env", "cwd", "url", "headers", "type", "isActive", "disabled", "timeout", "retries", "protocolVersion"}

func (r configReader) server(m member) (Server, error) {
	s := Server{ID: m.name, Active: true, Timeout: DefaultTimeout, Retries: DefaultRetries}
	if !serverID.MatchString(s.ID) {
		return s, &placed{m.at, fmt.Sprintf("%q cannot name a server: letters, digits, _ and - are allowed, 100 at most", s.ID)}
	}
	if s.ID == Native || s.ID == NativeAlias {
		return s, &placed{m.at, fmt.Sprintf("%q cannot name a server: it stands for the tools of the host itself", s.ID)}
	}
	n := m.node
	if err := known(n, serverKeys...); err != nil {
		return s, err
	}
	var kind string
	var timeout, retries *float64
	var disabled bool
	for _, read := range []error{ // what decides how the others are read comes first
		decode(n, "isActive", &s.Active, "true or false"), decode(n, "disabled", &disabled, "true or false"),
		decode(n, "type", &kind, "a text"), decode(n, "timeout", &timeout, "a number of seconds"), decode(n, "retries", &retries, "a whole number"),
		decode(n, "protocolVersion", &s.Protocol, "a version of the protocol"),
	} {
		if read != nil {
			return s, read
		}
	}
	s.Active = s.Active && !disabled
	if timeout != nil {
		if !(*timeout > 0 && *timeout <= 86400) {
			return s, &placed{n.member("timeout").at, "timeout is in seconds, above 0 and at most 86400"}
		}
		s.Timeout = time.Duration(*timeout * float64(time.Second))
	}
	if retries != nil {
		if s.Retries = int(*retries); float64(s.Retries) != *retries || s.Retries < 0 || s.Retries > 20 {
			return s, &placed{n.member("retries").at, "retries is a whole number from 0 to 20"}
		}
	}
	if s.Protocol != "" && !mcp.IsValidProtocolVersion(s.Protocol) {
		return s, &placed{n.member("protocolVersion").at, fmt.Sprintf("protocolVersion is %q; known are %s", s.Protocol, strings.Join(mcp.ValidProtocolVersions, ", "))}
	}
	for _, read := range []error{
		r.text(n, "command", &s.Command, s.Active), r.text(n, "cwd", &s.Dir, s.Active), r.text(n, "url", &s.URL, s.Active),
		r.list(n, "args", &s.Args, s.Active), r.table(n, "env", &s.Env, s.Active), r.table(n, "headers", &s.Headers, s.Active),
	} {
		if read != nil {
			return s, read
		}
	}
	return s, s.complete(m, kind)
}

// complete decides the transport and refuses a server that has not what it needs, or has
// what it cannot use.
func (s *Server) complete(m member, kind string) error {
	n := m.node
	switch {
	case kind != "":
		var ok bool
		if s.Transport, ok = transports[kind]; !ok {
			return &placed{n.member("type").at, fmt.Sprintf("type is %q; allowed stdio, http, sse", kind)}
		}
	case s.Command != "":
		s.Transport = Stdio
	default:
		s.Transport = HTTP
	}
	refused := map[Transport][]string{Stdio: {"url", "headers"}, HTTP: {"command", "args", "env", "cwd"}, SSE: {"command", "args", "env", "cwd"}}[s.Transport]
	for _, name := range refused {
		if other := n.member(name); other != nil && (s.Command != "" || s.URL != "") {
			return &placed{other.at, fmt.Sprintf("server %q has %s, which does not go with type %s", s.ID, name, s.Transport)}
		}
	}
	if s.Transport == Stdio {
		if s.Command == "" {
			return &placed{m.at, fmt.Sprintf("server %q has no command", s.ID)}
		}
		return nil
	}
	if s.URL == "" {
		return &placed{m.at, fmt.Sprintf("server %q has neither command nor url", s.ID)}
	}
	if u, err := url.Parse(s.URL); s.Active && (err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https") {
		return &placed{n.member("url").at, fmt.Sprintf("the url of server %q is not one of http or https with a host", s.ID)}
	}
	return nil
}

func readAgent(m member) (Agent, error) {
	a := Agent{Name: m.name, ToolCalling: true}
	if err := known(m.node, "toolCalling", "allowedTools"); err != nil {
		return a, err
	}
	if err := decode(m.node, "toolCalling", &a.ToolCalling, "true or false"); err != nil {
		return a, err
	}
	return a, configReader{}.list(m.node, "allowedTools", &a.AllowedTools, false)
}

// decode reads a member into a Go value; one that is not there leaves it alone.
func decode[T any](n *node, name string, into *T, want string) error {
	value := n.member(name)
	if value == nil {
		return nil
	}
	if value.kind != 0 || json.Unmarshal(value.value, into) != nil || string(value.value) == "null" {
		return &placed{value.at, fmt.Sprintf("%s must be %s", name, want)}
	}
	return nil
}

func (r configReader) text(n *node, name string, into *string, expand bool) error {
	if err := decode(n, name, into, "a text"); err != nil || !expand || *into == "" {
		return err
	}
	return r.expand(n.member(name).at, into)
}

func (r configReader) list(n *node, name string, into *[]string, expand bool) error {
	value := n.member(name)
	if value == nil {
		return nil
	}
	if value.kind != '[' {
		return &placed{value.at, name + " must be a list of texts"}
	}
	for _, item := range value.items {
		text := ""
		if !item.isText() || json.Unmarshal(item.value, &text) != nil {
			return &placed{item.at, name + " must be a list of texts"}
		}
		if expand {
			if err := r.expand(item.at, &text); err != nil {
				return err
			}
		}
		*into = append(*into, text)
	}
	return nil
}

func (r configReader) table(n *node, name string, into *map[string]string, expand bool) error {
	value := n.member(name)
	if value == nil {
		return nil
	}
	if value.kind != '{' {
		return &placed{value.at, name + " must be an object of texts"}
	}
	*into = map[string]string{}
	for _, m := range value.members {
		text := ""
		if !m.node.isText() || json.Unmarshal(m.node.value, &text) != nil {
			return &placed{m.node.at, fmt.Sprintf("%s of %s must be a text", m.name, name)}
		}
		if expand {
			if err := r.expand(m.node.at, &text); err != nil {
				return err
			}
		}
		(*into)[m.name] = text
	}
	return nil
}

// variable is ${VAR}, ${env:VAR} or ${VAR:-default}; what else stands in braces is said to
// be unknown.
var variable = regexp.MustCompile(`\$\{(?:(env):)?([A-Za-z_][A-Za-z0-9_]*)?(?::-([^}]*))?([^}]*)\}`)

func (r configReader) expand(at int64, text *string) error {
	var problem error
	*text = variable.ReplaceAllStringFunc(*text, func(found string) string {
		part := variable.FindStringSubmatch(found)
		name, rest := part[2], part[4]
		if name == "" || rest != "" {
			problem = &placed{at, fmt.Sprintf("%s is not known; ${NAME}, ${env:NAME} and ${NAME:-default} stand for variables of the environment", found)}
			return found
		}
		if value, ok := r.lookup(name); ok {
			return value
		}
		if strings.Contains(found, ":-") {
			return part[3]
		}
		problem = &placed{at, fmt.Sprintf("the variable %s is not set in the environment; ${%[1]s:-} would do without", name)}
		return found
	})
	return problem
}

// Save writes the configuration to a file, as it was read but for the tools that agents
// may use: variables stay variables, and what stood in another order stays there. The
// file is replaced as a whole or not at all.
func (c Config) Save(path string) error {
	root := c.document
	if root == nil {
		root = &node{kind: '{'}
	}
	if len(c.Agents) > 0 {
		agents := root.member("agents")
		if agents == nil {
			agents = &node{kind: '{'}
			root.set("agents", agents)
		}
		for _, a := range c.Agents {
			agent := agents.member(a.Name)
			if agent == nil {
				agent = &node{kind: '{'}
				agents.set(a.Name, agent)
			}
			agent.set("toolCalling", &node{value: literal(a.ToolCalling)})
			tools := &node{kind: '['}
			for _, name := range a.AllowedTools {
				tools.items = append(tools.items, &node{value: literal(name)})
			}
			agent.set("allowedTools", tools)
		}
	}
	var plain, indented bytes.Buffer
	root.appendTo(&plain)
	if err := json.Indent(&indented, plain.Bytes(), "", "  "); err != nil {
		return err
	}
	indented.WriteByte('\n')
	return replaceFile(path, indented.Bytes())
}

// replaceFile replaces a file as a whole; who may read it, and that it is a link to another
// one, stay as they are.
func replaceFile(path string, data []byte) error {
	mode := fs.FileMode(0o600) // it may have secrets
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
		if info, err := os.Stat(path); err == nil {
			mode = info.Mode().Perm()
		}
	}
	f, err := os.CreateTemp(filepath.Dir(path), ".mcp-*.json")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // without effect once it has its name
	_, err = f.Write(data)
	if err = errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
