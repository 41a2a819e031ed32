package bench

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
)

// row is what the tool of the bare server answers: the members of get_parameter.
type row struct {
	Name        string   `json:"name"`
	Value       any      `json:"value"`
	Default     any      `json:"default_value"`
	Type        string   `json:"type"`
	Min         *float64 `json:"min_value"`
	Max         *float64 `json:"max_value"`
	Choices     []string `json:"choices"`
	Unit        string   `json:"unit"`
	Description string   `json:"description"`
	Category    string   `json:"category"`
	Live        bool     `json:"live"`
	Impact      string   `json:"impact"`
	Formula     string   `json:"formula"`
	Source      string   `json:"source"`
}

// Bare serves get_parameter as somebody would who follows the documentation of mcp-go and
// lets it validate the arguments. Its answers, by the name of the parameter, are those of
// our tool, and cost no more than to look them up: what is compared is what surrounds a
// tool. It ends with ctx or with its input.
func Bare(ctx context.Context, transport string, answers map[string]json.RawMessage, in io.Reader, out io.Writer) error {
	rows := make(map[string]row, len(answers))
	for name, answer := range answers {
		var r row
		if err := json.Unmarshal(answer, &r); err != nil {
			return fmt.Errorf("the answer for %s: %w", name, err)
		}
		rows[name] = r
	}
	s := server.NewMCPServer("bare", "1", server.WithInputSchemaValidation(), server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool(parameterTool,
		mcp.WithDescription("All that is known of one parameter."),
		mcp.WithString("parameter_name", mcp.Required(), mcp.Description("As get_all_parameters lists it")),
		mcp.WithSchemaAdditionalProperties(false),
		mcp.WithOutputSchema[row](),
	), func(_ context.Context, request mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		name, err := request.RequireString("parameter_name")
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		r, ok := rows[name]
		if !ok {
			return mcp.NewToolResultError("unknown parameter " + name), nil
		}
		return mcp.NewToolResultStructuredOnly(r), nil
	})
	if transport == stdio {
		return server.NewStdioServer(s).Listen(ctx, in, out)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	handler := http.NewServeMux()
	handler.Handle("/mcp", server.NewStreamableHTTPServer(s))
	site := &http.Server{Handler: handler}
	context.AfterFunc(ctx, func() { site.Close() })
	slog.Info("listening", "url", "http://"+listener.Addr().String()+"/mcp")
	if err := site.Serve(listener); ctx.Err() == nil {
		return err
	}
	return nil
}
