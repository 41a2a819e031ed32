package main

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"strings"
	"sync"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

// writer is the language model of a client in Go: it gives its answers in their order, the last one to all
// further requests, and refuses with an empty one. What it holds it does not answer before it is released.
type writer struct {
	mu      sync.Mutex
	answers []string
	asked   []mcp.CreateMessageRequest
	held    chan struct{} // takes a token from each request, which then waits for the end; nil = it answers at once
}

// CreateMessage implements [client.SamplingHandler].
func (w *writer) CreateMessage(ctx context.Context, request mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
	w.mu.Lock()
	held, answer := w.held, w.answers[min(len(w.asked), len(w.answers)-1)]
	w.asked = append(w.asked, request)
	w.mu.Unlock()
	if held != nil {
		held <- struct{}{}
		<-held
	}
	if answer == "" {
		return nil, errors.New("the user said no")
	}
	return &mcp.CreateMessageResult{Model: "go-model", SamplingMessage: mcp.SamplingMessage{
		Role: mcp.RoleAssistant, Content: mcp.NewTextContent(answer),
	}}, nil
}

// says sets what the model answers from now on.
func (w *writer) says(held chan struct{}, answers ...string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.answers, w.asked, w.held = answers, nil, held
}

func (w *writer) times() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.asked)
}

// Clients in Go have their models write inquiries, over stdio and over HTTP; several calls at once, of
// which one that waits for its model keeps no other waiting.
func TestGoClientsWithModels(t *testing.T) {
	program := build(t)
	quiet := slog.New(slog.DiscardHandler)
	over, err := transport.NewStreamableHTTP(serveHTTP(t, program), transport.WithHTTPLogger(quiet))
	must(t, err)
	for name, way := range map[string]transport.Interface{
		"stdio": transport.NewStdioWithOptions(program, nil, []string{"serve", "--data", t.TempDir()}, transport.WithCommandLogger(quiet)),
		"http":  over,
	} {
		t.Run(name, func(t *testing.T) {
			w := &writer{}
			c := client.NewClient(way, client.WithSamplingHandler(w))
			must(t, c.Start(t.Context()))
			defer c.Close()
			begin := mcp.InitializeRequest{}
			begin.Params.ProtocolVersion, begin.Params.ClientInfo = mcp.ProtocolVersion20251125, mcp.Implementation{Name: "t", Version: "1"}
			_, err := c.Initialize(t.Context(), begin)
			must(t, err)
			type analysis struct {
				Status    string
				WrittenBy string `json:"written_by"`
				ModelNote string `json:"model_note"`
				Levers    []struct{ Parameter string }
			}
			analyze := func(question string) (a analysis) {
				t.Helper()
				call := mcp.CallToolRequest{}
				call.Params.Name, call.Params.Arguments = "analyze_question", map[string]any{"question": question}
				result, err := c.CallTool(t.Context(), call)
				if err == nil {
					err = json.Unmarshal([]byte(mcp.GetTextFromContent(result.Content[0])), &a)
				}
				if err != nil {
					t.Error(err)
				}
				return a
			}
			const unclear = "What if the state took a bigger slice out of every pay packet?"

			w.says(nil, badInquiry, goodInquiry)
			if a := analyze(unclear); a.Status != "ready" || a.WrittenBy != "model" || w.times() != 2 || len(a.Levers) != 1 ||
				a.Levers[0].Parameter != "vat_rate" || !strings.Contains(a.ModelNote, "go-model wrote this inquiry (answers: 2)") {
				t.Errorf("%d requests, %+v", w.times(), a)
			}
			w.says(nil, "")
			if a := analyze(unclear); a.Status != "needs_clarification" || a.WrittenBy != "rules" ||
				!strings.Contains(a.ModelNote, "the user said no") {
				t.Errorf("%+v", a)
			}
			w.says(nil, "")
			if a := analyze("要是国家从工资里多拿一块呢？"); a.WrittenBy != "rules" || !strings.Contains(a.ModelNote, "未得到回答：客户端拒绝了：") ||
				!strings.Contains(a.ModelNote, "the user said no") {
				t.Errorf("%+v", a)
			}
			w.says(nil, goodInquiry)
			if a := analyze("要是国家从工资里多拿一块呢？"); a.Status != "ready" || !strings.Contains(a.ModelNote, "客户端的模型 go-model 编写了此 inquiry") {
				t.Errorf("%+v", a)
			}

			held := make(chan struct{})
			w.says(held, goodInquiry)
			first := make(chan analysis, 1)
			go func() { first <- analyze(unclear) }()
			<-held
			if a := analyze("Raise VAT from 8% to 15%."); a.Status != "ready" || a.WrittenBy != "rules" {
				t.Errorf("beside a call that waits: %+v", a)
			}
			close(held)
			if a := <-first; a.Status != "ready" || a.WrittenBy != "model" {
				t.Errorf("in the end: %+v", a)
			}
		})
	}
}
