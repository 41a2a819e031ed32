package mcpserver_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"econ-mcp/internal/mcpserver"
	"econ-mcp/tools"
)

// row is about what get_parameter answers.
type row struct {
	Name        string   `json:"name"`
	Value       float64  `json:"value"`
	Default     float64  `json:"default_value"`
	Min         *float64 `json:"min_value"`
	Max         *float64 `json:"max_value"`
	Unit        string   `json:"unit"`
	Description string   `json:"description"`
	Live        bool     `json:"live"`
}

type rowIn struct {
	Name tools.Name `json:"parameter_name" doc:"Name, as get_all_parameters lists it"`
}

func oneRow() tools.Tool {
	return tools.New(tools.Spec{Name: "get_parameter", Title: "Get", Description: "One parameter.", Hints: tools.Reads},
		func(_ context.Context, _ *tools.Call, in rowIn) (row, error) {
			least, most := 0.0, 0.6
			return row{string(in.Name), 0.2, 0.2, &least, &most, "share", "Rate of the value added tax on what households buy.", true}, nil
		})
}

// bare is a server of the SDK with the same tool and the SDK's own validation.
func bare(tb testing.TB) http.Handler {
	tool := oneRow()
	schema, err := json.Marshal(tool.Input)
	if err != nil {
		tb.Fatal(err)
	}
	s := server.NewMCPServer("bare", "1", server.WithInputSchemaValidation())
	s.AddTool(mcp.NewToolWithRawSchema(tool.Name, tool.Description, schema),
		func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			least, most := 0.0, 0.6
			return mcp.NewToolResultJSON(row{r.GetString("parameter_name", ""), 0.2, 0.2, &least, &most, "share",
				"Rate of the value added tax on what households buy.", true})
		})
	return server.NewStreamableHTTPServer(s)
}

// BenchmarkCall compares tools/call over HTTP with a bare server of the SDK:
// go test -bench Call -cpu 1,16 ./internal/mcpserver
func BenchmarkCall(b *testing.B) {
	ours, err := mcpserver.New(mcpserver.Config{Tools: []tools.Tool{oneRow()}})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		handler http.Handler
	}{{"ours", ours.Handler(mcpserver.HTTPConfig{Addr: "127.0.0.1:0"})}, {"bare", bare(b)}} {
		b.Run(c.name, func(b *testing.B) {
			web := httptest.NewServer(c.handler)
			defer web.Close()
			transport := &http.Transport{MaxIdleConnsPerHost: 64}
			defer transport.CloseIdleConnections()
			call := func(session, body string) string {
				r, _ := http.NewRequest("POST", web.URL+"/mcp", bytes.NewReader([]byte(body)))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Accept", "application/json, text/event-stream")
				if session != "" {
					r.Header.Set("Mcp-Session-Id", session)
				}
				response, err := transport.RoundTrip(r)
				if err != nil {
					b.Error(err)
					return ""
				}
				defer response.Body.Close()
				if data, err := io.ReadAll(response.Body); err != nil || response.StatusCode != 200 || !bytes.Contains(data, []byte(`"result"`)) {
					b.Errorf("status %d: %s %v", response.StatusCode, data, err)
				}
				return response.Header.Get("Mcp-Session-Id")
			}
			session := call("", initialize)
			body := callOf("get_parameter", `{"parameter_name":"vat_rate"}`, "")
			b.ReportAllocs()
			b.RunParallel(func(p *testing.PB) {
				for p.Next() {
					call(session, body)
				}
			})
		})
	}
}

// BenchmarkHandle leaves out the network: what is ours of a call.
func BenchmarkHandle(b *testing.B) {
	ours, err := mcpserver.New(mcpserver.Config{Tools: []tools.Tool{oneRow()}})
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		handler http.Handler
	}{{"ours", ours.Handler(mcpserver.HTTPConfig{Addr: "127.0.0.1:0"})}, {"bare", bare(b)}} {
		b.Run(c.name, func(b *testing.B) {
			request := func(session, body string) *httptest.ResponseRecorder {
				r := httptest.NewRequest("POST", "http://localhost/mcp", bytes.NewReader([]byte(body)))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Mcp-Session-Id", session)
				w := httptest.NewRecorder()
				c.handler.ServeHTTP(w, r)
				return w
			}
			session := request("", initialize).Header().Get("Mcp-Session-Id")
			body := callOf("get_parameter", `{"parameter_name":"vat_rate"}`, "")
			b.ReportAllocs()
			for b.Loop() {
				if w := request(session, body); w.Code != 200 {
					b.Fatal(w.Body)
				}
			}
		})
	}
}
