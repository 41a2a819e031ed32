package mcpserver

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"econ-mcp/tools"
)

// MCP Apps (SEP-1865, revision 2026-01-26): hosts show a page of the server beside the result of a tool. Who does not say that he can is
// told nothing of it.
const (
	viewExtension = "io.modelcontextprotocol/ui"
	viewType      = "text/html;profile=mcp-app"
)

// View is a page in one file that hosts show beside results: it loads nothing, and reads what it shows from its host. Tools name it by its
// URI, which begins with ui://.
type View struct {
	URI         string
	Name        string
	Title       string
	TitleZH     string
	Description string
	HTML        string
}

// viewMeta is what a host has to know of a page. That the lists are empty says that it needs no network, which is more than nothing said.
type viewMeta struct {
	UI struct {
		CSP struct {
			Connect  []string `json:"connectDomains"`
			Resource []string `json:"resourceDomains"`
		} `json:"csp"`
		Border bool `json:"prefersBorder"`
	} `json:"ui"`
}

func newViewMeta() *viewMeta {
	m := &viewMeta{}
	m.UI.CSP.Connect, m.UI.CSP.Resource, m.UI.Border = []string{}, []string{}, true
	return m
}

// view finds a page.
func (s *Server) view(uri string) (View, bool) {
	k := slices.IndexFunc(s.config.Views, func(v View) bool { return v.URI == uri })
	if k < 0 {
		return View{}, false
	}
	return s.config.Views[k], true
}

// withView is a tool as hosts see it that show pages. Beside the key of the specification stands the one before it, which hosts of the
// drafts look for.
func withView(t mcp.Tool, uri string) mcp.Tool {
	fields := map[string]any{"ui": struct {
		URI string `json:"resourceUri"`
	}{uri}, "ui/resourceUri": uri}
	for key, value := range t.Meta.AdditionalFields {
		fields[key] = value
	}
	t.Meta = &mcp.Meta{AdditionalFields: fields}
	return t
}

// checkViews refuses tools whose page is not there.
func checkViews(c Config) error {
	for _, t := range c.Tools {
		if t.View != "" && !slices.ContainsFunc(c.Views, func(v View) bool { return v.URI == t.View }) {
			return fmt.Errorf("%s names the page %s, which is not there", t.Name, t.View)
		}
	}
	return nil
}

// shows says whether the client shows pages: it said so when it initialized, or, in the revision without sessions, in the request.
func (x *exchange) shows() bool {
	if len(x.server.config.Views) == 0 {
		return false
	}
	raw := x.from.declared()
	if x.modern {
		raw = x.m.Params.Meta.Capabilities
	}
	var c struct {
		Extensions map[string]json.RawMessage `json:"extensions"`
	}
	var settings struct {
		Types []string `json:"mimeTypes"`
	}
	return len(raw) > 0 && json.Unmarshal(raw, &c) == nil && len(c.Extensions[viewExtension]) > 0 &&
		json.Unmarshal(c.Extensions[viewExtension], &settings) == nil && slices.Contains(settings.Types, viewType)
}

// shown are the tools as the client may see them. It is what the SDK asks for the list.
func (s *Server) shown(ctx context.Context, _ []mcp.Tool) []mcp.Tool {
	if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok && x.shows() {
		return s.withViews
	}
	return s.listed
}

// agreeOnViews has the answers to clients that show pages say that the server has some.
func agreeOnViews(hooks *server.Hooks) {
	agree := func(ctx context.Context, c *mcp.ServerCapabilities) {
		if x, ok := ctx.Value(exchangeKey{}).(*exchange); ok && x.shows() {
			c.Extensions = map[string]any{viewExtension: struct{}{}}
		}
	}
	hooks.AddAfterInitialize(func(ctx context.Context, _ any, _ *mcp.InitializeRequest, r *mcp.InitializeResult) {
		agree(ctx, &r.Capabilities)
	})
	hooks.AddAfterDiscover(func(ctx context.Context, _ any, _ *mcp.DiscoverRequest, r *mcp.DiscoverResult) {
		agree(ctx, &r.Capabilities)
	})
}

// viewResources are the pages as resources.
func (s *Server) viewResources() (list []Resource) {
	for _, v := range s.config.Views {
		list = append(list, Resource{
			URI: v.URI, Name: v.Name, Title: inLanguage(s.config.Lang, v.Title, v.TitleZH), Description: v.Description, MIMEType: viewType,
			Meta: newViewMeta(),
		})
	}
	return list
}

// read is the content behind a URI: of a page, or of a resource.
func (x *exchange) read(c *tools.Call, uri string) (Content, *viewMeta, error) {
	if v, ok := x.server.view(uri); ok {
		return Content{MIMEType: viewType, Text: v.HTML}, newViewMeta(), nil
	}
	content, err := x.server.config.Resources.Read(x.ctx, c, uri)
	return content, nil, err
}
