package mcpserver

import (
	"context"
	"encoding/base64"

	"github.com/mark3labs/mcp-go/mcp"

	"econ-mcp/internal/fault"
	"econ-mcp/tools"
)

// Resources is what clients can read.
type Resources interface {
	// List is one page of what there is now. An unknown cursor is a fault.
	List(ctx context.Context, cursor string) (list []Resource, next string, err error)

	// Read is the content behind a URI; a URI of nothing is [fault.NotFound]. The call says
	// who reads, and whose workspace is meant; its Progress may be used.
	Read(ctx context.Context, c *tools.Call, uri string) (Content, error)

	// Possible says whether there may be something behind a URI, now or later: clients can
	// ask to be told of its changes.
	Possible(uri string) bool
}

// Resource is something that can be read.
type Resource struct {
	URI         string `json:"uri"`
	Name        string `json:"name"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	MIMEType    string `json:"mimeType,omitempty"`

	Meta *viewMeta `json:"_meta,omitempty"` // of a page; set by the server
}

// Content is what was read: text, or bytes where Blob is not nil.
type Content struct {
	MIMEType string
	Text     string
	Blob     []byte
}

// Template describes resources by a URI with names in braces, as of RFC 6570.
type Template struct {
	URI         string // such as econ://experiments/{name}/report.md
	Name        string
	Title       string
	TitleZH     string
	Description string
	MIMEType    string
	Complete    Completer // of its names; may be nil
}

func (t Template) describe(lang string) mcp.ResourceTemplate {
	return mcp.NewResourceTemplate(t.URI, t.Name, mcp.WithTemplateTitle(inLanguage(lang, t.Title, t.TitleZH)),
		mcp.WithTemplateDescription(t.Description), mcp.WithTemplateMIMEType(t.MIMEType))
}

// listResources answers resources/list.
func (x *exchange) listResources() *reply {
	cursor, ok := text(x.m.Params.Cursor)
	if !ok {
		return failure(x.m.ID, mcp.INVALID_PARAMS, "cursor must be a string")
	}
	list, next, err := x.server.config.Resources.List(x.ctx, cursor)
	if err != nil {
		return x.refuse(err, mcp.INVALID_PARAMS, "")
	}
	if cursor == "" && x.shows() {
		list = append(x.server.viewResources(), list...)
	}
	if list == nil {
		list = []Resource{}
	}
	return x.finish(mustMarshal(struct {
		Resources []Resource `json:"resources"`
		Next      string     `json:"nextCursor,omitempty"`
	}{list, next}), true)
}

// readResource answers resources/read.
func (x *exchange) readResource() *reply {
	uri, ok := text(x.m.Params.URI)
	if !ok || uri == "" {
		return failure(x.m.ID, mcp.INVALID_PARAMS, "uri must be the URI of a resource")
	}
	content, page, err := x.read(x.call(), uri)
	if err != nil {
		notFound := mcp.RESOURCE_NOT_FOUND
		if x.modern {
			notFound = mcp.INVALID_PARAMS
		}
		return x.refuse(err, notFound, uri)
	}
	item := struct {
		URI      string  `json:"uri"`
		MIMEType string  `json:"mimeType,omitempty"`
		Text     *string `json:"text,omitempty"`
		Blob     string  `json:"blob,omitempty"`

		Meta *viewMeta `json:"_meta,omitempty"`
	}{URI: uri, MIMEType: content.MIMEType, Meta: page}
	if content.Blob != nil {
		item.Blob = base64.StdEncoding.EncodeToString(content.Blob)
	} else {
		item.Text = &content.Text
	}
	return x.finish(mustMarshal(struct {
		Contents []any `json:"contents"`
	}{[]any{item}}), true)
}

// refusal is the data of a JSON-RPC error: the envelope, and which resource is meant.
type refusal struct {
	envelope
	URI string `json:"uri,omitempty"`
}

// refuse is the JSON-RPC error for a fault: what is not there has a code of its own.
func (x *exchange) refuse(err error, notFound int, uri string) *reply {
	e := x.explain(x.m.Method, err)
	code := mcp.INVALID_PARAMS
	switch e.Kind {
	case fault.NotFound:
		code = notFound
	case fault.Internal:
		code = mcp.INTERNAL_ERROR
	}
	return failureWith(x.m.ID, mcp.JSONRPCErrorDetails{Code: code, Message: e.Error(), Data: refusal{envelope{e}, uri}})
}

// maxCompletions is how many values the protocol allows in one answer.
const maxCompletions = 100

// completer finds the template or prompt that the SDK asks completions for.
type completer struct{ server *Server }

// CompleteResourceArgument implements the SDK's interface.
func (c completer) CompleteResourceArgument(ctx context.Context, uri string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (
	*mcp.Completion, error,
) {
	for _, t := range c.server.config.Templates {
		if t.URI == uri {
			return t.Complete.answer(ctx, argument)
		}
	}
	return &mcp.Completion{}, nil
}

// CompletePromptArgument implements the SDK's interface.
func (c completer) CompletePromptArgument(ctx context.Context, name string, argument mcp.CompleteArgument, _ mcp.CompleteContext) (
	*mcp.Completion, error,
) {
	for _, p := range c.server.config.Prompts {
		if p.Name == name {
			return p.Complete.answer(ctx, argument)
		}
	}
	return &mcp.Completion{}, nil
}

func (complete Completer) answer(ctx context.Context, argument mcp.CompleteArgument) (*mcp.Completion, error) {
	if complete == nil {
		return &mcp.Completion{}, nil
	}
	values, err := complete(ctx, argument.Name, argument.Value)
	if err != nil {
		x := ctx.Value(exchangeKey{}).(*exchange)
		return nil, x.explain(x.m.Method, err)
	}
	total := len(values)
	return &mcp.Completion{Values: values[:min(total, maxCompletions)], Total: total, HasMore: total > maxCompletions}, nil
}
