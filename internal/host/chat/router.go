package chat

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"econ-mcp/internal/fault"
	"econ-mcp/internal/host"
)

// Request is a call as a model or a user words it.
type Request struct {
	ID        string // of the call, for the log; "" = the host gives one
	Tool      string // a name, or "server.tool"
	Source    string // "" = wherever the tool is; a server's id; "native"
	Arguments json.RawMessage
}

// Router knows all tools, of servers and of this process, and carries out calls. It is safe
// for many goroutines.
type Router struct {
	hub       *host.Hub
	cache     *host.Cache
	discovery *host.Discovery
	native    []Native
	log       *slog.Logger

	mu    sync.Mutex
	found host.Found // the last time
}

// NewRouter is a router for a hub's servers, and for native tools. It knows the tools of
// servers from [Router.Discover] on. log may be nil.
func NewRouter(hub *host.Hub, cache *host.Cache, native []Native, log *slog.Logger) *Router {
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	return &Router{hub: hub, cache: cache, discovery: host.NewDiscovery(hub, cache), native: native, log: log}
}

// Discover lists the tools of servers, as [host.Discovery.Tools] does, and remembers them. Native
// tools are not in what is returned.
func (r *Router) Discover(ctx context.Context, server string, refresh bool) (host.Found, error) {
	found, err := r.discovery.Tools(ctx, server, refresh)
	if err != nil {
		return found, err
	}
	r.mu.Lock()
	before := r.found.Failures
	r.found = found
	r.mu.Unlock()
	for _, f := range found.Failures {
		if !slices.ContainsFunc(before, func(old *host.Error) bool { return old.Error() == f.Error() }) {
			r.log.Warn("discovery failed", "server", f.Server, "tool", f.Tool, "layer", f.Layer, "error", f.Message)
		}
	}
	return found, nil
}

// ServerOf is the server that a call names by its source or as "server.tool"; "" if it names none
// that exists. [host.Native] stands for this process.
func (r *Router) ServerOf(name, source string) string {
	ids := r.hub.IDs()
	if slices.Contains(ids, source) {
		return source
	}
	for _, id := range append(ids, host.Native) {
		if strings.HasPrefix(name, id+".") {
			return id
		}
	}
	return ""
}

// Tools are all tools in the order in which a name is looked for: those of servers in the
// order of the configuration, then native ones.
func (r *Router) Tools() []host.Tool {
	r.mu.Lock()
	defer r.mu.Unlock()
	tools := slices.Clone(r.found.Tools)
	for _, n := range r.native {
		tools = append(tools, n.Tool)
	}
	return tools
}

// Find finds the tool that is meant. Without a source, servers are looked through in the
// order of the configuration, then native tools; the sources "native" and its older name "appflowy"
// mean the same. A server's id as the source means that server alone. "server.tool" names one tool
// exactly. An error, of layer unknown, has the nearest names.
func (r *Router) Find(name, source string) (host.Tool, error) {
	return r.findAmong(r.Tools(), name, source)
}

// findAmong is Find among some of the tools.
func (r *Router) findAmong(tools []host.Tool, name, source string) (host.Tool, error) {
	r.mu.Lock()
	failures := r.found.Failures
	r.mu.Unlock()
	anywhere := source == "" || source == host.Native || source == host.NativeAlias
	if ids := r.hub.IDs(); !anywhere && !slices.Contains(ids, source) {
		return host.Tool{}, &host.Error{
			Layer: host.LayerUnknown, Tool: name, Message: fmt.Sprintf("there is no active server '%s'", source),
			Nearest: fault.Nearest(source, append(ids, host.Native), 3),
		}
	}
	if !anywhere {
		tools = slices.DeleteFunc(slices.Clone(tools), func(t host.Tool) bool { return t.Server != source })
	}
	var found []host.Tool
	for _, t := range tools {
		if t.FullName() == name {
			return t, nil
		}
		if t.Name == name {
			found = append(found, t)
		}
	}
	if len(found) > 1 {
		r.log.Info("several servers have the tool", "tool", name, "taken", found[0].Server, "not", serversOf(found[1:]))
	}
	if len(found) > 0 {
		return found[0], nil
	}
	for _, f := range failures { // it may well be there
		if f.Tool == "" && (f.Server == source || strings.HasPrefix(name, f.Server+".")) || f.Tool == name && (anywhere || f.Server == source) {
			return host.Tool{}, f
		}
	}
	e := &host.Error{
		Layer: host.LayerUnknown, Tool: name, Message: fmt.Sprintf("there is no tool '%s'", name), Nearest: nearest(name, tools),
	}
	if !anywhere {
		e.Server = source
	}
	return host.Tool{}, e
}

// nearest are the names like an unknown one: full names if it is one, else names of tools.
func nearest(name string, tools []host.Tool) []string {
	_, bare, full := strings.Cut(name, ".")
	var names []string
	for _, t := range tools {
		switch {
		case full && t.Name == bare:
			return []string{t.FullName()}
		case full:
			names = append(names, t.FullName())
		case !slices.Contains(names, t.Name):
			names = append(names, t.Name)
		}
	}
	return fault.Nearest(name, names, 3)
}

func serversOf(tools []host.Tool) string {
	var ids []string
	for _, t := range tools {
		ids = append(ids, t.Server)
	}
	return strings.Join(ids, ", ")
}

// Call calls a tool that was found. Arguments that do not fit its schema are an error of layer
// validation and are not sent. The outcome is recorded in the cache. progress may be nil.
func (r *Router) Call(
	ctx context.Context, tool host.Tool, request Request, progress func(done, total float64, message string),
) (host.Result, error) {
	arguments := request.Arguments
	if text := bytes.TrimSpace(arguments); len(text) == 0 || string(text) == "null" {
		arguments = json.RawMessage("{}")
	}
	id := cmp.Or(request.ID, "call")
	log := r.log.With("call", id, "server", tool.Server, "tool", tool.Name)
	began := time.Now()
	result, err := r.carryOut(ctx, tool, id, arguments, progress)
	duration := time.Since(began)
	if err == nil {
		log.Info("done", "outcome", "success", "duration", duration)
	} else {
		log.Warn("done", "outcome", cmp.Or(host.LayerOf(err), "other"), "duration", duration, "error", host.Cut(err.Error()))
	}
	record := host.CallRecord{Server: tool.Server, Tool: tool.Name, Arguments: arguments, Duration: duration, Err: err}
	if kept := r.cache.Record(record); kept != nil {
		log.Warn("how the call went could not be kept", "error", kept)
	}
	return result, err
}

// The codes of JSON-RPC for an unknown method and for wrong parameters: servers use both for a tool
// that does not exist.
const (
	codeNoMethod  = -32601
	codeBadParams = -32602
)

func (r *Router) carryOut(
	ctx context.Context, tool host.Tool, id string, arguments json.RawMessage, progress func(done, total float64, message string),
) (host.Result, error) {
	if err := host.Validate(tool, arguments); err != nil {
		return host.Result{}, err
	}
	if tool.Server == host.Native {
		for _, n := range r.native {
			if n.Tool.Name == tool.Name {
				return n.run(ctx, arguments)
			}
		}
	}
	result, err := r.hub.Call(ctx, host.Call{
		ID: id, Server: tool.Server, Tool: tool.Name, Arguments: arguments, Repeatable: tool.Hints.Repeatable(), Progress: progress,
	})
	if e, ok := err.(*host.Error); ok && e.Layer == host.LayerRPC && (e.Code == codeNoMethod || e.Code == codeBadParams) {
		// The kept tools of the server may be out of date.
		if kept := r.cache.Expire(tool.Server); kept != nil {
			r.log.Warn("that tools may have changed could not be kept", "server", tool.Server, "error", kept)
		}
	}
	return result, err
}
