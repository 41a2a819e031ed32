package mcpserver

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/access"
	"econ-mcp/internal/fault"
	"econ-mcp/tools"
)

// entry is a tool as it is called.
type entry struct {
	answer   func(*exchange) ([]byte, error) // the members of the result
	readOnly bool
	mirrored *mcp.Tool // if headers repeat some of its arguments, else nil
}

// callTool answers tools/call. An unknown tool is a mistake of the program that calls;
// everything that goes wrong inside a tool is told to the model, in the result.
func (x *exchange) callTool() *reply {
	name, ok := text(x.m.Params.Name)
	if !ok || name == "" {
		return failure(x.m.ID, mcp.INVALID_PARAMS, "name must be the name of a tool")
	}
	tool := x.server.tools[name]
	if tool == nil {
		e := fault.Unknown(fault.NotFound, "tool", name, x.server.names)
		return failureWith(x.m.ID, mcp.JSONRPCErrorDetails{
			Code: mcp.INVALID_PARAMS, Message: e.Message + "; " + e.Hint, Data: envelope{e},
		})
	}
	begin := time.Now()
	result, err := x.invoke(name, tool)
	took := time.Since(begin)
	observe := func(code string) { x.server.metrics.observe(name, code, took) }
	if err == nil {
		observe("ok")
		x.tell(mcp.LoggingLevelDebug, callLog{Tool: name, Milliseconds: took.Milliseconds()})
		return x.finish(result, false)
	}
	if e, ok := errors.AsType[replier](err); ok {
		observe("unfinished")
		return e.reply(x)
	}
	e := x.explain(name, err)
	if x.interrupted(err) {
		observe("interrupted")
	} else {
		observe(string(e.Kind))
		level := mcp.LoggingLevelInfo
		if e.Kind == fault.Internal {
			level = mcp.LoggingLevelError
		}
		x.tell(level, callLog{name, took.Milliseconds(), e.Error()})
	}
	told := mcp.NewTextContent(string(mustMarshal(envelope{e})))
	return x.finish(mustMarshal(toolResult{Content: []any{told}, IsError: true}), false)
}

// replier is an error that ends a call in the terms of the protocol, because the model could
// do nothing about it.
type replier interface {
	error
	reply(*exchange) *reply
}

// envelope is how a tool's error is told.
type envelope struct {
	Error *fault.Error `json:"error"`
}

// callLog is what a client that listens is told of a call.
type callLog struct {
	Tool         string `json:"tool"`
	Milliseconds int64  `json:"milliseconds"`
	Error        string `json:"error,omitempty"`
}

// invoke calls the tool for a principal that may.
func (x *exchange) invoke(name string, tool *entry) (_ []byte, err error) {
	if x.by.Role == access.ReadOnly && !tool.readOnly {
		x.server.log.Warn("forbidden", "tool", name, "by", x.by.Principal, "role", x.by.Role)
		return nil, fault.New(fault.Forbidden, "", "%q may only read: %s changes something", x.by.Principal, name).
			WithHint("use a token of the role full")
	}
	defer func() {
		if p := recover(); p != nil {
			err = &panicked{p, string(debug.Stack())}
		}
	}()
	return tool.answer(x)
}

// useTool calls a tool of the catalogue.
func (x *exchange) useTool(t tools.Tool) ([]byte, error) {
	result, err := t.Invoke(x.ctx, x.call(), x.m.Params.Arguments)
	if err != nil {
		return nil, err
	}
	return x.content(result)
}

// panicked is a panic on the way to an answer.
type panicked struct {
	value any
	stack string
}

func (*panicked) Error() string { return "the tool failed unexpectedly" }

// remote says whether the caller may be anywhere. The client at stdin started the process.
func (x *exchange) remote() bool { return x.from.transport != overStdio }

// explain makes a fault of an error, as the caller may know it. What is not the caller's is logged;
// beyond this machine nothing else is told of it than an id to find it by.
func (x *exchange) explain(what string, err error) *fault.Error {
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Kind != fault.Internal {
		if x.remote() {
			return fault.Public(e)
		}
		return e
	}
	if x.interrupted(err) {
		why, hint := "its connection was closed", "call again"
		switch {
		case x.server.draining.Err() != nil:
			why, hint = "the server is stopping", "call again when it runs"
		case context.Cause(x.ctx) == errCancelled:
			why = "the client cancelled it"
		case x.from.id != "":
			why, hint = "its session was ended", "initialize again, then call again"
		}
		return fault.New(fault.Internal, "", "the call was interrupted: %s", why).WithHint(hint)
	}
	id := x.logFailure(what, err)
	if x.remote() {
		e := fault.Public(err)
		e.Message = what + ": " + e.Message
		return e.WithHint("try again later, or tell who runs the server: its log has more under " + id)
	}
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e
	}
	return fault.New(fault.Internal, "", "%s: %v", what, err).WithHint("it is in the log of the server")
}

// logFailure logs what is not the caller's, and returns an id under which it is found.
func (x *exchange) logFailure(what string, err error) (id string) {
	id = rand.Text()[:12]
	attributes := []any{"what", what, "id", id, "error", err}
	if p, ok := errors.AsType[*panicked](err); ok {
		attributes = append(attributes, "panic", p.value, "stack", p.stack)
	}
	x.server.log.Error("a call failed", attributes...)
	return id
}

// interrupted says whether a call ended because nobody waits for it any more.
func (x *exchange) interrupted(err error) bool {
	return x.ctx.Err() != nil && errors.Is(err, context.Canceled)
}

// toolResult is what tools/call answers.
type toolResult struct {
	Content    []any           `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
}

// content is a result: the same JSON for programs and for models that read text, then images and links.
func (x *exchange) content(result tools.Result) ([]byte, error) {
	content := []any{mcp.NewTextContent(string(result.JSON))}
	for _, image := range result.Images {
		content = append(content, mcp.NewImageContent(base64.StdEncoding.EncodeToString(image.Data), image.MIMEType))
	}
	for _, link := range result.Links {
		content = append(content, x.link(link))
	}
	return tools.Encode(toolResult{Content: content, Structured: result.JSON})
}

// link is a resource link, or a text for revisions that do not know those.
func (x *exchange) link(l tools.Link) any {
	if version := x.from.ProtocolVersion(); !x.modern && version != "" && version < mcp.ProtocolVersion20250618 {
		return mcp.NewTextContent(strings.TrimSpace(fmt.Sprintf("%s %s", l.URI, l.Description)))
	}
	return mcp.NewResourceLink(l.URI, l.Name, l.Description, l.MIMEType)
}
