package host

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/tailscale/hujson"

	"econ-mcp/internal/fault"
)

// Agent is who uses tools: which it may use, and whether at all.
type Agent struct {
	Name         string
	ToolCalling  bool
	AllowedTools []string // "server.tool" or "tool"; empty = all
}

// Allows says whether the agent may use a tool.
func (a Agent) Allows(t Tool) bool {
	listed := slices.Contains(a.AllowedTools, t.FullName()) || slices.Contains(a.AllowedTools, t.Name)
	return a.ToolCalling && (listed || len(a.AllowedTools) == 0)
}

// Config is which servers and agents there are, in the order of the file. That order is
// the one in which a tool without a source is looked for.
type Config struct {
	Servers  []Server
	Agents   []Agent
	Warnings []*ConfigError // unknown keys, and settings without effect

	document hujson.Value     // as it was read
	settings []*hujson.Object // in it, of the agents
}

// ConfigError is what is wrong with a configuration, and where.
type ConfigError struct {
	Path         string
	Line, Column int // from 1, of the beginning of what is wrong; 0 = the file as a whole
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

// ReadConfig reads the `mcpServers` JSON of Claude Desktop, Cursor and others; `servers` is the
// name that VS Code has for it. Comments and trailing commas are allowed. A server has `command`,
// `args`, `env`, `envFile` and `cwd`, or `url` (`serverUrl` with Windsurf), `headers` and `type`
// (http or sse), and for both `isActive`, `timeout` in seconds, `retries` and `protocolVersion`.
// Beside them stand `agents`, with `toolCalling` and `allowedTools`, and `inputs`.
//
// In values, ${VAR}, ${env:VAR} and ${VAR:-default} are replaced from the environment, and so is
// ${input:ID}, from INPUT_ID; ${workspaceFolder}, ${userHome} and the like are what VS Code and
// Cursor mean by them.
//
// A server that is configured wrongly, or lacks a variable, has a Problem, and the others can be
// used. What is not known is a warning. A file that is not JSON, or agents that are configured
// wrongly, are a [ConfigError].
func ReadConfig(path string) (Config, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Config{}, &ConfigError{Path: path, Message: "cannot be read: " + cause(err).Error(), Err: err}
	}
	folder, err := workspace(path)
	if err != nil {
		return Config{}, &ConfigError{Path: path, Message: "the current folder is not known: " + cause(err).Error(), Err: err}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // as some editors of Windows begin a file
	if !bytes.HasSuffix(data, []byte("\n")) {
		data = append(data, '\n') // or a comment in the last line would have no end
	}
	r := configReader{path: path, data: data, folder: folder, inputs: map[string]input{}}
	return r.read()
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
	path     string
	data     []byte
	folder   string // of the workspace
	inputs   map[string]input
	warnings []*ConfigError
}

// wrong is what is wrong with a value.
func (r *configReader) wrong(v hujson.Value, format string, args ...any) *ConfigError {
	before := r.data[:v.StartOffset]
	line, column := 1+bytes.Count(before, []byte("\n")), len(before)-bytes.LastIndexByte(before, '\n')
	return &ConfigError{Path: r.path, Line: line, Column: column, Message: fmt.Sprintf(format, args...)}
}

func (r *configReader) warn(v hujson.Value, format string, args ...any) {
	r.warnings = append(r.warnings, r.wrong(v, format, args...))
}

// object gives the members of an object. Of a name that appears twice, the last counts, as with
// other readers of JSON.
func (r *configReader) object(v hujson.Value) (members []hujson.ObjectMember, err *ConfigError) {
	object, ok := v.Value.(*hujson.Object)
	if !ok {
		return nil, r.wrong(v, "an object is needed here")
	}
	for _, m := range object.Members {
		same := func(other hujson.ObjectMember) bool { return nameOf(other) == nameOf(m) }
		if i := slices.IndexFunc(members, same); i >= 0 {
			r.warn(m.Name, "%q appears twice; the last one counts", nameOf(m))
			members = slices.Delete(members, i, i+1)
		}
		members = append(members, m)
	}
	return members, nil
}

func nameOf(m hujson.ObjectMember) string { return textOf(m.Name) }

// unknown warns of a key that is not known.
func (r *configReader) unknown(key hujson.Value, names []string) {
	r.warn(key, "unknown key %q is ignored; %s", textOf(key), fault.Unknown(fault.NotFound, "key", textOf(key), names).Hint)
}

// The keys beside the servers: ours, and those in which Claude Desktop keeps its settings and VS
// Code what its extensions added, which are left alone.
var (
	topKeys    = []string{"mcpServers", "servers", "agents", "inputs"}
	topOfOther = []string{"$schema", "globalShortcut", "preferences", "sandbox"}
)

func (r *configReader) read() (Config, error) {
	root, err := hujson.Parse(r.data)
	if err != nil {
		e := &ConfigError{Path: r.path, Message: err.Error(), Err: err}
		if n, _ := fmt.Sscanf(err.Error(), "hujson: line %d, column %d", &e.Line, &e.Column); n == 2 {
			_, e.Message, _ = strings.Cut(strings.TrimPrefix(e.Message, "hujson: "), ": ")
		}
		return Config{}, e
	}
	c := Config{document: root}
	members, wrong := r.object(root)
	if wrong != nil {
		return Config{}, wrong
	}
	for _, m := range members { // servers refer to them
		if nameOf(m) == "inputs" {
			r.readInputs(m.Value)
		}
	}
	for _, m := range members {
		switch name := nameOf(m); {
		case name == "mcpServers" || name == "servers":
			entries, wrong := r.object(m.Value)
			if wrong != nil {
				return Config{}, wrong
			}
			for _, entry := range entries {
				r.add(&c, entry)
			}
		case name == "agents":
			if wrong := r.agents(m.Value, &c); wrong != nil {
				return Config{}, wrong
			}
		case !slices.Contains(topKeys, name) && !slices.Contains(topOfOther, name):
			r.unknown(m.Name, topKeys)
		}
	}
	c.Warnings = r.warnings
	return c, nil
}

// add adds a server, unless full names of its tools could be those of another server's.
func (r *configReader) add(c *Config, m hujson.ObjectMember) {
	s := r.server(m)
	for _, other := range c.Servers {
		if s.ID == other.ID || strings.HasPrefix(s.ID, other.ID+".") || strings.HasPrefix(other.ID, s.ID+".") {
			s.Problem = r.wrong(m.Name, "server %q cannot stand beside server %q: their tools would have the same names", s.ID, other.ID)
		}
	}
	c.Servers = append(c.Servers, s)
}

// serverID is what may name a server.
var serverID = regexp.MustCompile(`^[\p{L}\p{N}_@][\p{L}\p{N}_ @/.()+-]{0,99}$`)

var transports = map[string]Transport{
	"stdio": Stdio, "http": HTTP, "streamable-http": HTTP, "streamableHttp": HTTP, "streamable_http": HTTP, "sse": SSE,
}

// The keys of a server: ours, and those of others that change nothing for a host without windows,
// questions of its own, or a development mode.
var (
	serverKeys = []string{
		"command", "args", "env", "envFile", "cwd", "url", "serverUrl", "headers", "type",
		"isActive", "enabled", "disabled", "timeout", "retries", "protocolVersion",
	}
	serverOfOther = []string{"alwaysAllow", "autoApprove", "description", "dev", "gallery", "icon", "name", "note", "trust", "version"}
)

// server reads a server; its problem is the first thing that is wrong with it.
func (r *configReader) server(m hujson.ObjectMember) Server {
	s := Server{ID: nameOf(m), Active: true, Timeout: DefaultTimeout, Retries: DefaultRetries}
	members, wrong := r.object(m.Value)
	problem := cmp.Or(r.nameProblem(m.Name), wrong)
	note := func(wrong *ConfigError) { problem = cmp.Or(problem, wrong) }
	var kind, envFile string
	var disabled bool
	given := map[string]hujson.Value{}
	for _, m := range members {
		v := m.Value
		given[nameOf(m)] = v
		switch key := nameOf(m); key {
		case "command":
			note(r.text(v, key, &s.Command))
		case "args":
			note(r.list(v, key, &s.Args, r.lenient))
		case "env":
			note(r.table(v, key, &s.Env))
		case "envFile":
			note(r.text(v, key, &envFile))
		case "cwd":
			note(r.text(v, key, &s.Dir))
		case "url", "serverUrl":
			note(r.text(v, key, &s.URL))
		case "headers":
			note(r.table(v, key, &s.Headers))
		case "type":
			note(literal(r, v, key, "a text", &kind))
		case "isActive", "enabled":
			note(literal(r, v, key, "true or false", &s.Active))
		case "disabled":
			note(literal(r, v, key, "true or false", &disabled))
		case "timeout":
			note(r.timeout(v, &s.Timeout))
		case "retries":
			if literal(r, v, key, "", &s.Retries) != nil || s.Retries < 0 || s.Retries > 20 {
				note(r.wrong(v, "retries must be a whole number from 0 to 20"))
			}
		case "protocolVersion":
			note(literal(r, v, key, "a text", &s.Protocol))
			if s.Protocol != "" && !mcp.IsValidProtocolVersion(s.Protocol) {
				note(r.wrong(v, "protocolVersion is %q; known are %s", s.Protocol, strings.Join(mcp.ValidProtocolVersions, ", ")))
			}
		default:
			if !slices.Contains(serverOfOther, key) {
				r.unknown(m.Name, serverKeys)
			}
		}
	}
	s.Active = s.Active && !disabled
	note(r.complete(&s, kind, m.Name, given))
	if envFile != "" && s.Active && s.Transport == Stdio {
		if s.Env == nil {
			s.Env = map[string]string{}
		}
		note(r.readEnvFile(given["envFile"], envFile, s.Env))
	}
	if s.Active { // a server that is switched off may be incomplete
		s.Problem = problem
	}
	return s
}

// nameProblem says why a name cannot be that of a server; nil = it can.
func (r *configReader) nameProblem(name hujson.Value) *ConfigError {
	switch id := textOf(name); {
	case !serverID.MatchString(id):
		return r.wrong(name, "%q cannot name a server: letters, digits, spaces and _ - . / @ ( ) + are allowed, 100 at most", id)
	case id == Native || id == NativeAlias:
		return r.wrong(name, "%q cannot name a server: it stands for the tools of the host itself", id)
	}
	return nil
}

// complete decides the transport and says what a server lacks for it.
func (r *configReader) complete(s *Server, kind string, name hujson.Value, given map[string]hujson.Value) *ConfigError {
	switch {
	case kind != "":
		var ok bool
		if s.Transport, ok = transports[kind]; !ok {
			return r.wrong(given["type"], "type is %q; allowed stdio, http, sse", kind)
		}
	case s.Command != "" && s.URL != "":
		return r.wrong(name, "server %q has both command and url, and no type to decide", s.ID)
	case s.Command != "":
		s.Transport = Stdio
	default:
		s.Transport = HTTP
	}
	idle := []string{"command", "args", "env", "envFile", "cwd"}
	if s.Transport == Stdio {
		idle = []string{"url", "serverUrl", "headers"}
	}
	for _, key := range idle {
		if v, ok := given[key]; ok && (s.Command != "" || s.URL != "") {
			r.warn(v, "%s is not used with type %s; it is ignored", key, s.Transport)
		}
	}
	if s.Transport == Stdio {
		if s.Command == "" {
			return r.wrong(name, "server %q has no command", s.ID)
		}
		return nil
	}
	if s.URL == "" {
		return r.wrong(name, "server %q has neither command nor url", s.ID)
	}
	if u, err := url.Parse(s.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		at, ok := given["url"]
		if !ok {
			at = given["serverUrl"]
		}
		return r.wrong(at, "the url of server %q is not one of http or https with a host", s.ID)
	}
	return nil
}

// agents reads who may use what. Any mistake there is an error: it might allow too much.
func (r *configReader) agents(v hujson.Value, c *Config) *ConfigError {
	members, wrong := r.object(v)
	if wrong != nil {
		return wrong
	}
	for _, m := range members {
		a := Agent{Name: nameOf(m), ToolCalling: true}
		settings, wrong := r.object(m.Value)
		for _, setting := range settings {
			switch key := nameOf(setting); key {
			case "toolCalling":
				wrong = cmp.Or(wrong, literal(r, setting.Value, key, "true or false", &a.ToolCalling))
			case "allowedTools":
				wrong = cmp.Or(wrong, r.list(setting.Value, key, &a.AllowedTools, r.plain))
			default:
				wrong = cmp.Or(wrong, r.wrong(setting.Name, "unknown key %q; an agent has toolCalling and allowedTools", key))
			}
		}
		if wrong != nil {
			return wrong
		}
		c.Agents = append(c.Agents, a)
		c.settings = append(c.settings, m.Value.Value.(*hujson.Object))
	}
	return nil
}

// literal reads a text, number or boolean into a Go value.
func literal[T any](r *configReader, v hujson.Value, name, want string, into *T) *ConfigError {
	plain, ok := v.Value.(hujson.Literal)
	if !ok || plain.Kind() == 'n' || json.Unmarshal(plain, into) != nil {
		return r.wrong(v, "%s must be %s", name, want)
	}
	return nil
}

func (r *configReader) timeout(v hujson.Value, into *time.Duration) *ConfigError {
	var seconds float64
	if wrong := literal(r, v, "timeout", "a number of seconds", &seconds); wrong != nil {
		return wrong
	}
	if !(seconds > 0 && seconds <= 86400) {
		return r.wrong(v, "timeout is in seconds, above 0 and at most 86400")
	}
	*into = time.Duration(seconds * float64(time.Second))
	return nil
}

// textReader reads a value, which is called name in errors.
type textReader func(v hujson.Value, name string, into *string) *ConfigError

// plain reads a text, or a number or boolean, which is taken as it is written.
func (r *configReader) plain(v hujson.Value, name string, into *string) *ConfigError {
	literal, ok := v.Value.(hujson.Literal)
	if !ok || literal.Kind() == 'n' {
		return r.wrong(v, "%s must be a text", name)
	}
	*into = literal.String()
	return nil
}

// lenient is plain with variables replaced.
func (r *configReader) lenient(v hujson.Value, name string, into *string) *ConfigError {
	return cmp.Or(r.plain(v, name, into), r.expand(v, into))
}

// text reads a text and nothing else, with variables replaced.
func (r *configReader) text(v hujson.Value, name string, into *string) *ConfigError {
	return cmp.Or(literal(r, v, name, "a text", into), r.expand(v, into))
}

func (r *configReader) list(v hujson.Value, name string, into *[]string, read textReader) (wrong *ConfigError) {
	array, ok := v.Value.(*hujson.Array)
	if !ok {
		return r.wrong(v, "%s must be a list of texts", name)
	}
	for _, element := range array.Elements {
		var text string
		wrong = cmp.Or(wrong, read(element, "each of "+name, &text))
		*into = append(*into, text)
	}
	return wrong
}

func (r *configReader) table(v hujson.Value, name string, into *map[string]string) (wrong *ConfigError) {
	members, wrong := r.object(v)
	*into = map[string]string{}
	for _, m := range members {
		var text string
		wrong = cmp.Or(wrong, r.lenient(m.Value, nameOf(m)+" of "+name, &text))
		(*into)[nameOf(m)] = text
	}
	return wrong
}
